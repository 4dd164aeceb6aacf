#include "front/screen/modes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/utf8.h"
#include "model/hardware/metrics.h"

#define FOUND_MAX 200
#define SNIPPET 24 /* bytes of the text before what was found */
#define BOX_COLS_MAX 100
#define BOX_ROWS_MAX 24

/* A place of the course, or an action. */
struct found {
	const struct lesson *lesson; /* NULL: an action */
	int step;
	enum tutor_action action;
	const struct glossary_term *term; /* NULL: none */
	char what[64], text[160];
};

struct finds {
	struct found at[FOUND_MAX];
	int n;
};

/* --- what is found ------------------------------------------------------------------------------------------------ */

/* Where `word` begins in `text`, ASCII letters in any case; NULL: it is not there. */
static const char *find_word(const char *text, const char *word)
{
	size_t len = strlen(word);
	for (; *text; text++)
		if (strncasecmp(text, word, len) == 0)
			return text;
	return NULL;
}

/* Cuts what was copied in part off at its last whole character. */
static void trim(char *text)
{
	size_t len = strlen(text), from = len;
	uint32_t ch;
	while (from > 0 && ((unsigned char)text[from - 1] & 0xC0) == 0x80)
		from--;
	from -= from > 0;
	if (len > from && utf8_decode(text + from, len - from, &ch) < len - from)
		text[from] = '\0';
	else if (len > from && ch == GLYPH_REPLACEMENT)
		text[from] = '\0';
}

static struct found *add_found(struct finds *finds, const struct lesson *lesson, int step)
{
	if (finds->n == FOUND_MAX)
		return NULL;
	struct found *f = &finds->at[finds->n++];
	*f = (struct found){.lesson = lesson, .step = step};
	if (lesson)
		snprintf(f->what, sizeof f->what, "%.44s %d/%d", lesson->title, step + 1, lesson->n_steps);
	return f;
}

static bool find_in_text(struct finds *finds, const struct lesson *lesson, int step, const char *word)
{
	const struct text *text = &lesson->steps[step].text;
	for (int b = 0; b < text->n_blocks; b++) {
		for (int i = 0; i < text->blocks[b].n_spans; i++) {
			const char *span = text->blocks[b].spans[i].text, *at = find_word(span, word);
			struct found *f = at ? add_found(finds, lesson, step) : NULL;
			if (f) {
				/* The text around what was found in it, from a character's first byte on. */
				const char *from = at - span > SNIPPET ? at - SNIPPET : span;
				while (from > span && ((unsigned char)*from & 0xC0) == 0x80)
					from--;
				snprintf(f->text, sizeof f->text, "%s%.150s", from > span ? "…" : "", from);
				trim(f->text);
			}
			if (at)
				return true;
		}
	}
	return false;
}

static void find_in_metrics(struct finds *finds, const struct lesson *lesson, int step, const char *word)
{
	const struct step *s = &lesson->steps[step];
	for (int i = 0; i < s->n_metrics; i++) {
		enum metric_id id = metric_find(s->metrics[i]);
		if (id == METRIC_NONE ||
			(!find_word(text_translate(metric_table[id].label), word) && !find_word(s->metrics[i], word)))
			continue;
		struct found *f = add_found(finds, lesson, step);
		if (f)
			snprintf(f->text, sizeof f->text, "%s: %.100s", text_translate(metric_table[id].label),
				text_translate(metric_table[id].meaning));
		return;
	}
}

static struct finds *find_all(const struct screen_state *state, const struct tutor *tutor)
{
	struct finds *finds = base_calloc(1, sizeof *finds);
	const char *word = state->finder.typed;
	if (state->finder.kind == ACTION_SEARCH) {
		/* Terms of the glossary, which lead to the step that introduces them. */
		const struct catalog *catalog = tutor->catalog;
		for (int i = 0; i < catalog->n_terms && *word; i++) {
			const struct glossary_term *term = &catalog->terms[i];
			struct diag unheard = {0};
			const struct lesson *lesson;
			int step = 0;
			bool there = find_word(term->term, word) &&
				lesson_catalog_find(catalog, term->where, &lesson, &step, &unheard);
			struct found *f = there ? add_found(finds, lesson, step) : NULL;
			if (f) {
				f->term = term;
				snprintf(f->what, sizeof f->what, "%.60s", term->term);
				snprintf(f->text, sizeof f->text, "%.150s", term->definition);
				trim(f->text);
			}
			diag_free(&unheard);
		}

		/* A step once, for its title, its text or its numbers. Hints and answers are not looked at. */
		for (int l = 0; l < tutor->catalog->n_lessons && *word; l++) {
			const struct lesson *lesson = tutor->catalog->lessons[l];
			bool titled = find_word(lesson->title, word) || find_word(lesson->id, word);
			for (int s = 0; s < lesson->n_steps; s++) {
				const char *title = lesson->steps[s].title;
				if ((titled && s == 0) || find_word(title, word)) {
					struct found *f = add_found(finds, lesson, s);
					if (f)
						snprintf(f->text, sizeof f->text, "%.150s", title);
				} else if (!find_in_text(finds, lesson, s, word)) {
					find_in_metrics(finds, lesson, s, word);
				}
			}
		}

		return finds;
	}
	if (state->finder.kind == ACTION_PALETTE) {
		enum tutor_key_mode mode = tutor_key_mode_of(tutor);
		for (int i = 0; i < tutor_key_count; i++) {
			const struct tutor_key *key = &tutor_keys[i];
			bool there = key->action == ACTION_PALETTE ||
				key->action == ACTION_REDRAW; /* open; cannot be typed */
			for (int k = 0; k < finds->n; k++)
				there |= finds->at[k].action == key->action;
			if (there || !tutor_key_counts(key, mode) || !tutor_can(tutor, key->action))
				continue;
			if (!find_word(text_translate(tutor_actions[key->action].help), word) &&
				!find_word(tutor_actions[key->action].name, word))
				continue;
			struct found *f = add_found(finds, NULL, 0);
			if (!f)
				break;
			f->action = key->action;
			snprintf(f->what, sizeof f->what, "%s", key_label(key->key).text);
			snprintf(f->text, sizeof f->text, "%s", text_translate(tutor_actions[key->action].help));
		}
	}

