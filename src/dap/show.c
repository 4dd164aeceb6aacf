/* What is to be seen of a kernel that stands: warps, places, registers, memory, PTX. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dap/private.h"
#include "launch/launch.h"
#include "profile/example.h"
#include "ptx/tables.h"
#include "simt/simt.h"
#include "wire/base64.h"

#define CODE ((uint64_t)0x7B00000000000000) /* addresses of instructions begin here: no buffer can be there */
#define FRAMES_MAX 16
#define LISTED_MAX 1000 /* variables of one answer, and instructions */
#define BYTES_MAX ((json_int_t)256 << 10)
#define SHOWN_MAX 512 /* registers */
#define VALUES_SHOWN 8

/* References of variables. */
enum { SCOPE_USED = 1, SCOPE_ALL, SCOPE_PARAMETERS, SCOPE_SHARED, SCOPE_WARP, SCOPE_REGISTER, SCOPE_LOCAL = 1 << 28 };

/* --- warps ------------------------------------------------------------------------------------------------------------ */

json_int_t dap_thread(const struct debug *debug)
{
	return (json_int_t)debug->block * BLOCK_WARPS_MAX + debug->warp + 1;
}

static bool is_thread(const struct debug *debug, json_int_t thread, uint32_t *block, uint32_t *warp)
{
	if (thread < 1 || (uint64_t)(thread - 1) / BLOCK_WARPS_MAX >= debug->extent.blocks)
		return false;
	*block = (uint32_t)((thread - 1) / BLOCK_WARPS_MAX);
	*warp = (uint32_t)((thread - 1) % BLOCK_WARPS_MAX);
	return *warp < debug->extent.warps;
}

bool dap_follow(struct dap *dap, json_int_t thread)
{
	struct debug *debug = dap->with.debug;
	uint32_t block, warp;
	if (!is_thread(debug, thread, &block, &warp))
		return false;
	if (block != debug->block || warp != debug->warp) {
		debug_follow(debug, block, warp);
		debug_look(debug);
	}
	return true;
}

void dap_threads(struct dap *dap, const json_t *request)
{
	static const char *const states[] = {[DEBUG_WARP_AWAITED] = ", not begun",
		[DEBUG_WARP_RUNS] = "",
		[DEBUG_WARP_AT_BARRIER] = ", at a barrier",
		[DEBUG_WARP_AT_SYNC] = ", waits for lanes",
		[DEBUG_WARP_ENDED] = ", ended"};
	const struct debug *debug = dap->with.debug;
	json_t *out = json_array();
	for (uint32_t warp = 0; warp < debug->extent.warps; warp++) {
		struct debug_warp now;
		struct buf name = {0};
		debug_warp_now(debug, warp, &now);
		buf_printf(&name, "block %u warp %u%s", debug->block, warp, states[now.state]);
		json_array_append_new(out,
			json_pack("{s:I, s:o}", "id", (json_int_t)debug->block * BLOCK_WARPS_MAX + warp + 1, "name",
				dap_string_of(&name)));
		buf_free(&name);
	}
	dap_answer(dap, request, json_pack("{s:o}", "threads", out));
}

/* --- places ----------------------------------------------------------------------------------------------------------- */

static const char *file_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	return slash ? slash + 1 : path ? path : "";
}

static json_t *ptx_source(const struct dap *dap)
{
	struct buf name = {0};
	buf_printf(&name, "%s.ptx", dap->with.name);
	json_t *out = json_pack("{s:o, s:i}", "name", dap_string_of(&name), "sourceReference", DAP_PTX);
	buf_free(&name);
	return out;
}

