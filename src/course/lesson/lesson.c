#include "course/lesson/private.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/paths.h"
#include "course/lesson/markdown.h"

#define FORMAT 1
#define ID_MAX 64

/* A lesson on its way. */
struct parse {
	struct arena *arena;
	const char *data_dir;
	const struct lesson_names *names;
	struct diag *diag;
	struct source source;
	struct lesson *lesson;
	struct step_draft defaults;
	struct lesson front;     /* the texts of the front matter */
	yaml_node_t *format;     /* checked before the others */
	yaml_node_t *experiment; /* read when the parameters are known */
	int body;                /* its first line, from 0 */
};

static void read_parameters(struct reader *r, yaml_node_t *value, void *into)
{
	struct lesson *lesson = ((struct parse *)into)->lesson;
	int n = lesson_reader_list(r, value, "parameters", LESSON_PARAMETERS_MAX);
	if (n < 0)
		return;
	lesson->parameters = arena_array(r->arena, struct parameter, (size_t)n);
	for (int i = 0; i < n; i++)
		lesson_parameter_read(r, lesson_reader_item(r, value, i), lesson);
}

/* --- front matter ------------------------------------------------------------------------------------------------- */

static void read_after(struct reader *r, yaml_node_t *value, void *into)
{
	struct lesson *lesson = ((struct parse *)into)->lesson;
	struct lesson_scalar_list list;
	if (!lesson_reader_texts(r, value, "after", LESSON_AFTER_MAX, &list))
		return;
	lesson->after = lesson_scalar_texts(r->arena, &list);
	lesson->n_after = list.n;
	for (int i = 0; i < list.n; i++)
		if (strcmp(lesson->after[i], lesson->id) == 0)
			diag_error(r->diag, list.items[i].pos, "a lesson cannot come after itself");
}

static void read_kernel(struct reader *r, yaml_node_t *value, void *into)
{
	struct parse *p = into;
	struct step_draft e = {.lesson = p->lesson, .data_dir = p->data_dir, .names = p->names};
	lesson_draft_read_file(r, value, &e);
	p->lesson->kernel = e.file;
}

static void read_front(struct reader *r, struct parse *p)
{
	static const struct reader_key keys[] = {
		READER_KEEP("format", true, struct parse, format),
		READER_TEXT("title", true, struct parse, front.title, LESSON_TITLE_MAX),
		READER_TEXT("track", true, struct parse, front.track, LESSON_TITLE_MAX),
		READER_TEXT("summary", true, struct parse, front.summary, LESSON_TEXT_MAX),
		READER_TEXT("needs", false, struct parse, front.needs, LESSON_TEXT_MAX),
		READER_CALL("kernel", false, read_kernel),
		READER_CALL("parameters", false, read_parameters),
		READER_KEEP("experiment", false, struct parse, experiment),
		READER_TEXT("takeaway", true, struct parse, front.takeaway, LESSON_TEXT_MAX),
		READER_TEXT("can", false, struct parse, front.can, LESSON_TEXT_MAX),
		READER_CALL("after", false, read_after),
		{0},
	};
	size_t errors = p->diag->errors;

	/* A lesson of another format is refused before its keys are looked at: they may mean anything. */
	bool right = true;
	int n = r->root && lesson_reader_is_map(r->root) ? lesson_reader_pairs(r, r->root, "the front matter") : 0;
	for (int i = 0; i < n; i++) {
		yaml_node_pair_t *pair = &r->root->data.mapping.pairs.start[i];
		yaml_node_t *key = yaml_document_get_node(&r->document, pair->key);
		yaml_node_t *value = yaml_document_get_node(&r->document, pair->value);
		int64_t format;
		if (!lesson_reader_is_scalar(key) || strcmp((const char *)key->data.scalar.value, "format") != 0)
			continue;
		if (!lesson_reader_int(r, value, (struct lesson_range){"format", 1, INT32_MAX}, &format)) {
			right = false;
			break;
		}
		if (format != FORMAT)
			lesson_reader_error(
				r, value, "lesson format %" PRId64 "; this simttutor reads format %d", format, FORMAT);
		right = format == FORMAT;
		break;
	}

	if (!right)
		return;
	lesson_reader_map(r, r->root, "the front matter", keys, p);
	if (p->diag->errors != errors)
		return;
	p->lesson->title = p->front.title;
	p->lesson->track = p->front.track;
	p->lesson->summary = p->front.summary;
	p->lesson->needs = p->front.needs ? p->front.needs : "";
	p->lesson->takeaway = p->front.takeaway;
	p->lesson->can = p->front.can ? p->front.can : "";
	lesson_names_settle_words(p->arena, p->lesson, p->names, lesson_reader_pos(r, r->root), p->diag);
	lesson_draft_init(&p->defaults, p->arena, p->lesson, p->data_dir, p->names);
	if (p->experiment)
		lesson_draft_read_defaults(r, p->experiment, &p->defaults);
}

