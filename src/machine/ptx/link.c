/* What a launch of an entry may execute: the entry and the functions that it can reach, with their instructions numbered one
 * after the other and their shared variables in one window. */
#include "base/arena.h"
#include "machine/ptx/instr.h"
#include "machine/ptx/parse.h"

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

static void reach_any(struct linker *l)
{
	for (int i = 0; i < l->module->n_functions && !l->reached_any; i++) {
		if (l->module->functions[i]->address_taken)
			add_part(l, l->module->functions[i]);
	}
	l->reached_any = true;
}

static void follow_call(struct linker *l, const struct ptx_instr *call)
{
	const struct ptx_operand *callee = &call->operands[PTX_CALL_CALLEE];
	if (callee->kind == PTX_FUNC) {
		add_part(l, l->module->functions[callee->index]);
		return;
	}
	const struct ptx_prototype *proto = &l->module->prototypes[call->operands[PTX_CALL_PROTOTYPE].index];
	for (int i = 0; i < proto->n_targets; i++)
		add_part(l, l->module->functions[proto->targets[i]->index]);
	if (!proto->targets)
		reach_any(l);
}

static uint64_t align_up(uint64_t value, uint64_t align)
{
	return (value + align - 1) / align * align;
}

static bool is_static(const struct ptx_var *var)
{
	return var->space == SPACE_SHARED && !var->dynamic;
}

/* A shared variable that several parts use has one place. */
static void place_shared(struct linker *l, struct ptx_part *part)
{
	struct ptx_kernel *entry = l->entry;
	for (int i = 0; i < part->code->n_uses; i++) {
		struct ptx_var *var = part->code->uses[i].var;
		part->offsets[i] = part->code->uses[i].offset;
		if (!is_static(var))
			continue;
		if (var->mark != -l->module->marks) {
			var->mark = -l->module->marks; /* the parser's are positive */
			var->place = align_up(entry->shared_bytes, var->align);
			entry->shared_bytes = var->place + var->size;
		}
		part->offsets[i] = var->place;
	}
}

/* Dynamic shared memory starts after the static variables, whichever part names it. */
static void place_dynamic(struct ptx_kernel *entry)
{
	uint64_t align = 0;
	for (int i = 0; i < entry->n_parts; i++) {
		const struct ptx_kernel *code = entry->parts[i].code;
		for (int j = 0; j < code->n_uses; j++) {
			if (code->uses[j].var->dynamic && code->uses[j].var->align >= align)
				align = code->uses[j].var->align > 16 ? code->uses[j].var->align : 16;
		}
	}
	if (!align)
		return;
	entry->shared_bytes = align_up(entry->shared_bytes, align);
	for (int i = 0; i < entry->n_parts; i++) {
		const struct ptx_kernel *code = entry->parts[i].code;
		for (int j = 0; j < code->n_uses; j++) {
			if (code->uses[j].var->dynamic)
				entry->parts[i].offsets[j] = entry->shared_bytes;
		}
	}
}

void ptx_link(struct ptx_module *module, struct ptx_kernel *entry)
{
	struct linker l = {.module = module, .entry = entry};

	module->marks++;
	add_part(&l, entry);
	for (int i = 0; i < entry->n_parts; i++) { /* n_parts grows as calls are found */
		const struct ptx_kernel *code = entry->parts[i].code;
		for (int j = 0; j < code->n_instrs; j++) {
			if (instr_kind(code->instrs[j].form) == PTX_KIND_CALL)
				follow_call(&l, &code->instrs[j]);
		}
	}
	for (int i = 0; i < entry->n_parts; i++) {
		struct ptx_part *part = &entry->parts[i];
		part->offsets = arena_array(module->arena, uint64_t, (size_t)part->code->n_uses);
		place_shared(&l, part);
	}
	place_dynamic(entry);
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
