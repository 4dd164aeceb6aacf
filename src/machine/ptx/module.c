/* A parsed module: its kernels by the names that readers have for them, what a launch of one may reach, the layout of
 * its variables, and questions about it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/demangle.h"
#include "machine/ptx/instr.h"
#include "machine/ptx/parse.h"

/* --- kernels, functions and variables by name --------------------------------------------------------------------- */

#define LISTED_MAX 10

/* Those that a name may mean. */
struct candidates {
	struct arena *arena;
	const char *asked;
	struct buf list; /* as the source has them */
	int n, found;    /* how many there are; the last one */
	bool exact;      /* it has that name in the PTX */
};

/* Notes the candidate when it fits. */
static void try_candidate(struct candidates *c, const char *name, int index)
{
	bool exact = c->asked && strcmp(name, c->asked) == 0;
	if (c->exact || (c->asked && !exact && !demangle_is(c->arena, name, c->asked)))
		return;
	c->exact = exact;
	c->n = exact ? 1 : c->n + 1;
	c->found = index;
	if (c->n <= LISTED_MAX)
		buf_printf(&c->list, "%s%s", c->n > 1 ? ", " : "", demangle_signature(c->arena, name));
}

static struct candidates new_candidates(const char *asked)
{
	return (struct candidates){.arena = arena_new(), .asked = asked && *asked ? asked : NULL, .found = -1};
}

static void end_list(struct candidates *c)
{
	if (c->n > LISTED_MAX)
		buf_printf(&c->list, " and %d more", c->n - LISTED_MAX);
}

static void free_candidates(struct candidates *c)
{
	buf_free(&c->list);
	arena_free(c->arena);
}

static struct candidates try_entries(const struct ptx_module *m, const char *name)
{
	struct candidates c = new_candidates(name);
	for (int i = 0; i < m->n_kernels; i++)
		if (m->kernels[i]->entry)
			try_candidate(&c, m->kernels[i]->name, i);
	end_list(&c);
	return c;
}

static struct ptx_kernel *pick_kernel(struct ptx_module *m, const char *name, struct diag *diag)
{
	struct candidates c = try_entries(m, name);
	struct diag_pos pos = {.file = m->name};
	struct ptx_kernel *found = c.n == 1 ? m->kernels[c.found] : NULL;
	if (c.n > 1) {
		diag_error(diag, pos, "which %s? There are %s", c.asked ? c.asked : "kernel", buf_str(&c.list));
	} else if (!found) {
		struct candidates all = try_entries(m, NULL);
		if (all.n)
			diag_error(diag, pos, "there is no kernel %s; there are: %s", c.asked, buf_str(&all.list));
		else
			diag_error(diag, pos, "there is no kernel in this PTX");
		free_candidates(&all);
	}
	free_candidates(&c);
	return found;
}

const char *ptx_resolve_kernel(struct ptx_module *m, const char *name, struct diag *diag)
{
	const struct ptx_kernel *kernel = pick_kernel(m, name, diag);
	return kernel ? kernel->name : NULL;
}

/* An error that says which there are, unless one was found. */
static bool check_found(
	struct candidates *c, struct candidates *all, const char *what, struct diag_pos pos, struct diag *diag)
{
	end_list(c);
	end_list(all);
	if (c->n > 1)
		diag_error(diag, pos, "which %s? There are %s", c->asked, buf_str(&c->list));
	else if (!c->n)
		diag_error(diag, pos, "there is no %s %s%s%s", what, c->asked, all->n ? "; there are: " : "",
			buf_str(&all->list));
	bool found = c->n == 1;
	free_candidates(c);
	free_candidates(all);
	return found;
}

const struct ptx_kernel *ptx_take_function(
	struct ptx_module *m, const char *name, struct diag_pos pos, struct diag *diag)
{
	struct candidates c = new_candidates(name), all = new_candidates(NULL);
	for (int i = 0; i < m->n_functions; i++) {
		if (!m->functions[i]->defined)
			continue;
		try_candidate(&c, m->functions[i]->name, i);
		try_candidate(&all, m->functions[i]->name, i);
	}
	struct ptx_kernel *function = c.n == 1 ? m->functions[c.found] : NULL;
	if (!check_found(&c, &all, "function", pos, diag))
		return NULL;
	if (function->address_taken)
		return function;
	function->address_taken = true;
	for (int i = 0; i < m->n_kernels; i++) { /* kernels that were linked may reach one function more */
		struct ptx_kernel *k = m->kernels[i];
		if (!k->entry)
			continue;
		k->parts = NULL;
		k->n_parts = k->n_linked = 0;
		k->shared_bytes = 0;
	}
	return function;
}

