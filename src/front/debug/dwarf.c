/* Entries of .debug_info: their attributes, and the tree that they make. Then types, and where variables are. */
#include "front/debug/dwarf.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"

#define DIES_MAX (1 << 22)
#define DEPTH_MAX 200
#define DWARF_OP_PLUS_UCONST 0x23

/* --- reading DWARF's numbers without leaving their section -------------------------------------------------------- */

/* Past the end of the section numbers are 0, and `failed` is set. */
struct dwarf_bytes {
	const struct ptx_section *section;
	size_t at, end;
	bool failed;
};

static struct dwarf_bytes dwarf_bytes_of(const struct ptx_section *section, size_t at)
{
	return (struct dwarf_bytes){section, at, section->size, at > section->size};
}

static bool dwarf_has(struct dwarf_bytes *b, uint64_t bytes)
{
	b->failed |= b->failed || b->at > b->end || bytes > b->end - b->at;
	return !b->failed;
}

static void dwarf_skip(struct dwarf_bytes *b, uint64_t bytes)
{
	if (dwarf_has(b, bytes))
		b->at += (size_t)bytes;
}

static uint64_t dwarf_fixed(struct dwarf_bytes *b, uint32_t bytes)
{
	uint64_t value = 0;
	if (bytes > 8 || !dwarf_has(b, bytes)) {
		b->failed = true;
		return 0;
	}
	memcpy(&value, b->section->bytes + b->at, bytes);
	b->at += bytes;
	return value;
}

static uint64_t dwarf_uleb(struct dwarf_bytes *b)
{
	uint64_t value = 0;
	for (uint32_t shift = 0; shift < 70; shift += 7) {
		uint64_t byte = dwarf_fixed(b, 1);
		value |= shift < 64 ? (byte & 0x7F) << shift : 0;
		if (!(byte & 0x80))
			return value;
	}
	b->failed = true;
	return 0;
}

static int64_t dwarf_sleb(struct dwarf_bytes *b)
{
	uint64_t value = 0;
	for (uint32_t shift = 0; shift < 70; shift += 7) {
		uint64_t byte = dwarf_fixed(b, 1);
		value |= shift < 64 ? (byte & 0x7F) << shift : 0;
		if (byte & 0x80)
			continue;
		if ((byte & 0x40) && shift + 7 < 64)
			value |= UINT64_MAX << (shift + 7);
		return (int64_t)value;
	}
	b->failed = true;
	return 0;
}

/* A text that ends inside its section; NULL: it does not. */
static const char *dwarf_text_at(const struct ptx_section *section, uint64_t at)
{
	if (at >= section->size || !memchr(section->bytes + at, 0, section->size - (size_t)at))
		return NULL;
	return (const char *)section->bytes + at;
}

/* --- abbreviations ------------------------------------------------------------------------------------------------ */

struct attribute {
	uint32_t name, form;
};

struct abbrev {
	uint64_t code;
	uint32_t tag;
	bool children;
	size_t first, n; /* of attributes */
};

struct table {
	struct abbrev *at;
	struct attribute *attributes;
	size_t n, cap, n_attributes, cap_attributes;
	size_t offset; /* in .debug_abbrev */
	bool read;
};

/* Of one unit, up to a code of 0. Both compilers number them from 1 on. */
static bool read_table(struct arena *arena, const struct ptx_section *section, size_t offset, struct table *t)
{
	struct dwarf_bytes b = dwarf_bytes_of(section, offset);
	*t = (struct table){.offset = offset, .read = true};
	for (uint64_t code; (code = dwarf_uleb(&b)) != 0;) {
		struct abbrev *a = vec_push_in(arena, t->at, t->n, t->cap);
		*a = (struct abbrev){.code = code, .tag = (uint32_t)dwarf_uleb(&b), .first = t->n_attributes};
		a->children = dwarf_fixed(&b, 1) != 0;
		while (!b.failed) {
			struct attribute one = {(uint32_t)dwarf_uleb(&b), (uint32_t)dwarf_uleb(&b)};
			if (!one.name && !one.form)
				break;
			*vec_push_in(arena, t->attributes, t->n_attributes, t->cap_attributes) = one;
			a->n++;
		}
		if (b.failed || code != t->n)
			return false;
	}
	return !b.failed;
}

