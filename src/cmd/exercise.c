#include "config.h"
#include "cmd/lesson.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cmd/cmd.h"
#include "cmd/confined.h"
#include "cmd/course.h"
#include "cmd/json.h"
#include "cmd/measure.h"
#include "cmd/program.h"
#include "course/grade/grade.h"
#include "course/lesson/lesson.h"
#include "front/tutor/tutor.h"
#include "tools/compile/compile.h"

static void write_condition(struct buf *out, bool holds, const char *what, const char *is)
{
	bool more = is && *is;
	escape_line(out, "  %s  %s%s%s%s", holds ? "holds" : "FAILS", what, more ? " (" : "", more ? is : "",
		more ? ")" : "");
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static int run_exercise(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

static const struct cmd_option options[] = {
	CMD_COURSE_OPTION,
	{"dir", 'd', "DIR", N_("copy the kernel to DIR (default: your folder for data)")},
	{"check", 'c', "FILE",
		N_("check FILE, a .cu or a .ptx, instead of the kernel copied there; of a folder, all kernels below it")},
	{"hint", 0, "N", N_("print hint N, counted from 1")},
	{"solution", 0, NULL, N_("print a solution")},
	{"format", 'f', "FORMAT", N_("text or json (default: text)")},
	{"jobs", 'j', "N", N_("of a folder: check N kernels at a time; as many as there are processors by default")},
	{"output", 'o', "FILE", N_("write the verdict there instead of to standard output")},
	{0},
};

static void needs_of_exercise(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	const char *dir = needs->ctx->paths.own;
	bool copies = true;
	for (int i = 0; i < n; i++) {
		if (cmd_is(&args[i], "check"))
			cmd_needs_file(needs, args[i].value);
		if (cmd_is(&args[i], "check") && class_is_folder(args[i].value))
			needs->self = true;
		if (cmd_is(&args[i], "output"))
			cmd_needs_output(needs, args[i].value);
		if (cmd_is(&args[i], "dir"))
			dir = args[i].value;
		copies = copies && !cmd_is(&args[i], "check") && !cmd_is(&args[i], "hint") &&
			!cmd_is(&args[i], "solution");
	}
	if (copies)
		cmd_needs_writing(needs, dir, dir == needs->ctx->paths.own ? 0700 : CMD_OUTPUT_MODE);
	program_grade_needs(needs);
	needs->gpu = cmd_gpu(needs->ctx);
}

const struct cmd_entry cmd_exercise_entry = {
	.name = "exercise",
	.of_course = true,
	.usage = "[--course COURSE] [--dir DIR] [--check FILE] [--hint N | --solution] [--format FORMAT] LESSON[/STEP]",
	.summary = N_("fix the kernel or program of a lesson's exercise, and check it"),
	.details = N_(
		"The first time, the kernel with the fault is copied to DIR/LESSON.cu, which is never overwritten, "
		"and the path is printed. Afterwards the kernel there is compiled, run on the SIMT machine with the "
		"detector on, at the lesson's sizes and at others that the author chose, and checked against the "
		"goals. A whole program is compiled with its host code and run, confined, as `simttutor run` does it, once for "
		"each line of arguments that the author chose: what it prints must be right, and nothing may be "
		"wrong with its kernels and its calls. Exit status 0: the exercise is solved; 1: it is not, or the compiler rejects the kernel; 3: "
		"there is no compiler. The kernels of a folder are those of a class: each is checked in a process of its own, "
		"several at a time, and printed with the first thing that does not hold; status 0: all solve it."),
	.options = options,
	.run = run_exercise,
	.needs = needs_of_exercise,
};

struct exercise_request {
	const char *what, *dir, *check, *output;
	uint64_t jobs; /* 0: as many as there are processors */
	uint64_t hint; /* 0: none */
	bool solution, json;
};

/* --- hints, solution ---------------------------------------------------------------------------------------------- */

static int print_text(struct cmd_ctx *ctx, const char *text, const char *end)
{
	struct buf out = {0};
	buf_printf(&out, "%s%s", text, end);
	bool ok = cmd_print(ctx, &out);
	buf_free(&out);
	return ok ? EXIT_OK : EXIT_FAILED;
}

/* --- checking ----------------------------------------------------------------------------------------------------- */

int exercise_compile(struct cmd_ctx *ctx, const char *path, struct buf *ptx)
{
	/* without --gpu, a local GPU's NVRTC is the last resort */
	const char *spec = ctx->gpu ? ctx->gpu : compile_can_here(cmd_compile_ctx(ctx)) ? "none" : "local";
	struct gpu *gpu = strcmp(spec, "none") != 0 ? gpu_new(spec, ctx->paths.worker, &ctx->diag) : NULL;
	struct buf source = {0};
	struct diag unheard = {0}; /* the compiler says what is wrong with the file */
	struct compile_request request = {.path = path, .gpu = gpu};
	if (file_read_text(path, LESSON_PTX_MAX, &source, &unheard))
		request.least = compile_read_needs(buf_str(&source)).cc;
	int status = compile_cuda(cmd_compile_ctx(ctx), &request, ptx);
	buf_free(&source);
	diag_free(&unheard);
	if (gpu)
		gpu_free(gpu);
	return status;
}

static bool put_verdict(struct cmd_ctx *ctx, const struct exercise_request *r, const struct buf *text)
{
	return r->output ? file_write(r->output, buf_str(text), text->len, &ctx->diag) : cmd_print(ctx, text);
}

/* NULL with an exit status. */
static const struct experiment_grade *grade_own(
	struct cmd_ctx *ctx, const struct lesson *lesson, const struct step *step, const char *path, int *status)
{
	if (step->exercise.n_runs) {
		*status = program_grade_can(ctx, path);
		return *status == EXIT_OK ? program_grade(ctx, ctx->arena, lesson, step, path, status) : NULL;
	}

	/* The reader's kernel; NULL with an exit status. */
	struct buf source = {0}, ptx = {0};
	struct kernel_file *file = NULL;
	*status = EXIT_MISSING;
	if (file_read_text(path, LESSON_PTX_MAX, &source, &ctx->diag)) {
		*status = EXIT_OK;
		size_t len = strlen(path);
		if (len > 4 && strcmp(path + len - 4, ".ptx") == 0)
			buf_append(&ptx, buf_str(&source), source.len);
		else
			*status = exercise_compile(ctx, path, &ptx);
	}
	if (*status == EXIT_OK)
		file = tutor_exercise_file(ctx->arena, path, &source, &ptx);
	buf_free(&source);
	buf_free(&ptx);

	const struct experiment_grade *grade = file
		? experiment_grade_kernel(ctx->arena, lesson, step, file, &ctx->diag)
		: NULL;
	if (file && !grade)
		*status = EXIT_FAILED;
	return grade;
}

static int check_kernel(struct cmd_ctx *ctx, const struct lesson *lesson, const struct step *step, const char *path,
	const struct exercise_request *r)
{
	int status;
	const struct experiment_grade *grade = grade_own(ctx, lesson, step, path, &status);
	if (!grade)
		return status;
	struct buf out = {0};
	if (r->json) {
		json_t *goals = json_array();
		for (int i = 0; i < grade->n_goals; i++)
			json_array_append_new(goals,
				json_pack("{s:o, s:b, s:s}", "goal", cmd_json_text(grade->goals[i].text), "holds",
					grade->goals[i].holds, "is", grade->goals[i].is));
		json_t *json = json_pack("{s:o, s:b, s:o, s:b, s:o, s:b, s:o, s:i, s:i}", "file", cmd_json_text(path),
			"solved", grade->solved, "goals", goals, "results", grade->right, "wrong",
			cmd_json_text(grade->wrong), "no_defect", grade->clean, "defect", cmd_json_text(grade->defect),
			"line", grade->line, "launches", grade->launches);
		cmd_json_write(json, JSON_INDENT(2), &out);
	} else {
		escape_line(&out, "%s: %s", path, grade->solved ? _("solved") : _("not solved yet"));
		for (int i = 0; i < grade->n_goals; i++)
			write_condition(&out, grade->goals[i].holds, grade->goals[i].text, grade->goals[i].is);
		write_condition(&out, grade->right, _("the results are right"), grade->wrong);
		write_condition(&out, grade->clean, _("there is no defect"), grade->defect);
		buf_printf(&out,
			text_plural("%d launch on the machine, with the detector on\n",
				"%d launches on the machine, with the detector on\n", (unsigned)grade->launches),
			grade->launches);
	}
	bool ok = put_verdict(ctx, r, &out);
	buf_free(&out);
	return ok && grade->solved ? EXIT_OK : EXIT_FAILED;
}

static int copy_kernel(struct cmd_ctx *ctx, const struct step *step, const char *path)
{
	struct buf out = {0};
	if (!tutor_exercise_begin(step, path, &ctx->diag))
		return EXIT_FAILED;
	escape_line(&out, "%s", path);
	buf_puts(&out, "\nEdit it, then run this command again. All of these must hold:\n");
	for (int i = 0; i < step->exercise.n_goals; i++)
		escape_line(&out, "  %s", step->exercise.goals[i].text);
	if (step->exercise.n_runs)
		buf_printf(&out, "  %s\n  %s\n", lesson_exercise_wants_right(&step->exercise),
			lesson_exercise_wants_clean(&step->exercise));
	else
		buf_puts(&out,
			"  the results are right, also for other sizes\n  there is no race and no other defect\n");
	bool ok = cmd_print(ctx, &out);
	buf_free(&out);
	return ok ? EXIT_OK : EXIT_FAILED;
}

static int run_exercise(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct exercise_request r = {0};

	bool read = true;
	for (int i = 0; i < n && read; i++) {
		const char *value = args[i].value;
		if (cmd_is(&args[i], "dir")) {
			r.dir = value;
		} else if (cmd_is(&args[i], "check")) {
			r.check = value;
		} else if (cmd_is(&args[i], "output")) {
			r.output = value;
		} else if (cmd_is(&args[i], "jobs")) {
			read = cmd_whole(ctx, &args[i], 1, INT32_MAX, &r.jobs);
		} else if (cmd_is(&args[i], "hint")) {
			read = cmd_whole(ctx, &args[i], 1, LESSON_HINTS_MAX, &r.hint);
		} else if (cmd_is(&args[i], "solution")) {
			r.solution = true;
		} else if (cmd_is(&args[i], "format")) {
			r.json = strcmp(value, "json") == 0;
			read = r.json || strcmp(value, "text") == 0 ||
				cmd_bad_value(ctx, "--format", value, "text or json");
		} else if (r.what) {
			read = cmd_usage(ctx, &cmd_exercise_entry, "one lesson at a time") == EXIT_OK;
		} else {
			r.what = value;
		}
	}
	if (read && !r.what)
		read = cmd_usage(ctx, &cmd_exercise_entry, "which lesson? `simttutor list` names them") == EXIT_OK;
	if (!read)
		return EXIT_USAGE;

	const struct lesson *lesson;
	int index = -1;
	struct catalog *catalog = tutor_catalog_load(ctx->arena, &ctx->paths, &ctx->diag);
	if (!catalog)
		return EXIT_MISSING;
	if (!lesson_catalog_find(catalog, r.what, &lesson, &index, &ctx->diag))
		return EXIT_USAGE;

	/* The step of an exercise: the one named, or the lesson's first. */
	const struct step *step = index >= 0 ? &lesson->steps[index] : NULL;
	for (int i = 0; i < lesson->n_steps && !step; i++)
		step = lesson->steps[i].exercise.dir ? &lesson->steps[i] : NULL;
	if (!step || !step->exercise.dir) {
		diag_error(&ctx->diag, (struct diag_pos){0}, "%s has no exercise%s", lesson->id,
			index < 0 ? "" : " in that step");
		return EXIT_USAGE;
	}

	if (r.hint) {
		const struct exercise *exercise = &step->exercise;
		if (r.hint <= (uint64_t)exercise->n_hints)
			return print_text(ctx, exercise->hints[r.hint - 1], "\n");
		diag_error(&ctx->diag, (struct diag_pos){0}, "there are %d hints", exercise->n_hints);
		return EXIT_USAGE;
	}
	if (r.solution) {
		if (lesson_solution_is_withheld(catalog->course, step->exercise.dir)) {
			diag_error(&ctx->diag, (struct diag_pos){0},
				"this course withholds the solutions of its exercises");
			return EXIT_MISSING;
		}
		const struct kernel_file *file = lesson_exercise_kernel(ctx->arena, step, "solution", &ctx->diag);
		return file ? print_text(ctx, file->source_text, "") : EXIT_MISSING;
	}
	if (r.check && class_is_folder(r.check)) {
		/* Those of a class. */
		struct class_files files;
		struct buf out = {0};
		bool ok = class_find(cmd_compile_ctx(ctx), catalog, r.check, lesson, step, &files),
		     solved = files.n_submissions > 0;
		if (ok && !solved)
			diag_error(&ctx->diag, (struct diag_pos){.file = r.check}, "there is no .cu and no .ptx in it");
		if (ok && solved) {
			class_grade(cmd_compile_ctx(ctx), &files, (int)r.jobs, program_agreed_path(ctx->arena));
			for (size_t i = 0; i < files.n_submissions; i++)
				solved = solved && files.submissions[i].verdict == CLASS_SOLVED;
			if (r.json)
				cmd_json_write(exercise_class_json(&files), JSON_INDENT(1), &out);
			else
				exercise_write_class(&files, &out);
			ok = put_verdict(ctx, &r, &out);
		}
		buf_free(&out);
		class_free(&files);
		return ok && solved ? EXIT_OK : EXIT_FAILED;
	}
	const char *path = r.check ? r.check
				   : tutor_exercise_path(ctx->arena, r.dir ? r.dir : ctx->paths.own, lesson, step);
	return r.check || file_exists(path) ? check_kernel(ctx, lesson, step, path, &r) : copy_kernel(ctx, step, path);
}
