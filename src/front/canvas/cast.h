/* front/canvas/cast.h: canvases over time as a recording of a terminal, asciicast v2: a header, then events, each a line of JSON. */
#pragma once
#include "base/buf.h"
#include "front/canvas/canvas.h"
#include "front/canvas/theme.h"

/* All zero at first. Times are seconds since the beginning, and never go back. */
struct canvas_cast {
	struct canvas *last; /* what is on the terminal; NULL: nothing yet */
	enum canvas_theme theme;
	bool began;
};

/* Appends what a canvas changes: the header before the first, then a new size where it has one, and the cells that differ. */
void canvas_cast_frame(struct canvas_cast *cast, const struct canvas *canvas, enum canvas_theme theme, double seconds,
	struct buf *out);

/* Appends a marker, by which players jump. */
void canvas_cast_mark(const char *label, double seconds, struct buf *out);

void canvas_cast_end(struct canvas_cast *cast);
