/* cmd/spelling.h: whether the prose of a lesson is spelled correctly, by hunspell and its American dictionary where
 * they are installed.
 *
 * The words of the field and of our own are in lessons/words.txt, one per line. Code is not prose: text between
 * backquotes and in fenced blocks is not checked. */
#pragma once
#include "cmd/cmd.h"
#include "course/lesson/lesson.h"

/* Why no spelling is checked here, a constant sentence; NULL: it is. */
const char *spelling_absence(struct cmd_ctx *ctx);

/* Adds an error for each word of the lesson that the dictionary does not have, with its step. */
void spelling_check(struct cmd_ctx *ctx, const struct lesson *lesson);

/* The path of hunspell; NULL: there is none. */
const char *spelling_find(struct cmd_ctx *ctx);
