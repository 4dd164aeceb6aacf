/* tests/fake-cuda/script.h: what SIMTTUTOR_FAKE_CUDA says; see README.md. */
#pragma once

/* The number after `name`, without a "_v2" or the like at its end, or `otherwise`. */
int script_number(const char *name, int otherwise);

/* At the start of a function: what the script makes it answer, if anything. */
#define ANSWER()                                                                                                       \
	do {                                                                                                           \
		int forced = script_number(__func__, 0);                                                               \
		if (forced)                                                                                            \
			return (__typeof__(FAKE_RESULT))forced;                                                        \
	} while (0)
