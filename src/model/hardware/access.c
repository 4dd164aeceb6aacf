#include "model/hardware/access.h"

#include <stddef.h>

#include "base/text.h"
#include "model/hardware/occupancy.h"

#define WORD MODEL_BANK_BYTES

uint32_t access_widths(enum mem_space space, enum access_op op)
{
	if (!warp_op_exists_in(op, space))
		return 0;
	switch (op) {
	case ACCESS_LOAD:
	case ACCESS_STORE: return 1 | 2 | 4 | 8 | 16;
	case ACCESS_LOAD_MATRIX:
	case ACCESS_STORE_MATRIX:
	case ACCESS_COPY_BYPASS: return 16;
	case ACCESS_COPY: return 4 | 8 | 16;
	case ACCESS_COUNT: return 4;
	default: return 2 | 4 | 8 | 16; /* atomics; 16: vectors and b128 */
	}
}

/* An access to global or local memory. */
static void add_sectors(const struct warp_access *access, struct access_cost *cost)
{
	struct sector_use uses[SECTORS_MAX];
	int n = sector_uses(access, uses);
	for (int i = 0; i < n; i++)
		cost->bytes_used += __builtin_popcount(uses[i].bytes);
	cost->sectors += warp_op_is_atomic(access->op) ? sector_count_atomic(access->active, access->address) : n;
	cost->bytes_moved += n * MODEL_SECTOR_BYTES;
	cost->ideal_sectors = (cost->bytes_used + MODEL_SECTOR_BYTES - 1) / MODEL_SECTOR_BYTES;
}

/* Of a compute capability other than those that the rules were compared with.
 *
 * What NVIDIA writes about an access of one warp is alike for all compute capabilities from 6.0 on. Of shared memory:
 * 32 banks of 32 bits, and lanes in one word share it (CUDA C++ Programming Guide 13.0, "Compute Capabilities", "Shared
 * Memory" of 5.x, to which the later ones refer); nothing of lanes with more than a word, nor of atomics. Of global
 * memory: 32-byte transactions (Best Practices Guide, "Coalesced Access to Global Memory"). Of constant memory: a
 * request for each address; of local memory: consecutive words of 32 bits for consecutive threads (Programming Guide,
 * "Device Memory Accesses"). */
static const char *doubt_elsewhere(const struct warp_access *access)
{
	bool plain = access->op == ACCESS_LOAD || access->op == ACCESS_STORE;
	bool documented = plain && (access->space == SPACE_GLOBAL || access->width <= WORD);
	return documented ? _("is documented, not verified here") : _("was verified on CC 9.0 alone");
}

/* Verified: CC 9.0 (H200): smsp__inst_executed_op_shared_{ld,st} count instructions without an active lane; the
 * compiler puts a branch around atomics and local accesses; the others count nothing in t_requests. */
int access_requests(const struct warp_access *access)
{
	int words = access->width > WORD ? access->width / WORD : 1;
	if (!access->active)
		return access->space == SPACE_SHARED && !warp_op_is_atomic(access->op);
	return access->space == SPACE_LOCAL || (access->space == SPACE_CONST && access->width == 16) ? words : 1;
}

struct access_cost access_cost(const struct warp_access *access, int cc)
{
	struct access_cost cost = {.requests = access_requests(access)};
	switch (access->space) {
	case SPACE_SHARED:
		cost.wavefronts = bank_wavefronts(access, cc, NULL, 0);
		cost.ideal_wavefronts = bank_ideal(access, cc);
		cost.bank_conflicts = bank_conflicts(access, cc, cost.wavefronts);
		if (access->op == ACCESS_ADD_FLOAT) {
			/* Adding floats is a loop in SASS (LDS, FADD, ATOMS.CAST.SPIN): each round loads for all
			 * remaining lanes, then the lowest lane of each bank succeeds. Verified: CC 9.0 (H200),
			 * validate patterns: 4 bytes; 8 bytes behave differently. */
			struct warp_access left = *access;
			left.op = ACCESS_LOAD;
			while (left.active) {
				uint32_t banks = 0;
				int wavefronts = bank_wavefronts(&left, cc, NULL, 0);
				cost.loop_loads++;
				cost.loop_load_wavefronts += wavefronts;
				cost.loop_load_conflicts += bank_conflicts(&left, cc, wavefronts);
				for (uint32_t lanes = left.active; lanes; lanes &= lanes - 1) {
					uint32_t bank = 1u << left.address[__builtin_ctz(lanes)] / WORD % MODEL_BANKS;
					left.active &= banks & bank ? ~0u : ~(lanes & -lanes);
					banks |= bank;
				}
			}
			cost.requests = cost.loop_loads;
		}
		break;
	case SPACE_LOCAL:
		for (int i = 0; i < cost.requests; i++) {
			struct warp_access word = local_word(access, i);
			add_sectors(&word, &cost);
		}
		break;
	case SPACE_CONST: {
		/* One address per pass, even when two are in one word; 16 bytes are four loads of 4. Verified: CC 9.0
		 * (H200), validate patterns, against sm__idc_divergent_instruction_replays. */
		int n = 0;
		for (uint32_t lanes = access->active; lanes; lanes &= lanes - 1) {
			int lane = __builtin_ctz(lanes), other = 0;
			while (!(access->active >> other & 1) || access->address[other] != access->address[lane])
				other++;
			n += other == lane;
		}

		cost.replays = n ? (n - 1) * cost.requests : 0;
		break;
	}
	default: add_sectors(access, &cost);
	}
	cost.exact = !access_doubt(access, cc);
	return cost;
}

const char *access_doubt(const struct warp_access *access, int cc)
{
	switch (access->space) {
	case SPACE_SHARED:
		return bank_rule_verified(access->op, access->width, cc) ? NULL
			: bank_rule_verified(access->op, access->width, MODEL_CC_DEFAULT)
			? doubt_elsewhere(access)
			: _("was not verified on hardware");
	case SPACE_GLOBAL:
		/* Verified: CC 9.0 (H200), validate patterns, 16,000 of them:
		 * for atomics, one pattern in fifty counts one to four sectors more than the rule says, depending on
		 * the address of the buffer; for cp.async.cg the destination matters too, which is not modeled. */
		if (warp_op_is_atomic(access->op) && access->width != 4 && access->width != 8)
			return _("was not verified on hardware");
		if (occupancy_doubt(cc))
			return doubt_elsewhere(access);
		if (access->op == ACCESS_COPY_BYPASS)
			return "ignores the destination of the copies";
		return warp_op_is_atomic(access->op) ? "misses 1 to 4 sectors in 1 of 50 random accesses" : NULL;
	default: return occupancy_doubt(cc) ? doubt_elsewhere(access) : NULL;
	}
}
