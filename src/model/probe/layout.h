/* model/probe/layout.h: the shape of the buffer (probe.h). Inside probe/ only. */
#pragma once

#define PART_HEAD 16u /* bytes before a warp's records */
#define STAMP_BYTES 32u
#define ACCESS_BYTES (STAMP_BYTES + 32u * 8u)

enum { AT_CLOCK = 0, AT_TIME = 8, AT_SITE = 16, AT_LANES = 20, AT_SM = 24, AT_SLOT = 28, AT_ADDRESS = 32 };
