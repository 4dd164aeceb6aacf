# The CUDA runtime of whole programs: a library by the name and with the versions of NVIDIA's.
pkglibexec_PROGRAMS += src/runtime/libcudart.so.13
src_runtime_libcudart_so_13_SOURCES = \
	src/runtime/attributes.def \
	src/runtime/cuda_abi.h \
	src/runtime/device.c \
	src/runtime/errors.def \
	src/runtime/fatbin.c src/runtime/fatbin.h \
	src/runtime/launch.c \
	src/runtime/memory.c \
	src/runtime/module.c \
	src/runtime/state.c src/runtime/state.h \
	src/runtime/stream.c
src_runtime_libcudart_so_13_CFLAGS = $(AM_CFLAGS) $(ZSTD_CFLAGS) $(LZ4_CFLAGS) -fPIC -Wno-missing-prototypes
src_runtime_libcudart_so_13_LDFLAGS = $(AM_LDFLAGS) -shared -Wl,-soname,libcudart.so.13 -Wl,-Bsymbolic \
	-Wl,--version-script=$(srcdir)/src/runtime/libcudart.map
runtime_libraries = src/simt/libsimt.a src/race/librace.a src/ptx/libptx.a src/model/libmodel.a src/launch/liblaunch.a \
	src/warp/libwarp.a src/base/libbase.a
src_runtime_libcudart_so_13_LDADD = $(runtime_libraries) $(UTF8PROC_LIBS) $(ZSTD_LIBS) $(LZ4_LIBS) $(LIBS)
src_runtime_libcudart_so_13_DEPENDENCIES = src/runtime/libcudart.map $(runtime_libraries)
EXTRA_DIST += src/runtime/libcudart.map
