#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/measure.h"
#include "cmd/probe.h"
#include "cmd/validate.h"
#include "course/experiment/experiment.h"
#include "course/experiment/recordings.h"
#include "front/tutor/tutor.h"
#include "machine/ptx/ops.h"
#include "model/hardware/access.h"
#include "model/hardware/metrics.h"
#include "model/profile/profile.h"
#include "model/validate/pattern.h"
#include "model/validate/trial.h"

/* --- addresses ---------------------------------------------------------------------------------------------------- */

#define BLOCKS_MAX 4 /* of a launch; the records of all would not fit */
#define RECORDS 64   /* of a warp */

struct watched {
	struct validation *v;
	struct agreement *agreement;
	const struct lesson *lesson;
	int rule;
	uint64_t done;
};

static int watched_line(const struct watched *w, const struct experiment_point *point)
{
	return lesson_watched(w->lesson, point->step, point->values).line;
}

static const char *probe_command(struct arena *arena, const struct watched *w, const struct experiment_point *point)
{
	const struct launch *l = point->launch;
	struct buf out = {0};
	buf_printf(&out,
		"simttutor probe %s --kernel %s --grid %" PRIu32 ",%" PRIu32 ",%" PRIu32 " --block %" PRIu32 ",%" PRIu32
		",%" PRIu32 " --shared %" PRIu32,
		point->step->file->ptx_path, l->kernel, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1],
		l->block[2], l->shared);
	for (int i = 0; i < l->n_args; i++)
		buf_printf(&out, " --arg '%s'", l->args[i].text);
	buf_printf(&out, " --line %d --accesses --blocks 0:%d --live", watched_line(w, point), BLOCKS_MAX);
	const char *text = arena_strdup(arena, buf_str(&out));
	buf_free(&out);
	return text;
}

/* False for a watched line without an access, such as a shuffle, and for launches too large for anything but
 * measuring. */
static bool can_compare(struct probing *p)
{
	struct cmd_ctx *ctx = p->run.ctx;
	struct buf ptx = {0};
	p->request.file = profile_file(ptx_find_kernel(p->run.module, p->run.launch.kernel, &ctx->diag));
	const struct probe *probe = probe_write(ctx->arena, p->run.module, &p->request, &ptx, &ctx->diag);
	buf_free(&ptx);
	if (!probe) /* a failure to add probes is reported where the launch is compared */
		return true;

	/* Whether the buffers, with that of the probes, fit in one message. */
	const struct launch *launch = &p->run.launch;
	uint64_t bytes = probe->bytes;
	for (int i = 0; i < launch->n_args; i++)
		bytes += launch->args[i].buffer ? launch_arg_bytes(&launch->args[i]) : 0;
	return probe->n_sites > 0 && bytes <= WIRE_BUFFERS_MAX;
}

