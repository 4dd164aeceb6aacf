#include "config.h"
#include "cmd/lesson.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "course/lesson/lesson.h"
#include "front/tutor/tutor.h"
#include "model/hardware/metrics.h"

#define TEMPLATE "lessons/template.md"
#define OWN_KERNEL "mirror" /* which one's own begins as */
#define OWN_LESSON "templates/course/lessons/01-first/lesson.md"
#define KERNEL_CHARS "abcdefghijklmnopqrstuvwxyz0123456789_"

/* What an author wants; NULL: as the template has it. */
struct lesson_wish {
	const char *folder, *title, *track, *after, *kernel, *views;
	bool exercise;
};

/* A lesson that is begun. */
struct lesson_beginning {
	struct cmd_ctx *ctx;
	struct lesson_wish wish;
	const char *root;    /* where its own kernel goes: the course, or its folder */
	const char *from;    /* the root of the kernel that it begins with */
	bool own_kernel;     /* which is written, too */
	struct buf text;     /* of lesson.md */
	const char **undone; /* files that were written, in turn */
	size_t n_undone, cap_undone;
};

/* --- asked for ---------------------------------------------------------------------------------------------------- */

/* An answer without blanks at its ends; `otherwise` for an empty one. NULL at the end of input. */
static const char *ask_line(struct cmd_ctx *ctx, const char *what, const char *otherwise)
{
	struct buf out = {0};
	char *line = NULL;
	size_t cap = 0;
	buf_puts(&out, what);
	if (otherwise)
		buf_printf(&out, " [%s]", otherwise);
	buf_puts(&out, ": ");
	bool ok = cmd_print(ctx, &out) && fflush(stdout) == 0 && getline(&line, &cap, stdin) >= 0;
	buf_free(&out);
	const char *begin = ok ? line + strspn(line, " \t\r\n") : "";
	size_t len = strlen(begin);
	while (len && strchr(" \t\r\n", begin[len - 1]))
		len--;
	const char *answer = !ok ? NULL : len ? arena_strndup(ctx->arena, begin, len) : otherwise ? otherwise : "";
	free(line);
	return answer;
}

static bool take_wishes(const struct cmd_parsed *args, int n, struct lesson_wish *wish, bool *any_option)
{
	for (int i = 0; i < n; i++) {
		if (!args[i].option) {
			if (wish->folder)
				return false;
			wish->folder = args[i].value;
			continue;
		}
		*any_option = true;
		if (cmd_is(&args[i], "title"))
			wish->title = args[i].value;
		else if (cmd_is(&args[i], "track"))
			wish->track = args[i].value;
		else if (cmd_is(&args[i], "after"))
			wish->after = args[i].value;
		else if (cmd_is(&args[i], "kernel"))
			wish->kernel = args[i].value;
		else if (cmd_is(&args[i], "views"))
			wish->views = args[i].value;
		else if (cmd_is(&args[i], "exercise"))
			wish->exercise = true;
		else
			return false;
	}
	return wish->folder || (!*any_option && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO));
}

/* --- text by lines ------------------------------------------------------------------------------------------------ */

/* As YAML in double quotes. */
static const char *quoted(struct arena *arena, const char *value)
{
	struct buf out = {0};
	buf_putc(&out, '"');
	for (; *value; value++) {
		if (*value == '"' || *value == '\\')
			buf_putc(&out, '\\');
		buf_putc(&out, *value);
	}
	buf_putc(&out, '"');
	const char *text = arena_strdup(arena, buf_str(&out));
	buf_free(&out);
	return text;
}

