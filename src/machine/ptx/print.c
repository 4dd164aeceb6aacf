#include <inttypes.h>

#include "machine/ptx/instr.h"
#include "machine/ptx/parse.h"

static void print_operand(const struct ptx_kernel *k, const struct ptx_operand *o, enum ptx_type type, struct buf *out);

static void print_offset(int64_t value, struct buf *out)
{
	if (value)
		buf_printf(out, "%+" PRId64, value);
}

/* What a call passes: constants are given without a type. */
static void print_list(const struct ptx_kernel *k, const struct ptx_operand *o, struct buf *out)
{
	static const enum ptx_type by_bytes[] = {[0] = PTX_S64, [4] = PTX_F32, [8] = PTX_F64};
	buf_putc(out, '(');
	for (int i = 0; i < o->index; i++) {
		buf_puts(out, i ? ", " : "");
		print_operand(k, &o->elements[i], by_bytes[o->elements[i].count], out);
	}
	buf_putc(out, ')');
}

static void print_elements(const struct ptx_kernel *k, const struct ptx_operand *o, enum ptx_type type, struct buf *out)
{
	int n = o->count ? o->count : o->index;
	buf_putc(out, '{');
	for (int i = 0; i < n; i++) {
		buf_puts(out, i ? ", " : "");
		print_operand(k, &o->elements[i], type, out);
	}
	buf_putc(out, '}');
}

/* Of a tensor's box, after the address of its map. */
static void print_coordinates(const struct ptx_kernel *k, const struct ptx_operand *o, struct buf *out)
{
	if (!o->count)
		return;
	buf_puts(out, ", ");
	print_elements(k, o, PTX_S32, out);
}

static void print_operand(const struct ptx_kernel *k, const struct ptx_operand *o, enum ptx_type type, struct buf *out)
{
	if (o->negated)
		buf_putc(out, '!');
	switch ((enum ptx_operand_kind)o->kind) {
	case PTX_NONE: break;
	case PTX_SINK: buf_putc(out, '_'); break;
	case PTX_REG: buf_puts(out, k->regs[o->index].name); break;
	case PTX_IMM: {
		/* Floats as their bits, as PTX writes them exactly; integers as the type is signed. */
		int64_t value = o->value;
		if (type == PTX_F32)
			buf_printf(out, "0f%08" PRIX32, (uint32_t)value);
		else if (type == PTX_F64)
			buf_printf(out, "0d%016" PRIX64, (uint64_t)value);
		else if (ptx_type_kind(type) == 'U' || ptx_type_bytes(type) == 0)
			buf_printf(out, "%" PRIu64, (uint64_t)value);
		else if (ptx_type_bytes(type) == 4)
			buf_printf(out, "%" PRId32, (int32_t)value);
		else if (ptx_type_bytes(type) == 2)
			buf_printf(out, "%d", (int16_t)value);
		else
			buf_printf(out, "%" PRId64, value);
		break;
	}
	case PTX_SPECIAL_REG: buf_puts(out, ptx_special_name((enum ptx_special)o->index)); break;
	case PTX_LABEL:
		/* Labels have no names in the program: a target is shown as the line of PTX it is in. */
		if (o->index < k->n_instrs)
			buf_printf(out, "line %d", k->instrs[o->index].line);
		else
			buf_puts(out, "end");
		break;
	case PTX_VECTOR: print_elements(k, o, type, out); break;
	case PTX_TEXTURE: {
		/* A texture or a surface, and where in it. */
		struct ptx_operand coordinates = {.kind = PTX_VECTOR,
			.second = -1,
			.count = (uint8_t)(o->count - 2),
			.elements = o->elements + 2};
		buf_putc(out, '[');
		print_operand(k, &o->elements[0], type, out);
		if (o->elements[1].kind != PTX_NONE) {
			buf_puts(out, ", ");
			print_operand(k, &o->elements[1], type, out);
		}
		if (coordinates.count) {
			buf_puts(out, ", ");
			print_elements(k, &coordinates, type, out);
		}
		buf_putc(out, ']');
		break;
	}
	case PTX_LIST: print_list(k, o, out); break;
	case PTX_FUNC: buf_puts(out, k->module->functions[o->index]->name); break;
	case PTX_PROTOTYPE: buf_puts(out, k->module->prototypes[o->index].name); break;
	case PTX_VAR:
		buf_puts(out, k->uses[o->index].var->name);
		print_offset(o->value, out);
		break;
	case PTX_MEM_REG:
		buf_printf(out, "[%s", k->regs[o->index].name);
		print_offset(o->value, out);
		print_coordinates(k, o, out);
		buf_putc(out, ']');
		break;
	case PTX_MEM_VAR:
		buf_printf(out, "[%s", k->uses[o->index].var->name);
		print_offset(o->value, out);
		print_coordinates(k, o, out);
		buf_putc(out, ']');
		break;
	case PTX_MEM_IMM: buf_printf(out, "[%" PRId64 "]", o->value); break;
	}
	if (o->second >= 0)
		buf_printf(out, "|%s", k->regs[o->second].name);
}

void ptx_instr_print(const struct ptx_kernel *kernel, int index, struct buf *out)
{
	const struct ptx_part *part = ptx_part_of(kernel, index);
	const struct ptx_kernel *k = part->code;
	const struct ptx_instr *instr = &k->instrs[index - part->first];
	const char *letters = ptx_op_rows[instr->form->op].operands, *between = " ";

	if (instr->guard >= 0)
		buf_printf(out, "@%s%s ", instr->guard_negated ? "!" : "", k->regs[instr->guard].name);
	buf_puts(out, instr->form->spelling);
	for (int i = 0; i < instr->n; i++) {
		letters += *letters == '?';
		if (instr->operands[i].kind != PTX_NONE) {
			buf_puts(out, between);

			/* Operand `i`, whose letter may let it be negated, or name parts. */
			char letter = *letters;
			struct ptx_operand o = instr->operands[i];
			if (ptx_letter_traits(letter) & LETTER_NEGATES && o.negated) {
				buf_putc(out, '-');
				o.negated = false;
			}
			print_operand(k, &o, ptx_letter_type(instr->form, letter), out);
			if (ptx_letter_traits(letter) & LETTER_SELECTS && o.kind == PTX_REG)
				ptx_print_select(instr->form, o.value, out);

			between = ", ";
		}
		letters += *letters != '\0';
	}
}