/* A file that PTX names. Of the main one we may have the text; others are the client's to find. */
static json_t *source_of(const struct dap *dap, const char *file)
{
	const struct debug_program *program = dap->with.debug->program;
	bool is_main = file && program->file && strcmp(file, program->file) == 0;
	json_t *out = json_pack("{s:o}", "name", dap_string(file_name(file)));
	if (is_main && dap->with.path)
		json_object_set_new(out, "path", dap_string(dap->with.path));
	else if (is_main && program->source.n_lines)
		json_object_set_new(out, "sourceReference", json_integer(DAP_SOURCE));
	else if (file)
		json_object_set_new(out, "path", dap_string(file));
	return out;
}

static json_t *frame(const struct dap *dap, json_int_t id, const char *name, json_t *source, int line, int instr)
{
	struct buf address = {0};
	buf_printf(&address, "0x%" PRIx64, CODE + (uint64_t)instr);
	json_t *out = json_pack("{s:I, s:o, s:o, s:i, s:i, s:o}", "id", id, "name", dap_string(name), "source", source,
		"line", line - dap->from_0, "column", dap->columns_from_0 ? 0 : 1, "instructionPointerReference",
		dap_string_of(&address));
	buf_free(&address);
	return out;
}

/* The innermost first: code inlined from elsewhere, and last what the kernel or the function has written itself. */
static json_t *frames_of(const struct dap *dap, json_int_t thread, int instr)
{
	const struct debug_program *program = dap->with.debug->program;
	struct ptx_place place = ptx_instr_place(program->kernel, instr);
	const char *name = program->parts[program->instrs[instr].part].name;
	json_int_t id = thread * FRAMES_MAX;
	json_t *out = json_array();
	int line = program->instrs[instr].line;
	for (const struct ptx_frame *f = place.inlined; f && f->caller && json_array_size(out) + 1 < FRAMES_MAX;
		f = f->caller) {
		struct buf text = {0};
		buf_printf(&text, "%s:%d, inlined", file_name(f->file), f->line);
		json_array_append_new(out, frame(dap, id++, buf_str(&text), source_of(dap, f->file), f->line, instr));
		buf_free(&text);
	}
	json_array_append_new(out,
		program->file && line
			? frame(dap, id, name, source_of(dap, program->file), line, instr)
			: frame(dap, id, name, ptx_source(dap), program->instrs[instr].code->line, instr));
	return out;
}

static json_t *part_of(json_t *all, json_int_t first, json_int_t count)
{
	json_int_t n = (json_int_t)json_array_size(all);
	json_t *out = json_array();
	first = first < 0 || first > n ? n : first;
	count = count <= 0 || count > n - first ? n - first : count;
	for (json_int_t i = 0; i < count; i++)
		json_array_append(out, json_array_get(all, (size_t)(first + i)));
	json_decref(all);
	return out;
}

void dap_stack(struct dap *dap, const json_t *request)
{
	const json_t *arguments = dap_arguments(request);
	json_int_t thread = dap_number(arguments, "threadId", 0);
	if (!dap_follow(dap, thread)) {
		dap_refuse(dap, request, "there is no such warp");
		return;
	}
	const struct debug_warp *now = &dap->with.debug->now;
	json_t *frames = now->instr >= 0 && now->n_paths ? frames_of(dap, thread, now->instr) : json_array();
	json_int_t total = (json_int_t)json_array_size(frames);
	frames = part_of(frames, dap_number(arguments, "startFrame", 0), dap_number(arguments, "levels", 0));
	dap_answer(dap, request, json_pack("{s:o, s:I}", "stackFrames", frames, "totalFrames", total));
}

void dap_source(struct dap *dap, const json_t *request)
{
	const json_t *arguments = dap_arguments(request), *source = json_object_get(arguments, "source");
	json_int_t reference = dap_number(source, "sourceReference", dap_number(arguments, "sourceReference", 0));
	const struct debug *debug = dap->with.debug;
	const struct source *text = reference == DAP_SOURCE ? &debug->program->source : debug_ptx(debug);
	struct buf all = {0};
	if (reference != DAP_SOURCE && reference != DAP_PTX) {
		dap_refuse(dap, request, "there is no such source");
		return;
	}
	buf_append(&all, text->text, text->len);
	dap_answer(dap, request, json_pack("{s:o}", "content", dap_string_of(&all)));
	buf_free(&all);
}

