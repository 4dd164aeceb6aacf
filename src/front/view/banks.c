#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "front/view/draw.h"
#include "front/view/views.h"
#include "model/hardware/access.h"

/* Which lanes each bank serves in each wavefront. */
struct view_banks {
	const struct view_input *input;
	const struct warp_access *access;
	int n, ideal, conflicts, groups;
	int moment; /* the wavefront that is served now, from 1; those after it have no lanes yet. 0: all were */
	struct bank_wavefront wavefronts[BANKS_WAVEFRONTS_MAX];
	uint32_t lanes[BANKS_WAVEFRONTS_MAX][MODEL_BANKS];
};

/* Rows of 32 words that the access touches, ascending, without repeats: word / 32. Returns how many. */
#define VIEW_BANKS_MAP_MAX (WARP_SIZE * 4)

/* Columns: a label, `pitch` columns per bank, and, where there is room, lanes and words of the row. */
struct bank_grid {
	const struct view_input *input;
	int row, col, cols;
	int label, pitch;
	bool totals;
};

static const char *banks_lacks(const struct view_input *input)
{
	if (!input->access)
		return view_no_access(input);
	if (input->access->space == SPACE_GLOBAL)
		return view_offers(input, VIEW_SECTORS)
			? "The watched line accesses global memory, which has no banks: see the view \"sectors\"."
			: "The watched line accesses global memory, which has no banks.";
	if (input->access->space != SPACE_SHARED)
		return "The watched line accesses memory that has no banks.";
	return NULL;
}

static int banks_moments(const struct view_input *input)
{
	return bank_wavefronts(input->access, input->cc, NULL, BANKS_WAVEFRONTS_MAX);
}

/* Wavefronts in which the bank delivers a word. */
static int banks_load(const struct view_banks *b, int bank)
{
	int n = 0;
	for (int w = 0; w < b->n; w++)
		n += b->wavefronts[w].word[bank] >= 0;
	return n;
}

/* --- notes -------------------------------------------------------------------------------------------------------- */

/* "2 wavefronts, ideal 1: 1 bank conflict", and what the busiest bank delivers. */
static void banks_note_summary(struct view_notes *notes, const struct view_banks *b, int cols)
{
	int conflicts = b->conflicts;
	if (b->moment) {
		struct buf lanes = {0};
		view_write_lanes(b->wavefronts[b->moment - 1].lanes, cols >= 42 ? 4 : 2, &lanes);
		view_notes_add(notes, view_wave_role(b->moment - 1), "wavefront %d of %d: %s", b->moment, b->n,
			buf_str(&lanes));
		buf_free(&lanes);
		return;
	}
	/* The longest of these, 32 wavefronts and 31 conflicts, is to stay on one line. */
	const char *kind = cols >= 42 ? "bank conflict" : "conflict";
	if (conflicts > 0)
		view_notes_add(notes, ROLE_CONFLICT, "%d wavefront%s, ideal %d: %d %s%s", b->n, view_plural(b->n),
			b->ideal, conflicts, kind, view_plural(conflicts));
	else
		view_notes_add(
			notes, ROLE_GOOD, "%d wavefront%s, ideal %d: no %s", b->n, view_plural(b->n), b->ideal, kind);
}

