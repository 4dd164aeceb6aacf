#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "front/view/draw.h"
#include "front/view/views.h"
#include "model/hardware/access.h"

#define VIEW_LINE_WORDS (MODEL_LINE_BYTES / 4)
#define VIEW_LINE_SECTORS (MODEL_LINE_BYTES / MODEL_SECTOR_BYTES)
#define VIEW_SECTOR_WORDS (VIEW_LINE_WORDS / VIEW_LINE_SECTORS)

/* One 128-byte line: for each of its 4-byte words the lanes with a byte in it. */
struct view_sector_line {
	uint64_t at;                 /* address / 128 */
	unsigned moved;              /* bit i: sector i is moved */
	int bytes;                   /* used, of 32 for each moved sector */
	int used[VIEW_LINE_SECTORS]; /* the same of each sector */
	uint32_t lanes[VIEW_LINE_WORDS];
};

struct view_sectors {
	const struct view_input *input;
	const struct warp_access *access;
	struct access_cost cost;
	int cc;
	int moment, sectors; /* the sector that is moved now, from 1, of so many; 0: all were */
	int n;
	struct view_sector_line at[SECTORS_MAX];
};

/* Columns: a label, `pitch` columns a word, a bound before each sector where there is room, and totals of the line. */
struct sector_grid {
	int col, cols, label, pitch;
	bool bounds, totals;
};

static const char *sectors_lacks(const struct view_input *input)
{
	if (!input->access)
		return view_no_access(input);
	if (input->access->space == SPACE_SHARED)
		return !view_offers(input, VIEW_BANKS)
			? "The watched line accesses shared memory, which moves no sectors."
			: warp_op_is_atomic(input->access->op) && view_offers(input, VIEW_ATOMICS)
			? "The watched line accesses shared memory, which moves no sectors: the views \"banks\" and \"atomics\" are for it."
			: "The watched line accesses shared memory, which moves no sectors: the view \"banks\" is for it.";
	if (input->access->space != SPACE_GLOBAL)
		return "The watched line accesses memory that has no sectors of its own.";
	return NULL;
}

/* The sector's number from the first of the first line on. */
static int64_t sector_index(const struct view_sectors *lines, const struct view_sector_line *line, int sector)
{
	return (int64_t)(line->at - lines->at[0].at) * VIEW_LINE_SECTORS + sector;
}

static int sectors_moments(const struct view_input *input)
{
	return sector_uses(input->access, NULL);
}

/* "████████░░░░░░░░   50 %" */
static void sectors_bar(struct canvas *canvas, struct rect r, const struct access_cost *cost)
{
	int width = r.cols - 8, moved = cost->bytes_moved, used = cost->bytes_used;
	int full = (used * width + moved / 2) / moved;
	/* Never empty or full unless that is exactly so. */
	full = full == 0 && used > 0 ? 1 : full == width && used < moved ? width - 1 : full;
	canvas_fill(canvas, (struct rect){r.row, r.col, 1, full}, GLYPH_BLOCK_FULL, ROLE_USED);
	canvas_fill(canvas, (struct rect){r.row, r.col + full, 1, width - full}, GLYPH_BLOCK_LIGHT, ROLE_WASTED);
	struct buf percent = {0};
	value_format(100.0 * used / moved, &percent);
	canvas_textf(canvas, r.row, r.col + width, ROLE_STRONG, "%6s %%", buf_str(&percent));
	buf_free(&percent);
}

static int word_col(const struct sector_grid *g, int word)
{
	return g->col + g->label + word * g->pitch + (g->bounds ? word / VIEW_SECTOR_WORDS : 0);
}

static int right_of(const struct sector_grid *g)
{
	return word_col(g, VIEW_LINE_WORDS - 1) + g->pitch;
}

/* Lines are named by their distance from the first: where an array lies in memory is of no interest here. */
static void draw_sector_line(
	struct canvas *canvas, const struct sector_grid *g, int row, const struct view_sectors *lines, int index)
{
	const struct view_sector_line *line = &lines->at[index];
	uint64_t distance = (line->at - lines->at[0].at) * MODEL_LINE_BYTES;

