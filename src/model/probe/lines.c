#include "model/probe/probe.h"

#include <string.h>

#include "model/probe/private.h"

bool probe_lines_write(struct arena *arena, const struct ptx_module *module, const struct probe_lines_request *request,
	struct buf *ptx, struct diag *diag)
{
	struct probe_text_places places;
	/* a .file that the text does not have; the numbers of others must stay without a gap, or names are lost */
	int number = module->n_files ? module->files[module->n_files - 1].number + 1 : 1;
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
			struct ptx_location place = ptx_location_of(module, &module->kernels[i]->instrs[k]);
			int line = place.ptx_line;
			if (request->file)
				line = place.line && place.file && !strcmp(place.file, request->file) ? place.line
												      : request->none;
			buf_printf(ptx, "\n.loc %d %d 0\n", number, line);
			at = begin;
		}
	buf_append(ptx, module->text + at, module->text_len - at);
	buf_printf(ptx, "\n.file %d \"lines\"\n", number);
	return true;
}
