/* CUPTI that is not there; see README.md. */
#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/worker/cupti.h"

#include "script.h"

#define FAKE_RESULT CUPTI_SUCCESS

/* What is behind CUPTI's opaque pointers. */
struct range {
	int pass;
	/* the counter data image: the threads of the launch that was counted, and in which passes: bits */
	double *data;
};

CUptiResult cuptiGetVersion(uint32_t *version)
{
	*version = (uint32_t)script_number("api", 130000);
	return CUPTI_SUCCESS;
}

CUptiResult cuptiGetResultString(CUptiResult result, const char **text)
{
	(void)result;
	*text = "CUPTI's word, as the test asked";
	return CUPTI_SUCCESS;
}

CUptiResult cuptiDeviceGetChipName(CUpti_Device_GetChipName_Params *p)
{
	ANSWER();
	p->pChipName = "FAKE";
	return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerInitialize(CUpti_Profiler_Initialize_Params *p)
{
	(void)p;
	ANSWER();
	return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerDeviceSupported(CUpti_Profiler_DeviceSupported_Params *p)
{
	ANSWER();
	p->isSupported = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
#define FIELD(name)                                                                                                    \
	p->name = (CUpti_Profiler_Support_Level)script_number(#name, CUPTI_PROFILER_CONFIGURATION_SUPPORTED);          \
	if (p->name != CUPTI_PROFILER_CONFIGURATION_SUPPORTED)                                                         \
		p->isSupported = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
	FIELD(architecture)
	FIELD(sli)
	FIELD(vGpu)
	FIELD(confidentialCompute)
	FIELD(cmp)
	FIELD(wsl)
#undef FIELD
	return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerGetCounterAvailability(CUpti_Profiler_GetCounterAvailability_Params *p)
{
	ANSWER();
	if (p->pCounterAvailabilityImage)
		memset(p->pCounterAvailabilityImage, 1, p->counterAvailabilityImageSize);
	p->counterAvailabilityImageSize = 16;
	return CUPTI_SUCCESS;
}

/* --- the host's side ---------------------------------------------------------------------------------------------- */

CUptiResult cuptiProfilerHostInitialize(CUpti_Profiler_Host_Initialize_Params *p)
{
	ANSWER();
	p->pHostObject = malloc(1);
	return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostDeinitialize(CUpti_Profiler_Host_Deinitialize_Params *p)
{
	free(p->pHostObject);
	return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostConfigAddMetrics(CUpti_Profiler_Host_ConfigAddMetrics_Params *p)
{
	ANSWER();
	for (size_t i = 0; i < p->numMetrics; i++)
		if (!strncmp(p->ppMetricNames[i], "no_such", 7))
			return CUPTI_ERROR_INVALID_PARAMETER;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetConfigImageSize(CUpti_Profiler_Host_GetConfigImageSize_Params *p)
{
	ANSWER();
	p->configImageSize = 64;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetConfigImage(CUpti_Profiler_Host_GetConfigImage_Params *p)
{
	ANSWER();
	memset(p->pConfigImage, 2, p->configImageSize);
	return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetNumOfPasses(CUpti_Profiler_Host_GetNumOfPasses_Params *p)
{
	ANSWER();
	p->numOfPasses = (size_t)script_number("passes", 1);
	return CUPTI_SUCCESS;
}

/* Of 0 to 999: distinguishes metrics. */
static double hash(const char *name)
{
	unsigned h = 0;
	for (; *name; name++)
		h = (h * 31 + (unsigned char)*name) % 1000;
	return h;
}

/* Number of the one pass, from 0, that counts a metric; -1: each does. */
static int pass_of(const char *name)
{
	int passes = script_number("passes", 1), quick = script_number("quick", -1);
	return quick < 0 || passes < 2 ? -1 : strstr(name, "__sass_") ? quick : quick ? 0 : 1;
}

CUptiResult cuptiProfilerHostEvaluateToGpuValues(CUpti_Profiler_Host_EvaluateToGpuValues_Params *p)
{
	double data[2];
	ANSWER();
	memcpy(data, p->pCounterDataImage, sizeof data);
	for (size_t i = 0; i < p->numMetrics; i++) {
		int pass = pass_of(p->ppMetricNames[i]);
		bool counted = pass < 0 || (unsigned)data[1] & 1u << pass;
		p->pMetricValues[i] = counted ? 1000 * data[0] + hash(p->ppMetricNames[i]) : (double)NAN;
	}
	return CUPTI_SUCCESS;
}

/* --- the GPU's side ----------------------------------------------------------------------------------------------- */

CUptiResult cuptiRangeProfilerEnable(CUpti_RangeProfiler_Enable_Params *p)
{
	ANSWER();
	p->pRangeProfilerObject = calloc(1, sizeof(struct range));
	return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerDisable(CUpti_RangeProfiler_Disable_Params *p)
{
	free(p->pRangeProfilerObject);
	return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerGetCounterDataSize(CUpti_RangeProfiler_GetCounterDataSize_Params *p)
{
	ANSWER();
	p->counterDataSize = 64;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerCounterDataImageInitialize(CUpti_RangeProfiler_CounterDataImage_Initialize_Params *p)
{
	ANSWER();
	memset(p->pCounterData, 0, p->counterDataSize);
	return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerSetConfig(CUpti_RangeProfiler_SetConfig_Params *p)
{
	ANSWER();
	((struct range *)p->pRangeProfilerObject)->data = (double *)p->pCounterDataImage;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerStart(CUpti_RangeProfiler_Start_Params *p)
{
	(void)p;
	ANSWER();
	return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerStop(CUpti_RangeProfiler_Stop_Params *p)
{
	struct range *range = (struct range *)p->pRangeProfilerObject;
	ANSWER();
	p->isAllPassSubmitted = ++range->pass >= script_number("passes", 1);
	if (p->isAllPassSubmitted)
		range->pass = 0;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerDecodeData(CUpti_RangeProfiler_DecodeData_Params *p)
{
	static int decoded;
	double (*threads)(void) = (double (*)(void))dlsym(RTLD_DEFAULT, "fake_threads");
	ANSWER();
	if (decoded++ >= script_number("stuck", INT_MAX))
		return CUPTI_ERROR_UNKNOWN;
	struct range *range = (struct range *)p->pRangeProfilerObject;
	int passes = script_number("passes", 1), pass = (range->pass + passes - 1) % passes;
	range->data[0] = threads ? threads() : 0;
	range->data[1] = (unsigned)range->data[1] | 1u << pass;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerGetCounterDataInfo(CUpti_RangeProfiler_GetCounterDataInfo_Params *p)
{
	ANSWER();
	p->numTotalRanges = 1;
	return CUPTI_SUCCESS;
}
