/* cmd/drawn.h: what the pictures of a step are drawn from. */
#pragma once
#include <stdbool.h>

struct step;

/* Whether a view of the step draws what the watched line does to memory, or exchanges. */
bool cmd_draws_watched(const struct step *step);

/* Whether one draws this, or what the watched cluster does: then the blocks up to the watched one must have run. */
bool cmd_draws_blocks(const struct step *step);
