/* What only a GPU can tell: whether the worker counts, whether the counts are the models', how long it takes, and what
 * it does when a kernel goes wrong. Prints TAP. Run by `make check-gpu`, from the source folder or with its path:
 *
 *   check_gpu [--gpu SPEC] [--source DIR] [--worker PATH] */
#include "config.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/portable.h"
#include "gpu/client/gpu.h"
#include "model/hardware/access.h"
#include "model/hardware/counters.h"

#define WAIT_MS 60000

static struct gpu *gpu;
static int tests, failures;
static const char *all[COUNTERS];

static void result(bool ok, const char *name)
{
	printf("%sok %d - %s\n", ok ? "" : "not ", ++tests, name);
	failures += !ok;
	fflush(stdout);
}

/* --- asking ------------------------------------------------------------------------------------------------------- */

struct question {
	const char *ptx, *kernel;
	uint32_t grid, block;
	const char *args[8];
	const char *const *metrics;
	int n_metrics;
	bool buffers;
};

static int64_t begin(const struct question *q)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct launch launch = {.kernel = q->kernel, .grid = {q->grid, 1, 1}, .block = {q->block, 1, 1}};
	launch.args = arena_array(arena, struct launch_arg, 8);
	for (; launch.n_args < 8 && q->args[launch.n_args]; launch.n_args++)
		if (!launch_arg_parse(arena, NULL, q->args[launch.n_args], &launch.args[launch.n_args], &diag)) {
			printf("Bail out! %s\n", diag.entries[0].message);
			exit(1);
		}
	int64_t id = gpu_measure(
		gpu, &(struct wire_measure){{q->ptx, strlen(q->ptx), launch}, q->metrics, q->n_metrics, q->buffers});
	arena_free(arena);
	return id;
}

/* Asks and waits; the answer is valid until the next question. */
static struct gpu_event ask(const struct question *q)
{
	struct gpu_event event;
	begin(q);
	do
		event = gpu_wait(gpu, WAIT_MS);
	while (event.kind == GPU_EVENT_PROBED || (event.kind == GPU_EVENT_ERROR && event.id == 0));
	if (event.kind == GPU_EVENT_ERROR)
		printf("# %s: %s\n", wire_error_name(event.error->code), event.error->message);
	return event;
}

static double value(const struct gpu_event *event, enum counter_id id)
{
	for (int i = 0; event->kind == GPU_EVENT_MEASURED && i < event->measurement->n; i++)
		if (event->measurement->available[i] && !strcmp(event->measurement->metrics[i], counter_table[id].hw))
			return event->measurement->values[i];
	return NAN;
}

static bool is(const struct gpu_event *event, enum counter_id id, double expected)
{
	double got = value(event, id);
	if (got == expected)
		return true;
	printf("# %s: %g, expected %g\n", counter_table[id].hw, got, expected);
	return false;
}

/* --- the kernel of the lesson ------------------------------------------------------------------------------------- */

enum { GRID = 4, BLOCK = 64, ROUNDS = 16, LESSON = COUNTER_TIME + 1 };

static char *shared_stride;

static struct question stride_question(char *storage, size_t size, int stride)
{
	snprintf(storage, size, "u32:%d", stride);
	return (struct question){shared_stride, "shared_stride", GRID, BLOCK,
		{"f32[1024]:iota", "f32[256]", storage, "u32:16"}, all, LESSON, true};
}

static bool right_counts(const struct gpu_event *event, int stride)
{
	struct warp_access access = {.space = SPACE_SHARED, .op = ACCESS_LOAD, .width = 4, .active = UINT32_MAX};
	for (int lane = 0; lane < WARP_SIZE; lane++)
		access.address[lane] = (uint64_t)(lane * stride * 4);
	double warps = GRID * BLOCK / 32, loads = warps * ROUNDS, stores = GRID * 1024 / 32;
	struct access_cost cost = access_cost(&access, 90);
	bool ok = is(event, COUNTER_SHARED_LD_REQUESTS, loads);
	ok &= is(event, COUNTER_SHARED_LD_WAVEFRONTS, loads * cost.wavefronts);
	ok &= is(event, COUNTER_SHARED_LD_CONFLICTS, loads * cost.bank_conflicts);
	ok &= is(event, COUNTER_SHARED_ST_REQUESTS, stores) && is(event, COUNTER_SHARED_ST_WAVEFRONTS, stores);
	ok &= is(event, COUNTER_SHARED_ST_CONFLICTS, 0);
	ok &= is(event, COUNTER_GLOBAL_LD_REQUESTS, stores) && is(event, COUNTER_GLOBAL_LD_SECTORS, stores * 4);
	ok &= is(event, COUNTER_GLOBAL_ST_REQUESTS, warps) && is(event, COUNTER_GLOBAL_ST_SECTORS, warps * 4);
	return ok;
}

