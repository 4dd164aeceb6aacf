#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/narrow.h"
#include "machine/launch/parser.h"

#define HALF_IOTA_MAX 65505 /* 0 to 65504, the largest finite f16 */

bool launch_fail(const struct parser *p, const char *at, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	diag_verror(p->diag, diag_pos_in(p->what, p->text, at), format, args);
	va_end(args);
	return false;
}

void launch_skip_blanks(struct parser *p)
{
	while (*p->at == ' ' || *p->at == '\t')
		p->at++;
}

bool launch_accept(struct parser *p, const char *word)
{
	size_t len = strlen(word);
	if (strncmp(p->at, word, len) != 0)
		return false;
	p->at += len;
	return true;
}

bool launch_value_ends(const struct parser *p)
{
	const char *at = p->at + (p->depth ? strspn(p->at, " \t") : 0);
	return *at == '\0' || (p->depth && (*at == ';' || *at == ')'));
}

bool launch_expect_end(const struct parser *p, const char *after)
{
	return launch_value_ends(p) || launch_fail(p, p->at, "unexpected after %s", after);
}

/* Digits of a decimal, 0x or 0b number, without a sign, up to the end of the word. */
bool launch_parse_magnitude(struct parser *p, uint64_t *out)
{
	const char *start = p->at;
	int base = launch_accept(p, "0x") || launch_accept(p, "0X") ? 16
		: launch_accept(p, "0b") || launch_accept(p, "0B")  ? 2
								    : 10;
	const char *digits = p->at;

	*out = 0;
	for (; isalnum((unsigned char)*p->at) || (*p->at == '.' && p->at[1] != '.'); p->at++) {
		int c = tolower((unsigned char)*p->at);
		int digit = isdigit(c) ? c - '0' : c == '.' ? base : c - 'a' + 10;
		if (digit >= base)
			return p->at == digits && base == 10 ? launch_fail(p, start, "expected a whole number")
							     : launch_fail(p, p->at, "not a digit of a whole number");
		if (*out > (UINT64_MAX - (uint64_t)digit) / (uint64_t)base)
			return launch_fail(p, start, "larger than any 64-bit number");
		*out = *out * (uint64_t)base + (uint64_t)digit;
	}
	return p->at != digits ||
		launch_fail(p, start,
			*start == '-' ? "expected a whole number that is not negative" : "expected a whole number");
}

static bool parse_number(struct parser *p, const struct type_info *type, void *out)
{
	if (type->kind == TYPE_FLOAT) {
		const char *start = p->at;
		char *end;

		/* The float nearest to the text is not always the float nearest to the double nearest to it. */
		double d = type->size == 4 ? (double)strtof(start, &end) : strtod(start, &end);
		if (end == start || isspace((unsigned char)*start))
			return launch_fail(p, start, "expected a number");
		p->at = end;
		if (type->size == 2)
			d = narrow_half_to_double(launch_half_from_double(d));
		bool written_infinite = tolower((unsigned char)start[*start == '-' || *start == '+']) == 'i';
		if (isinf(d) && !written_infinite)
			return launch_fail(p, start, "%.*s is larger than any %s; infinity is written inf",
				(int)(end - start), start, type->name);
		float f = (float)d;
		uint16_t half = launch_half_from_double(d);
		memcpy(out, type->size == 2 ? (void *)&half : type->size == 4 ? (void *)&f : (void *)&d, type->size);
		return true;
	}

	const char *start = p->at;
	bool negative = *p->at == '-';
	uint64_t magnitude, most_unsigned = UINT64_MAX >> (64 - 8 * type->size), most_signed = most_unsigned >> 1;
	uint64_t least = type->kind == TYPE_UNSIGNED ? 0 : most_signed + 1;
	uint64_t most = type->kind == TYPE_SIGNED ? most_signed : most_unsigned;

	if (*p->at == '-' || *p->at == '+')
		p->at++;
	if (!launch_parse_magnitude(p, &magnitude))
		return false;
	if (magnitude > (negative ? least : most))
		return launch_fail(p, start, "%.*s does not fit %s, which holds %s%" PRIu64 " to %" PRIu64,
			(int)(p->at - start), start, type->name, least ? "-" : "", least, most);
	uint64_t bits = negative ? 0 - magnitude : magnitude;
	memcpy(out, &bits, type->size);
	return true;
}

