#include "front/tutor/keys.h"

#include <stddef.h>

#include "front/tutor/playground.h"

const struct tutor_key tutor_keys[] = {
#define KEY(mode, key, action, footer) {KEYS_##mode, key, ACTION_##action, footer},
#include "front/tutor/keys.def"
#undef KEY
};
const int tutor_key_count = sizeof tutor_keys / sizeof *tutor_keys;

const struct tutor_action_row tutor_actions[ACTIONS] = {
#define ACTION(id, name, help) [ACTION_##id] = {name, help},
#define TOPIC(name)
#include "front/tutor/actions.def"
#undef TOPIC
#undef ACTION
};

const char *tutor_action_topic(enum tutor_action action)
{
	static const struct {
		enum tutor_action action;
		const char *topic; /* of those after it */
	} rows[] = {
#define ACTION(id, name, help) {ACTION_##id, NULL},
#define TOPIC(name) {ACTION_NONE, name},
#include "front/tutor/actions.def"
#undef TOPIC
#undef ACTION
	};
	const char *topic = "";
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		topic = rows[i].topic ? rows[i].topic : topic;
		if (!rows[i].topic && rows[i].action == action)
			return topic;
	}
	return "";
}

enum tutor_action tutor_key_row(enum tutor_key_mode mode, key_code key)
{
	for (int i = 0; i < tutor_key_count; i++)
		if (tutor_keys[i].mode == mode && tutor_keys[i].key == key)
			return tutor_keys[i].action;
	return ACTION_NONE;
}

static bool is_typed(enum tutor_key_mode mode)
{
	return mode == KEYS_TYPING || mode == KEYS_EDITING;
}

bool tutor_key_counts(const struct tutor_key *key, enum tutor_key_mode mode)
{
	if (mode == KEYS_PLAYGROUND && key->mode == KEYS_EXPLORE)
		return tutor_key_row(KEYS_PLAYGROUND, key->key) == ACTION_NONE;
	return key->mode == mode || (key->mode == KEYS_ANY && (!is_typed(mode) || !key_types(key->key)));
}

enum tutor_action tutor_key_action(enum tutor_key_mode mode, key_code key)
{
	enum tutor_action action = tutor_key_row(mode, key);
	if (action == ACTION_NONE && mode == KEYS_POINTING)
		action = tutor_key_row(KEYS_LESSON, key);
	if (action == ACTION_NONE && mode == KEYS_PLAYGROUND)
		action = tutor_key_row(KEYS_EXPLORE, key);
	bool types = is_typed(mode) && key_types(key);
	return action != ACTION_NONE || types ? action : tutor_key_row(KEYS_ANY, key);
}

key_code tutor_key_of(enum tutor_action action)
{
	for (int i = 0; i < tutor_key_count; i++)
		if (tutor_keys[i].mode == KEYS_LESSON && tutor_keys[i].action == action)
			return tutor_keys[i].key;
	return KEYC_NONE;
}

enum tutor_key_mode tutor_key_mode_of(const struct tutor *tutor)
{
	const struct tutor_playground *playground = tutor->playground;
	if (playground)
		return !playground->typing                      ? KEYS_PLAYGROUND
			: playground->kind == PLAYGROUND_ACCESS ? KEYS_TYPING
								: KEYS_EDITING;
	return tutor->at.mode == TUTOR_LIST ? KEYS_LIST
		: tutor->explored           ? KEYS_EXPLORE
		: tutor->presented          ? KEYS_PRESENT
					    : KEYS_LESSON;
}
