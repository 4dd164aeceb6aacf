/* Experiments of a lesson of its own: a warp that copies words from `off` bytes on, and one whose lanes race. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "course/experiment/experiment.h"
#include "course/experiment/private.h"
#include "front/tutor/tutor.h"
#include "model/hardware/metrics.h"

static const char lesson_text[] =
	"---\n"
	"format: 1\n"
	"title: Copies\n"
	"track: Tests\n"
	"summary: A lesson for the tests.\n"
	"takeaway: Done.\n"
	"kernel: copy\n"
	"parameters: [{name: off, values: [0, 2, 4, 128], default: 0}]\n"
	"experiment:\n"
	"  launch: {grid: \"1\", block: \"32\"}\n"
	"  args: [\"u32[48]:iota\", \"u32[32]\", \"u64:{off}\"]\n"
	"  watch: 3\n"
	"  results: {1: \"arg0[i + off / 4]\"}\n"
	"  views: [sectors, blocks]\n"
	"  metrics: [global_load_sectors_per_request, cycles]\n"
	"---\n"
	"\n"
	"## A copy\n"
	"\n"
	"```simt\n"
	"launch: {kernel: copy}\n"
	"defect: {kind: misaligned address, when: off == 2}\n"
	"question:\n"
	"  ask: How many sectors?\n"
	"  metric: global_load_sectors_per_request\n"
	"  wrong: {\"32\": \"No, {= global_load_sectors_per_request[off=4] }.\"}\n"
	"```\n"
	"\n"
	"## The same\n"
	"\n"
	"```simt\n"
	"launch: {kernel: copy}\n"
	"defect: {kind: misaligned address, when: off == 2}\n"
	"question:\n"
	"  ask: When was it measured?\n"
	"  from: recorded\n"
	"  metric: global_load_requests\n"
	"```\n"
	"\n"
	"## A race\n"
	"\n"
	"```simt\n"
	"launch: {kernel: race}\n"
	"defect: race\n"
	"question:\n"
	"  ask: More than four?\n"
	"  choices:\n"
	"    - {text: \"yes\", when: \"global_store_requests > 4\"}\n"
	"    - {text: \"no\", when: \"global_store_requests <= 4\"}\n"
	"```\n"
	"\n"
	"## Which of them\n"
	"\n"
	"```simt\n"
	"launch: {kernel: copy}\n"
	"question:\n"
	"  ask: Which are there?\n"
	"  several:\n"
	"    - {text: \"loads\", when: \"global_load_requests > 0\"}\n"
	"    - {text: \"banks\", when: \"shared_load_requests > 0\", why: \"No, {= shared_load_requests }.\"}\n"
	"    - {text: \"stores\", when: \"global_store_requests > 0\"}\n"
	"```\n"
	"\n"
	"## From the fewest\n"
	"\n"
	"```simt\n"
	"launch: {kernel: copy}\n"
	"question:\n"
	"  ask: From the fewest sectors to the most?\n"
	"  order:\n"
	"    - {text: \"off 4\", by: \"global_load_sectors_per_request[off=4]\"}\n"
	"    - {text: \"none\", by: \"0\", why: \"Nothing is less.\"}\n"
	"    - {text: \"off 0\", by: \"global_load_sectors_per_request[off=0]\"}\n"
	"```\n"
	"\n"
	"## As the author says\n"
	"\n"
	"```simt\n"
	"question:\n"
	"  ask: First, then?\n"
	"  order: [second, first]\n"
	"  correct: [2, 1]\n"
	"```\n"
	"\n"
	"## Point at it\n"
	"\n"
	"```simt\n"
	"launch: {kernel: copy}\n"
	"question:\n"
	"  ask: Which lane reads byte 20?\n"
	"  point: lane\n"
	"  answer: \"5 + 0 * global_load_requests\"\n"
	"  wrong: {20: \"Bytes, not lanes.\"}\n"
	"```\n"
	"\n"
	"## What the machine leaves\n"
	"\n"
	"```simt\n"
	"launch: {kernel: copy}\n"
	"question: {ask: \"Word 3?\", answer: \"10 * result[argument=1, element=3, off=4] + result[argument=1, element=3]\",\n"
	"  wrong: {\"result[argument=1, element=32]\": \"There are 32.\", \"result[element=0, argument=2]\": \"No buffer.\",\n"
	"    \"result[argument=0, element=0, off=2]\": \"It does not end.\"}}\n"
	"```\n"
	"\n"
	"## What the detector finds\n"
	"\n"
	"```simt\n"
	"launch: {kernel: race}\n"
	"defect: race\n"
	"question: {ask: \"Which?\", answer: \"race + 2 * misaligned_address + 4 * race[off=4]\"}\n"
	"```\n";

static const char source[] = "// line 1\n// line 2\nout[i] = in[i];\n";

#define HEAD                                                                                                           \
	"(.param .u64 in, .param .u64 out, .param .u64 off)\n{\n\t.reg .b32 %r<4>;\n\t.reg .b64 %rd<8>;\n"             \
	"\t.loc 1 3 0\n\tld.param.u64 %rd1, [in];\n\tld.param.u64 %rd2, [out];\n\tld.param.u64 %rd3, [off];\n"         \
	"\tmov.u32 %r1, %tid.x;\n\tmul.wide.u32 %rd4, %r1, 4;\n"

static const char ptx[] = ".version 6.3\n.target sm_75\n.address_size 64\n.file 1 \"copy.cu\"\n"
			  ".visible .entry copy" HEAD
			  "\tadd.u64 %rd5, %rd1, %rd3;\n\tadd.u64 %rd5, %rd5, %rd4;\n\tadd.u64 %rd6, %rd2, %rd4;\n"
			  "\tld.global.u32 %r2, [%rd5];\n\tst.global.u32 [%rd6], %r2;\n\tret;\n}\n"
			  ".visible .entry race" HEAD "\tst.global.u32 [%rd2], %r1;\n\tret;\n}\n";

static char data[64];
static struct arena *arena;
static struct lesson *lesson;

static bool write_text(const char *name, const char *text, size_t len)
{
	char path[128];
	struct diag diag = {0};
	snprintf(path, sizeof path, "%s/%s", data, name);
	return file_write(path, text, len, &diag);
}

static int make_lesson(void **state)
{
	(void)state;
	struct diag diag = {0};
	char command[256];
	strcpy(data, "/tmp/simttutor-test-XXXXXX");
	if (!mkdtemp(data))
		return 1;
	snprintf(command, sizeof command, "mkdir -p %s/kernels %s/lessons/01-copies", data, data);
	if (system(command) != 0 || !write_text("kernels/copy.cu", source, sizeof source - 1) ||
		!write_text("kernels/copy.ptx", ptx, sizeof ptx - 1) ||
		!write_text("lessons/01-copies/lesson.md", lesson_text, sizeof lesson_text - 1))
		return 1;
	arena = arena_new();
	lesson = lesson_load(arena, data, "01-copies", &tutor_lesson_names, &diag);
	for (size_t i = 0; i < diag.count; i++)
		print_error("%s\n", diag.entries[i].message);
	diag_free(&diag);
	return !lesson;
}

static int remove_lesson(void **state)
{
	(void)state;
	char command[128];
	snprintf(command, sizeof command, "rm -r %s", data);
	arena_free(arena);
	return system(command);
}

static const struct experiment_rules shown = {.care = EXPERIMENT_SHOWN}, checked = {.care = EXPERIMENT_CHECKED};

static struct experiments *open_set(const struct experiment_rules *rules)
{
	struct experiments *set = experiments_new(lesson, rules);
	assert_int_equal(experiments_problems(set)->count, 0);
	return set;
}

static struct experiment *open_at(struct experiments *set, int step, int64_t off)
{
	return experiment_open(set, &lesson->steps[step], &off);
}

static double sectors(struct experiment *e)
{
	struct value v = metric_value(metric_find("global_load_sectors_per_request"), &experiment_run(e)->counts);
	assert_int_equal(v.state, VALUE_OK);
	return v.v;
}

/* --- opening and running ------------------------------------------------------------------------------------------ */

