/* wmma: matrices between memory, fragments and products. Which lane has which elements, and how they are moved:
 * machine/ptx/matrix.h. */
#include "machine/ptx/matrix.h"
#include "machine/simt/code.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/matrix.h"
#include "machine/simt/mem.h"
#include "machine/simt/warp_state.h"

#define BLOCK_ROWS 8
#define BLOCK_ROW_BYTES 16u

static int sum_of(const uint16_t *of_bit, int n, int value)
{
	int sum = 0;
	for (int bit = 0; bit < n; bit++)
		sum += value >> bit & 1 ? of_bit[bit] : 0;
	return sum;
}

/* What element e adds to the number of its place in the matrix, and the number of element e of lane i. */
static int number_of_element(const struct ptx_fragment *f, int e)
{
	return sum_of(f->element, PTX_FRAGMENT_ELEMENT_BITS, e);
}

static int number_of(const struct ptx_fragment *f, int i, int e)
{
	return sum_of(f->lane, PTX_FRAGMENT_LANE_BITS, i) + number_of_element(f, e);
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

/* A fragment on its way: the accesses of one instruction. In a block of 8 by 8 the four lanes of a group have 8
 * neighbors of a row, of elements of 16 bits; the groups have the rows. Rows are those of the matrix or its columns, as
 * the elements of a lane are. */
struct moved {
	struct ptx_fragment f;
	struct ptx_fragment_moves by;
	uint32_t bytes; /* of an element */
	bool by_rows;   /* in memory */
};

static struct moved moved_of(const struct ptx_form *form)
{
	struct moved m = {.f = ptx_fragment_of(form, ptx_fragment_matrix(form)),
		.by_rows = form->mod[PTX_MOD_LAYOUT] == PTX_LAYOUT_ROW};
	m.by = ptx_fragment_moves(form, &m.f);
	m.bytes = ptx_type_bytes(m.f.type);
	return m;
}

static bool is_by_blocks(const struct moved *m)
{
	return m->by.blocks > 0;
}

/* Elements of a lane that one access has. */
static int step_of(const struct moved *m)
{
	return m->by.run * (is_by_blocks(m) ? m->by.blocks : 1);
}

/* The number of the first element that lane `a` has the address of, in the access of elements e and following. */
static int number_at(const struct moved *m, int a, int e)
{
	const struct ptx_fragment *f = &m->f;
	int row = f->lane[2], column = f->element[0]; /* from one row, or column, of a block to the next */
	switch (m->by.way) {
	case PTX_FRAGMENT_TRANSPOSED: return number_of_element(f, e) + a / 4 * column + 2 * (a % 4) * row;
	case PTX_FRAGMENT_BLOCKS: return number_of_element(f, e + a / BLOCK_ROWS * m->by.run) + a % BLOCK_ROWS * row;
	case PTX_FRAGMENT_BLOCKS_TRANSPOSED:
		return number_of_element(f, e + a / BLOCK_ROWS * m->by.run) + a % BLOCK_ROWS * column;
	default: return number_of(f, a, e);
	}
}

/* Where element e of lane i is, in the access that has it: so many bytes after the address of the lane that is
 * returned. */
static int find(const struct moved *m, int i, int e, uint32_t *offset)
{
	int group = i / 4, column = 2 * (i % 4) + e % 2, block = e % step_of(m) / m->by.run;
	switch (m->by.way) {
	case PTX_FRAGMENT_TRANSPOSED: *offset = (uint32_t)(group % 2) * m->bytes; return 4 * column + group / 2;
	case PTX_FRAGMENT_BLOCKS:
		*offset = (uint32_t)(i % 4 * m->by.run + e % m->by.run) * m->bytes;
		return BLOCK_ROWS * block + group;
	case PTX_FRAGMENT_BLOCKS_TRANSPOSED: *offset = (uint32_t)group * m->bytes; return BLOCK_ROWS * block + column;
	default: *offset = (uint32_t)(e % m->by.run) * m->bytes; return i;
	}
}

/* The access to elements e and following; operand 2, if given, is the distance of rows or columns in memory, in
 * elements. */
static bool access_part(struct warp *w, const struct code *c, const struct moved *m, int e, enum access_op op)
{
	int n = is_by_blocks(m) ? BLOCK_ROWS * m->by.blocks : WARP_SIZE;
	uint32_t lanes = n == WARP_SIZE ? WARP_FULL_MASK : (1u << n) - 1;
	simt_mem_addresses(w, c, lanes);
	for (int a = 0; a < n; a++) {
		uint64_t row = (uint64_t)(number_at(m, a, e) / m->f.columns);
		uint64_t column = (uint64_t)(number_at(m, a, e) % m->f.columns);
		uint64_t line = c->instr->n > 2 ? ((const u32 *)R(2))[a]
						: (uint32_t)(m->by_rows ? m->f.columns : m->f.rows);
		w->m->access.address[a] += m->bytes * (m->by_rows ? row * line + column : column * line + row);
	}
	return simt_mem_access_at(w, c, lanes, op, is_by_blocks(m) ? BLOCK_ROW_BYTES : (uint32_t)m->by.run * m->bytes);
}

static uint8_t *slot(const struct warp *w, const struct code *c, const struct moved *m, int i, int e)
{
	return simt_matrix_slot(w, c->elements, m->f.type, i, e);
}

EXEC(load)
{
	struct moved m = moved_of(c->instr->form);
	uint32_t offset;

	if (!simt_matrix_whole_warp(w, c, mask))
		return;
	for (int first = 0; first < m.f.distinct; first += step_of(&m)) {
		if (!access_part(w, c, &m, first, ACCESS_LOAD))
			return;
		for (int i = 0; i < WARP_SIZE; i++)
			for (int e = first; e < first + step_of(&m); e++) {
				const uint8_t *at = w->m->host.at[find(&m, i, e, &offset)];
				simt_mem_read_bytes(slot(w, c, &m, i, e), at + offset, m.bytes);
			}
	}
	for (int i = 0; i < WARP_SIZE; i++)
		for (int e = m.f.distinct; e < m.f.each; e++)
			memcpy(slot(w, c, &m, i, e), slot(w, c, &m, i, e % m.f.distinct), m.bytes);
}

EXEC(store)
{
	struct moved m = moved_of(c->instr->form);
	uint32_t offset;

	if (!simt_matrix_whole_warp(w, c, mask))
		return;
	for (int first = 0; first < m.f.distinct; first += step_of(&m)) {
		if (!access_part(w, c, &m, first, ACCESS_STORE))
			return;
		for (int i = 0; i < WARP_SIZE; i++)
			for (int e = first; e < first + step_of(&m); e++) {
				uint8_t *at = w->m->host.at[find(&m, i, e, &offset)];
				simt_mem_write_bytes(at + offset, slot(w, c, &m, i, e), m.bytes);
			}
	}
}

static bool has_space(const struct code *c)
{
	return c->space == SPACE_SHARED || c->space == SPACE_GLOBAL || c->space == SPACE_GENERIC;
}

PICK_IF(wmma_load, load, has_space(c))
PICK_IF(wmma_store, store, has_space(c))

/* --- product ------------------------------------------------------------------------------------------------------ */

static void read_fragment(
	const struct warp *w, const struct ptx_fragment *f, char matrix, const struct ref *ref, struct product *p)
{
	for (int i = 0; i < WARP_SIZE; i++)
		for (int e = 0; e < f->distinct; e++) {
			int row = number_of(f, i, e) / f->columns, column = number_of(f, i, e) % f->columns;
			double v = simt_matrix_number(simt_matrix_slot(w, ref, f->type, i, e), f->type);
			*(matrix == 'A'                 ? &p->a[row][column]
					: matrix == 'B' ? &p->b[column][row]
							: &p->c[row][column]) = v;
		}
}

EXEC(multiply)
{
	const struct ptx_form *form = c->instr->form;
	const struct ptx_operand *o = c->instr->operands;
	const struct ref *d = c->elements, *a = d + o[0].count, *b = a + o[1].count;
	struct ptx_fragment left = ptx_fragment_of(form, 'A'), right = ptx_fragment_of(form, 'B');
	struct ptx_fragment sums = ptx_fragment_of(form, 'C'), result = ptx_fragment_of(form, 'D');
	uint32_t bytes = ptx_type_bytes(result.type);
	struct product p;

	if (!simt_matrix_whole_warp(w, c, mask))
		return;
	read_fragment(w, &left, 'A', a, &p);
	read_fragment(w, &right, 'B', b, &p);
	read_fragment(w, &sums, 'C', b + o[2].count, &p);
	for (int i = 0; i < WARP_SIZE; i++)
		for (int e = 0; e < result.each; e++) {
			int row = number_of(&result, i, e) / result.columns;
			int column = number_of(&result, i, e) % result.columns;
			uint64_t bits = simt_matrix_sum(form, p.a[row], p.b[column], left.columns, p.c[row][column]);
			memcpy(simt_matrix_slot(w, d, result.type, i, e), &bits, bytes);
		}
}
PICK_ALWAYS(wmma, multiply)

/* --- elements of 4 bits or 1 -------------------------------------------------------------------------------------- */

/* wmma of elements of 4 bits or 1 between memory and fragments. PTX leaves open which lane has which elements; here it
 * is as in a fragment of mma of the same shape (PTX ISA, "Matrix Fragments for mma.m8n8k32" and ".m8n8k128"): a
 * register of A is a quarter of a row, one of B of a column. Not verified: nothing that the kernel computes depends on
 * it but what it does to registers of a fragment by itself, and what it requests is not counted. */

#define SIDE 8u /* rows and columns of the sum */

/* Where register e of lane i is, in bytes after the address that the lane gives; operand 2, if given, is the distance
 * of rows or columns in memory, in elements. */
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

EXEC(move)
{
	enum access_op op = instr_kind(c->instr->form) == PTX_KIND_TILE_LOAD ? ACCESS_LOAD : ACCESS_STORE;
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

PICK_IF(wmma_narrow_load, move, has_space(c))
PICK_IF(wmma_narrow_store, move, has_space(c))
