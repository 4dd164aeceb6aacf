#include "config.h"
#include "model/probe/private.h"

#include <inttypes.h>
#include <string.h>

/* --- names -------------------------------------------------------------------------------------------------------- */

#define NUMBER_DIGITS 8 /* longer ones cannot be ours */

struct probe_weaver probe_weaver_for(const struct ptx_module *module, const struct probe_request *request)
{
	static const char stem[] = "probe";
	struct probe_weaver w = {.number = 0, .request = request};
	const char *end = module->text + module->text_len;

	for (const char *at = module->text; (at = memmem(at, (size_t)(end - at), stem, sizeof stem - 1));) {
		unsigned number = 0;
		int digits = 0;
		for (at += sizeof stem - 1; at < end && *at >= '0' && *at <= '9'; at++)
			number = digits++ < NUMBER_DIGITS ? number * 10 + (unsigned)(*at - '0') : 0;
		if (digits && number >= w.number)
			w.number = number + 1;
	}
	w.record_bytes = request->what == PROBE_ACCESSES ? ACCESS_BYTES : STAMP_BYTES;
	w.part_bytes = PART_HEAD + w.record_bytes * request->capacity;
	return w;
}

/* Appends the template: `$` stands for the stem of names, `#` for the number. */
static void weave(const struct probe_weaver *w, struct buf *out, const char *template, uint64_t number)
{
	for (const char *at = template; *at; at++) {
		if (*at == '$')
			buf_printf(out, "probe%u_", w->number);
		else if (*at == '#')
			buf_printf(out, "%" PRIu64, number);
		else
			buf_putc(out, *at);
	}
}

void probe_weave_variable(const struct probe_weaver *w, struct buf *out)
{
	weave(w, out, "\n.global .align 8 .u64 $shared;\n", 0);
}

void probe_weave_param(const struct probe_weaver *w, struct buf *out)
{
	weave(w, out, ".param .u64 $buffer", 0);
}

/* --- the beginning of a body -------------------------------------------------------------------------------------- */

static const char registers[] = "\n\t.reg .pred %$watched, %$first, %$mine, %$room, %$kept;\n"
				"\t.reg .b32 %$lanes, %$own, %$a, %$b, %$c, %$site;\n"
				"\t.reg .b64 %$part, %$x, %$y, %$clock, %$time;\n";

static const char *const buffer[] = {
	[WEAVE_ENTRY] = "\tld.param.u64 %$part, [$buffer];\n",
	[WEAVE_ENTRY_SHARES] = ("\tld.param.u64 %$part, [$buffer];\n"
				"\tst.volatile.global.u64 [$shared], %$part;\n"),
	[WEAVE_FUNCTION] = "\tld.global.u64 %$part, [$shared];\n",
};

static const char block[] = "\tcvta.to.global.u64 %$part, %$part;\n"
			    "\tmov.u32 %$a, %ctaid.z;\n"
			    "\tmov.u32 %$b, %nctaid.y;\n"
			    "\tmov.u32 %$c, %ctaid.y;\n"
			    "\tmad.lo.u32 %$a, %$a, %$b, %$c;\n"
			    "\tmov.u32 %$b, %nctaid.x;\n"
			    "\tmov.u32 %$c, %ctaid.x;\n"
			    "\tcvt.u64.u32 %$x, %$c;\n"
			    "\tmad.wide.u32 %$x, %$a, %$b, %$x;\n";

static const char warp[] = "\tmov.u32 %$a, %tid.z;\n"
			   "\tmov.u32 %$b, %ntid.y;\n"
			   "\tmov.u32 %$c, %tid.y;\n"
			   "\tmad.lo.u32 %$a, %$a, %$b, %$c;\n"
			   "\tmov.u32 %$b, %ntid.x;\n"
			   "\tmov.u32 %$c, %tid.x;\n"
			   "\tmad.lo.u32 %$a, %$a, %$b, %$c;\n"
			   "\tshr.u32 %$a, %$a, 5;\n";

void probe_weave_prologue(const struct probe_weaver *w, enum probe_weave_body body, struct buf *out)
{
	const struct probe_request *r = w->request;
	weave(w, out, registers, 0);
	weave(w, out, buffer[body], 0);
	weave(w, out, block, 0);
	weave(w, out, "\tsub.u64 %$x, %$x, #;\n", r->first_block);
	weave(w, out, "\tsetp.lt.u64 %$watched, %$x, #;\n", r->n_blocks);
	weave(w, out, warp, 0);
	weave(w, out, "\tsub.u32 %$a, %$a, #;\n", r->first_warp);
	weave(w, out, "\tsetp.lt.and.u32 %$watched, %$a, #, %$watched;\n", r->n_warps);
	weave(w, out, "\tcvt.u64.u32 %$y, %$a;\n\tmad.lo.u64 %$x, %$x, #, %$y;\n", r->n_warps);
	weave(w, out, "\tmad.lo.u64 %$part, %$x, #, %$part;\n", w->part_bytes);
}

/* --- a record ----------------------------------------------------------------------------------------------------- */

void probe_weave_keep_guard(
	const struct probe_weaver *w, const struct ptx_kernel *k, const struct ptx_instr *instr, struct buf *out)
{
	weave(w, out, "mov.pred %$kept, ", 0);
	buf_printf(out, "%s;\n\t", k->regs[instr->guard].name);
}

