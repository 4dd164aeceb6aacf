#include "base/expr.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 200
#define LENGTH_MAX 4096

enum op {
	OP_CONST,
	OP_VAR,
	OP_MUL,
	OP_DIV,
	OP_MOD,
	OP_ADD,
	OP_SUB,
	OP_SHL,
	OP_SHR,
	OP_LT,
	OP_GT,
	OP_LE,
	OP_GE,
	OP_EQ,
	OP_NE,
	OP_AND,
	OP_XOR,
	OP_OR,
	OP_LAND,
	OP_LOR,
	OP_NEG,
	OP_NOT,
	OP_LNOT,
	OP_SELECT,
	/* only in expressions over numbers */
	OP_REAL,
	OP_BOUND,
	OP_TERM,
	OP_ELEMENT,
	OP_SUM,
	OP_MIN,
	OP_MAX,
	OP_GCD,
	OP_ABS,
	OP_SQRT,
	OP_EXP,
	OP_LOG,
	OP_FLOOR,
};

#define EXPR_SUMS_MAX 4 /* nested */

struct expr {
	enum op op;
	int64_t value; /* OP_CONST; the index of an OP_VAR, OP_TERM, OP_ELEMENT; the depth of an OP_BOUND, OP_SUM */
	double real;   /* OP_REAL */
	const struct expr *a, *b, *c;
};

/* Binary operators; the longer spelling of two that share a start comes first. Larger levels bind tighter. */
static const struct {
	const char *spelling;
	enum op op;
	int level;
} binary[] = {
	{"||", OP_LOR, 1},
	{"&&", OP_LAND, 2},
	{"<<", OP_SHL, 8},
	{">>", OP_SHR, 8},
	{"==", OP_EQ, 6},
	{"!=", OP_NE, 6},
	{"<=", OP_LE, 7},
	{">=", OP_GE, 7},
	{"|", OP_OR, 3},
	{"^", OP_XOR, 4},
	{"&", OP_AND, 5},
	{"<", OP_LT, 7},
	{">", OP_GT, 7},
	{"+", OP_ADD, 9},
	{"-", OP_SUB, 9},
	{"*", OP_MUL, 10},
	{"/", OP_DIV, 10},
	{"%", OP_MOD, 10},
};

struct expr_parser {
	struct arena *arena;
	const char *what, *text, *at;
	const struct expr_names *names;
	bool numbers; /* decimals, functions, arrays and terms are understood */
	/* the variables of the enclosing sums; each is followed by what ends its name */
	const char *bound[EXPR_SUMS_MAX];
	int n_bound, depth;
	struct diag *diag;
	bool failed;
};

static const struct expr *parse_ternary(struct expr_parser *p);

static const struct expr *fail_at(struct expr_parser *p, const char *at, const char *message)
{
	if (!p->failed)
		diag_error(p->diag, diag_pos_in(p->what, p->text, at), "%s", message);
	p->failed = true;
	return NULL;
}

static void skip_space(struct expr_parser *p)
{
	while (isspace((unsigned char)*p->at))
		p->at++;
}

static const struct expr *new_node(struct expr_parser *p, enum op op, const struct expr *a, const struct expr *b)
{
	if (p->failed)
		return NULL;
	struct expr *e = arena_alloc(p->arena, sizeof *e);
	*e = (struct expr){.op = op, .a = a, .b = b};
	return e;
}

static const struct expr *new_leaf(struct expr_parser *p, enum op op, int64_t value)
{
	struct expr *e = arena_alloc(p->arena, sizeof *e);
	*e = (struct expr){.op = op, .value = value};
	return e;
}