const struct ptx_var *ptx_find_variable(
	const struct ptx_module *m, const char *name, struct diag_pos pos, struct diag *diag)
{
	struct candidates c = new_candidates(name), all = new_candidates(NULL);
	for (int i = 0; i < m->n_vars; i++) {
		if (m->vars[i]->is_extern || m->vars[i]->opaque ||
			(m->vars[i]->space != SPACE_GLOBAL && m->vars[i]->space != SPACE_CONST))
			continue;
		try_candidate(&c, m->vars[i]->name, i);
		try_candidate(&all, m->vars[i]->name, i);
	}
	const struct ptx_var *var = c.n == 1 ? m->vars[c.found] : NULL;
	return check_found(&c, &all, "__device__ or __constant__ variable", pos, diag) ? var : NULL;
}

/* --- linking ------------------------------------------------------------------------------------------------------ */

/* What a launch of an entry may execute: the entry and the functions that it can reach, with their instructions
 * numbered one after the other and their shared variables in one window. */

struct linker {
	struct ptx_module *module;
	struct ptx_kernel *entry;
	size_t cap;       /* of the parts */
	bool reached_any; /* some indirect call may reach every function whose address is taken */
};

static void add_part(struct linker *l, struct ptx_kernel *code)
{
	struct ptx_kernel *entry = l->entry;
	if (!code->defined || code->mark == l->module->marks)
		return;
	code->mark = l->module->marks;
	code->part = entry->n_parts;
	*vec_push_in(l->module->arena, entry->parts, entry->n_parts, l->cap) = (struct ptx_part){
		.code = code, .first = entry->n_linked};
	entry->n_linked += code->n_instrs;
}

static uint64_t align_up(uint64_t value, uint64_t align)
{
	return (value + align - 1) / align * align;
}

const struct ptx_part *ptx_part_of(const struct ptx_kernel *entry, int index)
{
	int low = 0, high = entry->n_parts; /* parts below `low` start at or before it, those from `high` on after it */
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (entry->parts[middle].first <= index)
			low = middle + 1;
		else
			high = middle;
	}
	return &entry->parts[low - 1];
}

/* --- layout, and questions on a parsed module --------------------------------------------------------------------- */

void ptx_layout(struct ptx_kernel *k)
{
	for (int i = 0; i < k->n_uses; i++) {
		struct ptx_use *use = &k->uses[i];
		const struct ptx_var *var = use->var;
		if (var->space == SPACE_LOCAL || var->in_frame) {
			use->offset = (k->local_bytes + var->align - 1) / var->align * var->align;
			k->local_bytes = use->offset + var->size;
		} else if (var->space == SPACE_PARAM && var->index < k->n_params) {
			use->offset = k->params[var->index].offset;
		}
	}
}

const struct ptx_kernel *ptx_find_kernel(struct ptx_module *m, const char *name, struct diag *diag)
{
	struct ptx_kernel *k = pick_kernel(m, name, diag);
	bool ok = k != NULL;

	if (k && !k->parts) {
		/* Linked: the functions that it may call become its parts, and shared variables get their places. */
		struct linker l = {.module = m, .entry = k};

		m->marks++;
		add_part(&l, k);
		for (int i = 0; i < k->n_parts; i++) { /* n_parts grows as calls are found */
			const struct ptx_kernel *code = k->parts[i].code;
			for (int j = 0; j < code->n_instrs; j++) {
				if (instr_kind(code->instrs[j].form) == PTX_KIND_CALL) {
					const struct ptx_instr *call = &code->instrs[j];
					const struct ptx_operand *callee = &call->operands[PTX_CALL_CALLEE];
					if (callee->kind == PTX_FUNC) {
						add_part(&l, m->functions[callee->index]);
						continue;
					}
					const struct ptx_prototype
						*proto = &m->prototypes[call->operands[PTX_CALL_PROTOTYPE].index];
					for (int t = 0; t < proto->n_targets; t++)
						add_part(&l, m->functions[proto->targets[t]->index]);
					if (!proto->targets) {
						for (int f = 0; f < m->n_functions && !l.reached_any; f++) {
							if (m->functions[f]->address_taken)
								add_part(&l, m->functions[f]);
						}
						l.reached_any = true;
					}
				}
			}
		}
		for (int i = 0; i < k->n_parts; i++) {
			struct ptx_part *part = &k->parts[i];
			part->offsets = arena_array(m->arena, uint64_t, (size_t)part->code->n_uses);

			/* A shared variable that several parts use has one place. */
			for (int j = 0; j < part->code->n_uses; j++) {
				struct ptx_var *var = part->code->uses[j].var;
				part->offsets[j] = part->code->uses[j].offset;
				if (var->space != SPACE_SHARED || var->dynamic)
					continue;
				if (var->mark != -m->marks) {
					var->mark = -m->marks; /* the parser's are positive */
					var->place = align_up(k->shared_bytes, var->align);
					k->shared_bytes = var->place + var->size;
				}
				part->offsets[j] = var->place;
			}
		}

		/* Dynamic shared memory starts after the static variables, whichever part names it. */
		uint64_t align = 0;
		for (int i = 0; i < k->n_parts; i++) {
			const struct ptx_kernel *code = k->parts[i].code;
			for (int j = 0; j < code->n_uses; j++) {
				if (code->uses[j].var->dynamic && code->uses[j].var->align >= align)
					align = code->uses[j].var->align > 16 ? code->uses[j].var->align : 16;
			}
		}
		if (align) {
			k->shared_bytes = align_up(k->shared_bytes, align);
			for (int i = 0; i < k->n_parts; i++) {
				const struct ptx_kernel *code = k->parts[i].code;
				for (int j = 0; j < code->n_uses; j++) {
					if (code->uses[j].var->dynamic)
						k->parts[i].offsets[j] = k->shared_bytes;
				}
			}
		}
	}
	for (int i = 0; k && i < k->n_parts; i++) {
		for (int j = 0; j < k->parts[i].code->n_instrs; j++) {
			const struct ptx_instr *instr = &k->parts[i].code->instrs[j];
			struct diag_pos pos = {m->name, instr->line, instr->col, m->text, m->text_len};
			const struct ptx_kernel *callee = NULL;
			if (instr_kind(instr->form) == PTX_KIND_CALL &&
				instr->operands[PTX_CALL_CALLEE].kind == PTX_FUNC)
				callee = m->functions[instr->operands[PTX_CALL_CALLEE].index];
			if (!instr_is_known(instr->form)) {
				const char *why = instr->form->why;
				diag_error(diag, pos, "unsupported instruction %.80s%s%s", instr->form->spelling,
					why ? ": " : "", why ? why : "");
				ok = false;
			} else if (callee && !callee->defined && !callee->builtin) {
				diag_error(diag, pos, "unsupported call of %.80s, which has no body in this PTX",
					callee->name);
				ok = false;
			}
		}
	}
	return ok ? k : NULL;
}

