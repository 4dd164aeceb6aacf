/* screen/keybar.h: keys on the screen, whatever table they are from: the footer and the list that lies over the screen. */
#pragma once
#include "canvas/canvas.h"

/* One key of a footer. Neighbours with the same text share it: "n p step". */
struct keybar_key {
	const char *name; /* as in the key table: "Right" */
	const char *text;
	int action;
};

/* Told where each group was drawn, for the mouse; `action` is that of the group's first key. */
typedef void keybar_target(void *ctx, struct rect rect, int action);

/* Draws the keys on a row from `col`, leaving out groups without room before `end`. Returns the column after the last.
 * `target` may be NULL. */
int keybar_draw(
	struct canvas *canvas, struct rect row, const struct keybar_key *keys, int n, keybar_target *target, void *ctx);

/* Columns that all of them take. */
int keybar_cols(const struct keybar_key *keys, int n);

/* A line of the list: the keys that do something, and what they do. */
struct keybar_line {
	char keys[48];
	const char *help;
};

/* Adds a key to a line by its label. */
void keybar_add(struct keybar_line *line, const char *key);

/* The list in a box over the screen, from line `scroll` on. */
void keybar_help(struct canvas *canvas, const struct keybar_line *lines, int n, int scroll);

/* The nearest first line with which the box on a canvas of so many rows is full. */
int keybar_help_scroll(int rows, int n, int scroll);
