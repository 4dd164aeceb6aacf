#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "front/debug/keys.h"
#include "debug_kernels.h"
#include "front/screen/debug.h"

/* --- what is compared --------------------------------------------------------------------------------------------- */

struct place {
	uint64_t step, registers;
	int instr;
	uint32_t active, executing, waiting;
};

static struct place place_of(const struct debug *debug)
{
	struct place p = {
		debug->step, 0, debug->now.instr, debug->now.active, debug->now.executing, debug->now.waiting};
	int part = debug->now.instr >= 0 ? debug->program->instrs[debug->now.instr].part : 0;
	for (int r = 0; r < debug->program->n_regs; r++)
		for (int lane = 0; lane < 32 && debug->program->regs[r].part == part; lane++)
			p.registers = p.registers * 1099511628211u + debug->registers[r].lanes[lane];
	return p;
}

static void assert_same_place(struct place a, struct place b)
{
	assert_int_equal(a.step, b.step);
	assert_int_equal(a.instr, b.instr);
	assert_int_equal(a.active, b.active);
	assert_int_equal(a.executing, b.executing);
	assert_int_equal(a.waiting, b.waiting);
	assert_true(a.registers == b.registers);
}

static int line_now(const struct debug *debug)
{
	return debug->now.instr < 0 ? 0 : debug->program->instrs[debug->now.instr].line;
}

/* The line of a kernel's source that holds `text`. */
static int line_with(const struct debug *debug, const char *text)
{
	for (int line = 1; line <= debug->program->source.n_lines; line++) {
		size_t len;
		const char *at = source_line_text(&debug->program->source, line - 1, &len);
		if (memmem(at, len, text, strlen(text)))
			return line;
	}
	fail_msg("no line holds '%s'", text);
	return 0;
}

static void do_(struct debug *debug, const char *command)
{
	if (!debug_do(debug, command))
		fail_msg("%s: refused", command);
}

__attribute__((format(printf, 2, 3))) static void dof(struct debug *debug, const char *format, ...)
{
	char command[80];
	va_list args;
	va_start(args, format);
	vsnprintf(command, sizeof command, format, args);
	va_end(args);
	do_(debug, command);
}

/* --- stepping ----------------------------------------------------------------------------------------------------- */

static void begins_before_the_first_instruction(void **state)
{
	(void)state;
	struct opened o = debug_open("histogram", "histogram", ".cu");
	assert_int_equal(o.debug->step, 0);
	assert_int_equal(o.debug->now.instr, 0);
	assert_int_equal(o.debug->now.active, UINT32_MAX);
	assert_int_equal(o.debug->extent.warps, 4);
	assert_int_equal(o.debug->extent.blocks, 2);
	assert_string_equal(o.debug->program->name, "histogram");
	debug_close(&o);
}

static void steps_stay_with_the_followed_warp(void **state)
{
	(void)state;
	struct opened o = debug_open("histogram", "histogram", ".cu");
	struct debug *debug = o.debug;
	do_(debug, "warp 2");
	for (int i = 0; i < 60 && debug->now.state != DEBUG_WARP_ENDED; i++) {
		do_(debug, "step");
		assert_int_equal(debug->warp, 2);
		if (debug->now.state == DEBUG_WARP_RUNS) {
			assert_int_equal(debug->next.warp, 2);
			assert_int_equal(debug->next.instr, debug->now.instr);
			assert_int_equal(debug->next.executing, debug->now.executing);
		}
	}
	debug_close(&o);
}

/* Steps to the end of the followed warp and takes them all back. */
static void go_there_and_back(const char *name, const char *kernel, const char *warp)
{
	static struct place places[4000];
	struct opened o = debug_open(name, kernel, ".cu");
	struct debug *debug = o.debug;
	int n = 0;
	do_(debug, warp);
	do_(debug, "step");
	for (; debug->now.n_paths && !debug->ended && n < 4000; n++) {
		places[n] = place_of(debug);
		do_(debug, "step");
	}
	assert_true(n > 5 && n < 4000);
	if (debug->ended && debug->result.outcome == SIMT_DEFECT) /* its instruction is shown as the one that is next */
		assert_same_place(places[--n], place_of(debug));
	while (n-- > 0) {
		do_(debug, "reverse-step");
		assert_same_place(places[n], place_of(debug));
	}
	debug_close(&o);
}

static void back_is_where_it_was(void **state)
{
	(void)state;
	go_there_and_back("softmax", "softmax", "warp 1");
	go_there_and_back("scan", "scan", "warp 3");
	go_there_and_back("stencil", "unbounded", "warp 0");
	go_there_and_back("calls", "calls", "warp 0");
}

/* Back and forth over the whole launch by step number. */
static void any_step_can_be_gone_to(void **state)
{
	(void)state;
	struct opened o = debug_open("softmax", "softmax", ".cu");
	static const int steps[] = {0, 77, 300, 150, 301, 1, 299, 300};
	struct place at300 = {0};
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		dof(o.debug, "goto %d", steps[i]);
		assert_int_equal(o.debug->step, steps[i]);
		if (steps[i] == 300 && at300.step)
			assert_same_place(at300, place_of(o.debug));
		else if (steps[i] == 300)
			at300 = place_of(o.debug);
	}
	debug_close(&o);
}

