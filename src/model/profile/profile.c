#include "model/profile/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/portable.h"
#include "machine/ptx/instr.h"
#include "machine/ptx/matrix.h"
#include "machine/snapshot/snapshot.h"
#include "model/hardware/access.h"
#include "model/hardware/occupancy.h"
#include "model/profile/device.h"
#include "model/profile/private.h"

/* Warp instructions: that a launch in another order has, beyond twice those of the first; and all these together, so
 * many times those of the first, but for short and long launches. Where they have been used up, no further order is
 * begun. */
#define ORDER_STEPS_MIN 100000u
#define ORDERS_STEPS_FACTOR 8u
#define ORDERS_STEPS_MIN 2000000u
#define ORDERS_STEPS_MAX 20000000u
#define BYTES_PER_STEP 64u /* filling so many of a buffer counts as one: it takes as long */

/* What the listener writes to. Instructions share a row with those of the same source line, so that nothing is searched
 * for while the kernel runs. */
struct recorder {
	struct profile *profile;
	const struct ptx_kernel *kernel;
	struct arena *arena;
	struct profile_line *rows;     /* rows[0]: instructions without a line in the main file */
	int *row;                      /* per instruction */
	struct instr_counted *counted; /* likewise */
	uint8_t *floats;               /* likewise: enum float_work */
	struct sums *sums;             /* per instruction */
	int n_rows, n_instrs;
	int watched_row; /* 0: none */
	struct profile_watch watch;
	int tiles_rank; /* of the profile's tiles */
	int cc;
	struct buf output;
};

const char *profile_file(const struct ptx_kernel *kernel)
{
	for (int i = 0; i < ptx_instr_count(kernel); i++)
		if (ptx_instr_location(kernel, i).line)
			return ptx_instr_location(kernel, i).file;
	return NULL;
}

/* --- the cluster of the watched block ----------------------------------------------------------------------------- */

/* In the place of a rank: the block's own memory. */
#define CLUSTER_OWN CLUSTER_RANKS_MAX

/* An access of `block`, if it is in the cluster, to shared memory of the block of that rank. */
static void note_cluster_access(struct warp_cluster *c, uint32_t block, uint32_t to, const struct warp_access *access)
{
	for (uint32_t from = 0; from < c->n; from++) {
		if (c->block[from] != block)
			continue;
		struct cluster_traffic *t = &c->at[from][to == CLUSTER_OWN ? from : to];
		t->requests++;
		t->atomics += warp_op_is_atomic(access->op);
		t->bytes += (uint64_t)sector_bytes(access->width, access->active, access->address);
	}
}

/* --- what is recorded while the launch runs ----------------------------------------------------------------------- */

static int compare_ints(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	return (x > y) - (x < y);
}

/* Makes the rows, one for each distinct line in order after row 0, and gives each instruction its own. */
static void make_rows(struct arena *arena, const struct ptx_kernel *kernel, struct recorder *r)
{
	static const enum float_work works[] = {[INSTR_NO_ARITHMETIC] = FLOAT_NONE,
		[INSTR_SUM] = FLOAT_ADD,
		[INSTR_PRODUCT] = FLOAT_PRODUCT,
		[INSTR_MULTIPLY_ADD] = FLOAT_MULTIPLY_ADD};
	size_t n = (size_t)ptx_instr_count(kernel), distinct = 1;
	const char *file = profile_file(kernel);
	int *lines = arena_array(arena, int, n + 1); /* lines[0] stays 0: no line */

	r->arena = arena;
	r->kernel = kernel;
	r->n_instrs = (int)n;
	r->sums = arena_array(arena, struct sums, n + 1);
	r->row = arena_array(arena, int, n + 1);
	r->counted = arena_array(arena, struct instr_counted, n + 1);
	r->floats = arena_array(arena, uint8_t, n + 1);
	for (size_t i = 0; i < n; i++) {
		struct ptx_location place = ptx_instr_location(kernel, (int)i);
		const struct ptx_part *part = ptx_part_of(kernel, (int)i);
		const struct ptx_form *form = part->code->instrs[(int)i - part->first].form;
		/* without any source line the PTX's own lines serve */
		bool same = place.file == file || (place.file && file && strcmp(place.file, file) == 0);
		lines[i + 1] = r->row[i] = !file ? place.ptx_line : same ? place.line : 0;
		r->counted[i] = instr_counted_as(kernel, (int)i);
		r->floats[i] = (uint8_t)(form->type == PTX_F32 ? works[instr_arithmetic(form)] : FLOAT_NONE);
	}
	qsort(lines, n + 1, sizeof *lines, compare_ints);
	for (size_t i = 1; i <= n; i++)
		if (lines[i] != lines[distinct - 1])
			lines[distinct++] = lines[i];
	for (size_t i = 0; i < n; i++)
		r->row[i] = (int)((int *)bsearch(&r->row[i], lines, distinct, sizeof *lines, compare_ints) - lines);
	r->profile->file = file;
	r->rows = arena_array(arena, struct profile_line, distinct);
	r->n_rows = (int)distinct;
	for (size_t i = 0; i < distinct; i++) {
		r->rows[i].line = lines[i];
		if (lines[i] && lines[i] == r->watch.line)
			r->watched_row = (int)i;
	}
}

