noinst_LIBRARIES += src/simt/libsimt.a
# Sums and products are never contracted: fma is an instruction of its own. Rounding modes are switched while running.
# clang says which lane loops it leaves scalar; that is its choice to make.
src_simt_libsimt_a_CFLAGS = $(AM_CFLAGS) -ffp-contract=off -frounding-math -fno-math-errno -ftree-vectorize \
	-Wno-pass-failed
src_simt_libsimt_a_LIBADD = $(src_simt_libplain_a_OBJECTS)
src_simt_libsimt_a_SOURCES = \
	src/simt/advice.c src/simt/advice.h \
	src/simt/arrays.c src/simt/arrays.h \
	src/simt/barrier.c \
	src/simt/block.c src/simt/block.h \
	src/simt/builtin.c \
	src/simt/math.c src/simt/math.h \
	src/simt/call.c src/simt/call.h \
	src/simt/cluster.c src/simt/cluster.h \
	src/simt/code.h \
	src/simt/cooperative.c src/simt/cooperative.h \
	src/simt/data_flow.c \
	src/simt/decode.c \
	src/simt/defect.c src/simt/defect.h \
	src/simt/async.c src/simt/async.h \
	src/simt/exec_async.c \
	src/simt/exec_async_bulk.c \
	src/simt/exec_async_store.c \
	src/simt/exec_bits.c \
	src/simt/exec_cluster.c \
	src/simt/exec_compare.c \
	src/simt/exec_compare_select.c \
	src/simt/exec_ctl.c \
	src/simt/exec_cvt.c \
	src/simt/exec_cvt_pack.c \
	src/simt/exec_float.c \
	src/simt/exec_half.c \
	src/simt/exec_int.c \
	src/simt/exec_int_packed.c \
	src/simt/exec_matrix.c \
	src/simt/exec_mbarrier.c \
	src/simt/exec_mem.c \
	src/simt/exec_mem_atom.c \
	src/simt/exec_mma.c \
	src/simt/exec_mma_special.c \
	src/simt/exec_move.c \
	src/simt/exec_stack.c \
	src/simt/exec_surface.c \
	src/simt/exec_texture.c src/simt/exec_texture.h \
	src/simt/exec_map.c src/simt/exec_tensor.c src/simt/exec_tensor_pixels.c src/simt/tensor_box.h \
	src/simt/exec_video.c \
	src/simt/exec_warp.c \
	src/simt/exec_wgmma.c \
	src/simt/exec_wmma.c src/simt/exec_wmma_narrow.c \
	src/simt/float.h \
	src/simt/format.c src/simt/format.h \
	src/simt/globals.c \
	src/simt/lanes.h \
	src/simt/launch.c \
	src/simt/machine.h \
	src/simt/matrix.h \
	src/simt/mem.c src/simt/mem.h \
	src/simt/mem_cluster.c \
	src/simt/converge.c \
	src/simt/memory.c src/simt/memory.h \
	src/simt/memory_order.c src/simt/memory_order.h \
	src/simt/narrow.c src/simt/narrow.h \
	src/simt/order.c \
	src/simt/paths.c src/simt/paths.h \
	src/simt/report.c \
	src/simt/resident.c src/simt/resident.h \
	src/simt/run.c src/simt/run.h \
	src/simt/schedule.c src/simt/schedule.h \
	src/simt/sentence.c src/simt/sentence.h \
	src/simt/scan.c src/simt/scan.h \
	src/simt/session.c src/simt/session.h \
	src/simt/simt.h \
	src/simt/specials.c src/simt/specials.h \
	src/simt/standing.c src/simt/standing.h \
	src/simt/sync.h \
	src/simt/team.c src/simt/team.h \
	src/simt/texture.c src/simt/texture.h \
	src/simt/undefined.c src/simt/undefined.h \
	src/simt/undefined_flow.c \
	src/simt/undefined_state.h \
	src/simt/undefined_store.c \
	src/simt/warp_state.h \
	src/simt/watch.c src/simt/watch.h \
	src/simt/wgmma.c src/simt/wgmma.h

# Compiled for the usual rounding mode, and then a part of the library.
noinst_LIBRARIES += src/simt/libplain.a
src_simt_libplain_a_CFLAGS = $(AM_CFLAGS) -ffp-contract=off -fno-math-errno -ftree-vectorize -Wno-pass-failed
src_simt_libplain_a_SOURCES = src/simt/exec_plain.c

EXTRA_DIST += src/simt/README.md

unit_tests += tests/unit/test_simt
unit_tests += tests/unit/test_session
unit_tests += tests/unit/test_wgmma
unit_tests += tests/unit/test_team
unit_tests += tests/unit/test_undefined
unit_tests += tests/unit/test_defects
unit_tests += tests/unit/test_memory_order
unit_tests += tests/unit/test_data_flow
unit_tests += tests/unit/test_orders
unit_tests += tests/unit/test_corpus
tests_unit_test_corpus_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) -ffp-contract=off

# Every tests/ptx/NAME.ptx says in its comments what it does; the runner checks that it does.
check_PROGRAMS += tests/unit/test_fixtures
TESTS += tests/unit/test_fixtures
EXTRA_DIST += tests/ptx
