/* runtime/module/fatbin.h: the container in which compilers put device code into a program, "fat binary".
 *
 * A header and entries, each PTX or machine code for one architecture, perhaps compressed; all of it little endian. The
 * layout is not documented by NVIDIA; what is relied on here was read off programs made by nvcc 13.0. clang can also be
 * told to put a file of PTX there as it is, which begins with none of the container's marks. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"

struct fatbin_ptx {
	const char *text; /* in the arena, or in the program */
	size_t len;
	int target; /* 75: it begins with .target sm_75; 0: it does not say */
};

/* The PTX of the `room` bytes at `data`, more than the container may be, for the highest architecture that is not above
 * `cc`, else for the lowest there is. False, with a message, when there is none, or it cannot be read. */
bool fatbin_find_ptx(
	struct arena *arena, const void *data, size_t room, int cc, struct fatbin_ptx *out, struct diag *diag);
