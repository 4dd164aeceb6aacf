/* front/tui/tui.h: the terminal: the only folder that includes curses. Keys in, cells out. */
#pragma once
#include <stdbool.h>

#include "base/diag.h"
#include "front/canvas/theme.h"
#include "front/debug/debug.h"
#include "front/tutor/settings.h"
#include "front/tutor/tutor.h"

/* What the reader's settings say of the terminal counts from then on: mouse and ASCII. */
void tui_use(const struct tutor_settings *settings);

/* Sessions from then on are recorded there, as asciicast v2, with a marker for each step; -1: they are not. The
 * descriptor is the caller's. */
void tui_record(int fd);

/* Runs the session on the controlling terminal until the reader quits, in this theme (CANVAS_THEMES: one that suits the
 * terminal). The terminal is restored on every way out, signals included. Returns the exit status to use: 0; 3 with an
 * error in `diag` (no terminal, or one that cannot place the cursor); 128 and the signal that ended it. */
int tui_run(struct tutor *tutor, enum canvas_theme theme, struct diag *diag);

/* What goes with a presentation. */
struct screen_script;
struct notes_server;
struct tui_talk {
	struct screen_script *script; /* that performs it; NULL: the speaker does alone */
	struct notes_server *notes;   /* NULL: nobody can look at the notes */
};

/* The same for a session that presents (front/tutor/present.h). */
int tui_present(struct tutor *tutor, enum canvas_theme theme, const struct tui_talk *talk, struct diag *diag);

/* The speaker's notes of a presentation elsewhere. */
struct notes_client;
int tui_notes(struct notes_client *client, enum canvas_theme theme, struct diag *diag);

/* The same for a debugger. Here an interrupt (^C) stops what runs and does not end it. */
int tui_debug(struct debug *debug, enum canvas_theme theme, struct diag *diag);
