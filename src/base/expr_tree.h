/* base/expr_tree.h: what expr.c parses and number.c evaluates. Inside of base/ only. */
#pragma once
#include "base/expr.h"

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

/* The value of a binary operator on whole numbers. */
bool expr_eval_binary(enum op op, int64_t a, int64_t b, int64_t *out, const char **why);
