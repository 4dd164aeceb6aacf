/* runtime/report/report.h: what is said of a program when it ends: its launches, its costliest lines, and what was
 * wrong. Inside runtime/ only.
 *
 * Made where SIMTTUTOR_REPORT or SIMTTUTOR_REPORT_JSON is set. Without it nothing is kept, and what is wrong is said as
 * it is found, without its line in the program. */
#pragma once
#include <signal.h>
#include <stdbool.h>

#include "base/buf.h"
#include "machine/warp/warp.h"
#include "model/hardware/hostlog.h"
#include "runtime/stream/queue.h"

/* --- places in the program -------------------------------------------------------------------------------------------
 *
 * Where the program is, by its debug information. */

struct runtime;

/* The calls that lead to one of the runtime's functions, innermost first: addresses after them. */
#define SITE_FRAMES 6
/* Where a script of Python is: its innermost function that its author wrote. */
struct report_script {
	char file[64]; /* without its folders, cut where it is longer */
	int line;      /* 0: there is none */
};

/* script.c: that of this thread, where there is one. Not with the lock of the runtime. */
void report_find_script(struct report_script *out);

struct report_site {
	void *frames[SITE_FRAMES];
	int n;
	const char *call; /* the function of the runtime; NULL: not known */
	struct report_script script;
};

/* Where this call comes from; `n` is 0 where it cannot be told. */
struct report_site report_site_here(void);

/* Code from `begin` to `end` is the runtime's, too. */
void report_site_skip(const void *begin, const void *end);

/* That of an address, and of what called it. */
struct report_site report_site_of(void *const *frames, int n);

/* Whether two are the same, or both are not known (NULL). */
bool report_site_is(const struct report_site *a, const struct report_site *b);

/* Appends "main.cu:41": the innermost line that the program's author wrote. False, and nothing is written: it is not
 * known. Opens debug information: slow the first time. */
bool report_site_text(const struct report_site *site, struct buf *out);

/* Whether a function of the program stands for a kernel, and has no line of its author's. */
bool report_is_stub(const void *function);

/* Where a site is: a file, without its folders, and a line. */
bool report_site_line(const struct report_site *site, char *file, size_t bytes, int *line);

/* --- problems ----------------------------------------------------------------------------------------------------- */

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
void report_enter(struct runtime *r, const struct report_script *script);
const struct report_site *report_here(void);
/* Like report_here, but good only until the next call of this thread. */
const struct report_site *report_call(void);

/* Says what is wrong, now, and keeps it; what is the same again is counted. `site`: where in the program; NULL: in the
 * call that this thread is in. */
