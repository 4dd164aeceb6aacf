#include "model/sums.h"

#include "model/banks.h"
#include "model/sectors.h"

void sums_branch(struct sums *sums, uint32_t active, uint32_t taken)
{
	if (!active)
		return;
	sums->branches++;
	sums->uniform += taken == 0 || taken == active;
}

void sums_global(struct sums *sums, enum traffic_kind kind, int width, uint32_t active, const uint64_t address[MODEL_LANES])
{
	struct traffic *t = &sums->traffic[TRAFFIC_GLOBAL][kind];
	t->requests += active != 0;
	t->sectors += (uint64_t)sector_count(active, address);
	t->bytes += (uint64_t)(__builtin_popcount(active) * width);
}

/* Distinct pairs of a word and a group of eight lanes. */
static int local_sectors(int width, uint32_t active, const uint64_t offset[MODEL_LANES])
{
	uint64_t seen[MODEL_LANES * 4];
	int n = 0, words = width > MODEL_BANK_BYTES ? width / MODEL_BANK_BYTES : 1;
	for (int lane = 0; lane < MODEL_LANES; lane++) {
		for (int word = 0; word < words && active >> lane & 1; word++) {
			uint64_t sector = (offset[lane] / MODEL_BANK_BYTES + (uint64_t)word) * 4 + (uint64_t)lane / 8;
			int i = 0;
			while (i < n && seen[i] != sector)
				i++;
			seen[i] = sector;
			n += i == n;
		}
	}
	return n;
}

void sums_local(struct sums *sums, enum traffic_kind kind, int width, uint32_t active, const uint64_t offset[MODEL_LANES])
{
	struct traffic *t = &sums->traffic[TRAFFIC_LOCAL][kind];
	t->requests += active != 0;
	t->sectors += (uint64_t)local_sectors(width, active, offset);
}

void sums_shared(struct sums *sums, const struct warp_access *access, int cc)
{
	static const enum traffic_kind kinds[] = {
		[ACCESS_LOAD] = TRAFFIC_LOAD, [ACCESS_STORE] = TRAFFIC_STORE, [ACCESS_ATOMIC] = TRAFFIC_ATOMIC,
	};
	struct traffic *t = &sums->traffic[TRAFFIC_SHARED][kinds[access->op]];
	int wavefronts = bank_wavefronts(access, cc, NULL, 0);
	t->requests += (uint64_t)access_requests(access);
	t->wavefronts += (uint64_t)wavefronts;
	t->conflicts += (uint64_t)(wavefronts - bank_ideal(access, cc));
}

void sums_add(struct sums *sums, const struct sums *more)
{
	uint64_t *to = (uint64_t *)sums;
	const uint64_t *from = (const uint64_t *)more;
	for (size_t i = 0; i < sizeof *sums / sizeof *to; i++)
		to[i] += from[i];
}

/* Which counters an access moves. */
static const struct moved {
	enum counter_id requests, wavefronts, conflicts, sectors, bytes;
} moved[TRAFFIC_SPACES][TRAFFIC_KINDS] = {
	[TRAFFIC_SHARED] = {
		[TRAFFIC_LOAD] = {COUNTER_SHARED_LD_REQUESTS, COUNTER_SHARED_LD_WAVEFRONTS, COUNTER_SHARED_LD_CONFLICTS,
			COUNTER_NONE, COUNTER_NONE},
		[TRAFFIC_STORE] = {COUNTER_SHARED_ST_REQUESTS, COUNTER_SHARED_ST_WAVEFRONTS, COUNTER_SHARED_ST_CONFLICTS,
			COUNTER_NONE, COUNTER_NONE},
		[TRAFFIC_ATOMIC] = {COUNTER_SHARED_ATOM_REQUESTS, COUNTER_SHARED_ATOM_WAVEFRONTS,
			COUNTER_SHARED_ATOM_CONFLICTS, COUNTER_NONE, COUNTER_NONE},
		[TRAFFIC_REDUCTION] = {COUNTER_NONE, COUNTER_NONE, COUNTER_NONE, COUNTER_NONE, COUNTER_NONE},
	},
	[TRAFFIC_GLOBAL] = {
		[TRAFFIC_LOAD] = {COUNTER_GLOBAL_LD_REQUESTS, COUNTER_NONE, COUNTER_NONE, COUNTER_GLOBAL_LD_SECTORS,
			COUNTER_GLOBAL_LD_BYTES},
		[TRAFFIC_STORE] = {COUNTER_GLOBAL_ST_REQUESTS, COUNTER_NONE, COUNTER_NONE, COUNTER_GLOBAL_ST_SECTORS,
			COUNTER_GLOBAL_ST_BYTES},
		[TRAFFIC_ATOMIC] = {COUNTER_GLOBAL_ATOM_REQUESTS, COUNTER_NONE, COUNTER_NONE, COUNTER_GLOBAL_ATOM_SECTORS,
			COUNTER_NONE},
		[TRAFFIC_REDUCTION] = {COUNTER_GLOBAL_RED_REQUESTS, COUNTER_NONE, COUNTER_NONE, COUNTER_GLOBAL_RED_SECTORS,
			COUNTER_NONE},
	},
	[TRAFFIC_LOCAL] = {
		[TRAFFIC_LOAD] = {COUNTER_LOCAL_LD_REQUESTS, COUNTER_NONE, COUNTER_NONE, COUNTER_LOCAL_LD_SECTORS, COUNTER_NONE},
		[TRAFFIC_STORE] = {COUNTER_LOCAL_ST_REQUESTS, COUNTER_NONE, COUNTER_NONE, COUNTER_LOCAL_ST_SECTORS,
			COUNTER_NONE},
		[TRAFFIC_ATOMIC] = {COUNTER_NONE, COUNTER_NONE, COUNTER_NONE, COUNTER_NONE, COUNTER_NONE},
		[TRAFFIC_REDUCTION] = {COUNTER_NONE, COUNTER_NONE, COUNTER_NONE, COUNTER_NONE, COUNTER_NONE},
	},
};

/* What is not modelled stays missing. */
static void bump(struct counts *counts, enum counter_id id, uint64_t by)
{
	if (id != COUNTER_NONE && counts->c[id].state == VALUE_OK)
		counts->c[id].v += (double)by;
}

static void bump_traffic(struct counts *counts, const struct moved *to, const struct traffic *t)
{
	bump(counts, to->requests, t->requests);
	bump(counts, to->wavefronts, t->wavefronts);
	bump(counts, to->conflicts, t->conflicts);
	bump(counts, to->sectors, t->sectors);
	bump(counts, to->bytes, t->bytes);
}

void counts_add_sums(struct counts *counts, const struct sums *sums)
{
	bump(counts, COUNTER_INSTRUCTIONS, sums->instructions);
	bump(counts, COUNTER_THREAD_INSTRUCTIONS, sums->threads);
	bump(counts, COUNTER_BRANCH_TARGETS, sums->branches);
	bump(counts, COUNTER_BRANCH_UNIFORM, sums->uniform);
	for (int space = 0; space < TRAFFIC_SPACES; space++)
		for (int kind = 0; kind < TRAFFIC_KINDS; kind++)
			bump_traffic(counts, &moved[space][kind], &sums->traffic[space][kind]);
}
