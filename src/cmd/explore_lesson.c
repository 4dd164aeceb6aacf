/* The lesson that is explored: no text, a step for each version of the kernel, and as parameters those of the launch
 * and of what is watched. */
#include "config.h"
#include "cmd/explore.h"

#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "base/paths.h"
#include "base/text.h"
#include "course/lesson/lesson.h"
#include "front/view/views.h"
#include "model/hardware/metrics.h"
#include "tools/compile/ptxas.h"

#define BLOCKS_MAX 4096 /* that a reader turns through; one beyond is given with --warp */
#define METRICS_MOST LESSON_METRICS_MAX

enum { WATCH_BLOCK, WATCH_WARP, WATCH_ACCESS, WATCH_COMMON, WATCH_LINE = WATCH_COMMON };

/* The lesson under way. */
struct explore_draft {
	struct explore *x;
	struct arena *arena;
	struct lesson *lesson;
	int n_versions;
	struct cmd_ctx ctx; /* the command's, with the lesson's arena */
	struct explore_draft_version {
		struct run *run;
		struct profile *profile; /* at the values that it begins with */
		const struct ptx_kernel *kernel;
	} versions[EXPLORE_VERSIONS_MAX];
};

/* --- the launch --------------------------------------------------------------------------------------------------- */

const char *explore_path(const struct explore *x, int version)
{
	return version && x->other_is_file ? x->other : x->file;
}

/* Whether expressions may stand in the option's value. */
static bool is_turned(const struct cmd_parsed *arg)
{
	static const char *const options[] = {"grid", "block", "cluster", "shared", "arg", "set"};
	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		if (cmd_is(arg, options[i]))
			return true;
	return false;
}

/* The launch of a version with these values, read into `run`, which has its file's name; its kernels are not looked for
 * yet. False with errors in run->ctx->diag. */
static bool explore_read_launch(
	const struct explore *x, struct run *run, const struct lesson *lesson, const int64_t *values, int version)
{
	struct diag *diag = &run->ctx->diag;
	run->launch.args = run->args;
	for (int i = 0; i < x->n_args; i++) {
		struct cmd_parsed arg = x->args[i];
		const char *why = NULL;
		if (is_turned(&arg) && x->n_knobs && strchr(arg.value, '{')) {
			const char *text = lesson_substitute(run->ctx->arena, lesson, arg.value, values, &why);
			if (!text) {
				diag_error(diag, (struct diag_pos){0}, "--%s %s: %s", arg.option->name, arg.value, why);
				return false;
			}
			arg.value = text;
		}
		if (!run_read_option(run, &arg))
			return false;
	}
	run->file = explore_path(x, version);
	run->kept_as = x->kept_as;
	run->ptx_name = run->file;
	if (version && !x->other_is_file)
		run->kernel = x->other;
	return run_check(run);
}

static struct run *new_run(struct cmd_ctx *ctx)
{
	struct run *run = arena_array(ctx->arena, struct run, 1);
	run->ctx = ctx;
	run->entry = &cmd_explore_entry;
	run->cc = MODEL_CC_DEFAULT;
	run->watch.steps = PROFILE_STEPS_PATIENT;
	return run;
}

/* As lesson_launcher.run. */
static struct launch *make_launch(
	void *of, struct arena *arena, const struct step *step, const int64_t *values, struct diag *diag)
{
	const struct explore *x = of;
	int version = (int)(step - x->lesson->steps);
	struct cmd_ctx ctx = *x->ctx;
	ctx.arena = arena;
	ctx.diag = (struct diag){0};
	struct run *run = new_run(&ctx);
	run->module = x->modules[version];
	bool ok = explore_read_launch(x, run, x->lesson, values, version) && run_find_kernels(run) == EXIT_OK;
	buf_free(&run->ptx); /* of a launch that was kept */
	diag_move(&ctx.diag, diag);
	return ok ? &run->steps[run->step]->launch : NULL;
}

/* --- parameters --------------------------------------------------------------------------------------------------- */

static void add_parameter(struct lesson *lesson, const char *name, const char *label, int64_t *values, int n)
{
	lesson->parameters[lesson->n_parameters++] = (struct parameter){
		.name = name, .label = label, .unit = "", .values = values, .n_values = n, .initial = values[0]};
}

static void add_count(struct explore_draft *d, const char *name, int64_t from, int n, int64_t initial)
{
	int64_t *values = arena_array(d->arena, int64_t, (size_t)n + 1);
	for (int i = 0; i < n; i++)
		values[i] = from + i;
	if (initial >= from + n)
		values[n++] = initial;
	add_parameter(d->lesson, name, name, values, n);
	d->lesson->parameters[d->lesson->n_parameters - 1].initial = initial;
}

