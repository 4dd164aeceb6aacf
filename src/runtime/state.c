#include "runtime/state.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/utf8.h"
#include "model/hardware/occupancy.h"
#include "runtime/driver/driver.h"
#include "runtime/report/report.h"
#include "runtime/report/report_parts.h"
#include "runtime/stream/queue.h"

#define CC_DEFAULT 90
#define ADDRESSES ((size_t)1 << 46) /* each allocation has new ones */
#define ADDRESSES_AT                                                                                                   \
	0x110000000000 /* where they are, if nothing is: below programs and libraries, above what sanitizers take */

#define VIRTUAL_SHARE 4 /* one of so many is for addresses that the program reserves */

#define REGIONS ((int)1 << 20) /* of memory, before it is crowded */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct runtime runtime;
static struct runtime_queue queue = {.rounds = 1};
static atomic_bool is_child, is_used;
static _Thread_local int last_error, device;
static _Thread_local bool per_thread;

static long number_of(const char *variable, long least, long most, long otherwise)
{
	const char *text = getenv(variable);
	char *end;
	long value = text ? strtol(text, &end, 10) : 0;
	if (!text || !*text)
		return otherwise;
	if (end != text && !*end && value >= least && value <= most)
		return value;
	runtime_warn("%s=%s is not a number from %ld to %ld; it is %ld", variable, text, least, most, otherwise);
	return otherwise;
}

static bool requested_pageable(void)
{
	const char *text = getenv("SIMTTUTOR_PAGEABLE");
	bool yes = text && strcmp(text, "yes") == 0;
	if (text && *text && !yes && strcmp(text, "no") != 0)
		runtime_warn("SIMTTUTOR_PAGEABLE=%s is neither yes nor no; it is no", text);
	return yes;
}

/* "strict" may be among them; alone, it is all of them. */
static uint32_t requested_checks(void)
{
	const char *text = getenv("SIMTTUTOR_CHECK"), *strict = text ? strstr(text, "strict") : NULL;
	uint32_t checks = SIMT_CHECK_DEFAULT;
	char list[128];
	if (!text || !*text || strcmp(text, "default") == 0)
		return checks;
	report_state()->strict = strict != NULL;
	snprintf(list, sizeof list, "%.*s", strict ? (int)(strict - text) : (int)strlen(text), text);
	size_t len = strlen(list);
	if (strict && len && list[len - 1] == ',')
		list[len - 1] = '\0';
	if (strict && !len)
		return SIMT_CHECK_ALL;
	if (strlen(text) >= sizeof list || (strict && strcmp(strict, "strict") != 0) ||
		!simt_checks_read(list, &checks))
		runtime_warn("SIMTTUTOR_CHECK=%s is none of default, all and strict, and no list as race,uninit; it is "
			     "default",
			text);
	return checks;
}

