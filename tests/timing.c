/* How far the model of time is from what a GPU counted: the launches of a table, run through the model, beside their
 * counters.
 *
 *   timing [--each | --rows | --check] [--registers] [--instructions | --code] COUNTED      tests/time/h200/judge.tsv
 *
 * Prints, for each set of the table, for all and for what bounds them, the median and the 90th percentile of the
 * errors: of cycles and time how far off in percent, of the GPU's number; of bytes and hit rates in points. Then the
 * ten worst, with what differs most beside it: work that is unevenly spread, or why warps wait. With --each a line for
 * each launch; that is for those that the parameters come from. With --rows those of src/model/hardware/errors.def;
 * with --check TAP: whether they are as that has them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "model/hardware/engine.h"
#include "model/hardware/metrics.h"
#include "model/profile/profile.h"
#include "model/profile/times.h"
#include "tools/sandbox/process.h"
#include "tools/sandbox/sandbox.h"

#define PTX_MAX ((size_t)16 << 20)
#define SETS_MAX 8

/* What is compared. */
static const enum metric_id compared[] = {
	METRIC_CYCLES_ACTIVE_MAX,
	METRIC_CYCLES_ACTIVE,
	METRIC_CYCLES,
	METRIC_TIME,
	METRIC_SM_ACTIVITY,
	METRIC_ELIGIBLE_WARPS,
	METRIC_ISSUE_UTILIZATION,
	METRIC_ACHIEVED_OCCUPANCY,
	METRIC_L1_HIT_RATE,
	METRIC_L2_HIT_RATE,
	METRIC_L2_SM_HIT_RATE,
	METRIC_DRAM_READ,
	METRIC_DRAM_WRITE,
	METRIC_DRAM_THROUGHPUT,
	METRIC_INSTRUCTIONS,
#define STALL(id, reason, label, what) METRIC_STALL_##id,
#include "model/hardware/stalls.def"
#undef STALL
};
#define N_COMPARED (sizeof compared / sizeof *compared)
#define ISSUE 6        /* of compared */
#define FIRST_STALL 15 /* of compared */
#define WORST 10

/* Bytes are compared with those of all sectors that L2 was asked for: what the kernel could have brought from DRAM. */
static bool is_bytes(enum metric_id m)
{
	return m == METRIC_DRAM_READ || m == METRIC_DRAM_WRITE;
}

static bool in_points(enum metric_id m)
{
	return m == METRIC_L1_HIT_RATE || m == METRIC_L2_HIT_RATE || m == METRIC_L2_SM_HIT_RATE || is_bytes(m);
}

struct judged {
	const char *set, *launch;
	enum engine_bound bound;
	double model[N_COMPARED], counted[N_COMPARED]; /* NAN: missing */
	double bytes, dram;                            /* of sectors looked up in L2; from and to DRAM */
	double issued, executed; /* machine instructions of the model, and those that were counted */
};

struct judging {
	struct arena *arena;
	struct judged *at;
	size_t n, cap;
	struct ptx_module *module;
	const char *file;
	const char *source;
	struct buf text;
	int failed;
	bool each, registers, instructions, code;
	struct cubin *cubin; /* of the kernel below, where --code wants it; NULL: there is none */
	const char *cubin_of;
};

static _Noreturn void bail(const char *what, const char *why)
{
	printf("Bail out! %s: %s\n", what, why);
	exit(1);
}

/* --- what was counted --------------------------------------------------------------------------------------------- */

static char **columns;
static int n_columns;

static int split(char *line, char *cells[], int cap)
{
	int n = 0;
	for (char *save = line, *cell; n < cap && (cell = strsep(&save, "\t")) != NULL;)
		cells[n++] = cell;
	return n;
}

static void take_counts(struct counts *counts, char *cells[], int n)
{
	for (int i = 3; i < n && i < n_columns; i++) {
		enum counter_id id = counter_find(columns[i]);
		if (id != COUNTER_NONE && *cells[i])
			counts->c[id] = value_ok(strtod(cells[i], NULL));
	}
}

