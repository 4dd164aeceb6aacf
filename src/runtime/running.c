/* A launch as it runs, and what is said of it. */
#include <stdlib.h>
#include <string.h>

#include "base/portable.h"
#include "machine/ptx/program.h"
#include "model/hardware/hostlog.h"
#include "model/hardware/occupancy.h"
#include "runtime/report/report.h"
#include "runtime/report/report_parts.h"
#include "runtime/stream/queue.h"

#define DEFECTS 16
#define STEPS_MAX ((uint64_t)1 << 62)
#define THREADS_MAX ((uint64_t)1 << 48)
#define QUIET_MS 60000 /* of a core, without an end of any block */
#define STEPS_PER_MS RUNTIME_CLOCK_KHZ
#define SCHEDULERS 4
#define NULL_END 4096
#define HOST_HINT                                                                                                             \
	"; copy it, or make it with cudaMallocManaged; on a GPU whose attribute PageableMemoryAccess is 1 kernels reach it, " \
	"and here with SIMTTUTOR_PAGEABLE=yes"

struct running {
	const struct cuda_work *work;
	struct simt_launch launch;
	struct simt_listener listener;
	struct simt_progress progress;
	struct simt_defect defects[DEFECTS];
	struct simt_report report;
	struct simt_result result;
	struct simt_texture *textures;
	struct buf printed;
	struct simt_turns *turns;
	struct report_watch *watch; /* NULL: nobody looks at it */
	struct report_keep *keep;   /* NULL: it is not kept */
	bool stopped, unwanted;
	double began, block_at; /* by clock_ms; when a block was last seen to have ended */
	uint64_t blocks;        /* that had ended then */
};

/* --- what kernels print: kept until the launch has ended, in the order of blocks ---------------------------------- */

static void print(void *ctx, const char *text, size_t len)
{
	buf_append(ctx, text, len);
}

static void *print_apart(void *ctx)
{
	(void)ctx;
	return base_calloc(1, sizeof(struct buf));
}

static void drop_print(void *ctx, void *part)
{
	(void)ctx;
	buf_free(part);
	free(part);
}

static void join_print(void *ctx, void *part)
{
	struct buf *text = part;
	buf_append(ctx, text->data, text->len);
	drop_print(ctx, part);
}

/* --- a launch in turns -------------------------------------------------------------------------------------------- */

struct running *running_begin(struct runtime *r, const struct cuda_work *work, uint32_t cores)
{
	struct running *run = base_calloc(1, sizeof *run);
	const struct cuda_config *c = &work->launch.config;
	const struct cuda_kernel *kernel = work->launch.kernel;
	run->work = work;
	runtime_pageable_drop(r); /* which is not for a launch that is kept */

	run->textures = base_calloc((size_t)r->n_textures + 1, sizeof *run->textures);
	if (r->n_textures)
		memcpy(run->textures, r->textures, (size_t)r->n_textures * sizeof *run->textures);

	run->report = (struct simt_report){.defects = run->defects, .cap = DEFECTS};
	run->listener = (struct simt_listener){
		.ctx = &run->printed, .print = print, .fork = print_apart, .join = join_print, .drop = drop_print};
	if (report_is_on()) {
		/* What is not looked at may have written anything. */
		const char *text = kernel->ptx->module->text;
		run->unwanted = !report_wants(work);
		if (!run->unwanted)
			run->watch = report_watch_begin(r, work, &run->printed);
		for (int i = 0; i < r->n_allocations && (run->unwanted || strstr(text, "bulk") || strstr(text, "sust"));
			i++)
			r->allocations[i].written = true;
	}
	run->launch = (struct simt_launch){.kernel = kernel->ptx,
		.grid = {c->grid.x, c->grid.y, c->grid.z},
		.block = {c->block.x, c->block.y, c->block.z},
		.cluster = {c->cluster.x, c->cluster.y, c->cluster.z},
		.dynamic_shared = (uint32_t)c->shared,
		.params = work->launch.params,
		.textures = run->textures,
		.n_textures = (uint32_t)r->n_textures,
		.limits = {.progress = &run->progress,
			.steps = STEPS_MAX,
			.threads = THREADS_MAX,
			.cores = cores,
			.shared = occupancy_sm(r->cc)->block_shared,
			.quiet_ms = QUIET_MS},
		.listener = run->watch ? report_listener(run->watch) : &run->listener,
		.checks = run->unwanted ? SIMT_CHECK_DEFAULT : r->checks,
		.strict = report_state()->strict,
		.ends_at_fault = !r->goes_on,
		.to_its_end = true,
		.cooperative = c->cooperative,
		.report = &run->report,
		.variables = kernel->module->variables[work->launch.device]};
	if (report_keeps() && !run->unwanted)
		run->keep = report_keep_begin(r, work, work->launch.number, &run->launch);
	runtime_pageable_reach(r);
	run->began = run->block_at = clock_ms();
	run->turns = simt_begin(&run->launch, r->memory, &run->result);
	return run;
}

enum simt_turn running_continue(struct running *run)
{
	return simt_continue(run->turns);
}

void running_stop(struct running *run)
{
	run->progress.stop = true;
	run->stopped = true;
}

void running_look(struct running *run, struct running_look *out)
{
	double now = clock_ms();
	if (run->blocks != run->progress.blocks) {
		run->blocks = run->progress.blocks;
		run->block_at = now;
	}
	*out = (struct running_look){.work = run->work,
		.blocks = run->blocks,
		.of = warp_dim_volume(run->launch.grid),
		.ms = now - run->began,
		.quiet_ms = now - run->block_at};
}

