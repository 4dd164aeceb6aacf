/* front/view/sass.h: the rows of the view `sass`: source lines in order, and the instructions of each. For this folder only. */
#pragma once
#include "front/view/draw.h"

/* A row: a source line with how many instructions it has, or one PTX instruction with the first machine instruction made from it, then
 * the others. */
struct view_sass_row {
	int line;          /* of the source; 0: instructions that belong to none */
	bool head;         /* the line itself */
	int ptx, sass;     /* indices, -1: none in this row */
	int n_ptx, n_sass; /* of a head: of the line */
};

struct view_sass_rows {
	struct view_sass_row *at;
	int n;
};

/* The line that is unfolded where there is little room: what is watched, else the one with most machine instructions. What is picked
 * does not matter, so that nothing moves when a reader points at it. */
int view_sass_selected(const struct view_input *input);

/* All rows, or instructions only of the line `only` (-1: of all). The caller frees `at`. */
struct view_sass_rows view_sass_rows_of(const struct view_code *code, int only);

/* The text of a source line, without its indentation; "" where there is none. */
const char *view_sass_source(const struct view_input *input, int line);

/* "32 registers, no spills": what a thread takes; then who made it, and in so many columns what kinds of instructions there are. */
void view_sass_note(struct view_notes *notes, const struct view_code *code, int cols);
