/* front/view/banks.h: what both forms of the view `banks` draw, with the sentences they share. For this folder only. */
#pragma once
#include "front/view/draw.h"
#include "model/hardware/banks.h"

/* Which lanes each bank serves in each wavefront. */
struct view_banks {
	const struct view_input *input;
	const struct warp_access *access;
	int n, ideal, conflicts, groups;
	int moment; /* the wavefront that is served now, from 1; those after it have no lanes yet. 0: all were */
	struct bank_wavefront wavefronts[BANKS_WAVEFRONTS_MAX];
	uint32_t lanes[BANKS_WAVEFRONTS_MAX][MODEL_BANKS];
};
void view_banks_of(struct view_banks *b, const struct view_input *input);

/* Wavefronts in which the bank delivers a word. */
int view_banks_load(const struct view_banks *b, int bank);

/* Rows of 32 words that the access touches, ascending, without repeats: word / 32. Returns how many. */
#define VIEW_BANKS_MAP_MAX (WARP_SIZE * 4)
int view_banks_map(const struct view_banks *b, int64_t out[VIEW_BANKS_MAP_MAX]);

/* "2 wavefronts, ideal 1: 1 bank conflict", and what the busiest bank delivers. */
void view_banks_note_summary(struct view_notes *notes, const struct view_banks *b, int cols);
void view_banks_note_why(struct view_notes *notes, const struct view_banks *b);

void view_draw_banks_roomy(struct canvas *canvas, struct rect rect, const struct view_banks *banks, int cc);
