/* gpu/worker/sampler.h: CUPTI's PM sampling on one GPU: counters read every so many nanoseconds while a kernel runs.
 * Inside the worker only.
 *
 * Seen on CC 9.0 with CUPTI 13.0:
 *   - Sampler and range profiler exclude each other: the second one's configuration, or its start, answers "hardware
 *     busy". Whoever uses the one rests the other first; a change costs 80 ms this way and 190 ms back.
 *   - An enabled sampler takes its first configuration alone; later ones succeed and do nothing. So another interval or
 *     other metrics cost a disabling and an enabling, 120 ms. An interval that is nearly the wanted one is kept.
 *   - Intervals from 100 ns work. The metrics must fit in one pass: warps, instructions and cycles of the SMs do.
 *   - The first sample holds what was counted since the last start or configuration, and is dropped. Of a kernel's
 *     instructions not one is missing in the others, at any interval.
 *   - Samples begin about 80 us before the kernel and go on for 0.3 ms after it. Their time stamps are 15 to 110 us off
 *     %globaltimer, and drift by a microsecond a second: which samples are the kernel's shows only in what they count.
 *   - A measurement costs 3 ms, and for each sample of the image 3 us to empty it, and 16 us for each one taken. An
 *     image of 1024 samples with four metrics is 31 MB; what does not fit in it is lost. A hardware buffer that is full
 *     makes the decoding fail, and the next start. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "gpu/worker/profiler.h"

#define SAMPLER_SAMPLES_MAX 1024

struct sampler {
	struct profiler *profiler; /* NULL: not opened */
	size_t device;
	uint8_t *availability;
	CUpti_PmSampling_Object *object; /* NULL: disabled */
	struct plan *plan;               /* for what was asked for last */
	struct arena *plan_arena;
	int interval; /* that it is set to; 0: it is not set to the plan */
};

/* Finds out whether the GPU can be sampled. `profiler` is open, and outlives the sampler. False with the reason. */
bool sampler_open(struct sampler *sampler, struct profiler *profiler, int device, struct wire_error *error);

/* Disables it; the next measurement enables it again. Harmless when it was not opened. */
void sampler_rest(struct sampler *sampler);

struct sampler_request {
	const char *const *metrics;
	int n_metrics;
	int interval;             /* ns; 0: as fine as the kernel's time allows */
	double kernel_ms;         /* how long the kernel takes, about */
	struct arena *arena;      /* for what is filled in */
	struct wire_samples *out; /* all but worker_ms is filled in */
};

/* Samples one run of the kernel: run->run does no more than launch it and wait for the end. False with the reason. */
bool sampler_measure(struct sampler *sampler, const struct sampler_request *request, const struct profiler_run *run,
	struct wire_error *error);
