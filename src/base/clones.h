/* base/clones.h: functions that are built twice, the second time for processors with wider vectors; the loader picks.
 * Not under the sanitizers of addresses and threads, which are not ready when it does. */
#pragma once

#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&              \
	!defined(__SANITIZE_THREAD__)
#define CLONES_AVX2 __attribute__((target_clones("default", "avx2")))
#else
#define CLONES_AVX2
#endif

/* The loop that follows, of at most 8 rounds, is written out. */
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif
