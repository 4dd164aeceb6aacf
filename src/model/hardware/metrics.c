#include "config.h"
#include "model/hardware/metrics.h"

#include <math.h>
#include <string.h>

#include "model/hardware/roofs.h"

#define WHOLE_FROM 1000.0 /* from here on decimals are not shown */
#define WHOLE_MAX 1e15

#define CC_FIRST 70    /* the range profiler counts from Volta on */
#define CC_COMPARED 90 /* where instructions.def was compared with the counters themselves */

#define NCU "equal to Nsight Compute's on CC 9.0 (H200)"
#define PATTERNS "equal to the model's in all patterns of simttutor validate on CC 9.0 (H200)"
const struct counter counter_table[COUNTERS] = {
#define COUNTER(id, hw, unit, trust, verified, meaning) [COUNTER_##id] = {hw, unit, COUNTER_##trust, verified, meaning},
#include "model/hardware/counters.def"
#undef COUNTER
};

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

const struct chip chip_table[] = {
#define CHIP(name, cc) {name, cc},
#include "model/hardware/chips.def"
#undef CHIP
};
const int chip_count = (int)(sizeof chip_table / sizeof chip_table[0]);

static const struct {
	enum counter_id counter;
	int cc;
} absent[] = {
#define ABSENT(counter, cc) {COUNTER_##counter, cc},
#include "model/hardware/absent.def"
#undef ABSENT
};

const char *value_reason(enum value_state state)
{
	static const char *const reasons[] = {
		[VALUE_NONE] = "not measured",
		[VALUE_OK] = "",
		[VALUE_PENDING] = "measuring",
		[VALUE_UNDEFINED] = "none happened",
		[VALUE_UNSUPPORTED] = "not collected here",
		[VALUE_NO_GPU] = "no GPU",
		[VALUE_NO_PERMISSION] = "needs permission",
		[VALUE_FAILED] = "failed",
		[VALUE_NOT_LAUNCHED] = "not launched",
		[VALUE_OTHER_GPU] = "needs another GPU",
		[VALUE_STALE] = "out of date",
		[VALUE_NOT_MODELED] = "not modeled",
		[VALUE_MODEL_ONLY] = "model only",
		[VALUE_COVERED] = "covered",
	};
	return reasons[state];
}

void value_explain(struct value value, struct buf *out)
{
	int cc = (int)value.v;
	if (value.state == VALUE_UNSUPPORTED && cc)
		buf_printf(out, "not collected on CC %d.%d", cc / 10, cc % 10);
	else if (value.state == VALUE_OTHER_GPU && cc)
		buf_printf(out, "needs CC %d.%d", cc / 10, cc % 10);
	else
		buf_puts(out, value_reason(value.state));
}

const char *counter_trust_name(enum counter_trust trust)
{
	static const char *const names[] = {
		[COUNTER_EXACT] = "exact",
		[COUNTER_CLOSE] = "estimate",
		[COUNTER_ROUGH] = "estimate",
		[COUNTER_HARDWARE] = "not modeled",
	};
	return names[trust];
}

const char *counter_trust_meaning(enum counter_trust trust)
{
	static const char *const meanings[] = {
		[COUNTER_EXACT] =
			"predicted from the PTX to the last unit, where the rule was verified on the hardware",
		[COUNTER_CLOSE] =
			"from the PTX, of which the compiler for the GPU may keep other branches and instructions,",
		[COUNTER_ROUGH] =
			"from the launch and a model of its schedule, without the registers and the order that the compiler for the GPU chooses",
		[COUNTER_HARDWARE] = "only a GPU can count it",
	};
	return meanings[trust];
}

/* The wavefronts and conflicts of each kind of shared access. */
static const struct {
	enum counter_id wavefronts, conflicts;
} shared_accesses[] = {
	{COUNTER_SHARED_LD_WAVEFRONTS, COUNTER_SHARED_LD_CONFLICTS},
	{COUNTER_SHARED_ST_WAVEFRONTS, COUNTER_SHARED_ST_CONFLICTS},
	{COUNTER_SHARED_ATOM_WAVEFRONTS, COUNTER_SHARED_ATOM_CONFLICTS},
};
#define SHARED_ACCESSES (sizeof shared_accesses / sizeof *shared_accesses)

bool counter_counts_waits(enum counter_id id)
{
	for (size_t i = 0; i < SHARED_ACCESSES; i++)
		if (id == shared_accesses[i].wavefronts || id == shared_accesses[i].conflicts)
			return true;
	return false;
}

static bool has_model_wavefronts(const struct counts *model, struct value wavefronts)
{
	double all = 0;
	for (size_t i = 0; i < SHARED_ACCESSES; i++)
		all += model->c[shared_accesses[i].wavefronts].state == VALUE_OK
			? model->c[shared_accesses[i].wavefronts].v
			: 0;
	return wavefronts.state == VALUE_OK && !(wavefronts.v < all || wavefronts.v > all);
}

