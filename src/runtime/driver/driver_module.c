/* Modules of the driver API, which are the runtime's libraries, and linking. What is linked is PTX, and so is what is
 * made of it. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "runtime/driver/driver.h"
#include "runtime/module/fatbin.h"
#include "runtime/module/module.h"
#include "runtime/stream/queue.h"

/* --- options ------------------------------------------------------------------------------------------------------ */

/* CUjit_option */
enum { JIT_INFO_LOG = 3, JIT_INFO_BYTES, JIT_ERROR_LOG, JIT_ERROR_BYTES };

struct jit_options {
	unsigned int n;
	const int *names;
	void **values;
};

static void **jit_value(const struct jit_options *options, int name)
{
	for (unsigned int i = 0; i < options->n; i++)
		if (options->names[i] == name)
			return &options->values[i];
	return NULL;
}

static bool are_options(const struct jit_options *options)
{
	return !options->n || (options->names && options->values);
}

/* Gives the program a log, if it has room for one, and says how long it is. */
static void give_log(const struct jit_options *options, int buffer, int bytes, const struct buf *log)
{
	void **at = jit_value(options, buffer), **size = jit_value(options, bytes);
	size_t room = size ? (size_t)(uintptr_t)*size : 0;
	if (!at || !*at || !room)
		return;
	size_t n = log->len < room - 1 ? log->len : room - 1;
	memcpy(*at, buf_str(log), n);
	((char *)*at)[n] = '\0';
	*size = (void *)(uintptr_t)(log->len ? n + 1 : 0);
}

static bool wants_log(const struct jit_options *options)
{
	return jit_value(options, JIT_ERROR_LOG) && jit_value(options, JIT_ERROR_BYTES);
}

static void give_logs(const struct jit_options *options, struct buf *errors)
{
	give_log(options, JIT_INFO_LOG, JIT_INFO_BYTES, &(struct buf){0});
	give_log(options, JIT_ERROR_LOG, JIT_ERROR_BYTES, errors);
	buf_free(errors);
}

/* --- modules ------------------------------------------------------------------------------------------------------ */

static int load_image(const char *call, struct cuda_module **out, const void *image, const struct jit_options *options)
{
	RUNTIME_ENTER(r);
	struct buf log = {0};
	if (!out || !image || !are_options(options))
		return runtime_leave(CUDA_ErrorInvalidValue);
	struct library_request request = {call, out, wants_log(options) ? &log : NULL};
	int error = runtime_library_load(r, &request, image);
	give_logs(options, &log);
	return runtime_leave(error);
}

int cuModuleLoadDataEx(struct cuda_module **out, const void *image, unsigned int n, const int *names, void **values)
{
	return load_image("cuModuleLoadDataEx", out, image, &(struct jit_options){n, names, values});
}

int cuModuleLoadData(struct cuda_module **out, const void *image)
{
	return load_image("cuModuleLoadData", out, image, &(struct jit_options){0});
}

int cuModuleLoadFatBinary(struct cuda_module **out, const void *image)
{
	return load_image("cuModuleLoadFatBinary", out, image, &(struct jit_options){0});
}

int cuModuleLoad(struct cuda_module **out, const char *path)
{
	RUNTIME_ENTER(r);
	if (!out || !path)
		return runtime_leave(CUDA_ErrorInvalidValue);
	return runtime_leave(runtime_library_load_file(r, &(struct library_request){"cuModuleLoad", out, NULL}, path));
}

#define MODULES_EAGER 1

int cuModuleGetLoadingMode(int *mode)
{
	RUNTIME_ENTER(r);
	(void)r;
	if (!mode)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*mode = MODULES_EAGER;
	return runtime_leave(CUDA_Success);
}

int cuLibraryGetModule(struct cuda_module **out, const void *library)
{
	RUNTIME_ENTER(r);
	struct cuda_module *module = runtime_library_of(r, library);
	if (!out || !module)
		return runtime_leave(module ? CUDA_ErrorInvalidValue : CUDA_ErrorInvalidResourceHandle);
	*out = module;
	return runtime_leave(CUDA_Success);
}

