/* mma.sync: D = A*B + C of a whole warp.
 *
 * Sums of integers wrap, or with .satfinite stop at the ends of the range, and are exact. Sums of .f64 are fused
 * multiply-adds in the order of k. PTX leaves open how tensor cores sum .f16, .bf16 and .tf32 ("at least single
 * precision"); here it is as on CC 9.0: products are exact; they and C are cut off, not rounded, SUM_DIGITS binary
 * places below the largest exponent among them, where that of a product is the sum of its factors' and that of a
 * subnormal the least normal one; the pieces are added exactly, all of k at once; the sum is cut off to .f32, or
 * rounded to .f16. Of .e4m3 and .e5m2 wgmma does the same with BYTE_DIGITS places; mma turns them into .f16 and makes
 * two steps, of which the second adds to what the first has rounded: elements 0 and 1 of each four that a register
 * holds, then 2 and 3. Verified: CC 9.0 (H200), m16n8k4, k8 and k16 of the three types, 98,304 results bit for bit, of
 * numbers, subnormals, infinities and NaN; of bytes tests/ptx/mma-sum-fp8.ptx, wgmma-sum-fp8.ptx. */

#include "machine/ptx/instr.h"
#include "machine/ptx/matrix.h"
#include "machine/ptx/ops.h"
#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/float.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/matrix.h"

/* --- elements ----------------------------------------------------------------------------------------------------- */

uint8_t *simt_matrix_slot(const struct warp *w, const struct ref *ref, enum ptx_type type, int i, int e)
{
	int packed = ptx_matrix_packed(type);
	uint32_t width = type == PTX_F64 ? 8 : 4;
	return (uint8_t *)lanes_of(w, ref[e / packed]) + (uint32_t)i * width +
		(uint32_t)(e % packed) * ptx_type_bytes(type);
}

double simt_matrix_number(const uint8_t *slot, enum ptx_type type)
{
	uint64_t bits = 0;
	double v;
	memcpy(&bits, slot, ptx_type_bytes(type));
	switch (type) {
	case PTX_S8: return (int8_t)bits;
	case PTX_U8: return (uint8_t)bits;
	case PTX_S32: return (int32_t)bits;
	case PTX_F32: return (double)float_of((uint32_t)bits);
	case PTX_F64: memcpy(&v, &bits, sizeof v); return v;
	default: return simt_narrow_to_double((uint32_t)bits, type);
	}
}

double simt_matrix_element(const uint8_t *bytes, enum ptx_type type, int e)
{
	int bits = ptx_matrix_bits(type), at = e * bits;
	if (bits >= 8)
		return simt_matrix_number(bytes + at / 8, type);
	int v = bytes[at / 8] >> at % 8 & ((1 << bits) - 1);
	return type == PTX_S4 && v & 8 ? v - 16 : v;
}

/* --- fragments: PTX ISA, "Matrix Fragments for mma"; machine/ptx/matrix.c says it in words
 * ------------------------------------ */

/* Element e of lane i of a fragment. */
static double fragment_number(const struct warp *w, const struct ref *ref, enum ptx_type type, int i, int e)
{
	int packed = ptx_matrix_packed(type);
	return simt_matrix_element(simt_matrix_slot(w, ref, type, i, e / packed * packed), type, e % packed);
}

/* A as far as it is there, at the beginning of each row. */
static void load_a(const struct warp *w, const struct ptx_form *form, const struct ref *ref, struct product *p)
{
	enum ptx_type type = ptx_matrix_type(form, 'A');
	struct ptx_shape shape = ptx_matrix_shape(form);
	int packed = ptx_matrix_packed(type), rows = shape.m / 8;
	int depth = ptx_matrix_is_sparse(form) ? shape.k / 2 : shape.k;
	for (int i = 0; i < WARP_SIZE; i++)
		for (int e = 0; e < shape.m * depth / WARP_SIZE; e++) {
			int r = e / packed, row = i / 4 + 8 * (r % rows),
			    k = i % 4 * packed + e % packed + 4 * packed * (r / rows);
			p->a[row][k] = fragment_number(w, ref, type, i, e);
		}
}

