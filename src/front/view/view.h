/* front/view/view.h: the diagrams, one table row each (views.def). A view draws what it is given inside a rectangle; it reads no
 * files, runs nothing and knows no terminal. */
#pragma once
#include "base/buf.h"
#include "front/canvas/canvas.h"
#include "machine/warp/warp.h"
#include "model/hardware/access.h"
#include "model/hardware/counters.h"
#include "model/hardware/hostlog.h"
#include "model/hardware/listing.h"
#include "model/hardware/occupancy.h"
#include "model/hardware/roofs.h"
#include "model/hardware/timeline.h"
#include "model/hardware/value.h"

/* One line of a kernel's source with what the model counted there. */
struct view_source_line {
	int line;
	const char *text; /* tabs as in the file */
	bool executed;
	uint64_t requests;                /* memory requests of the line, both spaces */
	struct value wavefronts, sectors; /* per request; VALUE_NONE when the line makes none of that kind */
	struct value active_lanes;        /* per warp instruction */
	uint32_t
		mark; /* how it differs from the source it is compared with: '~' text, '+' it is here alone, '#' its numbers; 0: not */
};

struct view_source {
	const char *file;
	const struct view_source_line *lines;
	int n_lines;
	int watched;                       /* line number, 0: none */
	const struct line_table *measured; /* NULL: it was not measured */
	enum witness measured_by;          /* LIVE or RECORDED */
};

struct view_number {
	int metric; /* METRIC_... of metrics.h */
	struct value predicted, measured;
	enum witness measured_by;     /* LIVE or RECORDED */
	const struct counts *counted; /* what `measured` was computed from; NULL: the counters of the catalog */
};

/* What was recorded on another GPU than the numbers beside it were measured on. */
struct view_elsewhere {
	const char *gpu, *name, *date; /* "NVIDIA H100 80GB HBM3", "H100", "2026-11-27" */
	const struct value *measured;  /* of each row */
};
#define VIEW_ELSEWHERE_MAX 2

struct view_numbers {
	const struct view_number *rows;
	int n_rows;
	const char *measured_on; /* "NVIDIA H200", with date for a recording; NULL: nowhere */
	const struct view_number
		*other;       /* n_rows: the same metrics of the setting it is compared with; NULL: of none */
	const char *names[2]; /* of both settings, in the order of their columns */
	int shown;            /* the column of `rows` */
	const struct view_elsewhere *elsewhere; /* not beside another setting */
	int n_elsewhere;
	const char *measured_name; /* with `elsewhere`, the name over the numbers measured: "H200" */
};

/* A metric against a parameter. xs ascending. */
struct view_sweep {
	int metric;
	const char *parameter, *unit; /* unit may be "" */
	const int64_t *xs;
	const char *const *names;                 /* of the parameter's values 0, 1, 2 ...; NULL: they are numbers */
	const struct value *predicted, *measured; /* n each */
	enum witness measured_by;
	int n;
	int64_t at; /* the parameter's present value, marked */
};

/* What a launch does under the roofs of a GPU; with a sweep, at each value of its parameter. */
struct view_roofline {
	const struct roof_work *predicted, *measured; /* n each */
	int n;                                        /* 0: there is nothing to draw */
	int at;                                       /* the launch that is shown; -1: it is not among them */
	bool counted;                                 /* `measured` has the GPU's operations; else the model's */
	const struct view_sweep *sweep;               /* whose values they are; NULL: there is one launch */
	const bool *covered;                          /* of n: it answers a question that is open; NULL: none does */
	enum witness measured_by;
	const char *gpu;           /* whose roofs these are, or would be */
	const struct roofs *roofs; /* NULL: none were measured on it */
};

/* Two versions of a kernel side by side. */
struct view_compared_row {
	int lines[2];  /* indices of the sources' lines; -1: there is none beside the other */
	uint32_t mark; /* as of the lines */
};

struct view_compare {
	const char *names[2];              /* NULL: nothing is compared */
	int shown;                         /* which of them the other pictures are of */
	const struct view_source *sources; /* two */
	const struct view_compared_row *rows;
	int n_rows;
	const int *metrics;
	const struct value *values[2]; /* of the metrics, predicted */
	int n_metrics;
};