static bool is_fence(const struct source *source, int line)
{
	size_t len;
	const char *text = source_line_text(source, line, &len);
	while (len > 0 && (text[len - 1] == ' ' || text[len - 1] == '\t'))
		len--;
	return len == 3 && memcmp(text, "---", 3) == 0;
}

/* Finds and reads the lines between the two `---`. */
static bool parse_front(struct parse *p)
{
	size_t errors = p->diag->errors;
	int end = 1;

	if (!is_fence(&p->source, 0)) {
		diag_error(p->diag, source_pos(&p->source, 0),
			"a lesson starts with front matter between two lines '---'");
		return false;
	}
	while (end < p->source.n_lines && !is_fence(&p->source, end))
		end++;
	if (end == p->source.n_lines) {
		diag_error(p->diag, source_pos(&p->source, 0), "this front matter is never closed with a line '---'");
		return false;
	}
	struct reader r = {.arena = p->arena, .diag = p->diag};
	if (lesson_reader_open(&r, &p->source, 1, end))
		read_front(&r, p);
	lesson_reader_close(&r);
	p->body = end + 1;
	return p->diag->errors == errors;
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

/* The title in lower case, everything but letters and digits a dash. Never only digits: those number the steps. */
static const char *make_id(struct arena *arena, const char *title, int number)
{
	char id[ID_MAX];
	size_t len = 0;
	bool letter = false;
	for (const char *c = title; *c && len < sizeof id - 1; c++) {
		if (isalnum((unsigned char)*c))
			id[len++] = (char)tolower((unsigned char)*c);
		else if (len > 0 && id[len - 1] != '-')
			id[len++] = '-';
		letter = letter || isalpha((unsigned char)*c);
	}
	while (len > 0 && id[len - 1] == '-')
		len--;
	id[len] = '\0';
	if (letter)
		return arena_strdup(arena, id);
	return len ? arena_printf(arena, "step-%s", id) : arena_printf(arena, "step-%d", number);
}

static void parse_body(struct parse *p)
{
	const struct markdown body = lesson_markdown_parse(p->arena, &p->source, p->body, p->names, p->diag);
	p->lesson->steps = arena_array(p->arena, struct step, (size_t)body.n_steps);
	p->lesson->n_steps = body.n_steps;
	for (int i = 0; i < body.n_steps; i++) {
		const struct markdown_step *from = &body.steps[i];
		struct step *step = &p->lesson->steps[i];
		size_t errors = p->diag->errors;
		struct step_draft e;

		step->title = from->title;
		step->text = from->text;
		step->notes = from->notes;
		step->pos = from->pos;
		lesson_draft_copy(&e, &p->defaults, p->arena);
		if (from->has_block) {
			step->pos = from->block_pos;

			struct reader r = {.arena = p->arena, .diag = p->diag};
			if (lesson_reader_open(&r, &p->source, from->first_line, from->last_line))
				lesson_draft_read_step(&r, r.root, &e);
			lesson_reader_close(&r);
		} else {
			e.given = false;
		}
		step->id = e.id.text ? e.id.text : make_id(p->arena, from->title, i + 1);
		if (p->diag->errors == errors)
			lesson_draft_finish(&e, p->arena, step, p->diag);
		for (int j = 0; j < i; j++)
			if (strcmp(p->lesson->steps[j].id, step->id) == 0)
				diag_error(p->diag, e.id.text ? e.id.pos : from->pos,
					"a second step '%s'; give this one another title or an id", step->id);
		/* The text of the file is the caller's and may go. */
		step->pos.text = NULL;
		step->pos.text_len = 0;
		step->pos.file = p->lesson->path;
	}
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

/* "10-banks" -> "banks"; a folder without a number is its own id. */
const char *lesson_id_of_dir(const char *dir)
{
	size_t digits = strspn(dir, "0123456789");
	return digits && dir[digits] == '-' && dir[digits + 1] ? dir + digits + 1 : dir;
}

const char *lesson_number_of_dir(struct arena *arena, const char *dir, size_t whole)
{
	size_t digits = lesson_id_of_dir(dir) == dir ? 0 : strspn(dir, "0123456789");
	if (!digits)
		return "";
	whole = whole < digits ? whole : digits;
	size_t zeros = strspn(dir, "0");
	zeros = zeros < whole ? zeros : whole - 1;
	const char *number = arena_strndup(arena, dir + zeros, whole - zeros);
	return whole == digits ? number : arena_printf(arena, "%s.%.*s", number, (int)(digits - whole), dir + whole);
}

bool lesson_dir_check(const char *dir, struct diag_pos pos, struct diag *diag)
{
	const char *id = lesson_id_of_dir(dir);
	bool valid = (islower((unsigned char)*id) || isdigit((unsigned char)*id)) &&
		strspn(dir, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(dir);
	if (!valid)
		diag_error(diag, pos,
			"a lesson's folder is called by lower-case letters, digits and dashes, as in 10-banks; '%s' is not",
			dir);
	return valid;
}

struct lesson *lesson_parse(struct arena *arena, const struct lesson_text *from, struct diag *diag)
{
	struct lesson *lesson = arena_alloc(arena, sizeof *lesson);
	struct parse p = {
		.arena = arena, .data_dir = from->data_dir, .names = from->names, .diag = diag, .lesson = lesson};
	size_t errors = diag->errors;

	p.data_dir = arena_strdup(arena, from->data_dir);
	lesson->dir = arena_strdup(arena, from->dir);
	lesson->id = lesson_id_of_dir(lesson->dir);
	lesson->number = lesson_number_of_dir(arena, lesson->dir, SIZE_MAX);
	lesson->path = arena_strdup(arena, from->path);
	lesson->language = "";
	lesson->kernels = arena_array(arena, const struct kernel_file *, LESSON_KERNELS_MAX);
	if (!lesson_dir_check(from->dir, (struct diag_pos){.file = from->path}, diag))
		return NULL;
	if (from->len > LESSON_FILE_MAX) {
		diag_error(diag, (struct diag_pos){.file = from->path}, "larger than the limit of %zu bytes",
			LESSON_FILE_MAX);
		return NULL;
	}
	p.source = (struct source){.file = lesson->path, .text = from->text, .len = from->len};
	if (source_open(arena, &p.source, diag) && parse_front(&p))
		parse_body(&p);
	return diag->errors == errors ? lesson : NULL;
}

/* The whole of a file's text as a lesson. */
static struct lesson *load_from(struct arena *arena, const struct lesson_text *from, struct diag *diag)
{
	struct buf text = {0};
	struct lesson *lesson = NULL;
	struct lesson_text of = *from;
	if (file_read_text(from->path, LESSON_FILE_MAX, &text, diag)) {
		of.text = buf_str(&text);
		of.len = text.len;
		lesson = lesson_parse(arena, &of, diag);
	}
	buf_free(&text);
	return lesson;
}

struct lesson *lesson_load(
	struct arena *arena, const char *data_dir, const char *dir, const struct lesson_names *names, struct diag *diag)
{
	const char *path = arena_printf(arena, "%s/lessons/%s/lesson.md", data_dir, dir);
	return load_from(
		arena, &(struct lesson_text){.data_dir = data_dir, .dir = dir, .path = path, .names = names}, diag);
}

/* The languages that the reader asks for, first the best, as gettext takes them: "de:fr". "": none. */
static const char *wanted_languages(void)
{
	static const char *const variables[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
	const char *locale = "", *list = getenv("LANGUAGE");
	for (size_t i = 0; i < sizeof variables / sizeof *variables && !*locale; i++)
		locale = getenv(variables[i]) ? getenv(variables[i]) : "";
	bool none = !*locale || strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0;
	return none ? "" : list && *list ? list : locale;
}

/* The file of the first of them that there is, and its language; NULL: none is, or English comes before it. */
static const char *find_translation(struct arena *arena, const char *data_dir, const char *dir, const char **language)
{
	const char *at = wanted_languages();
	while (*at) {
		/* Bytes of "de" in "de_DE.UTF-8" or "de:fr"; 0: none that one can tell. Nothing else can be in the name
		 * of a file. */
		size_t of_len = strspn(at, "abcdefghijklmnopqrstuvwxyz");
		bool is = (of_len == 2 || of_len == 3) && (!at[of_len] || strchr("_.@:", at[of_len]));
		size_t len = is ? of_len : 0;

		const char *path = arena_printf(arena, "%s/lessons/%s/lesson.%.*s.md", data_dir, dir, (int)len, at);
		if (len == 2 && strncmp(at, "en", len) == 0)
			return NULL;
		if (len && file_is_named(path)) {
			*language = arena_strndup(arena, at, len);
			return path;
		}
		at += strcspn(at, ":");
		at += *at == ':';
	}
	return NULL;
}

bool lesson_has_same_bones(const struct lesson *a, const struct lesson *b)
{
	if (a->n_steps != b->n_steps || a->n_parameters != b->n_parameters)
		return false;
	for (int i = 0; i < a->n_steps; i++)
		if (strcmp(a->steps[i].id, b->steps[i].id) != 0)
			return false;
	for (int i = 0; i < a->n_parameters; i++)
		if (strcmp(a->parameters[i].name, b->parameters[i].name) != 0)
			return false;
	return true;
}

struct lesson *lesson_translated(struct arena *arena, struct lesson *lesson, const char *data_dir,
	const struct lesson_names *names, struct diag *diag)
{
	const char *language, *path = find_translation(arena, data_dir, lesson->dir, &language);
	if (!path)
		return lesson;
	struct lesson *translated = load_from(arena,
		&(struct lesson_text){.data_dir = data_dir, .dir = lesson->dir, .path = path, .names = names}, diag);
	if (!translated)
		return lesson;
	translated->language = language;
	if (lesson_has_same_bones(translated, lesson))
		return translated;
	diag_warn(diag, (struct diag_pos){.file = path},
		"its steps, by their ids, or its parameters are not those of lesson.md, which is shown instead");
	return lesson;
}
