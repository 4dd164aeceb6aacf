/* The runtime without a compiler: a program's calls, made by hand. Its threads and those of the runtime are looked at
 * by make check-threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

#include "runtime/cuda_abi.h"
#include "runtime/report/report_order.h"
#include "runtime/report/report_parts.h"

const int runtime_version = 13000;

void **__cudaRegisterFatBinary(const void *wrapper);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit, void *tid,
	void *bid, void *block, void *grid, int *warp_size);
int cudaLaunchKernel(const void *function, struct dim3_abi grid, struct dim3_abi block, void **args, size_t shared,
	struct cuda_stream *stream);
int cudaMalloc(void **pointer, size_t bytes);
int cudaFree(void *pointer);
int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, struct cuda_stream *stream);
int cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
	int kind, struct cuda_stream *stream);
int cudaMemset2D(void *at, size_t pitch, int value, size_t width, size_t height);
int cudaMemset3D(struct cuda_pitched p, int value, struct cuda_extent e);
int cudaMemsetAsync(void *at, int value, size_t bytes, struct cuda_stream *stream);
int cudaStreamCreateWithFlags(struct cuda_stream **stream, unsigned int flags);
int cudaStreamDestroy(struct cuda_stream *stream);
int cudaStreamSynchronize(struct cuda_stream *stream);
int cudaStreamQuery(struct cuda_stream *stream);
int cudaStreamWaitEvent(struct cuda_stream *stream, struct cuda_event *event, unsigned int flags);
int cudaEventCreate(struct cuda_event **event);
int cudaEventRecord(struct cuda_event *event, struct cuda_stream *stream);
int cudaEventSynchronize(struct cuda_event *event);
int cudaLaunchHostFunc(struct cuda_stream *stream, cuda_host_function *function, void *data);
int cudaDeviceSynchronize(void);
int cudaDeviceGetAttribute(int *value, int attribute, int device);
int cudaGetDeviceProperties(void *properties, int device);
int cudaGetDeviceProperties_v2(void *properties, int device);
int cudaGetLastError(void);

#define INVALID_PITCH 12
#define NOT_READY 600

static const char
	text[] = ".version 6.3\n.target sm_75\n.address_size 64\n"
		 ".visible .entry add(.param .u64 at, .param .u32 value) {\n"
		 ".reg .u64 %p; .reg .u32 %v, %w;\n"
		 "ld.param.u64 %p, [at]; ld.param.u32 %v, [value];\n"
		 "atom.global.add.u32 %w, [%p], %v; ret; }\n"
		 ".visible .entry wait(.param .u64 at) {\n"
		 ".reg .u64 %p; .reg .u32 %v; .reg .pred %q;\n"
		 "ld.param.u64 %p, [at];\n"
		 "again: ld.volatile.global.u32 %v, [%p]; setp.eq.u32 %q, %v, 0; @%q bra again; ret; }\n"
		 ".extern .func cudaGraphSetConditional\n(\n.param .b64 h,\n.param .b32 v\n)\n;\n"
		 ".visible .entry down(.param .u64 at, .param .u64 handle) {\n"
		 ".reg .u64 %p, %h; .reg .u32 %v;\n"
		 "ld.param.u64 %p, [at]; ld.param.u64 %h, [handle];\n"
		 "ld.global.u32 %v, [%p]; sub.u32 %v, %v, 1; st.global.u32 [%p], %v;\n"
		 "{ .param .b64 a; .param .b32 b; st.param.b64 [a], %h; st.param.b32 [b], %v;\n"
		 "call.uni cudaGraphSetConditional, (a, b); } ret; }\n"
		 ".visible .entry mix(.param .u64 at, .param .u32 n) {\n"
		 ".reg .u64 %p; .reg .u32 %v, %n; .reg .pred %q;\n"
		 "ld.param.u64 %p, [at]; ld.param.u32 %n, [n]; ld.global.u32 %v, [%p];\n"
		 "again: mad.lo.u32 %v, %v, 1664525, %n; sub.u32 %n, %n, 1; setp.ne.u32 %q, %n, 0; @%q bra again;\n"
		 "st.global.u32 [%p], %v; ret; }\n";

static const struct {
	uint32_t magic, version;
	const void *data, *more;
} wrapper = {0x466243B1, 1, text, NULL};
static char add, wait, down, mix; /* their addresses stand for the kernels */
static const struct dim3_abi one = {1, 1, 1};

