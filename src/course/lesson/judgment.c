
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/expr.h"
#include "course/lesson/private.h"

#define NAME_MAX_BYTES 128
#define WORK_MAX 100000 /* operations of one judgment */
#define ELEMENTS_MAX ((int64_t)1 << 32)

struct judgment_parse {
	struct reader *reader;
	const struct judgment_scope *scope;
	struct diag_pos pos;
	struct term terms[LESSON_TERMS_MAX];
	int n;
	const char *why; /* in the arena */
};

static int refuse_term(struct judgment_parse *p, const char **why, const char *format, const char *what)
{
	struct buf text = {0};
	buf_printf(&text, "%s '%s'", format, what);
	*why = p->why = arena_strdup(p->reader->arena, buf_str(&text));
	buf_free(&text);
	return -1;
}

static const char *skip_spaces(const char *at)
{
	while (isspace((unsigned char)*at))
		at++;
	return at;
}

static size_t word_length(const char *at)
{
	size_t len = 0;
	while (isalnum((unsigned char)at[len]) || at[len] == '_' || (len == 0 && at[0] == '-'))
		len++;
	return len;
}

static const char *take_word(struct judgment_parse *p, const char **at)
{
	*at = skip_spaces(*at);
	size_t len = word_length(*at);
	const char *word = arena_strndup(p->reader->arena, *at, len);
	*at = skip_spaces(*at + len);
	return word;
}

/* The faults of a value, as one sentence. */
static bool read_setting(
	struct judgment_parse *p, const struct parameter *parameter, const char *text, int64_t *out, const char **why)
{
	struct diag faults = {0};
	bool ok = lesson_read_value(parameter, text, p->pos, out, &faults);
	if (!ok)
		*why = p->why = arena_strdup(p->reader->arena, faults.entries[0].message);
	diag_free(&faults);
	return ok;
}

/* Which element of which argument. */
static bool read_index(
	struct judgment_parse *p, const char *name, const char *text, struct term *term, const char **why)
{
	bool argument = strcmp(name, "argument") == 0;
	char *end;
	int64_t index = strtoll(text, &end, 10);
	if (end == text || *end || index < 0 || index >= (argument ? LAUNCH_ARGS_MAX : ELEMENTS_MAX)) {
		refuse_term(p, why, argument ? "no number of an argument:" : "no number of an element:", text);
		return false;
	}
	*(argument ? &term->argument : &term->element) = index;
	return true;
}

static bool is_index(const struct term *term, const char *name)
{
	return term->kind == TERM_RESULT && (strcmp(name, "argument") == 0 || strcmp(name, "element") == 0);
}

/* "stride=2, version=tiled]" */
static bool read_settings(struct judgment_parse *p, const char **at, struct term *term, const char **why)
{
	const struct lesson *lesson = p->scope->lesson;
	do {
		++*at;
		const char *name = take_word(p, at);
		bool index = is_index(term, name);
		int parameter = index ? 0 : lesson_names_parameter(lesson, name);
		if (parameter < 0) {
			refuse_term(p, why, "unknown parameter", name);
			return false;
		}
		if (**at != '=') {
			*why = "expected '=' and a value";
			return false;
		}
		++*at;
		const char *value = take_word(p, at);
		if (!(index ? read_index(p, name, value, term, why)
			    : read_setting(p, &lesson->parameters[parameter], value, &term->set[parameter], why)))
			return false;
	} while (**at == ',');
	if (**at != ']')
		*why = "expected ',' or ']'";
	*at += **at == ']';
	return !*why;
}

/* "model", "recorded", "measured" or "roof" when a point follows. */
static bool read_witness(const char *name, size_t len, const char **at, enum term_witness *out)
{
	static const char *const witness[TERM_WITNESSES] = {[TERM_MODEL] = "model",
		[TERM_RECORDED] = "recorded",
		[TERM_MEASURED] = "measured",
		[TERM_ROOF] = "roof"};
	for (int i = 0; i < TERM_WITNESSES; i++)
		if (**at == '.' && strlen(witness[i]) == len && memcmp(name, witness[i], len) == 0) {
			*out = (enum term_witness)i;
			++*at;
			return true;
		}
	return false;
}

static int refuse_name(struct judgment_parse *p, const char **why, const char *name)
{
	if (p->scope->has_program)
		return refuse_term(p, why, "unknown parameter, or word for what a program asks for,", name);
	const char *nearest = lesson_names_nearest(p->scope->names->metric_at, name);
	refuse_term(p, why, "unknown metric or parameter", name);
	if (nearest)
		*why = p->why = arena_printf(p->reader->arena, "%s; is it %s?", *why, nearest);
	return -1;
}