/* The line that takes most wavefronts and sectors; the first, where none takes any. */
static int busiest_line(const struct profile *p)
{
	int line = p->lines[0].line;
	uint64_t most = 0;
	for (int i = 0; i < p->n_lines; i++) {
		uint64_t cost = p->lines[i].wavefronts + p->lines[i].sectors;
		if (cost > most) {
			most = cost;
			line = p->lines[i].line;
		}
	}
	return line;
}

static void add_lines(struct explore_draft *d, int version)
{
	static const char *const names[] = {"line", "other_line"};
	const struct profile *p = d->versions[version].profile;
	int asked = version ? 0 : d->versions[0].run->watch.line, n = 0;
	int64_t *values = arena_array(d->arena, int64_t, (size_t)p->n_lines + 1);
	for (int i = 0; i < p->n_lines; i++)
		if (p->lines[i].line > 0)
			values[n++] = p->lines[i].line;
	add_parameter(d->lesson, names[version], "line", values, n ? n : 1);
	struct parameter *line = &d->lesson->parameters[d->lesson->n_parameters - 1];
	line->initial = n ? busiest_line(p) : 0;
	for (int i = 0; i < n && asked; i++)
		if (values[i] == asked)
			line->initial = asked;
}

/* --- views and numbers -------------------------------------------------------------------------------------------- */

static bool has_kind(const struct explore_draft *d, int version, int space, int kind)
{
	const struct profile *p = d->versions[version].profile;
	for (int i = 0; i < p->n_lines; i++)
		for (int s = 0; s < PROFILE_SPACES; s++)
			for (int k = 0; k < PROFILE_KINDS; k++)
				if ((space < 0 || s == space) && (kind < 0 || k == kind) && p->lines[i].kinds[s][k])
					return true;
	return false;
}

/* Whether a view shows anything of the kernel, wherever one looks. */
static bool is_offered(const struct explore_draft *d, int version, view_id view)
{
	const struct run *run = d->versions[version].run;
	switch (view) {
	case VIEW_SOURCE: return false; /* it is always there */
	case VIEW_STREAMS:
	case VIEW_HOST:
	case VIEW_MAP: return false; /* of whole programs */
	case VIEW_SWEEP: return d->x->n_knobs > 0;
	case VIEW_ROOFLINE: return metric_value(METRIC_FLOAT_OPERATIONS, &d->versions[version].profile->counts).v > 0;
	case VIEW_COMPARE: return d->n_versions > 1;
	case VIEW_BANKS: return has_kind(d, version, PROFILE_SHARED, -1);
	case VIEW_SECTORS: return has_kind(d, version, PROFILE_GLOBAL, -1);
	case VIEW_ATOMICS: return has_kind(d, version, -1, PROFILE_ATOMICS);
	case VIEW_SASS:
		return ptxas_find(cmd_compile_ctx(run->ctx)) && ptxas_find_disassembler(cmd_compile_ctx(run->ctx));
	case VIEW_SHUFFLE: return strstr(buf_str(&run->ptx), "shfl") != NULL;
	case VIEW_FRAGMENTS: return strstr(buf_str(&run->ptx), "mma.") || strstr(buf_str(&run->ptx), "matrix.sync");
	case VIEW_CLUSTER: return d->versions[version].profile->cluster.n > 1;
	default: return true;
	}
}

/* Whether a version has something to say of it. */
static bool is_known(const struct explore_draft *d, enum metric_id metric)
{
	for (int v = 0; v < d->n_versions; v++) {
		struct value value = metric_value(metric, &d->versions[v].profile->counts);
		if (value.state == VALUE_OK && value.v > 0)
			return true;
	}
	return false;
}

/* What a sweep is of, unless it was asked for. */
static enum metric_id swept_metric(const struct explore_draft *d)
{
	static const enum metric_id candidates[] = {METRIC_SHARED_LD_WAVES_PER_REQUEST,
		METRIC_SHARED_ST_WAVES_PER_REQUEST, METRIC_GLOBAL_LD_SECTORS_PER_REQUEST,
		METRIC_GLOBAL_ST_SECTORS_PER_REQUEST};
	if (d->x->metric)
		return metric_find(d->x->metric);
	for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++)
		if (is_known(d, candidates[i]))
			return candidates[i];
	return METRIC_INSTRUCTIONS;
}

/* --- versions ----------------------------------------------------------------------------------------------------- */