static int set_up(void **state)
{
	(void)state;
	void **handle = __cudaRegisterFatBinary(&wrapper);
	__cudaRegisterFunction(handle, &add, NULL, "add", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterFunction(handle, &wait, NULL, "wait", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterFunction(handle, &down, NULL, "down", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterFunction(handle, &mix, NULL, "mix", -1, NULL, NULL, NULL, NULL, NULL);
	return 0;
}

static void launch_add(void *at, uint32_t value, struct cuda_stream *stream)
{
	void *args[] = {&at, &value};
	assert_int_equal(cudaLaunchKernel(&add, one, (struct dim3_abi){32, 1, 1}, args, 0, stream), 0);
}

/* --- one thread --------------------------------------------------------------------------------------------------- */

static void streams_run_side_by_side(void **state)
{
	(void)state;
	struct cuda_stream *a, *b;
	struct cuda_event *e;
	void *flag;
	uint32_t seen = 0;
	assert_int_equal(cudaStreamCreateWithFlags(&a, 1), 0);
	assert_int_equal(cudaStreamCreateWithFlags(&b, 1), 0);
	assert_int_equal(cudaEventCreate(&e), 0);
	assert_int_equal(cudaMalloc(&flag, 4), 0);
	assert_int_equal(cudaMemsetAsync(flag, 0, 4, a), 0);
	assert_int_equal(cudaEventRecord(e, a), 0);
	assert_int_equal(cudaStreamWaitEvent(b, e, 0), 0);
	assert_int_equal(cudaLaunchKernel(&wait, one, one, (void *[]){&flag}, 0, a), 0);
	assert_int_equal(cudaStreamQuery(a), NOT_READY);
	launch_add(flag, 3, b);
	assert_int_equal(cudaMemcpyAsync(&seen, flag, 4, CUDA_MemcpyDeviceToHost, a), 0);
	assert_int_equal(seen, 96);
	assert_int_equal(cudaStreamSynchronize(a), 0);
	assert_int_equal(cudaStreamQuery(a), 0);
	assert_int_equal(cudaStreamDestroy(a), 0);
	assert_int_equal(cudaStreamDestroy(a), 400);
	assert_int_equal(cudaStreamDestroy(b), 0);
	assert_int_equal(cudaFree(flag), 0);
}

/* cudaKernelNodeParams, cudaMemsetParams */
struct kernel_node {
	const void *function;
	struct dim3_abi grid, block;
	unsigned int shared;
	void **args, **extra;
};
struct fill_node {
	void *at;
	size_t pitch;
	unsigned int value, element;
	size_t width, height;
};
int cudaGraphCreate(void **graph, unsigned int flags);
int cudaGraphDestroy(void *graph);
int cudaGraphAddKernelNode(void **out, void *graph, void *const *needs, size_t n, const struct kernel_node *p);
int cudaGraphAddMemsetNode(void **out, void *graph, void *const *needs, size_t n, const struct fill_node *p);
int cudaGraphInstantiate(void **exec, void *graph, unsigned long long flags);
int cudaGraphExecDestroy(void *exec);
int cudaGraphLaunch(void *exec, struct cuda_stream *stream);

/* 0 -> three that wait and one for which they wait -> one more. What comes after in the stream comes after all of
 * them. */
static void branches_of_a_graph_run_side_by_side(void **state)
{
	(void)state;
	struct cuda_stream *s;
	void *graph, *exec, *fill, *nodes[4], *last, *at;
	uint32_t value = 3, seen = 0;
	assert_int_equal(cudaStreamCreateWithFlags(&s, 1), 0);
	assert_int_equal(cudaMalloc(&at, 4), 0);
	const struct fill_node zero = {at, 4, 0, 4, 1, 1};
	const struct kernel_node waits = {&wait, one, one, 0, (void *[]){&at}, NULL};
	const struct kernel_node adds = {&add, one, one, 0, (void *[]){&at, &value}, NULL};
	assert_int_equal(cudaGraphCreate(&graph, 0), 0);
	assert_int_equal(cudaGraphAddMemsetNode(&fill, graph, NULL, 0, &zero), 0);
	for (int i = 0; i < 4; i++)
		assert_int_equal(cudaGraphAddKernelNode(&nodes[i], graph, &fill, 1, i < 3 ? &waits : &adds), 0);
	assert_int_equal(cudaGraphAddKernelNode(&last, graph, nodes, 4, &adds), 0);
	assert_int_equal(cudaGraphInstantiate(&exec, graph, 0), 0);
	assert_int_equal(cudaGraphDestroy(graph), 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(cudaGraphLaunch(exec, s), 0);
		launch_add(at, 1, s);
		assert_int_equal(cudaMemcpyAsync(&seen, at, 4, CUDA_MemcpyDeviceToHost, s), 0);
		assert_int_equal(seen, 38);
	}
	assert_int_equal(cudaGraphLaunch(exec, NULL), 0);
	assert_int_equal(cudaDeviceSynchronize(), 0);
	assert_int_equal(cudaGraphExecDestroy(exec), 0);
	assert_int_equal(cudaStreamDestroy(s), 0);
	assert_int_equal(cudaFree(at), 0);
}

/* cudaGraphNodeParams of a conditional node */
struct conditional_node {
	int type, reserved[3];
	unsigned long long handle;
	int how;
	unsigned int size;
	void **bodies;
	long long room[27];
};
_Static_assert(sizeof(struct conditional_node) == 256, "as cudaGraphNodeParams");
int cudaGraphConditionalHandleCreate(unsigned long long *out, void *graph, unsigned int value, unsigned int flags);
int cudaGraphAddNode(
	void **out, void *graph, void *const *needs, const void *edges, size_t n, struct conditional_node *p);

/* A loop that counts down, launched beside a kernel that waits for its end. */
static void loops_of_a_graph_end_by_their_condition(void **state)
{
	(void)state;
	struct cuda_stream *s, *other;
	void *graph, *exec, *loop, *node, *at, *seen;
	struct conditional_node p = {.type = 13, .how = 1, .size = 1};
	uint32_t value = 100, left = 1;
	assert_int_equal(cudaStreamCreateWithFlags(&s, 1), 0);
	assert_int_equal(cudaStreamCreateWithFlags(&other, 1), 0);
	assert_int_equal(cudaMalloc(&at, 4), 0);
	assert_int_equal(cudaMalloc(&seen, 4), 0);
	assert_int_equal(cudaGraphCreate(&graph, 0), 0);
	assert_int_equal(cudaGraphConditionalHandleCreate(&p.handle, graph, 1, 1), 0);
	assert_int_equal(cudaGraphAddNode(&loop, graph, NULL, NULL, 0, &p), 0);
	const struct kernel_node steps = {&down, one, one, 0, (void *[]){&at, &p.handle}, NULL};
	const struct kernel_node ends = {&add, one, one, 0, (void *[]){&seen, &value}, NULL};
	assert_int_equal(cudaGraphAddKernelNode(&node, p.bodies[0], NULL, 0, &steps), 0);
	assert_int_equal(cudaGraphAddKernelNode(&node, graph, &loop, 1, &ends), 0);
	assert_int_equal(cudaGraphDestroy(p.bodies[0]), 1);
	assert_int_equal(cudaGraphInstantiate(&exec, graph, 0), 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(cudaMemcpyAsync(at, &value, 4, CUDA_MemcpyHostToDevice, s), 0);
		assert_int_equal(cudaMemsetAsync(seen, 0, 4, s), 0);
		assert_int_equal(cudaStreamSynchronize(s), 0);
		assert_int_equal(cudaLaunchKernel(&wait, one, one, (void *[]){&seen}, 0, other), 0);
		assert_int_equal(cudaGraphLaunch(exec, s), 0);
		assert_int_equal(cudaStreamSynchronize(other), 0);
		assert_int_equal(cudaMemcpyAsync(&left, at, 4, CUDA_MemcpyDeviceToHost, s), 0);
		assert_int_equal(left, 0);
	}
	assert_int_equal(cudaGraphExecDestroy(exec), 0);
	assert_int_equal(cudaGraphDestroy(graph), 0);
	assert_int_equal(cudaStreamDestroy(s), 0);
	assert_int_equal(cudaStreamDestroy(other), 0);
	assert_int_equal(cudaFree(at), 0);
	assert_int_equal(cudaFree(seen), 0);
}

/* Launches of more than one turn, which independent streams take at the same time where there are cores: what they
 * compute, and what comes after them in their streams, is as in one stream. */
static void long_launches_of_streams_are_as_alone(void **state)
{
	(void)state;
	enum { STREAMS = 4, LAUNCHES = 2 };
	struct cuda_stream *streams[STREAMS];
	void *at[STREAMS], *fresh;
	uint32_t alone[STREAMS], together[STREAMS];
	for (int way = 0; way < 2; way++) {
		for (uint32_t i = 0; i < STREAMS; i++) {
			if (way == 0) {
				assert_int_equal(cudaStreamCreateWithFlags(&streams[i], 1), 0);
				assert_int_equal(cudaMalloc(&at[i], 4), 0);
			}
			assert_int_equal(cudaMemsetAsync(at[i], (int)i, 4, streams[way * i]), 0);
		}
		assert_int_equal(cudaDeviceSynchronize(), 0);
		for (int k = 0; k < LAUNCHES; k++)
			for (uint32_t i = 0; i < STREAMS; i++) {
				uint32_t n = 400000 + 1000 * i;
				void *args[] = {&at[i], &n};
				assert_int_equal(cudaLaunchKernel(&mix, one, one, args, 0, streams[way * i]), 0);
				launch_add(at[i], i, streams[way * i]);
			}
		assert_int_equal(cudaMalloc(&fresh, 1 << 20), 0); /* pauses them */
		assert_int_equal(cudaFree(fresh), 0);
		for (int i = 0; i < STREAMS; i++)
			assert_int_equal(cudaMemcpyAsync(way ? &together[i] : &alone[i], at[i], 4,
						 CUDA_MemcpyDeviceToHost, streams[way * i]),
				0);
		assert_int_equal(cudaDeviceSynchronize(), 0);
	}
	for (int i = 0; i < STREAMS; i++) {
		assert_int_equal(together[i], alone[i]);
		assert_int_equal(cudaStreamDestroy(streams[i]), 0);
		assert_int_equal(cudaFree(at[i]), 0);
	}
}

static void note(void *data)
{
	int *n = data;
	*n = *n * 10 + 1;
}

static void functions_are_called_in_order(void **state)
{
	(void)state;
	int n = 7;
	for (int i = 0; i < 3; i++)
		assert_int_equal(cudaLaunchHostFunc(NULL, note, &n), 0);
	assert_int_equal(cudaDeviceSynchronize(), 0);
	assert_int_equal(n, 7111);
}

/* Sizes whose product is no number, or a small one. */
static void sizes_do_not_wrap(void **state)
{
	(void)state;
	static char host[64];
	const size_t most = SIZE_MAX;
	void *at;
	assert_int_equal(cudaMalloc(&at, 64), 0);
	for (int i = 0; i < 2; i++) {
		int kind = i ? CUDA_MemcpyHostToDevice : CUDA_MemcpyDeviceToHost;
		void *to = i ? at : host, *from = i ? host : at;
		assert_int_equal(cudaMemcpy2DAsync(to, most, from, most, 16, most, kind, NULL), 1);
		assert_int_equal(cudaMemcpy2DAsync(to, 16, from, most, 16, 3, kind, NULL), 1);
		assert_int_equal(cudaMemcpy2DAsync(to, most, from, 16, 16, 3, kind, NULL), 1);
		assert_int_equal(cudaMemcpy2DAsync(to, (size_t)1 << 32, from, (size_t)1 << 32, (size_t)1 << 32,
					 (size_t)1 << 32, kind, NULL),
			1);
	}
	assert_int_equal(cudaMemset2D(at, most, 0, 16, most), 1);
	assert_int_equal(cudaMemset2D(at, (size_t)1 << 63, 0, 16, 3), 1);
	struct cuda_pitched box = {at, 16, 16, 4};
	assert_int_equal(cudaMemset3D(box, 0, (struct cuda_extent){0, 1, most}), 0); /* at once */
	assert_int_equal(cudaMemset3D(box, 0, (struct cuda_extent){16, 4, most}), 1);
	assert_int_equal(cudaFree(at), 0);
	assert_int_equal(cudaGetLastError(), 1);
}

static void rows_and_slices_have_their_pitch(void **state)
{
	(void)state;
	static uint8_t host[128], rows[64];
	void *at;
	assert_int_equal(cudaMalloc(&at, sizeof host), 0);
	assert_int_equal(cudaMemsetAsync(at, 0, sizeof host, NULL), 0);
	struct cuda_pitched box = {at, 16, 16, 4};
	assert_int_equal(cudaMemset3D(box, 0xF7, (struct cuda_extent){8, 3, 2}), 0);
	assert_int_equal(cudaMemcpyAsync(host, at, sizeof host, CUDA_MemcpyDeviceToHost, NULL), 0);
	assert_int_equal(cudaDeviceSynchronize(), 0);
	for (size_t i = 0; i < sizeof host; i++)
		assert_int_equal(host[i], i % 16 < 8 && i / 16 % 4 < 3 ? 0xF7 : 0);
	assert_int_equal(cudaMemcpy2DAsync(rows, 8, at, 16, 16, 2, CUDA_MemcpyDeviceToHost, NULL), INVALID_PITCH);
	assert_int_equal(cudaMemcpy2DAsync(rows, 16, at, 8, 16, 2, CUDA_MemcpyDeviceToHost, NULL), INVALID_PITCH);
	assert_int_equal(cudaMemcpyAsync(rows, host, 16, CUDA_MemcpyDeviceToHost, NULL), 1); /* from the host */
	assert_int_equal(cudaFree(at), 0);
	assert_int_equal(cudaGetLastError(), 1);
}

/* --- several ------------------------------------------------------------------------------------------------------ */

static void *use_streams(void *arg)
{
	void *sum = arg, *own = NULL;
	uint32_t seen = 1;
	int calls = 0;
	for (int round = 0; round < 10; round++) {
		struct cuda_stream *s;
		struct cuda_event *e;
		if (cudaStreamCreateWithFlags(&s, 1) || cudaEventCreate(&e) || cudaMalloc(&own, 400) ||
			cudaMemsetAsync(own, 0, 400, s))
			return (void *)"made";
		launch_add(sum, 1, s);
		launch_add(own, 2, s);
		if (cudaEventRecord(e, s) || cudaLaunchHostFunc(s, note, &calls) ||
			cudaMemcpyAsync(&seen, own, 4, CUDA_MemcpyDeviceToHost, s) || cudaEventSynchronize(e) ||
			cudaStreamSynchronize(s) || cudaStreamDestroy(s) || cudaFree(own) || cudaGetLastError())
			return (void *)"used";
		if (seen != 64 || calls % 10 != 1)
			return (void *)"counted";
		calls = 0;
	}
	return NULL;
}

static void threads_share_the_device(void **state)
{
	(void)state;
	pthread_t threads[4];
	void *sum, *wrong;
	uint32_t seen = 0;
	assert_int_equal(cudaMalloc(&sum, 4), 0);
	assert_int_equal(cudaMemsetAsync(sum, 0, 4, NULL), 0);
	assert_int_equal(cudaDeviceSynchronize(), 0);
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, use_streams, sum), 0);
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], &wrong);
		assert_null(wrong);
	}
	assert_int_equal(cudaMemcpyAsync(&seen, sum, 4, CUDA_MemcpyDeviceToHost, NULL), 0);
	assert_int_equal(seen, 4 * 10 * 32);
}

