/* cuda_pipeline_primitives.h: copies to shared memory in groups, as C functions. */
#pragma once
#include "simttutor_async.h"

/* Of 4, 8 or 16 bytes, of which the last `zeros` are 0. */
static __device__ __forceinline__ __attribute__((nodebug)) void __pipeline_memcpy_async(
	void *to, const void *from, size_t bytes, size_t zeros = 0)
{
	if (!simt_async::has_hardware(to, from)) {
		for (size_t i = 0; i < bytes; i++)
			((char *)to)[i] = i < bytes - zeros ? ((const char *)from)[i] : 0;
		return;
	}
	if (bytes == 16)
		simt_async::copy_piece<16>(to, from, (unsigned int)(16 - zeros));
	else if (bytes == 8)
		simt_async::copy_piece<8>(to, from, (unsigned int)(8 - zeros));
	else
		simt_async::copy_piece<4>(to, from, (unsigned int)(4 - zeros));
}
static __device__ __forceinline__ __attribute__((nodebug)) void __pipeline_commit()
{
	simt_async::commit();
}
static __device__ __forceinline__ __attribute__((nodebug)) void __pipeline_wait_prior(size_t left)
{
	simt_async::wait((unsigned int)left);
}
