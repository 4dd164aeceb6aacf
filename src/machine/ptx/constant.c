/* Constants: numbers, and expressions of them as PTX has them from C. */
#include <string.h>

#include "machine/ptx/parse.h"

/* --- expressions -------------------------------------------------------------------------------------------------- */

/* A constant while it is calculated: as it was written (F32), a float of 64 bits, or an integer of 64 bits, which
 * counts as signed unless it does not fit or is said to be unsigned. */
struct constant {
	enum ptx_token_kind kind; /* INT, F32, F64 */
	bool is_unsigned;
	uint64_t bits;
};

#define NESTED_MAX 50

enum constant_op {
	OP_NONE,
	OP_OR_ELSE,
	OP_AND_THEN,
	OP_OR,
	OP_XOR,
	OP_AND,
	OP_EQ,
	OP_NE,
	OP_LT,
	OP_LE,
	OP_GT,
	OP_GE,
	OP_SHL,
	OP_SHR,
	OP_ADD,
	OP_SUB,
	OP_MUL,
	OP_DIV,
	OP_REM
};

/* Longer ones first. */
static const struct {
	char text[3];
	uint8_t binds; /* more tightly than those with a lower number */
} constant_ops[] = {
	[OP_NONE] = {"", 0},
	[OP_OR_ELSE] = {"||", 1},
	[OP_AND_THEN] = {"&&", 2},
	[OP_OR] = {"|", 3},
	[OP_XOR] = {"^", 4},
	[OP_AND] = {"&", 5},
	[OP_EQ] = {"==", 6},
	[OP_NE] = {"!=", 6},
	[OP_LT] = {"<", 7},
	[OP_LE] = {"<=", 7},
	[OP_GT] = {">", 7},
	[OP_GE] = {">=", 7},
	[OP_SHL] = {"<<", 8},
	[OP_SHR] = {">>", 8},
	[OP_ADD] = {"+", 9},
	[OP_SUB] = {"-", 9},
	[OP_MUL] = {"*", 10},
	[OP_DIV] = {"/", 10},
	[OP_REM] = {"%", 10},
};

/* The operator that the parser stands at. */
static enum constant_op operator_here(const struct ptx_parser *p)
{
	struct ptx_lexer ahead = p->lexer;
	struct ptx_token next;
	char text[3] = {p->tok.punct};

	if (p->tok.kind == PTX_TOK_NAME && p->tok.len == 1 && *p->tok.text == '%')
		return OP_REM;
	/* Most constants are followed by something else. */
	if (p->tok.kind != PTX_TOK_PUNCT || !p->tok.punct || !strchr("|&^=!<>+-*/%", p->tok.punct))
		return OP_NONE;
	ptx_lex(&ahead, &next);
	if (next.kind == PTX_TOK_PUNCT && next.glued)
		text[1] = next.punct;
	for (int two = 1; two >= 0; two--) {
		text[1] = two ? text[1] : '\0';
		for (size_t i = OP_NONE + 1; i < sizeof constant_ops / sizeof *constant_ops; i++) {
			if (!strcmp(constant_ops[i].text, text))
				return (enum constant_op)i;
		}
	}
	return OP_NONE;
}

static double float_of_constant(const struct constant *c)
{
	uint32_t narrow = (uint32_t)c->bits;
	float f32;
	double f64;
	if (c->kind == PTX_TOK_F32) {
		memcpy(&f32, &narrow, 4);
		return (double)f32;
	}
	memcpy(&f64, &c->bits, 8);
	return f64;
}

static struct constant integer_constant(uint64_t bits, bool is_unsigned)
{
	return (struct constant){PTX_TOK_INT, is_unsigned, bits};
}

/* NULL, or why there is no value. */
static const char *apply_to_floats(enum constant_op op, double a, double b, struct constant *out)
{
	double value = 0;
	switch (op) {
	case OP_ADD: value = a + b; break;
	case OP_SUB: value = a - b; break;
	case OP_MUL: value = a * b; break;
	case OP_DIV: value = a / b; break;
	case OP_EQ: *out = integer_constant(a == b, false); return NULL;
	case OP_NE: *out = integer_constant(a != b, false); return NULL;
	case OP_LT: *out = integer_constant(a < b, false); return NULL;
	case OP_LE: *out = integer_constant(a <= b, false); return NULL;
	case OP_GT: *out = integer_constant(a > b, false); return NULL;
	case OP_GE: *out = integer_constant(a >= b, false); return NULL;
	default: return "floats have no such operator";
	}
	*out = (struct constant){.kind = PTX_TOK_F64};
	memcpy(&out->bits, &value, 8);
	return NULL;
}

