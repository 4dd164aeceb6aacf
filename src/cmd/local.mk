noinst_LIBRARIES += src/cmd/libcmd.a
src_cmd_libcmd_a_SOURCES = \
	src/cmd/access.c src/cmd/access.h \
	src/cmd/access_parse.c \
	src/cmd/book.c \
	src/cmd/cc.c \
	src/cmd/cc_options.def \
	src/cmd/class.c \
	src/cmd/cmd.c src/cmd/cmd.h \
	src/cmd/commands.def \
	src/cmd/completion.c \
	src/cmd/confined.c src/cmd/confined.h \
	src/cmd/course.c src/cmd/course.h \
	src/cmd/course_install.c \
	src/cmd/debug.c \
	src/cmd/doctor.c \
	src/cmd/editor.c src/cmd/editor.h \
	src/cmd/env.c \
	src/cmd/exercise.c \
	src/cmd/explore.c src/cmd/explore.h \
	src/cmd/explore_lesson.c \
	src/cmd/fragments.c \
	src/cmd/help.c \
	src/cmd/headers.c src/cmd/headers.h \
	src/cmd/json.c src/cmd/json.h \
	src/cmd/learn.c \
	src/cmd/lesson.c src/cmd/lesson.h \
	src/cmd/lesson_check.c \
	src/cmd/lesson_new.c \
	src/cmd/linear.c src/cmd/linear.h \
	src/cmd/list.c \
	src/cmd/measure.c src/cmd/measure.h \
	src/cmd/metrics.c \
	src/cmd/new.c \
	src/cmd/notes.c \
	src/cmd/picture.c src/cmd/picture.h \
	src/cmd/play.c src/cmd/play.h \
	src/cmd/present.c \
	src/cmd/probe.c src/cmd/probe.h \
	src/cmd/program.c src/cmd/program.h \
	src/cmd/program_record.c \
	src/cmd/program_runner.c \
	src/cmd/program_start.c \
	src/cmd/record.c src/cmd/record.h \
	src/cmd/recording.c \
	src/cmd/run.c src/cmd/run.h \
	src/cmd/run_json.c \
	src/cmd/run_kept.c \
	src/cmd/run_measure.c \
	src/cmd/run_read.c \
	src/cmd/run_text.c \
	src/cmd/show.c \
	src/cmd/spelling.c src/cmd/spelling.h \
	src/cmd/validate.c src/cmd/validate.h \
	src/cmd/validate_campaigns.c \
	src/cmd/validate_flow.c \
	src/cmd/which_course.c

unit_tests += tests/unit/test_cmd tests/unit/test_cmd_compilers tests/unit/test_explore tests/unit/test_playground

bin_PROGRAMS += simttutor
simttutor_SOURCES = src/main.c

# Beside an uninstalled program: where its lessons and kernels are (base/paths.h).
simttutor.source: Makefile
	$(AM_V_GEN)echo '$(abs_top_srcdir)' > $@
all-local: simttutor.source
CLEANFILES += simttutor.source

TESTS += tests/access.sh tests/cli.sh tests/compile.sh tests/doctor.sh tests/flow.sh tests/fragments.sh tests/course.sh tests/lesson-build.sh tests/lesson-new.sh tests/lesson-check.sh tests/probe.sh tests/record.sh tests/run.sh tests/validate.sh
EXTRA_DIST += tests/access.sh tests/cli.sh tests/compile.sh tests/doctor.sh tests/flow.sh tests/fragments.sh tests/course.sh tests/course tests/lesson-build.sh tests/lesson-new.sh tests/lesson-check.sh tests/probe.sh tests/record.sh tests/run.sh tests/validate.sh
# Over whole corpora.
attack_tests += tests/flow.sh tests/probe.sh tests/validate.sh
EXTRA_DIST += tests/validate
EXTRA_DIST += tests/run/arguments.cu tests/run/arguments.ptx tests/run/inlined.ptx tests/run/wmma.ptx tests/run/traffic.cu tests/run/traffic.ptx tests/run/pipes.ptx tests/run/histogram.cu tests/run/histogram.ptx tests/run/matmul.cu tests/run/matmul.ptx \
	tests/run/stencil.cu tests/run/stencil.ptx

check_PROGRAMS += tests/json-get
tests_json_get_SOURCES = tests/json-get.c
tests_json_get_LDADD = $(JANSSON_LIBS)

TESTS += tests/new.sh
EXTRA_DIST += tests/new.sh

EXTRA_DIST += src/cmd/README.md
