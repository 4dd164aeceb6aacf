/* Faults of every kind, mixed at random: after each, the next measurement must be what it was before all of them. Or,
 * with --memory, measurements without faults, and how much memory the worker has after so many of them. Prints TAP.
 *
 *   faults [--worker PATH] [--source DIR] [--count N] [--seed S] [--memory N]
 *
 * Runs on a GPU, and on the one that is not there of tests/fake-cuda, for which the kernels say in comments what they
 * do. */
#include "config.h"

#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/portable.h"
#include "gpu/client/gpu.h"
#include "model/hardware/counters.h"
#include "model/profile/profile.h"

#define START_MS 60000
#define WAIT_MS 60000
#define ENDLESS_MS 500 /* what a kernel without end is given */
#define MEASURING_US 6000
#define STARTING_US 600000 /* of a worker on a GPU, as a measurement above */
#define EXACT_MAX 8

static struct gpu *gpu;
static char dir[200];
static char *shared_stride;
static const char *exact[EXACT_MAX];
static int n_exact, tests, failures;
static uint64_t random_state;

static void result(bool ok, const char *name)
{
	printf("%sok %d - %s\n", ok ? "" : "not ", ++tests, name);
	failures += !ok;
	fflush(stdout);
}

static uint32_t random_below(uint32_t n)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((random_state >> 33) % n);
}

/* --- the worker, disturbed ------------------------------------------------------------------------------------- */

/* The worker as the front end starts it: it writes its number down, and leaves its output open as descriptor 9. */
static const char *make_wrapper(const char *worker)
{
	static char path[300];
	char real[4096];
	snprintf(path, sizeof path, "%s/worker", dir);
	FILE *file = realpath(worker, real) ? fopen(path, "w") : NULL;
	if (!file)
		return NULL;
	fprintf(file, "#!/bin/sh\necho $$ > %s/pid\nexec 9>&1\nexec '%s' \"$@\"\n", dir, real);
	fclose(file);
	chmod(path, 0700);
	return path;
}

static pid_t worker_pid(void)
{
	char path[300];
	int pid = 0;
	snprintf(path, sizeof path, "%s/pid", dir);
	FILE *file = fopen(path, "r");
	if (file) {
		if (fscanf(file, "%d", &pid) != 1)
			pid = 0;
		fclose(file);
	}
	return pid;
}

static void send_garbage(const char *bytes, size_t len)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/fd/9", (int)worker_pid());
	int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC); /* a full pipe is garbage enough */
	if (fd < 0)
		return;
	if (write(fd, bytes, len) < 0)
		printf("# the pipe took no garbage\n");
	close(fd);
}

/* --- asking ------------------------------------------------------------------------------------------------------- */

struct question {
	const char *ptx, *kernel;
	uint32_t grid, block;
	const char *args[12];
	bool buffers;
};

static void read_launch(struct arena *arena, const struct question *q, struct launch *launch)
{
	struct diag diag = {0};
	*launch = (struct launch){.kernel = q->kernel, .grid = {q->grid, 1, 1}, .block = {q->block, 1, 1}};
	launch->args = arena_array(arena, struct launch_arg, 12);
	for (; launch->n_args < 12 && q->args[launch->n_args]; launch->n_args++)
		if (!launch_arg_parse(arena, NULL, q->args[launch->n_args], &launch->args[launch->n_args], &diag)) {
			printf("Bail out! %s\n", diag.entries[0].message);
			exit(1);
		}
}

static int64_t send_question(const struct question *q, const char *const *metrics, int n)
{
	struct arena *arena = arena_new();
	struct launch launch;
	read_launch(arena, q, &launch);
	int64_t id = gpu_measure(gpu, &(struct wire_measure){{q->ptx, strlen(q->ptx), launch}, metrics, n, q->buffers});
	arena_free(arena);
	return id;
}

/* Waits for what answers `id`; what concerns the worker as a whole is passed over. Valid until the next question. */
static struct gpu_event wait_for(int64_t id)
{
	struct gpu_event event;
	do
		event = gpu_wait(gpu, WAIT_MS);
	while (event.kind != GPU_EVENT_NONE && event.id != id);
	return event;
}

