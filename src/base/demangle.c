/* Why not the C++ runtime's __cxa_demangle: it writes `float const*` and `unsigned int` where nvcc, ptxas and the
 * program's messages have `const float *` and `unsigned`, has the type of a template function's result before its name,
 * and gives one text in which parameters would have to be found again; and libstdc++ need not be installed, or within
 * reach of a confined process. */
#include "base/demangle.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"

#define DEPTH_MAX 64
#define TEXT_MAX 4096 /* characters of a type: substitutions can double it again and again */
#define PARAMS_MAX 256

/* A type or name; what is declared with it stands at `at`: before the brackets of a function. */
struct piece {
	const char *text;
	size_t at;
	bool function;
	const struct piece *pack; /* a pack of a template's arguments: these in place of `text` */
	int n_pack;               /* -1: it is none */
};

struct demangler {
	struct arena *arena;
	const char *at;
	int depth;
	struct piece *known; /* substitutions: S_, S0_ and so on */
	int n_known, cap_known;
	struct piece *args; /* of the template: T_, T0_ and so on */
	int n_args;
	int element, n_elements; /* of the packs that are being expanded; n_elements -1: none was met */
};

static bool read_type(struct demangler *r, struct piece *out);

static bool accept(struct demangler *r, const char *text)
{
	size_t len = strlen(text);
	if (strncmp(r->at, text, len) != 0)
		return false;
	r->at += len;
	return true;
}

static void remember(struct demangler *r, struct piece piece)
{
	*vec_push(r->known, r->n_known, r->cap_known) = piece;
}

static struct piece plain(const char *text)
{
	return (struct piece){.text = text, .at = strlen(text), .n_pack = -1};
}

static struct piece like_function(const char *text, size_t at, bool function)
{
	return (struct piece){.text = text, .at = at, .function = function, .n_pack = -1};
}

static bool fits(const struct piece *piece)
{
	return strlen(piece->text) <= TEXT_MAX;
}

/* --- names -------------------------------------------------------------------------------------------------------- */

static bool read_source_name(struct demangler *r, struct piece *out)
{
	size_t len = 0;
	accept(r, "L"); /* of internal linkage */
	if (!isdigit((unsigned char)*r->at))
		return false;
	while (isdigit((unsigned char)*r->at) && len < TEXT_MAX)
		len = 10 * len + (size_t)(*r->at++ - '0');
	if (len == 0 || len > TEXT_MAX || strlen(r->at) < len)
		return false;
	const char *name = arena_strndup(r->arena, r->at, len);
	r->at += len;
	/* Tags of the ABI, as Numba gives its functions: they are no part of the source. */
	struct piece tag;
	while (r->at[0] == 'B' && isdigit((unsigned char)r->at[1]) && accept(r, "B"))
		if (!read_source_name(r, &tag))
			return false;
	*out = plain(strncmp(name, "_GLOBAL__N_", strlen("_GLOBAL__N_")) == 0 ? "(anonymous namespace)" : name);
	return true;
}

/* "_" is the first, "0_" the second; the digits are of base 36. */
static bool read_index(struct demangler *r, int *out)
{
	*out = 0;
	for (bool first = true; *r->at != '_'; first = false, r->at++) {
		int c = (unsigned char)*r->at, digit = isdigit(c) ? c - '0' : c >= 'A' && c <= 'Z' ? c - 'A' + 10 : -1;
		if (digit < 0 || *out > 100000)
			return false;
		*out = (first ? 0 : 36 * (*out - 1)) + digit + 1;
	}
	r->at++;
	return true;
}

/* After "S". */
static bool read_substitution(struct demangler *r, struct piece *out)
{
	int index;
	if (!read_index(r, &index) || index >= r->n_known)
		return false;
	*out = r->known[index];
	return true;
}

/* After "L": a literal, "i1" or "b0". */
static bool read_literal(struct demangler *r, struct piece *out)
{
	bool is_bool = *r->at == 'b';
	struct piece type;
	if (!read_type(r, &type))
		return false;
	const char *sign = accept(r, "n") ? "-" : "";
	size_t len = strspn(r->at, "0123456789");
	if (!len || r->at[len] != 'E')
		return false;
	const char *digits = arena_strndup(r->arena, r->at, len);
	r->at += len + 1;
	*out = plain(
		is_bool ? strcmp(digits, "0") == 0 ? "false" : "true" : arena_printf(r->arena, "%s%s", sign, digits));
	return true;
}

/* The arguments of a template, as a list, and for T_ one by one. */
struct template_args {
	struct buf list;
	struct piece *at;
	int n, cap;
};

