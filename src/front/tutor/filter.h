/* front/tutor/filter.h: which lessons the list has. A filter that leaves none is passed over, so that the list is never empty. */
#pragma once
#include "front/tutor/tutor.h"

/* On to the next filter; to the next track of the lessons that it leaves. */
void tutor_filter_turn(struct tutor *tutor);
void tutor_filter_turn_track(struct tutor *tutor);

/* A filter that nothing passes any more ends; the selected lesson is one that is listed. */
void tutor_filter_settle(struct tutor *tutor);
