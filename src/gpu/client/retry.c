#include "config.h"
#include "gpu/client/retry.h"

#include "base/portable.h"

void gpu_retry_plan(struct retry *retry)
{
	double next = retry->delay * 2;
	retry->delay = next < retry->first ? retry->first : next > RETRY_MOST_MS ? RETRY_MOST_MS : next;
	retry->at = clock_ms() + retry->delay;
}

void gpu_retry_cancel(struct retry *retry)
{
	retry->at = 0;
}

void gpu_retry_reset(struct retry *retry)
{
	*retry = (struct retry){.first = retry->first};
}

bool gpu_retry_is_due(const struct retry *retry)
{
	return retry->at > 0 && clock_ms() >= retry->at;
}
