/* The playground: its command, and what its sessions are made of. */
#include "config.h"
#include "cmd/play.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "cmd/access.h"
#include "cmd/confined.h"
#include "cmd/explore.h"
#include "cmd/linear.h"
#include "course/experiment/experiment.h"
#include "front/tui/tui.h"
#include "front/view/views.h"
#include "machine/launch/launch.h"
#include "model/hardware/access.h"
#include "model/hardware/metrics.h"
#include "model/validate/pattern.h"
#include "tools/compile/compile.h"

/* --- the lesson of an access -------------------------------------------------------------------------------------- */

#define BUFFER_MAX ((uint64_t)64 << 20) /* bytes of global memory that an access may span */
#define CONST_BYTES 65536u
#define LOCAL_MAX 65536u
#define SPAN_ALIGN 4096u /* what is in front of all of it is cut off in such steps, which no sector or line sees */

/* The kernel under way. */
struct play_kernel {
	struct arena *arena;
	const struct warp_access *access;
	const struct pattern_kind *kind;
	uint64_t base, bytes; /* of the buffer: what its first byte is the offset of; how large it is */
	struct buf ptx;
};

static const struct pattern_kind *find_kind(const struct warp_access *access)
{
	for (int i = 0; i < validate_pattern_kinds(); i++) {
		const struct pattern_kind *kind = validate_pattern_kind(i);
		bool all = !kind->lanes || kind->lanes == UINT32_MAX;
		if (all && kind->space == access->space && kind->op == access->op && kind->width == access->width)
			return kind;
	}
	return NULL;
}

uint32_t play_access_widths(enum mem_space space, enum access_op op)
{
	struct warp_access access = {.space = space, .op = op};
	uint32_t widths = 0;
	for (int width = 1; width <= 16; width *= 2) {
		access.width = (uint8_t)width;
		widths |= find_kind(&access) ? (uint32_t)width : 0;
	}
	return widths;
}

/* --- PTX ---------------------------------------------------------------------------------------------------------- */

static uint64_t most_space(enum mem_space space)
{
	return space == SPACE_GLOBAL   ? BUFFER_MAX
		: space == SPACE_CONST ? CONST_BYTES
		: space == SPACE_LOCAL ? LOCAL_MAX
				       : UINT64_MAX; /* shared: was looked at when it was read */
}

/* What the memory spans that the lanes touch. False where the playground has no so large buffer. */
static bool find_span(struct play_kernel *k, struct diag *diag)
{
	uint64_t first = UINT64_MAX, last = 0;
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		uint64_t at = k->access->address[lane];
		first = at < first ? at : first;
		last = at > last ? at : last;
	}
	k->base = k->access->space == SPACE_GLOBAL ? first / SPAN_ALIGN * SPAN_ALIGN : 0;
	k->bytes = (last - k->base + k->access->width + 127) / 128 * 128;
	if (k->bytes <= most_space(k->access->space))
		return true;
	diag_error(diag, (struct diag_pos){0},
		"it spans %" PRIu64 " bytes of %s memory, and the playground has %" PRIu64
		"; `simttutor access` explains it",
		k->bytes, warp_space_name(k->access->space), most_space(k->access->space));
	return false;
}

/* --- the launch --------------------------------------------------------------------------------------------------- */

struct play_launch {
	const char *list, *buffer;
};

static struct launch *launch_access(
	void *of, struct arena *arena, const struct step *step, const int64_t *values, struct diag *diag)
{
	(void)step, (void)values;
	const struct play_launch *args = of;
	struct launch *launch = arena_alloc(arena, sizeof *launch);
	*launch = (struct launch){.kernel = "access", .grid = {1, 1, 1}, .block = {WARP_SIZE, 1, 1}, .n_args = 3};
	launch->args = arena_array(arena, struct launch_arg, 3);
	bool ok = launch_arg_parse(arena, NULL, args->list, &launch->args[0], diag) &&
		launch_arg_parse(arena, NULL, args->buffer, &launch->args[1], diag) &&
		launch_arg_parse(arena, NULL, "u32[128]", &launch->args[2], diag);
	return ok ? launch : NULL;
}

/* --- the lesson --------------------------------------------------------------------------------------------------- */

