#include "cmd/json.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "machine/warp/warp.h"
#include "model/hardware/engine.h"
#include "model/hardware/metrics.h"

void cmd_json_put(json_t *json, size_t flags, struct buf *out)
{
	char *text = json_dumps(json, flags);
	const char *written = text ? text : "null";
	escape_json(written, strlen(written), out);
	free(text);
	json_decref(json);
}

void cmd_json_write(json_t *json, size_t flags, struct buf *out)
{
	cmd_json_put(json, flags, out);
	buf_putc(out, '\n');
}

json_t *cmd_json_bytes(const char *bytes, size_t len)
{
	if (!bytes)
		return json_null();
	struct buf text = {0};
	escape_to_json(bytes, len, &text);
	json_t *json = json_stringn(buf_str(&text), text.len);
	buf_free(&text);
	return json;
}

json_t *cmd_json_text(const char *text)
{
	return cmd_json_bytes(text, text ? strlen(text) : 0);
}

json_t *cmd_json_message(const struct diag_entry *e)
{
	static const char *const severities[] = {
		[DIAG_NOTE] = "note", [DIAG_WARNING] = "warning", [DIAG_ERROR] = "error"};
	return json_pack("{s:s, s:o, s:o, s:o, s:o}", "severity", severities[e->severity], "file",
		cmd_json_text(e->file), "line", e->line ? json_integer(e->line) : json_null(), "col",
		e->col ? json_integer(e->col) : json_null(), "message", cmd_json_text(e->message));
}

#define WHOLE_MAX 0x1p53 /* to that a double has every whole number */

void cmd_json_set_line_counts(json_t *object, const struct line_counts *counts)
{
	for (int i = 0; i < LINE_COUNTS; i++) {
		/* What a worker counts may be any number. */
		const struct value *count = &counts->c[i];
		json_t *json = count->state != VALUE_OK || !isfinite(count->v) ? json_null()
			: fabs(count->v) <= WHOLE_MAX                          ? json_integer((json_int_t)count->v)
									       : json_real(count->v);
		json_object_set_new(object, line_count_table[i].name, json);
	}
}

json_t *cmd_json_estimate(const struct engine_estimate *e)
{
	const struct metric_error *error = metric_error(METRIC_CYCLES_ACTIVE_MAX);
	static const char *const instructions_from[] = {
		[ENGINE_BY_RULES] = "rules", [ENGINE_BY_COUNT] = "counted", [ENGINE_BY_CODE] = "ptxas"};
	struct buf sentence = {0}, bound = {0};
	engine_explain(e, &sentence);
	for (const char *c = engine_bound_id(e->bound); *c; c++)
		buf_putc(&bound, (char)tolower(*c));
	json_t *json = json_pack("{s:f, s:f, s:f, s:f, s:s, s:f, s:s, s:s%}", "active_cycles_max", e->active_max,
		"off_percent", error ? error->off : 0, "cycles", e->elapsed, "time_us", e->ns / 1000, "bound",
		buf_str(&bound), "share", e->share, "instructions", instructions_from[e->instructions_by], "sentence",
		buf_str(&sentence), sentence.len ? sentence.len - 1 : 0);
	buf_free(&sentence);
	buf_free(&bound);
	return json;
}

json_t *cmd_json_tiles(const struct warp_tiles *tiles)
{
	json_t *all = json_array();
	for (int k = 0; k < tiles->n; k++) {
		/* By rows: of each element the lane that has it and the element's number there; of several lanes the
		 * first. */
		const struct warp_tile *tile = &tiles->at[k];
		json_t *owners = json_array();
		for (int i = 0; i < tile->rows / tile->warps * tile->columns; i++)
			json_array_append_new(owners, json_null());
		for (int lane = WARP_SIZE - 1; lane >= 0 && tile->place == TILE_IN_REGISTERS; lane--)
			for (int e = 0; e < tile->distinct; e++)
				json_array_set_new(
					owners, (size_t)warp_tile_number(tile, lane, e), json_pack("[i, i]", lane, e));
		json_array_append_new(all,
			json_pack("{s:s#, s:s, s:i, s:i, s:i, s:i, s:o}", "tile", &tile->name, 1, "type", tile->type,
				"rows", tile->rows, "columns", tile->columns, "warps", tile->warps,
				"elements_per_register", tile->packed, "elements",
				tile->place == TILE_IN_REGISTERS ? owners : (json_decref(owners), json_null())));
	}
	return json_pack("{s:o, s:o}", "instruction", cmd_json_text(tiles->name), "tiles", all);
}
