/* Fuzz target of what a disassembler prints of a cubin with two functions. What becomes a listing has instructions in
 * order, each printable and of a length that is bound. */
#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/profile/cubin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct cubin_instr code[4] = {{.ptx_line = 3, .target = -1},
		{.ptx_line = 4, .target = 0, .flow = CUBIN_BRANCH, .is_conditional = true},
		{.ptx_line = 5, .target = -1, .flow = CUBIN_END}, {.ptx_line = 6, .target = -1, .flow = CUBIN_END}};
	static const struct cubin_function functions[2] = {{"k", 0, 3}, {"f", 3, 1}};
	static const struct cubin cubin = {code, 4, functions, 2};
	struct arena *arena = arena_new();
	struct code_listing listing = {0};
	if (!profile_disassembly(arena, &cubin, "k", arena_strndup(arena, (const char *)data, size), &listing)) {
		if (listing.n > cubin.n)
			abort();
		for (int i = 0; i < listing.n; i++)
			if (!listing_text_is_good(listing.instrs[i].text) ||
				listing.instrs[i].address % LISTING_INSTR_BYTES)
				abort();
	}
	arena_free(arena);
	return 0;
}

#include "replay.h"
