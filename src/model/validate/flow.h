/* model/validate/flow.h: random control flow in CUDA C++: kernels of branches, loops, switches, gotos, calls, early
 * ends and everything that threads do together, whose results are known without running them.
 *
 * A program is a tree. The reference (flow_reference.c) interprets it, all threads of a block in lockstep by the tree's
 * structure: so it knows at every point which lanes are there, which is what masks of *_sync must name, and whether a
 * barrier is reached by all threads that have not ended. What the compilers make of it may run in any order that the
 * rules since Volta permit; the results are the same.
 *
 * A mask is written in one of four ways, by what the reference finds true of every execution: as a constant, as a
 * constant that also names lanes that have ended or never were, as what __ballot_sync returned before the branch, or as
 * the thread's next number in a table that is an argument of the kernel. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "machine/launch/launch.h"

#define FLOW_FORMAT 2 /* of the programs: another one where the same seed makes another program */
#define FLOW_NODES_MAX 160
#define FLOW_EXPRS_MAX 1200
#define FLOW_FUNCTIONS_MAX 3
#define FLOW_LISTS 4
#define FLOW_WARPS_MAX 4
#define FLOW_VARIABLES 4
#define FLOW_UNIFORMS 2 /* variables that are the same in all threads of a block */
#define FLOW_NONE (-1)

enum flow_op {
	FLOW_CONSTANT,
	FLOW_VARIABLE,
	FLOW_UNIFORM,
	FLOW_COUNTER, /* `value`: the loop's node */
	FLOW_LANE,
	FLOW_THREAD,
	FLOW_WARP,
	FLOW_BLOCK,
	FLOW_DEPTH, /* calls that may follow, of a function */
	FLOW_ADD,
	FLOW_SUB,
	FLOW_MUL,
	FLOW_AND,
	FLOW_XOR,
	FLOW_SHIFT,
	FLOW_LESS,
	FLOW_EQUAL,
};

struct flow_expr {
	enum flow_op op;
	uint32_t value;
	int a, b;
};

/* KIND(id, name): `name` for a table of what there was */
#define FLOW_KINDS(KIND)                                                                                               \
	KIND(ASSIGN, "assignments")                                                                                    \
	KIND(IF, "branches")                                                                                           \
	KIND(FOR, "for loops")                                                                                         \
	KIND(WHILE, "while loops")                                                                                     \
	KIND(DO, "do loops")                                                                                           \
	KIND(AGAIN, "jumps back")                                                                                      \
	KIND(SWITCH, "switches")                                                                                       \
	KIND(BREAK, "breaks")                                                                                          \
	KIND(CONTINUE, "continues")                                                                                    \
	KIND(RETURN, "early returns")                                                                                  \
	KIND(EXIT, "exits")                                                                                            \
	KIND(LABEL, "labels")                                                                                          \
	KIND(GOTO, "jumps out")                                                                                        \
	KIND(INTO_IF, "jumps into a branch")                                                                           \
	KIND(INTO_LOOP, "jumps into a loop")                                                                           \
	KIND(CROSS, "jumps across a branch")                                                                           \
	KIND(CALL, "calls")                                                                                            \
	KIND(POINTER, "calls by pointer")                                                                              \
	KIND(BARRIER, "barriers")                                                                                      \
	KIND(COUNT, "barriers that count")                                                                             \
	KIND(EXCHANGE, "exchanges of a block")                                                                         \
	KIND(SYNC, "warp barriers")                                                                                    \
	KIND(SHUFFLE, "shuffles")                                                                                      \
	KIND(BALLOT, "ballots")                                                                                        \
	KIND(VOTE, "votes")                                                                                            \
	KIND(MATCH, "matches")                                                                                         \
	KIND(REDUCE, "reductions")                                                                                     \
	KIND(PASS, "exchanges of a warp")                                                                              \
	KIND(SPLIT, "warp barriers in two branches")

enum flow_kind {
#define FLOW_KIND_ID(id, name) FLOW_##id,
	FLOW_KINDS(FLOW_KIND_ID)
#undef FLOW_KIND_ID
		FLOW_KINDS_N
};

enum flow_mask { FLOW_MASK_TABLE, FLOW_MASK_CONSTANT, FLOW_MASK_ENDED, FLOW_MASK_TRACKED };

struct flow_node {
	enum flow_kind kind;
	int next;              /* of its list; FLOW_NONE: the last */
	int lists[FLOW_LISTS]; /* the first of each list inside; FLOW_NONE: empty */
	int exprs[2];
	int variable;
	uint32_t
		number; /* which of its kind: an operation, a distance, which cases fall through, the node of a label */
	int functions[2]; /* that are called */
	bool tracked;     /* of a branch: a ballot before it gives the mask of each side */
	int inside;       /* the branch with `tracked` around it, in the same function; FLOW_NONE */
	int owner;        /* the function that it is in; FLOW_NONE: the kernel */
	/* by the reference */
	bool reached, constant, ended, followed, direct;
	uint32_t first, all; /* masks: of the first execution, of any */
	enum flow_mask mask;
};

struct flow_function {
	int body;
	bool block; /* all threads of a block call it together */
};

struct flow_program {
	uint64_t seed;
	struct flow_node nodes[FLOW_NODES_MAX];
	int n_nodes;
	struct flow_expr exprs[FLOW_EXPRS_MAX];
	int n_exprs;
	struct flow_function functions[FLOW_FUNCTIONS_MAX];
	int n_functions, body;
	uint32_t blocks, threads; /* of a block */
	/* by the reference */
	uint32_t *expected; /* of each thread */
	uint32_t *table;    /* row after row, a mask of each thread */
	uint32_t rows;
	uint64_t work; /* executions of a node by a warp */
};

/* The same program for the same seed, with what the reference knows of it. In `arena`. */
struct flow_program *validate_flow_generate(struct arena *arena, uint64_t seed);

/* Interprets the program and chooses how masks are written. False when it is none that may be run: a barrier that not
 * all threads reach, or far too much work. */
bool validate_flow_interpret(struct arena *arena, struct flow_program *flow);

/* The smaller programs that can be made of one by a single cut, numbered from 0; NULL for a number past them, or for
 * one that may not be run, which `*ended` tells apart. In `arena`. */
struct flow_program *validate_flow_cut(struct arena *arena, const struct flow_program *flow, int number, bool *ended);

/* Its nodes that are in the program. */
int validate_flow_size(const struct flow_program *flow);

/* Adds how often the program has each kind, once for each node. */
void validate_flow_count(const struct flow_program *flow, uint64_t counts[FLOW_KINDS_N]);
const char *validate_flow_kind_name(enum flow_kind kind);

/* What a file begins with; the functions and the kernel, which is called `name`: (unsigned *results, const unsigned
 * *table). */
void validate_flow_write_head(struct buf *out);
void validate_flow_write(const struct flow_program *flow, const char *name, struct buf *out);

/* Its launch: arguments 0 the results, 1 the table. */
void validate_flow_launch(
	struct arena *arena, const struct flow_program *flow, const char *kernel, struct launch *launch);
