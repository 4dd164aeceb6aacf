#include <string.h>

#include "front/view/banks.h"
#include "front/view/light.h"
#include "front/view/views.h"

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

/* All words of a lane come in one wavefront. */
static void place_lane(struct view_banks *b, int wavefront, int lane)
{
	uint64_t first = b->access->address[lane], last = first + b->access->width - 1u;
	for (uint64_t word = first / MODEL_BANK_BYTES; word <= last / MODEL_BANK_BYTES; word++)
		b->lanes[wavefront][word % MODEL_BANKS] |= (uint32_t)1 << lane;
}

void view_banks_of(struct view_banks *b, const struct view_input *input)
{
	memset(b, 0, sizeof *b);
	b->input = input;
	b->access = input->access;
	b->n = bank_wavefronts(input->access, input->cc, b->wavefronts, BANKS_WAVEFRONTS_MAX);
	if (b->n > BANKS_WAVEFRONTS_MAX)
		b->n = BANKS_WAVEFRONTS_MAX;
	b->ideal = bank_ideal(input->access, input->cc);
	uint32_t groups[BANKS_GROUPS_MAX];
	b->groups = bank_groups(input->access, input->cc, groups);
	b->conflicts = bank_conflicts(input->access, input->cc, b->n);
	for (int w = 0; w < b->n; w++)
		for (int lane = 0; lane < WARP_SIZE; lane++)
			if (b->wavefronts[w].lanes >> lane & 1)
				place_lane(b, w, lane);
	b->moment = input->moment > 0 && input->moment <= b->n ? input->moment : 0;
	for (int w = b->moment; b->moment && w < b->n; w++) {
		memset(b->lanes[w], 0, sizeof b->lanes[w]);
		for (int bank = 0; bank < MODEL_BANKS; bank++)
			b->wavefronts[w].word[bank] = -1;
		b->wavefronts[w].lanes = 0;
	}
}

static int banks_moments(const struct view_input *input)
{
	return bank_wavefronts(input->access, input->cc, NULL, BANKS_WAVEFRONTS_MAX);
}

int view_banks_load(const struct view_banks *b, int bank)
{
	int n = 0;
	for (int w = 0; w < b->n; w++)
		n += b->wavefronts[w].word[bank] >= 0;
	return n;
}

static int busiest_bank(const struct view_banks *b)
{
	int best = 0;
	for (int bank = 1; bank < MODEL_BANKS; bank++)
		if (view_banks_load(b, bank) > view_banks_load(b, best))
			best = bank;
	return best;
}

static bool shares_a_word(const struct view_banks *b, int *wavefront, int *bank)
{
	int most = 1;
	for (int w = 0; w < b->n; w++) {
		for (int i = 0; i < MODEL_BANKS; i++) {
			int lanes = __builtin_popcount(b->lanes[w][i]);
			if (lanes > most) {
				most = lanes;
				*wavefront = w;
				*bank = i;
			}
		}
	}
	return most > 1;
}

/* --- notes -------------------------------------------------------------------------------------------------------- */

void view_banks_note_summary(struct view_notes *notes, const struct view_banks *b, int cols)
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

/* The words of the busiest bank with their lanes, in the order they come; blanks that must not part are hard ones. */
static void list_words(const struct view_banks *b, int bank, struct buf *text)
{
	for (int w = 0, said = 0; w < b->n; w++) {
		if (b->wavefronts[w].word[bank] < 0)
			continue;
		buf_printf(text, said++ ? ", word\u00A0%lld\u00A0(" : "word\u00A0%lld\u00A0(",
			(long long)b->wavefronts[w].word[bank]);
		struct buf lanes = {0};
		view_write_lanes(b->lanes[w][bank], 2, &lanes);
		for (size_t i = 0; i < lanes.len; i++) {
			if (lanes.data[i] == ' ')
				buf_puts(text, "\u00A0");
			else
				buf_putc(text, lanes.data[i]);
		}
		buf_putc(text, ')');
		buf_free(&lanes);
	}
}

/* Why it takes more than one: what the busiest bank must deliver. */
static void note_busiest(struct view_notes *notes, const struct view_banks *b)
{
	int bank = busiest_bank(b), n = view_banks_load(b, bank);
	struct buf text = {0};
	if (warp_op_is_atomic(b->access->op) && b->access->op != ACCESS_COUNT) {
		bool twice = b->access->op == ACCESS_CAS || b->access->op == ACCESS_ADD_FLOAT;
		buf_printf(&text, "bank %d: %d lanes, %s: atomics take turns", bank, twice ? n / 2 : n,
			twice ? "two wavefronts each" : "one a wavefront");
	} else if (n <= 3) {
		buf_printf(&text, "bank %d: ", bank);
		list_words(b, bank, &text);
	} else {
		buf_printf(&text, "bank %d delivers %d words:", bank, n);
		for (int w = 0, said = 0; w < b->n && said < 3; w++)
			if (b->wavefronts[w].word[bank] >= 0)
				buf_printf(&text, said++ ? ",\u00A0%lld" : "\u00A0%lld",
					(long long)b->wavefronts[w].word[bank]);
		buf_puts(&text, ",\u00A0…");
	}
	view_notes_add(notes, ROLE_TEXT, "%s", buf_str(&text));
	buf_free(&text);
}