static bool parse_values(struct parser *p, const struct type_info *type, struct launch_arg *out)
{
	size_t count = 1;
	for (const char *c = p->at; *c && !(p->depth && (*c == ';' || *c == ')')); c++)
		count += *c == ',';
	if (count > LAUNCH_BUFFER_MAX / type->size)
		return launch_fail(p, p->at, "a buffer holds at most %zu bytes", LAUNCH_BUFFER_MAX);
	char *bytes = arena_alloc_array(p->arena, type->size, count);
	for (size_t i = 0; i < count; i++) {
		launch_skip_blanks(p);
		if (!parse_number(p, type, bytes + i * type->size))
			return false;
		launch_skip_blanks(p);
		if (i + 1 < count ? !launch_accept(p, ",") : !launch_value_ends(p))
			return launch_fail(
				p, p->at, i + 1 < count ? "expected ',' or the end" : "unexpected after the number");
	}
	out->fill = LAUNCH_VALUES;
	out->count = count;
	out->bytes = bytes;
	return true;
}

/* Which elements are uninitialized: `FIRST..LAST`, or one of them. */
static bool parse_unwritten(struct parser *p, struct launch_arg *out)
{
	const char *start = p->at;
	uint64_t first, last;
	if (!launch_parse_magnitude(p, &first))
		return false;
	last = first;
	const char *end = p->at;
	if (launch_accept(p, "..")) {
		end = p->at;
		if (!launch_parse_magnitude(p, &last))
			return false;
	}
	if (last >= out->count)
		return launch_fail(p, first >= out->count ? start : end, "the last element is %zu", out->count - 1);
	if (last < first)
		return launch_fail(p, end, "the range ends before it begins");
	out->unwritten = (size_t)first;
	out->n_unwritten = (size_t)(last - first) + 1;
	return launch_expect_end(p, "the range");
}

/* What may come after a fill: a part of the buffer that it does not reach. */
static bool parse_fill_end(struct parser *p, struct launch_arg *out, const char *after)
{
	return launch_accept(p, ",uninit@") ? parse_unwritten(p, out) : launch_expect_end(p, after);
}

/* LAUNCH_TYPES: none goes by this name. */
static enum launch_type find_type(const char *name, size_t len)
{
	int i = 0;
	while (i < LAUNCH_TYPES &&
		(strlen(launch_type_table[i].name) != len || memcmp(launch_type_table[i].name, name, len) != 0))
		i++;
	return (enum launch_type)i;
}

