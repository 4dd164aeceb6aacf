/* Matrix instructions: which shapes and types go together, and how many registers a fragment takes.
 *
 * PTX ISA, "Matrix Fragments for mma": for all types one rule. A register of 32 bits (64 of .f64) holds e elements side
 * by side, 4 of 8 bits, 2 of 16, else 1; the four lanes of a group hold 4e elements of a row of A (a column of B), and
 * more registers more of them: first those of the row 8 below, then those 4e further on. The fragments of wmma are as
 * large as "Matrix Fragments for WMMA" says; where their elements are: fragment.h. */
#include "machine/ptx/matrix.h"

#include <stddef.h>
#include <string.h>

#include "machine/ptx/instr.h"
#include "machine/ptx/ops.h"

static bool is_wmma(const struct ptx_form *form)
{
	return instr_takes(form, PTX_MOD_WSHAPE);
}

/* A wmma of elements of 4 bits or 1, whose fragments are those of mma. */
static bool is_narrow(const struct ptx_form *form)
{
	return instr_takes(form, PTX_MOD_NSHAPE);
}

bool ptx_matrix_is_sparse(const struct ptx_form *form)
{
	const char *operands = ptx_op_rows[form->op].operands;
	return (operands[0] == 'M' || operands[0] == 'E') && strchr(operands, 'i');
}

static bool is_group(const struct ptx_form *form)
{
	return instr_takes(form, PTX_MOD_DEPTH);
}

#define GROUP_ROWS 64 /* of a wgmma */

struct ptx_shape ptx_matrix_shape(const struct ptx_form *form)
{
	static const uint16_t depths[PTX_MODS] = {[PTX_DEPTH_K8] = 8,
		[PTX_DEPTH_K16] = 16,
		[PTX_DEPTH_K32] = 32,
		[PTX_DEPTH_K64] = 64,
		[PTX_DEPTH_K256] = 256};
	int depth = depths[form->mod[PTX_MOD_DEPTH]]; /* of a wgmma */
	switch (form->op) {
	case PTX_OP_MMA_M8N8K4: return (struct ptx_shape){8, 8, 4};
	case PTX_OP_MMA_M8N8K16: return (struct ptx_shape){8, 8, 16};
	case PTX_OP_MMA_M16N8K4: return (struct ptx_shape){16, 8, 4};
	case PTX_OP_MMA_M16N8K8: return (struct ptx_shape){16, 8, 8};
	case PTX_OP_MMA_M16N8K16: return (struct ptx_shape){16, 8, 16};
	case PTX_OP_MMA_M16N8K32: return (struct ptx_shape){16, 8, 32};
	case PTX_OP_MMA_M8N8K32: return (struct ptx_shape){8, 8, 32};
	case PTX_OP_MMA_M16N8K64: return (struct ptx_shape){16, 8, 64};
	case PTX_OP_MMA_M8N8K128: return (struct ptx_shape){8, 8, 128};
	case PTX_OP_MMA_M16N8K128: return (struct ptx_shape){16, 8, 128};
	case PTX_OP_MMA_M16N8K256: return (struct ptx_shape){16, 8, 256};
	case PTX_OP_MMA_QUADS: return (struct ptx_shape){8, 8, 4};
	case PTX_OP_MMA_SP_K8:
	case PTX_OP_MMA_SP_ORDERED_K8: return (struct ptx_shape){16, 8, 8};
	case PTX_OP_MMA_SP_K16:
	case PTX_OP_MMA_SP_ORDERED_K16: return (struct ptx_shape){16, 8, 16};
	case PTX_OP_MMA_SP_K32:
	case PTX_OP_MMA_SP_ORDERED_K32: return (struct ptx_shape){16, 8, 32};
	case PTX_OP_MMA_SP_K64:
	case PTX_OP_MMA_SP_ORDERED_K64: return (struct ptx_shape){16, 8, 64};
	case PTX_OP_MMA_SP_K128:
	case PTX_OP_MMA_SP_ORDERED_K128: return (struct ptx_shape){16, 8, 128};
	case PTX_OP_WGMMA:
	case PTX_OP_WGMMA_SPARSE: return (struct ptx_shape){GROUP_ROWS, form->columns, depth};
	default: break;
	}
	switch (is_narrow(form) ? form->mod[PTX_MOD_NSHAPE] : form->mod[PTX_MOD_WSHAPE]) {
	case PTX_NSHAPE_M8N8K32: return (struct ptx_shape){8, 8, 32};
	case PTX_NSHAPE_M8N8K128: return (struct ptx_shape){8, 8, 128};
	case PTX_WSHAPE_M16N16K16: return (struct ptx_shape){16, 16, 16};
	case PTX_WSHAPE_M32N8K16: return (struct ptx_shape){32, 8, 16};
	case PTX_WSHAPE_M8N32K16: return (struct ptx_shape){8, 32, 16};
	case PTX_WSHAPE_M16N16K8: return (struct ptx_shape){16, 16, 8};
	case PTX_WSHAPE_M8N8K4: return (struct ptx_shape){8, 8, 4};
	default: return (struct ptx_shape){0};
	}
}

