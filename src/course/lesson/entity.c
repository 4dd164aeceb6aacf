#include "course/lesson/entity.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

uint32_t lesson_entity_character(const char *text, size_t len)
{
	static const struct {
		const char *name;
		uint32_t ch;
	} known[] = {
		{"amp", '&'},
		{"lt", '<'},
		{"gt", '>'},
		{"quot", '"'},
		{"apos", '\''},
		{"nbsp", ' '},
		{"times", 0xD7},
		{"minus", 0x2212},
		{"ndash", 0x2013},
		{"mdash", 0x2014},
		{"hellip", 0x2026},
		{"le", 0x2264},
		{"ge", 0x2265},
		{"ne", 0x2260},
		{"larr", 0x2190},
		{"rarr", 0x2192},
		{"micro", 0xB5},
		{"middot", 0xB7},
	};
	uint32_t ch = 0;

	if (len > 3 && text[1] == '#') {
		bool hex = text[2] == 'x' || text[2] == 'X';
		unsigned long v = strtoul(text + (hex ? 3 : 2), NULL, hex ? 16 : 10);
		bool good = v >= 0x20 && v <= 0x10FFFF && (v < 0x7F || v >= 0xA0) && (v < 0xD800 || v > 0xDFFF);
		ch = good ? (uint32_t)v : 0;
	}
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (len == strlen(known[i].name) + 2 && memcmp(text + 1, known[i].name, len - 2) == 0)
			ch = known[i].ch;
	return ch;
}