static const char *apply_to_integers(
	enum constant_op op, const struct constant *x, const struct constant *y, struct constant *out)
{
	uint64_t a = x->bits, b = y->bits;
	bool is_unsigned = x->is_unsigned || y->is_unsigned;
	/* -1, 0, 1 as a is less than, equal to, or greater than b. */
	int order = is_unsigned ? (a > b) - (a < b) : ((int64_t)a > (int64_t)b) - ((int64_t)a < (int64_t)b);

	*out = integer_constant(0, is_unsigned);
	switch (op) {
	case OP_OR: out->bits = a | b; return NULL;
	case OP_XOR: out->bits = a ^ b; return NULL;
	case OP_AND: out->bits = a & b; return NULL;
	case OP_ADD: out->bits = a + b; return NULL;
	case OP_SUB: out->bits = a - b; return NULL;
	case OP_MUL: out->bits = a * b; return NULL;
	case OP_DIV:
	case OP_REM:
		if (!b)
			return "this divides by zero";
		if (is_unsigned)
			out->bits = op == OP_DIV ? a / b : a % b;
		else if (b == UINT64_MAX) /* -1, by which the least number cannot be divided */
			out->bits = op == OP_DIV ? 0 - a : 0;
		else
			out->bits = op == OP_DIV ? (uint64_t)((int64_t)a / (int64_t)b)
						 : (uint64_t)((int64_t)a % (int64_t)b);
		return NULL;
	case OP_SHL:
	case OP_SHR: {
		uint64_t shifted;
		bool fills = op == OP_SHR && !x->is_unsigned && (int64_t)a < 0;
		if (b > 63)
			shifted = fills ? UINT64_MAX : 0;
		else if (op == OP_SHL)
			shifted = a << b;
		else
			shifted = a >> b | (fills && b ? UINT64_MAX << (64 - b) : 0);

		*out = integer_constant(shifted, x->is_unsigned);
		return NULL;
	}
	default: break;
	}
	bool holds = op == OP_OR_ELSE ? a || b
		: op == OP_AND_THEN   ? a && b
		: op == OP_EQ         ? !order
		: op == OP_NE         ? order != 0
		: op == OP_LT         ? order < 0
		: op == OP_LE         ? order <= 0
		: op == OP_GT         ? order > 0
				      : order >= 0;
	*out = integer_constant(holds, false);
	return NULL;
}

static bool parse_expression(struct ptx_parser *p, int depth, struct constant *out);

/* A number with the signs and casts in front of it. */
static bool parse_part(struct ptx_parser *p, int depth, struct constant *out)
{
	struct ptx_token at = p->tok;
	if (depth > NESTED_MAX) {
		ptx_fault(p, &at, "this constant is nested deeper than %d", NESTED_MAX);
		return false;
	}
	if (ptx_at(p, '-') || ptx_at(p, '+') || ptx_at(p, '~') || ptx_at(p, '!')) {
		ptx_next(p);

		if (!parse_part(p, depth + 1, out))
			return false;
		bool is_float = out->kind != PTX_TOK_INT;
		switch (at.punct) {
		case '-':
			out->bits = out->kind == PTX_TOK_F32 ? out->bits ^ 1u << 31
				: is_float                   ? out->bits ^ 1ull << 63
							     : 0 - out->bits;
			return true;
		case '~':
		case '!':
			if (is_float) {
				ptx_fault(p, &at, "a float constant does not take this operator");
				return false;
			}
			*out = at.punct == '~' ? integer_constant(~out->bits, out->is_unsigned)
					       : integer_constant(!out->bits, false);
			return true;
		default: return true;
		}
	}
	if (ptx_take(p, '(')) {
		bool is_cast = ptx_at_dot(p, "s64") || ptx_at_dot(p, "u64"), is_unsigned = ptx_at_dot(p, "u64");
		if (!is_cast)
			return parse_expression(p, depth + 1, out) && ptx_expect(p, ')');
		ptx_next(p);
		if (!ptx_expect(p, ')') || !parse_part(p, depth + 1, out))
			return false;
		out->is_unsigned = is_unsigned;
		return true;
	}
	if (ptx_at_name(p, "WARP_SZ"))
		*out = integer_constant(32, false);
	else if (at.kind == PTX_TOK_INT || at.kind == PTX_TOK_F32 || at.kind == PTX_TOK_F64)
		*out = (struct constant){at.kind, at.is_unsigned, at.value};
	else {
		ptx_unexpected(p, "an operand");
		return false;
	}
	ptx_next(p);
	return true;
}

