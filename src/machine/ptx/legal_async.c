/* As legal.c, of clusters, mbarriers and bulk copies: PTX ISA, as ptxas has them. */
#include "machine/ptx/form.h"
#include "machine/ptx/instr.h"
#include "machine/ptx/ops.h"

/* Rows of which .sem is one of two, the second 0 for none. */
static bool orders_otherwise(const struct ptx_form *form, enum ptx_mod one, enum ptx_mod other)
{
	uint8_t sem = form->mod[PTX_MOD_SEM];
	return sem && sem != one && sem != other;
}

static bool synchronizes_otherwise(const struct ptx_form *form)
{
	switch (instr_kind(form)) {
	case PTX_KIND_CLUSTER_ARRIVE: return orders_otherwise(form, PTX_SEM_RELEASE, PTX_SEM_RELAXED);
	case PTX_KIND_CLUSTER_WAIT: return orders_otherwise(form, PTX_SEM_ACQUIRE, PTX_NO_MOD);
	case PTX_KIND_MBARRIER_WAIT: return orders_otherwise(form, PTX_SEM_ACQUIRE, PTX_SEM_RELAXED);
	case PTX_KIND_MBARRIER_ARRIVE:
		if (form->op == PTX_OP_MBARRIER_EXPECT_TX || form->op == PTX_OP_MBARRIER_COMPLETE_TX)
			return orders_otherwise(form, PTX_SEM_RELAXED, PTX_NO_MOD);
		return orders_otherwise(form, PTX_SEM_RELEASE, PTX_SEM_RELAXED);
	default: break;
	}
	if (form->op == PTX_OP_ST_ASYNC)
		return orders_otherwise(form, PTX_SEM_WEAK, PTX_NO_MOD);
	return form->op == PTX_OP_RED_ASYNC && form->mod[PTX_MOD_SEM] != PTX_SEM_RELAXED;
}

static bool is_of_mbarrier(const struct ptx_form *form)
{
	return instr_kind(form) == PTX_KIND_MBARRIER_ARRIVE || instr_kind(form) == PTX_KIND_MBARRIER_WAIT ||
		form->op == PTX_OP_RED_ASYNC;
}

static bool has_no_scope(const struct ptx_form *form)
{
	return is_of_mbarrier(form) && form->mod[PTX_MOD_SEM] && !form->mod[PTX_MOD_SCOPE];
}

static bool reaches_too_far(const struct ptx_form *form)
{
	uint8_t scope = form->mod[PTX_MOD_SCOPE];
	if (form->op == PTX_OP_RED_ASYNC)
		return scope != PTX_SCOPE_CLUSTER;
	return is_of_mbarrier(form) && scope && scope != PTX_SCOPE_CTA && scope != PTX_SCOPE_CLUSTER;
}

static bool is_of_own_block(const struct ptx_form *form)
{
	enum ptx_kind kind = instr_kind(form);
	return form->mod[PTX_MOD_SPACE] == PTX_SPACE_SHARED_CLUSTER &&
		(kind == PTX_KIND_MBARRIER_INIT || kind == PTX_KIND_MBARRIER_END || kind == PTX_KIND_MBARRIER_WAIT ||
			form->op == PTX_OP_MBARRIER_ARRIVE_NOCOMPLETE || form->op == PTX_OP_MBARRIER_DROP_NOCOMPLETE);
}

static bool fences_otherwise(const struct ptx_form *form)
{
	return form->op == PTX_OP_FENCE_PROXY_ASYNC && form->mod[PTX_MOD_SPACE] == PTX_SPACE_SHARED;
}

static bool is_of_cluster(const struct ptx_form *form)
{
	uint8_t space = form->mod[PTX_MOD_SPACE];
	return (form->op == PTX_OP_MAPA || form->op == PTX_OP_GETCTARANK) && space && space != PTX_SPACE_SHARED_CLUSTER;
}

/* As of atomic operations, but for 64 bits in shared memory, which are added alone, and .noftz with .add alone. */
static bool reduces_otherwise(const struct ptx_form *form)
{
	uint8_t op = form->mod[PTX_MOD_ATOM];
	char kind = ptx_type_kind((enum ptx_type)form->type);
	bool in_global = form->op == PTX_OP_BULK_REDUCE;
	if (form->op == PTX_OP_TENSOR_REDUCE)
		return op < PTX_ATOM_ADD || op > PTX_ATOM_XOR;
	if (!in_global && form->op != PTX_OP_BULK_REDUCE_SHARED && form->op != PTX_OP_RED_ASYNC)
		return false;
	switch (op) {
	case PTX_ATOM_AND:
	case PTX_ATOM_OR:
	case PTX_ATOM_XOR: return kind != 'B';
	case PTX_ATOM_INC:
	case PTX_ATOM_DEC: return form->type != PTX_U32;
	case PTX_ATOM_ADD: return kind == 'B' || (form->type == PTX_S64 && form->op != PTX_OP_RED_ASYNC);
	case PTX_ATOM_MIN:
	case PTX_ATOM_MAX:
		return kind == 'B' || form->type == PTX_F32 || form->type == PTX_F64 ||
			(!in_global && ptx_type_bytes((enum ptx_type)form->type) == 8);
	default: return true;
	}
}

static bool bulk_noftz(const struct ptx_form *form)
{
	bool needs = (form->type == PTX_F16 || form->type == PTX_BF16) && form->mod[PTX_MOD_ATOM] == PTX_ATOM_ADD;
	return form->op == PTX_OP_BULK_REDUCE && (form->mod[PTX_MOD_NOFTZ] != 0) != needs;
}

/* PTX ISA, "im2col mode": of tensors of 3 dimensions and more; loads take offsets, stores do not. */
static bool is_other_mode(const struct ptx_form *form)
{
	bool loads = instr_kind(form) == PTX_KIND_BULK_LOAD || form->op == PTX_OP_TENSOR_PREFETCH;
	uint8_t mode = form->mod[PTX_MOD_TILE];
	if (!mode || mode == PTX_TILE_TILE)
		return false;
	return form->mod[PTX_MOD_DIM] < PTX_DIM_D3 || loads != (mode == PTX_TILE_IM2COL);
}

static const struct {
	bool (*is_broken)(const struct ptx_form *form);
	const char *why;
} rules[] = {
	{synchronizes_otherwise, "it has no such order of memory"},
	{has_no_scope, "an order of memory needs a scope"},
	{reaches_too_far, "its scope is .cta or .cluster"},
	{is_of_own_block, "it is for mbarriers of the own block"},
	{fences_otherwise, "it takes .global, .shared::cta or .shared::cluster"},
	{is_of_cluster, "it takes .shared::cluster, or generic addresses"},
	{reduces_otherwise, "its type has no such operation"},
	{is_other_mode, ".im2col is of loads, .im2col_no_offs of stores, and both of 3 dimensions and more"},
	{bulk_noftz, ".noftz goes with sums of halves, always"},
};

const char *ptx_async_lacks(const struct ptx_form *form)
{
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (rules[i].is_broken(form))
			return rules[i].why;
	return NULL;
}
