noinst_LIBRARIES += src/experiment/libexperiment.a
src_experiment_libexperiment_a_SOURCES = \
	src/experiment/experiment.h src/experiment/private.h \
	src/experiment/code.c \
	src/experiment/grade.c src/experiment/grade_text.c src/experiment/grade.h \
	src/experiment/json_place.c src/experiment/json_place.h \
	src/experiment/hostlog.c src/experiment/hostlog.h \
	src/experiment/judge.c src/experiment/judge.h \
	src/experiment/kernel.c src/experiment/kernel.h \
	src/experiment/lines.c src/experiment/lines.h \
	src/experiment/measured.c src/experiment/measured.h \
	src/experiment/outcome.c \
	src/experiment/points.c src/experiment/points.h \
	src/experiment/question.c src/experiment/question.h \
	src/experiment/recordings.c src/experiment/recordings.h src/experiment/recordings_parts.h \
	src/experiment/recordings_read.c \
	src/experiment/recordings_write.c \
	src/experiment/run.c \
	src/experiment/set.c \
	src/experiment/timed.c src/experiment/timed.h \
	src/experiment/times.c \
	src/experiment/witness.c

unit_tests += tests/unit/test_experiment tests/unit/test_recordings tests/unit/test_grade
tests_unit_test_grade_SOURCES = tests/unit/test_grade.c tests/unit/exercise_kernels.h
