#include "config.h"
#include "model/hardware/counters.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"

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

/* --- values ------------------------------------------------------------------------------------------------------- */

const char *witness_name(enum witness witness)
{
	static const char *const names[] = {
		[WITNESS_NONE] = "none",
		[WITNESS_MODEL] = "model",
		[WITNESS_LIVE] = "live",
		[WITNESS_RECORDED] = "recorded",
	};
	return names[witness];
}

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

/* --- counters ----------------------------------------------------------------------------------------------------- */

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

/* --- of a source line --------------------------------------------------------------------------------------------- */

const struct line_count line_count_table[LINE_COUNTS] = {
#define LINE_COUNT(id, name, hw, trust, meaning) [LINE_COUNT_##id] = {name, hw, COUNTER_##trust, meaning},
#include "model/hardware/linecounts.def"
#undef LINE_COUNT
};

enum line_count_id line_count_find(const char *hw)
{
	int id = 0;
	while (id < LINE_COUNTS && strcmp(line_count_table[id].hw, hw) != 0)
		id++;
	return (enum line_count_id)id;
}

static struct value sum_of(struct value a, struct value b)
{
	return a.state != VALUE_OK ? a : b.state != VALUE_OK ? b : value_ok(a.v + b.v);
}

static struct value quotient_of(struct value a, struct value b)
{
	bool known = a.state == VALUE_OK && b.state == VALUE_OK && b.v > 0;
	return known ? value_ok(a.v / b.v) : value_missing(VALUE_NONE);
}

struct value line_counts_requests(const struct line_counts *counts)
{
	struct value made = sum_of(counts->c[LINE_COUNT_SHARED_REQUESTS], counts->c[LINE_COUNT_GLOBAL_REQUESTS]);
	return made.state == VALUE_OK && made.v <= 0 ? value_missing(VALUE_NONE) : made;
}

struct value line_counts_wavefronts(const struct line_counts *counts)
{
	return quotient_of(counts->c[LINE_COUNT_WAVEFRONTS], counts->c[LINE_COUNT_SHARED_REQUESTS]);
}

struct value line_counts_sectors(const struct line_counts *counts)
{
	return quotient_of(counts->c[LINE_COUNT_SECTORS], counts->c[LINE_COUNT_GLOBAL_REQUESTS]);
}

struct value line_counts_lanes(const struct line_counts *counts)
{
	return quotient_of(counts->c[LINE_COUNT_THREADS], counts->c[LINE_COUNT_INSTRUCTIONS]);
}

struct value line_counts_conflicts(const struct line_counts *counts)
{
	struct value requests = counts->c[LINE_COUNT_SHARED_REQUESTS], passes = counts->c[LINE_COUNT_WAVEFRONTS];
	struct value ideal = counts->c[LINE_COUNT_IDEAL_WAVEFRONTS];
	bool known = requests.state == VALUE_OK && passes.state == VALUE_OK && ideal.state == VALUE_OK &&
		requests.v > 0;
	return known ? value_ok(passes.v - ideal.v) : value_missing(VALUE_NONE);
}

struct value line_counts_branches(const struct line_counts *counts)
{
	struct value all = sum_of(counts->c[LINE_COUNT_UNIFORM_BRANCHES], counts->c[LINE_COUNT_DIVERGENT_BRANCHES]);
	return all.state == VALUE_OK && all.v <= 0 ? value_missing(VALUE_NONE) : all;
}

struct value line_counts_divergent(const struct line_counts *counts)
{
	bool any = line_counts_branches(counts).state == VALUE_OK;
	return any ? counts->c[LINE_COUNT_DIVERGENT_BRANCHES] : value_missing(VALUE_NONE);
}

/* The first row that is not before `line`. */
static int row_index(const struct line_table *table, int line)
{
	int low = 0, high = table->n;
	while (low < high) {
		int middle = (low + high) / 2;
		if (table->rows[middle].line < line)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct line_row *line_table_row(struct arena *arena, struct line_table *table, int line)
{
	int at = row_index(table, line);
	if (at < table->n && table->rows[at].line == line)
		return &table->rows[at];
	vec_reserve_in(arena, table->rows, table->n, table->cap, 1);
	memmove(&table->rows[at + 1], &table->rows[at], (size_t)(table->n++ - at) * sizeof *table->rows);
	table->rows[at] = (struct line_row){.line = line};
	return &table->rows[at];
}

const struct line_counts *line_table_find(const struct line_table *table, int line)
{
	int at = row_index(table, line);
	return at < table->n && table->rows[at].line == line ? &table->rows[at].counts : NULL;
}

struct line_counts line_table_total(const struct line_table *table)
{
	struct line_counts total = {0};
	if (table->n > 0)
		total = table->rows[0].counts;
	for (int i = 1; i < table->n; i++) {
		/* where one of the two is missing, the sum is missing for its reason */
		const struct line_counts *more = &table->rows[i].counts;
		for (int id = 0; id < LINE_COUNTS; id++)
			total.c[id] = sum_of(total.c[id], more->c[id]);
	}
	return total;
}

struct value line_table_shared_wavefronts(const struct line_table *table)
{
	struct value all = value_missing(VALUE_NONE);
	for (int i = 0; i < table->n; i++) {
		struct value requests = table->rows[i].counts.c[LINE_COUNT_SHARED_REQUESTS],
			     wavefronts = table->rows[i].counts.c[LINE_COUNT_WAVEFRONTS];
		if (requests.state == VALUE_OK && !(requests.v > 0))
			wavefronts.v = 0;
		all = all.state == VALUE_NONE ? wavefronts : sum_of(all, wavefronts);
	}
	return all;
}
