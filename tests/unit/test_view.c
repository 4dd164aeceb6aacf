#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "front/canvas/export.h"
#include "front/view/draw.h"
#include "front/view/subjects.h"
#include "front/view/views.h"
#include "machine/ptx/matrix.h"
#include "model/hardware/access.h"
#include "model/hardware/metrics.h"
#include "model/hardware/schedule.h"
#include "program_log.h"

/* --- inputs ------------------------------------------------------------------------------------------------------- */

struct access_case {
	const char *name;
	enum mem_space space;
	enum access_op op;
	int width;
	uint32_t active;
	uint64_t (*address)(int lane);
};

/* One row per function. */
/* clang-format off */
static uint64_t stride0(int lane) { return 0u * (unsigned)lane + 20; }
static uint64_t stride1(int lane) { return 4u * (unsigned)lane; }
static uint64_t stride2(int lane) { return 8u * (unsigned)lane; }
static uint64_t stride6(int lane) { return 24u * (unsigned)lane; }
static uint64_t stride32(int lane) { return 128u * (unsigned)lane; }
static uint64_t stride33(int lane) { return 132u * (unsigned)lane; }
static uint64_t byte1(int lane) { return (unsigned)lane; }
static uint64_t pairs(int lane) { return 4u * (unsigned)(lane / 2 * 3); }
static uint64_t wide16(int lane) { return 16u * (unsigned)lane; }
static uint64_t far_apart(int lane) { return ((uint64_t)lane << 40) + 64; }
static uint64_t halves(int lane) { return 8u * (unsigned)(lane % 16); }
static uint64_t bins(int lane) { return 4u * (unsigned)(lane * lane % 11); }
static uint64_t off4(int lane) { return 4u * (unsigned)lane + 4; }
/* clang-format on */

static const struct access_case access_cases[] = {
	{"banks-stride1", SPACE_SHARED, ACCESS_LOAD, 4, UINT32_MAX, stride1},
	{"banks-stride2", SPACE_SHARED, ACCESS_LOAD, 4, UINT32_MAX, stride2},
	{"banks-stride6", SPACE_SHARED, ACCESS_LOAD, 4, UINT32_MAX, stride6},
	{"banks-stride32", SPACE_SHARED, ACCESS_LOAD, 4, UINT32_MAX, stride32},
	{"banks-stride33", SPACE_SHARED, ACCESS_LOAD, 4, UINT32_MAX, stride33},
	{"banks-broadcast", SPACE_SHARED, ACCESS_LOAD, 4, UINT32_MAX, stride0},
	{"banks-pairs", SPACE_SHARED, ACCESS_LOAD, 4, UINT32_MAX, pairs},
	{"banks-bytes", SPACE_SHARED, ACCESS_LOAD, 1, UINT32_MAX, byte1},
	{"banks-load8", SPACE_SHARED, ACCESS_LOAD, 8, UINT32_MAX, stride2},
	{"banks-store8", SPACE_SHARED, ACCESS_STORE, 8, UINT32_MAX, stride2},
	{"banks-store8-halves", SPACE_SHARED, ACCESS_STORE, 8, UINT32_MAX, halves},
	{"banks-load16", SPACE_SHARED, ACCESS_LOAD, 16, UINT32_MAX, wide16},
	{"banks-masked", SPACE_SHARED, ACCESS_STORE, 4, 0x0000F0FF, stride2},
	{"banks-one-lane", SPACE_SHARED, ACCESS_LOAD, 4, 0x00000100, stride2},
	{"banks-empty", SPACE_SHARED, ACCESS_LOAD, 4, 0, stride1},
	{"banks-atomic", SPACE_SHARED, ACCESS_ATOMIC, 4, UINT32_MAX, stride0},
	{"banks-global", SPACE_GLOBAL, ACCESS_LOAD, 4, UINT32_MAX, stride1},
	{"sectors-stride1", SPACE_GLOBAL, ACCESS_LOAD, 4, UINT32_MAX, stride1},
	{"sectors-offset1", SPACE_GLOBAL, ACCESS_LOAD, 4, UINT32_MAX, off4},
	{"sectors-stride2", SPACE_GLOBAL, ACCESS_STORE, 4, UINT32_MAX, stride2},
	{"sectors-stride6", SPACE_GLOBAL, ACCESS_LOAD, 4, UINT32_MAX, stride6},
	{"sectors-stride32", SPACE_GLOBAL, ACCESS_LOAD, 4, UINT32_MAX, stride32},
	{"sectors-broadcast", SPACE_GLOBAL, ACCESS_LOAD, 4, UINT32_MAX, stride0},
	{"sectors-bytes", SPACE_GLOBAL, ACCESS_LOAD, 1, UINT32_MAX, byte1},
	{"sectors-load16", SPACE_GLOBAL, ACCESS_LOAD, 16, UINT32_MAX, wide16},
	{"sectors-masked", SPACE_GLOBAL, ACCESS_LOAD, 4, 0xF0F0F0F0, stride1},
	{"sectors-far", SPACE_GLOBAL, ACCESS_LOAD, 4, UINT32_MAX, far_apart},
	{"sectors-empty", SPACE_GLOBAL, ACCESS_LOAD, 4, 0, stride1},
	{"sectors-atomic", SPACE_GLOBAL, ACCESS_ATOMIC, 4, UINT32_MAX, stride0},
	{"sectors-shared", SPACE_SHARED, ACCESS_LOAD, 4, UINT32_MAX, stride1},
	{"atomics-counter", SPACE_GLOBAL, ACCESS_REDUCE, 4, UINT32_MAX, stride0},
	{"atomics-shared", SPACE_SHARED, ACCESS_ATOMIC, 4, UINT32_MAX, stride0},
	{"atomics-count", SPACE_SHARED, ACCESS_COUNT, 4, UINT32_MAX, bins},
	{"atomics-bins", SPACE_SHARED, ACCESS_ATOMIC, 4, UINT32_MAX, bins},
	{"atomics-own", SPACE_GLOBAL, ACCESS_ATOMIC, 4, UINT32_MAX, stride1},
	{"atomics-one-bank", SPACE_SHARED, ACCESS_ATOMIC, 4, UINT32_MAX, stride32},
	{"atomics-floats", SPACE_SHARED, ACCESS_ADD_FLOAT, 4, 0x00FF00FF, pairs},
	{"atomics-cas8", SPACE_SHARED, ACCESS_CAS, 8, UINT32_MAX, halves},
	{"atomics-far", SPACE_GLOBAL, ACCESS_ATOMIC, 4, UINT32_MAX, far_apart},
	{"atomics-elected", SPACE_GLOBAL, ACCESS_ATOMIC, 4, 1, stride0},
	{"atomics-empty", SPACE_GLOBAL, ACCESS_ATOMIC, 4, 0, stride0},
};
#define N_ACCESS_CASES (sizeof access_cases / sizeof *access_cases)

static void fill_access(struct warp_access *access, const struct access_case *c)
{
	*access = (struct warp_access){.space = c->space, .op = c->op, .width = (uint8_t)c->width, .active = c->active};
	for (int lane = 0; lane < WARP_SIZE; lane++)
		access->address[lane] = c->active >> lane & 1 ? c->address(lane) : 0;
}

#define NO                                                                                                             \
	{                                                                                                              \
		0, VALUE_NONE                                                                                          \
	}
#define OK(x)                                                                                                          \
	{                                                                                                              \
		x, VALUE_OK                                                                                            \
	}

static const struct view_source_line source_lines[] = {
	{1, "// Each lane reads shared memory `stride` words from its neighbor.", false, 0, NO, NO, NO, 0},
	{2, "extern \"C\" __global__ void shared_stride(unsigned *out, int stride, int rounds)", false, 0, NO, NO, NO,
		0},
	{3, "{", true, 0, NO, NO, OK(32), 0},
	{4, "\t__shared__ unsigned tile[2048];", false, 0, NO, NO, NO, 0},
	{5, "\tint lane = threadIdx.x % 32;", true, 0, NO, NO, OK(32), 0},
	{6, "\tfor (int i = threadIdx.x; i < 2048; i += blockDim.x)", true, 0, NO, NO, OK(32), 0},
	{7, "\t\ttile[i] = i;", true, 64, OK(1), NO, OK(32), 0},
	{8, "\t__syncthreads();", true, 0, NO, NO, OK(32), 0},
	{9, "", false, 0, NO, NO, NO, 0},
	{10, "\tunsigned sum = 0;", false, 0, NO, NO, NO, 0},
	{11, "\tfor (int r = 0; r < rounds; r++) {", true, 0, NO, NO, OK(32), 0},
	{12, "\t\tunsigned at = (lane * stride + r * 32) % 2048; // the word this lane wants", true, 0, NO, NO, OK(32),
		0},
	{13, "\t\tif (at < 4096)", true, 0, NO, NO, OK(28.5), 0},
	{14, "\t\t\tsum += tile[at];", true, 8192, OK(2), NO, OK(28.5), 0},
	{15, "\t}", false, 0, NO, NO, NO, 0},
	{16, "\tout[blockIdx.x * blockDim.x + threadIdx.x] = sum + tile[lane];", true, 16, OK(1.25), OK(4), OK(32), 0},
	{17, "}", true, 0, NO, NO, OK(32), 0},
};

/* Line 7 as predicted, 14 with a wavefront more a request, 16 with requests that the compiler joined, 13 gone. */
#define COUNTED(requests, waves, global, sects)                                                                        \
	{                                                                                                              \
		.c = { [LINE_COUNT_SHARED_REQUESTS] = OK(requests),                                                    \
			[LINE_COUNT_WAVEFRONTS] = OK(waves),                                                           \
			[LINE_COUNT_GLOBAL_REQUESTS] = OK(global),                                                     \
			[LINE_COUNT_SECTORS] = OK(sects) }                                                             \
	}
static struct line_row measured_rows[] = {
	{0, COUNTED(0, 0, 0, 0)},
	{5, COUNTED(0, 0, 0, 0)},
	{7, COUNTED(64, 64, 0, 0)},
	{14, COUNTED(8192, 24576, 0, 0)},
	{16, COUNTED(4, 5, 8, 32)},
};
static const struct line_table measured_lines = {measured_rows, sizeof measured_rows / sizeof *measured_rows, 0};

