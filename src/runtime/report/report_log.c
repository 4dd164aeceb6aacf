#include "runtime/report/report.h"

#include <stdlib.h>

#include "base/arena.h"
#include "runtime/driver/driver.h"
#include "runtime/report/report_order.h"
#include "runtime/report/report_parts.h"
#include "runtime/stream/queue.h"

/* What is needed besides until it is written. */
struct logged {
	struct hostlog_op op;
	const struct report_site *site;
	const struct cuda_kernel *kernel;
	uint64_t number; /* of the operation; 0: it is none */
};

static struct {
	struct logged *of;
	int n, cap;
	struct hostlog_stream streams[HOSTLOG_STREAMS_MAX];
	int n_streams, numbers[HOSTLOG_STREAM_KINDS];
	int graph; /* index of the launch that is under way, from 1 */
	bool full;
	uint64_t left_out;
} the_log;

/* --- streams ------------------------------------------------------------------------------------------------------ */

void report_log_stream(struct cuda_stream *s)
{
	if (!report_is_on() || s->logged || the_log.n_streams == HOSTLOG_STREAMS_MAX)
		return;
	enum hostlog_stream_kind kind = s->mark == LANE_MARK ? HOSTLOG_OF_GRAPH
		: s->is_legacy                               ? HOSTLOG_DEFAULT
		: s->of_thread                               ? HOSTLOG_OF_THREAD
							     : HOSTLOG_CREATED;
	the_log.streams[the_log.n_streams++] = (struct hostlog_stream){
		kind, ++the_log.numbers[kind], s->is_legacy || s->blocking};
	s->logged = the_log.n_streams;
}

void report_put_stream(const struct cuda_stream *s, struct buf *out)
{
	const struct hostlog_stream *logged = s->logged ? &the_log.streams[s->logged - 1] : NULL;
	if (s->is_legacy)
		buf_puts(out, "the default stream");
	else if (s->of_thread)
		buf_puts(out, "a thread's default stream");
	else if (logged && logged->kind == HOSTLOG_OF_GRAPH)
		buf_puts(out, "a branch of a graph");
	else if (logged)
		buf_printf(out, "stream %d", logged->number);
	else
		buf_puts(out, "a stream");
}

/* --- operations --------------------------------------------------------------------------------------------------- */

static const struct hostlog_op nothing =
	{.stream = -1, .call = "", .name = "", .of = -1, .to = -1, .from = -1, .graph = -1};

/* NULL: there is no room. */
static struct logged *log_add(enum hostlog_kind kind, const struct report_site *site)
{
	if (!report_is_on())
		return NULL;
	the_log.full = the_log.full || the_log.n == HOSTLOG_OPS_MAX;
	the_log.left_out += the_log.full;
	if (the_log.full)
		return NULL;
	struct logged *l = vec_push(the_log.of, the_log.n, the_log.cap);
	*l = (struct logged){.op = nothing, .site = site};
	l->op.kind = kind;
	if (report_call() && report_call()->call)
		l->op.call = runtime_call_name(report_call()->call);
	l->op.graph = the_log.graph - 1;
	return l;
}

/* The last entry for what a stream was asked for by this number, or before. */
static int log_find(const struct cuda_stream *stream, uint64_t number)
{
	for (int i = the_log.n; i-- > 0;)
		if (the_log.of[i].number && the_log.of[i].number <= number &&
			the_log.of[i].op.stream == stream->logged - 1)
			return i;
	return -1;
}

static int allocation_at(struct runtime *r, uint64_t address)
{
	const struct cuda_allocation *a = address ? runtime_allocation(r, address, 1) : NULL;
	return a ? a->logged - 1 : -1;
}

static enum hostlog_memory memory_of(enum memory_kind kind)
{
	switch (kind) {
	case MEMORY_PINNED:
	case MEMORY_REGISTERED: return HOSTLOG_PINNED;
	case MEMORY_MANAGED: return HOSTLOG_MANAGED;
	default: return HOSTLOG_DEVICE;
	}
}

static void describe_copy(struct runtime *r, const struct cuda_work *w, struct hostlog_op *op)
{
	static const enum hostlog_direction directions[2][2] = {
		{HOSTLOG_ON_HOST, HOSTLOG_IN}, {HOSTLOG_OUT, HOSTLOG_WITHIN}};
	bool from = w->copy.from.where == COPY_DEVICE, to = w->copy.to.where == COPY_DEVICE;
	const struct copy_end *host = from ? &w->copy.to : &w->copy.from;
	const struct cuda_allocation *a = host->address ? runtime_allocation(r, host->address, 1) : NULL;
	op->direction = directions[from][to];
	op->memory = host->where == COPY_HOST ? HOSTLOG_PAGEABLE : a ? memory_of(a->kind) : HOSTLOG_NO_MEMORY;
	op->bytes = (uint64_t)w->copy.width * w->copy.height * w->copy.depth;
	op->to = allocation_at(r, w->copy.to.address);
	op->from = allocation_at(r, w->copy.from.address);
}

