#include "config.h"
#include "front/tui/mouse.h"

#define NUMBER_MAX 10000 /* of columns; what is larger is not on any screen */
#define MODIFIERS 0x1C   /* Shift, Meta, Control */
#define X10_ZERO 32

const char tui_mouse_on[] = "\033[?1003h\033[?1006h", tui_mouse_off[] = "\033[?1006l\033[?1003l\033[?1000l";

enum tui_part tui_mouse_take(struct tui_mouse *mouse, wint_t ch)
{
	if (ch < ' ' || ch == 127)
		return TUI_PART_KEY;
	if (mouse->digits) {
		int *number = &mouse->number[mouse->at];
		if (ch >= '0' && ch <= '9') {
			*number = *number * 10 + (int)(ch - '0');
			return *number < NUMBER_MAX ? TUI_PART_MORE : TUI_PART_BROKEN;
		}
		if (ch == ';')
			return ++mouse->at < 3 ? TUI_PART_MORE : TUI_PART_BROKEN;
		mouse->release = ch == 'm';
		return mouse->at == 2 && (ch == 'M' || ch == 'm') ? TUI_PART_WHOLE : TUI_PART_BROKEN;
	}
	mouse->number[mouse->at] = ch < NUMBER_MAX ? (int)ch - X10_ZERO : 0;
	mouse->release = (mouse->number[0] & 3) == 3;
	return ++mouse->at == 3 ? TUI_PART_WHOLE : TUI_PART_MORE;
}

enum tui_button tui_mouse_button(const struct tui_mouse *mouse)
{
	if (mouse->release || mouse->number[1] < 1 || mouse->number[2] < 1)
		return TUI_BUTTON_NONE; /* the last: no place */
	switch (mouse->number[0] & ~MODIFIERS) {
	case 0: return TUI_BUTTON_LEFT;
	case 35: return TUI_BUTTON_MOVED;
	case 64: return TUI_BUTTON_WHEEL_UP;
	case 65: return TUI_BUTTON_WHEEL_DOWN;
	default: return TUI_BUTTON_NONE;
	}
}
