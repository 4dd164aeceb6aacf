/* canvas/export.h: a canvas as text, ANSI, SVG or HTML. */
#pragma once
#include "base/buf.h"
#include "canvas/canvas.h"

enum export_format { EXPORT_TEXT, EXPORT_ANSI, EXPORT_SVG, EXPORT_HTML, EXPORT_FORMATS };

enum export_colours { EXPORT_MONO, EXPORT_16, EXPORT_256 };

struct export_options {
	enum export_colours colours; /* for ANSI */
	bool ascii;                  /* ASCII characters only */
	const char *title;           /* of an SVG or HTML picture, for screen readers; may be NULL */
};

/* Appends the picture. Text and ANSI lose trailing blanks of each row; every row ends in a newline. SVG and HTML are
 * whole documents, self-contained, escaped. */
void export_canvas(
	const struct canvas *canvas, enum export_format format, const struct export_options *options, struct buf *out);

/* "text", "ansi", "svg", "html", or NULL. */
const char *export_name(enum export_format format);