static const char *kernel_name(struct explore_draft *d, int version)
{
	struct demangled name;
	const char *kernel = d->versions[version].run->launch.kernel;
	return demangle(d->arena, kernel, &name) ? name.name : kernel;
}

/* What tells the versions apart: their files' names, or paths, or their kernels. */
static const char *version_title(struct explore_draft *d, int version)
{
	const char *path = explore_path(d->x, version), *other = explore_path(d->x, 1 - version);
	const struct snapshot *kept = d->versions[version].run->launch.kept;
	if (kept) {
		struct buf text = {0};
		run_kept_title(kept, &text);
		path = arena_strdup(d->arena, buf_str(&text));
		buf_free(&text);
		return path;
	}
	if (d->n_versions > 1 && !d->x->other_is_file)
		return kernel_name(d, version);
	return d->n_versions > 1 && strcmp(path_last(path), path_last(other)) == 0 ? path : path_last(path);
}

static void add_version(struct explore_draft *d, int version)
{
	static const char *const ids[] = {"first", "second"};
	static const enum metric_id measured[] = {METRIC_TIME, METRIC_CYCLES, METRIC_ACHIEVED_OCCUPANCY,
		METRIC_REGISTERS, METRIC_L1_HIT_RATE, METRIC_L2_HIT_RATE};
	const int n_measured = (int)(sizeof measured / sizeof *measured);
	struct lesson *lesson = d->lesson;
	struct step *step = &lesson->steps[lesson->n_steps++];
	size_t n = (size_t)lesson->n_parameters;
	int watch = d->x->n_knobs;
	struct step_watch_by *by = arena_array(d->arena, struct step_watch_by, 1);
	*by = (struct step_watch_by){
		watch + WATCH_LINE + version, watch + WATCH_BLOCK, watch + WATCH_WARP, watch + WATCH_ACCESS};
	const struct run *run = d->versions[version].run;
	struct kernel_file *file = arena_array(d->arena, struct kernel_file, 1);
	*file = (struct kernel_file){
		.name = version_title(d, version),
		.source_path = run->source_path ? run->source_path
			: run->source_name      ? run->source_name
						: run->ptx_name,
		.ptx_path = run->ptx_name,
		.source_text = run->source.text ? run->source.text : "",
		.source_len = run->source.text ? run->source.len : 0,
		.ptx_text = buf_str(&run->ptx),
		.ptx_len = run->ptx.len,
	};
	*step = (struct step){.id = ids[version],
		.title = version_title(d, version),
		.notes = "",
		.has_experiment = true,
		.file = lesson->kernels[version] = file,
		.set = arena_array(d->arena, int64_t, n + 1),
		.shown = arena_array(d->arena, bool, n + 1),
		.watch = {.line = "", .by = by},
		.registers = d->versions[version].run->occupancy.block.registers,
		.pos = {.file = explore_path(d->x, version)}};
	for (size_t i = 0; i < n; i++) {
		step->set[i] = lesson->parameters[i].initial;
		step->shown[i] = (int)i < watch + WATCH_LINE || (int)i == by->line;
	}

	/* What the costliest line is about comes first; where two are compared, that does. */
	const struct profile *p = d->versions[version].profile;
	view_id first = d->n_versions > 1 ? VIEW_COMPARE : VIEW_NONE;
	for (int i = 0, line = busiest_line(p); i < p->n_lines && first == VIEW_NONE; i++)
		if (p->lines[i].line == line)
			first = p->lines[i].global_requests ? VIEW_SECTORS
				: p->lines[i].wavefronts    ? VIEW_BANKS
							    : VIEW_LANES;
	if (first == VIEW_NONE)
		first = VIEW_LANES;
	step->views = arena_array(d->arena, const char *, view_count);
	step->views[step->n_views++] = view_table[first].name;
	for (int v = 0; v < view_count; v++)
		if ((view_id)v != first && is_offered(d, version, (view_id)v))
			step->views[step->n_views++] = view_table[v].name;

	/* What is predicted of the kernel, then what only a GPU knows of any. */
	step->metrics = arena_array(d->arena, const char *, METRICS_MOST);
	for (int m = 0; m < METRICS && step->n_metrics < METRICS_MOST - n_measured; m++)
		if (is_known(d, (enum metric_id)m))
			step->metrics[step->n_metrics++] = metric_table[m].name;
	for (int i = 0; i < n_measured; i++)
		if (!is_known(d, measured[i]))
			step->metrics[step->n_metrics++] = metric_table[measured[i]].name;

	const struct explore_knob *knob = d->x->knobs;
	if (d->x->n_knobs)
		step->sweep = (struct step_sweep){
			metric_table[swept_metric(d)].name, knob->name, knob->values, knob->n};
}

