/* front/tutor/settings.h: what a reader sets once (settings.def): read from a file, overridden by options, changed on
 * the screen.
 *
 * The file has a line NAME = VALUE for each; # begins a comment. A line that cannot be is left out with a warning that
 * names it, so that no file keeps a reader from the lessons. It must belong to the user, since it says which program
 * measures. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

enum tutor_setting {
#define SETTING(id, name, values, standard, free, when, meaning) SETTING_##id,
#include "front/tutor/settings.def"
#undef SETTING
	SETTINGS
};

struct tutor_setting_row {
	const char *name, *values, *standard;
	bool free; /* any text besides its values */
	const char *when, *meaning;
};
extern const struct tutor_setting_row tutor_setting_table[SETTINGS];

#define SETTING_VALUE_MAX 256

struct tutor_settings {
	const char *path;                        /* of the file; NULL: there is none, and none is written */
	char value[SETTINGS][SETTING_VALUE_MAX]; /* "": not set */
	bool in_file[SETTINGS];                  /* the file has it */
};

/* SETTINGS: there is none of that name. */
enum tutor_setting tutor_setting_find(const char *name);

/* What counts: the value that was set, else the standard one. `settings` may be NULL: none was set. */
const char *tutor_setting(const struct tutor_settings *settings, enum tutor_setting id);
bool tutor_setting_is(const struct tutor_settings *settings, enum tutor_setting id, const char *value);

/* Sets one. False with an error at `pos` that says what it takes. */
bool tutor_setting_set(struct tutor_settings *settings, enum tutor_setting id, const char *value, struct diag_pos pos,
	struct diag *diag);

/* Goes on to the next of its values, or with `by` -1 the one before. False: its value is none of those, and stays. */
bool tutor_setting_turn(struct tutor_settings *settings, enum tutor_setting id, int by);

/* Reads the file, with a warning for each line that is left out. A file that is missing is fine. `path` must outlive
 * them. */
void tutor_settings_load(struct tutor_settings *settings, const char *path, struct diag *diag);

/* The same of a text, called `path` in messages. */
void tutor_settings_read(
	struct tutor_settings *settings, const char *path, const char *text, size_t len, struct diag *diag);

/* Writes one into the file, whose other lines stay as they are. False with an error. */
bool tutor_settings_save(struct tutor_settings *settings, enum tutor_setting id, struct diag *diag);
