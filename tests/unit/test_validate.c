/* The generator of programs for `simttutor validate`: what it covers, that its programs parse and that NVIDIA's
 * assembler takes them, and the bounds and recordings beside it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/ptx/ops.h"
#include "model/validate/trial.h"

static struct arena *arena;
static struct trial_choice choice;

static int set_up(void **state)
{
	(void)state;
	arena = arena_new();
	choice = validate_choice_new(arena, validate_forms_new(arena));
	for (int op = 0; op < PTX_OPS; op++)
		choice.enabled[op] = !validate_forms_left_out(op);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

static bool parses(const struct trial *trial, struct buf *ptx)
{
	struct arena *own = arena_new();
	struct diag diag = {0};
	struct buf text = {0};
	buf_clear(ptx);
	validate_trial_write(trial, ptx);
	struct ptx_module *module = ptx_parse(own, "program", ptx->data, ptx->len, &diag);
	bool ok = module && ptx_find_kernel(module, "trial", &diag);
	if (!ok) {
		diag_format(&diag, &text);
		print_message("%s", buf_str(&text));
	}
	buf_free(&text);
	diag_free(&diag);
	arena_free(own);
	return ok;
}

/* Each test makes its programs in an arena of their own. */
static struct arena *trials;

static struct trial *fresh(uint64_t seed)
{
	if (trials)
		arena_free(trials);
	trials = arena_new();
	return validate_trial_generate(trials, &choice, seed);
}

static void every_row_has_forms(void **state)
{
	(void)state;
	int missing = 0;
	for (int op = 0; op < PTX_OPS; op++) {
		struct trial_operand wants[TRIAL_SOURCES_MAX];
		if (validate_forms_left_out(op))
			continue;
		if (!validate_forms_count(choice.forms, op))
			print_error(
				"no legal form of %s: machine/ptx/legal.c or is_generated in model/validate/forms.c forbid them all, or "
				"a row of ops.def before it takes the same suffixes\n",
				ptx_op_rows[op].id);
		else if (validate_trial_operands(validate_forms_at(choice.forms, op, 0), wants) < 0)
			print_error("%s has operands that model/validate/trial.c does not know: \"%s\"\n",
				ptx_op_rows[op].id, ptx_op_rows[op].operands);
		else
			continue;
		missing++;
	}
	assert_int_equal(missing, 0);
}

static void programs_reach_every_row(void **state)
{
	(void)state;
	bool reached[PTX_OPS] = {false};
	int missing = 0;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		const struct trial *t = fresh(seed);
		for (int i = 0; i < t->n_steps; i++)
			reached[t->steps[i].form->op] = true;
	}
	for (int op = 0; op < PTX_OPS; op++) {
		if (validate_forms_left_out(op) || reached[op])
			continue;
		print_error("no instance of %s in 200 programs\n", ptx_op_rows[op].id);
		missing++;
	}
	assert_int_equal(missing, 0);
}

/* Rows of arithmetic are not left out by accident. */
static void only_memory_and_control_are_left_out(void **state)
{
	(void)state;
	static const char *const families[] = {"int", "bits", "float", "compare", "cvt"};
	int wrong = 0;
	for (int op = 0; op < PTX_OPS; op++)
		for (size_t i = 0; i < sizeof families / sizeof *families; i++)
			if (validate_forms_left_out(op) &&
				!strcmp(validate_forms_group(choice.forms, op), families[i])) {
				print_error("%s is left out: %s\n", ptx_op_rows[op].id, validate_forms_left_out(op));
				wrong++;
			}
	assert_int_equal(wrong, 0);
}

/* Of 1 or 1.5 in the format of its operands. */
static bool has_bound(const struct ptx_form *form)
{
	static const uint64_t numbers[][2] = {{0x3F800000, 0x3FC00000}, {0x3FF0000000000000, 0x3FF8000000000000},
		{0x3C003C00, 0x3E003E00}, {0x3F803F80, 0x3FC03FC0}};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (validate_bound_find(form, numbers[i]))
			return true;
	return false;
}

static void approximate_forms_have_bounds(void **state)
{
	(void)state;
	int missing = 0;
	for (int op = 0; op < PTX_OPS; op++)
		for (int i = 0; i < validate_forms_count(choice.forms, op); i++) {
			const struct ptx_form *form = validate_forms_at(choice.forms, op, i);
			if (!validate_forms_is_approximate(form) || has_bound(form))
				continue;
			print_error("no bound for %s in model/validate/bounds.c\n", form->spelling);
			missing++;
		}
	assert_int_equal(missing, 0);
}

