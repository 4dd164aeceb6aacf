/* What nodes of graphs do: said when they are made, changed later in the graph, or in what was made ready to launch of
 * it. */
#include <stdlib.h>
#include <string.h>

#include "runtime/memory/memory.h"
#include "runtime/report/report.h"
#include "runtime/stream/graph.h"
#include "runtime/stream/queue.h"

/* --- what a node is given, by kind -------------------------------------------------------------------------------- */

/* Gives the node what the program says of it; an error, and the node is as it was. */
typedef int graph_setter(struct runtime *r, struct graph_node *node, const void *asked);

static void replace_work(struct graph_node *node, const struct cuda_work *work)
{
	work_drop(&node->work);
	node->work = *work;
	node->work.made = report_here();
}

static int set_kernel(struct runtime *r, struct graph_node *node, const void *asked)
{
	const struct graph_kernel *p = asked;
	int error;
	struct cuda_work work;
	struct cuda_config config = {.grid = p->grid, .block = p->block, .shared = p->shared};
	struct cuda_kernel *kernel = runtime_launch_kernel(r, p->function, &error);
	if (!kernel)
		return error;
	if (node->work.kind == WORK_LAUNCH) {
		config.cluster = node->work.launch.config.cluster;
		config.cooperative = node->work.launch.config.cooperative;
	}
	bool good = p->extra ? runtime_launch_extra(r, kernel, &config, p->extra, &work, &error)
			     : runtime_launch_work(r, kernel, &config, p->args, &work, &error);
	if (good)
		replace_work(node, &work);
	return error;
}

static int set_copy(struct runtime *r, struct graph_node *node, const void *asked)
{
	struct copy_request request;
	struct cuda_work work;
	int error = copy_box("cudaGraphAddMemcpyNode", asked, &request);
	error = error == CUDA_Success ? copy_work(r, &request, &work) : error;
	if (error != CUDA_Success)
		return error;
	replace_work(node, &work);
	node->asked.copy = *(const struct cuda_copy *)asked;
	return CUDA_Success;
}

struct graph_bytes {
	void *to;
	const void *from;
	size_t bytes;
	int kind;
};

/* As if it had been asked for as a box. */
static void note_bytes(struct graph_node *node, const void *to, const void *from, size_t bytes, int kind)
{
	node->asked.copy = (struct cuda_copy){.from = {(void *)from, bytes, bytes, 1},
		.to = {(void *)to, bytes, bytes, 1},
		.extent = {bytes, 1, 1},
		.kind = kind};
}

static int set_bytes(struct runtime *r, struct graph_node *node, const void *asked)
{
	const struct graph_bytes *p = asked;
	struct cuda_work work;
	struct copy_request request = copy_bytes("cudaGraphAddMemcpyNode1D", p->to, p->from, p->bytes, p->kind);
	int error = copy_work(r, &request, &work);
	if (error != CUDA_Success)
		return error;
	replace_work(node, &work);
	note_bytes(node, p->to, p->from, p->bytes, p->kind);
	return CUDA_Success;
}

static int set_symbol(struct runtime *r, struct graph_node *node, const void *asked)
{
	const struct copy_symbol *p = asked;
	struct cuda_work work;
	struct cuda_symbol symbol;
	int error = copy_symbol(r, p, &work);
	if (error != CUDA_Success || !runtime_find_symbol(r, p->symbol, &symbol))
		return error;
	const void *at = (const void *)(uintptr_t)(symbol.address + p->offset);
	replace_work(node, &work);
	note_bytes(node, p->to_symbol ? at : p->other, p->to_symbol ? p->other : at, p->bytes, p->kind);
	return CUDA_Success;
}

static int set_fill(struct runtime *r, struct graph_node *node, const void *asked)
{
	const struct graph_fill *p = asked;
	struct cuda_work work;
	if ((p->element != 1 && p->element != 2 && p->element != 4) || p->width > SIZE_MAX / 4)
		return CUDA_ErrorInvalidValue;
	struct copy_fill fill = {"cudaGraphAddMemsetNode", p->at, p->pitch, p->width * p->element, p->height, p->value,
		(uint8_t)p->element};
	int error = copy_fill_work(r, &fill, &work);
	if (error != CUDA_Success)
		return error;
	replace_work(node, &work);
	node->asked.fill = *p;
	return CUDA_Success;
}

