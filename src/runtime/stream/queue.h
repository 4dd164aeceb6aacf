/* runtime/stream/queue.h: the work that streams have, and what does it. Inside runtime/ only.
 *
 * A stream's work is done in order. One thread does the work of all streams: what was asked for first comes first, each
 * kernel to its end unless it waits for something, or takes long: then others have turns, so that kernels of several
 * streams can wait for each other. Small ones that nothing can disturb take theirs at the same time, on other cores
 * (executor.c), with the same outcome. So a program's kernels run in the same order each time unless they wait for the
 * host. A second thread calls the program's functions (host functions, callbacks). Both begin with the first work that
 * nobody waits for. Every function is called with the runtime locked. */
#pragma once
#include "runtime/state.h"

/* --- work --------------------------------------------------------------------------------------------------------- */

struct cuda_config {
	struct dim3_abi grid, block, cluster; /* cluster: 0: as the kernel says */
	size_t shared;
	bool cooperative;
	struct cuda_window window; /* which the model of time does not know */
};

/* Rows of a copy: `width` bytes, `height` rows, `depth` slices of them. */
struct copy_end {
	char *at;
	uint64_t address; /* of the device, or where it sees the host's; 0: it does not */
	size_t pitch, slice;
	uint8_t where; /* COPY_HOST, COPY_PINNED, COPY_DEVICE */
};
enum { COPY_HOST, COPY_PINNED, COPY_DEVICE };

enum work_kind {
	WORK_NOTHING,
	WORK_LAUNCH,
	WORK_COPY,
	WORK_FILL,
	WORK_HOST,
	WORK_RECORD,
	WORK_AWAIT,
	WORK_FREE,
	WORK_BRANCH,
	WORK_ALLOC, /* memory of a graph, from now on */
};

/* What a stream does, or a node of a graph. It owns what its members say. */
struct cuda_work {
	enum work_kind kind;
	bool blocks;                    /* the call that asks for it returns when it has ended */
	const struct report_site *site; /* where the program asked for it; NULL: not known */
	const struct report_site *made; /* likewise, the node of a graph; or NULL */
	struct order_record *order;     /* report_order.h; of an operation, or NULL */
	union {
		struct {
			struct cuda_kernel *kernel;
			struct cuda_config config;
			uint8_t *params; /* owned */
			int device;
			uint64_t number;          /* among the program's, from 1; of an operation */
			struct report_uses *uses; /* owned; of an operation, or NULL */
		} launch;
		struct {
			struct copy_end to, from;
			size_t width, height, depth;
			char *staged; /* owned: the source, taken when the call was made; or NULL */
		} copy;
		struct {
			char *at;
			uint64_t address;
			size_t pitch, width, height; /* bytes, rows */
			uint32_t value;
			uint8_t element; /* bytes of it */
		} fill;
		struct {
			cuda_host_function *function;
			cuda_stream_callback *callback; /* or this */
			void *data;
		} host;
		struct {
			struct cuda_event *event;   /* NULL: a lane of a graph */
			uint64_t ipc;               /* of a recording: its number for other processes, or 0 */
			uint64_t serial;            /* of the recording that is awaited, */
			struct cuda_stream *stream; /* and its stream */
		} event;
		struct {
			uint64_t address;
		} free;
		struct {
			uint64_t address;
			size_t bytes;
		} alloc;
		struct {
			const struct graph_node *node;
		} branch; /* the body of a conditional node, or not */
	};
};

/* launch.c */
uint8_t *work_params(const struct cuda_kernel *kernel, const uint8_t *params);

struct cuda_work work_clone(const struct cuda_work *work);
void work_drop(struct cuda_work *work);

/* running.c: a launch in turns, and what is said of it. */
struct running;
struct running *running_begin(
	struct runtime *r, const struct cuda_work *work, uint32_t cores); /* of the host; 0: all */
enum simt_turn running_continue(struct running *run);
void running_stop(struct running *run);

/* What it does now. `ms`: since it began, by the clock; `quiet_ms`: since a block has ended. */
struct running_look {
	const struct cuda_work *work;
	uint64_t blocks, of; /* that have ended, of all */
	double ms, quiet_ms;
};
void running_look(struct running *run, struct running_look *out);

