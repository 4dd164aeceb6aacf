/* runtime/report/site.h: where the program is, by its debug information. Inside runtime/ only. */
#pragma once
#include <stdbool.h>

#include "base/buf.h"

struct runtime;

/* The calls that lead to one of the runtime's functions, innermost first: addresses after them. */
#define SITE_FRAMES 6
struct report_site {
	void *frames[SITE_FRAMES];
	int n;
	const char *call; /* the function of the runtime; NULL: not known */
};

/* Where this call comes from; `n` is 0 where it cannot be told. */
struct report_site report_site_here(void);

/* Code from `begin` to `end` is the runtime's, too. */
void report_site_skip(const void *begin, const void *end);

/* That of an address, and of what called it. */
struct report_site report_site_of(void *const *frames, int n);

/* Whether two are the same, or both are not known (NULL). */
bool report_site_is(const struct report_site *a, const struct report_site *b);

/* Appends "main.cu:41": the innermost line that the program's author wrote. False, and nothing is written: it is not known. Opens debug
 * information: slow the first time. */
bool report_site_text(const struct report_site *site, struct buf *out);

/* Whether a function of the program stands for a kernel, and has no line of its author's. */
bool report_is_stub(const void *function);

/* The same as a file, without its folders, and a line. */
bool report_site_line(const struct report_site *site, char *file, size_t bytes, int *line);
