#include "course/lesson/reader.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "course/lesson/lesson.h"

#define PAIRS_MAX 64 /* no mapping of the format has more keys than this */
#define KEY_MAX 64

struct diag_pos lesson_reader_pos(const struct reader *r, const yaml_node_t *node)
{
	if (!node)
		return source_pos_chars(r->source, (size_t)r->first_line, 0);
	return source_pos_chars(r->source, (size_t)r->first_line + node->start_mark.line, node->start_mark.column);
}

void lesson_reader_error(struct reader *r, const yaml_node_t *node, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	diag_verror(r->diag, lesson_reader_pos(r, node), format, args);
	va_end(args);
}

/* libyaml does not always say that it had no memory: then it names no error. */
static bool load_document(yaml_parser_t *parser, yaml_document_t *out)
{
	bool ok = yaml_parser_load(parser, out);
	if (parser->error == YAML_MEMORY_ERROR || (!ok && parser->error == YAML_NO_ERROR))
		base_out_of_memory();
	return ok;
}

bool lesson_reader_open(struct reader *r, const struct source *source, int first, int last)
{
	*r = (struct reader){.arena = r->arena, .diag = r->diag, .source = source, .first_line = first};
	size_t begin = first < source->n_lines ? source->line_starts[first] : source->len;
	size_t end = last < source->n_lines ? source->line_starts[last] : source->len;
	yaml_parser_t parser;

	if (end < begin)
		end = begin;

	/* libyaml takes time in the square of both. Brackets in texts count, too: those come in pairs. */
	int depth = 0;
	if (end - begin > LESSON_YAML_MAX) {
		diag_error(r->diag, source_pos(r->source, begin), "%zu bytes of YAML; the limit is %zu", end - begin,
			LESSON_YAML_MAX);
		return false;
	}
	for (size_t i = begin; i < end; i++) {
		char c = r->source->text[i];
		depth += c == '[' || c == '{';
		depth -= (c == ']' || c == '}') && depth > 0;
		if (depth > LESSON_YAML_DEPTH_MAX) {
			diag_error(
				r->diag, source_pos(r->source, i), "brackets more than %d deep", LESSON_YAML_DEPTH_MAX);
			return false;
		}
	}

	if (!yaml_parser_initialize(&parser))
		base_out_of_memory();
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&parser, (const unsigned char *)source->text + begin, end - begin);
	bool ok = load_document(&parser, &r->document);
	if (ok)
		r->root = yaml_document_get_root_node(&r->document);
	if (r->root) {
		yaml_document_t second;
		if (!load_document(&parser, &second)) {
			ok = false;
		} else {
			yaml_node_t *more = yaml_document_get_root_node(&second);
			if (more)
				lesson_reader_error(r, more, "a second YAML document; there must be one");
			yaml_document_delete(&second);
			ok = !more;
		}
	}
	if (parser.error != YAML_NO_ERROR) {
		const char *problem = parser.problem ? parser.problem : "not YAML";
		struct diag_pos pos = source_pos_chars(
			r->source, (size_t)r->first_line + parser.problem_mark.line, parser.problem_mark.column);

		if (parser.error == YAML_READER_ERROR)
			pos = source_pos(r->source, begin + parser.problem_offset);
		diag_error(r->diag, pos, "%s%s%s", problem, parser.context ? ", " : "",
			parser.context ? parser.context : "");
	}
	yaml_parser_delete(&parser);
	return ok;
}

/* Harmless when there is no document: libyaml leaves a zeroed one. */
void lesson_reader_close(struct reader *r)
{
	yaml_document_delete(&r->document);
	r->root = NULL;
}

bool lesson_reader_is_scalar(const yaml_node_t *node)
{
	return node && node->type == YAML_SCALAR_NODE;
}

bool lesson_reader_is_map(const yaml_node_t *node)
{
	return node && node->type == YAML_MAPPING_NODE;
}

int lesson_reader_pairs(struct reader *r, yaml_node_t *node, const char *what)
{
	if (!lesson_reader_is_map(node)) {
		lesson_reader_error(r, node, "%s must be a mapping, as in {name: value}", what);
		return -1;
	}
	ptrdiff_t n = node->data.mapping.pairs.top - node->data.mapping.pairs.start;
	if (n > PAIRS_MAX) {
		lesson_reader_error(r, node, "%s has %td keys; the limit is %d", what, n, PAIRS_MAX);
		return -1;
	}
	return (int)n;
}

bool lesson_reader_pair(struct reader *r, yaml_node_t *map, int index, struct lesson_scalar *key, yaml_node_t **value)
{
	yaml_node_pair_t *pair = &map->data.mapping.pairs.start[index];
	*value = yaml_document_get_node(&r->document, pair->value);
	return lesson_reader_text(r, yaml_document_get_node(&r->document, pair->key), "a key", KEY_MAX, key);
}

