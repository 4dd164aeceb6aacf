/* front/debug/line.h: a line of the prompt's language as its commands take it. Inside debug/ only. */
#pragma once
#include "front/debug/private.h"

#define WORDS_MAX 12

struct debug_line {
	struct debug *debug;
	struct diag *diag;
	struct diag_pos at; /* of the line's first character */
	const char *text;
	char *word[WORDS_MAX]; /* the command's name is the first */
	size_t offset[WORDS_MAX];
	int n;
	char copy[DEBUG_PROMPT_MAX];
};

/* False, with the error at word `index`, or after the last one. */
bool debug_line_fault(struct debug_line *line, int index, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* What a number counts, and the least and greatest there is. */
struct debug_range {
	const char *what;
	uint64_t low, high;
};

/* The word as a number of the range. */
bool debug_line_number(struct debug_line *line, int index, struct debug_range range, uint64_t *out);

/* No more words than so many. */
bool debug_line_only(struct debug_line *line, int words);

/* The second word as one of `n` names; false with an error that lists them. */
bool debug_line_choose(struct debug_line *line, const char *const *names, int n, int *out);

/* inspect.c: the commands that look at registers and memory */
bool debug_do_print(struct debug_line *line);
bool debug_do_variables(struct debug_line *line);
bool debug_do_set(struct debug_line *line);
bool debug_do_changes(struct debug_line *line);
bool debug_do_undo(struct debug_line *line);
bool debug_do_display(struct debug_line *line);
bool debug_do_undisplay(struct debug_line *line);
bool debug_do_format(struct debug_line *line);
bool debug_do_examine(struct debug_line *line);