enum ptx_type ptx_matrix_type(const struct ptx_form *form, char matrix)
{
	static const enum ptx_type types[PTX_MODS] = {
		[PTX_MATB_F16] = PTX_F16,
		[PTX_MATB_BF16] = PTX_BF16,
		[PTX_MATB_TF32] = PTX_TF32,
		[PTX_MATB_F64] = PTX_F64,
		[PTX_MATB_S8] = PTX_S8,
		[PTX_MATB_U8] = PTX_U8,
		[PTX_MATB_E4M3] = PTX_E4M3,
		[PTX_MATB_E5M2] = PTX_E5M2,
		[PTX_MATB_S4] = PTX_S4,
		[PTX_MATB_U4] = PTX_U4,
		[PTX_MATB_B1] = PTX_B1,
		[PTX_MATC_F16] = PTX_F16,
		[PTX_MATC_F32] = PTX_F32,
		[PTX_MATC_F64] = PTX_F64,
		[PTX_MATC_S32] = PTX_S32,
	};
	bool has_two = form->op == PTX_OP_WMMA_MMA && !form->mod[PTX_MOD_MATC]; /* of D and C; A and B are .f16 */
	if ((is_wmma(form) || is_narrow(form)) && form->op != PTX_OP_WMMA_MMA && form->op != PTX_OP_WMMA_NARROW_MMA)
		return (enum ptx_type)form->type;
	if (has_two && matrix != 'D')
		return matrix == 'C' ? (enum ptx_type)form->type2 : PTX_F16;
	switch (matrix) {
	case 'A': return (enum ptx_type)form->type2;
	case 'B': return types[form->mod[PTX_MOD_MATB]];
	case 'C': return is_group(form) ? (enum ptx_type)form->type : types[form->mod[PTX_MOD_MATC]];
	default: return (enum ptx_type)form->type;
	}
}

int ptx_matrix_bits(enum ptx_type type)
{
	switch (type) {
	case PTX_S4:
	case PTX_U4: return 4;
	case PTX_B1: return 1;
	default: return 8 * (int)ptx_type_bytes(type);
	}
}

int ptx_matrix_packed(enum ptx_type type)
{
	int bits = ptx_matrix_bits(type);
	return bits && bits < 32 ? 32 / bits : 1;
}

static bool is_nibble(enum ptx_type type)
{
	return type == PTX_S4 || type == PTX_U4;
}

static bool is_float_byte(enum ptx_type type)
{
	return type == PTX_E4M3 || type == PTX_E5M2;
}

static bool is_byte(enum ptx_type type)
{
	return type == PTX_S8 || type == PTX_U8;
}

/* May the products of such elements be summed in a `sum`? */
static bool sums_to(enum ptx_type element, enum ptx_type sum)
{
	switch (element) {
	case PTX_F16:
	case PTX_E4M3:
	case PTX_E5M2: return sum == PTX_F16 || sum == PTX_F32;
	case PTX_BF16:
	case PTX_TF32: return sum == PTX_F32;
	case PTX_F64: return sum == PTX_F64;
	default: return sum == PTX_S32;
	}
}

/* Do elements of A and B, or sums, go with a shape of wmma? */
static bool fits_depth(enum ptx_type type, bool is_sum, int depth)
{
	if (type == PTX_F64 || depth == 4)
		return type == PTX_F64 && depth == 4;
	if (depth == 8)
		return type == (is_sum ? PTX_F32 : PTX_TF32);
	return is_sum ? type == PTX_F16 || type == PTX_F32 || type == PTX_S32
		      : type == PTX_F16 || type == PTX_BF16 || is_byte(type);
}

/* Elements of A and B that go together. */
static bool same_factors(enum ptx_type a, enum ptx_type b)
{
	return a == b || (is_byte(a) && is_byte(b)) || (is_nibble(a) && is_nibble(b)) ||
		(is_float_byte(a) && is_float_byte(b));
}

/* PTX ISA, "Matrix Shape" of wgmma: columns in steps of 8; of integers and bits from 32 on in steps of 16, and 24. */
static bool has_columns(int columns, bool whole)
{
	if (columns < 8 || columns > 256 || columns % 8)
		return false;
	return !whole || columns % 16 == 0 || columns == 8 || columns == 24;
}

