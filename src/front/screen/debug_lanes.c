/* Lanes of warps: the mask, the paths, the warps of the block. */
#include <stdio.h>

#include "base/text.h"
#include "base/utf8.h"
#include "front/screen/debug_parts.h"
#include "front/screen/parts.h"

#define PATH_WIDE 100 /* columns from which a path takes one row */

/* --- the mask ----------------------------------------------------------------------------------------------------- */

enum lane_look {
	LANE_ABSENT,
	LANE_ENDED,
	LANE_TO_COME,
	LANE_ELSEWHERE,
	LANE_OFF,
	LANE_RUNS,
	LANE_AT_FAULT,
	LANE_LOOKS
};

static const struct {
	uint32_t glyph;
	enum role role;
	const char *word;
} looks[LANE_LOOKS] = {
	[LANE_ABSENT] = {' ', ROLE_TEXT, ""},
	[LANE_ENDED] = {GLYPH_TIMES, ROLE_IDLE, N_("ended")},
	[LANE_TO_COME] = {GLYPH_MIDDLE_DOT, ROLE_IDLE, N_("to come")},
	[LANE_ELSEWHERE] = {GLYPH_MIDDLE_DOT, ROLE_WASTED, N_("elsewhere")},
	[LANE_OFF] = {GLYPH_SQUARE_OPEN, ROLE_BROADCAST, N_("predicated off")},
	[LANE_RUNS] = {GLYPH_SQUARE, ROLE_LANE, N_("active")},
	[LANE_AT_FAULT] = {GLYPH_CROSS_MARK, ROLE_ERROR, N_("at fault")},
};

static enum lane_look look_of(const struct debug *debug, uint32_t warp, const struct debug_warp *now, int lane)
{
	uint32_t bit = (uint32_t)1 << lane;
	if (!(debug_lanes(debug, warp) & bit))
		return LANE_ABSENT;
	if (now->state == DEBUG_WARP_AWAITED)
		return LANE_TO_COME;
	if (debug_lanes_at_fault(debug, warp) & bit)
		return LANE_AT_FAULT;
	if (now->active & bit)
		return now->executing & bit ? LANE_RUNS : LANE_OFF;
	return now->waiting & bit ? LANE_ELSEWHERE : LANE_ENDED;
}

void screen_debug_draw_lanes(
	const struct screen_debug_sketch *sketch, int row, int col, uint32_t warp, const struct debug_warp *now)
{
	const struct debug *debug = sketch->debug;
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		enum lane_look look = look_of(debug, warp, now, lane);
		bool followed = debug->lane == (uint32_t)lane && warp == debug->warp;
		canvas_put(sketch->canvas, row, col + lane, looks[look].glyph,
			followed ? ROLE_SELECTED : looks[look].role);
	}
}

int screen_debug_draw_lanes_legend(struct canvas *canvas, int row, int col, int cols, const struct debug *debug)
{
	int count[LANE_LOOKS] = {0}, at = col;
	for (int lane = 0; lane < WARP_SIZE; lane++)
		count[look_of(debug, debug->warp, &debug->now, lane)]++;
	for (int look = LANE_LOOKS - 1; look > LANE_ABSENT; look--) {
		char text[40];
		snprintf(text, sizeof text, "%d %s", count[look], text_translate(looks[look].word));
		if (!count[look] || at + utf8_columns(text) + 3 > col + cols)
			continue;
		canvas_put(canvas, row, at, ' ', ROLE_TEXT);
		canvas_put(canvas, row, at + 1, looks[look].glyph, looks[look].role);
		canvas_put(canvas, row, at + 2, ' ', ROLE_TEXT);
		at += 3 + canvas_text(canvas, row, at + 3, ROLE_TEXT, text);
	}
	return at - col;
}

/* --- paths -------------------------------------------------------------------------------------------------------- */

enum wording { WORDING_FULL, WORDING_SHORT };

