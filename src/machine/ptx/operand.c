#include <string.h>

#include "base/arena.h"
#include "machine/ptx/instr.h"
#include "machine/ptx/matrix.h"
#include "machine/ptx/operand.h"

/* --- labels ---------------------------------------------------------------------------------------------------- */

static bool parse_label(struct ptx_parser *p, struct ptx_operand *out)
{
	struct ptx_token at = p->tok;
	if (at.kind != PTX_TOK_NAME) {
		ptx_unexpected(p, "a label");
		return false;
	}
	*out = (struct ptx_operand){.kind = PTX_LABEL, .second = -1};
	*vec_push_in(p->arena, p->pending, p->n_pending, p->cap.pending) = (struct ptx_pending){
		out, at.text, at.len, p->names.depth, at.line, at.col};
	ptx_next(p);
	return true;
}

static bool parse_targets(struct ptx_parser *p, struct ptx_operand *out)
{
	struct ptx_token at = p->tok;
	struct ptx_symbol *s = at.kind == PTX_TOK_NAME ? ptx_names_find(&p->names, at.text, at.len) : NULL;
	if (!s || s->kind != PTX_SYM_TARGETS) {
		ptx_unexpected(p, "a list made by .branchtargets");
		return false;
	}
	p->n_targets += (uint64_t)s->targets->n; /* each brx.idx has an edge to each */
	if (p->n_targets > PTX_TARGETS_MAX) {
		ptx_fault(p, &at, "the lists of this module's branches have more than %u labels together",
			PTX_TARGETS_MAX);
		return false;
	}
	*out = (struct ptx_operand){
		.kind = PTX_VECTOR, .second = -1, .index = s->targets->n, .elements = s->targets->labels};
	ptx_next(p);
	return true;
}

/* --- by the row ------------------------------------------------------------------------------------------------ */

static char matrix_of(char letter)
{
	switch (letter) {
	case 'M':
	case 'E': return 'D';
	case 'N':
	case 'W': return 'A';
	case 'P': return 'B';
	default: return 'C';
	}
}

static struct operand_spec spec_of(const struct ptx_form *form, char letter)
{
	uint32_t traits = ptx_letter_traits(letter);
	struct operand_spec spec = {
		.letter = letter, .lanes = 1, .traits = traits, .type = ptx_letter_type(form, letter)};
	if (traits & LETTER_VECTOR)
		spec.lanes = (uint8_t)instr_vector(form);
	if (traits & LETTER_PACKS)
		spec.lanes = 0;
	if (letter == 'G')
		return spec;
	if (traits & LETTER_FRAGMENT)
		spec.lanes = (uint8_t)ptx_fragment_registers(form, matrix_of(letter), &spec.type);
	return spec;
}

/* A lane's part of a matrix: registers in braces, which one alone need not have. */
static bool parse_fragment(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out)
{
	struct ptx_token at = p->tok;
	if (!ptx_parse_lanes(p, spec, ptx_parse_register, out))
		return false;
	for (int i = 0; i < out->count; i++) {
		if (out->elements[i].kind == PTX_REG)
			continue;
		ptx_fault(p, &at, "a part of a matrix consists of registers");
		return false;
	}
	return true;
}

/* A matrix in shared memory, by a register that describes it. */
static bool parse_described(struct ptx_parser *p, struct ptx_operand *out)
{
	const struct operand_spec spec = {.letter = 'G', .lanes = 1, .type = PTX_B64};
	return ptx_parse_register(p, &spec, out);
}

/* Numbers up to the end of the instruction. */
static bool parse_numbers(struct ptx_parser *p, struct ptx_operand *out)
{
	*out = (struct ptx_operand){.kind = PTX_VECTOR, .second = -1};
	out->elements = arena_array(p->arena, struct ptx_operand, PTX_LANES_MAX);
	do {
		struct ptx_token at = p->tok;
		struct ptx_operand *number = &out->elements[out->count];
		if (out->count == PTX_LANES_MAX) {
			ptx_unexpected(p, "';'");
			return false;
		}
		*number = (struct ptx_operand){.kind = PTX_IMM, .second = -1};
		if (at.kind == PTX_TOK_NAME) {
			ptx_unexpected(p, "a number");
			return false;
		}
		if (!ptx_parse_whole(p, &number->value))
			return false;
		out->count++;
	} while (ptx_take(p, ','));
	return true;
}

static struct ptx_symbol *register_here(struct ptx_parser *p)
{
	struct ptx_symbol *s = p->tok.kind == PTX_TOK_NAME ? ptx_find_symbol(p, p->tok.text, p->tok.len) : NULL;
	return s && s->kind == PTX_SYM_REG ? s : NULL;
}

