#include "config.h"
#include "cmd/course.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/paths.h"

#define SHARED_DATA "/usr/local/share:/usr/share" /* XDG_DATA_DIRS where it is not set */

static const char *real_path(struct arena *arena, const char *path)
{
	char real[PATH_MAX];
	return realpath(path, real) ? arena_strdup(arena, real) : NULL;
}

static bool is_lesson(struct arena *arena, const char *folder)
{
	return file_is_named(path_join(arena, folder, "lesson.md"));
}

static bool is_course(struct arena *arena, const char *folder)
{
	return file_is_named(path_join(arena, folder, "lessons")) || is_lesson(arena, folder);
}

/* The course, from now on. Progress and the reader's kernels are kept apart from those of other courses. */
static void use(struct cmd_ctx *ctx, const char *folder)
{
	struct paths *paths = &ctx->paths;

	/* A folder's name as one of ours: it keeps the reader's progress with the course. */
	char *plain_name = arena_strdup(ctx->arena, path_last(folder));
	for (char *c = plain_name; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("-_", *c) && (*c != '.' || c == plain_name))
			*c = '_';
	const char *name = *plain_name ? plain_name : "course";

	if (strcmp(folder, paths->data) == 0)
		return;
	paths->course = folder;
	paths->state = arena_printf(ctx->arena, "%s/courses/%s", paths->state, name);
	paths->own = arena_printf(ctx->arena, "%s/exercises/%s", paths->own, name);
}

/* Those of a list with colons between, each with `below` after it. */
static void add_shelves(
	struct cmd_ctx *ctx, const char *list, const char *below, const char ***out, size_t *n, size_t *cap)
{
	while (list && *list) {
		size_t len = strcspn(list, ":");
		if (len)
			*vec_push_in(ctx->arena, *out, *n, *cap) = arena_printf(
				ctx->arena, "%.*s%s", (int)len, list, below);
		list += len + (list[len] == ':');
	}
}

const char *const *cmd_course_shelves(struct cmd_ctx *ctx)
{
	const char **out = NULL, *shared = getenv("XDG_DATA_DIRS");
	size_t n = 0, cap = 0;
	add_shelves(ctx, getenv("SIMTTUTOR_COURSES"), "", &out, &n, &cap);
	*vec_push_in(ctx->arena, out, n, cap) = path_join(ctx->arena, ctx->paths.own, "courses");
	add_shelves(ctx, shared && *shared ? shared : SHARED_DATA, "/" PACKAGE "/courses", &out, &n, &cap);
	*vec_push_in(ctx->arena, out, n, cap) = NULL;
	return out;
}

/* The lesson's folder for the lesson, where `what` begins like a path: ".", "./mine", "/home/a/mine/2", "mine/". */
static bool choose_by_lesson(struct cmd_ctx *ctx, const char **what)
{
	struct arena *arena = ctx->arena;
	const char *path = *what, *step = "";
	size_t len = strlen(path);
	bool is_path = path[0] == '.' || path[0] == '/' || (len && path[len - 1] == '/');
	if (!is_path)
		return true;
	if (!is_lesson(arena, path)) {
		const char *slash = strrchr(path, '/');
		path = slash && slash > path ? arena_strndup(arena, path, (size_t)(slash - path)) : path;
		step = slash ? slash : "";
	}
	const char *real = is_lesson(arena, path) ? real_path(arena, path) : NULL;
	if (!real) {
		diag_error(&ctx->diag, (struct diag_pos){.file = *what}, "there is no lesson.md");
		return false;
	}
	const char *parent = real_path(arena, path_join(arena, real, ".."));
	bool in_course = parent && strcmp(path_last(parent), "lessons") == 0;
	use(ctx, in_course ? real_path(arena, path_join(arena, parent, "..")) : real);
	*what = arena_printf(arena, "%s%s", path_last(real), step);
	return true;
}

bool cmd_course_choose(struct cmd_ctx *ctx, struct cmd_parsed *args, int *n, bool lessons)
{
	int kept = 0;
	bool given = false, ok = true;
	for (int i = 0; i < *n && ok; i++) {
		bool course = cmd_is(&args[i], "course");
		if (course && given) {
			diag_warn(&ctx->diag, (struct diag_pos){0}, "of several --course the first counts");
		} else if (course) {
			const char *what = args[i].value;
			struct arena *arena = ctx->arena;
			const char *folder = what;
			const char *const *shelves = cmd_course_shelves(ctx);
			for (bool found = strchr(what, '/') || what[0] == '.'; *shelves && !found; shelves++) {
				const char *one = path_join(arena, *shelves, what);
				found = is_course(arena, one);
				folder = found ? one : what;
			}
			const char *real = is_course(arena, folder) ? real_path(arena, folder) : NULL;
			ok = real != NULL;
			if (ok)
				use(ctx, real);
			else
				diag_error(&ctx->diag, diag_pos_in("--course", what, what),
					"there is no such course: neither a folder with lessons, nor below SIMTTUTOR_COURSES, %s/courses or "
					"simttutor/courses in XDG_DATA_DIRS",
					ctx->paths.own);
		}
		given |= course;
		if (!course)
			args[kept++] = args[i];
	}
	*n = kept;
	for (int i = 0; i < kept && ok && !given && lessons; i++) {
		if (args[i].option)
			continue;
		const char *before = ctx->paths.course;
		ok = choose_by_lesson(ctx, &args[i].value);
		given = ctx->paths.course != before; /* the others are of the same */
	}
	return ok;
}
