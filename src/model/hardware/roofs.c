#include "model/hardware/roofs.h"

#include <math.h>
#include <string.h>

#include "model/hardware/metrics.h"

const struct roof_kind roof_kind_table[ROOF_KINDS] = {
#define ROOF_KIND(id, name, unit, meaning) [ROOF_##id] = {name, unit, meaning},
#include "model/hardware/roof_kinds.def"
#undef ROOF_KIND
};

enum roof_id roof_find(const char *name)
{
	int id = 0;
	while (id < ROOF_KINDS && strcmp(roof_kind_table[id].name, name) != 0)
		id++;
	return (enum roof_id)id;
}

static const struct roofs all_roofs[] = {
#define ROOF(id, rate, fastest) [ROOF_##id] = {rate, fastest},
#define ROOFS(gpu, measured, ...) {gpu, measured, {__VA_ARGS__}},
#include "model/hardware/roofs.def"
#undef ROOFS
#undef ROOF
	{NULL, NULL, {{0, NULL}}},
};

const struct roofs *roofs_of(const char *gpu)
{
	for (const struct roofs *roofs = all_roofs; gpu && roofs->gpu; roofs++)
		if (strcmp(roofs->gpu, gpu) == 0)
			return roofs;
	return NULL;
}

static const struct {
	const char *name;
	enum roof_id roof;
} levels[ROOF_LEVELS] =
	{[ROOF_LEVEL_L1] = {"L1", ROOF_L1}, [ROOF_LEVEL_L2] = {"L2", ROOF_L2}, [ROOF_LEVEL_DRAM] = {"DRAM", ROOF_DRAM}};

const char *roof_level_name(enum roof_level level)
{
	return levels[level].name;
}

double roof_level_rate(const struct roofs *roofs, enum roof_level level)
{
	double rate = roofs->of[levels[level].roof].rate, shared = roofs->of[ROOF_SHARED].rate;
	return level == ROOF_LEVEL_L1 && shared > rate ? shared : rate;
}

/* --- what a launch does ------------------------------------------------------------------------------------------- */

#define SECTOR_BYTES 32
#define WAVEFRONT_BYTES 128 /* that the data stage can give, whether or not they are asked for */

static const enum counter_id used[] = {COUNTER_TIME, COUNTER_FLOAT_ADDS, COUNTER_FLOAT_PRODUCTS,
	COUNTER_FLOAT_MULTIPLY_ADDS, COUNTER_L1_SECTORS, COUNTER_SHARED_LD_WAVEFRONTS, COUNTER_SHARED_ST_WAVEFRONTS,
	COUNTER_SHARED_ATOM_WAVEFRONTS, COUNTER_L2_SM_SECTORS, COUNTER_DRAM_BYTES};

int roof_counters(const enum counter_id **out)
{
	*out = used;
	return (int)(sizeof used / sizeof *used);
}

static void add_bytes(struct value *to, double times, struct value more)
{
	if (to->state == VALUE_OK && more.state == VALUE_OK)
		to->v += times * more.v;
	else if (to->state == VALUE_OK)
		*to = more;
}

struct roof_work roof_work_of(const struct counts *counts)
{
	struct roof_work work = {.operations = metric_value(METRIC_FLOAT_OPERATIONS, counts),
		.time = counts->c[COUNTER_TIME],
		.bytes = {value_ok(0), value_ok(0), value_ok(0)}};
	add_bytes(&work.bytes[ROOF_LEVEL_L1], SECTOR_BYTES, counts->c[COUNTER_L1_SECTORS]);
	add_bytes(&work.bytes[ROOF_LEVEL_L1], WAVEFRONT_BYTES, counts->c[COUNTER_SHARED_LD_WAVEFRONTS]);
	add_bytes(&work.bytes[ROOF_LEVEL_L1], WAVEFRONT_BYTES, counts->c[COUNTER_SHARED_ST_WAVEFRONTS]);
	add_bytes(&work.bytes[ROOF_LEVEL_L1], WAVEFRONT_BYTES, counts->c[COUNTER_SHARED_ATOM_WAVEFRONTS]);
	add_bytes(&work.bytes[ROOF_LEVEL_L2], SECTOR_BYTES, counts->c[COUNTER_L2_SM_SECTORS]);
	add_bytes(&work.bytes[ROOF_LEVEL_DRAM], 1, counts->c[COUNTER_DRAM_BYTES]);
	return work;
}

static bool quotient_of(struct value a, struct value b, double *out)
{
	if (a.state != VALUE_OK || b.state != VALUE_OK || !(a.v > 0) || !(b.v > 0))
		return false;
	*out = a.v / b.v;
	return isfinite(*out);
}

bool roof_intensity(const struct roof_work *work, enum roof_level level, double *out)
{
	return quotient_of(work->operations, work->bytes[level], out);
}

bool roof_rate(const struct roof_work *work, double *out)
{
	return quotient_of(work->operations, work->time, out);
}

enum roof_level roof_tightest(const struct roofs *roofs, const struct roof_work *work)
{
	enum roof_level tightest = ROOF_LEVELS;
	double most = 0;
	for (int level = 0; level < ROOF_LEVELS; level++) {
		const struct value *bytes = &work->bytes[level];
		double rate = roofs ? roof_level_rate(roofs, (enum roof_level)level) : 0;
		if (bytes->state != VALUE_OK || !(bytes->v > 0) || (roofs && !(rate > 0)))
			continue;
		double takes = roofs ? bytes->v / rate : level + 1;
		if (takes > most) {
			most = takes;
			tightest = (enum roof_level)level;
		}
	}
	return tightest;
}

double roof_above(const struct roofs *roofs, enum roof_level level, double intensity)
{
	double slope = roof_level_rate(roofs, level) * intensity, flat = roofs->of[ROOF_FLOAT].rate;
	return slope < flat || !(flat > 0) ? slope : flat;
}
