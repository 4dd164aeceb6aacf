#include "config.h"
#include "model/hardware/hostlog.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

const char *const hostlog_kind_names[HOSTLOG_KINDS] = {
#define HOSTLOG(id, name, what) [HOSTLOG_##id] = name,
#include "model/hardware/hostlog.def"
#undef HOSTLOG
};

const char *const hostlog_kind_words[HOSTLOG_KINDS] = {
#define HOSTLOG(id, name, what) [HOSTLOG_##id] = what,
#include "model/hardware/hostlog.def"
#undef HOSTLOG
};

const char *const hostlog_memory_names[HOSTLOG_MEMORIES] = {
	[HOSTLOG_NO_MEMORY] = "",
	[HOSTLOG_PAGEABLE] = "pageable",
	[HOSTLOG_PINNED] = "pinned",
	[HOSTLOG_MANAGED] = "managed",
	[HOSTLOG_DEVICE] = "device",
};

const char *const hostlog_direction_names[HOSTLOG_DIRECTIONS] = {
	[HOSTLOG_NOWHERE] = "",
	[HOSTLOG_IN] = "host to device",
	[HOSTLOG_OUT] = "device to host",
	[HOSTLOG_WITHIN] = "device to device",
	[HOSTLOG_ON_HOST] = "host to host",
};

const char *const hostlog_why_names[HOSTLOG_WHYS] = {
	[HOSTLOG_BY_CALL] = "call",
	[HOSTLOG_BY_STREAM] = "stream",
	[HOSTLOG_BY_EVENT] = "event",
	[HOSTLOG_BY_DEFAULT] = "default stream",
	[HOSTLOG_BY_ENGINE] = "engine",
};

const char *const hostlog_stream_names[HOSTLOG_STREAM_KINDS] = {
	[HOSTLOG_DEFAULT] = "default",
	[HOSTLOG_CREATED] = "stream",
	[HOSTLOG_OF_THREAD] = "thread",
	[HOSTLOG_OF_GRAPH] = "graph",
};

enum hostlog_kind hostlog_kind_find(const char *name)
{
	int kind = 0;
	while (kind < HOSTLOG_KINDS && strcmp(hostlog_kind_names[kind], name) != 0)
		kind++;
	return (enum hostlog_kind)kind;
}

/* --- costs -------------------------------------------------------------------------------------------------------- */

const struct hostlog_cost_row hostlog_cost_table[HOSTLOG_COSTS] = {
#define COST(id, value, unit, source, meaning) [HOSTLOG_COST_##id] = {#id, value, unit, source, meaning},
#include "model/hardware/hostcosts.def"
#undef COST
};

double hostlog_cost_ms(enum hostlog_cost cost, double bytes)
{
	const struct hostlog_cost_row *row = &hostlog_cost_table[cost];
	return strcmp(row->unit, "us") == 0 ? row->value / 1e3 : bytes / (row->value * 1e6);
}

bool hostlog_costs_are_measured(void)
{
	for (int i = 0; i < HOSTLOG_COSTS; i++)
		if (!*hostlog_cost_table[i].source)
			return false;
	return true;
}

bool hostlog_is_work(const struct hostlog_op *op)
{
	return op->kind == HOSTLOG_COPY || op->kind == HOSTLOG_FILL || op->kind == HOSTLOG_LAUNCH ||
		op->kind == HOSTLOG_CALLBACK;
}

double hostlog_ms(const struct hostlog_op *op)
{
	if (op->kind == HOSTLOG_LAUNCH)
		return op->ms +
			hostlog_cost_ms(
				op->graph >= 0 ? HOSTLOG_COST_GRAPH_KERNEL_BEGIN : HOSTLOG_COST_KERNEL_BEGIN, 0);
	if (op->kind == HOSTLOG_COPY || op->kind == HOSTLOG_FILL) {
		bool pageable = op->memory == HOSTLOG_PAGEABLE;
		enum hostlog_cost rate = HOSTLOG_COST_WITHIN;
		if (op->kind == HOSTLOG_COPY && op->direction == HOSTLOG_IN)
			rate = pageable ? HOSTLOG_COST_IN_PAGEABLE : HOSTLOG_COST_IN_PINNED;
		else if (op->kind == HOSTLOG_COPY && op->direction == HOSTLOG_OUT)
			rate = pageable ? HOSTLOG_COST_OUT_PAGEABLE : HOSTLOG_COST_OUT_PINNED;
		return hostlog_cost_ms(HOSTLOG_COST_COPY_BEGIN, 0) + hostlog_cost_ms(rate, (double)op->bytes);
	}
	return 0;
}

