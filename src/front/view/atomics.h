/* front/view/atomics.h: what both forms of the view `atomics` draw, with the sentences they share. For this folder only. */
#pragma once
#include "front/view/draw.h"

/* Lanes that change the same address, in the order of their numbers. */
struct view_atomic_group {
	uint64_t address;
	uint32_t lanes;
};

struct view_atomics {
	const struct view_input *input;
	const struct warp_access *access;
	struct access_cost cost;
	struct view_atomic_group groups[WARP_SIZE]; /* addresses ascending */
	int n, turns;                               /* turns: of the longest group */
	int halves;                                 /* groups of lanes that the banks take separately; global: 0 */
	int moment;                                 /* so many turns are shown; 0: all */
	bool together;                              /* lanes at one address are added up and take one turn */
};

/* What it costs, and why. */
void view_atomics_note(struct view_notes *notes, const struct view_atomics *atomics);

/* The lanes whose turn it is, counted from 0; and the turn of a lane, -1: it takes no part. */
uint32_t view_atomics_lanes_of(const struct view_atomics *atomics, int turn);
int view_atomics_turn_of(const struct view_atomics *atomics, int lane);

/* Where bytes are counted from, inactive lanes, doubts. */
void view_atomics_note_rest(struct view_notes *notes, const struct view_atomics *atomics);

/* The address as the view counts them. */
uint64_t view_atomics_byte(const struct view_atomics *atomics, const struct view_atomic_group *group);

void view_draw_atomics_roomy(struct canvas *canvas, struct rect rect, const struct view_atomics *atomics);
