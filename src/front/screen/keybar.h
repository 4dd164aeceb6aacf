/* front/screen/keybar.h: keys on the screen, whatever table they are from: the footer and the list that lies over the
 * screen. */
#pragma once
#include "base/key.h"
#include "front/canvas/canvas.h"

/* One key of a footer. Neighbors with the same text share it: "n p step". */
struct screen_keybar_key {
	key_code key;
	const char *text;
	int action;
};

/* Called with the place of each group, for the mouse; `action` is that of the group's first key. */
typedef void screen_keybar_target(void *ctx, struct rect rect, int action);

/* Keys in a row, and what is called with the place of each group; `target` may be NULL. */
struct screen_keybar {
	const struct screen_keybar_key *keys;
	int n;
	screen_keybar_target *target;
	void *ctx;
};

/* Draws the keys in a rectangle of one row, leaving out groups without room. Returns the column after the last. */
int screen_keybar_draw(struct canvas *canvas, struct rect row, const struct screen_keybar *bar);

/* Columns that all of them take. */
int screen_keybar_cols(const struct screen_keybar_key *keys, int n);

/* A line of the list: the keys that do something, and what they do; a heading: `help` alone. */
struct screen_keybar_line {
	char keys[48];
	const char *help;
	bool heading;
};

/* One line for each action, with all its keys, in the order of the keys; `help` says what an action does. Writes at
 * most `cap` lines and returns how many. */
int screen_keybar_list(const struct screen_keybar_key *keys, int n, const char *(*help)(int action),
	struct screen_keybar_line *lines, int cap);

/* The list in a box over the screen, from line `scroll` on. */
void screen_keybar_help(struct canvas *canvas, const struct screen_keybar_line *lines, int n, int scroll);

/* The line of the next heading from line `scroll` on, or with `by` -1 of the one before; where there is none,
 * `scroll`. */
int screen_keybar_heading(const struct screen_keybar_line *lines, int n, int scroll, int by);

/* The actions of a table that scroll the list, a line or a page. False: `action` is none of them. */
struct screen_keybar_scroll {
	int up, down, page_up, page_down;
};
bool screen_keybar_scrolls(const struct screen_keybar_scroll *by, int action, int *scroll);

/* The nearest first line with which the box on a canvas of so many rows is full. */
int screen_keybar_help_scroll(int rows, int n, int scroll);
