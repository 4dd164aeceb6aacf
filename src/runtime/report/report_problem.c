/* What is wrong with a program: said as it is found, once, and kept for its end. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "machine/ptx/program.h"
#include "runtime/report/report_parts.h"
#include "runtime/stream/launch.h"

#define SOURCE_MAX ((size_t)16 << 20)
#define PROBLEMS_MAX 1024 /* that are known again */

static const struct {
	const char *name;
	bool serious;
} kinds[] = {
#define PROBLEM(id, name, serious) {name, serious},
#include "runtime/report/problems.def"
#undef PROBLEM
};

const char *report_kind_name(enum report_kind kind)
{
	return kinds[kind].name;
}

bool report_kind_counts(enum report_kind kind)
{
	return kinds[kind].serious || report_state()->strict;
}

/* --- lines of source ----------------------------------------------------------------------------------------------------- */

const char *report_base_name(const char *file)
{
	const char *slash = file ? strrchr(file, '/') : NULL;
	return slash ? slash + 1 : file;
}

/* The text of the file that was asked for last: they come many times in a row. */
const struct buf *report_source_text(const char *file)
{
	static struct buf text;
	static char *name;
	struct diag quiet = {0};
	if (name && strcmp(name, file) == 0)
		return &text;
	free(name);
	name = base_strdup(file);
	buf_clear(&text);
	if (!file_read_text(file, SOURCE_MAX, &text, &quiet))
		buf_clear(&text);
	diag_free(&quiet);
	return &text;
}

void report_put_source(const char *file, int line, struct buf *out)
{
	const struct buf *text = file && line > 0 ? report_source_text(file) : NULL;
	const char *at = text && text->len ? text->data : NULL, *end = at ? at + text->len : NULL;
	for (int i = 1; at && i < line; i++) {
		at = memchr(at, '\n', (size_t)(end - at));
		at = at ? at + 1 : NULL;
	}
	if (!at)
		return;
	const char *stop = memchr(at, '\n', (size_t)(end - at));
	size_t len = (size_t)((stop ? stop : end) - at);
	buf_append(out, at, len && at[len - 1] == '\r' ? len - 1 : len);
}

/* --- problems ------------------------------------------------------------------------------------------------------------- */

static bool is_same(const struct report_problem *p, const struct report_problem *q)
{
	if (p->kind != q->kind || p->line != q->line || strcmp(p->file, q->file) != 0)
		return false;
	if (p->kernel || q->kernel)
		return p->kernel == q->kernel && p->place.ptx_line == q->place.ptx_line;
	return p->line || strcmp(p->text, q->text) == 0;
}

/* The problem among those that are kept; NULL: it has been said before. */
static const struct report_problem *keep(const struct report_problem *new, const struct report_site *site)
{
	struct report *report = report_state();
	struct report_problem problem = *new;
	if (!report->on || !site || !report_site_line(site, problem.file, sizeof problem.file, &problem.line))
		problem.line = 0;
	for (int i = 0; i < report->n_problems && i < PROBLEMS_MAX; i++)
		if (is_same(&report->problems[i], &problem)) {
			report->problems[i].times++;
			return NULL;
		}
	struct report_problem *p = vec_push(report->problems, report->n_problems, report->problems_cap);
	*p = problem;
	p->text = arena_strdup(report->arena, problem.text);
	p->times = 1;
	return p;
}

static void say(const struct report_problem *p)
{
	if (p && p->line)
		runtime_say("%s:%d: %s", p->file, p->line, p->text);
	else if (p)
		runtime_say("%s", p->text);
}

void report_problem(struct runtime *r, enum report_kind kind, const struct report_site *site, const char *format, ...)
{
	(void)r;
	struct buf text = {0};
	va_list args;
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	say(keep(&(struct report_problem){.kind = kind, .text = buf_str(&text)}, site ? site : report_call()));
	buf_free(&text);
}

/* The kernel's line with its text, and then the host's. */
static void say_defect(const struct report_problem *p, const struct buf *launch, const char *message)
{
	struct diag diag = {0};
	char at[PTX_PLACE_TEXT];
	const struct ptx_place *place = &p->place;
	const struct buf *text = place->file && place->line ? report_source_text(place->file) : NULL;
	if (place->file && place->line)
		diag_error(&diag,
			(struct diag_pos){.file = report_base_name(place->file),
				.line = place->line,
				.text = text->len ? text->data : NULL,
				.text_len = text->len},
			"%s", message);
	else
		diag_error(&diag, (struct diag_pos){.file = ptx_place_text(place, at)}, "%s", message);
	diag_note(&diag, (struct diag_pos){.file = p->line ? p->file : NULL, .line = p->line}, "in %s%s",
		buf_str(launch), p->line ? ", launched here" : "");
	runtime_say_diag(&diag);
	diag_free(&diag);
}

void report_defect(struct runtime *r, const struct cuda_work *work, const struct ptx_place *place, const char *message)
{
	struct buf launch = {0}, text = {0};
	char at[PTX_PLACE_TEXT];
	(void)r;
	runtime_put_launch(work->launch.kernel, &work->launch.config, &launch);
	buf_printf(&text, "%s: %s: %s", buf_str(&launch), ptx_place_text(place, at), message);
	const struct report_problem *p = keep(&(struct report_problem){.kind = REPORT_DEFECT,
						      .text = buf_str(&text),
						      .kernel = work->launch.kernel->ptx,
						      .place = *place},
		work->site);
	if (p)
		say_defect(p, &launch, message);
	buf_free(&text);
	buf_free(&launch);
}
