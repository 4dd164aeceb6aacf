/* The tiles of a matrix instruction: in each element the lane that has it, in the color of the lane's group of four. As
 * large as there is room for: A left, B above and D below right, as products are drawn; or side by side; or one below
 * the other. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "front/view/draw.h"
#include "front/view/views.h"
#include "machine/warp/warp.h"

#define FRAGMENT_ROWS_MAX 256 /* of a tile, of one warp */
#define FRAGMENT_CELLS_MAX 4096

/* Who has each element of a warp's rows of a tile. */
struct fragment_owner {
	uint32_t lanes; /* 0: none of the warp */
	uint8_t element;
};

#define GAP 2
#define HEADED 1 /* rows of a head */
#define SIDE 8
#define PIECES_MAX 4
#define LANE_GROUP 4
#define PITCH_CELLS 3

/* Rows of a tile that are drawn together: a tile, or a matrix of those that ldmatrix loads. */
struct tile_piece {
	const struct warp_tile *tile;
	int first, rows, columns; /* of the tile; columns that there is room for */
	int index;                /* of the matrix */
	int row, col;             /* in the picture */
};

struct fragments {
	struct canvas *canvas;
	struct rect rect;
	const struct view_input *input;
	const struct warp_tiles *tiles;
	struct tile_piece at[PIECES_MAX];
	int n, pitch, label;
	int rows; /* of the picture */
	int end;  /* row of the canvas where what has no room begins */
};

static const char *fragments_lacks(const struct view_input *input)
{
	return input->tiles && input->tiles->n ? NULL : "The watched line has no matrix instruction.";
}

/* --- where the pieces are ----------------------------------------------------------------------------------------- */

/* The tiles of a matrix instruction in words. */

#define REGISTERS_SAID 4

static int fragments_rows(const struct warp_tile *tile)
{
	int rows = tile->warps ? tile->rows / tile->warps : tile->rows;
	return rows < FRAGMENT_ROWS_MAX ? rows : FRAGMENT_ROWS_MAX;
}

/* "d1": a register of the tile's part in a lane. */
static void fragments_register(const struct warp_tiles *tiles, const struct warp_tile *tile, int index, char out[8])
{
	char letter = tiles->use == TILES_STORED || tile->name == 'S' ? 's' : (char)tolower((unsigned char)tile->name);
	snprintf(out, 8, "%c%d", letter == 'm' || letter == 't' ? 'd' : letter, index & 0xFFF);
}

static void write_range(int first, int last, struct buf *out)
{
	buf_printf(out, first == last ? "[%d]" : "[%d–%d]", first, last);
}

void view_fragments_describe_lane(const struct warp_tiles *tiles, int lane, struct buf *out)
{
	static const char *const verbs[] = {[TILES_MULTIPLIED] = "has",
		[TILES_LOADED] = "gets",
		[TILES_STORED] = "stores",
		[TILES_MOVED] = "moves"};
	buf_printf(out, "Lane\u00A0%d %s ", lane, verbs[tiles->use]);
	for (int i = 0, n = 0; i < tiles->n; i++) {
		if (tiles->at[i].place != TILE_IN_REGISTERS)
			continue;
		buf_puts(out, n++ ? "; " : "");

		const struct warp_tile *t = &tiles->at[i];
		int registers = (t->distinct + t->packed - 1) / t->packed;
		char name[8];
		for (int j = 0; j < registers && j < REGISTERS_SAID; j++) {
			fragments_register(tiles, t, j, name);
			buf_printf(out, "%s%s:\u00A0", j ? ", " : "", name);

			/* Elements of a register, which are neighbors in a row or in a column. */
			int first = warp_tile_number(t, lane, j * t->packed);
			int last = warp_tile_number(t, lane, j * t->packed + t->packed - 1);
			int row = first / t->columns, end = last / t->columns;
			if (tiles->matrices > 0)
				buf_printf(out, "M%d", row / SIDE);
			else
				buf_putc(out, t->name == 'T' ? 'S' : t->name);
			write_range(
				tiles->matrices > 0 ? row % SIDE : row, tiles->matrices > 0 ? end % SIDE : end, out);
			write_range(first % t->columns, last % t->columns, out);
		}
		if (registers > REGISTERS_SAID)
			buf_printf(out, ", … %d\u00A0registers", registers);
	}
	if (tiles->matrices > 0 && lane < tiles->matrices * SIDE)
		buf_printf(out, "; its address is that of M%d[%d]", lane / SIDE, lane % SIDE);
	else if (tiles->matrices > 0)
		buf_puts(out, "; its address is not used");
	buf_putc(out, '.');
}

