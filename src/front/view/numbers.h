/* front/view/numbers.h: the rows of the view `numbers`, in both of its forms. For this folder only. */
#pragma once
#include "front/view/draw.h"
#include "model/hardware/metrics.h"

/* Below this many columns labels and words are shortened. */
#define VIEW_NUMBERS_NARROW 56

/* Columns of the sign between the numbers, with its blanks. */
#define VIEW_NUMBER_SIGN 3

/* Columns before what a metric means, below its number. */
#define VIEW_NUMBER_INDENT 4

/* A row as text, worked out before the columns are laid out. */
struct view_number_cells {
	struct buf predicted, measured;
	enum role predicted_role, measured_role, relation_role;
	uint32_t relation; /* '=', GLYPH_NOT_EQUAL, '<' where the GPU also counts what had to wait, or a blank */
};

/* In a picture of so many columns. To be freed. */
struct view_number_cells view_number_cells_of(const struct view_number *number, int cols);
void view_number_cells_free(struct view_number_cells *row);

/* "≈15±18%", where that has room. */
void view_number_add_off(const struct view_number *number, struct view_number_cells *row, int room);

/* While a picture is played, the count so far in the place of what is predicted. */
void view_number_replace_by_so_far(
	struct view_number_cells *r, const struct view_input *input, enum metric_id metric, int room);

/* A short unit follows the label where it has no column of its own. */
enum view_number_label { VIEW_NUMBER_BARE, VIEW_NUMBER_WITH_UNIT };
void view_number_draw_label(struct canvas *canvas, struct rect r, const struct view_input *input, enum metric_id metric,
	enum view_number_label how);

/* The label, shortened where `cols` are too few for it. */
void view_number_label_text(enum metric_id metric, int cols, struct buf *out);

/* The columns of the longest label with its unit. */
int view_number_label_columns(const struct view_numbers *numbers);

void view_number_draw_right(struct canvas *canvas, struct rect column, enum role role, const char *text);

/* What the metric means, in the rows below its number; how many it takes is returned. */
int view_number_meaning_rows(const struct view_number *number, int cols);
int view_number_draw_meaning(struct canvas *canvas, struct rect rect, const struct view_number *number);

/* The columns of the longest formula. */
int view_numbers_formula_columns(const struct view_numbers *numbers);

bool view_numbers_have_estimate(const struct view_numbers *numbers);

/* Why there is nothing measured, where all numbers share a reason, else VALUE_NONE. */
enum value_state view_numbers_reason(const struct view_number *rows, int n);

/* "measured: NVIDIA H200"; where nowhere, the reason that all numbers share. */
void view_numbers_measured_words(const struct view_numbers *numbers, struct buf *out);
enum role view_numbers_measured_role(const struct view_number *rows, int n);

/* How many columns for other GPUs' recordings fit in a picture of `cols` columns that has `left` of them left; returns what they take.
 * They begin at `col`, after the number measured, whose column is `measured`; the picture ends before `end`. */
int view_elsewhere_fit(const struct view_numbers *numbers, int cols, int left, int *n);
void view_elsewhere_draw(struct canvas *canvas, int row, int col, int n, const struct view_numbers *numbers,
	const struct view_number *number);
void view_elsewhere_draw_heads(
	struct canvas *canvas, struct rect measured, int end, int n, const struct view_numbers *numbers);

/* Those of two settings beside each other, and the rows that so many want. */
int view_numbers_beside_rows(int n, int cols);
void view_numbers_draw_beside(struct canvas *canvas, struct rect rect, const struct view_input *input);
