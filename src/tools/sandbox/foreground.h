/* tools/sandbox/foreground.h: the reader's editor, which has the terminal while we wait.
 *
 * What a confined process starts is confined as it is, and an editor needs more. So a copy of us is made before, which stays beside us in
 * our session and process group: the terminal is the editor's as it is ours, and ^Z stops both. It starts the one editor that was agreed on
 * then, with one file, which lies in a folder that was agreed on, too; no shell is involved. It reads nothing, says when the editor
 * stops and ends, and ends it when we are gone. */
#pragma once
#include <stdbool.h>

#include "base/arena.h"
#include "tools/sandbox/leash.h"

/* Starts the copy, for files in these folders, which end in NULL, or below. The editor is what VISUAL says, else EDITOR, cut into words
 * as a shell cuts them, with quotation marks and backslashes and nothing else; else the first usual one that PATH has. Nothing happens
 * when there is a copy. */
void foreground_begin(const char *const *folders, struct arena *arena);

/* Why there is no copy: a sentence without its period. NULL: there is one. */
const char *foreground_lacks(void);

/* Has the editor open a file, which exists, at a line, 0: none. False: there is no copy, or it ended. */
bool foreground_start(const char *path, int line);

/* Readable when there is a report, or the copy has ended. */
int foreground_fd(void);

enum foreground_event { FOREGROUND_RUNS, FOREGROUND_STOPPED, FOREGROUND_ENDED };

/* What there is to report, without waiting; `end` of ENDED: leash_describe. */
enum foreground_event foreground_take(struct leash_end *end);

/* After we were stopped, too: the editor goes on, and that it was stopped is no news any more. */
void foreground_go_on(void);

/* Asks the editor to end, and waits until it did; one that does not is killed. */
void foreground_stop(void);

/* Ends the copy. Fine without one. */
void foreground_end(void);