static void many_steps_at_once_are_as_many_single_ones(void **state)
{
	(void)state;
	struct opened a = debug_open("softmax", "softmax", ".cu"), b = debug_open("softmax", "softmax", ".cu");
	do_(a.debug, "step 57");
	for (int i = 0; i < 57; i++)
		do_(b.debug, "step");
	assert_same_place(place_of(a.debug), place_of(b.debug));
	do_(a.debug, "rs 20");
	for (int i = 0; i < 20; i++)
		do_(b.debug, "rs");
	assert_same_place(place_of(a.debug), place_of(b.debug));
	debug_close(&a);
	debug_close(&b);
}

static void next_goes_to_another_line(void **state)
{
	(void)state;
	struct opened o = debug_open("scan", "scan", ".cu");
	int before = line_now(o.debug);
	for (int i = 0; i < 30 && o.debug->now.state == DEBUG_WARP_RUNS; i++) {
		do_(o.debug, "next");
		if (o.debug->now.state == DEBUG_WARP_RUNS)
			assert_int_not_equal(line_now(o.debug), before);
		before = line_now(o.debug);
	}
	debug_close(&o);
}

/* Whatever they call, and themselves too. */
static void next_steps_over_calls(void **state)
{
	(void)state;
	struct opened o = debug_open("calls", "calls", ".cu");
	struct debug *debug = o.debug;
	for (int i = 0; i < 100 && debug->now.state == DEBUG_WARP_RUNS; i++) {
		assert_int_equal(debug->program->instrs[debug->now.instr].part, 0);
		do_(debug, "next");
	}
	assert_int_equal(debug->now.state, DEBUG_WARP_ENDED);
	do_(debug, "restart");
	dof(debug, "break %d", line_with(debug, "int sum = weight"));
	do_(debug, "c");
	assert_string_equal(debug->program->parts[debug->program->instrs[debug->now.instr].part].name, "tree");
	do_(debug, "delete");
	for (int i = 0; i < 100 && line_now(debug) != line_with(debug, "sum = tree("); i++) {
		assert_string_equal(debug->program->parts[debug->program->instrs[debug->now.instr].part].name, "tree");
		do_(debug, "next");
	}
	assert_int_equal(debug->program->instrs[debug->now.instr].part, 0); /* back in the kernel */
	debug_close(&o);
}

static void reverse_next_goes_to_the_beginning_of_a_line(void **state)
{
	(void)state;
	struct opened o = debug_open("softmax", "softmax", ".cu");
	struct debug *debug = o.debug;
	do_(debug, "step 40");
	for (int i = 0; i < 8; i++) {
		uint64_t before = debug->step;
		do_(debug, "reverse-next");
		assert_true(debug->step < before);
		struct place there = place_of(debug);
		int line = line_now(debug);
		if (debug->step) {
			do_(debug, "rs");
			assert_int_not_equal(line_now(debug), line);
			do_(debug, "s");
			assert_same_place(there, place_of(debug));
		}
	}
	debug_close(&o);
}

static void nothing_lies_before_the_start(void **state)
{
	(void)state;
	struct opened o = debug_open("scan", "scan", ".cu");
	do_(o.debug, "rs");
	assert_int_equal(o.debug->step, 0);
	assert_non_null(strstr(o.debug->said.notice, "nothing before"));
	do_(o.debug, "s 3");
	do_(o.debug, "rs 100");
	assert_int_equal(o.debug->step, 0);
	do_(o.debug, "s 3");
	do_(o.debug, "restart");
	assert_int_equal(o.debug->step, 0);
	debug_close(&o);
}

static void any_follows_the_warp_whose_turn_it_is(void **state)
{
	(void)state;
	struct opened o = debug_open("scan", "scan", ".cu");
	bool seen[4] = {false};
	while (!o.debug->ended) {
		uint64_t before = o.debug->step;
		do_(o.debug, "any");
		assert_true(o.debug->ended || o.debug->step == before + 1);
		seen[o.debug->warp] = true;
	}
	assert_true(seen[0] && seen[1] && seen[2] && seen[3]);
	debug_close(&o);
}

/* --- ends --------------------------------------------------------------------------------------------------------- */

static void the_end_of_a_warp_stops_a_step(void **state)
{
	(void)state;
	struct opened o = debug_open("histogram", "histogram", ".cu");
	struct debug *debug = o.debug;
	do_(debug, "step 100000");
	assert_int_equal(debug->warp, 0);
	assert_int_equal(debug->now.state, DEBUG_WARP_ENDED);
	assert_false(debug->ended);
	do_(debug, "step");
	assert_int_equal(debug->now.state, DEBUG_WARP_RUNS);
	assert_int_not_equal(debug->warp, 0);
	debug_close(&o);
}

