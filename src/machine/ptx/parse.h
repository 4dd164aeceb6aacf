/* machine/ptx/parse.h: what the parts of the parser share. Inside ptx/ only.
 *
 * parse.c reads the module, location.c .loc and .file, body.c the bodies of kernels and functions, decl.c variables and
 * registers, operand.c the operands of an instruction, constant.c and symbol.c their parts; tokens.c has the functions
 * by which all of them read. A function that returns false has reported the fault; the caller skips and goes on. */
#pragma once
#include "base/diag.h"
#include "base/hash.h"
#include "machine/ptx/instr.h"
#include "machine/ptx/lex.h"

/* --- names in nested scopes, found by hash: symbol.c -------------------------------------------------------------- */

/* A .branchtargets list. */
struct ptx_targets {
	struct ptx_operand *labels;
	int n;
};

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

struct ptx_symbol {
	const char *name; /* in the text, `len` bytes */
	size_t len;
	enum ptx_symbol_kind kind;
	enum ptx_type type; /* REG, VECTOR, RANGE */
	int lanes;          /* of each register of a .v2 or .v4; 1: no vector */
	/* REG, VECTOR: its first register, -1: not yet used; LABEL: instruction; RANGE: how many; PROTOTYPE: in the
	 * module */
	int index;
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

/* --- the parser --------------------------------------------------------------------------------------------------- */

/* A label as used, until its scope ends and says where it is. */
struct ptx_pending {
	struct ptx_operand *operand;
	const char *name;
	size_t len;
	int depth, line, col;
};

struct ptx_parser {
	struct arena *arena;
	struct diag *diag;
	size_t errors_before;
	struct ptx_lexer lexer;
	struct ptx_token tok;
	struct ptx_names names;
	struct ptx_forms forms;
	struct ptx_module *module;
	struct ptx_kernel *kernel;     /* being read, or NULL */
	int mark;                      /* counts kernels; ptx_var.mark says which one used a variable last */
	const struct ptx_instr *instr; /* being read: its place and guard */
	int loc;                       /* in force, -1: none */
	bool keeps_loop;               /* .pragma "nounroll" stands before the next instruction */
	struct hash_table positions;   /* of .loc; location.c */
	struct ptx_pending *pending;
	size_t n_pending;
	uint64_t init_bytes; /* taken by initial values so far */
	uint64_t n_targets;  /* of brx.idx so far */
	struct {
		size_t instrs, regs, uses, params, pending, locs, files, kernels, vars, functions, prototypes, labels,
			sections;
	} cap;
};

#define PTX_FAULTS_MAX 50               /* parsing stops after so many */
#define PTX_TEXT_MAX ((size_t)64 << 20) /* a parsed text takes up to fifty times its size */
#define PTX_DIMS_MAX 8                  /* of an array */
#define PTX_VAR_MAX ((uint64_t)1 << 30)
#define PTX_REGS_MAX (1 << 20)
#define PTX_INIT_MAX ((uint64_t)64 << 20) /* bytes of initial values of all variables together */
#define PTX_TARGETS_MAX (1u << 20)        /* labels that all brx.idx can go to, together */

void ptx_fault(struct ptx_parser *p, const struct ptx_token *where, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void ptx_fault_at(struct ptx_parser *p, int line, int col, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* How many characters of a name a message shows. */
static inline int ptx_shown(size_t len)
{
	return (int)(len > 60 ? 60 : len);
}

/* True after PTX_FAULTS_MAX faults. */
bool ptx_given_up(const struct ptx_parser *p);

static inline bool ptx_at(const struct ptx_parser *p, char punct)
{
	return p->tok.kind == PTX_TOK_PUNCT && p->tok.punct == punct;
}

bool ptx_at_name(const struct ptx_parser *p, const char *word);
bool ptx_at_dot(const struct ptx_parser *p, const char *word);
void ptx_next(struct ptx_parser *p);

/* Takes the token if it is `punct`; ptx_expect reports when it is not. */
bool ptx_take(struct ptx_parser *p, char punct);
bool ptx_take_dot(struct ptx_parser *p, const char *word);
bool ptx_expect(struct ptx_parser *p, char punct);

/* Reports that the token is not what was `wanted`. */
void ptx_unexpected(struct ptx_parser *p, const char *wanted);

/* Skips to after the next `;`, or to a `}` or the end. */
void ptx_skip_statement(struct ptx_parser *p);

/* An integer constant, with sign; false with a report when there is none. */
bool ptx_parse_int(struct ptx_parser *p, int64_t *value);

/* --- modules, declarations, calls --------------------------------------------------------------------------------- */

/* location.c: after the directive was read; bodies may have it, too. */
bool ptx_parse_loc(struct ptx_parser *p);
bool ptx_parse_file(struct ptx_parser *p);

/* Makes files and frames of a module that has been read. */
void ptx_resolve_locs(struct ptx_module *module);

/* body.c: the statements of p->kernel, from after the opening brace to the closing one. */
void ptx_parse_body(struct ptx_parser *p);

/* decl.c: after the state space word was seen. */
bool ptx_parse_reg(struct ptx_parser *p);
bool ptx_parse_var(struct ptx_parser *p, enum mem_space space, bool is_extern);

/* init.c: what stands after the `=` of a variable, whose array has `n` dimensions. */
bool ptx_parse_init(struct ptx_parser *p, struct ptx_var *var, const uint64_t *dims, int n);

/* One parameter of an entry, up to the comma or parenthesis. */
bool ptx_parse_param(struct ptx_parser *p);

/* Names what the signature of p->kernel, a function, has in the scope of its body. */
void ptx_declare_formals(struct ptx_parser *p);

/* One parameter or result of a function or a prototype; `lanes` says how many of the same follow. */
bool ptx_parse_formal(struct ptx_parser *p, struct ptx_formal *out);

/* call.c: a list of parameters or results in parentheses, or nothing. */
bool ptx_parse_formals(struct ptx_parser *p, struct ptx_formal **formals, int *n);

/* Gives p->kernel, a function as its head says, its name; when it was declared before and has a body now, p->kernel is
 * what was declared. */
bool ptx_declare_function(struct ptx_parser *p, const struct ptx_token *name);

/* After the directive was read. */
bool ptx_parse_alias(struct ptx_parser *p);
bool ptx_parse_callprototype(struct ptx_parser *p, const struct ptx_token *label);
bool ptx_parse_calltargets(struct ptx_parser *p, const struct ptx_token *label);

/* The operands that only call has, and whether together they fit what is called. */
bool ptx_parse_call_operand(struct ptx_parser *p, char letter, struct ptx_operand *out);
bool ptx_call_fits(struct ptx_parser *p, const struct ptx_instr *call);

/* constant.c: a constant expression, a whole number. */
bool ptx_parse_whole(struct ptx_parser *p, int64_t *value);

/* A constant expression as the bits of a `type`; false with a report when it is none or of another kind. */
bool ptx_parse_constant(struct ptx_parser *p, enum ptx_type type, struct ptx_operand *out);

/* --- instructions ------------------------------------------------------------------------------------------------- */

/* texture.c: ptx_form_lacks of instructions on textures and surfaces. */
const char *ptx_texture_lacks(const struct ptx_form *form);

/* Whether it is written with .b128. */
bool ptx_is_of_128(const struct ptx_form *form);

/* operand.c: the operands of the form's row, up to the semicolon. */
bool ptx_parse_operands(struct ptx_parser *p, struct ptx_instr *instr);

/* `lanes` sources of the type, registers or constants, in braces, or a register that is a vector; one alone may stand
 * without braces. */
bool ptx_parse_vector(struct ptx_parser *p, enum ptx_type type, uint32_t lanes, struct ptx_operand *out);

/* texture.c: the operands that only instructions on textures and surfaces have, by their letters; whether a letter is
 * that of one; and the initial value of an opaque variable. */
bool ptx_parse_texture_operand(struct ptx_parser *p, const struct ptx_form *form, char letter, struct ptx_operand *out);
bool ptx_is_texture_letter(char letter);
bool ptx_parse_opaque_init(struct ptx_parser *p, struct ptx_var *var);

/* insert.c, where operands are floats in wider registers, or four words in the place of two: the first makes them what
 * the instruction takes; the second, after the instruction, makes its result what it was to be. */
void ptx_insert_parts(struct ptx_parser *p, struct ptx_instr *instr);
void ptx_insert_result(struct ptx_parser *p, const struct ptx_instr *instr, const struct ptx_operand *result);

/* Makes `variable`, an array, a register with the address of the element whose number is in a register of 32 or 64
 * bits. */
void ptx_insert_element(struct ptx_parser *p, struct ptx_operand *variable, int32_t index);

/* Makes `operand`, a register, that register plus a number; that predicate negated. */
void ptx_insert_sum(struct ptx_parser *p, struct ptx_operand *operand, int64_t addend);
void ptx_insert_not(struct ptx_parser *p, struct ptx_operand *operand);

/* rules.c: what the letters of a row cannot say; false with a report. */
bool ptx_operands_fit(struct ptx_parser *p, const struct ptx_instr *instr);

/* symbol.c: a predicate register's name. */
bool ptx_parse_pred(struct ptx_parser *p, int32_t *reg);

/* The symbol of a name: a register of a range becomes one when it is first used. NULL when there is none. */
struct ptx_symbol *ptx_find_symbol(struct ptx_parser *p, const char *name, size_t len);

/* The kernel's use of a variable. */
int ptx_use_var(struct ptx_parser *p, struct ptx_var *var);

/* --- what has been read ------------------------------------------------------------------------------------------- */

/* cfg.c: blocks, post-dominators, and ptx_instr.reconverge of the branches. False when that takes too long. */
bool ptx_build_cfg(struct arena *arena, struct ptx_kernel *kernel);

/* module.c: the frame of a thread, and the places of an entry's parameters. */
void ptx_layout(struct ptx_kernel *kernel);
