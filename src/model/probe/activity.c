/* Samples of counters over a kernel's life -> how busy the SMs were. */
#include <string.h>

#include "model/hardware/occupancy.h"
#include "model/probe/timeline.h"

static const char *const activity_metrics[PROBE_ACTIVITIES] = {
#define ACTIVITY(id, hw, meaning) [PROBE_ACTIVITY_##id] = hw,
#include "model/probe/activity.def"
#undef ACTIVITY
};

struct wire_message probe_activity_message(const struct wire_job *job)
{
	struct wire_message m = {.kind = WIRE_SAMPLE};
	m.sample.job = *job;
	m.sample.metrics = activity_metrics;
	m.sample.n_metrics = PROBE_ACTIVITIES;
	return m;
}

/* Per SM and cycle; negative when it was not counted. */
static double per_cycle(const double *values, const double *cycles, int i, uint32_t sms)
{
	double mean = values && cycles && sms ? values[i] / (cycles[i] * sms) : -1;
	return mean >= 0 && mean < 1e9 ? mean : -1;
}

struct activity_timeline *probe_activity_read(
	struct arena *arena, const struct wire_samples *samples, const struct probe_gpu *gpu)
{
	const double *of[PROBE_ACTIVITIES];
	for (int i = 0; i < PROBE_ACTIVITIES; i++) {
		int k = 0;
		while (k < samples->n_metrics && strcmp(samples->metrics[k], activity_metrics[i]) != 0)
			k++;
		of[i] = k < samples->n_metrics ? samples->values[k] : NULL;
	}
	const double *busy = of[PROBE_ACTIVITY_ACTIVE];
	int begin = 0, end = samples->n;
	while (busy && begin < end && !(busy[begin] > 0))
		begin++;
	while (busy && end > begin && !(busy[end - 1] > 0))
		end--;
	if (!busy || begin == end)
		return NULL;
	struct activity_timeline *a = arena_alloc(arena, sizeof *a);
	struct activity_sample *out = arena_array(arena, struct activity_sample, (size_t)(end - begin));
	double first = begin ? samples->times[begin - 1] : 0;
	for (int i = begin; i < end; i++) {
		double time = samples->times[i] - first;
		out[i - begin] = (struct activity_sample){.time = time > 0 && time < 1e18 ? (uint64_t)time : 0,
			.warps = per_cycle(of[PROBE_ACTIVITY_WARPS], of[PROBE_ACTIVITY_ELAPSED], i, gpu->sms),
			.issued = per_cycle(of[PROBE_ACTIVITY_INSTRUCTIONS], of[PROBE_ACTIVITY_ELAPSED], i, gpu->sms)};
	}
	struct occupancy limits = occupancy(gpu->cc, &(struct occupancy_block){.threads = WARP_SIZE});
	uint32_t interval = samples->interval > 0 ? (uint32_t)samples->interval : 1;
	*a = (struct activity_timeline){
		.origin = {WITNESS_LIVE, TIMELINE_NS, interval, gpu->where,
			samples->cut && end == samples->n ? "the end: more samples than there was room for" : NULL},
		.max_warps = limits.state == OCCUPANCY_OK ? limits.max_warps : 0,
		.samples = out,
		.n = (size_t)(end - begin)};
	return a;
}
