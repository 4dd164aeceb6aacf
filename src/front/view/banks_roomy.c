/* The banks in cells: a column for each of the 32, a row for each wavefront, filled with the wavefront's color. A lane that
 * takes several banks, and lanes that share a word, are one cell. */
#include <stdio.h>

#include "base/utf8.h"
#include "front/view/banks.h"
#include "front/view/light.h"

#define PITCH_MIN 3
#define PITCH_MAX 6
#define LABEL_NUMBER 3 /* "12 " */
#define LABEL_WORDS 13 /* "wavefront 12 " */
#define LANES_COLS 8   /* "16 lanes" */
#define MAP_ROWS_MIN 5

/* Columns: a label, then `pitch` of them for each bank, the last of which is left free. */
struct cells {
	const struct view_input *input;
	struct rect rect;
	int label, pitch;
	int height, gap; /* rows of a wavefront, and free rows after it */
	bool words;      /* which of them it is stands in the second row of a cell */
};

static struct cells fit_cells(const struct view_input *input, struct rect rect)
{
	struct cells g = {.input = input, .rect = rect, .label = LABEL_NUMBER, .height = 1};
	if (rect.cols >= LABEL_WORDS + PITCH_MIN * MODEL_BANKS - 1)
		g.label = LABEL_WORDS;
	g.pitch = (rect.cols - g.label + 1) / MODEL_BANKS;
	g.pitch = g.pitch > PITCH_MAX ? PITCH_MAX : g.pitch;
	return g;
}

static int cell_col(const struct cells *g, int bank)
{
	return g->rect.col + g->label + bank * g->pitch;
}

/* The cell of `n` banks from one on. */
static struct rect cell_rect(const struct cells *g, int row, int bank, int n)
{
	return (struct rect){row, cell_col(g, bank), g->height, n * g->pitch - 1};
}

/* Whether the number of every word fits in a cell of its own. */
static bool words_fit(const struct cells *g, const struct view_banks *b)
{
	int64_t most = 0, below = 1;
	for (int w = 0; w < b->n; w++)
		for (int bank = 0; bank < MODEL_BANKS; bank++)
			most = b->wavefronts[w].word[bank] > most ? b->wavefronts[w].word[bank] : most;
	for (int i = 1; i < g->pitch; i++)
		below *= 10;
	return most < below;
}

/* --- one row ------------------------------------------------------------------------------------------------------ */
/* Banks from `bank` on that serve the same lanes: those of one wide lane. */
static int count_joined(const uint32_t *lanes, int bank)
{
	int n = 1;
	while (lanes[bank] && bank + n < MODEL_BANKS && lanes[bank + n] == lanes[bank])
		n++;
	return n;
}

/* "7", or for lanes that share a word how many they are: "4×". */
static void cell_text(uint32_t lanes, char *out, size_t size)
{
	int n = __builtin_popcount(lanes);
	if (n > 1)
		snprintf(out, size, "%d×", n);
	else
		snprintf(out, size, "%2d", __builtin_ctz(lanes));
}

/* Cells of one row; `word` (may be NULL) stands below the lane where a cell has two rows. */
static void draw_cells(struct canvas *canvas, const struct cells *g, int row, const uint32_t *lanes,
	const enum role *roles, const int64_t *word)
{
	for (int bank = 0, n; bank < MODEL_BANKS; bank += n) {
		char text[24];
		n = count_joined(lanes, bank);
		struct rect r = cell_rect(g, row, bank, n);
		if (!lanes[bank]) {
			canvas_put(canvas, row, r.col + r.cols / 2, GLYPH_MIDDLE_DOT, ROLE_IDLE);
			view_spot_of(canvas, g->input, r, THING_BANK, bank);
			continue;
		}
		cell_text(lanes[bank], text, sizeof text);
		if (utf8_columns(text) > r.cols) { /* into the free column before it */
			r.col--;
			r.cols++;
		}
		view_draw_cell(canvas, r, roles[bank], text);
		if (n > 1) {
			canvas_put_on(canvas, r, '[', ROLE_PAPER, roles[bank]);
			canvas_put_on(
				canvas, (struct rect){row, r.col + r.cols - 1, 1, 1}, ']', ROLE_PAPER, roles[bank]);
		}
		if (word && g->words) {
			snprintf(text, sizeof text, "%2lld", (long long)word[bank]);
			view_draw_cell(canvas, (struct rect){row + 1, r.col, 1, r.cols}, roles[bank], text);
		}
		view_spot(canvas, g->input, r,
			&(struct view_shows){
				{THING_LANE, __builtin_ctz(lanes[bank])}, lanes[bank], {THING_BANK, bank, n}});
	}
}

