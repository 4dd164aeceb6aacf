
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "base/paths.h"
#include "course/lesson/lesson.h"
#include "course/lesson/reader.h"

#define COURSE_FORMAT 1
#define LANGUAGE_LEN 35 /* of the longest that BCP 47 speaks of */

static void read_format_of_course(struct reader *r, yaml_node_t *value, void *into)
{
	int64_t format;
	(void)into;
	if (lesson_reader_int(r, value, (struct lesson_range){"format", 1, INT32_MAX}, &format) &&
		format != COURSE_FORMAT)
		lesson_reader_error(
			r, value, "course format %" PRId64 "; this simttutor reads format %d", format, COURSE_FORMAT);
}

static const char *read_line(struct reader *r, yaml_node_t *value, const char *what)
{
	struct lesson_scalar scalar;
	return lesson_reader_text(r, value, what, LESSON_TITLE_MAX, &scalar) ? scalar.text : "";
}

/* "de", "pt-BR": it becomes part of a dictionary's name. */
static void read_language(struct reader *r, yaml_node_t *value, void *into)
{
	const char *tag = read_line(r, value, "language");
	size_t len = strlen(tag), letters = 0;
	while (isalpha((unsigned char)tag[letters]))
		letters++;
	bool valid = (letters == 2 || letters == 3) && len <= LANGUAGE_LEN && (!tag[letters] || tag[letters] == '-');
	for (size_t i = letters; i < len; i++)
		valid = valid && (isalnum((unsigned char)tag[i]) || tag[i] == '-');
	if (!valid)
		lesson_reader_error(r, value, "a language is a tag such as en, de or pt-BR");
	else
		((struct course *)into)->language = tag;
}

static void read_prerequisites(struct reader *r, yaml_node_t *value, void *into)
{
	struct course *course = into;
	struct lesson_scalar_list list;
	if (!lesson_reader_texts(r, value, "prerequisites", LESSON_AFTER_MAX, &list))
		return;
	course->prerequisites = lesson_scalar_texts(r->arena, &list);
	course->n_prerequisites = list.n;
}

static void read_solutions(struct reader *r, yaml_node_t *value, void *into)
{
	const char *what = read_line(r, value, "solutions");
	if (strcmp(what, "included") != 0 && strcmp(what, "withheld") != 0)
		lesson_reader_error(r, value, "solutions are 'included' or 'withheld'");
	((struct course *)into)->withholds_solutions = strcmp(what, "withheld") == 0;
}

bool lesson_course_read(struct arena *arena, const char *folder, struct course *out, struct diag *diag)
{
	static const struct reader_key keys[] = {
		READER_CALL("format", true, read_format_of_course),
		READER_TEXT("title", true, struct course, title, LESSON_TITLE_MAX),
		READER_TEXT("author", false, struct course, author, LESSON_TITLE_MAX),
		READER_TEXT("license", false, struct course, license, LESSON_TITLE_MAX),
		READER_TEXT("version", false, struct course, version, LESSON_TITLE_MAX),
		READER_CALL("language", false, read_language),
		READER_CALL("prerequisites", false, read_prerequisites),
		READER_CALL("solutions", false, read_solutions),
		{0},
	};
	const char *path = path_join(arena, folder, LESSON_COURSE_FILE);
	struct buf text = {0};
	size_t errors = diag->errors;
	*out = (struct course){.title = "", .author = "", .license = "", .version = "", .language = "en"};
	if (!file_is_named(path))
		return true;
	if (file_read_text(path, LESSON_YAML_MAX, &text, diag)) {
		struct source source = {.file = path, .text = buf_str(&text), .len = text.len};
		struct reader r = {.arena = arena, .diag = diag};
		if (source_open(arena, &source, diag) && lesson_reader_open(&r, &source, 0, source.n_lines))
			lesson_reader_map(&r, r.root, "a course", keys, out);
		lesson_reader_close(&r);
	}
	buf_free(&text);
	return diag->errors == errors;
}

bool lesson_solution_is_withheld(const struct course *course, const char *exercise_dir)
{
	struct buf path = {0};
	buf_printf(&path, "%s/solution.cu", exercise_dir);
	bool is = course->withholds_solutions && !file_is_named(buf_str(&path));
	buf_free(&path);
	return is;
}
