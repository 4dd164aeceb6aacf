/* tutor/private.h: what the files of tutor/ share. */
#pragma once
#include "profile/times.h"
#include "tutor/tutor.h"
#include "tutor/workbench.h"

/* A metric against a parameter, all other parameters as they are now. Filled a point at a time. */
struct sweep {
	struct arena *arena;
	const struct step *step; /* NULL: there is no sweep */
	enum metric_id metric;
	int parameter;
	int64_t *values; /* of all parameters; the swept one is set in turn */
	int next;        /* first point not predicted yet */
	struct value *predicted, *recorded, *live, *shown;
};

/* The measurement on its way: at most one, so that what the reader looks at is never behind a queue. */
struct live {
	int64_t id;                    /* 0: none */
	struct experiment *experiment; /* NULL: it is gone; the answer is dropped */
	enum counter_id asked[COUNTERS];
	int n_asked;                        /* 0: the counters of its lines are asked for */
	struct wire_progress progress;      /* as last reported, without its values; also of the start */
	bool cancelled;                     /* it was told to be given up */
	bool sweep_paused;                  /* after a failure: no more points of the sweep in this step */
	bool lines_paused;                  /* likewise, no more counters of lines */
	bool stamps_paused, samples_paused; /* likewise, no more of these */
	enum live_asked { LIVE_ASKED_COUNTERS, LIVE_ASKED_STAMPS, LIVE_ASKED_SAMPLES } what;
	struct arena *plan_arena; /* of the stamps asked for; NULL: none are */
	struct probe_timeline_plan *plan;
	bool lost; /* the connection is, and that was told */
	bool told; /* the reader asked: say why there is no GPU even if that is nothing new */
};

struct blame;
struct attempt;

struct tutor_private {
	struct arena *arena;     /* of the catalogue */
	struct workbench *bench; /* of the open lesson */
	struct experiment *shown;
	struct view_number numbers[METRICS];
	char measured_on[128], measured_short[96];
	struct sweep sweep;
	struct model_times times; /* of the last that was looked at in a view of time */
	struct live live;
	struct buf reason, explain, claim; /* as tutor shows them */
	struct attempt *attempt;           /* NULL: no exercise was opened */
	struct blame *blame;               /* NULL: no kernel is under suspicion */
};

/* Shows the present step and values: runs the experiment if it is new and fills everything derived. */
void tutor_refresh(struct tutor *tutor);

/* Fills in measured numbers and where they come from, for the experiment shown. */
void tutor_refresh_measured(struct tutor *tutor);

/* --- sweep.c ---------------------------------------------------------------------------------------------------------- */
/* Starts the sweep of the present step afresh, unless it is the one already being filled. */
void sweep_begin(struct tutor *tutor);
void sweep_free(struct sweep *sweep);
bool sweep_complete(const struct tutor *tutor);
/* Predicts the next point. */
void sweep_predict(struct tutor *tutor);
/* Takes over what the experiments know by now, and hands the picture to the view. */
void sweep_refresh(struct tutor *tutor);
/* The experiment of the first point that was not measured live yet, or NULL. */
struct experiment *sweep_unmeasured(struct tutor *tutor);

/* --- live.c ----------------------------------------------------------------------------------------------------------- */
/* Asks for what is missing of the experiment shown, if the worker is ready and has nothing to do. */
void live_ask(struct tutor *tutor);
/* Measures the experiment shown again, as the reader asked for; starts the worker where it does not run. */
void live_measure(struct tutor *tutor);
/* The experiments are about to go. */
void live_detach(struct tutor *tutor);
/* Why there is no measured value although none has failed: VALUE_PENDING, VALUE_NO_GPU, VALUE_NO_PERMISSION. */
enum value_state live_absence(const struct tutor *tutor);
/* Fills status and status_witness. */
void live_describe(struct tutor *tutor);

/* --- stamps.c --------------------------------------------------------------------------------------------------------- */
/* Asks for the timeline of the view shown, and samples with the blocks, where that was not done. False when there is nothing
 * to ask. */
