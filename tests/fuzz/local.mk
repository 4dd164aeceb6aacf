# The fuzz targets. By themselves they replay the files they are given; configure --enable-sanitize=fuzz makes fuzzers of them.
fuzz_targets = tests/fuzz/fuzz_ptx tests/fuzz/fuzz_lesson tests/fuzz/fuzz_front tests/fuzz/fuzz_recorded tests/fuzz/fuzz_wire \
	tests/fuzz/fuzz_gpu tests/fuzz/fuzz_expr tests/fuzz/fuzz_arguments tests/fuzz/fuzz_debug tests/fuzz/fuzz_progress \
	tests/fuzz/fuzz_text tests/fuzz/fuzz_launch tests/fuzz/fuzz_fatbin tests/fuzz/fuzz_snapshot tests/fuzz/fuzz_dap \
	tests/fuzz/fuzz_log tests/fuzz/fuzz_pack tests/fuzz/fuzz_term tests/fuzz/fuzz_validate tests/fuzz/fuzz_variables \
	tests/fuzz/fuzz_disassembly
tests_fuzz_fuzz_ptx_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_lesson_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_front_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_recorded_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_wire_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_gpu_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_expr_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_arguments_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_debug_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_progress_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_text_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_launch_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_snapshot_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_dap_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_pack_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_log_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_validate_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_term_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_variables_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_disassembly_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_fatbin_SOURCES = tests/fuzz/fuzz_fatbin.c src/runtime/module/fatbin.c
tests_fuzz_fuzz_fatbin_CFLAGS = $(AM_CFLAGS) $(ZSTD_CFLAGS) $(LZ4_CFLAGS)
tests_fuzz_fuzz_fatbin_LDADD = src/base/libbase.a $(UTF8PROC_LIBS) $(ZSTD_LIBS) $(LZ4_LIBS)
tests_fuzz_fuzz_fatbin_LDFLAGS = $(fuzz_ldflags)
fuzz_ldflags = $(AM_LDFLAGS) $(SIMT_FUZZ_LDFLAGS)
if HAVE_WORKER
fuzz_targets += tests/fuzz/fuzz_worker
tests_fuzz_fuzz_worker_CPPFLAGS = $(src_gpu_worker_libworker_a_CPPFLAGS)
tests_fuzz_fuzz_worker_LDADD = $(simttutor_gpu_LDADD)
tests_fuzz_fuzz_worker_LDFLAGS = $(fuzz_ldflags)
endif
check_PROGRAMS += $(fuzz_targets)
fuzz-targets: $(fuzz_targets)
.PHONY: fuzz-targets

TESTS += tests/fuzz/replay.sh
EXTRA_DIST += tests/fuzz/corpus tests/fuzz/words tests/fuzz/coverage.sh tests/fuzz/fuzz.sh tests/fuzz/README.md tests/fuzz/replay.h \
	tests/fuzz/replay.sh tests/fuzz/targets.sh
