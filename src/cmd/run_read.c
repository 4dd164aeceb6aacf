#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "base/file.h"
#include "base/text.h"
#include "cmd/picture.h"
#include "cmd/run.h"
#include "model/profile/device.h"
#include "tools/compile/compile.h"

/* --- source lines ------------------------------------------------------------------------------------------------- */

#define SOURCE_MAX ((size_t)16 << 20)

/* Why a source is not found, unless there is none of its name. */
struct source_search {
	bool refused;  /* it is elsewhere, or no regular file */
	char why[128]; /* it cannot be read: the machine's trouble, not the name's */
};

static bool is_trouble(int error)
{
	return error == EIO || error == EMFILE || error == ENFILE || error == ENOMEM;
}

/* A file below the folder; the PTX, whoever made it, names nothing else. */
static bool read_source_below(struct run *run, const char *folder, const char *name, struct source_search *search)
{
	struct arena *arena = run->ctx->arena;
	struct buf text = {0};
	struct diag quiet = {0};
	int fd = file_open_below(folder, name);
	search->refused |= fd < 0 && (errno == EXDEV || errno == EINVAL);
	if (fd < 0 && is_trouble(errno))
		snprintf(search->why, sizeof search->why, "cannot open: %s", strerror(errno));
	bool ok = fd >= 0 && file_read_open_text(fd, name, SOURCE_MAX, &text, &quiet);
	if (ok) {
		run->source = (struct source){.file = run->source_name,
			.text = arena_strndup(arena, buf_str(&text), text.len),
			.len = text.len};
		run->source_path = *name == '/' ? name : path_join(arena, folder, name);
		source_open(arena, &run->source, &quiet); /* a file that is not UTF-8 is shown anyway */
	}
	if (fd >= 0 && !ok)
		snprintf(search->why, sizeof search->why, "%s", quiet.entries[0].message);
	buf_free(&text);
	diag_free(&quiet);
	return ok;
}

void run_find_source(struct run *run, const char *name)
{
	struct diag quiet = {0};
	struct source_search search = {0};
	if (!name) {
		run->source_name = run->ptx_name;
		run->source = (struct source){.file = run->ptx_name, .text = buf_str(&run->ptx), .len = run->ptx.len};
		source_open(run->ctx->arena, &run->source, &quiet);
		diag_free(&quiet);
		return;
	}
	run->source_name = name;
	if (run_kept_source(run, name))
		return;

	/* Looks for the name in all folders, then for its last part in those of PTX alone. */
	const char *slash = strrchr(run->file, '/'), *last = strrchr(name, '/');
	const char *folders[RUN_SOURCES_MAX + 2];
	int n = 0;
	folders[n++] = slash ? arena_strndup(run->ctx->arena, run->file, (size_t)(slash - run->file) + 1) : ".";
	for (int i = 0; i < run->n_sources; i++)
		folders[n++] = run->sources[i];
	for (int i = 0; i < n; i++)
		if (read_source_below(run, folders[i], name, &search))
			return;
	if (read_source_below(run, ".", name, &search))
		return;
	for (int i = 0; last && i < n; i++)
		if (read_source_below(run, folders[i], last + 1, &search))
			return;

	if ((!search.refused && !*search.why) || run->source_refused)
		return;
	run->source_refused = true;
	struct diag_pos pos = {.file = run->ptx_name};
	if (*search.why) {
		diag_note(&run->ctx->diag, pos, "the source that it names, %s, is not shown: %s", name, search.why);
		return;
	}
	diag_note(&run->ctx->diag, pos,
		"the source that it names, %s, is not shown: only regular files below its own folder, the current one, "
		"or one given with --source DIR are",
		name);
}

const char *run_line_text(const struct run *run, int line, size_t *len)
{
	return line >= 1 && line <= run->source.n_lines ? source_line_text(&run->source, line - 1, len) : NULL;
}

/* --- several launches --------------------------------------------------------------------------------------------- */

/* Several launches in one run, and what belongs to each of them. */

/* --- reading ------------------------------------------------------------------------------------------------------ */

static bool read_print_number(const char **at, int *out)
{
	char *end;
	unsigned long n = strtoul(*at, &end, 10);
	bool ok = isdigit((unsigned char)**at) && n < INT32_MAX;
	*out = (int)n;
	*at = end;
	return ok;
}

