/* Many readers of one GPU through `simttutor-gpu --serve`: how long each waits for its numbers, when each turns a
 * parameter every five seconds; that a reader whose kernels fault costs the others nothing; and that none finds in
 * memory what another put there. Prints TAP. Run by tests/gpu/readers.sh:
 *
 *   readers --gpu SPEC --known FILE [--readers N] [--seconds S]
 *
 * SPEC is how one reader reaches the server. FILE is what `simttutor course launches` printed: the launches of KERNEL
 * in it are what they turn through, asked for as learn does. */
#include "config.h"

#include <getopt.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/portable.h"
#include "gpu/client/gpu.h"
#include "model/hardware/counters.h"

#define KERNEL "shared_stride"
#define COUNTERS_ASKED 16 /* of the catalog, from its first: the lesson's */
#define READERS_MAX 200
#define EVERY_MS 5000
#define JOBS_MAX 64
#define TIMES_MAX 20000
#define LATE_MS 60000
#define SECRET "1592654987" /* 0x5eed1e8b + i is what one reader keeps in its memory */

struct reader {
	struct gpu *gpu;
	double next, asked, first; /* ms: when it turns, asked, had its first numbers; 0: not */
	int64_t id;                /* 0: it waits for nothing */
	int job, turns, answers, errors, wrong;
};

static struct reader readers[READERS_MAX], faulty;
static struct wire_job jobs[JOBS_MAX];
static double expected[JOBS_MAX][2 * COUNTERS_ASKED];
static bool has_expected[JOBS_MAX];
static const char *metrics[2 * COUNTERS_ASKED];
static int n_readers = 80, n_jobs, n_metrics, n_quick, tests, failures;
static double firsts[TIMES_MAX], lasts[TIMES_MAX];
static int n_times;

static void result(bool ok, const char *name)
{
	printf("%sok %d - %s\n", ok ? "" : "not ", ++tests, name);
	failures += !ok;
	fflush(stdout);
}

static void bail_out(const char *why)
{
	printf("Bail out! %s\n", why);
	exit(1);
}

/* --- what is asked ------------------------------------------------------------------------------------------------ */

static void name_metrics(void)
{
	for (int i = 0; i < COUNTERS_ASKED; i++)
		if (counter_per_instruction((enum counter_id)i))
			metrics[n_metrics++] = counter_per_instruction((enum counter_id)i);
	n_quick = n_metrics;
	for (int i = 0; i < COUNTERS_ASKED; i++)
		if (!counter_is_replaced((enum counter_id)i, 90))
			metrics[n_metrics++] = counter_table[i].hw;
}

static void read_jobs(const char *path)
{
	static struct arena *arena;
	struct buf file = {0};
	struct diag diag = {0};
	arena = arena_new();
	if (!file_read_text(path, (size_t)1 << 30, &file, &diag))
		bail_out(diag.entries[0].message);
	for (char *line = strtok(file.data, "\n"); line && n_jobs < JOBS_MAX; line = strtok(NULL, "\n")) {
		struct wire_message m;
		if (!strstr(line, "\"" KERNEL "\"") || !wire_read(arena, line, strlen(line), &m, &diag) ||
			m.kind != WIRE_MEASURE || strcmp(m.measure.job.launch.kernel, KERNEL) != 0)
			continue;
		for (int i = 0; i < m.measure.job.launch.n_args; i++)
			launch_arg_parse(
				arena, NULL, m.measure.job.launch.args[i].text, &m.measure.job.launch.args[i], &diag);
		jobs[n_jobs++] = m.measure.job;
	}
	buf_free(&file);
	if (n_jobs < 8)
		bail_out("there are too few launches of " KERNEL);
}

/* A launch of the reader's own. */
static int64_t ask_own(struct gpu *gpu, const char *ptx, const char *const args[], bool buffers)
{
	struct launch_arg parsed[4] = {0};
	struct diag diag = {0};
	struct arena *arena = arena_new();
	struct launch launch = {.kernel = "own", .grid = {1, 1, 1}, .block = {32, 1, 1}, .args = parsed};
	for (; args[launch.n_args]; launch.n_args++)
		if (!launch_arg_parse(arena, NULL, args[launch.n_args], &parsed[launch.n_args], &diag))
			bail_out(diag.entries[0].message);
	int64_t id = gpu_measure(gpu, &(struct wire_measure){{ptx, strlen(ptx), launch}, NULL, 0, buffers});
	arena_free(arena);
	return id;
}

/* --- readers ------------------------------------------------------------------------------------------------------ */

static void turn(struct reader *r, double now)
{
	r->job = (int)(r - readers) * 7 % n_jobs;
	r->job = (r->job + r->turns++) % n_jobs;
	r->asked = now;
	r->first = 0;
	r->next += EVERY_MS;
	r->id = gpu_measure(r->gpu, &(struct wire_measure){jobs[r->job], metrics, n_metrics, false});
}

