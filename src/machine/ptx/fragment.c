#include "machine/ptx/fragment.h"

#include <stddef.h>

#include "machine/ptx/matrix.h"
#include "machine/ptx/ops.h"

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

static const struct fragment_layout *find_layout(const struct ptx_form *form, char matrix, enum ptx_type type)
{
	const struct fragment_layout *l = layouts;
	for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++, l++)
		if (l->matrix == (is_sum(matrix) ? 'C' : matrix) && l->shape == form->mod[PTX_MOD_WSHAPE] &&
			l->type == type)
			return l;
	return NULL;
}

struct ptx_fragment ptx_fragment_of(const struct ptx_form *form, char matrix)
{
	struct ptx_shape shape = ptx_matrix_shape(form);
	enum ptx_type type = ptx_matrix_type(form, matrix), word;
	const struct fragment_layout *layout = find_layout(form, matrix, type);
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
