
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/expr.h"
#include "course/lesson/private.h"

#define WORK_MAX ((uint64_t)1 << 31) /* operations for one buffer */

/* The names of an expression: the lesson's words, i, the arguments. */
struct scope {
	const char *names[LESSON_WORDS_MAX + 1 + LAUNCH_ARGS_MAX];
	int n;
};

/* --- reading ------------------------------------------------------------------------------------------------------ */

struct result_parse {
	struct step_draft *e;
	struct expected expected;
};

static void read_is(struct reader *r, yaml_node_t *value, void *into)
{
	struct result_parse *p = into;

	/* In the arena: arg0 to arg63. */
	struct arena *names_arena = r->arena;
	const char **args = arena_array(names_arena, const char *, LAUNCH_ARGS_MAX);
	for (int i = 0; i < LAUNCH_ARGS_MAX; i++)
		args[i] = arena_printf(names_arena, "arg%d", i);

	struct lesson_scalar scalar;
	struct scope scope;
	struct diag faults = {0};
	if (!lesson_reader_text(r, value, "a result", LESSON_TEXT_MAX, &scalar))
		return;

	scope.n = 0;
	for (int i = 0; i < p->e->lesson->n_words; i++)
		scope.names[scope.n++] = p->e->lesson->words[i];
	scope.names[scope.n++] = "i";
	for (int i = 0; i < LAUNCH_ARGS_MAX; i++)
		scope.names[scope.n++] = args[i];

	const struct expr_names names = {
		.names = scope.names, .n = scope.n, .arrays = args, .n_arrays = LAUNCH_ARGS_MAX};
	p->expected.text = scalar.text;
	p->expected.expr = expr_parse_numbers(r->arena, NULL, scalar.text, &names, &faults);
	if (!p->expected.expr)
		diag_error(r->diag, scalar.pos, "in '%s': %s", scalar.text, faults.entries[0].message);
	diag_free(&faults);
}

static void read_within(struct reader *r, yaml_node_t *value, void *into)
{
	lesson_reader_fraction(r, value, "within", &((struct result_parse *)into)->expected.within);
}

static bool read_one(struct reader *r, yaml_node_t *map, int index, struct result_parse *p)
{
	static const struct reader_key keys[] = {
		READER_CALL("is", true, read_is), READER_CALL("within", false, read_within), {0}};
	struct lesson_scalar key;
	yaml_node_t *value;
	int64_t arg;
	size_t errors = r->diag->errors;

	if (!lesson_reader_pair(r, map, index, &key, &value))
		return false;
	char *end;
	arg = strtol(key.text, &end, 10);
	if (*end || arg < 0 || arg >= LAUNCH_ARGS_MAX) {
		diag_error(r->diag, key.pos, "'%s' is not the number of an argument; the first is 0", key.text);
		return false;
	}

	p->expected = (struct expected){.arg = (int)arg};
	if (lesson_reader_is_map(value))
		lesson_reader_map(r, value, "a result", keys, p);
	else
		read_is(r, value, p);
	return r->diag->errors == errors;
}

void lesson_results_read(struct reader *r, yaml_node_t *node, void *draft)
{
	struct step_draft *e = draft;
	int n = lesson_reader_pairs(r, node, "results");
	if (n < 0)
		return;
	struct expected *results = arena_array(r->arena, struct expected, (size_t)n + 1);
	struct result_parse p = {.e = e};
	e->n_results = 0;
	for (int i = 0; i < n; i++)
		if (read_one(r, node, i, &p))
			results[e->n_results++] = p.expected;
	e->results = results;
}

/* --- comparing ---------------------------------------------------------------------------------------------------- */

struct comparison {
	const struct lesson_outcome *outcome;
	const struct launch *launch; /* of it */
	struct diag *diag;
	void **before; /* per argument, made when first asked for; NULL: scalar */
	struct number names[LESSON_WORDS_MAX + 1 + LAUNCH_ARGS_MAX];
	int i; /* index of the name i */
};

/* An element as a number; unsigned 64-bit ones past the signed range wrap. */
static struct number element_as_number(enum launch_type type, const void *bytes, size_t index)
{
	size_t size = launch_type_size(type);
	uint64_t bits = 0;
	if (launch_type_is_float(type))
		return number_real(launch_number(type, bytes, index));
	memcpy(&bits, (const char *)bytes + index * size, size);
	if (launch_type_name(type)[0] == 's' && size < 8 && bits >> (8 * size - 1))
		bits |= ~(uint64_t)0 << (8 * size);
	return number_whole((int64_t)bits);
}

static bool element_before(void *ctx, int array, int64_t index, struct number *out, const char **why)
{
	struct comparison *c = ctx;
	*why = "no such argument";
	if (array >= c->launch->n_args)
		return false;
	const struct launch_arg *arg = &c->launch->args[array];
	*why = arg->buffer ? "an index outside of a buffer" : "a scalar argument has no elements";
	if (!arg->buffer || index < 0 || (uint64_t)index >= arg->count)
		return false;
	if (!c->before[array]) {
		c->before[array] = base_malloc(launch_arg_bytes(arg) + 1);
		launch_arg_fill(arg, c->before[array]);
	}
	*out = element_as_number(arg->type, c->before[array], (size_t)index);
	return true;
}

/* How far off a result may be, relative to it or to 1, whichever is more: a few roundings of the type. */
static double usual_slack(enum launch_type type)
{
	return launch_type_size(type) == 2 ? 2e-3 : launch_type_size(type) == 4 ? 1e-5 : 1e-12;
}

