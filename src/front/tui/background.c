#include "config.h"
#include "front/tui/background.h"

#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX 4 /* digits of a command */
#define BEL 7
#define ESC 27
#define DEL 127
#define ST 0x9C /* the end of a string, as one character */

enum canvas_theme tui_background_of_environment(void)
{
	const char *colors = getenv("COLORFGBG"), *last = colors ? strrchr(colors, ';') : NULL;
	char *end;
	if (!last || !last[1])
		return CANVAS_THEMES;
	long background = strtol(last + 1, &end, 10);
	if (*end || background < 0 || background > 15)
		return CANVAS_THEMES;
	return background == 7 || background > 8 ? CANVAS_THEME_LIGHT : CANVAS_THEME_DARK;
}

const char *tui_background_question(const char *name)
{
	static const char *const silent[] = {"linux", "vt", "cons", "sun", "ansi", "dumb"};
	for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
		if (strncmp(name, silent[i], strlen(silent[i])) == 0)
			return "";
	return "\033]11;?\033\\";
}

/* --- the answer ------------------------------------------------------------------------------------------------------- */
static void keep(struct tui_command *command, wint_t ch)
{
	command->read++;
	if (command->len < sizeof command->text)
		command->text[command->len++] = ch < DEL ? (char)ch : '?';
}

enum tui_part tui_command_take(struct tui_command *command, wint_t ch)
{
	if (!command->begun) {
		/* Its number, which somebody may have typed after Alt-]. */
		bool digit = ch >= '0' && ch <= '9';
		if (digit ? command->len == NUMBER_MAX : ch != ';' || !command->len)
			return TUI_PART_KEY;
		command->begun = !digit;
		keep(command, ch);
		return TUI_PART_MORE;
	}
	if (command->esc)
		return ch == '\\' ? TUI_PART_WHOLE : TUI_PART_ESCAPED;
	if (ch == BEL || ch == ST)
		return TUI_PART_WHOLE;
	command->esc = ch == ESC;
	if (command->esc)
		return TUI_PART_MORE;
	if (ch < ' ' || ch == DEL || command->read >= TUI_COMMAND_MAX)
		return TUI_PART_BROKEN;
	keep(command, ch);
	return TUI_PART_MORE;
}

bool tui_background_answered(const struct tui_command *command, uint32_t *rgb)
{
	static const char *const begins[] = {"11;rgb:", "11;rgba:"}; /* the second where it can be transparent */
	char text[TUI_ANSWER_MAX + 1] = "";
	const char *at = NULL;
	uint32_t part[3];
	if (command->read > command->len)
		return false;
	memcpy(text, command->text, command->len);
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (strncmp(text, begins[i], strlen(begins[i])) == 0)
			at = text + strlen(begins[i]);
	if (!at)
		return false;
	for (int i = 0; i < 3; i++) {
		/* The highest eight bits of one of "ffff/ffff/ffff". */
		char digits[8] = "";
		size_t n = strspn(at, "0123456789abcdefABCDEF");
		if (n < 1 || n > 4)
			return false;
		memcpy(digits, at, n);
		part[i] = (uint32_t)strtoul(digits, NULL, 16);
		part[i] = n == 1 ? part[i] * 17 : part[i] >> 4 * (n - 2);
		at += n + (at[n] == '/');
	}
	*rgb = part[0] << 16 | part[1] << 8 | part[2];
	return true;
}
