/* The functions of CUDA's device runtime that a kernel can call. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/mem.h"
#include "machine/simt/memory.h"
#include "machine/simt/run.h"
#include "machine/simt/undefined.h"
#include "machine/simt/warp_state.h"

/* --- printf's format ---------------------------------------------------------------------------------------------- */

/* CUDA C++ Programming Guide, "Formatted Output": the conversions of C but %n, with flags, width and precision. The arguments are
 * in memory one after the other, each aligned to its size: 4 bytes for int and shorter, 8 for double, pointers and what l, ll, z, j
 * or t stand before. */

/* The memory of the thread that prints. False: there is none at the address. */
typedef bool format_read_fn(void *ctx, uint64_t address, void *to, size_t bytes);

struct format_thread {
	void *ctx;
	format_read_fn *read;
	uint64_t format, args; /* addresses */
	uint64_t bad;          /* out: an address without memory */
	uint64_t work;         /* out: characters read and written */
};

#define FIELD_MAX 4096 /* of a width or a precision */
#define SPEC_MAX 64    /* characters of one conversion */

struct conversion {
	char text[SPEC_MAX]; /* as written, for what is none */
	size_t len;
	char flags[6];        /* each once */
	int width, precision; /* -1: not given */
	int bytes;            /* of a whole number in memory: 4 or 8 */
	int narrow;           /* bytes it is cut to: 1, 2 or 4 by hh, h and nothing; 8 */
	char letter;          /* '\0': this is not a conversion */
};

struct printer {
	struct format_thread *thread;
	struct buf *out;
	uint64_t at;  /* next character of the format */
	uint64_t arg; /* offset of the next argument */
	int taken;
	bool failed;
};

/* --- reading ------------------------------------------------------------------------------------------------------ */

static void read_bytes(struct printer *p, uint64_t address, void *to, size_t bytes)
{
	memset(to, 0, bytes);
	p->thread->work += bytes;
	if (p->failed || p->thread->read(p->thread->ctx, address, to, bytes))
		return;
	p->thread->bad = address;
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
	read_bytes(p, p->thread->args + p->arg, &value, (size_t)bytes); /* little endian */
	p->arg += (uint64_t)bytes;
	p->taken++;
	return value;
}

/* --- one conversion ------------------------------------------------------------------------------------------------ */

static char take(struct printer *p, struct conversion *c)
{
	char next = next_char(p);
	if (c->len < SPEC_MAX && next)
		c->text[c->len++] = next;
	return next;
}

