/* Which element of a matrix each lane of a wmma fragment has: matrices whose elements are their numbers are loaded, and
 * the registers stored. Prints TAP: whether src/machine/ptx/fragments.def has what the GPU has. With --table it prints
 * that file's rows, with --ptx the kernels, one module each, divided by lines of "//". Needs a GPU of CC 8.0 or higher,
 * but for --ptx. */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* clang-format off */
#define DRIVER_FUNCTIONS(F) \
	F(cuCtxSynchronize) F(cuModuleUnload) F(cuLaunchKernel) F(cuMemAlloc) F(cuMemcpyHtoD) F(cuMemcpyDtoH)
/* clang-format on */
#include "tests/gpu/driver.h"

#define LANES 32
#define ELEMENTS_MAX 512 /* of a matrix, and of a fragment of all lanes */
#define LANE_BITS 5
#define ELEMENT_BITS 4

struct shape {
	const char *name;
	int m, n, k;
};

static const struct shape m16n16k16 = {"m16n16k16", 16, 16, 16}, m32n8k16 = {"m32n8k16", 32, 8, 16},
			  m8n32k16 = {"m8n32k16", 8, 32, 16}, m16n16k8 = {"m16n16k8", 16, 16, 8},
			  m8n8k4 = {"m8n8k4", 8, 8, 4};

/* A type of A and B, or of C. */
struct type {
	const char *name;
	int bytes;
	bool is_sum;
	const struct shape *shapes[4];
};

#define WIDE                                                                                                           \
	{                                                                                                              \
		&m16n16k16, &m32n8k16, &m8n32k16                                                                       \
	}
static const struct type types[] = {
	{"f16", 2, false, WIDE},
	{"bf16", 2, false, WIDE},
	{"s8", 1, false, WIDE},
	{"u8", 1, false, WIDE},
	{"tf32", 4, false, {&m16n16k8}},
	{"f64", 8, false, {&m8n8k4}},
	{"f16", 2, true, WIDE},
	{"f32", 4, true, {&m16n16k16, &m32n8k16, &m8n32k16, &m16n16k8}},
	{"s32", 4, true, WIDE},
	{"f64", 8, true, {&m8n8k4}},
};
#define N_TYPES ((int)(sizeof types / sizeof *types))

/* A matrix in memory. */
struct matrix {
	const struct type *type;
	const struct shape *shape;
	char which; /* 'a', 'b', 'c' */
	bool by_rows;
	int rows, columns, each; /* each: elements of a lane */
};

static struct matrix matrix_of(const struct type *type, const struct shape *shape, char which, bool by_rows)
{
	struct matrix m = {.type = type, .shape = shape, .which = which, .by_rows = by_rows};
	m.rows = which == 'b' ? shape->k : shape->m;
	m.columns = which == 'a' ? shape->k : shape->n;
	/* PTX ISA, "Matrix Fragments for WMMA": of .f16 A and B have 16 elements in each lane */
	m.each = type->bytes == 2 && type->name[0] == 'f' && !type->is_sum ? 16 : m.rows * m.columns / LANES;
	return m;
}

static int register_bytes(const struct matrix *m)
{
	return m->type->bytes == 8 ? 8 : 4;
}

