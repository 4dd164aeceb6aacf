#include "model/profile/device.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/ptx/program.h"
#include "machine/snapshot/snapshot.h"
#include "model/hardware/occupancy.h"
#include "model/profile/profile.h"

static const struct diag_pos nowhere = {0};

/* --- functions ---------------------------------------------------------------------------------------------------- */

static bool take_functions(struct ptx_module *module, const struct launch_arg *arg, struct diag *diag)
{
	struct diag_pos pos = {.file = "fn"};
	for (int i = 0; i < arg->n_pointers; i++) {
		const struct launch_pointer *p = &arg->pointers[i];
		if (p->to == LAUNCH_TO_FUNCTION && !ptx_take_function(module, p->name, pos, diag))
			return false;
		if (p->to == LAUNCH_TO_BUFFER && !take_functions(module, p->buffer, diag))
			return false;
	}
	return true;
}

bool profile_take_functions(struct ptx_module *module, const struct launch *launch, struct diag *diag)
{
	bool ok = true;
	for (int i = 0; i < launch->n_args && ok; i++)
		ok = take_functions(module, &launch->args[i], diag);
	for (int i = 0; i < launch->n_sets && ok; i++)
		ok = take_functions(module, &launch->sets[i].value, diag);
	return ok && (!launch->before || profile_take_functions(module, launch->before, diag));
}

const struct ptx_kernel *profile_find_kernel(struct ptx_module *module, const struct launch *launch, struct diag *diag)
{
	return profile_take_functions(module, launch, diag) ? ptx_find_kernel(module, launch->kernel, diag) : NULL;
}

/* --- buffers ------------------------------------------------------------------------------------------------------ */

static const struct profile_buffer *find_named(const struct profile_device *device, const char *name)
{
	for (int i = 0; i < device->n_named; i++)
		if (strcmp(device->named[i].what->name, name) == 0)
			return &device->named[i];
	return NULL;
}

static void add_buffer(struct profile_buffers *list, const struct profile_buffer *buffer)
{
	if (list)
		*vec_push_in(list->arena, list->at, list->n, list->cap) = *buffer;
}

bool profile_device_point(struct profile_device *device, const struct launch_arg *arg, void *bytes,
	struct profile_buffers *list, struct diag *diag)
{
	for (int i = 0; i < arg->n_pointers; i++) {
		uint64_t address;
		const struct launch_pointer *p = &arg->pointers[i];
		if (p->to == LAUNCH_TO_BUFFER) {
			address = profile_device_buffer(device, p->buffer, p->member, list, diag);
		} else if (p->to == LAUNCH_TO_FUNCTION) {
			struct diag_pos pos = {.file = "fn"};
			const struct ptx_kernel *function = ptx_take_function(device->module, p->name, pos, diag);
			address = function ? simt_function_address(function) : 0;
		} else {
			const struct profile_buffer *named = find_named(device, p->name);
			address = named ? named->address : 0;
			if (!named) {
				struct buf names = {0};
				for (int j = 0; j < device->n_named; j++)
					buf_printf(&names, "%s%s",
						j ? ", " : "; there are: ", device->named[j].what->name);
				diag_error(diag, nowhere,
					"no buffer before this has the name %s, as %s=u32[64] gives it one%s", p->name,
					p->name, buf_str(&names));
				buf_free(&names);
			} else {
				bool itself = !arg->is_struct; /* the argument is the buffer */
				add_buffer(list,
					&(struct profile_buffer){list ? list->argument : -1, itself ? -1 : p->member,
						named->what, named->address, NULL});
			}
		}
		if (!address)
			return false;
		memcpy((char *)bytes + arg->pointers[i].offset, &address, sizeof address);
	}
	return true;
}