static bool run_read_print(struct run *run, const char *value)
{
	const char *at = value;
	struct run_print print = {.member = -1};
	bool ok = read_print_number(&at, &print.argument) && print.argument < LAUNCH_ARGS_MAX;
	if (ok && *at == '.') {
		at++;
		ok = read_print_number(&at, &print.member);
	}
	if (!ok || *at)
		return cmd_bad_value(run->ctx, "--print", value, "N or N.M: an argument, and a member of it, from 0");
	if (run->n_prints == RUN_PRINTS_MAX)
		return cmd_bad_value(run->ctx, "--print", value, "at most 256 of them");
	for (int i = 0; i < run->n_prints; i++)
		if (run->prints[i].argument == print.argument && run->prints[i].member == print.member)
			return true;
	run->prints[run->n_prints++] = print;
	return true;
}

static bool run_read_set(struct run *run, const char *value)
{
	if (run->n_steps)
		return cmd_bad_value(run->ctx, "--set", value, "it before the first --then: variables are set once");
	if (!run->sets)
		run->sets = arena_array(run->ctx->arena, struct launch_set, RUN_SETS_MAX);
	if (run->n_sets == RUN_SETS_MAX)
		return cmd_bad_value(run->ctx, "--set", value, "at most 256 of them");
	return launch_set_parse(run->ctx->arena, "--set", value, &run->sets[run->n_sets++], &run->ctx->diag);
}

/* Whether the member is, or points to, a buffer. */
static bool has_buffer(const struct launch_arg *arg, int member)
{
	if (member < 0)
		return arg->buffer || (!arg->is_struct && arg->n_pointers && arg->pointers[0].to == LAUNCH_TO_NAMED);
	for (int i = 0; i < arg->n_pointers; i++) {
		const struct launch_pointer *p = &arg->pointers[i];
		if (p->member == member && p->to != LAUNCH_TO_FUNCTION)
			return true;
		if (p->to == LAUNCH_TO_BUFFER && has_buffer(p->buffer, member))
			return true;
	}
	return false;
}

static bool run_keep_step(struct run *run)
{
	struct arena *arena = run->ctx->arena;
	struct run_step *before = run->n_steps ? run->steps[run->n_steps - 1] : NULL;
	if (run->n_steps == RUN_STEPS_MAX) {
		cmd_usage(run->ctx, run->entry, "at most %d launches", RUN_STEPS_MAX);
		return false;
	}
	if (!run->launch.grid[0] || !run->launch.block[0]) {
		cmd_usage(run->ctx, run->entry, "--then: --grid and --block of the launch before it come first");
		return false;
	}

	for (int i = 0; i < run->n_prints; i++) {
		int argument = run->prints[i].argument, member = run->prints[i].member;
		if (argument >= run->launch.n_args)
			cmd_usage(run->ctx, run->entry, "--print %d: there is no argument %d", argument, argument);
		else if (has_buffer(&run->args[argument], member))
			continue;
		else if (member < 0)
			cmd_usage(run->ctx, run->entry, "--print %d: argument %d is a single value, no buffer",
				argument, argument);
		else
			cmd_usage(run->ctx, run->entry, "--print %d.%d: member %d of argument %d is no buffer",
				argument, member, member, argument);
		return false;
	}

	struct run_step *step = run->steps[run->n_steps++] = arena_array(arena, struct run_step, 1);
	*step = (struct run_step){.kernel = run->kernel,
		.launch = run->launch,
		.n_prints = run->n_prints,
		.shared_given = run->shared_given};
	memcpy(step->prints, run->prints, sizeof step->prints);
	step->launch.args = arena_array(arena, struct launch_arg, (size_t)run->launch.n_args + 1);
	memcpy(step->launch.args, run->args, (size_t)run->launch.n_args * sizeof *run->args);
	step->launch.before = before ? &before->launch : NULL;
	step->launch.sets = before ? NULL : run->sets;
	step->launch.n_sets = before ? 0 : run->n_sets;
	run->launch = (struct launch){.args = run->args};
	run->n_prints = 0;
	run->shared_given = false;
	return true;
}

