#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "course/experiment/experiment.h"
#include "front/tutor/private.h"

static const struct question *question_of(const struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	return step && step->question.kind != QUESTION_NONE ? &step->question : NULL;
}

void tutor_call_attention(struct tutor *tutor, enum tutor_attention_to to)
{
	tutor->events.attentions++;
	tutor->events.attention_to = to;
}

bool tutor_typing(const struct tutor *tutor)
{
	return question_of(tutor) && tutor->answer.state == ANSWER_TYPING;
}

bool tutor_answered(const struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	return step && lesson_progress_answered(tutor->progress, tutor->at.lesson->id, step->id);
}

void tutor_answer_begin(struct tutor *tutor)
{
	if (!question_of(tutor))
		return;
	tutor->answer.state = ANSWER_TYPING;
	tutor->answer.text[0] = '\0';
	tutor->answer.choice = -1;
	tutor_call_attention(tutor, ATTENTION_QUESTION);
}

void tutor_answer_move(struct tutor *tutor, int by)
{
	const struct question *q = question_of(tutor);
	int to = tutor->answer.choice < 0 ? (by > 0 ? 0 : q->n_choices - 1) : tutor->answer.choice + by;
	tutor->answer.choice = to < 0 ? 0 : to >= q->n_choices ? q->n_choices - 1 : to;
	tutor_call_attention(tutor, ATTENTION_QUESTION);
}

void tutor_answer_take_back(struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	if (!step || !tutor_answered(tutor))
		return;
	lesson_progress_forget(tutor->progress, tutor->at.lesson->id, step->id);
	tutor_go_to_step(tutor, tutor->at.step);
	tutor_notice(tutor, _("The answer is taken back."));
	tutor_call_attention(tutor, ATTENTION_QUESTION);
}

int tutor_answer_hints(const struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	return !step ? 0 : step->exercise.dir ? step->exercise.n_hints : step->question.n_hints;
}

void tutor_answer_hint(struct tutor *tutor)
{
	int hints = tutor_answer_hints(tutor);
	if (tutor->answer.hints_shown < hints)
		tutor->answer.hints_shown++;
	else
		snprintf(tutor->notice, sizeof tutor->notice,
			hints ? _("There are no more hints.") : _("There is no hint."));
	tutor_call_attention(tutor, hints ? ATTENTION_END_OF_TEXT : ATTENTION_QUESTION); /* there the last one is */
}

static void complain(struct tutor *tutor, const struct question *q)
{
	tutor_notice(tutor, lesson_question_table[q->kind].complaint);
}

void tutor_type(struct tutor *tutor, uint32_t ch)
{
	const struct question *q = question_of(tutor);
	if (!q || tutor->answer.state == ANSWER_RIGHT)
		return;
	bool begins = ch == 8 || (ch > ' ' && ch <= '~' && strchr(lesson_question_table[q->kind].begins, (int)ch));
	if (tutor->answer.state != ANSWER_TYPING && !begins)
		return;
	if (tutor->answer.state != ANSWER_TYPING && ch != 8)
		tutor_answer_begin(tutor);
	if (tutor->answer.state == ANSWER_WRONG)
		tutor->answer.state = ANSWER_TYPING;
	if (lesson_question_table[q->kind].entry == QUESTION_TYPED) {
		/* A character that is not part of an answer stays where the reader sees it, with a notice: left out, it
		 * would make another answer of what was typed. */
		char *text = tutor->answer.text;
		size_t len = strlen(text);
		if (ch == 8) {
			if (len > 0)
				text[len - 1] = '\0';
		} else if (ch > ' ' && ch <= '~' && len + 1 < sizeof tutor->answer.text) {
			text[len] = (char)ch;
			text[len + 1] = '\0';
		}
		if (text[strspn(text, lesson_question_table[q->kind].made_of)])
			complain(tutor, q);
	} else if (ch >= '1' && ch <= '9' && (int)(ch - '1') < q->n_choices) {
		tutor->answer.choice = (int)(ch - '1');
	}
	tutor_call_attention(tutor, ATTENTION_QUESTION);
}

/* Turns the parameters to what was asked about, and says so: the picture proves the answer. Not where the reader could
 * not turn them: such a launch may be there to be measured only. */
static void show_what_was_asked(struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	int right[LESSON_CHOICES_MAX], n = experiment_right_choices(tutor->private->experiments, step, right);
	const int64_t *to = tutor_asked_values(tutor, n == 1 ? right[0] : -1);
	for (int i = 0; i < tutor->at.lesson->n_parameters; i++)
		if (to[i] != tutor->at.values[i] && !step->shown[i])
			return;

	/* "stride 4, width 8 B": what is not the same as before. */
	struct buf *moved = &tutor->private->moved;
	buf_clear(moved);
	for (int i = 0; i < tutor->at.lesson->n_parameters; i++) {
		const struct parameter *p = &tutor->at.lesson->parameters[i];
		if (to[i] == tutor->at.values[i])
			continue;
		buf_printf(moved, "%s%s ", moved->len ? ", " : "", p->label);
		lesson_write_value_with_unit(p, to[i], moved);
	}
	tutor->answer.moved = buf_str(moved);

	memcpy(tutor->at.values, to, (size_t)tutor->at.lesson->n_parameters * sizeof *tutor->at.values);
	tutor_refresh(tutor);
}

static bool judge_now(const struct tutor *tutor, const struct judgment *judgment, double *out, const char **why)
{
	return experiment_judge(tutor->private->experiments, tutor_step(tutor), judgment, out, why);
}

static void write_phrase(const struct tutor *tutor, const struct phrase *phrase, struct buf *out)
{
	experiment_write_phrase(tutor->private->experiments, tutor_step(tutor), phrase, out);
}

