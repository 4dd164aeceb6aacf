// PTX that is loaded as the program runs: its kernels and variables by their names.
// out: 1 kernel
// out: 42
// out: 1000
// out: unloaded: invalid resource handle
// out: no such kernel: named symbol not found
// out: not PTX: a PTX JIT compilation failed
// says: the program's PTX
#include <cstdio>

static const char text[] = ".version 6.3\n.target sm_75\n.address_size 64\n"
			   ".visible .global .u32 base = 40;\n"
			   ".visible .entry put(.param .u64 at, .param .u32 more) {\n"
			   ".reg .u64 %p; .reg .u32 %v, %w;\n"
			   "ld.param.u64 %p, [at]; ld.param.u32 %v, [more];\n"
			   "ld.global.u32 %w, [base]; add.u32 %w, %w, %v;\n"
			   "st.global.u32 [%p], %w; ret; }\n";

int main()
{
	cudaLibrary_t library, bad;
	cudaKernel_t kernel;
	unsigned int n = 0, value = 0, more = 2, *d;
	void *base;
	size_t bytes;
	cudaMalloc(&d, 4);
	cudaLibraryLoadData(&library, text, nullptr, nullptr, 0, nullptr, nullptr, 0);
	cudaLibraryGetKernelCount(&n, library);
	printf("%u kernel\n", n);
	cudaLibraryGetKernel(&kernel, library, "put");
	void *args[] = {&d, &more};
	cudaLaunchKernel((const void *)kernel, dim3(1), dim3(1), args, 0, nullptr);
	cudaMemcpy(&value, d, 4, cudaMemcpyDeviceToHost);
	printf("%u\n", value);
	cudaLibraryGetGlobal(&base, &bytes, library, "base");
	value = 998;
	cudaMemcpy(base, &value, bytes, cudaMemcpyHostToDevice);
	cudaLaunchKernel((const void *)kernel, dim3(1), dim3(1), args, 0, nullptr);
	cudaMemcpy(&value, d, 4, cudaMemcpyDeviceToHost);
	printf("%u\n", value);
	cudaError_t missing = cudaLibraryGetKernel(&kernel, library, "nothing");
	cudaLibraryUnload(library);
	printf("unloaded: %s\n", cudaGetErrorString(cudaLibraryGetKernelCount(&n, library)));
	printf("no such kernel: %s\n", cudaGetErrorString(missing));
	printf("not PTX: %s\n",
		cudaGetErrorString(cudaLibraryLoadData(&bad, "nonsense", nullptr, nullptr, 0, nullptr, nullptr, 0)));
	cudaFree(d);
	return 0;
}
