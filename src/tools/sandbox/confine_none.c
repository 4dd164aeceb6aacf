/* Where the system has neither Landlock nor seccomp: nothing is confined, as on a Linux that has neither; `simttutor
 * doctor` says so. Then nothing needs a process that starts programs for what is confined, either. */
#include "config.h"

#include <errno.h>
#include <signal.h>

#include "tools/sandbox/confine.h"
#include "tools/sandbox/starter.h"

struct confine_rights confine_rights(int abi)
{
	(void)abi;
	return (struct confine_rights){0};
}

int confine_landlock_abi(void)
{
	return 0;
}

bool confine_landlock(const struct confine_profile *profile, int abi)
{
	(void)profile, (void)abi;
	errno = ENOSYS;
	return false;
}

bool confine_seccomp_offered(void)
{
	return false;
}

unsigned short confine_filter(unsigned liberties, int abi, struct sock_filter *code)
{
	(void)liberties, (void)abi, (void)code;
	return 0;
}

bool confine_seccomp(unsigned liberties, int abi)
{
	(void)liberties, (void)abi;
	errno = ENOSYS;
	return false;
}

bool starter_begin(const struct starter_terms *terms, struct arena *arena, struct confine_profile *profile)
{
	(void)terms, (void)arena, (void)profile;
	errno = ENOSYS;
	return false;
}

bool starter_is_there(void)
{
	return false;
}

int starter_spawn(const char *const argv[], const int stdio[3], pid_t *pid)
{
	(void)argv, (void)stdio, (void)pid;
	return ENOSYS;
}

int starter_keep(const struct sandbox_job *job, const struct sandbox_pipes *ends)
{
	(void)job, (void)ends;
	return ENOSYS;
}

int starter_signal(pid_t pid, int sig)
{
	(void)pid, (void)sig;
	return ENOSYS;
}

void starter_end(void)
{
}
