#include "config.h"
#include "cmd/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/measure.h"
#include "course/experiment/lines.h"

static double element_difference(enum launch_type type, const void *machine, const void *gpu, size_t index)
{
	double a = launch_number(type, machine, index), b = launch_number(type, gpu, index);
	if (isnan(a) && isnan(b))
		return 0;
	return isfinite(a) && isfinite(b) ? fabs(b - a) : (double)INFINITY;
}

/* The first element that differs in a buffer, if one does. */
static void compare_buffer(struct run *run, int argument, const void *gpu)
{
	const struct launch_arg *arg = &run->launch.args[argument];
	const char *a = run->profile->buffers[argument], *b = gpu;
	size_t size = launch_type_size(arg->type);
	struct run_difference *out = &run->measured.differences[run->measured.n_differences];
	*out = (struct run_difference){.argument = argument, .machine = a, .gpu = b, .largest = -1};
	for (size_t i = arg->count; i-- > 0;) {
		if (memcmp(a + i * size, b + i * size, size) != 0) {
			out->index = i;
			out->count++;
			if (launch_type_is_float(arg->type))
				out->largest = fmax(out->largest, element_difference(arg->type, a, b, i));
		}
	}
	run->measured.n_differences += out->count > 0;
}

/* Copies the returned buffers, which live only as long as the worker, and compares them. */
static bool compare_buffers(struct run *run, const struct wire_measurement *m)
{
	for (int i = 0; i < run->launch.n_args; i++) {
		if (!run->launch.args[i].buffer)
			continue;
		size_t bytes = launch_arg_bytes(&run->launch.args[i]);
		if (i >= m->n_buffers || !m->buffers[i] || m->buffer_bytes[i] != bytes) {
			diag_error(&run->ctx->diag, (struct diag_pos){0},
				"the GPU's worker returned only part of argument %d", i);
			return false;
		}
		compare_buffer(run, i, memcpy(arena_alloc(run->ctx->arena, bytes), m->buffers[i], bytes));
	}
	return true;
}

static void compare_bytes(struct snapshot_difference *d, int i, const uint8_t *machine, const uint8_t *gpu, size_t n)
{
	uint64_t before = d->bytes;
	for (size_t at = 0; at < n; at++) {
		if (machine[at] == gpu[at])
			continue;
		if (d->first < 0) {
			d->first = i;
			d->at = at;
			d->now = gpu[at];
			d->kept = machine[at];
		}
		d->bytes++;
	}
	d->buffers += d->bytes > before;
}

/* The launch's memory, whose answer the front end has checked. */
static void compare_memory(struct run *run, const struct wire_measurement *m)
{
	struct snapshot_difference *d = &run->measured.memory;
	*d = (struct snapshot_difference){.first = -1};
	for (int i = 0; i < run->launch.n_memory && i < m->n_memory; i++) {
		const struct launch_memory *at = &run->launch.memory[i];
		const uint8_t *machine = simt_memory_at(run->memory, at->address, at->bytes);
		if (machine)
			compare_bytes(d, i, machine, m->memory[i], at->bytes);
	}
}

bool run_differs(const struct run *run)
{
	return run->measured.n_differences > 0 || run->measured.memory.bytes > 0;
}

/* A failure is only a warning: the other numbers are valid without it. */
static void measure_by_line(struct run *run, struct gpu *gpu)
{
	struct arena *arena = run->ctx->arena;
	const char *ptx = experiment_ptx_for_lines(arena, run->module, run->launch.kernel, &run->ctx->diag);
	const struct wire_error *error;
	const struct wire_line_counts *counts = ptx ? measure_lines(gpu, ptx, &run->launch, &error) : NULL;
	if (counts) {
		run->measured.lines = experiment_lines_read(arena, counts);
		run->measured.lines_passes = counts->passes;
		run->measured.lines_ms = counts->worker_ms;
	} else if (ptx) {
		diag_warn(&run->ctx->diag, (struct diag_pos){0}, "lines cannot be counted: %s", error->message);
	}
}

