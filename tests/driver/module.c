// A module from PTX at run time; its functions and variables; launches with both kinds of arguments; streams, events, contexts.
// out: before cuInit: CUDA_ERROR_NOT_INITIALIZED
// out: cuMemAlloc_v2: CUDA_ERROR_INVALID_CONTEXT
// out: cuModuleGetFunction: CUDA_ERROR_NOT_FOUND
// out: 5 6 7 8
// out: packed: 10 11 12 13
// out: 1024 threads, 0 bytes shared, 12 of parameters
// out: factor has 4 bytes, and is 3, then 9
// out: rows: 7 7 -1 7 7
// out: 16 bits: 1234 1234 0
// out: device memory of 4096 bytes, 100 in; the host has 3
// out: an event after another
// out: both streams: 20 30
// out: cuMemFree_v2: CUDA_ERROR_INVALID_VALUE
// out: wrong PTX: CUDA_ERROR_INVALID_PTX, with a log
// out: an address that is none: CUDA_ERROR_ILLEGAL_ADDRESS, and again
// says: out of bounds
// says: nothing was allocated there
#include "driver.h"

static const char text[] = PTX ".visible .global .align 4 .u32 factor = 3;\n" ADD;

struct rows { /* CUDA_MEMCPY2D */
	size_t x, y;
	int type;
	const void *host;
	uint64_t device;
	void *array;
	size_t pitch;
};

