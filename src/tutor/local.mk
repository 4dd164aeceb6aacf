noinst_LIBRARIES += src/tutor/libtutor.a
src_tutor_libtutor_a_SOURCES = \
	src/tutor/actions.def src/tutor/keys.def \
	src/tutor/actions.c \
	src/tutor/answer.c \
	src/tutor/attempt.c src/tutor/attempt.h \
	src/tutor/exercises.c src/tutor/exercises.h \
	src/tutor/grade.c src/tutor/grade.h \
	src/tutor/judge.c \
	src/tutor/blamed.c \
	src/tutor/keys.c src/tutor/keys.h \
	src/tutor/lines.c src/tutor/lines.h \
	src/tutor/live.c \
	src/tutor/navigate.c \
	src/tutor/private.h \
	src/tutor/program.c src/tutor/program.h \
	src/tutor/runs.c src/tutor/runs.h \
	src/tutor/stamps.c \
	src/tutor/sweep.c \
	src/tutor/times.c \
	src/tutor/tutor.c src/tutor/tutor.h \
	src/tutor/workbench.c src/tutor/workbench.h

# All that a session needs; users before what they use.
tutor_libs = src/tutor/libtutor.a src/live/liblive.a src/probe/libprobe.a src/profile/libprofile.a src/simt/libsimt.a src/ptx/libptx.a src/lesson/liblesson.a \
	src/gpu/libgpu.a src/wire/libwire.a src/launch/liblaunch.a src/view/libview.a src/model/libmodel.a \
	src/base/libbase.a $(MD4C_LIBS) $(YAML_LIBS) $(JANSSON_LIBS) $(UTF8PROC_LIBS)

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test_tutor
TESTS += tests/unit/test_tutor
tests_unit_test_tutor_SOURCES = tests/unit/test_tutor.c
tests_unit_test_tutor_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_tutor_LDADD = $(tutor_libs) $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test_grade tests/unit/test_attempt
TESTS += tests/unit/test_grade tests/unit/test_attempt
tests_unit_test_grade_SOURCES = tests/unit/test_grade.c tests/unit/exercise_kernels.h
tests_unit_test_grade_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_grade_LDADD = $(tutor_libs) $(CMOCKA_LIBS)
tests_unit_test_attempt_SOURCES = tests/unit/test_attempt.c tests/unit/exercise_kernels.h
tests_unit_test_attempt_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_attempt_LDADD = $(tutor_libs) $(CMOCKA_LIBS)
endif
