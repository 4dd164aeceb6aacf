#include "front/tutor/present.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "base/utf8.h"
#include "course/experiment/experiment.h"
#include "front/tutor/private.h"

struct tutor_present_work {
	struct tutor_presented shown; /* what the screen sees */
	struct tutor_vote *votes;     /* of each step of the lesson */
	struct buf right, answer;
	const struct step *answer_of; /* the step whose answer it is; NULL: none */
};

static struct tutor_presented *presented(struct tutor *tutor)
{
	return &tutor->private->present->shown;
}

/* --- pieces ------------------------------------------------------------------------------------------------------- */

/* A block that belongs to the one before: code, and what a heading is of. */
static bool joins(const struct text *text, int block)
{
	return block > 0 &&
		(text->blocks[block].kind == BLOCK_CODE || text->blocks[block - 1].kind == BLOCK_HEADING ||
			text->blocks[block - 1].kind == BLOCK_RULE);
}

/* Blocks of the first so many pieces. */
static int blocks_of(const struct text *text, int pieces)
{
	int i = 0;
	for (; i < text->n_blocks; i++)
		if (!joins(text, i) && pieces-- == 0)
			break;
	return i;
}

int tutor_present_blocks(const struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	return step ? blocks_of(&step->text, tutor->presented->shown) : 0;
}

int tutor_present_newest(const struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	return step ? blocks_of(&step->text, tutor->presented->shown - 1) : 0;
}

bool tutor_present_claims(const struct tutor *tutor)
{
	const struct tutor_presented *p = tutor->presented;
	return p->pieces.claim && p->shown > p->pieces.text;
}

bool tutor_present_asks(const struct tutor *tutor)
{
	const struct tutor_presented *p = tutor->presented;
	return p->pieces.question && p->shown > p->pieces.text + p->pieces.claim;
}

bool tutor_present_answers(const struct tutor *tutor)
{
	const struct tutor_presented *p = tutor->presented;
	return p->pieces.answer && p->shown == p->pieces.n;
}

/* --- the vote ----------------------------------------------------------------------------------------------------- */

static bool is_typed(const struct step *step)
{
	return step->question.kind != QUESTION_NONE &&
		lesson_question_table[step->question.kind].entry == QUESTION_TYPED;
}

static void count_hands(struct tutor_vote *vote)
{
	vote->hands = 0;
	for (int i = 0; i < vote->n; i++)
		vote->hands += vote->at[i].hands;
}

/* Whether hands can be counted now. */
static bool is_voting(const struct tutor *tutor)
{
	return tutor->presented->vote && !tutor_present_answers(tutor);
}

static void choose_option(struct tutor_vote *vote, int option)
{
	vote->chosen = option < 0 ? 0 : option >= vote->n ? vote->n ? vote->n - 1 : 0 : option;
	vote->entering = false;
}

/* The option of an answer to a number, made where it is new; -1: there are too many. */
static int option_of(struct tutor_vote *vote, const char *answer)
{
	for (int i = 0; i < vote->n; i++)
		if (strcmp(vote->at[i].answer, answer) == 0)
			return i;
	if (vote->n == PRESENT_OPTIONS_MAX)
		return -1;
	vote->at[vote->n] = (struct tutor_option){0};
	snprintf(vote->at[vote->n].answer, sizeof vote->at[vote->n].answer, "%s", answer);
	return vote->n++;
}

static void add_hands(struct tutor_vote *vote, int option, int hands)
{
	struct tutor_option *o = &vote->at[option];
	int to = o->hands + hands;
	o->hands = to < 0 ? 0 : to > PRESENT_HANDS_MAX ? PRESENT_HANDS_MAX : to;
	count_hands(vote);
}

bool tutor_present_count(struct tutor *tutor, int option, const char *answer, int hands)
{
	if (!is_voting(tutor)) {
		tutor_notice(tutor, _("There is no vote now."));
		return false;
	}
	struct tutor_vote *vote = presented(tutor)->vote;
	if (is_typed(tutor_step(tutor)))
		option = option_of(vote, answer);
	if (option < 0 || option >= vote->n) {
		tutor_notice(tutor, _("The vote has no such answer."));
		return false;
	}
	add_hands(vote, option, hands - vote->at[option].hands);
	choose_option(vote, option);
	return true;
}

