/* Types of debug information. */
#include <string.h>

#include "base/buf.h"
#include "front/debug/dwarf.h"

#define STEPS_MAX 64 /* from a type to what it is made of; a circle ends there */

static bool is_alias(int tag)
{
	return tag == DEBUG_TAG_TYPEDEF || tag == DEBUG_TAG_CONST || tag == DEBUG_TAG_VOLATILE ||
		tag == DEBUG_TAG_RESTRICT;
}

int debug_dwarf_type(const struct debug_dwarf *dwarf, int type)
{
	for (int i = 0; type >= 0 && is_alias(dwarf->dies[type].tag); i++)
		type = i < STEPS_MAX ? dwarf->dies[type].type : -1;
	return type;
}

const char *debug_dwarf_name(const struct debug_dwarf *dwarf, int die)
{
	for (int i = 0; die >= 0 && i < STEPS_MAX; i++) {
		if (dwarf->dies[die].name)
			return dwarf->dies[die].name;
		die = dwarf->dies[die].origin;
	}
	return NULL;
}

int debug_dwarf_type_of(const struct debug_dwarf *dwarf, int die)
{
	for (int i = 0; die >= 0 && i < STEPS_MAX; i++) {
		if (dwarf->dies[die].type >= 0)
			return dwarf->dies[die].type;
		die = dwarf->dies[die].origin;
	}
	return -1;
}

/* --- sizes ------------------------------------------------------------------------------------------------------------ */

uint64_t debug_dwarf_count(const struct debug_dwarf *dwarf, int type, int dimension, int *dimensions)
{
	uint64_t count = 0;
	*dimensions = 0;
	for (int i = dwarf->dies[type].child; i >= 0; i = dwarf->dies[i].next) {
		if (dwarf->dies[i].tag != DEBUG_TAG_SUBRANGE)
			continue;
		if (*dimensions == dimension)
			count = dwarf->dies[i].has & DEBUG_HAS_CONSTANT ? dwarf->dies[i].constant : 0;
		++*dimensions;
	}
	return count;
}

uint64_t debug_dwarf_size(const struct debug_dwarf *dwarf, int type)
{
	uint64_t times = 1;
	for (int step = 0; step < STEPS_MAX; step++) {
		type = debug_dwarf_type(dwarf, type);
		if (type < 0)
			return 0;
		const struct debug_die *d = &dwarf->dies[type];
		bool is_address = d->tag == DEBUG_TAG_POINTER || d->tag == DEBUG_TAG_REFERENCE ||
			d->tag == DEBUG_TAG_RVALUE;
		if (d->has & DEBUG_HAS_SIZE || is_address) {
			uint64_t size = d->has & DEBUG_HAS_SIZE ? d->size : 8;
			return __builtin_mul_overflow(size, times, &size) ? 0 : size;
		}
		if (d->tag != DEBUG_TAG_ARRAY)
			return 0;
		for (int i = 0, n = 1; i < n; i++)
			if (__builtin_mul_overflow(times, debug_dwarf_count(dwarf, type, i, &n), &times))
				return 0;
		type = d->type;
	}
	return 0;
}

/* --- names ------------------------------------------------------------------------------------------------------------ */

static void write_type(const struct debug_dwarf *dwarf, int type, int depth, struct buf *out)
{
	const struct debug_die *d = type >= 0 && depth < STEPS_MAX ? &dwarf->dies[type] : NULL;
	if (!d) {
		buf_puts(out, "void");
		return;
	}
	switch (d->tag) {
	case DEBUG_TAG_POINTER:
	case DEBUG_TAG_REFERENCE:
	case DEBUG_TAG_RVALUE:
		write_type(dwarf, d->type, depth + 1, out);
		buf_puts(out, out->len && out->data[out->len - 1] == '*' ? "" : " ");
		buf_puts(out, d->tag == DEBUG_TAG_POINTER ? "*" : d->tag == DEBUG_TAG_REFERENCE ? "&" : "&&");
		break;
	case DEBUG_TAG_CONST:
	case DEBUG_TAG_VOLATILE:
		buf_puts(out, d->tag == DEBUG_TAG_CONST ? "const " : "volatile ");
		write_type(dwarf, d->type, depth + 1, out);
		break;
	case DEBUG_TAG_RESTRICT: write_type(dwarf, d->type, depth + 1, out); break;
	case DEBUG_TAG_ARRAY:
		write_type(dwarf, d->type, depth + 1, out);
		for (int i = 0, n = 1; i < n; i++) {
			uint64_t count = debug_dwarf_count(dwarf, type, i, &n);
			if (i < n && count)
				buf_printf(out, "[%llu]", (unsigned long long)count);
			else if (i < n)
				buf_puts(out, "[]");
		}
		break;
	default:
		if (debug_dwarf_name(dwarf, type))
			buf_puts(out, debug_dwarf_name(dwarf, type));
		else
			buf_printf(out, "%s {...}",
				d->tag == DEBUG_TAG_ENUM            ? "enum"
					: d->tag == DEBUG_TAG_UNION ? "union"
								    : "struct");
		break;
	}
}

void debug_dwarf_write_type(const struct debug_dwarf *dwarf, int type, struct buf *out)
{
	write_type(dwarf, type, 0, out);
}
