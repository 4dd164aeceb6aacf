/* Variables of the source, and other expressions: shown, evaluated, changed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "front/dap/private.h"
#include "front/debug/object.h"

#define OBJECTS_MAX 100000 /* until the kernel goes on */
#define NAMES_MAX 1000

/* --- references --------------------------------------------------------------------------------------------------- */

void dap_objects_forget(struct dap *dap)
{
	for (size_t i = 0; i < dap->objects.n; i++)
		free(dap->objects.paths[i]);
	dap->objects.n = 0;
}

static const char *path_of(const struct dap *dap, json_int_t reference)
{
	json_int_t index = reference - DAP_SCOPE_OBJECT;
	return index >= 0 && index < (json_int_t)dap->objects.n ? dap->objects.paths[index] : NULL;
}

static bool find_object(const struct debug_at *at, const char *path, struct debug_object *o, const char **why)
{
	const char *rest = path;
	return debug_object_find(at, &rest, o, why) && !rest[strspn(rest, " \t\r\n")];
}

/* --- showing ------------------------------------------------------------------------------------------------------ */

/* The lanes whose values are shown: the followed one, or all. */
static uint32_t lanes_shown(const struct debug *debug)
{
	uint32_t present = debug_lanes(debug, debug->warp);
	return debug->lane == DEBUG_ANY ? present : present & 1u << debug->lane;
}

static json_t *object_variable(
	struct dap *dap, const struct debug_at *at, const char *name, const char *path, const struct debug_object *o)
{
	struct buf value = {0}, type = {0};
	debug_object_write_lanes(at, o, lanes_shown(dap->with.debug), &value);
	debug_object_write_type(at, o, &type);
	json_t *out = dap_variable(name, &value, buf_str(&type), 0);

	/* What it has inside: its parts; or, of a number, its lanes. */
	uint64_t parts = debug_object_parts(at, o);
	bool lanes = debug_object_is_number(at, o) && !parts;
	if (*path && !o->lost && (parts || lanes)) {
		json_int_t inside = 0; /* none, when there are too many */
		if (dap->objects.n < OBJECTS_MAX) {
			*vec_push(dap->objects.paths, dap->objects.n, dap->objects.cap) = base_strdup(path);
			inside = DAP_SCOPE_OBJECT + (json_int_t)dap->objects.n - 1;
		}
		json_object_set_new(out, "variablesReference", json_integer(inside));
		json_object_set_new(out, "evaluateName", dap_string(path));
		struct debug_object first;
		struct buf inside_name = {0};
		bool indexed = lanes ||
			(debug_object_part(at, o, 0, &first, &inside_name) && *buf_str(&inside_name) == '[');
		json_object_set_new(out, indexed ? "indexedVariables" : "namedVariables",
			json_integer(lanes ? WARP_SIZE : (json_int_t)parts));
		buf_free(&inside_name);
	}

	struct number n;
	const char *why;
	struct buf text = {0};
	if (debug_object_is_number(at, o) && debug_object_parts(at, o) > 0 &&
		debug_object_number(at, o, dap_first_lane(at->debug), &n, &why)) {
		buf_printf(&text, "0x%" PRIx64, (uint64_t)n.i);
		json_object_set_new(out, "memoryReference", dap_string_of(&text));
		buf_free(&text);
	}

	buf_free(&value);
	buf_free(&type);
	return out;
}

json_t *dap_objects(struct dap *dap)
{
	const struct debug *debug = dap->with.debug;
	struct debug_at at = debug_at_now(debug);
	int list[NAMES_MAX], n = debug_variables(&at, list, NAMES_MAX);
	json_t *out = json_array();
	for (int i = 0; i < n; i++) {
		const char *name = debug_dwarf_name(debug->program->dwarf, list[i]);
		struct debug_object o;
		debug_object_of(&at, list[i], &o);
		json_array_append_new(out, object_variable(dap, &at, name, name, &o));
	}
	return out;
}

