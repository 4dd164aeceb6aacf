#include "front/tutor/filter.h"

#include <stdlib.h>
#include <string.h>

static bool passes(const struct tutor *tutor, const struct lesson *lesson, enum tutor_filter filter, const char *track)
{
	struct lesson_progress_score score = lesson_progress_score(tutor->progress, lesson);
	if (track && strcmp(lesson->track, track) != 0)
		return false;
	switch (filter) {
	case FILTER_UNREAD: return lesson_progress_visited_count(tutor->progress, lesson->id) < lesson->n_steps;
	case FILTER_UNANSWERED: return score.answered < score.questions;
	case FILTER_UNSOLVED: return score.solved < score.exercises;
	default: return true;
	}
}

bool tutor_lists(const struct tutor *tutor, int lesson)
{
	return passes(tutor, tutor->catalog->lessons[lesson], tutor->at.filter, tutor->at.track);
}

static bool leaves_any(const struct tutor *tutor, enum tutor_filter filter, const char *track)
{
	for (int i = 0; i < tutor->catalog->n_lessons; i++)
		if (passes(tutor, tutor->catalog->lessons[i], filter, track))
			return true;
	return false;
}

/* The listed lesson that is nearest to the selected one. */
static void select_nearest(struct tutor *tutor)
{
	int best = -1, at = tutor->at.selected;
	for (int i = 0; i < tutor->catalog->n_lessons; i++)
		if (tutor_lists(tutor, i) && (best < 0 || abs(i - at) < abs(best - at)))
			best = i;
	tutor->at.selected = best < 0 ? at : best;
}

void tutor_filter_turn(struct tutor *tutor)
{
	do
		tutor->at.filter = (enum tutor_filter)((tutor->at.filter + 1) % FILTERS);
	while (!leaves_any(tutor, tutor->at.filter, tutor->at.track) && tutor->at.filter != FILTER_ALL);
	select_nearest(tutor);
}

/* The first lesson of a track. */
static int track_begins(const struct catalog *c, const char *track)
{
	int i = 0;
	while (i < c->n_lessons && strcmp(c->lessons[i]->track, track) != 0)
		i++;
	return i;
}

/* Tracks in the order in which they begin; after the last, all. */
void tutor_filter_turn_track(struct tutor *tutor)
{
	const struct catalog *c = tutor->catalog;
	int at = tutor->at.track ? track_begins(c, tutor->at.track) + 1 : 0;
	tutor->at.track = NULL;
	for (; at < c->n_lessons && !tutor->at.track; at++) {
		const char *track = c->lessons[at]->track;
		if (track_begins(c, track) == at && leaves_any(tutor, tutor->at.filter, track))
			tutor->at.track = track;
	}
	select_nearest(tutor);
}

void tutor_filter_settle(struct tutor *tutor)
{
	if (!leaves_any(tutor, tutor->at.filter, tutor->at.track)) {
		tutor->at.filter = FILTER_ALL;
		tutor->at.track = NULL;
	}
	select_nearest(tutor);
}
