/* Device code, and what the program registers of it before main: by each source file that has any. */
#include "config.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/ptx/program.h"
#include "runtime/module/fatbin.h"
#include "runtime/report/report.h"
#include "runtime/stream/queue.h"

/* What __cudaRegisterFatBinary is given. `more` of version 2: the code of source files from which `data` was linked. */
#define LINKED 2
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

struct cuda_module *runtime_module_new(struct runtime *r, const void *image, size_t room)
{
	struct cuda_module *module = arena_alloc(r->arena, sizeof *module);
	*module = (struct cuda_module){.image = image, .room = room};
	*(struct cuda_module **)vec_push(r->modules, r->n_modules, r->modules_cap) = module;
	return module;
}

struct cuda_kernel *runtime_kernel_new(struct runtime *r, struct cuda_module *module, const char *name)
{
	struct cuda_kernel *kernel = arena_alloc(r->arena, sizeof *kernel);
	*kernel = (struct cuda_kernel){.module = module, .name = name, .carveout = -1};
	*(struct cuda_kernel **)vec_push(r->kernels, r->n_kernels, r->kernels_cap) = kernel;
	return kernel;
}

RUNTIME_API void **__cudaRegisterFatBinary(const void *wrapper)
{
	struct runtime *r = runtime_enter();
	if (!r)
		return NULL;
	const struct fatbin_wrapper *w = wrapper;
	struct cuda_module *module = runtime_module_new(r, w->data, 0);
	if (w->version == LINKED && w->more)
		module->parts = w->more;
	runtime_leave(CUDA_Success);
	return (void **)module;
}

/* Variables of the program that are managed, and lie where it says: simttutor_keywords.h. */
static uintptr_t managed_begin, managed_end;

RUNTIME_API void __simttutorManaged(const void *begin, const void *end)
{
	managed_begin = (uintptr_t)begin;
	managed_end = (uintptr_t)end;
}

/* The host may use managed variables from now on, with their values. */
RUNTIME_API void __cudaRegisterFatBinaryEnd(void **handle)
{
	struct runtime *r = runtime_enter();
	struct cuda_module *module = r ? module_of(r, handle) : NULL;
	bool placed = false;
	for (int i = 0; module && i < r->n_variables; i++)
		placed |= r->variables[i].module == module && r->variables[i].placed;
	if (placed) {
		runtime_pause(r);
		runtime_load_module(r, module);
	}
	if (r)
		runtime_leave(CUDA_Success);
}

/* Its kernels that still run keep what they need. */
RUNTIME_API void __cudaUnregisterFatBinary(void **handle)
{
	struct runtime *r = runtime_enter();
	struct cuda_module *module = r ? module_of(r, handle) : NULL;
	if (module)
		module->image = NULL, module->parts = NULL;
	if (r)
		runtime_leave(CUDA_Success);
}

RUNTIME_API void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit,
	void *tid, void *bid, void *block, void *grid, int *warp_size)
{
	(void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp_size;
	struct runtime *r = runtime_enter();
	struct cuda_module *module = r ? module_of(r, handle) : NULL;
	if (module)
		runtime_kernel_new(r, module, name)->host = host;
	if (r)
		runtime_leave(CUDA_Success);
}

/* `managed` is the program's pointer to it; code that the compiler adds calls __cudaInitModule before the variable is
 * used, and it goes by its address then. */
static void register_variable(void **handle, const void *host, void **managed, const char *name)
{
	struct runtime *r = runtime_enter();
	struct cuda_module *module = r ? module_of(r, handle) : NULL;
	if (module) {
		bool placed = !managed && (uintptr_t)host >= managed_begin && (uintptr_t)host < managed_end;
		module->managed |= managed || placed;
		*(struct cuda_variable *)vec_push(
			r->variables, r->n_variables, r->variables_cap) = (struct cuda_variable){
			.module = module, .host = host, .managed = managed, .placed = placed, .name = name};
	}
	if (r)
		runtime_leave(CUDA_Success);
}

RUNTIME_API void __cudaRegisterVar(
	void **handle, char *host, char *device, const char *name, int is_extern, size_t size, int constant, int global)
{
	(void)device, (void)is_extern, (void)size, (void)constant, (void)global;
	register_variable(handle, host, NULL, name);
}

RUNTIME_API void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int is_extern,
	size_t size, int constant, int global)
{
	(void)device, (void)is_extern, (void)size, (void)constant, (void)global;
	register_variable(handle, host, host, name);
}

