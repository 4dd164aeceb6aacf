/* Live timelines, on the GPU: every block on one SM and never more of them there than fit, waves as their number says,
 * the arms of a branch disjoint and together what the branch was; results as without stamps; samples that add up; how
 * long all of it takes, and how much longer a kernel takes with stamps. Prints TAP and a table. Run by
 * tests/gpu/timeline.sh:
 *
 *   timeline [--gpu SPEC] [--source DIR] [--worker PATH] */
#include "config.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "gpu/client/gpu.h"
#include "machine/ptx/program.h"
#include "model/probe/timeline.h"
#include "model/profile/profile.h"

#define WAIT_MS 60000
#define ROUNDS 15  /* of which the median counts */
#define WARM_MS 30 /* a lesson's timeline, from the request to the answer */

static struct gpu *gpu;
static struct probe_gpu where;
static int tests, failures;

static void result(bool ok, const char *what, const char *name)
{
	printf("%sok %d - %s: %s\n", ok ? "" : "not ", ++tests, what, name);
	failures += !ok;
	fflush(stdout);
}

static _Noreturn void bail(const char *why)
{
	printf("Bail out! %s\n", why);
	exit(1);
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

struct kernel {
	const char *path, *name;
	const char *grid, *block;
	const char *args[5];
	int line; /* watched in the schedule */
	uint32_t watch_block, watch_warp;
};

static const struct kernel kernels[] = {
	{"kernels/shared_stride.ptx", "shared_stride", "132", "256",
		{"f32[1024]:iota", "f32[33792]", "u32:1", "u32:64"}, 0, 0, 0},
	{"kernels/shared_stride.ptx", "shared_stride", "2", "512", {"f32[1024]:iota", "f32[1024]", "u32:32", "u32:64"},
		0, 1, 3},
	{"kernels/shared_stride.ptx", "shared_stride", "2000", "256",
		{"f32[1024]:iota", "f32[512000]", "u32:3", "u32:64"}, 0, 77, 7},
	{"tests/run/divergent.ptx", "divergent", "100", "128", {"u32[12800]:random@5", "u32[25600]", "u32:12780"}, 0, 3,
		2},
	{"tests/run/phases.ptx", "phases", "264", "256", {"f32[67584]:random@1", "f32[67584]", "u32:6"}, 0, 140, 1},
	{"tests/run/uneven.ptx", "uneven", "1500", "1024", {"f32[1536000]:iota", "u32:400"}, 0, 1000, 7},
	{"tests/run/uneven.ptx", "uneven", "30000", "64", {"f32[1920000]:iota", "u32:50"}, 0, 29000, 1},
	{"tests/run/matmul.ptx", "matmul", "8,8", "16,16",
		{"s32:128", "s32[16384]:iota", "s32[16384]:random@3", "s32[16384]"}, 0, 9, 4},
};
#define KERNELS (sizeof kernels / sizeof *kernels)

struct loaded {
	struct arena *arena;
	struct diag diag;
	struct ptx_module *module;
	struct launch launch;
	const char *file;
	const char *label;
	uint32_t threads;
};

static void load(const struct kernel *k, const char *source, struct loaded *out)
{
	*out = (struct loaded){.arena = arena_new()};
	struct arena *arena = out->arena;
	struct buf text = {0};
	if (!file_read(arena_printf(arena, "%s/%s", source, k->path), 1 << 20, &text, &out->diag))
		bail(k->path);
	out->module = ptx_parse(arena, k->path, arena_strndup(arena, buf_str(&text), text.len), text.len, &out->diag);
	buf_free(&text);
	out->launch.kernel = k->name;
	out->launch.args = arena_array(arena, struct launch_arg, 5);
	bool ok = out->module && launch_dim_parse(NULL, k->grid, out->launch.grid, &out->diag) &&
		launch_dim_parse(NULL, k->block, out->launch.block, &out->diag);
	for (int i = 0; ok && i < 5 && k->args[i]; i++)
		ok = launch_arg_parse(arena, NULL, k->args[i], &out->launch.args[out->launch.n_args++], &out->diag);
	const struct ptx_kernel *entry = ok ? ptx_find_kernel(out->module, k->name, &out->diag) : NULL;
	if (!entry)
		bail(out->diag.count ? out->diag.entries[0].message : k->path);
	out->file = profile_file(entry);
	out->threads = out->launch.block[0] * out->launch.block[1] * out->launch.block[2];
	out->label = arena_printf(arena, "%s, %s blocks of %s", k->name, k->grid, k->block);
}

static void unload(struct loaded *l)
{
	diag_free(&l->diag);
	arena_free(l->arena);
}

/* --- asking ------------------------------------------------------------------------------------------------------- */

/* The answer, valid until the next question, and the milliseconds until it was there; NULL after a failure. */
static const struct wire_message *ask(const struct wire_message *request, double *ms)
{
	int64_t id = gpu_request(gpu, request);
	struct gpu_event event;
	do
		event = gpu_wait(gpu, WAIT_MS);
	while (event.kind != GPU_EVENT_NONE && event.id != id);
	*ms = event.ms;
	if (event.kind == GPU_EVENT_ANSWERED || event.kind == GPU_EVENT_MEASURED)
		return event.answer;
	printf("# %s\n", event.kind == GPU_EVENT_ERROR ? event.error->message : "no answer");
	return NULL;
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

struct asked {
	struct timelines times;
	const char *warning;
	bool same; /* results, in every run */
	bool ok;
	double first_ms, warm_ms, worker_ms;
	uint64_t bytes;
	const char *ptx;
	struct launch launch;
};

static struct asked ask_timeline(struct loaded *l, const struct kernel *k, enum probe_timeline_kind what)
{
	const struct probe_timeline_request request = {
		l->module, &l->launch, l->file, k->watch_block, k->watch_warp, k->line};
	struct probe_timeline_plan *plan = probe_timeline_plan(l->arena, what, &request, &l->diag);
	struct asked out = {.same = true, .ok = plan != NULL};
	double ms[ROUNDS] = {0}, worker[ROUNDS] = {0};
	for (int i = 0; out.ok && i < ROUNDS; i++) {
		struct wire_message m = probe_timeline_message(plan);
		const struct wire_message *answer = ask(&m, &ms[i]);
		out.ok = answer &&
			probe_timeline_read(l->arena, &(struct probe_timeline_answer){plan, &answer->stamped, where},
				&out.times, &out.warning, &l->diag);
		out.same &= out.ok && answer->stamped.differs < 0;
		worker[i] = out.ok ? answer->stamped.worker_ms : 0;
	}
	if (!out.ok) {
		printf("# %s\n", l->diag.count ? l->diag.entries[l->diag.count - 1].message : "no timeline");
		return out;
	}
	out.first_ms = ms[0];
	qsort(ms + 1, ROUNDS - 1, sizeof *ms, compare_doubles);
	qsort(worker + 1, ROUNDS - 1, sizeof *worker, compare_doubles);
	out.warm_ms = ms[ROUNDS / 2];
	out.worker_ms = worker[ROUNDS / 2];
	out.bytes = plan->probe->bytes;
	out.ptx = plan->ptx;
	out.launch = plan->launch;
	return out;
}

/* --- what must hold ----------------------------------------------------------------------------------------------- */

/* Most blocks of one SM at one moment. Starts and ends closer than the clock's steps are taken to be one after the
 * other. */
static uint32_t most_in_flight(const struct blocks_timeline *b)
{
	uint32_t most = 0;
	for (size_t i = 0; i < b->n; i++) {
		uint32_t n = 0;
		uint64_t moment = b->spans[i].start;
		for (size_t j = i; j > 0 && b->spans[j - 1].sm == b->spans[i].sm; j--)
			n += b->spans[j - 1].end > moment + b->origin.resolution;
		n++;
		most = n > most ? n : most;
	}
	return most;
}

static bool blocks_are_right(const struct loaded *l, const struct blocks_timeline *b)
{
	bool ok = b->origin.cut || b->n == b->launched, *seen = arena_array(l->arena, bool, b->launched);
	for (size_t i = 0; i < b->n; i++) {
		const struct block_span *s = &b->spans[i];
		ok &= s->block < b->launched && !seen[s->block] && s->sm < where.sms && s->end > s->start;
		if (s->block < b->launched)
			seen[s->block] = true;
	}
	uint32_t most = most_in_flight(b), places = where.sms * b->resident;
	uint64_t waves = (b->n + places - 1) / places; /* of those watched */
	printf("# %s: %zu blocks on %u SMs in %" PRIu64
	       " ns (steps of %u), at most %u at a time of %u, %u waves (%" PRIu64 " by number), tail from %" PRIu64
	       ", idle %.0f %%%s%s\n",
		l->label, b->n, b->used, b->end, b->origin.resolution, most, b->resident, b->waves, waves, b->tail,
		100 * b->idle, b->origin.cut ? "; " : "", b->origin.cut ? b->origin.cut : "");
	/* never fewer waves than the number says; but who ends early gives its place to the next block early, so that
	 * one of many places can have more of them than that, also where blocks are alike */
	return ok && most <= b->resident && b->waves >= waves &&
		(b->origin.cut || b->n > places || b->waves == waves) && b->origin.resolution == 32;
}

static bool schedule_is_right(const struct loaded *l, const struct schedule_timeline *s, uint32_t warps)
{
	bool ok = s->n_rows > 0 && s->n_rows % (int)warps == 0, barrier = false;
	for (int i = 0; i < s->n_rows; i++) {
		const struct warp_row *row = &s->rows[i];
		ok &= row->end > row->start && row->slot < 64;
		for (size_t k = 0; k < row->n; k++) {
			ok &= row->spans[k].end > row->spans[k].start &&
				(!k || row->spans[k].start >= row->spans[k - 1].end);
			barrier |= row->spans[k].phase == PHASE_BARRIER;
		}
	}
	printf("# %s: %d warps of SM %u in %" PRIu64 " cycles%s%s%s\n", l->label, s->n_rows, s->sm, s->end,
		barrier ? ", with barriers" : "", s->origin.cut ? "; " : "", s->origin.cut ? s->origin.cut : "");
	return ok && (barrier || strstr(l->label, "phases") == NULL);
}

/* Lanes that part come one arm after the other: who is on elsewhere must not be on here. */
static bool mask_is_right(const struct loaded *l, const struct mask_timeline *m)
{
	bool ok = m->n > 0;
	uint32_t gone = 0;
	int diverged = 0;
	for (size_t i = 0; i < m->n; i++) {
		const struct mask_step *s = &m->steps[i];
		ok &= s->lanes && !(s->lanes & ~m->lanes) && !(s->lanes & gone) &&
			(!i || s->time >= m->steps[i - 1].time);
		gone |= s->what == MASK_EXIT ? s->lanes : 0;
		diverged += s->relation == MASK_OTHER || s->relation == MASK_DIVERGED;
	}
	printf("# %s: warp %u of block %u, %zu steps in %" PRIu64 " cycles, %d of them of a part of the lanes\n",
		l->label, m->warp, m->block, m->n, m->end, diverged);
	return ok && gone == m->lanes;
}

/* Where a warp parts and the next step is of the others: together they are those who came. */
static bool arms_add_up(const struct loaded *l, const struct mask_timeline *m)
{
	bool ok = true, found = false;
	for (size_t i = 1; i + 1 < m->n; i++) {
		uint32_t came = m->steps[i - 1].lanes, arm = m->steps[i].lanes;
		if (m->steps[i].relation != MASK_DIVERGED || m->steps[i].what == MASK_EXIT)
			continue;
		uint32_t others = 0;
		for (size_t k = i; k < m->n && m->steps[k].relation != MASK_RECONVERGED && !(others & arm); k++)
			if (!(m->steps[k].lanes & arm))
				others |= m->steps[k].lanes;
		ok &= !(others & arm) && !(others & ~came);
		found |= (others | arm) == came;
	}
	return ok && (found || strstr(l->label, "divergent") == NULL);
}

/* --- cost --------------------------------------------------------------------------------------------------------- */

/* Median time of the kernel by the GPU's own counter; negative when it cannot be had. */
static double kernel_ns(const char *ptx, size_t len, const struct launch *launch)
{
	static const char *const metric[] = {"gpu__time_duration.sum"};
	double ns[ROUNDS], ms;
	for (int i = 0; i < ROUNDS; i++) {
		struct wire_message m = {.kind = WIRE_MEASURE};
		m.measure.job = (struct wire_job){ptx, len, *launch};
		m.measure.metrics = metric;
		m.measure.n_metrics = 1;
		const struct wire_message *answer = ask(&m, &ms);
		if (!answer || !answer->measurement.available[0])
			return -1;
		ns[i] = answer->measurement.values[0];
	}
	qsort(ns, ROUNDS, sizeof *ns, compare_doubles);
	return ns[ROUNDS / 2];
}

static void write_cost(const struct loaded *l, const struct asked asked[PROBE_TIMELINES])
{
	double plain = kernel_ns(l->module->text, l->module->text_len, &l->launch);
	printf("# %-44s %10.0f ns", l->label, plain);
	for (int i = 0; i < PROBE_TIMELINES; i++)
		printf(" %8.2fx", kernel_ns(asked[i].ptx, strlen(asked[i].ptx), &asked[i].launch) / plain);
	for (int i = 0; i < PROBE_TIMELINES; i++)
		printf(" %7.1f/%-6.1f %4" PRIu64 "K", asked[i].first_ms, asked[i].warm_ms, asked[i].bytes >> 10);
	putchar('\n');
}

/* --- samples ------------------------------------------------------------------------------------------------------ */

static double sum(const struct wire_samples *s, enum probe_activity what)
{
	double total = 0;
	for (int i = 0; i < s->n; i++)
		total += s->values[what] ? s->values[what][i] : 0;
	return total;
}

/* What the range profiler counts, the samples must have, every instruction. */
static void check_samples(struct loaded *l)
{
	static const char *const metric[] = {"smsp__inst_executed.sum"};
	const struct wire_job job = {l->module->text, l->module->text_len, l->launch};
	struct wire_message count = {.kind = WIRE_MEASURE}, sample = probe_activity_message(&job);
	double ms, first = 0, again = 0, counted = -1, sampled = -2, most = 0;
	count.measure.job = job;
	count.measure.metrics = metric;
	count.measure.n_metrics = 1;
	const struct wire_message *answer = ask(&sample, &first);
	answer = answer ? ask(&sample, &again) : NULL;
	const struct activity_timeline *a = NULL;
	int n = 0, interval = 0;
	double worker_ms = 0;
	if (answer) {
		a = probe_activity_read(l->arena, &answer->samples, &where);
		sampled = sum(&answer->samples, PROBE_ACTIVITY_INSTRUCTIONS);
		n = answer->samples.n;
		interval = answer->samples.interval;
		worker_ms = answer->samples.worker_ms;
	}
	for (size_t i = 0; a && i < a->n; i++)
		most = a->samples[i].warps > most ? a->samples[i].warps : most;
	answer = ask(&count, &ms);
	if (answer && answer->measurement.available[0])
		counted = answer->measurement.values[0];
	printf("# %s: %d samples, one each %d ns, %zu of them with warps; at most %.1f warps on an SM; %.0f instructions, %.0f "
	       "counted; %.1f ms the first time, then %.1f (worker %.1f)\n",
		l->label, n, interval, a ? a->n : 0, most, sampled, counted, first, again, worker_ms);
	result(a && most > 0 && most <= a->max_warps && sampled == counted,
		"samples add up, warps are no more than fit", l->label);
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static void check_kernel(const struct kernel *k, const char *source)
{
	struct loaded l;
	struct asked asked[PROBE_TIMELINES];
	bool all = true, same = true;
	load(k, source, &l);
	for (int i = 0; i < PROBE_TIMELINES; i++) {
		asked[i] = ask_timeline(&l, k, (enum probe_timeline_kind)i);
		all &= asked[i].ok;
		same &= asked[i].same;
		if (asked[i].warning)
			printf("# %s\n", asked[i].warning);
	}
	result(all && same, "results are the same, bit for bit, with each kind of stamps", l.label);
	if (all) {
		result(blocks_are_right(&l, asked[PROBE_TIMELINE_BLOCKS].times.blocks),
			"each block on one SM, no more than fit", l.label);
		result(schedule_is_right(&l, asked[PROBE_TIMELINE_SCHEDULE].times.schedule, (l.threads + 31) / 32),
			"warps of one SM", l.label);
		result(mask_is_right(&l, asked[PROBE_TIMELINE_MASK].times.mask) &&
				arms_add_up(&l, asked[PROBE_TIMELINE_MASK].times.mask),
			"the arms are disjoint, and together who came", l.label);
		write_cost(&l, asked);
	}
	if (all && k == kernels)
		for (int i = 0; i < PROBE_TIMELINES; i++) {
			printf("# warm: %.1f ms, of which the worker %.1f\n", asked[i].warm_ms, asked[i].worker_ms);
			result(asked[i].warm_ms <= WARM_MS, "a warm timeline within 30 ms", l.label);
		}
	if (k == kernels || k == &kernels[5])
		check_samples(&l);
	unload(&l);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"gpu", required_argument, NULL, 'g'},
		{"source", required_argument, NULL, 's'}, {"worker", required_argument, NULL, 'w'}, {0}};
	const char *spec = "local", *source = ".", *worker = "./simttutor-gpu";
	struct diag diag = {0};
	for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
		spec = c == 'g' ? optarg : spec;
		source = c == 's' ? optarg : source;
		worker = c == 'w' ? optarg : worker;
		if (c == '?')
			return 2;
	}
	gpu = gpu_new(spec, worker, &diag);
	if (!gpu)
		bail(diag.entries[0].message);
	gpu_start(gpu);
	struct gpu_event event = gpu_wait(gpu, WAIT_MS);
	if (event.kind != GPU_EVENT_PROBED)
		bail(event.kind == GPU_EVENT_ERROR ? event.error->message : "no GPU");
	const struct wire_gpu *info = gpu_info(gpu);
	struct arena *arena = arena_new();
	where = (struct probe_gpu){arena_strdup(arena, info->name), (uint32_t)info->sms, info->cc};
	printf("# kernel, its time, and with the stamps of blocks, schedule, mask; ms to each timeline, first/warm, and its buffer\n");
	for (size_t i = 0; i < KERNELS; i++)
		check_kernel(&kernels[i], source);
	printf("1..%d\n", tests);
	gpu_free(gpu);
	arena_free(arena);
	diag_free(&diag);
	return failures > 0;
}
