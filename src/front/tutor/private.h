/* front/tutor/private.h: what the files of tutor/ share. */
#pragma once
#include <sys/stat.h>
#include <sys/types.h>

#include "course/experiment/experiment.h"
#include "front/tutor/playground.h"
#include "front/tutor/tutor.h"
#include "front/view/numbers.h"
#include "model/hardware/metrics.h"
#include "tools/sandbox/process.h"
#include "tools/sandbox/sandbox.h"

#define TUTOR_EXPERIMENTS 96 /* that are kept, so that going back to a value shows everything at once */

/* A metric against a parameter, all other parameters as they are now. Filled a point at a time. */
struct tutor_sweep {
	struct arena *arena;
	const struct step *step; /* NULL: there is no sweep */
	enum metric_id metric;
	int parameter;
	int64_t *values; /* of all parameters; the swept one is set in turn */
	int next;        /* first point not predicted yet */
	struct value *predicted, *recorded, *live, *shown;
};

/* The measurement on its way: at most one, so that what the reader looks at never waits in a queue. */
struct tutor_live {
	int64_t id;                    /* 0: none */
	struct experiment *experiment; /* NULL: it is gone; the answer is dropped */
	enum counter_id asked[COUNTERS];
	int n_asked;                   /* 0: the counters of its lines are asked for */
	struct wire_progress progress; /* as last reported, without its values; also of the start */
	bool canceled;                 /* the worker was asked to give it up */
	struct {
		bool sweep;                  /* no more points of the sweep in this step */
		bool lines, stamps, samples; /* no more counters of lines, or of these */
	} paused;                            /* after a failure */
	enum tutor_live_asked { LIVE_ASKED_COUNTERS, LIVE_ASKED_STAMPS, LIVE_ASKED_SAMPLES } what;
	struct arena *plan_arena; /* of the stamps asked for; NULL: none are */
	struct probe_timeline_plan *plan;
	bool halted;    /* nothing is asked for */
	bool lost;      /* the connection is, and that was reported */
	bool asked_for; /* by the reader: report why there is no GPU even if that is nothing new */
};

struct blame;
struct tutor_attempt_work;
struct explore_work;
struct tutor_present_work;
struct reload_work;
struct view_subjects;
struct view_source;

struct tutor_private {
	struct arena *arena;             /* of the catalog */
	struct experiments *experiments; /* of the open lesson */
	struct experiment *shown;        /* pinned */
	struct arena *input;             /* of full */
	struct view_subjects *full;      /* what there is to show, */
	struct view_subjects *bare;      /* and without what is covered: of tutor->shown.input */
	struct view_input input_full;    /* the rest of what there is to show */
	const struct diag *problems;     /* likewise */
	struct arena *roofline;          /* of what its view draws */
	struct arena *cover;             /* of what stands in place of what is covered */
	const char *cover_says;
	struct view_number covered[2][METRICS];               /* of the same */
	struct view_number numbers[METRICS], others[METRICS]; /* of what is shown; of what it is compared with */
	struct tutor_sweep sweep;
	struct tutor_live live;
	struct buf reason, explain, claim, moved, measured_on, measured_short; /* as tutor shows them */
	struct tutor_attempt_work *attempt;                                    /* NULL: no exercise was opened */
	const struct lesson *may_reset;     /* R was pressed for it, and nothing since */
	const struct step *may_run;         /* EDIT asked about its program, and nothing was done since */
	struct blame *blame;                /* NULL: no kernel is under suspicion */
	struct tutor_present_work *present; /* NULL: nobody presents */
	struct explore_work *explore;       /* NULL: the session is of lessons */
	struct reload_work *reload;         /* NULL: lessons are not read again */
	struct experiment *other;           /* pinned: what the shown one is compared with; NULL: nothing */
	struct view_elsewhere elsewhere[VIEW_ELSEWHERE_MAX]; /* recordings of other GPUs, beside the numbers */
	struct value elsewhere_values[VIEW_ELSEWHERE_MAX][METRICS];
	char elsewhere_names[VIEW_ELSEWHERE_MAX + 1][48]; /* the last: of the GPU measured on */
	int recorded;                                     /* index of the GPU whose recorded numbers are shown, and */
	char recorded_on[96];                             /* its name, where the reader has chosen it; "": not chosen */
	struct experiment_rules rules;                    /* of a lesson's experiments */
};

