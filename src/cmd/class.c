#include "config.h"
#include "cmd/lesson.h"
#include "cmd/program.h"
#include "course/grade/grade.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/pack.h"
#include "base/paths.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cmd/cmd.h"
#include "cmd/confined.h"
#include "cmd/course.h"
#include "cmd/json.h"
#include "course/lesson/lesson.h"
#include "front/tutor/tutor.h"

void exercise_write_class(const struct class_files *files, struct buf *out)
{
	size_t kernels = 0, solved = 0;
	for (size_t i = 0; i < files->n_submissions; i++) {
		const struct class_submission *s = &files->submissions[i];
		kernels += !s->unread;
		solved += s->verdict == CLASS_SOLVED;
		escape_line(out, "%s%s%s: %s%s%s", s->student, *s->student && *s->name ? "/" : "", s->name,
			class_verdict_texts[s->verdict], *s->detail ? ": " : "", s->detail);
	}
	buf_printf(out, text_plural("%zu kernel, %zu solved\n", "%zu kernels, %zu solved\n", kernels), kernels, solved);
}

json_t *exercise_class_json(const struct class_files *files)
{
	json_t *all = json_array();
	for (size_t i = 0; i < files->n_submissions; i++) {
		const struct class_submission *s = &files->submissions[i];
		json_array_append_new(all,
			json_pack("{s:o, s:o, s:o, s:o, s:s, s:o, s:O?}", "student",
				*s->student ? cmd_json_text(s->student) : json_null(), "file",
				*s->name ? cmd_json_text(s->name) : json_null(), "lesson",
				cmd_json_text(s->lesson ? s->lesson->id : NULL), "step",
				cmd_json_text(s->step ? s->step->id : NULL), "verdict", class_verdict_texts[s->verdict],
				"detail", cmd_json_text(s->detail), "grade", s->grade));
	}
	return all;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

#define PROGRESS "progress.json"
#define PROGRESS_MAX ((size_t)4 << 20)
#define JOBS_MOST 64

static int run_class(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

static const struct cmd_option options[] = {
	CMD_COURSE_OPTION,
	{"format", 'f', "FORMAT", N_("collect: text, csv or json (default: text)")},
	{"jobs", 'j', "N", N_("collect: grade N kernels at a time; as many as there are processors by default")},
	{"name", 0, "NAME", N_("hand-in: of the folder that is made; your name on this machine by default")},
	{"yes", 'y', NULL, N_("hand-in: do not ask")},
	{0},
};

static const char *plain_argument(const struct cmd_parsed *args, int n, int which)
{
	for (int i = 0; i < n; i++)
		if (!args[i].option && which-- == 0)
			return args[i].value;
	return NULL;
}

static void needs_of_class(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	const char *what = plain_argument(args, n, 0), *folder = plain_argument(args, n, 1);
	if (what && strcmp(what, "collect") == 0) {
		cmd_needs_reading(needs, folder);
		needs->tools = needs->self = true;
	} else if (what && folder && strcmp(what, "hand-in") == 0) {
		cmd_needs_writing(needs, folder, CMD_OUTPUT_MODE);
		cmd_needs_reading(needs, needs->ctx->paths.own);
	}
}

const struct cmd_entry cmd_class_entry = {
	.name = "class",
	.has_course = true,
	.usage =
		"collect [--course COURSE] [--format FORMAT] [--jobs N] FOLDER | hand-in [--course COURSE] [--name NAME] [--yes] FOLDER",
	.summary = N_("for instructors: what the students of a class did"),
	.details = N_(
		"hand-in copies a reader's progress and the kernels of exercises to FOLDER/NAME, which an instructor shares or a "
		"student sends. It shows first what that is, and asks. A file that is there is replaced.\n"
		"collect reads a folder with a folder for each student. In that, wherever it lies, progress.json says which "
		"questions were answered, at which try, with how many hints, and which were looked up; kernels are graded by "
		"their names, LESSON.cu or LESSON-STEP.cu, as `exercise --check` does: several at a time, each in a process of "
		"its own that is confined and ended when its time is over. A line for each student and each kernel is printed; "
		"csv and json have every question and every goal with its number. What is not read is named in the report, "
		"not graded, and in a warning: a link in place of a folder, and a folder that may not be read. The report is the same however many "
		"are graded at a time. Exit status 1: a kernel could not be graded by a fault of this machine."),
	.options = options,
	.run = run_class,
	.needs = needs_of_class,
};

/* --- collect ------------------------------------------------------------------------------------------------------ */

enum class_format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON, FORMATS };

struct class_request {
	const char *folder, *name;
	enum class_format format;
	uint64_t jobs;
	bool yes;
};

static void write_students(const struct catalog *catalog, const struct class_files *files, struct buf *out)
{
	for (size_t i = 0; i < files->n_students; i++) {
		const struct class_student *student = &files->students[i];
		struct lesson_progress_score sum = {0};
		for (int k = 0; student->progress && k < catalog->n_lessons; k++) {
			struct lesson_progress_score one = lesson_progress_score(
				student->progress, catalog->lessons[k]);
			sum.questions += one.questions, sum.answered += one.answered, sum.at_once += one.at_once;
			sum.with_hints += one.with_hints, sum.looked_up += one.looked_up;
			sum.exercises += one.exercises, sum.solved += one.solved;
		}
		if (student->progress)
			escape_line(out,
				"%s: %d of %d questions answered, %d at once, %d with hints, %d looked up; %d of %d exercises "
				"solved",
				student->name, sum.answered, sum.questions, sum.at_once, sum.with_hints, sum.looked_up,
				sum.solved, sum.exercises);
		else
			escape_line(out, "%s: no progress was handed in", student->name);
	}
	buf_puts(out, files->n_students ? "\n" : "");
}

/* A question or an exercise, and what a student did of it. */
struct class_cell {
	const struct class_student *student;
	const struct lesson *lesson;
	const struct step *step;
	const char *kind;
	bool done;
	struct lesson_progress_tries tries;
};

/* All of them, in the arena; the number in `*n`. */
static struct class_cell *list_cells(
	struct arena *arena, const struct catalog *catalog, const struct class_files *files, size_t *n)
{
	struct class_cell *cells = NULL;
	size_t cap = 0;
	*n = 0;
	for (size_t i = 0; i < files->n_students; i++) {
		const struct class_student *student = &files->students[i];
		for (int k = 0; student->progress && k < catalog->n_lessons; k++) {
			const struct lesson *lesson = catalog->lessons[k];
			for (int s = 0; s < lesson->n_steps; s++) {
				const struct step *step = &lesson->steps[s];
				if (step->question.kind == QUESTION_NONE && !step->exercise.dir)
					continue;
				*vec_push_in(arena, cells, *n, cap) = (struct class_cell){student, lesson, step,
					step->exercise.dir ? "exercise" : "question",
					lesson_progress_answered(student->progress, lesson->id, step->id),
					lesson_progress_tries(student->progress, lesson->id, step->id)};
			}
		}
	}
	return cells;
}

/* A field of CSV. What a spreadsheet would take for a formula begins with an apostrophe. */
static void put_field(struct buf *out, const char *text, char end)
{
	struct buf shown = {0};
	escape_puts(text, &shown);
	buf_putc(out, '"');
	if (shown.len && strchr("=+-@", buf_str(&shown)[0]))
		buf_putc(out, '\'');
	for (const char *c = buf_str(&shown); *c; c++) {
		if (*c == '"')
			buf_putc(out, '"');
		buf_putc(out, *c);
	}
	buf_putc(out, '"');
	buf_putc(out, end);
	buf_free(&shown);
}

static int collect_class(struct cmd_ctx *ctx, const struct catalog *catalog, const struct class_request *r)
{
	struct class_files files;
	struct buf out = {0};
	size_t n = 0;
	int status = EXIT_OK;
	if (!file_is_named(r->folder)) {
		diag_error(&ctx->diag, (struct diag_pos){.file = r->folder}, "there is no such folder");
		return EXIT_MISSING;
	}
	if (!class_find(cmd_compile_ctx(ctx), catalog, r->folder, NULL, NULL, &files)) {
		class_free(&files);
		return EXIT_FAILED;
	}
	class_grade(cmd_compile_ctx(ctx), &files, (int)r->jobs, program_agreed_path(ctx->arena));
	for (size_t i = 0; i < files.n_submissions; i++)
		if (files.submissions[i].verdict == CLASS_FAILED)
			status = EXIT_FAILED;
	const struct class_cell *cells = r->format == FORMAT_TEXT ? NULL : list_cells(ctx->arena, catalog, &files, &n);
	if (r->format == FORMAT_TEXT) {
		write_students(catalog, &files, &out);
		exercise_write_class(&files, &out);
	} else if (r->format == FORMAT_CSV) {
		buf_puts(&out, "student,lesson,step,kind,done,tries,hints,looked_up,file,verdict,detail\n");
		for (size_t i = 0; i < n; i++) {
			const struct class_cell *cell = &cells[i];
			put_field(&out, cell->student->name, ',');
			put_field(&out, cell->lesson->id, ',');
			put_field(&out, cell->step->id, ',');
			buf_printf(&out, "%s,%s,%d,%d,%s,,,\n", cell->kind, cell->done ? "yes" : "no",
				cell->tries.tries, cell->tries.hints, cell->tries.looked ? "yes" : "no");
		}
		for (size_t i = 0; i < files.n_submissions; i++) {
			const struct class_submission *s = &files.submissions[i];
			put_field(&out, s->student, ',');
			put_field(&out, s->lesson ? s->lesson->id : "", ',');
			put_field(&out, s->step ? s->step->id : "", ',');
			buf_printf(&out, "%s,%s,,,,", s->unread ? "folder" : "kernel",
				s->verdict == CLASS_SOLVED ? "yes" : "no");
			put_field(&out, s->name, ',');
			put_field(&out, class_verdict_texts[s->verdict], ',');
			put_field(&out, s->detail, '\n');
		}
	} else {
		json_t *answers = json_array(), *students = json_array();
		for (size_t i = 0; i < files.n_students; i++)
			json_array_append_new(students,
				json_pack("{s:o, s:b}", "name", cmd_json_text(files.students[i].name), "progress",
					files.students[i].progress != NULL));
		for (size_t i = 0; i < n; i++) {
			const struct class_cell *cell = &cells[i];
			json_array_append_new(answers,
				json_pack("{s:o, s:o, s:o, s:s, s:b, s:i, s:i, s:b}", "student",
					cmd_json_text(cell->student->name), "lesson", cmd_json_text(cell->lesson->id),
					"step", cmd_json_text(cell->step->id), "kind", cell->kind, "done", cell->done,
					"tries", cell->tries.tries, "hints", cell->tries.hints, "looked_up",
					cell->tries.looked));
		}
		cmd_json_write(json_pack("{s:o, s:o, s:o}", "students", students, "answers", answers, "kernels",
				       exercise_class_json(&files)),
			JSON_INDENT(1), &out);
	}
	if (!cmd_print(ctx, &out))
		status = EXIT_FAILED;
	buf_free(&out);
	class_free(&files);
	return status;
}

/* --- hand-in ------------------------------------------------------------------------------------------------------ */

/* What is handed in: from where, as what. */
struct hand_in {
	struct {
		const char *from, *name;
	} files[LESSON_STEPS_MAX * 4];
	size_t n;
};

static void add_file(struct hand_in *what, const char *from, const char *name)
{
	if (file_exists(from) && what->n < sizeof what->files / sizeof *what->files) {
		what->files[what->n].from = from;
		what->files[what->n++].name = name;
	}
}

static int hand_in(struct cmd_ctx *ctx, const struct catalog *catalog, const struct class_request *r)
{
	struct hand_in what = {.n = 0};
	/* From the environment: what the system knows of users cannot be read any more. */
	const char *logname = getenv("LOGNAME");
	const char *name = r->name ? r->name : logname && *logname ? logname : getenv("USER");
	if (!name || strchr(name, '/') || pack_name_fault(name)) {
		return cmd_usage(ctx, &cmd_class_entry,
			"a folder cannot be called '%s': --name NAME, of letters, digits and ._+-", name ? name : "");
	}
	const char *place = path_join(ctx->arena, r->folder, name);

	add_file(&what, path_join(ctx->arena, ctx->paths.state, PROGRESS), PROGRESS);
	for (int i = 0; i < catalog->n_lessons; i++)
		for (int s = 0; s < catalog->lessons[i]->n_steps; s++) {
			const struct step *step = &catalog->lessons[i]->steps[s];
			const char *path = step->exercise.dir
				? tutor_exercise_path(ctx->arena, ctx->paths.own, catalog->lessons[i], step)
				: NULL;
			if (path)
				add_file(&what, path, path_last(path));
		}

	if (!what.n) {
		diag_error(
			&ctx->diag, (struct diag_pos){0}, "there is nothing to hand in: no progress and no exercise");
		return EXIT_MISSING;
	}

	/* Shows what would be copied, and asks where somebody can answer. */
	struct buf out = {0};
	struct class_student me = {"you", lesson_progress_read(what.files[0].from, &ctx->diag)};
	struct class_files mine = {.students = &me, .n_students = 1};
	char answer[16] = "";
	escape_line(&out, "To %s:", place);
	for (size_t i = 0; i < what.n; i++)
		escape_line(&out, "  %-24s %s", what.files[i].name, what.files[i].from);
	if (me.progress)
		write_students(catalog, &mine, &out);
	lesson_progress_free(me.progress);
	bool agrees = cmd_print(ctx, &out);
	buf_clear(&out);
	if (agrees && !r->yes) {
		buf_puts(&out, "Hand this in? [y/N] ");
		agrees = cmd_print(ctx, &out) && fflush(stdout) == 0 && fgets(answer, sizeof answer, stdin) &&
			(answer[0] == 'y' || answer[0] == 'Y');
		if (!agrees)
			diag_note(&ctx->diag, (struct diag_pos){0}, "nothing was handed in; --yes does not ask");
	}
	buf_free(&out);
	if (!agrees)
		return EXIT_FAILED;

	for (size_t i = 0; i < what.n; i++) {
		struct buf bytes = {0};
		bool ok = file_read(what.files[i].from, PROGRESS_MAX, &bytes, &ctx->diag) &&
			file_write(path_join(ctx->arena, place, what.files[i].name), buf_str(&bytes), bytes.len,
				&ctx->diag);
		buf_free(&bytes);
		if (!ok)
			return EXIT_FAILED;
	}
	return EXIT_OK;
}

/* --- which -------------------------------------------------------------------------------------------------------- */

static int run_class(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	static const char *const formats[FORMATS] = {"text", "csv", "json"};
	const char *what = plain_argument(args, n, 0);
	struct class_request r = {.folder = plain_argument(args, n, 1)};
	bool collects = what && strcmp(what, "collect") == 0;
	if (!collects && (!what || strcmp(what, "hand-in") != 0))
		return cmd_usage(ctx, &cmd_class_entry, "what to do? It takes: collect, hand-in");
	for (int i = 0; i < n; i++) {
		if (cmd_is(&args[i], "format")) {
			for (r.format = 0; r.format < FORMATS && strcmp(formats[r.format], args[i].value) != 0;)
				r.format++;
			if (r.format == FORMATS) {
				cmd_bad_value(ctx, "--format", args[i].value, "text, csv or json");
				return EXIT_USAGE;
			}
		} else if (cmd_is(&args[i], "jobs") && !cmd_whole(ctx, &args[i], 1, JOBS_MOST, &r.jobs)) {
			return EXIT_USAGE;
		} else if (cmd_is(&args[i], "name")) {
			r.name = args[i].value;
		} else if (cmd_is(&args[i], "yes")) {
			r.yes = true;
		}
	}
	if (!r.folder || plain_argument(args, n, 2))
		return cmd_usage(ctx, &cmd_class_entry, "name one folder");
	struct catalog *catalog = tutor_catalog_load(ctx->arena, &ctx->paths, &ctx->diag);
	if (!catalog)
		return EXIT_MISSING;
	return collects ? collect_class(ctx, catalog, &r) : hand_in(ctx, catalog, &r);
}
