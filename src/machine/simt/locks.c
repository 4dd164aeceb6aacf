#include "machine/simt/locks.h"

#include <string.h>

#include "base/arena.h"
#include "machine/race/race.h"
#include "machine/ptx/instr.h"
#include "machine/ptx/ops.h"
#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/mem.h"

#define HELD 2 /* locks that a thread may hold at a time; of more, the last ones count */

/* Of a launch; its blocks run on one core. */
struct locks {
	const struct race_order *order;
	uint64_t *within; /* a bit for each instruction at which a thread held a lock that it released */
	uint32_t words;   /* of those bits */
};

struct held_lock {
	uint64_t word;   /* address; bit 63: in shared memory; 0: none */
	uint64_t before; /* what it held before, */
	bool is_turn;    /* or it was waited for, and any change releases it */
};

struct warp_locks {
	uint32_t holding; /* lanes */
	struct held_lock held[WARP_SIZE][HELD];
	uint64_t bits[]; /* likewise, of lanes that have not released it yet */
};

static bool takes_or_waits(const struct code *c, const struct race_order *order)
{
	int op = c->instr->form->mod[PTX_MOD_ATOM];
	return instr_kind(c->instr->form) == PTX_KIND_ATOMIC ? op == PTX_ATOM_CAS || op == PTX_ATOM_EXCH
							     : order[c->index].spins && order[c->index].strong;
}

void simt_locks_find(struct machine *m, const struct race_order *order)
{
	const struct program *p = &m->program;
	bool any = false;
	for (uint32_t i = 0; i < p->n; i++)
		any |= takes_or_waits(&p->code[i], order);
	if (!any)
		return;
	m->locks = arena_array(m->arena, struct locks, 1);
	m->locks->order = order;
	m->locks->words = p->n / 64 + 1;
	m->locks->within = arena_array(m->arena, uint64_t, m->locks->words);
}

void simt_locks_begin(struct warp *w)
{
	if (w->locks)
		memset(w->locks, 0, sizeof *w->locks + w->m->locks->words * sizeof *w->locks->bits);
}

static void take(struct warp *w, int lane, uint64_t word, uint64_t before, bool is_turn)
{
	if (!w->locks)
		w->locks = arena_alloc(w->m->arena, sizeof *w->locks + w->m->locks->words * sizeof *w->locks->bits);
	struct held_lock *held = w->locks->held[lane];
	if (held[0].word != word)
		held[1] = held[0];
	held[0] = (struct held_lock){word, before, is_turn};
	w->locks->holding |= 1u << lane;
}

/* What the lane did while it held the lock was done within it. */
static void release(struct warp *w, int lane, struct held_lock *lock)
{
	struct locks *all = w->m->locks;
	struct held_lock *held = w->locks->held[lane];
	for (uint32_t i = 0; i < all->words; i++)
		all->within[i] |= w->locks->bits[i];
	lock->word = 0;
	if (!held[0].word && !held[1].word)
		w->locks->holding &= ~(1u << lane);
	if (!w->locks->holding)
		memset(w->locks->bits, 0, all->words * sizeof *w->locks->bits);
}

static struct held_lock *held_by(const struct warp *w, int lane, uint64_t word)
{
	for (int i = 0; w->locks && i < HELD; i++)
		if (w->locks->held[lane][i].word == word)
			return &w->locks->held[lane][i];
	return NULL;
}

/* What the lane's word will hold: `now` before the access. */
static uint64_t value_after(const struct warp *w, const struct code *c, int lane, uint64_t now)
{
	uint64_t value = 0, expected = 0;
	enum ptx_kind kind = instr_kind(c->instr->form);
	bool swaps = kind == PTX_KIND_ATOMIC && c->instr->form->mod[PTX_MOD_ATOM] == PTX_ATOM_CAS;
	const uint8_t *from = kind == PTX_KIND_STORE ? R(1) : swaps ? R(3) : R(2), *wanted = R(2);
	size_t slot = kind == PTX_KIND_STORE ? c->slot[0] : c->bytes;
	memcpy(&value, from + (size_t)lane * slot, c->bytes);
	if (swaps)
		memcpy(&expected, wanted + (size_t)lane * c->bytes, c->bytes);
	return swaps && expected != now ? now : value;
}

uint32_t simt_locks_access(struct warp *w, const struct code *c)
{
	struct machine *m = w->m;
	const struct warp_access *a = &m->access;
	const struct race_order *order = &m->locks->order[c->index];
	enum ptx_kind kind = instr_kind(c->instr->form);
	bool changes = kind == PTX_KIND_STORE || kind == PTX_KIND_ATOMIC || kind == PTX_KIND_REDUCTION;
	bool waits = kind == PTX_KIND_LOAD && order->spins && order->strong;
	if ((a->space != SPACE_SHARED && a->space != SPACE_GLOBAL) || m->owner != m)
		return 0;
	if (!order->strong && w->locks && w->locks->holding & a->active) {
		uint32_t at = (uint32_t)simt_reported_instr(w, c);
		w->locks->bits[at / 64] |= (uint64_t)1 << at % 64;
	}
	if ((!changes && !waits) || c->lanes != 1 || c->bytes > 8 || c->elements)
		return 0;
	if (!takes_or_waits(c, m->locks->order) && !(w->locks && w->locks->holding & a->active))
		return 0;

	/* Lanes at one address have their turn one after the other, each with what the one before left there. */
	uint64_t left_there[WARP_SIZE];
	uint32_t releasing = 0;
	for (uint32_t left = a->active; left; left &= left - 1) {
		int lane = __builtin_ctz(left);
		uint64_t word = a->address[lane] | (uint64_t)(a->space == SPACE_SHARED) << 63, now = 0;
		memcpy(&now, simt_mem_lane(m, lane), c->bytes);
		for (uint32_t before = a->active & ((1u << lane) - 1); before; before &= before - 1)
			if (a->address[__builtin_ctz(before)] == a->address[lane])
				now = left_there[__builtin_ctz(before)];

		struct held_lock *lock = held_by(w, lane, word);
		bool known = kind == PTX_KIND_STORE || takes_or_waits(c, m->locks->order); /* what it will be */
		uint64_t then = waits || !known ? now : value_after(w, c, lane, now);
		left_there[lane] = then;
		if (waits) {
			take(w, lane, word, now, true);
		} else if (lock && (lock->is_turn || !known || then == lock->before) && (then != now || !known)) {
			release(w, lane, lock);
			releasing |= 1u << lane;
		} else if (kind == PTX_KIND_ATOMIC && known && then != now) {
			take(w, lane, word, now, false);
		}
	}
	return releasing;
}

bool simt_locks_guard(const struct machine *m, int one, int other)
{
	const struct locks *all = m->locks;
	return all && one >= 0 && other >= 0 && all->within[one / 64] >> one % 64 & 1 &&
		all->within[other / 64] >> other % 64 & 1;
}