static void every_form_parses(void **state)
{
	(void)state;
	struct buf ptx = {0};
	for (int op = 0; op < PTX_OPS; op++)
		for (int next = 0; next < validate_forms_count(choice.forms, op);) {
			struct arena *own = arena_new();
			int before = next;
			assert_true(parses(validate_trial_cover(own, &choice, (uint64_t)op, op, &next), &ptx));
			assert_true(next > before);
			arena_free(own);
		}
	buf_free(&ptx);
}

static void a_seed_is_a_program(void **state)
{
	(void)state;
	struct buf one = {0}, again = {0}, other = {0};
	for (uint64_t seed = 1; seed <= 20; seed++) {
		assert_true(parses(fresh(seed), &one));
		assert_true(parses(fresh(seed), &again));
		assert_true(parses(fresh(seed + 1), &other));
		assert_string_equal(buf_str(&one), buf_str(&again));
		assert_string_not_equal(buf_str(&one), buf_str(&other));
	}
	buf_free(&one);
	buf_free(&again);
	buf_free(&other);
}

static void values_lean_to_edges(void **state)
{
	(void)state;
	int zeros = 0, infinite = 0, nan = 0, subnormal = 0, least = 0;
	for (int number = 0; number < 100; number++) {
		uint64_t v[TRIAL_LANES_MAX];
		validate_values_fill(7, number, PTX_F32, TRIAL_LANES_MAX, v);
		for (int i = 0; i < TRIAL_LANES_MAX; i++) {
			uint32_t magnitude = (uint32_t)v[i] & 0x7FFFFFFF;
			assert_int_equal(v[i] >> 32, 0);
			zeros += !magnitude;
			infinite += magnitude == 0x7F800000;
			nan += magnitude > 0x7F800000;
			subnormal += magnitude && magnitude < 0x00800000;
		}
		validate_values_fill(7, number, PTX_S32, TRIAL_LANES_MAX, v);
		for (int i = 0; i < TRIAL_LANES_MAX; i++)
			least += v[i] == 0x80000000;
	}
	assert_in_range(zeros, 200, 3000);
	assert_in_range(infinite, 100, 3000);
	assert_in_range(nan, 300, 3000);
	assert_in_range(subnormal, 300, 3000);
	assert_in_range(least, 50, 3000);
}

/* --- recordings --------------------------------------------------------------------------------------------------- */

static struct buf read_back;

static bool write_again(void *ctx, const struct trial *trial)
{
	(void)ctx;
	validate_trial_record(trial, &read_back);
	return true;
}

static bool read_all(const char *text, struct diag *diag)
{
	buf_clear(&read_back);
	const struct trial_recording recording = {"recording", text, strlen(text)};
	return validate_trial_read_all(choice.forms, &recording, write_again, NULL, diag);
}

/* What ptxas makes of such constants is not what the instruction does: doc/hardware.md, "What the compiler does". */
static void what_ptxas_folds_is_not_generated(void **state)
{
	(void)state;
	int fields = 0;
	struct trial_choice only = validate_choice_new(arena, choice.forms);
	only.enabled[PTX_OP_BFE] = only.enabled[PTX_OP_ADD_FLOAT] = true;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct arena *own = arena_new();
		const struct trial *trial = validate_trial_generate(own, &only, seed);
		for (int i = 0; i < trial->n_steps; i++) {
			const struct trial_step *step = &trial->steps[i];
			const struct trial_source *position = &step->sources[1];
			if (step->form->op == PTX_OP_BFE && position->kind == TRIAL_CONSTANT) {
				fields++;
				assert_true(step->form->type != PTX_S32 || position->constant < 32);
			}
			for (int k = 0; step->form->op == PTX_OP_ADD_FLOAT && step->form->type == PTX_F64 &&
				k < step->n_sources;
				k++)
				assert_int_not_equal(step->sources[k].kind, TRIAL_CONSTANT);
		}
		arena_free(own);
	}
	assert_true(fields > 100);
}

static void a_recording_is_read_as_written(void **state)
{
	(void)state;
	struct buf text = {0};
	struct diag diag = {0};
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct trial *t = fresh(seed);
		for (int i = 0; i < t->n_steps; i++) {
			t->steps[i].recorded = i % 3 != 0;
			t->steps[i].hash = seed << 40 | (uint64_t)i;
		}
		validate_trial_record(t, &text);
	}
	struct buf file = {0};
	buf_printf(&file, "simttutor validate %d\n# from a test\n%s", TRIAL_FORMAT, buf_str(&text));
	assert_true(read_all(buf_str(&file), &diag));
	assert_string_equal(buf_str(&read_back), buf_str(&text));
	buf_free(&file);
	buf_free(&text);
	diag_free(&diag);
}

