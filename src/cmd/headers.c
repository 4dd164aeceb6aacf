#include "config.h"
#include "cmd/headers.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/utf8.h"
#include "cmd/program.h"
#include "tools/sandbox/process.h"

#define FILES_MAX 400                 /* sources and headers that are looked through */
#define FILE_MAX ((size_t)4 << 20)    /* bytes of one */
#define NAMES_MAX ((size_t)256 << 10) /* bytes of the names that one includes */
#define FOLDERS_SHOWN 5

static struct {
	struct build_list allowed, refused; /* files, by their real paths; folders, as the source names them */
	bool declined;
} headers;

/* --- names in a source, read in a process that can do nothing else ------------------------------------------------ */

/* Appends the names of #include lines, each after " or <, and a newline. */
static void scan(const char *text, struct buf *names)
{
	static const char word[] = "include";
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		const char *at = line + strspn(line, " \t");
		if (*at != '#')
			continue;
		at += 1 + strspn(at + 1, " \t");
		if (strncmp(at, word, strlen(word)) != 0)
			continue;
		at += strlen(word);
		at += strspn(at, " \t");
		size_t len = *at == '"' || *at == '<' ? strcspn(at + 1, "\">\n") : 0;
		if (len && len < PATH_MAX && names->len + len < NAMES_MAX) {
			buf_append(names, at, len + 1);
			buf_putc(names, '\n');
		}
	}
}

