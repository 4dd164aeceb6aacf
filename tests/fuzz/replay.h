/* tests/fuzz/replay.h: what a fuzz target is when no fuzzer drives it: it reads the files given as arguments, each
 * whole and cut short at several places, and prints the name of each before. Included once, at the end of a target;
 * -DFUZZING leaves it out. */
#pragma once
#ifndef FUZZING
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"

#define REPLAY_MAX ((size_t)64 << 20)
#define REPLAY_PARTS 8

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct buf text = {0};
		struct diag diag = {0};
		puts(argv[i]);
		fflush(stdout);
		if (!file_read(argv[i], REPLAY_MAX, &text, &diag)) {
			fprintf(stderr, "cannot read %s\n", argv[i]);
			return 1;
		}
		for (size_t part = 1; part <= REPLAY_PARTS; part++) {
			/* Exactly as long as the input, so that a sanitizer sees a read past its end. */
			size_t len = text.len * part / REPLAY_PARTS;
			uint8_t *exact = base_malloc(len + !len);
			memcpy(exact, buf_str(&text), len);
			LLVMFuzzerTestOneInput(exact, len);
			free(exact);
		}
		buf_free(&text);
		diag_free(&diag);
	}
	return 0;
}
#endif
