noinst_LIBRARIES += src/front/tutor/libtutor.a
src_front_tutor_libtutor_a_SOURCES = \
	src/front/tutor/actions.def src/front/tutor/keys.def \
	src/front/tutor/actions.c \
	src/front/tutor/answer.c \
	src/front/tutor/attempt.c \
	src/front/tutor/code.c src/front/tutor/code.h \
	src/front/tutor/compare.c \
	src/front/tutor/cover.c \
	src/front/tutor/edit.c \
	src/front/tutor/explore.c \
	src/front/tutor/input.c \
	src/front/tutor/keys.c src/front/tutor/keys.h \
	src/front/tutor/live.c \
	src/front/tutor/playground.c src/front/tutor/playground.h \
	src/front/tutor/present.c src/front/tutor/present.h \
	src/front/tutor/private.h \
	src/front/tutor/recompile.c \
	src/front/tutor/recorded.c src/front/tutor/reload.c \
	src/front/tutor/roofline.c \
	src/front/tutor/settings.c src/front/tutor/settings.def src/front/tutor/settings.h \
	src/front/tutor/sweep.c \
	src/front/tutor/tutor.c src/front/tutor/tutor.h


unit_tests += tests/unit/test_tutor tests/unit/test_edit
unit_tests += tests/unit/test_attempt tests/unit/test_present tests/unit/test_reload
tests_unit_test_attempt_SOURCES = tests/unit/test_attempt.c tests/unit/exercise_kernels.h

TESTS += tests/present.sh
EXTRA_DIST += tests/present.sh
EXTRA_DIST += src/front/tutor/README.md
