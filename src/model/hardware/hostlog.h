/* model/hardware/hostlog.h: what a program asked CUDA for, call by call, and when the model has each of it begin and
 * end.
 *
 * The sequence is what the runtime saw (runtime/report/report_log.c), or what was stored of it. The times are computed
 * from it, and from hostcosts.def, so that the same sequence has the same times everywhere. They are in milliseconds
 * since the first call. One clock stands for all threads of the host. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum hostlog_kind {
#define HOSTLOG(id, name, what) HOSTLOG_##id,
#include "model/hardware/hostlog.def"
#undef HOSTLOG
	HOSTLOG_KINDS
};
extern const char *const hostlog_kind_names[HOSTLOG_KINDS], *const hostlog_kind_words[HOSTLOG_KINDS];
enum hostlog_kind hostlog_kind_find(const char *name); /* HOSTLOG_KINDS: there is none */

/* Of an allocation, where it is; of a copy, the end that is the host's. */
enum hostlog_memory {
	HOSTLOG_NO_MEMORY,
	HOSTLOG_PAGEABLE,
	HOSTLOG_PINNED,
	HOSTLOG_MANAGED,
	HOSTLOG_DEVICE,
	HOSTLOG_MEMORIES
};
extern const char *const hostlog_memory_names[HOSTLOG_MEMORIES];

enum hostlog_direction {
	HOSTLOG_NOWHERE,
	HOSTLOG_IN,
	HOSTLOG_OUT,
	HOSTLOG_WITHIN,
	HOSTLOG_ON_HOST,
	HOSTLOG_DIRECTIONS
};
extern const char *const hostlog_direction_names[HOSTLOG_DIRECTIONS];

/* What an operation waited for last, before it began. */
enum hostlog_why {
	HOSTLOG_BY_CALL,    /* it was asked for then */
	HOSTLOG_BY_STREAM,  /* what is before it in its stream */
	HOSTLOG_BY_EVENT,   /* an event of another stream */
	HOSTLOG_BY_DEFAULT, /* the default stream, or, in that one, another */
	HOSTLOG_BY_ENGINE,  /* what the copy engine, or the SMs, did for another stream */
	HOSTLOG_WHYS
};
extern const char *const hostlog_why_names[HOSTLOG_WHYS];

struct hostlog_op {
	enum hostlog_kind kind;
	int stream; /* index; -1: none. Of a SYNC: that is waited for; -1: all, or what `of` says */
	const char *call, *name,
		*file;  /* "cudaMemcpyAsync"; the kernel's name, or ""; where in the program, NULL: not known */
	int line;       /* 0: not known */
	uint64_t bytes; /* of copies, fills and allocations */
	enum hostlog_memory memory;
	enum hostlog_direction direction;
	int of;           /* index; AWAIT, SYNC: the RECORD of the event; FREE: the allocation; -1: none */
	int to, from;     /* of copies, fills: the allocations at both ends; -1: not known */
	int graph;        /* the launch of the graph that it is a node of; -1: none */
	bool blocks;      /* the call returned when it had ended, or what it waits for */
	double ms, share; /* of a kernel: its time, without its beginning; how much of the device it takes, at most 1 */

	/* hostlog_schedule */
	double asked, returned; /* the call, on the host */
	double begin, end;      /* of what no stream does they are the host's */
	enum hostlog_why why;
	int after; /* index of what it waited for; -1: the call */
};

enum hostlog_stream_kind {
	HOSTLOG_DEFAULT,
	HOSTLOG_CREATED,
	HOSTLOG_OF_THREAD,
	HOSTLOG_OF_GRAPH,
	HOSTLOG_STREAM_KINDS
};
extern const char *const hostlog_stream_names[HOSTLOG_STREAM_KINDS];

struct hostlog_stream {
	enum hostlog_stream_kind kind;
	int number;    /* among those of its kind, from 1 */
	bool blocking; /* it waits for the default stream, and that for it */
};

struct hostlog {
	struct hostlog_op *ops; /* in the order of the calls; nodes of a graph after its launch */
	int n_ops;
	struct hostlog_stream *streams;
	int n_streams;
	uint64_t left_out; /* calls after those */
};

#define HOSTLOG_OPS_MAX 2000 /* kept of a program: its first */
#define HOSTLOG_STREAMS_MAX 64

/* Whether indices, streams and numbers are such that the functions below can work with them: of what was read from a
 * file. */
bool hostlog_is_sound(const struct hostlog *log);

/* Whether two are the same but for times, and for how the compiler's headers make a call. */
bool hostlog_is_same(const struct hostlog *a, const struct hostlog *b);

/* Computes the times. */
void hostlog_schedule(struct hostlog *log);

/* How long an operation of a stream takes once it has begun. */
double hostlog_ms(const struct hostlog_op *op);

/* Whether it is work that a stream does and that takes time: a copy, a fill, a kernel, a function of the host. */
bool hostlog_is_work(const struct hostlog_op *op);

/* --- costs -------------------------------------------------------------------------------------------------------- */

enum hostlog_cost {
#define COST(id, value, unit, source, meaning) HOSTLOG_COST_##id,
#include "model/hardware/hostcosts.def"
#undef COST
	HOSTLOG_COSTS
};
struct hostlog_cost_row {
	const char *name;
	double value;
	const char *unit, *source, *meaning;
};
extern const struct hostlog_cost_row hostlog_cost_table[HOSTLOG_COSTS];

/* In milliseconds; of a rate, for so many bytes. */
double hostlog_cost_ms(enum hostlog_cost cost, double bytes);

/* Whether each was measured. */
bool hostlog_costs_are_measured(void);

/* --- what it comes to --------------------------------------------------------------------------------------------- */

struct hostlog_sums {
	int copies, kernels, graphs;
	int launches;    /* calls that start kernels or graphs */
	int waits;       /* of the host */
	int event_waits; /* of a stream for another */
	int streams;     /* that do work */
	int overlapping; /* copies and kernels during which another stream's copy or kernel goes on */
	double copy_bytes;
	double ms;        /* from the first call to the end of all work */
	double busy_ms;   /* the sum of all copies and kernels */
	double copy_ms;   /* of copies */
	double kernel_ms; /* of kernels */
	double call_ms;   /* of the host, in calls that ask for work, without waiting */
};
struct hostlog_sums hostlog_sum(const struct hostlog *log);
