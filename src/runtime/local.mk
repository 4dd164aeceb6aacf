if HAVE_RUNTIME
# The CUDA runtime of whole programs: libraries by the names and with the versions of NVIDIA's.
noinst_LIBRARIES += src/runtime/libruntime.a
src_runtime_libruntime_a_SOURCES = \
	src/runtime/advice.c \
	src/runtime/array.c src/runtime/array.h \
	src/runtime/attributes.def \
	src/runtime/copy.c src/runtime/copy.h \
	src/runtime/cuda_abi.h \
	src/runtime/device.c src/runtime/device.def \
	src/runtime/driver.c src/runtime/driver.h src/runtime/drivers.def \
	src/runtime/driver_context.c src/runtime/driver_graph.c src/runtime/driver_launch.c src/runtime/driver_memory.c \
	src/runtime/driver_module.c src/runtime/driver_table.c src/runtime/driver_texture.c src/runtime/driver_virtual.c \
	src/runtime/entry.c \
	src/runtime/errors.def \
	src/runtime/event.c src/runtime/event.h \
	src/runtime/executor.c src/runtime/executor_group.c \
	src/runtime/fatbin.c src/runtime/fatbin.h \
	src/runtime/function.c src/runtime/function.h \
	src/runtime/functions.def \
	src/runtime/graph.c src/runtime/graph.h \
	src/runtime/graph_capture.c src/runtime/graph_condition.c src/runtime/graph_exec.c src/runtime/graph_node.c src/runtime/graph_object.c \
	src/runtime/launch.c src/runtime/launch.h \
	src/runtime/library.c src/runtime/library.h \
	src/runtime/limit.c \
	src/runtime/running.c \
	src/runtime/memory.c \
	src/runtime/module.c \
	src/runtime/peer.c \
	src/runtime/per_thread.c \
	src/runtime/pool.c src/runtime/pool.h \
	src/runtime/queue.c src/runtime/queue.h \
	src/runtime/problems.def \
	src/runtime/refused.c \
	src/runtime/report.c src/runtime/report.h src/runtime/report_parts.h \
	src/runtime/report_keep.c src/runtime/report_keep.h \
	src/runtime/report_log.c src/runtime/report_log.h \
	src/runtime/report_json.c src/runtime/report_launch.c src/runtime/report_problem.c src/runtime/report_signal.c \
	src/runtime/report_text.c src/runtime/report_unsynced.c src/runtime/report_unsynced.h \
	src/runtime/backtrace.h src/runtime/site.c src/runtime/site.h \
	src/runtime/state.c src/runtime/state.h \
	src/runtime/stream.c \
	src/runtime/symbol.c \
	src/runtime/texture.c src/runtime/texture.h
src_runtime_libruntime_a_CFLAGS = $(AM_CFLAGS) $(ZSTD_CFLAGS) $(LZ4_CFLAGS) -fPIC -Wno-missing-prototypes
runtime_libraries = src/runtime/libruntime.a src/snapshot/libsnapshot.a src/simt/libsimt.a src/race/librace.a src/ptx/libptx.a src/model/libmodel.a \
	src/launch/liblaunch.a src/warp/libwarp.a src/base/libbase.a
runtime_ldflags = $(AM_LDFLAGS) -shared -Wl,-Bsymbolic -Wl,--whole-archive src/runtime/libruntime.a -Wl,--no-whole-archive
runtime_ldadd = $(runtime_libraries) $(UTF8PROC_LIBS) $(ZSTD_LIBS) $(LZ4_LIBS) $(LIBS)

pkglibexec_PROGRAMS += src/runtime/libcudart.so.12 src/runtime/libcudart.so.13
src_runtime_libcudart_so_12_SOURCES = src/runtime/version_12.c
src_runtime_libcudart_so_12_CFLAGS = $(AM_CFLAGS) -fPIC
src_runtime_libcudart_so_12_LDFLAGS = $(runtime_ldflags) -Wl,-soname,libcudart.so.12 -Wl,--version-script=src/runtime/exports-12.map
src_runtime_libcudart_so_12_LDADD = $(runtime_ldadd)
src_runtime_libcudart_so_12_DEPENDENCIES = src/runtime/exports-12.map $(runtime_libraries)
src_runtime_libcudart_so_13_SOURCES = src/runtime/version_13.c
src_runtime_libcudart_so_13_CFLAGS = $(AM_CFLAGS) -fPIC
src_runtime_libcudart_so_13_LDFLAGS = $(runtime_ldflags) -Wl,-soname,libcudart.so.13 -Wl,--version-script=src/runtime/exports-13.map
src_runtime_libcudart_so_13_LDADD = $(runtime_ldadd)
src_runtime_libcudart_so_13_DEPENDENCIES = src/runtime/exports-13.map $(runtime_libraries)

