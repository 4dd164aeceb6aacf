#include "gpu/worker/profiler.h"

#include <stdlib.h>

#include "gpu/worker/cause.h"

#define PARAMS(type, name) type name = {.structSize = type##_STRUCT_SIZE}

static CUptiResult open_host(const struct plan_chip *chip, CUpti_Profiler_Host_Object **out)
{
	PARAMS(CUpti_Profiler_Host_Initialize_Params, p);
	p.profilerType = chip->type;
	p.pChipName = chip->name;
	p.pCounterAvailabilityImage = chip->availability;
	CUptiResult result = chip->cupti->cuptiProfilerHostInitialize(&p);
	*out = p.pHostObject;
	return result;
}

static void close_host(const struct cupti *cupti, CUpti_Profiler_Host_Object *host)
{
	PARAMS(CUpti_Profiler_Host_Deinitialize_Params, p);
	p.pHostObject = host;
	if (host)
		cupti->cuptiProfilerHostDeinitialize(&p);
}

/* Leaves a host object that has all of the metrics, or says that CUPTI refuses them: its answer to a name that the chip
 * does not have is "invalid parameter", for the whole list. */
static CUptiResult add_metrics(
	const struct plan_chip *chip, const char **metrics, int n, CUpti_Profiler_Host_Object **host)
{
	CUptiResult result = open_host(chip, host);
	PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params, p);
	p.pHostObject = *host;
	p.ppMetricNames = metrics;
	p.numMetrics = (size_t)n;
	return result == CUPTI_SUCCESS ? chip->cupti->cuptiProfilerHostConfigAddMetrics(&p) : result;
}

struct plan *plan_new(
	struct arena *arena, const struct plan_chip *chip, const char *const *metrics, int n, struct wire_error *error)
{
	struct plan *plan = arena_alloc(arena, sizeof *plan);
	plan->n = plan->n_counted = n;
	plan->quick = PLAN_QUICK_UNKNOWN;
	plan->metrics = arena_array(arena, const char *, (size_t)n + 1);
	plan->counted = arena_array(arena, const char *, (size_t)n + 1);
	plan->available = arena_array(arena, bool, (size_t)n + 1);
	plan->index = arena_array(arena, int, (size_t)n + 1);
	for (int i = 0; i < n; i++) {
		plan->metrics[i] = plan->counted[i] = arena_strdup(arena, metrics[i]);
		plan->available[i] = true;
		plan->index[i] = i;
	}

	CUptiResult result = open_host(chip, &plan->host);
	const char *what = "cuptiProfilerHostInitialize";
	close_host(chip->cupti, plan->host);
	plan->host = NULL;
	if (result == CUPTI_SUCCESS &&
		add_metrics(chip, plan->counted, plan->n_counted, &plan->host) != CUPTI_SUCCESS) {
		close_host(chip->cupti, plan->host);
		plan->host = NULL;

		plan->n_counted = 0;
		for (int i = 0; i < plan->n; i++) {
			CUpti_Profiler_Host_Object *host = NULL;
			plan->available[i] = add_metrics(chip, &plan->metrics[i], 1, &host) == CUPTI_SUCCESS;
			close_host(chip->cupti, host);
			if (!plan->available[i])
				continue;
			plan->counted[plan->n_counted] = plan->metrics[i];
			plan->index[plan->n_counted++] = i;
		}

		what = "cuptiProfilerHostConfigAddMetrics";
		if (plan->n_counted)
			result = add_metrics(chip, plan->counted, plan->n_counted, &plan->host);
	}
	if (result == CUPTI_SUCCESS && plan->n_counted) {
		what = "cuptiProfilerHostGetConfigImage";

		const struct cupti *cupti = chip->cupti;
		PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params, size);
		size.pHostObject = plan->host;
		result = cupti->cuptiProfilerHostGetConfigImageSize(&size);
		if (result == CUPTI_SUCCESS) {
			PARAMS(CUpti_Profiler_Host_GetConfigImage_Params, image);
			image.pHostObject = plan->host;
			image.configImageSize = plan->config_size = size.configImageSize;
			image.pConfigImage = plan->config = base_malloc(size.configImageSize);
			result = cupti->cuptiProfilerHostGetConfigImage(&image);
		}
		if (result == CUPTI_SUCCESS) {
			PARAMS(CUpti_Profiler_Host_GetNumOfPasses_Params, passes);
			passes.configImageSize = plan->config_size;
			passes.pConfigImage = plan->config;
			result = cupti->cuptiProfilerHostGetNumOfPasses(&passes);
			plan->passes = passes.numOfPasses;
		}
	}
	if (result == CUPTI_SUCCESS)
		return plan;
	cause_fail_cupti(arena, chip->cupti, what, result, error);
	plan_free(plan, chip->cupti);
	return NULL;
}

void plan_free(struct plan *plan, const struct cupti *cupti)
{
	if (!plan)
		return;
	close_host(cupti, plan->host);
	free(plan->config);
	free(plan->data);
}
