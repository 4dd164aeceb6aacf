/* The functions of CUDA's device runtime that a kernel can call. */
#include <inttypes.h>

#include "machine/simt/call.h"
#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/format.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/math.h"
#include "machine/simt/mem.h"
#include "machine/simt/memory.h"
#include "machine/simt/team.h"
#include "machine/simt/undefined.h"
#include "machine/simt/warp_state.h"

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
