#include "front/screen/parts.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "front/tutor/settings.h"

#define FIELD_COLS 12

void screen_flow_question(struct screen_flow *flow, const struct tutor *tutor, const struct question *q)
{
	screen_flow_rule(flow, _("question"));
	screen_flow_plain(flow, ROLE_STRONG, "", 0, q->ask);
	bool picked = lesson_question_table[q->kind].entry == QUESTION_PICKED;

	/* The one that is picked, or those whose numbers are typed; in an order none is more right than another. */
	int numbers[LESSON_CHOICES_MAX], typed_numbers = 0;
	bool known = tutor->answer.state == ANSWER_RIGHT && q->kind != QUESTION_ORDER;
	if (lesson_question_table[q->kind].entry == QUESTION_TYPED)
		typed_numbers = lesson_question_numbers(q, tutor->answer.text, numbers);
	for (int i = 0; i < q->n_choices; i++) {
		char lead[32];
		bool chosen = typed_numbers == 0 && i == tutor->answer.choice, right = false;
		for (int k = 0; k < typed_numbers; k++)
			chosen |= numbers[k] == i;
		for (int k = 0; known && k < tutor->answer.n_right; k++)
			right |= tutor->answer.right[k] == i;

		snprintf(lead, sizeof lead, "%s%d  ", right ? "✓ " : chosen ? "▸ " : "  ", i + 1);
		enum role role = right ? ROLE_GOOD : chosen ? ROLE_SELECTED : ROLE_TEXT;
		screen_flow_plain(flow, role, lead, 5, q->choices[i].text);
	}

	if (!picked && tutor->answer.state == ANSWER_TYPING) {
		int col = flow->col + canvas_text(flow->canvas, flow->row, flow->col, ROLE_KEY, "▸ ");
		canvas_fill(flow->canvas, (struct rect){flow->row, col, 1, FIELD_COLS}, ' ', ROLE_SELECTED);
		int n = canvas_text_fit(flow->canvas, (struct rect){flow->row, col, 1, FIELD_COLS - 1}, ROLE_SELECTED,
			tutor->answer.text);
		canvas_put(flow->canvas, flow->row, col + n, '_', ROLE_SELECTED);
		flow->row++;
	}
	if (tutor->answer.state == ANSWER_NONE || (tutor->answer.state == ANSWER_TYPING && picked))
		screen_flow_plain(flow, ROLE_DIM, "", 0, lesson_question_table[q->kind].invitation);
	for (int i = 0; i < tutor->answer.hints_shown && i < q->n_hints && tutor->answer.state != ANSWER_RIGHT; i++)
		screen_flow_plain(flow, ROLE_EMPH, _("Hint: "), 2, q->hints[i]);

	char line[96];
	bool typed = lesson_question_table[q->kind].entry == QUESTION_TYPED && tutor->answer.text[0];
	if (tutor->answer.state == ANSWER_WRONG) {
		snprintf(line, sizeof line, typed ? _("%s is not it. Try again%s.") : _("%sNot that one. Try again%s."),
			typed ? tutor->answer.text : "",
			tutor->answer.hints_shown < q->n_hints ? _(", or press h for a hint") : "");
		screen_flow_plain(flow, ROLE_BAD, "✗ ", 2, line);
		if (tutor->answer.reason && tutor->answer.reason[0])
			screen_flow_plain(flow, ROLE_TEXT, "", 0, tutor->answer.reason);
	} else if (tutor->answer.state == ANSWER_RIGHT) {
		/* "4 is right. You looked it up. Now: stride 4 words." */
		struct buf sentence = {0};
		if (typed)
			buf_printf(&sentence, _("%s is right."), tutor->answer.text);
		else
			buf_puts(&sentence, _("Right."));
		if (lesson_progress_tries(tutor->progress, tutor->at.lesson->id, tutor_step(tutor)->id).looked)
			buf_puts(&sentence, _(" You looked it up."));
		if (tutor->answer.moved && tutor->answer.moved[0])
			buf_printf(&sentence, _(" Now: %s."), tutor->answer.moved);
		screen_flow_plain(flow, ROLE_GOOD, "✓ ", 2, buf_str(&sentence));
		buf_free(&sentence);

		if (tutor->answer.explain && tutor->answer.explain[0])
			screen_flow_plain(flow, ROLE_TEXT, "", 0, tutor->answer.explain);
	}
}

void screen_flow_claim(struct screen_flow *flow, const struct claim *claim)
{
	screen_flow_rule(flow, _("claim"));
	screen_flow_plain(flow, ROLE_EMPH, _("It is said: "), 2, claim->text);
}

void screen_flow_verdict(struct screen_flow *flow, const struct tutor *tutor)
{
	static const struct {
		enum role role;
		const char *mark, *verdict;
	} verdicts[] = {
		[VERDICT_HOLDS] = {ROLE_GOOD, "✓ ", N_("The claim holds.")},
		[VERDICT_FAILS] = {ROLE_BAD, "✗ ", N_("The claim does not hold.")},
		[VERDICT_OPEN] = {ROLE_DIM, "○ ", N_("The claim is not judged: a number is missing.")},
	};
	if (tutor->claim.verdict == VERDICT_NONE)
		return;
	screen_flow_gap(flow);
	screen_flow_plain(flow, verdicts[tutor->claim.verdict].role, verdicts[tutor->claim.verdict].mark, 2,
		text_translate(verdicts[tutor->claim.verdict].verdict));
	if (tutor->claim.reason && tutor->claim.reason[0])
		screen_flow_plain(flow, ROLE_TEXT, "", 0, tutor->claim.reason);
}