/* tutor_new_for, with a GPU. */
struct tutor *tutor_new_with(struct lesson *lesson, const char *gpu_spec, const char *worker, struct diag *diag);

/* On how many GPUs the open lesson was recorded, and which of them this is. When a lesson is opened, or a GPU found:
 * the one chosen, else the one at hand, else the first. The next one. */
int tutor_recorded_count(const struct tutor *tutor);
int tutor_recorded_index(const struct tutor *tutor, const struct experiment_provenance *from);
void tutor_recorded_begin(struct tutor *tutor);
void tutor_recorded_next(struct tutor *tutor);

/* Shows the present step and values: runs the experiment if it is new and fills everything derived. */
void tutor_refresh(struct tutor *tutor);

/* Fills in measured numbers and where they come from, for the experiment shown. */
void tutor_refresh_measured(struct tutor *tutor);

/* "H100" of "NVIDIA H100 80GB HBM3". */
void tutor_gpu_short_name(const char *gpu, char *out, size_t size);

/* Puts what the lesson has of other GPUs than the one measured on beside the numbers. NULL: they were measured
 * nowhere. */
void tutor_recorded_beside(struct tutor *tutor, struct experiment *e, const char *measured_on);

/* --- sweep.c ------------------------------------------------------------------------------------------------------ */

/* Starts the sweep of the present step afresh, unless it is the one already being filled. */
void tutor_sweep_begin(struct tutor *tutor);
void tutor_sweep_free(struct tutor_sweep *sweep);
bool tutor_sweep_complete(const struct tutor *tutor);
/* Predicts the next point. */
void tutor_sweep_predict(struct tutor *tutor);
/* Takes over what the experiments know by now, and hands the picture to the view. */
void tutor_sweep_refresh(struct tutor *tutor);
/* The values of all parameters at a point of the sweep, until another is asked for. */
const int64_t *tutor_sweep_values(struct tutor *tutor, int i);
/* The experiment of the first point that was not measured live yet, or NULL. */
struct experiment *tutor_sweep_unmeasured(struct tutor *tutor);

/* --- roofline.c --------------------------------------------------------------------------------------------------- */

/* Hands the view of roofs its launches, where it is shown. */
void tutor_roofline_refresh(struct tutor *tutor);

/* --- live.c ------------------------------------------------------------------------------------------------------- */

/* Asks for what is missing of the experiment shown, if the worker is ready and has nothing to do. */
void tutor_live_request(struct tutor *tutor);

/* Measures the experiment shown again, as the reader asked for; starts the worker where it does not run. */
void tutor_live_measure(struct tutor *tutor);
/* The experiments are about to go. */
void tutor_live_detach(struct tutor *tutor);

/* Why there is no measured value although none has failed: VALUE_PENDING, VALUE_NO_GPU, VALUE_NO_PERMISSION. */
enum value_state tutor_live_absence(const struct tutor *tutor);
/* Fills in status: its text and its witness. */
void tutor_live_describe(struct tutor *tutor);

/* Whether the view shown has the GPU's timeline. */
bool tutor_stamps_there(const struct tutor *tutor);

/* --- input.c ------------------------------------------------------------------------------------------------------ */

/* The source of its kernel with what was counted there. */
struct view_source tutor_input_source(
	struct arena *arena, const struct experiment *e, const struct experiment_run *run);
/* Gives the view shown the timelines, if it is one of time. */
void tutor_input_fill_times(struct tutor *tutor);
/* Gives it the machine code, if it draws that. */
void tutor_input_fill_code(struct tutor *tutor);
/* Chooses between the model's and the GPU's, where both are there. */
void tutor_input_choose_times(struct tutor *tutor);

