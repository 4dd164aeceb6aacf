/* front/tutor/playground.h: a session in which the reader tries things: the index expression of one access of a warp,
 * or a small kernel that is edited in place. It is one of an explored kernel (front/tutor/tutor.h), made anew when what
 * is typed means something else: an expression at once, a kernel when its file was written and compiled, in the
 * background.
 *
 * The reader types, or looks at what came of it: then keys are those of explored kernels. Expressions and the kernel
 * are kept in files of the reader's. How the launches are made is the caller's. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "front/tutor/tutor.h"

/* --- edit.c: a text that is typed and changed in place: one line, or many. Pure: no terminal, no file.
 *
 * The text is UTF-8; what was in it stays as it is, and only what can be shown is typed into it. Places are bytes; the
 * cursor stands before a character, never between one and what combines with it. Columns are those of a terminal, from
 * 0. */
#define TUTOR_EDIT_TAB 4 /* columns from one tab stop to the next */

struct tutor_edit_change;

/* All zero at first, but for the first two. */
struct tutor_edit {
	bool one_line; /* no line end can be typed */
	size_t most;   /* bytes that it may have */

	struct buf text;
	size_t at;        /* the cursor */
	int wanted;       /* one more than the column that the cursor goes back to in a longer line; 0: its own */
	unsigned changes; /* how often the text has changed */

	struct tutor_edit_change *done; /* the first `n_done` of `n_made` are; the others were taken back */
	int n_done, n_made, cap;
	bool joins; /* the next character belongs to the last change */
};

/* Puts this text in, the cursor at its end or, of many lines, at its beginning; there is nothing to take back. */
void tutor_edit_set(struct tutor_edit *edit, const char *text, size_t len);
void tutor_edit_free(struct tutor_edit *edit);

/* Types what can be shown of it, tabs and line ends. False when nothing of it was, or there is no more room. */
bool tutor_edit_type(struct tutor_edit *edit, const char *text, size_t len);
/* The character before the cursor goes; the one at it. */
void tutor_edit_rub_out(struct tutor_edit *edit);
void tutor_edit_delete(struct tutor_edit *edit);
/* Takes the last change back; makes the one that was taken back again. False: there is none. */
bool tutor_edit_undo(struct tutor_edit *edit);
bool tutor_edit_redo(struct tutor_edit *edit);

/* By one character; to the line's first or last place; by so many lines, in the same column as far as there is one. */
void tutor_edit_left(struct tutor_edit *edit);
void tutor_edit_right(struct tutor_edit *edit);
void tutor_edit_home(struct tutor_edit *edit);
void tutor_edit_end(struct tutor_edit *edit);
void tutor_edit_lines(struct tutor_edit *edit, int by);
/* To a line, from 0, and the character in it that has the column; to the nearest there is. */
void tutor_edit_go(struct tutor_edit *edit, int line, int column);

/* Where the cursor is; how many lines there are, at least 1. */
int tutor_edit_line(const struct tutor_edit *edit);
int tutor_edit_column(const struct tutor_edit *edit);
int tutor_edit_count(const struct tutor_edit *edit);

/* A line, from 0, without its end: `*len` bytes, which are not terminated. NULL: there is none. */
const char *tutor_edit_text_of(const struct tutor_edit *edit, int line, size_t *len);

/* Columns from `column` on that the first character of `text` takes; `*bytes`: how many it has, with what combines with
 * it. */
int tutor_edit_width(const char *text, size_t len, int column, size_t *bytes);

/* --- playground.c */
#define TUTOR_PLAYGROUND_EXPR_MAX 160 /* bytes of an expression */
#define TUTOR_PLAYGROUND_KEPT_MAX 200 /* expressions that are kept */
#define TUTOR_PLAYGROUND_SOURCE_MAX ((size_t)256 << 10)

enum tutor_playground_kind { PLAYGROUND_ACCESS, PLAYGROUND_KERNEL };

/* What arrows change of an access, besides its expression. */
enum tutor_playground_field { PLAYGROUND_EXPR, PLAYGROUND_SPACE, PLAYGROUND_OP, PLAYGROUND_WIDTH, PLAYGROUND_FIELDS };