/* The same of machine code. */
static void measure_machine_code(struct run *run, struct gpu *gpu)
{
	struct arena *arena = run->ctx->arena;
	struct run_live *live = &run->measured;
	const char *ptx = experiment_ptx_for_code(arena, run->module, run->launch.kernel, &run->ctx->diag);
	const struct wire_error *error;
	const struct wire_line_counts *counts = ptx ? measure_code(gpu, ptx, &run->launch, &error) : NULL;
	if (counts) {
		const struct wire_line_counts instrs = experiment_lines_of_instrs(counts);
		live->executed = arena_array(arena, struct experiment_executed, (size_t)counts->n_lines + 1);
		live->n_executed = experiment_executed_of(counts, live->executed);
		live->instrs = experiment_lines_read(arena, &instrs);
		live->instrs_code = counts->code ? arena_strdup(arena, counts->code) : NULL;
	} else if (ptx) {
		diag_warn(&run->ctx->diag, (struct diag_pos){0}, "machine code cannot be counted: %s", error->message);
	}
}

/* Without permission to count, the kernel still runs on the GPU, and its buffers are compared. */
static int measure_run(struct run *run, struct gpu *gpu)
{
	const char *metrics[COUNTERS];
	const struct wire_gpu *info = measure_find(run->ctx, gpu);
	if (!info) {
		if (gpu_error(gpu))
			measure_fail(run->ctx, gpu_error(gpu), &run->measured.failure);
		return EXIT_MISSING;
	}
	if (run->placed_why && !info->addresses) {
		run_cannot_place(run, "this GPU's worker puts no memory at addresses");
		return EXIT_FAILED;
	}
	bool counters = info->counters;
	int cc = info->cc, sms = info->sms;
	const char *name = arena_strdup(run->ctx->arena, info->name);
	int n_metrics = counter_hardware_names(metrics);
	enum value_state missing = info->counters_error == WIRE_NO_PERMISSION ? VALUE_NO_PERMISSION : VALUE_FAILED;
	if (!counters) {
		diag_warn(&run->ctx->diag, (struct diag_pos){0}, "counters cannot be read: %s", info->counters_message);
		diag_note(&run->ctx->diag, (struct diag_pos){0}, "%s", wire_error_remedy(info->counters_error));
		measure_fail(run->ctx, &(struct wire_error){info->counters_error, info->counters_message},
			&run->measured.failure);
	}
	struct measure_request request = {buf_str(&run->ptx), run->ptx.len, &run->launch, metrics,
		counters ? n_metrics : 0, true, &run->measured.failure};
	const struct wire_measurement *m = measure_launch(run->ctx, gpu, "on the GPU", &request);
	if (!m && run->placed_why)
		diag_note(&run->ctx->diag, (struct diag_pos){0}, "its memory has to be where the machine has it, as %s",
			run->placed_why);
	if (!m || !compare_buffers(run, m))
		return EXIT_FAILED;
	compare_memory(run, m);
	run->measured.gpu = name;
	run->measured.counts = measure_counts(m, cc);
	run->measured.cc = cc;
	run->measured.sms = sms;
	run->measured.registers = m->registers;
	for (int i = 0; i < COUNTERS && !counters; i++)
		run->measured.counts.c[i] = value_missing(missing);
	if (counters)
		measure_by_line(run, gpu);
	if (counters && run->shows_code)
		measure_machine_code(run, gpu);
	return EXIT_OK;
}

struct gpu *run_gpu(struct run *run)
{
	if (!run->gpu)
		run->gpu = gpu_new(cmd_gpu(run->ctx), run->ctx->paths.worker, &run->ctx->diag);
	return run->gpu;
}

void run_free(struct run *run)
{
	gpu_free(run->gpu);
	run->gpu = NULL;
	buf_free(&run->ptx);
}

int run_measure(struct run *run)
{
	struct gpu *gpu = run_gpu(run);
	return gpu ? measure_run(run, gpu) : EXIT_USAGE;
}