static int read_term(void *ctx, const char *name, size_t len, const char **at, const char **why)
{
	struct judgment_parse *p = ctx;
	const struct judgment_scope *scope = p->scope;
	struct term term = {.witness = scope->from, .argument = -1, .element = -1};
	size_t n = (size_t)scope->lesson->n_parameters;
	if (p->n == LESSON_TERMS_MAX) {
		*why = "too many metrics in one expression";
		return -1;
	}
	bool named = read_witness(name, len, at, &term.witness);
	if (named) {
		name = *at;
		len = word_length(name);
		*at += len;
	}
	term.metric = arena_strndup(p->reader->arena, name, len);
	bool measured = term.witness == TERM_MEASURED;
	if (measured && len > NAME_MAX_BYTES)
		return refuse_name(p, why, term.metric);
	bool roof = term.witness == TERM_ROOF;
	if (roof && (len > NAME_MAX_BYTES || !scope->names->roof || !scope->names->roof(term.metric))) {
		const char *roof_name = term.metric;
		const char *nearest = p->scope->names->roof ? lesson_names_nearest(p->scope->names->roof_at, roof_name)
							    : NULL;
		refuse_term(p, why, "unknown roof", roof_name);
		if (nearest)
			*why = p->why = arena_printf(p->reader->arena, "%s; is it %s?", *why, nearest);
		return -1;
	}

	if (!roof && !measured) {
		/* The name, which is `len` bytes long; `named`: after that of a witness. */
		bool of_program = p->scope->of_program &&
			(strcmp(term.metric, LESSON_LAUNCHES) == 0 || strcmp(term.metric, LESSON_LEAKS) == 0 ||
				lesson_program_word(term.metric));
		bool known = p->scope->has_program ? lesson_program_word(term.metric)
						   : of_program || p->scope->names->metric(term.metric);

		/* Whether it is what only the machine has of a launch. The kind of a defect then has its blanks. */
		bool of_launch = p->scope->of_launch && !p->scope->has_program;
		const struct lesson_names *names = p->scope->names;
		char *defect = arena_strdup(p->reader->arena, term.metric);
		for (char *c = defect; *c; c++)
			*c = *c == '_' ? ' ' : *c;
		if (of_launch && strcmp(term.metric, LESSON_RESULT) == 0) {
			term.kind = TERM_RESULT;
		} else if (of_launch && !names->metric(term.metric) && names->defect && names->defect(defect)) {
			term.kind = TERM_DEFECT;
			term.metric = defect;
		}
		if (of_launch && term.kind != TERM_METRIC) {
			if (named)
				*why = "no witness has this but the machine: leave out 'model.' or 'recorded.'";
			else if (term.kind == TERM_DEFECT && !p->scope->detects)
				*why = "the detector looks for defects in a step with a 'defect'";
			term.witness = TERM_MODEL;
		} else if (len > NAME_MAX_BYTES || !known) {
			refuse_name(p, why, term.metric);
		}
		if (*why)
			return -1;
	}

	term.set = arena_array(p->reader->arena, int64_t, n + 1);
	if (n)
		memcpy(term.set, scope->set, n * sizeof *term.set);
	if (**at == '[' && scope->of_program)
		*why = "the launches of a program have no parameters";
	if (**at == '[' && measured)
		*why = "a number that was measured has no parameters";
	if (*why || (**at == '[' && !read_settings(p, at, &term, why)))
		return -1;
	if (term.kind == TERM_RESULT && (term.argument < 0 || term.element < 0)) {
		*why = "a result is of one element: result[argument=1, element=5]";
		return -1;
	}
	p->terms[p->n] = term;
	return p->n++;
}

bool lesson_program_word(const char *name)
{
	static const char *const words[] = {
#define WORD(name, of, meaning) name,
#include "course/lesson/program_words.def"
#undef WORD
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(words[i], name) == 0)
			return true;
	return false;
}

struct judgment_scope lesson_judgment_scope_of(const struct step_draft *e, const int64_t *set)
{
	return (struct judgment_scope){.lesson = e->lesson,
		.names = e->names,
		.set = set,
		.has_program = e->file && e->file->is_program && !e->of_program};
}