const struct ptx_module *ptx_kernel_module(const struct ptx_kernel *kernel)
{
	return kernel->module;
}

struct ptx_target ptx_built_for(const struct ptx_module *module)
{
	return module->built_for;
}

bool ptx_target_fits(struct ptx_target target, int cc)
{
	return target.only == 'a'                                 ? cc == target.cc
		: target.only == 'f' && cc / 10 != target.cc / 10 ? false
								  : cc >= target.cc;
}

bool ptx_dynamic_shared(const struct ptx_module *m, const char *kernel)
{
	for (int i = 0; i < m->n_kernels; i++) {
		const struct ptx_kernel *k = m->kernels[i];
		for (int p = 0; p < k->n_parts && k->entry && strcmp(k->name, kernel) == 0; p++)
			for (int u = 0; u < k->parts[p].code->n_uses; u++)
				if (k->parts[p].code->uses[u].var->dynamic)
					return true;
	}
	return false;
}

int ptx_kernel_count(const struct ptx_module *m)
{
	int n = 0;
	for (int i = 0; i < m->n_kernels; i++)
		n += m->kernels[i]->entry;
	return n;
}

const char *ptx_kernel_name(const struct ptx_module *m, int index)
{
	for (int i = 0; i < m->n_kernels; i++) {
		if (m->kernels[i]->entry && index-- == 0)
			return m->kernels[i]->name;
	}
	return NULL;
}

int ptx_param_count(const struct ptx_kernel *k)
{
	return k->n_params;
}

struct ptx_param ptx_kernel_param(const struct ptx_kernel *k, int index)
{
	return k->params[index];
}

bool ptx_has_linear_sampler(const struct ptx_kernel *k)
{
	for (int i = 0; i < k->module->n_vars; i++)
		if (k->module->vars[i]->opaque == PTX_SAMPLERREF && k->module->vars[i]->sampler->linear)
			return true;
	return false;
}

enum ptx_opaque ptx_opaque_of(const struct ptx_kernel *k, const char *name)
{
	for (int i = 0; i < k->module->n_vars; i++)
		if (k->module->vars[i]->opaque && strcmp(k->module->vars[i]->name, name) == 0)
			return (enum ptx_opaque)k->module->vars[i]->opaque;
	return PTX_NOT_OPAQUE;
}

uint32_t ptx_param_bytes(const struct ptx_kernel *k)
{
	return k->param_bytes;
}

uint32_t ptx_shared_bytes(const struct ptx_kernel *k)
{
	return k->shared_bytes < UINT32_MAX ? (uint32_t)k->shared_bytes : UINT32_MAX;
}

int ptx_instr_count(const struct ptx_kernel *k)
{
	return k->n_linked;
}
