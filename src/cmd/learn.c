#include "config.h"
#include "cmd/cmd.h"

#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "cmd/confined.h"
#include "cmd/course.h"
#include "cmd/lesson.h"
#include "cmd/linear.h"
#include "cmd/measure.h"
#include "cmd/play.h"
#include "cmd/program.h"
#include "cmd/record.h"
#include "front/tui/tui.h"
#include "front/tutor/tutor.h"
#include "tools/sandbox/starter.h"

static int run_learn(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

/* The reader's editor, for kernels of exercises: begun before we are confined. It takes files of folders that are
 * there. */
static void begin_editor(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	const char *const folders[] = {ctx->paths.own, NULL};
	(void)args, (void)n;
	if (!cmd_has_terminal())
		return;
	file_make_parents(path_join(ctx->arena, ctx->paths.own, ""), 0700);
	foreground_begin(folders, ctx->arena);
}

static void needs_of_learn(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	for (int i = 0; i < n; i++)
		if (cmd_is(&args[i], "record"))
			cmd_needs_output(needs, args[i].value);
	cmd_needs_writing(needs, needs->ctx->paths.state, 0700);
	cmd_needs_writing(needs, needs->ctx->paths.own, 0700);
	cmd_needs_writing(needs, needs->ctx->paths.config, 0700);
	program_grade_needs(needs);
	needs->forks = true;
	needs->gpu = cmd_gpu(needs->ctx);
}

static const struct cmd_option options[] = {
	CMD_COURSE_OPTION,
	CMD_RECORD_OPTION,
	{"linear", 0, NULL, N_("line by line, in words: for screen readers, and by itself on dumb terminals")},
	{"motion", 0, "on|off", N_("off: pictures do not play by themselves; each key shows one moment more")},
	{"mouse", 0, "on|off", N_("off: the mouse is the terminal's")},
	{"watch-only", 0, NULL, N_("e opens no editor: it says where the kernel is")},
	{0},
};

const struct cmd_entry cmd_learn_entry = {
	.name = "learn",
	.of_course = true,
	.usage =
		"[--course COURSE] [--linear] [--record FILE] [--motion on|off] [--mouse on|off] [--watch-only] [LESSON[/STEP]]",
	.options = options,
	.summary = N_("open the lessons on the terminal"),
	.details = N_(
		"A LESSON is a number, a name or a folder of the list, or the path of a lesson's folder, as in ./my-lesson; a STEP is a "
		"number or a name. A COURSE is a folder with folders lessons and kernels, or the name of one that is found in the "
		"folders of SIMTTUTOR_COURSES, in courses of your folder for data, or in simttutor/courses in XDG_DATA_DIRS. Progress "
		"is kept for each course by itself. Without a LESSON "
		"the list of lessons comes first; without a STEP the lesson continues where it was left. Where "
		"standard output is not a terminal, this prints what `simttutor list` or `simttutor "
		"show` prints.\n"
		"e opens the kernel of an exercise in the editor that VISUAL or else EDITOR names, with its arguments, and comes back "
		"when that ends; --watch-only says on one line where the kernel is, for an editor in another terminal. Either way it is "
		"judged whenever it is saved.\n"
		"A lesson that you write is read again when its lesson.md or the PTX of its kernels changes; where you are in it stays.\n"
		"The model's numbers are there at once. When a GPU can be reached, the numbers measured on it replace "
		"the recorded ones as they arrive.\n"
		"With --linear, and on a terminal that cannot place the cursor, lessons are read line by line: text, "
		"questions, numbers, pictures in words, exercises. An empty line goes on, `help` lists the commands, anything "
		"else is an answer."),
	.run = run_learn,
	.needs = needs_of_learn,
	.begin = begin_editor,
};

/* Runs in a child process; messages go to standard error. */
static int compile_attempt(void *of, const char *path, const char *ptx_path)
{
	struct cmd_ctx *ctx = of;
	struct buf ptx = {0};
	diag_free(&ctx->diag);
	ctx->diag = (struct diag){0};
	int status = exercise_compile(ctx, path, &ptx);
	if (status == EXIT_OK && !file_write(ptx_path, buf_str(&ptx), ptx.len, &ctx->diag))
		status = EXIT_FAILED;
	cmd_print_messages(ctx);
	return status;
}

/* The same for a whole program. */
static int grade_attempt(
	void *of, const struct lesson *lesson, const struct step *step, const char *path, const char *out_path)
{
	struct cmd_ctx *ctx = of;
	struct buf text = {0};
	diag_free(&ctx->diag);
	ctx->diag = (struct diag){0};
	int status = program_grade_can(ctx, path);
	const struct experiment_grade *grade = status == EXIT_OK
		? program_grade(ctx, ctx->arena, lesson, step, path, &status)
		: NULL;
	if (grade)
		experiment_grade_write(grade, &text);
	if (grade && !file_write(out_path, buf_str(&text), text.len, &ctx->diag))
		status = EXIT_FAILED;
	cmd_print_messages(ctx);
	return status;
}

static bool asks_for_programs(void *of)
{
	struct cmd_ctx *ctx = of;
	return program_asks(ctx->arena);
}

static bool agree_to_programs(void *of)
{
	struct cmd_ctx *ctx = of;
	bool kept = program_agree_now(ctx);
	diag_free(&ctx->diag);
	ctx->diag = (struct diag){0};
	return kept;
}

static int run_learn(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	const char *what = NULL;
	bool linear = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) &&
		(!cmd_has_terminal() || tutor_setting_is(&ctx->settings, SETTING_LINEAR, "on"));
	for (int i = 0; i < n; i++) {
		if (!args[i].option && what)
			return cmd_usage(ctx, &cmd_learn_entry, "one lesson at a time");
		what = args[i].option ? what : args[i].value;
		linear |= cmd_is(&args[i], "linear");
	}
	if (!linear && !cmd_has_terminal()) {
		struct cmd_parsed arg = {NULL, what};
		return what ? cmd_show_entry.run(ctx, &arg, 1) : cmd_list_entry.run(ctx, NULL, 0);
	}

	struct tutor *tutor = tutor_new(&ctx->paths, cmd_gpu(ctx), &ctx->diag);
	if (!tutor)
		return EXIT_MISSING;
	tutor->exercise.compiler = (struct tutor_compiler){ctx, compile_attempt};
	tutor->exercise.grader = (struct tutor_grader){ctx, grade_attempt, asks_for_programs, agree_to_programs};
	tutor->settings = &ctx->settings;
	const struct experiment_assembler assembler = measure_assembler(ctx);
	tutor_set_assembler(tutor, &assembler);
	cmd_set_rest(ctx, tutor->gpu);
	tutor_reload_begin(tutor, &ctx->paths);
	tutor->playgrounds = (struct tutor_playgrounds){play_new(ctx, NULL), play_open_last};
	tutor->background = true; /* the first frame does not wait for a sweep */
	const struct lesson *lesson;
	int step = -1, status = EXIT_OK;
	if (what && !lesson_catalog_find(tutor->catalog, what, &lesson, &step, &ctx->diag))
		status = EXIT_USAGE;
	else if (what)
		tutor_open(tutor, lesson, step);
	if (status == EXIT_OK && !linear && !cmd_recording_begin(ctx, args, n))
		status = EXIT_MISSING;
	if (status == EXIT_OK)
		status = linear ? cmd_linear_run(ctx, tutor) : tui_run(tutor, ctx->theme, &ctx->diag);
	tutor_free(tutor);
	return cmd_recording_end(ctx) || status ? status : EXIT_FAILED;
}