static void load_b(const struct warp *w, const struct ptx_form *form, const struct ref *ref, struct product *p)
{
	enum ptx_type type = ptx_matrix_type(form, 'B');
	struct ptx_shape shape = ptx_matrix_shape(form);
	int packed = ptx_matrix_packed(type);
	for (int i = 0; i < WARP_SIZE; i++)
		for (int e = 0; e < shape.k * shape.n / WARP_SIZE; e++) {
			int k = i % 4 * packed + e % packed + 4 * packed * (e / packed);
			p->b[i / 4][k] = fragment_number(w, ref, type, i, e);
		}
}

/* Two neighbors of a row, then two of the row 8 below. */
static void load_c(const struct warp *w, const struct ptx_form *form, const struct ref *ref, struct product *p)
{
	enum ptx_type type = ptx_matrix_type(form, 'C');
	int each = ptx_matrix_shape(form).m / 4;
	for (int i = 0; i < WARP_SIZE; i++)
		for (int e = 0; e < each; e++)
			p->c[i / 4 + e / 2 * 8][i % 4 * 2 + e % 2] = simt_matrix_number(
				simt_matrix_slot(w, ref, type, i, e), type);
}

static void store_d(const struct warp *w, const struct ptx_form *form, const struct ref *ref, const struct product *p)
{
	enum ptx_type type = (enum ptx_type)form->type;
	int each = ptx_matrix_shape(form).m / 4, depth = ptx_matrix_shape(form).k;
	for (int i = 0; i < WARP_SIZE; i++)
		for (int e = 0; e < each; e++) {
			int row = i / 4 + e / 2 * 8, column = i % 4 * 2 + e % 2;
			uint64_t bits = simt_matrix_sum(form, p->a[row], p->b[column], depth, p->c[row][column]);
			memcpy(simt_matrix_slot(w, ref, type, i, e), &bits, ptx_type_bytes(type));
		}
}

/* --- sums --------------------------------------------------------------------------------------------------------- */

#define SUM_DIGITS 25
#define BYTE_DIGITS 13        /* of .e4m3 and .e5m2 */
#define NO_EXPONENT INT32_MIN /* zero's */

/* Of a number that came from `type`; every one of them is a normal double. */
static int exponent_of(double v, enum ptx_type type)
{
	uint64_t bits;
	int least = type == PTX_F16 || type == PTX_E5M2 ? -14 : type == PTX_E4M3 ? -6 : -126, exponent;
	memcpy(&bits, &v, sizeof bits);
	exponent = (int)(bits >> 52 & 0x7FF) - 1023;
	return v == 0 ? NO_EXPONENT : exponent < least ? least : exponent;
}

static bool is_float_byte(enum ptx_type type)
{
	return type == PTX_E4M3 || type == PTX_E5M2;
}

/* Types of factors and how many digits of their products are summed; elements k with (k & by) == at, all with 0 and
 * 0. */
struct tensor_step {
	enum ptx_type a, b;
	int digits, by, at;
};

/* The sum before its last rounding, exact as a double. */
static double tensor_sum(
	const struct tensor_step *s, const double *a, const double *b, int depth, double c, enum ptx_type c_type)
{
	double plain = c;
	int top = exponent_of(c, c_type);

	for (int k = 0; k < depth; k++) {
		if ((k & s->by) != s->at)
			continue;
		int exponent = a[k] == 0 || b[k] == 0 ? NO_EXPONENT : exponent_of(a[k], s->a) + exponent_of(b[k], s->b);
		plain += a[k] * b[k];
		top = exponent > top ? exponent : top;
	}
	if (top == NO_EXPONENT || !isfinite(plain))
		return plain; /* zeros, of which all must be negative to give -0; infinities and NaN */

	uint64_t bits = (uint64_t)(s->digits - top + 1023) << 52;
	double scale;
	memcpy(&scale, &bits, sizeof scale);

	int64_t sum = (int64_t)(c * scale);
	for (int k = 0; k < depth; k++)
		if ((k & s->by) == s->at)
			sum += (int64_t)(a[k] * b[k] * scale);
	return (double)sum / scale;
}

