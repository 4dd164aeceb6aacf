/* front/debug/object.h: what an expression of the source names, in one warp at the instruction where it is: a variable
 * of the debug information, or a part of one; a register; or threadIdx and its like. A value is a lane's.
 *
 * A path is NAME, then any of .MEMBER, ->MEMBER and [INDEX], with stars before it for what a pointer points to. An
 * expression is one of base/expr.h over numbers, whose names are paths: whole numbers of 64 bits, and real ones. */
#pragma once
#include "base/expr.h"
#include "front/debug/debug.h"
#include "front/debug/dwarf.h"

/* Where names are looked for. */
struct debug_at {
	const struct debug *debug;
	uint32_t block, warp;
	int instr;      /* -1: nowhere, and there are no variables */
	uint32_t lanes; /* that are active there */
};

/* The followed warp as it is now. */
struct debug_at debug_at_now(const struct debug *debug);

enum debug_object_kind {
	DEBUG_OBJECT_VARIABLE,
	DEBUG_OBJECT_REGISTER,
	DEBUG_OBJECT_BUILTIN,
	DEBUG_OBJECT_ENUMERATOR,
	DEBUG_OBJECT_WORD
};

struct debug_object {
	enum debug_object_kind kind;
	int type;              /* entry of the debug information; -1: void, or it is no variable */
	int dimension;         /* of an array, so many of whose indices have been given */
	int reg;               /* of debug_program.regs; a built-in's number; an enumerator's entry */
	uint64_t offset, size; /* bytes of the variable */
	const char *lost;      /* why there is no value; NULL: there may be one */
	struct debug_piece pieces[DEBUG_PIECES_MAX];
	int n_pieces;
	bool by_lane; /* it lies at an address of each lane's own */
	uint64_t address[WARP_SIZE];
};

/* A path from `*text` on, which becomes what follows it. False with `*why`, a constant string, at `*text`. */
bool debug_object_find(const struct debug_at *at, const char **text, struct debug_object *out, const char **why);

/* The variables that are seen from there, the innermost first, each name once; those of the file last. Entries of the
 * debug information: at most `cap` of them, and returns how many. */
int debug_variables(const struct debug_at *at, int *out, int cap);
void debug_object_of(const struct debug_at *at, int variable, struct debug_object *out);

/* Its bytes, `n` of them from `from` on. False: there is no value, and `*why` says so. */
bool debug_object_read(const struct debug_at *at, const struct debug_object *o, int lane, uint64_t from, void *out,
	size_t n, const char **why);

/* Whether it is one number; its value, likewise. */
bool debug_object_is_number(const struct debug_at *at, const struct debug_object *o);
bool debug_object_number(
	const struct debug_at *at, const struct debug_object *o, int lane, struct number *out, const char **why);

/* Appends its value in a lane, or why there is none; its type. */
void debug_object_write(const struct debug_at *at, const struct debug_object *o, int lane, struct buf *out);
void debug_object_write_type(const struct debug_at *at, const struct debug_object *o, struct buf *out);

/* Appends what all lanes of `lanes` have: "5 in all lanes", or the values of the first ones. */
void debug_object_write_lanes(const struct debug_at *at, const struct debug_object *o, uint32_t lanes, struct buf *out);

/* How many parts it has; one of them, and what is appended to a path for it. */
uint64_t debug_object_parts(const struct debug_at *at, const struct debug_object *o);
bool debug_object_part(const struct debug_at *at, const struct debug_object *o, uint64_t index,
	struct debug_object *out, struct buf *path);

/* --- expressions -------------------------------------------------------------------------------------------------- */

struct debug_expression;

/* In `arena`; NULL with an error that is at `pos` and names the column. */
const struct debug_expression *debug_expression_parse(
	struct arena *arena, const struct debug_at *at, const char *text, struct diag *diag);
bool debug_expression_number(
	const struct debug_expression *e, const struct debug_at *at, int lane, struct number *out, const char **why);

/* Appends what it is in the lanes: an object's value, or numbers; or why there is none. */
void debug_write_expression(const struct debug_at *at, const char *text, uint32_t lanes, struct buf *out);

/* Its number in each lane, as debug_object_write_lanes does. False with an error. */
bool debug_write_numbers(
	const struct debug_at *at, const char *text, uint32_t lanes, struct buf *out, struct diag *diag);

/* --- changes ------------------------------------------------------------------------------------------------------ */

/* Puts the value of an expression, lane by lane, into what a path names, of these lanes of the followed warp. False
 * with an error. From now on this belongs to the launch: when it is run again, it happens at the same step. Changes of
 * later steps are forgotten. */
bool debug_assign(struct debug *debug, const char *path, const char *value, uint32_t lanes, struct diag *diag);

/* The same for a word of memory, as a whole number or a real one: of shared memory, or local memory of a lane. */
bool debug_assign_word(struct debug *debug, enum mem_space space, uint32_t lane, uint64_t address, const char *value,
	struct diag *diag);

/* The lanes that a change is for: the followed one, or else the active ones. */
uint32_t debug_chosen_lanes(const struct debug *debug);