/* INSTR_UNSEEN, or the access_op. */
static int op_of(const struct warp_access *access, struct instr_counted counted)
{
	int op = access->space == SPACE_SHARED ? counted.shared : counted.other;
	return op == INSTR_PLAIN ? (int)access->op : op;
}

/* The access as the model counts it. False when it does not: accesses to parameters, and those that no counter sees. */
static bool is_counted(const struct warp_access *access, struct instr_counted counted, struct warp_access *out)
{
	int op = op_of(access, counted);
	if (access->space == SPACE_PARAM || op == INSTR_UNSEEN)
		return false;
	*out = *access;
	out->op = (enum access_op)op;
	return true;
}

static void record_access(void *ctx, const struct simt_site *site, const struct warp_access *access)
{
	struct recorder *r = ctx;
	struct sums *sums = &r->sums[site->instr];
	struct instr_counted counted = r->counted[site->instr];
	struct warp_access seen;

	int op = op_of(access, counted);
	if (access->space == SPACE_GLOBAL && op != INSTR_UNSEEN)
		sums_global(r->arena, sums, access, (enum access_op)op);
	else if (access->space != SPACE_GLOBAL && is_counted(access, counted, &seen))
		sums_access(r->arena, sums, &seen, r->cc);
	struct profile *p = r->profile;
	if (r->watched_row && r->row[site->instr] == r->watched_row && site->block == r->watch.block &&
		access->active && (access->space == SPACE_GLOBAL || access->space == SPACE_SHARED)) {
		if (site->warp < BLOCK_WARPS_MAX && !p->taking_part[site->warp])
			p->taking_part[site->warp] = access->active;
		if (site->warp == r->watch.warp && p->n_watched < PROFILE_WATCHED_MAX)
			p->n_watched += is_counted(access, counted, &p->watched[p->n_watched]);
	}
	if (r->profile->cluster.n > 1 && access->space == SPACE_SHARED && access->active)
		note_cluster_access(&r->profile->cluster, site->block, CLUSTER_OWN, access);
}

static void record_cluster(
	void *ctx, const struct simt_site *site, const struct warp_access *access, const struct simt_cluster_part *part)
{
	struct recorder *r = ctx;
	if (part->is_named)
		sums_cluster(r->arena, &r->sums[site->instr], access, part->is_first);
	if (part->from != part->to)
		note_cluster_access(&r->profile->cluster, site->block, part->to, access);
}

static void record_branch(void *ctx, const struct simt_site *site, uint32_t active, uint32_t taken)
{
	struct recorder *r = ctx;
	sums_branch(&r->sums[site->instr], active, taken);
}

static void record_shuffle(void *ctx, const struct simt_site *site, const struct warp_shuffle *shuffle)
{
	struct recorder *r = ctx;
	struct profile *p = r->profile;
	bool watched = r->watched_row && r->row[site->instr] == r->watched_row;
	if (!watched || p->has_shuffled || site->block != r->watch.block || site->warp != r->watch.warp)
		return;
	p->has_shuffled = true;
	p->shuffled = *shuffle;
}

static void record_step(void *ctx, const struct simt_site *site, uint32_t active, uint32_t executing)
{
	struct recorder *r = ctx;
	enum float_work floats = (enum float_work)r->floats[site->instr];
	sums_instruction(&r->sums[site->instr], active);
	if (floats != FLOAT_NONE)
		sums_floats(&r->sums[site->instr], floats, executing);
	if (!r->watched_row || r->row[site->instr] != r->watched_row || site->block != r->watch.block ||
		site->warp != r->watch.warp)
		return;
	const struct ptx_part *part = ptx_part_of(r->kernel, site->instr);
	const struct ptx_instr *instr = &part->code->instrs[site->instr - part->first];
	int rank = ptx_tiles_rank(instr->form);
	if (rank > r->tiles_rank && ptx_tiles_of(instr, &r->profile->tiles))
		r->tiles_rank = rank;
}

