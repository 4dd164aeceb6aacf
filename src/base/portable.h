/* base/portable.h: what Linux has and other systems lack or do otherwise. `configure` looks for each; where one is
 * missing there is another way, here or where it is used. With --enable-portable all of them are taken on Linux.
 *
 * What has no other way: confinement (confine.h says so, and `doctor`); that orphans of a tool, with sessions of their
 * own, become the keeper's and are ended by it; that a process ends when its parent is killed, if it became another
 * program. */
#pragma once
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

#include "base/arena.h"

/* --- descriptors -------------------------------------------------------------------------------------------------- */

/* A pipe that programs started do not inherit. False with errno. */
bool portable_pipe(int fd[2]);

/* A socket of this host that neither waits nor is inherited, and one that was connected to such a one. Writing to one
 * whose other end is closed raises no signal with PORTABLE_SEND. -1 with errno. */
int portable_socket(void);
int portable_accept(int fd);
extern const int portable_send_flags; /* of send */

/* Whether the other end of a socket of this host is a process of ours. */
bool portable_peer_is_ours(int fd);

/* An empty file without a name. -1 with errno. */
int portable_temporary_file(void);

/* Opens a folder to name what is in it; on Linux, also one that cannot be read. `flags`: more of them. */
int portable_open_folder(int at, const char *name, int flags);

void portable_close_range(unsigned from, unsigned to);

/* --- processes ---------------------------------------------------------------------------------------------------- */

/* A descriptor that is readable once the process has ended; -1 where there is none, and it must be looked at every
 * PORTABLE_POLL_MS. */
#define PORTABLE_POLL_MS 100
int portable_watch_end(pid_t pid);

/* Has the kernel send us the signal when our parent ends, also after we became another program; where it cannot,
 * nothing happens. */
bool portable_end_with_parent(int sig);

/* The same for a copy that becomes no other program: it looks itself where the kernel does not. */
bool portable_end_copy_with(pid_t parent, int sig);

/* Makes what our children leave ours. Where this cannot be, it is not, and nobody ends it. False with errno. */
bool portable_adopt_orphans(void);

/* No program that we become has more rights than we. Where this cannot be asked for, it is not. False with errno. */
bool portable_gain_no_privileges(void);

/* We leave no core. */
void portable_leave_no_core(void);

/* As which process lists show us. */
void portable_name_process(const char *name);

/* --- time --------------------------------------------------------------------------------------------------------- */

/* Milliseconds since some moment; for differences and deadlines. */
double clock_ms(void);

/* Milliseconds of the processor's time that this thread has used. */
double clock_thread_ms(void);

/* --- signals ---------------------------------------------------------------------------------------------------------
 *
 * Signals that are held back, waited for beside descriptors. Where a system has a descriptor for them, that is polled;
 * else they are looked for at intervals. */

#define SIGNALS_POLL_MS 10

struct signals {
	sigset_t set;
	int fd; /* to poll, for reading; -1: there is none */
};

#define SIGNALS_NONE ((struct signals){.fd = -1})

/* All of the set are blocked already. False with errno. */
bool signals_open(struct signals *signals, const sigset_t *set);

/* How long poll may wait that is to wait for `ms`, -1: for ever. */
int signals_timeout_ms(const struct signals *signals, int ms);

/* Whether one is there. It stays pending. */
bool signals_are_there(const struct signals *signals);

/* Takes one that is there, and returns its number; 0: there is none. */
int signals_take(struct signals *signals);

void signals_close(struct signals *signals);

/* --- else --------------------------------------------------------------------------------------------------------- */

/* Bytes that nobody can foresee. */
bool portable_random(void *bytes, size_t len);

/* The path of this program: as the system has it, or, where that does not tell, as `main` was called. NULL: it is not
 * known. */
void portable_set_program(const char *argv0);
const char *portable_program(struct arena *arena);

/* Processors that this process may use, at least 1. */
unsigned portable_processors(void);

/* Advice that memory of many MiB, which malloc or calloc gave and nobody used yet, be of large pages: first use is one
 * page fault for each 2 MiB then, not for each page. Less memory is left as it is. */
void portable_take_large_pages(void *memory, size_t bytes);

/* When a file changed. */
struct timespec portable_changed(const struct stat *info);

/* As the GNU function strverscmp, which few C libraries have: numbers in names are compared by their value. */
int portable_compare_versions(const char *a, const char *b);