/* Where its warps are: NULL until it has answered, some time after the first call. */
const struct simt_standing *running_standing(struct running *run);
/* How long it took, in the model, and what share of the device it had, at most 1. */
struct launch_time {
	double ms, share;
};
/* Says what it did wrong, keeps what it printed, frees it. */
struct launch_time running_end(struct runtime *r, struct running *run);

/* --- streams ------------------------------------------------------------------------------------------------------ */

struct cuda_operation;
struct graph_node;

struct cuda_stream {
	uint32_t mark; /* STREAM_MARK: it was not destroyed */
	int priority, device;
	unsigned int flags;
	uint64_t id;
	bool is_legacy, blocking, of_thread; /* of_thread: its default one */
	int logged;                          /* report_log.c: index, from 1; 0: not there */
	int order;                           /* report_order.c: likewise */
	struct cuda_operation *first, *last;
	uint64_t done, asked;          /* the numbers of its last operation that has ended; of its last one */
	double end;                    /* of its work so far */
	struct graph_capture *capture; /* or NULL */
	struct graph_node **tail;      /* what comes last in it, and is not to be awaited twice */
	int n_tail, tail_cap;
	unsigned int sync_policy;
	struct cuda_window window;       /* what launches into it begin with */
	union cuda_launch_value domains; /* attributes that only the program has a use for */
	int domain;
	struct cuda_context *context; /* in which it was made, and which the program has created; or NULL */
};
#define STREAM_MARK 0x5354524Du
#define LANE_MARK 0x454E414Cu /* no program has it: queue_lane */

struct cuda_event {
	uint32_t mark;
	unsigned int flags;
	uint64_t recorded;          /* number of the operation; 0: none */
	struct cuda_stream *stream; /* of that */
	bool done;
	double at;
	struct graph_node **captured; /* what the stream that was captured had last when it was recorded there */
	int n_captured;
	struct graph_capture *capture;
	struct ipc_event *ipc; /* what it has in common with other processes, or NULL */
};
#define EVENT_MARK 0x45564E54u

struct cuda_operation {
	struct cuda_operation *next; /* of its stream; or of those whose function is to be called */
	struct cuda_stream *stream;
	uint64_t number; /* in the order in which they were asked for, from 1 */
	struct cuda_work work;
	struct running *run; /* a launch that has begun */
	uint64_t round;      /* in which it waited in vain */
	bool called;         /* its function is being called, or is to be */
	bool part;           /* of the one with its number, which comes after it */
	bool branched;       /* a body has been put before it */
	int logged;          /* as of a stream */
	double issued, duration, share;
};

struct runtime_queue {
	struct cuda_stream **streams;
	int n, cap;
	struct cuda_stream *legacy[RUNTIME_DEVICES_MAX];
	uint64_t numbers, launches, ids, rounds; /* rounds: from 1 */
	struct cuda_operation *calls;            /* of functions, in order */
	bool working, calling;                   /* the two threads are there */
	bool running;                            /* a kernel has its turn, and the lock is open */
	bool in_call;                            /* a function of the program is being called */
	bool stuck;                              /* all that there is waits in vain */
	bool ending;
	int pausing; /* threads that wait for a pause */
	int open;    /* launches that have begun and not ended */
	double now, compute_end, copy_end[2];
};

/* executor.c: both threads are there; something has changed for them, or for those who wait. */
void executor_start(struct runtime *r);
void executor_wake(void);
void executor_end(struct runtime *r); /* the program ends */
void executor_wait(void);             /* until an operation has ended */

/* Does what is no launch and no function of the program. */
void executor_perform(struct runtime *r, struct cuda_work *work);

/* Whether nothing holds it. */
bool queue_is_ready(const struct runtime *r, const struct cuda_operation *o);

/* An operation that is to come before `o` in its stream, and to the host is a part of it. It owns the work. */
struct cuda_operation *queue_part(struct runtime *r, const struct cuda_operation *o, const struct cuda_work *work);

/* graph_exec.c: an operation that chooses a body. */
enum graph_turn {
	GRAPH_GOES_ON, /* it has no more to do */
	GRAPH_BODY,    /* what comes first in its stream is the body's */
	GRAPH_NOTHING, /* that is to be done again and again, and is empty */
};
enum graph_turn graph_branch(struct runtime *r, struct cuda_operation *o);

/* It has ended, and leaves its stream: when, in the model. */
void queue_complete(struct runtime *r, struct cuda_operation *o);

