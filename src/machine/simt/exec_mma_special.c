/* mma.sync of sparse matrices, and of four small ones at once.
 *
 * PTX ISA, mma.sp: of each 4 elements of a row of A two are there (of 4 bits, of each 8 two pairs; of .tf32, of each 2 one), and 4
 * bits of metadata say which. Lane 4*g + t has the metadata of rows g and g+8: of elements of 16 bits and more its lower half is
 * of row g and its upper half of row g+8, and of a deep product the next lane has what follows; of smaller elements a word is of
 * one row, and lanes alternate between the two. Not verified on a GPU. */

#include "machine/ptx/matrix.h"
#include "machine/ptx/ops.h"
#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/matrix.h"

/* --- sparse ------------------------------------------------------------------------------------------------------- */

#define TF32_FIRST 0x4u  /* metadata of a pair of .tf32 of which the first is there, */
#define TF32_SECOND 0xEu /* and the second */

#define METADATA 4     /* operand of mma */
#define SPARSE_ROWS 16 /* of A, of a warp */

struct metadata {
	const u32 *lanes;
	int first;     /* lane of four that has the first word */
	bool two_rows; /* a word is of two rows */
	int words;     /* of a row, or of two */
};

/* Operand n, and the selector after it. */
static struct metadata metadata_of(const struct warp *w, const struct code *c, int n)
{
	const struct ptx_form *form = c->instr->form;
	int lanes = ptx_matrix_metadata_lanes(form);
	bool two_rows = ptx_matrix_bits(ptx_matrix_type(form, 'A')) >= 16;
	return (struct metadata){
		R(n), (int)c->instr->operands[n + 1].value * lanes, two_rows, two_rows ? lanes : lanes / 2};
}

/* The 4 bits of a group of elements of a row. */
static uint32_t group_bits(const struct metadata *m, int row, int group)
{
	int half = row / 8, per = m->two_rows ? 4 : 8, word = group / per;
	int lane = row % 8 * 4 + m->first + (m->two_rows ? word : 2 * word + half);
	return m->lanes[lane] >> (group % per * 4 + (m->two_rows ? 16 * half : 0)) & 0xF;
}

/* The places of a group's two parts; false when the manual gives the bits no meaning. */
static bool places_of(const struct ptx_form *form, uint32_t bits, int place[2])
{
	bool ordered = form->op == PTX_OP_MMA_SP_ORDERED_K8 || form->op == PTX_OP_MMA_SP_ORDERED_K16 ||
		form->op == PTX_OP_MMA_SP_ORDERED_K32 || form->op == PTX_OP_MMA_SP_ORDERED_K64 ||
		form->op == PTX_OP_MMA_SP_ORDERED_K128;
	if (ptx_matrix_type(form, 'A') == PTX_TF32) {
		place[0] = bits == TF32_SECOND;
		return bits == TF32_FIRST || bits == TF32_SECOND;
	}
	place[0] = bits & 3;
	place[1] = (int)(bits >> 2);
	return place[0] != place[1] && (!ordered || place[0] < place[1]);
}

/* Puts the elements of a row where they belong; false when its metadata mean nothing. */
static bool spread_row(const struct ptx_form *form, const struct metadata *m, int row, double *a)
{
	enum ptx_type type = ptx_matrix_type(form, 'A');
	int each = type == PTX_S4 || type == PTX_U4 ? 2 : 1, parts = type == PTX_TF32 ? 1 : 2;
	int depth = ptx_matrix_shape(form).k, groups = depth / (2 * parts * each);
	double stored[MATRIX_DEPTH_MAX];

	memcpy(stored, a, (size_t)depth / 2 * sizeof *a);
	for (int k = 0; k < depth; k++)
		a[k] = 0;
	for (int group = 0; group < groups; group++) {
		int place[2];
		if (!places_of(form, group_bits(m, row, group), place))
			return false;
		for (int e = 0; e < parts * each; e++)
			a[(2 * parts * group + place[e / each]) * each + e % each] = stored[parts * each * group + e];
	}
	return true;
}

bool simt_matrix_spread(struct warp *w, const struct code *c, int n, double a[][MATRIX_DEPTH_MAX])
{
	const struct metadata metadata = metadata_of(w, c, n);
	bool means = true;
	for (int row = 0; row < SPARSE_ROWS; row++)
		means &= spread_row(c->instr->form, &metadata, row, a[row]);
	if (!means)
		simt_fault(w, c, (struct fault){.kind = SIMT_BAD_PRODUCT, .lanes = WARP_FULL_MASK},
			"metadata of A name a place twice or in another order, or are no metadata: the product is undefined");
	return !w->m->stop;
}

