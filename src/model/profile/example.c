#include "model/profile/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "machine/ptx/instr.h"
#include "machine/ptx/program.h"

#define ELEMENTS_MAX 1048576
#define TYPE_MAX 128

/* What is known of a parameter. */
struct example_param {
	char text[TYPE_MAX]; /* in C; "" not known */
	bool pointer, is_struct;
	enum launch_type type; /* of the value, or of what is pointed to */
};

/* --- from the name ------------------------------------------------------------------------------------------------ */

static const struct {
	const char *c;
	enum launch_type type;
} c_types[] = {
	{"bool", LAUNCH_U8},
	{"char", LAUNCH_S8},
	{"signed char", LAUNCH_S8},
	{"unsigned char", LAUNCH_U8},
	{"short", LAUNCH_S16},
	{"unsigned short", LAUNCH_U16},
	{"int", LAUNCH_S32},
	{"unsigned", LAUNCH_U32},
	{"long", LAUNCH_S64},
	{"long long", LAUNCH_S64},
	{"unsigned long", LAUNCH_U64},
	{"unsigned long long", LAUNCH_U64},
	{"float", LAUNCH_F32},
	{"double", LAUNCH_F64},
	{"__half", LAUNCH_F16},
	{"_Float16", LAUNCH_F16},
	{"__bf16", LAUNCH_B16},
	{"__nv_bfloat16", LAUNCH_B16},
	{"void", LAUNCH_B8},
};

/* LAUNCH_B8 for a class. */
static enum launch_type find_c_type(const char *name, size_t len, bool *known)
{
	static const char *const shorts[][2] = {{"uchar", "unsigned char"}, {"ushort", "unsigned short"},
		{"uint", "unsigned"}, {"ulong", "unsigned long"}, {"longlong", "long long"}};
	for (size_t i = 0; i < sizeof c_types / sizeof *c_types; i++)
		if (strlen(c_types[i].c) == len && memcmp(c_types[i].c, name, len) == 0)
			return *known = true, c_types[i].type;
	for (size_t i = 0; i < sizeof shorts / sizeof *shorts; i++)
		if (strlen(shorts[i][0]) == len && memcmp(shorts[i][0], name, len) == 0)
			return find_c_type(shorts[i][1], strlen(shorts[i][1]), known);
	*known = false;
	return LAUNCH_B8;
}

/* "const float *" is a pointer to floats. */
static void read_c_type(const char *text, uint32_t bytes, struct example_param *out)
{
	static const char *const qualifiers[] = {"const ", "volatile "};
	size_t len = strlen(text);
	snprintf(out->text, sizeof out->text, "%s", text);
	while (len && strchr("*& ", text[len - 1])) {
		out->pointer |= text[len - 1] != ' ';
		len--;
	}
	for (int i = 0; i < 2; i++) {
		size_t n = strlen(qualifiers[i]);
		if (len > n && strncmp(text, qualifiers[i], n) == 0) {
			text += n;
			len -= n;
		}
	}
	bool known = false;
	/* Vectors of CUDA: "float4" is pointed to as floats. */
	size_t plain = len > 1 && strchr("1234", text[len - 1]) ? len - 1 : len;
	out->type = find_c_type(text, len, &known);
	if (!known)
		out->type = find_c_type(text, plain, &known);
	out->is_struct = !out->pointer && (!known || launch_type_size(out->type) != bytes);
}

/* --- from its use ------------------------------------------------------------------------------------------------- */

/* For each register, the parameter that it has the address of, or comes from, plus 1. */
struct uses {
	const struct ptx_kernel *kernel;
	int *of;
	bool changed;
};

static int parameter_of(const struct uses *u, const struct ptx_operand *o)
{
	if (o->kind == PTX_REG || o->kind == PTX_MEM_REG)
		return u->of[o->index];
	const struct ptx_var *var = o->kind == PTX_MEM_VAR ? u->kernel->uses[o->index].var : NULL;
	return var && var->space == SPACE_PARAM && !var->in_frame ? var->index + 1 : 0;
}

/* --- both --------------------------------------------------------------------------------------------------------- */

static const char *c_name(enum launch_type type)
{
	for (size_t i = 0; i < sizeof c_types / sizeof *c_types; i++)
		if (c_types[i].type == type)
			return c_types[i].c;
	return NULL;
}

