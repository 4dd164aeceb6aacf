#include "simt/memory_order.h"

#include "base/arena.h"
#include "ptx/program.h"

#define LOOP_MAX 16 /* instructions of a loop that spins */

/* --- order and scope ---------------------------------------------------------------------------------------------- */

/* PTX ISA, Scope: without clusters one of them is one block. Without a scope it is .gpu; that of the system reaches no
 * further here. */
static enum race_scope scope_of(const struct ptx_form *form)
{
	enum ptx_mod scope = (enum ptx_mod)form->mod[PTX_MOD_SCOPE];
	return scope == PTX_SCOPE_CTA || scope == PTX_SCOPE_CLUSTER ? RACE_SCOPE_CTA : RACE_SCOPE_GPU;
}

static bool is_atomic(uint16_t op)
{
	return op == PTX_OP_ATOM || op == PTX_OP_RED || op == PTX_OP_ATOM_VEC || op == PTX_OP_RED_VEC;
}

static bool is_access(const struct ptx_form *form)
{
	return form->op == PTX_OP_LD || form->op == PTX_OP_LDU || form->op == PTX_OP_ST || is_atomic(form->op);
}

/* Arrivals at an mbarrier release, to the block where no scope is given, and a thread that finds a phase complete acquires.
 * One that ends its use is taken to know that all have arrived: CUDA's pipelines have lanes agree on that with
 * match.any.sync. */
static struct race_order order_of_mbarrier(const struct ptx_form *form)
{
	bool wide = form->mod[PTX_MOD_SCOPE] == PTX_SCOPE_GPU || form->mod[PTX_MOD_SCOPE] == PTX_SCOPE_SYS;
	bool relaxed = form->mod[PTX_MOD_SEM] == PTX_SEM_RELAXED;
	bool waits = form->op >= PTX_OP_MBARRIER_TEST && form->op <= PTX_OP_MBARRIER_TRY_PARITY,
	     ends = form->op == PTX_OP_MBARRIER_INVAL;
	return (struct race_order){.strong = true,
		.size = 8,
		.scope = wide ? RACE_SCOPE_GPU : RACE_SCOPE_CTA,
		.releases = !waits && !ends && !relaxed,
		.acquires = waits && !relaxed};
}

static struct race_order order_of(const struct ptx_form *form)
{
	enum ptx_mod sem = (enum ptx_mod)form->mod[PTX_MOD_SEM];
	struct race_order order = {0};

	if (form->op == PTX_OP_MEMBAR || form->op == PTX_OP_FENCE)
		return (struct race_order){.is_fence = true, .scope = (uint8_t)scope_of(form)};
	bool signals = form->op == PTX_OP_CP_ASYNC_MBARRIER_ARRIVE || form->op == PTX_OP_CP_ASYNC_MBARRIER_NOINC ||
		form->op == PTX_OP_BULK_LOAD;
	bool at_mbarrier = form->op >= PTX_OP_MBARRIER_INVAL && form->op <= PTX_OP_MBARRIER_TRY_PARITY;
	if (at_mbarrier || signals) {
		order = order_of_mbarrier(form);
		order.atomic_only = form->op == PTX_OP_BULK_LOAD;
		return order;
	}
	order.ends_copy = form->op == PTX_OP_CP_ASYNC_CA || form->op == PTX_OP_CP_ASYNC_CG;
	if (!is_access(form))
		return order;
	order.is_volatile = sem == PTX_SEM_VOLATILE; /* as strong as .relaxed.sys: PTX ISA, ld */
	order.strong = is_atomic(form->op) || (sem != PTX_NO_MOD && sem != PTX_SEM_WEAK);
	order.scope = (uint8_t)(order.is_volatile ? RACE_SCOPE_GPU : scope_of(form));
	order.releases = sem == PTX_SEM_RELEASE || sem == PTX_SEM_ACQ_REL;
	order.acquires = sem == PTX_SEM_ACQUIRE || sem == PTX_SEM_ACQ_REL;
	order.size = (uint8_t)ptx_type_bytes((enum ptx_type)form->type);
	return order;
}

/* --- loops that spin ----------------------------------------------------------------------------------------------- */

static bool names(const struct ptx_operand *o, int32_t reg)
{
	if (o->kind == PTX_REG)
		return o->index == reg;
	for (int i = 0; o->kind == PTX_VECTOR && i < o->count; i++)
		if (o->elements[i].kind == PTX_REG && o->elements[i].index == reg)
			return true;
	return false;
}

/* Whether a loop with this instruction may do more than spin: write to memory, or load from another address. */
static bool does_more(const struct ptx_instr *instr, int32_t address)
{
	uint16_t op = instr->form->op;
	return op == PTX_OP_ST || is_atomic(op) || op == PTX_OP_CALL ||
		(instr->n && op != PTX_OP_BRA && names(&instr->operands[0], address));
}

/* A branch back over the load, with nothing between that does more. */
static bool is_in_spin_loop(const struct ptx_kernel *k, int load)
{
	const struct ptx_operand *from = &k->instrs[load].operands[k->instrs[load].n - 1];
	int32_t address = from->kind == PTX_MEM_REG ? from->index : -1;
	for (int i = load; i < k->n_instrs && i < load + LOOP_MAX; i++) {
		const struct ptx_instr *branch = &k->instrs[i];
		if (does_more(branch, address))
			return false;
		if (branch->form->op != PTX_OP_BRA || branch->operands[0].index > load ||
			branch->operands[0].index < load - LOOP_MAX)
			continue;
		bool spins = true;
		for (int j = branch->operands[0].index; j < load; j++)
			spins &= !does_more(&k->instrs[j], address);
		return spins;
	}
	return false;
}

static void order_part(const struct ptx_kernel *code, struct race_order *order)
{
	for (int i = 0; i < code->n_instrs; i++) {
		order[i] = order_of(code->instrs[i].form);
		if (code->instrs[i].form->op == PTX_OP_LD && order[i].strong)
			order[i].spins = is_in_spin_loop(code, i);
	}
}

struct race_order *memory_order_of(struct arena *arena, const struct ptx_kernel *kernel)
{
	struct race_order *order = arena_array(arena, struct race_order, (size_t)ptx_instr_count(kernel) + 1);
	for (int i = 0; i < kernel->n_parts; i++)
		order_part(kernel->parts[i].code, order + kernel->parts[i].first);
	return order;
}
