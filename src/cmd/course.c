#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cmd/cmd.h"
#include "cmd/confined.h"
#include "cmd/course.h"
#include "cmd/lesson.h"
#include "cmd/program.h"
#include "cmd/spelling.h"
#include "course/experiment/experiment.h"
#include "course/experiment/recordings.h"
#include "course/lesson/lesson.h"
#include "front/tutor/tutor.h"
#include "machine/ptx/ptx.h"

/* --- the files of a course ---------------------------------------------------------------------------------------- */

struct walk {
	struct cmd_ctx *ctx;
	const char *folder;
	bool withhold;
	struct course_files *out;
	int depth;
};

static int is_entry(const struct dirent *entry)
{
	static const char *const copies[] = {"~", ".orig", ".rej", ".new"};
	for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
		size_t len = strlen(entry->d_name), tail = strlen(copies[i]);
		if (len > tail && strcmp(entry->d_name + len - tail, copies[i]) == 0)
			return 0;
	}
	return entry->d_name[0] != '.';
}

/* Whether a file, by its name in the course, tells a solution. */
static bool tells_solution(const char *name)
{
	const char *in = strncmp(name, "lessons/", 8) == 0 ? strstr(name, "/exercise/") : NULL;
	if (!in)
		return false;
	in += strlen("/exercise/");
	return strncmp(in, "solution.", 9) == 0 || strncmp(in, "right/", 6) == 0 || strncmp(in, "wrong/", 6) == 0;
}

static void fault(struct walk *w, const char *path, const char *what)
{
	diag_error(&w->ctx->diag, (struct diag_pos){.file = path}, "%s", what);
}

static void list_below(struct walk *w, const char *below)
{
	struct arena *arena = w->ctx->arena;
	struct dirent **entries;
	const char *folder = *below ? path_join(arena, w->folder, below) : w->folder;
	int n = w->out->n <= PACK_FILES_MAX ? scandir(folder, &entries, is_entry, cmd_lesson_by_name) : 0;
	if (n < 0) {
		if (errno == ENOMEM)
			base_out_of_memory();
		fault(w, folder, strerror(errno));
		return;
	}
	for (int i = 0; i < n; i++) {
		const char *name = *below ? path_join(arena, below, entries[i]->d_name)
					  : arena_strdup(arena, entries[i]->d_name);
		struct stat info;
		const char *path = path_join(w->ctx->arena, w->folder, name), *why = pack_name_fault(name);
		if (lstat(path, &info) != 0)
			fault(w, path, strerror(errno));
		else if (why)
			fault(w, path, why);
		else if (S_ISDIR(info.st_mode))
			list_below(w, name);
		else if (!S_ISREG(info.st_mode))
			fault(w, path, "is neither a folder nor a plain file; a course has no links");
		else if ((uint64_t)info.st_size > PACK_FILE_MAX)
			fault(w, path, "is larger than a file of a course may be");
		else if (w->withhold && tells_solution(name))
			w->out->n_withheld++;
		else
			*vec_push_in(w->ctx->arena, w->out->files, w->out->n, w->out->cap) = (struct pack_file){
				name, path};

		free(entries[i]);
	}
	if (n)
		free(entries);
}

/* All files below `folder`, but those whose names begin with a dot or are an editor's copies ("a~", "a.orig", "a.rej",
 * "a.new"), and, with `withhold`, what tells the solutions: exercise/solution.*, exercise/right and exercise/wrong of
 * each lesson. A link, what is no file, and a name that an archive cannot have are errors with their places. False with
 * errors. */
static bool course_files_list(struct cmd_ctx *ctx, const char *folder, bool withhold, struct course_files *out)
{
	struct walk w = {.ctx = ctx, .folder = folder, .withhold = withhold, .out = out};
	size_t errors = ctx->diag.errors;
	*out = (struct course_files){0};
	list_below(&w, "");
	if (out->n > PACK_FILES_MAX)
		fault(&w, folder, "has more files than a course may");
	return ctx->diag.errors == errors;
}

