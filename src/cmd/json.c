#include "cmd/json.h"

#include <stdlib.h>

void cmd_json_write(json_t *json, size_t flags, struct buf *out)
{
	char *text = json_dumps(json, flags);
	buf_printf(out, "%s\n", text ? text : "null");
	free(text);
	json_decref(json);
}

json_t *cmd_json_text(const char *text)
{
	json_t *json = text ? json_string(text) : NULL;
	return json ? json : json_null();
}

void cmd_json_set_line_counts(json_t *object, const struct line_counts *counts)
{
	for (int i = 0; i < LINE_COUNTS; i++)
		json_object_set_new(object, line_count_table[i].name,
			counts->c[i].state == VALUE_OK ? json_integer((json_int_t)counts->c[i].v) : json_null());
}
