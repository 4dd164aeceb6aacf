/* The module's own variables: .global ones after the highest address that buffers can have, or in a buffer when they
 * are to last; .const ones in their window. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/machine.h"
#include "machine/simt/memory.h"
#include "machine/simt/run.h"
#include "machine/simt/texture.h"

#define GLOBALS_ADDRESS ((uint64_t)0x7FF000000000)
#define GLOBALS_ALIGN 256u
#define CONSTANTS_MAX ((uint64_t)64 << 20)

uint64_t simt_function_address(const struct ptx_kernel *function)
{
	return CODE_WINDOW + 16 * ((uint64_t)function->index + 1);
}

static uint64_t align_up(uint64_t value, uint64_t align)
{
	return (value + align - 1) / align * align;
}

/* Where the variables of a space are, from `base`; returns the end. */
static uint64_t place(const struct ptx_module *module, enum mem_space space, uint64_t base, uint64_t *address)
{
	uint64_t end = 0;
	for (int i = 0; i < module->n_vars; i++) {
		const struct ptx_var *var = module->vars[i];
		if (var->space != space)
			continue;
		if (var->opaque) {
			address[i] = simt_texture_reference(var);
			continue;
		}
		end = align_up(end, var->align);
		address[i] = base + end;
		end += var->size;
	}
	return end;
}

static uint64_t generic_address(const struct variables *variables, const struct ptx_var *var)
{
	uint64_t window = var->space == SPACE_CONST ? CONST_WINDOW : 0;
	return var->space == SPACE_GLOBAL || var->space == SPACE_CONST ? window + variables->address[var->index] : 0;
}

static uint8_t *bytes_of(const struct variables *variables, const struct ptx_var *var)
{
	const struct region *region = var->space == SPACE_CONST ? &variables->constants : &variables->globals;
	uint64_t address = variables->address[var->index];
	if (address - region->base >= region->size && var->size) /* it was moved to the host's memory */
		return (uint8_t *)(uintptr_t)address;
	return region->bytes + (address - region->base);
}

static void fill(const struct variables *variables, const struct ptx_var *var)
{
	if ((var->space != SPACE_GLOBAL && var->space != SPACE_CONST) || var->opaque)
		return;
	uint8_t *bytes = bytes_of(variables, var);
	if (var->init && var->init_size)
		memcpy(bytes, var->init, var->init_size);
	for (const struct ptx_reloc *r = var->relocs; r; r = r->next) {
		uint64_t address = r->function ? simt_function_address(r->function)
					       : generic_address(variables, r->target);
		if (!r->generic && !r->function && r->target->space == SPACE_CONST)
			address -= CONST_WINDOW;
		address += (uint64_t)r->addend;
		address >>= r->shift;
		memcpy(bytes + r->offset, &address, r->bytes);
	}
}

/* False when they do not fit; `message` then says why. Globals of `globals->bytes` are there already when it is not
 * NULL. */
static bool make(struct variables *variables, const struct ptx_module *module, const char **message)
{
	uint64_t constants = place(module, SPACE_CONST, 0, variables->address);
	*message = "no memory for the variables of the module";
	if (constants > CONSTANTS_MAX) {
		*message = "the variables of the module take more than the memory there is";
		return false;
	}
	variables->constants = (struct region){.size = (size_t)constants};
	if (constants && !(variables->constants.bytes = calloc(constants, 1)))
		return false;
	if (variables->globals.size && !variables->globals.bytes &&
		!(variables->globals.bytes = calloc(variables->globals.size, 1)))
		return false;
	for (int i = 0; i < module->n_vars; i++)
		fill(variables, module->vars[i]);
	return true;
}

bool simt_globals_init(struct machine *m)
{
	const struct ptx_module *module = m->program.kernel->module;
	const char *message = "the variables of the module take more than the memory there is";
	if (m->launch->variables) {
		m->variables = m->launch->variables->kept;
		m->variables.globals = (struct region){0}; /* a buffer like others */
		return true;
	}
	m->variables.address = arena_array(m->arena, uint64_t, (size_t)module->n_vars);
	uint64_t globals = place(module, SPACE_GLOBAL, GLOBALS_ADDRESS, m->variables.address);
	m->variables.globals = (struct region){.base = GLOBALS_ADDRESS, .size = (size_t)globals};
	if (globals <= m->memory->limit - m->memory->used && make(&m->variables, module, &message))
		return true;
	m->variables.globals.size = m->variables.globals.bytes ? m->variables.globals.size : 0;
	simt_refuse(m, "%s", message);
	return false;
}

