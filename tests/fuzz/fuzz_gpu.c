/* Fuzz target of the front end's side of the protocol: the bytes are all that a worker writes, from its hello on.
 * Whatever it is, reading it ends, no request gets two answers, and what was answered is what was asked for.
 *
 * Three requests wait: a measurement of one metric with a buffer, a compilation, stamps. Their ids are 1, 2 and 3, that
 * of the probe is 4. */
#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gpu/client/private.h"

#define REQUESTS 3

static void ask(struct gpu *gpu)
{
	static const char *const metrics[] = {"smsp__inst_executed.sum"};
	static const char *const defines[] = {"N=4"};
	struct launch_arg args[2] = {{.type = LAUNCH_U32, .buffer = true, .count = 4, .text = "u32[4]"},
		{.type = LAUNCH_B8, .buffer = true, .count = 16, .text = "b8[16]"}};
	struct wire_job job = {.ptx = "// ptx",
		.ptx_len = 6,
		.launch = {.kernel = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .args = args, .n_args = 2}};
	gpu_measure(gpu, &(struct wire_measure){job, metrics, 1, true});
	gpu_request(gpu,
		&(struct wire_message){.kind = WIRE_COMPILE,
			.compile = {.file = "k.cu", .source = "x", .defines = defines, .n_defines = 1}});
	gpu_request(gpu, &(struct wire_message){.kind = WIRE_STAMP, .stamp = {job, "// plain", 8}});
}

/* A gpu whose worker was started and has written all this; it is never reaped, since it never ran. */
static struct gpu *started(const uint8_t *data, size_t size)
{
	struct diag diag = {0};
	struct gpu *gpu = gpu_new("command:fuzz", "fuzz", &diag);
	int fd = memfd_create("worker", 0);
	if (!gpu || fd < 0 || write(fd, data, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET) != 0)
		abort();
	gpu->phase = HELLO;
	gpu->deadline = 1e18;
	ask(gpu);
	gpu->process.out = fd;
	return gpu;
}

static void check_measurement(const struct wire_measurement *m)
{
	if (m->n != 1 || strcmp(m->metrics[0], "smsp__inst_executed.sum") != 0 || m->n_buffers != 2 ||
		m->buffer_bytes[0] != 16 || m->buffer_bytes[1] != 16)
		abort();
}

static void check_event(const struct gpu *gpu, const struct gpu_event *event, int *answers)
{
	if (event->kind == GPU_EVENT_ERROR && (!event->error || !event->error->message))
		abort();
	if (event->kind == GPU_EVENT_MEASURED)
		check_measurement(event->measurement);
	if (event->kind == GPU_EVENT_ANSWERED && event->answer->kind == WIRE_RESULT_STAMP &&
		(event->answer->stamped.bytes != 16 || event->answer->stamped.differs >= 1))
		abort();
	if (event->kind == GPU_EVENT_PROBED && !gpu_info(gpu))
		abort();
	if (event->kind == GPU_EVENT_PROGRESS || event->id == 0)
		return;
	if (event->id < 1 || event->id > REQUESTS || answers[event->id]++)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gpu *gpu = started(data, size);
	int answers[REQUESTS + 1] = {0};
	/* As gpu_step, but for starting another worker. */
	while (gpu->phase != STOPPED && !gpu->ending) {
		gpu_talk_read(gpu);
		if (gpu->phase == IDLE)
			gpu_talk_send_next(gpu);
		for (;;) {
			struct gpu_event event = gpu_events_take(&gpu->events);
			if (event.kind == GPU_EVENT_NONE)
				break;
			check_event(gpu, &event, answers);
		}
	}
	gpu_free(gpu);
	return 0;
}

#include "replay.h"