uint64_t profile_device_buffer(struct profile_device *device, const struct launch_arg *arg, int member,
	struct profile_buffers *list, struct diag *diag)
{
	size_t bytes = launch_arg_bytes(arg);
	uint64_t address = simt_memory_alloc(device->memory, bytes);
	if (!address) {
		diag_error(diag, nowhere, "the buffers of one launch hold at most %zu MiB together",
			PROFILE_MEMORY_MAX >> 20);
		return 0;
	}
	void *host = simt_memory_at(device->memory, address, bytes);
	if (arg->fill != LAUNCH_ZERO ||
		arg->n_unwritten) /* the machine's memory is zeroed, and pages never touched cost nothing */
		launch_arg_fill(arg, host);
	if (arg->n_unwritten)
		simt_memory_uninitialized(device->memory, address + bytes / arg->count * arg->unwritten,
			bytes / arg->count * arg->n_unwritten);
	struct profile_buffer buffer = {list ? list->argument : -1, member, arg, address, NULL};
	add_buffer(list, &buffer);
	if (arg->name && find_named(device, arg->name)) {
		diag_error(diag, nowhere, "two buffers have the name %s", arg->name);
		return 0;
	}
	if (arg->name)
		*vec_push(device->named, device->n_named, device->cap_named) = buffer;
	return profile_device_point(device, arg, host, list, diag) ? address : 0;
}

/* --- launches before ---------------------------------------------------------------------------------------------- */

/* Runs the launches before; the first of them has its variables set. */
static bool prepare(struct profile_device *device, struct ptx_module *module, const struct launch *launch,
	const struct profile_before *how, struct diag *diag)
{
	if (launch->before) {
		if (!prepare(device, module, launch->before, how, diag))
			return false;
		const struct launch *earlier = launch->before;
		struct arena *scratch = arena_new();
		struct simt_defect defect;
		struct simt_report report = {.defects = &defect, .cap = 1};
		struct simt_result result = {0};
		const struct ptx_kernel *kernel = ptx_find_kernel(module, earlier->kernel, diag);
		const struct arguments *arguments = kernel
			? profile_arguments_place(scratch, kernel, earlier, device, diag)
			: NULL;
		if (arguments) {
			struct simt_launch machine = profile_simt_launch(kernel, earlier, arguments);
			machine.limits.steps = how->steps;
			machine.limits.quiet_ms = how->quiet_ms;
			machine.checks = how->checks;
			machine.report = &report;
			simt_run(&machine, device->memory, &result);
		}
		arena_free(scratch);
		return arguments != NULL;
	}
	for (int i = 0; i < launch->n_sets; i++) {
		const struct launch_set *set = &launch->sets[i];
		const struct ptx_var *var = ptx_find_variable(
			device->module, set->variable, (struct diag_pos){.file = "--set"}, diag);
		struct simt_variable found;
		if (!var || !simt_variables_find(device->variables, var->name, &found))
			return false;
		size_t bytes = launch_arg_bytes(&set->value);
		if (bytes != var->size) {
			struct buf text = {0};
			buf_printf(&text, "--set %s: %zu bytes are given; the variable has %" PRIu64, set->variable,
				bytes, var->size);
			if (var->element > 1 && var->size > var->element)
				buf_printf(
					&text, ", %" PRIu64 " elements of %u", var->size / var->element, var->element);
			if (set->value.buffer && var->size == sizeof(uint64_t))
				buf_puts(&text, "; the address of a buffer is written (u32[64])");
			diag_error(diag, nowhere, "%s", buf_str(&text));
			buf_free(&text);
			return false;
		}
		launch_arg_fill(&set->value, found.bytes);
		if (!profile_device_point(device, &set->value, found.bytes, NULL, diag))
			return false;
	}
	return true;
}

/* --- memory at addresses ------------------------------------------------------------------------------------------ */

#define ADDRESSES_APART ((uint64_t)1 << 20) /* from what is made later */

