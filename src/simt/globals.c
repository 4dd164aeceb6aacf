/* The module's own variables: .global ones after the highest address that buffers can have, .const ones in their window.
 * They are new, with their initial values, in every run. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "simt/code.h"
#include "simt/defect.h"
#include "simt/machine.h"
#include "simt/memory.h"
#include "simt/run.h"

#define GLOBALS_ADDRESS ((uint64_t)0x7FF000000000)
#define CONSTANTS_MAX ((uint64_t)64 << 20)

static uint64_t align_up(uint64_t value, uint64_t align)
{
	return (value + align - 1) / align * align;
}

/* Lays the variables of one space out from `base`; their bytes in `region`. */
static bool place(struct machine *m, enum mem_space space, uint64_t base, uint64_t limit, struct region *region)
{
	const struct ptx_module *module = m->program.kernel->module;
	uint64_t end = 0;

	for (int i = 0; i < module->n_vars; i++) {
		const struct ptx_var *var = module->vars[i];
		if (var->space != space)
			continue;
		end = align_up(end, var->align);
		m->variables.address[i] = base + end;
		end += var->size;
		if (end > limit) {
			simt_refuse(m, "the variables of the module take more than the memory there is");
			return false;
		}
	}
	*region = (struct region){.base = base, .size = (size_t)end, .bytes = end ? calloc(end, 1) : NULL};
	if (end && !region->bytes) {
		simt_refuse(m, "no memory for the variables of the module");
		return false;
	}
	return true;
}

static uint64_t generic_address(const struct machine *m, const struct ptx_var *var)
{
	uint64_t window = var->space == SPACE_CONST ? CONST_WINDOW : 0;
	return var->space == SPACE_GLOBAL || var->space == SPACE_CONST ? window + m->variables.address[var->index] : 0;
}

static void fill(struct machine *m, const struct ptx_var *var)
{
	const struct region *region = var->space == SPACE_CONST ? &m->variables.constants : &m->variables.globals;
	uint8_t *bytes = region->bytes + (m->variables.address[var->index] - region->base);

	if (var->init && var->init_size)
		memcpy(bytes, var->init, var->init_size);
	for (const struct ptx_reloc *r = var->relocs; r; r = r->next) {
		uint64_t address = r->function ? simt_function_address(r->function) : generic_address(m, r->target);
		if (!r->generic && !r->function && r->target->space == SPACE_CONST)
			address -= CONST_WINDOW;
		address += (uint64_t)r->addend;
		address >>= r->shift;
		memcpy(bytes + r->offset, &address, r->bytes);
	}
}

bool simt_globals_init(struct machine *m)
{
	const struct ptx_module *module = m->program.kernel->module;

	m->variables.address = arena_array(m->arena, uint64_t, (size_t)module->n_vars);
	if (!place(m, SPACE_GLOBAL, GLOBALS_ADDRESS, m->memory->limit - m->memory->used, &m->variables.globals) ||
		!place(m, SPACE_CONST, 0, CONSTANTS_MAX, &m->variables.constants))
		return false;
	for (int i = 0; i < module->n_vars; i++)
		fill(m, module->vars[i]);
	return true;
}