static const struct expr *parse_whole(struct expr_parser *p)
{
	const char *start = p->at;
	int base = 10;
	if (start[0] == '0' && (start[1] == 'x' || start[1] == 'X'))
		base = 16, p->at += 2;
	else if (start[0] == '0' && (start[1] == 'b' || start[1] == 'B'))
		base = 2, p->at += 2;
	else if (start[0] == '0')
		base = 8;
	const char *digits = p->at;
	uint64_t value = 0;
	for (; isalnum((unsigned char)*p->at); p->at++) {
		char c = (char)tolower((unsigned char)*p->at);
		int digit = isdigit((unsigned char)c) ? c - '0' : c - 'a' + 10;
		if (digit >= base && (c == 'u' || c == 'l'))
			continue; /* a C suffix */
		if (digit >= base)
			return fail_at(p, p->at, "not a digit of this number");
		if (value > (uint64_t)(INT64_MAX - digit) / (uint64_t)base)
			return fail_at(p, start, "number too large");
		value = value * (uint64_t)base + (uint64_t)digit;
	}
	if (p->at == digits)
		return fail_at(p, start, "a number ends before its first digit");
	return new_leaf(p, OP_CONST, (int64_t)value);
}

/* --- names -------------------------------------------------------------------------------------------------------- */

static size_t name_length(const char *at)
{
	size_t len = 0;
	if (isdigit((unsigned char)*at))
		return 0;
	while (isalnum((unsigned char)at[len]) || at[len] == '_')
		len++;
	return len;
}

static int find_name(const char *const *names, int n, const char *start, size_t len)
{
	for (int i = 0; i < n; i++)
		if (strlen(names[i]) == len && memcmp(names[i], start, len) == 0)
			return i;
	return -1;
}

/* Takes `c`, or fails. */
static bool expect(struct expr_parser *p, char c, const char *message)
{
	skip_space(p);
	if (!p->failed && *p->at != c)
		fail_at(p, p->at, message);
	if (!p->failed)
		p->at++;
	return !p->failed;
}

/* A function whose '(' has been read. */
static const struct expr *parse_call(struct expr_parser *p, const char *name, size_t len)
{
	static const struct {
		const char *name;
		enum op op;
		int arguments;
	} functions[] = {{"min", OP_MIN, 2}, {"max", OP_MAX, 2}, {"gcd", OP_GCD, 2}, {"abs", OP_ABS, 1},
		{"sqrt", OP_SQRT, 1}, {"floor", OP_FLOOR, 1}, {"exp", OP_EXP, 1}, {"log", OP_LOG, 1}};
	if (len == 3 && memcmp(name, "sum", 3) == 0) {
		/* sum(NAME, FIRST, END, OF EACH): the name is known in the last part. */
		struct expr *sum = arena_alloc(p->arena, sizeof *sum);
		skip_space(p);
		const char *sum_name = p->at;
		size_t sum_len = name_length(sum_name);
		if (sum_len == 0)
			return fail_at(p, sum_name, "expected the name that the sum counts with");
		if (p->n_bound == EXPR_SUMS_MAX)
			return fail_at(p, sum_name, "too many sums, one inside of the other");
		p->at += sum_len;
		*sum = (struct expr){.op = OP_SUM, .value = p->n_bound};
		if (expect(p, ',', "expected ','"))
			sum->a = parse_ternary(p);
		if (expect(p, ',', "expected ','"))
			sum->b = parse_ternary(p);
		if (expect(p, ',', "expected ','")) {
			p->bound[p->n_bound++] = sum_name;
			sum->c = parse_ternary(p);
			p->n_bound--;
		}
		return expect(p, ')', "expected ')'") ? sum : NULL;
	}
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
		if (strlen(functions[i].name) != len || memcmp(functions[i].name, name, len) != 0)
			continue;
		const struct expr *a = parse_ternary(p), *b = NULL;
		if (functions[i].arguments == 2 && expect(p, ',', "expected ','"))
			b = parse_ternary(p);
		return expect(p, ')', "expected ')'") ? new_node(p, functions[i].op, a, b) : NULL;
	}
	return fail_at(p, name, "unknown function; there are abs, exp, floor, gcd, log, max, min, sqrt and sum");
}