static void opening_makes_the_launch_and_runs_nothing(void **state)
{
	(void)state;
	struct experiments *set = open_set(&shown);
	struct experiment *e = open_at(set, 0, 4);
	assert_string_equal(e->launch->kernel, "copy");
	assert_string_equal(e->launch->args[2].text, "u64:4");
	assert_int_equal(e->watched.line, 3);
	assert_int_equal(experiments_count(set), 0);
	assert_null(experiment_find_run(set, e->step, e->values));
	assert_true(experiment_run(e)->ran);
	assert_int_equal(experiments_count(set), 1);
	assert_ptr_equal(experiment_find_run(set, e->step, e->values), e);
	assert_ptr_equal(open_at(set, 0, 4), e);
	experiments_free(set);
}

static void a_run_keeps_what_is_shown_of_it(void **state)
{
	(void)state;
	struct experiments *set = open_set(&shown);
	struct experiment *e = open_at(set, 0, 4);
	const struct experiment_run *run = experiment_run(e);
	assert_true(sectors(e) > 4.99 && sectors(e) < 5.01);
	assert_int_equal(run->n_lines, 1);
	assert_int_equal(run->lines[0].line, 3);
	assert_int_equal(run->lines[0].requests, 2);
	assert_int_equal(run->n_watched, 2);
	assert_int_equal(run->access.address[1] - run->access.address[0], 4);
	assert_int_equal(run->block.threads, 32);
	assert_null(run->wrong); /* results are not compared for a reader */
	experiments_free(set);
}

static void those_not_used_longest_go_but_not_the_pinned(void **state)
{
	(void)state;
	struct experiments *set = open_set(&(struct experiment_rules){.keep = 4});
	struct experiment *first = open_at(set, 0, 0);
	const int64_t zero = 0;
	experiment_run(first);
	experiment_pin(first);
	for (int step = 0; step < 3; step++)
		for (int64_t off = 0; off <= 4; off += 4)
			if (step || off)
				experiment_run(open_at(set, step, off));
	assert_int_equal(experiments_count(set), 4);
	assert_ptr_equal(experiment_find_run(set, &lesson->steps[0], &zero), first);
	const int64_t four = 4;
	assert_null(experiment_find_run(set, &lesson->steps[0], &four));
	experiment_unpin(first);
	experiments_free(set);
}

