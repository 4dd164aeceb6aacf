/* The question of a slide in front of a class: its answers, large, with the hands that were counted for each; then
 * which was right. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "front/screen/parts.h"

#define LARGE 3      /* rows of an answer, with digits to be read from afar */
#define LABEL_COLS 7 /* of its letter */
#define LABEL_COLS_SMALL 3
#define HANDS_COLS_MAX 44
#define HANDS_COLS_SMALL 6 /* a number alone */
#define BAR_COLS_LEAST 70  /* of the pane, for bars */
#define DIGIT_COLS 4

/* --- large digits ------------------------------------------------------------------------------------------------- */

/* Five rows of three pixels each, from the top, the left one highest. */
static const uint16_t digits[10] = {075557, 026227, 071747, 071717, 055711, 074717, 074757, 071222, 075757, 075717};

static bool pixel(int digit, int row, int col)
{
	return row < 5 && digits[digit] >> (3 * (4 - row) + 2 - col) & 1;
}

/* Two rows of pixels are one of cells. */
static void draw_digit(struct canvas *canvas, int row, int col, int digit, enum role role)
{
	static const uint32_t cells[2][2] = {{' ', GLYPH_BLOCK_LOWER}, {GLYPH_BLOCK_UPPER, GLYPH_BLOCK_FULL}};
	for (int r = 0; r < LARGE; r++)
		for (int c = 0; c < 3; c++)
			canvas_put(canvas, row + r, col + c, cells[pixel(digit, 2 * r, c)][pixel(digit, 2 * r + 1, c)],
				role);
}

/* --- one answer --------------------------------------------------------------------------------------------------- */

struct ballot {
	const struct tutor *tutor;
	const struct question *question;
	const struct tutor_vote *vote;
	bool typed, answered;
	int rows;       /* of an answer: LARGE or 1, or more where its text takes them */
	int gap;        /* rows between two of them */
	int hands_cols; /* at the right; 0: none were counted */
	int label_cols;
};

/* A bar, its share of all hands, the hands. */
static void draw_hands(const struct ballot *b, const struct screen_flow *flow, int i, int rows)
{
	const struct tutor_option *o = &b->vote->at[i];
	int most = 1, end = flow->col + flow->cols, middle = flow->row + (rows - 1) / 2;
	enum role role = b->answered && o->right ? ROLE_GOOD : ROLE_LANE;
	for (int k = 0; k < b->vote->n; k++)
		most = b->vote->at[k].hands > most ? b->vote->at[k].hands : most;
	if (b->hands_cols <= HANDS_COLS_SMALL) {
		canvas_textf(flow->canvas, middle, end - HANDS_COLS_SMALL + 1, ROLE_STRONG, "%5d", o->hands);
		return;
	}
	int number = rows >= LARGE ? 4 * DIGIT_COLS + 1 : HANDS_COLS_SMALL, bar = b->hands_cols - number - 2;
	int cols = (o->hands * bar + most - 1) / most, from = end - b->hands_cols + 1;
	canvas_paint(flow->canvas, (struct rect){rows >= LARGE ? flow->row : middle, from, rows >= LARGE ? 2 : 1, cols},
		role);
	if (rows >= LARGE) {
		canvas_textf(flow->canvas, flow->row + 2, from, ROLE_TEXT, "%d %%",
			(o->hands * 100 + b->vote->hands / 2) / b->vote->hands);

		int left = o->hands;
		do {
			end -= DIGIT_COLS;
			draw_digit(flow->canvas, flow->row, end, left % 10, ROLE_STRONG);
			left /= 10;
		} while (left > 0);
	} else {
		canvas_textf(flow->canvas, middle, end - HANDS_COLS_SMALL + 1, ROLE_STRONG, "%5d", o->hands);
	}
}

static int text_rows(const char *text, int cols)
{
	struct screen_flow measure = screen_flow_measure(cols);
	screen_flow_plain(&measure, ROLE_TEXT, "", 0, text);
	return measure.row;
}

static int text_cols_of(const struct ballot *b, const struct screen_flow *flow)
{
	int cols = flow->cols - b->label_cols - 2 - (b->hands_cols ? b->hands_cols + 1 : 0);
	return cols > 8 ? cols : 8;
}

