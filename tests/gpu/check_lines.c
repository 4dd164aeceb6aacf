/* What only a GPU can tell of counters of source lines: whether they are what the model says of the line, whether they
 * add up to what the range profiler counts of the kernel, whether that goes on and on, in turns with other
 * measurements, and how long it takes. Prints TAP. Run by tests/gpu/lines.sh, with a launch in each line of standard
 * input:
 *
 *   check_lines [--gpu SPEC] [--worker PATH] < launches        FILE.ptx KERNEL GRID BLOCK SHARED ARGUMENT...
 *
 * Memory accesses of the PTX are those of the machine code unless the compiler joins, moves or drops them, or makes
 * others of atomics. So a line whose requests are as many as the model's, none of them atomic, must agree in all exact
 * counts; others are counted as changed by the compiler. Totals must be the range profiler's, but that
 *   - it counts atomics and asynchronous copies by other rules, so kernels with such are left out for the space
 *     concerned;
 *   - of warps that diverge it counts some instructions more (those that wait for other lanes, it seems): up to a
 *     tenth. */
#include "config.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "course/experiment/recordings.h"
#include "gpu/client/gpu.h"
#include "machine/ptx/instr.h"
#include "model/profile/profile.h"

#define WAIT_MS 60000
#define ROUNDS 100
#define MOST_MS 50.0

static struct gpu *gpu;
static int tests, failures, restarts;

static void result(bool ok, const char *name, const char *what)
{
	printf("%sok %d - %s%s%s\n", ok ? "" : "not ", ++tests, name, *what ? ": " : "", what);
	failures += !ok;
	fflush(stdout);
}

/* --- a case ------------------------------------------------------------------------------------------------------- */

struct subject {
	struct arena *arena;
	struct diag diag;
	char name[200];
	struct buf text;
	struct ptx_module *module;
	struct launch launch;
	const char *ptx; /* with its lines */
	const struct profile *profile;
};

static void read_dims(const char *text, uint32_t out[3])
{
	out[0] = out[1] = out[2] = 1;
	sscanf(text, "%u,%u,%u", &out[0], &out[1], &out[2]);
}

static bool read_args(struct subject *s, char **save)
{
	s->launch.args = arena_array(s->arena, struct launch_arg, LAUNCH_ARGS_MAX);
	for (char *word; s->launch.n_args < LAUNCH_ARGS_MAX && (word = strtok_r(NULL, " \n", save)) != NULL;)
		if (!launch_arg_parse(s->arena, NULL, word, &s->launch.args[s->launch.n_args++], &s->diag))
			return false;
	return true;
}

/* The kernel by its name as it is, or as C++ mangles it. */
static const char *find_kernel(struct subject *s, const char *name)
{
	const char *mangled = arena_printf(s->arena, "_Z%zu%s", strlen(name), name);
	for (int i = 0; i < ptx_kernel_count(s->module); i++)
		if (!strncmp(ptx_kernel_name(s->module, i), mangled, strlen(mangled)))
			return ptx_kernel_name(s->module, i);
	return arena_strdup(s->arena, strcmp(name, "-") ? name : ptx_kernel_name(s->module, 0));
}

/* Whether an instruction of the line, -1: of any, begins so. */
static bool line_has(const struct subject *s, int line, const char *spelling)
{
	for (int k = 0; k < s->module->n_kernels; k++)
		for (int i = 0; i < s->module->kernels[k]->n_instrs; i++) {
			const struct ptx_instr *instr = &s->module->kernels[k]->instrs[i];
			struct ptx_location place = ptx_location_of(s->module, instr);
			bool here = line < 0 || line == (s->profile->file ? place.line : place.ptx_line);
			if (here && !strncmp(ptx_op_rows[instr->form->op].spelling, spelling, strlen(spelling)))
				return true;
		}
	return false;
}

static bool has_atomic(const struct subject *s, int line)
{
	return line_has(s, line, "atom") || line_has(s, line, "red");
}

