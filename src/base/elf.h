/* base/elf.h: the sections of an ELF file, as machine code of a GPU comes in (a cubin). Nothing of the file is trusted. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/elf64.h"

struct elf {
	const uint8_t *bytes;
	size_t len;
	const Elf64_Shdr *sections; /* those with bytes lie in the file */
	unsigned n_sections;
	const char *names;
};

/* False where it is none, or is damaged. The sections are in `arena`. */
bool elf_read(struct arena *arena, const void *file, size_t len, struct elf *out);

const char *elf_section_name(const struct elf *elf, unsigned section);

/* One that has bytes; NULL: there is none. */
const Elf64_Shdr *elf_find_section(const struct elf *elf, const char *name);

/* A fingerprint (hex) of the bytes of a GPU function's machine code, so that two compilers' can be
 * compared. False: it has none. */
#define ELF_CODE_PRINT 17 /* bytes, with the NUL */
bool elf_fingerprint_code(const struct elf *elf, const char *function, char out[ELF_CODE_PRINT]);
