/* wmma: matrices between memory, fragments and products.
 *
 * PTX does not say which lane has which elements of a fragment, so this is the machine's own way: lanes have neighboring
 * elements in the order of memory, C and D in the order of rows; where a fragment has room for more than the matrix, the
 * upper lanes have what the lower ones have. The requests that a load or store makes on a GPU are therefore others. */

#include "ptx/matrix.h"
#include "simt/code.h"
#include "simt/lanes.h"
#include "simt/machine.h"
#include "simt/matrix.h"
#include "simt/mem.h"
#include "simt/warp_state.h"

/* A matrix in memory and in a fragment. */
struct fragment {
	enum ptx_type type;
	uint32_t bytes; /* of an element */
	int rows, columns;
	bool by_rows; /* in memory */
	bool is_sum;  /* C or D: in the fragment always by rows */
	int each;     /* elements of a lane */
};

static struct fragment fragment_of(const struct ptx_form *form, char matrix, bool by_rows)
{
	struct ptx_shape shape = ptx_matrix_shape(form);
	enum ptx_type type = ptx_matrix_type(form, matrix), word;
	int registers = ptx_fragment_registers(form, matrix, &word);
	return (struct fragment){
		.type = type,
		.bytes = ptx_type_bytes(type),
		.rows = matrix == 'B' ? shape.k : shape.m,
		.columns = matrix == 'A' ? shape.k : shape.n,
		.by_rows = by_rows,
		.is_sum = matrix == 'C' || matrix == 'D',
		.each = registers * ptx_matrix_packed(type),
	};
}

static bool is_row(const struct ptx_form *form)
{
	return form->mod[PTX_MOD_LAYOUT] == PTX_LAYOUT_ROW;
}

