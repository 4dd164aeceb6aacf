/* The reference: a program interpreted, all threads of a block in lockstep by the structure of the tree. It knows
 * nothing of PTX and nothing of the machine. */
#include <stdlib.h>
#include <string.h>

#include "machine/warp/warp.h"
#include "model/validate/flow.h"
#include "model/validate/trial.h"

#define WORK_MAX 2500 /* executions of a node by a warp, of a block */
#define ROWS_MAX 256  /* masks that a thread takes from its table */
#define CALLS_MAX 12  /* that are open at a time */

#define THREADS_MAX (FLOW_WARPS_MAX * WARP_SIZE)

/* Threads of a block. */
struct flow_set {
	uint32_t warps[FLOW_WARPS_MAX];
};

#define EACH_WARP(w) for (int w = 0; w < FLOW_WARPS_MAX; w++)

static struct flow_set set_and(struct flow_set a, struct flow_set b)
{
	EACH_WARP(w)
	a.warps[w] &= b.warps[w];
	return a;
}

static struct flow_set set_or(struct flow_set a, struct flow_set b)
{
	EACH_WARP(w)
	a.warps[w] |= b.warps[w];
	return a;
}

static struct flow_set set_minus(struct flow_set a, struct flow_set b)
{
	EACH_WARP(w)
	a.warps[w] &= ~b.warps[w];
	return a;
}

static bool set_is_empty(struct flow_set a)
{
	uint32_t any = 0;
	EACH_WARP(w)
	any |= a.warps[w];
	return !any;
}

static bool set_has(struct flow_set a, uint32_t thread)
{
	return a.warps[thread / WARP_SIZE] >> thread % WARP_SIZE & 1;
}

#define EACH_THREAD(t, set)                                                                                            \
	for (uint32_t t = 0; t < THREADS_MAX; t++)                                                                     \
		if (set_has(set, t))

/* --- state -------------------------------------------------------------------------------------------------------- */

/* What a call has of its own. */
struct flow_frame {
	uint32_t variables[FLOW_VARIABLES + FLOW_UNIFORMS][THREADS_MAX];
	uint32_t depth[THREADS_MAX];
	struct flow_set went[FLOW_NODES_MAX]; /* to the end of a label */
	struct flow_set returned;
	struct flow_set *broke, *continued;          /* of what is around the statement */
	uint32_t slots[FLOW_NODES_MAX][THREADS_MAX]; /* of a node: its counter, or the mask of a branch's side */
};

enum flow_pass { PASS_FACTS, PASS_ENDED, PASS_TABLE };

struct flow_run {
	struct flow_program *flow;
	enum flow_pass pass;
	uint32_t block, threads;
	struct flow_set live;
	struct flow_frame *frame;
	int calls;
	uint32_t shared[THREADS_MAX], passed[THREADS_MAX]; /* the arrays in shared memory */
	uint32_t rows[THREADS_MAX];
	uint64_t work;
	bool bad;
};

static struct flow_set run_list(struct flow_run *r, int first, struct flow_set active);

/* --- expressions -------------------------------------------------------------------------------------------------- */

static uint32_t value_of(const struct flow_run *r, int expr, uint32_t t)
{
	const struct flow_expr *e = &r->flow->exprs[expr];
	uint32_t a = e->a >= 0 ? value_of(r, e->a, t) : 0, b = e->b >= 0 ? value_of(r, e->b, t) : 0;
	switch (e->op) {
	case FLOW_CONSTANT: return e->value;
	case FLOW_VARIABLE: return r->frame->variables[e->value][t];
	case FLOW_UNIFORM: return r->frame->variables[FLOW_VARIABLES + e->value][t];
	case FLOW_COUNTER: return r->frame->slots[e->value][t];
	case FLOW_LANE: return t % WARP_SIZE;
	case FLOW_THREAD: return t;
	case FLOW_WARP: return t / WARP_SIZE;
	case FLOW_BLOCK: return r->block;
	case FLOW_DEPTH: return r->frame->depth[t];
	case FLOW_ADD: return a + b;
	case FLOW_SUB: return a - b;
	case FLOW_MUL: return a * b;
	case FLOW_AND: return a & b;
	case FLOW_XOR: return a ^ b;
	case FLOW_SHIFT: return a >> b;
	case FLOW_LESS: return a < b;
	case FLOW_EQUAL: return a == b;
	}
	return 0;
}

