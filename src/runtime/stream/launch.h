/* runtime/stream/launch.h: launches as they are asked for. Inside runtime/ only. */
#pragma once
#include "runtime/stream/queue.h"

/* What is reported to programs of the device's clock, and %clock goes by: a warp instruction of a block is a cycle. */
#define RUNTIME_CLOCK_KHZ 1000000

/* Says, in a sentence that begins with the launch, what is wrong with it. */
struct report_site;
void runtime_launch_tell(const struct cuda_kernel *kernel, const struct cuda_config *config, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Appends a kernel's name as in the source, and a launch: "scan<int><<<4, (32, 8), 1024>>>". */
void runtime_put_name(const char *mangled, struct buf *out);
void runtime_put_launch(const struct cuda_kernel *kernel, const struct cuda_config *config, struct buf *out);

/* The launch of a kernel with arguments, one pointer to each, as work; `error` is what the launch is refused with. False: refused.
 * Pauses. */
bool runtime_launch_work(struct runtime *r, struct cuda_kernel *kernel, const struct cuda_config *config, void **args,
	struct cuda_work *out, int *error);

/* The same of all arguments in one buffer. */
bool runtime_launch_packed(struct runtime *r, struct cuda_kernel *kernel, const struct cuda_config *config,
	const void *params, size_t bytes, struct cuda_work *out, int *error);

/* The same of a list of what there is: CU_LAUNCH_PARAM_BUFFER_POINTER and so on. */
bool runtime_launch_extra(struct runtime *r, struct cuda_kernel *kernel, const struct cuda_config *config, void **extra,
	struct cuda_work *out, int *error);

/* A launch as a call asks for it; `extra` is NULL, or stands for `args`. */
struct launch_ask {
	const void *function;
	struct cuda_config config;
	void **args, **extra;
	struct cuda_stream *stream;
};
int runtime_launch(const struct launch_ask *ask);

/* What attributes say of the configuration; false: one is none. */
bool runtime_launch_attributes(
	const struct cuda_launch_attribute *attributes, unsigned int n, struct cuda_config *config);

/* The kernel that the program names by a function of its own, or by a handle, with its code; NULL, and why. Pauses. */
struct cuda_kernel *runtime_launch_kernel(struct runtime *r, const void *function, int *error);

/* Blocks of this many threads that are resident on an SM at a time; and on the device. */
struct occupancy runtime_occupancy(
	const struct runtime *r, const struct cuda_kernel *kernel, uint32_t threads, size_t dynamic_shared);
uint32_t runtime_sms(const struct runtime *r);

/* Bytes of shared memory that a block of the kernel may have, static and dynamic. */
uint32_t runtime_shared_max(const struct runtime *r, const struct cuda_kernel *kernel);
