/* tools/sandbox/starter.h: two copies of us, made before we confine ourselves, that start for us what cannot be
 * confined as we are.
 *
 * starter_: starts programs. What a confined process starts is confined as it is, and a compiler, ssh or the GPU's
 * worker needs more. The starter reads nothing that strangers wrote, and does what it is asked only when it was agreed
 * on before. It starts the worker's command, word for word; and, in a sandbox of their own (sandbox.h), certain tools,
 * which may read no more than we might then: what their requests name is looked at once, and held open, so that
 * exchanging it for something else gains nothing. The worker becomes our child, as if we had started it. The starter
 * signals what it started, too, which is not confined with us and so out of our reach; and ends it when we are gone and
 * it goes on. It also makes the folder in which our scratch folders lie, since we can make none in TMPDIR any more, and
 * removes it when we end, however we do. process_start and sandbox_run use it by themselves where it is there.
 *
 * foreground_: the reader's editor, which has the terminal while we wait. This copy stays beside us in our session and
 * process group: the terminal is the editor's as it is ours, and ^Z stops both. It starts the one editor that was
 * agreed on then, with one file, which lies in a folder that was agreed on, too; no shell is involved. It reads
 * nothing, reports when the editor stops and ends, and ends it when we are gone. */
#pragma once
#include <stdbool.h>
#include <sys/types.h>

#include "base/arena.h"
#include "tools/sandbox/confine.h"
#include "tools/sandbox/sandbox.h"

struct starter_terms {
	const char *const *const *commands; /* what process_start may start; they and each end in NULL; NULL: nothing */
	const char *const *tools;           /* paths of what sandbox_run may run; ends in NULL */
	const struct confine_profile *profile; /* ours: tools read no more */
};

/* Starts it, and adds the folder for scratch folders, if there can be one, to `profile`. False with errno. */
bool starter_begin(const struct starter_terms *terms, struct arena *arena, struct confine_profile *profile);

bool starter_is_there(void);

/* Starts the command with these three descriptors. 0, or an errno. The child is ours to wait for, unless we are a fork
 * of who began. */
int starter_spawn(const char *const argv[], const int stdio[3], pid_t *pid);

/* Has a tool run in a sandbox: see sandbox_keep. 0, or an errno. */
int starter_keep(const struct sandbox_job *job, const struct sandbox_pipes *ends);

/* A signal, SIGTERM or SIGKILL, to what starter_spawn started, or to its group where `pid` is negative, or to a fork of
 * who began; to nothing else. It was not waited for. 0, or an errno. */
int starter_signal(pid_t pid, int sig);

/* Ends it, and waits until its folder is gone. Fine without one. */
void starter_end(void);

/* --- the editor --------------------------------------------------------------------------------------------------- */

/* Starts the copy, for files in these folders, which end in NULL, or below. The editor is what VISUAL says, else
 * EDITOR, cut into words as a shell cuts them, with quotation marks and backslashes and nothing else; else the first
 * usual one that PATH has. Nothing happens when there is a copy. */
void foreground_begin(const char *const *folders, struct arena *arena);

/* Why there is no copy: a sentence without its period. NULL: there is one. */
const char *foreground_lacks(void);

/* Has the editor open a file, which exists, at a line, 0: none. False: there is no copy, or it ended. */
bool foreground_start(const char *path, int line);

/* Readable when there is a report, or the copy has ended. */
int foreground_fd(void);

enum foreground_event { FOREGROUND_RUNS, FOREGROUND_STOPPED, FOREGROUND_ENDED };

/* What there is to report, without waiting; `end` of ENDED: sandbox_describe. */
enum foreground_event foreground_take(struct sandbox_end *end);

/* After we were stopped, too: the editor goes on, and that it was stopped is no news any more. */
void foreground_go_on(void);

/* Asks the editor to end, and waits until it did; one that does not is killed. */
void foreground_stop(void);

/* Ends the copy. Fine without one. */
void foreground_end(void);
