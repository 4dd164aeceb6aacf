/* A stand-in for simttutor-gpu that speaks its protocol without a GPU, and misbehaves as its arguments say:
 *
 *   fake-worker [--once FILE] [--ms MS] [--cc 86] BEHAVIOR
 *
 * With --once it misbehaves only while FILE does not exist (and makes it), so that a restarted one is well. --ms is how
 * long the slow behaviors take; --cc the compute capability that it says it has, 90. The numbers of a measurement are
 * derived from the request: metric i (from 0) of a launch whose scalar arguments sum to S measures 1000 * (i + 1) + S,
 * where what counts per machine instruction has its counter's i; buffers come back as they were filled, from "machine"
 * as the SIMT machine leaves them, from "flip" so with the lowest bit of the last one's first byte flipped, or of the
 * first of its memory. It compiles a source to the PTX that stands in a comment of it, or refuses it with the log that
 * does; "no-nvrtc" cannot. Kernels with probes always run on the SIMT machine. "stamps-differ" says that they computed
 * something else, "stamps-garbage" returns bytes that no probe writes, "stamps-short" too few. Metric i of a sampled
 * launch rises from 0 to 100 * (i + 1) and falls to 0 again. "slow-stamps" takes --ms for each of these two,
 * "stamps-error:CODE" and "samples-error:CODE" fail at one of them. "count" measures what the machine and the model
 * count, "miscount" one more of the first metric, "waits" three more of each counter that counts again what waited.
 * "no-addresses" puts no memory at addresses. */
#include "config.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gpu/wire/wire.h"
#include "model/hardware/occupancy.h"
#include "model/profile/profile.h"

struct fake {
	const char *behavior;
	int ms, cc;
};

static bool is(const struct fake *fake, const char *name)
{
	return !strcmp(fake->behavior, name);
}

