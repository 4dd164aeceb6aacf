#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "course/lesson/lesson.h"
#include "course/lesson/private.h"

/* --- what the lessons may name ------------------------------------------------------------------------------------ */

static const char *test_metric_at(int index)
{
	static const char *const known[] = {"time", "waves", NULL};
	return known[index];
}

static const char *test_view_at(int index)
{
	static const char *const known[] = {"banks", "sweep", "compare", NULL};
	return known[index];
}

static bool is_in(const char *(*at)(int), const char *name)
{
	for (int i = 0; at(i); i++)
		if (strcmp(at(i), name) == 0)
			return true;
	return false;
}

static bool test_metric(const char *name)
{
	return is_in(test_metric_at, name);
}

static bool test_view(const char *name)
{
	return is_in(test_view_at, name);
}

static const char *test_defect_at(int index)
{
	static const char *const known[] = {"race", "trap", NULL};
	return known[index];
}

static bool test_defect(const char *name)
{
	return is_in(test_defect_at, name);
}

static const struct lesson_names names = {.metric = test_metric,
	.view = test_view,
	.metric_at = test_metric_at,
	.view_at = test_view_at,
	.defect = test_defect,
	.defect_at = test_defect_at};

static bool any_name(const char *name)
{
	return *name != '\0';
}

static const struct lesson_names any = {.metric = any_name, .view = any_name, .defect = any_name, .roof = any_name};

static const char *in_source(struct arena *arena, const char *path)
{
	const char *top = getenv("top_srcdir");
	return arena_printf(arena, "%s/%s", top ? top : ".", path);
}

static void assert_no_diag(const struct diag *diag)
{
	struct buf out = {0};
	diag_format(diag, &out);
	assert_string_equal(buf_str(&out), "");
	buf_free(&out);
}

static void assert_one_diag(struct diag *diag, const char *expected)
{
	assert_int_equal(diag->count, 1);
	assert_string_equal(diag->entries[0].message, expected);
	diag_free(diag);
}

/* --- malformed lessons -------------------------------------------------------------------------------------------- */

/* The faults a fixture announces in its lines `expect: LINE:COL: MESSAGE`. */
static void read_expected(const char *text, struct buf *out)
{
	static const char word[] = "expect: ";
	for (const char *p = strstr(text, word); p; p = strstr(p, word)) {
		p += sizeof word - 1;
		const char *end = p + strcspn(p, "\n"), *close = strstr(p, " -->");
		if (close && close < end)
			end = close;
		buf_append(out, p, (size_t)(end - p));
		buf_putc(out, '\n');
	}
}

/* Paths differ from machine to machine. */
static void append_message(struct buf *out, const char *message, const char *data)
{
	for (const char *p; (p = strstr(message, data)); message = p + strlen(data)) {
		buf_append(out, message, (size_t)(p - message));
		buf_puts(out, "DATA");
	}
	buf_printf(out, "%s\n", message);
}

static void check_bad(struct arena *arena, const char *path, const char *name)
{
	const char *data = in_source(arena, "tests/lessons/data");
	struct diag diag = {0};
	struct buf text = {0}, expected = {0}, got = {0};

	assert_true(file_read(path, (size_t)1 << 21, &text, &diag));
	char *terminated = arena_strndup(arena, text.data, text.len);
	for (size_t i = 0; i < text.len; i++)
		if (!terminated[i])
			terminated[i] = ' ';
	read_expected(terminated, &expected);
	if (expected.len == 0)
		fail_msg("%s announces no fault", path);
	buf_printf(&got, "%s\n", name);
	struct buf want = {0};
	buf_printf(&want, "%s\n%s", name, expected.data);
	if (lesson_parse(arena, &(struct lesson_text){data, "01-bad", name, text.data, text.len, &names}, &diag))
		fail_msg("%s is taken for good", name);
	for (size_t i = 0; i < diag.count; i++) {
		assert_string_equal(diag.entries[i].file, name);
		buf_printf(&got, "%d:%d: ", diag.entries[i].line, diag.entries[i].col);
		append_message(&got, diag.entries[i].message, data);
	}
	assert_string_equal(got.data, want.data);
	diag_free(&diag);
	buf_free(&text);
	buf_free(&expected);
	buf_free(&got);
	buf_free(&want);
}

static void malformed_lessons_say_what_and_where(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	const char *folder = in_source(arena, "tests/lessons/bad");
	struct dirent **entries;
	int n = scandir(folder, &entries, NULL, alphasort), checked = 0;

	assert_true(n > 0);
	for (int i = 0; i < n; i++) {
		const char *dot = strrchr(entries[i]->d_name, '.');
		if (dot && strcmp(dot, ".md") == 0) {
			check_bad(arena, arena_printf(arena, "%s/%s", folder, entries[i]->d_name), entries[i]->d_name);
			checked++;
		}
		free(entries[i]);
	}
	free(entries);
	assert_true(checked > 50);
	arena_free(arena);
}

static void assert_refused(const char *text, size_t len, const char *message)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	assert_null(lesson_parse(arena, &(struct lesson_text){".", "01-x", "x", text, len, &names}, &diag));
	assert_one_diag(&diag, message);
	arena_free(arena);
}

static void large_texts_are_refused(void **state)
{
	(void)state;
	struct buf text = {0};

	buf_puts(&text, "---\nformat: 1 ");
	buf_pad(&text, '#', 128 * 1024);
	buf_puts(&text, "\n---\n## Step\n");
	assert_refused(text.data, text.len, "131083 bytes of YAML; the limit is 131072");
	buf_pad(&text, 'x', 1 << 20);
	assert_refused(text.data, text.len, "larger than the limit of 1048576 bytes");
	buf_free(&text);
}

/* Ids become names of files, of exercises for one. */
static void folders_that_are_no_lessons_are_refused(void **state)
{
	(void)state;
	static const char *const wrong[] = {"", "-", "-x", "10--x", "99-x$(touch${IFS}HERE)", "a b", "a\nb", "Banks",
		"01-a_b", "..", "01-\"", "01-'", "01-`x`", "01-a;b", "01-\xC3\xA9", "01-\x1B[0m", "a/b", "01-x."};
	static const char *const right[] = {"x", "01-x", "10-banks", "a1-2", "7", "12-2d"};
	struct diag diag = {0};
	for (size_t i = 0; i < sizeof right / sizeof *right; i++)
		assert_true(lesson_dir_check(right[i], (struct diag_pos){0}, &diag));
	assert_int_equal(diag.count, 0);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct arena *arena = arena_new();
		const struct lesson_text text = {".", wrong[i], "x/lesson.md", "", 0, &names};
		assert_null(lesson_parse(arena, &text, &diag));
		assert_int_equal(diag.errors, 1);
		assert_non_null(strstr(diag.entries[0].message, "lower-case letters, digits and dashes"));
		diag_free(&diag);
		diag = (struct diag){0};
		arena_free(arena);
	}
}

