#include "model/probe/probe.h"

#include <string.h>

#include "model/probe/private.h"

static int line_in_file(
	const struct ptx_module *module, const struct ptx_instr *instr, const struct probe_lines_request *r)
{
	struct ptx_place place = ptx_place_of(module, instr);
	if (!r->file)
		return place.ptx_line;
	return place.line && place.file && !strcmp(place.file, r->file) ? place.line : r->none;
}

/* The number of a .file that the text does not have. Those of others must stay without a gap, or names are lost. */
static int new_file(const struct ptx_module *module)
{
	return module->n_files ? module->files[module->n_files - 1].number + 1 : 1;
}

bool probe_lines_write(struct arena *arena, const struct ptx_module *module, const struct probe_lines_request *request,
	struct buf *ptx, struct diag *diag)
{
	struct probe_text_places places;
	int number = new_file(module);
	size_t at = 0;
	if (!probe_text_find(arena, module, &places)) {
		diag_error(
			diag, (struct diag_pos){.file = module->name}, "its kernels were not found again in the text");
		return false;
	}
	for (int i = 0; i < module->n_kernels; i++)
		for (int k = 0; k < module->kernels[i]->n_instrs; k++) {
			size_t begin = places.kernels[i].instrs[k].begin;
			buf_append(ptx, module->text + at, begin - at);
			buf_printf(ptx, "\n.loc %d %d 0\n", number,
				line_in_file(module, &module->kernels[i]->instrs[k], request));
			at = begin;
		}
	buf_append(ptx, module->text + at, module->text_len - at);
	buf_printf(ptx, "\n.file %d \"lines\"\n", number);
	return true;
}
