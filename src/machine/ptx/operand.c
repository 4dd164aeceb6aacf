/* The operands of an instruction, by the letters of its row: from the first token to the semicolon. Functions leave the
 * lexer after what they read. */
#include <string.h>

#include "base/arena.h"
#include "machine/ptx/instr.h"
#include "machine/ptx/matrix.h"
#include "machine/ptx/parse.h"

#define PTX_LANES_MAX 8 /* elements of a vector that is no part of a matrix */

/* What an operand has to be, by its letter in ops.def. */
struct operand_spec {
	char letter;
	uint8_t lanes;   /* of a vector operand; 0: scalar or vector as it comes (mov) */
	uint32_t traits; /* LETTER_... */
	enum ptx_type type;
	bool is_element; /* of a vector */
};

/* --- values: registers, special registers, the addresses of variables and functions, constants -------------------- */

/* Whether a register of the type may stand there. PTX ISA, operand size exceeding instruction-type size: floats are
 * loaded into, and converted from and to, wider registers only where those have no type. */
static bool register_fits(const struct operand_spec *spec, enum ptx_type type)
{
	if (spec->type == PTX_PRED || type == PTX_PRED)
		return spec->type == type;
	uint32_t have = ptx_slot_bytes(type), need = ptx_slot_bytes(spec->type);
	bool may_be_wider = ptx_type_kind(spec->type) != 'F' ||
		((spec->traits & LETTER_VECTOR || (strchr("DB", spec->letter) && spec->type != PTX_BF16)) &&
			ptx_type_kind(type) == 'B');
	return have == need || ((spec->traits & LETTER_WIDER) && may_be_wider && have > need);
}

/* The component of a vector of registers that the letter after the dot names, -1: none. */
static int component_ahead(const struct ptx_parser *p, const struct ptx_symbol *vector)
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

