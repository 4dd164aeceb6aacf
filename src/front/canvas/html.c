#include "front/canvas/format.h"

void canvas_export_html(const struct canvas *canvas, const struct canvas_export_options *options, struct buf *out)
{
	static const struct cell plain = {.ch = ' ', .role = ROLE_TEXT};
	buf_puts(out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
	canvas_export_escaped(options->title ? options->title : "simttutor", out);
	buf_puts(out, "</title>\n<style>\n");

	buf_printf(out,
		"html{background:#%06x}\nbody{margin:1.5rem}\n"
		"pre{color:#%06x;font:15px/1.3 ui-monospace,\"DejaVu Sans Mono\",Menlo,Consolas,monospace;margin:0}\n",
		canvas_theme_paper(options->theme), canvas_theme_ink(options->theme, ROLE_TEXT));
	if (canvas_theme_row(options->theme)->bold)
		buf_puts(out, "pre{font-weight:bold}\n");
	for (int role = 0; role < ROLES; role++) {
		const struct role_look *look = &canvas_roles[role];
		if (role == ROLE_TEXT || !canvas_uses_role(canvas, role))
			continue;
		uint32_t ink = canvas_theme_ink(options->theme, role);
		buf_putc(out, '.');
		canvas_role_class(role, out);
		buf_printf(out, "{color:#%06x%s%s", look->reverse ? canvas_theme_ink(options->theme, ROLE_PAPER) : ink,
			look->bold ? ";font-weight:bold" : "", look->underline ? ";text-decoration:underline" : "");
		if (look->reverse)
			buf_printf(out, ";background:#%06x", ink);
		buf_puts(out, "}\n.on-");
		canvas_role_class(role, out);
		buf_printf(out, "{background:#%06x}\n", ink);
	}

	/* A newline right after <pre> is not part of it, so one that opens with a blank row keeps that row. */
	buf_puts(out, "</style>\n</head>\n<body>\n<pre>\n");
	for (int row = 0; row < canvas->rows; row++) {
		int end = canvas_row_end(canvas, row);
		const struct cell *open = &plain;
		for (int col = 0; col < end; col++) {
			const struct cell *cell = canvas_at(canvas, row, col);
			if (cell->role != open->role || cell->ground != open->ground) {
				buf_puts(out, open->role != ROLE_TEXT ? "</span>" : "");
				open = cell;
				if (open->role != ROLE_TEXT) {
					buf_puts(out, "<span class=\"");
					/* "wave1" and, for a cell that is filled, "paper on-wave1". */
					canvas_role_class(open->role, out);
					if (open->ground != ROLE_TEXT) {
						buf_puts(out, " on-");
						canvas_role_class(open->ground, out);
					}
					buf_puts(out, "\">");
				}
			}
			canvas_export_cell_escaped(cell, options->charset, out);
		}
		buf_puts(out, open->role != ROLE_TEXT ? "</span>\n" : "\n");
	}
	buf_puts(out, "</pre>\n</body>\n</html>\n");
}