/* --- a lesson with everything ------------------------------------------------------------------------------------- */

static struct lesson *load_good(struct arena *arena)
{
	struct diag diag = {0};
	struct lesson *lesson = lesson_load(arena, in_source(arena, "tests/lessons/data"), "02-good", &names, &diag);
	assert_no_diag(&diag);
	assert_non_null(lesson);
	diag_free(&diag);
	return lesson;
}

static void front_matter_is_read(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct lesson *l = load_good(arena);

	assert_string_equal(l->id, "good");
	assert_string_equal(l->dir, "02-good");
	assert_string_equal(l->title, "All that a lesson can say");
	assert_string_equal(l->track, "Tests");
	assert_string_equal(l->summary, "One line of two.");
	assert_string_equal(l->needs, "Nothing.");
	assert_string_equal(l->takeaway, "Take this.");
	assert_non_null(strstr(l->kernel->source_text, "//@ guard"));
	assert_int_equal(l->kernel->source_len, strlen(l->kernel->source_text));
	assert_non_null(strstr(l->kernel->ptx_text, ".entry marks"));
	assert_int_equal(l->n_parameters, 2);
	assert_string_equal(l->parameters[0].name, "n");
	assert_string_equal(l->parameters[0].label, "count");
	assert_string_equal(l->parameters[0].unit, "threads");
	assert_int_equal(l->parameters[0].n_values, 5);
	assert_int_equal(l->parameters[0].values[4], 32);
	assert_int_equal(l->parameters[0].initial, 16);
	assert_string_equal(l->parameters[1].label, "power");
	assert_string_equal(l->parameters[1].unit, "");
	assert_int_equal(l->parameters[1].n_values, 4);
	assert_int_equal(l->parameters[1].initial, 1);
	assert_int_equal(l->n_steps, 9);
	arena_free(arena);
}

static const char *const block_names[] = {[BLOCK_PARAGRAPH] = "p",
	[BLOCK_HEADING] = "h",
	[BLOCK_ITEM] = "item",
	[BLOCK_CODE] = "code",
	[BLOCK_QUOTE] = "quote",
	[BLOCK_RULE] = "rule"};

/* One line a block: kind, level, number, then its spans, each with a letter for its style. */
static void write_text(const struct text *text, struct buf *out)
{
	for (int i = 0; i < text->n_blocks; i++) {
		const struct block *b = &text->blocks[i];
		buf_printf(out, "%s %d %d", block_names[b->kind], b->level, b->number);
		for (int s = 0; s < b->n_spans; s++)
			buf_printf(out, " %c[%s]", "pesc"[b->spans[s].style], b -> spans[s].text);
		buf_putc(out, '\n');
	}
}

static void text_becomes_blocks_of_spans(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct lesson *l = load_good(arena);
	struct buf out = {0};

	write_text(&l->steps[0].text, &out);
	assert_string_equal(buf_str(&out),
		"p 0 0 p[A paragraph with ] e[emphasis] p[, ] s[strength] p[, ] c[code  kept] "
		"p[ and a link (https://example.org/x), \u00d7 and \u00d7 and a * star.]\n"
		"item 1 0 p[one]\n"
		"item 1 0 p[two]\n"
		"item 2 0 p[deeper]\n"
		"p 1 0 p[after]\n"
		"item 1 3 p[three]\n"
		"item 1 4 p[four]\n"
		"quote 0 0 p[quoted]\n"
		"code 0 0 c[if (x)] c[    y();] c[] c[z();]\n"
		"h 3 0 p[Part]\n"
		"rule 0 0\n"
		"p 0 0 p[Last.]\n");
	assert_string_equal(l->steps[0].title, "First, the text");
	assert_string_equal(l->steps[0].id, "first-the-text");
	assert_string_equal(l->steps[0].notes, "First\nline.\nSecond.");
	buf_free(&out);
	arena_free(arena);
}

static void a_step_overrides_the_defaults(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct lesson *l = load_good(arena);
	struct step *s = &l->steps[0];

	assert_true(s->has_experiment);
	assert_string_equal(s->launch.kernel, "marks");
	assert_int_equal(lesson_watched(l, s, s->set).line, 6);
	assert_int_equal(s->watch.block, 3);
	assert_int_equal(s->watch.warp, 1);
	assert_int_equal(s->n_views, 2);
	assert_string_equal(s->views[0], "sweep");
	assert_int_equal(s->n_metrics, 0);
	assert_int_equal(s->set[0], 16);
	assert_int_equal(s->set[1], 2);
	assert_true(s->shown[0]);
	assert_false(s->shown[1]);
	assert_string_equal(s->sweep.metric, "time");
	assert_string_equal(s->sweep.parameter, "n");
	assert_int_equal(s->sweep.n, 3);
	assert_int_equal(s->sweep.values[2], 32);
	assert_int_equal(s->question.kind, QUESTION_NUMBER);
	assert_string_equal(s->question.ask, "How long?");
	assert_string_equal(s->question.answer.text, "time");
	assert_int_equal(s->question.answer.n_terms, 1);
	assert_int_equal(s->question.answer.terms[0].set[0], 32);
	assert_int_equal(s->question.set[0], 32);
	assert_int_equal(s->question.set[1], 2);
	assert_int_equal(s->question.n_hints, 2);
	assert_string_equal(s->question.hints[1], "b");
	assert_null(s->question.explain.texts);

	s = &l->steps[1];
	assert_false(s->has_experiment);
	assert_string_equal(s->id, "only-text");
	assert_int_equal(s->question.kind, QUESTION_NONE);
	assert_int_equal(s->set[0], 16);

	s = &l->steps[2];
	assert_true(s->has_experiment);
	assert_string_equal(s->id, "told-id");
	assert_string_equal(s->launch.kernel, "other");
	assert_int_equal(s->launch.n_args, 0);
	assert_int_equal(lesson_watched(l, s, s->set).line, 5);
	assert_int_equal(s->set[0], 0);
	assert_true(s->shown[0] && s->shown[1]);
	assert_int_equal(s->sweep.n, 4);
	assert_int_equal(s->question.kind, QUESTION_CHOICE);
	assert_int_equal(s->question.n_choices, 2);
	assert_int_equal(s->question.n_right, 1);
	assert_int_equal(s->question.right[0], 1);
	assert_string_equal(s->question.choices[1].text, "that");
	assert_string_equal(s->question.explain.texts[0], "Because it is.");

	s = &l->steps[3];
	assert_true(s->has_experiment);
	assert_string_equal(s->id, "step-42");
	assert_int_equal(s->n_metrics, 1);
	assert_string_equal(s->views[0], "banks");

	s = &l->steps[4]; /* a question alone leaves the defaults as they are */
	assert_true(s->has_experiment);
	assert_int_equal(s->question.kind, QUESTION_CHOICE);
	assert_string_equal(s->views[0], "banks");

	s = &l->steps[5];
	assert_false(s->has_experiment);
	assert_int_equal(s->question.kind, QUESTION_CHOICE);
	assert_int_equal(s->question.right[0], 0);

	s = &l->steps[6];
	assert_int_equal(s->question.kind, QUESTION_SEVERAL);
	assert_int_equal(s->question.n_choices, 3);
	assert_true(s->question.judged);
	assert_null(s->question.right);
	assert_string_equal(s->question.choices[1].when->text, "power > 9");
	assert_string_equal(s->question.choices[1].why.texts[0], "Not now.");

	s = &l->steps[7];
	assert_int_equal(s->question.kind, QUESTION_ORDER);
	assert_false(s->question.judged);
	assert_int_equal(s->question.n_right, 3);
	assert_int_equal(s->question.right[0] * 100 + s->question.right[1] * 10 + s->question.right[2], 120);

	s = &l->steps[8];
	assert_int_equal(s->question.kind, QUESTION_POINT);
	assert_int_equal(s->question.thing, QUESTION_OF_BANK);
	assert_string_equal(s->question.answer.text, "power * 2");
	arena_free(arena);
}

