/* front/tutor/tutor.h: the session: lesson, machine, model, measurements and views, as state and actions. No terminal,
 * and nothing of how it is shown: what is scrolled or zoomed is the screen's (front/screen/screen.h).
 *
 * The screen reads the state; keys become actions; the clock and the worker come in through tutor_gpu_step. Everything
 * an action changes is there when it returns, but for live numbers, which arrive later. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/paths.h"
#include "course/experiment/experiment.h"
#include "course/experiment/grade.h"
#include "course/lesson/lesson.h"
#include "front/view/view.h"
#include "gpu/client/gpu.h"
#include "model/profile/profile.h"

/* Which lessons the list has: all, those with steps that were not read, with open questions, with an exercise to be
 * solved. */
enum tutor_filter { FILTER_ALL, FILTER_UNREAD, FILTER_UNANSWERED, FILTER_UNSOLVED, FILTERS };

enum tutor_mode { TUTOR_LIST, TUTOR_LESSON };

enum tutor_action {
#define ACTION(id, name, help) ACTION_##id,
#define TOPIC(name)
#include "front/tutor/actions.def"
#undef TOPIC
#undef ACTION
	ACTIONS
};

/* What a screen should bring in sight. */
enum tutor_attention_to { ATTENTION_NONE, ATTENTION_QUESTION, ATTENTION_END_OF_TEXT };

/* What has happened, counted, so that a screen sees what is new since it looked last. */
struct tutor_events {
	unsigned lessons_opened, steps_entered;
	unsigned attentions;                  /* calls for attention, each to: */
	enum tutor_attention_to attention_to; /* NONE when a step was entered since */
};

enum tutor_answer_state { ANSWER_NONE, ANSWER_TYPING, ANSWER_WRONG, ANSWER_RIGHT };

/* NONE: not shown yet; OPEN: a number is missing. */
enum tutor_verdict { VERDICT_NONE, VERDICT_HOLDS, VERDICT_FAILS, VERDICT_OPEN };

/* What the reader agrees to, to be translated. */
extern const char *const tutor_program_is;

/* The reader's kernel of an exercise. NEW: there is none yet. */
enum tutor_attempt_state { ATTEMPT_NEW, ATTEMPT_COMPILING, ATTEMPT_REFUSED, ATTEMPT_GRADED };

struct tutor_attempt {
	enum tutor_attempt_state state;
	const char *path;                     /* where it is, or will be */
	const struct experiment_grade *grade; /* of the version last graded; NULL: none */
	const char *message;                  /* REFUSED: what the compiler, or the machine, says */
	const char *timed;                    /* what the fix gains on a GPU, in a sentence; "" where it is not known */
	bool unagreed;                        /* a whole program, and the reader has yet to agree that such are run */
};

/* The reader's kernels that are explored: front/tutor/explore.c. REFUSED: what is shown is of the version before. */
enum tutor_explored_state { EXPLORED_SHOWN, EXPLORED_COMPILING, EXPLORED_REFUSED };

struct tutor_explored {
	enum tutor_explored_state state;
	const char *message; /* REFUSED: what the compiler, or the machine, says */
	int versions;        /* that are compared; 1: one alone */
	unsigned loaded;     /* how often a file has changed and was taken */
};

/* Turns CUDA source into PTX; called in a process of its own, with its messages going to where they are kept. Returns 0
 * when there is PTX at `ptx_path`. */
struct tutor_compiler {
	void *ctx;
	int (*run)(void *ctx, const char *path, const char *ptx_path);
};

/* Compiles, runs and grades a whole program of the reader's, as struct tutor_compiler: 0 with experiment_grade_write's
 * text at `out_path`. */
struct tutor_grader {
	void *ctx;
	int (*run)(void *ctx, const struct lesson *lesson, const struct step *step, const char *path,
		const char *out_path);
	bool (*asks)(void *ctx);  /* whether the reader has yet to agree that whole programs are run; NULL: no */
	bool (*agree)(void *ctx); /* the reader does; false: that cannot be kept */
};

/* Where the reader is. */
struct tutor_place {
	enum tutor_mode mode;
	int selected;                /* LIST: index of the lesson */
	int listed_step;             /* LIST: of that lesson, which is chosen, from 1; 0: the lesson is */
	enum tutor_filter filter;    /* LIST: which are listed, and */
	const char *track;           /* of this track alone; NULL: of all */
	const struct lesson *lesson; /* LESSON */
	int step;                    /* index */
	bool ending;                 /* past the last step: what to take away, and where to go */
	int64_t *values;             /* of the lesson's parameters */
	int parameter;               /* index of the one the arrows turn; -1: none shown in this step */
};