/* Replaying must not run the kernel on its own results: every thread sums one word ROUNDS times, from a fresh
 * buffer. */
static bool right_results(const struct gpu_event *event, int stride)
{
	const float *out = event->kind == GPU_EVENT_MEASURED && event->measurement->n_buffers == 4
		? event->measurement->buffers[1]
		: NULL;
	for (int i = 0; out && i < GRID * BLOCK; i++)
		if (out[i] != (float)(ROUNDS * (i % 32) * stride)) {
			printf("# out[%d] is %g\n", i, (double)out[i]);
			return false;
		}
	return out != NULL;
}

static void check_strides(void)
{
	bool counts = true, results = true;
	for (int stride = 0; stride <= 33; stride++) {
		char storage[20];
		struct question q = stride_question(storage, sizeof storage, stride);
		struct gpu_event event = ask(&q);
		bool counted = right_counts(&event, stride);
		if (!counted)
			printf("# at stride %d\n", stride);
		counts &= counted;
		results &= right_results(&event, stride);
	}
	result(counts, "strides 0 to 33: requests, wavefronts, conflicts and sectors are the model's");
	result(results, "strides 0 to 33: the kernel's results come back right, from every pass");
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Median of `n` measurements after some for warmth (a part of a larger set gets the profiler for itself only then);
 * `worker` gets the part inside the worker. */
static double time_question(const struct question *q, int n, double *most, double *worker)
{
	double ms[64], inside[64];
	for (int i = -20; i < n; i++) {
		struct gpu_event event = ask(q);
		if (event.kind != GPU_EVENT_MEASURED)
			return INFINITY;
		if (i >= 0) {
			ms[i] = event.ms;
			inside[i] = event.measurement->worker_ms;
		}
	}
	qsort(ms, (size_t)n, sizeof ms[0], compare_doubles);
	qsort(inside, (size_t)n, sizeof inside[0], compare_doubles);
	*most = ms[n - 1];
	*worker = inside[n / 2];
	return ms[n / 2];
}

static void check_times(void)
{
	char storage[20];
	double most, worker;
	struct question q = stride_question(storage, sizeof storage, 7);
	q.buffers = false;
	q.n_metrics = LESSON;
	double median = time_question(&q, 40, &most, &worker);
	printf("# the %d counters of the lesson, warm: median %.2f ms, most %.2f ms; in the worker %.2f ms\n", LESSON,
		median, most, worker);
	result(median <= 60, "all counters of a lesson within 60 ms");
	q.n_metrics = COUNTERS;
	median = time_question(&q, 5, &most, &worker);
	printf("# the whole catalog of %d counters: median %.2f ms, most %.2f ms; in the worker %.2f ms\n", COUNTERS,
		median, most, worker);
	q.n_metrics = 6;
	median = time_question(&q, 40, &most, &worker);
	printf("# the 6 shared-memory counters, one pass, warm: median %.2f ms, most %.2f ms; in the worker %.2f ms\n",
		median, most, worker);
	result(worker <= 5, "one pass within 5 ms in the worker");
	q.n_metrics = 0;
	median = time_question(&q, 40, &most, &worker);
	printf("# no counters: median %.2f ms, most %.2f ms; in the worker %.2f ms\n", median, most, worker);
}

/* Two sets in turns, then one of them alone: first the profiler is reconfigured, then both are counted together, then
 * the one alone. The counts must be right throughout. */
static void check_switching(void)
{
	char storage[20];
	struct question q = stride_question(storage, sizeof storage, 32);
	bool ok = true;
	printf("# two sets of metrics in turns, then one alone, ms:");
	for (int i = 0; i < 20; i++) {
		bool other = i < 10 && i % 2;
		q.metrics = other ? all + 6 : all;
		q.n_metrics = other ? LESSON - 6 : 6;
		struct gpu_event event = ask(&q);
		printf(" %.1f", event.ms);
		ok &= other ? value(&event, COUNTER_GLOBAL_LD_SECTORS) == 512 && value(&event, COUNTER_TIME) > 0
			    : value(&event, COUNTER_SHARED_LD_CONFLICTS) == 31 * 128;
	}
	q.metrics = all + COUNTER_TIME;
	q.n_metrics = 1;
	printf("\n# time of ten measurements, ns:");
	for (int i = 0; i < 10; i++) {
		struct gpu_event event = ask(&q);
		printf(" %.0f", value(&event, COUNTER_TIME));
		ok &= value(&event, COUNTER_TIME) > 0;
	}
	printf("\n");
	result(ok, "sets of metrics can be changed, joined and changed back");
}

/* Numbers come pass by pass, and nothing is left of what is given up. */
static void check_passes(void)
{
	char storage[20];
	struct question q = stride_question(storage, sizeof storage, 2);
	q.buffers = false;
	q.n_metrics = COUNTERS;
	ask(&q);
	bool partial = true, canceled = true, right = true;
	for (int round = 0; round < 5; round++) {
		struct gpu_event event = {0};
		double until = clock_ms() + WAIT_MS;
		int64_t id = begin(&q);
		for (int k = 0; k <= round && event.kind != GPU_EVENT_MEASURED && clock_ms() < until;) {
			event = gpu_step(gpu);
			k += event.kind == GPU_EVENT_PROGRESS;
		}
		printf("# %d of %d counters after %.1f ms, pass %d of %d\n", event.progress.n, COUNTERS, event.ms,
			event.progress.pass, event.progress.passes);
		partial &= event.kind == GPU_EVENT_PROGRESS && event.progress.n > 0 && event.progress.n < COUNTERS;
		gpu_cancel(gpu, id);
		event = gpu_wait(gpu, WAIT_MS);
		canceled &= event.kind == GPU_EVENT_ERROR && event.error->code == WIRE_CANCELED;
		event = ask(&q);
		right &= right_counts(&event, 2);
	}
	result(partial, "what the first passes counted comes before the last pass");
	result(canceled, "a measurement is given up between two passes");
	result(right, "the next begins in the middle of the passes, and is right");
}

/* A variable of the PTX's own that every run adds to: 1 by the warm run, and so what the counted runs find. */
static void check_own_variables(void)
{
	static const char ptx[] =
		".version 6.3\n.target sm_75\n.address_size 64\n.visible .global .align 4 .u32 runs;\n"
		".visible .entry k(.param .u64 p)\n{\n\t.reg .b32 %r<2>;\n\t.reg .b64 %rd<2>;\n\tld.param.u64 %rd0, [p];\n"
		"\tatom.global.add.u32 %r0, [runs], 1;\n\tst.global.u32 [%rd0], %r0;\n\tret;\n}\n";
	struct question q = {ptx, "k", 1, 1, {"u32[1]"}, all, COUNTERS, true};
	struct gpu_event event = ask(&q);
	const uint32_t *found = event.kind == GPU_EVENT_MEASURED ? event.measurement->buffers[0] : NULL;
	printf("# the last of %d passes found %u\n", event.kind == GPU_EVENT_MEASURED ? event.measurement->passes : 0,
		found ? *found : 99);
	result(found && *found == 1 && event.measurement->passes > 1,
		"a kernel's own variables are put back between passes");
}

/* --- patterns of one warp ----------------------------------------------------------------------------------------- */

static const char pattern_text[] =
	".version 6.3\n.target sm_75\n.address_size 64\n"
	".visible .entry pattern(.param .u64 in, .param .u64 out, .param .u32 mask)\n{\n"
	"\t.reg .pred %%p;\n\t.reg .b32 %%r<16>;\n\t.reg .b64 %%rd<8>;\n\t.shared .align 16 .b8 tile[32768];\n"
	"\tmov.u32 %%r0, %%tid.x;\n\tld.param.u64 %%rd0, [in];\n\tcvta.to.global.u64 %%rd0, %%rd0;\n"
	"\tmul.wide.u32 %%rd1, %%r0, 4;\n\tadd.s64 %%rd0, %%rd0, %%rd1;\n\tld.global.u32 %%r1, [%%rd0];\n"
	"\tld.param.u32 %%r2, [mask];\n\tshr.u32 %%r3, %%r2, %%r0;\n\tand.b32 %%r3, %%r3, 1;\n\tsetp.ne.u32 %%p, %%r3, 0;\n"
	"\tmov.u32 %%r4, tile;\n\tadd.u32 %%r4, %%r4, %%r1;\n"
	"\tmov.u32 %%r8, %%r1;\n\tmov.u32 %%r9, %%r1;\n\tmov.u32 %%r10, %%r1;\n\tmov.u32 %%r11, %%r1;\n"
	"\t@%%p %s;\n"
	"\txor.b32 %%r8, %%r8, %%r9;\n\txor.b32 %%r10, %%r10, %%r11;\n\txor.b32 %%r8, %%r8, %%r10;\n"
	"\tld.param.u64 %%rd2, [out];\n\tcvta.to.global.u64 %%rd2, %%rd2;\n\tadd.s64 %%rd2, %%rd2, %%rd1;\n"
	"\tst.global.u32 [%%rd2], %%r8;\n\tret;\n}\n";

static const struct pattern_op {
	enum access_op op;
	uint8_t width;
	const char *text;
} pattern_ops[] = {
	{ACCESS_LOAD, 1, "ld.volatile.shared.u8 %r8, [%r4]"},
	{ACCESS_LOAD, 2, "ld.volatile.shared.u16 %r8, [%r4]"},
	{ACCESS_LOAD, 4, "ld.volatile.shared.u32 %r8, [%r4]"},
	{ACCESS_LOAD, 8, "ld.volatile.shared.v2.u32 {%r8, %r9}, [%r4]"},
	{ACCESS_LOAD, 16, "ld.volatile.shared.v4.u32 {%r8, %r9, %r10, %r11}, [%r4]"},
	{ACCESS_STORE, 1, "st.volatile.shared.u8 [%r4], %r8"},
	{ACCESS_STORE, 2, "st.volatile.shared.u16 [%r4], %r8"},
	{ACCESS_STORE, 4, "st.volatile.shared.u32 [%r4], %r8"},
	{ACCESS_STORE, 8, "st.volatile.shared.v2.u32 [%r4], {%r8, %r9}"},
	{ACCESS_STORE, 16, "st.volatile.shared.v4.u32 [%r4], {%r8, %r9, %r10, %r11}"},
};

static uint32_t random_state = 12345;

static uint32_t random_below(uint32_t n)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (uint32_t)(((uint64_t)random_state * n) >> 32);
}