static int int_at(const char *properties, size_t at)
{
	int value;
	memcpy(&value, properties + at, sizeof value);
	return value;
}

/* Where nvcc of CUDA 13 and of CUDA 12 look for the same property, and nothing past the end. */
static void properties_are_where_each_cuda_has_them(void **state)
{
	static const struct {
		int attribute;
		size_t at13, at12;
	} rows[] = {{1, 320, 320}, {16, 384, 388}, {31, 560, 576}, {39, 604, 624}, {82, 632, 648}, {95, 668, 688},
		{97, 672, 696}, {106, 688, 712}, {120, 748, 772}};
	char new[1009], old[1033];
	int value;
	(void)state;
	memset(new, 0x5A, sizeof new);
	memset(old, 0x5A, sizeof old);
	assert_int_equal(cudaGetDeviceProperties(new, 0), 0);
	assert_int_equal(cudaGetDeviceProperties_v2(old, 0), 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_int_equal(cudaDeviceGetAttribute(&value, rows[i].attribute, 0), 0);
		assert_int_equal(int_at(new, rows[i].at13), value);
		assert_int_equal(int_at(old, rows[i].at12), value);
	}
	assert_int_equal(cudaDeviceGetAttribute(&value, 13, 0), 0);
	assert_int_equal(value, 1980000);
	assert_int_equal(int_at(old, 348), value);
	assert_int_equal(new[1008], 0x5A);
	assert_int_equal(old[1032], 0x5A);
}