static void broken_recordings_are_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text, *message;
		int line;
	} broken[] = {
		{"simttutor validate 99\n", "format", 1},
		{"simttutor validate 1\nprogram 1 33\n", "32 to 128 lanes", 2},
		{"simttutor validate 1\nprogram 1 32\ninputs s33\n", "s33", 3},
		{"simttutor validate 1\nadd.s32 i0 i0\n", "in no program", 2},
		{"simttutor validate 1\nprogram 1 32\ninputs s32\nfrob.s32 i0\n", "frob.s32", 4},
		{"simttutor validate 1\nprogram 1 32\ninputs s32\nld.s32 i0\n", "ld.s32", 4},
		{"simttutor validate 1\nprogram 1 32\ninputs s32\nadd.s32 i0\n", "operands are missing", 4},
		{"simttutor validate 1\nprogram 1 32\ninputs s32\nadd.s32 i0 i1\n", "i1", 4},
		{"simttutor validate 1\nprogram 1 32\ninputs s32\nadd.s32 i0 r0\n", "r0", 4},
		{"simttutor validate 1\nprogram 1 32\ninputs s32\nadd.s32 i0 i0 i0\n", "i0", 4},
		{"simttutor validate 1\nprogram 1 32\ninputs s32\nadd.s32 i0 i0 = xyz\n", "xyz", 4},
	};
	for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
		struct diag diag = {0};
		assert_false(read_all(broken[i].text, &diag));
		assert_int_equal(diag.count, 1);
		assert_int_equal(diag.entries[0].line, broken[i].line);
		assert_non_null(strstr(diag.entries[0].message, broken[i].message));
		diag_free(&diag);
	}
}

/* --- counting ----------------------------------------------------------------------------------------------------- */

static const char counted[] = "simttutor validate 1\n"
			      "program 5 32\n"
			      "inputs s32 pred\n"
			      "add.s32 i0 i0\n"                    /* r0 */
			      "sub.s32 r0 i0\n"                    /* r1 */
			      "not.pred i1\n"                      /* r2 */
			      "redux.sync.add.s32 i0 0xffffffff\n" /* r3 */
			      "add.cc.u32 i0 0x1\n"                /* r4 */
			      "addc.u32 0x0 0x0\n";                /* r5 */

struct counting {
	struct tally *tally;
	int result, lane; /* where the other side differs; -1: nowhere */
	bool hashes;
};

static bool count_trial(void *ctx, const struct trial *read)
{
	struct counting *c = ctx;
	struct trial trial = *read;
	uint64_t inputs[TRIAL_INPUTS_MAX * 32] = {0}, machine[TRIAL_RESULTS_MAX * 32], other[TRIAL_RESULTS_MAX * 32];
	for (int i = 0; i < trial.n_inputs; i++)
		validate_values_fill(trial.seed, i, trial.inputs[i], trial.lanes, inputs + 32 * i);
	for (int i = 0; i < trial.n_results * 32; i++)
		machine[i] = other[i] = (uint64_t)i * 3;
	if (c->result >= 0)
		other[c->result * 32 + c->lane] ^= 1;
	for (int i = 0; i < trial.n_steps; i++) {
		trial.steps[i].recorded = c->hashes;
		trial.steps[i].hash = validate_tally_hash(&trial, i, other);
	}
	validate_tally_add(c->tally, &trial, &(struct tally_run){inputs, machine, c->hashes ? NULL : other});
	return true;
}

static struct tally *count_into(struct tally *tally, int flipped_result, int flipped_lane, bool hashes)
{
	struct counting c = {tally, flipped_result, flipped_lane, hashes};
	struct diag diag = {0};
	const struct trial_recording recording = {"counted", counted, strlen(counted)};
	assert_true(validate_trial_read_all(choice.forms, &recording, count_trial, &c, &diag));
	return tally;
}

static int distinct_inputs(void)
{
	uint64_t v[32];
	int n = 0;
	validate_values_fill(5, 0, PTX_S32, 32, v);
	for (int i = 0; i < 32; i++) {
		bool first = true;
		for (int k = 0; k < i; k++)
			first = first && v[k] != v[i];
		n += first;
	}
	return n;
}

