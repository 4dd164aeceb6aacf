/* base/mangled.h: names as C++ compilers write them (Itanium C++ ABI), back to those in the source. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* The name in the source as a part of `name`, of `len` bytes: of a function, "histogram" of "_Z9histogramPKji", or of a variable
 * of one, "count" of "_ZZ9histogramPKjiPjE5count". `*source_len` becomes its length. NULL: the name is not mangled, or not
 * so simply. */
const char *mangled_source(const char *name, size_t len, size_t *source_len);
