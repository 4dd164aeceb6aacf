/* Values as operands: registers, special registers, the addresses of variables and functions, constants. */
#include <string.h>

#include "machine/ptx/instr.h"
#include "machine/ptx/operand.h"

/* PTX ISA, operand size exceeding instruction-type size: floats are loaded into, and converted from and to, wider registers only where
 * those have no type. */
bool ptx_register_fits(const struct operand_spec *spec, enum ptx_type type)
{
	if (spec->type == PTX_PRED || type == PTX_PRED)
		return spec->type == type;
	uint32_t have = ptx_slot_bytes(type), need = ptx_slot_bytes(spec->type);
	bool may_be_wider = ptx_type_kind(spec->type) != 'F' ||
		((spec->traits & LETTER_VECTOR || (strchr("DB", spec->letter) && spec->type != PTX_BF16)) &&
			ptx_type_kind(type) == 'B');
	return have == need || ((spec->traits & LETTER_WIDER) && may_be_wider && have > need);
}

int ptx_component_ahead(const struct ptx_parser *p, const struct ptx_symbol *vector)
{
	static const char *const names[] = {"xyzw", "rgba"};
	struct ptx_lexer ahead = p->lexer;
	struct ptx_token dot;
	ptx_lex(&ahead, &dot);
	if (dot.kind != PTX_TOK_DOT || !dot.glued || dot.len != 1)
		return -1;
	for (int i = 0; i < vector->lanes; i++)
		if (names[0][i] == *dot.text || names[1][i] == *dot.text)
			return i;
	return -1;
}

bool ptx_parse_register(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out)
{
	struct ptx_token at = p->tok;
	struct ptx_symbol *s = at.kind == PTX_TOK_NAME ? ptx_find_symbol(p, at.text, at.len) : NULL;
	int part = s && s->kind == PTX_SYM_VECTOR ? ptx_component_ahead(p, s) : 0;
	if (!s || part < 0 || (s->kind != PTX_SYM_REG && s->kind != PTX_SYM_VECTOR)) {
		ptx_unexpected(p, "a register");
		return false;
	}
	if (!ptx_register_fits(spec, s->type)) {
		ptx_fault(p, &at, "%.*s is a .%s register; .%s is expected", ptx_shown(at.len), at.text,
			ptx_type_name(s->type), ptx_type_name(spec->type));
		return false;
	}
	*out = (struct ptx_operand){.kind = PTX_REG, .index = s->index + part, .second = -1};
	ptx_next(p);
	if (s->kind == PTX_SYM_VECTOR)
		ptx_next(p);
	return true;
}

/* %tid.r is %tid.x, and so on. */
int ptx_find_special(const char *name, size_t len)
{
	static const char colors[] = "rgba", axes[] = "xyzw";
	const char *color = len > 2 && name[len - 2] == '.' ? strchr(colors, name[len - 1]) : NULL;
	char renamed[64];
	if (color && *color && len < sizeof renamed) {
		memcpy(renamed, name, len);
		renamed[len - 1] = axes[color - colors];
		name = renamed;
	}
	for (int i = 0; i < PTX_SPECIALS; i++) {
		const char *special = ptx_special_name((enum ptx_special)i);
		if (strlen(special) == len && !memcmp(special, name, len))
			return i;
	}
	return -1;
}

/* A special register, whose name may go on after a dot. False, without report, when it is none. */
static bool parse_special(struct ptx_parser *p, struct ptx_operand *out)
{
	struct ptx_token at = p->tok;
	if (at.text[0] != '%')
		return false;
	struct ptx_lexer ahead = p->lexer;
	struct ptx_token next;
	ptx_lex(&ahead, &next);
	size_t len = at.len;
	bool dotted = next.kind == PTX_TOK_DOT && next.glued;
	if (dotted)
		len = (size_t)(next.text + next.len - at.text);
	int special = ptx_find_special(at.text, len);
	if (special < 0)
		return false;
	*out = (struct ptx_operand){.kind = PTX_SPECIAL_REG, .index = special, .second = -1};
	ptx_next(p);
	if (dotted)
		ptx_next(p);
	return true;
}

static bool parse_variable(struct ptx_parser *p, struct ptx_var *var, struct ptx_operand *out)
{
	*out = (struct ptx_operand){.kind = PTX_VAR, .index = ptx_use_var(p, var), .second = -1};
	ptx_next(p);
	if (ptx_at(p, '['))
		return ptx_parse_index(p, var, &out->value);
	if (ptx_at(p, '+') || ptx_at(p, '-'))
		return ptx_parse_whole(p, &out->value);
	return true;
}

/* The indices of threads and blocks can be read as .u16, and the number of the grid as .u16 and .u32, as when they were not
 * wider. */
