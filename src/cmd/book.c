/* Lessons as documents: HTML, Markdown, and HTML for paper. */
#include "config.h"
#include "course/book/book.h"

#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "cmd/confined.h"
#include "cmd/course.h"
#include "cmd/lesson.h"
#include "course/lesson/lesson.h"

static int run_book(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

static const struct cmd_option options[] = {
	{"format", 0, "FORMAT", N_("html, md or pdf-ready; html by default")},
	{"edition", 0, "EDITION",
		N_("reader: answers are folded, or at the end of each lesson; handout: none; instructor: answers and notes. reader by default")},
	{"output", 'o', "FILE", N_("write it there instead of to standard output")},
	CMD_COURSE_OPTION,
	{0},
};

static void needs_of_book(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	for (int i = 0; i < n; i++)
		if (cmd_is(&args[i], "output"))
			cmd_needs_output(needs, args[i].value);
}

const struct cmd_entry cmd_book_entry = {
	.name = "book",
	.of_course = true,
	.usage =
		"[--course COURSE] [LESSON]... [--format html|md|pdf-ready] [--edition reader|handout|instructor] [--output FILE]",
	.summary = N_("make lessons, or the whole course, a document"),
	.details = N_(
		"Text, pictures as SVG, numbers of model and recording, questions with their answers, a glossary and an index "
		"of the numbers, in one file that needs no other. Without a LESSON it is the whole course. HTML can be "
		"read without scripts; where they run, the parameters of a step can be turned. A "
		"pdf-ready one has nothing folded, breaks its pages between lessons, and has the answers at the end of "
		"each: print it to a file from a browser. What answers a question is covered in the pictures and "
		"numbers before it, except in the instructor's edition. The reader's progress changes nothing."),
	.options = options,
	.run = run_book,
	.needs = needs_of_book,
};

struct book_request {
	const char **what;
	int n_what;
	const char *output;
	struct book_options options;
};

/* The index of a name among those that `name_of` gives; -1: it is none. */
static int find_name(const char *(*name_of)(int), const char *name)
{
	for (int i = 0; name_of(i); i++)
		if (strcmp(name_of(i), name) == 0)
			return i;
	return -1;
}

/* That of all lessons, if they have one, else the course's. */
static const char *find_language(const struct catalog *catalog, const struct lesson *const *lessons, int n)
{
	const char *language = book_language(catalog, lessons[0]);
	for (int i = 1; i < n; i++)
		if (strcmp(book_language(catalog, lessons[i]), language) != 0)
			return catalog->course && *catalog->course->language ? catalog->course->language : "en";
	return language;
}

static int make_book(struct cmd_ctx *ctx, struct tutor *tutor, struct book_request *r)
{
	struct buf text = {0};
	int n;

	/* Those that are named, in this order; all when none is. */
	const struct catalog *catalog = tutor->catalog;
	int most = r->n_what > catalog->n_lessons ? r->n_what : catalog->n_lessons;
	const struct lesson **lessons = arena_array(ctx->arena, const struct lesson *, (size_t)most + 1);
	n = r->n_what ? r->n_what : catalog->n_lessons;
	for (int i = 0; i < n; i++) {
		lessons[i] = catalog->lessons[r->n_what ? 0 : i];
		if (r->n_what && !lesson_catalog_find(catalog, r->what[i], &lessons[i], NULL, &ctx->diag))
			return EXIT_USAGE;
		for (int k = 0; k < i; k++) {
			if (lessons[k] == lessons[i]) {
				cmd_usage(ctx, &cmd_book_entry, "%s is named twice", lessons[i]->id);
				return EXIT_USAGE;
			}
		}
	}
	if (!lessons)
		return EXIT_USAGE;
	r->options.whole_course = n > 1;
	const struct course *course = tutor->catalog->course;
	const char *title = course && *course->title ? course->title : "What a GPU's warps do";
	r->options.title = n == 1 ? lessons[0]->title : title;
	r->options.language = n ? find_language(tutor->catalog, lessons, n) : "en";
	r->options.version = PACKAGE_VERSION;
	r->options.theme = ctx->theme_name && ctx->theme != CANVAS_THEMES ? ctx->theme : CANVAS_THEME_PRINT;
	book_write(tutor, lessons, n, &r->options, &text);
	bool ok = r->output ? file_write(r->output, text.data, text.len, &ctx->diag) : cmd_print(ctx, &text);
	buf_free(&text);
	return ok ? EXIT_OK : EXIT_FAILED;
}

static int run_book(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct book_request r = {0};
	struct paths paths = ctx->paths;
	paths.state = paths.own = NULL;

	r.what = arena_array(ctx->arena, const char *, (size_t)n + 1);
	for (int i = 0; i < n; i++) {
		const struct cmd_parsed *arg = &args[i];
		if (cmd_is(arg, "format")) {
			int format = find_name(book_format_name, arg->value);
			r.options.format = (enum book_format)format;
			if (format < 0 && !cmd_bad_value(ctx, "--format", arg->value, "html, md or pdf-ready"))
				return EXIT_USAGE;
		} else if (cmd_is(arg, "edition")) {
			int edition = find_name(book_edition_name, arg->value);
			r.options.edition = (enum book_edition)edition;
			if (edition < 0 &&
				!cmd_bad_value(ctx, "--edition", arg->value, "reader, handout or instructor"))
				return EXIT_USAGE;
		} else if (cmd_is(arg, "output")) {
			r.output = arg->value;
		} else {
			r.what[r.n_what++] = arg->value;
		}
	}

	struct tutor *tutor = tutor_new(&paths, "none", &ctx->diag);
	if (!tutor)
		return EXIT_MISSING;
	tutor->keeps_progress = false;
	int status = make_book(ctx, tutor, &r);
	tutor_free(tutor);
	return status;
}