bool stamps_ask(struct tutor *tutor);
void stamps_take(struct tutor *tutor, const struct wire_stamped *answer);
void stamps_take_samples(struct tutor *tutor, const struct wire_samples *answer);
/* The request for them is over; what is still pending of the experiment is `missing`. */
void stamps_settle(struct live *live, enum value_state missing);
/* Whether the view shown has the GPU's timeline; whether it has what it asked for, or asks for none. */
bool stamps_there(const struct tutor *tutor);
bool stamps_answered(const struct tutor *tutor);

/* --- times.c ---------------------------------------------------------------------------------------------------------- */
void model_times_free(struct model_times *times);

/* The experiment of the step with the present values; if it has to be run and the view shown is one of time, with its times. */
struct experiment *times_get_shown(struct tutor *tutor, const struct step *step);

/* What the run of an experiment is to be timed for besides, so that one run is enough. */
struct timing {
	struct times_recorder *recorder; /* NULL: for nothing */
	bool counted;                    /* for the metrics of the step */
	bool shown;                      /* for the view that is shown; kept in bench->times */
	uint32_t sms;                    /* that the view will ask for */
};
struct timing timing_begin(const struct workbench *bench, const struct experiment *e, struct arena *scratch);
void timing_end(
	const struct timing *timing, struct workbench *bench, struct experiment *e, const struct profile *profile);

/* Gives the view shown the timelines, if it is one of time. */
void times_refresh(struct tutor *tutor);
/* Chooses between the model's and the GPU's, where both are there. */
void times_choose(struct tutor *tutor);

/* --- judge.c ---------------------------------------------------------------------------------------------------------- */
/* The number a judgement of the present step has; false with a constant string when there is none. */
bool judge(struct tutor *tutor, const struct judgement *judgement, double *out, const char **why);
bool judge_is_true(double v);
/* Appends the text with its numbers; why one is missing stands in its place. */
void judge_word(struct tutor *tutor, const struct phrase *phrase, struct buf *out);
/* The index of the right choice; -1 and why. */
int judge_choice(struct tutor *tutor, const struct question *q, const char **why);
/* A number agrees when it is right to half a unit of the second decimal, or to `within` of it where that is more. */
bool judge_agrees(double typed, double right, double within);
/* Judges the step's claim where its time has come: once the question is answered. */
void judge_claim(struct tutor *tutor);

/* --- blamed.c --------------------------------------------------------------------------------------------------------- */
/* The experiment's kernel went wrong on the GPU: begins to run it on the machine. */
void blamed_begin(struct tutor *tutor, const struct experiment *experiment);
/* Goes on with that; true when it is done and the notice tells what came of it. */
bool blamed_step(struct tutor *tutor);
void blamed_end(struct tutor *tutor);

/* --- answer.c --------------------------------------------------------------------------------------------------------- */
void call_attention(struct tutor *tutor, enum tutor_attention_to to);
/* Checks the reader's answer against the model (or the right choice) and says how it went. */
void answer_check(struct tutor *tutor);
void answer_begin(struct tutor *tutor);
/* The question has been answered, now or before: says what is to be said then. */
void answer_settle(struct tutor *tutor);
void answer_move(struct tutor *tutor, int by);
void answer_hint(struct tutor *tutor);
/* How many hints the step has, of its question or exercise. */
int answer_hints(const struct tutor *tutor);

/* --- navigate.c ------------------------------------------------------------------------------------------------------- */
/* Shows the step; the one after the last is the ending. */
void step_go(struct tutor *tutor, int index);
void parameter_turn(struct tutor *tutor, int by);
void parameter_select_next(struct tutor *tutor);
void parameter_reset(struct tutor *tutor);
int parameter_count_shown(const struct tutor *tutor);
void view_cycle(struct tutor *tutor, int by);
/* Frees all that belongs to the open lesson. */
void lesson_close(struct tutor *tutor);
