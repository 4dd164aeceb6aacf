/* front/tui/signals.h: signals as bytes in a pipe, so that the event loop sees them like any other input. One per process. */
#pragma once
#include <stdbool.h>

/* Takes over SIGWINCH, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP and SIGCONT; on a crash `rescue` is called (from the
 * handler) before the signal does its work. False when no pipe can be made. */
bool tui_signals_open(void (*rescue)(void));
void tui_signals_close(void);

int tui_signals_fd(void);

/* The next signal that came, 0: none. */
int tui_signals_read(void);

/* Stops the process as ^Z does; returns when it goes on. */
void tui_signals_stop(void);