	/* "+384", and where the digits do not fit "+12K": bytes from the first line. */
	const char *unit = "KMGTPE";
	char text[32];
	int cols = snprintf(text, sizeof text, "+%llu", (unsigned long long)distance);
	for (; cols > g->label - 1 && *unit; unit++) {
		distance /= 1024;
		cols = snprintf(text, sizeof text, "+%llu%c", (unsigned long long)distance, *unit);
	}
	canvas_text(canvas, row, g->col, ROLE_DIM, text);

	for (int w = 0; w < VIEW_LINE_WORDS; w++) {
		uint32_t lanes = line->lanes[w];
		if (g->bounds && w > 0 && w % VIEW_SECTOR_WORDS == 0)
			canvas_put(canvas, row, word_col(g, w) - 1, GLYPH_LINE_V, ROLE_FRAME);
		if (!(line->moved >> w / VIEW_SECTOR_WORDS & 1))
			continue;
		if (!lanes)
			canvas_put(canvas, row, word_col(g, w), GLYPH_MIDDLE_DOT, ROLE_WASTED);
		else if (lanes & (lanes - 1))
			canvas_put(canvas, row, word_col(g, w), '*', ROLE_BROADCAST);
		else
			canvas_put(canvas, row, word_col(g, w), view_lane_digit(__builtin_ctz(lanes)), ROLE_USED);
		int64_t sector = sector_index(lines, line, w / VIEW_SECTOR_WORDS);
		view_spot(canvas, lines->input, (struct rect){row, word_col(g, w), 1, 1},
			&(struct view_shows){lanes ? (struct view_pick){THING_LANE, __builtin_ctz(lanes)}
						   : (struct view_pick){THING_SECTOR, sector},
				lanes, {THING_SECTOR, sector, 1}});
	}
	if (g->totals)
		canvas_textf(canvas, row, right_of(g), ROLE_TEXT, "  %3d of %3d B", line->bytes,
			__builtin_popcount(line->moved) * MODEL_SECTOR_BYTES);
}

/* "8 sectors, ideal 4: 128 of 256 bytes used" */
static void sectors_note_summary(struct view_notes *notes, const struct view_sectors *lines, int cols)
{
	const struct access_cost *cost = &lines->cost;
	if (lines->moment) {
		view_notes_add(notes, ROLE_TEXT, "sector %d of %d: %d of %d %s", lines->moment, lines->sectors,
			cost->bytes_used, cost->bytes_moved, cols >= 44 ? "bytes used" : "bytes");
		return;
	}
	view_notes_add(notes, cost->sectors > cost->ideal_sectors ? ROLE_CONFLICT : ROLE_GOOD,
		"%d sector%s, ideal %d: %d of %d %s", cost->sectors, view_plural(cost->sectors), cost->ideal_sectors,
		cost->bytes_used, cost->bytes_moved, cols >= 44 ? "bytes used" : "bytes");
	if (cost->sectors > cost->bytes_moved / MODEL_SECTOR_BYTES)
		view_notes_add(notes, ROLE_TEXT, "lanes at one address take turns: each counts a sector");
}

/* The sectors as boxes: a frame for each 128-byte line, four sectors in it, a cell for each of their words, filled
 * where a lane accesses it and hatched where it is moved and not used. */

#define PITCH_MIN 3
#define PITCH_MAX 6
#define BOX_ROWS 3 /* and one for the lanes of each sector, where there is room */

/* Columns of a word, and of a sector with its bound. */
struct boxes {
	struct rect rect;
	int pitch, sector;
	int rows; /* of a box */
};

static int sector_col(const struct boxes *g, int sector)
{
	return g->rect.col + 1 + sector * g->sector;
}

static void draw_line_box(
	struct canvas *canvas, const struct boxes *g, int row, const struct view_sectors *lines, int index)
{
	const struct view_sector_line *line = &lines->at[index];
	char title[64];
	snprintf(title, sizeof title, "cache line +%llu: %d of %d bytes moved",
		(unsigned long long)(line->at - lines->at[0].at) * MODEL_LINE_BYTES,
		__builtin_popcount(line->moved) * MODEL_SECTOR_BYTES, MODEL_LINE_BYTES);
	canvas_box(
		canvas, (struct rect){row, g->rect.col, g->rows, VIEW_LINE_SECTORS * g->sector + 1}, ROLE_FRAME, NULL);

