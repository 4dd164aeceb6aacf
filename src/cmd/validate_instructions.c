#include "cmd/validate.h"
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "cmd/measure.h"
#include "machine/ptx/ops.h"
#include "model/profile/profile.h"
#include "model/validate/trial.h"

#define KEPT_MARK "// launch: grid 1 block "
#define FAILURES_MAX 5 /* programs in a row without results: the GPU is given up */

/* --- one program -------------------------------------------------------------------------------------------------- */

struct program_run {
	struct validation *v;
	struct arena *arena;
	struct trial *trial;
	struct buf ptx;
	struct launch launch;
	struct tally_run run;
};

/* Writes the PTX with its launch as a comment, like the fixtures of tests/ptx. */
static void keep_program(struct program_run *a)
{
	struct buf text = {0};
	if (!a->v->keep)
		return;
	buf_printf(&text, KEPT_MARK "%d; arg %s; arg %s\n%s", a->trial->lanes, a->launch.args[0].text,
		a->launch.args[1].text, buf_str(&a->ptx));
	const char *name = arena_printf(a->arena, "%llu.ptx", (unsigned long long)a->trial->seed);
	const struct output output = {"--keep", path_join(a->arena, a->v->keep, name), KEPT_MARK, a->v->force};
	output_write(a->v->ctx, &output, &text);
	buf_free(&text);
}

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

static void record_results(struct program_run *a)
{
	struct trial *t = a->trial;
	for (int i = 0; i < t->n_steps; i++) {
		t->steps[i].recorded = !validate_forms_is_approximate(t->steps[i].form);
		t->steps[i].hash = validate_tally_hash(t, i, a->run.other);
	}
	validate_trial_record(t, &a->v->recording);
}

/* False when the campaign should end. */
static bool try_program(struct validation *v, struct arena *arena, struct trial *trial)
{
	struct program_run a = {.v = v, .arena = arena, .trial = trial};
	bool ok = run_program_on_machine(&a) && (!v->gpu || run_program_on_gpu(&a));
	if (!ok || validate_tally_add(v->tally, trial, &a.run))
		keep_program(&a);
	if (ok && v->record.path)
		record_results(&a);
	v->failed += !ok;
	v->failures_in_a_row = ok ? 0 : v->failures_in_a_row + 1;
	buf_free(&a.ptx);
	if (v->failures_in_a_row == FAILURES_MAX)
		diag_error(&v->ctx->diag, (struct diag_pos){0}, "%d programs in a row gave no results; stopped",
			FAILURES_MAX);
	return v->failures_in_a_row < FAILURES_MAX;
}

/* --- all programs ------------------------------------------------------------------------------------------------- */

static void generate_random(struct validation *v)
{
	bool go_on = true;
	for (uint64_t i = 0; go_on && i < v->cases && !cmd_validate_stopped(); i++) {
		struct arena *arena = arena_new();
		cmd_validate_progress(v, "instructions", i, v->tally->different);
		go_on = try_program(v, arena, validate_trial_generate(arena, &v->choice, v->seed + i));
		arena_free(arena);
	}
}

/* Row after row; each program has the next seed, as random ones have. */
static void generate_every(struct validation *v)
{
	uint64_t seed = v->seed;
	bool go_on = true;
	for (int op = 0; op < PTX_OPS; op++)
		for (int next = 0; go_on && !cmd_validate_stopped() && v->choice.enabled[op] &&
			next < validate_forms_count(v->forms, op);) {
			struct arena *arena = arena_new();
			go_on = try_program(v, arena, validate_trial_cover(arena, &v->choice, seed++, op, &next));
			arena_free(arena);
		}
}

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
	(v->every ? generate_every : generate_random)(v);
	if (!v->tally->programs && !v->failed)
		return EXIT_OK;
	return found_something(v) ? EXIT_OK : EXIT_FAILED;
}