/* After "I" or "J": up to "E". */
static bool read_template_args(struct demangler *r, struct template_args *out)
{
	if (++r->depth > DEPTH_MAX)
		return false;
	while (!accept(r, "E")) {
		struct piece arg;
		if (accept(r, "J")) {
			/* A pack is an argument of its own. */
			const int first = out->n;
			if (!read_template_args(r, out))
				return false;
			struct piece pack = plain(""),
				     *elements = arena_array(r->arena, struct piece, (size_t)(out->n - first) + 1);
			if (out->n > first)
				memcpy(elements, out->at + first, (size_t)(out->n - first) * sizeof *elements);
			pack.pack = elements;
			pack.n_pack = out->n - first;
			out->n = first;
			*vec_push(out->at, out->n, out->cap) = pack;
			continue;
		}
		if (!(accept(r, "L") ? read_literal(r, &arg) : read_type(r, &arg)) || out->list.len > TEXT_MAX)
			return false;
		buf_printf(&out->list, "%s%s", out->list.len ? ", " : "", arg.text);
		*vec_push(out->at, out->n, out->cap) = arg;
	}
	r->depth--;
	return true;
}

/* Where template arguments come next, they are appended to the name; `*is` says whether they did. */
static bool add_template_args(struct demangler *r, struct piece *name, bool *is)
{
	struct template_args args = {0};
	*is = false;
	if (!accept(r, "I"))
		return true;
	bool ok = *is = read_template_args(r, &args);
	if (ok)
		*name = plain(arena_printf(r->arena, "%s<%s>", name->text, buf_str(&args.list)));
	bool own = ok && r->depth == 0; /* T_ means those of the function, not of a class among them */
	free(own ? r->args : args.at);
	if (own) {
		r->args = args.at;
		r->n_args = args.n;
	}
	buf_free(&args.list);
	return ok && fits(name);
}

/* A name that is not a part of another, of a function or a class. */
static bool read_name(struct demangler *r, struct piece *out, bool *is_template)
{
	*is_template = false;
	if (accept(r, "N")) {
		/* After "N": up to "E". All but the whole can be substituted. */
		*out = plain("");
		while (*r->at == 'K' || *r->at == 'V')
			r->at++;
		for (bool first = true; !accept(r, "E"); first = false) {
			struct piece part = {0};
			bool substitution = false;
			*is_template = false;
			if (*r->at == 'I') {
				if (first || !add_template_args(r, out, is_template))
					return false;
			} else if (first && accept(r, "St")) {
				*out = plain("std");
				substitution = true;
			} else if (first && accept(r, "S")) {
				if (!read_substitution(r, out))
					return false;
				substitution = true;
			} else if (!read_source_name(r, &part)) {
				return false;
			} else {
				*out = first ? part : plain(arena_printf(r->arena, "%s::%s", out->text, part.text));
			}
			if (!fits(out))
				return false;
			if (!substitution && *r->at != 'E')
				remember(r, *out);
		}
		return *out->text != '\0';
	}
	bool std = accept(r, "St");
	if (!read_source_name(r, out))
		return false;
	if (std)
		*out = plain(arena_printf(r->arena, "std::%s", out->text));
	if (*r->at == 'I')
		remember(r, *out); /* the template */
	return add_template_args(r, out, is_template);
}

/* --- types -------------------------------------------------------------------------------------------------------- */

static const char *builtin_type(struct demangler *r)
{
	static const struct {
		const char *code, *text;
	} types[] = {{"v", "void"}, {"b", "bool"}, {"c", "char"}, {"a", "signed char"}, {"h", "unsigned char"},
		{"s", "short"}, {"t", "unsigned short"}, {"i", "int"}, {"j", "unsigned"}, {"l", "long"},
		{"m", "unsigned long"}, {"x", "long long"}, {"y", "unsigned long long"}, {"f", "float"},
		{"d", "double"}, {"w", "wchar_t"}, {"n", "__int128"}, {"o", "unsigned __int128"}, {"z", "..."},
		{"Dh", "__half"}, {"DF16b", "__bf16"}, {"DF16_", "_Float16"}, {"Dn", "nullptr_t"}, {"Di", "char32_t"},
		{"Ds", "char16_t"}};
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (accept(r, types[i].code))
			return types[i].text;
	return NULL;
}

/* `mark` is declared with the type, as "*" is with what it points to. */
static struct piece declare(struct demangler *r, const struct piece *type, const char *mark)
{
	bool group = type->function && type->at && type->text[type->at - 1] == ' ';
	char before = type->at ? type->text[type->at - 1] : ' ';
	const char *blank = before == '*' || before == '&' || before == '(' || before == ' ' ? "" : " ";
	const char *text = arena_printf(r->arena, "%.*s%s%s%s%s%s", (int)type->at, type->text, blank, group ? "(" : "",
		mark, group ? ")" : "", type->text + type->at);
	size_t at = type->at + strlen(blank) + group + strlen(mark);
	return like_function(text, at, type->function);
}

