/* machine/simt/standing.h: where the warps of a launch are that a limit has stopped. Inside simt/ only. */
#pragma once

struct residents;
struct simt_standing;

void simt_standing_find(const struct residents *r, struct simt_standing *out);
