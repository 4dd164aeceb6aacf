#include "base/key.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

static const struct key_row {
	key_code code;
	const char *name, *label;
} rows[] = {
#define KEYC(id, code, name, label) {KEYC_##id, name, label},
#include "base/keys.def"
#undef KEYC
};

key_code key_named(const char *name)
{
	uint32_t ch;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(rows[i].name, name) == 0)
			return rows[i].code;
	size_t len = strlen(name);
	bool one = len > 0 && utf8_decode(name, len, &ch) == len && utf8_invalid_byte(ch) < 0;
	return one && ch > ' ' && utf8_is_graphic(ch) ? ch : KEYC_NONE;
}

static struct key_text write_key(key_code key, bool label)
{
	struct key_text out = {""};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].code == key) {
			snprintf(out.text, sizeof out.text, "%s", label ? rows[i].label : rows[i].name);
			return out;
		}
	if (key_types(key))
		out.text[utf8_put(key, out.text)] = '\0';
	return out;
}

struct key_text key_string(key_code key)
{
	return write_key(key, false);
}

struct key_text key_label(key_code key)
{
	return write_key(key, true);
}
