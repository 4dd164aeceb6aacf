#include "config.h"
#include "gpu/client/private.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/portable.h"

#define ENDING_MS 200 /* how long a worker that closed its output may take to end and say how */

/* --- requests ----------------------------------------------------------------------------------------------------- */

struct request *gpu_pop_request(struct gpu *gpu)
{
	struct request *r = gpu->queue;
	if (r)
		gpu->queue = r->next;
	return r;
}

/* --- the worker's life -------------------------------------------------------------------------------------------- */

void gpu_take(struct gpu *gpu, int at)
{
	gpu->at = at;
	gpu->spec = gpu->list.specs[at];
	if (!gpu->start_is_set)
		gpu->start_ms = gpu->spec.start_ms;
	if (!gpu->rest_is_set)
		gpu->rest_ms = gpu->spec.rest_ms;
}

void gpu_stop(struct gpu *gpu)
{
	/* ssh and srun end what they started far away when they are asked to, but not when they are killed */
	process_stop(&gpu->process, gpu->spec.far ? SIGTERM : SIGKILL, &gpu->dying);
	gpu->dies = true; /* until a step finds it gone */
	gpu->phase = STOPPED;
	gpu->ending = false;
	gpu->scanned = gpu->sent = 0;
	buf_clear(&gpu->in);
	buf_clear(&gpu->out);
}

void gpu_set_error(struct gpu *gpu, enum wire_error_code code, const char *message)
{
	free((char *)gpu->error.message);
	gpu->error = (struct wire_error){code, message ? base_strdup(message) : NULL};
}

/* Goes on to the next of several. False: none is left, and `message` has become what all of them said. */
static bool try_next(struct gpu *gpu, struct buf *message)
{
	if (gpu->list.n == 1)
		return false;
	buf_printf(&gpu->refusals, "%s%s: %s", gpu->tried ? "; " : "", gpu_spec(gpu), buf_str(message));
	gpu_take(gpu, (gpu->at + 1) % gpu->list.n);
	if (++gpu->tried < gpu->list.n)
		return gpu->next = true;
	buf_clear(message);
	buf_printf(message, "none of %d GPUs can be used: %s", gpu->list.n, buf_str(&gpu->refusals));
	gpu_forget_refusals(gpu);
	return false;
}

void gpu_forget_refusals(struct gpu *gpu)
{
	gpu->tried = 0;
	buf_clear(&gpu->refusals);
}

void gpu_fail(struct gpu *gpu, enum wire_error_code code, const char *format, ...)
{
	bool starting = gpu->phase == HELLO || gpu->phase == PROBE || gpu->phase == STOPPED;
	/* Whether another attempt may succeed: a worker that was there may come back, and a connection that broke while
	 * the worker looked for its GPU may hold the next time. */
	bool broke = code == WIRE_WORKER_DIED || code == WIRE_TIMEOUT;
	bool retry = gpu->spec.far &&
		(gpu->known ? code != WIRE_WRONG_VERSION && code != WIRE_GARBAGE : gpu->phase == PROBE && broke);
	struct buf message = {0};
	va_list args;
	va_start(args, format);
	buf_vprintf(&message, format, args);
	va_end(args);
	gpu_stop(gpu);
	if (starting && try_next(gpu, &message)) {
		buf_free(&message);
		return;
	}
	if (starting) {
		const char *start_message = buf_str(&message);
		gpu->resting = false;
		gpu_set_error(gpu, code, start_message);
		arena_free(gpu->info_arena);
		gpu->info_arena = NULL;
		gpu_report_error(gpu, 0, code, start_message);
		while (gpu->queue) {
			gpu_report_error(gpu, gpu->queue->id, code, start_message);
			gpu_request_free(gpu_pop_request(gpu));
		}
	} else {
		gpu_report_error(gpu, gpu->in_flight ? gpu->in_flight->id : 0, code, buf_str(&message));
	}
	if (retry) { /* the next attempt */
		double next = gpu->retry.delay * 2;
		gpu->retry.delay = next < gpu->retry.first ? gpu->retry.first
			: next > RETRY_MOST_MS             ? RETRY_MOST_MS
							   : next;
		gpu->retry.at = clock_ms() + gpu->retry.delay;
	}
	gpu_request_free(gpu->in_flight);
	gpu->in_flight = NULL;
	buf_free(&message);
}

/* Of a worker that ended before it said hello: by its exit status, and by how C libraries say that a program cannot be
 * loaded. */
static enum wire_error_code why_no_start(const struct gpu *gpu)
{
	static const char *const loader[] = {
		"error while loading shared libraries", "Error loading shared library", /* glibc, musl */
		"' not found (required by ",                                            /* glibc: a symbol's version */
	};
	const char *said = buf_str(&gpu->process.errors);
	for (size_t i = 0; i < sizeof loader / sizeof loader[0]; i++)
		if (strstr(said, loader[i]))
			return WIRE_MISSING_LIBRARY;
	if (!gpu->process.ended || !WIFEXITED(gpu->process.status))
		return WIRE_WORKER_DIED;
	/* a shell's way to say that there is no such program, or none that it can start */
	int status = WEXITSTATUS(gpu->process.status);
	if (status != 126 && status != 127)
		return WIRE_WORKER_DIED;
	return gpu->spec.far ? WIRE_NOT_INSTALLED : WIRE_NO_WORKER;
}

/* Waits a little for the exit status of a worker whose output is closed. */
void gpu_end_step(struct gpu *gpu)
{
	bool closed = gpu->process.out < 0;
	if ((process_ended(&gpu->process) && closed) || clock_ms() >= gpu->ending_until) {
		struct buf how = {0};
		process_read_errors(&gpu->process);
		process_describe(&gpu->process, &how);
		gpu_fail(gpu, gpu->phase == HELLO ? why_no_start(gpu) : WIRE_WORKER_DIED, "the worker %s",
			buf_str(&how));
		buf_free(&how);
	}
}

void gpu_set_ending(struct gpu *gpu)
{
	if (gpu->ending)
		return;
	gpu->ending = true;
	gpu->ending_until = clock_ms() + ENDING_MS;
}

void gpu_start(struct gpu *gpu)
{
	if (gpu->phase != STOPPED || !gpu->spec.argv[0])
		return;
	struct buf why = {0};
	gpu_set_error(gpu, WIRE_INTERNAL, NULL);
	gpu->retry.at = 0; /* the attempt that was planned; `delay` stays */
	gpu->next = false;
	gpu->banner = 0;
	buf_clear(&gpu->said);
	gpu->sent_at = clock_ms();
	gpu->deadline = gpu->sent_at + gpu->start_ms;
	if (process_start(&gpu->process, gpu->spec.argv, &why))
		gpu->phase = HELLO;
	else
		gpu_fail(gpu, WIRE_NO_WORKER, "%s", buf_str(&why));
	buf_free(&why);
}

void gpu_restart(struct gpu *gpu)
{
	if (gpu->phase == IDLE)
		gpu_stop(gpu);
	if (gpu->phase == STOPPED)
		gpu->resting = false;
	gpu_start(gpu);
}
