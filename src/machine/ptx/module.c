/* Queries on a parsed module, and the layout of its variables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/ptx/instr.h"
#include "machine/ptx/parse.h"

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

/* The function that a call names and that has no body, or NULL. */
static const struct ptx_kernel *undefined_callee(const struct ptx_module *m, const struct ptx_instr *instr)
{
	if (instr_kind(instr->form) != PTX_KIND_CALL || instr->operands[PTX_CALL_CALLEE].kind != PTX_FUNC)
		return NULL;
	const struct ptx_kernel *callee = m->functions[instr->operands[PTX_CALL_CALLEE].index];
	return callee->defined || callee->builtin ? NULL : callee;
}

static bool is_supported(const struct ptx_module *m, const struct ptx_instr *instr, struct diag *diag)
{
	struct diag_pos pos = {m->name, instr->line, instr->col, m->text, m->text_len};
	const struct ptx_kernel *missing = undefined_callee(m, instr);
	const char *why = instr->form->why;

	if (!instr_is_known(instr->form))
		diag_error(diag, pos, "unsupported instruction %.80s%s%s", instr->form->spelling, why ? ": " : "",
			why ? why : "");
	else if (missing)
		diag_error(diag, pos, "unsupported call of %.80s, which has no body in this PTX", missing->name);
	return instr_is_known(instr->form) && !missing;
}

const struct ptx_kernel *ptx_find_kernel(struct ptx_module *m, const char *name, struct diag *diag)
{
	struct ptx_kernel *k = ptx_pick_kernel(m, name, diag);
	bool ok = k != NULL;

	if (k && !k->parts)
		ptx_link(m, k);
	for (int i = 0; k && i < k->n_parts; i++) {
		for (int j = 0; j < k->parts[i].code->n_instrs; j++)
			ok &= is_supported(m, &k->parts[i].code->instrs[j], diag);
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
