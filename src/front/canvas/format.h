/* front/canvas/format.h: what the formats share; for this folder only. */
#pragma once
#include "front/canvas/export.h"

/* One per format, called through the table in export.c. */
typedef void canvas_export_fn(
	const struct canvas *canvas, const struct canvas_export_options *options, struct buf *out);
canvas_export_fn canvas_export_text, canvas_export_ansi, canvas_export_svg, canvas_export_html;

/* Appends the cell's character with its mark, or its ASCII stand-in; nothing for the right half of a wide character
 * that was shown whole. */
void canvas_export_cell(const struct cell *cell, enum canvas_charset charset, struct buf *out);

/* The same, escaped for XML and HTML; also a text of several lines, shown as base/utf8.h says. */
void canvas_export_cell_escaped(const struct cell *cell, enum canvas_charset charset, struct buf *out);

/* A blank without fill, underline or reverse: it looks the same in every such role. */
bool canvas_cell_is_blank(const struct cell *cell);

/* Columns of the row up to its last cell that shows something. */
int canvas_row_end(const struct canvas *canvas, int row);

/* Whether any cell has the role, or is filled with it. */
bool canvas_uses_role(const struct canvas *canvas, enum role role);

/* The role's name as a CSS class: lower case. */
void canvas_role_class(enum role role, struct buf *out);

/* What a theme without colors shows instead of fills, the caller's to free; NULL: it has colors. */
struct canvas *canvas_textured(const struct canvas *canvas, enum canvas_theme theme);

/* Appends the cells of one row as a terminal takes them, in colors. */
void canvas_ansi_run(
	const struct canvas *canvas, struct rect run, const struct canvas_palette *palette, struct buf *out);