static const struct view_number agreeing[] = {
	{METRIC_SHARED_LD_REQUESTS, OK(67584), OK(67584), WITNESS_LIVE, NULL},
	{METRIC_SHARED_LD_WAVES_PER_REQUEST, OK(2), OK(2), WITNESS_LIVE, NULL},
	{METRIC_SHARED_LD_CONFLICTS_PER_REQUEST, OK(1), OK(1), WITNESS_LIVE, NULL},
	{METRIC_ACTIVE_THREADS, OK(31.5), OK(30.25), WITNESS_LIVE, NULL},
	{METRIC_BRANCH_EFFICIENCY, OK(100), {0, VALUE_UNDEFINED}, WITNESS_LIVE, NULL},
	{METRIC_ACHIEVED_OCCUPANCY, NO, OK(48.9271), WITNESS_LIVE, NULL},
	{METRIC_TIME, NO, OK(12.384), WITNESS_LIVE, NULL},
};
static const struct view_number differing[] = {
	{METRIC_SHARED_LD_REQUESTS, OK(67584), OK(67584), WITNESS_RECORDED, NULL},
	{METRIC_SHARED_LD_WAVES_PER_REQUEST, OK(2), OK(3), WITNESS_RECORDED, NULL},
	{METRIC_SHARED_ST_WAVES_PER_REQUEST, OK(1), OK(1.04), WITNESS_RECORDED, NULL}, /* waited */
	{METRIC_ACTIVE_THREADS, OK(32), OK(30.25), WITNESS_RECORDED, NULL},
	{METRIC_BRANCH_EFFICIENCY, OK(99.711), OK(99.709), WITNESS_RECORDED, NULL},
	{METRIC_THEORETICAL_OCCUPANCY, OK(99.26), OK(99.28), WITNESS_RECORDED, NULL},
	{METRIC_GLOBAL_LD_SECTORS_PER_REQUEST, {0, VALUE_UNDEFINED}, {0, VALUE_STALE}, WITNESS_RECORDED, NULL},
};
/* Of the setting beside `differing`. */
static const struct view_number beside[] = {
	{METRIC_SHARED_LD_REQUESTS, OK(67584), OK(67584), WITNESS_RECORDED, NULL},
	{METRIC_SHARED_LD_WAVES_PER_REQUEST, OK(32), OK(32), WITNESS_RECORDED, NULL},
	{METRIC_SHARED_ST_WAVES_PER_REQUEST, OK(1), OK(1), WITNESS_RECORDED, NULL},
	{METRIC_ACTIVE_THREADS, OK(8), OK(7.5), WITNESS_RECORDED, NULL},
	{METRIC_BRANCH_EFFICIENCY, OK(99.711), OK(99.711), WITNESS_RECORDED, NULL},
	{METRIC_THEORETICAL_OCCUPANCY, OK(49.63), OK(49.63), WITNESS_RECORDED, NULL},
	{METRIC_GLOBAL_LD_SECTORS_PER_REQUEST, OK(4), {0, VALUE_COVERED}, WITNESS_RECORDED, NULL},
};
static const struct view_number estimates[2][3] = {
	{{METRIC_TIME, OK(9.31), OK(9.056), WITNESS_LIVE, NULL},
		{METRIC_GLOBAL_LD_SECTORS_PER_REQUEST, OK(4), OK(4), WITNESS_LIVE, NULL},
		{METRIC_ACHIEVED_OCCUPANCY, NO, OK(48.9271), WITNESS_LIVE, NULL}},
	{{METRIC_TIME, OK(29.934), {0, VALUE_PENDING}, WITNESS_NONE, NULL},
		{METRIC_GLOBAL_LD_SECTORS_PER_REQUEST, OK(32), {0, VALUE_PENDING}, WITNESS_NONE, NULL},
		{METRIC_ACHIEVED_OCCUPANCY, NO, {0, VALUE_PENDING}, WITNESS_NONE, NULL}},
};
static const struct view_number lonely[] = {
	{METRIC_SHARED_LD_WAVES_PER_REQUEST, OK(2), {0, VALUE_NO_GPU}, WITNESS_LIVE, NULL},
	{METRIC_SHARED_LD_CONFLICTS_PER_REQUEST, OK(1), {0, VALUE_NO_PERMISSION}, WITNESS_LIVE, NULL},
	{METRIC_BRANCH_EFFICIENCY, OK(100), {0, VALUE_PENDING}, WITNESS_LIVE, NULL},
	{METRIC_ACHIEVED_OCCUPANCY, NO, {90, VALUE_UNSUPPORTED}, WITNESS_LIVE, NULL},
	{METRIC_TIME, NO, {0, VALUE_FAILED}, WITNESS_LIVE, NULL},
};

#define SWEEP_MAX 64
struct sweep_data {
	int64_t xs[SWEEP_MAX];
	struct value predicted[SWEEP_MAX], measured[SWEEP_MAX];
};

static int gcd(int a, int b)
{
	return b == 0 ? a : gcd(b, a % b);
}

static void fill_sweep(struct view_sweep *sweep, struct sweep_data *data, const char *kind)
{
	*sweep = (struct view_sweep){.metric = METRIC_SHARED_LD_WAVES_PER_REQUEST,
		.parameter = "stride",
		.unit = "words",
		.xs = data->xs,
		.predicted = data->predicted,
		.measured = data->measured,
		.measured_by = WITNESS_LIVE,
		.n = 33,
		.at = 6};
	bool conflicts = strcmp(kind, "conflicts") == 0, powers = strcmp(kind, "powers") == 0;
	if (conflicts)
		sweep->metric = METRIC_SHARED_LD_CONFLICTS_PER_REQUEST;
	if (powers)
		sweep->n = 6;
	for (int i = 0; i < sweep->n; i++) {
		data->xs[i] = powers ? 1 << i : i + 1;
		double v = gcd((int)data->xs[i], 32) - conflicts;
		data->predicted[i] = value_ok(v);
		data->measured[i] = conflicts || powers ? value_missing(VALUE_NO_GPU)
							: value_ok(i % 5 == 3 ? v * 2 : v);
	}
	if (strcmp(kind, "flat") == 0) {
		sweep->measured_by = WITNESS_RECORDED;
		sweep->at = 40;
		for (int i = 0; i < sweep->n; i++)
			data->predicted[i] = value_ok(4),
			data->measured[i] = i < 20 ? value_ok(4) : value_missing(VALUE_NONE);
	}
	if (strcmp(kind, "halves") == 0) {
		sweep->metric = METRIC_ACTIVE_THREADS;
		sweep->n = 6;
		for (int i = 0; i < sweep->n; i++) {
			data->xs[i] = 1 << i;
			data->predicted[i] = value_ok(32.0 / (1 << i) + 0.03 * i);
			data->measured[i] = value_missing(VALUE_NO_GPU);
		}
	}
	if (strcmp(kind, "names") == 0) {
		static const char *const names[] = {"char", "short", "float", "float2", "float4, aligned"};
		sweep->metric = METRIC_GLOBAL_LD_REQUESTS;
		sweep->parameter = "type";
		sweep->unit = "";
		sweep->names = names;
		sweep->n = 5;
		sweep->at = 3;
		for (int i = 0; i < sweep->n; i++) {
			data->xs[i] = i;
			data->predicted[i] = value_ok(256 >> i);
			data->measured[i] = value_missing(VALUE_NO_GPU);
		}
	}
	if (strcmp(kind, "linear") == 0) {
		sweep->metric = METRIC_BRANCH_EFFICIENCY;
		for (int i = 0; i < sweep->n; i++) {
			data->predicted[i] = value_ok(100 - i * 2.5);
			data->measured[i] = value_ok(100 - i * 2.2);
		}
	}
}

/* --- inputs: time ------------------------------------------------------------------------------------------------- */

#define TIME_WARPS 64
#define TIME_STEPS 96
#define TIME_BLOCKS 3000
#define TIME_SPANS 24

struct time_data {
	struct arena *arena;
	struct schedule_step steps[TIME_WARPS][TIME_STEPS];
	struct schedule_warp warps[TIME_WARPS];
	double cycles[TIME_BLOCKS];
	struct block_span spans[64];
	struct blocks_timeline blocks;
	struct schedule_timeline schedule;
	struct warp_row rows[TIME_WARPS];
	struct phase_span phases[TIME_WARPS][TIME_SPANS];
	struct mask_step mask_steps[128];
	struct mask_timeline mask;
	struct activity_sample samples[100];
	struct activity_timeline activity;
};

#define OP(id, ends_it, at, list, n, written)                                                                          \
	{                                                                                                              \
		.latency = LATENCY_##id, .ends = ends_it, .line = at, .registers = list, .n_registers = n,             \
		.n_written = written                                                                                   \
	}
static const uint32_t time_registers[] = {0, 1};
static const struct schedule_op time_ops[] = {
	OP(GLOBAL, false, 15, time_registers, 1, 1),
	OP(SHARED, false, 15, time_registers, 1, 0),
	OP(BARRIER, false, 16, NULL, 0, 0),
	OP(SHARED, false, 22, time_registers, 1, 1),
	OP(FMA, false, 22, time_registers, 2, 2),
	OP(BRANCH, false, 21, NULL, 0, 0),
	OP(GLOBAL, false, 24, time_registers, 1, 0),
};

/* Loads, a barrier, rounds of shared loads that one warp of each four has twice as many of, a store. */
static void add_time_step(struct schedule_warp *warp, struct schedule_step *steps, uint32_t op, int passes)
{
	steps[warp->n++] = (struct schedule_step){
		.op = op, .lanes = UINT32_MAX, .passes = (uint16_t)passes, .latency = time_ops[op].latency};
	warp->executed++;
}

static const struct schedule_timeline *make_schedule(struct time_data *d, int warps)
{
	for (int w = 0; w < warps; w++) {
		struct schedule_warp *warp = &d->warps[w];
		*warp = (struct schedule_warp){
			.block = (uint32_t)(132 * (w / 8)), .warp = (uint32_t)(w % 8), .steps = d->steps[w]};
		add_time_step(warp, d->steps[w], 0, 2);
		add_time_step(warp, d->steps[w], 1, 1);
		add_time_step(warp, d->steps[w], 2, 0);
		for (int round = 0; round < (w % 4 ? 10 : 20); round++)
			for (uint32_t op = 3; op <= 5; op++)
				add_time_step(warp, d->steps[w], op, op == 3 ? 4 : 0);
		add_time_step(warp, d->steps[w], 6, 2);
	}
	struct schedule_timeline *t = schedule_run(d->arena, &(struct schedule_input){time_ops, 2, d->warps, warps});
	t->origin.where = "latencies of CC 9.0";
	return t;
}

/* As stamps tell it: what a warp does between two of them is not known. */
static const struct schedule_timeline *make_live_schedule(struct time_data *d)
{
	for (int w = 0; w < 16; w++) {
		uint64_t at = (uint64_t)(40 * w);
		struct warp_row *row = &d->rows[w];
		*row = (struct warp_row){.block = (uint32_t)(132 * (w / 8)),
			.warp = (uint32_t)(w % 8),
			.slot = (uint32_t)w,
			.scheduler = (int8_t)(w % 4),
			.start = at,
			.spans = d->phases[w]};
		for (int i = 0; i < 6; i++) {
			uint64_t end = at + 300 + (uint64_t)(i * w * 7), leave = (uint64_t)(i + 1) * 1400;
			d->phases[w][row->n++] = (struct phase_span){at, end, 20 + i, PHASE_RUN};
			if (end < leave)
				d->phases[w][row->n++] = (struct phase_span){end, leave, 20 + i, PHASE_BARRIER};
			row->end = at = end < leave ? leave : end;
		}
		d->schedule.end = row->end > d->schedule.end ? row->end : d->schedule.end;
	}
	d->schedule.origin = (struct timeline_origin){
		WITNESS_LIVE, TIMELINE_CYCLES, 1, "NVIDIA H200", "16 of 40 warps"};
	d->schedule.rows = d->rows;
	d->schedule.n_rows = 16;
	d->schedule.sm = 7;
	return &d->schedule;
}

/* 2.6 waves on 132 SMs of 8 places; every fourth block lasts longer. */
static const struct blocks_timeline *make_blocks(struct time_data *d, uint32_t sms, size_t n)
{
	for (size_t i = 0; i < n; i++)
		d->cycles[i] = 1000 + 250 * (double)(i % 4 == 0);
	struct blocks_timeline *t = blocks_place(d->arena, &(struct blocks_input){sms, 8, n, d->cycles, n});
	t->origin.where = "132 SMs of NVIDIA H200";
	return t;
}

static const struct blocks_timeline *make_live_blocks(struct time_data *d)
{
	for (uint32_t i = 0; i < 20; i++) {
		uint64_t start = i / 8 * 3008 + i % 8 * 32, end = start + 2976 - (i == 19 ? 1024 : 0);
		d->spans[i] = (struct block_span){.block = i, .sm = i % 4, .start = start, .end = end};
	}
	d->blocks = (struct blocks_timeline){
		.origin = {WITNESS_RECORDED, TIMELINE_NS, 32, "a GPU of 4 SMs, 2026-11-21", NULL},
		.sms = 4,
		.launched = 20,
		.spans = d->spans,
		.n = 20};
	blocks_settle(&d->blocks);
	for (size_t i = 0; i < 100; i++)
		d->samples[i] = (struct activity_sample){90 * (i + 1), i < 70 ? 16 : 8, i % 10 == 0 ? -1 : 1.5};
	d->activity = (struct activity_timeline){
		.origin = d->blocks.origin, .max_warps = 64, .samples = d->samples, .n = 100};
	return &d->blocks;
}

static void add_mask(struct mask_timeline *m, int line, uint32_t lanes, enum mask_what what)
{
	if (!lanes)
		return;
	m->steps[m->n] = (struct mask_step){.time = 12 * m->n, .lanes = lanes, .line = line, .what = (uint8_t)what};
	m->end = 12 * ++m->n;
}

