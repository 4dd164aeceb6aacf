/* cp.async.bulk.tensor and cp.reduce.async.bulk.tensor: boxes of a tensor in global memory, which a tensor map
 * describes, row by row of the innermost dimension. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/simt/async.h"
#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/mem.h"
#include "machine/simt/warp_state.h"
#include "machine/simt/watch.h"
#include "machine/warp/texture.h"

#define BOX_ALIGN 128u /* PTX ISA, cp.async.bulk.tensor: of the box in shared memory */
#define ROW_ALIGN 16 /* bytes, of its place in a row of the tensor: an illegal instruction otherwise; verified: H200 */

/* A box, or pixels, and where that begins in the tensor. */
struct tensor_box {
	struct warp_tensor map;
	int32_t at[WARP_TENSOR_RANKS];
	uint16_t offset[WARP_TENSOR_RANKS - 2]; /* of pixels, by all dimensions but the channels and the images */
};

/* A row of a box: elements [first, end) of it are in the tensor, at `address` and after. */
struct tensor_row {
	uint64_t address;
	uint32_t first, end;
	uint32_t offset;   /* bytes, in the box */
	uint32_t *pending; /* of a row that is read: the operation's number for the detector */
};

/* --- im2col: pixels one after the other instead of a box ---------------------------------------------------------- */

/* PTX ISA, "im2col mode"; as an H200 does it in the examples of Triton's tutorial on convolution (gluon, tma-im2col):
 * the first pixel is at the coordinates; the next is a step on in the innermost dimension after the channels; past the
 * end of the bounding box it is at the box's beginning, a step on in the next dimension; past the end of the last one
 * in the next image. The offsets are added to that, so that they move the bounding box. What lies outside the tensor is
 * filled. */

/* The pixel after `at`. */
static void advance(const struct warp_tensor *t, int64_t at[WARP_TENSOR_RANKS])
{
	for (int i = 1; i < t->rank - 1; i++) {
		at[i] += t->step[i];
		if (at[i] < (int64_t)t->size[i] + t->upper[i - 1])
			return;
		at[i] = t->lower[i - 1];
	}
	at[t->rank - 1]++;
}

/* Pixel `n`, whose channels are a row; none of it is in the tensor when first == end. */
static struct tensor_row pixel_row(const struct tensor_box *b, uint32_t n)
{
	const struct warp_tensor *t = &b->map;
	struct tensor_row row = {.address = t->address, .offset = n * (uint32_t)t->stride[0] * t->box[0]};
	int64_t at[WARP_TENSOR_RANKS], first = b->at[0] < 0 ? -(int64_t)b->at[0] : 0;
	int64_t end = (int64_t)t->size[0] - b->at[0] < t->box[0] ? (int64_t)t->size[0] - b->at[0] : t->box[0];

