/* model/probe/probe.h: a PTX module -> the same module that also records what ran where and when, or which addresses a
 * line accessed; and the reading of what it wrote.
 *
 * The text is kept as it is, with all its .loc, .file and .section, and PTX is woven in between its statements: what
 * the parser skips, and instructions it does not know, stay. What is woven in does not branch, writes no register or
 * predicate of the kernel's, and names nothing the text has: it starts with "probeN", N a number that does not occur
 * there. Text before .version 6.2 becomes 6.2, for activemask.
 *
 * Every entry gets one parameter more, the last: the buffer, 8 bytes, a device address of probe->bytes zeroed bytes, at
 * least 16-byte aligned. So a launch needs nothing but one argument more, on the machine and on the GPU alike. A
 * function has no way to an entry's parameters, and its callers may not know it (indirect calls), so entries also store
 * the address in a module variable when functions have something to write; all launches of a module at one time then
 * share one buffer.
 *
 * The buffer has an own part for every watched warp, block after block (blocks linear, x fastest), warp after warp:
 *
 *     bytes 0..3     how many records the warp wanted to write; it can be more than there is room for
 *     bytes 4..15    0
 *     then `capacity` records, in the order of their writing:
 *         0 u64      %clock64: cycles of the SM (on the machine: warp instructions)
 *         8 u64      %globaltimer: nanoseconds, of coarse resolution (on the machine: warp instructions)
 *        16 u32      site, from 1; 0: never written
 *        20 u32      lanes: the active mask, less those whose guard is off; never 0
 *        24 u32      %smid
 *        28 u32      %warpid: the slot of the SM that held the warp then
 *        32 u64 x 32 with PROBE_ACCESSES: each lane's address; those of other lanes are 0
 *
 * The first of the lanes takes a place in the warp's part by an atomic addition, and writes. Lanes that have diverged
 * do so apart, at any time, so a counter in a register would not do; warps share no counter, so none waits for another.
 * A record costs the warp that one round trip to the L2 cache, after the clock was read; the addresses of a record go
 * out without waiting. When a warp's part is full, it counts on and writes no more: probe_log.lost.
 *
 * A branch to a bare ret or exit ends its lanes itself, with their stamp, so that lanes which end do not wait for
 * others, as before. On one core of the machine, a block that polls memory while it writes records is not put aside
 * for the block it waits for: the line that polls should not be watched there.
 *
 * An instruction all of whose lanes are guarded off leaves no record. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "machine/ptx/ptx.h"
#include "machine/warp/warp.h"

enum probe_what {
	PROBE_STAMPS,   /* entry, exits, barriers, and watched lines */
	PROBE_ACCESSES, /* the addresses of the watched lines' ld, st, atom, red, cp.async, ldmatrix,
	                            * stmatrix and mbarrier; not of .param */
};

struct probe_request {
	enum probe_what what;
	const int *lines; /* watched, of `file`, as .loc says */
	int n_lines;
	const char *file;               /* as the PTX names it; NULL: `lines` are of the PTX itself */
	uint64_t first_block, n_blocks; /* linear; n_blocks at least 1 */
	uint32_t first_warp, n_warps;   /* of each of these blocks; n_warps at least 1 */
	uint32_t capacity;              /* records of a warp, at least 1 */
	unsigned omit;                  /* PROBE_STAMPS: bit k: no stamps of kind k, PROBE_ARRIVE or PROBE_LEAVE */
};

#define PROBE_BYTES_MAX ((uint64_t)32 << 20)

enum probe_event_kind {
	PROBE_ENTRY,  /* a warp begins */
	PROBE_EXIT,   /* lanes end: ret or exit, a branch to one, or the end of the kernel's text */
	PROBE_ARRIVE, /* before a barrier of the block */
	PROBE_LEAVE,  /* after it, but for one that only arrives */
	PROBE_LINE,   /* comes to a watched line */
	PROBE_ACCESS, /* before an access */
	PROBE_EVENT_KINDS
};

/* A place in the module where records are written. */
struct probe_site {
	enum probe_event_kind kind;
	const struct ptx_kernel *code; /* of the module as it was: an entry or a function */
	int instr;                     /* of code->instrs; -1: its beginning; code->n_instrs: its end */
	struct ptx_location place;     /* of that instruction, or the nearest */
	/* PROBE_ACCESS */
	enum mem_space space; /* that the instruction names; SPACE_GENERIC: addresses are generic */
	enum access_op op;
	uint8_t width; /* bytes of a lane */
};

struct probe {
	struct probe_request request; /* its `lines` and `file` are the caller's */
	struct probe_site *sites;     /* record.site - 1 is an index here */
	int n_sites;
	int left_out;     /* memory instructions of watched lines that are not recorded: wmma, bulk copies, waits */
	bool *line_found; /* request.lines[i] has an instruction */
	uint64_t bytes;   /* of the buffer */
};

/* Appends the module with probes to `ptx`. Everything else is in `arena`; the module must outlive it. NULL with a
 * diagnostic when the request cannot be: nothing to watch, or a buffer of more than PROBE_BYTES_MAX. */
struct probe *probe_write(struct arena *arena, const struct ptx_module *module, const struct probe_request *request,
	struct buf *ptx, struct diag *diag);

struct probe_event {
	uint64_t block; /* linear */
	uint32_t warp;  /* of the block */
	const struct probe_site *site;
	uint32_t lanes; /* bit i: lane i */
	uint32_t sm, slot;
	uint64_t clock, time;    /* cycles of that SM; nanoseconds */
	const uint64_t *address; /* PROBE_ACCESS: 32, of the lanes in `lanes`; else NULL */
};

struct probe_log {
	struct probe_event *events; /* by block and warp, those of a warp in the order of their writing */
	size_t n;
	uint64_t lost;       /* records for which there was no room */
	uint64_t warps_lost; /* warps that have lost any */
};

/* The buffer as it came back. */
struct probe_bytes {
	const void *at;
	size_t n;
};

/* Reads what a launch left in the buffer. Copies what it keeps into `arena`. False with a diagnostic that names the
 * warp and the record when the bytes cannot be what the probes write: wrong size, unknown site, no lanes, a record
 * taken and not written (the launch did not end). */
bool probe_read(struct arena *arena, const struct probe *probe, struct probe_bytes buffer, struct probe_log *log,
	struct diag *diag);

/* How many events cannot be: on SM `sms` or higher (0: their number is not known), on another SM than the block's event
 * before, or not later than the warp's event before though it has one of its lanes. */
size_t probe_implausible(const struct probe_log *log, uint32_t sms);

const char *probe_event_name(enum probe_event_kind kind); /* "arrive" */

/* --- lines.c ------------------------------------------------------------------------------------------------------ */

/* A PTX module -> the same module whose every instruction says which line of one source file it belongs to, as
 * simt and profile count it.
 *
 * The compiler hands line numbers on to machine instructions, but gives for one inlined from a header the header's
 * line, and lets one without a line share that of its neighbor. So a .loc is put before every instruction; those of
 * the text have no more say. What runs stays the same. */

struct probe_lines_request {
	const char *file; /* one that the module's .loc name; NULL: lines are those of the PTX itself */
	int none;         /* the line of what belongs to no line of the file; not 0, which the compiler passes over */
};

/* Appends the module to `ptx`. False with a diagnostic when the kernels are not found in the text again. */
bool probe_lines_write(struct arena *arena, const struct ptx_module *module, const struct probe_lines_request *request,
	struct buf *ptx, struct diag *diag);
