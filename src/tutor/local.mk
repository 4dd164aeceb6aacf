noinst_LIBRARIES += src/tutor/libtutor.a
src_tutor_libtutor_a_SOURCES = \
	src/tutor/actions.def src/tutor/keys.def \
	src/tutor/actions.c \
	src/tutor/answer.c \
	src/tutor/attempt.c src/tutor/attempt.h \
	src/tutor/code.c src/tutor/code.h \
	src/tutor/compare.c \
	src/tutor/cover.c \
	src/tutor/exercise.c src/tutor/exercise.h \
	src/tutor/edit.c src/tutor/edit.h \
	src/tutor/explore.c src/tutor/explore.h \
	src/tutor/blamed.c \
	src/tutor/filter.c src/tutor/filter.h \
	src/tutor/input.c \
	src/tutor/keys.c src/tutor/keys.h \
	src/tutor/live.c src/tutor/live_status.c \
	src/tutor/navigate.c \
	src/tutor/playground.c src/tutor/playground.h \
	src/tutor/playground_kept.c \
	src/tutor/playground_kernel.c \
	src/tutor/playground_parts.h \
	src/tutor/present.c src/tutor/present.h \
	src/tutor/private.h \
	src/tutor/recompile.c src/tutor/recompile.h \
	src/tutor/recorded.c src/tutor/reload.c src/tutor/reload.h \
	src/tutor/roofline.c \
	src/tutor/settings.c src/tutor/settings.def src/tutor/settings.h \
	src/tutor/speaker.c \
	src/tutor/stamps.c \
	src/tutor/sweep.c \
	src/tutor/tutor.c src/tutor/tutor.h


unit_tests += tests/unit/test_tutor tests/unit/test_edit
unit_tests += tests/unit/test_attempt tests/unit/test_present tests/unit/test_reload
tests_unit_test_attempt_SOURCES = tests/unit/test_attempt.c tests/unit/exercise_kernels.h

TESTS += tests/present.sh
EXTRA_DIST += tests/present.sh
