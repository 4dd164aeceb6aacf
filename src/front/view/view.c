#include "front/view/view.h"

#include <stdio.h>
#include <string.h>

#include "front/view/subjects.h"
#include "front/view/times.h"
#include "front/view/views.h"

#define VIEW(id, name, title, subject, min_rows, min_cols, roomy_rows, roomy_cols, drawer, meaning)                    \
	extern const struct view_drawer drawer;
#include "front/view/views.def"
#undef VIEW

const struct view view_table[] = {
#define VIEW(id, name, title, subject, min_rows, min_cols, roomy_rows, roomy_cols, drawer, meaning)                    \
	[VIEW_##id] = {name, title, VIEW_OF_##subject, min_rows, min_cols, roomy_rows, roomy_cols, &drawer, meaning},
#include "front/view/views.def"
#undef VIEW
};
const int view_count = VIEWS;
_Static_assert((int)VIEWS <= (int)VIEW_NONE, "a mask of views is a uint32_t");

static const struct view_subjects no_subjects;

const struct view_input view_input_none = {
	.source = &no_subjects.source,
	.numbers = &no_subjects.numbers,
	.sweep = &no_subjects.sweep,
	.roofline = &no_subjects.roofline,
	.compare = &no_subjects.compare,
	.times = &no_subjects.times,
	.launch = &no_subjects.launch,
	.defects = &no_subjects.defects,
	.occupancy = &no_subjects.occupancy,
	.code = &no_subjects.code,
	.program = &no_subjects.program,
};

void view_input_of(struct view_input *input, const struct view_subjects *subjects)
{
	input->source = &subjects->source;
	input->numbers = &subjects->numbers;
	input->sweep = &subjects->sweep;
	input->roofline = &subjects->roofline;
	input->compare = &subjects->compare;
	input->times = &subjects->times;
	input->launch = &subjects->launch;
	input->defects = &subjects->defects;
	input->occupancy = &subjects->occupancy;
	input->code = &subjects->code;
	input->program = &subjects->program;
}

view_id view_find(const char *name)
{
	for (int i = 0; i < VIEWS; i++)
		if (strcmp(view_table[i].name, name) == 0)
			return i;
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

bool view_is_of(view_id id, enum view_subject subject)
{
	return (unsigned)id < VIEWS && view_table[id].subject == subject;
}

/* Source and numbers, and the points of a sweep or under roofs, are covered one by one. */
const char *view_why_not(view_id id, const struct view_input *input)
{
	bool picture = id != VIEW_SOURCE && id != VIEW_NUMBERS && id != VIEW_SWEEP && id != VIEW_ROOFLINE;
	return input->covered && picture ? input->covered : view_table[id].drawer->lacks(input);
}

int view_moments(view_id id, const struct view_input *input)
{
	if ((unsigned)id >= VIEWS || !view_table[id].drawer->moments || view_why_not(id, input))
		return 0;
	return view_table[id].drawer->moments(input);
}

bool view_is_roomy(view_id id, struct rect rect)
{
	const struct view *view = &view_table[id];
	return view->roomy_rows > 0 && rect.rows >= view->roomy_rows && rect.cols >= view->roomy_cols;
}

void view_draw(view_id id, struct canvas *canvas, struct rect rect, const struct view_input *input)
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
	} else if (input->scroll > 0 && !view->drawer->scroll) {
		view_draw_scrolled(id, canvas, rect, input);
	} else {
		struct view_light light;
		struct view_input lit = *input;
		view_light_of(&light, input);
		lit.light = &light;
		lit.roomy = view_is_roomy(id, rect);
		view->drawer->draw(canvas, rect, &lit);
	}
	canvas_unclip(canvas, old);
}
