#include "machine/launch/parser.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define STRIDE_GRANULE 16u
#define STRIDE_MAX ((uint64_t)1 << 40)

struct tensor_reader {
	struct arena *arena;
	const char *what, *text, *at;
	struct diag *diag;
	struct warp_tensor *map;
};

static bool fail_tensor(const struct tensor_reader *r, const char *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static bool fail_tensor(const struct tensor_reader *r, const char *at, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	diag_verror(r->diag, diag_pos_in(r->what, r->text, at), format, args);
	va_end(args);
	return false;
}

bool launch_tensor_begins(const char *text)
{
	return !strncmp(text, "tensormap:", 10);
}

static bool accept_word(struct tensor_reader *r, const char *word)
{
	size_t len = strlen(word);
	if (strncmp(r->at, word, len) != 0 || isalnum((unsigned char)r->at[len]))
		return false;
	r->at += len;
	r->at += strspn(r->at, " \t");
	return true;
}

/* `n` numbers from 1, with an x between. */
static bool read_numbers(struct tensor_reader *r, int n, uint64_t most, const char *of, uint64_t *out)
{
	for (int i = 0; i < n; i++) {
		const char *start = r->at;
		uint64_t value = 0;
		for (; isdigit((unsigned char)*r->at) && value <= most; r->at++)
			value = value * 10 + (uint64_t)(*r->at - '0');
		if (!value || value > most)
			return fail_tensor(r, start, "%s: 1 to %llu", of, (unsigned long long)most);
		out[i] = value;
		if (i + 1 < n && *r->at++ != 'x')
			return fail_tensor(r, r->at - 1, "%s: %d numbers, with an x between", of, n);
	}
	return true;
}

/* A corner of the bounding box, -1x-1: numbers that may be negative. */
static bool read_corner(struct tensor_reader *r, const char *of, int16_t *out)
{
	static const int most[] = {[3] = 32767, [4] = 127, [5] = 15};
	int n = r->map->rank - 2, limit;
	if (n < 1)
		return fail_tensor(r, r->at, "a tensor of pixels has 3 to %d dimensions", WARP_TENSOR_RANKS);
	limit = most[r->map->rank];
	for (int i = 0; i < n; i++) {
		char *end;
		long value = isdigit((unsigned char)r->at[*r->at == '-']) ? strtol(r->at, &end, 10) : LONG_MAX;
		if (value < -limit - 1 || value > limit)
			return fail_tensor(r, r->at, "%s: %d to %d", of, -limit - 1, limit);
		out[i] = (int16_t)value;
		r->at = end;
		if (i + 1 < n && *r->at++ != 'x')
			return fail_tensor(r, r->at - 1, "%s: %d numbers, with an x between", of, n);
	}
	return true;
}

static bool read_swizzle(struct tensor_reader *r)
{
	static const struct {
		const char *name;
		uint8_t bits;
	} modes[] = {{"none", 0}, {"32", 1}, {"64", 3}, {"128", 7}};
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
		if (accept_word(r, modes[i].name)) {
			r->map->swizzle = modes[i].bits;
			return true;
		}
	return fail_tensor(r, r->at, "a swizzle is none, 32, 64 or 128");
}

static const char *const options[] = {
	"box", "pixels", "channels", "lower", "upper", "step", "strides", "swizzle", "fill"};
#define OPTIONS (sizeof options / sizeof *options)

/* An option, which is given once. */
static bool read_new_option(struct tensor_reader *r, uint32_t *given)
{
	for (size_t i = 0; i < OPTIONS; i++) {
		size_t len = strlen(options[i]);
		if (strncmp(r->at, options[i], len) != 0 || isalnum((unsigned char)r->at[len]))
			continue;
		if (*given & 1u << i)
			return fail_tensor(r, r->at, "%s is given twice", options[i]);
		*given |= 1u << i;
	}

	struct warp_tensor *t = r->map;
	uint64_t n[WARP_TENSOR_RANKS];
	if (accept_word(r, "box")) {
		if (!read_numbers(r, t->rank, WARP_TENSOR_BOX_MAX, "a box", n))
			return false;
		for (int i = 0; i < t->rank; i++)
			t->box[i] = (uint16_t)n[i];
		return true;
	}
	if (accept_word(r, "step")) {
		if (!read_numbers(r, t->rank, WARP_TENSOR_STEP_MAX, "a step", n))
			return false;
		for (int i = 0; i < t->rank; i++)
			t->step[i] = (uint8_t)n[i];
		return true;
	}
	if (accept_word(r, "pixels")) {
		if (t->rank < 3)
			return fail_tensor(r, r->at, "a tensor of pixels has 3 to %d dimensions", WARP_TENSOR_RANKS);
		if (!read_numbers(r, 1, WARP_TENSOR_PIXELS_MAX, "pixels", n))
			return false;
		t->pixels = (uint16_t)n[0];
		return true;
	}
	if (accept_word(r, "channels")) {
		if (!read_numbers(r, 1, WARP_TENSOR_BOX_MAX, "channels", n))
			return false;
		t->box[0] = (uint16_t)n[0];
		return true;
	}
	if (accept_word(r, "lower"))
		return read_corner(r, "a lower corner", t->lower);
	if (accept_word(r, "upper"))
		return read_corner(r, "an upper corner", t->upper);
	if (accept_word(r, "strides"))
		return read_numbers(r, t->rank - 1, STRIDE_MAX, "strides", t->stride + 1);
	if (accept_word(r, "swizzle"))
		return read_swizzle(r);
	if (!accept_word(r, "fill"))
		return fail_tensor(
			r, r->at, "expected box, pixels, channels, lower, upper, strides, step, swizzle or fill");
	t->fills_nan = t->kind == 'F' && accept_word(r, "nan");
	return t->fills_nan || accept_word(r, "zero") ||
		fail_tensor(r, r->at, "it is filled with zero or, floats, nan");
}

/* Up to the first option, which begins with a word. */
static const char *find_options(const char *at)
{
	for (; *at && *at != '}'; at++) {
		const char *word = at + 1 + strspn(at + 1, " \t");
		for (size_t i = 0; *at == ',' && i < OPTIONS; i++)
			if (!strncmp(word, options[i], strlen(options[i])))
				return at;
	}
	return at;
}

bool launch_tensor_parse(
	struct arena *arena, const char *what, const char *text, struct launch_arg *out, struct diag *diag)
{
	struct warp_tensor *map = arena_array(arena, struct warp_tensor, 1);
	struct tensor_reader r = {
		.arena = arena, .what = what, .text = text, .at = text + 11, .diag = diag, .map = map};

	*map = (struct warp_tensor){.mark = WARP_TENSOR_MARK, .step = {1, 1, 1, 1, 1}};
	if (text[10] != '{')
		return fail_tensor(&r, text + 10, "expected '{' and the tensor, as f32[64x48]");

	/* The type and the sizes: f32[64x48]. */
	struct warp_tensor *t = map;
	const char *start = r.at;
	size_t len = strcspn(start, "[");
	for (int i = 0; i < LAUNCH_TYPES; i++) {
		const struct type_info *info = &launch_type_table[i];
		if (strlen(info->name) != len || memcmp(info->name, start, len) != 0)
			continue;
		t->kind = "UUSF"[info->kind == TYPE_FLOAT ? 3 : info->kind == TYPE_SIGNED ? 2 : 0];
		t->stride[0] = info->size;
	}
	if (!t->stride[0] || start[len] != '[')
		return fail_tensor(&r, start, "expected a type and sizes, as f32[64x48]");
	r.at += len + 1;
	for (t->rank = 1; t->rank < WARP_TENSOR_RANKS; t->rank++)
		if (!memchr(r.at, 'x', strcspn(r.at, "]")))
			break;
	uint64_t sizes[WARP_TENSOR_RANKS];
	int dims = 1;
	for (const char *c = r.at; *c && *c != ']'; c++)
		dims += *c == 'x';
	if (dims > WARP_TENSOR_RANKS)
		return fail_tensor(&r, r.at, "a tensor has at most %d dimensions", WARP_TENSOR_RANKS);
	t->rank = (uint8_t)dims;
	if (!read_numbers(&r, dims, UINT32_MAX, "a size", sizes))
		return false;
	for (int i = 0; i < dims; i++)
		t->size[i] = (uint32_t)sizes[i];
	if (*r.at++ != ']')
		return fail_tensor(&r, r.at - 1, "expected ']'");

	const char *fill = r.at, *end = find_options(fill);
	uint32_t given = 0;
	for (r.at = end; *r.at == ',';) {
		r.at += 1 + strspn(r.at + 1, " \t");
		if (!read_new_option(&r, &given))
			return false;
		r.at += strspn(r.at, " \t");
	}
	if (strcmp(r.at, "}") != 0)
		return fail_tensor(&r, r.at, "expected ',' and what else it is, or '}' at the end");

	/* CUDA driver API, cuTensorMapEncodeIm2col: the parts of a map of pixels, and those of one of boxes, go
	 * together. */
	bool of_pixels = given & 2, box = given & 1, others = given & 0x1C;
	if (of_pixels ? box || !(given & 4) : others)
		return fail_tensor(&r, fill, "pixels and channels go together, with corners, and instead of a box");
	for (int i = 1; of_pixels && i < t->rank; i++) {
		t->box[i] = 1;
		if (i < t->rank - 1 && (int64_t)t->size[i] + t->upper[i - 1] <= t->lower[i - 1])
			return fail_tensor(&r, fill, "the corners of dimension %d have nothing between them", i);
	}

	/* CUDA driver API, cuTensorMapEncodeTiled. */
	uint64_t row = t->stride[0] * t->box[0], span = t->swizzle * 16u + 16u;
	if (!t->box[0])
		return fail_tensor(&r, fill, "a box is missing, as box 16x8");
	for (int i = 1; i < t->rank; i++) {
		if (!t->stride[i])
			t->stride[i] = t->stride[i - 1] * t->size[i - 1];
		if (t->stride[i] % STRIDE_GRANULE || t->stride[i] >= STRIDE_MAX)
			return fail_tensor(&r, fill,
				"the stride of dimension %d is %llu bytes; it has to be a multiple of %u", i,
				(unsigned long long)t->stride[i], STRIDE_GRANULE);
		if (t->stride[i] < t->stride[i - 1] * (i == 1 ? t->size[0] : 1))
			return fail_tensor(&r, fill, "the stride of dimension %d is less than what it strides over", i);
	}
	if (row % STRIDE_GRANULE)
		return fail_tensor(&r, fill, "a row of the box has %llu bytes; it has to be a multiple of %u",
			(unsigned long long)row, STRIDE_GRANULE);
	if (t->swizzle && row > span)
		return fail_tensor(&r, fill, "a row of the box has %llu bytes; with this swizzle at most %llu",
			(unsigned long long)row, (unsigned long long)span);
	if (t->step[0] != 1)
		return fail_tensor(&r, fill, "the step of the innermost dimension is 1");

	/* What fills it is read as a buffer of its elements. */
	unsigned __int128 bytes = (unsigned __int128)t->stride[t->rank - 1] * t->size[t->rank - 1];
	if (bytes > LAUNCH_BUFFER_MAX)
		return fail_tensor(&r, fill, "it holds at most %zu bytes", LAUNCH_BUFFER_MAX);
	size_t type = strcspn(r.text + 11, "["), count = (size_t)bytes / t->stride[0];
	const char *first = fill + strspn(fill, ":");
	bool listed = fill != end && (isdigit((unsigned char)*first) || strchr("+-.@", *first));
	const char *head = listed ? arena_printf(r.arena, "%.*s[]", (int)type, r.text + 11)
				  : arena_printf(r.arena, "%.*s[%zu]", (int)type, r.text + 11, count);
	/* it ends at the same column, so that what is wrong with it is reported there */
	size_t column = (size_t)(fill - r.text), pad = column > strlen(head) ? column - strlen(head) : 0;
	const char *buffer = arena_printf(r.arena, "%*s%s%.*s", (int)pad, "", head, (int)(end - fill), fill);
	if (!launch_arg_parse(r.arena, r.what, buffer, out, r.diag))
		return false;
	if (out->count != count)
		return fail_tensor(&r, first, "%zu values; there are %zu elements", out->count, count);

	out->tensor = map;
	out->text = arena_strdup(arena, text);
	return true;
}