/* --- kernels, which are functions, too ---------------------------------------------------------------------------- */

static int get_module(struct cuda_module **out, const void *function)
{
	RUNTIME_ENTER(r);
	const struct cuda_kernel *kernel = runtime_kernel(r, function);
	if (!out || !kernel)
		return runtime_leave(kernel ? CUDA_ErrorInvalidValue : CUDA_ErrorInvalidResourceHandle);
	*out = kernel->module;
	return runtime_leave(CUDA_Success);
}

int cuFuncGetModule(struct cuda_module **out, const void *function)
{
	return get_module(out, function);
}

int cuKernelGetLibrary(struct cuda_module **out, const void *kernel)
{
	return get_module(out, kernel);
}

int cuKernelGetFunction(struct cuda_kernel **out, const void *handle)
{
	RUNTIME_ENTER(r);
	struct cuda_kernel *kernel = runtime_kernel(r, handle);
	if (!out || !kernel)
		return runtime_leave(kernel ? CUDA_ErrorInvalidValue : CUDA_ErrorInvalidResourceHandle);
	*out = kernel;
	return runtime_leave(CUDA_Success);
}

#define IS_LOADED 1

int cuFuncIsLoaded(int *state, const void *function)
{
	RUNTIME_ENTER(r);
	int error = state ? CUDA_ErrorInvalidResourceHandle : CUDA_ErrorInvalidValue;
	const struct cuda_kernel *kernel = state ? runtime_launch_kernel(r, function, &error) : NULL;
	if (kernel)
		*state = IS_LOADED;
	return runtime_leave(kernel ? CUDA_Success : error);
}

int cuFuncLoad(const void *function)
{
	int state;
	return cuFuncIsLoaded(&state, function);
}

/* --- linking ------------------------------------------------------------------------------------------------------ */

/* CUjitInputType */
enum { LINK_CUBIN, LINK_PTX, LINK_CONTAINER, LINK_OBJECT, LINK_LIBRARY, LINK_KINDS = LINK_LIBRARY + 2 };

/* CUlinkState */
struct cuda_link {
	uint32_t mark;
	struct ptx_source *parts;
	int n, cap;
	struct jit_options options;
	char *made; /* the PTX, or NULL */
	struct cuda_link *next;
};
#define LINK_MARK 0x4B4E494Cu

static struct cuda_link *links;

static struct cuda_link *link_of(const void *handle)
{
	for (struct cuda_link *l = links; l; l = l->next)
		if (l == handle && l->mark == LINK_MARK)
			return l;
	return NULL;
}

int cuLinkCreate_v2(unsigned int n, const int *names, void **values, struct cuda_link **out)
{
	RUNTIME_ENTER(r);
	struct jit_options options = {n, names, values};
	if (!out || !are_options(&options))
		return runtime_leave(CUDA_ErrorInvalidValue);
	struct cuda_link *l = arena_alloc(r->arena, sizeof *l);
	*l = (struct cuda_link){.mark = LINK_MARK, .next = links};
	if (n) { /* the values are the program's: the sizes of logs are written there */
		int *own = arena_alloc(r->arena, n * sizeof *own);
		memcpy(own, names, n * sizeof *own);
		l->options = (struct jit_options){n, own, values};
	}
	links = *out = l;
	return runtime_leave(CUDA_Success);
}

static void report_link(const struct cuda_link *l, const struct diag *diag)
{
	struct buf log = {0};
	diag_format(diag, &log);
	if (wants_log(&l->options))
		give_logs(&l->options, &log);
	else
		runtime_warn_diag(diag);
	buf_free(&log);
}

