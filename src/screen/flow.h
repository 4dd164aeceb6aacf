/* screen/flow.h: running text, wrapped into a column. Rows above and below the canvas's clip are counted, not drawn, so
 * that scrolling is a matter of where the flow starts. */
#pragma once
#include "canvas/canvas.h"
#include "lesson/lesson.h"

struct flow {
	struct canvas *canvas;
	int row;       /* of the next line; may be negative */
	int col, cols; /* of the column */
};

/* A flow that draws nothing and counts rows from 0. */
struct flow flow_measure(int cols);

void flow_text(struct flow *flow, const struct text *text);

/* One paragraph of plain text; `backquoted` words are code. Lines after the first begin `indent` columns in; `lead` (may
 * be "") stands at the start of the first. */
void flow_plain(struct flow *flow, enum role role, const char *lead, int indent, const char *text);

/* The path of a file on lines of its own; one that does not fit is broken behind a slash. */
void flow_path(struct flow *flow, const char *path);

void flow_gap(struct flow *flow);

/* A rule across the column with a word in it. */
void flow_rule(struct flow *flow, const char *word);
