/* cmd/headers.h: the headers that programs include by name from folders beside their own, as the examples of a book do
 * with "../common/book.h". Compilers may read them once the reader has agreed to run programs: a question, which lists
 * the folders.
 *
 * They are found before we are confined. Who reads the sources, which strangers wrote, is a process that can read
 * nothing else and hands over names. Of what is found, single files are allowed: those that are called as headers,
 * are not hidden, and do not lie, seen from the source, beyond a folder that is above the reader's home, or the
 * root. */
#pragma once
#include "cmd/confined.h"
#include "tools/compile/build.h"

/* Finds them for what is built, asks where that was not agreed to yet, and adds them to what may be read, here and by
 * compilers. */
void program_headers_find(struct cmd_needs *needs, struct build_request *request);

/* Adds those that were found, and may be read, to a request for the same program. */
void program_headers_use(struct build_request *request);

/* Adds the note that some may not be read, and how to say that they may: `option` names a folder. Nothing when there
 * are none. */
void program_headers_explain(struct cmd_ctx *ctx, const char *option);

/* Whether the question was asked, and the answer was no. */
bool program_headers_declined(void);
