#include "lesson/lesson.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

/* The file, and the memory: {"format": 1, "lessons": {ID: {"step": N, "visited": [STEP...], "answered": [STEP...],
 * "answers": {STEP: {"tries": N, "hints": N}}}}}. The last may be missing.
 * Keys this version does not know are kept. */

#define FORMAT 1
#define FILE_MAX ((size_t)4 << 20)

struct progress {
	char *path;
	json_t *root;
	bool changed;
	bool locked; /* the file is not ours to write: made by a newer version, or not readable */
};

static bool is_id_list(const json_t *value)
{
	size_t i;
	json_t *item;
	if (!json_is_array(value))
		return false;
	json_array_foreach(value, i, item) if (!json_is_string(item)) return false;
	return true;
}

/* What is wrong with the shape of the whole, or NULL. */
static const char *fault_of(json_t *root)
{
	const char *id;
	json_t *lesson, *lessons = json_object_get(root, "lessons");

	if (!json_is_integer(json_object_get(root, "format")))
		return "no format number";
	if (json_integer_value(json_object_get(root, "format")) > FORMAT)
		return NULL; /* not ours to judge */
	if (json_integer_value(json_object_get(root, "format")) < 1)
		return "not a format number";
	if (!json_is_object(lessons))
		return "no lessons";
	json_object_foreach(lessons, id, lesson) if (!json_is_integer(json_object_get(lesson, "step")) ||
		!is_id_list(json_object_get(lesson, "visited")) ||
		!is_id_list(json_object_get(lesson, "answered"))) return "a lesson without step, visited and answered";
	return NULL;
}

static void keep_aside(const struct progress *progress, int line, int column, const char *why, struct diag *diag)
{
	struct diag_pos pos = {.file = progress->path, .line = line, .col = column};
	struct buf aside = {0};

	buf_printf(&aside, "%s.bad", progress->path);
	if (rename(progress->path, aside.data) == 0)
		diag_warn(diag, pos, "damaged (%s); kept as %s, progress starts anew", why, aside.data);
	else
		diag_warn(diag, pos, "damaged (%s), and it cannot be renamed: %s", why, strerror(errno));
	buf_free(&aside);
}

static json_t *read_root(struct progress *progress, struct diag *diag)
{
	struct diag faults = {0};
	struct buf text = {0};
	json_error_t error;
	json_t *root = NULL;

	if (access(progress->path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR))
		return NULL;
	if (file_read(progress->path, FILE_MAX, &text, &faults)) {
		root = json_loadb(buf_str(&text), text.len, JSON_REJECT_DUPLICATES, &error);
		const char *why = root ? fault_of(root) : error.text;
		if (why) {
			keep_aside(progress, root ? 0 : error.line, root ? 0 : error.column, why, diag);
			json_decref(root);
			root = NULL;
		}
	} else {
		progress->locked = true;
		diag_warn(diag, (struct diag_pos){.file = progress->path}, "%s; progress is not kept this time",
			faults.count ? faults.entries[0].message : "cannot be read");
	}
	buf_free(&text);
	diag_free(&faults);
	return root;
}

struct progress *lesson_progress_load(const char *state_dir, struct diag *diag)
{
	struct progress *progress = base_calloc(1, sizeof *progress);
	struct buf path = {0};

	buf_printf(&path, "%s/progress.json", state_dir);
	progress->path = buf_steal(&path);
	progress->root = read_root(progress, diag);
	json_int_t format = json_integer_value(json_object_get(progress->root, "format"));
	if (format > FORMAT) {
		diag_warn(diag, (struct diag_pos){.file = progress->path},
			"written by a newer simttutor (format %" JSON_INTEGER_FORMAT
			"); it is left alone and progress is not "
			"kept this time",
			format);
		json_decref(progress->root);
		progress->root = NULL;
		progress->locked = true;
	}
	if (!progress->root)
		progress->root = json_pack("{s:i, s:{}}", "format", FORMAT, "lessons");
	return progress;
}

void lesson_progress_free(struct progress *progress)
{
	if (!progress)
		return;
	json_decref(progress->root);
	free(progress->path);
	free(progress);
}

/* The lesson's object, or NULL when nothing is known of it. */
static json_t *find_progress(const struct progress *progress, const char *lesson)
{
	return json_object_get(json_object_get(progress->root, "lessons"), lesson);
}

