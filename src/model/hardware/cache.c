#include "model/hardware/cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "model/hardware/access.h"
#include "model/hardware/occupancy.h"
#include "model/hardware/schedule.h"

/* --- lines -------------------------------------------------------------------------------------------------------- */

/* Adds the sectors of one address. The line before is the likeliest. */
static int add_sector(struct cache_line *out, int n, uint64_t address)
{
	uint64_t line = address / MODEL_LINE_BYTES;
	uint8_t sector = (uint8_t)(1u << (address / MODEL_SECTOR_BYTES % CACHE_SECTORS));
	for (int i = n; i-- > 0;) {
		if (out[i].line == line) {
			out[i].sectors |= sector;
			return n;
		}
	}
	if (n == CACHE_LINES_MAX)
		return n;
	out[n] = (struct cache_line){line, sector};
	return n + 1;
}

int cache_lines(const struct warp_access *access, uint32_t warp, struct cache_line out[CACHE_LINES_MAX])
{
	int n = 0;
	if (access->space != SPACE_LOCAL) {
		for (uint32_t lanes = access->active; lanes; lanes &= lanes - 1)
			n = add_sector(out, n, access->address[__builtin_ctz(lanes)]);
		return n;
	}
	for (int word = 0; word < (access->width + 3) / 4; word++) {
		struct warp_access one = local_word(access, word);
		for (uint32_t lanes = one.active; lanes; lanes &= lanes - 1)
			n = add_sector(
				out, n, one.address[__builtin_ctz(lanes)] + CACHE_LOCAL + ((uint64_t)warp << 25));
	}
	return n;
}

enum cache_op cache_op_of(const struct warp_access *access, bool past)
{
	if (warp_op_is_atomic(access->op))
		return CACHE_ATOMIC;
	if (access->op == ACCESS_STORE)
		return CACHE_STORE;
	return past || access->op == ACCESS_COPY_BYPASS ? CACHE_LOAD_PAST : CACHE_LOAD;
}

/* --- L1 ----------------------------------------------------------------------------------------------------------- */

#define BUCKETS 4096
#define GROUPS_MAX 8
#define NO_ENTRY UINT16_MAX

struct l1_entry {
	uint64_t line;
	double arrives;
	uint16_t newer, older; /* of its group; entries that are free: `older` is the next free one */
	uint16_t next;         /* of its bucket */
	uint8_t sectors;
};

struct l1_group {
	uint16_t newest, oldest, n;
};

struct cache_l1 {
	struct l1_entry *entries;
	struct l1_group groups[GROUPS_MAX];
	uint16_t buckets[BUCKETS];
	uint16_t free, capacity, n_groups; /* capacity: lines of a group */
};

uint32_t cache_carveout(int cc, uint32_t blocks, uint32_t shared)
{
	const struct occupancy_sm *sm = occupancy_sm(cc);
	if (!sm)
		return 0;
	uint32_t used = blocks * (shared + sm->reserved);
	for (int i = 0; i < OCCUPANCY_CARVEOUTS_MAX && sm->carveouts[i]; i++)
		if (sm->carveouts[i] * 1024 >= used)
			return sm->carveouts[i] * 1024;
	return sm->shared;
}

struct cache_l1 *cache_l1_new(uint32_t shared)
{
	struct cache_l1 *l1 = base_calloc(1, sizeof *l1);
	double all_lines = (timing[TIMING_L1_KIB] * 1024 - shared) / MODEL_LINE_BYTES;
	int groups = (int)timing[TIMING_L1_GROUPS];
	groups = groups < 1 ? 1 : groups > GROUPS_MAX ? GROUPS_MAX : groups;
	if (all_lines / groups < timing[TIMING_L1_GROUP_LINES])
		groups = 1; /* a small L1 is one group */
	int lines = (int)(all_lines / groups);
	l1->n_groups = (uint16_t)groups;
	l1->capacity = (uint16_t)(lines < 1 ? 1 : lines);
	int all = l1->capacity * groups;
	l1->entries = base_calloc((size_t)all, sizeof *l1->entries);
	for (int i = 0; i < all; i++)
		l1->entries[i].older = i + 1 < all ? (uint16_t)(i + 1) : NO_ENTRY;
	memset(l1->buckets, 0xFF, sizeof l1->buckets);
	for (int g = 0; g < GROUPS_MAX; g++)
		l1->groups[g] = (struct l1_group){NO_ENTRY, NO_ENTRY, 0};
	return l1;
}

