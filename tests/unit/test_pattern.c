/* Random accesses and launch shapes: what a seed makes, what is predicted, recordings, tables of agreement. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machine/ptx/ptx.h"
#include "model/profile/profile.h"
#include "model/validate/pattern.h"

#define CC 90

static void every_kind_comes_and_stays_in_its_space(void **state)
{
	(void)state;
	static const uint64_t bytes[] = {
		[SPACE_SHARED] = 32768, [SPACE_GLOBAL] = 262144, [SPACE_LOCAL] = 512, [SPACE_CONST] = 65536};
	uint32_t masks = 0, inactive = 0, misaligned = 0;
	for (uint64_t seed = 0; seed < (uint64_t)validate_pattern_kinds() * 60; seed++) {
		struct pattern p = validate_pattern_generate(seed), again = validate_pattern_generate(seed);
		assert_ptr_equal(p.kind, validate_pattern_kind((int)(seed % (uint64_t)validate_pattern_kinds())));
		assert_memory_equal(&p.access, &again.access, sizeof p.access);
		assert_true(access_widths(p.access.space, p.access.op) & p.access.width);
		assert_true(!p.kind->lanes || p.access.active == p.kind->lanes);
		masks += p.access.active != 0xFFFFFFFF;
		inactive += p.access.active == 0;
		for (int lane = 0; lane < WARP_SIZE; lane++) {
			assert_true(p.access.address[lane] + p.access.width <= bytes[p.access.space]);
			assert_int_equal(p.access.address[lane] % p.access.width, 0);
			misaligned += lane == 0 && p.access.active & 1 && p.access.address[0] % 32 != 0;
		}
	}
	assert_true(masks > 500 && inactive > 50 && misaligned > 500);
}

static void kinds_have_names_of_their_own(void **state)
{
	(void)state;
	for (int i = 0; i < validate_pattern_kinds(); i++) {
		const struct pattern_kind *k = validate_pattern_kind(i);
		assert_int_equal(validate_pattern_kind_find(k->name), i);
		assert_true(k->n_sets >= 1 && k->n_sets <= PATTERN_SETS_MAX);
		for (int set = 0; set < k->n_sets; set++)
			assert_true(k->sets[set].n >= 1 && k->sets[set].n <= PATTERN_SET_MAX);
		assert_false(validate_pattern_is_exact(k, 75));
	}
	assert_int_equal(validate_pattern_kind_find("ld.shared.u12"), -1);
}

/* The machine runs the kernel and the models listen: what the whole of it counts is what is predicted for the one
 * access. */
static void the_machine_counts_what_is_predicted(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < (uint64_t)validate_pattern_kinds() * 6; seed++) {
		struct arena *arena = arena_new();
		struct diag diag = {0};
		struct pattern p = validate_pattern_generate(seed);
		const char *ptx = validate_pattern_ptx(arena, p.kind);
		struct ptx_module *module = ptx_parse(arena, p.kind->name, ptx, strlen(ptx), &diag);
		assert_non_null(module);
		struct profile *profile = profile_run(
			arena, module, validate_pattern_launch(arena, &p), (struct profile_watch){.cc = CC}, &diag);
		assert_non_null(profile);
		assert_int_equal(profile->result.outcome, SIMT_OK);
		for (int set = 0; set < p.kind->n_sets; set++)
			for (int i = 0; i < p.kind->sets[set].n; i++) {
				enum counter_id id = counter_find(p.kind->sets[set].counters[i].hw);
				assert_int_not_equal(id, COUNTER_NONE);
				if (profile->counts.c[id].v != validate_pattern_predict(&p, set, i, CC))
					fail_msg("%s, seed %d: %s: the machine counts %g, predicted is %g",
						p.kind->name, (int)seed, p.kind->sets[set].counters[i].hw,
						profile->counts.c[id].v, validate_pattern_predict(&p, set, i, CC));
			}
		diag_free(&diag);
		arena_free(arena);
	}
}

static void recordings_read_back(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 400; seed++) {
		struct pattern p = validate_pattern_generate(seed), back;
		double counts[PATTERN_COUNTS_MAX], read[PATTERN_COUNTS_MAX];
		struct buf line = {0};
		struct diag diag = {0};
		int n = 0;
		for (int set = 0; set < p.kind->n_sets; set++)
			for (int i = 0; i < p.kind->sets[set].n; i++)
				counts[n++] = validate_pattern_measures(&p, set)
					? validate_pattern_predict(&p, set, i, CC)
					: NAN;
		validate_pattern_record(&p, counts, &line);
		line.data[line.len - 1] = '\0';
		assert_true(validate_pattern_read(line.data, (struct diag_pos){0}, &back, read, &diag));
		assert_ptr_equal(back.kind, p.kind);
		assert_memory_equal(&back.access, &p.access, sizeof p.access);
		for (int i = 0; i < n; i++)
			assert_true(isnan(counts[i]) ? isnan(read[i]) : counts[i] == read[i]);
		buf_free(&line);
		diag_free(&diag);
	}
}