static void finish_ends_at_the_next_block(void **state)
{
	(void)state;
	struct opened o = debug_open("stencil", "stencil", ".cu");
	do_(o.debug, "step 5");
	do_(o.debug, "finish");
	assert_int_equal(o.debug->block, 1);
	assert_int_equal(o.debug->now.instr, 0);
	do_(o.debug, "finish");
	assert_true(o.debug->ended);
	assert_int_equal(o.debug->result.outcome, SIMT_OK);
	do_(o.debug, "step"); /* says so, and stays */
	assert_true(o.debug->ended);
	do_(o.debug, "rs");
	assert_false(o.debug->ended);
	assert_int_equal(o.debug->block, 1);
	debug_close(&o);
}

static void a_block_to_come_is_run_to(void **state)
{
	(void)state;
	struct opened o = debug_open("histogram", "histogram", ".cu");
	do_(o.debug, "block 1");
	assert_int_equal(o.debug->now.state, DEBUG_WARP_AWAITED);
	do_(o.debug, "step");
	assert_int_equal(o.debug->block, 1);
	assert_int_equal(o.debug->now.instr, 0);
	do_(o.debug, "block 0");
	assert_int_equal(o.debug->now.state, DEBUG_WARP_ENDED);
	do_(o.debug, "rs");
	assert_int_equal(o.debug->block, 0);
	assert_int_equal(o.debug->now.state, DEBUG_WARP_RUNS);
	debug_close(&o);
}

static void a_defect_keeps_the_machine_as_it_was(void **state)
{
	(void)state;
	struct opened o = debug_open("stencil", "unbounded", ".cu");
	struct debug *debug = o.debug;
	do_(debug, "continue");
	assert_true(debug->ended);
	assert_int_equal(debug->result.defect, SIMT_OUT_OF_BOUNDS);
	assert_true(debug->said.wrong);
	assert_int_equal(debug->now.instr, debug->result.instr);
	assert_int_equal(debug->now.active, UINT32_MAX);
	assert_int_equal(debug->result.lanes, 3); /* two elements before the buffer */
	assert_int_equal(debug->access.when, DEBUG_ACCESS_NEXT);
	assert_int_equal(debug->access.access.address[0], debug->result.address);
	struct place there = place_of(debug);
	do_(debug, "rs");
	assert_int_equal(debug->step, there.step - 1);
	do_(debug, "s");
	assert_same_place(there, place_of(debug));
	do_(debug, "s");
	assert_true(debug->ended);
	assert_same_place(there, place_of(debug));
	debug_close(&o);
}

static void a_race_has_two_sides(void **state)
{
	(void)state;
	struct opened o = debug_open("../defects/tile", "reuse_missing", ".cu");
	struct debug *debug = o.debug;
	do_(debug, "c");
	assert_int_equal(debug->result.defect, SIMT_RACE);
	assert_int_equal(debug->now.instr, debug->result.instr);
	int other = debug_other_side(debug);
	assert_true(other >= 0 && other != debug->now.instr);
	char place[40];
	snprintf(place, sizeof place, "line %d,", debug->program->instrs[other].line);
	assert_non_null(strstr(strstr(debug->said.notice, "the other side, a"), place));
	do_(debug, "rs");
	assert_int_equal(debug_other_side(debug), -1);
	debug_close(&o);
}

/* --- breakpoints -------------------------------------------------------------------------------------------------- */

static void a_breakpoint_stops_every_warp(void **state)
{
	(void)state;
	struct opened o = debug_open("histogram", "histogram", ".cu");
	struct debug *debug = o.debug;
	int line = line_with(debug, "atomicAdd"), stops = 0;
	dof(debug, "break %d", line);
	for (do_(debug, "c"); !debug->ended; do_(debug, "c"), stops++)
		assert_int_equal(line_now(debug), line);
	/* 1000 values, 128 threads, 32 a warp, in both blocks: 32 rounds, the last of them of 8 lanes */
	assert_int_equal(stops, 2 * 32);
	assert_int_equal(debug->breaks.at[0].hits, stops);
	debug_close(&o);
}

static void conditions_narrow_a_breakpoint(void **state)
{
	(void)state;
	struct opened o = debug_open("softmax", "softmax", ".cu");
	struct debug *debug = o.debug;
	int line = line_with(debug, "term *="), stops = 0;
	dof(debug, "break %d lane 6 warp 2 block 0", line);
	for (do_(debug, "c"); !debug->ended; do_(debug, "c"), stops++) {
		assert_int_equal(debug->warp, 2);
		assert_true(debug->now.active >> 6 & 1);
	}
	assert_true(stops > 1);
	do_(debug, "delete");
	do_(debug, "restart");
	dof(debug, "break %d lane 7 warp 2", line); /* row 2 has 7 columns */
	do_(debug, "c");
	assert_true(debug->ended);
	debug_close(&o);
}

static void breakpoints_are_found_backwards(void **state)
{
	(void)state;
	struct opened o = debug_open("softmax", "softmax", ".cu");
	struct debug *debug = o.debug;
	uint64_t steps[8];
	dof(debug, "break %d", line_with(debug, "part = 1 / e"));
	for (int i = 0; i < 4; i++) {
		do_(debug, "c");
		steps[i] = debug->step;
	}
	for (int i = 2; i >= 0; i--) {
		do_(debug, "rc");
		assert_int_equal(debug->step, steps[i]);
	}
	do_(debug, "rc");
	assert_int_equal(debug->step, 0);
	debug_close(&o);
}