/* The reader's answer, and the response to it. */
struct tutor_answer {
	char text[32]; /* as typed */
	enum tutor_answer_state state;
	int choice; /* of a choice question: index, -1: none chosen yet */
	int right[LESSON_CHOICES_MAX],
		n_right;     /* RIGHT, of what is listed: the right ones, or all in their order; 0: not known */
	const char *reason;  /* WRONG: why this answer is wrong, "" when the lesson does not say */
	const char *explain; /* RIGHT, or the exercise is solved: the explanation */
	int hints_shown;
	const char *moved; /* RIGHT: "stride 4" when the parameters were turned to what was asked about, else "" */
};

struct tutor_claim {
	enum tutor_verdict verdict; /* on the step's claim */
	const char *reason;
};

/* The exercise: readers' kernels, compiled and judged. */
struct tutor_exercise {
	struct tutor_compiler compiler;      /* run NULL: they cannot be compiled */
	struct tutor_grader grader;          /* run NULL: whole programs cannot be run */
	const char *dir;                     /* where they are */
	const struct tutor_attempt *attempt; /* the step is an exercise; else NULL */
};

/* What the views draw, for the present step and values. */
struct tutor_shown {
	view_id view;
	struct view_input input;
	bool live_times;             /* the view is one of time, and has the GPU's picture besides the model's */
	bool model_times;            /* the model's is shown nevertheless */
	const struct diag *problems; /* why there is no experiment result or only a part; NULL: nothing is wrong */
};

/* Where the measured numbers come from. */
struct tutor_measured {
	const char *on;         /* "NVIDIA H200", "NVIDIA H200, recorded 2026-11-21", or NULL */
	const char *on_short;   /* the same without the date, for where there is little room */
	char status[128];       /* a few words */
	enum witness status_by; /* WITNESS_NONE: they come from nowhere */
	const char *failure;    /* the code of what keeps live numbers away, as in simttutor-gpu(1); NULL: none */
};

struct tutor_settings;
struct tutor_presented; /* present.h */
struct tutor_playground;

struct tutor {
	struct catalog *catalog;
	struct progress *progress;
	struct gpu *gpu;     /* never NULL; may be off */
	bool keeps_progress; /* visits and answers are remembered and written at tutor_free; true at first */
	bool covers;         /* what answers an open question is covered; true at first */
	bool background;     /* the caller runs tutor_work; else an action computes all before it returns */
	bool quit;
	/* the caller's, for the screen of settings; NULL: the standard ones, which stay */
	struct tutor_settings *settings;

	struct tutor_place at;
	struct tutor_answer answer;
	struct tutor_claim claim;
	struct tutor_exercise exercise;
	const struct tutor_explored *explored;   /* NULL: the session is of lessons */
	const struct tutor_presented *presented; /* NULL: nobody presents */
	/* what is explored is tried in place: front/tutor/playground.h; else NULL */
	struct tutor_playground *playground;
	struct tutor_playgrounds {
		void *ctx;
		struct tutor *(*open)(void *ctx, struct diag *diag); /* NULL: no playground can be opened from here */
	} playgrounds;
	struct tutor_shown shown;
	struct tutor_measured measured;
	struct tutor_events events;
	char notice[1024]; /* a sentence for the reader until the next key: what went wrong, what to do */

	struct tutor_private *private;
};

/* The metrics and views there are, for lesson_load. */
extern const struct lesson_names tutor_lesson_names;

/* The lessons of paths->course, with those names and the kernels that ship. NULL with an error. */
struct catalog *tutor_catalog_load(struct arena *arena, const struct paths *paths, struct diag *diag);

/* Loads lessons and progress. The worker is started by tutor_gpu_start, not here (the first frame must not wait).
 * NULL with diagnostics when there is not a single lesson. `diag` gets warnings of broken ones besides. */
struct tutor *tutor_new(const struct paths *paths, const char *gpu_spec, struct diag *diag);
/* A session with one lesson, without GPU, whose progress is not kept: for lesson check and tests. `lesson` must
 * outlive it. */
struct tutor *tutor_new_for(struct lesson *lesson, struct diag *diag);
void tutor_free(struct tutor *tutor);

/* Opens a lesson at a step (index from 0; -1: where the reader left it). */
void tutor_open(struct tutor *tutor, const struct lesson *lesson, int step);

/* Sets a parameter by name to any value in its list. False with an error that lists what it takes. */
bool tutor_set(struct tutor *tutor, const char *name, int64_t value, struct diag *diag);

