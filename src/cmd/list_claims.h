/* cmd/list_claims.h: the claims of a course, judged by its recordings and by the model. */
#pragma once
#include "cmd/cmd.h"
#include "course/lesson/lesson.h"

/* Appends all of them, each with its step, its verdict and what is said of it; of those that cannot be judged, why. */
void cmd_list_claims(struct cmd_ctx *ctx, const struct catalog *catalog, bool json, struct buf *out);