void view_banks_note_why(struct view_notes *notes, const struct view_banks *b)
{
	static const char *const parts[] = {"", "", "halves", "", "quarters"};
	int wavefront, bank;
	if (b->n > b->ideal && !b->moment) {
		note_busiest(notes, b);
	} else if (shares_a_word(b, &wavefront, &bank)) {
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

static void note_rest(struct view_notes *notes, const struct view_banks *b, const struct bank_grid *grid, int cc)
{
	uint32_t alone = 0;
	bool idle = false, shared = false;
	for (int w = 0; w < b->n; w++) {
		for (int bank = 0; bank < MODEL_BANKS; bank++) {
			uint32_t lanes = b->lanes[w][bank];
			bool several = (lanes & (lanes - 1)) != 0;
			shared |= several;
			alone |= several ? 0 : lanes;
			idle |= b->wavefronts[w].word[bank] < 0;
		}
	}
	bool numbers = grid->pitch >= 3;
	view_notes_add_legend(notes, numbers ? 0 : alone,
		(const char *const[]){
			numbers && alone ? "number: lane" : "", idle ? "·: idle" : "", shared ? "*: shared word" : ""},
		3);
	view_note_inactive(notes, b->access->active);
	if (access_doubt(b->access, cc))
		view_notes_add(notes, ROLE_DIM, "this rule %s", access_doubt(b->access, cc));
}

/* --- the grid ----------------------------------------------------------------------------------------------------- */

static struct bank_grid fit_bank_grid(struct rect rect)
{
	struct bank_grid g = {.row = rect.row, .col = rect.col, .cols = rect.cols, .label = 8, .pitch = 1};
	for (int pitch = 3; pitch > 1 && g.pitch == 1; pitch--)
		if (rect.cols >= g.label + pitch * MODEL_BANKS)
			g.pitch = pitch;
	if (rect.cols < g.label + MODEL_BANKS)
		g.label = rect.cols - MODEL_BANKS;
	g.totals = rect.cols >= g.label + g.pitch * MODEL_BANKS + 17;
	return g;
}

static int bank_col(const struct bank_grid *g, int bank)
{
	return g->col + g->label + bank * g->pitch;
}

static int totals_col(const struct bank_grid *g)
{
	return bank_col(g, MODEL_BANKS) + (g->pitch == 1);
}

/* The last of `rows` has the numbers of the banks; one above names what is numbered, at the left the rows. */
static void draw_banks_header(struct canvas *canvas, const struct bank_grid *g, int row, int rows)
{
	if (rows > 1)
		canvas_text_fit(canvas, (struct rect){row++, g->col, 1, g->cols}, ROLE_DIM, "wavefront   bank");
	else
		canvas_text_fit(canvas, (struct rect){row, g->col, 1, g->label - 1}, ROLE_DIM, "bank");
	for (int bank = 0; bank < MODEL_BANKS; bank += g->pitch == 3 ? 1 : g->pitch == 2 ? 2 : 4)
		canvas_textf(canvas, row, bank_col(g, bank), ROLE_DIM, g->pitch == 3 ? "%2d" : "%d", bank);
	for (int bank = 0; bank < MODEL_BANKS; bank++)
		view_spot_of(canvas, g->input, (struct rect){row, bank_col(g, bank), 1, g->pitch == 3 ? 2 : 1},
			THING_BANK, bank);
	if (g->totals)
		canvas_text(canvas, row, totals_col(g), ROLE_DIM, "lanes  words");
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

static void draw_totals(
	struct canvas *canvas, const struct bank_grid *g, int row, const struct bank_wavefront *wavefront)
{
	int64_t low = INT64_MAX, high = -1;
	for (int bank = 0; bank < MODEL_BANKS; bank++) {
		if (wavefront->word[bank] < 0)
			continue;
		low = wavefront->word[bank] < low ? wavefront->word[bank] : low;
		high = wavefront->word[bank] > high ? wavefront->word[bank] : high;
	}
	canvas_textf(canvas, row, totals_col(g), ROLE_TEXT, "%5d", __builtin_popcount(wavefront->lanes));
	if (high >= 0)
		canvas_textf(canvas, row, totals_col(g) + 7, ROLE_TEXT, low == high ? "%lld" : "%lld–%lld",
			(long long)low, (long long)high);
}

static void draw_wavefront(
	struct canvas *canvas, const struct bank_grid *g, int row, const struct view_banks *b, int wavefront)
{
	enum role role = view_wave_role(wavefront);
	canvas_textf(canvas, row, g->col, role, "%*d", g->label - 2, wavefront + 1);
	for (int bank = 0; bank < MODEL_BANKS; bank++)
		draw_cell(canvas, g, (struct bank_cell){row, bank, b->lanes[wavefront][bank], role});
	if (g->totals)
		draw_totals(canvas, g, row, &b->wavefronts[wavefront]);
}

/* What the wavefronts left out have in common: lanes served by each, when all serve equally many. */
static void draw_banks_left_out(
	struct canvas *canvas, const struct bank_grid *g, int row, const struct view_banks *b, struct view_elision e)
{
	int low = WARP_SIZE, high = 0;
	for (int w = e.head; w < e.head + e.left_out; w++) {
		int lanes = __builtin_popcount(b->wavefronts[w].lanes);
		low = lanes < low ? lanes : low;
		high = lanes > high ? lanes : high;
	}
	struct buf text = {0};
	buf_printf(&text, "⋮ %d more wavefronts, ", e.left_out);
	if (low == high)
		buf_printf(&text, "each %d lane%s", low, view_plural(low));
	else
		buf_printf(&text, "%d to %d lanes each", low, high);
	canvas_text_fit(canvas, (struct rect){row, g->col, 1, g->cols}, ROLE_STRONG, buf_str(&text));
	buf_free(&text);
}

static void draw_wavefronts(
	struct canvas *canvas, const struct bank_grid *g, int row, const struct view_banks *b, struct view_elision e)
{
	for (int w = 0; w < e.head; w++)
		draw_wavefront(canvas, g, row++, b, w);
	if (e.left_out)
		draw_banks_left_out(canvas, g, row++, b, e);
	for (int w = b->n - e.tail; w < b->n; w++)
		draw_wavefront(canvas, g, row++, b, w);
}

/* --- the map of shared memory ------------------------------------------------------------------------------------- */

/* Rows of 32 words that the access touches, ascending, without repeats. */
int view_banks_map(const struct view_banks *b, int64_t out[VIEW_BANKS_MAP_MAX])
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

/* Where in memory the words lie, in what room is left: drawn when it shows more than one row. */
static void draw_map(struct canvas *canvas, const struct bank_grid *g, struct rect rect, const struct view_banks *b)
{
	int64_t at[VIEW_BANKS_MAP_MAX];
	int n = view_banks_map(b, at), row = rect.row;
	/* Below this it would leave out most, or repeat the wavefronts. */
	if (n < 2 || rect.rows < 5 || (n == b->n && rect.rows < 8))
		return;
	canvas_text_fit(canvas, (struct rect){row++, rect.col, 1, rect.cols}, ROLE_TITLE,
		"in memory: rows of 32 words from word w");
	struct view_elision e = view_elide(n, rect.rows - 1);
	for (int i = 0; i < e.head; i++)
		draw_map_row(canvas, g, row++, b, at[i]);
	if (e.left_out)
		canvas_textf(canvas, row++, rect.col, ROLE_DIM, "⋮ %d more rows", e.left_out);
	for (int i = n - e.tail; i < n; i++)
		draw_map_row(canvas, g, row++, b, at[i]);
}

static void draw_banks(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	struct bank_grid grid = fit_bank_grid(rect);
	struct view_banks banks;
	grid.input = input;
	view_banks_of(&banks, input);
	if (banks.n == 0) {
		view_draw_sentence(canvas, rect, ROLE_DIM, "No lane is active: the request takes no wavefront.");
		return;
	}
	if (input->roomy) {
		view_draw_banks_roomy(canvas, rect, &banks, input->cc);
		return;
	}
	struct view_notes notes = {0};
	view_banks_note_summary(&notes, &banks, rect.cols);
	view_banks_note_why(&notes, &banks);
	note_rest(&notes, &banks, &grid, input->cc);

	/* The notes may take the rows beyond the first four wavefronts; below that notes give way. */
	int header = 1 + (rect.rows >= 13), room = rect.rows - header;
	int note_rows = view_notes_fit(&notes, room - (banks.n < 4 ? banks.n : 4), rect.cols);
	struct view_elision e = view_elide(banks.n, room - note_rows);
	int wavefront_rows = e.head + (e.left_out > 0) + e.tail, spare = room - note_rows - wavefront_rows;
	draw_banks_header(canvas, &grid, rect.row, header);
	draw_wavefronts(canvas, &grid, rect.row + header, &banks, e);
	int row = rect.row + header + wavefront_rows + (spare > 0);
	view_notes_draw(canvas, (struct rect){row, rect.col, note_rows, rect.cols}, &notes);
	row += note_rows + (spare > 1);
	draw_map(canvas, &grid, (struct rect){row, rect.col, rect.row + rect.rows - row, rect.cols}, &banks);
}

const struct view_drawer view_drawer_banks = {.draw = draw_banks, .lacks = banks_lacks, .moments = banks_moments};
