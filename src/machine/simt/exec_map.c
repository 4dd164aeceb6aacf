/* tensormap: fields of a tensor map in memory are set, and a map is copied from shared to global memory. Of what a map
 * can say, that is set which the machine's own have: machine/warp/texture.h. */

#include "machine/ptx/ops.h"
#include "machine/simt/async.h"
#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/mem.h"
#include "machine/warp/texture.h"

#define PIECES (WARP_TENSOR_BYTES / SIMT_BULK_PIECE)

/* --- a map in memory ---------------------------------------------------------------------------------------------- */

static bool fail(struct warp *w, const struct code *c, int lane, const char *why)
{
	simt_fault(w, c, (struct fault){.kind = SIMT_OUT_OF_BOUNDS, .lanes = lane_bit[lane]}, "%s", why);
	return false;
}

/* Accesses the 128 bytes at the lane's address of `c`; at[] is where their pieces are. */
static bool reach_map(
	struct warp *w, const struct code *c, int lane, uint64_t address, enum access_op op, uint8_t *at[PIECES])
{
	if (address % WARP_TENSOR_ALIGN)
		return fail(w, c, lane, "the address of a tensor map is a multiple of 64");
	for (uint32_t i = 0; i < PIECES; i++) {
		w->m->access.address[lane] = address + i * SIMT_BULK_PIECE;
		if (!simt_mem_access_at(w, c, lane_bit[lane], op, SIMT_BULK_PIECE))
			return false;
		at[i] = w->m->host.at[lane];
	}
	return true;
}

static uint64_t map_address(struct warp *w, const struct code *c, int lane)
{
	simt_mem_addresses(w, c, lane_bit[lane]);
	return w->m->access.address[lane];
}

static void read_map(uint8_t bytes[WARP_TENSOR_BYTES], uint8_t *const at[PIECES])
{
	for (uint32_t i = 0; i < PIECES; i++)
		simt_mem_read_bytes(bytes + i * SIMT_BULK_PIECE, at[i], SIMT_BULK_PIECE);
}

static void write_map(uint8_t *const at[PIECES], const uint8_t bytes[WARP_TENSOR_BYTES])
{
	for (uint32_t i = 0; i < PIECES; i++)
		simt_mem_write_bytes(at[i], bytes + i * SIMT_BULK_PIECE, SIMT_BULK_PIECE);
}

/* --- fields ------------------------------------------------------------------------------------------------------- */

/* PTX ISA, tensormap.replace, by new_val; 0 bytes: the machine has no tensors of that type. */
static const struct {
	uint8_t bytes;
	char kind;
} types[] = {{1, 'U'}, {2, 'U'}, {4, 'U'}, {4, 'S'}, {8, 'U'}, {8, 'S'}, {2, 'F'}, {4, 'F'}, {0, 0}, {8, 'F'}, {0, 0},
	{0, 0}, {0, 0}};

static const char *set_mode(struct warp_tensor *t, uint16_t op, uint64_t value)
{
	static const uint8_t swizzles[] = {0, 1, 3, 7};
	switch (op) {
	case PTX_OP_MAP_TYPE:
		if (value >= sizeof types / sizeof *types || !types[value].bytes)
			return "the machine has no tensors of this type";
		t->stride[0] = types[value].bytes;
		t->kind = types[value].kind;
		return NULL;
	case PTX_OP_MAP_INTERLEAVE: return value ? "the machine has no interleaved tensors" : NULL;
	case PTX_OP_MAP_SWIZZLE:
		if (value >= sizeof swizzles)
			return "a swizzle of CC 9.0 is 0 to 3";
		t->swizzle = swizzles[value];
		return NULL;
	default:
		if (value > 1 || (value && t->kind != 'F'))
			return "it is filled with 0, or 1, NaN, where its elements are floats";
		t->fills_nan = (uint8_t)value;
		return NULL;
	}
}

