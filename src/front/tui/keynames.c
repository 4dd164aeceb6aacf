#include "config.h"
#include "front/tui/keynames.h"

#include <string.h>

#include <curses.h>

#include "base/utf8.h"

struct keyname {
	wint_t code;
	const char *name;
};

static const struct keyname characters[] = {
	{'\r', "Enter"},
	{'\n', "Enter"},
	{'\t', "Tab"},
	{27, "Esc"},
	{' ', "Space"},
	{127, "Backspace"},
	{8, "Backspace"},
	{12, "^L"},
	{18, "^R"},
	{21, "^U"},
};

static const struct keyname codes[] = {
	{KEY_LEFT, "Left"},
	{KEY_RIGHT, "Right"},
	{KEY_UP, "Up"},
	{KEY_DOWN, "Down"},
	{KEY_PPAGE, "PgUp"},
	{KEY_NPAGE, "PgDn"},
	{KEY_HOME, "Home"},
	{KEY_END, "End"},
	{KEY_ENTER, "Enter"},
	{KEY_BACKSPACE, "Backspace"},
	{KEY_DC, "Del"},
};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static bool look_up(const struct keyname *table, size_t n, wint_t code, char out[TUI_KEYNAME_SIZE])
{
	for (size_t i = 0; i < n; i++) {
		if (table[i].code == code) {
			strncpy(out, table[i].name, TUI_KEYNAME_SIZE - 1);
			out[TUI_KEYNAME_SIZE - 1] = '\0';
			return true;
		}
	}
	return false;
}

bool tui_keyname_char(wint_t ch, char out[TUI_KEYNAME_SIZE])
{
	if (look_up(characters, LENGTH(characters), ch, out))
		return true;
	if (ch <= ' ' || !utf8_is_graphic((uint32_t)ch))
		return false;
	out[utf8_put((uint32_t)ch, out)] = '\0';
	return true;
}

bool tui_keyname_code(wint_t code, char out[TUI_KEYNAME_SIZE])
{
	return look_up(codes, LENGTH(codes), code, out);
}
