/* canvas/format.h: what the formats share; for this folder only. */
#pragma once
#include "canvas/export.h"

/* One per format, called through the table in export.c. */
typedef void export_fn(const struct canvas *canvas, const struct export_options *options, struct buf *out);
export_fn export_text, export_ansi, export_svg, export_html;

/* Appends the cell's character with its mark, or its ASCII stand-in; nothing for the right half of a wide character that
 * was shown whole. */
void export_cell(const struct cell *cell, bool ascii, struct buf *out);

/* The same, escaped for XML and HTML. */
void export_cell_escaped(const struct cell *cell, bool ascii, struct buf *out);
void export_escaped(const char *text, struct buf *out);

/* A blank without background, underline or reverse: it looks the same in every such role. */
bool export_is_blank(const struct cell *cell);

/* Columns of the row up to its last cell that shows something. */
int export_row_end(const struct canvas *canvas, int row);

/* Whether any cell has the role. */
bool export_uses(const struct canvas *canvas, enum role role);

/* The role's name as a CSS class: lower case. */
void export_class(enum role role, struct buf *out);

/* The colour of an xterm palette entry from 16 on, as RGB. */
uint32_t export_palette(int index);

/* Background and ink of pictures. */
#define EXPORT_PAPER 0x14181F
