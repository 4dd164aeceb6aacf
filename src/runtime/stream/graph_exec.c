/* Graphs that were made ready to launch, and launches of them. */
#include <sched.h>
#include <stdlib.h>

#include "base/arena.h"
#include "runtime/report/report.h"
#include "runtime/stream/graph.h"

static struct graph_exec *exec_of(struct graph_exec *handle)
{
	return handle && handle->mark == GRAPH_EXEC_MARK ? handle : NULL;
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

/* The memory that it names must still be there: it may have been freed since the node was made. */
static int find_again(struct runtime *r, uint64_t address, size_t span, char **at)
{
	if (!address)
		return CUDA_Success;
	const struct cuda_allocation *a = runtime_allocation(r, address, span);
	if (!a) {
		report_problem(r, REPORT_COPY, NULL,
			"cudaGraphLaunch: a node copies or sets %zu bytes at 0x%llx, which were freed", span,
			(unsigned long long)address);
		return CUDA_ErrorInvalidValue;
	}
	*at = a->host + (address - a->address);
	return CUDA_Success;
}

int graph_refresh(struct runtime *r, struct cuda_work *w)
{
	if (w->kind == WORK_COPY) {
		struct copy_end *ends[] = {&w->copy.to, &w->copy.from};
		int error = CUDA_Success;
		for (int i = 0; i < 2 && error == CUDA_Success; i++) {
			size_t span = (w->copy.depth - 1) * ends[i]->slice + (w->copy.height - 1) * ends[i]->pitch +
				w->copy.width;
			error = find_again(r, ends[i]->address, span, &ends[i]->at);
		}
		return error;
	}
	if (w->kind == WORK_FILL)
		return find_again(
			r, w->fill.address, (w->fill.height - 1) * w->fill.pitch + w->fill.width, &w->fill.at);
	if (w->kind == WORK_AWAIT) {
		w->event.serial = w->event.event->recorded;
		w->event.stream = w->event.event->stream;
	}
	return CUDA_Success;
}

/* --- side by side ------------------------------------------------------------------------------------------------- */

#define LANES_MAX 64

/* Nodes in a row have a lane: a stream, the first that of the launch, others of the runtime's own. */
struct graph_lanes {
	struct graph_node **order;
	int n_nodes, n;
	int *of;          /* per node, in order: its lane */
	uint64_t *number; /* likewise: what its lane was asked for up to the node */
	int last[LANES_MAX];
	struct cuda_stream *stream[LANES_MAX]; /* NULL: not begun yet */
	uint64_t begin;                        /* number of what is before all of it in the first */
};

static int place_in(const struct graph_lanes *l, const struct graph_node *node)
{
	int at = 0;
	while (l->order[at] != node)
		at++;
	return at;
}

/* The lane that ends with a node before it, or a new one. With as many as there may be, nodes that could run at the
 * same time share one. */
static int choose_lane(struct graph_lanes *l, int at)
{
	const struct graph_node *node = l->order[at];
	for (int k = 0; k < node->n_needs; k++) {
		int before = place_in(l, node->needs[k]);
		if (l->last[l->of[before]] == before)
			return l->of[before];
	}
	return l->n < LANES_MAX ? l->n++ : at % LANES_MAX;
}

static int await(struct runtime *r, struct cuda_stream *stream, struct cuda_stream *other, uint64_t number)
{
	struct cuda_work work = {.kind = WORK_AWAIT, .event = {.serial = number, .stream = other}};
	return queue_submit(r, stream, &work);
}

int graph_submit(struct runtime *r, const struct cuda_graph *graph, struct cuda_stream *stream)
{
	struct graph_node **order = graph_order(graph);
	if (!order)
		return CUDA_ErrorInvalidValue;

	struct graph_lanes lanes = {.order = order, .n_nodes = graph->n, .stream = {stream}};
	lanes.of = base_calloc((size_t)graph->n + 1, sizeof *lanes.of);
	lanes.number = base_calloc((size_t)graph->n + 1, sizeof *lanes.number);
	for (int i = 0; i < graph->n; i++) {
		lanes.of[i] = choose_lane(&lanes, i);
		lanes.last[lanes.of[i]] = i;
	}

	/* The stream goes on when all lanes have come to their ends, also after an error. */
	int error = CUDA_Success, end = CUDA_Success;
	struct cuda_work nothing = {.kind = WORK_NOTHING};
	if (lanes.n > 1)
		error = queue_submit(r, lanes.stream[0], &nothing);
	lanes.begin = lanes.stream[0]->asked;
	for (int i = 0; i < lanes.n_nodes && error == CUDA_Success; i++) {
		int lane = lanes.of[i];
		error = CUDA_Success;
		/* what is before the launch in its stream, and holds that, is before each lane */
		if (!lanes.stream[lane]) {
			lanes.stream[lane] = queue_lane(r, lanes.stream[0]);
			error = await(r, lanes.stream[lane], lanes.stream[0], lanes.begin);
		}
		const struct graph_node *node = lanes.order[i];
		for (int k = 0; k < node->n_needs && error == CUDA_Success; k++) {
			int before = place_in(&lanes, node->needs[k]);
			if (lanes.of[before] != lane)
				error = await(
					r, lanes.stream[lane], lanes.stream[lanes.of[before]], lanes.number[before]);
		}
		if (error == CUDA_Success) {
			struct cuda_stream *on = lanes.stream[lane];
			if (node->child) {
				error = graph_submit(r, node->child, on);
			} else if (!node->disabled &&
				!(node->type == GRAPH_AWAIT && !node->work.event.event->recorded)) {
				struct cuda_work work = work_clone(&node->work);
				error = graph_refresh(r, &work);
				if (error == CUDA_Success)
					error = queue_submit(r, on, &work);
				else
					work_drop(&work);
			}
		}
		lanes.number[i] = lanes.stream[lane]->asked;
	}
	for (int i = 1; i < lanes.n && end == CUDA_Success; i++)
		if (lanes.stream[i])
			end = await(r, lanes.stream[0], lanes.stream[i], lanes.stream[i]->asked);
	error = error == CUDA_Success ? end : error;

	free(lanes.of);
	free(lanes.number);
	free(order);
	return error;
}

RUNTIME_API int cudaGraphLaunch(struct graph_exec *handle, struct cuda_stream *stream)
{
	RUNTIME_ENTER(r);
	struct graph_exec *exec = exec_of(handle);
	struct cuda_stream *s = queue_stream(r, stream);
	if (!exec || !s)
		return runtime_leave(exec ? CUDA_ErrorInvalidResourceHandle : CUDA_ErrorInvalidValue);
	if (s->capture) {
		bool broken = s->capture->broken;
		s->capture->broken = true;
		return runtime_leave(broken ? CUDA_ErrorStreamCaptureInvalidated : CUDA_ErrorStreamCaptureUnsupported);
	}
	int error = graph_memory_check(r, exec, s);
	if (error != CUDA_Success)
		return runtime_leave(error);
	exec->graph->launched = true;
	report_log_graph_begin(s);
	/* a launch comes after those before it of the same graph, whatever their streams */
	if (exec->stream && exec->stream != s && exec->stream->done < exec->number)
		error = await(r, s, exec->stream, exec->number);
	error = error == CUDA_Success ? graph_conditions_begin(r, exec->graph, s) : error;
	error = error == CUDA_Success ? graph_submit(r, exec->graph, s) : error;
	exec->stream = s;
	exec->number = s->asked;
	if (error == CUDA_Success)
		graph_memory_launched(r, exec, s);
	report_log_graph_end();
	return runtime_leave(error);
}

RUNTIME_API int cudaGraphUpload(struct graph_exec *handle, struct cuda_stream *stream)
{
	RUNTIME_ENTER(r);
	bool good = exec_of(handle) && queue_stream(r, stream);
	if (good)
		graph_memory_uploaded(r, handle);
	return runtime_leave(good ? CUDA_Success : CUDA_ErrorInvalidValue);
}

/* --- making ready ------------------------------------------------------------------------------------------------- */

#define INSTANTIATE_FLAGS 15ull
#define FLAG_DEVICE_LAUNCH 4ull
enum { RESULT_SUCCESS, RESULT_ERROR, RESULT_STRUCTURE };

static int instantiate(
	struct runtime *r, struct graph_exec **out, const struct cuda_graph *graph, unsigned long long flags)
{
	if (!out || !graph || flags & ~INSTANTIATE_FLAGS)
		return CUDA_ErrorInvalidValue;
	if (flags & FLAG_DEVICE_LAUNCH)
		return CUDA_ErrorNotSupported;
	struct graph_node **order = graph_order(graph);
	if (!order)
		return CUDA_ErrorInvalidValue;
	free(order);
	if (!graph_memory_is_ordered(r, graph))
		return CUDA_ErrorInvalidValue;
	struct cuda_graph *copy = graph_clone(r, graph);
	if (!graph_memory_share(copy, graph)) {
		graph_drop(r, copy);
		return CUDA_ErrorNotSupported;
	}
	*out = arena_alloc(r->arena, sizeof **out);
	**out = (struct graph_exec){.mark = GRAPH_EXEC_MARK, .flags = flags, .graph = copy};
	return CUDA_Success;
}

RUNTIME_API int cudaGraphInstantiate(struct graph_exec **out, struct cuda_graph *graph, unsigned long long flags)
{
	RUNTIME_ENTER(r);
	return runtime_leave(instantiate(r, out, graph_of(graph), flags));
}

RUNTIME_API int cudaGraphInstantiateWithFlags(
	struct graph_exec **out, struct cuda_graph *graph, unsigned long long flags)
{
	return cudaGraphInstantiate(out, graph, flags);
}

/* cudaGraphInstantiateParams */
struct graph_instantiate {
	unsigned long long flags;
	struct cuda_stream *upload;
	struct graph_node *wrong;
	int result;
};

RUNTIME_API int cudaGraphInstantiateWithParams(
	struct graph_exec **out, struct cuda_graph *graph, struct graph_instantiate *p)
{
	RUNTIME_ENTER(r);
	int error = p ? instantiate(r, out, graph_of(graph), p->flags) : CUDA_ErrorInvalidValue;
	if (p) {
		p->wrong = NULL;
		p->result = error == CUDA_Success ? RESULT_SUCCESS : graph_of(graph) ? RESULT_STRUCTURE : RESULT_ERROR;
	}
	return runtime_leave(error);
}

RUNTIME_API int cudaGraphExecGetFlags(struct graph_exec *handle, unsigned long long *flags)
{
	RUNTIME_ENTER(r);
	const struct graph_exec *exec = exec_of(handle);
	(void)r;
	if (!exec || !flags)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*flags = exec->flags;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaGraphExecDestroy(struct graph_exec *handle)
{
	RUNTIME_ENTER(r);
	struct graph_exec *exec = exec_of(handle);
	if (!exec)
		return runtime_leave(CUDA_ErrorInvalidValue);
	exec->mark = 0;
	graph_memory_leave(r, exec->graph, true);
	graph_drop(r, exec->graph);
	return runtime_leave(CUDA_Success);
}

/* --- another graph of the same shape ------------------------------------------------------------------------------ */

enum { UPDATE_SUCCESS, UPDATE_ERROR, UPDATE_TOPOLOGY, UPDATE_TYPE, UPDATE_FUNCTION, UPDATE_PARAMETERS };

/* cudaGraphExecUpdateResultInfo */
struct graph_update {
	int result;
	struct graph_node *wrong, *from;
};

static int place_of(const struct graph_node *node)
{
	int at = 0;
	while (node->graph->nodes[at] != node)
		at++;
	return at;
}

static int compare(const struct cuda_graph *a, const struct cuda_graph *b, struct graph_node **wrong);

/* The first node in which they differ; NULL: in none. */
static int compare(const struct cuda_graph *a, const struct cuda_graph *b, struct graph_node **wrong)
{
	*wrong = NULL;
	if (a->n != b->n)
		return UPDATE_TOPOLOGY;
	for (int i = 0; i < a->n; i++) {
		const struct graph_node *x = a->nodes[i], *y = b->nodes[i];
		bool same = x->n_needs == y->n_needs;
		*wrong = b->nodes[i];
		if (x->type != y->type)
			return UPDATE_TYPE;
		for (int k = 0; same && k < x->n_needs; k++)
			same = place_of(x->needs[k]) == place_of(y->needs[k]);
		if (!same)
			return UPDATE_TOPOLOGY;
		int result;
		if (x->child) {
			result = compare(x->child, y->child, wrong);
		} else {
			result = x->n_bodies == y->n_bodies &&
					(!x->n_bodies || x->asked.conditional.type == y->asked.conditional.type)
				? UPDATE_SUCCESS
				: UPDATE_TOPOLOGY;
			for (int j = 0; j < x->n_bodies && result == UPDATE_SUCCESS; j++)
				result = compare(x->bodies[j], y->bodies[j], wrong);
		}
		if (result != UPDATE_SUCCESS)
			return result;
	}
	*wrong = NULL;
	return UPDATE_SUCCESS;
}

RUNTIME_API int cudaGraphExecUpdate(struct graph_exec *handle, struct cuda_graph *from, struct graph_update *info)
{
	RUNTIME_ENTER(r);
	struct graph_exec *exec = exec_of(handle);
	const struct cuda_graph *graph = graph_of(from);
	struct graph_update update = {UPDATE_ERROR, NULL, NULL};
	if (!exec || !graph)
		return runtime_leave(CUDA_ErrorInvalidValue);
	update.result = graph_memory_can_share(exec->graph, graph) ? compare(exec->graph, graph, &update.wrong)
								   : UPDATE_PARAMETERS;
	if (info)
		*info = update;
	if (update.result != UPDATE_SUCCESS)
		return runtime_leave(CUDA_ErrorGraphExecUpdateFailure);
	struct cuda_graph *before = exec->graph;
	graph_memory_leave(r, before, true);
	exec->graph = graph_clone(r, graph);
	graph_memory_share(exec->graph, graph);
	for (int i = 0; i < graph->n; i++) { /* its nodes keep their names, and whether they are done */
		exec->graph->nodes[i]->origin = before->nodes[i]->origin;
		exec->graph->nodes[i]->disabled = before->nodes[i]->disabled;
	}
	graph_drop(r, before);
	return runtime_leave(CUDA_Success);
}

/* --- conditional nodes -----------------------------------------------------------------------------------------------
 *
 * Conditional nodes of graphs: a handle is the address of a word of the device, which cudaGraphSetConditional of a
 * kernel stores to (device.def), and which is read when the node's turn has come. Then the work of its body is put
 * before the rest of the stream's. */

#define ASSIGN_DEFAULT 1u

static uint32_t *word_of(const struct runtime *r, uint64_t handle)
{
	return simt_memory_at(r->memory, handle, sizeof(uint32_t));
}

/* --- handles ------------------------------------------------------------------------------------------------------ */

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

/* A condition of the graph, or of one whose node has it for a body. */
static struct graph_condition *find_condition(struct cuda_graph *graph, uint64_t handle)
{
	for (; graph; graph = graph->parent ? graph->parent->graph : NULL)
		for (int i = 0; i < graph->n_conditions; i++)
			if (graph->conditions[i].handle == handle)
				return &graph->conditions[i];
	return NULL;
}

int graph_set_conditional(struct runtime *r, struct graph_node *node, const void *asked)
{
	struct graph_conditional *p = (struct graph_conditional *)asked;
	struct graph_condition *c = find_condition(node->graph, p->handle);
	if (!c || c->used)
		return CUDA_ErrorInvalidValue;

	bool has_size = (p->type == GRAPH_IF && (p->size == 1 || p->size == 2)) ||
		(p->type == GRAPH_WHILE && p->size == 1) ||
		(p->type == GRAPH_SWITCH && p->size > 0 && p->size <= GRAPH_BODIES_MAX);
	if (!has_size)
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

/* --- when its turn has come --------------------------------------------------------------------------------------- */

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

enum graph_turn graph_branch(struct runtime *r, struct cuda_operation *o)
{
	const struct cuda_graph *body = NULL;
	const struct graph_node *node = o->work.branch.node;
	const struct graph_conditional *p = &node->asked.conditional;
	uint32_t value = *word_of(r, p->handle);
	if (p->type == GRAPH_WHILE || !o->branched) {
		if (p->type == GRAPH_SWITCH)
			body = value < p->size ? node->bodies[value] : NULL;
		else if (value)
			body = node->bodies[0];
		else if (p->type == GRAPH_IF && node->n_bodies == 2)
			body = node->bodies[1];
	}
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
	if (!row.launches) {
		/* Others may want the lock, if nothing of a loop opens it. */
		runtime_unlock();
		sched_yield();
		runtime_lock();
	}
	return row.first || error != CUDA_Success ? GRAPH_BODY : GRAPH_NOTHING;
}
