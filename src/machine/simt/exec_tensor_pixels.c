/* Copies in im2col mode, of pixels one after the other instead of a box.
 *
 * PTX ISA, "im2col mode"; as an H200 does it in the examples of Triton's tutorial on convolution (gluon, tma-im2col): the first pixel
 * is at the coordinates; the next is a step on in the innermost dimension after the channels; past the end of the bounding box it is
 * at the box's beginning, a step on in the next dimension; past the end of the last one in the next image. The offsets are added to
 * that, so that they move the bounding box. What lies outside the tensor is filled. */
#include "machine/simt/tensor_box.h"

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

struct tensor_row simt_tensor_pixel(const struct tensor_box *b, uint32_t n)
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
