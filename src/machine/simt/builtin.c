/* The functions of CUDA's device runtime that a kernel can call. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/mem.h"
#include "machine/simt/memory.h"
#include "machine/simt/run.h"
#include "machine/simt/undefined.h"
#include "machine/simt/warp_state.h"

/* --- printf ------------------------------------------------------------------------------------------------------- */

/* CUDA C++ Programming Guide, "Formatted Output": the conversions of C but %n, with flags, width and precision. The
 * arguments are in memory one after the other, each aligned to its size: 4 bytes for int and shorter, 8 for double,
 * pointers and what l, ll, z, j or t stand before. What is not a conversion is printed as it stands. */

#define FIELD_MAX 4096                /* of a width or a precision */
#define SPEC_MAX 64                   /* characters of one conversion */
#define WORK_MAX ((uint64_t)64 << 20) /* characters read and written to print, for a launch */

struct conversion {
	char text[SPEC_MAX]; /* as written, for what is none */
	size_t len;
	char flags[6];        /* each once */
	int width, precision; /* -1: not given */
	int bytes;            /* of a whole number in memory: 4 or 8 */
	int narrow;           /* bytes it is cut to: 1, 2 or 4 by hh, h and nothing; 8 */
	char letter;          /* '\0': this is not a conversion */
};

/* One lane's call. */
struct printer {
	struct warp *w;
	const struct code *c;
	int lane;
	struct buf *out;
	uint64_t at;        /* address of the next character of the format */
	uint64_t args, arg; /* address of the arguments; offset of the next one */
	uint64_t work;      /* characters read */
	int taken;
	bool failed;
	uint64_t bad; /* if it has failed: an address without memory */
};

static void read_bytes(struct printer *p, uint64_t address, void *to, size_t bytes)
{
	memset(to, 0, bytes);
	p->work += bytes;
	if (p->failed)
		return;
	if (p->w->undefined)
		simt_undefined_print(p->w, p->c, p->lane, address, (uint32_t)bytes);
	const void *from = simt_mem_read(p->w, p->lane, address, bytes);
	if (from) {
		memcpy(to, from, bytes);
		return;
	}
	p->bad = address;
	p->failed = true;
}

/* The next character; '\0' at the end, and when it cannot be read. */
static char next_char(struct printer *p)
{
	char c;
	read_bytes(p, p->at, &c, 1);
	p->at += c != '\0';
	return c;
}

static uint64_t next_argument(struct printer *p, int bytes)
{
	uint64_t value = 0;
	p->arg = (p->arg + (uint64_t)bytes - 1) / (uint64_t)bytes * (uint64_t)bytes;
	read_bytes(p, p->args + p->arg, &value, (size_t)bytes); /* little endian */
	p->arg += (uint64_t)bytes;
	p->taken++;
	return value;
}

/* The next character of a conversion. */
static char take(struct printer *p, struct conversion *c)
{
	char next = next_char(p);
	if (c->len < SPEC_MAX && next)
		c->text[c->len++] = next;
	return next;
}

/* A number or `*`; `next` is its first character. Returns the character after it. */
static char take_field(struct printer *p, struct conversion *c, char next, int *field)
{
	if (next == '*') {
		int32_t value = (int32_t)next_argument(p, 4);
		*field = value > FIELD_MAX ? FIELD_MAX : value < -FIELD_MAX ? -FIELD_MAX : value;
		return take(p, c);
	}
	for (; next >= '0' && next <= '9'; next = take(p, c)) {
		*field = (*field < 0 ? 0 : *field) * 10 + (next - '0');
		*field = *field > FIELD_MAX ? FIELD_MAX : *field;
	}
	return next;
}

/* What follows a percent sign. */
static struct conversion read_conversion(struct printer *p)
{
	struct conversion c = {.text = "%", .len = 1, .width = -1, .precision = -1, .bytes = 4};
	int halves = 0;
	char next = take(p, &c);

	for (; next && strchr("-+ #0", next); next = take(p, &c))
		if (!strchr(c.flags, next))
			c.flags[strlen(c.flags)] = next;

