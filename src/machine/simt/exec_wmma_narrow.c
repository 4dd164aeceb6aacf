/* wmma of elements of 4 bits or 1 between memory and fragments. PTX leaves open which lane has which elements; here it is as in a
 * fragment of mma of the same shape (PTX ISA, "Matrix Fragments for mma.m8n8k32" and ".m8n8k128"): a register of A is a quarter of a
 * row, one of B of a column. Not verified: nothing that the kernel computes depends on it but what it does to registers of a fragment
 * by itself, and what it requests is not counted. */

#include "machine/ptx/matrix.h"
#include "machine/simt/code.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/matrix.h"
#include "machine/simt/mem.h"
#include "machine/simt/warp_state.h"

#define SIDE 8u /* rows and columns of the sum */

/* Where register e of lane i is, in bytes after the address that the lane gives; operand 2, if given, is the distance of rows or
 * columns in memory, in elements. */
static uint64_t offset_of(const struct warp *w, const struct code *c, uint32_t i, uint32_t e)
{
	const struct ptx_form *form = c->instr->form;
	uint32_t bits = (uint32_t)ptx_matrix_bits((enum ptx_type)form->type), row = i / 4, column = i % 4 * 2 + e;
	bool is_sum = form->type == PTX_S32;
	uint32_t line = is_sum ? SIDE : (uint32_t)ptx_matrix_shape(form).k;
	if (c->instr->n > 2)
		line = ((const u32 *)R(2))[i];
	if (!is_sum)
		return (uint64_t)row * line * bits / 8 + i % 4 * 4;
	return 4 *
		(form->mod[PTX_MOD_LAYOUT] == PTX_LAYOUT_ROW ? (uint64_t)row * line + column
							     : (uint64_t)column * line + row);
}

static void move(struct warp *w, const struct code *c, uint32_t mask, enum access_op op)
{
	uint32_t registers = c->instr->form->type == PTX_S32 ? 2 : 1;
	if (!simt_matrix_whole_warp(w, c, mask))
		return;
	for (uint32_t e = 0; e < registers; e++) {
		simt_mem_addresses(w, c, mask);
		for (uint32_t i = 0; i < WARP_SIZE; i++)
			w->m->access.address[i] += offset_of(w, c, i, e);
		if (!simt_mem_access_at(w, c, mask, op, 4))
			return;
		for (uint32_t i = 0; i < WARP_SIZE; i++) {
			u32 *value = &((u32 *)lanes_of(w, c->elements[e]))[i];
			if (op == ACCESS_LOAD)
				simt_mem_read_bytes(value, w->m->host.at[i], 4);
			else
				simt_mem_write_bytes(w->m->host.at[i], value, 4);
		}
	}
}

EXEC(load)
{
	move(w, c, mask, ACCESS_LOAD);
}

EXEC(store)
{
	move(w, c, mask, ACCESS_STORE);
}

static bool has_space(const struct code *c)
{
	return c->space == SPACE_SHARED || c->space == SPACE_GLOBAL || c->space == SPACE_GENERIC;
}

exec_fn *simt_pick_wmma_narrow_load(const struct code *c)
{
	return has_space(c) ? load : NULL;
}

exec_fn *simt_pick_wmma_narrow_store(const struct code *c)
{
	return has_space(c) ? store : NULL;
}