/* A type that begins with its kind, of which there are others. */
static bool read_compound(struct demangler *r, struct piece *out, bool *is)
{
	static const struct {
		const char *code, *mark;
	} marks[] = {{"P", "*"}, {"R", "&"}, {"O", "&&"}};
	struct piece inner;
	*is = true;
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (accept(r, marks[i].code))
			return read_type(r, &inner) && (*out = declare(r, &inner, marks[i].mark), true);
	if (*r->at == 'K' || *r->at == 'V' || *r->at == 'r') {
		struct piece type;
		bool constant = false, is_volatile = false;
		for (; *r->at == 'K' || *r->at == 'V' || *r->at == 'r'; r->at++) {
			constant |= *r->at == 'K';
			is_volatile |= *r->at == 'V';
		}
		if (!read_type(r, &type))
			return false;
		const char *word = constant ? is_volatile ? "const volatile" : "const" : is_volatile ? "volatile" : "";
		bool pointer = type.at && (type.text[type.at - 1] == '*' || type.text[type.at - 1] == '&');
		*out = !*word     ? type
			: pointer ? declare(r, &type, word)
				  : plain(arena_printf(r->arena, "%s %s", word, type.text));
		if (!pointer)
			out->function = type.function;
		if (!pointer && *word)
			out->at = type.at + strlen(word) + 1;
		return true;
	}
	if (accept(r, "F")) {
		/* After "F": the result, the parameters, "E". */
		struct piece result, param;
		struct buf params = {0};
		if (!read_type(r, &result))
			return false;
		bool ok = true;
		for (int n = 0; ok && !accept(r, "E"); n++) {
			ok = n < PARAMS_MAX && read_type(r, &param) && params.len < TEXT_MAX;
			if (ok && (n || *r->at != 'E' || strcmp(param.text, "void") != 0))
				buf_printf(&params, "%s%s", n ? ", " : "", param.text);
		}
		if (ok) {
			const char *text = arena_printf(r->arena, "%s (%s)", result.text, buf_str(&params));
			*out = like_function(text, strlen(result.text) + 1, true);
		}
		buf_free(&params);
		return ok;
	}
	if (accept(r, "A")) {
		/* After "A": the length, "_", the type of the elements. */
		struct piece element;
		size_t len = strspn(r->at, "0123456789");
		const char *length = r->at;
		r->at += len;
		if (!accept(r, "_") || !read_type(r, &element))
			return false;
		const char *text = arena_printf(r->arena, "%s [%.*s]", element.text, (int)len, length);
		*out = like_function(text, strlen(element.text) + 1, true);
		return true;
	}
	*is = false;
	return true;
}

static bool read_any_type(struct demangler *r, struct piece *out)
{
	bool is;
	const char *builtin = builtin_type(r);
	if (builtin) {
		*out = plain(builtin);
		return true;
	}
	if (!read_compound(r, out, &is))
		return false;
	if (!is) {
		/* A class by its name, a parameter of the template, or something that was there before. */
		bool is_template = false, again = r->at[0] == 'S' && r->at[1] != 't';
		bool ok;
		if (accept(r, "T")) {
			int index;
			ok = read_index(r, &index) && index < r->n_args;
			if (ok)
				*out = r->args[index];
			if (ok && out->n_pack >= 0) {
				r->n_elements = out->n_pack;
				*out = r->element < out->n_pack ? out->pack[r->element] : plain("");
			}
		} else if (again) {
			ok = accept(r, "S") && read_substitution(r, out) && add_template_args(r, out, &is_template);
		} else {
			ok = read_name(r, out, &is_template);
		}
		if (ok && (!again || is_template))
			remember(r, *out);
		return ok;
	}
	if (!fits(out))
		return false;
	remember(r, *out);
	return true;
}

static bool read_type(struct demangler *r, struct piece *out)
{
	if (++r->depth > DEPTH_MAX)
		return false;
	bool ok = read_any_type(r, out);
	r->depth--;
	return ok;
}

/* --- functions ---------------------------------------------------------------------------------------------------- */