	for (int word = 0, n; word < VIEW_LINE_WORDS; word += n) {
		char text[16];
		uint32_t lanes = line->lanes[word];
		n = 1; /* words from this one on of the same sector that the same lanes want */
		while (lanes && (word + n) % VIEW_SECTOR_WORDS && line->lanes[word + n] == lanes)
			n++;

		/* The cell of `n` words of a sector from one on: the last column of the sector is the bound. */
		int last = (word + n) % VIEW_SECTOR_WORDS == 0;
		struct rect r = {row + 1, g->rect.col + 1 + word * g->pitch, 1, n * g->pitch - last};
		int64_t sector = sector_index(lines, line, word / VIEW_SECTOR_WORDS);
		if (!(line->moved >> word / VIEW_SECTOR_WORDS & 1))
			continue;
		if (!lanes) {
			canvas_fill(canvas, r, GLYPH_BLOCK_LIGHT, ROLE_WASTED);
			view_spot_of(canvas, lines->input, r, THING_SECTOR, sector);
			continue;
		}
		if (lanes & (lanes - 1))
			snprintf(text, sizeof text, "%d×", __builtin_popcount(lanes));
		else
			snprintf(text, sizeof text, "%2d", __builtin_ctz(lanes));
		if (utf8_columns(text) > r.cols) /* "32×" before a bound */
			text[2] = '\0';
		view_draw_cell(canvas, r, ROLE_USED, text);
		if (n > 1) {
			canvas_put_on(canvas, r, '[', ROLE_PAPER, ROLE_USED);
			canvas_put_on(
				canvas, (struct rect){row + 1, r.col + r.cols - 1, 1, 1}, ']', ROLE_PAPER, ROLE_USED);
		}
		view_spot(canvas, lines->input, r,
			&(struct view_shows){{THING_LANE, __builtin_ctz(lanes)}, lanes, {THING_SECTOR, sector, 1}});
	}

	for (int s = 0; s < VIEW_LINE_SECTORS; s++) {
		/* Below a sector what it is worth: "sector 0: 16 of 32 B"; one that is not moved says so in its
		 * middle. */
		int sector_row = row + 1;
		char text[40];
		bool moved = line->moved >> s & 1;
		if (moved)
			snprintf(text, sizeof text, " sector %d: %d of %d B ", s, line->used[s], MODEL_SECTOR_BYTES);
		else
			snprintf(text, sizeof text, "not moved");
		int at = sector_col(g, s) + (g->sector - 1 - utf8_columns(text)) / 2;
		enum role role = !moved ? ROLE_IDLE : line->used[s] < MODEL_SECTOR_BYTES ? ROLE_WASTED : ROLE_GOOD;
		int bottom = sector_row + g->rows - 2;
		canvas_text(canvas, moved ? bottom : sector_row, at, role, text);
		view_spot_of(canvas, lines->input,
			(struct rect){moved ? bottom : sector_row, at, 1, utf8_columns(text)}, THING_SECTOR,
			sector_index(lines, line, s));
		if (moved && g->rows > BOX_ROWS) {
			/* "bytes +32–63: lanes 0–7"; the bytes give way where there is no room for both. */
			uint32_t lanes = 0;
			unsigned long long from = (line->at - lines->at[0].at) * MODEL_LINE_BYTES +
				(unsigned)s * MODEL_SECTOR_BYTES;
			struct buf of = {0};
			for (int w = 0; w < VIEW_SECTOR_WORDS; w++)
				lanes |= line->lanes[s * VIEW_SECTOR_WORDS + w];
			buf_printf(&of, "bytes +%llu–%llu: ", from, from + MODEL_SECTOR_BYTES - 1);
			view_write_lanes(lanes, 2, &of);
			int cols = utf8_columns(buf_str(&of)), room = g->sector - 1;
			if (cols > room) {
				buf_clear(&of);
				view_write_lanes(lanes, 2, &of);
				cols = utf8_columns(buf_str(&of));
			}
			canvas_text_fit(canvas,
				(struct rect){sector_row + 1, sector_col(g, s) + (cols < room ? (room - cols) / 2 : 0),
					1, room},
				ROLE_DIM, buf_str(&of));
			buf_free(&of);
		}
		if (s == 0)
			continue;
		canvas_put(canvas, sector_row - 1, sector_col(g, s) - 1, GLYPH_TEE_DOWN, ROLE_FRAME);
		for (int r = sector_row; r < bottom; r++)
			canvas_put(canvas, r, sector_col(g, s) - 1, GLYPH_LINE_V, ROLE_FRAME);
		canvas_put(canvas, bottom, sector_col(g, s) - 1, GLYPH_TEE_UP, ROLE_FRAME);
	}
	canvas_textf(canvas, row, g->rect.col + 2, ROLE_TEXT, " %s ", title);
}

