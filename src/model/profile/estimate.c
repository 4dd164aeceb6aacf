#include "model/profile/private.h"

#include <stdlib.h>
#include <string.h>

#include "model/hardware/access.h"
#include "model/hardware/schedule.h"

#define FEW_BYTES 16384    /* less than four pages */
#define UNDECIDED_MOST 0.1 /* of the sectors that L2 is asked for: above it their hit rate is none of the launch */

/* --- buffers ------------------------------------------------------------------------------------------------------ */

static double buffer_bytes(const struct launch *launch)
{
	double bytes = 0;
	for (int i = 0; i < launch->n_args; i++) {
		const struct launch_arg *arg = &launch->args[i];
		if (arg->buffer)
			bytes += (double)launch_arg_bytes(arg);
		for (int k = 0; k < arg->n_pointers; k++)
			if (arg->pointers[k].buffer)
				bytes += (double)launch_arg_bytes(arg->pointers[k].buffer);
	}
	return bytes;
}

/* --- caches ------------------------------------------------------------------------------------------------------- */

/* What all SMs ask L2 for, in sectors. */
struct l2_traffic {
	double loads, first, again; /* first: that the SM asked for the first time */
};

/* Whether sectors are asked for one by one. */
static bool is_single(const struct cache_footprint *f)
{
	return f->requests > 0 && f->loads / f->requests < 1.5;
}

/* Sets the shares that the engine takes. */
static struct l2_traffic share_l2(const struct cache_footprint *f, struct engine_input *in)
{
	struct engine_requests sm;
	engine_count_requests(in, &sm);
	double all = sm.touched > 0 ? f->loads / sm.touched : 0;
	struct l2_traffic l2 = {all * sm.asked, all * sm.first, all * (sm.asked - sm.first)};
	/* what is asked for a sector at a time is brought two at a time */
	bool single = is_single(f);
	double missing = single ? f->missing : 2 * f->missing, first = f->halves / 2;
	in->fill = single ? 2 : 1;
	if (single && f->loaded > 0)
		first *= f->pairs / f->loaded;
	if (l2.first <= 0)
		return l2;
	in->dram = missing / l2.first;
	in->dram = in->dram > 1 ? 1 : in->dram;
	in->far = first / l2.first;
	in->far = in->far < in->dram / 2 ? in->dram / 2 : in->far > 0.5 ? 0.5 : in->far;
	/* of what comes again after long, what L2 has not kept; some of it another SM asked for before */
	double gone = f->loads > 0 ? f->again / f->loads * (1 - f->kept) : 0;
	double comes_again = f->loads - f->loaded > f->again ? f->loads - f->loaded : f->again;
	in->dram_again = comes_again > 0 ? f->again / comes_again * (1 - f->kept) : 0;
	in->dram = in->dram < gone ? gone : in->dram;
	return l2;
}

/* What is loaded beside what is stored: sectors that are only loaded. */
static double written_of(const struct cache_footprint *f)
{
	return cache_written(f->stored * MODEL_SECTOR_BYTES, (f->touched - f->stored) * MODEL_SECTOR_BYTES);
}

/* Instructions executed for each that was kept. */
static double cut_of(const struct trace *t)
{
	double kept = 0, executed = 0;
	for (int i = 0; i < t->n_kept; i++) {
		kept += t->warps[i].n;
		executed += (double)t->warps[i].executed;
	}
	return kept > 0 ? executed / kept : 1;
}