static bool try_lesson(struct watched *w)
{
	struct validation *v = w->v;
	struct experiment_points points;
	if (!experiment_points_of_lesson(v->ctx->arena, w->lesson, &points, &v->ctx->diag))
		return false;
	v->cases = w->done + (uint64_t)points.n;
	for (int i = 0; i < points.n && !cmd_validate_stopped(); i++) {
		cmd_validate_progress(v, "addresses", w->done++, validate_agreement_violations(w->agreement));
		const struct experiment_point *point = &points.points[i];
		if (watched_line(w, point) && !launch_is_for_machine(point->launch) &&
			!lesson_expects_defect(w->lesson, point->step, point->values)) {
			struct cmd_ctx ctx = *v->ctx; /* with an arena that goes with the launch */
			struct probing p;
			ctx.arena = arena_new();
			ctx.diag = (struct diag){0};

			/* The launch with its watched line, as from the arguments of `simttutor probe`. */
			struct run *run = &p.run;
			p = (struct probing){.run = {.ctx = &ctx,
						     .entry = &cmd_validate_entry,
						     .cc = v->info.cc,
						     .live = true,
						     .file = point->step->file->ptx_path,
						     .ptx_name = point->step->file->ptx_path,
						     .launch = *point->launch,
						     .watch = {.steps = PROFILE_STEPS_PATIENT}},
				.changed = -1};
			memcpy(run->args, point->launch->args, (size_t)point->launch->n_args * sizeof *run->args);
			run->launch.args = run->args;
			buf_append(&run->ptx, point->step->file->ptx_text, point->step->file->ptx_len);
			run->module = ptx_parse(ctx.arena, run->ptx_name, buf_str(&run->ptx), run->ptx.len, &ctx.diag);
			uint64_t blocks = warp_dim_volume(point->launch->grid);
			p.lines[0] = watched_line(w, point);
			p.request = (struct probe_request){.what = PROBE_ACCESSES,
				.lines = p.lines,
				.n_lines = 1,
				.capacity = RECORDS,
				.n_blocks = blocks < BLOCKS_MAX ? blocks : BLOCKS_MAX,
				.n_warps = (uint32_t)warp_count(warp_dim_volume(point->launch->block))};
			bool ready = run->module != NULL;
			if (ready && !ptx_target_fits(ptx_built_for(p.run.module), v->info.cc)) {
				w->agreement->left_out++;
				buf_free(&p.run.ptx);
				arena_free(ctx.arena);
				continue;
			}
			bool nothing = ready && !can_compare(&p);
			bool ok = ready && !nothing && probing_compare(&p, v->gpu) == EXIT_OK && p.compared;
			if (ok) {
				const char *what = NULL;
				if (p.changed >= 0)
					what = arena_printf(ctx.arena,
						"%s: argument %d is not the same as without probes", point->label,
						p.changed);
				else if (p.differs)
					what = arena_printf(ctx.arena, "%s: %zu of %zu access%s %s from the machine's",
						point->label, p.differs, p.gpu.n, p.gpu.n == 1 ? "" : "es",
						p.differs == 1 ? "differs" : "differ");
				validate_agreement_add(
					w->agreement, w->rule, what, what ? probe_command(ctx.arena, w, point) : NULL);
			}
			/* one that the machine stops is too large for it: what it says of that is no fault */
			bool large = !ok && p.run.profile && p.run.profile->result.outcome == SIMT_LIMIT;
			w->agreement->failed += !ok && !nothing && !large;
			if (large)
				diag_free(&ctx.diag);
			buf_free(&p.run.ptx);
			buf_free(&p.ptx);
			diag_move(&ctx.diag, &v->ctx->diag);
			arena_free(ctx.arena);
		}
	}
	return true;
}

int cmd_validate_addresses(struct validation *v)
{
	struct cmd_ctx *ctx = v->ctx;
	struct agreement agreement = validate_agreement_new(ctx->arena, "addresses", "launch", "launches");
	struct watched w = {.v = v, .agreement = &agreement};
	struct catalog *catalog = lesson_catalog_load(ctx->arena, ctx->paths.data, &tutor_lesson_names, &ctx->diag);
	agreement.other = v->gpu_name;
	if (!catalog)
		return EXIT_MISSING;
	bool ok = true;
	for (int i = 0; i < catalog->n_lessons && !cmd_validate_stopped(); i++) {
		w.lesson = catalog->lessons[i];
		w.rule = validate_agreement_rule(&agreement, w.lesson->id, true);
		ok = try_lesson(&w) && ok;
	}
	agreement.stopped = cmd_validate_stopped();
	int status = cmd_validate_report_agreement(v, &agreement);
	return ok ? status : EXIT_FAILED;
}

/* --- instructions ------------------------------------------------------------------------------------------------- */

#define KEPT_MARK "// launch: grid 1 block "
#define FAILURES_MAX 5 /* launches in a row without results: the GPU is given up */

/* --- one program -------------------------------------------------------------------------------------------------- */

struct program_run {
	struct validation *v;
	struct arena *arena;
	struct trial *trial;
	struct buf ptx;
	struct launch launch;
	struct tally_run run;
};

/* The program must pass our own parser and the machine; a failure is a fault of ours. */
static bool run_program_on_machine(struct program_run *a)
{
	struct diag *diag = &a->v->ctx->diag;
	const char *name = arena_printf(a->arena, "program %llu", (unsigned long long)a->trial->seed);
	validate_trial_write(a->trial, &a->ptx);
	validate_trial_launch(a->arena, a->trial, &a->launch);
	struct ptx_module *module = ptx_parse(a->arena, name, buf_str(&a->ptx), a->ptx.len, diag);
	struct profile *profile = module
		? profile_run(a->arena, module, &a->launch, (struct profile_watch){.cc = VALIDATE_CC_LEAST}, diag)
		: NULL;
	if (!profile)
		return false;
	if (profile->result.outcome != SIMT_OK) {
		diag_error(diag, (struct diag_pos){.file = name, .line = profile->result.place.ptx_line}, "%s",
			profile->result.message);
		return false;
	}
	a->run.inputs = a->launch.args[0].bytes;
	a->run.machine = profile->buffers[1];
	return true;
}

