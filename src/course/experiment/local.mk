noinst_LIBRARIES += src/course/experiment/libexperiment.a
src_course_experiment_libexperiment_a_SOURCES = \
	src/course/experiment/experiment.h src/course/experiment/private.h \
	src/course/experiment/grade.c src/course/experiment/grade.h \
	src/course/experiment/hostlog.c \
	src/course/experiment/judge.c \
	src/course/experiment/kernel.c \
	src/course/experiment/lines.c \
	src/course/experiment/measured.c \
	src/course/experiment/points.c \
	src/course/experiment/question.c \
	src/course/experiment/recordings.c src/course/experiment/recordings.h src/course/experiment/recordings_parts.h \
	src/course/experiment/recordings_read.c \
	src/course/experiment/recordings_write.c \
	src/course/experiment/run.c \
	src/course/experiment/set.c \
	src/course/experiment/timed.c \
	src/course/experiment/times.c \
	src/course/experiment/witness.c

unit_tests += tests/unit/test_experiment tests/unit/test_recordings tests/unit/test_grade
tests_unit_test_grade_SOURCES = tests/unit/test_grade.c tests/unit/exercise_kernels.h