#define GROUP_DEPTH_BITS 256 /* of a row of A */

int ptx_matrix_metadata_lanes(const struct ptx_form *form)
{
	enum ptx_type a = ptx_matrix_type(form, 'A');
	int deep = ptx_matrix_shape(form).k / 2 / (4 * ptx_matrix_packed(a)); /* 1 or 2 registers along k */
	return ptx_matrix_bits(a) < 16 ? 2 * deep : deep;
}

/* Of four small products at once, and of products of bits. */
static const char *special_lacks(const struct ptx_form *form)
{
	enum ptx_type a = ptx_matrix_type(form, 'A'), c = ptx_matrix_type(form, 'C'), d = ptx_matrix_type(form, 'D');
	bool bits = form->mod[PTX_MOD_BOOL] || form->mod[PTX_MOD_POPC];
	if (form->op == PTX_OP_MMA_QUADS && (!form->mod[PTX_MOD_LAYOUTB] || a != PTX_F16 || (c == PTX_F32 && d != c)))
		return "it takes two layouts, factors of .f16, and sums of .f16 or .f32";
	if (a == PTX_B1 ? !bits || !form->mod[PTX_MOD_POPC] || form->mod[PTX_MOD_BOOL] == PTX_BOOL_OR : bits)
		return "products of bits, and no others, are .and.popc or .xor.popc";
	return NULL;
}

/* Of sparse matrices the elements of A that there are make a product half as deep. */
static bool has_shape(const struct ptx_form *form, enum ptx_type a)
{
	struct ptx_shape shape = ptx_matrix_shape(form);
	bool sparse = ptx_matrix_is_sparse(form), is_f64 = a == PTX_F64;
	int k = sparse ? shape.k / 2 : shape.k, group = 4 * ptx_matrix_packed(a);
	int deep = k % group ? 0 : k / group; /* registers along k */

	if (form->op == PTX_OP_MMA_QUADS)
		return true;
	if (sparse && (is_f64 || a == PTX_B1 || (is_float_byte(a) && deep != 2)))
		return false;
	if (shape.m == 8)
		return deep == 1 && (is_byte(a) || is_nibble(a) || is_f64 || a == PTX_B1);
	return deep == 1 || deep == 2 || (deep == 4 && is_f64);
}

