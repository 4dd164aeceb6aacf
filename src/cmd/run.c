#include "config.h"
#include "cmd/run.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/portable.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cmd/confined.h"
#include "cmd/picture.h"
#include "cmd/program.h"

/* --- progress ----------------------------------------------------------------------------------------------------- */

#define SHOWN_AFTER_MS 1000
#define TICK_MS 200

static struct simt_progress progress;
static _Atomic bool over, timed_out;
static bool shows;     /* standard error is a terminal */
static double ends_at; /* by clock_ms: the limit of time of all launches; 0: there is none */
static pthread_t ticker;
static bool ticks;

/* The first one ends the run in good order, the second at once. */
static void on_interrupt(int number)
{
	(void)number;
	progress.stop = true;
}

static void *tick(void *arg)
{
	uint64_t blocks = *(const uint64_t *)arg;
	double begin = clock_ms();
	bool shown = false;
	while (!over) {
		nanosleep(&(struct timespec){.tv_nsec = TICK_MS * 1000000L}, NULL);
		if (ends_at > 0 && clock_ms() >= ends_at)
			progress.stop = timed_out = true;
		if (over || !shows || clock_ms() - begin < SHOWN_AFTER_MS)
			continue;

		double ms = clock_ms() - begin;
		struct buf text = {0};
		double steps = (double)progress.steps;
		uint64_t ended = progress.blocks;
		buf_printf(&text, "%.1f million warp instructions, %llu of %llu blocks, ", steps / 1e6,
			(unsigned long long)ended, (unsigned long long)blocks);
		if (ended && ended < blocks)
			buf_printf(&text, "about %.0f s left", ms / 1e3 / (double)ended * (double)(blocks - ended) + 1);
		else
			buf_printf(&text, "%.1f million a second", steps / 1e3 / ms);
		buf_puts(&text, "; Ctrl-C stops it");
		cmd_print_progress(buf_str(&text));
		buf_free(&text);

		shown = true;
	}
	if (shown)
		cmd_print_progress("");
	return NULL;
}

/* Around the launch: a run of more than a second shows on standard error, a terminal, what it has done; Ctrl-C ends it
 * with what it has. */
static void run_progress_begin(struct run *run)
{
	static uint64_t blocks;
	struct sigaction act = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
	bool stopped = progress.stop;
	progress.steps = progress.blocks = 0;
	progress.stop = stopped;
	run->watch.progress = &progress;
	blocks = warp_dim_volume(run->launch.grid);
	sigaction(SIGINT, &act, NULL);
	over = false;
	shows = isatty(STDERR_FILENO);
	if (run->timeout_ms > 0 && ends_at <= 0)
		ends_at = clock_ms() + run->timeout_ms;
	ticks = (shows || ends_at > 0) && pthread_create(&ticker, NULL, tick, &blocks) == 0;
}

