/* The speaker's notes on the terminal. */
#include "config.h"

#include <string.h>
#include <time.h>

#include "base/portable.h"
#include "front/screen/screen.h"
#include "front/tui/loop.h"
#include "front/tui/term.h"
#include "front/tui/tui.h"
#include "front/tutor/keys.h"
#include "front/tutor/present.h"

#define AGAIN_MS 400 /* between two tries to find a presentation */

struct notes_app {
	struct notes_client *client;
	double tried_ms;
	bool quit;
};

static void notes_draw(void *ctx, struct canvas *canvas)
{
	struct notes_app *app = ctx;
	struct screen_notes notes = {.now = (int64_t)time(NULL)};
	char clock[16] = "";
	time_t now = time(NULL);
	struct tm local;
	if (localtime_r(&now, &local))
		strftime(clock, sizeof clock, "%H:%M", &local);
	notes.clock = clock;
	notes.slide = notes_client_slide(app->client, &notes.why);
	screen_notes_draw(canvas, &notes);
}

/* The clicker works here, too. */
static void notes_key(void *ctx, key_code key)
{
	struct notes_app *app = ctx;
	enum tutor_action action = tutor_key_action(KEYS_PRESENT, key);
	if (action == ACTION_SLIDE_LEAVE || action == ACTION_QUIT)
		app->quit = true;
	else if (action == ACTION_THEME)
		tui_term_next_theme();
	else if (tutor_present_takes(action))
		notes_client_ask(app->client, tutor_actions[action].name);
}

static void notes_click(void *ctx, int row, int col)
{
	(void)ctx, (void)row, (void)col;
}

static void notes_wheel(void *ctx, int row, int col, int rows)
{
	(void)ctx, (void)row, (void)col, (void)rows;
}

static bool notes_is_done(const void *ctx)
{
	const struct notes_app *app = ctx;
	return app->quit;
}

static int notes_timeout_ms(const void *ctx)
{
	const struct notes_app *app = ctx;
	return notes_client_fd(app->client) < 0 ? AGAIN_MS : 1000;
}

/* The clock. */
static bool notes_idle(void *ctx)
{
	(void)ctx;
	return true;
}

static bool notes_step(void *ctx)
{
	struct notes_app *app = ctx;
	double now = clock_ms();
	if (notes_client_fd(app->client) < 0 && now - app->tried_ms < AGAIN_MS)
		return false;
	app->tried_ms = now;
	return notes_client_step(app->client);
}

static int notes_fds(const void *ctx, struct pollfd out[TUI_FDS_MAX])
{
	const struct notes_app *app = ctx;
	out[0] = (struct pollfd){.fd = notes_client_fd(app->client), .events = POLLIN};
	return 1;
}

int tui_notes(struct notes_client *client, enum canvas_theme theme, struct diag *diag)
{
	struct notes_app app = {.client = client, .tried_ms = -AGAIN_MS};
	const struct tui_app loop = {
		.ctx = &app,
		.draw = notes_draw,
		.key = notes_key,
		.click = notes_click,
		.wheel = notes_wheel,
		.is_done = notes_is_done,
		.timeout_ms = notes_timeout_ms,
		.idle = notes_idle,
		.step = notes_step,
		.fds = notes_fds,
	};
	tui_term_set_theme(theme);
	return tui_loop(&loop, diag);
}
