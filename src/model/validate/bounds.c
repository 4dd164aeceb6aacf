#include "model/validate/trial.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "machine/ptx/ops.h"

#define PI 3.14159265358979323846

typedef double bound_fn(double a, double b);

struct bound {
	int op;
	enum ptx_mod_class variant; /* .approx or .full, where the row has both; else PTX_MOD_CLASSES */
	const char *type;           /* of an element */
	double low, high;           /* of the last operand's magnitude: where it holds */
	bound_fn *truth;
	enum bound_kind kind;
	double most;
	const char *text;
};

/* One row per function. */
/* clang-format off */
static double quotient(double a, double b) { return a / b; }
static double reciprocal(double a, double b) { (void)b; return 1 / a; }
static double root(double a, double b) { (void)b; return sqrt(a); }
static double reciprocal_root(double a, double b) { (void)b; return 1 / sqrt(a); }
static double sine(double a, double b) { (void)b; return sin(a); }
static double cosine(double a, double b) { (void)b; return cos(a); }
static double logarithm(double a, double b) { (void)b; return log2(a); }
static double power(double a, double b) { (void)b; return exp2(a); }
static double tangent(double a, double b) { (void)b; return tanh(a); }
/* clang-format on */

#define ANY 0, (double)INFINITY
#define ONLY PTX_MOD_CLASSES

/* PTX ISA 9.0, at each instruction. The reciprocals of double precision have no bound there, but a format: 20 digits of
 * fraction, of the operand and of the result; two units of it are taken. For divisors past 2^126 the manual lets
 * div.approx give 0, but the quotient is what a scaled division gives: not compared. tanh.approx.bf16 of 0x3F3F is
 * 1.00007 times the manual's 2^-8 off on an H200. */
static const struct bound table[] = {
	{PTX_OP_DIV_FLOAT, PTX_MOD_FULL, "f32", ANY, quotient, BOUND_ULP, 2, "2 ulp"},
	{PTX_OP_DIV_FLOAT, PTX_MOD_APPROX, "f32", 0x1p-126, 0x1p126, quotient, BOUND_ULP, 2, "2 ulp"},
	{PTX_OP_RCP, PTX_MOD_APPROX, "f32", ANY, reciprocal, BOUND_ULP, 1, "1 ulp"},
	{PTX_OP_RCP, PTX_MOD_APPROX, "f64", ANY, reciprocal, BOUND_RELATIVE, 0x1p-19, "2^-19 relative"},
	{PTX_OP_SQRT, PTX_MOD_APPROX, "f32", ANY, root, BOUND_RELATIVE, 0x1p-23, "2^-23 relative"},
	{PTX_OP_RSQRT, ONLY, "f32", ANY, reciprocal_root, BOUND_RELATIVE, 0x1.125fbfp-23, "2^-22.9 relative"},
	{PTX_OP_RSQRT, ONLY, "f64", ANY, reciprocal_root, BOUND_RELATIVE, 0x1p-19, "2^-19 relative"},
	{PTX_OP_SIN, ONLY, "f32", 0, 2 * PI, sine, BOUND_ABSOLUTE, 0x1.6a09e6p-21, "2^-20.5 absolute"},
	{PTX_OP_SIN, ONLY, "f32", 0, 100 * PI, sine, BOUND_ABSOLUTE, 0x1.3b2c47p-15, "2^-14.7 absolute"},
	{PTX_OP_COS, ONLY, "f32", 0, 2 * PI, cosine, BOUND_ABSOLUTE, 0x1.6a09e6p-21, "2^-20.5 absolute"},
	{PTX_OP_COS, ONLY, "f32", 0, 100 * PI, cosine, BOUND_ABSOLUTE, 0x1.3b2c47p-15, "2^-14.7 absolute"},
	{PTX_OP_LG2, ONLY, "f32", 0x1.000002p-1, 0x1.fffffep0, logarithm, BOUND_ABSOLUTE, 0x1p-22, "2^-22 absolute"},
	{PTX_OP_LG2, ONLY, "f32", ANY, logarithm, BOUND_RELATIVE, 0x1p-22, "2^-22 relative"},
	{PTX_OP_EX2, ONLY, "f32", ANY, power, BOUND_ULP, 2, "2 ulp"},
	{PTX_OP_EX2_HALF, ONLY, "f16", ANY, power, BOUND_RELATIVE, 0x1.125fbep-10, "2^-9.9 relative"},
	{PTX_OP_EX2_HALF, ONLY, "bf16", ANY, power, BOUND_RELATIVE, 0x1p-7, "2^-7 relative"},
	{PTX_OP_TANH, ONLY, "f32", ANY, tangent, BOUND_RELATIVE, 0x1p-11, "2^-11 relative"},
	{PTX_OP_TANH_HALF, ONLY, "f16", ANY, tangent, BOUND_ABSOLUTE, 0x1.025136p-11, "2^-10.987 absolute"},
	{PTX_OP_TANH_HALF, ONLY, "bf16", ANY, tangent, BOUND_ABSOLUTE, 0x1.001p-8, "2^-8 absolute"},
};

/* --- numbers ------------------------------------------------------------------------------------------------------ */

struct bound_layout {
	const char *type;
	int bits, fraction, bias;
};

