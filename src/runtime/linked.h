/* runtime/linked.h: a program or a library that has NVIDIA's runtime linked into it, as nvcc does unless -cudart shared
 * is given */
#pragma once
#include <stddef.h>

#include "base/elf.h"

/* The version of that runtime, 12 or 13, by the functions (SHT_SYMTAB) of its file; 0: there is none, or the file has
 * no such symbols left. What tells one version from the other are the functions that version 12 alone has. */
static inline int linked_version(const struct elf_symbols *functions)
{
	static const char *const of_12[] = {
#define GROUP(title)
#define FUNCTION(name, variant, versions, state, note) LINKED_##versions(#name)
#define LINKED_ALL(name)
#define LINKED_CUDA13(name)
#define LINKED_CUDA12(name) name,
#include "runtime/functions.def"
	};
	if (!elf_find_function(functions, "__cudaRegisterFatBinary") ||
		!elf_find_function(functions, "cudaRuntimeGetVersion"))
		return 0;
	for (size_t i = 0; i < sizeof of_12 / sizeof *of_12; i++)
		if (elf_find_function(functions, of_12[i]))
			return 12;
	return 13;
}
