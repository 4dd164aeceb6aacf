/* Keys and actions: those of the screen itself change its state, all others go to the session. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "front/screen/finder.h"
#include "front/screen/pad.h"
#include "front/screen/point.h"
#include "front/screen/settings.h"
#include "front/screen/stepper.h"
#include "front/tutor/keys.h"
#include "front/tutor/playground.h"
#include "front/tutor/present.h"
#include "front/tutor/settings.h"

#define HELP_PAGE 10
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

/* --- playing ---------------------------------------------------------------------------------------------------------- */
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

static void act_on_moment(struct screen_state *state, struct tutor *tutor, enum tutor_action action)
{
	if (!tutor_can(tutor, action))
		return;
	state->played = tutor->shown.view;
	if (action == ACTION_PLAY && tutor_setting_is(tutor->settings, SETTING_MOTION, "off")) {
		move_moment(state, tutor, 1);
	} else if (action == ACTION_PLAY_PACE) {
		state->pace = (state->pace + 1) % PACES;
		snprintf(tutor->notice, sizeof tutor->notice, _("A moment takes %.2g s."), pace_ms[state->pace] / 1e3);
	} else if (action == ACTION_PLAY) {
		state->playing = !state->playing;
		if (state->playing)
			move_moment(state, tutor, 1);
	} else {
		state->playing = false;
		move_moment(state, tutor, action == ACTION_PLAY_BACK ? -1 : 1);
	}
}

/* --- the rest --------------------------------------------------------------------------------------------------------- */
static void scroll_text(struct screen_state *state, int by)
{
	state->text_scroll = state->text_scroll + by < 0 ? 0 : state->text_scroll + by;
}

/* Both, the picture, the text; where both have no room beside each other, the text is what "both" shows. */
static void turn_focus(struct screen_state *state, const struct tutor *tutor)
{
	enum screen_focus next = (enum screen_focus)((state->focus + 1) % SCREEN_FOCUSES);
	if (next == SCREEN_TEXT && tutor->presented)
		next = SCREEN_BOTH;
	if (next == SCREEN_TEXT && !tutor->explored && !screen_has_both(state->rows, state->cols))
		next = SCREEN_BOTH;
	state->focus = tutor_can(tutor, ACTION_ZOOM) ? next : SCREEN_BOTH;
}

/* Any key that does not scroll closes the list of keys and does nothing else. */
static void act_on_help(struct screen_state *state, enum tutor_action action)
{
	switch (action) {
	case ACTION_UP: state->help_scroll--; break;
	case ACTION_DOWN: state->help_scroll++; break;
	case ACTION_PAGE_UP: state->help_scroll -= HELP_PAGE; break;
	case ACTION_PAGE_DOWN: state->help_scroll += HELP_PAGE; break;
	default: state->help = false; break;
	}
}

/* False: it is the session's. */
static bool act_on_lesson(struct screen_state *state, struct tutor *tutor, enum tutor_action action)
{
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
	case ACTION_ZOOM: turn_focus(state, tutor); return true;
	case ACTION_PLAY:
	case ACTION_PLAY_BACK:
	case ACTION_PLAY_FORWARD:
	case ACTION_PLAY_PACE: act_on_moment(state, tutor, action); return true;
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
	case ACTION_SLIDE_ESCAPE:
		state->moment = 0;
		state->playing = false;
		state->focus = SCREEN_BOTH;
		return false;
	default: return false;
	}
}

static bool act_on_screen(struct screen_state *state, struct tutor *tutor, enum tutor_action action)
{
	state->theme_asked |= action == ACTION_THEME;
	if (action == ACTION_NONE || action == ACTION_REDRAW || action == ACTION_THEME)
		return true;
	if (tutor->presented && tutor->presented->blank)
		return false;
	if (state->settings) { /* the wheel */
		screen_settings_key(state, tutor, action == ACTION_UP ? "Up" : "Down");
		return true;
	}
	if (state->finder.kind != ACTION_NONE) { /* the wheel */
		if (action == ACTION_UP || action == ACTION_DOWN)
			screen_finder_move(state, tutor, action == ACTION_UP ? -1 : 1);
		return true;
	}
	if (action == ACTION_HELP) {
		state->help = !state->help;
		state->help_scroll = 0;
		return true;
	}
	if (action == ACTION_QUIT)
		return false;
	if (state->help) {
		act_on_help(state, action);
		return true;
	}
	if (action == ACTION_SETTINGS) {
		if (tutor_can(tutor, action))
			screen_settings_open(state);
		return true;
	}
	if (action == ACTION_COPY || action == ACTION_COPY_PATH) {
		state->copy_asked = tutor_can(tutor, action) ? action : ACTION_NONE;
		return true;
	}
	if (action == ACTION_PLAYGROUND && !tutor->playground) {
		state->playground_asked = tutor_can(tutor, action);
		return true;
	}
	if (action == ACTION_DEBUG) {
		screen_stepper_open(state, tutor);
		return true;
	}
	if (action == ACTION_EDIT && !tutor->playground && tutor_can(tutor, action)) {
		state->edit_asked = !tutor_edit_asks(tutor);
		return false;
	}
	if (screen_finder_open(state, tutor, action) || screen_point_act(state, tutor, action))
		return true;
	return tutor->at.mode == TUTOR_LESSON && act_on_lesson(state, tutor, action);
}

