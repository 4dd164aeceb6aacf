/* How long a reader waits in any lesson of the course: for a lesson or a step to open, for a value of a parameter, for
 * another view, at 80x24 and 160x50, and how long the model takes for a step's launch and its time; the worst of each
 * is named, with the processor time of all cores that it took: what a busy machine adds is not in that. No GPU. With
 * the name of a lesson, in that one. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/portable.h"
#include "course/experiment/experiment.h"
#include "front/screen/screen.h"
#include "front/tutor/tutor.h"

struct worst {
	const char *what;
	double limit, ms, busy_ms, total;
	int n;
	char where[200];
};

static struct canvas *small, *large;

struct moment {
	double ms;
	clock_t busy;
};

static struct moment now(void)
{
	return (struct moment){clock_ms(), clock()};
}

static void note(struct worst *worst, struct moment from, const struct tutor *tutor, const char *more)
{
	double ms = clock_ms() - from.ms;
	worst->total += ms;
	worst->n++;
	double busy_ms = 1e3 * (double)(clock() - from.busy) / CLOCKS_PER_SEC;
	if (ms > worst->limit)
		printf("too long: %s in %.0f ms, %.0f busy, at %s/%d%s%s\n", worst->what, ms, busy_ms,
			tutor->at.lesson->id, tutor->at.step + 1, *more ? ", " : "", more);
	if (ms <= worst->ms)
		return;
	worst->ms = ms;
	worst->busy_ms = busy_ms;
	snprintf(worst->where, sizeof worst->where, "%s/%d%s%s", tutor->at.lesson->id, tutor->at.step + 1,
		*more ? ", " : "", more);
}

/* Times from `from`, with both screens drawn. */
static void take(struct worst *worst, struct moment from, const struct tutor *tutor, const char *more)
{
	struct screen_state screen = {0};
	screen_render(small, tutor, &screen, NULL);
	screen_render(large, tutor, &screen, NULL);
	note(worst, from, tutor, more);
}

/* A launch with its time, of which nothing was kept. */
static void time_step(const struct tutor *tutor, struct worst *timing)
{
	struct experiments *set = experiments_new(tutor->at.lesson, &(struct experiment_rules){.keep = 1});
	struct moment from = now();
	experiment_times(experiment_open(set, &tutor->at.lesson->steps[tutor->at.step], tutor->at.values));
	note(timing, from, tutor, "");
	experiments_free(set);
}

static void turn(struct tutor *tutor, int parameter, struct worst *turning)
{
	const struct parameter *p = &tutor->at.lesson->parameters[parameter];
	for (int i = 0; i < p->n_values; i++) {
		struct buf label = {0};
		struct diag diag = {0};
		buf_printf(&label, "%s ", p->name);
		lesson_write_value(p, p->values[i], &label);
		struct moment from = now();
		tutor_set(tutor, p->name, p->values[i], &diag);
		take(turning, from, tutor, buf_str(&label));
		buf_free(&label);
		diag_free(&diag);
	}
	tutor_act(tutor, ACTION_PARAM_RESET);
}

static void walk(struct tutor *tutor, const struct lesson *lesson, struct worst *opening, struct worst *turning,
	struct worst *looking, struct worst *timing)
{
	for (int step = 0; step < lesson->n_steps; step++) {
		struct moment from = now();
		tutor_open(tutor, lesson, step);
		take(opening, from, tutor, "");
		const struct step *s = &lesson->steps[step];
		if (s->has_experiment)
			time_step(tutor, timing);
		for (int v = 0; s->has_experiment && v < s->n_views; v++) {
			from = now();
			tutor_show_view(tutor, v);
			take(looking, from, tutor, s->views[v]);
		}
		if (s->has_experiment)
			tutor_show_view(tutor, 0);
		for (int p = 0; s->has_experiment && p < lesson->n_parameters; p++)
			if (s->shown[p])
				turn(tutor, p, turning);
	}
}

static void print(const struct worst *w)
{
	printf("%-28s mean %6.2f ms   max %6.2f ms, %.2f ms busy, at %s   (%d; to stay under %.0f)%s\n", w->what,
		w->n ? w->total / w->n : 0, w->ms, w->busy_ms, w->where, w->n, w->limit,
		w->ms > w->limit ? "  TOO LONG" : "");
}

int main(int argc, char **argv)
{
	struct buf source = {0};
	struct diag diag = {0};
	struct worst opening = {.what = "a lesson or step opens", .limit = 100};
	struct worst turning = {.what = "a parameter is turned", .limit = 50};
	struct worst looking = {.what = "a view is chosen", .limit = 50};
	struct worst timing = {.what = "a launch and its time", .limit = 50};
	if (!file_read("simttutor.source", 4096, &source, &diag))
		buf_puts(&source, ".");
	source.data[strcspn(source.data, "\n")] = '\0';
	struct paths paths = {.data = source.data, .worker = "simttutor-gpu", .state = "/dev/null/none"};
	double from = clock_ms();
	struct tutor *tutor = tutor_new(&paths, "none", &diag);
	double loading = clock_ms() - from;
	small = canvas_new(24, 80);
	large = canvas_new(50, 160);
	if (tutor) {
		tutor->keeps_progress = false;
		tutor->background = true;
		printf("all lessons are read in %.1f ms (%d)\n", loading, tutor->catalog->n_lessons);
		for (int i = 0; i < tutor->catalog->n_lessons; i++)
			if (argc < 2 || strcmp(argv[1], tutor->catalog->lessons[i]->id) == 0)
				walk(tutor, tutor->catalog->lessons[i], &opening, &turning, &looking, &timing);
		print(&opening);
		print(&turning);
		print(&looking);
		print(&timing);
		tutor_free(tutor);
	}
	struct buf text = {0};
	diag_format(&diag, &text);
	fputs(buf_str(&text), stderr);
	buf_free(&text);
	buf_free(&source);
	diag_free(&diag);
	canvas_free(small);
	canvas_free(large);
	return tutor ? 0 : 1;
}
