#include "front/screen/parts.h"

#include "base/utf8.h"
#include "front/view/numbers.h"
#include "front/view/source.h"
#include "front/view/views.h"

/* Below this many columns text and view do not fit side by side: the zoom key shows the view. */
#define SIDE_BY_SIDE_COLS 78
#define TEXT_COLS_MIN 34
#define TEXT_COLS_MAX 66
#define TEXT_COLS_ALONE 72   /* without a view beside it */
#define SOURCE_BELOW_ROWS 30 /* a view pane this tall has room for the source below */

/* The picture above the text: on a screen so wide, or as wide as for two panes and so tall. */
#define STACKED_COLS 100
#define STACKED_ROWS 30
#define STACKED_ROWS_NARROW 40
#define PICTURE_ROWS_NARROW 14
#define TABS_COL_LEFT 6     /* after the sign that there is more text above */
#define NUMBERS_COLS_MIN 38 /* beside the text */
#define SOURCE_ROWS_MIN 6
#define EXPLORE_COLS 90 /* below, an explored kernel's source takes from the picture what that can spare */
#define EXPLORE_MORE_COLS 2

bool screen_has_both(int rows, int cols)
{
	(void)rows;
	return cols >= SIDE_BY_SIDE_COLS;
}

int screen_view_index(const struct step *step, view_id id)
{
	for (int i = 0; i < step->n_views; i++)
		if (view_find(step->views[i]) == id)
			return i;
	return -1;
}

static int text_cols(int cols)
{
	int n = TEXT_COLS_MIN + (cols - 80) * 3 / 10;
	return n < TEXT_COLS_MIN ? TEXT_COLS_MIN : n > TEXT_COLS_MAX ? TEXT_COLS_MAX : n;
}

/* The inside of a pane between a rule and a row, a frame's column and another, with a free column at either side. */
static struct rect inside(int row, int col, int bottom, int end)
{
	return (struct rect){row, col + 2, bottom - row, end - col - 3};
}

/* A picture gets the free columns too, where that gives it the room for its larger form. */
static struct rect inside_for(const struct tutor *tutor, struct rect r)
{
	view_id view = tutor->shown.view;
	struct rect all = {r.row, r.col - 1, r.rows, r.cols + 2};
	return view != VIEW_NONE && !view_is_roomy(view, r) && view_is_roomy(view, all) ? all : r;
}

static int count_shown(const struct tutor *tutor, const struct step *step)
{
	int n = 0;
	for (int i = 0; i < tutor->at.lesson->n_parameters; i++)
		n += step->shown[i];
	return n;
}

/* Rows of the numbers below the panes, with their header. */
static int numbers_rows(const struct screen_state *state, const struct tutor *tutor)
{
	const struct view_numbers *numbers = tutor->shown.input.numbers;
	int rows = numbers->n_rows ? view_number_rows(numbers, state->cols - 4) : 0;
	int most = 5 + (state->rows - 24) / 4;
	most = (most > 3 ? most : 3) + (numbers->other != NULL);
	return rows < most ? rows : most;
}

static bool offers_source(const struct tutor *tutor, const struct step *step)
{
	return !tutor->explored && tutor->shown.view != VIEW_SOURCE && screen_view_index(step, VIEW_SOURCE) >= 0;
}

/* --- side by side, or one of them alone --------------------------------------------------------------------------- */

static struct screen_layout lay_out_beside(
	const struct screen_state *state, const struct tutor *tutor, const struct step *step, struct rect body)
{
	struct screen_layout l = {0};
	int last = body.row + body.rows - 1, end = body.cols - 1, content = body.row + 1;
	l.parameters = count_shown(tutor, step) ? last - 1 : last;
	int numbers = l.parameters - (state->focus == SCREEN_BOTH ? numbers_rows(state, tutor) : 0);
	l.numbers = (struct rect){numbers, 2, l.parameters - numbers, body.cols - 4};
	int divider = l.tabs = numbers - 1;
	if (divider < last - 1)
		l.dividers[l.n_dividers++] = divider;
	if (state->focus == SCREEN_PICTURE) {
		l.view = inside_for(tutor, inside(content, 0, divider, end));
	} else if (state->focus == SCREEN_TEXT || body.cols < SIDE_BY_SIDE_COLS) {
		l.text = inside(content, 0, divider, end);
	} else {
		l.wall = text_cols(body.cols) + 1 +
			(tutor->explored && body.cols < EXPLORE_COLS ? EXPLORE_MORE_COLS : 0);
		l.wall_top = body.row;
		l.wall_bottom = divider;
		l.text = inside(content, 0, divider, l.wall);
		l.view = inside(content, l.wall, divider, end);

		/* A tall pane shows the source under the diagram as well. */
		struct rect *r = &l.view;
		if (r->rows >= SOURCE_BELOW_ROWS && offers_source(tutor, step)) {
			int source = tutor->shown.input.source->n_lines + 1;
			if (source > r->rows / 2)
				source = r->rows / 2;
			l.source = (struct rect){r->row + r->rows - source, r->col, source, r->cols};
			r->rows -= source + 1;
		}
	}
	if (l.text.cols > TEXT_COLS_ALONE && state->focus == SCREEN_TEXT && !tutor->explored)
		l.text.cols = TEXT_COLS_ALONE;
	l.tabs_col = l.title = l.wall + 2;
	return l;
}

