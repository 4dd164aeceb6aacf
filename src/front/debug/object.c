/* Names: of variables, registers and built-in variables, and paths from them. */
#include "front/debug/object.h"

#include <ctype.h>
#include <string.h>

#include "front/debug/private.h"

#define DEPTH_MAX 8 /* of base classes and unnamed members */

/* --- places ------------------------------------------------------------------------------------------------------- */

struct debug_at debug_at_now(const struct debug *debug)
{
	return (struct debug_at){
		debug, debug->block, debug->warp, debug->now.n_paths ? debug->now.instr : -1, debug->now.active};
}

/* Looking for a name, or along a path. */
struct name_search {
	const struct debug_at *at;
	const char **text, **why;
	int depth; /* of indices in indices */
};

static bool no(const struct name_search *s, const char *why)
{
	*s->why = why;
	return false;
}

/* --- scopes ------------------------------------------------------------------------------------------------------- */

static const struct debug_dwarf *dwarf_of(const struct debug_at *at)
{
	return at->debug->program->dwarf;
}

static uint64_t code_at(const struct debug_at *at)
{
	const struct debug_program *program = at->debug->program;
	const struct debug_part *part = &program->parts[program->instrs[at->instr].part];
	return ptx_code_address(part->of->code, at->instr - part->first_instr);
}

static bool is_variable(const struct debug_die *d)
{
	return d->tag == DEBUG_TAG_VARIABLE || d->tag == DEBUG_TAG_PARAMETER;
}

static bool has_place(const struct debug_die *d)
{
	return d->has & (DEBUG_HAS_LOCATION | DEBUG_HAS_LIST | DEBUG_HAS_CONSTANT);
}

/* From a scope to the one around it: blocks up to the function, then the file; -1 after that. */
static int outer_scope(const struct debug_dwarf *dwarf, int scope)
{
	return dwarf->dies[scope].parent;
}

static bool name_is(const char *name, const char *text, size_t len)
{
	return name && strlen(name) == len && memcmp(name, text, len) == 0;
}

/* Variables of the file are those that lie somewhere: headers declare others. */
int debug_variables(const struct debug_at *at, int *out, int cap)
{
	const struct debug_dwarf *dwarf = dwarf_of(at);
	int n = 0, scope = dwarf && at->instr >= 0 ? debug_dwarf_scope(dwarf, code_at(at)) : -1;
	for (; scope >= 0; scope = outer_scope(dwarf, scope)) {
		bool file = dwarf->dies[scope].tag == DEBUG_TAG_UNIT;
		for (int i = dwarf->dies[scope].child; i >= 0 && n < cap; i = dwarf->dies[i].next) {
			const char *name = is_variable(&dwarf->dies[i]) ? debug_dwarf_name(dwarf, i) : NULL;
			if (!name || !*name || (file && !has_place(&dwarf->dies[i])))
				continue;
			bool listed = false; /* an inner one of the same name */
			for (int j = 0; j < n && !listed; j++)
				listed = strcmp(debug_dwarf_name(dwarf, out[j]), name) == 0;
			if (!listed)
				out[n++] = i;
		}
	}
	return n;
}

/* --- objects ------------------------------------------------------------------------------------------------------ */

void debug_object_of(const struct debug_at *at, int variable, struct debug_object *out)
{
	const struct debug_dwarf *dwarf = dwarf_of(at);
	*out = (struct debug_object){.kind = DEBUG_OBJECT_VARIABLE};
	out->type = debug_dwarf_type_of(dwarf, variable);
	out->size = debug_dwarf_size(dwarf, out->type);
	out->n_pieces = debug_dwarf_locate(dwarf, variable, code_at(at), out->pieces);
	if (out->n_pieces == 0)
		out->lost = has_place(&dwarf->dies[variable]) ? "it has no value here" : "optimized out";
	else if (out->n_pieces < 0)
		out->lost = "the compiler says in a way that is not understood where it is";
	if (out->n_pieces < 0)
		out->n_pieces = 0;
}

static bool find_register(const struct name_search *s, const char *name, size_t len, struct debug_object *out)
{
	const struct debug_program *program = s->at->debug->program;
	int part = s->at->instr >= 0 ? program->instrs[s->at->instr].part : 0;
	for (int r = 0; r < program->n_regs; r++) {
		const struct debug_reg *reg = &program->regs[r];
		bool bare = *reg->name == '%' && name_is(reg->name + 1, name, len);
		if (reg->part != part || !(bare || name_is(reg->name, name, len)))
			continue;
		*out = (struct debug_object){.kind = DEBUG_OBJECT_REGISTER, .type = -1, .reg = r};
		out->size = ptx_slot_bytes(reg->type) ? ptx_slot_bytes(reg->type) : 1;
		return true;
	}
	return false;
}

