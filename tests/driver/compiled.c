// A kernel that is compiled as the program runs, for machine code, which here is PTX; options, a name, and what is wrong with a source.
// needs: NVRTC
// out: sm_90 in one word: 2 4 6 8
// out: sm_90 in two words: 2 4 6 8
// out: PTX: 2 4 6 8
// out: a template: 3 6 9 12
// out: a wrong source: error 6, and a log that says undefined
#define _GNU_SOURCE
#include "driver.h"

static void *nvrtc;

static int call(const char *name, uint64_t a, const void *b, const void *c, const void *d, int e, int f)
{
	function *found;
	void *symbol = dlsym(nvrtc, name);
	memcpy(&found, &symbol, sizeof found);
	return symbol ? found(a, b, c, d, e, f) : -1;
}
#define N(name, a, b, c) check_nvrtc(#name, call(#name, (uint64_t)(uintptr_t)(a), b, c, NULL, 0, 0))

static void check_nvrtc(const char *name, int error)
{
	if (!error)
		return;
	printf("%s: error %d\n", name, error);
	exit(1);
}

static const char
	source[] = "template <int N> __global__ void times(int *p) { p[threadIdx.x] = N * (threadIdx.x + 1); }\n"
		   "extern \"C\" __global__ void twice(int *p) { p[threadIdx.x] = 2 * (threadIdx.x + 1); }\n";

static void run(const char *what, const void *image, const char *name)
{
	void *module, *f;
	uint64_t memory;
	int out[4];
	CALL(cuModuleLoadData, &module, image);
	CALL(cuModuleGetFunction, &f, module, name);
	CALL(cuMemAlloc_v2, &memory, SIZE 16);
	CALL(cuLaunchKernel, f, 1, 1, 1, 4, 1, 1, 0, NULL, (void *[]){&memory}, NULL);
	CALL(cuMemcpyDtoH_v2, out, AT memory, SIZE 16);
	CALL(cuModuleUnload, module);
	printf("%s: %d %d %d %d\n", what, out[0], out[1], out[2], out[3]);
}

static void compile(const char *what, int n, const char *const *options, int machine_code)
{
	void *program;
	size_t bytes = 0;
	const char *lowered;
	N(nvrtcCreateProgram, &program, source, "source.cu");
	N(nvrtcAddNameExpression, program, "times<3>", NULL);
	N(nvrtcCompileProgram, program, (void *)(intptr_t)n, options);
	if (machine_code)
		N(nvrtcGetCUBINSize, program, &bytes, NULL);
	else
		N(nvrtcGetPTXSize, program, &bytes, NULL);
	char *image = calloc(bytes + 1, 1);
	if (machine_code)
		N(nvrtcGetCUBIN, program, image, NULL);
	else
		N(nvrtcGetPTX, program, image, NULL);
	run(what, image, "twice");
	N(nvrtcGetLoweredName, program, "times<3>", &lowered);
	if (!machine_code)
		run("a template", image, lowered);
	N(nvrtcDestroyProgram, &program, NULL, NULL);
	free(image);
}

int main(void)
{
	begin();
	nvrtc = dlopen("libnvrtc.so.13", RTLD_NOW);
	if (!nvrtc) {
		printf("no libnvrtc.so.13: %s\n", dlerror());
		return 1;
	}
	compile("sm_90 in one word", 2, (const char *[]){"--std=c++17", "--gpu-architecture=sm_90"}, 1);
	compile("sm_90 in two words", 2, (const char *[]){"-arch", "sm_90"}, 1);
	compile("PTX", 1, (const char *[]){"-arch=compute_90"}, 0);
	void *program;
	char log[4096] = "";
	N(nvrtcCreateProgram, &program, "__global__ void f() { undefined(); }", "wrong.cu");
	int error = call("nvrtcCompileProgram", (uint64_t)(uintptr_t)program, NULL, NULL, NULL, 0, 0);
	N(nvrtcGetProgramLog, program, log, NULL);
	printf("a wrong source: error %d, and a log that %s\n", error,
		strstr(log, "undefined") ? "says undefined" : "does not");
	return 0;
}
