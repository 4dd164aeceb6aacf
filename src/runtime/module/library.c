/* Device code that a program loads as it runs: PTX, or a container that has some. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "runtime/driver/driver.h"
#include "runtime/module/fatbin.h"
#include "runtime/module/module.h"
#include "runtime/stream/queue.h"

#define WRAPPER_MAGIC 0x466243B1u
#define CONTAINER_MAGIC 0xBA55ED50u
#define ELF_MAGIC 0x464C457Fu
#define FILE_MOST ((long)256 << 20)

size_t runtime_code_size(const void *code)
{
	struct {
		uint32_t magic;
		uint16_t version, header_bytes;
		uint64_t bytes;
	} header;
	memcpy(&header.magic, code, sizeof header.magic);
	if (header.magic == ELF_MAGIC)
		return 0;
	if (header.magic != CONTAINER_MAGIC)
		return strlen(code) + 1;
	memcpy(&header, code, sizeof header);
	return header.header_bytes + (size_t)header.bytes;
}

bool runtime_library_check(struct ptx_module *module, struct diag *diag)
{
	for (int i = 0; i < ptx_kernel_count(module); i++)
		if (ptx_find_kernel(module, ptx_kernel_name(module, i), diag)) {
			diag_free(diag);
			*diag = (struct diag){0};
			return true;
		}
	return !ptx_kernel_count(module);
}

/* Takes the code, which the library keeps. */
static int load_library(struct runtime *r, const struct library_request *request, const void *code, size_t bytes)
{
	struct cuda_module *module = runtime_module_new(r, code, bytes);
	module->library = true;
	module->log = request->log;
	runtime_pause(r);
	/* What is wrong with all kernels is wrong with the code. */
	struct diag diag = {0};
	bool parsed = runtime_load_module(r, module), loaded = parsed && runtime_library_check(module->ptx, &diag);
	if (parsed && !loaded && request->log)
		diag_format(&diag, request->log);
	else if (parsed && !loaded)
		runtime_warn_diag(&diag);
	diag_free(&diag);
	module->log = NULL;
	if (!loaded) {
		module->image = NULL;
		module->library = false;
		return CUDA_ErrorInvalidPtx;
	}
	for (int i = 0; i < ptx_kernel_count(module->ptx); i++)
		runtime_kernel_new(r, module, ptx_kernel_name(module->ptx, i));
	*request->out = module;
	return CUDA_Success;
}

static int refuse_machine_code(const struct library_request *request)
{
	runtime_warn("%s: it is machine code, and only PTX can be run here; have the compiler make that (nvcc -ptx; "
		     "nvrtcGetPTX, with --gpu-architecture=compute_90)",
		runtime_call_name(request->call));
	return CUDA_ErrorNoKernelImageForDevice;
}

int runtime_library_load(struct runtime *r, const struct library_request *request, const void *code)
{
	uint32_t magic;
	memcpy(&magic, code, sizeof magic);
	if (magic == WRAPPER_MAGIC)
		memcpy(&code, (const char *)code + 8, sizeof code);
	size_t bytes = runtime_code_size(code);
	if (!bytes)
		return refuse_machine_code(request);
	char *own = arena_alloc(r->arena, bytes + 1);
	memcpy(own, code, bytes);
	return load_library(r, request, own, bytes);
}

RUNTIME_API int cudaLibraryLoadData(struct cuda_module **out, const void *code, const int *jit, void **jit_values,
	unsigned int n_jit, const int *options, void **option_values, unsigned int n_options)
{
	(void)jit_values, (void)option_values;
	RUNTIME_ENTER(r);
	if (!out || !code || (n_jit && !jit) || (n_options && !options))
		return runtime_leave(CUDA_ErrorInvalidValue);
	return runtime_leave(
		runtime_library_load(r, &(struct library_request){"cudaLibraryLoadData", out, NULL}, code));
}

char *runtime_read_file(struct runtime *r, const char *path, size_t *bytes)
{
	FILE *file = fopen(path, "rbe");
	char *text = NULL;
	long size = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
	if (size > 4 && size < FILE_MOST && fseek(file, 0, SEEK_SET) == 0) {
		text = arena_alloc(r->arena, (size_t)size + 1);
		text[size] = '\0';
		*bytes = fread(text, 1, (size_t)size, file);
	}
	if (file)
		fclose(file);
	return text;
}

