/* gpu/worker/plan.h: how CUPTI counts one set of metrics: its configuration, its number of passes, and which of the metrics the
 * chip does not have. Needs no GPU. Inside the worker only. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu/worker/cupti.h"

#define PLAN_QUICK_UNKNOWN (-1)
#define PLAN_NEVER_QUICK (-2) /* to begin with it would cut other metrics in two */

struct plan {
	const char **metrics; /* as asked */
	bool *available;      /* of each: false: the chip does not have it */
	int n;
	const char **counted; /* the available ones */
	int *index;           /* of each counted one among `metrics` */
	int n_counted;
	size_t passes;
	int quick; /* number, from 0, of the pass in which CUPTI counts machine instructions, or one of these */
	CUpti_Profiler_Host_Object *host;
	uint8_t *config, *data; /* CUPTI's config image; its counter data image, made by the profiler */
	size_t config_size, data_size;
};

/* What plans are made for. */
struct plan_chip {
	const struct cupti *cupti;
	const char *name;            /* "GH100" */
	const uint8_t *availability; /* CUPTI's image of the counters that may be read; NULL: all of the chip */
	CUpti_ProfilerType type;     /* of the profiler that is to count */
};

/* Makes a plan. It belongs to `arena` but for what plan_free gives back. NULL with the reason when CUPTI fails. */
struct plan *plan_new(
	struct arena *arena, const struct plan_chip *chip, const char *const *metrics, int n, struct wire_error *error);
void plan_free(struct plan *plan, const struct cupti *cupti);
