/* machine/simt/scan.h: the addresses of a full warp, computed and looked at in one pass. Inside simt/ only. */
#pragma once
#include <stdbool.h>

#include "machine/simt/code.h"

/* Writes base[i] + offset of all lanes, of 64 bits or of 32, to `address`, and how those of each half follow each other, an enum
 * warp_half, to `half`. `width` is a power of 2, at most 32. */
void simt_scan_u64(const void *base, uint64_t offset, uint32_t width, uint64_t *address, uint8_t half[WARP_HALVES]);
void simt_scan_u32(const void *base, uint64_t offset, uint32_t width, uint64_t *address, uint8_t half[WARP_HALVES]);

/* Whether in each half of a warp's values, of 64 bits or of 32, each is `step` more than the one before it; a step is 0 or a power of
 * 2, at most 32. */
bool simt_follows_u64(const void *base, const uint32_t step[WARP_HALVES]);
bool simt_follows_u32(const void *base, const uint32_t step[WARP_HALVES]);
