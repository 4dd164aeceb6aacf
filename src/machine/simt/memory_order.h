/* machine/simt/memory_order.h: what each instruction means to the order of memory, for the race detector. Inside simt/
 * only. */
#pragma once
#include "machine/race/race.h"

struct arena;
struct ptx_form;
struct ptx_kernel;

/* One for each instruction of the kernel and of its functions, by their index in the launch; in the arena. Where it is
 * to be strict, no two stores are excused for writing the same value, nor a load for being a guess at what a swap will
 * find. */
struct race_order *simt_memory_order(struct arena *arena, const struct ptx_kernel *kernel, bool strict);

/* Whether it is a load or store that is taken to be a strong one for its cache operator. */
bool simt_is_past_first_cache(const struct ptx_form *form);

/* The same in a launch with clusters of several blocks. */
void simt_memory_order_clusters(struct race_order *order, const struct ptx_kernel *kernel);

/* data_flow.c: which stores write values that may come from memory, race_order.stores_data. */
void simt_data_find(struct arena *arena, const struct ptx_kernel *kernel, struct race_order *order);

/* The registers of a unit that may be read: by an instruction, or by the caller of a function that returns them. */
bool *simt_registers_read(struct arena *arena, const struct ptx_kernel *code);
