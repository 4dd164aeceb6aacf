#include "profile/arguments.h"

#include <string.h>

#include "profile/profile.h"

#define TEXT_SHOWN 40 /* bytes of an argument's text in a message */
#define ADDRESS_BYTES 8

static const struct diag_pos nowhere = {0};

/* What a variable of the module stands for is no parameter. */
static bool is_parameter(const struct launch_arg *arg)
{
	return !arg->texture || !arg->texture->reference;
}

static bool check_count(const struct ptx_kernel *kernel, const struct launch *launch, struct diag *diag)
{
	int n = ptx_param_count(kernel), given = 0;
	for (int i = 0; i < launch->n_args; i++)
		given += is_parameter(&launch->args[i]);
	if (given == n)
		return true;
	struct buf names = {0};
	for (int i = 0; i < n; i++)
		buf_printf(&names, "%s%s (%u bytes)", i ? ", " : ": ", ptx_kernel_param(kernel, i).name,
			ptx_kernel_param(kernel, i).size);
	diag_error(diag, nowhere, "the kernel takes %d argument%s, %d given%s", n, n == 1 ? "" : "s", given,
		buf_str(&names));
	buf_free(&names);
	return false;
}

/* What to write instead, for an argument that is not as large as the parameter. */
static const char *size_hint(const struct launch_arg *arg, const struct ptx_param *param)
{
	if (param->size > ADDRESS_BYTES)
		return "; a struct passed by value cannot be given, only a pointer to it";
	return !arg->buffer && param->size == ADDRESS_BYTES ? "; a buffer is written u32[N]" : "";
}

static bool check_size(const struct launch_arg *arg, int index, const struct ptx_param *param, struct diag *diag)
{
	size_t size = arg->buffer ? ADDRESS_BYTES : launch_arg_bytes(arg);
	if (size == param->size)
		return true;
	diag_error(diag, nowhere, "argument %d, %.*s%s, is %s%zu bytes; parameter %s takes %u%s", index, TEXT_SHOWN,
		arg->text, strlen(arg->text) > TEXT_SHOWN ? "..." : "", arg->buffer ? "an address of " : "", size,
		param->name, param->size, size_hint(arg, param));
	return false;
}

/* The bytes of 2 are not a float near 2: a value must be a float where the kernel takes one, and only there. */
static bool check_kind(const struct launch_arg *arg, int index, const struct ptx_param *param, struct diag *diag)
{
	bool is_float = launch_type_is_float(arg->type);
	if (arg->buffer || launch_type_is_bits(arg->type) || param->kind == 'B' || is_float == (param->kind == 'F'))
		return true;
	diag_error(diag, nowhere, "argument %d, %.*s, is %s; parameter %s takes %s; b%u: gives it bits of any kind",
		index, TEXT_SHOWN, arg->text, is_float ? "a float" : "an integer", param->name,
		is_float ? "an integer" : "a float", 8 * param->size);
	return false;
}

/* A texture is for a .texref, a surface for a .surfref. */
static bool check_reference(const struct ptx_kernel *kernel, const struct launch_arg *arg, int index, struct diag *diag)
{
	enum ptx_opaque kind = ptx_opaque_of(kernel, arg->texture->reference);
	bool surface = arg->texture->shape.is_surface;
	if (kind == (surface ? PTX_SURFREF : PTX_TEXREF))
		return true;
	diag_error(diag, nowhere, "argument %d: the module has no %s %.100s", index, surface ? ".surfref" : ".texref",
		arg->texture->reference);
	return false;
}

static void report_full_memory(const struct launch_arg *arg, int index, struct diag *diag)
{
	diag_error(diag, nowhere, "argument %d, %.*s: the buffers of one launch hold at most %zu MiB together", index,
		TEXT_SHOWN, arg->text, PROFILE_MEMORY_MAX >> 20);
}

