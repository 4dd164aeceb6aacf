/* cmd/probe.h: one `simttutor probe`: its request and its results. Inside cmd/ only. */
#pragma once
#include "cmd/cmd.h"
#include "cmd/run.h"
#include "model/probe/probe.h"

#define PROBE_LINES_MAX 64

struct probing {
	struct run run; /* file, launch, and the kernel as it is */
	struct probe_request request;
	int lines[PROBE_LINES_MAX];
	bool some_blocks;     /* request.first_block and n_blocks were given */
	struct output output; /* path NULL: none */
	/* results */
	struct probe *probe;
	struct buf ptx;       /* with probes */
	struct launch launch; /* with the buffer */
	struct launch_arg args[LAUNCH_ARGS_MAX + 1];
	struct probe_log machine, gpu;
	const char *gpu_name; /* NULL: not on a GPU */
	uint32_t sms;         /* of the GPU */
	int changed;          /* the first argument whose buffer differs from the run without probes, -1: none */
	bool compared;        /* with the machine's records */
	size_t differs;       /* PROBE_ACCESSES on a GPU: how many of its records differ from the machine's */
};

/* For callers that have set the program (run.module to run.launch) and the request: runs it on the machine and on
 * `gpu`, with and without probes, and compares. An exit status; the results are in `changed` and `differs`. */
int probing_compare(struct probing *p, struct gpu *gpu);
