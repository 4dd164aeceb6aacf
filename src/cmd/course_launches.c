/* `simttutor course launches`: what a worker for many readers may do for all alike (gpu/worker/share.h). */
#include "config.h"
#include "cmd/course_parts.h"

#include "base/file.h"
#include "base/paths.h"
#include "cmd/cmd.h"
#include "course/experiment/lines.h"
#include "course/experiment/points.h"
#include "front/tutor/tutor.h"
#include "machine/ptx/ptx.h"

void course_launches_needs(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	for (int i = 0; i < n; i++)
		if (!args[i].option)
			cmd_needs_reading(needs, args[i].value);
}

/* The launch, of the PTX as it is and as its lines are counted. */
static bool write_point(struct arena *arena, const struct experiment_point *point, struct buf *out, struct diag *diag)
{
	const struct kernel_file *file = point->step->file;
	struct wire_message m = {.kind = WIRE_MEASURE, .id = 1};
	m.measure.job = (struct wire_job){file->ptx_text, file->ptx_len, *point->launch};
	wire_write(&m, out);
	struct ptx_module *module = ptx_parse(arena, file->ptx_path, file->ptx_text, file->ptx_len, diag);
	const char *ptx = module ? experiment_ptx_for_lines(arena, module, point->launch->kernel, diag) : NULL;
	if (!ptx)
		return false;
	m = experiment_lines_message(ptx, point->launch);
	m.id = 1;
	m.lines.n_metrics = 0;
	wire_write(&m, out);
	return true;
}

/* What a lesson expects to fault, or not to end, is nobody else's, and what comes after other launches no GPU's. */
static bool write_lesson(struct cmd_ctx *ctx, const struct lesson *lesson, struct buf *out)
{
	struct experiment_points points;
	struct arena *arena = arena_new();
	bool ok = experiment_points_of_lesson(arena, lesson, &points, &ctx->diag);
	for (int i = 0; ok && i < points.n; i++) {
		const struct experiment_point *point = &points.points[i];
		if (!launch_is_for_machine(point->launch) && !lesson_expects_defect(lesson, point->step, point->values))
			ok = write_point(arena, point, out, &ctx->diag);
	}
	arena_free(arena);
	return ok;
}

/* The lessons of a folder, or of the course that ships. */
static struct catalog *load_lessons(struct cmd_ctx *ctx, const char *folder)
{
	struct lesson_names names = tutor_lesson_names;
	names.shared = ctx->paths.data;
	if (!folder)
		return tutor_catalog_load(ctx->arena, &ctx->paths, &ctx->diag);
	if (file_is_named(path_join(ctx->arena, folder, "lessons")))
		return lesson_catalog_load(ctx->arena, folder, &names, &ctx->diag);
	diag_error(&ctx->diag, (struct diag_pos){.file = folder}, "this is no folder with lessons");
	return NULL;
}

int course_launches(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct buf out = {0};
	if (n > 1 || (n == 1 && args[0].option))
		return cmd_usage(ctx, &cmd_course_entry, "launches takes at most the folder of one course");
	struct catalog *catalog = load_lessons(ctx, n ? args[0].value : NULL);
	bool ok = catalog != NULL;
	for (int i = 0; ok && i < catalog->n_lessons; i++)
		ok = write_lesson(ctx, catalog->lessons[i], &out);
	int status = !catalog ? EXIT_MISSING : ok && cmd_print(ctx, &out) ? EXIT_OK : EXIT_FAILED;
	buf_free(&out);
	return status;
}
