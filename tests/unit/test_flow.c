/* Random control flow: what a seed makes, what the reference finds, how masks are written, how programs are cut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/validate/flow.h"

#define PROGRAMS 2000

static char *text_of(const struct flow_program *flow)
{
	struct buf out = {0};
	validate_flow_write(flow, "k", &out);
	return buf_steal(&out);
}

static void a_seed_is_a_program(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	for (uint64_t seed = 0; seed < 20; seed++) {
		const struct flow_program *one = validate_flow_generate(arena, seed),
					  *same = validate_flow_generate(arena, seed),
					  *other = validate_flow_generate(arena, seed + 1);
		char *a = text_of(one), *b = text_of(same), *c = text_of(other);
		assert_string_equal(a, b);
		assert_string_not_equal(a, c);
		assert_memory_equal(one->expected, same->expected, one->blocks * one->threads * sizeof(uint32_t));
		free(a);
		free(b);
		free(c);
	}
	arena_free(arena);
}

/* All kinds, all ways to write a mask, early ends before barriers, partial warps, several blocks. */
static void programs_have_everything(void **state)
{
	(void)state;
	uint64_t kinds[FLOW_KINDS_N] = {0}, masks[4] = {0}, partial = 0, blocks = 0, block_functions = 0;
	for (uint64_t seed = 0; seed < PROGRAMS; seed++) {
		struct arena *arena = arena_new();
		const struct flow_program *f = validate_flow_generate(arena, seed);
		assert_non_null(f);
		validate_flow_count(f, kinds);
		for (int i = 0; i < f->n_nodes; i++)
			if (f->nodes[i].reached)
				masks[f->nodes[i].mask]++;
		partial += f->threads % 32 != 0;
		blocks += f->blocks > 1;
		for (int i = 0; i < f->n_functions; i++)
			block_functions += f->functions[i].block;
		arena_free(arena);
	}
	for (int i = 0; i < FLOW_KINDS_N; i++)
		if (kinds[i] < PROGRAMS / 20)
			fail_msg("only %lu %s", (unsigned long)kinds[i], validate_flow_kind_name((enum flow_kind)i));
	for (int i = 0; i < 4; i++)
		assert_true(masks[i] > PROGRAMS / 20);
	assert_true(partial > PROGRAMS / 10 && blocks > PROGRAMS / 4 && block_functions > PROGRAMS / 4);
}

/* --- programs made by hand ---------------------------------------------------------------------------------------- */

static struct flow_program *empty(struct arena *arena, uint32_t threads)
{
	struct flow_program *f = arena_alloc(arena, sizeof *f);
	*f = (struct flow_program){.blocks = 1, .threads = threads, .body = FLOW_NONE};
	return f;
}

static int node(struct flow_program *f, enum flow_kind kind, int next, int list)
{
	f->nodes[f->n_nodes] = (struct flow_node){.kind = kind,
		.next = next,
		.lists = {list, FLOW_NONE, FLOW_NONE, FLOW_NONE},
		.functions = {FLOW_NONE, FLOW_NONE},
		.inside = FLOW_NONE,
		.owner = FLOW_NONE};
	return f->n_nodes++;
}

static int expr(struct flow_program *f, enum flow_op op, uint32_t value, int a, int b)
{
	f->exprs[f->n_exprs] = (struct flow_expr){op, value, a, b};
	return f->n_exprs++;
}

static uint32_t together(const uint32_t v[6])
{
	uint32_t result = 0;
	for (int i = 0; i < 6; i++)
		result = result * 31 + v[i];
	return result;
}

/* if (lane < 4) return; count of the others; a ballot of odd lanes by those that are left, in a loop of two rounds. */
static void the_reference_computes_what_a_reader_would(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct flow_program *f = empty(arena, 40);
	int four = expr(f, FLOW_CONSTANT, 4, -1, -1), lane = expr(f, FLOW_LANE, 0, -1, -1),
	    first = expr(f, FLOW_LESS, 0, lane, four), one = expr(f, FLOW_CONSTANT, 1, -1, -1),
	    two = expr(f, FLOW_CONSTANT, 2, -1, -1);
	int ballot = node(f, FLOW_BALLOT, FLOW_NONE, FLOW_NONE), loop = node(f, FLOW_FOR, FLOW_NONE, ballot),
	    count = node(f, FLOW_COUNT, loop, FLOW_NONE), leave = node(f, FLOW_RETURN, FLOW_NONE, FLOW_NONE),
	    branch = node(f, FLOW_IF, count, leave);
	f->nodes[ballot].exprs[0] = lane;
	f->nodes[ballot].variable = 2;
	f->nodes[loop].exprs[0] = two;
	f->nodes[count].exprs[0] = one;
	f->nodes[branch].exprs[0] = first;
	f->body = branch;
	assert_true(validate_flow_interpret(arena, f));

	for (uint32_t t = 0; t < 40; t++) {
		uint32_t v[6] = {t * 3, t * 5 + 1, t * 7 + 2, t * 9 + 3, 2, 13};
		uint32_t odd = t < 32 ? 0xAAAAAAA0 : 0xA0; /* lanes 4 to 31, and 4 to 7 of the second warp */
		if (t % 32 >= 4) {
			v[4] = v[4] * 5 + 28 + 4;
			v[2] = (v[2] * 5 + odd) * 5 + odd;
		}
		assert_int_equal(f->expected[t], together(v));
	}
	/* 0xFFFFFFF0 in one warp and 0xF0 in the other: no constant but one that names lanes that are not there */
	assert_true(f->nodes[ballot].ended && !f->nodes[ballot].constant);
	assert_int_equal(f->nodes[ballot].all, 0xFFFFFFF0);
	arena_free(arena);
}

