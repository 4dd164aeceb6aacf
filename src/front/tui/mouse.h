/* front/tui/mouse.h: what a terminal says of the mouse, read character by character, as it arrives: after ESC [ <, the button, column and row
 * in digits (SGR); after ESC [ M, in a character each (X10). curses would wait for the end of it, however long. */
#pragma once
#include <stdbool.h>
#include <wchar.h>

#include "front/tui/part.h"

/* Written to the terminal, so that it says so, and no more. */
extern const char tui_mouse_on[], tui_mouse_off[];

struct tui_mouse {
	bool digits; /* SGR */
	bool release;
	int number[3]; /* button with modifiers, column and row from 1 on */
	int at;        /* the one that is being read */
};

/* {.digits} is how it begins. */
enum tui_part tui_mouse_take(struct tui_mouse *mouse, wint_t ch);

/* Of a whole one; 0: no button that matters, or it was let go. MOVED: without one. */
enum tui_button { TUI_BUTTON_NONE, TUI_BUTTON_LEFT, TUI_BUTTON_WHEEL_UP, TUI_BUTTON_WHEEL_DOWN, TUI_BUTTON_MOVED };
enum tui_button tui_mouse_button(const struct tui_mouse *mouse);
