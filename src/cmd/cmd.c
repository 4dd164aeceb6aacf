#include "config.h"
#include "cmd/cmd.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const struct cmd_entry *const cmd_table[] = {NULL};

int cmd_main(int argc, char **argv)
{
	(void)argc, (void)argv;
	return EXIT_OK;
}
