#include "machine/ptx/parse.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* --- directives --------------------------------------------------------------------------------------------------- */

/* One to three numbers with commas between, which ptxas takes up to 32 bits. */
static bool parse_dims(struct ptx_parser *p, uint32_t least, uint32_t dims[3])
{
	const struct ptx_token first = p->tok;
	uint64_t all = 1;
	dims[0] = dims[1] = dims[2] = 1;
	for (int i = 0; i < 3; i++) {
		const struct ptx_token at = p->tok;
		int64_t value;
		if (!ptx_parse_int(p, &value))
			return false;
		if (value < least || value > UINT32_MAX) {
			ptx_fault(p, &at, "expected a number from %" PRIu32 " to %" PRIu32, least, UINT32_MAX);
			return false;
		}
		dims[i] = value ? (uint32_t)value : 1;
		all *= dims[i]; /* of 32 bits times one of 32 */
		if (all > UINT32_MAX) {
			ptx_fault(p, &first, "the product of these numbers is more than %" PRIu32, UINT32_MAX);
			return false;
		}
		if (!ptx_take(p, ','))
			return true;
	}
	ptx_fault(p, &first, "there are more than three numbers");
	return false;
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

static bool parse_param_list(struct ptx_parser *p)
{
	if (!ptx_take(p, '('))
		return true;
	if (ptx_take(p, ')'))
		return true;
	do {
		if (!ptx_parse_param(p))
			return false;
	} while (ptx_take(p, ','));
	return ptx_expect(p, ')');
}

/* After .entry or .func was read. */
static bool parse_kernel(struct ptx_parser *p, bool entry)
{
	struct ptx_token name;

	p->kernel = arena_array(p->arena, struct ptx_kernel, 1);
	p->kernel->module = p->module;
	p->kernel->entry = entry;
	p->cap.instrs = p->cap.regs = p->cap.uses = p->cap.params = p->cap.labels = 0;
	p->mark++;
	p->loc = -1;
	ptx_names_enter(&p->names);

	bool ok;
	struct ptx_kernel *k = p->kernel;
	if (!k->entry && !ptx_parse_formals(p, &k->signature.results, &k->signature.n_results)) {
		ok = false;
	} else if (p->tok.kind != PTX_TOK_NAME) {
		ptx_unexpected(p, "a kernel's name");
		ok = false;
	} else {
		name = p->tok;
		k->name = arena_strndup(p->arena, name.text, name.len);
		k->line = name.line;
		k->col = name.col;
		ptx_next(p);

		if (!(k->entry ? parse_param_list(p)
			       : ptx_parse_formals(p, &k->signature.params, &k->signature.n_params))) {
			ok = false;
		} else {
			/* What may stand between a kernel's parameters and its body. */
			uint32_t dims[3] = {1, 1, 1};
			ok = true;
			while (p->tok.kind == PTX_TOK_DOT) {
				bool required = ptx_at_dot(p, "reqntid"), maximum = ptx_at_dot(p, "maxntid");
				bool cluster = ptx_at_dot(p, "reqnctapercluster"),
				     rank = ptx_at_dot(p, "maxclusterrank");
				p->kernel->explicit_cluster |= ptx_at_dot(p, "explicitcluster");
				if (ptx_at_dot(p, "pragma")) {
					ptx_skip_statement(p);
					continue;
				}
				ptx_next(p);
				bool threads = required || maximum;
				if ((threads || p->tok.kind == PTX_TOK_INT) && !parse_dims(p, threads, dims)) {
					ok = false;
					break;
				}
				if (threads) {
					uint64_t n = (uint64_t)dims[0] * dims[1] * dims[2];
					p->kernel->max_threads = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
				}
				if (cluster)
					memcpy(p->kernel->cluster, dims, sizeof dims);
				if (rank)
					p->kernel->max_cluster = dims[0];
				if (required)
					memcpy(p->kernel->required, dims, sizeof dims);
				if (ptx_at(p, '(')) { /* .abi_preserve and the like */
					while (p->tok.kind != PTX_TOK_END && !ptx_take(p, ')'))
						ptx_next(p);
				}
			}
		}
	}

	p->kernel->defined = ok && ptx_at(p, '{');
	if (ok && !entry)
		ptx_declare_function(p, &name);
	bool declaration = ok && ptx_take(p, ';');
	if (!ok || declaration || !ptx_expect(p, '{')) {
		ptx_names_leave(&p->names);
		p->kernel = NULL;
		return declaration;
	}
	ptx_declare_formals(p);
	ptx_parse_body(p);
	if (entry) {
		struct ptx_symbol *s = ptx_names_find(&p->names, name.text, name.len);
		if (s)
			ptx_fault(p, &name, "%.*s is declared twice, first in line %d",
				(int)(name.len > 60 ? 60 : name.len), name.text, s->line);
		else
			ptx_names_add(&p->names, 0, name.text, name.len, PTX_SYM_KERNEL)->line = name.line;
	}

	ptx_layout(p->kernel);
	if (p->diag->errors == p->errors_before && !ptx_build_cfg(p->arena, p->kernel))
		ptx_fault_at(p, p->kernel->line, p->kernel->col, "the branches of this kernel are too entangled");
	*vec_push_in(p->arena, p->module->kernels, p->module->n_kernels, p->cap.kernels) = p->kernel;

	p->kernel = NULL;
	return true;
}

/* --- the module --------------------------------------------------------------------------------------------------- */

static bool parse_directive(struct ptx_parser *p)
{
	if (ptx_take_dot(p, "version")) {
		bool known = (p->tok.kind == PTX_TOK_F64 || p->tok.kind == PTX_TOK_INT) && p->tok.text[0] != '0';
		if (known)
			ptx_next(p);
		else
			ptx_unexpected(p, "a version, as 6.3,");
		return known;
	}
	if (ptx_take_dot(p, "target")) {
		do { /* sm_90, or what is asked besides, as texmode_independent */
			char word[16] = "";
			struct ptx_target target = {0};
			memcpy(word, p->tok.text, p->tok.len < sizeof word ? p->tok.len : 0);
			if (sscanf(word, "sm_%4d%c", &target.cc, &target.only) > 0)
				p->module->built_for = target;
			ptx_next(p);
		} while (ptx_take(p, ','));
		return true;
	}
	if (ptx_take_dot(p, "address_size")) {
		struct ptx_token at = p->tok;
		int64_t bits;
		if (!ptx_parse_int(p, &bits))
			return false;
		if (bits != 64)
			ptx_fault(p, &at, "addresses have to be of 64 bits");
		return true;
	}
	if (ptx_take_dot(p, "file"))
		return ptx_parse_file(p);
	if (ptx_take_dot(p, "section")) {
		/* .section NAME { ... }: debug information, which machine/ptx/section.h reads when it is asked for. */
		struct ptx_token open = p->tok;
		struct ptx_section_text section = {.name = open.text, .name_len = open.len};
		while (p->tok.kind != PTX_TOK_END && !ptx_at(p, '{'))
			ptx_next(p);
		section.text = p->tok.text + 1;
		for (int depth = 0; p->tok.kind != PTX_TOK_END; ptx_next(p)) {
			depth += ptx_at(p, '{') - ptx_at(p, '}');
			if (!depth) {
				section.len = (size_t)(p->tok.text - section.text);
				*vec_push_in(p->arena, p->module->sections, p->module->n_sections,
					p->cap.sections) = section;
				ptx_next(p);
				return true;
			}
		}
		ptx_fault(p, &open, "this section does not end");
		return false;
	}
	if (ptx_take_dot(p, "loc"))
		return ptx_parse_loc(p);
	if (ptx_take_dot(p, "alias"))
		return ptx_parse_alias(p);
	if (ptx_at_dot(p, "pragma") || ptx_at_dot(p, "tex")) {
		ptx_skip_statement(p);
		return true;
	}

	bool is_extern = false;
	while (ptx_at_dot(p, "extern") || ptx_at_dot(p, "visible") || ptx_at_dot(p, "weak") ||
		ptx_at_dot(p, "common")) {
		is_extern |= ptx_at_dot(p, "extern");
		ptx_next(p);
	}
	if (ptx_take_dot(p, "entry"))
		return parse_kernel(p, true);
	if (ptx_take_dot(p, "func"))
		return parse_kernel(p, false);
	if (ptx_take_dot(p, "global"))
		return ptx_parse_var(p, SPACE_GLOBAL, is_extern);
	if (ptx_take_dot(p, "const"))
		return ptx_parse_var(p, SPACE_CONST, is_extern);
	if (ptx_take_dot(p, "shared"))
		return ptx_parse_var(p, SPACE_SHARED, is_extern);
	ptx_unexpected(p, "a directive");
	return false;
}

/* To where a directive of the module can start again. */
static void skip_directive(struct ptx_parser *p)
{
	static const char *const starts[] = {
		"visible", "entry", "func", "extern", "weak", "section", "global", "const"};
	for (;;) {
		if (p->tok.kind == PTX_TOK_END)
			return;
		for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
			if (ptx_at_dot(p, starts[i]))
				return;
		}
		ptx_next(p);
	}
}

