/* front/canvas/theme_file.h: the reader's own theme, a file with a line NAME = VALUE for each color that differs from a theme that it is based on.
 *
 * # begins a comment. `base` is a theme with a background, `bold` on or off, `paper` the background, and each ink of inks.def a color
 * #RRGGBB. A line that cannot be is left out with a warning that names it: no file keeps a reader from the lessons. */
#pragma once
#include <stddef.h>

#include "base/diag.h"
#include "front/canvas/theme.h"

/* Reads the file into the theme USER. One that is missing is fine, and leaves no such theme. */
void canvas_theme_load(const char *path, struct diag *diag);

/* The same of a text, called `path` in messages. */
void canvas_theme_read(const char *path, const char *text, size_t len, struct diag *diag);

/* A warning for each ink of the theme that is hard to read on its paper, at its line where the file has one. */
void canvas_theme_warn(const char *path, struct diag *diag);
