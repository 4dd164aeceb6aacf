/* machine/simt/mem.h: one access of a warp, checked and reported. Inside simt/ only. */
#pragma once
#include <string.h>

#include "machine/simt/code.h"
#include "machine/simt/machine.h"

/* Computes the addresses of the lanes in `mask`, checks alignment and bounds, and reports to the listener. True: lane
 * i's bytes are at simt_mem_lane(m, i); in a run that goes on after defects, those of a lane with a wrong address are
 * zeros elsewhere. False: a defect ended the run. */
bool simt_mem_reach(struct warp *w, const struct code *c, uint32_t mask, enum access_op op);

/* Where the bytes of half a warp are: of its first lane, and of the others behind them, or all at the same. */
struct mem_half {
	const uint8_t *from;
	bool adjacent;
};

/* The quick way to a plain load of a full warp, one element each, which is reported to nobody: true when each half is
 * at one element or at adjacent ones. False when simt_mem_reach has to look. */
bool simt_mem_find_halves(struct warp *w, const struct code *c, struct mem_half out[WARP_HALVES]);

/* All of a warp's lanes that are in one buffer lie at their addresses plus one number. */
static inline uint8_t *simt_mem_lane(const struct machine *m, int i)
{
	return m->host.together ? (uint8_t *)(uintptr_t)(m->access.address[i] + m->host.bias) : m->host.at[i];
}

/* The same, and m->host.at[i] is where lane i's bytes are. */
bool simt_mem_access(struct warp *w, const struct code *c, uint32_t mask, enum access_op op);

/* The two halves of it: the addresses that the lanes of `mask` give, into m->access.address; and an access of `width`
 * bytes to what is there. */
void simt_mem_addresses(struct warp *w, const struct code *c, uint32_t mask);
bool simt_mem_access_at(struct warp *w, const struct code *c, uint32_t mask, enum access_op op, uint32_t width);

/* A lane's memory at a generic address, to read from; NULL when not all of it is there. Says in m->access what kind of
 * access that is, for a defect. */
const void *simt_mem_read(struct warp *w, int lane, uint64_t address, size_t bytes);

/* Like simt_mem_read, for a debugger, which leaves m->access alone: `*in` is the space; and the offset of the address
 * in it, the address itself in global memory. */
void *simt_mem_at(const struct warp *w, uint32_t lane, uint64_t address, size_t bytes, enum mem_space *in);
uint64_t simt_mem_offset(uint64_t address, enum mem_space space);

/* Reports to the listener an instruction on .shared in which no lane takes part. */
void simt_mem_report_empty(struct warp *w, const struct code *c);

/* --- the bytes themselves
 * ------------------------------------------------------------------------------------------------- */

/* Blocks on several cores may access the same bytes at the same time: that is a race of the kernel, and must be none of
 * the machine. So bytes that are not a block's own are read and written by atomic accesses of the elements' size. They
 * are relaxed: where the order of blocks could be told from an access (simt_order_find) it waits for the blocks before,
 * and the lock of the team orders it; all others promise no order to the kernel either. */
#define SIMT_MEM_GET(at) __atomic_load_n(at, __ATOMIC_RELAXED)
#define SIMT_MEM_PUT(at, value) __atomic_store_n(at, value, __ATOMIC_RELAXED)

/* How many of `bytes` bytes at `at` one access may take: 8, 4, 2 or 1. */
static inline size_t simt_mem_piece(const uint8_t *at, size_t bytes)
{
	uintptr_t bits = (uintptr_t)at | 8;
	size_t piece = bits & -bits;
	while (piece > bytes)
		piece /= 2;
	return piece;
}

/* The same for more bytes than an element has, or a number of them that is not known. */
static inline void simt_mem_read_bytes(void *to, const uint8_t *from, size_t bytes)
{
	for (size_t at = 0, n; at < bytes; at += n) {
		uint8_t *here = (uint8_t *)from + at;
		n = simt_mem_piece(here, bytes - at);
		uint64_t v = n == 8 ? SIMT_MEM_GET((uint64_t *)here)
			: n == 4    ? SIMT_MEM_GET((uint32_t *)here)
			: n == 2    ? SIMT_MEM_GET((uint16_t *)here)
				    : SIMT_MEM_GET(here);
		memcpy((uint8_t *)to + at, &v, n); /* little endian */
	}
}

static inline void simt_mem_write_bytes(uint8_t *to, const void *from, size_t bytes)
{
	for (size_t at = 0, n; at < bytes; at += n) {
		uint64_t v = 0;
		n = simt_mem_piece(to + at, bytes - at);
		memcpy(&v, (const uint8_t *)from + at, n);
		switch (n) {
		case 8: SIMT_MEM_PUT((uint64_t *)(to + at), v); break;
		case 4: SIMT_MEM_PUT((uint32_t *)(to + at), (uint32_t)v); break;
		case 2: SIMT_MEM_PUT((uint16_t *)(to + at), (uint16_t)v); break;
		default: SIMT_MEM_PUT(to + at, (uint8_t)v); break;
		}
	}
}

/* One word of 4 or 8 bytes, nearly always aligned, or less. */
static inline uint64_t simt_mem_get(uint8_t *at, uint32_t bytes)
{
	if (bytes == 4 && !((uintptr_t)at & 3))
		return SIMT_MEM_GET((uint32_t *)at);
	uint64_t v = 0;
	simt_mem_read_bytes(&v, at, bytes);
	return v;
}

static inline void simt_mem_put(uint8_t *at, uint64_t v, uint32_t bytes)
{
	if (bytes == 4 && !((uintptr_t)at & 3))
		SIMT_MEM_PUT((uint32_t *)at, (uint32_t)v);
	else
		simt_mem_write_bytes(at, &v, bytes);
}

/* --- the addresses of a full warp in one pass --------------------------------------------------------------------- */

/* Writes base[i] + offset of all lanes, of 64 bits or of 32, to `address`, and how those of each half follow each
 * other, an enum warp_half, to `half`. `width` is a power of 2, at most 32. */
void simt_scan_u64(const void *base, uint64_t offset, uint32_t width, uint64_t *address, uint8_t half[WARP_HALVES]);
void simt_scan_u32(const void *base, uint64_t offset, uint32_t width, uint64_t *address, uint8_t half[WARP_HALVES]);

/* Whether in each half of a warp's values, of 64 bits or of 32, each is `step` more than the one before it; a step is 0
 * or a power of 2, at most 32. */
bool simt_follows_u64(const void *base, const uint32_t step[WARP_HALVES]);
bool simt_follows_u32(const void *base, const uint32_t step[WARP_HALVES]);
