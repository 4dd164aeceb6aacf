#include "experiment/program.h"

#include <string.h>

#include "experiment/recorded.h"

static void split_lines(struct arena *arena, struct program *program)
{
	const char *text = program->file->source_text, *end = text + program->file->source_len;
	int n = 0;
	for (const char *p = text; p < end; p++)
		n += *p == '\n';
	program->line_texts = arena_array(arena, const char *, (size_t)n + 1);
	while (text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		size_t len = (size_t)((stop ? stop : end) - text);
		program->line_texts[program->n_lines++] = arena_strndup(arena, text, len);
		text += len + 1;
	}
}

struct program *program_new(struct arena *arena, const struct kernel_file *file)
{
	struct program *program = arena_alloc(arena, sizeof *program);
	program->file = file;
	split_lines(arena, program);
	program->module = ptx_parse(arena, file->ptx_path, file->ptx_text, file->ptx_len, &program->problems);
	recorded_fingerprint(file->ptx_text, file->ptx_len, program->fingerprint);
	return program;
}

void program_free_problems(struct program *program)
{
	if (program)
		diag_free(&program->problems);
}