static void write_kernel(const struct matrix *m, struct buf *out)
{
	int bytes = register_bytes(m), n = m->each * m->type->bytes / bytes;
	buf_printf(out,
		".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
		"\t.reg .b32 %%lane;\n\t.reg .b64 %%in, %%out, %%at;\n\t.reg .%s %%v<%d>;\n"
		"\tld.param.u64 %%in, [in];\n\tcvta.to.global.u64 %%in, %%in;\n"
		"\tld.param.u64 %%out, [out];\n\tcvta.to.global.u64 %%out, %%out;\n"
		"\tmov.u32 %%lane, %%tid.x;\n\tmul.wide.u32 %%at, %%lane, %d;\n\tadd.u64 %%out, %%out, %%at;\n"
		"\twmma.load.%c.sync.aligned.%s.%s.global.%s {",
		bytes == 8 ? "f64" : "b32", n, n * bytes, m->which, m->by_rows ? "row" : "col", m->shape->name,
		m->type->name);
	for (int i = 0; i < n; i++)
		buf_printf(out, "%s%%v%d", i ? ", " : "", i);
	buf_printf(out, "}, [%%in], %d;\n", m->by_rows ? m->columns : m->rows);
	for (int i = 0; i < n; i++)
		buf_printf(out, "\tst.global.%s [%%out+%d], %%v%d;\n", bytes == 8 ? "f64" : "b32", i * bytes, i);
	buf_puts(out, "\tret;\n}\n");
}

/* --- on the GPU --------------------------------------------------------------------------------------------------- */

static void run_kernel(const struct matrix *m, const uint8_t *in, uint8_t *out, size_t out_bytes)
{
	CUdeviceptr from, to;
	CUmodule module;
	CUfunction function;
	struct buf ptx = {0};
	size_t in_bytes = (size_t)(m->rows * m->columns * m->type->bytes);
	MUST(cuMemAlloc(&from, ELEMENTS_MAX * 8));
	MUST(cuMemAlloc(&to, ELEMENTS_MAX * 8));
	MUST(cuMemcpyHtoD(from, in, in_bytes));
	write_kernel(m, &ptx);
	MUST(cuModuleLoadData(&module, buf_str(&ptx)));
	MUST(cuModuleGetFunction(&function, module, "k"));
	void *params[] = {&from, &to};
	MUST(cuLaunchKernel(function, 1, 1, 1, LANES, 1, 1, 0, NULL, params, NULL));
	MUST(cuCtxSynchronize());
	MUST(cuMemcpyDtoH(out, to, out_bytes));
	MUST(cuModuleUnload(module));
	buf_free(&ptx);
}

/* The number of each element of each lane. A byte holds a part of it at a time. */
static void read_layout(const struct matrix *m, uint32_t number[LANES][ELEMENTS_MAX / LANES])
{
	int bytes = m->type->bytes, digits = bytes == 1 ? 2 : 1;
	memset(number, 0, sizeof(uint32_t) * ELEMENTS_MAX);
	for (int digit = 0; digit < digits; digit++) {
		uint8_t in[ELEMENTS_MAX * 8] = {0}, out[ELEMENTS_MAX * 8] = {0};
		for (int row = 0; row < m->rows; row++)
			for (int column = 0; column < m->columns; column++) {
				int at = m->by_rows ? row * m->columns + column : column * m->rows + row;
				uint64_t v = (uint64_t)(row * m->columns + column) >> 8 * digit;
				memcpy(in + (size_t)(at * bytes), &v, (size_t)bytes);
			}
		run_kernel(m, in, out, (size_t)(LANES * m->each * bytes));
		for (int lane = 0; lane < LANES; lane++)
			for (int e = 0; e < m->each; e++) {
				uint32_t v = 0;
				memcpy(&v, out + (size_t)((lane * m->each + e) * bytes), bytes < 4 ? (size_t)bytes : 4);
				number[lane][e] |= v << 8 * digit;
			}
	}
}

/* --- as a row ----------------------------------------------------------------------------------------------------- */

static uint32_t sum_of(const uint32_t *of_bit, int n, int value)
{
	uint32_t sum = 0;
	for (int bit = 0; bit < n; bit++)
		sum += value >> bit & 1 ? of_bit[bit] : 0;
	return sum;
}

static void put_upper(struct buf *out, const char *before, const char *name)
{
	buf_puts(out, before);
	for (; *name; name++)
		buf_printf(out, "%c", toupper((unsigned char)*name));
}