static void a_check_shares_one_run_of_one_launch(void **state)
{
	(void)state;
	struct experiments *set = open_set(&checked);
	struct experiment *e = open_at(set, 0, 0);
	assert_ptr_equal(open_at(set, 1, 0), e); /* another step, but not another launch */
	assert_ptr_not_equal(open_at(set, 1, 4), e);
	assert_true(experiment_run(e)->results);
	assert_null(experiment_run(e)->wrong);
	experiments_free(set);
	set = open_set(&shown);
	assert_ptr_not_equal(open_at(set, 0, 0), open_at(set, 1, 0)); /* what a GPU says is a step's own */
	experiments_free(set);
}

static void a_run_that_stops_predicts_nothing(void **state)
{
	(void)state;
	struct experiments *set = open_set(&shown);
	struct experiment *e = open_at(set, 0, 128); /* past the end of the buffer */
	const struct experiment_run *run = experiment_run(e);
	assert_true(run->ran);
	assert_int_equal(run->result.outcome, SIMT_DEFECT);
	assert_int_equal(run->counts.c[COUNTER_INSTRUCTIONS].state, VALUE_FAILED);
	assert_int_equal(e->problems.count, 1);
	assert_int_equal(e->problems.entries[0].line, 3);
	experiments_free(set);
	set = open_set(&checked); /* an author sees the defect instead */
	e = open_at(set, 0, 128);
	assert_int_equal(experiment_run(e)->n_defects, 1);
	assert_int_equal(experiment_run(e)->counts.c[COUNTER_INSTRUCTIONS].state, VALUE_OK);
	assert_int_equal(e->problems.count, 0);
	experiments_free(set);
}

static void times_and_counts_come_of_one_run(void **state)
{
	(void)state;
	struct experiments *set = open_set(&shown);
	struct experiment *e = open_at(set, 0, 0), *other = open_at(set, 0, 4);
	const struct timelines *times = experiment_times(e);
	assert_non_null(times->blocks);
	assert_int_equal(experiments_count(set), 1);
	assert_int_equal(experiment_run(e)->counts.c[COUNTER_CYCLES].state, VALUE_OK);
	assert_ptr_equal(experiment_times(e)->blocks, times->blocks); /* kept */
	experiment_run(other);
	assert_non_null(experiment_times(other)->blocks); /* later, too */
	experiments_set_gpu(set, "Fake GPU", 4);
	assert_non_null(strstr(experiment_times(e)->blocks->origin.where, "4 SMs of Fake GPU"));
	experiments_free(set);
}

/* --- what may go to a GPU ----------------------------------------------------------------------------------------- */

static void what_would_stop_on_a_gpu_is_not_launched(void **state)
{
	(void)state;
	static const struct {
		int step;
		int64_t off;
		enum experiment_on_gpu end;
		enum value_state live;
	} rows[] = {
		{0, 0, EXPERIMENT_ENDS_ON_GPU, VALUE_NONE},
		{0, 2, EXPERIMENT_STOPS_ON_GPU, VALUE_NOT_LAUNCHED}, /* misaligned */
		{2, 0, EXPERIMENT_ENDS_ON_GPU, VALUE_NONE},          /* a race */
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct experiments *set = open_set(&shown);
		struct experiment *e = open_at(set, rows[i].step, rows[i].off);
		const char *why;
		assert_int_equal(experiment_on_gpu(e, &why), rows[i].end);
		assert_int_equal(why != NULL, rows[i].end != EXPERIMENT_ENDS_ON_GPU);
		assert_int_equal(experiment_live(e)->counts.c[COUNTER_TIME].state, rows[i].live);
		experiment_live(e)->counts.c[COUNTER_TIME] = value_ok(1);
		experiment_forget_live(e);
		assert_int_equal(experiment_live(e)->counts.c[COUNTER_TIME].state, rows[i].live);
		assert_int_equal(experiments_count(set), 0); /* and the models were not asked */
		experiments_free(set);
	}
}

static void a_run_that_takes_too_long_is_not_known_to_end(void **state)
{
	(void)state;
	struct experiments *set = open_set(&(struct experiment_rules){.steps = 3});
	const char *why = NULL;
	assert_int_equal(experiment_on_gpu(open_at(set, 2, 0), &why), EXPERIMENT_ON_GPU_UNKNOWN);
	assert_non_null(why);
	experiments_free(set);
}

/* --- recordings --------------------------------------------------------------------------------------------------- */

static void record(struct experiment *e, const char *fingerprint)
{
	static const char *const names[] = {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "no__such_counter.sum"};
	static const double values[] = {7, 1};
	static const bool available[] = {true, true};
	const struct experiment_provenance from = {"NVIDIA H200", "580.1", "13.0", "13.0.85", "2026-11-21", 90, 132};
	const struct wire_measurement m = {.metrics = names, .values = values, .available = available, .n = 2};
	struct arena *scratch = arena_new();
	struct experiment_recordings *recorded = experiment_recordings_new(scratch);
	struct diag diag = {0};
	char path[128];
	experiment_recordings_put(recorded, &from, fingerprint ? fingerprint : e->kernel->fingerprint, e->launch, &m);
	snprintf(path, sizeof path, "%s/lessons/01-copies/recorded.json", data);
	assert_true(experiment_recordings_write(recorded, path, &diag));
	arena_free(scratch);
}

