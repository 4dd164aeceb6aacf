#include "machine/race/missing.h"

#include <stddef.h>

const char *race_missing_name(enum race_missing missing)
{
	static const char *const names[] = {
		[RACE_MISSING_SYNCWARP] = "syncwarp",
		[RACE_MISSING_BARRIER] = "barrier",
		[RACE_MISSING_ORDER] = "order",
		[RACE_MISSING_FENCE] = "fence",
		[RACE_MISSING_ATOMIC] = "atomic",
		[RACE_MISSING_SCOPE] = "scope",
		[RACE_MISSING_SAME_SIZE] = "same size",
		[RACE_MISSING_WAIT] = "wait",
		[RACE_MISSING_CLUSTER] = "cluster barrier",
		[RACE_MISSING_WAIT_READ] = "wait of product",
		[RACE_MISSING_PROXY_FENCE] = "proxy fence",
		[RACE_MISSING_UPDATE] = "atomic update",
		[RACE_MISSING_ONE_VALUE] = "one value",
	};
	return (size_t)missing < sizeof names / sizeof *names ? names[missing] : NULL;
}
