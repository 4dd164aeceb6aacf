/* Values of objects: bytes, numbers, text; and their parts. */
#include <inttypes.h>
#include <string.h>

#include "base/narrow.h"
#include "front/debug/private.h"
#include "machine/launch/launch.h"

#define SHOWN 8         /* values of lanes, elements of an array, members */
#define DEPTH_MAX 4     /* of values in values, as text */
#define PARTS_MAX 65536 /* elements that an array is listed with */

const char *const debug_builtin_names[DEBUG_BUILTINS] = {"threadIdx.x", "threadIdx.y", "threadIdx.z", "blockIdx.x",
	"blockIdx.y", "blockIdx.z", "blockDim.x", "blockDim.y", "blockDim.z", "gridDim.x", "gridDim.y", "gridDim.z",
	"warpSize", "lane", "warp", "block", "true", "false"};
enum { BUILTIN_THREAD = 0, BUILTIN_BLOCK = 3, BUILTIN_BLOCK_DIM = 6, BUILTIN_GRID_DIM = 9, BUILTIN_WARP_SIZE = 12 };

static bool no(const char **why, const char *text)
{
	*why = text;
	return false;
}

/* --- bytes -------------------------------------------------------------------------------------------------------- */

static struct simt_session *session_of(const struct debug_at *at)
{
	return at->debug->private->session;
}

static bool register_named(const struct debug_at *at, const char *name, int *reg)
{
	const struct debug_program *program = at->debug->program;
	int part = at->instr >= 0 ? program->instrs[at->instr].part : 0;
	for (*reg = 0; *reg < program->n_regs; ++*reg)
		if (program->regs[*reg].part == part && strcmp(program->regs[*reg].name, name) == 0)
			return true;
	return false;
}

static bool read_register(const struct debug_at *at, int reg, int lane, uint64_t *out)
{
	uint64_t lanes[WARP_SIZE];
	if (!simt_session_register(session_of(at), at->block, at->warp, at->debug->program->regs[reg].index, lanes))
		return false;
	*out = lanes[lane];
	return true;
}

static bool piece_address(
	const struct debug_at *at, const struct debug_object *o, const struct debug_piece *p, int lane, uint64_t *out)
{
	uint64_t base = 0;
	int reg;
	if (o->by_lane)
		base = o->address[lane];
	else if (p->from_register && (!register_named(at, p->reg, &reg) || !read_register(at, reg, lane, &base)))
		return false;
	else if (p->name && !simt_session_variable(session_of(at), at->block, at->warp, p->name, &base))
		return false;
	*out = base + p->value;
	return !o->by_lane || base != UINT64_MAX;
}

static bool read_piece(const struct debug_at *at, const struct debug_object *o, const struct debug_piece *p, int lane,
	uint64_t from, void *out, size_t n, const char **why)
{
	uint64_t bits = p->value, address;
	enum mem_space space;
	int reg;
	if (p->kind == DEBUG_PIECE_LOST)
		return no(why, "optimized out");
	if (p->kind == DEBUG_PIECE_MEMORY) {
		const void *bytes = piece_address(at, o, p, lane, &address)
			? simt_session_at(
				  session_of(at), at->block, at->warp, (uint32_t)lane, address + from, n, &space)
			: NULL;
		if (!bytes)
			return no(why, "there is no memory at its address");
		memcpy(out, bytes, n);
		return true;
	}
	if (p->kind == DEBUG_PIECE_REGISTER &&
		(!register_named(at, p->reg, &reg) || !read_register(at, reg, lane, &bits)))
		return no(why, "its register is not in use");
	if (from > 8 || n > 8 - from)
		return no(why, "its register holds only a part of it");
	memcpy(out, (const char *)&bits + from, n);
	return true;
}

/* The piece that byte `*from` is in, which becomes one of the piece; NULL: none is. */
static const struct debug_piece *piece_at(const struct debug_object *o, uint64_t *from)
{
	for (int i = 0; i < o->n_pieces; i++) {
		if (*from < o->pieces[i].bytes)
			return &o->pieces[i];
		*from -= o->pieces[i].bytes;
	}
	return NULL;
}