static bool open_subject(struct subject *s, char *line)
{
	char *save, *path = strtok_r(line, " \n", &save), *kernel = strtok_r(NULL, " \n", &save);
	char *grid = strtok_r(NULL, " \n", &save), *block = strtok_r(NULL, " \n", &save),
	     *shared = strtok_r(NULL, " \n", &save);
	*s = (struct subject){.arena = arena_new()};
	if (!shared)
		return false;
	snprintf(s->name, sizeof s->name, "%.100s %.90s", strrchr(path, '/') ? strrchr(path, '/') + 1 : path, kernel);
	read_dims(grid, s->launch.grid);
	read_dims(block, s->launch.block);
	s->launch.shared = (uint32_t)strtoul(shared, NULL, 10);
	if (!read_args(s, &save) || !file_read(path, (size_t)16 << 20, &s->text, &s->diag))
		return false;
	s->module = ptx_parse(s->arena, path, buf_str(&s->text), s->text.len, &s->diag);
	if (!s->module)
		return false;
	s->launch.kernel = find_kernel(s, kernel);
	s->ptx = experiment_ptx_for_lines(s->arena, s->module, s->launch.kernel, &s->diag);
	s->profile = s->ptx ? profile_run(s->arena, s->module, &s->launch, (struct profile_watch){0}, &s->diag) : NULL;
	return s->profile != NULL;
}

static void close_subject(struct subject *s)
{
	buf_free(&s->text);
	diag_free(&s->diag);
	arena_free(s->arena);
}

/* --- asking ------------------------------------------------------------------------------------------------------- */

static const struct wire_message *ask(const struct wire_message *request, const char **why)
{
	int64_t id = gpu_request(gpu, request);
	struct gpu_event event;
	do {
		event = gpu_wait(gpu, WAIT_MS);
		restarts += event.kind == GPU_EVENT_PROBED;
	} while (event.kind != GPU_EVENT_NONE && event.id != id);
	*why = event.kind == GPU_EVENT_ERROR ? event.error->message : "no answer";
	return event.answer;
}

static const struct wire_message *ask_lines(const struct subject *s, const char **why)
{
	struct wire_message m = {.kind = WIRE_LINES};
	m.lines.job = (struct wire_job){s->ptx, strlen(s->ptx), s->launch};
	m.lines.metrics = experiment_line_metrics;
	m.lines.n_metrics = LINE_COUNTS;
	return ask(&m, why);
}

/* The range profiler's names for the sum of a line count over the kernel. */
struct total {
	enum line_count_id id;
	const char *hw[4];
	bool exact;
	bool memory; /* not of kernels with atomics or asynchronous copies */
};
static const struct total totals[] = {
	{LINE_COUNT_SECTORS,
		{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
			"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
			"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"},
		true, true},
	{LINE_COUNT_WAVEFRONTS,
		{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
			"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
			"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"},
		true, true},
	{LINE_COUNT_UNIFORM_BRANCHES, {"smsp__sass_branch_targets_threads_uniform.sum"}, true, false},
	{LINE_COUNT_DIVERGENT_BRANCHES, {"smsp__sass_branch_targets_threads_divergent.sum"}, true, false},
	{LINE_COUNT_INSTRUCTIONS, {"smsp__inst_executed.sum"}, false, false},
	{LINE_COUNT_THREADS, {"smsp__thread_inst_executed.sum"}, false, false},
};
#define N_TOTALS ((int)(sizeof totals / sizeof *totals))

/* Fills the sum for each row of `totals`. */
static bool ask_totals(const struct subject *s, double out[N_TOTALS], const char **why)
{
	const char *names[4 * N_TOTALS];
	int n = 0, of[4 * N_TOTALS];
	for (int t = 0; t < N_TOTALS; t++)
		for (int i = 0; i < 4 && totals[t].hw[i]; i++) {
			of[n] = t;
			names[n++] = totals[t].hw[i];
		}
	struct wire_message m = {.kind = WIRE_MEASURE};
	m.measure.job = (struct wire_job){buf_str(&s->text), s->text.len, s->launch};
	m.measure.metrics = names;
	m.measure.n_metrics = n;
	const struct wire_message *answer = ask(&m, why);
	memset(out, 0, N_TOTALS * sizeof *out);
	for (int i = 0; answer && i < n; i++)
		if (answer->measurement.available[i])
			out[of[i]] += answer->measurement.values[i];
	return answer != NULL;
}

/* --- comparing ---------------------------------------------------------------------------------------------------- */

static struct {
	long lines, equal, changed, wrong;
} tally[LINE_COUNTS];

/* Which requests decide whether a line's count can be compared. */
static enum line_count_id requests_of(enum line_count_id id)
{
	return id == LINE_COUNT_SECTORS                                            ? LINE_COUNT_GLOBAL_REQUESTS
		: id == LINE_COUNT_WAVEFRONTS || id == LINE_COUNT_IDEAL_WAVEFRONTS ? LINE_COUNT_SHARED_REQUESTS
										   : id;
}