const char *tutor_present_answer(struct tutor *tutor)
{
	struct tutor_present_work *work = tutor->private->present;
	const struct step *step = tutor_step(tutor);
	if (!step || step->question.kind == QUESTION_NONE)
		return "";
	if (work->answer_of != step) {
		buf_clear(&work->answer);
		(void)tutor_right_answer(tutor, &work->answer);
		work->answer_of = step;
	}
	return buf_str(&work->answer);
}

/* --- from piece to piece ------------------------------------------------------------------------------------------ */

static void show_pieces(struct tutor *tutor, int shown)
{
	struct tutor_presented *p = presented(tutor);
	p->shown = shown < 1 ? 1 : shown > p->pieces.n ? p->pieces.n : shown;

	/* The vote of the step, once its question is on the slide. */
	const struct step *step = tutor_step(tutor);
	p->vote = NULL;
	if (step && step->question.kind != QUESTION_NONE && tutor_present_asks(tutor)) {
		p->vote = &tutor->private->present->votes[tutor->at.step];
		if (!is_typed(step))
			p->vote->n = step->question.n_choices < PRESENT_OPTIONS_MAX ? step->question.n_choices
										    : PRESENT_OPTIONS_MAX;
	}

	if (!tutor_present_answers(tutor))
		return;
	if (!tutor_answered(tutor) && p->pieces.question)
		tutor_answer_for_reader(tutor);

	/* Which of the options are right, once the answer is there. */
	struct tutor_present_work *work = tutor->private->present;
	struct tutor_vote *vote = work->shown.vote;
	buf_clear(&work->right);
	if (step && step->question.kind != QUESTION_NONE)
		(void)tutor_right_answer(tutor, &work->right);
	work->shown.right = buf_str(&work->right);
	for (int i = 0; vote && i < vote->n; i++) {
		const struct experiment_answer given = {vote->at[i].answer, i};
		vote->at[i].right = experiment_judge_answer(tutor->private->experiments, step, &given).is ==
			EXPERIMENT_ANSWER_RIGHT;
	}
}

void tutor_present_entered(struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	if (!tutor->presented)
		return;
	struct tutor_presented *p = presented(tutor);
	p->pieces = (struct tutor_pieces){.n = 1};
	if (step) {
		bool asks = step->question.kind != QUESTION_NONE || step->exercise.dir;
		struct tutor_pieces pieces = {.claim = step->claim.text != NULL, .question = asks};
		for (int i = 0; i < step->text.n_blocks; i++)
			pieces.text += !joins(&step->text, i);
		pieces.answer = pieces.question || pieces.claim;
		pieces.n = pieces.text + pieces.claim + pieces.question + pieces.answer;
		p->pieces = pieces;
	}
	p->number[0] = '\0';
	p->measured = p->blank = false;
	p->vote = NULL;
	p->right = "";
	show_pieces(tutor, tutor_answered(tutor) ? p->pieces.n : 1);
}

void tutor_present_go(struct tutor *tutor, int step)
{
	if (step < 0 || step > tutor->at.lesson->n_steps)
		return;
	tutor_go_to_step(tutor, step);
}

static void reveal_next(struct tutor *tutor)
{
	struct tutor_presented *p = presented(tutor);
	if (p->shown < p->pieces.n)
		show_pieces(tutor, p->shown + 1);
	else if (!tutor->at.ending)
		tutor_present_go(tutor, tutor->at.step + 1);
	else
		tutor_notice(tutor, _("That was the last slide."));
}

