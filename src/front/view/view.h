/* front/view/view.h: the diagrams, one table row each (views.def). A view draws what it is given inside a rectangle; it
 * reads no files, runs nothing and knows no terminal. */
#pragma once
#include "base/buf.h"
#include "front/canvas/canvas.h"
#include "model/hardware/value.h"

/* What a reader can point at. Its index: a lane or a bank, 0 to 31; the sector's distance from the first sector of the
 * first line that the access touches; block * BLOCK_WARPS_MAX + warp; a line of the source; a metric; a term of the
 * glossary, of which no view knows. */
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

/* Those of one picture, or of several; `at` is the caller's to free. */
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

/* What the views of one screen draw. The subjects, whose headers only those include that draw or fill them, are never
 * NULL: an empty one says that there is none. So an input starts as a copy of view_input_none. */
struct view_input {
	const struct warp_access *access;   /* NULL: the watched line made none */
	const struct warp_shuffle *shuffle; /* likewise */
	const struct warp_tiles *tiles;     /* likewise; n is not 0 */
	const struct warp_cluster *cluster; /* NULL: there are none */
	int cc;
	const char *place; /* "line 14 · block 0 warp 0" */
	const struct view_source *source;
	const struct view_numbers *numbers;
	const struct view_sweep *sweep; /* n 0: none */
	const struct view_roofline *roofline;
	const struct view_compare *compare;
	const struct timelines *times;
	const struct view_launch *launch;
	const struct view_defects *defects;
	const struct view_occupancy *occupancy;
	const struct view_code *code;
	const struct view_program *program;
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
extern const struct view_input view_input_none;

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

/* What a picture shows happens in so many moments, one after the other: the wavefronts of a request, its sectors, a
 * warp's steps, pieces of the time. 0: it cannot be played. */
int view_moments(view_id id, const struct view_input *input);

/* Whether the view draws its larger form in a rectangle of this size. */
bool view_is_roomy(view_id id, struct rect rect);

/* How far a picture can be scrolled that has more rows than the rectangle. */
struct view_scroll {
	int least, most;
};
struct view_scroll view_scroll_range(view_id id, struct rect rect, const struct view_input *input);

/* A sentence about what is picked: what the lane, bank, sector or warp does in the watched access, what a line costs,
 * what a metric means. Nothing without a pick. */
void view_describe_pick(const struct view_input *input, struct buf *out);

/* The picture, or the numbers, in sentences, each on a line of its own. */
void view_describe(view_id id, const struct view_input *input, struct buf *out);
void view_describe_numbers(const struct view_input *input, struct buf *out);

/* Whether it draws this; false for VIEW_NONE. */
bool view_is_of(view_id id, enum view_subject subject);