void run_enter(struct run *run, int index)
{
	const struct run_step *step = run->steps[index];
	run->step = index;
	run->kernel = step->kernel;
	run->launch = step->launch;
	memcpy(run->args, step->launch.args, (size_t)step->launch.n_args * sizeof *run->args);
	memcpy(run->prints, step->prints, sizeof run->prints);
	run->n_prints = step->n_prints;
	run->shared_given = step->shared_given;
}

/* --- reporting ---------------------------------------------------------------------------------------------------- */

const char *run_step_name(const struct run *run)
{
	struct arena *arena = run->ctx->arena;
	struct demangled d;
	if (run->n_steps < 2)
		return "";
	const char *name = demangle(arena, run->launch.kernel, &d) ? d.name : run->launch.kernel;
	return arena_printf(arena, "launch %d, %s: ", run->step + 1, name);
}

const struct profile_buffer *run_printed(const struct run *run, const struct run_print *print)
{
	for (int i = 0; i < run->profile->n_placed; i++) {
		const struct profile_buffer *b = &run->profile->placed[i];
		if (b->argument == print->argument && b->member == print->member)
			return b;
	}
	return NULL;
}

/* --- a command line that would run -------------------------------------------------------------------------------- */

/* In quotes where a shell would take it for something else. */
static void write_word(const char *word, struct buf *out)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
	if (*word && strspn(word, plain) == strlen(word)) {
		buf_puts(out, word);
		return;
	}
	buf_putc(out, '\'');
	for (const char *c = word; *c; c++)
		*c == '\'' ? buf_puts(out, "'\\''") : buf_putc(out, *c);
	buf_putc(out, '\'');
}

static void write_dims(const char *option, const uint32_t dims[3], struct buf *out)
{
	int n = dims[2] > 1 ? 3 : dims[1] > 1 ? 2 : 1;
	buf_printf(out, " %s %u", option, dims[0]);
	for (int i = 1; i < n; i++)
		buf_printf(out, ",%u", dims[i]);
}

void run_suggest(struct run *run)
{
	struct diag quiet = {0};
	const struct ptx_kernel *kernel = run->launch.kernel ? ptx_find_kernel(run->module, run->launch.kernel, &quiet)
							     : NULL;
	diag_free(&quiet);
	if (!kernel || profile_arguments_fit(kernel, &run->launch, NULL))
		return;
	struct buf line = {0};
	if (run->n_steps < 2) {
		buf_printf(&line, "simttutor %s ", run->entry->name);
		write_word(run->file, &line);
	}
	if (run->kernel) {
		buf_puts(&line, run->n_steps < 2 ? " --kernel " : run->step ? "--then " : "--kernel ");
		write_word(run->kernel, &line);
	}
	write_dims("--grid", run->launch.grid, &line);
	write_dims("--block", run->launch.block, &line);
	if (run->launch.shared)
		buf_printf(&line, " --shared %u", run->launch.shared);

	/* Those that fit are kept. */
	for (int i = 0; i < ptx_param_count(kernel); i++) {
		const struct launch_arg *arg = i < run->launch.n_args ? &run->launch.args[i] : NULL;
		struct buf example = {0};
		if (arg && profile_argument_fits(kernel, arg, i))
			buf_puts(&example, arg->text);
		else
			profile_param_example(kernel, &run->launch, i, &example);
		buf_puts(&line, " --arg ");
		write_word(buf_str(&example), &line);
		buf_free(&example);
	}

	diag_note(&run->ctx->diag, (struct diag_pos){0}, "%swhat would run: %s", run_step_name(run), buf_str(&line));
	buf_free(&line);
}

/* --- PTX ---------------------------------------------------------------------------------------------------------- */

#define PTX_MAX ((size_t)64 << 20)

static bool ends_in(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);
	return n > m && strcmp(text + n - m, end) == 0;
}

int run_load_ptx(struct run *run)
{
	if (ends_in(run->file, ".cu")) {
		struct compile_request request = {.path = run->file,
			.cc = run->cc_given ? run->cc : 0,
			.defines = run->defines,
			.n_defines = run->n_defines,
			.folders = run->sources,
			.n_folders = run->n_sources,
			.debug_info = run->debug_info,
			.gpu = run->live ? run_gpu(run) : NULL};
		return run->live && !request.gpu ? EXIT_USAGE
						 : compile_cuda(cmd_compile_ctx(run->ctx), &request, &run->ptx);
	}
	return file_read_text(run->file, PTX_MAX, &run->ptx, &run->ctx->diag) ? EXIT_OK : EXIT_MISSING;
}

