/* course/experiment/experiment.h: the launches of a lesson and what their witnesses say of them.
 *
 * An experiment is one launch: a step of the lesson with values for its parameters. Where the step has several, which
 * run one after the other over the same memory, it is the one that is watched: numbers and pictures are of it alone.
 * Those before it run with it, those after it only where results are compared. Opening one makes the launch and nothing
 * more. Its run on the machine, what is recorded of it, its timelines, and whether a GPU would run it to its end are
 * computed when first asked for, and kept with it; live numbers are put there by the code that measures.
 *
 * The experiments of a lesson are one set, which has the lesson's kernels, each parsed once, and its recordings.
 * Everything that an experiment returns belongs to it, and is freed with it. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "course/experiment/recordings.h"
#include "course/lesson/lesson.h"
#include "machine/ptx/ptx.h"
#include "machine/warp/warp.h"
#include "model/hardware/counters.h"
#include "model/hardware/listing.h"
#include "model/hardware/occupancy.h"
#include "model/probe/timeline.h"
#include "model/profile/profile.h"

/* --- kernels ------------------------------------------------------------------------------------------------------ */

/* A lesson's kernel file, parsed, with what is derived from it. */
struct experiment_kernel {
	const struct kernel_file *file;
	struct ptx_module *module; /* NULL: the PTX is broken, see problems */
	char fingerprint[17];      /* of the PTX, for recordings */
	const char **line_texts;   /* of the source */
	int n_lines;
	const char *lines_of, *lines_ptx; /* the PTX to count the lines of this entry by; NULL: not made yet */
	struct diag problems;
};

/* In the arena, but for the problems. */
struct experiment_kernel *experiment_kernel_new(struct arena *arena, const struct kernel_file *file);
void experiment_kernel_free_problems(struct experiment_kernel *kernel);

/* The PTX to count the lines of entry `name` by, made when first asked for, in `arena`. NULL when there is none: see
 * problems. */
const char *experiment_kernel_lines(struct arena *arena, struct experiment_kernel *kernel, const char *name);

/* --- the set ------------------------------------------------------------------------------------------------------ */

enum experiment_care {
	/* For a reader who waits for it: counts, and the detector only where the step is about a defect. */
	EXPERIMENT_SHOWN,
	/* As a lesson or a reader's kernel is checked: the detector is always on, results are compared, and steps that
	 * launch and watch the same share one experiment. */
	EXPERIMENT_CHECKED
};

/* Where the model's numbers that are stored with the lesson stand for a run of the whole launch. */
enum experiment_stored {
	EXPERIMENT_STORED_LARGE, /* where it would reach the limit of steps */
	EXPERIMENT_STORED_LONG,  /* also where a reader would wait for it, but where the detector is on */
	EXPERIMENT_STORED_NEVER
};

/* What makes machine code of PTX where none is recorded, while the reader waits: NULL, and `*why` in some words, where
 * it cannot. */
struct experiment_assembly {
	const char *ptx;
	size_t len;
	const char *kernel; /* by its name in the PTX */
	int cc;
};
struct experiment_assembler {
	const struct code_listing *(*run)(
		void *of, struct arena *arena, const struct experiment_assembly *what, const char **why);
	void *of;
};

struct experiment_rules {
	enum experiment_care care;
	bool looks;     /* SHOWN: the detector is on in every step, and what it finds does not keep counts away */
	uint64_t steps; /* warp instructions of a run; 0: PROFILE_STEPS_MAX */
	int cc;         /* compute capability of the model; 0: MODEL_CC_DEFAULT */
	int keep;       /* at most so many are kept, 4 at least; those not used for longest go first. 0: all */
	enum experiment_stored stored;
	struct experiment_assembler assembler; /* run NULL: there is none */
};

struct experiments;

struct experiments *experiments_new(const struct lesson *lesson, const struct experiment_rules *rules);
void experiments_free(struct experiments *set);

/* What is wrong with the lesson's recordings. */
struct diag *experiments_problems(struct experiments *set);

/* How many there are that have run. */
int experiments_count(const struct experiments *set);

/* Frees the experiments of a step that is about to be freed, and its kernel, which is not one of the lesson's. */
void experiments_forget(struct experiments *set, const struct step *step);

/* The GPU at hand, on whose SMs the model's timelines place blocks. sms 0: there is none; then it is the one in the
 * recording, else the model's default. */
void experiments_set_gpu(struct experiments *set, const char *name, uint32_t sms);

/* The GPUs that the lesson was recorded on, NULL past the last; whose numbers are asked for first, by its index. What
 * experiments say of their recordings is another one's then. */
const struct experiment_provenance *experiments_recorded_on(const struct experiments *set, int index);
void experiments_prefer_recorded_on(struct experiments *set, int index);

