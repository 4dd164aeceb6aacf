/* front/tutor/reload.h: a lesson that its author writes is read again while it is open, when its lesson.md or the PTX of a kernel of it has
 * changed. The reader stays in the step of that id, with its values, view and a half typed answer, as far as there still are such; one that
 * cannot be read leaves the lesson as it was, with a notice that says why and where. */
#pragma once
#include "base/paths.h"
#include "front/tutor/tutor.h"

/* From now on, for lessons of `paths` whose file may be written by who runs this: others do not change. */
void tutor_reload_begin(struct tutor *tutor, const struct paths *paths);

/* Looks at the files of the open lesson, and reads them when they have changed and not since the last look: half of a file is not read.
 * True when the screen must be drawn again. To be called again within tutor_reload_timeout_ms, -1: no need. */
bool tutor_reload_step(struct tutor *tutor);
int tutor_reload_timeout_ms(const struct tutor *tutor);
