/* mma.sync: D = A*B + C of a whole warp.
 *
 * Sums of integers wrap, or with .satfinite stop at the ends of the range, and are exact. PTX leaves open in which order and
 * with what precision tensor cores sum floats ("at least single precision"), so there is a model here: products of .f16,
 * .bf16 and .tf32 are exact, they and C are summed in double precision in the order of k, and the sum is rounded once, to
 * nearest. Sums of .f64 are fused multiply-adds in the order of k. */
#include "simt/float.h"
#include "simt/matrix.h"
#include "simt/narrow.h"

/* --- fragments ---------------------------------------------------------------------------------------------------- */

static double number(uint64_t bits, enum ptx_type type)
{
	double v;
	switch (type) {
	case PTX_S8: return (int8_t)bits;
	case PTX_U8: return (uint8_t)bits;
	case PTX_S32: return (int32_t)bits;
	case PTX_F32: return (double)float_of((uint32_t)bits);
	case PTX_F64: memcpy(&v, &bits, sizeof v); return v;
	default: return narrow_to_double((uint32_t)bits, type);
	}
}

double matrix_element(const struct warp *w, struct ref ref, int i, int part, enum ptx_type type)
{
	if (type == PTX_F64)
		return number(((const u64 *)lanes_of(w, ref))[i], type);
	unsigned bits = 32u / (unsigned)ptx_matrix_packed(type);
	uint32_t word = ((const u32 *)lanes_of(w, ref))[i] >> bits * (unsigned)part;
	return number(bits == 32 ? word : word & ((1u << bits) - 1), type);
}

/* PTX ISA, "Matrix Fragments": ptx/matrix.c says it in words. `ref` begins A's registers, and those of B. */
static void load_a(const struct warp *w, struct ptx_shape shape, enum ptx_type type, const struct ref *ref, int n,
	struct product *p)
{
	int packed = ptx_matrix_packed(type), rows = shape.m / 8;
	for (int i = 0; i < WARP; i++)
		for (int r = 0; r < n; r++)
			for (int part = 0; part < packed; part++)
				p->a[i / 4 + 8 * (r % rows)][i % 4 * packed + part + 4 * packed * (r / rows)] =
					matrix_element(w, ref[r], i, part, type);
}

static void load_b(const struct warp *w, enum ptx_type type, const struct ref *ref, int n, struct product *p)
{
	int packed = ptx_matrix_packed(type);
	for (int i = 0; i < WARP; i++)
		for (int r = 0; r < n; r++)
			for (int part = 0; part < packed; part++)
				p->b[i % 4 * packed + part + 4 * packed * r][i / 4] = matrix_element(w, ref[r], i, part, type);
}

/* Two neighbours of a row, then two of the row 8 below. */
static void load_c(const struct warp *w, struct ptx_shape shape, enum ptx_type type, const struct ref *ref, struct product *p)
{
	int packed = ptx_matrix_packed(type);
	for (int i = 0; i < WARP; i++)
		for (int e = 0; e < shape.m / 4; e++)
			p->c[i / 4 + e / 2 * 8][i % 4 * 2 + e % 2] = matrix_element(w, ref[e / packed], i, e % packed, type);
}

/* --- sums --------------------------------------------------------------------------------------------------------- */

static double sum_of(const struct product *p, int row, int column, int depth, bool fused)
{
	double sum = p->c[row][column];
	for (int k = 0; k < depth; k++)
		sum = fused ? fma(p->a[row][k], p->b[k][column], sum) : sum + p->a[row][k] * p->b[k][column];
	return sum;
}

static uint64_t result_of(double sum, const struct ptx_form *form)
{
	uint64_t bits;
	switch (form->type) {
	case PTX_F16: return narrow_from_double(sum, PTX_F16, PTX_RND_RN);
	case PTX_F32: return bits_of(canonical((float)sum));
	case PTX_F64: memcpy(&bits, &sum, sizeof bits); return bits;
	default:
		if (form->mod[PTX_MOD_FINITE])
			sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
		return (uint32_t)(int64_t)sum;
	}
}

void matrix_result(const struct warp *w, const struct ptx_form *form, const struct product *p, int row, int column,
	const struct ref *ref, int i, int e)
{
	bool fused = form->type == PTX_F64;
	uint64_t value = result_of(sum_of(p, row, column, ptx_matrix_shape(form).k, fused), form);
	if (fused)
		((u64 *)lanes_of(w, ref[e]))[i] = value;
	else if (form->type == PTX_F16)
		((u16 *)lanes_of(w, ref[e / 2]))[2 * i + e % 2] = (uint16_t)value;
	else
		((u32 *)lanes_of(w, ref[e]))[i] = (uint32_t)value;
}

static void store_d(const struct warp *w, const struct ptx_form *form, const struct ref *ref, const struct product *p)
{
	for (int i = 0; i < WARP; i++)
		for (int e = 0; e < ptx_matrix_shape(form).m / 4; e++)
			matrix_result(w, form, p, i / 4 + e / 2 * 8, i % 4 * 2 + e % 2, ref, i, e);
}

bool matrix_whole_warp(struct warp *w, const struct code *c, uint32_t mask)
{
	if (mask == FULL_MASK)
		return true;
	defect(w, c, SIMT_BAD_MASK, ~mask, 0, "a matrix takes all 32 lanes of the warp, and %d are here", __builtin_popcount(mask));
	return false;
}

EXEC(multiply)
{
	const struct ptx_form *form = c->instr->form;
	const struct ref *d = c->elements, *a = d + c->instr->operands[0].count, *b = a + c->instr->operands[1].count;
	struct product p;

	if (!matrix_whole_warp(w, c, mask))
		return;
	load_a(w, ptx_matrix_shape(form), ptx_matrix_type(form, 'A'), a, c->instr->operands[1].count, &p);
	load_b(w, ptx_matrix_type(form, 'B'), b, c->instr->operands[2].count, &p);
	load_c(w, ptx_matrix_shape(form), ptx_matrix_type(form, 'C'), b + c->instr->operands[2].count, &p);
	store_d(w, form, d, &p);
}

exec_fn *pick_mma(const struct code *c)
{
	(void)c;
	return multiply;
}
