#include "machine/simt/memory_order.h"

#include "base/arena.h"
#include "machine/ptx/instr.h"
#include "machine/ptx/ops.h"
#include "machine/simt/simt.h"

#define LOOP_MAX 16 /* instructions of a loop that spins */

/* --- order and scope ---------------------------------------------------------------------------------------------- */

/* PTX ISA, Scope: without clusters one of them is one block, and simt_memory_order_clusters says what is different with
 * them. Without a scope it is .gpu; that of the system reaches no further here. */
static enum race_scope scope_of(const struct ptx_form *form)
{
	enum ptx_mod scope = (enum ptx_mod)form->mod[PTX_MOD_SCOPE];
	return scope == PTX_SCOPE_CTA || scope == PTX_SCOPE_CLUSTER ? RACE_SCOPE_CTA : RACE_SCOPE_GPU;
}

bool simt_is_past_first_cache(const struct ptx_form *form)
{
	int cache = form->mod[PTX_MOD_CACHE];
	return instr_kind(form) == PTX_KIND_LOAD
		? cache == PTX_CACHE_CG || cache == PTX_CACHE_CV
		: instr_kind(form) == PTX_KIND_STORE && (cache == PTX_CACHE_CG || cache == PTX_CACHE_WT);
}

static struct race_order order_of(const struct ptx_form *form)
{
	struct race_order order = {0};
	switch (instr_kind(form)) {
	case PTX_KIND_LOAD:
	case PTX_KIND_STORE:
	case PTX_KIND_ATOMIC:
	case PTX_KIND_REDUCTION: {
		/* A .volatile access is as strong as a .relaxed.sys one: PTX ISA, ld. So are those past the first cache
		 * taken to be, by which libraries of before .relaxed was in use wait for flags; to the PTX ISA cache
		 * operators are hints. */
		bool is_volatile = form->mod[PTX_MOD_SEM] == PTX_SEM_VOLATILE || simt_is_past_first_cache(form);
		bool strong = instr_is_strong(form) || is_volatile;
		return (struct race_order){.strong = strong,
			.observable = strong,
			.is_volatile = is_volatile,
			.stores = instr_kind(form) != PTX_KIND_LOAD,
			.scope = (uint8_t)(is_volatile ? RACE_SCOPE_GPU : scope_of(form)),
			.releases = instr_releases(form),
			.acquires = instr_acquires(form),
			.size = (uint8_t)ptx_type_bytes((enum ptx_type)form->type)};
	}
	case PTX_KIND_FENCE: return (struct race_order){.is_fence = true, .scope = (uint8_t)scope_of(form)};
	case PTX_KIND_MBARRIER_END:
	case PTX_KIND_MBARRIER_ARRIVE:
	case PTX_KIND_MBARRIER_WAIT:
	case PTX_KIND_COPY_ARRIVE: {
		/* Arrivals at an mbarrier release, to the block where no scope is given, and a thread that finds a
		 * phase complete acquires; counting bytes does neither. One that ends its use is taken to know that all
		 * have arrived: CUDA's pipelines have lanes agree on that with match.any.sync. */
		bool wide = form->mod[PTX_MOD_SCOPE] == PTX_SCOPE_GPU || form->mod[PTX_MOD_SCOPE] == PTX_SCOPE_SYS;
		bool relaxed = form->mod[PTX_MOD_SEM] == PTX_SEM_RELAXED;
		bool counts = form->op == PTX_OP_MBARRIER_EXPECT_TX || form->op == PTX_OP_MBARRIER_COMPLETE_TX;
		bool waits = instr_kind(form) == PTX_KIND_MBARRIER_WAIT,
		     ends = instr_kind(form) == PTX_KIND_MBARRIER_END;
		return (struct race_order){.strong = true,
			.size = 8,
			.scope = wide ? RACE_SCOPE_GPU : RACE_SCOPE_CTA,
			.releases = !waits && !ends && !counts && !relaxed,
			.acquires = waits && !relaxed,
			.arrives = !waits && !ends,
			.waits = waits};
	}
	case PTX_KIND_BULK_STORE:
	case PTX_KIND_BULK_REDUCE:
	case PTX_KIND_ASYNC_STORE:
	case PTX_KIND_BULK_LOAD: {
		/* Bulk copies and the like: their atomic operations are relaxed, of scope .gpu but for those of
		 * red.async. */
		bool changes = instr_takes(form, PTX_MOD_ATOM);
		return (struct race_order){.is_async = true,
			.async_proxy = instr_kind(form) != PTX_KIND_ASYNC_STORE,
			.strong = changes,
			.observable = changes,
			.scope = instr_kind(form) == PTX_KIND_ASYNC_STORE ? RACE_SCOPE_CTA : RACE_SCOPE_GPU,
			.size = (uint8_t)ptx_type_bytes((enum ptx_type)form->type)};
	}
	case PTX_KIND_COPY: return (struct race_order){.ends_copy = true};
	case PTX_KIND_GROUP_MMA: return (struct race_order){.async_proxy = true};
	case PTX_KIND_MBARRIER_INIT: return (struct race_order){.inits = true};
	case PTX_KIND_PROXY_FENCE: {
		bool inits = form->op == PTX_OP_FENCE_MBARRIER;
		return (struct race_order){.is_fence = inits, .inits_alone = inits};
	}
	default: return order;
	}
}

