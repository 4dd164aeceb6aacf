/* Device code, and what the program registers of it before main: by each source file that has any. */
#include "config.h"

#include <link.h>
#include <string.h>

#include "base/vec.h"
#include "runtime/fatbin.h"
#include "runtime/state.h"

/* What __cudaRegisterFatBinary is given. */
struct fatbin_wrapper {
	uint32_t magic, version;
	const void *data;
	const void *more;
};

static struct cuda_module *module_of(struct runtime *r, void **handle)
{
	for (int i = 0; i < r->n_modules; i++)
		if ((void **)r->modules[i] == handle)
			return r->modules[i];
	return NULL;
}

RUNTIME_API void **__cudaRegisterFatBinary(const void *wrapper)
{
	struct runtime *r = runtime_enter();
	struct cuda_module *module = arena_alloc(r->arena, sizeof *module);
	*module = (struct cuda_module){.image = ((const struct fatbin_wrapper *)wrapper)->data};
	*(struct cuda_module **)vec_push(r->modules, r->n_modules, r->modules_cap) = module;
	runtime_leave(CUDA_Success);
	return (void **)module;
}

RUNTIME_API void __cudaRegisterFatBinaryEnd(void **handle)
{
	(void)handle;
}

RUNTIME_API void __cudaUnregisterFatBinary(void **handle)
{
	struct runtime *r = runtime_enter();
	struct cuda_module *module = module_of(r, handle);
	if (module)
		module->image = NULL;
	runtime_leave(CUDA_Success);
}

RUNTIME_API void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit,
	void *tid, void *bid, void *block, void *grid, int *warp_size)
{
	(void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp_size;
	struct runtime *r = runtime_enter();
	struct cuda_module *module = module_of(r, handle);
	if (module) {
		struct cuda_kernel *kernel = arena_alloc(r->arena, sizeof *kernel);
		*kernel = (struct cuda_kernel){.module = module, .host = host, .name = name};
		*(struct cuda_kernel **)vec_push(r->kernels, r->n_kernels, r->kernels_cap) = kernel;
	}
	runtime_leave(CUDA_Success);
}

RUNTIME_API void __cudaRegisterVar(
	void **handle, char *host, char *device, const char *name, int is_extern, size_t size, int constant, int global)
{
	(void)device, (void)is_extern, (void)size, (void)constant, (void)global;
	struct runtime *r = runtime_enter();
	struct cuda_module *module = module_of(r, handle);
	if (module)
		*(struct cuda_variable *)vec_push(r->variables, r->n_variables,
			r->variables_cap) = (struct cuda_variable){.module = module, .host = host, .name = name};
	runtime_leave(CUDA_Success);
}

/* Code that the compiler adds to the program calls __cudaInitModule before the variable is used, and it goes by its address then. */
RUNTIME_API void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int is_extern,
	size_t size, int constant, int global)
{
	(void)device, (void)is_extern, (void)size, (void)constant, (void)global;
	struct runtime *r = runtime_enter();
	struct cuda_module *module = module_of(r, handle);
	if (module) {
		module->managed = true;
		*(struct cuda_variable *)vec_push(
			r->variables, r->n_variables, r->variables_cap) = (struct cuda_variable){
			.module = module, .host = host, .managed = host, .name = name};
	}
	runtime_leave(CUDA_Success);
}

struct cuda_kernel *runtime_kernel(struct runtime *r, const void *host)
{
	for (int i = 0; i < r->n_kernels; i++)
		if (r->kernels[i]->host == host || r->kernels[i] == host)
			return r->kernels[i];
	return NULL;
}

const struct cuda_variable *runtime_variable(struct runtime *r, const void *host)
{
	for (int i = 0; i < r->n_variables; i++)
		if (r->variables[i].host == host)
			return &r->variables[i];
	return NULL;
}

RUNTIME_API int __cudaGetKernel(struct cuda_kernel **kernel, const void *host)
{
	struct runtime *r = runtime_enter();
	*kernel = runtime_kernel(r, host);
	return runtime_leave(*kernel ? CUDA_Success : CUDA_ErrorInvalidDeviceFunction);
}

/* The part of the program's image that has an address, and how many bytes there are from there on. */
struct cuda_room {
	uintptr_t address;
	size_t bytes;
};

static int find_room(struct dl_phdr_info *info, size_t size, void *ctx)
{
	(void)size;
	struct cuda_room *room = ctx;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uintptr_t begin = info->dlpi_addr + part->p_vaddr;
		if (part->p_type == PT_LOAD && room->address >= begin && room->address - begin < part->p_memsz)
			room->bytes = part->p_memsz - (room->address - begin);
	}
	return room->bytes > 0;
}

bool runtime_load_module(struct runtime *r, struct cuda_module *module)
{
	struct diag diag = {0};
	struct fatbin_ptx ptx;
	if (module->tried || !module->image)
		return module->variables != NULL;
	module->tried = true;
	struct cuda_room room = {(uintptr_t)module->image, 0};
	dl_iterate_phdr(find_room, &room);
	if (fatbin_find_ptx(r->arena, module->image, room.bytes, r->cc, &ptx, &diag))
		module->ptx = ptx_parse(r->arena, "the program's PTX", ptx.text, ptx.len, &diag);
	if (module->ptx &&
		!(module->variables = simt_variables_new(
			  r->memory, module->ptx, module->managed ? SIMT_GLOBALS_SHARED : SIMT_GLOBALS_APART)))
		runtime_say("no memory for the variables of the program's kernels");
	if (!module->ptx)
		runtime_say_diag(&diag);
	diag_free(&diag);
	return module->variables != NULL;
}

RUNTIME_API char __cudaInitModule(void **handle)
{
	struct runtime *r = runtime_enter();
	struct cuda_module *module = module_of(r, handle);
	bool loaded = module && module->managed && runtime_load_module(r, module);
	struct simt_variable at;
	for (int i = 0; loaded && i < r->n_variables; i++) {
		const struct cuda_variable *v = &r->variables[i];
		if (v->managed && v->module == module && simt_variables_find(module->variables, v->name, &at))
			*v->managed = at.bytes;
	}
	runtime_leave(CUDA_Success);
	return 1;
}

const struct ptx_kernel *runtime_load(struct runtime *r, struct cuda_kernel *kernel)
{
	struct diag diag = {0};
	if (!kernel->looked_up && runtime_load_module(r, kernel->module)) {
		kernel->ptx = ptx_find_kernel(kernel->module->ptx, kernel->name, &diag);
		if (!kernel->ptx)
			runtime_say_diag(&diag);
	}
	kernel->looked_up = true;
	diag_free(&diag);
	return kernel->ptx;
}