static void record_with(const char *fingerprint)
{
	struct experiments *set = experiments_new(lesson, &shown);
	record(open_at(set, 1, 0), fingerprint);
	experiments_free(set);
}

static void remove_recording(void)
{
	char path[128];
	snprintf(path, sizeof path, "%s/lessons/01-copies/recorded.json", data);
	assert_int_equal(remove(path), 0);
}

static void a_recording_is_found_by_launch_and_kernel(void **state)
{
	(void)state;
	record_with(NULL);
	struct experiments *set = open_set(&shown);
	const struct experiment_recording *recording = experiment_recording(open_at(set, 0, 0));
	assert_int_equal(recording->found, RECORDED_OK);
	assert_string_equal(recording->provenance->gpu, "NVIDIA H200");
	double v;
	const char *why;
	assert_true(experiment_judge(set, &lesson->steps[1], &lesson->steps[1].question.answer, &v, &why) && v > 6.99);
	recording = experiment_recording(open_at(set, 0, 4)); /* another launch */
	assert_int_equal(recording->found, RECORDED_NONE);
	assert_null(recording->provenance);
	assert_int_equal(experiments_count(set), 0);
	experiments_free(set);

	record_with("0123456789abcdef");
	set = open_set(&shown);
	assert_int_equal(experiment_recording(open_at(set, 0, 0))->found, RECORDED_STALE);
	assert_false(experiment_judge(set, &lesson->steps[1], &lesson->steps[1].question.answer, &v, &why));
	assert_ptr_equal(why, experiment_recording_stale);
	experiments_free(set);

	remove_recording();
	set = open_set(&shown);
	assert_false(experiment_judge(set, &lesson->steps[1], &lesson->steps[1].question.answer, &v, &why));
	assert_ptr_equal(why, experiment_not_recorded);
	experiments_free(set);
}

#define EXECUTED_MAX 64

/* Another's numbers, of a launch of so many steps, 0: of before that was stored. */
static void store_model(uint64_t steps)
{
	struct experiments *set = open_set(&shown);
	struct arena *scratch = arena_new();
	struct diag diag = {0};
	char path[128];
	struct counts counts = {0};
	counts.c[COUNTER_GLOBAL_LD_REQUESTS] = value_ok(7);
	counts.c[COUNTER_GLOBAL_LD_SECTORS] = value_ok(700);
	record_with(NULL);
	snprintf(path, sizeof path, "%s/lessons/01-copies/recorded.json", data);
	struct experiment_recordings *recorded = experiment_recordings_load(scratch, path, &diag);
	struct experiment *e = open_at(set, 0, 0);
	const struct experiment_line lines[] = {{.line = 9, .requests = 5}, {.line = 10}};
	const uint64_t executed[EXECUTED_MAX] = {3, 4};
	const struct experiment_modeled modeled = {
		steps, lines, steps ? 2 : 0, executed, steps ? experiment_run(e)->n_executed : 0};
	assert_true(modeled.n_executed <= EXECUTED_MAX);
	experiment_recordings_put_model(recorded, e->kernel->fingerprint, e->launch, &counts, &modeled);
	assert_true(experiment_recordings_write(recorded, path, &diag));
	arena_free(scratch);
	experiments_free(set);
}

/* What is stored of a large launch stands for its run, and for a reader that of any; the pictures are of its
 * beginning. */
static void a_stored_model_stands_for_the_run(void **state)
{
	(void)state;
	const struct experiment_rules never = {.stored = EXPERIMENT_STORED_NEVER},
				      reader = {.stored = EXPERIMENT_STORED_LONG},
				      looking = {.stored = EXPERIMENT_STORED_LONG, .looks = true},
				      few = {.steps = 1000};
	const struct {
		const struct experiment_rules *rules;
		uint64_t steps;
		bool stored;
		int step; /* 3: a defect is not its subject */
	} cases[] = {{&shown, 0, true, 0}, {&checked, 0, true, 0}, {&never, 0, false, 0}, {&shown, 4000, false, 0},
		{&checked, 4000, false, 0}, {&few, 4000, true, 0}, {&reader, 4000, false, 0}, {&reader, 4000, true, 3},
		{&looking, 4000, false, 3}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		store_model(cases[i].steps);
		struct experiments *set = open_set(cases[i].rules);
		struct experiment *e = open_at(set, cases[i].step, 0);
		const struct experiment_run *run = experiment_run(e);
		assert_int_equal(run->stored, cases[i].stored);
		assert_int_equal((int)(sectors(e) + 0.5), cases[i].stored ? 100 : 4);
		assert_int_equal(run->n_watched, 2);
		assert_int_equal(run->n_lines, !cases[i].stored ? 1 : cases[i].steps ? 2 : 0);
		if (cases[i].stored && cases[i].steps)
			assert_true(run->executed[0] == 3 && run->result.steps == cases[i].steps);
		assert_int_equal(
			(int)(sectors(open_at(set, 0, 4)) + 0.5), 5); /* another launch, of which nothing is stored */
		experiments_free(set);
	}
	remove_recording();
}

