/* tui/tui.h: the terminal: the only folder that includes curses. Keys in, cells out. */
#pragma once
#include <stdbool.h>

#include "base/diag.h"
#include "tutor/tutor.h"

/* Runs the session on the controlling terminal until the reader quits. The terminal is restored on every way out, signals
 * included. Returns 0, or the exit status to use, with an error in `diag` (no terminal, terminal too dumb). */
int tui_run(struct tutor *tutor, struct diag *diag);