const char *ptx_matrix_lacks(const struct ptx_form *form)
{
	if (is_group(form)) {
		struct ptx_shape shape = ptx_matrix_shape(form);
		enum ptx_type a = ptx_matrix_type(form, 'A'), b = ptx_matrix_type(form, 'B'),
			      d = ptx_matrix_type(form, 'D');
		bool is_bit = a == PTX_B1, whole = d == PTX_S32;

		if (!a || !b || !shape.k)
			return "it needs a shape, such as .m64n8k16, and the types of D, A and B";
		if (!same_factors(a, b) || !sums_to(a, d))
			return "these types do not go together";
		bool sparse = ptx_matrix_is_sparse(form);
		if (shape.k * ptx_matrix_bits(a) != GROUP_DEPTH_BITS * (sparse ? 2 : 1) || (sparse && is_bit) ||
			!has_columns(shape.n, whole))
			return "this shape does not go with these types";
		if (is_bit != (form->mod[PTX_MOD_BOOL] == PTX_BOOL_AND && form->mod[PTX_MOD_POPC]) ||
			(!is_bit && (form->mod[PTX_MOD_BOOL] || form->mod[PTX_MOD_POPC])))
			return "products of bits, and no others, are .and.popc";
		return form->mod[PTX_MOD_FINITE] && !is_byte(a) ? "only sums of integers take .satfinite" : NULL;
	}
	if (is_wmma(form)) {
		struct ptx_shape shape = ptx_matrix_shape(form);
		enum ptx_type a = ptx_matrix_type(form, 'A'), c = ptx_matrix_type(form, 'C'),
			      d = ptx_matrix_type(form, 'D');
		bool is_sum = form->op == PTX_OP_WMMA_LOAD_C || form->op == PTX_OP_WMMA_STORE_D;

		if (!shape.m || !form->mod[PTX_MOD_LAYOUT])
			return "it needs a layout and a shape, such as .row.m16n16k16";
		if (form->op != PTX_OP_WMMA_MMA)
			return fits_depth(d, is_sum, shape.k) ? NULL : "this shape does not go with this type";
		if (!form->mod[PTX_MOD_LAYOUTB])
			return "it needs the layouts of A and B, such as .row.col";
		if (a != ptx_matrix_type(form, 'B') || !sums_to(a, d) || !sums_to(a, c) || (a != PTX_F16 && c != d))
			return "these types do not go together";
		if (form->mod[PTX_MOD_FINITE] && !is_byte(a))
			return "only sums of integers take .satfinite";
		if (form->mod[PTX_MOD_RND] && a != PTX_F64)
			return "only sums of .f64 take a rounding";
		return fits_depth(a, false, shape.k) ? NULL : "this shape does not go with these types";
	}
	if (is_narrow(form)) {
		/* PTX ISA, "Matrix Fragments for WMMA": A by rows, B by columns, as it is with elements of less than a
		 * byte. */
		enum ptx_type a = ptx_matrix_type(form, 'A');
		uint8_t layout = form->mod[PTX_MOD_LAYOUT];
		bool product = form->op == PTX_OP_WMMA_NARROW_MMA, is_bit = a == PTX_B1;
		bool is_sum = form->op == PTX_OP_WMMA_NARROW_LOAD_C || form->op == PTX_OP_WMMA_NARROW_STORE_D;
		if (!form->mod[PTX_MOD_NSHAPE] || !layout)
			return "it needs a layout and a shape, such as .row.m8n8k32";
		if (!is_sum && is_bit != (form->mod[PTX_MOD_NSHAPE] == PTX_NSHAPE_M8N8K128))
			return "this shape does not go with this type";
		if (!is_sum && layout != (form->op == PTX_OP_WMMA_NARROW_LOAD_B ? PTX_LAYOUT_COL : PTX_LAYOUT_ROW))
			return "A is by rows and B by columns";
		if (!product)
			return NULL;
		if (form->mod[PTX_MOD_LAYOUTB] != PTX_LAYOUTB_COL)
			return "A is by rows and B by columns";
		if (a != ptx_matrix_type(form, 'B') || form->mod[PTX_MOD_MATC] != PTX_MATC_S32)
			return "these types do not go together";
		if (form->mod[PTX_MOD_FINITE] && is_bit)
			return "only sums of integers take .satfinite";
		return special_lacks(form);
	}
	enum ptx_type a = ptx_matrix_type(form, 'A'), b = ptx_matrix_type(form, 'B');
	enum ptx_type c = ptx_matrix_type(form, 'C'), d = ptx_matrix_type(form, 'D');

	if (!ptx_matrix_shape(form).m)
		return NULL;
	if (!b || !form->mod[PTX_MOD_MATC])
		return "it needs the types of D, A, B and C";
	if (!same_factors(a, b) || (c != d && form->op != PTX_OP_MMA_QUADS) || !sums_to(a, d) || !sums_to(a, c))
		return "these types do not go together";
	if (is_float_byte(a) && d == PTX_F16 && ptx_matrix_is_sparse(form))
		return "these types do not go together";
	if (!has_shape(form, a))
		return "this shape does not go with these types";
	if (form->mod[PTX_MOD_FINITE] && !is_byte(a) && !is_nibble(a))
		return "only sums of integers take .satfinite";
	if (form->mod[PTX_MOD_RND] && a != PTX_F64)
		return "only sums of .f64 take a rounding";
	return special_lacks(form);
}

int ptx_fragment_registers(const struct ptx_form *form, char matrix, enum ptx_type *type)
{
	if (form->op == PTX_OP_WMMA_LOAD_A || form->op == PTX_OP_WMMA_LOAD_B)
		matrix = form->op == PTX_OP_WMMA_LOAD_A ? 'A' : 'B';
	if (form->op == PTX_OP_WMMA_NARROW_LOAD_A || form->op == PTX_OP_WMMA_NARROW_LOAD_B)
		matrix = form->op == PTX_OP_WMMA_NARROW_LOAD_A ? 'A' : 'B';
	struct ptx_shape shape = ptx_matrix_shape(form);
	enum ptx_type element = ptx_matrix_type(form, matrix);
	int packed = ptx_matrix_packed(element), rows = shape.m / 8;

	*type = element == PTX_F64 ? PTX_F64 : PTX_B32;
	if (!shape.m) {
		/* How many matrices of 8 by 8 ldmatrix and stmatrix move. */
		uint8_t count = form->mod[PTX_MOD_COUNT];
		return count == PTX_COUNT_X4 ? 4 : count == PTX_COUNT_X2 ? 2 : 1;
	}
	if (is_group(form))
		return matrix == 'A' ? 4 : shape.n / 2 / packed;
	if (is_wmma(form)) {
		/* Of .f16 every lane has 16 elements of A and of B, so that those of small matrices are had by several.
		 * */
		struct ptx_shape registers_shape = ptx_matrix_shape(form);
		enum ptx_type registers_element = ptx_matrix_type(form, matrix);
		if (registers_element == PTX_F16 && (matrix == 'A' || matrix == 'B'))
			return 8;
		int elements = matrix == 'A' ? registers_shape.m * registers_shape.k
			: matrix == 'B'      ? registers_shape.k * registers_shape.n
					     : registers_shape.m * registers_shape.n;
		return elements / WARP_SIZE / ptx_matrix_packed(registers_element);
	}
	if (form->op == PTX_OP_MMA_QUADS)
		return matrix == 'A' || matrix == 'B' ? 2 : 8 / packed;
	if (matrix == 'A' && ptx_matrix_is_sparse(form))
		shape.k /= 2;
	switch (matrix) {
	case 'A': return rows * (shape.k / (4 * packed));
	case 'B': return shape.k / (4 * packed);
	default: return packed == 2 ? rows : 2 * rows;
	}
}

