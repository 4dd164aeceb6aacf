/* What a GPU counts of the launches of a table (tests/time/judge, tests/time/fit), for the model of time: all counters
 * of src/model/hardware/counters.def and those below once, then times and cycles alone a few times more. Writes a
 * table, one row for each measurement, to OUT; prints TAP. Run by tests/gpu/times.sh:
 *
 *   times [--gpu SPEC] [--source DIR] [--worker PATH] [--rounds N] [--seconds S] TABLE OUT
 *
 * A line of TABLE: SET FILE.ptx KERNEL GRID BLOCK SHARED ARGUMENT...; "#" begins a comment. Rounds after the first end
 * after S seconds. */
#include "config.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/portable.h"
#include "gpu/client/gpu.h"
#include "model/hardware/counters.h"

#define WAIT_MS 120000
#define PTX_MAX ((size_t)16 << 20)

static struct gpu *gpu;

/* --- what is counted ---------------------------------------------------------------------------------------------- */

static const char *const timing[] = {
	"sm__cycles_active.max",
	"sm__cycles_active.avg",
	"gpc__cycles_elapsed.max",
	"gpu__time_duration.sum",
};
#define N_TIMING ((int)(sizeof timing / sizeof *timing))

/* Those that the catalog lacks. What a chip does not have stays empty. */
static const char *const others[] = {
	"sm__cycles_active.max",
	"sm__cycles_active.min",
	"sm__cycles_elapsed.max",
	"sm__cycles_elapsed.avg.per_second",
	"lts__cycles_elapsed.avg.per_second",
	"dram__cycles_elapsed.avg.per_second",
	"smsp__inst_issued.sum",
	"smsp__cycles_active.avg",
	"smsp__warps_launched.sum",
	"sm__ctas_active.avg",
	"sm__inst_executed_pipe_alu.sum",
	"sm__inst_executed_pipe_fma.sum",
	"sm__inst_executed_pipe_fmaheavy.sum",
	"sm__inst_executed_pipe_fmalite.sum",
	"sm__inst_executed_pipe_fma_type_fp16.sum",
	"sm__inst_executed_pipe_fp64.sum",
	"sm__inst_executed_pipe_xu.sum",
	"sm__inst_executed_pipe_lsu.sum",
	"sm__inst_executed_pipe_adu.sum",
	"sm__inst_executed_pipe_cbu.sum",
	"sm__inst_executed_pipe_uniform.sum",
	"sm__inst_executed_pipe_tensor.sum",
	"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
	"l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum",
	"l1tex__m_xbar2l1tex_read_sectors.sum",
	"l1tex__m_l1tex2xbar_write_sectors.sum",
	"l1tex__data_pipe_lsu_wavefronts.sum",
	"l1tex__m_xbar2l1tex_read_sectors_mem_lg_op_ld.sum",
	"l1tex__t_set_conflicts.sum",
	"idc__requests.sum",
	"l1tex__t_output_wavefronts.sum",
	"lts__t_sectors_op_read.sum",
	"lts__t_sectors_op_write.sum",
	"lts__t_sectors_srcunit_tex.sum",
	"lts__t_sectors_srcunit_tex_lookup_hit.sum",
	"lts__t_sectors_srcunit_tex_op_read.sum",
	"lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum",
	"lts__t_sectors_srcunit_ltcfabric.sum",
	"lts__t_requests_srcunit_tex.sum",
	"lts__t_tag_requests.sum",
	"lts__t_sectors_lookup_miss.sum",
	"lts__d_sectors_fill_device.sum",
	"lts__t_sectors_srcunit_tex_op_write.sum",
	"lts__t_sectors_srcunit_tex_op_write_lookup_hit.sum",
	"lts__t_sectors_srcunit_tex_op_red.sum",
	"lts__t_sectors_srcunit_tex_op_red_lookup_hit.sum",
	"lts__t_sectors_srcunit_tex_op_atom.sum",
	"lts__t_sectors_srcunit_tex_lookup_miss.sum",
	"lts__t_sectors_srcunit_ltcfabric_lookup_hit.sum",
	"lts__t_sectors_srcunit_ltcfabric_lookup_miss.sum",
	"lts__t_sectors_srcunit_ltcfabric_op_read.sum",
	"lts__t_sectors_srcnode_gpc.sum",
	"lts__t_sector_hit_rate.pct",
	"lts__t_tag_requests_hit.sum",
	"lts__t_tag_requests_miss.sum",
	"lts__d_sectors.sum",
	"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
	"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
	"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
	"smsp__sass_thread_inst_executed_ops_fadd_fmul_ffma_pred_on.sum",
	"sm__ops_path_tensor_op_hmma_src_fp16_dst_fp32.sum",
	"sm__ops_path_tensor_src_fp16.sum",
};
#define N_OTHERS ((int)(sizeof others / sizeof *others))

