#include "course/lesson/private.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int lesson_names_parameter(const struct lesson *lesson, const char *name)
{
	for (int i = 0; i < lesson->n_parameters; i++)
		if (strcmp(lesson->parameters[i].name, name) == 0)
			return i;
	return -1;
}

int lesson_names_find_parameter(const struct lesson *lesson, const struct lesson_scalar *name, struct diag *diag)
{
	int found = lesson_names_parameter(lesson, name->text);
	if (found >= 0)
		return found;
	struct buf list = {0};
	for (int i = 0; i < lesson->n_parameters; i++)
		buf_printf(&list, "%s%s", i ? ", " : "; there is ", lesson->parameters[i].name);
	diag_error(diag, name->pos, "unknown parameter '%s'%s", name->text,
		lesson->n_parameters ? buf_str(&list) : "; the front matter has none");
	buf_free(&list);
	return -1;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

#define LISTED_MAX 12

void lesson_write_value(const struct parameter *parameter, int64_t value, struct buf *out)
{
	if (parameter->names && value >= 0 && value < parameter->n_values)
		buf_puts(out, parameter->names[value]);
	else
		buf_printf(out, "%" PRId64, value);
}

/* "words", "KiB" and "us" are units, too, but "words" alone is a plural. */
static bool is_plural(const char *unit)
{
	size_t letters = strspn(unit, "abcdefghijklmnopqrstuvwxyz");
	return letters > 2 && !unit[letters] && unit[letters - 1] == 's' && unit[letters - 2] != 's';
}

void lesson_write_value_with_unit(const struct parameter *parameter, int64_t value, struct buf *out)
{
	const char *unit = parameter->unit;
	bool one = !parameter->names && value == 1 && is_plural(unit);
	lesson_write_value(parameter, value, out);
	if (*unit)
		buf_printf(out, " %.*s", (int)strlen(unit) - one, unit);
}

/* "0 to 33", "1, 2, 4, 8" or "naive, tiled". */
static void list_values(const struct parameter *p, struct buf *out)
{
	int64_t last = p->values[p->n_values - 1];
	if (!p->names && p->n_values > 2 && last - p->values[0] == p->n_values - 1) {
		buf_printf(out, "%" PRId64 " to %" PRId64, p->values[0], last);
		return;
	}
	for (int i = 0; i < p->n_values; i++) {
		if (i == LISTED_MAX && p->n_values > LISTED_MAX + 1) {
			buf_printf(out, ", ... %" PRId64, last);
			return;
		}
		buf_puts(out, i ? ", " : "");
		lesson_write_value(p, p->values[i], out);
	}
}

bool lesson_check_value(const struct parameter *parameter, int64_t value, struct diag_pos pos, struct diag *diag)
{
	for (int i = 0; i < parameter->n_values; i++)
		if (parameter->values[i] == value)
			return true;
	struct buf list = {0};
	list_values(parameter, &list);
	diag_error(diag, pos, "%s cannot be %" PRId64 "; it takes %s", parameter->name, value, buf_str(&list));
	buf_free(&list);
	return false;
}

bool lesson_read_value(
	const struct parameter *parameter, const char *text, struct diag_pos pos, int64_t *out, struct diag *diag)
{
	char *end;
	errno = 0;
	long long value = strtoll(text, &end, 10);
	for (int i = 0; parameter->names && i < parameter->n_values; i++)
		if (strcmp(parameter->names[i], text) == 0) {
			*out = i;
			return true;
		}
	if (end > text && !*end && !errno && !parameter->names) {
		*out = value;
		return lesson_check_value(parameter, value, pos, diag);
	}
	struct buf list = {0};
	list_values(parameter, &list);
	diag_error(diag, pos, "%s cannot be '%s'; it takes %s", parameter->name, text, buf_str(&list));
	buf_free(&list);
	return false;
}

bool lesson_names_read_value(
	struct reader *r, yaml_node_t *node, const struct parameter *parameter, const char *what, int64_t *out)
{
	const struct lesson_range range = {what, parameter->values[0], parameter->values[parameter->n_values - 1]};
	struct lesson_scalar scalar;
	if (parameter->names)
		return lesson_reader_text(r, node, what, LESSON_TITLE_MAX, &scalar) &&
			lesson_read_value(parameter, scalar.text, scalar.pos, out, r->diag);
	return lesson_reader_int(r, node, range, out) &&
		lesson_check_value(parameter, *out, lesson_reader_pos(r, node), r->diag);
}

void lesson_names_read_settings(struct reader *r, yaml_node_t *node, const struct lesson *lesson, int64_t *values)
{
	int n = lesson_reader_pairs(r, node, "set");
	for (int i = 0; i < n; i++) {
		struct lesson_scalar key;
		yaml_node_t *value;
		int64_t number;
		if (!lesson_reader_pair(r, node, i, &key, &value))
			continue;
		int p = lesson_names_find_parameter(lesson, &key, r->diag);
		if (p >= 0 && lesson_names_read_value(r, value, &lesson->parameters[p], key.text, &number))
			values[p] = number;
	}
}

/* --- words of expressions ----------------------------------------------------------------------------------------- */

static bool add_word(struct lesson *lesson, const char *name, int64_t value)
{
	for (int i = 0; i < lesson->n_words; i++)
		if (strcmp(lesson->words[i], name) == 0)
			return i >= lesson->n_parameters && lesson->word_values[i] == value;
	lesson->words[lesson->n_words] = name;
	lesson->word_values[lesson->n_words++] = value;
	return true;
}

void lesson_names_settle_words(struct arena *arena, struct lesson *lesson, const struct lesson_names *names,
	struct diag_pos pos, struct diag *diag)
{
	lesson->words = arena_array(arena, const char *, LESSON_WORDS_MAX);
	lesson->word_values = arena_array(arena, int64_t, LESSON_WORDS_MAX);
	for (int i = 0; i < lesson->n_parameters; i++)
		lesson->words[lesson->n_words++] = lesson->parameters[i].name;
	for (int i = 0; i < lesson->n_parameters; i++) {
		const struct parameter *p = &lesson->parameters[i];
		for (int v = 0; p->names && v < p->n_values; v++)
			if (!add_word(lesson, p->names[v], v))
				diag_error(diag, pos, "'%s', a value of %s, has another meaning besides", p->names[v],
					p->name);
	}
	for (int i = 0; i < lesson->n_parameters; i++) {
		const char *word = lesson->parameters[i].name;
		for (int j = 0; names->metric_at && names->metric_at(j); j++)
			if (strcmp(names->metric_at(j), word) == 0)
				diag_error(diag, pos, "'%s' is a metric; a parameter must be called otherwise", word);
		if (strcmp(word, "i") == 0)
			diag_error(diag, pos, "'i' is the element in results; a parameter must be called otherwise");
	}
}

void lesson_names_word_values(const struct lesson *lesson, const int64_t *values, int64_t *out)
{
	for (int i = 0; i < lesson->n_words; i++)
		out[i] = i < lesson->n_parameters ? values[i] : lesson->word_values[i];
}

/* --- names of things defined elsewhere ---------------------------------------------------------------------------- */

#define NAMES_LISTED 24 /* more are not listed in a message */
#define WORD_MAX 64     /* longer words resemble nothing */

/* Edit distance: letters to change, drop or insert to turn a into b. */
static int differing(const char *a, const char *b)
{
	int row[WORD_MAX + 1], n = (int)strlen(b);
	for (int k = 0; k <= n; k++)
		row[k] = k;
	for (int i = 1; *a; i++, a++) {
		int diagonal = row[0];
		row[0] = i;
		for (int k = 1; k <= n; k++) {
			int changed = diagonal + (*a != b[k - 1]),
			    other = (row[k] < row[k - 1] ? row[k] : row[k - 1]) + 1;
			diagonal = row[k];
			row[k] = changed < other ? changed : other;
		}
	}
	return row[n];
}

const char *lesson_names_nearest(const char *(*list_at)(int), const char *word)
{
	const char *nearest = NULL;
	int least = (int)strlen(word) / 3 + 1; /* more edits make it another word */
	for (int i = 0; list_at && strlen(word) <= WORD_MAX && list_at(i); i++) {
		int letters = strlen(list_at(i)) <= WORD_MAX ? differing(word, list_at(i)) : least;
		if (letters < least) {
			least = letters;
			nearest = list_at(i);
		}
	}
	return nearest;
}

static bool check_name(
	bool known, const char *(*list_at)(int), const char *kind, const struct lesson_scalar *name, struct diag *diag)
{
	if (known)
		return true;
	int n = 0;
	struct buf list = {0};
	const char *nearest = lesson_names_nearest(list_at, name->text);
	for (; list_at && list_at(n); n++)
		buf_printf(&list, "%s%s", n ? ", " : "; there is ", list_at(n));
	if (n <= NAMES_LISTED)
		diag_error(diag, name->pos, "unknown %s '%s'%s", kind, name->text, buf_str(&list));
	else if (nearest)
		diag_error(diag, name->pos, "unknown %s '%s'; is it %s?", kind, name->text, nearest);
	else
		diag_error(diag, name->pos, "unknown %s '%s'; `simttutor %ss` lists them", kind, name->text, kind);
	buf_free(&list);
	return false;
}

bool lesson_names_check_metric(const struct lesson_names *names, const struct lesson_scalar *name, struct diag *diag)
{
	return check_name(names->metric(name->text), names->metric_at, "metric", name, diag);
}

bool lesson_names_check_view(const struct lesson_names *names, const struct lesson_scalar *name, struct diag *diag)
{
	return check_name(names->view(name->text), names->view_at, "view", name, diag);
}

bool lesson_names_check_defect(const struct lesson_names *names, const struct lesson_scalar *name, struct diag *diag)
{
	return check_name(names->defect && names->defect(name->text), names->defect_at, "defect", name, diag);
}
