/* tools/sandbox/starter.h: a process that starts programs for one that confines itself.
 *
 * What a confined process starts is confined as it is, and a compiler, ssh or the GPU's worker needs more. So a copy of us is made
 * before: it reads nothing that strangers wrote, and does what it is asked only when it was agreed on then. It starts the worker's
 * command, word for word; and, on a leash and confined in their own way, certain tools, which may read no more than
 * we might then: what their requests name is looked at once, and held open, so that exchanging it for something else gains nothing. The worker becomes our child, as if we had started it.
 *
 * It signals what it started, too, which is not confined with us and so out of our reach; and ends it when we are gone and it goes on.
 *
 * It also makes the folder in which our scratch folders lie, since we can make none in TMPDIR any more, and removes it when we end,
 * however we do. process_start and leash_run use it by themselves where it is there. */
#pragma once
#include <stdbool.h>
#include <sys/types.h>

#include "base/arena.h"
#include "tools/sandbox/confine.h"
#include "tools/sandbox/leash.h"

struct starter_terms {
	const char *const *const *commands; /* what process_start may start; they and each end in NULL; NULL: nothing */
	const char *const *tools;           /* paths of what leash_run may run; ends in NULL */
	const struct confine_profile *profile; /* ours: tools read no more */
};

/* Starts it, and adds the folder for scratch folders, if there can be one, to `profile`. False with errno. */
bool starter_begin(const struct starter_terms *terms, struct arena *arena, struct confine_profile *profile);

bool starter_is_there(void);

/* Starts the command with these three descriptors. 0, or an errno. The child is ours to wait for, unless we are a fork of who began. */
int starter_spawn(const char *const argv[], const int stdio[3], pid_t *pid);

/* Has a tool kept on a leash: see leash_keep. 0, or an errno. */
int starter_keep(const struct leash_job *job, const struct leash_ends *ends);

/* A signal, SIGTERM or SIGKILL, to what starter_spawn started, or to its group where `pid` is negative, or to a fork of who began; to
 * nothing else. It was not waited for. 0, or an errno. */
int starter_signal(pid_t pid, int sig);

/* Ends it, and waits until its folder is gone. Fine without one. */
void starter_end(void);
