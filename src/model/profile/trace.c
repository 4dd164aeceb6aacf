#include "model/profile/private.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/ptx/instr.h"
#include "model/hardware/access.h"
#include "model/profile/device.h"
#include "model/profile/profile.h"

#define HALF_BLOCKS 8 /* in a row go to SMs of one half. Verified: H200, caches, l2_pages of 1 to 16 blocks */
#define COPIED_LINES_MAX (1u << 17) /* of a warp that are kept: 16 MiB; of a copy after them nothing is */
/* Of L1: see record_lines. Verified: H200, 12.8 to 14 passes of requests to 32 lines at random (fit, read_random). */
#define TAG_BANKS 4

/* An mbarrier, and how many copies and arrivals it has had. */
struct mbarrier_events {
	uint64_t address;
	uint32_t events;
};

struct kept {
	struct schedule_step *steps;
	struct cache_line *lines;
	uint32_t n, cap;
	uint32_t n_lines, lines_cap;
	uint64_t executed;
	struct mbarrier_events *mbarriers; /* of the block, kept with its first warp */
	uint32_t n_mbarriers, mbarriers_cap;
};

struct trace_recorder {
	struct arena *arena;
	struct trace *trace;
	struct simt_listener listener;
	struct trace_watch watch;
	const struct cost_program *program;
	uint32_t warps_per_block;
	uint64_t first;    /* block kept; the others follow at distances of watch.sms */
	uint32_t n_blocks; /* kept */
	struct kept *kept;
	int n_together, n_kept;              /* warps: of the blocks that are resident together, and in all */
	uint32_t room, room_after;           /* steps of a warp of the first ones, and of the others */
	struct cache_set *set;               /* NULL: not asked for */
	const uint8_t *past;                 /* by instruction: loads past the L1 */
	const uint8_t *adds_floats;          /* by instruction: atomics that do */
	const struct instr_counted *counted; /* by instruction: what the compiler makes of it */
	uint32_t *counts;
	size_t n_counted;
	/* Of the bulk copy that is being made: the line that the last piece was of, and what it has had of it */
	struct cache_line piece;
};

/* --- while it runs ------------------------------------------------------------------------------------------------ */

static struct kept *find_kept(struct trace_recorder *r, uint32_t block, uint32_t warp)
{
	if (block < r->first || (block - r->first) % r->watch.sms)
		return NULL;
	uint64_t index = (block - r->first) / r->watch.sms * r->warps_per_block + warp;
	return index < (uint64_t)r->n_kept ? &r->kept[index] : NULL;
}

/* Whether the instruction is the warp's last step, which was kept. */
static bool is_last(const struct kept *k, const struct simt_site *site)
{
	return k->n && k->executed == k->n && k->steps[k->n - 1].op == (uint32_t)site->instr;
}

/* Apart from record_step, which has less to do for the many warps that are not kept: in one it costs them half as much
 * again. */
static void keep_step(struct trace_recorder *r, struct kept *k, const struct schedule_step *step)
{
	k->executed++;
	if (k->n == (k - r->kept < r->n_together ? r->room : r->room_after))
		return;
	*vec_push(k->steps, k->n, k->cap) = *step;
}