static bool matches(const struct expected *expected, enum launch_type type, struct number got, struct number want)
{
	if (launch_type_is_float(type)) {
		double w = number_as_real(want), slack = expected->within > 0 ? expected->within : usual_slack(type);
		return fabs(got.d - w) <= slack * fmax(1, fabs(w)) || (isnan(got.d) && isnan(w)) || got.d == w;
	}
	size_t size = launch_type_size(type);
	uint64_t mask = size < 8 ? ((uint64_t)1 << (8 * size)) - 1 : ~(uint64_t)0;
	if (want.real) /* out of the range of whole numbers nothing matches */
		want.i = fabs(want.d) < 0x1p62 ? (int64_t)want.d : ~got.i;
	return (((uint64_t)got.i ^ (uint64_t)want.i) & mask) == 0;
}

static void write_number(struct number number, struct buf *out)
{
	if (number.real)
		buf_printf(out, "%.9g", number.d);
	else
		buf_printf(out, "%" PRId64, number.i);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The first '(' after the kernel's name in its source, NULL: it is not there, or comes from a macro. */
static const char *find_parameters(const char *source, const char *kernel)
{
	size_t len = strlen(kernel);
	for (const char *at = strstr(source, kernel); at; at = strstr(at + 1, kernel)) {
		const char *open = at + len + strspn(at + len, " \t\n");
		if (*open == '(' && at > source && !is_word(at[-1]) && !is_word(at[len]))
			return open;
	}
	return NULL;
}

/* The end of the parameter `arg` in the list that begins at `open`; NULL: it has fewer. */
static const char *find_end(const char *open, int arg)
{
	for (int depth = 0; *open; open++) {
		depth += (*open == '(') - (*open == ')');
		bool ends = depth == 0 || (*open == ',' && depth == 1);
		if (ends && arg-- == 0)
			return open;
		if (depth == 0)
			return NULL;
	}
	return NULL;
}

static int64_t compare_buffer(struct comparison *c, const struct expected *expected)
{
	const char *why = "no such buffer";
	uint64_t work = WORK_MAX;
	const struct expr_values values = {.names = c->names, .element = element_before, .ctx = c, .work = &work};
	const struct launch_arg *arg = expected->arg < c->launch->n_args ? &c->launch->args[expected->arg] : NULL;
	struct diag_pos pos = c->outcome->step->pos;
	for (size_t i = 0; arg && arg->buffer && i < arg->count; i++) {
		struct number want, got = element_as_number(arg->type, c->outcome->buffers[expected->arg], i);
		c->names[c->i] = number_whole((int64_t)i);
		if (!expr_number(expected->expr, &values, &want, &why)) {
			diag_error(c->diag, pos, "the result of argument %d, element %zu, in '%s': %s", expected->arg,
				i, expected->text, why);
			return -1;
		}
		if (!matches(expected, arg->type, got, want)) {
			struct buf text = {0};

			/* "out[16]", as the kernel's source calls it; else "argument 1, element 16". */
			const struct kernel_file *file = c->outcome->step->file;
			const char *open = file && file->source_text
				? find_parameters(file->source_text, c->launch->kernel)
				: NULL;
			const char *end = open ? find_end(open, expected->arg) : NULL, *name;
			while (end && strchr(" \t\n", end[-1]))
				end--;
			for (name = end; name && is_word(name[-1]);)
				name--;
			const char *made = name ? strstr(name, "_param_") : NULL; /* PTX has no names of its own */
			if (name < end && (!made || made >= end))
				buf_printf(&text, "%.*s[%zu]", (int)(end - name), name, i);
			else
				buf_printf(&text, "argument %d, element %zu", expected->arg, i);

			buf_puts(&text, " is ");
			write_number(got, &text);
			buf_puts(&text, ", but it must be ");
			write_number(want, &text);
			diag_error(c->diag, c->outcome->step->pos, "%s", buf_str(&text));
			buf_free(&text);

			return -1;
		}
	}
	if (arg && arg->buffer)
		return (int64_t)arg->count;
	diag_error(c->diag, pos, "argument %d, which has results, is not a buffer", expected->arg);
	return -1;
}

int64_t lesson_check_results(const struct lesson_outcome *outcome, struct diag *diag)
{
	void *before[LAUNCH_ARGS_MAX] = {0};
	struct comparison c = {.outcome = outcome, .launch = outcome->launch, .diag = diag, .before = before};
	const struct step *step = outcome->step;
	int64_t total = 0;

	const struct lesson *names_lesson = outcome->lesson;
	int64_t words[LESSON_WORDS_MAX];
	lesson_names_word_values(names_lesson, outcome->values, words);
	for (int i = 0; i < names_lesson->n_words; i++)
		c.names[i] = number_whole(words[i]);
	c.i = names_lesson->n_words;
	for (int i = 0; i < c.launch->n_args; i++) {
		const struct launch_arg *arg = &c.launch->args[i];
		uint64_t bytes[2] = {0};
		if (!arg->buffer)
			launch_arg_fill(arg, bytes);
		c.names[c.i + 1 + i] = element_as_number(arg->type, bytes, 0);
	}

	for (int i = 0; i < step->n_results && total >= 0; i++) {
		int64_t n = compare_buffer(&c, &step->results[i]);
		total = n < 0 ? -1 : total + n;
	}
	for (int i = 0; i < LAUNCH_ARGS_MAX; i++)
		free(before[i]);
	return total;
}
