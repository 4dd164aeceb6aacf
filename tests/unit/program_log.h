/* Programs for tests of views: parts of an array that are copied in, worked on and copied out, in one stream or
 * several. */
#pragma once
#include <string.h>

#include "front/view/program.h"
#include "front/view/view.h"

#define LOG_OPS 64

static const char *const log_lines[] = {
	"__global__ void work(float *a, int n)",
	"{",
	"\tint i = threadIdx.x + blockIdx.x * blockDim.x;",
	"\tif (i < n)",
	"\t\ta[i] = 2 * a[i] + 1;",
	"}",
	"",
	"int main()",
	"{",
	"\tcudaMallocHost(&host, 4 * bytes);",
	"\tcudaMalloc(&device, 4 * bytes);",
	"\tfor (int i = 0; i < 4; i++) {",
	"\t\tcudaMemcpyAsync(device + i * n, host + i * n, bytes, in, s[i % 2]);",
	"\t\twork<<<n / 128, 128, 0, s[i % 2]>>>(device + i * n, n);",
	"\t\tcudaMemcpyAsync(host + i * n, device + i * n, bytes, out, s[i % 2]);",
	"\t}",
	"\tcudaEventRecord(done, s[0]);",
	"\tcudaStreamWaitEvent(s[1], done);",
	"\tcudaDeviceSynchronize();",
	"}",
};

struct log_data {
	struct view_program program;
	struct hostlog log;
	struct hostlog_op ops[LOG_OPS];
	struct hostlog_stream streams[12];
};

static struct hostlog_op *log_add(struct log_data *d, enum hostlog_kind kind, int stream, int line)
{
	struct hostlog_op *op = &d->ops[d->log.n_ops++];
	*op = (struct hostlog_op){.kind = kind,
		.stream = stream,
		.call = "",
		.name = "",
		.file = "parts.cu",
		.line = line,
		.of = -1,
		.to = -1,
		.from = -1,
		.graph = -1};
	return op;
}

static void log_add_copy(struct log_data *d, int stream, enum hostlog_direction direction, bool pageable)
{
	bool in = direction == HOSTLOG_IN;
	struct hostlog_op *op = log_add(d, HOSTLOG_COPY, stream, in ? 13 : 15);
	op->call = "cudaMemcpyAsync";
	op->bytes = 4 << 20;
	op->direction = direction;
	op->memory = pageable ? HOSTLOG_PAGEABLE : HOSTLOG_PINNED;
	op->blocks = pageable;
	op->from = pageable && in ? -1 : !in;
	op->to = pageable && !in ? -1 : in;
}

static void log_add_part(struct log_data *d, int stream, bool pageable)
{
	log_add_copy(d, stream, HOSTLOG_IN, pageable);
	struct hostlog_op *op = log_add(d, HOSTLOG_LAUNCH, stream, 14);
	op->name = "work";
	op->ms = 0.1;
	op->share = 1;
	log_add_copy(d, stream, HOSTLOG_OUT, pageable);
}

/* Stream 0 is the default one. */
static void log_begin(struct log_data *d, int streams)
{
	memset(d, 0, sizeof *d);
	d->log = (struct hostlog){.ops = d->ops, .streams = d->streams, .n_streams = streams + 1};
	d->streams[0] = (struct hostlog_stream){HOSTLOG_DEFAULT, 1, true};
	for (int i = 1; i <= streams; i++)
		d->streams[i] = (struct hostlog_stream){HOSTLOG_CREATED, i, true};
	struct hostlog_op *host = log_add(d, HOSTLOG_ALLOC, -1, 10), *device = log_add(d, HOSTLOG_ALLOC, -1, 11);
	host->call = "cudaMallocHost";
	device->call = "cudaMalloc";
	host->bytes = device->bytes = 16 << 20;
	host->memory = HOSTLOG_PINNED;
	device->memory = HOSTLOG_DEVICE;
}

/* What waits in the second stream for the first. */
static void log_add_event(struct log_data *d)
{
	log_add(d, HOSTLOG_RECORD, 1, 17);
	struct hostlog_op *await = log_add(d, HOSTLOG_AWAIT, 2, 18);
	await->of = d->log.n_ops - 2;
	log_add_part(d, 2, false);
}

/* A graph of two branches. */
static void log_add_graph(struct log_data *d)
{
	log_add(d, HOSTLOG_GRAPH, 1, 17);
	int graph = d->log.n_ops - 1;
	log_add_part(d, 1, false);
	log_add_part(d, 3, false);
	for (int i = graph + 1; i < d->log.n_ops; i++)
		d->ops[i].graph = graph;
	d->streams[3] = (struct hostlog_stream){HOSTLOG_OF_GRAPH, 1, false};
}

/* A case by its name: streams-one, -two, -pageable, -default, -event, -graph, -many, -scale; false for a name of
 * none. */
static bool fill_program(struct view_input *input, struct log_data *d, const char *name)
{
	const char *what = strchr(name, '-');
	int streams = 2;
	if (strncmp(name, "streams-", 8) != 0 && strncmp(name, "host-", 5) != 0 && strncmp(name, "map-", 4) != 0)
		return false;
	bool one = strcmp(what, "-one") == 0, pageable = strcmp(what, "-pageable") == 0,
	     plain = strcmp(what, "-default") == 0, many = strcmp(what, "-many") == 0;
	log_begin(d, many ? 11 : strcmp(what, "-graph") == 0 ? 3 : 2);
	streams = one ? 1 : many ? 11 : 2;
	for (int i = 0; i < (many ? 11 : 4); i++)
		log_add_part(d, plain && i == 2 ? 0 : 1 + i % streams, pageable);
	if (strcmp(what, "-event") == 0)
		log_add_event(d);
	if (strcmp(what, "-graph") == 0)
		log_add_graph(d);
	log_add(d, HOSTLOG_SYNC, -1, 19)->blocks = true;
	hostlog_schedule(&d->log);
	d->program = (struct view_program){.log = &d->log,
		.to_scale = strcmp(what, "-order") != 0,
		.file = "parts.cu",
		.lines = log_lines,
		.n_lines = sizeof log_lines / sizeof *log_lines};
	input->program = &d->program;
	if (strcmp(what, "-moment") == 0)
		input->moment = 7;
	return true;
}
