/* machine/launch/parser.h: what the parsers of arguments share. Inside launch/ only; what they give is in launch.h. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "machine/launch/launch.h"

#define PARSER_DEPTH_MAX 8 /* structs in structs */

struct parser {
	struct arena *arena;
	const char *what, *text, *at;
	struct diag *diag;
	int depth; /* structs that are open: their ';' and ')' end a value, too */
	int members;
	struct launch_pointer *pointers; /* of the argument that is being read */
	int n_pointers, cap_pointers;
};

/* Adds an error at a column of the text; false. */
bool launch_fail(const struct parser *p, const char *at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* True, and past it, when `word` comes next. */
bool launch_accept(struct parser *p, const char *word);
void launch_skip_blanks(struct parser *p);

/* Whether the value ends here. */
bool launch_value_ends(const struct parser *p);
bool launch_expect_end(const struct parser *p, const char *after);

/* Digits of a whole number. */
bool launch_parse_magnitude(struct parser *p, uint64_t *out);

/* A value of any kind: all that an argument is, but its name. In a struct, several values of a type are an array. */
bool launch_parse_value(struct parser *p, struct launch_arg *out);

/* `NAME=` before a buffer; NULL where there is none. */
bool launch_parse_name(struct parser *p, const char **name);

/* struct.c: from what follows '(' on. */
bool launch_parse_struct(struct parser *p, struct launch_arg *out);

/* The name of a function after "fn:", or that of a buffer, as the address that the argument is. */
bool launch_parse_function(struct parser *p, struct launch_arg *out);
bool launch_parse_reference(struct parser *p, struct launch_arg *out);

/* Characters of a name that begins here, 0: none does. */
size_t launch_name_length(const char *at);

/* --- element types ------------------------------------------------------------------------------------------------ */

enum type_kind { TYPE_UNSIGNED, TYPE_SIGNED, TYPE_BITS, TYPE_FLOAT };

struct type_info {
	const char *name;
	enum type_kind kind;
	size_t size; /* bytes */
};
extern const struct type_info launch_type_table[LAUNCH_TYPES];

/* IEEE 754 binary16, rounded to nearest even; past 65519 it is infinity. A NaN is 0x7E00. */
uint16_t launch_half_from_double(double v);

/* --- tensor maps as arguments: tensor.c --------------------------------------------------------------------------- */

/* Whether the text begins as that of a tensor map. */
bool launch_tensor_begins(const char *text);

/* launch_arg_parse of such a text. */
bool launch_tensor_parse(
	struct arena *arena, const char *what, const char *text, struct launch_arg *out, struct diag *diag);

/* --- textures and surfaces as arguments: texture.c ---------------------------------------------------------------- */

/* Whether the text begins as that of a texture or a surface. */
bool launch_texture_begins(const char *text);

/* launch_arg_parse of such a text. */
bool launch_texture_parse(
	struct arena *arena, const char *what, const char *text, struct launch_arg *out, struct diag *diag);