/* --- registers -------------------------------------------------------------------------------------------------------- */

static int first_lane(const struct debug *debug)
{
	return debug->lane != DEBUG_ANY ? (int)debug->lane : debug->now.active ? __builtin_ctz(debug->now.active) : 0;
}

static json_t *variable(const char *name, const struct buf *value, const char *type, json_int_t reference)
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
	json_t *out = variable(r->name, &value, ptx_type_name(r->type), SCOPE_REGISTER + reg);
	json_object_set_new(out, "indexedVariables", json_integer(WARP_SIZE));
	if (r->kind == 'X' && ptx_slot_bytes(r->type) == 8) {
		buf_clear(&value);
		buf_printf(&value, "0x%" PRIx64, lanes[first_lane(debug)]);
		json_object_set_new(out, "memoryReference", dap_string_of(&value));
	}
	buf_free(&value);
	return out;
}

static json_t *registers_used(const struct debug *debug)
{
	struct debug_shown shown[SHOWN_MAX];
	json_t *out = json_array();
	int n = debug_shown(debug, shown, SHOWN_MAX);
	for (int i = 0; i < n; i++)
		json_array_append_new(out, register_variable(debug, shown[i].reg));
	return out;
}

static json_t *registers_all(const struct debug *debug)
{
	json_t *out = json_array();
	int part = debug->now.instr >= 0 ? debug->program->instrs[debug->now.instr].part : 0;
	for (int r = 0; r < debug->program->n_regs && json_array_size(out) < LISTED_MAX; r++)
		if (debug->program->regs[r].part == part && debug->now.n_paths)
			json_array_append_new(out, register_variable(debug, r));
	return out;
}

static json_t *lanes_of(const struct debug *debug, int reg)
{
	json_t *out = json_array();
	uint32_t present = debug_lanes(debug, debug->warp);
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		struct buf value = {0}, name = {0};
		buf_printf(&name, "lane %d%s", lane, debug->now.active >> lane & 1 ? "" : ", not active");
		if (present >> lane & 1)
			debug_value(debug, reg, lane, DEBUG_DIGITS_ALL, &value);
		else
			buf_puts(&value, "there is no such thread");
		json_array_append_new(out, variable(buf_str(&name), &value, NULL, 0));
		buf_free(&value);
		buf_free(&name);
	}
	return out;
}

/* --- parameters and memory -------------------------------------------------------------------------------------------- */

static void put_parameter(const struct ptx_param *p, const uint8_t *bytes, struct buf *out)
{
	uint64_t bits = 0;
	memcpy(&bits, bytes, p->size < 8 ? p->size : 8);
	if (p->kind == 'F' && (p->size == 2 || p->size == 4 || p->size == 8))
		launch_format(p->size == 2 ? LAUNCH_F16 : p->size == 4 ? LAUNCH_F32 : LAUNCH_F64, bytes, 0, out);
	else if (p->size == 4)
		buf_printf(out, "%" PRId32, (int32_t)bits);
	else if (p->size <= 8)
		buf_printf(out, "0x%" PRIx64, bits);
	for (uint32_t i = 0; p->size > 8 && i < p->size && i < 64; i++)
		buf_printf(out, i % 4 || !i ? "%02x" : " %02x", bytes[i]);
}

