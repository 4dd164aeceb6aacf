#include "config.h"
#include "cmd/cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "cmd/confined.h"
#include "cmd/course.h"
#include "cmd/lesson.h"
#include "cmd/picture.h"
#include "cmd/record.h"
#include "course/notes/notes.h"
#include "front/screen/screen.h"
#include "front/screen/script.h"
#include "front/tui/tui.h"
#include "front/tutor/present.h"

#define SCRIPT_MAX ((size_t)1 << 20)
#define MINUTES_MAX 1440
#define SPEED_MAX 1000

static int run_present(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

/* The socket for the speaker's notes, made before the program is confined; NULL: there is none, and why. */
static struct {
	struct notes_server *server;
	char why[200];
} notes;

static bool open_notes(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	const char *name = NOTES_NAME;
	struct diag diag = {0};
	(void)needs;
	for (int i = 0; i < n; i++)
		if (cmd_is(&args[i], "name"))
			name = args[i].value;
	if (notes_name_check(name))
		notes.server = notes_server_open(name, &diag);
	if (diag.count)
		snprintf(notes.why, sizeof notes.why, "Without speaker's notes: %.150s.", diag.entries[0].message);
	diag_free(&diag);
	return true;
}

static void needs_of_present(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	for (int i = 0; i < n; i++)
		if (cmd_is(&args[i], "commands"))
			cmd_needs_reading(needs, args[i].value);
		else if (cmd_is(&args[i], "record"))
			cmd_needs_output(needs, args[i].value);
	needs->gpu = cmd_gpu(needs->ctx);
	struct buf folder = {0};
	struct diag unheard = {0};
	if (cmd_has_terminal() && notes_folder(&folder, &unheard)) {
		cmd_needs_writing(needs, arena_strdup(needs->ctx->arena, buf_str(&folder)), 0700);
		needs->accepts = true;
		needs->before = open_notes;
	}
	diag_free(&unheard);
	buf_free(&folder);
}

static const struct cmd_option options[] = {
	CMD_COURSE_OPTION,
	{"commands", 'x', "FILE",
		N_("carry out the commands in FILE, - for standard input; without a terminal, print what they ask for")},
	{"speed", 0, "N", N_("of --commands: waits are so many times shorter")},
	CMD_RECORD_OPTION,
	{"name", 0, "NAME", N_("by which `simttutor notes` finds the talk; talk by default")},
	{"minutes", 0, "N", N_("that the talk may take: the time is shown beside them")},
	{"size", 0, "COLSxROWS", N_("size of the slides that --commands prints; 100x30 by default")},
	{"motion", 0, "on|off", N_("off: pictures do not play by themselves; each key shows one moment more")},
	{"mouse", 0, "on|off", N_("off: the mouse is the terminal's")},
	{0},
};

const struct cmd_entry cmd_present_entry = {
	.name = "present",
	.of_course = true,
	.usage =
		"[--course COURSE] [--minutes N] [--name NAME] [--record FILE] [--commands FILE [--speed N] [--size COLSxROWS]] [--motion on|off] [--mouse on|off] LESSON[/STEP]",
	.options = options,
	.summary = N_("show a lesson to a class, one step a slide"),
	.details = N_(
		"The picture is as large as the text lets it be, and the text comes piece by piece: paragraphs, what is claimed, a question, "
		"the answer. PgDn and PgUp, the keys of a clicker, go on and back, b and . blank the screen; a number and Enter go to a slide. What answers a "
		"question is covered until its answer is revealed. A question is a vote: its answers stand there large, the speaker types "
		"how many hands each of them gets (of a question for a number, the numbers that are called out), and the next key reveals "
		"which is right. x points at a lane, a bank, a line, which is lit everywhere; a plays the picture; [ and ] turn a parameter; m measures on the "
		"GPU, where one can be reached; else the model's and the recorded numbers stay. All keys: KEYS, and ? on the screen.\n"
		"The theme is projector, unless --theme or SIMTTUTOR_THEME says otherwise. Your own progress is neither shown nor changed.\n"
		"With --commands a file performs the talk: a command a line, # begins a comment. On a terminal it does so in time, "
		"and keys work meanwhile; the presentation goes on after its end. Where standard output is no terminal, waits "
		"are left out, and the first command that fails ends it. The commands: PRESENTING in simttutor(1)."),
	.run = run_present,
	.needs = needs_of_present,
};

struct talk {
	struct cmd_ctx *ctx;
	const struct cmd_parsed *args;
	int n_args;
	struct tutor *tutor;
	const char *lesson, *file;
	struct buf text;
	struct screen_script script;
	double speed;
	int minutes, cols, rows;
};

static bool read_talk_option(struct talk *talk, const struct cmd_parsed *arg)
{
	uint64_t number;
	if (!arg->option && talk->lesson) {
		cmd_usage(talk->ctx, &cmd_present_entry, "one lesson at a time");
		return false;
	}
	if (!arg->option)
		talk->lesson = arg->value;
	else if (cmd_is(arg, "commands"))
		talk->file = arg->value;
	else if (cmd_is(arg, "name") && !notes_name_check(arg->value))
		return cmd_bad_value(talk->ctx, "--name", arg->value, "up to 32 small letters, digits and dashes");
	else if (cmd_is(arg, "size"))
		return cmd_size(talk->ctx, arg->value, &talk->cols, &talk->rows);
	else if (cmd_is(arg, "minutes")) {
		if (!cmd_whole(talk->ctx, arg, 1, MINUTES_MAX, &number))
			return false;
		talk->minutes = (int)number;
	} else if (cmd_is(arg, "speed")) {
		if (!cmd_whole(talk->ctx, arg, 1, SPEED_MAX, &number))
			return false;
		talk->speed = (double)number;
	}
	return true;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static int perform(struct talk *talk)
{
	struct cmd_ctx *ctx = talk->ctx;
	const struct lesson *lesson;
	int step = 0;
	if (!lesson_catalog_find(talk->tutor->catalog, talk->lesson, &lesson, &step, &ctx->diag))
		return EXIT_USAGE;
	tutor_present(talk->tutor, lesson, step < 0 ? 0 : step, talk->minutes);
	if (!cmd_has_terminal()) {
		struct screen_state state = {0};
		struct tutor *tutor = talk->tutor;
		const struct screen_script_command *command;
		screen_lay_out(&state, tutor, talk->rows, talk->cols);
		while (!tutor->quit && (command = screen_script_take(&talk->script)) != NULL) {
			struct diag_pos pos = {talk->file, command->line, 0, buf_str(&talk->text), talk->text.len};
			if (command->kind == SCRIPT_MEASURED) {
				/* As on a terminal, a talk goes on without live numbers: the recorded ones stand there,
				 * and the model's. */
				struct diag why = {0};
				if (!tutor_measure_now(talk->tutor, (int)(command->seconds * 1e3), &why) &&
					why.errors > 0)
					diag_warn(&talk->ctx->diag, pos, "not measured: %s", why.entries[0].message);
				diag_free(&why);
			}

			if (command->kind == SCRIPT_SHOW) {
				struct buf out = {0};
				struct canvas *canvas = canvas_new(talk->rows, talk->cols);
				screen_render(canvas, talk->tutor, &state, NULL);
				picture_crop(canvas);
				picture_write(talk->ctx, canvas, picture_choose(talk->ctx, PICTURE_DEFAULT),
					"simttutor present", &out);
				canvas_free(canvas);
				bool ok = cmd_print_colored(talk->ctx, &out);
				buf_free(&out);
				if (!ok)
					return EXIT_FAILED;
			}

			if (command->kind == SCRIPT_NOTES) {
				struct notes_slide slide;
				struct buf out = {0};
				struct canvas *canvas = canvas_new(talk->rows, talk->cols);
				tutor_present_describe(talk->tutor, &slide);
				screen_notes_draw(canvas,
					&(struct screen_notes){.slide = &slide, .now = slide.began, .clock = ""});
				picture_crop(canvas);
				picture_write(talk->ctx, canvas, picture_choose(talk->ctx, PICTURE_DEFAULT),
					"simttutor notes", &out);
				canvas_free(canvas);
				bool ok = cmd_print_colored(talk->ctx, &out);
				buf_free(&out);
				if (!ok)
					return EXIT_FAILED;
			}

			if (!screen_script_do(command, &state, tutor)) {
				diag_error(&talk->ctx->diag, pos, "%s", tutor->notice);
				return EXIT_FAILED;
			}
			screen_lay_out(&state, tutor, talk->rows, talk->cols);
		}
		return EXIT_OK;
	}
	if (!notes.server && !notes.why[0]) /* nothing confines the program */
		open_notes(NULL, talk->args, talk->n_args);
	if (notes.why[0])
		tutor_notice(talk->tutor, notes.why);
	enum canvas_theme theme = ctx->theme_name || getenv("SIMTTUTOR_THEME") ? ctx->theme : CANVAS_THEME_PROJECTOR;
	if (!cmd_recording_begin(ctx, talk->args, talk->n_args)) {
		notes_server_close(notes.server);
		return EXIT_MISSING;
	}
	struct tui_talk with = {.script = talk->file ? &talk->script : NULL, .notes = notes.server};
	int status = tui_present(talk->tutor, theme, &with, &ctx->diag);
	notes_server_close(notes.server);
	return cmd_recording_end(ctx) || status ? status : EXIT_FAILED;
}

static int run_present(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct talk talk = {.ctx = ctx, .args = args, .n_args = n, .cols = 100, .rows = 30, .speed = 1};
	for (int i = 0; i < n; i++)
		if (!read_talk_option(&talk, &args[i]))
			return EXIT_USAGE;
	int status = EXIT_OK;
	if (talk.file && !file_read_text(talk.file, SCRIPT_MAX, &talk.text, &ctx->diag))
		status = EXIT_MISSING;
	else if (talk.file &&
		!screen_script_read(
			&talk.script, ctx->arena, talk.file, buf_str(&talk.text), talk.text.len, &ctx->diag))
		status = EXIT_USAGE;
	talk.script.speed = talk.speed;
	if (status == EXIT_OK && !talk.lesson) {
		status = cmd_usage(ctx, &cmd_present_entry, "which lesson?");
	} else if (status == EXIT_OK && !talk.file && !cmd_has_terminal()) {
		diag_error(&ctx->diag, (struct diag_pos){0},
			"a presentation needs a terminal; use --commands FILE without one");
		status = EXIT_MISSING;
	} else if (status == EXIT_OK) {
		struct paths paths = ctx->paths;
		paths.state = paths.own = NULL; /* nothing of the speaker's is read or written */
		talk.tutor = tutor_new(&paths, cmd_gpu(ctx), &ctx->diag);
		status = EXIT_MISSING;
	}
	if (talk.tutor) {
		talk.tutor->keeps_progress = false;
		talk.tutor->settings = &ctx->settings;
		cmd_set_rest(ctx, talk.tutor->gpu);
		status = perform(&talk);
		tutor_free(talk.tutor);
	}
	buf_free(&talk.text);
	return status;
}