static bool check_arguments(const struct ptx_kernel *kernel, const struct launch *launch, struct diag *diag)
{
	size_t total = 0;
	if (!check_count(kernel, launch, diag))
		return false;
	for (int i = 0, next = 0; i < launch->n_args; i++) {
		const struct launch_arg *arg = &launch->args[i];
		struct ptx_param param = is_parameter(arg) ? ptx_kernel_param(kernel, next++) : (struct ptx_param){0};
		if (is_parameter(arg) && (!check_size(arg, i, &param, diag) || !check_kind(arg, i, &param, diag)))
			return false;
		if (!is_parameter(arg) && !check_reference(kernel, arg, i, diag))
			return false;
		total += arg->buffer ? launch_arg_bytes(arg) : 0;
		if (total > PROFILE_MEMORY_MAX) {
			report_full_memory(arg, i, diag);
			return false;
		}
	}
	return true;
}

/* Returns the handle of a texture or a surface whose texels are at the address. */
static uint64_t add_texture(struct arguments *out, const struct launch_texture *texture, uint64_t address)
{
	out->textures[out->n_textures] = (struct simt_texture){texture->shape, address, texture->reference};
	return simt_texture_handle(out->n_textures++);
}

const struct arguments *profile_arguments_place(struct arena *arena, const struct ptx_kernel *kernel,
	const struct launch *launch, struct simt_memory *memory, struct diag *diag)
{
	if (!check_arguments(kernel, launch, diag))
		return NULL;
	char *params = arena_alloc(arena, ptx_param_bytes(kernel));
	struct arguments *out = arena_array(arena, struct arguments, 1);
	*out = (struct arguments){.params = params, .addresses = arena_array(arena, uint64_t, (size_t)launch->n_args)};
	out->textures = arena_array(arena, struct simt_texture, (size_t)launch->n_args + 1);
	for (int i = 0, next = 0; i < launch->n_args; i++) {
		const struct launch_arg *arg = &launch->args[i];
		void *param = is_parameter(arg) ? params + ptx_kernel_param(kernel, next++).offset : NULL;
		size_t bytes = launch_arg_bytes(arg);
		if (!arg->buffer) {
			launch_arg_fill(arg, param);
			continue;
		}
		uint64_t address = simt_memory_alloc(memory, bytes);
		if (!address) {
			report_full_memory(arg, i, diag);
			return NULL;
		}
		if (arg->fill != LAUNCH_ZERO ||
			arg->n_unwritten) /* the machine's memory is zeroed, and pages never touched cost nothing */
			launch_arg_fill(arg, simt_memory_at(memory, address, bytes));
		if (arg->n_unwritten)
			simt_memory_uninitialized(memory, address + bytes / arg->count * arg->unwritten,
				bytes / arg->count * arg->n_unwritten);
		out->addresses[i] = address;
		if (arg->texture)
			address = add_texture(out, arg->texture, address);
		if (param)
			memcpy(param, &address, ADDRESS_BYTES);
	}
	return out;
}

struct simt_launch profile_simt_launch(
	const struct ptx_kernel *kernel, const struct launch *launch, const struct arguments *arguments)
{
	struct simt_launch machine = {.kernel = kernel,
		.dynamic_shared = launch->shared,
		.cooperative = launch->cooperative,
		.params = arguments ? arguments->params : NULL};
	if (arguments) {
		machine.textures = arguments->textures;
		machine.n_textures = arguments->n_textures;
	}
	memcpy(machine.grid, launch->grid, sizeof machine.grid);
	memcpy(machine.block, launch->block, sizeof machine.block);
	memcpy(machine.cluster, launch->cluster, sizeof machine.cluster);
	return machine;
}

void **profile_arguments_copy(
	struct arena *arena, const struct launch *launch, const struct arguments *arguments, struct simt_memory *memory)
{
	void **copies = arena_array(arena, void *, (size_t)launch->n_args);
	for (int i = 0; i < launch->n_args; i++) {
		size_t bytes = launch_arg_bytes(&launch->args[i]);
		if (arguments->addresses[i])
			copies[i] = memcpy(arena_alloc(arena, bytes),
				simt_memory_at(memory, arguments->addresses[i], bytes), bytes);
	}
	return copies;
}