static void instances_are_sets_of_operand_values(void **state)
{
	(void)state;
	struct tally *t = count_into(validate_tally_new(arena, choice.forms), -1, 0, false);
	uint64_t lanes = (uint64_t)distinct_inputs();
	assert_int_equal(t->rows[PTX_OP_ADD_INT].instances, lanes);
	assert_int_equal(t->rows[PTX_OP_SUB_INT].instances, 32);  /* its operands are results, all of them others */
	assert_int_equal(t->rows[PTX_OP_NOT].instances, 2);       /* of a predicate */
	assert_int_equal(t->rows[PTX_OP_REDUX_ADD].instances, 1); /* a warp's */
	assert_int_equal(t->rows[PTX_OP_ADDC].instances, lanes);  /* the carry is the sum's before it */
	assert_int_equal(t->instances, 2 * lanes + 32 + 2 + 1 + lanes);
	assert_int_equal(t->different, 0);
	assert_int_equal(t->rows[PTX_OP_ADD_INT].forms, 1);
}

static void what_follows_from_a_difference_is_not_compared(void **state)
{
	(void)state;
	struct tally *t = count_into(validate_tally_new(arena, choice.forms), 0, 0, false);
	assert_int_equal(t->rows[PTX_OP_ADD_INT].different, 1);
	assert_int_equal(t->rows[PTX_OP_SUB_INT].instances, 31);
	assert_int_equal(t->rows[PTX_OP_SUB_INT].different, 0);
	assert_int_equal(t->n_differences, 1);
	assert_int_equal(t->differences[0].lane, 0);
	assert_string_equal(t->differences[0].instruction, "add.s32 %r0, %i0, %i0;");
	assert_int_equal(t->differences[0].machine ^ t->differences[0].other, 1);
}

static void a_replay_compares_hashes(void **state)
{
	(void)state;
	struct tally *t = count_into(validate_tally_new(arena, choice.forms), -1, 0, true);
	assert_int_equal(t->different, 0);
	t = count_into(validate_tally_new(arena, choice.forms), 0, 9, true);
	assert_int_equal(t->rows[PTX_OP_ADD_INT].different, t->rows[PTX_OP_ADD_INT].instances);
	assert_int_equal(t->rows[PTX_OP_SUB_INT].instances, 0);
	assert_int_equal(t->rows[PTX_OP_NOT].different, 0);
	assert_true(t->differences[0].whole);
}

/* --- bounds ------------------------------------------------------------------------------------------------------- */

static uint64_t f32(float v)
{
	uint32_t bits;
	memcpy(&bits, &v, sizeof bits);
	return bits;
}

/* Whether the form's result for a, b is within its bound; false as well when there is none. */
static bool holds(const char *form, float a, float b, float result)
{
	int number;
	uint64_t operands[2] = {f32(a), f32(b)};
	double error;
	const struct ptx_form *f = validate_forms_find(choice.forms, form, strlen(form), &number);
	assert_non_null(f);
	const struct bound *bound = validate_bound_find(f, operands);
	return bound && validate_bound_holds(bound, f, operands, f32(result), &error);
}

static void bounds_are_the_manuals(void **state)
{
	(void)state;
	float inf = (float)INFINITY, third = 1.0f / 3;
	assert_true(holds("rcp.approx.f32", 3, 0, third));
	assert_true(holds("rcp.approx.f32", 3, 0, nextafterf(third, 0)));
	assert_false(holds("rcp.approx.f32", 3, 0, nextafterf(nextafterf(third, 0), 0)));
	assert_true(holds("rcp.approx.f32", 0, 0, inf));
	assert_false(holds("rcp.approx.f32", 0, 0, -inf));
	assert_true(holds("rcp.approx.f32", (float)NAN, 0, (float)NAN));
	assert_false(holds("rcp.approx.f32", (float)NAN, 0, 0));
	assert_true(holds("rcp.approx.ftz.f32", 0x1p-127f, 0, inf));
	assert_false(holds("rcp.approx.f32", 0x1p-127f, 0, inf));
	assert_true(holds("div.approx.f32", 1, 0x1p126f, 0x1p-126f));
	assert_false(holds("div.approx.f32", 1, 0x1.8p126f, 0));       /* no bound there */
	assert_false(holds("div.approx.f32", 1, 0x1p-130f, 0x1p127f)); /* no bound there */
	assert_true(holds("div.full.f32", 0x1p127f, 0x1p-10f, inf));
	assert_true(holds("sin.approx.f32", 1, 0, sinf(1) + 0x1p-21f));
	assert_false(holds("sin.approx.f32", 1, 0, sinf(1) + 0x1p-20f));
	assert_true(holds("sin.approx.f32", 100, 0, sinf(100) + 0x1p-15f));
	assert_false(holds("sin.approx.f32", 1000, 0, sinf(1000))); /* no bound there */
	assert_true(holds("lg2.approx.f32", 1, 0, 0x1p-23f));
	assert_true(holds("lg2.approx.f32", 8, 0, 3 + 0x1p-21f));
	assert_false(holds("lg2.approx.f32", 8, 0, 3 + 0x1p-20f));
	assert_true(holds("ex2.approx.f32", 200, 0, inf));
	assert_true(holds("tanh.approx.f32", 1, 0, tanhf(1) * (1 + 0x1p-12f)));
	assert_false(holds("tanh.approx.f32", 1, 0, tanhf(1) * (1 + 0x1p-10f)));
}

