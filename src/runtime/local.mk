if HAVE_RUNTIME
# The CUDA runtime of whole programs: libraries by the names and with the versions of NVIDIA's.
noinst_LIBRARIES += src/runtime/libruntime.a
src_runtime_libruntime_a_SOURCES = \
	src/runtime/attributes.def src/runtime/cuda_abi.h src/runtime/device.c src/runtime/device.def \
	src/runtime/entry.c src/runtime/errors.def src/runtime/functions.def src/runtime/limit.c \
	src/runtime/per_thread.c src/runtime/refused.c src/runtime/running.c src/runtime/state.c \
	src/runtime/state.h \
	src/runtime/driver/driver.c src/runtime/driver/driver.h src/runtime/driver/driver_context.c \
	src/runtime/driver/driver_launch.c src/runtime/driver/driver_memory.c src/runtime/driver/driver_module.c \
	src/runtime/driver/driver_table.c src/runtime/driver/driver_texture.c src/runtime/driver/driver_virtual.c \
	src/runtime/driver/drivers.def \
	src/runtime/memory/advice.c src/runtime/memory/array.c src/runtime/memory/copy.c \
	src/runtime/memory/memory.c src/runtime/memory/memory.h src/runtime/memory/peer.c src/runtime/memory/pool.c \
	src/runtime/memory/texture.c \
	src/runtime/module/fatbin.c src/runtime/module/fatbin.h src/runtime/module/function.c \
	src/runtime/module/library.c src/runtime/module/module.c src/runtime/module/module.h \
	src/runtime/report/footprint.c src/runtime/report/problems.def src/runtime/report/report.c src/runtime/report/report.h \
	src/runtime/report/report_json.c src/runtime/report/report_keep.c src/runtime/report/report_launch.c \
	src/runtime/report/report_log.c src/runtime/report/report_long.c src/runtime/report/report_order.c src/runtime/report/report_order.h \
	src/runtime/report/report_parts.h src/runtime/report/report_text.c \
	src/runtime/report/report_unsynced.c src/runtime/report/script.c src/runtime/report/site.c \
	src/runtime/stream/executor.c src/runtime/stream/graph.c src/runtime/stream/graph.h \
	src/runtime/stream/graph_capture.c src/runtime/stream/graph_exec.c src/runtime/stream/graph_memory.c src/runtime/memory/ipc.c src/runtime/memory/pageable.c src/runtime/memory/shared.c src/runtime/memory/shared.h \
	src/runtime/stream/graph_node.c \
	src/runtime/stream/launch.c src/runtime/stream/queue.c src/runtime/stream/queue.h \
	src/runtime/stream/stream.c
src_runtime_libruntime_a_CFLAGS = $(AM_CFLAGS) $(ZSTD_CFLAGS) $(LZ4_CFLAGS) -fPIC -Wno-missing-prototypes
runtime_libraries = src/runtime/libruntime.a src/machine/snapshot/libsnapshot.a src/machine/simt/libsimt.a src/machine/race/librace.a src/machine/ptx/libptx.a src/model/hardware/libhardware.a \
	src/machine/launch/liblaunch.a src/machine/warp/libwarp.a src/base/libbase.a
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
src_runtime_libcuda_so_1_SOURCES = src/runtime/driver/libcuda.c
src_runtime_libcuda_so_1_CFLAGS = $(AM_CFLAGS) -fPIC -Wno-missing-prototypes -Wno-cast-function-type
src_runtime_libcuda_so_1_LDFLAGS = $(AM_LDFLAGS) -shared -Wl,-Bsymbolic -Wl,-soname,libcuda.so.1 -Wl,--version-script=src/runtime/libcuda.map
src_runtime_libcuda_so_1_LDADD = $(LIBS)
src_runtime_libcuda_so_1_DEPENDENCIES = src/runtime/libcuda.map
src/runtime/libcuda.map: src/runtime/driver/libcuda.map.in src/runtime/driver/drivers.def
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(CC) -E -P -x c -I$(srcdir)/src $(srcdir)/src/runtime/driver/libcuda.map.in > $@.new && mv $@.new $@
CLEANFILES += src/runtime/libcuda.map

src/runtime/exports-%.map: src/runtime/exports.map.in src/runtime/functions.def
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(CC) -E -P -x c -DMAJOR=$* -DNODE=libcudart.so.$* -I$(srcdir)/src $(srcdir)/src/runtime/exports.map.in > $@.new && mv $@.new $@
CLEANFILES += src/runtime/exports-12.map src/runtime/exports-13.map

# The auditor, which puts ours in the place of NVIDIA's. It is in a namespace of its own, where sanitizers cannot be.
if HAVE_AUDIT
pkglibexec_PROGRAMS += src/runtime/libsimttutor-audit.so
src_runtime_libsimttutor_audit_so_SOURCES = src/runtime/linked.c src/runtime/linked.h src/base/arena.c src/base/elf.c src/base/hash.c
src_runtime_libsimttutor_audit_so_CFLAGS = $(AM_CFLAGS) -fPIC -fvisibility=hidden -fno-sanitize=all
src_runtime_libsimttutor_audit_so_LDFLAGS = $(AM_LDFLAGS) -shared -fno-sanitize=all -Wl,-Bsymbolic -Wl,-soname,libsimttutor-audit.so
src_runtime_libsimttutor_audit_so_LDADD = $(LIBS)
endif

unit_tests += tests/unit/test_runtime
tests_unit_test_runtime_LDADD = $(runtime_libraries) $(LDADD) $(ZSTD_LIBS) $(LZ4_LIBS)

