/* Keys and actions: down the stack of modes, to the session at its foot. */
#include "front/screen/modes.h"

#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "front/screen/parts.h"
#include "front/tutor/keys.h"
#include "front/tutor/playground.h"
#include "front/tutor/present.h"

/* --- the stack ---------------------------------------------------------------------------------------------------- */

void screen_push(struct screen_modes *modes, const struct screen_mode *mode)
{
	assert(modes->n < SCREEN_MODES_MAX);
	modes->at[modes->n++] = mode;
}

void screen_pop(struct screen_modes *modes, const struct screen_mode *mode)
{
	assert(screen_top(modes) == mode);
	(void)mode;
	modes->n--;
}

bool screen_has(const struct screen_modes *modes, const struct screen_mode *mode)
{
	for (int i = 0; i < modes->n; i++)
		if (modes->at[i] == mode)
			return true;
	return false;
}

const struct screen_mode *screen_top(const struct screen_modes *modes)
{
	return modes->n ? modes->at[modes->n - 1] : NULL;
}

void screen_modes_key(const struct screen_mode *const *modes, int n, const struct screen_subject *on, key_code key)
{
	for (int i = n - 1; i >= 0; i--) {
		const struct screen_mode *mode = modes[i];
		const struct screen_mode_key *row = mode->keys;
		while (row && row->key != KEYC_NONE && row->key != key)
			row++;
		if (row && row->key != KEYC_NONE ? mode->act(on, row->action) : mode->key && mode->key(on, key))
			return;
	}
}

void screen_modes_act(const struct screen_mode *const *modes, int n, const struct screen_subject *on, int action)
{
	for (int i = n - 1; i >= 0; i--)
		if (modes[i]->act && modes[i]->act(on, action))
			return;
}

/* --- an answer ---------------------------------------------------------------------------------------------------- */

/* Digits and what else stands in numbers; while one is typed, whatever has no other meaning, too. */
static bool key_of_answer(const struct screen_subject *on, key_code key)
{
	const struct tutor *tutor = on->tutor;
	enum tutor_action action = tutor_key_action(tutor_key_mode_of(tutor), key);
	bool plays = (action >= ACTION_PLAY && action <= ACTION_PLAY_PACE) ||
		(action >= ACTION_SEARCH && action <= ACTION_GOTO) || action == ACTION_POINT;
	bool other = action == ACTION_NONE || plays || (action == ACTION_EDIT && !tutor_can(tutor, action));
	bool number = (key >= '0' && key <= '9') || key == ',' || key == '-' || key == '.';
	if (key == KEYC_DEL)
		key = KEYC_BACKSPACE;
	if (key != KEYC_BACKSPACE && (key <= ' ' || key > '~' || !(number || other)))
		return false;
	if (key != KEYC_BACKSPACE && !tutor_typing(tutor) && (!number || key == '.')) /* it plays */
		return false;
	tutor_dismiss_notice(on->tutor);
	tutor_type(on->tutor, key);
	return true;
}

const struct screen_mode screen_mode_answer = {.key = key_of_answer};

/* --- the session -------------------------------------------------------------------------------------------------- */

static bool key_of_session(const struct screen_subject *on, key_code key)
{
	screen_act(on->state, on->tutor, tutor_key_action(tutor_key_mode_of(on->tutor), key));
	return true;
}

/* What opens something over the screen, or is the caller's; all else is the session's. */
static bool act_on_session(const struct screen_subject *on, int action)
{
	struct screen_state *state = on->state;
	struct tutor *tutor = on->tutor;
	switch (action) {
	case ACTION_HELP:
		state->help_scroll = 0;
		screen_push(&state->modes, &screen_mode_help);
		return true;
	case ACTION_SETTINGS:
		if (tutor_can(tutor, ACTION_SETTINGS)) {
			state->setting_at = 0;
			screen_push(&state->modes, &screen_mode_settings);
		}
		return true;
	case ACTION_SEARCH:
	case ACTION_PALETTE:
	case ACTION_GOTO:
		if (action == ACTION_GOTO && tutor->at.mode != TUTOR_LESSON)
			break;
		state->finder = (struct screen_finder){.kind = (enum tutor_action)action};
		screen_push(&state->modes, &screen_mode_finder);
		return true;
	case ACTION_DEBUG: screen_stepper_open(state, tutor); return true;
	case ACTION_POINT:
	case ACTION_POINT_UP:
	case ACTION_POINT_DOWN:
	case ACTION_POINT_LEFT:
	case ACTION_POINT_RIGHT:
	case ACTION_POINT_PANE:
	case ACTION_POINT_END: screen_point_act(state, tutor, (enum tutor_action)action); return true;
	case ACTION_COPY:
	case ACTION_COPY_PATH:
		state->copy_asked = tutor_can(tutor, (enum tutor_action)action) ? (enum tutor_action)action
										: ACTION_NONE;
		return true;
	case ACTION_PLAYGROUND:
		if (tutor->playground)
			break;
		state->playground_asked = tutor_can(tutor, ACTION_PLAYGROUND);
		return true;
	case ACTION_EDIT:
		if (!tutor->playground && tutor_can(tutor, ACTION_EDIT))
			state->edit_asked = !tutor_edit_asks(tutor);
		break;
	default: break;
	}
	tutor_act(tutor, (enum tutor_action)action);
	return true;
}