static struct flow_set where(const struct flow_run *r, int expr, struct flow_set active)
{
	struct flow_set out = {0};
	EACH_THREAD(t, active)
	out.warps[t / WARP_SIZE] |= (uint32_t)(value_of(r, expr, t) != 0) << t % WARP_SIZE;
	return out;
}

/* v = v * 5 + value, so that the order of assignments shows. */
static void mix(struct flow_run *r, int variable, uint32_t t, uint32_t value)
{
	uint32_t *v = &r->frame->variables[variable][t];
	*v = *v * 5 + value;
}

/* --- masks -------------------------------------------------------------------------------------------------------- */

static void take_masks(struct flow_run *r, struct flow_node *n, struct flow_set active)
{
	EACH_WARP(w)
	{
		uint32_t mask = active.warps[w];
		if (!mask)
			continue;
		if (r->pass == PASS_FACTS) {
			if (!n->reached)
				n->first = mask;
			n->constant = (!n->reached || n->constant) && mask == n->first;
			n->all |= mask;
			n->followed = (!n->reached || n->followed) && n->inside != FLOW_NONE;
			n->reached = true;
			if (n->inside != FLOW_NONE)
				for (int lane = 0; lane < WARP_SIZE; lane++)
					if (mask >> lane & 1)
						n->followed &= r->frame->slots[n->inside][w * WARP_SIZE + lane] == mask;
		} else if (r->pass == PASS_ENDED) {
			n->ended &= (n->all & r->live.warps[w]) == mask;
		} else if (n->mask == FLOW_MASK_TABLE) {
			for (uint32_t t = (uint32_t)w * WARP_SIZE; t < (uint32_t)(w + 1) * WARP_SIZE; t++) {
				if (!set_has(active, t))
					continue;
				uint32_t row = r->rows[t]++, all = r->flow->blocks * r->threads;
				if (row >= ROWS_MAX)
					r->bad = true;
				else
					r->flow->table[row * all + r->block * r->threads + t] = mask;
				if (row + 1 > r->flow->rows)
					r->flow->rows = row + 1;
			}
		}
	}
}

/* The thread whose value thread t takes, by what `n` says; its own where that one is not there. */
static uint32_t source_of(struct flow_run *r, struct flow_node *n, struct flow_set active, uint32_t t)
{
	uint32_t lane = t % WARP_SIZE, distance = 1 + n->number / 4 % 16, source = lane;
	switch (n->kind == FLOW_SHUFFLE ? n->number % 4 : 0) {
	case 0: source = value_of(r, n->exprs[1], t) & (WARP_SIZE - 1); break;
	case 1: source = lane < distance ? lane : lane - distance; break;
	case 2: source = lane + distance >= WARP_SIZE ? lane : lane + distance; break;
	default: source = lane ^ distance; break;
	}
	uint32_t other = t - lane + source;
	bool there = set_has(active, other);
	if (r->pass == PASS_FACTS)
		n->direct &= there;
	return there ? other : t;
}

/* --- what threads do together ------------------------------------------------------------------------------------- */

static uint32_t reduce(uint32_t operation, uint32_t a, uint32_t b)
{
	switch (operation) {
	case 0: return a + b;
	case 1: return a < b ? a : b;
	case 2: return a > b ? a : b;
	case 3: return a & b;
	case 4: return a | b;
	default: return a ^ b;
	}
}

