/* cmd/recording.h: --record FILE of sessions on the terminal. */
#pragma once
#include "cmd/cmd.h"

#define CMD_RECORD_OPTION                                                                                              \
	{                                                                                                              \
		"record", 0, "FILE", N_("keep what is seen, as asciicast v2 with a marker for each step")              \
	}

/* Begins it where it was asked for; a regular file that is there is written over. False with an error. */
bool cmd_recording_begin(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

/* Ends it; false with an error where it was not written to its end. */
bool cmd_recording_end(struct cmd_ctx *ctx);
