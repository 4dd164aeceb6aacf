/* wgmma: products of a group of four warps with matrices in shared memory, of which each warp computes 16 of the 64
 * rows.
 *
 * PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory Layout": matrices consist of rows of 16 bytes, "chunks",
 * which lie along K, or along M or N where they are transposed; eight of them, one below the other, are a core matrix.
 * Where a chunk is the matrix's descriptor says. Sums are those of mma, all of K at once. Not verified on a GPU. */

#include "machine/ptx/matrix.h"
#include "machine/simt/code.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/matrix.h"
#include "machine/simt/mem.h"
#include "machine/simt/warp_state.h"
#include "machine/simt/wgmma.h"

#define CHUNK 16u /* bytes */
#define CORE 8u   /* chunks of a core matrix, one below the other */
#define ROWS 16u  /* of A and D, of a warp */
#define COLUMNS_MAX 256u
#define METADATA 3 /* operand */
#define CHUNKS_MAX (COLUMNS_MAX * 4)

/* --- where a matrix is -------------------------------------------------------------------------------------------- */

/* Its descriptor, in bytes. */
struct described {
	uint64_t start, leading, stride;
	uint32_t base;    /* where the pattern of the swizzle begins, in its units of 128 bytes */
	uint32_t swizzle; /* bytes of a row of the pattern; 16: none */
	bool transposed;
};

static struct described describe(uint64_t bits, bool transposed)
{
	static const uint8_t swizzles[] = {16, 128, 64, 32};
	return (struct described){
		.start = (bits & 0x3FFF) << 4,
		.leading = (bits >> 16 & 0x3FFF) << 4,
		.stride = (bits >> 32 & 0x3FFF) << 4,
		.base = bits >> 49 & 7,
		.swizzle = swizzles[bits >> 62],
		.transposed = transposed,
	};
}

/* The address of a chunk: of row `line` and the n-th along K; transposed, of row `line` of K and the n-th along M or
 * N. */
static uint64_t chunk_address(const struct described *m, uint32_t line, uint32_t n)
{
	uint32_t across = m->swizzle / CHUNK; /* chunks of a row of the pattern */
	uint64_t address = m->start + (uint64_t)(line % CORE) * m->swizzle;

	if (across == 1)
		return address +
			(m->transposed ? line / CORE * m->leading + n * m->stride
				       : line / CORE * m->stride + n * m->leading);
	address += line / CORE * m->stride;
	address += n % across * CHUNK + n / across * m->leading;
	return address ^ (((address >> 7) - m->base) & (across - 1)) << 4;
}

/* --- reading it --------------------------------------------------------------------------------------------------- */

/* Rows of A, or columns of B; chunk n of line l is at bytes[l * across + n]. */
struct tile {
	uint8_t bytes[CHUNKS_MAX][CHUNK];
	uint32_t depth, lines, across, n; /* depth: along K */
	enum ptx_type type;
	bool transposed;
};

/* `extent` rows of A, or columns of B, from `from` on. */
static bool read_tile(
	struct warp *w, const struct code *c, const struct described *m, struct tile *t, uint32_t from, uint32_t extent)
{
	uint32_t bits = (uint32_t)ptx_matrix_bits(t->type);
	uint32_t per = CHUNK * 8 / bits;
	const uint32_t skip[2] = {m->transposed ? 0 : from, m->transposed ? from / per : 0};

	t->transposed = m->transposed;
	t->lines = m->transposed ? t->depth : extent;
	t->across = (m->transposed ? extent : t->depth) / per;
	t->n = t->lines * t->across;
	for (uint32_t first = 0; first < t->n; first += WARP_SIZE) {
		/* Reads chunks [first, first + 32) of the tile; its first line and chunk of each line are those of the
		 * matrix after so many. */
		uint32_t n = t->n - first < WARP_SIZE ? t->n - first : WARP_SIZE;
		uint32_t lanes = n == WARP_SIZE ? WARP_FULL_MASK : (1u << n) - 1;

		for (uint32_t i = 0; i < n; i++)
			w->m->access.address[i] = chunk_address(
				m, skip[0] + (first + i) / t->across, skip[1] + (first + i) % t->across);
		if (!simt_mem_access_at(w, c, lanes, ACCESS_LOAD, CHUNK))
			return false;
		for (uint32_t i = 0; i < n; i++)
			simt_mem_read_bytes(t->bytes[first + i], w->m->host.at[i], CHUNK);
	}
	return true;
}

/* Row or column i of it as numbers. */
static void numbers_of(const struct tile *t, uint32_t i, double sign, double *to)
{
	uint32_t per = CHUNK * 8 / (uint32_t)ptx_matrix_bits(t->type);
	for (uint32_t k = 0; k < t->depth; k++)
		to[k] = sign *
			(t->transposed ? simt_matrix_element(t->bytes[k * t->across + i / per], t->type, (int)(i % per))
				       : simt_matrix_element(t->bytes[i * t->across], t->type, (int)k));
}

/* --- the product -------------------------------------------------------------------------------------------------- */

/* Of D; that of a sparse A has its metadata before it. */
static int scale_operand(const struct code *c)
{
	return ptx_matrix_is_sparse(c->instr->form) ? 5 : 3;
}