void report_problem(struct runtime *r, enum report_kind kind, const struct report_site *site, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Like report_problem, for a launch: what its kernel did wrong, `place` in its code. */
void report_defect(
	struct runtime *r, const struct cuda_work *work, const struct ptx_location *place, const char *message);

/* Appends what is known of an address, to follow a comma: "4 bytes past the end of 128 bytes that were allocated at
 * main.cu:41". False: nothing. */
bool report_address(const struct runtime *r, uint64_t address, struct buf *out);

/* Memory was given back. */
void report_freed(struct runtime *r, const struct cuda_allocation *a);
/* What was there, when it was; NULL. */
struct report_freed;
bool report_was_freed(const struct runtime *r, uint64_t address, struct buf *out);

/* A call ended with an error; the program asked which error there was. */
void report_error(struct runtime *r, int error);
void report_error_read(int error);

/* --- launches ----------------------------------------------------------------------------------------------------- */

/* What the accesses of instructions cost. */
struct report_cost {
	uint64_t requests, sectors, ideal_sectors, wavefronts, ideal_wavefronts;
	uint64_t turns; /* atomic operations that wait for another one of their warp at the same address */
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

/* --- launches in files -----------------------------------------------------------------------------------------------
 *
 * Launches that are kept in files.
 *
 * SIMTTUTOR_RECORD names the folder, which is there; SIMTTUTOR_LAUNCHES chooses. With SIMTTUTOR_RECORD_STOP the program
 * ends before the first of them begins, whose file then has nothing of after it. */

void report_keep_open(struct runtime *r);
bool report_keeps(void);

/* What a launch begins with. Its memory is as the launch finds it, as nothing else runs now. NULL: it is not kept. */
struct report_keep;
struct report_keep *report_keep_begin(
	struct runtime *r, const struct cuda_work *work, uint64_t number, const struct simt_launch *launch);

/* Writes the file: the launch has ended. Frees it; NULL is fine. */
void report_keep_end(struct runtime *r, struct report_keep *keep, const struct simt_result *result);

/* --- the sequence ----------------------------------------------------------------------------------------------------
 *
 * The sequence of what the program asked for, for the report: model/hardware/hostlog.h.
 *
 * The first HOSTLOG_OPS_MAX are kept, the others counted. What the bodies of conditional nodes of graphs do is not in
 * it. */

/* A stream was made, or is used for the first time. */
void report_log_stream(struct cuda_stream *stream);

/* A stream was asked for this; its launch has ended. */
void report_log_submitted(struct runtime *r, struct cuda_operation *o);
void report_log_ended(const struct cuda_operation *o);

/* The host waited: for a stream, for all (NULL), or for the event that was recorded there by this number, unless that
 * is 0. */
void report_log_waited(const struct cuda_stream *stream, uint64_t number);

/* Memory was made, or given back by a call that waits for no stream. */
void report_log_made(struct cuda_allocation *a);
void report_log_freed(const struct cuda_allocation *a);

/* What streams are asked for until the end is of the launch of a graph. */
void report_log_graph_begin(struct cuda_stream *stream);
void report_log_graph_end(void);

/* All of it, with its times. */
struct hostlog report_log(void);

/* --- memory that the host shares -------------------------------------------------------------------------------------
 *
 * A host that uses managed or pinned memory while a kernel or a copy may use it, too.
 *
 * Such memory has two addresses: the program's, which kernels go by as well, and the machine's own. While there is work
 * that the program has not waited for, what that work was given of it cannot be touched at the first: each access is
 * caught, noted and let through, an instruction at a time, and judged when the work has ended. It is wrong to read what
 * the work writes, or to write what it reads or writes, unless the kernel has told the host by a flag (volatile or
 * system-wide accesses to global memory), or the host the kernel. */

/* Memory that kernels and the host share, and where the machine has it; NULL: there is none. Freed by
 * report_share_free. */
void *report_share(size_t bytes, void **machine);
void report_share_free(void *host, void *machine, size_t bytes);

/* The same for memory of the program, in which it stays; false: it cannot be. */
bool report_share_registered(void *pointer, size_t bytes, void **machine);
void report_unshare_registered(const void *pointer);

/* A stream was asked for this; the host has waited for all of a stream up to a number, or for everything (NULL). */
void report_submitted(struct runtime *r, struct cuda_operation *o);
void report_waited(struct runtime *r, const struct cuda_stream *stream, uint64_t number);

/* The program ends: judges what is left. */
void report_unsynced_end(struct runtime *r);

/* The uses of a launch, and what it accesses; by many threads. */
struct report_uses;
void report_use(const struct report_uses *uses, const struct warp_access *access, uint8_t order); /* report_order.h */
void report_use_fence(const struct report_uses *uses);
bool report_use_talks(const struct report_uses *uses);

/* Something comes after what the stream was asked for so far. */
void report_use_seal(const struct cuda_stream *stream);

/* A launch that talks to the host begins when the host looks at it or waits, or after a short time: so what a host
 * finds that does not wait is what was there before, each time. */
bool report_holds(const struct cuda_operation *o);
void report_let_go(void);

/* SIGSEGV, and SIGTRAP after it. False: it is not for us. */
bool report_touched(const siginfo_t *info, void *context);
bool report_stepped(void *context);

/* --- what takes long ---------------------------------------------------------------------------------------------- */

/* Reads SIMTTUTOR_TIMEOUT and SIMTTUTOR_PROGRESS. */
void report_long_begin(struct runtime *r);

/* From now on launches are looked at, and signals are waited for where there is a report: with the first call. */
void report_long_start(void);

/* A launch has ended; the program ends; this process is the child of one that had begun. */
void report_long_ended(void);
void report_long_end(void);
void report_long_forget(void);

/* Whether a signal or the limit of time ends the program, "SIGTERM"; then a thread of the program's never returns from
 * the other. */
bool report_is_ending(void);
const char *report_why_ending(void);
void report_stay_if_ending(void);

/* Says where warps of a launch are, or were. */
void report_standing(struct runtime *r, const struct cuda_work *work, const struct simt_standing *standing,
	enum simt_stand_when when);
