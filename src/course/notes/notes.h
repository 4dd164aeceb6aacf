/* course/notes/notes.h: what a presenter tells speaker's notes on other terminals of the same user, over a socket of
 * its own.
 *
 * The presenter listens at a name in the user's folder for such things; every notes program that connects is sent what
 * the slide is now, a line of JSON, and again whenever that changes. It may send names of actions back, a line each.
 * Neither side believes the other more than it must: who connects, and who listens, must be of the same user, lines
 * have a greatest length, nobody is waited for, and who does not read gets the newest slide alone, once it reads again.
 *
 * `name` tells several presentations of one user apart. */
#pragma once
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"

#define NOTES_NAME "talk"
#define NOTES_OPTIONS_MAX 9
#define NOTES_PEERS_MAX 8
#define NOTES_FDS_MAX (NOTES_PEERS_MAX + 1)
#define NOTES_LINE_MAX ((size_t)1 << 18)

struct sockaddr_un;

struct notes_option {
	const char *text;
	int hands;
	bool right;
};

/* The slide, for its speaker. No string is NULL. */
struct notes_slide {
	const char *lesson, *title, *next;   /* next: the title of the next slide, "" at the end */
	const char *notes;                   /* the author's, for the speaker; "" where there are none */
	const char *reveals;                 /* what the next key shows */
	const char *question, *answer, *why; /* "" where there is none */
	const char *status;                  /* where the numbers come from */
	const char *notice;
	int step, steps; /* from 1 */
	int shown, pieces;
	bool blank, covered, voting;
	struct notes_option options[NOTES_OPTIONS_MAX];
	int n_options;
	int64_t began; /* seconds since 1970 */
	int minutes;   /* that the talk may take; 0: nobody said */
};

/* Appends it as a line. And the other way: the strings are in `arena`; false when it is no such line. */
void notes_write(const struct notes_slide *slide, struct buf *out);
bool notes_read(struct arena *arena, const char *line, size_t len, struct notes_slide *out);

/* The folder of the sockets, XDG_RUNTIME_DIR/simttutor or /tmp/simttutor-UID, is made where it is missing. False, with
 * an error, when it is not the user's alone. */
bool notes_folder(struct buf *out, struct diag *diag);

/* Whether a presentation may be called so: letters, digits, dashes; at most 32. */
bool notes_name_check(const char *name);

/* --- the presenter ------------------------------------------------------------------------------------------------ */

struct notes_server;

/* Listens; a socket that a presenter left behind is replaced. NULL with an error; then presenting goes without. */
struct notes_server *notes_server_open(const char *name, struct diag *diag);
void notes_server_close(struct notes_server *server); /* NULL: nothing */

/* What wakes it; and what it does then: takes who connects and what they say, sends what is left. Returns the name of
 * an action that one of them asked for, until the next call; NULL: there is no more. */
int notes_server_fds(const struct notes_server *server, struct pollfd fds[NOTES_FDS_MAX]);
const char *notes_server_step(struct notes_server *server);

/* How many are connected. */
int notes_server_peers(const struct notes_server *server);

/* Tells all of them a line, where it is not the one that they have. */
void notes_server_tell(struct notes_server *server, const struct buf *line);

/* --- the notes ---------------------------------------------------------------------------------------------------- */

struct notes_client;

struct notes_client *notes_client_new(const char *name, struct diag *diag);
void notes_client_free(struct notes_client *client);

/* -1 while nobody presents. */
int notes_client_fd(const struct notes_client *client);

/* Connects where that is needed, and takes what came, without waiting. True when notes_client_slide is another one. */
bool notes_client_step(struct notes_client *client);

/* The slide as it was told last; NULL: nobody presents, and *why says so. */
const struct notes_slide *notes_client_slide(const struct notes_client *client, const char **why);

/* Asks for an action by its name; nothing where nobody presents. */
void notes_client_ask(struct notes_client *client, const char *action);

/* --- socket.c ----------------------------------------------------------------------------------------------------- */

/* The address of a name, for both sides; false with an error. */
bool notes_address(const char *name, struct sockaddr_un *out, struct diag *diag);
