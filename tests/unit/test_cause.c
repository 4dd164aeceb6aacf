/* What results of the driver and of CUPTI mean, and what the system around the worker shows; without either. Through
 * the whole worker tests/worker-causes.sh provokes the same. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "gpu/worker/cause.h"
#include "gpu/worker/surroundings.h"

static struct arena *arena;
static char root[] = "/tmp/simttutor-cause-XXXXXX";

static int set_up(void **state)
{
	(void)state;
	arena = arena_new();
	strcpy(root + sizeof root - 7, "XXXXXX");
	if (!mkdtemp(root))
		return -1;
	unsetenv("CUDA_VISIBLE_DEVICES");
	unsetenv("CUDA_INJECTION64_PATH");
	return setenv("SIMTTUTOR_SYSTEM_ROOT", root, 1);
}

static int tear_down(void **state)
{
	(void)state;
	char command[100];
	snprintf(command, sizeof command, "rm -rf '%s'", root);
	arena_free(arena);
	return system(command);
}

/* A file below the root, with the folders it is in. */
static void make_file(const char *name, const char *text)
{
	char path[200];
	struct diag diag = {0};
	snprintf(path, sizeof path, "%s%s", root, name);
	for (char *slash = strchr(path + sizeof root, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	assert_true(file_write(path, text, strlen(text), &diag));
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no '%s' in '%s'", part, text);
}

/* --- a driver that only talks ------------------------------------------------------------------------------------- */

static int cuda_version;

static CUresult get_version(int *version)
{
	*version = cuda_version;
	return CUDA_SUCCESS;
}

static CUresult get_name(CUresult result, const char **name)
{
	*name = result == CUDA_ERROR_NO_DEVICE ? "CUDA_ERROR_NO_DEVICE" : "CUDA_ERROR_OTHER";
	return CUDA_SUCCESS;
}

static CUresult get_string(CUresult result, const char **text)
{
	*text = result == CUDA_ERROR_NO_DEVICE ? "no device" : "in its words";
	return CUDA_SUCCESS;
}

static const struct driver driver = {.cuDriverGetVersion = get_version,
	.cuGetErrorName = get_name,
	.cuGetErrorString = get_string};

/* --- the driver's results ----------------------------------------------------------------------------------------- */

static void a_result_means_what_was_being_done(void **state)
{
	(void)state;
	static const struct {
		enum cause_stage stage;
		CUresult result;
		enum wire_error_code code;
	} rows[] = {
		{CAUSE_OPEN, CUDA_ERROR_OUT_OF_MEMORY, WIRE_GPU_FULL},
		{CAUSE_MEMORY, CUDA_ERROR_OUT_OF_MEMORY, WIRE_OUT_OF_MEMORY},
		{CAUSE_LOAD, CUDA_ERROR_OUT_OF_MEMORY, WIRE_OUT_OF_MEMORY},
		{CAUSE_RUN, CUDA_ERROR_INVALID_VALUE, WIRE_BAD_LAUNCH},
		{CAUSE_OPEN, CUDA_ERROR_INVALID_VALUE, WIRE_GPU_LOST},
		{CAUSE_RUN, CUDA_ERROR_LAUNCH_TIMEOUT, WIRE_KERNEL_TIMEOUT},
		{CAUSE_RUN, CUDA_ERROR_ILLEGAL_ADDRESS, WIRE_KERNEL_FAULT},
		{CAUSE_LOAD, CUDA_ERROR_INVALID_PTX, WIRE_BAD_PTX},
		{CAUSE_LOAD, CUDA_ERROR_JIT_COMPILER_NOT_FOUND, WIRE_NO_PTX_COMPILER},
		{CAUSE_OPEN, CUDA_ERROR_NO_DEVICE, WIRE_NO_DEVICE},
		{CAUSE_RUN, CUDA_ERROR_ECC_UNCORRECTABLE, WIRE_GPU_LOST},
		{CAUSE_RUN, CUDA_ERROR_MPS_RPC_FAILURE, WIRE_MPS},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(cause_of_driver(rows[i].stage, rows[i].result), rows[i].code);
}

static void every_result_at_every_stage_has_a_cause(void **state)
{
	(void)state;
	for (int result = 1; result < 1000; result++)
		for (int stage = CAUSE_OPEN; stage <= CAUSE_RUN; stage *= 2)
			assert_int_not_equal(cause_of_driver((enum cause_stage)stage, (CUresult)result), WIRE_INTERNAL);
}

static void a_missing_gpu_is_explained_by_what_hides_it(void **state)
{
	(void)state;
	struct wire_error error;
	assert_false(cause_fail_driver(
		arena, &driver, (struct cause_answer){CAUSE_OPEN, CUDA_ERROR_NO_DEVICE, "opening"}, &error));
	assert_int_equal(error.code, WIRE_DRIVER_NOT_LOADED);
	assert_has(error.message, "; CUDA_ERROR_NO_DEVICE: no device");
	make_file("/proc/driver/nvidia/params", "");
	setenv("CUDA_VISIBLE_DEVICES", "7", 1);
	cause_fail_driver(arena, &driver, (struct cause_answer){CAUSE_OPEN, CUDA_ERROR_NO_DEVICE, "opening"}, &error);
	assert_int_equal(error.code, WIRE_DEVICE_HIDDEN);
	assert_has(error.message, "CUDA_VISIBLE_DEVICES is \"7\"");
	setenv("CUDA_VISIBLE_DEVICES", "", 1);
	cause_fail_driver(arena, &driver, (struct cause_answer){CAUSE_OPEN, CUDA_ERROR_NO_DEVICE, "opening"}, &error);
	assert_has(error.message, "is empty, which hides every GPU");
	unsetenv("CUDA_VISIBLE_DEVICES");
	cause_fail_driver(arena, &driver, (struct cause_answer){CAUSE_OPEN, CUDA_ERROR_NO_DEVICE, "opening"}, &error);
	assert_int_equal(error.code, WIRE_DEVICE_ACCESS);
	assert_has(error.message, "/dev/nvidiactl: No such file");
	make_file("/dev/nvidiactl", "");
	cause_fail_driver(arena, &driver, (struct cause_answer){CAUSE_OPEN, CUDA_ERROR_NO_DEVICE, "opening"}, &error);
	assert_has(error.message, "/dev/nvidia0: No such file");
	make_file("/dev/nvidia3", "");
	cause_fail_driver(arena, &driver, (struct cause_answer){CAUSE_OPEN, CUDA_ERROR_NO_DEVICE, "opening"}, &error);
	assert_int_equal(error.code, WIRE_NO_DEVICE);
	assert_string_equal(error.message, "opening: CUDA_ERROR_NO_DEVICE: no device");
}

static void only_a_gpu_that_is_not_found_can_be_hidden(void **state)
{
	(void)state;
	struct wire_error error;
	cause_fail_driver(arena, &driver, (struct cause_answer){CAUSE_RUN, CUDA_ERROR_ILLEGAL_ADDRESS, NULL}, &error);
	assert_int_equal(error.code, WIRE_KERNEL_FAULT);
	assert_string_equal(error.message, "CUDA_ERROR_OTHER: in its words");
	cause_fail_driver(arena, &driver, (struct cause_answer){CAUSE_OPEN, CUDA_ERROR_INVALID_DEVICE, NULL}, &error);
	assert_int_equal(error.code, WIRE_NO_SUCH_DEVICE);
}

/* --- PTX ---------------------------------------------------------------------------------------------------------- */

static struct wire_error refuse_ptx(int cuda, CUresult result, const char *ptx, const char *log)
{
	struct wire_error error;
	cuda_version = cuda;
	assert_false(cause_fail_ptx(arena, &driver, &(struct cause_ptx){ptx, log, result, 90}, &error));
	return error;
}

static void ptx_too_new_is_distinguished_from_ptx_for_another_gpu(void **state)
{
	(void)state;
	static const struct {
		int cuda;
		CUresult result;
		const char *ptx;
		enum wire_error_code code;
		const char *words;
	} rows[] = {
		{13000, CUDA_ERROR_INVALID_PTX, ".version 9.1\n.target sm_90\n", WIRE_PTX_TOO_NEW,
			"says .version 9.1, a driver of CUDA 13.0 takes up to 9.0; "},
		{11080, CUDA_ERROR_INVALID_PTX, ".version 7.9\n.target sm_90\n", WIRE_PTX_TOO_NEW, "up to 7.8; "},
		{12040, CUDA_ERROR_UNSUPPORTED_PTX_VERSION, ".version 8.4\n", WIRE_PTX_TOO_NEW, "up to 8.4; "},
		{13000, CUDA_ERROR_INVALID_PTX, ".version 9.0\n.target sm_100a\n", WIRE_PTX_OTHER_GPU,
			"says .target sm_100, this GPU has compute capability 9.0; "},
		{13000, CUDA_ERROR_INVALID_PTX, ".version 9.0\n.target sm_90\n", WIRE_BAD_PTX, "CUDA_ERROR_OTHER"},
		{13000, CUDA_ERROR_INVALID_PTX, "neither", WIRE_BAD_PTX, "CUDA_ERROR_OTHER"},
		{13000, CUDA_ERROR_INVALID_PTX, ".version 99999999999999999999.9\n.target sm_99999999999999999999\n",
			WIRE_BAD_PTX, "CUDA_ERROR_OTHER"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct wire_error error = refuse_ptx(rows[i].cuda, rows[i].result, rows[i].ptx, "");
		assert_has(error.message, rows[i].words);
		if (i + 1 < sizeof rows / sizeof *rows)
			assert_int_equal(error.code, rows[i].code);
	}
}

static void the_first_line_of_its_log_is_shown(void **state)
{
	(void)state;
	struct wire_error error = refuse_ptx(13000, CUDA_ERROR_INVALID_PTX, ".version 6.0\n",
		"\r\n  ptxas error : what is wrong\nptxas fatal : the rest\n");
	assert_string_equal(error.message, "CUDA_ERROR_OTHER: in its words: ptxas error : what is wrong");
}

/* --- CUPTI -------------------------------------------------------------------------------------------------------- */

static void the_first_reason_against_counting_is_given(void **state)
{
	(void)state;
	struct wire_error error;
	CUpti_Profiler_DeviceSupported_Params support = {
		.isSupported = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED,
		.architecture = CUPTI_PROFILER_CONFIGURATION_SUPPORTED,
		.sli = CUPTI_PROFILER_CONFIGURATION_SUPPORTED,
		.vGpu = CUPTI_PROFILER_CONFIGURATION_DISABLED,
		.confidentialCompute = CUPTI_PROFILER_CONFIGURATION_SUPPORTED,
		.cmp = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED,
		.wsl = CUPTI_PROFILER_CONFIGURATION_SUPPORTED,
	};
	assert_false(cause_check_support(arena, &support, &error));
	assert_int_equal(error.code, WIRE_VGPU);
	assert_string_equal(error.message, "CUPTI cannot count here: virtual GPU (switched off)");
	support.vGpu = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
	cause_check_support(arena, &support, &error);
	assert_int_equal(error.code, WIRE_CMP);
	assert_has(error.message, "mining processor (not supported)");
	support.cmp = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
	cause_check_support(arena, &support, &error);
	assert_int_equal(error.code, WIRE_UNSUPPORTED_GPU);
	assert_has(error.message, "does not say why");
	support.isSupported = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
	assert_true(cause_check_support(arena, &support, &error));
}

/* --- the system --------------------------------------------------------------------------------------------------- */

static void places_are_recognized(void **state)
{
	(void)state;
	assert_int_equal(surroundings_place(), WIRE_HOST);
	make_file("/proc/version", "Linux version 5.15.90.1-microsoft-standard-WSL2");
	assert_int_equal(surroundings_place(), WIRE_WSL);
	make_file("/proc/1/cgroup", "0::/kubepods/burstable/pod1\n");
	assert_int_equal(surroundings_place(), WIRE_CONTAINER);
	make_file("/proc/1/cgroup", "0::/init.scope\n");
	assert_int_equal(surroundings_place(), WIRE_WSL);
	make_file("/.dockerenv", "");
	assert_int_equal(surroundings_place(), WIRE_CONTAINER);
}

static void what_locks_the_counters_is_quoted(void **state)
{
	(void)state;
	assert_string_equal(surroundings_lock(arena), "");
	make_file("/proc/driver/nvidia/params", "Other: 7\nRmProfilingAdminOnly: 1\n");
	assert_string_equal(surroundings_lock(arena), "; RmProfilingAdminOnly is 1");
	make_file("/proc/driver/nvidia/params", "RmProfilingAdminOnly: often\n");
	assert_string_equal(surroundings_lock(arena), "");
}

static void other_profilers_are_named(void **state)
{
	(void)state;
	assert_string_equal(surroundings_profilers(arena), "");
	make_file("/proc/12/comm", "ncu\n");
	make_file("/proc/13/comm", "sh\n");
	make_file("/proc/self/comm", "nsys\n");
	assert_string_equal(surroundings_profilers(arena), "; ncu (process 12) runs here");
	setenv("CUDA_INJECTION64_PATH", "/opt/x.so", 1);
	assert_has(surroundings_profilers(arena), "CUDA_INJECTION64_PATH injects /opt/x.so");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_result_means_what_was_being_done),
		TEST(every_result_at_every_stage_has_a_cause),
		TEST(a_missing_gpu_is_explained_by_what_hides_it),
		TEST(only_a_gpu_that_is_not_found_can_be_hidden),
		TEST(ptx_too_new_is_distinguished_from_ptx_for_another_gpu),
		TEST(the_first_line_of_its_log_is_shown),
		TEST(the_first_reason_against_counting_is_given),
		TEST(places_are_recognized),
		TEST(what_locks_the_counters_is_quoted),
		TEST(other_profilers_are_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