static bool run_program_on_gpu(struct program_run *a)
{
	struct cmd_ctx *ctx = a->v->ctx;
	struct measure_request request = {buf_str(&a->ptx), a->ptx.len, &a->launch, NULL, 0, true, NULL};
	const char *label = arena_printf(a->arena, "program %llu on the GPU", (unsigned long long)a->trial->seed);
	const struct wire_measurement *m = measure_launch(ctx, a->v->gpu, label, &request);
	size_t bytes = launch_arg_bytes(&a->launch.args[1]);
	if (!m)
		return false;
	if (m->n_buffers != 2 || m->buffer_bytes[1] != bytes) {
		diag_error(&ctx->diag, (struct diag_pos){0}, "%s: only part of its results was returned", label);
		return false;
	}
	a->run.other = memcpy(arena_alloc(a->arena, bytes), m->buffers[1], bytes);
	return true;
}

/* False when the campaign should end. */
static bool try_program(struct validation *v, struct arena *arena, struct trial *trial)
{
	struct program_run a = {.v = v, .arena = arena, .trial = trial};
	bool ok = run_program_on_machine(&a) && (!v->gpu || run_program_on_gpu(&a));
	if (!ok || validate_tally_add(v->tally, trial, &a.run)) {
		/* Writes the PTX with its launch as a comment, like the fixtures of tests/ptx. */
		struct buf text = {0};
		if (a.v->keep) {
			buf_printf(&text, KEPT_MARK "%d; arg %s; arg %s\n%s", a.trial->lanes, a.launch.args[0].text,
				a.launch.args[1].text, buf_str(&a.ptx));
			const char *name = arena_printf(a.arena, "%llu.ptx", (unsigned long long)a.trial->seed);
			const struct output output = {
				"--keep", path_join(a.arena, a.v->keep, name), KEPT_MARK, a.v->force};
			output_write(a.v->ctx, &output, &text);
			buf_free(&text);
		}
	}
	if (ok && v->record.path) {
		struct trial *t = a.trial;
		for (int i = 0; i < t->n_steps; i++) {
			t->steps[i].recorded = !validate_forms_is_approximate(t->steps[i].form);
			t->steps[i].hash = validate_tally_hash(t, i, a.run.other);
		}
		validate_trial_record(t, &a.v->recording);
	}
	v->failed += !ok;
	v->failures_in_a_row = ok ? 0 : v->failures_in_a_row + 1;
	buf_free(&a.ptx);
	if (v->failures_in_a_row == FAILURES_MAX)
		diag_error(&v->ctx->diag, (struct diag_pos){0}, "%d programs in a row gave no results; stopped",
			FAILURES_MAX);
	return v->failures_in_a_row < FAILURES_MAX;
}

/* --- all programs ------------------------------------------------------------------------------------------------- */

static bool replay_one(void *ctx, const struct trial *trial)
{
	struct arena *arena = arena_new();
	struct trial *copy = arena_array(arena, struct trial, 1);
	*copy = *trial;
	bool go_on = try_program(ctx, arena, copy);
	arena_free(arena);
	return go_on;
}

static bool found_something(struct validation *v)
{
	bool different = v->tally->different || v->failed;
	(v->format == PICTURE_JSON ? cmd_validate_write_json : cmd_validate_write_text)(v, &v->out);
	return !different;
}

int cmd_validate_replay_instructions(struct validation *v, const struct buf *text)
{
	struct diag *diag = &v->ctx->diag;
	const struct trial_recording recording = {v->expect, buf_str(text), text->len};
	bool ok = validate_trial_read_all(v->forms, &recording, replay_one, v, diag);
	if (ok && !v->tally->programs && !v->failed)
		diag_error(diag, (struct diag_pos){.file = v->expect}, "it holds no program");
	if (v->tally->programs || v->failed)
		ok = found_something(v) && ok;
	return ok && v->tally->programs ? EXIT_OK : EXIT_FAILED;
}