static const char *text_of_option(const struct ballot *b, int i)
{
	return b->typed ? "" : b->question->choices[i].text;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static void flow_ballot(struct screen_flow *flow, const struct ballot *b)
{
	screen_flow_plain(flow, ROLE_TITLE, "", 0, b->question->ask);
	/* What numbers are typed of. */
	char lead[16];
	for (int i = 0; b->typed && i < b->question->n_choices; i++) {
		snprintf(lead, sizeof lead, "%d  ", i + 1);
		screen_flow_plain(flow, ROLE_STRONG, lead, 3, b->question->choices[i].text);
	}
	if (b->vote->n)
		flow->row += b->gap || b->rows >= LARGE ? 1 : 0;
	for (int i = 0; i < b->vote->n; i++) {
		int text = text_rows(text_of_option(b, i), text_cols_of(b, flow)),
		    rows = text > b->rows ? text : b->rows;
		bool right = b->answered && b->vote->at[i].right;

		char label[40];
		if (b->typed)
			snprintf(label, sizeof label, "%s", b->vote->at[i].answer);
		else
			snprintf(label, sizeof label, "%c", 'A' + i);

		bool lit = i == b->vote->chosen && b->vote->hands > 0;
		enum role fill = b->answered ? (b->vote->at[i].right ? ROLE_GOOD : ROLE_RESULT)
			: lit                ? ROLE_WAVE2
					     : ROLE_LANE;
		canvas_label(flow->canvas, (struct rect){flow->row, flow->col, rows, b->label_cols}, fill, label);

		struct screen_flow words = *flow;
		words.col += b->label_cols + 2;
		words.cols = text_cols_of(b, flow);
		words.row += (rows - text) / 2;
		screen_flow_plain(&words, right ? ROLE_GOOD : ROLE_STRONG, right && text == 1 ? "✓ " : "", 0,
			text_of_option(b, i));
		if (b->hands_cols)
			draw_hands(b, flow, i, rows);
		flow->row += rows + (i + 1 < b->vote->n ? b->gap : 0);
	}

	/* What is being typed, or that it can be. */
	if (b->typed && !b->answered) {
		screen_flow_gap(flow);
		if (b->vote->typed[0]) {
			int col = flow->col + canvas_text(flow->canvas, flow->row, flow->col, ROLE_KEY, "▸ ");
			canvas_textf(flow->canvas, flow->row++, col, ROLE_SELECTED, " %s_ ", b->vote->typed);
		} else if (!b->vote->n) {
			screen_flow_plain(flow, ROLE_DIM, "", 0, _("Call out a number."));
		}
	}

	for (int i = 0; i < b->tutor->answer.hints_shown && i < b->question->n_hints && !b->answered; i++)
		screen_flow_plain(flow, ROLE_EMPH, _("Hint: "), 2, b->question->hints[i]);
	if (b->answered) {
		/* The right answer, where no option is it; what it was turned to; why. */
		const struct tutor *tutor = b->tutor;
		const char *right = tutor->presented->right;
		bool listed = false;
		for (int i = 0; i < b->vote->n; i++)
			listed |= b->vote->at[i].right;
		screen_flow_gap(flow);
		if (right[0] && !listed)
			screen_flow_plain(flow, ROLE_GOOD, "✓ ", 2, right);
		if (tutor->answer.moved && tutor->answer.moved[0]) {
			char now[160];
			snprintf(now, sizeof now, _("Now at %.140s."), tutor->answer.moved);
			screen_flow_plain(flow, ROLE_DIM, "", 0, now);
		}
		if (tutor->answer.explain && tutor->answer.explain[0])
			screen_flow_plain(flow, ROLE_TEXT, "", 0, tutor->answer.explain);
	}
}

void screen_flow_vote(struct screen_flow *flow, const struct tutor *tutor, int roomy)
{
	static const struct {
		int rows, gap;
	} forms[] = {{LARGE, 1}, {LARGE, 0}, {1, 1}, {1, 0}};
	const struct question *q = &tutor_step(tutor)->question;
	struct ballot b = {.tutor = tutor,
		.question = q,
		.vote = tutor->presented->vote,
		.typed = lesson_question_table[q->kind].entry == QUESTION_TYPED,
		.answered = tutor_present_answers(tutor)};
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		struct screen_flow measure = screen_flow_measure(flow->cols);

		bool wide = flow->cols >= BAR_COLS_LEAST;
		b.rows = forms[i].rows;
		b.gap = forms[i].gap;
		b.label_cols = b.rows >= LARGE ? LABEL_COLS : LABEL_COLS_SMALL;
		for (int j = 0; b.typed && j < b.vote->n; j++) {
			int cols = utf8_columns(b.vote->at[j].answer) + 2;
			b.label_cols = cols > b.label_cols ? cols : b.label_cols;
		}
		b.hands_cols = !b.vote->hands             ? 0
			: !wide                           ? HANDS_COLS_SMALL
			: flow->cols / 3 > HANDS_COLS_MAX ? HANDS_COLS_MAX
							  : flow->cols / 3;

		flow_ballot(&measure, &b);
		if (measure.row <= roomy)
			break;
	}
	flow_ballot(flow, &b);
}