/* The first line that begins so, from `text` on; NULL: there is none. */
static char *find_line(char *text, const char *begins)
{
	for (char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
		if (strncmp(line, begins, strlen(begins)) == 0)
			return line;
	return NULL;
}

/* The text with that much of it, from `at` on, replaced. */
static void replace(struct buf *text, const char *at, size_t len, const char *by)
{
	struct buf out = {0};
	buf_append(&out, text->data, (size_t)(at - text->data));
	buf_puts(&out, by);
	buf_puts(&out, at + len);
	buf_free(text);
	*text = out;
}

static size_t line_length(const char *line)
{
	return strcspn(line, "\n") + (line[strcspn(line, "\n")] != '\0');
}

/* The line that begins so becomes another; where there is none, it is put before the lesson's takeaway. */
static void set_line(struct buf *text, struct arena *arena, const char *begins, const char *value)
{
	const char *line = arena_printf(arena, "%s%s\n", begins, value);
	char *at = find_line(text->data, begins);
	if (at)
		replace(text, at, line_length(at), line);
	else if ((at = find_line(text->data, "takeaway:")))
		replace(text, at, 0, line);
}

/* Every occurrence. */
static void rename_all(struct buf *text, const char *from, const char *to)
{
	struct buf out = {0};
	const char *at = buf_str(text), *next;
	for (; (next = strstr(at, from)); at = next + strlen(from)) {
		buf_append(&out, at, (size_t)(next - at));
		buf_puts(&out, to);
	}
	buf_puts(&out, at);
	buf_free(text);
	*text = out;
}

static bool read_data(struct cmd_ctx *ctx, const char *root, const char *name, struct buf *out)
{
	return file_read_text(path_join(ctx->arena, root, name), LESSON_PTX_MAX, out, &ctx->diag);
}

/* --- the kernel to start from ------------------------------------------------------------------------------------- */

/* The front matter's lines from `kernel:` to before `takeaway:`, with all that says how the kernel is launched; NULL:
 * the lesson has no such part, or another kernel, `kernel` NULL: whichever it has. */
static const char *experiment_part(struct arena *arena, struct buf *text, const char *kernel)
{
	char *end = text->len > 4 ? find_line(text->data + 4, "---") : NULL;
	char *at = end ? find_line(text->data, "kernel: ") : NULL, *stop = at ? at + line_length(at) : NULL;
	if (!at || at > end || (kernel && strncmp(at + 8, kernel, strlen(kernel)) != 0) ||
		(kernel && at[8 + strlen(kernel)] != '\n'))
		return NULL;
	while (stop < end &&
		(*stop == ' ' || *stop == '#' || strncmp(stop, "parameters:", 11) == 0 ||
			strncmp(stop, "experiment:", 11) == 0))
		stop += line_length(stop);
	const char *part = arena_strndup(arena, at, (size_t)(stop - at));
	bool whole = strstr(part, "\n  launch:") && strstr(part, "\n  args:") && strstr(part, "\n  results:") &&
		strstr(part, "\n  views:") && strstr(part, "\n  metrics:");
	return whole ? part : NULL;
}

static int only_lessons(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && isdigit((unsigned char)entry->d_name[0]);
}

/* The lesson with this question in its only step; `set` begins it. */
static void put_step(struct buf *text, const char *set, const char *metric, const char *ask, const char *what)
{
	buf_printf(text,
		"\n# Title\n\n## The first step\n\n"
		"One idea a step, in two short paragraphs. The reader predicts before the machine tells:\n"
		"[%s](metric:%s).\n\n```simt\n%s  ask: %s\n  metric: %s\n"
		"  hints: [What does one warp ask for?, Which part of that does it get at a time?]\n"
		"  explain: It is {= %s}.\n```\n\n<!-- notes:\nWhat the speaker says and asks here.\n-->\n",
		what, metric, set, ask, metric, metric);
}

/* The beginning of the question, about the last value of a parameter, the only one that can be turned. */
static const char *asked_set(struct arena *arena, const struct lesson *lesson, int parameter, struct buf *label)
{
	const struct parameter *p = &lesson->parameters[parameter];
	struct buf value = {0};
	if (!lesson->n_parameters)
		return "question:\n";
	int64_t last = p->values[p->n_values - 1];
	lesson_write_value(p, last, &value);
	const char *set = arena_printf(
		arena, "parameters: [%s]\nquestion:\n  set: {%s: %s}\n", p->name, p->name, buf_str(&value));
	buf_free(&value);
	buf_printf(label, " at %s ", p->label);
	lesson_write_value_with_unit(p, last, label);
	return set;
}

/* As it will be read, but with the kernel from where it is now. */
static struct lesson *parse(struct lesson_beginning *b, const struct buf *text, struct diag *diag)
{
	static const char *const dir = "01-new";
	struct lesson_names names = tutor_lesson_names;
	names.shared = b->ctx->paths.data;
	const struct lesson_text from = {
		b->from, dir, path_join(b->ctx->arena, b->wish.folder, "lesson.md"), buf_str(text), text->len, &names};
	return lesson_parse(b->ctx->arena, &from, diag);
}

/* Whether the lesson passes, and the answer to its question is not 0, of which there is nothing to learn. */
static bool passes(struct lesson_beginning *b, const struct buf *text)
{
	static const char *const no_ids[] = {NULL};
	struct diag quiet = {0};
	struct buf said = {0};
	struct cmd_lesson_check check = {.max_steps = CMD_LESSON_CHECK_STEPS, .ids = no_ids};
	struct lesson *lesson = parse(b, text, &quiet);
	if (lesson)
		cmd_lesson_check(&check, lesson, &said, &quiet);
	bool ok = lesson && !quiet.errors && strstr(buf_str(&said), "; the answer is ") &&
		!strstr(buf_str(&said), "; the answer is 0 ");
	diag_free(&quiet);
	buf_free(&said);
	return ok;
}

static bool begin_with_part(struct lesson_beginning *b, const char *part)
{
	struct buf front = {0};
	if (!read_data(b->ctx, b->ctx->paths.data, TEMPLATE, &front))
		return false;
	char *at = find_line(front.data, "kernel:"), *end = at ? find_line(at, "takeaway:") : NULL;
	replace(&front, at, (size_t)(end - at), part);
	set_line(&front, b->ctx->arena, "after: ", "[]"); /* until it is known where the lesson is */
	char *body = find_line(front.data + 4, "---");
	body[line_length(body)] = '\0';

	/* A question about the first of the metrics with which the lesson passes, of the kernel as another lesson
	 * launches it. */
	const char *question_front = front.data;
	struct buf head = {0};
	bool ok = false;
	buf_puts(&head, question_front);
	put_step(&head, "question:\n", "instructions", "How many?", "instructions");
	const struct lesson *lesson = parse(b, &head, &b->ctx->diag);
	int parameters = lesson && lesson->n_parameters ? lesson->n_parameters : 1;
	for (int p = 0; lesson && p < parameters && !ok; p++)
		for (int i = 0; i < lesson->steps[0].n_metrics && !ok; i++) {
			/* The lesson with a question about that metric, at the last value of that parameter. */
			const char *metric = lesson->steps[0].metrics[i];
			struct arena *arena = b->ctx->arena;
			struct buf label = {0};
			const char *what = metric_table[metric_find(metric)].label;
			const char *set = asked_set(arena, lesson, p, &label);
			const char *ask_what = arena_printf(arena, "What will `%s` be%s?", what, buf_str(&label));
			buf_clear(&b->text);
			buf_puts(&b->text, question_front);
			put_step(&b->text, set, metric, quoted(arena, ask_what), what);
			buf_free(&label);
			ok = passes(b, &b->text);
		}
	if (lesson && !ok)
		diag_error(&b->ctx->diag, (struct diag_pos){.file = "--kernel"},
			"no lesson that passes can be made of how %s is launched: begin with another", b->wish.kernel);
	buf_free(&head);

	buf_free(&front);
	return ok;
}

/* The text, by the kernel that was asked for. */
static bool begin_lesson(struct lesson_beginning *b)
{
	struct cmd_ctx *ctx = b->ctx;
	const char *kernel = b->wish.kernel, *const roots[] = {b->root, ctx->paths.data};
	struct buf all = {0};
	b->from = ctx->paths.data;
	if (!kernel || strcmp(kernel, "shared_stride") == 0)
		return read_data(ctx, ctx->paths.data, TEMPLATE, &b->text);
	const char *part = NULL;
	bool exists = false;
	for (size_t i = 0; i < sizeof roots / sizeof *roots && !part && !exists; i++) {
		/* Of a course: the part of the lesson with this kernel; else NULL with the names of all kernels that
		 * have one, appended. */
		struct dirent **entries;
		const char *found = NULL, *folder = path_join(ctx->arena, roots[i], "lessons");
		int n = scandir(folder, &entries, only_lessons, alphasort);
		if (n < 0 && errno == ENOMEM)
			base_out_of_memory();
		for (int j = 0; j < n; j++) {
			struct buf text = {0};
			struct diag quiet = {0};
			const char *path = path_join(
				ctx->arena, path_join(ctx->arena, folder, entries[j]->d_name), "lesson.md");
			const char *here = NULL;
			if (!found && file_read_text(path, LESSON_FILE_MAX, &text, &quiet)) {
				found = experiment_part(ctx->arena, &text, kernel);
				here = experiment_part(ctx->arena, &text, NULL);
			}
			if (here)
				buf_printf(&all, "%s%.*s", all.len ? ", " : "", (int)strcspn(here + 8, "\n"), here + 8);
			buf_free(&text);
			diag_free(&quiet);
			free(entries[j]);
		}
		if (n >= 0)
			free(entries);
		part = found;

		const char *root = roots[i];
		exists = file_exists(path_join(ctx->arena, root, arena_printf(ctx->arena, "kernels/%s.cu", kernel)));
		b->from = roots[i];
	}
	bool ok = false;
	if (part) {
		ok = begin_with_part(b, part);
	} else if (exists) {
		diag_error(&ctx->diag, (struct diag_pos){.file = "--kernel"},
			"no lesson says once for all of its steps how %s is launched; a new name begins a kernel of your own, "
			"and these can be begun with: %s",
			kernel, buf_str(&all));
	} else {
		/* A copy of one that ships, with another name. */
		bool good = islower((unsigned char)*kernel) && strspn(kernel, KERNEL_CHARS) == strlen(kernel) &&
			strlen(kernel) <= 60;
		if (!good)
			cmd_bad_value(
				ctx, "--kernel", kernel, "lower-case letters, digits and _, beginning with a letter");
		b->own_kernel = good;
		b->from = path_join(ctx->arena, ctx->paths.data, "templates/course");
		ok = good && read_data(ctx, ctx->paths.data, OWN_LESSON, &b->text);
	}
	buf_free(&all);
	return ok;
}

/* --- what else is wished ------------------------------------------------------------------------------------------ */

static bool add_wishes(struct lesson_beginning *b)
{
	struct arena *arena = b->ctx->arena;
	const struct lesson_wish *wish = &b->wish;
	const char *after = wish->after;
	if (!after && strcmp(b->root, wish->folder) != 0) {
		/* The last lesson of the course before this one, by its id; NULL: there is none. */
		struct dirent **entries;
		const char *name = cmd_lesson_folder_name(b->ctx->arena, wish->folder), *before = NULL;
		int n = scandir(path_join(b->ctx->arena, b->root, "lessons"), &entries, only_lessons, alphasort);
		if (n < 0 && errno == ENOMEM)
			base_out_of_memory();
		for (int i = 0; i < n; i++) {
			if (strcmp(entries[i]->d_name, name) < 0)
				before = arena_strdup(b->ctx->arena, lesson_id_of_dir(entries[i]->d_name));
			free(entries[i]);
		}
		if (n >= 0)
			free(entries);
		after = before;
	}
	set_line(&b->text, arena, "title: ", quoted(arena, wish->title ? wish->title : "A new lesson"));
	set_line(&b->text, arena, "# ", wish->title ? wish->title : "A new lesson");
	if (wish->track)
		set_line(&b->text, arena, "track: ", quoted(arena, wish->track));
	set_line(&b->text, arena, "after: ", arena_printf(arena, "[%s]", after ? after : ""));
	if (wish->views)
		set_line(&b->text, arena, "  views: ", arena_printf(arena, "[%s]", wish->views));
	const struct lesson *lesson = parse(b, &b->text, &b->ctx->diag);

	if (!lesson)
		return false;
	const char *const *ids = cmd_lesson_folder_ids(b->ctx, b->root);
	for (int i = 0; i < lesson->n_after; i++)
		if (!cmd_lesson_is_listed(ids, lesson->after[i])) {
			diag_error(&b->ctx->diag, (struct diag_pos){.file = "--after"}, "there is no lesson '%s'",
				lesson->after[i]);
			return false;
		}

	if (b->own_kernel)
		set_line(&b->text, arena, "kernel: ", wish->kernel);
	if (wish->exercise) {
		struct buf step = {0};
		if (!read_data(b->ctx, b->ctx->paths.data, "templates/exercise/step.md", &step))
			return false;
		buf_append(&b->text, step.data, step.len);
		buf_free(&step);
	}
	return true;
}

/* --- written ------------------------------------------------------------------------------------------------------ */

static bool write_new(struct lesson_beginning *b, const char *path, const struct buf *text)
{
	if (!file_create(path, buf_str(text), text->len, &b->ctx->diag))
		return false;
	*vec_push_in(b->ctx->arena, b->undone, b->n_undone, b->cap_undone) = path;
	return true;
}

/* The kernel and its PTX, which says that it was made of that. */
static bool write_kernel(struct lesson_beginning *b)
{
	struct arena *arena = b->ctx->arena;
	const char *kernel = b->wish.kernel, *data = b->ctx->paths.data;
	const char *source = arena_printf(arena, "kernels/%s.cu", kernel);
	struct buf text = {0}, made = {0}, ptx = {0};
	bool ok = read_data(b->ctx, data, "templates/course/kernels/" OWN_KERNEL ".cu", &text) &&
		read_data(b->ctx, data, "templates/course/kernels/" OWN_KERNEL ".ptx", &made);
	if (ok) {
		rename_all(&text, OWN_KERNEL, kernel);
		rename_all(&made, OWN_KERNEL, kernel);
		const struct kernel_file file = {.source_text = buf_str(&text), .source_len = text.len};
		char *from = find_line(made.data, "// from:");
		buf_append(&ptx, made.data, (size_t)(from - made.data));
		lesson_made_write(&file, source, NULL, 0, &ptx);
		buf_puts(&ptx, from + line_length(from));
		ok = write_new(b, path_join(arena, b->root, source), &text) &&
			write_new(b, path_join(arena, b->root, arena_printf(arena, "kernels/%s.ptx", kernel)), &ptx);
	}
	buf_free(&text);
	buf_free(&made);
	buf_free(&ptx);
	return ok;
}

/* PTX names its source from the course's folder on. */
static bool write_exercise(struct lesson_beginning *b)
{
	static const char *const names[] = {"start", "solution", "wrong/half"};
	struct arena *arena = b->ctx->arena;
	bool ok = true, alone = strcmp(b->root, b->wish.folder) == 0;
	const char *name = cmd_lesson_folder_name(arena, b->wish.folder);
	for (size_t i = 0; i < 2 * sizeof names / sizeof *names && ok; i++) {
		const char *file = arena_printf(arena, "exercise/%s.%s", names[i / 2], i % 2 ? "ptx" : "cu");
		const char *source = arena_printf(arena, "exercise/%s.cu", names[i / 2]);
		struct buf text = {0};
		ok = read_data(b->ctx, b->ctx->paths.data, arena_printf(arena, "templates/%s", file), &text);
		if (ok && !alone)
			rename_all(&text, source, arena_printf(arena, "lessons/%s/%s", name, source));
		ok = ok && write_new(b, path_join(arena, b->wish.folder, file), &text);
		buf_free(&text);
	}
	return ok;
}

/* The text before the last name of a path, without slashes at its end; "" for a path of one name. */
static const char *text_above(struct arena *arena, const char *path)
{
	size_t len = strlen(path);
	while (len > 1 && path[len - 1] == '/')
		len--;
	while (len && path[len - 1] != '/')
		len--;
	while (len > 1 && path[len - 1] == '/')
		len--;
	return arena_strndup(arena, path, len);
}

/* Where kernels of the lesson's own go. The folder need not be there yet. */
static const char *root_of(struct cmd_ctx *ctx, const char *folder)
{
	const char *above = text_above(ctx->arena, folder), *course = text_above(ctx->arena, above);
	if (!*above || strcmp(above, ".") == 0)
		course = "..";
	else if (strcmp(cmd_lesson_folder_name(ctx->arena, above), "lessons") != 0 || strcmp(above, "/") == 0)
		course = arena_printf(ctx->arena, "%s/..", above);
	else if (!*course)
		course = ".";
	bool is_course = file_exists(path_join(ctx->arena, course, "kernels")) ||
		file_exists(path_join(ctx->arena, course, LESSON_COURSE_FILE));
	return is_course ? course : folder;
}

void cmd_lesson_new_needs(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	struct lesson_wish wish = {0};
	bool any = false;
	if (!take_wishes(args, n, &wish, &any) || !wish.folder) {
		needs->all = true; /* who is at the terminal says where */
		return;
	}
	const char *root = root_of(needs->ctx, wish.folder);
	cmd_needs_reading(needs, root);
	cmd_needs_reading(needs, path_join(needs->ctx->arena, needs->ctx->paths.data, TEMPLATE)); /* a link, maybe */
	cmd_needs_writing(needs, wish.folder, CMD_OUTPUT_MODE);
	if (strcmp(root, wish.folder) != 0)
		cmd_needs_writing(needs, path_join(needs->ctx->arena, root, "kernels"), CMD_OUTPUT_MODE);
}

int cmd_lesson_new(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct lesson_beginning b = {.ctx = ctx};
	struct buf out = {0};
	bool any = false;
	if (!take_wishes(args, n, &b.wish, &any))
		return cmd_usage(ctx, &cmd_lesson_entry, "new takes one folder");

	if (!any && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) {
		struct lesson_wish *wish = &b.wish;
		const char *exercise = NULL;
		if (!wish->folder)
			wish->folder = ask_line(ctx, _("Folder, as lessons/23-name"), NULL);
		if (!wish->folder || !*wish->folder)
			return EXIT_FAILED;
		if (!(wish->title = ask_line(ctx, _("Title"), "A new lesson")) ||
			!(wish->track = ask_line(ctx, _("Track of the course"), "A track of the course")) ||
			!(wish->kernel = ask_line(ctx, _("Kernel: one of a lesson, or a new name"), "shared_stride")) ||
			!(exercise = ask_line(ctx, _("With an exercise, yes or no"), "no")))
			return EXIT_FAILED;
		wish->exercise = *exercise == 'y' || *exercise == 'Y';
	}

	const char *folder = b.wish.folder, *path = path_join(ctx->arena, folder, "lesson.md");
	if (!lesson_dir_check(cmd_lesson_folder_name(ctx->arena, folder), (struct diag_pos){.file = path}, &ctx->diag))
		return EXIT_USAGE;
	if (file_exists(path)) {
		diag_error(&ctx->diag, (struct diag_pos){.file = path}, "there is a lesson already");
		return EXIT_FAILED;
	}
	b.root = root_of(ctx, folder);
	bool ok = begin_lesson(&b) && add_wishes(&b) && write_new(&b, path, &b.text) &&
		(!b.own_kernel || write_kernel(&b)) && (!b.wish.exercise || write_exercise(&b));
	while (!ok && b.n_undone) /* nothing is left of a lesson that cannot be written as a whole */
		unlink(b.undone[--b.n_undone]);
	for (size_t i = 0; i < b.n_undone; i++)
		escape_line(&out, "%s", b.undone[i]);
	escape_line(&out, "Now: simttutor lesson check --no-recorded %s", folder);
	ok = ok && cmd_print(ctx, &out);
	buf_free(&b.text);
	buf_free(&out);
	return ok ? EXIT_OK : EXIT_FAILED;
}
