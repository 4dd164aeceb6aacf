/* The playground: its command, and what its sessions are made of. */
#include "cmd/play.h"
#include "config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "cmd/access_parse.h"
#include "cmd/access_text.h"
#include "cmd/confined.h"
#include "cmd/explore.h"
#include "cmd/linear.h"
#include "front/tui/tui.h"
#include "model/hardware/access.h"
#include "model/hardware/metrics.h"
#include "tools/compile/compile.h"

#define FOLDER "playground"
#define LAUNCH_MARK "launch:"
#define LAUNCH_WORDS_MAX 64
#define STEPS "200000" /* warp instructions of a run: nobody waits long for one after each pause in typing */

static int run_play(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);
	return n > m && strcmp(text + n - m, end) == 0;
}

static bool file_is_kernel(const char *path)
{
	return ends_with(path, ".cu") || ends_with(path, ".ptx");
}

static const struct cmd_option options[] = {
	{"space", 0, "SPACE", N_("shared, global, local or const; shared by default")},
	{"op", 0, "OP", N_("as for `simttutor access`; ld by default")},
	{"width", 0, "BYTES", N_("bytes per lane: 1, 2, 4, 8 or 16; 4 by default, where the op has that width")},
	{"linear", 0, NULL, N_("line by line, in words: for screen readers, and by itself on dumb terminals")},
	{"mouse", 0, "on|off", N_("off: the mouse is the terminal's")},
	{"playground", 0, "access|kernel",
		N_("what is opened, where no EXPR or FILE says it: an access, or the kernel")},
	{"motion", 0, "on|off", N_("off: pictures do not play by themselves; each key shows one moment more")},
	{0},
};

static void needs_of_play(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	for (int i = 0; i < n; i++)
		if (!args[i].option && file_is_kernel(args[i].value))
			cmd_needs_output(needs, args[i].value);
	cmd_needs_writing(needs, needs->ctx->paths.own, 0700);
	cmd_needs_writing(needs, needs->ctx->paths.config, 0700);
	needs->tools = true;
	needs->forks = true;
	needs->gpu = cmd_gpu(needs->ctx);
}

const struct cmd_entry cmd_play_entry = {
	.name = "play",
	.usage =
		"[--linear] [--playground access|kernel] [--space SPACE] [--op OP] [--width BYTES] [--motion on|off] [--mouse on|off] [EXPR | FILE.cu | FILE.ptx]",
	.summary = N_("try accesses and small kernels, drawn as they are typed"),
	.details = N_(
		"Opens the playground, as P does in the lessons. There the index of the element that each lane accesses is typed, as for "
		"`simttutor access`: the picture, the numbers and what the hardware does are those of what is typed so far; an error is "
		"shown at its column. Tab and the arrows change space, operation and width; up and down bring back what was tried. Esc ends "
		"typing: then keys are those of `simttutor explore`, m measures the access on the GPU, s steps it in the debugger, e types "
		"again, q leaves.\n"
		"P turns to a small kernel, which is edited in place: it is written, compiled and shown whenever the keys are still for a "
		"moment. A comment in it says how it is launched, with options of `simttutor explore`: // launch: --grid 2 --block 128 "
		"--arg 'f32[{n}]' --sweep n=32..1024; no run is longer than 200000 warp instructions. PTX needs no compiler; CUDA "
		"source is compiled as `simttutor run` compiles it.\n"
		"With --linear, and on a terminal that cannot place the cursor, each line is an expression, and is told in words; help lists "
		"the commands.\n"
		"Expressions are kept in playground/history and the kernel in playground/kernel.cu, or kernel.ptx where there is no compiler, "
		"in the folder of your data (XDG_DATA_HOME); a FILE is edited where it is."),
	.options = options,
	.run = run_play,
	.needs = needs_of_play,
};

/* --- the kernel's launch ------------------------------------------------------------------------------------------------ */
struct play {
	struct cmd_ctx *ctx;
	struct explore x;
	struct tutor_playground_by by;
};

/* Options of explore that a kernel's comment may give: none that names a file. */
static const struct cmd_option *find_launch_option(const char *name)
{
	static const char *const allowed[] = {"kernel", "grid", "block", "cluster", "shared", "cooperative", "arg",
		"set", "sweep", "metric", "warp", "line", "cc", "registers"};
	for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
		for (const struct cmd_option *o = cmd_explore_entry.options; o->name && strcmp(allowed[i], name) == 0;
			o++)
			if (strcmp(o->name, name) == 0)
				return o;
	return NULL;
}

