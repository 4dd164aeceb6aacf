#include "base/elf.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"

#define SECTIONS_MAX 65536u
#define TEXT_SECTION ".text."

static bool is_inside(const struct elf *elf, uint64_t at, uint64_t len)
{
	return at <= elf->len && len <= elf->len - at;
}

bool elf_read(struct arena *arena, const void *file, size_t len, struct elf *out)
{
	Elf64_Ehdr header;
	*out = (struct elf){.bytes = file, .len = len};
	if (len < sizeof header)
		return false;
	memcpy(&header, file, sizeof header);
	out->n_sections = header.e_shnum;
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
		header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_shentsize != sizeof *out->sections ||
		!out->n_sections || out->n_sections > SECTIONS_MAX || header.e_shstrndx >= out->n_sections ||
		!is_inside(out, header.e_shoff, out->n_sections * sizeof *out->sections))
		return false;
	Elf64_Shdr *sections = arena_array(arena, Elf64_Shdr, out->n_sections);
	memcpy(sections, out->bytes + header.e_shoff, out->n_sections * sizeof *sections);
	out->sections = sections;
	for (unsigned i = 0; i < out->n_sections; i++)
		if (sections[i].sh_type != SHT_NOBITS && sections[i].sh_type != SHT_NULL &&
			!is_inside(out, sections[i].sh_offset, sections[i].sh_size))
			return false;

	/* The names of sections end, too. */
	unsigned section = header.e_shstrndx;
	const Elf64_Shdr *names = &out->sections[section];
	if (names->sh_type != SHT_STRTAB || !names->sh_size ||
		out->bytes[names->sh_offset + names->sh_size - 1] != '\0')
		return false;
	out->names = (const char *)out->bytes + names->sh_offset;
	for (unsigned i = 0; i < out->n_sections; i++)
		if (out->sections[i].sh_name >= names->sh_size)
			return false;
	return true;
}

const char *elf_section_name(const struct elf *elf, unsigned section)
{
	return elf->names + elf->sections[section].sh_name;
}

const Elf64_Shdr *elf_find_section(const struct elf *elf, const char *name)
{
	for (unsigned i = 0; i < elf->n_sections; i++)
		if (elf->sections[i].sh_type != SHT_NOBITS && strcmp(elf_section_name(elf, i), name) == 0)
			return &elf->sections[i];
	return NULL;
}

bool elf_fingerprint_code(const struct elf *elf, const char *function, char out[ELF_CODE_PRINT])
{
	const Elf64_Shdr *code = NULL;
	for (unsigned i = 0; i < elf->n_sections && !code; i++) {
		const char *name = elf_section_name(elf, i);
		if (elf->sections[i].sh_type == SHT_PROGBITS &&
			strncmp(name, TEXT_SECTION, strlen(TEXT_SECTION)) == 0 &&
			strcmp(name + strlen(TEXT_SECTION), function) == 0)
			code = &elf->sections[i];
	}
	uint64_t hash = code ? hash_bytes(HASH_START, elf->bytes + code->sh_offset, code->sh_size) : HASH_START;
	snprintf(out, ELF_CODE_PRINT, "%016" PRIx64, hash);
	return code && code->sh_size;
}

struct elf_symbols elf_read_symbols(struct arena *arena, const struct elf *elf, uint32_t type)
{
	for (unsigned i = 0; i < elf->n_sections; i++) {
		const Elf64_Shdr *table = &elf->sections[i];
		if (table->sh_type != type)
			continue;
		const Elf64_Shdr *names = table->sh_link < elf->n_sections ? &elf->sections[table->sh_link] : NULL;
		if (!names || names->sh_type != SHT_STRTAB || !names->sh_size ||
			elf->bytes[names->sh_offset + names->sh_size - 1] != '\0')
			break;
		size_t n = table->sh_size / sizeof(Elf64_Sym);
		Elf64_Sym *symbols = arena_array(arena, Elf64_Sym, n);
		memcpy(symbols, elf->bytes + table->sh_offset, n * sizeof *symbols);
		return (struct elf_symbols){
			symbols, n, (const char *)elf->bytes + names->sh_offset, (size_t)names->sh_size};
	}
	return (struct elf_symbols){0};
}

const char *elf_function_name(const struct elf_symbols *symbols, size_t symbol)
{
	const Elf64_Sym *s = &symbols->at[symbol];
	return ELF64_ST_TYPE(s->st_info) == STT_FUNC && s->st_shndx != SHN_UNDEF && s->st_name < symbols->names_len
		? symbols->names + s->st_name
		: NULL;
}

const Elf64_Sym *elf_find_function(const struct elf_symbols *symbols, const char *name)
{
	for (size_t i = 0; i < symbols->n; i++) {
		const char *other = elf_function_name(symbols, i);
		if (other && strcmp(other, name) == 0)
			return &symbols->at[i];
	}
	return NULL;
}
