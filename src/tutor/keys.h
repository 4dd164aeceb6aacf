/* tutor/keys.h: the key table (keys.def) and the action table (actions.def). Pure: no terminal, no session. */
#pragma once
#include "tutor/tutor.h"

/* ANY: a key that does the same everywhere. */
enum key_mode { KEYS_ANY, KEYS_LIST, KEYS_LESSON };

struct key {
	enum key_mode mode;
	const char *name; /* "n", "Right", "^L" */
	enum tutor_action action;
	const char *footer; /* "" when the footer does not show it */
};
extern const struct key key_table[];
extern const int key_count;

struct action {
	const char *name, *help;
};
extern const struct action action_table[ACTIONS];

/* What the key does in a mode: the mode's own row, else the ANY row, else ACTION_NONE. */
enum tutor_action key_action(enum key_mode mode, const char *name);

/* The mode whose keys count now. */
enum key_mode key_mode_of(const struct tutor *tutor);

/* How the key is written on the screen: arrows as arrows, all others by name. */
const char *key_label(const char *name);