bool launch_parse_value(struct parser *p, struct launch_arg *out)
{
	bool pointer = launch_accept(p, "&");
	if (launch_accept(p, "("))
		return launch_parse_struct(p, out) && (out->buffer = pointer, true);
	if (pointer)
		return launch_fail(p, p->at, "& is followed by a struct: &(u32:7; f32[64])");
	if (launch_accept(p, "fn:"))
		return launch_parse_function(p, out);

	/* Whether a name comes next, and no type. */
	size_t name_len = launch_name_length(p->at);
	char after = p->at[name_len] ? p->at[name_len] : ' ';
	if (name_len && !strchr(":[", after) && find_type(p->at, name_len) == LAUNCH_TYPES)
		return launch_parse_reference(p, out);

	const char *start = p->at;
	while (isalnum((unsigned char)*p->at))
		p->at++;
	size_t len = (size_t)(p->at - start);
	out->type = find_type(start, len);
	if (out->type >= LAUNCH_TYPES) {
		struct buf names = {0};
		for (int i = 0; i < LAUNCH_TYPES; i++)
			buf_printf(&names, " %s", launch_type_table[i].name);
		if (len)
			launch_fail(p, start, "unknown type '%.*s'; types are%s", (int)len, start, buf_str(&names));
		else
			launch_fail(p, start, "expected a type; types are%s", buf_str(&names));
		buf_free(&names);
		return false;
	}

	const struct type_info *type = &launch_type_table[out->type];
	out->align = (uint32_t)type->size;
	if (launch_accept(p, "[")) {
		out->buffer = true;
		if (!launch_accept(p, "]")) {
			const char *length = p->at;
			uint64_t count;
			if (!launch_parse_magnitude(p, &count))
				return false;
			if (count == 0)
				return launch_fail(p, length, "a buffer holds at least one element");
			if (count > LAUNCH_BUFFER_MAX / type->size)
				return launch_fail(p, length,
					"%" PRIu64
					" elements are too many: a buffer holds at most %zu bytes, %zu of %s",
					count, LAUNCH_BUFFER_MAX, LAUNCH_BUFFER_MAX / type->size, type->name);
			out->count = (size_t)count;
			if (!launch_accept(p, "]"))
				return launch_fail(p, p->at, "expected ']' after the length");

			/* What follows `TYPE[N]`. */
			out->fill = LAUNCH_ZERO;
			if (launch_value_ends(p))
				return true;
			if (!launch_accept(p, ":"))
				return launch_fail(p, p->at, "expected ':' or the end after the length");
			const char *fill = p->at;
			if (launch_accept(p, "=")) {
				/* One value, for every element. */
				char *bytes = arena_alloc(p->arena, type->size);
				out->fill = LAUNCH_SAME;
				out->bytes = bytes;
				return parse_number(p, type, bytes) && parse_fill_end(p, out, "the value");
			}
			if (launch_accept(p, "iota")) {
				out->fill = LAUNCH_IOTA;
				if (type->kind == TYPE_FLOAT && type->size == 2 && out->count > HALF_IOTA_MAX)
					return launch_fail(p, fill, "iota in f16 ends at 65504: at most %d elements",
						HALF_IOTA_MAX);
				return parse_fill_end(p, out, "iota");
			}
			if (launch_accept(p, "uninit@"))
				return parse_unwritten(p, out);
			if (launch_accept(p, "uninit")) {
				out->n_unwritten = out->count;
				return launch_expect_end(p, "uninit");
			}
			if (launch_accept(p, "random")) {
				out->fill = LAUNCH_RANDOM;
				if (!launch_accept(p, "@"))
					return launch_fail(p, p->at, "expected '@' and a seed after random");
				return launch_parse_magnitude(p, &out->seed) && parse_fill_end(p, out, "the seed");
			}
			return launch_fail(p, fill,
				"a buffer with a length takes =VALUE, iota, random@SEED, uninit or nothing (zeros); values go with %s[]:",
				type->name);
		}
		if (!launch_accept(p, ":"))
			return launch_fail(p, p->at, "a buffer without a length needs values: %s[]:1,2,3 or %s[]:@FILE",
				type->name, type->name);
		if (launch_accept(p, "@")) {
			const char *at = p->at;
			const char *path = arena_strndup(p->arena, at, p->depth ? strcspn(at, ";)") : strlen(at));
			if (!p->what)
				return launch_fail(p, at - 1, "a file cannot be named here");
			if (!*path)
				return launch_fail(p, at, "expected the name of a file");
			p->at += strlen(path);
			struct buf data = {0};
			bool ok = file_read(path, LAUNCH_BUFFER_MAX, &data, p->diag);
			if (ok && data.len == 0)
				ok = launch_fail(p, at, "%s is empty; a buffer holds at least one element", path);
			if (ok && data.len % type->size)
				ok = launch_fail(p, at,
					"%s has %zu bytes, which is not a multiple of the %zu bytes of a %s", path,
					data.len, type->size, type->name);
			if (ok) {
				out->fill = LAUNCH_VALUES;
				out->count = data.len / type->size;
				out->bytes = memcpy(arena_alloc(p->arena, data.len), data.data, data.len);
			}
			buf_free(&data);
			return ok;
		}
		return parse_values(p, type, out);
	}
	if (launch_accept(p, ":")) {
		/* A number, or in a struct several of them: an array. */
		const char *value = p->at;
		if (!parse_values(p, type, out))
			return false;
		return out->count == 1 || p->depth ||
			launch_fail(p, value, "a scalar has one value; a buffer is written %s[]:", type->name);
	}
	return launch_fail(p, p->at, "expected ':' and a value, or '[' and a length");
}