/* The next word from `*at` on, to the end of the line; quotes keep blanks. NULL: there is none. */
static const char *next_word(struct arena *arena, const char **at, const char *end)
{
	struct buf word = {0};
	const char *p = *at;
	while (p < end && isspace((unsigned char)*p))
		p++;
	bool any = p < end;
	for (char quote = 0; p < end && (quote || !isspace((unsigned char)*p)); p++) {
		if (quote ? *p == quote : *p == '\'' || *p == '"')
			quote = quote ? 0 : *p;
		else
			buf_putc(&word, *p);
	}
	*at = p;
	const char *out = any ? arena_strdup(arena, buf_str(&word)) : NULL;
	buf_free(&word);
	return out;
}

/* The line of the source that says the launch, whose end is *end; NULL: none does, and *end is that of the text. */
static const char *find_launch_line(const char *text, const char **end, int *line)
{
	*line = 1;
	for (const char *at = text; *at; ++*line) {
		size_t len = strcspn(at, "\n");
		const char *p = at + strspn(at, " \t");
		if (strncmp(p, "//", 2) == 0) {
			p += 2;
			p += strspn(p, " \t");
			if (strncmp(p, LAUNCH_MARK, strlen(LAUNCH_MARK)) == 0) {
				*end = at + len;
				return p + strlen(LAUNCH_MARK);
			}
		}
		at += len + (at[len] == '\n');
	}
	*end = text + strlen(text);
	return NULL;
}

/* The comment under way. */
struct launch_line {
	struct explore *x;
	const char *file, *text;
	int line;
};

static bool take_launch_word(struct launch_line *l, const char *word, const char **at, const char *end)
{
	struct explore *x = l->x;
	struct diag_pos pos = {.file = l->file, .line = l->line};
	const struct cmd_option *option = strncmp(word, "--", 2) == 0 ? find_launch_option(word + 2) : NULL;
	const char *value = option && option->arg ? next_word(x->ctx->arena, at, end) : NULL;
	if (!option) {
		diag_error(&x->ctx->diag, pos,
			"%.60s is no option of a launch here; there are --grid, --block, --arg, --sweep and others",
			word);
		return false;
	}
	if (option->arg && (!value || strstr(value, ":@"))) {
		diag_error(&x->ctx->diag, pos, value ? "%s takes no file here" : "%s needs a value", word);
		return false;
	}
	if (strcmp(option->name, "sweep") == 0)
		return explore_read_knob(x, value);
	if (strcmp(option->name, "metric") == 0) {
		x->metric = value;
		return metric_find(value) != METRIC_NONE || cmd_bad_value(x->ctx, "--metric", value, "a metric");
	}
	if (x->n_args == LAUNCH_WORDS_MAX) {
		diag_error(&x->ctx->diag, pos, "there are more than %d options", LAUNCH_WORDS_MAX);
		return false;
	}
	x->args[x->n_args++] = (struct cmd_parsed){option, value};
	return true;
}

/* The arguments that the source's comment gives, in the arena of x->ctx. */
static bool read_launch_line(struct explore *x, const char *text)
{
	static const struct cmd_option steps = {"steps", 0, "N", ""};
	struct launch_line l = {.x = x, .file = path_last(x->file), .text = text};
	const char *end, *at = find_launch_line(text, &end, &l.line), *word;
	x->args = arena_array(x->ctx->arena, struct cmd_parsed, LAUNCH_WORDS_MAX + 1);
	x->n_args = x->n_knobs = 0;
	x->metric = NULL;
	if (!at) {
		diag_error(&x->ctx->diag, (struct diag_pos){.file = l.file, .line = 1},
			"a comment has to say how it is launched: // launch: --grid 1 --block 32 --arg 'f32[1024]'");
		return false;
	}
	while ((word = next_word(x->ctx->arena, &at, end)) != NULL)
		if (!take_launch_word(&l, word, &at, end))
			return false;
	x->args[x->n_args++] = (struct cmd_parsed){&steps, STEPS};
	return true;
}

