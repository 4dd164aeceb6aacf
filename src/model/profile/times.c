#include "model/profile/times.h"

#include "model/hardware/engine.h"
#include "model/hardware/metrics.h"
#include "model/hardware/occupancy.h"
#include "model/profile/private.h"

#define SAMPLES 256

/* What a block does, in cycles at the least: its longest warp, one instruction a cycle, or all of them by four
 * schedulers. */
double profile_block_work(const struct trace *t, size_t block)
{
	const uint32_t *counts = &t->counts[block * t->warps_per_block];
	uint64_t sum = 0, longest = 0;
	for (uint32_t w = 0; w < t->warps_per_block; w++) {
		sum += counts[w];
		longest = counts[w] > longest ? counts[w] : longest;
	}
	double shared = (double)sum / TIMELINE_SCHEDULERS;
	return shared > (double)longest ? shared : (double)longest;
}

/* --- how busy the SMs are ----------------------------------------------------------------------------------------- */

static struct activity_timeline *sample(
	struct arena *arena, const struct trace *t, const struct blocks_timeline *b, uint32_t max_warps)
{
	struct activity_timeline *a = arena_alloc(arena, sizeof *a);
	struct activity_sample *samples = arena_array(arena, struct activity_sample, SAMPLES);
	double width = (double)b->end / SAMPLES;
	for (size_t i = 0; i < b->n; i++) {
		const struct block_span *span = &b->spans[i];
		uint64_t instructions = 0;
		for (uint32_t w = 0; w < t->warps_per_block; w++)
			instructions += t->counts[(size_t)span->block * t->warps_per_block + w];

		double warps = t->warps_per_block;
		double life = (double)(span->end - span->start);
		for (size_t j = (size_t)((double)span->start / width); j < SAMPLES; j++) {
			double from = (double)j * width, to = from + width;
			if (from >= (double)span->end)
				break;
			from = from > (double)span->start ? from : (double)span->start;
			to = to < (double)span->end ? to : (double)span->end;
			if (to <= from)
				continue;
			samples[j].warps += (to - from) / width * warps;
			samples[j].issued += (to - from) / width * (double)instructions / life;
		}
	}
	for (size_t i = 0; i < SAMPLES; i++) {
		samples[i].time = (uint64_t)((double)(i + 1) * width);
		samples[i].warps /= b->sms;
		samples[i].issued /= b->sms;
	}
	*a = (struct activity_timeline){
		.origin = b->origin, .max_warps = max_warps, .samples = samples, .n = b->end ? SAMPLES : 0};
	return a;
}

/* --- the masks of a warp ------------------------------------------------------------------------------------------ */

/* The cycles in which the steps of a warp were issued, in order. */
struct issues {
	const struct warp_row *row;
	size_t span;
	uint64_t in; /* cycles into the span */
};

static uint64_t next_issue(struct issues *at)
{
	while (at->span < at->row->n) {
		const struct phase_span *span = &at->row->spans[at->span];
		if (span->phase == PHASE_ISSUE && span->start + at->in < span->end)
			return span->start + at->in++;
		at->span++;
		at->in = 0;
	}
	return at->row->end;
}

