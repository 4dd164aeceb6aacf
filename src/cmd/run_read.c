#include "config.h"
#include "cmd/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "cmd/picture.h"

#define STEPS_MAX 1000000000000
#define CORES_MAX 64
#define DEFECTS_MAX 1000
#define ORDERS_MAX 1000

const struct cmd_option run_options[] = {
	RUN_LAUNCH_OPTIONS{"print", 'p', "N[.M]",
		N_("print the buffer of argument N, from 0, after the run; N.M: of member M, from 0, of a struct; may be repeated")},
	{"warp", 'w', "B:W", N_("draw accesses of block B's warp W")},
	{"line", 'l', "N",
		N_("the warp's first load, store and atomic of line N; by default of the line with most wavefronts and sectors")},
	{"inlined", 0, "HOW",
		N_("where code counts that was inlined from other files: caller, at the line of the kernel's file that calls it, the default; "
		   "chain, there, each way from the call to the code apart; callee, at the line where it is written")},
	{"view", 0, "NAME",
		N_("draw the model's schedule of the SM that has the block of --warp, the blocks on all SMs, or the masks of that warp; with "
		   "--live the GPU's, as `simttutor probe` does; or where the launch is under the roofs of the GPU; or the machine code that "
		   "ptxas and nvdisasm make of the kernel, with --live what each instruction of it did, on narrow terminals that of --line: schedule, blocks, mask, roofline or sass; of a "
		   "whole program, once it has ended, what it asked for: streams, host or map; may be repeated")},
	RUN_CHECK_OPTION{"orders", 0, "N",
		N_("look for defects in N orders of blocks and warps, where threads may synchronize through memory; at "
		   "most 32 by default: by their numbers, reversed, and random ones. All else that is printed is of the first")},
	{"strict", 0, NULL,
		N_("by the letter of the memory model: threads that store the same value race, too, where it is a constant, a "
		   "parameter or an index, and so does a plain load of what a compare-and-swap expects")},
	{"stop-after", 0, "N", N_("stop after N different defects; 32 by default")},
	{"steps", 0, "N",
		N_("stop after N warp instructions, however long they take; by default after 200000000, or when no block has ended, nor found anything new where it waits, within 3 s "
		   "of a core's time")},
	{"cores", 0, "N", N_("CPU cores that blocks may run on; all by default; results do not depend on it")},
	{"cc", 0, "CC", N_("the rules and limits of this compute capability, as in 9.0, the default")},
	{"registers", 0, "N", N_("registers per thread, for the occupancy")},
	{"raw", 0, NULL, N_("print what the kernel prints byte for byte also on a terminal, which it can control so")},
	{"live", 0, NULL,
		N_("run it on the GPU too; compare buffers and counters. --gpu SPEC means the same. Of a whole program each launch that --launches chooses, "
		   "where its memory is that of its parameters")},
	{"format", 0, "FORMAT", N_("text or json")},
	{"report", 0, "FILE",
		N_("of a whole program: where its report goes when it ends, its launches, its costliest lines and what was wrong; - is standard error, the default, none is none")},
	{"report-json", 0, "FILE", N_("of a whole program: the same as JSON")},
	{"launches", 0, "LIST",
		N_("of a whole program: look at these launches alone, by number, kernel, or line of the program, as in 3-5,kernel=scan,line=41")},
	{"record", 0, "DIR",
		N_("of a whole program: keep these launches as files in DIR, each with its code, its memory before and after, and its line; run, "
		   "debug and others open them anywhere")},
	{"error-exitcode", 0, "N",
		N_("of a whole program: the exit status, 1 to 255, where something was wrong with it")},
	{0},
};

static bool read_warp(struct run *run, const char *value)
{
	char *colon, *end = NULL;
	errno = 0;
	unsigned long long block = strtoull(value, &colon, 10),
			   warp = *colon == ':' ? strtoull(colon + 1, &end, 10) : 0;
	bool digits = strspn(value, "0123456789:") == strlen(value);
	run->picture = true;
	run->watch.block = (uint32_t)block;
	run->watch.warp = (uint32_t)warp;
	return (digits && colon > value && end && end > colon + 1 && !*end && !errno && block <= UINT32_MAX &&
		       warp < BLOCK_WARPS_MAX) ||
		cmd_bad_value(run->ctx, "--warp", value, "BLOCK:WARP, as in 0:1; a block has at most 32 warps");
}