static void run_together(struct flow_run *r, struct flow_node *n, struct flow_set active)
{
	uint32_t values[THREADS_MAX] = {0}, results[THREADS_MAX] = {0};
	take_masks(r, n, active);
	EACH_THREAD(t, active)
	values[t] = value_of(r, n->exprs[0], t);
	EACH_WARP(w)
	{
		uint32_t mask = active.warps[w], ballot = 0, sum = 0, base = (uint32_t)w * WARP_SIZE;
		bool first = true, same = true;
		for (uint32_t t = base; t < base + WARP_SIZE; t++) {
			if (!set_has(active, t))
				continue;
			ballot |= (values[t] & 1) << t % WARP_SIZE;
			sum = first ? values[t] : reduce(n->number % 6, sum, values[t]);
			same &= first || (values[t] & 3) == (values[base + (uint32_t)__builtin_ctz(mask)] & 3);
			first = false;
		}
		for (uint32_t t = base; t < base + WARP_SIZE; t++) {
			if (!set_has(active, t))
				continue;
			uint32_t alike = 0;
			for (uint32_t other = base; other < base + WARP_SIZE; other++)
				if (set_has(active, other) && (values[other] & 3) == (values[t] & 3))
					alike |= 1u << other % WARP_SIZE;
			switch (n->kind) {
			case FLOW_SHUFFLE:
			case FLOW_PASS: results[t] = values[source_of(r, n, active, t)]; break;
			case FLOW_BALLOT: results[t] = ballot; break;
			case FLOW_VOTE: results[t] = n->number % 2 ? ballot != 0 : ballot == mask; break;
			case FLOW_MATCH: results[t] = n->number % 2 ? alike : same ? 2 : 0; break;
			default: results[t] = sum; break;
			}
		}
	}
	EACH_THREAD(t, active)
	{
		if (n->kind == FLOW_PASS)
			r->passed[t] = values[t];
		if (n->kind != FLOW_SYNC)
			mix(r, n->variable, t, results[t]);
	}
}

/* All threads of the block that have not ended must be here. */
static void run_barrier(struct flow_run *r, struct flow_node *n, struct flow_set active)
{
	uint32_t values[THREADS_MAX], count = 0, here = 0;
	if (!set_is_empty(set_minus(r->live, active)))
		r->bad = true;
	EACH_THREAD(t, active)
	{
		values[t] = value_of(r, n->exprs[0], t);
		count += values[t] & 1;
		here++;
	}
	if (n->kind == FLOW_COUNT) {
		uint32_t result = n->number % 3 == 0 ? count : n->number % 3 == 1 ? count == here : count != 0;
		EACH_THREAD(t, active)
		mix(r, FLOW_VARIABLES + n->variable % FLOW_UNIFORMS, t, result);
	} else if (n->kind == FLOW_EXCHANGE) {
		EACH_THREAD(t, active)
		r->shared[t] = values[t];
		EACH_THREAD(t, active)
		mix(r, n->variable, t, r->shared[(t + 1 + (value_of(r, n->exprs[1], t) & 31)) % r->threads]);
	}
}

