/* model/probe/private.h: what the files of this folder share: where in the PTX text the parsed kernels and instructions
 * are (text.c), and the PTX that is put between them (weave.c).
 *
 * Positions are byte offsets into module->text. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "machine/ptx/program.h"
#include "model/probe/probe.h"

struct probe_text_span {
	size_t begin, end; /* from the guard or the opcode to just after the semicolon */
};

struct probe_text_kernel {
	size_t params; /* where one more parameter goes */
	enum {
		TEXT_NO_LIST,
		TEXT_EMPTY_LIST,
		TEXT_LIST
	} list;                         /* what stands there: nothing, (), or parameters before it */
	size_t body, body_end;          /* after the opening brace, before the closing one */
	struct probe_text_span *instrs; /* by index */
};

struct probe_text_places {
	struct probe_text_kernel *kernels; /* by index in module->kernels */
	size_t version, version_end;       /* the number after .version */
	size_t head_end;                   /* where a variable of the module can be declared first */
};

/* False when the text does not have what the parser found there. */
bool probe_text_find(struct arena *arena, const struct ptx_module *module, struct probe_text_places *out);

/* --- the records -------------------------------------------------------------------------------------------------- */

/* The shape of the buffer: probe.h. */

#define PART_HEAD 16u /* bytes before a warp's records */
#define STAMP_BYTES 32u
#define ACCESS_BYTES (STAMP_BYTES + 32u * 8u)

enum { AT_CLOCK = 0, AT_TIME = 8, AT_SITE = 16, AT_LANES = 20, AT_SM = 24, AT_SLOT = 28, AT_ADDRESS = 32 };

/* --- weave.c ------------------------------------------------------------------------------------------------------ */

/* The PTX that is put between a kernel's statements. */

/* What names begin with: "probeN". */
struct probe_weaver {
	unsigned number;
	const struct probe_request *request;
	uint64_t record_bytes, part_bytes;
};

/* Picks a number whose names the text does not have. */
struct probe_weaver probe_weaver_for(const struct ptx_module *module, const struct probe_request *request);

/* The variable of the module by which functions find the buffer, and the parameter of an entry. */
void probe_weave_variable(const struct probe_weaver *w, struct buf *out);
void probe_weave_param(const struct probe_weaver *w, struct buf *out);

/* At the beginning of a body: registers, and the part of the buffer that is this warp's. `shares`: an entry that also
 * puts the address where functions look for it. */
enum probe_weave_body { WEAVE_ENTRY, WEAVE_ENTRY_SHARES, WEAVE_FUNCTION };
void probe_weave_prologue(const struct probe_weaver *w, enum probe_weave_body body, struct buf *out);

/* Keeps the guard of an instruction that may change it, for a stamp after that instruction. */
void probe_weave_keep_guard(
	const struct probe_weaver *w, const struct ptx_kernel *k, const struct ptx_instr *instr, struct buf *out);

/* Where a record is made, and by which instruction. */
struct probe_weave_place {
	int site;
	const struct ptx_kernel *kernel;
	const struct ptx_instr *instr;
};

/* A stamp of the lanes that are active and whose guard holds: none, that of the instruction, or the one that was
 * kept. */
enum probe_weave_guard { WEAVE_ALL, WEAVE_GUARD, WEAVE_KEPT };
void probe_weave_stamp(
	const struct probe_weaver *w, struct probe_weave_place at, enum probe_weave_guard guard, struct buf *out);

/* The stamp and the addresses of an access by the operand `address`, of those of `lanes` that are active: at least one
 * is. */
void probe_weave_access(const struct probe_weaver *w, struct probe_weave_place at, const struct ptx_operand *address,
	uint32_t lanes, struct buf *out);