/* Carries out an action and puts the notice away; one that makes no sense now does nothing else, nor does one of the
 * screen's (HELP, ZOOM, scrolling). */
void tutor_act(struct tutor *tutor, enum tutor_action action);

/* Whether the list has the lesson of this index. */
bool tutor_lists(const struct tutor *tutor, int lesson);

/* Whether the action would do anything now: the footer shows only those. */
bool tutor_can(const struct tutor *tutor, enum tutor_action action);

/* A character typed into the answer, or 8 for backspace. What is not part of a number stays in it with a notice, and is
 * not judged. A choice takes its number; other characters do nothing to it. */
void tutor_type(struct tutor *tutor, uint32_t ch);

/* Answers an open question that has something pointed at with the number of what was; QUESTION_THINGS, and another
 * thing than it asks for, is a notice. False: there is no such question. */
bool tutor_answer_pointed(struct tutor *tutor, enum question_thing thing, int64_t number);

/* Whether the reader is in the middle of an answer; and of one that is chosen from a list, where UP and DOWN move. */
bool tutor_typing(const struct tutor *tutor);
bool tutor_choosing(const struct tutor *tutor);

/* The last value, an index of its list, that a parameter can be turned to now: what is watched lies in the launch. */
int tutor_parameter_last(const struct tutor *tutor, int index);

/* In an explored kernel: watches this line of the source, where it has instructions, else the next that has. */
void tutor_watch_line(struct tutor *tutor, int line);

/* From now on the session's experiments can have machine code made for them; before a lesson is opened. */
void tutor_set_assembler(struct tutor *tutor, const struct experiment_assembler *assembler);

/* Looks whether a file of the explored kernels has changed, and takes what the compiler made of it; as
 * tutor_attempt_step. */
bool tutor_explore_step(struct tutor *tutor);
int tutor_explore_timeout_ms(const struct tutor *tutor);

/* Shows what was recorded on the GPU of this name, where the lesson was recorded on several; remembered for other
 * lessons. False with an error that lists them. The GPUs, in their order: NULL past the last. */
bool tutor_show_recorded_on(struct tutor *tutor, const char *name, struct diag *diag);
const struct experiment_provenance *tutor_recorded_on(const struct tutor *tutor, int index);

/* Things a click does: turn to view `index` of the step's; make `index` the parameter that the arrows turn. */
void tutor_show_view(struct tutor *tutor, int index);
void tutor_parameter_select(struct tutor *tutor, int index);

/* Turns to any view, whether the step offers it or not. */
void tutor_turn_to_view(struct tutor *tutor, view_id view);

/* How long the launch of the step takes by the model, and what bounds it; NULL: it has none. Until another step or
 * parameter. */
struct engine_estimate;
const struct engine_estimate *tutor_estimate(struct tutor *tutor);

/* The launch that is shown, for a debugger. Valid as long as it is shown. */
struct tutor_launch {
	struct ptx_module *module;
	const struct launch *launch;
	struct source ptx, source; /* of which `file`, `text` and `len` are set; source.text NULL: it is not at hand */
	struct step_watched watched;
	bool trusted; /* that it reads what nobody wrote, and the like, is nothing to stop at */
	int cc;
};
/* False where nothing is launched. */
bool tutor_launch(const struct tutor *tutor, struct tutor_launch *out);

/* Shows the reader one sentence until the next key; puts it away. */
void tutor_notice(struct tutor *tutor, const char *sentence);
void tutor_dismiss_notice(struct tutor *tutor);

/* The step that is open, NULL in the list and at the ending; whether its question is answered for good. */
const struct step *tutor_step(const struct tutor *tutor);
bool tutor_answered(const struct tutor *tutor);

/* For documents. Appends the right answer of the step's question as people read it; false when it has none now. The
 * wrong answer of this index with what its author says of it, whatever the kind of question; false: there is none, or
 * nothing is said of it. */
bool tutor_right_answer(struct tutor *tutor, struct buf *out);
bool tutor_wrong_answer(struct tutor *tutor, int index, struct buf *answer, struct buf *why);

/* Answers the question, or takes the exercise as solved, in the reader's place: what is told then is there. Not where
 * progress is kept. */
void tutor_answer_for_reader(struct tutor *tutor);

/* Whether something of what the screen would show is covered, since the question asks about it; whether that is of the
 * launch that is shown, and not of the one beside it alone. */
bool tutor_covered(const struct tutor *tutor);
bool tutor_covers_launch(const struct tutor *tutor);