/* --- one experiment ----------------------------------------------------------------------------------------------- */

#define EXPERIMENT_DEFECTS_MAX 8 /* different ones that are kept of a run */

/* What the machine and the models made of the launch. */
struct experiment_run {
	bool ran; /* else the experiment's problems say why not, and nothing below is set */
	/* A launch too large to be run while a reader waits: `counts`, lines and `executed` are those that the model
	 * had when it was recorded; the rest is of its blocks up to the watched one, and results are not compared. */
	bool stored;
	struct simt_result result;
	/* VALUE_NONE throughout when it did not run. Of an EXPERIMENT_SHOWN that stopped they predict nothing and are
	 * VALUE_FAILED, unless it ended with the defect that is the lesson; else as far as it ran. */
	struct counts counts;
	struct simt_defect defects[EXPERIMENT_DEFECTS_MAX];
	uint32_t n_defects;
	bool looked;                         /* for them: the detector was on */
	const struct experiment_line *lines; /* that have instructions, ascending */
	int n_lines;
	int n_watched;   /* accesses of the watched line and warp that were kept, PROFILE_WATCHED_MAX at most */
	bool has_access; /* one of them is the watched one: */
	struct warp_access access;
	bool has_shuffle;
	struct warp_shuffle shuffle; /* the first of the watched line and warp */
	struct warp_tiles tiles;     /* of its matrix instruction; n 0: none */
	struct warp_cluster cluster; /* of the watched block */
	uint32_t taking_part[BLOCK_WARPS_MAX];
	struct occupancy_block block; /* threads 0: not known; registers 0: those are not */
	struct occupancy occupancy;
	const uint64_t *executed; /* warp instructions, by instruction of the kernel; NULL: not known */
	int n_executed;
	bool results;      /* EXPERIMENT_CHECKED: the buffers held what they must; so with nothing to hold */
	const char *wrong; /* NULL, or what was wrong with them */
};

struct experiment_recording {
	enum experiment_recorded found;
	const struct experiment_provenance *provenance; /* NULL unless RECORDED_OK */
	struct counts counts;
	bool has_model; /* what the model counted of it is stored, too: */
	struct counts model;
	struct experiment_modeled modeled;
	struct line_table lines; /* no rows: not recorded */
	struct value wavefronts; /* of all shared accesses, counted by instruction: for counter_compare */
	const struct experiment_executed *executed; /* of machine code, by lines of the PTX */
	int n_executed;                             /* 0: not recorded */
	/* of each machine instruction, by its address in the place of a line; no rows: not recorded */
	struct line_table instrs;
	const char *instrs_code; /* of which code: elf_fingerprint_code */
};

/* What a GPU said while the set lived. States: VALUE_NONE, not asked for yet; VALUE_NOT_LAUNCHED, never to be asked
 * for. */
struct experiment_live {
	struct counts counts;
	struct line_table lines; /* when lines_state is VALUE_OK */
	enum value_state lines_state;
	struct timelines times; /* those whose state is VALUE_OK */
	enum value_state times_state[PROBE_TIMELINES];
	enum value_state activity_state; /* of times.activity */
};

/* Whether a GPU runs the launch to its end. It stops it for a misaligned access, one outside of memory, a trap, and a
 * wait in vain, which hangs. UNKNOWN: the machine has a limit, or cannot run it. */
enum experiment_on_gpu { EXPERIMENT_ENDS_ON_GPU, EXPERIMENT_STOPS_ON_GPU, EXPERIMENT_ON_GPU_UNKNOWN };

struct experiment_private;

/* Read-only for callers. */
struct experiment {
	struct experiments *set;
	struct arena *arena;         /* for what is kept with it */
	const struct step *step;     /* of several that share it: the first */
	const int64_t *values;       /* of the lesson's parameters */
	const struct launch *launch; /* NULL: the step's expressions failed, see problems */
	struct lesson_launches all;  /* where the step has several, it is all.at[all.watched] */
	struct experiment_kernel *kernel;
	struct step_watched watched;
	struct diag problems; /* why there is no launch or no run; EXPERIMENT_SHOWN: also why not to its end */
	struct experiment_private *private;
};

/* The experiment of the step, which may be a copy with another kernel, with these values: kept from before, or new.
 * Never NULL. Valid until others push it out, unless it is pinned. */
struct experiment *experiment_open(struct experiments *set, const struct step *step, const int64_t *values);

/* The same, but NULL when it is not kept or has not run. */
struct experiment *experiment_find_run(struct experiments *set, const struct step *step, const int64_t *values);

/* Keeps it whatever is opened, until it was unpinned as often. NULL is fine. */
void experiment_pin(struct experiment *e);
void experiment_unpin(struct experiment *e);