bool debug_object_read(const struct debug_at *at, const struct debug_object *o, int lane, uint64_t from, void *out,
	size_t n, const char **why)
{
	uint64_t bits = 0;
	if (o->lost)
		return no(why, o->lost);
	if (o->kind != DEBUG_OBJECT_VARIABLE) {
		const uint32_t thread = at->warp * WARP_SIZE + (uint32_t)lane;
		const struct debug_extent *e = &at->debug->extent;
		const uint32_t *dims = o->reg < BUILTIN_BLOCK || o->reg >= BUILTIN_BLOCK_DIM ? e->block : e->grid;
		uint64_t index = o->reg < BUILTIN_BLOCK ? thread : at->block;
		bool there = true;
		if (o->kind == DEBUG_OBJECT_REGISTER)
			there = read_register(at, o->reg, lane, &bits);
		else if (o->kind == DEBUG_OBJECT_ENUMERATOR)
			bits = at->debug->program->dwarf->dies[o->reg].constant;
		else if (o->reg >= BUILTIN_WARP_SIZE)
			bits = ((const uint64_t[]){
				WARP_SIZE, (uint64_t)lane, at->warp, at->block, 1, 0})[o->reg - BUILTIN_WARP_SIZE];
		else if (o->reg >= BUILTIN_BLOCK_DIM)
			bits = (o->reg < BUILTIN_GRID_DIM ? e->block : e->grid)[o->reg % 3];
		else
			bits = o->reg % 3 == 0    ? index % dims[0]
				: o->reg % 3 == 1 ? index / dims[0] % dims[1]
						  : index / dims[0] / dims[1];
		if (!there || from > 8 || n > 8 - from)
			return no(why, "it has no value here");
		memcpy(out, (const char *)&bits + from, n);
		return true;
	}
	for (size_t done = 0; done < n;) {
		uint64_t in = o->offset + from + done;
		const struct debug_piece *p = piece_at(o, &in);
		size_t some = p && p->bytes - in < n - done ? (size_t)(p->bytes - in) : n - done;
		if (!p)
			return no(why, "a part of it is optimized out");
		if (!read_piece(at, o, p, lane, in, (char *)out + done, some, why))
			return false;
		done += some;
	}
	return true;
}

bool debug_object_address(
	const struct debug_at *at, const struct debug_object *o, int lane, uint64_t from, uint64_t *out)
{
	uint64_t in = o->offset + from;
	const struct debug_piece *p = o->kind == DEBUG_OBJECT_VARIABLE && !o->lost ? piece_at(o, &in) : NULL;
	if (!p || p->kind != DEBUG_PIECE_MEMORY || !piece_address(at, o, p, lane, out))
		return false;
	*out += in;
	return true;
}

bool debug_object_spread(const struct debug_at *at, struct debug_object *o, const int64_t index[WARP_SIZE])
{
	struct debug_object to = *o;
	bool any = false;
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		if (!debug_object_address(at, o, lane, 0, &to.address[lane])) {
			to.address[lane] = UINT64_MAX;
			continue;
		}
		to.address[lane] += (uint64_t)index[lane] * o->size;
		any = true;
	}
	to.by_lane = true;
	to.offset = 0;
	to.n_pieces = 1;
	to.pieces[0] = (struct debug_piece){.kind = DEBUG_PIECE_MEMORY, .bytes = UINT64_MAX};
	*o = to;
	return any;
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */

static const struct debug_die *type_die(const struct debug_at *at, const struct debug_object *o)
{
	int type = o->kind == DEBUG_OBJECT_VARIABLE ? debug_dwarf_type(at->debug->program->dwarf, o->type) : -1;
	return type >= 0 ? &at->debug->program->dwarf->dies[type] : NULL;
}

