/* runtime/memory/pool.h: pools of memory that is made and given back in the order of a stream. Inside runtime/ only.
 *
 * An allocation has its address at once and its memory until its turn to be freed has come, and a pool keeps nothing back. */
#pragma once
#include "runtime/stream/queue.h"

struct cuda_pool {
	uint32_t mark;
	int device;
	bool is_default, destroyed; /* destroyed: it goes with its last allocation */
	int reuse[3];               /* what the program has set, by attribute */
	uint64_t threshold;
	uint64_t used, used_most, reserved_most; /* bytes */
	size_t most;                             /* bytes; 0: as the device has */
};
#define POOL_MARK 0x4C4F4F50u

/* cudaMemPoolProps */
struct cuda_pool_properties {
	int type, handles;
	int location_type, location;
	void *unused;
	size_t most;
	unsigned short usage;
	char reserved[54];
};

/* The pool of the device from which cudaMallocAsync takes. */
struct cuda_pool *pool_of_device(struct runtime *r, int device);

/* Memory that is the stream's; an error. */
int pool_alloc(struct runtime *r, struct cuda_pool *pool, size_t bytes, void **out);

/* The work of giving it back, in the order of a stream; or an error, having said why. */
int pool_free_work(struct runtime *r, const char *call, void *pointer, struct cuda_work *out);

/* Memory of the pool was released. */
void pool_released(struct cuda_pool *pool, size_t bytes);