static void broken_recordings_are_refused(void **state)
{
	(void)state;
#define LANES "0,4,8,12,16,20,24,28,32,36,40,44,48,52,56,60,64,68,72,76,80,84,88,92,96,100,104,108,112,116,120"
	static const char *const lines[] = {
		"",
		"ld.shared.u32",
		"ld.shared.u33 " LANES ",124 1 1 0",
		"ld.shared.u32 " LANES " 1 1 0",
		"ld.shared.u32 " LANES ",126 1 1 0",
		"ld.shared.u32 " LANES ",124 1 1",
		"ld.shared.u32 " LANES ",124 1 1 0 7",
		"ld.shared.u32 " LANES ",124 1 1 x",
		"ld.shared.u32 " LANES ",99999999 1 1 0",
		"ld.shared.u32 " LANES ",,124 1 1 0",
		"ldmatrix.x1 " LANES ",124 1 1 0",
		"ld.shared.u32 " LANES ",124  1 1 0",
	};
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct pattern p;
		double counts[PATTERN_COUNTS_MAX];
		struct diag diag = {0};
		assert_false(
			validate_pattern_read(lines[i], (struct diag_pos){.file = "x", .line = 1}, &p, counts, &diag));
		assert_int_equal(diag.count, 1);
		diag_free(&diag);
	}
	struct pattern p;
	double counts[PATTERN_COUNTS_MAX];
	struct diag diag = {0};
	assert_true(validate_pattern_read("ld.shared.u32 " LANES ",- 1 1 0", (struct diag_pos){0}, &p, counts, &diag));
	assert_int_equal(p.access.active, 0x7FFFFFFF);
	struct buf command = {0};
	validate_pattern_command(&p, &command);
	assert_string_equal(
		buf_str(&command), "simttutor access --space shared --op ld --width 4 --offsets " LANES ",-");
	buf_free(&command);
}

static void shapes_can_be_launched(void **state)
{
	(void)state;
	uint32_t limits = 0, limited = 0;
	for (uint64_t seed = 0; seed < 400; seed++) {
		struct arena *arena = arena_new();
		struct diag diag = {0};
		struct shape s = validate_shape_generate(seed);
		const char *ptx = validate_shape_ptx(arena, &s);
		struct ptx_module *module = ptx_parse(arena, "shape", ptx, strlen(ptx), &diag);
		assert_non_null(module);
		const struct ptx_kernel *kernel = ptx_find_kernel(module, "resident", &diag);
		assert_non_null(kernel);
		assert_int_equal(ptx_shared_bytes(kernel), s.fixed);
		assert_true(
			s.threads >= 1 && s.threads <= 1024 && s.fixed <= 49152 && s.fixed + s.dynamic <= 227 * 1024);
		const struct launch *launch = validate_shape_launch(arena, &s, CC, 132);
		struct occupancy o = validate_shape_occupancy(&s, CC, (int)s.values + 12);
		assert_int_equal(o.state, OCCUPANCY_OK);
		assert_true(launch->grid[0] >= 2 * 132 * o.blocks && launch->n_args == ptx_param_count(kernel));
		limits |= o.limits;
		limited += s.limit != 0;
		diag_free(&diag);
		arena_free(arena);
	}
	assert_int_equal(limits, (1u << OCCUPANCY_N) - 1);
	assert_true(limited > 20);
}

static void agreement_keeps_the_first_difference(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct agreement a = validate_agreement_new(arena, "patterns", "pattern", "patterns");
	assert_true(validate_agreement_failed(&a)); /* nothing was compared */
	int rows[9];
	for (int i = 0; i < 9; i++)
		rows[i] = validate_agreement_rule(&a, arena_printf(arena, "rule %d", i), i != 8);
	assert_int_equal(validate_agreement_rule(&a, "rule 3", true), rows[3]);
	validate_agreement_add(&a, rows[0], NULL, NULL);
	validate_agreement_add(&a, rows[8], "guessed 1, counted 2", "command");
	assert_int_equal(validate_agreement_cases(&a), 2);
	assert_int_equal(validate_agreement_violations(&a), 0);
	assert_false(validate_agreement_failed(&a));
	validate_agreement_add(&a, rows[3], "first", "this");
	validate_agreement_add(&a, rows[3], "second", "that");
	assert_string_equal(a.rows[rows[3]].difference, "first");
	assert_string_equal(a.rows[rows[3]].reproduce, "this");
	assert_int_equal(validate_agreement_violations(&a), 2);
	assert_true(validate_agreement_failed(&a));
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_comes_and_stays_in_its_space),
		cmocka_unit_test(kinds_have_names_of_their_own),
		cmocka_unit_test(the_machine_counts_what_is_predicted),
		cmocka_unit_test(recordings_read_back),
		cmocka_unit_test(broken_recordings_are_refused),
		cmocka_unit_test(shapes_can_be_launched),
		cmocka_unit_test(agreement_keeps_the_first_difference),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
