/* The machine code of the kernels of lessons. */
#include "config.h"
#include "cmd/record_parts.h"

#include "base/utf8.h"
#include "course/experiment/timed.h"
#include "front/view/view.h"
#include "tools/compile/ptxas.h"

bool cmd_record_shows_code(const struct step *step)
{
	for (int i = 0; i < step->n_views; i++)
		if (view_is_of(view_find(step->views[i]), VIEW_OF_CODE))
			return true;
	return false;
}

/* NULL: none can be made here. */
static struct code_listing *make_code(struct recording *r, const struct experiment *e, const char *kernel, int cc)
{
	const struct kernel_file *file = e->kernel->file;
	struct buf ptx = {0};
	const char *why = NULL;
	if (r->model)
		return NULL;
	buf_append(&ptx, file->ptx_text, file->ptx_len);
	struct code_listing *listing = ptxas_listing(cmd_compile_ctx(r->ctx), &ptx, kernel, cc, &why);
	buf_free(&ptx);
	if (!listing && !r->uncoded) {
		r->uncoded = why;
		escape_line(&r->text, "  no machine code is stored: %s", why);
	}
	return listing;
}

void cmd_record_code(struct recording_lesson *l, struct experiment *e)
{
	struct recording *r = l->r;
	struct diag unheard = {0};
	const char *ptx = e->kernel->fingerprint;
	int cc = r->code || r->model ? MODEL_CC_DEFAULT : gpu_info(r->gpu)->cc;
	const char *kernel = e->launch && e->kernel->module
		? ptx_resolve_kernel(e->kernel->module, e->launch->kernel, &unheard)
		: NULL;
	diag_free(&unheard);
	if (!kernel || experiment_recordings_find_code(l->recorded, ptx, kernel, cc))
		return;
	struct code_listing *made = make_code(r, e, kernel, cc);
	const struct ptx_kernel *entry = made ? ptx_find_kernel(e->kernel->module, kernel, &r->ctx->diag) : NULL;
	if (entry && ptx_instr_count(entry))
		made->first_line = ptx_instr_place(entry, 0).ptx_line;
	const struct code_listing *listing = made ? made : experiment_recordings_find_code(l->before, ptx, kernel, cc);
	if (listing)
		experiment_recordings_put_code(l->recorded, ptx, kernel, listing);
	l->codes += made != NULL;
}

void cmd_record_code_point(struct recording_lesson *l, struct experiment *e)
{
	if (!e->launch || !e->kernel->module)
		return;
	l->kept += experiment_recordings_take(l->recorded, l->before, e->kernel->fingerprint, e->launch, NULL);
	cmd_record_code(l, e);
}

void cmd_record_code_exercise(struct recording_lesson *l, const struct lesson *lesson, const struct step *step)
{
	struct arena *arena = l->r->ctx->arena;
	int64_t *values = arena_array(arena, int64_t, (size_t)lesson->n_parameters + 1);
	for (int i = 0; i < lesson->n_parameters; i++)
		values[i] = lesson->parameters[i].initial;
	for (int side = 0; side < EXPERIMENT_SIDES; side++) {
		struct step copy = *step;
		copy.file = lesson_exercise_kernel(arena, step, experiment_side_kernels[side], &l->r->ctx->diag);
		if (!copy.file) {
			l->failures++;
			return;
		}
		cmd_record_code(l, experiment_open(l->set, &copy, values));
		experiments_forget(l->set, &copy);
	}
}