static void find_parameter(const struct ptx_kernel *kernel, int index, struct example_param *out)
{
	struct arena *arena = arena_new();
	struct demangled d;
	*out = (struct example_param){.text = ""};
	if (demangle(arena, kernel->name, &d) && d.n_params == kernel->n_params) {
		read_c_type(d.params[index], ptx_kernel_param(kernel, index).size, out);
	} else {
		/* Without a mangled name: the type of the parameter in PTX. */
		struct ptx_param param = ptx_kernel_param(kernel, index);
		char name[8];
		if (param.size == 8 && param.kind != 'F') {
			struct uses u = {kernel, base_calloc((size_t)kernel->n_regs + 1, sizeof *u.of), true};
			while (u.changed) {
				u.changed = false;
				for (int i = 0; i < kernel->n_instrs; i++) {
					/* What the first operand holds comes from the others; results of loads from
					 * memory do not. */
					const struct ptx_instr *instr = &kernel->instrs[i];
					const struct ptx_operand *to = &instr->operands[0];
					if (instr->n < 2 || to->kind != PTX_REG ||
						ptx_slot_bytes(u.kernel->regs[to->index].type) != 8)
						continue;
					for (int j = 1; j < instr->n; j++) {
						const struct ptx_operand *o = &instr->operands[j];
						int from = o->kind == PTX_MEM_REG ? 0 : parameter_of(&u, o);
						if (!from || u.of[to->index])
							continue;
						u.of[to->index] = from;
						u.changed = true;
					}
				}
			}
			out->type = LAUNCH_B8;
			for (int i = 0; i < kernel->n_instrs; i++) {
				const struct ptx_instr *instr = &kernel->instrs[i];
				for (int j = 0; j < instr->n; j++) {
					const struct ptx_operand *o = &instr->operands[j];
					if (o->kind != PTX_MEM_REG || u.of[o->index] != index + 1)
						continue;
					out->pointer = true;
					if (out->type != LAUNCH_B8)
						continue;

					/* the type of the instruction's accesses as one of arguments */
					enum ptx_type accessed = (enum ptx_type)instr->form->type;
					uint32_t bytes = ptx_slot_bytes(accessed);
					out->type = bytes == 8 ? LAUNCH_B64 : LAUNCH_B32;
					for (int t = LAUNCH_TYPES; t-- > 0;)
						if (launch_type_size((enum launch_type)t) == bytes &&
							(launch_type_name((enum launch_type)t)[0] ^ 0x20) ==
								ptx_type_kind(accessed))
							out->type = (enum launch_type)t;
				}
			}
			free(u.of);
		}
		if (out->pointer) {
			const char *c = c_name(out->type);
			snprintf(out->text, sizeof out->text, "%s *", c ? c : "void");
		} else {
			out->is_struct = param.size > 8 || (param.size & (param.size - 1));
			snprintf(
				name, sizeof name, "%c%u", param.kind == 'B' ? 'u' : param.kind | 0x20, 8 * param.size);
			for (int i = 0; i < LAUNCH_TYPES && !out->is_struct; i++)
				if (strcmp(launch_type_name((enum launch_type)i), name) == 0)
					out->type = (enum launch_type)i;
			const char *c = c_name(out->type);
			snprintf(out->text, sizeof out->text, "%s", out->is_struct ? "a struct" : c ? c : name);
		}
	}
	arena_free(arena);
}

void profile_param_type(const struct ptx_kernel *kernel, int index, struct buf *out)
{
	struct example_param p;
	find_parameter(kernel, index, &p);
	buf_puts(out, p.text);
}

void profile_signature(const struct ptx_kernel *kernel, struct buf *out)
{
	struct arena *arena = arena_new();
	struct demangled d;
	buf_printf(out, "%s(", demangle(arena, kernel->name, &d) ? d.name : kernel->name);
	for (int i = 0; i < kernel->n_params; i++) {
		buf_puts(out, i ? ", " : "");
		profile_param_type(kernel, i, out);
	}
	buf_putc(out, ')');
	arena_free(arena);
}

void profile_param_example(const struct ptx_kernel *kernel, const struct launch *launch, int index, struct buf *out)
{
	struct example_param p;
	uint64_t blocks = warp_dim_volume(launch->grid), of_threads = warp_dim_volume(launch->block);
	uint64_t threads = blocks && of_threads && blocks <= ELEMENTS_MAX / of_threads ? blocks * of_threads
										       : ELEMENTS_MAX;
	find_parameter(kernel, index, &p);
	if (p.is_struct) {
		/* A struct of which only size and alignment are known. */
		struct ptx_param param = ptx_kernel_param(kernel, index);
		uint32_t word = param.align >= 8 && param.size % 8 == 0 ? 8 : param.size % 4 == 0 ? 4 : 1;
		buf_printf(out, "(%su%u:", param.align > 8 ? "@16 " : "", 8 * word);
		for (uint32_t i = 0; i < param.size / word; i++)
			buf_puts(out, i ? ",0" : "0");
		buf_putc(out, ')');
	} else if (p.pointer) {
		buf_printf(out, "%s[%llu]", launch_type_name(p.type), (unsigned long long)threads);
	} else if (launch_type_is_float(p.type)) {
		buf_printf(out, "%s:1", launch_type_name(p.type));
	} else {
		buf_printf(out, "%s:%llu", launch_type_name(p.type),
			launch_type_size(p.type) >= 4 ? (unsigned long long)threads : 1);
	}
}