struct graph_host {
	cuda_host_function *function;
	void *data;
};

static int set_host(struct runtime *r, struct graph_node *node, const void *asked)
{
	const struct graph_host *p = asked;
	(void)r;
	if (!p->function)
		return CUDA_ErrorInvalidValue;
	replace_work(node, &(struct cuda_work){.kind = WORK_HOST, .host = {.function = p->function, .data = p->data}});
	return CUDA_Success;
}

static int set_child(struct runtime *r, struct graph_node *node, const void *asked)
{
	const struct cuda_graph *graph = graph_of(asked);
	if (!graph || (node->child && node->child->n != graph->n))
		return CUDA_ErrorInvalidValue;
	if (graph_has_conditional(graph) || graph_has_memory(graph))
		return CUDA_ErrorNotSupported;
	if (node->child)
		graph_drop(r, node->child);
	node->child = graph_clone(r, graph);
	node->child->parent = node;
	return CUDA_Success;
}

static int set_event(struct runtime *r, struct graph_node *node, const void *asked)
{
	struct cuda_event *event = event_of((struct cuda_event *)asked);
	(void)r;
	if (!event)
		return CUDA_ErrorInvalidValue;
	enum work_kind kind = node->type == GRAPH_RECORD ? WORK_RECORD : WORK_AWAIT;
	replace_work(node, &(struct cuda_work){.kind = kind, .event = {.event = event}});
	return CUDA_Success;
}

static int set_nothing(struct runtime *r, struct graph_node *node, const void *asked)
{
	(void)r, (void)node, (void)asked;
	return CUDA_Success;
}

/* --- the three ways ----------------------------------------------------------------------------------------------- */

static int add_node(struct graph_node **out, const struct graph_place *place, enum graph_type type, graph_setter *set,
	const void *asked)
{
	RUNTIME_ENTER(r);
	struct graph_node *node;
	int error = asked || set == set_nothing ? graph_add(r, place, type, &node) : CUDA_ErrorInvalidValue;
	if (error != CUDA_Success || !out)
		return runtime_leave(error == CUDA_Success ? CUDA_ErrorInvalidValue : error);
	error = set(r, node, asked);
	if (error == CUDA_Success) {
		*out = node;
		return runtime_leave(CUDA_Success);
	}
	free(node->needs);
	node->mark = 0;
	node->graph->n--; /* it is the last */
	return runtime_leave(error);
}

static int set_node(struct graph_node *handle, enum graph_type type, graph_setter *set, const void *asked)
{
	RUNTIME_ENTER(r);
	struct graph_node *node = graph_node_of(handle);
	if (!node || node->type != type || !asked)
		return runtime_leave(CUDA_ErrorInvalidValue);
	return runtime_leave(set(r, node, asked));
}

/* The copy of a node in what was made ready of its graph. */
static struct graph_node *find_ready(const struct cuda_graph *graph, const struct graph_node *node)
{
	struct graph_node *found = NULL;
	for (int i = 0; i < graph->n && !found; i++)
		if (graph->nodes[i]->origin == node)
			found = graph->nodes[i];
		else if (graph->nodes[i]->child)
			found = find_ready(graph->nodes[i]->child, node);
	return found;
}

static struct graph_node *ready_node(struct graph_exec *exec, struct graph_node *handle)
{
	if (!exec || exec->mark != GRAPH_EXEC_MARK || !graph_node_of(handle))
		return NULL;
	return find_ready(exec->graph, handle);
}

static int set_ready(
	struct graph_exec *exec, struct graph_node *handle, enum graph_type type, graph_setter *set, const void *asked)
{
	RUNTIME_ENTER(r);
	struct graph_node *node = ready_node(exec, handle);
	if (!node || node->type != type || !asked)
		return runtime_leave(CUDA_ErrorInvalidValue);
	return runtime_leave(set(r, node, asked));
}

#define NODE_PLACE struct graph_node **out, void *graph, void *const *needs, size_t n
#define PLACE_GIVEN (&(struct graph_place){graph, needs, n})

/* A kind of node that one structure describes: the call that adds it, and those that set it in a graph and in one that
 * is ready. */
