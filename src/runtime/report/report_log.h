/* runtime/report/report_log.h: the sequence of what the program asked for, for the report: model/hardware/hostlog.h. Inside runtime/ only.
 *
 * The first HOSTLOG_OPS_MAX are kept, the others counted. What the bodies of conditional nodes of graphs do is not in it. */
#pragma once
#include "model/hardware/hostlog.h"
#include "runtime/stream/queue.h"

/* A stream was made, or is used for the first time. */
void report_log_stream(struct cuda_stream *stream);

/* A stream was asked for this; its launch has ended. */
void report_log_asked(struct runtime *r, struct cuda_operation *o);
void report_log_ended(const struct cuda_operation *o);

/* The host waited: for a stream, for all (NULL), or for the event that was recorded there by this number, unless that is 0. */
void report_log_waited(const struct cuda_stream *stream, uint64_t number);

/* Memory was made, or given back by a call that waits for no stream. */
void report_log_made(struct cuda_allocation *a);
void report_log_freed(const struct cuda_allocation *a);

/* What streams are asked for until the end is of the launch of a graph. */
void report_log_graph_begin(struct cuda_stream *stream);
void report_log_graph_end(void);

/* All of it, with its times. */
struct hostlog report_log(void);
