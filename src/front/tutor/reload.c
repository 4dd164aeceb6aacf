#include "front/tutor/tutor.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/portable.h"
#include "base/text.h"
#include "front/tutor/private.h"

#define LOOK_MS 400
#define FILES_MAX 160 /* of a lesson, that are looked at */

struct seen {
	uint64_t texts, sources; /* of lesson.md and PTX; of kernels' sources */
};

struct kept_arena {
	struct arena *arena;
	struct kept_arena *next;
};

struct reload_work {
	const char *root;
	struct lesson_names names;
	const struct lesson *lesson; /* whose files were looked at; NULL: none was */
	bool may_change;
	double looked;
	struct seen seen, now; /* when it was read; at the last look */
	struct kept_arena *arenas;
};

void tutor_reload_begin(struct tutor *tutor, const struct paths *paths)
{
	struct tutor_private *p = tutor->private;
	p->reload = base_calloc(1, sizeof *p->reload);
	p->reload->root = arena_strdup(p->arena, paths->course ? paths->course : paths->data);
	p->reload->names = tutor_lesson_names;
	p->reload->names.shared = arena_strdup(p->arena, paths->data);
}

void tutor_reload_free(struct tutor *tutor)
{
	struct reload_work *r = tutor->private->reload;
	for (struct kept_arena *next; r && r->arenas; r->arenas = next) {
		next = r->arenas->next;
		arena_free(r->arenas->arena);
		free(r->arenas);
	}
	free(r);
	tutor->private->reload = NULL;
}

/* --- what is there ------------------------------------------------------------------------------------------------ */

/* Which version of the file it is. */
static uint64_t version_of(uint64_t hash, const char *path)
{
	struct stat now;
	if (stat(path, &now) != 0)
		return hash_step(hash, 1);
	hash = hash_step(hash_step(hash, (uint64_t)now.st_ino), (uint64_t)now.st_size);
	const struct timespec changed = portable_changed(&now);
	return hash_step(hash_step(hash, (uint64_t)changed.tv_sec), (uint64_t)changed.tv_nsec);
}

static struct seen poll_files(const struct lesson *lesson)
{
	struct seen seen = {version_of(0, lesson->path), 0};
	for (int i = 0; i < lesson->n_kernels && i < FILES_MAX; i++) {
		seen.texts = version_of(seen.texts, lesson->kernels[i]->ptx_path);
		seen.sources = version_of(seen.sources, lesson->kernels[i]->source_path);
	}
	return seen;
}

static bool is_as_seen(struct seen a, struct seen b)
{
	return a.texts == b.texts && a.sources == b.sources;
}

/* --- read again --------------------------------------------------------------------------------------------------- */

static int step_of(const struct lesson *lesson, const char *id, int otherwise)
{
	for (int i = 0; i < lesson->n_steps; i++)
		if (strcmp(lesson->steps[i].id, id) == 0)
			return i;
	return otherwise < lesson->n_steps ? otherwise : lesson->n_steps - 1;
}

