/* The source of a program, with the call that is running, and what it has started: kernels beside it, and what goes
 * on. */
#include <stdio.h>
#include <string.h>

#include "front/view/program.h"
#include "front/view/times.h"

#define NUMBER 5  /* columns of a line's number and its sign */
#define NARROW 76 /* below this the kernel stands under the host */
#define GOING_ON 3

static const char *host_lacks(const struct view_input *input)
{
	const char *why = view_program_lacks(input);
	return why ? why : input->program->n_lines ? NULL : "The source of the program is not here.";
}

/* The line of the first `name` that follows a __global__, from 1; 0: it is in another file. */
static int line_of_kernel(const struct view_program *p, const char *name)
{
	char word[130];
	size_t len = strcspn(name, "<(");
	const char *colon = NULL;
	for (size_t i = 0; i + 1 < len; i++)
		if (name[i] == ':' && name[i + 1] == ':')
			colon = &name[i + 2];
	len -= colon ? (size_t)(colon - name) : 0;
	snprintf(word, sizeof word, "%.*s(", (int)(len < 120 ? len : 120), colon ? colon : name);
	for (int i = 0; i < p->n_lines; i++)
		if (strstr(p->lines[i], word) &&
			(strstr(p->lines[i], "__global__") || (i && strstr(p->lines[i - 1], "__global__"))))
			return i + 1;
	return 0;
}

/* A line of the source that is marked, and so many before it, as far as there are that many. */
struct host_lines {
	int marked, before;
	enum role role;
};

static void draw_lines_around(
	struct canvas *canvas, struct rect r, const struct view_program *p, const struct host_lines *l)
{
	int first = l->marked - l->before, most = p->n_lines - r.rows + 1;
	first = first > most ? most : first;
	first = first < 1 ? 1 : first;
	for (int i = 0; i < r.rows && first + i <= p->n_lines; i++) {
		int line = first + i, row = r.row + i;
		bool is = line == l->marked;
		canvas_textf(canvas, row, r.col, is ? l->role : ROLE_DIM, "%3d", line);
		if (is)
			canvas_put(canvas, row, r.col + 3, GLYPH_POINT_RIGHT, l->role);

		const char *code = p->lines[line - 1];
		struct buf text = {0};
		size_t len = view_code_length(code);
		for (size_t k = 0; k < len; k++)
			if (code[k] == '\t')
				buf_puts(&text, "  ");
			else
				buf_putc(&text, code[k]);
		canvas_text_fit(canvas, (struct rect){row, r.col + NUMBER, 1, r.cols - NUMBER},
			is ? l->role : ROLE_CODE, buf_str(&text));
		buf_free(&text);
	}
}

static void draw_host(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	const struct view_program *p = input->program;

	/* The last call up to the moment that has a line in the file; without a moment, the last that asks for work. */
	bool any = view_program_at(input) >= 0;
	int call = view_program_reached(input) - 1;
	for (; call >= 0; call--) {
		const struct hostlog_op *op = &p->log->ops[call];
		if (op->line > 0 && op->line <= p->n_lines && (any || hostlog_is_work(op)))
			break;
	}

	int kernel = call; /* the one that was launched last up to the call */
	while (kernel >= 0 && p->log->ops[kernel].kind != HOSTLOG_LAUNCH)
		kernel--;
	int line = kernel < 0 ? 0 : line_of_kernel(p, p->log->ops[kernel].name);
	struct view_notes notes = {.n = 0};
	if (call >= 0) {
		const struct hostlog_op *op = &input->program->log->ops[call];
		struct buf text = {0};
		if (op->line)
			buf_printf(&text, "line %d: ", op->line);
		view_program_operation(input->program->log, op, &text);
		buf_puts(&text, op->blocks ? "; the host waits" : "; the host goes on");
		view_notes_add(&notes, ROLE_STRONG, "%s", buf_str(&text));
		buf_free(&text);

		/* What streams do when the call has returned, the newest first; at most GOING_ON. */
		const struct hostlog *log = input->program->log;
		double now = log->ops[call].returned;
		int n = 0, more = 0;
		for (int i = call; i >= 0; i--) {
			const struct hostlog_op *work = &log->ops[i];
			if (!hostlog_is_work(work) || work->end <= now)
				continue;
			struct buf going = {0};
			more += n >= GOING_ON;
			if (n++ >= GOING_ON)
				continue;
			view_program_operation(log, work, &going);
			view_notes_add(&notes, work->begin <= now ? ROLE_TEXT : ROLE_DIM, "%s: %s",
				work->begin <= now ? "goes on" : "is to come", buf_str(&going));
			buf_free(&going);
		}
		if (more)
			view_notes_add(&notes, ROLE_DIM, "and %d more", more);
		if (!n)
			view_notes_add(&notes, ROLE_DIM, "nothing goes on on the GPU");
	}
	int used = view_notes_fit(&notes, rect.rows / 2, rect.cols), rows = rect.rows - used - 1;
	bool beside = line && rect.cols >= NARROW;
	struct rect host = {rect.row, rect.col, rows, rect.cols}, device = host;
	if (beside) {
		host.cols = rect.cols / 2 - 1;
		device = (struct rect){rect.row, rect.col + rect.cols / 2 + 1, rows, rect.cols - rect.cols / 2 - 1};
	}
	canvas_textf(canvas, host.row, host.col, ROLE_TITLE, "host: %s", p->file ? p->file : "");
	draw_lines_around(canvas, (struct rect){host.row + 1, host.col, host.rows - 1, host.cols}, p,
		&(struct host_lines){call < 0 ? 1 : p->log->ops[call].line, host.rows / 2, ROLE_WATCHED});
	if (beside) {
		canvas_textf(canvas, device.row, device.col, ROLE_TITLE, "GPU: %s", p->log->ops[kernel].name);
		draw_lines_around(canvas, (struct rect){device.row + 1, device.col, device.rows - 1, device.cols}, p,
			&(struct host_lines){line, 1, ROLE_WAVE4});
	}
	view_notes_draw(canvas, (struct rect){rect.row + rows + 1, rect.col, used, rect.cols}, &notes);
}

const struct view_drawer view_drawer_host = {.draw = draw_host,
	.lacks = host_lacks,
	.moments = view_program_moments,
	.describe = view_program_describe};