/* A branch in a branch, a barrier, a loop, and ends; `all` are the lanes there are. */
static const struct mask_timeline *make_mask(struct time_data *d, uint32_t all, enum witness witness)
{
	struct mask_timeline *m = &d->mask;
	*m = (struct mask_timeline){.origin = {witness, TIMELINE_CYCLES, 1,
					    witness == WITNESS_MODEL ? "latencies of CC 9.0" : "NVIDIA H200", NULL},
		.block = 3,
		.warp = 1,
		.lanes = all,
		.steps = d->mask_steps};
	add_mask(m, 3, all, MASK_LINE);
	add_mask(m, 5, all & 0x80000000, MASK_EXIT);
	all &= 0x7FFFFFFF;
	add_mask(m, 6, all, MASK_LINE);
	add_mask(m, 7, all & 0xFFFF, MASK_LINE);
	add_mask(m, 8, all & 0xFF, MASK_LINE);
	add_mask(m, 10, all & 0xFF00, MASK_LINE);
	add_mask(m, 11, all & 0xFFFF, MASK_LINE);
	add_mask(m, 12, all & 0x7FFF0000, MASK_LINE);
	add_mask(m, 13, all, MASK_ARRIVE);
	add_mask(m, 13, all, MASK_LEAVE);
	for (int i = 0; i < 12; i++) {
		add_mask(m, 14, all, MASK_LINE);
		add_mask(m, 15, all & 0x55555555, MASK_LINE);
	}
	add_mask(m, 16, all, MASK_LINE);
	add_mask(m, 17, all, MASK_EXIT);
	mask_settle(m);
	return m;
}

struct case_data {
	struct warp_access access;
	struct warp_shuffle shuffle;
	struct warp_tiles tiles;
	struct warp_cluster cluster;
	struct sweep_data sweep;
	struct roof_work roofline[2][6];
	struct time_data time;
	struct log_data log;
};

/* Times of a case by its name; false for a name of none. */
static bool fill_times(struct timelines *times, struct time_data *d, const char *name)
{
	if (strcmp(name, "schedule-full") == 0 || strcmp(name, "schedule-few") == 0) {
		times->schedule = make_schedule(d, strcmp(name, "schedule-few") == 0 ? 3 : 64);
		d->mask = (struct mask_timeline){.block = 132, .warp = 2};
		times->mask = &d->mask;
	} else if (strcmp(name, "schedule-live") == 0) {
		times->schedule = make_live_schedule(d);
	} else if (strcmp(name, "blocks-one-more") == 0) {
		times->blocks = make_blocks(d, 132, 1057);
	} else if (strcmp(name, "blocks-waves") == 0) {
		times->blocks = make_blocks(d, 132, 2746);
	} else if (strcmp(name, "blocks-few") == 0) {
		times->blocks = make_blocks(d, 132, 20);
	} else if (strcmp(name, "blocks-live") == 0) {
		times->blocks = make_live_blocks(d);
		times->activity = &d->activity;
	} else if (strcmp(name, "blocks-liar") == 0) {
		times->blocks = make_live_blocks(d);
		d->blocks.sms = UINT32_MAX;
	} else if (strcmp(name, "mask-nested") == 0) {
		times->mask = make_mask(d, UINT32_MAX, WITNESS_MODEL);
	} else if (strcmp(name, "mask-live") == 0) {
		times->mask = make_mask(d, 0xFFFFF, WITNESS_LIVE);
	} else if (strcmp(name, "mask-whole") == 0) {
		d->mask = (struct mask_timeline){.origin = {WITNESS_MODEL, TIMELINE_CYCLES, 1, NULL, NULL},
			.lanes = UINT32_MAX,
			.steps = d->mask_steps};
		for (int i = 0; i < 60; i++)
			add_mask(&d->mask, i + 1, UINT32_MAX, MASK_LINE);
		mask_settle(&d->mask);
		times->mask = &d->mask;
	} else {
		return false;
	}
	return true;
}

static struct arena *times_arena;

static int make_arena(void **state)
{
	(void)state;
	times_arena = arena_new();
	return 0;
}

static int free_arena(void **state)
{
	(void)state;
	arena_free(times_arena);
	return 0;
}

/* An input without subjects. */
static struct view_input make_input(void)
{
	struct view_input input = view_input_none;
	view_input_of(&input, arena_array(times_arena, struct view_subjects, 1));
	input.cc = MODEL_CC_DEFAULT;
	input.place = "line 14";
	return input;
}

/* Those of an input that make_input made. */
static struct view_subjects *subjects_of(const struct view_input *input)
{
	return (struct view_subjects *)(uintptr_t)input->source; /* the first of them */
}

#define ALL 0xFFFFFFFFu