/* --- several cores: each has a recorder of its own ---------------------------------------------------------------- */

static void *fork_recorder(void *ctx)
{
	const struct recorder *r = ctx;
	struct recorder *part = base_malloc(sizeof *part);
	*part = *r;
	part->arena = arena_new();
	part->sums = arena_array(part->arena, struct sums, (size_t)r->n_instrs + 1);
	part->profile = base_calloc(1, sizeof *part->profile);
	part->profile->cluster.n = r->profile->cluster.n;
	memcpy(part->profile->cluster.block, r->profile->cluster.block, sizeof part->profile->cluster.block);
	part->output = (struct buf){0}; /* a kernel that prints is run by one core */
	return part;
}

static void drop_recorder(void *ctx, void *of_core)
{
	struct recorder *part = of_core;
	(void)ctx;
	free(part->profile);
	arena_free(part->arena);
	free(part);
}

/* The watched accesses are all of one block, so of one part, and in its order. */
static void join_recorder(void *ctx, void *of_core)
{
	struct recorder *r = ctx, *part = of_core;
	struct profile *p = r->profile, *more = part->profile;

	for (int i = 0; i < r->n_instrs; i++)
		sums_add(r->arena, &r->sums[i], &part->sums[i]);
	for (int i = 0; i < more->n_watched && p->n_watched < PROFILE_WATCHED_MAX; i++)
		p->watched[p->n_watched++] = more->watched[i];
	for (int i = 0; i < BLOCK_WARPS_MAX; i++)
		p->taking_part[i] |= more->taking_part[i];
	if (more->has_shuffled && !p->has_shuffled) {
		p->has_shuffled = true;
		p->shuffled = more->shuffled;
	}

	for (uint32_t i = 0; i < p->cluster.n * CLUSTER_RANKS_MAX; i++) {
		struct cluster_traffic *t = &p->cluster.at[i / CLUSTER_RANKS_MAX][i % CLUSTER_RANKS_MAX];
		const struct cluster_traffic *m = &more->cluster.at[i / CLUSTER_RANKS_MAX][i % CLUSTER_RANKS_MAX];
		t->requests += m->requests;
		t->atomics += m->atomics;
		t->bytes += m->bytes;
	}

	if (part->tiles_rank > r->tiles_rank) {
		r->tiles_rank = part->tiles_rank;
		p->tiles = more->tiles;
	}
	drop_recorder(r, part);
}

/* --- what comes of it --------------------------------------------------------------------------------------------- */

/* The numbers of a line from the sums of its instructions. */
static void fill_line(struct profile_line *line)
{
	static const enum mem_space spaces[] = {[PROFILE_GLOBAL] = SPACE_GLOBAL, [PROFILE_SHARED] = SPACE_SHARED};
	static const enum profile_kind kinds[TRAFFIC_KINDS] = {[TRAFFIC_LOAD] = PROFILE_LOADS,
		[TRAFFIC_STORE] = PROFILE_STORES,
		[TRAFFIC_ATOMIC] = PROFILE_ATOMICS,
		[TRAFFIC_REDUCTION] = PROFILE_ATOMICS,
		[TRAFFIC_LOAD_MATRIX] = PROFILE_LOADS,
		[TRAFFIC_STORE_MATRIX] = PROFILE_STORES};
	const struct traffic *shared = line->sums.traffic[SPACE_SHARED], *global = line->sums.traffic[SPACE_GLOBAL];
	line->executions = line->sums.instructions;
	line->active_lanes = line->sums.threads;
	for (int space = 0; space < PROFILE_SPACES; space++)
		for (int kind = 0; line->sums.traffic[spaces[space]] && kind < TRAFFIC_KINDS; kind++)
			line->kinds[space][kinds[kind]] += line->sums.traffic[spaces[space]][kind].requests;
	for (int kind = 0; shared && kind < TRAFFIC_KINDS; kind++) {
		line->shared_requests += shared[kind].requests;
		line->wavefronts += shared[kind].wavefronts;
		line->conflicts += shared[kind].conflicts;
	}
	for (int kind = 0; global && kind < TRAFFIC_KINDS; kind++) {
		line->global_requests += global[kind].requests;
		/* Of atomics the GPU's counters of lines know no turns. Verified: CC 9.0 (H200), the recordings of the
		 * lessons on them. */
		bool atomic = kind == TRAFFIC_ATOMIC || kind == TRAFFIC_REDUCTION;
		line->sectors += atomic ? global[kind].touched : global[kind].sectors;
	}
}