static int piece_cols(const struct fragments *f, const struct tile_piece *p)
{
	return f->label + p->columns * f->pitch;
}

static bool place_beside(struct fragments *f)
{
	int col = 0;
	f->rows = 0;
	for (int i = 0; i < f->n; i++) {
		f->at[i].row = 0;
		f->at[i].col = col;
		col += piece_cols(f, &f->at[i]) + (i + 1 < f->n ? GAP - (f->pitch == 1 && f->tiles->matrices) : 0);
		if (f->rows < HEADED + f->at[i].rows)
			f->rows = HEADED + f->at[i].rows;
	}
	return col <= f->rect.cols;
}

/* A left, B above, and D below right. */
static bool place_product(struct fragments *f)
{
	struct tile_piece *a = &f->at[0], *b = &f->at[1], *d = &f->at[2];
	if (f->tiles->use != TILES_MULTIPLIED || f->n != 3)
		return false;
	*a = (struct tile_piece){a->tile, a->first, a->rows, a->columns, 0, HEADED + b->rows, 0};
	b->row = 0;
	b->col = d->col = piece_cols(f, a) + GAP;
	d->row = a->row;
	f->rows = d->row + HEADED + d->rows;
	return f->rows <= f->rect.rows && d->col + piece_cols(f, d) <= f->rect.cols &&
		b->col + piece_cols(f, b) <= f->rect.cols;
}

static bool place_at(struct fragments *f, int pitch, int label)
{
	f->pitch = pitch;
	f->label = label;
	return place_product(f) || (f->at[f->n > 1].tile->place == TILE_IN_REGISTERS && place_beside(f));
}

static void place(struct fragments *f)
{
	bool roomy = view_is_roomy(VIEW_FRAGMENTS, f->rect);
	if (roomy && place_at(f, PITCH_CELLS, PITCH_CELLS))
		return;
	for (int label = PITCH_CELLS; label >= 0; label--)
		if ((label == 0 || label == PITCH_CELLS || f->tiles->matrices) && place_at(f, 1, label))
			return;
	f->pitch = roomy ? PITCH_CELLS : 1;
	f->label = PITCH_CELLS;
	/* Of a tile in shared memory there is nothing to see but that. */
	for (int i = 0; i < f->n; i++)
		if (f->at[i].tile->place == TILE_IN_SHARED)
			f->at[i].rows = 0;

	/* Of what is too wide, the first columns. */
	int row = 0;
	for (int i = 0; i < f->n; i++) {
		int fit = (f->rect.cols - f->label) / f->pitch;
		f->at[i].row = row;
		f->at[i].col = 0;
		f->at[i].columns = f->at[i].columns < fit ? f->at[i].columns : fit;
		row += HEADED + f->at[i].rows + (i + 1 < f->n && f->at[i].rows);
	}
	f->rows = row;
}

/* --- drawing ------------------------------------------------------------------------------------------------------ */