static bool fill_shape(struct view_input *input, const char *name)
{
	static const struct {
		const char *name;
		struct view_launch launch;
	} cases[] = {
		{"lanes-whole", {{8, 1, 1}, {128, 1, 1}, 0, 1, {ALL, ALL, ALL, ALL}}},
		{"lanes-partial", {{2, 1, 1}, {48, 1, 1}, 1, 1, {ALL, 0x00FF}}},
		{"lanes-one", {{1, 1, 1}, {1, 1, 1}, 0, 0, {0}}},
		{"lanes-many", {{132, 2, 1}, {1024, 1, 1}, 0, 31, {[0] = ALL, [1] = 0xFF, [31] = 0x55555555}}},
		{"lanes-plane", {{4, 4, 1}, {8, 6, 1}, 0, 0, {ALL, 0}}},
		{"lanes-space", {{1, 1, 1}, {4, 4, 3}, 0, 1, {0xFF, 0xFFFF}}},
		{"lanes-liar", {{1, 1, 1}, {UINT32_MAX, UINT32_MAX, 64}, 0, UINT32_MAX, {1}}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (strcmp(cases[i].name, name) != 0)
			continue;
		subjects_of(input)->launch = cases[i].launch;
		return true;
	}
	return false;
}

static bool fill_defects(struct view_input *input, const char *name)
{
	static const struct view_defect found[] = {
		{"race",
			"thread 2 of block 0 loads shared memory at 0x108 (line 22), and thread 16 stored to it (line 14); nothing "
			"orders the two: a __syncthreads() is missing between them",
			{22, "\t\tsum += tile[row * PITCH + column]; //@ read", "block 0, warp 0, thread 2", "load", 0,
				0, 0x0000ffff},
			{14, "\t\ttile[i] = in[first + i];", "block 0, warp 1, thread 48", "store", 0, 1, 0xffff0000}},
		{"divergent barrier", "lanes 0-15 of warp 0 wait at a barrier that the others do not reach",
			{30, "\t__syncthreads();", "block 0, warp 0, thread 0", "", 0, 0, 0x0000ffff}, {0}},
		{"race",
			"thread 0 of block 0 stores to global memory at 0x7f0000000000 (line 14), and thread 0 of block 7 loaded "
			"it (line 22); no barrier orders blocks",
			{14, "\t\tword[blockIdx.x] = 1;", "block 0, warp 0, thread 0", "store", 0, 0, 1},
			{22, "\t\tsum += word[0];", "block 7, warp 0, thread 0", "load", 7, 0, 0xffffffff}},
	};
	subjects_of(input)->defects.looked = strncmp(name, "defect-", 7) == 0;
	if (strcmp(name, "defect-race") == 0)
		subjects_of(input)->defects = (struct view_defects){true, found, 2};
	else if (strcmp(name, "defect-barrier") == 0)
		subjects_of(input)->defects = (struct view_defects){true, found + 1, 1};
	else if (strcmp(name, "defect-blocks") == 0)
		subjects_of(input)->defects = (struct view_defects){true, found + 2, 1};
	return input->defects->looked;
}

static bool fill_occupancy(struct view_input *input, const char *name)
{
	static const struct {
		const char *name;
		struct occupancy_block block;
		int cc;
	} cases[] = {
		{"occupancy-elsewhere", {.threads = 96, .registers = 32, .shared = 6144}, 86},
		{"occupancy-small", {.threads = 32, .registers = 16, .shared = 0}, 90},
		{"occupancy-registers", {.threads = 256, .registers = 64, .shared = 4096}, 90},
		{"occupancy-shared", {.threads = 128, .registers = 0, .shared = 40000}, 90},
		{"occupancy-none", {.threads = 1024, .registers = 255, .shared = 0}, 90},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (strcmp(cases[i].name, name) == 0) {
			input->cc = cases[i].cc;
			subjects_of(input)->occupancy = (struct view_occupancy){
				cases[i].block, occupancy(input->cc, &cases[i].block)};
			return true;
		}
	return false;
}

static const struct listing_instr listing_instrs[] = {{0, 0, "LDC R1, c[0x0][0x28]"}};
static const struct code_listing listings[] = {
	{"sm_90", "ptxas 13.0.88", 14, 0, 0, 0, listing_instrs, 1, NULL, 0},
	{"sm_90", "ptxas 13.0.88", 32, 40, 24, 20, listing_instrs, 1, NULL, 0},
};
#define TIMES(n)                                                                                                       \
	{                                                                                                              \
		n, VALUE_OK                                                                                            \
	}
static const struct view_code_instr ptx_instrs[] = {
	{.line = 12, .ptx = 0, .address = 0, .text = "mov.u32 %r1, %tid.x", .executed = TIMES(8)},
	{.line = 12, .ptx = 1, .address = 0, .text = "mul.lo.s32 %r2, %r1, 33", .executed = TIMES(8)},
	{.line = 14, .ptx = 2, .address = 0, .text = "mul.wide.u32 %rd5, %r2, 4", .executed = TIMES(512)},
	{.line = 14, .ptx = 3, .address = 0, .text = "add.s64 %rd6, %rd1, %rd5", .executed = TIMES(512)},
	{.line = 14, .ptx = 4, .address = 0, .text = "ld.shared.f32 %f1, [%rd6+1024]", .executed = TIMES(512)},
	{.line = 14, .ptx = 5, .address = 0, .text = "fma.rn.f32 %f2, %f1, 0f40400000, %f2", .executed = TIMES(512)},
	{.line = 13, .ptx = 6, .address = 0, .text = "setp.lt.u32 %p1, %r2, %r9", .executed = TIMES(512)},
	{.line = 13, .ptx = 7, .address = 0, .text = "@%p1 bra $L__BB0_2", .executed = TIMES(512)},
	{.line = 16, .ptx = 8, .address = 0, .text = "ret", .executed = TIMES(8)},
};
#undef TIMES
static const struct view_code_instr sass_instrs[] = {
	{.line = 0, .ptx = -1, .address = 0x0, .text = "LDC R1, c[0x0][0x28]", .executed = {8, VALUE_OK}},
	{.line = 12, .ptx = 0, .address = 0x10, .text = "S2R R0, SR_TID.X", .executed = {8, VALUE_OK}},
	{.line = 14, .ptx = 4, .address = 0x20, .text = "LDS R5, [R0+UR4+0x400]", .executed = {256, VALUE_OK}},
	{.line = 14, .ptx = 4, .address = 0x30, .text = "LDS R7, [R0+UR4+0x404]", .executed = {0, VALUE_NONE}},
	{.line = 13,
		.ptx = 6,
		.address = 0x40,
		.text = "ISETP.GE.U32.AND P0, PT, R2, c[0x0][0x210], PT",
		.executed = {128, VALUE_OK}},
	{.line = 14, .ptx = 5, .address = 0x50, .text = "FFMA R6, R5, 3, R6", .executed = {256, VALUE_OK}},
	{.line = 14, .ptx = 5, .address = 0x60, .text = "FFMA R6, R7, 3, R6", .executed = {0, VALUE_NONE}},
	{.line = 13, .ptx = 7, .address = 0x70, .text = "@!P0 BRA 0x20", .executed = {128, VALUE_OK}},
	{.line = 16, .ptx = 8, .address = 0x80, .text = "EXIT", .executed = {8, VALUE_OK}},
};
/* Likewise, where each was counted by itself. */
#define EACH(n, by) .executed = {n, VALUE_OK}, .threads = {by, VALUE_OK}
static const struct view_code_instr sass_each[] = {
	{.line = 0, .ptx = -1, .address = 0x0, .text = "LDC R1, c[0x0][0x28]", EACH(8, 32)},
	{.line = 12, .ptx = 0, .address = 0x10, .text = "S2R R0, SR_TID.X", EACH(8, 32)},
	{.line = 14,
		.ptx = 4,
		.address = 0x20,
		.text = "LDS R5, [R0+UR4+0x400]",
		EACH(128, 31.5),
		.wavefronts = {4, VALUE_OK}},
	{.line = 14,
		.ptx = 4,
		.address = 0x30,
		.text = "LDS R7, [R0+UR4+0x404]",
		EACH(128, 31.5),
		.wavefronts = {1.25, VALUE_OK}},
	{.line = 13,
		.ptx = 6,
		.address = 0x40,
		.text = "ISETP.GE.U32.AND P0, PT, R2, c[0x0][0x210], PT",
		EACH(128, 31.5)},
	{.line = 14, .ptx = 5, .address = 0x50, .text = "FFMA R6, R5, 3, R6", EACH(128, 31.5)},
	{.line = 14,
		.ptx = 5,
		.address = 0x60,
		.text = "FFMA R6, R7, 3, R6",
		.executed = {0, VALUE_OK}}, /* never executed */
	{.line = 13, .ptx = 7, .address = 0x70, .text = "@!P0 BRA 0x20", EACH(128, 31.5)},
	{.line = 16,
		.ptx = 8,
		.address = 0x80,
		.text = "STG.E desc[UR4][R2.64], R6",
		EACH(8, 32),
		.sectors = {4, VALUE_OK}},
};
#undef EACH
static struct view_code_instr sass_uncounted[sizeof sass_instrs / sizeof *sass_instrs];

static bool fill_code(struct view_input *input, const char *name)
{
	const int n_ptx = (int)(sizeof ptx_instrs / sizeof *ptx_instrs),
		  n = (int)(sizeof sass_instrs / sizeof *sass_instrs);
	bool each = strcmp(name, "sass-each") == 0, other = strcmp(name, "sass-other") == 0;
	bool counted = other || strcmp(name, "sass-counted") == 0, spills = strcmp(name, "sass-spills") == 0;
	if (strcmp(name, "sass-missing") == 0) {
		subjects_of(input)->code = (struct view_code){.why = "No machine code is recorded for this kernel."};
		return true;
	}
	if (!each && !counted && !spills && strcmp(name, "sass-unwatched") != 0)
		return false;
	for (int i = 0; i < n; i++) {
		sass_uncounted[i] = sass_instrs[i];
		sass_uncounted[i].executed = value_missing(VALUE_NONE);
	}
	subjects_of(input)->code = (struct view_code){&listings[spills], NULL, ptx_instrs,
		each              ? sass_each
			: counted ? sass_instrs
				  : sass_uncounted,
		n_ptx, n, spills ? WITNESS_LIVE : WITNESS_RECORDED, each || counted ? WITNESS_RECORDED : WITNESS_NONE,
		each, other};
	subjects_of(input)->source = (struct view_source){"shared_stride.cu", source_lines,
		sizeof source_lines / sizeof *source_lines, strcmp(name, "sass-unwatched") == 0 ? 0 : 14, NULL,
		WITNESS_NONE};
	return true;
}

/* One row per function. */
/* clang-format off */
static int down4(int lane) { return lane + 4; }
static int up1(int lane) { return lane - 1; }
static int swap16(int lane) { return lane ^ 16; }
static int all9(int lane) { (void)lane; return 9; }
static int chased(int lane) { return (lane * 7 + 3) % 32; }
/* clang-format on */

static bool fill_shuffle(struct view_input *input, struct case_data *data, const char *name)
{
	static const struct {
		const char *name;
		uint32_t active;
		int (*from)(int lane);
	} cases[] = {
		{"shuffle-down", 0xFFFFFFFF, down4},
		{"shuffle-up", 0xFFFFFFFF, up1},
		{"shuffle-xor", 0xFFFFFFFF, swap16},
		{"shuffle-all", 0xFFFFFFFF, all9},
		{"shuffle-mixed", 0xFFFFFFFF, chased},
		{"shuffle-few", 0x0000F00F, up1},
		{"shuffle-one", 0x80000000, down4},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (strcmp(cases[i].name, name) != 0)
			continue;
		data->shuffle = (struct warp_shuffle){.active = cases[i].active};
		for (int lane = 0; lane < WARP_SIZE; lane++) {
			int from = cases[i].from(lane);
			bool found = from >= 0 && from < WARP_SIZE;
			data->shuffle.from[lane] = (uint8_t)(found ? from : lane);
			data->shuffle.found |= found && cases[i].active >> lane & 1 ? 1u << lane : 0;
		}
		input->shuffle = &data->shuffle;
		return true;
	}
	return false;
}

/* "fragments-..." */
static const struct {
	const char *name, *opcode;
} tile_cases[] = {
	{"fragments-mma", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
	{"fragments-bytes", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32"},
	{"fragments-double", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64"},
	{"fragments-quads", "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32"},
	{"fragments-sparse", "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32"},
	{"fragments-wmma", "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32"},
	{"fragments-wmma-load", "wmma.load.a.sync.aligned.row.m32n8k16.shared.f16"},
	{"fragments-ldmatrix", "ldmatrix.sync.aligned.m8n8.x4.shared.b16"},
	{"fragments-trans", "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16"},
	{"fragments-stmatrix", "stmatrix.sync.aligned.m8n8.x1.shared.b16"},
	{"fragments-movmatrix", "movmatrix.sync.aligned.m8n8.trans.b16"},
	{"fragments-wgmma", "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16"},
	{"fragments-wide", "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16"},
};

static bool fill_tiles(struct view_input *input, struct case_data *data, const char *name)
{
	for (size_t i = 0; i < sizeof tile_cases / sizeof *tile_cases; i++) {
		if (strcmp(tile_cases[i].name, name) != 0)
			continue;
		struct arena *arena = arena_new();
		const char *why = ptx_tiles_of_opcode(arena, tile_cases[i].opcode, &data->tiles);
		if (why)
			fail_msg("%s: %s", tile_cases[i].opcode, why);
		arena_free(arena);
		input->tiles = &data->tiles;
		return true;
	}
	return false;
}

/* "cluster-...": a ring of neighbors; all to all; most to the first; nothing leaves. */
static bool fill_cluster(struct view_input *input, struct case_data *data, const char *name)
{
	static const struct {
		const char *name;
		uint32_t n;
		int ring, all, first; /* requests */
	} cases[] = {{"cluster-ring", 4, 16, 0, 0}, {"cluster-all", 8, 0, 1150, 0},
		{"cluster-first", 8, 0, 3, 12345678}, {"cluster-sixteen", 16, 7, 1, 0}, {"cluster-own", 2, 0, 0, 0}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (strcmp(cases[i].name, name) != 0)
			continue;
		struct warp_cluster *c = &data->cluster;
		*c = (struct warp_cluster){.n = cases[i].n, .watched = 1};
		for (uint32_t from = 0; from < c->n; from++) {
			c->block[from] = 40 + from;
			for (uint32_t to = 0; to < c->n; to++) {
				int requests = from == to
					? 512
					: cases[i].all + (to == (from + 1) % c->n ? cases[i].ring : 0) +
						(to == 0 ? cases[i].first / (int)from : 0);
				c->at[from][to] = (struct cluster_traffic){(uint64_t)requests,
					from != to && cases[i].all ? (uint64_t)requests : 0, 128 * (uint64_t)requests};
			}
		}
		input->cluster = c;
		return true;
	}
	return false;
}

#define CHANGED 4 /* a row of the lines below */
static struct view_source_line compared_lines[2][8] = {
	{
		{1, "__global__ void sums(const float *in, float *out)", true, 0, NO, NO, OK(32), 0},
		{2, "{", false, 0, NO, NO, NO, 0},
		{3, "\t__shared__ float tile[32 * 32];", false, 0, NO, NO, NO, '~'},
		{4, "\tcopy(tile, in);", true, 32, OK(1), OK(4), OK(32), '#'},
		{5, "\tfloat sum = tile[threadIdx.x * 32];", true, 1024, OK(32), NO, OK(32), '~'},
		{6, "\tout[threadIdx.x] = sum;", true, 1, NO, OK(4), OK(32), 0},
		{7, "}", true, 0, NO, NO, OK(32), 0},
	},
	{
		{1, "__global__ void sums(const float *in, float *out)", true, 0, NO, NO, OK(32), 0},
		{2, "{", false, 0, NO, NO, NO, 0},
		{3, "\t__shared__ float tile[32 * 33];", false, 0, NO, NO, NO, '~'},
		{4, "\tcopy(tile, in);", true, 32, OK(2), OK(4), OK(32), '#'},
		{5, "\tint pitch = 33;", false, 0, NO, NO, NO, '+'},
		{6, "\tfloat sum = tile[threadIdx.x * pitch];", true, 1024, OK(1), NO, OK(32), '~'},
		{7, "\tout[threadIdx.x] = sum;", true, 1, NO, OK(4), OK(32), 0},
		{8, "}", true, 0, NO, NO, OK(32), 0},
	},
};
static const struct view_compared_row compared_rows[] = {{{0, 0}, 0}, {{1, 1}, 0}, {{2, 2}, '~'}, {{3, 3}, '#'},
	{{-1, CHANGED}, '+'}, {{CHANGED, CHANGED + 1}, '~'}, {{5, 6}, 0}, {{6, 7}, 0}};
static const int compared_metrics[] = {METRIC_SHARED_LD_REQUESTS, METRIC_SHARED_LD_WAVES_PER_REQUEST,
	METRIC_SHARED_LD_CONFLICTS_PER_REQUEST, METRIC_INSTRUCTIONS, METRIC_TIME};
static const struct value compared_values[2][5] = {
	{OK(1024), OK(32), OK(31), OK(4096), NO}, {OK(1024), OK(1), OK(0), OK(4608), NO}};
static const struct view_source compared_sources[2] = {{"row.cu", compared_lines[0], 7, 5, NULL, WITNESS_NONE},
	{"padded.cu", compared_lines[1], 8, 6, NULL, WITNESS_NONE}};

/* An H200's, rounded: the pictures do not change where it is measured again. */
static const struct roofs some_roofs = {"NVIDIA H200", "driver 580, 2026-11-27",
	{[ROOF_FLOAT] = {60000, ""}, [ROOF_L1] = {32000, ""}, [ROOF_L2] = {9000, ""}, [ROOF_DRAM] = {4500, ""}}};
static const int64_t roofline_steps[6] = {1, 8, 16, 32, 64, 256};
static const struct view_sweep roofline_sweep =
	{.metric = METRIC_TIME, .parameter = "steps", .unit = "", .xs = roofline_steps, .n = 6, .at = 64};

/* "roofline-sweep": multiply-adds with each word, in L2; "roofline-one": a single launch of a GPU without roofs;
 * "roofline-covered"; "roofline-integers": no operation on floats. */
static bool fill_roofline(struct view_input *input, struct roof_work work[2][6], const char *name)
{
	static const double predicted_us[6] = {3.3, 3.3, 3.4, 3.6, 4.9, 9.4},
			    measured_us[6] = {3.1, 3.2, 3.2, 3.4, 4.6, 9};
	static const bool covered[6] = {false, false, false, false, true, true};
	bool one = !strcmp(name, "roofline-one"), integers = !strcmp(name, "roofline-integers");
	if (strncmp(name, "roofline-", 9) != 0)
		return false;
	for (int i = 0; i < 6; i++) {
		double operations = integers ? 0 : 2.0 * 540672 * (double)roofline_steps[i];
		work[0][i] = (struct roof_work){value_ok(operations), value_ok(1000 * predicted_us[i]),
			{value_ok(4.3e6), value_ok(4.3e6), value_ok(0)}};
		work[1][i] = (struct roof_work){value_ok(operations), value_ok(1000 * measured_us[i]),
			{value_ok(4.3e6), value_ok(4.4e6), value_ok(210000)}};
		if (one)
			work[1][i].time = work[1][i].operations = value_missing(VALUE_NONE);
	}
	subjects_of(input)->roofline = (struct view_roofline){.predicted = work[0],
		.measured = work[1],
		.n = one || integers ? 1 : 6,
		.at = one || integers ? 0 : 4,
		.counted = strcmp(name, "roofline-covered") != 0,
		.sweep = one || integers ? NULL : &roofline_sweep,
		.covered = !strcmp(name, "roofline-covered") ? covered : NULL,
		.measured_by = one ? WITNESS_NONE : WITNESS_RECORDED,
		.gpu = one ? "NVIDIA Example" : "NVIDIA H200",
		.roofs = one ? NULL : &some_roofs};
	return true;
}

/* "compare-first", "compare-second": the version that is shown. */
static bool fill_compare(struct view_input *input, const char *name)
{
	bool second = strcmp(name, "compare-second") == 0;
	if (!second && strcmp(name, "compare-first") != 0)
		return false;
	subjects_of(input)->compare = (struct view_compare){.names = {"row.cu", "padded.cu"},
		.shown = second,
		.sources = compared_sources,
		.rows = compared_rows,
		.n_rows = sizeof compared_rows / sizeof *compared_rows,
		.metrics = compared_metrics,
		.values = {compared_values[0], compared_values[1]},
		.n_metrics = 5};
	subjects_of(input)->source = compared_sources[second];
	return true;
}

/* The input of a case by its name; false for a name of no case. */
static bool fill_input(struct view_input *input, struct case_data *data, const char *name)
{
	if (strchr(name, '@'))
		name = strchr(name, '@') + 1;
	*input = make_input();
	for (size_t i = 0; i < N_ACCESS_CASES; i++) {
		if (strcmp(access_cases[i].name, name) == 0) {
			fill_access(&data->access, &access_cases[i]);
			input->access = &data->access;
			return true;
		}
	}
	static const struct value there[][3] = {{OK(67584), OK(2.5), OK(1.04)}, {OK(67584), {0, VALUE_NONE}, OK(1)}};
	static const struct view_elsewhere elsewhere[] = {{"NVIDIA H100 80GB HBM3", "H100", "2026-11-27", there[0]},
		{"NVIDIA A100-SXM4-80GB", "A100", "2026-11-28", there[1]}};
	static const struct {
		const char *name;
		struct view_numbers numbers;
	} numbers[] = {
		{"numbers-live",
			{.rows = agreeing,
				.n_rows = sizeof agreeing / sizeof *agreeing,
				.measured_on = "NVIDIA H200 · live"}},
		{"numbers-differ",
			{.rows = differing,
				.n_rows = sizeof differing / sizeof *differing,
				.measured_on = "NVIDIA H200 · recorded 2026-11-21"}},
		{"numbers-lonely", {.rows = lonely, .n_rows = sizeof lonely / sizeof *lonely}},
		{"numbers-beside",
			{.rows = differing,
				.n_rows = sizeof differing / sizeof *differing,
				.measured_on = "NVIDIA H200, recorded 2026-11-21",
				.other = beside,
				.names = {"turn_padded", "turn_tile"}}},
		{"numbers-beside-second",
			{.rows = estimates[1],
				.n_rows = 3,
				.measured_on = "tiled: NVIDIA H200, live; naive: not measured",
				.other = estimates[0],
				.names = {"tiled", "naive"},
				.shown = 1}},
		{"numbers-elsewhere",
			{.rows = differing,
				.n_rows = 3,
				.measured_on = "NVIDIA H200, recorded 2026-11-21 (1 of 3)",
				.elsewhere = elsewhere,
				.n_elsewhere = 2,
				.measured_name = "H200"}},
	};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		if (strcmp(numbers[i].name, name) == 0) {
			subjects_of(input)->numbers = numbers[i].numbers;
			return true;
		}
	}
	if (strncmp(name, "sweep-", 6) == 0) {
		fill_sweep(&subjects_of(input)->sweep, &data->sweep, name + 6);
		return true;
	}
	if (strncmp(name, "source-", 7) == 0) {
		bool live = !strcmp(name, "source-live"), measured = live || !strcmp(name, "source-recorded");
		subjects_of(input)->source = (struct view_source){"shared_stride.cu", source_lines,
			sizeof source_lines / sizeof *source_lines, strcmp(name, "source-plain") == 0 ? 0 : 14,
			measured ? &measured_lines : NULL, live ? WITNESS_LIVE : WITNESS_RECORDED};
		return true;
	}
	if (fill_shape(input, name) || fill_defects(input, name) || fill_tiles(input, data, name) ||
		fill_cluster(input, data, name))
		return true;
	if (fill_roofline(input, data->roofline, name) || fill_compare(input, name) || fill_occupancy(input, name) ||
		fill_shuffle(input, data, name))
		return true;
	if (fill_code(input, name) || fill_program(input, &data->log, name))
		return true;
	memset(&data->time, 0, sizeof data->time);
	data->time.arena = times_arena;
	if (fill_times(&subjects_of(input)->times, &data->time, name)) {
		subjects_of(input)->source = (struct view_source){"shared_stride.cu", source_lines,
			sizeof source_lines / sizeof *source_lines, 14, NULL, WITNESS_NONE};
		return true;
	}
	if (strcmp(name, "none") == 0)
		return true;
	fprintf(stderr, "# no case is named '%s'\n", name);
	return false;
}

/* Pictures by name: VIEW-WHAT, which fill_input knows, or VIEW@NAME for the input of another one. */
static const char *const other_cases[] = {
	"numbers-live",
	"numbers-differ",
	"numbers-lonely",
	"numbers-beside",
	"numbers-beside-second",
	"numbers-elsewhere",
	"sweep-gcd",
	"sweep-conflicts",
	"sweep-powers",
	"sweep-flat",
	"sweep-halves",
	"sweep-linear",
	"sweep-names",
	"source-watched",
	"source-plain",
	"schedule-full",
	"schedule-few",
	"schedule-live",
	"blocks-waves",
	"blocks-few",
	"blocks-live",
	"mask-nested",
	"mask-live",
	"mask-whole",
	"source-live",
	"source-recorded",
	"lanes-whole",
	"lanes-partial",
	"lanes-one",
	"lanes-many",
	"lanes-plane",
	"lanes-space",
	"lanes-liar",
	"defect-race",
	"defect-barrier",
	"defect-blocks",
	"defect-none",
	"occupancy-small",
	"occupancy-registers",
	"occupancy-shared",
	"occupancy-none",
	"occupancy-elsewhere",
	"shuffle-down",
	"shuffle-up",
	"shuffle-xor",
	"shuffle-all",
	"shuffle-mixed",
	"shuffle-few",
	"shuffle-one",
	"roofline-sweep",
	"roofline-one",
	"roofline-covered",
	"roofline-integers",
	"fragments-mma",
	"fragments-bytes",
	"fragments-double",
	"fragments-quads",
	"fragments-sparse",
	"fragments-wmma",
	"fragments-wmma-load",
	"fragments-ldmatrix",
	"fragments-trans",
	"fragments-stmatrix",
	"fragments-movmatrix",
	"fragments-wgmma",
	"fragments-wide",
	"cluster-ring",
	"cluster-all",
	"cluster-first",
	"cluster-sixteen",
	"cluster-own",
	"compare-first",
	"compare-second",
	"source@compare-first",
	"sass-counted",
	"sass-each",
	"sass-other",
	"sass-spills",
	"sass-unwatched",
	"sass-missing",
	"streams-one",
	"streams-two",
	"streams-pageable",
	"streams-default",
	"streams-event",
	"streams-graph",
	"streams-many",
	"streams-order",
	"streams-moment",
	"host-two",
	"host-moment",
	"map-two",
	"map-pageable",
	"map-moment",
};
#define N_CASES (N_ACCESS_CASES + sizeof other_cases / sizeof *other_cases)

static const char *case_name(size_t i)
{
	return i < N_ACCESS_CASES ? access_cases[i].name : other_cases[i - N_ACCESS_CASES];
}

static view_id case_view(const char *name)
{
	for (int v = 0; v < VIEWS; v++)
		if (strncmp(name, view_table[v].name, strlen(view_table[v].name)) == 0)
			return (view_id)v;
	return VIEW_NONE;
}

/* --- what is picked ----------------------------------------------------------------------------------------------- */

static bool all_lit(const struct canvas *canvas, struct rect r)
{
	for (int row = r.row; row < r.row + r.rows && row < canvas->rows; row++)
		for (int col = r.col; col < r.col + r.cols && col < canvas->cols; col++)
			if (canvas_at(canvas, row, col)->role != ROLE_LIT)
				return false;
	return true;
}

static int count_lit(const struct canvas *canvas)
{
	int n = 0;
	for (int i = 0; i < canvas->rows * canvas->cols; i++)
		n += canvas->cells[i].role == ROLE_LIT;
	return n;
}

/* Everything that can be pointed at is lit when it is, wherever it is, and there is a sentence about it. Returns how
 * much there is. */
static size_t check_picks(view_id view, const char *name, struct view_input *input, struct rect r)
{
	struct canvas *canvas = canvas_new(r.rows, r.cols);
	struct view_spots spots = {0};
	input->spots = &spots;
	view_draw(view, canvas, r, input);
	assert_int_equal(count_lit(canvas), 0);
	input->spots = NULL;
	for (size_t i = 0; i < spots.n; i++) {
		struct buf says = {0};
		canvas_clear(canvas);
		input->picked = spots.at[i].pick;
		view_draw(view, canvas, r, input);
		if (!all_lit(canvas, spots.at[i].rect))
			fail_msg("%s at %dx%d: %d of %lld is not lit", name, r.cols, r.rows, (int)input->picked.thing,
				(long long)input->picked.index);
		view_describe_pick(input, &says);
		assert_true(says.len > 0);
		assert_true(canvas_rect_holds(r, spots.at[i].rect.row, spots.at[i].rect.col));
		buf_free(&says);
	}
	input->picked = (struct view_pick){0};
	canvas_free(canvas);
	size_t n = spots.n;
	free(spots.at);
	return n;
}

static void what_is_picked_is_lit(void **state)
{
	(void)state;
	size_t of_view[VIEWS] = {0};
	for (size_t i = 0; i < N_CASES; i++) {
		struct case_data data;
		struct view_input input;
		view_id view = case_view(case_name(i));
		assert_true(fill_input(&input, &data, case_name(i)));
		of_view[view] += check_picks(view, case_name(i), &input, (struct rect){0, 0, 14, 44});
		of_view[view] += check_picks(view, case_name(i), &input, (struct rect){0, 0, 30, 150});
	}
	static const view_id with[] = {VIEW_BANKS, VIEW_SECTORS, VIEW_SOURCE, VIEW_NUMBERS, VIEW_LANES, VIEW_DEFECT,
		VIEW_SCHEDULE, VIEW_MASK, VIEW_ATOMICS, VIEW_SHUFFLE, VIEW_FRAGMENTS, VIEW_SASS};
	for (size_t i = 0; i < sizeof with / sizeof *with; i++)
		if (of_view[with[i]] < 10 && with[i] != VIEW_DEFECT)
			fail_msg("%s has %zu things to point at", view_table[with[i]].name, of_view[with[i]]);
	assert_true(of_view[VIEW_DEFECT] > 0);
}

/* One lane in two pictures, and a bank in that of its lanes. */
static void what_is_picked_says_what_it_does(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		struct view_pick pick;
		const char *says;
	} rows[] = {
		{"banks-stride2", {THING_LANE, 17},
			"Lane 17 wants word 34, bank 2, wavefront 2 of 2; other words of this bank are for lane 1."},
		{"banks-broadcast", {THING_LANE, 3},
			"Lane 3 wants word 5, bank 5, wavefront 1 of 1; the same word serves lanes 0–2, 4–31."},
		{"banks-stride2", {THING_BANK, 2},
			"Bank 2 delivers 2 words: 2 in wavefront 1, 34 in wavefront 2; to lanes 1, 17."},
		{"banks-stride2", {THING_BANK, 3}, "Bank 3 is idle: no lane wants a word of it."},
		{"banks-masked", {THING_LANE, 8}, "Lane 8 takes no part in the watched line."},
		{"sectors-stride2", {THING_LANE, 5},
			"Lane 5 changes bytes 8–11 of sector 1 in cache line +0, which moves for lanes 4, 6, 7, too."},
		{"atomics-counter", {THING_LANE, 2},
			"Lane 2 changes bytes 20–23 of sector 0 in cache line +0, in turn 3 of the 32 at this address, after lanes 0, 1."},
		{"fragments-mma", {THING_LANE, 5},
			"Lane\u00A05 has a0:\u00A0A[1][2–3], a1:\u00A0A[9][2–3], a2:\u00A0A[1][10–11], a3:\u00A0A[9][10–11]; "
			"b0:\u00A0B[2–3][1], b1:\u00A0B[10–11][1]; d0:\u00A0D[1][2], d1:\u00A0D[1][3], d2:\u00A0D[9][2], d3:\u00A0D[9][3]."},
		{"fragments-trans", {THING_LANE, 5},
			"Lane\u00A05 gets d0:\u00A0M0[2–3][1], d1:\u00A0M1[2–3][1]; its address is that of M0[5]."},
		{"lanes-partial", {THING_WARP, 1}, "Warp 1 of block 0: threads 32–47."},
		{"schedule-live", {THING_WARP, 1},
			"Warp 1 of block 0: threads 32–63; for 77 % of its time it waits at a barrier."},
		{"sectors-stride32", {THING_SECTOR, 4},
			"Sector 0 of cache line +128: 4 of 32 bytes are used, by lane 1."},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct case_data data;
		struct view_input input;
		struct buf says = {0};
		assert_true(fill_input(&input, &data, rows[i].name));
		input.picked = rows[i].pick;
		view_describe_pick(&input, &says);
		assert_string_equal(buf_str(&says), rows[i].says);
		buf_free(&says);
	}
}

/* --- scrolled ----------------------------------------------------------------------------------------------------- */

static bool has_glyph(const struct canvas *canvas, uint32_t ch)
{
	for (int i = 0; i < canvas->rows * canvas->cols; i++)
		if (canvas->cells[i].ch == ch)
			return true;
	return false;
}

/* What a picture leaves out is reached by scrolling, every row of it, and what can be pointed at lies where it is
 * drawn. */
static void what_has_no_room_is_reached(void **state)
{
	(void)state;
	static const char *const names[] = {"banks-stride32", "sectors-stride32", "lanes-many", "atomics-own"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct case_data data;
		struct view_input input;
		view_id view = case_view(names[i]);
		struct rect r = {1, 2, 10, 44};
		assert_true(fill_input(&input, &data, names[i]));
		struct canvas *canvas = canvas_new(12, 48);
		view_draw(view, canvas, r, &input);
		assert_true(has_glyph(canvas, GLYPH_ELLIPSIS_V));
		struct view_scroll range = view_scroll_range(view, r, &input);
		assert_int_equal(range.least, 0);
		assert_true(range.most >= 20);
		for (input.scroll = 1; input.scroll <= range.most; input.scroll++) {
			struct view_spots spots = {0};
			canvas_clear(canvas);
			input.spots = &spots;
			view_draw(view, canvas, r, &input);
			assert_false(has_glyph(canvas, GLYPH_ELLIPSIS_V));
			for (size_t k = 0; k < spots.n; k++)
				assert_true(canvas_rect_holds(r, spots.at[k].rect.row, spots.at[k].rect.col));
			free(spots.at);
			for (int col = 0; col < 48; col++) {
				assert_int_equal(canvas_at(canvas, 0, col)->ch, ' ');
				assert_int_equal(canvas_at(canvas, 11, col)->ch, ' ');
			}
		}
		canvas_free(canvas);
	}
}

/* --- golden pictures ---------------------------------------------------------------------------------------------- */

/* Compares with tests/golden/views/FILE, or writes it when SIMTTUTOR_UPDATE_GOLDEN is set. Returns the lines that
 * differ, shown as a diff. */
static int check_golden(const char *file, const struct buf *got)
{
	const char *top = getenv("top_srcdir");
	struct buf path = {0}, want = {0};
	struct diag diag = {0};
	int faults = 0;
	buf_printf(&path, "%s/tests/golden/views/%s", top ? top : ".", file);
	if (getenv("SIMTTUTOR_UPDATE_GOLDEN")) {
		assert_true(file_write(path.data, got->data, got->len, &diag));
	} else if (!file_read(path.data, 1 << 20, &want, &diag)) {
		print_error("%s: not there; run with SIMTTUTOR_UPDATE_GOLDEN=1\n", file);
		faults = 1;
	} else {
		const char *a = buf_str(&want), *b = buf_str(got);
		for (int line = 1; *a || *b; line++) {
			size_t la = strcspn(a, "\n"), lb = strcspn(b, "\n");
			if (la != lb || memcmp(a, b, la) != 0) {
				print_error("%s:%d\n-%.*s\n+%.*s\n", file, line, (int)la, a, (int)lb, b);
				faults++;
			}
			a += la + (a[la] == '\n');
			b += lb + (b[lb] == '\n');
		}
	}
	buf_free(&path);
	buf_free(&want);
	diag_free(&diag);
	return faults;
}

static void views_look_as_before(void **state)
{
	(void)state;
	static const struct {
		int cols, rows;
		bool ascii;
	} sizes[] = {{38, 10, false}, {44, 12, false}, {42, 11, true}, {90, 30, false}, {128, 40, false}};
	int faults = 0;
	for (size_t i = 0; i < N_CASES; i++) {
		struct view_input input;
		struct case_data data;
		assert_true(fill_input(&input, &data, case_name(i)));
		struct buf out = {0}, file = {0};
		for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
			struct canvas *canvas = canvas_new(sizes[s].rows, sizes[s].cols);
			struct canvas_export_options options = {.charset = sizes[s].ascii ? CANVAS_ASCII : CANVAS_UTF8};
			view_draw(case_view(case_name(i)), canvas, (struct rect){0, 0, sizes[s].rows, sizes[s].cols},
				&input);
			buf_printf(&out, "=== %d columns, %d rows%s\n", sizes[s].cols, sizes[s].rows,
				sizes[s].ascii ? ", ASCII" : "");
			canvas_export(canvas, CANVAS_FORMAT_TEXT, &options, &out);
			canvas_free(canvas);
		}
		buf_printf(&file, "%s.txt", case_name(i));
		faults += check_golden(file.data, &out);
		buf_free(&out);
		buf_free(&file);
	}
	assert_int_equal(faults, 0);
}

/* Below the panes of a screen of 80 columns, and in less room than they want. */
static void numbers_of_two_settings_take_few_rows(void **state)
{
	(void)state;
	static const struct {
		int cols, rows;
	} sizes[] = {{76, 6}, {76, 4}, {76, 3}, {76, 2}, {66, 6}, {65, 6}, {40, 4}, {200, 40}};
	struct view_input input;
	struct case_data data;
	struct buf out = {0};
	assert_true(fill_input(&input, &data, "numbers-beside"));
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct canvas *canvas = canvas_new(sizes[i].rows, sizes[i].cols);
		struct canvas_export_options options = {.charset = CANVAS_UTF8};
		view_draw(VIEW_NUMBERS, canvas, canvas->clip, &input);
		buf_printf(&out, "=== %d columns, %d rows\n", sizes[i].cols, sizes[i].rows);
		canvas_export(canvas, CANVAS_FORMAT_TEXT, &options, &out);
		canvas_free(canvas);
	}
	assert_int_equal(check_golden("numbers-beside-sizes.txt", &out), 0);
	buf_clear(&out);
	view_describe_numbers(&input, &out);
	assert_non_null(strstr(buf_str(&out),
		"wavefronts / request: turn_padded predicted 2, measured 3 wavefronts; turn_tile predicted 32, "
		"measured 32 wavefronts.\n"));
	subjects_of(&input)->numbers.shown = 1;
	buf_clear(&out);
	view_describe_numbers(&input, &out);
	assert_non_null(strstr(buf_str(&out), "wavefronts / request: turn_padded predicted 32, "));
	buf_clear(&out);
	assert_true(fill_input(&input, &data, "numbers-elsewhere"));
	view_describe_numbers(&input, &out);
	assert_non_null(strstr(buf_str(&out), "measured 67584 requests, the same on H100, the same on A100.\n"));
	assert_non_null(strstr(buf_str(&out), "measured 3 wavefronts, 2.5 wavefronts on H100.\n"));
	assert_non_null(strstr(buf_str(&out), "H100: recorded on NVIDIA H100 80GB HBM3, 2026-11-27.\n"));
	buf_free(&out);
}

static void an_svg_looks_as_before(void **state)
{
	(void)state;
	struct view_input input;
	struct case_data data;
	assert_true(fill_input(&input, &data, "banks-stride2"));
	struct canvas *canvas = canvas_new(14, 46);
	struct rect in = canvas_box(
		canvas, (struct rect){0, 0, 14, 46}, ROLE_FRAME, "banks · line 14 · block 0 warp 0");
	view_draw(VIEW_BANKS, canvas, (struct rect){in.row, in.col + 1, in.rows, in.cols - 2}, &input);
	struct buf out = {0};
	struct canvas_export_options options = {.title = "Bank conflicts at stride 2"};
	canvas_export(canvas, CANVAS_FORMAT_SVG, &options, &out);
	assert_int_equal(check_golden("banks-stride2.svg", &out), 0);
	buf_free(&out);
	canvas_free(canvas);
}

/* --- properties --------------------------------------------------------------------------------------------------- */

#define BACKGROUND '~'
#define EDGE 2

static void check_outside(const struct canvas *canvas, const char *name)
{
	for (int row = 0; row < canvas->rows; row++) {
		bool in = row >= EDGE && row < canvas->rows - EDGE;
		for (int col = 0; col < canvas->cols; col++) {
			if (in && col == EDGE)
				col = canvas->cols - EDGE;
			const struct cell *cell = canvas_at(canvas, row, col);
			if (cell->ch != BACKGROUND || cell->role != ROLE_FRAME)
				fail_msg("%s in %dx%d drew at row %d, column %d", name, canvas->cols - 2 * EDGE,
					canvas->rows - 2 * EDGE, row - EDGE, col - EDGE);
		}
	}
}

static void check_glyphs(const struct canvas *canvas, const char *name)
{
	for (int i = 0; i < canvas->rows * canvas->cols; i++) {
		uint32_t ch = canvas->cells[i].ch;
		if (ch > 0x7E && canvas_ascii(ch) == '?')
			fail_msg("%s draws U+%04X, which has no row in glyphs.def", name, ch);
	}
}

/* Draws inside an edge of background and looks at what came of it. */
static void check_at(view_id view, const char *name, const struct view_input *input, int rows, int cols)
{
	struct canvas *canvas = canvas_new(rows + 2 * EDGE, cols + 2 * EDGE);
	for (int i = 0; i < canvas->rows * canvas->cols; i++)
		canvas->cells[i] = (struct cell){.ch = BACKGROUND, .role = ROLE_FRAME};
	view_draw(view, canvas, (struct rect){EDGE, EDGE, rows, cols}, input);
	check_outside(canvas, name);
	check_glyphs(canvas, name);
	canvas_free(canvas);
}

/* The size after this one. In make check, every one up to `each`, where diagrams begin to have room, then in larger
 * steps; in make check-attack every one. */
static int next_size(int size, int each, int step)
{
	const char *all = getenv("SIMTTUTOR_TEST_LONG");
	return size + (size < each || (all && strcmp(all, "1") == 0) ? 1 : step);
}

static void views_stay_in_their_rectangle_at_many_sizes(void **state)
{
	(void)state;
	static const char *const cases[] = {"banks-stride33", "sectors-stride6", "source-watched", "numbers-differ",
		"sweep-gcd", "schedule-live", "blocks-live", "mask-nested", "atomics-bins", "shuffle-few"};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct view_input input;
		struct case_data data;
		assert_true(fill_input(&input, &data, cases[i]));
		for (int rows = 1; rows <= 60; rows = next_size(rows, 24, 5))
			for (int cols = 1; cols <= 200; cols = next_size(cols, 64, 9))
				check_at(case_view(cases[i]), cases[i], &input, rows, cols);
	}
}

