/* The screen of settings: a box over what is shown, a line for each. */

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "front/screen/flow.h"
#include "front/screen/modes.h"
#include "front/tutor/settings.h"

#define NAME_COLS 13 /* of the longest name, with what marks it */
#define BOX_COLS_MAX 92
#define NOTES_ROWS 3 /* below the list: what the chosen one is, and where they are kept */

static void turn(struct screen_state *state, struct tutor *tutor, int by)
{
	enum tutor_setting id = (enum tutor_setting)state->setting_at;
	if (tutor_setting_turn(tutor->settings, id, by)) {
		state->setting_changed = true;
		return;
	}
	snprintf(tutor->notice, sizeof tutor->notice, _("%s is %.100s. Another one is written into %.400s."),
		tutor_setting_table[id].name, tutor_setting(tutor->settings, id),
		tutor->settings->path ? tutor->settings->path : _("the settings file"));
}

enum { TURN_BACK = SCREEN_OWN, TURN };

static const struct screen_mode_key keys[] = {{KEYC_UP, ACTION_UP}, {'k', ACTION_UP}, {KEYC_DOWN, ACTION_DOWN},
	{'j', ACTION_DOWN}, {KEYC_TAB, ACTION_DOWN}, {KEYC_LEFT, TURN_BACK}, {KEYC_RIGHT, TURN}, {KEYC_ENTER, TURN},
	{KEYC_SPACE, TURN}, {0}};

static bool act_on_settings(const struct screen_subject *on, int action)
{
	struct screen_state *state = on->state;
	tutor_dismiss_notice(on->tutor);
	if (action == TURN_BACK || action == TURN)
		turn(state, on->tutor, action == TURN ? 1 : -1);
	else
		state->setting_at = (state->setting_at + (action == ACTION_UP ? SETTINGS - 1 : 1)) % SETTINGS;
	return true;
}

static bool leave_settings(const struct screen_subject *on, key_code key)
{
	(void)key;
	tutor_dismiss_notice(on->tutor);
	screen_pop(&on->state->modes, &screen_mode_settings);
	return true;
}

void screen_settings_click(struct screen_state *state, struct tutor *tutor, int index)
{
	if (index >= 0 && index < SETTINGS) {
		state->setting_at = index;
		turn(state, tutor, 1);
	} else {
		screen_pop(&state->modes, &screen_mode_settings);
	}
}

/* --- the box ------------------------------------------------------------------------------------------------------ */

static void draw_settings(struct screen_sketch *sketch)
{
	struct canvas *canvas = sketch->canvas;
	int cols = canvas->cols - 2 < BOX_COLS_MAX ? canvas->cols - 2 : BOX_COLS_MAX, rows = SETTINGS + NOTES_ROWS + 3;
	rows = rows < canvas->rows ? rows : canvas->rows;
	struct rect box = {(canvas->rows - rows) / 2, (canvas->cols - cols) / 2, rows, cols};
	if (sketch->targets)
		sketch->targets->n = 0;
	screen_add_target(sketch, (struct rect){0, 0, canvas->rows, canvas->cols}, ACTION_SETTINGS, -1);
	canvas_fill(canvas, box, ' ', ROLE_TEXT);
	struct rect in = canvas_box(canvas, box, ROLE_FRAME, _("settings"));
	for (int i = 0; i < SETTINGS; i++) {
		struct rect r = {in.row + i, in.col + 1, 1, in.cols - 2};
		bool on = i == sketch->state->setting_at;
		canvas_text(canvas, r.row, r.col, ROLE_KEY, on ? "▸" : " ");
		canvas_text(canvas, r.row, r.col + 2, on ? ROLE_STRONG : ROLE_TEXT, tutor_setting_table[i].name);
		struct rect values = {r.row, r.col + NAME_COLS, 1, r.cols - NAME_COLS},
			    old = canvas_clip(canvas, values);

		/* All values with the present one lit; or that alone, where it is none of them. Where there is no room
		 * for all, the first ones are left out, up to the present one. */
		const struct tutor_setting_row *setting = &tutor_setting_table[i];
		const char *present = tutor_setting(sketch->tutor->settings, (enum tutor_setting)i);
		char one[SETTING_VALUE_MAX];
		int n_words = 0;
		for (const char *at = setting->values; *at; at += strspn(at, " "), n_words++)
			at += strcspn(at, " ");
		bool listed = false, roomy = (int)strlen(setting->values) + n_words < values.cols;
		int col = values.col;
		for (const char *at = setting->values; *at; at += strspn(at, " ")) {
			size_t len = strcspn(at, " ");
			bool is_present = strlen(present) == len && strncmp(at, present, len) == 0;
			listed |= is_present;
			if (is_present || listed || (int)strlen(at) < values.cols) {
				snprintf(one, sizeof one, roomy ? " %.*s " : "%.*s", (int)len, at);
				col += canvas_text(
					       canvas, values.row, col, is_present ? ROLE_SELECTED : ROLE_DIM, one) +
					!roomy;
			}
			at += len;
		}
		if (!listed)
			canvas_text_fit(canvas,
				(struct rect){values.row, col + 1, 1, values.col + values.cols - col - 1},
				ROLE_SELECTED, present);

		canvas_unclip(canvas, old);
		screen_add_target(sketch, r, ACTION_SETTINGS, i);
	}
	canvas_hline(canvas, in.row + SETTINGS, in.col, in.cols, ROLE_FRAME);

	/* What the chosen one is, and where it is kept. */
	struct rect r = {in.row + SETTINGS + 1, in.col + 1, in.rows - SETTINGS - 1, in.cols - 2};
	const struct tutor_setting_row *chosen = &tutor_setting_table[sketch->state->setting_at];
	const struct tutor_settings *settings = sketch->tutor->settings;
	struct screen_flow flow = {.canvas = sketch->canvas, .row = r.row, .col = r.col, .cols = r.cols};
	char text[300];
	struct rect old = canvas_clip(canvas, r);
	snprintf(text, sizeof text, "%s%s%s.", text_translate(chosen->meaning), *chosen->when ? "; " : "",
		text_translate(chosen->when));
	screen_flow_plain(&flow, ROLE_TEXT, "", 0, text);
	if (settings->path)
		screen_flow_path(&flow, settings->path);
	else
		screen_flow_plain(
			&flow, ROLE_DIM, "", 0, _("The settings file cannot be used; changes are for this time."));
	canvas_unclip(canvas, old);

	screen_draw_label(canvas, (struct rect){box.row + box.rows - 1, box.col + 2, 1, box.cols - 4}, ROLE_DIM,
		_("↑ ↓ choose, ← → change, Esc closes"));
}

const struct screen_mode screen_mode_settings = {.keys = keys,
	.act = act_on_settings,
	.key = leave_settings,
	.draw = draw_settings};
