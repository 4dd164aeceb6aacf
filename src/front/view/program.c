#include "front/view/program.h"

#include <string.h>

#include "front/view/times.h"

const char *view_program_lacks(const struct view_input *input)
{
	if (!input->program->log)
		return input->program->why ? input->program->why : "There is no program here.";
	return input->program->log->n_ops ? NULL : "The program asked CUDA for nothing.";
}

int view_program_moments(const struct view_input *input)
{
	return input->program->log->n_ops;
}

int view_program_reached(const struct view_input *input)
{
	int n = input->program->log->n_ops;
	return input->moment > 0 && input->moment < n ? input->moment : n;
}

int view_program_at(const struct view_input *input)
{
	return input->moment > 0 ? view_program_reached(input) - 1 : -1;
}

void view_program_stream(const struct hostlog *log, int stream, struct buf *out)
{
	const struct hostlog_stream *s = &log->streams[stream];
	buf_puts(out, hostlog_stream_names[s->kind]);
	if (s->kind != HOSTLOG_DEFAULT || s->number > 1)
		buf_printf(out, " %d", s->number);
}

void view_program_bytes(uint64_t bytes, struct buf *out)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
	int u = 0;
	double v = (double)bytes;
	for (; v >= 1024 && u < 3; u++)
		v /= 1024;
	value_format(v, out);
	buf_printf(out, " %s", units[u]);
}

const char *view_program_bar(const struct hostlog_op *op)
{
	if (op->kind == HOSTLOG_LAUNCH)
		return op->name;
	if (op->kind == HOSTLOG_COPY && op->direction == HOSTLOG_IN)
		return "in";
	if (op->kind == HOSTLOG_COPY && op->direction == HOSTLOG_OUT)
		return "out";
	return op->kind == HOSTLOG_COPY ? "copy" : op->kind == HOSTLOG_FILL ? "fill" : "host";
}

enum role view_program_role(const struct hostlog_op *op)
{
	if (op->kind == HOSTLOG_LAUNCH)
		return ROLE_WAVE4;
	if (op->kind == HOSTLOG_COPY && op->direction == HOSTLOG_IN)
		return ROLE_WAVE1;
	return op->kind == HOSTLOG_COPY && op->direction == HOSTLOG_OUT ? ROLE_WAVE2 : ROLE_WAVE3;
}

static void put_bytes_of(const struct hostlog_op *op, struct buf *out)
{
	buf_puts(out, ", ");
	view_program_bytes(op->bytes, out);
	if (op->memory != HOSTLOG_NO_MEMORY && op->kind == HOSTLOG_COPY)
		buf_printf(out, ", %s", hostlog_memory_names[op->memory]);
}

void view_program_operation(const struct hostlog *log, const struct hostlog_op *op, struct buf *out)
{
	switch (op->kind) {
	case HOSTLOG_LAUNCH: buf_printf(out, "kernel %s", op->name); break;
	case HOSTLOG_COPY:
		buf_printf(out, "copy %s", hostlog_direction_names[op->direction]);
		put_bytes_of(op, out);
		break;
	case HOSTLOG_ALLOC:
		buf_printf(out, "%s memory", hostlog_memory_names[op->memory]);
		put_bytes_of(op, out);
		break;
	case HOSTLOG_FILL:
		buf_puts(out, "fill");
		put_bytes_of(op, out);
		break;
	case HOSTLOG_SYNC:
		buf_puts(out, "the host waits for ");
		if (op->of >= 0)
			buf_puts(out, "an event");
		else if (op->stream >= 0)
			view_program_stream(log, op->stream, out);
		else
			buf_puts(out, "all streams");
		break;
	default: buf_puts(out, hostlog_kind_words[op->kind]);
	}
	if (op->stream >= 0 && op->kind != HOSTLOG_SYNC) {
		buf_puts(out, ", ");
		view_program_stream(log, op->stream, out);
	}
}

#define TOLD_MOST 60

void view_program_describe(const struct view_input *input, struct buf *out)
{
	const struct hostlog *log = input->program->log;
	static const char *const whys[HOSTLOG_WHYS] = {[HOSTLOG_BY_CALL] = "",
		[HOSTLOG_BY_STREAM] = "after what is before it in its stream",
		[HOSTLOG_BY_EVENT] = "after an event of another stream",
		[HOSTLOG_BY_DEFAULT] = "after the default stream, or what that waits for",
		[HOSTLOG_BY_ENGINE] = "when the engine is free that another stream uses"};
	struct hostlog_sums s = hostlog_sum(log);
	buf_printf(out, "%d of %d copies and kernels overlap with those of another stream.\n", s.overlapping,
		s.copies + s.kernels);
	for (int i = 0; i < log->n_ops && i < TOLD_MOST; i++) {
		const struct hostlog_op *op = &log->ops[i];
		if (op->line)
			buf_printf(out, "Line %d: ", op->line);
		view_program_operation(log, op, out);
		if (op->stream >= 0 && *whys[op->why])
			buf_printf(out, "; it begins %s", whys[op->why]);
		if (op->blocks)
			buf_puts(out, "; the host waits for its end");
		buf_puts(out, ".\n");
	}
	if (log->n_ops > TOLD_MOST || log->left_out)
		buf_printf(out, "And %llu more.\n",
			(unsigned long long)(log->left_out +
				(uint64_t)(log->n_ops > TOLD_MOST ? log->n_ops - TOLD_MOST : 0)));
}