static bool read_function(struct demangler *r, struct demangled *out)
{
	struct piece name, type;
	const char **params = NULL;
	int n = 0, cap = 0;
	bool is_template;
	bool ok = read_name(r, &name, &is_template) && (!is_template || read_type(r, &type)); /* its result */
	out->variable = !*r->at || *r->at == '.';
	while (ok && *r->at && *r->at != '.') {
		/* A parameter; or, after "Dp", one for each element of a pack, read again for each. */
		const bool expands = accept(r, "Dp");
		const char *pattern = r->at;
		const int known = r->n_known;
		r->element = 0;
		r->n_elements = -1;
		do {
			r->at = pattern;
			r->n_known = r->element ? known : r->n_known;
			ok = n < PARAMS_MAX && read_type(r, &type);
			if (ok && (!expands || r->n_elements))
				*vec_push(params, n, cap) = type.text;
		} while (ok && expands && ++r->element < r->n_elements);
		ok = ok && (!expands || r->n_elements >= 0);
	}
	if (n == 1 && strcmp(params[0], "void") == 0)
		n = 0;
	out->name = ok ? name.text : NULL;
	out->n_params = n;
	const char **kept = arena_array(r->arena, const char *, (size_t)n + 1);
	if (n)
		memcpy(kept, params, (size_t)n * sizeof *kept);
	out->params = kept;
	free(params);
	return ok;
}

bool demangle(struct arena *arena, const char *mangled, struct demangled *out)
{
	struct demangler r = {.arena = arena, .at = mangled};
	*out = (struct demangled){0};
	bool ok = strlen(mangled) <= TEXT_MAX && accept(&r, "_Z") && read_function(&r, out);
	free(r.known);
	free(r.args);
	return ok;
}

const char *demangle_signature(struct arena *arena, const char *mangled)
{
	struct demangled d;
	struct buf out = {0};
	if (!demangle(arena, mangled, &d))
		return mangled;
	if (d.variable)
		return d.name;
	buf_printf(&out, "%s(", d.name);
	for (int i = 0; i < d.n_params; i++)
		buf_printf(&out, "%s%s", i ? ", " : "", d.params[i]);
	buf_putc(&out, ')');
	const char *text = arena_strdup(arena, buf_str(&out));
	buf_free(&out);
	return text;
}

/* --- what a reader means ------------------------------------------------------------------------------------------ */

/* Whether `text`, up to `len` characters, is `asked`, but for blanks. */
static bool same_name(const char *text, size_t len, const char *asked)
{
	size_t i = 0;
	for (;; i++, asked++) {
		while (i < len && text[i] == ' ')
			i++;
		while (*asked == ' ')
			asked++;
		if (i >= len || !*asked)
			return i >= len && !*asked;
		if (text[i] != *asked)
			return false;
	}
}

/* Where the last part of a name begins, behind its namespaces. */
static const char *last_part(const char *name)
{
	const char *last = name;
	int depth = 0;
	for (const char *at = name; *at; at++) {
		depth += (*at == '<' || *at == '(') - (*at == '>' || *at == ')');
		if (!depth && at[0] == ':' && at[1] == ':')
			last = at + 2;
	}
	return last;
}

bool demangle_is(struct arena *arena, const char *mangled, const char *asked)
{
	struct demangled d;
	size_t len;
	if (strcmp(mangled, asked) == 0)
		return true;
	if (!demangle(arena, mangled, &d)) {
		const char *source = mangled_source(mangled, strlen(mangled), &len);
		return source && same_name(source, len, asked);
	}
	const char *signature = demangle_signature(arena, mangled), *starts[] = {d.name, last_part(d.name)};
	for (int i = 0; i < 2; i++) {
		const char *tail = signature + (starts[i] - d.name);
		if (same_name(starts[i], strlen(starts[i]), asked) ||
			same_name(starts[i], strcspn(starts[i], "<"), asked) || same_name(tail, strlen(tail), asked))
			return true;
	}
	return false;
}

/* --- names in the source ------------------------------------------------------------------------------------------ */

/* A number and as many characters, at the beginning of `text`. */
static const char *counted(const char *text, size_t len, size_t *source_len)
{
	size_t n = 0, at = 0;
	while (at < len && at < 6 && text[at] >= '0' && text[at] <= '9')
		n = 10 * n + (size_t)(text[at++] - '0');
	*source_len = n;
	return n && n <= len - at ? text + at : NULL;
}

const char *mangled_source(const char *name, size_t len, size_t *source_len)
{
	if (len > 2 && memcmp(name, "_Z", 2) == 0 && name[2] != 'Z')
		return counted(name + 2, len - 2, source_len);
	for (size_t i = len; i-- > 3 && memcmp(name, "_ZZ", 3) == 0;) {
		const char *found = name[i] == 'E' ? counted(name + i + 1, len - i - 1, source_len) : NULL;
		if (found && found + *source_len == name + len)
			return found;
	}
	return NULL;
}