static void draw_sectors(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	struct sector_grid grid = {.col = rect.col, .cols = rect.cols, .label = 7, .pitch = 1};
	if (rect.cols >= grid.label + 2 * VIEW_LINE_WORDS + VIEW_LINE_SECTORS)
		grid.pitch = 2;
	grid.bounds = rect.cols >= grid.label + grid.pitch * VIEW_LINE_WORDS + VIEW_LINE_SECTORS - 1;
	if (rect.cols < grid.label + VIEW_LINE_WORDS)
		grid.label = rect.cols - VIEW_LINE_WORDS;
	grid.totals = rect.cols >= grid.label + grid.pitch * VIEW_LINE_WORDS + VIEW_LINE_SECTORS - 1 + 15;

	struct view_sectors lines;

	memset(&lines, 0, sizeof(lines));
	lines.input = input;
	lines.access = input->access;
	lines.cc = input->cc;
	lines.cost = access_cost(input->access, input->cc);
	struct sector_use uses[SECTORS_MAX];
	int n = sector_uses(input->access, uses);
	lines.sectors = n;
	lines.moment = input->moment > 0 && input->moment <= n ? input->moment : 0;
	for (int i = 0; i < n; i++) {
		uint64_t at = uses[i].sector / VIEW_LINE_SECTORS;
		if (lines.n == 0 || lines.at[lines.n - 1].at != at)
			lines.at[lines.n++].at = at;
		struct view_sector_line *line = &lines.at[lines.n - 1];
		line->moved |= 1u << uses[i].sector % VIEW_LINE_SECTORS;
		line->used[uses[i].sector % VIEW_LINE_SECTORS] = __builtin_popcount(uses[i].bytes);
		line->bytes += __builtin_popcount(uses[i].bytes);
	}
	const struct warp_access *a = input->access;
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		for (int i = 0; (a->active >> lane & 1) && i < lines.n; i++) {
			uint64_t base = lines.at[i].at * MODEL_LINE_BYTES, last = a->address[lane] + a->width - 1u;
			for (uint64_t w = a->address[lane] / 4; w <= last / 4; w++)
				if (w * 4 >= base && w * 4 < base + MODEL_LINE_BYTES)
					lines.at[i].lanes[w * 4 % MODEL_LINE_BYTES / 4] |= (uint32_t)1 << lane;
		}
	}

	if (lines.moment) {
		/* What is moved after the moment is not there yet; the counts go along. */
		int index = 0;
		lines.cost.bytes_used = lines.cost.bytes_moved = 0;
		for (int i = 0; i < lines.n; i++) {
			struct view_sector_line *line = &lines.at[i];
			for (int s = 0; s < VIEW_LINE_SECTORS; s++) {
				if (!(line->moved >> s & 1))
					continue;
				if (index++ < lines.moment) {
					lines.cost.bytes_used += line->used[s];
					lines.cost.bytes_moved += MODEL_SECTOR_BYTES;
					continue;
				}
				line->moved &= ~(1u << s);
				line->bytes -= line->used[s];
				memset(line->lanes + s * VIEW_SECTOR_WORDS, 0, VIEW_SECTOR_WORDS * sizeof *line->lanes);
			}
		}
	}
	if (lines.n == 0) {
		view_draw_sentence(canvas, rect, ROLE_DIM, "No lane is active, so the warp makes no request.");
		return;
	}
	if (input->roomy) {
		struct boxes g = {.rect = rect, .rows = BOX_ROWS, .pitch = (rect.cols - 1) / VIEW_LINE_WORDS};
		g.pitch = g.pitch > PITCH_MAX ? PITCH_MAX : g.pitch;
		g.sector = VIEW_SECTOR_WORDS * g.pitch;

		struct view_notes above = {0}, below = {0};
		sectors_note_summary(&above, &lines, rect.cols);

		bool idle = false;
		int signs_most = 1; /* lanes of a word */
		for (int i = 0; i < lines.n; i++) {
			for (int w = 0; w < VIEW_LINE_WORDS; w++) {
				uint32_t lanes = lines.at[i].lanes[w];
				signs_most = __builtin_popcount(lanes) > signs_most ? __builtin_popcount(lanes)
										    : signs_most;
				idle |= !lanes && (lines.at[i].moved >> w / VIEW_SECTOR_WORDS & 1);
			}
		}
		char shared[64] = "";
		if (signs_most > 1)
			snprintf(shared, sizeof shared, "; %d×: %d\u00a0lanes access them", signs_most, signs_most);
		view_notes_add(&below, ROLE_DIM, "a cell is 4\u00a0bytes, with the lane that accesses them%s%s%s",
			lines.access->width > 4 ? "; [ ]: the bytes of one lane" : "", shared,
			idle ? "; ░: moved, not used" : "");

		view_note_inactive(&below, lines.access->active);
		if (access_doubt(lines.access, lines.cc))
			view_notes_add(&below, ROLE_DIM, "this rule %s", access_doubt(lines.access, lines.cc));
		int row = rect.row, end = rect.row + rect.rows, rows = view_notes_fit(&above, 2, rect.cols);
		view_notes_draw(canvas, (struct rect){row, rect.col, rows, rect.cols}, &above);
		row += rows;
		canvas_text(canvas, row, rect.col, ROLE_DIM, "used");
		sectors_bar(
			canvas, (struct rect){row, rect.col + 7, 1, VIEW_LINE_SECTORS * g.sector + 1 - 7}, &lines.cost);
		row += 1 + (rect.rows > 12);
		int most = end - row - (lines.n * BOX_ROWS < end - row - 2 ? lines.n * BOX_ROWS : end - row - 2);
		rows = view_notes_fit(&below, most < 3 ? most : 3, rect.cols);
		g.rows += end - row - rows >= lines.n * (BOX_ROWS + 1);

		int room = end - row - rows;
		struct view_elision e = {.head = lines.n};
		if (lines.n * g.rows > room) {
			int shown = (room - 1) / g.rows;
			e = (struct view_elision){shown > 2 ? shown - 1 : shown, lines.n - shown, shown > 2};
		}
		for (int i = 0; i < e.head; i++, row += g.rows)
			draw_line_box(canvas, &g, row, &lines, i);
		if (e.left_out) {
			int sectors = 0;
			for (int i = e.head; i < e.head + e.left_out; i++)
				sectors += __builtin_popcount(lines.at[i].moved);
			char text[80];
			snprintf(text, sizeof text, "⋮ %d more cache line%s with %d sector%s", e.left_out,
				view_plural(e.left_out), sectors, view_plural(sectors));
			canvas_text_fit(canvas, (struct rect){row++, g.rect.col, 1, g.rect.cols}, ROLE_STRONG, text);
		}
		for (int i = lines.n - e.tail; i < lines.n; i++, row += g.rows)
			draw_line_box(canvas, &g, row, &lines, i);
		view_notes_draw(canvas, (struct rect){row, rect.col, end - row, rect.cols}, &below);

		return;
	}
	struct view_notes notes = {0};
	sectors_note_summary(&notes, &lines, rect.cols);

	bool shared = false, idle = false;
	uint32_t alone = 0;
	for (int i = 0; i < lines.n; i++) {
		for (int w = 0; w < VIEW_LINE_WORDS; w++) {
			uint32_t lanes = lines.at[i].lanes[w];
			bool several = (lanes & (lanes - 1)) != 0;
			shared |= several;
			alone |= several ? 0 : lanes;
			idle |= !lanes && (lines.at[i].moved >> w / VIEW_SECTOR_WORDS & 1);
		}
	}
	view_notes_add_legend(
		&notes, alone, (const char *const[]){idle ? "·: unused" : "", shared ? "*: several" : ""}, 2);
	view_note_inactive(&notes, lines.access->active);
	if (access_doubt(lines.access, lines.cc))
		view_notes_add(&notes, ROLE_DIM, "this rule %s", access_doubt(lines.access, lines.cc));

	int room = rect.rows - 2;
	int note_rows = view_notes_fit(&notes, room - (lines.n < 3 ? lines.n : 3), rect.cols);
	struct view_elision e = view_elide(lines.n, room - note_rows);
	int spare = room - note_rows - e.head - (e.left_out > 0) - e.tail, row = rect.row;

	int header_row = row++;
	canvas_text_fit(canvas, (struct rect){header_row, grid.col, 1, grid.label - 1}, ROLE_DIM, "bytes");
	for (int s = 0; s < VIEW_LINE_SECTORS; s++) {
		canvas_textf(canvas, header_row, word_col(&grid, s * VIEW_SECTOR_WORDS), ROLE_DIM,
			grid.bounds ? "sector %d" : "sect. %d", s);
		if (grid.bounds && s > 0)
			canvas_put(canvas, header_row, word_col(&grid, s * VIEW_SECTOR_WORDS) - 1, GLYPH_LINE_V,
				ROLE_FRAME);
	}
	if (grid.totals)
		canvas_text(canvas, header_row, right_of(&grid), ROLE_DIM, "  used of moved");

	for (int i = 0; i < e.head; i++)
		draw_sector_line(canvas, &grid, row++, &lines, i);
	if (e.left_out) {
		int sectors = 0;
		for (int i = e.head; i < e.head + e.left_out; i++)
			sectors += __builtin_popcount(lines.at[i].moved);
		struct buf text = {0};
		buf_printf(&text, "⋮ %d more cache line%s with %d sector%s", e.left_out, view_plural(e.left_out),
			sectors, view_plural(sectors));
		canvas_text_fit(canvas, (struct rect){row++, grid.col, 1, grid.cols}, ROLE_STRONG, buf_str(&text));
		buf_free(&text);
	}
	for (int i = lines.n - e.tail; i < lines.n; i++)
		draw_sector_line(canvas, &grid, row++, &lines, i);
	row += spare > 0;

	/* Bytes used of bytes moved, below the words. */
	int bar_row = row++;
	canvas_text_fit(canvas, (struct rect){bar_row, grid.col, 1, grid.label - 1}, ROLE_DIM, "used");
	sectors_bar(canvas, (struct rect){bar_row, grid.col + grid.label, 1, right_of(&grid) - grid.col - grid.label},
		&lines.cost);

	view_notes_draw(canvas, (struct rect){row, rect.col, note_rows, rect.cols}, &notes);
}

static void describe_sectors(const struct view_input *input, struct buf *out)
{
	struct sector_use uses[SECTORS_MAX];
	struct view_input each = *input;
	int n = sector_uses(input->access, uses);
	uint64_t first = n ? view_first_sector(input->access) : 0;
	buf_printf(out, "The request touches %d sector%s of 32 bytes.\n", n, view_plural(n));
	for (int i = 0; i < n; i++) {
		each.picked = (struct view_pick){THING_SECTOR, (int64_t)(uses[i].sector - first)};
		view_describe_pick(&each, out);
		buf_putc(out, '\n');
	}
}

const struct view_drawer view_drawer_sectors = {.draw = draw_sectors,
	.lacks = sectors_lacks,
	.moments = sectors_moments,
	.describe = describe_sectors};