/* The stream that a call names; NULL: there is none. */
struct cuda_stream *queue_stream(struct runtime *r, struct cuda_stream *handle);
struct cuda_stream *queue_stream_new(struct runtime *r, unsigned int flags, int priority);

/* A stream without work for a launch of a graph in `stream`, of its priority; it holds no other and none holds it. */
struct cuda_stream *queue_lane(struct runtime *r, const struct cuda_stream *stream);

/* Appends work to a stream, which owns it from now on; or to the graph that is being captured. Returns an error. */
int queue_submit(struct runtime *r, struct cuda_stream *stream, struct cuda_work *work);

/* Like queue_submit, and waits for the work. */
int queue_do(struct runtime *r, struct cuda_stream *stream, struct cuda_work *work);

/* Waits for a stream; for all of a device; for an operation. They return what kernels did wrong. */
int queue_wait_stream(struct runtime *r, struct cuda_stream *stream);
int queue_wait_all(struct runtime *r);
int queue_wait_number(struct runtime *r, struct cuda_stream *stream, uint64_t number);

/* Until all that streams were asked for has ended, though the program has not waited for it. */
void queue_settle(struct runtime *r);

/* Whether it has ended. */
bool queue_is_idle(const struct cuda_stream *stream);
bool queue_all_idle(const struct runtime *r);

/* No kernel runs until the caller leaves. */
void runtime_pause(struct runtime *r);

/* This thread is one that calls the program's functions, which must not call the runtime. */
bool queue_is_callback(void);

/* The time of the host in the model; a call takes some of it. */
double queue_now(struct runtime *r);

/* NULL where it is none, or was destroyed. */
struct cuda_event *event_of(struct cuda_event *handle);

/* --- launches ----------------------------------------------------------------------------------------------------- */

/* %clock goes by it: a warp instruction of a block is a cycle. */
#define RUNTIME_CLOCK_KHZ 1000000

/* Says, in a sentence that begins with the launch, what is wrong with it. */
void runtime_launch_fault(const struct cuda_kernel *kernel, const struct cuda_config *config, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Appends a kernel's name as in the source, and a launch: "scan<int><<<4, (32, 8), 1024>>>". */
void runtime_put_name(const char *mangled, struct buf *out);
void runtime_put_launch(const struct cuda_kernel *kernel, const struct cuda_config *config, struct buf *out);

/* The launch of a kernel with arguments, one pointer to each, as work; `error` is what the launch is refused with.
 * False: refused. Pauses. */
bool runtime_launch_work(struct runtime *r, struct cuda_kernel *kernel, const struct cuda_config *config, void **args,
	struct cuda_work *out, int *error);

/* Like runtime_launch_work, with all arguments in one buffer. */
bool runtime_launch_packed(struct runtime *r, struct cuda_kernel *kernel, const struct cuda_config *config,
	const void *params, size_t bytes, struct cuda_work *out, int *error);

/* Like runtime_launch_work, with a list of what there is: CU_LAUNCH_PARAM_BUFFER_POINTER and so on. */
bool runtime_launch_extra(struct runtime *r, struct cuda_kernel *kernel, const struct cuda_config *config, void **extra,
	struct cuda_work *out, int *error);

/* A launch as a call asks for it; `extra` is NULL, or stands for `args`. */
struct launch_request {
	const void *function;
	struct cuda_config config;
	void **args, **extra;
	struct cuda_stream *stream;
};
int runtime_launch(const struct launch_request *request);

/* What attributes say of the configuration; false: one is none. */
bool runtime_launch_attributes(
	const struct cuda_launch_attribute *attributes, unsigned int n, struct cuda_config *config);

/* limit.c: whether CUDA takes such a window of addresses for the L2 cache; a report notes once that it has no
 * effect. */
bool runtime_take_window(struct runtime *r, const struct cuda_window *window);

/* The kernel that the program names by a function of its own, or by a handle, with its code; NULL, and why. Pauses. */
struct cuda_kernel *runtime_launch_kernel(struct runtime *r, const void *function, int *error);

/* Blocks of this many threads that are resident on an SM at a time; and on the device. */
struct occupancy runtime_occupancy(
	const struct runtime *r, const struct cuda_kernel *kernel, uint32_t threads, size_t dynamic_shared);
uint32_t runtime_sms(const struct runtime *r);

/* Bytes of shared memory that a block of the kernel may have, static and dynamic. */
uint32_t runtime_shared_max(const struct runtime *r, const struct cuda_kernel *kernel);
