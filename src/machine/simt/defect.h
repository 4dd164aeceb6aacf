/* machine/simt/defect.h: how faults and limits are reported. Inside simt/ only. */
#pragma once
#include "machine/simt/simt.h"
#include "machine/simt/undefined.h"

struct code;
struct machine;
struct warp;

/* The instruction by which a reader knows the place: this one or, in functions without source lines, the
 * nearest call on the way to it that has one. */
int simt_reported_instr(const struct warp *w, const struct code *c);

/* One side of a defect: `lanes` of the warp at an instruction. Whether both are at one source line, or at one
 * instruction. */
struct simt_side simt_side_at(const struct warp *w, const struct code *c, uint32_t lanes);
bool simt_same_location(const struct simt_side *a, const struct simt_side *b);

/* The defect is one of those found; it may end the run. */
void simt_report_defect(struct machine *m, const struct simt_defect *defect);
/* Whether the race, but for its message, is one that was reported and says no more; then it has been counted. */
bool simt_report_repeats(struct machine *m, const struct simt_defect *race);

struct fault {
	enum simt_defect_kind kind;
	uint32_t lanes;
	uint64_t address;         /* of the first of them, where there is one */
	const struct code *other; /* NULL: no other side; that of `other_warp` */
	const struct warp *other_warp;
	bool made;   /* OUT_OF_BOUNDS: the access is made, in the neighbor of the array that it should be in */
	bool passes; /* a GPU goes on with some value, whatever the kind */
	enum simt_ending ending; /* of the launch on a GPU, unless it passes */
};

/* A fault at `c`. One after which the block cannot go on ends the run; others may. The launch is refused. */
void simt_fault(struct warp *w, const struct code *c, struct fault fault, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void simt_refuse(struct machine *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The launch passed a limit. */
void simt_limit(struct machine *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
void simt_limit_at(struct warp *w, const struct code *c, const char *format, ...) __attribute__((format(printf, 3, 4)));

static inline const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* What is missing between the sides of a race, of which the detector says `missing`. */
enum race_missing simt_advice(const struct machine *m, const struct simt_side *here, const struct simt_side *other,
	enum race_missing missing);

/* The launch is over: races of accesses that are known by now to be within a lock say so. */
void simt_report_locks(struct machine *m);

/* --- messages: one sentence without the location ------------------------------------------------------------------ */

/* Writes the message of a race, in shared memory of the block `owner` of a cluster if that is not negative. */
void simt_describe_race(struct simt_defect *d, int64_t owner);

/* Writes the message of a use of an undefined value. Where `leaves` is not NULL, `here` computes with the value, and
 * the result is used at `leaves`. */
void simt_describe_undefined(struct simt_defect *d, enum undefined_use use, const struct simt_side *leaves);
