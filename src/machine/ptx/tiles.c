/* Which lane has which elements, for a reader: the same rules by which machine/simt/exec_mma.c, exec_wmma.c,
 * exec_matrix.c and exec_wgmma.c find them; tests/unit/test_tiles.c runs products that come out wrong where the two
 * differ. */
#include "machine/ptx/matrix.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "machine/ptx/instr.h"
#include "machine/ptx/ops.h"

#define GROUP_WARPS 4
#define QUADS 4
#define SIDE 8 /* rows and columns of what ldmatrix, stmatrix, and movmatrix move */

/* A rule: the row and the column of element e of lane i. */
struct tile_spot {
	int row, column;
};

static struct tile_spot spot_of(const struct ptx_form *form, char matrix, int i, int e)
{
	if (form->op == PTX_OP_MMA_QUADS) {
		int upper = i / 16 * 4;
		bool by_rows = form->mod[PTX_MOD_LAYOUT] == PTX_LAYOUT_ROW,
		     by_columns = form->mod[PTX_MOD_LAYOUTB] == PTX_LAYOUTB_COL;
		if (matrix == 'A')
			return by_rows ? (struct tile_spot){upper + i % 4, e} : (struct tile_spot){upper + e, i % 4};
		if (matrix == 'B')
			return by_columns ? (struct tile_spot){e, upper + i % 4} : (struct tile_spot){i % 4, upper + e};
		if (ptx_matrix_type(form, 'D') == PTX_F32)
			return (struct tile_spot){upper + (i & 1) + (e & 2), (e & 4) + (i & 2) + (e & 1)};
		return (struct tile_spot){upper + i % 4, e};
	}
	if (matrix == 'D') {
		/* Two neighbors of a row, then two of the row 8 below; of a wgmma these of each 8 columns. */
		int rows = ptx_matrix_shape(form).m < 16 ? 1 : 2;
		return (struct tile_spot){i / 4 + e / 2 % rows * 8, i % 4 * 2 + e % 2 + e / 2 / rows * 8};
	}

	int packed = ptx_matrix_packed(ptx_matrix_type(form, matrix));
	int rows = ptx_matrix_shape(form).m < 16 ? 1 : 2, r = e / packed, k = i % 4 * packed + e % packed;
	if (matrix == 'A')
		return (struct tile_spot){i / 4 + 8 * (r % rows), k + 4 * packed * (r / rows)};
	return (struct tile_spot){k + 4 * packed * r, i / 4};
}

static struct warp_tile start_tile(const struct ptx_form *form, char matrix, int rows, int columns)
{
	enum ptx_type type = ptx_matrix_type(form, matrix);
	return (struct warp_tile){.name = matrix,
		.rows = (uint16_t)rows,
		.columns = (uint16_t)columns,
		.packed = (uint8_t)ptx_matrix_packed(type),
		.bits = (uint8_t)ptx_matrix_bits(type),
		.warps = 1,
		.type = ptx_type_name(type)};
}

static bool is_group(const struct ptx_form *form)
{
	return form->op == PTX_OP_WGMMA || form->op == PTX_OP_WGMMA_SPARSE;
}

static struct warp_tile tile_of_product(const struct ptx_form *form, char matrix)
{
	struct ptx_shape shape = ptx_matrix_shape(form);
	if (matrix == 'A' && ptx_matrix_is_sparse(form))
		shape.k /= 2;
	struct warp_tile t = start_tile(
		form, matrix, matrix == 'B' ? shape.k : shape.m, matrix == 'A' ? shape.k : shape.n);
	if (is_group(form) && matrix != 'B')
		t.warps = GROUP_WARPS;
	bool quads = form->op == PTX_OP_MMA_QUADS;
	t.each = (uint16_t)(t.rows * t.columns / WARP_SIZE / t.warps * (quads ? QUADS : 1));
	t.distinct = t.each;

	/* Of rules that are linear: the places of single bits are all there is to say. */
	for (int bit = 0; bit < TILE_LANE_BITS; bit++) {
		struct tile_spot at = spot_of(form, t.name, 1 << bit, 0);
		t.lane[bit] = (uint16_t)(at.row * t.columns + at.column);
	}
	for (int bit = 0; bit < TILE_ELEMENT_BITS && 1 << bit < t.each; bit++) {
		struct tile_spot at = spot_of(form, t.name, 0, 1 << bit);
		t.element[bit] = (uint16_t)(at.row * t.columns + at.column);
	}

	return t;
}

/* wmma: fragments.def. */
static struct warp_tile tile_of_fragment(const struct ptx_form *form, char matrix)
{
	struct ptx_fragment f = ptx_fragment_of(form, matrix);
	struct warp_tile t = start_tile(form, matrix, f.rows, f.columns);
	t.each = (uint16_t)f.each;
	t.distinct = (uint16_t)f.distinct;
	memcpy(t.lane, f.lane, sizeof f.lane);
	memcpy(t.element, f.element, sizeof f.element);
	return t;
}

