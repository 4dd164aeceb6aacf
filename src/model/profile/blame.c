#include "model/profile/profile.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/paths.h"
#include "base/portable.h"
#include "machine/ptx/ptx.h"
#include "machine/simt/session.h"
#include "model/profile/device.h"

#define DEFECTS_MAX 8
#define STEPS_OF_SLICE 256 /* between looks at the clock */

struct blame {
	struct arena *arena;
	struct profile_device *device;
	struct simt_launch launch;
	struct simt_result result;
	struct simt_report report;
	struct simt_session *session; /* NULL: it could not be started, or is done */
	struct buf sentence;
	unsigned in_slice;
	double until;
	bool done;
};

struct blame *profile_blame_new(const char *ptx, size_t len, const struct launch *launch)
{
	struct arena *arena = arena_new();
	struct blame *b = arena_alloc(arena, sizeof *b);
	struct diag diag = {0};
	*b = (struct blame){.arena = arena};
	struct ptx_module *module = ptx_parse(arena, "PTX", arena_strndup(arena, ptx, len), len, &diag);
	const struct ptx_kernel *kernel = module ? profile_find_kernel(module, launch, &diag) : NULL;
	b->device = kernel ? profile_device_open(module, launch, NULL, &diag) : NULL;
	const struct arguments *arguments = b->device ? profile_arguments_place(arena, kernel, launch, b->device, &diag)
						      : NULL;
	if (arguments) {
		b->report = (struct simt_report){
			.defects = arena_array(arena, struct simt_defect, DEFECTS_MAX), .cap = DEFECTS_MAX};
		b->launch = profile_simt_launch(kernel, launch, arguments);
		b->launch.resident = profile_resident(arena, kernel, launch, &(struct resident_gpu){0});
		b->launch.limits.steps = BLAME_STEPS_MAX;
		b->launch.limits.cores = 1;
		b->launch.checks = SIMT_CHECK_ALL;
		b->launch.report = &b->report;
		b->session = simt_session_new(&b->launch, b->device->memory, &b->result);
	} else {
		buf_printf(&b->sentence, "The machine cannot run it: %s.",
			diag.count ? diag.entries[0].message : "it cannot run this kernel");
		b->done = true;
	}
	diag_free(&diag);
	return b;
}

void profile_blame_free(struct blame *b)
{
	if (!b)
		return;
	simt_session_free(b->session);
	profile_device_free(b->device);
	buf_free(&b->sentence);
	arena_free(b->arena);
}

/* --- what it says ------------------------------------------------------------------------------------------------- */

/* What a GPU notices too, and ends the kernel for; races and the like it does not see. */
static bool ends_on_hardware(const struct simt_defect *defect)
{
	return defect->kind != SIMT_RACE && defect->kind != SIMT_UNINITIALIZED &&
		defect->kind != SIMT_BARRIER_MISMATCHED && !defect->in_neighbor;
}

static const struct simt_defect *worst_defect(const struct blame *b)
{
	for (uint32_t i = 0; i < b->report.n; i++)
		if (ends_on_hardware(&b->report.defects[i]))
			return &b->report.defects[i];
	return b->report.n ? &b->report.defects[0] : NULL;
}

static void write_where(
	const struct ptx_location *place, uint32_t block, uint32_t warp, uint32_t lanes, struct buf *out)
{
	if (place->line && place->file)
		buf_printf(out, " at %s:%d", path_last(place->file), place->line);
	else if (place->ptx_line)
		buf_printf(out, " at line %d of the PTX", place->ptx_line);
	if (!place->ptx_line)
		return;
	buf_printf(out, ", block %u, warp %u, ", block, warp);
	simt_write_lanes(lanes, out);
}

/* --- running ------------------------------------------------------------------------------------------------------ */

static bool pause_now(void *ctx, const struct simt_point *next)
{
	struct blame *b = ctx;
	(void)next;
	if (++b->in_slice % STEPS_OF_SLICE != 0)
		return false;
	return clock_ms() >= b->until || (worst_defect(b) && ends_on_hardware(worst_defect(b)));
}

bool profile_blame_step(struct blame *b, double ms)
{
	if (b->done)
		return true;
	b->until = clock_ms() + ms;
	bool more = simt_session_run(b->session, pause_now, b);
	const struct simt_defect *defect = worst_defect(b);
	if (more && !(defect && ends_on_hardware(defect)))
		return false;

	const struct simt_defect *found = worst_defect(b);
	struct buf *out = &b->sentence;
	if (found) {
		buf_printf(out, "The machine finds: %s%s%s", simt_defect_name(found->kind),
			found->here.accesses ? " " : "", found->here.accesses ? warp_op_verb(found->here.op) : "");
		write_where(&found->here.place, found->here.block, found->here.warp, found->here.lanes, out);
		buf_printf(out, " (%s).", found->message);
	} else if (b->result.outcome == SIMT_LIMIT) {
		buf_printf(out, "The machine does not come to an end either: after %llu warp instructions it is",
			(unsigned long long)b->result.steps);
		write_where(&b->result.place, b->result.block, b->result.warp, b->result.lanes, out);
		buf_putc(out, '.');
	} else if (b->result.outcome == SIMT_OK) {
		buf_printf(out, "The machine finds nothing wrong: there the kernel ends after %llu warp instructions.",
			(unsigned long long)b->result.steps);
	} else {
		buf_printf(out, "The machine stops: %s.", b->result.message);
	}

	return b->done = true;
}

const char *profile_blame_sentence(const struct blame *b)
{
	return buf_str(&b->sentence);
}
