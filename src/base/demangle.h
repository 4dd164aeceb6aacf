/* base/demangle.h: functions' names of the Itanium C++ ABI, as nvcc and clang write them for kernels, back to C++. What
 * kernels have is read: namespaces, templates of types and integers, parameters that are built in, classes, pointers,
 * references and functions; no operators, local names or expressions. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

struct demangled {
	const char *name;          /* "filter::stencil<1>" */
	const char *const *params; /* "const float *" */
	int n_params;
	bool variable; /* it has no parameter list at all */
};

/* False: the name is not mangled, or not so. In `arena`. */
bool demangle(struct arena *arena, const char *mangled, struct demangled *out);

/* Whether a reader means this function by `asked`: its name in the object file, or in the source with or without
 * namespaces, template arguments and parameters; blanks do not matter. */
bool demangle_is(struct arena *arena, const char *mangled, const char *asked);

/* "filter::stencil<1>(const float *, int)"; the name itself where it is not mangled. */
const char *demangle_signature(struct arena *arena, const char *mangled);

/* The name in the source as a part of `name`, of `len` bytes: of a function, "histogram" of "_Z9histogramPKji", or of a
 * variable of one, "count" of "_ZZ9histogramPKjiPjE5count". `*source_len` becomes its length. NULL: the name is not
 * mangled, or not so simply. */
const char *mangled_source(const char *name, size_t len, size_t *source_len);
