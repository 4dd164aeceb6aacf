/* front/screen/notes.h: the speaker's notes on a terminal of their own. */
#pragma once
#include "course/notes/notes.h"
#include "front/canvas/canvas.h"

struct screen_notes {
	const struct notes_slide *slide; /* NULL: nobody presents: */
	const char *why;
	int64_t now;       /* seconds since 1970 */
	const char *clock; /* the time of the room, "14:05" */
};

void screen_notes_draw(struct canvas *canvas, const struct screen_notes *notes);
