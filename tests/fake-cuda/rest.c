/* A function for each name that the worker looks for and that this library does not have: it answers that it is not
 * supported. Compiled once for each library, with FAKE_FUNCTIONS and FAKE_REST set. */
#include "gpu/worker/cupti.h"
#include "gpu/worker/driver.h"

#ifndef __clang__ /* which has no such warning */
#pragma GCC diagnostic ignored "-Wattribute-alias"
#endif
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

int fake_rest(void);
int fake_rest(void)
{
	return FAKE_REST;
}

#define REST(name) extern __typeof__(name) name __attribute__((weak, alias("fake_rest")));
FAKE_FUNCTIONS(REST)