/* Adds a part, whose bytes last. */
static int add_link_part(
	struct runtime *r, struct cuda_link *l, int kind, const char *name, const char *data, size_t bytes)
{
	struct diag diag = {0};
	struct fatbin_ptx ptx;
	bool machine = kind != LINK_PTX && kind != LINK_CONTAINER;
	if (machine && (bytes < 4 || memcmp(data, "\177ELF", 4) != 0))
		machine = kind != LINK_CUBIN; /* what cuLinkComplete calls so */
	if (machine) {
		runtime_warn("cuLinkAddData: only PTX can be linked here, and containers with PTX; %s is machine code",
			name);
		return CUDA_ErrorNoKernelImageForDevice;
	}
	bool found = fatbin_find_ptx(r->arena, data, bytes, r->cc, &ptx, &diag);
	if (found)
		*(struct ptx_source *)vec_push(l->parts, l->n, l->cap) = (struct ptx_source){name, ptx.text, ptx.len};
	else
		report_link(l, &diag);
	diag_free(&diag);
	return found ? CUDA_Success : CUDA_ErrorInvalidKernelImage;
}

int cuLinkAddData_v2(void *handle, int kind, const void *data, size_t bytes, const char *name, unsigned int n,
	const int *names, void **values)
{
	RUNTIME_ENTER(r);
	struct cuda_link *l = link_of(handle);
	if (!l)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	if (!data || !bytes || kind < 0 || kind >= LINK_KINDS || !are_options(&(struct jit_options){n, names, values}))
		return runtime_leave(CUDA_ErrorInvalidValue);
	char *own = arena_alloc(r->arena, bytes + 1);
	memcpy(own, data, bytes);
	own[bytes] = '\0';
	name = arena_printf(r->arena, "%s", name ? name : "the program's PTX");
	return runtime_leave(add_link_part(r, l, kind, name, own, bytes));
}

int cuLinkAddFile_v2(void *handle, int kind, const char *path, unsigned int n, const int *names, void **values)
{
	RUNTIME_ENTER(r);
	struct cuda_link *l = link_of(handle);
	size_t bytes = 0;
	if (!l)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	if (!path || kind < 0 || kind >= LINK_KINDS || !are_options(&(struct jit_options){n, names, values}))
		return runtime_leave(CUDA_ErrorInvalidValue);
	char *data = runtime_read_file(r, path, &bytes);
	if (!data || !bytes)
		return runtime_leave(CUDA_ErrorFileNotFound);
	return runtime_leave(add_link_part(r, l, kind, arena_printf(r->arena, "%s", path), data, bytes));
}

int cuLinkComplete(void *handle, void **cubin, size_t *bytes)
{
	RUNTIME_ENTER(r);
	struct cuda_link *l = link_of(handle);
	struct diag diag = {0};
	if (!l || l->made) /* CUDA 13.0 has it so */
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	if (!cubin || !l->n)
		return runtime_leave(CUDA_ErrorInvalidValue);

	/* All of it as one text, which can be parsed. */
	struct buf text = {0};
	bool combined = l->n == 1 || ptx_combine(r->arena, l->parts, l->n, &text, &diag);
	if (l->n == 1)
		buf_printf(&text, "%.*s", (int)l->parts[0].len, l->parts[0].text);
	struct ptx_module *module = combined
		? ptx_parse(r->arena, "the program's linked PTX", buf_str(&text), text.len, &diag)
		: NULL;
	bool good = module && runtime_library_check(module, &diag);
	if (good)
		l->made = arena_strndup(r->arena, buf_str(&text), text.len);
	buf_free(&text);
	if (good) {
		*cubin = l->made;
		if (bytes)
			*bytes = strlen(l->made) + 1;
		give_logs(&l->options, &(struct buf){0});
	} else {
		report_link(l, &diag);
	}
	diag_free(&diag);
	return runtime_leave(good ? CUDA_Success : CUDA_ErrorInvalidPtx);
}

int cuLinkDestroy(void *handle)
{
	RUNTIME_ENTER(r);
	struct cuda_link *l = link_of(handle);
	(void)r;
	if (!l)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	l->mark = 0;
	free(l->parts);
	l->parts = NULL;
	return runtime_leave(CUDA_Success);
}
