noinst_LIBRARIES += src/lesson/liblesson.a
src_lesson_liblesson_a_SOURCES = src/lesson/lesson.h src/lesson/limits.h \
	src/lesson/blocks.c src/lesson/blocks.h \
	src/lesson/catalogue.c \
	src/lesson/entity.c src/lesson/entity.h \
	src/lesson/exercise.c \
	src/lesson/experiment.c src/lesson/experiment.h \
	src/lesson/judgement.c src/lesson/judgement.h \
	src/lesson/kernel.c src/lesson/kernel.h \
	src/lesson/lesson.c \
	src/lesson/markdown.c src/lesson/markdown.h \
	src/lesson/names.c src/lesson/names.h \
	src/lesson/parameter.c src/lesson/parameter.h \
	src/lesson/progress.c \
	src/lesson/question.c src/lesson/question.h \
	src/lesson/reader.c src/lesson/reader.h \
	src/lesson/results.c src/lesson/results.h \
	src/lesson/source.c src/lesson/source.h \
	src/lesson/substitute.c src/lesson/substitute.h
src_lesson_liblesson_a_CPPFLAGS = $(AM_CPPFLAGS) $(MD4C_CFLAGS) $(YAML_CFLAGS) $(JANSSON_CFLAGS)
lesson_libs = src/lesson/liblesson.a src/launch/liblaunch.a src/base/libbase.a \
	$(MD4C_LIBS) $(YAML_LIBS) $(JANSSON_LIBS) $(UTF8PROC_LIBS)

# Lessons that must be refused, each with the faults it must be refused for.
EXTRA_DIST += tests/lessons

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test_lesson
TESTS += tests/unit/test_lesson
tests_unit_test_lesson_SOURCES = tests/unit/test_lesson.c
tests_unit_test_lesson_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_lesson_LDADD = $(lesson_libs) $(CMOCKA_LIBS)
endif

# A fuzz target: by itself it replays the files it is given; built with clang -fsanitize=fuzzer -DFUZZING it is a fuzzer.
check_PROGRAMS += tests/fuzz/fuzz_lesson
tests_fuzz_fuzz_lesson_SOURCES = tests/fuzz/fuzz_lesson.c
tests_fuzz_fuzz_lesson_LDADD = $(lesson_libs)
TESTS += tests/fuzz/replay-lesson.sh
EXTRA_DIST += tests/fuzz/replay-lesson.sh tests/fuzz/corpus/lesson