static void views_stay_in_their_rectangle_with_every_input(void **state)
{
	(void)state;
	for (size_t i = 0; i <= N_CASES; i++) {
		const char *name = i < N_CASES ? case_name(i) : "none";
		struct view_input input;
		struct case_data data;
		assert_true(fill_input(&input, &data, name));
		for (int rows = 1; rows <= 60; rows = next_size(rows, 12, 11))
			for (int cols = 1; cols <= 200; cols = next_size(cols, 44, 26))
				for (int v = 0; v < VIEWS; v++)
					if (case_view(name) == (view_id)v || (rows + cols) % 7 == 0)
						check_at((view_id)v, name, &input, rows, cols);
	}
}

static bool says(const struct canvas *canvas, const char *words)
{
	struct buf text = {0};
	struct canvas_export_options options = {.charset = CANVAS_ASCII};
	canvas_export(canvas, CANVAS_FORMAT_TEXT, &options, &text);
	for (size_t i = 0; i < text.len; i++)
		if (text.data[i] == '\n')
			text.data[i] = ' ';
	bool found = strstr(buf_str(&text), words) != NULL;
	buf_free(&text);
	return found;
}

static void what_is_missing_is_said(void **state)
{
	(void)state;
	static const struct {
		view_id view;
		const char *input;
		int rows, cols;
		const char *words;
	} cases[] = {
		{VIEW_BANKS, "none", 10, 60, "accesses no memory"},
		{VIEW_BANKS, "sectors-stride1", 10, 60, "see the view \"sectors\""},
		{VIEW_SECTORS, "banks-stride1", 10, 60, "the view \"banks\" is for it"},
		{VIEW_SECTORS, "atomics-one-bank", 10, 60, "and \"atomics\" are for"},
		{VIEW_ATOMICS, "none", 10, 60, "accesses no memory"},
		{VIEW_SECTORS, "defect-race", 10, 60, "see the view \"defect\""},
		{VIEW_ATOMICS, "banks-stride1", 10, 60, "see the view \"banks\""},
		{VIEW_ATOMICS, "sectors-stride1", 10, 60, "see the view \"sectors\""},
		{VIEW_ATOMICS, "atomics-empty", 10, 60, "No lane is active"},
		{VIEW_ATOMICS, "atomics-counter", 10, 60, "32 lanes at 1 address: 32 turns, 32 sectors counted"},
		{VIEW_ATOMICS, "atomics-one-bank", 10, 60, "32 lanes at 32 addresses: 32 wavefronts, ideal 1"},
		{VIEW_SHUFFLE, "none", 10, 60, "makes no shuffle."},
		{VIEW_SHUFFLE, "banks-stride1", 10, 60, "see the view \"banks\""},
		{VIEW_SHUFFLE, "sectors-stride1", 10, 60, "see the view \"sectors\""},
		{VIEW_SHUFFLE, "shuffle-down", 10, 60, "28 lanes get another lane's value"},
		{VIEW_SHUFFLE, "shuffle-xor", 10, 60, "lanes swap in pairs"},
		{VIEW_SOURCE, "none", 10, 60, "no source"},
		{VIEW_NUMBERS, "none", 10, 60, "no numbers"},
		{VIEW_SWEEP, "none", 10, 60, "no sweep"},
		{VIEW_ROOFLINE, "none", 10, 60, "not run"},
		{VIEW_ROOFLINE, "roofline-integers", 10, 60, "no operations on floats"},
		{VIEW_SCHEDULE, "none", 10, 60, "no schedule"},
		{VIEW_BLOCKS, "none", 10, 60, "no blocks"},
		{VIEW_MASK, "none", 10, 60, "no warp to watch"},
		{VIEW_MASK, "mask-nested", 10, 30, "needs 38 columns and 8 rows; here are 30 and 10"},
		{VIEW_BLOCKS, "blocks-waves", 12, 60, "model: 2746 blocks on 132 SMs"},
		{VIEW_BLOCKS, "blocks-one-more", 30, 60, "1.001 waves"},
		{VIEW_BLOCKS, "blocks-liar", 12, 60, "more SMs than a GPU has"},
		{VIEW_BLOCKS, "blocks-few", 40, 60, "112 SMs without a block"},
		{VIEW_SCHEDULE, "schedule-full", 12, 60, "model: SM 0, 64 warps"},
		{VIEW_SCHEDULE, "schedule-live", 12, 60, "only 16 of 40 warps"},
		{VIEW_BANKS, "banks-stride1", 5, 80, "needs 37 columns and 6 rows; here are 80 and 5"},
		{VIEW_BANKS, "banks-empty", 10, 60, "No lane is active"},
		{VIEW_SECTORS, "sectors-empty", 10, 60, "No lane is active"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct view_input input;
		struct case_data data;
		assert_true(fill_input(&input, &data, cases[i].input));
		struct canvas *canvas = canvas_new(cases[i].rows, cases[i].cols);
		view_draw(cases[i].view, canvas, canvas->clip, &input);
		if (!says(canvas, cases[i].words))
			fail_msg("view %s of %s does not say \"%s\"", view_table[cases[i].view].name, cases[i].input,
				cases[i].words);
		canvas_free(canvas);
	}
}

/* A step has few views. A sentence sends the reader to none of the others. */
static void a_view_that_is_not_offered_is_not_named(void **state)
{
	(void)state;
	static const struct {
		view_id view;
		const char *input;
	} cases[] = {{VIEW_BANKS, "sectors-stride1"}, {VIEW_SECTORS, "banks-stride1"}, {VIEW_SECTORS, "defect-race"},
		{VIEW_ATOMICS, "banks-stride1"}, {VIEW_ATOMICS, "sectors-stride1"}, {VIEW_SHUFFLE, "banks-stride1"},
		{VIEW_SHUFFLE, "sectors-stride1"}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct view_input input;
		struct case_data data;
		assert_true(fill_input(&input, &data, cases[i].input));
		input.offered = (uint32_t)1 << cases[i].view | (uint32_t)1 << VIEW_NUMBERS;
		const char *sentence = view_why_not(cases[i].view, &input);
		assert_non_null(sentence);
		if (strchr(sentence, '"'))
			fail_msg("view %s of %s: %s", view_table[cases[i].view].name, cases[i].input, sentence);
	}
}

/* Columns of the points that the model has in a plot of `n` values, from left to right; those between the points `from`
 * and `from` + 1 of a line that joins them are counted. */
static int plot(const int64_t *xs, int n, int *cols, int from)
{
	struct value values[8];
	struct view_input input = make_input();
	struct canvas *canvas = canvas_new(15, 41);
	int found = 0, dots = 0;
	for (int i = 0; i < n; i++)
		values[i] = value_ok(10 + 5 * (i % 3));
	subjects_of(&input)->sweep = (struct view_sweep){.metric = METRIC_BRANCH_EFFICIENCY,
		.parameter = "n",
		.unit = "",
		.xs = xs,
		.predicted = values,
		.n = n,
		.at = -1};
	view_draw(VIEW_SWEEP, canvas, canvas->clip, &input);
	for (int col = 0; col < 41; col++)
		for (int row = 1; row < 11; row++)
			if (canvas_at(canvas, row, col)->ch == GLYPH_CIRCLE && found < n)
				cols[found++] = col;
			else if (canvas_at(canvas, row, col)->ch == GLYPH_MIDDLE_DOT)
				dots += found == from + 1;
	canvas_free(canvas);
	assert_int_equal(found, n);
	return dots;
}

/* Where the parameter has a long name, it goes before a number is cut. */
static void a_readout_keeps_its_numbers(void **state)
{
	(void)state;
	static const int64_t xs[] = {1, 8};
	static const struct {
		const char *parameter, *says;
	} cases[] = {{"words for a thread", "words for a thread 8: "},
		{"words that a thread adds up", " 8: predicted "}, {"words", "words 8: "}};
	struct value predicted[] = {value_ok(1879680), value_ok(441936)},
		     measured[] = {value_ok(1584000), value_ok(375408)};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct view_input input = make_input();
		struct canvas *canvas = canvas_new(14, 43);
		subjects_of(&input)->sweep = (struct view_sweep){.metric = METRIC_INSTRUCTIONS,
			.parameter = cases[i].parameter,
			.unit = "",
			.xs = xs,
			.predicted = predicted,
			.measured = measured,
			.measured_by = WITNESS_RECORDED,
			.n = 2,
			.at = 8};
		view_draw(VIEW_SWEEP, canvas, canvas->clip, &input);
		if (!says(canvas, cases[i].says) || !says(canvas, "441936") || !says(canvas, "375408"))
			fail_msg("the sweep of \"%s\" does not say \"%s\" and both numbers", cases[i].parameter,
				cases[i].says);
		canvas_free(canvas);
	}
}

