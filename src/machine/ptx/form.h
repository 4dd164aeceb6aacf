/* machine/ptx/form.h: opcodes as written -> rows of the instruction table. Inside ptx/ and validate/ only. */
#pragma once
#include "base/arena.h"
#include "base/hash.h"
#include "machine/ptx/tables.h"

struct ptx_forms {
	struct arena *arena;
	struct hash_table by_spelling;
};

void ptx_forms_init(struct ptx_forms *forms, struct arena *arena);

/* The form of the opcode `text`; the same pointer for the same text. Never NULL: an opcode that the table does not have
 * gets op PTX_OP_UNSUPPORTED. */
const struct ptx_form *ptx_forms_find(struct ptx_forms *forms, const char *text, size_t len);

/* Whether it is written with .b128. */
bool ptx_is_of_128(const struct ptx_form *form);

/* legal.c: what a form must have, or must not, beyond what its row says; NULL: it is one. */
const char *ptx_form_lacks(const struct ptx_form *form);

/* texture.c: the same of instructions on textures and surfaces. */
const char *ptx_texture_lacks(const struct ptx_form *form);

/* legal_async.c: the same of clusters, mbarriers and bulk copies alone. */
const char *ptx_async_lacks(const struct ptx_form *form);
