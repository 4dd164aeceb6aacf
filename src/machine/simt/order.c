/* Which instructions see in which order blocks run.
 *
 * Weak accesses do not, unless blocks race, and then nothing is promised. Strong accesses to global memory do. Integer
 * atomics whose old value is not read give the same sum in any order; they need not wait either, as long as no other
 * instruction of the launch could see the sum grow. */
#include "base/arena.h"
#include "machine/simt/code.h"
#include "machine/simt/machine.h"
#include "machine/simt/memory_order.h"
#include "machine/simt/team.h"

static bool commutes(const struct ptx_instr *instr, const bool *read)
{
	uint8_t op = instr->form->mod[PTX_MOD_ATOM];
	char kind = ptx_type_kind((enum ptx_type)instr->form->type);
	bool sums = op == PTX_ATOM_ADD || op == PTX_ATOM_MIN || op == PTX_ATOM_MAX || op == PTX_ATOM_AND ||
		op == PTX_ATOM_OR || op == PTX_ATOM_XOR;
	if (!sums || kind == 'F' || ptx_type_bytes((enum ptx_type)instr->form->type) < 4)
		return false;
	const struct ptx_operand *old = &instr->operands[0];
	return instr_kind(instr->form) == PTX_KIND_REDUCTION || old->kind == PTX_SINK ||
		(old->kind == PTX_REG && !read[old->index]);
}

static bool reaches_others(const struct code *c)
{
	return c->flags & CODE_STRONG && (c->space == SPACE_GLOBAL || c->space == SPACE_GENERIC);
}

void simt_order_find(struct machine *m)
{
	struct program *program = &m->program;
	/* What the detector learns at an atomic operation does not commute. */
	bool all_commute = !m->race_grid, *commuting = arena_array(m->arena, bool, program->n + 1);

	for (uint32_t u = 0; u < program->n_units; u++) {
		const struct code_unit *unit = &program->units[u];
		const bool *read = simt_registers_read(m->arena, unit->code);
		for (int i = 0; i < unit->code->n_instrs; i++) {
			uint32_t index = unit->first + (uint32_t)i;
			const struct ptx_instr *instr = program->code[index].instr;
			commuting[index] = instr_is_atomic(instr->form) && commutes(instr, read);
			all_commute &= commuting[index] || !reaches_others(&program->code[index]);
		}
	}
	for (uint32_t i = 0; i < program->n; i++) {
		struct code *c = &program->code[i];
		if (reaches_others(c))
			c->flags |= all_commute ? CODE_COMMUTES : CODE_ORDERED;
	}
}
