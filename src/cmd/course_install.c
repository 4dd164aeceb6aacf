#include "config.h"
#include "cmd/course.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/pack.h"
#include "base/paths.h"
#include "base/portable.h"
#include "base/text.h"
#include "base/utf8.h"
#include "tools/sandbox/sandbox.h"

#define INCOMING ".incoming-" /* of folders that are being unpacked: hidden, so that no course is called so */
#define LEFT_AFTER_S 86400    /* then one of them is what an interrupted installation left */
#define CHECK_MS 300000.0     /* a stranger's course has five minutes to show that it is sound */

const char *course_own_folder(struct cmd_ctx *ctx)
{
	return path_join(ctx->arena, ctx->paths.own, "courses");
}

static bool refuse_install(struct cmd_ctx *ctx, const char *path, const char *what)
{
	diag_error(&ctx->diag, (struct diag_pos){.file = path}, "%s", what);
	return false;
}

/* Removes a folder with all that is in it. */
static bool remove_folder(const char *path)
{
	struct scratch folder = {.path = path, .fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)};
	if (folder.fd < 0)
		return errno == ENOENT;
	scratch_remove_folder(&folder);
	close(folder.fd);
	return !file_is_named(path);
}

/* --- install ------------------------------------------------------------------------------------------------------ */

struct installation {
	const char *archive, *name; /* name NULL: that of the folder in it */
	bool replace;
	const char *courses, *incoming, *place; /* the folder of all, of this one while it is checked, and afterwards */
	const char *was;                        /* where what it replaces is meanwhile; NULL: nowhere */
};

/* Unpacks it, and knows its name. */
static bool unpack_course(struct cmd_ctx *ctx, struct installation *install)
{
	char *incoming = arena_printf(ctx->arena, "%s/" INCOMING "XXXXXX", install->courses);
	file_make_parents(incoming, COURSE_FOLDER_MODE);

	/* What installations that were interrupted left. */
	DIR *dir = opendir(install->courses);
	for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
		struct stat info;
		const char *path = path_join(ctx->arena, install->courses, entry->d_name);
		if (strncmp(entry->d_name, INCOMING, sizeof INCOMING - 1) == 0 && lstat(path, &info) == 0 &&
			time(NULL) - info.st_mtime > LEFT_AFTER_S)
			remove_folder(path);
	}
	if (dir)
		closedir(dir);

	if (!mkdtemp(incoming)) {
		diag_error(&ctx->diag, (struct diag_pos){.file = install->courses}, "cannot make a folder there: %s",
			strerror(errno));
		return false;
	}
	install->incoming = incoming;
	const char *top = pack_extract(ctx->arena, install->archive, incoming, &ctx->diag);
	if (!top)
		return false;
	install->name = install->name ? install->name : top;
	install->place = path_join(ctx->arena, install->courses, install->name);
	if (!file_is_named(path_join(ctx->arena, incoming, "lessons")))
		return refuse_install(ctx, install->archive, "has no course in its folder: there is no folder lessons");
	return install->replace || !file_is_named(install->place) ||
		refuse_install(
			ctx, install->place, "there is a course of that name; --replace or --name says what to do");
}

/* All at once: the folder is there with everything in it, or as it was. */
static bool move_course(struct cmd_ctx *ctx, struct installation *install)
{
	if (file_is_named(install->place)) {
		install->was = arena_printf(ctx->arena, "%s-was", install->incoming);
		if (rename(install->place, install->was) != 0)
			return refuse_install(ctx, install->place, strerror(errno));
	}
	if (rename(install->incoming, install->place) == 0)
		return true;
	refuse_install(ctx, install->place, strerror(errno));
	if (install->was && rename(install->was, install->place) == 0)
		install->was = NULL;
	return false;
}

static void describe_course(const struct course *course, struct buf *out)
{
	const struct {
		const char *before, *text;
	} parts[] = {{", version ", course->version}, {", by ", course->author}, {", license ", course->license}};
	buf_puts(out, *course->title ? course->title : "untitled");
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (*parts[i].text)
			buf_printf(out, "%s%s", parts[i].before, parts[i].text);
}

static bool report_installed(
	struct cmd_ctx *ctx, const struct installation *install, const struct course *course, int lessons)
{
	struct buf out = {0}, what = {0};
	describe_course(course, &what);
	escape_line(&out, text_plural("%s: %s; %d lesson", "%s: %s; %d lessons", (unsigned)lessons), install->name,
		buf_str(&what), lessons);
	for (int i = 0; i < course->n_prerequisites; i++)
		escape_line(&out, "  before it: %s", course->prerequisites[i]);
	escape_line(&out, "Now: simttutor learn --course %s", install->name);
	bool ok = cmd_print(ctx, &out);
	buf_free(&out);
	buf_free(&what);
	return ok;
}