/* --- loops that spin
 * ----------------------------------------------------------------------------------------------- */

/* Whether a loop with this instruction may do more than spin: write to memory, or load from another address. */
static bool does_more(const struct ptx_instr *instr, int32_t address)
{
	enum ptx_kind kind = instr_kind(instr->form);
	return kind == PTX_KIND_STORE || kind == PTX_KIND_CALL || instr_is_atomic(instr->form) ||
		instr_uses_register(instr, address, INSTR_WRITES);
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
		if (instr_kind(branch->form) != PTX_KIND_BRANCH || branch->operands[0].index > load ||
			branch->operands[0].index < load - LOOP_MAX)
			continue;
		bool spins = true;
		for (int j = branch->operands[0].index; j < load; j++)
			spins &= !does_more(&k->instrs[j], address);
		return spins;
	}
	return false;
}

/* --- what is observed
 * ---------------------------------------------------------------------------------------------- */

static void mark_register(void *read, int32_t reg, enum instr_use use)
{
	((bool *)read)[reg] |= use == INSTR_READS;
}

bool *simt_registers_read(struct arena *arena, const struct ptx_kernel *code)
{
	bool *read = arena_array(arena, bool, (size_t)code->n_regs + 1);
	for (int i = 0; i < code->signature.n_results; i++)
		if (code->signature.results[i].type)
			read[code->signature.results[i].index] = true;
	for (int i = 0; i < code->n_instrs; i++)
		instr_each_register(&code->instrs[i], mark_register, read);
	return read;
}

/* Whether the value that it finds decides anything. */
static bool is_result_used(const struct ptx_instr *instr, const bool *read)
{
	const struct ptx_operand *old = &instr->operands[0];
	if (instr_kind(instr->form) != PTX_KIND_LOAD && instr_kind(instr->form) != PTX_KIND_ATOMIC)
		return false;
	return old->kind == PTX_REG ? read[old->index] : old->kind != PTX_SINK;
}

/* --- guesses
 * --------------------------------------------------------------------------------------------------------- */

/* What a compare-and-swap expects may be loaded without order: a value that is not the last one makes the swap fail,
 * and be tried with the value that it found. As CUDA's programming guide builds atomic operations that the hardware
 * lacks, so such a load counts as relaxed. */

struct guess_visit {
	bool *guess;
	bool found;
};

static void find_guess(void *ctx, int32_t reg, enum instr_use use)
{
	struct guess_visit *v = ctx;
	v->found |= use == INSTR_WRITES && v->guess[reg];
}

static void add_guess(void *ctx, int32_t reg, enum instr_use use)
{
	struct guess_visit *v = ctx;
	if (use != INSTR_READS || v->guess[reg])
		return;
	v->guess[reg] = true;
	v->found = true;
}

static void order_guesses(struct arena *arena, const struct ptx_kernel *code, struct race_order *order)
{
	/* Registers that some swap's expected value is copied from, whatever way was taken there. */
	bool *guess = arena_array(arena, bool, (size_t)code->n_regs + 1), more = false;
	for (int i = 0; i < code->n_instrs; i++) {
		const struct ptx_instr *instr = &code->instrs[i];
		if (instr_is_swap(instr->form) && instr->n > 2 && instr->operands[2].kind == PTX_REG)
			more = guess[instr->operands[2].index] = true;
	}
	while (more) {
		more = false;
		for (int i = 0; i < code->n_instrs; i++) {
			struct guess_visit v = {.guess = guess};
			if (code->instrs[i].form->op != PTX_OP_MOV)
				continue;
			instr_each_register(&code->instrs[i], find_guess, &v);
			if (!v.found)
				continue;
			v.found = false;
			instr_each_register(&code->instrs[i], add_guess, &v);
			more |= v.found;
		}
	}

	for (int i = 0; i < code->n_instrs; i++) {
		const struct ptx_instr *instr = &code->instrs[i];
		const struct ptx_operand *to = &instr->operands[0];
		if (instr_kind(instr->form) != PTX_KIND_LOAD || order[i].strong || to->kind != PTX_REG ||
			!guess[to->index])
			continue;
		order[i].strong = order[i].observable = true;
		order[i].scope = RACE_SCOPE_GPU;
	}
}