static int compare_line(
	const struct subject *s, int line, const struct line_counts *model, const struct line_counts *live)
{
	int wrong = 0;
	bool atomic = has_atomic(s, line);
	for (int id = 0; id < LINE_COUNTS; id++) {
		enum line_count_id by = requests_of((enum line_count_id)id);
		if (line_count_table[id].trust == COUNTER_HARDWARE || (model->c[id].v <= 0 && live->c[id].v <= 0))
			continue;
		bool same = model->c[id].v == live->c[id].v, decides = by != (enum line_count_id)id;
		bool must = decides && !atomic && model->c[by].v > 0 && model->c[by].v == live->c[by].v;
		tally[id].lines++;
		tally[id].equal += same;
		tally[id].changed += !same && !must;
		tally[id].wrong += !same && must;
		wrong += !same && must;
		if (!same && must)
			printf("# %s, line %d, %s: model %.0f, live %.0f, of %.0f requests\n", s->name, line,
				line_count_table[id].name, model->c[id].v, live->c[id].v, live->c[by].v);
	}
	return wrong;
}

static int compare_lines(const struct subject *s, const struct line_table *live)
{
	static const struct line_counts none;
	int wrong = 0;
	for (int i = -1; i < s->profile->n_lines; i++) {
		const struct profile_line *line = i < 0 ? &s->profile->elsewhere : &s->profile->lines[i];
		const struct line_counts model = profile_line_counts(line), *found = line_table_find(live, line->line);
		wrong += compare_line(s, line->line, &model, found ? found : &none);
	}
	return wrong;
}

static int compare_totals(const struct subject *s, const struct line_table *live, const double want[N_TOTALS])
{
	struct line_counts sum = line_table_total(live);
	bool other_rules = has_atomic(s, -1) || line_has(s, -1, "cp.async");
	int wrong = 0;
	for (int t = 0; t < N_TOTALS; t++) {
		double got = sum.c[totals[t].id].v;
		bool near = got >= 0.9 * want[t] && got <= want[t];
		if (got == want[t] || (totals[t].memory && other_rules))
			continue;
		printf("# %s, %s: lines add up to %.0f, the range profiler counts %.0f\n", s->name,
			line_count_table[totals[t].id].name, got, want[t]);
		wrong += totals[t].exact || !near;
	}
	return wrong;
}

static void check(struct subject *s)
{
	double want[N_TOTALS];
	const char *why = "";
	if (s->profile->result.outcome != SIMT_OK) {
		result(true, s->name, "# SKIP the machine does not run it to the end");
		return;
	}
	const struct wire_message *answer = ask_lines(s, &why);
	if (!answer) {
		result(false, s->name, why);
		return;
	}
	struct line_table live = experiment_lines_read(s->arena, &answer->line_counts);
	int wrong = compare_lines(s, &live);
	bool counted = ask_totals(s, want, &why);
	wrong += counted ? compare_totals(s, &live, want) : 1;
	result(wrong == 0, s->name, counted ? "" : why);
}

static void print_tally(void)
{
	printf("# %-20s %8s %8s %18s %8s\n", "per line", "lines", "equal", "compiler changed", "wrong");
	for (int id = 0; id < LINE_COUNTS; id++)
		if (line_count_table[id].trust != COUNTER_HARDWARE)
			printf("# %-20s %8ld %8ld %18ld %8ld\n", line_count_table[id].name, tally[id].lines,
				tally[id].equal, tally[id].changed, tally[id].wrong);
}

/* --- again and again ---------------------------------------------------------------------------------------------- */

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static bool same_counts(const struct wire_line_counts *a, const struct line_table *b, struct arena *arena)
{
	struct line_table table = experiment_lines_read(arena, a);
	if (table.n != b->n)
		return false;
	for (int i = 0; i < table.n; i++)
		for (int id = 0; id < LINE_COUNTS; id++)
			if (table.rows[i].line != b->rows[i].line ||
				table.rows[i].counts.c[id].v != b->rows[i].counts.c[id].v)
				return false;
	return true;
}

/* In turns with the range profiler: every answer is the first one's. */
static void check_rounds(struct subject *s)
{
	double first[N_TOTALS], again[N_TOTALS], ms[ROUNDS];
	const char *why = "";
	struct line_table lines = {0};
	int same = 0;
	for (int i = 0; i < ROUNDS; i++) {
		const struct wire_message *answer = ask_lines(s, &why);
		if (!answer)
			break;
		ms[i] = answer->line_counts.worker_ms;
		if (i == 0)
			lines = experiment_lines_read(s->arena, &answer->line_counts);
		bool good = same_counts(&answer->line_counts, &lines, s->arena);
		if (!ask_totals(s, i ? again : first, &why))
			break;
		same += good && (!i || !memcmp(first, again, sizeof first));
	}
	printf("# lines, first of %d: %.2f ms in the worker\n", ROUNDS, ms[0]);
	if (same == ROUNDS)
		qsort(ms, ROUNDS, sizeof *ms, compare_doubles);
	printf("# lines, warm: median %.2f ms, most %.2f ms\n", ms[ROUNDS / 2], ms[ROUNDS - 1]);
	result(same == ROUNDS, s->name, "counted 100 times in turns with the range profiler, always the same");
	result(same == ROUNDS && ms[ROUNDS / 2] <= MOST_MS, s->name, "lines take 50 ms at most");
}

