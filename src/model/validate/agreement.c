#include "model/validate/pattern.h"

#include <string.h>

struct agreement validate_agreement_new(struct arena *arena, const char *campaign, const char *one, const char *what)
{
	return (struct agreement){.arena = arena, .campaign = campaign, .one = one, .what = what, .model = "the model"};
}

int validate_agreement_rule(struct agreement *agreement, const char *rule, bool exact)
{
	struct agreement_row *rows = agreement->rows;
	int n = agreement->n;
	for (int i = 0; i < n; i++)
		if (strcmp(rows[i].rule, rule) == 0)
			return i;
	if ((n & (n - 1)) == 0) { /* full: capacities are powers of two */
		agreement->rows = arena_array(agreement->arena, struct agreement_row, n ? 2 * (size_t)n : 1);
		if (n)
			memcpy(agreement->rows, rows, (size_t)n * sizeof *rows);
	}
	agreement->rows[n] = (struct agreement_row){.rule = arena_strdup(agreement->arena, rule), .exact = exact};
	return agreement->n++;
}

void validate_agreement_add(struct agreement *agreement, int row, const char *difference, const char *reproduce)
{
	struct agreement_row *r = &agreement->rows[row];
	r->cases++;
	r->agree += difference == NULL;
	if (!difference || r->difference)
		return;
	r->difference = arena_strdup(agreement->arena, difference);
	r->reproduce = arena_strdup(agreement->arena, reproduce);
}

uint64_t validate_agreement_cases(const struct agreement *agreement)
{
	uint64_t cases = 0;
	for (int i = 0; i < agreement->n; i++)
		cases += agreement->rows[i].cases;
	return cases;
}

uint64_t validate_agreement_violations(const struct agreement *agreement)
{
	uint64_t differ = 0;
	for (int i = 0; i < agreement->n; i++)
		if (agreement->rows[i].exact)
			differ += agreement->rows[i].cases - agreement->rows[i].agree;
	return differ;
}

bool validate_agreement_failed(const struct agreement *agreement)
{
	return validate_agreement_violations(agreement) || agreement->failed ||
		(!validate_agreement_cases(agreement) && !agreement->stopped && !agreement->left_out);
}
