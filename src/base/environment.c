#include "config.h"
#include "base/environment.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* NULL: it is not set. */
static const char *find(const char *variable)
{
	const char *text = getenv(variable);
	return text && *text ? text : NULL;
}

static void report(const char *variable, struct diag *diag, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void report(const char *variable, struct diag *diag, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	if (diag)
		diag_verror(diag, (struct diag_pos){.file = variable}, format, args);
	va_end(args);
}

int environment_seconds(const char *variable, int usual, struct diag *diag)
{
	const char *text = find(variable);
	size_t digits = text ? strspn(text, "0123456789") : 0;
	long seconds = digits && digits < 7 && !text[digits] ? strtol(text, NULL, 10) : 0;
	if (seconds >= 1 && seconds <= ENVIRONMENT_SECONDS_MAX)
		return (int)seconds;
	if (text)
		report(variable, diag, "'%s' is not a whole number of seconds from 1 to %d", text,
			ENVIRONMENT_SECONDS_MAX);
	return usual;
}

bool environment_check_folders(const char *variable, struct diag *diag)
{
	for (const char *at = find(variable); at && *at;) {
		size_t len = strcspn(at, ":");
		if (len && *at != '/') {
			report(variable, diag, "'%.*s' is not a path from the root, with a '/' at its beginning",
				(int)len, at);
			return false;
		}
		at += len + (at[len] == ':');
	}
	return true;
}

const char *environment_folder(const char *variable, struct diag *diag)
{
	const char *text = find(variable);
	if (text && *text != '/')
		report(variable, diag, "'%s' is not a path from the root, with a '/' at its beginning", text);
	return text && *text == '/' ? text : NULL;
}

bool environment_is_no(const char *variable, struct diag *diag)
{
	const char *text = find(variable);
	bool no = text && strcmp(text, "no") == 0;
	if (text && !no && strcmp(text, "yes") != 0)
		report(variable, diag, "'%s' is neither yes nor no", text);
	return no;
}
