/* runtime/stream/graph.h: graphs, built and captured. Inside runtime/ only.
 *
 * A launch of a graph appends the work of its nodes to the stream, each after those that it depends on; nodes that do
 * not depend on each other run side by side, in streams of the runtime's own, for which the one of the launch waits
 * (graph_exec.c). Graphs, nodes and what was made ready to launch lie in the arena; they are known by their marks. */
#pragma once
#include "runtime/memory/memory.h"

enum graph_type {
	GRAPH_KERNEL,
	GRAPH_COPY,
	GRAPH_FILL,
	GRAPH_HOST,
	GRAPH_CHILD,
	GRAPH_EMPTY,
	GRAPH_AWAIT,
	GRAPH_RECORD,
	GRAPH_ALLOC = 10,
	GRAPH_FREE,
	GRAPH_CONDITIONAL = 13,
};

/* cudaKernelNodeParams */
struct graph_kernel {
	void *function;
	struct dim3_abi grid, block;
	unsigned int shared;
	void **args, **extra;
};

/* cudaMemsetParams */
struct graph_fill {
	void *at;
	size_t pitch;
	unsigned int value, element;
	size_t width, height;
};

/* cudaMemAllocNodeParams */
struct graph_alloc {
	int type, handles, location_type, location;
	char unused[72];
	const void *access;
	size_t n_access, bytes;
	void *at;
};

/* cudaConditionalNodeParams */
struct graph_conditional {
	unsigned long long handle;
	int type;
	unsigned int size;
	struct cuda_graph **bodies; /* given back */
};
enum { GRAPH_IF, GRAPH_WHILE, GRAPH_SWITCH };
#define GRAPH_BODIES_MAX 65536

/* A handle of a condition: its word, and what that is at each launch. */
struct graph_condition {
	uint64_t handle;
	uint32_t value;
	bool assigned, used;
};

struct graph_node {
	uint32_t mark;
	enum graph_type type;
	struct cuda_graph *graph;
	struct cuda_work work;      /* nothing for GRAPH_EMPTY, _ALLOC and _FREE */
	struct cuda_graph *child;   /* of GRAPH_CHILD: its own */
	struct cuda_graph **bodies; /* of GRAPH_CONDITIONAL: its own */
	int n_bodies;
	struct graph_node **needs; /* those before it */
	int n_needs, needs_cap;
	const struct graph_node *origin; /* what it is a copy of */
	bool disabled;
	uint64_t seen; /* by a walk with that number */
	void **args;   /* what cudaGraphKernelNodeGetParams has given out */
	union {
		struct cuda_copy copy;
		struct graph_fill fill;
		struct graph_alloc alloc;
		struct graph_conditional conditional;
		void *freed;
	} asked;
};
#define GRAPH_NODE_MARK 0x45444F4Eu

struct graph_object; /* what graphs keep for the program */

struct cuda_graph {
	uint32_t mark;
	struct graph_node **nodes; /* in the order in which they were made */
	int n, cap;
	struct graph_node *parent; /* of which it is the child or a body, or NULL */
	const struct cuda_graph *origin;
	struct graph_object **objects; /* once for each reference */
	int n_objects, objects_cap;
	struct graph_condition *conditions;
	int n_conditions, conditions_cap;
	bool launched;               /* operations may look at its nodes */
	struct graph_memory *memory; /* of its allocation nodes, and of what was made ready of it; or NULL */
};
#define GRAPH_MARK 0x48505247u

/* cudaGraphExec_t */
struct graph_exec {
	uint32_t mark;
	unsigned long long flags;
	struct cuda_graph *graph;   /* its own */
	struct cuda_stream *stream; /* of its last launch, and the number of that; NULL: none */
	uint64_t number;
};
#define GRAPH_EXEC_MARK 0x43455845u
#define GRAPH_AUTO_FREE 1ull /* a flag of it: what a launch has left is freed by the next */

/* graph.c. NULL where it is none. */
struct cuda_graph *graph_of(const void *handle);
struct graph_node *graph_node_of(const void *handle);
struct cuda_graph *graph_new(struct runtime *r);
struct graph_node *graph_node_new(struct runtime *r, struct cuda_graph *graph, enum graph_type type);
void graph_node_need(struct graph_node *node, struct graph_node *before);
struct cuda_graph *graph_clone(struct runtime *r, const struct cuda_graph *graph);
void graph_drop(struct runtime *r, struct cuda_graph *graph);

/* A new node that depends on others; an error. */
struct graph_place {
	void *graph;
	void *const *needs;
	size_t n;
};
int graph_add(struct runtime *r, const struct graph_place *place, enum graph_type type, struct graph_node **out);

/* The nodes, each after those that it needs: graph->n of them, the caller's. NULL: they wait for each other in a
 * circle. */
