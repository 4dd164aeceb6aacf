/* machine/simt/memory.h: global memory and the generic address space. Inside simt/ only. */
#pragma once
#include "machine/simt/simt.h"

#define LOCAL_MAX ((uint64_t)512 << 10) /* bytes of local memory of one thread, as CUDA's limit */

/* Windows of the generic address space. What lies below is global memory. */
#define WINDOW_SIZE ((uint64_t)1 << 32)
#define GLOBAL_END ((uint64_t)0x7C00000000000000)
#define SHARED_WINDOW ((uint64_t)0x7F00000000000000)
#define LOCAL_WINDOW ((uint64_t)0x7E00000000000000)
#define CONST_WINDOW ((uint64_t)0x7D00000000000000)
#define PARAM_WINDOW ((uint64_t)0x7C00000000000000)
#define CODE_WINDOW ((uint64_t)0x7B00000000000000) /* addresses of functions: simt_function_address */

struct region {
	uint64_t base;
	size_t size;
	uint8_t *bytes;
	uint8_t *written; /* a bit for each byte that was; NULL: all were */
	bool of_heap;     /* malloc of a kernel made it */
	bool mapped;      /* the bytes are the host's */
	bool freed;       /* it was given back, and has no bytes any more */
	bool read_only;
};

struct simt_memory {
	struct region *regions; /* by base */
	int n, cap, n_mapped;
	size_t used, limit, heap_used;
	size_t granule;     /* sizes are rounded up to a multiple of it; 0: they are not */
	int heap_end;       /* regions up to there can be made while a kernel runs */
	uint64_t next, end; /* addresses for further buffers */
};

/* The region that holds `address`, or the one before it; NULL when there is none. */
const struct region *simt_memory_find(const struct simt_memory *memory, uint64_t address);

/* The heap of kernels: made ready before a launch that may call malloc, so that regions stay where they are while it
 * runs. Memory that is given back is never given out again, so that a use after free is found. 0: no heap, or none left
 * of it. False: not what simt_heap_alloc gave, or given back before. */
void simt_heap_open(struct simt_memory *memory);
uint64_t simt_heap_alloc(struct simt_memory *memory, uint64_t bytes);
bool simt_heap_free(struct simt_memory *memory, uint64_t address);
