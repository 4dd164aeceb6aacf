/* model/hardware/timeline.h: what ran where and when: blocks on SMs, the warps of one SM, the masks of one warp, and
 * how busy the GPU was.
 *
 * The views `blocks`, `schedule` and `mask` draw these, whether from the model (schedule.h) or from stamps and samples
 * of a GPU. The code that fills them in owns the arrays, which must live as long as they are shown, and calls *_settle
 * before a view draws them. Times count from 0, the first of them, in the unit of the timeline; an end is the first
 * moment after. */
#pragma once
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/hardware/value.h"

enum timeline_unit { TIMELINE_CYCLES, TIMELINE_NS };

/* Where a timeline comes from. */
struct timeline_origin {
	enum witness witness;
	enum timeline_unit unit;
	/* In units: times closer than this cannot be distinguished; at least 1 (%globaltimer: 32) */
	uint32_t resolution;
	const char *where; /* "NVIDIA H200", with the date of a recording; what the model assumes: "132 SMs" */
	const char *cut;   /* what is missing and why, a clause: "the first 4096 of 100000 blocks"; NULL: nothing is */
};

/* More SMs than a GPU has. */
#define TIMELINE_SMS_MAX 1024u

/* --- blocks on SMs ------------------------------------------------------------------------------------------------ */

struct block_span {
	uint64_t start, end;
	uint32_t block; /* linear */
	uint32_t sm;
	uint32_t slot, wave; /* by blocks_settle, from 0: the SM's slot, and how many blocks had it before */
};

struct blocks_timeline {
	struct timeline_origin origin;
	uint32_t sms;      /* of the GPU, also those without a block; more than any span's */
	uint32_t resident; /* blocks that an SM can hold; 0: not known */
	uint64_t launched; /* blocks of the grid; `n` may be fewer: origin.cut says why */
	struct block_span *spans;
	size_t n;

	/* by blocks_settle */
	uint64_t end;      /* of the last block */
	uint32_t used;     /* SMs that had a block */
	uint32_t slots;    /* the most blocks resident on one SM */
	uint32_t waves;    /* the most blocks in one slot, one after the other */
	uint64_t tail;     /* when the first of the used SMs had run its last block; `end`: all ended at once */
	double idle;       /* share of the SMs' time from 0 to `end` without any block, 0 to 1 */
	double tail_idle;  /* the same from `tail` on */
	double full_waves; /* blocks / (SMs * resident), or slots where resident is 0 */
};

/* Sorts the spans by SM, start and block, gives each its slot (the lowest that is free by then; starts and ends that
 * are equal within the clock's resolution do not overlap) and its wave, and computes the rest. */
void blocks_settle(struct blocks_timeline *blocks);

/* --- the warps of one SM ------------------------------------------------------------------------------------------ */

enum warp_phase {
#define PHASE(id, name, letter, words, verb, meaning) PHASE_##id,
#include "model/hardware/phases.def"
#undef PHASE
	PHASES
};

struct phase_row {
	const char *name;
	char letter;
	const char *words, *verb, *meaning;
};
extern const struct phase_row phase_table[PHASES];

struct phase_span {
	uint64_t start, end;
	int32_t line;  /* of the source: of the instruction issued or waiting, or the last watched one; 0: none */
	uint8_t phase; /* enum warp_phase */
};

#define TIMELINE_SCHEDULERS 4

enum pipe { PIPE_NONE, PIPE_ALU, PIPE_FMA, PIPE_FP64, PIPE_XU, PIPE_TENSOR, PIPE_LSU, PIPES };
extern const char *const timeline_pipe_names[PIPES]; /* in words, "64-bit float" */

struct warp_row {
	uint32_t block, warp;
	uint32_t slot;                  /* of the SM: %warpid, which may change in a warp's life: the first seen */
	int8_t scheduler;               /* 0 to 3: warp slot modulo 4; -1: not known */
	uint64_t start, end;            /* of the warp's life */
	const struct phase_span *spans; /* ascending, not overlapping; time between them is unknown */
	size_t n;
};

struct schedule_timeline {
	struct timeline_origin origin;
	uint32_t sm;
	const struct warp_row *rows; /* by scheduler where it is known, then slot and start */
	int n_rows;
	uint64_t end; /* of the last warp */
	/* Instructions issued by each scheduler; all 0 with `counted` 0: not known (as from stamps). */
	uint64_t issued[TIMELINE_SCHEDULERS];
	int counted;
	uint64_t pipe_busy[PIPES]; /* of the warps' time in PHASE_PIPE, what they waited for each; from stamps 0 */
};

/* --- one warp ----------------------------------------------------------------------------------------------------- */

enum mask_what {
	MASK_LINE,   /* `lanes` execute `line` */
	MASK_ARRIVE, /* they arrive at a barrier there */
	MASK_LEAVE,  /* they leave it */
	MASK_EXIT,   /* they exit there */
};

struct mask_step {
	uint64_t time;
	uint32_t lanes;      /* never 0 */
	int32_t line;        /* 0: none */
	int32_t reconverges; /* line of the reconvergence point of the branch before it; 0: not known, or none */
	uint8_t what;        /* enum mask_what */
	uint8_t relation;    /* enum mask_relation, to what came before: mask_settle */
	uint32_t repeats;    /* times that it, or the group it ends, was run in a row: mask_settle; at least 1 */
	uint32_t group;      /* steps of that group */
};

/* How a step's lanes relate to those of the step before. */
enum mask_relation {
	MASK_SAME,
	MASK_DIVERGED,    /* some of them go on; the others wait */
	MASK_OTHER,       /* others that waited go on: the other side of the branch */
	MASK_RECONVERGED, /* with others that had waited */
};

struct mask_timeline {
	struct timeline_origin origin;
	uint32_t block, warp;
	uint32_t lanes;          /* that the warp has threads for */
	struct mask_step *steps; /* in the order of time */
	size_t n;
	uint64_t end;
};

/* Fills in `relation`; folds consecutive steps of the same line, lanes and kind, and groups of them (loops), into one
 * that counts its `repeats`: `n` gets smaller. */
void mask_settle(struct mask_timeline *mask);

/* --- how busy ----------------------------------------------------------------------------------------------------- */

/* A mean over the SMs and from the sample before (or 0) to `time`. Negative: not measured. */
struct activity_sample {
	uint64_t time;
	double warps;  /* resident on an SM */
	double issued; /* instructions of an SM in a cycle */
};

struct activity_timeline {
	struct timeline_origin origin;
	uint32_t max_warps;                    /* the most of an SM; 0: not known */
	const struct activity_sample *samples; /* ascending by time */
	size_t n;
};

/* --- all of them -------------------------------------------------------------------------------------------------- */

/* What there is of one launch. NULL: `why` says in a sentence why not, or is NULL when none were requested. */
struct timelines {
	const struct blocks_timeline *blocks;
	const struct schedule_timeline *schedule;
	const struct mask_timeline *mask;
	const struct activity_timeline *activity;
	const struct engine_estimate *estimate; /* engine.h: how long the launch takes, and why */
	const char *why;
	bool not_started; /* the launch could not be started for them; where it had run before, memory was short */
};
