#include <math.h>
#include <stddef.h>

#include "base/expr_tree.h"

struct expr_evaluation {
	const struct expr_values *values;
	int64_t bound[EXPR_SUMS_MAX]; /* of the enclosing sums */
	const char **why;
};

static bool eval(struct expr_evaluation *e, const struct expr *expr, struct number *out);

double number_as_real(struct number number)
{
	return number.real ? number.d : (double)number.i;
}

bool number_is_true(struct number number)
{
	return number.real ? number.d < 0 || number.d > 0 : number.i != 0;
}

static bool no_value(struct expr_evaluation *e, const char *why)
{
	*e->why = why;
	return false;
}

static bool eval_whole(struct expr_evaluation *e, const struct expr *expr, int64_t *out, const char *why)
{
	struct number number;
	if (!eval(e, expr, &number))
		return false;
	*out = number.i;
	return number.real ? no_value(e, why) : true;
}

static bool eval_sum(struct expr_evaluation *e, const struct expr *sum, struct number *out)
{
	static const char why[] = "the bounds of a sum must be whole numbers";
	int64_t first, end;
	struct number total = number_whole(0), one;
	if (!eval_whole(e, sum->a, &first, why) || !eval_whole(e, sum->b, &end, why))
		return false;
	for (int64_t k = first; k < end; k++) {
		e->bound[sum->value] = k;
		if (!eval(e, sum->c, &one))
			return false;
		if (total.real || one.real)
			total = number_real(number_as_real(total) + number_as_real(one));
		else
			total.i = (int64_t)((uint64_t)total.i + (uint64_t)one.i);
	}
	*out = total;
	return true;
}

/* --- two numbers -------------------------------------------------------------------------------------------------- */

static int64_t gcd(int64_t a, int64_t b)
{
	uint64_t x = a < 0 ? 0 - (uint64_t)a : (uint64_t)a, y = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
	while (y) {
		uint64_t remainder = x % y;
		x = y;
		y = remainder;
	}
	return (int64_t)x;
}

static bool combine_wholes(struct expr_evaluation *e, enum op op, int64_t a, int64_t b, struct number *out)
{
	*out = number_whole(0);
	switch (op) {
	case OP_MIN: out->i = a < b ? a : b; return true;
	case OP_MAX: out->i = a > b ? a : b; return true;
	case OP_GCD: out->i = gcd(a, b); return true;
	default: return expr_eval_binary(op, a, b, &out->i, e->why);
	}
}

static bool combine_reals(struct expr_evaluation *e, enum op op, double a, double b, struct number *out)
{
	*out = number_whole(0);
	switch (op) {
	case OP_MUL: *out = number_real(a * b); return true;
	case OP_DIV: *out = number_real(a / b); return true;
	case OP_ADD: *out = number_real(a + b); return true;
	case OP_SUB: *out = number_real(a - b); return true;
	case OP_MIN: *out = number_real(a < b ? a : b); return true;
	case OP_MAX: *out = number_real(a > b ? a : b); return true;
	case OP_LT: out->i = a < b; return true;
	case OP_GT: out->i = a > b; return true;
	case OP_LE: out->i = a <= b; return true;
	case OP_GE: out->i = a >= b; return true;
	case OP_EQ: out->i = a >= b && a <= b; return true;
	case OP_NE: out->i = a < b || a > b; return true;
	default: return no_value(e, "this operator takes whole numbers");
	}
}

static bool eval_two(struct expr_evaluation *e, const struct expr *expr, struct number *out)
{
	struct number a, b;
	if (!eval(e, expr->a, &a) || !eval(e, expr->b, &b))
		return false;
	if (a.real || b.real)
		return combine_reals(e, expr->op, number_as_real(a), number_as_real(b), out);
	return combine_wholes(e, expr->op, a.i, b.i, out);
}

/* --- one number --------------------------------------------------------------------------------------------------- */

static bool eval_one(struct expr_evaluation *e, const struct expr *expr, struct number *out)
{
	struct number a;
	if (!eval(e, expr->a, &a))
		return false;
	*out = a;
	switch (expr->op) {
	case OP_LNOT: *out = number_whole(!number_is_true(a)); return true;
	case OP_NEG: *out = a.real ? number_real(-a.d) : number_whole((int64_t)(0 - (uint64_t)a.i)); return true;
	case OP_ABS:
		*out = a.real ? number_real(fabs(a.d)) : number_whole(a.i < 0 ? (int64_t)(0 - (uint64_t)a.i) : a.i);
		return true;
	case OP_SQRT: *out = number_real(sqrt(number_as_real(a))); return true;
	case OP_EXP: *out = number_real(exp(number_as_real(a))); return true;
	case OP_LOG: *out = number_real(log(number_as_real(a))); return true;
	case OP_FLOOR: *out = a.real ? number_real(floor(a.d)) : a; return true;
	default: /* OP_NOT */
		*out = number_whole(~a.i);
		return a.real ? no_value(e, "this operator takes whole numbers") : true;
	}
}

static bool eval_logical(struct expr_evaluation *e, const struct expr *expr, struct number *out)
{
	struct number a, b;
	if (!eval(e, expr->a, &a))
		return false;
	*out = number_whole(number_is_true(a));
	if (number_is_true(a) != (expr->op == OP_LAND))
		return true;
	if (!eval(e, expr->b, &b))
		return false;
	*out = number_whole(number_is_true(b));
	return true;
}

static bool eval_element(struct expr_evaluation *e, const struct expr *expr, struct number *out)
{
	int64_t index;
	return eval_whole(e, expr->a, &index, "an index must be a whole number") &&
		e->values->element(e->values->ctx, (int)expr->value, index, out, e->why);
}

static bool eval(struct expr_evaluation *e, const struct expr *expr, struct number *out)
{
	if (*e->values->work == 0)
		return no_value(e, "takes too long to compute");
	--*e->values->work;
	switch (expr->op) {
	case OP_CONST: *out = number_whole(expr->value); return true;
	case OP_REAL: *out = number_real(expr->real); return true;
	case OP_VAR: *out = e->values->names[expr->value]; return true;
	case OP_BOUND: *out = number_whole(e->bound[expr->value]); return true;
	case OP_TERM: return e->values->term(e->values->ctx, (int)expr->value, out, e->why);
	case OP_ELEMENT: return eval_element(e, expr, out);
	case OP_SUM: return eval_sum(e, expr, out);
	case OP_LAND:
	case OP_LOR: return eval_logical(e, expr, out);
	case OP_SELECT: return eval(e, expr->a, out) && eval(e, number_is_true(*out) ? expr->b : expr->c, out);
	case OP_NEG:
	case OP_NOT:
	case OP_LNOT:
	case OP_ABS:
	case OP_SQRT:
	case OP_EXP:
	case OP_LOG:
	case OP_FLOOR: return eval_one(e, expr, out);
	default: return eval_two(e, expr, out);
	}
}

bool expr_number(const struct expr *expr, const struct expr_values *values, struct number *out, const char **why)
{
	struct expr_evaluation e = {.values = values, .why = why};
	return eval(&e, expr, out);
}