static bool parse_register(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out)
{
	struct ptx_token at = p->tok;
	struct ptx_symbol *s = at.kind == PTX_TOK_NAME ? ptx_find_symbol(p, at.text, at.len) : NULL;
	int part = s && s->kind == PTX_SYM_VECTOR ? component_ahead(p, s) : 0;
	if (!s || part < 0 || (s->kind != PTX_SYM_REG && s->kind != PTX_SYM_VECTOR)) {
		ptx_unexpected(p, "a register");
		return false;
	}
	if (!register_fits(spec, s->type)) {
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

/* The special register of that name, -1: there is none. %tid.r is %tid.x, and so on. */
static int find_special(const char *name, size_t len)
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
	int special = find_special(at.text, len);
	if (special < 0)
		return false;
	*out = (struct ptx_operand){.kind = PTX_SPECIAL_REG, .index = special, .second = -1};
	ptx_next(p);
	if (dotted)
		ptx_next(p);
	return true;
}

/* After a NAME, [n], whose offset in bytes it is. */
static bool parse_index(struct ptx_parser *p, const struct ptx_var *var, int64_t *offset)
{
	ptx_next(p);
	if (!ptx_parse_whole(p, offset) || !ptx_expect(p, ']'))
		return false;
	*offset = (int64_t)((uint64_t)*offset * var->element);
	return true;
}

/* A name that is read: register, special register, or (of mov and cvta) the address of a variable. */
static bool parse_source_name(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out)
{
	struct ptx_token at = p->tok;
	struct ptx_symbol *s = ptx_find_symbol(p, at.text, at.len);

	if (s && (s->kind == PTX_SYM_REG || s->kind == PTX_SYM_VECTOR)) {
		if (!parse_register(p, spec, out))
			return false;
		/* REGISTER+n */
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
	if (s && s->kind == PTX_SYM_FUNC && spec->traits & LETTER_NAMES && ptx_type_bytes(spec->type) == 8) {
		s->function->address_taken = true;
		*out = (struct ptx_operand){.kind = PTX_FUNC, .index = s->function->index, .second = -1};
		ptx_next(p);
		return true;
	}
	if (s && s->kind == PTX_SYM_VAR && spec->traits & LETTER_NAMES) {
		if (ptx_type_bytes(spec->type) >= 4) {
			*out = (struct ptx_operand){.kind = PTX_VAR, .index = ptx_use_var(p, s->var), .second = -1};
			ptx_next(p);
			if (ptx_at(p, '['))
				return parse_index(p, s->var, &out->value);
			if (ptx_at(p, '+') || ptx_at(p, '-'))
				return ptx_parse_whole(p, &out->value);
			return true;
		}
		ptx_fault(p, &at, "an address does not fit .%s", ptx_type_name(spec->type));
		return false;
	}
	if (!s && parse_special(p, out)) {
		enum ptx_type type = ptx_special_type((enum ptx_special)out->index);
		if (ptx_type_bytes(type) == ptx_type_bytes(spec->type))
			return true;

		/* The indices of threads and blocks can be read as .u16, and the number of the grid as .u16 and .u32,
		 * as when they were not wider. */
		enum ptx_special special = (enum ptx_special)out->index;
		bool is_index = special <= PTX_SPECIAL_NCTAID_W, is_number = ptx_type_kind(spec->type) != 'F';
		uint32_t bytes = ptx_type_bytes(spec->type);
		if (spec->traits & LETTER_PACKS && is_number &&
			((is_index && bytes == 2) || (special == PTX_SPECIAL_GRIDID && (bytes == 2 || bytes == 4))))
			return true;
		if (spec->traits & LETTER_WIDER && ptx_type_kind(spec->type) != 'F')
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

/* Whether `sign` stands in front of a name; one in front of a number is a part of the constant. */
static bool at_signed_name(const struct ptx_parser *p, char sign)
{
	struct ptx_lexer ahead = p->lexer;
	struct ptx_token next;
	if (!ptx_at(p, sign))
		return false;
	ptx_lex(&ahead, &next);
	return next.kind == PTX_TOK_NAME;
}

/* An operand that is read. */
static bool parse_source(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out)
{
	struct ptx_token at = p->tok;
	bool negated = spec->type == PTX_PRED && at_signed_name(p, '!') && ptx_take(p, '!');
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

/* `|p` after what is written, if it is there. */
static bool parse_second(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out)
{
	if (!(spec->traits & LETTER_PAIR) || !ptx_take(p, '|'))
		return true;
	if (ptx_at_name(p, "_")) {
		ptx_next(p);
		return true;
	}
	return ptx_parse_pred(p, &out->second);
}

/* An operand that is written, with its `|p`. */
static bool parse_destination(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out)
{
	if (ptx_at_name(p, "_")) {
		*out = (struct ptx_operand){.kind = PTX_SINK, .second = -1};
		ptx_next(p);
	} else if (!parse_register(p, spec, out)) {
		return false;
	}
	return parse_second(p, spec, out);
}

/* --- vectors: elements in braces, or a register that is declared as one ------------------------------------------- */

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

/* How many elements the braces hold that the lexer stands in. */
static int count_elements(const struct ptx_parser *p)
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

/* Elements in braces, always as a vector. */
static bool parse_elements(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out)
{
	struct ptx_token open = p->tok;
	int n = count_elements(p);

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
		if (!(spec->traits & LETTER_WRITES ? parse_destination : parse_source)(p, &element, &out->elements[i]))
			return false;
	}

	/* The registers of a vector may be wider than its type, but all alike. */
	uint32_t width = 0;
	for (int i = 0; i < out->count; i++) {
		const struct ptx_operand *o = &out->elements[i];
		if (o->kind != PTX_REG && o->kind != PTX_SPECIAL_REG)
			continue;
		uint32_t here = ptx_slot_bytes(o->kind == PTX_REG ? p->kernel->regs[o->index].type
								  : ptx_special_type((enum ptx_special)o->index));
		if (width && here != width) {
			ptx_fault(p, &open, "the registers of a vector have to be of one width");
			return false;
		}
		width = here;
	}

	return ptx_expect(p, '}');
}

/* Elements in braces; one alone as what it is. */
static bool parse_braces(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out)
{
	struct ptx_operand vector;
	if (!parse_elements(p, spec, &vector))
		return false;
	*out = vector.count == 1 ? *vector.elements : vector;
	return true;
}

/* Whether a register declared .v2 or .v4 stands there as a whole, which is the same as its components in braces. */
static bool at_whole_vector(struct ptx_parser *p)
{
	struct ptx_symbol *s = p->tok.kind == PTX_TOK_NAME ? ptx_find_symbol(p, p->tok.text, p->tok.len) : NULL;
	return s && s->kind == PTX_SYM_VECTOR && component_ahead(p, s) < 0;
}

static bool parse_whole_vector(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out)
{
	struct ptx_token at = p->tok;
	struct ptx_symbol *s = ptx_find_symbol(p, at.text, at.len);
	struct operand_spec element = element_of(spec);

	if (!spec->lanes)
		element.type = packed_type(spec->type, s->lanes);
	if ((spec->lanes && s->lanes != spec->lanes) || !element.type || !register_fits(&element, s->type)) {
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

/* A vector: elements in braces, a whole one, or one alone without braces, which `parse_one` reads. */
typedef bool operand_parser(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out);
static bool parse_lanes(
	struct ptx_parser *p, const struct operand_spec *spec, operand_parser *parse_one, struct ptx_operand *out)
{
	if (ptx_at(p, '{'))
		return parse_elements(p, spec, out);
	if (at_whole_vector(p))
		return parse_whole_vector(p, spec, out);
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
	return parse_lanes(p, &spec, parse_source, out);
}

/* --- addresses: [REGISTER+n], [VARIABLE+n], NAME[n], NAME[REGISTER], [MAP, {x, y}] -------------------------------- */

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

static bool parse_coordinates(struct ptx_parser *p, const struct operand_spec *number, int n, struct ptx_operand *out)
{
	out->count = (uint8_t)n;
	out->elements = arena_array(p->arena, struct ptx_operand, (size_t)n);
	if (!ptx_expect(p, '{'))
		return false;
	for (int i = 0; i < n; i++)
		if ((i && !ptx_expect(p, ',')) || !parse_source(p, number, &out->elements[i]))
			return false;
	return ptx_expect(p, '}');
}

/* --- parts of words ----------------------------------------------------------------------------------------------- */

/* 1, 2 or 4: what the row's name ends with. */
static int elements_of(const struct ptx_form *form)
{
	const char *name = ptx_op_rows[form->op].spelling;
	char last = name[strlen(name) - 1];
	return last == '2' ? 2 : last == '4' ? 4 : 1;
}

static int64_t word_select(const char *text, size_t len)
{
	int most = *text == 'b' ? 3 : 1;
	int64_t kind = *text == 'b' ? PTX_SELECT_BYTE : PTX_SELECT_HALF;
	return len == 2 && text[1] >= '0' && text[1] <= '0' + most ? kind | (text[1] - '0') : 0;
}

/* Numbers from high to low, each once. */
static int64_t mask_select(const char *text, size_t len, int n)
{
	int64_t select = PTX_SELECT_MASK;
	for (size_t i = 1; i < len; i++) {
		if (text[i] < '0' || text[i] >= '0' + n || (i > 1 && text[i] >= text[i - 1]))
			return 0;
		select |= 1 << (text[i] - '0');
	}
	return len > 1 ? select : 0;
}

/* The highest element first, as all numbers are written. */
static int64_t list_select(const char *text, size_t len, int n)
{
	int64_t select = PTX_SELECT_LIST;
	if (len != (size_t)n + 1)
		return 0;
	for (size_t i = 1; i < len; i++) {
		if (text[i] < '0' || text[i] >= '0' + 2 * n)
			return 0;
		select |= (int64_t)(text[i] - '0') << 4 * (len - 1 - i);
	}
	return select;
}

void ptx_print_select(const struct ptx_form *form, int64_t select, struct buf *out)
{
	int n = elements_of(form);
	if (!select)
		return;
	buf_printf(out, ".%c", select & PTX_SELECT_BYTE || n == 4 ? 'b' : 'h');
	if (n == 1)
		buf_printf(out, "%d", (int)(select & 3));
	for (int k = n; n > 1 && k-- > 0;) {
		if (select & PTX_SELECT_LIST)
			buf_printf(out, "%d", ptx_select_element(select, k, k));
		else if (ptx_select_writes(select, k))
			buf_printf(out, "%d", k);
	}
}

/* --- labels ---------------------------------------------------------------------------------------------------- */

/* --- by the row ------------------------------------------------------------------------------------------------ */

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
	if (traits & LETTER_FRAGMENT) {
		char matrix;
		switch (letter) {
		case 'M':
		case 'E': matrix = 'D'; break;
		case 'N':
		case 'W': matrix = 'A'; break;
		case 'P': matrix = 'B'; break;
		default: matrix = 'C'; break;
		}

		spec.lanes = (uint8_t)ptx_fragment_registers(form, matrix, &spec.type);
	}
	return spec;
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

static bool parse_operand(struct ptx_parser *p, const struct ptx_form *form, char letter, struct ptx_operand *out)
{
	struct operand_spec spec = spec_of(form, letter != 'z' ? letter : at_predicate(p) ? 'q' : 'u');
	if (letter == 'm') {
		/* An address in brackets, or NAME[n]: element n of an array. */
		if (p->tok.kind == PTX_TOK_NAME) {
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
			if (ptx_at(p, '[')) {
				/* NAME[REGISTER]: as ptxas takes it, the register is a number of elements, without a
				 * sign. */
				struct ptx_lexer ahead = p->lexer;
				struct ptx_token next;
				ptx_lex(&ahead, &next);
				struct ptx_symbol *index = next.kind == PTX_TOK_NAME
					? ptx_find_symbol(p, next.text, next.len)
					: NULL;
				bool by_register = index && index->kind == PTX_SYM_REG && index->type != PTX_PRED &&
					ptx_type_bytes(index->type) >= 4;
				if (by_register) {
					ptx_next(p);
					ptx_next(p);
					ptx_insert_element(p, out, index->index);
					bool ok = ptx_expect(p, ']');
					out->kind = PTX_MEM_REG;
					return ok;
				}
			}
			if (ptx_at(p, '['))
				return parse_index(p, s->var, &out->value);
			ptx_unexpected(p, "'['");
			return false;
		}
		return parse_address_part(p, form, out) && ptx_expect(p, ']');
	}
	if (letter == '3') {
		/* [map, {x, y}]: as many coordinates as the tensor has dimensions. */
		const struct operand_spec coordinate = {.letter = '3', .lanes = 1, .type = PTX_S32};
		int n = form->mod[PTX_MOD_DIM] - PTX_DIM_D1 + 1;
		return parse_address_part(p, form, out) && ptx_expect(p, ',') &&
			parse_coordinates(p, &coordinate, n, out) && ptx_expect(p, ']');
	}
	if (letter == '4') {
		/* Offsets of all dimensions but the channels and the images. */
		const struct operand_spec offset = {.letter = '4', .lanes = 1, .type = PTX_U16};
		*out = (struct ptx_operand){.kind = PTX_VECTOR, .second = -1};
		return parse_coordinates(p, &offset, form->mod[PTX_MOD_DIM] - PTX_DIM_D3 + 1, out);
	}
	if (letter == 'l') {
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
	if (letter == 't') {
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
	if (strchr("rFcy", letter))
		return ptx_parse_call_operand(p, letter, out);
	if (letter == 'I') {
		/* Numbers up to the end of the instruction. */
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
	if (letter == 'G' || (letter == 'W' && register_here(p) && ptx_type_bytes(register_here(p)->type) == 8)) {
		/* A matrix in shared memory, by a register that describes it. */
		const struct operand_spec described = {.letter = 'G', .lanes = 1, .type = PTX_B64};
		return parse_register(p, &described, out);
	}
	if (ptx_is_texture_letter(letter))
		return ptx_parse_texture_operand(p, form, letter, out);
	if (spec.traits & LETTER_FRAGMENT) {
		/* A lane's part of a matrix: registers in braces, which one alone need not have. */
		struct ptx_token at = p->tok;
		if (!parse_lanes(p, &spec, parse_register, out))
			return false;
		for (int i = 0; i < out->count; i++) {
			if (out->elements[i].kind == PTX_REG)
				continue;
			ptx_fault(p, &at, "a part of a matrix consists of registers");
			return false;
		}
		return true;
	}
	if (strchr("XY", letter) && ptx_is_of_128(form) && ptx_at(p, '{') && count_elements(p) == 4) {
		spec.lanes = 4; /* as ptx_insert_parts makes it two */
		spec.type = PTX_B32;
	}
	if (spec.lanes > 1 && spec.traits & LETTER_WRITES && letter == 'V' && ptx_is_of_128(form) &&
		ptx_at_name(p, "_"))
		return parse_destination(p, &spec, out);
	if (spec.traits & (LETTER_VECTOR | LETTER_PACKS) && ptx_at(p, '{'))
		return parse_braces(p, &spec, out) && parse_second(p, &spec, out);
	if (spec.lanes != 1 && at_whole_vector(p))
		return parse_whole_vector(p, &spec, out) && parse_second(p, &spec, out);
	if (letter == 'Y') {
		/* A special register that is a vector, as %tid, as a whole. */
		char name[64];
		int first = -1;
		if (p->tok.kind == PTX_TOK_NAME && spec.lanes == 4 && p->tok.len + 3 <= sizeof name) {
			memcpy(name, p->tok.text, p->tok.len);
			memcpy(name + p->tok.len, ".x", 3);
			first = find_special(name, p->tok.len + 2);
		}
		if (first >= 0 && !ptx_find_symbol(p, p->tok.text, p->tok.len) && ptx_type_bytes(spec.type) <= 4) {
			*out = (struct ptx_operand){.kind = PTX_VECTOR, .count = 4, .second = -1};
			out->elements = arena_array(p->arena, struct ptx_operand, 4);
			for (int i = 0; i < 4; i++)
				out->elements[i] = (struct ptx_operand){
					.kind = PTX_SPECIAL_REG, .index = first + i, .second = -1};
			ptx_next(p);
			return true;
		}
	}
	if (spec.lanes > 1) {
		ptx_unexpected(p, "a vector in braces");
		return false;
	}
	bool negates = spec.traits & LETTER_NEGATES && at_signed_name(p, '-') && ptx_take(p, '-');
	if (!(spec.traits & LETTER_WRITES ? parse_destination : parse_source)(p, &spec, out))
		return false;
	out->negated |= negates;

	if (!(spec.traits & LETTER_SELECTS) || out->kind != PTX_REG)
		return true;
	/* The part that stands after a register of a video instruction, if one does. */
	bool writes = spec.traits & LETTER_WRITES;
	const struct ptx_token at = p->tok;
	int n = elements_of(form);
	if (at.kind != PTX_TOK_DOT || !at.glued)
		return true;
	bool fits = n == 1 ? *at.text == 'b' || *at.text == 'h' : *at.text == (n == 2 ? 'h' : 'b');
	if (fits)
		out->value = n == 1 ? word_select(at.text, at.len)
			: writes    ? mask_select(at.text, at.len, n)
				    : list_select(at.text, at.len, n);
	if (!out->value) {
		ptx_fault(p, &at, "%s does not have the part .%.*s here", form->spelling, ptx_shown(at.len), at.text);
		return false;
	}
	ptx_next(p);
	return true;
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
		missing = ptx_letter_traits(*letters) & LETTER_SKIPS;
		if (missing) {
			/* It may be missing in front of another. */
			struct ptx_symbol *s = register_here(p);
			switch (*letters) {
			case 'j': missing = at_predicate(p); break;
			case 'L': missing = s && s->type == PTX_F32; break;
			case '4': missing = instr->form->mod[PTX_MOD_TILE] != PTX_TILE_IM2COL; break;
			case '2': missing = !instr->form->mod[PTX_MOD_MULTICAST]; break;
			case 'z': missing = instr->form->mod[PTX_MOD_HINT] && s && ptx_type_bytes(s->type) == 8; break;
			case 'r':
			case 'c': missing = !ptx_at(p, '('); break;
			default: missing = false; break;
			}
		}
		if (missing)
			*out = (struct ptx_operand){.kind = PTX_NONE, .second = -1};
		else if (!parse_operand(p, instr->form, *letters, out))
			return false;
	}
	return ptx_operands_fit(p, instr);
}
