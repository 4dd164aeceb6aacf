#include "course/experiment/recordings.h"

#include <string.h>

#include "model/probe/probe.h"
#include "model/profile/profile.h"

const char *const experiment_line_metrics[LINE_COUNTS] = {
#define LINE_COUNT(id, name, hw, trust, meaning) [LINE_COUNT_##id] = hw,
#include "model/hardware/linecounts.def"
#undef LINE_COUNT
};

static const char *write_ptx(struct arena *arena, const struct ptx_module *module, const char *file, struct diag *diag)
{
	const char *text = NULL;
	struct buf ptx = {0};
	if (probe_lines_write(arena, module, &(struct probe_lines_request){file, WIRE_LINE_NONE}, &ptx, diag))
		text = arena_strndup(arena, buf_str(&ptx), ptx.len);
	buf_free(&ptx);
	return text;
}

const char *experiment_ptx_for_lines(
	struct arena *arena, struct ptx_module *module, const char *kernel, struct diag *diag)
{
	const struct ptx_kernel *entry = ptx_find_kernel(module, kernel, diag);
	return entry ? write_ptx(arena, module, profile_file(entry), diag) : NULL;
}

const char *experiment_ptx_for_code(
	struct arena *arena, struct ptx_module *module, const char *kernel, struct diag *diag)
{
	return ptx_find_kernel(module, kernel, diag) ? write_ptx(arena, module, NULL, diag) : NULL;
}

struct wire_message experiment_lines_message(const char *ptx, const struct launch *launch)
{
	return (struct wire_message){
		.kind = WIRE_LINES,
		.lines = {.job = {ptx, strlen(ptx), *launch},
			.metrics = experiment_line_metrics,
			.n_metrics = LINE_COUNTS},
	};
}

struct wire_message experiment_code_message(const char *ptx, const struct launch *launch)
{
	static const enum line_count_id ids[] = {LINE_COUNT_INSTRUCTIONS, LINE_COUNT_THREADS,
		LINE_COUNT_GLOBAL_REQUESTS, LINE_COUNT_SECTORS, LINE_COUNT_SHARED_REQUESTS, LINE_COUNT_WAVEFRONTS};
	enum { N = sizeof ids / sizeof *ids };
	static const char *metrics[N];
	struct wire_message m = experiment_lines_message(ptx, launch);
	for (int i = 0; i < N; i++)
		metrics[i] = experiment_line_metrics[ids[i]];
	m.lines.metrics = metrics;
	m.lines.n_metrics = N;
	m.lines.instrs = true;
	return m;
}

struct wire_line_counts experiment_lines_of_instrs(const struct wire_line_counts *counts)
{
	struct wire_line_counts out = *counts;
	out.lines = counts->instrs;
	out.n_lines = counts->n_instrs;
	return out;
}

struct line_table experiment_lines_read(struct arena *arena, const struct wire_line_counts *counts)
{
	struct line_table table = {0};
	for (int i = 0; i < counts->n_lines; i++) {
		/* Numbers that the GPU does not have say so in each row. */
		const struct wire_line *line = &counts->lines[i];
		struct line_counts *out = &line_table_row(arena, &table, counts->lines[i].line)->counts;
		for (int j = 0; j < counts->n; j++) {
			enum line_count_id id = line_count_find(counts->metrics[j]);
			if (id != LINE_COUNTS)
				out->c[id] = counts->available[j] ? value_ok(line->values[j])
								  : value_missing(VALUE_UNSUPPORTED);
		}
	}
	return table;
}

struct value experiment_lines_wavefronts(const struct wire_line_counts *counts)
{
	struct arena *arena = arena_new();
	struct line_table table = experiment_lines_read(arena, counts);
	struct value all = line_table_shared_wavefronts(&table);
	arena_free(arena);
	return all;
}
