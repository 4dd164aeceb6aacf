/* model/validate/agreement.h: how often predicted and measured values agreed, rule by rule, and the first case of each rule in which
 * they did not. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

struct agreement_row {
	const char *rule;
	bool exact; /* any difference is a failure */
	uint64_t cases, agree;
	const char *difference; /* of the first that differs: what was predicted and measured; NULL: none */
	const char *reproduce;  /* the command that shows it again */
};

struct agreement {
	struct arena *arena;
	const char *campaign, *one, *what; /* "patterns"; what a case is, in the singular and the plural */
	struct agreement_row *rows;
	int n;
	uint64_t seed;
	bool seeded;       /* its cases are made from a seed */
	const char *other; /* what the model is compared with */
	uint64_t left_out; /* launches that need another GPU */
	uint64_t failed;   /* cases without anything to compare */
	bool stopped;      /* by the user, before the end */
};

/* An agreement without rows. The texts must outlive it. */
struct agreement validate_agreement_new(struct arena *arena, const char *campaign, const char *one, const char *what);

/* A row, once for each rule; its index. */
int validate_agreement_rule(struct agreement *agreement, const char *rule, bool exact);

/* One case of a rule. `difference` NULL: they agree; else both texts are copied when it is the rule's first. */
void validate_agreement_add(struct agreement *agreement, int row, const char *difference, const char *reproduce);

uint64_t validate_agreement_cases(const struct agreement *agreement);

/* Cases of exact rules that differ. */
uint64_t validate_agreement_violations(const struct agreement *agreement);

/* Differs, or nothing could be compared. */
bool validate_agreement_failed(const struct agreement *agreement);