	/* The steps of the lesson that is open: by number, or also by a word of the title. */
	const struct lesson *lesson = tutor->at.mode == TUTOR_LESSON ? tutor->at.lesson : NULL;
	for (int s = 0; lesson && s < lesson->n_steps; s++) {
		char number[16];
		snprintf(number, sizeof number, "%d", s + 1);
		if (strncmp(number, word, strlen(word)) != 0 && !find_word(lesson->steps[s].title, word))
			continue;
		struct found *f = add_found(finds, lesson, s);
		if (f)
			snprintf(f->text, sizeof f->text, "%.150s", lesson->steps[s].title);
	}

	if (state->finder.kind == ACTION_PALETTE) {
		/* Those of the course by a word of the title, after those of the open lesson. */
		const struct catalog *c = tutor->catalog;
		const struct lesson *open = tutor->at.mode == TUTOR_LESSON ? tutor->at.lesson : NULL;
		for (int l = 0; l < c->n_lessons && *word; l++)
			for (int s = 0; c->lessons[l] != open && s < c->lessons[l]->n_steps; s++) {
				const char *title = c->lessons[l]->steps[s].title;
				bool there = find_word(title, word) ||
					(s == 0 && find_word(c->lessons[l]->title, word));
				struct found *f = there ? add_found(finds, c->lessons[l], s) : NULL;
				if (f)
					snprintf(f->text, sizeof f->text, "%.150s", title);
			}
	}
	return finds;
}

/* --- keys --------------------------------------------------------------------------------------------------------- */

static void move_chosen(struct screen_state *state, const struct tutor *tutor, int by)
{
	struct finds *finds = find_all(state, tutor);
	int last = finds->n ? finds->n - 1 : 0, to = state->finder.chosen + by;
	state->finder.chosen = to < 0 ? 0 : to > last ? last : to;
	free(finds);
}

enum { PAGE_UP = SCREEN_OWN, PAGE_DOWN, COMPLETE, GO, CLOSE, RUB_OUT };

static const struct screen_mode_key keys[] = {{KEYC_UP, ACTION_UP}, {KEYC_DOWN, ACTION_DOWN}, {KEYC_PGUP, PAGE_UP},
	{KEYC_PGDN, PAGE_DOWN}, {KEYC_TAB, COMPLETE}, {KEYC_ENTER, GO}, {KEYC_ESC, CLOSE}, {KEYC_BACKSPACE, RUB_OUT},
	{KEYC_DEL, RUB_OUT}, {0}};

