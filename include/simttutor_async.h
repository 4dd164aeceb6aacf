/* simttutor_async.h: copies from global to shared memory that go on while the thread does, by cp.async; where hardware has none of
 * that size, or between other memories, the thread copies. */
#pragma once
#include "cuda_runtime.h"

namespace simt_async
{

/* The addresses and the size are multiples of what this returns: 16, 8, 4 or 1. */
static __device__ __forceinline__ __attribute__((nodebug)) unsigned int common_alignment(
	const void *to, const void *from, size_t bytes)
{
	size_t all = (size_t)to | (size_t)from | bytes;
	return all & 1 || all & 2 ? 1 : all & 4 ? 4 : all & 8 ? 8 : 16;
}

static __device__ __forceinline__ __attribute__((nodebug)) bool has_hardware(const void *to, const void *from)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
	return __isShared(to) && __isGlobal(from);
#else
	(void)to, (void)from;
	return false;
#endif
}

template <int Bytes>
static __device__ __forceinline__ __attribute__((nodebug)) void copy_piece(
	void *to, const void *from, unsigned int taken)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
	unsigned int at = (unsigned int)__cvta_generic_to_shared(to);
	size_t source = __cvta_generic_to_global(from);
	if constexpr (Bytes == 16)
		asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(source), "r"(taken)
			     : "memory");
	else if constexpr (Bytes == 8)
		asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(at), "l"(source), "r"(taken)
			     : "memory");
	else
		asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(at), "l"(source), "r"(taken)
			     : "memory");
#endif
}

/* The share of thread `rank` of `n`. Whether some of it goes on. */
static __device__ __forceinline__ __attribute__((nodebug)) bool copy(
	void *to, const void *from, size_t bytes, size_t rank, size_t n)
{
	unsigned int piece = common_alignment(to, from, bytes);
	char *out = (char *)to;
	const char *in = (const char *)from;
	bool hardware = piece > 1 && has_hardware(to, from);
	for (size_t i = rank * piece; i < bytes; i += n * piece) {
		if (!hardware && piece == 1)
			out[i] = in[i];
		else if (!hardware)
			for (unsigned int k = 0; k < piece; k += 4)
				*(unsigned int *)(out + i + k) = *(const unsigned int *)(in + i + k);
		else if (piece == 16)
			copy_piece<16>(out + i, in + i, 16);
		else if (piece == 8)
			copy_piece<8>(out + i, in + i, 8);
		else
			copy_piece<4>(out + i, in + i, 4);
	}
	return hardware;
}

static __device__ __forceinline__ __attribute__((nodebug)) void commit()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
	asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/* Until so many groups of this thread's copies are left. */
static __device__ __forceinline__ __attribute__((nodebug)) void wait(unsigned int left)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
	switch (left) {
	case 0: asm volatile("cp.async.wait_group 0;" ::: "memory"); break;
	case 1: asm volatile("cp.async.wait_group 1;" ::: "memory"); break;
	case 2: asm volatile("cp.async.wait_group 2;" ::: "memory"); break;
	case 3: asm volatile("cp.async.wait_group 3;" ::: "memory"); break;
	case 4: asm volatile("cp.async.wait_group 4;" ::: "memory"); break;
	case 5: asm volatile("cp.async.wait_group 5;" ::: "memory"); break;
	case 6: asm volatile("cp.async.wait_group 6;" ::: "memory"); break;
	default: asm volatile("cp.async.wait_group 7;" ::: "memory"); break;
	}
#else
	(void)left;
#endif
}

} // namespace simt_async