/* The folders of its lessons, in order; NULL at the end. An error where there is none. */
static const char *const *course_files_lessons(struct cmd_ctx *ctx, const char *folder)
{
	struct arena *arena = ctx->arena;
	struct dirent **entries;
	const char *lessons = path_join(arena, folder, "lessons"), **out = NULL;
	int n = scandir(lessons, &entries, is_entry, cmd_lesson_by_name);
	size_t n_out = 0, cap = 0;
	if (n < 0 && errno == ENOMEM)
		base_out_of_memory();
	for (int i = 0; i < n; i++) {
		const char *dir = path_join(arena, lessons, entries[i]->d_name);
		if (file_is_named(path_join(arena, dir, "lesson.md")))
			*vec_push_in(arena, out, n_out, cap) = dir;
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	if (!n_out)
		diag_error(
			&ctx->diag, (struct diag_pos){.file = lessons}, "there is no lesson in it: NN-name/lesson.md");
	*vec_push_in(arena, out, n_out, cap) = NULL;
	return out;
}

/* `simttutor course launches`: what a worker for many readers may do for all alike (gpu/worker/share.h). */

static int course_launches(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct buf out = {0};
	if (n > 1 || (n == 1 && args[0].option))
		return cmd_usage(ctx, &cmd_course_entry, "launches takes at most the folder of one course");

	/* The lessons of a folder, or of the course that ships. */
	const char *folder = n ? args[0].value : NULL;
	struct lesson_names names = tutor_lesson_names;
	struct catalog *catalog = NULL;
	names.shared = ctx->paths.data;
	if (!folder)
		catalog = tutor_catalog_load(ctx->arena, &ctx->paths, &ctx->diag);
	else if (file_is_named(path_join(ctx->arena, folder, "lessons")))
		catalog = lesson_catalog_load(ctx->arena, folder, &names, &ctx->diag);
	else
		diag_error(&ctx->diag, (struct diag_pos){.file = folder}, "this is no folder with lessons");

	bool ok = catalog != NULL;
	for (int i = 0; ok && i < catalog->n_lessons; i++) {
		/* What a lesson expects to fault, or not to end, is nobody else's, and what comes after other launches
		 * no GPU's. */
		const struct lesson *lesson = catalog->lessons[i];
		struct experiment_points points;
		struct arena *arena = arena_new();
		ok = experiment_points_of_lesson(arena, lesson, &points, &ctx->diag);
		for (int j = 0; ok && j < points.n; j++) {
			const struct experiment_point *point = &points.points[j];
			if (!launch_is_for_machine(point->launch) &&
				!lesson_expects_defect(lesson, point->step, point->values)) {
				/* The launch, of the PTX as it is and as its lines are counted. */
				const struct kernel_file *file = point->step->file;
				struct wire_message m = {.kind = WIRE_MEASURE, .id = 1};
				m.measure.job = (struct wire_job){file->ptx_text, file->ptx_len, *point->launch};
				wire_write(&m, &out);
				struct ptx_module *module = ptx_parse(
					arena, file->ptx_path, file->ptx_text, file->ptx_len, &ctx->diag);
				const char *ptx = module
					? experiment_ptx_for_lines(arena, module, point->launch->kernel, &ctx->diag)
					: NULL;
				ok = ptx != NULL;
				if (ok) {
					m = experiment_lines_message(ptx, point->launch);
					m.id = 1;
					m.lines.n_metrics = 0;
					wire_write(&m, &out);
				}
			}
		}
		arena_free(arena);
	}
	int status = !catalog ? EXIT_MISSING : ok && cmd_print(ctx, &out) ? EXIT_OK : EXIT_FAILED;
	buf_free(&out);
	return status;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static int run_course(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

static const struct cmd_option options[] = {
	{"author", 0, "NAME", N_("new: who makes the course")},
	{"edition", 0, "EDITION",
		N_("pack: reader, without the solutions of a course that withholds them, or instructor, with all; reader by default")},
	{"force", 0, NULL, N_("build: also what is current")},
	{"format", 0, "FORMAT", N_("check: text or json")},
	{"language", 0, "TAG", N_("new: of the texts, as in en, de or pt-BR; en by default")},
	{"license", 0, "NAME", N_("new: under which it may be used, as in CC-BY-4.0")},
	{"name", 0, "NAME", N_("install: by which it is chosen; that of the folder in the archive by default")},
	{"no-recorded", 0, NULL, N_("check, pack: a launch that is not recorded yet is not an error")},
	{"output", 'o', "FILE", N_("pack: the archive; NAME-VERSION.tar.xz in the current folder by default")},
	{"replace", 0, NULL, N_("install: in place of an installed course of that name")},
	{"steps", 0, "N", N_("check, pack: end a launch after N warp instructions; 20000000 by default")},
	{"title", 0, "TEXT", N_("new: of the course")},
	{0},
};

/* What the word after `course` names; NULL: none. */
static const struct course_action *find_action(const struct cmd_parsed *args, int n);

static void needs_of_course(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	const struct course_action *action = find_action(args, n);
	const char *output = "./archive";
	if (!action)
		return;
	if (action->needs & COURSE_GRADES)
		program_grade_needs(needs);
	if (action->needs & COURSE_COMPILES)
		needs->tools = true;
	for (int i = 1; i < n; i++) {
		const char *folder = args[i].option ? NULL : args[i].value;
		if (folder && action->needs & COURSE_READS)
			cmd_needs_reading(needs, folder);
		if (folder &&
			(action->needs & COURSE_WRITES || (action->needs & COURSE_COMPILES && file_is_named(folder))))
			cmd_needs_writing(needs, folder, CMD_OUTPUT_MODE);
		if (cmd_is(&args[i], "output"))
			output = args[i].value;
	}
	if (action->needs & COURSE_ARCHIVES)
		cmd_needs_output(needs, output);
	if (action->needs & COURSE_INSTALLS)
		cmd_needs_writing(needs, course_own_folder(needs->ctx), COURSE_FOLDER_MODE);
	if (action->needs & COURSE_SHELVES)
		for (const char *const *folder = cmd_course_shelves(needs->ctx); *folder; folder++)
			cmd_needs_reading(needs, *folder);
}

const struct cmd_entry cmd_course_entry = {
	.name = "course",
	.usage =
		"new DIR | check DIR... | build DIR... | pack DIR | install FILE | list | remove NAME | launches [DIR]",
	.summary = N_("courses of one's own: begin, check, build, pack, install"),
	.details = N_(
		"A course is a folder with course.yaml, a folder lessons and a folder kernels, as simttutor-lesson(5) describes it. "
		"new begins one, with a lesson that passes every check. check does what `lesson check` does for every lesson, and "
		"looks at what only the whole has: course.yaml, lessons of one name, the glossary, translations, names of files. "
		"build compiles the kernels of every lesson.\n"
		"pack checks the course and writes it as an archive, which is the same for the same files; of a course with "
		"`solutions: withheld` readers get one without the solutions of exercises, and --edition instructor has them. "
		"install takes such an archive, or another .tar.xz or .tar.gz with one folder that is a course. Nothing in it "
		"is started: it is unpacked without links and with plain names alone, then checked as by `course check "
		"--no-recorded`, its kernels executed by the SIMT machine within its limits, and refused with every fault, or kept where "
		"`--course NAME` finds it. list shows the courses that --course finds by name, remove takes an installed one "
		"away; progress stays.\n"
		"launches prints the launches of the experiments, one a line, as a worker is asked for them: simttutor-gpu --serve --known "
		"takes them as those that it may make for all readers alike."),
	.options = options,
	.run = run_course,
	.needs = needs_of_course,
};

/* --- what the actions share --------------------------------------------------------------------------------------- */

/* The plain arguments; NULL at the end. */
static const char *const *plain_arguments(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n, int *count)
{
	const char **out = arena_array(ctx->arena, const char *, (size_t)n + 1);
	*count = 0;
	for (int i = 0; i < n; i++)
		if (!args[i].option)
			out[(*count)++] = args[i].value;
	return out;
}

static const char *option_value(const struct cmd_parsed *args, int n, const char *name)
{
	const char *value = NULL;
	for (int i = 0; i < n; i++)
		if (cmd_is(&args[i], name))
			value = args[i].value ? args[i].value : "";
	return value;
}

/* --- check -------------------------------------------------------------------------------------------------------- */

static bool begin_check(
	struct cmd_ctx *ctx, const struct cmd_parsed *args, int n, struct cmd_lesson_check *check, bool *json)
{
	*check = (struct cmd_lesson_check){.recorded = true,
		.ctx = ctx,
		.max_steps = CMD_LESSON_CHECK_STEPS,
		.no_spelling = spelling_absence(ctx)};
	for (int i = 0; i < n; i++) {
		if (cmd_is(&args[i], "no-recorded"))
			check->recorded = false;
		else if (cmd_is(&args[i], "steps") && !cmd_whole(ctx, &args[i], 1, UINT64_MAX, &check->max_steps))
			return false;
		else if (cmd_is(&args[i], "format")) {
			*json = strcmp(args[i].value, "json") == 0;
			if (!*json && strcmp(args[i].value, "text") != 0)
				return cmd_bad_value(ctx, "--format", args[i].value, "text or json");
		}
	}
	return true;
}

int course_check(
	struct cmd_ctx *ctx, const char *folder, struct cmd_lesson_check *check, struct course *course, struct buf *out)
{
	struct course_files files;
	size_t errors = ctx->diag.errors;
	const char *yaml = path_join(ctx->arena, folder, LESSON_COURSE_FILE);
	int status = EXIT_OK;
	if (!file_is_named(folder)) {
		diag_error(&ctx->diag, (struct diag_pos){.file = folder}, "there is no such folder");
		return EXIT_MISSING;
	}
	if (!file_is_named(yaml))
		diag_error(&ctx->diag, (struct diag_pos){.file = yaml},
			"there is none; it says at least `format: 1` and a title");
	lesson_course_read(ctx->arena, folder, course, &ctx->diag);
	course_files_list(ctx, folder, false, &files);
	for (const char *const *lesson = course_files_lessons(ctx, folder); *lesson; lesson++) {
		int one = cmd_lesson_folder_check(ctx, check, *lesson, out);
		status = one > status ? one : status;
	}
	/* What only the whole has; with faults in a lesson they would be reported twice. */
	if (ctx->diag.errors == errors) {
		struct lesson_names names = tutor_lesson_names;
		names.shared = ctx->paths.data;
		lesson_catalog_load(ctx->arena, folder, &names, &ctx->diag);
	}
	return ctx->diag.errors > errors && status == EXIT_OK ? EXIT_FAILED : status;
}

static int check_courses(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct cmd_lesson_check check;
	struct course course;
	struct buf out = {0};
	bool json = false;
	int count, status = EXIT_OK;
	const char *const *folders = plain_arguments(ctx, args, n, &count);
	if (!count)
		return cmd_usage(ctx, &cmd_course_entry, "check which folder?");
	if (!begin_check(ctx, args, n, &check, &json))
		return EXIT_USAGE;
	for (; *folders; folders++) {
		int one = course_check(ctx, *folders, &check, &course, &out);
		status = one > status ? one : status;
	}
	status = cmd_lesson_folder_report(ctx, &check, status, json, &out);
	buf_free(&out);
	return status;
}

/* --- new ---------------------------------------------------------------------------------------------------------- */

static bool write_course_yaml(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n, const char *folder)
{
	static const char *const keys[] = {"title", "author", "license", "language"};
	static const char *const values[] = {"A new course", NULL, NULL, "en"};
	struct course course;
	struct buf text = {0};
	const char *path = path_join(ctx->arena, folder, LESSON_COURSE_FILE);
	buf_puts(&text, "format: 1\n");
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const char *given = option_value(args, n, keys[i]), *value = given ? given : values[i];
		if (value) {
			/* As YAML in double quotes, of which what must be is escaped. */
			buf_printf(&text, "%s: \"", keys[i]);
			for (const char *c = value; *c; c++) {
				if (*c == '"' || *c == '\\')
					buf_putc(&text, '\\');
				buf_putc(&text, *c);
			}
			buf_puts(&text, "\"\n");
		}
	}
	buf_puts(&text, "version: \"0.1\"\n");
	bool ok = file_create(path, buf_str(&text), text.len, &ctx->diag) &&
		lesson_course_read(ctx->arena, folder, &course, &ctx->diag);
	buf_free(&text);
	return ok;
}

static int begin_course(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	static const char *const files[] = {
		"README.md", "kernels/mirror.cu", "kernels/mirror.ptx", "lessons/01-first/lesson.md"};
	struct buf out = {0};
	int count;
	const char *folder = plain_arguments(ctx, args, n, &count)[0];
	if (count != 1)
		return cmd_usage(ctx, &cmd_course_entry, "new takes one folder");
	if (file_is_named(path_join(ctx->arena, folder, LESSON_COURSE_FILE)) ||
		file_is_named(path_join(ctx->arena, folder, "lessons"))) {
		diag_error(&ctx->diag, (struct diag_pos){.file = folder},
			"there is a course already, which is left as it is");
		return EXIT_FAILED;
	}
	if (!write_course_yaml(ctx, args, n, folder))
		return EXIT_FAILED;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		const char *name = files[i];
		const char *from = path_join(
			ctx->arena, path_join(ctx->arena, ctx->paths.data, "templates/course"), name);
		struct buf text = {0};
		bool ok = file_read_text(from, LESSON_PTX_MAX, &text, &ctx->diag) &&
			file_create(path_join(ctx->arena, folder, name), buf_str(&text), text.len, &ctx->diag);
		buf_free(&text);
		if (!ok)
			return EXIT_FAILED;
	}
	escape_line(&out, "%s: course.yaml, a kernel and a lesson; README.md there says how to go on", folder);
	escape_line(&out, "Now: simttutor learn --course %s 1", folder);
	bool ok = cmd_print(ctx, &out);
	buf_free(&out);
	return ok ? EXIT_OK : EXIT_FAILED;
}

/* --- build -------------------------------------------------------------------------------------------------------- */

static int build_courses(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	int count, status = EXIT_OK;
	bool force = option_value(args, n, "force") != NULL;
	const char *const *folders = plain_arguments(ctx, args, n, &count);
	if (!count)
		return cmd_usage(ctx, &cmd_course_entry, "build the kernels of which folder?");
	for (; *folders; folders++) {
		const char *const *lessons = course_files_lessons(ctx, *folders);
		if (!*lessons)
			status = EXIT_MISSING;
		for (; *lessons; lessons++) {
			int one = cmd_lesson_folder_build(ctx, *lessons, force);
			status = one > status ? one : status;
		}
	}
	return status;
}

/* --- pack --------------------------------------------------------------------------------------------------------- */

static int pack_course(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct cmd_lesson_check check;
	struct course course;
	struct course_files files;
	struct buf out = {0};
	bool json = false;
	int count;
	const char *folder = plain_arguments(ctx, args, n, &count)[0], *edition = option_value(args, n, "edition");
	bool whole = edition && strcmp(edition, "instructor") == 0;
	if (count != 1)
		return cmd_usage(ctx, &cmd_course_entry, "pack takes one folder");
	if (edition && !whole && strcmp(edition, "reader") != 0) {
		cmd_bad_value(ctx, "--edition", edition, "reader or instructor");
		return EXIT_USAGE;
	}
	if (!begin_check(ctx, args, n, &check, &json))
		return EXIT_USAGE;
	int status = course_check(ctx, folder, &check, &course, &out);
	buf_clear(&out);
	if (status != EXIT_OK) {
		buf_free(&out);
		return status;
	}
	if (status == EXIT_OK && !course_files_list(ctx, folder, course.withholds_solutions && !whole, &files))
		status = EXIT_FAILED;
	const char *name = cmd_lesson_folder_name(ctx->arena, folder), *fault = pack_name_fault(name);
	if (fault || strchr(name, '/')) {
		diag_error(&ctx->diag, (struct diag_pos){.file = folder}, "%s",
			fault ? fault : "a course's folder has a name");
		status = EXIT_FAILED;
	}

	/* The archive's name: --output, or made of the course's own. */
	bool plain = *course.version &&
		strspn(course.version, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.+-_") ==
			strlen(course.version);
	const char *archive = option_value(args, n, "output");
	if (!archive && plain)
		archive = arena_printf(ctx->arena, "%s-%s.tar.xz", name, course.version);
	else if (!archive)
		archive = arena_printf(ctx->arena, "%s.tar.xz", name);

	if (status == EXIT_OK && !pack_write(archive, name, files.files, files.n, &ctx->diag))
		status = pack_absence() ? EXIT_MISSING : EXIT_FAILED;
	if (status == EXIT_OK) {
		escape_line(&out, text_plural("%s: %zu file of %s", "%s: %zu files of %s", files.n), archive, files.n,
			course.title);
		if (files.n_withheld)
			escape_line(&out,
				text_plural("%zu file that tells a solution is withheld; --edition instructor has it",
					"%zu files that tell solutions are withheld; --edition instructor has them",
					files.n_withheld),
				files.n_withheld);
		status = cmd_print(ctx, &out) ? EXIT_OK : EXIT_FAILED;
	}
	buf_free(&out);
	return status;
}

/* --- the table ---------------------------------------------------------------------------------------------------- */

static const struct course_action actions[] = {
	{"new", begin_course, COURSE_WRITES},
	{"check", check_courses, COURSE_GRADES | COURSE_READS},
	{"build", build_courses, COURSE_COMPILES},
	{"pack", pack_course, COURSE_GRADES | COURSE_READS | COURSE_ARCHIVES},
	{"install", course_install, COURSE_READS | COURSE_INSTALLS},
	{"list", course_list, COURSE_SHELVES},
	{"remove", course_remove, COURSE_INSTALLS},
	{"launches", course_launches, COURSE_READS},
};

static const struct course_action *find_action(const struct cmd_parsed *args, int n)
{
	const char *what = n > 0 && !args[0].option ? args[0].value : "";
	for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
		if (strcmp(what, actions[i].name) == 0)
			return &actions[i];
	return NULL;
}

static int run_course(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	const struct course_action *action = find_action(args, n);
	if (action)
		return action->run(ctx, args + 1, n - 1);
	struct buf names = {0};
	for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
		buf_printf(&names, "%s%s", i ? ", " : "", actions[i].name);
	int status = cmd_usage(ctx, &cmd_course_entry, "what to do with a course? It takes: %s", buf_str(&names));
	buf_free(&names);
	return status;
}
