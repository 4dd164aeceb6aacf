#include "course/lesson/lesson.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/portable.h"

/* The file, and the memory: {"format": 1, "lessons": {ID: {"step": N, "visited": [STEP...], "answered": [STEP...],
 * "answers": {STEP: {"tries": N, "hints": N, "looked": true}}}}}. The last may be missing, and "looked" in it.
 * Keys this version does not know are kept. */

#define FORMAT 1
#define FILE_MAX ((size_t)4 << 20)
#define ASIDE_MAX 100 /* damaged files that are kept */
#define LOCK_WAIT_MS 2000.0
#define LOCK_LOOK_NS 10000000

struct progress {
	char *path;
	json_t *root;
	json_t *base; /* what the file had when it was last read or written */
	bool changed;
	bool is_new; /* there was no file */
	bool locked; /* the file is not ours to write: made by a newer version, not readable, or another user's */
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

/* Gives the file another name, one that nothing has: an earlier damaged file may still be wanted. */
static bool rename_aside(const char *path, struct buf *aside)
{
	bool done = false;
	errno = EEXIST;
	for (int i = 1; !done && errno == EEXIST && i <= ASIDE_MAX; i++) {
		buf_clear(aside);
		buf_printf(aside, i == 1 ? "%s.bad" : "%s.bad.%d", path, i);
		done = file_rename_new(path, aside->data);
	}
	return done;
}

/* What the file has; NULL when there is none, and when it cannot be used. */
static json_t *read_root(struct progress *progress, struct diag *diag)
{
	struct diag faults = {0};
	struct buf text = {0};
	json_t *root = NULL;

	if (access(progress->path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR))
		return NULL;
	if (file_read_private(progress->path, FILE_MAX, &text, &faults)) {
		/* The JSON of the file's text; NULL, and the file kept aside, when it is damaged. */
		struct diag_pos pos = {.file = progress->path};
		json_error_t error;
		json_t *parsed = json_loadb(buf_str(&text), text.len, JSON_REJECT_DUPLICATES, &error);
		const char *why = parsed ? fault_of(parsed) : error.text;
		root = why ? NULL : parsed;
		if (why) {
			if (!parsed) {
				pos.line = error.line;
				pos.col = error.column;
			}

			struct buf aside = {0};
			progress->locked = !rename_aside(progress->path, &aside);
			if (!progress->locked)
				diag_warn(diag, pos, "damaged (%s); kept as %s, progress starts anew", why, aside.data);
			else
				diag_warn(diag, pos,
					"damaged (%s), and it cannot be renamed: %s; progress is not kept this time",
					why, strerror(errno));
			buf_free(&aside);

			json_decref(parsed);
		}
	} else {
		progress->locked = true;
		diag_warn(diag, (struct diag_pos){.file = progress->path}, "%s; progress is not kept this time",
			faults.count ? faults.entries[0].message : "cannot be read");
	}
	buf_free(&text);
	diag_free(&faults);
	json_int_t format = json_integer_value(json_object_get(root, "format"));
	if (format > FORMAT) {
		diag_warn(diag, (struct diag_pos){.file = progress->path},
			"written by a newer simttutor (format %" JSON_INTEGER_FORMAT
			"); it is left alone and progress is not "
			"kept this time",
			format);
		json_decref(root);
		root = NULL;
		progress->locked = true;
	}
	return root;
}

struct progress *lesson_progress_load(const char *state_dir, struct diag *diag)
{
	struct progress *progress = base_calloc(1, sizeof *progress);
	struct buf path = {0};