const struct experiment_run *experiment_run(struct experiment *e);

/* Whether pictures of the launch are the same when it is run only up to the watched block, as where its model is
 * stored. */
bool experiment_beginning_suffices(struct experiment *e);

/* Of a step that shows a program: what it asked for with these values, as it is stored with the lesson. `found`, which
 * may be NULL: whether there is something, and of the source as it is; NULL unless that is RECORDED_OK. */
const struct experiment_program *experiment_program(struct experiment *e, enum experiment_recorded *found);
bool experiment_is_program(const struct experiment *e);

/* Its arguments: "2 1". In the experiment's arena. */
const char *experiment_program_arguments(const struct experiment *e);

/* Nothing is run for it. */
const struct experiment_recording *experiment_recording(struct experiment *e);

/* Of the first GPU, whichever is preferred: what texts, questions and claims are about. */
const struct experiment_recording *experiment_first_recording(struct experiment *e);

/* What this GPU of the set's, and no other in its stead, counted of it. False: nothing is recorded. */
bool experiment_recorded_counts(struct experiment *e, int gpu, struct counts *out);

/* The machine code of its kernel: what is recorded, else what the assembler of the rules makes, which is then kept with
 * the set. */
struct experiment_code {
	const struct code_listing *listing; /* NULL: there is none */
	const char *why;                    /* then a sentence */
	enum witness witness;               /* RECORDED; LIVE: made here */
};
const struct experiment_code *experiment_code(struct experiment *e);

/* The model's timelines, those of the step's watched warp. Of an experiment that has not run, one run gives these and
 * its counts. Valid until those of another are asked for. NULL: there is nothing to launch. */
const struct timelines *experiment_times(struct experiment *e);

/* The estimate that the model's timelines come with, also of a launch whose counts are stored; NULL: there is none. As
 * long as these. */
const struct engine_estimate *experiment_estimate(struct experiment *e);

/* To be filled in by the code that measures. */
struct experiment_live *experiment_live(struct experiment *e);

/* All of it is to be asked for again, unless the launch is not for a GPU. */
void experiment_forget_live(struct experiment *e);

/* Runs it again only where the step expects a defect. `why`, which may be NULL: what stops it, or why it is not
 * known. */
enum experiment_on_gpu experiment_on_gpu(struct experiment *e, const char **why);

/* Whether a GPU can be given the launch, alone (model/profile/profile.h); and what it is given: the launch, or where it
 * comes after others one that has what they left. NULL: none can be given. The first call for one that comes after
 * others runs those. */
bool experiment_is_for_gpu(const struct experiment *e);

/* Whether a GPU of this compute capability takes the kernel's PTX; "compute capability 9.0", what it needs, in
 * words. */
bool experiment_fits_gpu(const struct experiment *e, int cc);
void experiment_needs_gpu(const struct experiment *e, struct buf *out);
int experiment_needs_cc(const struct experiment *e); /* 0: any, or not known */

const struct launch *experiment_gpu_launch(struct experiment *e);

/* The PTX by which the lines of its kernel are counted; NULL when there is none. Valid as long as the set. */
const char *experiment_lines_ptx(struct experiment *e);

/* An element of the buffer of an argument after the launch, of which a step then has but one, as the machine has it: it
 * is run for that once, without the detector. False with a constant string when there is none. */
bool experiment_result(struct experiment *e, int argument, uint64_t element, double *out, const char **why);

/* Whether buffers, one for each argument, hold what the step says. Else `*wrong`. */
bool experiment_results_right(struct experiment *e, void *const *buffers, const char **wrong);

/* Moves its problems, and its kernel's, to `diag`: each is reported once. */
void experiment_report(struct experiment *e, struct diag *diag);

/* --- answers, claims and texts of a lesson, judged by what the witnesses say -------------------------------------- */

/* Why there is no number when the lesson's recording lacks the launch, or has another version of its kernel. */
extern const char experiment_not_recorded[], experiment_recording_stale[];

/* The number that a judgment of the step, or one of its terms, has; false with a constant string when there is none. */
bool experiment_judge(struct experiments *set, const struct step *step, const struct judgment *judgment, double *out,
	const char **why);
bool experiment_judge_term(
	struct experiments *set, const struct step *step, const struct term *term, double *out, const char **why);

/* What a judgment's number says of a condition. */
bool experiment_is_true(double v);

/* A number agrees when it is right to half a unit of the second decimal, or to `within` of it where that is more. */
bool experiment_agrees(double typed, double right, double within);

/* Appends the text with its numbers; why one is missing stands in its place. */
void experiment_write_phrase(
	struct experiments *set, const struct step *step, const struct phrase *phrase, struct buf *out);

