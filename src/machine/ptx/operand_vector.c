/* Vectors as operands: elements in braces, or a register that is declared as one. */
#include <string.h>

#include "machine/ptx/instr.h"
#include "machine/ptx/operand.h"

/* The type of one element when mov packs `lanes` of them into a `type`. */
static enum ptx_type packed_type(enum ptx_type type, int lanes)
{
	uint32_t bytes = ptx_type_bytes(type) / (uint32_t)lanes;
	if (lanes == 1)
		return type;
	return bytes == 1 ? PTX_B8 : bytes == 2 ? PTX_B16 : bytes == 4 ? PTX_B32 : PTX_NO_TYPE;
}

#define FRAGMENT_MAX 128 /* registers: of a wgmma with 256 columns */

static struct operand_spec element_of(const struct operand_spec *vector)
{
	return (struct operand_spec){
		'A', 1, vector->traits & (LETTER_WIDER | LETTER_WRITES | LETTER_VECTOR), vector->type, true};
}

int ptx_count_elements(const struct ptx_parser *p)
{
	struct ptx_lexer ahead = p->lexer;
	struct ptx_token tok;
	int n = 1;
	for (ptx_lex(&ahead, &tok); n <= FRAGMENT_MAX; ptx_lex(&ahead, &tok)) {
		if (tok.kind == PTX_TOK_END || (tok.kind == PTX_TOK_PUNCT && (tok.punct == '}' || tok.punct == ';')))
			break;
		n += tok.kind == PTX_TOK_PUNCT && tok.punct == ',';
	}
	return n;
}

/* The registers of a vector may be wider than its type, but all alike. */
static bool one_width(struct ptx_parser *p, const struct ptx_token *open, const struct ptx_operand *vector)
{
	uint32_t width = 0;
	for (int i = 0; i < vector->count; i++) {
		const struct ptx_operand *o = &vector->elements[i];
		if (o->kind != PTX_REG && o->kind != PTX_SPECIAL_REG)
			continue;
		uint32_t here = ptx_slot_bytes(o->kind == PTX_REG ? p->kernel->regs[o->index].type
								  : ptx_special_type((enum ptx_special)o->index));
		if (width && here != width) {
			ptx_fault(p, open, "the registers of a vector have to be of one width");
			return false;
		}
		width = here;
	}
	return true;
}

bool ptx_parse_elements(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out)
{
	struct ptx_token open = p->tok;
	int n = ptx_count_elements(p);

	ptx_next(p);
	struct operand_spec element = element_of(spec);
	if (!spec->lanes)
		element.type = n <= PTX_LANES_MAX ? packed_type(spec->type, n) : PTX_NO_TYPE;
	if (!element.type || (spec->lanes && n != spec->lanes) ||
		n > (spec->traits & LETTER_FRAGMENT ? FRAGMENT_MAX : PTX_LANES_MAX)) {
		ptx_fault(p, &open, "a vector of %d does not fit here", n);
		return false;
	}
	*out = (struct ptx_operand){.kind = PTX_VECTOR, .count = (uint8_t)n, .second = -1};
	out->elements = arena_array(p->arena, struct ptx_operand, (size_t)n);
	for (int i = 0; i < n; i++) {
		if (i && !ptx_expect(p, ','))
			return false;
		if (!(spec->traits & LETTER_WRITES ? ptx_parse_destination : ptx_parse_source)(
			    p, &element, &out->elements[i]))
			return false;
	}
	return one_width(p, &open, out) && ptx_expect(p, '}');
}

bool ptx_parse_braces(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out)
{
	struct ptx_operand vector;
	if (!ptx_parse_elements(p, spec, &vector))
		return false;
	*out = vector.count == 1 ? *vector.elements : vector;
	return true;
}

bool ptx_parse_special_vector(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out)
{
	char name[64];
	if (p->tok.kind != PTX_TOK_NAME || spec->lanes != 4 || p->tok.len + 3 > sizeof name)
		return false;
	memcpy(name, p->tok.text, p->tok.len);
	memcpy(name + p->tok.len, ".x", 3);
	int first = ptx_find_special(name, p->tok.len + 2);
	if (first < 0 || ptx_find_symbol(p, p->tok.text, p->tok.len) || ptx_type_bytes(spec->type) > 4)
		return false;
	*out = (struct ptx_operand){.kind = PTX_VECTOR, .count = 4, .second = -1};
	out->elements = arena_array(p->arena, struct ptx_operand, 4);
	for (int i = 0; i < 4; i++)
		out->elements[i] = (struct ptx_operand){.kind = PTX_SPECIAL_REG, .index = first + i, .second = -1};
	ptx_next(p);
	return true;
}

bool ptx_at_whole_vector(struct ptx_parser *p)
{
	struct ptx_symbol *s = p->tok.kind == PTX_TOK_NAME ? ptx_find_symbol(p, p->tok.text, p->tok.len) : NULL;
	return s && s->kind == PTX_SYM_VECTOR && ptx_component_ahead(p, s) < 0;
}

bool ptx_parse_whole_vector(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out)
{
	struct ptx_token at = p->tok;
	struct ptx_symbol *s = ptx_find_symbol(p, at.text, at.len);
	struct operand_spec element = element_of(spec);

	if (!spec->lanes)
		element.type = packed_type(spec->type, s->lanes);
	if ((spec->lanes && s->lanes != spec->lanes) || !element.type || !ptx_register_fits(&element, s->type)) {
		ptx_fault(p, &at, "a vector of %d .%s does not fit here", s->lanes, ptx_type_name(s->type));
		return false;
	}
	*out = (struct ptx_operand){.kind = PTX_VECTOR, .count = (uint8_t)s->lanes, .second = -1};
	out->elements = arena_array(p->arena, struct ptx_operand, (size_t)s->lanes);
	for (int i = 0; i < s->lanes; i++)
		out->elements[i] = (struct ptx_operand){.kind = PTX_REG, .index = s->index + i, .second = -1};
	ptx_next(p);
	return true;
}

bool ptx_parse_value(struct ptx_parser *p, enum ptx_type type, struct ptx_operand *out)
{
	const struct operand_spec spec = {.letter = 'a', .lanes = 1, .type = type};
	return ptx_parse_source(p, &spec, out);
}

bool ptx_parse_lanes(
	struct ptx_parser *p, const struct operand_spec *spec, ptx_operand_parser parse_one, struct ptx_operand *out)
{
	if (ptx_at(p, '{'))
		return ptx_parse_elements(p, spec, out);
	if (ptx_at_whole_vector(p))
		return ptx_parse_whole_vector(p, spec, out);
	if (spec->lanes != 1) {
		ptx_unexpected(p, "a vector in braces");
		return false;
	}
	*out = (struct ptx_operand){.kind = PTX_VECTOR, .count = 1, .second = -1};
	out->elements = arena_array(p->arena, struct ptx_operand, 1);
	return parse_one(p, spec, out->elements);
}

bool ptx_parse_vector(struct ptx_parser *p, enum ptx_type type, uint32_t lanes, struct ptx_operand *out)
{
	const struct operand_spec spec = {.letter = 'a', .lanes = (uint8_t)lanes, .type = type};
	return ptx_parse_lanes(p, &spec, ptx_parse_source, out);
}
