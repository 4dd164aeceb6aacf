#include "model/profile/profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "machine/ptx/program.h"
#include "model/profile/device.h"

/* The name of the buffer that the argument is the address of; NULL: it is something else. */
static const char *names(const struct launch_arg *arg)
{
	bool whole = arg->n_pointers == 1 && !arg->is_struct && !arg->buffer;
	return whole && arg->pointers->to == LAUNCH_TO_NAMED ? arg->pointers->name : NULL;
}

/* The argument of a launch before that made the buffer. NULL: none did. */
static const struct launch_arg *find_named(const struct launch *launch, const char *name)
{
	for (const struct launch *l = launch->before; l; l = l->before)
		for (int i = 0; i < l->n_args; i++)
			if (l->args[i].name && !strcmp(l->args[i].name, name))
				return &l->args[i];
	return NULL;
}

bool profile_can_be_alone(const struct ptx_module *module, const struct launch *launch)
{
	size_t bytes = 0;
	bool has_written = false; /* `const` ones are not written by kernels */
	for (int i = 0; i < module->n_vars; i++)
		has_written |= module->vars[i]->space == SPACE_GLOBAL;
	if (launch->n_sets || launch->kept || (launch->before && has_written))
		return false;
	for (int i = 0; i < launch->n_args; i++) {
		const struct launch_arg *arg = &launch->args[i];
		const struct launch_arg *made = names(arg) ? find_named(launch, names(arg)) : NULL;
		if (!arg->n_pointers)
			continue;
		if (!made || made->n_pointers)
			return false;
		for (int k = 0; k < i; k++)
			if (names(&launch->args[k]) && !strcmp(names(&launch->args[k]), names(arg)))
				return false;
		bytes += launch_arg_bytes(made);
	}
	return bytes <= PROFILE_ALONE_MAX;
}

/* As bits, so that each NaN stays what it is: "b32[]:1,2,3", "b32[3]:=7". */
static const char *spell(struct arena *arena, const struct launch_arg *made, const unsigned char *bytes)
{
	struct buf text = {0};
	size_t size = launch_type_size(made->type), n = made->count;
	bool same = n > 1;
	for (size_t i = 1; i < n && same; i++)
		same = memcmp(bytes, bytes + i * size, size) == 0;
	buf_printf(&text, "b%zu[", 8 * size);
	if (same)
		buf_printf(&text, "%zu", n);
	buf_puts(&text, same ? "]:=" : "]:");
	for (size_t i = 0; i < (same ? 1 : n); i++) {
		uint64_t bits = 0;
		memcpy(&bits, bytes + size * i, size);
		buf_printf(&text, "%s%" PRIu64, i ? "," : "", bits);
	}
	const char *copy = arena_strdup(arena, buf_str(&text));
	buf_free(&text);
	return copy;
}

const struct launch *profile_launch_alone(
	struct arena *arena, struct ptx_module *module, const struct launch *launch, struct diag *diag)
{
	const struct profile_before how = {.steps = PROFILE_STEPS_PATIENT};
	if (!profile_can_be_alone(module, launch)) {
		diag_error(diag, (struct diag_pos){0}, "a GPU is not given this launch");
		return NULL;
	}
	if (!launch->before)
		return launch;
	struct profile_device *device = profile_device_open(module, launch, &how, diag);
	if (!device)
		return NULL;
	struct launch *alone = arena_alloc(arena, sizeof *alone);
	*alone = *launch;
	alone->before = NULL;
	alone->args = arena_array(arena, struct launch_arg, (size_t)launch->n_args + 1);
	for (int i = 0; i < launch->n_args; i++)
		alone->args[i] = launch->args[i];
	bool ok = true;
	for (int i = 0; i < launch->n_args && ok; i++)
		if (names(&launch->args[i])) {
			/* The buffer as an argument that fills one like it. */
			const char *name = names(&launch->args[i]);
			struct launch_arg *out = &alone->args[i];
			const struct profile_buffer *found = NULL;
			for (int j = 0; j < device->n_named && !found; j++)
				if (!strcmp(device->named[j].what->name, name))
					found = &device->named[j];
			size_t size = found ? launch_arg_bytes(found->what) : 0;
			const unsigned char *bytes = found ? simt_memory_at(device->memory, found->address, size)
							   : NULL;
			if (!size) {
				ok = found && launch_arg_parse(arena, NULL, found->what->text, out, diag);
			} else if (!bytes) {
				diag_error(diag, (struct diag_pos){0}, "no launch before has made a buffer %s", name);
				ok = false;
			} else {
				void *begun = base_malloc(size);
				launch_arg_fill(found->what, begun);
				bool unchanged = memcmp(begun, bytes, size) == 0;
				free(begun);
				const char *text = unchanged ? found->what->text : spell(arena, found->what, bytes);
				ok = launch_arg_parse(arena, NULL, text, out, diag);
				out->type = found->what->type; /* for whoever compares what comes back */
			}
		}
	profile_device_free(device);
	return ok ? alone : NULL;
}
