/* runtime/report/report.h: what is said of a program when it ends: its launches, its costliest lines, and what was wrong. Inside runtime/
 * only.
 *
 * Made where SIMTTUTOR_REPORT or SIMTTUTOR_REPORT_JSON is set. Without it nothing is kept, and what is wrong is said as it is found,
 * without its line in the program. */
#pragma once
#include "runtime/report/site.h"
#include "runtime/stream/queue.h"

enum report_kind {
#define PROBLEM(id, name, serious) REPORT_##id,
#include "runtime/report/problems.def"
#undef PROBLEM
	REPORT_KINDS
};

/* Reads what the environment asks for; for the time of the program. */
void report_begin(struct runtime *r);
bool report_is_on(void);

/* Where the call that this thread is in comes from, in memory that lasts; NULL: no report. */
void report_enter(struct runtime *r);
const struct report_site *report_here(void);
/* The same until the next call of this thread. */
const struct report_site *report_call(void);

/* Says what is wrong, now, and keeps it; what is the same again is counted. `site`: where in the program; NULL: in the call that
 * this thread is in. */
void report_problem(struct runtime *r, enum report_kind kind, const struct report_site *site, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* The same of a launch: what its kernel did wrong, `place` in its code. */
struct cuda_work;
void report_defect(struct runtime *r, const struct cuda_work *work, const struct ptx_place *place, const char *message);

/* Appends what is known of an address, to follow a comma: "4 bytes past the end of 128 bytes that were allocated at main.cu:41".
 * False: nothing. */
bool report_address(const struct runtime *r, uint64_t address, struct buf *out);

/* Memory was given back. */
void report_freed(struct runtime *r, const struct cuda_allocation *a);
/* What was there, when it was; NULL. */
struct report_freed;
bool report_was_freed(const struct runtime *r, uint64_t address, struct buf *out);

/* A call ended with an error; the program asked which error there was. */
void report_error(struct runtime *r, int error);
void report_asked(int error);

/* --- launches ----------------------------------------------------------------------------------------------------------- */

/* What the accesses of instructions cost. */
struct report_cost {
	uint64_t requests, sectors, ideal_sectors, wavefronts, ideal_wavefronts;
};

struct report_watch; /* of one launch: a listener and its counts */

/* Whether the launch is to be looked at. */
bool report_wants(const struct cuda_work *work);
struct report_watch *report_watch_begin(struct runtime *r, const struct cuda_work *work, struct buf *printed);
const struct simt_listener *report_listener(struct report_watch *watch);
void report_watch_end(struct report_watch *watch);

/* It has ended. */
struct report_launch {
	uint64_t number;
	const struct cuda_work *work;
	const struct simt_result *result;
	double ms, occupancy; /* percent */
	uint32_t defects;
	const struct report_watch *watch; /* NULL: not looked at */
};
void report_launched(struct runtime *r, const struct report_launch *launch);
