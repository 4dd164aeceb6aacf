/* What a frame's scopes hold: registers, variables, parameters, memory, and the warp itself. */
#include <inttypes.h>
#include <string.h>

#include "front/dap/private.h"
#include "front/debug/object.h"
#include "machine/launch/launch.h"
#include "machine/ptx/program.h"
#include "machine/simt/simt.h"
#include "model/profile/device.h"

#define SHOWN_MAX 512 /* registers */
#define VALUES_SHOWN 8

/* --- registers ---------------------------------------------------------------------------------------------------- */

int dap_first_lane(const struct debug *debug)
{
	return debug->lane != DEBUG_ANY ? (int)debug->lane : debug->now.active ? __builtin_ctz(debug->now.active) : 0;
}

json_t *dap_variable(const char *name, const struct buf *value, const char *type, json_int_t reference)
{
	json_t *out = json_pack("{s:o, s:o, s:I}", "name", dap_string(name), "value", dap_string_of(value),
		"variablesReference", reference);
	if (type)
		json_object_set_new(out, "type", dap_string(type));
	return out;
}

/* One value where all lanes have it; else those of the first ones. */
static json_t *register_variable(const struct debug *debug, int reg)
{
	const struct debug_reg *r = &debug->program->regs[reg];
	const uint64_t *lanes = debug->registers[reg].lanes;
	uint32_t present = debug_lanes(debug, debug->warp);
	bool same = true;
	struct buf value = {0};
	for (int i = 0; i < WARP_SIZE; i++)
		same &= !(present >> i & 1) || lanes[i] == lanes[0];
	for (int i = 0; i < (same ? 1 : VALUES_SHOWN) && (present >> i & 1); i++) {
		buf_puts(&value, i ? ", " : "");
		debug_value(debug, reg, i, DEBUG_DIGITS_FEW, &value);
	}
	buf_puts(&value, same ? " in all lanes" : ", ...");
	json_t *out = dap_variable(r->name, &value, ptx_type_name(r->type), DAP_SCOPE_REGISTER + reg);
	json_object_set_new(out, "indexedVariables", json_integer(WARP_SIZE));
	if (r->kind == 'X' && ptx_slot_bytes(r->type) == 8) {
		buf_clear(&value);
		buf_printf(&value, "0x%" PRIx64, lanes[dap_first_lane(debug)]);
		json_object_set_new(out, "memoryReference", dap_string_of(&value));
	}
	buf_free(&value);
	return out;
}

/* --- parameters and memory ---------------------------------------------------------------------------------------- */

/* Shared memory of the block, or local memory of the lane that is looked at; NULL: there is none. */
static const uint8_t *memory_of(const struct debug *debug, bool local, size_t *bytes)
{
	*bytes = SIZE_MAX;
	return local ? debug_local(debug, (uint32_t)dap_first_lane(debug), 0, bytes)
		     : debug_memory(debug, SPACE_SHARED, 0, bytes);
}

static void add_lanes(json_t *out, const char *name, uint32_t lanes)
{
	struct buf value = {0};
	simt_write_lanes(lanes, &value);
	if (!value.len)
		buf_puts(&value, "none");
	json_array_append_new(out, dap_variable(name, &value, NULL, 0));
	buf_free(&value);
}

static json_t *scope(const char *name, int reference, bool expensive)
{
	return json_pack("{s:s, s:i, s:b}", "name", name, "variablesReference", reference, "expensive", expensive);
}

static void add_memory_scope(json_t *out, const struct debug *debug, bool local)
{
	struct buf name = {0};
	size_t bytes;
	if (!memory_of(debug, local, &bytes))
		return;
	if (local)
		buf_printf(&name, "Local memory of lane %d", dap_first_lane(debug));
	else
		buf_puts(&name, "Shared memory");
	json_t *words = scope(buf_str(&name), local ? DAP_SCOPE_LOCAL : DAP_SCOPE_SHARED, true);
	json_object_set_new(words, "indexedVariables", json_integer((json_int_t)(bytes / 4)));
	json_array_append_new(out, words);
	buf_free(&name);
}