struct graph_node **graph_order(const struct cuda_graph *graph);

/* graph_exec.c: appends the work of a graph to a stream. Finds again the memory that work names; an error. */
int graph_submit(struct runtime *r, const struct cuda_graph *graph, struct cuda_stream *stream);
int graph_refresh(struct runtime *r, struct cuda_work *work);

/* graph_exec.c: makes a node conditional, which `asked` says, a struct graph_conditional; an error. */
int graph_set_conditional(struct runtime *r, struct graph_node *node, const void *asked);
bool graph_has_conditional(const struct cuda_graph *graph);

/* Gives conditions what they begin with, in a stream before a launch. */
int graph_conditions_begin(struct runtime *r, const struct cuda_graph *graph, struct cuda_stream *stream);

/* graph.c */
void graph_objects_clone(struct cuda_graph *to, const struct cuda_graph *from);
void graph_objects_drop(struct cuda_graph *graph);

/* --- capture: graph_capture.c ------------------------------------------------------------------------------------- */

struct graph_capture {
	struct cuda_graph *graph;
	int first; /* nodes from there on were captured */
	struct cuda_stream *stream;
	int mode;
	const void *thread;
	uint64_t id;
	bool broken, ended;
	bool given; /* the graph is the program's, which need not be told it */
};

/* A stream that is being captured is asked for work: that becomes a node of the graph. It owns the work. */
int graph_capture_work(struct runtime *r, struct cuda_stream *stream, struct cuda_work *work);

/* What is wrong with asking this stream for work, or waiting for it (NULL: for all), while others are being
 * captured. */
int graph_capture_forbids(struct runtime *r, const struct cuda_stream *stream);
int graph_capture_breaks(struct runtime *r, const struct cuda_stream *stream);

/* An event that is recorded in a stream that is being captured, and a stream that waits for such an event. */
int graph_capture_record(struct runtime *r, struct cuda_stream *stream, struct cuda_event *event);
int graph_capture_await(struct runtime *r, struct cuda_stream *stream, struct cuda_event *event);

/* Memory that is made or freed by a stream that is being captured: nodes of the graph. */
int graph_capture_alloc(struct runtime *r, struct cuda_stream *stream, int device, size_t bytes, void **out);
int graph_capture_free(struct runtime *r, struct cuda_stream *stream, void *pointer);

/* --- memory: graph_memory.c ------------------------------------------------------------------------------------------
 *
 * An allocation node has its address from when it is made, and its memory from its turn in a launch until that of the
 * node that frees it, or until the program does. A node that comes after one that freed memory of the same graph may
 * have its addresses. Two views of that: what is `held` goes by the order of calls, and decides about errors; what is
 * `away` goes by the order in which work is done, and decides what kernels reach. */

struct graph_memory;

/* Makes a node one that allocates or frees; an error. */
int graph_set_alloc(struct runtime *r, struct graph_node *node, const void *asked);
int graph_set_free(struct runtime *r, struct graph_node *node, const void *asked);
bool graph_has_memory(const struct cuda_graph *graph);

/* Whether each node that frees comes after the one that allocates; else says which does not. */
bool graph_memory_is_ordered(struct runtime *r, const struct cuda_graph *graph);

/* What was made ready of a graph has the graph's memory, and is alone with that: false, there is another. */
bool graph_memory_can_share(const struct cuda_graph *copy, const struct cuda_graph *graph);
bool graph_memory_share(struct cuda_graph *copy, const struct cuda_graph *graph);
void graph_memory_leave(struct runtime *r, struct cuda_graph *graph, bool was_ready);

/* Before and after the work of a launch is submitted. An error: it holds what it would allocate, or does not hold what
 * it would free. */
int graph_memory_check(struct runtime *r, const struct graph_exec *exec, struct cuda_stream *stream);
void graph_memory_uploaded(struct runtime *r, const struct graph_exec *exec);
void graph_memory_launched(struct runtime *r, const struct graph_exec *exec, struct cuda_stream *stream);

/* The program frees what a launch has left, in the order of calls; false: it holds nothing there. */
bool graph_memory_is_held(struct runtime *r, uint64_t address);
void graph_memory_let_go(struct runtime *r, uint64_t address);

/* When its turn has come: kernels reach it, or do not any more. */
void graph_memory_make(struct runtime *r, const struct cuda_work *work);
void graph_memory_release(struct runtime *r, struct cuda_allocation *a);

/* Whether a copy or a fill is of memory that is away; if so, says it, and the device has failed. Whether the program
 * may not ask for it, as no launch has allocated that, or it was freed; if so, says it. */
bool graph_memory_is_away(struct runtime *r, const struct cuda_work *work);
bool graph_memory_refuses(struct runtime *r, const struct cuda_work *work);