#define NODE_CALLS(add, set_in_graph, set_in_ready, kind, set, description)                                            \
	RUNTIME_API int add(NODE_PLACE, const description *p)                                                          \
	{                                                                                                              \
		return add_node(out, PLACE_GIVEN, kind, set, p);                                                       \
	}                                                                                                              \
	RUNTIME_API int set_in_graph(struct graph_node *node, const description *p)                                    \
	{                                                                                                              \
		return set_node(node, kind, set, p);                                                                   \
	}                                                                                                              \
	RUNTIME_API int set_in_ready(struct graph_exec *exec, struct graph_node *node, const description *p)           \
	{                                                                                                              \
		return set_ready(exec, node, kind, set, p);                                                            \
	}

NODE_CALLS(cudaGraphAddKernelNode, cudaGraphKernelNodeSetParams, cudaGraphExecKernelNodeSetParams, GRAPH_KERNEL,
	set_kernel, struct graph_kernel)
NODE_CALLS(cudaGraphAddMemcpyNode, cudaGraphMemcpyNodeSetParams, cudaGraphExecMemcpyNodeSetParams, GRAPH_COPY, set_copy,
	struct cuda_copy)
NODE_CALLS(cudaGraphAddMemsetNode, cudaGraphMemsetNodeSetParams, cudaGraphExecMemsetNodeSetParams, GRAPH_FILL, set_fill,
	struct graph_fill)
NODE_CALLS(cudaGraphAddHostNode, cudaGraphHostNodeSetParams, cudaGraphExecHostNodeSetParams, GRAPH_HOST, set_host,
	struct graph_host)

RUNTIME_API int cudaGraphAddMemcpyNode1D(NODE_PLACE, void *to, const void *from, size_t bytes, int kind)
{
	return add_node(out, PLACE_GIVEN, GRAPH_COPY, set_bytes, &(struct graph_bytes){to, from, bytes, kind});
}

RUNTIME_API int cudaGraphMemcpyNodeSetParams1D(
	struct graph_node *node, void *to, const void *from, size_t bytes, int kind)
{
	return set_node(node, GRAPH_COPY, set_bytes, &(struct graph_bytes){to, from, bytes, kind});
}

RUNTIME_API int cudaGraphExecMemcpyNodeSetParams1D(
	struct graph_exec *exec, struct graph_node *node, void *to, const void *from, size_t bytes, int kind)
{
	return set_ready(exec, node, GRAPH_COPY, set_bytes, &(struct graph_bytes){to, from, bytes, kind});
}

static struct copy_symbol to_symbol(const void *symbol, const void *from, size_t bytes, size_t offset, int kind)
{
	return (struct copy_symbol){"cudaGraphAddMemcpyNodeToSymbol", symbol, (void *)from, bytes, offset, kind, true};
}

static struct copy_symbol from_symbol(void *to, const void *symbol, size_t bytes, size_t offset, int kind)
{
	return (struct copy_symbol){"cudaGraphAddMemcpyNodeFromSymbol", symbol, to, bytes, offset, kind, false};
}

RUNTIME_API int cudaGraphAddMemcpyNodeToSymbol(
	NODE_PLACE, const void *symbol, const void *from, size_t bytes, size_t offset, int kind)
{
	struct copy_symbol s = to_symbol(symbol, from, bytes, offset, kind);
	return add_node(out, PLACE_GIVEN, GRAPH_COPY, set_symbol, &s);
}

RUNTIME_API int cudaGraphMemcpyNodeSetParamsToSymbol(
	struct graph_node *node, const void *symbol, const void *from, size_t bytes, size_t offset, int kind)
{
	struct copy_symbol s = to_symbol(symbol, from, bytes, offset, kind);
	return set_node(node, GRAPH_COPY, set_symbol, &s);
}

RUNTIME_API int cudaGraphExecMemcpyNodeSetParamsToSymbol(struct graph_exec *exec, struct graph_node *node,
	const void *symbol, const void *from, size_t bytes, size_t offset, int kind)
{
	struct copy_symbol s = to_symbol(symbol, from, bytes, offset, kind);
	return set_ready(exec, node, GRAPH_COPY, set_symbol, &s);
}

RUNTIME_API int cudaGraphAddMemcpyNodeFromSymbol(
	NODE_PLACE, void *to, const void *symbol, size_t bytes, size_t offset, int kind)
{
	struct copy_symbol s = from_symbol(to, symbol, bytes, offset, kind);
	return add_node(out, PLACE_GIVEN, GRAPH_COPY, set_symbol, &s);
}