static uint64_t result_of(double sum, const struct ptx_form *form)
{
	uint64_t bits;
	switch (form->type) {
	case PTX_F16: return simt_narrow_from_double(sum, PTX_F16, PTX_RND_RN);
	case PTX_F32: {
		float near = (float)sum; /* and cut off: past the largest number it is infinity in any case */
		if (fabs(sum) >= 0x1p128)
			near = copysignf(INFINITY, near);
		else if (fabs((double)near) > fabs(sum))
			near = float_of(bits_of(near) - 1);
		return bits_of(canonical(near));
	}
	case PTX_F64: memcpy(&bits, &sum, sizeof bits); return bits;
	default:
		if (form->mod[PTX_MOD_FINITE])
			sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
		return (uint32_t)(int64_t)sum;
	}
}

/* PTX ISA, mma: .rn unless it says another. */
static double fused_sum(const struct ptx_form *form, const double *a, const double *b, int depth, double c)
{
	fesetround(host_rounding((enum ptx_mod)form->mod[PTX_MOD_RND]));
	for (int k = 0; k < depth; k++)
		c = fma(a[k], b[k], c);
	fesetround(FE_TONEAREST);
	return c;
}

uint64_t simt_matrix_sum(const struct ptx_form *form, const double *a, const double *b, int depth, double c)
{
	double sum = c;
	if (form->type == PTX_F32 || form->type == PTX_F16) {
		enum ptx_type a_type = ptx_matrix_type(form, 'A'), c_type = ptx_matrix_type(form, 'C');
		bool bytes = is_float_byte(a_type), group = instr_takes(form, PTX_MOD_DEPTH);
		struct tensor_step step = {a_type, ptx_matrix_type(form, 'B'), bytes ? BYTE_DIGITS : SUM_DIGITS, 0, 0};

		if (bytes && !group) {
			/* Of a sparse matrix two elements stand for four. */
			int half = ptx_matrix_is_sparse(form) ? 4 : 2;
			step = (struct tensor_step){PTX_F16, PTX_F16, SUM_DIGITS, half, 0};
			uint64_t first = result_of(tensor_sum(&step, a, b, depth, c, c_type), form);
			c_type = (enum ptx_type)form->type;
			c = simt_matrix_number((const uint8_t *)&first, c_type);
			step.at = half;
		}
		return result_of(tensor_sum(&step, a, b, depth, c, c_type), form);
	}
	if (form->type == PTX_F64)
		return result_of(fused_sum(form, a, b, depth, c), form);
	if (form->mod[PTX_MOD_BOOL] == PTX_BOOL_XOR) {
		for (int k = 0; k < depth; k++)
			sum += fabs(a[k] - b[k]);
		return result_of(sum, form);
	}
	for (int k = 0; k < depth; k++)
		sum = fma(a[k], b[k], sum); /* exact for integers */
	return result_of(sum, form);
}

/* --- the instruction ---------------------------------------------------------------------------------------------- */

bool simt_matrix_whole_warp(struct warp *w, const struct code *c, uint32_t mask)
{
	if (mask == WARP_FULL_MASK)
		return true;
	simt_fault(w, c, (struct fault){.kind = SIMT_BAD_MASK, .lanes = ~mask},
		"a matrix instruction takes all 32 lanes of the warp, and %d are active", __builtin_popcount(mask));
	return false;
}

EXEC(multiply)
{
	const struct ptx_form *form = c->instr->form;
	const struct ref *d = c->elements, *a = d + c->instr->operands[0].count, *b = a + c->instr->operands[1].count;
	struct product p;

	if (!simt_matrix_whole_warp(w, c, mask))
		return;
	load_a(w, form, a, &p);
	load_b(w, form, b, &p);
	load_c(w, form, b + c->instr->operands[2].count, &p);
	store_d(w, form, d, &p);
}
PICK_ALWAYS(mma, multiply)

/* --- sparse ------------------------------------------------------------------------------------------------------- */

