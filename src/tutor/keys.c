#include "tutor/keys.h"

#include <string.h>

const struct key key_table[] = {
#define KEY(mode, key, action, footer) {KEYS_##mode, key, ACTION_##action, footer},
#include "tutor/keys.def"
#undef KEY
};
const int key_count = sizeof key_table / sizeof *key_table;

const struct action action_table[ACTIONS] = {
#define ACTION(id, name, help) [ACTION_##id] = {name, help},
#include "tutor/actions.def"
#undef ACTION
};

static enum tutor_action find(enum key_mode mode, const char *name)
{
	for (int i = 0; i < key_count; i++)
		if (key_table[i].mode == mode && !strcmp(key_table[i].name, name))
			return key_table[i].action;
	return ACTION_NONE;
}

enum tutor_action key_action(enum key_mode mode, const char *name)
{
	enum tutor_action action = find(mode, name);
	return action != ACTION_NONE ? action : find(KEYS_ANY, name);
}

enum key_mode key_mode_of(const struct tutor *tutor)
{
	return tutor->at.mode == TUTOR_LIST ? KEYS_LIST : KEYS_LESSON;
}

const char *key_label(const char *name)
{
	static const struct {
		const char *name, *label;
	} arrows[] = {{"Left", "←"}, {"Right", "→"}, {"Up", "↑"}, {"Down", "↓"}};
	for (size_t i = 0; i < sizeof arrows / sizeof *arrows; i++)
		if (!strcmp(arrows[i].name, name))
			return arrows[i].label;
	return name;
}