static json_t *parameters(const struct debug *debug)
{
	const struct ptx_kernel *kernel = debug->program->kernel;
	const uint8_t *bytes = debug_params(debug);
	json_t *out = json_array();
	for (int i = 0; i < ptx_param_count(kernel) && i < LISTED_MAX; i++) {
		struct ptx_param p = ptx_kernel_param(kernel, i);
		struct buf value = {0}, type = {0}, name = {0};
		put_parameter(&p, bytes + p.offset, &value);
		profile_param_type(kernel, i, &type);
		buf_printf(&name, "param_%d", i);
		json_t *one = variable(buf_str(&name), &value, buf_str(&type), 0);
		if (p.size == 8 && strchr(buf_str(&type), '*'))
			json_object_set_new(one, "memoryReference", dap_string_of(&value));
		json_array_append_new(out, one);
		buf_free(&value);
		buf_free(&type);
		buf_free(&name);
	}
	return out;
}

/* Shared memory of the block, or local memory of the lane that is looked at; NULL: there is none. */
static const uint8_t *memory_of(const struct debug *debug, bool local, size_t *bytes)
{
	*bytes = SIZE_MAX;
	return local ? debug_local(debug, (uint32_t)first_lane(debug), 0, bytes)
		     : debug_memory(debug, SPACE_SHARED, 0, bytes);
}

/* Its words, from `first` on. */
static json_t *words_of(const struct debug *debug, bool local, json_int_t first, json_int_t count)
{
	json_t *out = json_array();
	size_t bytes;
	const uint8_t *at = memory_of(debug, local, &bytes);
	json_int_t n = at ? (json_int_t)(bytes / 4) : 0;
	first = first < 0 || first > n ? n : first;
	count = count <= 0 || count > n - first ? n - first : count;
	for (json_int_t i = first; i < first + count && i < first + LISTED_MAX; i++) {
		struct buf value = {0}, name = {0};
		launch_format(LAUNCH_S32, at, (size_t)i, &value);
		buf_puts(&value, "  ");
		launch_format(LAUNCH_F32, at, (size_t)i, &value);
		buf_printf(&name, "[%" JSON_INTEGER_FORMAT "]", 4 * i);
		if (!local)
			buf_printf(&name, " bank %d", (int)(i % 32));
		json_array_append_new(out, variable(buf_str(&name), &value, NULL, 0));
		buf_free(&value);
		buf_free(&name);
	}
	return out;
}

static void add_lanes(json_t *out, const char *name, uint32_t lanes)
{
	struct buf value = {0};
	simt_write_lanes(lanes, &value);
	if (!value.len)
		buf_puts(&value, "none");
	json_array_append_new(out, variable(name, &value, NULL, 0));
	buf_free(&value);
}

static json_t *warp_now(const struct debug *debug)
{
	json_t *out = json_array();
	struct buf value = {0};
	buf_printf(&value, "%" PRIu64, debug->step);
	json_array_append_new(out, variable("step", &value, NULL, 0));
	buf_free(&value);
	add_lanes(out, "active", debug->now.active);
	add_lanes(out, "executing", debug->now.executing);
	for (int i = 0; i < debug->now.n_paths && i < SIMT_PATHS_MAX; i++) {
		const struct simt_path *p = &debug->now.paths[i];
		struct buf name = {0};
		value = (struct buf){0};
		debug_write_place(debug, p->instr, &value);
		buf_puts(&value, ": ");
		simt_write_lanes(p->lanes, &value);
		buf_printf(&name, "path %d", i);
		json_array_append_new(out, variable(buf_str(&name), &value, NULL, 0));
		buf_free(&name);
		buf_free(&value);
	}
	return out;
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
		buf_printf(&name, "Local memory of lane %d", first_lane(debug));
	else
		buf_puts(&name, "Shared memory");
	json_t *words = scope(buf_str(&name), local ? SCOPE_LOCAL : SCOPE_SHARED, true);
	json_object_set_new(words, "indexedVariables", json_integer((json_int_t)(bytes / 4)));
	json_array_append_new(out, words);
	buf_free(&name);
}