/* --- attributes --------------------------------------------------------------------------------------------------- */

struct dwarf_unit {
	size_t begin, end;
	uint16_t version;
	uint8_t address_bytes;
	struct table table;
};

/* A value: a number, an address, bytes, or a text. */
struct form_value {
	uint64_t number;
	size_t at, bytes; /* of a block */
	const char *text;
	bool is_block, is_reference, is_address;
};

enum {
	FORM_ADDR = 0x01,
	FORM_BLOCK2 = 0x03,
	FORM_BLOCK4 = 0x04,
	FORM_DATA2 = 0x05,
	FORM_DATA4 = 0x06,
	FORM_DATA8 = 0x07,
	FORM_STRING = 0x08,
	FORM_BLOCK = 0x09,
	FORM_BLOCK1 = 0x0a,
	FORM_DATA1 = 0x0b,
	FORM_FLAG = 0x0c,
	FORM_SDATA = 0x0d,
	FORM_STRP = 0x0e,
	FORM_UDATA = 0x0f,
	FORM_REF_ADDR = 0x10,
	FORM_REF1 = 0x11,
	FORM_REF2 = 0x12,
	FORM_REF4 = 0x13,
	FORM_REF8 = 0x14,
	FORM_REF_UDATA = 0x15,
	FORM_SEC_OFFSET = 0x17,
	FORM_EXPRLOC = 0x18,
	FORM_FLAG_PRESENT = 0x19,
};

static void read_block(struct dwarf_bytes *b, uint64_t bytes, struct form_value *out)
{
	out->is_block = true;
	out->at = b->at;
	out->bytes = (size_t)bytes;
	dwarf_skip(b, bytes);
}

/* Offsets in the unit become offsets in the section. */
static void read_reference(struct dwarf_bytes *b, uint64_t base, uint64_t value, struct form_value *out)
{
	out->is_reference = true;
	out->number = base + value;
	b->failed |= out->number >= b->section->size;
}

static bool read_fixed(struct dwarf_bytes *b, uint32_t form, struct form_value *out)
{
	static const uint8_t sizes[] = {[FORM_ADDR] = 8,
		[FORM_DATA1] = 1,
		[FORM_DATA2] = 2,
		[FORM_DATA4] = 4,
		[FORM_DATA8] = 8,
		[FORM_FLAG] = 1,
		[FORM_SEC_OFFSET] = 4};
	if (form >= sizeof sizes || !sizes[form])
		return false;
	out->is_address = form == FORM_ADDR;
	out->number = dwarf_fixed(b, sizes[form]);
	return true;
}

static bool read_form(struct dwarf_bytes *b, const struct ptx_section *strings, const struct dwarf_unit *u,
	uint32_t form, struct form_value *out)
{
	*out = (struct form_value){.number = 0};
	if (read_fixed(b, form, out))
		return !b->failed;
	switch (form) {
	case FORM_BLOCK1: read_block(b, dwarf_fixed(b, 1), out); break;
	case FORM_BLOCK2: read_block(b, dwarf_fixed(b, 2), out); break;
	case FORM_BLOCK4: read_block(b, dwarf_fixed(b, 4), out); break;
	case FORM_BLOCK:
	case FORM_EXPRLOC: read_block(b, dwarf_uleb(b), out); break;
	case FORM_STRING: {
		const char *text = dwarf_text_at(b->section, b->at);
		b->failed |= !text;
		b->at += text ? strlen(text) + 1 : 0;
		out->text = text;
		break;
	}
	case FORM_STRP: out->text = dwarf_text_at(strings, dwarf_fixed(b, 4)); break;
	case FORM_SDATA: out->number = (uint64_t)dwarf_sleb(b); break;
	case FORM_UDATA: out->number = dwarf_uleb(b); break;
	case FORM_REF_ADDR: read_reference(b, 0, dwarf_fixed(b, u->version == 2 ? u->address_bytes : 4), out); break;
	case FORM_REF1: read_reference(b, u->begin, dwarf_fixed(b, 1), out); break;
	case FORM_REF2: read_reference(b, u->begin, dwarf_fixed(b, 2), out); break;
	case FORM_REF4: read_reference(b, u->begin, dwarf_fixed(b, 4), out); break;
	case FORM_REF8: read_reference(b, u->begin, dwarf_fixed(b, 8), out); break;
	case FORM_REF_UDATA: read_reference(b, u->begin, dwarf_uleb(b), out); break;
	case FORM_FLAG_PRESENT: out->number = 1; break;
	default: return false;
	}
	return !b->failed;
}