void lesson_reader_map(struct reader *r, yaml_node_t *node, const char *what, const struct reader_key *keys, void *into)
{
	uint64_t seen = 0;
	int n = node ? lesson_reader_pairs(r, node, what) : 0;
	if (n < 0)
		return;
	for (int i = 0; i < n; i++) {
		struct lesson_scalar name;
		yaml_node_t *value;
		if (!lesson_reader_pair(r, node, i, &name, &value))
			continue;
		const struct reader_key *key = keys;
		while (key->name && strcmp(key->name, name.text) != 0)
			key++;
		uint64_t bit = (uint64_t)1 << (key - keys);
		if (!key->name) {
			struct buf list = {0};
			for (const struct reader_key *k = keys; k->name; k++)
				buf_printf(&list, "%s%s", k == keys ? "" : ", ", k->name);
			diag_error(r->diag, name.pos, "unknown key '%s' in %s; it takes %s", name.text, what,
				buf_str(&list));
			buf_free(&list);
		} else if (seen & bit) {
			diag_error(r->diag, name.pos, "'%s' is here a second time in %s", name.text, what);
		} else {
			seen |= bit;
			void *member = (char *)into + key->offset;
			struct lesson_scalar scalar;
			if (key->read)
				key->read(r, value, into);
			else if (key->member == READER_MEMBER_NODE)
				*(yaml_node_t **)member = value;
			else if (key->member == READER_MEMBER_SCALAR)
				lesson_reader_text(r, value, key->name, key->max, member);
			else if (lesson_reader_text(r, value, key->name, key->max, &scalar))
				*(const char **)member = scalar.text;
		}
	}
	for (const struct reader_key *key = keys; key->name; key++)
		if (key->required && !(seen & (uint64_t)1 << (key - keys)))
			lesson_reader_error(r, node, "'%s' is missing in %s", key->name, what);
}

bool lesson_reader_text(struct reader *r, yaml_node_t *node, const char *what, size_t max, struct lesson_scalar *out)
{
	if (!lesson_reader_is_scalar(node)) {
		lesson_reader_error(r, node, "%s must be text", what);
		return false;
	}
	const char *text = (const char *)node->data.scalar.value;
	size_t len = node->data.scalar.length;

	/* Escapes in double quotes can name any character; a terminal must get none that moves its cursor. */
	bool control = false;
	for (size_t i = 0, used; i < len && !control; i += used) {
		uint32_t ch;
		used = utf8_decode(text + i, len - i, &ch);
		control = (ch < 0x20 && ch != '\n' && ch != '\t') || (ch >= 0x7F && ch < 0xA0);
	}
	if (control) {
		lesson_reader_error(r, node, "%s holds a control character", what);
		return false;
	}
	if (len > max) {
		lesson_reader_error(r, node, "%s is %zu bytes long; the limit is %zu", what, len, max);
		return false;
	}

	char *folded = arena_alloc(r->arena, len + 1), *p = folded;
	for (size_t i = 0; i < len; i++) {
		bool blank = text[i] == ' ' || text[i] == '\n' || text[i] == '\t';
		if (!blank)
			*p++ = text[i];
		else if (p > folded && p[-1] != ' ')
			*p++ = ' ';
	}
	if (p > folded && p[-1] == ' ')
		p--;
	*p = '\0';
	bool null = node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
		(!*text || !strcmp(text, "~") || !strcmp(text, "null"));
	if (null || !*folded) {
		lesson_reader_error(r, node, "%s is empty", what);
		return false;
	}
	*out = (struct lesson_scalar){folded, lesson_reader_pos(r, node)};
	return true;
}

bool lesson_reader_int(struct reader *r, yaml_node_t *node, struct lesson_range range, int64_t *out)
{
	const char *text = lesson_reader_is_scalar(node) ? (const char *)node->data.scalar.value : "";
	char *end;

	errno = 0;
	long long v = strtoll(text, &end, 10);
	bool number = end > text && !*end && !isspace((unsigned char)*text) &&
		node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && (size_t)(end - text) == node->data.scalar.length;
	if (!number || errno == ERANGE || v < range.least || v > range.most) {
		lesson_reader_error(r, node, "%s must be a whole number from %" PRId64 " to %" PRId64, range.what,
			range.least, range.most);
		return false;
	}
	*out = v;
	return true;
}