/* Before the cp.async of a basic block ptxas puts three loads from shared memory of which all lanes are off: the
 * hardware counts them as requests. Verified: CC 9.0 (H200), ptxas 13, 16 kernels with 1 to 4 copies, groups and waits,
 * in loops and not. */
#define EMPTY_LOADS 3

static void record_print(void *ctx, const char *text, size_t len)
{
	struct recorder *r = ctx;
	buf_append(&r->output, text, len);
}

static struct simt_resident resident(struct arena *arena, const struct ptx_kernel *kernel, const struct launch *launch,
	const struct profile_watch *watch)
{
	const struct resident_gpu gpu = {watch->cc, watch->registers, watch->barriers};
	return profile_resident(arena, kernel, launch, &gpu);
}

/* --- other orders ------------------------------------------------------------------------------------------------- */

static struct profile_device *open_device(
	struct ptx_module *module, const struct launch *launch, struct profile_watch watch, struct diag *diag)
{
	struct profile_before before = {
		.granule = watch.granule, .steps = watch.steps, .checks = watch.checks, .quiet_ms = watch.quiet_ms};
	return profile_device_open(module, launch, &before, diag);
}

/* Where threads synchronize through memory, what is found depends on who comes first. A launch that stops early in
 * another order has what it found until then. */
static void run_orders(struct arena *arena, struct profile *p, const struct ptx_kernel *kernel,
	const struct launch *launch, struct profile_watch watch)
{
	double start = clock_ms();
	struct simt_report report = {
		.defects = arena_array(arena, struct simt_defect, p->report.cap), .cap = p->report.cap};
	uint64_t steps = 2 * p->result.steps + ORDER_STEPS_MIN, left = ORDERS_STEPS_FACTOR * p->result.steps;

	/* what filling the buffers counts for, each time; those of zeros cost nothing */
	uint64_t bytes = launch->kept ? launch->kept->memory : 0;
	for (int i = 0; i < launch->n_args; i++)
		if (launch->args[i].buffer && (launch->args[i].fill != LAUNCH_ZERO || launch->args[i].n_unwritten))
			bytes += launch_arg_bytes(&launch->args[i]);
	const uint64_t filling = bytes / BYTES_PER_STEP;

	left = left < ORDERS_STEPS_MIN ? ORDERS_STEPS_MIN : left > ORDERS_STEPS_MAX ? ORDERS_STEPS_MAX : left;

	p->orders = 1;
	p->orders_ms = 0;
	/* whether another order may find what the first did not: where threads synchronize through memory, and did or
	 * raced. */
	if (!(p->result.ended && watch.checks & SIMT_CHECK_RACE && (p->result.communicates || p->report.n) &&
		    simt_synchronizes(kernel)))
		return;
	while (p->orders < watch.orders && !(watch.progress && watch.progress->stop) && left >= steps + filling &&
		p->report.n < p->report.cap) {
		report.n = 0;
		watch.steps = steps;

		/* the launch, on memory of its own, in one of them */
		struct arena *scratch = arena_new();
		struct simt_result result = {0};
		struct diag none = {0};
		struct profile_device *device = open_device(kernel->module, launch, watch, &none);
		const struct arguments *arguments = device
			? profile_arguments_place(scratch, kernel, launch, device, &none)
			: NULL;
		if (arguments) {
			struct simt_launch machine = profile_simt_launch(kernel, launch, arguments);
			machine.limits.steps = watch.steps;
			machine.limits.quiet_ms = watch.quiet_ms;
			machine.checks = watch.checks;
			machine.order = p->orders;
			machine.resident = resident(scratch, kernel, launch, &watch);
			machine.strict = watch.strict;
			machine.ends_at_fault = watch.ends_at_fault;
			machine.report = &report;
			simt_run(&machine, device->memory, &result);
		}
		profile_device_free(device);
		diag_free(&none);
		arena_free(scratch);
		p->orders++;

		left -= filling + result.steps;
		simt_report_add(&p->report, &p->result, &report);
	}
	p->orders_ms = clock_ms() - start;
}