int cmd_validate_instructions(struct validation *v)
{
	cmd_validate_begin_recording(v, "validate", TRIAL_FORMAT);
	bool go_on = true;
	for (uint64_t i = 0; !v->every && go_on && i < v->cases && !cmd_validate_stopped(); i++) {
		struct arena *arena = arena_new();
		cmd_validate_progress(v, "instructions", i, v->tally->different);
		go_on = try_program(v, arena, validate_trial_generate(arena, &v->choice, v->seed + i));
		arena_free(arena);
	}

	/* Row after row; each program has the next seed, as random ones have. */
	uint64_t seed = v->seed;
	for (int op = 0; op < PTX_OPS && v->every; op++)
		for (int next = 0; go_on && !cmd_validate_stopped() && v->choice.enabled[op] &&
			next < validate_forms_count(v->forms, op);) {
			struct arena *arena = arena_new();
			go_on = try_program(v, arena, validate_trial_cover(arena, &v->choice, seed++, op, &next));
			arena_free(arena);
		}
	if (!v->tally->programs && !v->failed)
		return EXIT_OK;
	return found_something(v) ? EXIT_OK : EXIT_FAILED;
}

/* --- lessons ------------------------------------------------------------------------------------------------------ */

/* Every experiment of every lesson over the values of its parameters: the counters that the model predicts exactly. */

#define EXPERIMENTS_KEPT 8 /* each is measured once */

struct lessons_run {
	struct validation *v;
	const struct lesson *lesson; /* that is being run */
	struct agreement agreement;
	enum counter_id counters[COUNTERS];
	const char *metrics[COUNTERS];
	int rules[COUNTERS];
	int n;
	uint64_t done;
};

static const char *command(struct arena *arena, const struct lesson *lesson, const struct experiment_point *point)
{
	struct buf out = {0};
	buf_printf(&out, "simttutor show %s/%s", lesson->id, point->step->id);
	for (int i = 0; i < lesson->n_parameters; i++)
		buf_printf(&out, " --set %s=%" PRId64, lesson->parameters[i].name, point->values[i]);
	buf_puts(&out, " --gpu local");
	const char *text = arena_strdup(arena, buf_str(&out));
	buf_free(&out);
	return text;
}

/* False with an error when the model has no prediction. */
static bool predict(struct lessons_run *run, struct experiment *e, const char *label)
{
	const struct experiment_run *model = experiment_run(e);
	struct diag *diag = &run->v->ctx->diag;
	if (!model->ran)
		experiment_report(e, diag);
	else if (model->result.outcome != SIMT_OK)
		diag_error(diag, (struct diag_pos){.file = run->lesson->path}, "%s: %s", label, model->result.message);
	return model->ran && model->result.outcome == SIMT_OK;
}