static bool find_builtin(const char *name, size_t len, struct debug_object *out)
{
	for (int i = 0; i < DEBUG_BUILTINS; i++)
		if (name_is(debug_builtin_names[i], name, len)) {
			*out = (struct debug_object){.kind = DEBUG_OBJECT_BUILTIN, .type = -1, .reg = i, .size = 8};
			return true;
		}
	return false;
}

/* --- paths -------------------------------------------------------------------------------------------------------- */

static void skip_blanks(const struct name_search *s)
{
	*s->text += strspn(*s->text, " \t");
}

static size_t name_len(const char *text)
{
	size_t n = *text == '%' || *text == '$';
	while (isalnum((unsigned char)text[n]) || text[n] == '_' || text[n] == '$')
		n++;
	return n;
}

/* threadIdx.x is one name; so is %v1.x, a register of a vector. */
static bool find_first_name(const struct name_search *s, struct debug_object *out)
{
	const char *name = *s->text;
	size_t len = name_len(name), whole = len;
	if (!len || isdigit((unsigned char)*name))
		return no(s, "expected the name of a variable or a register");
	if (name[len] == '.' && name_len(name + len + 1) == 1)
		whole = len + 2;
	*s->text = name + len;

	const struct debug_dwarf *dwarf = dwarf_of(s->at);
	if (*name != '%') {
		int scope = dwarf && s->at->instr >= 0 ? debug_dwarf_scope(dwarf, code_at(s->at)) : -1;
		for (; scope >= 0; scope = outer_scope(dwarf, scope))
			for (int i = dwarf->dies[scope].child; i >= 0; i = dwarf->dies[i].next)
				if (is_variable(&dwarf->dies[i]) && name_is(debug_dwarf_name(dwarf, i), name, len)) {
					debug_object_of(s->at, i, out);
					return true;
				}
	}

	if (whole > len && (find_builtin(name, whole, out) || find_register(s, name, whole, out))) {
		*s->text = name + whole;
		return true;
	}

	if (find_builtin(name, len, out) || find_register(s, name, len, out))
		return true;
	for (int i = 0; dwarf && i < dwarf->n; i++) {
		if (dwarf->dies[i].tag != DEBUG_TAG_ENUMERATOR || !name_is(dwarf->dies[i].name, name, len))
			continue;
		*out = (struct debug_object){.kind = DEBUG_OBJECT_ENUMERATOR, .type = -1, .reg = i, .size = 8};
		return true;
	}

	*s->text = name;
	return no(s,
		dwarf ? "there is no such variable here, and no such register"
		      : "there is no such register; variables need debug information, see --debug-info");
}

static int type_of(const struct debug_at *at, const struct debug_object *o)
{
	return o->kind == DEBUG_OBJECT_VARIABLE && dwarf_of(at) ? debug_dwarf_type(dwarf_of(at), o->type) : -1;
}

static int tag_of(const struct debug_at *at, const struct debug_object *o)
{
	int type = type_of(at, o);
	return type >= 0 ? dwarf_of(at)->dies[type].tag : 0;
}

bool debug_tag_is_address(int tag)
{
	return tag == DEBUG_TAG_POINTER || tag == DEBUG_TAG_REFERENCE || tag == DEBUG_TAG_RVALUE;
}

bool debug_tag_is_record(int tag)
{
	return tag == DEBUG_TAG_STRUCT || tag == DEBUG_TAG_CLASS || tag == DEBUG_TAG_UNION;
}

bool debug_object_follow(const struct debug_at *at, struct debug_object *o)
{
	int type = type_of(at, o);
	if (!debug_tag_is_address(tag_of(at, o)))
		return false;
	struct debug_object to = {.kind = DEBUG_OBJECT_VARIABLE,
		.type = dwarf_of(at)->dies[type].type,
		.n_pieces = 1,
		.by_lane = true,
		.pieces = {{.kind = DEBUG_PIECE_MEMORY, .bytes = UINT64_MAX}}};
	to.size = debug_dwarf_size(dwarf_of(at), to.type);
	to.lost = o->lost;
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		const char *why;
		if (!debug_object_read(at, o, lane, 0, &to.address[lane], 8, &why))
			to.address[lane] = UINT64_MAX;
	}
	*o = to;
	return true;
}

static bool follow(const struct name_search *s, struct debug_object *o)
{
	return debug_object_follow(s->at, o) || no(s, "this is no pointer");
}

static void follow_references(const struct name_search *s, struct debug_object *o)
{
	int tag = tag_of(s->at, o);
	if (tag == DEBUG_TAG_REFERENCE || tag == DEBUG_TAG_RVALUE)
		follow(s, o);
}

