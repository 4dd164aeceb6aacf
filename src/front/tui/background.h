/* front/tui/background.h: what the color of the terminal's background is, by the environment or by the terminal, which answers OSC 11 at any
 * time, in pieces, or never. Answers are read character by character among the keys that are typed. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include "front/canvas/theme.h"
#include "front/tui/part.h"

/* What COLORFGBG says, "15;0" or "0;default;15": the last number is the background's. CANVAS_THEMES: nothing. */
enum canvas_theme tui_background_of_environment(void);

/* What the terminal TERM=name is asked; "" for one that would show the question. */
const char *tui_background_question(const char *name);

#define TUI_ANSWER_MAX 64   /* "11;rgba:ffff/ffff/ffff/ffff" and some; what is longer is none */
#define TUI_COMMAND_MAX 256 /* characters after which what never ends is over */

/* An operating system command, ESC ] number ; text, as far as it has arrived; {0}: after ESC ]. */
struct tui_command {
	char text[TUI_ANSWER_MAX];
	size_t len;
	size_t read; /* characters, with those that had no room */
	bool begun;  /* there was a number and a semicolon, which no one types */
	bool esc;    /* the last one was Esc */
};

enum tui_part tui_command_take(struct tui_command *command, wint_t ch);

/* Whether it is an answer with a color, 0xRRGGBB. */
bool tui_background_answered(const struct tui_command *command, uint32_t *rgb);
