#include "machine/launch/parser.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

struct texture_reader {
	struct arena *arena;
	const char *what, *text, *at;
	struct diag *diag;
	struct warp_texture *shape;
};

static bool fail_texture(const struct texture_reader *r, const char *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static bool fail_texture(const struct texture_reader *r, const char *at, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	diag_verror(r->diag, diag_pos_in(r->what, r->text, at), format, args);
	va_end(args);
	return false;
}

static bool accept(struct texture_reader *r, const char *word)
{
	size_t len = strlen(word);
	if (strncmp(r->at, word, len) != 0)
		return false;
	r->at += len;
	return true;
}

static void skip_blanks(struct texture_reader *r)
{
	r->at += strspn(r->at, " \t");
}

/* A word of letters, as a whole, and the blanks after it. */
static bool accept_word(struct texture_reader *r, const char *word)
{
	size_t len = strlen(word);
	if (strncmp(r->at, word, len) != 0 || isalnum((unsigned char)r->at[len]))
		return false;
	r->at += len;
	skip_blanks(r);
	return true;
}

static bool read_number(struct texture_reader *r, uint32_t most, const char *of, uint32_t *out)
{
	const char *start = r->at;
	uint64_t n = 0;
	for (; isdigit((unsigned char)*r->at) && n <= most; r->at++)
		n = n * 10 + (uint64_t)(*r->at - '0');
	if (!n || n > most)
		return fail_texture(r, start, "%s: 1 to %u", of, most);
	*out = (uint32_t)n;
	return true;
}

bool launch_texture_begins(const char *text)
{
	size_t word = strcspn(text, ":@");
	return (word == 7 && (!memcmp(text, "texture", 7) || !memcmp(text, "surface", 7)));
}

/* --- texels ------------------------------------------------------------------------------------------------------- */

/* CUDA C++ Programming Guide, technical specifications, the same from CC 7.5 to 9.0: sizes of arrays, and with
 * layers. */
static uint32_t most_of(const struct warp_texture *t, int dimension)
{
	static const uint32_t most[][3] = {{131072}, {131072, 65536}, {16384, 16384, 16384}};
	bool small = t->layered || t->cube || (t->is_surface && t->dimensions == 1);
	return small ? 32768 : most[t->dimensions - 1][dimension];
}

/* The type of a channel, and how many a texel has: f32, u8x4. */
static bool read_format(struct texture_reader *r, enum launch_type *type)
{
	static const char *const channels[] = {"x1[", "x2[", "x4["};
	const char *start = r->at;
	struct warp_texture *t = r->shape;
	size_t len = strcspn(start, "x[");
	t->channels = 1;
	for (int i = 0; i < LAUNCH_TYPES; i++) {
		const struct type_info *info = &launch_type_table[i];
		if (strlen(info->name) != len || memcmp(info->name, start, len) != 0 || info->kind == TYPE_BITS ||
			info->size == 8)
			continue;
		*type = (enum launch_type)i;
		t->kind = "US?F"[info->kind];
		t->bytes = (uint8_t)info->size;
		r->at += len;
		for (int n = 0; n < 3; n++)
			if (accept(r, channels[n]))
				return t->channels = (uint8_t)(1 << n), true;
		return accept(r, "[") ||
			fail_texture(r, r->at, "a texel has 1, 2 or 4 channels, as f32, f32x2 and f32x4");
	}
	return fail_texture(r, start, "a channel is u8, s8, u16, s16, f16, u32, s32 or f32");
}

/* --- what follows them -------------------------------------------------------------------------------------------- */

static bool read_addressing(struct texture_reader *r)
{
	static const char *const names[] = {[WARP_ADDRESS_WRAP] = "wrap",
		[WARP_ADDRESS_MIRROR] = "mirror",
		[WARP_ADDRESS_CLAMP] = "clamp",
		[WARP_ADDRESS_BORDER] = "border"};
	uint8_t *modes = r->shape->sampler.addressing;
	int n = 0;
	for (size_t i = 0; n < 3 && i < sizeof names / sizeof *names; i++) {
		if (!names[i] || !accept_word(r, names[i]))
			continue;
		for (int j = n; j < 3; j++) /* the last one counts for those that are not said */
			modes[j] = (uint8_t)i;
		n++;
		i = (size_t)-1;
	}
	return n ||
		fail_texture(r, r->at,
			"an address mode is wrap, mirror, clamp or border, one for all or for each dimension");
}

/* An option, which is given once. */
static bool read_new_option(struct texture_reader *r, uint32_t *given)
{
	static const char *const words[] = {"filter", "address", "normalized", "floats", "layers", "cube"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t len = strlen(words[i]);
		if (strncmp(r->at, words[i], len) != 0 || isalnum((unsigned char)r->at[len]))
			continue;
		if (*given & 1u << i)
			return fail_texture(r, r->at, "%s is given twice", words[i]);
		*given |= 1u << i;
	}

	struct warp_texture *t = r->shape;
	if (accept_word(r, "layers")) {
		t->layered = true;
		return read_number(r, 2048, "layers", &t->layers);
	}
	if (t->is_surface)
		return fail_texture(r, r->at, "a surface takes layers N");
	if (accept_word(r, "filter")) {
		t->sampler.linear = accept_word(r, "linear");
		return t->sampler.linear || accept_word(r, "nearest") ||
			fail_texture(r, r->at, "a filter is nearest or linear");
	}
	if (accept_word(r, "address"))
		return read_addressing(r);
	if (accept_word(r, "normalized"))
		return t->normalized = true;
	if (accept_word(r, "floats"))
		return t->reads_floats = true;
	if (accept_word(r, "cube"))
		return t->cube = true;
	return fail_texture(r, r->at,
		"expected filter nearest or linear, address wrap, mirror, clamp or border, normalized, floats, layers N, or cube");
}

/* Where the options begin: at a comma with a word after it that is no number. */
static const char *find_options(const char *at)
{
	for (; *at && *at != '}'; at++) {
		const char *word = at + 1 + strspn(at + 1, " \t");
		bool is_number = !strncmp(word, "inf", 3) || !strncmp(word, "nan", 3) || !strncmp(word, "uninit", 6);
		if (*at == ',' && isalpha((unsigned char)*word) && !is_number)
			break;
	}
	return at;
}

static bool read_texture(struct texture_reader *r, struct launch_arg *out)
{
	enum launch_type type;
	struct warp_texture *t = r->shape;
	uint32_t given = 0;
	const char *format = r->at;
	if (!read_format(r, &type))
		return false;
	const char *sizes = r->at;

	t->size[0] = t->size[1] = t->size[2] = 1;
	for (t->dimensions = 0; t->dimensions < 3; t->dimensions++) {
		if (!read_number(r, 131072, "a size", &t->size[t->dimensions]))
			return false;
		if (!accept(r, "x"))
			break;
	}
	if (t->dimensions++ == 3)
		return fail_texture(r, r->at, "at most three sizes: WxHxD");
	if (!accept(r, "]"))
		return fail_texture(r, r->at, "expected 'x' and the next size, or ']'");

	const char *fill = r->at, *end = find_options(fill);
	for (r->at = end; accept(r, ",");) {
		skip_blanks(r);
		if (!read_new_option(r, &given))
			return false;
		skip_blanks(r);
	}
	if (strcmp(r->at, "}") != 0)
		return fail_texture(r, r->at, "expected ',' and what else it is, or '}' at the end");
	if (t->cube)
		t->normalized = true;

	bool floats = t->kind == 'F' || t->reads_floats;
	for (int i = 0; i < t->dimensions; i++)
		if (t->size[i] > most_of(t, i))
			return fail_texture(
				r, sizes, "a size of %u; CUDA has at most %u here", t->size[i], most_of(t, i));
	if (t->cube && (t->dimensions != 2 || t->size[0] != t->size[1]))
		return fail_texture(r, sizes, "the faces of a cube are squares: WxW");
	if (t->layered && t->dimensions == 3)
		return fail_texture(r, sizes, "what has three dimensions has no layers");
	if (t->reads_floats && (t->kind == 'F' || t->bytes == 4))
		return fail_texture(r, sizes, "floats is for integers of 8 and 16 bits");
	if (t->sampler.linear && !floats)
		return fail_texture(r, sizes, "a linear filter is for floats, or integers read as floats");
	if (warp_texture_bytes(t) > LAUNCH_BUFFER_MAX)
		return fail_texture(r, sizes, "it holds at most %zu bytes", LAUNCH_BUFFER_MAX);

	/* What the texels are, [fill, end) of the text, is read as a buffer of so many channels. Its text ends at the
	 * same column, so that what is wrong with it is reported there. */
	size_t count = (size_t)(warp_texture_bytes(t) / t->bytes);
	const char *first = fill + strspn(fill, ":");
	bool listed = isdigit((unsigned char)*first) || strchr("+-.@", *first) || !strncmp(first, "inf", 3) ||
		!strncmp(first, "nan", 3);
	const char *head = listed && fill != end
		? arena_printf(r->arena, "%.*s[]", (int)strcspn(format, "x["), format)
		: arena_printf(r->arena, "%.*s[%zu]", (int)strcspn(format, "x["), format, count);
	size_t column = (size_t)(fill - r->text), pad = column > strlen(head) ? column - strlen(head) : 0;
	const char *buffer = arena_printf(r->arena, "%*s%s%.*s", (int)pad, "", head, (int)(end - fill), fill);
	if (!launch_arg_parse(r->arena, r->what, buffer, out, r->diag))
		return false;
	return out->count == count ||
		fail_texture(r, first, "%zu values; there are %zu channels of texels", out->count, count);
}

bool launch_texture_parse(
	struct arena *arena, const char *what, const char *text, struct launch_arg *out, struct diag *diag)
{
	struct launch_texture *texture = arena_array(arena, struct launch_texture, 1);
	struct texture_reader r = {
		.arena = arena, .what = what, .text = text, .at = text + 7, .diag = diag, .shape = &texture->shape};

	texture->shape = (struct warp_texture){.is_surface = *text == 's',
		.layers = 1,
		.sampler.addressing = {WARP_ADDRESS_CLAMP, WARP_ADDRESS_CLAMP, WARP_ADDRESS_CLAMP}};
	if (accept(&r, "@")) {
		size_t len = strcspn(r.at, ":");
		if (!len)
			return fail_texture(&r, r.at, "expected the name of a .texref or .surfref");
		texture->reference = arena_strndup(arena, r.at, len);
		r.at += len;
	}
	if (!accept(&r, ":{"))
		return fail_texture(&r, r.at, "expected ':{' and the texels, as f32[64x64]");
	if (!read_texture(&r, out))
		return false;
	out->texture = texture;
	out->text = arena_strdup(arena, text);
	return true;
}
