#include "front/tutor/exercise.h"

#include <string.h>

#include "base/file.h"
#include "base/paths.h"

static bool is_first(const struct lesson *lesson, const struct step *step)
{
	for (const struct step *s = lesson->steps; s < step; s++)
		if (s->exercise.dir)
			return false;
	return true;
}

const char *tutor_exercise_path(
	struct arena *arena, const char *dir, const struct lesson *lesson, const struct step *step)
{
	const char *name = is_first(lesson, step) ? arena_printf(arena, "%s.cu", lesson->id)
						  : arena_printf(arena, "%s-%s.cu", lesson->id, step->id);
	return path_join(arena, dir, name);
}

bool tutor_exercise_begin(const struct step *step, const char *path, struct diag *diag)
{
	const struct kernel_file *start = step->exercise.start;
	return file_exists(path) || file_create(path, start->source_text, start->source_len, diag);
}

struct kernel_file *tutor_exercise_file(
	struct arena *arena, const char *path, const struct buf *source, const struct buf *ptx)
{
	struct kernel_file *file = arena_alloc(arena, sizeof *file);
	const char *slash = strrchr(path, '/');
	*file = (struct kernel_file){
		.name = arena_strdup(arena, slash ? slash + 1 : path),
		.source_path = arena_strdup(arena, path),
		.ptx_path = arena_strdup(arena, path),
		.source_text = arena_strndup(arena, buf_str(source), source->len),
		.source_len = source->len,
		.ptx_text = arena_strndup(arena, buf_str(ptx), ptx->len),
		.ptx_len = ptx->len,
	};
	return file;
}