static bool run_lesson(struct lessons_run *run, const struct lesson *lesson)
{
	struct validation *v = run->v;
	struct experiment_points points;
	if (!experiment_points_of_lesson(v->ctx->arena, lesson, &points, &v->ctx->diag))
		return false;
	struct experiments *set = experiments_new(lesson,
		&(struct experiment_rules){.steps = PROFILE_STEPS_PATIENT, .cc = v->info.cc, .keep = EXPERIMENTS_KEPT});
	run->lesson = lesson;
	v->cases = run->done + (uint64_t)points.n;
	for (int i = 0; i < points.n && !cmd_validate_stopped(); i++) {
		cmd_validate_progress(v, "lessons", run->done++, validate_agreement_violations(&run->agreement));
		if (!lesson_expects_defect(lesson, points.points[i].step, points.points[i].values)) {
			const struct experiment_point *point = &points.points[i];
			struct experiment *e = experiment_open(set, point->step, point->values);
			const struct kernel_file *file = e->kernel->file;
			const struct launch *launch = experiment_gpu_launch(e);
			if (!launch)
				continue;
			if (!experiment_fits_gpu(e, v->info.cc)) {
				run->agreement.left_out++;
				continue;
			}
			const struct measure_request request = {.ptx = file->ptx_text,
				.ptx_len = file->ptx_len,
				.launch = launch,
				.metrics = run->metrics,
				.n_metrics = run->n};
			const struct wire_measurement *m = predict(run, e, point->label)
				? measure_launch(v->ctx, run->v->gpu, point->label, &request)
				: NULL;
			if (m) {
				const struct counts counted = measure_counts(m, v->info.cc);

				const struct counts *model = &experiment_run(e)->counts;

				/* The shared wavefronts of the launch's instructions, counted only where they are
				 * needed to compare. */
				bool needed = false;
				for (int j = 0; j < run->n; j++)
					needed |= counter_counts_waits(run->counters[j]) &&
						counted.c[run->counters[j]].v > model->c[run->counters[j]].v;
				const char *ptx = needed ? experiment_lines_ptx(e) : NULL;
				const struct wire_error *error;
				const struct wire_line_counts *lines = ptx
					? measure_lines(run->v->gpu, ptx, experiment_gpu_launch(e), &error)
					: NULL;
				experiment_report(e, &run->v->ctx->diag);
				struct value wavefronts = lines ? experiment_lines_wavefronts(lines)
								: value_missing(VALUE_NONE);

				struct arena *arena = arena_new();
				for (int k = 0; k < run->n; k++) {
					const struct value *predicted = &model->c[run->counters[k]],
							   *measured = &counted.c[run->counters[k]];
					if (!counter_is_comparable(run->counters[k], model, &counted))
						continue;
					const char *what = arena_printf(arena,
						"%s/%s, %s: predicted %.17g, counted %.17g", run->lesson->id,
						point->step->id, point->label, predicted->v, measured->v);
					bool same = counter_compare(run->counters[k], model, &counted, wavefronts) !=
						COUNTER_DIFFERS;
					validate_agreement_add(&run->agreement, run->rules[k], same ? NULL : what,
						same ? NULL : command(arena, run->lesson, point));
				}
				arena_free(arena);
			}
			run->agreement.failed += !m;
		}
	}
	experiments_free(set);
	return true;
}

int cmd_validate_lessons(struct validation *v)
{
	struct cmd_ctx *ctx = v->ctx;
	struct lessons_run run = {.v = v,
		.agreement = validate_agreement_new(ctx->arena, "lessons", "count of launches", "counts of launches")};
	struct catalog *catalog = lesson_catalog_load(ctx->arena, ctx->paths.data, &tutor_lesson_names, &ctx->diag);
	run.agreement.other = v->gpu_name;
	if (!catalog)
		return EXIT_MISSING;

	for (int i = 0; i < COUNTERS; i++) {
		if (counter_table[i].trust != COUNTER_EXACT || counter_is_of_model((enum counter_id)i))
			continue;
		run.counters[run.n] = (enum counter_id)i;
		run.rules[run.n] = validate_agreement_rule(&run.agreement, counter_table[i].hw, true);
		run.metrics[run.n++] = counter_table[i].hw;
	}

	bool ok = true;
	for (int i = 0; i < catalog->n_lessons && !cmd_validate_stopped(); i++)
		ok = run_lesson(&run, catalog->lessons[i]) && ok;
	run.agreement.stopped = cmd_validate_stopped();
	int status = cmd_validate_report_agreement(v, &run.agreement);
	return ok ? status : EXIT_FAILED;
}

/* --- occupancy ---------------------------------------------------------------------------------------------------- */

/* Random launch shapes: how many blocks an SM holds, by the model and as counted by the blocks themselves.
 *
 * Some SMs may hold one block less than fits while the kernel runs (seen on an H200: 9 of 10 blocks of six warps); the
 * rule is about the most blocks that any SM held. */

