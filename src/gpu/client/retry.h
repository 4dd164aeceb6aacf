/* gpu/client/retry.h: when to connect again to a worker far away whose connection broke. Inside the folder only.
 *
 * Each attempt waits twice as long as the one before, from `first` to RETRY_MOST_MS; a measurement that came starts that
 * afresh. */
#pragma once
#include <stdbool.h>

#define RETRY_FIRST_MS 1000
#define RETRY_MOST_MS 60000

struct retry {
	double first; /* ms before the first attempt */
	double delay; /* ms before the last attempt; 0: none since all was well */
	double at;    /* ms on the monotonic clock; 0: none is planned */
};

/* Plans the next attempt. */
void gpu_retry_plan(struct retry *retry);
/* Cancels the planned attempt; `delay` stays. */
void gpu_retry_cancel(struct retry *retry);
/* All is well. */
void gpu_retry_reset(struct retry *retry);
/* Whether it is time for the attempt planned. */
bool gpu_retry_is_due(const struct retry *retry);