/* An axis of numbers is one: what lies far apart does so there. A line joins values that are some of many, but not over
 * one left out. */
static void a_plot_has_an_axis_of_numbers(void **state)
{
	(void)state;
	int c[8];
	assert_true(plot((const int64_t[]){66, 132, 264, 265, 396, 528, 529}, 7, c, 1) > 5);
	assert_int_equal(c[3] - c[2], 1);
	assert_int_equal(c[6] - c[5], 1);
	assert_in_range(c[2] - c[1], 2 * (c[1] - c[0]) - 2, 2 * (c[1] - c[0]) + 2);
	assert_true(plot((const int64_t[]){1, 2, 4, 16, 32}, 5, c, 0) > 2);
	assert_in_range(c[3] - c[2], 2 * (c[1] - c[0]) - 2, 2 * (c[1] - c[0]) + 2);
	assert_int_equal(plot((const int64_t[]){1, 2, 4, 16, 32}, 5, c, 2), 0);
	assert_int_equal(plot((const int64_t[]){1, 2, 3, 4, 5}, 5, c, 1), 0);
	assert_int_equal(c[4] - c[3], c[1] - c[0]);
}

/* Where there is no room for the source beside the lanes it is above them; a loop says how often it was run however few
 * rows there are. */
static void a_narrow_mask_has_its_source(void **state)
{
	(void)state;
	struct view_input input;
	struct case_data data;
	assert_true(fill_input(&input, &data, "mask-nested"));
	for (int rows = 22; rows <= 40; rows += 3) {
		struct canvas *canvas = canvas_new(rows, 41);
		view_draw(VIEW_MASK, canvas, canvas->clip, &input);
		static const char *const lines[] = {
			"tile[i] = i;", "unsigned sum = 0;", "if (at < 4096)", "other arm", "diverged  ", "barrier"};
		for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
			if (rows >= 28 && !says(canvas, lines[i]))
				fail_msg("in %d rows \"%s\" is not there", rows, lines[i]);
		if (rows >= 28 && !says(canvas, " x12 "))
			fail_msg("in %d rows nothing says how often the loop was run", rows);
		for (int row = 2; row < rows; row++) {
			/* lanes are below text, or below lanes of the same line */
			bool lanes = canvas_at(canvas, row, 7)->ch == '0' && canvas_at(canvas, row, 8)->ch != ' ';
			bool above = canvas_at(canvas, row - 1, 7)->ch != ' ';
			if (lanes && !above)
				fail_msg("in %d rows, row %d has no source", rows, row);
		}
		canvas_free(canvas);
	}
}

