#include "cmd/drawn.h"

#include "course/lesson/lesson.h"
#include "front/view/view.h"

static bool has_view_of(const struct step *step, enum view_subject subject)
{
	for (int i = 0; i < step->n_views; i++)
		if (view_is_of(view_find(step->views[i]), subject))
			return true;
	return false;
}

bool cmd_draws_watched(const struct step *step)
{
	return has_view_of(step, VIEW_OF_ACCESS) || has_view_of(step, VIEW_OF_ATOMIC) ||
		has_view_of(step, VIEW_OF_SHUFFLE) || has_view_of(step, VIEW_OF_TILES);
}

bool cmd_draws_blocks(const struct step *step)
{
	return cmd_draws_watched(step) || has_view_of(step, VIEW_OF_CLUSTER);
}