/* The lanes that the record is about, and which of them is the first. */
static void weave_lanes(const struct probe_weaver *w, const struct probe_weave_place *at, enum probe_weave_guard guard,
	uint32_t among, struct buf *out)
{
	const struct ptx_instr *instr = at->instr;
	weave(w, out, "activemask.b32 %$lanes;\n", 0);
	if (guard != WEAVE_ALL && instr->guard >= 0) {
		weave(w, out, "\tvote.sync.ballot.b32 %$lanes, ", 0);
		buf_puts(out, instr->guard_negated ? "!" : "");
		if (guard == WEAVE_KEPT)
			weave(w, out, "%$kept", 0);
		else
			buf_puts(out, at->kernel->regs[instr->guard].name);
		weave(w, out, ", %$lanes;\n", 0);
	}
	if (among != UINT32_MAX)
		weave(w, out, "\tand.b32 %$lanes, %$lanes, #;\n", among);
	weave(w, out,
		"\tmov.u32 %$own, %lanemask_eq;\n"
		"\tmov.u32 %$a, %lanemask_le;\n"
		"\tand.b32 %$a, %$a, %$lanes;\n"
		"\tsetp.eq.and.u32 %$first, %$a, %$own, %$watched;\n",
		0);
}

/* The clocks are read before the place is taken, which takes its time. */
static const char take_place[] = "\t@%$first mov.u64 %$clock, %clock64;\n"
				 "\t@%$first mov.u64 %$time, %globaltimer;\n"
				 "\t@%$first atom.global.add.u32 %$c, [%$part], 1;\n";

static void weave_record(const struct probe_weaver *w, int site, struct buf *out)
{
	weave(w, out, "\tsetp.lt.and.u32 %$room, %$c, #, %$first;\n", w->request->capacity);
	weave(w, out, "\tmad.wide.u32 %$x, %$c, #, %$part;\n", w->record_bytes);
	weave(w, out, "\t@%$room st.global.v2.u64 [%$x+#], {%$clock, %$time};\n", PART_HEAD + AT_CLOCK);
	weave(w, out, "\tmov.u32 %$site, #;\n", (uint64_t)site);
	weave(w, out,
		"\tmov.u32 %$a, %smid;\n\tmov.u32 %$b, %warpid;\n"
		"\t@%$room st.global.v4.u32 [%$x+#], {%$site, %$lanes, %$a, %$b};\n",
		PART_HEAD + AT_SITE);
}

void probe_weave_stamp(
	const struct probe_weaver *w, struct probe_weave_place at, enum probe_weave_guard guard, struct buf *out)
{
	weave_lanes(w, &at, guard, UINT32_MAX, out);
	weave(w, out, take_place, 0);
	weave_record(w, at.site, out);
	buf_putc(out, '\t');
}

/* The first lane broadcasts its place to the others; each writes its own address. */
static const char share_place[] = "\tneg.s32 %$a, %$lanes;\n"
				  "\tand.b32 %$a, %$a, %$lanes;\n"
				  "\tbfind.u32 %$b, %$a;\n"
				  "\tand.b32 %$own, %$own, %$lanes;\n"
				  "\tsetp.ne.and.u32 %$mine, %$own, 0, %$watched;\n"
				  "\t@%$mine shfl.sync.idx.b32 %$c, %$c, %$b, 31, %$lanes;\n";

void probe_weave_access(const struct probe_weaver *w, struct probe_weave_place at, const struct ptx_operand *address,
	uint32_t lanes, struct buf *out)
{
	weave_lanes(w, &at, WEAVE_GUARD, lanes, out);
	weave(w, out, take_place, 0);
	weave(w, out, share_place, 0);
	weave_record(w, at.site, out);

	/* Into y, as the access will have it. */
	const struct ptx_kernel *k = at.kernel;
	bool narrow = address->kind == PTX_MEM_REG && ptx_slot_bytes(k->regs[address->index].type) == 4;
	if (address->kind == PTX_MEM_IMM) {
		weave(w, out, "\tmov.u64 %$y, #;\n", (uint64_t)address->value);
	} else if (address->kind == PTX_MEM_REG && address->elements && !address->count) {
		/* the address of NAME[REGISTER], into y */
		const struct ptx_operand *parts = address->elements;
		const struct ptx_register *index = &k->regs[parts[PTX_ELEMENT_INDEX].index];
		weave(w, out, "\tmov.b64 %$y, ", 0);
		buf_printf(out, "%s;\n", k->uses[parts[PTX_ELEMENT_OF].index].var->name);
		weave(w, out, ptx_slot_bytes(index->type) == 8 ? "\tmad.lo.u64 %$y, " : "\tmad.wide.u32 %$y, ", 0);
		buf_printf(out, "%s", index->name);
		weave(w, out, ", #, %$y;\n", (uint64_t)parts[PTX_ELEMENT_BYTES].value);
	} else {
		const char *base = address->kind == PTX_MEM_REG ? k->regs[address->index].name
								: k->uses[address->index].var->name;
		weave(w, out, narrow ? "\tmov.b32 %$a, " : "\tmov.b64 %$y, ", 0);
		buf_printf(out, "%s;\n", base);
		if (address->value) {
			weave(w, out, narrow ? "\tadd.s32 %$a, %$a, " : "\tadd.s64 %$y, %$y, ", 0);
			buf_printf(out, "%" PRId64 ";\n", narrow ? (int32_t)address->value : address->value);
		}
		if (narrow)
			weave(w, out, "\tcvt.u64.u32 %$y, %$a;\n", 0);
	}

	weave(w, out, "\tsetp.lt.and.u32 %$room, %$c, #, %$mine;\n", w->request->capacity);
	weave(w, out,
		"\tmov.u32 %$a, %laneid;\n\tmad.wide.u32 %$x, %$a, 8, %$x;\n"
		"\t@%$room st.global.u64 [%$x+#], %$y;\n\t",
		PART_HEAD + AT_ADDRESS);
}