# NVRTC: names that pass every call on to NVIDIA's, where that is installed.
pkglibexec_PROGRAMS += src/runtime/libnvrtc.so.12 src/runtime/libnvrtc.so.13
nvrtc_cflags = $(AM_CFLAGS) -fPIC -Wno-missing-prototypes -Wno-cast-function-type
nvrtc_ldflags = $(AM_LDFLAGS) -shared -Wl,-Bsymbolic
src_runtime_libnvrtc_so_12_SOURCES = src/runtime/driver/libnvrtc.c src/runtime/driver/nvrtc.def
src_runtime_libnvrtc_so_12_CFLAGS = $(nvrtc_cflags) -DNVRTC_MAJOR='"12"'
src_runtime_libnvrtc_so_12_LDFLAGS = $(nvrtc_ldflags) -Wl,-soname,libnvrtc.so.12 -Wl,--version-script=src/runtime/nvrtc-12.map
src_runtime_libnvrtc_so_12_LDADD = $(LIBS)
src_runtime_libnvrtc_so_12_DEPENDENCIES = src/runtime/nvrtc-12.map
src_runtime_libnvrtc_so_13_SOURCES = src/runtime/driver/libnvrtc.c src/runtime/driver/nvrtc.def
src_runtime_libnvrtc_so_13_CFLAGS = $(nvrtc_cflags) -DNVRTC_MAJOR='"13"'
src_runtime_libnvrtc_so_13_LDFLAGS = $(nvrtc_ldflags) -Wl,-soname,libnvrtc.so.13 -Wl,--version-script=src/runtime/nvrtc-13.map
src_runtime_libnvrtc_so_13_LDADD = $(LIBS)
src_runtime_libnvrtc_so_13_DEPENDENCIES = src/runtime/nvrtc-13.map
src/runtime/nvrtc-%.map: src/runtime/driver/nvrtc.map.in src/runtime/driver/nvrtc.def
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(CC) -E -P -x c -DNODE=libnvrtc.so.$* -I$(srcdir)/src $(srcdir)/src/runtime/driver/nvrtc.map.in > $@.new && mv $@.new $@
CLEANFILES += src/runtime/nvrtc-12.map src/runtime/nvrtc-13.map

# The same folder as a toolkit, for build systems (simttutor env): bin/nvcc, which is this program, include, and in lib64 the
# libraries by the names that linkers look for. libcudart_static.a is a script for the linker. What is
# in lib, without the driver, is for programs that start. Libraries that need a GPU are empty: a project that names them is configured,
# and what it calls of them is reported when it is linked.
toolkit_absent = cublas cublasLt cufft cufftw curand cusparse cusolver cudnn nccl nvidia-ml nppc nppial nppicc nppidei nppif nppig nppim nppist \
	nppisu nppitc npps nvjpeg nvJitLink cupti nvToolsExt
#     $(call make_toolkit,FOLDER,THE PROGRAM,THE HEADERS)
make_toolkit = $(MKDIR_P) $(1)/bin $(1)/lib $(1)/lib64/stubs && rm -f $(1)/include && \
	ln -sf $(2) $(1)/bin/nvcc && ln -sf $(3) $(1)/include && \
	for library in libcudart.so.12 libcudart.so.13 libcuda.so.1 libnvrtc.so.12 libnvrtc.so.13; do \
		ln -sf ../$$library $(1)/lib64/$$library || exit 1; \
	done && \
	ln -sf ../libcudart.so.12 ../libcudart.so.13 $(1)/lib && ln -sf libcudart.so.13 $(1)/lib64/libcudart.so && ln -sf libnvrtc.so.13 $(1)/lib64/libnvrtc.so && \
	ln -sf libcuda.so.1 $(1)/lib64/libcuda.so && ln -sf ../libcuda.so.1 $(1)/lib64/stubs/libcuda.so && \
	for library in $(toolkit_absent); do echo 'INPUT(AS_NEEDED(-lm))' > $(1)/lib64/lib$$library.so || exit 1; done && \
	echo 'INPUT(libcudart.so.13)' > $(1)/lib64/libcudart_static.a && printf '!<arch>\n' > $(1)/lib64/libcudadevrt.a
# From one folder to another, so that both can move together; the same where realpath cannot say it.
toolkit_way = $$(realpath -m --relative-to=$(1) $(2) 2> /dev/null || echo $(2))

noinst_SCRIPTS += src/runtime/bin/nvcc
src/runtime/bin/nvcc: src/runtime/local.mk
	$(AM_V_GEN)$(call make_toolkit,src/runtime,../../../simttutor$(EXEEXT),$(abs_top_srcdir)/include)
install-exec-local:
	$(call make_toolkit,$(DESTDIR)$(pkglibexecdir),$(call toolkit_way,$(pkglibexecdir)/bin,$(bindir)/simttutor$(EXEEXT)),$(call \
		toolkit_way,$(pkglibexecdir),$(pkgdatadir)/include))
uninstall-hook:
	rm -rf $(DESTDIR)$(pkglibexecdir)/bin $(DESTDIR)$(pkglibexecdir)/lib $(DESTDIR)$(pkglibexecdir)/lib64 $(DESTDIR)$(pkglibexecdir)/include
	-rmdir $(DESTDIR)$(pkglibexecdir) 2> /dev/null
endif
clean-local-toolkit:
	rm -rf src/runtime/bin src/runtime/lib src/runtime/lib64 src/runtime/include
.PHONY: clean-local-toolkit
EXTRA_DIST += src/runtime/README.md src/runtime/driver/libcuda.map.in src/runtime/exports.map.in src/runtime/driver/nvrtc.map.in