static void what_a_fix_gains_is_a_sentence(void **state)
{
	(void)state;
	const struct experiment_provenance from = {.gpu = "NVIDIA H200"};
	struct experiment_timed timed = {.at = "n 4096",
		.time = {value_ok(15.25), value_ok(4.5)},
		.model = {value_missing(VALUE_NONE), value_missing(VALUE_NONE)},
		.provenance = &from};
	struct exercise exercise = {0};
	struct buf text = {0};
	experiment_timed_write(&timed, &exercise, &text);
	assert_string_equal(
		buf_str(&text), "Measured on NVIDIA H200, n 4096: 15.25 us before the fix, 4.5 us after it.");
	buf_clear(&text);
	timed.model[EXPERIMENT_BEFORE] = value_ok(14);
	timed.model[EXPERIMENT_AFTER] = value_ok(5);
	timed.at = "";
	exercise.slower = "It does more.";
	experiment_timed_write(&timed, &exercise, &text);
	char expected[256];
	snprintf(expected, sizeof expected,
		"Measured on NVIDIA H200: 15.25 us before the fix, 4.5 us after it. In the model: ≈14 and ≈5 us (±%.0f %%). It does more.",
		metric_error(METRIC_TIME)->off);
	assert_string_equal(buf_str(&text), expected);
	buf_clear(&text);
	timed.time[EXPERIMENT_AFTER] = value_missing(VALUE_STALE);
	experiment_timed_write(&timed, &exercise, &text);
	assert_int_equal(text.len, 0);
	buf_free(&text);
}

static void a_damaged_recording_is_a_problem_of_the_set(void **state)
{
	(void)state;
	write_text("lessons/01-copies/recorded.json", "{", 1);
	struct experiments *set = experiments_new(lesson, &shown);
	assert_true(experiments_problems(set)->errors > 0);
	assert_int_equal(experiment_recording(open_at(set, 0, 0))->found, RECORDED_NONE);
	experiments_free(set);
	remove_recording();
}

static bool ask_measured(struct experiments *set, const char *name, double *out, const char **why)
{
	const struct term term = {.witness = TERM_MEASURED, .metric = name};
	return experiment_judge_term(set, &lesson->steps[0], &term, out, why);
}

static void numbers_measured_otherwise_have_names(void **state)
{
	(void)state;
	static const char text[] = "# An H200, cuBLAS\nlibrary_8192\t712.5\tTFLOP/s\n\nours\t-1e3\n";
	static const char faults[] = "ours\t1\nours\t2\n2\t3\nmore\tmuch\nblank 3\nlast\tinf\n";
	struct experiments *set = experiments_new(lesson, &shown);
	const char *why = "";
	char path[128];
	double v = 0;
	assert_false(ask_measured(set, "ours", &v, &why));
	assert_ptr_equal(why, experiment_not_recorded);
	experiments_free(set);
	write_text("lessons/01-copies/measured.tsv", text, strlen(text));
	set = experiments_new(lesson, &shown);
	assert_int_equal(experiments_problems(set)->count, 0);
	assert_true(ask_measured(set, "library_8192", &v, &why) && v > 712.4 && v < 712.6);
	assert_true(ask_measured(set, "ours", &v, &why) && v < -999.9 && v > -1000.1);
	assert_false(ask_measured(set, "library", &v, &why));
	assert_string_equal(why, "measured.tsv has no such number");
	experiments_free(set);
	write_text("lessons/01-copies/measured.tsv", faults, strlen(faults));
	set = experiments_new(lesson, &shown);
	assert_int_equal(experiments_problems(set)->errors, 5);
	assert_int_equal(experiments_problems(set)->entries[0].line, 2);
	assert_true(ask_measured(set, "ours", &v, &why) && v > 0.9 && v < 1.1);
	experiments_free(set);
	snprintf(path, sizeof path, "%s/lessons/01-copies/measured.tsv", data);
	assert_int_equal(remove(path), 0);
}

/* Counters get their numbers by name; those that are not there say on which GPU. */
static void counts_are_set_by_name(void **state)
{
	(void)state;
	static const char *const names[] = {
		"gpu__time_duration.sum", "no__such_counter.sum", "smsp__inst_executed.sum"};
	static const double values[] = {5, 6, 7};
	static const bool available[] = {true, true, false};
	struct counts counts = {0};
	counts_set_named(&counts, &(struct named_counts){names, values, available, 3, 90});
	assert_int_equal(counts.c[COUNTER_TIME].state, VALUE_OK);
	assert_true(counts.c[COUNTER_TIME].v > 4.9 && counts.c[COUNTER_TIME].v < 5.1);
	assert_int_equal(counts.c[COUNTER_INSTRUCTIONS].state, VALUE_UNSUPPORTED);
	counts_set_named(&counts, &(struct named_counts){names, values, NULL, 3, 0}); /* all are there */
	assert_int_equal(counts.c[COUNTER_INSTRUCTIONS].state, VALUE_OK);
	for (int i = 0; i < COUNTERS; i++)
		assert_int_equal(counts.c[i].state == VALUE_OK, i == COUNTER_TIME || i == COUNTER_INSTRUCTIONS);
}

/* --- judging ------------------------------------------------------------------------------------------------------ */

