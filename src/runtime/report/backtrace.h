/* runtime/report/backtrace.h: where calls came from, as far as the C library knows: glibc's does, musl's has no such function, and then nothing is
 * known. */
#pragma once
#include "config.h"

#ifdef HAVE_EXECINFO_H
#include <execinfo.h>
#else
static inline int backtrace(void **frames, int n)
{
	(void)frames, (void)n;
	return 0;
}
#endif