/* Columns of A that are there. */
static uint32_t a_depth(const struct code *c)
{
	uint32_t depth = (uint32_t)ptx_matrix_shape(c->instr->form).k;
	return ptx_matrix_is_sparse(c->instr->form) ? depth / 2 : depth;
}

/* A number after the scale of D; `otherwise` where it is not given. */
static int64_t number(const struct code *c, int n, int64_t otherwise)
{
	const struct ptx_instr *instr = c->instr;
	int at = scale_operand(c) + 1;
	return instr->n > at && n < instr->operands[at].count ? instr->operands[at].elements[n].value : otherwise;
}

static bool in_registers(const struct code *c)
{
	return c->instr->operands[1].kind == PTX_VECTOR;
}

/* The fragment of A, which is that of mma. */
static void a_of_registers(const struct warp *w, const struct code *c, double a[ROWS][MATRIX_DEPTH_MAX])
{
	const struct ref *ref = c->elements + c->instr->operands[0].count;
	enum ptx_type type = ptx_matrix_type(c->instr->form, 'A');
	int packed = ptx_matrix_packed(type);
	double sign = (double)number(c, 0, 1);

	for (int i = 0; i < WARP_SIZE; i++)
		for (int r = 0; r < c->instr->operands[1].count; r++)
			for (int e = 0; e < packed; e++) {
				const uint8_t *bytes = (const uint8_t *)lanes_of(w, ref[r]) + (size_t)i * 4;
				a[i / 4 + 8 * (r % 2)][i % 4 * packed + e + 4 * packed * (r / 2)] = sign *
					simt_matrix_element(bytes, type, e);
			}
}

/* The descriptor that the lanes have, which has to be one. */
static bool descriptor_of(struct warp *w, const struct code *c, int operand, uint64_t *bits)
{
	const u64 *lanes = R(operand);
	uint32_t others = 0;
	*bits = lanes[0];
	for (int i = 1; i < WARP_SIZE; i++)
		others |= lanes[i] != lanes[0] ? 1u << i : 0;
	return !others || simt_wgmma_report_descriptors(w, c, others);
}

EXEC(multiply)
{
	const struct ptx_form *form = c->instr->form;
	struct ptx_shape shape = ptx_matrix_shape(form);
	bool half = form->type2 == PTX_F16 || form->type2 == PTX_BF16;
	double a[ROWS][MATRIX_DEPTH_MAX], column[MATRIX_DEPTH_MAX];
	struct wgmma_step step = {0};
	struct tile t = {.type = ptx_matrix_type(form, 'B'), .depth = (uint32_t)shape.k};

	if ((!in_registers(c) && !descriptor_of(w, c, 1, &step.a)) || !descriptor_of(w, c, 2, &step.b) ||
		!simt_wgmma_step(w, c, mask, step) || !simt_wgmma_issue(w, c))
		return;
	const struct described b = describe(step.b, half && number(c, in_registers(c) ? 2 : 3, 0));
	if (in_registers(c)) {
		a_of_registers(w, c, a);
	} else {
		const struct described m = describe(step.a, number(c, 2, 0));
		struct tile of_a = {.type = ptx_matrix_type(form, 'A'), .depth = a_depth(c)};
		if (!read_tile(w, c, &m, &of_a, w->index % GROUP_WARPS * ROWS, ROWS))
			return;
		for (uint32_t row = 0; row < ROWS; row++)
			numbers_of(&of_a, row, (double)number(c, 0, 1), a[row]);
	}
	if (ptx_matrix_is_sparse(form) && !simt_matrix_spread(w, c, METADATA, a))
		return;
	if (!read_tile(w, c, &b, &t, 0, (uint32_t)shape.n))
		return;

	/* Lane i has two neighbors of a row and two of the row 8 below, of each 8 columns. */
	enum ptx_type type = (enum ptx_type)form->type;
	uint32_t keeps = get_pred(w, c, scale_operand(c));
	for (uint32_t i = 0; i < (uint32_t)shape.n; i++) {
		numbers_of(&t, i, (double)number(c, 1, 1), column);
		for (int row = 0; row < (int)ROWS; row++) {
			int lane = row % 8 * 4 + (int)i % 8 / 2, e = (int)i / 8 * 4 + row / 8 * 2 + (int)i % 2;
			uint8_t *slot = simt_matrix_slot(w, c->elements, type, lane, e);
			double sum = keeps >> lane & 1 ? simt_matrix_number(slot, type) : 0;
			uint64_t bits = simt_matrix_sum(form, a[row], column, shape.k, sum);
			memcpy(slot, &bits, ptx_type_bytes(type));
		}
	}
}
PICK_ALWAYS(wgmma_multiply, multiply)

/* --- order -------------------------------------------------------------------------------------------------------- */

EXEC(fence)
{
	if (simt_wgmma_step(w, c, mask, (struct wgmma_step){0}))
		simt_wgmma_fence(w);
}
PICK_ALWAYS(wgmma_fence, fence)

EXEC(commit)
{
	if (simt_wgmma_step(w, c, mask, (struct wgmma_step){0}))
		simt_wgmma_commit(w);
}
PICK_ALWAYS(wgmma_commit, commit)

EXEC(wait)
{
	if (simt_wgmma_step(w, c, mask, (struct wgmma_step){0}))
		simt_wgmma_wait(w, (uint32_t)c->instr->operands[0].value);
}
PICK_ALWAYS(wgmma_wait, wait)