/* A lesson of one step with the launches, numbers in `what` and the values that it compares. */
static const char
	two_launches[] = "---\n"
			 "format: 1\ntitle: T\ntrack: K\nsummary: S\nkernel: marks\ntakeaway: W\n"
			 "parameters: [{name: stage, values: [1, 2]}, {name: n, unit: words, values: [4, 8]}]\n"
			 "---\n## Step\n\nWords.\n\n```simt\n"
			 "launch:\n"
			 "  - {grid: 4, block: 64, args: [\"a=u32[{n}]\", \"u32:1\"]}\n"
			 "  - {kernel: other, grid: 1, block: 32, shared: 8, args: [a]}\n"
			 "watch: {launch: \"{stage}\"}\n"
			 "views: [banks]\nmetrics: [time]\n"
			 "compare: {stage: 2, n: 8}\n"
			 "```\n";

static struct lesson *read_two_launches(struct arena *arena)
{
	struct diag diag = {0};
	struct lesson *l = lesson_parse(arena,
		&(struct lesson_text){in_source(arena, "tests/lessons/data"), "01-two", "two", two_launches,
			sizeof two_launches - 1, &names},
		&diag);
	if (!l)
		fail_msg("%s", diag.entries[0].message);
	diag_free(&diag);
	return l;
}

static void launches_follow_each_other(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct lesson *l = read_two_launches(arena);
	struct diag diag = {0};
	struct lesson_launches all;
	int64_t values[] = {1, 8};
	assert_true(lesson_launches(arena, l, &l->steps[0], values, &all, &diag));
	assert_int_equal(all.n, 2);
	assert_int_equal(all.watched, 0);
	assert_string_equal(all.at[0].kernel, "marks");
	assert_null(all.at[0].before);
	assert_int_equal(all.at[0].args[0].count, 8);
	assert_string_equal(all.at[1].kernel, "other");
	assert_int_equal(all.at[1].shared, 8);
	assert_ptr_equal(all.at[1].before, &all.at[0]);
	assert_int_equal(all.at[1].n_args, 1);
	assert_string_equal(all.at[1].args[0].pointers[0].name, "a");
	assert_true(launch_is_for_machine(&all.at[1]));
	assert_false(launch_is_for_machine(&all.at[0]));
	values[0] = 2;
	const struct launch *watched = lesson_launch(arena, l, &l->steps[0], values, &diag);
	assert_string_equal(watched->kernel, "other");
	assert_int_equal(diag.errors, 0);
	arena_free(arena);
}

static void a_setting_keeps_its_column(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct lesson *l = read_two_launches(arena);
	const struct step *step = &l->steps[0];
	struct buf name = {0};
	int64_t other[2];
	assert_int_equal(lesson_compare(l, step, (int64_t[]){1, 4}, other), 0);
	assert_int_equal(other[0], 2);
	assert_int_equal(other[1], 8);
	lesson_compare_name(l, step, other, &name);
	assert_string_equal(buf_str(&name), "stage 2, 8 words");
	assert_int_equal(lesson_compare(l, step, (int64_t[]){2, 8}, other), 1);
	assert_int_equal(other[0], 1);
	assert_int_equal(other[1], 4);
	assert_int_equal(lesson_compare(l, step, (int64_t[]){2, 4}, other), 0); /* not all that is compared */
	buf_free(&name);
	arena_free(arena);
}

static void every_kind_of_question_is_read(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct lesson *l = load_good(arena);
	for (int kind = QUESTION_NONE + 1; kind < QUESTION_KINDS; kind++) {
		bool found = false;
		for (int i = 0; i < l->n_steps; i++)
			found |= l->steps[i].question.kind == (enum question_kind)kind;
		if (!found)
			fail_msg("%s: no step has a question of the kind with the keys %s: add one, and check what is "
				 "read",
				l->path, lesson_question_table[kind].keys);
	}
	arena_free(arena);
}

static void a_launch_follows_the_parameters(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct lesson *l = load_good(arena);
	struct diag diag = {0};
	const int64_t values[] = {24, 4};

	struct launch *launch = lesson_launch(arena, l, &l->steps[0], values, &diag);
	assert_no_diag(&diag);
	assert_string_equal(launch->kernel, "marks");
	assert_int_equal(launch->grid[0], 25);
	assert_int_equal(launch->grid[1], 2);
	assert_int_equal(launch->grid[2], 1);
	assert_int_equal(launch->block[0], 64);
	assert_int_equal(launch->shared, 0);
	assert_false(launch->cooperative);
	assert_int_equal(launch->cluster[0], 0);
	assert_int_equal(launch->n_args, 2);
	assert_true(launch->args[0].buffer);
	assert_int_equal(launch->args[0].count, 256);
	assert_string_equal(launch->args[1].text, "u32:24");
	launch = lesson_launch(arena, l, &l->steps[2], values, &diag);
	assert_int_equal(launch->shared, 64);
	assert_true(launch->cooperative);
	assert_int_equal(launch->cluster[0], 1);
	assert_int_equal(launch->cluster[2], 1);

	const int64_t wrong[] = {-1, 1};
	assert_null(lesson_launch(arena, l, &l->steps[0], wrong, &diag));
	assert_int_equal(diag.count, 1);
	assert_non_null(strstr(diag.entries[0].message, "grid: '0,2': "));
	assert_string_equal(diag.entries[0].file, l->path);
	assert_true(diag.entries[0].line > 1);
	diag_free(&diag);
	assert_null(lesson_launch(arena, l, &l->steps[1], values, &diag));
	assert_one_diag(&diag, "step 'only-text' has no experiment");
	arena_free(arena);
}