static void banks_note_why(struct view_notes *notes, const struct view_banks *b)
{
	static const char *const parts[] = {"", "", "halves", "", "quarters"};
	int busiest = 0;
	for (int bank = 1; bank < MODEL_BANKS; bank++)
		if (banks_load(b, bank) > banks_load(b, busiest))
			busiest = bank;

	/* The word that most lanes share. */
	int most = 1, wavefront = 0, bank = 0;
	for (int w = 0; w < b->n; w++) {
		for (int i = 0; i < MODEL_BANKS; i++) {
			int lanes = __builtin_popcount(b->lanes[w][i]);
			if (lanes > most) {
				most = lanes;
				wavefront = w;
				bank = i;
			}
		}
	}

	if (b->n > b->ideal && !b->moment) {
		/* Why it takes more than one: what the busiest bank must deliver. */
		int n = banks_load(b, busiest);
		struct buf text = {0};
		if (warp_op_is_atomic(b->access->op) && b->access->op != ACCESS_COUNT) {
			bool twice = b->access->op == ACCESS_CAS || b->access->op == ACCESS_ADD_FLOAT;
			buf_printf(&text, "bank %d: %d lanes, %s: atomics take turns", busiest, twice ? n / 2 : n,
				twice ? "two wavefronts each" : "one a wavefront");
		} else if (n <= 3) {
			buf_printf(&text, "bank %d: ", busiest);

			/* Its words with their lanes, in the order they come, with blanks that must not part. */
			for (int w = 0, said = 0; w < b->n; w++) {
				if (b->wavefronts[w].word[busiest] < 0)
					continue;
				buf_printf(&text, said++ ? ", word\u00A0%lld\u00A0(" : "word\u00A0%lld\u00A0(",
					(long long)b->wavefronts[w].word[busiest]);
				struct buf lanes = {0};
				view_write_lanes(b->lanes[w][busiest], 2, &lanes);
				for (size_t i = 0; i < lanes.len; i++) {
					if (lanes.data[i] == ' ')
						buf_puts(&text, "\u00A0");
					else
						buf_putc(&text, lanes.data[i]);
				}
				buf_putc(&text, ')');
				buf_free(&lanes);
			}
		} else {
			buf_printf(&text, "bank %d delivers %d words:", busiest, n);
			for (int w = 0, said = 0; w < b->n && said < 3; w++)
				if (b->wavefronts[w].word[busiest] >= 0)
					buf_printf(&text, said++ ? ",\u00A0%lld" : "\u00A0%lld",
						(long long)b->wavefronts[w].word[busiest]);
			buf_puts(&text, ",\u00A0…");
		}
		view_notes_add(notes, ROLE_TEXT, "%s", buf_str(&text));
		buf_free(&text);
	} else if (most > 1) {
		struct buf lanes = {0};
		view_write_lanes(b->lanes[wavefront][bank], 4, &lanes);
		view_notes_add(notes, ROLE_TEXT, "bank %d: word %lld serves %s at once", bank,
			(long long)b->wavefronts[wavefront].word[bank], buf_str(&lanes));
		buf_free(&lanes);
	} else if (b->ideal == 1 && !b->moment) {
		view_notes_add(notes, ROLE_TEXT, "no bank delivers more than one word");
	}
	if (b->groups > 1)
		view_notes_add(notes, ROLE_TEXT, "%d bytes per lane: the warp goes in %s", b->access->width,
			b->groups == 2 || b->groups == 4 ? parts[b->groups] : "parts");
}

/* --- the grid ----------------------------------------------------------------------------------------------------- */

static int bank_col(const struct bank_grid *g, int bank)
{
	return g->col + g->label + bank * g->pitch;
}

static int totals_col(const struct bank_grid *g)
{
	return bank_col(g, MODEL_BANKS) + (g->pitch == 1);
}

/* A bank in one row, and the lanes it serves there. */
struct bank_cell {
	int row, bank;
	uint32_t lanes;
	enum role role;
};

static void draw_cell(struct canvas *canvas, const struct bank_grid *g, struct bank_cell cell)
{
	int row = cell.row;
	uint32_t lanes = cell.lanes;
	int col = bank_col(g, cell.bank) + (g->pitch == 3), lane = lanes ? __builtin_ctz(lanes) : 0;
	if (!lanes)
		canvas_put(canvas, row, col, GLYPH_MIDDLE_DOT, ROLE_IDLE);
	else if (lanes & (lanes - 1))
		canvas_put(canvas, row, col, '*', ROLE_BROADCAST);
	else if (g->pitch < 3)
		canvas_put(canvas, row, col, view_lane_digit(lane), cell.role);
	else
		canvas_textf(canvas, row, col - 1, cell.role, "%2d", lane);
	view_spot(canvas, g->input, (struct rect){row, bank_col(g, cell.bank), 1, g->pitch == 3 ? 2 : 1},
		&(struct view_shows){
			lanes ? (struct view_pick){THING_LANE, lane} : (struct view_pick){THING_BANK, cell.bank}, lanes,
			{THING_BANK, cell.bank, 1}});
}