/* Parts with operators between them that bind at least as tightly as `least`. */
static bool parse_operators(struct ptx_parser *p, int depth, uint8_t least, struct constant *out)
{
	if (!parse_part(p, depth, out))
		return false;
	for (;;) {
		struct ptx_token at = p->tok;
		struct constant right;
		enum constant_op op = operator_here(p);
		if (op == OP_NONE || constant_ops[op].binds < least)
			return true;
		for (size_t i = 0; i < (op == OP_REM ? 1 : strlen(constant_ops[op].text)); i++)
			ptx_next(p);

		if (!parse_operators(p, depth + 1, constant_ops[op].binds + 1, &right))
			return false;
		struct constant result = {0};
		bool floats = out->kind != PTX_TOK_INT, mixed = floats != (right.kind != PTX_TOK_INT);
		const char *wrong = mixed ? "a float and an integer do not go together"
			: floats ? apply_to_floats(op, float_of_constant(out), float_of_constant(&right), &result)
				 : apply_to_integers(op, out, &right, &result);
		if (wrong)
			ptx_fault(p, &at, "%s", wrong);
		*out = result;
		if (wrong)
			return false;
	}
}

static bool parse_expression(struct ptx_parser *p, int depth, struct constant *out)
{
	struct constant yes, no;
	struct ptx_token at;
	if (!parse_operators(p, depth, 1, out))
		return false;
	at = p->tok;
	if (!ptx_take(p, '?'))
		return true;
	if (!parse_expression(p, depth + 1, &yes) || !ptx_expect(p, ':') || !parse_expression(p, depth + 1, &no))
		return false;
	if (out->kind != PTX_TOK_INT) {
		ptx_fault(p, &at, "a float constant does not take this operator");
		return false;
	}
	*out = out->bits ? yes : no;
	return true;
}

/* --- as a type ---------------------------------------------------------------------------------------------------- */

bool ptx_parse_whole(struct ptx_parser *p, int64_t *value)
{
	struct ptx_token at = p->tok;
	struct constant c;
	if (!parse_expression(p, 0, &c))
		return false;
	if (c.kind != PTX_TOK_INT) {
		ptx_fault(p, &at, "this has to be a whole number");
		return false;
	}
	*value = (int64_t)c.bits;
	return true;
}

bool ptx_parse_constant(struct ptx_parser *p, enum ptx_type type, struct ptx_operand *out)
{
	struct ptx_token at = p->tok;
	struct constant c;
	uint64_t bits;

	if (!parse_expression(p, 0, &c))
		return false;
	bits = c.bits;
	if (c.kind != PTX_TOK_INT) {
		bool fits;
		uint32_t bytes = ptx_type_bytes(type), have = c.kind == PTX_TOK_F32 ? 4 : 8;
		char kind = ptx_type_kind(type);
		double f64 = float_of_constant(&c);
		float f32 = (float)f64;

		bits = c.bits;
		if (kind == 'B' || bytes == have) {
			fits = (kind == 'B' || kind == 'F') && bytes == have;
		} else {
			if (type == PTX_F64) {
				memcpy(&bits, &f64, 8);
			} else if (type == PTX_F32) {
				bits = 0;
				memcpy(&bits, &f32, 4);
			}
			fits = type == PTX_F64 || type == PTX_F32;
		}
		if (!fits) {
			ptx_fault(p, &at, "a float constant does not fit .%s", ptx_type_name(type));
			return false;
		}
	} else if (ptx_type_kind(type) == 'F') {
		ptx_fault(p, &at, "an integer constant does not fit .%s", ptx_type_name(type));
		return false;
	} else {
		if (type == PTX_PRED) {
			bits = bits != 0;
		} else {
			uint32_t bytes = ptx_type_bytes(type);
			bits = bytes >= 8 || !bytes ? bits : bits & ((1ull << 8 * bytes) - 1);
		}
	}
	*out = (struct ptx_operand){.kind = PTX_IMM, .second = -1, .value = (int64_t)bits};
	return true;
}
