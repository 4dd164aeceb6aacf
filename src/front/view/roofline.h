/* front/view/roofline.h: the axes and points of the view `roofline`, in both of its forms. For this folder only. */
#pragma once
#include "front/view/draw.h"

/* Powers of ten: operations per byte to the right, per nanosecond upwards. */
struct roofline_scale {
	double x_low, x_high, y_low, y_high; /* their exponents */
};

struct roofline_plot {
	const struct view_roofline *roofline;
	struct roofline_scale scale;
	struct rect rect; /* inside the axes; the names of the roofs are on the row above */
	int label;        /* columns of the labels of the levels, left of the axis */
};

/* Where the launch is, by the model, which 0, or as it was measured, which 1. */
struct roofline_point {
	enum roof_level level;
	double x, y;
};
const struct roof_work *view_roofline_work(const struct view_roofline *r, int which, int i);
bool view_roofline_point(const struct view_roofline *r, int which, int i, struct roofline_point *out);
bool view_roofline_covered(const struct view_roofline *r, int i);
enum role view_roofline_measured_role(const struct view_roofline *r);

/* "61.2 TFLOP/s", "4.57 TB/s"; "12.3", "1.2M". */
void view_roofline_write_rate(double per_ns, const char *unit, struct buf *out);
void view_roofline_write_count(double v, struct buf *out);

/* Percent of the roof above a point. */
double view_roofline_share(const struct view_roofline *r, const struct roofline_point *p);

void view_roofline_draw_plot(struct canvas *canvas, struct rect rect, const struct view_roofline *r);
void view_roofline_draw_legend(struct canvas *canvas, struct rect row, const struct view_roofline *r);

/* The larger form. */
void view_roofline_draw_roomy(struct canvas *canvas, struct rect rect, const struct view_roofline *r);
