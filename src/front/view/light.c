#include "front/view/draw.h"

#include <string.h>

#include "base/arena.h"
#include "front/view/launch.h"
#include "front/view/source.h"
#include "model/hardware/access.h"
#include "model/hardware/metrics.h"

#define LINE_SECTORS (MODEL_LINE_BYTES / MODEL_SECTOR_BYTES)

_Static_assert(METRIC_GROUPS <= VIEW_METRIC_GROUPS_MAX, "view_light.groups has each");

int64_t view_warp_index(uint32_t block, uint32_t warp)
{
	return (int64_t)block * BLOCK_WARPS_MAX + warp;
}

uint64_t view_first_sector(const struct warp_access *access)
{
	uint64_t first = UINT64_MAX;
	for (int lane = 0; lane < WARP_SIZE; lane++)
		if ((access->active >> lane & 1) && access->address[lane] < first)
			first = access->address[lane];
	return first / MODEL_LINE_BYTES * LINE_SECTORS;
}

uint32_t view_lanes_of_bank(const struct warp_access *access, int bank)
{
	uint32_t lanes = 0;
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		uint64_t word = access->address[lane] / MODEL_BANK_BYTES;
		uint64_t last = (access->address[lane] + access->width - 1u) / MODEL_BANK_BYTES;
		for (; (access->active >> lane & 1) && word <= last; word++)
			if ((int)(word % MODEL_BANKS) == bank)
				lanes |= (uint32_t)1 << lane;
	}
	return lanes;
}

uint32_t view_lanes_of_sector(const struct warp_access *access, int64_t index)
{
	struct sector_use uses[SECTORS_MAX];
	int n = sector_uses(access, uses);
	uint64_t first = view_first_sector(access);
	for (int i = 0; i < n; i++)
		if (uses[i].sector - first == (uint64_t)index)
			return uses[i].lanes;
	return 0;
}

static bool is_of_lanes(enum view_thing thing)
{
	return thing == THING_LANE || thing == THING_BANK || thing == THING_SECTOR;
}

void view_light_of(struct view_light *light, const struct view_input *input)
{
	const struct view_pick *pick = &input->picked;
	const struct warp_access *access = input->access;
	*light = (struct view_light){.pick = *pick, .warp = -1};
	if (pick->thing == THING_LANE)
		light->lanes = (uint32_t)1 << (pick->index & 31);
	else if (access && pick->thing == THING_BANK && access->space == SPACE_SHARED)
		light->lanes = view_lanes_of_bank(access, (int)pick->index);
	else if (access && pick->thing == THING_SECTOR && access->space == SPACE_GLOBAL)
		light->lanes = view_lanes_of_sector(access, pick->index);
	if (is_of_lanes(pick->thing)) {
		light->line = input->source->watched;
		light->warp = view_warp_index(input->launch->watched_block, input->launch->watched_warp);
		if (access) {
			/* The metrics of what an access is to. */
			light->groups[METRIC_GROUP_SHARED] |= access->space == SPACE_SHARED;
			light->groups[METRIC_GROUP_GLOBAL] |= access->space == SPACE_GLOBAL;
			light->groups[METRIC_GROUP_CONSTANT] |= access->space == SPACE_CONST;
			light->groups[METRIC_GROUP_LOCAL] |= access->space == SPACE_LOCAL;
		}
	} else if (pick->thing == THING_LINE) {
		int line = (int)pick->index;
		light->line = line;
		for (int i = 0; i < input->source->n_lines; i++) {
			const struct view_source_line *l = &input->source->lines[i];
			if (l->line != line)
				continue;
			light->groups[METRIC_GROUP_SHARED] |= l->wavefronts.state == VALUE_OK;
			light->groups[METRIC_GROUP_GLOBAL] |= l->sectors.state == VALUE_OK;
			light->groups[METRIC_GROUP_INSTRUCTIONS] |= l->active_lanes.state == VALUE_OK &&
				l->active_lanes.v < WARP_SIZE;
		}
	} else if (pick->thing == THING_WARP) {
		light->warp = pick->index;
		light->groups[METRIC_GROUP_OCCUPANCY] = light->groups[METRIC_GROUP_STALLS] = true;
	}
}

/* A metric of memory belongs to the lines that access it. */
static bool metric_is_of_line(const struct view_input *input, enum metric_id metric, int64_t line)
{
	enum metric_group group = metric_table[metric].group;
	for (int i = 0; i < input->source->n_lines; i++) {
		const struct view_source_line *l = &input->source->lines[i];
		if (l->line == line)
			return (group == METRIC_GROUP_SHARED && l->wavefronts.state == VALUE_OK) ||
				(group == METRIC_GROUP_GLOBAL && l->sectors.state == VALUE_OK);
	}
	return false;
}

static bool belongs(const struct view_input *input, const struct view_shows *s)
{
	const struct view_light *light = input->light;
	const struct view_pick *pick = &light->pick, *at = &s->pick;
	if (pick->thing == THING_LANE && s->lanes)
		return s->lanes & light->lanes;
	if (s->part.thing == pick->thing)
		return pick->index >= s->part.first && pick->index < s->part.first + s->part.n;
	if (at->thing == pick->thing)
		return at->index == pick->index;
	switch (at->thing) {
	case THING_LINE:
		return at->index == light->line ||
			(pick->thing == THING_METRIC &&
				metric_is_of_line(input, (enum metric_id)pick->index, at->index));
	case THING_METRIC: return light->groups[metric_table[at->index].group];
	case THING_WARP: return at->index == light->warp;
	default: return is_of_lanes(pick->thing) && (s->lanes & light->lanes);
	}
}

void view_spots_add(struct view_spots *spots, struct rect rect, struct view_pick pick)
{
	if (!spots || pick.thing == THING_NONE || rect.rows < 1 || rect.cols < 1)
		return;
	vec_reserve(spots->at, spots->n, spots->cap, 1);
	spots->at[spots->n++] = (struct view_spot){rect, pick};
}

void view_spot_at(const struct view_input *input, struct rect rect, struct view_pick pick)
{
	view_spots_add(input->spots, rect, pick);
}

void view_spot(struct canvas *canvas, const struct view_input *input, struct rect rect, const struct view_shows *shows)
{
	if (input->light && input->light->pick.thing != THING_NONE && belongs(input, shows))
		canvas_light(canvas, rect, ROLE_LIT);
	view_spot_at(input, rect, shows->pick);
}

void view_spot_of(
	struct canvas *canvas, const struct view_input *input, struct rect rect, enum view_thing thing, int64_t index)
{
	view_spot(canvas, input, rect, &(struct view_shows){.pick = {thing, index}});
}
