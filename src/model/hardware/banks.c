#include "model/hardware/access.h"

#include <stddef.h>
#include <string.h>

/* How a warp is split into groups that the data stage serves one after the other. */
enum split { WHOLE, HALVES, QUARTERS, HALVES_OR_WHOLE, QUARTERS_OR_HALVES };

struct rule {
	enum access_op op;
	uint8_t width;
	enum split split;
	uint8_t passes; /* wavefronts per lane */
	int verified;   /* the compute capability it was checked on; 0: none, inferred from similar rows */
};

/* Verified: CC 9.0 (H200), tests/gpu and validate patterns, against l1tex__data_{pipe_lsu_wavefronts,bank_conflicts}...
 * _mem_shared_op_{ld,st,atom}: strides, random windows, permutations, masks, swizzles, broadcasts, equal and broken
 * pairs. At least 200 of each row. ATOMIC is add, min, max, and, or, xor, inc and dec of 4 bytes. Of 8 bytes the
 * hardware has only exch and cas; the others are loops whose rounds depend on the values, as are all of 2 bytes. Other
 * compute capabilities use the same rules, which NVIDIA documents for loads and stores of at most a word: access.c. */
static const struct rule rules[] = {
	{ACCESS_LOAD, 1, WHOLE, 1, 90},
	{ACCESS_LOAD, 2, WHOLE, 1, 90},
	{ACCESS_LOAD, 4, WHOLE, 1, 90},
	{ACCESS_LOAD, 8, HALVES_OR_WHOLE, 1, 90},
	{ACCESS_LOAD, 16, QUARTERS_OR_HALVES, 1, 90},
	{ACCESS_STORE, 1, WHOLE, 1, 90},
	{ACCESS_STORE, 2, WHOLE, 1, 90},
	{ACCESS_STORE, 4, WHOLE, 1, 90},
	{ACCESS_STORE, 8, HALVES, 1, 90},
	{ACCESS_STORE, 16, QUARTERS, 1, 90},
	{ACCESS_ATOMIC, 2, WHOLE, 2, 0},
	{ACCESS_ATOMIC, 4, WHOLE, 1, 90},
	{ACCESS_ATOMIC, 8, HALVES, 2, 0},
	{ACCESS_REDUCE, 2, WHOLE, 2, 0},
	{ACCESS_REDUCE, 4, WHOLE, 1, 90},
	{ACCESS_REDUCE, 8, HALVES, 2, 0},
	{ACCESS_EXCHANGE, 4, WHOLE, 1, 90},
	{ACCESS_EXCHANGE, 8, HALVES, 1, 90},
	{ACCESS_CAS, 2, WHOLE, 2, 0},
	{ACCESS_CAS, 4, WHOLE, 2, 90},
	{ACCESS_CAS, 8, HALVES, 2, 90},
	{ACCESS_ADD_FLOAT, 2, WHOLE, 2, 0},
	{ACCESS_ADD_FLOAT, 4, WHOLE, 2, 90},
	{ACCESS_ADD_FLOAT, 8, HALVES, 2, 0},
	{ACCESS_COUNT, 4, WHOLE, 1, 90},
	{ACCESS_LOAD_MATRIX, 16, QUARTERS, 1, 90},
	{ACCESS_STORE_MATRIX, 16, QUARTERS, 1, 90},
};

static const struct rule *find_rule(enum access_op op, int width)
{
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (rules[i].op == op && rules[i].width == width)
			return &rules[i];
	return NULL;
}

bool bank_rule_verified(enum access_op op, int width, int cc)
{
	const struct rule *rule = find_rule(op, width);
	return rule && rule->verified && rule->verified == cc;
}

/* Whether lanes i and i^distance have the same address wherever both are active. */
static bool pairs_agree(const struct warp_access *access, int distance)
{
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		int other = lane ^ distance;
		if (access->active >> lane & 1 && access->active >> other & 1 &&
			access->address[lane] != access->address[other])
			return false;
	}
	return true;
}

int bank_groups(const struct warp_access *access, int cc, uint32_t out[BANKS_GROUPS_MAX])
{
	(void)cc; /* one set of rules so far */
	const struct rule *rule = find_rule(access->op, access->width);
	int lanes = 32, n = 0;
	switch (rule ? rule->split : WHOLE) {
	case HALVES: lanes = 16; break;
	case QUARTERS: lanes = 8; break;
	case HALVES_OR_WHOLE: lanes = pairs_agree(access, 1) || pairs_agree(access, 2) ? 32 : 16; break;
	case QUARTERS_OR_HALVES: lanes = pairs_agree(access, 1) || pairs_agree(access, 2) ? 16 : 8; break;
	case WHOLE: break;
	}

	for (int first = 0; first < WARP_SIZE; first += lanes) {
		uint32_t group = access->active & (WARP_FULL_MASK >> (WARP_SIZE - lanes)) << first;
		if (group)
			out[n++] = group;
	}
	return n;
}

