/* screen/keybar.h: keys on the screen, whatever table they are from: the footer and the list that lies over the screen. */
#pragma once
#include "canvas/canvas.h"

/* One key of a footer. Neighbors with the same text share it: "n p step". */
struct screen_keybar_key {
	const char *name; /* as in the key table: "Right" */
	const char *text;
	int action;
};

/* Told where each group was drawn, for the mouse; `action` is that of the group's first key. */
typedef void screen_keybar_target(void *ctx, struct rect rect, int action);

/* Draws the keys on a row from `col`, leaving out groups without room before `end`. Returns the column after the last.
 * `target` may be NULL. */
int screen_keybar_draw(struct canvas *canvas, struct rect row, const struct screen_keybar_key *keys, int n,
	screen_keybar_target *target, void *ctx);

/* Columns that all of them take. */
int screen_keybar_cols(const struct screen_keybar_key *keys, int n);

/* A line of the list: the keys that do something, and what they do. */
struct screen_keybar_line {
	char keys[48];
	const char *help;
};

/* Adds a key to a line by its label. */
void screen_keybar_add(struct screen_keybar_line *line, const char *key);

/* The list in a box over the screen, from line `scroll` on. */
void screen_keybar_help(struct canvas *canvas, const struct screen_keybar_line *lines, int n, int scroll);

/* The nearest first line with which the box on a canvas of so many rows is full. */
int screen_keybar_help_scroll(int rows, int n, int scroll);
