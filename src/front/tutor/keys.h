/* front/tutor/keys.h: the key table (keys.def) and the action table (actions.def). Pure: no terminal, no session. */
#pragma once
#include "base/key.h"
#include "front/tutor/tutor.h"

/* ANY: a key that does the same everywhere. EXPLORE: at a kernel of the reader's. PRESENT: in front of a class.
 * POINTING: in these three, while the reader points at things; other keys are the lesson's. */
enum tutor_key_mode {
	KEYS_ANY,
	KEYS_LIST,
	KEYS_LESSON,
	KEYS_EXPLORE,
	KEYS_PLAYGROUND, /* other keys are those of EXPLORE */
	KEYS_TYPING,     /* an expression, and nothing else has keys */
	KEYS_EDITING,    /* likewise a kernel */
	KEYS_PRESENT,
	KEYS_POINTING
};

struct tutor_key {
	enum tutor_key_mode mode;
	key_code key;
	enum tutor_action action;
	const char *footer; /* "" when the footer does not show it */
};
extern const struct tutor_key tutor_keys[];
extern const int tutor_key_count;

struct tutor_action_row {
	const char *name, *help;
};
extern const struct tutor_action_row tutor_actions[ACTIONS];

/* What an action is about, in a word or two; actions of one topic stand together in the table. */
const char *tutor_action_topic(enum tutor_action action);

/* What the key does in a mode: the mode's own row, else, while pointing, the lesson's, else the ANY row, else
 * ACTION_NONE. */
enum tutor_action tutor_key_action(enum tutor_key_mode mode, key_code key);

/* What the mode's own row for the key says, ACTION_NONE where it has none. */
enum tutor_action tutor_key_row(enum tutor_key_mode mode, key_code key);

/* Whether this row of the table counts in a mode, also where the mode takes it over from another; pointing aside. */
bool tutor_key_counts(const struct tutor_key *key, enum tutor_key_mode mode);

/* The first key of a lesson that does it; KEYC_NONE where none does. */
key_code tutor_key_of(enum tutor_action action);

/* The mode whose keys count now. */
enum tutor_key_mode tutor_key_mode_of(const struct tutor *tutor);