/* A name that the caller reads, with what belongs to it. */
static const struct expr *parse_term(struct expr_parser *p, const char *start, size_t len)
{
	const char *why = NULL;
	int term = p->names->term ? p->names->term(p->names->ctx, start, len, &p->at, &why) : -1;
	if (term >= 0)
		return new_leaf(p, OP_TERM, term);
	if (why)
		return fail_at(p, p->at, why);

	const struct expr_names *names = p->names;
	struct buf message = {0};
	buf_printf(&message, "unknown name '%.*s'; there %s", (int)len, start,
		names->n + names->n_arrays ? "is" : "are not names here");
	for (int i = 0; i < names->n + names->n_arrays; i++)
		buf_printf(
			&message, "%s %s", i ? "," : "", i < names->n ? names->names[i] : names->arrays[i - names->n]);
	fail_at(p, start, buf_str(&message));
	buf_free(&message);
	return NULL;
}

static const struct expr *parse_primary(struct expr_parser *p)
{
	skip_space(p);
	unsigned char c = (unsigned char)*p->at;
	if (p->depth >= DEPTH_MAX)
		return fail_at(p, p->at, "nested too deeply");
	if (c == '-' || c == '~' || c == '!' || c == '+') {
		p->at++;
		p->depth++;
		const struct expr *a = parse_primary(p);
		p->depth--;
		return c == '+' ? a : new_node(p, c == '-' ? OP_NEG : c == '~' ? OP_NOT : OP_LNOT, a, NULL);
	}
	if (c == '(') {
		const char *open = p->at++;
		const struct expr *inside = parse_ternary(p);
		skip_space(p);
		if (!p->failed && *p->at != ')')
			return fail_at(p, open, "this '(' is never closed");
		if (!p->failed)
			p->at++;
		return inside;
	}
	if (isdigit(c) || (p->numbers && c == '.')) {
		/* Digits with a point or an exponent are a decimal. */
		size_t digits = strspn(p->at, "0123456789");
		char *end;
		if (!p->numbers || !(p->at[digits] == '.' || ((p->at[digits] | 32) == 'e' && digits > 0)))
			return parse_whole(p);
		double value = strtod(p->at, &end);
		struct expr *e = arena_alloc(p->arena, sizeof *e);
		*e = (struct expr){.op = OP_REAL, .real = value};
		p->at = end;
		return e;
	}
	if (isalpha(c) || c == '_') {
		const char *start = p->at;
		size_t len = name_length(start);
		p->at += len;
		for (int i = p->n_bound; i-- > 0;)
			if (name_length(p->bound[i]) == len && memcmp(p->bound[i], start, len) == 0)
				return new_leaf(p, OP_BOUND, i);
		if (p->numbers && *p->at == '(') {
			p->at++;
			return parse_call(p, start, len);
		}
		int found = *p->at == '[' ? find_name(p->names->arrays, p->names->n_arrays, start, len) : -1;
		if (found >= 0) {
			struct expr *e = arena_alloc(p->arena, sizeof *e);
			p->at++;
			*e = (struct expr){.op = OP_ELEMENT, .value = found, .a = parse_ternary(p)};
			return expect(p, ']', "expected ']'") ? e : NULL;
		}
		found = find_name(p->names->names, p->names->n, start, len);
		return found >= 0 ? new_leaf(p, OP_VAR, found) : parse_term(p, start, len);
	}
	if (c && p->numbers && p->names->starts && strchr(p->names->starts, c)) {
		const char *start = p->at++;
		return parse_term(p, start, 1);
	}
	return fail_at(
		p, p->at, c ? "expected a number, a name or '('" : "the expression ends where a value is expected");
}

