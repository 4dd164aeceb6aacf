/* How a program is put together. Every choice comes from the seed. */
#include <string.h>

#include "machine/warp/warp.h"
#include "model/validate/flow.h"
#include "model/validate/trial.h"

#define DEPTH_MAX 5
#define LABELS_MAX 4
#define COUNTERS_MAX 8
#define ATTEMPTS_MAX 1000

/* What may stand where a statement is made. */
struct place {
	int depth, owner, inside;
	bool uniform;           /* all threads of the block that have not ended are here */
	bool frozen;            /* nobody may leave */
	bool in_break, in_loop; /* something to break out of; to continue */
	bool may_break, may_go; /* some threads alone may break; continue */
	bool may_return;        /* likewise */
	bool is_block;          /* of a function that all threads of a block call */
	int labels[LABELS_MAX], n_labels;
	bool may_jump[LABELS_MAX]; /* some threads alone */
	int counters[COUNTERS_MAX], n_counters;
	bool same[COUNTERS_MAX]; /* in all threads of the block */
};

struct flow_maker {
	struct flow_program *flow;
	uint64_t state;
	int left; /* nodes that may still be made */
	int returns;
};

static uint32_t below(struct flow_maker *m, uint32_t n)
{
	return validate_values_below(&m->state, n);
}

static bool chance(struct flow_maker *m, uint32_t of)
{
	return below(m, of) == 0;
}

/* --- expressions -------------------------------------------------------------------------------------------------- */

enum same { SAME_NOWHERE, SAME_IN_WARP, SAME_IN_BLOCK };

static int new_expr(struct flow_maker *m, enum flow_op op, uint32_t value, int a, int b)
{
	struct flow_program *f = m->flow;
	if (f->n_exprs == FLOW_EXPRS_MAX)
		return 0;
	f->exprs[f->n_exprs] = (struct flow_expr){op, value, a, b};
	return f->n_exprs++;
}

static int constant(struct flow_maker *m, uint32_t value)
{
	return new_expr(m, FLOW_CONSTANT, value, FLOW_NONE, FLOW_NONE);
}

static int atom(struct flow_maker *m, const struct place *at, enum same same)
{
	if (same == SAME_IN_WARP && chance(m, 2))
		return new_expr(m, FLOW_WARP, 0, FLOW_NONE, FLOW_NONE);
	if (same == SAME_NOWHERE)
		switch (below(m, 10)) {
		case 0:
		case 1:
		case 2:
		case 3: return new_expr(m, FLOW_VARIABLE, below(m, FLOW_VARIABLES), FLOW_NONE, FLOW_NONE);
		case 4:
		case 5: return new_expr(m, FLOW_LANE, 0, FLOW_NONE, FLOW_NONE);
		case 6: return new_expr(m, FLOW_THREAD, 0, FLOW_NONE, FLOW_NONE);
		case 7: return new_expr(m, FLOW_WARP, 0, FLOW_NONE, FLOW_NONE);
		default: break;
		}
	int counters[COUNTERS_MAX], n = 0;
	for (int i = 0; i < at->n_counters; i++)
		if (same == SAME_NOWHERE || at->same[i])
			counters[n++] = at->counters[i];
	switch (below(m, 6)) {
	case 0:
	case 1:
		if (n)
			return new_expr(
				m, FLOW_COUNTER, (uint32_t)counters[below(m, (uint32_t)n)], FLOW_NONE, FLOW_NONE);
		return new_expr(m, FLOW_BLOCK, 0, FLOW_NONE, FLOW_NONE);
	case 2: return new_expr(m, FLOW_BLOCK, 0, FLOW_NONE, FLOW_NONE);
	case 3:
		if (at->owner != FLOW_NONE && (same == SAME_NOWHERE || at->is_block))
			return new_expr(m, FLOW_DEPTH, 0, FLOW_NONE, FLOW_NONE);
		return constant(m, below(m, 32));
	case 4: return new_expr(m, FLOW_UNIFORM, below(m, FLOW_UNIFORMS), FLOW_NONE, FLOW_NONE);
	default: return constant(m, below(m, 32));
	}
}