struct cuda_kernel *runtime_kernel(struct runtime *r, const void *host)
{
	for (int i = 0; host && i < r->n_kernels; i++)
		if (r->kernels[i]->host == host || r->kernels[i] == host)
			return r->kernels[i];
	return NULL;
}

const struct cuda_variable *runtime_variable(struct runtime *r, const void *host)
{
	for (int i = 0; host && i < r->n_variables; i++)
		if (r->variables[i].host == host)
			return &r->variables[i];
	return NULL;
}

RUNTIME_API int __cudaGetKernel(struct cuda_kernel **kernel, const void *host)
{
	RUNTIME_ENTER(r);
	*kernel = runtime_kernel(r, host);
	return runtime_leave(*kernel ? CUDA_Success : CUDA_ErrorInvalidDeviceFunction);
}

/* --- loading ------------------------------------------------------------------------------------------------------ */

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

static bool find_ptx(struct runtime *r, const void *image, size_t bytes, struct fatbin_ptx *out, struct diag *diag)
{
	struct cuda_room room = {(uintptr_t)image, bytes};
	if (!room.bytes)
		dl_iterate_phdr(find_room, &room);
	return fatbin_find_ptx(r->arena, image, room.bytes, r->cc, out, diag);
}

/* What nvcc adds by itself, for kernels that launch others: there are none here. */
#define DEVICE_RUNTIME "_cuda_device_runtime_cu_"

/* What its line table names first: mostly the source file. */
static const char *name_of(struct arena *arena, const struct fatbin_ptx *ptx)
{
	const char *file = strstr(ptx->text, "\n\t.file\t"), *begin = file ? strchr(file, '"') : NULL;
	const char *end = begin ? strchr(begin + 1, '"') : NULL;
	return end ? arena_strndup(arena, begin + 1, (size_t)(end - begin - 1)) : "the program's PTX";
}

#define EXTERN ".extern .func"

/* Whether the text declares a function of that name, or one that begins so. */
static bool declares(const char *text, const char *name)
{
	for (const char *at = text; (at = strstr(at, EXTERN)) != NULL;) {
		at += sizeof EXTERN - 1;
		at += strspn(at, " \t\n");
		if (*at == '(') /* what it returns */
			at += strcspn(at, ")") + 1;
		at += strspn(at, " )\t\n");
		if (strncmp(at, name, strlen(name)) == 0)
			return true;
	}
	return false;
}

/* What a body needs that the device runtime alone has; NULL: nothing. */
static const char *needed_of_device_runtime(const char *body, size_t len)
{
	static const struct {
		const char *name, *title, *note;
		enum { DONE, REFUSED } state;
	} rows[] = {
#define IN_KERNELS(name, title, state, note) {name, title, note, state},
#include "runtime/device.def"
#undef IN_KERNELS
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].state == REFUSED && memmem(body, len, rows[i].name, strlen(rows[i].name)))
			return rows[i].title;
	return NULL;
}

/* The end of the body that begins at a brace: its own last brace, or NULL. */
static char *end_of_body(char *at)
{
	int depth = 0;
	for (; *at; at++) {
		if (*at == '"')
			at += 1 + strcspn(at + 1, "\"\n");
		depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
		if (!*at || depth <= 0)
			return *at ? at : NULL;
	}
	return NULL;
}

/* The name of the kernel or function whose head is [head, body): the last word before its parameters. */
static const char *name_of_body(struct arena *arena, const char *head, const char *body)
{
	const char *at = memmem(head, (size_t)(body - head), ".entry", strlen(".entry"));
	if (!at)
		at = memmem(head, (size_t)(body - head), ".func", strlen(".func"));
	if (!at)
		return "";
	at += strcspn(at, " \t\n(");
	at += strspn(at, " \t\n");
	if (*at == '(') /* what it returns */
		at += strcspn(at, ")") + 1;
	at += strspn(at, " \t\n");
	return arena_strndup(arena, at, strcspn(at, " \t\n({"));
}

