/* Several readers of one GPU at once, each with a worker of its own: their numbers, their turns, and what becomes of
 * the others when the one whose turn it is is killed. Prints TAP. Run by tests/gpu/turns.sh:
 *
 *   turns --worker PATH --source DIR --dir DIR [--readers N]
 *
 * --dir is where workers leave their process numbers. */
#include "config.h"

#include <getopt.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/portable.h"
#include "gpu/client/gpu.h"

#define READERS_MAX 8
#define WAIT_MS 60000

/* Counts that do not depend on how long something takes: they must be the same whatever else runs. */
static const char *const counts[] = {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "smsp__inst_executed.sum",
	"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "smsp__sass_branch_targets.sum"};
#define N_COUNTS ((int)(sizeof counts / sizeof *counts))

struct reader {
	struct gpu *gpu;
	int64_t id; /* of what it waits for; 0: nothing */
	int left;   /* to ask for */
	int done, wrong, errors;
	int most_before;    /* of those that were reported to be ahead */
	double first, last; /* ms: of its answers */
	double longest;     /* ms from asking to the answer */
};

static struct reader readers[READERS_MAX];
static int n_readers = 4, tests, failures;
static struct buf ptx;
static double expected[N_COUNTS]; /* as one reader alone measured it */

static void result(bool ok, const char *name)
{
	printf("%sok %d - %s\n", ok ? "" : "not ", ++tests, name);
	failures += !ok;
	fflush(stdout);
}

static void ask(struct reader *r)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct launch_arg args[4] = {0};
	const char *const texts[] = {"f32[1024]:iota", "f32[256]", "u32:2", "u32:16"};
	for (int i = 0; i < 4; i++)
		launch_arg_parse(arena, NULL, texts[i], &args[i], &diag);
	struct launch launch = {
		.kernel = "shared_stride", .grid = {4, 1, 1}, .block = {64, 1, 1}, .args = args, .n_args = 4};
	r->id = gpu_measure(r->gpu, &(struct wire_measure){{buf_str(&ptx), ptx.len, launch}, counts, N_COUNTS, false});
	r->left--;
	arena_free(arena);
}

static void take_measurement(struct reader *r, const struct gpu_event *event)
{
	for (int i = 0; i < N_COUNTS; i++)
		if (isnan(expected[i]))
			expected[i] = event->measurement->values[i];
		else if (event->measurement->values[i] != expected[i])
			r->wrong++;
	r->last = clock_ms();
	if (!r->done++)
		r->first = r->last;
	if (event->ms > r->longest)
		r->longest = event->ms;
}

/* True when it has nothing more to wait for. */
static bool step(struct reader *r)
{
	struct gpu_event event;
	while ((event = gpu_step(r->gpu)).kind != GPU_EVENT_NONE) {
		if (event.kind == GPU_EVENT_PROGRESS && event.progress.waiting > r->most_before)
			r->most_before = event.progress.waiting;
		if (event.kind == GPU_EVENT_ERROR) {
			printf("# reader %d: %s: %s\n", (int)(r - readers), wire_error_name(event.error->code),
				event.error->message);
			r->errors++;
		}
		if (event.kind == GPU_EVENT_MEASURED)
			take_measurement(r, &event);
		if (event.id && event.id == r->id && event.kind != GPU_EVENT_PROGRESS)
			r->id = 0;
	}
	if (!r->id && r->left > 0)
		ask(r);
	return !r->id;
}

/* Steps all readers until none waits, or until `until` says so. */
static void serve(bool (*until)(void))
{
	double end = clock_ms() + WAIT_MS;
	for (bool over = false; !over && clock_ms() < end && !(until && until());) {
		struct pollfd fds[2 * READERS_MAX];
		over = true;
		for (int i = 0; i < n_readers; i++)
			over &= step(&readers[i]);
		for (int i = 0; i < n_readers; i++) {
			fds[2 * i] = (struct pollfd){gpu_fd(readers[i].gpu), POLLIN, 0};
			fds[2 * i + 1] = (struct pollfd){gpu_write_fd(readers[i].gpu), POLLOUT, 0};
		}
		if (!over)
			poll(fds, 2 * (nfds_t)n_readers, 20);
	}
}

static void start_over(int i, int measurements)
{
	struct gpu *gpu = readers[i].gpu;
	readers[i] = (struct reader){.gpu = gpu, .left = measurements};
}

/* --- tests -------------------------------------------------------------------------------------------------------- */

static void one_alone(void)
{
	for (int i = 0; i < N_COUNTS; i++)
		expected[i] = NAN;
	start_over(0, 20);
	serve(NULL);
	printf("# alone: %d measurements, %.2f ms each\n", readers[0].done,
		(readers[0].last - readers[0].first) / (readers[0].done > 1 ? readers[0].done - 1 : 1));
	result(readers[0].done == 20 && !readers[0].wrong && !readers[0].errors,
		"one reader alone is measured, always the same");
}

static bool all_were_served(void)
{
	for (int i = 0; i < n_readers; i++)
		if (readers[i].done == 0)
			return false;
	return true;
}