/* As with NVIDIA's: what was made before the fork is not the child's. */
static void note_child(void)
{
	is_child = is_used;
	report_long_forget();
	lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

/* What kernels printed after the program last waited for them is lost, as on a GPU. */
static void end_program(void)
{
	if (is_child)
		return;
	runtime_lock();
	report_stay_if_ending();
	executor_end(&runtime);
	report_long_end();
	if (runtime.printed.len)
		runtime_warn(
			"the program ended without waiting for its kernels: the %zu bytes that they printed since it last "
			"waited are lost, as on a GPU; call cudaDeviceSynchronize before the end",
			runtime.printed.len);
	buf_free(&runtime.printed);
	runtime_unlock();
}

/* After the program's own handlers and destructors. */
static __attribute__((destructor)) void end_report(void)
{
	if (is_child || !runtime.arena)
		return;
	runtime_lock();
	report_stay_if_ending();
	int status = report_end(&runtime);
	runtime_unlock();
	if (!status)
		return;
	fflush(NULL);
	_exit(status);
}

struct runtime *runtime_enter(void)
{
	if (is_child) {
		last_error = CUDA_ErrorInitializationError;
		return NULL;
	}
	runtime_lock();
	if (!runtime.arena) {
		runtime.checks = requested_checks();
		runtime.pageable = requested_pageable();

		const char *text = getenv("SIMTTUTOR_ON_ERROR");
		runtime.goes_on = text && strcmp(text, "continue") == 0;
		if (text && *text && !runtime.goes_on && strcmp(text, "stop") != 0)
			runtime_warn("SIMTTUTOR_ON_ERROR=%s is neither stop nor continue; it is stop", text);

		runtime.arena = arena_new();

		/* The compute capability asked for, of those whose SMs are known. */
		runtime.cc = (int)number_of("SIMTTUTOR_CC", 75, 121, CC_DEFAULT);
		if (!occupancy_sm(runtime.cc)) {
			struct buf known = {0};
			for (int i = 0; occupancy_cc(i); i++)
				buf_printf(&known, "%s%d", i ? ", " : "", occupancy_cc(i));
			runtime_warn("SIMTTUTOR_CC=%d is not known; it is %d (known: %s)", runtime.cc, CC_DEFAULT,
				buf_str(&known));
			buf_free(&known);
			runtime.cc = CC_DEFAULT;
		}

		runtime.devices = (int)number_of("SIMTTUTOR_DEVICES", 1, RUNTIME_DEVICES_MAX, 1);
		const size_t mib = (size_t)number_of("SIMTTUTOR_DEVICE_MEMORY", 1, 1 << 20, 0);
		runtime.memory_limit = mib ? mib << 20 : (size_t)occupancy_gpu(runtime.cc)->memory_kib << 10;
		long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
		runtime.memory_here = pages > 0 && page > 0 ? (size_t)pages * (size_t)page : SIZE_MAX;

		/* Addresses of the device are pages that the host cannot touch, so that a program that does is found;
		 * the same ones in each process, which another, with a GPU, most likely has free, too
		 * (gpu/worker/session_memory.c). Where a limit leaves fewer than its memory has, it has less memory. */
		for (size_t bytes = ADDRESSES; bytes; bytes /= 4) {
			void *at = mmap((void *)ADDRESSES_AT, bytes, PROT_NONE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
			if (at == MAP_FAILED)
				continue;
			if (bytes < runtime.memory_limit)
				runtime_warn(
					"the device has %zu MiB of memory, not %zu: this process may have no more addresses "
					"(ulimit -v)",
					bytes >> 20, runtime.memory_limit >> 20);
			runtime.memory_limit = bytes < runtime.memory_limit ? bytes : runtime.memory_limit;
			runtime.device_begin = (uintptr_t)at;
			runtime.device_end = runtime.device_begin + bytes;
			runtime.virtual_next = runtime.device_end - bytes / VIRTUAL_SHARE;
			break;
		}

		runtime.memory = simt_memory_new(runtime.memory_limit * (size_t)runtime.devices);
		simt_memory_reserve(runtime.memory, REGIONS);
		if (runtime.device_end)
			simt_memory_begin(runtime.memory, runtime.device_begin, runtime.virtual_next);
		runtime.queue = &queue;
		report_begin(&runtime);
		report_long_begin(&runtime);
		pthread_atfork(NULL, NULL, note_child);
		atexit(end_program);
	}
	return &runtime;
}

struct runtime *runtime_enter_call(void)
{
	struct report_script script;
	report_find_script(&script);
	struct runtime *r = runtime_enter();
	if (!is_used && r && report_is_on())
		report_long_start();
	is_used = true;
	if (!runtime_in_driver())
		runtime_context_used();
	if (r) {
		report_stay_if_ending();
		report_enter(r, &script);
	}
	return r;
}

int runtime_leave(int error)
{
	if (error == CUDA_Success && runtime.failure_known)
		error = runtime.failed;
	per_thread = false;
	report_stay_if_ending();
	if (error != CUDA_Success)
		report_error(&runtime, error);
	runtime_unlock();
	if (error != CUDA_Success && error != CUDA_ErrorNotReady)
		last_error = error;
	return error;
}

int runtime_last_error(void)
{
	return last_error;
}

void runtime_put_last_error(int error)
{
	last_error = error;
}

bool runtime_is_used(void)
{
	return is_used;
}

void runtime_lock(void)
{
	pthread_mutex_lock(&lock);
}

void runtime_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

bool runtime_lock_until(const struct timespec *until)
{
	return pthread_mutex_timedlock(&lock, until) == 0;
}

void runtime_sleep(void *condition)
{
	pthread_cond_wait(condition, &lock);
}

int runtime_device(void)
{
	return device;
}

void runtime_set_device(int to)
{
	device = to;
}

void runtime_per_thread(void)
{
	per_thread = true;
}

bool runtime_is_per_thread(void)
{
	return per_thread;
}

int runtime_wait(struct runtime *r, int error)
{
	r->failure_known = r->failure_known || r->failed != CUDA_Success;
	return error == CUDA_Success ? r->failed : error;
}

/* --- what the reader is told -------------------------------------------------------------------------------------- */

void runtime_write(const struct buf *text)
{
	for (size_t at = 0; at < text->len;) {
		ssize_t n = write(STDERR_FILENO, text->data + at, text->len - at);
		if (n <= 0)
			return;
		at += (size_t)n;
	}
}

void runtime_print(struct runtime *r)
{
	if (r->printed.len)
		fwrite(r->printed.data, 1, r->printed.len, stdout);
	buf_free(&r->printed);
}

void runtime_warn(const char *format, ...)
{
	struct buf text = {0}, line = {0};
	va_list args;
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	escape_line(&line, "simttutor: %s", buf_str(&text));
	runtime_write(&line);
	buf_free(&text);
	buf_free(&line);
}

void runtime_warn_diag(const struct diag *diag)
{
	struct buf text = {0};
	diag_format(diag, &text);
	runtime_write(&text);
	buf_free(&text);
}

/* --- errors ------------------------------------------------------------------------------------------------------- */

struct cuda_error_row {
	int value;
	const char *name;
	struct {
		bool own; /* the driver has that value, too */
		const char *name;
	} driver;
	const char *string;
};
#define IS(name)                                                                                                       \
	{                                                                                                              \
		true, "CUDA_ERROR_" #name                                                                              \
	}
#define AS(name)                                                                                                       \
	{                                                                                                              \
		false, "CUDA_ERROR_" #name                                                                             \
	}
static const struct cuda_error_row rows[] = {
#define ERROR(name, value, driver, string) {value, "cuda" #name, driver, string},
#include "runtime/errors.def"
#undef ERROR
};

static const struct cuda_error_row *find_error(int error)
{
	static const struct cuda_error_row none = {
		0, "unrecognized error code", {false, "CUDA_ERROR_UNKNOWN"}, "unrecognized error code"};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].value == error)
			return &rows[i];
	return &none;
}

const char *runtime_error_name(int error)
{
	return find_error(error)->name;
}

int runtime_driver_error(int error)
{
	const struct cuda_error_row *row = find_error(error);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].driver.own && strcmp(rows[i].driver.name, row->driver.name) == 0)
			return rows[i].value;
	return CUDA_ErrorUnknown;
}

const char *runtime_driver_error_name(int error)
{
	const struct cuda_error_row *row = find_error(error);
	if (!row->driver.own || row->value != error)
		return NULL;
	return error == CUDA_Success ? "CUDA_SUCCESS" : row->driver.name;
}

RUNTIME_API const char *cudaGetErrorName(int error)
{
	report_error_read(error);
	return find_error(error)->name;
}

RUNTIME_API const char *cudaGetErrorString(int error)
{
	report_error_read(error);
	return find_error(error)->string;
}

/* A sticky error stays. */
RUNTIME_API int cudaGetLastError(void)
{
	RUNTIME_ENTER(r);
	int error = last_error;
	report_error_read(error);
	last_error = r->failure_known ? r->failed : CUDA_Success;
	runtime_unlock();
	return error;
}

RUNTIME_API int cudaPeekAtLastError(void)
{
	report_error_read(last_error);
	return last_error;
}