/* --- the picture above -------------------------------------------------------------------------------------------- */

static struct screen_layout lay_out_stacked(
	const struct screen_state *state, const struct tutor *tutor, const struct step *step, struct rect body)
{
	struct screen_layout l = {.title = 2, .tabs_col = 2};
	int last = body.row + body.rows - 1, end = body.cols - 1, content = body.row + 1;
	int parameters = count_shown(tutor, step) > 0, text = text_cols(body.cols) * 5 / 4;
	bool beside = body.cols >= STACKED_COLS;
	int strip = beside ? 0 : numbers_rows(state, tutor) + 1;
	int room = last - content - parameters - 1 - strip, picture = (room * 11 + 10) / 20;
	if (!beside && picture > PICTURE_ROWS_NARROW) /* it is a compact one, and needs no more */
		picture = PICTURE_ROWS_NARROW;
	l.parameters = content + picture;
	l.tabs = l.dividers[l.n_dividers++] = l.parameters + parameters;
	l.view = inside_for(tutor, inside(content, 0, content + picture, end));
	text = text > TEXT_COLS_MAX ? TEXT_COLS_MAX : text;
	if (beside && body.cols - text - 7 < NUMBERS_COLS_MIN)
		text = body.cols - 7 - NUMBERS_COLS_MIN;
	if (!parameters)
		l.parameters = last;
	if (beside) {
		l.wall = text + 3;
		l.wall_top = l.tabs;
		l.wall_bottom = last;
		l.text = inside(l.tabs + 1, 0, last, l.wall);
		int tabs_cols = 0; /* of the names of the step's views */
		for (int i = 0; i < step->n_views; i++)
			if (view_find(step->views[i]) != VIEW_NONE)
				tabs_cols += utf8_columns(view_table[view_find(step->views[i])].title) + 3;
		l.tabs_col = tabs_cols <= end - l.wall - 2 ? l.wall + 2 : TABS_COL_LEFT;

		/* The numbers, and below them the source where the step has it and there is room. */
		struct rect r = inside(l.tabs + 1, l.wall, last, end);
		const struct view_numbers *n = tutor->shown.input.numbers;
		int all = n->n_rows ? view_number_rows(n, r.cols) + 1 : 0;
		bool source = offers_source(tutor, step);
		if (tutor->shown.view == VIEW_NUMBERS && source)
			all = 0;
		int numbers = all < r.rows ? all : r.rows;
		if (source && numbers && r.rows - SOURCE_ROWS_MIN - 1 >= 5 && numbers > r.rows - SOURCE_ROWS_MIN - 1)
			numbers = r.rows - SOURCE_ROWS_MIN - 1;
		int left = r.rows - numbers - (numbers > 0);
		bool below = source && left >= SOURCE_ROWS_MIN;
		/* where nothing is below them, the ranges of estimates may have rows of their own */
		if (numbers && !below)
			numbers += view_number_ranges(tutor->shown.input.numbers);
		l.numbers = (struct rect){r.row, r.col, numbers < r.rows ? numbers : r.rows, r.cols};
		if (below)
			l.source = (struct rect){r.row + r.rows - left, r.col, left, r.cols};
	} else {
		int divider = last - strip;
		l.dividers[l.n_dividers++] = divider;
		l.text = inside(l.tabs + 1, 0, divider, end);
		l.numbers = (struct rect){divider + 1, 2, strip - 1, body.cols - 4};
	}
	return l;
}

struct screen_layout screen_layout(const struct screen_state *state, const struct tutor *tutor, struct rect body)
{
	if (tutor->presented)
		return screen_slide_layout(state, tutor, body);
	const struct step *step = tutor_step(tutor);
	struct rect all = inside(body.row + 1, 0, body.row + body.rows - 1, body.cols - 1);
	if (!step->has_experiment) {
		all.cols = all.cols > TEXT_COLS_ALONE ? TEXT_COLS_ALONE : all.cols;
		return (struct screen_layout){.text = all};
	}
	if (screen_pad_alone(tutor))
		return (struct screen_layout){.source = all};
	bool room = state->cols >= STACKED_COLS
		? state->rows >= STACKED_ROWS
		: state->cols >= SIDE_BY_SIDE_COLS && state->rows >= STACKED_ROWS_NARROW;
	bool stacked = state->focus == SCREEN_BOTH && room;
	struct screen_layout l = stacked ? lay_out_stacked(state, tutor, step, body)
					 : lay_out_beside(state, tutor, step, body);
	if (tutor->explored) {
		/* An explored kernel has its source where a lesson has its text. */
		l.source = l.text;
		l.text = (struct rect){0};
		l.tabs_col = l.wall ? l.wall + 2 : l.tabs_col; /* the file's name stands before it */
	}
	return l;
}
