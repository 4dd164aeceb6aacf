/* Where a lesson was recorded on several GPUs: whose numbers are shown. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "front/tutor/private.h"
#include "front/view/subjects.h"
#include "model/hardware/metrics.h"

int tutor_recorded_count(const struct tutor *tutor)
{
	const struct experiments *set = tutor->private->experiments;
	int n = 0;
	while (set && experiments_recorded_on(set, n))
		n++;
	return n;
}

int tutor_recorded_index(const struct tutor *tutor, const struct experiment_provenance *from)
{
	int n = tutor_recorded_count(tutor), i = 0;
	while (i < n && !experiment_same_gpu(experiments_recorded_on(tutor->private->experiments, i), from))
		i++;
	return i < n ? i : 0;
}

/* The GPU of that name, -1: the lesson was not recorded on it. */
static int find_gpu(const struct tutor *tutor, const char *name)
{
	for (int i = 0; i < tutor_recorded_count(tutor); i++)
		if (strcmp(experiments_recorded_on(tutor->private->experiments, i)->gpu, name) == 0)
			return i;
	return -1;
}

void tutor_recorded_begin(struct tutor *tutor)
{
	struct tutor_private *p = tutor->private;
	const struct wire_gpu *info = gpu_info(tutor->gpu);
	int chosen = find_gpu(tutor, p->recorded_on), here = info ? find_gpu(tutor, info->name) : -1;
	p->recorded = chosen >= 0 ? chosen : here >= 0 ? here : 0;
	if (p->experiments)
		experiments_prefer_recorded_on(p->experiments, p->recorded);
}

static void show_recorded_of(struct tutor *tutor, int index)
{
	struct tutor_private *p = tutor->private;
	p->recorded = index;
	snprintf(p->recorded_on, sizeof p->recorded_on, "%s", experiments_recorded_on(p->experiments, index)->gpu);
	experiments_prefer_recorded_on(p->experiments, index);
	tutor_refresh(tutor);
}

void tutor_recorded_next(struct tutor *tutor)
{
	const struct experiments *set = tutor->private->experiments;
	char text[400];
	int n = tutor_recorded_count(tutor);
	if (n < 2) {
		tutor_notice(tutor, n ? _("The lesson was recorded on one GPU.") : _("The lesson was not recorded."));
		return;
	}
	show_recorded_of(tutor, (tutor->private->recorded + 1) % n);
	int shown = tutor->private->recorded;
	if (shown)
		snprintf(text, sizeof text,
			_("The numbers shown were recorded on %.96s. Texts, questions and claims are about %.96s."),
			experiments_recorded_on(set, shown)->gpu, experiments_recorded_on(set, 0)->gpu);
	else
		snprintf(text, sizeof text, _("The numbers shown were recorded on %.96s."),
			experiments_recorded_on(set, shown)->gpu);
	tutor_notice(tutor, text);
}

bool tutor_show_recorded_on(struct tutor *tutor, const char *name, struct diag *diag)
{
	int index = find_gpu(tutor, name);
	if (index >= 0) {
		show_recorded_of(tutor, index);
		return true;
	}
	struct buf all = {0};
	for (int i = 0; i < tutor_recorded_count(tutor); i++)
		buf_printf(&all, "%s%s", i ? ", " : "", experiments_recorded_on(tutor->private->experiments, i)->gpu);
	diag_error(diag, (struct diag_pos){0}, "the lesson was not recorded on '%s'; it was on %s", name,
		all.len ? buf_str(&all) : "no GPU");
	buf_free(&all);
	return false;
}

const struct experiment_provenance *tutor_recorded_on(const struct tutor *tutor, int index)
{
	const struct experiments *set = tutor->private->experiments;
	return set ? experiments_recorded_on(set, index) : NULL;
}

/* --- beside each other -------------------------------------------------------------------------------------------- */

/* Names of GPUs are a vendor, families, a model that has a digit, and what sets its variants apart. */
void tutor_gpu_short_name(const char *gpu, char *out, size_t size)
{
	static const char *const leading[] = {"NVIDIA ", "GeForce ", "Tesla "};
	for (size_t i = 0; i < sizeof leading / sizeof *leading; i++)
		if (strncmp(gpu, leading[i], strlen(leading[i])) == 0 && gpu[strlen(leading[i])])
			gpu += strlen(leading[i]);
	size_t len = strcspn(gpu, "0123456789");
	len += gpu[len] ? strcspn(gpu + len, " -") : 0;
	snprintf(out, size, "%.*s", (int)len, gpu);
}

void tutor_recorded_beside(struct tutor *tutor, struct experiment *e, const char *measured_on)
{
	struct tutor_private *p = tutor->private;
	struct view_numbers *numbers = &p->full->numbers;
	char *here = p->elsewhere_names[VIEW_ELSEWHERE_MAX];
	numbers->elsewhere = p->elsewhere;
	numbers->n_elsewhere = 0;
	if (!measured_on || numbers->other)
		return;
	tutor_gpu_short_name(measured_on, here, sizeof p->elsewhere_names[0]);
	numbers->measured_name = here;
	for (int i = 0; i < tutor_recorded_count(tutor) && numbers->n_elsewhere < VIEW_ELSEWHERE_MAX; i++) {
		int column = numbers->n_elsewhere;
		const struct experiment_provenance *from = experiments_recorded_on(p->experiments, i);
		struct counts counts = {0};
		bool any = false;
		if (strcmp(from->gpu, measured_on) == 0 || !experiment_recorded_counts(e, i, &counts))
			continue;
		for (int k = 0; k < numbers->n_rows; k++) {
			p->elsewhere_values[column][k] = metric_value(p->numbers[k].metric, &counts);
			any |= p->elsewhere_values[column][k].state == VALUE_OK;
		}
		tutor_gpu_short_name(from->gpu, p->elsewhere_names[column], sizeof p->elsewhere_names[column]);
		p->elsewhere[column] = (struct view_elsewhere){
			from->gpu, p->elsewhere_names[column], from->date, p->elsewhere_values[column]};
		numbers->n_elsewhere += any;
	}

	/* two variants of one model: then their whole names */
	for (int i = 0; i < numbers->n_elsewhere; i++)
		if (strcmp(p->elsewhere[i].name, here) == 0) {
			p->elsewhere[i].name = p->elsewhere[i].gpu;
			snprintf(here, sizeof p->elsewhere_names[0], "%s", measured_on);
			break;
		}
}