void tutor_answer_settle(struct tutor *tutor)
{
	const struct question *q = question_of(tutor);
	struct buf *explain = &tutor->private->explain;
	const struct step *step = tutor_step(tutor);
	buf_clear(explain);
	if (step && step->exercise.dir && tutor_answered(tutor))
		write_phrase(tutor, &step->exercise.explain, explain);
	if (q && tutor->answer.state == ANSWER_RIGHT) {
		tutor->answer.n_right = experiment_right_choices(
			tutor->private->experiments, step, tutor->answer.right);
		write_phrase(tutor, &q->explain, explain);
	}
	tutor->answer.explain = buf_str(explain);

	/* Judges the step's claim where its time has come: once the question is answered. */
	struct tutor_private *p = tutor->private;
	const char *why;
	double holds;
	buf_clear(&p->claim);
	tutor->claim.verdict = VERDICT_NONE;
	if (!step || !step->claim.text || (step->question.kind != QUESTION_NONE && tutor->answer.state != ANSWER_RIGHT))
		return;
	if (judge_now(tutor, &step->claim.holds, &holds, &why)) {
		tutor->claim.verdict = experiment_is_true(holds) ? VERDICT_HOLDS : VERDICT_FAILS;
		write_phrase(tutor, &step->claim.says, &p->claim);
	} else {
		tutor->claim.verdict = VERDICT_OPEN;
		buf_puts(&p->claim, why);
	}
	tutor->claim.reason = buf_str(&p->claim);
}

void tutor_answer_check(struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	const struct experiment_answer given = {tutor->answer.text, tutor->answer.choice};
	struct buf *reason = &tutor->private->reason;
	struct experiment_reply reply = experiment_judge_answer(tutor->private->experiments, step, &given);
	buf_clear(reason);
	if (reply.reason)
		write_phrase(tutor, reply.reason, reason);
	tutor->answer.reason = buf_str(reason);
	if (reply.is == EXPERIMENT_ANSWER_UNREADABLE)
		complain(tutor, &step->question);
	if (reply.is == EXPERIMENT_ANSWER_OPEN)
		snprintf(tutor->notice, sizeof tutor->notice, _("This question has no answer now: %s."), reply.why);
	if (reply.is == EXPERIMENT_ANSWER_UNREADABLE || reply.is == EXPERIMENT_ANSWER_OPEN)
		return;
	tutor->answer.state = reply.is == EXPERIMENT_ANSWER_RIGHT ? ANSWER_RIGHT : ANSWER_WRONG;
	/* what is said to a wrong one is below question and hints */
	tutor_call_attention(tutor, tutor->answer.state == ANSWER_WRONG ? ATTENTION_END_OF_TEXT : ATTENTION_QUESTION);
	lesson_progress_try(tutor->progress, tutor->at.lesson->id, step->id, tutor->answer.hints_shown);
	if (tutor->answer.state == ANSWER_WRONG)
		return;
	lesson_progress_answer(tutor->progress, tutor->at.lesson->id, step->id);
	if (step->has_experiment)
		show_what_was_asked(tutor);
	tutor_cover_apply(tutor);
	tutor_answer_settle(tutor);
}

bool tutor_answer_pointed(struct tutor *tutor, enum question_thing thing, int64_t number)
{
	const struct question *q = question_of(tutor);
	if (!q || q->kind != QUESTION_POINT || tutor->answer.state == ANSWER_RIGHT)
		return false;
	if (q->thing != thing) {
		snprintf(tutor->notice, sizeof tutor->notice, _("The question asks for a %s."),
			lesson_question_things[q->thing]);
		return true;
	}
	tutor_answer_begin(tutor);
	snprintf(tutor->answer.text, sizeof tutor->answer.text, "%lld", (long long)number);
	tutor_answer_check(tutor);
	return true;
}

/* --- for documents ------------------------------------------------------------------------------------------------ */

bool tutor_right_answer(struct tutor *tutor, struct buf *out)
{
	const struct question *q = question_of(tutor);
	struct experiments *set = tutor->private->experiments;
	if (!q || lesson_question_table[q->kind].entry == QUESTION_TYPED)
		return q && experiment_write_answer(set, tutor_step(tutor), out);
	int right[LESSON_CHOICES_MAX], n = experiment_right_choices(set, tutor_step(tutor), right);
	if (n == 1)
		buf_puts(out, q->choices[right[0]].text);
	return n == 1;
}

bool tutor_wrong_answer(struct tutor *tutor, int index, struct buf *answer, struct buf *why)
{
	const struct question *q = question_of(tutor);
	const char *unknown;
	double v;
	if (!q || index < 0 || index >= q->n_choices + q->n_wrong)
		return false;
	if (index < q->n_choices) {
		buf_puts(answer, q->choices[index].text);
		write_phrase(tutor, &q->choices[index].why, why);
		return why->len > 0;
	}
	const struct wrong_answer *wrong = &q->wrong[index - q->n_choices];
	if (!judge_now(tutor, &wrong->answer, &v, &unknown))
		return false;
	value_format(v, answer);
	write_phrase(tutor, &wrong->why, why);
	return why->len > 0;
}

void tutor_answer_for_reader(struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	if (!step || tutor->keeps_progress)
		return;
	lesson_progress_answer(tutor->progress, tutor->at.lesson->id, step->id);
	if (question_of(tutor)) {
		tutor->answer.state = ANSWER_RIGHT;
		if (step->has_experiment)
			show_what_was_asked(tutor);
		tutor_cover_apply(tutor);
	}
	tutor_answer_settle(tutor);
}
