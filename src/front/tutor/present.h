/* front/tutor/present.h: a lesson in front of a class, one step a slide. A slide is revealed in pieces: its paragraphs
 * one by one, its claim, its question with a vote, the answer. Nothing of it is kept: the session has no progress but
 * its own, and reads no reader's kernels. What the speaker does are actions (topic "slides" of actions.def); the clock
 * comes in through tutor_present_tick. */
#pragma once
#include "course/notes/notes.h"
#include "front/tutor/tutor.h"

#define PRESENT_OPTIONS_MAX 9
#define PRESENT_HANDS_MAX 9999

/* What the room says. Of a choice: option i is the question's choice i; of a number: the answers that were called
 * out. */
struct tutor_option {
	char answer[32]; /* of a number */
	int hands;
	bool right; /* known once the answer is revealed */
};

struct tutor_vote {
	struct tutor_option at[PRESENT_OPTIONS_MAX];
	int n, chosen;  /* hands are typed for this one */
	int hands;      /* of all */
	char typed[16]; /* of a number: the answer that is being typed */
	bool entering;  /* the next digit goes on with the hands of the chosen one */
};

/* Of the slide; the pieces of a step come in this order. */
struct tutor_pieces {
	int text, claim, question, answer; /* how many of each; of the last three 0 or 1 */
	int n;                             /* of all */
};

struct tutor_presented {
	struct tutor_pieces pieces;
	int shown;               /* so many of them are revealed, at least 1 */
	bool blank;              /* nothing is to be seen */
	char number[5];          /* of the slide to go to, as typed */
	bool timer;              /* the time is on the slide */
	int elapsed;             /* seconds since it began */
	int minutes;             /* that the talk may take; 0: nobody said */
	int64_t began;           /* seconds since 1970 */
	bool measured;           /* the speaker asked for the GPU on this slide */
	bool leaves;             /* q was pressed once */
	struct tutor_vote *vote; /* of the step, once its question is asked, else NULL */
	const char *right;       /* the right answer, once it is revealed; "" where there is none */
};

/* Makes the session a presentation of a lesson, from this step on (index from 0). `minutes` 0: it has no end. */
void tutor_present(struct tutor *tutor, const struct lesson *lesson, int step, int minutes);

/* Digits, and what else numbers are made of; 8: Backspace. False: they mean nothing here. */
bool tutor_present_type(struct tutor *tutor, uint32_t ch);

/* To a slide (index from 0), as it was left where it was answered, else with its first piece. */
void tutor_present_go(struct tutor *tutor, int step);

/* So many hands for an option of the vote (index from 0), or for the answer `answer` of a number, which becomes one.
 * False with a notice. */
bool tutor_present_count(struct tutor *tutor, int option, const char *answer, int hands);

/* Takes over the time since it began; true: a time on the slide is another. */
bool tutor_present_tick(struct tutor *tutor, int seconds);

/* Blocks of the step's text that are revealed, and the first of those that came last. */
int tutor_present_blocks(const struct tutor *tutor);
int tutor_present_newest(const struct tutor *tutor);

/* Which of the pieces are revealed. */
bool tutor_present_claims(const struct tutor *tutor);
bool tutor_present_asks(const struct tutor *tutor);
bool tutor_present_answers(const struct tutor *tutor);

/* For the speaker alone: where the talk is, what the next key reveals, the answer. The strings are the session's, until
 * it is changed. */
void tutor_present_describe(struct tutor *tutor, struct notes_slide *out);

/* The right answer of the step's question, whether or not it is revealed; "" where there is none. */
const char *tutor_present_answer(struct tutor *tutor);

/* Whether the speaker's notes may ask for it. */
bool tutor_present_takes(enum tutor_action action);
