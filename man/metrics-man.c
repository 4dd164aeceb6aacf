/* Writes simttutor-metrics(7) from the tables of counters and metrics. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/hardware/metrics.h"

static const char head[] =
	".Dd November 22, 2026\n"
	".Dt SIMTTUTOR-METRICS 7\n"
	".Os simttutor\n"
	".Sh NAME\n"
	".Nm simttutor-metrics\n"
	".Nd the numbers that simttutor predicts and measures\n"
	".Sh DESCRIPTION\n"
	"A metric is a formula over hardware counters, the same for all witnesses: the model, which counts while the kernel's\n"
	"PTX is executed, a GPU that is measured now, and a GPU whose numbers were recorded.\n"
	"Lessons and JSON call a metric by its name.\n"
	".Pp\n"
	"How far the model can be trusted depends on the counters:\n"
	".Bl -tag -width \"not modeled\"\n";

static void write_trusts(struct buf *out)
{
	for (int t = 0; t <= COUNTER_HARDWARE; t++) {
		const char *name = counter_trust_name((enum counter_trust)t);
		bool again = t && !strcmp(name, counter_trust_name((enum counter_trust)(t - 1)));
		buf_printf(out, again ? "or%s%s\n" : ".It %s\n%s\n", again ? " " : name,
			counter_trust_meaning((enum counter_trust)t));
	}
	buf_puts(out,
		".El\n.Pp\n"
		"The model's estimates are marked\n.Dq ≈\non the screen, and beside or below them stands the range in which a GPU counts them,\n"
		"where there is room:\n.Dq ≈8669–12300 .\n"
		"Where its one end is more than 20 times the other,\n.Dq rough\nstands instead.\n"
		"In JSON it is\n.Li range .\n"
		"How far they were from what a GPU counted, in the launches that the course has recordings of, is said of each.\n"
		"Kernels that wait in loops, add floats in shared memory or use that of other blocks are left out of that.\n"
		"Requests of\n.Li wmma.load\nand\n.Li wmma.store\nare those of the machine code that ptxas makes of them for CC 9.0.\n.Pp\n"
		"The hardware's counters of shared wavefronts and bank conflicts also count an access again when it had to wait, for\n"
		"another block of the SM or for incoming global data: on an H200 up to 4 % where many blocks run, and another number\n"
		"in each run.\n"
		"Such a number is shown as\n.Dq predicted < measured ,\n"
		"which is no disagreement when the same launch, counted per machine instruction, has the model's wavefronts.\n"
		".Pp\n"
		".Ic simttutor metrics\n"
		"prints the same table, also as JSON and for one compute capability.\n");
}

/* The compute capabilities that lack it, each once. */
static int absent_ccs(bool (*is_on)(int id, int cc), int id, int out[])
{
	int n = 0;
	for (int i = 0; i < chip_count; i++) {
		int cc = chip_table[i].cc;
		if (!is_on(id, cc) && (n == 0 || out[n - 1] != cc))
			out[n++] = cc;
	}
	return n;
}

static bool counter_on(int id, int cc)
{
	return counter_is_collected((enum counter_id)id, cc);
}

static bool metric_on(int id, int cc)
{
	return metric_is_collected((enum metric_id)id, cc);
}

static void write_absent(bool (*is_on)(int id, int cc), int id, struct buf *out)
{
	int ccs[64], n = absent_ccs(is_on, id, ccs);
	for (int i = 0; i < n; i++)
		buf_printf(out, "%s%d.%d",
			i == 0               ? "; not collected on CC "
				: i == n - 1 ? " and "
					     : ", ",
			ccs[i] / 10, ccs[i] % 10);
}

/* Who tells the number: the model where it does, and the hardware. */
static void write_witness(enum metric_id id, struct buf *out)
{
	enum counter_trust trust = metric_trust(id);
	if (trust == COUNTER_HARDWARE)
		buf_puts(out, "Hardware only");
	else
		buf_printf(out, "Model (%s) %s", counter_trust_name(trust),
			metric_is_of_model(id) ? "alone" : "and hardware");
	if (!metric_is_of_model(id))
		write_absent(metric_on, id, out);
	buf_puts(out, ".\n");
	if (!metric_is_estimate(id))
		return;
	buf_puts(out, metric_error(id) ? "What a GPU counted was " : "The estimate was ");
	metric_explain_error(id, out);
	buf_puts(out, ".\n");
}

static bool is_verified(enum metric_id id)
{
	enum counter_id of[METRIC_COUNTERS_MAX];
	for (int i = metric_counters(id, of); i-- > 0;)
		if (!*counter_table[of[i]].verified)
			return false;
	return true;
}

