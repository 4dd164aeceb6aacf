/* runtime/report_parts.h: what the files of the report share. */
#pragma once
#include "runtime/report.h"

struct report_problem {
	enum report_kind kind;
	const char *text;
	char file[128];
	int line; /* of the program; 0: not known */
};

/* Launches in a row of one kernel, in one configuration, from one line. */
struct report_row {
	uint64_t first, last;
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
	struct report_problem *problems;
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

/* An error that is still to be asked for, when nothing will. */
void report_pending(struct runtime *r);

/* report_wanted.c: "3-5,kernel=scan"; NULL: all. */
void report_wanted_begin(const char *text);

/* report_signal.c: a host that touches memory of the device. */
void report_signals_begin(struct runtime *r);

/* report_text.c */
void report_put_text(const struct runtime *r, struct buf *out);
void report_put_json(const struct runtime *r, struct buf *out);

/* Leaks and errors that nothing asked about are found, and the report is written. Returns the status with which the program is to end;
 * 0: its own. */
int report_end(struct runtime *r);
void report_write(struct runtime *r);