static void a_line_without_code_means_the_next_one(void **state)
{
	(void)state;
	struct opened o = debug_open("scan", "scan", ".cu");
	do_(o.debug, "break 1");
	assert_int_equal(o.debug->breaks.at[0].line, debug_line_with_code(o.debug->program, DEBUG_SOURCE, 1));
	assert_non_null(strstr(o.debug->said.notice, "the next one"));
	assert_false(debug_do(o.debug, "break 999"));
	assert_false(debug_do(o.debug, "delete 7"));
	do_(o.debug, "delete 1");
	assert_int_equal(o.debug->breaks.n, 0);
	debug_close(&o);
}

static void ptx_lines_can_be_broken_on(void **state)
{
	(void)state;
	struct screen_debug_state screen = {0};
	struct opened o = debug_open("scan", "scan", NULL);
	const struct debug_program *program = o.debug->program;
	int line = 0;
	for (int i = 0; i < program->n_rows; i++)
		if (strstr(program->rows[i].text, "bar.sync"))
			line = program->rows[i].line;
	assert_true(line > 0);
	dof(o.debug, "breakptx %d", line);
	do_(o.debug, "c");
	assert_int_equal(program->instrs[o.debug->now.instr].code->line, line);
	screen_debug_key(&screen, o.debug, 'b'); /* the cursor is there */
	assert_int_equal(o.debug->breaks.n, 0);
	debug_close(&o);
}

/* --- lanes, warps, registers -------------------------------------------------------------------------------------- */

static void a_followed_lane_is_in_every_step(void **state)
{
	(void)state;
	struct opened o = debug_open("softmax", "softmax", ".cu");
	struct debug *debug = o.debug;
	do_(debug, "warp 1");
	do_(debug, "lane 25"); /* past the row's 20 columns */
	int seen = 0;
	for (int i = 0; i < 400 && debug->now.state != DEBUG_WARP_ENDED; i++) {
		do_(debug, "step");
		if (debug->now.state == DEBUG_WARP_ENDED)
			break;
		assert_true(debug->now.active >> 25 & 1);
		assert_int_not_equal(line_now(debug), line_with(debug, "term *="));
		seen++;
	}
	assert_true(seen > 20);
	debug_close(&o);
}

static void the_other_path_is_said_to_wait(void **state)
{
	(void)state;
	struct opened o = debug_open("softmax", "softmax", ".cu");
	struct debug *debug = o.debug;
	do_(debug, "warp 1");
	dof(debug, "break %d warp 1", line_with(debug, "term *="));
	do_(debug, "c");
	assert_int_equal(debug->now.n_paths, 2);
	assert_int_equal(debug->now.active, 0xFFFFF);
	assert_int_equal(debug->now.waiting, 0xFFF00000);
	assert_int_equal(debug->now.paths[0].state, SIMT_PATH_RUNS);
	debug_close(&o);
}

static void registers_say_what_they_are(void **state)
{
	(void)state;
	struct opened o = debug_open("softmax", "softmax", ".cu");
	struct debug *debug = o.debug;
	const struct ptx_kernel *kernel = debug->program->kernel;
	do_(debug, "step 60");
	int floats = 0;
	for (int r = 0; r < kernel->n_regs; r++) {
		if (kernel->regs[r].name[1] == 'f') {
			assert_int_equal(debug->program->regs[r].kind, 'F');
			floats++;
		}
		if (kernel->regs[r].name[1] == 'p')
			assert_int_equal(debug->program->regs[r].kind, 'P');
	}
	assert_true(floats > 10);
	struct debug_shown shown[64];
	struct debug_uses uses;
	debug_uses(debug->program, debug->now.instr, &uses);
	int n = debug_shown(debug, shown, 64);
	assert_true(n > uses.n_written + uses.n_read);
	for (int i = 0; i < uses.n_written; i++)
		assert_int_equal(shown[i].reg, uses.written[i]);
	debug_close(&o);
}

static void a_step_marks_what_it_changed(void **state)
{
	(void)state;
	struct opened o = debug_open("scan", "scan", ".cu");
	struct debug *debug = o.debug;
	for (int i = 0; i < 40; i++) {
		struct debug_uses uses;
		debug_uses(debug->program, debug->now.instr, &uses);
		uint32_t executing = debug->now.executing;
		do_(debug, "step");
		for (int r = 0; r < debug->program->n_regs; r++) {
			bool written = false;
			for (int w = 0; w < uses.n_written; w++)
				written |= uses.written[w] == r;
			assert_int_equal(debug->registers[r].changed & ~(written ? executing : 0), 0);
		}
	}
	debug_close(&o);
}

