/* front/view/sectors.h: what both forms of the view `sectors` draw, with the sentences they share. For this folder only. */
#pragma once
#include "front/view/draw.h"
#include "model/hardware/sectors.h"

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
void view_sectors_of(struct view_sectors *lines, const struct view_input *input);

/* The sector's number from the first of the first line on. */
int64_t view_sector_index(const struct view_sectors *lines, const struct view_sector_line *line, int sector);

/* "8 sectors, ideal 4: 128 of 256 bytes used" */
void view_sectors_note_summary(struct view_notes *notes, const struct view_sectors *lines, int cols);

/* Bytes used of bytes moved, and the percentage in the last 8 columns. */
void view_sectors_bar(struct canvas *canvas, struct rect r, const struct access_cost *cost);

void view_draw_sectors_roomy(struct canvas *canvas, struct rect rect, const struct view_sectors *lines);
