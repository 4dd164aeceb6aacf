/* What stands between the braces of a kernel or a function. */
#include <string.h>

#include "base/arena.h"
#include "machine/ptx/instr.h"
#include "machine/ptx/parse.h"

static bool leave_scope(struct ptx_parser *p)
{
	/* Labels used in the scope that ends are resolved; those of an outer scope are at its end. */
	int depth = p->names.depth;
	size_t first = p->n_pending;
	while (first && p->pending[first - 1].depth >= depth)
		first--;
	size_t kept = first;
	for (size_t i = first; i < p->n_pending; i++) {
		struct ptx_pending *use = &p->pending[i];
		struct ptx_symbol *s = ptx_names_find(&p->names, use->name, use->len);
		if (s && s->kind == PTX_SYM_LABEL && s->depth == depth) {
			use->operand->index = s->index;
		} else if (depth > 1) {
			p->pending[kept] = *use;
			p->pending[kept++].depth = depth - 1;
		} else {
			ptx_fault_at(p, use->line, use->col, "there is no label %.*s",
				(int)(use->len > 60 ? 60 : use->len), use->name);
		}
	}
	p->n_pending = kept;

	ptx_names_leave(&p->names);
	return p->names.depth > 0;
}

static const char nounroll[] = "nounroll";

static bool parse_body_directive(struct ptx_parser *p)
{
	static const struct {
		const char *word;
		enum mem_space space;
	} spaces[] = {
		{"shared", SPACE_SHARED},
		{"local", SPACE_LOCAL},
		{"global", SPACE_GLOBAL},
		{"const", SPACE_CONST},
		{"param", SPACE_PARAM},
	};
	if (ptx_take_dot(p, "loc"))
		return ptx_parse_loc(p);
	if (ptx_take_dot(p, "reg"))
		return ptx_parse_reg(p);
	bool is_extern = false;
	while (ptx_at_dot(p, "extern") || ptx_at_dot(p, "weak") || ptx_at_dot(p, "visible")) {
		is_extern |= ptx_at_dot(p, "extern");
		ptx_next(p);
	}
	for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
		if (ptx_take_dot(p, spaces[i].word))
			return ptx_parse_var(p, spaces[i].space, is_extern);
	}
	if (ptx_take_dot(p, "file"))
		return ptx_parse_file(p);
	if (ptx_take_dot(p, "pragma")) {
		p->keeps_loop |= p->tok.kind == PTX_TOK_STRING && p->tok.len == strlen(nounroll) &&
			memcmp(p->tok.text, nounroll, p->tok.len) == 0;
		ptx_skip_statement(p);
		return true;
	}
	ptx_unexpected(p, "a directive of a kernel's body");
	return false;
}