	next = take_field(p, &c, next, &c.width);
	if (c.width < -1) { /* as `*` can give it; C11 7.21.6.1: a negative one is the flag - and a width */
		c.width = -c.width;
		if (!strchr(c.flags, '-'))
			c.flags[strlen(c.flags)] = '-';
	}
	if (next == '.') {
		c.precision = 0;
		next = take_field(p, &c, take(p, &c), &c.precision);
	}

	for (; next && strchr("hlLzjt", next); next = take(p, &c)) {
		halves += next == 'h';
		if (next != 'h')
			c.bytes = 8;
	}
	c.narrow = c.bytes == 8 ? 8 : halves > 1 ? 1 : halves ? 2 : 4;
	c.letter = next && strchr("diouxXcspeEfFgGaA%", next) ? next : '\0';
	return c;
}

/* The conversion for the host's printf. */
static void spec_of(const struct conversion *c, const char *size, char *spec, size_t room)
{
	char width[12] = "", precision[12] = "";
	if (c->width >= 0)
		snprintf(width, sizeof width, "%d", c->width);
	if (c->precision >= 0)
		snprintf(precision, sizeof precision, ".%d", c->precision);
	snprintf(spec, room, "%%%s%s%s%s%c", c->flags, width, precision, size, c->letter);
}