static void read_again(struct tutor *tutor)
{
	struct reload_work *r = tutor->private->reload;
	const struct lesson *old = tutor->at.lesson;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct lesson *lesson = lesson_catalog_again(arena, r->root, old, &r->names, &diag);
	if (!lesson) {
		struct buf text = {0};
		const struct diag_entry *first = diag.count ? &diag.entries[0] : NULL;
		const char *name = first && first->file ? path_last(first->file) : "lesson.md";
		buf_printf(&text, _("The lesson as it is now cannot be read, and the one before is shown: "));
		buf_printf(&text, first && first->line > 0 ? "%s:%d: " : "%s: ", name, first ? first->line : 0);
		buf_puts(&text, first ? first->message : "?");
		tutor_notice(tutor, buf_str(&text));
		buf_free(&text);
		arena_free(arena);
	} else {
		struct kept_arena *kept = base_calloc(1, sizeof *kept);
		/* The lists of lessons and of filters may hold what is older. */
		*kept = (struct kept_arena){arena, r->arenas};
		r->arenas = kept;

		/* Shows `lesson` where the reader is in the one of the same id that is open. */
		const struct tutor_place place = tutor->at;
		const struct tutor_answer answer = tutor->answer;
		view_id view = tutor->shown.view;
		unsigned entered = tutor->events.steps_entered;
		size_t n = (size_t)old->n_parameters;
		int64_t *values = base_calloc(n + 1, sizeof *values);
		memcpy(values, place.values, n * sizeof *values);
		const char *id = old->steps[place.step].id;
		for (int i = 0; i < tutor->catalog->n_lessons; i++)
			if (tutor->catalog->lessons[i] == old)
				tutor->catalog->lessons[i] = lesson;
		tutor_begin_lesson(tutor, lesson);
		tutor_go_to_step(tutor, place.ending ? lesson->n_steps : step_of(lesson, id, place.step));
		bool same = !place.ending && strcmp(lesson->steps[tutor->at.step].id, id) == 0;
		if (same) {
			/* The values that the parameters of the old lesson had, of those that the step lets a reader
			 * change. */
			const struct step *step = tutor_step(tutor);
			for (int i = 0; step && step->has_experiment && i < lesson->n_parameters; i++)
				for (int k = 0; k < old->n_parameters && step->shown[i]; k++)
					if (strcmp(old->parameters[k].name, lesson->parameters[i].name) == 0 &&
						tutor_value_index(&lesson->parameters[i], values[k]) >= 0)
						tutor->at.values[i] = values[k];

			for (int i = 0; step && step->has_experiment && i < step->n_views; i++)
				if (view_find(step->views[i]) == view)
					tutor->shown.view = view;
			tutor_refresh(tutor);
			tutor->events.steps_entered = entered; /* the text stays where it was scrolled to */
		}
		const struct step *step = tutor_step(tutor);
		bool typing = same && step && answer.state == ANSWER_TYPING && tutor->answer.state == ANSWER_NONE;
		if (typing && tutor_can(tutor, ACTION_ANSWER)) {
			tutor_answer_begin(tutor);
			memcpy(tutor->answer.text, answer.text, sizeof answer.text);
			tutor->answer.hints_shown = answer.hints_shown;
		}
		free(values);

		r->lesson = lesson;
		tutor_notice(tutor, _("The lesson has changed, and was read again."));
	}
	diag_free(&diag);
}

/* --- from time to time -------------------------------------------------------------------------------------------- */

static bool follows(const struct tutor *tutor)
{
	return tutor->private->reload && tutor->at.mode == TUTOR_LESSON && tutor->at.lesson && !tutor->explored &&
		!tutor->presented;
}

bool tutor_reload_step(struct tutor *tutor)
{
	struct reload_work *r = tutor->private->reload;
	if (!follows(tutor))
		return false;
	if (r->lesson != tutor->at.lesson) {
		r->lesson = tutor->at.lesson;
		r->may_change = access(r->lesson->path, W_OK) == 0;
		r->looked = clock_ms();
		r->seen = r->now = poll_files(r->lesson);
	}
	if (!r->may_change || clock_ms() - r->looked < LOOK_MS)
		return false;
	struct seen before = r->now;
	r->looked = clock_ms();
	r->now = poll_files(r->lesson);
	if (is_as_seen(r->now, r->seen) || !is_as_seen(r->now, before))
		return false;
	bool texts = r->now.texts != r->seen.texts;
	r->seen = r->now;
	if (texts)
		read_again(tutor);
	else
		tutor_notice(tutor,
			_("A kernel's source has changed: `simttutor lesson build` makes its PTX, which is read then."));
	if (texts)
		r->seen = r->now = poll_files(r->lesson);
	return true;
}

int tutor_reload_timeout_ms(const struct tutor *tutor)
{
	const struct reload_work *r = tutor->private->reload;
	return follows(tutor) && (r->lesson != tutor->at.lesson || r->may_change) ? LOOK_MS : -1;
}
