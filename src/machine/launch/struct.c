/* Structs and addresses: what an argument is made of, where C says it lies. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/launch/parser.h"

#define ADDRESS_BYTES 8

size_t launch_name_length(const char *at)
{
	size_t len = 0;
	if (isdigit((unsigned char)*at))
		return 0;
	while (isalnum((unsigned char)at[len]) || at[len] == '_')
		len++;
	return len;
}

/* The argument is an address, that of what `pointer` names. */
static bool become_address(struct parser *p, struct launch_arg *out, struct launch_pointer pointer)
{
	out->type = LAUNCH_B64;
	out->count = 1;
	out->fill = LAUNCH_VALUES;
	out->bytes = arena_alloc(p->arena, ADDRESS_BYTES);
	out->align = ADDRESS_BYTES;
	pointer.member = p->members;
	*vec_push(p->pointers, p->n_pointers, p->cap_pointers) = pointer;
	return true;
}

bool launch_parse_function(struct parser *p, struct launch_arg *out)
{
	/* up to the end, as in "scale<float>(float)": only a parenthesis that was opened closes */
	const char *start = p->at;
	int open = 0;
	for (; *p->at && !(p->depth && !open && (*p->at == ';' || *p->at == ')')); p->at++)
		open += (*p->at == '(') - (*p->at == ')');
	const char *end = p->at;
	while (end > start && isspace((unsigned char)end[-1]))
		end--;
	if (end == start)
		return launch_fail(p, start, "expected the name of a function");
	const char *name = arena_strndup(p->arena, start, (size_t)(end - start));
	return become_address(p, out, (struct launch_pointer){.to = LAUNCH_TO_FUNCTION, .name = name});
}

bool launch_parse_reference(struct parser *p, struct launch_arg *out)
{
	size_t len = launch_name_length(p->at);
	const char *name = arena_strndup(p->arena, p->at, len);
	p->at += len;
	return become_address(p, out, (struct launch_pointer){.to = LAUNCH_TO_NAMED, .name = name});
}

/* --- structs ------------------------------------------------------------------------------------------------------ */

struct layout {
	struct buf bytes;
	uint32_t align;
};

static bool pad_to(const struct parser *p, struct layout *l, uint32_t align)
{
	size_t over = l->bytes.len % align;
	buf_pad(&l->bytes, '\0', over ? (int)(align - over) : 0);
	l->align = align > l->align ? align : l->align;
	return l->bytes.len <= LAUNCH_STRUCT_MAX ||
		launch_fail(p, p->at, "a struct has at most %d bytes", LAUNCH_STRUCT_MAX);
}

static bool parse_members(struct parser *p, struct layout *l)
{
	do {
		launch_skip_blanks(p);
		if (*p->at == ')' && l->bytes.len)
			break; /* after a last ';', as in C */

		struct launch_arg member = {0};
		uint32_t align = 1;
		int first_pointer = p->n_pointers;
		launch_skip_blanks(p);
		const char *start = p->at, *name;

		/* `@16 ` before a member: where it is aligned to more than its type, as the members of float4. */
		uint64_t asked;
		if (launch_accept(p, "@")) {
			if (!launch_parse_magnitude(p, &asked))
				return false;
			if (asked < 1 || asked > 128 || (asked & (asked - 1)))
				return launch_fail(p, start + 1, "an alignment is a power of two from 1 to 128 bytes");
			align = align > asked ? align : (uint32_t)asked;
			launch_skip_blanks(p);
		}

		if (!launch_parse_name(p, &name))
			return false;
		bool is_struct = *p->at == '(';
		if (!launch_parse_value(p, &member))
			return false;
		if (name && !member.buffer)
			return launch_fail(p, start, "only a buffer can be given a name");
		member.name = name;
		uint32_t own = member.buffer ? ADDRESS_BYTES : member.align;
		align = align > own ? align : own;
		bool ok = pad_to(p, l, align);
		if (ok) {
			/* The bytes of a member, and where its addresses go. */
			size_t offset = l->bytes.len, bytes = member.buffer ? ADDRESS_BYTES : launch_arg_bytes(&member);
			if (bytes > LAUNCH_STRUCT_MAX - offset) {
				ok = launch_fail(p, p->at, "a struct has at most %d bytes", LAUNCH_STRUCT_MAX);
			} else if (member.buffer) {
				struct launch_arg *buffer = arena_array(p->arena, struct launch_arg, 1);
				*buffer = member;
				/* the addresses in a struct that is pointed to are its own */
				buffer->n_pointers = p->n_pointers - first_pointer;
				buffer->pointers = arena_array(
					p->arena, struct launch_pointer, (size_t)buffer->n_pointers + 1);
				if (buffer->n_pointers)
					memcpy(buffer->pointers, p->pointers + first_pointer,
						(size_t)buffer->n_pointers * sizeof *buffer->pointers);
				p->n_pointers = first_pointer;
				*vec_push(p->pointers, p->n_pointers, p->cap_pointers) = (struct launch_pointer){
					.offset = offset,
					.to = LAUNCH_TO_BUFFER,
					.buffer = buffer,
					.member = p->members};
				buf_pad(&l->bytes, '\0', ADDRESS_BYTES);
			} else {
				for (int i = first_pointer; i < p->n_pointers; i++)
					p->pointers[i].offset += offset;
				buf_append(&l->bytes, member.bytes, bytes);
			}
		}
		p->members += !is_struct;
		launch_skip_blanks(p);
		if (!ok)
			return false;
	} while (launch_accept(p, ";"));
	return launch_accept(p, ")") || launch_fail(p, p->at, "expected ';' and the next member, or ')'");
}

bool launch_parse_struct(struct parser *p, struct launch_arg *out)
{
	struct layout l = {.align = 1};
	if (p->depth == PARSER_DEPTH_MAX)
		return launch_fail(p, p->at, "structs are nested at most %d deep", PARSER_DEPTH_MAX);
	p->depth++;
	bool ok = parse_members(p, &l) && pad_to(p, &l, l.align);
	p->depth--;
	if (ok) {
		out->type = LAUNCH_B8;
		out->fill = LAUNCH_VALUES;
		out->is_struct = true;
		out->count = l.bytes.len;
		out->align = l.align;
		out->bytes = memcpy(arena_alloc(p->arena, l.bytes.len), l.bytes.data, l.bytes.len);
	}
	buf_free(&l.bytes);
	return ok;
}