	progress->locked = !state_dir;
	buf_printf(&path, "%s/progress.json", state_dir ? state_dir : "");
	progress->path = buf_steal(&path);
	if (state_dir) {
		/* Only the reader may write in the folder, or others could exchange what is in it. */
		struct diag faults = {0};
		if (!file_make_folder_private(state_dir, &faults)) {
			progress->locked = true;
			diag_warn(diag, (struct diag_pos){.file = state_dir}, "%s; progress is not kept this time",
				faults.entries[0].message);
		}
		diag_free(&faults);
	}
	if (!progress->locked) {
		file_remove_leftovers(state_dir);
		progress->is_new = access(progress->path, F_OK) != 0;
		progress->root = read_root(progress, diag);
	}
	if (!progress->root)
		progress->root = json_pack("{s:i, s:{}}", "format", FORMAT, "lessons");
	progress->base = json_deep_copy(progress->root);
	return progress;
}

struct progress *lesson_progress_read(const char *path, struct diag *diag)
{
	struct buf text = {0};
	struct diag faults = {0};
	json_error_t error;
	json_t *root = NULL;
	const char *why = NULL;
	if (!file_read(path, FILE_MAX, &text, &faults))
		why = faults.entries[0].message;
	else if (!(root = json_loadb(buf_str(&text), text.len, JSON_REJECT_DUPLICATES, &error)))
		why = error.text;
	else if (!(why = fault_of(root)) && json_integer_value(json_object_get(root, "format")) > FORMAT)
		why = "written by a newer simttutor";
	struct progress *progress = why ? NULL : base_calloc(1, sizeof *progress);
	if (why)
		diag_warn(diag, (struct diag_pos){.file = path}, "left out: %s", why);
	else
		*progress = (struct progress){.path = base_strdup(path),
			.root = json_incref(root),
			.base = json_deep_copy(root),
			.locked = true};
	json_decref(root);
	buf_free(&text);
	diag_free(&faults);
	return progress;
}

void lesson_progress_free(struct progress *progress)
{
	if (!progress)
		return;
	json_decref(progress->root);
	json_decref(progress->base);
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

/* Adds it to one of a lesson's lists; false where it was. What the reader does here is ours from now on, even when it
 * had been done before: another tutor that takes the old one away does not take this. */
static bool do_progress(struct progress *progress, const char *lesson, const char *list, const char *step)
{
	json_t *base = json_object_get(json_object_get(json_object_get(progress->base, "lessons"), lesson), list);
	for (size_t i = json_array_size(base); i-- > 0;) {
		const char *id = json_string_value(json_array_get(base, i));
		if (id && !strcmp(id, step))
			json_array_remove(base, i);
	}
	return add_progress(json_object_get(find_or_add(progress, lesson), list), step);
}

void lesson_progress_visit(struct progress *progress, const char *lesson, int index, const char *step)
{
	json_t *known = find_or_add(progress, lesson);
	bool moved = !known || lesson_progress_step(progress, lesson) != index;
	if (moved)
		json_object_set_new(known, "step", json_integer(index));
	progress->changed = do_progress(progress, lesson, "visited", step) || moved || progress->changed;
}

void lesson_progress_answer(struct progress *progress, const char *lesson, const char *step)
{
	progress->changed = do_progress(progress, lesson, "answered", step) || progress->changed;
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
	return (struct lesson_progress_tries){
		count_of(answer, "tries"), count_of(answer, "hints"), json_is_true(json_object_get(answer, "looked"))};
}

/* Of one question: made, where there is none. */
static json_t *answer_of(struct progress *progress, const char *lesson, const char *step)
{
	json_t *known = find_or_add(progress, lesson), *answers = json_object_get(known, "answers");
	if (!json_is_object(answers)) {
		answers = json_object();
		json_object_set_new(known, "answers", answers);
	}
	json_t *answer = json_object_get(answers, step);
	if (!json_is_object(answer)) {
		answer = json_pack("{s:i, s:i}", "tries", 0, "hints", 0);
		json_object_set_new(answers, step, answer);
	}
	progress->changed = true;
	return answer;
}

void lesson_progress_try(struct progress *progress, const char *lesson, const char *step, int hints)
{
	struct lesson_progress_tries before = lesson_progress_tries(progress, lesson, step);
	json_t *answer = answer_of(progress, lesson, step);
	json_object_set_new(answer, "tries", json_integer(before.tries + 1));
	json_object_set_new(answer, "hints", json_integer(hints > before.hints ? hints : before.hints));
}

void lesson_progress_look(struct progress *progress, const char *lesson, const char *step)
{
	json_object_set_new(answer_of(progress, lesson, step), "looked", json_true());
}

void lesson_progress_forget(struct progress *progress, const char *lesson, const char *step)
{
	json_t *known = find_progress(progress, lesson);
	if (!known)
		return;
	progress->changed = true;
	if (step) {
		json_t *list = json_object_get(known, "answered");
		for (size_t i = json_array_size(list); i-- > 0;)
			if (strcmp(json_string_value(json_array_get(list, i)), step) == 0)
				json_array_remove(list, i);
		json_object_del(json_object_get(known, "answers"), step);
		return;
	}
	json_array_clear(json_object_get(known, "visited"));
	json_array_clear(json_object_get(known, "answered"));
	json_object_clear(json_object_get(known, "answers"));
	json_object_set_new(known, "step", json_integer(0));
}

bool lesson_progress_is_new(const struct progress *progress)
{
	return progress->is_new;
}

void lesson_progress_keep(struct progress *progress)
{
	progress->changed = true;
}

struct lesson_progress_score lesson_progress_score(const struct progress *progress, const struct lesson *lesson)
{
	struct lesson_progress_score score = {0};
	for (int i = 0; i < lesson->n_steps; i++) {
		const char *step_lesson = lesson->id;
		const struct step *step = &lesson->steps[i];
		bool done = lesson_progress_answered(progress, step_lesson, step->id);
		struct lesson_progress_tries tries = lesson_progress_tries(progress, step_lesson, step->id);
		score.exercises += step->exercise.dir != NULL;
		score.solved += step->exercise.dir && done;
		if (step->question.kind == QUESTION_NONE)
			continue;
		score.questions++;
		score.answered += done;
		score.at_once += done && tries.tries == 1 && tries.hints == 0 && !tries.looked;
		score.with_hints += done && tries.hints > 0;
		score.looked_up += done && tries.looked;
	}
	return score;
}

bool lesson_progress_score_full(const struct lesson_progress_score *score)
{
	return score->answered == score->questions && score->solved == score->exercises;
}

/* --- saving ------------------------------------------------------------------------------------------------------- */

/* Adds to `ours` what another tutor has written meanwhile: `theirs`, where `base` is what both began with. Lists become
 * the union of both, but for what we took away; of two values, ours counts if it is not the one that we began with,
 * since we write last. */
static void merge(json_t *ours, const json_t *base, json_t *theirs)
{
	const char *key;
	json_t *their, *our;
	void *next;
	json_object_foreach_safe(ours, next, key, our)
	{
		const json_t *was = json_object_get(base, key);
		if (was && !json_object_get(theirs, key) && json_equal(our, was))
			json_object_del(ours, key);
	}
	json_object_foreach(theirs, key, their)
	{
		const json_t *was = json_object_get(base, key);
		our = json_object_get(ours, key);
		if (json_is_object(our) && json_is_object(their)) {
			merge(our, was, their);
		} else if (json_is_array(our) && is_id_list(our) && is_id_list(their)) {
			/* What is in either list, but for what one of us took away from the one that both began with.
			 * */
			size_t i;
			json_t *item;
			for (i = json_array_size(our); i-- > 0;) {
				const char *id = json_string_value(json_array_get(our, i));
				if (has(was, id) && !has(their, id))
					json_array_remove(our, i);
			}
			json_array_foreach(their, i, item) if (!has(was, json_string_value(item)))
				add_progress(our, json_string_value(item));
		} else if ((!our && !was) || (our && was && json_equal(our, was))) {
			json_object_set(ours, key, their);
		}
	}
}

static bool write_merged(struct progress *progress, struct diag *diag)
{
	json_t *theirs = read_root(progress, diag);
	if (theirs && !json_equal(theirs, progress->base))
		merge(progress->root, progress->base, theirs);
	json_decref(theirs);
	if (progress->locked)
		return true;
	char *text = json_dumps(progress->root, JSON_INDENT(1));
	bool ok = text && file_write_private(progress->path, text, strlen(text), diag);
	free(text);
	if (ok) {
		json_decref(progress->base);
		progress->base = json_deep_copy(progress->root);
	}
	return ok;
}

bool lesson_progress_save(struct progress *progress, struct diag *diag)
{
	if (!progress->changed || progress->locked)
		return true;

	/* Keeps other tutors of the reader from writing meanwhile: -1 when the folder cannot be locked, which only
	 * loses something when two of them write at once. */
	const struct timespec pause = {.tv_nsec = LOCK_LOOK_NS};
	const char *slash = strrchr(progress->path, '/');
	struct buf folder = {0};
	buf_append(&folder, progress->path, (size_t)(slash + 1 - progress->path));
	file_make_parents(progress->path, 0700);
	int lock = open(folder.data, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	double start = clock_ms();
	while (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK &&
		clock_ms() - start < LOCK_WAIT_MS)
		nanosleep(&pause, NULL);
	buf_free(&folder);

	bool ok = write_merged(progress, diag);
	if (lock >= 0)
		close(lock);
	progress->changed = progress->changed && !ok;
	return ok;
}
