/* tests/fuzz/replay.h: what a fuzz target is when no fuzzer drives it: it reads the files given as arguments. Included once,
 * at the end of a target; -DFUZZING leaves it out. */
#pragma once
#ifndef FUZZING
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"

#define REPLAY_MAX ((size_t)64 << 20)

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct buf text = {0};
		struct diag diag = {0};
		if (!file_read(argv[i], REPLAY_MAX, &text, &diag)) {
			fprintf(stderr, "cannot read %s\n", argv[i]);
			return 1;
		}
		/* Exactly as long as the file, so that a sanitizer sees a read past its end. */
		uint8_t *exact = base_malloc(text.len);
		memcpy(exact, buf_str(&text), text.len);
		LLVMFuzzerTestOneInput(exact, text.len);
		free(exact);
		buf_free(&text);
		diag_free(&diag);
	}
	return 0;
}
#endif