static bool act_on_finder(const struct screen_subject *on, int action)
{
	struct screen_state *state = on->state;
	tutor_dismiss_notice(on->tutor);
	switch (action) {
	case ACTION_UP: move_chosen(state, on->tutor, -1); break;
	case ACTION_DOWN: move_chosen(state, on->tutor, 1); break;
	case PAGE_UP: move_chosen(state, on->tutor, -10); break;
	case PAGE_DOWN: move_chosen(state, on->tutor, 10); break;
	case COMPLETE: {
		/* What is typed becomes what is chosen; where it is that already, or in a search, the next one is
		 * chosen. */
		struct screen_finder *finder = &state->finder;
		struct finds *finds = find_all(state, on->tutor);
		char whole[sizeof finder->typed] = "";
		if (finder->kind != ACTION_SEARCH && finder->chosen < finds->n) {
			snprintf(whole, sizeof whole, "%.*s", (int)sizeof whole - 1, finds->at[finder->chosen].text);
			trim(whole);
		}
		free(finds);
		if (!whole[0] || strcmp(whole, finder->typed) == 0) {
			move_chosen(state, on->tutor, 1);
		} else {
			strcpy(finder->typed, whole);
			finder->chosen = 0;
		}
		break;
	}
	case GO: {
		struct tutor *tutor = on->tutor;
		struct finds *finds = find_all(state, tutor);
		int chosen = state->finder.chosen < finds->n ? state->finder.chosen : -1;
		screen_pop(&state->modes, &screen_mode_finder);
		const struct glossary_term *term = chosen >= 0 ? finds->at[chosen].term : NULL;
		if (chosen >= 0 && finds->at[chosen].lesson)
			tutor_open(tutor, finds->at[chosen].lesson, finds->at[chosen].step);
		if (term)
			snprintf(tutor->notice, sizeof tutor->notice, "%s: %s", term->term, term->definition);
		else if (chosen >= 0 && !finds->at[chosen].lesson)
			screen_act(state, tutor, finds->at[chosen].action);
		free(finds);
		break;
	}
	case CLOSE: screen_pop(&state->modes, &screen_mode_finder); break;
	case RUB_OUT: {
		struct screen_finder *finder = &state->finder;
		size_t len = strlen(finder->typed);
		while (len > 0 && ((unsigned char)finder->typed[--len] & 0xC0) == 0x80)
			;
		finder->typed[len] = '\0';
		finder->chosen = 0;
		break;
	}
	default: break;
	}
	return true;
}

static bool type(const struct screen_subject *on, key_code key)
{
	struct screen_finder *finder = &on->state->finder;
	char text[5] = "";
	size_t len = strlen(finder->typed), more = key_types(key) && utf8_width(key) == 1 ? utf8_put(key, text) : 0;
	tutor_dismiss_notice(on->tutor);
	if (more && len + more < sizeof finder->typed) {
		memcpy(finder->typed + len, text, more + 1);
		finder->chosen = 0;
	}
	return true;
}

static void paste(const struct screen_subject *on, const char *text)
{
	screen_type_line(on, text, type);
}

/* --- the box ------------------------------------------------------------------------------------------------------ */

static void draw_finder(struct screen_sketch *sketch)
{
	static const char *const titles[] = {N_("search the course"), N_("what to do"), N_("go to step")};
	struct canvas *canvas = sketch->canvas;
	const struct screen_finder *finder = &sketch->state->finder;
	struct finds *finds = find_all(sketch->state, sketch->tutor);
	int cols = canvas->cols - 4 < BOX_COLS_MAX ? canvas->cols - 4 : BOX_COLS_MAX;
	int rows = canvas->rows - 4 < BOX_ROWS_MAX ? canvas->rows - 4 : BOX_ROWS_MAX;
	struct rect box = {2, (canvas->cols - cols) / 2, rows, cols};
	canvas_fill(canvas, box, ' ', ROLE_TEXT);
	struct rect in = canvas_box(canvas, box, ROLE_FRAME, text_translate(titles[finder->kind - ACTION_SEARCH]));
	int col = in.col + 1 + canvas_text(canvas, in.row, in.col + 1, ROLE_KEY, "▸ ");
	col += canvas_text(canvas, in.row, col, ROLE_STRONG, finder->typed);
	canvas_put(canvas, in.row, col, '_', ROLE_KEY);

	struct rect r = (struct rect){in.row + 2, in.col, in.rows - 2, in.cols};
	int chosen = sketch->state->finder.chosen, first = chosen >= r.rows ? chosen - r.rows + 1 : 0, what = 12;
	for (int i = 0; i < finds->n; i++)
		what = utf8_columns(finds->at[i].what) > what ? utf8_columns(finds->at[i].what) : what;
	what = what > r.cols / 2 ? r.cols / 2 : what;
	for (int i = first; i < finds->n && i - first < r.rows; i++) {
		struct rect row = {r.row + i - first, r.col, 1, r.cols};
		canvas_text_fit(canvas, (struct rect){row.row, row.col + 1, 1, what}, ROLE_KEY, finds->at[i].what);
		canvas_text_fit(canvas, (struct rect){row.row, row.col + what + 3, 1, row.cols - what - 4}, ROLE_TEXT,
			finds->at[i].text);
		if (i == chosen)
			canvas_recolor(canvas, row, ROLE_SELECTED);
	}

	char text[64];
	if (finds->n == 0 && (finder->typed[0] || finder->kind != ACTION_SEARCH))
		canvas_text(canvas, in.row + 2, in.col + 1, ROLE_DIM, _("nothing found"));
	snprintf(text, sizeof text, _("%d%s found, Enter goes there, Esc closes"), finds->n,
		finds->n == FOUND_MAX ? _(" or more") : "");
	screen_draw_label(canvas, (struct rect){box.row + box.rows - 1, box.col + 2, 1, box.cols - 4}, ROLE_DIM, text);
	if (sketch->targets)
		sketch->targets->n = 0;
	free(finds);
}

const struct screen_mode screen_mode_finder = {.keys = keys,
	.act = act_on_finder,
	.key = type,
	.draw = draw_finder,
	.paste = paste};
