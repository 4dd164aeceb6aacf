/* Fuzz target of the reader's progress: the bytes are the file that is there at the start; after a line of dashes, what
 * another tutor has made of it by the time ours saves. What is said to be done is done afterwards, and the file that
 * was written is read again without a word. */
#include "config.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "course/lesson/lesson.h"

static char folder[4096];

static void remove_folder(void)
{
	rmdir(folder);
}

/* Of this process, below $TMPDIR; empty between inputs. */
static void make_folder(void)
{
	const char *tmp = getenv("TMPDIR");
	if (folder[0])
		return;
	snprintf(folder, sizeof folder, "%s/fuzz-progress-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(folder))
		abort();
	atexit(remove_folder);
}

static void empty_folder(void)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	while (dir && (entry = readdir(dir)) != NULL)
		if (entry->d_name[0] != '.')
			unlinkat(dirfd(dir), entry->d_name, 0);
	closedir(dir);
}

static void put_file(const char *bytes, size_t len)
{
	char path[sizeof folder + 32];
	snprintf(path, sizeof path, "%s/progress.json", folder);
	FILE *file = fopen(path, "w");
	if (!file || fwrite(bytes, 1, len, file) != len || fclose(file) != 0)
		abort();
}

static const char *const lessons[] = {"warps", "banks"};

static void look(const struct progress *progress)
{
	static struct step steps[] = {{.id = "one", .question = {.kind = QUESTION_NUMBER}},
		{.id = "two", .exercise = {.dir = "exercise"}}, {.id = "three"}};
	for (int i = 0; i < 2; i++) {
		struct lesson lesson = {.id = lessons[i], .steps = steps, .n_steps = 3};
		struct lesson_progress_score score = lesson_progress_score(progress, &lesson);
		if (score.questions != 1 || score.answered > 1 || score.at_once > score.answered ||
			score.exercises != 1 || score.solved > 1 || lesson_progress_step(progress, lessons[i]) < 0)
			abort();
		lesson_progress_visited_count(progress, lessons[i]);
	}
}

/* Whether it was said that progress is not kept this time. */
static bool not_kept(struct diag *diag)
{
	bool lost = false;
	for (size_t i = 0; i < diag->count; i++)
		lost |= strstr(diag->entries[i].message, "not kept") != NULL;
	if (diag->errors)
		abort();
	diag_free(diag);
	return lost;
}

static void check_saved(void)
{
	struct diag diag = {0};
	struct progress *progress = lesson_progress_load(folder, &diag);
	if (diag.count || !lesson_progress_visited(progress, "banks", "one") ||
		!lesson_progress_answered(progress, "banks", "one") ||
		lesson_progress_tries(progress, "banks", "one").tries < 1)
		abort();
	look(progress);
	lesson_progress_free(progress);
	diag_free(&diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char mark[] = "\n----\n";
	const char *bytes = (const char *)data;
	const char *other = memmem(bytes, size, mark, sizeof mark - 1);
	struct diag diag = {0};

	make_folder();
	put_file(bytes, other ? (size_t)(other - bytes) : size);
	struct progress *progress = lesson_progress_load(folder, &diag);
	bool lost = not_kept(&diag);
	look(progress);
	lesson_progress_visit(progress, "banks", 2, "one");
	lesson_progress_try(progress, "banks", "one", 1);
	lesson_progress_answer(progress, "banks", "one");
	lesson_progress_visit(progress, "warps", 0, "two");
	if (other)
		put_file(other + sizeof mark - 1, size - (size_t)(other - bytes) - (sizeof mark - 1));
	diag = (struct diag){0};
	if (!lesson_progress_save(progress, &diag))
		abort();
	lost |= not_kept(&diag);
	look(progress);
	lesson_progress_free(progress);
	if (!lost)
		check_saved();
	empty_folder();
	return 0;
}

#include "replay.h"