/* Bytes 0x1000 to 0x10FF by rows of 8, 16 apart. */
static const struct footprint_box rows = {.address = 0x1000, .width = 8, .pitch = 16, .height = 16, .depth = 1};

/* Whether bytes that one accesses and rows that another accesses meet, where; in both orders. */
static uint64_t meeting(enum access_kind kind, uint64_t address, size_t bytes, enum access_kind of_rows)
{
	struct report_footprint *a = report_footprint_new(), *b = report_footprint_new();
	struct footprint_meeting m = {0}, n = {0};
	report_footprint_add(a, kind, address, bytes);
	report_footprint_add_box(b, of_rows, &rows);
	bool meet = report_footprint_meet(a, b, &m), back = report_footprint_meet(b, a, &n);
	assert_int_equal(meet, back);
	assert_int_equal(m.address, n.address);
	assert_int_equal(m.a_writes, n.b_writes);
	report_footprint_free(a);
	report_footprint_free(b);
	return meet ? m.address : 0;
}

static void what_two_pieces_of_work_access_meets_by_bytes(void **state)
{
	(void)state;
	assert_int_equal(meeting(ACCESS_WRITES, 0xFF0, 16, ACCESS_READS), 0);
	assert_int_equal(meeting(ACCESS_WRITES, 0xFF0, 17, ACCESS_READS), 0x1000);
	assert_int_equal(meeting(ACCESS_WRITES, 0x1008, 8, ACCESS_WRITES), 0);
	assert_int_equal(meeting(ACCESS_WRITES, 0x1008, 9, ACCESS_WRITES), 0x1010);
	assert_int_equal(meeting(ACCESS_READS, 0x1000, 0x2000, ACCESS_WRITES), 0x1000);
	assert_int_equal(meeting(ACCESS_READS, 0x1000, 0x2000, ACCESS_READS), 0);
	assert_int_equal(meeting(ACCESS_WRITES_STRONG, 0x10F7, 1, ACCESS_READS), 0x10F7);
	assert_int_equal(meeting(ACCESS_WRITES_STRONG, 0x10F8, 100, ACCESS_READS), 0);
	assert_int_equal(meeting(ACCESS_LOOKS, 0x1000, 4, ACCESS_WRITES), 0); /* a flag that a copy sets */

	/* Pages of kernels: strong accesses do not race with each other, and what was freed is forgotten. */
	struct report_footprint *a = report_footprint_new(), *b = report_footprint_new(), *sum = report_footprint_new();
	struct footprint_meeting m;
	for (uint64_t i = 0; i < 100; i++) {
		report_footprint_add(a, ACCESS_WRITES_STRONG, 0x10000 + i * 5000, 4);
		report_footprint_add(b, ACCESS_LOOKS, 0x10000 + i * 5000, 4);
	}
	assert_false(report_footprint_meet(a, b, &m));
	assert_true(report_footprint_tells(a, b, false));
	assert_false(report_footprint_tells(b, a, true));
	report_footprint_add(b, ACCESS_READS, 0x10003 + 99 * 5000, 1);
	report_footprint_merge(sum, b);
	assert_true(report_footprint_meet(a, sum, &m));
	assert_int_equal(m.address, 0x10003 + 99 * 5000);
	assert_true(m.a_writes && !m.b_writes);
	report_footprint_erase(sum, 0x10003 + 99 * 5000, 1);
	assert_false(report_footprint_meet(a, sum, &m));
	report_footprint_free(a);
	report_footprint_free(b);
	report_footprint_free(sum);
}

