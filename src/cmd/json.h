/* cmd/json.h: what the commands that write JSON share. */
#pragma once
#include <jansson.h>

#include "base/buf.h"
#include "model/linecounts.h"

/* Appends the value and a newline, in jansson's `flags`, and releases it. */
void cmd_json_write(json_t *json, size_t flags, struct buf *out);

/* A string; null for NULL, and for bytes that are not UTF-8, as a driver or a path may have. */
json_t *cmd_json_text(const char *text);

/* Sets a member of `object` for each count of a line; null for one that is not known. */
void cmd_json_set_line_counts(json_t *object, const struct line_counts *counts);
