/* cmd/lesson_new.h: the beginning of a lesson, written to a new folder. */
#pragma once
#include "cmd/confined.h"

extern const struct cmd_entry cmd_lesson_entry;

/* `args` are those after the word new. What they do not say is asked for where a person is at a terminal and gave no option. An exit
 * status. */
int cmd_lesson_new(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

/* What that needs of the system. */
void cmd_lesson_new_needs(struct cmd_needs *needs, const struct cmd_parsed *args, int n);