static void take_constant(struct debug_die *d, const struct dwarf_bytes *b, const struct form_value *v)
{
	d->constant = v->number;
	if (v->is_block && v->bytes <= 8)
		memcpy(&d->constant, b->section->bytes + v->at, v->bytes);
	if (!v->is_block || v->bytes <= 8)
		d->has |= DEBUG_HAS_CONSTANT;
}

/* --- entries ------------------------------------------------------------------------------------------------------ */

/* Where the next entry belongs. */
struct tree {
	int parent[DEPTH_MAX], last[DEPTH_MAX]; /* last: the child that was read before */
	int depth;
};

static bool read_die(struct arena *arena, struct debug_dwarf *dwarf, const struct dwarf_unit *u, struct dwarf_bytes *b,
	struct tree *t)
{
	size_t at = b->at;
	uint64_t code = dwarf_uleb(b);
	if (!code) {
		t->depth--;
		return true;
	}
	if (code > u->table.n || dwarf->n >= DIES_MAX)
		return false;
	const struct abbrev *a = &u->table.at[code - 1];
	int number = dwarf->n;
	struct debug_die *d = vec_push_in(arena, dwarf->dies, dwarf->n, dwarf->cap);
	*d = (struct debug_die){
		.at = at, .tag = (uint16_t)a->tag, .parent = -1, .child = -1, .next = -1, .type = -1, .origin = -1};
	for (size_t i = 0; i < a->n; i++) {
		const struct attribute *one = &u->table.attributes[a->first + i];
		struct form_value v;
		if (!read_form(b, &dwarf->sections[PTX_SECTION_STR], u, one->form, &v))
			return false;

		switch (one->name) {
		case 0x02:
			d->has |= v.is_block ? DEBUG_HAS_LOCATION : DEBUG_HAS_LIST;
			d->location = v.is_block ? v.at : (size_t)v.number;
			d->location_bytes = v.bytes;
			break;
		case 0x03: d->name = v.text; break;
		case 0x0b:
			d->size = v.number;
			d->has |= DEBUG_HAS_SIZE;
			break;
		case 0x0d: d->has |= DEBUG_HAS_BITS; break;
		case 0x11:
			d->low = v.number;
			d->has |= DEBUG_HAS_RANGE;
			break;
		case 0x12:
			d->high = v.number;
			d->has |= v.is_address ? 0 : DEBUG_HAS_HIGH_OFFSET;
			break;
		case 0x1c: take_constant(d, b, &v); break;
		case 0x2f: /* upper bound */
			d->constant = v.number + 1;
			d->has |= DEBUG_HAS_CONSTANT;
			break;
		case 0x37: take_constant(d, b, &v); break;
		case 0x31: /* abstract origin, or specification */
		case 0x47: d->origin_at = v.is_reference ? (size_t)v.number : 0; break;
		case 0x33: d->address_class = (uint8_t)v.number; break;
		case 0x38: {
			/* A member's place as an expression: plus_uconst N. */
			struct dwarf_bytes inside = dwarf_bytes_of(b->section, v.at);
			if (!v.is_block)
				d->offset = v.number;
			else
				d->offset = dwarf_fixed(&inside, 1) == DWARF_OP_PLUS_UCONST ? dwarf_uleb(&inside) : 0;
			break;
		}
		case 0x3e: d->encoding = (uint8_t)v.number; break;
		case 0x49: d->type_at = v.is_reference ? (size_t)v.number : 0; break;
		default: break;
		}
	}
	if (d->has & DEBUG_HAS_HIGH_OFFSET)
		d->high += d->low;

