#include "gpu/worker/cause.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "gpu/worker/surroundings.h"

#define ROWS(table) (sizeof(table) / sizeof(table)[0])

/* --- the driver --------------------------------------------------------------------------------------------------- */

#define ANY (CAUSE_OPEN | CAUSE_LOAD | CAUSE_MEMORY | CAUSE_RUN)

static const struct {
	CUresult result;
	int stages;
	enum wire_error_code code;
} driver_rows[] = {
	{CUDA_ERROR_STUB_LIBRARY, CAUSE_OPEN, WIRE_DRIVER_STUB},
	{CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, CAUSE_OPEN, WIRE_DRIVER_MISMATCH},
	{CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, CAUSE_OPEN, WIRE_DRIVER_COMPAT},
	{CUDA_ERROR_NO_DEVICE, CAUSE_OPEN, WIRE_NO_DEVICE},
	{CUDA_ERROR_INVALID_DEVICE, CAUSE_OPEN, WIRE_NO_SUCH_DEVICE},
	{CUDA_ERROR_DEVICE_NOT_LICENSED, ANY, WIRE_NOT_LICENSED},
	{CUDA_ERROR_SYSTEM_NOT_READY, CAUSE_OPEN, WIRE_NOT_READY},
	{CUDA_ERROR_MPS_CONNECTION_FAILED, ANY, WIRE_MPS},
	{CUDA_ERROR_MPS_RPC_FAILURE, ANY, WIRE_MPS},
	{CUDA_ERROR_MPS_SERVER_NOT_READY, ANY, WIRE_MPS},
	{CUDA_ERROR_MPS_MAX_CLIENTS_REACHED, ANY, WIRE_MPS},
	{CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED, ANY, WIRE_MPS},
	{CUDA_ERROR_MPS_CLIENT_TERMINATED, ANY, WIRE_MPS},
	{CUDA_ERROR_ECC_UNCORRECTABLE, ANY, WIRE_GPU_LOST},
	{CUDA_ERROR_NVLINK_UNCORRECTABLE, ANY, WIRE_GPU_LOST},
	{CUDA_ERROR_DEVICE_UNAVAILABLE, ANY, WIRE_GPU_LOST},
	{CUDA_ERROR_OUT_OF_MEMORY, CAUSE_OPEN, WIRE_GPU_FULL},
	{CUDA_ERROR_OUT_OF_MEMORY, CAUSE_LOAD | CAUSE_MEMORY | CAUSE_RUN, WIRE_OUT_OF_MEMORY},
	{CUDA_ERROR_UNSUPPORTED_PTX_VERSION, CAUSE_LOAD, WIRE_PTX_TOO_NEW},
	{CUDA_ERROR_NO_BINARY_FOR_GPU, CAUSE_LOAD, WIRE_PTX_OTHER_GPU},
	{CUDA_ERROR_JIT_COMPILER_NOT_FOUND, CAUSE_LOAD, WIRE_NO_PTX_COMPILER},
	{CUDA_ERROR_JIT_COMPILATION_DISABLED, CAUSE_LOAD, WIRE_NO_PTX_COMPILER},
	{CUDA_ERROR_INVALID_VALUE, CAUSE_RUN, WIRE_BAD_LAUNCH},
	{CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, CAUSE_RUN, WIRE_BAD_LAUNCH},
	{CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, CAUSE_RUN, WIRE_BAD_LAUNCH},
	{CUDA_ERROR_LAUNCH_TIMEOUT, CAUSE_RUN, WIRE_KERNEL_TIMEOUT},
	/* whatever else: that is what mostly goes wrong there */
	{CUDA_SUCCESS, CAUSE_OPEN, WIRE_GPU_LOST},
	{CUDA_SUCCESS, CAUSE_LOAD, WIRE_BAD_PTX},
	{CUDA_SUCCESS, CAUSE_MEMORY, WIRE_OUT_OF_MEMORY},
	{CUDA_SUCCESS, CAUSE_RUN, WIRE_KERNEL_FAULT},
};

enum wire_error_code cause_of_driver(enum cause_stage stage, CUresult result)
{
	for (size_t i = 0; i < ROWS(driver_rows); i++)
		if ((driver_rows[i].stages & (int)stage) &&
			(driver_rows[i].result == result || driver_rows[i].result == CUDA_SUCCESS))
			return driver_rows[i].code;
	return WIRE_INTERNAL;
}