static const char *set_field(struct warp_tensor *t, uint16_t op, uint64_t ordinal, uint64_t value)
{
	switch (op) {
	case PTX_OP_MAP_ADDRESS:
		t->address = value;
		return value % 16 ? "a tensor's address is a multiple of 16" : NULL;
	case PTX_OP_MAP_RANK:
		t->rank = (uint8_t)(value + 1);
		return value >= WARP_TENSOR_RANKS ? "a tensor has at most 5 dimensions" : NULL;
	case PTX_OP_MAP_BOX:
	case PTX_OP_MAP_SIZE:
	case PTX_OP_MAP_STRIDE:
	case PTX_OP_MAP_STEP:
		/* Of dimension `i`; the strides begin with that of dimension 1. */
		if (ordinal >= (op == PTX_OP_MAP_STRIDE ? WARP_TENSOR_RANKS - 1 : WARP_TENSOR_RANKS))
			return "a tensor has at most 5 dimensions";
		switch (op) {
		case PTX_OP_MAP_SIZE:
			t->size[ordinal] = (uint32_t)value;
			return value ? NULL : "a dimension has no elements";
		case PTX_OP_MAP_STRIDE:
			t->stride[ordinal + 1] = value;
			return value % 16 || value >> 40 ? "a stride is a multiple of 16, less than 2^40" : NULL;
		case PTX_OP_MAP_STEP:
			t->step[ordinal] = (uint8_t)value;
			return value < 1 || value > WARP_TENSOR_STEP_MAX ? "an element stride is 1 to 8" : NULL;
		default:
			t->box[ordinal] = (uint16_t)value;
			return value < 1 || value > WARP_TENSOR_BOX_MAX ? "a box spans 1 to 256 elements" : NULL;
		}
	default: return set_mode(t, op, value);
	}
}

static bool replace_lane(struct warp *w, const struct code *c, int lane)
{
	uint8_t *at[PIECES], bytes[WARP_TENSOR_BYTES];
	struct warp_tensor map;
	int last = c->instr->n - 1;
	uint64_t ordinal = last > 1 ? ((const u32 *)R(1))[lane] : 0;
	uint64_t value = c->instr->form->type == PTX_B64 ? ((const u64 *)R(last))[lane] : ((const u32 *)R(last))[lane];

	if (!reach_map(w, c, lane, map_address(w, c, lane), ACCESS_STORE, at))
		return false;
	read_map(bytes, at);
	memcpy(&map, bytes, sizeof map);
	if (map.mark != WARP_TENSOR_MARK)
		return fail(w, c, lane, "there is no tensor map at this address");
	if (map.pixels)
		return fail(w, c, lane, "the tensor map is not of mode .tile");
	const char *why = set_field(&map, c->instr->form->op, ordinal, value);
	if (why)
		return fail(w, c, lane, why);
	memcpy(bytes, &map, sizeof map);
	write_map(at, bytes);
	return true;
}

EXEC(replace)
{
	for (uint32_t left = mask; left; left &= left - 1)
		if (!replace_lane(w, c, __builtin_ctz(left)))
			return;
}
PICK_ALWAYS(map_replace, replace)

/* --- copy --------------------------------------------------------------------------------------------------------- */

/* Lanes with the same addresses as one before them do what that does: the warp executes it together. */
EXEC(copy)
{
	uint64_t to[WARP_SIZE], from[WARP_SIZE];
	uint8_t *at[PIECES], bytes[WARP_TENSOR_BYTES];

	for (uint32_t left = mask, done = 0; left; left &= left - 1) {
		int lane = __builtin_ctz(left);
		to[lane] = map_address(w, c, lane);
		from[lane] = map_address(w, c->from, lane);
		bool again = false;
		for (uint32_t others = done; others; others &= others - 1)
			again |= to[__builtin_ctz(others)] == to[lane] && from[__builtin_ctz(others)] == from[lane];
		done |= lane_bit[lane];
		if (again)
			continue;
		if (!reach_map(w, c->from, lane, from[lane], ACCESS_LOAD, at))
			return;
		read_map(bytes, at);
		if (!reach_map(w, c, lane, to[lane], ACCESS_STORE, at))
			return;
		write_map(at, bytes);
	}
}

PICK_IF(map_copy, copy, c->from)