static int new_value(struct flow_maker *m, const struct place *at, enum same same)
{
	static const enum flow_op ops[] = {
		FLOW_ADD, FLOW_SUB, FLOW_MUL, FLOW_AND, FLOW_XOR, FLOW_SHIFT, FLOW_ADD, FLOW_XOR};
	int a = atom(m, at, same);
	for (uint32_t n = below(m, 3); n; n--) {
		enum flow_op op = ops[below(m, sizeof ops / sizeof *ops)];
		int b = op == FLOW_SHIFT ? constant(m, below(m, 5))
			: op == FLOW_MUL ? constant(m, 3 + 2 * below(m, 20))
					 : atom(m, at, same);
		a = new_expr(m, op, 0, a, b);
	}
	return a;
}

/* A small number: 0 .. 2^bits - 1. */
static int new_small(struct flow_maker *m, const struct place *at, enum same same, uint32_t most)
{
	return new_expr(m, FLOW_AND, 0, new_value(m, at, same), constant(m, most));
}

static int new_condition(struct flow_maker *m, const struct place *at, enum same same)
{
	if (same == SAME_NOWHERE && chance(m, 3)) {
		int lane = new_expr(m, FLOW_LANE, 0, FLOW_NONE, FLOW_NONE);
		return chance(m, 2) ? new_expr(m, FLOW_LESS, 0, lane, constant(m, 1 + below(m, 31)))
				    : new_expr(m, FLOW_AND, 0, lane, constant(m, 1u << below(m, 5)));
	}
	int value = new_small(m, at, same, 7);
	return chance(m, 4) ? new_expr(m, FLOW_EQUAL, 0, value, constant(m, below(m, 8)))
			    : new_expr(m, FLOW_LESS, 0, value, constant(m, 1 + below(m, 7)));
}

/* --- statements --------------------------------------------------------------------------------------------------- */

static int new_node(struct flow_maker *m, const struct place *at, enum flow_kind kind)
{
	struct flow_program *f = m->flow;
	int i = f->n_nodes++;
	f->nodes[i] = (struct flow_node){.kind = kind,
		.next = FLOW_NONE,
		.lists = {FLOW_NONE, FLOW_NONE, FLOW_NONE, FLOW_NONE},
		.exprs = {0, 0},
		.functions = {FLOW_NONE, FLOW_NONE},
		.variable = (int)below(m, FLOW_VARIABLES),
		.number = below(m, 1u << 16),
		.inside = at->inside,
		.owner = at->owner};
	m->left--;
	return i;
}

static int make_list(struct flow_maker *m, const struct place *at, int most);

/* The inside of something that only some threads of a block may enter. */
static struct place some(const struct place *at)
{
	struct place in = *at;
	in.depth++;
	in.uniform = false;
	return in;
}

static struct place within(const struct place *at)
{
	struct place in = *at;
	in.depth++;
	return in;
}

/* The inside of a loop, whose counter it may use. */
static struct place loop_body(struct flow_maker *m, const struct place *at, int self, bool uniform)
{
	bool clean = uniform && !chance(m, 3);
	struct place in = clean ? within(at) : some(at);
	in.in_break = in.in_loop = true;
	in.may_break = in.may_go = !clean;
	if (in.n_counters < COUNTERS_MAX) {
		in.same[in.n_counters] = clean;
		in.counters[in.n_counters++] = self;
	}
	return in;
}

/* A function that may be called here: those before the one that this is, and itself. */
static int callable(struct flow_maker *m, const struct place *at, bool block)
{
	struct flow_program *f = m->flow;
	int found[FLOW_FUNCTIONS_MAX], n = 0;
	for (int i = 0; i < f->n_functions; i++)
		if (f->functions[i].block == block && (at->owner == FLOW_NONE || i <= at->owner))
			found[n++] = i;
	return n ? found[below(m, (uint32_t)n)] : FLOW_NONE;
}

