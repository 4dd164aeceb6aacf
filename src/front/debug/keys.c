#include "front/debug/keys.h"

#include "base/text.h"

const struct debug_key debug_keys[] = {
#define KEY(key, action, footer) {key, DEBUG_ACT_##action, footer},
#include "front/debug/keys.def"
#undef KEY
};
const int debug_key_count = sizeof debug_keys / sizeof *debug_keys;

const struct debug_action_row debug_actions[DEBUG_ACTIONS] = {
#define ACTION(id, name, help) [DEBUG_ACT_##id] = {name, help},
#include "front/debug/actions.def"
#undef ACTION
};

const struct debug_command_row debug_commands[] = {
#define COMMAND(id, name, brief, arguments, help) {name, brief, arguments, help},
#include "front/debug/commands.def"
#undef COMMAND
};
const int debug_command_count = sizeof debug_commands / sizeof *debug_commands;

const char *const debug_pane_names[DEBUG_PANE_COUNT] = {
	N_("registers"), N_("memory"), N_("paths"), N_("warps"), N_("variables")};
const char *const debug_number_names[DEBUG_NUMBERS] = {"auto", "hex", "int", "float", "f16x2", "bf16x2"};

enum debug_action debug_key_action(key_code key)
{
	for (int i = 0; i < debug_key_count; i++)
		if (debug_keys[i].key == key)
			return debug_keys[i].action;
	return DEBUG_ACT_NONE;
}