void simt_globals_close(struct machine *m)
{
	if (m->launch->variables)
		return;
	free(m->variables.globals.bytes);
	free(m->variables.constants.bytes);
}

/* --- those that last from one launch to the next
 * ------------------------------------------------------------------- */

/* A buffer for them, zeroed; 0: there is no memory for it. */
static uint64_t new_globals(
	struct simt_variables *v, struct simt_memory *memory, size_t bytes, enum simt_globals globals)
{
	if (globals == SIMT_GLOBALS_APART)
		return simt_memory_alloc(memory, bytes);
	v->host = aligned_alloc(GLOBALS_ALIGN, align_up(bytes, GLOBALS_ALIGN));
	if (!v->host || !simt_memory_map(memory, v->host, bytes))
		return 0;
	memset(v->host, 0, bytes);
	v->memory = memory;
	return (uintptr_t)v->host;
}

static struct simt_variables *begin_variables(const struct ptx_module *module, size_t *bytes)
{
	struct simt_variables *v = base_calloc(1, sizeof *v);
	v->module = module;
	v->kept.address = base_calloc((size_t)module->n_vars + 1, sizeof *v->kept.address);
	*bytes = (size_t)place(module, SPACE_GLOBAL, 0, v->kept.address);
	return v;
}

/* The .global ones have that buffer, 0: there is none. NULL: they cannot be, and are freed. */
static struct simt_variables *finish_variables(
	struct simt_variables *v, struct simt_memory *memory, uint64_t base, size_t bytes)
{
	const char *message;
	if (bytes) {
		place(v->module, SPACE_GLOBAL, base, v->kept.address);
		v->kept.globals = (struct region){
			.base = base, .size = bytes, .bytes = base ? simt_memory_at(memory, base, bytes) : NULL};
	}
	if ((!bytes || v->kept.globals.bytes) && make(&v->kept, v->module, &message))
		return v;
	simt_variables_free(v);
	return NULL;
}

struct simt_variables *simt_variables_new(
	struct simt_memory *memory, const struct ptx_module *module, enum simt_globals globals)
{
	size_t bytes;
	struct simt_variables *v = begin_variables(module, &bytes);
	return finish_variables(v, memory, bytes ? new_globals(v, memory, bytes, globals) : 0, bytes);
}

struct simt_variables *simt_variables_again(
	struct simt_memory *memory, const struct ptx_module *module, uint64_t globals)
{
	size_t bytes;
	struct simt_variables *v = begin_variables(module, &bytes);
	return finish_variables(v, memory, globals, bytes);
}

struct simt_variables_place simt_variables_place(const struct simt_variables *variables)
{
	const struct variables *kept = &variables->kept;
	return (struct simt_variables_place){kept->globals.bytes ? kept->globals.base : 0, kept->constants.bytes,
		kept->constants.size, variables->moved};
}

void simt_variables_free(struct simt_variables *variables)
{
	if (!variables)
		return;
	if (variables->memory)
		simt_memory_release(variables->memory, (uintptr_t)variables->host);
	free(variables->host);
	free(variables->kept.constants.bytes);
	free(variables->kept.address);
	free(variables);
}

bool simt_variables_move(
	struct simt_variables *v, struct simt_memory *memory, const char *name, void *host, void *bytes)
{
	for (int i = 0; i < v->module->n_vars; i++) {
		const struct ptx_var *var = v->module->vars[i];
		if (var->space != SPACE_GLOBAL || var->opaque || strcmp(var->name, name) != 0)
			continue;
		if (!var->size || !simt_memory_map_at(memory, (uintptr_t)host, bytes, var->size))
			return false;
		memset(host, 0, var->size);
		v->kept.address[var->index] = (uintptr_t)host;
		v->moved++;
		for (int k = 0; k < v->module->n_vars; k++) /* others may have its address */
			fill(&v->kept, v->module->vars[k]);
		return true;
	}
	return false;
}

bool simt_variables_find(const struct simt_variables *variables, const char *name, struct simt_variable *out)
{
	for (int i = 0; i < variables->module->n_vars; i++) {
		const struct ptx_var *var = variables->module->vars[i];
		if ((var->space != SPACE_GLOBAL && var->space != SPACE_CONST) || var->opaque ||
			strcmp(var->name, name) != 0)
			continue;
		*out = (struct simt_variable){generic_address(&variables->kept, var), var->size,
			bytes_of(&variables->kept, var), var->space == SPACE_CONST};
		return true;
	}
	return false;
}
