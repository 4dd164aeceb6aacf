/* runtime/report/report_order.h: in which order the work of streams is, and what it accesses: two pieces of work that
 * nothing orders, and that access the same memory, are a problem. Inside runtime/ only.
 *
 * Each operation has a vector clock: the last operation of every stream that is before it, whatever the executor does
 * first here. It follows from what the program asked for: the order of a stream, events, the rules of the default
 * stream, edges of graphs, and what the host has waited for before it asked. */
#pragma once
#include "runtime/report/report.h"

/* --- what work accesses ------------------------------------------------------------------------------------------- */

/* Bytes, by how. Strong accesses are atomic, volatile, or say an order: two of them are no race. */
enum access_kind {
	ACCESS_READS,
	ACCESS_WRITES,
	ACCESS_READS_STRONG, /* an atomic operation */
	ACCESS_LOOKS,        /* a strong load, as of a flag; copies may set it */
	ACCESS_WRITES_STRONG,
	ACCESS_KINDS
};

struct report_footprint;
struct report_footprint *report_footprint_new(void);
void report_footprint_free(struct report_footprint *f);
void report_footprint_add(struct report_footprint *f, enum access_kind kind, uint64_t address, size_t bytes);
void report_footprint_merge(struct report_footprint *into, struct report_footprint *from); /* may empty it */
void report_footprint_erase(struct report_footprint *f, uint64_t address, size_t bytes);   /* memory that was freed */

/* Rows of a copy or a fill; of what is freed, one. */
struct footprint_box {
	uint64_t address;
	size_t width, pitch, height, slice, depth;
};
void report_footprint_add_box(struct report_footprint *f, enum access_kind kind, const struct footprint_box *box);

/* The lowest byte that both access, one of them by writing; and which do. False: there is none. */
struct footprint_meeting {
	uint64_t address;
	bool a_writes, b_writes;
};
bool report_footprint_meet(
	const struct report_footprint *a, const struct report_footprint *b, struct footprint_meeting *out);

/* Whether `a` sets a flag, by a strong store or a copy, that `b` looks at; by atomic operations, where both fence. */
bool report_footprint_tells(const struct report_footprint *a, const struct report_footprint *b, bool fence);

/* --- instructions ------------------------------------------------------------------------------------------------- */

/* What an instruction of a kernel is to others: bits. */
enum {
	ORDER_STRONG = 1,        /* an access that two threads may do at the same time */
	ORDER_STRONG_SYSTEM = 2, /* also with the host */
	ORDER_RELEASE_SYSTEM = 4,
	ORDER_FENCE = 8, /* of the device, at least; an access that releases or acquires is one, too */
	ORDER_FENCE_SYSTEM = 16,
};
/* By index in the launch, for as long as the program runs; `kernel->orders_all` is all of them together. */
const uint8_t *report_order_of_instructions(struct cuda_kernel *kernel);

/* --- order -------------------------------------------------------------------------------------------------------- */

struct order_record; /* what is known of an operation, or of several in a row from one place */

/* The stream was asked for it. Before the work can begin. */
void report_order_submitted(struct runtime *r, struct cuda_operation *o);

/* Work that is a part of another, as the body of a conditional node. */
struct order_record *report_order_part(struct order_record *whole, const struct cuda_work *work);

/* Takes what a launch has accessed. */
void report_order_launch_accessed(const struct cuda_work *work, struct report_footprint *f);

/* The operation has ended: is judged. */
void report_order_completed(struct runtime *r, struct cuda_operation *o);

/* Whether something that was asked for before it, has not ended, and is not ordered with it. */
bool report_order_may_come_before(const struct cuda_operation *o);

/* Memory is about to be given back, by this work or (NULL) by the host. */
void report_order_frees(struct runtime *r, const struct cuda_work *work, const struct cuda_allocation *a);
void report_order_freed(uint64_t address, size_t bytes);

/* Memory was made in the order of a stream. */
void report_order_made(struct runtime *r, struct cuda_stream *stream, uint64_t address, size_t bytes);

/* The host has waited: as report_waited. */
void report_order_waited(struct runtime *r, const struct cuda_stream *stream, uint64_t number);

/* A function of the program that was work has returned: it may have told the host. */
void report_order_called(const struct cuda_operation *o);

/* Whether the host knows that the stream has done this. */
bool report_order_host_knows(const struct cuda_stream *stream, uint64_t number);

/* What the stream does from now on is not after what it did. */
void report_order_forget(struct cuda_stream *lane);

/* Until the end, what is submitted is of the launch of a graph. */
void report_order_graph_begin(void);
void report_order_graph_end(void);

/* "stream 2", "the default stream". */
void report_put_stream(const struct cuda_stream *stream, struct buf *out);
/* "fill<<<1, 64>>> (asked for at main.cu:12)" */
void report_put_work(const struct cuda_work *work, struct buf *out);