static struct lesson *make_access_lesson(struct play_kernel *k, const char *text)
{
	struct arena *arena = k->arena;
	struct lesson *lesson = arena_array(arena, struct lesson, 1);
	struct step *step = arena_array(arena, struct step, 1);
	struct play_launch *args = arena_alloc(k->arena, sizeof *args);
	struct buf list = {0};
	buf_puts(&list, "u32[]:");
	for (int lane = 0; lane < WARP_SIZE; lane++)
		buf_printf(&list, "%s%" PRIu64, lane ? "," : "", k->access->address[lane] - k->base);
	args->list = arena_strdup(k->arena, buf_str(&list));
	args->buffer = arena_printf(k->arena, "u8[%" PRIu64 "]", k->access->space == SPACE_GLOBAL ? k->bytes : 128);
	buf_free(&list);
	*lesson = (struct lesson){.id = "playground",
		.number = "",
		.dir = "playground",
		.path = "playground",
		.title = "Playground",
		.track = "",
		.summary = N_(""),
		.needs = "",
		.takeaway = "",
		.can = "",
		.steps = step,
		.n_steps = 1,
		.parameters = arena_array(arena, struct parameter, 1),
		.kernels = arena_array(arena, const struct kernel_file *, 1),
		.n_kernels = 1,
		.launcher = {launch_access, args}};

	struct kernel_file *file = arena_array(k->arena, struct kernel_file, 1);
	const char *file_text = arena_strndup(k->arena, buf_str(&k->ptx), k->ptx.len);
	*file = (struct kernel_file){.name = "access",
		.source_path = "access.ptx",
		.ptx_path = "access.ptx",
		.source_text = file_text,
		.source_len = k->ptx.len,
		.ptx_text = file_text,
		.ptx_len = k->ptx.len};
	lesson->kernels[0] = file;

	/* The line that makes it: of local memory, which is stored to and loaded from, the one or the other. */
	bool last = k->access->space == SPACE_LOCAL && k->access->op == ACCESS_LOAD;
	int found = 0, line = 1;
	for (const char *at = buf_str(&k->ptx); *at; line++) {
		if ((strncmp(at, "@%p ", 4) == 0 || strncmp(at, "ldmatrix", 8) == 0 ||
			    strncmp(at, "stmatrix", 8) == 0) &&
			(!found || last))
			found = line;
		at += strcspn(at, "\n");
		at += *at == '\n';
	}

	*step = (struct step){.id = "access",
		.title = arena_strdup(arena, text),
		.notes = "",
		.has_experiment = true,
		.file = lesson->kernels[0],
		.set = arena_array(arena, int64_t, 1),
		.shown = arena_array(arena, bool, 1),
		.watch = {.line = arena_printf(arena, "%d", found)},
		.pos = {.file = "access.ptx"}};

	static const view_id others[] = {VIEW_ATOMICS, VIEW_NUMBERS, VIEW_SOURCE};
	view_id first = k->access->space == SPACE_SHARED ? VIEW_BANKS
		: k->access->space == SPACE_GLOBAL       ? VIEW_SECTORS
							 : VIEW_NUMBERS;
	step->views = arena_array(arena, const char *, view_count);
	step->views[step->n_views++] = view_table[first].name;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (others[i] != first && (others[i] != VIEW_ATOMICS || warp_op_is_atomic(k->access->op)))
			step->views[step->n_views++] = view_table[others[i]].name;

	/* How the metrics begin that the access moves, and those of the loop that an addition of floats is. */
	const struct warp_access *a = k->access;
	bool store = a->op == ACCESS_STORE,
	     load = a->op == ACCESS_LOAD || a->op == ACCESS_COPY || a->op == ACCESS_COPY_BYPASS;
	const char *of;
	if (a->space == SPACE_CONST)
		of = "constant_";
	else if (a->space == SPACE_LOCAL)
		of = store ? "local_store_" : "local_load_";
	else if (a->space == SPACE_GLOBAL)
		of = load                                                 ? "global_load_"
			: store                                           ? "global_store_"
			: a->op == ACCESS_REDUCE || a->op == ACCESS_COUNT ? "global_reduction_"
									  : "global_atomic_";
	else
		of = load                              ? "shared_load_"
			: store                        ? "shared_store_"
			: a->op == ACCESS_LOAD_MATRIX  ? "matrix_load_"
			: a->op == ACCESS_STORE_MATRIX ? "matrix_store_"
						       : "shared_atomic_";

	bool matrix = k->access->op == ACCESS_LOAD_MATRIX || k->access->op == ACCESS_STORE_MATRIX;
	step->metrics = arena_array(arena, const char *, METRICS);
	for (int m = 0; m < METRICS; m++)
		if (strncmp(metric_table[m].name, of, strlen(of)) == 0 || (matrix && m == METRIC_SHARED_CONFLICTS))
			step->metrics[step->n_metrics++] = metric_table[m].name;

	return lesson;
}

