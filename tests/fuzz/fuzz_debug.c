/* Fuzz target of the debugger: what is typed, line by line, in a kernel of tests/run. `kernel N` in the first line
 * chooses it, `key NAME` is a key, `type TEXT` characters, `click ROW COL` a click, `size ROWS COLS` the terminal; all
 * else is a command. After each the screen is drawn. Run it where tests/run lies, or with $top_srcdir set. */
#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/debug_kernels.h"
#include "front/screen/debug.h"

#define LINES 40

struct screen {
	struct screen_debug_state state;
	struct screen_debug_targets targets;
	int rows, cols;
};

static void check_state(const struct debug *debug)
{
	if (debug->warp >= debug->extent.warps || debug->block >= debug->extent.blocks ||
		(debug->lane != DEBUG_ANY && debug->lane >= WARP_SIZE) || debug->breaks.n > DEBUG_BREAKS_MAX)
		abort();
	if (!debug->ended && (debug->next.executing & ~debug->next.active || debug->next.step != debug->step))
		abort();
}

static void draw(struct screen *screen, const struct debug *debug)
{
	struct canvas *canvas = canvas_new(screen->rows, screen->cols);
	screen_debug_render(canvas, debug, &screen->state, &screen->targets);
	canvas_free(canvas);
}

static void do_command(struct screen *screen, struct debug *debug, const char *line)
{
	struct diag diag = {0};
	struct diag_pos at = {.file = "fuzz", .line = 1, .text = line, .text_len = strlen(line)};
	bool ok = debug_command(debug, line, at, &diag);
	if (ok != (diag.errors == 0))
		abort();
	screen_debug_take(&screen->state, debug);
	if (debug->wishes.show >= 0) {
		struct canvas *canvas = canvas_new(screen->rows, screen->cols);
		screen_debug_render_pane(canvas, debug, &screen->state, (enum debug_pane)debug->wishes.show);
		canvas_free(canvas);
	}
	debug->wishes.show = DEBUG_SHOW_NOTHING;
	diag_free(&diag);
}

static void do_line(struct screen *screen, struct debug *debug, const char *line)
{
	int a, b;
	if (strncmp(line, "key ", 4) == 0) {
		screen_debug_key(&screen->state, debug, key_named(line + 4));
	} else if (strncmp(line, "type ", 5) == 0) {
		for (const char *p = line + 5; *p; p++)
			screen_debug_key(&screen->state, debug, (unsigned char)*p);
	} else if (sscanf(line, "click %3d %3d", &a, &b) == 2) {
		screen_debug_click(&screen->state, debug, &screen->targets, a, b);
	} else if (sscanf(line, "size %3d %3d", &a, &b) == 2) {
		screen->rows = a < 1 ? 1 : a > 100 ? 100 : a;
		screen->cols = b < 1 ? 1 : b > 200 ? 200 : b;
	} else {
		do_command(screen, debug, line);
	}
	debug_finish(debug);
	check_state(debug);
	draw(screen, debug);
	buf_clear(&debug->said.output);
	buf_clear(&debug->said.printed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct screen screen = {.rows = 24, .cols = 80};
	char *text = base_malloc(size + 1), *line = text;
	unsigned kernel = 0;
	memcpy(text, data, size);
	text[size] = '\0';
	sscanf(text, "kernel %1u", &kernel);
	const struct debug_launch *l = &debug_launches[kernel % (sizeof debug_launches / sizeof *debug_launches)];
	struct opened o = debug_open(l->name, l->kernel, ".cu");

	for (int i = 0; i < LINES && *line && !o.debug->quit; i++) {
		size_t len = strcspn(line, "\n");
		char *next = line + len + (line[len] == '\n');
		line[len] = '\0';
		do_line(&screen, o.debug, line);
		line = next;
	}
	debug_close(&o);
	free(text);
	return 0;
}

#include "replay.h"