enum counter_relation counter_compare(
	enum counter_id id, const struct counts *model, const struct counts *hardware, struct value wavefronts)
{
	double more = hardware->c[id].v - model->c[id].v;
	if (!(more < 0 || more > 0))
		return COUNTER_SAME;
	return more > 0 && counter_counts_waits(id) && has_model_wavefronts(model, wavefronts) ? COUNTER_WAITED
											       : COUNTER_DIFFERS;
}

bool counter_is_of_model(enum counter_id id)
{
	return strncmp(counter_table[id].hw, "ptx__", 5) == 0;
}

int counter_hardware_names(const char *names[COUNTERS])
{
	int n = 0;
	for (int id = 0; id < COUNTERS; id++)
		if (!counter_is_of_model((enum counter_id)id))
			names[n++] = counter_table[id].hw;
	return n;
}

bool counter_is_collected(enum counter_id id, int cc)
{
	if (counter_is_of_model(id))
		return false;
	for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++)
		if (absent[i].counter == id && absent[i].cc == cc)
			return false;
	return cc >= CC_FIRST;
}

bool counter_is_comparable(enum counter_id id, const struct counts *model, const struct counts *hardware)
{
	return counter_table[id].trust == COUNTER_EXACT && model->c[id].state == VALUE_OK &&
		hardware->c[id].state == VALUE_OK;
}

enum counter_id counter_find(const char *hw)
{
	int id = 0;
	while (id < COUNTERS && strcmp(counter_table[id].hw, hw) != 0)
		id++;
	return (enum counter_id)id;
}

static const struct {
	const char *hw;
	bool same;
} per_instruction[COUNTERS] = {
#define SAME true
#define FIRST false
#define PER_INSTRUCTION(id, hw, relation) [COUNTER_##id] = {hw, relation},
#include "model/hardware/instructions.def"
#undef PER_INSTRUCTION
#undef FIRST
#undef SAME
};

const char *counter_per_instruction(enum counter_id id)
{
	return per_instruction[id].hw;
}

bool counter_is_replaced(enum counter_id id, int cc)
{
	return per_instruction[id].same && cc == CC_COMPARED;
}

/* Of the PTX as it stands, so that a comment or another kernel of it may say no. */
bool counter_only_loads(const char *ptx, size_t len)
{
	static const char *const others[] = {"call", "cp", "fence", "membar", "prefetch", "prefetchu", "discard",
		"applypriority", "createpolicy", "atom", "red", "mbarrier", "multimem", "tex", "tld4", "suld", "sust",
		"sured", "wgmma", "ldmatrix", "stmatrix", "griddepcontrol", "trap"};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		size_t n = strlen(others[i]);
		const char *end = ptx + len;
		for (const char *at = ptx; (at = memmem(at, (size_t)(end - at), others[i], n)) != NULL; at += n)
			if ((at == ptx || strchr(" \t\n;}", at[-1])) && at + n < end && strchr(". \t;", at[n]))
				return false;
	}
	return true;
}

enum counter_id counter_find_per_instruction(const char *hw)
{
	int id = 0;
	while (id < COUNTERS && (!per_instruction[id].hw || strcmp(per_instruction[id].hw, hw) != 0))
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
		counts->c[id] = counter_table[id].trust >= COUNTER_ROUGH ? value_missing(VALUE_NONE) : value_ok(0);
}

void counts_set_named(struct counts *counts, const struct named_counts *named)
{
	for (int i = 0; i < named->n; i++) {
		enum counter_id id = counter_find(named->names[i]);
		bool available = !named->available || named->available[i], quick = id == COUNTER_NONE;
		if (quick)
			id = counter_find_per_instruction(named->names[i]);
		if (id == COUNTER_NONE || (quick && counts->c[id].state == VALUE_OK && !counts->per_instruction[id]))
			continue;
		if (quick && !available && !counter_is_replaced(id, named->cc))
			continue; /* the counter itself was asked for, too */
		counts->c[id] = available ? value_ok(named->values[i]) : value_unsupported(named->cc);
		counts->per_instruction[id] = quick;
	}
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

/* What no launch goes beyond: of shares all, of lanes a warp's, and of DRAM what it did at most on the GPU that was counted. */
static double most_possible(enum metric_id metric)
{
	if (strcmp(metric_table[metric].unit, "%") == 0)
		return 100;
	if (metric == METRIC_ACTIVE_THREADS)
		return 32;
	const struct roofs *roofs = metric == METRIC_DRAM_THROUGHPUT ? roofs_of(ROOFS_MODEL_GPU) : NULL;
	return roofs && roofs->of[ROOF_DRAM].rate > 0 ? roofs->of[ROOF_DRAM].rate : INFINITY;
}

bool metric_range(enum metric_id metric, double v, double *least, double *most)
{
	const struct metric_error *e = metric_error(metric);
	if (!e || !metric_is_estimate(metric))
		return false;
	double cap = most_possible(metric);
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
		buf_printf(out, "%s%s", i ? " + " : "", quick ? per_instruction[id].hw : counter_table[id].hw);
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