/* --- a measurement that is known ---------------------------------------------------------------------------------- */

enum { STRIDES = 6, GRID = 4, BLOCK = 64 };
static const char *const strides[STRIDES] = {"u32:0", "u32:1", "u32:2", "u32:5", "u32:8", "u32:32"};

static struct known {
	double values[EXACT_MAX];
	float out[GRID * BLOCK];
} known[STRIDES];

static struct question stride_question(int which)
{
	return (struct question){shared_stride, "shared_stride", GRID, BLOCK,
		{"f32[1024]:iota", "f32[256]", strides[which], "u32:16"}, true};
}

static bool measure_known(int which, struct known *out)
{
	struct question q = stride_question(which);
	struct gpu_event event = wait_for(send_question(&q, exact, n_exact));
	if (event.kind != GPU_EVENT_MEASURED) {
		printf("# no measurement: %s\n", event.kind == GPU_EVENT_ERROR ? event.error->message : "nothing came");
		return false;
	}
	for (int i = 0; i < n_exact; i++)
		out->values[i] = event.measurement->available[i] ? event.measurement->values[i] : NAN;
	memcpy(out->out, event.measurement->buffers[1], sizeof out->out);
	return true;
}

static bool is_as_before(int which)
{
	struct known now;
	if (!measure_known(which, &now))
		return false;
	for (int i = 0; i < n_exact; i++)
		if (now.values[i] != known[which].values[i]) {
			printf("# %s: %g, before %g\n", exact[i], now.values[i], known[which].values[i]);
			return false;
		}
	return memcmp(now.out, known[which].out, sizeof now.out) == 0;
}

/* --- faults ------------------------------------------------------------------------------------------------------- */

#define KERNEL(comment, declarations, body)                                                                                              \
	".version 6.3\n.target sm_75\n.address_size 64\n" comment "\n" declarations                                                      \
	".visible .entry k(.param .u64 p)\n{\n\t.reg .b64 %a<4>;\n\t.reg .b32 %r<4>;\n\t.reg .pred %q;\n\tld.param.u64 %a0, [p];\n" body \
	"\tret;\n}\n"

static const char illegal_ptx[] = KERNEL("// fake: sync=700", "", "\tmov.u64 %a1, 64;\n\tst.global.u64 [%a1], %a0;\n");
static const char misaligned_ptx[] = KERNEL(
	"// fake: sync=716", "", "\tadd.s64 %a1, %a0, 2;\n\tld.volatile.global.u32 %r0, [%a1];\n");
static const char trap_ptx[] = KERNEL("// fake: sync=719", "", "\ttrap;\n");
static const char assert_ptx[] = KERNEL("// fake: sync=710",
	".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s)\n;\n"
	".global .align 1 .b8 text[6] = {105, 32, 60, 32, 110, 0};\n",
	"\tmov.u64 %a1, text;\n\tcvta.global.u64 %a1, %a1;\n\tmov.u64 %a2, 1;\n\tmov.u32 %r0, 7;\n\t{\n\t.param .b64 p0;\n\tst.param.b64 [p0+0], %a1;\n"
	"\t.param .b64 p1;\n\tst.param.b64 [p1+0], %a1;\n\t.param .b32 p2;\n\tst.param.b32 [p2+0], %r0;\n"
	"\t.param .b64 p3;\n\tst.param.b64 [p3+0], %a1;\n\t.param .b64 p4;\n\tst.param.b64 [p4+0], %a2;\n"
	"\tcall.uni __assertfail, (p0, p1, p2, p3, p4);\n\t}\n");
static const char endless_ptx[] = KERNEL("// fake: hang", "",
	"again:\n\tld.volatile.global.u32 %r0, [%a0];\n\tsetp.eq.u32 %q, %r0, 0;\n\t@%q bra again;\n");
static const char fine_ptx[] = KERNEL("", "", "");
static const char newer_ptx[] = ".version 99.0\n.target sm_75\n.address_size 64\n";

enum how { ASKED, KILLED_IDLE, KILLED_STARTING, KILLED_BUSY, STOPPED, GARBAGE_IDLE, GARBAGE_BUSY };