static bool try_shape(struct validation *v, struct agreement *agreement, const struct shape *shape, struct arena *arena)
{
	const char *ptx = validate_shape_ptx(arena, shape), *label = arena_printf(arena, "shape %" PRIu64, shape->seed);
	const struct measure_request request = {.ptx = ptx,
		.ptx_len = strlen(ptx),
		.buffers = true,
		.launch = validate_shape_launch(arena, shape, v->info.cc, v->info.sms)};
	const struct wire_measurement *m = measure_launch(v->ctx, v->gpu, label, &request);
	if (!m)
		return false;

	if (m->n_buffers <= SHAPE_RESULT || m->buffer_bytes[SHAPE_RESULT] != (size_t)v->info.sms * sizeof(uint32_t)) {
		diag_error(&v->ctx->diag, (struct diag_pos){0}, "%s: only part of its results was returned", label);
		return false;
	}

	/* The fewest and the most that any SM held. */
	uint32_t fewest = UINT32_MAX, most = 0;
	for (int i = 0; i < v->info.sms; i++) {
		uint32_t n;
		memcpy(&n, (const char *)m->buffers[SHAPE_RESULT] + (size_t)i * sizeof n, sizeof n);
		fewest = n < fewest ? n : fewest;
		most = n > most ? n : most;
	}

	struct occupancy o = validate_shape_occupancy(shape, v->info.cc, m->registers);
	struct buf what = {0};
	validate_shape_describe(shape, m->registers, &what);
	buf_printf(&what, ": predicted %" PRIu32 " block%s of an SM, counted %" PRIu32 " to %" PRIu32, o.blocks,
		o.blocks == 1 ? "" : "s", fewest, most);
	bool same = o.blocks == most;

	/* The rule is the resource that limits the blocks. */
	const char *limits = "";
	for (int r = 0; r < OCCUPANCY_N; r++)
		if (o.limits >> r & 1)
			limits = arena_printf(arena, "%s%s%s", limits, *limits ? " and " : "limited by ",
				occupancy_resource_name((enum occupancy_resource)r));
	const char *again = arena_printf(
		arena, "simttutor validate occupancy --live --seed %" PRIu64 " --count 1", shape->seed);
	validate_agreement_add(agreement, validate_agreement_rule(agreement, limits, o.state != OCCUPANCY_UNKNOWN_CC),
		same ? NULL : buf_str(&what), again);
	buf_free(&what);
	return true;
}

int cmd_validate_occupancy(struct validation *v)
{
	struct agreement agreement = validate_agreement_new(
		v->ctx->arena, "occupancy", "launch shape", "launch shapes");
	int failures = 0;
	agreement.other = v->gpu_name;
	agreement.seed = v->seed;
	agreement.seeded = true;
	for (uint64_t i = 0; i < v->cases && failures < FAILURES_MAX && !cmd_validate_stopped(); i++) {
		struct arena *arena = arena_new();
		struct shape shape = validate_shape_generate(v->seed + i);
		validate_shape_fit(&shape, v->info.cc);
		cmd_validate_progress(v, "occupancy", i, validate_agreement_violations(&agreement));
		bool ok = try_shape(v, &agreement, &shape, arena);
		failures = ok ? 0 : failures + 1;
		agreement.failed += !ok;
		arena_free(arena);
	}
	agreement.stopped = cmd_validate_stopped();
	return cmd_validate_report_agreement(v, &agreement);
}

/* --- access patterns ---------------------------------------------------------------------------------------------- */

/* Random accesses: what the model predicts against what a GPU counts, or counted. */

/* One pattern's counts, set after set; NAN for a set that was not counted. */
struct pattern_counts {
	double values[PATTERN_COUNTS_MAX];
	bool failed;
};

struct pattern_run {
	struct validation *v;
	struct agreement agreement;
	struct pattern_counts *counted; /* of each pattern */
	uint64_t measured, of;          /* sets of patterns */
	uint64_t differ;                /* sets of exact rules that were measured and differ */
	int rules[256];                 /* row of each kind */
	const char **ptx;               /* of each kind, made on first use */
	int failures_in_a_row;
	int cc;
};

static void begin_patterns(struct pattern_run *run, struct validation *v, const char *other, int cc)
{
	struct arena *arena = v->ctx->arena;
	*run = (struct pattern_run){
		.v = v, .agreement = validate_agreement_new(arena, "patterns", "pattern", "patterns"), .cc = cc};
	run->agreement.other = other;
	run->ptx = arena_array(arena, const char *, (size_t)validate_pattern_kinds());
	for (int i = 0; i < validate_pattern_kinds(); i++)
		run->rules[i] = validate_agreement_rule(&run->agreement, validate_pattern_kind(i)->name,
			validate_pattern_is_exact(validate_pattern_kind(i), cc));
}

/* --- comparing ---------------------------------------------------------------------------------------------------- */

/* Writes what differs in a set: "wavefronts: predicted 3, counted 4". */
static void describe_set(
	const struct pattern_run *run, const struct pattern *p, int set, const double *counts, struct buf *out)
{
	for (int i = 0; i < p->kind->sets[set].n; i++) {
		const struct pattern_counter *counter = &p->kind->sets[set].counters[i];
		double predicted = validate_pattern_predict(p, set, i, run->cc);
		if (!isnan(counts[i]) && counts[i] != predicted)
			buf_printf(out, "%s%s: predicted %g, counted %g", out->len ? "; " : "", counter->name,
				predicted - counter->own, counts[i] - counter->own);
	}
}