/* False when the layout is not a sum of what each bit of lane and element adds. */
static bool write_row(const struct matrix *m, uint32_t number[LANES][ELEMENTS_MAX / LANES], struct buf *out)
{
	uint32_t lane_bit[LANE_BITS], element_bit[ELEMENT_BITS] = {0};
	int bits = __builtin_ctz((unsigned)m->each);
	for (int bit = 0; bit < LANE_BITS; bit++)
		lane_bit[bit] = number[1 << bit][0];
	for (int bit = 0; bit < bits; bit++)
		element_bit[bit] = number[0][1 << bit];
	for (int lane = 0; lane < LANES; lane++)
		for (int e = 0; e < m->each; e++)
			if (number[lane][e] != sum_of(lane_bit, LANE_BITS, lane) + sum_of(element_bit, bits, e))
				return false;
	put_upper(out, "FRAGMENT(", (char[]){m->which, '\0'});
	put_upper(out, ", ", m->shape->name);
	put_upper(out, ", ", m->type->name);
	for (int bit = 0; bit < LANE_BITS; bit++)
		buf_printf(out, ", %u", lane_bit[bit]);
	for (int bit = 0; bit < ELEMENT_BITS; bit++)
		buf_printf(out, ", %u", element_bit[bit]);
	buf_puts(out, ")");
	return true;
}

static const char *const table[] = {
#define FRAGMENT(...) "FRAGMENT(" #__VA_ARGS__ ")",
#include "machine/ptx/fragments.def"
#undef FRAGMENT
	NULL,
};

static bool is_in_table(const char *row)
{
	for (int i = 0; table[i]; i++)
		if (!strcmp(table[i], row))
			return true;
	return false;
}

enum what { CHECK, PRINT_TABLE, PRINT_PTX };

static int tests, failed;

static void check(bool right, const struct matrix *m, const char *what)
{
	printf("%s %d - %c %s %s: %s\n", right ? "ok" : "not ok", ++tests, m->which, m->shape->name, m->type->name,
		what);
	failed += !right;
}

static void look_at(const struct type *type, const struct shape *shape, char which, enum what what)
{
	struct buf row[2] = {{0}, {0}};
	bool sums = true;
	struct matrix m = {0};
	for (int by_rows = 0; by_rows < 2; by_rows++) {
		uint32_t number[LANES][ELEMENTS_MAX / LANES];
		m = matrix_of(type, shape, which, by_rows);
		if (what == PRINT_PTX) {
			write_kernel(&m, &row[by_rows]);
			printf("%s//\n", buf_str(&row[by_rows]));
			continue;
		}
		read_layout(&m, number);
		sums &= write_row(&m, number, &row[by_rows]);
	}
	bool same = !strcmp(buf_str(&row[0]), buf_str(&row[1]));
	if (what == PRINT_TABLE && sums)
		printf(same ? "%s\n" : "%s\n/* of .row, and of .col: */ %s\n", buf_str(&row[1]), buf_str(&row[0]));
	if (what == CHECK) {
		check(sums, &m, "each bit of lane and element adds a number");
		check(same, &m, "rows and columns in memory make no difference");
		check(is_in_table(buf_str(&row[1])), &m, "the table has it");
	}
	buf_free(&row[0]);
	buf_free(&row[1]);
}

int main(int argc, char **argv)
{
	const char *option = argc > 1 ? argv[1] : "";
	enum what what = !strcmp(option, "--table") ? PRINT_TABLE : !strcmp(option, "--ptx") ? PRINT_PTX : CHECK;
	if (what != PRINT_PTX)
		driver_open();
	for (int t = 0; t < N_TYPES; t++)
		for (int s = 0; s < 4 && types[t].shapes[s]; s++)
			for (const char *which = types[t].is_sum ? "c" : "ab"; *which; which++)
				look_at(&types[t], types[t].shapes[s], *which, what);
	if (what == CHECK)
		printf("1..%d\n", tests);
	return failed > 0;
}
