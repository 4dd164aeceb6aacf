/* front/tui/part.h: what a character is to something that a terminal sends and that is read in pieces. */
#pragma once

enum tui_part {
	TUI_PART_MORE,   /* it was a part of it, and it goes on */
	TUI_PART_WHOLE,  /* it was the end */
	TUI_PART_BROKEN, /* it was a part of it, and it cannot go on */
	TUI_PART_KEY,    /* it was none: somebody typed this */
	TUI_PART_ESCAPED /* it was none: this came after Esc */
};
