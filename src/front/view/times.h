/* front/view/times.h: what the views of time share: the axis, the witness in the header, shares in one column; and
 * those of a whole program, its operations. For this folder only. */
#pragma once
#include "front/view/draw.h"
#include "model/hardware/hostlog.h"
#include "model/hardware/timeline.h"

/* Columns of a picture as time: column c is from + [c, c+1) * per, in the timeline's unit. */
struct view_time_scale {
	int col, cols;
	uint64_t from, end, per; /* per: at least 1 */
};

/* All of [from, end) in `cols` columns. */
struct view_time_scale view_times_scale(int col, int cols, uint64_t from, uint64_t end);

/* The column of a time from `from` on, at most the last. */
int view_times_col(const struct view_time_scale *scale, uint64_t time);

/* Steps or warps that a description has, at most. */
#define VIEW_STEPS_DESCRIBED 40

/* Pictures of time are played in so many pieces of it, whatever the input. */
int view_times_moments(const struct view_input *input);

/* The columns of the scale that the input's moment has reached; all where it has none. `end`: of the whole time. */
int view_times_shown(const struct view_time_scale *scale, const struct view_input *input, uint64_t end);

/* The time that the input's moment has reached; `end` where it has none. */
uint64_t view_times_until(const struct view_input *input, uint64_t end);

/* "480 cycles", "1.92 µs". */
void view_times_format(enum timeline_unit unit, uint64_t time, struct buf *out);

/* "0 ─── 480 cycles" over the columns. */
void view_times_axis(struct canvas *canvas, int row, const struct view_time_scale *scale, enum timeline_unit unit);

/* The first row of a view of time: the witness, then `text`. */
void view_times_header(struct canvas *canvas, struct rect rect, const struct timeline_origin *origin, const char *text);

/* "model: 132 SMs; shown are the first ...", the first of the notes. */
void view_times_note(struct view_notes *notes, const struct timeline_origin *origin, const char *more);

/* A label and a share in each column; less than 0: not known. */
struct view_shares {
	const char *label;
	int label_col;
	const double *of; /* of each column of the scale */
};

/* As bars, in eighths of a row; `percent`, where not negative, stands after them. */
void view_times_bars(struct canvas *canvas, int row, const struct view_time_scale *scale,
	const struct view_shares *shares, double percent);
#define VIEW_TIMES_FULL 0.97      /* a share from which on it is drawn as all */
#define VIEW_TIMES_PERCENT_COLS 7 /* "  100 %" */

/* A cell of which eight parts from below, 0 to 8, have the role. */
uint32_t view_times_eighth(int eighths);

/* A cell of a bar: the first of two roles has so many eighths of it, from the left. */
struct view_times_parts {
	enum role first, second;
	int eighths;
};
void view_times_part(struct canvas *canvas, int row, int col, struct view_times_parts parts);

/* --- whole programs: host, streams, map (program.c) --------------------------------------------------------------- */

/* Why there is nothing of a program to draw; NULL: there is. */
const char *view_program_lacks(const struct view_input *input);

/* Its operations up to the moment; all where there is none. */
int view_program_reached(const struct view_input *input);
int view_program_moments(const struct view_input *input);

/* The operation that the moment has come to, with a place in the program; -1: none. */
int view_program_at(const struct view_input *input);

/* "stream 2", "default". */
void view_program_stream(const struct hostlog *log, int stream, struct buf *out);

/* "copy to the device, 64 KiB, pinned", "kernel work". */
void view_program_operation(const struct hostlog *log, const struct hostlog_op *op, struct buf *out);

/* "in", "out", "copy", "fill", the kernel's name, "host": what is written in its bar. */
const char *view_program_bar(const struct hostlog_op *op);

/* The fill of its bar; of copies by direction and memory. */
enum role view_program_role(const struct hostlog_op *op);

/* All of it in sentences: what overlaps, and each operation with what it waited for. */
void view_program_describe(const struct view_input *input, struct buf *out);

/* "64 KiB" */
void view_program_bytes(uint64_t bytes, struct buf *out);
