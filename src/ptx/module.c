/* What a caller asks of a parsed module, and where its variables lie. */
#include <stdlib.h>
#include <string.h>

#include "ptx/parse.h"

static uint64_t align_up(uint64_t value, uint64_t align)
{
	return (value + align - 1) / align * align;
}

void ptx_layout(struct ptx_kernel *k)
{
	uint64_t dynamic_align = 16;
	for (int i = 0; i < k->n_uses; i++) {
		struct ptx_use *use = &k->uses[i];
		uint64_t *end = use->var->space == PTX_LOCAL ? &k->local_bytes : &k->shared_bytes;
		if (use->var->dynamic && use->var->align > dynamic_align)
			dynamic_align = use->var->align;
		k->dynamic |= use->var->dynamic;
		if (use->var->space == PTX_PARAM && !use->var->call_param && use->var->index < k->n_params)
			use->offset = k->params[use->var->index].offset;
		if ((use->var->space != PTX_LOCAL && use->var->space != PTX_SHARED) || use->var->dynamic)
			continue;
		use->offset = align_up(*end, use->var->align);
		*end = use->offset + use->var->size;
	}
	if (k->dynamic)
		k->shared_bytes = align_up(k->shared_bytes, dynamic_align);
	for (int i = 0; i < k->n_uses; i++) {
		if (k->uses[i].var->dynamic)
			k->uses[i].offset = k->shared_bytes;
	}
}

static void list_entries(const struct ptx_module *m, struct buf *out)
{
	int n = 0;
	for (int i = 0; i < m->n_kernels; i++) {
		if (m->kernels[i]->entry && n++ < 10)
			buf_printf(out, "%s%s", n > 1 ? ", " : "", m->kernels[i]->name);
	}
	if (n > 10)
		buf_printf(out, " and %d more", n - 10);
}

static struct ptx_kernel *pick_kernel(struct ptx_module *m, const char *name, struct diag *diag)
{
	struct ptx_kernel *only = NULL;
	bool any = !name || !*name;
	int entries = 0;

	for (int i = 0; i < m->n_kernels; i++) {
		struct ptx_kernel *k = m->kernels[i];
		if (!k->entry)
			continue;
		if (!any && !strcmp(k->name, name))
			return k;
		entries++;
		only = k;
	}
	if (any && entries == 1)
		return only;
	struct buf list = {0};
	struct diag_pos pos = {.file = m->name};
	list_entries(m, &list);
	if (!entries)
		diag_error(diag, pos, "there is no kernel in this PTX");
	else if (any)
		diag_error(diag, pos, "which kernel? There are %s", buf_str(&list));
	else
		diag_error(diag, pos, "there is no kernel %s; there are: %s", name, buf_str(&list));
	buf_free(&list);
	return NULL;
}

const struct ptx_kernel *ptx_find_kernel(struct ptx_module *m, const char *name, struct diag *diag)
{
	struct ptx_kernel *k = pick_kernel(m, name, diag);
	bool ok = k != NULL;

	for (int i = 0; k && i < k->n_instrs; i++) {
		const struct ptx_instr *instr = &k->instrs[i];
		if (instr->form->op != PTX_OP_UNSUPPORTED)
			continue;
		struct diag_pos pos = {m->name, instr->line, instr->col, m->text, m->text_len};
		const char *why = instr->form->why;
		diag_error(diag, pos, "unsupported instruction %.80s%s%s", instr->form->spelling, why ? ": " : "", why ? why : "");
		ok = false;
	}
	return ok ? k : NULL;
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
	return k->n_instrs;
}

static int compare_file(const void *key, const void *element)
{
	int number = *(const int *)key, other = ((const struct ptx_file *)element)->number;
	return (number > other) - (number < other);
}

struct ptx_place ptx_instr_place(const struct ptx_kernel *k, int index)
{
	const struct ptx_instr *instr = &k->instrs[index];
	const struct ptx_module *m = k->module;
	struct ptx_place place = {.ptx_line = instr->line};
	if (instr->loc < 0 || !m->locs[instr->loc].line || !m->n_files)
		return place;
	const struct ptx_file *file = bsearch(&m->locs[instr->loc].file, m->files, (size_t)m->n_files, sizeof *m->files,
		compare_file);
	if (!file)
		return place;
	place.file = file->name;
	place.line = m->locs[instr->loc].line;
	return place;
}
