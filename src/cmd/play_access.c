/* The kernel that makes one access of a warp, for the machine and for a GPU, and the lesson that shows it. Its offsets lie in constant
 * memory, so that nothing but the access moves the counters that are shown. */
#include "config.h"
#include "base/text.h"
#include "cmd/play.h"

#include <inttypes.h>
#include <string.h>

#include "course/experiment/kernel.h"
#include "front/view/views.h"
#include "machine/launch/launch.h"
#include "model/hardware/metrics.h"
#include "model/validate/pattern.h"

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

/* --- PTX ---------------------------------------------------------------------------------------------------------------- */
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

static const char *target_of(enum access_op op)
{
	return op == ACCESS_STORE_MATRIX                        ? "sm_90"
		: op == ACCESS_COPY || op == ACCESS_COPY_BYPASS ? "sm_80"
		: op == ACCESS_LOAD_MATRIX                      ? "sm_75"
								: "sm_70";
}

static void put_memory(struct play_kernel *k)
{
	if (strstr(k->kind->declares, ".shared"))
		buf_printf(&k->ptx, ".shared .align 128 .b8 s[%" PRIu64 "];\n",
			k->access->space == SPACE_SHARED ? k->bytes : 512);
	if (strstr(k->kind->declares, ".local"))
		buf_printf(&k->ptx, ".local .align 16 .b8 l[%" PRIu64 "];\n", k->bytes);
}

static void put_offsets(struct play_kernel *k)
{
	buf_puts(&k->ptx, ".const .align 4 .u32 offsets[32] = {");
	for (int lane = 0; lane < WARP_SIZE; lane++)
		buf_printf(&k->ptx, "%s%" PRIu64, lane ? ", " : "", k->access->address[lane] - k->base);
	buf_puts(&k->ptx, "};\n");
}

static void put_kernel(struct play_kernel *k)
{
	bool constant = k->access->space == SPACE_CONST;
	buf_printf(&k->ptx, ".version 7.8\n.target %s\n.address_size 64\n", target_of(k->access->op));
	if (constant)
		buf_printf(&k->ptx, ".const .align 16 .b8 table[%u];\n", CONST_BYTES);
	else
		put_offsets(k);
	buf_puts(&k->ptx,
		".visible .entry access(.param .u64 list, .param .u64 buffer, .param .u64 out)\n{\n"
		".reg .pred %p;\n.reg .b16 %h<3>;\n.reg .b32 %r<10>;\n.reg .b64 %rd<9>;\n.reg .f32 %f<3>;\n.reg .f64 %fd<3>;\n");
	put_memory(k);
	buf_puts(&k->ptx,
		"ld.param.u64 %rd1, [list];\nld.param.u64 %rd3, [buffer];\nld.param.u64 %rd4, [out];\n"
		"cvta.to.global.u64 %rd1, %rd1;\ncvta.to.global.u64 %rd3, %rd3;\ncvta.to.global.u64 %rd4, %rd4;\n"
		"mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd5, %r1, 4;\nadd.s64 %rd1, %rd1, %rd5;\n"
		"mul.wide.u32 %rd5, %r1, 16;\nadd.s64 %rd4, %rd4, %rd5;\n");
	buf_puts(&k->ptx,
		constant
			? "ld.global.u32 %r2, [%rd1];\n"
			: "shl.b32 %r3, %r1, 2;\nmov.u32 %r2, offsets;\nadd.u32 %r3, %r2, %r3;\nld.const.u32 %r2, [%r3];\n");
	buf_puts(&k->ptx,
		"setp.ne.u32 %p, %r2, 0xFFFFFFFF;\n"
		"cvt.u16.u32 %h2, %r1;\ncvt.rn.f32.u32 %f1, %r1;\ncvt.rn.f64.u32 %fd1, %r1;\n");
	buf_puts(&k->ptx, k->kind->does);
	buf_puts(&k->ptx, "ret;\n}\n");
}

static bool is_access(const char *line)
{
	return strncmp(line, "@%p ", 4) == 0 || strncmp(line, "ldmatrix", 8) == 0 || strncmp(line, "stmatrix", 8) == 0;
}

/* The line that makes it: of local memory, which is stored to and loaded from, the one or the other. */
static int find_access(const struct play_kernel *k)
{
	bool last = k->access->space == SPACE_LOCAL && k->access->op == ACCESS_LOAD;
	int found = 0, line = 1;
	for (const char *at = buf_str(&k->ptx); *at; line++) {
		if (is_access(at) && (!found || last))
			found = line;
		at += strcspn(at, "\n");
		at += *at == '\n';
	}
	return found;
}

/* --- the launch --------------------------------------------------------------------------------------------------------- */
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