/* The shape of the launch, and the warp that is watched. block[0] 0: not known. */
struct view_launch {
	uint32_t grid[3], block[3];
	uint32_t watched_block, watched_warp; /* linear; of the block */
	uint32_t taking_part
		[BLOCK_WARPS_MAX]; /* lanes of each warp of the watched block in its first watched access; all 0: not known */
};

/* One side of a defect. */
struct view_side {
	int line;         /* of the source; 0: not known */
	const char *text; /* of that line, "" when not known */
	const char *who;  /* "block 0, warp 0, thread 4" */
	const char *does; /* "load"; "" when it accesses no memory */
	uint32_t block, warp;
	uint32_t lanes; /* of the warp that the defect is of; 0: not known */
};

struct view_defect {
	const char *kind;             /* "race" */
	const char *message;          /* one sentence */
	struct view_side here, other; /* other.who NULL: there is one side */
};

/* How many blocks fit on an SM, from what is known of the kernel. */
struct view_occupancy {
	struct occupancy_block block; /* threads 0: not known; registers 0: those are not */
	struct occupancy result;
};

/* An instruction of a kernel, of its PTX or of its machine code. */
struct view_code_instr {
	int line;         /* of the source; 0: none */
	int ptx;          /* of machine code: the index of the PTX instruction that it was made from; -1: none */
	uint32_t address; /* of machine code, in its function */
	const char *text;
	struct value executed; /* warp instructions; of machine code see struct view_code */
	/* of machine code, where each is counted: of one execution, or one request of it */
	struct value threads, sectors, wavefronts;
};

/* A kernel's PTX and the machine code that a compiler made of it. */
struct view_code {
	const struct code_listing *listing; /* NULL: there is no machine code: */
	const char *why;                    /* a sentence; NULL: nor PTX */
	const struct view_code_instr *ptx, *sass;
	int n_ptx, n_sass;
	enum witness made_by;    /* RECORDED, or LIVE: made here */
	enum witness counted_by; /* how often machine code was executed: LIVE, RECORDED; NONE: it is not known */
	bool each;     /* each machine instruction; else what a PTX instruction became, together, beside the first: */
	bool is_other; /* since what ran was not this code, byte for byte */
};

/* A whole program: what it asked for, with times, and its source. */
struct view_program {
	const struct hostlog *log; /* NULL: see why */
	const char *why;           /* a sentence; NULL: there is no program */
	bool to_scale;             /* what copies and calls cost was measured; else times are only an order */
	const char *file;          /* without folders; NULL: the source is not known */
	const char *const *lines;
	int n_lines;
};

/* What the detector found. */
struct view_defects {
	bool looked; /* it was on */
	const struct view_defect *at;
	int n;
};

/* What a reader can point at. Its index: a lane or a bank, 0 to 31; the sector's distance from the first sector of the first line
 * that the access touches; block * BLOCK_WARPS_MAX + warp; a line of the source; a metric; a term of the glossary, of which no view
 * knows. */
enum view_thing { THING_NONE, THING_LANE, THING_BANK, THING_SECTOR, THING_WARP, THING_LINE, THING_METRIC, THING_TERM };

struct view_pick {
	enum view_thing thing;
	int64_t index;
};

/* Where something lies that can be pointed at. */
struct view_spot {
	struct rect rect;
	struct view_pick pick;
};

/* The places of one picture, or of several; `at` is the caller's to free. */
struct view_spots {
	struct view_spot *at;
	size_t n, cap;
};

/* `spots` NULL: nobody asks. */
void view_spots_add(struct view_spots *spots, struct rect rect, struct view_pick pick);

/* A view: its index in view_table, VIEW_NONE for none of them. Constants for those that code names: views.h. */
typedef int view_id;
enum { VIEW_NONE = 31 }; /* masks of views are uint32_t, too: there are fewer than 32 */

struct view_light;