/* --- the lessons that ship ---------------------------------------------------------------------------------------- */

static int steps_with_numbers(const struct lesson *lesson)
{
	int n = 0;
	for (int i = 0; i < lesson->n_steps; i++)
		n += lesson->steps[i].question.kind == QUESTION_NUMBER;
	return n;
}

static void check_launches(struct arena *arena, const struct lesson *lesson, const struct step *step)
{
	for (int p = 0; p < lesson->n_parameters; p++) {
		int64_t values[16];
		memcpy(values, step->set, (size_t)lesson->n_parameters * sizeof *values);
		for (int v = 0; v < lesson->parameters[p].n_values; v++) {
			struct diag diag = {0};
			values[p] = lesson->parameters[p].values[v];
			assert_non_null(lesson_launch(arena, lesson, step, values, &diag));
			assert_no_diag(&diag);
		}
	}
}

/* --- variants, judgments, results, defects ----------------------------------------------------------------------- */

static const char judged_text[] =
	"---\nformat: 1\ntitle: T\ntrack: K\nsummary: S\ntakeaway: W\nafter: [good]\ncan: say so\nkernel: marks\n"
	"parameters:\n  - {name: version, values: [marks, other], default: other}\n  - {name: n, range: [1, 8]}\n"
	"experiment:\n  launch: {kernel: \"{version}\", grid: \"{n}\", block: \"{version == other ? 64 : 32}\"}\n"
	"  args: [\"u32[4]:iota\", \"u32:{n}\"]\n  watch: \"{version == marks ? 5 : 6}\"\n  views: [banks]\n"
	"  results: {0: {is: \"arg0[3 - i] * arg1 + n\", within: 1 %}}\n"
	"  defect: {kind: race, when: version == marks && n > 2}\n---\n"
	"## One\n\nOf [waves](metric:waves) and [again](metric:waves).\n\n```simt\nset: {n: 3}\n"
	"question:\n  ask: Why?\n  answer: waves[version=marks, n=5] / time - n\n  within: 5 %\n  from: recorded\n"
	"  wrong: {model.waves: \"Not {= time * 2}, {=n} it is.\"}\n"
	"claim: {text: C, number: 4, holds: 2 > 1, says: because}\n```\n";

static struct lesson *load_judged(struct arena *arena)
{
	struct diag diag = {0};
	struct lesson *lesson = lesson_parse(arena,
		&(struct lesson_text){in_source(arena, "tests/lessons/data"), "09-judged", "judged", judged_text,
			strlen(judged_text), &names},
		&diag);
	assert_no_diag(&diag);
	return lesson;
}

static void values_may_have_names(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	const struct lesson *l = load_judged(arena);
	const struct step *s = &l->steps[0];
	static const int64_t other[] = {1, 3}, marks[] = {0, 2};
	const struct launch *launch = lesson_launch(arena, l, s, other, &diag);
	assert_string_equal(launch->kernel, "other");
	assert_int_equal(launch->block[0], 64);
	assert_int_equal(lesson_watched(l, s, other).line, 6);
	launch = lesson_launch(arena, l, s, marks, &diag);
	assert_string_equal(launch->kernel, "marks");
	assert_int_equal(launch->block[0], 32);
	assert_int_equal(lesson_watched(l, s, marks).line, 5);
	struct buf text = {0};
	lesson_write_value(&l->parameters[0], 1, &text);
	lesson_write_value(&l->parameters[1], 7, &text);
	assert_string_equal(buf_str(&text), "other7");
	buf_free(&text);
	static const struct {
		const char *unit;
		int64_t value;
		const char *text;
	} units[] = {{"words", 4, "4 words"}, {"words", 1, "1 word"}, {"us", 1, "1 us"}, {"KiB", 1, "1 KiB"},
		{"", 1, "1"}, {"× 64 values", 1, "1 × 64 values"}, {"bypass", 1, "1 bypass"}};
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		struct parameter p = {.name = "n", .label = "n", .unit = units[i].unit};
		struct buf with = {0};
		lesson_write_value_with_unit(&p, units[i].value, &with);
		assert_string_equal(buf_str(&with), units[i].text);
		buf_free(&with);
	}
	int64_t value;
	assert_true(lesson_read_value(&l->parameters[0], "marks", (struct diag_pos){0}, &value, &diag));
	assert_int_equal(value, 0);
	assert_int_equal(s->set[0], 1);
	assert_false(lesson_read_value(&l->parameters[0], "0", (struct diag_pos){0}, &value, &diag));
	assert_one_diag(&diag, "version cannot be '0'; it takes marks, other");
	assert_int_equal(l->n_after, 1);
	assert_string_equal(l->can, "say so");
	assert_int_equal(s->text.n_terms, 1);
	assert_string_equal(s->text.terms[0], "waves");
	arena_free(arena);
}

/* time is 2; waves 10 times n of marks, recorded, else 7. */
static bool test_value(void *ctx, const struct term *term, double *out, const char **why)
{
	(void)ctx, (void)why;
	if (strcmp(term->metric, "time") == 0)
		*out = 2;
	else
		*out = term->witness == TERM_RECORDED && term->set[0] == 0 ? 10 * (double)term->set[1] : 7;
	return true;
}

static void judgments_ask_the_witness_they_name(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	const struct lesson *l = load_judged(arena);
	const struct question *q = &l->steps[0].question;
	const char *why = NULL;
	double v;
	assert_true(lesson_judge(l, &q->answer, (struct lesson_terms){test_value, NULL}, &v, &why));
	assert_true(v == 50.0 / 2 - 3);
	assert_true(q->within > 0.0499 && q->within < 0.0501);
	assert_true(lesson_judge(l, &q->wrong[0].answer, (struct lesson_terms){test_value, NULL}, &v, &why));
	assert_true(v == 7);
	const struct phrase *said = &q->wrong[0].why;
	assert_int_equal(said->n, 2);
	assert_string_equal(said->texts[0], "Not ");
	assert_string_equal(said->texts[1], ", ");
	assert_string_equal(said->texts[2], " it is.");
	assert_true(lesson_judge(l, &said->values[0], (struct lesson_terms){test_value, NULL}, &v, &why) && v == 4);
	assert_int_equal(l->steps[0].claim.number, 4);
	assert_true(lesson_judge(l, &l->steps[0].claim.holds, (struct lesson_terms){NULL, NULL}, &v, &why) && v == 1);
	assert_false(lesson_judge(l, &q->answer, (struct lesson_terms){NULL, NULL}, &v, &why));
	arena_free(arena);
}

