#include "machine/ptx/section.h"

#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "machine/ptx/lex.h"
#include "machine/ptx/program.h"

static const char *const names[PTX_SECTIONS] = {[PTX_SECTION_INFO] = "debug_info",
	[PTX_SECTION_ABBREV] = "debug_abbrev",
	[PTX_SECTION_LOC] = "debug_loc",
	[PTX_SECTION_STR] = "debug_str",
	[PTX_SECTION_RANGES] = "debug_ranges"};

/* A label, of code or of a section. */
struct known {
	struct hash_link link;
	uint64_t value;
};

struct section_reader {
	struct arena *arena;
	struct hash_table known;
	struct ptx_section *out;
	struct ptx_lexer lexer;
	struct ptx_token tok;
};

static void next(struct section_reader *r)
{
	ptx_lex(&r->lexer, &r->tok);
}

static bool at(const struct section_reader *r, char punct)
{
	return r->tok.kind == PTX_TOK_PUNCT && r->tok.punct == punct;
}

static void add_known(struct section_reader *r, const char *name, size_t len, uint64_t value)
{
	struct known *known = arena_alloc(r->arena, sizeof *known);
	known->value = value;
	hash_add(&r->known, &known->link, name, len);
}

/* --- code --------------------------------------------------------------------------------------------------------- */

static uint64_t code_address(int kernel, int instr)
{
	return ((uint64_t)kernel + 1) << 32 | (uint32_t)instr;
}

uint64_t ptx_code_address(const struct ptx_kernel *code, int instr)
{
	const struct ptx_module *module = code->module;
	for (int i = 0; i < module->n_kernels; i++)
		if (module->kernels[i] == code)
			return code_address(i, instr);
	return 0;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

static int section_kind(const char *name, size_t len)
{
	for (int i = 0; i < PTX_SECTIONS; i++)
		if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0)
			return i;
	return -1;
}

/* A number, a label, or a section, which begins at 0. What is not known is a variable. */
static bool read_term(struct section_reader *r, uint64_t *value, const char **variable)
{
	bool negative = at(r, '-');
	*value = 0;
	if (negative)
		next(r);
	if (r->tok.kind == PTX_TOK_INT) {
		*value = negative ? -r->tok.value : r->tok.value;
	} else if (r->tok.kind == PTX_TOK_NAME) {
		struct hash_link *link = hash_find(&r->known, r->tok.text, r->tok.len);
		if (link)
			*value = hash_entry(link, struct known, link)->value;
		else
			*variable = arena_strndup(r->arena, r->tok.text, r->tok.len);
	} else if (r->tok.kind != PTX_TOK_DOT) {
		return false;
	}
	next(r);
	return true;
}

static uint32_t directive_bytes(const struct ptx_token *t)
{
	static const struct {
		const char *word;
		uint32_t bytes;
	} widths[] = {{"b8", 1}, {"b16", 2}, {"b32", 4}, {"b64", 8}};
	for (size_t i = 0; t->kind == PTX_TOK_DOT && i < sizeof widths / sizeof *widths; i++)
		if (strlen(widths[i].word) == t->len && memcmp(widths[i].word, t->text, t->len) == 0)
			return widths[i].bytes;
	return 0;
}

static bool read_section(struct section_reader *r, const struct ptx_section_text *text)
{
	ptx_lexer_init(&r->lexer, text->text, text->len);
	for (next(r); r->tok.kind != PTX_TOK_END;) {
		uint32_t bytes = directive_bytes(&r->tok);
		if (bytes) {
			do {
				next(r);

				const char *variable = NULL, *other = NULL;
				uint64_t value, more;
				if (!read_term(r, &value, &variable))
					return false;
				while (at(r, '+') || at(r, '-')) {
					bool minus = at(r, '-');
					next(r);
					if (!read_term(r, &more, &other) || other)
						return false;
					value = minus ? value - more : value + more;
				}
				struct ptx_section *out = r->out;
				if (variable)
					*vec_push_in(r->arena, out->symbols, out->n_symbols,
						out->cap_symbols) = (struct ptx_symbol_at){out->size, variable};

				vec_reserve_in(r->arena, out->bytes, out->size, out->cap, bytes);
				memcpy(out->bytes + out->size, &value, bytes);
				out->size += bytes;
			} while (at(r, ','));
		} else if (r->tok.kind == PTX_TOK_NAME || at(r, ':')) {
			next(r); /* a label: find_labels */
		} else {
			return false;
		}
	}
	return true;
}

bool ptx_sections_read(struct arena *arena, const struct ptx_module *module, struct ptx_section out[PTX_SECTIONS])
{
	struct section_reader r = {.arena = arena};
	bool ok = true;
	memset(out, 0, PTX_SECTIONS * sizeof *out);
	for (int i = 0; i < module->n_sections && ok; i++)
		ok = section_kind(module->sections[i].name, module->sections[i].name_len) != PTX_SECTION_INFO;
	if (ok)
		return false;
	hash_init(&r.known, arena);

	for (int i = 0; i < module->n_kernels; i++) {
		const struct ptx_kernel *k = module->kernels[i];
		add_known(&r, k->name, strlen(k->name), code_address(i, 0));
		for (int l = 0; l < k->n_labels; l++)
			add_known(&r, k->labels[l].name, k->labels[l].len, code_address(i, k->labels[l].instr));
	}

	for (int i = 0; i < module->n_sections; i++) {
		/* Labels of a section, at the bytes before them: they may be used before they are read. */
		struct ptx_token before = {.kind = PTX_TOK_END};
		uint64_t size = 0;
		uint32_t bytes = 0;
		ptx_lexer_init(&r.lexer, module->sections[i].text, module->sections[i].len);
		for (next(&r); r.tok.kind != PTX_TOK_END; next(&r)) {
			uint32_t width = directive_bytes(&r.tok);
			if (at(&r, ':') && before.kind == PTX_TOK_NAME)
				add_known(&r, before.text, before.len, size);
			bytes = width ? width : bytes;
			size += width ? width : at(&r, ',') ? bytes : 0;
			before = r.tok;
		}
	}
	for (int i = 0; i < module->n_sections; i++) {
		int kind = section_kind(module->sections[i].name, module->sections[i].name_len);
		if (kind < 0)
			continue;
		r.out = &out[kind];
		if (!read_section(&r, &module->sections[i]))
			return false;
	}
	return true;
}

const char *ptx_section_symbol(const struct ptx_section *section, size_t offset)
{
	size_t low = 0, high = section->n_symbols;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (section->symbols[middle].offset == offset)
			return section->symbols[middle].name;
		if (section->symbols[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}
