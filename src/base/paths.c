#include "config.h"
#include "base/paths.h"

#include <limits.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/portable.h"

char *path_join(struct arena *arena, const char *dir, const char *name)
{
	size_t len = strlen(dir);
	return arena_printf(arena, "%s%s%s", dir, len && dir[len - 1] == '/' ? "" : "/", name);
}

const char *path_last(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static const char *find_runtime(struct arena *arena, const char *dir)
{
	static const char *const beside[] = {"src/runtime", "../libexec/" PACKAGE};
	for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
		const char *folder = path_join(arena, dir, beside[i]);
		if (file_exists(path_join(arena, folder, "libcudart.so.13")))
			return folder;
	}
	return SIMT_PKGLIBEXECDIR;
}

/* The reader's folder that `variable` names, else `usual` in the home folder. */
static const char *find_own(struct arena *arena, const char *variable, const char *usual)
{
	const char *xdg = getenv(variable);
	if (xdg && *xdg == '/') /* the specification: a relative one is to be ignored */
		return path_join(arena, xdg, PACKAGE);
	const char *home = getenv("HOME");
	if (!home || !*home) {
		struct passwd *user = getpwuid(getuid());
		home = user && user->pw_dir && *user->pw_dir ? user->pw_dir : "/";
	}
	return path_join(arena, home, usual);
}

void paths_find(struct arena *arena, struct paths *out)
{
	const char *program = portable_program(arena);
	out->program = program ? program : path_join(arena, SIMT_BINDIR, PACKAGE);
	char *slash = strrchr(out->program, '/');
	char *dir = arena_strndup(
		arena, out->program, slash && slash > out->program ? (size_t)(slash - out->program) : 1);

	/* The path without "..", "." and links where it exists, so that messages can name it; else as it is. */
	const char *path;
	const char *data = getenv("SIMTTUTOR_DATA");
	if (data && *data) {
		path = arena_strdup(arena, data);
	} else {
		/* The source folder named by DIR/simttutor.source, or NULL. */
		const char *source = NULL;
		char *marker = path_join(arena, dir, "simttutor.source");
		if (file_exists(marker)) {
			struct diag diag = {0};
			struct buf text = {0};
			if (file_read(marker, PATH_MAX, &text, &diag) && text.len) {
				/* the marker of a build folder has a path relative to it or an absolute one */
				const char *named = arena_strndup(arena, text.data, strcspn(text.data, "\n"));
				source = named[0] == '/' ? named : path_join(arena, dir, named);
			}
			buf_free(&text);
			diag_free(&diag);
		}
		if (source) {
			path = source;
		} else {
			char *data_beside = path_join(arena, dir, "../share/" PACKAGE);
			path = file_exists(data_beside) ? data_beside : SIMT_PKGDATADIR;
		}
	}

	char real[PATH_MAX];
	out->data = realpath(path, real) ? arena_strdup(arena, real) : path;

	out->course = out->data;
	out->runtime = find_runtime(arena, dir);
	char *beside = path_join(arena, dir, "simttutor-gpu");
	out->worker = file_exists(beside) ? beside : path_join(arena, SIMT_BINDIR, "simttutor-gpu");
	out->state = find_own(arena, "XDG_STATE_HOME", ".local/state/" PACKAGE);
	out->config = find_own(arena, "XDG_CONFIG_HOME", ".config/" PACKAGE);
	out->own = find_own(arena, "XDG_DATA_HOME", ".local/share/" PACKAGE);
}

bool paths_hold_home(const char *folder)
{
	const char *home = getenv("HOME");
	char resolved[PATH_MAX], *real = home && *home ? realpath(home, resolved) : NULL;
	size_t len = strlen(folder);
	while (len && folder[len - 1] == '/')
		len--;
	return !len || (home && strncmp(home, folder, len) == 0 && (!home[len] || home[len] == '/')) ||
		(real && strncmp(real, folder, len) == 0 && (!real[len] || real[len] == '/'));
}

/* --- variables of the environment --------------------------------------------------------------------------------- */

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

double environment_duration(const char *text)
{
	static const struct {
		char letter;
		double seconds;
	} units[] = {{'\0', 1}, {'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
	const double most = 366 * 86400.0;
	size_t digits = strspn(text, "0123456789."), len = strlen(text);
	char *end = NULL;
	double value = digits && digits <= 12 ? strtod(text, &end) : 0;
	if (!end || end != text + digits || len > digits + 1)
		return 0;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (text[digits] == units[i].letter)
			return value * units[i].seconds <= most ? value * units[i].seconds : 0;
	return 0;
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