/* An access that was tried. */
struct tutor_playground_tried {
	enum mem_space space;
	enum access_op op;
	uint8_t width;
	char text[TUTOR_PLAYGROUND_EXPR_MAX + 1];
};

struct tutor_playground_by {
	void *ctx;
	const char *history;     /* the file of expressions */
	const char *path;        /* the kernel's; CUDA or PTX by its ending */
	const char *begins_with; /* what that file has at first */
	struct tutor_compiler compiler;
	int cc;
	uint64_t steps; /* warp instructions of a run */
	/* The widths in bytes that an op has, as bits, as far as there is a kernel for it; 0: none. */
	uint32_t (*widths)(enum mem_space space, enum access_op op);
	/* Sets addresses and lanes of an access whose space, op and width are set. False with an error in the text. */
	bool (*read)(void *ctx, struct arena *arena, const char *text, struct warp_access *access, struct diag *diag);
	/* What the hardware does with it, in sentences. */
	void (*explain)(void *ctx, const struct warp_access *access, struct buf *out);
	/* The lessons that show it, or the compiled kernel, each with one step. NULL with an error. */
	struct lesson *(*access)(
		void *ctx, struct arena *arena, const struct warp_access *access, const char *text, struct diag *diag);
	struct lesson *(*kernel)(void *ctx, struct arena *arena, const struct buf *ptx, struct diag *diag);
};

/* Where something is wrong with what was typed; column from 0, -1: nowhere in particular. */
struct tutor_playground_fault {
	char text[400]; /* "": nothing is */
	int line, column;
};

struct tutor_playground {
	struct tutor_playground_by by;
	enum tutor_playground_kind kind;
	bool typing;                         /* else the reader looks at it */
	bool left;                           /* the reader goes back to where they came from */
	struct tutor_playground_fault fault; /* of the expression, or of the kernel */

	struct tutor_edit expr;
	enum tutor_playground_field field;
	struct warp_access access; /* that is shown */
	struct buf explained;      /* what is said of it */
	struct tutor_playground_tried *tried;
	int n_tried, at_tried; /* at: which one was brought back; n_tried: none was */

	struct tutor_edit source;
	bool has_kernel;        /* one is shown: it could be compiled, once */
	bool seen_kernel;       /* it was shown, at first in the view that suits it */
	bool loaded;            /* the file was read */
	unsigned written, seen; /* source.changes, in the file and when it was looked at last */
	double changed_at;      /* clock_ms */
};

/* The first access is the one tried last, else this one. NULL with an error. */
struct tutor *tutor_playground_new(const struct tutor_playground_by *by, const struct tutor_playground_tried *first,
	const char *gpu_spec, const char *worker, struct diag *diag);

/* What the reader types, a character or more. */
void tutor_playground_type(struct tutor *tutor, const char *text);

/* Inserts what was pasted, all of it or nothing; typing begins where the reader only looked. */
void tutor_playground_paste(struct tutor *tutor, const char *text);

/* Moves the cursor of a kernel by so many lines. */
void tutor_playground_lines(struct tutor *tutor, int by);

/* Turns to an expression, or to the kernel. */
void tutor_playground_turn(struct tutor *tutor, enum tutor_playground_kind kind);

/* Tries this access; false: its expression is faulty, which the fault says, and the one before is shown. */
bool tutor_playground_try(struct tutor *tutor, const struct tutor_playground_tried *access);

/* Changes what the field has to the value after, or before. */
void tutor_playground_change(struct tutor *tutor, int by);

/* Keeps what is typed: the expression among those tried, the kernel in its file. */
bool tutor_playground_keep(struct tutor *tutor, struct diag *diag);

/* What was typed of a kernel is written when the keys have been still; true: the screen is to be drawn. To be called
 * again within so many ms, -1: no need. */
bool tutor_playground_step(struct tutor *tutor);
int tutor_playground_timeout_ms(const struct tutor *tutor);