const struct simt_standing *running_standing(struct running *run)
{
	if (!run->progress.look)
		run->progress.look = 1;
	return run->progress.seen == run->progress.look ? &run->progress.standing : NULL;
}

/* --- what is said of it ------------------------------------------------------------------------------------------- */

/* What a GPU makes of a defect that ends the launch. */
static int error_of(const struct simt_result *result)
{
	if (result->ending != SIMT_ENDING_OF_KIND)
		return result->ending == SIMT_ENDING_ILLEGAL ? CUDA_ErrorIllegalInstruction : CUDA_ErrorLaunchFailure;
	switch (result->ended_by) {
	case SIMT_OUT_OF_BOUNDS: return CUDA_ErrorIllegalAddress;
	case SIMT_MISALIGNED: return CUDA_ErrorMisalignedAddress;
	case SIMT_ASSERTION: return CUDA_ErrorAssert;
	default: return CUDA_ErrorLaunchFailure;
	}
}

struct launch_time running_end(struct runtime *r, struct running *run)
{
	simt_end(run->turns);

	/* The blocks that are on an SM share its schedulers; each issues an instruction per cycle, as %clock counts. */
	const struct cuda_config *c = &run->work->launch.config;
	uint32_t threads = c->block.x * c->block.y * c->block.z, sms = runtime_sms(r);
	struct occupancy o = runtime_occupancy(r, run->work->launch.kernel, threads, c->shared);
	double blocks = (double)c->grid.x * c->grid.y * c->grid.z, steps = (double)run->result.steps / blocks;
	double most = (double)(o.blocks ? o.blocks : 1), on_sm = blocks / (sms ? sms : 1);
	double resident = on_sm < 1 ? 1 : on_sm < most ? on_sm : most;
	double share = on_sm / most;
	double waves = blocks / (resident * (sms ? sms : 1));
	double cycles = (waves < 1 ? 1 : waves) * steps * (resident > SCHEDULERS ? resident / SCHEDULERS : 1);
	struct launch_time time = {
		hostlog_cost_ms(HOSTLOG_COST_KERNEL_BEGIN, 0) + cycles / STEPS_PER_MS, share < 1 ? share : 1};

	if (run->printed.len)
		buf_append(&r->printed, run->printed.data, run->printed.len);
	buf_free(&run->printed);

	/* The first defect that ends a launch on a GPU is the launch's error. */
	const struct simt_result *result = &run->result;
	int error = result->outcome == SIMT_LIMIT      ? CUDA_ErrorLaunchTimeout
		: result->ended_by == SIMT_DEFECT_NONE ? CUDA_Success
						       : error_of(result);
	for (uint32_t i = 0; i < run->report.n; i++) {
		const struct simt_defect *d = &run->report.defects[i];

		/* With what was allocated nearby, and where, instead of what the machine knows of it. */
		struct buf what = {0}, message = {0};
		bool memory = d->kind == SIMT_OUT_OF_BOUNDS && d->space != SPACE_SHARED && d->space != SPACE_LOCAL;
		bool known = report_is_on() && memory && report_address(r, d->address, &what);
		const char *rest = known ? strstr(d->message, ", ") : NULL;
		int len = rest ? (int)(rest - d->message) : (int)strlen(d->message);
		buf_printf(&message, "%s: %.*s", simt_defect_name(d->kind), len, d->message);
		if (known)
			buf_printf(&message, ", %s", buf_str(&what));
		if (memory && !r->pageable && d->address >= NULL_END &&
			!runtime_is_of_device(r, (void *)(uintptr_t)d->address) && runtime_is_hosts(d->address, 1))
			buf_puts(&message, HOST_HINT);
		report_defect(r, run->work, &d->here.place, buf_str(&message));
		buf_free(&what);
		buf_free(&message);
	}
	if (result->outcome == SIMT_ERROR)
		error = CUDA_ErrorLaunchFailure;
	if (run->stopped && result->interrupted) {
		const struct cuda_work *work = run->work;
		struct buf launch = {0}, where = {0};
		runtime_put_launch(work->launch.kernel, &work->launch.config, &launch);
		simt_standing_sentence(&result->standing, &where);
		if (report_is_ending())
			report_problem(r, REPORT_ENDED, work->site,
				"%s: it had not ended when %s ended the program: %s", buf_str(&launch),
				report_why_ending(), buf_str(&where));
		else
			report_problem(r, REPORT_DEFECT, work->site,
				"%s: it had not ended when the program or the device did", buf_str(&launch));
		buf_free(&launch);
		buf_free(&where);
	} else if (result->outcome == SIMT_LIMIT || result->outcome == SIMT_ERROR) {
		report_defect(r, run->work, &result->place, result->message);
	}
	if (result->outcome == SIMT_LIMIT && (report_is_ending() || !run->stopped))
		report_standing(r, run->work, &result->standing, SIMT_STOOD);

	report_keep_end(r, run->keep, &run->result);
	if (report_is_on())
		report_launched(r,
			&(struct report_launch){.number = run->work->launch.number,
				.work = run->work,
				.result = &run->result,
				.ms = time.ms,
				.occupancy = o.percent,
				.defects = run->report.n,
				.watch = run->watch});
	report_watch_end(run->watch);

	r->failed = r->failed ? r->failed : error;
	free(run->textures);
	free(run);
	return time;
}