const struct engine_estimate *profile_estimate(struct arena *arena, const struct estimate_input *in)
{
	const struct trace *t = in->trace;
	if (!t->n_kept || !t->set)
		return NULL;
	struct engine_estimate *e = arena_alloc(arena, sizeof *e);
	struct arena *scratch = arena_new();

	/* Instructions of the launch for each of the steps that were kept; 0: none was. */
	double counted = 0, steps = 0;
	for (size_t i = 0; i < t->n_counted * t->warps_per_block; i++)
		counted += t->counts[i];
	for (int i = 0; i < t->n_kept; i++)
		steps += t->warps[i].n;
	double kept_share = steps > 0 && t->n_counted ? counted / steps * (double)t->blocks / (double)t->n_counted : 0;

	struct cache_footprint f = cache_set_footprint(t->set, buffer_bytes(in->launch));
	struct engine_input input = {.ops = t->program->ops,
		.n_registers = t->program->n_registers,
		.warps = t->warps,
		.n_warps = t->n_kept,
		.warps_per_block = t->warps_per_block,
		.resident = in->watch->resident,
		.active_sms = t->blocks < in->watch->sms ? (uint32_t)t->blocks : in->watch->sms,
		.shared = cache_carveout(in->watch->cc, in->watch->resident, in->shared),
		.slots = in->code ? in->code->of_op : NULL,
		/* of those that were counted in the launch, those of the steps that were kept */
		.instructions = in->code || kept_share <= 0 ? 0 : in->instructions / kept_share};
	struct engine_result r;
	struct l2_traffic l2 = share_l2(&f, &input);
	input.written = f.stored > 0 ? written_of(&f) / (f.stores * MODEL_SECTOR_BYTES) : 0;
	input.hot = f.rounds > 0 ? f.rounds_most / f.rounds : 0;
	input.many_pages = buffer_bytes(in->launch) > timing[TIMING_TLB_REACH] * 1048576;
	input.few_pages = f.loaded * MODEL_SECTOR_BYTES < FEW_BYTES;
	engine_run(&input, &r);

	double dram = l2.first * input.dram + l2.again * input.dram_again, missing = dram;
	e->l1_sectors = f.loads + f.stores;
	e->l1_hits = r.l1_sectors > 0 ? e->l1_sectors * r.l1_hits / r.l1_sectors : 0;
	/* What an SM reads whose half of L2 is not the home of the page is not found the first time, and copied: sector
	 * by sector, or two at a time where only one is asked for. */
	double copied = f.halves / 2 * (is_single(&f) && f.loaded > 0 ? f.pairs / f.loaded : 1);
	double share = f.pairs > 0 ? l2.first * input.dram / (is_single(&f) ? f.pairs : f.loaded) : 0;
	missing += f.in_turns || f.fits ? copied * (share < 1 ? 1 - share : 0)
					: copied * f.kept + l2.loads * f.kept * (1 - f.kept) / 2;
	double stored = f.stores - f.changed + f.rounds, far = missing - dram / 2;
	e->l2_asked = l2.loads + stored;
	e->l2_found = e->l2_asked > missing ? e->l2_asked - missing : 0;
	e->l2_decided = f.undecided <= UNDECIDED_MOST * e->l2_asked;
	/* the far half is asked in its turn, as it is for half of what is stored */
	e->l2_sectors = e->l2_asked + far + stored / 2 + timing[TIMING_L2_IDLE];
	e->l2_hits = e->l2_found + far - dram / 2 + stored / 2 + timing[TIMING_L2_IDLE_HITS];
	e->dram_read = dram * input.fill * MODEL_SECTOR_BYTES;
	e->dram_written = written_of(&f);

	/* from one SM to all, in units of work: when the blocks of the launch are through on all SMs, and when those
	 * that were kept would be on theirs */
	double *work = arena_array(scratch, double, t->n_counted + 1);
	for (size_t i = 0; i < t->n_counted; i++)
		work[i] = 16 * profile_block_work(t, i);
	const struct blocks_timeline *all = blocks_place(scratch,
		&(struct blocks_input){.sms = in->watch->sms,
			.resident = in->watch->resident,
			.launched = t->blocks,
			.cycles = work,
			.n = t->n_counted});
	size_t n_kept = (size_t)t->n_kept / t->warps_per_block;
	double *kept_work = arena_array(scratch, double, n_kept + 1);
	for (size_t i = 0; i < n_kept; i++) {
		uint32_t block = t->warps[i * t->warps_per_block].block;
		kept_work[i] = block < t->n_counted ? 16 * profile_block_work(t, block) : 16;
	}
	const struct blocks_timeline *kept = blocks_place(scratch,
		&(struct blocks_input){.sms = 1,
			.resident = in->watch->resident,
			.launched = n_kept,
			.cycles = kept_work,
			.n = n_kept});
	double one = (double)kept->end, more = t->n_counted ? (double)t->blocks / (double)t->n_counted : 1;
	double times = one > 0 ? (double)all->end * more / one : 1, start = timing[TIMING_START];
	double end = start + (r.cycles - start) * cut_of(t) * (times < 1 ? 1 : times);
	e->active_max = r.cycles > 0 ? end * r.active / r.cycles : end;
	e->active_avg = (1 - all->idle) * e->active_max;
	double changed = start + (r.changed - start) * cut_of(t) * (times < 1 ? 1 : times);
	e->elapsed = (changed > end ? changed : end) + timing[TIMING_LAUNCH];
	e->ns = e->elapsed / timing[TIMING_CLOCK];

	double cycles = r.cycles > 0 ? r.cycles : 1, issued = r.issued ? (double)r.issued : 1;
	e->eligible = r.eligible / cycles / r.schedulers;
	e->issue_pct = 100 * (double)r.issued / cycles / r.schedulers;
	e->warps = r.warps / cycles;
	for (int i = 0; i < ENGINE_STALLS; i++)
		e->stalls[i] = r.stalls[i] / issued;
	for (int i = 0; i < PIPES; i++) {
		e->mix[i] = r.by_pipe[i] / issued;
		e->pipe_pct[i] = engine_pipe_pct((enum pipe)i, r.by_pipe[i], r.active);
	}
	e->instructions = (double)r.issued * kept_share;
	e->instructions_by = in->code ? ENGINE_BY_CODE : input.instructions > 0 ? ENGINE_BY_COUNT : ENGINE_BY_RULES;
	e->bound = engine_bound_of(&r, &e->share);
	e->elsewhere = in->watch->cc != MODEL_CC_DEFAULT || (in->gpu && !strstr(in->gpu, "H200"));
	arena_free(scratch);
	return e;
}
