/* gpu/worker/cause.h: which error of gpu/wire/errors.def a result of the driver or of CUPTI is. Inside the worker only.
 *
 * One row each; tests/worker-causes.sh provokes all of them. */
#pragma once
#include "gpu/worker/cupti.h"
#include "gpu/worker/driver.h"

/* What the driver was doing, since one result means one thing or another. */
enum cause_stage {
	CAUSE_OPEN = 1,   /* the driver, the device, its context */
	CAUSE_LOAD = 2,   /* a module */
	CAUSE_MEMORY = 4, /* buffers */
	CAUSE_RUN = 8,    /* copying, launching, waiting */
};

/* What a result at that stage means. */
enum wire_error_code cause_of_driver(enum cause_stage stage, CUresult result);

struct cause_answer {
	enum cause_stage stage;
	CUresult result;
	const char *what; /* it was about, "device 0"; NULL: nothing worth naming */
};

/* Fills in what the driver answered, and for a GPU that was not found what hides it. Returns false. */
bool cause_fail_driver(
	struct arena *arena, const struct driver *driver, struct cause_answer answer, struct wire_error *error);

/* The same for a call of CUPTI. Returns false. */
bool cause_fail_cupti(
	struct arena *arena, const struct cupti *cupti, const char *what, CUptiResult result, struct wire_error *error);

/* What cuptiProfilerDeviceSupported says against counting. False with the error of the first reason. */
bool cause_check_support(
	struct arena *arena, const CUpti_Profiler_DeviceSupported_Params *support, struct wire_error *error);

/* PTX that the driver would not load. */
struct cause_ptx {
	const char *ptx, *log; /* the driver's, in its words */
	CUresult result;
	int cc; /* of the GPU, 90 */
};

/* Fills in why: the first line of the log; that the PTX is too new for the driver, or for another GPU, with what the
 * PTX says and what they take. Returns false. */
bool cause_fail_ptx(
	struct arena *arena, const struct driver *driver, const struct cause_ptx *refused, struct wire_error *error);