/* The row and column of element e of lane i. */
static void place(const struct fragment *f, int i, int e, int *row, int *column)
{
	int at = (i * f->each + e) % (f->rows * f->columns);
	if (f->is_sum || f->by_rows) {
		*row = at / f->columns;
		*column = at % f->columns;
	} else {
		*row = at % f->rows;
		*column = at / f->rows;
	}
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

/* Lanes that have elements which no lower lane has. */
static uint32_t first_lanes(const struct fragment *f)
{
	int lanes = f->rows * f->columns / f->each;
	return lanes >= WARP_SIZE ? WARP_FULL_MASK : (1u << lanes) - 1;
}

/* How many elements that lie side by side in memory a lane moves at once. */
static int side_by_side(const struct fragment *f)
{
	int most = 16 / (int)f->bytes;
	if (f->is_sum && !f->by_rows)
		return 1;
	return most < f->each ? most : f->each;
}

/* How far element e of lane i is from the first of the matrix, in elements; operand 2, if given, is the distance of
 * rows or columns. */
static uint64_t distance(const struct warp *w, const struct code *c, const struct fragment *f, int i, int e)
{
	int row, column;
	uint64_t line = c->instr->n > 2 ? ((const u32 *)R(2))[i] : (uint32_t)(f->by_rows ? f->columns : f->rows);
	place(f, i, e, &row, &column);
	return f->by_rows ? (uint64_t)row * line + (uint64_t)column : (uint64_t)column * line + (uint64_t)row;
}

/* Makes the access to elements e and following of each lane that is the first to have them. */
static bool access_part(struct warp *w, const struct code *c, const struct fragment *f, int e, enum access_op op)
{
	uint32_t lanes = first_lanes(f);
	simt_mem_addresses(w, c, lanes);
	for (uint32_t rest = lanes; rest; rest &= rest - 1)
		w->m->access.address[__builtin_ctz(rest)] += f->bytes * distance(w, c, f, __builtin_ctz(rest), e);
	return simt_mem_access_at(w, c, lanes, op, (uint32_t)side_by_side(f) * f->bytes);
}

static uint8_t *slot(const struct warp *w, const struct code *c, const struct fragment *f, int i, int e)
{
	return simt_matrix_slot(w, c->elements, f->type, i, e);
}

/* Lanes above those that loaded have the same. */
static void repeat(const struct warp *w, const struct code *c, const struct fragment *f, uint32_t lanes)
{
	int n = __builtin_popcount(lanes);
	for (int i = n; i < WARP_SIZE; i++)
		for (int e = 0; e < f->each; e++)
			memcpy(slot(w, c, f, i, e), slot(w, c, f, i % n, e), f->bytes);
}

EXEC(load)
{
	const struct ptx_form *form = c->instr->form;
	char matrix = form->op == PTX_OP_WMMA_LOAD_A ? 'A' : form->op == PTX_OP_WMMA_LOAD_B ? 'B' : 'C';
	struct fragment f = fragment_of(form, matrix, is_row(form));
	uint32_t lanes = first_lanes(&f);

	if (!simt_matrix_whole_warp(w, c, mask))
		return;
	for (int e = 0; e < f.each; e += side_by_side(&f)) {
		if (!access_part(w, c, &f, e, ACCESS_LOAD))
			return;
		for (uint32_t rest = lanes; rest; rest &= rest - 1)
			for (int k = 0; k < side_by_side(&f); k++)
				simt_mem_read_bytes(slot(w, c, &f, __builtin_ctz(rest), e + k),
					w->m->host.at[__builtin_ctz(rest)] + (uint32_t)k * f.bytes, f.bytes);
	}
	repeat(w, c, &f, lanes);
}

EXEC(store)
{
	struct fragment f = fragment_of(c->instr->form, 'D', is_row(c->instr->form));

	if (!simt_matrix_whole_warp(w, c, mask))
		return;
	for (int e = 0; e < f.each; e += side_by_side(&f)) {
		if (!access_part(w, c, &f, e, ACCESS_STORE))
			return;
		for (int i = 0; i < WARP_SIZE; i++)
			for (int k = 0; k < side_by_side(&f); k++)
				simt_mem_write_bytes(
					w->m->host.at[i] + (uint32_t)k * f.bytes, slot(w, c, &f, i, e + k), f.bytes);
	}
}

exec_fn *simt_pick_wmma_load(const struct code *c)
{
	return c->space == SPACE_SHARED || c->space == SPACE_GLOBAL || c->space == SPACE_GENERIC ? load : NULL;
}

exec_fn *simt_pick_wmma_store(const struct code *c)
{
	return c->space == SPACE_SHARED || c->space == SPACE_GLOBAL || c->space == SPACE_GENERIC ? store : NULL;
}

/* --- product ------------------------------------------------------------------------------------------------------ */

static void read_fragment(
	const struct warp *w, const struct fragment *f, char matrix, const struct ref *ref, struct product *p)
{
	int row, column;
	for (int i = 0; i < WARP_SIZE; i++)
		for (int e = 0; e < f->each; e++) {
			place(f, i, e, &row, &column);
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
	struct fragment sums = fragment_of(form, 'C', true), result = fragment_of(form, 'D', true);
	struct fragment left = fragment_of(form, 'A', is_row(form));
	struct fragment right = fragment_of(form, 'B', form->mod[PTX_MOD_LAYOUTB] == PTX_LAYOUTB_ROW);
	struct product p;
	int row, column;

	if (!simt_matrix_whole_warp(w, c, mask))
		return;
	read_fragment(w, &left, 'A', a, &p);
	read_fragment(w, &right, 'B', b, &p);
	read_fragment(w, &sums, 'C', b + o[2].count, &p);
	for (int i = 0; i < WARP_SIZE; i++)
		for (int e = 0; e < result.each; e++) {
			place(&result, i, e, &row, &column);
			uint64_t bits = simt_matrix_sum(form, p.a[row], p.b[column], left.columns, p.c[row][column]);
			memcpy(simt_matrix_slot(w, d, result.type, i, e), &bits, result.bytes);
		}
}

exec_fn *simt_pick_wmma(const struct code *c)
{
	(void)c;
	return multiply;
}