/* Masks with whole halves, quarters and pairs of quarters asleep come first, then any. */
static const uint32_t masks[] = {0xFFFFFFFF, 0x0000FFFF, 0xFFFF0000, 0x000000FF, 0x0000FF00, 0x00FF0000, 0xFF000000,
	0x00FF00FF, 0xFF00FF00, 0x00FFFFFF, 0xFFFFFF00, 0x00000001, 0x80000000, 0x00010001, 0x01010101, 0x55555555,
	0x0F0F0F0F, 0x000F000F, 0x33333333, 0xCCCCCCCC, 0x00030003, 0x00000000};
enum { MASKS = sizeof masks / sizeof masks[0], SHAPES = 5 };

/* Element index of a lane: neighbors, a stride, random in a small window, random in a large one, pairs that agree. */
static uint32_t element(int shape, int lane, uint32_t salt, uint32_t elements)
{
	switch (shape) {
	case 0: return (uint32_t)lane;
	case 1: return (uint32_t)lane * (1 + salt % 9) % elements;
	case 2: return random_below(40);
	case 3: return random_below(elements);
	default: return (uint32_t)(lane / 2) * (1 + salt % 5) % elements;
	}
}

static bool check_pattern(const struct pattern_op *op, const char *ptx, int shape, uint32_t mask)
{
	static const enum counter_id ids[2][3] = {
		{COUNTER_SHARED_LD_REQUESTS, COUNTER_SHARED_LD_WAVEFRONTS, COUNTER_SHARED_LD_CONFLICTS},
		{COUNTER_SHARED_ST_REQUESTS, COUNTER_SHARED_ST_WAVEFRONTS, COUNTER_SHARED_ST_CONFLICTS}};
	const enum counter_id *id = ids[op->op == ACCESS_STORE];
	struct warp_access access = {.space = SPACE_SHARED, .op = op->op, .width = op->width, .active = mask};
	struct buf in = {0};
	char mask_text[20];
	uint32_t salt = random_below(1000);
	buf_puts(&in, "u32[]:");
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		access.address[lane] = (uint64_t)element(shape, lane, salt, 32768u / op->width) * op->width;
		buf_printf(&in, "%s%" PRIu64, lane ? "," : "", access.address[lane]);
	}
	snprintf(mask_text, sizeof mask_text, "u32:%" PRIu32, mask);
	struct question q = {ptx, "pattern", 1, 32, {buf_str(&in), "u32[32]", mask_text}, all, 6, false};
	struct gpu_event event = ask(&q);
	struct access_cost cost = access_cost(&access, 90);
	/* an instruction with no active lane is executed and counted, though it asks memory for nothing */
	if (!mask)
		cost.requests = 1;
	double requests = value(&event, id[0]), waves = value(&event, id[1]), conflicts = value(&event, id[2]);
	bool ok = requests == cost.requests && waves == cost.wavefronts && conflicts == cost.bank_conflicts;
	if (!ok)
		printf("# %s %u bytes, mask %08" PRIx32
		       ", shape %d: counted %g requests, %g wavefronts, %g conflicts; model %d %d %d\n",
			warp_op_name(op->op), op->width, mask, shape, requests, waves, conflicts, cost.requests,
			cost.wavefronts, cost.bank_conflicts);
	buf_free(&in);
	return ok;
}