RUNTIME_API int cudaGraphMemcpyNodeSetParamsFromSymbol(
	struct graph_node *node, void *to, const void *symbol, size_t bytes, size_t offset, int kind)
{
	struct copy_symbol s = from_symbol(to, symbol, bytes, offset, kind);
	return set_node(node, GRAPH_COPY, set_symbol, &s);
}

RUNTIME_API int cudaGraphExecMemcpyNodeSetParamsFromSymbol(struct graph_exec *exec, struct graph_node *node, void *to,
	const void *symbol, size_t bytes, size_t offset, int kind)
{
	struct copy_symbol s = from_symbol(to, symbol, bytes, offset, kind);
	return set_ready(exec, node, GRAPH_COPY, set_symbol, &s);
}

RUNTIME_API int cudaGraphAddChildGraphNode(NODE_PLACE, struct cuda_graph *child)
{
	return add_node(out, PLACE_GIVEN, GRAPH_CHILD, set_child, child);
}

RUNTIME_API int cudaGraphExecChildGraphNodeSetParams(
	struct graph_exec *exec, struct graph_node *node, struct cuda_graph *child)
{
	return set_ready(exec, node, GRAPH_CHILD, set_child, child);
}

RUNTIME_API int cudaGraphAddEmptyNode(NODE_PLACE)
{
	return add_node(out, PLACE_GIVEN, GRAPH_EMPTY, set_nothing, NULL);
}

RUNTIME_API int cudaGraphAddEventRecordNode(NODE_PLACE, struct cuda_event *event)
{
	return add_node(out, PLACE_GIVEN, GRAPH_RECORD, set_event, event);
}

RUNTIME_API int cudaGraphEventRecordNodeSetEvent(struct graph_node *node, struct cuda_event *event)
{
	return set_node(node, GRAPH_RECORD, set_event, event);
}

RUNTIME_API int cudaGraphExecEventRecordNodeSetEvent(
	struct graph_exec *exec, struct graph_node *node, struct cuda_event *event)
{
	return set_ready(exec, node, GRAPH_RECORD, set_event, event);
}

RUNTIME_API int cudaGraphAddEventWaitNode(NODE_PLACE, struct cuda_event *event)
{
	return add_node(out, PLACE_GIVEN, GRAPH_AWAIT, set_event, event);
}

RUNTIME_API int cudaGraphEventWaitNodeSetEvent(struct graph_node *node, struct cuda_event *event)
{
	return set_node(node, GRAPH_AWAIT, set_event, event);
}

RUNTIME_API int cudaGraphExecEventWaitNodeSetEvent(
	struct graph_exec *exec, struct graph_node *node, struct cuda_event *event)
{
	return set_ready(exec, node, GRAPH_AWAIT, set_event, event);
}

RUNTIME_API int cudaGraphAddMemAllocNode(NODE_PLACE, struct graph_alloc *p)
{
	return add_node(out, PLACE_GIVEN, GRAPH_ALLOC, graph_set_alloc, p);
}

RUNTIME_API int cudaGraphAddMemFreeNode(NODE_PLACE, void *pointer)
{
	return add_node(out, PLACE_GIVEN, GRAPH_FREE, graph_set_free, pointer);
}

/* --- any kind, as cudaGraphNodeParams ----------------------------------------------------------------------------- */

struct graph_params {
	int type, reserved[3];
	union {
		long long room[29];
		struct graph_kernel kernel;
		struct {
			int flags, reserved[3];
			struct cuda_copy copy;
		} copy;
		struct graph_fill fill;
		struct graph_host host;
		struct graph_alloc alloc;
		struct graph_conditional conditional;
		void *other; /* a graph, an event, what is freed */
	};
	long long more;
};

static graph_setter *setter_of(const struct graph_params *p, const void **asked)
{
	*asked = &p->room;
	switch (p ? p->type : -1) {
	case GRAPH_KERNEL: return set_kernel;
	case GRAPH_COPY: *asked = &p->copy.copy; return set_copy;
	case GRAPH_FILL: return set_fill;
	case GRAPH_HOST: return set_host;
	case GRAPH_CHILD: *asked = p->other; return set_child;
	case GRAPH_EMPTY: return set_nothing;
	case GRAPH_AWAIT:
	case GRAPH_RECORD: *asked = p->other; return set_event;
	case GRAPH_ALLOC: return graph_set_alloc;
	case GRAPH_CONDITIONAL: return graph_set_conditional;
	case GRAPH_FREE: *asked = p->other; return graph_set_free;
	default: return NULL;
	}
}