static bool read_inlined(struct run *run, const char *value)
{
	static const char *const names[] = {
		[RUN_INLINED_CALLER] = "caller", [RUN_INLINED_CHAIN] = "chain", [RUN_INLINED_CALLEE] = "callee"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(value, names[i]) == 0) {
			run->inlined = (enum run_inlined)i;
			return true;
		}
	return cmd_bad_value(run->ctx, "--inlined", value, "caller, chain or callee");
}

static bool read_arg(struct run *run, const char *value)
{
	if (run->launch.n_args == LAUNCH_ARGS_MAX)
		return cmd_bad_value(run->ctx, "--arg", value, "at most 64 arguments");
	if (launch_arg_parse(run->ctx->arena, "--arg", value, &run->args[run->launch.n_args++], &run->ctx->diag))
		return true;
	const char *file = strstr(value, ":@");
	run->missing = file && !file_exists(file + 2);
	return false;
}

static bool read_source_folder(struct run *run, const char *value)
{
	if (run->n_sources == RUN_SOURCES_MAX)
		return cmd_bad_value(run->ctx, "--source", value, "at most 16 folders");
	run->sources[run->n_sources++] = value;
	return true;
}

static bool read_define(struct run *run, const char *value)
{
	static const char letters[] = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	size_t n = strspn(value, letters);
	if (n == 0 || strchr("0123456789", *value) || (value[n] && value[n] != '='))
		return cmd_bad_value(run->ctx, "--define", value, "NAME or NAME=VALUE");
	for (const char *c = value; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7F)
			return cmd_bad_value(
				run->ctx, "--define", value, "NAME=VALUE on one line, without control characters");
	if (run->n_defines == WIRE_DEFINES_MAX)
		return cmd_bad_value(run->ctx, "--define", value, "at most 64 macros");
	run->defines[run->n_defines++] = value;
	return true;
}

/* Who counts steps waits for them. */
static bool read_steps(struct run *run, const struct cmd_parsed *arg)
{
	run->watch.quiet_ms = 0;
	return cmd_whole(run->ctx, arg, 1, STEPS_MAX, &run->watch.steps);
}

static bool read_checks(struct run *run, const char *value)
{
	return simt_checks_read(value, &run->watch.checks) || cmd_bad_value(run->ctx, "--check", value, RUN_CHECKS);
}

/* Those that say what is launched, RUN_LAUNCH_OPTIONS. `*is`: it is one of them. */
static bool read_launch_option(struct run *run, const struct cmd_parsed *arg, bool *is)
{
	uint64_t number = 0;
	bool ok = true;
	*is = true;
	if (cmd_is(arg, "kernel"))
		run->kernel = arg->value;
	else if (cmd_is(arg, "grid"))
		ok = launch_dim_parse("--grid", arg->value, run->launch.grid, &run->ctx->diag);
	else if (cmd_is(arg, "block"))
		ok = launch_dim_parse("--block", arg->value, run->launch.block, &run->ctx->diag);
	else if (cmd_is(arg, "cluster"))
		ok = launch_dim_parse("--cluster", arg->value, run->launch.cluster, &run->ctx->diag);
	else if (cmd_is(arg, "shared") && (ok = cmd_whole(run->ctx, arg, 0, UINT32_MAX, &number)))
		run->shared_given = (run->launch.shared = (uint32_t)number, true);
	else if (cmd_is(arg, "cooperative"))
		run->launch.cooperative = true;
	else if (cmd_is(arg, "set"))
		ok = run_read_set(run, arg->value);
	else if (cmd_is(arg, "then") && (ok = run_keep_step(run)))
		run->kernel = arg->value;
	else if (cmd_is(arg, "arg"))
		ok = read_arg(run, arg->value);
	else if (cmd_is(arg, "source"))
		ok = read_source_folder(run, arg->value);
	else if (cmd_is(arg, "define"))
		ok = read_define(run, arg->value);
	else
		*is = false;
	return ok;
}

