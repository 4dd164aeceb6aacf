/* front/canvas/export.h: a canvas as text, ANSI, SVG or HTML. */
#pragma once
#include "base/buf.h"
#include "front/canvas/canvas.h"
#include "front/canvas/theme.h"

enum canvas_format { CANVAS_FORMAT_TEXT, CANVAS_FORMAT_ANSI, CANVAS_FORMAT_SVG, CANVAS_FORMAT_HTML, CANVAS_FORMATS };

enum canvas_charset { CANVAS_UTF8, CANVAS_ASCII };

struct canvas_export_options {
	enum canvas_theme theme;
	enum canvas_colors colors; /* for ANSI */
	enum canvas_charset charset;
	const char *title; /* of an SVG or HTML picture, for screen readers; may be NULL */
};

/* Appends the picture. Text and ANSI lose trailing blanks of each row; every row ends in a newline. SVG and HTML are
 * whole documents, self-contained, escaped. */
void canvas_export(const struct canvas *canvas, enum canvas_format format, const struct canvas_export_options *options,
	struct buf *out);

/* An SVG for an HTML document of many, in which the style stands once, for all roles. `words`: the picture for those
 * who do not see it. */
void canvas_export_svg_part(
	const struct canvas *canvas, const struct canvas_export_options *options, const char *words, struct buf *out);
void canvas_export_svg_style(enum canvas_theme theme, struct buf *out);

/* "text", "ansi", "svg", "html", or NULL. */
const char *canvas_format_name(enum canvas_format format);

/* Appends text as content of XML and HTML, or of an attribute in double quotes, and as base/utf8.h shows it. */
void canvas_export_escaped(const char *text, struct buf *out);

/* --- canvases over time (cast.c): a recording of a terminal, asciicast v2: a header, then events, each JSON ------- */

/* All zero at first. Times are seconds since the beginning, and never go back. */
struct canvas_cast {
	struct canvas *last; /* what is on the terminal; NULL: nothing yet */
	enum canvas_theme theme;
	bool began;
};

/* Appends what a canvas changes: the header before the first, then a new size where it has one, and the cells that
 * differ. */
void canvas_cast_frame(struct canvas_cast *cast, const struct canvas *canvas, enum canvas_theme theme, double seconds,
	struct buf *out);

/* Appends a marker, by which players jump. */
void canvas_cast_mark(const char *label, double seconds, struct buf *out);

void canvas_cast_end(struct canvas_cast *cast);