/* Of ldmatrix, stmatrix, and movmatrix: matrices one below the other. */
static struct warp_tile tile_of_matrices(char name, int n, bool transposed)
{
	struct warp_tile t = {.name = name,
		.rows = (uint16_t)(SIDE * n),
		.columns = SIDE,
		.each = (uint16_t)(2 * n),
		.distinct = (uint16_t)(2 * n),
		.packed = 2,
		.bits = 16,
		.warps = 1,
		.type = ptx_type_name(PTX_B16)};
	for (int bit = 0; bit < TILE_LANE_BITS; bit++)
		t.lane[bit] = (uint16_t)(bit < 2 ? 2 << bit : SIDE << (bit - 2));
	t.element[0] = 1;
	if (transposed) {
		for (int bit = 0; bit < TILE_LANE_BITS; bit++)
			t.lane[bit] = (uint16_t)(bit < 2 ? 2 * SIDE << bit : 1 << (bit - 2));
		t.element[0] = SIDE;
	}
	for (int bit = 1; 1 << bit < 2 * n; bit++)
		t.element[bit] = (uint16_t)(SIDE * SIDE << (bit - 1));
	return t;
}

int ptx_tiles_rank(const struct ptx_form *form)
{
	switch (instr_kind(form)) {
	case PTX_KIND_MMA:
	case PTX_KIND_GROUP_MMA: return 2;
	case PTX_KIND_MATRIX_LOAD:
	case PTX_KIND_MATRIX_STORE:
	case PTX_KIND_TILE_LOAD:
	case PTX_KIND_TILE_STORE: return 1;
	default: return form->op == PTX_OP_MOVMATRIX;
	}
}

static bool tiles_of_form(const struct ptx_form *form, bool a_in_registers, struct warp_tiles *out)
{
	*out = (struct warp_tiles){.products = 1};
	if (!ptx_tiles_rank(form))
		return false;
	snprintf(out->name, sizeof out->name, "%s", form->spelling);
	enum ptx_kind kind = instr_kind(form);
	if (kind == PTX_KIND_MMA || kind == PTX_KIND_GROUP_MMA) {
		bool fragments = form->op == PTX_OP_WMMA_MMA;
		for (const char *matrix = "ABD"; *matrix; matrix++)
			out->at[out->n++] = fragments ? tile_of_fragment(form, *matrix)
						      : tile_of_product(form, *matrix);
		out->sparse = ptx_matrix_is_sparse(form);
		out->products = form->op == PTX_OP_MMA_QUADS ? QUADS : 1;
		if (is_group(form)) {
			out->at[1].place = TILE_IN_SHARED;
			if (!a_in_registers)
				out->at[0].place = TILE_IN_SHARED;
		}
	} else {
		bool store = kind == PTX_KIND_MATRIX_STORE || kind == PTX_KIND_TILE_STORE;
		out->use = form->op == PTX_OP_MOVMATRIX ? TILES_MOVED : store ? TILES_STORED : TILES_LOADED;
		out->n = 1;
		if (kind == PTX_KIND_TILE_LOAD || kind == PTX_KIND_TILE_STORE) {
			char matrix = ptx_fragment_matrix(form);
			if (form->mod[PTX_MOD_NSHAPE])
				matrix = form->op == PTX_OP_WMMA_NARROW_LOAD_A  ? 'A'
					: form->op == PTX_OP_WMMA_NARROW_LOAD_B ? 'B'
										: 'D';
			out->at[0] = form->mod[PTX_MOD_NSHAPE] ? tile_of_product(form, matrix)
							       : tile_of_fragment(form, matrix);
			out->at[0].name = matrix == 'C' ? 'D' : matrix;
		} else if (form->op == PTX_OP_MOVMATRIX) {
			out->at[0] = tile_of_matrices('S', 1, false);
			out->at[out->n++] = tile_of_matrices('T', 1, true);
		} else {
			enum ptx_type type;
			out->matrices = ptx_fragment_registers(form, 'D', &type);
			out->at[0] = tile_of_matrices('M', out->matrices, form->mod[PTX_MOD_TRANS]);
		}
	}
	return true;
}

bool ptx_tiles_of(const struct ptx_instr *instr, struct warp_tiles *out)
{
	return tiles_of_form(instr->form, instr->n > 1 && instr->operands[1].kind == PTX_VECTOR, out);
}

const char *ptx_tiles_of_opcode(struct arena *arena, const char *opcode, struct warp_tiles *out)
{
	struct ptx_forms forms;
	ptx_forms_init(&forms, arena);
	const struct ptx_form *form = ptx_forms_find(&forms, opcode, strlen(opcode));
	*out = (struct warp_tiles){0};
	if (form->op == PTX_OP_UNSUPPORTED)
		return form->why ? form->why : "there is no such instruction";
	return tiles_of_form(form, false, out) ? NULL : "it is not an instruction on matrices";
}