static void draw_label(struct canvas *canvas, const struct cells *g, int row, enum role role, const char *text)
{
	canvas_text_fit(canvas, (struct rect){row, g->rect.col, 1, g->label - 1}, role, text);
}

static void draw_wavefront_cells(
	struct canvas *canvas, const struct cells *g, int row, const struct view_banks *b, int wavefront)
{
	enum role roles[MODEL_BANKS];
	char text[24];
	for (int bank = 0; bank < MODEL_BANKS; bank++)
		roles[bank] = view_wave_role(wavefront);
	snprintf(text, sizeof text, g->label == LABEL_WORDS ? "wavefront %d" : "%d", wavefront + 1);
	draw_label(canvas, g, row, view_wave_role(wavefront), text);
	if (g->words && g->label == LABEL_WORDS)
		draw_label(canvas, g, row + 1, ROLE_DIM, "  word");
	draw_cells(canvas, g, row, b->lanes[wavefront], roles, b->wavefronts[wavefront].word);
	int lanes = __builtin_popcount(b->wavefronts[wavefront].lanes), right = cell_col(g, MODEL_BANKS) + 1;
	if (g->rect.col + g->rect.cols - right >= LANES_COLS)
		canvas_textf(canvas, row, right, ROLE_DIM, "%2d lane%s", lanes, view_plural(lanes));
}

/* --- what stands above and below ---------------------------------------------------------------------------------- */
static bool is_busy(const struct view_banks *b, int bank)
{
	return b->n > b->ideal && view_banks_load(b, bank) > b->ideal;
}

static void draw_bank_numbers(struct canvas *canvas, const struct cells *g, int row, const struct view_banks *b)
{
	draw_label(canvas, g, row, ROLE_DIM, g->label == LABEL_WORDS ? "bank" : "");
	for (int bank = 0; bank < MODEL_BANKS; bank++) {
		struct rect r = cell_rect(g, row, bank, 1);
		canvas_textf(canvas, row, r.col + (r.cols - 2) / 2, is_busy(b, bank) ? ROLE_CONFLICT : ROLE_DIM, "%2d",
			bank);
		view_spot_of(canvas, g->input, (struct rect){row, r.col, 1, r.cols}, THING_BANK, bank);
	}
}

/* How many words each bank must deliver: with a mark where that is what makes the request slow. */
static void draw_load(struct canvas *canvas, const struct cells *g, int row, const struct view_banks *b)
{
	draw_label(canvas, g, row, ROLE_DIM, g->label == LABEL_WORDS ? "words" : "");
	for (int bank = 0; bank < MODEL_BANKS; bank++) {
		char text[16];
		int load = view_banks_load(b, bank);
		struct rect r = cell_rect(g, row, bank, 1);
		r.rows = 1;
		if (!load)
			continue;
		snprintf(text, sizeof text, load > 9 && r.cols < 3 ? "%d" : "%d!", load);
		if (is_busy(b, bank))
			view_draw_cell(canvas, r, ROLE_CONFLICT, text);
		else
			canvas_textf(canvas, row, r.col + (r.cols - 2) / 2, ROLE_GOOD, "%2d", load);
	}
}

static void draw_left_out(struct canvas *canvas, const struct cells *g, int row, int n)
{
	char text[48];
	snprintf(text, sizeof text, "⋮ %d more wavefront%s", n, view_plural(n));
	canvas_text_fit(canvas, (struct rect){row, g->rect.col, 1, g->rect.cols}, ROLE_STRONG, text);
}