static struct play_launch *make_arguments(const struct play_kernel *k)
{
	struct play_launch *args = arena_alloc(k->arena, sizeof *args);
	struct buf list = {0};
	buf_puts(&list, "u32[]:");
	for (int lane = 0; lane < WARP_SIZE; lane++)
		buf_printf(&list, "%s%" PRIu64, lane ? "," : "", k->access->address[lane] - k->base);
	args->list = arena_strdup(k->arena, buf_str(&list));
	args->buffer = arena_printf(k->arena, "u8[%" PRIu64 "]", k->access->space == SPACE_GLOBAL ? k->bytes : 128);
	buf_free(&list);
	return args;
}

/* --- the lesson --------------------------------------------------------------------------------------------------------- */
/* How the metrics begin that the access moves, and those of the loop that an addition of floats is. */
static const char *metrics_of(const struct warp_access *a)
{
	bool store = a->op == ACCESS_STORE,
	     load = a->op == ACCESS_LOAD || a->op == ACCESS_COPY || a->op == ACCESS_COPY_BYPASS;
	if (a->space == SPACE_CONST)
		return "constant_";
	if (a->space == SPACE_LOCAL)
		return store ? "local_store_" : "local_load_";
	if (a->space == SPACE_GLOBAL)
		return load                                               ? "global_load_"
			: store                                           ? "global_store_"
			: a->op == ACCESS_REDUCE || a->op == ACCESS_COUNT ? "global_reduction_"
									  : "global_atomic_";
	return load                            ? "shared_load_"
		: store                        ? "shared_store_"
		: a->op == ACCESS_LOAD_MATRIX  ? "matrix_load_"
		: a->op == ACCESS_STORE_MATRIX ? "matrix_store_"
					       : "shared_atomic_";
}

static bool begins_with(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static void add_access_metrics(struct arena *arena, const struct warp_access *access, struct step *step)
{
	const char *of = metrics_of(access);
	bool matrix = access->op == ACCESS_LOAD_MATRIX || access->op == ACCESS_STORE_MATRIX;
	step->metrics = arena_array(arena, const char *, METRICS);
	for (int m = 0; m < METRICS; m++)
		if (begins_with(metric_table[m].name, of) || (matrix && m == METRIC_SHARED_CONFLICTS))
			step->metrics[step->n_metrics++] = metric_table[m].name;
}

static void add_access_views(struct arena *arena, const struct warp_access *access, struct step *step)
{
	static const view_id others[] = {VIEW_ATOMICS, VIEW_NUMBERS, VIEW_SOURCE};
	view_id first = access->space == SPACE_SHARED ? VIEW_BANKS
		: access->space == SPACE_GLOBAL       ? VIEW_SECTORS
						      : VIEW_NUMBERS;
	step->views = arena_array(arena, const char *, view_count);
	step->views[step->n_views++] = view_table[first].name;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (others[i] != first && (others[i] != VIEW_ATOMICS || warp_op_is_atomic(access->op)))
			step->views[step->n_views++] = view_table[others[i]].name;
}

static const struct kernel_file *make_access_file(struct play_kernel *k)
{
	struct kernel_file *file = arena_array(k->arena, struct kernel_file, 1);
	const char *text = arena_strndup(k->arena, buf_str(&k->ptx), k->ptx.len);
	*file = (struct kernel_file){.name = "access",
		.source_path = "access.ptx",
		.ptx_path = "access.ptx",
		.source_text = text,
		.source_len = k->ptx.len,
		.ptx_text = text,
		.ptx_len = k->ptx.len};
	return file;
}

static struct lesson *make_access_lesson(struct play_kernel *k, const char *text)
{
	struct arena *arena = k->arena;
	struct lesson *lesson = arena_array(arena, struct lesson, 1);
	struct step *step = arena_array(arena, struct step, 1);
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
		.launcher = {launch_access, make_arguments(k)}};
	lesson->kernels[0] = make_access_file(k);
	*step = (struct step){.id = "access",
		.title = arena_strdup(arena, text),
		.notes = "",
		.has_experiment = true,
		.file = lesson->kernels[0],
		.set = arena_array(arena, int64_t, 1),
		.shown = arena_array(arena, bool, 1),
		.watch = {.line = arena_printf(arena, "%d", find_access(k))},
		.pos = {.file = "access.ptx"}};
	add_access_views(arena, k->access, step);
	add_access_metrics(arena, k->access, step);
	return lesson;
}

struct lesson *play_access_lesson(
	void *ctx, struct arena *arena, const struct warp_access *access, const char *text, struct diag *diag)
{
	(void)ctx;
	struct play_kernel k = {.arena = arena, .access = access, .kind = find_kind(access)};
	struct lesson *lesson = NULL;
	if (!k.kind)
		diag_error(diag, (struct diag_pos){0}, "no instruction makes such an access");
	else if (find_span(&k, diag)) {
		put_kernel(&k);
		lesson = make_access_lesson(&k, text);
	}
	buf_free(&k.ptx);
	return lesson;
}
