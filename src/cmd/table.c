#include "cmd/cmd.h"

#define COMMAND(name) extern const struct cmd_entry cmd_##name##_entry;
#include "cmd/commands.def"
#undef COMMAND

const struct cmd_entry *const cmd_table[] = {
#define COMMAND(name) &cmd_##name##_entry,
#include "cmd/commands.def"
#undef COMMAND
	NULL,
};
