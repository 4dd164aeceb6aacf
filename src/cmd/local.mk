noinst_LIBRARIES += src/cmd/libcmd.a
src_cmd_libcmd_a_SOURCES = \
	src/cmd/access.c \
	src/cmd/access_parse.c src/cmd/access_parse.h \
	src/cmd/access_text.c src/cmd/access_text.h \
	src/cmd/book.c \
	src/cmd/cc.c src/cmd/cc_options.def \
	src/cmd/cmd.c src/cmd/cmd.h \
	src/cmd/class.c src/cmd/class.h src/cmd/class_folder.c src/cmd/class_grade.c src/cmd/class_text.c src/cmd/class_verdicts.def \
	src/cmd/commands.def \
	src/cmd/completion.c \
	src/cmd/confined.c src/cmd/confined.h \
	src/cmd/debug.c \
	src/cmd/editor.c src/cmd/editor.h \
	src/cmd/doctor.c \
	src/cmd/drawn.c src/cmd/drawn.h \
	src/cmd/fragments.c \
	src/cmd/help.c \
	src/cmd/help_man.c \
	src/cmd/json.c src/cmd/json.h \
	src/cmd/learn.c \
	src/cmd/course.c src/cmd/course_files.c src/cmd/course_files.h src/cmd/course_install.c src/cmd/course_launches.c src/cmd/course_parts.h \
	src/cmd/which_course.c src/cmd/which_course.h \
	src/cmd/lesson.c \
	src/cmd/explore.c src/cmd/explore.h src/cmd/explore_knob.c src/cmd/explore_lesson.c \
	src/cmd/lesson_build.c src/cmd/lesson_build.h \
	src/cmd/lesson_folder.c src/cmd/lesson_folder.h \
	src/cmd/lesson_new.c src/cmd/lesson_new.h \
	src/cmd/exercise.c src/cmd/exercise.h src/cmd/exercise_text.c \
	src/cmd/lesson_check.c src/cmd/lesson_check.h src/cmd/lesson_check_parts.h \
	src/cmd/lesson_check_answers.c \
	src/cmd/lesson_check_exercise.c \
	src/cmd/lesson_check_recorded.c \
	src/cmd/lessons.h \
	src/cmd/linear.c src/cmd/linear.h \
	src/cmd/linear_parts.h \
	src/cmd/linear_play.c \
	src/cmd/linear_text.c \
	src/cmd/list.c \
	src/cmd/list_claims.c src/cmd/list_claims.h \
	src/cmd/metrics.c \
	src/cmd/new.c \
	src/cmd/measure.c src/cmd/measure.h \
	src/cmd/output.c src/cmd/output.h \
	src/cmd/play.c src/cmd/play.h \
	src/cmd/play_access.c \
	src/cmd/picture.c src/cmd/picture.h \
	src/cmd/notes.c \
	src/cmd/present.c \
	src/cmd/probe.c src/cmd/probe.h \
	src/cmd/program.c src/cmd/program.h src/cmd/program_agree.c src/cmd/program_parts.h src/cmd/program_runner.c src/cmd/program_grade.c src/cmd/program_grade.h \
	src/cmd/program_grade_count.c src/cmd/program_grade_output.c src/cmd/program_grade_parts.h src/cmd/program_stop.c src/cmd/program_live.c src/cmd/program_view.c \
	src/cmd/lesson_check_program.c src/cmd/program_record.c src/cmd/program_record.h \
	src/cmd/probe_live.c \
	src/cmd/probe_report.c \
	src/cmd/recording.c src/cmd/recording.h \
	src/cmd/record.c src/cmd/record_parts.h src/cmd/record_launch.c src/cmd/record_code.c \
	src/cmd/run.c src/cmd/run.h \
	src/cmd/run_defects.c \
	src/cmd/run_json.c \
	src/cmd/run_kept.c \
	src/cmd/run_placed.c \
	src/cmd/run_plain.c src/cmd/run_plain.h \
	src/cmd/run_load.c \
	src/cmd/run_measure.c \
	src/cmd/run_occupancy.c \
	src/cmd/run_read.c \
	src/cmd/run_lines.c \
	src/cmd/run_source.c \
	src/cmd/run_progress.c \
	src/cmd/run_steps.c \
	src/cmd/run_steps.c \
	src/cmd/run_text.c \
	src/cmd/run_code.c \
	src/cmd/run_times.c \
	src/cmd/run_times_live.c \
	src/cmd/show.c \
	src/cmd/show_json.c src/cmd/show_json.h \
	src/cmd/spelling.c src/cmd/spelling.h \
	src/cmd/table.c \
	src/cmd/validate.c src/cmd/validate.h \
	src/cmd/validate_addresses.c \
	src/cmd/validate_agreement.c \
	src/cmd/validate_instructions.c \
	src/cmd/validate_lessons.c \
	src/cmd/validate_occupancy.c \
	src/cmd/validate_patterns.c \
	src/cmd/validate_report.c

unit_tests += tests/unit/test_cmd tests/unit/test_cmd_compilers tests/unit/test_explore tests/unit/test_playground

bin_PROGRAMS += simttutor
simttutor_SOURCES = src/main.c

# Beside an uninstalled program: where its lessons and kernels are (base/paths.h).
simttutor.source: Makefile
	$(AM_V_GEN)echo '$(abs_top_srcdir)' > $@
all-local: simttutor.source
CLEANFILES += simttutor.source

TESTS += tests/access.sh tests/cli.sh tests/compile.sh tests/doctor.sh tests/fragments.sh tests/course.sh tests/lesson-build.sh tests/lesson-new.sh tests/lesson-check.sh tests/probe.sh tests/record.sh tests/run.sh tests/validate.sh
EXTRA_DIST += tests/access.sh tests/cli.sh tests/compile.sh tests/doctor.sh tests/fragments.sh tests/course.sh tests/course tests/lesson-build.sh tests/lesson-new.sh tests/lesson-check.sh tests/probe.sh tests/record.sh tests/run.sh tests/validate.sh
# Over whole corpora.
attack_tests += tests/probe.sh tests/validate.sh
EXTRA_DIST += tests/validate
EXTRA_DIST += tests/run/arguments.cu tests/run/arguments.ptx tests/run/inlined.ptx tests/run/wmma.ptx tests/run/traffic.cu tests/run/traffic.ptx tests/run/pipes.ptx tests/run/histogram.cu tests/run/histogram.ptx tests/run/matmul.cu tests/run/matmul.ptx \
	tests/run/stencil.cu tests/run/stencil.ptx

check_PROGRAMS += tests/json-get
tests_json_get_SOURCES = tests/json-get.c
tests_json_get_LDADD = $(JANSSON_LIBS)

TESTS += tests/new.sh
EXTRA_DIST += tests/new.sh