/* --- fragments of wmma -------------------------------------------------------------------------------------------- */

struct fragment_layout {
	char matrix;
	uint8_t shape;
	enum ptx_type type;
	uint16_t lane[PTX_FRAGMENT_LANE_BITS], element[PTX_FRAGMENT_ELEMENT_BITS];
};

static const struct fragment_layout layouts[] = {
#define FRAGMENT(matrix, shape, type, l0, l1, l2, l3, l4, e0, e1, e2, e3)                                              \
	{#matrix[0], PTX_WSHAPE_##shape, PTX_##type, {l0, l1, l2, l3, l4}, {e0, e1, e2, e3}},
#include "machine/ptx/fragments.def"
#undef FRAGMENT
};

char ptx_fragment_matrix(const struct ptx_form *form)
{
	switch (form->op) {
	case PTX_OP_WMMA_LOAD_A: return 'A';
	case PTX_OP_WMMA_LOAD_B: return 'B';
	case PTX_OP_WMMA_LOAD_C: return 'C';
	default: return 'D';
	}
}

static bool is_sum(char matrix)
{
	return matrix == 'C' || matrix == 'D';
}

struct ptx_fragment ptx_fragment_of(const struct ptx_form *form, char matrix)
{
	struct ptx_shape shape = ptx_matrix_shape(form);
	enum ptx_type type = ptx_matrix_type(form, matrix), word;

	const struct fragment_layout *layout = NULL;
	const struct fragment_layout *l = layouts;
	for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++, l++)
		if (l->matrix == (is_sum(matrix) ? 'C' : matrix) && l->shape == form->mod[PTX_MOD_WSHAPE] &&
			l->type == type) {
			layout = l;
			break;
		}

	struct ptx_fragment f = {.type = type,
		.rows = matrix == 'B' ? shape.k : shape.m,
		.columns = matrix == 'A' ? shape.k : shape.n,
		.each = ptx_fragment_registers(form, matrix, &word) * ptx_matrix_packed(type),
		.distinct = 1};
	for (int bit = 0; layout && bit < PTX_FRAGMENT_LANE_BITS; bit++)
		f.lane[bit] = layout->lane[bit];
	for (int bit = 0; layout && bit < PTX_FRAGMENT_ELEMENT_BITS; bit++) {
		f.element[bit] = layout->element[bit];
		f.distinct <<= f.element[bit] != 0;
	}
	return f;
}

struct ptx_fragment_moves ptx_fragment_moves(const struct ptx_form *form, const struct ptx_fragment *f)
{
	char matrix = ptx_fragment_matrix(form);
	int bytes = (int)ptx_type_bytes(f->type);
	bool by_rows = form->mod[PTX_MOD_LAYOUT] == PTX_LAYOUT_ROW;
	bool natural = by_rows == (f->element[0] == 1); /* neighbors in a lane are neighbors in memory */
	bool blocks = ptx_form_space(form) == SPACE_SHARED && !is_sum(matrix) && bytes <= 2;
	struct ptx_fragment_moves moves = {.run = 1};

	if (natural)
		moves.run = !is_sum(matrix) && bytes <= 4 ? 4 / bytes : f->distinct > 1 ? 2 : 1;
	else if (bytes == 2)
		moves = (struct ptx_fragment_moves){.way = PTX_FRAGMENT_TRANSPOSED, .run = 2};
	if (blocks && (natural || bytes == 2)) {
		int n = f->distinct / moves.run, most = bytes == 2 ? 4 : 2;
		moves.way = natural ? PTX_FRAGMENT_BLOCKS : PTX_FRAGMENT_BLOCKS_TRANSPOSED;
		moves.blocks = n < most ? n : most;
	}
	return moves;
}