static void the_next_access_is_the_one_that_is_made(void **state)
{
	(void)state;
	struct opened o = debug_open("matmul", "matmul", ".cu");
	struct debug *debug = o.debug;
	int compared = 0;
	while (debug->now.state == DEBUG_WARP_RUNS || debug->now.state == DEBUG_WARP_AT_BARRIER) {
		struct debug_access next = debug->access;
		do_(debug, "step");
		if (next.when != DEBUG_ACCESS_NEXT || debug->access.when != DEBUG_ACCESS_LAST)
			continue;
		assert_int_equal(next.instr, debug->access.instr);
		assert_int_equal(next.access.space, debug->access.access.space);
		assert_int_equal(next.access.op, debug->access.access.op);
		assert_int_equal(next.access.width, debug->access.access.width);
		assert_int_equal(next.access.active, debug->access.access.active);
		for (int i = 0; i < 32; i++)
			if (next.access.active >> i & 1)
				assert_true(next.access.address[i] == debug->access.access.address[i]);
		compared++;
	}
	assert_true(compared > 30);
	debug_close(&o);
}

/* The profile counts the same run by other means. */
/* Line 31 loads from shared memory and stores to global; line 18 has no access. */
static void a_line_is_gone_to_by_its_accesses(void **state)
{
	(void)state;
	struct opened o = debug_open("softmax", "softmax", ".cu");
	struct debug *debug = o.debug;
	debug_follow(debug, 0, 2);
	debug_look(debug);
	debug_go_to_line(debug, 18, 0);
	debug_finish(debug);
	assert_int_equal(debug->program->instrs[debug->now.instr].line, 18);
	for (int access = 0; access < 2; access++) {
		do_(debug, "restart");
		debug_follow(debug, 0, 2);
		debug_look(debug);
		debug_go_to_line(debug, 31, access);
		debug_finish(debug);
		assert_int_equal(debug->program->instrs[debug->now.instr].line, 31);
		assert_int_equal(debug->warp, 2);
		assert_int_equal(debug->access.when, DEBUG_ACCESS_NEXT);
		assert_int_equal(debug->access.access.space, access ? SPACE_GLOBAL : SPACE_SHARED);
	}
	debug_go_to_line(debug, 9999, 0);
	assert_false(debug_busy(debug));
	debug_close(&o);
}

static void executions_are_those_of_the_profile(void **state)
{
	(void)state;
	int compared = 0;
	for (size_t k = 0; k < sizeof debug_launches / sizeof *debug_launches; k++) {
		struct opened o = debug_open(debug_launches[k].name, debug_launches[k].kernel, ".cu");
		struct diag diag = {0};
		struct profile *profile = profile_run(o.arena, o.module, &o.launch, (struct profile_watch){0}, &diag);
		uint64_t sum = 0, all = 0;
		do_(o.debug, "c");
		assert_true(o.debug->ended);
		for (int i = 0; i < o.debug->program->n_instrs; i++)
			sum += o.debug->executions[i];
		all = profile->result.steps;
		if (o.debug->result.outcome == SIMT_OK)
			assert_int_equal(sum, all);
		compared += o.debug->result.outcome == SIMT_OK;
		diag_free(&diag);
		debug_close(&o);
	}
	assert_int_equal(compared, 8); /* the others have defects */
}

/* --- jobs --------------------------------------------------------------------------------------------------------- */

/* Looking for a place to go back to does without checks; what is run afterwards does not. */
static void defects_are_found_after_going_back(void **state)
{
	(void)state;
	static const char *const backs[] = {"rc", "rn", "rs 3", "goto 20", "restart"};
	for (size_t i = 0; i < sizeof backs / sizeof *backs; i++) {
		struct opened o = debug_open("../defects/tile", "reuse_missing", ".cu");
		do_(o.debug, "c");
		uint64_t step = o.debug->step;
		assert_int_equal(o.debug->result.defect, SIMT_RACE);
		do_(o.debug, backs[i]);
		assert_true(o.debug->step < step);
		do_(o.debug, "c");
		assert_int_equal(o.debug->result.defect, SIMT_RACE);
		assert_int_equal(o.debug->step, step);
		debug_close(&o);
	}
}

static void a_search_that_is_stopped_leaves_the_start(void **state)
{
	(void)state;
	struct opened o = debug_open("../defects/tile", "reuse_missing", ".cu");
	do_(o.debug, "c");
	debug_act(o.debug, DEBUG_ACT_BACK_CONTINUE);
	debug_act(o.debug, DEBUG_ACT_CANCEL);
	assert_int_equal(o.debug->step, 0);
	do_(o.debug, "c");
	assert_int_equal(o.debug->result.defect, SIMT_RACE);
	debug_close(&o);
}

static void what_runs_can_be_stopped(void **state)
{
	(void)state;
	struct opened o = debug_open("matmul", "matmul", ".cu");
	struct debug *debug = o.debug;
	struct buf text = {0};
	debug_act(debug, DEBUG_ACT_CONTINUE);
	assert_true(debug_busy(debug));
	debug_act(debug, DEBUG_ACT_STEP); /* is not heard */
	debug_progress(debug, &text);
	assert_non_null(strstr(buf_str(&text), "Esc"));
	debug_act(debug, DEBUG_ACT_CANCEL);
	assert_false(debug_busy(debug));
	assert_int_equal(debug->step, 0);
	assert_non_null(strstr(debug->said.notice, "Stopped"));
	do_(debug, "step 3");
	assert_int_equal(debug->step, 3);
	buf_free(&text);
	debug_close(&o);
}

/* --- prompt ------------------------------------------------------------------------------------------------------- */

