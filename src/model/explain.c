#include <stdio.h>

#include "model/engine.h"
#include "model/metrics.h"

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
#include "model/stalls.def"
#undef STALL
	};
	int most = -1;
	for (int i = 0; i < ENGINE_STALLS; i++)
		if (i != ENGINE_STALL_NOT_SELECTED && e->stalls[i] > (most < 0 ? 0 : e->stalls[most]))
			most = i;
	return most < 0 ? NULL : what[most];
}

void engine_explain(const struct engine_estimate *e, struct buf *out)
{
	const struct metric_error *error = metric_error(METRIC_CYCLES_ACTIVE_MAX);
	const char *stall = main_stall(e);
	buf_puts(out, "≈ ");
	put_grouped(e->active_max, out);
	buf_puts(out, " cycles");
	if (error)
		buf_printf(out, " (±%.0f %%)", error->off);
	buf_printf(out, " in which the busiest SM has warps, ≈ %.3g us", e->ns / 1000);
	error = metric_error(METRIC_TIME);
	if (error)
		buf_printf(out, " (±%.0f %%)", error->off);
	buf_puts(out, " with the launch; ");
	if (e->bound != ENGINE_LATENCY)
		buf_printf(out, "%s bound%s it, busy for %.0f %% of them.", engine_bound_name(e->bound),
			engine_bound_is_plural(e->bound) ? "" : "s", 100 * e->share);
	else if (stall)
		buf_printf(out, "latency bounds it: warps wait for %.0f %% of their time, most for %s.", 100 * e->share,
			stall);
	else
		buf_puts(out, "latency bounds it.");
	static const char *const counted[] = {[ENGINE_BY_RULES] = "",
		[ENGINE_BY_COUNT] = " The number of machine instructions is the one that a GPU counted.",
		[ENGINE_BY_CODE] = " The machine instructions are those that ptxas makes of it."};
	buf_printf(out, "%s\n", counted[e->instructions_by]);
}
