/* machine/simt/format.h: printf as kernels have it. Inside simt/ only.
 *
 * CUDA C++ Programming Guide, "Formatted Output": the conversions of C but %n, with flags, width and precision. The
 * arguments are in memory one after the other, each aligned to its size: 4 bytes for int and shorter, 8 for double,
 * pointers and what l, ll, z, j or t stand before. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* The memory of the thread that prints. False: there is none at the address. */
typedef bool format_read_fn(void *ctx, uint64_t address, void *to, size_t bytes);

struct format_thread {
	void *ctx;
	format_read_fn *read;
	uint64_t format, args; /* addresses */
	uint64_t bad;          /* out: an address without memory */
	uint64_t work;         /* out: characters read and written */
};

/* Appends what the thread prints, at most about `room` bytes of it. Returns how many arguments it took, -1 when `bad` says
 * what could not be read. What is not a conversion is printed as it stands. */
int simt_format_print(struct format_thread *thread, size_t room, struct buf *out);