struct line_counts profile_line_counts(const struct profile_line *line)
{
	uint64_t branches = line->sums.branches, uniform = line->sums.uniform,
		 ideal = line->wavefronts - line->conflicts;
	return (struct line_counts){.c = {
					    [LINE_COUNT_INSTRUCTIONS] = value_ok((double)line->executions),
					    [LINE_COUNT_THREADS] = value_ok((double)line->active_lanes),
					    [LINE_COUNT_GLOBAL_REQUESTS] = value_ok((double)line->global_requests),
					    [LINE_COUNT_SECTORS] = value_ok((double)line->sectors),
					    [LINE_COUNT_SHARED_REQUESTS] = value_ok((double)line->shared_requests),
					    [LINE_COUNT_WAVEFRONTS] = value_ok((double)line->wavefronts),
					    [LINE_COUNT_IDEAL_WAVEFRONTS] = value_ok((double)ideal),
					    [LINE_COUNT_UNIFORM_BRANCHES] = value_ok((double)uniform),
					    [LINE_COUNT_DIVERGENT_BRANCHES] = value_ok((double)(branches - uniform)),
				    }};
}

static struct value mean(uint64_t sum, uint64_t n)
{
	return n ? value_ok((double)sum / (double)n) : value_missing(VALUE_NONE);
}

struct value profile_lanes(const struct profile_line *line)
{
	return mean(line->active_lanes, line->executions);
}

struct value profile_wavefronts(const struct profile_line *line)
{
	return mean(line->wavefronts, line->shared_requests);
}

struct value profile_sectors(const struct profile_line *line)
{
	return mean(line->sectors, line->global_requests);
}

struct profile *profile_run_on(struct arena *arena, struct profile_device *device, const struct launch *launch,
	struct profile_watch watch, struct diag *diag)
{
	const struct ptx_kernel *kernel = profile_find_kernel(device->module, launch, diag);
	const struct arguments *arguments = kernel ? profile_arguments_place(arena, kernel, launch, device, diag)
						   : NULL;
	if (!arguments)
		return NULL;
	struct profile *profile = arena_alloc(arena, sizeof *profile);
	profile->report.cap = watch.defects ? watch.defects : 1;
	profile->report.defects = arena_array(arena, struct simt_defect, profile->report.cap);
	struct recorder recorder = {.profile = profile, .watch = watch, .cc = watch.cc ? watch.cc : MODEL_CC_DEFAULT};
	make_rows(arena, kernel, &recorder);

	/* the blocks of the cluster that the watched block is in */
	struct warp_cluster *c = &profile->cluster;
	const uint32_t *dims = launch->cluster[0] ? launch->cluster : kernel->cluster, *grid = launch->grid;
	c->n = dims[0] ? dims[0] * dims[1] * dims[2] : 1;
	if (c->n > CLUSTER_RANKS_MAX || watch.block >= warp_dim_volume(grid))
		c->n = 1;
	for (uint32_t rank = 0; c->n > 1 && rank < c->n; rank++) {
		uint32_t at = watch.block, in = rank, step = 1;
		for (int i = 0; i < 3; i++) {
			c->block[rank] += (at % grid[i] / dims[i] * dims[i] + in % dims[i]) * step;
			at /= grid[i];
			in /= dims[i];
			step *= grid[i];
		}
		if (c->block[rank] == watch.block)
			c->watched = rank;
	}

	struct simt_listener listener = {.ctx = &recorder,
		.access = record_access,
		.cluster = record_cluster,
		.branch = record_branch,
		.shuffle = record_shuffle,
		.step = record_step,
		.print = record_print,
		.fork = fork_recorder,
		.join = join_recorder,
		.drop = drop_recorder};
	struct pair pair = {&listener, watch.also};
	struct simt_listener both = profile_pair_listener(&pair);
	struct simt_launch machine = profile_simt_launch(kernel, launch, arguments);
	machine.limits.steps = watch.steps ? watch.steps : PROFILE_STEPS_MAX;
	machine.limits.through = watch.through ? (uint64_t)watch.block + 1 : 0;
	machine.limits.cores = watch.cores;
	machine.limits.progress = watch.progress;
	machine.limits.quiet_ms = watch.quiet_ms;
	machine.listener = watch.also ? &both : &listener;
	machine.checks = watch.checks;
	machine.report = &profile->report;
	machine.strict = watch.strict;
	machine.ends_at_fault = watch.ends_at_fault;
	machine.resident = resident(arena, kernel, launch, &watch);
	simt_run(&machine, device->memory, &profile->result);

	run_orders(arena, profile, kernel, launch, watch);