static bool make_call(struct flow_maker *m, const struct place *at, struct flow_node *n)
{
	if (at->frozen) /* what is called may end threads */
		return false;
	bool block = at->uniform && chance(m, 2);
	n->functions[0] = callable(m, at, block);
	if (n->functions[0] == FLOW_NONE)
		n->functions[0] = callable(m, at, block = false);
	if (n->functions[0] == FLOW_NONE)
		return false;
	n->exprs[0] = new_value(m, at, SAME_NOWHERE);
	n->exprs[1] = new_small(m, at, block ? SAME_IN_BLOCK : SAME_NOWHERE, chance(m, 2) ? 1 : 3);
	if (block || n->kind != FLOW_POINTER)
		n->kind = FLOW_CALL;
	else
		n->functions[1] = callable(m, at, false);
	return true;
}

/* Whether this way to leave is open here. */
static bool may_leave(const struct place *at, enum flow_kind kind)
{
	if (at->frozen)
		return false;
	switch (kind) {
	case FLOW_BREAK: return at->in_break && (at->may_break || at->uniform);
	case FLOW_CONTINUE: return at->in_loop && (at->may_go || at->uniform);
	case FLOW_RETURN: return at->owner == FLOW_NONE || at->may_return || at->uniform;
	default: return true;
	}
}

/* Leaves below a condition: `if (x) break;`. */
static void make_leave(struct flow_maker *m, const struct place *at, struct flow_node *n, int self)
{
	static const enum flow_kind kinds[] = {FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_EXIT, FLOW_GOTO};
	enum flow_kind kind = kinds[below(m, 5)];
	int label = FLOW_NONE;
	if ((kind == FLOW_EXIT || (kind == FLOW_RETURN && at->owner == FLOW_NONE)) && m->returns >= 3)
		kind = FLOW_BREAK;
	if (kind == FLOW_GOTO)
		for (int i = at->n_labels; i-- > 0 && label == FLOW_NONE;)
			if ((at->may_jump[i] || at->uniform) && chance(m, 2))
				label = at->labels[i];
	if (!may_leave(at, kind) || (kind == FLOW_GOTO && label == FLOW_NONE)) {
		n->kind = FLOW_ASSIGN;
		n->exprs[0] = new_value(m, at, SAME_NOWHERE);
		return;
	}
	/* what is the way of all threads of the block must be theirs together, unless they end */
	bool alone = kind == FLOW_EXIT || (kind == FLOW_RETURN && at->owner == FLOW_NONE) ? true
		: kind == FLOW_BREAK                                                      ? at->may_break
		: kind == FLOW_CONTINUE                                                   ? at->may_go
		: kind == FLOW_RETURN                                                     ? at->may_return
											  : !at->uniform;
	m->returns += kind == FLOW_EXIT || kind == FLOW_RETURN;
	n->kind = FLOW_IF;
	n->exprs[0] = new_condition(m, at, alone ? SAME_NOWHERE : SAME_IN_BLOCK);
	n->tracked = alone && chance(m, 4);
	struct place in = alone ? some(at) : within(at);
	in.inside = n->tracked ? self : at->inside;
	int leave = new_node(m, &in, kind);
	m->flow->nodes[leave].number = (uint32_t)label;
	int before = chance(m, 3) ? new_node(m, &in, FLOW_ASSIGN) : FLOW_NONE;
	if (before != FLOW_NONE) {
		m->flow->nodes[before].exprs[0] = new_value(m, &in, SAME_NOWHERE);
		m->flow->nodes[before].next = leave;
	}
	n->lists[0] = before != FLOW_NONE ? before : leave;
}