static bool type_into_answer(const struct screen_subject *on, key_code key)
{
	if (key > ' ' && key <= '~')
		tutor_type(on->tutor, key);
	return true;
}

static void paste_to_session(const struct screen_subject *on, const char *text)
{
	if (on->tutor->presented)
		return;
	if (on->tutor->playground)
		tutor_playground_paste(on->tutor, text);
	else if (tutor_typing(on->tutor))
		screen_type_line(on, text, type_into_answer);
	else
		tutor_notice(on->tutor,
			_("Pasted text is taken where text is typed: in the playground (P), in / and :, in an answer."));
}

static void draw_session_keys(struct screen_sketch *sketch, int row)
{
	screen_draw_keys(sketch, row, tutor_key_mode_of(sketch->tutor));
}

static const struct screen_mode session_mode = {.key = key_of_session,
	.act = act_on_session,
	.footer = draw_session_keys,
	.paste = paste_to_session};

/* --- all of them -------------------------------------------------------------------------------------------------- */

#define FLOOR_MAX 5

/* The modes that hold now: the session, what it is in by itself, then what the reader has opened. */
static int list_modes(const struct screen_state *state, const struct tutor *tutor,
	const struct screen_mode *modes[FLOOR_MAX + SCREEN_MODES_MAX])
{
	int n = 0;
	bool pad = tutor->playground && tutor->playground->typing;
	modes[n++] = &session_mode;
	if (tutor->at.mode == TUTOR_LESSON)
		modes[n++] = &screen_mode_lesson;
	if (!tutor->presented && !pad)
		modes[n++] = &screen_mode_answer;
	if (screen_is_pointing(state, tutor))
		modes[n++] = &screen_mode_pointing;
	if (tutor->presented)
		modes[n++] = &screen_mode_slide;
	else if (pad)
		modes[n++] = &screen_mode_pad;
	for (int i = 0; i < state->modes.n; i++)
		modes[n++] = state->modes.at[i];
	return n;
}

void screen_key(struct screen_state *state, struct tutor *tutor, key_code key)
{
	const struct screen_mode *modes[FLOOR_MAX + SCREEN_MODES_MAX];
	state->theme_asked = state->setting_changed = state->playground_asked = state->edit_asked = false;
	state->copy_asked = ACTION_NONE;
	state->hovered = (struct view_pick){0};
	int n = list_modes(state, tutor, modes);
	screen_modes_key(modes, n, &(struct screen_subject){.state = state, .tutor = tutor}, key);
	screen_follow(state, tutor);
}

void screen_act(struct screen_state *state, struct tutor *tutor, enum tutor_action action)
{
	const struct screen_mode *modes[FLOOR_MAX + SCREEN_MODES_MAX];
	tutor_dismiss_notice(tutor);
	state->edit_asked = false;
	state->theme_asked |= action == ACTION_THEME;
	int n = list_modes(state, tutor, modes);
	if (action != ACTION_NONE && action != ACTION_REDRAW && action != ACTION_THEME)
		screen_modes_act(modes, n, &(struct screen_subject){.state = state, .tutor = tutor}, action);
	screen_follow(state, tutor);
}

void screen_draw_footer(struct screen_sketch *sketch, int row)
{
	const struct screen_mode *modes[FLOOR_MAX + SCREEN_MODES_MAX];
	int n = list_modes(sketch->state, sketch->tutor, modes);
	while (!modes[n - 1]->footer)
		n--;
	modes[n - 1]->footer(sketch, row);
}

/* --- what is pasted ----------------------------------------------------------------------------------------------- */

void screen_type_line(
	const struct screen_subject *on, const char *text, bool (*key)(const struct screen_subject *on, key_code key))
{
	uint32_t ch;
	for (size_t len = strcspn(text, "\n"), at = 0; at < len;) {
		at += utf8_decode(text + at, len - at, &ch);
		if (ch == ' ' || ch == '\t')
			key(on, KEYC_SPACE);
		else if (utf8_invalid_byte(ch) < 0 && utf8_is_graphic(ch))
			key(on, ch);
	}
}

void screen_paste(struct screen_state *state, struct tutor *tutor, const char *text)
{
	const struct screen_subject on = {.state = state, .tutor = tutor};
	const struct screen_mode *top = screen_top(&state->modes);
	if (!top || !top->alone)
		tutor_dismiss_notice(tutor);
	if (!top)
		top = &session_mode;
	if (top->paste)
		top->paste(&on, text);
	screen_follow(state, tutor);
}
