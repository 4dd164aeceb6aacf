#include "config.h"
#include "cmd/run.h"

#include <string.h>

#include "cmd/picture.h"

#define DEFECTS_DEFAULT 32

static int run_run(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

const struct cmd_entry cmd_run_entry = {
	.name = "run",
	.usage =
		"FILE.ptx|FILE.cu [--kernel NAME] --grid X[,Y[,Z]] --block X[,Y[,Z]] [--shared BYTES] [--arg ARG]... [--define NAME[=VALUE]]... "
		"[--print N]... [--warp B:W] [--line N] [--view NAME]... [--check LIST] [--stop-after N] [--steps N] [--cores N] [--cc CC] [--registers N] [--live] "
		"[--format text|json]",
	.summary = "run any kernel and report what each line does",
	.details =
		"Runs the kernel on the SIMT machine and shows for each source line, or each line of PTX that was made without "
		"-lineinfo: warp instructions executed, active lanes, memory requests, sectors and wavefronts of a request, bank "
		"conflicts, conditional branches and those at which a warp diverged; then the kernel's metrics and its theoretical occupancy. The registers that "
		"the latter depends on are those of --registers, or of the GPU that ran it, or of ptxas where it is here or PTXAS "
		"names it; else the report says from how many on they would matter. A file ending in "
		".cu is compiled by nvcc or clang, whichever is there or NVCC or CLANG names, for --cc or the newest before it that the "
		"compiler knows; clang without NVIDIA's headers, so that it knows "
		"CUDA's indices, barriers, fences, shuffles, votes, 32-bit atomics and plain arithmetic, not cuda_fp16.h or expf; PTX "
		"made elsewhere may need more. With --live or --gpu it is compiled for that GPU by NVRTC where the worker has it, "
		"which takes the headers beside the file along and knows device code alone; where it cannot, nvcc or clang here "
		"does it. - reads PTX from standard input. "
		"Defects are shown with their lines, block, warp, lanes and address, each pair of lines once: accesses out of "
		"bounds or misaligned, data races (with both sides), reads of memory that nobody wrote, barriers and masks; "
		"the kernel goes on after them if it can. "
		"With --live, `live` beside a column is what the GPU counted of the line, with = or ≠; how many instructions a line "
		"has is the compiler's affair, so those are not compared. What the kernel prints comes first, in the order in which the machine came "
		"to it: at most 1 MiB.\n"
		"ARG is a value, u32:7, f32:1.5 or b64:0x10, or a buffer: u32[]:1,2,3 with these values, f32[1024] of zeros, "
		"u32[1024]:iota for 0, 1, 2 and so on, f32[1024]:random@7 with a seed, u32[1024]:uninit that nobody has written, "
		"b8[]:@FILE with a file's bytes.",
	.options = run_options,
	.run = run_run,
};

bool run_ended(const struct run *run)
{
	return run->profile->result.ended;
}

/* The line whose requests took most passes and sectors. */
static int busiest_line(const struct profile *p)
{
	uint64_t most = 0;
	int line = 0;
	for (int i = 0; i < p->n_lines; i++) {
		uint64_t cost = p->lines[i].wavefronts + p->lines[i].sectors;
		if (cost > most) {
			most = cost;
			line = p->lines[i].line;
		}
	}
	return line;
}

static bool execute(struct run *run)
{
	struct cmd_ctx *ctx = run->ctx;
	run->profile = profile_run(ctx->arena, run->module, &run->launch, run->watch, run->cc, &ctx->diag);
	if (!run->profile || !run->picture || run->watch.line)
		return run->profile != NULL;
	/* a second, equal run keeps the accesses of the line that the first one found */
	run->watch.line = busiest_line(run->profile);
	if (run->watch.line)
		run->profile = profile_run(ctx->arena, run->module, &run->launch, run->watch, run->cc, &ctx->diag);
	return run->profile != NULL;
}

static int outcome_status(const struct run *run)
{
	switch (run->profile->result.outcome) {
	case SIMT_OK: return EXIT_OK;
	case SIMT_ERROR: return EXIT_USAGE;
	case SIMT_DEFECT:
	case SIMT_LIMIT: break;
	}
	return EXIT_FAILED;
}

static int report(struct run *run, int status)
{
	struct buf out = {0};
	if (run->format == PICTURE_JSON)
		run_write_json(run, &out);
	else
		run_write_text(run, &out);
	if (!cmd_print(run->ctx, &out))
		status = EXIT_FAILED;
	buf_free(&out);
	return status;
}

static int run_all(struct run *run)
{
	int status = run_load(run), changed = -1; /* that is told where it is found */
	if (status != EXIT_OK)
		return status;
	if (!execute(run))
		return EXIT_USAGE;
	run_find_source(run, run->profile->file);
	status = outcome_status(run);
	if (status != EXIT_OK)
		run_report_defects(run);
	else if (run->live)
		status = run_measure(run);
	if (run->profile->result.outcome != SIMT_ERROR)
		run_occupy(run);
	if (run->views)
		run_time(run);
	if (run->views && run->live && status == EXIT_OK)
		status = run_time_live(run, run->watch.line, &changed);
	if (run->measured.n_differences)
		status = EXIT_FAILED;
	return report(run, status);
}

static int run_run(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct run run = {.ctx = ctx, .entry = &cmd_run_entry, .cc = MODEL_CC_DEFAULT, .format = PICTURE_DEFAULT};
	run.live = ctx->gpu && strcmp(ctx->gpu, "none") != 0;
	run.watch.steps = SIMT_STEPS_DEFAULT;
	run.watch.checks = SIMT_CHECK_ALL;
	run.watch.defects = DEFECTS_DEFAULT;
	if (!run_read(&run, args, n))
		return run.missing ? EXIT_MISSING : EXIT_USAGE;
	int status = run_all(&run);
	run_free(&run);
	return status;
}