/* As a GPU's worker has it; other buffers come after it, or before. */
static bool make_memory(const struct profile_device *device, const struct launch *launch, struct diag *diag)
{
	struct simt_room room = simt_memory_room(device->memory);
	for (int i = 0; i < launch->n_memory; i++) {
		const struct launch_memory *m = &launch->memory[i];
		const struct simt_buffer buffer = {.address = m->address, .bytes = m->bytes};
		if (!simt_memory_make(device->memory, &buffer)) {
			diag_error(diag, nowhere, "%zu bytes of memory cannot be at 0x%" PRIx64, m->bytes, m->address);
			return false;
		}
		if (m->n_data)
			memcpy(simt_memory_at(device->memory, m->address, m->bytes), m->data, m->n_data);
		if (m->address + m->bytes + ADDRESSES_APART > room.next)
			room.next = (m->address + m->bytes + 2 * ADDRESSES_APART) / ADDRESSES_APART * ADDRESSES_APART;
	}
	return simt_memory_make_room(device->memory, room);
}

struct profile_device *profile_device_open(
	struct ptx_module *module, const struct launch *launch, const struct profile_before *before, struct diag *diag)
{
	static const struct profile_before plain;
	struct profile_device *device = base_calloc(1, sizeof *device);
	before = before ? before : &plain;
	if (launch->kept) {
		device->module = module;
		if (snapshot_restore(launch->kept, module, &device->memory, &device->variables, diag))
			return device;
		free(device);
		return NULL;
	}
	device->memory = simt_memory_new(PROFILE_MEMORY_MAX);
	device->module = module;
	simt_memory_round_up(device->memory, before->granule);
	bool ok = make_memory(device, launch, diag) && profile_take_functions(module, launch, diag);
	bool keeps = before->keeps || launch->before || launch->n_sets;
	if (ok && keeps && !(device->variables = simt_variables_new(device->memory, module, SIMT_GLOBALS_APART))) {
		diag_error(diag, nowhere, "the variables of the module take more than the memory there is");
		ok = false;
	}
	if (ok && prepare(device, module, launch, before, diag))
		return device;
	profile_device_free(device);
	return NULL;
}

void profile_device_free(struct profile_device *device)
{
	if (!device)
		return;
	simt_variables_free(device->variables);
	simt_memory_free(device->memory);
	free(device->named);
	free(device);
}

static const char *describe(
	struct arena *arena, const struct occupancy *o, const struct resident_gpu *gpu, uint32_t sms, const char *name)
{
	struct buf text = {0};
	const char *doubt = occupancy_doubt(gpu->cc);
	buf_printf(&text, "%u on each of %u SMs of CC %d.%d (%s), limited by ", o->blocks, sms, gpu->cc / 10,
		gpu->cc % 10, name);
	for (int r = 0, n = 0; r < OCCUPANCY_N; r++)
		if (o->limits >> r & 1)
			buf_printf(
				&text, "%s%s", n++ ? " and " : "", occupancy_resource_name((enum occupancy_resource)r));
	if (!gpu->registers)
		buf_puts(&text, "; fewer if registers limit them, which are not known");
	if (doubt)
		buf_printf(&text, " (%s)", doubt);
	const char *out = arena_strdup(arena, buf_str(&text));
	buf_free(&text);
	return out;
}

struct simt_resident profile_resident(struct arena *arena, const struct ptx_kernel *kernel, const struct launch *launch,
	const struct resident_gpu *gpu)
{
	struct resident_gpu known = *gpu;
	known.cc = gpu->cc ? gpu->cc : MODEL_CC_DEFAULT;
	struct occupancy_block block = {.threads = (uint32_t)warp_dim_volume(launch->block),
		.registers = gpu->registers,
		.shared = ptx_shared_bytes(kernel) + launch->shared,
		.barriers = gpu->barriers};
	struct occupancy o = occupancy(known.cc, &block);
	const char *name = NULL;
	uint32_t sms = occupancy_sms(known.cc, &name);
	if (o.state != OCCUPANCY_OK || !sms)
		return (struct simt_resident){0};
	return (struct simt_resident){.blocks = sms * o.blocks, .why = describe(arena, &o, &known, sms, name)};
}