/* PTX ISA, mma.sp: of each 4 elements of a row of A two are there (of 4 bits, of each 8 two pairs; of .tf32, of each 2
 * one), and 4 bits of metadata say which. Lane 4*g + t has the metadata of rows g and g+8: of elements of 16 bits and
 * more its lower half is of row g and its upper half of row g+8, and of a deep product the next lane has what follows;
 * of smaller elements a word is of one row, and lanes alternate between the two. Not verified on a GPU. */

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
		/* The 4 bits of the group, and the places that they name. */
		int place[2];
		int half = row / 8, per = m->two_rows ? 4 : 8, word = group / per;
		int lane = row % 8 * 4 + m->first + (m->two_rows ? word : 2 * word + half);
		uint32_t bits = m->lanes[lane] >> (group % per * 4 + (m->two_rows ? 16 * half : 0)) & 0xF;
		if (!places_of(form, bits, place))
			return false;
		for (int e = 0; e < parts * each; e++)
			a[(2 * parts * group + place[e / each]) * each + e % each] = stored[parts * each * group + e];
	}
	return true;
}

bool simt_matrix_spread(struct warp *w, const struct code *c, int n, double a[][MATRIX_DEPTH_MAX])
{
	/* Operand n, and the selector after it. */
	const struct ptx_form *form = c->instr->form;
	int lanes = ptx_matrix_metadata_lanes(form);
	bool two_rows = ptx_matrix_bits(ptx_matrix_type(form, 'A')) >= 16;
	const struct metadata metadata = (struct metadata){
		R(n), (int)c->instr->operands[n + 1].value * lanes, two_rows, two_rows ? lanes : lanes / 2};

	bool means = true;
	for (int row = 0; row < SPARSE_ROWS; row++)
		means &= spread_row(c->instr->form, &metadata, row, a[row]);
	if (!means)
		simt_fault(w, c, (struct fault){.kind = SIMT_BAD_PRODUCT, .lanes = WARP_FULL_MASK, .passes = true},
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
	load_a(w, form, a, &p);
	if (!simt_matrix_spread(w, c, METADATA, p.a))
		return;
	load_b(w, form, b, &p);
	load_c(w, form, b + o[2].count, &p);
	store_d(w, form, d, &p);
}
PICK_ALWAYS(mma_sparse, multiply_sparse)

/* --- four at once: PTX ISA, "Matrix Fragments for mma.m8n8k4 with .f16"
 * ----------------------------------------------- */

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

EXEC(multiply_quads)
{
	const struct ptx_form *form = c->instr->form;
	const struct ptx_operand *o = c->instr->operands;
	const struct ref *a = c->elements + o[0].count, *b = a + o[1].count, *sums = b + o[2].count;
	enum ptx_type type = (enum ptx_type)form->type, c_type = ptx_matrix_type(form, 'C');
	struct product p;
	int row, column;
	if (!simt_matrix_whole_warp(w, c, mask))
		return;
	for (int quad = 0; quad < QUADS; quad++) {
		for (int i = 0; i < WARP_SIZE; i++) {
			for (int e = 0; is_in_quad(i, quad) && e < QUAD_SIZE / 2; e++) {
				factor_place(i, e, form->mod[PTX_MOD_LAYOUT] == PTX_LAYOUT_ROW, &row, &column);
				p.a[row][column] = fragment_number(w, a, PTX_F16, i, e);
				factor_place(i, e, form->mod[PTX_MOD_LAYOUTB] == PTX_LAYOUTB_COL, &row, &column);
				p.b[row][column] = fragment_number(w, b, PTX_F16, i, e);
			}
			for (int e = 0; is_in_quad(i, quad) && e < QUAD_SIZE; e++) {
				sum_place(c_type, i, e, &row, &column);
				p.c[row][column] = fragment_number(w, sums, c_type, i, e);
			}
		}
		for (int i = 0; i < WARP_SIZE; i++)
			for (int e = 0; is_in_quad(i, quad) && e < QUAD_SIZE; e++) {
				sum_place(type, i, e, &row, &column);
				uint64_t bits = simt_matrix_sum(
					form, p.a[row], p.b[column], ptx_matrix_shape(form).k, p.c[row][column]);
				memcpy(simt_matrix_slot(w, c->elements, type, i, e), &bits, ptx_type_bytes(type));
			}
	}
}
PICK_ALWAYS(mma_quads, multiply_quads)