static void path_text(const struct debug *debug, const struct simt_path *path, enum wording wording, struct buf *out)
{
	static const char *const words[] = {
		[SIMT_PATH_RUNS] = N_("next at "),
		[SIMT_PATH_READY] = N_("can go on at "),
		[SIMT_PATH_AT_RECONVERGENCE] = N_("waits at "),
		[SIMT_PATH_AT_SYNC] = N_("waits at "),
		[SIMT_PATH_AT_BARRIER] = N_("waits at the barrier, "),
	};
	buf_puts(out, text_translate(words[path->state]));
	debug_write_place(debug, path->instr, out);
	if (path->expected && (path->state == SIMT_PATH_AT_RECONVERGENCE || path->state == SIMT_PATH_AT_SYNC)) {
		buf_puts(out, _(" for "));
		if (wording == WORDING_FULL) {
			simt_write_lanes(path->expected, out);
		} else {
			int n = __builtin_popcount(path->expected);
			buf_printf(out, text_plural("%d lane", "%d lanes", (unsigned)n), n);
		}
	}
	if (path->reconverges >= 0 && path->state != SIMT_PATH_AT_RECONVERGENCE) {
		bool brief = wording == WORDING_SHORT && debug->program->file;
		buf_puts(out, brief ? _("; joins ") : _("; reconverges at "));
		if (brief)
			buf_printf(out, _("at line %d"), debug->program->instrs[path->reconverges].line);
		else
			debug_write_place(debug, path->reconverges, out);
	}
}

int screen_debug_paths_rows(const struct debug *debug, int cols)
{
	int n = debug->now.n_paths;
	return n == 0 ? 1 : n * (cols >= PATH_WIDE ? 1 : 2);
}

void screen_debug_draw_paths(struct canvas *canvas, struct rect rect, const struct debug *debug)
{
	struct rect old = canvas_clip(canvas, rect);
	int each = rect.cols >= PATH_WIDE ? 1 : 2, n = debug->now.n_paths, fit = rect.rows / each;
	if (n == 0)
		canvas_text_fit(canvas, rect, ROLE_DIM,
			debug->now.state == DEBUG_WARP_AWAITED ? _("The warp has not begun.")
							       : _("The warp has ended."));
	if (n > fit) /* the last row says what is left out */
		fit = (rect.rows - 1) / each;
	for (int i = 0; i < n && i < fit; i++) {
		struct rect r = {rect.row + i * each, rect.col, each, rect.cols};
		const struct simt_path *path = &debug->now.paths[i];
		struct buf text = {0};
		bool runs = path->state == SIMT_PATH_RUNS, wide = r.cols >= PATH_WIDE;
		canvas_put(canvas, r.row, r.col, runs ? GLYPH_POINT_RIGHT : GLYPH_DIAMOND_OPEN,
			runs ? ROLE_WATCHED : ROLE_WASTED);
		for (int lane = 0; lane < WARP_SIZE; lane++) {
			bool in = path->lanes >> lane & 1;
			canvas_put(canvas, r.row, r.col + 2 + lane, in ? GLYPH_SQUARE : GLYPH_MIDDLE_DOT,
				in ? ROLE_LANE : ROLE_IDLE);
		}
		int col = wide ? r.col + WARP_SIZE + 3 : r.col + 4;
		path_text(debug, path, WORDING_FULL, &text);
		if (utf8_columns(buf_str(&text)) > r.col + r.cols - col) {
			buf_clear(&text);
			path_text(debug, path, WORDING_SHORT, &text);
		}
		if (!wide)
			canvas_textf(canvas, r.row, r.col + WARP_SIZE + 3, ROLE_DIM,
				text_plural("%d lane", "%d lanes", (unsigned)__builtin_popcount(path->lanes)),
				__builtin_popcount(path->lanes));
		canvas_text_fit(canvas, (struct rect){r.row + !wide, col, 1, r.col + r.cols - col},
			runs ? ROLE_WATCHED : ROLE_TEXT, buf_str(&text));
		buf_free(&text);
	}
	if (n > fit)
		canvas_textf(canvas, rect.row + fit * each, rect.col, ROLE_DIM,
			text_plural("⋮ %d more path", "⋮ %d more paths", (unsigned)(n - fit)), n - fit);
	if (n == 1 && rect.rows > each)
		canvas_text_fit(canvas, (struct rect){rect.row + each, rect.col, 1, rect.cols}, ROLE_DIM,
			_("All lanes that have not ended go together."));
	canvas_unclip(canvas, old);
}