/* --- order -------------------------------------------------------------------------------------------------------- */

enum log_engine { ENGINE_IN, ENGINE_OUT, ENGINES };

/* A stream as its operations get their times. */
struct log_queue {
	int first, last; /* that have none yet; -1 */
	int done;        /* the last that has; -1 */
	double end;
};

struct log_times {
	struct hostlog *log;
	int *next; /* per operation: that after it in its stream */
	struct log_queue *queues;
	double engine_end[ENGINES];
	int engine_last[ENGINES];
	int *running; /* kernels that may still go on, by their ends */
	int n_running;
	double host;
};

/* When something could begin, and what keeps it from beginning before. */
struct log_begin {
	double at;
	enum hostlog_why why;
	int after;
};

static void begin_after(struct log_begin *b, double at, enum hostlog_why why, int after)
{
	if (at > b->at)
		*b = (struct log_begin){at, why, after};
}

static bool is_of_stream(const struct hostlog_op *op)
{
	return op->stream >= 0 && op->kind != HOSTLOG_ALLOC && op->kind != HOSTLOG_SYNC && op->kind != HOSTLOG_GRAPH;
}

static int engine_of(const struct hostlog_op *op)
{
	if (op->kind == HOSTLOG_COPY && op->direction == HOSTLOG_IN)
		return ENGINE_IN;
	return op->kind == HOSTLOG_COPY && op->direction == HOSTLOG_OUT ? ENGINE_OUT : ENGINES;
}

/* When operation `i`, the first of its stream, begins; false: something else comes first. */
static bool find_begin(const struct log_times *t, int i, struct log_begin *b)
{
	const struct hostlog_op *op = &t->log->ops[i];
	const struct log_queue *q = &t->queues[op->stream];
	int engine = engine_of(op);
	*b = (struct log_begin){op->begin, HOSTLOG_BY_CALL, -1};
	begin_after(b, q->end, HOSTLOG_BY_STREAM, q->done);

	/* the rule of the default stream: where it holds the operation, or when it lets it go */
	const struct hostlog *log = t->log;
	const struct hostlog_stream *own = &log->streams[op->stream];
	for (int s = 0; s < log->n_streams; s++) {
		const struct hostlog_stream *other = &log->streams[s];
		bool holds = own != other &&
			(own->kind == HOSTLOG_DEFAULT ? other->blocking
						      : own->blocking && other->kind == HOSTLOG_DEFAULT);
		/* something of that stream was asked for before, and has no time yet */
		if (holds && t->queues[s].first >= 0 && t->queues[s].first < i)
			return false;
		if (holds)
			begin_after(b, t->queues[s].end, HOSTLOG_BY_DEFAULT, t->queues[s].done);
	}

	if (op->kind == HOSTLOG_AWAIT && op->of >= 0) {
		const struct hostlog_op *of = &t->log->ops[op->of];
		if (of->end < 0)
			return false;
		begin_after(b, of->end, HOSTLOG_BY_EVENT, op->of);
	}
	if (engine < ENGINES)
		begin_after(b, t->engine_end[engine], HOSTLOG_BY_ENGINE, t->engine_last[engine]);
	if (op->kind == HOSTLOG_LAUNCH) {
		/* the SMs have room for kernels as long as their shares are less than all */
		double used = 0, from = b->at;
		for (int k = 0; k < t->n_running; k++)
			used += t->log->ops[t->running[k]].end > from ? t->log->ops[t->running[k]].share : 0;
		for (int k = 0; k < t->n_running && used + op->share > 1 + 1e-9; k++) {
			const struct hostlog_op *other = &t->log->ops[t->running[k]];
			if (other->end <= from)
				continue;
			begin_after(b, other->end, HOSTLOG_BY_ENGINE, t->running[k]);
			used -= other->share;
		}
	}
	return true;
}