static void check_patterns(void)
{
	for (size_t i = 0; i < sizeof pattern_ops / sizeof pattern_ops[0]; i++) {
		struct buf ptx = {0}, name = {0};
		int right = 0, total = 0;
		buf_printf(&ptx, pattern_text, pattern_ops[i].text);
		for (int shape = 0; shape < SHAPES; shape++)
			for (int m = 0; m < MASKS + 18; m++, total++)
				right += check_pattern(&pattern_ops[i], buf_str(&ptx), shape,
					m < MASKS ? masks[m] : random_below(UINT32_MAX));
		buf_printf(&name, "shared %s of %u bytes: %d of %d patterns are the model's",
			warp_op_name(pattern_ops[i].op), pattern_ops[i].width, right, total);
		result(right == total, buf_str(&name));
		buf_free(&ptx);
		buf_free(&name);
	}
}

/* --- errors ------------------------------------------------------------------------------------------------------- */

#define KERNEL(params, body)                                                                                           \
	".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry k(" params ")\n{\n" body "\tret;\n}\n"
static const char fault_ptx[] = KERNEL(
	".param .u64 p", "\t.reg .b64 %rd<2>;\n\tmov.u64 %rd0, 64;\n\tst.global.u64 [%rd0], %rd0;\n");
static const char hang_ptx[] = KERNEL(".param .u64 p",
	"\t.reg .b64 %rd<2>;\n\t.reg .b32 %r<2>;\n\t.reg .pred %q;\n\tld.param.u64 %rd0, [p];\n"
	"again:\n\tld.volatile.global.u32 %r0, [%rd0];\n\tsetp.eq.u32 %q, %r0, 0;\n\t@%q bra again;\n");