int runtime_library_load_file(struct runtime *r, const struct library_request *request, const char *path)
{
	size_t bytes = 0;
	uint32_t magic;
	char *code = runtime_read_file(r, path, &bytes);
	if (!code || bytes < sizeof magic)
		return CUDA_ErrorFileNotFound;
	memcpy(&magic, code, sizeof magic);
	if (magic == ELF_MAGIC)
		return refuse_machine_code(request);
	return load_library(r, request, code, magic == CONTAINER_MAGIC ? bytes : bytes + 1);
}

RUNTIME_API int cudaLibraryLoadFromFile(struct cuda_module **out, const char *path, const int *jit, void **jit_values,
	unsigned int n_jit, const int *options, void **option_values, unsigned int n_options)
{
	(void)jit_values, (void)option_values;
	RUNTIME_ENTER(r);
	if (!out || !path || (n_jit && !jit) || (n_options && !options))
		return runtime_leave(CUDA_ErrorInvalidValue);
	return runtime_leave(
		runtime_library_load_file(r, &(struct library_request){"cudaLibraryLoadFromFile", out, NULL}, path));
}

struct cuda_module *runtime_library_of(const struct runtime *r, const void *handle)
{
	for (int i = 0; i < r->n_modules; i++)
		if (r->modules[i] == handle && r->modules[i]->library)
			return r->modules[i];
	return NULL;
}

/* Its kernels that still run keep what they need. */
RUNTIME_API int cudaLibraryUnload(struct cuda_module *handle)
{
	RUNTIME_ENTER(r);
	struct cuda_module *module = runtime_library_of(r, handle);
	if (!module)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	int error = queue_wait_all(r);
	int n = 0;
	module->library = false;
	for (int i = 0; i < r->n_kernels; i++)
		if (r->kernels[i]->module != module)
			r->kernels[n++] = r->kernels[i];
	r->n_kernels = n;
	return runtime_leave(error);
}

RUNTIME_API int cudaLibraryGetKernel(struct cuda_kernel **out, struct cuda_module *handle, const char *name)
{
	RUNTIME_ENTER(r);
	const struct cuda_module *module = runtime_library_of(r, handle);
	if (!module)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	if (!out || !name)
		return runtime_leave(CUDA_ErrorInvalidValue);
	for (int i = 0; i < r->n_kernels; i++)
		if (r->kernels[i]->module == module && strcmp(r->kernels[i]->name, name) == 0) {
			*out = r->kernels[i];
			return runtime_leave(CUDA_Success);
		}
	return runtime_leave(CUDA_ErrorSymbolNotFound);
}

RUNTIME_API int cudaLibraryGetGlobal(void **address, size_t *bytes, struct cuda_module *handle, const char *name)
{
	RUNTIME_ENTER(r);
	struct simt_variable at;
	struct cuda_module *module = runtime_library_of(r, handle);
	if (!module)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	if ((!address && !bytes) || !name)
		return runtime_leave(CUDA_ErrorInvalidValue);
	if (!module->variables[runtime_device()])
		runtime_pause(r);
	if (!runtime_load_module(r, module) || !simt_variables_find(module->variables[runtime_device()], name, &at))
		return runtime_leave(CUDA_ErrorSymbolNotFound);
	if (!runtime_allocation(r, at.address, 1))
		runtime_remember(r,
			&(struct cuda_allocation){.address = at.address,
				.bytes = at.size,
				.host = at.bytes,
				.kind = MEMORY_VARIABLE,
				.device = (uint8_t)runtime_device()});
	if (address)
		*address = (void *)(uintptr_t)at.address;
	if (bytes)
		*bytes = at.size;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaLibraryGetKernelCount(unsigned int *n, struct cuda_module *handle)
{
	RUNTIME_ENTER(r);
	const struct cuda_module *module = runtime_library_of(r, handle);
	if (!module || !n)
		return runtime_leave(module ? CUDA_ErrorInvalidValue : CUDA_ErrorInvalidResourceHandle);
	*n = (unsigned int)ptx_kernel_count(module->ptx);
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaLibraryEnumerateKernels(struct cuda_kernel **out, unsigned int n, struct cuda_module *handle)
{
	RUNTIME_ENTER(r);
	const struct cuda_module *module = runtime_library_of(r, handle);
	unsigned int found = 0;
	if (!module || !out || !n)
		return runtime_leave(module ? CUDA_ErrorInvalidValue : CUDA_ErrorInvalidResourceHandle);
	for (int i = 0; i < r->n_kernels && found < n; i++)
		if (r->kernels[i]->module == module)
			out[found++] = r->kernels[i];
	return runtime_leave(CUDA_Success);
}
