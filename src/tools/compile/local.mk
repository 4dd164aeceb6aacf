noinst_LIBRARIES += src/tools/compile/libcompile.a
src_tools_compile_libcompile_a_SOURCES = \
	src/tools/compile/build.c src/tools/compile/build.h \
	src/tools/compile/compile.c src/tools/compile/compile.h \
	src/tools/compile/compile_here.c src/tools/compile/compile_here.h \
	src/tools/compile/cuda_source.c \
	src/tools/compile/kernel_ptx.c \
	src/tools/compile/libraries.c src/tools/compile/libraries.def src/tools/compile/libraries.h \
	src/tools/compile/ptxas.c src/tools/compile/ptxas.h

EXTRA_DIST += src/tools/compile/README.md
