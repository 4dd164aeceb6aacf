/* front/view/program.h: subject of the views `streams`, `host` and `map`: a whole program. */
#pragma once
#include "model/hardware/hostlog.h"

/* A whole program: what it asked for, with times, and its source. */
struct view_program {
	const struct hostlog *log; /* NULL: see why */
	const char *why;           /* a sentence; NULL: there is no program */
	bool to_scale;             /* what copies and calls cost was measured; else times are only an order */
	const char *file;          /* without folders; NULL: the source is not known */
	const char *const *lines;
	int n_lines;
};