/* --- cover.c ------------------------------------------------------------------------------------------------------ */

/* Gives the screen all there is to show, but for what answers a question that is open. To be called after each
 * change. */
void tutor_cover_apply(struct tutor *tutor);
/* The reader wants to see it: it is not covered any more in this step, and its answer counts as looked up. */
void tutor_uncover(struct tutor *tutor);
/* Whether all is covered because the parameter was turned to what is asked about. */
bool tutor_covered_by_turning(const struct tutor *tutor);
/* The values that the question is about; `right_choice`: -1 where there is none. */
const int64_t *tutor_asked_values(const struct tutor *tutor, int right_choice);

/* Goes on with that; true when it is done and the notice has the result. */
bool tutor_blame_step(struct tutor *tutor);

/* --- answer.c ----------------------------------------------------------------------------------------------------- */

void tutor_call_attention(struct tutor *tutor, enum tutor_attention_to to);
/* Checks the reader's answer against the model (or the right choice) and says how it went. */
void tutor_answer_check(struct tutor *tutor);
void tutor_answer_begin(struct tutor *tutor);
/* The question has been answered, now or before: says what is to be said then. */
void tutor_answer_settle(struct tutor *tutor);
void tutor_answer_move(struct tutor *tutor, int by);
void tutor_answer_hint(struct tutor *tutor);
/* Takes the answer back, and asks again; of an exercise, that it was solved. */
void tutor_answer_take_back(struct tutor *tutor);
/* How many hints the step has, of its question or exercise. */
int tutor_answer_hints(const struct tutor *tutor);

/* --- actions.c ---------------------------------------------------------------------------------------------------- */

/* Shows the step; the one after the last is the ending. */
void tutor_go_to_step(struct tutor *tutor, int index);
/* Frees all that belongs to the open lesson. */
void tutor_close_lesson(struct tutor *tutor);
/* Makes room for a lesson: its experiments, and its parameters' values. */
void tutor_begin_lesson(struct tutor *tutor, const struct lesson *lesson);
/* The index of a value in a parameter's list, -1: it is not there. */
int tutor_value_index(const struct parameter *parameter, int64_t value);

/* --- explore.c ---------------------------------------------------------------------------------------------------- */

void tutor_explore_free(struct tutor *tutor);
/* What is watched is to lie in the experiment's launch. True: the values had to change. */
bool tutor_explore_settle(struct tutor *tutor, const struct experiment *e);
/* A parameter was turned; another is the one that the arrows turn. Nothing in a lesson. */
void tutor_explore_turned(struct tutor *tutor, int index);
void tutor_explore_selected(struct tutor *tutor);
void tutor_explore_follow(struct tutor *tutor);
/* To another version of the kernel; what is watched stays as far as it can. */
void tutor_explore_version(struct tutor *tutor, int step);

/* Makes the lesson of the PTX that there is again, and shows it where the reader is. False with an error. */
bool tutor_explore_remake(struct tutor *tutor, struct diag *diag);
void tutor_explore_first_view(struct tutor *tutor);
/* The first file is compiled when it is looked at next, changed or not; it is looked at soon. */
void tutor_explore_again(struct tutor *tutor);
void tutor_explore_poll(struct tutor *tutor);

/* --- playground.c ------------------------------------------------------------------------------------------------- */

void tutor_playground_free(struct tutor *tutor);
/* False: the action is that of an explored kernel. */
bool tutor_playground_act(struct tutor *tutor, enum tutor_action action);
/* Whether the kernel's file is followed now. It has changed: what is edited is what it has, unless more was typed
 * since. */
bool tutor_playground_follows(const struct tutor *tutor);
void tutor_playground_reload(struct tutor *tutor);
/* What is wrong with the kernel; NULL: nothing is. */
void tutor_playground_refused(struct tutor *tutor, const char *message);

/* --- present.c ---------------------------------------------------------------------------------------------------- */