/* Of the GPU of the recording, or of the model's where there is none. */
static void roofs_are_those_of_the_gpu(void **state)
{
	(void)state;
	struct experiments *set = open_set(&shown);
	const struct step *step = &lesson->steps[0];
	const char *why = NULL;
	double v;
	struct term term = {.witness = TERM_ROOF, .metric = "dram", .set = step->set};
	assert_true(experiment_judge_term(set, step, &term, &v, &why));
	assert_true(v > 1000 && v < 10000);
	term.metric = "time";
	assert_false(experiment_judge_term(set, step, &term, &v, &why));
	assert_string_equal(why, "the roofs of this GPU were not measured");
	experiments_free(set);
}

static void answers_are_judged_by_the_model(void **state)
{
	(void)state;
	struct experiments *set = open_set(&shown);
	const struct step *step = &lesson->steps[0];
	double v;
	const char *why;
	assert_true(experiment_judge(set, step, &step->question.answer, &v, &why));
	assert_true(experiment_agrees(4, v, 0.005));
	assert_true(experiment_agrees(4.005, v, 0));
	assert_false(experiment_agrees(4.02, v, 0));
	assert_false(experiment_agrees(5, v, 0.005));
	struct buf text = {0};
	experiment_write_phrase(set, step, &step->question.wrong[0].why, &text);
	assert_string_equal(buf_str(&text), "No, 5.");
	buf_free(&text);
	experiments_free(set);
}

static void a_reader_s_answer_is_right_wrong_or_none(void **state)
{
	(void)state;
	static const struct {
		int step;
		const char *typed;
		int choice;
		enum experiment_answer_is is;
		bool reason;
	} rows[] = {
		{0, "4", -1, EXPERIMENT_ANSWER_RIGHT, false},
		{0, "4.0", -1, EXPERIMENT_ANSWER_RIGHT, false},
		{0, "32", -1, EXPERIMENT_ANSWER_WRONG, true},
		{0, "5", -1, EXPERIMENT_ANSWER_WRONG, false},
		{0, "", -1, EXPERIMENT_ANSWER_UNREADABLE, false},
		{0, "four", -1, EXPERIMENT_ANSWER_UNREADABLE, false},
		{0, "0x4", -1, EXPERIMENT_ANSWER_UNREADABLE, false},
		{1, "1", -1, EXPERIMENT_ANSWER_OPEN, false}, /* not recorded */
		{2, "", -1, EXPERIMENT_ANSWER_UNREADABLE, false},
		{2, "", 0, EXPERIMENT_ANSWER_WRONG, true},
		{2, "", 1, EXPERIMENT_ANSWER_RIGHT, false},
		{3, "13", -1, EXPERIMENT_ANSWER_RIGHT, false},
		{3, "3,1", -1, EXPERIMENT_ANSWER_RIGHT, false},
		{3, "1", -1, EXPERIMENT_ANSWER_WRONG, false},
		{3, "123", -1, EXPERIMENT_ANSWER_WRONG, true},
		{3, "133", -1, EXPERIMENT_ANSWER_UNREADABLE, false},
		{3, "14", -1, EXPERIMENT_ANSWER_UNREADABLE, false},
		{3, ",", -1, EXPERIMENT_ANSWER_UNREADABLE, false},
		{4, "231", -1, EXPERIMENT_ANSWER_RIGHT, false},
		{4, "321", -1, EXPERIMENT_ANSWER_WRONG, false},
		{4, "213", -1, EXPERIMENT_ANSWER_WRONG, false},
		{4, "23", -1, EXPERIMENT_ANSWER_UNREADABLE, false},
		{5, "21", -1, EXPERIMENT_ANSWER_RIGHT, false},
		{5, "12", -1, EXPERIMENT_ANSWER_WRONG, false},
		{6, "5", -1, EXPERIMENT_ANSWER_RIGHT, false},
		{6, "20", -1, EXPERIMENT_ANSWER_WRONG, true},
		{6, "5.0", -1, EXPERIMENT_ANSWER_UNREADABLE, false},
		{6, "-5", -1, EXPERIMENT_ANSWER_UNREADABLE, false},
		{7, "43", -1, EXPERIMENT_ANSWER_RIGHT, false},
		{7, "33", -1, EXPERIMENT_ANSWER_WRONG, false},
		{8, "5", -1, EXPERIMENT_ANSWER_RIGHT, false},
	};
	struct experiments *set = open_set(&shown);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct experiment_answer answer = {rows[i].typed, rows[i].choice};
		struct experiment_reply reply = experiment_judge_answer(set, &lesson->steps[rows[i].step], &answer);
		assert_int_equal(reply.is, rows[i].is);
		assert_int_equal(reply.reason != NULL, rows[i].reason);
		assert_int_equal(reply.why != NULL, rows[i].is == EXPERIMENT_ANSWER_OPEN);
	}
	int right[LESSON_CHOICES_MAX];
	assert_int_equal(experiment_right_choices(set, &lesson->steps[2], right), 1);
	assert_int_equal(right[0], 1);
	assert_int_equal(experiment_right_choices(set, &lesson->steps[3], right), 2);
	assert_int_equal(right[1], 2);
	assert_int_equal(experiment_right_choices(set, &lesson->steps[4], right), 3);
	assert_int_equal(right[0] * 100 + right[1] * 10 + right[2], 120);
	assert_int_equal(experiment_right_choices(set, &lesson->steps[0], right), 0);
	experiments_free(set);
}

