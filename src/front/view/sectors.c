#include "front/view/sectors.h"

#include "front/view/light.h"
#include "front/view/views.h"

#include <stdio.h>
#include <string.h>

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

void view_sectors_of(struct view_sectors *lines, const struct view_input *input)
{
	memset(lines, 0, sizeof *lines);
	lines->input = input;
	lines->access = input->access;
	lines->cc = input->cc;
	lines->cost = access_cost(input->access, input->cc);
	struct sector_use uses[SECTORS_MAX];
	int n = sector_uses(input->access, uses);
	lines->sectors = n;
	lines->moment = input->moment > 0 && input->moment <= n ? input->moment : 0;
	for (int i = 0; i < n; i++) {
		uint64_t at = uses[i].sector / VIEW_LINE_SECTORS;
		if (lines->n == 0 || lines->at[lines->n - 1].at != at)
			lines->at[lines->n++].at = at;
		struct view_sector_line *line = &lines->at[lines->n - 1];
		line->moved |= 1u << uses[i].sector % VIEW_LINE_SECTORS;
		line->used[uses[i].sector % VIEW_LINE_SECTORS] = __builtin_popcount(uses[i].bytes);
		line->bytes += __builtin_popcount(uses[i].bytes);
	}
	const struct warp_access *a = input->access;
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		for (int i = 0; (a->active >> lane & 1) && i < lines->n; i++) {
			uint64_t base = lines->at[i].at * MODEL_LINE_BYTES, last = a->address[lane] + a->width - 1u;
			for (uint64_t w = a->address[lane] / 4; w <= last / 4; w++)
				if (w * 4 >= base && w * 4 < base + MODEL_LINE_BYTES)
					lines->at[i].lanes[w * 4 % MODEL_LINE_BYTES / 4] |= (uint32_t)1 << lane;
		}
	}
}

int64_t view_sector_index(const struct view_sectors *lines, const struct view_sector_line *line, int sector)
{
	return (int64_t)(line->at - lines->at[0].at) * VIEW_LINE_SECTORS + sector;
}

/* What is moved after the moment is not there yet; the counts go along. */
static void hide_later(struct view_sectors *lines)
{
	int index = 0;
	lines->cost.bytes_used = lines->cost.bytes_moved = 0;
	for (int i = 0; i < lines->n; i++) {
		struct view_sector_line *line = &lines->at[i];
		for (int s = 0; s < VIEW_LINE_SECTORS; s++) {
			if (!(line->moved >> s & 1))
				continue;
			if (index++ < lines->moment) {
				lines->cost.bytes_used += line->used[s];
				lines->cost.bytes_moved += MODEL_SECTOR_BYTES;
				continue;
			}
			line->moved &= ~(1u << s);
			line->bytes -= line->used[s];
			memset(line->lanes + s * VIEW_SECTOR_WORDS, 0, VIEW_SECTOR_WORDS * sizeof *line->lanes);
		}
	}
}

static int sectors_moments(const struct view_input *input)
{
	return sector_uses(input->access, NULL);
}

/* "████████░░░░░░░░   50 %" */
void view_sectors_bar(struct canvas *canvas, struct rect r, const struct access_cost *cost)
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

static struct sector_grid fit_sector_grid(struct rect rect)
{
	struct sector_grid g = {.col = rect.col, .cols = rect.cols, .label = 7, .pitch = 1};
	if (rect.cols >= g.label + 2 * VIEW_LINE_WORDS + VIEW_LINE_SECTORS)
		g.pitch = 2;
	g.bounds = rect.cols >= g.label + g.pitch * VIEW_LINE_WORDS + VIEW_LINE_SECTORS - 1;
	if (rect.cols < g.label + VIEW_LINE_WORDS)
		g.label = rect.cols - VIEW_LINE_WORDS;
	g.totals = rect.cols >= g.label + g.pitch * VIEW_LINE_WORDS + VIEW_LINE_SECTORS - 1 + 15;
	return g;
}

static int word_col(const struct sector_grid *g, int word)
{
	return g->col + g->label + word * g->pitch + (g->bounds ? word / VIEW_SECTOR_WORDS : 0);
}

static int right_of(const struct sector_grid *g)
{
	return word_col(g, VIEW_LINE_WORDS - 1) + g->pitch;
}

static void draw_sectors_header(struct canvas *canvas, const struct sector_grid *g, int row)
{
	canvas_text_fit(canvas, (struct rect){row, g->col, 1, g->label - 1}, ROLE_DIM, "bytes");
	for (int s = 0; s < VIEW_LINE_SECTORS; s++) {
		canvas_textf(canvas, row, word_col(g, s * VIEW_SECTOR_WORDS), ROLE_DIM,
			g->bounds ? "sector %d" : "sect. %d", s);
		if (g->bounds && s > 0)
			canvas_put(canvas, row, word_col(g, s * VIEW_SECTOR_WORDS) - 1, GLYPH_LINE_V, ROLE_FRAME);
	}
	if (g->totals)
		canvas_text(canvas, row, right_of(g), ROLE_DIM, "  used of moved");
}