static void put_padded(struct printer *p, const struct conversion *c, const char *text, size_t len)
{
	int blanks = c->width > (int)len ? c->width - (int)len : 0;
	bool left = strchr(c->flags, '-') != NULL;
	buf_pad(p->out, ' ', left ? 0 : blanks);
	buf_append(p->out, text, len);
	buf_pad(p->out, ' ', left ? blanks : 0);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void put_conversion(struct printer *p, const struct conversion *c, size_t room)
{
	char spec[SPEC_MAX];

	switch (c->letter) {
	case '\0': buf_append(p->out, c->text, c->len); break;
	case '%': buf_putc(p->out, '%'); break;
	case 'c': {
		char value = (char)next_argument(p, 4);
		put_padded(p, c, &value, 1);
		break;
	}
	case 's': {
		uint64_t address = next_argument(p, 8);
		size_t most = c->precision >= 0 && (size_t)c->precision < room ? (size_t)c->precision : room;
		struct buf text = {0};
		char next;

		while (text.len < most) {
			read_bytes(p, address + text.len, &next, 1);
			if (!next)
				break;
			buf_putc(&text, next);
		}
		if (!p->failed)
			put_padded(p, c, buf_str(&text), text.len);
		buf_free(&text);
		break;
	}
	case 'p': {
		uint64_t value = next_argument(p, 8);
		spec_of(c, "", spec, sizeof spec);
		buf_printf(p->out, spec, (void *)(uintptr_t)value);
		break;
	}
	case 'd':
	case 'i':
	case 'o':
	case 'u':
	case 'x':
	case 'X': {
		uint64_t value = next_argument(p, c->bytes);
		unsigned cut = 64 - 8 * (unsigned)c->narrow;
		spec_of(c, "ll", spec, sizeof spec);
		if (c->letter == 'd' || c->letter == 'i')
			buf_printf(p->out, spec, (long long)((int64_t)(value << cut) >> cut));
		else
			buf_printf(p->out, spec, (unsigned long long)(value << cut >> cut));
		break;
	}
	default: {
		uint64_t bits = next_argument(p, 8);
		double value;
		memcpy(&value, &bits, sizeof value);
		spec_of(c, "", spec, sizeof spec);
		buf_printf(p->out, spec, value);
		break;
	}
	}
}

#pragma GCC diagnostic pop

/* Appends what the lane prints, at most about `room` bytes of it, and gives the call the number of arguments that it
 * took; -1 where something cannot be read, which is a defect. */
static void print_lane(struct warp *w, const struct code *c, int lane, size_t room, struct buf *out)
{
	uint64_t format = simt_call_argument(w, c, 0, lane);
	struct printer p = {.w = w,
		.c = c,
		.lane = lane,
		.out = out,
		.at = format,
		.args = simt_call_argument(w, c, 1, lane),
		.failed = !format};
	size_t before = out->len;
	char next;

	while (!p.failed && out->len - before < room && (next = next_char(&p))) {
		if (next != '%') {
			buf_putc(out, next);
			continue;
		}
		struct conversion conversion = read_conversion(&p);
		if (!p.failed)
			put_conversion(&p, &conversion, room);
	}
	w->m->result->print_work += p.work + (out->len - before);
	if (p.failed && format)
		simt_fault(w, c, (struct fault){.kind = SIMT_OUT_OF_BOUNDS, .lanes = 1u << lane, .address = p.bad},
			"printf reads 0x%" PRIx64 ", where there is no memory", p.bad);
	simt_call_result(w, c, lane, (uint64_t)(int64_t)(p.failed ? -1 : p.taken));
}

EXEC(print)
{
	struct simt_result *result = w->m->result;
	const struct simt_listener *listener = w->m->listener;
	struct buf text = {0};
	if (!simt_team_alone(w->m))
		return;
	for (uint32_t rest = mask; rest && !w->m->stop; rest &= rest - 1)
		print_lane(w, c, __builtin_ctz(rest), SIMT_PRINT_MAX / WARP_SIZE, &text);

	uint64_t room = result->printed < SIMT_PRINT_MAX ? SIMT_PRINT_MAX - result->printed : 0;
	result->printed += text.len;
	if (room && text.len && listener->print)
		listener->print(listener->ctx, buf_str(&text), text.len < room ? text.len : (size_t)room);
	buf_free(&text);
	if (!w->m->stop && result->print_work > WORK_MAX)
		simt_limit_at(w, c, "the kernel prints more than %u MiB", (unsigned)(WORK_MAX >> 20));
}

/* --- assertions --------------------------------------------------------------------------------------------------- */

#define TEXT_MAX 96 /* of what an assertion says, each part */

/* A string of the first lane, or its beginning. */
static void read_text(struct warp *w, uint64_t address, int lane, char text[TEXT_MAX])
{
	const char *c = "";
	size_t n = 0;
	while (n + 1 < TEXT_MAX && (c = simt_mem_read(w, lane, address + n, 1)) && *c)
		text[n++] = *c;
	text[n] = '\0';
}

EXEC(assert_fail)
{
	char condition[TEXT_MAX], file[TEXT_MAX], function[TEXT_MAX];
	int lane = __builtin_ctz(mask);
	read_text(w, simt_call_argument(w, c, 0, lane), lane, condition);
	read_text(w, simt_call_argument(w, c, 1, lane), lane, file);
	read_text(w, simt_call_argument(w, c, 3, lane), lane, function);
	simt_fault(w, c, (struct fault){.kind = SIMT_ASSERTION, .lanes = mask}, "`%s' failed in %s:%u, %s", condition,
		file, (unsigned)simt_call_argument(w, c, 2, lane), function);
}

/* --- the heap ----------------------------------------------------------------------------------------------------- */

EXEC(allocate)
{
	if (!simt_team_alone(w->m))
		return;
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int lane = __builtin_ctz(rest);
		simt_call_result(w, c, lane, simt_heap_alloc(w->m->memory, simt_call_argument(w, c, 0, lane)));
	}
}

EXEC(release)
{
	if (!simt_team_alone(w->m))
		return;
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int lane = __builtin_ctz(rest);
		uint64_t address = simt_call_argument(w, c, 0, lane);
		if (!address || simt_heap_free(w->m->memory, address))
			continue;
		simt_fault(w, c, (struct fault){.kind = SIMT_BAD_CALL, .lanes = rest & -rest, .address = address},
			"free of 0x%" PRIx64 ", which malloc did not return, or which was freed before", address);
		return;
	}
}

/* --- the table ---------------------------------------------------------------------------------------------------- */

exec_fn *simt_builtin_exec(enum ptx_builtin builtin)
{
	static exec_fn *const execs[PTX_BUILTINS] = {
		[PTX_BUILTIN_VPRINTF] = print,
		[PTX_BUILTIN_MALLOC] = allocate,
		[PTX_BUILTIN_FREE] = release,
		[PTX_BUILTIN_ASSERTFAIL] = assert_fail,
	};
	return execs[builtin] ? execs[builtin] : simt_math_exec(builtin);
}