static const struct kind {
	const char *name;
	int weight; /* how often, against the others */
	enum how how;
	struct question q;
	enum wire_error_code code; /* WIRE_ERRORS: what comes depends on who is first; an answer may come, too */
	const char *blame;         /* how the machine's sentence begins */
} kinds[] = {
	{"illegal address", 4, ASKED, {illegal_ptx, "k", 2, 32, {"u32[1]"}, 0}, WIRE_KERNEL_FAULT,
		"The machine finds: out of bounds store"},
	{"misaligned address", 3, ASKED, {misaligned_ptx, "k", 2, 32, {"u32[4]"}, 0}, WIRE_KERNEL_FAULT,
		"The machine finds: misaligned address load"},
	{"trap", 3, ASKED, {trap_ptx, "k", 1, 32, {"u32[1]"}, 0}, WIRE_KERNEL_FAULT, "The machine finds: trap"},
	{"assertion", 3, ASKED, {assert_ptx, "k", 1, 32, {"u32[1]"}, 0}, WIRE_KERNEL_FAULT,
		"The machine finds: assertion"},
	{"kernel without end", 2, ASKED, {endless_ptx, "k", 1, 1, {"u32[1]"}, 0}, WIRE_TIMEOUT,
		"The machine does not come to an end either: "},
	{"launch that cannot be", 6, ASKED, {fine_ptx, "k", 1, 2048, {"u32[1]"}, 0}, WIRE_BAD_LAUNCH, NULL},
	{"no such kernel", 4, ASKED, {fine_ptx, "other", 1, 32, {"u32[1]"}, 0}, WIRE_BAD_LAUNCH, NULL},
	{"PTX to come", 4, ASKED, {newer_ptx, "k", 1, 32, {NULL}, 0}, WIRE_PTX_TOO_NEW, NULL},
	{"PTX that is none", 4, ASKED, {"hello\n", "k", 1, 32, {NULL}, 0}, WIRE_BAD_PTX, NULL},
	{"out of memory", 6, ASKED,
		{fine_ptx, "k", 1, 32,
			{"u8[1073741824]", "u8[1073741824]", "u8[1073741824]", "u8[1073741824]", "u8[1073741824]",
				"u8[1073741824]", "u8[1073741824]", "u8[1073741824]", "u8[1073741824]"},
			0},
		WIRE_OUT_OF_MEMORY, NULL},
	{"worker killed while idle", 2, KILLED_IDLE, {NULL, NULL, 0, 0, {NULL}, 0}, WIRE_ERRORS, NULL},
	{"worker killed while it starts", 1, KILLED_STARTING, {NULL, NULL, 0, 0, {NULL}, 0}, WIRE_ERRORS, NULL},
	{"worker killed while it measures", 4, KILLED_BUSY, {NULL, NULL, 0, 0, {NULL}, 0}, WIRE_ERRORS, NULL},
	{"worker stopped", 2, STOPPED, {NULL, NULL, 0, 0, {NULL}, 0}, WIRE_TIMEOUT, NULL},
	{"garbage while idle", 3, GARBAGE_IDLE, {NULL, NULL, 0, 0, {NULL}, 0}, WIRE_ERRORS, NULL},
	{"garbage while it measures", 5, GARBAGE_BUSY, {NULL, NULL, 0, 0, {NULL}, 0}, WIRE_ERRORS, NULL},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* One of the ways in which what comes through a pipe can be wrong. */
static void send_some_garbage(int64_t id)
{
	static char many[2 << 20];
	struct buf line = {0};
	const struct wire_error error = {WIRE_PROFILER, "no reason given"};
	switch (random_below(7)) {
	case 0: /* a part of a line, to which the next answer is glued */
		buf_puts(&line, "{\"type\":\"measurement\",\"id\":");
		break;
	case 1: /* more than fits a pipe, without an end */
		memset(many, 'x', sizeof many);
		send_garbage(many, sizeof many);
		break;
	case 2: /* bytes */
		for (int i = 0; i < 300; i++)
			buf_putc(&line, (char)random_below(256));
		buf_putc(&line, '\n');
		break;
	case 3: /* an answer to what was not asked */
		wire_write(&(struct wire_message){.kind = WIRE_ERROR_REPLY, .id = id + 1000, .error = error}, &line);
		break;
	case 4: /* an answer to what was answered already */
		wire_write(&(struct wire_message){.kind = WIRE_ERROR_REPLY, .id = id > 1 ? id - 1 : 1, .error = error},
			&line);
		break;
	case 5: /* an answer of another kind, twice */
		for (int i = 0; i < 2; i++)
			wire_write(&(struct wire_message){.kind = WIRE_RESULT_PROBE,
					   .id = id,
					   .gpu = {.name = "",
						   .chip = "",
						   .uuid = "",
						   .driver = "",
						   .cupti_version = "",
						   .counters = true}},
				&line);
		break;
	default: /* a second hello, and empty lines */
		wire_write(&(struct wire_message){.kind = WIRE_HELLO,
				   .hello = {.protocol = WIRE_PROTOCOL, .version = "9"}},
			&line);
		buf_puts(&line, "\n\n");
	}
	if (line.len)
		send_garbage(line.data, line.len);
	buf_free(&line);
}

/* Until the front end has nothing more to tell. */
static void settle(void)
{
	while (gpu_wait(gpu, 5).kind != GPU_EVENT_NONE)
		continue;
}

static void pause_us(long us)
{
	nanosleep(&(struct timespec){.tv_nsec = us * 1000}, NULL);
}

/* A child that kills the worker within `most` microseconds; with `old`, the worker that comes after that one. */
static pid_t send_killer(pid_t old, uint32_t most)
{
	long us = (long)random_below(most);
	fflush(stdout);
	pid_t child = fork();
	if (child != 0)
		return child;
	pid_t target = worker_pid();
	for (int i = 0; i < 2000 && (target == old || target <= 0); i++) {
		pause_us(1000);
		target = worker_pid();
	}
	pause_us(us);
	if (target != old && target > 0)
		kill(target, SIGKILL);
	_exit(0);
}

static struct gpu_event inject(const struct kind *kind, int which)
{
	struct question good = stride_question(which);
	struct gpu_event event;
	int64_t id;
	pid_t killer, old = worker_pid();
	switch (kind->how) {
	case ASKED:
		gpu_set_deadlines(gpu, START_MS, kind->code == WIRE_TIMEOUT ? ENDLESS_MS : WAIT_MS);
		return wait_for(send_question(&kind->q, exact, random_below(2) ? n_exact : 0));
	case KILLED_IDLE: kill(old, SIGKILL); return wait_for(send_question(&good, exact, n_exact));
	case KILLED_STARTING:
	case KILLED_BUSY:
		if (kind->how == KILLED_STARTING)
			kill(old, SIGKILL);
		killer = kind->how == KILLED_STARTING ? send_killer(old, STARTING_US) : send_killer(0, MEASURING_US);
		event = wait_for(send_question(&good, exact, n_exact));
		waitpid(killer, NULL, 0);
		return event;
	case STOPPED:
		gpu_set_deadlines(gpu, START_MS, ENDLESS_MS);
		kill(old, SIGSTOP);
		return wait_for(send_question(&good, exact, n_exact));
	case GARBAGE_IDLE:
		send_some_garbage(1);
		if (random_below(2))
			settle();
		return wait_for(send_question(&good, exact, n_exact));
	case GARBAGE_BUSY:
		id = send_question(&good, exact, n_exact);
		gpu_step(gpu);
		send_some_garbage(id);
		return wait_for(id);
	}
	return (struct gpu_event){0};
}

/* What must come of it: the code of a request, or for the others an answer or one of the codes of a broken worker. */
static bool is_expected_error(const struct kind *kind, const struct gpu_event *event)
{
	if (kind->code != WIRE_ERRORS)
		return event->kind == GPU_EVENT_ERROR && event->error->code == kind->code;
	if (event->kind == GPU_EVENT_MEASURED)
		return true;
	return event->kind == GPU_EVENT_ERROR &&
		(event->error->code == WIRE_WORKER_DIED || event->error->code == WIRE_GARBAGE ||
			event->error->code == WIRE_PROFILER);
}

static bool is_blamed(const struct kind *kind)
{
	struct arena *arena = arena_new();
	struct launch launch;
	read_launch(arena, &kind->q, &launch);
	struct blame *blame = profile_blame_new(kind->q.ptx, strlen(kind->q.ptx), &launch);
	while (!profile_blame_step(blame, 1000))
		continue;
	bool ok = strstr(profile_blame_sentence(blame), kind->blame) != NULL;
	printf("# %s: %s\n", kind->name, profile_blame_sentence(blame));
	profile_blame_free(blame);
	arena_free(arena);
	return ok;
}

static const struct kind *choose(int i)
{
	int sum = 0, at = 0;
	if (i < KINDS)
		return &kinds[i]; /* each at least once */
	for (int k = 0; k < KINDS; k++)
		sum += kinds[k].weight;
	at = (int)random_below((uint32_t)sum);
	for (int k = 0; k < KINDS; k++)
		if ((at -= kinds[k].weight) < 0)
			return &kinds[k];
	return &kinds[0];
}

static void check_faults(int count)
{
	int reported = 0, right = 0, injected[KINDS] = {0}, restarts = 0;
	double worst = 0, began = clock_ms();
	pid_t before = worker_pid();
	for (int i = 0; i < count; i++) {
		const struct kind *kind = choose(i);
		int which = (int)random_below(STRIDES);
		struct gpu_event event = inject(kind, which);
		bool ok = is_expected_error(kind, &event),
		     pending = event.kind == GPU_EVENT_MEASURED && kind->how != ASKED;
		if (!ok)
			printf("# fault %d, %s: %s\n", i, kind->name,
				event.kind == GPU_EVENT_ERROR          ? event.error->message
					: event.kind == GPU_EVENT_NONE ? "nothing came"
								       : "an answer");
		gpu_set_deadlines(gpu, START_MS, WAIT_MS);
		double start = clock_ms();
		bool again = is_as_before(which);
		/* what came too late for its measurement hits the next one, which fails; the one after that is right */
		if (!again && pending)
			again = is_as_before(which);
		if (!again)
			printf("# after fault %d, %s, the measurement is wrong\n", i, kind->name);
		worst = fmax(worst, clock_ms() - start);
		reported += ok;
		right += again;
		injected[kind - kinds]++;
		restarts += worker_pid() != before;
		before = worker_pid();
	}
	for (int k = 0; k < KINDS; k++)
		printf("# %3d  %s\n", injected[k], kinds[k].name);
	printf("# %d faults, %d restarts, %.1f s; the longest way back to a number %.0f ms\n", count, restarts,
		(clock_ms() - began) / 1e3, worst);
	result(reported == count, "each fault was reported as what it is");
	result(right == count, "each measurement after a fault is as before");
}

static void check_blame(void)
{
	bool all = true;
	for (int k = 0; k < KINDS; k++)
		all &= !kinds[k].blame || is_blamed(&kinds[k]);
	result(all, "the machine names what is wrong with each kernel");
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

static long resident_kib(void)
{
	char path[64], line[200];
	long kib = -1;
	snprintf(path, sizeof path, "/proc/%d/status", (int)worker_pid());
	FILE *file = fopen(path, "r");
	while (file && fgets(line, sizeof line, file))
		if (sscanf(line, "VmRSS: %ld", &kib) == 1)
			break;
	if (file)
		fclose(file);
	return kib;
}

#define GROWTH_KIB 2048           /* of 5000 measurements: what each of them keeps is then less than 420 bytes */
enum { MODULES = 40, TURNS = 5 }; /* more than the worker keeps; every TURNS-th measurement is of another one */

/* Other text, other name: another module for the driver. */
static char *variant(int i)
{
	struct buf ptx = {0};
	buf_printf(&ptx,
		".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry k%d(.param .u64 p)\n{\n\t.reg .b64 %%a<2>;\n"
		"\tld.param.u64 %%a0, [p];\n\tst.global.u32 [%%a0], %d;\n\tret;\n}\n",
		i, i);
	return buf_steal(&ptx);
}

/* Now and then other metrics, so that plans are made and dropped. */
static bool measure_one(int i, char *const *modules)
{
	char name[16], size[32];
	int which = i / TURNS % MODULES, skip = i / 500 % n_exact;
	snprintf(name, sizeof name, "k%d", which);
	snprintf(size, sizeof size, "u32[%d]", 1 + i * 37 % 5000);
	struct question odd = {modules[which], name, 1, 32, {size}, i % 3 == 0}, even = stride_question(i % STRIDES);
	const struct question *q = i % TURNS == 0 ? &odd : &even;
	return wait_for(send_question(q, exact + skip, n_exact - skip)).kind == GPU_EVENT_MEASURED;
}

static void check_memory(int count)
{
	static const int at[] = {100, 500, 1000, 2000, 5000, 10000, 20000};
	char *modules[MODULES];
	long early = 0, last = 0;
	bool all = true;
	double began = clock_ms();
	pid_t pid = worker_pid();
	for (int i = 0; i < MODULES; i++)
		modules[i] = variant(i);
	for (int i = 1; i <= count; i++) {
		all &= measure_one(i, modules);
		bool show = i == count;
		for (size_t k = 0; k < sizeof at / sizeof at[0]; k++)
			show |= i == at[k];
		if (!show)
			continue;
		last = resident_kib();
		printf("# after %5d measurements the worker has %ld KiB, %.1f s\n", i, last,
			(clock_ms() - began) / 1e3);
		if (i <= count / 2)
			early = last;
	}
	for (int i = 0; i < MODULES; i++)
		free(modules[i]);
	result(all && worker_pid() == pid, "one worker measured all");
#ifdef SIMT_SANITIZED
	last = early; /* a sanitizer keeps what is freed */
#endif
	result(all && last - early <= GROWTH_KIB, "from half way on its memory grows by less than 2 MiB");
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static bool learn_known(void)
{
	for (int i = 0; i < COUNTERS && n_exact < EXACT_MAX; i++)
		if (counter_table[i].trust == COUNTER_EXACT && strstr(counter_table[i].hw, "shared"))
			exact[n_exact++] = counter_table[i].hw;
	for (int i = 0; i < STRIDES; i++)
		if (!measure_known(i, &known[i]))
			return false;
	for (int i = 0; i < STRIDES; i++)
		if (!is_as_before(i))
			return false;
	return true;
}

static bool read_kernel(const char *source)
{
	struct diag diag = {0};
	struct buf text = {0}, path = {0};
	buf_printf(&path, "%s/kernels/shared_stride.ptx", source);
	bool ok = file_read(buf_str(&path), 1 << 20, &text, &diag);
	buf_free(&path);
	diag_free(&diag);
	shared_stride = buf_steal(&text);
	return ok;
}

static void clean_up(void)
{
	char path[300];
	static const char *const files[] = {"worker", "pid", ""};
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, files[i]);
		remove(path);
	}
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"source", required_argument, NULL, 's'},
		{"worker", required_argument, NULL, 'w'}, {"count", required_argument, NULL, 'c'},
		{"seed", required_argument, NULL, 'e'}, {"memory", required_argument, NULL, 'm'}, {0}};
	const char *source = ".", *worker = "./simttutor-gpu";
	struct diag diag = {0};
	int count = 200, memory = 0;
	random_state = (uint64_t)time(NULL);
	for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
		switch (c) {
		case 's': source = optarg; break;
		case 'w': worker = optarg; break;
		case 'c': count = atoi(optarg); break;
		case 'e': random_state = strtoull(optarg, NULL, 0); break;
		case 'm': memory = atoi(optarg); break;
		default: return 2;
		}
	}
	printf("# seed %" PRIu64 "\n", random_state);
	snprintf(dir, sizeof dir, "%s/faults-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	const char *wrapper = mkdtemp(dir) ? make_wrapper(worker) : NULL;
	gpu = wrapper && read_kernel(source) ? gpu_new("local", wrapper, &diag) : NULL;
	if (!gpu) {
		printf("Bail out! there is no %s, or no kernel in %s\n", worker, source);
		return 1;
	}
	gpu_set_deadlines(gpu, START_MS, WAIT_MS);
	result(learn_known(), "the same measurements, twice");
	if (failures == 0 && memory) {
		check_memory(memory);
	} else if (failures == 0) {
		check_faults(count);
		check_blame();
	}
	gpu_free(gpu);
	free(shared_stride);
	clean_up();
	printf("1..%d\n", tests);
	return failures != 0;
}