bool lesson_reader_fraction(struct reader *r, yaml_node_t *node, const char *what, double *out)
{
	const char *text = lesson_reader_is_scalar(node) ? (const char *)node->data.scalar.value : "";
	char *end;
	double v = strtod(text, &end);
	bool number = end > text && (isdigit((unsigned char)*text) || *text == '.' || *text == '-');
	const char *rest = end + strspn(end, " ");
	bool percent = number && *rest == '%';
	v = percent ? v / 100 : v;
	if (!number || rest[percent] || !(v >= 0 && v <= 1)) {
		lesson_reader_error(r, node, "%s must be a number from 0 to 1, or a percentage", what);
		return false;
	}
	*out = v;
	return true;
}

int lesson_reader_list(struct reader *r, yaml_node_t *node, const char *what, int max)
{
	if (!node || node->type != YAML_SEQUENCE_NODE) {
		lesson_reader_error(r, node, "%s must be a list, as in [a, b]", what);
		return -1;
	}
	ptrdiff_t n = node->data.sequence.items.top - node->data.sequence.items.start;
	if (n > max) {
		lesson_reader_error(r, node, "%s has %td items; the limit is %d", what, n, max);
		return -1;
	}
	return (int)n;
}

yaml_node_t *lesson_reader_item(struct reader *r, yaml_node_t *list, int index)
{
	return yaml_document_get_node(&r->document, list->data.sequence.items.start[index]);
}

bool lesson_reader_texts(struct reader *r, yaml_node_t *node, const char *what, int max, struct lesson_scalar_list *out)
{
	int n = lesson_reader_list(r, node, what, max);
	if (n < 0)
		return false;
	struct lesson_scalar_list list = {
		.items = arena_array(r->arena, struct lesson_scalar, (size_t)n), .n = n, .given = true};
	bool ok = true;
	for (int i = 0; i < n; i++) {
		char *item = arena_printf(r->arena, "item %d of %s", i + 1, what);
		ok = lesson_reader_text(r, lesson_reader_item(r, node, i), item, LESSON_TEXT_MAX, &list.items[i]) && ok;
	}
	if (ok)
		*out = list;
	return ok;
}

const char **lesson_scalar_texts(struct arena *arena, const struct lesson_scalar_list *list)
{
	const char **texts = arena_array(arena, const char *, (size_t)list->n);
	for (int i = 0; i < list->n; i++)
		texts[i] = list->items[i].text;
	return texts;
}

/* Far from overflow in any expression that multiplies a few of them. */
#define NUMBER_MAX ((int64_t)1 << 40)

int64_t *lesson_reader_numbers(struct reader *r, yaml_node_t *node, const char *what, int max, int *n)
{
	int count = lesson_reader_list(r, node, what, max);
	if (count < 0)
		return NULL;
	if (count == 0) {
		lesson_reader_error(r, node, "%s is empty", what);
		return NULL;
	}
	int64_t *numbers = arena_array(r->arena, int64_t, (size_t)count);
	for (int i = 0; i < count; i++) {
		const struct lesson_range any = {
			arena_printf(r->arena, "item %d of %s", i + 1, what), -NUMBER_MAX, NUMBER_MAX};
		if (!lesson_reader_int(r, lesson_reader_item(r, node, i), any, &numbers[i]))
			return NULL;
		if (i > 0 && numbers[i] <= numbers[i - 1]) {
			lesson_reader_error(r, lesson_reader_item(r, node, i), "%s must ascend", what);
			return NULL;
		}
	}
	*n = count;
	return numbers;
}

int64_t *lesson_reader_range(struct reader *r, yaml_node_t *node, const char *what, int max, int *n)
{
	static const struct lesson_range part[] = {
		{"the first of a range", -NUMBER_MAX, NUMBER_MAX},
		{"the last of a range", -NUMBER_MAX, NUMBER_MAX},
		{"the step of a range", 1, NUMBER_MAX},
	};
	int64_t given[3] = {0, 0, 1};
	int count = lesson_reader_list(r, node, what, 3);
	if (count < 0)
		return NULL;
	if (count < 2) {
		lesson_reader_error(r, node, "%s must be [first, last] or [first, last, step]", what);
		return NULL;
	}
	for (int i = 0; i < count; i++)
		if (!lesson_reader_int(r, lesson_reader_item(r, node, i), part[i], &given[i]))
			return NULL;
	if (given[1] < given[0]) {
		lesson_reader_error(r, node, "%s ends before it begins", what);
		return NULL;
	}
	int64_t values = (given[1] - given[0]) / given[2] + 1;
	if (values > max) {
		lesson_reader_error(r, node, "%s has %" PRId64 " values; the limit is %d", what, values, max);
		return NULL;
	}
	int64_t *numbers = arena_array(r->arena, int64_t, (size_t)values);
	for (int64_t i = 0; i < values; i++)
		numbers[i] = given[0] + i * given[2];
	*n = (int)values;
	return numbers;
}
