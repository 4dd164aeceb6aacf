#include <stdio.h>

#include "model/hardware/engine.h"
#include "model/hardware/metrics.h"
#include "model/hardware/schedule.h"

#define BOUND_FROM 0.6 /* of the cycles: what is busy for less does not bound */

const char *engine_bound_name(enum engine_bound bound)
{
	static const char *const names[] = {
#define BOUND(id, name) [ENGINE_##id] = name,
		ENGINE_BOUNDS(BOUND)
#undef BOUND
	};
	return names[bound];
}

bool engine_bound_is_plural(enum engine_bound bound)
{
	return bound == ENGINE_ISSUE || bound == ENGINE_TENSOR || bound == ENGINE_ATOMICS;
}

const char *engine_bound_id(enum engine_bound bound)
{
	static const char *const ids[] = {
#define BOUND(id, name) [ENGINE_##id] = #id,
		ENGINE_BOUNDS(BOUND)
#undef BOUND
	};
	return ids[bound];
}

double engine_pipe_pct(enum pipe pipe, double instructions, double cycles)
{
	static const double takes[PIPES] = {[PIPE_ALU] = 2,
		[PIPE_FMA] = 1, /* two pipes, which each takes for 2 */
		[PIPE_FP64] = 2,
		[PIPE_XU] = 8,
		[PIPE_TENSOR] = 6,
		[PIPE_LSU] = 4};
	double pct = cycles > 0 ? 100 * takes[pipe] * instructions / (TIMELINE_SCHEDULERS * cycles) : 0;
	return pct < 100 ? pct : 100;
}

enum engine_bound engine_bound_of(const struct engine_result *result, double *share)
{
	enum engine_bound most = ENGINE_LATENCY;
	double busy = BOUND_FROM * result->cycles;
	for (int i = 0; i < ENGINE_LATENCY; i++) {
		if (result->busy[i] > busy) {
			busy = result->busy[i];
			most = (enum engine_bound)i;
		}
	}
	*share = result->cycles > 0 ? busy / result->cycles : 0;
	if (most == ENGINE_LATENCY) {
		double waited = 0, all = 0;
		for (int i = 0; i < ENGINE_STALLS; i++)
			all += result->stalls[i];
		waited = all - result->stalls[ENGINE_STALL_NOT_SELECTED];
		*share = result->warps > 0 ? waited / result->warps : 0;
	}
	if (*share > 1)
		*share = 1;
	return most;
}

static void put_grouped(double v, struct buf *out)
{
	char digits[40];
	int n = snprintf(digits, sizeof digits, "%.0f", v);
	for (int i = 0; i < n; i++) {
		buf_putc(out, digits[i]);
		if ((n - i - 1) % 3 == 0 && i + 1 < n)
			buf_putc(out, ',');
	}
}

/* What warps wait for most; NULL: nothing. */
static const char *main_stall(const struct engine_estimate *e)
{
	static const char *const what[] = {
#define STALL(id, reason, label, meaning) [ENGINE_STALL_##id] = meaning,
#include "model/hardware/stalls.def"
#undef STALL
	};
	int most = -1;
	for (int i = 0; i < ENGINE_STALLS; i++)
		if (i != ENGINE_STALL_NOT_SELECTED && e->stalls[i] > (most < 0 ? 0 : e->stalls[most]))
			most = i;
	return most < 0 ? NULL : what[most];
}

#define LATE 0.25 /* of its cycles: so much longer atomics take for that to be said */

void engine_explain(const struct engine_estimate *e, struct buf *out)
{
	static const char *const counted[] = {[ENGINE_BY_RULES] = "",
		[ENGINE_BY_COUNT] = " The number of machine instructions is the one that a GPU counted.",
		[ENGINE_BY_CODE] = " The machine instructions are those that ptxas makes of it."};
	const struct metric_error *error = metric_error(METRIC_CYCLES_ACTIVE_MAX);
	buf_puts(out, "≈ ");
	put_grouped(e->active_max, out);
	buf_puts(out, " cycles");
	if (error)
		buf_printf(out, " (±%.0f %%)", error->off);
	buf_printf(out, " in which the busiest SM has warps, ≈ %.3g us", e->ns / 1000);
	error = metric_error(METRIC_TIME);
	if (error)
		buf_printf(out, " (±%.0f %%)", error->off);
	buf_printf(out, " with the launch%s; ", 2 * timing[TIMING_LAUNCH] > e->elapsed ? ", which is most of it" : "");

	/* what keeps the kernel */
	const char *stall = main_stall(e), *s = engine_bound_is_plural(e->bound) ? "" : "s";
	double after = e->elapsed - timing[TIMING_LAUNCH] - e->active_max;
	if (e->bound == ENGINE_ATOMICS && after > LATE * e->active_max) {
		buf_printf(out, "%s bound the kernel: they go on for ≈ ", engine_bound_name(e->bound));
		put_grouped(after, out);
		buf_puts(out, " cycles after its last warp.");
	} else if (e->bound != ENGINE_LATENCY) {
		buf_printf(out, "%s bound%s the kernel: %s busy for %.0f %% of those cycles.",
			engine_bound_name(e->bound), s, *s ? "it is" : "they are", 100 * e->share);
	} else if (stall) {
		buf_printf(out, "%s: its warps wait for %.0f %% of their time, mostly for %s.",
			e->share < 0.5 ? "nothing bounds the kernel for long" : "latency bounds the kernel",
			100 * e->share, stall);
	} else {
		buf_puts(out, "latency bounds the kernel.");
	}

	buf_puts(out, counted[e->instructions_by]);
	if (e->elsewhere)
		buf_puts(out, " Caches, pipes and clock are those of an NVIDIA H200, not of the GPU asked for.");
	buf_putc(out, '\n');
}
