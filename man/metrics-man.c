/* Writes simttutor-metrics(7) from the tables of counters and metrics. */
#include <stdio.h>
#include <stdlib.h>

#include "model/metrics.h"

static const char head[] =
	".Dd November 21, 2026\n"
	".Dt SIMTTUTOR-METRICS 7\n"
	".Os simttutor\n"
	".Sh NAME\n"
	".Nm simttutor-metrics\n"
	".Nd the numbers that simttutor predicts and measures\n"
	".Sh DESCRIPTION\n"
	"A metric is a formula over counters of the hardware, the same for all witnesses: the model, which counts while it\n"
	"executes the kernel's PTX, a GPU that is measured now, and a GPU whose numbers were recorded.\n"
	"Lessons and JSON call a metric by its name.\n"
	".Pp\n"
	"How far the model can be trusted depends on the counters:\n"
	".Bl -tag -width hardware\n";

static const struct { const char *name, *meaning; } trusts[] = {
	[COUNTER_EXACT] = {"exact", "predicted from the PTX to the last unit, where the rule was verified on the hardware"},
	[COUNTER_CLOSE] = {"close", "right in so far as the compiler kept the branches and instructions of the PTX"},
	[COUNTER_HARDWARE] = {"hardware", "measured only"},
};

static void write_trusts(struct buf *out)
{
	for (size_t i = 0; i < sizeof trusts / sizeof *trusts; i++)
		buf_printf(out, ".It %s\n%s\n", trusts[i].name, trusts[i].meaning);
	buf_puts(out, ".El\n");
}

static void write_metrics(struct buf *out)
{
	buf_puts(out, ".Sh METRICS\n.Bl -tag -width Ds\n");
	for (int i = 0; i < METRICS; i++) {
		const struct metric *m = &metric_table[i];
		buf_printf(out, ".It Cm %s\n%s.\nShown as\n.Dq %s ,\nin %s; %s; from compute capability %d.%d on.\n.Pp\n.Li \"",
			m->name, m->meaning, m->label, m->unit, trusts[metric_trust((enum metric_id)i)].name, m->min_cc / 10,
			m->min_cc % 10);
		metric_formula((enum metric_id)i, out);
		buf_puts(out, "\"\n");
	}
	buf_puts(out, ".El\n");
}

static void write_counters(struct buf *out)
{
	buf_puts(out, ".Sh COUNTERS\nThe hardware's own names, as CUPTI and Nsight Compute use them.\n.Bl -tag -width Ds\n");
	for (int i = 0; i < COUNTERS; i++) {
		const struct counter *c = &counter_table[i];
		buf_printf(out, ".It Li %s\n%s, in %s; %s\n", c->hw, c->meaning, c->unit, trusts[c->trust].name);
	}
	buf_puts(out, ".El\n");
}

static void write_missing(struct buf *out)
{
	buf_puts(out, ".Sh MISSING NUMBERS\nA number that is not there is never shown as 0. In its place stands why:\n"
		      ".Bl -dash -compact\n");
	for (int s = 0; s <= VALUE_STALE; s++)
		if (s != VALUE_OK)
			buf_printf(out, ".It\n%s\n", value_reason((enum value_state)s));
	buf_puts(out, ".El\n.Pp\nA ratio of nothing to nothing, such as conflicts a request of a kernel that makes no request, is\n"
		      ".Dq none happened .\n.Sh SEE ALSO\n.Xr simttutor 1\n");
}

int main(void)
{
	struct buf out = {0};
	buf_puts(&out, head);
	write_trusts(&out);
	write_metrics(&out);
	write_counters(&out);
	write_missing(&out);
	int failed = fwrite(out.data, 1, out.len, stdout) != out.len || fflush(stdout) != 0;
	buf_free(&out);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