bool cause_fail_driver(
	struct arena *arena, const struct driver *driver, struct cause_answer answer, struct wire_error *error)
{
	const char *words = driver_message(arena, driver, answer.result);
	enum wire_error_code code = cause_of_driver(answer.stage, answer.result);
	bool hidden = answer.stage == CAUSE_OPEN && (code == WIRE_NO_DEVICE || code == WIRE_GPU_LOST) &&
		surroundings_hide_gpu(arena, error);
	if (hidden)
		error->message = arena_printf(arena, "%s; %s", error->message, words);
	else
		*error = (struct wire_error){
			code, answer.what ? arena_printf(arena, "%s: %s", answer.what, words) : words};
	return false;
}

/* --- PTX ---------------------------------------------------------------------------------------------------------- */

/* The newest PTX that the driver of a CUDA version takes, 10 * version: the table "PTX Release History" of the PTX ISA.
 * Before the first row, 12.0 to 12.5 have 8.0 to 8.5 and 11.x 7.x. */
static int ptx_of_cuda(int cuda)
{
	static const struct {
		int cuda, ptx;
	} rows[] = {{13010, 91}, {13000, 90}, {12090, 88}, {12080, 87}, {12070, 86}, {12060, 85}};
	for (size_t i = 0; i < ROWS(rows); i++)
		if (cuda >= rows[i].cuda)
			return rows[i].ptx;
	return 10 * (cuda / 1000 - 4) + cuda % 1000 / 10;
}

/* ".version 8.5" is 85; 0 where there is none. */
static int version_of(const char *ptx)
{
	const char *at = strstr(ptx, ".version ");
	int major = 0, minor = 0;
	return at && sscanf(at + 9, "%4d.%4d", &major, &minor) == 2 ? 10 * major + minor : 0;
}

/* ".target sm_90a" is 90. */
static int target_of(const char *ptx)
{
	const char *at = strstr(ptx, ".target sm_");
	int target = 0;
	return at && sscanf(at + 11, "%4d", &target) == 1 ? target : 0;
}

/* "ptxas error : ..." is the first line of the log worth showing. */
static const char *first_line(struct arena *arena, const char *log)
{
	log += strspn(log, "\r\n ");
	return arena_strndup(arena, log, strcspn(log, "\r\n"));
}

bool cause_fail_ptx(
	struct arena *arena, const struct driver *driver, const struct cause_ptx *refused, struct wire_error *error)
{
	int cuda = 0, version = version_of(refused->ptx), target = target_of(refused->ptx), cc = refused->cc;
	driver->cuDriverGetVersion(&cuda);
	enum wire_error_code code = cause_of_driver(CAUSE_LOAD, refused->result);
	const char *more = "";
	if ((code == WIRE_BAD_PTX && version > ptx_of_cuda(cuda)) || code == WIRE_PTX_TOO_NEW) {
		code = WIRE_PTX_TOO_NEW;
		more = arena_printf(arena, "the PTX says .version %d.%d, a driver of CUDA %d.%d takes up to %d.%d; ",
			version / 10, version % 10, cuda / 1000, cuda % 1000 / 10, ptx_of_cuda(cuda) / 10,
			ptx_of_cuda(cuda) % 10);
	} else if ((code == WIRE_BAD_PTX && target > cc) || code == WIRE_PTX_OTHER_GPU) {
		code = WIRE_PTX_OTHER_GPU;
		more = arena_printf(arena, "the PTX says .target sm_%d, this GPU has compute capability %d.%d; ",
			target, cc / 10, cc % 10);
	}
	*error = (struct wire_error){code,
		arena_printf(arena, "%s%s%s%s", more, driver_message(arena, driver, refused->result),
			*refused->log ? ": " : "", first_line(arena, refused->log))};
	return false;
}

/* --- CUPTI -------------------------------------------------------------------------------------------------------- */

