#include "model/metrics.h"

#include <math.h>
#include <string.h>

#define WHOLE_FROM 1000.0 /* from here on decimals say nothing to a reader */
#define WHOLE_MAX 1e15

const struct counter counter_table[COUNTERS] = {
#define COUNTER(id, hw, unit, trust, meaning) [COUNTER_##id] = {hw, unit, COUNTER_##trust, meaning},
#include "model/counters.def"
#undef COUNTER
};

const struct metric metric_table[METRICS] = {
#define METRIC(id, name, label, unit, num, den, scale, min_cc, meaning) \
	[METRIC_##id] = {name, label, unit, COUNTER_##num, COUNTER_##den, scale, min_cc, meaning},
#include "model/metrics.def"
#undef METRIC
};

const char *value_reason(enum value_state state)
{
	static const char *const reasons[] = {
		[VALUE_NONE] = "not measured", [VALUE_OK] = "", [VALUE_PENDING] = "measuring",
		[VALUE_UNDEFINED] = "none happened", [VALUE_UNSUPPORTED] = "not on this GPU", [VALUE_NO_GPU] = "no GPU",
		[VALUE_NO_PERMISSION] = "needs permission", [VALUE_FAILED] = "failed", [VALUE_STALE] = "out of date",
	};
	return reasons[state];
}

enum counter_id counter_find(const char *hw)
{
	int id = 0;
	while (id < COUNTERS && strcmp(counter_table[id].hw, hw) != 0)
		id++;
	return (enum counter_id)id;
}

enum metric_id metric_find(const char *name)
{
	int id = 0;
	while (id < METRICS && strcmp(metric_table[id].name, name) != 0)
		id++;
	return (enum metric_id)id;
}

void counts_start_model(struct counts *counts)
{
	for (int id = 0; id < COUNTERS; id++)
		counts->c[id] = counter_table[id].trust == COUNTER_HARDWARE ? value_missing(VALUE_NONE) : value_ok(0);
}

void counts_add(struct counts *counts, const struct counts *more)
{
	for (int id = 0; id < COUNTERS; id++) {
		struct value *sum = &counts->c[id], by = more->c[id];
		if (sum->state != VALUE_OK)
			continue;
		*sum = by.state == VALUE_OK ? value_ok(sum->v + by.v) : by;
	}
}

struct value metric_value(enum metric_id metric, const struct counts *counts)
{
	const struct metric *m = &metric_table[metric];
	struct value num = counts->c[m->num];

	if (num.state != VALUE_OK)
		return value_missing(num.state);
	if (m->den == COUNTER_NONE)
		return value_ok(m->scale * num.v);
	struct value den = counts->c[m->den];
	if (den.state != VALUE_OK)
		return value_missing(den.state);
	return den.v > 0 ? value_ok(m->scale * num.v / den.v) : value_missing(VALUE_UNDEFINED);
}

enum counter_trust metric_trust(enum metric_id metric)
{
	const struct metric *m = &metric_table[metric];
	enum counter_trust num = counter_table[m->num].trust;
	enum counter_trust den = m->den == COUNTER_NONE ? num : counter_table[m->den].trust;
	return num > den ? num : den;
}

void metric_formula(enum metric_id metric, struct buf *out)
{
	const struct metric *m = &metric_table[metric];
	if (m->scale < 1 || m->scale > 1)
		buf_printf(out, "%g * ", m->scale);
	buf_puts(out, counter_table[m->num].hw);
	if (m->den != COUNTER_NONE)
		buf_printf(out, " / %s", counter_table[m->den].hw);
}

void value_format(double v, struct buf *out)
{
	double size = fabs(v);
	if (size < 1e-300)
		buf_puts(out, "0");
	else if (size >= WHOLE_FROM && size < WHOLE_MAX)
		buf_printf(out, "%.0f", v);
	else
		buf_printf(out, "%.4g", v);
}
