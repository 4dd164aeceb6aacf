#include "config.h"
#include "cmd/confined.h"
#include "cmd/run.h"

#include <string.h>

#include "cmd/picture.h"

#define DEFECTS_DEFAULT 32

static int run_run(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

static void needs_of_run(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	cmd_needs_launch(needs, args, n);
	needs->tools = true; /* ptxas says how many registers there are */
}

const struct cmd_entry cmd_run_entry = {
	.name = "run",
	.usage =
		"FILE.ptx|FILE.cu [--kernel NAME] --grid X[,Y[,Z]] --block X[,Y[,Z]] [--cluster X[,Y[,Z]]] [--shared BYTES] [--cooperative] [--arg ARG]... [--source DIR]... [--define NAME[=VALUE]]... "
		"[--print N]... [--warp B:W] [--line N] [--inlined HOW] [--view NAME]... [--check LIST] [--orders N] [--strict] [--stop-after N] [--steps N] [--cores N] [--cc CC] [--registers N] [--raw] [--live] "
		"[--format text|json]",
	.summary = "run any kernel and report what each line does",
	.details =
		"Runs the kernel on the SIMT machine and shows for each source line (of the PTX, when it was made "
		"without -lineinfo): warp instructions executed, active lanes, memory requests, sectors and "
		"wavefronts per request, bank conflicts, conditional branches and those at which a warp diverged; "
		"then the kernel's metrics and its theoretical occupancy. The registers for the occupancy are those "
		"of --registers, or of the GPU that ran the kernel, or of ptxas, from PATH or named by PTXAS; without "
		"any, the report says from how many registers on they would matter. A file ending in .cu is compiled "
		"by nvcc or clang, whichever is installed or named by NVCC or CLANG, for --cc or the newest compute "
		"capability before it that the compiler knows. clang is used without NVIDIA's headers: it knows "
		"CUDA's indices, barriers, fences, shuffles, votes, 32-bit atomics and plain arithmetic, but not "
		"cuda_fp16.h or expf; PTX compiled elsewhere may use more. With --live or --gpu the file is compiled "
		"for that GPU by NVRTC where the worker has it, together with the headers beside the file, and device "
		"code only; where it cannot be, nvcc or clang on this machine is used. - reads PTX from standard "
		"input. Defects are reported with their lines, block, warp, lanes and address, each pair of lines "
		"once: accesses out of bounds or misaligned, data races (with both sides), uninitialized reads, "
		"barriers and masks; the kernel goes on after them where it can. "
		"Blocks that wait for one another make progress as on a GPU, as many as are resident on the one of --cc with "
		"most SMs; when a limit stops a kernel that never ends, the report says which blocks and warps waited at which "
		"lines, and which blocks never began. With --live, `live` beside a column "
		"is what the GPU counted for the line, with = or ≠; instructions per line are up to the compiler, so "
		"they are not compared. What the kernel prints comes first, in the order in which the machine "
		"executed it: at most 1 MiB; on a terminal, what could control it is shown as \\x1b, unless --raw is "
		"given. In JSON, a byte that is not UTF-8 is the character U+10FF00 + byte.\n"
		"ARG is a value, u32:7, f32:1.5 or b64:0x10, or a buffer: u32[]:1,2,3 with these values, f32[1024] of "
		"zeros, u32[1024]:iota for 0, 1, 2 and so on, f32[1024]:random@7 with a seed, u32[1024]:uninit for an "
		"uninitialized one, u32[64]:uninit@32..63 or u32[64]:iota,uninit@7 for one of which these elements are "
		"uninitialized, b8[]:@FILE with the bytes of a file. A texture is texture:{f32[64x48]:iota, filter linear, "
		"address wrap, normalized}: its texels, of one to three sizes and 1, 2 or 4 channels (u8x4[16x16]), filled "
		"as a buffer is; then filter nearest or linear, address clamp, border, wrap or mirror (one for all "
		"dimensions, or one for each), normalized coordinates, floats for integers that are read as floats, "
		"layers N, cube. A surface is surface:{u32[64x48], layers 2}. texture@NAME:{...} and surface@NAME:{...} are "
		"what a .texref or .surfref of the PTX stands for. The machine alone has them, no GPU yet; their "
		"requests are not modeled, and a linear filter is an estimate.",
	.options = run_options,
	.run = run_run,
	.needs = needs_of_run,
};

bool run_ended(const struct run *run)
{
	return run->profile->result.ended;
}

/* The line whose requests took most wavefronts and sectors. */
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

static bool run_kernel(struct run *run)
{
	struct cmd_ctx *ctx = run->ctx;
	run->watch.cc = run->cc;
	run->watch.inlined = true;
	run->profile = profile_run(ctx->arena, run->module, &run->launch, run->watch, &ctx->diag);
	if (!run->profile || !run->picture || run->watch.line)
		return run->profile != NULL;
	/* a second, equal run keeps the accesses of the line that the first one found */
	run->watch.line = busiest_line(run->profile);
	if (run->watch.line)
		run->profile = profile_run(ctx->arena, run->module, &run->launch, run->watch, &ctx->diag);
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

static int write_report(struct run *run, int status)
{
	struct buf out = {0};
	bool json = run->format == PICTURE_JSON;
	(json ? run_write_json : run_write_text)(run, &out);
	bool printed = (json || run_print_output(run)) && cmd_print_colored(run->ctx, &out);
	buf_free(&out);
	return printed ? status : EXIT_FAILED;
}

static int run_all(struct run *run)
{
	int status = run_load(run), changed = -1; /* reported where it is found */
	if (status != EXIT_OK)
		return status;
	run_find_registers(run);
	if (!run_kernel(run))
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
	return write_report(run, status);
}

static int run_run(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct run run = {.ctx = ctx, .entry = &cmd_run_entry, .cc = MODEL_CC_DEFAULT, .format = PICTURE_DEFAULT};
	run.live = ctx->gpu && strcmp(ctx->gpu, "none") != 0;
	run.watch.steps = SIMT_STEPS_DEFAULT;
	run.watch.quiet_ms = SIMT_QUIET_MS;
	run.watch.checks = SIMT_CHECK_ALL;
	run.watch.defects = DEFECTS_DEFAULT;
	run.watch.orders = PROFILE_ORDERS_DEFAULT;
	if (!run_read(&run, args, n))
		return run.missing ? EXIT_MISSING : EXIT_USAGE;
	int status = run_all(&run);
	run_free(&run);
	return status;
}