json_t *dap_object_parts(struct dap *dap, json_int_t reference, json_int_t first, json_int_t count)
{
	struct debug_at at = debug_at_now(dap->with.debug);
	const char *path = path_of(dap, reference), *why;
	struct debug_object o, part;
	if (!path || !find_object(&at, path, &o, &why))
		return NULL;
	uint64_t parts = debug_object_parts(&at, &o);
	bool lanes = debug_object_is_number(&at, &o) && !parts;
	json_int_t n = lanes ? WARP_SIZE : (json_int_t)parts;
	json_t *out = json_array();
	first = first < 0 || first > n ? n : first;
	count = count <= 0 || count > n - first ? n - first : count;
	count = count < DAP_LISTED_MAX ? count : DAP_LISTED_MAX;
	if (lanes) {
		uint32_t present = debug_lanes(at.debug, at.warp);
		for (json_int_t lane = first; lane < first + count; lane++) {
			struct buf value = {0}, name = {0};
			buf_printf(&name, "lane %d%s", (int)lane, at.lanes >> lane & 1 ? "" : ", not active");
			if (present >> lane & 1)
				debug_object_write(&at, &o, (int)lane, &value);
			else
				buf_puts(&value, "there is no such thread");
			json_array_append_new(out, dap_variable(buf_str(&name), &value, NULL, 0));
			buf_free(&value);
			buf_free(&name);
		}

		return out;
	}
	char *own = base_strdup(path); /* paths move when there are more of them */
	for (json_int_t i = first; i < first + count; i++) {
		struct buf suffix = {0};
		if (debug_object_part(&at, &o, (uint64_t)i, &part, &suffix)) {
			/* A member is called without the dot before it; a base class has no name, and what is inside is
			 * shown at once. */
			const char *part_suffix = buf_str(&suffix);
			struct buf all = {0}, type = {0};
			if (*part_suffix)
				buf_printf(&all, "%s%s", own, part_suffix);
			else
				debug_object_write_type(&at, &part, &type);
			json_array_append_new(out,
				object_variable(dap, &at,
					*part_suffix ? part_suffix + (*part_suffix == '.') : buf_str(&type),
					buf_str(&all), &part));
			buf_free(&all);
			buf_free(&type);
		}
		buf_free(&suffix);
	}
	free(own);
	return out;
}

/* --- evaluating --------------------------------------------------------------------------------------------------- */

json_t *dap_evaluate(struct dap *dap, const char *text, struct diag *diag)
{
	struct debug *debug = dap->with.debug;
	struct debug_at at = debug_at_now(debug);
	struct debug_object o;
	struct buf value = {0};
	const char *why;
	json_t *out = NULL;
	if (!debug->now.n_paths) {
		diag_error(diag, (struct diag_pos){.file = "expression"}, "this warp is not running: it has no values");
		return NULL;
	}
	if (find_object(&at, text, &o, &why)) {
		out = object_variable(dap, &at, text, text, &o);
		json_object_set(out, "result", json_object_get(out, "value"));
		json_object_del(out, "value");
		json_object_del(out, "name");
		json_object_del(out, "evaluateName");
		return out;
	}
	if (debug_write_numbers(&at, text, lanes_shown(debug), &value, diag))
		out = json_pack("{s:o, s:i}", "result", dap_string_of(&value), "variablesReference", 0);
	buf_free(&value);
	return out;
}

/* --- changing ----------------------------------------------------------------------------------------------------- */

/* "lane 3, not active": that lane alone; false: it is none. */
static bool read_lane(const char *name, uint32_t *lanes)
{
	char *end;
	if (strncmp(name, "lane ", 5) != 0)
		return false;
	unsigned long lane = strtoul(name + 5, &end, 10);
	if (end == name + 5 || (*end && *end != ',') || lane >= WARP_SIZE)
		return false;
	*lanes = 1u << lane;
	return true;
}