static const struct mask_timeline *watch_warp(struct arena *arena, const struct trace *t,
	const struct schedule_timeline *s, const struct launch *launch, const struct times_request *request)
{
	for (int i = 0; i < t->n_warps; i++) {
		if (t->warps[i].block != request->block || t->warps[i].warp != request->warp)
			continue;
		for (int row = 0; row < s->n_rows; row++) {
			if (s->rows[row].slot != (uint32_t)i)
				continue;

			const struct schedule_warp *warp = &t->warps[i];
			const struct warp_row *warp_row = &s->rows[row];
			struct mask_timeline *m = arena_alloc(arena, sizeof *m);
			struct issues at = {.row = warp_row};
			m->steps = arena_array(arena, struct mask_step, 2 * (size_t)warp->n + 1);
			m->block = warp->block;
			m->warp = warp->warp;
			m->end = warp_row->end;
			struct mask_step parked = {.what = MASK_LEAVE}; /* the lanes at a barrier */
			int32_t reconverges = 0;
			for (uint32_t j = 0; j < warp->n; j++) {
				const struct schedule_step *step = &warp->steps[j];
				const struct schedule_op *op = &t->program->ops[step->op];
				bool waits = step->latency == LATENCY_BARRIER;
				size_t before = m->n;
				parked.time = next_issue(&at);
				struct mask_step issued = {.time = parked.time,
					.lanes = step->lanes,
					.line = op->line,
					.reconverges = reconverges,
					.what = op->ends ? MASK_EXIT
						: waits  ? MASK_ARRIVE
							 : MASK_LINE};
				if (parked.lanes)
					m->steps[m->n++] = parked;
				const struct mask_step *last = m->n ? &m->steps[m->n - 1] : NULL;
				bool same = last && last->line == issued.line && last->lanes == issued.lanes;
				if (issued.lanes && (issued.what != MASK_LINE || (issued.line && !same)))
					m->steps[m->n++] = issued;
				parked.lanes = waits ? step->lanes : 0;
				parked.line = op->line;
				reconverges = op->reconverges ? op->reconverges : m->n > before ? 0 : reconverges;
			}

			uint32_t of_warp = request->warp;
			uint64_t threads = warp_dim_volume(launch->block), before = 32u * (uint64_t)of_warp;
			uint64_t n = threads > before ? threads - before : 0;
			m->lanes = n >= 32 ? UINT32_MAX : (uint32_t)(1u << n) - 1;

			m->origin = s->origin;
			m->origin.cut = t->warps[i].executed > t->warps[i].n ? s->origin.cut : NULL;
			mask_settle(m);
			return m;
		}
	}
	return NULL;
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

/* The request, and what is known of it before anything runs. */
struct times_recorder {
	struct ptx_module *module;
	const struct launch *launch;
	struct times_request request;
	struct trace_watch watch;
	struct occupancy limits;
	uint32_t shared; /* bytes of a block */
	const char *why; /* NULL: it can be made, if the kernel runs to its end */
	struct trace_recorder *trace;
};

static struct times_recorder *recorder_new(struct arena *arena, struct ptx_module *module, const struct launch *launch,
	const struct times_request *request)
{
	struct times_recorder *r = arena_alloc(arena, sizeof *r);
	bool known = request->sms > 0 && request->sms <= TIMELINE_SMS_MAX;
	*r = (struct times_recorder){.module = module,
		.launch = launch,
		.request = *request,
		.watch = {.block = request->block,
			.sms = known ? request->sms : TIMES_SMS,
			.steps = request->steps,
			.cores = request->cores,
			.cc = request->cc,
			.caches = !request->drawn}};

	/* how many blocks an SM holds; 0 with a reason */
	struct diag unheard = {0};
	const struct ptx_kernel *kernel = ptx_find_kernel(module, launch->kernel, &unheard);
	diag_free(&unheard);
	if (!kernel)
		return r;
	struct occupancy_block block = {.threads = (uint32_t)warp_dim_volume(launch->block),
		.registers = request->registers,
		.shared = ptx_shared_bytes(kernel) + launch->shared};
	r->shared = block.shared;
	r->limits = occupancy(request->cc, &block);
	if (r->limits.state == OCCUPANCY_UNKNOWN_CC)
		r->why = arena_printf(arena,
			"There is no model of times: the limits of an SM of compute capability %d.%d are not known.",
			request->cc / 10, request->cc % 10);
	else if (r->limits.state == OCCUPANCY_IMPOSSIBLE)
		r->why = "There is no model of times: not one block fits on an SM.";
	else
		r->watch.resident = r->limits.blocks;
	return r;
}

static void make_timelines(
	struct arena *arena, const struct times_recorder *r, const struct trace *t, struct timelines *out)
{
	*out = (struct timelines){.why = r->why};
	if (!out->why && !t)
		out->why = "There is no model of times: the kernel did not run.";
	else if (!out->why && !t->result.ended)
		out->why = "There is no model of times: the kernel did not run to its end.";
	else if (!out->why && t->program->n_registers > SCHEDULE_REGISTERS_MAX)
		out->why = "There is no model of times: the kernel has too many registers.";
	if (out->why) {
		out->why = arena_strdup(arena, out->why);
		out->not_started = !r->why && !t;
		if (t)
			cache_set_free(t->set);
		return;
	}
	struct schedule_timeline *s = schedule_run(arena,
		&(struct schedule_input){.ops = t->program->ops,
			.n_registers = t->program->n_registers,
			.warps = t->warps,
			.n_warps = t->n_warps});

	/* cycles of the scheduled blocks for each of their work; where not all of a block was kept, in proportion */
	double taken = 0, work = 0;
	for (int first = 0; first < t->n_warps; first += (int)t->warps_per_block) {
		uint64_t end = 0, kept = 0, executed = 0;
		if (t->warps[first].block >= t->n_counted)
			continue;
		for (int i = first; i < first + (int)t->warps_per_block; i++) {
			int row = 0;
			while (row < s->n_rows && s->rows[row].slot != (uint32_t)i)
				row++;
			if (row < s->n_rows && s->rows[row].end > end)
				end = s->rows[row].end;
			kept += t->warps[i].n;
			executed += t->warps[i].executed;
		}
		taken += kept ? (double)end * (double)executed / (double)kept : 0;
		work += profile_block_work(t, t->warps[first].block);
	}

	double *cycles = arena_array(arena, double, t->n_counted + 1), each = work > 0 ? taken / work : 1;
	for (size_t i = 0; i < t->n_counted; i++)
		cycles[i] = profile_block_work(t, i) * each;
	struct blocks_timeline *b = blocks_place(arena,
		&(struct blocks_input){.sms = r->watch.sms,
			.resident = r->watch.resident,
			.launched = t->blocks,
			.cycles = cycles,
			.n = t->n_counted});

	s->sm = t->n_warps ? t->warps[0].block % r->watch.sms : 0;

	/* where both timelines come from */
	const char *gpu = r->watch.sms == r->request.sms ? r->request.gpu : NULL;
	bool cut = false;
	for (int i = 0; i < t->n_warps; i++)
		cut |= t->warps[i].executed > t->warps[i].n;
	if (cut)
		s->origin.cut = arena_printf(
			arena, "the first %u instructions of each warp", SCHEDULE_STEPS_MAX / (uint32_t)t->n_warps);
	s->origin.where = "latencies of CC 9.0, partly assumed";
	b->origin.where = gpu ? arena_printf(arena, "%u SMs of %s", r->watch.sms, gpu)
			      : arena_printf(arena, "%u SMs, as on an H100", r->watch.sms);

	*out = (struct timelines){.schedule = s,
		.blocks = b,
		.activity = sample(arena, t, b, r->limits.max_warps),
		.mask = watch_warp(arena, t, s, r->launch, &r->request)};
	if (t->set && t->n_warps && t->warps[0].block < r->watch.sms) {
		/* what the compiler made of it, where nothing better is known */
		struct diag unheard = {0};
		const struct ptx_kernel *kernel = r->request.code && r->request.instructions <= 0
			? ptx_find_kernel(r->module, r->launch->kernel, &unheard)
			: NULL;
		diag_free(&unheard);
		out->estimate = profile_estimate(arena,
			&(struct estimate_input){.trace = t,
				.launch = r->launch,
				.watch = &r->watch,
				.max_warps = r->limits.max_warps,
				.shared = r->shared,
				.gpu = r->request.gpu,
				.instructions = r->request.instructions,
				.code = kernel ? profile_machine_code(arena, kernel, r->request.code, t) : NULL});
	}
	cache_set_free(t->set);
	if (!out->mask)
		out->why = "The watched block or warp does not exist in this launch.";
}

void profile_times_model(struct arena *arena, struct ptx_module *module, const struct launch *launch,
	const struct times_request *request, struct timelines *out)
{
	struct diag unheard = {0};
	struct arena *scratch = arena_new();
	const struct times_recorder *r = recorder_new(scratch, module, launch, request);
	struct trace *t = r->watch.resident ? profile_trace_run(scratch, module, launch, r->watch, &unheard) : NULL;
	make_timelines(arena, r, t, out);
	diag_free(&unheard);
	arena_free(scratch);
}

struct times_recorder *profile_times_listen(struct arena *arena, struct ptx_module *module, const struct launch *launch,
	const struct times_request *request)
{
	struct diag unheard = {0};
	struct times_recorder *r = recorder_new(arena, module, launch, request);
	const struct ptx_kernel *kernel = r->watch.resident ? ptx_find_kernel(module, launch->kernel, &unheard) : NULL;
	if (kernel)
		r->trace = profile_trace_listen(arena, kernel, launch, r->watch);
	diag_free(&unheard);
	return r;
}

const struct simt_listener *profile_times_listener(const struct times_recorder *recorder)
{
	return recorder->trace ? profile_trace_listener(recorder->trace) : NULL;
}

void profile_times_take(
	struct times_recorder *recorder, const struct simt_result *result, struct arena *arena, struct timelines *out)
{
	const struct simt_result none = {0};
	struct trace *t = recorder->trace ? profile_trace_take(recorder->trace, result ? result : &none) : NULL;
	if (t && !result) {
		cache_set_free(t->set);
		t = NULL;
	}
	make_timelines(arena, recorder, t, out);
}

/* --- counters ----------------------------------------------------------------------------------------------------- */

static const enum counter_id timed[] = {
	COUNTER_CYCLES,
	COUNTER_CYCLES_ACTIVE,
	COUNTER_CYCLES_ACTIVE_MAX,
	COUNTER_TIME,
	COUNTER_ELIGIBLE,
	COUNTER_ISSUE_PCT,
	COUNTER_WARPS_ACTIVE_PCT,
	COUNTER_L1_SECTORS,
	COUNTER_L1_HITS,
	COUNTER_L2_SECTORS,
	COUNTER_L2_HITS,
	COUNTER_L2_SM_SECTORS,
	COUNTER_L2_SM_HITS,
	COUNTER_DRAM_READ,
	COUNTER_DRAM_WRITE,
	COUNTER_DRAM_BYTES,
	COUNTER_PIPE_ALU,
	COUNTER_PIPE_FMA,
	COUNTER_PIPE_FP64,
	COUNTER_PIPE_XU,
	COUNTER_PIPE_TENSOR,
	COUNTER_PIPE_LSU,
	COUNTER_BUSY_ALU,
	COUNTER_BUSY_FMA,
	COUNTER_BUSY_FP64,
	COUNTER_BUSY_XU,
	COUNTER_BUSY_TENSOR,
	COUNTER_BUSY_LSU,
#define STALL(id, reason, label, what) COUNTER_STALL_##id,
#include "model/hardware/stalls.def"
#undef STALL
};

void profile_times_count(const struct timelines *times, struct counts *counts)
{
	static const struct {
		enum pipe pipe;
		enum counter_id instructions, busy;
	} of[] = {
		{PIPE_ALU, COUNTER_PIPE_ALU, COUNTER_BUSY_ALU},
		{PIPE_FMA, COUNTER_PIPE_FMA, COUNTER_BUSY_FMA},
		{PIPE_FP64, COUNTER_PIPE_FP64, COUNTER_BUSY_FP64},
		{PIPE_XU, COUNTER_PIPE_XU, COUNTER_BUSY_XU},
		{PIPE_TENSOR, COUNTER_PIPE_TENSOR, COUNTER_BUSY_TENSOR},
		{PIPE_LSU, COUNTER_PIPE_LSU, COUNTER_BUSY_LSU},
	};
	const struct engine_estimate *e = times->estimate;
	if (!e)
		return;
	counts->c[COUNTER_CYCLES] = value_ok(e->elapsed);
	counts->c[COUNTER_CYCLES_ACTIVE] = value_ok(e->active_avg);
	counts->c[COUNTER_CYCLES_ACTIVE_MAX] = value_ok(e->active_max);
	counts->c[COUNTER_TIME] = value_ok(e->ns);
	counts->c[COUNTER_ELIGIBLE] = value_ok(e->eligible);
	counts->c[COUNTER_ISSUE_PCT] = value_ok(e->issue_pct);
	if (times->activity && times->activity->max_warps)
		counts->c[COUNTER_WARPS_ACTIVE_PCT] = value_ok(100 * e->warps / times->activity->max_warps);
	counts->c[COUNTER_L1_SECTORS] = value_ok(e->l1_sectors);
	counts->c[COUNTER_L1_HITS] = value_ok(e->l1_hits);
	counts->c[COUNTER_L2_SECTORS] = value_ok(e->l2_sectors);
	counts->c[COUNTER_L2_HITS] = value_ok(e->l2_hits);
	counts->c[COUNTER_L2_SM_SECTORS] = value_ok(e->l2_asked);
	counts->c[COUNTER_L2_SM_HITS] = e->l2_decided ? value_ok(e->l2_found) : value_missing(VALUE_NOT_MODELED);
	counts->c[COUNTER_DRAM_READ] = value_ok(e->dram_read);
	counts->c[COUNTER_DRAM_WRITE] = value_ok(e->dram_written);
	counts->c[COUNTER_DRAM_BYTES] = value_ok(e->dram_read + e->dram_written);
	/* The instructions of each pipe are those of the machine's, of which the model has another number than of PTX
	 * instructions: what it takes for all is divided as those are, so that shares of it are right. */
	struct value all = counts->c[COUNTER_INSTRUCTIONS];
	for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
		counts->c[of[i].instructions] = all.state == VALUE_OK ? value_ok(all.v * e->mix[of[i].pipe])
								      : value_ok(e->instructions * e->mix[of[i].pipe]);
		counts->c[of[i].busy] = value_ok(e->pipe_pct[of[i].pipe]);
	}
#define STALL(id, reason, label, what) counts->c[COUNTER_STALL_##id] = value_ok(e->stalls[ENGINE_STALL_##id]);
#include "model/hardware/stalls.def"
#undef STALL
}

bool profile_times_are_in(const char *const *metrics, int n)
{
	for (int i = 0; i < n; i++) {
		enum counter_id of[METRIC_COUNTERS_MAX];
		for (int k = metric_counters(metric_find(metrics[i]), of); k-- > 0;)
			for (size_t t = 0; t < sizeof timed / sizeof *timed; t++)
				if (of[k] == timed[t])
					return true;
	}
	return false;
}
