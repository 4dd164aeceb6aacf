/* Pictures of a program: of what it asked for, by the report that it leaves as JSON in a file without a name. */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/portable.h"
#include "cmd/picture.h"
#include "cmd/program_parts.h"
#include "course/experiment/hostlog.h"

#define REPORT_MAX ((size_t)16 << 20)
#define SOURCE_MAX ((size_t)1 << 20)
#define COLS 100 /* where standard output is no terminal */
#define ROWS 40

static struct {
	int fd; /* of the report; 0: there is none */
	char path[32];
} report;

bool program_view_is(struct cmd_ctx *ctx, const char *name)
{
	return view_is_of(view_find(name), VIEW_OF_PROGRAM) ||
		cmd_bad_value(ctx, "--view", name, "streams, host or map");
}

const char *program_view_report(void)
{
	if (!report.fd)
		report.fd = portable_temporary_file();
	snprintf(report.path, sizeof report.path, "/dev/fd/%d", report.fd);
	return report.fd > 0 ? report.path : NULL;
}

static bool read_report(struct buf *out)
{
	char bytes[4096];
	ssize_t n;
	for (off_t at = 0; report.fd > 0 && out->len < REPORT_MAX; at += n) {
		n = pread(report.fd, bytes, sizeof bytes, at);
		if (n <= 0)
			break;
		buf_append(out, bytes, (size_t)n);
	}
	return out->len > 0;
}

/* The lines of the program's source, where it is one. */
static void take_source(struct cmd_ctx *ctx, const char *file, struct view_program *program)
{
	struct buf text = {0};
	struct diag quiet = {0};
	size_t n = strlen(file);
	if (n < 4 || strcmp(file + n - 3, ".cu") != 0 || !file_read_text(file, SOURCE_MAX, &text, &quiet)) {
		diag_free(&quiet);
		buf_free(&text);
		return;
	}
	const char *slash = strrchr(file, '/'), *at = buf_str(&text);
	const char **lines = arena_array(ctx->arena, const char *, text.len + 1);
	while (*at) {
		size_t len = strcspn(at, "\n");
		lines[program->n_lines++] = arena_strndup(ctx->arena, at, len);
		at += len + (at[len] == '\n');
	}
	program->lines = lines;
	program->file = slash ? slash + 1 : file;
	buf_free(&text);
	diag_free(&quiet);
}

static void fill_program(struct cmd_ctx *ctx, const char *file, struct view_program *out)
{
	struct buf text = {0};
	const char *why = NULL;
	out->why = "The program left no report: it was ended, or called _exit().";
	if (read_report(&text)) {
		json_t *json = json_loadb(text.data, text.len, 0, NULL);
		out->log = experiment_hostlog_read(ctx->arena, json, &why);
		json_decref(json);
	}
	buf_free(&text);
	out->to_scale = hostlog_costs_are_measured();
	take_source(ctx, file, out);
}

bool program_view_print(struct cmd_ctx *ctx, const char *file, const struct cmd_parsed *args, int n)
{
	struct buf out = {0};
	struct picture_page page = {ctx, COLS, picture_choose(ctx, PICTURE_DEFAULT), &out};
	struct view_input input = {.cc = 0};
	int rows = ROWS;
	fill_program(ctx, file, &input.program);
	picture_size(&page.cols, &rows);
	for (int i = 0; i < n; i++)
		if (cmd_is(&args[i], "view"))
			picture_view(&page, view_find(args[i].value), &input, rows < ROWS ? rows : ROWS);
	bool printed = cmd_print_colored(ctx, &out);
	buf_free(&out);
	return printed;
}
