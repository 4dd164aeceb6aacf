/* What actions do to the screen of a lesson: moments of its picture, what is shown alone, what is scrolled. */
#include <stdio.h>

#include "base/text.h"
#include "front/canvas/export.h"
#include "front/screen/modes.h"
#include "front/screen/parts.h"
#include "front/tutor/settings.h"

#define PICTURE_PAGE 5 /* rows of a picture or of the source */
#define FIRST_PAGE 10  /* rows that a page key scrolls before any text was laid out */

void screen_follow(struct screen_state *state, const struct tutor *tutor)
{
	const struct tutor_events *events = &tutor->events;
	if (state->seen.lessons_opened != events->lessons_opened)
		state->focus = SCREEN_BOTH;
	if (state->seen.steps_entered != events->steps_entered) {
		state->text_scroll = 0;
		state->attention = ATTENTION_NONE;
		screen_point_end(state);
		state->hovered = (struct view_pick){0};
	}
	if (state->seen.attentions != events->attentions) {
		state->attention = events->attention_to;
		if (state->focus == SCREEN_PICTURE) /* what asks for it is in the text */
			state->focus = SCREEN_BOTH;
	}
	int moments = state->moment ? view_moments(tutor->shown.view, &tutor->shown.input) : 0;
	if (state->played != tutor->shown.view || state->seen.steps_entered != events->steps_entered ||
		state->moment > moments) {
		state->moment = 0;
		state->playing = false;
		state->played = tutor->shown.view;
	}
	bool other = state->scrolled != tutor->shown.view || state->seen.steps_entered != events->steps_entered;
	state->view_scroll = other ? 0 : state->view_scroll;
	state->source_scroll = state->seen.steps_entered != events->steps_entered ? 0 : state->source_scroll;
	state->scrolled = tutor->shown.view;
	state->seen = *events;
}

/* --- playing ------------------------------------------------------------------------------------------------------ */

/* A picture of many moments is played faster, so that none takes longer than a reader's patience. */
static const int pace_ms[] = {700, 250, 80};
#define PACES (int)(sizeof pace_ms / sizeof *pace_ms)

int screen_play_ms(const struct screen_state *state)
{
	return state->playing ? pace_ms[state->pace % PACES] : -1;
}

/* The last moment is followed by the whole picture, with what came of it. */
static void move_moment(struct screen_state *state, const struct tutor *tutor, int by)
{
	int n = view_moments(tutor->shown.view, &tutor->shown.input);
	int at = state->moment ? state->moment + by : by > 0 ? 1 : n;
	state->moment = at < 1 || at > n ? 0 : at;
}

bool screen_play_step(struct screen_state *state, const struct tutor *tutor)
{
	if (!state->playing)
		return false;
	move_moment(state, tutor, 1);
	state->playing = state->moment > 0;
	return true;
}

/* --- the rest ----------------------------------------------------------------------------------------------------- */

static void scroll_text(struct screen_state *state, int by)
{
	state->text_scroll = state->text_scroll + by < 0 ? 0 : state->text_scroll + by;
}