/* What came last goes; the answer, too, with what it showed. */
static void hide_last(struct tutor *tutor)
{
	struct tutor_presented *p = presented(tutor);
	int shown = p->shown - 1;
	if (shown < 1 && tutor->at.step == 0 && !tutor->at.ending)
		return;
	if (shown < 1) {
		tutor_present_go(tutor, tutor->at.ending ? tutor->at.lesson->n_steps - 1 : tutor->at.step - 1);
		if (!tutor_answered(tutor))
			show_pieces(tutor, p->pieces.n - p->pieces.answer);
		return;
	}
	if (tutor_answered(tutor)) {
		tutor_answer_take_back(tutor);
		tutor_dismiss_notice(tutor);
	}
	show_pieces(tutor, shown);
}

/* A number that was typed is gone to; else the vote's answer counts. False: there is neither. */
static bool enter_typed(struct tutor *tutor)
{
	struct tutor_presented *p = presented(tutor);
	int number = (int)strtol(p->number, NULL, 10);
	if (is_voting(tutor) && p->vote->typed[0]) {
		/* The answer that was called out gets a hand, each time that it is. */
		struct tutor_vote *vote = presented(tutor)->vote;
		int option = option_of(vote, vote->typed);
		if (option < 0) {
			tutor_notice(tutor, _("There is no room for more answers."));
		} else {
			add_hands(vote, option, 1);
			choose_option(vote, option);
		}
		vote->typed[0] = '\0';
		return true;
	}
	if (is_voting(tutor) && p->vote->entering) {
		choose_option(p->vote, p->vote->chosen + 1);
		return true;
	}
	if (!p->number[0])
		return false;
	p->number[0] = '\0';
	if (number >= 1 && number <= tutor->at.lesson->n_steps)
		tutor_present_go(tutor, number - 1);
	else
		tutor_notice(tutor, _("There is no such slide."));
	return true;
}

/* --- actions ------------------------------------------------------------------------------------------------------ */

static void change_hands(struct tutor *tutor, int by)
{
	struct tutor_vote *vote = presented(tutor)->vote;
	if (is_voting(tutor) && vote->n)
		add_hands(vote, vote->chosen, by);
}

bool tutor_present_act(struct tutor *tutor, enum tutor_action action)
{
	struct tutor_presented *p = presented(tutor);
	bool sure = p->leaves, was_blank = p->blank;
	p->leaves = false;
	if (action == ACTION_MEASURE)
		p->measured = true;
	if (action == ACTION_SLIDE_BLANK)
		p->blank = !p->blank;
	else
		p->blank = false;
	if (was_blank && action != ACTION_SLIDE_LEAVE)
		return true; /* the key brought the slide back */
	switch (action) {
	case ACTION_SLIDE_ENTER:
		if (!enter_typed(tutor))
			reveal_next(tutor);
		break;
	case ACTION_SLIDE_NEXT: reveal_next(tutor); break;
	case ACTION_SLIDE_PREVIOUS: hide_last(tutor); break;
	case ACTION_SLIDE_UP:
	case ACTION_SLIDE_DOWN: {
		struct tutor_vote *vote = presented(tutor)->vote;
		if (is_voting(tutor))
			choose_option(vote, vote->chosen + (action == ACTION_SLIDE_UP ? -1 : 1));
		else if (action == ACTION_SLIDE_UP)
			hide_last(tutor);
		else
			reveal_next(tutor);
		break;
	}
	case ACTION_SLIDE_FIRST: tutor_present_go(tutor, 0); break;
	case ACTION_SLIDE_LAST: tutor_present_go(tutor, tutor->at.lesson->n_steps - 1); break;
	case ACTION_STEP_NEXT: tutor_present_go(tutor, tutor->at.ending ? -1 : tutor->at.step + 1); break;
	case ACTION_STEP_PREVIOUS:
		tutor_present_go(tutor, tutor->at.ending ? tutor->at.lesson->n_steps - 1 : tutor->at.step - 1);
		break;
	case ACTION_SLIDE_REVEAL: show_pieces(tutor, p->pieces.n); break;
	case ACTION_SLIDE_HAND: change_hands(tutor, 1); break;
	case ACTION_SLIDE_HAND_LESS: change_hands(tutor, -1); break;
	case ACTION_SLIDE_TIMER: p->timer = !p->timer; break;
	case ACTION_SLIDE_ESCAPE:
		p->number[0] = '\0';
		p->blank = false;
		if (p->vote) {
			p->vote->typed[0] = '\0';
			p->vote->entering = false;
		}
		break;
	case ACTION_SLIDE_LEAVE:
		p->leaves = !sure;
		if (sure)
			tutor->quit = true;
		else
			tutor_notice(tutor, _("q again ends the presentation."));
		break;
	case ACTION_SLIDE_BLANK: break;
	default: return false;
	}
	return true;
}