/* As tutor_playground_by.kernel. */
static struct lesson *make_kernel_lesson(void *of, struct arena *arena, const struct buf *ptx, struct diag *diag)
{
	struct play *play = of;
	struct explore *x = &play->x, before = *x;
	struct cmd_ctx *ctx = arena_alloc(arena, sizeof *ctx);
	struct buf text = {0};
	*ctx = *play->ctx;
	ctx->arena = arena;
	ctx->diag = (struct diag){0};
	x->ctx = ctx;
	struct lesson *lesson = NULL;
	if (file_read_text(x->file, TUTOR_PLAYGROUND_SOURCE_MAX, &text, &ctx->diag) &&
		read_launch_line(x, arena_strndup(arena, buf_str(&text), text.len)))
		lesson = explore_make(x, arena, ptx, &ctx->diag);
	buf_free(&text);
	diag_move(&ctx->diag, diag);
	if (lesson)
		x->ctx = ctx; /* its launches are made with what lives as long */
	else
		*x = before;
	return lesson;
}

/* --- sessions ----------------------------------------------------------------------------------------------------------- */
static bool read_expr(void *of, struct arena *arena, const char *text, struct warp_access *access, struct diag *diag)
{
	(void)of;
	return cmd_access_parse_expr(arena, text, access, diag);
}

static void explain_access(void *of, const struct warp_access *access, struct buf *out)
{
	(void)of;
	cmd_access_explain(access, MODEL_CC_DEFAULT, out);
}

static const char cuda_template[] =
	"// Try something: the picture is of what is typed.\n"
	"// launch: --grid 2 --block 128 --arg f32[1024]:iota --arg f32[256] --arg u32:{stride} --sweep stride=1..32@2\n"
	"__global__ void try_it(const float *in, float *out, unsigned stride)\n"
	"{\n"
	"\t__shared__ float tile[1024];\n"
	"\tfor (unsigned i = threadIdx.x; i < 1024; i += blockDim.x)\n"
	"\t\ttile[i] = in[i];\n"
	"\t__syncthreads();\n"
	"\tunsigned lane = threadIdx.x % 32;\n"
	"\tout[blockIdx.x * blockDim.x + threadIdx.x] = tile[lane * stride];\n"
	"}\n";

static const char
	ptx_template[] = "// Try something: the picture is of what is typed.\n"
			 "// launch: --grid 1 --block 32 --arg u32[32] --arg u32:{stride} --sweep stride=1..32@2\n"
			 ".version 7.0\n"
			 ".target sm_70\n"
			 ".address_size 64\n"
			 "\n"
			 ".visible .entry try_it(.param .u64 out, .param .u32 stride)\n"
			 "{\n"
			 "\t.reg .b32 %r<8>;\n"
			 "\t.reg .b64 %rd<4>;\n"
			 "\t.shared .align 4 .b8 tile[4096];\n"
			 "\n"
			 "\tmov.u32 %r1, %tid.x;\n"
			 "\tld.param.u32 %r2, [stride];\n"
			 "\tmul.lo.u32 %r3, %r1, %r2;\n"
			 "\tshl.b32 %r3, %r3, 2;\n"
			 "\tmov.u32 %r4, tile;\n"
			 "\tadd.u32 %r4, %r4, %r3;\n"
			 "\tst.shared.u32 [%r4], %r1;\n"
			 "\tbar.sync 0;\n"
			 "\tld.shared.u32 %r5, [%r4];\n"
			 "\n"
			 "\tld.param.u64 %rd1, [out];\n"
			 "\tcvta.to.global.u64 %rd1, %rd1;\n"
			 "\tmul.wide.u32 %rd2, %r1, 4;\n"
			 "\tadd.s64 %rd1, %rd1, %rd2;\n"
			 "\tst.global.u32 [%rd1], %r5;\n"
			 "\tret;\n"
			 "}\n";

/* The reader's own: the one that is there, else one that can be compiled. */
static const char *own_kernel(struct cmd_ctx *ctx)
{
	const char *folder = path_join(ctx->arena, ctx->paths.own, FOLDER);
	const char *cuda = path_join(ctx->arena, folder, "kernel.cu"),
		   *ptx = path_join(ctx->arena, folder, "kernel.ptx");
	const char *compilers[COMPILE_TOOLS_MAX];
	bool can = compile_list_tools(cmd_compile_ctx(ctx), compilers) > 0;
	if (file_is_named(can ? cuda : ptx))
		return can ? cuda : ptx;
	return can || file_is_named(cuda) ? cuda : ptx;
}