static void wrong_commands_are_reported(void **state)
{
	(void)state;
	static const struct {
		const char *command, *message;
		int col;
	} cases[] = {
		{"frobnicate", "no command 'frobnicate'", 1},
		{"re", "several", 1},
		{"step x", "expected a number", 6},
		{"step 0", "no count 0", 6},
		{"step -1", "expected a number", 6},
		{"step 1 2", "a word too many", 8},
		{"goto", "step is missing", 5},
		{"  break 14 lane", "lane is missing", 16},
		{"break 14 lane 32", "no lane 32", 15},
		{"break 14 warp 4", "no warp 4", 15},
		{"break 14 block 1", "no block 1", 16},
		{"break 14 unless 3", "not 'unless'", 10},
		{"break 14 if", "which condition", 12},
		{"break 14 if 3 +", "a value is expected", 13},
		{"break 14 if zz9", "no such register", 13},
		{"break 14 lane 3 if (1", "never closed", 20},
		{"set %r1", "NAME = EXPR", 5},
		{"set %zz9 = 1", "no such register", 5},
		{"set %r1 = zz9", "no such register", 5},
		{"set %p1 = 1 +", "a value is expected", 5},
		{"set threadIdx.x = 1", "cannot be changed", 5},
		{"undo", "nothing has been changed", 1},
		{"variables", "names no variables", 1},
		{"print 1 +", "a value is expected", 7},
		{"break 14.5", "expected a number", 7},
		{"warp 4", "from 0 to 3", 6},
		{"block 1", "from 0 to 0", 7},
		{"lane", "lane is missing", 5},
		{"lane 40", "no lane", 6},
		{"print", "which register", 6},
		{"print %zz9", "no register '%zz9'", 7},
		{"format octal", "auto, hex, int, float", 8},
		{"show stack", "registers, memory, paths, warps", 6},
		{"find", "which word", 5},
		{"examine", "shared, global", 8},
		{"x shared", "which address", 9},
		{"x shared 0 4 word", "expected a type", 14},
		{"find qqq", "nowhere", 6},
		{"delete 3", "no breakpoint 3", 8},
		{"continue 3", "too many", 10},
		{"goto 99999999999999999999", "expected a number", 6},
	};
	struct opened o = debug_open("scan", "scan", ".cu");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct diag diag = {0};
		struct diag_pos at = {
			.file = "f", .line = 1, .text = cases[i].command, .text_len = strlen(cases[i].command)};
		assert_false(debug_command(o.debug, cases[i].command, at, &diag));
		debug_finish(o.debug);
		assert_int_equal(diag.count, 1);
		if (!strstr(diag.entries[0].message, cases[i].message) || diag.entries[0].col != cases[i].col)
			fail_msg("%s: %d: %s", cases[i].command, diag.entries[0].col, diag.entries[0].message);
		assert_int_equal(o.debug->step, 0);
		diag_free(&diag);
	}
	char long_one[400];
	memset(long_one, 's', sizeof long_one - 1);
	long_one[sizeof long_one - 1] = '\0';
	assert_false(debug_do(o.debug, long_one));
	assert_true(debug_do(o.debug, ""));
	assert_true(debug_do(o.debug, "  # step"));
	debug_close(&o);
}

static void the_prompt_takes_what_is_typed(void **state)
{
	(void)state;
	static const key_code keys[] = {':', 's', 't', 'e', 'p', ' ', '3', '9', KEYC_BACKSPACE, KEYC_ENTER};
	struct screen_debug_state screen = {0};
	struct opened o = debug_open("scan", "scan", ".cu");
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		screen_debug_key(&screen, o.debug, keys[i]);
	debug_finish(o.debug);
	assert_int_equal(o.debug->step, 3);
	screen_debug_key(&screen, o.debug, ':');
	screen_debug_key(&screen, o.debug, KEYC_UP);
	screen_debug_key(&screen, o.debug, KEYC_ENTER); /* step 3 again */
	debug_finish(o.debug);
	assert_int_equal(o.debug->step, 6);
	screen_debug_key(&screen, o.debug, ':');
	screen_debug_key(&screen, o.debug, 'q');
	screen_debug_key(&screen, o.debug, KEYC_ESC);
	assert_int_equal(o.debug->prompt.mark, 0);
	assert_false(o.debug->quit);
	screen_debug_key(&screen, o.debug, ':');
	screen_debug_key(&screen, o.debug, 'y');
	screen_debug_key(&screen, o.debug, KEYC_ENTER);
	assert_true(o.debug->said.wrong);
	debug_put_cursor(o.debug, DEBUG_SOURCE, 1);
	for (const char *k = "/total["; *k; k++)
		screen_debug_key(&screen, o.debug, (unsigned char)*k);
	screen_debug_key(&screen, o.debug, KEYC_ENTER);
	assert_int_equal(o.debug->cursor.line, line_with(o.debug, "total["));
	screen_debug_key(&screen, o.debug, 'g');
	assert_true(o.debug->cursor.line > line_with(o.debug, "total["));
	debug_close(&o);
}