int course_install(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct installation install = {.courses = course_own_folder(ctx)};
	struct course course;
	struct cmd_lesson_check check = {.max_steps = CMD_LESSON_CHECK_STEPS,
		.until_ms = clock_ms() + CHECK_MS,
		.no_spelling = "that is its author's"};
	struct buf steps = {0};
	int files = 0;
	for (int i = 0; i < n; i++) {
		if (cmd_is(&args[i], "name")) {
			install.name = args[i].value;
		} else if (cmd_is(&args[i], "replace")) {
			install.replace = true;
		} else if (!args[i].option) {
			install.archive = args[i].value;
			files++;
		}
	}
	if (files != 1)
		return cmd_usage(ctx, &cmd_course_entry, "install takes one archive");
	if (install.name && (strchr(install.name, '/') || pack_name_fault(install.name))) {
		cmd_bad_value(ctx, "--name", install.name, "letters, digits and ._+- alone");
		return EXIT_USAGE;
	}

	int status = file_is_named(install.archive) || pack_absence() ? EXIT_FAILED : EXIT_MISSING;
	if (pack_absence())
		status = EXIT_MISSING;
	if (unpack_course(ctx, &install) && course_check(ctx, install.incoming, &check, &course, &steps) == EXIT_OK &&
		move_course(ctx, &install) && report_installed(ctx, &install, &course, check.lessons))
		status = EXIT_OK;
	else if (install.incoming)
		diag_note(&ctx->diag, (struct diag_pos){.file = install.archive}, "nothing was installed");
	buf_free(&steps);
	if (install.incoming)
		remove_folder(install.incoming);
	if (install.was)
		remove_folder(install.was);
	return status;
}

/* --- list, remove ------------------------------------------------------------------------------------------------- */

int course_list(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct buf out = {0};
	int found = 0;
	if (n)
		return cmd_usage(ctx, &cmd_course_entry, "list takes no argument such as '%s'",
			args[0].option ? args[0].option->name : args[0].value);
	for (const char *const *shelf = cmd_course_shelves(ctx); *shelf; shelf++) {
		struct dirent **entries;
		int n_shelf = scandir(*shelf, &entries, NULL, cmd_lesson_by_name);
		if (n_shelf < 0 && errno == ENOMEM)
			base_out_of_memory();
		for (int i = 0; i < n_shelf; i++) {
			struct course course;
			struct buf what = {0};
			const char *folder = path_join(ctx->arena, *shelf, entries[i]->d_name);
			if (entries[i]->d_name[0] != '.' && file_is_named(path_join(ctx->arena, folder, "lessons"))) {
				lesson_course_read(ctx->arena, folder, &course, &ctx->diag);
				describe_course(&course, &what);
				escape_line(&out, "%-20s %s", entries[i]->d_name, buf_str(&what));
				escape_line(&out, "%20s %s", "", folder);
				found++;
			}
			buf_free(&what);
			free(entries[i]);
		}
		if (n_shelf >= 0)
			free(entries);
	}
	if (!found)
		escape_line(&out, "No course is installed; those that come with simttutor are always there.");
	bool ok = cmd_print(ctx, &out) && !ctx->diag.errors;
	buf_free(&out);
	return ok ? EXIT_OK : EXIT_FAILED;
}

int course_remove(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct buf out = {0};
	if (n != 1 || args[0].option)
		return cmd_usage(ctx, &cmd_course_entry, "remove takes the name of one course");
	const char *name = args[0].value, *place = path_join(ctx->arena, course_own_folder(ctx), name);
	if (strchr(name, '/') || pack_name_fault(name) || !file_is_named(path_join(ctx->arena, place, "lessons"))) {
		diag_error(&ctx->diag, diag_pos_in("course remove", name, name),
			"no course of that name is installed in %s", course_own_folder(ctx));
		return EXIT_MISSING;
	}
	const char *going = arena_printf(ctx->arena, "%s/" INCOMING "gone-%ld", course_own_folder(ctx), (long)getpid());
	if (rename(place, going) != 0 || !remove_folder(going)) {
		diag_error(&ctx->diag, (struct diag_pos){.file = place}, "cannot be removed: %s", strerror(errno));
		return EXIT_FAILED;
	}
	escape_line(&out, "%s is removed; what you did in it is kept", name);
	bool ok = cmd_print(ctx, &out);
	buf_free(&out);
	return ok ? EXIT_OK : EXIT_FAILED;
}