	int parent = t->parent[t->depth], last = t->last[t->depth];
	dwarf->dies[number].parent = parent;
	if (last >= 0)
		dwarf->dies[last].next = number;
	else if (parent >= 0)
		dwarf->dies[parent].child = number;
	t->last[t->depth] = number;

	if (a->children && ++t->depth < DEPTH_MAX) {
		t->parent[t->depth] = number;
		t->last[t->depth] = -1;
	}
	return t->depth < DEPTH_MAX;
}

/* The entry at an offset, -1: there is none that begins there. */
static int die_at(const struct debug_dwarf *dwarf, size_t at)
{
	int low = 0, high = dwarf->n;
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (dwarf->dies[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return at && low < dwarf->n && dwarf->dies[low].at == at ? low : -1;
}

const struct debug_dwarf *debug_dwarf_read(struct arena *arena, const struct ptx_module *module)
{
	struct debug_dwarf *dwarf = arena_alloc(arena, sizeof *dwarf);
	struct table table = {.read = false};
	*dwarf = (struct debug_dwarf){.n = 0};
	if (!ptx_sections_read(arena, module, dwarf->sections))
		return NULL;
	struct dwarf_bytes b = dwarf_bytes_of(&dwarf->sections[PTX_SECTION_INFO], 0);
	while (b.end - b.at > 11) {
		struct dwarf_unit u = {.begin = b.at};
		uint64_t length = dwarf_fixed(&b, 4);
		struct tree t = {.parent = {-1}, .last = {-1}};
		if (length > b.end - b.at)
			length = b.end - b.at; /* nvcc counts a byte too many, or pads */
		u.end = b.at + (size_t)length;
		u.version = (uint16_t)dwarf_fixed(&b, 2);
		size_t abbrevs = (size_t)dwarf_fixed(&b, 4);
		u.address_bytes = (uint8_t)dwarf_fixed(&b, 1);
		if (b.failed || u.version < 2 || u.version > 4 || u.address_bytes != 8)
			return NULL;
		if ((!table.read || table.offset != abbrevs) &&
			!read_table(arena, &dwarf->sections[PTX_SECTION_ABBREV], abbrevs, &table))
			return NULL;
		u.table = table;
		do {
			if (!read_die(arena, dwarf, &u, &b, &t))
				return NULL;
		} while (b.at < u.end && t.depth > 0);
		b.at = u.end;
		if (b.failed)
			return NULL;
	}
	for (int i = 0; i < dwarf->n; i++) {
		dwarf->dies[i].type = die_at(dwarf, dwarf->dies[i].type_at);
		dwarf->dies[i].origin = die_at(dwarf, dwarf->dies[i].origin_at);
	}
	return dwarf->n ? dwarf : NULL;
}

int debug_dwarf_scope(const struct debug_dwarf *dwarf, uint64_t address)
{
	int found = -1;
	for (int i = 0; i < dwarf->n; i++) {
		const struct debug_die *d = &dwarf->dies[i];
		bool scope = d->tag == DEBUG_TAG_FUNCTION || d->tag == DEBUG_TAG_BLOCK || d->tag == DEBUG_TAG_INLINED;
		if (scope && (d->has & DEBUG_HAS_RANGE) && d->low <= address && address < d->high)
			found = i; /* those inside come after */
	}
	return found;
}

/* --- types -------------------------------------------------------------------------------------------------------- */

/* Types of debug information. */

#define STEPS_MAX 64 /* from a type to what it is made of; a circle ends there */

static bool is_alias(int tag)
{
	return tag == DEBUG_TAG_TYPEDEF || tag == DEBUG_TAG_CONST || tag == DEBUG_TAG_VOLATILE ||
		tag == DEBUG_TAG_RESTRICT;
}

int debug_dwarf_type(const struct debug_dwarf *dwarf, int type)
{
	for (int i = 0; type >= 0 && is_alias(dwarf->dies[type].tag); i++)
		type = i < STEPS_MAX ? dwarf->dies[type].type : -1;
	return type;
}

const char *debug_dwarf_name(const struct debug_dwarf *dwarf, int die)
{
	for (int i = 0; die >= 0 && i < STEPS_MAX; i++) {
		if (dwarf->dies[die].name)
			return dwarf->dies[die].name;
		die = dwarf->dies[die].origin;
	}
	return NULL;
}

int debug_dwarf_type_of(const struct debug_dwarf *dwarf, int die)
{
	for (int i = 0; die >= 0 && i < STEPS_MAX; i++) {
		if (dwarf->dies[die].type >= 0)
			return dwarf->dies[die].type;
		die = dwarf->dies[die].origin;
	}
	return -1;
}

/* --- sizes -------------------------------------------------------------------------------------------------------- */

uint64_t debug_dwarf_count(const struct debug_dwarf *dwarf, int type, int dimension, int *dimensions)
{
	uint64_t count = 0;
	*dimensions = 0;
	for (int i = dwarf->dies[type].child; i >= 0; i = dwarf->dies[i].next) {
		if (dwarf->dies[i].tag != DEBUG_TAG_SUBRANGE)
			continue;
		if (*dimensions == dimension)
			count = dwarf->dies[i].has & DEBUG_HAS_CONSTANT ? dwarf->dies[i].constant : 0;
		++*dimensions;
	}
	return count;
}

uint64_t debug_dwarf_size(const struct debug_dwarf *dwarf, int type)
{
	uint64_t times = 1;
	for (int step = 0; step < STEPS_MAX; step++) {
		type = debug_dwarf_type(dwarf, type);
		if (type < 0)
			return 0;
		const struct debug_die *d = &dwarf->dies[type];
		bool is_address = d->tag == DEBUG_TAG_POINTER || d->tag == DEBUG_TAG_REFERENCE ||
			d->tag == DEBUG_TAG_RVALUE;
		if (d->has & DEBUG_HAS_SIZE || is_address) {
			uint64_t size = d->has & DEBUG_HAS_SIZE ? d->size : 8;
			return __builtin_mul_overflow(size, times, &size) ? 0 : size;
		}
		if (d->tag != DEBUG_TAG_ARRAY)
			return 0;
		for (int i = 0, n = 1; i < n; i++)
			if (__builtin_mul_overflow(times, debug_dwarf_count(dwarf, type, i, &n), &times))
				return 0;
		type = d->type;
	}
	return 0;
}

/* --- names -------------------------------------------------------------------------------------------------------- */

static void write_type(const struct debug_dwarf *dwarf, int type, int depth, struct buf *out)
{
	const struct debug_die *d = type >= 0 && depth < STEPS_MAX ? &dwarf->dies[type] : NULL;
	if (!d) {
		buf_puts(out, "void");
		return;
	}
	switch (d->tag) {
	case DEBUG_TAG_POINTER:
	case DEBUG_TAG_REFERENCE:
	case DEBUG_TAG_RVALUE:
		write_type(dwarf, d->type, depth + 1, out);
		buf_puts(out, out->len && out->data[out->len - 1] == '*' ? "" : " ");
		buf_puts(out, d->tag == DEBUG_TAG_POINTER ? "*" : d->tag == DEBUG_TAG_REFERENCE ? "&" : "&&");
		break;
	case DEBUG_TAG_CONST:
	case DEBUG_TAG_VOLATILE:
		buf_puts(out, d->tag == DEBUG_TAG_CONST ? "const " : "volatile ");
		write_type(dwarf, d->type, depth + 1, out);
		break;
	case DEBUG_TAG_RESTRICT: write_type(dwarf, d->type, depth + 1, out); break;
	case DEBUG_TAG_ARRAY:
		write_type(dwarf, d->type, depth + 1, out);
		for (int i = 0, n = 1; i < n; i++) {
			uint64_t count = debug_dwarf_count(dwarf, type, i, &n);
			if (i < n && count)
				buf_printf(out, "[%llu]", (unsigned long long)count);
			else if (i < n)
				buf_puts(out, "[]");
		}
		break;
	default:
		if (debug_dwarf_name(dwarf, type))
			buf_puts(out, debug_dwarf_name(dwarf, type));
		else
			buf_printf(out, "%s {...}",
				d->tag == DEBUG_TAG_ENUM            ? "enum"
					: d->tag == DEBUG_TAG_UNION ? "union"
								    : "struct");
		break;
	}
}

void debug_dwarf_write_type(const struct debug_dwarf *dwarf, int type, struct buf *out)
{
	write_type(dwarf, type, 0, out);
}

/* --- where variables are: location expressions and lists ---------------------------------------------------------- */

/* Where variables are: location expressions and lists. */

enum {
	OP_ADDR = 0x03,
	OP_CONST1U = 0x08,
	OP_CONST1S = 0x09,
	OP_CONST2U = 0x0a,
	OP_CONST2S = 0x0b,
	OP_CONST4U = 0x0c,
	OP_CONST4S = 0x0d,
	OP_CONST8U = 0x0e,
	OP_CONST8S = 0x0f,
	OP_CONSTU = 0x10,
	OP_CONSTS = 0x11,
	OP_LIT0 = 0x30,
	OP_LIT31 = 0x4f,
	OP_REGX = 0x90,
	OP_BREGX = 0x92,
	OP_PIECE = 0x93,
	OP_IMPLICIT_VALUE = 0x9e,
	OP_STACK_VALUE = 0x9f,
};

/* A register's name is its number, letter by letter; false: it is none. */
static bool take_register(uint64_t number, struct debug_piece *piece)
{
	int n = 0;
	for (int shift = 56; shift >= 0; shift -= 8) {
		char c = (char)(number >> shift);
		if (c)
			piece->reg[n++] = c;
		else if (n)
			return false;
	}
	piece->reg[n] = '\0';
	piece->name = NULL;
	return n > 0;
}

static bool read_constant_op(struct dwarf_bytes *b, uint8_t op, uint64_t *value)
{
	static const struct {
		uint8_t op, bytes;
		bool is_signed;
	} fixed[] = {{OP_CONST1U, 1, false}, {OP_CONST1S, 1, true}, {OP_CONST2U, 2, false}, {OP_CONST2S, 2, true},
		{OP_CONST4U, 4, false}, {OP_CONST4S, 4, true}, {OP_CONST8U, 8, false}, {OP_CONST8S, 8, false}};
	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
		if (fixed[i].op != op)
			continue;
		int unused = 64 - 8 * fixed[i].bytes;
		*value = dwarf_fixed(b, fixed[i].bytes);
		if (fixed[i].is_signed)
			*value = (uint64_t)((int64_t)(*value << unused) >> unused);
		return true;
	}
	if (op >= OP_LIT0 && op <= OP_LIT31)
		*value = (uint64_t)(op - OP_LIT0);
	else if (op == OP_CONSTU)
		*value = dwarf_uleb(b);
	else if (op == OP_CONSTS)
		*value = (uint64_t)dwarf_sleb(b);
	else
		return false;
	return true;
}

/* One operation: it says where the piece is, or goes on from what is there. False: it is not understood. */
static bool take_op(struct dwarf_bytes *b, uint8_t op, struct debug_piece *p)
{
	if (read_constant_op(b, op, &p->value)) {
		p->kind = DEBUG_PIECE_VALUE;
		return true;
	}
	switch (op) {
	case OP_ADDR:
		p->kind = DEBUG_PIECE_MEMORY;
		p->name = ptx_section_symbol(b->section, b->at);
		p->value = dwarf_fixed(b, 8);
		return true;
	case DWARF_OP_PLUS_UCONST:
		p->value += dwarf_uleb(b);
		return p->kind == DEBUG_PIECE_MEMORY || p->kind == DEBUG_PIECE_VALUE;
	case OP_REGX: p->kind = DEBUG_PIECE_REGISTER; return take_register(dwarf_uleb(b), p);
	case OP_BREGX:
		p->kind = DEBUG_PIECE_MEMORY;
		p->from_register = true;
		return take_register(dwarf_uleb(b), p) && (p->value = (uint64_t)dwarf_sleb(b), true);
	case OP_STACK_VALUE: return p->kind == DEBUG_PIECE_VALUE;
	case OP_IMPLICIT_VALUE: {
		uint64_t bytes = dwarf_uleb(b);
		p->kind = DEBUG_PIECE_VALUE;
		p->value = bytes <= 8 ? dwarf_fixed(b, (uint32_t)bytes) : 0;
		return bytes <= 8;
	}
	default: return false;
	}
}

static const struct debug_piece lost = {.kind = DEBUG_PIECE_LOST, .bytes = UINT64_MAX};

static int read_expression(struct dwarf_bytes b, struct debug_piece out[DEBUG_PIECES_MAX])
{
	int n = 0;
	bool open = false; /* operations that no piece has ended */
	out[0] = lost;
	while (b.at < b.end && !b.failed) {
		uint8_t op = (uint8_t)dwarf_fixed(&b, 1);
		if (op == OP_PIECE) {
			out[n++].bytes = dwarf_uleb(&b);
			open = false;
			if (n == DEBUG_PIECES_MAX)
				return b.failed || b.at < b.end ? -1 : n;
			out[n] = lost;
			continue;
		}
		if (!take_op(&b, op, &out[n]))
			return -1;
		open = true;
	}
	return b.failed ? -1 : n + open;
}

int debug_dwarf_locate(
	const struct debug_dwarf *dwarf, int variable, uint64_t address, struct debug_piece out[DEBUG_PIECES_MAX])
{
	const struct debug_die *d = &dwarf->dies[variable];
	const struct ptx_section *info = &dwarf->sections[PTX_SECTION_INFO];
	if (d->has & DEBUG_HAS_LIST) {
		/* Of a list: pairs of addresses, each with an expression, up to a pair of zeros. They are labels of
		 * code, which NVPTX's compilers mean as they stand, whatever address the unit begins at. */
		struct dwarf_bytes b = dwarf_bytes_of(&dwarf->sections[PTX_SECTION_LOC], d->location);
		while (!b.failed) {
			uint64_t low = dwarf_fixed(&b, 8), high = dwarf_fixed(&b, 8);
			if (!low && !high)
				return 0;
			size_t bytes = (size_t)dwarf_fixed(&b, 2);
			struct dwarf_bytes inside = b;
			dwarf_skip(&b, bytes);
			inside.end = b.at;
			if (!b.failed && low <= address && address < high)
				return read_expression(inside, out);
		}
		return -1;
	}
	if (d->has & DEBUG_HAS_CONSTANT) {
		out[0] = (struct debug_piece){.kind = DEBUG_PIECE_VALUE, .bytes = UINT64_MAX, .value = d->constant};
		return 1;
	}
	struct dwarf_bytes b = dwarf_bytes_of(info, d->location);
	if (!(d->has & DEBUG_HAS_LOCATION) || d->location_bytes > info->size - d->location)
		return 0;
	b.end = d->location + d->location_bytes;
	return read_expression(b, out);
}