static void enter_does_it_again(void **state)
{
	(void)state;
	static const key_code keys[] = {KEYC_ENTER, KEYC_ENTER, 'S', KEYC_ENTER, 's', 's', 's', KEYC_ENTER};
	static const int steps[] = {1, 2, 1, 0, 1, 2, 3, 4};
	struct screen_debug_state screen = {0};
	struct opened o = debug_open("scan", "scan", ".cu");
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		screen_debug_key(&screen, o.debug, keys[i]);
		debug_finish(o.debug);
		assert_int_equal(o.debug->step, steps[i]);
	}
	debug_close(&o);
}

static void print_says_all_lanes(void **state)
{
	(void)state;
	struct opened o = debug_open("matmul", "matmul", ".cu");
	struct debug *debug = o.debug;
	const struct ptx_kernel *kernel = debug->program->kernel;
	while (!strstr(kernel->instrs[debug->now.instr].form->spelling, "mov.u32") ||
		kernel->instrs[debug->now.instr].operands[1].index != PTX_SPECIAL_TID_X)
		do_(debug, "step");
	int x = kernel->instrs[debug->now.instr].operands[0].index;
	do_(debug, "step");
	dof(debug, "print %s", kernel->regs[x].name);
	assert_non_null(strstr(buf_str(&debug->said.output), "lane  0  0 1 2 3 4 5 6 7\n"));
	assert_non_null(strstr(buf_str(&debug->said.output), "lane 24  8 9 10 11 12 13 14 15\n"));
	buf_clear(&debug->said.output);
	do_(debug, "format hex");
	dof(debug, "print %s", kernel->regs[x].name + 1);
	assert_non_null(strstr(buf_str(&debug->said.output), "0x8 0x9 0xa"));
	dof(debug, "display %s", kernel->regs[x].name);
	struct debug_shown shown[16];
	struct debug_uses uses;
	do_(debug, "step 5");
	debug_uses(debug->program, debug->now.instr, &uses);
	debug_shown(debug, shown, 16);
	assert_true(shown[uses.n_written + uses.n_read].reg == x || shown[uses.n_written].reg == x);
	debug_close(&o);
}

/* 1.5 and -2 as halves are 0x3E00 and 0xC000, as bfloat16 0x3FC0 and 0xC000. */
static void packed_halves_are_shown_as_halves(void **state)
{
	static const struct {
		const char *format;
		uint64_t bits;
		const char *text;
	} rows[] = {
		{"format f16x2", 0xC0003E00, " = 1.5,-2 in all lanes\n"},
		{"format bf16x2", 0xC0003FC0, " = 1.5,-2 in all lanes\n"},
		{"format f16x2", 0x7C00FE00, " = nan,inf in all lanes\n"},
		{"format bf16x2", 0x7F803E4D, " = 0.2002,inf in all lanes\n"},
		{"format f16x2", 0x2E66, " = 0.099976,0 in all lanes\n"},
	};
	(void)state;
	struct opened o = debug_open("matmul", "matmul", ".cu");
	struct debug *debug = o.debug;
	int word = 0, wide = 0;
	while (ptx_slot_bytes(debug->program->regs[word].type) != 4)
		word++;
	while (ptx_slot_bytes(debug->program->regs[wide].type) != 8)
		wide++;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		for (int lane = 0; lane < WARP_SIZE; lane++)
			debug->registers[word].lanes[lane] = rows[i].bits;
		do_(debug, rows[i].format);
		dof(debug, "print %s", debug->program->regs[word].name);
		const char *end = strstr(buf_str(&debug->said.output), " = ");
		assert_non_null(end);
		assert_string_equal(end, rows[i].text);
		buf_clear(&debug->said.output);
	}
	struct buf text = {0};
	debug->number = DEBUG_NUMBER_F16X2;
	debug->registers[wide].lanes[0] = 0x3C00400042004400;
	debug_value(debug, wide, 0, DEBUG_DIGITS_FEW, &text);
	assert_string_equal(buf_str(&text), "4,3,2,1");
	buf_free(&text);
	debug_close(&o);
}

static void memory_can_be_examined(void **state)
{
	(void)state;
	struct opened o = debug_open("stencil", "stencilPKiPii", ".cu");
	struct debug *debug = o.debug;
	dof(debug, "break %d", line_with(debug, "int sum = 0"));
	do_(debug, "c");
	do_(debug, "x shared 8 6");
	assert_string_equal(buf_str(&debug->said.output), "0x8: 0 1 2 3 4 5\n");
	buf_clear(&debug->said.output);
	do_(debug, "x shared 8 3 f16x2"); /* the words 0, 1 and 2: subnormals of the low half */
	assert_string_equal(buf_str(&debug->said.output), "0x8: 0,0 5.9605e-08,0 1.1921e-07,0\n");
	buf_clear(&debug->said.output);
	do_(debug, "examine shared 8 2 b64"); /* two words each */
	assert_string_equal(buf_str(&debug->said.output), "0x8: 4294967296 12884901890\n");
	buf_clear(&debug->said.output);
	dof(debug, "break %d", line_with(debug, "out[i] = sum"));
	do_(debug, "c");
	while (debug->access.when != DEBUG_ACCESS_NEXT || debug->access.access.op != ACCESS_STORE)
		do_(debug, "step");
	uint64_t at = debug->access.access.address[0];
	do_(debug, "step");
	buf_clear(&debug->said.output);
	dof(debug, "x global %llu 4", (unsigned long long)at);
	assert_non_null(strstr(buf_str(&debug->said.output), ": 3 6 10 15\n")); /* 0+1+2, 0+1+2+3, ... */
	buf_clear(&debug->said.output);
	assert_false(debug_do(debug, "x shared 270 1"));
	assert_false(debug_do(debug, "x shared 18446744073709551615 1"));
	assert_false(debug_do(debug, "x global 16 1"));
	assert_false(debug_do(debug, "x local 0"));
	assert_false(debug_do(debug, "x shared 0 4 word"));
	assert_false(debug_do(debug, "x shared 0 0"));
	assert_false(debug_do(debug, "x shared"));
	debug_close(&o);
}