static const struct expr *parse_binary(struct expr_parser *p, int level)
{
	const struct expr *left = parse_primary(p);
	while (!p->failed) {
		skip_space(p);
		size_t i = 0;
		while (i < sizeof binary / sizeof *binary &&
			strncmp(p->at, binary[i].spelling, strlen(binary[i].spelling)) != 0)
			i++;
		if (i == sizeof binary / sizeof *binary || binary[i].level < level)
			break;
		p->at += strlen(binary[i].spelling);
		left = new_node(p, binary[i].op, left, parse_binary(p, binary[i].level + 1));
	}
	return left;
}

static const struct expr *parse_ternary(struct expr_parser *p)
{
	if (++p->depth >= DEPTH_MAX)
		return fail_at(p, p->at, "nested too deeply");
	const struct expr *condition = parse_binary(p, 0);
	skip_space(p);
	if (!p->failed && *p->at == '?') {
		p->at++;
		struct expr *select = arena_alloc(p->arena, sizeof *select);
		*select = (struct expr){.op = OP_SELECT, .a = condition, .b = parse_ternary(p)};
		skip_space(p);
		if (!p->failed && *p->at != ':')
			return fail_at(p, p->at, "expected ':'");
		if (!p->failed)
			p->at++;
		select->c = p->failed ? NULL : parse_ternary(p);
		condition = select;
	}
	p->depth--;
	return condition;
}

static const struct expr *parse_all(struct expr_parser *p)
{
	if (strlen(p->text) > LENGTH_MAX)
		return fail_at(p, p->text, "expression too long");
	const struct expr *e = parse_ternary(p);
	skip_space(p);
	if (!p->failed && *p->at)
		return fail_at(p, p->at, "unexpected after the expression");
	return p->failed ? NULL : e;
}

const struct expr *expr_parse(
	struct arena *arena, const char *what, const char *text, const struct expr_names *names, struct diag *diag)
{
	struct expr_parser p = {.arena = arena, .what = what, .text = text, .at = text, .names = names, .diag = diag};
	return parse_all(&p);
}

const struct expr *expr_parse_numbers(
	struct arena *arena, const char *what, const char *text, const struct expr_names *names, struct diag *diag)
{
	struct expr_parser p = {
		.arena = arena, .what = what, .text = text, .at = text, .names = names, .numbers = true, .diag = diag};
	return parse_all(&p);
}

/* The value of a binary operator on whole numbers. */
static bool eval_binary(enum op op, int64_t a, int64_t b, int64_t *out, const char **why)
{
	uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
	switch (op) {
	case OP_MUL: *out = (int64_t)(ua * ub); return true;
	case OP_ADD: *out = (int64_t)(ua + ub); return true;
	case OP_SUB: *out = (int64_t)(ua - ub); return true;
	case OP_LT: *out = a < b; return true;
	case OP_GT: *out = a > b; return true;
	case OP_LE: *out = a <= b; return true;
	case OP_GE: *out = a >= b; return true;
	case OP_EQ: *out = a == b; return true;
	case OP_NE: *out = a != b; return true;
	case OP_AND: *out = a & b; return true;
	case OP_XOR: *out = a ^ b; return true;
	case OP_OR: *out = a | b; return true;
	case OP_DIV:
	case OP_MOD:
		if (b == 0) {
			*why = "division by zero";
			return false;
		}
		if (b == -1) /* INT64_MIN / -1 overflows */
			*out = op == OP_DIV ? (int64_t)(0 - ua) : 0;
		else
			*out = op == OP_DIV ? a / b : a % b;
		return true;
	case OP_SHL:
	case OP_SHR:
		if (b < 0 || b > 63) {
			*why = "shift count outside 0..63";
			return false;
		}
		*out = op == OP_SHL ? (int64_t)(ua << b) : a >> b;
		return true;
	default: *why = "internal: not a binary operator"; return false;
	}
}