#define EMPTY_BODY "ret;"

/* Kernels and functions that need the device runtime keep their place, and lose what they do: they are known by name,
 * and what calls them is not launched. */
static const char *without_device_runtime(struct runtime *r, struct cuda_module *module, const struct fatbin_ptx *ptx)
{
	if (!needed_of_device_runtime(ptx->text, ptx->len))
		return ptx->text;
	char *text = arena_strndup(r->arena, ptx->text, ptx->len);
	for (char *at = text; (at = strpbrk(at, "{;")) != NULL; at++) {
		if (*at == ';')
			continue;
		/* A body, or the values of a variable. */
		char *end = end_of_body(at), *head = at;
		if (!end)
			return text;
		while (head > text && head[-1] != ';' && head[-1] != '}')
			head--;
		const char *title = needed_of_device_runtime(at, (size_t)(end - at));
		if (title) {
			struct refused_code *refused = arena_alloc(r->arena, sizeof *refused);
			*refused = (struct refused_code){name_of_body(r->arena, head, at), title, module->refused};
			module->refused = refused;
		}
		if (title) {
			for (char *c = at + 1; c < end; c++)
				*c = *c == '\n' ? '\n' : ' ';
			memcpy(at + 1, EMPTY_BODY, sizeof EMPTY_BODY - 1);
		}
		at = end;
	}
	return text;
}

/* NVIDIA's has the condition somewhere else: here a handle is its address. */
#define SET_CONDITIONAL "cudaGraphSetConditional"
static const char set_conditional[] = ".version 6.0\n.target sm_30\n.address_size 64\n"
				      ".visible .func " SET_CONDITIONAL "(.param .b64 handle, .param .b32 value)\n{\n"
				      ".reg .b64 %h; .reg .b32 %v;\n"
				      "ld.param.b64 %h, [handle]; ld.param.b32 %v, [value];\n"
				      "st.global.b32 [%h], %v;\nret;\n}\n";

struct module_parts {
	struct ptx_source *of;
	int n, cap;
	bool sets_condition;
};

static void add_device_code(struct module_parts *parts, const char *name, const char *text, size_t len)
{
	*(struct ptx_source *)vec_push(parts->of, parts->n, parts->cap) = (struct ptx_source){name, text, len};
	parts->sets_condition |= declares(text, SET_CONDITIONAL);
}

static void link_parts(struct runtime *r, struct cuda_module *module, struct module_parts *parts, struct diag *diag)
{
	struct buf text = {0};
	if (parts->sets_condition)
		add_device_code(parts, SET_CONDITIONAL, set_conditional, sizeof set_conditional - 1);
	if (ptx_combine(r->arena, parts->of, parts->n, &text, diag))
		module->ptx = ptx_parse(r->arena, "the program's linked PTX", buf_str(&text), text.len, diag);
	buf_free(&text);
}

/* Those that lie in the program, and managed ones, which the report watches the host touch. */
static bool place_variables(struct runtime *r, const struct cuda_module *module, struct simt_variables *variables)
{
	for (int i = 0; i < r->n_variables; i++) {
		struct cuda_variable *v = &r->variables[i];
		void *host = v->placed ? (void *)(uintptr_t)v->host : NULL, *bytes = host;
		struct simt_variable at;
		if (v->module == module && v->managed && report_is_on() && !report_keeps() &&
			simt_variables_find(variables, v->name, &at) && at.size) {
			host = report_share(at.size, &bytes);
			v->shared = host ? bytes : NULL;
			v->shared_host = host;
		}
		if (v->module == module && host && !simt_variables_move(variables, r->memory, v->name, host, bytes))
			return false;
	}
	return true;
}