/* "+384", and where the digits do not fit "+12K": bytes from the first line. */
static void draw_label(struct canvas *canvas, const struct sector_grid *g, int row, uint64_t distance)
{
	const char *unit = "KMGTPE";
	char text[32];
	int cols = snprintf(text, sizeof text, "+%llu", (unsigned long long)distance);
	for (; cols > g->label - 1 && *unit; unit++) {
		distance /= 1024;
		cols = snprintf(text, sizeof text, "+%llu%c", (unsigned long long)distance, *unit);
	}
	canvas_text(canvas, row, g->col, ROLE_DIM, text);
}

/* Lines are named by their distance from the first: where an array lies in memory is of no interest here. */
static void draw_sector_line(
	struct canvas *canvas, const struct sector_grid *g, int row, const struct view_sectors *lines, int index)
{
	const struct view_sector_line *line = &lines->at[index];
	uint64_t distance = (line->at - lines->at[0].at) * MODEL_LINE_BYTES;
	draw_label(canvas, g, row, distance);
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
		int64_t sector = view_sector_index(lines, line, w / VIEW_SECTOR_WORDS);
		view_spot(canvas, lines->input, (struct rect){row, word_col(g, w), 1, 1},
			&(struct view_shows){lanes ? (struct view_pick){THING_LANE, __builtin_ctz(lanes)}
						   : (struct view_pick){THING_SECTOR, sector},
				lanes, {THING_SECTOR, sector, 1}});
	}
	if (g->totals)
		canvas_textf(canvas, row, right_of(g), ROLE_TEXT, "  %3d of %3d B", line->bytes,
			__builtin_popcount(line->moved) * MODEL_SECTOR_BYTES);
}

static void draw_sectors_left_out(struct canvas *canvas, const struct sector_grid *g, int row,
	const struct view_sectors *lines, struct view_elision e)
{
	int sectors = 0;
	for (int i = e.head; i < e.head + e.left_out; i++)
		sectors += __builtin_popcount(lines->at[i].moved);
	struct buf text = {0};
	buf_printf(&text, "⋮ %d more cache line%s with %d sector%s", e.left_out, view_plural(e.left_out), sectors,
		view_plural(sectors));
	canvas_text_fit(canvas, (struct rect){row, g->col, 1, g->cols}, ROLE_STRONG, buf_str(&text));
	buf_free(&text);
}

/* Bytes used of bytes moved, below the words. */
static void draw_bar(struct canvas *canvas, const struct sector_grid *g, int row, const struct access_cost *cost)
{
	canvas_text_fit(canvas, (struct rect){row, g->col, 1, g->label - 1}, ROLE_DIM, "used");
	view_sectors_bar(canvas, (struct rect){row, g->col + g->label, 1, right_of(g) - g->col - g->label}, cost);
}

void view_sectors_note_summary(struct view_notes *notes, const struct view_sectors *lines, int cols)
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

static void note_sectors(struct view_notes *notes, const struct view_sectors *lines)
{
	bool shared = false, idle = false;
	uint32_t alone = 0;
	for (int i = 0; i < lines->n; i++) {
		for (int w = 0; w < VIEW_LINE_WORDS; w++) {
			uint32_t lanes = lines->at[i].lanes[w];
			bool several = (lanes & (lanes - 1)) != 0;
			shared |= several;
			alone |= several ? 0 : lanes;
			idle |= !lanes && (lines->at[i].moved >> w / VIEW_SECTOR_WORDS & 1);
		}
	}
	view_notes_add_legend(
		notes, alone, (const char *const[]){idle ? "·: unused" : "", shared ? "*: several" : ""}, 2);
	view_note_inactive(notes, lines->access->active);
	if (access_doubt(lines->access, lines->cc))
		view_notes_add(notes, ROLE_DIM, "this rule %s", access_doubt(lines->access, lines->cc));
}

static void draw_sectors(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	struct sector_grid grid = fit_sector_grid(rect);
	struct view_sectors lines;
	view_sectors_of(&lines, input);
	if (lines.moment)
		hide_later(&lines);
	if (lines.n == 0) {
		view_draw_sentence(canvas, rect, ROLE_DIM, "No lane is active, so the warp makes no request.");
		return;
	}
	if (input->roomy) {
		view_draw_sectors_roomy(canvas, rect, &lines);
		return;
	}
	struct view_notes notes = {0};
	view_sectors_note_summary(&notes, &lines, rect.cols);
	note_sectors(&notes, &lines);
	int room = rect.rows - 2;
	int note_rows = view_notes_fit(&notes, room - (lines.n < 3 ? lines.n : 3), rect.cols);
	struct view_elision e = view_elide(lines.n, room - note_rows);
	int spare = room - note_rows - e.head - (e.left_out > 0) - e.tail, row = rect.row;
	draw_sectors_header(canvas, &grid, row++);
	for (int i = 0; i < e.head; i++)
		draw_sector_line(canvas, &grid, row++, &lines, i);
	if (e.left_out)
		draw_sectors_left_out(canvas, &grid, row++, &lines, e);
	for (int i = lines.n - e.tail; i < lines.n; i++)
		draw_sector_line(canvas, &grid, row++, &lines, i);
	row += spare > 0;
	draw_bar(canvas, &grid, row++, &lines.cost);
	view_notes_draw(canvas, (struct rect){row, rect.col, note_rows, rect.cols}, &notes);
}

const struct view_drawer view_drawer_sectors = {.draw = draw_sectors,
	.lacks = sectors_lacks,
	.moments = sectors_moments};