static void masks_in_the_table_are_of_who_is_there(void **state)
{
	(void)state;
	uint64_t rows = 0;
	for (uint64_t seed = 0; seed < 200; seed++) {
		struct arena *arena = arena_new();
		const struct flow_program *f = validate_flow_generate(arena, seed);
		uint32_t all = f->blocks * f->threads;
		for (uint32_t i = 0; i < all * f->rows; i++) {
			uint32_t t = i % all % f->threads;
			if (f->table[i]) {
				rows++;
				assert_true(f->table[i] >> t % 32 & 1);
				assert_true(t - t % 32 + (31 - (uint32_t)__builtin_clz(f->table[i])) < f->threads);
			}
		}
		arena_free(arena);
	}
	assert_true(rows > 1000);
}

/* A mask in which the rest is looked for, or a lane, names nobody who is not there; none is empty. */
static void masks_name_who_is_not_there_only_where_it_does_not_matter(void **state)
{
	(void)state;
	uint64_t tracked = 0, ended = 0;
	for (uint64_t seed = 0; seed < 1000; seed++) {
		struct arena *arena = arena_new();
		const struct flow_program *f = validate_flow_generate(arena, seed);
		for (int i = 0; i < f->n_nodes; i++) {
			const struct flow_node *n = &f->nodes[i];
			bool exact = n->tracked || n->kind == FLOW_PASS || n->kind == FLOW_SPLIT;
			tracked += n->tracked;
			ended += n->mask == FLOW_MASK_ENDED;
			assert_false(exact && n->mask == FLOW_MASK_ENDED);
		}
		char *text = text_of(f);
		assert_null(strstr(text, "= 0x00000000u"));
		free(text);
		arena_free(arena);
	}
	assert_true(tracked > 100 && ended > 100);
}

/* A barrier in a branch that only some threads take is no program; where the others have ended it is one. */
static void barriers_need_all_that_have_not_ended(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	for (int ends = 0; ends < 2; ends++) {
		struct flow_program *f = empty(arena, 32);
		int four = expr(f, FLOW_CONSTANT, 4, -1, -1), lane = expr(f, FLOW_LANE, 0, -1, -1),
		    first = expr(f, FLOW_LESS, 0, lane, four);
		int barrier = node(f, FLOW_BARRIER, FLOW_NONE, FLOW_NONE),
		    branch = node(f, FLOW_IF, FLOW_NONE, barrier),
		    rest = expr(f, FLOW_EQUAL, 0, first, expr(f, FLOW_CONSTANT, 0, -1, -1));
		f->nodes[branch].exprs[0] = first;
		f->body = branch;
		if (ends) {
			int leave = node(f, FLOW_EXIT, FLOW_NONE, FLOW_NONE), before = node(f, FLOW_IF, branch, leave);
			f->nodes[before].exprs[0] = rest;
			f->body = before;
		}
		assert_int_equal(validate_flow_interpret(arena, f), ends);
	}
	arena_free(arena);
}

static void work_has_an_end(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct flow_program *f = empty(arena, 32);
	int most = expr(f, FLOW_CONSTANT, 1000000, -1, -1), assign = node(f, FLOW_ASSIGN, FLOW_NONE, FLOW_NONE),
	    loop = node(f, FLOW_FOR, FLOW_NONE, assign);
	f->nodes[loop].exprs[0] = most;
	f->body = loop;
	assert_false(validate_flow_interpret(arena, f));
	arena_free(arena);
}

/* --- cuts --------------------------------------------------------------------------------------------------------- */

static void cuts_are_smaller_programs(void **state)
{
	(void)state;
	uint64_t made = 0;
	for (uint64_t seed = 0; seed < 40; seed++) {
		struct arena *arena = arena_new();
		const struct flow_program *f = validate_flow_generate(arena, seed);
		bool ended = false;
		int number = 0;
		for (; !ended; number++) {
			const struct flow_program *smaller = validate_flow_cut(arena, f, number, &ended);
			if (!smaller)
				continue;
			char *before = text_of(f), *after = text_of(smaller);
			assert_string_not_equal(before, after);
			assert_true(validate_flow_size(smaller) <= validate_flow_size(f));
			free(before);
			free(after);
			made++;
		}
		assert_true(number > validate_flow_size(f));
		arena_free(arena);
	}
	assert_true(made > 1000);
}

/* Cut after cut, until a single statement is left and then none. */
static void a_program_can_be_cut_to_nothing(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	const struct flow_program *f = validate_flow_generate(arena, 5);
	int size = validate_flow_size(f);
	while (size > 0) {
		const struct flow_program *next = NULL;
		bool ended = false;
		for (int number = 0; !ended && !next; number++)
			next = validate_flow_cut(arena, f, number, &ended);
		assert_non_null(next);
		f = next;
		size = validate_flow_size(f);
	}
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_seed_is_a_program),
		cmocka_unit_test(programs_have_everything),
		cmocka_unit_test(the_reference_computes_what_a_reader_would),
		cmocka_unit_test(masks_in_the_table_are_of_who_is_there),
		cmocka_unit_test(masks_name_who_is_not_there_only_where_it_does_not_matter),
		cmocka_unit_test(barriers_need_all_that_have_not_ended),
		cmocka_unit_test(work_has_an_end),
		cmocka_unit_test(cuts_are_smaller_programs),
		cmocka_unit_test(a_program_can_be_cut_to_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