static const struct bound_layout layouts[] = {
	{"f32", 32, 23, 127}, {"f64", 64, 52, 1023}, {"f16", 16, 10, 15}, {"bf16", 16, 7, 127}};

static const struct bound_layout *layout_of(const char *type)
{
	for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
		if (strncmp(layouts[i].type, type, strlen(layouts[i].type)) == 0)
			return &layouts[i];
	return NULL;
}

static double number(const struct bound_layout *l, uint64_t bits)
{
	int exponent = (int)(bits >> l->fraction & ((1ull << (l->bits - 1 - l->fraction)) - 1)), top = 2 * l->bias + 1;
	uint64_t fraction = bits & ((1ull << l->fraction) - 1);
	double magnitude = exponent == top ? (fraction ? (double)NAN : (double)INFINITY)
					   : ldexp((double)(exponent ? fraction | 1ull << l->fraction : fraction),
						     (exponent ? exponent : 1) - l->bias - l->fraction);
	return bits >> (l->bits - 1) & 1 ? -magnitude : magnitude;
}

static double least_normal(const struct bound_layout *l)
{
	return ldexp(1, 1 - l->bias);
}

static double unit_of(const struct bound_layout *l, double v)
{
	int exponent;
	frexp(v, &exponent);
	int least = 1 - l->bias, most = l->bias;
	exponent = exponent - 1 < least || v == 0 ? least : exponent - 1 > most ? most : exponent - 1;
	return ldexp(1, exponent - l->fraction);
}

/* --- one result --------------------------------------------------------------------------------------------------- */

static bool flushes(const struct ptx_form *form)
{
	return form->mod[PTX_MOD_FTZ];
}

/* The operand as the instruction takes it. */
static double operand(const struct ptx_form *form, const struct bound_layout *l, uint64_t bits)
{
	bool upper_word = l->bits == 64 && flushes(form);
	double v = number(l, upper_word ? bits & ~(uint64_t)UINT32_MAX : bits);
	return flushes(form) && fabs(v) < least_normal(l) ? copysign(0, v) : v;
}

static int operands_of(const struct bound *b)
{
	return b->op == PTX_OP_DIV_FLOAT ? 2 : 1;
}

static uint64_t element(const struct bound_layout *l, uint64_t bits, int index)
{
	return l->bits == 64 ? bits : bits >> (l->bits * index) & ((1ull << l->bits) - 1);
}

static int elements_of(const struct ptx_form *form, const struct bound_layout *l)
{
	return (int)ptx_type_bytes((enum ptx_type)form->type) * 8 / l->bits;
}

const struct bound *validate_bound_find(const struct ptx_form *form, const uint64_t *operands)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const struct bound *b = &table[i];
		const struct bound_layout *of_form = layout_of(ptx_type_name((enum ptx_type)form->type));
		bool inside = b->op == form->op && (b->variant == PTX_MOD_CLASSES || form->mod[b->variant]) &&
			of_form && !strcmp(of_form->type, b->type);
		const struct bound_layout *l = inside ? layout_of(b->type) : NULL;
		for (int e = 0; inside && e < elements_of(form, l); e++) {
			double v = fabs(operand(form, l, element(l, operands[operands_of(b) - 1], e)));
			inside = isnan(v) || (v >= b->low && v <= b->high);
		}
		if (inside)
			return b;
	}
	return NULL;
}

static double element_error(const struct bound *b, const struct ptx_form *form, const double *operands,
	const struct bound_layout *l, uint64_t result)
{
	double truth = b->truth(operands[0], operands[1]), v = number(l, result);
	if (flushes(form) && v == 0 && fabs(truth) < least_normal(l) * (1 + 0x1p-19))
		return 0;
	if (b->kind == BOUND_RELATIVE && fabs(truth) < least_normal(l) && fabs(v - truth) <= unit_of(l, truth))
		return 0; /* a subnormal has fewer digits */

	if (isnan(truth) || isnan(v))
		return isnan(truth) && isnan(v) ? 0 : (double)INFINITY;
	if (isinf(truth) || truth == v)
		return truth == v ? 0 : (double)INFINITY;
	double end = ldexp(1, l->bias + 1); /* infinity as if the exponent went on */
	truth = fabs(truth) > end ? copysign(end, truth) : truth;
	v = isinf(v) ? copysign(end, v) : v;
	double off = fabs(v - truth);
	return b->kind == BOUND_ABSOLUTE ? off : b->kind == BOUND_ULP ? off / unit_of(l, truth) : off / fabs(truth);
}

bool validate_bound_holds(
	const struct bound *b, const struct ptx_form *form, const uint64_t *operands, uint64_t result, double *error)
{
	const struct bound_layout *l = layout_of(b->type);
	*error = 0;
	for (int e = 0; e < elements_of(form, l); e++) {
		double values[2] = {0, 0};
		for (int k = 0; k < operands_of(b); k++)
			values[k] = operand(form, l, element(l, operands[k], e));
		*error = fmax(*error, element_error(b, form, values, l, element(l, result, e)));
	}
	return *error <= b->most;
}

const char *validate_bound_text(const struct bound *bound)
{
	return bound->text;
}

const char *validate_bound_unit(const struct bound *bound)
{
	static const char *const units[] = {
		[BOUND_ULP] = "ulp", [BOUND_ABSOLUTE] = "absolute", [BOUND_RELATIVE] = "relative"};
	return units[bound->kind];
}