static void defects_depend_on_parameters(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	const struct lesson *l = load_judged(arena);
	static const int64_t faulty[] = {0, 3}, fine[] = {0, 2}, other[] = {1, 3};
	assert_string_equal(lesson_expects_defect(l, &l->steps[0], faulty), "race");
	assert_null(lesson_expects_defect(l, &l->steps[0], fine));
	assert_null(lesson_expects_defect(l, &l->steps[0], other));
	arena_free(arena);
}

static void results_are_compared_element_by_element(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	const struct lesson *l = load_judged(arena);
	const struct step *s = &l->steps[0];
	static const int64_t values[] = {1, 3};
	uint32_t held[] = {12, 9, 6, 3};
	void *buffers[] = {held, NULL};
	const struct launch *launch = lesson_launch(arena, l, s, values, &diag);
	const struct lesson_outcome outcome = {l, s, values, launch, buffers};
	assert_int_equal(lesson_check_results(&outcome, &diag), 4);
	held[2] = 7;
	assert_int_equal(lesson_check_results(&outcome, &diag), -1);
	assert_one_diag(&diag, "argument 0, element 2 is 7, but it must be 6");
	arena_free(arena);
}

static int steps_without_exercise(const struct lesson *lesson)
{
	int n = 0;
	for (int i = 0; i < lesson->n_steps; i++)
		n += !lesson->steps[i].exercise.dir;
	return n;
}

static void shipped_lessons_load(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct catalog *c = lesson_catalog_load(arena, in_source(arena, ""), &any, &diag);

	assert_no_diag(&diag);
	assert_non_null(c);
	assert_true(c->n_lessons >= 1);
	for (int i = 0; i < c->n_lessons; i++) {
		const struct lesson *l = c->lessons[i];
		assert_in_range(steps_without_exercise(l), 3, 12);
		assert_true(steps_with_numbers(l) >= 1);
		for (int s = 0; s < l->n_steps; s++) {
			assert_true(*l->steps[s].notes != '\0');
			if (l->steps[s].has_experiment)
				check_launches(arena, l, &l->steps[s]);
		}
	}
	arena_free(arena);
}

static void the_first_lesson_watches_its_read(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct lesson *l = lesson_load(arena, in_source(arena, ""), "10-banks", &any, &diag);

	assert_non_null(l);
	assert_string_equal(l->id, "banks");
	assert_int_equal(l->parameters[0].n_values, 34);
	const char *line = l->kernel->source_text;
	for (int i = 1; i < lesson_watched(l, &l->steps[0], l->steps[0].set).line; i++)
		line = strchr(line, '\n') + 1;
	const char *read = strstr(line, "tile[lane * stride]");
	assert_true(read && read < strchr(line, '\n'));
	diag_free(&diag);
	arena_free(arena);
}

/* The page's example is a lesson. */
static void the_example_of_the_page_loads(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct buf page = {0}, text = {0};

	assert_true(file_read(in_source(arena, "man/simttutor-lesson.5"), (size_t)1 << 20, &page, &diag));
	const char *p = strstr(page.data, "\n---\n"), *end = p ? strstr(p, "\n.Ed") : NULL;
	assert_non_null(end);
	for (p++; p <= end; p++)
		if (strncmp(p, "\\&", 2) == 0)
			p++;
		else
			buf_putc(&text, *p);
	struct lesson *l = lesson_parse(arena,
		&(struct lesson_text){in_source(arena, ""), "01-example", "example", text.data, text.len, &any}, &diag);
	assert_no_diag(&diag);
	assert_non_null(l);
	assert_int_equal(l->n_steps, 1);
	assert_int_equal(l->steps[0].question.kind, QUESTION_NUMBER);
	assert_string_equal(l->steps[0].notes, "Ask before showing the picture.");
	buf_free(&page);
	buf_free(&text);
	arena_free(arena);
}

/* --- the catalog ------------------------------------------------------------------------------------------------ */

static void a_broken_lesson_is_left_out(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct catalog *c = lesson_catalog_load(arena, in_source(arena, "tests/lessons/data"), &names, &diag);

	assert_non_null(c);
	assert_int_equal(c->n_lessons, 1);
	assert_int_equal(diag.errors, 4);
	assert_non_null(strstr(diag.entries[0].file, "10-broken/lesson.md"));
	diag_free(&diag);
	assert_null(lesson_catalog_load(arena, "/nonexistent", &names, &diag));
	assert_int_equal(diag.errors, 1);
	diag_free(&diag);
	arena_free(arena);
}

/* The title of the lesson's translation, where the locale is this. */
static void assert_title(const char *data, const char *locale, const char *title, size_t warnings)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	setenv("LC_ALL", locale, 1);
	struct catalog *c = lesson_catalog_load(arena, data, &names, &diag);
	assert_non_null(c);
	assert_int_equal(c->n_lessons, 1);
	assert_string_equal(c->lessons[0]->title, title);
	assert_int_equal(diag.count, warnings);
	assert_int_equal(diag.errors, 0);
	diag_free(&diag);
	arena_free(arena);
}

static void lessons_are_in_the_readers_language(void **state)
{
	(void)state;
	char data[] = "/tmp/simttutor-lesson-XXXXXX", command[2000];
	const char *old = getenv("LC_ALL");
	char *before = old ? base_strndup(old, strlen(old)) : NULL;
	struct arena *arena = arena_new();
	assert_non_null(mkdtemp(data));
	snprintf(command, sizeof command,
		"cp -r '%s/.' %s && chmod -R u+w %s && rm -rf %s/lessons/10-broken && cd %s/lessons/02-good && "
		"sed 's/^title: .*/title: In English/' lesson.md >new && mv new lesson.md && "
		"sed 's/^title: .*/title: Auf Deutsch/' lesson.md >lesson.de.md && "
		"sed 's/^title: .*/title: En francais/; s/^## Only text/## Rien/' lesson.md >lesson.fr.md",
		in_source(arena, "tests/lessons/data"), data, data, data, data);
	assert_int_equal(system(command), 0);
	unsetenv("LANGUAGE");
	assert_title(data, "C", "In English", 0);
	assert_title(data, "de_DE.UTF-8", "Auf Deutsch", 0);
	assert_title(data, "de", "Auf Deutsch", 0);
	assert_title(data, "nl_NL", "In English", 0); /* there is none */
	assert_title(data, "../de", "In English", 0);
	assert_title(data, "fr_FR", "In English", 1); /* a step is another */
	setenv("LANGUAGE", "nl:../x:de", 1);
	assert_title(data, "en_US.UTF-8", "Auf Deutsch", 0);
	assert_title(data, "C", "In English", 0); /* gettext translates nothing there either */
	setenv("LANGUAGE", "en_GB:de", 1);
	assert_title(data, "de_DE.UTF-8", "In English", 0);
	unsetenv("LANGUAGE");
	if (before)
		setenv("LC_ALL", before, 1);
	else
		unsetenv("LC_ALL");
	free(before);
	snprintf(command, sizeof command, "rm -rf %s", data);
	assert_int_equal(system(command), 0);
	arena_free(arena);
}

