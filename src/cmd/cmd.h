/* cmd/cmd.h: subcommands, one file and one table row each. Usage, help and the man page's synopsis come from the
 * rows. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/paths.h"
#include "front/canvas/theme.h"
#include "front/tutor/settings.h"

/* An option of a command. `letter` 0: none. `arg` NULL: it takes none; else its name in the help. Where that is long,
 * it has of a long `help` only what comes before the first period or semicolon, which must do by itself. */
struct cmd_option {
	const char *name;
	char letter;
	const char *arg, *help;
};

/* Options by what they are for. */
struct cmd_group {
	const char *title, *options; /* their names, with blanks between */
};

/* A command line, without "simttutor", and a line of what it prints, or how that begins. tests/examples.sh runs it in a
 * folder with the files of tests/examples. */
struct cmd_example {
	const char *line, *prints;
};

struct cmd_parsed {
	const struct cmd_option *option; /* NULL: a plain argument */
	const char *value;               /* of an option with argument; the plain argument itself */
};

struct cmd_ctx {
	struct arena *arena; /* lives as long as the command */
	struct paths paths;
	struct diag diag;       /* printed to stderr when the command returns */
	const char *gpu;        /* --gpu, all that were given and what pools stand for, or NULL when it was not */
	const char *usual_gpu;  /* where to measure without it: what the settings say */
	const char *theme_name; /* --theme, or NULL */
	/* that, or the one of SIMTTUTOR_THEME, or of the settings; CANVAS_THEMES: what suits the output */
	enum canvas_theme theme;
	struct tutor_settings settings; /* of the reader's file, with those options that change them for this time */
	bool color;                     /* stdout takes colors: a terminal, NO_COLOR, CLICOLOR_FORCE considered */
	bool ascii;                     /* the locale has no UTF-8, or the settings say so */
	bool printed;                   /* something was written to standard output */
	bool as_nvcc;                   /* it is called by that name, with no command */
};

struct cmd_needs;

struct cmd_entry {
	const char *name;
	const char *usage;                /* arguments, as in the synopsis */
	const char *summary;              /* one line, no full stop */
	const char *details;              /* paragraphs for --help and the man page; "" when there is no more to say */
	const struct cmd_option *options; /* ends in {0}; may be NULL */
	/* For commands whose help is long: it begins with the examples, has the options of these groups, and no
	 * details. Options that are in no group are rare, and in the manual page alone. Both end in {0}; NULL: none. */
	const struct cmd_example *examples;
	const struct cmd_group *groups;
	/* Not NULL: it reads its words itself, all of them plain arguments here but --help; gives its options, line by
	 * line. */
	const char *(*verbatim)(void);
	/* `args` are the options and arguments in order as given, `n` of them. Returns an exit status. */
	int (*run)(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);
	bool has_course; /* it has --course, and its plain arguments are no lessons */
	/* its plain arguments name lessons, also by their folders, and it has --course: cmd/course.h */
	bool of_course;
	/* Adds what the command needs of the system, see confined.h; NULL: it is not confined. */
	void (*needs)(struct cmd_needs *needs, const struct cmd_parsed *args, int n);
	/* What is begun before the command is confined, and also where it is not; NULL: nothing. */
	void (*begin)(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);
};

/* What the compilers of tools/compile work with: this context's arena, messages and paths. */
struct compile_ctx;
const struct compile_ctx *cmd_compile_ctx(struct cmd_ctx *ctx);

/* All commands, ends in NULL. */
extern const struct cmd_entry *const cmd_table[];

/* Runs the command named by argv[1] (none: learn). The one thing main calls. */
int cmd_main(int argc, char **argv);

/* Adds a usage error naming the command. Returns EXIT_USAGE. */
int cmd_usage(struct cmd_ctx *ctx, const struct cmd_entry *entry, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Adds the error that `value`, given with `option` ("--width"), is not what was `expected`. Returns false. */
bool cmd_bad_value(struct cmd_ctx *ctx, const char *option, const char *value, const char *expected);

/* Reads the value of an option as a whole number, also a hexadecimal one, from `least` to `most`. False with an
 * error. */
bool cmd_whole(struct cmd_ctx *ctx, const struct cmd_parsed *arg, uint64_t least, uint64_t most, uint64_t *out);

/* Whether there is a terminal to draw on and to read keys from. */
bool cmd_has_terminal(void);

/* Everything that is printed goes through these functions: tests/house.sh sees that nothing else writes to standard
 * output or standard error. Text is shown as base/utf8.h says, so that what others wrote in it controls no terminal.
 *
 * Writes all of `text` to standard output; false with an error when that fails (full disk, closed pipe). */
bool cmd_print(struct cmd_ctx *ctx, const struct buf *text);

/* Like cmd_print, with the colors of pictures (front/canvas/ansi.c). What others wrote must have gone through a canvas
 * or picture_text. */
bool cmd_print_colored(struct cmd_ctx *ctx, const struct buf *text);

/* Like cmd_print, with every byte as it is: for what a kernel printed, where it is wanted so. */
bool cmd_print_raw(struct cmd_ctx *ctx, const struct buf *bytes);

/* Writes the messages of `ctx` to standard error and empties their list. */
void cmd_print_messages(struct cmd_ctx *ctx);

/* Writes what a program that was started said to standard error. */
void cmd_print_log(const struct buf *log);

/* Writes over the line of standard error, a terminal, that was last written so; "" takes it away. */
void cmd_print_progress(const char *text);

/* All rows of the terminal at standard error scroll again, and what is below the cursor is gone: after a program that
 * was ended while it had a line there (runtime/report/report_long.c). */
void cmd_print_all_rows(void);

/* Options that every command takes (--gpu, --help); ends in {0}. */
extern const struct cmd_option cmd_global_options[];

/* The whole help, and the help of one command. */
void cmd_help_all(struct buf *out);
void cmd_help_one(const struct cmd_entry *entry, struct buf *out);

/* A section of a man page in mdoc, made from the tables: "commands", "keys", "views". False: no such section. */
bool cmd_help_man(const char *section, struct buf *out);

/* Where a command measures that needs no --gpu for that: there, or where the settings say. */
const char *cmd_gpu(const struct cmd_ctx *ctx);

/* The worker lets its GPU go as --gpu-idle and the settings say. */
struct gpu;
void cmd_set_rest(const struct cmd_ctx *ctx, struct gpu *gpu);

/* Reads "COLSxROWS" (20..1000 by 5..1000). False with an error. */
bool cmd_size(struct cmd_ctx *ctx, const char *text, int *cols, int *rows);

/* Reads a compute capability, "9.0" or "90", 5.0 to 19.9, as 90. False with an error that names --cc. */
bool cmd_cc(struct cmd_ctx *ctx, const char *text, int *cc);

/* True when `parsed` is the option called `name`. */
bool cmd_is(const struct cmd_parsed *parsed, const char *name);

/* --- files that the user names to be written. --- */

struct output {
	const char *option; /* that named it, for messages: "--output" */
	const char *path;
	const char *mark; /* how all files begin that this command writes */
	bool force;       /* whatever is there is overwritten */
};

/* Whether writing there destroys nothing: nothing is there, an empty file, one of the command's own, or what keeps
 * nothing, as a FIFO. False with an error that names --force. Before the work is begun whose result is to be written;
 * it also removes what interrupted writes left in the folder. */
bool output_check(struct cmd_ctx *ctx, const struct output *output);

/* Checks again, and writes. */
bool output_write(struct cmd_ctx *ctx, const struct output *output, const struct buf *text);
