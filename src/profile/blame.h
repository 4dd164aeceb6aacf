/* profile/blame.h: what the machine knows of a launch that went wrong on a GPU: the same launch, run bit by bit with every
 * check on, so that whoever waits for keys meanwhile does not wait for it. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "launch/launch.h"

/* Warp instructions after which the machine gives up: what does not end by then is called endless. */
#define BLAME_STEPS_MAX 20000000u

struct blame;

/* Starts over the PTX and the launch, of which nothing is needed afterwards. Never NULL; what cannot run is told by the
 * sentence. */
struct blame *profile_blame_new(const char *ptx, size_t len, const struct launch *launch);
void profile_blame_free(struct blame *blame);

/* Goes on for about `ms` milliseconds; true when it is done. */
bool profile_blame_step(struct blame *blame, double ms);

/* "The machine finds: out of bounds store at saxpy.cu:7, block 3, warp 1, lanes 8-31 (...)." Or that it comes to no end, and
 * where it was then; or that it finds nothing. Once profile_blame_step returned true. */
const char *profile_blame_sentence(const struct blame *blame);
