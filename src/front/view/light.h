/* front/view/light.h: what the reader points at, lit wherever it is drawn. A view says of each piece that it has drawn what it shows; the
 * piece is lit where that belongs to what is picked, and is told to whoever asks what lies where. For this folder only. */
#pragma once
#include "front/view/draw.h"

/* What belongs to the pick. */
struct view_light {
	struct view_pick pick;
	uint32_t lanes;             /* of the watched warp */
	int64_t warp;               /* as THING_WARP counts them; -1: none */
	int line;                   /* 0: none */
	bool groups[METRIC_GROUPS]; /* metrics of these */
};

void view_light_of(struct view_light *light, const struct view_input *input);

/* What a piece of a picture shows: what a reader picks by pointing at it, lanes of the watched warp, and of what else it is a part: `n`
 * things of a kind from one on. */
struct view_shows {
	struct view_pick pick;
	uint32_t lanes;
	struct {
		enum view_thing thing;
		int64_t first;
		int n;
	} part;
};

/* To be called once the piece is drawn. */
void view_spot(struct canvas *canvas, const struct view_input *input, struct rect rect, const struct view_shows *shows);

/* The same for what shows a thing and nothing else. */
void view_spot_of(
	struct canvas *canvas, const struct view_input *input, struct rect rect, enum view_thing thing, int64_t index);

/* Tells whoever asks that it lies there. */
void view_spot_at(const struct view_input *input, struct rect rect, struct view_pick pick);

/* A warp as picks count them. */
int64_t view_warp_index(uint32_t block, uint32_t warp);

/* The first sector of the first line that the access touches; its lanes with a byte in `bank`, or in a sector counted from there. */
uint64_t view_first_sector(const struct warp_access *access);
uint32_t view_lanes_of_bank(const struct warp_access *access, int bank);
uint32_t view_lanes_of_sector(const struct warp_access *access, int64_t index);
