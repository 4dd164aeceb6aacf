/* machine/ptx/operand.h: the parts of the parser that read operands. Inside ptx/ only. Functions return false when they have reported what is
 * wrong, and leave the lexer after what they read. */
#pragma once
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

/* operand_value.c: whether a register of the type may stand there. */
bool ptx_register_fits(const struct operand_spec *spec, enum ptx_type type);

/* The component of a vector of registers that the letter after the dot names, -1: none. */
int ptx_component_ahead(const struct ptx_parser *p, const struct ptx_symbol *vector);

/* The special register of that name, -1: there is none. */
int ptx_find_special(const char *name, size_t len);

/* Whether `sign` stands in front of a name; one in front of a number is a part of the constant. */
bool ptx_at_signed_name(const struct ptx_parser *p, char sign);

/* One operand: a register; what is read; `|p` after what is written, if it is there; what is written, with that. */
bool ptx_parse_register(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out);
bool ptx_parse_source(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out);
bool ptx_parse_second(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out);
bool ptx_parse_destination(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out);

/* operand_vector.c: how many elements the braces hold that the lexer stands in. */
int ptx_count_elements(const struct ptx_parser *p);

/* Elements in braces, always as a vector; or as what stands in them when it is one alone. */
bool ptx_parse_elements(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out);
bool ptx_parse_braces(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out);

/* A special register that is a vector, as %tid, as a whole. False, without report, when it is none. */
bool ptx_parse_special_vector(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out);

/* A register declared .v2 or .v4, as a whole: the same as its components in braces. */
bool ptx_at_whole_vector(struct ptx_parser *p);
bool ptx_parse_whole_vector(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out);

/* As a vector: elements in braces, a whole one, or one alone without braces, which `parse_one` reads. */
typedef bool (*ptx_operand_parser)(struct ptx_parser *p, const struct operand_spec *spec, struct ptx_operand *out);
bool ptx_parse_lanes(
	struct ptx_parser *p, const struct operand_spec *spec, ptx_operand_parser parse_one, struct ptx_operand *out);

/* operand_address.c: after a NAME, [n], whose offset in bytes it is. */
bool ptx_parse_index(struct ptx_parser *p, const struct ptx_var *var, int64_t *offset);

/* An address in brackets; with coordinates behind it: [map, {x, y}]. */
bool ptx_parse_address(struct ptx_parser *p, const struct ptx_form *form, struct ptx_operand *out);
bool ptx_parse_tensor_address(struct ptx_parser *p, const struct ptx_form *form, struct ptx_operand *out);
bool ptx_parse_tensor_offsets(struct ptx_parser *p, const struct ptx_form *form, struct ptx_operand *out);