/* One metric, which takes another setting of the profiler than the other. */
static bool ask_one(const struct subject *s, const char *name, double *out, const char **why)
{
	const char *const metric[] = {name};
	struct wire_message m = {.kind = WIRE_MEASURE};
	m.measure.job = (struct wire_job){buf_str(&s->text), s->text.len, s->launch};
	m.measure.metrics = metric;
	m.measure.n_metrics = 1;
	const struct wire_message *answer = ask(&m, why);
	*out = answer ? answer->measurement.values[0] : 0;
	return answer != NULL;
}

static bool ask_samples(const struct subject *s, const char **why)
{
	static const char *const metrics[] = {"sm__warps_active.sum", "sm__cycles_active.sum"};
	struct wire_message m = {.kind = WIRE_SAMPLE};
	m.sample.job = (struct wire_job){s->ptx, strlen(s->ptx), s->launch};
	m.sample.metrics = metrics;
	m.sample.n_metrics = 2;
	return ask(&m, why) != NULL;
}

/* Lines, samples, and metrics that take another setting of the profiler, in the orders after which CUPTI stops to read
 * what it counts where all is done in one process (gpu/worker/sass_worker.c). */
static void check_mixed(struct subject *s)
{
	static const char orders[] = "MLMSM MLMOM MLLMSM LSMOLMSLMOM ILISI ILIOI LISISI";
	double first[N_TOTALS], again[N_TOTALS], instructions, other, one;
	const char *why = "";
	int same = 0, asked = 0;
	bool answered = ask_totals(s, first, &why) && ask_one(s, "smsp__inst_executed.sum", &instructions, &why) &&
		ask_one(s, "smsp__inst_executed_op_shared_ld.sum", &other, &why);
	restarts = 0;
	for (const char *at = orders; *at && answered; at++) {
		if (*at == 'L')
			answered = ask_lines(s, &why) != NULL;
		if (*at == 'S')
			answered = ask_samples(s, &why);
		if (*at == 'O' || *at == 'I') {
			answered = ask_one(s,
				*at == 'I' ? "smsp__inst_executed.sum" : "smsp__inst_executed_op_shared_ld.sum", &one,
				&why);
			asked++;
			same += answered && one == (*at == 'I' ? instructions : other);
		}
		if (*at == 'M') {
			answered = ask_totals(s, again, &why);
			asked++;
			same += answered && !memcmp(first, again, sizeof first);
		}
	}
	printf("# lines, samples and counters in turns: %d new workers were needed%s%s\n", restarts,
		answered ? "" : "; ", answered ? "" : why);
	result(answered && same == asked, s->name, "lines, samples and counters in any order: always the same");
	result(answered && restarts == 0, s->name, "and always from the same worker");
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{"gpu", required_argument, NULL, 'g'}, {"worker", required_argument, NULL, 'w'}, {0}};
	const char *spec = "local", *worker = "./simttutor-gpu";
	struct diag diag = {0};
	char *line = NULL;
	size_t cap = 0;
	for (int c; (c = getopt_long(argc, argv, "g:w:", options, NULL)) != -1;)
		*(c == 'g' ? &spec : &worker) = optarg;
	gpu = gpu_new(spec, worker, &diag);
	if (!gpu)
		return 1;
	gpu_start(gpu);
	if (gpu_wait(gpu, WAIT_MS).kind != GPU_EVENT_PROBED || !gpu_info(gpu)->counters) {
		printf("Bail out! no GPU, or no counters\n");
		return 1;
	}
	for (bool first = true; getline(&line, &cap, stdin) > 0; first = false) {
		struct subject s;
		if (!open_subject(&s, line)) {
			result(false, line, s.diag.count ? s.diag.entries[0].message : "cannot be read");
		} else {
			check(&s);
			if (first) {
				check_rounds(&s);
				check_mixed(&s);
			}
		}
		close_subject(&s);
	}
	print_tally();
	printf("1..%d\n", tests);
	free(line);
	gpu_free(gpu);
	return failures > 0;
}