static int add_any(struct graph_node **out, const struct graph_place *place, struct graph_params *p)
{
	const void *asked;
	graph_setter *set = setter_of(p, &asked);
	if (set)
		return add_node(out, place, (enum graph_type)p->type, set, asked);
	RUNTIME_ENTER(r);
	(void)r;
	return runtime_leave(p ? CUDA_ErrorNotSupported : CUDA_ErrorInvalidValue);
}

RUNTIME_API int cudaGraphAddNode_v2(
	struct graph_node **out, void *graph, void *const *needs, const void *edges, size_t n, struct graph_params *p)
{
	(void)edges;
	return add_any(out, PLACE_GIVEN, p);
}

/* CUDA 12's has no data of edges. */
RUNTIME_API int cudaGraphAddNode(
	struct graph_node **out, void *graph, void *const *needs, const void *edges, size_t n, struct graph_params *p)
{
	if (runtime_version >= 13000)
		return add_any(out, PLACE_GIVEN, p);
	p = (struct graph_params *)(uintptr_t)n;
	n = (size_t)(uintptr_t)edges;
	return add_any(out, PLACE_GIVEN, p);
}

static bool can_change(int type)
{
	return type != GRAPH_ALLOC && type != GRAPH_FREE && type != GRAPH_CONDITIONAL;
}

RUNTIME_API int cudaGraphNodeSetParams(struct graph_node *node, struct graph_params *p)
{
	const void *asked;
	graph_setter *set = setter_of(p, &asked);
	bool can = set && can_change(p->type);
	return set_node(can ? node : NULL, can ? (enum graph_type)p->type : GRAPH_EMPTY, set, can ? asked : NULL);
}

RUNTIME_API int cudaGraphExecNodeSetParams(struct graph_exec *exec, struct graph_node *node, struct graph_params *p)
{
	const void *asked;
	graph_setter *set = setter_of(p, &asked);
	bool can = set && can_change(p->type);
	return set_ready(
		exec, can ? node : NULL, can ? (enum graph_type)p->type : GRAPH_EMPTY, set, can ? asked : NULL);
}

/* --- what a node was given ---------------------------------------------------------------------------------------- */

static const struct graph_node *typed(struct graph_node *handle, enum graph_type type, const void *out)
{
	const struct graph_node *node = graph_node_of(handle);
	return node && node->type == type && out ? node : NULL;
}

/* Ends a call that gives out what a node has; `error` where it has none. */
static int give(const struct graph_node *node)
{
	return runtime_leave(node ? CUDA_Success : CUDA_ErrorInvalidValue);
}

RUNTIME_API int cudaGraphKernelNodeGetParams(struct graph_node *handle, struct graph_kernel *out)
{
	RUNTIME_ENTER(r);
	struct graph_node *node = (struct graph_node *)typed(handle, GRAPH_KERNEL, out);
	(void)r;
	if (!node)
		return give(node);
	const struct cuda_work *w = &node->work;
	const struct cuda_kernel *kernel = w->launch.kernel;
	int n = ptx_param_count(kernel->ptx);
	if (!node->args)
		node->args = base_calloc((size_t)n + 1, sizeof *node->args);
	for (int i = 0; i < n; i++)
		node->args[i] = w->launch.params + ptx_kernel_param(kernel->ptx, i).offset;
	*out = (struct graph_kernel){.function = (void *)(kernel->host ? kernel->host : kernel),
		.grid = w->launch.config.grid,
		.block = w->launch.config.block,
		.shared = (unsigned int)w->launch.config.shared,
		.args = node->args};
	return give(node);
}

#define GIVES(name, kind, type, value)                                                                                 \
	RUNTIME_API int name(struct graph_node *handle, type *out)                                                     \
	{                                                                                                              \
		RUNTIME_ENTER(r);                                                                                      \
		const struct graph_node *node = typed(handle, kind, out);                                              \
		(void)r;                                                                                               \
		if (node)                                                                                              \
			*out = value;                                                                                  \
		return give(node);                                                                                     \
	}