static void record_step(void *ctx, const struct simt_site *site, uint32_t active, uint32_t executing)
{
	struct trace_recorder *r = ctx;
	r->piece = (struct cache_line){0};
	if (site->block < r->n_counted)
		r->counts[(size_t)site->block * r->warps_per_block + site->warp]++;
	struct kept *k = find_kept(r, site->block, site->warp);
	if (!k)
		return;
	const struct schedule_op *op = &r->program->ops[site->instr];
	keep_step(r, k,
		&(struct schedule_step){
			.op = (uint32_t)site->instr, .lanes = op->ends ? executing : active, .latency = op->latency});
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

/* Notes how often an atomic goes through sectors of each line, and returns it of all. Where all lanes change one word
 * and the compiler sees it, they make one change. */
static int record_rounds(struct trace_recorder *r, const struct simt_site *site, const struct warp_access *access,
	const struct cache_line *lines, int n)
{
	int all = 0;
	for (int i = 0; i < n; i++) {
		/* Of a line that an atomic changes: by which lanes, and the only word that they change; -1: there are
		 * several. */
		uint64_t of_line = lines[i].line;
		uint32_t lanes = 0;
		int word = -1;
		for (uint32_t left = access->active; left; left &= left - 1) {
			int lane = __builtin_ctz(left),
			    at = (int)(access->address[lane] % MODEL_LINE_BYTES / MODEL_BANK_BYTES);
			if (access->address[lane] / MODEL_LINE_BYTES != of_line)
				continue;
			word = !lanes || word == at ? at : -1;
			lanes |= 1u << lane;
		}

		int rounds = r->program->ops[site->instr].uniform ? 1 : sector_count_atomic(lanes, access->address);
		cache_set_change(r->set, lines[i].line, rounds, r->adds_floats[site->instr] ? word : -1);
		all += rounds;
	}
	return all;
}

/* --- what goes on by itself --------------------------------------------------------------------------------------- */

/* A bulk copy is reported in pieces that are smaller than a sector: each sector counts once. */
static void record_piece(
	struct trace_recorder *r, const struct simt_site *site, const struct warp_access *access, struct kept *k)
{
	struct cache_line lines[CACHE_LINES_MAX];
	if (access->op != ACCESS_LOAD || access->space != SPACE_GLOBAL ||
		cache_lines(access, site->block * r->warps_per_block + site->warp, lines) != 1)
		return;
	bool more = r->piece.sectors && r->piece.line == lines[0].line;
	struct cache_line added = {lines[0].line, lines[0].sectors & (uint8_t) ~(more ? r->piece.sectors : 0)};
	if (!added.sectors)
		return;
	r->piece = (struct cache_line){lines[0].line, lines[0].sectors | (more ? r->piece.sectors : 0)};
	if (r->set)
		cache_set_add(r->set, CACHE_LOAD_PAST, &added, (int)(site->block % r->watch.sms / HALF_BLOCKS % 2), 0);
	if (!k)
		return;
	struct schedule_step *step = &k->steps[k->n - 1];
	if (!step->n_lines)
		step->first_line = k->n_lines;
	step->cache = CACHE_LOAD_PAST;
	if (more && step->n_lines)
		k->lines[k->n_lines - 1].sectors |= added.sectors;
	else if (step->n_lines < UINT16_MAX && k->n_lines < COPIED_LINES_MAX) {
		*vec_push(k->lines, k->n_lines, k->lines_cap) = added;
		step->n_lines++;
	}
}

/* The part of the access of the step before that goes to one block of the cluster by the way that leads to all of
 * them. */
static void record_cluster(
	void *ctx, const struct simt_site *site, const struct warp_access *access, const struct simt_cluster_part *part)
{
	struct trace_recorder *r = ctx;
	struct kept *k = find_kept(r, site->block, site->warp);
	bool there = part->from != part->to;
	if (!k || !is_last(k, site) || !access->active || (!there && !part->is_named))
		return;
	struct schedule_step *step = &k->steps[k->n - 1];
	step->spread |= step->by_cluster || !part->is_first;
	step->by_cluster = true;
	step->cache = (uint8_t)cache_op_of(access, false);
	if (!there)
		return;
	step->latency = LATENCY_SHARED;
	step->there = (uint8_t)(step->there +
		(warp_op_is_atomic(access->op) ? sector_count_atomic(access->active, access->address)
					       : sector_count(access->active, access->address)));
}

/* The access of the step before: how often it goes through the pipe to memory, and to which. */
static void record_access(void *ctx, const struct simt_site *site, const struct warp_access *as_written)
{
	struct trace_recorder *r = ctx;
	const struct warp_access *access = as_written;
	struct warp_access compiled;
	if (warp_op_is_atomic(as_written->op)) {
		int op = as_written->space == SPACE_SHARED ? r->counted[site->instr].shared
							   : r->counted[site->instr].other;
		compiled = *as_written;
		if (op != INSTR_PLAIN && op != INSTR_UNSEEN)
			compiled.op = (enum access_op)op;
		access = &compiled;
	}
	struct kept *k = find_kept(r, site->block, site->warp);
	bool last = k && is_last(k, site);
	uint8_t async = r->program->ops[site->instr].async;
	if (last && async >= SCHEDULE_COPY) {
		/* Which mbarrier the step is about, and how many events it has had. */
		struct kept *block = k - site->warp;
		struct schedule_step *step = &k->steps[k->n - 1];
		if (!step->mbarrier && as_written->space == SPACE_SHARED && as_written->op == ACCESS_ATOMIC &&
			as_written->active) {
			uint64_t address = as_written->address[__builtin_ctz(as_written->active)];
			uint32_t i = 0;
			while (i < block->n_mbarriers && block->mbarriers[i].address != address)
				i++;
			if (i != SCHEDULE_MBARRIERS_MAX) {
				if (i == block->n_mbarriers)
					*vec_push(block->mbarriers, block->n_mbarriers,
						block->mbarriers_cap) = (struct mbarrier_events){.address = address};
				step->mbarrier = i + 1;
				if (r->program->ops[step->op].async == SCHEDULE_PHASE_WAIT)
					step->after = block->mbarriers[i].events;
				else
					block->mbarriers[i].events++;
			}
		}
	}
	if (async == SCHEDULE_COPY)
		record_piece(r, site, access, last ? k : NULL);
	/* tensor cores read tiles in shared memory by a way of their own; lanes that test the same mbarrier change
	 * nothing, and do it at once */
	if (async == SCHEDULE_COPY || async == SCHEDULE_PRODUCT || async == SCHEDULE_PHASE_WAIT)
		return;
	if (r->set && (access->space == SPACE_GLOBAL || access->space == SPACE_LOCAL)) {
		/* Keeps which lines an access to global or local memory asks for. */
		struct cache_line lines[CACHE_LINES_MAX];
		uint32_t in_grid = site->block * r->warps_per_block + site->warp;
		enum cache_op op = cache_op_of(access, r->past[site->instr]);
		int n = cache_lines(access, in_grid, lines), half = (int)(site->block % r->watch.sms / HALF_BLOCKS % 2);
		uint32_t steps = site->block < r->n_counted
			? r->counts[(size_t)site->block * r->warps_per_block + site->warp]
			: 0;
		int rounds = op == CACHE_ATOMIC ? record_rounds(r, site, access, lines, n) : 0;
		/* when in the launch it is, roughly: its wave of blocks, and how far its warp has come */
		uint64_t wave = site->block / ((uint64_t)r->watch.sms * r->watch.resident);
		for (int i = 0; i < n; i++)
			cache_set_add(r->set, op, &lines[i], half, (int)((wave * 8 + steps / 64) % 64));
		if (k && is_last(k, site)) {
			struct schedule_step *step = &k->steps[k->n - 1];
			if (!step->n_lines) {
				step->first_line = k->n_lines;
				step->cache = (uint8_t)op;
				step->rounds = (uint8_t)rounds;
				step->returns = access->op != ACCESS_REDUCE;

				/* Passes of an access through L1: lines that share a quarter of the tags follow each
				 * other, and so do words that share a bank. */
				int tags[TAG_BANKS] = {0}, most = 1;
				struct warp_access as_shared = *access;
				as_shared.space = SPACE_SHARED;
				as_shared.op = access->op == ACCESS_STORE ? ACCESS_STORE : ACCESS_LOAD;
				for (int i = 0; i < n; i++) {
					int here = ++tags[lines[i].line % TAG_BANKS];
					most = here > most ? here : most;
				}
				int words = access->space == SPACE_LOCAL
					? n
					: access_cost(&as_shared, r->watch.cc).wavefronts;
				step->wavefronts = (uint8_t)(words > most ? words : most);

				/* whether a store writes only some bytes of its sectors */
				int sectors = 0;
				for (int i = 0; i < n; i++)
					sectors += __builtin_popcount(lines[i].sectors);
				step->partial = __builtin_popcount(access->active) * access->width <
					sectors * MODEL_SECTOR_BYTES;
			}
			for (int i = 0; i < n && step->n_lines < UINT8_MAX; i++, step->n_lines++)
				*vec_push(k->lines, k->n_lines, k->lines_cap) = lines[i];
		}
	}
	if (!last)
		return;
	struct schedule_step *step = &k->steps[k->n - 1];
	int wavefronts = 0, sectors = 0;
	if (access->space == SPACE_CONST) {
		step->passes = (uint16_t)(1 + access_cost(access, r->watch.cc).replays);
		return;
	}
	if (access->space == SPACE_SHARED || access->space == SPACE_GLOBAL) {
		struct access_cost cost = access_cost(access, r->watch.cc);
		wavefronts = cost.wavefronts;
		sectors = cost.sectors;
		step->latency = access->space == SPACE_SHARED ? LATENCY_SHARED
			: access->op == ACCESS_ATOMIC         ? LATENCY_ATOMIC
							      : LATENCY_GLOBAL;
	} else if (access->space == SPACE_LOCAL) {
		/* local memory interleaves the lanes' words */
		sectors = __builtin_popcount(access->active) * access->width / MODEL_SECTOR_BYTES;
		step->latency = LATENCY_GLOBAL;
	} else {
		return;
	}
	unsigned passes = step->passes + (unsigned)schedule_passes(wavefronts, sectors);
	step->passes = passes < UINT16_MAX ? (uint16_t)passes : UINT16_MAX;
}

/* --- several cores ------------------------------------------------------------------------------------------------ */

static void *fork_recorder(void *ctx)
{
	const struct trace_recorder *r = ctx;
	struct trace_recorder *part = base_malloc(sizeof *part);
	*part = *r;
	part->kept = base_calloc((size_t)r->n_kept + 1, sizeof *part->kept);
	part->set = r->set ? cache_set_new() : NULL;
	part->counts = base_calloc(r->n_counted * r->warps_per_block + 1, sizeof *part->counts);
	return part;
}

static void drop_recorder(void *ctx, void *of_core)
{
	const struct trace_recorder *r = ctx;
	struct trace_recorder *part = of_core;
	for (int i = 0; i < r->n_kept; i++) {
		free(part->kept[i].steps);
		free(part->kept[i].lines);
		free(part->kept[i].mbarriers);
	}
	free(part->kept);
	cache_set_free(part->set);
	free(part->counts);
	free(part);
}

/* A block is run by one core: a warp has been kept by one part alone. */
static void join_recorder(void *ctx, void *of_core)
{
	struct trace_recorder *r = ctx, *part = of_core;
	for (size_t i = 0; i < r->n_counted * r->warps_per_block; i++)
		r->counts[i] += part->counts[i];
	for (int i = 0; i < r->n_kept; i++) {
		if (!part->kept[i].executed)
			continue;
		free(r->kept[i].steps);
		free(r->kept[i].lines);
		free(r->kept[i].mbarriers);
		r->kept[i] = part->kept[i];
		part->kept[i].mbarriers = NULL;
		part->kept[i].steps = NULL;
		part->kept[i].lines = NULL;
	}
	if (r->set)
		cache_set_join(r->set, part->set);
	drop_recorder(r, part);
}

/* --- in and out --------------------------------------------------------------------------------------------------- */

/* Which instructions are so, by their number in the kernel and all of its parts. */
static const uint8_t *find_those(
	struct arena *arena, const struct ptx_kernel *kernel, bool (*are)(const struct ptx_instr *instr))
{
	uint8_t *those = arena_array(arena, uint8_t, (size_t)ptx_instr_count(kernel) + 1);
	for (int part = 0; part < kernel->n_parts; part++) {
		const struct ptx_kernel *code = kernel->parts[part].code;
		for (int i = 0; i < code->n_instrs; i++)
			those[kernel->parts[part].first + i] = are(&code->instrs[i]);
	}
	return those;
}

static bool adds_floats(const struct ptx_instr *instr)
{
	return instr_is_atomic(instr->form) && ptx_type_kind(instr->form->type) == 'F';
}

struct trace_recorder *profile_trace_listen(
	struct arena *arena, const struct ptx_kernel *kernel, const struct launch *launch, struct trace_watch watch)
{
	uint64_t threads = warp_dim_volume(launch->block);
	if (threads == 0 || threads > BLOCK_THREADS_MAX)
		return NULL;
	struct trace_recorder *r = arena_alloc(arena, sizeof *r);
	struct trace *trace = arena_alloc(arena, sizeof *trace);
	trace->blocks = warp_dim_volume(launch->grid);
	trace->warps_per_block = (uint32_t)warp_count(threads);
	trace->program = profile_cost(arena, kernel, profile_file(kernel));
	trace->n_counted = trace->blocks < BLOCKS_MAX ? (size_t)trace->blocks : BLOCKS_MAX;
	*r = (struct trace_recorder){.arena = arena,
		.trace = trace,
		.watch = watch,
		.program = trace->program,
		.warps_per_block = trace->warps_per_block,
		.n_counted = trace->n_counted,
		.counts = arena_array(arena, uint32_t, trace->n_counted * trace->warps_per_block + 1)};
	r->listener = (struct simt_listener){.ctx = r,
		.access = record_access,
		.cluster = record_cluster,
		.step = record_step,
		.fork = fork_recorder,
		.join = join_recorder,
		.drop = drop_recorder};

	int n = ptx_instr_count(kernel);
	struct instr_counted *counted = arena_array(arena, struct instr_counted, (size_t)n + 1);
	for (int i = 0; i < n; i++)
		counted[i] = instr_counted_as(kernel, i);
	r->counted = counted;

	/* the blocks that share an SM with the watched one, and room for what their warps do */
	uint64_t at_a_time = (uint64_t)r->watch.sms * r->watch.resident;
	r->first = r->watch.block / at_a_time * at_a_time + r->watch.block % at_a_time % r->watch.sms;
	uint32_t most = SCHEDULE_WARPS_MAX / r->warps_per_block;
	r->n_blocks = 0;
	while (r->n_blocks < r->watch.resident && r->n_blocks < most &&
		r->first + (uint64_t)r->n_blocks * r->watch.sms < trace->blocks)
		r->n_blocks++;
	r->n_together = (int)(r->n_blocks * r->warps_per_block);
	r->room = r->n_together ? SCHEDULE_STEPS_MAX / (uint32_t)r->n_together : 0;
	uint32_t after = 0;
	while (r->watch.caches && after < (TRACE_WAVES - 1) * r->n_blocks &&
		r->first + (uint64_t)(r->n_blocks + after) * r->watch.sms < trace->blocks)
		after++;
	r->n_kept = r->n_together + (int)(after * r->warps_per_block);
	r->room_after = after ? SCHEDULE_STEPS_MAX / (after * r->warps_per_block) : 0;
	r->kept = arena_array(r->arena, struct kept, (size_t)r->n_kept + 1);

	if (watch.caches) {
		r->set = cache_set_new();
		r->past = find_those(arena, kernel, profile_loads_past);
		r->adds_floats = find_those(arena, kernel, adds_floats);
	}
	return r;
}

const struct simt_listener *profile_trace_listener(const struct trace_recorder *recorder)
{
	return &recorder->listener;
}

struct trace *profile_trace_take(struct trace_recorder *r, const struct simt_result *result)
{
	struct trace *trace = r->trace;
	trace->result = *result;
	trace->counts = r->counts;

	struct schedule_warp *warps = arena_array(r->arena, struct schedule_warp, (size_t)r->n_kept + 1);
	for (int i = 0; i < r->n_kept; i++) {
		struct kept *k = &r->kept[i];
		const struct schedule_step *steps = arena_adopt(r->arena, k->steps);
		const struct cache_line *lines = arena_adopt(r->arena, k->lines);
		free(k->mbarriers);
		uint32_t slot = (uint32_t)i / r->warps_per_block;
		warps[i] = (struct schedule_warp){.block = (uint32_t)(r->first + (uint64_t)slot * r->watch.sms),
			.warp = (uint32_t)i % r->warps_per_block,
			.steps = steps,
			.n = k->n,
			.lines = lines,
			.executed = k->executed};
	}
	trace->warps = warps;

	trace->n_warps = r->n_together;
	trace->n_kept = r->n_kept;
	trace->set = r->set;
	r->set = NULL;
	return trace;
}

/* --- a run for it alone ------------------------------------------------------------------------------------------- */

struct trace *profile_trace_run(struct arena *arena, struct ptx_module *module, const struct launch *launch,
	struct trace_watch watch, struct diag *diag)
{
	const struct ptx_kernel *kernel = profile_find_kernel(module, launch, diag);
	struct trace_recorder *recorder = kernel ? profile_trace_listen(arena, kernel, launch, watch) : NULL;
	if (!recorder)
		return NULL;
	struct profile_device *device = profile_device_open(module, launch, NULL, diag);
	struct simt_result result = {0};
	const struct arguments *arguments = device ? profile_arguments_place(arena, kernel, launch, device, diag)
						   : NULL;
	if (arguments) {
		struct simt_launch machine = profile_simt_launch(kernel, launch, arguments);
		machine.limits.steps = watch.steps ? watch.steps : PROFILE_STEPS_MAX;
		machine.limits.cores = watch.cores;
		machine.listener = &recorder->listener;
		simt_run(&machine, device->memory, &result);
	}
	profile_device_free(device);
	struct trace *trace = profile_trace_take(recorder, &result);
	return arguments ? trace : NULL;
}