static bool at_predicate(struct ptx_parser *p)
{
	struct ptx_symbol *s = register_here(p);
	return ptx_at(p, '!') || (s && s->type == PTX_PRED);
}

/* Whether an operand that may be missing in front of another is missing. */
static bool is_missing(struct ptx_parser *p, const struct ptx_form *form, char letter)
{
	struct ptx_symbol *s = register_here(p);
	switch (letter) {
	case 'j': return at_predicate(p);
	case 'L': return s && s->type == PTX_F32;
	case '4': return form->mod[PTX_MOD_TILE] != PTX_TILE_IM2COL;
	case '2': return !form->mod[PTX_MOD_MULTICAST];
	case 'z': return form->mod[PTX_MOD_HINT] && s && ptx_type_bytes(s->type) == 8;
	case 'r':
	case 'c': return !ptx_at(p, '(');
	default: return false;
	}
}

static bool parse_operand(struct ptx_parser *p, const struct ptx_form *form, char letter, struct ptx_operand *out)
{
	struct operand_spec spec = spec_of(form, letter != 'z' ? letter : at_predicate(p) ? 'q' : 'u');
	if (letter == 'm')
		return ptx_parse_address(p, form, out);
	if (letter == '3')
		return ptx_parse_tensor_address(p, form, out);
	if (letter == '4')
		return ptx_parse_tensor_offsets(p, form, out);
	if (letter == 'l')
		return parse_label(p, out);
	if (letter == 't')
		return parse_targets(p, out);
	if (strchr("rFcy", letter))
		return ptx_parse_call_operand(p, letter, out);
	if (letter == 'I')
		return parse_numbers(p, out);
	if (letter == 'G' || (letter == 'W' && register_here(p) && ptx_type_bytes(register_here(p)->type) == 8))
		return parse_described(p, out);
	if (ptx_is_texture_letter(letter))
		return ptx_parse_texture_operand(p, form, letter, out);
	if (spec.traits & LETTER_FRAGMENT)
		return parse_fragment(p, &spec, out);
	if (strchr("XY", letter) && ptx_is_of_128(form) && ptx_at(p, '{') && ptx_count_elements(p) == 4) {
		spec.lanes = 4; /* as ptx_insert_parts makes it two */
		spec.type = PTX_B32;
	}
	if (spec.lanes > 1 && spec.traits & LETTER_WRITES && letter == 'V' && ptx_is_of_128(form) &&
		ptx_at_name(p, "_"))
		return ptx_parse_destination(p, &spec, out);
	if (spec.traits & (LETTER_VECTOR | LETTER_PACKS) && ptx_at(p, '{'))
		return ptx_parse_braces(p, &spec, out) && ptx_parse_second(p, &spec, out);
	if (spec.lanes != 1 && ptx_at_whole_vector(p))
		return ptx_parse_whole_vector(p, &spec, out) && ptx_parse_second(p, &spec, out);
	if (letter == 'Y' && ptx_parse_special_vector(p, &spec, out))
		return true;
	if (spec.lanes > 1) {
		ptx_unexpected(p, "a vector in braces");
		return false;
	}
	bool negates = spec.traits & LETTER_NEGATES && ptx_at_signed_name(p, '-') && ptx_take(p, '-');
	if (!(spec.traits & LETTER_WRITES ? ptx_parse_destination : ptx_parse_source)(p, &spec, out))
		return false;
	out->negated |= negates;
	return !(spec.traits & LETTER_SELECTS) || out->kind != PTX_REG ||
		ptx_parse_select(p, form, spec.traits & LETTER_WRITES, &out->value);
}

bool ptx_parse_operands(struct ptx_parser *p, struct ptx_instr *instr)
{
	const char *letters = ptx_op_rows[instr->form->op].operands;
	bool optional = false, missing = false;

	instr->operands = arena_array(p->arena, struct ptx_operand,
		strlen(letters)); /* as many as needed: a text may have millions of instructions */
	for (; *letters; letters++) {
		if (*letters == '?') {
			optional = true;
			continue;
		}
		if (ptx_at(p, ';') && optional)
			break;
		if (instr->n && !missing && !ptx_expect(p, ','))
			return false;
		struct ptx_operand *out = &instr->operands[instr->n++];
		missing = ptx_letter_traits(*letters) & LETTER_SKIPS && is_missing(p, instr->form, *letters);
		if (missing)
			*out = (struct ptx_operand){.kind = PTX_NONE, .second = -1};
		else if (!parse_operand(p, instr->form, *letters, out))
			return false;
	}
	return ptx_operands_fit(p, instr);
}