void tutor_present_free(struct tutor *tutor);
/* A lesson is about to be opened; a step was entered: its first piece is shown. Nothing where nobody presents. */
void tutor_present_opened(struct tutor *tutor, const struct lesson *lesson);
void tutor_present_entered(struct tutor *tutor);
/* What is the speaker's alone; false: the action is that of a lesson. */
bool tutor_present_act(struct tutor *tutor, enum tutor_action action);

/* --- reload.c ----------------------------------------------------------------------------------------------------- */

void tutor_reload_free(struct tutor *tutor);

/* --- compare.c ---------------------------------------------------------------------------------------------------- */

/* Hands the comparison of what is shown with the other version, or the step's other setting, to the views; nothing
 * where there is none. */
void tutor_compare(struct tutor *tutor);
/* The line of the other version that stands beside `line` of the version `step`; 0: none does. */
int tutor_compare_line(const struct tutor *tutor, int step, int line);

/* --- recompile.c: a kernel of the reader's that is compiled in the background whenever its file changes. */
struct recompile {
	const char *path;
	struct arena *arena; /* of the owner: as long as this */
	struct timespec changed;
	off_t size;              /* of the version that was compiled last; -1: of none */
	struct process compiler; /* pid 0: nothing is being compiled */
	struct buf said;         /* by the compiler */
	struct scratch scratch;  /* for the PTX */
	double looked;           /* clock_ms when the file was looked at last */
};

enum recompile_event {
	RECOMPILE_NOTHING,
	RECOMPILE_GONE,     /* there is no such file */
	RECOMPILE_STARTED,  /* it is another than the one compiled last */
	RECOMPILE_FAILED,   /* it could not be: `why` of recompile_step */
	RECOMPILE_REFUSED,  /* `said` has what the compiler says */
	RECOMPILE_COMPILED, /* recompile_ptx can be read until recompile_done */
};

void recompile_begin(struct recompile *r, struct arena *arena, const char *path);
/* Stops the compiler and removes what it made. */
void recompile_end(struct recompile *r);

/* The file as it is counts as compiled. */
void recompile_skip(struct recompile *r);
/* It is compiled at the next step, changed or not. */
void recompile_again(struct recompile *r);

/* Looks whether the file has changed, at most so often, or what became of the compiler. */
enum recompile_event recompile_step(struct recompile *r, const struct tutor_compiler *compiler, const char **why);
/* The same, at once. */
enum recompile_event recompile_poll(struct recompile *r, const struct tutor_compiler *compiler, const char **why);
int recompile_timeout_ms(const struct recompile *r);

const char *recompile_ptx(const struct recompile *r);
void recompile_done(struct recompile *r);

/* What the compiler said, as a screen shows it: names of files without the folder of the kernel's, and without our own
 * line about the messages above it. In `arena`. */
const char *recompile_log(const struct recompile *r, struct arena *arena);
/* Any message, likewise. */
const char *recompile_message(const struct recompile *r, struct arena *arena, const char *message);

/* --- attempt.c: the reader's own kernel of the exercise on the screen: found, compiled in the background whenever it
 * changes, graded, and shown in the place of the lesson's. */
struct tutor_attempt_work {
	struct tutor_attempt shown; /* what the screen reads */
	struct arena *arena;        /* of path and step: as long as the step is open */
	const struct step *of;      /* NULL: the step on the screen is not an exercise */
	struct recompile file;
	struct arena *version;   /* of the version graded: its file, step and grade */
	const struct step *mine; /* the step with the reader's kernel, NULL: none is graded */
	const struct tutor *tutor;
	struct tutor_compiler grader; /* of a whole program: makes its grade where others make PTX */
};

/* The step on the screen has changed. */
void tutor_attempt_open(struct tutor *tutor);
void tutor_attempt_close(struct tutor *tutor);

/* Puts the kernel into the reader's folder, or has it checked again. */
void tutor_attempt_edit(struct tutor *tutor);

/* The step whose experiment is shown: with the reader's kernel where there is one that runs. */
const struct step *tutor_step_to_run(const struct tutor *tutor);