void report_log_submitted(struct runtime *r, struct cuda_operation *o)
{
	static const enum hostlog_kind kinds[] = {[WORK_LAUNCH] = HOSTLOG_LAUNCH,
		[WORK_COPY] = HOSTLOG_COPY,
		[WORK_FILL] = HOSTLOG_FILL,
		[WORK_HOST] = HOSTLOG_CALLBACK,
		[WORK_RECORD] = HOSTLOG_RECORD,
		[WORK_AWAIT] = HOSTLOG_AWAIT,
		[WORK_FREE] = HOSTLOG_FREE};
	if (!report_is_on() || o->work.kind == WORK_NOTHING || o->work.kind >= WORK_BRANCH)
		return;
	report_log_stream(o->stream);
	struct logged *l = o->stream->logged ? log_add(kinds[o->work.kind], o->work.site) : NULL;
	if (!l)
		return;

	const struct cuda_work *w = &o->work;
	if (w->kind == WORK_LAUNCH)
		l->kernel = w->launch.kernel;
	else if (w->kind == WORK_COPY)
		describe_copy(r, w, &l->op);
	else if (w->kind == WORK_FILL) {
		l->op.bytes = (uint64_t)w->fill.width * w->fill.height;
		l->op.to = allocation_at(r, w->fill.address);
	} else if (w->kind == WORK_FREE)
		l->op.of = allocation_at(r, w->free.address);
	else if (w->kind == WORK_AWAIT)
		l->op.of = log_find(w->event.stream, w->event.serial);
	l->op.blocks = w->blocks;
	l->op.stream = o->stream->logged - 1;
	l->number = o->number;

	o->logged = the_log.n;
}

void report_log_ended(const struct cuda_operation *o)
{
	if (!o->logged || o->work.kind != WORK_LAUNCH)
		return;
	double ms = o->duration - hostlog_cost_ms(HOSTLOG_COST_KERNEL_BEGIN, 0);
	the_log.of[o->logged - 1].op.ms = ms > 0 ? ms : 0;
	the_log.of[o->logged - 1].op.share = o->share;
}

void report_log_waited(const struct cuda_stream *stream, uint64_t number)
{
	struct logged *l = log_add(HOSTLOG_SYNC, report_here());
	if (!l)
		return;
	l->op.blocks = true;
	l->op.stream = stream && !number ? stream->logged - 1 : -1;
	l->op.of = stream && number ? log_find(stream, number) : -1;
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

void report_log_made(struct cuda_allocation *a)
{
	if (a->kind == MEMORY_VARIABLE || a->of_module)
		return;
	struct logged *l = log_add(HOSTLOG_ALLOC, a->site);
	if (!l)
		return;
	l->op.bytes = a->bytes;
	l->op.memory = memory_of(a->kind);
	a->logged = the_log.n;
}

void report_log_freed(const struct cuda_allocation *a)
{
	struct logged *l = a->logged && !a->freed ? log_add(HOSTLOG_FREE, report_here()) : NULL;
	if (l)
		l->op.of = a->logged - 1;
}

/* --- graphs ------------------------------------------------------------------------------------------------------- */

void report_log_graph_begin(struct cuda_stream *stream)
{
	report_order_graph_begin();
	report_log_stream(stream);
	struct logged *l = log_add(HOSTLOG_GRAPH, report_here());
	if (!l)
		return;
	l->op.stream = stream->logged - 1;
	the_log.graph = the_log.n;
}

void report_log_graph_end(void)
{
	report_order_graph_end();
	the_log.graph = 0;
}

/* --- the end ------------------------------------------------------------------------------------------------------ */

#define NAME_MAX_BYTES 120
#define FILE_MAX_BYTES 128

/* Where it comes from is looked up once for calls in a row from one place, as of a loop. */
static void find_program_line(struct logged *l, struct arena *arena)
{
	for (int i = 1; i <= 16 && l - the_log.of >= i; i++)
		if (report_site_is(l[-i].site, l->site)) {
			l->op.file = l[-i].op.file;
			l->op.line = l[-i].op.line;
			return;
		}
	char file[FILE_MAX_BYTES];
	if (l->site && report_site_line(l->site, file, sizeof file, &l->op.line))
		l->op.file = arena_strdup(arena, file);
	else
		l->op.line = 0;
}

struct hostlog report_log(void)
{
	struct arena *arena = report_state()->arena;
	struct hostlog out = {.streams = the_log.streams,
		.n_streams = the_log.n_streams,
		.ops = arena_array(arena, struct hostlog_op, (size_t)the_log.n + 1),
		.n_ops = the_log.n,
		.left_out = the_log.left_out};
	for (int i = 0; i < the_log.n; i++) {
		struct logged *l = &the_log.of[i];
		find_program_line(l, arena);
		if (l->kernel) {
			struct buf name = {0};
			runtime_put_name(l->kernel->name, &name);
			l->op.name = arena_strndup(
				arena, buf_str(&name), name.len < NAME_MAX_BYTES ? name.len : NAME_MAX_BYTES);
			buf_free(&name);
		}
		out.ops[i] = l->op;
	}
	hostlog_schedule(&out);
	return out;
}
