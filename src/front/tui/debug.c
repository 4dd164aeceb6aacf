/* The debugger on the terminal. */
#include "config.h"
#include "base/text.h"
#include "front/tui/tui.h"

#include "front/debug/keys.h"
#include "front/screen/debug.h"
#include "front/tui/loop.h"
#include "front/tui/term.h"

struct app {
	struct debug *debug;
	struct screen_debug_state screen;
	struct screen_debug_targets targets;
};

static void debugger_draw(void *ctx, struct canvas *canvas)
{
	struct app *app = ctx;
	screen_debug_render(canvas, app->debug, &app->screen, &app->targets);
}

static void debugger_key(void *ctx, key_code key)
{
	struct app *app = ctx;
	screen_debug_press(&app->screen, app->debug, key);
	if (app->screen.theme_asked) {
		const struct canvas_theme_row *theme = canvas_theme_row(tui_term_next_theme());
		struct buf text = {0};
		buf_printf(&text, _("Theme %s: %s."), theme->name, text_translate(theme->meaning));
		debug_notice(app->debug, buf_str(&text));
		buf_free(&text);
	}
}

static void debugger_paste(void *ctx, const char *text)
{
	struct app *app = ctx;
	screen_debug_paste(app->debug, text);
}

static void debugger_click(void *ctx, int row, int col)
{
	struct app *app = ctx;
	screen_debug_press_at(&app->screen, app->debug, &app->targets, row, col);
}

static void debugger_wheel(void *ctx, int row, int col, int rows)
{
	(void)row, (void)col;
	struct app *app = ctx;
	for (int i = 0; i < (rows < 0 ? -rows : rows); i++)
		screen_debug_act(&app->screen, app->debug, rows < 0 ? DEBUG_ACT_UP : DEBUG_ACT_DOWN);
}

static bool debugger_is_done(const void *ctx)
{
	const struct app *app = ctx;
	return app->debug->quit;
}

static int debugger_timeout_ms(const void *ctx)
{
	const struct app *app = ctx;
	return debug_busy(app->debug) ? 0 : -1;
}

static bool debugger_idle(void *ctx)
{
	struct app *app = ctx;
	screen_debug_work(app->debug);
	return true;
}

/* As in other debuggers: it stops what runs, and never leaves. */
static bool debugger_interrupt(void *ctx)
{
	struct app *app = ctx;
	if (debug_busy(app->debug))
		debug_cancel(app->debug);
	else
		debug_notice(app->debug, _("Nothing is running; q leaves the debugger."));
	return true;
}

int tui_debug(struct debug *debug, enum canvas_theme theme, struct diag *diag)
{
	struct app app = {.debug = debug};
	const struct tui_app loop = {
		.ctx = &app,
		.draw = debugger_draw,
		.key = debugger_key,
		.paste = debugger_paste,
		.click = debugger_click,
		.wheel = debugger_wheel,
		.is_done = debugger_is_done,
		.timeout_ms = debugger_timeout_ms,
		.idle = debugger_idle,
		.interrupt = debugger_interrupt,
	};
	tui_term_set_theme(theme);
	return tui_loop(&loop, diag);
}
