/* Smaller programs: one with a cut, a statement taken out or replaced with what is inside it. */
#include <string.h>

#include "model/validate/flow.h"

struct flow_cutter {
	struct flow_program *flow;
	int number; /* of the cut that is wanted; counted down */
	bool done;
};

/* The last of a list. */
static int *end_of(struct flow_program *f, int *link)
{
	while (*link != FLOW_NONE)
		link = &f->nodes[*link].next;
	return link;
}

/* Cuts of the statement at *link: it goes; its list number i stands for it, for each that it has; its second list goes.
 * Then those of what is inside. */
static void cut_list(struct flow_cutter *c, int *link)
{
	for (; *link != FLOW_NONE && !c->done; link = &c->flow->nodes[*link].next) {
		struct flow_node *n = &c->flow->nodes[*link];
		if (c->number-- == 0) {
			*link = n->next;
			c->done = true;
			return;
		}
		for (int i = 0; i < FLOW_LISTS; i++) {
			if (n->lists[i] == FLOW_NONE)
				continue;
			if (c->number-- == 0) {
				*end_of(c->flow, &n->lists[i]) = n->next;
				*link = n->lists[i];
				c->done = true;
				return;
			}
		}
		if (n->tracked && c->number-- == 0) {
			n->tracked = false;
			for (int i = 0; i < c->flow->n_nodes; i++)
				if (c->flow->nodes[i].inside == *link)
					c->flow->nodes[i].inside = FLOW_NONE;
			c->done = true;
			return;
		}
		for (int i = 0; i < FLOW_LISTS && !c->done; i++)
			cut_list(c, &n->lists[i]);
	}
}

/* --- what is left ------------------------------------------------------------------------------------------------- */

/* Marks the nodes of a list, what their expressions name, and the functions they call. */
struct flow_reach {
	bool nodes[FLOW_NODES_MAX], functions[FLOW_FUNCTIONS_MAX];
	int n;
};

static void reach(const struct flow_program *f, int first, struct flow_reach *out)
{
	for (int i = first; i != FLOW_NONE && !out->nodes[i]; i = f->nodes[i].next) {
		out->nodes[i] = true;
		out->n++;
		for (int k = 0; k < FLOW_LISTS; k++)
			reach(f, f->nodes[i].lists[k], out);
		for (int k = 0; k < 2; k++) {
			int function = f->nodes[i].functions[k];
			if (function != FLOW_NONE && !out->functions[function]) {
				out->functions[function] = true;
				reach(f, f->functions[function].body, out);
			}
		}
	}
}

static bool names_lost(const struct flow_program *f, int expr, const struct flow_reach *there)
{
	const struct flow_expr *e = &f->exprs[expr];
	return (e->op == FLOW_COUNTER && !there->nodes[e->value]) || (e->a >= 0 && names_lost(f, e->a, there)) ||
		(e->b >= 0 && names_lost(f, e->b, there));
}

/* Whether every break and continue of the list is inside something to leave. */
static bool leaves_something(const struct flow_program *f, int first, bool in_break, bool in_loop)
{
	for (int i = first; i != FLOW_NONE; i = f->nodes[i].next) {
		const struct flow_node *n = &f->nodes[i];
		bool loop = n->kind == FLOW_FOR || n->kind == FLOW_WHILE || n->kind == FLOW_DO ||
			n->kind == FLOW_INTO_LOOP;
		if ((n->kind == FLOW_BREAK && !in_break) || (n->kind == FLOW_CONTINUE && !in_loop))
			return false;
		for (int k = 0; k < FLOW_LISTS; k++)
			if (!leaves_something(
				    f, n->lists[k], in_break || loop || n->kind == FLOW_SWITCH, in_loop || loop))
				return false;
	}
	return true;
}

/* Whether all that is named is there: labels, counters, branches with masks, what breaks leave. */
static bool is_whole(const struct flow_program *f)
{
	struct flow_reach there = {0};
	reach(f, f->body, &there);
	for (int i = 0; i < f->n_nodes; i++) {
		const struct flow_node *n = &f->nodes[i];
		if (!there.nodes[i])
			continue;
		if ((n->kind == FLOW_GOTO && !there.nodes[n->number]) ||
			(n->inside != FLOW_NONE && !there.nodes[n->inside]) || names_lost(f, n->exprs[0], &there) ||
			names_lost(f, n->exprs[1], &there))
			return false;
	}
	for (int i = 0; i < f->n_functions; i++)
		if (!leaves_something(f, f->functions[i].body, false, false))
			return false;
	return leaves_something(f, f->body, false, false);
}

int validate_flow_size(const struct flow_program *flow)
{
	struct flow_reach there = {0};
	reach(flow, flow->body, &there);
	return there.n;
}

void validate_flow_count(const struct flow_program *flow, uint64_t counts[FLOW_KINDS_N])
{
	struct flow_reach there = {0};
	reach(flow, flow->body, &there);
	for (int i = 0; i < flow->n_nodes; i++)
		counts[flow->nodes[i].kind] += there.nodes[i];
}

const char *validate_flow_kind_name(enum flow_kind kind)
{
	static const char *const names[] = {
#define FLOW_KIND_NAME(id, name) name,
		FLOW_KINDS(FLOW_KIND_NAME)
#undef FLOW_KIND_NAME
	};
	return names[kind];
}

struct flow_program *validate_flow_cut(struct arena *arena, const struct flow_program *flow, int number, bool *ended)
{
	struct flow_program *smaller = arena_alloc(arena, sizeof *smaller);
	struct flow_cutter cutter = {.flow = smaller, .number = number};
	*smaller = *flow;
	cut_list(&cutter, &smaller->body);
	for (int i = 0; i < smaller->n_functions && !cutter.done; i++)
		cut_list(&cutter, &smaller->functions[i].body);
	*ended = !cutter.done;
	return cutter.done && is_whole(smaller) && validate_flow_interpret(arena, smaller) ? smaller : NULL;
}
