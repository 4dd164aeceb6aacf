#include "model/hardware/sums.h"

#include "model/hardware/access.h"

void sums_branch(struct sums *sums, uint32_t active, uint32_t taken)
{
	if (!active)
		return;
	sums->branches++;
	sums->uniform += taken == 0 || taken == active;
}

static enum traffic_kind traffic_kind_of(enum mem_space space, enum access_op op)
{
	switch (op) {
	case ACCESS_LOAD:
	case ACCESS_COPY:
	case ACCESS_COPY_BYPASS: return TRAFFIC_LOAD;
	case ACCESS_STORE: return TRAFFIC_STORE;
	case ACCESS_LOAD_MATRIX: return TRAFFIC_LOAD_MATRIX;
	case ACCESS_STORE_MATRIX: return TRAFFIC_STORE_MATRIX;
	case ACCESS_REDUCE: return space == SPACE_GLOBAL ? TRAFFIC_REDUCTION : TRAFFIC_ATOMIC;
	default: return TRAFFIC_ATOMIC;
	}
}

static struct traffic *traffic_of(struct arena *arena, struct sums *sums, enum mem_space space)
{
	if (!sums->traffic[space])
		sums->traffic[space] = arena_array(arena, struct traffic, TRAFFIC_KINDS);
	return sums->traffic[space];
}

void sums_global(struct arena *arena, struct sums *sums, const struct warp_access *access, enum access_op op)
{
	struct traffic *t = &traffic_of(arena, sums, SPACE_GLOBAL)[traffic_kind_of(SPACE_GLOBAL, op)];
	uint64_t uncounted = 0; /* the bytes of cp.async */
	t->requests += access->active != 0;
	if (warp_op_is_atomic(op)) {
		t->sectors += (uint64_t)sector_count_atomic(access->active, access->address);
		t->touched += (uint64_t)sector_count(access->active, access->address);
	} else {
		sector_tally(
			access, &t->sectors, op == ACCESS_COPY || op == ACCESS_COPY_BYPASS ? &uncounted : &t->bytes);
	}
}

void sums_access(struct arena *arena, struct sums *sums, const struct warp_access *access, int cc)
{
	if (access->space == SPACE_GLOBAL) {
		sums_global(arena, sums, access, access->op);
	} else if (access->space == SPACE_SHARED && access->op != ACCESS_ADD_FLOAT) {
		struct traffic *t = &traffic_of(arena, sums, SPACE_SHARED)[traffic_kind_of(SPACE_SHARED, access->op)];
		int wavefronts = bank_wavefronts(access, cc, NULL, 0);
		t->requests += (uint64_t)access_requests(access);
		t->wavefronts += (uint64_t)wavefronts;
		t->conflicts += (uint64_t)bank_conflicts(access, cc, wavefronts);
	} else {
		/* rare accesses: all that access_cost knows */
		struct traffic *kinds = traffic_of(arena, sums, access->space), *loads = &kinds[TRAFFIC_LOAD];
		struct traffic *t = &kinds[traffic_kind_of(access->space, access->op)];
		struct access_cost cost = access_cost(access, cc);
		t->requests += (uint64_t)cost.requests;
		t->wavefronts += (uint64_t)cost.wavefronts;
		t->conflicts += (uint64_t)(cost.bank_conflicts + cost.replays);
		t->sectors += (uint64_t)cost.sectors;
		loads->requests += (uint64_t)cost.loop_loads;
		loads->wavefronts += (uint64_t)cost.loop_load_wavefronts;
		loads->conflicts += (uint64_t)cost.loop_load_conflicts;
	}
}

void sums_cluster(struct arena *arena, struct sums *sums, const struct warp_access *access, bool is_first)
{
	if (warp_op_is_atomic(access->op))
		traffic_of(arena, sums, SPACE_SHARED)[TRAFFIC_ATOMIC].wavefronts += is_first;
	else
		traffic_of(arena, sums, SPACE_GLOBAL)[traffic_kind_of(SPACE_GLOBAL, access->op)].bytes += (uint64_t)
			sector_bytes(access->width, access->active, access->address);
}

void sums_add(struct arena *arena, struct sums *sums, const struct sums *more)
{
	sums->instructions += more->instructions;
	sums->threads += more->threads;
	sums->branches += more->branches;
	sums->uniform += more->uniform;
	for (int work = 0; work < FLOAT_WORKS; work++)
		sums->floats[work] += more->floats[work];
	for (int space = 0; space <= SPACE_CONST; space++)
		for (int kind = 0; more->traffic[space] && kind < TRAFFIC_KINDS; kind++) {
			struct traffic *to = &traffic_of(arena, sums, (enum mem_space)space)[kind];
			const struct traffic *from = &more->traffic[space][kind];
			to->requests += from->requests;
			to->wavefronts += from->wavefronts;
			to->conflicts += from->conflicts;
			to->sectors += from->sectors;
			to->bytes += from->bytes;
			to->touched += from->touched;
		}
}

