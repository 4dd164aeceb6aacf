/* Graphs: nodes, what they depend on, copies of graphs, and what can be asked of all that. */
#include "runtime/stream/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "runtime/memory/memory.h"

struct cuda_graph *graph_of(const void *handle)
{
	struct cuda_graph *g = (struct cuda_graph *)handle;
	return g && g->mark == GRAPH_MARK ? g : NULL;
}

struct graph_node *graph_node_of(const void *handle)
{
	struct graph_node *n = (struct graph_node *)handle;
	return n && n->mark == GRAPH_NODE_MARK ? n : NULL;
}

struct cuda_graph *graph_new(struct runtime *r)
{
	struct cuda_graph *g = arena_alloc(r->arena, sizeof *g);
	*g = (struct cuda_graph){.mark = GRAPH_MARK};
	return g;
}

struct graph_node *graph_node_new(struct runtime *r, struct cuda_graph *graph, enum graph_type type)
{
	struct graph_node *node = arena_alloc(r->arena, sizeof *node);
	*node = (struct graph_node){.mark = GRAPH_NODE_MARK, .type = type, .graph = graph};
	*(struct graph_node **)vec_push(graph->nodes, graph->n, graph->cap) = node;
	return node;
}

static int need_at(const struct graph_node *node, const struct graph_node *before)
{
	for (int i = 0; i < node->n_needs; i++)
		if (node->needs[i] == before)
			return i;
	return -1;
}

void graph_node_need(struct graph_node *node, struct graph_node *before)
{
	if (need_at(node, before) < 0)
		*(struct graph_node **)vec_push(node->needs, node->n_needs, node->needs_cap) = before;
}

int graph_add(struct runtime *r, const struct graph_place *place, enum graph_type type, struct graph_node **out)
{
	struct cuda_graph *graph = graph_of(place->graph);
	if (!graph || !out || (place->n && !place->needs))
		return CUDA_ErrorInvalidValue;
	for (size_t i = 0; i < place->n; i++) {
		const struct graph_node *before = graph_node_of(place->needs[i]);
		if (!before || before->graph != graph)
			return CUDA_ErrorInvalidValue;
	}
	*out = graph_node_new(r, graph, type);
	for (size_t i = 0; i < place->n; i++)
		graph_node_need(*out, place->needs[i]);
	return CUDA_Success;
}

/* --- order -------------------------------------------------------------------------------------------------------- */

static int index_of(const struct cuda_graph *graph, const struct graph_node *node)
{
	for (int i = 0; i < graph->n; i++)
		if (graph->nodes[i] == node)
			return i;
	return -1;
}

struct graph_node **graph_order(const struct cuda_graph *graph)
{
	size_t n = (size_t)graph->n;
	struct graph_node **order = base_calloc(n + 1, sizeof *order);
	bool *placed = base_calloc(n + 1, sizeof *placed);
	int done = 0;
	for (bool more = true; more;) {
		more = false;
		for (int i = 0; i < graph->n; i++) {
			const struct graph_node *node = graph->nodes[i];
			bool ready = !placed[i];
			for (int k = 0; k < node->n_needs && ready; k++)
				ready = placed[index_of(graph, node->needs[k])];
			if (!ready)
				continue;
			placed[i] = more = true;
			order[done++] = graph->nodes[i];
		}
	}
	free(placed);
	if (done == graph->n)
		return order;
	free(order);
	return NULL;
}

/* --- making, copying and destroying ------------------------------------------------------------------------------- */

RUNTIME_API int cudaGraphCreate(struct cuda_graph **out, unsigned int flags)
{
	RUNTIME_ENTER(r);
	if (!out || flags)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*out = graph_new(r);
	return runtime_leave(CUDA_Success);
}