static void take(struct reader *r, const struct wire_measurement *m, double now)
{
	r->answers++;
	if (n_times < TIMES_MAX) {
		firsts[n_times] = (r->first > 0 ? r->first : now) - r->asked;
		lasts[n_times++] = now - r->asked;
	}
	for (int i = 0; i < n_quick; i++)
		if (!has_expected[r->job])
			expected[r->job][i] = m->values[i];
		else if (expected[r->job][i] < m->values[i] || expected[r->job][i] > m->values[i])
			r->wrong++;
	has_expected[r->job] = true;
}

static void step(struct reader *r)
{
	struct gpu_event event;
	double now = clock_ms();
	while ((event = gpu_step(r->gpu)).kind != GPU_EVENT_NONE) {
		if (event.kind == GPU_EVENT_PROGRESS && event.progress.n && r->first <= 0)
			r->first = now;
		if (event.kind == GPU_EVENT_ERROR) {
			printf("# reader %d: %s: %s\n", (int)(r - readers), wire_error_name(event.error->code),
				event.error->message);
			r->errors++;
		}
		if (event.kind == GPU_EVENT_MEASURED && event.id == r->id)
			take(r, event.measurement, now);
		if (event.id && event.id == r->id && event.kind != GPU_EVENT_PROGRESS)
			r->id = 0;
	}
}

