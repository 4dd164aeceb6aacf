/* front/debug/dwarf_bytes.h: reading DWARF's numbers without leaving their section: past its end they are 0, and `failed` is set. */
#pragma once
#include <string.h>

#include "machine/ptx/section.h"

#define DWARF_OP_PLUS_UCONST 0x23

struct dwarf_bytes {
	const struct ptx_section *section;
	size_t at, end;
	bool failed;
};

static inline struct dwarf_bytes dwarf_bytes_of(const struct ptx_section *section, size_t at)
{
	return (struct dwarf_bytes){section, at, section->size, at > section->size};
}

static inline bool dwarf_has(struct dwarf_bytes *b, uint64_t bytes)
{
	b->failed |= b->failed || b->at > b->end || bytes > b->end - b->at;
	return !b->failed;
}

static inline void dwarf_skip(struct dwarf_bytes *b, uint64_t bytes)
{
	if (dwarf_has(b, bytes))
		b->at += (size_t)bytes;
}

static inline uint64_t dwarf_fixed(struct dwarf_bytes *b, uint32_t bytes)
{
	uint64_t value = 0;
	if (bytes > 8 || !dwarf_has(b, bytes)) {
		b->failed = true;
		return 0;
	}
	memcpy(&value, b->section->bytes + b->at, bytes);
	b->at += bytes;
	return value;
}

static inline uint64_t dwarf_uleb(struct dwarf_bytes *b)
{
	uint64_t value = 0;
	for (uint32_t shift = 0; shift < 70; shift += 7) {
		uint64_t byte = dwarf_fixed(b, 1);
		value |= shift < 64 ? (byte & 0x7F) << shift : 0;
		if (!(byte & 0x80))
			return value;
	}
	b->failed = true;
	return 0;
}

static inline int64_t dwarf_sleb(struct dwarf_bytes *b)
{
	uint64_t value = 0;
	for (uint32_t shift = 0; shift < 70; shift += 7) {
		uint64_t byte = dwarf_fixed(b, 1);
		value |= shift < 64 ? (byte & 0x7F) << shift : 0;
		if (byte & 0x80)
			continue;
		if ((byte & 0x40) && shift + 7 < 64)
			value |= UINT64_MAX << (shift + 7);
		return (int64_t)value;
	}
	b->failed = true;
	return 0;
}

/* A text that ends inside its section; NULL: it does not. */
static inline const char *dwarf_text_at(const struct ptx_section *section, uint64_t at)
{
	if (at >= section->size || !memchr(section->bytes + at, 0, section->size - (size_t)at))
		return NULL;
	return (const char *)section->bytes + at;
}

static inline const char *dwarf_text(struct dwarf_bytes *b)
{
	const char *text = dwarf_text_at(b->section, b->at);
	b->failed |= !text;
	b->at += text ? strlen(text) + 1 : 0;
	return text;
}