bool run_read_option(struct run *run, const struct cmd_parsed *arg)
{
	uint64_t number = 0;
	bool is, ok = read_launch_option(run, arg, &is);
	if (is)
		return ok;
	if (cmd_is(arg, "print"))
		ok = run_read_print(run, arg->value);
	else if (cmd_is(arg, "warp"))
		ok = read_warp(run, arg->value);
	else if (cmd_is(arg, "line") && (ok = cmd_whole(run->ctx, arg, 1, INT32_MAX, &number)))
		run->picture = (run->watch.line = (int)number) > 0;
	else if (cmd_is(arg, "inlined"))
		ok = read_inlined(run, arg->value);
	else if (cmd_is(arg, "view"))
		ok = run_read_view(run, arg->value);
	else if (cmd_is(arg, "check"))
		ok = read_checks(run, arg->value);
	else if (cmd_is(arg, "stop-after") && (ok = cmd_whole(run->ctx, arg, 1, DEFECTS_MAX, &number)))
		run->watch.defects = (uint32_t)number;
	else if (cmd_is(arg, "strict"))
		run->watch.strict = true;
	else if (cmd_is(arg, "orders") && (ok = cmd_whole(run->ctx, arg, 1, ORDERS_MAX, &number)))
		run->watch.orders = (uint32_t)number;
	else if (cmd_is(arg, "cores") && (ok = cmd_whole(run->ctx, arg, 1, CORES_MAX, &number)))
		run->watch.cores = (unsigned)number;
	else if (cmd_is(arg, "steps"))
		ok = read_steps(run, arg);
	else if (cmd_is(arg, "cc"))
		ok = run->cc_given = cmd_cc(run->ctx, arg->value, &run->cc);
	else if (cmd_is(arg, "registers") && (ok = cmd_whole(run->ctx, arg, 1, UINT16_MAX, &number)))
		run->registers = (uint32_t)number;
	else if (cmd_is(arg, "raw"))
		run->raw = true;
	else if (cmd_is(arg, "live"))
		run->live = true;
	else if (cmd_is(arg, "format"))
		ok = (strcmp(arg->value, "text") == 0 || strcmp(arg->value, "json") == 0 ||
			     cmd_bad_value(run->ctx, "--format", arg->value, "text or json")) &&
			picture_format(run->ctx, arg->value, &run->format);
	return ok;
}

bool run_read_file(struct run *run, const char *name)
{
	if (run->file)
		cmd_usage(run->ctx, run->entry, "give only one file: '%s' is a second one", name);
	else
		run->file = name;
	return run->file == name;
}

/* The launch that was read last, of the last --then. */
static bool check_launch(struct run *run)
{
	const char *missing = !run->launch.grid[0] ? "--grid is missing"
		: !run->launch.block[0]            ? "--block is missing"
						   : NULL;
	if (missing && run->n_steps)
		cmd_usage(run->ctx, run->entry, "launch %d, %s: %s", run->n_steps + 1, run->kernel ? run->kernel : "",
			missing);
	else if (missing)
		cmd_usage(run->ctx, run->entry, "%s", missing);
	return !missing;
}

static bool check_warp(struct run *run)
{
	if (!run->picture ||
		(run->watch.block < warp_dim_volume(run->launch.grid) &&
			run->watch.warp < warp_count(warp_dim_volume(run->launch.block))))
		return true;
	cmd_usage(run->ctx, run->entry, "--warp %u:%u is not in this launch", run->watch.block, run->watch.warp);
	return false;
}

bool run_check(struct run *run)
{
	if (!run->file) {
		cmd_usage(run->ctx, run->entry, "which file? PTX, CUDA source, or a launch that was kept");
		return false;
	}
	if (run_is_kept(run) && !run_open_kept(run))
		return false;
	if (!check_launch(run) || !check_warp(run) || !run_keep_step(run))
		return false;
	run_enter(run, run->n_steps - 1);
	return true;
}

bool run_read(struct run *run, const struct cmd_parsed *args, int n)
{
	run->launch.args = run->args;
	for (int i = 0; i < n; i++)
		if (args[i].option ? !run_read_option(run, &args[i]) : !run_read_file(run, args[i].value))
			return false;
	return run_check(run);
}