static void draw_wavefront(
	struct canvas *canvas, const struct bank_grid *g, int row, const struct view_banks *b, int wavefront)
{
	enum role role = view_wave_role(wavefront);
	canvas_textf(canvas, row, g->col, role, "%*d", g->label - 2, wavefront + 1);
	for (int bank = 0; bank < MODEL_BANKS; bank++)
		draw_cell(canvas, g, (struct bank_cell){row, bank, b->lanes[wavefront][bank], role});
	if (g->totals) {
		const struct bank_wavefront *totals_wavefront = &b->wavefronts[wavefront];
		int64_t low = INT64_MAX, high = -1;
		for (int bank = 0; bank < MODEL_BANKS; bank++) {
			if (totals_wavefront->word[bank] < 0)
				continue;
			low = totals_wavefront->word[bank] < low ? totals_wavefront->word[bank] : low;
			high = totals_wavefront->word[bank] > high ? totals_wavefront->word[bank] : high;
		}
		canvas_textf(canvas, row, totals_col(g), ROLE_TEXT, "%5d", __builtin_popcount(totals_wavefront->lanes));
		if (high >= 0)
			canvas_textf(canvas, row, totals_col(g) + 7, ROLE_TEXT, low == high ? "%lld" : "%lld–%lld",
				(long long)low, (long long)high);
	}
}

/* --- the map of shared memory ------------------------------------------------------------------------------------- */

/* Rows of 32 words that the access touches, ascending, without repeats. */
static int banks_map(const struct view_banks *b, int64_t out[VIEW_BANKS_MAP_MAX])
{
	int n = 0;
	for (int w = 0; w < b->n; w++) {
		for (int bank = 0; bank < MODEL_BANKS; bank++) {
			int64_t word = b->wavefronts[w].word[bank], at = word / MODEL_BANKS;
			int i = 0;
			while (i < n && out[i] < at)
				i++;
			if (word < 0 || (i < n && out[i] == at) || n == VIEW_BANKS_MAP_MAX)
				continue;
			memmove(out + i + 1, out + i, (size_t)(n - i) * sizeof *out);
			out[i] = at;
			n++;
		}
	}
	return n;
}

static void draw_map_row(
	struct canvas *canvas, const struct bank_grid *g, int row, const struct view_banks *b, int64_t at)
{
	struct buf label = {0};
	buf_printf(&label, "w %lld", (long long)at * MODEL_BANKS);
	canvas_text_fit(canvas, (struct rect){row, g->col, 1, g->label - 1}, ROLE_DIM, buf_str(&label));
	buf_free(&label);
	for (int bank = 0; bank < MODEL_BANKS; bank++) {
		uint32_t lanes = 0;
		int wavefront = 0;
		for (int w = b->n - 1; w >= 0; w--) {
			if (b->wavefronts[w].word[bank] == at * MODEL_BANKS + bank) {
				lanes |= b->lanes[w][bank];
				wavefront = w;
			}
		}
		draw_cell(canvas, g, (struct bank_cell){row, bank, lanes, view_wave_role(wavefront)});
	}
}

/* The banks in cells: a column for each of the 32, a row for each wavefront, filled with the wavefront's color. A lane
 * that takes several banks, and lanes that share a word, are one cell. */

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

static int cell_col(const struct cells *g, int bank)
{
	return g->rect.col + g->label + bank * g->pitch;
}

/* The cell of `n` banks from one on. */
static struct rect cell_rect(const struct cells *g, int row, int bank, int n)
{
	return (struct rect){row, cell_col(g, bank), g->height, n * g->pitch - 1};
}

/* --- one row ------------------------------------------------------------------------------------------------------ */

