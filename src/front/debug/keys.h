/* front/debug/keys.h: the tables of keys (keys.def), actions (actions.def) and commands (commands.def) of the
 * debugger. */
#pragma once
#include "base/key.h"
#include "front/debug/debug.h"

struct debug_key {
	key_code key;
	enum debug_action action;
	const char *footer; /* "" when the footer does not show it */
};
extern const struct debug_key debug_keys[];
extern const int debug_key_count;

struct debug_action_row {
	const char *name, *help;
};
extern const struct debug_action_row debug_actions[DEBUG_ACTIONS];

struct debug_command_row {
	const char *name, *brief, *arguments, *help; /* brief: another name, "" */
};
extern const struct debug_command_row debug_commands[];
extern const int debug_command_count;

enum debug_action debug_key_action(key_code key);

extern const char *const debug_pane_names[DEBUG_PANE_COUNT];
extern const char *const debug_number_names[DEBUG_NUMBERS];