void debug_object_member(const struct debug_at *at, int member, struct debug_object *o)
{
	const struct debug_die *d = &dwarf_of(at)->dies[member];
	o->type = d->type;
	o->offset += d->offset;
	o->size = debug_dwarf_size(dwarf_of(at), d->type);
	o->dimension = 0;
	if (d->has & DEBUG_HAS_BITS)
		o->lost = "bit fields are not shown";
}

/* A member, also of a base class or of a member without a name. */
static bool find_member(const struct name_search *s, const char *name, size_t len, int depth, struct debug_object *o)
{
	const struct debug_dwarf *dwarf = dwarf_of(s->at);
	int type = type_of(s->at, o);
	if (type < 0 || depth > DEPTH_MAX)
		return false;
	for (int i = dwarf->dies[type].child; i >= 0; i = dwarf->dies[i].next) {
		const struct debug_die *d = &dwarf->dies[i];
		bool member = d->tag == DEBUG_TAG_MEMBER, base = d->tag == DEBUG_TAG_INHERITANCE;
		struct debug_object inside = *o;
		if (!member && !base)
			continue;
		debug_object_member(s->at, i, &inside);
		if ((member && name_is(d->name, name, len)) ||
			((base || !d->name) && find_member(s, name, len, depth + 1, &inside))) {
			*o = inside;
			return true;
		}
	}
	return false;
}

static bool step_index(const struct name_search *s, struct debug_object *o)
{
	int64_t index[WARP_SIZE];
	const char *open = ++*s->text;
	int depth = 1;
	for (; **s->text && depth; ++*s->text)
		depth += (**s->text == '[') - (**s->text == ']');
	if (depth)
		return no(s, "this '[' is never closed");
	bool same = true;
	if (s->depth >= DEPTH_MAX ||
		!debug_expression_index(s->at, open, (size_t)(*s->text - 1 - open), s->depth + 1, index, s->why))
		return s->depth >= DEPTH_MAX ? no(s, "nested too deeply") : false;
	for (int lane = 1; lane < WARP_SIZE; lane++)
		same &= index[lane] == index[0];

	/* One element of an array, by lane where the lanes' indices differ. */
	const struct debug_dwarf *dwarf = dwarf_of(s->at);
	int type = type_of(s->at, o), n;
	bool array = type >= 0 && dwarf->dies[type].tag == DEBUG_TAG_ARRAY;
	if (!array && !follow(s, o))
		return no(s, "this is neither an array nor a pointer");
	if (array) {
		uint64_t count = debug_dwarf_count(dwarf, type, o->dimension, &n);
		bool last = o->dimension + 1 >= n;
		if (count && same && (uint64_t)index[0] >= count)
			return no(s, "the array has no such element");
		o->size = count ? o->size / count : last ? debug_dwarf_size(dwarf, dwarf->dies[type].type) : 0;
		o->dimension = last ? 0 : o->dimension + 1;
		o->type = last ? dwarf->dies[type].type : o->type;
	}
	if (!o->size)
		return no(s, "the size of its elements is not known");
	if (same && !o->by_lane) {
		o->offset += (uint64_t)index[0] * o->size;
		return true;
	}
	return debug_object_spread(s->at, o, index) ||
		no(s, "it lies in registers, so that its index has to be one number");
}

bool debug_object_find_in(
	const struct debug_at *at, const char **text, int depth, struct debug_object *out, const char **why)
{
	struct name_search s = {at, text, why, depth};

	int stars = 0;
	for (skip_blanks(&s); **s.text == '*' && stars < DEPTH_MAX; skip_blanks(&s), stars++)
		++*s.text;
	if (!find_first_name(&s, out))
		return false;
	for (bool more = true; more;) {
		follow_references(&s, out);
		bool arrow = (*s.text)[0] == '-' && (*s.text)[1] == '>';
		if (**s.text == '.' || arrow) {
			*s.text += arrow ? 2 : 1;
			skip_blanks(&s);
			size_t len = name_len(*s.text);
			const char *name = *s.text;
			if (arrow && !follow(&s, out)) {
				more = false;
			} else if (!debug_tag_is_record(tag_of(s.at, out))) {
				more = no(&s, "this has no members");
			} else if (!find_member(&s, name, len, 0, out)) {
				more = no(&s, "it has no such member");
			} else {
				*s.text += len;
			}
		} else if (**s.text == '[') {
			more = step_index(&s, out);
		} else {
			break;
		}
		if (!more)
			return false;
	}
	for (; stars > 0; stars--)
		if (!follow(&s, out))
			return false;
	follow_references(&s, out);
	return true;
}

bool debug_object_find(const struct debug_at *at, const char **text, struct debug_object *out, const char **why)
{
	return debug_object_find_in(at, text, 0, out, why);
}
