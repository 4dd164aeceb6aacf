// Parts that are linked at run time; what is wrong with them; libraries and their kernels.
// out: 43 44 45
// out: with one part: 7 8 9
// out: twice: CUDA_ERROR_INVALID_HANDLE
// out: without its other part: an error, and a log with triple
// out: machine code: an error
// out: 2 kernels: add use
// out: by a kernel: 100 101 102
// says: only PTX can be linked here
#include "driver.h"

static const char part[] = PTX
	".visible .func (.param .u32 out) triple(.param .u32 in) {\n"
	".reg .u32 %v; ld.param.u32 %v, [in]; mul.lo.u32 %v, %v, 3; st.param.u32 [out], %v; ret; }\n";
static const char uses[] = PTX
	".extern .func (.param .u32 out) triple(.param .u32 in);\n"
	".visible .entry use(.param .u64 at) {\n"
	".reg .u64 %p, %q; .reg .u32 %v, %t; .param .u32 r, a;\n"
	"mov.u32 %t, %tid.x; mul.wide.u32 %q, %t, 4;\n"
	"ld.param.u64 %p, [at]; cvta.to.global.u64 %p, %p; add.u64 %p, %p, %q;\n"
	"{ .param .u32 a; .param .u32 r; st.param.u32 [a], 14; call.uni (r), triple, (a); ld.param.u32 %v, [r]; }\n"
	"add.u32 %v, %v, %t; add.u32 %v, %v, 1; st.global.u32 [%p], %v; ret; }\n";
static const char both[] = PTX ADD ".visible .entry use() { ret; }\n";

static uint64_t memory;

static void run(void *f, const char *before, unsigned int value)
{
	int out[3];
	void *args[] = {&memory, &value};
	CALL(cuLaunchKernel, f, 1, 1, 1, 3, 1, 1, 0, NULL, args, NULL);
	CALL(cuMemcpyDtoH_v2, out, AT memory, SIZE 12);
	printf("%s%d %d %d\n", before, out[0], out[1], out[2]);
}

int main(void)
{
	void *state, *image, *module, *f, *library, *kernels[2];
	size_t bytes;
	unsigned int n;
	char log[500] = "";
	int options[] = {5, 6};
	void *values[] = {log, (void *)sizeof log};
	begin();
	CALL(cuMemAlloc_v2, &memory, SIZE 12);

	CALL(cuLinkCreate_v2, 0, NULL, NULL, &state);
	CALL(cuLinkAddData_v2, state, 1, uses, SIZE sizeof uses, "uses", 0, NULL, NULL);
	CALL(cuLinkAddData_v2, state, 1, part, SIZE sizeof part, "part", 0, NULL, NULL);
	CALL(cuLinkComplete, state, &image, &bytes);
	CALL(cuModuleLoadData, &module, image);
	CALL(cuLinkDestroy, state);
	CALL(cuModuleGetFunction, &f, module, "use");
	run(f, "", 0);

	CALL(cuLinkCreate_v2, 0, NULL, NULL, &state);
	CALL(cuLinkAddData_v2, state, 1, both, SIZE sizeof both, "both", 0, NULL, NULL);
	CALL(cuLinkComplete, state, &image, &bytes);
	CALL(cuModuleLoadDataEx, &module, image, 0, NULL, NULL);
	CALL(cuModuleGetFunction, &f, module, "add");
	run(f, "with one part: ", 7);
	printf("twice: %s\n", name_of(TRY(cuLinkComplete, state, &image, &bytes)));
	CALL(cuLinkDestroy, state);

	CALL(cuLinkCreate_v2, 2, options, values, &state);
	int error = TRY(cuLinkAddData_v2, state, 1, uses, SIZE sizeof uses, "uses", 0, NULL, NULL);
	error = error ? error : TRY(cuLinkComplete, state, &image, &bytes);
	printf("without its other part: %s, and a log with%s\n", error ? "an error" : "none",
		strstr(log, "triple") ? " triple" : "out it");
	CALL(cuLinkDestroy, state);
	CALL(cuLinkCreate_v2, 0, NULL, NULL, &state);
	error = TRY(cuLinkAddData_v2, state, 3, "\177ELF and so on", SIZE 14, "object", 0, NULL, NULL);
	printf("machine code: %s\n", error ? "an error" : "none");
	CALL(cuLinkDestroy, state);

	CALL(cuLibraryLoadData, &library, both, NULL, NULL, 0, NULL, NULL, 0);
	CALL(cuLibraryGetKernelCount, &n, library);
	CALL(cuLibraryEnumerateKernels, kernels, 2, library);
	const char *names[2];
	for (int i = 0; i < 2; i++)
		CALL(cuKernelGetName, &names[i], kernels[i]);
	if (strcmp(names[0], names[1]) > 0) {
		const char *name = names[0];
		names[0] = names[1];
		names[1] = name;
	}
	printf("%u kernels: %s %s\n", n, names[0], names[1]);
	CALL(cuLibraryGetKernel, &kernels[0], library, "add");
	CALL(cuKernelGetFunction, &f, kernels[0]);
	run(f, "by a kernel: ", 100);
	CALL(cuLibraryUnload, library);
	return 0;
}