/* `NAME=` before a buffer. */
bool launch_parse_name(struct parser *p, const char **name)
{
	size_t len = launch_name_length(p->at);
	*name = NULL;
	if (!len || p->at[len] != '=')
		return true;
	if (find_type(p->at, len) < LAUNCH_TYPES)
		return launch_fail(p, p->at, "%.*s is a type, and cannot be a buffer's name", (int)len, p->at);
	*name = arena_strndup(p->arena, p->at, len);
	p->at += len + 1;
	return true;
}

/* All but the name, from p->at to the end of the text. */
static bool parse_whole(struct parser *p, struct launch_arg *out)
{
	bool ok = launch_parse_value(p, out) && launch_expect_end(p, "the argument");
	out->n_pointers = p->n_pointers;
	out->pointers = arena_array(p->arena, struct launch_pointer, (size_t)p->n_pointers + 1);
	if (p->n_pointers)
		memcpy(out->pointers, p->pointers, (size_t)p->n_pointers * sizeof *p->pointers);
	free(p->pointers);
	return ok;
}

bool launch_arg_parse(
	struct arena *arena, const char *what, const char *text, struct launch_arg *out, struct diag *diag)
{
	struct parser p = {.arena = arena, .what = what, .text = text, .at = text, .diag = diag};
	const char *name;

	*out = (struct launch_arg){.text = arena_strdup(arena, text)};
	if (launch_tensor_begins(text))
		return launch_tensor_parse(arena, what, text, out, diag);
	if (launch_texture_begins(text))
		return launch_texture_parse(arena, what, text, out, diag);
	launch_skip_blanks(&p);
	if (!launch_parse_name(&p, &name) || !parse_whole(&p, out))
		return false;
	out->name = name;
	return !name || out->buffer || launch_fail(&p, text, "only a buffer can be given a name");
}

bool launch_set_parse(
	struct arena *arena, const char *what, const char *text, struct launch_set *out, struct diag *diag)
{
	const char *equal = text;
	/* "a<b>::c" has no '=' before the one that counts, but ":=" may come after it */
	while (*equal && *equal != '=')
		equal++;
	struct parser p = {.arena = arena, .what = what, .text = text, .at = equal + 1, .diag = diag};
	*out = (struct launch_set){.variable = arena_strndup(arena, text, (size_t)(equal - text)),
		.value = {.text = arena_strdup(arena, text)}};
	if (equal == text || !*equal)
		return launch_fail(&p, equal, "expected NAME=ARG, a variable and what it holds: coef=f32[]:1,2,3");
	if (!parse_whole(&p, &out->value))
		return false;
	return !out->value.n_unwritten || launch_fail(&p, equal + 1, "variables are never uninitialized");
}

bool launch_is_for_machine(const struct launch *launch)
{
	for (int i = 0; i < launch->n_args; i++)
		if (launch->args[i].n_pointers)
			return true;
	return launch->n_sets || launch->before || launch->kept;
}

bool launch_dim_parse(const char *what, const char *text, uint32_t out[3], struct diag *diag)
{
	static const uint32_t most[3] = {0x7FFFFFFF, 65535, 65535};
	struct parser p = {.what = what, .text = text, .at = text, .diag = diag};

	out[0] = out[1] = out[2] = 1;
	for (int i = 0; i < 3; i++) {
		launch_skip_blanks(&p);
		const char *start = p.at;
		uint64_t size;
		if (!launch_parse_magnitude(&p, &size))
			return false;
		if (size == 0 || size > most[i])
			return launch_fail(&p, start, "%c must be 1 to %" PRIu32, "xyz"[i], most[i]);
		out[i] = (uint32_t)size;
		launch_skip_blanks(&p);
		if (!*p.at)
			return true;
		if (i < 2 && !launch_accept(&p, ","))
			return launch_fail(&p, p.at, "expected ',' or the end");
	}
	return launch_fail(&p, p.at, "at most three sizes: X,Y,Z");
}