static const struct {
	CUptiResult result;
	enum wire_error_code code;
} cupti_rows[] = {
	{CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, WIRE_NO_PERMISSION},
	{CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, WIRE_VGPU},
	{CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES, WIRE_VGPU},
	{CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, WIRE_CONFIDENTIAL},
	{CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED, WIRE_CMP},
	{CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, WIRE_MIG},
	{CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED, WIRE_SLI},
	{CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED, WIRE_WSL_GPU},
	{CUPTI_ERROR_NOT_SUPPORTED, WIRE_UNSUPPORTED_GPU},
	{CUPTI_ERROR_INVALID_CHIP_NAME, WIRE_UNSUPPORTED_GPU},
	{CUPTI_ERROR_HARDWARE_BUSY, WIRE_OTHER_PROFILER},
	{CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, WIRE_OTHER_PROFILER},
	{CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED, WIRE_OTHER_PROFILER},
	{CUPTI_ERROR_API_NOT_IMPLEMENTED, WIRE_CUPTI_TOO_OLD},
	{CUPTI_ERROR_HARDWARE, WIRE_GPU_LOST},
};

/* CUPTI opens them by themselves, and does not say when they are not there. One that is there stays: it loses memory
 * when it is unloaded, and CUPTI has it open anyway. */
static const char *missing_companion(void)
{
	static const char *const names[] = {"libnvperf_host.so", "libnvperf_target.so"};
	for (size_t i = 0; i < ROWS(names); i++) {
		void *library = dlopen(names[i], RTLD_LAZY | RTLD_NODELETE);
		if (!library)
			return names[i];
		dlclose(library);
	}
	return NULL;
}

static enum wire_error_code code_of(const struct cupti *cupti, CUptiResult result)
{
	for (size_t i = 0; i < ROWS(cupti_rows); i++)
		if (cupti_rows[i].result == result)
			return cupti_rows[i].code;
	if (missing_companion())
		return WIRE_NO_NVPERF;
	/* 130001 against 12080: CUPTI counts its interface otherwise than the driver its CUDA */
	return cupti->api / 10000 > cupti->driver_cuda / 1000 ? WIRE_CUPTI_TOO_NEW : WIRE_PROFILER;
}

bool cause_fail_cupti(
	struct arena *arena, const struct cupti *cupti, const char *what, CUptiResult result, struct wire_error *error)
{
	enum wire_error_code code = code_of(cupti, result);
	const char *words = cupti_message(arena, cupti, what, result), *missing;
	const char *more = code == WIRE_NO_PERMISSION                  ? surroundings_lock(arena)
		: code == WIRE_OTHER_PROFILER || code == WIRE_PROFILER ? surroundings_profilers(arena)
		: code == WIRE_NO_NVPERF && (missing = missing_companion()) != NULL
		? arena_printf(arena, "; there is no %s", missing)
		: "";
	*error = (struct wire_error){code, arena_printf(arena, "%s%s", words, more)};
	return false;
}

#define FIELD(name) offsetof(CUpti_Profiler_DeviceSupported_Params, name)

static const struct {
	size_t field;
	enum wire_error_code code;
	const char *what;
} support_rows[] = {
	{FIELD(confidentialCompute), WIRE_CONFIDENTIAL, "confidential computing"},
	{FIELD(vGpu), WIRE_VGPU, "virtual GPU"},
	{FIELD(sli), WIRE_SLI, "SLI"},
	{FIELD(cmp), WIRE_CMP, "mining processor"},
	{FIELD(wsl), WIRE_WSL_GPU, "WSL"},
	{FIELD(architecture), WIRE_UNSUPPORTED_GPU, "architecture"},
};

bool cause_check_support(
	struct arena *arena, const CUpti_Profiler_DeviceSupported_Params *support, struct wire_error *error)
{
	if (support->isSupported == CUPTI_PROFILER_CONFIGURATION_SUPPORTED)
		return true;
	*error = (struct wire_error){WIRE_UNSUPPORTED_GPU, "CUPTI does not count here, and does not say why"};
	for (size_t i = 0; i < ROWS(support_rows); i++) {
		CUpti_Profiler_Support_Level level;
		memcpy(&level, (const char *)support + support_rows[i].field, sizeof level);
		bool disabled = level == CUPTI_PROFILER_CONFIGURATION_DISABLED;
		if (!disabled && level != CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED)
			continue;
		*error = (struct wire_error){support_rows[i].code,
			arena_printf(arena, "CUPTI cannot count here: %s (%s)", support_rows[i].what,
				disabled ? "switched off" : "not supported")};
		break;
	}
	return false;
}
