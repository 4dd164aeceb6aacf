/* ldmatrix, stmatrix, movmatrix: matrices of 8 by 8 elements of 16 bits between memory and a warp's registers.
 *
 * Lane 8*j + r has the address of row r of matrix j. Lane i has elements 2*(i%4) and 2*(i%4)+1 of row i/4 in its
 * register for the matrix; with .trans of column i/4. PTX ISA, ldmatrix. */

#include "machine/simt/code.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/matrix.h"
#include "machine/simt/mem.h"
#include "machine/simt/warp_state.h"

#define ROW_BYTES 16u

typedef uint16_t tile[8][8];

/* Where element k of lane i's two stands. */
static uint16_t *cell(tile t, int i, int k, bool transposed)
{
	int row = i / 4, column = 2 * (i % 4) + k;
	return transposed ? &t[column][row] : &t[row][column];
}

/* The rows of all matrices, one access for those that have them. */
static bool access_rows(struct warp *w, const struct code *c, enum access_op op)
{
	uint32_t lanes = c->n_elements == 4 ? WARP_FULL_MASK : (1u << 8 * c->n_elements) - 1;
	simt_mem_addresses(w, c, lanes);
	return simt_mem_access_at(w, c, lanes, op, ROW_BYTES);
}

EXEC(load)
{
	bool transposed = c->instr->form->mod[PTX_MOD_TRANS];
	if (!simt_matrix_whole_warp(w, c, mask) || !access_rows(w, c, ACCESS_LOAD))
		return;
	for (int j = 0; j < c->n_elements; j++) {
		u32 *d = lanes_of(w, c->elements[j]);
		tile t;
		for (int r = 0; r < 8; r++)
			memcpy(t[r], w->m->host.at[8 * j + r], ROW_BYTES);
		for (int i = 0; i < WARP_SIZE; i++)
			d[i] = *cell(t, i, 0, transposed) | (uint32_t)*cell(t, i, 1, transposed) << 16;
	}
}

PICK_IF(matrix_load, load, c->space == SPACE_SHARED || c->space == SPACE_GENERIC)

static void gather(const u32 *from, bool transposed, tile t)
{
	for (int i = 0; i < WARP_SIZE; i++) {
		*cell(t, i, 0, transposed) = (uint16_t)from[i];
		*cell(t, i, 1, transposed) = (uint16_t)(from[i] >> 16);
	}
}

EXEC(store)
{
	bool transposed = c->instr->form->mod[PTX_MOD_TRANS];
	if (!simt_matrix_whole_warp(w, c, mask) || !access_rows(w, c, ACCESS_STORE))
		return;
	for (int j = 0; j < c->n_elements; j++) {
		tile t;
		gather(lanes_of(w, c->elements[j]), transposed, t);
		for (int r = 0; r < 8; r++)
			memcpy(w->m->host.at[8 * j + r], t[r], ROW_BYTES);
	}
}

PICK_IF(matrix_store, store, c->space == SPACE_SHARED || c->space == SPACE_GENERIC)

EXEC(move)
{
	u32 *d = R(0);
	tile t;
	if (!simt_matrix_whole_warp(w, c, mask))
		return;
	gather(R(1), false, t);
	for (int i = 0; i < WARP_SIZE; i++)
		d[i] = *cell(t, i, 0, true) | (uint32_t)*cell(t, i, 1, true) << 16;
}
PICK_ALWAYS(matrix_move, move)