struct cuda_graph *graph_clone(struct runtime *r, const struct cuda_graph *graph)
{
	struct cuda_graph *out = graph_new(r);
	out->origin = graph;
	for (int i = 0; i < graph->n; i++) {
		struct graph_node *to = graph_node_new(r, out, graph->nodes[i]->type);
		const struct graph_node *from = graph->nodes[i];
		to->work = work_clone(&from->work);
		to->asked = from->asked;
		to->origin = from;
		to->disabled = from->disabled;
		if (from->child) {
			to->child = graph_clone(r, from->child);
			to->child->parent = to;
		}

		if (!from->n_bodies)
			continue;
		to->n_bodies = from->n_bodies;
		to->bodies = arena_alloc(r->arena, (size_t)to->n_bodies * sizeof *to->bodies);
		for (int j = 0; j < to->n_bodies; j++) {
			to->bodies[j] = graph_clone(r, from->bodies[j]);
			to->bodies[j]->parent = to;
		}
		to->work.branch.node = to;
	}
	for (int i = 0; i < graph->n; i++)
		for (int k = 0; k < graph->nodes[i]->n_needs; k++)
			graph_node_need(out->nodes[i], out->nodes[index_of(graph, graph->nodes[i]->needs[k])]);
	for (int i = 0; i < graph->n_conditions; i++)
		*(struct graph_condition *)vec_push(
			out->conditions, out->n_conditions, out->conditions_cap) = graph->conditions[i];
	graph_objects_clone(out, graph);
	return out;
}

static void drop_node(struct runtime *r, struct graph_node *node)
{
	if (node->child)
		graph_drop(r, node->child);
	for (int i = 0; i < node->n_bodies; i++)
		graph_drop(r, node->bodies[i]);
	work_drop(&node->work);
	free(node->needs);
	free(node->args);
	node->mark = 0;
}

void graph_drop(struct runtime *r, struct cuda_graph *graph)
{
	if (graph->launched && graph_has_conditional(graph))
		queue_wait_all(r);
	for (int i = 0; i < graph->n; i++)
		drop_node(r, graph->nodes[i]);
	free(graph->nodes);
	free(graph->conditions);
	graph_objects_drop(graph);
	graph_memory_leave(r, graph, false);
	graph->mark = 0;
}