static void write_metric(enum metric_id id, struct buf *out)
{
	const struct metric *m = &metric_table[id];
	enum counter_id of[METRIC_COUNTERS_MAX];
	metric_counters(id, of);
	buf_printf(out, ".It Cm %s\n%s.\nShown as\n.Dq %s ,\nin %s.\n", m->name, m->meaning, m->label, m->unit);
	write_witness(id, out);
	if (is_verified(id))
		buf_printf(out, "Verified: %s.\n", counter_table[of[0]].verified);
	buf_puts(out, ".Pp\n.Li \"");
	metric_formula(id, NULL, out);
	buf_puts(out, "\"\n");
}

/* mdoc wants each sentence on a line of its own. */
static void write_sentences(const char *text, struct buf *out)
{
	for (const char *end; (end = strstr(text, ". ")) != NULL; text = end + 2)
		buf_printf(out, "%.*s.\n", (int)(end - text), text);
	buf_printf(out, "%s.\n", text);
}

static void write_metrics(struct buf *out)
{
	buf_puts(out, ".Sh METRICS\n");
	for (int g = 0; g < METRIC_GROUPS; g++) {
		buf_printf(out, ".Ss %s (%s)\n", metric_group_table[g].title, metric_group_table[g].name);
		write_sentences(metric_group_table[g].meaning, out);
		buf_puts(out, ".Bl -tag -width Ds\n");
		for (int i = 0; i < METRICS; i++)
			if ((int)metric_table[i].group == g)
				write_metric((enum metric_id)i, out);
		buf_puts(out, ".El\n");
	}
}

static void write_counters(struct buf *out)
{
	buf_puts(out,
		".Sh COUNTERS\nThe hardware's own names, as CUPTI and Nsight Compute use them.\n"
		"A name without a dot is reported by the driver and costs no measurement.\n"
		"Where the same can be counted per machine instruction, which is quick, that is named, too: in a lesson its number comes "
		"first, until the counter itself has one, or stays where the counter is slow and the kernel only loads and stores (on CC 9.0).\n"
		".Bl -tag -width Ds\n");
	for (int i = 0; i < COUNTERS; i++) {
		const struct counter *c = &counter_table[i];
		buf_printf(out, ".It Li %s\n%s, in %s; %s", c->hw, c->meaning, c->unit, counter_trust_name(c->trust));
		write_absent(counter_on, i, out);
		buf_printf(out, "%s%s\n", *c->verified ? "; " : "", c->verified);
		if (counter_per_instruction((enum counter_id)i))
			buf_printf(out, ".br\nPer machine instruction%s: %s\n",
				counter_is_replaced((enum counter_id)i, 90) ? ", in its place" : "",
				counter_per_instruction((enum counter_id)i));
	}
	buf_puts(out, ".El\n");
}

static void write_chips(struct buf *out)
{
	buf_puts(out,
		".Sh COMPUTE CAPABILITIES\n"
		"CUPTI 13.0 was asked which counters it cannot collect; it knows these chips:\n.Bl -tag -width \"12.0\" -compact\n");
	for (int i = 0; i < chip_count; i++) {
		int cc = chip_table[i].cc;
		if (i == 0 || chip_table[i - 1].cc != cc)
			buf_printf(out, ".It %d.%d\n", cc / 10, cc % 10);
		buf_printf(out, "%s\n", chip_table[i].name);
	}
	buf_puts(out, ".El\n.Pp\nThe model's rules were verified on CC 9.0 and are used for all.\n");
}

static void write_missing(struct buf *out)
{
	buf_puts(out,
		".Sh MISSING NUMBERS\nA missing number is never shown as 0. In its place is the reason:\n"
		".Bl -dash -compact\n");
	for (int s = 0; s <= VALUE_NOT_MODELED; s++)
		if (s != VALUE_OK)
			buf_printf(out, ".It\n%s\n", value_reason((enum value_state)s));
	buf_puts(out,
		".El\n.Pp\nA ratio of nothing to nothing, such as conflicts per request of a kernel without requests, is\n"
		".Dq none happened .\n.Sh SEE ALSO\n.Xr simttutor 1 ,\n.Xr simttutor-gpu 1\n");
}

int main(void)
{
	struct buf out = {0};
	buf_puts(&out, head);
	write_trusts(&out);
	write_metrics(&out);
	write_counters(&out);
	write_chips(&out);
	write_missing(&out);
	int failed = fwrite(out.data, 1, out.len, stdout) != out.len || fflush(stdout) != 0;
	buf_free(&out);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
