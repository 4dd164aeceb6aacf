#include "config.h"
#include "cmd/cmd.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cmd/confined.h"
#include "cmd/editor.h"
#include "cmd/picture.h"
#include "cmd/program.h"
#include "cmd/run.h"
#include "front/debug/debug.h"
#include "front/screen/debug.h"
#include "front/tui/tui.h"

#define SCRIPT_MAX ((size_t)1 << 20)

static int run_debug(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

extern const struct cmd_entry cmd_debug_entry;

static const struct cmd_option options[] = {
	RUN_LAUNCH_OPTIONS{"launch", 0, "WHICH",
		N_("of a whole program: the launch to step, by its number, or the first as kernel=NAME or line=N of the program; its first by default")},
	{"debug-info", 'G', NULL,
		N_("compile a .cu without optimization and with the names of its variables: nvcc -G, or clang -O0 -g")},
	{"warp", 'w', "B:W", N_("follow block B's warp W first; 0:0 by default")},
	RUN_CHECK_OPTION{"steps", 0, "N", N_("end the launch after N warp instructions; 200000000 by default")},
	{"cc", 0, "CC", N_("the rules of this compute capability, as in 9.0, the default")},
	{"dap", 0, NULL,
		N_("serve an editor on standard input and output, by the Debug Adapter Protocol; it says what to debug: see EDITORS in simttutor(1)")},
	{"commands", 'x', "FILE",
		N_("execute the commands in FILE, - for standard input, and print their output; needs no terminal")},
	{"mouse", 0, "on|off", N_("off: the mouse is the terminal's")},
	{"size", 0, "COLSxROWS", N_("size of what `show` prints with --commands; 80x24 by default")},
	{0},
};

static void needs_of_debug(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	program_output_is_kept = editor_is_asked(args, n);
	if (program_output_is_kept && !editor_begin(needs->ctx, &cmd_debug_entry, &args, &n))
		return;
	if (program_is_asked(args, n)) {
		program_needs_to_stop(needs, args, n);
		cmd_needs_reading(needs, ".");
		for (int i = 0; i < n; i++)
			if (args[i].option && (cmd_is(&args[i], "commands") || cmd_is(&args[i], "source")))
				cmd_needs_reading(needs, args[i].value);
		return;
	}
	cmd_needs_launch(needs, args, n);
}

const struct cmd_entry cmd_debug_entry = {
	.name = "debug",
	.usage =
		"FILE.ptx|FILE.cu|FILE.launch [--kernel NAME] --grid X[,Y[,Z]] --block X[,Y[,Z]] [--cluster X[,Y[,Z]]] [--shared BYTES] [--cooperative] [--arg ARG]... [--set NAME=ARG]... [--then KERNEL ...]... [--source DIR]... [--define NAME[=VALUE]]... "
		"[--launch WHICH] [--debug-info] [--warp B:W] [--check LIST] [--steps N] [--cc CC] [--commands FILE [--size COLSxROWS] | --dap]",
	.summary = N_("step a kernel on the terminal, one warp instruction at a time"),
	.details = N_(
		"Runs the kernel on the SIMT machine as `simttutor run` does, with the same file, launch, arguments "
		"and --gpu, and stops before the first instruction. The screen shows source and PTX with the "
		"instruction that one warp, the followed one, executes next; which of its lanes are active; its "
		"registers lane by lane; the banks or sectors of its memory access; its paths where lanes diverged, "
		"with which lanes wait for which; and the other warps. Keys and the commands of the prompt are listed "
		"under KEYS, and by ? on the screen.\n"
		"Every run is the same, so steps can be taken back: the launch is started again and run up to that "
		"point. A defect always stops it with everything as it was.\n"
		"With --commands the prompt's commands are read from a file, one per line, and their output is "
		"printed; `show` prints the screen or one of its panes. The first command that fails ends it.\n"
		"A .cu without --kernel, --grid and --block, or an executable, is a whole program, as in simttutor run, with arguments after --: it is run up to "
		"the launch that --launch chooses and ends there, and this launch is stepped with the memory it had. A file of run --record is such a launch, too.\n"
		"Of several launches, with --then, the last is stepped; those before have been run."),
	.options = options,
	.examples = (const struct cmd_example
			[]){{"debug twice.cu -g 4 -b 128 -a 'u32[512]:iota' -a 'u32[512]' --commands steps.txt",
				    "Breakpoint 1, block 0, warp 0."},
		{"debug twice.cu -G -g 4 -b 128 -a 'u32[512]:iota' -a 'u32[512]' --commands index.txt",
			"lane  8  8 9 10 11 12 13 14 15"},
		{"debug twice.cu -g 4 -b 128 -a 'u32[512]:iota' -a 'u32[512]' --warp 2:1 --commands three.txt",
			"block 2 warp 1  line 2"},
		{"debug transpose.cu -k transpose -g 1 -b 32,32 -a 'f32[1024]:iota' -a 'f32[1024]' --commands tile.txt",
			"0x0: 0 1 2 3"},
		{"debug homework.cu --launch 1 --commands sum.txt -- 1024", "block 0 warp 0  line 11"}, {0}},
	.groups = (const struct cmd_group[]){{N_("the launch"), "kernel grid block shared arg launch"},
		{N_("how it is stepped"), "commands warp check dap"},
		{N_("the compiler and the GPU"), "debug-info define source cc"}, {0}},
	.run = run_debug,
	.needs = needs_of_debug,
};

/* --- commands from a file ----------------------------------------------------------------------------------------- */

struct batch {
	struct cmd_ctx *ctx;
	struct debug *debug;
	struct screen_debug_state screen;
	const char *file;
	struct buf script;
	int cols, rows;
	bool serves; /* a client, by the Debug Adapter Protocol */
};

static int execute_script(struct batch *batch)
{
	const char *text = buf_str(&batch->script);
	for (int line = 1; *text && !batch->debug->quit; line++) {
		struct debug *debug = batch->debug;
		size_t len = strcspn(text, "\n");
		struct diag_pos at = {.file = batch->file,
			.line = line,
			.text = buf_str(&batch->script),
			.text_len = batch->script.len};
		uint64_t step = debug->step;
		uint32_t block = debug->block, warp = debug->warp;
		bool ended = debug->ended;
		if (!debug_command(debug, arena_strndup(batch->ctx->arena, text, len), at, &batch->ctx->diag))
			return EXIT_USAGE;
		screen_debug_take(&batch->screen, debug);
		debug_finish(debug);
		bool moved = debug->step != step || debug->block != block || debug->warp != warp ||
			debug->ended != ended;

		/* What a command printed, where it moved to, what it asked to show. */
		struct buf out = {0};
		buf_append(&out, buf_str(&debug->said.printed), debug->said.printed.len);
		if (debug->said.printed.len && debug->said.printed.data[debug->said.printed.len - 1] != '\n')
			buf_putc(&out, '\n');
		buf_clear(&debug->said.printed);
		if (debug->wishes.show == DEBUG_SHOW_NOTHING && debug->said.notice[0])
			escape_line(&out, "%s", debug->said.notice);
		if (moved)
			debug_where(batch->debug, &out);
		buf_append(&out, buf_str(&debug->said.output), debug->said.output.len);
		buf_clear(&debug->said.output);
		bool ok = cmd_print(batch->ctx, &out);
		buf_clear(&out);
		if (debug->wishes.show != DEBUG_SHOW_NOTHING) {
			int pane = (int)debug->wishes.show;
			struct canvas *canvas = canvas_new(batch->rows, batch->cols);
			if (pane == DEBUG_SHOW_SCREEN)
				screen_debug_render(canvas, batch->debug, &batch->screen, NULL);
			else
				screen_debug_render_pane(canvas, batch->debug, &batch->screen, (enum debug_pane)pane);
			picture_crop(canvas);
			picture_write(batch->ctx, canvas, picture_choose(batch->ctx, PICTURE_DEFAULT),
				"simttutor debug", &out);
			canvas_free(canvas);
		}
		debug->wishes.show = DEBUG_SHOW_NOTHING;
		ok = ok && cmd_print_colored(batch->ctx, &out);
		buf_free(&out);
		if (!ok)
			return EXIT_FAILED;

		text += len + (text[len] == '\n');
	}
	return batch->debug->ended && batch->debug->result.outcome != SIMT_OK ? EXIT_FAILED : EXIT_OK;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static bool read_debug_args(struct run *run, struct batch *batch, const struct cmd_parsed *args, int n)
{
	bool ok = true;
	run->launch.args = run->args;
	for (int i = 0; i < n && ok; i++) {
		if (!args[i].option)
			ok = run_read_file(run, args[i].value);
		else if (cmd_is(&args[i], "debug-info"))
			run->debug_info = true;
		else if (cmd_is(&args[i], "commands"))
			batch->file = args[i].value;
		else if (cmd_is(&args[i], "size"))
			ok = cmd_size(run->ctx, args[i].value, &batch->cols, &batch->rows);
		else
			ok = run_read_option(run, &args[i]);
	}
	return ok && run_check(run);
}

static int run_debugger(struct run *run, struct batch *batch)
{
	struct cmd_ctx *ctx = run->ctx;
	int status = run_load(run);
	gpu_free(run->gpu);
	run->gpu = NULL;
	if (status != EXIT_OK)
		return status;

	struct diag quiet = {0};
	const struct ptx_kernel *kernel = ptx_find_kernel(run->module, run->launch.kernel, &run->ctx->diag);
	struct debug_setup setup = {.module = run->module,
		.launch = &run->steps[run->step]->launch,
		.steps = run->watch.steps,
		.checks = run->watch.checks,
		.block = run->watch.block,
		.warp = run->watch.warp,
		.cc = run->cc};
	const char *file = profile_file(kernel);
	if (file)
		run_find_source(run, file);
	setup.source = run->source;
	setup.ptx = (struct source){.file = run->ptx_name, .text = buf_str(&run->ptx), .len = run->ptx.len};
	source_open(run->ctx->arena, &setup.ptx, &quiet);
	diag_free(&quiet);
	struct debug *debug = debug_new(&setup, &run->ctx->diag);
	if (!debug) {
		run_suggest(run);
		return EXIT_USAGE;
	}

	struct buf text = {0};
	if (run->launch.kept) {
		run_kept_title(run->launch.kept, &text);
		buf_printf(&text, ". %s", debug->said.notice);
		debug_notice(debug, buf_str(&text));
	}
	buf_free(&text);

	if (debug->ended && debug->result.outcome == SIMT_ERROR) {
		diag_error(&ctx->diag, (struct diag_pos){.file = run->ptx_name}, "%s", debug->result.message);
		status = EXIT_USAGE;
	} else if (batch->serves) {
		/* The client can open the source where we have found it, if it is not the text of the PTX. */
		char real[PATH_MAX];
		bool is_program = run->launch.kept && run->kept_as && strstr(run->kept_as, ".cu");
		const char *path = is_program ? run->kept_as : run->source_path;
		path = path && realpath(path, real) ? arena_strdup(ctx->arena, real) : NULL;

		struct buf printed = {0}, where = {0};
		const char *shown = run->kept_as ? run->kept_as : run->file, *slash = strrchr(shown, '/');
		if (run->launch.kept)
			run_kept_title(run->launch.kept, &where);
		program_stop_printed(&printed);
		editor_output(buf_str(&printed), printed.len);
		editor_run(run->ctx,
			&(struct dap_launched){.debug = debug,
				.name = slash ? slash + 1 : shown,
				.path = path,
				.where = buf_str(&where)});
		buf_free(&printed);
		buf_free(&where);
	} else if (batch->file) {
		batch->debug = debug;

		status = EXIT_MISSING;
		if (file_read_text(batch->file, SCRIPT_MAX, &batch->script, &batch->ctx->diag))
			status = execute_script(batch);
		buf_free(&batch->script);
	} else {
		status = tui_debug(debug, ctx->theme, &ctx->diag);
	}
	debug_free(debug);
	return status;
}

static int debug_launch(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n, bool serves)
{
	struct run run = {.ctx = ctx, .entry = &cmd_debug_entry, .cc = MODEL_CC_DEFAULT};
	struct batch batch = {.ctx = ctx, .cols = 80, .rows = 24, .serves = serves};
	run.live = ctx->gpu && strcmp(ctx->gpu, "none") != 0; /* its NVRTC may compile */
	run.watch.steps = SIMT_STEPS_DEFAULT;
	run.watch.checks = SIMT_CHECK_ALL;
	int stopped = program_is_asked(args, n) ? program_stop(ctx, run.entry, &args, &n, &run.kept_as) : EXIT_OK;
	bool read = stopped == EXIT_OK && read_debug_args(&run, &batch, args, n);
	program_stop_end();
	if (!read)
		return stopped != EXIT_OK ? stopped : run.missing ? EXIT_MISSING : EXIT_USAGE;
	if (!batch.file && !serves && !cmd_has_terminal()) {
		diag_error(&ctx->diag, (struct diag_pos){0},
			"the debugger needs a terminal; use --commands FILE without one");
		return EXIT_MISSING;
	}
	int status = run_debugger(&run, &batch);
	run_free(&run);
	return status;
}

static int run_debug(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	if (!editor_is_asked(args, n))
		return debug_launch(ctx, args, n, false);

	/* What goes wrong is the client's to know, and a session that has ended is a session. */
	int status = EXIT_OK;
	program_output_is_kept = true;
	if (editor_begin(ctx, &cmd_debug_entry, &args, &n)) {
		status = debug_launch(ctx, args, n, true);
		if (status != EXIT_OK)
			editor_fail(ctx);
	}
	return editor_end(ctx) || status != EXIT_OK ? status : EXIT_FAILED;
}