struct ptx_module *ptx_parse(struct arena *arena, const char *name, const char *text, size_t len, struct diag *diag)
{
	if (len > PTX_TEXT_MAX) {
		diag_error(diag, (struct diag_pos){.file = name}, "the PTX is larger than %zu MiB", PTX_TEXT_MAX >> 20);
		return NULL;
	}
	struct ptx_module *module = arena_array(arena, struct ptx_module, 1);
	module->arena = arena;
	module->name = arena_strdup(arena, name ? name : "PTX");
	module->text = arena_strndup(arena, text ? text : "", text ? len : 0);
	module->text_len = len;
	struct ptx_parser p = {
		.arena = arena, .diag = diag, .errors_before = diag->errors, .module = module, .loc = -1};
	ptx_names_init(&p.names, arena);
	ptx_forms_init(&p.forms, arena);
	hash_init(&p.positions, arena);
	ptx_lexer_init(&p.lexer, module->text, len);
	ptx_next(&p);

	bool versioned = ptx_at_dot(&p, "version");
	if (!versioned)
		ptx_fault(&p, &p.tok, "PTX begins with .version");
	while (p.tok.kind != PTX_TOK_END && !ptx_given_up(&p)) {
		const char *before = p.tok.text;
		if (ptx_take(&p, ';'))
			continue;
		if (p.tok.kind == PTX_TOK_DOT ? !parse_directive(&p) : (ptx_unexpected(&p, "a directive"), true)) {
			if (!versioned)
				break; /* this is no PTX; one message is enough */
			if (p.tok.text == before)
				ptx_next(&p);
			skip_directive(&p);
		}
	}
	ptx_resolve_locs(p.module);
	return diag->errors == p.errors_before ? module : NULL;
}
