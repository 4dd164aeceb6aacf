/* Reads JSON from standard input and prints the value at a path such as lines.0.text, compact, keys in order; without a path
 * the whole. Exits with 1 when it is no JSON, or there is nothing at the path. */
#include "config.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *child(json_t *json, const char *key)
{
	return json_is_array(json) ? json_array_get(json, strtoul(key, NULL, 10)) : json_object_get(json, key);
}

int main(int argc, char **argv)
{
	json_error_t error;
	json_t *root = json_loadf(stdin, JSON_REJECT_DUPLICATES, &error), *at = root;
	if (!root) {
		fprintf(stderr, "json-get: %d:%d: %s\n", error.line, error.column, error.text);
		return 1;
	}
	for (char *key = argc > 1 ? strtok(argv[1], ".") : NULL; at && key; key = strtok(NULL, "."))
		at = child(at, key);
	int status = at && json_dumpf(at, stdout, JSON_ENCODE_ANY | JSON_COMPACT) == 0 ? 0 : 1;
	putchar('\n');
	json_decref(root);
	return status;
}