int run_load(struct run *run)
{
	struct cmd_ctx *ctx = run->ctx;
	bool cuda = ends_in(run->file, ".cu");
	bool kept = run->launch.kept || run->plain_of;
	int status = kept ? EXIT_OK : run_load_ptx(run);
	if (status != EXIT_OK)
		return status;
	if (!kept)
		run->ptx_name = cuda                  ? arena_printf(ctx->arena, "%s (PTX)", run->file)
			: strcmp(run->file, "-") == 0 ? "standard input"
						      : run->file;
	run->module = ptx_parse(ctx->arena, run->ptx_name, buf_str(&run->ptx), run->ptx.len, &ctx->diag);
	if (!run->module)
		return EXIT_FAILED;
	return run_find_kernels(run);
}

int run_find_kernels(struct run *run)
{
	int status = EXIT_OK;
	for (int i = 0; i < run->n_steps && status == EXIT_OK; i++) {
		/* The full name of the launch's kernel. Its arguments may name functions. */
		struct run_step *step = run->steps[i];
		struct diag *diag = &run->ctx->diag;
		step->launch.kernel = ptx_resolve_kernel(run->module, step->kernel, diag);
		if (!step->launch.kernel || !profile_take_functions(run->module, &step->launch, diag)) {
			status = EXIT_USAGE;
		} else if (!ptx_find_kernel(run->module, step->launch.kernel, diag)) {
			status = EXIT_FAILED;
		} else {
			bool asks = ptx_dynamic_shared(run->module, step->launch.kernel) && !step->shared_given;
			if (asks)
				diag_warn(diag, (struct diag_pos){.file = run->ptx_name},
					"%s uses dynamic shared memory, extern __shared__, and has none: --shared BYTES gives it some",
					step->launch.kernel);
		}
	}
	if (run->n_steps)
		run->launch.kernel = run->steps[run->step]->launch.kernel;
	return status;
}

/* --- options ------------------------------------------------------------------------------------------------------ */

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
	{"on-error", 0, "WHAT",
		N_("where an access is out of bounds or misaligned: stop, the default, ends the launch with the instruction, as a GPU and "
		   "its memory checker do; continue goes on without what the lanes would have done")},
	{"strict", 0, NULL,
		N_("by the letter of the memory model: threads that store the same value race, too, where it is a constant, a "
		   "parameter or an index, and so does a plain load of what a compare-and-swap expects")},
	{"stop-after", 0, "N", N_("stop after N different defects; 32 by default")},
	{"steps", 0, "N",
		N_("stop after N warp instructions, however long they take; by default after 200000000, or when no block has ended, nor found anything new where it waits, within 3 s "
		   "of a core's time")},
	{"timeout", 0, "TIME",
		N_("end it after this time by the clock, as in 30, 1.5m or 2h, with the report of all that was until then; the exit status is 124")},
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

