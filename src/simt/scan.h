/* simt/scan.h: the addresses of a full warp, computed and looked at in one pass. Inside simt/ only. */
#pragma once
#include "simt/code.h"

/* Where warp_access.half comes from: of each half, by struct of two words, the bits in which its addresses differ from the first
 * (`moves`; 0: all are the same), and in which their distances from it differ from those of adjacent lanes (`jumps`; 0: all are
 * adjacent). */
struct scanned {
	struct {
		uint64_t moves, jumps;
	} half[WARP_HALVES];
};

/* Writes base[i] + offset of all lanes, of 64 bits or of 32, to `address`; `width` is a power of 2, at most 32. */
void simt_scan_u64(const void *base, uint64_t offset, uint32_t width, uint64_t *address, struct scanned *seen);
void simt_scan_u32(const void *base, uint64_t offset, uint32_t width, uint64_t *address, struct scanned *seen);

static inline enum warp_half simt_scan_half(const struct scanned *seen, int half)
{
	return !seen->half[half].moves ? HALF_SAME : !seen->half[half].jumps ? HALF_ADJACENT : HALF_SPREAD;
}