EXEC(multiply_sparse)
{
	const struct ptx_form *form = c->instr->form;
	const struct ptx_operand *o = c->instr->operands;
	const struct ref *d = c->elements, *a = d + o[0].count, *b = a + o[1].count;
	struct product p;

	if (!simt_matrix_whole_warp(w, c, mask))
		return;
	simt_matrix_load_a(w, form, a, &p);
	if (!simt_matrix_spread(w, c, METADATA, p.a))
		return;
	simt_matrix_load_b(w, form, b, &p);
	simt_matrix_load_c(w, form, b + o[2].count, &p);
	simt_matrix_store_d(w, form, d, &p);
}

exec_fn *simt_pick_mma_sparse(const struct code *c)
{
	(void)c;
	return multiply_sparse;
}

/* --- four at once: PTX ISA, "Matrix Fragments for mma.m8n8k4 with .f16" ----------------------------------------------- */

#define QUADS 4
#define QUAD_SIZE 8 /* rows, columns */

/* Element e of lane i of A, and of B as if its columns were rows. */
static void factor_place(int i, int e, bool along, int *line, int *k)
{
	int upper = i / 16 * 4;
	*line = upper + (along ? i % 4 : e);
	*k = along ? e : i % 4;
}

/* Of C and D. */
static void sum_place(enum ptx_type type, int i, int e, int *row, int *column)
{
	int upper = i / 16 * 4;
	*row = upper + (type == PTX_F32 ? (i & 1) + (e & 2) : i % 4);
	*column = type == PTX_F32 ? (e & 4) + (i & 2) + (e & 1) : e;
}

static bool is_in_quad(int lane, int quad)
{
	return lane / 4 % QUADS == quad;
}

static void load_quad(const struct warp *w, const struct code *c, int quad, struct product *p)
{
	const struct ptx_form *form = c->instr->form;
	const struct ptx_operand *o = c->instr->operands;
	const struct ref *a = c->elements + o[0].count, *b = a + o[1].count, *sums = b + o[2].count;
	enum ptx_type type = ptx_matrix_type(form, 'C');
	int line, k;

	for (int i = 0; i < WARP_SIZE; i++) {
		for (int e = 0; is_in_quad(i, quad) && e < QUAD_SIZE / 2; e++) {
			factor_place(i, e, form->mod[PTX_MOD_LAYOUT] == PTX_LAYOUT_ROW, &line, &k);
			p->a[line][k] = simt_matrix_fragment(w, a, PTX_F16, i, e);
			factor_place(i, e, form->mod[PTX_MOD_LAYOUTB] == PTX_LAYOUTB_COL, &line, &k);
			p->b[line][k] = simt_matrix_fragment(w, b, PTX_F16, i, e);
		}
		for (int e = 0; is_in_quad(i, quad) && e < QUAD_SIZE; e++) {
			sum_place(type, i, e, &line, &k);
			p->c[line][k] = simt_matrix_fragment(w, sums, type, i, e);
		}
	}
}

static void store_quad(const struct warp *w, const struct code *c, int quad, const struct product *p)
{
	const struct ptx_form *form = c->instr->form;
	enum ptx_type type = (enum ptx_type)form->type;
	int row, column;
	for (int i = 0; i < WARP_SIZE; i++)
		for (int e = 0; is_in_quad(i, quad) && e < QUAD_SIZE; e++) {
			sum_place(type, i, e, &row, &column);
			uint64_t bits = simt_matrix_sum(
				form, p->a[row], p->b[column], ptx_matrix_shape(form).k, p->c[row][column]);
			memcpy(simt_matrix_slot(w, c->elements, type, i, e), &bits, ptx_type_bytes(type));
		}
}

EXEC(multiply_quads)
{
	struct product p;
	if (!simt_matrix_whole_warp(w, c, mask))
		return;
	for (int quad = 0; quad < QUADS; quad++) {
		load_quad(w, c, quad, &p);
		store_quad(w, c, quad, &p);
	}
}

exec_fn *simt_pick_mma_quads(const struct code *c)
{
	(void)c;
	return multiply_quads;
}