static _Noreturn void be_scanner(int source, int out)
{
	const struct confine_support support = confine_support();
	const struct confine_profile nothing = {0};
	struct buf text = {0}, names = {0};
	char bytes[4096];
	ssize_t n;
	if (!confine_self(&nothing, &support))
		_exit(EXIT_FAILURE);
	while (text.len < FILE_MAX && (n = file_get(source, bytes, sizeof bytes)) > 0)
		buf_append(&text, bytes, (size_t)n);
	scan(buf_str(&text), &names);
	_exit(file_put(out, buf_str(&names), names.len) ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* Appends what the file includes, as scan() writes it; nothing when it cannot be read. */
static void read_names(const char *path, struct buf *names)
{
	struct diag quiet = {0};
	char bytes[4096];
	ssize_t n;
	int ends[2], source = file_open(path, &quiet);
	diag_free(&quiet);
	if (source < 0)
		return;
	if (!process_pipe(ends)) {
		close(source);
		return;
	}
	pid_t pid = fork();
	if (pid == 0) {
		close(ends[0]);
		be_scanner(source, ends[1]);
	}
	close(source);
	close(ends[1]);
	while (pid > 0 && names->len < NAMES_MAX && (n = file_get(ends[0], bytes, sizeof bytes)) > 0)
		buf_append(names, bytes, (size_t)n);
	close(ends[0]);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		continue;
}

/* --- where they are ----------------------------------------------------------------------------------------------- */

struct header_search {
	struct arena *arena;
	const struct build_request *request;
	struct {
		const char *path, *real; /* as it is reached from the source, and without links */
	} files[FILES_MAX];
	int n;
	const char *readable[2 * BUILD_WORDS_MAX]; /* folders that compilers may read anyway, without links */
	int n_readable;
};

static const char *real_path(struct arena *arena, const char *path)
{
	char real[PATH_MAX];
	return realpath(path, real) ? arena_strdup(arena, real) : NULL;
}

/* Up to its slash; "" in the working folder. */
static const char *folder_of_file(struct arena *arena, const char *path)
{
	return arena_strndup(arena, path, (size_t)(path_last(path) - path));
}

static bool is_below(const char *path, const char *folder)
{
	size_t len = strlen(folder);
	return strncmp(path, folder, len) == 0 && (len == 1 || !path[len] || path[len] == '/');
}

/* Adds a file, unless there is none, or it is there already. */
static bool add_file(struct header_search *s, const char *path)
{
	struct stat info;
	const char *real = real_path(s->arena, path);
	if (!real || stat(real, &info) != 0 || !S_ISREG(info.st_mode))
		return false;
	for (int i = 0; i < s->n; i++)
		if (strcmp(s->files[i].real, real) == 0)
			return true;
	if (s->n < FILES_MAX) {
		s->files[s->n].path = path;
		s->files[s->n++].real = real;
	}
	return true;
}

/* As a compiler looks for it: beside the file that names it, beside the sources, then in the folders of -I. */
static void add_included(struct header_search *s, const char *from, const char *name)
{
	const struct build_request *r = s->request;
	if (*name == '"') {
		if (add_file(s,
			    name[1] == '/' ? name + 1
					   : arena_printf(s->arena, "%s%s", folder_of_file(s->arena, from), name + 1)))
			return;
		for (int i = 0; i < r->n_inputs; i++)
			if (add_file(s,
				    arena_printf(
					    s->arena, "%s%s", folder_of_file(s->arena, r->inputs[i].path), name + 1)))
				return;
	}
	for (int i = 0; i < r->folders.n; i++)
		if (add_file(s, path_join(s->arena, r->folders.words[i], name + 1)))
			return;
}

static void add_readable(struct header_search *s, const char *folder)
{
	const char *real = real_path(s->arena, *folder ? folder : ".");
	if (real && s->n_readable < 2 * BUILD_WORDS_MAX)
		s->readable[s->n_readable++] = real;
}

static void search_all(struct header_search *s)
{
	const struct build_request *r = s->request;
	for (int i = 0; i < r->n_inputs; i++)
		if (r->inputs[i].kind != BUILD_LINKED) {
			add_file(s, r->inputs[i].path);
			add_readable(s, folder_of_file(s->arena, r->inputs[i].path));
		}
	for (int i = 0; i < r->folders.n; i++)
		add_readable(s, r->folders.words[i]);
	for (int i = 0; i < s->n; i++) {
		struct buf names = {0};
		read_names(s->files[i].path, &names);
		for (char *at = names.len ? names.data : NULL, *end; at && (end = strchr(at, '\n')); at = end + 1) {
			*end = '\0';
			if ((*at == '"' || *at == '<') && at[1])
				add_included(s, s->files[i].path, arena_strdup(s->arena, at));
		}
		buf_free(&names);
	}
}

/* --- which may be read -------------------------------------------------------------------------------------------- */

static bool is_installed(const char *real)
{
	return is_below(real, "/usr") || is_below(real, "/lib") || is_below(real, "/opt");
}

static bool is_called_header(const char *real)
{
	static const char *const ends[] = {".h", ".hh", ".hpp", ".hxx", ".cuh", ".cu", ".inl", ".inc", ".ipp", ".tpp",
		".c", ".cc", ".cpp", ".cxx"};
	const char *dot = strrchr(path_last(real), '.');
	for (size_t i = 0; dot && i < sizeof ends / sizeof *ends; i++)
		if (strcmp(dot, ends[i]) == 0)
			return !strstr(real, "/.");
	return false;
}

/* Whether a folder that holds the sources, and is no other person's and not all of the system, holds it, too. */
static bool is_near(const struct header_search *s, const char *real)
{
	const char *home = getenv("HOME"), *own = home && *home ? real_path(s->arena, home) : NULL;
	for (int i = 0; i < s->request->n_inputs; i++) {
		const char *source = real_path(s->arena, s->request->inputs[i].path);
		size_t same = 0, n = 0;
		for (; source && source[n] && source[n] == real[n]; n++)
			same = source[n] == '/' ? n : same;
		const char *both = source ? arena_strndup(s->arena, source, same) : "";
		if (same && (!paths_hold_home(both) || (own && strcmp(both, own) == 0)))
			return true;
	}
	return false;
}

static void list_folder(struct header_search *s, struct build_list *folders, const char *path)
{
	const char *folder = folder_of_file(s->arena, path);
	size_t len = strlen(folder);
	folder = len > 1 ? arena_strndup(s->arena, folder, len - 1) : len ? folder : ".";
	for (int i = 0; i < folders->n; i++)
		if (strcmp(folders->words[i], folder) == 0)
			return;
	if (folders->n < BUILD_WORDS_MAX)
		folders->words[folders->n++] = folder;
}

static void put_folders_of(const struct build_list *folders, struct buf *out)
{
	for (int i = 0; i < folders->n && i < FOLDERS_SHOWN; i++) {
		buf_puts(out, i ? ", " : "");
		escape_puts(folders->words[i], out);
	}
	if (folders->n > FOLDERS_SHOWN)
		buf_printf(out, " and %d more", folders->n - FOLDERS_SHOWN);
}

/* Several compilers that make starts at once ask one after the other, and the first answer is for all. */
static bool agrees(struct cmd_needs *needs, const char *file, const struct build_list *folders)
{
	struct buf list = {0};
	if (!program_asks(needs->ctx->arena))
		return program_has_agreed(needs->ctx->arena);
	int lock = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (lock >= 0)
		(void)flock(lock, LOCK_EX);
	put_folders_of(folders, &list);
	bool agreed = program_has_agreed(needs->ctx->arena) || program_ask_headers(needs->ctx, file, buf_str(&list));
	buf_free(&list);
	if (lock >= 0)
		close(lock);
	return agreed;
}

void program_headers_find(struct cmd_needs *needs, struct build_request *request)
{
	struct header_search *s = arena_alloc(needs->ctx->arena, sizeof *s);
	struct build_list files = {.n = 0}, folders = {.n = 0};
	*s = (struct header_search){.arena = needs->ctx->arena, .request = request};
	search_all(s);
	for (int i = 0; i < s->n; i++) {
		const char *real = s->files[i].real;
		bool readable = is_installed(real);
		for (int k = 0; k < s->n_readable && !readable; k++)
			readable = is_below(real, s->readable[k]);
		if (readable)
			continue;
		if (is_called_header(real) && is_near(s, real) && files.n < BUILD_WORDS_MAX) {
			files.words[files.n++] = real;
			list_folder(s, &folders, s->files[i].path);
		} else {
			list_folder(s, &headers.refused, s->files[i].path);
		}
	}
	if (files.n && agrees(needs, request->inputs[0].path, &folders)) {
		headers.allowed = files;
	} else if (files.n) {
		headers.declined = true;
		for (int i = 0; i < folders.n && headers.refused.n < BUILD_WORDS_MAX; i++)
			headers.refused.words[headers.refused.n++] = folders.words[i];
	}
	program_headers_use(request);
	for (int i = 0; i < headers.allowed.n; i++)
		cmd_needs_reading(needs, headers.allowed.words[i]);
}

void program_headers_use(struct build_request *request)
{
	request->headers = headers.allowed;
}

void program_headers_explain(struct cmd_ctx *ctx, const char *option)
{
	struct buf list = {0};
	if (!headers.refused.n)
		return;
	put_folders_of(&headers.refused, &list);
	diag_note(&ctx->diag, (struct diag_pos){0},
		"headers are included from %s, which compilers may not read: %s %s allows it%s", buf_str(&list), option,
		headers.refused.words[0],
		headers.declined ? ", and so does to agree that programs run (a terminal asks; SIMTTUTOR_PROGRAMS=yes)"
				 : "");
	buf_free(&list);
}

bool program_headers_declined(void)
{
	return headers.declined;
}