static void run_progress_end(struct run *run)
{
	over = true;
	if (ticks)
		pthread_join(ticker, NULL);
	ticks = false;
	signal(SIGINT, SIG_DFL);
	run->watch.progress = NULL;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

#define DEFECTS_DEFAULT 32
#define COLS 120

static int run_run(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

static void needs_of_run(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	if (program_is_asked(args, n)) {
		program_needs(needs, args, n);
		return;
	}
	cmd_needs_launch(needs, args, n);
	needs->tools = true; /* ptxas says how many registers there are */
}

const struct cmd_entry cmd_run_entry = {
	.name = "run",
	.usage =
		"FILE.ptx|FILE.cu|FILE.launch [--kernel NAME] --grid X[,Y[,Z]] --block X[,Y[,Z]] [--cluster X[,Y[,Z]]] "
		"[--shared BYTES] [--cooperative] [--arg ARG]... [--set NAME=ARG]... [--then KERNEL ...]... [--source "
		"DIR]... [--define NAME[=VALUE]]... "
		"[--print N[.M]]... [--warp B:W] [--line N] [--inlined HOW] [--view NAME]... [--check LIST] [--orders "
		"N] [--on-error stop|continue] [--strict] [--stop-after N] [--steps N] [--cores N] [--cc CC] [--registers N] [--raw] [--live] "
		"[--format text|json] [--report FILE] [--report-json FILE] [--launches LIST] [--record DIR] [--error-exitcode N]",
	.summary = N_("run any kernel and report what each line does"),
	.details = N_(
		"A .cu without --kernel, --grid, --block and --then is a whole program, with a main(), and so is an executable or a "
		"Python script: "
		"simttutor run homework.cu -- 1024 compiles it as simttutor cc does, in a private folder, and runs it with these "
		"arguments, standard input, the environment and the working folder passed on; its output and its exit status "
		"are its own (128 and a signal's number where that ended it). An executable is one that simttutor cc or nvcc "
		"has made, and keeps its symbols; a script is run by python3, or by what SIMTTUTOR_PYTHON names. Its kernels run on the machine, for --cc and with all checks unless --check chooses; "
		"when it ends, a report on standard error says what its launches cost and what was wrong with its "
		"kernels and its host code; --define and --source are for the compiler. With --live each launch is made on the "
		"GPU, too, and the bytes that it leaves are compared, with counters beside predictions: a launch whose memory has "
		"pointers in it gets that memory where the machine has it, one that cannot be made there is named with the reason. The host code of a program "
		"runs on this machine, so run asks once whether it may, or takes "
		"SIMTTUTOR_PROGRAMS=yes for an answer. It is confined: it reads what is installed, the folder of its source, and what "
		"its arguments and --source name; it reads and writes in the working folder, but not where either is the home "
		"folder or above it; it has no network.\n"
		"With any of these options it is a launch. Runs the kernel on the SIMT machine and shows for each "
		"source line (of the PTX, when it was made "
		"without -lineinfo): warp instructions executed, active lanes, memory requests, sectors and "
		"wavefronts per request, bank conflicts, conditional branches and those at which a warp diverged; "
		"then the kernel's metrics and its theoretical occupancy. The registers for the occupancy are those "
		"of --registers, or of the GPU that ran the kernel, or of ptxas, from PATH or named by PTXAS; without "
		"any, the report says from how many registers on they would matter. Where ptxas was asked, the estimate of time is made "
		"with the machine instructions that it makes of the kernel. A file ending in .cu is compiled "
		"by nvcc or clang, whichever is installed or named by NVCC or CLANG, for --cc or the newest compute "
		"capability before it that the compiler knows. clang is used with headers of simttutor's own: "
		"simttutor-runtime(7) lists what they have. With --live or --gpu the file is compiled "
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
		"uninitialized, u32[1024]:=7 with 7 in every element, b8[]:@FILE with the bytes of a file. A texture "
		"is texture:{f32[64x48]:iota, filter linear, "
		"address wrap, normalized}: its texels, of one to three sizes and 1, 2 or 4 channels (u8x4[16x16]), filled "
		"as a buffer is; then filter nearest or linear, address clamp, border, wrap or mirror (one for all "
		"dimensions, or one for each), normalized coordinates, floats for integers that are read as floats, "
		"layers N, cube. A surface is surface:{u32[64x48], layers 2}. texture@NAME:{...} and surface@NAME:{...} are "
		"what a .texref or .surfref of the PTX stands for. The machine alone has them, no GPU yet; their "
		"requests are not modeled, and a linear filter is an estimate. A tensor map is tensormap:{f32[64x48]:iota, "
		"box 16x8}, a parameter of 128 bytes and the tensor that it describes: sizes and the box from the innermost "
		"dimension, one to five; then strides of the other dimensions in bytes (AxB), step AxB for element strides, "
		"swizzle none, 32, 64 or 128, fill zero or nan. For .im2col it is pixels N, channels N, and "
		"corners, lower AxB and upper AxB, instead of a box. Such a map is the machine's alone.\n"
		"A struct by value is (u32:7; f32[64]:iota; f32:1,2,3): its members in order, where C lays them out; a buffer "
		"among them is the pointer to it, several values are an array, (...) is a struct, and @16 before a member "
		"aligns it to 16 bytes. &(u32:7; f32[64]) is a buffer that holds such a struct. fn:NAME is the address of a "
		"__device__ function. table=u32[1024] gives a buffer the name table, which in a later argument, struct or "
		"launch is its address.\n"
		"--set NAME=ARG says what a __device__ or __constant__ variable holds: coef=f32[]:1,2,3, limit=u32:7, or "
		"table=(u32[64]) for a pointer. With --then KERNEL another launch follows, in the same memory: variables are "
		"as they were left, and buffers with names can be handed on. Each launch is reported by its number; what "
		"--line, --warp and --view show is of the last. After a launch that does not end no other is run. --live "
		"takes one launch, and no addresses in arguments.\n"
		"Of what ptxas 13 compiles the machine does not have:")
#define ABSENT(beginning, why) " " beginning " (" why ");"
#include "machine/ptx/absent.def"
#undef ABSENT
		" and textures that hold depths, which come from graphics alone.",
	.options = run_options,
	.examples = (const struct cmd_example
			[]){{"run homework.cu -- 1024",
				    "simttutor: homework.cu:8: race: thread 128 of block 0 stores to shared memory at 0x200 (line 8), and thread 0 loaded it (line 11)"},
		{"run --timeout 5 spin.cu",
			"simttutor: spin.cu:4: note: block 0, warp 0, looked here again and again, at flag"},
		{"run twice.cu -g 4 -b 128 -a 'u32[512]:iota' -a 'u32[512]' --print 1",
			"0: 0 2 4 6 8 10 12 14 16 18 20"},
		{"run twice.cu -g 4 -b 128 -a 'u32[500]:iota' -a 'u32[512]'",
			"out of bounds: a 4-byte load from global memory at 0x7f00000007d0, 0 bytes past the end of a buffer of 2000 bytes"},
		{"run transpose.cu -k transpose -g 1 -b 32,32 -a 'f32[1024]' -a 'f32[1024]'",
			"shared load bank conflicts         992"},
		{0}},
	.groups = (const struct cmd_group[]){{N_("whole programs, a .cu with main() or an executable"),
						     "report report-json launches record error-exitcode"},
		{N_("one kernel, which --grid and --block launch"), "kernel grid block shared arg then print"},
		{N_("what is looked for"), "check"}, {N_("what is shown of a kernel"), "line warp view live format"},
		{N_("both"), "timeout cc define source"}, {0}},
	.run = run_run,
	.needs = needs_of_run,
};

bool run_ended(const struct run *run)
{
	return run->profile->result.ended;
}

/* Memory that is kept from launch to launch. */
static struct profile_device *open_device(struct run *run)
{
	struct profile_before none = {.keeps = run->n_steps > 1};
	return profile_device_open(run->module, &run->steps[0]->launch, &none, &run->ctx->diag);
}

static bool run_kernel(struct run *run, struct profile_device *device)
{
	struct cmd_ctx *ctx = run->ctx;
	run->watch.cc = run->cc;
	run->watch.inlined = true;
	run_progress_begin(run);
	run->profile = profile_run_on(ctx->arena, device, &run->launch, run->watch, &ctx->diag);
	run_progress_end(run);
	run->memory = device->memory;
	if (!run->profile || !run->picture || run->watch.line || run->profile->result.interrupted)
		return run->profile != NULL;

	/* a second, equal run keeps the accesses of the line that the first one found. The line whose requests took
	 * most wavefronts and sectors. */
	uint64_t most = 0;
	int line = 0;
	for (int i = 0; i < run->profile->n_lines; i++) {
		uint64_t cost = run->profile->lines[i].wavefronts + run->profile->lines[i].sectors;
		if (cost > most) {
			most = cost;
			line = run->profile->lines[i].line;
		}
	}
	run->watch.line = line;

	if (run->watch.line)
		run->profile = profile_run(ctx->arena, run->module, &run->launch, run->watch, &ctx->diag);
	return run->profile != NULL;
}

static int outcome_status(const struct run *run)
{
	if (run->profile->result.interrupted)
		return timed_out ? EXIT_TIMED_OUT : EXIT_INTERRUPTED;
	switch (run->profile->result.outcome) {
	case SIMT_OK: return EXIT_OK;
	case SIMT_ERROR: return EXIT_USAGE;
	case SIMT_DEFECT:
	case SIMT_LIMIT: break;
	}
	return EXIT_FAILED;
}

/* Text as each launch ends; JSON of several as members of one object. */
static bool write_report(struct run *run, struct buf *json)
{
	struct buf out = {0};
	if (run->format == PICTURE_JSON) {
		buf_puts(json, json->len ? ",\n" : "");
		run_write_json(run, json);
		return true;
	}
	run_write_text(run, &out);
	bool printed = run_print_output(run) && cmd_print_colored(run->ctx, &out);
	buf_free(&out);
	return printed;
}

/* The launch that was entered, with all that is known of it. An exit status. */
static int run_one(struct run *run, struct profile_device *device, struct buf *json)
{
	int changed = -1; /* reported where it is found */
	run_find_registers(run);
	if (!run_kernel(run, device)) {
		run->worst = SIMT_ERROR;
		run_suggest(run);
		return EXIT_USAGE;
	}
	run_compare_kept(run, device->memory);
	if (run->worst == SIMT_OK)
		run->worst = run->profile->result.outcome;
	run_find_source(run, run->profile->file);
	int status = outcome_status(run);
	if (status != EXIT_OK)
		run_report_defects(run);
	else if (run->live)
		status = run_measure(run);
	if (run->profile->result.outcome != SIMT_ERROR)
		run_occupy(run);
	if (run->views)
		run_time(run);
	run_estimate(run);
	if (run->views && run->live && status == EXIT_OK)
		status = run_time_live(run, run->watch.line, &changed);
	if (run->shows_code)
		run_make_code(run);
	if (run_differs(run))
		status = EXIT_FAILED;
	return write_report(run, json) ? status : EXIT_FAILED;
}

/* Pictures and times are of the last launch. */
static int run_step(struct run *run, int step, struct profile_device *device, struct buf *json)
{
	bool last = step == run->n_steps - 1, picture = run->picture, shows_code = run->shows_code;
	uint32_t views = run->views;
	run_enter(run, step);
	run->picture = last && picture;
	run->views = last ? views : 0;
	run->shows_code = last && shows_code;
	run->launch.kernel = run->steps[step]->launch.kernel;
	if (step > 0 && run->format != PICTURE_JSON &&
		!cmd_print(run->ctx, &(struct buf){.data = (char *)"\n", .len = 1}))
		return EXIT_FAILED;
	int status = run_one(run, device, json);
	run->picture = picture;
	run->views = views;
	run->shows_code = shows_code;
	return status;
}

/* All launches, up to one that does not come to its end. */
static int run_all(struct run *run)
{
	int status = run_load(run), failed = EXIT_OK;
	struct buf json = {0};
	if (status != EXIT_OK)
		return status;
	struct profile_device *device = open_device(run);
	bool ends = device != NULL;
	status = ends ? EXIT_OK : EXIT_USAGE;
	for (int i = 0; i < run->n_steps && ends; i++) {
		int this = run_step(run, i, device, &json);
		status = status == EXIT_OK ? this : status;
		ends = run->profile && run_ended(run);
		if (!ends) {
			for (int j = i + 1; j < run->n_steps; j++) {
				run_enter(run, j);
				diag_note(&run->ctx->diag, (struct diag_pos){0}, "%snot run", run_step_name(run));
			}
		}
	}
	struct buf out = {0};
	if (run->n_steps > 1)
		run_write_json_steps(run, &json, &out);
	else
		buf_append(&out, json.data, json.len);
	bool printed = !json.len || cmd_print_colored(run->ctx, &out);
	buf_free(&out);
	if (!printed)
		failed = EXIT_FAILED;
	buf_free(&json);
	profile_device_free(device);
	return failed ? failed : status;
}

static void set_limits(struct run *run)
{
	run->watch.steps = SIMT_STEPS_DEFAULT;
	run->watch.quiet_ms = SIMT_QUIET_MS;
	run->watch.checks = SIMT_CHECK_ALL;
	run->watch.ends_at_fault = true;
	run->watch.defects = DEFECTS_DEFAULT;
	run->watch.orders = PROFILE_ORDERS_DEFAULT;
}

int run_live_kept(struct cmd_ctx *ctx, const char *path, struct gpu *gpu, struct buf *out)
{
	struct run run = {.ctx = ctx, .entry = &cmd_run_entry, .cc = MODEL_CC_DEFAULT, .live = true, .gpu = gpu};
	const struct cmd_parsed file = {.value = path};
	struct picture_page page = {ctx, COLS, picture_choose(ctx, PICTURE_DEFAULT), out};
	set_limits(&run);
	int status = run_read(&run, &file, 1) ? run_load(&run) : EXIT_FAILED;
	struct profile_device *device = status == EXIT_OK ? open_device(&run) : NULL;
	bool ran = device && run_kernel(&run, device);
	if (ran) {
		run_compare_kept(&run, device->memory);
		status = outcome_status(&run);
		status = status == EXIT_OK ? run_measure(&run) : status;
		run_write_kept(&run, out);
		escape_line(out, "%s on the machine: %s", run.launch.kernel,
			run.profile->result.outcome == SIMT_OK ? "ok" : run.profile->result.message);
	}
	if (ran && run.measured.gpu) {
		run_write_differences(&run, out);
		run_write_totals(&run, &page);
		status = run_differs(&run) ? EXIT_FAILED : status;
	}
	profile_device_free(device);
	run.gpu = NULL; /* the caller's */
	run_free(&run);
	return device && !ran ? EXIT_FAILED : status;
}

static bool check_live(struct run *run)
{
	if (!run->live || run->placed_why || !launch_is_for_machine(&run->launch))
		return true;
	cmd_usage(run->ctx, run->entry,
		"--live takes one launch, with arguments that have no addresses in them, and no --set: these are for the machine");
	return false;
}

static int run_run(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	if (program_is_asked(args, n))
		return program_run(ctx, &cmd_run_entry, args, n);
	struct run run = {.ctx = ctx, .entry = &cmd_run_entry, .cc = MODEL_CC_DEFAULT, .format = PICTURE_DEFAULT};
	run.live = ctx->gpu && strcmp(ctx->gpu, "none") != 0;
	set_limits(&run);
	if (!run_read(&run, args, n) || !check_live(&run))
		return run.missing ? EXIT_MISSING : EXIT_USAGE;
	int status = run_all(&run);
	run_free(&run);
	return status;
}