/* --- warps -------------------------------------------------------------------------------------------------------- */

static const char *const state_words[] = {
	[DEBUG_WARP_AWAITED] = N_("to come"),
	[DEBUG_WARP_RUNS] = "",
	[DEBUG_WARP_AT_BARRIER] = N_("barrier"),
	[DEBUG_WARP_AT_SYNC] = N_("at .sync"),
	[DEBUG_WARP_ENDED] = N_("ended"),
};

/* "barrier, line 14, PTX 88"; short: "barrier", "line 14". */
static void warp_text(const struct debug *debug, const struct debug_warp *now, enum wording wording, struct buf *out)
{
	const char *word = text_translate(state_words[now->state]);
	bool brief = wording == WORDING_SHORT;
	buf_puts(out, word);
	if (!now->n_paths || (*word && brief))
		return;
	buf_puts(out, *word ? ", " : "");
	if (brief && debug->program->file && now->instr >= 0)
		buf_printf(out, _("line %d"), debug->program->instrs[now->instr].line);
	else
		debug_write_place(debug, now->instr, out);
}

void screen_debug_lay_out_warps(struct screen_debug_state *state, const struct debug *debug, struct rect rect)
{
	int n = (int)debug->extent.warps, most = n > rect.rows ? n - rect.rows : 0, first = state->row_scroll;
	if (state->pane != DEBUG_PANE_WARPS) /* not the pane that scrolls: keep the followed one in sight */
		first = (int)debug->warp - rect.rows / 2;
	first = first > most ? most : first < 0 ? 0 : first;
	if (state->pane == DEBUG_PANE_WARPS)
		state->row_scroll = first;
	state->layout.first_warp = first;
}

void screen_debug_draw_warps(const struct screen_debug_sketch *sketch, struct rect rect)
{
	struct rect old = canvas_clip(sketch->canvas, rect);
	int n = (int)sketch->debug->extent.warps, first = sketch->state->layout.first_warp;
	for (int i = 0; i < rect.rows && first + i < n; i++) {
		struct rect r = {rect.row + i, rect.col, 1, rect.cols};
		uint32_t warp = (uint32_t)(first + i);
		struct canvas *canvas = sketch->canvas;
		const struct debug *debug = sketch->debug;
		struct debug_warp now;
		struct buf text = {0};
		bool followed = warp == debug->warp;
		bool turn = !debug->ended && debug->next.block == debug->block && debug->next.warp == warp;
		debug_warp_now(debug, warp, &now);
		int col = r.col + 4 + WARP_SIZE + 1, cols = r.col + r.cols - col;
		warp_text(debug, &now, WORDING_FULL, &text);
		if (utf8_columns(buf_str(&text)) > cols) {
			buf_clear(&text);
			warp_text(debug, &now, WORDING_SHORT, &text);
		}
		if (turn && utf8_columns(buf_str(&text)) + 10 <= cols)
			buf_puts(&text, _(", its turn"));
		canvas_put(canvas, r.row, r.col, followed ? GLYPH_POINT_RIGHT : ' ', ROLE_WATCHED);
		canvas_textf(canvas, r.row, r.col + 1, followed ? ROLE_WATCHED : ROLE_TEXT, "%2u", warp);
		screen_debug_draw_lanes(sketch, r.row, r.col + 4, warp, &now);
		canvas_text_fit(
			canvas, (struct rect){r.row, col, 1, cols}, turn ? ROLE_STRONG : ROLE_TEXT, buf_str(&text));
		buf_free(&text);
	}
	canvas_unclip(sketch->canvas, old);
}
