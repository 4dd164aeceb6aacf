#include "gpu/client/private.h"

#include <string.h>

static size_t in_base64(size_t bytes)
{
	return (bytes + 2) / 3 * 4;
}

struct request *gpu_request_new(const struct wire_message *message)
{
	struct arena *arena = arena_new();
	struct request *r = arena_alloc(arena, sizeof *r);
	*r = (struct request){.arena = arena,
		.id = message->id,
		.answer = wire_answer(message->kind),
		.reply_max = REQUEST_LONG_REPLY};
	wire_write(message, &r->line);
	if (message->kind == WIRE_MEASURE) {
		r->reply_max = REQUEST_SHORT_REPLY;
		r->n_args = message->measure.job.launch.n_args;
		r->n_metrics = message->measure.n_metrics;
		r->metrics = arena_array(r->arena, const char *, (size_t)r->n_metrics + 1);
		for (int i = 0; i < r->n_metrics; i++)
			r->metrics[i] = arena_strdup(r->arena, message->measure.metrics[i]);
		if (message->measure.return_buffers) {
			const struct launch *buffers_launch = &message->measure.job.launch;
			r->n_buffers = buffers_launch->n_args;
			r->buffer_bytes = arena_array(r->arena, size_t, (size_t)r->n_buffers + 1);
			for (int i = 0; i < r->n_buffers; i++) {
				r->buffer_bytes[i] = buffers_launch->args[i].buffer
					? launch_arg_bytes(&buffers_launch->args[i])
					: 0;
				r->reply_max += in_base64(r->buffer_bytes[i]);
			}
			r->n_memory = buffers_launch->n_memory;
			r->memory_bytes = arena_array(r->arena, size_t, (size_t)r->n_memory + 1);
			for (int i = 0; i < r->n_memory; i++) {
				r->memory_bytes[i] = buffers_launch->memory[i].bytes;
				r->reply_max += in_base64(r->memory_bytes[i]) + 4;
			}
			if (r->reply_max > WIRE_LINE_MAX)
				r->reply_max = WIRE_LINE_MAX;
		}
	}
	if (message->kind == WIRE_STAMP) {
		/* Only the probes' buffer comes back. */
		const struct launch *launch = &message->stamp.job.launch;
		r->n_args = launch->n_args;
		r->stamp_bytes = launch->n_args ? launch_arg_bytes(&launch->args[launch->n_args - 1]) : 0;
	}
	return r;
}

void gpu_request_free(struct request *r)
{
	if (!r)
		return;
	buf_free(&r->line);
	arena_free(r->arena);
}

static bool fits_buffers(const size_t *asked, int n_asked, const size_t *got, int n)
{
	for (int i = 0; i < n && n == n_asked; i++)
		if (got[i] != asked[i])
			return false;
	return n == n_asked;
}

bool gpu_request_fits(const struct request *r, const struct wire_message *answer, const char **why)
{
	switch (r->answer) {
	case WIRE_RESULT_MEASURE: {
		const struct wire_measurement *m = &answer->measurement;
		*why = "the answer is about other metrics than were asked for";
		if (m->n != r->n_metrics)
			return false;
		for (int i = 0; i < m->n; i++)
			if (strcmp(m->metrics[i], r->metrics[i]) != 0)
				return false;
		*why = "the answer holds other buffers than were asked for";
		return fits_buffers(r->buffer_bytes, r->n_buffers, m->buffer_bytes, m->n_buffers) &&
			fits_buffers(r->memory_bytes, r->n_memory, m->memory_bytes, m->n_memory);
	}
	case WIRE_RESULT_STAMP:
		*why = "the answer holds another buffer than was asked for";
		return answer->stamped.bytes == r->stamp_bytes && answer->stamped.differs < r->n_args - 1;
	default: return true;
	}
}
