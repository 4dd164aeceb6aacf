/* machine/simt/sentence.h: what is said of a defect: its message, one sentence without the place. Inside simt/ only. */
#pragma once
#include "machine/simt/simt.h"
#include "machine/simt/undefined_state.h"

/* Of a race, in shared memory of the block `owner` of a cluster, if it is not negative; of a value that is undefined, as it is used: what `here` computes with it is used at `leaves`, where that is
 * not NULL. */
void simt_word_race(struct simt_defect *d, int64_t owner);
void simt_word_undefined(struct simt_defect *d, enum undefined_use use, const struct simt_side *leaves);
