#include "front/view/view.h"

#include <stdio.h>
#include <string.h>

#include "front/view/draw.h"
#include "front/view/light.h"
#include "front/view/times.h"

const struct view view_table[VIEWS] = {
#define VIEW(id, name, title, subject, min_rows, min_cols, roomy_rows, roomy_cols, draw, meaning)                      \
	[VIEW_##id] = {name, title, VIEW_OF_##subject, min_rows, min_cols, roomy_rows, roomy_cols, draw, meaning},
#include "front/view/views.def"
#undef VIEW
};

/* Why the view cannot draw this input, as a sentence; NULL when it can. */
static const char *(*const lacks[VIEWS])(const struct view_input *input) = {
#define VIEW(id, name, title, subject, min_rows, min_cols, roomy_rows, roomy_cols, draw, meaning)                      \
	[VIEW_##id] = draw##_lacks,
#include "front/view/views.def"
#undef VIEW
};

enum view_id view_find(const char *name)
{
	for (int i = 0; i < VIEWS; i++)
		if (strcmp(view_table[i].name, name) == 0)
			return (enum view_id)i;
	return VIEW_NONE;
}

enum role view_witness_role(enum witness witness)
{
	static const enum role roles[] = {
		[WITNESS_NONE] = ROLE_MISSING,
		[WITNESS_MODEL] = ROLE_MODEL,
		[WITNESS_LIVE] = ROLE_LIVE,
		[WITNESS_RECORDED] = ROLE_RECORDED,
	};
	return roles[witness];
}

bool view_is_of(enum view_id id, enum view_subject subject)
{
	return (unsigned)id < VIEWS && view_table[id].subject == subject;
}

/* Source and numbers, and the points of a sweep or under roofs, are covered one by one. */
const char *view_why_not(enum view_id id, const struct view_input *input)
{
	bool picture = id != VIEW_SOURCE && id != VIEW_NUMBERS && id != VIEW_SWEEP && id != VIEW_ROOFLINE;
	return input->covered && picture ? input->covered : lacks[id](input);
}

int view_moments(enum view_id id, const struct view_input *input)
{
	static int (*const moments[VIEWS])(const struct view_input *input) = {
		[VIEW_BANKS] = view_draw_banks_moments,
		[VIEW_SECTORS] = view_draw_sectors_moments,
		[VIEW_MASK] = view_draw_mask_moments,
		[VIEW_SCHEDULE] = view_times_moments,
		[VIEW_BLOCKS] = view_times_moments,
		[VIEW_ATOMICS] = view_draw_atomics_moments,
		[VIEW_STREAMS] = view_draw_streams_moments,
		[VIEW_HOST] = view_draw_host_moments,
		[VIEW_MAP] = view_draw_map_moments,
	};
	return (unsigned)id >= VIEWS || !moments[id] || view_why_not(id, input) ? 0 : moments[id](input);
}

bool view_is_roomy(enum view_id id, struct rect rect)
{
	const struct view *view = &view_table[id];
	return view->roomy_rows > 0 && rect.rows >= view->roomy_rows && rect.cols >= view->roomy_cols;
}

void view_draw(enum view_id id, struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	if ((unsigned)id >= VIEWS || rect.rows <= 0 || rect.cols <= 0)
		return;
	const struct view *view = &view_table[id];
	struct rect old = canvas_clip(canvas, rect);
	const char *why = view_why_not(id, input);
	if (why) {
		view_draw_sentence(canvas, rect, ROLE_DIM, why);
	} else if (rect.rows < view->min_rows || rect.cols < view->min_cols) {
		char text[120];
		snprintf(text, sizeof text, "The view \"%s\" needs %d columns and %d rows; here are %d and %d.",
			view->title, view->min_cols, view->min_rows, rect.cols, rect.rows);
		view_draw_sentence(canvas, rect, ROLE_DIM, text);
	} else if (input->scroll > 0 && id != VIEW_SOURCE) {
		view_draw_scrolled(id, canvas, rect, input);
	} else {
		struct view_light light;
		struct view_input lit = *input;
		view_light_of(&light, input);
		lit.light = &light;
		view->draw(canvas, rect, &lit);
	}
	canvas_unclip(canvas, old);
}