static const char fine_ptx[] = KERNEL(".param .u64 p", "");

static const struct {
	const char *name;
	struct question q;
	enum wire_error_code code;
} wrong[] = {
	{"PTX that is none", {"hello\n", "k", 1, 1, {"u32[1]"}, NULL, 0, false}, WIRE_BAD_PTX},
	{"PTX newer than the driver",
		{".version 99.0\n.target sm_75\n.address_size 64\n", "k", 1, 1, {NULL}, NULL, 0, false},
		WIRE_PTX_TOO_NEW},
	{"a kernel that is not there", {fine_ptx, "other", 1, 1, {"u32[1]"}, NULL, 0, false}, WIRE_BAD_LAUNCH},
	{"too few arguments", {fine_ptx, "k", 1, 1, {NULL}, NULL, 0, false}, WIRE_BAD_LAUNCH},
	{"too many arguments", {fine_ptx, "k", 1, 1, {"u32[1]", "u32:1"}, NULL, 0, false}, WIRE_BAD_LAUNCH},
	{"an argument of another size", {fine_ptx, "k", 1, 1, {"u32:1"}, NULL, 0, false}, WIRE_BAD_LAUNCH},
	{"a block too large", {fine_ptx, "k", 1, 2048, {"u32[1]"}, NULL, 0, false}, WIRE_BAD_LAUNCH},
	{"a fault", {fault_ptx, "k", 1, 32, {"u32[1]"}, NULL, 0, false}, WIRE_KERNEL_FAULT},
	{"a fault while counting", {fault_ptx, "k", 1, 32, {"u32[1]"}, all, 6, false}, WIRE_KERNEL_FAULT},
	{"a kernel that does not end", {hang_ptx, "k", 1, 1, {"u32[1]"}, NULL, 0, false}, WIRE_TIMEOUT},
};