#define STEPS                                                                                                          \
	"    1  first-the-text\n    2  only-text\n    3  told-id\n    4  step-42\n    5  a-question-alone\n"           \
	"    6  a-question-about-the-text\n    7  several\n    8  an-order\n    9  a-bank"
static void numbers_may_lie_between_others(void **state)
{
	static const struct {
		const char *dir;
		size_t whole;
		const char *number;
	} rows[] = {
		{"10-banks", SIZE_MAX, "10"},
		{"04-predication", 2, "4"},
		{"041-reconvergence", 2, "4.1"},
		{"0412-more", 2, "4.12"},
		{"001-first", 2, "0.1"},
		{"00-zero", 2, "0"},
		{"101-three-digits", 3, "101"},
		{"101-three-digits", SIZE_MAX, "101"},
		{"7-seven", 1, "7"},
		{"no-number", 2, ""},
		{"12", 2, ""},
	};
	struct arena *arena = arena_new();
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(lesson_number_of_dir(arena, rows[i].dir, rows[i].whole), rows[i].number);
	arena_free(arena);
}

static void lessons_and_steps_are_found(void **state)
{
	(void)state;
	static const struct {
		const char *what;
		int step;
	} good[] = {{"good", -7}, {"02-good", -7}, {"2", -7}, {"02", -7}, {"good/1", 0}, {"2/4", 3},
		{"good/only-text", 1}, {"02-good/told-id", 2}};
	static const struct {
		const char *what, *message;
	} bad[] = {
		{"goo", "no lesson 'goo'; there is good"},
		{"", "no lesson ''; there is good"},
		{"3", "no lesson '3'; there is good"},
		{"good/10", "no step '10' in good; its steps are\n" STEPS},
		{"good/0", "no step '0' in good; its steps are\n" STEPS},
		{"good/", "no step '' in good; its steps are\n" STEPS},
		{"good/x", "no step 'x' in good; its steps are\n" STEPS},
	};
	struct arena *arena = arena_new();
	struct lesson *one = load_good(arena);
	struct catalog c = {.lessons = &one, .n_lessons = 1};
	const struct lesson *found;
	struct diag diag = {0};

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		int step = -7;
		assert_true(lesson_catalog_find(&c, good[i].what, &found, &step, &diag));
		assert_ptr_equal(found, one);
		assert_int_equal(step, good[i].step);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		int step;
		assert_false(lesson_catalog_find(&c, bad[i].what, &found, &step, &diag));
		assert_one_diag(&diag, bad[i].message);
	}
	assert_true(lesson_catalog_find(&c, "good", &found, NULL, &diag));
	assert_false(lesson_catalog_find(&c, "good/1", &found, NULL, &diag));
	assert_one_diag(&diag, "'good/1': a lesson is wanted here, not a step");
	arena_free(arena);
}

/* --- progress ----------------------------------------------------------------------------------------------------- */

struct state {
	char dir[64], file[128], bad[128];
};

static struct state make_state(void)
{
	struct state s;
	snprintf(s.dir, sizeof s.dir, "%s", "/tmp/simttutor-test-XXXXXX");
	assert_non_null(mkdtemp(s.dir));
	snprintf(s.file, sizeof s.file, "%s/progress.json", s.dir);
	snprintf(s.bad, sizeof s.bad, "%s/progress.json.bad", s.dir);
	return s;
}

static void remove_state(const struct state *s)
{
	unlink(s->file);
	unlink(s->bad);
	assert_int_equal(rmdir(s->dir), 0);
}

static void write_state(const struct state *s, const char *text)
{
	struct diag diag = {0};
	assert_true(file_write(s->file, text, strlen(text), &diag));
}

static void assert_file(const char *path, const char *expected)
{
	struct buf text = {0};
	struct diag diag = {0};
	assert_true(file_read(path, 4096, &text, &diag));
	assert_string_equal(buf_str(&text), expected);
	buf_free(&text);
}

static void progress_comes_back(void **state)
{
	(void)state;
	struct state s = make_state();
	struct diag diag = {0};
	struct progress *p = lesson_progress_load(s.dir, &diag);

	assert_int_equal(lesson_progress_step(p, "banks"), 0);
	assert_false(lesson_progress_visited(p, "banks", "one"));
	assert_true(lesson_progress_save(p, &diag));
	assert_false(file_exists(s.file)); /* nothing to say yet */
	lesson_progress_visit(p, "banks", 0, "one");
	lesson_progress_visit(p, "banks", 2, "three");
	lesson_progress_visit(p, "banks", 2, "three");
	lesson_progress_answer(p, "banks", "three");
	lesson_progress_answer(p, "warps", "a \"quoted\" step");
	assert_true(lesson_progress_save(p, &diag));
	lesson_progress_free(p);

	p = lesson_progress_load(s.dir, &diag);
	assert_no_diag(&diag);
	assert_int_equal(lesson_progress_step(p, "banks"), 2);
	assert_int_equal(lesson_progress_visited_count(p, "banks"), 2);
	assert_true(lesson_progress_visited(p, "banks", "one"));
	assert_false(lesson_progress_visited(p, "banks", "two"));
	assert_true(lesson_progress_answered(p, "banks", "three"));
	assert_false(lesson_progress_answered(p, "banks", "one"));
	assert_true(lesson_progress_answered(p, "warps", "a \"quoted\" step"));
	assert_int_equal(lesson_progress_visited_count(p, "warps"), 0);

	/* Unchanged: not written again. */
	unlink(s.file);
	lesson_progress_visit(p, "banks", 2, "three");
	assert_true(lesson_progress_save(p, &diag));
	assert_false(file_exists(s.file));
	lesson_progress_free(p);
	lesson_progress_free(NULL);
	remove_state(&s);
}