static void the_watched_line_is_always_shown(void **state)
{
	(void)state;
	struct view_input input;
	struct case_data data;
	assert_true(fill_input(&input, &data, "source-watched"));
	for (int watched = 1; watched <= 17; watched++) {
		for (int rows = 3; rows < 25; rows++) {
			subjects_of(&input)->source.watched = watched;
			struct canvas *canvas = canvas_new(rows, 60);
			view_draw(VIEW_SOURCE, canvas, canvas->clip, &input);
			int marks = 0;
			for (int i = 0; i < rows * 60; i++)
				marks += canvas->cells[i].ch == GLYPH_POINT_RIGHT &&
					canvas->cells[i].role == ROLE_WATCHED;
			assert_int_equal(marks, 1);
			canvas_free(canvas);
		}
	}
}

static void the_source_scrolls_to_its_ends(void **state)
{
	(void)state;
	struct case_data data;
	struct view_input input;
	struct rect r = {0, 0, 9, 60};
	struct canvas *canvas = canvas_new(9, 60);
	assert_true(fill_input(&input, &data, "source-live"));
	struct view_scroll range = view_scroll_range(VIEW_SOURCE, r, &input);
	assert_true(range.least < 0);
	input.scroll = range.least;
	view_draw(VIEW_SOURCE, canvas, r, &input);
	assert_true(says(canvas, "// Each lane reads"));
	input.scroll = range.most;
	canvas_clear(canvas);
	view_draw(VIEW_SOURCE, canvas, r, &input);
	assert_true(says(canvas, "17"));
	canvas_free(canvas);
}