	for (int i = 0; i < t->rank; i++)
		at[i] = b->at[i];
	for (uint32_t i = 0; i < n; i++)
		advance(t, at);
	for (int i = 1; i < t->rank; i++) {
		int64_t place = at[i] + (i < t->rank - 1 ? b->offset[i - 1] : 0);
		if (place < 0 || place >= (int64_t)t->size[i])
			return row;
		row.address += (uint64_t)place * t->stride[i];
	}
	if (first >= end)
		return row;
	row.first = (uint32_t)first;
	row.end = (uint32_t)end;
	row.address += (uint64_t)(b->at[0] + first) * t->stride[0];
	return row;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

static uint32_t row_bytes(const struct warp_tensor *t)
{
	return (uint32_t)t->stride[0] * t->box[0];
}

static uint32_t count_rows(const struct warp_tensor *t)
{
	return warp_tensor_box_bytes(t) / row_bytes(t);
}

/* Row `n` of the box; none of it is in the tensor when first == end. */
static struct tensor_row row_of(const struct tensor_box *b, uint32_t n)
{
	const struct warp_tensor *t = &b->map;
	if (t->pixels)
		return pixel_row(b, n);
	struct tensor_row row = {.address = t->address, .offset = n * row_bytes(t)};
	int64_t first = b->at[0] < 0 ? -(int64_t)b->at[0] : 0, end = (int64_t)t->size[0] - b->at[0];
	for (int i = 1; i < t->rank; i++) {
		uint32_t taken = warp_tensor_taken(t, i);
		int64_t at = b->at[i] + (int64_t)(n % taken) * t->step[i];
		n /= taken;
		if (at < 0 || at >= (int64_t)t->size[i])
			return row;
		row.address += (uint64_t)at * t->stride[i];
	}
	end = end < t->box[0] ? end : t->box[0];
	if (first >= end)
		return row;
	row.first = (uint32_t)first;
	row.end = (uint32_t)end;
	row.address += (uint64_t)(b->at[0] + first) * t->stride[0];
	return row;
}

/* --- maps --------------------------------------------------------------------------------------------------------- */

static bool bad_map(struct warp *w, const struct code *c, int lane, const char *why)
{
	simt_fault(w, c, (struct fault){.kind = SIMT_OUT_OF_BOUNDS, .lanes = lane_bit[lane]}, "%s", why);
	return false;
}

static bool is_of_pixels(const struct code *c)
{
	uint8_t mode = c->instr->form->mod[PTX_MOD_TILE];
	return mode == PTX_TILE_IM2COL || mode == PTX_TILE_IM2COL_NO_OFFS;
}

/* PTX ISA, cp.async.bulk.tensor: an offset has 16 bits, of tensors of 4 dimensions 8, of 5 it has 5. */
static bool read_offsets(struct warp *w, const struct code *c, int lane, struct tensor_box *b)
{
	static const uint16_t most[] = {[3] = 0xFFFF, [4] = 0xFF, [5] = 0x1F};
	int n = c->instr->form->mod[PTX_MOD_TILE] == PTX_TILE_IM2COL ? b->map.rank - 2 : 0;
	memset(b->offset, 0, sizeof b->offset);
	for (int i = 0; i < n; i++) {
		b->offset[i] = ((const u16 *)lanes_of(w, c->elements[b->map.rank + i]))[lane];
		if (b->offset[i] > most[b->map.rank])
			return bad_map(
				w, c, lane, "an offset is at most 255 in a tensor of 4 dimensions, 31 in one of 5");
	}
	return true;
}

/* The lane's map and coordinates; `map` is the operand. */
static bool read_box(struct warp *w, const struct code *c, const struct code *map, int lane, struct tensor_box *b)
{
	simt_mem_addresses(w, map, lane_bit[lane]);
	uint64_t address = w->m->access.address[lane];
	const void *bytes = simt_mem_read(w, lane, address, WARP_TENSOR_BYTES);
	if (!bytes || address % WARP_TENSOR_ALIGN)
		return bad_map(w, c, lane, "the address of a tensor map is that of 128 bytes, and a multiple of 64");
	memcpy(&b->map, bytes, sizeof b->map);
	if (b->map.mark != WARP_TENSOR_MARK)
		return bad_map(w, c, lane, "there is no tensor map at this address");
	if (!warp_tensor_sound(&b->map))
		return bad_map(w, c, lane, "the tensor map at this address has been changed, and describes no tensor");
	if (b->map.rank != c->instr->form->mod[PTX_MOD_DIM] - PTX_DIM_D1 + 1)
		return bad_map(w, c, lane, "the tensor has another number of dimensions than the instruction");
	if (warp_tensor_box_bytes(&b->map) > w->m->shared.size)
		return bad_map(w, c, lane, "a box of this tensor map is larger than the block's shared memory");
	if (is_of_pixels(c) != (b->map.pixels != 0))
		return bad_map(w, c, lane,
			is_of_pixels(c) ? "the tensor map takes boxes, and the instruction pixels (.im2col)"
					: "the tensor map takes pixels (.im2col), and the instruction boxes");
	if (!read_offsets(w, c, lane, b))
		return false;
	for (int i = 0; i < b->map.rank; i++)
		b->at[i] = ((const s32 *)lanes_of(w, c->elements[i]))[lane];
	if (b->at[0] * (int64_t)b->map.stride[0] % ROW_ALIGN == 0)
		return true;
	simt_fault(w, c, (struct fault){.kind = SIMT_MISALIGNED, .lanes = lane_bit[lane]},
		"a box from element %d of the innermost dimension on, which is not a multiple of %d bytes from the first",
		b->at[0], ROW_ALIGN);
	return false;
}

static bool is_aligned_box(struct warp *w, const struct code *c, uint64_t address, int lane)
{
	if (address % BOX_ALIGN == 0)
		return true;
	simt_fault(w, c, (struct fault){.kind = SIMT_MISALIGNED, .lanes = lane_bit[lane], .address = address},
		"a box at 0x%" PRIx64 " of shared memory, which is not a multiple of %u", address, BOX_ALIGN);
	return false;
}

/* --- elements ----------------------------------------------------------------------------------------------------- */

static bool move_row(struct warp *w, const struct code *global, int lane, enum access_op op, const struct tensor_box *b,
	const struct tensor_row *row, uint8_t *data)
{
	uint32_t element = (uint32_t)b->map.stride[0], bytes = (row->end - row->first) * element, piece;
	data += row->offset + row->first * element;
	for (uint32_t at = 0; at < bytes; at += piece) {
		/* As many bytes as one access at the address may have. */
		piece = SIMT_BULK_PIECE;
		while (piece > bytes - at || (row->address + at) % piece)
			piece /= 2;

		w->m->access.address[lane] = row->address + at;
		if (!simt_mem_access_at(w, global, lane_bit[lane], op, piece))
			return false;
		if (op == ACCESS_LOAD)
			simt_mem_read_bytes(data + at, w->m->host.at[lane], piece);
		if (op == ACCESS_LOAD && w->m->detector)
			simt_watch_reads(w, global, row->pending);
		else
			simt_mem_write_bytes(w->m->host.at[lane], data + at, piece);
	}
	return true;
}

/* --- global to shared --------------------------------------------------------------------------------------------- */

EXEC(load)
{
	struct async_target targets = {.mbarrier = c->from->from, .multicast = simt_async_multicast(w, c, 4)};
	struct tensor_box box;

	if (!simt_async_find_mbarriers(w, c, mask, &targets))
		return;
	for (uint32_t rest = mask; rest && !w->m->stop; rest &= rest - 1) {
		int lane = __builtin_ctz(rest);
		simt_mem_addresses(w, c, lane_bit[lane]);
		if (!is_aligned_box(w, c, w->m->access.address[lane], lane) || !read_box(w, c, c->from, lane, &box))
			return;
		struct bulk_data data = {.bytes = warp_tensor_box_bytes(&box.map), .swizzle = box.map.swizzle};
		data.at = base_calloc(1, data.bytes + SIMT_BULK_PIECE);
		/* The NaN is that of fma.oob in each half of it, of .f32 and .f64 as well. Verified: H200. */
		for (uint32_t i = 0; i < data.bytes; i++)
			data.at[i] = !box.map.fills_nan ? 0 : i % 2 ? 0x7F : 0xF7;
		simt_async_charge(w->m, data.bytes);
		bool good = true;
		for (uint32_t n = 0; good && n < count_rows(&box.map); n++) {
			struct tensor_row row = row_of(&box, n);
			row.pending = &data.pending;
			good = move_row(w, c->from, lane, ACCESS_LOAD, &box, &row, data.at);
		}
		if (good)
			simt_async_push_bulk(w, c, lane, &targets, &data);
		free(data.at);
	}
}

PICK_IF(tensor_load, load, c->from && c->from->from)

/* --- shared to global --------------------------------------------------------------------------------------------- */

static enum ptx_type element_type(const struct warp_tensor *t)
{
	static const enum ptx_type types[3][9] = {
		{[4] = PTX_U32, [8] = PTX_U64},
		{[4] = PTX_S32, [8] = PTX_S64},
		{[2] = PTX_F16, [4] = PTX_F32, [8] = PTX_F64},
	};
	return types[t->kind == 'F' ? 2 : t->kind == 'S'][t->stride[0] & 15];
}

static bool reduce_row(struct warp *w, const struct operation *o, int lane, const struct tensor_row *row)
{
	const struct tensor_box *b = (const struct tensor_box *)o->bulk;
	const uint8_t *data = o->bulk + sizeof *b + row->offset;
	uint32_t element = (uint32_t)b->map.stride[0];
	struct ptx_form form = *o->c->instr->form;
	form.type = (uint8_t)element_type(&b->map);
	for (uint32_t i = row->first; i < row->end; i++) {
		w->m->access.address[lane] = row->address + (i - row->first) * element;
		if (!simt_atomic_element(w, o->c, lane, &form, data + i * element))
			return false;
	}
	return true;
}

static void box_arrives(struct warp *w, struct operation *o, uint32_t lanes)
{
	const struct tensor_box *b = (const struct tensor_box *)o->bulk;
	bool reduces = instr_takes(o->c->instr->form, PTX_MOD_ATOM), good = true;
	for (uint32_t n = 0; good && n < count_rows(&b->map); n++) {
		int lane = __builtin_ctz(lanes);
		struct tensor_row row = row_of(b, n);
		good = reduces ? reduce_row(w, o, lane, &row)
			       : move_row(w, o->c, lane, ACCESS_STORE, b, &row, o->bulk + sizeof *b);
	}
}

EXEC(store)
{
	struct tensor_box box;
	for (uint32_t rest = mask; rest && !w->m->stop; rest &= rest - 1) {
		int lane = __builtin_ctz(rest);

		if (!read_box(w, c, c, lane, &box))
			return;
		/* PTX ISA, cp.reduce.async.bulk.tensor: as atomic operations on the tensor's type. */
		uint8_t op = c->instr->form->mod[PTX_MOD_ATOM];
		bool bits = op == PTX_ATOM_AND || op == PTX_ATOM_OR || op == PTX_ATOM_XOR;
		bool counts = op == PTX_ATOM_INC || op == PTX_ATOM_DEC;
		bool orders = op == PTX_ATOM_MIN || op == PTX_ATOM_MAX;
		enum ptx_type type = element_type(&box.map);
		bool good = type && !(bits && box.map.kind == 'F') && !(counts && type != PTX_U32) &&
			!(orders && (type == PTX_F32 || type == PTX_F64));
		if (instr_takes(c->instr->form, PTX_MOD_ATOM) && !good &&
			!bad_map(w, c, lane, "the type of the tensor has no such operation"))
			return;

		/* What begins before the tensor can be loaded, not stored: an illegal instruction, of a map of pixels
		 * also where its bounding box does. Verified: H200. */
		bool inside = true;
		for (int i = 0; i < box.map.rank; i++)
			inside &= box.at[i] >= 0;
		for (int i = 0; box.map.pixels && i < box.map.rank - 2; i++)
			inside &= box.map.lower[i] >= 0;
		if (!inside &&
			!bad_map(w, c, lane,
				"what is stored or reduced may end outside of the tensor, not begin before it"))
			return;

		uint32_t bytes = warp_tensor_box_bytes(&box.map);
		simt_async_charge(w->m, bytes);
		simt_async_room(w, bytes);
		uint8_t *bulk = base_calloc(1, sizeof box + bytes + SIMT_BULK_PIECE);
		memcpy(bulk, &box, sizeof box);
		struct bulk_data data = {.at = bulk + sizeof box, .bytes = bytes};

		simt_mem_addresses(w, c->from, lane_bit[lane]);
		uint64_t address = w->m->access.address[lane];
		bool whole = is_aligned_box(w, c->from, address, lane);
		for (uint32_t at = 0; at < bytes && whole; at += SIMT_BULK_PIECE) {
			w->m->access.address[lane] = warp_tensor_swizzled(box.map.swizzle, address + at);
			whole = simt_mem_access_at(w, c->from, lane_bit[lane], ACCESS_LOAD, SIMT_BULK_PIECE);
			if (whole)
				simt_mem_read_bytes(data.at + at, w->m->host.at[lane], SIMT_BULK_PIECE);
			if (whole && w->m->detector)
				simt_watch_reads(w, c->from, &data.pending);
		}
		if (!whole) {
			free(bulk);
			return;
		}
		struct operation *o = simt_async_push(w, c, lane_bit[lane], box_arrives, ASYNC_BULK);
		o->bulk = bulk;
		o->bulk_bytes = bytes;
		o->pending = data.pending;

		/* What an operation, complete as it is, is going to write. */
		const struct tensor_box *b = (const struct tensor_box *)o->bulk;
		uint32_t element = (uint32_t)b->map.stride[0];
		for (uint32_t n = 0; w->m->detector && n < count_rows(&b->map); n++) {
			struct tensor_row row = row_of(b, n);
			uint32_t row_bytes = (row.end - row.first) * element;
			uint32_t step = instr_takes(o->c->instr->form, PTX_MOD_ATOM) ? element : row_bytes;
			for (uint32_t at = 0; at < row_bytes; at += step)
				simt_watch_writes(w, o, lane, row.address + at, step);
		}
	}
}

PICK_IF(tensor_store, store, c->from)
