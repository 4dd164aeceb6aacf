#include "model/profile/device.h"

#include <string.h>

#include "machine/snapshot/snapshot.h"
#include "model/profile/profile.h"

#define TEXT_SHOWN 40 /* bytes of an argument's text in a message */
#define ADDRESS_BYTES 8

static const struct diag_pos nowhere = {0};

/* What a variable of the module stands for is no parameter. */
static bool is_parameter(const struct launch_arg *arg)
{
	return !arg->texture || !arg->texture->reference;
}

static size_t size_of(const struct launch_arg *arg)
{
	return arg->tensor ? WARP_TENSOR_BYTES : arg->buffer ? ADDRESS_BYTES : launch_arg_bytes(arg);
}

/* The bytes of 2 are not a float near 2: a value must be a float where the kernel takes one, and only there. */
static bool kind_fits(const struct launch_arg *arg, char kind)
{
	return arg->buffer || launch_type_is_bits(arg->type) || kind == 'B' ||
		launch_type_is_float(arg->type) == (kind == 'F');
}

bool profile_argument_fits(const struct ptx_kernel *kernel, const struct launch_arg *arg, int param)
{
	struct ptx_param p = ptx_kernel_param(kernel, param);
	return is_parameter(arg) && size_of(arg) == p.size && kind_fits(arg, p.kind);
}

bool profile_arguments_fit(const struct ptx_kernel *kernel, const struct launch *launch, struct diag *diag)
{
	struct diag own = {0};
	if (launch->kept) {
		/* of a launch that was kept, with the PTX that it had */
		const struct snapshot *kept = launch->kept;
		if (kept->n_params == ptx_param_bytes(kernel))
			return true;
		if (diag)
			diag_error(diag, nowhere, "the kernel takes %u bytes of parameters; the kept launch has %zu",
				ptx_param_bytes(kernel), kept->n_params);
		return false;
	}

	int n = ptx_param_count(kernel), given = 0;
	for (int i = 0; i < launch->n_args; i++)
		given += is_parameter(&launch->args[i]);
	bool ok = given == n;
	if (!ok && diag) {
		struct buf params = {0};
		profile_signature(kernel, &params);
		diag_error(diag, nowhere, "the kernel takes %d argument%s, %d given: %s", n, n == 1 ? "" : "s", given,
			buf_str(&params));
		buf_free(&params);
	}
	for (int i = 0, next = 0; ok && i < launch->n_args; next += is_parameter(&launch->args[i++])) {
		struct diag *to = diag ? diag : &own;
		const struct launch_arg *arg = &launch->args[i];
		if (!is_parameter(arg)) {
			/* a texture is for a .texref, a surface for a .surfref */
			enum ptx_opaque kind = ptx_opaque_of(kernel, arg->texture->reference);
			bool surface = arg->texture->shape.is_surface;
			ok = kind == (surface ? PTX_SURFREF : PTX_TEXREF);
			if (!ok)
				diag_error(to, nowhere, "argument %d: the module has no %s %.100s", i,
					surface ? ".surfref" : ".texref", arg->texture->reference);
		} else if (size_of(arg) == ptx_kernel_param(kernel, next).size) {
			struct ptx_param p = ptx_kernel_param(kernel, next);
			bool is_float = launch_type_is_float(arg->type);
			ok = kind_fits(arg, p.kind);
			if (!ok) {
				struct buf type = {0};
				profile_param_type(kernel, next, &type);
				diag_error(to, nowhere,
					"argument %d, %.*s, is %s; the kernel takes %s; b%u: gives it bits of any kind",
					i, TEXT_SHOWN, arg->text, is_float ? "a float" : "an integer", buf_str(&type),
					8 * p.size);
				buf_free(&type);
			}
		} else {
			/* "argument 1, u32:7, is 4 bytes; the kernel takes const float *, 8 bytes, as in f32[64]" */
			struct buf type = {0}, example = {0};
			profile_param_type(kernel, next, &type);
			profile_param_example(kernel, launch, next, &example);
			diag_error(to, nowhere,
				"argument %d, %.*s%s, is %s%zu byte%s; the kernel takes %s, %u byte%s, as in %s", i,
				TEXT_SHOWN, arg->text, strlen(arg->text) > TEXT_SHOWN ? "..." : "",
				arg->buffer ? "an address of " : "", size_of(arg), size_of(arg) == 1 ? "" : "s",
				buf_str(&type), ptx_kernel_param(kernel, next).size,
				ptx_kernel_param(kernel, next).size == 1 ? "" : "s", buf_str(&example));
			buf_free(&type);
			buf_free(&example);
			ok = false;
		}
	}
	diag_free(&own);
	return ok;
}