/* Gives the operation that begins next its times. There is one: the first of those without has nothing before it. */
static void schedule_next(struct log_times *t)
{
	int best = -1;
	struct log_begin begin = {0};
	for (int s = 0; s < t->log->n_streams; s++) {
		struct log_begin b;
		int i = t->queues[s].first;
		if (i < 0 || !find_begin(t, i, &b))
			continue;
		if (best < 0 || b.at < begin.at || (b.at <= begin.at && i < best)) {
			best = i;
			begin = b;
		}
	}
	if (best < 0)
		return;
	struct hostlog_op *op = &t->log->ops[best];
	struct log_queue *q = &t->queues[op->stream];
	int engine = engine_of(op);
	op->begin = begin.at;
	op->why = begin.why;
	op->after = begin.after;
	op->end = begin.at + hostlog_ms(op);
	q->first = t->next[best];
	q->last = q->first < 0 ? -1 : q->last;
	q->done = best;
	q->end = op->end;
	if (engine < ENGINES) {
		t->engine_end[engine] = op->end;
		t->engine_last[engine] = best;
	}
	if (op->kind == HOSTLOG_LAUNCH) {
		/* by their ends; those go that have ended when it begins, as nothing begins before it any more */
		const struct hostlog_op *ops = t->log->ops;
		int n = 0;
		for (int k = 0; k < t->n_running; k++)
			if (ops[t->running[k]].end > ops[best].begin)
				t->running[n++] = t->running[k];
		for (t->n_running = n + 1; n > 0 && ops[t->running[n - 1]].end > ops[best].end; n--)
			t->running[n] = t->running[n - 1];
		t->running[n] = best;
	}
}

static bool is_any_left(const struct log_times *t, int stream)
{
	for (int s = 0; s < t->log->n_streams; s++)
		if ((stream < 0 || s == stream) && t->queues[s].first >= 0)
			return true;
	return false;
}

static double call_ms(const struct hostlog_op *op)
{
	return hostlog_cost_ms(op->graph >= 0       ? HOSTLOG_COST_GRAPH_NODE
			: op->kind == HOSTLOG_GRAPH ? HOSTLOG_COST_GRAPH_CALL
						    : HOSTLOG_COST_CALL,
		0);
}

void hostlog_schedule(struct hostlog *log)
{
	struct log_times t = {.log = log,
		.next = base_calloc((size_t)log->n_ops + 1, sizeof *t.next),
		.running = base_calloc((size_t)log->n_ops + 1, sizeof *t.running),
		.queues = base_calloc((size_t)log->n_streams + 1, sizeof *t.queues),
		.engine_last = {-1, -1}};
	for (int s = 0; s < log->n_streams; s++)
		t.queues[s] = (struct log_queue){-1, -1, -1, 0};
	for (int i = 0; i < log->n_ops; i++) {
		struct hostlog_op *op = &log->ops[i];
		op->asked = t.host;
		t.host += call_ms(op);
		op->begin = is_of_stream(op) ? t.host : op->asked;
		op->end = -1;
		op->why = HOSTLOG_BY_CALL;
		op->after = t.next[i] = -1;
		if (is_of_stream(op)) {
			struct log_queue *q = &t.queues[op->stream];
			if (q->last >= 0)
				t.next[q->last] = i;
			q->first = q->first < 0 ? i : q->first;
			q->last = i;
		}
		if (op->blocks) {
			/* the host waits for what a call waits for: an operation, a stream, or all */
			bool one = is_of_stream(op) && op->kind != HOSTLOG_FREE, syncs = op->kind == HOSTLOG_SYNC;
			int target = one ? i : syncs ? op->of : -1, stream = syncs ? op->stream : -1;
			while (target >= 0 && is_of_stream(&log->ops[target]) && log->ops[target].end < 0)
				schedule_next(&t);
			while (target < 0 && is_any_left(&t, stream))
				schedule_next(&t);
			for (int s = 0; s < log->n_streams && target < 0; s++)
				if ((stream < 0 || s == stream) && t.queues[s].end > t.host)
					t.host = t.queues[s].end;
			if (target >= 0 && log->ops[target].end > t.host)
				t.host = log->ops[target].end;
		}
		op->returned = t.host;
		if (!is_of_stream(op))
			op->end = t.host;
		if (op->graph >= 0)
			log->ops[op->graph].returned = log->ops[op->graph].end = t.host;
	}
	while (is_any_left(&t, -1))
		schedule_next(&t);
	free(t.next);
	free(t.running);
	free(t.queues);
}

/* --- what was read ------------------------------------------------------------------------------------------------ */

