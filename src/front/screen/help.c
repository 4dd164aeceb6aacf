#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "front/screen/keybar.h"
#include "front/screen/modes.h"
#include "front/tutor/playground.h"
#include "model/hardware/metrics.h"

#define KEYS_MAX 64

static const char *help_of(int action)
{
	return text_translate(tutor_actions[action].help);
}

#define TERM_LINES_MAX 24
#define TERM_COLS 40 /* as wide as what keys do */

/* What the step's text calls by a name of the metrics, explained. */
struct terms {
	char texts[TERM_LINES_MAX][TERM_COLS * 4 + 1];
	int n;
};

static int add_term(struct terms *terms, const char *name, struct screen_keybar_line *lines)
{
	enum metric_id id = metric_find(name);
	int n = 0;
	if (id == METRIC_NONE)
		return 0;
	struct buf whole = {0};
	buf_printf(&whole, "%s: %s", text_translate(metric_table[id].label), text_translate(metric_table[id].meaning));
	const char *rest = buf_str(&whole);
	while (*rest && terms->n < TERM_LINES_MAX) {
		char *text = terms->texts[terms->n++];

		/* Cuts a piece off the text that fits in a line, at a blank where there is one. */
		size_t len = strlen(rest), end = len < TERM_COLS ? len : TERM_COLS;
		while (end < len && end > 1 && rest[end] != ' ')
			end--;
		if (end <= 1)
			end = len < TERM_COLS ? len : TERM_COLS;
		snprintf(text, TERM_COLS * 4 + 1, "%.*s", (int)end, rest);
		rest = rest + end + (rest[end] == ' ');

		lines[n] = (struct screen_keybar_line){.help = text};
		if (n == 0)
			snprintf(lines[n].keys, sizeof lines[n].keys, _("term"));
		n++;
	}
	buf_free(&whole);
	return n;
}

/* All lines of the list: keys, the mouse, the step's terms. */
struct help {
	struct screen_keybar_line lines[2 * ACTIONS + TERM_LINES_MAX];
	int n;
	struct terms terms;
};

static void list_help(const struct tutor *tutor, struct help *help)
{
	const struct step *step = tutor_step(tutor);
	enum tutor_key_mode mode = tutor_key_mode_of(tutor);
	enum tutor_key_mode typing = tutor->playground && tutor->playground->kind == PLAYGROUND_KERNEL ? KEYS_EDITING
												       : KEYS_TYPING;
	help->terms.n = 0;

	/* The topics in the order of the table, each with its keys. */
	const char *topic = "";
	int n = 0;
	for (int action = ACTION_NONE + 1; action < ACTIONS; action++) {
		const char *of = tutor_action_topic((enum tutor_action)action);
		if (strcmp(of, topic) == 0)
			continue;
		topic = of;

		struct screen_keybar_line *lines = help->lines + n;
		int cap = 2 * ACTIONS - 2 - n, n_keys = 0;
		struct screen_keybar_key keys[KEYS_MAX];
		for (int i = 0; i < tutor_key_count && n_keys < KEYS_MAX; i++) {
			bool works = tutor_key_counts(&tutor_keys[i], mode) ||
				(mode == KEYS_PLAYGROUND && tutor_keys[i].mode == typing) ||
				((mode == KEYS_LESSON || mode == KEYS_PRESENT) && tutor_keys[i].mode == KEYS_POINTING);
			if (works && strcmp(tutor_action_topic(tutor_keys[i].action), topic) == 0)
				keys[n_keys++] = (struct screen_keybar_key){
					tutor_keys[i].key, tutor_keys[i].footer, (int)tutor_keys[i].action};
		}
		if (n_keys && cap >= 2) {
			lines[0] = (struct screen_keybar_line){.help = text_translate(topic), .heading = true};
			n += 1 + screen_keybar_list(keys, n_keys, help_of, lines + 1, cap - 1);
		}
	}
	help->n = n;

	help->lines[help->n++] = (struct screen_keybar_line){.help = _("click on views, values, lessons; scroll")};
	snprintf(help->lines[help->n - 1].keys, sizeof help->lines[help->n - 1].keys, "%s", _("mouse"));
	if (step && step->text.n_terms)
		help->lines[help->n++] = (struct screen_keybar_line){.help = _("words of this step"), .heading = true};
	for (int i = 0; step && i < step->text.n_terms; i++)
		help->n += add_term(&help->terms, step->text.terms[i], help->lines + help->n);
}

static void lay_out_help(struct screen_state *state, const struct tutor *tutor, int rows, int cols)
{
	(void)cols;
	struct help help;
	list_help(tutor, &help);
	state->help_scroll = screen_keybar_help_scroll(rows, help.n, state->help_scroll);
}

static void draw_help(struct screen_sketch *sketch)
{
	struct help help;
	list_help(sketch->tutor, &help);
	screen_keybar_help(sketch->canvas, help.lines, help.n, sketch->state->help_scroll);
	if (sketch->targets)
		sketch->targets->n = 0;
	screen_add_target(sketch, (struct rect){0, 0, sketch->canvas->rows, sketch->canvas->cols}, ACTION_HELP, -1);
}

/* --- keys --------------------------------------------------------------------------------------------------------- */

enum { NEXT_TOPIC = SCREEN_OWN, TOPIC_BEFORE };

static const struct screen_mode_key keys[] = {
	{KEYC_RIGHT, NEXT_TOPIC}, {KEYC_TAB, NEXT_TOPIC}, {KEYC_LEFT, TOPIC_BEFORE}, {0}};

static bool act_on_help(const struct screen_subject *on, int action)
{
	static const struct screen_keybar_scroll scroll = {ACTION_UP, ACTION_DOWN, ACTION_PAGE_UP, ACTION_PAGE_DOWN};
	struct help help;
	if (action == ACTION_QUIT)
		return false;
	if (action == NEXT_TOPIC || action == TOPIC_BEFORE) {
		list_help(on->tutor, &help);
		on->state->help_scroll = screen_keybar_heading(
			help.lines, help.n, on->state->help_scroll, action == NEXT_TOPIC ? 1 : -1);
	} else if (!screen_keybar_scrolls(&scroll, action, &on->state->help_scroll)) {
		screen_pop(&on->state->modes, &screen_mode_help);
	}
	return true;
}

/* A key that does not scroll closes the list and does nothing else. */
static bool key_of_help(const struct screen_subject *on, key_code key)
{
	enum tutor_action action = tutor_key_action(tutor_key_mode_of(on->tutor), key);
	if (action == ACTION_NONE)
		screen_pop(&on->state->modes, &screen_mode_help);
	else
		screen_act(on->state, on->tutor, action);
	return true;
}

const struct screen_mode screen_mode_help = {.keys = keys,
	.act = act_on_help,
	.key = key_of_help,
	.lay_out = lay_out_help,
	.draw = draw_help};