GIVES(cudaGraphMemcpyNodeGetParams, GRAPH_COPY, struct cuda_copy, node->asked.copy)
GIVES(cudaGraphMemsetNodeGetParams, GRAPH_FILL, struct graph_fill, node->asked.fill)
GIVES(cudaGraphHostNodeGetParams, GRAPH_HOST, struct graph_host,
	((struct graph_host){node->work.host.function, node->work.host.data}))
GIVES(cudaGraphChildGraphNodeGetGraph, GRAPH_CHILD, struct cuda_graph *, node->child)
GIVES(cudaGraphEventRecordNodeGetEvent, GRAPH_RECORD, struct cuda_event *, node->work.event.event)
GIVES(cudaGraphEventWaitNodeGetEvent, GRAPH_AWAIT, struct cuda_event *, node->work.event.event)
GIVES(cudaGraphMemAllocNodeGetParams, GRAPH_ALLOC, struct graph_alloc, node->asked.alloc)
GIVES(cudaGraphMemFreeNodeGetParams, GRAPH_FREE, void *, node->asked.freed)

/* --- attributes of kernel nodes, and whether nodes are done ------------------------------------------------------- */

RUNTIME_API int cudaGraphKernelNodeSetAttribute(
	struct graph_node *handle, int attribute, const union cuda_launch_value *value)
{
	RUNTIME_ENTER(r);
	struct graph_node *node = (struct graph_node *)typed(handle, GRAPH_KERNEL, value);
	(void)r;
	struct cuda_config *c = node ? &node->work.launch.config : NULL;
	if (node && attribute == CUDA_LaunchAttributeCooperative)
		c->cooperative = value->number != 0;
	else if (node && attribute == CUDA_LaunchAttributeClusterDimension)
		c->cluster = (struct dim3_abi){value->dims[0], value->dims[1], value->dims[2]};
	else if (node && attribute == CUDA_LaunchAttributeAccessPolicyWindow && runtime_take_window(r, &value->window))
		c->window = value->window;
	else
		node = NULL;
	return give(node);
}

RUNTIME_API int cudaGraphKernelNodeGetAttribute(
	struct graph_node *handle, int attribute, union cuda_launch_value *value)
{
	RUNTIME_ENTER(r);
	const struct graph_node *node = typed(handle, GRAPH_KERNEL, value);
	(void)r;
	const struct cuda_config *c = node ? &node->work.launch.config : NULL;
	union cuda_launch_value out = {{0}};
	if (node && attribute == CUDA_LaunchAttributeCooperative)
		out.number = c->cooperative;
	else if (node && attribute == CUDA_LaunchAttributeClusterDimension)
		memcpy(out.dims, &c->cluster, sizeof c->cluster);
	else if (node && attribute == CUDA_LaunchAttributeAccessPolicyWindow)
		out.window = c->window;
	else
		node = NULL;
	if (node)
		*value = out;
	return give(node);
}

RUNTIME_API int cudaGraphKernelNodeCopyAttributes(struct graph_node *to, struct graph_node *from)
{
	RUNTIME_ENTER(r);
	const struct graph_node *source = typed(from, GRAPH_KERNEL, to);
	struct graph_node *target = (struct graph_node *)typed(to, GRAPH_KERNEL, to);
	(void)r;
	if (!source || !target)
		return give(NULL);
	target->work.launch.config.cooperative = source->work.launch.config.cooperative;
	target->work.launch.config.cluster = source->work.launch.config.cluster;
	target->work.launch.config.window = source->work.launch.config.window;
	return give(target);
}

static struct graph_node *can_disable(struct graph_exec *exec, struct graph_node *handle)
{
	struct graph_node *node = ready_node(exec, handle);
	return node && node->type <= GRAPH_FILL ? node : NULL;
}

RUNTIME_API int cudaGraphNodeSetEnabled(struct graph_exec *exec, struct graph_node *handle, unsigned int enabled)
{
	RUNTIME_ENTER(r);
	struct graph_node *node = can_disable(exec, handle);
	(void)r;
	if (node)
		node->disabled = !enabled;
	return give(node);
}

RUNTIME_API int cudaGraphNodeGetEnabled(struct graph_exec *exec, struct graph_node *handle, unsigned int *enabled)
{
	RUNTIME_ENTER(r);
	const struct graph_node *node = enabled ? can_disable(exec, handle) : NULL;
	(void)r;
	if (node)
		*enabled = !node->disabled;
	return give(node);
}
