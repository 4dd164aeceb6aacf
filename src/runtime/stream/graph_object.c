/* Objects of the program that graphs keep alive, and graphs as text. */
#include <stdlib.h>

#include "base/arena.h"
#include "base/file.h"
#include "runtime/stream/graph.h"

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

/* --- as text ------------------------------------------------------------------------------------------------------------ */

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

static int number_of_node(const struct cuda_graph *graph, const struct graph_node *node)
{
	for (int i = 0; i < graph->n; i++)
		if (graph->nodes[i] == node)
			return i;
	return -1;
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
			buf_printf(&text, "\tn%d -> n%d;\n", number_of_node(graph, node->needs[k]), i);
	}
	buf_puts(&text, "}\n");
	bool written = file_write(path, text.data, text.len, &diag);
	diag_free(&diag);
	buf_free(&text);
	return runtime_leave(written ? CUDA_Success : CUDA_ErrorOperatingSystem);
}
