/* tools/compile/libraries.h: NVIDIA's libraries whose kernels are machine code alone, which the machine does not run;
 * what a program calls of them is reported by the library's name. Inside tools/compile, and for the command line of
 * cc. */
#pragma once
#include <stdbool.h>

#include "base/diag.h"

/* Whether -lNAME is one of theirs: it is not linked, so that a program that names it and calls nothing of it runs. */
bool compile_is_library(const char *name);

/* Adds a note that names the libraries that a compiler or a linker missed headers or symbols of, and says what to do.
 * False: it missed none of these. */
bool compile_explain_libraries(struct diag *diag, const char *log);