void dap_scopes(struct dap *dap, const json_t *request)
{
	const struct debug *debug = dap->with.debug;
	if (!dap_follow(dap, dap_number(dap_arguments(request), "frameId", 0) / DAP_FRAMES_MAX)) {
		dap_refuse(dap, request, "there is no such frame");
		return;
	}
	json_t *out = json_array();
	json_t *used = scope("Registers, those in use first", DAP_SCOPE_USED, false);
	json_object_set_new(used, "presentationHint", json_string("registers"));
	if (debug->program->dwarf)
		json_array_append_new(out, scope("Variables", DAP_SCOPE_VARIABLES, false));
	json_array_append_new(out, used);
	json_array_append_new(out, scope("Parameters", DAP_SCOPE_PARAMETERS, false));
	json_array_append_new(out, scope("Warp", DAP_SCOPE_WARP, false));
	add_memory_scope(out, debug, false);
	add_memory_scope(out, debug, true);
	json_array_append_new(out, scope("All registers", DAP_SCOPE_ALL, true));
	dap_answer(dap, request, json_pack("{s:o}", "scopes", out));
}

void dap_variables(struct dap *dap, const json_t *request)
{
	const struct debug *debug = dap->with.debug;
	const json_t *arguments = dap_arguments(request);
	json_int_t reference = dap_number(arguments, "variablesReference", 0);
	json_int_t start = dap_number(arguments, "start", 0), count = dap_number(arguments, "count", 0);
	json_t *out = NULL;
	if (reference == DAP_SCOPE_SHARED || reference == DAP_SCOPE_LOCAL) {
		/* The words, from `first` on. */
		bool local = reference == DAP_SCOPE_LOCAL;
		out = json_array();
		size_t bytes;
		const uint8_t *at = memory_of(debug, local, &bytes);
		json_int_t n = at ? (json_int_t)(bytes / 4) : 0;
		json_int_t first = start < 0 || start > n ? n : start;
		count = count <= 0 || count > n - first ? n - first : count;
		for (json_int_t i = first; i < first + count && i < first + DAP_LISTED_MAX; i++) {
			struct buf value = {0}, name = {0};
			launch_format(LAUNCH_S32, at, (size_t)i, &value);
			buf_puts(&value, "  ");
			launch_format(LAUNCH_F32, at, (size_t)i, &value);
			buf_printf(&name, "[%" JSON_INTEGER_FORMAT "]", 4 * i);
			if (!local)
				buf_printf(&name, " bank %d", (int)(i % 32));
			json_array_append_new(out, dap_variable(buf_str(&name), &value, NULL, 0));
			buf_free(&value);
			buf_free(&name);
		}
	} else if (reference == DAP_SCOPE_VARIABLES) {
		out = dap_part_of(dap_objects(dap), start, count);
	} else if (reference >= DAP_SCOPE_OBJECT) {
		out = dap_object_parts(dap, reference, start, count);
	} else if (reference == DAP_SCOPE_USED) {
		struct debug_shown shown[SHOWN_MAX];
		json_t *used = json_array();
		int n = debug_shown(debug, shown, SHOWN_MAX);
		for (int i = 0; i < n; i++)
			json_array_append_new(used, register_variable(debug, shown[i].reg));
		out = dap_part_of(used, start, count);
	} else if (reference == DAP_SCOPE_ALL) {
		json_t *all = json_array();
		int part = debug->now.instr >= 0 ? debug->program->instrs[debug->now.instr].part : 0;
		for (int r = 0; r < debug->program->n_regs && json_array_size(all) < DAP_LISTED_MAX; r++)
			if (debug->program->regs[r].part == part && debug->now.n_paths)
				json_array_append_new(all, register_variable(debug, r));
		out = dap_part_of(all, start, count);
	} else if (reference == DAP_SCOPE_PARAMETERS) {
		const struct ptx_kernel *kernel = debug->program->kernel;
		const uint8_t *bytes = debug_params(debug);
		json_t *parameters = json_array();
		for (int i = 0; i < ptx_param_count(kernel) && i < DAP_LISTED_MAX; i++) {
			struct ptx_param p = ptx_kernel_param(kernel, i);
			struct buf value = {0}, type = {0}, name = {0};

			const uint8_t *at = bytes + p.offset;
			enum launch_type floats = p.size == 2 ? LAUNCH_F16 : p.size == 4 ? LAUNCH_F32 : LAUNCH_F64;
			uint64_t bits = 0;
			memcpy(&bits, at, p.size < 8 ? p.size : 8);
			if (p.kind == 'F' && (p.size == 2 || p.size == 4 || p.size == 8))
				launch_format(floats, at, 0, &value);
			else if (p.size == 4)
				buf_printf(&value, "%" PRId32, (int32_t)bits);
			else if (p.size <= 8)
				buf_printf(&value, "0x%" PRIx64, bits);
			for (uint32_t j = 0; p.size > 8 && j < p.size && j < 64; j++)
				buf_printf(&value, j % 4 || !j ? "%02x" : " %02x", at[j]);

			profile_param_type(kernel, i, &type);
			buf_printf(&name, "param_%d", i);
			json_t *one = dap_variable(buf_str(&name), &value, buf_str(&type), 0);
			if (p.size == 8 && strchr(buf_str(&type), '*'))
				json_object_set_new(one, "memoryReference", dap_string_of(&value));
			json_array_append_new(parameters, one);
			buf_free(&value);
			buf_free(&type);
			buf_free(&name);
		}

		out = dap_part_of(parameters, start, count);
	} else if (reference == DAP_SCOPE_WARP) {
		json_t *now = json_array();
		struct buf value = {0};
		buf_printf(&value, "%" PRIu64, debug->step);
		json_array_append_new(now, dap_variable("step", &value, NULL, 0));
		buf_free(&value);
		add_lanes(now, "active", debug->now.active);
		add_lanes(now, "executing", debug->now.executing);
		for (int i = 0; i < debug->now.n_paths && i < SIMT_PATHS_MAX; i++) {
			const struct simt_path *p = &debug->now.paths[i];
			struct buf name = {0};
			value = (struct buf){0};
			debug_write_place(debug, p->instr, &value);
			buf_puts(&value, ": ");
			simt_write_lanes(p->lanes, &value);
			buf_printf(&name, "path %d", i);
			json_array_append_new(now, dap_variable(buf_str(&name), &value, NULL, 0));
			buf_free(&name);
			buf_free(&value);
		}
		out = dap_part_of(now, start, count);
	} else if (reference >= DAP_SCOPE_REGISTER && reference - DAP_SCOPE_REGISTER < debug->program->n_regs) {
		json_t *lanes = json_array();
		int reg = (int)(reference - DAP_SCOPE_REGISTER);
		uint32_t present = debug_lanes(debug, debug->warp);
		for (int lane = 0; lane < WARP_SIZE; lane++) {
			struct buf value = {0}, name = {0};
			buf_printf(&name, "lane %d%s", lane, debug->now.active >> lane & 1 ? "" : ", not active");
			if (present >> lane & 1)
				debug_value(debug, reg, lane, DEBUG_DIGITS_ALL, &value);
			else
				buf_puts(&value, "there is no such thread");
			json_array_append_new(lanes, dap_variable(buf_str(&name), &value, NULL, 0));
			buf_free(&value);
			buf_free(&name);
		}
		out = dap_part_of(lanes, start, count);
	}
	if (out)
		dap_answer(dap, request, json_pack("{s:o}", "variables", out));
	else
		dap_refuse(dap, request, "there is no such variable");
}