/* --- NVIDIA's assembler ------------------------------------------------------------------------------------------- */

static bool assembles(const char *folder, const char *name, const struct buf *ptx)
{
	char path[512], command[1200];
	snprintf(path, sizeof path, "%s/%s.ptx", folder, name);
	FILE *file = fopen(path, "w");
	if (!file || fwrite(ptx->data, 1, ptx->len, file) != ptx->len || fclose(file) != 0)
		return false;
	snprintf(command, sizeof command, "'%s' -arch=sm_90 -cubin -o '%s/cubin' '%s' >'%s/said' 2>&1", getenv("NVCC"),
		folder, path, folder);
	bool ok = system(command) == 0;
	snprintf(command, sizeof command,
		"sed -n 's/.*line \\([0-9]*\\); error *: \\(.*\\)/\\1 \\2/p' '%s/said' | while read -r n why; do "
		"printf '# %%s: %%s\\n' \"$why\" \"$(sed -n \"${n}p\" '%s' | tr '\\t' ' ')\"; done",
		folder, path);
	if (!ok && system(command) != 0)
		print_message("what ptxas said is not to be read\n");
	return ok;
}

/* Random programs, and every form of every row; in make check of some rows only. */
static void nvidias_assembler_takes_them(void **state)
{
	(void)state;
	const char *nvcc = getenv("NVCC");
	char folder[] = "/tmp/simttutor-validate-XXXXXX", command[600];
	struct buf ptx = {0};
	bool ok = true;
	const char *all = getenv("SIMTTUTOR_TEST_LONG");
	int stride = all && !strcmp(all, "1") ? 1 : 12;
	if (!nvcc || !*nvcc || !strcmp(nvcc, ":"))
		skip();
	assert_non_null(mkdtemp(folder));
	struct trial_choice nothing = validate_choice_new(arena, choice.forms);
	validate_trial_write(validate_trial_generate(arena, &nothing, 1), &ptx);
	bool knows = assembles(folder, "empty", &ptx); /* .version and .target; an older toolkit does not */
	for (uint64_t seed = 1; knows && seed <= 4; seed++) {
		validate_trial_write(fresh(seed), (buf_clear(&ptx), &ptx));
		ok = assembles(folder, "random", &ptx) && ok;
	}
	for (int op = 0; knows && op < PTX_OPS; op += stride)
		for (int next = 0; next < validate_forms_count(choice.forms, op);) {
			struct arena *own = arena_new();
			validate_trial_write(
				validate_trial_cover(own, &choice, (uint64_t)op, op, &next), (buf_clear(&ptx), &ptx));
			ok = assembles(folder, ptx_op_rows[op].id, &ptx) && ok;
			arena_free(own);
		}
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	assert_int_equal(system(command), 0);
	buf_free(&ptx);
	if (!knows)
		skip();
	assert_true(ok);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_has_forms),
		cmocka_unit_test(programs_reach_every_row),
		cmocka_unit_test(only_memory_and_control_are_left_out),
		cmocka_unit_test(approximate_forms_have_bounds),
		cmocka_unit_test(every_form_parses),
		cmocka_unit_test(a_seed_is_a_program),
		cmocka_unit_test(values_lean_to_edges),
		cmocka_unit_test(what_ptxas_folds_is_not_generated),
		cmocka_unit_test(a_recording_is_read_as_written),
		cmocka_unit_test(broken_recordings_are_refused),
		cmocka_unit_test(instances_are_sets_of_operand_values),
		cmocka_unit_test(what_follows_from_a_difference_is_not_compared),
		cmocka_unit_test(a_replay_compares_hashes),
		cmocka_unit_test(bounds_are_the_manuals),
		cmocka_unit_test(nvidias_assembler_takes_them),
	};
	int failed = cmocka_run_group_tests(tests, set_up, tear_down);
	if (trials)
		arena_free(trials);
	buf_free(&read_back);
	return failed;
}