struct view_input {
	const struct warp_access *access;   /* NULL: the watched line made none */
	const struct warp_shuffle *shuffle; /* likewise */
	const struct warp_tiles *tiles;     /* likewise; n is not 0 */
	const struct warp_cluster *cluster; /* NULL: there are none */
	int cc;
	const char *place; /* "line 14 · block 0 warp 0" */
	struct view_source source;
	struct view_numbers numbers;
	struct view_sweep sweep; /* n 0: none */
	struct view_roofline roofline;
	struct view_compare compare;
	struct timelines times;
	struct view_launch launch;
	struct view_defects defects;
	struct view_occupancy occupancy;
	struct view_code code;
	struct view_program program;
	int moment;     /* so many of view_moments are shown; 0: all, and what came of it */
	view_id played; /* the picture that the moment is of: numbers beside it count along */
	int scroll;     /* rows of the picture above those that are shown; of the source, from the watched line */
	struct view_pick picked;        /* it is lit in every picture that shows it, or what it consists of */
	struct view_spots *spots;       /* where the pictures say what lies where; NULL: nobody asks */
	const struct view_light *light; /* view_draw's own */
	bool roomy;                     /* view_draw's own: the rectangle has room for the larger form */
	const char *covered;            /* why the pictures are not to be drawn, as a sentence; NULL: they are */
	uint32_t offered;               /* bit i: the reader can come to view i; 0: to all */
};

/* What of the input a view draws. */
enum view_subject {
	VIEW_OF_ACCESS,
	VIEW_OF_ATOMIC, /* an access that is one */
	VIEW_OF_SHUFFLE,
	VIEW_OF_TILES,
	VIEW_OF_CLUSTER,
	VIEW_OF_SOURCE,
	VIEW_OF_NUMBERS,
	VIEW_OF_SWEEP,
	VIEW_OF_ROOFLINE,
	VIEW_OF_LAUNCH,
	VIEW_OF_DEFECTS,
	VIEW_OF_OCCUPANCY,
	VIEW_OF_COMPARE,
	VIEW_OF_CODE,
	VIEW_OF_PROGRAM,
	VIEW_OF_TIMES /* this, and code, cost more to make than what the others draw */
};

struct view {
	const char *name, *title;
	enum view_subject subject;
	int min_rows, min_cols;     /* below this it says that it needs more room, and how much */
	int roomy_rows, roomy_cols; /* from here on it draws real cells, bars and words; 0: the same at every size */
	const struct view_drawer *drawer;
	const char *meaning; /* for the man page: what it shows, without a full stop */
};
extern const struct view view_table[];
extern const int view_count;

view_id view_find(const char *name);

/* Draws view `id` in `rect`; when the rectangle is too small, or the input lacks what it needs, a sentence instead. */
void view_draw(view_id id, struct canvas *canvas, struct rect rect, const struct view_input *input);

/* The role of what a witness says; ROLE_MISSING of none. */
enum role view_witness_role(enum witness witness);

/* What a picture shows happens in so many moments, one after the other: the wavefronts of a request, its sectors, a warp's steps,
 * pieces of the time. 0: it cannot be played. */
int view_moments(view_id id, const struct view_input *input);

/* Whether the view draws its larger form in a rectangle of this size. */
bool view_is_roomy(view_id id, struct rect rect);

/* Whether what was recorded elsewhere prints as what is measured. */
bool view_elsewhere_is_same(const struct view_number *number, struct value value);

/* How many settings the numbers are of, and those of one of them, in the order of their columns. */
int view_number_sides(const struct view_numbers *numbers);
const struct view_number *view_numbers_of(const struct view_numbers *numbers, int side);

/* The rows that the numbers want in so many columns, with the heads of these: a second one where settings are compared. */
int view_number_rows(const struct view_numbers *numbers, int cols);

/* The rows that the ranges of estimates want, where they have no column. */
int view_number_ranges(const struct view_numbers *numbers);

/* How far a picture can be scrolled that has more rows than the rectangle. */
struct view_scroll {
	int least, most;
};
struct view_scroll view_scroll_range(view_id id, struct rect rect, const struct view_input *input);

/* A sentence about what is picked: what the lane, bank, sector or warp does in the watched access, what a line costs, what a metric
 * means. Nothing without a pick. */
void view_describe_pick(const struct view_input *input, struct buf *out);

/* The picture, or the numbers, in sentences, each on a line of its own. */
void view_describe(view_id id, const struct view_input *input, struct buf *out);
void view_describe_numbers(const struct view_input *input, struct buf *out);

/* Whether it draws this; false for VIEW_NONE. */
bool view_is_of(view_id id, enum view_subject subject);