static int make_statement(struct flow_maker *m, const struct place *at)
{
	static const enum flow_kind deep[] = {FLOW_IF, FLOW_IF, FLOW_IF, FLOW_FOR, FLOW_WHILE, FLOW_DO, FLOW_AGAIN,
		FLOW_SWITCH, FLOW_LABEL, FLOW_LABEL, FLOW_INTO_IF, FLOW_INTO_LOOP, FLOW_CROSS, FLOW_SPLIT};
	static const enum flow_kind flat[] = {FLOW_ASSIGN, FLOW_SYNC, FLOW_SHUFFLE, FLOW_SHUFFLE, FLOW_BALLOT,
		FLOW_VOTE, FLOW_MATCH, FLOW_REDUCE, FLOW_PASS, FLOW_CALL, FLOW_CALL, FLOW_POINTER};
	static const enum flow_kind whole[] = {FLOW_BARRIER, FLOW_COUNT, FLOW_EXCHANGE};
	uint32_t what = below(m, 20);
	enum flow_kind kind = what < 8 && at->depth < DEPTH_MAX && m->left > 6
		? deep[below(m, sizeof deep / sizeof *deep)]
		: what < 11                ? FLOW_BREAK
		: what < 14 && at->uniform ? whole[below(m, 3)]
					   : flat[below(m, sizeof flat / sizeof *flat)];
	int self = new_node(m, at, kind);
	struct flow_node *n = &m->flow->nodes[self];
	switch (kind) {
	case FLOW_IF: {
		bool uniform = at->uniform && chance(m, 2);
		enum same same = uniform ? SAME_IN_BLOCK : chance(m, 5) ? SAME_IN_WARP : SAME_NOWHERE;
		struct place in = uniform ? within(at) : some(at);
		n->exprs[0] = new_condition(m, at, same);
		n->tracked = !uniform && chance(m, 3);
		if (n->tracked)
			in.inside = self;
		n->lists[0] = make_list(m, &in, 4);
		if (chance(m, 2))
			n->lists[1] = make_list(m, &in, 4);
		break;
	}
	case FLOW_FOR:
	case FLOW_WHILE:
	case FLOW_DO:
	case FLOW_AGAIN: {
		bool uniform = at->uniform && chance(m, 2);
		enum same same = uniform ? SAME_IN_BLOCK : SAME_NOWHERE;
		struct place in = loop_body(m, at, self, uniform), head = in;
		n->number = 1 + below(m, 4); /* the most rounds */
		head.n_counters = at->n_counters;
		if (n->kind == FLOW_FOR)
			n->exprs[0] = new_small(m, &head, same, 3);
		else
			n->exprs[0] = new_condition(m, n->kind == FLOW_WHILE || n->kind == FLOW_DO ? &in : &head, same);
		if (n->kind == FLOW_AGAIN) { /* breaks and continues are those of what is around it */
			in.in_break = at->in_break;
			in.in_loop = at->in_loop;
			in.may_break = at->may_break && !in.uniform;
			in.may_go = at->may_go && !in.uniform;
		}
		n->lists[0] = make_list(m, &in, 4);
		break;
	}
	case FLOW_SWITCH: {
		bool uniform = at->uniform && chance(m, 2);
		struct place in = uniform ? within(at) : some(at);
		n->exprs[0] = new_small(m, at, uniform ? SAME_IN_BLOCK : SAME_NOWHERE, 7);
		in.in_break = true;
		in.may_break = !uniform;
		for (int i = 0; i < FLOW_LISTS; i++)
			n->lists[i] = make_list(m, &in, 2);
		break;
	}
	case FLOW_LABEL: {
		bool clean = at->uniform && !chance(m, 3);
		struct place in = clean ? within(at) : some(at);
		if (in.n_labels < LABELS_MAX) {
			in.may_jump[in.n_labels] = !clean;
			in.labels[in.n_labels++] = self;
		}
		n->lists[0] = make_list(m, &in, 5);
		break;
	}
	case FLOW_INTO_IF:
	case FLOW_INTO_LOOP:
	case FLOW_CROSS: {
		struct place in = some(at), head = in;
		n->exprs[0] = new_condition(m, at, SAME_NOWHERE);
		if (n->kind == FLOW_INTO_LOOP)
			in = loop_body(m, at, self, false);
		n->number = 1 + below(m, 3);
		n->exprs[1] = new_condition(m, &head, SAME_NOWHERE);
		n->lists[0] = make_list(m, &in, 3);
		n->lists[1] = make_list(m, &in, 3);
		if (n->kind == FLOW_CROSS)
			n->lists[2] = make_list(m, &in, 3);
		break;
	}
	case FLOW_SPLIT: {
		struct place in = some(at);
		in.frozen = true;
		n->exprs[0] = new_condition(m, at, SAME_NOWHERE);
		n->exprs[1] = new_value(m, at, SAME_NOWHERE);
		for (int i = 0; i < FLOW_LISTS; i++) /* before the barrier and after it, on each side */
			if (chance(m, 2))
				n->lists[i] = make_list(m, &in, 2);
		break;
	}
	case FLOW_BREAK: make_leave(m, at, n, self); break;
	case FLOW_CALL:
	case FLOW_POINTER:
		if (make_call(m, at, n))
			break;
		n->kind = FLOW_ASSIGN;
		n->exprs[0] = new_value(m, at, SAME_NOWHERE);
		break;
	default:
		n->exprs[0] = new_value(m, at, SAME_NOWHERE);
		n->exprs[1] = new_small(m, at, kind == FLOW_EXCHANGE ? SAME_IN_BLOCK : SAME_NOWHERE, 31);
		break;
	}
	/* A variable that all threads of a block have in common gets such values only. */
	if (n->kind == FLOW_ASSIGN && at->uniform && chance(m, 2)) {
		n->variable = FLOW_VARIABLES + (int)below(m, FLOW_UNIFORMS);
		n->exprs[0] = new_value(m, at, SAME_IN_BLOCK);
	}
	return self;
}