static void damaged_progress_is_kept_aside(void **state)
{
	(void)state;
	static const char *const damaged[] = {
		"",
		"{",
		"[]",
		"{}",
		"null",
		"{\"format\": 1}",
		"{\"format\": 0, \"lessons\": {}}",
		"{\"format\": \"1\", \"lessons\": {}}",
		"{\"format\": 1, \"lessons\": []}",
		"{\"format\": 1, \"lessons\": {\"banks\": 3}}",
		"{\"format\": 1, \"lessons\": {\"banks\": {\"step\": 1, \"visited\": [1], \"answered\": []}}}",
		"{\"format\": 1, \"lessons\": {\"banks\": {\"step\": \"1\", \"visited\": [], \"answered\": []}}}",
		"{\"format\": 1, \"lessons\": {\"banks\": {\"step\": 1, \"visited\": []}}}",
	};
	for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
		struct state s = make_state();
		struct diag diag = {0};
		write_state(&s, damaged[i]);
		struct progress *p = lesson_progress_load(s.dir, &diag);
		assert_int_equal(diag.count, 1);
		assert_int_equal(diag.errors, 0);
		assert_non_null(strstr(diag.entries[0].message, "kept as"));
		assert_file(s.bad, damaged[i]);
		assert_false(file_exists(s.file));
		lesson_progress_visit(p, "banks", 1, "two");
		assert_true(lesson_progress_save(p, &diag));
		assert_true(file_exists(s.file));
		lesson_progress_free(p);
		diag_free(&diag);
		remove_state(&s);
	}
}

/* The first damaged file is still what the reader may want back. */
static void no_damaged_progress_is_lost(void **state)
{
	(void)state;
	struct state s = make_state();
	char second[sizeof s.bad + 8];
	snprintf(second, sizeof second, "%s.2", s.bad);
	for (int i = 0; i < 2; i++) {
		struct diag diag = {0};
		write_state(&s, i ? "second" : "first");
		lesson_progress_free(lesson_progress_load(s.dir, &diag));
		assert_int_equal(diag.count, 1);
		assert_non_null(strstr(diag.entries[0].message, i ? second : s.bad));
		diag_free(&diag);
	}
	assert_file(s.bad, "first");
	assert_file(second, "second");
	assert_false(file_exists(s.file));
	unlink(second);
	remove_state(&s);
}

static void what_is_taken_back_stays_away(void **state)
{
	(void)state;
	struct state s = make_state();
	struct diag diag = {0};
	struct progress *first = lesson_progress_load(s.dir, &diag);
	assert_true(lesson_progress_is_new(first));
	lesson_progress_visit(first, "banks", 2, "three");
	lesson_progress_answer(first, "banks", "one");
	lesson_progress_answer(first, "banks", "two");
	lesson_progress_try(first, "banks", "one", 1);
	lesson_progress_answer(first, "tiles", "one");
	assert_true(lesson_progress_save(first, &diag));
	lesson_progress_free(first);
	struct progress *a = lesson_progress_load(s.dir, &diag), *b = lesson_progress_load(s.dir, &diag);
	assert_false(lesson_progress_is_new(a));
	lesson_progress_forget(a, "banks", "one");
	lesson_progress_forget(a, "tiles", NULL);
	lesson_progress_answer(b, "banks", "five");
	assert_true(lesson_progress_save(a, &diag));
	assert_true(lesson_progress_save(b, &diag)); /* which still knows what a forgot */
	for (int i = 0; i < 2; i++) {
		struct progress *p = i ? lesson_progress_load(s.dir, &diag) : b;
		assert_false(lesson_progress_answered(p, "banks", "one"));
		assert_int_equal(lesson_progress_tries(p, "banks", "one").tries, 0);
		assert_true(lesson_progress_answered(p, "banks", "two"));
		assert_true(lesson_progress_answered(p, "banks", "five"));
		assert_true(lesson_progress_visited(p, "banks", "three"));
		assert_false(lesson_progress_answered(p, "tiles", "one"));
		lesson_progress_free(p);
	}
	lesson_progress_free(a);
	assert_no_diag(&diag);
	remove_state(&s);
}

static void two_tutors_lose_nothing(void **state)
{
	(void)state;
	struct state s = make_state();
	struct diag diag = {0};
	write_state(&s,
		"{\"format\": 1, \"lessons\": {\"banks\": {\"step\": 1, \"visited\": [\"one\"], \"answered\": []}}}");
	struct progress *a = lesson_progress_load(s.dir, &diag), *b = lesson_progress_load(s.dir, &diag);
	lesson_progress_visit(a, "banks", 3, "four");
	lesson_progress_answer(a, "banks", "one");
	lesson_progress_try(a, "banks", "one", 2);
	lesson_progress_visit(a, "warps", 1, "two");
	lesson_progress_answer(b, "banks", "five");
	lesson_progress_try(b, "banks", "one", 0);
	lesson_progress_visit(b, "tiles", 2, "three");
	assert_true(lesson_progress_save(a, &diag));
	assert_true(lesson_progress_save(b, &diag));
	lesson_progress_visit(a, "grids", 0, "one");
	assert_true(lesson_progress_save(a, &diag)); /* with what b knows */
	for (int i = 0; i < 2; i++) {
		struct progress *p = i ? lesson_progress_load(s.dir, &diag) : a;
		assert_int_equal(lesson_progress_step(p, "banks"), 3); /* b did not move there */
		assert_int_equal(lesson_progress_step(p, "tiles"), 2);
		assert_true(lesson_progress_visited(p, "banks", "one"));
		assert_true(lesson_progress_visited(p, "banks", "four"));
		assert_true(lesson_progress_visited(p, "warps", "two"));
		assert_true(lesson_progress_visited(p, "grids", "one"));
		assert_true(lesson_progress_answered(p, "banks", "one"));
		assert_true(lesson_progress_answered(p, "banks", "five"));
		assert_int_equal(lesson_progress_tries(p, "banks", "one").hints, 0); /* the newest answer */
		lesson_progress_free(p);
	}
	lesson_progress_free(b);
	assert_no_diag(&diag);
	remove_state(&s);
}

#define TUTORS 4
#define SAVES 25

static void save_often(const char *dir, int tutor)
{
	struct diag diag = {0};
	struct progress *p = lesson_progress_load(dir, &diag);
	bool ok = p != NULL;
	for (int i = 0; i < SAVES && ok; i++) {
		char step[32];
		snprintf(step, sizeof step, "%d-%d", tutor, i);
		lesson_progress_visit(p, "banks", i, step);
		ok = lesson_progress_save(p, &diag);
	}
	_exit(ok && diag.count == 0 ? 0 : 1);
}

