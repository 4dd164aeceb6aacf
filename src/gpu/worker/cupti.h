/* gpu/worker/cupti.h: CUPTI, opened at run time. Inside the worker only.
 *
 * cupti_profiler_host.h of CUDA 12.6 to 13.0 includes the C++ header <string> although it is C otherwise; the build
 * puts cupti-c/string, which is empty, in its way. */
#pragma once
#include <stdbool.h>

#include <cuda.h>
#include <cupti_pmsampling.h>
#include <cupti_callbacks.h>
#include <cupti_pcsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>
#include <cupti_version.h>

#include "base/arena.h"
#include "gpu/wire/wire.h"

/* clang-format off */
#define CUPTI_FUNCTIONS(F) \
	F(cuptiGetVersion) F(cuptiGetResultString) F(cuptiDeviceGetChipName) F(cuptiProfilerInitialize) \
	F(cuptiProfilerDeviceSupported) F(cuptiProfilerGetCounterAvailability) F(cuptiProfilerHostInitialize) \
	F(cuptiProfilerHostDeinitialize) F(cuptiProfilerHostConfigAddMetrics) F(cuptiProfilerHostGetConfigImageSize) \
	F(cuptiProfilerHostGetConfigImage) F(cuptiProfilerHostGetNumOfPasses) F(cuptiProfilerHostEvaluateToGpuValues) \
	F(cuptiRangeProfilerEnable) F(cuptiRangeProfilerDisable) F(cuptiRangeProfilerSetConfig) \
	F(cuptiRangeProfilerStart) F(cuptiRangeProfilerStop) \
	F(cuptiRangeProfilerDecodeData) F(cuptiRangeProfilerGetCounterDataSize) \
	F(cuptiRangeProfilerCounterDataImageInitialize) F(cuptiRangeProfilerGetCounterDataInfo) \
	F(cuptiSubscribe) F(cuptiEnableCallback) F(cuptiGetSassToSourceCorrelation) \
	F(cuptiSassMetricsGetNumOfMetrics) F(cuptiSassMetricsGetMetrics) F(cuptiSassMetricsSetConfig) \
	F(cuptiSassMetricsEnable) F(cuptiSassMetricsDisable) F(cuptiSassMetricsGetDataProperties) \
	F(cuptiSassMetricsFlushData)

/* Those of PM sampling, which may be missing. */
#define CUPTI_SAMPLING_FUNCTIONS(F) \
	F(cuptiPmSamplingGetCounterAvailability) F(cuptiPmSamplingEnable) F(cuptiPmSamplingDisable) \
	F(cuptiPmSamplingGetCounterDataSize) F(cuptiPmSamplingCounterDataImageInitialize) F(cuptiPmSamplingSetConfig) \
	F(cuptiPmSamplingStart) F(cuptiPmSamplingStop) F(cuptiPmSamplingDecodeData) \
	F(cuptiPmSamplingGetCounterDataInfo) \
	F(cuptiPmSamplingCounterDataGetSampleInfo)
/* clang-format on */

struct cupti {
	void *library;
	int api;             /* CUPTI_API_VERSION of the library */
	int driver_cuda;     /* CUDA version of the driver, 13000 */
	const char *version; /* "2025.3.1" where its file name says, else "API 130001" */
#define CUPTI_MEMBER(name) __typeof__(&name) name;
	CUPTI_FUNCTIONS(CUPTI_MEMBER)
	CUPTI_SAMPLING_FUNCTIONS(CUPTI_MEMBER)
	bool sampling; /* they are all there */
#undef CUPTI_MEMBER
};

/* Looks for the library in the loader's own places, then in CUDA_HOME, CUDA_PATH, /usr/local/cuda and /opt/cuda; that
 * of CUDA `driver_cuda`'s major version (13000 -> 13) first. False with NO_CUPTI, saying where it was looked for, or
 * CUPTI_TOO_OLD, saying what it lacks. */
bool cupti_open(struct arena *arena, struct cupti *cupti, int driver_cuda, struct wire_error *error);

const char *cupti_message(struct arena *arena, const struct cupti *cupti, const char *what, CUptiResult result);