/* Of all that asked L2; where that was not counted, of SMs. */
static double all_sectors(char *cells[], int n, double of_sms)
{
	for (int i = 3; i < n && i < n_columns; i++)
		if (strcmp(columns[i], "lts__t_sectors.sum") == 0)
			return strtod(cells[i], NULL);
	return of_sms;
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

static void read_dims(const char *text, uint32_t out[3])
{
	char *end;
	for (int i = 0; i < 3; i++) {
		out[i] = *text ? (uint32_t)strtoul(text, &end, 10) : 1;
		text = !*text ? text : *end == ',' ? end + 1 : end;
	}
}

static const char *read_launch(struct judging *j, struct arena *arena, const char *line, struct launch *out)
{
	struct diag diag = {0};
	char *save, *words[6], *copy = arena_strdup(arena, line);
	for (int i = 0; i < 6; i++)
		if (!(words[i] = strtok_r(i ? NULL : copy, " ", &save)))
			bail(line, "is no launch");
	*out = (struct launch){.kernel = words[2], .shared = (uint32_t)strtoul(words[5], NULL, 10)};
	read_dims(words[3], out->grid);
	read_dims(words[4], out->block);
	out->args = arena_array(arena, struct launch_arg, LAUNCH_ARGS_MAX);
	for (char *word; (word = strtok_r(NULL, " ", &save)) != NULL;)
		if (!launch_arg_parse(arena, NULL, word, &out->args[out->n_args++], &diag))
			bail(line, "has a bad argument");
	if (!j->file || strcmp(j->file, words[1]) != 0) {
		j->file = arena_strdup(j->arena, words[1]);
		buf_free(&j->text);
		if (!file_read(arena_printf(arena, "%s/%s", j->source, words[1]), PTX_MAX, &j->text, &diag))
			bail(words[1], "cannot be read");
		j->module = ptx_parse(j->arena, words[1], j->text.data, j->text.len, &diag);
		if (!j->module)
			bail(words[1], "cannot be parsed");
	}
	diag_free(&diag);
	return arena_strdup(j->arena, words[0]);
}

/* What ptxas makes of a kernel, as src/tools/compile/ptxas.c asks it to. */
static struct cubin *compile(struct judging *j, const char *kernel)
{
	static const char *const names[] = {"ptxas", NULL};
	const char *name = arena_printf(j->arena, "%s %s", j->file, kernel);
	if (j->cubin_of && strcmp(j->cubin_of, name) == 0)
		return j->cubin;
	struct diag diag = {0};
	struct buf log = {0}, bytes = {0};
	struct scratch scratch;
	const char *ptxas = process_find(j->arena, "PTXAS", names);
	if (!ptxas || !scratch_make(&scratch, j->arena, &diag))
		bail("ptxas", "there is none");
	const char *const argv[] = {
		ptxas, "-arch=sm_90", "--generate-line-info", "--entry", kernel, "-o", "k.cubin", "k.ptx", NULL};
	struct cubin *cubin = arena_alloc(j->arena, sizeof *cubin);
	bool ok = scratch_write(&scratch, "k.ptx", j->text.data, j->text.len, &diag);
	struct sandbox_end end = sandbox_run(
		&(struct sandbox_job){.argv = argv, .scratch = &scratch, .log_max = 4096}, &log);
	ok = ok && sandbox_succeeded(&end) &&
		file_read(arena_printf(j->arena, "%s/k.cubin", scratch.path), PTX_MAX, &bytes, &diag) &&
		cubin_read(j->arena, bytes.data, bytes.len, cubin);
	if (!ok)
		printf("# no machine code of %s: %s\n", name, buf_str(&log));
	scratch_remove(&scratch);
	buf_free(&log);
	buf_free(&bytes);
	diag_free(&diag);
	j->cubin_of = name;
	return j->cubin = ok ? cubin : NULL;
}

static double value_or_nan(enum metric_id m, const struct counts *counts)
{
	struct value v = metric_value(m, counts);
	return v.state == VALUE_OK ? v.v : (double)NAN;
}

/* Of machine instructions what the model says beside its time. */
static void count_instructions(
	struct judging *j, struct arena *arena, const struct launch *launch, struct counts *counts)
{
	struct diag diag = {0};
	const struct profile *profile = profile_run(arena, j->module, launch,
		(struct profile_watch){.cc = MODEL_CC_DEFAULT, .steps = PROFILE_STEPS_PATIENT}, &diag);
	if (profile && profile->result.outcome == SIMT_OK)
		counts->c[COUNTER_INSTRUCTIONS] = profile->counts.c[COUNTER_INSTRUCTIONS];
	diag_free(&diag);
}

static void judge(struct judging *j, const char *line, char *cells[], int n)
{
	struct arena *arena = arena_new();
	struct launch launch;
	struct timelines times = {0};
	struct counts model = {0}, counted = {0};
	struct judged judged = {.set = read_launch(j, arena, line, &launch)};
	take_counts(&counted, cells, n);
	profile_times_model(arena, j->module, &launch,
		&(struct times_request){.cc = MODEL_CC_DEFAULT,
			.registers = j->registers ? (uint32_t)strtoul(cells[2], NULL, 10) : 0,
			.instructions = j->instructions ? counted.c[COUNTER_INSTRUCTIONS].v : 0,
			.code = j->code ? compile(j, launch.kernel) : NULL,
			.steps = PROFILE_STEPS_PATIENT},
		&times);
	profile_times_count(&times, &model);
	count_instructions(j, arena, &launch, &model);
	if (!times.estimate) {
		printf("# no estimate: %s: %s\n", line, times.why ? times.why : "");
		j->failed++;
	} else {
		judged.bound = times.estimate->bound;
		judged.issued = times.estimate->instructions;
		judged.executed = counted.c[COUNTER_INSTRUCTIONS].v;
		judged.dram = counted.c[COUNTER_DRAM_BYTES].v;
		judged.bytes = 32 * all_sectors(cells, n, counted.c[COUNTER_L2_SM_SECTORS].v);
		for (size_t i = 0; i < N_COMPARED; i++) {
			judged.model[i] = value_or_nan(compared[i], &model);
			judged.counted[i] = value_or_nan(compared[i], &counted);
		}
		judged.launch = arena_printf(j->arena, "%s %u blocks of %u", launch.kernel,
			launch.grid[0] * launch.grid[1] * launch.grid[2],
			launch.block[0] * launch.block[1] * launch.block[2]);
		*vec_push(j->at, j->n, j->cap) = judged;
		if (j->each) {
			printf("%-60.60s %-8.8s", line, engine_bound_name(judged.bound));
			for (size_t i = 0; i < N_COMPARED; i++)
				if (i < 4 || i == 5 || (i >= 8 && i < 13))
					printf(" %.4g/%.4g", judged.model[i], judged.counted[i]);
			printf(" %.5g/%.5g\n", judged.issued, judged.executed);
		}
	}
	arena_free(arena);
}

/* --- errors ------------------------------------------------------------------------------------------------------- */

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double quantile(const double *sorted, size_t n, double q)
{
	size_t at = (size_t)ceil(q * (double)n);
	return n ? sorted[at ? at - 1 : 0] : (double)NAN;
}

static bool is_of(const struct judged *g, const char *set, int bound)
{
	return (!set || strcmp(g->set, set) == 0) && (bound < 0 || (int)g->bound == bound);
}

static void print_errors(const struct judging *j, const char *set, int bound, const char *name)
{
	double *errors = base_calloc(j->n + 1, sizeof *errors);
	size_t all = 0;
	for (size_t k = 0; k < j->n; k++)
		all += is_of(&j->at[k], set, bound);
	if (!all)
		return;
	printf("# %s: %zu launches\n#   %-28s %8s %8s %8s\n", name, all, "", "launches", "median", "90 %");
	for (size_t i = 0; i < N_COMPARED; i++) {
		size_t n = 0;
		for (size_t k = 0; k < j->n; k++) {
			const struct judged *g = &j->at[k];
			if (!is_of(g, set, bound) || isnan(g->model[i]) || isnan(g->counted[i]))
				continue;
			if (in_points(compared[i]))
				errors[n++] = fabs(g->model[i] - g->counted[i]) *
					(is_bytes(compared[i]) ? 100 / g->bytes : 1);
			else if (g->counted[i] > 0)
				errors[n++] = 100 * fabs(g->model[i] / g->counted[i] - 1);
		}
		qsort(errors, n, sizeof *errors, compare_doubles);
		if (i < FIRST_STALL)
			printf("#   %-28s %8zu %8.1f %8.1f %s\n", metric_table[compared[i]].name, n,
				quantile(errors, n, 0.5), quantile(errors, n, 0.9),
				in_points(compared[i]) ? "points" : "%");
	}
	size_t n = 0;
	for (size_t k = 0; k < j->n; k++)
		if (is_of(&j->at[k], set, bound) && j->at[k].executed > 0)
			errors[n++] = 100 * fabs(j->at[k].issued / j->at[k].executed - 1);
	qsort(errors, n, sizeof *errors, compare_doubles);
	printf("#   %-28s %8zu %8.1f %8.1f %%\n", "machine instructions", n, quantile(errors, n, 0.5),
		quantile(errors, n, 0.9));
	free(errors);
}

/* --- the worst ---------------------------------------------------------------------------------------------------- */

static double error_of_cycles(const struct judged *g)
{
	return g->model[0] / g->counted[0] - 1;
}

static int compare_errors(const void *a, const void *b)
{
	double x = fabs(error_of_cycles(a)), y = fabs(error_of_cycles(b));
	return (x < y) - (x > y);
}

/* Of the reasons why warps wait the one that is furthest from what was counted, in warps of a scheduler and cycle. */
static size_t furthest_stall(const struct judged *g, double *model, double *counted)
{
	size_t furthest = 0;
	double most = -1;
	for (size_t i = FIRST_STALL; i < N_COMPARED; i++) {
		double m = g->model[i] * g->model[ISSUE] / 100, c = g->counted[i] * g->counted[ISSUE] / 100;
		if (isnan(m) || isnan(c) || fabs(m - c) <= most)
			continue;
		most = fabs(m - c);
		furthest = i;
		*model = m;
		*counted = c;
	}
	return furthest;
}

static void print_worst(const struct judging *j)
{
	struct judged *sorted = base_calloc(j->n + 1, sizeof *sorted);
	for (size_t i = 0; i < j->n; i++)
		sorted[i] = j->at[i];
	qsort(sorted, j->n, sizeof *sorted, compare_errors);
	printf("# the worst: active cycles of the busiest SM, model / counted\n");
	for (size_t i = 0; i < j->n && i < WORST; i++) {
		const struct judged *g = &sorted[i];
		double model = 0, counted = 0, uneven = g->counted[0] / g->counted[1] - g->model[0] / g->model[1];
		size_t stall = furthest_stall(g, &model, &counted);
		printf("#   %-40s %+6.1f %% %10.0f / %-10.0f ", g->launch, 100 * error_of_cycles(g), g->model[0],
			g->counted[0]);
		if (fabs(uneven) > fabs(error_of_cycles(g)) / 2)
			printf("SMs are busy for %.2f / %.2f of the longest\n", g->model[1] / g->model[0],
				g->counted[1] / g->counted[0]);
		else if (stall)
			printf("%s: %.2f / %.2f warps\n", metric_table[compared[stall]].label, model, counted);
		else
			printf("\n");
	}
	free(sorted);
}

/* --- rows of errors.def ------------------------------------------------------------------------------------------- */

/* What was counted as a multiple of the model's number: the 5th and the 95th percentile, rounded away from 1, and the
 * median. */
static double rounded(double v, int direction)
{
	double scale = v > 0 ? pow(10, 2 - floor(log10(v))) : 1;
	return (direction > 0                  ? ceil(v * scale - 1e-9)
			       : direction < 0 ? floor(v * scale + 1e-9)
					       : round(v * scale)) /
		scale;
}

/* Even a launch that accesses nothing moves some bytes. */
static bool is_enough(const struct judged *g, size_t what)
{
	bool dram = is_bytes(compared[what]) || compared[what] == METRIC_DRAM_THROUGHPUT;
	return !dram || (is_bytes(compared[what]) ? g->counted[what] : g->dram) >= 1048576;
}

static struct metric_error error_of(const struct judging *j, size_t what)
{
	double *ratios = base_calloc(j->n + 1, sizeof *ratios);
	size_t n = 0;
	for (size_t k = 0; k < j->n; k++)
		if (j->at[k].model[what] > 0 && j->at[k].counted[what] > 0 && is_enough(&j->at[k], what))
			ratios[n++] = j->at[k].counted[what] / j->at[k].model[what];
	qsort(ratios, n, sizeof *ratios, compare_doubles);
	struct metric_error e = {.metric = compared[what], .launches = (int)n};
	if (n) {
		e.least = rounded(quantile(ratios, n, 0.05), -1);
		e.median = rounded(quantile(ratios, n, 0.5), 0);
		e.most = rounded(quantile(ratios, n, 0.95), 1);
		for (size_t k = 0; k < n; k++)
			ratios[k] = 100 * fabs(1 / ratios[k] - 1);
		qsort(ratios, n, sizeof *ratios, compare_doubles);
		e.off = rounded(quantile(ratios, n, 0.9), 1);
	}
	free(ratios);
	return e;
}

static void print_rows(const struct judging *j)
{
	for (size_t i = 0; i < N_COMPARED; i++) {
		struct metric_error e = error_of(j, i);
		if (e.launches)
			printf("JUDGED(%s, %d, %.3g, %.3g, %.3g, %.3g)\n", metric_ids[e.metric], e.launches, e.least,
				e.median, e.most, e.off);
	}
}

/* Floats may differ a little from one machine to another. */
static bool is_near(double a, double b)
{
	return fabs(a - b) <= 0.02 * fabs(b);
}

static int check_rows(const struct judging *j)
{
	int wrong = 0;
	for (size_t i = 0; i < N_COMPARED; i++) {
		struct metric_error e = error_of(j, i);
		const struct metric_error *row = metric_error(e.metric);
		if (e.launches ? row && row->launches == e.launches && is_near(row->least, e.least) &&
					is_near(row->median, e.median) && is_near(row->most, e.most) &&
					is_near(row->off, e.off)
			       : !row)
			continue;
		printf("# %s: errors.def has another error\n", metric_table[e.metric].name);
		wrong++;
	}
	printf("1..1\n%sok 1 - the errors of estimated times and caches are those of the launches to judge by\n",
		wrong || j->failed ? "not " : "");
	return wrong;
}

static void read_counted(struct judging *j, const char *path)
{
	FILE *file = fopen(path, "r");
	char *line = NULL, *cells[400];
	size_t cap = 0;
	if (!file)
		bail(path, "cannot be read");
	while (getline(&line, &cap, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (*line == '#')
			continue;
		char *copy = arena_strdup(j->arena, line);
		int n = split(columns ? copy : line, cells, 400);
		if (!columns) {
			columns = arena_array(j->arena, char *, (size_t)n);
			for (int i = 0; i < n; i++)
				columns[i] = arena_strdup(j->arena, cells[i]);
			n_columns = n;
		} else if (strcmp(cells[0], "0") == 0) {
			judge(j, cells[1], cells, n);
		}
	}
	free(line);
	fclose(file);
}

int main(int argc, char **argv)
{
	struct judging j = {.arena = arena_new(), .source = getenv("top_srcdir") ? getenv("top_srcdir") : "."};
	bool rows = false, check = false;
	while (argc > 2 && argv[1][0] == '-') {
		j.each |= strcmp(argv[1], "--each") == 0;
		j.registers |= strcmp(argv[1], "--registers") == 0;
		j.instructions |= strcmp(argv[1], "--instructions") == 0;
		j.code |= strcmp(argv[1], "--code") == 0;
		rows |= strcmp(argv[1], "--rows") == 0;
		check |= strcmp(argv[1], "--check") == 0;
		argc--;
		argv++;
	}
	if (argc != 2)
		bail("usage", "timing [--each | --rows | --check] [--registers] [--instructions | --code] COUNTED");
	read_counted(&j, argv[1]);
	if (rows)
		print_rows(&j);
	if (check)
		check_rows(&j);
	if (rows || check)
		return 0;
	static const char *const sets[] = {"fit", "course", "exercise", "own", "final", "second"};
	print_errors(&j, NULL, -1, "all");
	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
		print_errors(&j, sets[i], -1, sets[i]);
	for (int b = 0; b < ENGINE_BOUNDS_N; b++)
		print_errors(&j, NULL, b, engine_bound_name((enum engine_bound)b));
	print_worst(&j);
	return j.failed > 0;
}