bool run_read_on_error(struct cmd_ctx *ctx, const char *value, bool *goes_on)
{
	*goes_on = strcmp(value, "continue") == 0;
	return *goes_on || strcmp(value, "stop") == 0 || cmd_bad_value(ctx, "--on-error", value, "stop or continue");
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
	if (cmd_is(arg, "print")) {
		ok = run_read_print(run, arg->value);
	} else if (cmd_is(arg, "warp")) {
		char *colon, *end = NULL;
		errno = 0;
		unsigned long long block = strtoull(arg->value, &colon, 10),
				   warp = *colon == ':' ? strtoull(colon + 1, &end, 10) : 0;
		bool digits = strspn(arg->value, "0123456789:") == strlen(arg->value);
		run->picture = true;
		run->watch.block = (uint32_t)block;
		run->watch.warp = (uint32_t)warp;
		ok = (digits && colon > arg->value && end && end > colon + 1 && !*end && !errno &&
			     block <= UINT32_MAX && warp < BLOCK_WARPS_MAX) ||
			cmd_bad_value(
				run->ctx, "--warp", arg->value, "BLOCK:WARP, as in 0:1; a block has at most 32 warps");
	} else if (cmd_is(arg, "line") && (ok = cmd_whole(run->ctx, arg, 1, INT32_MAX, &number))) {
		run->picture = (run->watch.line = (int)number) > 0;
	} else if (cmd_is(arg, "inlined")) {
		ok = read_inlined(run, arg->value);
	} else if (cmd_is(arg, "view")) {
		ok = run_read_view(run, arg->value);
	} else if (cmd_is(arg, "check")) {
		ok = simt_checks_read(arg->value, &run->watch.checks) ||
			cmd_bad_value(run->ctx, "--check", arg->value, RUN_CHECKS);
	} else if (cmd_is(arg, "stop-after") && (ok = cmd_whole(run->ctx, arg, 1, DEFECTS_MAX, &number))) {
		run->watch.defects = (uint32_t)number;
	} else if (cmd_is(arg, "strict")) {
		run->watch.strict = true;
	} else if (cmd_is(arg, "on-error")) {
		bool goes_on;
		ok = run_read_on_error(run->ctx, arg->value, &goes_on);
		run->watch.ends_at_fault = !goes_on;
	} else if (cmd_is(arg, "orders") && (ok = cmd_whole(run->ctx, arg, 1, ORDERS_MAX, &number))) {
		run->watch.orders = (uint32_t)number;
	} else if (cmd_is(arg, "cores") && (ok = cmd_whole(run->ctx, arg, 1, CORES_MAX, &number))) {
		run->watch.cores = (unsigned)number;
	} else if (cmd_is(arg, "timeout")) {
		run->timeout_ms = environment_duration(arg->value) * 1000;
		ok = run->timeout_ms > 0 || cmd_bad_value(run->ctx, "--timeout", arg->value, RUN_TIMES);
	} else if (cmd_is(arg, "steps")) {
		/* Who counts steps waits for them. */
		run->watch.quiet_ms = 0;
		ok = cmd_whole(run->ctx, arg, 1, STEPS_MAX, &run->watch.steps);
	} else if (cmd_is(arg, "cc")) {
		ok = run->cc_given = cmd_cc(run->ctx, arg->value, &run->cc);
	} else if (cmd_is(arg, "registers") && (ok = cmd_whole(run->ctx, arg, 1, UINT16_MAX, &number))) {
		run->registers = (uint32_t)number;
	} else if (cmd_is(arg, "raw")) {
		run->raw = true;
	} else if (cmd_is(arg, "live")) {
		run->live = true;
	} else if (cmd_is(arg, "format")) {
		ok = (strcmp(arg->value, "text") == 0 || strcmp(arg->value, "json") == 0 ||
			     cmd_bad_value(run->ctx, "--format", arg->value, "text or json")) &&
			picture_format(run->ctx, arg->value, &run->format);
	}
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

bool run_check(struct run *run)
{
	if (!run->file) {
		cmd_usage(run->ctx, run->entry, "which file? PTX, CUDA source, or a launch that was kept");
		return false;
	}
	if (run_is_kept(run) && !run_open_kept(run))
		return false;
	const char *missing = !run->launch.grid[0] ? "--grid is missing"
		: !run->launch.block[0]            ? "--block is missing"
						   : NULL;
	if (missing && strcmp(run->file, "-") != 0 && !strstr(run->file, ".ptx") && !file_exists(run->file)) {
		cmd_usage(run->ctx, run->entry, "%s: there is no such file", run->file);
		return false;
	}
	if (missing && run->n_steps)
		cmd_usage(run->ctx, run->entry, "launch %d, %s: %s", run->n_steps + 1, run->kernel ? run->kernel : "",
			missing);
	else if (missing)
		cmd_usage(run->ctx, run->entry, "%s", missing);
	if (missing)
		return false;

	if (run->picture &&
		(run->watch.block >= warp_dim_volume(run->launch.grid) ||
			run->watch.warp >= warp_count(warp_dim_volume(run->launch.block)))) {
		cmd_usage(
			run->ctx, run->entry, "--warp %u:%u is not in this launch", run->watch.block, run->watch.warp);
		return false;
	}

	if (!run_keep_step(run))
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