static void tutors_at_once_lose_nothing(void **state)
{
	(void)state;
	struct state s = make_state();
	struct diag diag = {0};
	char dir[sizeof s.dir + 8], command[sizeof dir + 16];
	snprintf(dir, sizeof dir, "%s/new", s.dir); /* the first of them makes it */
	for (int i = 0; i < TUTORS; i++)
		if (fork() == 0)
			save_often(dir, i);
	for (int i = 0, status; i < TUTORS; i++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	struct progress *p = lesson_progress_load(dir, &diag);
	assert_int_equal(lesson_progress_visited_count(p, "banks"), TUTORS * SAVES);
	lesson_progress_free(p);
	snprintf(command, sizeof command, "rm -r %s", dir);
	assert_int_equal(system(command), 0);
	remove_state(&s);
}

static void progress_is_the_readers_alone(void **state)
{
	(void)state;
	struct state s = make_state();
	struct diag diag = {0};
	struct stat info;
	write_state(&s, "{\"format\": 1, \"lessons\": {}}");
	assert_int_equal(chmod(s.file, 0644), 0);
	assert_int_equal(chmod(s.dir, 0755), 0);
	struct progress *p = lesson_progress_load(s.dir, &diag);
	lesson_progress_visit(p, "banks", 1, "two");
	assert_true(lesson_progress_save(p, &diag));
	lesson_progress_free(p);
	assert_int_equal(stat(s.file, &info), 0);
	assert_int_equal(info.st_mode & 07777, 0600);
	assert_int_equal(stat(s.dir, &info), 0);
	assert_int_equal(info.st_mode & 07777, 0700);
	assert_no_diag(&diag);
	for (int i = 0; geteuid() == 0 && i < 2; i++) { /* another user's file, then folder */
		assert_int_equal(chown(i ? s.dir : s.file, 65534, 65534), 0);
		p = lesson_progress_load(s.dir, &diag);
		assert_one_diag(&diag, "belongs to another user; progress is not kept this time");
		assert_false(lesson_progress_visited(p, "banks", "two"));
		lesson_progress_visit(p, "banks", 2, "three");
		assert_true(lesson_progress_save(p, &diag));
		lesson_progress_free(p);
		diag = (struct diag){0};
	}
	remove_state(&s);
}

static void newer_progress_is_left_alone(void **state)
{
	(void)state;
	static const char newer[] = "{\"format\": 2, \"something\": \"else\"}";
	struct state s = make_state();
	struct diag diag = {0};

	write_state(&s, newer);
	struct progress *p = lesson_progress_load(s.dir, &diag);
	assert_one_diag(
		&diag, "written by a newer simttutor (format 2); it is left alone and progress is not kept this time");
	lesson_progress_visit(p, "banks", 1, "two");
	assert_int_equal(lesson_progress_step(p, "banks"), 1);
	assert_true(lesson_progress_save(p, &diag));
	assert_file(s.file, newer);
	lesson_progress_free(p);
	remove_state(&s);
}

static void unknown_keys_of_progress_survive(void **state)
{
	(void)state;
	struct state s = make_state();
	struct diag diag = {0};
	struct buf text = {0};

	write_state(&s, "{\"format\": 1, \"theme\": \"dark\", \"lessons\": {}}");
	struct progress *p = lesson_progress_load(s.dir, &diag);
	lesson_progress_visit(p, "banks", 1, "two");
	assert_true(lesson_progress_save(p, &diag));
	assert_true(file_read(s.file, 4096, &text, &diag));
	assert_non_null(strstr(text.data, "\"theme\": \"dark\""));
	buf_free(&text);
	lesson_progress_free(p);
	remove_state(&s);
}

/* As a lesson that is checked: no folder is made, not even at the root. */
static void progress_without_a_folder_is_not_kept(void **state)
{
	(void)state;
	struct diag diag = {0};
	struct progress *p = lesson_progress_load(NULL, &diag);
	lesson_progress_visit(p, "banks", 1, "stride");
	assert_int_equal(lesson_progress_step(p, "banks"), 1);
	assert_true(lesson_progress_save(p, &diag));
	assert_int_equal(diag.count, 0);
	assert_int_not_equal(access("/progress.json", F_OK), 0);
	lesson_progress_free(p);
	diag_free(&diag);
}

static void progress_that_cannot_be_written_is_an_error(void **state)
{
	(void)state;
	struct state s = make_state();
	struct diag diag = {0};
	struct buf dir = {0};

	/* The folder is to lie inside of a file. */
	write_state(&s, "{\"format\": 1, \"lessons\": {}}");
	buf_printf(&dir, "%s/inside", s.file);
	struct progress *p = lesson_progress_load(dir.data, &diag);
	diag_free(&diag);
	lesson_progress_visit(p, "banks", 1, "two");
	assert_false(lesson_progress_save(p, &diag));
	assert_int_equal(diag.errors, 1);
	diag_free(&diag);
	lesson_progress_free(p);
	buf_free(&dir);
	remove_state(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(malformed_lessons_say_what_and_where),
		cmocka_unit_test(large_texts_are_refused),
		cmocka_unit_test(folders_that_are_no_lessons_are_refused),
		cmocka_unit_test(front_matter_is_read),
		cmocka_unit_test(text_becomes_blocks_of_spans),
		cmocka_unit_test(a_step_overrides_the_defaults),
		cmocka_unit_test(launches_follow_each_other),
		cmocka_unit_test(a_setting_keeps_its_column),
		cmocka_unit_test(every_kind_of_question_is_read),
		cmocka_unit_test(a_launch_follows_the_parameters),
		cmocka_unit_test(values_may_have_names),
		cmocka_unit_test(judgments_ask_the_witness_they_name),
		cmocka_unit_test(defects_depend_on_parameters),
		cmocka_unit_test(results_are_compared_element_by_element),
		cmocka_unit_test(shipped_lessons_load),
		cmocka_unit_test(the_first_lesson_watches_its_read),
		cmocka_unit_test(the_example_of_the_page_loads),
		cmocka_unit_test(a_broken_lesson_is_left_out),
		cmocka_unit_test(lessons_are_in_the_readers_language),
		cmocka_unit_test(numbers_may_lie_between_others),
		cmocka_unit_test(lessons_and_steps_are_found),
		cmocka_unit_test(progress_comes_back),
		cmocka_unit_test(damaged_progress_is_kept_aside),
		cmocka_unit_test(no_damaged_progress_is_lost),
		cmocka_unit_test(what_is_taken_back_stays_away),
		cmocka_unit_test(two_tutors_lose_nothing),
		cmocka_unit_test(tutors_at_once_lose_nothing),
		cmocka_unit_test(progress_is_the_readers_alone),
		cmocka_unit_test(progress_without_a_folder_is_not_kept),
		cmocka_unit_test(newer_progress_is_left_alone),
		cmocka_unit_test(unknown_keys_of_progress_survive),
		cmocka_unit_test(progress_that_cannot_be_written_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