static char take_flags(struct printer *p, struct conversion *c)
{
	char next = take(p, c);
	for (; next && strchr("-+ #0", next); next = take(p, c)) {
		if (!strchr(c->flags, next))
			c->flags[strlen(c->flags)] = next;
	}
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

static char take_length(struct printer *p, struct conversion *c, char next)
{
	int halves = 0;
	for (; next && strchr("hlLzjt", next); next = take(p, c)) {
		halves += next == 'h';
		if (next != 'h')
			c->bytes = 8;
	}
	c->narrow = c->bytes == 8 ? 8 : halves > 1 ? 1 : halves ? 2 : 4;
	return next;
}

/* After the percent sign. */
static struct conversion read_conversion(struct printer *p)
{
	struct conversion c = {.text = "%", .len = 1, .width = -1, .precision = -1, .bytes = 4};
	char next = take_field(p, &c, take_flags(p, &c), &c.width);
	if (c.width < -1) { /* as `*` can give it; C11 7.21.6.1: a negative one is the flag - and a width */
		c.width = -c.width;
		if (!strchr(c.flags, '-'))
			c.flags[strlen(c.flags)] = '-';
	}
	if (next == '.') {
		c.precision = 0;
		next = take_field(p, &c, take(p, &c), &c.precision);
	}
	next = take_length(p, &c, next);
	c.letter = next && strchr("diouxXcspeEfFgGaA%", next) ? next : '\0';
	return c;
}

/* --- printing ------------------------------------------------------------------------------------------------------ */

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

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void put_whole(struct printer *p, const struct conversion *c)
{
	char spec[SPEC_MAX];
	uint64_t value = next_argument(p, c->bytes);
	unsigned cut = 64 - 8 * (unsigned)c->narrow;

	spec_of(c, "ll", spec, sizeof spec);
	if (c->letter == 'd' || c->letter == 'i')
		buf_printf(p->out, spec, (long long)((int64_t)(value << cut) >> cut));
	else
		buf_printf(p->out, spec, (unsigned long long)(value << cut >> cut));
}

static void put_float(struct printer *p, const struct conversion *c)
{
	char spec[SPEC_MAX];
	uint64_t bits = next_argument(p, 8);
	double value;
	memcpy(&value, &bits, sizeof value);
	spec_of(c, "", spec, sizeof spec);
	buf_printf(p->out, spec, value);
}

static void put_pointer(struct printer *p, const struct conversion *c)
{
	char spec[SPEC_MAX];
	uint64_t value = next_argument(p, 8);
	spec_of(c, "", spec, sizeof spec);
	buf_printf(p->out, spec, (void *)(uintptr_t)value);
}

#pragma GCC diagnostic pop

static void put_padded(struct printer *p, const struct conversion *c, const char *text, size_t len)
{
	int blanks = c->width > (int)len ? c->width - (int)len : 0;
	bool left = strchr(c->flags, '-') != NULL;
	buf_pad(p->out, ' ', left ? 0 : blanks);
	buf_append(p->out, text, len);
	buf_pad(p->out, ' ', left ? blanks : 0);
}

static void put_text(struct printer *p, const struct conversion *c, size_t room)
{
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
}

static void put_char(struct printer *p, const struct conversion *c)
{
	char value = (char)next_argument(p, 4);
	put_padded(p, c, &value, 1);
}

static void put_conversion(struct printer *p, const struct conversion *c, size_t room)
{
	switch (c->letter) {
	case '\0': buf_append(p->out, c->text, c->len); break;
	case '%': buf_putc(p->out, '%'); break;
	case 'c': put_char(p, c); break;
	case 's': put_text(p, c, room); break;
	case 'p': put_pointer(p, c); break;
	case 'd':
	case 'i':
	case 'o':
	case 'u':
	case 'x':
	case 'X': put_whole(p, c); break;
	default: put_float(p, c); break;
	}
}

/* Appends what the thread prints, at most about `room` bytes of it. Returns how many arguments it took, -1 when `bad` says
 * what could not be read. What is not a conversion is printed as it stands. */
static int simt_format_print(struct format_thread *thread, size_t room, struct buf *out)
{
	struct printer p = {.thread = thread, .out = out, .at = thread->format};
	size_t before = out->len;
	char next;

	while (!p.failed && out->len - before < room && (next = next_char(&p))) {
		if (next != '%') {
			buf_putc(out, next);
			continue;
		}
		struct conversion c = read_conversion(&p);
		if (!p.failed)
			put_conversion(&p, &c, room);
	}
	thread->work += out->len - before;
	return p.failed ? -1 : p.taken;
}

#define TEXT_MAX 96                   /* of what an assertion says, each part */
#define WORK_MAX ((uint64_t)64 << 20) /* characters read and written to print, for a launch */

struct thread {
	struct warp *w;
	const struct code *c;
	int lane;
};

static bool read_thread(void *ctx, uint64_t address, void *to, size_t bytes)
{
	const struct thread *t = ctx;
	if (t->w->undefined)
		simt_undefined_print(t->w, t->c, t->lane, address, (uint32_t)bytes);
	const void *from = simt_mem_read(t->w, t->lane, address, bytes);
	if (from)
		memcpy(to, from, bytes);
	return from != NULL;
}

/* --- vprintf ------------------------------------------------------------------------------------------------------ */

/* Appends what the lane prints; when something cannot be read, that is a defect, and the call gives -1. */
static void print_lane(struct warp *w, const struct code *c, int lane, size_t room, struct buf *out)
{
	struct thread t = {w, c, lane};
	struct format_thread thread = {.ctx = &t,
		.read = read_thread,
		.format = simt_call_argument(w, c, 0, lane),
		.args = simt_call_argument(w, c, 1, lane)};
	int taken = thread.format ? simt_format_print(&thread, room, out) : -1;

	w->m->result->print_work += thread.work;
	if (taken < 0 && thread.format)
		simt_fault(w, c, (struct fault){.kind = SIMT_OUT_OF_BOUNDS, .lanes = 1u << lane, .address = thread.bad},
			"printf reads 0x%" PRIx64 ", where there is no memory", thread.bad);
	simt_call_result(w, c, lane, (uint64_t)(int64_t)taken);
}

static void hand_over(struct machine *m, const struct buf *text)
{
	uint64_t room = m->result->printed < SIMT_PRINT_MAX ? SIMT_PRINT_MAX - m->result->printed : 0;
	m->result->printed += text->len;
	if (room && text->len && m->listener->print)
		m->listener->print(m->listener->ctx, buf_str(text), text->len < room ? text->len : (size_t)room);
}

EXEC(print)
{
	struct buf text = {0};
	if (!simt_team_alone(w->m))
		return;
	for (uint32_t rest = mask; rest && !w->m->stop; rest &= rest - 1)
		print_lane(w, c, __builtin_ctz(rest), SIMT_PRINT_MAX / WARP_SIZE, &text);
	hand_over(w->m, &text);
	buf_free(&text);
	if (!w->m->stop && w->m->result->print_work > WORK_MAX)
		simt_limit_at(w, c, "the kernel prints more than %u MiB", (unsigned)(WORK_MAX >> 20));
}

/* --- assertions --------------------------------------------------------------------------------------------------- */

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
