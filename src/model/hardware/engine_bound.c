#include "model/hardware/engine.h"

#define BOUND_FROM 0.6 /* of the cycles: what is busy for less does not bound */

const char *engine_bound_name(enum engine_bound bound)
{
	static const char *const names[] = {
#define BOUND(id, name) [ENGINE_##id] = name,
		ENGINE_BOUNDS(BOUND)
#undef BOUND
	};
	return names[bound];
}

bool engine_bound_is_plural(enum engine_bound bound)
{
	return bound == ENGINE_ISSUE || bound == ENGINE_TENSOR || bound == ENGINE_ATOMICS;
}

const char *engine_bound_id(enum engine_bound bound)
{
	static const char *const ids[] = {
#define BOUND(id, name) [ENGINE_##id] = #id,
		ENGINE_BOUNDS(BOUND)
#undef BOUND
	};
	return ids[bound];
}

double engine_pipe_pct(enum pipe pipe, double instructions, double cycles)
{
	static const double takes[PIPES] = {[PIPE_ALU] = 2,
		[PIPE_FMA] = 1, /* two pipes, which each takes for 2 */
		[PIPE_FP64] = 2,
		[PIPE_XU] = 8,
		[PIPE_TENSOR] = 6,
		[PIPE_LSU] = 4};
	double pct = cycles > 0 ? 100 * takes[pipe] * instructions / (TIMELINE_SCHEDULERS * cycles) : 0;
	return pct < 100 ? pct : 100;
}

enum engine_bound engine_bound_of(const struct engine_result *result, double *share)
{
	enum engine_bound most = ENGINE_LATENCY;
	double busy = BOUND_FROM * result->cycles;
	for (int i = 0; i < ENGINE_LATENCY; i++) {
		if (result->busy[i] > busy) {
			busy = result->busy[i];
			most = (enum engine_bound)i;
		}
	}
	*share = result->cycles > 0 ? busy / result->cycles : 0;
	if (most == ENGINE_LATENCY) {
		double waited = 0, all = 0;
		for (int i = 0; i < ENGINE_STALLS; i++)
			all += result->stalls[i];
		waited = all - result->stalls[ENGINE_STALL_NOT_SELECTED];
		*share = result->warps > 0 ? waited / result->warps : 0;
	}
	if (*share > 1)
		*share = 1;
	return most;
}
