/* front/screen/script.h: a presentation driven by a file: a command a line, # begins a comment. A command is one of
 * script.def, or the name of an action (front/tutor/actions.def), also without its "slide-" and with a count: "next 3".
 * Everything is checked before the first command is carried out. */
#pragma once
#include "base/arena.h"
#include "front/screen/screen.h"

enum screen_script_kind {
	SCRIPT_ACT,
#define SCRIPT(id, name, arguments, help) SCRIPT_##id,
#include "front/screen/script.def"
#undef SCRIPT
	SCRIPT_KINDS
};

struct screen_script_row {
	const char *name, *arguments, *help;
};
extern const struct screen_script_row screen_script_table[SCRIPT_KINDS]; /* that of ACT is empty */

struct screen_script_command {
	enum screen_script_kind kind;
	int line;
	enum tutor_action action; /* ACT: so many times: */
	int number;               /* GOTO: the slide, from 1; COUNT: the hands */
	double seconds;
	const char *text; /* KEY: names with blanks between; SET: NAME=VALUE; COUNT: the answer */
};

struct screen_script {
	const char *path;
	const struct screen_script_command *at;
	size_t n, next;
	double speed;  /* by which waits are divided */
	double due_ms; /* of the clock, when the next one's turn comes; 0: now */
	bool waits;    /* the next one is not before live numbers, or then */
};

/* Reads a script; all in `arena`. False with an error for each fault. */
bool screen_script_read(struct screen_script *script, struct arena *arena, const char *path, const char *text,
	size_t len, struct diag *diag);

/* The next command, which then is past; NULL at the end. */
const struct screen_script_command *screen_script_take(struct screen_script *script);

/* Carries out a command; one that prints or waits does nothing. False: it could not be, and the notice says why. */
bool screen_script_do(const struct screen_script_command *command, struct screen_state *state, struct tutor *tutor);

/* On a terminal: milliseconds until the next command, -1: there is none. And all that are due: true when there were
 * some. */
int screen_script_wait_ms(const struct screen_script *script, double now_ms);
bool screen_script_step(struct screen_script *script, struct screen_state *state, struct tutor *tutor, double now_ms);
