#include "model/hardware/witness.h"

const char *witness_name(enum witness witness)
{
	static const char *const names[] = {
		[WITNESS_NONE] = "none",
		[WITNESS_MODEL] = "model",
		[WITNESS_LIVE] = "live",
		[WITNESS_RECORDED] = "recorded",
	};
	return names[witness];
}