static void what_the_machine_does_not_leave_says_why(void **state)
{
	(void)state;
	static const char *const says[] = {
		"there is no such element", "there is no such element", "the launch does not run to its end"};
	struct experiments *set = open_set(&shown);
	const struct step *step = &lesson->steps[7];
	assert_int_equal(step->question.n_wrong, 3);
	for (int i = 0; i < 3; i++) {
		const char *why = "";
		double v;
		assert_false(experiment_judge(set, step, &step->question.wrong[i].answer, &v, &why));
		assert_string_equal(why, says[i]);
	}
	struct step blind = lesson->steps[8];
	const char *why = "";
	double v;
	blind.defect = NULL;
	assert_false(experiment_judge(set, &blind, &blind.question.answer, &v, &why));
	assert_string_equal(why, "the detector is off");
	experiments_forget(set, &blind);
	experiments_free(set);
}

static void every_kind_of_question_is_judged(void **state)
{
	(void)state;
	for (int kind = QUESTION_NONE + 1; kind < QUESTION_KINDS; kind++) {
		bool found = false;
		for (int i = 0; i < lesson->n_steps; i++)
			found |= lesson->steps[i].question.kind == (enum question_kind)kind;
		if (!found)
			fail_msg("no step of lesson_text has a question of the kind with the keys %s: add one, and "
				 "answers to the rows of a_reader_s_answer_is_right_wrong_or_none",
				lesson_question_table[kind].keys);
	}
}

static void a_question_is_checked_for_its_author(void **state)
{
	(void)state;
	struct experiments *set = open_set(&checked);
	struct step twisted = lesson->steps[2];
	struct choice both[2] = {twisted.question.choices[1], twisted.question.choices[1]};
	struct buf text = {0};
	struct diag faults = {0};
	assert_true(experiment_write_answer(set, &lesson->steps[0], &text));
	assert_true(experiment_write_answer(set, &lesson->steps[2], &text));
	assert_true(experiment_write_answer(set, &lesson->steps[3], &text));
	assert_true(experiment_write_answer(set, &lesson->steps[4], &text));
	assert_string_equal(buf_str(&text), "4'no''loads', 'stores''none' < 'off 0' < 'off 4'");
	for (int step = 0; step < lesson->n_steps; step++)
		experiment_check_question(set, &lesson->steps[step], &faults);
	assert_int_equal(faults.count, 0);
	twisted.question.choices = both;
	experiment_check_question(set, &twisted, &faults);
	assert_string_equal(faults.entries[0].message, "2 choices are right; it must be one");
	assert_false(experiment_write_answer(set, &twisted, &text));
	diag_free(&faults);
	faults = (struct diag){0};
	struct choice two[3] = {lesson->steps[4].question.choices[0], lesson->steps[4].question.choices[0],
		lesson->steps[4].question.choices[1]};
	twisted = lesson->steps[4];
	twisted.question.choices = two;
	experiment_check_question(set, &twisted, &faults);
	assert_string_equal(faults.entries[0].message, "'off 4' and 'off 4' are equal, so that there is no order");
	assert_false(experiment_write_answer(set, &twisted, &text));
	diag_free(&faults);
	faults = (struct diag){0};
	twisted = lesson->steps[6];
	assert_true(experiment_write_answer(set, &twisted, &text));
	assert_string_equal(buf_str(&text) + text.len - 6, "lane 5");
	twisted.question.answer = lesson->steps[3].question.choices[0].when[0];
	twisted.question.thing = QUESTION_OF_LINE;
	experiment_check_question(set, &twisted, &faults);
	assert_int_equal(faults.count, 0);
	twisted.question.answer = lesson->steps[3].question.choices[1].when[0];
	experiment_check_question(set, &twisted, &faults);
	assert_string_equal(faults.entries[0].message, "there is no line 0");
	diag_free(&faults);
	faults = (struct diag){0};
	two[0] = two[1] = two[2] = lesson->steps[3].question.choices[1];
	twisted = lesson->steps[3];
	twisted.question.choices = two;
	experiment_check_question(set, &twisted, &faults);
	assert_string_equal(faults.entries[0].message, "no choice is right; at least one must be");
	diag_free(&faults);
	buf_free(&text);
	experiments_free(set);
}

static void what_cannot_be_judged_says_why(void **state)
{
	(void)state;
	struct experiments *set = open_set(&shown);
	struct step broken = lesson->steps[0];
	double v;
	const char *why = NULL;
	broken.launch.kernel = "no_such_entry";
	assert_false(experiment_judge(set, &broken, &broken.question.answer, &v, &why));
	assert_string_equal(why, "the launch cannot be made, or does not run");
	experiments_forget(set, &broken);
	experiments_free(set);
}

static void a_problem_is_reported_once(void **state)
{
	(void)state;
	struct experiments *set = open_set(&checked);
	struct step broken = lesson->steps[0];
	struct diag diag = {0};
	const int64_t zero = 0;
	broken.launch.kernel = "no_such_entry";
	for (int i = 0; i < 2; i++) {
		struct experiment *e = experiment_open(set, &broken, &zero);
		assert_false(experiment_run(e)->ran);
		experiment_report(e, &diag);
		assert_int_equal(diag.errors, 1);
	}
	assert_non_null(strstr(diag.entries[0].message, "no_such_entry"));
	diag_free(&diag);
	experiments_free(set);
}

