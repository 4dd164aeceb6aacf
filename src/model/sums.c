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

void sums_global(struct sums *sums, enum access_op op, uint32_t active, const uint64_t address[MODEL_LANES])
{
	struct traffic *t = &sums->traffic[ACCESS_GLOBAL][op];
	t->requests += active != 0;
	t->sectors += (uint64_t)sector_count(active, address);
}

void sums_access(struct sums *sums, const struct warp_access *access, int cc)
{
	struct traffic *t = &sums->traffic[access->space][access->op];

	if (access->space == ACCESS_GLOBAL) {
		sums_global(sums, access->op, access->active, access->address);
		return;
	}
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

/* Which counters an access moves. Atomics have counters of their own on the hardware, which are not collected. */
static const struct {
	enum counter_id requests, wavefronts, conflicts, sectors;
} moved[2][3] = {
	[ACCESS_SHARED] = {
		[ACCESS_LOAD] = {COUNTER_SHARED_LD_REQUESTS, COUNTER_SHARED_LD_WAVEFRONTS, COUNTER_SHARED_LD_CONFLICTS,
			COUNTER_NONE},
		[ACCESS_STORE] = {COUNTER_SHARED_ST_REQUESTS, COUNTER_SHARED_ST_WAVEFRONTS, COUNTER_SHARED_ST_CONFLICTS,
			COUNTER_NONE},
		[ACCESS_ATOMIC] = {COUNTER_NONE, COUNTER_NONE, COUNTER_NONE, COUNTER_NONE},
	},
	[ACCESS_GLOBAL] = {
		[ACCESS_LOAD] = {COUNTER_GLOBAL_LD_REQUESTS, COUNTER_NONE, COUNTER_NONE, COUNTER_GLOBAL_LD_SECTORS},
		[ACCESS_STORE] = {COUNTER_GLOBAL_ST_REQUESTS, COUNTER_NONE, COUNTER_NONE, COUNTER_GLOBAL_ST_SECTORS},
		[ACCESS_ATOMIC] = {COUNTER_NONE, COUNTER_NONE, COUNTER_NONE, COUNTER_NONE},
	},
};

static void bump(struct counts *counts, enum counter_id id, uint64_t by)
{
	if (id != COUNTER_NONE)
		counts->c[id].v += (double)by;
}

void counts_add_sums(struct counts *counts, const struct sums *sums)
{
	bump(counts, COUNTER_INSTRUCTIONS, sums->instructions);
	bump(counts, COUNTER_THREAD_INSTRUCTIONS, sums->threads);
	bump(counts, COUNTER_BRANCH_TARGETS, sums->branches);
	bump(counts, COUNTER_BRANCH_UNIFORM, sums->uniform);
	for (int space = 0; space < 2; space++) {
		for (int op = 0; op < 3; op++) {
			const struct traffic *t = &sums->traffic[space][op];
			bump(counts, moved[space][op].requests, t->requests);
			bump(counts, moved[space][op].wavefronts, t->wavefronts);
			bump(counts, moved[space][op].conflicts, t->conflicts);
			bump(counts, moved[space][op].sectors, t->sectors);
		}
	}
}