static bool parse_statement(struct ptx_parser *p)
{
	struct ptx_token name;
	struct ptx_instr instr = {0};

	if (ptx_take(p, ';'))
		return true;
	if (p->tok.kind == PTX_TOK_DOT)
		return parse_body_directive(p);

	/* `@p` or `@!p`, if there is one. */
	instr.guard = -1;
	if (ptx_take(p, '@')) {
		instr.guard_negated = ptx_take(p, '!');
		if (!ptx_parse_pred(p, &instr.guard))
			return false;
	}

	if (p->tok.kind != PTX_TOK_NAME) {
		ptx_unexpected(p, "an instruction");
		return false;
	}
	name = p->tok;
	ptx_next(p);
	if (instr.guard < 0 && ptx_take(p, ':')) {
		if (ptx_take_dot(p, "branchtargets")) {
			size_t cap = 0;
			struct ptx_token *words = NULL;
			size_t n = 0;
			do {
				if (p->tok.kind != PTX_TOK_NAME) {
					ptx_unexpected(p, "a label");
					return false;
				}
				*vec_push_in(p->arena, words, n, cap) = p->tok;
				ptx_next(p);
			} while (ptx_take(p, ','));
			struct ptx_targets *targets = arena_array(p->arena, struct ptx_targets, 1);
			targets->labels = arena_array(p->arena, struct ptx_operand, n);
			targets->n = (int)n;
			for (size_t i = 0; i < n; i++) {
				targets->labels[i] = (struct ptx_operand){.kind = PTX_LABEL, .second = -1};
				*vec_push_in(p->arena, p->pending, p->n_pending, p->cap.pending) = (struct ptx_pending){
					&targets->labels[i], words[i].text, words[i].len, p->names.depth, words[i].line,
					words[i].col};
			}
			ptx_names_add(&p->names, p->names.depth, name.text, name.len, PTX_SYM_TARGETS)
				->targets = targets;
			return ptx_expect(p, ';');
		}
		if (ptx_take_dot(p, "callprototype"))
			return ptx_parse_callprototype(p, &name);
		if (ptx_take_dot(p, "calltargets"))
			return ptx_parse_calltargets(p, &name);
		struct ptx_symbol *s = ptx_names_find(&p->names, name.text, name.len);
		if (s && s->depth == p->names.depth) {
			ptx_fault(p, &name, "%.*s is declared twice, first in line %d",
				(int)(name.len > 60 ? 60 : name.len), name.text, s->line);
			return true;
		}
		s = ptx_names_add(&p->names, p->names.depth, name.text, name.len, PTX_SYM_LABEL);
		s->index = p->kernel->n_instrs;
		s->line = name.line;
		*vec_push_in(p->arena, p->kernel->labels, p->kernel->n_labels, p->cap.labels) = (struct ptx_label){
			name.text, name.len, p->kernel->n_instrs};
		return true;
	}

	/* The opcode: a name and the suffixes glued to it. */
	const char *end = name.text + name.len;
	while (p->tok.kind == PTX_TOK_DOT && p->tok.glued) {
		end = p->tok.text + p->tok.len;
		ptx_next(p);
	}
	instr.form = ptx_forms_find(&p->forms, name.text, (size_t)(end - name.text));

	instr.line = name.line;
	instr.col = name.col;
	instr.loc = p->loc;
	instr.keeps_loop = p->keeps_loop;
	p->keeps_loop = false;
	instr.reconverge = -1;
	p->instr = &instr;
	if (!instr_is_known(instr.form)) {
		while (p->tok.kind != PTX_TOK_END && !ptx_at(p, ';'))
			ptx_next(p);
	} else if (!ptx_parse_operands(p, &instr)) {
		return false;
	}
	if (instr_is_known(instr.form) && instr_kind(instr.form) == PTX_KIND_STACK) {
		struct ptx_kernel *k = p->kernel;
		if (!k->stack) { /* room for alloca in the frame of the function */
			k->stack = arena_array(p->arena, struct ptx_var, 1);
			*k->stack = (struct ptx_var){.name = "(stack)",
				.space = SPACE_LOCAL,
				.type = PTX_B8,
				.align = 16,
				.element = 1,
				.size = PTX_STACK_BYTES};
			k->stack_use = ptx_use_var(p, k->stack);
		}
	}
	struct ptx_operand result = instr.n ? instr.operands[0] : (struct ptx_operand){0};
	if (instr_is_known(instr.form) && instr.n)
		ptx_insert_parts(p, &instr);
	*vec_push_in(p->arena, p->kernel->instrs, p->kernel->n_instrs, p->cap.instrs) = instr;
	if (instr_is_known(instr.form) && instr.n)
		ptx_insert_result(p, &instr, &result);
	return ptx_expect(p, ';');
}

void ptx_parse_body(struct ptx_parser *p)
{
	struct ptx_token open = p->tok;
	while (p->tok.kind != PTX_TOK_END && !ptx_given_up(p)) {
		if (ptx_at(p, '{')) {
			if (!ptx_names_enter(&p->names)) {
				ptx_fault(p, &p->tok, "scopes are nested deeper than %d", PTX_SCOPES_MAX - 1);
				p->lexer.at = p->lexer.end;
			}
			ptx_next(p);
		} else if (ptx_take(p, '}')) {
			if (!leave_scope(p))
				return;
		} else if (!parse_statement(p)) {
			ptx_skip_statement(p);
		}
	}
	if (!ptx_given_up(p))
		ptx_fault(p, &open, "this kernel does not end");
	while (p->names.depth)
		leave_scope(p);
}