static void a_lesson_leads_to_each_launch_once(void **state)
{
	(void)state;
	struct experiment_points points;
	struct diag diag = {0};
	struct arena *scratch = arena_new();
	assert_true(experiment_points_of_lesson(scratch, lesson, &points, &diag));
	assert_int_equal(points.n, 8); /* two kernels, four values */
	assert_string_equal(points.points[0].label, "off 0");
	/* what is compared is one of them, also of a parameter that the reader cannot turn */
	struct step *step = &lesson->steps[0];
	const struct step before = *step;
	static const int64_t compared[] = {128};
	static bool turned[] = {false};
	step->shown = turned;
	step->compare = compared;
	assert_true(experiment_points_of_step(scratch, lesson, step, &points, &diag));
	assert_int_equal(points.n, 3); /* as it opens, beside it, and what the question says of a wrong answer */
	assert_string_equal(points.points[1].label, "off 128");
	*step = before;
	arena_free(scratch);
}

/* --- a step that shows a program ---------------------------------------------------------------------------------- */

static double judge_word(struct experiments *set, const struct step *step, const char *word, const int64_t *values)
{
	const struct term term = {.metric = word, .set = (int64_t *)values};
	const char *why;
	double v = -1;
	assert_true(experiment_judge_term(set, step, &term, &v, &why));
	return v;
}

/* What is stored with the lesson that ships, and nothing is run. */
static void a_program_is_what_is_recorded_of_it(void **state)
{
	(void)state;
	const char *top = getenv("top_srcdir");
	struct diag diag = {0};
	struct arena *here = arena_new();
	struct lesson *streams = lesson_load(here, top ? top : ".", "227-streams", &tutor_lesson_names, &diag);
	assert_non_null(streams);
	struct step *step = &streams->steps[0];
	struct experiments *set = experiments_new(streams, &(struct experiment_rules){.care = EXPERIMENT_CHECKED});
	struct experiment *e = experiment_open(set, step, step->set);
	enum experiment_recorded found;
	assert_true(experiment_is_program(e));
	assert_false(experiment_is_for_gpu(e));
	assert_true(experiment_run(e)->ran);
	const struct experiment_program *program = experiment_program(e, &found);
	assert_int_equal(found, RECORDED_OK);
	assert_string_equal(program->arguments, "1 1 0");
	assert_true(judge_word(set, step, "copies", step->set) == 8);
	assert_true(judge_word(set, step, "kernels", step->set) == 4);
	assert_true(judge_word(set, step, "overlapping", step->set) == 0);
	int64_t *two = arena_array(here, int64_t, (size_t)streams->n_parameters);
	memcpy(two, step->set, (size_t)streams->n_parameters * sizeof *two);
	two[0] = 2;
	assert_true(judge_word(set, step, "overlapping", two) > 0);
	two[0] = 3; /* no value of the parameter's, and not recorded */
	e = experiment_open(set, step, two);
	assert_false(experiment_run(e)->ran);
	assert_int_equal(e->problems.errors, 1);
	experiments_free(set);
	/* a source that was changed */
	((struct kernel_file *)step->file)->source_len--;
	set = experiments_new(streams, &(struct experiment_rules){.care = EXPERIMENT_CHECKED});
	e = experiment_open(set, step, step->set);
	assert_null(experiment_program(e, &found));
	assert_int_equal(found, RECORDED_STALE);
	experiments_free(set);
	arena_free(here);
	diag_free(&diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(opening_makes_the_launch_and_runs_nothing),
		cmocka_unit_test(a_run_keeps_what_is_shown_of_it),
		cmocka_unit_test(those_not_used_longest_go_but_not_the_pinned),
		cmocka_unit_test(a_check_shares_one_run_of_one_launch),
		cmocka_unit_test(a_run_that_stops_predicts_nothing),
		cmocka_unit_test(times_and_counts_come_of_one_run),
		cmocka_unit_test(what_would_stop_on_a_gpu_is_not_launched),
		cmocka_unit_test(a_run_that_takes_too_long_is_not_known_to_end),
		cmocka_unit_test(a_recording_is_found_by_launch_and_kernel),
		cmocka_unit_test(a_stored_model_stands_for_the_run),
		cmocka_unit_test(what_a_fix_gains_is_a_sentence),
		cmocka_unit_test(a_damaged_recording_is_a_problem_of_the_set),
		cmocka_unit_test(numbers_measured_otherwise_have_names),
		cmocka_unit_test(counts_are_set_by_name),
		cmocka_unit_test(roofs_are_those_of_the_gpu),
		cmocka_unit_test(answers_are_judged_by_the_model),
		cmocka_unit_test(a_reader_s_answer_is_right_wrong_or_none),
		cmocka_unit_test(what_the_machine_does_not_leave_says_why),
		cmocka_unit_test(every_kind_of_question_is_judged),
		cmocka_unit_test(a_question_is_checked_for_its_author),
		cmocka_unit_test(what_cannot_be_judged_says_why),
		cmocka_unit_test(a_problem_is_reported_once),
		cmocka_unit_test(a_lesson_leads_to_each_launch_once),
		cmocka_unit_test(a_program_is_what_is_recorded_of_it),
	};
	return cmocka_run_group_tests_name("experiment", tests, make_lesson, remove_lesson);
}