static void step_faulty(bool may_ask)
{
	static const char
		ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry own(.param .u64 p)\n{\n"
			"\t.reg .b64 %a;\n\tmov.b64 %a, 0;\n\tst.global.u32 [%a], 1;\n\tret;\n}\n";
	struct gpu_event event;
	while ((event = gpu_step(faulty.gpu)).kind != GPU_EVENT_NONE)
		if (event.id && event.id == faulty.id && event.kind != GPU_EVENT_PROGRESS) {
			faulty.id = 0;
			faulty.errors += event.kind == GPU_EVENT_ERROR && event.error->code == WIRE_KERNEL_FAULT;
			faulty.wrong += event.kind != GPU_EVENT_ERROR || event.error->code != WIRE_KERNEL_FAULT;
		}
	if (may_ask && !faulty.id && clock_ms() >= faulty.next) {
		faulty.next = clock_ms() + EVERY_MS;
		faulty.id = ask_own(faulty.gpu, ptx, (const char *const[]){"u32[4]", NULL}, false);
	}
}

static void wait_for_any(void)
{
	static struct pollfd fds[2 * READERS_MAX + 2];
	nfds_t n = 0;
	for (int i = 0; i <= n_readers; i++) {
		const struct gpu *gpu = i < n_readers ? readers[i].gpu : faulty.gpu;
		fds[n++] = (struct pollfd){gpu_fd(gpu), POLLIN, 0};
		fds[n++] = (struct pollfd){gpu_write_fd(gpu), POLLOUT, 0};
	}
	poll(fds, n, 5);
}

/* Readers turn until `seconds` are over, and what they asked is answered. */
static void run(int seconds, bool with_faults)
{
	double begin = clock_ms(), end = begin + 1000.0 * seconds;
	bool waiting = true;
	for (int i = 0; i < n_readers; i++) {
		struct gpu *gpu = readers[i].gpu;
		readers[i] = (struct reader){.gpu = gpu, .next = begin + (double)EVERY_MS * i / n_readers};
	}
	n_times = 0;
	for (double now; (now = clock_ms()) < end || (waiting && now < end + LATE_MS);) {
		waiting = faulty.id != 0;
		for (int i = 0; i < n_readers; i++) {
			step(&readers[i]);
			if (now < end && !readers[i].id && now >= readers[i].next)
				turn(&readers[i], now);
			waiting |= readers[i].id != 0;
		}
		step_faulty(with_faults && now < end);
		wait_for_any();
	}
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double at(double *v, double share)
{
	qsort(v, (size_t)n_times, sizeof *v, compare);
	return n_times ? v[(int)(share * (n_times - 1) + 0.5)] : 0;
}

static bool report(const char *what)
{
	int asked = 0, answers = 0, errors = 0, wrong = 0;
	for (int i = 0; i < n_readers; i++) {
		asked += readers[i].turns;
		answers += readers[i].answers;
		errors += readers[i].errors;
		wrong += readers[i].wrong;
	}
	printf("# %s: %d readers, %d measurements; key to the first numbers: median %.1f ms, 95 %% within %.1f; to all: median %.1f, 95 %% within "
	       "%.1f, most %.1f; %d not answered, %d errors, %d numbers differ\n",
		what, n_readers, answers, at(firsts, 0.5), at(firsts, 0.95), at(lasts, 0.5), at(lasts, 0.95),
		at(lasts, 1), asked - answers, errors, wrong);
	return answers == asked && answers > 0 && !errors && !wrong;
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

static bool wait_for(struct gpu *gpu, int64_t id, struct gpu_event *event)
{
	double end = clock_ms() + LATE_MS;
	do
		*event = gpu_wait(gpu, 1000);
	while ((event->kind == GPU_EVENT_NONE || event->id != id) && clock_ms() < end);
	return event->kind != GPU_EVENT_NONE && event->id == id;
}

/* One reader keeps a word in 16 MiB; another looks for it in 4 MiB of which 128 bytes are its own. A fault finds
 * nothing, either. */
static bool finds_nothing(const char *spec, const char *worker)
{
	static const char look[] =
		".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry own(.param .u64 p)\n{\n\t.reg .b64 %a, %o;\n"
		"\t.reg .b32 %i, %v, %n, %t;\n\t.reg .pred %q;\n\tld.param.u64 %a, [p];\n\tmov.u32 %t, %tid.x;\n\tmul.wide.u32 %o, %t, 4;\n"
		"\tadd.u64 %o, %a, %o;\n\tmov.u32 %i, 0;\n\tmov.u32 %n, 0;\nnext:\n\tld.global.u32 %v, [%o];\n\tsetp.eq.u32 %q, %v, " SECRET
		";\n\t@%q add.u32 %n, %n, 1;\n\tadd.u64 %o, %o, 128;\n\tadd.u32 %i, %i, 1;\n\tsetp.lt.u32 %q, %i, 32768;\n\t@%q bra next;\n"
		"\tmul.wide.u32 %o, %t, 4;\n\tadd.u64 %a, %a, %o;\n\tst.global.u32 [%a], %n;\n\tret;\n}\n";
	static const char nothing[] =
		".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry own(.param .u64 p)\n{\n\tret;\n}\n";
	struct diag diag = {0};
	struct gpu *keeper = gpu_new(spec, worker, &diag), *looker = gpu_new(spec, worker, &diag);
	struct gpu_event event;
	uint32_t found = 0;
	bool kept = wait_for(keeper,
			    ask_own(keeper, nothing, (const char *const[]){"u32[4194304]:=" SECRET, NULL}, false),
			    &event) &&
		event.kind == GPU_EVENT_MEASURED;
	bool looked = wait_for(looker, ask_own(looker, look, (const char *const[]){"u32[32]", NULL}, true), &event);
	bool read = looked && event.kind == GPU_EVENT_MEASURED;
	for (int i = 0; read && i < 32; i++)
		found += ((const uint32_t *)event.measurement->buffers[0])[i];
	printf("# looking for another reader's memory: %s, %u words found\n", read ? "it could be read" : "it faulted",
		found);
	gpu_free(keeper);
	gpu_free(looker);
	return kept && looked && found == 0;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"gpu", required_argument, NULL, 'g'},
		{"known", required_argument, NULL, 'k'}, {"readers", required_argument, NULL, 'r'},
		{"seconds", required_argument, NULL, 's'}, {"worker", required_argument, NULL, 'w'}, {0}};
	const char *spec = NULL, *known = NULL, *worker = "";
	int seconds = 60;
	for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
		if (c == 'g')
			spec = optarg;
		else if (c == 'k')
			known = optarg;
		else if (c == 'r')
			n_readers = atoi(optarg);
		else if (c == 's')
			seconds = atoi(optarg);
		else if (c == 'w')
			worker = optarg;
		else
			return 2;
	}
	if (!spec || !known || n_readers < 1 || n_readers > READERS_MAX)
		return 2;
	struct diag diag = {0};
	name_metrics();
	read_jobs(known);
	for (int i = 0; i < n_readers; i++)
		readers[i].gpu = gpu_new(spec, worker, &diag);
	faulty.gpu = gpu_new(spec, worker, &diag);
	run(10, false);
	report("the first seconds, with every start");
	run(seconds, false);
	result(report("warm"), "every reader gets every number, the same as all others");
	result(at(lasts, 0.5) <= 300, "the median from a key to all numbers is at most 0.3 s");
	result(at(lasts, 0.95) <= 1500, "of 95 % at most 1.5 s");
	run(seconds / 2, true);
	bool unharmed = report("beside a reader whose kernels fault");
	printf("# %d faults\n", faulty.errors);
	result(unharmed && faulty.errors > 0 && !faulty.wrong, "the faults of one cost no other a number");
	result(finds_nothing(spec, worker), "no reader finds another's memory");
	for (int i = 0; i < n_readers; i++)
		gpu_free(readers[i].gpu);
	gpu_free(faulty.gpu);
	printf("1..%d\n", tests);
	return failures > 0;
}