void dap_scopes(struct dap *dap, const json_t *request)
{
	const struct debug *debug = dap->with.debug;
	if (!dap_follow(dap, dap_number(dap_arguments(request), "frameId", 0) / FRAMES_MAX)) {
		dap_refuse(dap, request, "there is no such frame");
		return;
	}
	json_t *out = json_array();
	json_t *used = scope("Registers, those in use first", SCOPE_USED, false);
	json_object_set_new(used, "presentationHint", json_string("registers"));
	json_array_append_new(out, used);
	json_array_append_new(out, scope("Parameters", SCOPE_PARAMETERS, false));
	json_array_append_new(out, scope("Warp", SCOPE_WARP, false));
	add_memory_scope(out, debug, false);
	add_memory_scope(out, debug, true);
	json_array_append_new(out, scope("All registers", SCOPE_ALL, true));
	dap_answer(dap, request, json_pack("{s:o}", "scopes", out));
}

void dap_variables(struct dap *dap, const json_t *request)
{
	const struct debug *debug = dap->with.debug;
	const json_t *arguments = dap_arguments(request);
	json_int_t reference = dap_number(arguments, "variablesReference", 0);
	json_int_t start = dap_number(arguments, "start", 0), count = dap_number(arguments, "count", 0);
	json_t *out = NULL;
	if (reference == SCOPE_SHARED || reference == SCOPE_LOCAL)
		out = words_of(debug, reference == SCOPE_LOCAL, start, count);
	else if (reference == SCOPE_USED)
		out = part_of(registers_used(debug), start, count);
	else if (reference == SCOPE_ALL)
		out = part_of(registers_all(debug), start, count);
	else if (reference == SCOPE_PARAMETERS)
		out = part_of(parameters(debug), start, count);
	else if (reference == SCOPE_WARP)
		out = part_of(warp_now(debug), start, count);
	else if (reference >= SCOPE_REGISTER && reference - SCOPE_REGISTER < debug->program->n_regs)
		out = part_of(lanes_of(debug, (int)(reference - SCOPE_REGISTER)), start, count);
	if (out)
		dap_answer(dap, request, json_pack("{s:o}", "variables", out));
	else
		dap_refuse(dap, request, "there is no such variable");
}

/* How memory is named that is not global. */
static const struct {
	const char *prefix;
	enum mem_space space;
} other_spaces[] = {{"shared:", SPACE_SHARED}, {"local:", SPACE_LOCAL}};

/* "0x7f0000000000": of global memory; "shared:0x40": of the followed block's; "local:0x40": of the lane that is looked at. */
static bool read_reference(const char *text, enum mem_space *space, uint64_t *address)
{
	char *end;
	const char *digits = text ? text : "";
	*space = SPACE_GLOBAL;
	for (size_t i = 0; i < sizeof other_spaces / sizeof *other_spaces; i++) {
		size_t len = strlen(other_spaces[i].prefix);
		if (strncmp(digits, other_spaces[i].prefix, len) != 0)
			continue;
		*space = other_spaces[i].space;
		digits += len;
		break;
	}
	errno = 0;
	*address = strtoull(digits, &end, 0);
	return *digits >= '0' && *digits <= '9' && !*end && !errno;
}

void dap_memory(struct dap *dap, const json_t *request)
{
	const json_t *arguments = dap_arguments(request);
	json_int_t count = dap_number(arguments, "count", 0), offset = dap_number(arguments, "offset", 0);
	enum mem_space space;
	uint64_t address;
	if (!read_reference(dap_word(arguments, "memoryReference"), &space, &address) || count < 0) {
		dap_refuse(dap, request, "an address is 0x7f0000000000, shared:0x40 or local:0x40");
		return;
	}
	address += (uint64_t)offset;
	size_t bytes = (size_t)(count < BYTES_MAX ? count : BYTES_MAX), wanted = bytes;
	const struct debug *debug = dap->with.debug;
	const void *at = space == SPACE_LOCAL ? debug_local(debug, (uint32_t)first_lane(debug), address, &bytes)
					      : debug_memory(debug, space, address, &bytes);
	struct buf text = {0}, name = {0};
	for (size_t i = 0; i < sizeof other_spaces / sizeof *other_spaces; i++)
		if (other_spaces[i].space == space)
			buf_puts(&name, other_spaces[i].prefix);
	buf_printf(&name, "0x%" PRIx64, address);
	json_t *body = json_pack("{s:o}", "address", dap_string_of(&name));
	if (at && bytes) {
		wire_base64_encode(at, bytes, &text);
		json_object_set_new(body, "data", dap_string_of(&text));
	}
	if (!at || bytes < wanted)
		json_object_set_new(body, "unreadableBytes", json_integer((json_int_t)(wanted - (at ? bytes : 0))));
	dap_answer(dap, request, body);
	buf_free(&text);
	buf_free(&name);
}

