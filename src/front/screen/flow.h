/* front/screen/flow.h: running text, wrapped into a column. Rows above and below the canvas's clip are counted, not
 * drawn, so that scrolling is a matter of where the flow starts. */
#pragma once
#include "course/lesson/lesson.h"
#include "front/canvas/canvas.h"
#include "front/view/view.h"

/* Who wants to know of them: the glossary, where they lie (NULL: nobody asks), and what is picked, which is lit. */
struct screen_terms {
	const struct catalog *catalog;
	struct view_spots *spots;
	struct view_pick picked;
};

/* One of them in a text: its bytes, and its index in the glossary. */
struct screen_term {
	size_t from, to;
	int index;
};

/* The first one at byte `at` or after it, the longest there, also in the plural; false: there is none. */
bool screen_term_next(const struct catalog *catalog, const char *text, size_t len, size_t at, struct screen_term *out);

struct screen_flow {
	struct canvas *canvas;
	int row;                          /* of the next line; may be negative */
	int col, cols;                    /* of the column */
	const struct screen_terms *terms; /* NULL: nobody asks for the glossary's words in it */
};

/* A flow that draws nothing and counts rows from 0. */
struct screen_flow screen_flow_measure(int cols);

void screen_flow_text(struct screen_flow *flow, const struct text *text);

/* One paragraph of plain text; `backquoted` words are code. Lines after the first begin `indent` columns in; `lead`
 * (may be "") stands at the start of the first. */
void screen_flow_plain(struct screen_flow *flow, enum role role, const char *lead, int indent, const char *text);

/* The path of a file on lines of its own; one that does not fit is broken after a slash. */
void screen_flow_path(struct screen_flow *flow, const char *path);

void screen_flow_gap(struct screen_flow *flow);

/* A rule across the column with a word in it. */
void screen_flow_rule(struct screen_flow *flow, const char *word);

/* "sector: 32 bytes of ..." */
void screen_term_describe(const struct catalog *catalog, int64_t index, struct buf *out);