	uint64_t *executed = arena_array(arena, uint64_t, (size_t)recorder.n_instrs + 1);
	for (int i = 0; i < recorder.n_instrs; i++) {
		sums_add(arena, &recorder.rows[recorder.row[i]].sums, &recorder.sums[i]);
		executed[i] = recorder.sums[i].instructions;
	}
	profile->executed = executed;
	profile->n_instrs = recorder.n_instrs;
	counts_start_model(&profile->counts);
	for (int i = 0; i < recorder.n_rows; i++) {
		fill_line(&recorder.rows[i]);
		counts_add_sums(&profile->counts, &recorder.rows[i].sums);
	}

	for (int j = 0; recorder.cc >= 90 && j < kernel->n_parts; j++) {
		const struct ptx_part *part = &kernel->parts[j];
		for (int b = 0; b < part->code->n_blocks; b++) {
			int first = part->code->blocks[b].first, last = part->code->blocks[b].last;
			while (first <= last && instr_kind(part->code->instrs[first].form) != PTX_KIND_COPY)
				first++;
			if (first <= last)
				profile->counts.c[COUNTER_SHARED_LD_REQUESTS].v += EMPTY_LOADS *
					(double)recorder.sums[part->first + first].instructions;
		}
	}

	/* Of machine instructions as many threads are active on average as of those of PTX, which were counted until
	 * here. */
	struct counts *counts = &profile->counts;
	double ptx = counts->c[COUNTER_PTX_INSTRUCTIONS].v,
	       machine_instructions = round(profile_machine_instructions(kernel, executed));
	counts->c[COUNTER_INSTRUCTIONS] = value_ok(machine_instructions);
	counts->c[COUNTER_THREAD_INSTRUCTIONS].v *= ptx > 0 ? machine_instructions / ptx : 1;

	profile->elsewhere = recorder.rows[0];
	profile->lines = recorder.rows + 1;
	profile->n_lines = recorder.n_rows - 1;

	if (watch.inlined)
		profile_group_inlined(arena, kernel, recorder.sums, fill_line, profile);

	/* registers are the compiler's: here they limit nothing */
	struct occupancy_block block = {.threads = (uint32_t)warp_dim_volume(launch->block),
		.shared = ptx_shared_bytes(kernel) + launch->shared};
	struct occupancy result = occupancy(recorder.cc, &block);
	if (result.state == OCCUPANCY_OK)
		profile->counts.c[COUNTER_OCCUPANCY_LIMIT] = value_ok(result.percent);

	/* what the kernel reads and writes that is not modeled, or not known to the last bit. */
	bool filters = ptx_has_linear_sampler(kernel);
	for (int i = 0; i < launch->n_args; i++)
		filters |= launch->args[i].texture && launch->args[i].texture->shape.sampler.linear;
	for (int i = 0; i < kernel->n_parts; i++) {
		const struct ptx_kernel *code = kernel->parts[i].code;
		for (int j = 0; j < code->n_instrs; j++) {
			enum ptx_kind kind = instr_kind(code->instrs[j].form);
			profile->has_textures |= kind == PTX_KIND_TEXTURE || kind == PTX_KIND_SURFACE_LOAD ||
				kind == PTX_KIND_SURFACE_STORE || kind == PTX_KIND_SURFACE_REDUCTION;
			profile->has_filters |= filters && kind == PTX_KIND_TEXTURE;
		}
	}

	if (!watch.unread)
		profile->buffers = profile_arguments_copy(arena, launch, arguments, device->memory);
	profile->placed = arguments->buffers;
	profile->n_placed = arguments->n_buffers;
	profile->output = arena_strndup(arena, buf_str(&recorder.output), recorder.output.len);
	profile->output_len = recorder.output.len;
	buf_free(&recorder.output);
	return profile;
}

struct profile *profile_run(struct arena *arena, struct ptx_module *module, const struct launch *launch,
	struct profile_watch watch, struct diag *diag)
{
	if (!profile_find_kernel(module, launch, diag))
		return NULL;
	struct profile_device *device = open_device(module, launch, watch, diag);
	struct profile *profile = device ? profile_run_on(arena, device, launch, watch, diag) : NULL;
	profile_device_free(device);
	return profile;
}

struct profile *profile_on_gpu(struct arena *arena, struct ptx_module *module, const struct launch *launch,
	struct profile_watch watch, struct diag *diag)
{
	watch.checks = SIMT_CHECK_BOUNDS | SIMT_CHECK_ALIGN | SIMT_CHECK_UNNAMED;
	watch.granule = PROFILE_GRANULE;
	return profile_run(arena, module, launch, watch, diag);
}