bool hostlog_is_sound(const struct hostlog *log)
{
	if (log->n_ops < 0 || log->n_ops > HOSTLOG_OPS_MAX || log->n_streams < 0 ||
		log->n_streams > HOSTLOG_STREAMS_MAX)
		return false;
	for (int s = 0; s < log->n_streams; s++)
		if ((unsigned)log->streams[s].kind >= HOSTLOG_STREAM_KINDS || log->streams[s].number < 0)
			return false;
	for (int i = 0; i < log->n_ops; i++) {
		const struct hostlog_op *op = &log->ops[i];
		bool needs = op->kind == HOSTLOG_COPY || op->kind == HOSTLOG_FILL || op->kind == HOSTLOG_LAUNCH ||
			op->kind == HOSTLOG_RECORD || op->kind == HOSTLOG_AWAIT || op->kind == HOSTLOG_CALLBACK;
		bool kinds = (unsigned)op->kind < HOSTLOG_KINDS && (unsigned)op->memory < HOSTLOG_MEMORIES &&
			(unsigned)op->direction < HOSTLOG_DIRECTIONS;
		bool places = op->stream >= -1 && op->stream < log->n_streams && op->of >= -1 && op->of < i &&
			op->to >= -1 && op->to < i && op->from >= -1 && op->from < i && op->graph >= -1 &&
			op->graph < i;
		bool numbers = op->ms >= 0 && op->ms < 1e9 && op->share >= 0 && op->share <= 1 && op->line >= 0;
		if (!kinds || !places || !numbers || (needs && op->stream < 0) ||
			(op->graph >= 0 && log->ops[op->graph].kind != HOSTLOG_GRAPH))
			return false;
	}
	return true;
}

bool hostlog_is_same(const struct hostlog *a, const struct hostlog *b)
{
	bool same = a->n_ops == b->n_ops && a->n_streams == b->n_streams && a->left_out == b->left_out;
	for (int i = 0; same && i < a->n_ops; i++) {
		const struct hostlog_op *x = &a->ops[i], *y = &b->ops[i];
		same = x->kind == y->kind && x->stream == y->stream && x->line == y->line && x->bytes == y->bytes &&
			x->memory == y->memory && x->direction == y->direction && x->of == y->of &&
			x->graph == y->graph && x->blocks == y->blocks && strcmp(x->name, y->name) == 0;
	}
	return same;
}

/* --- sums --------------------------------------------------------------------------------------------------------- */

static bool moves_or_computes(const struct hostlog_op *op)
{
	return op->kind == HOSTLOG_COPY || op->kind == HOSTLOG_LAUNCH;
}

struct hostlog_sums hostlog_sum(const struct hostlog *log)
{
	struct hostlog_sums sums = {0};
	bool works[HOSTLOG_STREAMS_MAX] = {false};
	for (int i = 0; i < log->n_ops; i++) {
		const struct hostlog_op *op = &log->ops[i];
		double ms = op->end - op->begin;
		sums.copies += op->kind == HOSTLOG_COPY;
		sums.kernels += op->kind == HOSTLOG_LAUNCH;
		sums.graphs += op->kind == HOSTLOG_GRAPH;
		sums.launches += op->kind == HOSTLOG_GRAPH || (op->kind == HOSTLOG_LAUNCH && op->graph < 0);
		sums.waits += op->blocks;
		sums.event_waits += op->kind == HOSTLOG_AWAIT && op->graph < 0 && op->of >= 0 &&
			log->ops[op->of].stream != op->stream;
		sums.ms = op->end > sums.ms ? op->end : sums.ms;
		if (op->kind == HOSTLOG_GRAPH || hostlog_is_work(op))
			sums.call_ms += call_ms(op);
		if (moves_or_computes(op)) {
			sums.busy_ms += ms;
			sums.copy_ms += op->kind == HOSTLOG_COPY ? ms : 0;
			sums.kernel_ms += op->kind == HOSTLOG_LAUNCH ? ms : 0;
			sums.copy_bytes += op->kind == HOSTLOG_COPY ? (double)op->bytes : 0;
			works[op->stream] = true;

			bool overlaps = false;
			for (int k = 0; k < log->n_ops && !overlaps; k++) {
				const struct hostlog_op *other = &log->ops[k];
				overlaps = moves_or_computes(other) && other->stream != op->stream &&
					other->begin < op->end - 1e-9 && other->end > op->begin + 1e-9;
			}
			sums.overlapping += overlaps;
		}
	}
	for (int s = 0; s < log->n_streams; s++)
		sums.streams += works[s];
	return sums;
}