/* Returns the row after them. */
static int draw_wavefronts(struct canvas *canvas, const struct cells *g, int row, const struct view_banks *b, int room)
{
	struct view_elision e = view_elide(b->n, (room + g->gap) / (g->height + g->gap));
	for (int w = 0; w < e.head; w++, row += g->height + g->gap)
		draw_wavefront_cells(canvas, g, row, b, w);
	if (e.left_out)
		draw_left_out(canvas, g, row++, e.left_out);
	for (int w = b->n - e.tail; w < b->n; w++, row += g->height + g->gap)
		draw_wavefront_cells(canvas, g, row, b, w);
	return row - g->gap;
}

/* --- words -------------------------------------------------------------------------------------------------------- */
static void note_signs(struct view_notes *notes, const struct view_banks *b, const struct cells *g)
{
	int most = 1; /* lanes of a word */
	bool idle = false, wide = b->access->width > MODEL_BANK_BYTES;
	for (int w = 0; w < b->n; w++) {
		for (int bank = 0; bank < MODEL_BANKS; bank++) {
			int lanes = __builtin_popcount(b->lanes[w][bank]);
			most = lanes > most ? lanes : most;
			idle |= !b->lanes[w][bank];
		}
	}
	char shared[64] = "";
	if (most > 1)
		snprintf(shared, sizeof shared, "; %d×: %d\u00a0lanes share the word", most, most);
	view_notes_add(notes, ROLE_DIM, "in a cell: the lane%s%s%s%s", g->words ? ", below it the word" : "",
		wide ? "; [ ]: the banks of one lane" : "", shared, idle ? "; ·: the bank is idle" : "");
}

/* --- where the words lie ------------------------------------------------------------------------------------------ */
static void draw_map_cells(
	struct canvas *canvas, const struct cells *g, int row, const struct view_banks *b, int64_t at)
{
	uint32_t lanes[MODEL_BANKS] = {0};
	enum role roles[MODEL_BANKS] = {0};
	char text[32] = "";
	if (g->label == LABEL_WORDS)
		snprintf(text, sizeof text, "word %lld", (long long)at * MODEL_BANKS);
	draw_label(canvas, g, row, ROLE_DIM, text);
	for (int bank = 0; bank < MODEL_BANKS; bank++) {
		for (int w = b->n - 1; w >= 0; w--) {
			if (b->wavefronts[w].word[bank] != at * MODEL_BANKS + bank)
				continue;
			lanes[bank] |= b->lanes[w][bank];
			roles[bank] = view_wave_role(w);
		}
	}
	draw_cells(canvas, g, row, lanes, roles, NULL);
}

/* Returns the rows it took. */
static int draw_map(struct canvas *canvas, const struct cells *wide, struct rect rect, const struct view_banks *b)
{
	int64_t at[VIEW_BANKS_MAP_MAX];
	struct cells g = *wide;
	int n = view_banks_map(b, at), row = rect.row;
	if (g.label != LABEL_WORDS || n < 2 || rect.rows < MAP_ROWS_MIN)
		return 0;
	g.height = 1;
	g.words = false;
	canvas_text_fit(canvas, (struct rect){row++, rect.col, 1, rect.cols}, ROLE_TITLE,
		"the same words in memory, 32 in a row: words of one column share a bank");
	struct view_elision e = view_elide(n, rect.rows - 1);
	for (int i = 0; i < e.head; i++)
		draw_map_cells(canvas, &g, row++, b, at[i]);
	if (e.left_out)
		canvas_textf(canvas, row++, rect.col, ROLE_DIM, "⋮ %d more rows", e.left_out);
	for (int i = n - e.tail; i < n; i++)
		draw_map_cells(canvas, &g, row++, b, at[i]);
	return row - rect.row + 1;
}

/* --- who waits for whom ------------------------------------------------------------------------------------------- */
#define QUEUE_ROWS_MIN 4
#define QUEUE_COLS 60
#define QUEUE_WORDS 8