static void check_errors(void)
{
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		char storage[20];
		gpu_set_deadlines(gpu, WAIT_MS, wrong[i].code == WIRE_TIMEOUT ? 1500 : WAIT_MS);
		struct gpu_event event = ask(&wrong[i].q);
		bool reported = event.kind == GPU_EVENT_ERROR && event.error->code == wrong[i].code;
		gpu_set_deadlines(gpu, WAIT_MS, WAIT_MS);
		struct question q = stride_question(storage, sizeof storage, 2);
		event = ask(&q);
		struct buf name = {0};
		buf_printf(&name, "%s: reported, and the next measurement is right", wrong[i].name);
		result(reported && right_counts(&event, 2) && right_results(&event, 2), buf_str(&name));
		buf_free(&name);
	}
	static const char *const odd[] = {"no_such__metric.sum", "smsp__inst_executed.sum"};
	struct question q = {fine_ptx, "k", 1, 32, {"u32[1]"}, odd, 2, false};
	struct gpu_event event = ask(&q);
	result(event.kind == GPU_EVENT_MEASURED && !event.measurement->available[0] &&
			event.measurement->available[1] && event.measurement->values[1] > 0,
		"a metric that the GPU does not have is missing, the others are there");
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static bool probe(void)
{
	gpu_start(gpu);
	struct gpu_event event = gpu_wait(gpu, WAIT_MS);
	bool found = event.kind == GPU_EVENT_PROBED;
	result(found, "the worker finds a GPU");
	if (!found) {
		if (event.kind == GPU_EVENT_ERROR)
			printf("# %s: %s\n", wire_error_name(event.error->code), event.error->message);
		return false;
	}
	const struct wire_gpu *g = gpu_info(gpu);
	printf("# %s (%s), %s, CC %d, %d SMs, driver %s (CUDA %d), CUPTI %d (%s); start to probe %.0f ms\n", g->name,
		g->chip, g->uuid, g->cc, g->sms, g->driver, g->driver_cuda, g->cupti, g->cupti_version, event.ms);
	if (!g->counters)
		printf("# %s: %s\n", wire_error_name(g->counters_error), g->counters_message);
	result(g->counters, "it may read counters");
	return g->counters;
}

static void read_kernel(const char *source)
{
	struct diag diag = {0};
	struct buf text = {0}, path = {0};
	buf_printf(&path, "%s/kernels/shared_stride.ptx", source);
	if (!file_read(buf_str(&path), 1 << 20, &text, &diag)) {
		printf("Bail out! cannot read %s\n", buf_str(&path));
		exit(1);
	}
	buf_free(&path);
	shared_stride = buf_steal(&text);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"gpu", required_argument, NULL, 'g'},
		{"source", required_argument, NULL, 's'}, {"worker", required_argument, NULL, 'w'}, {0}};
	const char *spec = "local", *source = ".", *worker = "./simttutor-gpu";
	struct diag diag = {0};
	for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
		if (c == '?')
			return 2;
		*(c == 'g' ? &spec : c == 's' ? &source : &worker) = optarg;
	}
	for (int i = 0; i < COUNTERS; i++)
		all[i] = counter_table[i].hw;
	read_kernel(source);
	gpu = gpu_new(spec, worker, &diag);
	if (!gpu)
		return 2;
	double started = clock_ms();
	if (probe()) {
		char storage[20];
		struct question q = stride_question(storage, sizeof storage, 1);
		q.n_metrics = 6;
		struct gpu_event event = ask(&q);
		started = clock_ms() - started;
		printf("# cold start to the first numbers: %.0f ms, %.0f of them measuring\n", started, event.ms);
		result(event.kind == GPU_EVENT_MEASURED && started <= 1500,
			"the first numbers are there within 1.5 s of a cold start");
		q.n_metrics = COUNTERS;
		event = ask(&q);
		printf("# first measurement of all counters: %.0f ms, in %d passes\n", event.ms,
			event.kind == GPU_EVENT_MEASURED ? event.measurement->passes : 0);
		for (int i = 0; event.kind == GPU_EVENT_MEASURED && i < COUNTERS; i++)
			printf("#   %s %.6g\n", all[i], event.measurement->values[i]);
		check_strides();
		check_times();
		check_switching();
		check_passes();
		check_own_variables();
		check_patterns();
		check_errors();
	}
	gpu_free(gpu);
	free(shared_stride);
	printf("1..%d\n", tests);
	return failures != 0;
}