/* As tutor_playground_by; ctx is not used. */
static struct lesson *play_access_lesson(
	void *ctx, struct arena *arena, const struct warp_access *access, const char *text, struct diag *diag)
{
	(void)ctx;
	struct play_kernel k = {.arena = arena, .access = access, .kind = find_kind(access)};
	struct lesson *lesson = NULL;
	if (!k.kind)
		diag_error(diag, (struct diag_pos){0}, "no instruction makes such an access");
	else if (find_span(&k, diag)) {
		bool constant = k.access->space == SPACE_CONST;
		buf_printf(&k.ptx, ".version 7.8\n.target %s\n.address_size 64\n",
			k.access->op == ACCESS_STORE_MATRIX                                         ? "sm_90"
				: k.access->op == ACCESS_COPY || k.access->op == ACCESS_COPY_BYPASS ? "sm_80"
				: k.access->op == ACCESS_LOAD_MATRIX                                ? "sm_75"
												    : "sm_70");
		if (constant) {
			buf_printf(&k.ptx, ".const .align 16 .b8 table[%u];\n", CONST_BYTES);
		} else {
			buf_puts(&k.ptx, ".const .align 4 .u32 offsets[32] = {");
			for (int lane = 0; lane < WARP_SIZE; lane++)
				buf_printf(&k.ptx, "%s%" PRIu64, lane ? ", " : "", k.access->address[lane] - k.base);
			buf_puts(&k.ptx, "};\n");
		}
		buf_puts(&k.ptx,
			".visible .entry access(.param .u64 list, .param .u64 buffer, .param .u64 out)\n{\n"
			".reg .pred %p;\n.reg .b16 %h<3>;\n.reg .b32 %r<10>;\n.reg .b64 %rd<9>;\n.reg .f32 %f<3>;\n.reg .f64 %fd<3>;\n");
		if (strstr(k.kind->declares, ".shared"))
			buf_printf(&k.ptx, ".shared .align 128 .b8 s[%" PRIu64 "];\n",
				k.access->space == SPACE_SHARED ? k.bytes : 512);
		if (strstr(k.kind->declares, ".local"))
			buf_printf(&k.ptx, ".local .align 16 .b8 l[%" PRIu64 "];\n", k.bytes);
		buf_puts(&k.ptx,
			"ld.param.u64 %rd1, [list];\nld.param.u64 %rd3, [buffer];\nld.param.u64 %rd4, [out];\n"
			"cvta.to.global.u64 %rd1, %rd1;\ncvta.to.global.u64 %rd3, %rd3;\ncvta.to.global.u64 %rd4, %rd4;\n"
			"mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd5, %r1, 4;\nadd.s64 %rd1, %rd1, %rd5;\n"
			"mul.wide.u32 %rd5, %r1, 16;\nadd.s64 %rd4, %rd4, %rd5;\n");
		buf_puts(&k.ptx,
			constant
				? "ld.global.u32 %r2, [%rd1];\n"
				: "shl.b32 %r3, %r1, 2;\nmov.u32 %r2, offsets;\nadd.u32 %r3, %r2, %r3;\nld.const.u32 %r2, [%r3];\n");
		buf_puts(&k.ptx,
			"setp.ne.u32 %p, %r2, 0xFFFFFFFF;\n"
			"cvt.u16.u32 %h2, %r1;\ncvt.rn.f32.u32 %f1, %r1;\ncvt.rn.f64.u32 %fd1, %r1;\n");
		buf_puts(&k.ptx, k.kind->does);
		buf_puts(&k.ptx, "ret;\n}\n");

		lesson = make_access_lesson(&k, text);
	}
	buf_free(&k.ptx);
	return lesson;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

/* The playground: its command, and what its sessions are made of. */

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

/* --- the kernel's launch ------------------------------------------------------------------------------------------ */

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

/* --- sessions ----------------------------------------------------------------------------------------------------- */

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

/* --- the command -------------------------------------------------------------------------------------------------- */

struct play_request {
	const char *space, *op, *width, *expr, *file;
	bool linear;
};

static int run_play(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct play_request r = {0};
	struct tutor_playground_tried first = {.text = "lane"};

	for (int i = 0; i < n; i++) {
		if (cmd_is(&args[i], "linear")) {
			r.linear = true;
			continue;
		}
		const char **to = cmd_is(&args[i], "space") ? &r.space
			: cmd_is(&args[i], "op")            ? &r.op
			: cmd_is(&args[i], "width")         ? &r.width
			: file_is_kernel(args[i].value)     ? &r.file
							    : &r.expr;
		if (!args[i].option && (r.file || r.expr)) {
			cmd_usage(ctx, &cmd_play_entry,
				"give one expression, or one file: '%s' is another one (quote an expression with blanks)",
				args[i].value);
			return EXIT_USAGE;
		}
		*to = args[i].value;
	}

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
