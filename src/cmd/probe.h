/* cmd/probe.h: one `simttutor probe`: what was asked and what came of it. Inside cmd/ only. */
#pragma once
#include "cmd/run.h"
#include "probe/probe.h"

#define PROBE_LINES_MAX 64

struct probing {
	struct run run; /* file, launch, and the kernel as it is */
	struct probe_request request;
	int lines[PROBE_LINES_MAX];
	bool some_blocks; /* request.first_block and n_blocks were given */
	const char *output;
	/* what came of it */
	struct probe *probe;
	struct buf ptx;       /* with probes */
	struct launch launch; /* with the buffer */
	struct launch_arg args[LAUNCH_ARGS_MAX + 1];
	struct probe_log machine, gpu;
	const char *gpu_name; /* NULL: not on a GPU */
	uint32_t sms;         /* of the GPU */
	int changed;          /* the first argument whose buffer is not what it is without probes, -1: none */
	bool compared;        /* with the machine's records */
	size_t differs;       /* PROBE_ACCESSES on a GPU: how many of its records are not the machine's */
};

/* What is shown: the GPU's when there is one. */
const struct probe_log *probing_log(const struct probing *p);

void probing_write_text(const struct probing *p, struct buf *out);
void probing_write_json(const struct probing *p, struct buf *out);

/* For who has the program, run.module to run.launch, and the request: runs it on the machine and on `gpu`, with probes and
 * without, and compares. An exit status; `changed` and `differs` say what came of it. */
int probing_compare(struct probing *p, struct gpu *gpu);

/* With run.views: asks the GPU for the timelines, and prints them. An exit status. After run_load. */
int probing_show_times(struct probing *p);
