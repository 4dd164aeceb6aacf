/* front/view/fragments.h: what the files of the view `fragments` share. For this folder only. */
#pragma once
#include "front/view/draw.h"

#define FRAGMENT_ROWS_MAX 256 /* of a tile, of one warp */
#define FRAGMENT_CELLS_MAX 4096

/* Who has each element of a warp's rows of a tile. */
struct fragment_owner {
	uint32_t lanes; /* 0: none of the warp */
	uint8_t element;
};

int view_fragments_rows(const struct warp_tile *tile);

/* Fills `rows` times `columns` of them, by rows. */
void view_fragments_own(const struct warp_tile *tile, struct fragment_owner owners[FRAGMENT_CELLS_MAX]);

/* "d1": a register of the tile's part in a lane. */
void view_fragments_register(const struct warp_tiles *tiles, const struct warp_tile *tile, int index, char out[8]);

/* "Lane 5 has A: a0 [1][2–3], a1 [9][2–3]; B: ..." */
void view_fragments_say_lane(const struct warp_tiles *tiles, int lane, struct buf *out);

/* What else there is to know of the tiles, the most important first. */
void view_fragments_note(struct view_notes *notes, const struct warp_tiles *tiles);