const struct arguments *profile_arguments_place(struct arena *arena, const struct ptx_kernel *kernel,
	const struct launch *launch, struct profile_device *device, struct diag *diag)
{
	if (!profile_arguments_fit(kernel, launch, diag))
		return NULL;
	/* before any is made: that takes time */
	size_t total = 0;
	for (int i = 0; i < launch->n_args; i++) {
		total += launch->args[i].buffer ? launch_arg_bytes(&launch->args[i]) : 0;
		if (total > PROFILE_MEMORY_MAX) {
			diag_error(diag, nowhere,
				"argument %d, %.*s: the buffers of one launch hold at most %zu MiB together", i,
				TEXT_SHOWN, launch->args[i].text, PROFILE_MEMORY_MAX >> 20);
			return NULL;
		}
	}

	if (launch->kept) {
		/* those of a launch that was kept are bytes; pointers in them lead into the device's memory as they
		 * are */
		const struct snapshot *kept = launch->kept;
		struct arguments *out = arena_array(arena, struct arguments, 1);
		*out = (struct arguments){.params = arena_alloc(arena, kept->n_params + 1),
			.textures = snapshot_textures(kept, device->memory, arena),
			.n_textures = kept->n_textures,
			.variables = device->variables};
		memcpy(out->params, kept->params, kept->n_params);
		return out;
	}
	char *params = arena_alloc(arena, ptx_param_bytes(kernel));
	struct arguments *out = arena_array(arena, struct arguments, 1);
	struct profile_buffers list = {.arena = arena};
	*out = (struct arguments){.params = params,
		.addresses = arena_array(arena, uint64_t, (size_t)launch->n_args),
		.textures = arena_array(arena, struct simt_texture, (size_t)launch->n_args + 1),
		.variables = device->variables};
	for (int i = 0, next = 0; i < launch->n_args; i++) {
		const struct launch_arg *arg = &launch->args[i];
		void *param = is_parameter(arg) ? params + ptx_kernel_param(kernel, next++).offset : NULL;
		list.argument = i;

		/* One argument, into the parameter at `param`; NULL: it is none. */
		if (!arg->buffer) {
			launch_arg_fill(arg, param);
			if (!profile_device_point(device, arg, param, &list, diag))
				return NULL;
		} else {
			uint64_t address = profile_device_buffer(device, arg, -1, &list, diag);
			if (!address)
				return NULL;
			out->addresses[list.argument] = address;
			if (arg->texture) {
				/* the parameter is the handle of a texture or a surface with its texels there */
				out->textures[out->n_textures] = (struct simt_texture){
					arg->texture->shape, address, arg->texture->reference};
				address = simt_texture_handle(out->n_textures++);
			}
			if (param && arg->tensor) {
				struct warp_tensor map = *arg->tensor;
				map.address = address;
				memcpy(param, &map, sizeof map);
			} else if (param) {
				memcpy(param, &address, ADDRESS_BYTES);
			}
		}
	}
	out->buffers = list.at;
	out->n_buffers = list.n;
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
		machine.variables = arguments->variables;
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
	for (int i = 0; i < arguments->n_buffers; i++) {
		struct profile_buffer *b = &arguments->buffers[i];
		size_t bytes = launch_arg_bytes(b->what);
		b->bytes = memcpy(arena_alloc(arena, bytes), simt_memory_at(memory, b->address, bytes), bytes);
		if (b->member < 0 && launch->args[b->argument].buffer)
			copies[b->argument] = b->bytes;
	}
	return copies;
}
