/* runtime/report/report_parts.h: what the files of the report share. */
#pragma once
#include "config.h"

#include "runtime/report/report.h"

struct report_problem {
	enum report_kind kind;
	const char *text;
	size_t message; /* offset into it: after the launch and the place, where it is a kernel's */
	char file[128];
	int line; /* of the program; 0: not known */
	const struct ptx_kernel *kernel;
	struct ptx_location place; /* in this, where it is a kernel's */
	uint32_t times;
};

/* Launches of one kernel, in one configuration, from one line. */
struct report_row {
	uint64_t first, last, n;
	const struct cuda_kernel *kernel;
	struct cuda_config config;
	const struct report_site *site;
	double ms, occupancy; /* of all; percent */
	struct report_cost cost;
	uint32_t defects;
	bool looked;
};

/* What the instructions of a kernel cost, in all its launches. */
struct report_kernel {
	const struct ptx_kernel *kernel;
	struct report_cost *costs;
	int n;
};

struct report {
	bool on, strict;
	struct arena *arena;
	struct runtime *runtime;
	const char *path, *json;
	int exit_code;
	struct report_problem *problems; /* without `on`, those that are not to be said again */
	int n_problems, problems_cap;
	struct report_freed *freed;
	int n_freed, freed_cap;
	struct report_row *rows;
	int n_rows, rows_cap;
	struct report_kernel *kernels;
	int n_kernels, kernels_cap;
};
struct report *report_state(void);

const char *report_kind_name(enum report_kind kind);
bool report_kind_counts(enum report_kind kind); /* as something that was wrong */

/* The line of a file that code names, with its indentation; nothing where it is not there. */
void report_put_source(const char *file, int line, struct buf *out);

/* The text of such a file; NULL: it is not there. */
const struct buf *report_source_text(const char *file);

/* What a variable names, absolute, as the program may go to another folder; NULL: nothing. */
const char *report_requested_file(struct arena *arena, const char *variable);

/* Whether two texts say the same but for numbers; those of lines, after a colon, are no numbers. */
bool report_texts_agree(const char *a, const char *b);

/* What follows the last slash. */
const char *report_base_name(const char *file);

/* An error that is still to be asked for, when nothing will. */
void report_pending(struct runtime *r);

/* report_launch.c: "3-5,kernel=scan"; NULL: all. */
void report_wanted_begin(const char *text);

/* report_unsynced.c: a host that touches memory of the device. */
void report_signals_begin(struct runtime *r);
bool report_signals_are_ours(void); /* the program has no handlers of its own for them */
/* The program's calls, from a handler's context. */
struct report_site report_site_of_signal(const void *context);

/* report_text.c */
void report_put_text(const struct runtime *r, bool with_problems, struct buf *out);
double report_total_ms(const struct report *report);

/* What the lines of kernels cost, those that waste most first; the array is the caller's. */
struct report_line {
	const char *path; /* as the PTX names it */
	int line;
	const struct ptx_kernel *kernel;
	struct report_cost cost;
};
struct report_lines {
	struct report_line *of;
	int n, cap;
};
struct report_lines report_lines(const struct report *report);
uint64_t report_waste(const struct report_cost *cost);

/* report_json.c */
void report_put_json(const struct runtime *r, struct buf *out);

/* Leaks and errors that nothing asked about are found, and the report is written. Returns the status with which the
 * program is to end; 0: its own. */
int report_end(struct runtime *r);
void report_write(struct runtime *r);

/* Where calls came from, as far as the C library knows: glibc's does, musl's has no such function, and then nothing is
 * known. */
#ifdef HAVE_EXECINFO_H
#include <execinfo.h>
#else
static inline int backtrace(void **frames, int n)
{
	(void)frames, (void)n;
	return 0;
}
#endif
