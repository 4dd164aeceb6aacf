/* Reads JSON from standard input and prints the value at a path such as lines.0.text, compact, keys in order; without a
 * path the whole. With more paths, it prints a line for each element of the array at the first: the values at the
 * others in it, tabs between them, null where there is nothing. Exits with 1 when it is no JSON, or there is nothing at
 * the first path. */
#include "config.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *child(json_t *json, const char *key)
{
	return json_is_array(json) ? json_array_get(json, strtoul(key, NULL, 10)) : json_object_get(json, key);
}

static json_t *find(json_t *json, const char *path)
{
	while (json && *path) {
		size_t len = strcspn(path, ".");
		char *key = strndup(path, len);
		json = child(json, key);
		free(key);
		path += len + (path[len] == '.');
	}
	return json;
}

static bool print(const json_t *json)
{
	return json_dumpf(json, stdout, JSON_ENCODE_ANY | JSON_COMPACT) == 0;
}

static bool print_rows(const json_t *array, char **paths, int n)
{
	bool ok = json_is_array(array);
	for (size_t i = 0; i < json_array_size(array); i++)
		for (int k = 0; k < n; k++) {
			const json_t *at = find(json_array_get(array, i), paths[k]);
			ok = (at ? print(at) : fputs("null", stdout) >= 0) && ok;
			putchar(k < n - 1 ? '\t' : '\n');
		}
	return ok;
}

int main(int argc, char **argv)
{
	json_error_t error;
	json_t *root = json_loadf(stdin, JSON_REJECT_DUPLICATES, &error);
	if (!root) {
		fprintf(stderr, "json-get: %d:%d: %s\n", error.line, error.column, error.text);
		return 1;
	}
	const json_t *at = find(root, argc > 1 ? argv[1] : "");
	bool ok = argc > 2 ? print_rows(at, argv + 2, argc - 2) : at && print(at);
	if (argc <= 2)
		putchar('\n');
	json_decref(root);
	return ok ? 0 : 1;
}
