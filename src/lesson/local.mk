noinst_LIBRARIES += src/lesson/liblesson.a
src_lesson_liblesson_a_SOURCES = src/lesson/lesson.h src/lesson/limits.h \
	src/lesson/blocks.c src/lesson/blocks.h \
	src/lesson/catalog.c \
	src/lesson/compare.c \
	src/lesson/course.c src/lesson/course.h \
	src/lesson/entity.c src/lesson/entity.h \
	src/lesson/exercise.c \
	src/lesson/draft.c src/lesson/draft.h \
	src/lesson/judgment.c src/lesson/judgment.h \
	src/lesson/glossary.c \
	src/lesson/kernel.c src/lesson/kernel.h \
	src/lesson/launches.c \
	src/lesson/lesson.c \
	src/lesson/made.c src/lesson/made.h \
	src/lesson/markdown.c src/lesson/markdown.h \
	src/lesson/names.c src/lesson/names.h \
	src/lesson/parameter.c src/lesson/parameter.h \
	src/lesson/progress.c \
	src/lesson/question.c src/lesson/question.h \
	src/lesson/question_kinds.c src/lesson/program_words.def src/lesson/question_kinds.def \
	src/lesson/reader.c src/lesson/reader.h \
	src/lesson/results.c src/lesson/results.h \
	src/lesson/substitute.c src/lesson/substitute.h

# Lessons that must be refused, each with the faults it must be refused for.
EXTRA_DIST += tests/lessons

EXTRA_DIST += src/lesson/README.md

unit_tests += tests/unit/test_lesson
