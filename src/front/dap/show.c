/* What is to be seen of a kernel that stands: warps, places, memory, PTX. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "front/dap/private.h"
#include "gpu/wire/wire.h"
#include "machine/simt/simt.h"

#define CODE ((uint64_t)0x7B00000000000000) /* addresses of instructions begin here: no buffer can be there */
#define BYTES_MAX ((json_int_t)256 << 10)

/* --- warps -------------------------------------------------------------------------------------------------------- */

json_int_t dap_thread(const struct debug *debug)
{
	return (json_int_t)debug->block * BLOCK_WARPS_MAX + debug->warp + 1;
}

bool dap_follow(struct dap *dap, json_int_t thread)
{
	struct debug *debug = dap->with.debug;
	uint32_t block, warp;

	if (thread < 1 || (uint64_t)(thread - 1) / BLOCK_WARPS_MAX >= debug->extent.blocks)
		return false;
	block = (uint32_t)((thread - 1) / BLOCK_WARPS_MAX);
	warp = (uint32_t)((thread - 1) % BLOCK_WARPS_MAX);
	if (warp >= debug->extent.warps)
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

/* --- places ------------------------------------------------------------------------------------------------------- */

static const char *file_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	return slash ? slash + 1 : path ? path : "";
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
	struct ptx_location place = ptx_instr_location(program->kernel, instr);
	const char *name = program->parts[program->instrs[instr].part].name;
	json_int_t id = thread * DAP_FRAMES_MAX;
	json_t *out = json_array();
	int line = program->instrs[instr].line;
	for (const struct ptx_frame *f = place.inlined; f && f->caller && json_array_size(out) + 1 < DAP_FRAMES_MAX;
		f = f->caller) {
		struct buf text = {0};
		buf_printf(&text, "%s:%d, inlined", file_name(f->file), f->line);
		json_array_append_new(out, frame(dap, id++, buf_str(&text), source_of(dap, f->file), f->line, instr));
		buf_free(&text);
	}
	if (program->file && line) {
		json_array_append_new(out, frame(dap, id, name, source_of(dap, program->file), line, instr));
	} else {
		struct buf ptx = {0};
		buf_printf(&ptx, "%s.ptx", dap->with.name);
		json_t *source = json_pack("{s:o, s:i}", "name", dap_string_of(&ptx), "sourceReference", DAP_PTX);
		json_array_append_new(out, frame(dap, id, name, source, program->instrs[instr].code->line, instr));
		buf_free(&ptx);
	}
	return out;
}

json_t *dap_part_of(json_t *all, json_int_t first, json_int_t count)
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
	frames = dap_part_of(frames, dap_number(arguments, "startFrame", 0), dap_number(arguments, "levels", 0));
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

/* --- memory ------------------------------------------------------------------------------------------------------- */

/* How memory is named that is not global. */
static const struct {
	const char *prefix;
	enum mem_space space;
} other_spaces[] = {{"shared:", SPACE_SHARED}, {"local:", SPACE_LOCAL}};

void dap_memory(struct dap *dap, const json_t *request)
{
	const json_t *arguments = dap_arguments(request);
	json_int_t count = dap_number(arguments, "count", 0), offset = dap_number(arguments, "offset", 0);

	/* "0x7f0000000000": of global memory; "shared:0x40": of the followed block's; "local:0x40": of the lane that is
	 * looked at. */
	const char *reference = dap_word(arguments, "memoryReference"), *digits = reference ? reference : "";
	enum mem_space space = SPACE_GLOBAL;
	char *end;
	for (size_t i = 0; i < sizeof other_spaces / sizeof *other_spaces; i++) {
		size_t len = strlen(other_spaces[i].prefix);
		if (strncmp(digits, other_spaces[i].prefix, len) != 0)
			continue;
		space = other_spaces[i].space;
		digits += len;
		break;
	}
	errno = 0;
	uint64_t address = strtoull(digits, &end, 0);
	bool is_address = *digits >= '0' && *digits <= '9' && !*end && !errno;
	if (!is_address || count < 0) {
		dap_refuse(dap, request, "an address is 0x7f0000000000, shared:0x40 or local:0x40");
		return;
	}
	address += (uint64_t)offset;
	size_t bytes = (size_t)(count < BYTES_MAX ? count : BYTES_MAX), wanted = bytes;
	const struct debug *debug = dap->with.debug;
	const void *at = space == SPACE_LOCAL ? debug_local(debug, (uint32_t)dap_first_lane(debug), address, &bytes)
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

/* --- PTX ---------------------------------------------------------------------------------------------------------- */

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

void dap_disassemble(struct dap *dap, const json_t *request)
{
	const json_t *arguments = dap_arguments(request);
	const char *reference = dap_word(arguments, "memoryReference");
	json_int_t first = dap_number(arguments, "instructionOffset", 0) + dap_number(arguments, "offset", 0);
	json_int_t count = dap_number(arguments, "instructionCount", 0);
	json_t *out = json_array();
	char *end = NULL;
	uint64_t at = reference ? strtoull(reference, &end, 0) : 0;
	if (!reference || *end || count < 0 || count > DAP_LISTED_MAX || first > INT32_MAX || first < -INT32_MAX) {
		json_decref(out);
		dap_refuse(dap, request, "so many instructions are not there");
		return;
	}
	const struct debug_program *program = dap->with.debug->program;
	for (json_int_t i = 0; i < count; i++) {
		uint64_t address = at + (uint64_t)(first + i), index = address - CODE;
		struct buf text = {0};
		buf_printf(&text, "0x%" PRIx64, address);
		json_t *one = json_pack("{s:o}", "address", dap_string_of(&text));
		buf_free(&text);
		json_array_append_new(out, one);
		if (index >= (uint64_t)program->n_instrs) {
			json_object_set_new(one, "instruction", json_string(""));
			json_object_set_new(one, "presentationHint", json_string("invalid"));
			continue;
		}
		json_object_set_new(one, "instruction", dap_string(debug_instr_text(program, (int)index)));
		int line = program->instrs[index].line;
		if (program->file && line) {
			json_object_set_new(one, "location", source_of(dap, program->file));
			json_object_set_new(one, "line", json_integer(line - dap->from_0));
		}
	}
	dap_answer(dap, request, json_pack("{s:o}", "instructions", out));
}

/* --- what is wrong ------------------------------------------------------------------------------------------------ */

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
