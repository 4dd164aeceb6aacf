/* `simttutor course launches`: what a worker for many readers may do for all alike (worker/share.h). */
#include "config.h"
#include "cmd/course_parts.h"

#include "cmd/cmd.h"
#include "experiment/lines.h"
#include "experiment/points.h"
#include "ptx/ptx.h"
#include "tutor/tutor.h"

void course_launches_needs(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	(void)needs, (void)args, (void)n;
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

int course_launches(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct buf out = {0};
	if (n)
		return cmd_usage(ctx, &cmd_course_entry,
			"launches takes no argument such as '%s'; --course names another course",
			args[0].option ? args[0].option->name : args[0].value);
	struct catalog *catalog = tutor_catalog_load(ctx->arena, &ctx->paths, &ctx->diag);
	bool ok = catalog != NULL;
	for (int i = 0; ok && i < catalog->n_lessons; i++)
		ok = write_lesson(ctx, catalog->lessons[i], &out);
	int status = !catalog ? EXIT_MISSING : ok && cmd_print(ctx, &out) ? EXIT_OK : EXIT_FAILED;
	buf_free(&out);
	return status;
}