/* Which counters an access increments. */
#define NONE COUNTER_NONE
static const struct counted_traffic {
	enum mem_space space;
	enum traffic_kind kind;
	enum counter_id requests, wavefronts, conflicts, sectors, bytes;
} counted[] = {
	{SPACE_SHARED, TRAFFIC_LOAD, COUNTER_SHARED_LD_REQUESTS, COUNTER_SHARED_LD_WAVEFRONTS,
		COUNTER_SHARED_LD_CONFLICTS, NONE, NONE},
	{SPACE_SHARED, TRAFFIC_STORE, COUNTER_SHARED_ST_REQUESTS, COUNTER_SHARED_ST_WAVEFRONTS,
		COUNTER_SHARED_ST_CONFLICTS, NONE, NONE},
	{SPACE_SHARED, TRAFFIC_LOAD_MATRIX, COUNTER_LDMATRIX_REQUESTS, COUNTER_SHARED_LD_WAVEFRONTS,
		COUNTER_SHARED_LD_CONFLICTS, NONE, NONE},
	{SPACE_SHARED, TRAFFIC_STORE_MATRIX, COUNTER_STMATRIX_REQUESTS, COUNTER_SHARED_ST_WAVEFRONTS,
		COUNTER_SHARED_ST_CONFLICTS, NONE, NONE},
	{SPACE_SHARED, TRAFFIC_ATOMIC, COUNTER_SHARED_ATOM_REQUESTS, COUNTER_SHARED_ATOM_WAVEFRONTS,
		COUNTER_SHARED_ATOM_CONFLICTS, NONE, NONE},
	{SPACE_GLOBAL, TRAFFIC_LOAD, COUNTER_GLOBAL_LD_REQUESTS, NONE, NONE, COUNTER_GLOBAL_LD_SECTORS,
		COUNTER_GLOBAL_LD_BYTES},
	{SPACE_GLOBAL, TRAFFIC_STORE, COUNTER_GLOBAL_ST_REQUESTS, NONE, NONE, COUNTER_GLOBAL_ST_SECTORS,
		COUNTER_GLOBAL_ST_BYTES},
	{SPACE_GLOBAL, TRAFFIC_ATOMIC, COUNTER_GLOBAL_ATOM_REQUESTS, NONE, NONE, COUNTER_GLOBAL_ATOM_SECTORS, NONE},
	{SPACE_GLOBAL, TRAFFIC_REDUCTION, COUNTER_GLOBAL_RED_REQUESTS, NONE, NONE, COUNTER_GLOBAL_RED_SECTORS, NONE},
	{SPACE_LOCAL, TRAFFIC_LOAD, COUNTER_LOCAL_LD_REQUESTS, NONE, NONE, COUNTER_LOCAL_LD_SECTORS, NONE},
	{SPACE_LOCAL, TRAFFIC_STORE, COUNTER_LOCAL_ST_REQUESTS, NONE, NONE, COUNTER_LOCAL_ST_SECTORS, NONE},
	{SPACE_CONST, TRAFFIC_LOAD, NONE, NONE, COUNTER_CONST_REPLAYS, NONE, NONE},
};
#undef NONE

/* A counter that is not modeled stays missing. */
static void increment(struct counts *counts, enum counter_id id, uint64_t by)
{
	if (id != COUNTER_NONE && counts->c[id].state == VALUE_OK)
		counts->c[id].v += (double)by;
}

void counts_add_sums(struct counts *counts, const struct sums *sums)
{
	increment(counts, COUNTER_PTX_INSTRUCTIONS, sums->instructions);
	increment(counts, COUNTER_THREAD_INSTRUCTIONS, sums->threads);
	increment(counts, COUNTER_BRANCH_TARGETS, sums->branches);
	increment(counts, COUNTER_BRANCH_UNIFORM, sums->uniform);
	increment(counts, COUNTER_FLOAT_ADDS, sums->floats[FLOAT_ADD]);
	increment(counts, COUNTER_FLOAT_PRODUCTS, sums->floats[FLOAT_PRODUCT]);
	increment(counts, COUNTER_FLOAT_MULTIPLY_ADDS, sums->floats[FLOAT_MULTIPLY_ADD]);
	for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
		if (sums->traffic[counted[i].space]) {
			const struct counted_traffic *to = &counted[i];
			const struct traffic *t = &sums->traffic[counted[i].space][counted[i].kind];
			increment(counts, to->requests, t->requests);
			increment(counts, to->wavefronts, t->wavefronts);
			increment(counts, to->conflicts, t->conflicts);
			increment(counts, to->sectors, t->sectors);
			increment(counts, to->bytes, t->bytes);
		}
}