static void pause_ms(int ms)
{
	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

static _Noreturn void hang(void)
{
	for (;;)
		pause();
}

/* What has come and is not read yet; stdio would not say whether there is any. */
static struct {
	char data[1 << 16];
	size_t at, n;
} input;

static int next_byte(void)
{
	if (input.at == input.n) {
		ssize_t n = read(STDIN_FILENO, input.data, sizeof input.data);
		if (n <= 0)
			return EOF;
		input.at = 0;
		input.n = (size_t)n;
	}
	return (unsigned char)input.data[input.at++];
}

static bool comes_within(int ms)
{
	struct pollfd fd = {STDIN_FILENO, POLLIN, 0};
	return input.at < input.n || poll(&fd, 1, ms) > 0;
}

/* The next line into `line`, without its end. False: there is none. */
static bool read_line(struct buf *line)
{
	buf_clear(line);
	for (int byte = next_byte(); byte != '\n'; byte = next_byte()) {
		if (byte == EOF)
			return false;
		buf_putc(line, (char)byte);
	}
	return true;
}

static void write_all(const char *bytes, size_t len)
{
	while (len) {
		ssize_t n = write(STDOUT_FILENO, bytes, len);
		if (n <= 0)
			_exit(1);
		bytes += n;
		len -= (size_t)n;
	}
}

static void say(const struct wire_message *message)
{
	struct buf line = {0};
	wire_write(message, &line);
	write_all(line.data, line.len);
	buf_free(&line);
}

static void say_error(int64_t id, const char *code)
{
	enum wire_error_code found = wire_error_find(code);
	if (found == WIRE_ERRORS) {
		fprintf(stderr, "fake-worker: no error code %s\n", code);
		exit(2);
	}
	say(&(struct wire_message){.kind = WIRE_ERROR_REPLY, .id = id, .error = {found, "as the test asked"}});
}

static _Noreturn void die(const char *why)
{
	fprintf(stderr, "first line\n%s\n", why);
	exit(3);
}

static void say_hello(const struct fake *fake)
{
	if (is(fake, "die-hello"))
		die("no hello today");
	if (is(fake, "silent-hello"))
		hang();
	if (is(fake, "banner-only")) {
		write_all("Welcome to the login node!\n", 27);
		exit(0);
	}
	if (is(fake, "half-hello")) {
		write_all("{\"type\":\"hel", 12);
		hang();
	}
	if (is(fake, "garbage-hello"))
		for (int i = 0; i < 4096; i++)
			write_all("Welcome to the login node!\n", 27);
	if (is(fake, "slow-hello"))
		pause_ms(fake->ms);
	say(&(struct wire_message){.kind = WIRE_HELLO,
		.hello = {is(fake, "wrong-version") ? WIRE_PROTOCOL + 1 : WIRE_PROTOCOL, PACKAGE_VERSION, WIRE_HOST}});
}

/* As a worker does whose turn on the GPU has not come: three positions, --ms each. */
static void wait_in_line(const struct fake *fake, int64_t id)
{
	for (int before = 3; before > 0; before--) {
		say(&(struct wire_message){.kind = WIRE_PROGRESS, .id = id, .progress = {.waiting = before}});
		pause_ms(fake->ms);
	}
}

static void answer_probe(const struct fake *fake, const struct wire_message *request)
{
	struct wire_message m = {.kind = WIRE_RESULT_PROBE, .id = request->id};
	if (is(fake, "die-probe"))
		die("\033[31mdriver trouble");
	if (is(fake, "silent-probe"))
		hang();
	if (!strncmp(fake->behavior, "probe-error:", 12)) {
		say_error(request->id, fake->behavior + 12);
		return;
	}
	if (is(fake, "queue-probe"))
		wait_in_line(fake, request->id);
	m.gpu = (struct wire_gpu){.name = "Fake GPU",
		.chip = "FAKE",
		.uuid = "GPU-0",
		.cc = fake->cc,
		.sms = 132,
		.driver_cuda = 13000,
		.driver = "0.0",
		.addresses = !is(fake, "no-addresses"),
		.cupti = 130000,
		.cupti_version = "0.0",
		.counters = true,
		.counters_message = ""};
	if (is(fake, "no-counters")) {
		m.gpu.counters = false;
		m.gpu.counters_error = WIRE_NO_PERMISSION;
		m.gpu.counters_message = "as the test asked";
	}
	say(&m);
	if (is(fake, "die-idle"))
		die("bored");
}

/* Behaviors that answer something else than a measurement, or nothing. */
static void misbehave(const struct fake *fake, const struct wire_message *request)
{
	static const char half[] = "{\"type\":\"measurement\",\"id\":";
	if (!strncmp(fake->behavior, "error:", 6)) {
		say_error(request->id, fake->behavior + 6);
		if (is(fake, "error:kernel_fault"))
			exit(4);
	} else if (is(fake, "die-measure")) {
		die("out of luck");
	} else if (is(fake, "killed")) {
		raise(SIGKILL);
	} else if (is(fake, "die-midline")) {
		write_all(half, sizeof half - 1);
		die("mid-line");
	} else if (is(fake, "silent")) {
		hang();
	} else if (is(fake, "silent-midline")) {
		write_all(half, sizeof half - 1);
		hang();
	} else if (is(fake, "garbage")) {
		write_all("{\"type\":\n", 9);
	} else if (is(fake, "close-stdout")) {
		close(STDOUT_FILENO);
		hang();
	} else if (is(fake, "endless")) {
		char many[65536];
		memset(many, 'x', sizeof many);
		for (;;)
			write_all(many, sizeof many);
	} else if (is(fake, "flood")) {
		for (;;)
			say(&(struct wire_message){
				.kind = WIRE_PROGRESS, .id = request->id, .progress = {.pass = 1, .passes = 3}});
	} else if (is(fake, "orphan")) {
		/* the child keeps our standard output open; it must not outlive us for long */
		if (fork() == 0)
			hang();
		die("left a child");
	}
}

/* What stands in the source between the word and the end of that comment; NULL: it has no such comment. */
static const char *find_comment(struct arena *arena, const char *source, const char *word)
{
	const char *at = strstr(source, word), *end = at ? strstr(at, "*/") : NULL;
	return end ? arena_strndup(arena, at + strlen(word), (size_t)(end - at) - strlen(word)) : NULL;
}

/* As if compiled: the PTX, or log, that the source itself holds in a comment. With "echo" the log is the request. */
static void answer_compile(const struct fake *fake, struct arena *arena, const struct wire_message *request)
{
	const struct wire_compile *c = &request->compile;
	struct wire_message m = {.kind = WIRE_RESULT_COMPILE, .id = request->id};
	const char *ptx = find_comment(arena, c->source, "/*PTX\n"), *log = find_comment(arena, c->source, "/*LOG\n");
	if (is(fake, "no-nvrtc")) {
		say_error(request->id, "no_nvrtc");
		return;
	}
	m.compiled = (struct wire_compiled){
		ptx, ptx ? strlen(ptx) : 0, log ? log : "", "fake NVRTC", c->cc ? c->cc : 90, 0.5};
	if (is(fake, "echo")) {
		m.compiled.log = arena_printf(arena, "%s(1): error: cc %d, %d headers, %d macros: %s\n", c->file, c->cc,
			c->n_headers, c->n_defines, c->n_defines ? c->defines[0] : "");
		for (int i = 0; i < c->n_headers; i++)
			m.compiled.log = arena_printf(arena, "%s\n%s(1): error: %zu bytes\n", m.compiled.log,
				c->headers[i].file, strlen(c->headers[i].text));
	}
	say(&m);
}

static double scalars(const struct launch *launch)
{
	double sum = 0;
	for (int i = 0; i < launch->n_args; i++)
		if (!launch->args[i].buffer)
			sum += launch_number(launch->args[i].type, launch->args[i].bytes, 0);
	return sum;
}

static void parse_args(struct arena *arena, struct launch *launch)
{
	struct diag diag = {0};
	for (int i = 0; i < launch->n_args; i++)
		if (!launch_arg_parse(arena, NULL, launch->args[i].text, &launch->args[i], &diag))
			die(diag.entries[0].message);
	diag_free(&diag);
}

/* Runs the kernel on the SIMT machine; `memory` receives what is at the launch's addresses afterwards, where it is not
 * NULL. */
static const struct profile *run_machine_on(struct arena *arena, const struct wire_job *job, const void **memory)
{
	struct diag diag = {0};
	const struct launch *launch = &job->launch;
	struct ptx_module *module = ptx_parse(arena, "request", job->ptx, job->ptx_len, &diag);
	struct profile_device *device = module ? profile_device_open(module, launch, NULL, &diag) : NULL;
	struct profile *profile = device
		? profile_run_on(arena, device, launch, (struct profile_watch){.steps = PROFILE_STEPS_PATIENT}, &diag)
		: NULL;
	if (!profile)
		die(diag.entries[0].message);
	for (int i = 0; memory && i < launch->n_memory; i++) {
		size_t bytes = launch->memory[i].bytes;
		memory[i] = memcpy(arena_alloc(arena, bytes),
			simt_memory_at(device->memory, launch->memory[i].address, bytes), bytes);
	}
	profile_device_free(device);
	return profile;
}

static const struct profile *run_machine(struct arena *arena, const struct wire_job *job)
{
	return run_machine_on(arena, job, NULL);
}

/* Memory at addresses comes back as the machine leaves it. */
static void fill_buffers(
	struct arena *arena, const struct wire_message *request, bool run, struct wire_measurement *out)
{
	const struct launch *launch = &request->measure.job.launch;
	const void **buffers = arena_array(arena, const void *, (size_t)launch->n_args + 1);
	size_t *sizes = arena_array(arena, size_t, (size_t)launch->n_args + 1);
	size_t *memory_sizes = arena_array(arena, size_t, (size_t)launch->n_memory + 1);
	out->memory = arena_array(arena, const void *, (size_t)launch->n_memory + 1);
	bool runs = run || launch->n_memory;
	void **after = runs ? run_machine_on(arena, &request->measure.job, out->memory)->buffers : NULL;
	for (int i = 0; i < launch->n_args; i++) {
		if (!launch->args[i].buffer)
			continue;
		sizes[i] = launch_arg_bytes(&launch->args[i]);
		void *bytes = arena_alloc(arena, sizes[i] + 1);
		launch_arg_fill(&launch->args[i], bytes);
		buffers[i] = run ? after[i] : bytes;
	}
	for (int i = 0; i < launch->n_memory; i++)
		memory_sizes[i] = launch->memory[i].bytes;
	out->buffers = buffers;
	out->buffer_bytes = sizes;
	out->n_buffers = launch->n_args;
	out->memory_bytes = memory_sizes;
	out->n_memory = launch->n_memory;
}

/* --- lines: what the machine counts; one wavefront a shared request more from "lines-off", no sectors from "no-metric"  */

static void count_line(
	const struct fake *fake, const struct wire_line_counts *out, const struct profile_line *line, double *values)
{
	struct line_counts counts = profile_line_counts(line);
	if (is(fake, "lines-off"))
		counts.c[LINE_COUNT_WAVEFRONTS].v += counts.c[LINE_COUNT_SHARED_REQUESTS].v;
	for (int i = 0; i < out->n; i++) {
		enum line_count_id id = line_count_find(out->metrics[i]);
		values[i] = id == LINE_COUNTS ? 0 : counts.c[id].v;
	}
}

static int compare_lines(const void *a, const void *b)
{
	int x = ((const struct wire_line *)a)->line, y = ((const struct wire_line *)b)->line;
	return (x > y) - (x < y);
}

/* Two machine instructions of a code that no compiler made, the first with all that the lines have. */
static void count_instrs(struct arena *arena, struct wire_line_counts *out)
{
	struct wire_line *instrs = arena_array(arena, struct wire_line, 2);
	for (int i = 0; i < 2; i++)
		instrs[i] = (struct wire_line){16 * i, arena_array(arena, double, (size_t)out->n + 1)};
	for (int k = 0; k < out->n_lines; k++)
		for (int i = 0; i < out->n; i++)
			((double *)instrs[0].values)[i] += out->lines[k].values[i];
	out->code = "0123456789abcdef";
	out->instrs = instrs;
	out->n_instrs = 2;
}

static void answer_lines(const struct fake *fake, struct arena *arena, struct wire_message *request)
{
	struct wire_message m = {.kind = WIRE_RESULT_LINES, .id = request->id};
	if (!strncmp(fake->behavior, "lines-error:", 12)) {
		say_error(request->id, fake->behavior + 12);
		return;
	}
	parse_args(arena, &request->lines.job.launch);
	const struct profile *profile = run_machine(arena, &request->lines.job);
	struct wire_line_counts *out = &m.line_counts;
	size_t n = (size_t)request->lines.n_metrics, rows = 0;
	bool *available = arena_array(arena, bool, n + 1);
	struct wire_line *lines = arena_array(arena, struct wire_line, (size_t)profile->n_lines + 1);
	*out = (struct wire_line_counts){.metrics = request->lines.metrics,
		.available = available,
		.n = (int)n,
		.lines = lines,
		.passes = 1,
		.worker_ms = 0.5};
	for (size_t i = 0; i < n; i++)
		available[i] = !is(fake, "no-metric") || line_count_find(out->metrics[i]) != LINE_COUNT_SECTORS;
	for (int i = -1; i < profile->n_lines; i++) {
		const struct profile_line *line = i < 0 ? &profile->elsewhere : &profile->lines[i];
		double *values = arena_array(arena, double, n + 1);
		if (i < 0 && !line->executions)
			continue;
		count_line(fake, out, line, values);
		lines[rows++] = (struct wire_line){line->line == WIRE_LINE_NONE ? 0 : line->line, values};
	}
	qsort(lines, rows, sizeof *lines, compare_lines);
	out->n_lines = (int)rows;
	if (request->lines.instrs)
		count_instrs(arena, out);
	say(&m);
}

/* What the machine and the model count; from "miscount" one more of the first metric. A kernel named "resident" that
 * counts its blocks gets what the model says (model/validate/shape.c). */
static bool counts(const struct fake *fake)
{
	return is(fake, "count") || is(fake, "miscount") || is(fake, "waits");
}

static void count_launch(const struct fake *fake, struct arena *arena, const struct wire_message *request,
	double *values, bool *available)
{
	const struct profile *profile = run_machine(arena, &request->measure.job);
	bool off = is(fake, "miscount");
	for (int i = 0; i < request->measure.n_metrics; i++) {
		enum counter_id id = counter_find(request->measure.metrics[i]);
		if (id == COUNTER_NONE)
			id = counter_find_per_instruction(request->measure.metrics[i]);
		available[i] = id != COUNTER_NONE && profile->counts.c[id].state == VALUE_OK;
		int more = is(fake, "waits") && counter_counts_waits(id) ? 3 : off && i == 0;
		values[i] = available[i] ? profile->counts.c[id].v + more : 0;
	}
}

static void fill_resident(const struct fake *fake, const struct wire_message *request, struct wire_measurement *out)
{
	const struct launch *launch = &request->measure.job.launch;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct ptx_module *module = ptx_parse(
		arena, "request", request->measure.job.ptx, request->measure.job.ptx_len, &diag);
	const struct ptx_kernel *kernel = module ? ptx_find_kernel(module, launch->kernel, &diag) : NULL;
	if (!kernel)
		die(diag.entries[0].message);
	uint32_t barriers = 1;
	for (char name[20]; barriers < 16; barriers++) {
		snprintf(name, sizeof name, "bar.sync %u;", barriers);
		if (!strstr(request->measure.job.ptx, name))
			break;
	}
	const struct occupancy_block block = {.barriers = barriers,
		.threads = launch->block[0],
		.registers = (uint32_t)out->registers,
		.shared = ptx_shared_bytes(kernel) + launch->shared};
	uint32_t blocks = occupancy(fake->cc, &block).blocks + is(fake, "miscount");
	for (size_t i = 0; i < out->buffer_bytes[1] / sizeof blocks; i++)
		memcpy((char *)out->buffers[1] + i * sizeof blocks, &blocks, sizeof blocks);
	arena_free(arena);
}

/* Number of a metric of the request: of one that counts per machine instruction its counter's, or one after all
 * counters. */
static int place_of(const struct wire_measure *r, int metric)
{
	enum counter_id of = counter_find_per_instruction(r->metrics[metric]);
	int place = 0, counter = metric;
	for (int i = 0; of != COUNTER_NONE && counter == metric && i < r->n_metrics; i++)
		counter = counter_find(r->metrics[i]) == of ? i : counter;
	bool alone = of != COUNTER_NONE && counter == metric;
	for (int i = 0; i < (alone ? r->n_metrics : counter); i++)
		place += (counter_find_per_instruction(r->metrics[i]) == COUNTER_NONE) || (alone && i < metric);
	return place;
}

static double number_of(const struct wire_measure *r, int metric)
{
	return 1000.0 * (place_of(r, metric) + 1) + scalars(&r->job.launch);
}

static void answer_measure(const struct fake *fake, struct arena *arena, struct wire_message *request)
{
	int n = request->measure.n_metrics - (is(fake, "fewer-metrics") ? 1 : 0);
	struct launch *launch = &request->measure.job.launch;
	double *values = arena_array(arena, double, (size_t)n + 1);
	bool *available = arena_array(arena, bool, (size_t)n + 1);
	struct wire_message m = {.kind = WIRE_RESULT_MEASURE, .id = request->id};
	parse_args(arena, launch);
	for (int i = 0; i < n; i++) {
		values[i] = number_of(&request->measure, i);
		available[i] = !is(fake, "no-metric") || place_of(&request->measure, i) > 0;
	}
	m.measurement = (struct wire_measurement){.metrics = request->measure.metrics,
		.values = values,
		.available = available,
		.n = n,
		.passes = 1,
		.worker_ms = 0.5,
		.registers = 40};
	bool resident = counts(fake) && !strcmp(launch->kernel, "resident");
	if (counts(fake) && !resident)
		count_launch(fake, arena, request, values, available);
	if (request->measure.return_buffers)
		fill_buffers(arena, request, is(fake, "machine") || is(fake, "flip") || (counts(fake) && !resident),
			&m.measurement);
	if (resident && request->measure.return_buffers)
		fill_resident(fake, request, &m.measurement);
	if (is(fake, "flip"))
		*(char *)(launch->n_memory ? m.measurement.memory[0] : m.measurement.buffers[launch->n_args - 1]) ^= 1;
	if (is(fake, "short-buffer") && m.measurement.n_buffers)
		((size_t *)m.measurement.buffer_bytes)[m.measurement.n_buffers - 1] -= 1;
	if (is(fake, "wrong-id"))
		m.id++;
	say(&m);
	if (is(fake, "twice"))
		say(&m);
}

/* Whether the front end cancels the request within --ms: nothing else comes meanwhile. */
static bool is_canceled(const struct fake *fake, int64_t id)
{
	struct buf line = {0};
	if (!comes_within(fake->ms))
		return false;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct wire_message m;
	bool is = read_line(&line) && wire_read(arena, line.data, line.len, &m, &diag) && m.kind == WIRE_CANCEL &&
		m.id == id;
	arena_free(arena);
	buf_free(&line);
	return is;
}

/* As many passes as metrics, one value more after each, --ms apart. False: canceled. */
static bool make_passes(const struct fake *fake, const struct wire_message *request)
{
	double values[WIRE_METRICS_MAX];
	int n = request->measure.n_metrics;
	for (int pass = 1; pass < n; pass++) {
		values[pass - 1] = number_of(&request->measure, pass - 1);
		say(&(struct wire_message){.kind = WIRE_PROGRESS,
			.id = request->id,
			.progress = {.pass = pass,
				.passes = n,
				.metrics = request->measure.metrics,
				.values = values,
				.n = pass}});
		if (is_canceled(fake, request->id)) {
			say_error(request->id, "cancelled");
			return false;
		}
	}
	return true;
}

static void measure(const struct fake *fake, struct arena *arena, struct wire_message *request)
{
	misbehave(fake, request);
	if (!strncmp(fake->behavior, "error:", 6))
		return;
	if (is(fake, "slow"))
		pause_ms(fake->ms);
	if (is(fake, "queue"))
		wait_in_line(fake, request->id);
	if (is(fake, "noisy"))
		for (int i = 0; i < 40000; i++)
			fprintf(stderr, "warning %d: nothing to see here\n", i);
	if (is(fake, "progress"))
		for (int pass = 1; pass <= 3; pass++)
			say(&(struct wire_message){
				.kind = WIRE_PROGRESS, .id = request->id, .progress = {.pass = pass, .passes = 3}});
	if (is(fake, "passes")) {
		parse_args(arena, &request->measure.job.launch);
		if (!make_passes(fake, request))
			return;
	}
	answer_measure(fake, arena, request);
}

/* --- probes and samples ------------------------------------------------------------------------------------------- */

static void **run_text(struct arena *arena, const char *ptx, size_t len, const struct launch *launch)
{
	struct wire_message m = {.kind = WIRE_MEASURE};
	m.measure.job = (struct wire_job){ptx, len, *launch};
	return run_machine(arena, &m.measure.job)->buffers;
}

static void answer_stamp(const struct fake *fake, struct arena *arena, struct wire_message *request)
{
	const struct wire_job *job = &request->stamp.job;
	struct launch plain = job->launch;
	struct wire_message m = {.kind = WIRE_RESULT_STAMP, .id = request->id};
	parse_args(arena, &plain);
	int last = --plain.n_args;
	void **before = run_text(arena, request->stamp.plain, request->stamp.plain_len, &plain);
	void **after = run_text(arena, job->ptx, job->ptx_len, &job->launch);
	m.stamped = (struct wire_stamped){after[last], launch_arg_bytes(&job->launch.args[last]), -1, 40, 32, 0.5};
	for (int i = 0; i < last; i++)
		if (plain.args[i].buffer && memcmp(before[i], after[i], launch_arg_bytes(&plain.args[i])) != 0)
			m.stamped.differs = i;
	if (is(fake, "stamps-differ"))
		m.stamped.differs = 0;
	if (is(fake, "stamps-garbage"))
		memset(after[last], 0x5A, m.stamped.bytes);
	if (is(fake, "stamps-short"))
		m.stamped.bytes--;
	say(&m);
}

static void answer_sample(struct arena *arena, const struct wire_message *request)
{
	enum { N = 21 };
	int n = request->sample.n_metrics, interval = request->sample.interval ? request->sample.interval : 500;
	const double **values = arena_array(arena, const double *, (size_t)n + 1);
	double *times = arena_array(arena, double, N);
	struct wire_message m = {.kind = WIRE_RESULT_SAMPLE, .id = request->id};
	for (int k = 0; k < N; k++)
		times[k] = (double)interval * (k + 1);
	for (int i = 0; i < n; i++) {
		double *v = arena_array(arena, double, N);
		for (int k = 0; k < N; k++)
			v[k] = (k <= N / 2 ? k : N - 1 - k) * 10.0 * (i + 1);
		values[i] = v;
	}
	m.samples = (struct wire_samples){request->sample.metrics, values, n, times, N, interval, false, 0.5};
	say(&m);
}

/* Everything but a measurement. */
static void answer_other(const struct fake *fake, struct arena *arena, struct wire_message *request)
{
	static const char stamps[] = "stamps-error:", samples[] = "samples-error:";
	misbehave(fake, request);
	if (!strncmp(fake->behavior, "error:", 6))
		return;
	if (is(fake, "slow-stamps"))
		pause_ms(fake->ms);
	if (request->kind == WIRE_STAMP && !strncmp(fake->behavior, stamps, sizeof stamps - 1))
		say_error(request->id, fake->behavior + sizeof stamps - 1);
	else if (request->kind == WIRE_SAMPLE && !strncmp(fake->behavior, samples, sizeof samples - 1))
		say_error(request->id, fake->behavior + sizeof samples - 1);
	else if (request->kind == WIRE_STAMP)
		answer_stamp(fake, arena, request);
	else
		answer_sample(arena, request);
}

/* As a driver refuses PTX for a newer GPU. */
static bool refuses(const struct fake *fake, const struct wire_message *request)
{
	const struct wire_job *job = request->kind == WIRE_MEASURE ? &request->measure.job
		: request->kind == WIRE_LINES                      ? &request->lines.job
		: request->kind == WIRE_STAMP                      ? &request->stamp.job
		: request->kind == WIRE_SAMPLE                     ? &request->sample.job
								   : NULL;
	const char *at = job && job->ptx ? strstr(job->ptx, ".target sm_") : NULL;
	if (!at || atoi(at + 11) <= fake->cc)
		return false;
	say_error(request->id, "ptx_other_gpu");
	return true;
}

static void serve(const struct fake *fake)
{
	struct buf line = {0};
	while (read_line(&line)) {
		struct arena *arena = arena_new();
		struct diag diag = {0};
		struct wire_message m;
		if (!wire_read(arena, line.data, line.len, &m, &diag))
			die(diag.entries[0].message);
		if (refuses(fake, &m))
			; /* and goes on */
		else if (m.kind == WIRE_PROBE)
			answer_probe(fake, &m);
		else if (m.kind == WIRE_MEASURE)
			measure(fake, arena, &m);
		else if (m.kind == WIRE_LINES)
			answer_lines(fake, arena, &m);
		else if (m.kind == WIRE_COMPILE)
			answer_compile(fake, arena, &m);
		else if (m.kind == WIRE_STAMP || m.kind == WIRE_SAMPLE)
			answer_other(fake, arena, &m);
		arena_free(arena);
		if (is(fake, "deaf") && m.kind == WIRE_PROBE)
			hang();
	}
	buf_free(&line);
}

int main(int argc, char **argv)
{
	struct fake fake = {"ok", 50, 90};
	bool well = false;
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--once") && i + 1 < argc) {
			well = access(argv[++i], F_OK) == 0;
			FILE *file = fopen(argv[i], "w");
			if (!file || fclose(file) != 0)
				return 2;
		} else if (!strcmp(argv[i], "--ms") && i + 1 < argc) {
			fake.ms = atoi(argv[++i]);
		} else if (!strcmp(argv[i], "--cc") && i + 1 < argc) {
			fake.cc = atoi(argv[++i]);
		} else {
			fake.behavior = argv[i];
		}
	}
	if (well)
		fake.behavior = "ok";
	say_hello(&fake);
	serve(&fake);
	return 0;
}