struct judgment_scope lesson_judgment_scope_of_launch(const struct step_draft *e, const int64_t *set)
{
	struct judgment_scope scope = lesson_judgment_scope_of(e, set);
	scope.of_launch = true;
	scope.detects = e->defect.text != NULL;
	return scope;
}

bool lesson_judgment_parse(
	struct reader *r, const struct lesson_scalar *scalar, const struct judgment_scope *scope, struct judgment *out)
{
	struct judgment_parse p = {.reader = r, .scope = scope, .pos = scalar->pos};
	const struct expr_names names = {
		.names = scope->lesson->words, .n = scope->lesson->n_words, .term = read_term, .ctx = &p};
	size_t n = (size_t)scope->lesson->n_parameters;
	struct diag faults = {0};

	*out = (struct judgment){.text = scalar->text, .n_terms = 0};
	out->expr = expr_parse_numbers(r->arena, NULL, scalar->text, &names, &faults);
	if (!out->expr)
		diag_error(r->diag, scalar->pos, "in '%s': %s", scalar->text, faults.entries[0].message);
	diag_free(&faults);
	out->n_terms = p.n;
	out->terms = arena_array(r->arena, struct term, (size_t)p.n + 1);
	memcpy(out->terms, p.terms, (size_t)p.n * sizeof *p.terms);
	out->set = arena_array(r->arena, int64_t, n + 1);
	if (n)
		memcpy(out->set, scope->set, n * sizeof *out->set);
	return out->expr;
}

bool lesson_judgment_read(
	struct reader *r, yaml_node_t *node, const char *what, const struct judgment_scope *scope, struct judgment *out)
{
	struct lesson_scalar scalar;
	return lesson_reader_text(r, node, what, LESSON_TEXT_MAX, &scalar) &&
		lesson_judgment_parse(r, &scalar, scope, out);
}

/* --- evaluation --------------------------------------------------------------------------------------------------- */

struct evaluation {
	const struct judgment *judgment;
	struct lesson_terms terms;
};

static bool term_number(void *ctx, int term, struct number *out, const char **why)
{
	struct evaluation *e = ctx;
	double value;
	*why = "no value";
	if (!e->terms.value || !e->terms.value(e->terms.ctx, &e->judgment->terms[term], &value, why))
		return false;
	*out = number_real(value);
	return true;
}

bool lesson_judge(const struct lesson *lesson, const struct judgment *judgment, struct lesson_terms terms, double *out,
	const char **why)
{
	struct number names[LESSON_WORDS_MAX], result;
	int64_t words[LESSON_WORDS_MAX];
	uint64_t work = WORK_MAX;
	struct evaluation e = {judgment, terms};
	const struct expr_values values = {.names = names, .term = term_number, .ctx = &e, .work = &work};

	lesson_names_word_values(lesson, judgment->set, words);
	for (int i = 0; i < lesson->n_words; i++)
		names[i] = number_whole(words[i]);
	if (!expr_number(judgment->expr, &values, &result, why))
		return false;
	*out = number_as_real(result);
	return true;
}

/* --- texts with numbers ------------------------------------------------------------------------------------------- */

#define OPEN "{="

bool lesson_phrase_read(
	struct reader *r, yaml_node_t *node, const char *what, const struct judgment_scope *scope, struct phrase *out)
{
	struct lesson_scalar scalar;
	if (!lesson_reader_text(r, node, what, LESSON_TEXT_MAX, &scalar))
		return false;

	const char *numbers_text = scalar.text;
	int n = 0;
	for (; (numbers_text = strstr(numbers_text, OPEN)); numbers_text += sizeof OPEN - 1)
		n++;

	const char *at = scalar.text;
	*out = (struct phrase){.texts = arena_array(r->arena, const char *, (size_t)n + 1),
		.values = arena_array(r->arena, struct judgment, (size_t)n + 1)};
	for (int i = 0; i < n; i++) {
		const char *open = strstr(at, OPEN), *close = strchr(open, '}');
		if (!close) {
			diag_error(r->diag, scalar.pos, "a '{=' without its '}' in %s", what);
			return false;
		}
		const char *first = skip_spaces(open + sizeof OPEN - 1);
		struct lesson_scalar number = {arena_strndup(r->arena, first, (size_t)(close - first)), scalar.pos};
		if (!lesson_judgment_parse(r, &number, scope, &out->values[i]))
			return false;
		out->texts[i] = arena_strndup(r->arena, at, (size_t)(open - at));
		out->n++;
		at = close + 1;
	}
	out->texts[n] = at;
	return true;
}
