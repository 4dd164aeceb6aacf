#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/narrow.h"
#include "launch/launch.h"
#include "launch/texture.h"
#include "launch/types.h"

#define HALF_IOTA_MAX 65505 /* 0 to 65504, the largest finite f16 */

struct parser {
	struct arena *arena;
	const char *what, *text, *at;
	struct diag *diag;
};

static bool fail_argument(const struct parser *p, const char *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static bool fail_argument(const struct parser *p, const char *at, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	diag_verror(p->diag, diag_pos_in(p->what, p->text, at), format, args);
	va_end(args);
	return false;
}

static void skip_blanks(struct parser *p)
{
	while (*p->at == ' ' || *p->at == '\t')
		p->at++;
}

/* True, and past it, when `word` comes next. */
static bool accept(struct parser *p, const char *word)
{
	size_t len = strlen(word);
	if (strncmp(p->at, word, len) != 0)
		return false;
	p->at += len;
	return true;
}

static bool at_end(const struct parser *p, const char *expected)
{
	return *p->at == '\0' || fail_argument(p, p->at, "unexpected after %s", expected);
}

/* Digits of a decimal, 0x or 0b number, without a sign, up to the end of the word. */
static bool parse_magnitude(struct parser *p, uint64_t *out)
{
	const char *start = p->at;
	int base = accept(p, "0x") || accept(p, "0X") ? 16 : accept(p, "0b") || accept(p, "0B") ? 2 : 10;
	const char *digits = p->at;

	*out = 0;
	for (; isalnum((unsigned char)*p->at) || (*p->at == '.' && p->at[1] != '.'); p->at++) {
		int c = tolower((unsigned char)*p->at);
		int digit = isdigit(c) ? c - '0' : c == '.' ? base : c - 'a' + 10;
		if (digit >= base)
			return p->at == digits && base == 10 ? fail_argument(p, start, "expected a whole number")
							     : fail_argument(p, p->at, "not a digit of a whole number");
		if (*out > (UINT64_MAX - (uint64_t)digit) / (uint64_t)base)
			return fail_argument(p, start, "larger than any 64-bit number");
		*out = *out * (uint64_t)base + (uint64_t)digit;
	}
	return p->at != digits ||
		fail_argument(p, start,
			*start == '-' ? "expected a whole number that is not negative" : "expected a whole number");
}

static bool parse_integer(struct parser *p, const struct type_info *type, void *out)
{
	const char *start = p->at;
	bool negative = *p->at == '-';
	uint64_t magnitude, most_unsigned = UINT64_MAX >> (64 - 8 * type->size), most_signed = most_unsigned >> 1;
	uint64_t least = type->kind == TYPE_UNSIGNED ? 0 : most_signed + 1;
	uint64_t most = type->kind == TYPE_SIGNED ? most_signed : most_unsigned;

	if (*p->at == '-' || *p->at == '+')
		p->at++;
	if (!parse_magnitude(p, &magnitude))
		return false;
	if (magnitude > (negative ? least : most))
		return fail_argument(p, start, "%.*s does not fit %s, which holds %s%" PRIu64 " to %" PRIu64,
			(int)(p->at - start), start, type->name, least ? "-" : "", least, most);
	uint64_t bits = negative ? 0 - magnitude : magnitude;
	memcpy(out, &bits, type->size);
	return true;
}

static bool parse_float(struct parser *p, const struct type_info *type, void *out)
{
	const char *start = p->at;
	char *end;

	/* The float nearest to the text is not always the float nearest to the double nearest to it. */
	double d = type->size == 4 ? (double)strtof(start, &end) : strtod(start, &end);
	if (end == start || isspace((unsigned char)*start))
		return fail_argument(p, start, "expected a number");
	p->at = end;
	if (type->size == 2)
		d = narrow_half_to_double(launch_half_from_double(d));
	bool written_infinite = tolower((unsigned char)start[*start == '-' || *start == '+']) == 'i';
	if (isinf(d) && !written_infinite)
		return fail_argument(p, start, "%.*s is larger than any %s; infinity is written inf",
			(int)(end - start), start, type->name);
	float f = (float)d;
	uint16_t half = launch_half_from_double(d);
	memcpy(out, type->size == 2 ? (void *)&half : type->size == 4 ? (void *)&f : (void *)&d, type->size);
	return true;
}

static bool parse_number(struct parser *p, const struct type_info *type, void *out)
{
	return type->kind == TYPE_FLOAT ? parse_float(p, type, out) : parse_integer(p, type, out);
}

static bool parse_values(struct parser *p, const struct type_info *type, struct launch_arg *out)
{
	size_t count = 1;
	for (const char *c = p->at; *c; c++)
		count += *c == ',';
	if (count > LAUNCH_BUFFER_MAX / type->size)
		return fail_argument(p, p->at, "a buffer holds at most %zu bytes", LAUNCH_BUFFER_MAX);
	char *bytes = arena_alloc_array(p->arena, type->size, count);
	for (size_t i = 0; i < count; i++) {
		skip_blanks(p);
		if (!parse_number(p, type, bytes + i * type->size))
			return false;
		skip_blanks(p);
		if (i + 1 < count ? !accept(p, ",") : *p->at != '\0')
			return fail_argument(
				p, p->at, i + 1 < count ? "expected ',' or the end" : "unexpected after the number");
	}
	out->fill = LAUNCH_VALUES;
	out->count = count;
	out->bytes = bytes;
	return true;
}

static bool parse_file(struct parser *p, const struct type_info *type, struct launch_arg *out)
{
	const char *path = p->at;
	if (!p->what)
		return fail_argument(p, path - 1, "a file cannot be named here");
	if (!*path)
		return fail_argument(p, path, "expected the name of a file");
	struct buf data = {0};
	bool ok = file_read(path, LAUNCH_BUFFER_MAX, &data, p->diag);
	if (ok && data.len == 0)
		ok = fail_argument(p, path, "%s is empty; a buffer holds at least one element", path);
	if (ok && data.len % type->size)
		ok = fail_argument(p, path, "%s has %zu bytes, which is not a multiple of the %zu bytes of a %s", path,
			data.len, type->size, type->name);
	if (ok) {
		out->fill = LAUNCH_VALUES;
		out->count = data.len / type->size;
		out->bytes = memcpy(arena_alloc(p->arena, data.len), data.data, data.len);
	}
	buf_free(&data);
	return ok;
}

static bool parse_count(struct parser *p, const struct type_info *type, size_t *out)
{
	const char *start = p->at;
	uint64_t count;
	if (!parse_magnitude(p, &count))
		return false;
	if (count == 0)
		return fail_argument(p, start, "a buffer holds at least one element");
	if (count > LAUNCH_BUFFER_MAX / type->size)
		return fail_argument(p, start,
			"%" PRIu64 " elements are too many: a buffer holds at most %zu bytes, %zu of %s", count,
			LAUNCH_BUFFER_MAX, LAUNCH_BUFFER_MAX / type->size, type->name);
	*out = (size_t)count;
	return true;
}

/* Which elements nobody wrote: `FIRST..LAST`, or one of them. */
static bool parse_unwritten(struct parser *p, struct launch_arg *out)
{
	const char *start = p->at;
	uint64_t first, last;
	if (!parse_magnitude(p, &first))
		return false;
	last = first;
	const char *end = p->at;
	if (accept(p, "..")) {
		end = p->at;
		if (!parse_magnitude(p, &last))
			return false;
	}
	if (last >= out->count)
		return fail_argument(p, first >= out->count ? start : end, "the last element is %zu", out->count - 1);
	if (last < first)
		return fail_argument(p, end, "the range ends before it begins");
	out->unwritten = (size_t)first;
	out->n_unwritten = (size_t)(last - first) + 1;
	return at_end(p, "the range");
}

/* What may come after a fill: a part of the buffer that it does not reach. */
static bool parse_fill_end(struct parser *p, struct launch_arg *out, const char *after)
{
	return accept(p, ",uninit@") ? parse_unwritten(p, out) : at_end(p, after);
}

/* What follows `TYPE[N]`. */
static bool parse_fill(struct parser *p, const struct type_info *type, struct launch_arg *out)
{
	out->fill = LAUNCH_ZERO;
	if (!*p->at)
		return true;
	if (!accept(p, ":"))
		return fail_argument(p, p->at, "expected ':' or the end after the length");
	const char *start = p->at;
	if (accept(p, "iota")) {
		out->fill = LAUNCH_IOTA;
		if (type->kind == TYPE_FLOAT && type->size == 2 && out->count > HALF_IOTA_MAX)
			return fail_argument(p, start, "iota in f16 ends at 65504: at most %d elements", HALF_IOTA_MAX);
		return parse_fill_end(p, out, "iota");
	}
	if (accept(p, "uninit@"))
		return parse_unwritten(p, out);
	if (accept(p, "uninit")) {
		out->n_unwritten = out->count;
		return at_end(p, "uninit");
	}
	if (accept(p, "random")) {
		out->fill = LAUNCH_RANDOM;
		if (!accept(p, "@"))
			return fail_argument(p, p->at, "expected '@' and a seed after random");
		return parse_magnitude(p, &out->seed) && parse_fill_end(p, out, "the seed");
	}
	return fail_argument(p, start,
		"a buffer with a length takes iota, random@SEED, uninit or nothing (zeros); values go with %s[]:",
		type->name);
}

static bool parse_buffer(struct parser *p, const struct type_info *type, struct launch_arg *out)
{
	out->buffer = true;
	if (!accept(p, "]"))
		return parse_count(p, type, &out->count) &&
			(accept(p, "]") || fail_argument(p, p->at, "expected ']' after the length")) &&
			parse_fill(p, type, out);
	if (!accept(p, ":"))
		return fail_argument(p, p->at, "a buffer without a length needs values: %s[]:1,2,3 or %s[]:@FILE",
			type->name, type->name);
	return accept(p, "@") ? parse_file(p, type, out) : parse_values(p, type, out);
}

static bool parse_type(struct parser *p, enum launch_type *out)
{
	const char *start = p->at;
	while (isalnum((unsigned char)*p->at))
		p->at++;
	size_t len = (size_t)(p->at - start);
	for (int i = 0; i < LAUNCH_TYPES; i++)
		if (strlen(launch_type_table[i].name) == len && memcmp(launch_type_table[i].name, start, len) == 0)
			return *out = (enum launch_type)i, true;
	struct buf names = {0};
	for (int i = 0; i < LAUNCH_TYPES; i++)
		buf_printf(&names, " %s", launch_type_table[i].name);
	if (len)
		fail_argument(p, start, "unknown type '%.*s'; types are%s", (int)len, start, buf_str(&names));
	else
		fail_argument(p, start, "expected a type; types are%s", buf_str(&names));
	buf_free(&names);
	return false;
}

bool launch_arg_parse(
	struct arena *arena, const char *what, const char *text, struct launch_arg *out, struct diag *diag)
{
	struct parser p = {.arena = arena, .what = what, .text = text, .at = text, .diag = diag};

	*out = (struct launch_arg){.text = arena_strdup(arena, text)};
	if (launch_texture_begins(text))
		return launch_texture_parse(arena, what, text, out, diag);
	skip_blanks(&p);
	if (!parse_type(&p, &out->type))
		return false;
	const struct type_info *type = &launch_type_table[out->type];
	if (accept(&p, "["))
		return parse_buffer(&p, type, out);
	if (!accept(&p, ":"))
		return fail_argument(&p, p.at, "expected ':' and a value, or '[' and a length");
	const char *value = p.at;
	if (!parse_values(&p, type, out))
		return false;
	return out->count == 1 ||
		fail_argument(&p, value, "a scalar has one value; a buffer is written %s[]:", type->name);
}

bool launch_dim_parse(const char *what, const char *text, uint32_t out[3], struct diag *diag)
{
	static const uint32_t most[3] = {0x7FFFFFFF, 65535, 65535};
	struct parser p = {.what = what, .text = text, .at = text, .diag = diag};

	out[0] = out[1] = out[2] = 1;
	for (int i = 0; i < 3; i++) {
		skip_blanks(&p);
		const char *start = p.at;
		uint64_t size;
		if (!parse_magnitude(&p, &size))
			return false;
		if (size == 0 || size > most[i])
			return fail_argument(&p, start, "%c must be 1 to %" PRIu32, "xyz"[i], most[i]);
		out[i] = (uint32_t)size;
		skip_blanks(&p);
		if (!*p.at)
			return true;
		if (i < 2 && !accept(&p, ","))
			return fail_argument(&p, p.at, "expected ',' or the end");
	}
	return fail_argument(&p, p.at, "at most three sizes: X,Y,Z");
}
