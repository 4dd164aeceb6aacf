/* front/view/draw.h: what the views share: how one is called, lane digits, wave colors, wrapped notes, elided lists,
 * what is lit, words of descriptions. For this folder only. */
#pragma once
#include "base/buf.h"
#include "front/view/view.h"

/* How a view is drawn: view_drawer_NAME in the file of each view, named by its row of views.def. */
struct view_drawer {
	void (*draw)(struct canvas *canvas, struct rect rect, const struct view_input *input);

	/* Why it cannot draw this input, as a sentence; NULL when it can. */
	const char *(*lacks)(const struct view_input *input);

	/* In how many moments an input that it can draw is played (view_moments); NULL: it is not. */
	int (*moments)(const struct view_input *input);

	/* The picture in sentences, each on a line of its own (view_describe); NULL: it has no words. */
	void (*describe)(const struct view_input *input, struct buf *out);

	/* How far it can be scrolled; NULL: as far as it has more rows than the rectangle, by view_draw_scrolled. */
	struct view_scroll (*scroll)(struct rect rect, const struct view_input *input);
};

/* The picture from row input->scroll on. */
void view_draw_scrolled(view_id id, struct canvas *canvas, struct rect rect, const struct view_input *input);

/* Why it cannot draw this input, or does not, as a sentence; NULL: it can. */
const char *view_why_not(view_id id, const struct view_input *input);

/* A sentence in place of a picture, broken at blanks over the rows of `rect`. */
void view_draw_sentence(struct canvas *canvas, struct rect rect, enum role role, const char *text);

/* The sentence where the watched line made no access. */
const char *view_no_access(const struct view_input *input);

/* Whether a sentence may send the reader to a view. */
bool view_offers(const struct view_input *input, view_id id);

/* A lane in one column: 0-9, then a-v. */
uint32_t view_lane_digit(int lane);

/* A cell filled with the role, its text in the middle of the first row; blanks beside the text, not the texture of the
 * fill. */
void view_draw_cell(struct canvas *canvas, struct rect rect, enum role ground, const char *text);

/* A bar in eighths over a row: `part` of `whole`, dots where it does not reach. */
void view_draw_bar(struct canvas *canvas, struct rect row, enum role role, uint64_t part, uint64_t whole);

/* Colors of wavefronts repeat after the fourth; the number beside the row does not. */
enum role view_wave_role(int index);

/* "lane 5", "lanes 0, 16", "lanes 0–31"; after `most` ranges "…". Nothing for 0. */
void view_write_lanes(uint32_t lanes, int most, struct buf *out);

/* The bytes of a line of source as the reader sees it: the mark at its end by which a lesson names it, and the blanks
 * before, are of no interest. */
size_t view_code_length(const char *line);

/* Where the head of a kernel does not fit in so many columns, its `extern "C"` gives way, and then `__global__`, so
 * that its name is seen. */
void view_fit_head(struct buf *line, int cols);

/* So much of the line, without its indentation, as fits in the row. */
void view_draw_code_row(struct canvas *canvas, struct rect row, const char *line);

/* The grammar of counts: "1 wavefront", "2 wavefronts". */
const char *view_plural(int n);

/* "7" for a place in a row of cells that are `pitch` columns apart; where they are as narrow as a number, for every
 * second one only. */
void view_cell_number(int number, int place, int pitch, char out[8]);

