/* front/tui/keynames.h: the names that front/tutor/keys.def has for what curses reports. */
#pragma once
#include <stdbool.h>
#include <wchar.h>

#define TUI_KEYNAME_SIZE 16

/* The name of a character that was typed, or of a curses key code. False when it has none: it does nothing. */
bool tui_keyname_char(wint_t ch, char out[TUI_KEYNAME_SIZE]);
bool tui_keyname_code(wint_t code, char out[TUI_KEYNAME_SIZE]);
