/* machine/simt/tensor_box.h: what a copy takes of a tensor, row by row of the innermost dimension. Inside simt/ only. */
#pragma once
#include "machine/warp/tensor.h"

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

/* exec_tensor_pixels.c: pixel `n`, whose channels are a row; none of it is in the tensor when first == end. */
struct tensor_row simt_tensor_pixel(const struct tensor_box *b, uint32_t n);
