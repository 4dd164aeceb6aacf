#include "model/probe/private.h"

#include <string.h>

#include "machine/ptx/lex.h"

struct scan {
	const struct ptx_module *module;
	struct ptx_lexer lexer;
	struct ptx_token tok;
};

static void next(struct scan *s)
{
	ptx_lex(&s->lexer, &s->tok);
}

static bool at(const struct scan *s, char punct)
{
	return s->tok.kind == PTX_TOK_PUNCT && s->tok.punct == punct;
}

static bool at_dot(const struct scan *s, const char *word)
{
	return s->tok.kind == PTX_TOK_DOT && s->tok.len == strlen(word) && !memcmp(s->tok.text, word, s->tok.len);
}

static bool at_end(const struct scan *s)
{
	return s->tok.kind == PTX_TOK_END;
}

/* Of the token: its first byte, and the one after its last. */
static size_t token_begin(const struct scan *s)
{
	return (size_t)(s->tok.text - s->module->text);
}

static size_t token_end(const struct scan *s)
{
	return token_begin(s) + s->tok.len;
}

/* Until the token is `punct`; false at the end of the text. */
static bool go_to(struct scan *s, char punct)
{
	while (!at_end(s) && !at(s, punct))
		next(s);
	return at(s, punct);
}

static bool at_instr(const struct scan *s, const struct ptx_kernel *k, int n)
{
	return n < k->n_instrs && s->tok.line == k->instrs[n].line && s->tok.col == k->instrs[n].col;
}

static bool find_directive(struct scan *s, struct arena *arena, struct probe_text_places *out, int *n)
{
	if (at_dot(s, "entry") || at_dot(s, "func")) {
		next(s);

		/* a function that is only declared is passed over */
		struct probe_text_kernel found = {0};
		if (at(s, '(')) { /* results */
			if (!go_to(s, ')'))
				return false;
			next(s);
		}
		size_t name_end = token_end(s);
		next(s);

		/* The token is after the name. */
		found.list = TEXT_NO_LIST;
		found.params = name_end;
		if (at(s, '(')) {
			next(s);
			found.list = at(s, ')') ? TEXT_EMPTY_LIST : TEXT_LIST;
			if (!go_to(s, ')'))
				return false;
			found.params = token_begin(s);
			next(s);
		}

		for (; !at_end(s) && !at(s, '{') && !at(s, ';'); next(s))
			if (at_dot(s, "pragma") && !go_to(s, ';'))
				return false;
		if (!at(s, '{'))
			return !at_end(s);
		if (*n == s->module->n_kernels)
			return false;
		const struct ptx_kernel *k = s->module->kernels[*n];
		found.body = token_end(s);
		found.instrs = arena_array(arena, struct probe_text_span, (size_t)k->n_instrs);
		next(s);

		/* Up to the closing brace; instructions come in their order, each by the place of its opcode. */
		size_t guard = 0;
		bool ok = false, guarded = false;
		int n_instrs = 0;
		for (int depth = 1; !at_end(s); next(s)) {
			if (at(s, '@')) {
				guard = token_begin(s);
				guarded = true;
			}
			if (at_instr(s, k, n_instrs)) {
				/* what stands for its operands is there, too: machine/ptx/insert.c */
				const struct scan opcode = *s;
				struct probe_text_span span = {.begin = guarded ? guard : token_begin(s)};
				if (!go_to(s, ';'))
					break;
				span.end = token_end(s);
				while (at_instr(&opcode, k, n_instrs))
					found.instrs[n_instrs++] = span;
				guarded = false;
				continue;
			}
			depth += at(s, '{') - at(s, '}');
			if (!depth) {
				found.body_end = token_begin(s);
				ok = n_instrs == k->n_instrs;
				break;
			}
		}

		out->kernels[(*n)++] = found;
		return ok;
	}
	if (at_dot(s, "section")) {
		if (!go_to(s, '{'))
			return false;
		/* from an opening brace to just after the one that closes it */
		int depth = 0;
		do {
			depth += at(s, '{') - at(s, '}');
			next(s);
		} while (depth && !at_end(s));
		return !depth;
	}
	if (at_dot(s, "target")) {
		/* .target NAME, NAME ... */
		do {
			next(s);
			out->head_end = token_end(s);
			next(s);
		} while (at(s, ','));
		return true;
	}
	bool version = at_dot(s, "version"), size = at_dot(s, "address_size");
	next(s);
	if (version) {
		out->version = token_begin(s);
		out->version_end = (size_t)(s->lexer.at - s->module->text);
	}
	if (version || size)
		out->head_end = (size_t)(s->lexer.at - s->module->text);
	return true;
}

bool probe_text_find(struct arena *arena, const struct ptx_module *module, struct probe_text_places *out)
{
	struct scan s = {.module = module};
	int n = 0;
	*out = (struct probe_text_places){
		.kernels = arena_array(arena, struct probe_text_kernel, (size_t)module->n_kernels)};
	ptx_lexer_init(&s.lexer, module->text, module->text_len);
	next(&s);
	while (!at_end(&s))
		if (!find_directive(&s, arena, out, &n))
			return false;
	return n == module->n_kernels && out->version_end > out->version;
}
