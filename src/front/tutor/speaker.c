/* What the speaker is told that the room does not see. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "base/utf8.h"
#include "front/tutor/present.h"
#include "front/tutor/private.h"

static const char *next_piece(const struct tutor *tutor)
{
	const struct tutor_presented *p = tutor->presented;
	if (tutor->at.ending)
		return _("nothing: this is the end");
	if (p->shown == p->pieces.n)
		return _("the next slide");
	if (p->shown < p->pieces.text)
		return _("a paragraph");
	if (p->pieces.claim && p->shown == p->pieces.text)
		return _("a claim");
	if (p->pieces.question && p->shown == p->pieces.text + p->pieces.claim)
		return tutor_step(tutor)->exercise.dir ? _("the exercise") : _("the question, for a vote");
	return tutor_step(tutor)->question.kind != QUESTION_NONE ? _("the answer") : _("what is to be said of it");
}

void tutor_present_say(struct tutor *tutor, struct notes_slide *out)
{
	const struct tutor_presented *p = tutor->presented;
	const struct lesson *lesson = tutor->at.lesson;
	const struct step *step = tutor_step(tutor);
	bool last = tutor->at.step + 1 >= lesson->n_steps;
	*out = (struct notes_slide){.lesson = lesson->title,
		.title = step ? step->title : _("The end"),
		.next = tutor->at.ending ? ""
			: last           ? _("The end")
					 : lesson->steps[tutor->at.step + 1].title,
		.notes = step && step->notes ? step->notes : "",
		.reveals = next_piece(tutor),
		.question = step && step->question.kind != QUESTION_NONE ? step->question.ask : "",
		.answer = tutor_present_answer(tutor),
		.why = step && tutor_present_answers(tutor) && tutor->answer.explain ? tutor->answer.explain : "",
		.status = tutor->measured.status,
		.notice = tutor->notice,
		.step = tutor->at.step + 1,
		.steps = lesson->n_steps,
		.shown = p->shown,
		.pieces = p->pieces.n,
		.blank = p->blank,
		.covered = tutor_covered(tutor),
		.voting = p->vote && !tutor_present_answers(tutor),
		.began = p->began,
		.minutes = p->minutes};
	if (p->vote) {
		const struct tutor_vote *vote = tutor->presented->vote;
		const struct question *q = &tutor_step(tutor)->question;
		bool typed = lesson_question_table[q->kind].entry == QUESTION_TYPED;
		for (int i = 0; i < vote->n && i < NOTES_OPTIONS_MAX; i++)
			out->options[out->n_options++] = (struct notes_option){
				.text = typed ? vote->at[i].answer : q->choices[i].text,
				.hands = vote->at[i].hands,
				.right = vote->at[i].right};
	}
}
