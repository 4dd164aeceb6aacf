/* How far the model's estimates are from what the course's recordings measured: the rows of
 * src/model/hardware/errors.def, worked out anew. With `print` they are printed as they belong into that file; with
 * `each` every launch's numbers are, those of kernels that are left out as well: metric, lesson, launch, the model's,
 * what was measured, its multiple. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "course/experiment/experiment.h"
#include "front/tutor/tutor.h"
#include "machine/ptx/program.h"
#include "machine/ptx/ptx.h"
#include "machine/simt/simt.h"
#include "model/hardware/metrics.h"

/* What was measured as a multiple of what the model has, over all launches where both are there and not 0. */
struct spread {
	int n;
	double least, most;
};

static struct spread spreads[METRICS];
static bool prints_each;

/* A launch that is compared. */
struct compared {
	const char *lesson, *kernel, *label;
	bool left_out;
};

static void take(
	enum metric_id metric, const struct compared *launch, const struct counts *model, const struct counts *measured)
{
	struct value a = metric_value(metric, model), b = metric_value(metric, measured);
	struct spread *s = &spreads[metric];
	if (a.state != VALUE_OK || b.state != VALUE_OK || !(a.v > 0) || !(b.v > 0))
		return;
	double ratio = b.v / a.v;
	if (prints_each)
		printf("%s\t%s\t%s%s %s\t%.6g\t%.6g\t%.3g\n", metric_ids[metric], launch->lesson,
			launch->left_out ? "(left out) " : "", launch->kernel, launch->label, a.v, b.v, ratio);
	if (launch->left_out)
		return;
	s->least = !s->n || ratio < s->least ? ratio : s->least;
	s->most = !s->n || ratio > s->most ? ratio : s->most;
	s->n++;
}

/* Instructions that ptxas makes a loop, which goes round until it succeeds, and accesses of which other blocks'
 * counters hear. */
static bool is_left_out(const char *spelling)
{
	bool shared_sum = strstr(spelling, ".shared") && strstr(spelling, ".add.f");
	return shared_sum || strstr(spelling, ".shared::cluster");
}

/* Whether what the kernel does is no estimate of ours. How often it tries to take a lock, or looks for a flag, is a
 * matter of time. */
static bool is_passed_by(const struct experiment *e)
{
	struct diag unheard = {0};
	const struct ptx_kernel *kernel = ptx_find_kernel(e->kernel->module, e->launch->kernel, &unheard);
	bool out = kernel && simt_synchronizes(kernel);
	for (int i = 0; kernel && i < kernel->n_instrs; i++)
		out = out || is_left_out(kernel->instrs[i].form->spelling);
	diag_free(&unheard);
	return out;
}

static void take_point(struct experiments *set, const struct lesson *lesson, const struct experiment_point *point)
{
	if (lesson_expects_defect(lesson, point->step, point->values))
		return;
	struct experiment *e = experiment_open(set, point->step, point->values);
	const struct experiment_recording *recording = experiment_recording(e);
	if (recording->found != RECORDED_OK)
		return;
	const struct experiment_run *run = experiment_run(e);
	struct compared launch = {lesson->id, e->launch->kernel, point->label, is_passed_by(e)};
	if (!run->ran || run->result.outcome != SIMT_OK || (launch.left_out && !prints_each))
		return;
	experiment_times(e);
	for (int i = 0; i < METRICS; i++)
		if (metric_is_estimate((enum metric_id)i))
			take((enum metric_id)i, &launch, &experiment_run(e)->counts, &recording->counts);
}

static bool take_lesson(struct arena *arena, const struct lesson *lesson, struct diag *diag)
{
	struct experiment_points points;
	if (!experiment_points_of_lesson(arena, lesson, &points, diag))
		return false;
	struct experiments *set = experiments_new(lesson, &(struct experiment_rules){.keep = 8});
	for (int i = 0; i < points.n; i++)
		take_point(set, lesson, &points.points[i]);
	experiments_free(set);
	return true;
}

/* As the table has it: three digits, rounded away from 1. */
static double rounded(double v, bool up)
{
	double scale = pow(10, 2 - floor(log10(v)));
	return (up ? ceil(v * scale - 1e-9) : floor(v * scale + 1e-9)) / scale;
}

static int compare(enum metric_id metric)
{
	const struct spread *s = &spreads[metric];
	const struct metric_error *row = metric_error(metric);
	if (row && row->median > 0)
		return 0; /* tests/timing has it */
	if (!s->n)
		return row ? fprintf(stderr, "# %s has an error and was nowhere compared\n", metric_table[metric].name)
			   : 0;
	double least = rounded(s->least, false), most = rounded(s->most, true);
	if (row && row->launches == s->n && fabs(row->least - least) < 1e-9 && fabs(row->most - most) < 1e-9)
		return 0;
	return fprintf(stderr, "# %s: %d launches, %.3g to %.3g times the model's\n", metric_table[metric].name, s->n,
		least, most);
}

static void print(void)
{
	for (int i = 0; i < METRICS; i++)
		if (spreads[i].n && !(metric_error((enum metric_id)i) && metric_error((enum metric_id)i)->median > 0))
			printf("ERROR(%s, %d, %.3g, %.3g)\n", metric_ids[i], spreads[i].n,
				rounded(spreads[i].least, false), rounded(spreads[i].most, true));
}

int main(int argc, char **argv)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	const char *source = getenv("top_srcdir");
	int wrong = 0;
	prints_each = argc > 1 && strcmp(argv[1], "each") == 0;
	struct catalog *catalog = lesson_catalog_load(arena, source ? source : ".", &tutor_lesson_names, &diag);
	bool ok = catalog != NULL;
	for (int i = 0; ok && i < catalog->n_lessons; i++)
		ok = take_lesson(arena, catalog->lessons[i], &diag);
	if (!ok)
		fprintf(stderr, "# the lessons could not be read\n");
	if (ok && argc > 1 && strcmp(argv[1], "print") == 0)
		print();
	if (prints_each)
		return ok ? 0 : 1;
	for (int i = 0; i < METRICS; i++)
		wrong += compare((enum metric_id)i) != 0;
	printf("1..1\n%sok 1 - the errors of estimates are those of the recordings\n", ok && !wrong ? "" : "not ");
	diag_free(&diag);
	arena_free(arena);
	return 0;
}