/* A line that is pointed at becomes the watched one. */
static bool watch_picked(struct screen_state *state, struct tutor *tutor, enum tutor_action action)
{
	bool over = state->help || state->finder.kind != ACTION_NONE;
	if (over || action != ACTION_OPEN || !tutor->explored || state->picked.thing != THING_LINE)
		return false;
	tutor_watch_line(tutor, (int)state->picked.index);
	screen_point_end(state);
	return true;
}

/* What is pointed at answers the question that asks for it. */
static bool answer_picked(struct screen_state *state, struct tutor *tutor, enum tutor_action action)
{
	static const enum view_thing things[QUESTION_THINGS] = {
		[QUESTION_OF_LANE] = THING_LANE, [QUESTION_OF_BANK] = THING_BANK, [QUESTION_OF_LINE] = THING_LINE};
	bool over = state->help || state->settings || state->finder.kind != ACTION_NONE;
	int thing = 0;
	if (over || action != ACTION_OPEN || !state->pointing || tutor_typing(tutor))
		return false;
	while (thing < QUESTION_THINGS && things[thing] != state->picked.thing)
		thing++;
	return tutor_answer_pointed(tutor, (enum question_thing)thing, state->picked.index);
}

void screen_act(struct screen_state *state, struct tutor *tutor, enum tutor_action action)
{
	tutor_dismiss_notice(tutor);
	state->edit_asked = false;
	if (!watch_picked(state, tutor, action) && !answer_picked(state, tutor, action) &&
		!act_on_screen(state, tutor, action))
		tutor_act(tutor, action);
	screen_follow(state, tutor);
}

/* --- keys ------------------------------------------------------------------------------------------------------------- */

/* Digits and what else stands in numbers; while one is typed, whatever has no other meaning, too. */
static bool is_answer(
	const struct screen_state *state, const struct tutor *tutor, const char *key, enum tutor_action action)
{
	bool plays = (action >= ACTION_PLAY && action <= ACTION_PLAY_PACE) ||
		(action >= ACTION_SEARCH && action <= ACTION_GOTO) || action == ACTION_POINT;
	bool other = action == ACTION_NONE || plays || (action == ACTION_EDIT && !tutor_can(tutor, action));
	if (!key[0] || key[1])
		return !strcmp(key, "Backspace");
	if (key[0] == '.' && !tutor_typing(tutor)) /* it plays */
		return false;
	return strchr("0123456789.,-", key[0]) || (other && tutor_typing(tutor) && !state->help);
}

/* From topic to topic. False: the key has another meaning. */
static bool turn_help(struct screen_state *state, const struct tutor *tutor, const char *key)
{
	bool on = strcmp(key, "Right") == 0 || strcmp(key, "Tab") == 0, back = strcmp(key, "Left") == 0;
	if (on || back)
		screen_help_turn(state, tutor, on ? 1 : -1);
	return on || back;
}

/* False: the key means something else. */
static bool type_to_slide(struct tutor *tutor, const char *key)
{
	bool back = strcmp(key, "Backspace") == 0;
	if (!back && (!key[0] || key[1] || !strchr("0123456789.-", key[0])))
		return false;
	return !tutor->presented->blank && tutor_present_type(tutor, back ? 8 : (uint32_t)key[0]);
}

void screen_key(struct screen_state *state, struct tutor *tutor, const char *key)
{
	static const char *const passed[] = {"Enter", "q", "Q", "?", "/", ":", "T", "P"};
	bool one = key[0] && !key[1], pass = !state->welcome;
	bool over = state->help || state->settings || state->stepper || state->finder.kind != ACTION_NONE;
	bool typed = tutor->playground && tutor->playground->typing && !over;
	if (strcmp(key, "Del") == 0 && !typed)
		key = "Backspace";
	for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
		pass = pass || strcmp(key, passed[i]) == 0;
	state->welcome = false;
	if (!pass)
		return;
	state->theme_asked = state->setting_changed = state->playground_asked = false;
	state->hovered = (struct view_pick){0};
	state->copy_asked = ACTION_NONE;
	state->edit_asked = false;
	if (state->stepper) {
		screen_stepper_key(state, key);
		return;
	}
	if (state->settings) {
		tutor_dismiss_notice(tutor);
		screen_settings_key(state, tutor, key);
		return;
	}
	if (state->finder.kind != ACTION_NONE) {
		tutor_dismiss_notice(tutor);
		screen_finder_key(state, tutor, key);
		screen_follow(state, tutor);
		return;
	}
	if (typed && screen_pad_key(state, tutor, key)) {
		screen_follow(state, tutor);
		return;
	}
	if (state->help && turn_help(state, tutor, key))
		return;
	enum tutor_action action = tutor_key_now(tutor, screen_is_pointing(state, tutor) && !state->help, key);
	if (action == ACTION_NONE && state->help) {
		state->help = false;
		return;
	}
	if (tutor->presented && !state->help && type_to_slide(tutor, key)) {
		screen_follow(state, tutor);
		return;
	}
	if (typed || tutor->presented || !is_answer(state, tutor, key, action)) {
		screen_act(state, tutor, action);
		return;
	}
	tutor_dismiss_notice(tutor);
	tutor_type(tutor, one ? (uint32_t)key[0] : 8);
	screen_follow(state, tutor);
}