bool runtime_load_module(struct runtime *r, struct cuda_module *module)
{
	int device = runtime_device();
	if (module->variables[device])
		return true;
	if (!module->tried && (module->image || module->parts)) {
		struct diag diag = {0};
		struct fatbin_ptx ptx;
		module->tried = true;
		if (module->parts) {
			/* Device code of several source files, which is linked now. */
			struct module_parts parts = {0};
			for (const void *const *image = module->parts; *image; image++) {
				if (!find_ptx(r, *image, 0, &ptx, &diag) || strstr(ptx.text, DEVICE_RUNTIME))
					continue;
				const char *name = name_of(r->arena, &ptx);
				const char *text = without_device_runtime(r, module, &ptx);
				add_device_code(&parts, name, text, ptx.len);
			}
			if (!diag.errors)
				link_parts(r, module, &parts, &diag);
			free(parts.of);
		} else if (find_ptx(r, module->image, module->room, &ptx, &diag)) {
			struct module_parts parts = {0};
			const char *name = name_of(r->arena, &ptx);
			const char *text = without_device_runtime(r, module, &ptx);
			add_device_code(&parts, name, text, ptx.len);
			if (parts.sets_condition)
				link_parts(r, module, &parts, &diag);
			else
				module->ptx = ptx_parse(r->arena, "the program's PTX", text, ptx.len, &diag);
			free(parts.of);
		}
		if (!module->ptx && module->log)
			diag_format(&diag, module->log);
		else if (!module->ptx)
			runtime_warn_diag(&diag);
		diag_free(&diag);
	}
	if (!module->ptx)
		return false;
	/* Managed variables are the same for all devices, and so are the others of their module. */
	for (int i = 0; module->managed && i < r->devices; i++)
		if (module->variables[i])
			return (module->variables[device] = module->variables[i]) != NULL;
	module->variables[device] = simt_variables_new(
		r->memory, module->ptx, module->managed ? SIMT_GLOBALS_SHARED : SIMT_GLOBALS_APART);
	if (module->variables[device] && place_variables(r, module, module->variables[device])) {
		/* What copies may name by its address. */
		struct simt_variable at;
		for (int i = 0; i < r->n_variables; i++) {
			const struct cuda_variable *v = &r->variables[i];
			if (v->module == module && simt_variables_find(module->variables[device], v->name, &at) &&
				!runtime_allocation(r, at.address, 1))
				runtime_remember(r,
					&(struct cuda_allocation){.address = at.address,
						.bytes = at.size,
						.host = v->shared ? v->shared : at.bytes,
						.kind = v->managed || v->placed ? MEMORY_MANAGED : MEMORY_VARIABLE,
						.device = (uint8_t)device,
						.of_module = true});
		}
	} else {
		runtime_warn("no memory for the variables of the program's kernels");
	}
	return module->variables[device] != NULL;
}

RUNTIME_API char __cudaInitModule(void **handle)
{
	struct runtime *r = runtime_enter();
	struct cuda_module *module = r ? module_of(r, handle) : NULL;
	struct simt_variable at;
	if (module && module->managed)
		runtime_pause(r);
	bool loaded = module && module->managed && runtime_load_module(r, module);
	for (int i = 0; loaded && i < r->n_variables; i++) {
		const struct cuda_variable *v = &r->variables[i];
		if (v->managed && v->module == module &&
			simt_variables_find(module->variables[runtime_device()], v->name, &at))
			*v->managed = at.bytes;
	}
	if (r)
		runtime_leave(CUDA_Success);
	return 1;
}

const struct ptx_kernel *runtime_load(struct runtime *r, struct cuda_kernel *kernel)
{
	struct diag diag = {0};
	if (runtime_load_module(r, kernel->module) && !kernel->looked_up) {
		kernel->ptx = ptx_find_kernel(kernel->module->ptx, kernel->name, &diag);
		if (!kernel->ptx)
			runtime_warn_diag(&diag);
		for (const struct refused_code *c = kernel->module->refused; c && kernel->ptx; c = c->next)
			for (int i = 0; i < kernel->ptx->n_parts; i++)
				if (strcmp(c->name, kernel->ptx->parts[i].code->name) == 0)
					kernel->needs = c->title;
	}
	kernel->looked_up = true;
	diag_free(&diag);
	return kernel->ptx;
}