bool expr_eval(const struct expr *e, const int64_t *values, int64_t *out, const char **why)
{
	int64_t a, b;
	switch (e->op) {
	case OP_CONST: *out = e->value; return true;
	case OP_VAR: *out = values[e->value]; return true;
	default: break;
	}
	if (!expr_eval(e->a, values, &a, why))
		return false;
	switch (e->op) {
	case OP_NEG: *out = (int64_t)(0 - (uint64_t)a); return true;
	case OP_NOT: *out = ~a; return true;
	case OP_LNOT: *out = !a; return true;
	case OP_SELECT: return expr_eval(a ? e->b : e->c, values, out, why);
	case OP_LAND:
	case OP_LOR:
		if ((e->op == OP_LAND) != (a != 0)) {
			*out = a != 0;
			return true;
		}
		if (!expr_eval(e->b, values, &b, why))
			return false;
		*out = b != 0;
		return true;
	default: return expr_eval(e->b, values, &b, why) && eval_binary(e->op, a, b, out, why);
	}
}

/* --- over numbers ------------------------------------------------------------------------------------------------- */

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

/* --- one number --------------------------------------------------------------------------------------------------- */

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
	case OP_ELEMENT: {
		int64_t index;
		return eval_whole(e, expr->a, &index, "an index must be a whole number") &&
			e->values->element(e->values->ctx, (int)expr->value, index, out, e->why);
	}
	case OP_SUM: return eval_sum(e, expr, out);
	case OP_LAND:
	case OP_LOR: {
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
	case OP_SELECT: return eval(e, expr->a, out) && eval(e, number_is_true(*out) ? expr->b : expr->c, out);
	case OP_NEG:
	case OP_NOT:
	case OP_LNOT:
	case OP_ABS:
	case OP_SQRT:
	case OP_EXP:
	case OP_LOG:
	case OP_FLOOR: {
		struct number a;
		if (!eval(e, expr->a, &a))
			return false;
		*out = a;
		switch (expr->op) {
		case OP_LNOT: *out = number_whole(!number_is_true(a)); return true;
		case OP_NEG:
			*out = a.real ? number_real(-a.d) : number_whole((int64_t)(0 - (uint64_t)a.i));
			return true;
		case OP_ABS:
			*out = a.real ? number_real(fabs(a.d))
				      : number_whole(a.i < 0 ? (int64_t)(0 - (uint64_t)a.i) : a.i);
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
	default: {
		struct number a, b;
		if (!eval(e, expr->a, &a) || !eval(e, expr->b, &b))
			return false;
		if (a.real || b.real) {
			double x = number_as_real(a), y = number_as_real(b);
			*out = number_whole(0);
			switch (expr->op) {
			case OP_MUL: *out = number_real(x * y); return true;
			case OP_DIV: *out = number_real(x / y); return true;
			case OP_ADD: *out = number_real(x + y); return true;
			case OP_SUB: *out = number_real(x - y); return true;
			case OP_MIN: *out = number_real(x < y ? x : y); return true;
			case OP_MAX: *out = number_real(x > y ? x : y); return true;
			case OP_LT: out->i = x < y; return true;
			case OP_GT: out->i = x > y; return true;
			case OP_LE: out->i = x <= y; return true;
			case OP_GE: out->i = x >= y; return true;
			case OP_EQ: out->i = x >= y && x <= y; return true;
			case OP_NE: out->i = x < y || x > y; return true;
			default: return no_value(e, "this operator takes whole numbers");
			}
		}

		*out = number_whole(0);
		switch (expr->op) {
		case OP_MIN: out->i = a.i < b.i ? a.i : b.i; return true;
		case OP_MAX: out->i = a.i > b.i ? a.i : b.i; return true;
		case OP_GCD: out->i = gcd(a.i, b.i); return true;
		default: return eval_binary(expr->op, a.i, b.i, &out->i, e->why);
		}
	}
	}
}

bool expr_number(const struct expr *expr, const struct expr_values *values, struct number *out, const char **why)
{
	struct expr_evaluation e = {.values = values, .why = why};
	return eval(&e, expr, out);
}
