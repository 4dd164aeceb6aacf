/* What comes from the terminal: keys, the mouse, answers. */
#include "config.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/portable.h"
#include "base/utf8.h"
#include "front/tui/term_parts.h"

/* --- the mouse ---------------------------------------------------------------------------------------------------- */

#define NUMBER_MAX 10000 /* of columns; what is larger is not on any screen */
#define MODIFIERS 0x1C   /* Shift, Meta, Control */
#define X10_ZERO 32

const char tui_mouse_on[] = "\033[?1003h\033[?1006h", tui_mouse_off[] = "\033[?1006l\033[?1003l\033[?1000l";

/* {.digits} is how it begins. */
static enum tui_part take_mouse(struct tui_mouse *mouse, wint_t ch)
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

static enum tui_button mouse_button(const struct tui_mouse *mouse)
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

#define ESC 27
#define SEQUENCE_MAX 64             /* characters of a sequence that curses does not know; what is longer is none */
#define PASTE_MAX ((size_t)1 << 20) /* bytes of a paste; the rest is dropped */
#define PASTE_SILENCE_MS 10000      /* after which one whose end never comes has ended */

static struct {
	enum { SAYS_NOTHING, SAYS_COMMAND, SAYS_MOUSE } says; /* what has begun to arrive */
	struct tui_command command;
	struct tui_mouse mouse;
	bool pasting;
	double pasted_at; /* clock_ms of its last character */
	struct buf pasted;
} in;

void tui_term_read_begin(void)
{
	in.says = SAYS_NOTHING;
	in.pasting = false;
}

static int get_char(wint_t *ch)
{
	tui_term_curses_begin();
	int got = get_wch(ch);
	tui_term_curses_end();
	return got;
}

/* What follows Esc. The rest of a sequence that nobody knows is read away, so that its letters are not taken for
 * keys. */
static void begin_sequence(wint_t ch)
{
	bool control = ch == '[';
	if (ch == ']') {
		in.says = SAYS_COMMAND;
		in.command = (struct tui_command){0};
	}
	if ((!control && ch != 'O') || get_char(&ch) != OK)
		return; /* Alt and a key */
	if (control && tui_term_has_mouse() && (ch == '<' || ch == 'M')) {
		in.says = SAYS_MOUSE;
		in.mouse = (struct tui_mouse){.digits = ch == '<'};
		return;
	}
	for (int n = 0; n < SEQUENCE_MAX && (ch < 0x40 || ch > 0x7E) && get_char(&ch) == OK; n++)
		;
}

static void put_back(int got, wint_t ch)
{
	if (got == OK)
		unget_wch((wchar_t)ch);
	else if (got == KEY_CODE_YES)
		ungetch((int)ch);
}

/* True when there was one. Esc and another key that come at once, as on a slow line, are two keys. */
static bool swallow_sequence(void)
{
	wint_t ch, next;
	int got = get_char(&ch);
	if (got == OK && ch != ESC) {
		begin_sequence(ch);
		return true;
	}
	if (got != OK) {
		put_back(got, ch);
		return false;
	}
	got = get_char(&next);
	if (got == OK && (next == '[' || next == 'O')) { /* Alt and such a key */
		begin_sequence(next);
		return true;
	}
	put_back(got, next);
	put_back(OK, ESC);
	return false;
}

static enum tui_part read_mouse(wint_t ch, struct tui_event *event)
{
	static const enum tui_event_kind kinds[] = {TUI_UNKNOWN, TUI_CLICK, TUI_WHEEL_UP, TUI_WHEEL_DOWN, TUI_HOVER};
	enum tui_part part = take_mouse(&in.mouse, ch);
	if (part == TUI_PART_WHOLE) {
		event->kind = kinds[mouse_button(&in.mouse)];
		event->col = in.mouse.number[1] - 1;
		event->row = in.mouse.number[2] - 1;
	}
	return part;
}

static enum tui_part read_command(wint_t ch, struct tui_event *event)
{
	enum tui_part part = tui_command_take(&in.command, ch);
	if (part == TUI_PART_WHOLE && tui_term_take_answer(&in.command))
		event->kind = TUI_BACKGROUND;
	return part;
}