/* Work that can wait for a quiet moment, a piece at a time: points of the sweep, and
 * what the machine finds of a kernel that went wrong on the GPU. tutor_work returns true when the screen
 * must be drawn again. */
bool tutor_has_work(const struct tutor *tutor);
bool tutor_work(struct tutor *tutor);

/* The reader's kernel of the exercise on the screen: looks whether it has changed and takes what the compiler made of
 * it. True when the screen must be drawn again. To be called again within tutor_attempt_timeout_ms, -1: no need. */
bool tutor_attempt_step(struct tutor *tutor);
int tutor_attempt_timeout_ms(const struct tutor *tutor);

/* The file that EDIT is about, NULL: none: the reader's kernel of the exercise; in an explored kernel its source, and
 * the line that is watched. `line`, 0: none, may be NULL. */
const char *tutor_file_to_edit(const struct tutor *tutor, int *line);

/* Whether EDIT only asks, the first time, whether whole programs may be run; the second time in a row the reader
 * agrees. */
bool tutor_edit_asks(const struct tutor *tutor);

/* Writes the reader's progress, where there is news and tutor->keeps_progress. */
bool tutor_save(struct tutor *tutor, struct diag *diag);

/* The worker: start it, feed it, and take what came. tutor_gpu_step returns true when the screen must be drawn
 * again. */
void tutor_gpu_start(struct tutor *tutor);
bool tutor_gpu_step(struct tutor *tutor);
/* While another session is before the reader, this one asks its GPU for nothing. */
void tutor_pause(struct tutor *tutor, bool paused);

/* For commands that print once: starts the worker, waits at most `ms` for the present step's live numbers. False with
 * an error (and its remedy) when they did not come; recorded ones then stay. */
bool tutor_measure_now(struct tutor *tutor, int ms, struct diag *diag);

/* --- explore.c: a session over a reader's own kernel, or two of them: a lesson without text that is made from a
 * launch, and made again when a file changes. What the files are, how they are compiled and what is launched is the
 * caller's. */
#define EXPLORE_FILES_MAX 2

struct tutor_explorer {
	void *ctx;
	const char *paths[EXPLORE_FILES_MAX]; /* of the kernels; a path that is NULL, standard input, never changes */
	int n_paths;
	struct tutor_compiler compiler; /* from one of the paths to its PTX */
	/* The lesson, from the PTX of each path, in `arena`; its steps are the versions, one or two, which show the
	 * same parameters but for the line. NULL with diagnostics. */
	struct lesson *(*make)(void *ctx, struct arena *arena, const struct buf *ptx, struct diag *diag);
	bool trusts;                           /* nothing is looked for that a kernel does wrong */
	uint64_t steps;                        /* warp instructions of a run */
	int cc;                                /* compute capability of the model */
	struct experiment_assembler assembler; /* run NULL: there is none */
};

/* A session with the lesson that `ptx` gives. Nothing is asked of a GPU before the reader measures, or tutor_gpu_start.
 * NULL with diagnostics. */
struct tutor *tutor_explore(const struct tutor_explorer *explorer, const struct buf *ptx, const char *gpu_spec,
	const char *worker, struct diag *diag);

/* --- exercise.c: the reader's own copy of an exercise's kernel. */
/* DIR/LESSON.cu; a second exercise of a lesson has the step's id in its name. */
const char *tutor_exercise_path(
	struct arena *arena, const char *dir, const struct lesson *lesson, const struct step *step);

/* Writes the kernel with the fault to `path`, unless there is a file: it is never overwritten. */
bool tutor_exercise_begin(const struct step *step, const char *path, struct diag *diag);

/* A kernel file from what was read and compiled. */
struct kernel_file *tutor_exercise_file(
	struct arena *arena, const char *path, const struct buf *source, const struct buf *ptx);

/* --- reload.c: a lesson that its author writes is read again while it is open, when its lesson.md or the PTX of a
 * kernel of it has changed. The reader stays in the step of that id, with its values, view and a half typed answer, as
 * far as there still are such; one that cannot be read leaves the lesson as it was, with a notice that says why and
 * where. */
/* From now on, for lessons of `paths` whose file may be written by who runs this: others do not change. */
void tutor_reload_begin(struct tutor *tutor, const struct paths *paths);

/* Looks at the files of the open lesson, and reads them when they have changed and not since the last look: half of a
 * file is not read. True when the screen must be drawn again. To be called again within tutor_reload_timeout_ms, -1: no
 * need. */
bool tutor_reload_step(struct tutor *tutor);
int tutor_reload_timeout_ms(const struct tutor *tutor);