static void problems_are_one_but_for_numbers(void **state)
{
	static const char problem[] = "the target 0x10 has no 40 bytes that were allocated at main.cu:12";
	(void)state;
	assert_true(report_texts_agree(problem, problem));
	assert_true(report_texts_agree(problem, "the target 0xFF has no 1 byte that was allocated at main.cu:12"));
	assert_false(report_texts_agree(problem, "the target 0x10 has no 40 bytes that were allocated at main.cu:13"));
	assert_false(report_texts_agree(problem, "the source 0x10 has no 40 bytes that were allocated at main.cu:12"));
	assert_false(report_texts_agree(
		text, "the target 0x10 has no 40 bytes that were allocated at main.cu:12 and freed"));
	assert_false(report_texts_agree("", "a"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_two_pieces_of_work_access_meets_by_bytes),
		cmocka_unit_test(problems_are_one_but_for_numbers),
		cmocka_unit_test(properties_are_where_each_cuda_has_them),
		cmocka_unit_test(streams_run_side_by_side),
		cmocka_unit_test(branches_of_a_graph_run_side_by_side),
		cmocka_unit_test(loops_of_a_graph_end_by_their_condition),
		cmocka_unit_test(long_launches_of_streams_are_as_alone),
		cmocka_unit_test(functions_are_called_in_order),
		cmocka_unit_test(sizes_do_not_wrap),
		cmocka_unit_test(rows_and_slices_have_their_pitch),
		cmocka_unit_test(threads_share_the_device),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}
