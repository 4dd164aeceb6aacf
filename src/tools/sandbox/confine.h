/* tools/sandbox/confine.h: a process gives up what it does not need, for good, and so for all that it starts.
 *
 * Files by Landlock: what no rule names can be neither opened, made, renamed nor removed, nor executed; names, sizes
 * and times stay visible. From ABI 4 on it also closes TCP, from ABI 6 on abstract sockets and signals to processes
 * that are not confined with us. The rest by seccomp: sockets of every kind, other processes' memory, namespaces,
 * mounts, keys, kernel interfaces (confine_calls.def). A call that is refused fails with EACCES or EPERM, or with
 * ENOSYS where programs have another way then.
 *
 * Both need no privilege, and root is bound as anyone is. A kernel may lack either: then the other is in force, nothing
 * fails, and confine_lacks says what is missing. Threads that run already would not be bound by Landlock: call it
 * before there are any.
 *
 * No libseccomp: the filter is a list of numbers and four arguments to look at, for two architectures; what that
 * library adds, its tables for others and its optimizer, would be one more thing to install. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"

/* To what a path leads, and all below it. */
enum confine_access {
	CONFINE_READ = 1,
	CONFINE_EXECUTE = 2,
	CONFINE_WRITE = 4, /* also make, rename and remove: files, folders, links, FIFOs; no devices */
};

struct confine_rule {
	const char *path; /* links are followed; one that does not exist is passed over */
	unsigned access;
};

/* A rule for a file or folder that is open already, whatever has its name now. */
struct confine_open_rule {
	int fd;
	unsigned access;
};

/* What seccomp leaves, beside computing and files. */
enum confine_liberty {
	CONFINE_MAY_EXECUTE = 1,
	CONFINE_MAY_FORK = 2,   /* threads are always free */
	CONFINE_MAY_ACCEPT = 4, /* who connects to a socket that was there before */
	CONFINE_MAY_CALL = 8,   /* sockets of this host, by their paths */
};

struct confine_profile {
	struct confine_rule *rules; /* in an arena */
	size_t n, cap;
	struct confine_open_rule *open_rules; /* likewise */
	size_t n_open, cap_open;
	unsigned liberties;
};

/* What the kernel offers. */
struct confine_support {
	int abi;      /* of Landlock; 0: none */
	bool seccomp; /* with filters */
	bool refused; /* SIMTTUTOR_CONFINE=no: neither is used */
};

/* Something that is missing, and what that means. */
struct confine_lack {
	const char *what, *meaning;
};
#define CONFINE_LACKS_MAX 8

/* The access rights of Landlock that an ABI knows, as the kernel's bits. */
struct confine_rights {
	uint64_t files, net, scopes;
};

void confine_allow(struct arena *arena, struct confine_profile *profile, const char *path, unsigned access);
void confine_allow_open(struct arena *arena, struct confine_profile *profile, int fd, unsigned access);

struct confine_support confine_support(void);

/* Reports SIMTTUTOR_CONFINE when it is neither yes nor no. */
void confine_check_environment(struct diag *diag);

/* How many of them there are. */
int confine_lacks(const struct confine_support *support, struct confine_lack lacks[CONFINE_LACKS_MAX]);

/* From now on. False with errno when something that the kernel offers fails; then the process may be bound in part. */
bool confine_self(const struct confine_profile *profile, const struct confine_support *support);

/* --- its parts, for confine.c and tests --------------------------------------------------------------------------- */

struct confine_rights confine_rights(int abi);
int confine_landlock_abi(void);
bool confine_landlock(const struct confine_profile *profile, int abi);
bool confine_seccomp_offered(void);

/* Writes the filter's program, up to CONFINE_FILTER_MAX instructions, and returns how many they are; 0: it has no room,
 * or this architecture has none. One for each run of calls, six for each argument. `abi`: what Landlock does not cover
 * there is refused here. */
#define CONFINE_FILTER_MAX 400
struct sock_filter;
unsigned short confine_filter(unsigned liberties, int abi, struct sock_filter *code);

/* From now on; false with errno. */
bool confine_seccomp(unsigned liberties, int abi);
