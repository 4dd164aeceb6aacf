/* base/expr.h: C integer expressions over named variables, as in `lane*33` or `(lane*32 + (lane^7)) % 1024`.
 *
 * 64-bit signed arithmetic that wraps; all of C's integer operators but assignment, increment and comma, with C's
 * precedence; decimal, hex, octal and binary constants. Shift counts outside 0..63 and division by zero are errors. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"

struct expr;

/* Parses all of `text`. `names` are the `n` variables it may use; their values come at evaluation, in the same order.
 * On a fault returns NULL and adds an error at the column in `text`, shown as file `what`. */
const struct expr *expr_parse(struct arena *arena, const char *what, const char *text, const char *const *names, int n,
	struct diag *diag);

/* False on a division by zero or a bad shift count; `*why` then says so (a constant string). */
bool expr_eval(const struct expr *expr, const int64_t *values, int64_t *out, const char **why);
