/* The slide as a line of JSON. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/utf8.h"
#include "course/notes/notes.h"

#define FORMAT 1

static const struct {
	const char *name;
	size_t at;
} texts[] = {
#define TEXT(member)                                                                                                   \
	{                                                                                                              \
#member, offsetof(struct notes_slide, member)                                                          \
	}
	TEXT(lesson),
	TEXT(title),
	TEXT(next),
	TEXT(notes),
	TEXT(reveals),
	TEXT(question),
	TEXT(answer),
	TEXT(why),
	TEXT(status),
	TEXT(notice),
#undef TEXT
};

static const struct {
	const char *name;
	size_t at;
} numbers[] = {
#define NUMBER(member)                                                                                                 \
	{                                                                                                              \
#member, offsetof(struct notes_slide, member)                                                          \
	}
	NUMBER(step),
	NUMBER(steps),
	NUMBER(shown),
	NUMBER(pieces),
	NUMBER(minutes),
#undef NUMBER
};

static const struct {
	const char *name;
	size_t at;
} flags[] = {
#define FLAG(member)                                                                                                   \
	{                                                                                                              \
#member, offsetof(struct notes_slide, member)                                                          \
	}
	FLAG(blank),
	FLAG(covered),
	FLAG(voting),
#undef FLAG
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* --- writing ------------------------------------------------------------------------------------------------------ */

static json_t *json_text(const char *text)
{
	struct buf valid = {0};
	escape_to_json(text, strlen(text), &valid);
	json_t *out = json_stringn(buf_str(&valid), valid.len);
	buf_free(&valid);
	return out;
}

void notes_write(const struct notes_slide *slide, struct buf *out)
{
	const char *bytes = (const char *)slide;
	json_t *o = json_pack("{s:i, s:I}", "simttutor_notes", FORMAT, "began", (json_int_t)slide->began);
	json_t *options = json_array();
	for (size_t i = 0; i < COUNT(texts); i++)
		json_object_set_new(
			o, texts[i].name, json_text(*(const char *const *)(const void *)(bytes + texts[i].at)));
	for (size_t i = 0; i < COUNT(numbers); i++)
		json_object_set_new(
			o, numbers[i].name, json_integer(*(const int *)(const void *)(bytes + numbers[i].at)));
	for (size_t i = 0; i < COUNT(flags); i++)
		json_object_set_new(o, flags[i].name, json_boolean(*(const bool *)(const void *)(bytes + flags[i].at)));
	for (int i = 0; i < slide->n_options; i++)
		json_array_append_new(options,
			json_pack("{s:o, s:i, s:b}", "text", json_text(slide->options[i].text), "hands",
				slide->options[i].hands, "right", slide->options[i].right));
	json_object_set_new(o, "options", options);
	char *line = json_dumps(o, JSON_COMPACT);
	json_decref(o);
	buf_puts(out, line ? line : "");
	buf_putc(out, '\n');
	free(line);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static const char *read_text(struct arena *arena, const json_t *o, const char *name)
{
	const char *text = json_string_value(json_object_get(o, name));
	return text ? arena_strdup(arena, text) : "";
}

static int read_member_number(const json_t *o, const char *name)
{
	json_int_t n = json_integer_value(json_object_get(o, name));
	return n < 0 ? 0 : n > 1000000 ? 1000000 : (int)n;
}

bool notes_read(struct arena *arena, const char *line, size_t len, struct notes_slide *out)
{
	char *bytes = (char *)out;
	json_t *o = json_loadb(line, len, 0, NULL);
	bool ok = json_integer_value(json_object_get(o, "simttutor_notes")) == FORMAT;
	*out = (struct notes_slide){.began = json_integer_value(json_object_get(o, "began"))};
	for (size_t i = 0; i < COUNT(texts); i++)
		*(const char **)(void *)(bytes + texts[i].at) = read_text(arena, o, texts[i].name);
	for (size_t i = 0; i < COUNT(numbers); i++)
		*(int *)(void *)(bytes + numbers[i].at) = read_member_number(o, numbers[i].name);
	for (size_t i = 0; i < COUNT(flags); i++)
		*(bool *)(void *)(bytes + flags[i].at) = json_is_true(json_object_get(o, flags[i].name));
	const json_t *options = json_object_get(o, "options");
	for (size_t i = 0; i < json_array_size(options) && out->n_options < NOTES_OPTIONS_MAX; i++) {
		const json_t *option = json_array_get(options, i);
		out->options[out->n_options++] = (struct notes_option){.text = read_text(arena, option, "text"),
			.hands = read_member_number(option, "hands"),
			.right = json_is_true(json_object_get(option, "right"))};
	}
	json_decref(o);
	return ok;
}
