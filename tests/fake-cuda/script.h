/* tests/fake-cuda/script.h: what SIMTTUTOR_FAKE_CUDA says; see README.md. */
#pragma once

/* The number after `name`, without a "_v2" or the like at its end, or `otherwise`. */
int script_number(const char *name, int otherwise);

/* At the start of a function: what it is told to answer, if anything. */
#define ANSWER()                                                                                                       \
	do {                                                                                                           \
		int told = script_number(__func__, 0);                                                                 \
		if (told)                                                                                              \
			return (__typeof__(FAKE_RESULT))told;                                                          \
	} while (0)