static void draw_piece(const struct fragments *f, const struct tile_piece *p)
{
	struct fragment_owner owners[FRAGMENT_CELLS_MAX];
	const struct warp_tile *t = p->tile;
	memset(owners, 0, sizeof owners);
	for (int lane = 0; t->place == TILE_IN_REGISTERS && lane < WARP_SIZE; lane++)
		for (int e = 0; e < t->distinct; e++) {
			int number = warp_tile_number(t, lane, e);
			if (number >= FRAGMENT_CELLS_MAX)
				continue;
			owners[number].lanes |= (uint32_t)1 << lane;
			owners[number].element = (uint8_t)e;
		}

	struct rect r = {f->rect.row + p->row, f->rect.col + p->col + f->label, 1, p->columns * f->pitch};
	struct buf text = {0};
	char name[8];
	fragments_register(f->tiles, t, p->index, name);
	if (f->tiles->matrices)
		buf_printf(&text, f->tiles->use == TILES_STORED ? "M%d←%s" : "M%d→%s", p->index, name);
	else if (t->name == 'S' || t->name == 'T')
		buf_puts(&text, t->name == 'S' ? "before" : "after");
	else
		buf_printf(&text, "%c %u×%u %s", t->name, t->rows, t->columns, t->type);
	if (!p->rows) {
		buf_puts(&text, ": in shared memory");
		r.cols = f->rect.cols - f->label;
	} else if (p->columns < t->columns) {
		buf_printf(&text, ", columns 0–%d", p->columns - 1);
	}
	if (utf8_columns(buf_str(&text)) > r.cols) {
		buf_clear(&text);
		buf_printf(&text, "%c %d×%d", t->name, t->rows, t->columns);
	}
	if (r.row < f->end)
		canvas_text_fit(f->canvas, r, ROLE_STRONG, buf_str(&text));
	buf_free(&text);

	for (int i = 0; i < p->rows && (p->first + i + 1) * t->columns <= FRAGMENT_CELLS_MAX; i++) {
		int row = f->rect.row + p->row + HEADED + i, col = f->rect.col + p->col;
		if (f->label && row < f->end) {
			if (f->label < PITCH_CELLS)
				canvas_put(f->canvas, row, col, view_lane_digit(p->first + i), ROLE_DIM);
			else
				canvas_textf(f->canvas, row, col, ROLE_DIM, "%2d", p->first + i);
			if (f->tiles->matrices)
				view_spot(f->canvas, f->input,
					(struct rect){row, col, 1, f->label < PITCH_CELLS ? 1 : 2},
					&(struct view_shows){
						{THING_LANE, p->first + i}, (uint32_t)1 << (p->first + i), {0}});
		}

		struct rect at = {f->rect.row + p->row + HEADED + i, 0, 1, 0};
		const struct fragment_owner *cells = owners + (size_t)(p->first + i) * t->columns;
		if (at.row >= f->end)
			continue;
		for (int column = 0, n; column < p->columns; column += n) {
			at.col = f->rect.col + p->col + f->label + column * f->pitch;
			n = 1;
			while (column + n < p->columns &&
				(cells[column].lanes == cells[column + n].lanes &&
					cells[column].element / t->packed == cells[column + n].element / t->packed))
				n++;
			at.cols = n;
			if (cells[column].lanes) {
				/* `n` neighbors of a row that are in the same register. */
				struct rect run = at;
				int lane = __builtin_ctz(cells[column].lanes);
				char label[24], reg[8];
				run.cols = n * f->pitch - (f->pitch > 1);
				if (f->pitch == 1) {
					for (int j = 0; j < n; j++)
						canvas_put(f->canvas, run.row, run.col + j, view_lane_digit(lane),
							view_wave_role(lane / LANE_GROUP));
				} else {
					fragments_register(f->tiles, p->tile, cells[column].element / t->packed, reg);
					int len = snprintf(label, sizeof label, "%d %s", lane, reg);
					if (len > run.cols)
						snprintf(label, sizeof label, "%d", lane);
					view_draw_cell(f->canvas, run, view_wave_role(lane / LANE_GROUP), label);
				}
				view_spot(f->canvas, f->input, run,
					&(struct view_shows){{THING_LANE, lane}, cells[column].lanes, {0}});
			}
			for (int k = 0; !cells[column].lanes && k < n; k++)
				canvas_put(f->canvas, at.row, at.col + k * f->pitch + f->pitch / 2, GLYPH_MIDDLE_DOT,
					ROLE_IDLE);
		}
	}
}

