/* model/probe/text.h: where in the PTX text the parsed kernels and instructions stand. Inside probe/ only.
 *
 * All are byte offsets into module->text. */
#pragma once
#include "base/arena.h"
#include "machine/ptx/program.h"

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
