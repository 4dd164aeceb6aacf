/* Addresses as operands: [REGISTER+n], [VARIABLE+n], NAME[n], NAME[REGISTER], [MAP, {x, y}]. */
#include "machine/ptx/operand.h"

/* NAME[REGISTER]: as ptxas takes it, the register is a number of elements, without a sign. */
static bool at_register_index(struct ptx_parser *p)
{
	struct ptx_lexer ahead = p->lexer;
	struct ptx_token next;
	ptx_lex(&ahead, &next);
	struct ptx_symbol *s = next.kind == PTX_TOK_NAME ? ptx_find_symbol(p, next.text, next.len) : NULL;
	return s && s->kind == PTX_SYM_REG && s->type != PTX_PRED && ptx_type_bytes(s->type) >= 4;
}

static bool parse_register_index(struct ptx_parser *p, struct ptx_operand *out)
{
	ptx_next(p);
	struct ptx_symbol *s = ptx_find_symbol(p, p->tok.text, p->tok.len);
	ptx_next(p);
	ptx_insert_element(p, out, s->index);
	return ptx_expect(p, ']');
}

bool ptx_parse_index(struct ptx_parser *p, const struct ptx_var *var, int64_t *offset)
{
	ptx_next(p);
	if (!ptx_parse_whole(p, offset) || !ptx_expect(p, ']'))
		return false;
	*offset = (int64_t)((uint64_t)*offset * var->element);
	return true;
}

/* The variable of an address has to lie in the space that the instruction names. */
static bool space_fits(
	struct ptx_parser *p, const struct ptx_form *form, const struct ptx_token *at, struct ptx_var *var)
{
	enum mem_space space = ptx_form_space(form);
	if (var->opaque && var->space != SPACE_PARAM) {
		ptx_fault(p, at, "%s is a texture, a sampler or a surface, not memory", var->name);
		return false;
	}
	if (space == SPACE_GENERIC || space == var->space)
		return true;
	ptx_fault(p, at, "%s is not in the space that %s reads or writes", var->name, form->spelling);
	return false;
}

/* NAME[n]: element n of an array. */
static bool parse_element_address(struct ptx_parser *p, const struct ptx_form *form, struct ptx_operand *out)
{
	struct ptx_token at = p->tok;
	struct ptx_symbol *s = ptx_find_symbol(p, at.text, at.len);
	if (!s || s->kind != PTX_SYM_VAR) {
		ptx_unexpected(p, "'['");
		return false;
	}
	if (!space_fits(p, form, &at, s->var))
		return false;
	*out = (struct ptx_operand){.kind = PTX_MEM_VAR, .index = ptx_use_var(p, s->var), .second = -1};
	ptx_next(p);
	if (ptx_at(p, '[') && at_register_index(p)) {
		bool ok = parse_register_index(p, out);
		out->kind = PTX_MEM_REG;
		return ok;
	}
	if (ptx_at(p, '['))
		return ptx_parse_index(p, s->var, &out->value);
	ptx_unexpected(p, "'['");
	return false;
}

/* An address up to what ends it in its brackets. */
static bool parse_address_part(struct ptx_parser *p, const struct ptx_form *form, struct ptx_operand *out)
{
	struct ptx_token at;
	*out = (struct ptx_operand){.kind = PTX_MEM_IMM, .second = -1};
	if (!ptx_expect(p, '['))
		return false;
	at = p->tok;
	if (at.kind == PTX_TOK_NAME) {
		struct ptx_symbol *s = ptx_find_symbol(p, at.text, at.len);
		if (s && s->kind == PTX_SYM_REG && s->type != PTX_PRED && ptx_type_bytes(s->type) >= 4) {
			out->kind = PTX_MEM_REG;
			out->index = s->index;
		} else if (s && s->kind == PTX_SYM_VAR) {
			if (!space_fits(p, form, &at, s->var))
				return false;
			out->kind = PTX_MEM_VAR;
			out->index = ptx_use_var(p, s->var);
		} else {
			ptx_fault(p, &at, "%.*s is neither a variable nor a register that holds an address",
				ptx_shown(at.len), at.text);
			return false;
		}
		ptx_next(p);
	}
	bool ends = ptx_at(p, ']') || ptx_at(p, ',');
	return (out->kind != PTX_MEM_IMM && ends) || ptx_parse_whole(p, &out->value);
}

bool ptx_parse_address(struct ptx_parser *p, const struct ptx_form *form, struct ptx_operand *out)
{
	if (p->tok.kind == PTX_TOK_NAME)
		return parse_element_address(p, form, out);
	return parse_address_part(p, form, out) && ptx_expect(p, ']');
}

static bool parse_numbers(struct ptx_parser *p, const struct operand_spec *number, int n, struct ptx_operand *out)
{
	out->count = (uint8_t)n;
	out->elements = arena_array(p->arena, struct ptx_operand, (size_t)n);
	if (!ptx_expect(p, '{'))
		return false;
	for (int i = 0; i < n; i++)
		if ((i && !ptx_expect(p, ',')) || !ptx_parse_source(p, number, &out->elements[i]))
			return false;
	return ptx_expect(p, '}');
}

/* As many coordinates as the tensor has dimensions. */
bool ptx_parse_tensor_address(struct ptx_parser *p, const struct ptx_form *form, struct ptx_operand *out)
{
	const struct operand_spec coordinate = {.letter = '3', .lanes = 1, .type = PTX_S32};
	int n = form->mod[PTX_MOD_DIM] - PTX_DIM_D1 + 1;
	return parse_address_part(p, form, out) && ptx_expect(p, ',') && parse_numbers(p, &coordinate, n, out) &&
		ptx_expect(p, ']');
}

/* Of all dimensions but the channels and the images. */
bool ptx_parse_tensor_offsets(struct ptx_parser *p, const struct ptx_form *form, struct ptx_operand *out)
{
	const struct operand_spec offset = {.letter = '4', .lanes = 1, .type = PTX_U16};
	*out = (struct ptx_operand){.kind = PTX_VECTOR, .second = -1};
	return parse_numbers(p, &offset, form->mod[PTX_MOD_DIM] - PTX_DIM_D3 + 1, out);
}
