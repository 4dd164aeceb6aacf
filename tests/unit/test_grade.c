/* What attempts at an exercise are graded, one for each way to fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exercise_kernels.h"
#include "course/experiment/grade.h"
#include "front/tutor/tutor.h"

static char data[64];
static struct arena *arena;
static struct lesson *lesson;

static int make_lesson(void **state)
{
	(void)state;
	struct diag diag = {0};
	strcpy(data, "/tmp/simttutor-test-XXXXXX");
	if (!mkdtemp(data) || !exercise_write(data))
		return 1;
	arena = arena_new();
	lesson = lesson_load(arena, data, "01-twice", &tutor_lesson_names, &diag);
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

static const struct experiment_grade *grade_text(const char *text, struct diag *diag)
{
	struct buf source = {0}, ptx = {0};
	buf_puts(&source, "// twice\n");
	buf_puts(&ptx, text);
	const struct kernel_file *file = tutor_exercise_file(arena, "/somewhere/twice.cu", &source, &ptx);
	const struct experiment_grade *grade = experiment_grade_kernel(arena, lesson, &lesson->steps[0], file, diag);
	buf_free(&source);
	buf_free(&ptx);
	return grade;
}

static struct experiment_grade grade_of(const char *name)
{
	struct diag diag = {0};
	char *ptx = exercise_ptx(name);
	const struct experiment_grade *grade = grade_text(ptx, &diag);
	free(ptx);
	if (!grade)
		fail_msg("%s: %s", name, diag.count ? diag.entries[0].message : "not graded");
	diag_free(&diag);
	return *grade;
}

static void assert_says(const char *text, const char *part)
{
	if (!text || !strstr(text, part))
		fail_msg("'%s' does not say '%s'", text ? text : "nothing", part);
}

static void the_right_one_is_solved(void **state)
{
	(void)state;
	struct experiment_grade g = grade_of("right");
	assert_true(g.solved && g.right && g.clean);
	assert_null(g.wrong);
	assert_null(g.defect);
	assert_int_equal(g.launches, 4); /* the step's, two tries, and where a goal is judged besides */
	assert_int_equal(g.n_goals, 2);
	assert_true(g.goals[0].holds && g.goals[1].holds);
	assert_string_equal(g.goals[0].text, "loaded once");
	assert_string_equal(g.goals[1].text, "global_load_sectors_per_request == 4");
}

static void a_goal_missed_says_by_how_much(void **state)
{
	(void)state;
	struct experiment_grade g = grade_of("start");
	assert_false(g.solved);
	assert_true(g.right && g.clean);
	assert_false(g.goals[0].holds);
	assert_string_equal(g.goals[0].is, "with n 64: global load requests: 4"); /* two for each of two warps */
	assert_true(g.goals[1].holds);
}

/* Fast where it is judged, and nowhere else. */
static void a_goal_missed_at_another_size_names_it(void **state)
{
	(void)state;
	struct experiment_grade g = grade_of("at 64");
	assert_false(g.solved);
	assert_true(g.right && g.clean && g.goals[1].holds);
	assert_false(g.goals[0].holds);
	assert_string_equal(g.goals[0].is, "with n 40: global load requests: 4");
}