/* How bits are read as a number. */
enum value_shape { SHAPE_NONE, SHAPE_SIGNED, SHAPE_UNSIGNED, SHAPE_FLOAT, SHAPE_BOOL, SHAPE_ADDRESS, SHAPE_HALF };

static enum value_shape shape_of(const struct debug_at *at, const struct debug_object *o)
{
	static const enum value_shape shapes[] = {[DEBUG_ENCODING_BOOL] = SHAPE_BOOL,
		[DEBUG_ENCODING_FLOAT] = SHAPE_FLOAT,
		[DEBUG_ENCODING_SIGNED] = SHAPE_SIGNED,
		[DEBUG_ENCODING_SIGNED_CHAR] = SHAPE_SIGNED};
	const struct debug_die *d = type_die(at, o);
	bool whole = o->size == 1 || o->size == 2 || o->size == 4 || o->size == 8;
	if (o->kind == DEBUG_OBJECT_REGISTER) {
		char kind = at->debug->program->regs[o->reg].kind;
		return o->size > 8    ? SHAPE_NONE
			: kind == 'F' ? SHAPE_FLOAT
			: kind == 'S' ? SHAPE_SIGNED
			: kind == 'P' ? SHAPE_BOOL
				      : SHAPE_UNSIGNED;
	}
	if (o->kind != DEBUG_OBJECT_VARIABLE)
		return SHAPE_SIGNED;
	if (!d || !whole)
		return SHAPE_NONE;
	if (debug_tag_is_address(d->tag))
		return SHAPE_ADDRESS;
	if (d->tag == DEBUG_TAG_ENUM)
		return SHAPE_SIGNED;
	if (debug_tag_is_record(d->tag) && d->name && strcmp(d->name, "__half") == 0 && o->size == 2)
		return SHAPE_HALF;
	if (d->tag != DEBUG_TAG_BASE)
		return SHAPE_NONE;
	enum value_shape shape = d->encoding < sizeof shapes / sizeof *shapes ? shapes[d->encoding] : SHAPE_NONE;
	return shape == SHAPE_NONE ? SHAPE_UNSIGNED : shape == SHAPE_FLOAT && o->size == 1 ? SHAPE_NONE : shape;
}

bool debug_object_is_number(const struct debug_at *at, const struct debug_object *o)
{
	return shape_of(at, o) != SHAPE_NONE;
}

bool debug_object_is_real(const struct debug_at *at, const struct debug_object *o)
{
	enum value_shape shape = shape_of(at, o);
	return shape == SHAPE_FLOAT || shape == SHAPE_HALF;
}