/* FLOW_NONE when no more may be made. */
static int make_list(struct flow_maker *m, const struct place *at, int most)
{
	int first = FLOW_NONE, last = FLOW_NONE;
	for (int n = 1 + (int)below(m, (uint32_t)most); n > 0 && m->left > 0; n--) {
		int one = make_statement(m, at);
		if (last == FLOW_NONE)
			first = one;
		else
			m->flow->nodes[last].next = one;
		last = one;
	}
	return first;
}

static void make_program(struct flow_maker *m)
{
	static const uint32_t sizes[] = {32, 64, 64, 96, 48, 40, 80, 128};
	struct flow_program *f = m->flow;
	struct place top = {.owner = FLOW_NONE, .inside = FLOW_NONE, .uniform = true};
	f->threads = sizes[below(m, sizeof sizes / sizeof *sizes)];
	f->blocks = 1 + below(m, 2);
	constant(m, 1); /* what an expression is for which there is no more room */
	f->n_functions = 0;
	for (uint32_t i = below(m, FLOW_FUNCTIONS_MAX + 1); i; i--) {
		struct flow_function *function = &f->functions[f->n_functions++];
		struct place in = top;
		*function = (struct flow_function){.body = FLOW_NONE, .block = chance(m, 3)};
		in.owner = f->n_functions - 1;
		in.uniform = in.is_block = function->block;
		in.may_return = !function->block;
		in.depth = 2;
		m->left = 4 + (int)below(m, 8);
		function->body = make_list(m, &in, 4);
	}
	m->left = 10 + (int)below(m, 30);
	f->body = make_list(m, &top, 10);
}

struct flow_program *validate_flow_generate(struct arena *arena, uint64_t seed)
{
	struct flow_program *flow = arena_alloc(arena, sizeof *flow);
	struct flow_maker maker = {.flow = flow, .state = seed};
	for (int i = 0; i < ATTEMPTS_MAX; i++) {
		*flow = (struct flow_program){.seed = seed};
		maker.returns = 0;
		make_program(&maker);
		if (validate_flow_interpret(arena, flow))
			return flow;
	}
	return NULL;
}