bool tutor_present_takes(enum tutor_action action)
{
	static const enum tutor_action taken[] = {ACTION_SLIDE_NEXT, ACTION_SLIDE_PREVIOUS, ACTION_SLIDE_BLANK,
		ACTION_SLIDE_TIMER, ACTION_SLIDE_REVEAL, ACTION_STEP_NEXT, ACTION_STEP_PREVIOUS};
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
		if (taken[i] == action)
			return true;
	return false;
}

/* --- typing ------------------------------------------------------------------------------------------------------- */

static void type_into(char *text, size_t size, uint32_t ch)
{
	size_t len = strlen(text);
	if (ch == 8)
		text[len ? len - 1 : 0] = '\0';
	else if (len + 1 < size) {
		text[len] = (char)ch;
		text[len + 1] = '\0';
	}
}

bool tutor_present_type(struct tutor *tutor, uint32_t ch)
{
	struct tutor_presented *p = presented(tutor);
	bool digit = ch >= '0' && ch <= '9';
	if (is_voting(tutor) && is_typed(tutor_step(tutor))) {
		bool begun = p->vote->typed[0];
		if (!digit && !(begun && (ch == 8 || ch == '.')) && !(!begun && ch == '-'))
			return false;
		type_into(p->vote->typed, sizeof p->vote->typed, ch);
		return true;
	}
	if (!digit && ch != 8)
		return false;
	if (is_voting(tutor) && p->vote->n) {
		/* Hands of the chosen option, digit by digit. */
		struct tutor_vote *vote = p->vote;
		struct tutor_option *o = &vote->at[vote->chosen];
		int hands = ch == 8 ? o->hands / 10 : (vote->entering ? o->hands : 0) * 10 + (int)(ch - '0');
		if (hands <= PRESENT_HANDS_MAX)
			o->hands = hands;
		vote->entering = true;
		count_hands(vote);
	} else {
		type_into(p->number, sizeof p->number, ch);
	}
	return true;
}

/* --- life --------------------------------------------------------------------------------------------------------- */

bool tutor_present_tick(struct tutor *tutor, int seconds)
{
	struct tutor_presented *p = presented(tutor);
	bool other = p->elapsed != seconds;
	p->elapsed = seconds;
	return other && p->timer;
}

void tutor_present_opened(struct tutor *tutor, const struct lesson *lesson)
{
	struct tutor_present_work *work = tutor->private->present;
	if (!work || (work->votes && tutor->at.lesson == lesson))
		return;
	free(work->votes);
	work->votes = base_calloc((size_t)lesson->n_steps + 1, sizeof *work->votes);
	work->shown.vote = NULL;
}

void tutor_present(struct tutor *tutor, const struct lesson *lesson, int step, int minutes)
{
	struct tutor_private *p = tutor->private;
	tutor_present_free(tutor);
	p->present = base_calloc(1, sizeof *p->present);
	p->present->shown.minutes = minutes;
	p->present->shown.began = (int64_t)time(NULL);
	p->present->shown.right = "";
	tutor->keeps_progress = false;
	tutor->presented = &p->present->shown;
	tutor_open(tutor, lesson, step);
}

void tutor_present_free(struct tutor *tutor)
{
	struct tutor_present_work *work = tutor->private->present;
	if (!work)
		return;
	tutor->presented = NULL;
	tutor->private->present = NULL;
	buf_free(&work->right);
	buf_free(&work->answer);
	free(work->votes);
	free(work);
}

/* --- for the speaker's notes -------------------------------------------------------------------------------------- */

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

void tutor_present_describe(struct tutor *tutor, struct notes_slide *out)
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