/* Cells of one row; `word` (may be NULL) stands below the lane where a cell has two rows. */
static void draw_cells(struct canvas *canvas, const struct cells *g, int row, const uint32_t *lanes,
	const enum role *roles, const int64_t *word)
{
	for (int bank = 0, n; bank < MODEL_BANKS; bank += n) {
		char text[24];

		/* Banks from `bank` on that serve the same lanes: those of one wide lane. */
		n = 1;
		while (lanes[bank] && bank + n < MODEL_BANKS && lanes[bank + n] == lanes[bank])
			n++;

		struct rect r = cell_rect(g, row, bank, n);
		if (!lanes[bank]) {
			canvas_put(canvas, row, r.col + r.cols / 2, GLYPH_MIDDLE_DOT, ROLE_IDLE);
			view_spot_of(canvas, g->input, r, THING_BANK, bank);
			continue;
		}

		/* "7", or for lanes that share a word how many they are: "4×". */
		int sharing = __builtin_popcount(lanes[bank]);
		if (sharing > 1)
			snprintf(text, sizeof text, "%d×", sharing);
		else
			snprintf(text, sizeof text, "%2d", __builtin_ctz(lanes[bank]));

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
	return b->n > b->ideal && banks_load(b, bank) > b->ideal;
}

/* --- words -------------------------------------------------------------------------------------------------------- */

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
static int draw_map_roomy(struct canvas *canvas, const struct cells *wide, struct rect rect, const struct view_banks *b)
{
	int64_t at[VIEW_BANKS_MAP_MAX];
	struct cells g = *wide;
	int n = banks_map(b, at), row = rect.row;
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

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static void note_below(struct view_notes *notes, const struct view_banks *b, const struct cells *g, int cc)
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

	view_note_inactive(notes, b->access->active);
	if (access_doubt(b->access, cc))
		view_notes_add(notes, ROLE_DIM, "this rule %s", access_doubt(b->access, cc));
}

static void draw_banks_roomy(struct canvas *canvas, struct rect rect, const struct view_banks *b, int cc)
{
	struct cells g = {.input = b->input, .rect = rect, .label = LABEL_NUMBER, .height = 1};
	if (rect.cols >= LABEL_WORDS + PITCH_MIN * MODEL_BANKS - 1)
		g.label = LABEL_WORDS;
	g.pitch = (rect.cols - g.label + 1) / MODEL_BANKS;
	g.pitch = g.pitch > PITCH_MAX ? PITCH_MAX : g.pitch;

	struct view_notes above = {0}, below = {0};
	banks_note_summary(&above, b, rect.cols);
	banks_note_why(&above, b);
	note_below(&below, b, &g, cc);

	int end = rect.row + rect.rows, row = rect.row;
	int above_rows = view_notes_fit(&above, rect.rows - 6, rect.cols);
	view_notes_draw(canvas, (struct rect){row, rect.col, above_rows, rect.cols}, &above);
	row += above_rows;
	if (rect.rows > 10)
		canvas_text_fit(canvas, (struct rect){row++, rect.col, 1, rect.cols}, ROLE_DIM,
			g.label == LABEL_WORDS ? "" : "rows: wavefronts, columns: banks");
	int below_rows = view_notes_fit(&below, rect.rows >= 12 ? 3 : 1, rect.cols);

	int numbers_row = row++;
	draw_label(canvas, &g, numbers_row, ROLE_DIM, g.label == LABEL_WORDS ? "bank" : "");
	for (int bank = 0; bank < MODEL_BANKS; bank++) {
		struct rect r = cell_rect(&g, numbers_row, bank, 1);
		canvas_textf(canvas, numbers_row, r.col + (r.cols - 2) / 2, is_busy(b, bank) ? ROLE_CONFLICT : ROLE_DIM,
			"%2d", bank);
		view_spot_of(canvas, g.input, (struct rect){numbers_row, r.col, 1, r.cols}, THING_BANK, bank);
	}

	/* Words have a row of their own if the number of every one fits in a cell. */
	int64_t greatest = 0, below_all = 1;
	for (int w = 0; w < b->n; w++)
		for (int bank = 0; bank < MODEL_BANKS; bank++)
			greatest = b->wavefronts[w].word[bank] > greatest ? b->wavefronts[w].word[bank] : greatest;
	for (int i = 1; i < g.pitch; i++)
		below_all *= 10;
	int room = end - row - 1 - below_rows;
	g.words = room >= 3 * b->n && greatest < below_all;
	g.height = g.words ? 2 : 1;
	g.gap = room >= (g.height + 1) * b->n;
	below = (struct view_notes){0};
	note_below(&below, b, &g, cc);
	view_notes_fit(&below, below_rows, rect.cols);

	struct view_elision e = view_elide(b->n, (room + g.gap) / (g.height + g.gap));
	for (int w = 0; w < e.head; w++, row += g.height + g.gap)
		draw_wavefront_cells(canvas, &g, row, b, w);
	if (e.left_out) {
		char text[48];
		snprintf(text, sizeof text, "⋮ %d more wavefront%s", e.left_out, view_plural(e.left_out));
		canvas_text_fit(canvas, (struct rect){row++, g.rect.col, 1, g.rect.cols}, ROLE_STRONG, text);
	}
	for (int w = b->n - e.tail; w < b->n; w++, row += g.height + g.gap)
		draw_wavefront_cells(canvas, &g, row, b, w);
	row -= g.gap;

	row += row + below_rows + 1 < end;

	/* How many words each bank must deliver: with a mark where that is what makes the request slow. */
	int load_row = row++;
	draw_label(canvas, &g, load_row, ROLE_DIM, g.label == LABEL_WORDS ? "words" : "");
	for (int bank = 0; bank < MODEL_BANKS; bank++) {
		char text[16];
		int load = banks_load(b, bank);
		struct rect r = cell_rect(&g, load_row, bank, 1);
		r.rows = 1;
		if (!load)
			continue;
		snprintf(text, sizeof text, load > 9 && r.cols < 3 ? "%d" : "%d!", load);
		if (is_busy(b, bank))
			view_draw_cell(canvas, r, ROLE_CONFLICT, text);
		else
			canvas_textf(canvas, load_row, r.col + (r.cols - 2) / 2, ROLE_GOOD, "%2d", load);
	}

	view_notes_draw(canvas, (struct rect){row, rect.col, below_rows, rect.cols}, &below);
	row += below_rows + 1;
	row += draw_map_roomy(canvas, &g, (struct rect){row, rect.col, end - row, rect.cols}, b);

	struct rect queues = {row, rect.col, end - row, rect.cols};
	int at = 0, busy = 0, rows = queues.rows - 1, most = queues.cols / QUEUE_COLS;
	for (int bank = 0; bank < MODEL_BANKS; bank++)
		busy += is_busy(b, bank);
	if (!busy || queues.rows < QUEUE_ROWS_MIN || most < 1)
		return;
	int columns = (busy + rows - 1) / rows < most ? (busy + rows - 1) / rows : most, cols = queues.cols / columns;
	int col = canvas_text_fit(
		canvas, queues, ROLE_TITLE, "who waits for whom: what each bank delivers, wavefront after wavefront");
	if (busy > rows * columns)
		canvas_textf(canvas, queues.row, queues.col + col, ROLE_DIM, "; %d more", busy - rows * columns);
	for (int bank = 0; bank < MODEL_BANKS && at < rows * columns; bank++) {
		struct rect r = {queues.row + 1 + at % rows, queues.col + at / rows * cols, 1, cols - 2};
		if (is_busy(b, bank))
			draw_queue(canvas, r, b, bank);
		at += is_busy(b, bank);
	}
}

static void draw_banks(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	struct bank_grid grid = {.row = rect.row, .col = rect.col, .cols = rect.cols, .label = 8, .pitch = 1};
	for (int pitch = 3; pitch > 1 && grid.pitch == 1; pitch--)
		if (rect.cols >= grid.label + pitch * MODEL_BANKS)
			grid.pitch = pitch;
	if (rect.cols < grid.label + MODEL_BANKS)
		grid.label = rect.cols - MODEL_BANKS;
	grid.totals = rect.cols >= grid.label + grid.pitch * MODEL_BANKS + 17;

	struct view_banks banks;
	grid.input = input;

	memset(&banks, 0, sizeof(banks));
	banks.input = input;
	banks.access = input->access;
	banks.n = bank_wavefronts(input->access, input->cc, banks.wavefronts, BANKS_WAVEFRONTS_MAX);
	if (banks.n > BANKS_WAVEFRONTS_MAX)
		banks.n = BANKS_WAVEFRONTS_MAX;
	banks.ideal = bank_ideal(input->access, input->cc);
	uint32_t groups[BANKS_GROUPS_MAX];
	banks.groups = bank_groups(input->access, input->cc, groups);
	banks.conflicts = bank_conflicts(input->access, input->cc, banks.n);
	for (int w = 0; w < banks.n; w++)
		for (int lane = 0; lane < WARP_SIZE; lane++)
			if (banks.wavefronts[w].lanes >> lane & 1) {
				/* All words of a lane come in one wavefront. */
				uint64_t first = banks.access->address[lane], last = first + banks.access->width - 1u;
				for (uint64_t word = first / MODEL_BANK_BYTES; word <= last / MODEL_BANK_BYTES; word++)
					banks.lanes[w][word % MODEL_BANKS] |= (uint32_t)1 << lane;
			}
	banks.moment = input->moment > 0 && input->moment <= banks.n ? input->moment : 0;
	for (int w = banks.moment; banks.moment && w < banks.n; w++) {
		memset(banks.lanes[w], 0, sizeof banks.lanes[w]);
		for (int bank = 0; bank < MODEL_BANKS; bank++)
			banks.wavefronts[w].word[bank] = -1;
		banks.wavefronts[w].lanes = 0;
	}

	if (banks.n == 0) {
		view_draw_sentence(canvas, rect, ROLE_DIM, "No lane is active: the request takes no wavefront.");
		return;
	}
	if (input->roomy) {
		draw_banks_roomy(canvas, rect, &banks, input->cc);
		return;
	}
	struct view_notes notes = {0};
	banks_note_summary(&notes, &banks, rect.cols);
	banks_note_why(&notes, &banks);

	uint32_t alone = 0;
	bool idle = false, shared = false;
	for (int w = 0; w < banks.n; w++) {
		for (int bank = 0; bank < MODEL_BANKS; bank++) {
			uint32_t lanes = banks.lanes[w][bank];
			bool several = (lanes & (lanes - 1)) != 0;
			shared |= several;
			alone |= several ? 0 : lanes;
			idle |= banks.wavefronts[w].word[bank] < 0;
		}
	}
	bool numbers = grid.pitch >= 3;
	view_notes_add_legend(&notes, numbers ? 0 : alone,
		(const char *const[]){
			numbers && alone ? "number: lane" : "", idle ? "·: idle" : "", shared ? "*: shared word" : ""},
		3);
	view_note_inactive(&notes, banks.access->active);
	if (access_doubt(banks.access, input->cc))
		view_notes_add(&notes, ROLE_DIM, "this rule %s", access_doubt(banks.access, input->cc));

	/* The notes may take the rows beyond the first four wavefronts; below that notes give way. */
	int header = 1 + (rect.rows >= 13), room = rect.rows - header;
	int note_rows = view_notes_fit(&notes, room - (banks.n < 4 ? banks.n : 4), rect.cols);
	struct view_elision e = view_elide(banks.n, room - note_rows);
	int wavefront_rows = e.head + (e.left_out > 0) + e.tail, spare = room - note_rows - wavefront_rows;

	/* The last of `rows` has the numbers of the banks; one above names what is numbered, at the left the rows. */
	int header_row = rect.row;
	if (header > 1)
		canvas_text_fit(
			canvas, (struct rect){header_row++, grid.col, 1, grid.cols}, ROLE_DIM, "wavefront   bank");
	else
		canvas_text_fit(canvas, (struct rect){header_row, grid.col, 1, grid.label - 1}, ROLE_DIM, "bank");
	for (int bank = 0; bank < MODEL_BANKS; bank += grid.pitch == 3 ? 1 : grid.pitch == 2 ? 2 : 4)
		canvas_textf(canvas, header_row, bank_col(&grid, bank), ROLE_DIM, grid.pitch == 3 ? "%2d" : "%d", bank);
	for (int bank = 0; bank < MODEL_BANKS; bank++)
		view_spot_of(canvas, grid.input,
			(struct rect){header_row, bank_col(&grid, bank), 1, grid.pitch == 3 ? 2 : 1}, THING_BANK, bank);
	if (grid.totals)
		canvas_text(canvas, header_row, totals_col(&grid), ROLE_DIM, "lanes  words");

	int wavefronts_row = rect.row + header;
	for (int w = 0; w < e.head; w++)
		draw_wavefront(canvas, &grid, wavefronts_row++, &banks, w);
	if (e.left_out) {
		/* What the wavefronts left out have in common: lanes served by each, when all serve equally many. */
		int low = WARP_SIZE, high = 0;
		for (int w = e.head; w < e.head + e.left_out; w++) {
			int lanes = __builtin_popcount(banks.wavefronts[w].lanes);
			low = lanes < low ? lanes : low;
			high = lanes > high ? lanes : high;
		}
		struct buf text = {0};
		buf_printf(&text, "⋮ %d more wavefronts, ", e.left_out);
		if (low == high)
			buf_printf(&text, "each %d lane%s", low, view_plural(low));
		else
			buf_printf(&text, "%d to %d lanes each", low, high);
		canvas_text_fit(
			canvas, (struct rect){wavefronts_row++, grid.col, 1, grid.cols}, ROLE_STRONG, buf_str(&text));
		buf_free(&text);
	}
	for (int w = banks.n - e.tail; w < banks.n; w++)
		draw_wavefront(canvas, &grid, wavefronts_row++, &banks, w);

	int row = rect.row + header + wavefront_rows + (spare > 0);
	view_notes_draw(canvas, (struct rect){row, rect.col, note_rows, rect.cols}, &notes);
	row += note_rows + (spare > 1);

	/* Where in memory the words lie, in what room is left: drawn when it shows more than one row. */
	int64_t at[VIEW_BANKS_MAP_MAX];
	int n = banks_map(&banks, at), left = rect.row + rect.rows - row;
	/* Below this it would leave out most, or repeat the wavefronts. */
	if (n < 2 || left < 5 || (n == banks.n && left < 8))
		return;
	canvas_text_fit(canvas, (struct rect){row++, rect.col, 1, rect.cols}, ROLE_TITLE,
		"in memory: rows of 32 words from word w");
	e = view_elide(n, left - 1);
	for (int i = 0; i < e.head; i++)
		draw_map_row(canvas, &grid, row++, &banks, at[i]);
	if (e.left_out)
		canvas_textf(canvas, row++, rect.col, ROLE_DIM, "⋮ %d more rows", e.left_out);
	for (int i = n - e.tail; i < n; i++)
		draw_map_row(canvas, &grid, row++, &banks, at[i]);
}

static void describe_banks(const struct view_input *input, struct buf *out)
{
	struct bank_wavefront wavefronts[BANKS_WAVEFRONTS_MAX];
	int n = bank_wavefronts(input->access, input->cc, wavefronts, BANKS_WAVEFRONTS_MAX);
	buf_printf(out, "The request takes %d wavefront%s; the fewest it could take are %d.\n", n, view_plural(n),
		bank_ideal(input->access, input->cc));
	for (int w = 0; w < n; w++) {
		buf_printf(out, "Wavefront %d serves ", w + 1);

		uint32_t of_lanes = wavefronts[w].lanes;
		buf_puts(out, "");
		view_write_lanes(of_lanes, 6, out);
		buf_puts(out, ".\n");
	}
}

const struct view_drawer view_drawer_banks = {.draw = draw_banks,
	.lacks = banks_lacks,
	.moments = banks_moments,
	.describe = describe_banks};
