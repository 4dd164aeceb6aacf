/* base/elf.h: the sections and symbols of an ELF file: machine code of a GPU (a cubin), or a program. Nothing of the
 * file is trusted. The parts of ELF files that machine code is in have the names of <elf.h>, which not every system
 * has. */
#pragma once
#include "config.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

#ifdef HAVE_ELF_H
#include <elf.h>
#else
#define EI_NIDENT 16
#define EI_CLASS 4
#define EI_DATA 5
#define ELFMAG "\177ELF"
#define SELFMAG 4
#define ELFCLASS64 2
#define ELFDATA2LSB 1

#define SHT_NULL 0
#define SHT_PROGBITS 1
#define SHT_SYMTAB 2
#define SHT_STRTAB 3
#define SHT_RELA 4
#define SHT_NOBITS 8
#define SHT_REL 9
#define SHT_DYNSYM 11

#define SHN_UNDEF 0
#define STT_FUNC 2
#define ELF64_ST_TYPE(info) ((info)&0xf)

#define ELF64_R_SYM(info) ((info) >> 32)
#define ELF64_R_INFO(symbol, type) (((uint64_t)(symbol) << 32) + (type))

typedef struct {
	unsigned char e_ident[EI_NIDENT];
	uint16_t e_type, e_machine;
	uint32_t e_version;
	uint64_t e_entry, e_phoff, e_shoff;
	uint32_t e_flags;
	uint16_t e_ehsize, e_phentsize, e_phnum, e_shentsize, e_shnum, e_shstrndx;
} Elf64_Ehdr;

typedef struct {
	uint32_t sh_name, sh_type;
	uint64_t sh_flags, sh_addr, sh_offset, sh_size;
	uint32_t sh_link, sh_info;
	uint64_t sh_addralign, sh_entsize;
} Elf64_Shdr;

typedef struct {
	uint32_t st_name;
	unsigned char st_info, st_other;
	uint16_t st_shndx;
	uint64_t st_value, st_size;
} Elf64_Sym;

typedef struct {
	uint64_t r_offset, r_info;
} Elf64_Rel;

typedef struct {
	uint64_t r_offset, r_info;
	int64_t r_addend;
} Elf64_Rela;
#endif

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

/* The symbols of a table of a file. Their names end within it. */
struct elf_symbols {
	const Elf64_Sym *at; /* in the arena */
	size_t n;
	const char *names; /* in the file */
	size_t names_len;
};

/* Those of the first section of a type, SHT_SYMTAB or SHT_DYNSYM; none where there is no such section, or it is
 * damaged. */
struct elf_symbols elf_read_symbols(struct arena *arena, const struct elf *elf, uint32_t type);

/* The name of one that is a function defined in this file; NULL: it is something else. */
const char *elf_function_name(const struct elf_symbols *symbols, size_t symbol);

/* The function of that name which is defined in this file; NULL: there is none. */
const Elf64_Sym *elf_find_function(const struct elf_symbols *symbols, const char *name);