struct play *play_new(struct cmd_ctx *ctx, const char *path)
{
	struct play *play = arena_alloc(ctx->arena, sizeof *play);
	const char *file = path ? path : ctx->paths.own ? own_kernel(ctx) : NULL;
	*play = (struct play){.ctx = ctx, .x = {.ctx = ctx, .file = file, .show = {.view = VIEW_NONE}}};
	play->by = (struct tutor_playground_by){.ctx = play,
		.history = ctx->paths.own
			? path_join(ctx->arena, path_join(ctx->arena, ctx->paths.own, FOLDER), "history")
			: NULL,
		.path = file,
		.begins_with = file && ends_with(file, ".cu") ? cuda_template : ptx_template,
		.compiler = {&play->x, explore_compile},
		.cc = MODEL_CC_DEFAULT,
		.steps = strtoull(STEPS, NULL, 10),
		.widths = play_access_widths,
		.read = read_expr,
		.explain = explain_access,
		.access = play_access_lesson,
		.kernel = make_kernel_lesson};
	return play;
}

struct tutor *play_open(struct play *play, const struct tutor_playground_tried *first, struct diag *diag)
{
	/* of the session before, whose launches are gone */
	play->x = (struct explore){.ctx = play->ctx, .file = play->x.file, .show = {.view = VIEW_NONE}};
	struct tutor *tutor = tutor_playground_new(&play->by, first, cmd_gpu(play->ctx), play->ctx->paths.worker, diag);
	if (tutor && !first && tutor_setting_is(&play->ctx->settings, SETTING_PLAYGROUND, "kernel"))
		tutor_playground_turn(tutor, PLAYGROUND_KERNEL);
	return tutor;
}

struct tutor *play_open_last(void *ctx, struct diag *diag)
{
	return play_open(ctx, NULL, diag);
}

/* --- the command -------------------------------------------------------------------------------------------------------- */
struct play_request {
	const char *space, *op, *width, *expr, *file;
	bool linear;
};

static bool read_play_arguments(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n, struct play_request *r)
{
	for (int i = 0; i < n; i++) {
		if (cmd_is(&args[i], "linear")) {
			r->linear = true;
			continue;
		}
		const char **to = cmd_is(&args[i], "space") ? &r->space
			: cmd_is(&args[i], "op")            ? &r->op
			: cmd_is(&args[i], "width")         ? &r->width
			: file_is_kernel(args[i].value)     ? &r->file
							    : &r->expr;
		if (!args[i].option && (r->file || r->expr)) {
			cmd_usage(ctx, &cmd_play_entry,
				"give one expression, or one file: '%s' is another one (quote an expression with blanks)",
				args[i].value);
			return false;
		}
		*to = args[i].value;
	}
	return true;
}

static int run_play(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct play_request r = {0};
	struct tutor_playground_tried first = {.text = "lane"};
	if (!read_play_arguments(ctx, args, n, &r))
		return EXIT_USAGE;
	bool given = r.expr || r.space || r.op || r.width;
	if (r.expr && strlen(r.expr) > TUTOR_PLAYGROUND_EXPR_MAX)
		return cmd_usage(
			ctx, &cmd_play_entry, "the expression has more than %d bytes", TUTOR_PLAYGROUND_EXPR_MAX);
	if (r.expr)
		strcpy(first.text, r.expr);
	if (!play_read_access(ctx, r.space, r.op, r.width, &first))
		return EXIT_USAGE;
	if (!(play_access_widths(first.space, first.op) & first.width)) {
		diag_error(&ctx->diag, (struct diag_pos){0},
			"there is no kernel for %s of %d bytes; `simttutor access` explains it", warp_op_name(first.op),
			first.width);
		return EXIT_USAGE;
	}
	r.linear |= isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) &&
		(!cmd_has_terminal() || tutor_setting_is(&ctx->settings, SETTING_LINEAR, "on"));
	if (!cmd_has_terminal() && !r.linear) {
		diag_error(&ctx->diag, (struct diag_pos){0},
			"the playground needs a terminal; without one there are --linear, `simttutor access` and `simttutor explore`");
		return EXIT_MISSING;
	}
	struct tutor *tutor = play_open(play_new(ctx, r.file), given ? &first : NULL, &ctx->diag);
	if (!tutor)
		return EXIT_USAGE;
	tutor->settings = &ctx->settings;
	cmd_set_rest(ctx, tutor->gpu);
	if (r.file)
		tutor_playground_turn(tutor, PLAYGROUND_KERNEL);
	int status = r.linear ? cmd_linear_run(ctx, tutor) : tui_run(tutor, ctx->theme, &ctx->diag);
	tutor_free(tutor);
	return status;
}