static json_t *find_or_add(struct progress *progress, const char *lesson)
{
	json_t *found = find_progress(progress, lesson);
	if (found)
		return found;
	json_object_set_new(json_object_get(progress->root, "lessons"), lesson,
		json_pack("{s:i, s:[], s:[]}", "step", 0, "visited", "answered"));
	return find_progress(progress, lesson);
}

static bool has(const json_t *list, const char *id)
{
	size_t i;
	json_t *item;
	json_array_foreach(list, i, item) if (strcmp(json_string_value(item), id) == 0) return true;
	return false;
}

/* True when it was not there. */
static bool add_progress(json_t *list, const char *id)
{
	return !has(list, id) && json_array_append_new(list, json_string(id)) == 0;
}

int lesson_progress_step(const struct progress *progress, const char *lesson)
{
	json_int_t step = json_integer_value(json_object_get(find_progress(progress, lesson), "step"));
	return step < 0 || step > INT32_MAX ? 0 : (int)step;
}

bool lesson_progress_answered(const struct progress *progress, const char *lesson, const char *step)
{
	return has(json_object_get(find_progress(progress, lesson), "answered"), step);
}

int lesson_progress_visited_count(const struct progress *progress, const char *lesson)
{
	return (int)json_array_size(json_object_get(find_progress(progress, lesson), "visited"));
}

bool lesson_progress_visited(const struct progress *progress, const char *lesson, const char *step)
{
	return has(json_object_get(find_progress(progress, lesson), "visited"), step);
}

void lesson_progress_visit(struct progress *progress, const char *lesson, int index, const char *step)
{
	json_t *known = find_or_add(progress, lesson);
	bool moved = !known || lesson_progress_step(progress, lesson) != index;
	if (moved)
		json_object_set_new(known, "step", json_integer(index));
	progress->changed = add_progress(json_object_get(known, "visited"), step) || moved || progress->changed;
}

void lesson_progress_answer(struct progress *progress, const char *lesson, const char *step)
{
	json_t *known = find_or_add(progress, lesson);
	progress->changed = add_progress(json_object_get(known, "answered"), step) || progress->changed;
}

static int count_of(const json_t *answer, const char *name)
{
	json_int_t n = json_integer_value(json_object_get(answer, name));
	return n < 0 || n > INT32_MAX ? 0 : (int)n;
}

struct lesson_progress_tries lesson_progress_tries(
	const struct progress *progress, const char *lesson, const char *step)
{
	const json_t *answer = json_object_get(json_object_get(find_progress(progress, lesson), "answers"), step);
	return (struct lesson_progress_tries){count_of(answer, "tries"), count_of(answer, "hints")};
}

void lesson_progress_try(struct progress *progress, const char *lesson, const char *step, int hints)
{
	json_t *known = find_or_add(progress, lesson), *answers = json_object_get(known, "answers");
	struct lesson_progress_tries before = lesson_progress_tries(progress, lesson, step);
	if (!json_is_object(answers)) {
		answers = json_object();
		json_object_set_new(known, "answers", answers);
	}
	json_object_set_new(answers, step,
		json_pack(
			"{s:i, s:i}", "tries", before.tries + 1, "hints", hints > before.hints ? hints : before.hints));
	progress->changed = true;
}

static void count_step(const struct progress *progress, const char *lesson, const struct step *step,
	struct lesson_progress_score *score)
{
	bool done = lesson_progress_answered(progress, lesson, step->id);
	struct lesson_progress_tries tries = lesson_progress_tries(progress, lesson, step->id);
	score->exercises += step->exercise.dir != NULL;
	score->solved += step->exercise.dir && done;
	if (step->question.kind == QUESTION_NONE)
		return;
	score->questions++;
	score->answered += done;
	score->at_once += done && tries.tries == 1 && tries.hints == 0;
	score->with_hints += done && tries.hints > 0;
}

struct lesson_progress_score lesson_progress_score(const struct progress *progress, const struct lesson *lesson)
{
	struct lesson_progress_score score = {0};
	for (int i = 0; i < lesson->n_steps; i++)
		count_step(progress, lesson->id, &lesson->steps[i], &score);
	return score;
}

bool lesson_progress_score_full(const struct lesson_progress_score *score)
{
	return score->answered == score->questions && score->solved == score->exercises;
}

bool lesson_progress_save(struct progress *progress, struct diag *diag)
{
	if (!progress->changed || progress->locked)
		return true;
	char *text = json_dumps(progress->root, JSON_INDENT(1));
	bool ok = text && file_write(progress->path, text, strlen(text), diag);
	free(text);
	progress->changed = progress->changed && !ok;
	return ok;
}