static struct flow_set run_split(struct flow_run *r, struct flow_node *n, struct flow_set active)
{
	struct flow_set taken = where(r, n->exprs[0], active), other = set_minus(active, taken);
	take_masks(r, n, active);
	run_list(r, n->lists[0], taken);
	run_list(r, n->lists[2], other);
	EACH_THREAD(t, active)
	r->passed[t] = value_of(r, n->exprs[1], t) + (set_has(taken, t) ? 0 : 1);
	uint32_t results[THREADS_MAX];
	EACH_THREAD(t, active)
	results[t] = r->passed[source_of(r, n, active, t)];
	EACH_THREAD(t, active)
	mix(r, n->variable, t, results[t]);
	run_list(r, n->lists[1], taken);
	run_list(r, n->lists[3], other);
	return active;
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

static void call(struct flow_run *r, struct flow_node *n, int function, struct flow_set active)
{
	uint32_t x[THREADS_MAX], depth[THREADS_MAX];
	bool lower = n->owner != FLOW_NONE &&
		(function == n->owner || n->functions[1] == n->owner || n->functions[0] == n->owner);
	if (set_is_empty(active))
		return;
	if (r->calls == CALLS_MAX) {
		r->bad = true;
		return;
	}
	EACH_THREAD(t, active)
	{
		x[t] = value_of(r, n->exprs[0], t);
		depth[t] = lower ? r->frame->depth[t] - 1 : value_of(r, n->exprs[1], t);
	}

	struct flow_frame *frame = calloc(1, sizeof *frame), *before = r->frame;
	struct flow_set deep = {0};
	if (!frame)
		abort();
	EACH_THREAD(t, active)
	{
		for (uint32_t i = 0; i < FLOW_VARIABLES; i++)
			frame->variables[i][t] = x[t] * (2 * i + 3) + i;
		for (uint32_t i = 0; i < FLOW_UNIFORMS; i++)
			frame->variables[FLOW_VARIABLES + i][t] = 11 * i + 2;
		frame->depth[t] = depth[t];
		deep.warps[t / WARP_SIZE] |= (uint32_t)(depth[t] != 0) << t % WARP_SIZE;
	}
	r->frame = frame;
	r->calls++;
	run_list(r, r->flow->functions[function].body, deep);
	r->calls--;
	r->frame = before;
	active = set_and(active, r->live);
	EACH_THREAD(t, active)
	{
		uint32_t result = x[t] * 7 + 1;
		if (set_has(deep, t)) {
			result = 0;
			for (uint32_t i = 0; i < FLOW_VARIABLES + FLOW_UNIFORMS; i++)
				result = result * 31 + frame->variables[i][t];
		}
		mix(r, n->variable, t, result);
	}
	free(frame);
}

/* The threads end: their results are what their variables are now. */
static void end_threads(struct flow_run *r, struct flow_set active)
{
	EACH_THREAD(t, active)
	{
		uint32_t result = 0;
		for (uint32_t i = 0; i < FLOW_VARIABLES + FLOW_UNIFORMS; i++)
			result = result * 31 + r->frame->variables[i][t];
		r->flow->expected[r->block * r->threads + t] = result;
	}
	r->live = set_minus(r->live, active);
}

/* --- statements --------------------------------------------------------------------------------------------------- */

/* Rounds of a loop, by its kind. Returns who comes out at its end. */
static struct flow_set run_loop(struct flow_run *r, struct flow_node *n, int self, struct flow_set active)
{
	struct flow_set broke = {0}, continued = {0}, *broke_before = r->frame->broke,
			*continued_before = r->frame->continued;
	uint32_t *counter = r->frame->slots[self];
	struct flow_set in = {0}, out = {0};
	EACH_THREAD(t, active)
	counter[t] = 0;
	if (n->kind == FLOW_INTO_LOOP) {
		in = where(r, n->exprs[0], active); /* these jump over the head and the first list */
		active = set_minus(active, in);
	}
	for (bool first = true; !r->bad && !set_is_empty(first ? set_or(active, in) : active); first = false) {
		r->work++;
		/* the head */
		struct flow_set stay = active;
		if (n->kind == FLOW_FOR) {
			stay = (struct flow_set){0};
			EACH_THREAD(t, active)
			stay.warps[t / WARP_SIZE] |= (uint32_t)(counter[t] < value_of(r, n->exprs[0], t))
				<< t % WARP_SIZE;
		} else if (n->kind == FLOW_WHILE || n->kind == FLOW_INTO_LOOP) {
			struct flow_set few = {0};
			EACH_THREAD(t, active)
			few.warps[t / WARP_SIZE] |= (uint32_t)(counter[t]++ < n->number) << t % WARP_SIZE;
			stay = where(r, n->exprs[n->kind == FLOW_INTO_LOOP], few);
		}
		out = set_or(out, set_minus(active, stay));
		active = stay;

		/* the body */
		if (n->kind != FLOW_AGAIN) {
			r->frame->broke = &broke;
			r->frame->continued = &continued;
		}
		continued = (struct flow_set){0};
		active = run_list(r, n->lists[0], active);
		if (n->kind == FLOW_INTO_LOOP) {
			active = run_list(r, n->lists[1], first ? set_or(active, in) : active);
		}
		r->frame->broke = broke_before;
		r->frame->continued = continued_before;
		active = set_or(active, continued);

		/* the foot */
		if (n->kind == FLOW_FOR) {
			EACH_THREAD(t, active)
			counter[t]++;
		} else if (n->kind == FLOW_DO || n->kind == FLOW_AGAIN) {
			struct flow_set few = {0};
			EACH_THREAD(t, active)
			few.warps[t / WARP_SIZE] |= (uint32_t)(++counter[t] < n->number) << t % WARP_SIZE;
			stay = where(r, n->exprs[0], few);
			out = set_or(out, set_minus(active, stay));
			active = stay;
		}
	}
	return set_or(out, broke);
}

static struct flow_set run_node(struct flow_run *r, int self, struct flow_set active)
{
	static const struct flow_set nobody = {0};
	struct flow_node *n = &r->flow->nodes[self];
	struct flow_set some;
	EACH_WARP(w)
	r->work += active.warps[w] != 0;
	if (r->work > WORK_MAX)
		r->bad = true;
	if (r->bad)
		return nobody;