static int passes_of(const struct warp_access *access)
{
	const struct rule *rule = find_rule(access->op, access->width);
	return rule ? rule->passes : 1;
}

int bank_ideal(const struct warp_access *access, int cc)
{
	uint32_t groups[BANKS_GROUPS_MAX];
	return bank_groups(access, cc, groups) * passes_of(access);
}

int bank_conflicts(const struct warp_access *access, int cc, int wavefronts)
{
	return access->op == ACCESS_ADD_FLOAT ? 0 : (wavefronts - bank_ideal(access, cc)) / passes_of(access);
}

/* The words requested of one bank, in order. Aligned lanes of more than 4 bytes use whole runs of banks, so the first
 * bank of a run represents all of it. */
struct bank_queue {
	uint64_t unit[WARP_SIZE]; /* address in units of the width, at least a word */
	int n;
};

enum sharing { WORDS_SHARED, WORDS_SEPARATE };

/* Lanes on the same word share it, except those of most atomics. */
static enum sharing sharing_of(const struct warp_access *access)
{
	return warp_op_is_atomic(access->op) && access->op != ACCESS_COUNT ? WORDS_SEPARATE : WORDS_SHARED;
}

/* Whether lanes of at most a word need one pass: no two of them access different words of a bank. */
static bool is_conflict_free(const struct warp_access *access)
{
	uint64_t word_of[MODEL_BANKS];
	uint32_t seen = 0;

	if (access->width > MODEL_BANK_BYTES || sharing_of(access) == WORDS_SEPARATE)
		return false;
	for (uint32_t lanes = access->active; lanes; lanes &= lanes - 1) {
		uint64_t word = access->address[__builtin_ctz(lanes)] / MODEL_BANK_BYTES, bank = word % MODEL_BANKS;
		if (seen >> bank & 1 && word_of[bank] != word)
			return false;
		seen |= 1u << bank;
		word_of[bank] = word;
	}
	return seen != 0;
}

int bank_wavefronts(const struct warp_access *access, int cc, struct bank_wavefront *out, int cap)
{
	if (!out && is_conflict_free(access))
		return 1;
	uint32_t groups[BANKS_GROUPS_MAX];
	int n_groups = bank_groups(access, cc, groups), total = 0;

	if (!out)
		cap = 0;
	for (int i = 0; i < cap; i++) {
		out[i].lanes = 0;
		memset(out[i].word, -1, sizeof out[i].word);
	}
	for (int i = 0; i < n_groups; i++) {
		int room = total < cap ? cap - total : 0;

		/* The wavefronts of this group; the first of them go to `out`. */
		uint32_t lanes = groups[i];
		struct bank_wavefront *wavefronts = room ? out + total : NULL;
		int words = access->width <= MODEL_BANK_BYTES ? 1 : access->width / MODEL_BANK_BYTES, n = 0;
		int passes = passes_of(access);
		enum sharing sharing = sharing_of(access);
		struct bank_queue queues[MODEL_BANKS];

		for (int bank = 0; bank < MODEL_BANKS; bank++)
			queues[bank].n = 0;
		for (int lane = 0; lane < WARP_SIZE; lane++) {
			if (!(lanes >> lane & 1))
				continue;
			uint64_t unit = access->address[lane] / (uint64_t)(words * MODEL_BANK_BYTES),
				 word = unit * (uint64_t)words;
			/* the position in the queue: the round in which the bank delivers it */
			struct bank_queue *queue = &queues[word % MODEL_BANKS];
			int round = sharing == WORDS_SHARED ? 0 : queue->n;
			while (round < queue->n && queue->unit[round] != unit)
				round++;
			if (round == queue->n)
				queue->unit[queue->n++] = unit;
			int first = round * passes;
			for (int j = first; j < first + passes && j < room; j++) {
				wavefronts[j].lanes |= 1u << lane;
				for (uint64_t k = word; k < word + (uint64_t)words; k++)
					wavefronts[j].word[k % MODEL_BANKS] = (int64_t)k;
			}
			if (first + passes > n)
				n = first + passes;
		}
		total += n;
	}
	return total;
}
