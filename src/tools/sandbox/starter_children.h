/* tools/sandbox/starter_children.h: what the starter started for who asks, and signals to that. For starter.c alone.
 *
 * Who asks is the parent, and waits for them, but can signal none: they are not confined as it is. So the starter does, and nothing
 * else gets a signal: a child is known by a descriptor, not by its number, which may be another process's when it is reaped. */
#pragma once
#include <stddef.h>
#include <sys/types.h>

struct starter_child {
	pid_t pid;
	int pidfd; /* -1: this kernel has none */
};

struct starter_children {
	pid_t parent; /* who asks */
	struct starter_child *rows;
	size_t n, cap;
};

/* Takes over the descriptor. */
void starter_children_add(struct starter_children *children, pid_t pid, int pidfd);

/* SIGTERM or SIGKILL to a child, to its process group where `pid` is negative, or to a copy that the parent made of itself since. 0, or
 * an errno. */
int starter_children_signal(const struct starter_children *children, pid_t pid, int sig);

/* Ends them all, when nobody is left whom they could serve: after PROCESS_GRACE_MS by SIGTERM, after as much again by SIGKILL. Returns
 * at once when none runs. */
void starter_children_end(struct starter_children *children);