	switch (n->kind) {
	case FLOW_ASSIGN:
		EACH_THREAD(t, active)
		mix(r, n->variable, t, value_of(r, n->exprs[0], t));
		return active;
	case FLOW_IF: {
		if (n->tracked)
			take_masks(r, n, active);
		struct flow_set taken = where(r, n->exprs[0], active), other = set_minus(active, taken);
		if (n->tracked)
			EACH_THREAD(t, active)
		r->frame->slots[self][t] = (set_has(taken, t) ? taken : other).warps[t / WARP_SIZE];
		taken = run_list(r, n->lists[0], taken);
		return set_or(taken, run_list(r, n->lists[1], other));
	}
	case FLOW_FOR:
	case FLOW_WHILE:
	case FLOW_DO:
	case FLOW_AGAIN:
	case FLOW_INTO_LOOP: return run_loop(r, n, self, active);
	case FLOW_SWITCH: {
		struct flow_set broke = {0}, *before = r->frame->broke, falls = {0}, cases[FLOW_LISTS] = {0};
		EACH_THREAD(t, active)
		{
			uint32_t value = value_of(r, n->exprs[0], t);
			cases[value < FLOW_LISTS - 1 ? value : FLOW_LISTS - 1].warps[t / WARP_SIZE] |= 1u
				<< t % WARP_SIZE;
		}
		r->frame->broke = &broke;
		for (int i = 0; i < FLOW_LISTS; i++) {
			falls = run_list(r, n->lists[i], set_or(falls, cases[i]));
			if (i == FLOW_LISTS - 1 || !(n->number >> i & 1)) { /* break; */
				broke = set_or(broke, falls);
				falls = (struct flow_set){0};
			}
		}
		r->frame->broke = before;
		return broke;
	}
	case FLOW_BREAK:
		if (!r->frame->broke)
			r->bad = true;
		else
			*r->frame->broke = set_or(*r->frame->broke, active);
		return nobody;
	case FLOW_CONTINUE:
		if (!r->frame->continued)
			r->bad = true;
		else
			*r->frame->continued = set_or(*r->frame->continued, active);
		return nobody;
	case FLOW_RETURN:
		if (n->owner == FLOW_NONE)
			end_threads(r, active);
		return nobody;
	case FLOW_EXIT: end_threads(r, active); return nobody;
	case FLOW_GOTO: r->frame->went[n->number] = set_or(r->frame->went[n->number], active); return nobody;
	case FLOW_LABEL:
		r->frame->went[self] = nobody;
		active = run_list(r, n->lists[0], active);
		return set_or(active, r->frame->went[self]);
	case FLOW_INTO_IF: /* if (c) goto L; if (d) { A; L: B } */
		some = where(r, n->exprs[0], active);
		active = set_minus(active, some);
		{
			struct flow_set taken = where(r, n->exprs[1], active), other = set_minus(active, taken);
			taken = run_list(r, n->lists[0], taken);
			return set_or(other, run_list(r, n->lists[1], set_or(taken, some)));
		}
	case FLOW_CROSS: /* if (c) { A; goto L; } else { B; if (d) { L: C } } */
		some = where(r, n->exprs[0], active);
		active = run_list(r, n->lists[1], set_minus(active, some));
		{
			struct flow_set crossed = run_list(r, n->lists[0], some), taken = where(r, n->exprs[1], active);
			active = set_minus(active, taken);
			return set_or(active, run_list(r, n->lists[2], set_or(crossed, taken)));
		}
	case FLOW_CALL: call(r, n, n->functions[0], active); return set_and(active, r->live);
	case FLOW_POINTER:
		some = where(r, n->exprs[0], active);
		call(r, n, n->functions[0], some);
		call(r, n, n->functions[1], set_minus(active, some));
		return set_and(active, r->live);
	case FLOW_BARRIER:
	case FLOW_COUNT:
	case FLOW_EXCHANGE: run_barrier(r, n, active); return active;
	case FLOW_SPLIT: return run_split(r, n, active);
	default: run_together(r, n, active); return active;
	}
}

static struct flow_set run_list(struct flow_run *r, int first, struct flow_set active)
{
	for (int i = first; i != FLOW_NONE && !r->bad && !set_is_empty(active); i = r->flow->nodes[i].next)
		active = run_node(r, i, active);
	return active;
}

/* --- a program ---------------------------------------------------------------------------------------------------- */

static bool run_pass(struct flow_program *flow, enum flow_pass pass)
{
	bool ok = true;
	struct flow_run *r = calloc(1, sizeof *r);
	struct flow_frame *frame = calloc(1, sizeof *frame);
	if (!r || !frame)
		abort();
	flow->work = 0;
	for (uint32_t block = 0; ok && block < flow->blocks; block++) {
		*r = (struct flow_run){
			.flow = flow, .pass = pass, .block = block, .threads = flow->threads, .frame = frame};
		*frame = (struct flow_frame){0};
		for (uint32_t t = 0; t < flow->threads; t++) {
			r->live.warps[t / WARP_SIZE] |= 1u << t % WARP_SIZE;
			r->shared[t] = r->passed[t] = t * 3 + 1;
			for (uint32_t i = 0; i < FLOW_VARIABLES; i++)
				frame->variables[i][t] = (block * flow->threads + t) * (2 * i + 3) + i;
			for (uint32_t i = 0; i < FLOW_UNIFORMS; i++)
				frame->variables[FLOW_VARIABLES + i][t] = block * 7 + 11 * i + 2;
		}
		end_threads(r, run_list(r, flow->body, r->live));
		ok = !r->bad;
		flow->work += r->work;
	}
	free(frame);
	free(r);
	return ok;
}

bool validate_flow_interpret(struct arena *arena, struct flow_program *flow)
{
	uint32_t all = flow->blocks * flow->threads;
	flow->expected = arena_array(arena, uint32_t, all);
	flow->table = arena_array(arena, uint32_t, (size_t)all * ROWS_MAX);
	flow->rows = 0;
	for (int i = 0; i < flow->n_nodes; i++) {
		struct flow_node *n = &flow->nodes[i];
		n->reached = n->constant = n->followed = false;
		n->ended = n->direct = true;
		n->all = 0;
	}
	if (!run_pass(flow, PASS_FACTS) || !run_pass(flow, PASS_ENDED))
		return false;

	/* How each mask is written, of what is true of all executions. */
	for (int i = 0; i < flow->n_nodes; i++) {
		struct flow_node *n = &flow->nodes[i];
		uint64_t random = flow->seed * 131 + (uint64_t)i;
		uint32_t how = validate_values_below(&random, 8);
		/* a source is looked for in the mask, and the side without the condition takes the rest of it */
		bool exact = n->tracked || n->kind == FLOW_PASS || n->kind == FLOW_SPLIT ||
			(n->kind == FLOW_SHUFFLE && !n->direct);
		if (!n->reached) /* a constant would be made up */
			n->mask = FLOW_MASK_TABLE;
		else if (n->ended && !exact && how < 3)
			n->mask = FLOW_MASK_ENDED;
		else if (n->followed && how < 6)
			n->mask = FLOW_MASK_TRACKED;
		else if (n->constant && how < 7)
			n->mask = FLOW_MASK_CONSTANT;
		else
			n->mask = FLOW_MASK_TABLE;
	}

	return run_pass(flow, PASS_TABLE);
}