/* --- exercises ---------------------------------------------------------------------------------------------------- */

static void flow_demand(
	struct screen_flow *flow, const struct experiment_grade *grade, bool holds, const char *what, const char *is)
{
	bool fails = grade && !holds;
	screen_flow_plain(flow,
		!grade          ? ROLE_TEXT
			: holds ? ROLE_GOOD
				: ROLE_BAD,
		!grade          ? "○ "
			: holds ? "✓ "
				: "✗ ",
		2, what);
	if (fails && is && *is)
		screen_flow_plain(flow, ROLE_TEXT, "  ", 2, is);
}

static void flow_demands(
	struct screen_flow *flow, const struct experiment_grade *grade, const struct exercise *exercise)
{
	for (int i = 0; i < exercise->n_goals; i++)
		flow_demand(flow, grade, grade && grade->goals[i].holds, exercise->goals[i].text,
			grade ? grade->goals[i].is : NULL);
	flow_demand(
		flow, grade, grade && grade->right, lesson_exercise_wants_right(exercise), grade ? grade->wrong : NULL);
	flow_demand(flow, grade, grade && grade->clean, lesson_exercise_wants_clean(exercise),
		grade ? grade->defect : NULL);
}

/* Whether e only says where the kernel is. */
static bool watches(const struct tutor *tutor)
{
	return tutor_setting_is(tutor->settings, SETTING_WATCH_ONLY, "on");
}

static void flow_attempt(struct screen_flow *flow, const struct tutor *tutor)
{
	const struct tutor_attempt *attempt = tutor->exercise.attempt;
	bool program = tutor_step(tutor)->exercise.n_runs > 0;
	if (attempt->unagreed) {
		screen_flow_plain(flow, ROLE_TEXT, "", 0, text_translate(tutor_program_is));
		screen_flow_plain(flow, ROLE_KEY, "", 0,
			watches(tutor) ? _("Press e twice to agree, then edit it in another terminal:")
				       : _("Press e twice to agree, and to edit it in your editor:"));
		screen_flow_path(flow, attempt->path);
		return;
	}
	switch (attempt->state) {
	case ATTEMPT_NEW:
		screen_flow_plain(flow, ROLE_KEY, "", 0,
			watches(tutor)    ? program ? _("Press e, then edit the program in another terminal:")
						    : _("Press e, then edit the kernel in another terminal:")
				   : program ? _("Press e to edit the program in your editor:")
					  : _("Press e to edit the kernel in your editor:"));
		break;
	case ATTEMPT_COMPILING:
		screen_flow_plain(flow, ROLE_DIM, "", 0, program ? _("Being compiled and run:") : _("Being compiled:"));
		break;
	case ATTEMPT_REFUSED:
		screen_flow_plain(flow, ROLE_BAD, "✗ ", 2,
			program ? _("It does not compile, or cannot be run:")
				: _("It does not compile, or cannot be launched:"));

		/* What the compiler says, line by line. */
		for (const char *line = attempt->message, *end; *line; line = *end ? end + 1 : end) {
			char text[200];
			end = line + strcspn(line, "\n");
			snprintf(text, sizeof text, "%.*s", (int)(end - line), line);
			if (end > line)
				screen_flow_plain(flow, ROLE_TEXT, "", 2, text);
		}
		break;
	case ATTEMPT_GRADED:
		screen_flow_plain(flow, ROLE_DIM, "", 0,
			watches(tutor)
				? _("Edit it in another terminal, with your editor, and save: it is checked at once.")
				: _("e edits it, and so does any other editor: what is saved is checked at once."));
		break;
	}
	screen_flow_path(flow, attempt->path);
}

void screen_flow_exercise(struct screen_flow *flow, const struct tutor *tutor, const struct exercise *exercise)
{
	const struct tutor_attempt *attempt = tutor->exercise.attempt;
	screen_flow_rule(flow, _("exercise"));
	if (attempt && attempt->grade && attempt->grade->solved) {
		screen_flow_plain(flow, ROLE_GOOD, "✓ ", 2,
			exercise->n_runs ? _("Solved.") : _("Solved. The views show your kernel."));
		if (tutor->answer.explain && tutor->answer.explain[0])
			screen_flow_plain(flow, ROLE_TEXT, "", 0, tutor->answer.explain);
		screen_flow_gap(flow);
		flow_demands(flow, attempt->grade, exercise);

		if (attempt->timed && *attempt->timed) {
			screen_flow_gap(flow);
			screen_flow_plain(flow, ROLE_TEXT, "", 0, attempt->timed);
		}

		screen_flow_gap(flow);
		flow_attempt(flow, tutor);

		return;
	}
	if (attempt)
		flow_attempt(flow, tutor);
	screen_flow_gap(flow);
	flow_demands(flow, attempt ? attempt->grade : NULL, exercise);
	for (int i = 0; i < tutor->answer.hints_shown && i < exercise->n_hints; i++)
		screen_flow_plain(flow, ROLE_EMPH, _("Hint: "), 2, exercise->hints[i]);
}
