#include "model/hardware/metrics.h"

#include <math.h>
#include <string.h>

#include "model/hardware/roofs.h"

const struct metric_group_row metric_group_table[METRIC_GROUPS] = {
#define GROUP(id, name, title, meaning) [METRIC_GROUP_##id] = {name, title, meaning},
#include "model/hardware/groups.def"
#undef GROUP
};

#define OF(a)                                                                                                          \
	{                                                                                                              \
		{COUNTER_##a}, 1                                                                                       \
	}
#define OF2(a, b)                                                                                                      \
	{                                                                                                              \
		{COUNTER_##a, COUNTER_##b}, 2                                                                          \
	}
#define OF3(a, b, c)                                                                                                   \
	{                                                                                                              \
		{COUNTER_##a, COUNTER_##b, COUNTER_##c}, 3                                                             \
	}
#define OF4(a, b, c, d)                                                                                                \
	{                                                                                                              \
		{COUNTER_##a, COUNTER_##b, COUNTER_##c, COUNTER_##d}, 4                                                \
	}
#define PLAIN                                                                                                          \
	{                                                                                                              \
		{0}, 0                                                                                                 \
	}
const struct metric metric_table[METRICS] = {
#define METRIC(id, group, name, label, unit, scale, num, den, meaning)                                                 \
	[METRIC_##id] = {METRIC_GROUP_##group, name, label, unit, scale, num, den, meaning},
#include "model/hardware/metrics.def"
#undef METRIC
};

enum metric_id metric_find(const char *name)
{
	int id = 0;
	while (id < METRICS && strcmp(metric_table[id].name, name) != 0)
		id++;
	return (enum metric_id)id;
}

bool metric_is_rate(enum metric_id metric)
{
	return metric_table[metric].den.n > 0;
}

static int collect_counters(const struct metric_sum *sum, enum counter_id *out, int n)
{
	for (int i = 0; i < sum->n; i++) {
		int k = 0;
		while (k < n && out[k] != sum->of[i])
			k++;
		if (k == n)
			out[n++] = sum->of[i];
	}
	return n;
}

int metric_counters(enum metric_id metric, enum counter_id out[METRIC_COUNTERS_MAX])
{
	if (metric == METRIC_NONE)
		return 0;
	const struct metric *m = &metric_table[metric];
	return collect_counters(&m->den, out, collect_counters(&m->num, out, 0));
}

bool metric_is_of_model(enum metric_id metric)
{
	enum counter_id of[METRIC_COUNTERS_MAX];
	for (int i = metric_counters(metric, of); i-- > 0;)
		if (counter_is_of_model(of[i]))
			return true;
	return false;
}

bool metric_is_collected(enum metric_id metric, int cc)
{
	enum counter_id of[METRIC_COUNTERS_MAX];
	for (int i = metric_counters(metric, of); i-- > 0;)
		if (!counter_is_collected(of[i], cc))
			return false;
	return true;
}

/* A sum with a missing part is missing for the part's reason. */
static struct value sum_value(const struct metric_sum *sum, const struct counts *counts)
{
	double total = 0;
	for (int i = 0; i < sum->n; i++) {
		struct value part = counts->c[sum->of[i]];
		if ((part.state == VALUE_NONE || part.state == VALUE_UNSUPPORTED) && counter_is_of_model(sum->of[i]))
			return value_missing(VALUE_MODEL_ONLY);
		if (part.state != VALUE_OK)
			return part;
		total += part.v;
	}
	return value_ok(total);
}

struct value metric_value(enum metric_id metric, const struct counts *counts)
{
	const struct metric *m = &metric_table[metric];
	struct value num = sum_value(&m->num, counts), den = sum_value(&m->den, counts);

	if (num.state != VALUE_OK)
		return num;
	if (!metric_is_rate(metric))
		return value_ok(m->scale * num.v);
	if (den.state != VALUE_OK)
		return den;
	return den.v > 0 ? value_ok(m->scale * num.v / den.v) : value_missing(VALUE_UNDEFINED);
}

enum counter_trust metric_trust(enum metric_id metric)
{
	enum counter_id of[METRIC_COUNTERS_MAX];
	enum counter_trust least = COUNTER_EXACT;
	for (int i = metric_counters(metric, of); i-- > 0;)
		if (counter_table[of[i]].trust > least)
			least = counter_table[of[i]].trust;
	return least;
}

bool metric_is_estimate(enum metric_id metric)
{
	enum counter_trust trust = metric_trust(metric);
	return trust == COUNTER_CLOSE || trust == COUNTER_ROUGH;
}

static const struct metric_error errors[] = {
#define ERROR(metric, launches, least, most) {METRIC_##metric, launches, least, most, 0, 0},
#define JUDGED(metric, launches, least, median, most, off) {METRIC_##metric, launches, least, most, median, off},
#include "model/hardware/errors.def"
#undef JUDGED
#undef ERROR
	{METRIC_NONE, 0, 0, 0, 0, 0},
};

const struct metric_error *metric_error(enum metric_id metric)
{
	for (const struct metric_error *e = errors; e->metric != METRIC_NONE; e++)
		if (e->metric == metric)
			return e;
	return NULL;
}

bool metric_range(enum metric_id metric, double v, double *least, double *most)
{
	const struct metric_error *e = metric_error(metric);
	if (!e || !metric_is_estimate(metric))
		return false;
	/* what no launch goes beyond: of shares all, of lanes a warp's, and of DRAM what it did at most on the GPU that
	 * was counted */
	double cap = INFINITY;
	if (strcmp(metric_table[metric].unit, "%") == 0)
		cap = 100;
	else if (metric == METRIC_ACTIVE_THREADS)
		cap = 32;
	const struct roofs *roofs = metric == METRIC_DRAM_THROUGHPUT ? roofs_of(ROOFS_MODEL_GPU) : NULL;
	if (roofs && roofs->of[ROOF_DRAM].rate > 0 && strcmp(metric_table[metric].unit, "%") != 0)
		cap = roofs->of[ROOF_DRAM].rate;
	*least = v * e->least;
	*most = v * e->most > cap && v <= cap ? cap : v * e->most;
	return *most > *least;
}

bool metric_range_is_rough(double least, double most)
{
	return most > 20 * least;
}

bool metric_write_off(enum metric_id metric, double v, struct buf *out)
{
	const struct metric_error *e = metric_error(metric);
	double least, most;
	if (!metric_range(metric, v, &least, &most) || v <= 0)
		return false;
	double off = 100 * (v - least > most - v ? v - least : most - v) / v;
	off = e->off > 0 && e->off < off ? e->off : off;
	if (off > 100)
		return false;
	buf_puts(out, "±");
	if (strcmp(metric_table[metric].unit, "%") == 0)
		buf_printf(out, "%.2g", off * v / 100);
	else
		buf_printf(out, "%.0f%%", off);
	return true;
}

bool metric_write_range(enum metric_id metric, double v, struct buf *out)
{
	double least, most;
	if (!metric_range(metric, v, &least, &most))
		return false;
	if (metric_range_is_rough(least, most)) {
		buf_puts(out, "rough");
		return true;
	}
	buf_puts(out, "≈");
	value_format(least, out);
	buf_puts(out, "–");
	value_format(most, out);
	return true;
}

void metric_explain_error(enum metric_id metric, struct buf *out)
{
	const struct metric_error *e = metric_error(metric);
	if (e && e->median > 0)
		buf_printf(out,
			"%g to %g times the model's in 9 of 10 of %d launches on an H200, in the middle %g times",
			e->least, e->most, e->launches, e->median);
	else if (e && e->most > e->least)
		buf_printf(out, "%g to %g times the model's in %d launches on an H200", e->least, e->most, e->launches);
	else if (e)
		buf_printf(out, "%g times the model's in %d launches on an H200", e->least, e->launches);
	else if (metric_is_estimate(metric))
		buf_puts(out, "not compared in any recorded launch");
}

const char *const metric_ids[METRICS] = {
#define METRIC(id, group, name, label, unit, scale, num, den, meaning) [METRIC_##id] = #id,
#include "model/hardware/metrics.def"
#undef METRIC
};

bool metric_counts_waits(enum metric_id metric)
{
	enum counter_id of[METRIC_COUNTERS_MAX];
	for (int i = metric_counters(metric, of); i-- > 0;)
		if (counter_counts_waits(of[i]))
			return true;
	return false;
}

static void write_sum(const struct metric_sum *sum, const struct counts *counted, struct buf *out)
{
	for (int i = 0; i < sum->n; i++) {
		enum counter_id id = sum->of[i];
		bool quick = counted && counted->per_instruction[id];
		buf_printf(out, "%s%s", i ? " + " : "", quick ? counter_per_instruction(id) : counter_table[id].hw);
	}
}

static void write_factor(const struct metric_sum *sum, const struct counts *counted, struct buf *out)
{
	buf_puts(out, sum->n > 1 ? "(" : "");
	write_sum(sum, counted, out);
	buf_puts(out, sum->n > 1 ? ")" : "");
}

void metric_formula(enum metric_id metric, const struct counts *counted, struct buf *out)
{
	const struct metric *m = &metric_table[metric];
	bool scaled = m->scale < 1 || m->scale > 1;
	if (scaled)
		buf_printf(out, "%g * ", m->scale);
	(scaled || metric_is_rate(metric) ? write_factor : write_sum)(&m->num, counted, out);
	if (!metric_is_rate(metric))
		return;
	buf_puts(out, " / ");
	write_factor(&m->den, counted, out);
}
