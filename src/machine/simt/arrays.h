/* machine/simt/arrays.h: which variable an address is computed from, as far as the code tells, so that an access past the end of an array
 * is seen where it lands in its neighbor. Inside simt/ only.
 *
 * Followed are copies, conversions between address spaces, and sums with what is no address, whichever branch is taken. What else
 * is made of an address, or of two, and what comes from memory or a parameter, belongs to no variable; nor do arrays whose size
 * the launch gives. */
#pragma once
#include "machine/simt/code.h"

struct arena;
struct machine;

/* A variable of shared or global memory: addresses in its space. */
struct code_array {
	const struct ptx_var *var;
	uint64_t first, end;
};

/* Finds that of each access of the machine's program, if there is something beside it; when it has been decoded. */
void simt_arrays_find(struct machine *m, struct arena *arena);

/* m->access, which is valid, is of c->array: reports the lanes that are not in it. */
void simt_arrays_check(struct warp *w, const struct code *c);
