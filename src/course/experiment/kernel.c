#include "course/experiment/kernel.h"

#include <string.h>

#include "course/experiment/lines.h"
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
