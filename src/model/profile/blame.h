/* model/profile/blame.h: what the machine finds in a launch that failed on a GPU: the same launch with every check on, run in slices
 * so that the screen can answer keys meanwhile. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "machine/launch/launch.h"

/* Warp instructions after which the launch is called endless. */
#define BLAME_STEPS_MAX 20000000u

struct blame;

/* Copies what it needs of the PTX and the launch. Never NULL; if the launch cannot run, the sentence says so. */
struct blame *profile_blame_new(const char *ptx, size_t len, const struct launch *launch);
void profile_blame_free(struct blame *blame);

/* Goes on for about `ms` milliseconds; true when it is done. */
bool profile_blame_step(struct blame *blame, double ms);

/* "The machine finds: out of bounds store at saxpy.cu:7, block 3, warp 1, lanes 8-31 (...)." Or that it does not end, and
 * where it is; or that nothing is found. Once profile_blame_step returned true. */
const char *profile_blame_sentence(const struct blame *blame);