static bool special_narrows(const struct operand_spec *spec, enum ptx_special special)
{
	bool is_index = special <= PTX_SPECIAL_NCTAID_W, is_number = ptx_type_kind(spec->type) != 'F';
	uint32_t bytes = ptx_type_bytes(spec->type);
	return spec->traits & LETTER_PACKS && is_number &&
		((is_index && bytes == 2) || (special == PTX_SPECIAL_GRIDID && (bytes == 2 || bytes == 4)));
}

/* REGISTER+n */
static bool parse_addend(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out)
{
	int64_t addend;
	if (!ptx_at(p, '+') || spec->is_element || spec->type == PTX_PRED)
		return true;
	if (ptx_type_kind(spec->type) == 'F') {
		ptx_fault(p, &p->tok, "a number is added to whole numbers only");
		return false;
	}
	ptx_next(p);
	if (!ptx_parse_whole(p, &addend))
		return false;
	ptx_insert_sum(p, out, addend);
	return true;
}

/* A name that is read: register, special register, or (of mov and cvta) the address of a variable. */
static bool parse_source_name(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out)
{
	struct ptx_token at = p->tok;
	struct ptx_symbol *s = ptx_find_symbol(p, at.text, at.len);

	if (s && (s->kind == PTX_SYM_REG || s->kind == PTX_SYM_VECTOR))
		return ptx_parse_register(p, spec, out) && parse_addend(p, spec, out);
	if (s && s->kind == PTX_SYM_FUNC && spec->traits & LETTER_NAMES && ptx_type_bytes(spec->type) == 8) {
		s->function->address_taken = true;
		*out = (struct ptx_operand){.kind = PTX_FUNC, .index = s->function->index, .second = -1};
		ptx_next(p);
		return true;
	}
	if (s && s->kind == PTX_SYM_VAR && spec->traits & LETTER_NAMES) {
		if (ptx_type_bytes(spec->type) >= 4)
			return parse_variable(p, s->var, out);
		ptx_fault(p, &at, "an address does not fit .%s", ptx_type_name(spec->type));
		return false;
	}
	if (!s && parse_special(p, out)) {
		enum ptx_type type = ptx_special_type((enum ptx_special)out->index);
		if (ptx_type_bytes(type) == ptx_type_bytes(spec->type) ||
			special_narrows(spec, (enum ptx_special)out->index) ||
			((spec->traits & LETTER_WIDER) && ptx_type_kind(spec->type) != 'F'))
			return true;
		ptx_fault(p, &at, "%s is of 32 or 64 bits, not as wide as .%s",
			ptx_special_name((enum ptx_special)out->index), ptx_type_name(spec->type));
		return false;
	}
	if (!s)
		ptx_fault(p, &at, "%.*s is not declared", ptx_shown(at.len), at.text);
	else
		ptx_fault(p, &at, "%.*s cannot be used here", ptx_shown(at.len), at.text);
	return false;
}

bool ptx_at_signed_name(const struct ptx_parser *p, char sign)
{
	struct ptx_lexer ahead = p->lexer;
	struct ptx_token next;
	if (!ptx_at(p, sign))
		return false;
	ptx_lex(&ahead, &next);
	return next.kind == PTX_TOK_NAME;
}

bool ptx_parse_source(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out)
{
	struct ptx_token at = p->tok;
	bool negated = spec->type == PTX_PRED && ptx_at_signed_name(p, '!') && ptx_take(p, '!');
	if (p->tok.kind == PTX_TOK_NAME && !ptx_at_name(p, "WARP_SZ")) {
		if (!parse_source_name(p, spec, out))
			return false;
	} else if (!ptx_parse_constant(p, spec->type, out)) {
		return false;
	}
	out->negated = negated && spec->letter == 'q';
	if (negated && spec->letter != 'q' && out->kind != PTX_REG) {
		ptx_fault(p, &at, "only a register can be negated here");
		return false;
	}
	if (negated && spec->letter != 'q')
		ptx_insert_not(p, out);
	return true;
}

bool ptx_parse_second(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out)
{
	if (!(spec->traits & LETTER_PAIR) || !ptx_take(p, '|'))
		return true;
	if (ptx_at_name(p, "_")) {
		ptx_next(p);
		return true;
	}
	return ptx_parse_pred(p, &out->second);
}

bool ptx_parse_destination(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out)
{
	if (ptx_at_name(p, "_")) {
		*out = (struct ptx_operand){.kind = PTX_SINK, .second = -1};
		ptx_next(p);
	} else if (!ptx_parse_register(p, spec, out)) {
		return false;
	}
	return ptx_parse_second(p, spec, out);
}
