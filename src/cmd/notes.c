#include "config.h"
#include "cmd/cmd.h"

#include <poll.h>
#include <time.h>

#include "base/text.h"
#include "cmd/confined.h"
#include "cmd/picture.h"
#include "course/notes/notes.h"
#include "front/screen/screen.h"
#include "front/tui/tui.h"

#define WAIT_MS 2000 /* for the slide, where it is printed once */

static int run_notes(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

/* What it is sent may be a stranger's lesson. It starts nothing, reads nothing but that folder, and calls
 * presenters. */
static void needs_of_notes(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	struct buf folder = {0};
	struct diag unheard = {0};
	(void)args, (void)n;
	needs->calls = true;
	if (notes_folder(&folder, &unheard)) /* it cannot be made afterwards */
		cmd_needs_reading(needs, arena_strdup(needs->ctx->arena, buf_str(&folder)));
	diag_free(&unheard);
	buf_free(&folder);
}

static const struct cmd_option options[] = {
	{"name", 0, "NAME", N_("of the presentation, as given to present; talk by default")},
	{0},
};

const struct cmd_entry cmd_notes_entry = {
	.name = "notes",
	.usage = "[--name NAME]",
	.options = options,
	.summary = N_("show the speaker's notes of a presentation, on another terminal"),
	.details = N_(
		"Shows what `simttutor present` of the same user on this host is at: the author's notes for the speaker, what the next key "
		"reveals, the next slide, what is covered, the question's answer, the hands, the clock, and how long the talk has taken. "
		"PgDn, PgUp, b, t and u do here what they do there. It waits for a presentation, and for the next one after that; several may "
		"look at one. From another host: ssh -t HOST simttutor notes. Where standard output is no terminal, the notes are "
		"printed once.\n"
		"The two meet at a socket in XDG_RUNTIME_DIR/simttutor, or /tmp/simttutor-UID, a folder closed to others."),
	.run = run_notes,
	.needs = needs_of_notes,
};

static int print_notes(struct cmd_ctx *ctx, struct notes_client *client)
{
	struct screen_notes notes = {.now = (int64_t)time(NULL), .clock = ""};
	struct buf out = {0};
	notes_client_step(client);
	for (int waited = 0;
		notes_client_fd(client) >= 0 && !notes_client_slide(client, &notes.why) && waited < WAIT_MS;
		waited += 50) {
		struct pollfd fd = {.fd = notes_client_fd(client), .events = POLLIN};
		poll(&fd, 1, 50);
		notes_client_step(client);
	}
	notes.slide = notes_client_slide(client, &notes.why);
	if (!notes.slide) {
		diag_error(&ctx->diag, (struct diag_pos){0}, "no notes: %s", notes.why);
		return EXIT_MISSING;
	}
	struct canvas *canvas = canvas_new(40, 100);
	screen_notes_draw(canvas, &notes);
	picture_crop(canvas);
	picture_write(ctx, canvas, picture_choose(ctx, PICTURE_DEFAULT), "simttutor notes", &out);
	canvas_free(canvas);
	bool ok = cmd_print_colored(ctx, &out);
	buf_free(&out);
	return ok ? EXIT_OK : EXIT_FAILED;
}

static int run_notes(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	const char *name = NOTES_NAME;
	for (int i = 0; i < n; i++) {
		if (!args[i].option)
			return cmd_usage(ctx, &cmd_notes_entry, "it takes no lesson: it follows the presentation");
		name = args[i].value;
	}
	if (!notes_name_check(name)) {
		cmd_bad_value(ctx, "--name", name, "up to 32 small letters, digits and dashes");
		return EXIT_USAGE;
	}
	struct notes_client *client = notes_client_new(name, &ctx->diag);
	if (!client)
		return EXIT_MISSING;
	int status = cmd_has_terminal() ? tui_notes(client, ctx->theme, &ctx->diag) : print_notes(ctx, client);
	notes_client_free(client);
	return status;
}