static void judge_pattern(struct pattern_run *run, const struct pattern *p, const double *counts)
{
	struct buf what = {0}, how = {0};

	for (int set = 0; set < p->kind->n_sets; counts += p->kind->sets[set++].n)
		describe_set(run, p, set, counts, &what);
	if (what.len)
		validate_pattern_command(p, &how);
	validate_agreement_add(&run->agreement, run->rules[(int)(p->kind - validate_pattern_kind(0))],
		what.len ? buf_str(&what) : NULL, buf_str(&how));
	buf_free(&what);
	buf_free(&how);
}

/* --- counting ----------------------------------------------------------------------------------------------------- */

static const char *ptx_of(struct pattern_run *run, const struct pattern_kind *kind)
{
	const char **ptx = &run->ptx[kind - validate_pattern_kind(0)];
	if (!*ptx)
		*ptx = validate_pattern_ptx(run->v->ctx->arena, kind);
	return *ptx;
}

/* Measures one set of one pattern. */
static bool measure_set(struct pattern_run *run, struct arena *arena, const struct pattern *p, int set, double *out)
{
	const struct pattern_set *counters = &p->kind->sets[set];
	const char *metrics[PATTERN_SET_MAX];
	const char *ptx = ptx_of(run, p->kind),
		   *label = arena_printf(arena, "pattern %" PRIu64 ", %s", p->seed, p->kind->name);
	for (int i = 0; i < counters->n; i++)
		metrics[i] = counters->counters[i].hw;
	const struct measure_request request = {.ptx = ptx,
		.ptx_len = strlen(ptx),
		.launch = validate_pattern_launch(arena, p),
		.metrics = metrics,
		.n_metrics = counters->n};
	const struct wire_measurement *m = measure_launch(run->v->ctx, run->v->gpu, label, &request);
	if (!m)
		return false;

	bool all = true;
	for (int i = 0; i < counters->n && all; i++) {
		all = i < m->n && m->available[i] && strcmp(m->metrics[i], counters->counters[i].hw) == 0;
		if (all)
			out[i] = m->values[i];
	}
	if (all)
		return true;
	diag_error(&run->v->ctx->diag, (struct diag_pos){0}, "%s: this GPU does not have %s", label, metrics[0]);
	return false;
}

static bool set_differs(const struct pattern_run *run, const struct pattern *p, int set, const double *counts)
{
	struct buf what = {0};
	if (validate_pattern_is_exact(p->kind, run->cc))
		describe_set(run, p, set, counts, &what);
	bool differs = what.len > 0;
	buf_free(&what);
	return differs;
}

/* Whether an earlier kind, or set, has these counters. */
static bool is_first_with(const struct pattern_counter *counters, int kind, int set)
{
	for (int k = 0; k <= kind; k++)
		for (int s = 0; s < (k == kind ? set : validate_pattern_kind(k)->n_sets); s++)
			if (validate_pattern_kind(k)->sets[s].counters == counters)
				return false;
	return true;
}

/* Measures one set of all patterns of a kind. False when the campaign should end. */
static bool measure_kind(struct pattern_run *run, int kind, int set)
{
	uint64_t kinds = (uint64_t)validate_pattern_kinds(), seed = run->v->seed;
	for (uint64_t i = ((uint64_t)kind + kinds - seed % kinds) % kinds; i < run->v->cases; i += kinds) {
		if (cmd_validate_stopped() || run->failures_in_a_row >= FAILURES_MAX)
			return false;

		struct pattern p = validate_pattern_generate(run->v->seed + i);
		struct pattern_counts *c = &run->counted[i];
		int at = 0;
		if (!validate_pattern_measures(&p, set))
			continue;
		struct arena *arena = arena_new();
		for (int s = 0; s < set; s++)
			at += p.kind->sets[s].n;
		if (!c->failed)
			c->failed = !measure_set(run, arena, &p, set, &c->values[at]);
		run->failures_in_a_row = c->failed ? run->failures_in_a_row + 1 : 0;
		run->differ += !c->failed && set_differs(run, &p, set, &c->values[at]);
		cmd_validate_progress(run->v, "patterns", run->measured++ * run->v->cases / run->of, run->differ);
		arena_free(arena);
	}
	return true;
}