/* "bank 2   1: lane 1 (word 2)  2: lane 17 (word 34)": what the bank delivers, wavefront after wavefront. */
static void draw_queue(struct canvas *canvas, struct rect r, const struct view_banks *b, int bank)
{
	int col = r.col + canvas_textf(canvas, r.row, r.col, ROLE_CONFLICT, "bank %-2d  ", bank), n = 0;
	view_spot_of(canvas, b->input, (struct rect){r.row, r.col, 1, 7}, THING_BANK, bank);
	for (int w = 0; w < b->n && n <= QUEUE_WORDS; w++) {
		struct buf text = {0};
		if (b->wavefronts[w].word[bank] < 0)
			continue;
		buf_printf(&text, "%d: ", w + 1);
		view_write_lanes(b->lanes[w][bank], 1, &text);
		buf_printf(&text, " (word %lld)  ", (long long)b->wavefronts[w].word[bank]);
		int cols = utf8_columns(buf_str(&text));
		if (++n > QUEUE_WORDS || col + cols - 2 > r.col + r.cols)
			canvas_put(canvas, r.row, col < r.col + r.cols ? col : col - 1, GLYPH_ELLIPSIS, ROLE_DIM);
		else
			col += canvas_text(canvas, r.row, col, view_wave_role(w), buf_str(&text));
		buf_free(&text);
		if (col + 1 >= r.col + r.cols)
			return;
	}
}

static void draw_queues(struct canvas *canvas, struct rect rect, const struct view_banks *b)
{
	int at = 0, busy = 0, rows = rect.rows - 1, most = rect.cols / QUEUE_COLS;
	for (int bank = 0; bank < MODEL_BANKS; bank++)
		busy += is_busy(b, bank);
	if (!busy || rect.rows < QUEUE_ROWS_MIN || most < 1)
		return;
	int columns = (busy + rows - 1) / rows < most ? (busy + rows - 1) / rows : most, cols = rect.cols / columns;
	int col = canvas_text_fit(
		canvas, rect, ROLE_TITLE, "who waits for whom: what each bank delivers, wavefront after wavefront");
	if (busy > rows * columns)
		canvas_textf(canvas, rect.row, rect.col + col, ROLE_DIM, "; %d more", busy - rows * columns);
	for (int bank = 0; bank < MODEL_BANKS && at < rows * columns; bank++) {
		struct rect r = {rect.row + 1 + at % rows, rect.col + at / rows * cols, 1, cols - 2};
		if (is_busy(b, bank))
			draw_queue(canvas, r, b, bank);
		at += is_busy(b, bank);
	}
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */
static void note_below(struct view_notes *notes, const struct view_banks *b, const struct cells *g, int cc)
{
	note_signs(notes, b, g);
	view_note_inactive(notes, b->access->active);
	if (access_doubt(b->access, cc))
		view_notes_add(notes, ROLE_DIM, "this rule %s", access_doubt(b->access, cc));
}

void view_draw_banks_roomy(struct canvas *canvas, struct rect rect, const struct view_banks *b, int cc)
{
	struct cells g = fit_cells(b->input, rect);
	struct view_notes above = {0}, below = {0};
	view_banks_note_summary(&above, b, rect.cols);
	view_banks_note_why(&above, b);
	note_below(&below, b, &g, cc);

	int end = rect.row + rect.rows, row = rect.row;
	int above_rows = view_notes_fit(&above, rect.rows - 6, rect.cols);
	view_notes_draw(canvas, (struct rect){row, rect.col, above_rows, rect.cols}, &above);
	row += above_rows;
	if (rect.rows > 10)
		canvas_text_fit(canvas, (struct rect){row++, rect.col, 1, rect.cols}, ROLE_DIM,
			g.label == LABEL_WORDS ? "" : "rows: wavefronts, columns: banks");
	int below_rows = view_notes_fit(&below, rect.rows >= 12 ? 3 : 1, rect.cols);
	draw_bank_numbers(canvas, &g, row++, b);
	int room = end - row - 1 - below_rows;
	g.words = room >= 3 * b->n && words_fit(&g, b);
	g.height = g.words ? 2 : 1;
	g.gap = room >= (g.height + 1) * b->n;
	below = (struct view_notes){0};
	note_below(&below, b, &g, cc);
	view_notes_fit(&below, below_rows, rect.cols);
	row = draw_wavefronts(canvas, &g, row, b, room);
	row += row + below_rows + 1 < end;
	draw_load(canvas, &g, row++, b);
	view_notes_draw(canvas, (struct rect){row, rect.col, below_rows, rect.cols}, &below);
	row += below_rows + 1;
	row += draw_map(canvas, &g, (struct rect){row, rect.col, end - row, rect.cols}, b);
	draw_queues(canvas, (struct rect){row, rect.col, end - row, rect.cols}, b);
}
