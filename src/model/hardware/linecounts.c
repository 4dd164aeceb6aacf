#include "model/hardware/linecounts.h"

#include <string.h>

#include "base/arena.h"

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

/* Adds number by number; where one of the two is missing, the sum is missing for its reason. */
static void add_line_counts(struct line_counts *counts, const struct line_counts *more)
{
	for (int id = 0; id < LINE_COUNTS; id++)
		counts->c[id] = sum_of(counts->c[id], more->c[id]);
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
	for (int i = 1; i < table->n; i++)
		add_line_counts(&total, &table->rows[i].counts);
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
