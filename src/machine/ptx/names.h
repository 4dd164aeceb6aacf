/* machine/ptx/names.h: names in nested scopes, found by hash. Inside ptx/ only. */
#pragma once
#include "base/arena.h"
#include "base/hash.h"
#include "machine/ptx/program.h"

enum ptx_symbol_kind {
	PTX_SYM_REG,
	PTX_SYM_VECTOR,
	PTX_SYM_RANGE,
	PTX_SYM_VAR,
	PTX_SYM_LABEL,
	PTX_SYM_TARGETS,
	PTX_SYM_KERNEL,
	PTX_SYM_FUNC,
	PTX_SYM_PROTOTYPE,
};

struct ptx_targets; /* a .branchtargets list */

struct ptx_symbol {
	const char *name; /* in the text, `len` bytes */
	size_t len;
	enum ptx_symbol_kind kind;
	enum ptx_type type; /* REG, VECTOR, RANGE */
	int lanes;          /* of each register of a .v2 or .v4; 1: no vector */
	int index; /* REG, VECTOR: its first register, -1: not yet used; LABEL: instruction; RANGE: how many; PROTOTYPE: in the module */
	struct ptx_var *var; /* VAR */
	struct ptx_targets *targets;
	struct ptx_kernel *function; /* FUNC */
	int depth;                   /* of its scope, 0: the module */
	int line;
	struct hash_link link;
	struct ptx_symbol *next_in_scope;
};

#define PTX_SCOPES_MAX 64

struct ptx_names {
	struct arena *arena;
	struct hash_table by_name;
	struct ptx_symbol *scopes[PTX_SCOPES_MAX];
	int depth;
};

void ptx_names_init(struct ptx_names *names, struct arena *arena);

/* False when scopes are nested too deep. */
bool ptx_names_enter(struct ptx_names *names);
void ptx_names_leave(struct ptx_names *names);

/* The innermost symbol of that name, or NULL. */
struct ptx_symbol *ptx_names_find(const struct ptx_names *names, const char *name, size_t len);

/* Adds a symbol to the scope `depth`, whether or not there is one already. */
struct ptx_symbol *ptx_names_add(
	struct ptx_names *names, int depth, const char *name, size_t len, enum ptx_symbol_kind kind);