void cache_l1_free(struct cache_l1 *l1)
{
	if (l1)
		free(l1->entries);
	free(l1);
}

static uint32_t bucket_of(uint64_t line)
{
	return (uint32_t)(line * 0x9E3779B97F4A7C15ull >> 52);
}

static uint16_t find_entry(const struct cache_l1 *l1, uint64_t line)
{
	uint16_t at = l1->buckets[bucket_of(line)];
	while (at != NO_ENTRY && l1->entries[at].line != line)
		at = l1->entries[at].next;
	return at;
}

static void unlink_entry(struct cache_l1 *l1, struct l1_group *g, uint16_t at)
{
	const struct l1_entry *e = &l1->entries[at];
	*(e->newer == NO_ENTRY ? &g->newest : &l1->entries[e->newer].older) = e->older;
	*(e->older == NO_ENTRY ? &g->oldest : &l1->entries[e->older].newer) = e->newer;
	g->n--;
}

static void link_newest(struct cache_l1 *l1, struct l1_group *g, uint16_t at)
{
	struct l1_entry *e = &l1->entries[at];
	e->newer = NO_ENTRY;
	e->older = g->newest;
	*(g->newest == NO_ENTRY ? &g->oldest : &l1->entries[g->newest].newer) = at;
	g->newest = at;
	g->n++;
}

static void forget_entry(struct cache_l1 *l1, struct l1_group *g, uint16_t at)
{
	struct l1_entry *e = &l1->entries[at];
	uint16_t *link = &l1->buckets[bucket_of(e->line)];
	while (*link != at)
		link = &l1->entries[*link].next;
	*link = e->next;
	unlink_entry(l1, g, at);
	e->older = l1->free;
	l1->free = at;
}

struct cache_hit cache_l1_access(struct cache_l1 *l1, enum cache_op op, const struct cache_line *line)
{
	struct l1_group *g = &l1->groups[line->line / (uint64_t)timing[TIMING_L1_GROUP_LINES] % l1->n_groups];
	uint16_t at = find_entry(l1, line->line);
	struct cache_hit hit = {0};
	if (at != NO_ENTRY)
		hit = (struct cache_hit){l1->entries[at].sectors & line->sectors, l1->entries[at].arrives};
	if (op == CACHE_ATOMIC || op == CACHE_LOAD_PAST) {
		if (at != NO_ENTRY)
			forget_entry(l1, g, at);
		return (struct cache_hit){0};
	}
	if (at == NO_ENTRY) {
		if (g->n >= l1->capacity)
			forget_entry(l1, g, g->oldest);
		uint16_t *bucket = &l1->buckets[bucket_of(line->line)];
		at = l1->free;
		l1->free = l1->entries[at].older;
		l1->entries[at] = (struct l1_entry){.line = line->line, .next = *bucket};
		*bucket = at;
		link_newest(l1, g, at);
	} else if (g->newest != at) {
		unlink_entry(l1, g, at);
		link_newest(l1, g, at);
	}
	l1->entries[at].sectors |= line->sectors;
	return hit;
}

void cache_l1_arrive(struct cache_l1 *l1, uint64_t line, double when)
{
	uint16_t at = find_entry(l1, line);
	if (at != NO_ENTRY)
		l1->entries[at].arrives = when;
}
