noinst_LIBRARIES += src/machine/simt/libsimt.a
# Sums and products are never contracted: fma is an instruction of its own. Rounding modes are switched while running.
# clang says which lane loops it leaves scalar; that is its choice to make. decode.c alone declares simt_pick_*, from ops.def, so
# that a row more does not compile all executors anew; tests/house.sh finds a function that should be static.
src_machine_simt_libsimt_a_CFLAGS = $(AM_CFLAGS) -ffp-contract=off -frounding-math -fno-math-errno -ftree-vectorize \
	-Wno-pass-failed -Wno-missing-prototypes
src_machine_simt_libsimt_a_LIBADD = $(src_machine_simt_libplain_a_OBJECTS)
src_machine_simt_libsimt_a_SOURCES = \
	 \
	src/machine/simt/arrays.c \
	src/machine/simt/barrier.c \
	src/machine/simt/block.c \
	src/machine/simt/builtin.c \
	src/machine/simt/math.c \
	src/machine/simt/call.c \
	src/machine/simt/cluster.c \
	src/machine/simt/code.h \
	src/machine/simt/cooperative.c \
	src/machine/simt/data_flow.c \
	src/machine/simt/decode.c \
	src/machine/simt/defect.c src/machine/simt/defect.h \
	src/machine/simt/async.c src/machine/simt/async.h \
	src/machine/simt/exec_async.c \
	src/machine/simt/exec_bits.c \
	src/machine/simt/exec_cluster.c \
	src/machine/simt/exec_compare.c \
	src/machine/simt/exec_ctl.c \
	src/machine/simt/exec_cvt.c \
	src/machine/simt/exec_float.c \
	src/machine/simt/exec_half.c \
	src/machine/simt/exec_int.c \
	src/machine/simt/exec_matrix.c \
	src/machine/simt/exec_mbarrier.c \
	src/machine/simt/exec_mem.c \
	src/machine/simt/exec_mma.c \
	src/machine/simt/exec_move.c \
	src/machine/simt/exec_stack.c \
	src/machine/simt/exec_surface.c \
	src/machine/simt/exec_texture.c \
	src/machine/simt/exec_map.c src/machine/simt/exec_tensor.c \
	src/machine/simt/exec_video.c \
	src/machine/simt/exec_warp.c \
	src/machine/simt/exec_wgmma.c \
	src/machine/simt/exec_wmma.c \
	src/machine/simt/float.h \
	 \
	src/machine/simt/globals.c \
	src/machine/simt/lanes.h \
	src/machine/simt/machine.h \
	src/machine/simt/matrix.h \
	src/machine/simt/mem.c src/machine/simt/mem.h \
	src/machine/simt/converge.c \
	src/machine/simt/memory.c src/machine/simt/memory.h \
	src/machine/simt/memory_order.c src/machine/simt/memory_order.h \
	src/machine/simt/narrow.c \
	src/machine/simt/locks.c src/machine/simt/locks.h \
	src/machine/simt/passed.c \
	src/machine/simt/paths.c \
	 \
	src/machine/simt/run.c src/machine/simt/run.h \
	src/machine/simt/schedule.c \
	 \
	src/machine/simt/scan.c \
	src/machine/simt/session.c src/machine/simt/session.h \
	src/machine/simt/simt.h \
	src/machine/simt/specials.c \
	src/machine/simt/standing.c \
	src/machine/simt/team.c \
	src/machine/simt/texture.c src/machine/simt/texture.h \
	src/machine/simt/undefined.c src/machine/simt/undefined.h \
	src/machine/simt/undefined_flow.c \
	src/machine/simt/warp_state.h \
	src/machine/simt/watch.c src/machine/simt/watch.h \
	src/machine/simt/wgmma.c src/machine/simt/wgmma.h

# Compiled for the usual rounding mode, and then a part of the library.
noinst_LIBRARIES += src/machine/simt/libplain.a
src_machine_simt_libplain_a_CFLAGS = $(AM_CFLAGS) -ffp-contract=off -fno-math-errno -ftree-vectorize -Wno-pass-failed
src_machine_simt_libplain_a_SOURCES = src/machine/simt/exec_plain.c

EXTRA_DIST += src/machine/simt/README.md

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
