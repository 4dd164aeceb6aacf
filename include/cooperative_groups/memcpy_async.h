/* cooperative_groups/memcpy_async.h: copies that a group makes together, and waits for. Bytes are there when a wait returns; here each thread
 * copies its part by itself, as where the hardware cannot copy past the registers. */
#pragma once
#ifdef __CUDA__ /* C++ that is not CUDA has no groups */
#include "../cooperative_groups.h"

namespace cooperative_groups {

template <typename Group>
__device__ __forceinline__ void simt_copy_together(const Group &group, void *to, const void *from, size_t bytes)
{
	size_t n = group.num_threads(), at = group.thread_rank();
	size_t whole = (((size_t)to | (size_t)from) & 3) ? 0 : bytes / 4;
	for (size_t i = at; i < whole; i += n)
		((unsigned int *)to)[i] = ((const unsigned int *)from)[i];
	for (size_t i = whole * 4 + at; i < bytes; i += n)
		((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
}
template <typename Group, typename T, typename U>
__device__ __forceinline__ void memcpy_async(const Group &group, T *to, const U *from, size_t bytes)
{
	simt_copy_together(group, to, from, bytes);
}
/* Of elements: as many as both have room for. */
template <typename Group, typename T>
__device__ __forceinline__ void memcpy_async(const Group &group, T *to, size_t to_n, const T *from, size_t from_n)
{
	simt_copy_together(group, to, from, (to_n < from_n ? to_n : from_n) * sizeof(T));
}
template <typename Group> __device__ __forceinline__ void wait(const Group &group)
{
	group.sync();
}
template <unsigned int Stages, typename Group> __device__ __forceinline__ void wait_prior(const Group &group)
{
	group.sync();
}

}
#endif