static bool act_on_lesson(const struct screen_subject *on, int action)
{
	struct screen_state *state = on->state;
	struct tutor *tutor = on->tutor;
	int page = state->text_room ? state->text_room - 1 : FIRST_PAGE;
	switch (action) {
	case ACTION_UP:
	case ACTION_DOWN:
		if (tutor_choosing(tutor))
			return false;
		scroll_text(state, action == ACTION_UP ? -1 : 1);
		return true;
	case ACTION_PAGE_UP:
	case ACTION_PAGE_DOWN:
		if (!screen_point_scroll(state, tutor, action == ACTION_PAGE_UP ? -PICTURE_PAGE : PICTURE_PAGE))
			scroll_text(state, action == ACTION_PAGE_UP ? -(page > 1 ? page : 1) : page > 1 ? page : 1);
		return true;
	case ACTION_TEXT_BEGIN: state->text_scroll = 0; return true;
	case ACTION_TEXT_END: state->text_scroll = state->text_rows; return true;
	case ACTION_ZOOM: {
		/* Both, the picture, the text; where both have no room beside each other, the text is what "both"
		 * shows. */
		enum screen_focus next = (enum screen_focus)((state->focus + 1) % SCREEN_FOCUSES);
		if (next == SCREEN_TEXT && tutor->presented)
			next = SCREEN_BOTH;
		if (next == SCREEN_TEXT && !tutor->explored && !screen_has_both(state->rows, state->cols))
			next = SCREEN_BOTH;
		state->focus = tutor_can(tutor, ACTION_ZOOM) ? next : SCREEN_BOTH;
		return true;
	}
	case ACTION_PLAY:
	case ACTION_PLAY_BACK:
	case ACTION_PLAY_FORWARD:
	case ACTION_PLAY_PACE:
		if (!tutor_can(tutor, (enum tutor_action)action))
			return true;
		state->played = tutor->shown.view;
		if (action == ACTION_PLAY && tutor_setting_is(tutor->settings, SETTING_MOTION, "off")) {
			move_moment(state, tutor, 1);
		} else if (action == ACTION_PLAY_PACE) {
			state->pace = (state->pace + 1) % PACES;
			snprintf(tutor->notice, sizeof tutor->notice, _("A moment takes %.2g s."),
				pace_ms[state->pace] / 1e3);
		} else if (action == ACTION_PLAY) {
			state->playing = !state->playing;
			if (state->playing)
				move_moment(state, tutor, 1);
		} else {
			state->playing = false;
			move_moment(state, tutor, action == ACTION_PLAY_BACK ? -1 : 1);
		}
		return true;
	case ACTION_BACK:
		if (state->moment && !tutor_typing(tutor)) {
			state->moment = 0;
			state->playing = false;
			return true;
		}
		if (tutor_typing(tutor) || state->focus == SCREEN_BOTH)
			return false;
		state->focus = SCREEN_BOTH;
		return true;
	default: return false;
	}
}

const struct screen_mode screen_mode_lesson = {.act = act_on_lesson};

/* --- what is copied ----------------------------------------------------------------------------------------------- */

#define PICTURE_ROWS 22 /* of a picture that has no place on the screen */
#define PICTURE_COLS 78

void screen_copy_text(const struct screen_state *state, const struct tutor *tutor, struct buf *out)
{
	if (state->copy_asked == ACTION_COPY && tutor_can(tutor, ACTION_COPY)) {
		struct screen_sketch sketch = {.tutor = tutor, .state = state};
		struct view_input input = screen_view_input(&sketch, PANE_VIEW);
		struct rect view = screen_layout(state, tutor, (struct rect){1, 0, state->body_end - 1, state->cols})
					   .view;
		bool shown = view.rows > 0 && view.cols > 0;
		struct canvas *canvas = canvas_new(shown ? view.rows : PICTURE_ROWS, shown ? view.cols : PICTURE_COLS);
		view_draw(tutor->shown.view, canvas, (struct rect){0, 0, canvas->rows, canvas->cols}, &input);
		canvas_export(canvas, CANVAS_FORMAT_TEXT, &(struct canvas_export_options){.charset = CANVAS_UTF8}, out);
		canvas_free(canvas);
		while (out->len > 1 && out->data[out->len - 1] == '\n' && out->data[out->len - 2] == '\n')
			out->data[--out->len] = '\0';
	} else if (state->copy_asked == ACTION_COPY_PATH && tutor_can(tutor, ACTION_COPY_PATH)) {
		/* The reader's kernel of an exercise; else the source of the step's. */
		const struct step *step = tutor_step(tutor);
		if (tutor->exercise.attempt)
			buf_puts(out, tutor->exercise.attempt->path);
		else if (step && step->file)
			buf_puts(out, step->file->source_path);
	}
}
