/* model/profile/disassembly.h: what nvdisasm or cuobjdump print of a cubin -> the listing of its kernel.
 *
 * Of their text only this is read: the lines that begin a function (".text.NAME:", "Function : NAME"), labels (".L_x_1:"), and
 * instructions, an address in a comment and the text up to a semicolon: "slash star 0010 star slash  @P0 BRA `(.L_x_1) ;". A label
 * in an instruction is replaced by its address. Which line of the PTX an instruction was made from is in the cubin itself. Nothing of
 * the text is trusted: what does not fit is left out, and a listing that lacks an instruction is none. */
#pragma once
#include "model/hardware/listing.h"
#include "model/profile/cubin.h"

/* In `arena`; `out` gets the instructions alone. NULL: it was read; else why not, as a sentence. */
const char *profile_disassembly(
	struct arena *arena, const struct cubin *cubin, const char *kernel, const char *text, struct code_listing *out);
