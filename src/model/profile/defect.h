/* model/profile/defect.h: a defect in sentences, the same wherever it is reported. They have no period, and no place but lines in the
 * message; what others named in them is to be escaped. */
#pragma once
#include "base/buf.h"
#include "machine/simt/simt.h"

/* "race: thread 3 of block 0 ..." */
void profile_defect_sentence(const struct simt_defect *defect, struct buf *out);

/* Who: "block 0, warp 1, lanes 3-4", and of the defect's own side, what else is known of it: the address, the order that showed it,
 * how often it was found. */
void profile_defect_who(const struct simt_defect *defect, struct buf *out);
void profile_side_who(const struct simt_side *side, struct buf *out);

/* Of a launch that a limit stopped: how many of its blocks have ended, are resident, and never began, and why not; what warps at a
 * line do there, and which; and as a word. */
void profile_standing_sentence(const struct simt_standing *standing, struct buf *out);
void profile_stand_sentence(const struct simt_stand *stand, struct buf *out);
const char *profile_stand_name(enum simt_stand_state state);

/* "the other side, a store" */
void profile_other_side(const struct simt_side *side, struct buf *out);