/* Its lines and counts, at the values that it begins with. */
static bool profile_version(struct explore_draft *d, int version, const int64_t *values, const struct buf *ptx)
{
	struct explore_draft_version *v = &d->versions[version];
	struct run *run = v->run = new_run(&d->ctx);
	if (!explore_read_launch(d->x, run, d->lesson, values, version))
		return false;
	buf_free(&run->ptx); /* of a launch that was kept */
	run->ptx.data = arena_strndup(d->arena, buf_str(ptx), ptx->len);
	run->ptx.len = ptx->len;
	run->module = d->x->modules[version] = ptx_parse(
		d->arena, run->ptx_name, run->ptx.data, run->ptx.len, &d->ctx.diag);

	if (!run->module)
		return false;
	/* The kernel that `--kernel` names, or, in another file, the only one there is. */
	struct run_step *last = run->steps[run->step];
	struct diag unheard = {0};
	if (version && d->x->other_is_file && last->kernel && !ptx_resolve_kernel(run->module, last->kernel, &unheard))
		last->kernel = NULL;
	diag_free(&unheard);
	if (run_find_kernels(run) != EXIT_OK)
		return false;

	struct launch *launch = &run->steps[run->step]->launch;
	v->kernel = profile_find_kernel(run->module, launch, &d->ctx.diag);
	if (!v->kernel)
		return false;
	v->profile = profile_run(d->arena, run->module, launch,
		(struct profile_watch){.cc = run->cc, .steps = run->watch.steps}, &d->ctx.diag);
	if (!v->profile) {
		run_suggest(run);
		return false;
	}
	if (v->profile->n_lines == 0) {
		diag_error(&d->ctx.diag, (struct diag_pos){.file = run->ptx_name}, "the kernel has no instructions");
		return false;
	}
	run_find_source(run, v->profile->file);
	run_find_registers(run);
	return true;
}

struct lesson *explore_make(void *ctx, struct arena *arena, const struct buf *ptx, struct diag *diag)
{
	struct explore *x = ctx;
	struct explore_draft d = {.x = x, .arena = arena, .n_versions = x->other ? 2 : 1, .ctx = *x->ctx};
	struct ptx_module *before[EXPLORE_VERSIONS_MAX];
	memcpy(before, x->modules, sizeof before);
	struct lesson *lesson = d.lesson = arena_array(arena, struct lesson, 1);
	d.ctx.arena = arena;
	d.ctx.diag = (struct diag){0};
	*lesson = (struct lesson){.id = "explore",
		.number = "",
		.dir = "explore",
		.path = x->file,
		.track = "",
		.summary = N_(""),
		.needs = "",
		.takeaway = "",
		.can = "",
		.steps = arena_array(arena, struct step, EXPLORE_VERSIONS_MAX),
		.kernels = arena_array(arena, const struct kernel_file *, EXPLORE_VERSIONS_MAX),
		.n_kernels = d.n_versions,
		.launcher = {make_launch, x}};

	/* The parameters of the launch, which expressions can name; then the words are settled. */
	int64_t values[EXPLORE_KNOBS_MAX];
	lesson->parameters = arena_array(arena, struct parameter, LESSON_PARAMETERS_MAX);
	for (int i = 0; i < x->n_knobs; i++) {
		const struct explore_knob *k = &x->knobs[i];
		add_parameter(lesson, k->name, k->name, k->values, k->n);
		lesson->parameters[i].initial = values[i] = k->initial;
	}
	lesson_names_settle_words(arena, lesson, &tutor_lesson_names, (struct diag_pos){0}, &d.ctx.diag);

	bool ok = d.ctx.diag.errors == 0;
	for (int v = 0; ok && v < d.n_versions; v++)
		ok = profile_version(&d, v, values, &ptx[v && x->other_is_file ? 1 : 0]);
	diag_move(&d.ctx.diag, diag);
	if (!ok) {
		memcpy(x->modules, before, sizeof before);
		return NULL;
	}

	const struct profile_watch *watch = &d.versions[0].run->watch;
	add_count(&d, "block", 0, BLOCKS_MAX, watch->block);
	add_count(&d, "warp", 0, BLOCK_WARPS_MAX, watch->warp);
	add_count(&d, "access", 1, PROFILE_WATCHED_MAX, 1);
	for (int v = 0; v < d.n_versions; v++)
		add_lines(&d, v);

	for (int v = 0; v < d.n_versions; v++)
		add_version(&d, v);
	lesson->title = kernel_name(&d, 0);
	x->lesson = lesson;
	return lesson;
}
