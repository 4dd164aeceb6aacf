/* cmd/play.h: the playground, as learn opens it and as `simttutor play` does. Inside cmd/ only. */
#pragma once
#include "cmd/cmd.h"
#include "front/tutor/playground.h"

/* What the launches of a playground are made of. */
struct play;

/* `path`: the kernel's file, NULL: the reader's own. Lives as long as the arena of `ctx`. */
struct play *play_new(struct cmd_ctx *ctx, const char *path);

/* A session, which begins with this access, or with the one that was tried last. NULL with an error in `diag`. */
struct tutor *play_open(struct play *play, const struct tutor_playground_tried *first, struct diag *diag);

/* As tutor_playgrounds.open; ctx: struct play. */
struct tutor *play_open_last(void *ctx, struct diag *diag);

/* As tutor_playground_by.widths. */
uint32_t play_access_widths(enum mem_space space, enum access_op op);

/* cmd/access.c. Reads --space, --op and --width, NULL: not given, into `tried`. False with an error. */
bool play_read_access(struct cmd_ctx *ctx, const char *space, const char *op, const char *width,
	struct tutor_playground_tried *tried);

extern const struct cmd_entry cmd_play_entry;