static const char *names[COUNTERS + N_OTHERS];
static int n_names;

static void name_counters(void)
{
	for (int i = 0; i < COUNTERS; i++)
		names[n_names++] = counter_table[i].hw;
	for (int i = 0; i < N_OTHERS; i++) {
		bool listed = false;
		for (int k = 0; k < n_names; k++)
			listed |= strcmp(names[k], others[i]) == 0;
		if (!listed)
			names[n_names++] = others[i];
	}
}

/* --- the table ---------------------------------------------------------------------------------------------------- */

struct timed_launch {
	const char *line; /* of the table, without its end */
	const char *set, *file;
	const char *ptx;
	size_t ptx_len;
	struct launch launch; /* of the arguments only their texts */
	bool failed;
};

struct launches {
	struct arena *arena;
	struct timed_launch *at;
	size_t n, cap;
};

static _Noreturn void bail(const char *what, const char *why)
{
	printf("Bail out! %s: %s\n", what, why);
	exit(1);
}

static void read_dims(const char *text, uint32_t out[3])
{
	char *end;
	for (int i = 0; i < 3; i++) {
		out[i] = *text ? (uint32_t)strtoul(text, &end, 10) : 1;
		text = !*text ? text : *end == ',' ? end + 1 : end;
	}
}

/* The text of a module, from a launch before of the same file where there is one. */
static void read_module(struct launches *l, const char *source, struct timed_launch *t)
{
	for (size_t i = 0; i < l->n; i++) {
		if (strcmp(l->at[i].file, t->file) == 0) {
			t->ptx = l->at[i].ptx;
			t->ptx_len = l->at[i].ptx_len;
			return;
		}
	}
	struct buf text = {0};
	struct diag diag = {0};
	if (!file_read(arena_printf(l->arena, "%s/%s", source, t->file), PTX_MAX, &text, &diag))
		bail(t->file, "cannot be read");
	t->ptx_len = text.len;
	t->ptx = arena_strdup(l->arena, buf_str(&text));
	buf_free(&text);
}

/* A word, or all from one with a brace to the brace that closes: "tensormap:{f16[64x64], box 8x8}". */
static char *next_argument(char **save)
{
	char *word = strtok_r(NULL, " ", save);
	while (word && strchr(word, '{') && !strchr(word, '}')) {
		char *end = word + strlen(word);
		if (!strtok_r(NULL, " ", save))
			break;
		*end = ' ';
	}
	return word;
}

static void read_launch(struct launches *l, const char *source, char *line)
{
	struct timed_launch t = {.line = arena_strdup(l->arena, line)};
	char *save, *words[6];
	for (int i = 0; i < 6; i++) {
		words[i] = strtok_r(i ? NULL : arena_strdup(l->arena, line), " ", &save);
		if (!words[i])
			bail(line, "a launch has SET FILE KERNEL GRID BLOCK SHARED");
	}
	t.set = words[0];
	t.file = words[1];
	t.launch.kernel = words[2];
	read_dims(words[3], t.launch.grid);
	read_dims(words[4], t.launch.block);
	t.launch.shared = (uint32_t)strtoul(words[5], NULL, 10);
	t.launch.args = arena_array(l->arena, struct launch_arg, LAUNCH_ARGS_MAX);
	for (char *word; t.launch.n_args < LAUNCH_ARGS_MAX && (word = next_argument(&save)) != NULL;)
		t.launch.args[t.launch.n_args++].text = word;
	read_module(l, source, &t);
	*vec_push(l->at, l->n, l->cap) = t;
}

static void read_table(struct launches *l, const char *source, const char *path)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t cap = 0;
	if (!file)
		bail(path, "cannot be read");
	while (getline(&line, &cap, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (*line && *line != '#')
			read_launch(l, source, line);
	}
	free(line);
	fclose(file);
}

/* --- measuring ---------------------------------------------------------------------------------------------------- */