static void all_once(void)
{
	double begun = clock_ms();
	for (int i = 0; i < n_readers; i++)
		start_over(i, 1);
	serve(all_were_served);
	int wrong = 0, before = 0;
	for (int i = 0; i < n_readers; i++) {
		wrong += readers[i].wrong + readers[i].errors;
		before = readers[i].most_before > before ? readers[i].most_before : before;
	}
	printf("# %d readers ask at once, their workers not started yet but for one: all answered in %.0f ms\n",
		n_readers, clock_ms() - begun);
	result(all_were_served() && wrong == 0, "all that ask at once are answered, with the same numbers");
}

/* Each asks again as soon as it is answered. */
static void all_all_the_time(int each)
{
	double begun = clock_ms();
	int wrong = 0, least = each, before = 0, reported = 0;
	double longest = 0, first_end = INFINITY, last_end = 0;
	for (int i = 0; i < n_readers; i++)
		start_over(i, each);
	serve(NULL);
	for (int i = 0; i < n_readers; i++) {
		const struct reader *r = &readers[i];
		wrong += r->wrong + r->errors;
		least = r->done < least ? r->done : least;
		before = r->most_before > before ? r->most_before : before;
		reported += r->most_before > 0;
		longest = fmax(longest, r->longest);
		first_end = fmin(first_end, r->last);
		last_end = fmax(last_end, r->last);
	}
	printf("# %d readers, %d measurements each: %.0f ms, %.2f ms a measurement; the longest wait %.0f ms; the first was through "
	       "after %.0f ms, the last after %.0f; at most %d were before one\n",
		n_readers, each, last_end - begun, (last_end - begun) / (each * n_readers), longest, first_end - begun,
		last_end - begun, before);
	result(least == each && wrong == 0, "all that ask all the time are answered, with the same numbers");
	result(reported >= n_readers - 1 && before >= 1 && before <= n_readers - 1,
		"a reader that waits sees how many are ahead");
	result(last_end - first_end < (last_end - begun) * 0.6, "no reader is through long before the others");
}

static pid_t worker_of(const char *dir, int i)
{
	char path[4096], text[32] = "";
	snprintf(path, sizeof path, "%s/worker-%d", dir, i);
	FILE *file = fopen(path, "r");
	if (file && !fgets(text, sizeof text, file))
		text[0] = '\0';
	if (file)
		fclose(file);
	return (pid_t)atoi(text);
}

static bool half_way(void)
{
	return readers[0].done >= 10;
}

static void one_is_killed(const char *dir)
{
	for (int i = 0; i < n_readers; i++)
		start_over(i, 30);
	serve(half_way); /* reader 0 was answered this moment: it is its turn */
	pid_t pid = worker_of(dir, 0);
	int done = 0;
	for (int i = 1; i < n_readers; i++)
		done += readers[i].done;
	double killed = clock_ms(), next = INFINITY;
	kill(pid, SIGKILL);
	serve(NULL);
	int wrong = 0, errors = 0, least = 30;
	for (int i = 0; i < n_readers; i++) {
		wrong += readers[i].wrong;
		errors += i > 0 ? readers[i].errors : 0;
		least = readers[i].done < least && i > 0 ? readers[i].done : least;
		if (i > 0)
			next = fmin(next, readers[i].last);
	}
	printf("# the holder was killed; the others' next %d measurements took %.0f ms; its reader was answered %d times in all, with "
	       "%d errors\n",
		30 * (n_readers - 1) - done, next - killed, readers[0].done, readers[0].errors);
	result(pid > 0 && least == 30 && errors == 0 && wrong == 0,
		"one that is killed while it holds the GPU keeps no other from it");
	result(readers[0].errors == 1 && readers[0].done >= 29,
		"its reader gets one error, and goes on with a new worker");
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"worker", required_argument, NULL, 'w'},
		{"source", required_argument, NULL, 's'}, {"dir", required_argument, NULL, 'd'},
		{"readers", required_argument, NULL, 'r'}, {0}};
	const char *worker = "./simttutor-gpu", *source = ".", *dir = "/tmp";
	struct diag diag = {0};
	for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
		if (c == 'w')
			worker = optarg;
		else if (c == 's')
			source = optarg;
		else if (c == 'd')
			dir = optarg;
		else if (c == 'r' && atoi(optarg) >= 2 && atoi(optarg) <= READERS_MAX)
			n_readers = atoi(optarg);
		else
			return 2;
	}
	signal(SIGPIPE, SIG_IGN);
	char text[8192];
	snprintf(text, sizeof text, "%s/kernels/shared_stride.ptx", source);
	if (!file_read(text, 1 << 20, &ptx, &diag))
		return 2;
	for (int i = 0; i < n_readers; i++) {
		snprintf(text, sizeof text, "command:echo $$ > '%s/worker-%d'; exec %s", dir, i, worker);
		readers[i].gpu = gpu_new(text, "", &diag);
	}
	int readers_wanted = n_readers;
	n_readers = 1;
	one_alone();
	n_readers = readers_wanted;
	all_once();
	all_all_the_time(60);
	one_is_killed(dir);
	for (int i = 0; i < n_readers; i++)
		gpu_free(readers[i].gpu);
	buf_free(&ptx);
	printf("1..%d\n", tests);
	return failures > 0;
}
