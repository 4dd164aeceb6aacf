#include "config.h"
#include "cmd/validate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <time.h>

#include "base/file.h"
#include "cmd/measure.h"
#include "cmd/picture.h"
#include "profile/profile.h"
#include "validate/text.h"

#define COUNT_DEFAULT 200
#define COUNT_MAX 1000000
#define CC_LEAST 90               /* of the .target in validate/emit.c */
#define RECORDING_MAX ((size_t)64 << 20)
#define FAILURES_MAX 5            /* programs in a row without results: the GPU is given up */

static int run_validate(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

static const struct cmd_option options[] = {
	{"count", 'n', "N", "how many programs; 200 when not given"},
	{"seed", 's', "S", "of the first program; each next has the next number. A fresh one when not given; it is printed"},
	{"every", 0, NULL, "instead of random programs, those that go through every form of every instruction once"},
	{"live", 0, NULL, "compare with the GPU. --gpu SPEC means the same"},
	{"only", 0, "ROW|GROUP", "these instructions alone, as in add, ADD_INT, cvt, float or atom; may be repeated"},
	{"record", 0, "FILE", "with --live: store the programs and what the GPU gave"},
	{"expect", 0, "FILE", "compare with such a recording; needs no GPU"},
	{"keep", 0, "DIR", "write each program that differs or fails to DIR/SEED.ptx, with its launch"},
	{"format", 0, "FORMAT", "text or json"},
	{0},
};

const struct cmd_entry cmd_validate_entry = {
	.name = "validate",
	.usage = "(--live [--count N | --every] [--seed S] [--only ROW|GROUP]... [--record FILE] | --expect FILE) "
		 "[--keep DIR] [--format text|json]",
	.summary = "compare the machine with the hardware on random programs",
	.details = "Makes random programs from the table of instructions, with inputs that lean to edge values, runs each on the "
		   "SIMT machine and on the GPU, and compares every result of every instruction in every lane bit by bit; "
		   "approximate instructions within the bound that the PTX manual states. An instance is one instruction executed on "
		   "one set of operand values, a lane's or, where lanes act together, a warp's; repeated operand values are not "
		   "counted again. Random programs are kept apart by their seed: --seed S --count 1 makes program S alone. --expect replays a "
		   "recording where there is no GPU. Exit status 1 when anything differs.",
	.options = options,
	.run = run_validate,
};

/* --- what was asked ----------------------------------------------------------------------------------------------- */

static bool read_number(struct validation *v, const struct cmd_parsed *arg, uint64_t most, uint64_t *out)
{
	char *end;
	errno = 0;
	*out = strtoull(arg->value, &end, 0);
	if (arg->value[0] >= '0' && arg->value[0] <= '9' && !*end && !errno && *out <= most)
		return true;
	return cmd_bad_value(v->ctx, arena_printf(v->ctx->arena, "--%s", arg->option->name), arg->value,
		arena_printf(v->ctx->arena, "a whole number up to %llu", (unsigned long long)most));
}

/* A row by id, by its opcode's beginning, or all of a group. */
static bool row_is(const struct forms *forms, int op, const char *name)
{
	const char *spelling = ptx_op_rows[op].spelling;
	size_t n = strlen(name);
	return strcasecmp(ptx_op_rows[op].id, name) == 0 || strcasecmp(forms_group(forms, op), name) == 0 ||
		(strncmp(spelling, name, n) == 0 && (spelling[n] == '\0' || spelling[n] == '.'));
}

static bool read_only(struct validation *v, const char *name)
{
	bool found = false;
	for (int op = 0; op < PTX_OPS; op++)
		if (!forms_left_out(op) && row_is(v->forms, op, name))
			v->choice.enabled[op] = found = true;
	return found || cmd_bad_value(v->ctx, "--only", name, "an instruction with a result, as add or ADD_INT, or a group, as "
		"int, bits, float, compare, cvt, mem or warp");
}

static bool read_option(struct validation *v, const struct cmd_parsed *arg)
{
	if (!arg->option) {
		cmd_usage(v->ctx, &cmd_validate_entry, "'%s': it takes no arguments", arg->value);
		return false;
	}
	if (cmd_is(arg, "count"))
		return v->has_count = true, read_number(v, arg, COUNT_MAX, &v->count);
	if (cmd_is(arg, "seed"))
		return v->has_seed = true, read_number(v, arg, UINT64_MAX - COUNT_MAX, &v->seed);
	if (cmd_is(arg, "only"))
		return read_only(v, arg->value);
	if (cmd_is(arg, "format"))
		return picture_format(v->ctx, arg->value, &v->format) && (v->format == EXPORT_TEXT || v->format == PICTURE_JSON ||
			cmd_bad_value(v->ctx, "--format", arg->value, "text or json"));
	if (cmd_is(arg, "live") || cmd_is(arg, "every"))
		*(cmd_is(arg, "live") ? &v->live : &v->every) = true;
	else
		*(cmd_is(arg, "record") ? &v->record : cmd_is(arg, "expect") ? &v->expect : &v->keep) = arg->value;
	return true;
}

static bool any_enabled(const struct validation *v)
{
	for (int op = 0; op < PTX_OPS; op++)
		if (v->choice.enabled[op])
			return true;
	return false;
}

static bool check(struct validation *v)
{
	bool generates = v->has_seed || v->has_count || v->every || any_enabled(v);
	const char *wrong = v->live && v->expect ? "--live or --expect, not both"
		: !v->live && !v->expect ? "what is the machine to be compared with? --live (a GPU) or --expect FILE (a recording)"
		: v->every && v->has_count ? "--every makes as many programs as it takes; --count is for random ones"
		: v->expect && (generates || v->record) ? "--expect FILE replays what the file holds"
		: NULL;
	if (wrong)
		cmd_usage(v->ctx, &cmd_validate_entry, "%s", wrong);
	return !wrong;
}

static bool read_args(struct validation *v, const struct cmd_parsed *args, int n)
{
	for (int i = 0; i < n; i++)
		if (!read_option(v, &args[i]))
			return false;
	v->live = v->live || (v->ctx->gpu && strcmp(v->ctx->gpu, "none") != 0);
	return check(v);
}

/* --- one program -------------------------------------------------------------------------------------------------- */

struct attempt {
	struct validation *v;
	struct arena *arena;
	struct trial *trial;
	struct buf ptx;
	struct launch launch;
	struct tally_run run;
};

/* The PTX with its launch as a comment, as the fixtures of tests/ptx have it. */
static void keep(struct attempt *a)
{
	struct buf text = {0};
	if (!a->v->keep)
		return;
	buf_printf(&text, "// launch: grid 1 block %d; arg %s; arg %s\n%s", a->trial->lanes, a->launch.args[0].text,
		a->launch.args[1].text, buf_str(&a->ptx));
	file_write(path_join(a->arena, a->v->keep, arena_printf(a->arena, "%llu.ptx", (unsigned long long)a->trial->seed)),
		text.data, text.len, &a->v->ctx->diag);
	buf_free(&text);
}

/* The program has to get through our own parser and the machine; that it does not is a fault of ours. */
static bool run_machine(struct attempt *a)
{
	struct diag *diag = &a->v->ctx->diag;
	const char *name = arena_printf(a->arena, "program %llu", (unsigned long long)a->trial->seed);
	trial_write(a->trial, &a->ptx);
	trial_launch(a->arena, a->trial, &a->launch);
	struct ptx_module *module = ptx_parse(a->arena, name, buf_str(&a->ptx), a->ptx.len, diag);
	struct profile *profile = module ? profile_run(a->arena, module, &a->launch, (struct profile_watch){0}, CC_LEAST, diag) : NULL;
	if (!profile)
		return false;
	if (profile->result.outcome != SIMT_OK) {
		diag_error(diag, (struct diag_pos){.file = name, .line = profile->result.place.ptx_line}, "%s", profile->result.message);
		return false;
	}
	a->run.inputs = a->launch.args[0].bytes;
	a->run.machine = profile->buffers[1];
	return true;
}

static bool run_gpu(struct attempt *a)
{
	struct cmd_ctx *ctx = a->v->ctx;
	struct measure_request request = {buf_str(&a->ptx), a->ptx.len, &a->launch, NULL, 0, true};
	const char *label = arena_printf(a->arena, "program %llu on the GPU", (unsigned long long)a->trial->seed);
	const struct wire_measurement *m = measure_launch(ctx, a->v->gpu, label, &request);
	size_t bytes = launch_arg_bytes(&a->launch.args[1]);
	if (!m)
		return false;
	if (m->n_buffers != 2 || m->buffer_bytes[1] != bytes) {
		diag_error(&ctx->diag, (struct diag_pos){0}, "%s: its results did not come back whole", label);
		return false;
	}
	a->run.other = memcpy(arena_alloc(a->arena, bytes), m->buffers[1], bytes);
	return true;
}

static void record(struct attempt *a)
{
	struct trial *t = a->trial;
	for (int i = 0; i < t->n_steps; i++) {
		t->steps[i].recorded = !forms_is_approximate(t->steps[i].form);
		t->steps[i].hash = tally_hash(t, i, a->run.other);
	}
	trial_record(t, &a->v->recording);
}

/* False when it makes no sense to go on. */
static bool try_program(struct validation *v, struct arena *arena, struct trial *trial)
{
	struct attempt a = {.v = v, .arena = arena, .trial = trial};
	bool ok = run_machine(&a) && (!v->gpu || run_gpu(&a));
	if (!ok || tally_add(v->tally, trial, &a.run))
		keep(&a);
	if (ok && v->record)
		record(&a);
	v->failed += !ok;
	v->failures_in_a_row = ok ? 0 : v->failures_in_a_row + 1;
	buf_free(&a.ptx);
	if (v->failures_in_a_row == FAILURES_MAX)
		diag_error(&v->ctx->diag, (struct diag_pos){0}, "%d programs in a row gave no results; stopped", FAILURES_MAX);
	return v->failures_in_a_row < FAILURES_MAX;
}

/* --- all programs ------------------------------------------------------------------------------------------------- */

static void generate_random(struct validation *v)
{
	bool go_on = true;
	for (uint64_t i = 0; go_on && i < v->count; i++) {
		struct arena *arena = arena_new();
		go_on = try_program(v, arena, trial_generate(arena, &v->choice, v->seed + i));
		arena_free(arena);
	}
}

/* Row after row; each program has the next seed, as random ones have. */
static void generate_every(struct validation *v)
{
	uint64_t seed = v->seed;
	bool go_on = true;
	for (int op = 0; op < PTX_OPS; op++)
		for (int next = 0; go_on && v->choice.enabled[op] && next < forms_count(v->forms, op);) {
			struct arena *arena = arena_new();
			go_on = try_program(v, arena, trial_cover(arena, &v->choice, seed++, op, &next));
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

static int replay(struct validation *v)
{
	struct buf text = {0};
	struct diag *diag = &v->ctx->diag;
	if (!file_read(v->expect, RECORDING_MAX, &text, diag))
		return EXIT_MISSING;
	bool ok = trial_read_all(v->forms, v->expect, buf_str(&text), text.len, replay_one, v, diag);
	buf_free(&text);
	if (ok && !v->tally->programs && !v->failed)
		diag_error(diag, (struct diag_pos){.file = v->expect}, "it holds no program");
	return ok && v->tally->programs ? EXIT_OK : EXIT_FAILED;
}

static void begin_recording(struct validation *v, const struct wire_gpu *info)
{
	char date[20];
	time_t now = time(NULL);
	strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
	buf_printf(&v->recording, "simttutor validate %d\n# %s, CC %d.%d, driver %s, CUDA %d.%d, %s; simttutor %s, seed %llu\n",
		TRIAL_FORMAT, info->name, info->cc / 10, info->cc % 10, info->driver, info->driver_cuda / 1000,
		info->driver_cuda % 1000 / 10, date, PACKAGE_VERSION, (unsigned long long)v->seed);
}

static int compare_live(struct validation *v)
{
	struct cmd_ctx *ctx = v->ctx;
	const struct wire_gpu *info = measure_find(ctx, v->gpu);
	if (!info)
		return EXIT_MISSING;
	if (info->cc < CC_LEAST) {
		diag_error(&ctx->diag, (struct diag_pos){0}, "%s has CC %d.%d; the programs need 9.0", info->name, info->cc / 10,
			info->cc % 10);
		return EXIT_MISSING;
	}
	v->gpu_name = arena_strdup(ctx->arena, info->name);
	begin_recording(v, info);
	(v->every ? generate_every : generate_random)(v);
	return v->record && !file_write(v->record, v->recording.data, v->recording.len, &ctx->diag) ? EXIT_FAILED : EXIT_OK;
}

static int go_live(struct validation *v)
{
	struct cmd_ctx *ctx = v->ctx;
	v->gpu = gpu_new(ctx->gpu ? ctx->gpu : "local", ctx->paths.worker, &ctx->diag);
	int status = v->gpu ? compare_live(v) : EXIT_USAGE;
	gpu_free(v->gpu);
	return status;
}

static int report(struct validation *v, int status)
{
	struct buf out = {0};
	if (v->format == PICTURE_JSON)
		validate_write_json(v, &out);
	else
		validate_write_text(v, &out);
	if (!cmd_print(v->ctx, &out))
		status = EXIT_FAILED;
	buf_free(&out);
	return status;
}

static uint64_t fresh_seed(void)
{
	uint32_t seed = 0;
	if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
		seed = (uint32_t)time(NULL);
	return seed;
}

static int run_validate(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct validation v = {.ctx = ctx, .count = COUNT_DEFAULT, .format = PICTURE_DEFAULT};
	v.forms = v.choice.forms = forms_new(ctx->arena);
	if (!read_args(&v, args, n))
		return EXIT_USAGE;
	v.seed = v.has_seed ? v.seed : fresh_seed();
	v.tally = tally_new(ctx->arena, v.forms);
	bool all = !any_enabled(&v);
	for (int op = 0; op < PTX_OPS; op++)
		v.choice.enabled[op] = v.choice.enabled[op] || (all && !forms_left_out(op));
	int status = v.expect ? replay(&v) : go_live(&v);
	if (status == EXIT_OK && (v.tally->different || v.failed))
		status = EXIT_FAILED;
	if (v.tally->programs || v.failed)
		status = report(&v, status);
	buf_free(&v.recording);
	return status;
}
