# With cmd, which it still uses.
src_cmd_libcmd_a_SOURCES += \
	src/tools/compile/build.c \
	src/tools/compile/build.h \
	src/tools/compile/build_parts.c \
	src/tools/compile/build_parts.h \
	src/tools/compile/cc.h \
	src/tools/compile/cc_options.def \
	src/tools/compile/cc_read.c \
	src/tools/compile/compile.c \
	src/tools/compile/compile.h \
	src/tools/compile/compile_here.c \
	src/tools/compile/compile_here.h \
	src/tools/compile/cuda_log.c \
	src/tools/compile/cuda_source.c \
	src/tools/compile/cuda_source.h \
	src/tools/compile/kernel_ptx.c \
	src/tools/compile/kernel_ptx.h \
	src/tools/compile/ptxas.c \
	src/tools/compile/ptxas.h \
	src/tools/compile/renamed.c \
	src/tools/compile/renamed.h