static void draw_fragments(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	struct view_notes notes = {0};
	struct fragments f = {.canvas = canvas, .input = input, .tiles = input->tiles};
	canvas_text_fit(canvas, (struct rect){rect.row, rect.col, 1, rect.cols}, ROLE_DIM, input->tiles->name);
	f.rect = (struct rect){rect.row + 1, rect.col, rect.rows - 1, rect.cols};

	const struct warp_tiles *tiles = f.tiles;
	for (int i = 0; tiles->matrices && i < tiles->matrices && i < PIECES_MAX; i++)
		f.at[f.n++] = (struct tile_piece){&tiles->at[0], i * SIDE, SIDE, SIDE, i, 0, 0};
	for (int i = 0; !tiles->matrices && i < tiles->n && i < TILES_MAX; i++)
		f.at[f.n++] = (struct tile_piece){
			&tiles->at[i], 0, fragments_rows(&tiles->at[i]), tiles->at[i].columns, 0, 0, 0};

	place(&f);
	bool whole = f.rows <= f.rect.rows;
	f.end = f.rect.row + (whole ? f.rect.rows : f.rect.rows - 1);
	for (int i = 0; i < f.n; i++)
		draw_piece(&f, &f.at[i]);
	if (!whole) {
		canvas_textf(canvas, f.end, rect.col, ROLE_DIM, "%s %d more rows", "⋮", f.rows - f.rect.rows + 1);
		return;
	}

	/* What the lane that is picked has, or lane 0. */
	int lane = input->picked.thing == THING_LANE ? (int)(input->picked.index & (WARP_SIZE - 1)) : 0;
	struct buf text = {0};
	view_fragments_describe_lane(input->tiles, lane, &text);
	view_notes_add(&notes, ROLE_TEXT, "%s", buf_str(&text));
	buf_free(&text);

	/* What else there is to know of the tiles, the most important first. */
	if (tiles->n > 1 && tiles->at[1].place == TILE_IN_SHARED)
		view_notes_add(&notes, ROLE_DIM,
			tiles->at[0].place == TILE_IN_SHARED
				? "A and B are in shared memory: no lane has their elements in registers"
				: "B is in shared memory: no lane has its elements in registers");
	if (tiles->use == TILES_MULTIPLIED)
		view_notes_add(&notes, ROLE_DIM, "C is laid out like D");
	if (tiles->matrices > 0)
		view_notes_add(&notes, ROLE_DIM, "before a row of M: the lane that has its address");
	for (int i = 0; i < tiles->n; i++)
		if (tiles->at[i].warps > 1) {
			view_notes_add(&notes, ROLE_DIM,
				"rows 0–%d are the first warp's; the other %d\u00A0warps have the next %d\u00A0each, with the same layout",
				fragments_rows(&tiles->at[i]) - 1, tiles->at[i].warps - 1,
				fragments_rows(&tiles->at[i]));
			break;
		}
	if (tiles->products > 1)
		view_notes_add(&notes, ROLE_DIM,
			"%d\u00A0products at once: lanes 4–7, 8–11 and 12–15, and those 16 above, have tiles of their own",
			tiles->products);
	if (tiles->sparse)
		view_notes_add(&notes, ROLE_DIM, "of A, those elements that are stored: half of each row");
	bool copies = false;
	for (int i = 0; i < tiles->n; i++)
		copies |= tiles->at[i].distinct < tiles->at[i].each;
	if (copies)
		view_notes_add(&notes, ROLE_DIM, "further registers hold the same elements once more");

	if (f.pitch == 1)
		view_notes_add_legend(&notes, UINT32_MAX, NULL, 0);
	int row = f.rect.row + f.rows, left = rect.row + rect.rows - row;
	int need = view_notes_fit(&notes, left, rect.cols);
	view_notes_draw(canvas, (struct rect){row + (need < left), rect.col, need, rect.cols}, &notes);
}

/* Likewise. */
static void describe_fragments(const struct view_input *input, struct buf *out)
{
	struct view_input tiles = *input;
	tiles.access = NULL;
	tiles.shuffle = NULL;
	buf_printf(out, "%s\n", input->tiles->name);
	view_describe_lanes(&tiles, out);
}

const struct view_drawer view_drawer_fragments = {.draw = draw_fragments,
	.lacks = fragments_lacks,
	.describe = describe_fragments};
