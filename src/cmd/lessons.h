/* cmd/lessons.h: what several commands share about lessons. */
#pragma once
#include "cmd/cmd.h"
#include "course/lesson/lesson.h"

extern const struct cmd_entry cmd_list_entry, cmd_show_entry;

/* The catalog at ctx->paths.data, in ctx->arena. NULL with diagnostics. */
struct catalog *cmd_catalog(struct cmd_ctx *ctx);
