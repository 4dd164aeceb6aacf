/* What each instruction means to the order of memory. */
#include "base/arena.h"
#include "ptx/program.h"
#include "race/race.h"

#define LOOP_MAX 16 /* instructions of a loop that waits */

/* --- order and scope ---------------------------------------------------------------------------------------------- */

/* PTX ISA, Scope: without clusters one of them is one block. Without a scope it is .gpu; that of the system reaches no
 * further here. */
static enum check_scope scope_of(const struct ptx_form *form)
{
	enum ptx_mod scope = (enum ptx_mod)form->mod[PTX_MOD_SCOPE];
	return scope == PTX_SCOPE_CTA || scope == PTX_SCOPE_CLUSTER ? CHECK_CTA : CHECK_GPU;
}

static bool is_atomic(uint16_t op)
{
	return op == PTX_OP_ATOM || op == PTX_OP_RED || op == PTX_OP_ATOM_VEC || op == PTX_OP_RED_VEC;
}

static bool is_access(const struct ptx_form *form)
{
	return form->op == PTX_OP_LD || form->op == PTX_OP_LDU || form->op == PTX_OP_ST || is_atomic(form->op);
}

/* Arrivals at an mbarrier release, to the block where no scope is given, and who finds a phase over acquires. Who ends its
 * use is taken to know that all have arrived: CUDA's pipelines have lanes say so to each other with match.any.sync. */
static struct check_how how_of_mbarrier(const struct ptx_form *form)
{
	bool wide = form->mod[PTX_MOD_SCOPE] == PTX_SCOPE_GPU || form->mod[PTX_MOD_SCOPE] == PTX_SCOPE_SYS;
	bool relaxed = form->mod[PTX_MOD_SEM] == PTX_SEM_RELAXED;
	bool waits = form->op >= PTX_OP_MBARRIER_TEST && form->op <= PTX_OP_MBARRIER_TRY_PARITY,
	     ends = form->op == PTX_OP_MBARRIER_INVAL;
	return (struct check_how){.strong = true,
		.size = 8,
		.scope = wide ? CHECK_GPU : CHECK_CTA,
		.releases = !waits && !ends && !relaxed,
		.acquires = waits && !relaxed};
}

static struct check_how how_of(const struct ptx_form *form)
{
	enum ptx_mod sem = (enum ptx_mod)form->mod[PTX_MOD_SEM];
	struct check_how how = {0};

	if (form->op == PTX_OP_MEMBAR || form->op == PTX_OP_FENCE)
		return (struct check_how){.fences = true, .scope = (uint8_t)scope_of(form)};
	bool hears = form->op == PTX_OP_CP_ASYNC_MBARRIER_ARRIVE || form->op == PTX_OP_CP_ASYNC_MBARRIER_NOINC ||
		form->op == PTX_OP_BULK_LOAD;
	bool at_mbarrier = form->op >= PTX_OP_MBARRIER_INVAL && form->op <= PTX_OP_MBARRIER_TRY_PARITY;
	if (at_mbarrier || hears) {
		how = how_of_mbarrier(form);
		how.tells = form->op == PTX_OP_BULK_LOAD;
		return how;
	}
	how.copies = form->op == PTX_OP_CP_ASYNC_CA || form->op == PTX_OP_CP_ASYNC_CG;
	if (!is_access(form))
		return how;
	how.is_volatile = sem == PTX_SEM_VOLATILE; /* as strong as .relaxed.sys: PTX ISA, ld */
	how.strong = is_atomic(form->op) || (sem != PTX_NO_MOD && sem != PTX_SEM_WEAK);
	how.scope = (uint8_t)(how.is_volatile ? CHECK_GPU : scope_of(form));
	how.releases = sem == PTX_SEM_RELEASE || sem == PTX_SEM_ACQ_REL;
	how.acquires = sem == PTX_SEM_ACQUIRE || sem == PTX_SEM_ACQ_REL;
	how.size = (uint8_t)ptx_type_bytes((enum ptx_type)form->type);
	return how;
}

/* --- loops that wait ---------------------------------------------------------------------------------------------- */

static bool names(const struct ptx_operand *o, int32_t reg)
{
	if (o->kind == PTX_REG)
		return o->index == reg;
	for (int i = 0; o->kind == PTX_VECTOR && i < o->count; i++)
		if (o->elements[i].kind == PTX_REG && o->elements[i].index == reg)
			return true;
	return false;
}

/* Whether a loop with this instruction may do more than wait: give others something, or load from somewhere else. */
static bool does_more(const struct ptx_instr *instr, int32_t address)
{
	uint16_t op = instr->form->op;
	return op == PTX_OP_ST || op == PTX_OP_ATOM || op == PTX_OP_RED || op == PTX_OP_CALL ||
		(instr->n && op != PTX_OP_BRA && names(&instr->operands[0], address));
}

/* A branch back over the load, with nothing between that does more. */
static bool is_in_waiting_loop(const struct ptx_kernel *k, int load)
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
		bool waits = true;
		for (int j = branch->operands[0].index; j < load; j++)
			waits &= !does_more(&k->instrs[j], address);
		return waits;
	}
	return false;
}

static void read_part(const struct ptx_kernel *code, struct check_how *how)
{
	for (int i = 0; i < code->n_instrs; i++) {
		how[i] = how_of(code->instrs[i].form);
		if (code->instrs[i].form->op == PTX_OP_LD && how[i].strong)
			how[i].waits = is_in_waiting_loop(code, i);
	}
}

struct check_how *check_code(struct arena *arena, const struct ptx_kernel *kernel)
{
	struct check_how *how = arena_array(arena, struct check_how, (size_t)ptx_instr_count(kernel) + 1);
	for (int i = 0; i < kernel->n_parts; i++)
		read_part(kernel->parts[i].code, how + kernel->parts[i].first);
	return how;
}