/* Lines of text under a picture, the most important first. They break at blanks, not at hard ones (U+00A0). */
#define VIEW_NOTES_MAX 8
struct view_notes {
	struct {
		enum role role;
		char text[480];
	} at[VIEW_NOTES_MAX];
	int n;
};
void view_notes_add(struct view_notes *notes, enum role role, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* What the signs in a picture mean, of those that are in it: the digits of view_lane_digit for the lanes that are drawn
 * `alone`, explained where they are letters, and the others, "" where there are none. Nothing when all explains
 * itself. */
void view_notes_add_legend(struct view_notes *notes, uint32_t alone, const char *const *signs, int n);

/* Drops notes from the end, never the first, until they fit in `rows`; returns the rows that the rest takes. */
int view_notes_fit(struct view_notes *notes, int rows, int cols);
void view_notes_draw(struct canvas *canvas, struct rect rect, const struct view_notes *notes);

/* "inactive: lanes 16–31", when there are any. */
void view_note_inactive(struct view_notes *notes, uint32_t active);

/* A list of `n` things on `rows` rows: the first `head` are shown, then, where some are left out, one row that says so
 * and the last `tail` of them. */
struct view_elision {
	int head, left_out, tail;
};
struct view_elision view_elide(int n, int rows);

/* --- what the reader points at ------------------------------------------------------------------------------------ */

/* It is lit wherever it is drawn: a view says of each piece that it has drawn what it shows; the piece is lit where
 * that belongs to what is picked, and its rectangle is added to input->spots. */

#define VIEW_METRIC_GROUPS_MAX 32

/* What belongs to the pick. */
struct view_light {
	struct view_pick pick;
	uint32_t lanes;                      /* of the watched warp */
	int64_t warp;                        /* as THING_WARP counts them; -1: none */
	int line;                            /* 0: none */
	bool groups[VIEW_METRIC_GROUPS_MAX]; /* metrics of these: METRIC_GROUP_... */
};

void view_light_of(struct view_light *light, const struct view_input *input);

/* What a piece of a picture shows: what a reader picks by pointing at it, lanes of the watched warp, and of what else
 * it is a part: `n` things of a kind from one on. */
struct view_shows {
	struct view_pick pick;
	uint32_t lanes;
	struct {
		enum view_thing thing;
		int64_t first;
		int n;
	} part;
};

/* To be called once the piece is drawn. */
void view_spot(struct canvas *canvas, const struct view_input *input, struct rect rect, const struct view_shows *shows);

/* The same for what shows a thing and nothing else. */
void view_spot_of(
	struct canvas *canvas, const struct view_input *input, struct rect rect, enum view_thing thing, int64_t index);

/* Tells whoever asks that it lies there. */
void view_spot_at(const struct view_input *input, struct rect rect, struct view_pick pick);

/* A warp as picks count them. */
int64_t view_warp_index(uint32_t block, uint32_t warp);

/* The first sector of the first line that the access touches; its lanes with a byte in `bank`, or in a sector counted
 * from there. */
uint64_t view_first_sector(const struct warp_access *access);
uint32_t view_lanes_of_bank(const struct warp_access *access, int bank);
uint32_t view_lanes_of_sector(const struct warp_access *access, int64_t index);

/* --- sentences (describe.c) --------------------------------------------------------------------------------------- */

/* "64", or why there is no number. */
void view_describe_value(struct value value, struct buf *out);

/* "measured 64", or why it is not: "measured: no GPU". */
void view_describe_witness(const char *verb, struct value value, struct buf *out);

/* What the model predicts; of an estimate also the range. */
void view_describe_predicted(int metric, struct value value, struct buf *out);

/* What each lane does in the watched access, shuffle or tiles, a line each. */
void view_describe_lanes(const struct view_input *input, struct buf *out);

/* "Lane 5 has A: a0 [1][2–3], a1 [9][2–3]; B: ..." */
void view_fragments_describe_lane(const struct warp_tiles *tiles, int lane, struct buf *out);

/* Threads of a block; lanes of one of its warps that have a thread. */
uint32_t view_lanes_threads(const struct view_launch *launch);
int view_lanes_of_warp(const struct view_launch *launch, uint32_t warp);

/* --- numbers.c ---------------------------------------------------------------------------------------------------- */

/* The label of a metric, shortened where `cols` are too few for it. */
void view_number_label_text(int metric, int cols, struct buf *out);
