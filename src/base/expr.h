/* base/expr.h: C integer expressions over named variables, as in `lane*33` or `(lane*32 + (lane^7)) % 1024`.
 *
 * 64-bit signed arithmetic that wraps; all of C's integer operators but assignment, increment and comma, with C's
 * precedence; decimal, hex, octal and binary constants. Shift counts outside 0..63 and division by zero are errors.
 *
 * Expressions over numbers have more: decimals (a whole number with a real one gives a real one, as in C), the
 * functions abs, exp, floor, gcd, log, max, min, sqrt, sum(k, FIRST, END, TERM IN k) with END left out, elements of
 * arrays, and names that the caller reads. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"

struct expr;

/* What an expression may name. */
struct expr_names {
	const char *const *names; /* variables */
	int n;
	/* only in expressions over numbers: */
	const char *const *arrays; /* NAME[index] */
	int n_arrays;
	/* A name that is none of these: reads what belongs to it from `*at` on, which is past the name, and returns its
	 * number, 0 or more. -1: unknown, or, with `*why`, wrong at `*at`. NULL: there are no others. Such a name may
	 * also begin with one of the characters in `starts`, which is then all of it that was read; NULL: none. */
	const char *starts;
	int (*term)(void *ctx, const char *name, size_t len, const char **at, const char **why);
	void *ctx;
};

/* Parses all of `text`, which may use the variables of `names`; their values come at evaluation, in the same order. On
 * a fault returns NULL and adds an error at the column in `text`, shown as file `what`. */
const struct expr *expr_parse(
	struct arena *arena, const char *what, const char *text, const struct expr_names *names, struct diag *diag);

/* False on a division by zero or a bad shift count; `*why` then says so (a constant string). */
bool expr_eval(const struct expr *expr, const int64_t *values, int64_t *out, const char **why);

/* --- over numbers ------------------------------------------------------------------------------------------------- */

struct number {
	bool real; /* d, else i */
	int64_t i;
	double d;
};

static inline struct number number_whole(int64_t i)
{
	return (struct number){.i = i};
}

static inline struct number number_real(double d)
{
	return (struct number){.real = true, .d = d};
}

double number_as_real(struct number number);
bool number_is_true(struct number number); /* it is not 0 */

/* As expr_parse. */
const struct expr *expr_parse_numbers(
	struct arena *arena, const char *what, const char *text, const struct expr_names *names, struct diag *diag);

struct expr_values {
	const struct number *names;
	/* False with a constant string when there is no value. */
	bool (*element)(void *ctx, int array, int64_t index, struct number *out, const char **why);
	bool (*term)(void *ctx, int term, struct number *out, const char **why);
	void *ctx;
	uint64_t *work; /* how many operations are left to be done; nothing is evaluated past them */
};

/* The value. False with `*why`, a constant string, when there is none. */
bool expr_number(const struct expr *expr, const struct expr_values *values, struct number *out, const char **why);
