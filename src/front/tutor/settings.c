#include "front/tutor/settings.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"

#define FILE_MAX (64 * 1024)
#define BLANKS " \t\r"

/* "auto", and those that there are. */
static const char setting_themes[] = "auto"
#define THEME(id, name, ...) " " name
#include "front/canvas/themes.def"
#undef THEME
	;
#define SETTING_THEMES setting_themes

const struct tutor_setting_row tutor_setting_table[SETTINGS] = {
#define SETTING(id, name, values, standard, free, when, meaning)                                                       \
	[SETTING_##id] = {name, values, standard, free, when, meaning},
#include "front/tutor/settings.def"
#undef SETTING
};

enum tutor_setting tutor_setting_find(const char *name)
{
	for (int i = 0; i < SETTINGS; i++)
		if (strcmp(tutor_setting_table[i].name, name) == 0)
			return (enum tutor_setting)i;
	return SETTINGS;
}

const char *tutor_setting(const struct tutor_settings *settings, enum tutor_setting id)
{
	return settings && settings->value[id][0] ? settings->value[id] : tutor_setting_table[id].standard;
}

bool tutor_setting_is(const struct tutor_settings *settings, enum tutor_setting id, const char *value)
{
	return strcmp(tutor_setting(settings, id), value) == 0;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

/* The value of a row with this number, into `out`; false: there are fewer. */
static bool value_at(enum tutor_setting id, int index, char out[SETTING_VALUE_MAX])
{
	const char *at = tutor_setting_table[id].values;
	for (int i = 0; i < index && *at; i++) {
		at += strcspn(at, " ");
		at += strspn(at, " ");
	}
	snprintf(out, SETTING_VALUE_MAX, "%.*s", (int)strcspn(at, " "), at);
	return index >= 0 && *out;
}

static int index_of(enum tutor_setting id, const char *value)
{
	char one[SETTING_VALUE_MAX];
	for (int i = 0; value_at(id, i, one); i++)
		if (strcmp(one, value) == 0)
			return i;
	return -1;
}

bool tutor_setting_set(struct tutor_settings *settings, enum tutor_setting id, const char *value, struct diag_pos pos,
	struct diag *diag)
{
	const struct tutor_setting_row *row = &tutor_setting_table[id];
	bool free_text = row->free && *value && strlen(value) < SETTING_VALUE_MAX; /* without control characters */
	for (const char *c = value; free_text && *c; c++)
		free_text = (unsigned char)*c >= ' ' && *c != 127;
	if (index_of(id, value) < 0 && !free_text) {
		diag_error(diag, pos, "%s cannot be '%.60s'; it takes one of: %s", row->name, value, row->values);
		return false;
	}
	snprintf(settings->value[id], sizeof settings->value[id], "%s", value);
	return true;
}

bool tutor_setting_turn(struct tutor_settings *settings, enum tutor_setting id, int by)
{
	char one[SETTING_VALUE_MAX];
	int at = index_of(id, tutor_setting(settings, id)), n = 0;
	while (value_at(id, n, one))
		n++;
	return at >= 0 && value_at(id, (at + by + n) % n, settings->value[id]);
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

/* A line cut at its "=": blanks around both parts are left out. False: it is no setting. */
struct setting_line {
	char name[64], value[SETTING_VALUE_MAX];
};

static bool copy_trimmed(const char *from, size_t len, char *out, size_t size)
{
	while (len > 0 && strchr(BLANKS, from[0]))
		from++, len--;
	while (len > 0 && strchr(BLANKS, from[len - 1]))
		len--;
	if (len >= size || memchr(from, 0, len))
		return false;
	memcpy(out, from, len);
	out[len] = '\0';
	return true;
}

static bool split_line(const char *text, size_t len, struct setting_line *out)
{
	const char *sign = memchr(text, '=', len);
	return sign && copy_trimmed(text, (size_t)(sign - text), out->name, sizeof out->name) &&
		copy_trimmed(sign + 1, len - (size_t)(sign + 1 - text), out->value, sizeof out->value);
}

/* Blank, or a comment. */
static bool says_nothing(const char *text, size_t len)
{
	size_t blanks = 0;
	while (blanks < len && strchr(BLANKS, text[blanks]) && text[blanks])
		blanks++;
	return blanks == len || text[blanks] == '#';
}

void tutor_settings_read(
	struct tutor_settings *settings, const char *path, const char *text, size_t len, struct diag *diag)
{
	struct diag_pos pos = {.file = path, .text = text, .text_len = len};
	for (size_t at = 0; at < len;) {
		const char *end = memchr(text + at, '\n', len - at);
		size_t n = end ? (size_t)(end - text) - at : len - at;
		pos.line++;

		struct setting_line line;
		struct buf names = {0};
		struct diag wrong = {0};
		for (int i = 0; i < SETTINGS; i++)
			buf_printf(&names, "%s%s", i ? ", " : "", tutor_setting_table[i].name);
		enum tutor_setting id = SETTINGS;
		if (says_nothing(text + at, n))
			;
		else if (!split_line(text + at, n, &line))
			diag_warn(diag, pos, "expected NAME = VALUE; the line is left out");
		else if ((id = tutor_setting_find(line.name)) == SETTINGS)
			diag_warn(diag, pos, "there is no setting '%s'; there are %s", line.name, buf_str(&names));
		else if (settings->in_file[id])
			diag_warn(diag, pos, "%s is set twice; the first one counts", line.name);
		else if (!tutor_setting_set(settings, id, line.value, pos, &wrong))
			diag_warn(diag, pos, "%s", wrong.entries[0].message);
		else
			settings->in_file[id] = true;
		diag_free(&wrong);
		buf_free(&names);

		at += n + 1;
	}
}

void tutor_settings_load(struct tutor_settings *settings, const char *path, struct diag *diag)
{
	struct buf text = {0};
	settings->path = path;

	/* The errors become warnings: whoever has a broken file still gets to the lessons. */
	struct diag errors = {0};
	bool ok = !file_is_named(path) || file_read_private(path, FILE_MAX, &text, &errors);
	for (size_t i = 0; i < errors.count; i++)
		diag_warn(diag, (struct diag_pos){.file = errors.entries[i].file}, "%s; no settings are read from it",
			errors.entries[i].message);
	diag_free(&errors);
	if (ok)
		tutor_settings_read(settings, path, buf_str(&text), text.len, diag);
	else
		settings->path = NULL; /* nothing of it is to be overwritten */
	buf_free(&text);
}

bool tutor_settings_save(struct tutor_settings *settings, enum tutor_setting id, struct diag *diag)
{
	struct buf old = {0}, new = {0};
	bool ok = settings->path &&
		(!file_is_named(settings->path) || file_read_private(settings->path, FILE_MAX, &old, diag));
	if (ok) {
		/* The file's text with the line of one setting in the place of its old one, or at the end. */
		const char *value = tutor_setting(settings, id);
		const char *text = buf_str(&old), *name = tutor_setting_table[id].name;
		struct setting_line line;
		bool there = false;
		for (size_t at = 0; at < old.len;) {
			const char *end = memchr(text + at, '\n', old.len - at);
			size_t n = end ? (size_t)(end - text) - at : old.len - at;
			bool is = !there && !says_nothing(text + at, n) && split_line(text + at, n, &line) &&
				strcmp(line.name, name) == 0;
			if (is)
				buf_printf(&new, "%s = %s", name, value);
			else
				buf_append(&new, text + at, n);
			buf_putc(&new, '\n');
			there |= is;
			at += n + 1;
		}
		if (!there)
			buf_printf(&new, "%s = %s\n", name, value);

		ok = file_write_private(settings->path, buf_str(&new), new.len, diag);
	}
	settings->in_file[id] |= ok;
	buf_free(&old);
	buf_free(&new);
	return ok;
}