RUNTIME_API int cudaGraphDestroy(struct cuda_graph *handle)
{
	RUNTIME_ENTER(r);
	struct cuda_graph *graph = graph_of(handle);
	if (!graph || graph->parent)
		return runtime_leave(CUDA_ErrorInvalidValue);
	graph_drop(r, graph);
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaGraphClone(struct cuda_graph **out, struct cuda_graph *handle)
{
	RUNTIME_ENTER(r);
	struct cuda_graph *graph = graph_of(handle);
	if (!out || !graph)
		return runtime_leave(CUDA_ErrorInvalidValue);
	if (graph_has_conditional(graph) || graph_has_memory(graph))
		return runtime_leave(CUDA_ErrorNotSupported);
	*out = graph_clone(r, graph);
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaGraphNodeFindInClone(struct graph_node **out, struct graph_node *node, struct cuda_graph *handle)
{
	RUNTIME_ENTER(r);
	struct cuda_graph *graph = graph_of(handle);
	(void)r;
	for (int i = 0; out && graph && i < graph->n; i++)
		if (graph->nodes[i]->origin == node) {
			*out = graph->nodes[i];
			return runtime_leave(CUDA_Success);
		}
	return runtime_leave(CUDA_ErrorInvalidValue);
}

RUNTIME_API int cudaGraphDestroyNode(struct graph_node *handle)
{
	RUNTIME_ENTER(r);
	struct graph_node *node = graph_node_of(handle);
	if (!node || graph_has_memory(node->graph))
		return runtime_leave(node ? CUDA_ErrorNotSupported : CUDA_ErrorInvalidValue);
	struct cuda_graph *graph = node->graph;
	int at = index_of(graph, node);
	for (int i = 0; i < graph->n; i++) {
		struct graph_node *other = graph->nodes[i];
		int need = need_at(other, node);
		if (need >= 0)
			other->needs[need] = other->needs[--other->n_needs];
	}
	memmove(&graph->nodes[at], &graph->nodes[at + 1], (size_t)(graph->n - at - 1) * sizeof *graph->nodes);
	graph->n--;
	drop_node(r, node);
	return runtime_leave(CUDA_Success);
}

/* --- what depends on what ----------------------------------------------------------------------------------------- */

static int change_needs(
	struct cuda_graph *handle, struct graph_node *const *from, struct graph_node *const *to, size_t n, bool add)
{
	RUNTIME_ENTER(r);
	struct cuda_graph *graph = graph_of(handle);
	int error = graph && (!n || (from && to)) ? CUDA_Success : CUDA_ErrorInvalidValue;
	(void)r;
	if (error == CUDA_Success && n && !add && graph_has_memory(graph))
		error = CUDA_ErrorNotSupported;
	for (size_t i = 0; i < n && error == CUDA_Success; i++) {
		struct graph_node *a = graph_node_of(from[i]), *b = graph_node_of(to[i]);
		if (!a || !b || a == b || a->graph != graph || b->graph != graph || (need_at(b, a) >= 0) == add)
			error = CUDA_ErrorInvalidValue;
		else if (add)
			graph_node_need(b, a);
		else
			b->needs[need_at(b, a)] = b->needs[b->n_needs - 1];
		if (error == CUDA_Success && !add)
			b->n_needs--;
	}
	return runtime_leave(error);
}

/* CUDA 12 has no data of edges. */
static bool is_old(void)
{
	return runtime_version < 13000;
}

RUNTIME_API int cudaGraphAddDependencies_v2(
	struct cuda_graph *graph, struct graph_node **from, struct graph_node **to, const void *edges, size_t n)
{
	(void)edges;
	return change_needs(graph, from, to, n, true);
}

RUNTIME_API int cudaGraphAddDependencies(
	struct cuda_graph *graph, struct graph_node **from, struct graph_node **to, const void *edges, size_t n)
{
	return change_needs(graph, from, to, is_old() ? (size_t)(uintptr_t)edges : n, true);
}

RUNTIME_API int cudaGraphRemoveDependencies_v2(
	struct cuda_graph *graph, struct graph_node **from, struct graph_node **to, const void *edges, size_t n)
{
	(void)edges;
	return change_needs(graph, from, to, n, false);
}

RUNTIME_API int cudaGraphRemoveDependencies(
	struct cuda_graph *graph, struct graph_node **from, struct graph_node **to, const void *edges, size_t n)
{
	return change_needs(graph, from, to, is_old() ? (size_t)(uintptr_t)edges : n, false);
}

/* --- lists of nodes ----------------------------------------------------------------------------------------------- */

/* What a call gives out: as many as there is room for, and how many there are; the rest of the room is NULL. */
struct listing {
	struct graph_node **out, **other; /* `other`: where an edge goes */
	size_t room, n;
};

static struct listing listing_begin(struct graph_node **out, struct graph_node **other, const size_t *n)
{
	return (struct listing){.out = out, .other = other, .room = out && n ? *n : 0};
}

static void listing_add(struct listing *l, struct graph_node *node, struct graph_node *other)
{
	if (l->n < l->room) {
		l->out[l->n] = node;
		if (l->other)
			l->other[l->n] = other;
	}
	l->n++;
}

static int listing_end(const struct listing *l, size_t *n)
{
	for (size_t i = l->n; i < l->room; i++)
		l->out[i] = NULL;
	*n = l->room && l->room < l->n ? l->room : l->n;
	return runtime_leave(CUDA_Success);
}

static int list_nodes(struct cuda_graph *handle, struct graph_node **out, size_t *n, bool roots)
{
	RUNTIME_ENTER(r);
	const struct cuda_graph *graph = graph_of(handle);
	(void)r;
	if (!graph || !n)
		return runtime_leave(CUDA_ErrorInvalidValue);
	struct listing l = listing_begin(out, NULL, n);
	for (int i = 0; i < graph->n; i++)
		if (!roots || !graph->nodes[i]->n_needs)
			listing_add(&l, graph->nodes[i], NULL);
	return listing_end(&l, n);
}

RUNTIME_API int cudaGraphGetNodes(struct cuda_graph *graph, struct graph_node **out, size_t *n)
{
	return list_nodes(graph, out, n, false);
}

RUNTIME_API int cudaGraphGetRootNodes(struct cuda_graph *graph, struct graph_node **out, size_t *n)
{
	return list_nodes(graph, out, n, true);
}

#define EDGE_BYTES 8

static void clear_edges(void *edges, const size_t *n)
{
	if (edges && n)
		memset(edges, 0, *n * EDGE_BYTES);
}

RUNTIME_API int cudaGraphGetEdges_v2(
	struct cuda_graph *handle, struct graph_node **from, struct graph_node **to, void *edges, size_t *n)
{
	RUNTIME_ENTER(r);
	const struct cuda_graph *graph = graph_of(handle);
	(void)r;
	if (!graph || !n || !from != !to)
		return runtime_leave(CUDA_ErrorInvalidValue);
	clear_edges(edges, n);
	struct listing l = listing_begin(from, to, n);
	for (int i = 0; i < graph->n; i++)
		for (int k = 0; k < graph->nodes[i]->n_needs; k++)
			listing_add(&l, graph->nodes[i]->needs[k], graph->nodes[i]);
	return listing_end(&l, n);
}

RUNTIME_API int cudaGraphGetEdges(
	struct cuda_graph *graph, struct graph_node **from, struct graph_node **to, void *edges, size_t *n)
{
	return is_old() ? cudaGraphGetEdges_v2(graph, from, to, NULL, edges)
			: cudaGraphGetEdges_v2(graph, from, to, edges, n);
}

static int list_neighbors(struct graph_node *handle, struct graph_node **out, void *edges, size_t *n, bool before)
{
	RUNTIME_ENTER(r);
	struct graph_node *node = graph_node_of(handle);
	(void)r;
	if (!node || !n)
		return runtime_leave(CUDA_ErrorInvalidValue);
	clear_edges(edges, n);
	struct listing l = listing_begin(out, NULL, n);
	for (int i = 0; before && i < node->n_needs; i++)
		listing_add(&l, node->needs[i], NULL);
	for (int i = 0; !before && i < node->graph->n; i++)
		if (need_at(node->graph->nodes[i], node) >= 0)
			listing_add(&l, node->graph->nodes[i], NULL);
	return listing_end(&l, n);
}

RUNTIME_API int cudaGraphNodeGetDependencies_v2(
	struct graph_node *node, struct graph_node **out, void *edges, size_t *n)
{
	return list_neighbors(node, out, edges, n, true);
}

RUNTIME_API int cudaGraphNodeGetDependencies(struct graph_node *node, struct graph_node **out, void *edges, size_t *n)
{
	return list_neighbors(node, out, is_old() ? NULL : edges, is_old() ? edges : n, true);
}

RUNTIME_API int cudaGraphNodeGetDependentNodes_v2(
	struct graph_node *node, struct graph_node **out, void *edges, size_t *n)
{
	return list_neighbors(node, out, edges, n, false);
}

RUNTIME_API int cudaGraphNodeGetDependentNodes(struct graph_node *node, struct graph_node **out, void *edges, size_t *n)
{
	return list_neighbors(node, out, is_old() ? NULL : edges, is_old() ? edges : n, false);
}

RUNTIME_API int cudaGraphNodeGetType(struct graph_node *handle, int *type)
{
	RUNTIME_ENTER(r);
	const struct graph_node *node = graph_node_of(handle);
	(void)r;
	if (!node || !type)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*type = (int)node->type;
	return runtime_leave(CUDA_Success);
}

/* --- objects, and graphs as text -------------------------------------------------------------------------------------
 *
 * Objects of the program that graphs keep alive, and graphs as text. */

struct graph_object {
	uint32_t mark;
	unsigned int references;
	cuda_host_function *destroy;
	void *data;
};
#define GRAPH_OBJECT_MARK 0x4A424F47u
#define OBJECT_NO_SYNC 1u
#define OBJECT_MOVE 1u

static struct graph_object *object_of(struct graph_object *handle)
{
	return handle && handle->mark == GRAPH_OBJECT_MARK ? handle : NULL;
}

/* The last one destroys it, by a function of the program. */
static void release_object(struct graph_object *o, unsigned int n)
{
	o->references -= n;
	if (o->references)
		return;
	o->mark = 0;
	runtime_unlock();
	o->destroy(o->data);
	runtime_lock();
}

void graph_objects_clone(struct cuda_graph *to, const struct cuda_graph *from)
{
	for (int i = 0; i < from->n_objects; i++) {
		from->objects[i]->references++;
		*(struct graph_object **)vec_push(to->objects, to->n_objects, to->objects_cap) = from->objects[i];
	}
}

void graph_objects_drop(struct cuda_graph *graph)
{
	int n = graph->n_objects;
	graph->n_objects = 0;
	for (int i = 0; i < n; i++)
		release_object(graph->objects[i], 1);
	free(graph->objects);
	graph->objects = NULL;
}

RUNTIME_API int cudaUserObjectCreate(
	struct graph_object **out, void *data, cuda_host_function *destroy, unsigned int references, unsigned int flags)
{
	RUNTIME_ENTER(r);
	if (!out || !destroy || !references || references > INT32_MAX || flags != OBJECT_NO_SYNC)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*out = arena_alloc(r->arena, sizeof **out);
	**out = (struct graph_object){GRAPH_OBJECT_MARK, references, destroy, data};
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaUserObjectRetain(struct graph_object *handle, unsigned int n)
{
	RUNTIME_ENTER(r);
	struct graph_object *o = object_of(handle);
	(void)r;
	if (!o || !n || n > INT32_MAX)
		return runtime_leave(CUDA_ErrorInvalidValue);
	o->references += n;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaUserObjectRelease(struct graph_object *handle, unsigned int n)
{
	RUNTIME_ENTER(r);
	struct graph_object *o = object_of(handle);
	(void)r;
	if (!o || !n || n > o->references)
		return runtime_leave(CUDA_ErrorInvalidValue);
	release_object(o, n);
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaGraphRetainUserObject(
	struct cuda_graph *handle, struct graph_object *object, unsigned int n, unsigned int flags)
{
	RUNTIME_ENTER(r);
	struct cuda_graph *graph = graph_of(handle);
	struct graph_object *o = object_of(object);
	(void)r;
	if (!graph || !o || !n || n > INT32_MAX || flags & ~OBJECT_MOVE || (flags && n > o->references))
		return runtime_leave(CUDA_ErrorInvalidValue);
	o->references += flags & OBJECT_MOVE ? 0 : n;
	for (unsigned int i = 0; i < n; i++)
		*(struct graph_object **)vec_push(graph->objects, graph->n_objects, graph->objects_cap) = o;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaGraphReleaseUserObject(struct cuda_graph *handle, struct graph_object *object, unsigned int n)
{
	RUNTIME_ENTER(r);
	struct cuda_graph *graph = graph_of(handle);
	struct graph_object *o = object_of(object);
	unsigned int held = 0, gone = 0;
	int kept = 0;
	(void)r;
	for (int i = 0; graph && i < graph->n_objects; i++)
		held += graph->objects[i] == o;
	if (!o || !n || n > held)
		return runtime_leave(CUDA_ErrorInvalidValue);
	for (int i = 0; i < graph->n_objects; i++)
		if (graph->objects[i] == o && gone < n)
			gone++;
		else
			graph->objects[kept++] = graph->objects[i];
	graph->n_objects = kept;
	release_object(o, n);
	return runtime_leave(CUDA_Success);
}

/* --- as text ------------------------------------------------------------------------------------------------------ */

static const char *name_of(const struct graph_node *node)
{
	static const char *const names[] = {[GRAPH_KERNEL] = "KERNEL",
		[GRAPH_COPY] = "MEMCPY",
		[GRAPH_FILL] = "MEMSET",
		[GRAPH_HOST] = "HOST",
		[GRAPH_CHILD] = "CHILD GRAPH",
		[GRAPH_EMPTY] = "EMPTY",
		[GRAPH_AWAIT] = "EVENT WAIT",
		[GRAPH_RECORD] = "EVENT RECORD",
		[GRAPH_ALLOC] = "MEM ALLOC",
		[GRAPH_FREE] = "MEM FREE",
		[GRAPH_CONDITIONAL] = "CONDITIONAL"};
	return names[node->type];
}

RUNTIME_API int cudaGraphDebugDotPrint(struct cuda_graph *handle, const char *path, unsigned int flags)
{
	(void)flags;
	RUNTIME_ENTER(r);
	const struct cuda_graph *graph = graph_of(handle);
	(void)r;
	if (!graph || !path)
		return runtime_leave(CUDA_ErrorInvalidValue);
	struct buf text = {0};
	struct diag diag = {0};
	buf_puts(&text, "digraph dot {\n");
	for (int i = 0; i < graph->n; i++) {
		const struct graph_node *node = graph->nodes[i];
		bool kernel = node->type == GRAPH_KERNEL;
		buf_printf(&text, "\tn%d [label=\"%d\\n%s%s%s\"];\n", i, i, name_of(node), kernel ? "\\n" : "",
			kernel ? node->work.launch.kernel->name : "");
		for (int k = 0; k < node->n_needs; k++)
			buf_printf(&text, "\tn%d -> n%d;\n", index_of(graph, node->needs[k]), i);
	}
	buf_puts(&text, "}\n");
	bool written = file_write(path, text.data, text.len, &diag);
	diag_free(&diag);
	buf_free(&text);
	return runtime_leave(written ? CUDA_Success : CUDA_ErrorOperatingSystem);
}