/* Before the followed warp's block has begun there is nothing to look at: the warp whose turn it is, is followed. */
static void going_back_finds_a_warp_to_follow(void **state)
{
	(void)state;
	struct opened o = debug_open("histogram", "histogram", ".cu");
	do_(o.debug, "block 1");
	do_(o.debug, "step 3");
	do_(o.debug, "rc");
	assert_int_equal(o.debug->step, 0);
	assert_int_equal(o.debug->block, 0);
	assert_int_equal(o.debug->now.state, DEBUG_WARP_RUNS);
	debug_close(&o);
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

static void tables_are_whole(void **state)
{
	(void)state;
	for (int action = DEBUG_ACT_NONE + 1; action < DEBUG_ACTIONS; action++) {
		int keys = 0;
		for (int i = 0; i < debug_key_count; i++)
			keys += (int)debug_keys[i].action == action;
		if (!keys || !debug_actions[action].help[0])
			fail_msg("action %s: %d keys, help '%s'", debug_actions[action].name, keys,
				debug_actions[action].help);
	}
	for (int i = 0; i < debug_key_count; i++)
		for (int k = i + 1; k < debug_key_count; k++)
			assert_int_not_equal(debug_keys[i].key, debug_keys[k].key);
	for (int i = 0; i < debug_command_count; i++) {
		assert_true(debug_commands[i].help[0] && debug_commands[i].name[0]);
		for (int k = 0; k < debug_command_count; k++) {
			if (k != i && debug_commands[i].brief[0])
				assert_string_not_equal(debug_commands[i].brief, debug_commands[k].brief);
			if (k != i)
				assert_string_not_equal(debug_commands[i].brief, debug_commands[k].name);
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(begins_before_the_first_instruction),
		cmocka_unit_test(steps_stay_with_the_followed_warp),
		cmocka_unit_test(back_is_where_it_was),
		cmocka_unit_test(any_step_can_be_gone_to),
		cmocka_unit_test(many_steps_at_once_are_as_many_single_ones),
		cmocka_unit_test(next_goes_to_another_line),
		cmocka_unit_test(next_steps_over_calls),
		cmocka_unit_test(reverse_next_goes_to_the_beginning_of_a_line),
		cmocka_unit_test(nothing_lies_before_the_start),
		cmocka_unit_test(any_follows_the_warp_whose_turn_it_is),
		cmocka_unit_test(the_end_of_a_warp_stops_a_step),
		cmocka_unit_test(finish_ends_at_the_next_block),
		cmocka_unit_test(a_block_to_come_is_run_to),
		cmocka_unit_test(a_defect_keeps_the_machine_as_it_was),
		cmocka_unit_test(a_race_has_two_sides),
		cmocka_unit_test(a_breakpoint_stops_every_warp),
		cmocka_unit_test(conditions_narrow_a_breakpoint),
		cmocka_unit_test(breakpoints_are_found_backwards),
		cmocka_unit_test(a_line_without_code_means_the_next_one),
		cmocka_unit_test(ptx_lines_can_be_broken_on),
		cmocka_unit_test(a_followed_lane_is_in_every_step),
		cmocka_unit_test(the_other_path_is_said_to_wait),
		cmocka_unit_test(registers_say_what_they_are),
		cmocka_unit_test(a_step_marks_what_it_changed),
		cmocka_unit_test(the_next_access_is_the_one_that_is_made),
		cmocka_unit_test(a_line_is_gone_to_by_its_accesses),
		cmocka_unit_test(executions_are_those_of_the_profile),
		cmocka_unit_test(defects_are_found_after_going_back),
		cmocka_unit_test(a_search_that_is_stopped_leaves_the_start),
		cmocka_unit_test(what_runs_can_be_stopped),
		cmocka_unit_test(wrong_commands_are_reported),
		cmocka_unit_test(the_prompt_takes_what_is_typed),
		cmocka_unit_test(enter_does_it_again),
		cmocka_unit_test(print_says_all_lanes),
		cmocka_unit_test(packed_halves_are_shown_as_halves),
		cmocka_unit_test(memory_can_be_examined),
		cmocka_unit_test(going_back_finds_a_warp_to_follow),
		cmocka_unit_test(tables_are_whole),
	};
	return cmocka_run_group_tests_name("debug", tests, NULL, NULL);
}
