/* front/tutor/code.h: a kernel's PTX and its machine code, as the view `sass` draws them. */
#pragma once
#include "course/experiment/recordings.h"
#include "front/view/code.h"
#include "front/view/view.h"
#include "machine/ptx/ptx.h"

struct tutor_code_request {
	const struct ptx_kernel *kernel;
	const uint64_t *executed; /* by the model, warp instructions by instruction of the kernel; NULL: not known */
	int n_executed;
	const struct code_listing *listing; /* NULL: there is none */
	const char *why;                    /* then a sentence */
	enum witness made_by;
	const struct experiment_executed *counted; /* by a GPU, by lines of the PTX; n_counted 0: not known */
	int n_counted;
	/* by a GPU, by address in the place of a line, in the code `instrs_code`; no rows or NULL: not known */
	const struct line_table *instrs;
	const char *instrs_code;
	enum witness counted_by;
};

/* In `arena`, but for the listing. */
struct view_code tutor_code(struct arena *arena, const struct tutor_code_request *request);