/* What curses has nothing for. */
static bool is_gone(void)
{
	int waiting = 0;
	/* poll() said there is something, and there is nothing: the end; or we are in the background for good */
	return errno == EIO || ioctl(STDIN_FILENO, FIONREAD, &waiting) != 0;
}

/* --- what is pasted ----------------------------------------------------------------------------------------------- */

static void add_pasted(wint_t ch)
{
	char bytes[4];
	static wint_t last;
	bool end = ch == '\r' || (ch == '\n' && last != '\r'); /* as terminals send it, or as it was */
	last = ch;
	if (in.pasted.len + sizeof bytes > PASTE_MAX)
		return;
	if (end)
		buf_putc(&in.pasted, '\n');
	else if (ch == '\t' || utf8_is_graphic((uint32_t)ch))
		buf_append(&in.pasted, bytes, utf8_put((uint32_t)ch, bytes));
}

const char *tui_term_pasted(void)
{
	return buf_str(&in.pasted);
}

/* --- keys --------------------------------------------------------------------------------------------------------- */

/* Here curses' input becomes what all the program calls a key. */
key_code tui_term_key(bool special, uint32_t ch)
{
	static const struct {
		uint32_t curses;
		key_code key;
	} rows[] = {{KEY_LEFT, KEYC_LEFT}, {KEY_RIGHT, KEYC_RIGHT}, {KEY_UP, KEYC_UP}, {KEY_DOWN, KEYC_DOWN},
		{KEY_PPAGE, KEYC_PGUP}, {KEY_NPAGE, KEYC_PGDN}, {KEY_HOME, KEYC_HOME}, {KEY_END, KEYC_END},
		{KEY_ENTER, KEYC_ENTER}, {KEY_BACKSPACE, KEYC_BACKSPACE}, {KEY_DC, KEYC_DEL}};
	for (size_t i = 0; special && i < sizeof rows / sizeof *rows; i++)
		if (rows[i].curses == ch)
			return rows[i].key;
	if (special)
		return KEYC_NONE;
	switch (ch) {
	case '\n': return KEYC_ENTER;
	case 127: return KEYC_BACKSPACE;
	case KEYC_BACKSPACE:
	case KEYC_TAB:
	case KEYC_CTRL_L:
	case KEYC_ENTER:
	case KEYC_CTRL_R:
	case KEYC_CTRL_U:
	case KEYC_ESC:
	case KEYC_SPACE: return ch;
	default: return ch > ' ' && utf8_is_graphic(ch) ? ch : KEYC_NONE;
	}
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

struct tui_event tui_term_read(void)
{
	struct tui_event event = {.kind = TUI_UNKNOWN};
	wint_t ch;
	int got = get_char(&ch);
	if (got == ERR) {
		event.kind = is_gone() ? TUI_GONE : TUI_NOTHING;
		return event;
	}

	/* Whatever is read between the marks of a paste is text: no key, no click, no answer. */
	double now = clock_ms();
	if (in.pasting && now - in.pasted_at > PASTE_SILENCE_MS)
		in.pasting = false;
	if (in.pasting) {
		in.pasted_at = now;
		if (got == OK)
			add_pasted(ch);
		if (got == KEY_CODE_YES && ch == TUI_CODE_PASTE_ENDS) {
			in.pasting = false;
			event.kind = TUI_PASTE;
		}
		return event;
	}

	if (got == KEY_CODE_YES)
		in.says = SAYS_NOTHING;
	if (got == KEY_CODE_YES && ch == TUI_CODE_PASTE_BEGINS) {
		in.pasting = true;
		in.pasted_at = clock_ms();
		buf_clear(&in.pasted);
		return event;
	}

	if (in.says != SAYS_NOTHING) {
		/* A character of what the terminal says by itself, unless it is a key. */
		enum tui_part part = (in.says == SAYS_MOUSE ? read_mouse : read_command)(ch, &event);
		if (part != TUI_PART_MORE)
			in.says = SAYS_NOTHING;
		if (part == TUI_PART_ESCAPED)
			begin_sequence(ch);
		if (part != TUI_PART_KEY)
			return event;
	}

	if (got == OK && ch == ESC && swallow_sequence())
		return event;
	event.key = tui_term_key(got == KEY_CODE_YES, ch);
	if (event.key != KEYC_NONE)
		event.kind = TUI_KEY;
	return event;
}
