#include "script.h"

#include <stdlib.h>
#include <string.h>

int script_number(const char *name, int otherwise)
{
	const char *script = getenv("SIMTTUTOR_FAKE_CUDA");
	const char *version = strstr(name, "_v");
	size_t len = version ? (size_t)(version - name) : strlen(name);
	for (const char *at = script; at && *at; at += strspn(at, " ")) {
		if (!strncmp(at, name, len) && at[len] == '=')
			return atoi(at + len + 1);
		at += strcspn(at, " ");
	}
	return otherwise;
}