/* --- PTX -------------------------------------------------------------------------------------------------------------- */

int dap_instruction(const struct dap *dap, const char *address, json_int_t offset)
{
	char *end = NULL;
	errno = 0;
	uint64_t at = address ? strtoull(address, &end, 0) : 0, n = (uint64_t)dap->with.debug->program->n_instrs;
	if (!address || *end || errno || offset > INT32_MAX || offset < -INT32_MAX)
		return -1;
	uint64_t index = at - CODE + (uint64_t)offset;
	return index < n ? (int)index : -1;
}

static json_t *instruction(const struct dap *dap, uint64_t address)
{
	const struct debug_program *program = dap->with.debug->program;
	uint64_t index = address - CODE;
	struct buf text = {0};
	buf_printf(&text, "0x%" PRIx64, address);
	json_t *out = json_pack("{s:o}", "address", dap_string_of(&text));
	buf_free(&text);
	if (index >= (uint64_t)program->n_instrs) {
		json_object_set_new(out, "instruction", json_string(""));
		json_object_set_new(out, "presentationHint", json_string("invalid"));
		return out;
	}
	json_object_set_new(out, "instruction", dap_string(debug_instr_text(program, (int)index)));
	int line = program->instrs[index].line;
	if (program->file && line) {
		json_object_set_new(out, "location", source_of(dap, program->file));
		json_object_set_new(out, "line", json_integer(line - dap->from_0));
	}
	return out;
}

void dap_disassemble(struct dap *dap, const json_t *request)
{
	const json_t *arguments = dap_arguments(request);
	const char *reference = dap_word(arguments, "memoryReference");
	json_int_t first = dap_number(arguments, "instructionOffset", 0) + dap_number(arguments, "offset", 0);
	json_int_t count = dap_number(arguments, "instructionCount", 0);
	json_t *out = json_array();
	char *end = NULL;
	uint64_t at = reference ? strtoull(reference, &end, 0) : 0;
	if (!reference || *end || count < 0 || count > LISTED_MAX || first > INT32_MAX || first < -INT32_MAX) {
		json_decref(out);
		dap_refuse(dap, request, "so many instructions are not there");
		return;
	}
	for (json_int_t i = 0; i < count; i++)
		json_array_append_new(out, instruction(dap, at + (uint64_t)(first + i)));
	dap_answer(dap, request, json_pack("{s:o}", "instructions", out));
}

/* --- what is wrong ---------------------------------------------------------------------------------------------------- */

void dap_exception(struct dap *dap, const json_t *request)
{
	const struct debug *debug = dap->with.debug;
	if (!debug->ended || debug->result.outcome == SIMT_OK) {
		dap_refuse(dap, request, "nothing is wrong");
		return;
	}
	bool defect = debug->result.outcome == SIMT_DEFECT;
	const char *id = defect ? simt_defect_name(debug->result.defect) : "limit";
	dap_answer(dap, request,
		json_pack("{s:s, s:o, s:s, s:{s:o, s:s}}", "exceptionId", id, "description",
			dap_string(debug->said.notice), "breakMode", "always", "details", "message",
			dap_string(debug->result.message), "typeName", id));
}