/* --- all of it
 * ------------------------------------------------------------------------------------------------------- */

bool simt_synchronizes(const struct ptx_kernel *kernel)
{
	struct arena *scratch = arena_new();
	bool found = false;
	for (int i = 0; i < kernel->n_parts && !found; i++) {
		const struct ptx_kernel *code = kernel->parts[i].code;
		const bool *read = simt_registers_read(scratch, code);
		for (int k = 0; k < code->n_instrs && !found; k++)
			found = instr_is_strong(code->instrs[k].form) && is_result_used(&code->instrs[k], read);
	}
	arena_free(scratch);
	return found;
}

/* What others may see, or must not do meanwhile. */
static bool is_shared_work(const struct ptx_kernel *code, int i)
{
	const struct ptx_instr *instr = &code->instrs[i];
	const struct ptx_operand *callee = &instr->operands[PTX_CALL_CALLEE];
	switch (instr_kind(instr->form)) {
	case PTX_KIND_ATOMIC:
	case PTX_KIND_REDUCTION:
	case PTX_KIND_BULK_LOAD:
	case PTX_KIND_BULK_STORE:
	case PTX_KIND_BULK_REDUCE:
	case PTX_KIND_ASYNC_STORE:
	case PTX_KIND_TENSOR_MAP:
	case PTX_KIND_SURFACE_REDUCTION: return true;
	case PTX_KIND_LOAD: return is_in_spin_loop(code, i);
	case PTX_KIND_CALL:
		if (callee->kind != PTX_FUNC)
			return true;
		int builtin = code->module->functions[callee->index]->builtin;
		return builtin == PTX_BUILTIN_MALLOC || builtin == PTX_BUILTIN_FREE;
	default: return false;
	}
}

bool simt_is_apart(const struct ptx_kernel *kernel)
{
	for (int i = 0; i < kernel->n_parts; i++) {
		const struct ptx_kernel *code = kernel->parts[i].code;
		for (int k = 0; k < code->n_instrs; k++)
			if (instr_is_strong(code->instrs[k].form) || is_shared_work(code, k))
				return false;
	}
	return true;
}

struct race_order *simt_memory_order(struct arena *arena, const struct ptx_kernel *kernel, bool strict)
{
	struct race_order *order = arena_array(arena, struct race_order, (size_t)ptx_instr_count(kernel) + 1);
	for (int i = 0; i < kernel->n_parts; i++) {
		const struct ptx_kernel *code = kernel->parts[i].code;
		struct race_order *of_part = order + kernel->parts[i].first;
		const bool *read = simt_registers_read(arena, code);

		for (int j = 0; j < code->n_instrs; j++) {
			of_part[j] = order_of(code->instrs[j].form);
			of_part[j].observes = of_part[j].observable && is_result_used(&code->instrs[j], read);
			if (instr_kind(code->instrs[j].form) == PTX_KIND_LOAD && of_part[j].strong)
				of_part[j].spins = is_in_spin_loop(code, j);
		}
	}
	for (int i = 0; i < kernel->n_parts && !strict; i++)
		order_guesses(arena, kernel->parts[i].code, order + kernel->parts[i].first);
	simt_data_find(arena, kernel, order);
	for (int i = 0; strict && i < ptx_instr_count(kernel); i++)
		order[i].stores_data = true;
	return order;
}

void simt_memory_order_clusters(struct race_order *order, const struct ptx_kernel *kernel)
{
	for (int i = 0; i < ptx_instr_count(kernel); i++) {
		const struct ptx_part *part = ptx_part_of(kernel, i);

		/* Arrivals at mbarriers and waits there have scope .cta where they do not say another. But CUTLASS
		 * arrives so at the mbarrier of another block of its cluster, and waits so for copies that another
		 * block began; and GPUs run it: the order of an mbarrier is that of the shared memory that it is in. So
		 * a scope that is not written is that of the cluster, and one that is holds. */
		const struct ptx_form *form = part->code->instrs[i - part->first].form;
		uint8_t scope = form->mod[PTX_MOD_SCOPE];
		bool on_mbarrier = order[i].strong && !order[i].observable;
		if (instr_kind(form) == PTX_KIND_ASYNC_STORE || form->op == PTX_OP_FENCE_MBARRIER ||
			scope == PTX_SCOPE_CLUSTER || (on_mbarrier && !scope))
			order[i].scope = RACE_SCOPE_CLUSTER;
	}
}