/* What a word of course/lesson/program_words.def is of a program; false: it is none. */
bool experiment_program_word(const struct hostlog_sums *sums, const char *word, double *out);

/* --- answers to questions ----------------------------------------------------------------------------------------- */

/* What a reader answers: the text typed, a number or numbers of a list, or the index of the choice, -1: none yet. */
struct experiment_answer {
	const char *typed;
	int choice;
};

enum experiment_answer_is {
	EXPERIMENT_ANSWER_UNREADABLE,
	EXPERIMENT_ANSWER_OPEN,
	EXPERIMENT_ANSWER_WRONG,
	EXPERIMENT_ANSWER_RIGHT
};

struct experiment_reply {
	enum experiment_answer_is is;
	const char *why;             /* OPEN: why it cannot be judged now */
	const struct phrase *reason; /* WRONG: what the author says of this answer; NULL: nothing */
};

/* The step has a question. */
struct experiment_reply experiment_judge_answer(
	struct experiments *set, const struct step *step, const struct experiment_answer *answer);

/* The right answer as an author reads it: `4`, or `'yes'`. False when there is none, or more than one. */
bool experiment_write_answer(struct experiments *set, const struct step *step, struct buf *out);

/* The indices of the right choices, or of all items in their order. How many; 0: it is not known, or nothing is listed
 * in questions of this kind. */
int experiment_right_choices(struct experiments *set, const struct step *step, int right[LESSON_CHOICES_MAX]);

/* Adds an error for everything that is wrong with the question itself: a wrong answer that is right, no right
 * choice. */
void experiment_check_question(struct experiments *set, const struct step *step, struct diag *faults);

/* --- the launches that a lesson leads to -------------------------------------------------------------------------- */

/* Each step as it opens, the values of the parameters that can be turned there, the same of what it is compared with,
 * every point of its sweep, and what its question and its claim are judged by. A recording must hold them, so that a
 * reader without a GPU sees a measured number wherever the lesson leads; `lesson check` runs them. */

/* All combinations of a step's parameters, as long as there are no more of them; else each parameter in turn. */
#define EXPERIMENT_COMBINATIONS_MAX 256

struct experiment_point {
	const struct step *step;
	const int64_t *values;       /* of the lesson's parameters */
	const struct launch *launch; /* the watched one */
	struct lesson_launches all;
	const char *label; /* "stride 7" */
};

struct experiment_points {
	struct experiment_point *points;
	int n, cap;
};

/* Each launch of each kernel once, in the order of the lesson; those of exercises, whose kernels are the reader's, and
 * of programs, which make their own, are left out. False with diagnostics when a launch cannot be made. */
bool experiment_points_of_lesson(
	struct arena *arena, const struct lesson *lesson, struct experiment_points *out, struct diag *diag);

/* Whether the same is launched, and the same of it watched. */
bool experiment_same_launches(const struct lesson_launches *a, const struct lesson_launches *b);

/* Those of one step. */
bool experiment_points_of_step(struct arena *arena, const struct lesson *lesson, const struct step *step,
	struct experiment_points *out, struct diag *diag);

/* "stride 7, version tiled": the parameters that can be turned in the step, or are not what they start from; "as it is"
 * when there are none. */
const char *experiment_label(
	struct arena *arena, const struct lesson *lesson, const struct step *step, const int64_t *values);

/* --- times of an exercise ----------------------------------------------------------------------------------------- */

/* What the fix gains: the times of its start and of its solution, at the size that the author
 * chose for that. Recorded with the lesson, as its other launches are; nothing is run here. */

enum { EXPERIMENT_BEFORE, EXPERIMENT_AFTER, EXPERIMENT_SIDES };

extern const char *const experiment_side_kernels[EXPERIMENT_SIDES]; /* see lesson_exercise_kernel */

struct experiment_timed {
	const char *at;                       /* "n 4096", the parameters that are not the step's; "" for none */
	struct value time[EXPERIMENT_SIDES];  /* in us, recorded */
	struct value model[EXPERIMENT_SIDES]; /* in us, the model's, from when it was recorded */
	const struct experiment_provenance *provenance; /* NULL unless both were recorded */
};

/* Appends "Measured on NVIDIA H200, n 4096: 15.3 us before the fix, 4.1 us after it." and what the model has; of an
 * exercise whose solution takes longer, why. Nothing where a time is missing. */
void experiment_timed_write(const struct experiment_timed *timed, const struct exercise *exercise, struct buf *out);

/* All in `arena`. False: the step is no exercise that is timed, or a kernel of it cannot be read, which is said in
 * `diag`. */
bool experiment_timed(struct arena *arena, struct experiments *set, const struct step *step,
	struct experiment_timed *out, struct diag *diag);
