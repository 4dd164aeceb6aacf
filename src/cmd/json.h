/* cmd/json.h: what the commands that write JSON share. */
#pragma once
#include <jansson.h>

#include "base/buf.h"
#include "base/diag.h"
#include "front/tutor/tutor.h"
#include "model/hardware/counters.h"

/* Appends the value in jansson's `flags`, and releases it. Characters that a terminal must not get are written as
 * \u001b. */
void cmd_json_put(json_t *json, size_t flags, struct buf *out);

/* Like cmd_json_put, with a newline at the end. */
void cmd_json_write(json_t *json, size_t flags, struct buf *out);

/* A string; null for NULL. Bytes that are not UTF-8 are in it as escape_to_json (base/utf8.h) has them. */
json_t *cmd_json_bytes(const char *bytes, size_t len);
json_t *cmd_json_text(const char *text);

/* A message, with its place. */
json_t *cmd_json_message(const struct diag_entry *e);

/* How long a launch takes by the model, how far off that may be, and what bounds it. */
struct engine_estimate;
json_t *cmd_json_estimate(const struct engine_estimate *estimate);

/* Sets a member of `object` for each count of a line; null for one that is not known. */
void cmd_json_set_line_counts(json_t *object, const struct line_counts *counts);

/* Which lane has which elements of a matrix instruction. */
struct warp_tiles;
json_t *cmd_json_tiles(const struct warp_tiles *tiles);

/* --- a step as JSON: what `show --format json` prints. simttutor(1) documents the members. --- */

/* What the view of roofs draws: the roofs, and what each launch does. */
json_t *cmd_json_roofline(const struct view_roofline *roofline);