/* Beside the short name of a metric, too, the heads say where it was measured and what ≈ means. */
static void heads_of_two_settings_are_whole(void **state)
{
	(void)state;
	struct case_data data;
	struct view_input input;
	assert_true(fill_input(&input, &data, "numbers-beside-second"));
	subjects_of(&input)->numbers.n_rows = 1;
	subjects_of(&input)->numbers.measured_on = "NVIDIA H200, recorded 2026-11-21";
	for (int cols = 66; cols < 170; cols++) {
		struct canvas *canvas = canvas_new(3, cols);
		view_draw(VIEW_NUMBERS, canvas, canvas->clip, &input);
		if (!says(canvas, "H200 ") && !says(canvas, "H200,"))
			fail_msg("in %d columns, the GPU is not named", cols);
		if (!says(canvas, "~ estimate"))
			fail_msg("in %d columns, nothing says what is an estimate", cols);
		canvas_free(canvas);
	}
}

/* Beside the text of a lesson at 80 columns, what would put a race between blocks right is said to its end, with both
 * sides and their lanes. */
static void a_message_on_a_race_is_whole(void **state)
{
	(void)state;
	struct case_data data;
	struct view_input input;
	struct view_defect races[2];
	assert_true(fill_input(&input, &data, "defect-race"));
	races[0] = races[1] = input.defects->at[0];
	races[0].message =
		"thread 0 of block 1 stores to global memory at 0x7f0000001300 (line 226), and thread 63 of block 0 loaded it "
		"(line 226); no barrier orders blocks: an atomic, a flag with __threadfence() on both sides, another launch or "
		"grid.sync() does";
	subjects_of(&input)->defects.at = races;
	for (int n = 1; n <= 2; n++) {
		struct canvas *canvas = canvas_new(15, 41);
		subjects_of(&input)->defects.n = n;
		view_draw(VIEW_DEFECT, canvas, canvas->clip, &input);
		assert_true(says(canvas, " does "));
		assert_true(says(canvas, "lanes"));
		canvas_free(canvas);
	}
}

/* Of a kernel's head that has no room its name is shown, not how it is linked. */
static void a_head_shows_the_name(void **state)
{
	(void)state;
	struct case_data data;
	struct view_input input;
	assert_true(fill_input(&input, &data, "source-watched"));
	subjects_of(&input)->source.watched = 3;
	for (int cols = 44; cols < 170; cols++) {
		struct canvas *canvas = canvas_new(9, cols);
		view_draw(VIEW_SOURCE, canvas, canvas->clip, &input);
		if (!says(canvas, "void shared_stride"))
			fail_msg("in %d columns, the kernel has no name", cols);
		canvas_free(canvas);
	}
}

/* The head of a curve has the short label of a metric where the long one has no room. */
static void a_curve_says_by_what(void **state)
{
	(void)state;
	struct case_data data;
	struct view_input input;
	assert_true(fill_input(&input, &data, "sweep-halves"));
	subjects_of(&input)->sweep.parameter = "most rounds";
	for (int cols = 41; cols < 150; cols++) {
		struct canvas *canvas = canvas_new(14, cols);
		view_draw(VIEW_SWEEP, canvas, canvas->clip, &input);
		if (!says(canvas, " by most rounds"))
			fail_msg("in %d columns, its head is cut", cols);
		canvas_free(canvas);
	}
}

/* Why a number is missing is whole in narrow columns, too. */
static void what_did_not_happen_is_said_whole(void **state)
{
	(void)state;
	struct view_number number = {METRIC_SHARED_LD_WAVES_PER_REQUEST, value_missing(VALUE_UNDEFINED),
		value_missing(VALUE_NOT_LAUNCHED), WITNESS_RECORDED, NULL};
	struct view_input input = make_input();
	subjects_of(&input)->numbers = (struct view_numbers){.rows = &number, .n_rows = 1};
	for (int cols = 36; cols < 150; cols++) {
		struct canvas *canvas = canvas_new(6, cols);
		view_draw(VIEW_NUMBERS, canvas, canvas->clip, &input);
		if (!says(canvas, "none ") || says(canvas, "none ha~") ||
			(!says(canvas, "not run") && !says(canvas, "not launched")))
			fail_msg("in %d columns, it is cut", cols);
		canvas_free(canvas);
	}
}

/* Where there is room for code at all, a count is whole beside it, measured or not. */
static void a_count_is_never_cut(void **state)
{
	(void)state;
	static const char *const cases[] = {"source-watched", "source-recorded"};
	struct case_data data;
	struct view_input input;
	struct view_source_line lines[sizeof source_lines / sizeof *source_lines];
	memcpy(lines, source_lines, sizeof lines);
	lines[15].sectors = value_ok(4.875);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_true(fill_input(&input, &data, cases[i]));
		subjects_of(&input)->source.lines = lines;
		subjects_of(&input)->source.watched = 16;
		for (int cols = 36; cols < 170; cols++) {
			struct canvas *canvas = canvas_new(9, cols);
			view_draw(VIEW_SOURCE, canvas, canvas->clip, &input);
			if (!says(canvas, "4.875"))
				fail_msg("%s: in %d columns, 4.875 is not there", cases[i], cols);
			canvas_free(canvas);
		}
	}
}

/* A number that is not there never shows as one. */
static void a_missing_number_is_no_zero(void **state)
{
	(void)state;
	for (int why = VALUE_NONE; why <= VALUE_STALE; why++) {
		if (why == VALUE_OK)
			continue;
		struct view_number number = {
			METRIC_BRANCH_EFFICIENCY, value_missing(why), value_missing(why), WITNESS_LIVE, NULL};
		struct view_input input = make_input();
		for (int cols = 36; cols < 270; cols += 7) {
			bool two = cols >= 130; /* settings: of these, too */
			subjects_of(&input)->numbers = (struct view_numbers){
				.rows = &number, .n_rows = 1, .names = {"naive", "tiled"}};
			subjects_of(&input)->numbers.other = two ? &number : NULL;
			int shown_cols = two ? cols - 98 : cols;
			struct canvas *canvas = canvas_new(6, shown_cols);
			view_draw(VIEW_NUMBERS, canvas, canvas->clip, &input);
			for (int i = 0; i < 6 * shown_cols; i++)
				if (canvas->cells[i].role == ROLE_MISSING)
					assert_false(canvas->cells[i].ch >= '0' && canvas->cells[i].ch <= '9');
				else
					assert_false(canvas->cells[i].role == ROLE_MODEL && canvas->cells[i].ch == '0');
			canvas_free(canvas);
		}
	}
}

/* Every lane that takes part shows up in some wavefront, and as often as it occupies banks. */
static void every_active_lane_is_drawn(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		int cells;
	} cases[] = {
		{"banks-stride1", 32},
		{"banks-stride2", 32},
		{"banks-stride6", 32},
		{"banks-stride32", 32},
		{"banks-stride33", 32},
		{"banks-broadcast", 1},
		{"banks-pairs", 16},
		{"banks-bytes", 8},
		{"banks-load8", 64},
		{"banks-store8", 64},
		{"banks-store8-halves", 64},
		{"banks-load16", 128},
		{"banks-masked", 12},
		{"banks-atomic", 32},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct view_input input;
		struct case_data data;
		assert_true(fill_input(&input, &data, cases[i].name));
		/* High enough for every wavefront, and only the wavefronts: the map of memory repeats the lanes. */
		struct canvas *canvas = canvas_new(40, 40);
		view_draw(VIEW_BANKS, canvas, canvas->clip, &input);
		int cells = 0;
		assert_true(says(canvas, "wavefront   bank"));
		for (int row = 2;
			row < 40 && canvas_at(canvas, row, 5)->ch >= '0' && canvas_at(canvas, row, 5)->ch <= '9'; row++)
			for (int col = 8; col < 40; col++)
				cells += canvas_at(canvas, row, col)->ch != GLYPH_MIDDLE_DOT;
		if (cells != cases[i].cells)
			fail_msg("%s shows %d lanes at banks, not %d", cases[i].name, cells, cases[i].cells);
		canvas_free(canvas);
	}
}

/* A new view: its name before the input of a picture that there is will do. */
static void every_view_has_a_picture(void **state)
{
	(void)state;
	for (int v = 0; v < VIEWS; v++) {
		bool found = false;
		for (size_t i = 0; i < N_CASES && !found; i++)
			found = case_view(case_name(i)) == (view_id)v;
		if (!found)
			fail_msg("there is no picture of the view %s: add it to other_cases", view_table[v].name);
	}
}

/* Of an input that lacks what it needs, every view says in a sentence what is missing. */
static void a_view_without_data_has_a_sentence(void **state)
{
	const struct view_input input = make_input();
	(void)state;
	for (int v = 0; v < VIEWS; v++) {
		struct canvas *canvas = canvas_new(4, 100);
		view_draw((view_id)v, canvas, canvas->clip, &input);
		int last = -1;
		for (int i = 0; i < 4 * 100; i++)
			if (canvas->cells[i].ch > ' ')
				last = i;
		if (last < 0 || canvas->cells[last].ch != '.' || canvas->cells[last].role != ROLE_DIM)
			fail_msg("the view %s says nothing", view_table[v].name);
		canvas_free(canvas);
	}
}

static void views_are_found_by_name(void **state)
{
	(void)state;
	for (int v = 0; v < VIEWS; v++)
		assert_int_equal(view_find(view_table[v].name), v);
	assert_int_equal(view_find("nothing"), VIEW_NONE);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_view_has_a_picture),
		cmocka_unit_test(views_look_as_before),
		cmocka_unit_test(what_is_picked_is_lit),
		cmocka_unit_test(what_is_picked_says_what_it_does),
		cmocka_unit_test(what_has_no_room_is_reached),
		cmocka_unit_test(the_source_scrolls_to_its_ends),
		cmocka_unit_test(a_count_is_never_cut),
		cmocka_unit_test(a_head_shows_the_name),
		cmocka_unit_test(a_curve_says_by_what),
		cmocka_unit_test(a_message_on_a_race_is_whole),
		cmocka_unit_test(what_did_not_happen_is_said_whole),
		cmocka_unit_test(heads_of_two_settings_are_whole),
		cmocka_unit_test(numbers_of_two_settings_take_few_rows),
		cmocka_unit_test(an_svg_looks_as_before),
		cmocka_unit_test(views_stay_in_their_rectangle_at_many_sizes),
		cmocka_unit_test(views_stay_in_their_rectangle_with_every_input),
		cmocka_unit_test(what_is_missing_is_said),
		cmocka_unit_test(a_view_that_is_not_offered_is_not_named),
		cmocka_unit_test(a_plot_has_an_axis_of_numbers),
		cmocka_unit_test(a_readout_keeps_its_numbers),
		cmocka_unit_test(a_narrow_mask_has_its_source),
		cmocka_unit_test(the_watched_line_is_always_shown),
		cmocka_unit_test(a_missing_number_is_no_zero),
		cmocka_unit_test(every_active_lane_is_drawn),
		cmocka_unit_test(views_are_found_by_name),
		cmocka_unit_test(a_view_without_data_has_a_sentence),
	};
	return cmocka_run_group_tests_name("view", tests, make_arena, free_arena);
}
