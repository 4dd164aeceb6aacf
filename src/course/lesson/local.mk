noinst_LIBRARIES += src/course/lesson/liblesson.a
src_course_lesson_liblesson_a_SOURCES = src/course/lesson/lesson.h src/course/lesson/private.h \
	src/course/lesson/catalog.c \
	src/course/lesson/compare.c \
	src/course/lesson/course.c \
	src/course/lesson/exercise.c \
	src/course/lesson/draft.c \
	src/course/lesson/judgment.c \
	src/course/lesson/glossary.c \
	src/course/lesson/kernel.c \
	src/course/lesson/lesson.c \
	src/course/lesson/made.c \
	src/course/lesson/markdown.c src/course/lesson/markdown.h \
	src/course/lesson/names.c \
	src/course/lesson/parameter.c \
	src/course/lesson/progress.c \
	src/course/lesson/question.c \
	src/course/lesson/program_words.def src/course/lesson/question_kinds.def \
	src/course/lesson/reader.c src/course/lesson/reader.h \
	src/course/lesson/results.c \
	src/course/lesson/substitute.c

# Lessons that must be refused, each with the faults it must be refused for.
EXTRA_DIST += tests/lessons

EXTRA_DIST += src/course/lesson/README.md

unit_tests += tests/unit/test_lesson