static void results_must_be_right(void **state)
{
	(void)state;
	static const struct {
		const char *name, *says;
	} cases[] = {
		{"nothing", "with n 64: argument 1, element 1 is 0, but it must be 2"},
		{"four times", "with n 64: argument 1, element 1 is 4, but it must be 2"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct experiment_grade g = grade_of(cases[i].name);
		assert_false(g.solved || g.right);
		assert_true(g.clean && g.goals[0].holds && g.goals[1].holds);
		assert_string_equal(g.wrong, cases[i].says);
	}
}

/* What only an unusual size shows is reported with that size. */
static void a_defect_at_another_size_counts(void **state)
{
	(void)state;
	struct experiment_grade g = grade_of("unguarded");
	assert_false(g.solved || g.clean);
	assert_says(g.defect, "with n 1: out of bounds in line 3: ");
	assert_int_equal(g.line, 3);
	assert_true(g.goals[0].holds && g.goals[1].holds); /* of the sizes of goals, all fill a warp */
	g = grade_of("without lines");
	assert_says(g.defect, "with n 1: out of bounds in PTX line ");
}

static void a_race_counts_whatever_it_computes(void **state)
{
	(void)state;
	struct experiment_grade g = grade_of("racing");
	assert_false(g.solved || g.clean);
	assert_says(g.defect, "race in line 3: ");
}

static void an_endless_loop_is_reported(void **state)
{
	(void)state;
	struct experiment_grade g = grade_of("endless");
	assert_false(g.solved || g.clean || g.right);
	assert_says(g.defect, "may never end");
	assert_says(g.wrong, "does not run well");
}

static void what_cannot_be_launched_is_not_graded(void **state)
{
	(void)state;
	static const struct {
		const char *ptx, *says;
	} cases[] = {
		{"", "no kernel 'twice' in /somewhere/twice.cu; it has none"},
		{".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry other()\n{\n\tret;\n}\n",
			"no kernel 'twice' in /somewhere/twice.cu; it has other"},
		{".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry twice()\n{\n\tret;\n}\n",
			"takes 0 arguments, 3 given"},
		{".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry twice()\n{\n\tnonsense;\n}\n",
			"nonsense"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct diag diag = {0};
		assert_null(grade_text(cases[i].ptx, &diag));
		assert_says(diag.count ? diag.entries[0].message : NULL, cases[i].says);
		diag_free(&diag);
	}
}

/* A grade goes from the process that makes it to the one that shows it; what is none of the step is refused. */
static void a_grade_is_written_and_read(void **state)
{
	(void)state;
	const struct goal goals[] = {{.text = "one"}, {.text = "two"}};
	const struct step step = {.exercise = {.goals = goals, .n_goals = 2}};
	const struct experiment_grade grade = {.n_goals = 2,
		.goals = {{"one", true, "launches: 1"}, {"two", false, "leaks: \"2\"\x1b"}},
		.right = true,
		.defect = "line\n7",
		.line = 7,
		.launches = 3};
	struct buf text = {0};
	experiment_grade_write(&grade, &text);
	const struct experiment_grade *read = experiment_grade_read(arena, &step, buf_str(&text), text.len);
	assert_non_null(read);
	assert_false(read->solved);
	assert_true(read->right);
	assert_null(read->wrong);
	assert_false(read->clean);
	assert_string_equal(read->defect, "line\n7");
	assert_int_equal(read->line, 7);
	assert_int_equal(read->launches, 3);
	assert_true(read->goals[0].holds);
	assert_ptr_equal(read->goals[1].text, goals[1].text);
	assert_string_equal(read->goals[1].is, "leaks: \"2\"\x1b");
	assert_null(experiment_grade_read(arena, &step, buf_str(&text), text.len - 1));
	assert_null(experiment_grade_read(arena, &(struct step){.exercise = {.n_goals = 1}}, buf_str(&text), text.len));
	assert_null(experiment_grade_read(arena, &step, "[]", 2));
	buf_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_right_one_is_solved),
		cmocka_unit_test(a_goal_missed_says_by_how_much),
		cmocka_unit_test(a_goal_missed_at_another_size_names_it),
		cmocka_unit_test(results_must_be_right),
		cmocka_unit_test(a_defect_at_another_size_counts),
		cmocka_unit_test(a_race_counts_whatever_it_computes),
		cmocka_unit_test(an_endless_loop_is_reported),
		cmocka_unit_test(what_cannot_be_launched_is_not_graded),
		cmocka_unit_test(a_grade_is_written_and_read),
	};
	return cmocka_run_group_tests(tests, make_lesson, remove_lesson);
}