static const struct wire_measurement *measure(
	const struct timed_launch *t, const char *const *metrics, int n, const char **why)
{
	struct wire_message m = {.kind = WIRE_MEASURE};
	m.measure.job = (struct wire_job){t->ptx, t->ptx_len, t->launch};
	m.measure.metrics = metrics;
	m.measure.n_metrics = n;
	int64_t id = gpu_request(gpu, &m);
	struct gpu_event event;
	do
		event = gpu_wait(gpu, WAIT_MS);
	while (event.kind != GPU_EVENT_NONE && event.id != id);
	*why = event.kind == GPU_EVENT_ERROR ? event.error->message : "no answer";
	return event.kind == GPU_EVENT_MEASURED || event.kind == GPU_EVENT_ANSWERED ? &event.answer->measurement : NULL;
}

static void write_head(FILE *out)
{
	const struct wire_gpu *info = gpu_info(gpu);
	char date[32] = "";
	time_t now = time(NULL);
	strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
	fprintf(out, "# %s, CC %d.%d, %d SMs, driver %s, CUDA %d.%d, CUPTI %s, %s\n", info->name, info->cc / 10,
		info->cc % 10, info->sms, info->driver, info->driver_cuda / 1000, info->driver_cuda % 1000 / 10,
		info->cupti_version, date);
	fprintf(out, "round\tlaunch\tregisters");
	for (int i = 0; i < n_names; i++)
		fprintf(out, "\t%s", names[i]);
	fputc('\n', out);
}

/* Those columns that were not asked for stay empty. */
static void write_row(FILE *out, int round, const struct timed_launch *t, const struct wire_measurement *m)
{
	fprintf(out, "%d\t%s\t%d", round, t->line, m->registers);
	for (int i = 0; i < n_names; i++) {
		fputc('\t', out);
		for (int k = 0; k < m->n; k++)
			if (strcmp(m->metrics[k], names[i]) == 0 && m->available[k] && isfinite(m->values[k]))
				fprintf(out, "%.10g", m->values[k]);
	}
	fputc('\n', out);
	fflush(out);
}

static int measure_all(struct launches *l, FILE *out, int rounds, double ms)
{
	int failures = 0, made = 0;
	double start = clock_ms();
	for (int round = 0; round < rounds && (!round || clock_ms() - start < ms); round++, made++) {
		for (size_t i = 0; i < l->n; i++) {
			struct timed_launch *t = &l->at[i];
			const char *why;
			if (t->failed)
				continue;
			const struct wire_measurement *m = round ? measure(t, timing, N_TIMING, &why)
								 : measure(t, names, n_names, &why);
			if (m)
				write_row(out, round, t, m);
			t->failed = !m;
			failures += !m;
			if (!round || !m)
				printf("%sok %zu - %s %s%s%s\n", m ? "" : "not ", i + 1, t->file, t->launch.kernel,
					m ? "" : ": ", m ? "" : why);
			fflush(stdout);
		}
	}
	printf("1..%zu\n# %d rounds in %.1f s\n", l->n, made, (clock_ms() - start) / 1000);
	return failures;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"gpu", required_argument, NULL, 'g'},
		{"source", required_argument, NULL, 's'}, {"worker", required_argument, NULL, 'w'},
		{"rounds", required_argument, NULL, 'r'}, {"seconds", required_argument, NULL, 't'}, {0}};
	const char *spec = "local", *source = ".", *worker = "./simttutor-gpu";
	int rounds = 5;
	double seconds = 60;
	struct launches launches = {.arena = arena_new()};
	struct diag diag = {0};
	for (int c; (c = getopt_long(argc, argv, "g:s:w:r:t:", options, NULL)) != -1;) {
		switch (c) {
		case 'g': spec = optarg; break;
		case 's': source = optarg; break;
		case 'w': worker = optarg; break;
		case 'r': rounds = (int)strtol(optarg, NULL, 10); break;
		case 't': seconds = strtod(optarg, NULL); break;
		default: return 2;
		}
	}
	if (optind + 2 != argc)
		bail("usage", "times [--source DIR] [--worker PATH] [--rounds N] [--seconds S] TABLE OUT");
	read_table(&launches, source, argv[optind]);
	gpu = gpu_new(spec, worker, &diag);
	if (!gpu)
		bail(spec, "is no GPU");
	gpu_start(gpu);
	if (gpu_wait(gpu, WAIT_MS).kind != GPU_EVENT_PROBED || !gpu_info(gpu)->counters)
		bail(spec, "no GPU, or no counters");
	FILE *out = fopen(argv[optind + 1], "w");
	if (!out)
		bail(argv[optind + 1], "cannot be written");
	name_counters();
	write_head(out);
	int failures = measure_all(&launches, out, rounds, seconds * 1000);
	fclose(out);
	gpu_free(gpu);
	free(launches.at);
	arena_free(launches.arena);
	return failures > 0;
}
