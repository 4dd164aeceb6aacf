/* front/view/code.h: subject of the view `sass`: PTX and the machine code that a compiler made of it. */
#pragma once
#include "model/hardware/listing.h"
#include "model/hardware/value.h"

/* An instruction of a kernel, of its PTX or of its machine code. */
struct view_code_instr {
	int line;         /* of the source; 0: none */
	int ptx;          /* of machine code: the index of the PTX instruction that it was made from; -1: none */
	uint32_t address; /* of machine code, in its function */
	const char *text;
	struct value executed; /* warp instructions; of machine code see struct view_code */
	/* of machine code, where each is counted: of one execution, or one request of it */
	struct value threads, sectors, wavefronts;
};

/* A kernel's PTX and the machine code that a compiler made of it. */
struct view_code {
	const struct code_listing *listing; /* NULL: there is no machine code: */
	const char *why;                    /* a sentence; NULL: nor PTX */
	const struct view_code_instr *ptx, *sass;
	int n_ptx, n_sass;
	enum witness made_by;    /* RECORDED, or LIVE: made here */
	enum witness counted_by; /* how often machine code was executed: LIVE, RECORDED; NONE: it is not known */
	bool each;     /* each machine instruction; else what a PTX instruction became, together, beside the first: */
	bool is_other; /* since what ran was not this code, byte for byte */
};
