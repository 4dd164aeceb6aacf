#include "base/clock.h"

#include <time.h>

static double now_ms(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

double clock_ms(void)
{
	return now_ms(CLOCK_MONOTONIC);
}

double clock_thread_ms(void)
{
	return now_ms(CLOCK_THREAD_CPUTIME_ID);
}