bool debug_object_number(
	const struct debug_at *at, const struct debug_object *o, int lane, struct number *out, const char **why)
{
	enum value_shape shape = shape_of(at, o);
	uint64_t bits = 0;
	if (shape == SHAPE_NONE)
		return no(why, o->lost ? o->lost : "it is not one number");
	if (!debug_object_read(at, o, lane, 0, &bits, (size_t)o->size, why))
		return false;
	enum launch_type floats = o->size == 2 ? LAUNCH_F16 : o->size == 4 ? LAUNCH_F32 : LAUNCH_F64;
	int unused = o->size < 8 ? (int)(64 - 8 * o->size) : 0;
	*out = debug_object_is_real(at, o) ? number_real(launch_number(floats, &bits, 0))
		: shape == SHAPE_SIGNED    ? number_whole((int64_t)(bits << unused) >> unused)
					   : number_whole((int64_t)bits);
	return true;
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static const char *enumerator_of(
	const struct debug_dwarf *dwarf, const struct debug_die *type, int64_t value, uint64_t size)
{
	int unused = size < 8 ? (int)(64 - 8 * size) : 0;
	for (int i = type->child; i >= 0; i = dwarf->dies[i].next) {
		uint64_t constant = dwarf->dies[i].constant << unused;
		if (dwarf->dies[i].tag == DEBUG_TAG_ENUMERATOR && constant == (uint64_t)value << unused)
			return dwarf->dies[i].name;
	}
	return NULL;
}

static bool is_char(const struct debug_die *d)
{
	return d && d->tag == DEBUG_TAG_BASE &&
		(d->encoding == DEBUG_ENCODING_SIGNED_CHAR || d->encoding == DEBUG_ENCODING_UNSIGNED_CHAR);
}

static void write_object(const struct debug_at *at, const struct debug_object *o, int lane, int depth, struct buf *out)
{
	uint64_t parts = debug_object_parts(at, o);
	struct debug_object part;
	struct buf path = {0};
	if (o->lost) {
		buf_printf(out, "<%s>", o->lost);
		return;
	}
	if (debug_object_is_number(at, o)) {
		const struct debug_die *d = type_die(at, o);
		enum value_shape shape = shape_of(at, o);
		struct number n;
		const char *why = "", *name;
		uint64_t bits = 0;
		if (!debug_object_number(at, o, lane, &n, &why) ||
			!debug_object_read(at, o, lane, 0, &bits, (size_t)o->size, &why)) {
			buf_printf(out, "<%s>", why);
			return;
		}
		if (o->kind == DEBUG_OBJECT_REGISTER && at->warp == at->debug->warp && at->block == at->debug->block) {
			debug_value(at->debug, o->reg, lane, DEBUG_DIGITS_ALL, out);
		} else if (n.real) {
			enum launch_type floats = o->size == 2 ? LAUNCH_F16 : o->size == 4 ? LAUNCH_F32 : LAUNCH_F64;
			launch_format(floats, &bits, 0, out);
		} else if (shape == SHAPE_BOOL && n.i >= 0 && n.i <= 1 && d) {
			buf_puts(out, n.i ? "true" : "false");
		} else if (shape == SHAPE_ADDRESS) {
			buf_printf(out, "0x%" PRIx64, (uint64_t)n.i);
		} else if (d && d->tag == DEBUG_TAG_ENUM &&
			(name = enumerator_of(at->debug->program->dwarf, d, n.i, o->size))) {
			buf_puts(out, name);
		} else if (shape == SHAPE_UNSIGNED) {
			buf_printf(out, "%" PRIu64, (uint64_t)n.i);
		} else {
			buf_printf(out, "%" PRId64, n.i);
		}
		if (is_char(d) && n.i >= ' ' && n.i <= '~')
			buf_printf(out, " '%c'", (char)n.i);

		return;
	}
	if (!parts || depth == DEPTH_MAX) {
		buf_puts(out, parts ? "{...}" : "<nothing to show>");
		return;
	}
	buf_putc(out, '{');
	for (uint64_t i = 0; i < parts && i < SHOWN && debug_object_part(at, o, i, &part, &path); i++) {
		buf_puts(out, i ? ", " : "");
		if (buf_str(&path)[0] == '.')
			buf_printf(out, "%s = ", buf_str(&path) + 1);
		write_object(at, &part, lane, depth + 1, out);
		buf_clear(&path);
	}
	buf_puts(out, parts > SHOWN ? ", ...}" : "}");
	buf_free(&path);
}

void debug_object_write(const struct debug_at *at, const struct debug_object *o, int lane, struct buf *out)
{
	write_object(at, o, lane, 0, out);
}

void debug_object_write_lanes(const struct debug_at *at, const struct debug_object *o, uint32_t lanes, struct buf *out)
{
	struct buf first = {0}, other = {0}, list = {0};
	bool same = true;
	int shown = 0;
	for (uint32_t left = lanes; left; left &= left - 1) {
		struct buf *value = left == lanes ? &first : &other;
		buf_clear(&other);
		debug_object_write(at, o, __builtin_ctz(left), value);
		same &= strcmp(buf_str(value), buf_str(&first)) == 0;
		if (shown++ < SHOWN)
			buf_printf(&list, "%s%s", shown > 1 ? ", " : "", buf_str(value));
	}
	if (same && first.len)
		buf_printf(out, "%s%s", first.data,
			o->lost                                 ? ""
				: __builtin_popcount(lanes) > 1 ? " in all lanes"
								: "");
	else
		buf_printf(out, "%s%s", buf_str(&list), shown > SHOWN ? ", ..." : "");
	buf_free(&first);
	buf_free(&other);
	buf_free(&list);
}

void debug_object_write_type(const struct debug_at *at, const struct debug_object *o, struct buf *out)
{
	const struct debug_dwarf *dwarf = at->debug->program->dwarf;
	if (o->kind == DEBUG_OBJECT_REGISTER) {
		buf_puts(out, ptx_type_name(at->debug->program->regs[o->reg].type));
	} else if (o->kind != DEBUG_OBJECT_VARIABLE) {
		buf_puts(out, "int");
	} else if (o->dimension) {
		int type = debug_dwarf_type(dwarf, o->type);
		debug_dwarf_write_type(dwarf, dwarf->dies[type].type, out);
		for (int i = o->dimension, n = i + 1; i < n; i++) {
			uint64_t count = debug_dwarf_count(dwarf, type, i, &n);
			if (i < n)
				buf_printf(out, "[%" PRIu64 "]", count);
		}
	} else {
		debug_dwarf_write_type(dwarf, o->type, out);
	}
}

/* --- parts -------------------------------------------------------------------------------------------------------- */

static bool is_part(const struct debug_die *d)
{
	return d->tag == DEBUG_TAG_MEMBER || d->tag == DEBUG_TAG_INHERITANCE;
}

uint64_t debug_object_parts(const struct debug_at *at, const struct debug_object *o)
{
	const struct debug_dwarf *dwarf = at->debug->program->dwarf;
	const struct debug_die *d = type_die(at, o);
	uint64_t n = 0;
	int dimensions;
	if (!d || o->lost)
		return 0;
	if (d->tag == DEBUG_TAG_ARRAY) {
		n = o->size ? debug_dwarf_count(dwarf, (int)(d - dwarf->dies), o->dimension, &dimensions) : 0;
		return n < PARTS_MAX ? n : PARTS_MAX;
	}
	if (d->tag == DEBUG_TAG_POINTER)
		return debug_dwarf_size(dwarf, d->type) ? 1 : 0;
	for (int i = debug_tag_is_record(d->tag) ? d->child : -1; i >= 0; i = dwarf->dies[i].next)
		n += is_part(&dwarf->dies[i]);
	return n;
}

bool debug_object_part(const struct debug_at *at, const struct debug_object *o, uint64_t index,
	struct debug_object *out, struct buf *path)
{
	const struct debug_die *d = type_die(at, o);
	if (index >= debug_object_parts(at, o))
		return false;
	*out = *o;
	if (d->tag == DEBUG_TAG_ARRAY) {
		const struct debug_dwarf *dwarf = at->debug->program->dwarf;
		int n;
		uint64_t count = debug_dwarf_count(dwarf, (int)(d - dwarf->dies), out->dimension, &n);
		bool last = out->dimension + 1 >= n;
		out->size /= count;
		out->offset += index * out->size;
		out->dimension = last ? 0 : out->dimension + 1;
		out->type = last ? d->type : out->type;

		buf_printf(path, "[%" PRIu64 "]", index);
	} else if (d->tag == DEBUG_TAG_POINTER) {
		debug_object_follow(at, out);
		buf_puts(path, "[0]");
	} else {
		uint64_t left = index;
		const struct debug_dwarf *dwarf = at->debug->program->dwarf;
		int i = d->child;
		for (; i >= 0; i = dwarf->dies[i].next)
			if (is_part(&dwarf->dies[i]) && left-- == 0)
				break;
		debug_object_member(at, i, out);
		if (dwarf->dies[i].tag == DEBUG_TAG_MEMBER && dwarf->dies[i].name)
			buf_printf(path, ".%s", dwarf->dies[i].name);
	}
	return true;
}
