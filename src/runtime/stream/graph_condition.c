/* Conditional nodes of graphs: a handle is the address of a word of the device, which cudaGraphSetConditional of a kernel stores to
 * (device.def), and which is read when the node's turn has come. Then the work of its body is put before the rest of the stream's. */
#include <sched.h>
#include <stdlib.h>

#include "base/arena.h"
#include "runtime/stream/graph.h"

#define ASSIGN_DEFAULT 1u

static uint32_t *word_of(const struct runtime *r, uint64_t handle)
{
	return simt_memory_at(r->memory, handle, sizeof(uint32_t));
}

/* --- handles ------------------------------------------------------------------------------------------------------------ */

RUNTIME_API int cudaGraphConditionalHandleCreate(
	unsigned long long *out, struct cuda_graph *handle, unsigned int value, unsigned int flags)
{
	RUNTIME_ENTER(r);
	struct cuda_graph *graph = graph_of(handle);
	if (!out || !graph || flags & ~ASSIGN_DEFAULT)
		return runtime_leave(CUDA_ErrorInvalidValue);
	runtime_pause(r);
	uint64_t word = simt_memory_alloc(r->memory, sizeof(uint32_t)); /* for as long as the program runs */
	if (!word)
		return runtime_leave(CUDA_ErrorMemoryAllocation);
	*(struct graph_condition *)vec_push(
		graph->conditions, graph->n_conditions, graph->conditions_cap) = (struct graph_condition){
		.handle = word, .value = value, .assigned = flags & ASSIGN_DEFAULT};
	*out = word;
	return runtime_leave(CUDA_Success);
}

/* Of the graph, or of one whose node has it for a body. */
static struct graph_condition *find_condition(struct cuda_graph *graph, uint64_t handle)
{
	for (; graph; graph = graph->parent ? graph->parent->graph : NULL)
		for (int i = 0; i < graph->n_conditions; i++)
			if (graph->conditions[i].handle == handle)
				return &graph->conditions[i];
	return NULL;
}

static bool has_size(const struct graph_conditional *p)
{
	switch (p->type) {
	case GRAPH_IF: return p->size == 1 || p->size == 2;
	case GRAPH_WHILE: return p->size == 1;
	case GRAPH_SWITCH: return p->size > 0 && p->size <= GRAPH_BODIES_MAX;
	default: return false;
	}
}

int graph_set_conditional(struct runtime *r, struct graph_node *node, const void *asked)
{
	struct graph_conditional *p = (struct graph_conditional *)asked;
	struct graph_condition *c = find_condition(node->graph, p->handle);
	if (!c || c->used || !has_size(p))
		return CUDA_ErrorInvalidValue;
	c->used = true;
	node->n_bodies = (int)p->size;
	node->bodies = arena_alloc(r->arena, p->size * sizeof *node->bodies);
	for (unsigned int i = 0; i < p->size; i++) {
		node->bodies[i] = graph_new(r);
		node->bodies[i]->parent = node;
	}
	p->bodies = node->bodies;
	node->asked.conditional = *p;
	node->work = (struct cuda_work){.kind = WORK_BRANCH, .branch = {node}};
	return CUDA_Success;
}

bool graph_has_conditional(const struct cuda_graph *graph)
{
	for (int i = 0; i < graph->n; i++)
		if (graph->nodes[i]->n_bodies)
			return true;
	return false;
}

int graph_conditions_begin(struct runtime *r, const struct cuda_graph *graph, struct cuda_stream *stream)
{
	int error = CUDA_Success;
	for (int i = 0; i < graph->n_conditions && error == CUDA_Success; i++) {
		const struct graph_condition *c = &graph->conditions[i];
		struct cuda_work work = {.kind = WORK_FILL,
			.fill = {.at = (char *)word_of(r, c->handle),
				.pitch = sizeof c->value,
				.width = sizeof c->value,
				.height = 1,
				.value = c->value,
				.element = sizeof c->value}};
		if (c->assigned)
			error = queue_submit(r, stream, &work);
	}
	for (int i = 0; i < graph->n; i++)
		for (int k = 0; k < graph->nodes[i]->n_bodies && error == CUDA_Success; k++)
			error = graph_conditions_begin(r, graph->nodes[i]->bodies[k], stream);
	return error;
}

/* --- when its turn has come --------------------------------------------------------------------------------------------- */

static const struct cuda_graph *choose_body(const struct runtime *r, const struct cuda_operation *o)
{
	const struct graph_node *node = o->work.branch.node;
	const struct graph_conditional *p = &node->asked.conditional;
	uint32_t value = *word_of(r, p->handle);
	if (p->type != GRAPH_WHILE && o->branched)
		return NULL;
	if (p->type == GRAPH_SWITCH)
		return value < p->size ? node->bodies[value] : NULL;
	return value ? node->bodies[0] : p->type == GRAPH_IF && node->n_bodies == 2 ? node->bodies[1] : NULL;
}

/* Operations in a row; the end of it is where the next goes. */
struct graph_row {
	struct cuda_operation *first, **end;
	bool launches;
};

static int add_to_row(
	struct runtime *r, struct graph_row *row, const struct cuda_operation *o, const struct cuda_graph *body)
{
	struct graph_node **order = graph_order(body);
	int error = order ? CUDA_Success : CUDA_ErrorInvalidValue;
	for (int i = 0; order && i < body->n && error == CUDA_Success; i++) {
		const struct graph_node *node = order[i];
		if (node->child) {
			error = add_to_row(r, row, o, node->child);
			continue;
		}
		struct cuda_work work = work_clone(&node->work);
		if (node->disabled || work.kind == WORK_NOTHING)
			work_drop(&work);
		else if ((error = graph_refresh(r, &work)) == CUDA_Success) {
			row->launches |= work.kind == WORK_LAUNCH;
			*row->end = queue_part(r, o, &work);
			row->end = &(*row->end)->next;
		}
	}
	free(order);
	return error;
}

/* Others may want the lock, if nothing of a loop opens it. */
static void give_way(void)
{
	runtime_unlock();
	sched_yield();
	runtime_lock();
}

enum graph_turn graph_branch(struct runtime *r, struct cuda_operation *o)
{
	const struct cuda_graph *body = choose_body(r, o);
	struct graph_row row = {.end = &row.first};
	if (!body)
		return GRAPH_GOES_ON;
	o->branched = true;
	int error = add_to_row(r, &row, o, body);
	if (row.first) {
		*row.end = o;
		o->stream->first = row.first;
	}
	if (error != CUDA_Success && !r->failed)
		r->failed = CUDA_ErrorIllegalAddress; /* as of a kernel there: memory that it names was freed */
	if (!row.launches)
		give_way();
	return row.first || error != CUDA_Success ? GRAPH_BODY : GRAPH_NOTHING;
}