# The driver: names that pass every call on to one of the two.
pkglibexec_PROGRAMS += src/runtime/libcuda.so.1
src_runtime_libcuda_so_1_SOURCES = src/runtime/libcuda.c
src_runtime_libcuda_so_1_CFLAGS = $(AM_CFLAGS) -fPIC -Wno-missing-prototypes -Wno-cast-function-type
src_runtime_libcuda_so_1_LDFLAGS = $(AM_LDFLAGS) -shared -Wl,-Bsymbolic -Wl,-soname,libcuda.so.1 -Wl,--version-script=src/runtime/libcuda.map
src_runtime_libcuda_so_1_LDADD = $(LIBS)
src_runtime_libcuda_so_1_DEPENDENCIES = src/runtime/libcuda.map
src/runtime/libcuda.map: src/runtime/libcuda.map.in src/runtime/drivers.def
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(CC) -E -P -x c -I$(srcdir)/src $(srcdir)/src/runtime/libcuda.map.in > $@.new && mv $@.new $@
CLEANFILES += src/runtime/libcuda.map

src/runtime/exports-%.map: src/runtime/exports.map.in src/runtime/functions.def
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(CC) -E -P -x c -DMAJOR=$* -DNODE=libcudart.so.$* -I$(srcdir)/src $(srcdir)/src/runtime/exports.map.in > $@.new && mv $@.new $@
CLEANFILES += src/runtime/exports-12.map src/runtime/exports-13.map

unit_tests += tests/unit/test_runtime
tests_unit_test_runtime_LDADD = $(runtime_libraries) $(LDADD) $(ZSTD_LIBS) $(LZ4_LIBS)

# NVRTC: names that pass every call on to NVIDIA's, where that is installed.
pkglibexec_PROGRAMS += src/runtime/libnvrtc.so.12 src/runtime/libnvrtc.so.13
nvrtc_cflags = $(AM_CFLAGS) -fPIC -Wno-missing-prototypes -Wno-cast-function-type
nvrtc_ldflags = $(AM_LDFLAGS) -shared -Wl,-Bsymbolic
src_runtime_libnvrtc_so_12_SOURCES = src/runtime/libnvrtc.c src/runtime/nvrtc.def
src_runtime_libnvrtc_so_12_CFLAGS = $(nvrtc_cflags) -DNVRTC_MAJOR='"12"'
src_runtime_libnvrtc_so_12_LDFLAGS = $(nvrtc_ldflags) -Wl,-soname,libnvrtc.so.12 -Wl,--version-script=src/runtime/nvrtc-12.map
src_runtime_libnvrtc_so_12_LDADD = $(LIBS)
src_runtime_libnvrtc_so_12_DEPENDENCIES = src/runtime/nvrtc-12.map
src_runtime_libnvrtc_so_13_SOURCES = src/runtime/libnvrtc.c src/runtime/nvrtc.def
src_runtime_libnvrtc_so_13_CFLAGS = $(nvrtc_cflags) -DNVRTC_MAJOR='"13"'
src_runtime_libnvrtc_so_13_LDFLAGS = $(nvrtc_ldflags) -Wl,-soname,libnvrtc.so.13 -Wl,--version-script=src/runtime/nvrtc-13.map
src_runtime_libnvrtc_so_13_LDADD = $(LIBS)
src_runtime_libnvrtc_so_13_DEPENDENCIES = src/runtime/nvrtc-13.map
src/runtime/nvrtc-%.map: src/runtime/nvrtc.map.in src/runtime/nvrtc.def
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(CC) -E -P -x c -DNODE=libnvrtc.so.$* -I$(srcdir)/src $(srcdir)/src/runtime/nvrtc.map.in > $@.new && mv $@.new $@
CLEANFILES += src/runtime/nvrtc-12.map src/runtime/nvrtc-13.map
endif
EXTRA_DIST += src/runtime/libcuda.map.in src/runtime/exports.map.in src/runtime/nvrtc.map.in