/* The path that a variable of a scope or of another variable has, and for which lanes. False: it cannot be changed. */
static bool find_changed(
	const struct dap *dap, json_int_t reference, const char *name, struct buf *path, uint32_t *lanes)
{
	const struct debug *debug = dap->with.debug;
	const char *outer = path_of(dap, reference);
	json_int_t reg = reference - DAP_SCOPE_REGISTER;
	*lanes = debug_chosen_lanes(debug);
	if (reference == DAP_SCOPE_VARIABLES || reference == DAP_SCOPE_USED || reference == DAP_SCOPE_ALL) {
		buf_puts(path, name);
	} else if (outer) {
		bool lane = read_lane(name, lanes);
		buf_printf(path, "%s%s%s", outer, lane || *name == '[' ? "" : ".", lane ? "" : name);
	} else if (reg >= 0 && reg < debug->program->n_regs) {
		buf_puts(path, debug->program->regs[reg].name);
		return read_lane(name, lanes);
	} else {
		return false;
	}
	return true;
}

/* "[64] bank 16": a word of shared memory, or of the lane's local memory. */
static bool set_word(struct dap *dap, json_int_t reference, const char *name, const char *value, struct diag *diag)
{
	struct debug *debug = dap->with.debug;
	char *end;
	unsigned long long at = *name == '[' ? strtoull(name + 1, &end, 10) : 0;
	if (*name != '[' || *end != ']') {
		diag_error(diag, (struct diag_pos){.file = "set"}, "there is no such word");
		return false;
	}
	return debug_assign_word(debug, reference == DAP_SCOPE_SHARED ? SPACE_SHARED : SPACE_LOCAL,
		(uint32_t)dap_first_lane(debug), at, value, diag);
}

/* `lane`: the one whose value is asked for; -1: all. */
static void answer_changed(struct dap *dap, const json_t *request, const char *path, int lane)
{
	struct debug_at at = debug_at_now(dap->with.debug);
	struct debug_object o;
	struct buf one = {0};
	const char *why;
	bool found = *path && find_object(&at, path, &o, &why);
	if (found && lane >= 0) {
		debug_object_write(&at, &o, lane, &one);
		dap_answer(dap, request, json_pack("{s:o}", "value", dap_string_of(&one)));
	} else if (found) {
		json_t *body = object_variable(dap, &at, path, path, &o);
		json_object_del(body, "name");
		json_object_del(body, "evaluateName");
		dap_answer(dap, request, body);
	} else {
		dap_answer(dap, request,
			json_pack("{s:o}", "value", dap_string(dap_word(dap_arguments(request), "value"))));
	}
	buf_free(&one);
	if (dap->invalidates) /* registers, memory and other variables may show it, too */
		dap_event(dap, "invalidated", json_pack("{s:[s]}", "areas", "variables"));
}

static void refuse_change(struct dap *dap, const json_t *request, struct diag *diag)
{
	dap_refuse(dap, request, diag->count ? diag->entries[0].message : "this cannot be changed");
}

void dap_set_variable(struct dap *dap, const json_t *request)
{
	const json_t *arguments = dap_arguments(request);
	json_int_t reference = dap_number(arguments, "variablesReference", 0);
	const char *name = dap_word(arguments, "name"), *value = dap_word(arguments, "value");
	struct buf path = {0};
	struct diag diag = {0};
	uint32_t lanes;
	bool word = reference == DAP_SCOPE_SHARED || reference == DAP_SCOPE_LOCAL;
	bool ok = name && value &&
		(word ? set_word(dap, reference, name, value, &diag)
		      : find_changed(dap, reference, name, &path, &lanes) &&
					debug_assign(dap->with.debug, buf_str(&path), value, lanes, &diag));
	if (ok)
		answer_changed(
			dap, request, buf_str(&path), !word && read_lane(name, &lanes) ? __builtin_ctz(lanes) : -1);
	else
		refuse_change(dap, request, &diag);
	diag_free(&diag);
	buf_free(&path);
}

void dap_set_expression(struct dap *dap, const json_t *request)
{
	const char *path = dap_word(dap_arguments(request), "expression");
	const char *value = dap_word(dap_arguments(request), "value");
	struct debug *debug = dap->with.debug;
	struct diag diag = {0};
	if (path && value && debug_assign(debug, path, value, debug_chosen_lanes(debug), &diag))
		answer_changed(dap, request, path, -1);
	else
		refuse_change(dap, request, &diag);
	diag_free(&diag);
}
