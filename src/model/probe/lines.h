/* model/probe/lines.h: a PTX module -> the same module whose every instruction says which line of one source file it belongs to, as
 * simt and profile count it.
 *
 * The compiler hands line numbers on to machine instructions, but gives for one inlined from a header the header's
 * line, and lets one without a line share that of its neighbor. So a .loc is put before every instruction; those of
 * the text have no more say. What runs stays the same. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "machine/ptx/program.h"

struct probe_lines_request {
	const char *file; /* one that the module's .loc name; NULL: lines are those of the PTX itself */
	int none;         /* the line of what belongs to no line of the file; not 0, which the compiler passes over */
};

/* Appends the module to `ptx`. False with a diagnostic when the kernels are not found in the text again. */
bool probe_lines_write(struct arena *arena, const struct ptx_module *module, const struct probe_lines_request *request,
	struct buf *ptx, struct diag *diag);