int main(void)
{
	struct {
		struct rows from, to;
		size_t width, height;
	} copy;
	static int out[1024], wide[8] = {7, 7, -2, -2, 7, 7, -2, -2}, narrow[5] = {-1, -1, -1, -1, -1};
	void *module, *f, *context, *first, *other, *event[2];
	uint64_t memory, factor, second, attribute[2];
	size_t bytes, pitch;
	int device, value = 0;
	unsigned int start = 5;
	void *args[] = {&memory, &start};

	printf("before cuInit: %s\n", name_of(TRY(cuDeviceGet, &device, 0)));
	CALL(cuInit, 0);
	SAY(cuMemAlloc_v2, &memory, SIZE 4);
	begin();
	CALL(cuModuleLoadData, &module, text);
	CALL(cuModuleGetFunction, &f, module, "add");
	SAY(cuModuleGetFunction, &other, module, "subtract");
	CALL(cuMemAlloc_v2, &memory, SIZE 4096);
	CALL(cuLaunchKernel, f, 1, 1, 1, 4, 1, 1, 0, NULL, args, NULL);
	CALL(cuMemcpyDtoH_v2, out, AT memory, SIZE 16);
	printf("%d %d %d %d\n", out[0], out[1], out[2], out[3]);
	struct {
		uint64_t at;
		unsigned int value;
	} packed = {memory, 10};
	size_t size = 12;
	void *extra[] = {(void *)1, &packed, (void *)2, &size, NULL};
	CALL(cuLaunchKernel, f, 1, 1, 1, 4, 1, 1, 0, NULL, NULL, extra);
	CALL(cuMemcpyDtoH_v2, out, AT memory, SIZE 16);
	printf("packed: %d %d %d %d\n", out[0], out[1], out[2], out[3]);

	int threads, shared;
	size_t offset;
	CALL(cuFuncGetAttribute, &threads, 0, f);
	CALL(cuFuncGetAttribute, &shared, 1, f);
	CALL(cuFuncGetParamInfo, f, SIZE 1, &offset, &bytes);
	printf("%d threads, %d bytes shared, %zu of parameters\n", threads, shared, offset + bytes);
	CALL(cuModuleGetGlobal_v2, &factor, &bytes, module, "factor");
	CALL(cuMemcpyDtoH_v2, &value, AT factor, SIZE 4);
	printf("factor has %zu bytes, and is %d", bytes, value);
	CALL(cuMemsetD8_v2, AT factor, 0, SIZE 4);
	CALL(cuMemcpyHtoD_v2, AT factor, &(int){9}, SIZE 4);
	CALL(cuMemcpyDtoH_v2, &value, AT factor, SIZE 4);
	printf(", then %d\n", value);

	/* two rows of two from the host to rows that are further apart, and back */
	uint64_t picture;
	CALL(cuMemAllocPitch_v2, &picture, &pitch, SIZE 8, SIZE 2, 4);
	memset(&copy, 0, sizeof copy);
	copy.from = (struct rows){.type = 1, .host = wide, .pitch = 16};
	copy.to = (struct rows){.type = 2, .device = picture, .pitch = pitch};
	copy.width = 8, copy.height = 2;
	CALL(cuMemcpy2D_v2, &copy);
	copy.from = (struct rows){.type = 2, .device = picture, .pitch = pitch};
	copy.to = (struct rows){.type = 1, .host = narrow, .pitch = 12};
	CALL(cuMemcpy2D_v2, &copy);
	printf("rows: %d %d %d %d %d\n", narrow[0], narrow[1], narrow[2], narrow[3], narrow[4]);
	uint16_t halves[3] = {0};
	CALL(cuMemsetD8_v2, AT memory, 0, SIZE 4096);
	CALL(cuMemsetD16_v2, AT memory, 0x1234, SIZE 2);
	CALL(cuMemcpyDtoH_v2, halves, AT memory, SIZE 6);
	printf("16 bits: %x %x %x\n", halves[0], halves[1], halves[2]);

	int kind[2], kinds[] = {2, 12};
	void *data[] = {kind, &attribute[0]};
	CALL(cuPointerGetAttributes, 2, kinds, data, AT memory + 100);
	CALL(cuMemGetAddressRange_v2, &attribute[1], &bytes, AT memory + 100);
	printf("%s memory of %zu bytes, %d in; the host has %d\n",
		kind[0] == 2 && attribute[0] == bytes ? "device" : "what", bytes, (int)(memory + 100 - attribute[1]),
		3);

	float ms = -1;
	void *stream[2];
	CALL(cuStreamCreate, &stream[0], 1);
	CALL(cuStreamCreateWithPriority, &stream[1], 1, -1);
	CALL(cuEventCreate, &event[0], 0);
	CALL(cuEventCreate, &event[1], 0);
	CALL(cuEventRecord, event[0], stream[0]);
	start = 20;
	CALL(cuLaunchKernel, f, 1, 1, 1, 1, 1, 1, 0, stream[0], args, NULL);
	CALL(cuEventRecord, event[1], stream[0]);
	CALL(cuMemAlloc_v2, &second, SIZE 4);
	CALL(cuStreamWaitEvent, stream[1], event[1], 0);
	void *more[] = {&second, &(unsigned int){30}};
	CALL(cuLaunchKernel, f, 1, 1, 1, 1, 1, 1, 0, stream[1], more, NULL);
	CALL(cuStreamSynchronize, stream[1]);
	CALL(cuEventElapsedTime, &ms, event[0], event[1]);
	printf("%s\n", ms > 0 ? "an event after another" : "no time");
	CALL(cuMemcpyDtoH_v2, out, AT memory, SIZE 4);
	CALL(cuMemcpyDtoH_v2, out + 1, AT second, SIZE 4);
	printf("both streams: %d %d\n", out[0], out[1]);

	CALL(cuCtxGetCurrent, &first);
	CALL(cuCtxCreate_v2, &context, 0, 0);
	CALL(cuMemAlloc_v2, &second, SIZE 4);
	CALL(cuCtxDestroy_v2, context);
	CALL(cuCtxSetCurrent, first);
	SAY(cuMemFree_v2, AT second);

	char log[200] = "";
	int options[] = {5, 6};
	void *values[] = {log, (void *)sizeof log};
	int error = TRY(cuModuleLoadDataEx, &module, PTX ".entry wrong() { no.such.instruction; }", 2, options, values);
	printf("wrong PTX: %s, with %s log\n", name_of(error), *log ? "a" : "no");

	memory = 64;
	CALL(cuLaunchKernel, f, 1, 1, 1, 4, 1, 1, 0, NULL, args, NULL);
	printf("an address that is none: %s, ", name_of(TRY(cuCtxSynchronize, 0)));
	printf("%s\n", TRY(cuMemAlloc_v2, &second, SIZE 4) == 700 ? "and again" : "and then no more");
	return 0;
}