static bool measure_counters(struct pattern_run *run, const struct pattern_counter *counters)
{
	for (int k = 0; k < validate_pattern_kinds(); k++)
		for (int s = 0; s < validate_pattern_kind(k)->n_sets; s++)
			if (validate_pattern_kind(k)->sets[s].counters == counters && !measure_kind(run, k, s))
				return false;
	return true;
}

/* Switching the profiler to other counters takes longer than counting, so patterns are measured counter set by counter
 * set. */
static void measure_all(struct pattern_run *run)
{
	for (int k = 0; k < validate_pattern_kinds(); k++)
		for (int s = 0; s < validate_pattern_kind(k)->n_sets; s++) {
			const struct pattern_counter *counters = validate_pattern_kind(k)->sets[s].counters;
			if (is_first_with(counters, k, s) && !measure_counters(run, counters))
				return;
		}
}

static bool is_complete(const struct pattern *p, const struct pattern_counts *c)
{
	int at = 0;
	for (int set = 0; set < p->kind->n_sets; set++)
		for (int i = 0; i < p->kind->sets[set].n; i++, at++)
			if (isnan(c->values[at]) && validate_pattern_measures(p, set))
				return false;
	return true;
}

int cmd_validate_patterns(struct validation *v)
{
	struct pattern_run run;
	begin_patterns(&run, v, v->gpu_name, v->info.cc);
	run.agreement.seed = v->seed;
	run.agreement.seeded = true;
	run.counted = base_calloc(v->cases + 1, sizeof *run.counted);
	for (uint64_t i = 0; i < v->cases; i++) {
		struct pattern p = validate_pattern_generate(v->seed + i);
		for (int set = 0; set < p.kind->n_sets; set++)
			run.of += validate_pattern_measures(&p, set);
		for (int k = 0; k < PATTERN_COUNTS_MAX; k++)
			run.counted[i].values[k] = NAN;
	}
	if (v->record.path)
		cmd_validate_begin_recording(v, "patterns", PATTERN_FORMAT);
	measure_all(&run);

	for (uint64_t i = 0; i < run.v->cases; i++) {
		struct pattern p = validate_pattern_generate(run.v->seed + i);
		const struct pattern_counts *c = &run.counted[i];
		run.agreement.failed += c->failed;
		if (c->failed || !is_complete(&p, c))
			continue;
		judge_pattern(&run, &p, c->values);
		if (run.v->record.path)
			validate_pattern_record(&p, c->values, &run.v->recording);
	}

	run.agreement.stopped = cmd_validate_stopped();
	free(run.counted);
	return cmd_validate_report_agreement(v, &run.agreement);
}

/* --- a recording -------------------------------------------------------------------------------------------------- */

int cmd_validate_replay_patterns(struct validation *v, const struct buf *text)
{
	struct pattern_run run;
	begin_patterns(&run, v, v->expect, MODEL_CC_DEFAULT);
	char *lines = base_strdup(buf_str(text));

	int number = 2; /* strtok_r skips empty lines */
	char *next = NULL, *line = strtok_r(lines, "\n", &next);
	char expected[40];
	snprintf(expected, sizeof expected, "simttutor patterns %d", PATTERN_FORMAT);
	bool ok = line && strcmp(line, expected) == 0;
	if (!ok)
		diag_error(&v->ctx->diag, (struct diag_pos){.file = v->expect, .line = 1},
			"it does not begin with '%s'", expected);
	for (; ok && (line = strtok_r(NULL, "\n", &next)) != NULL; number++) {
		struct pattern p;
		double counts[PATTERN_COUNTS_MAX];
		struct diag_pos pos = {
			.file = v->expect, .line = number, .col = 1, .text = line, .text_len = strlen(line)};
		if (*line == '#')
			continue;
		ok = validate_pattern_read(line, pos, &p, counts, &v->ctx->diag);
		if (ok)
			judge_pattern(&run, &p, counts);
	}

	free(lines);
	if (ok && !validate_agreement_cases(&run.agreement))
		diag_error(&v->ctx->diag, (struct diag_pos){.file = v->expect}, "it holds no pattern");
	return ok && validate_agreement_cases(&run.agreement) ? cmd_validate_report_agreement(v, &run.agreement)
							      : EXIT_FAILED;
}
