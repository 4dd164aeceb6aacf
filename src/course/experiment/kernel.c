#include "config.h"
#include "course/experiment/experiment.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "course/experiment/private.h"
#include "course/experiment/recordings.h"

struct experiment_kernel *experiment_kernel_new(struct arena *arena, const struct kernel_file *file)
{
	struct experiment_kernel *kernel = arena_alloc(arena, sizeof *kernel);
	kernel->file = file;

	const char *text = kernel->file->source_text, *end = text + kernel->file->source_len;
	int n = 0;
	for (const char *p = text; p < end; p++)
		n += *p == '\n';
	kernel->line_texts = arena_array(arena, const char *, (size_t)n + 1);
	while (text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		size_t len = (size_t)((stop ? stop : end) - text);
		kernel->line_texts[kernel->n_lines++] = arena_strndup(arena, text, len);
		text += len + 1;
	}

	if (file->is_program) {
		experiment_fingerprint_source(file->source_text, file->source_len, kernel->fingerprint);
		return kernel;
	}
	kernel->module = ptx_parse(arena, file->ptx_path, file->ptx_text, file->ptx_len, &kernel->problems);
	experiment_fingerprint(file->ptx_text, file->ptx_len, kernel->fingerprint);
	return kernel;
}

void experiment_kernel_free_problems(struct experiment_kernel *kernel)
{
	if (kernel)
		diag_free(&kernel->problems);
}

const char *experiment_kernel_lines(struct arena *arena, struct experiment_kernel *kernel, const char *name)
{
	if (!kernel->module)
		return NULL;
	if (!kernel->lines_of || strcmp(kernel->lines_of, name) != 0) {
		kernel->lines_ptx = experiment_ptx_for_lines(arena, kernel->module, name, &kernel->problems);
		kernel->lines_of = arena_strdup(arena, name);
	}
	return kernel->lines_ptx;
}

/* What is known of one kernel; the set keeps it, since experiments that differ in a parameter's value share it. */
struct experiment_kernel_code {
	const struct experiment_kernel *of;
	const char *kernel;
	struct experiment_code code;
};

static struct experiment_code make_code(struct experiment *e, const char *kernel)
{
	struct experiments *set = e->set;
	const struct experiment_assembler *tool = &set->rules.assembler;
	const struct kernel_file *file = e->kernel->file;
	struct experiment_code code = {.witness = WITNESS_RECORDED};
	const char *why = NULL;
	code.listing = experiment_recordings_find_code(set->recorded, e->kernel->fingerprint, kernel, set->rules.cc);
	if (code.listing)
		return code;
	code.witness = WITNESS_NONE;
	code.why = _("No machine code is recorded for this kernel.");
	if (!tool->run)
		return code;
	const struct experiment_assembly what = {file->ptx_text, file->ptx_len, kernel, set->rules.cc};
	code.listing = tool->run(tool->of, set->arena, &what, &why);
	code.witness = code.listing ? WITNESS_LIVE : WITNESS_NONE;
	code.why = code.listing
		? NULL
		: arena_printf(set->arena,
			  _("No machine code is recorded for this kernel, and none can be made here: %s."), why);
	return code;
}

const struct experiment_code *experiment_code(struct experiment *e)
{
	static const struct experiment_code none = {.why = "There is no kernel."};
	struct experiments *set = e->set;
	struct diag unheard = {0};
	const char *kernel = e->launch && e->kernel->module
		? ptx_resolve_kernel(e->kernel->module, e->launch->kernel, &unheard)
		: NULL;
	diag_free(&unheard);
	if (!kernel)
		return &none;

	const struct experiment_kernel_code *known = NULL;
	for (int i = 0; i < set->n_codes; i++)
		if (set->codes[i]->of == e->kernel && strcmp(set->codes[i]->kernel, kernel) == 0) {
			known = set->codes[i];
			break;
		}

	if (known)
		return &known->code;
	const struct experiment_code code = make_code(e, kernel);
	struct experiment_kernel_code *at = arena_alloc(set->arena, sizeof *at);
	*vec_push_in(set->arena, set->codes, set->n_codes, set->cap_codes) = at;
	*at = (struct experiment_kernel_code){e->kernel, arena_strdup(set->arena, kernel), code};
	return &at->code;
}
