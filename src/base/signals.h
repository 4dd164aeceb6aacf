/* base/signals.h: signals that are held back, waited for beside descriptors. Where a system has a descriptor for them, that is polled;
 * else they are looked for at intervals. */
#pragma once
#include <signal.h>
#include <stdbool.h>

#define SIGNALS_LOOK_MS 10

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
