/* mov: copies, packing and unpacking. */

#include "machine/simt/code.h"
#include "machine/simt/lanes.h"
#include "machine/simt/warp_state.h"

EXEC1(mov_16, u16, u16, a[i])
EXEC1(mov_32, u32, u32, a[i])
EXEC1(mov_64, u64, u64, a[i])

EXEC(mov_pred)
{
	set_pred(R(0), mask, get_pred(w, c, 1));
}

/* The first element is the lowest part. */
#define PACKING(name, WIDE, PART)                                                                                      \
	EXEC(pack_##name)                                                                                              \
	{                                                                                                              \
		WIDE *d = R(0);                                                                                        \
		FOR_LANES(mask, {                                                                                      \
			WIDE value = 0;                                                                                \
			for (int e = c->lanes - 1; e >= 0; e--)                                                        \
				value = (WIDE)((uint64_t)value << 8 * sizeof(PART) % 64) |                             \
					(PART)((const PART##_SLOT *)lanes_of(w, c->elements[e]))[i];                   \
			d[i] = value;                                                                                  \
		});                                                                                                    \
	}                                                                                                              \
	EXEC(unpack_##name)                                                                                            \
	{                                                                                                              \
		const WIDE *a = R(1);                                                                                  \
		WIDE value[WARP_SIZE];                                                                                 \
		memcpy(value, a, sizeof value);                                                                        \
		for (int e = 0; e < c->lanes; e++) {                                                                   \
			PART##_SLOT *d = lanes_of(w, c->elements[e]);                                                  \
			FOR_LANES(mask, d[i] = (PART)(value[i] >> 8 * sizeof(PART) * (unsigned)e));                    \
		}                                                                                                      \
	}

typedef u16 u8_SLOT; /* 8-bit registers take 16 bits */
typedef u16 u16_SLOT;
typedef u32 u32_SLOT;

PACKING(16_8, u16, u8)
PACKING(32_8, u32, u8)
PACKING(32_16, u32, u16)
PACKING(64_8, u64, u8)
PACKING(64_16, u64, u16)
PACKING(64_32, u64, u32)

/* By the width of the whole and the number of parts. */
static exec_fn *pick_packing(const struct code *c, bool packs)
{
	static const struct {
		uint8_t bytes, parts;
		exec_fn *pack, *unpack;
	} rows[] = {
		{2, 2, pack_16_8, unpack_16_8},
		{4, 4, pack_32_8, unpack_32_8},
		{4, 2, pack_32_16, unpack_32_16},
		{8, 8, pack_64_8, unpack_64_8},
		{8, 4, pack_64_16, unpack_64_16},
		{8, 2, pack_64_32, unpack_64_32},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (rows[i].bytes == c->bytes && rows[i].parts == c->lanes)
			return packs ? rows[i].pack : rows[i].unpack;
	}
	return NULL;
}

/* The address of something in the frame of the function. */
EXEC(mov_frame_32)
{
	u32 *d = R(0);
	uint32_t address = (uint32_t)(w->local_base + (uint64_t)c->offset);
	FOR_LANES(mask, d[i] = address);
}

EXEC(mov_frame_64)
{
	u64 *d = R(0);
	uint64_t address = w->local_base + (uint64_t)c->offset;
	FOR_LANES(mask, d[i] = address);
}

/* Special registers that are wider than what is asked for. */
EXEC1(mov_16_of_32, u16, u32, a[i])
EXEC1(mov_16_of_64, u16, u64, a[i])
EXEC1(mov_32_of_64, u32, u64, a[i])

/* One element of a vector, of lanes that are `stride` bytes apart. */
static void copy_element(void *to, const uint8_t *from, uint32_t stride, uint32_t bytes, uint32_t mask)
{
	uint8_t *d = to;
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		size_t i = (size_t)__builtin_ctz(rest);
		memcpy(d + i * bytes, from + i * stride, bytes);
	}
}

/* What is written may be read, too. */
EXEC(mov_vec)
{
	uint8_t values[4][WARP_SIZE * sizeof(uint64_t)];
	const struct ref *to = c->elements, *from = to + c->lanes;
	for (int e = 0; e < c->lanes; e++) {
		uint32_t stride = from[e].bank == BANK_SPECIALS && c->bytes < 4 ? 4 : c->bytes;
		copy_element(values[e], lanes_of(w, from[e]), stride, c->bytes, mask);
	}
	for (int e = 0; e < c->lanes; e++)
		copy_element(lanes_of(w, to[e]), values[e], c->bytes, c->bytes, mask);
}

PICK_IF(move_vec, mov_vec, c->n_elements == 2 * c->lanes)

exec_fn *simt_pick_mov(const struct code *c)
{
	static exec_fn *const by_bytes[] = {[0] = mov_pred, [2] = mov_16, [4] = mov_32, [8] = mov_64};
	const struct ptx_operand *o = c->instr->operands;
	if (o[0].kind == PTX_VECTOR || o[1].kind == PTX_VECTOR)
		return pick_packing(c, o[1].kind == PTX_VECTOR);
	if (c->flags & CODE_FRAME)
		return c->bytes == 8 ? mov_frame_64 : mov_frame_32;
	if (c->bytes && c->slot[1] > c->bytes) {
		if (c->bytes == 2)
			return c->slot[1] == 8 ? mov_16_of_64 : mov_16_of_32;
		return mov_32_of_64;
	}
	return by_bytes[c->bytes];
}
