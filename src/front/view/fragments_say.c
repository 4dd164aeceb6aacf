/* The tiles of a matrix instruction in words. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "front/view/fragments.h"

#define SIDE 8
#define REGISTERS_SAID 4

int view_fragments_rows(const struct warp_tile *tile)
{
	int rows = tile->warps ? tile->rows / tile->warps : tile->rows;
	return rows < FRAGMENT_ROWS_MAX ? rows : FRAGMENT_ROWS_MAX;
}

void view_fragments_own(const struct warp_tile *tile, struct fragment_owner owners[FRAGMENT_CELLS_MAX])
{
	memset(owners, 0, FRAGMENT_CELLS_MAX * sizeof *owners);
	for (int lane = 0; tile->place == TILE_IN_REGISTERS && lane < WARP_SIZE; lane++)
		for (int e = 0; e < tile->distinct; e++) {
			int number = warp_tile_number(tile, lane, e);
			if (number >= FRAGMENT_CELLS_MAX)
				continue;
			owners[number].lanes |= (uint32_t)1 << lane;
			owners[number].element = (uint8_t)e;
		}
}

void view_fragments_register(const struct warp_tiles *tiles, const struct warp_tile *tile, int index, char out[8])
{
	char letter = tiles->use == TILES_STORED || tile->name == 'S' ? 's' : (char)tolower((unsigned char)tile->name);
	snprintf(out, 8, "%c%d", letter == 'm' || letter == 't' ? 'd' : letter, index & 0xFFF);
}

static void write_range(int first, int last, struct buf *out)
{
	buf_printf(out, first == last ? "[%d]" : "[%d–%d]", first, last);
}

/* Elements of a register, which are neighbors in a row or in a column. */
static void write_elements(
	const struct warp_tiles *tiles, const struct warp_tile *t, int lane, int index, struct buf *out)
{
	int first = warp_tile_number(t, lane, index * t->packed);
	int last = warp_tile_number(t, lane, index * t->packed + t->packed - 1);
	int row = first / t->columns, end = last / t->columns;
	if (tiles->matrices > 0)
		buf_printf(out, "M%d", row / SIDE);
	else
		buf_putc(out, t->name == 'T' ? 'S' : t->name);
	write_range(tiles->matrices > 0 ? row % SIDE : row, tiles->matrices > 0 ? end % SIDE : end, out);
	write_range(first % t->columns, last % t->columns, out);
}

static void say_tile(const struct warp_tiles *tiles, const struct warp_tile *t, int lane, struct buf *out)
{
	int registers = (t->distinct + t->packed - 1) / t->packed;
	char name[8];
	for (int i = 0; i < registers && i < REGISTERS_SAID; i++) {
		view_fragments_register(tiles, t, i, name);
		buf_printf(out, "%s%s:\u00A0", i ? ", " : "", name);
		write_elements(tiles, t, lane, i, out);
	}
	if (registers > REGISTERS_SAID)
		buf_printf(out, ", … %d\u00A0registers", registers);
}

void view_fragments_say_lane(const struct warp_tiles *tiles, int lane, struct buf *out)
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
		say_tile(tiles, &tiles->at[i], lane, out);
	}
	if (tiles->matrices > 0 && lane < tiles->matrices * SIDE)
		buf_printf(out, "; its address is that of M%d[%d]", lane / SIDE, lane % SIDE);
	else if (tiles->matrices > 0)
		buf_puts(out, "; its address is not used");
	buf_putc(out, '.');
}

static bool has_copies(const struct warp_tiles *tiles)
{
	for (int i = 0; i < tiles->n; i++)
		if (tiles->at[i].distinct < tiles->at[i].each)
			return true;
	return false;
}

void view_fragments_note(struct view_notes *notes, const struct warp_tiles *tiles)
{
	if (tiles->n > 1 && tiles->at[1].place == TILE_IN_SHARED)
		view_notes_add(notes, ROLE_DIM,
			tiles->at[0].place == TILE_IN_SHARED
				? "A and B are in shared memory: no lane has their elements in registers"
				: "B is in shared memory: no lane has its elements in registers");
	if (tiles->use == TILES_MULTIPLIED)
		view_notes_add(notes, ROLE_DIM, "C is laid out like D");
	if (tiles->matrices > 0)
		view_notes_add(notes, ROLE_DIM, "before a row of M: the lane that has its address");
	for (int i = 0; i < tiles->n; i++)
		if (tiles->at[i].warps > 1) {
			view_notes_add(notes, ROLE_DIM,
				"rows 0–%d are the first warp's; the other %d\u00A0warps have the next %d\u00A0each, with the same layout",
				view_fragments_rows(&tiles->at[i]) - 1, tiles->at[i].warps - 1,
				view_fragments_rows(&tiles->at[i]));
			break;
		}
	if (tiles->products > 1)
		view_notes_add(notes, ROLE_DIM,
			"%d\u00A0products at once: lanes 4–7, 8–11 and 12–15, and those 16 above, have tiles of their own",
			tiles->products);
	if (tiles->sparse)
		view_notes_add(notes, ROLE_DIM, "of A, those elements that are stored: half of each row");
	if (has_copies(tiles))
		view_notes_add(notes, ROLE_DIM, "further registers hold the same elements once more");
}
