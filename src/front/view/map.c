/* The memory of a program: what lies on which side, and what is copied between them. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "front/view/program.h"
#include "front/view/times.h"

#define MIDDLE 17 /* columns of the arrows between the two sides */
#define ROOMY_MIDDLE 28

/* --- what there is ------------------------------------------------------------------------------------------------ */

enum map_side { MAP_HOST, MAP_DEVICE, MAP_SIDES };

struct map_memory {
	int op; /* its allocation; -1: memory of the host that no call of CUDA has made */
	enum map_side side;
	bool freed;
};

/* A pair of memories, and what was copied between them. */
struct map_copies {
	int from, to; /* indices of memories */
	int n;
	uint64_t bytes;
	bool now; /* by the call that the moment has come to */
};

struct map_picture {
	const struct view_input *input;
	const struct hostlog *log;
	struct map_memory *memories;
	int n;
	struct map_copies *copies;
	int n_copies;
	int reached, at;
};

/* That of an allocation; of none, the host's own. */
static int memory_index(const struct map_picture *p, int op)
{
	int i = 0;
	while (i < p->n && p->memories[i].op != op)
		i++;
	return i < p->n ? i : -1;
}

static void add_memory(struct map_picture *p, int op, enum map_side side)
{
	if (memory_index(p, op) < 0)
		p->memories[p->n++] = (struct map_memory){.op = op, .side = side};
}

/* --- the picture -------------------------------------------------------------------------------------------------- */

/* By which arrows name it: a, b, ... */
static char letter_of(int index)
{
	return (char)(index < 26 ? 'a' + index : '?');
}

/* Rows of a side, one each; returns the row after them. */
static int draw_side(struct canvas *canvas, struct rect r, const struct map_picture *p, enum map_side side)
{
	static const char *const names[MAP_SIDES] = {"host", "GPU"};
	static const enum role roles[HOSTLOG_MEMORIES] = {[HOSTLOG_NO_MEMORY] = ROLE_WASTED,
		[HOSTLOG_PAGEABLE] = ROLE_WASTED,
		[HOSTLOG_PINNED] = ROLE_WAVE2,
		[HOSTLOG_MANAGED] = ROLE_WAVE3,
		[HOSTLOG_DEVICE] = ROLE_WAVE1};
	int row = r.row, end = r.row + r.rows;
	canvas_text(canvas, row++, r.col, ROLE_STRONG, names[side]);
	for (int i = 0; i < p->n; i++) {
		if (p->memories[i].side != side)
			continue;
		if (row == end - 1) {
			canvas_text(canvas, row++, r.col, ROLE_STRONG, "⋮ more");
			break;
		}

		struct rect line = {row++, r.col, 1, r.cols};
		const struct map_memory *m = &p->memories[i];
		const struct hostlog_op *op = m->op >= 0 ? &p->log->ops[m->op] : NULL;
		struct buf text = {0};
		enum hostlog_memory memory = op ? op->memory : HOSTLOG_PAGEABLE;

		/* "256 KiB pinned, line 24" */
		if (op) {
			view_program_bytes(op->bytes, &text);
			if (memory != HOSTLOG_DEVICE)
				buf_printf(&text, " %s", hostlog_memory_names[memory]);
			if (op->line)
				buf_printf(&text, ", line %d", op->line);
		} else {
			buf_puts(&text, "pageable");
		}
		if (m->freed) {
			buf_puts(&text, ", freed");
			canvas_text_fit(canvas, line, ROLE_DIM, buf_str(&text));
		} else {
			char letter[] = {letter_of((int)(m - p->memories)), '\0'};
			canvas_label(canvas, (struct rect){line.row, line.col, 1, 3}, roles[memory], letter);
			canvas_text_fit(canvas, (struct rect){line.row, line.col + 4, 1, line.cols - 4},
				m->op >= 0 && m->op == p->at ? ROLE_WATCHED : ROLE_TEXT, buf_str(&text));
		}
		buf_free(&text);
	}
	return row;
}

static void draw_map(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	const struct hostlog *log = input->program->log;
	struct map_picture p = {.input = input,
		.log = log,
		.memories = base_calloc((size_t)log->n_ops + 2, sizeof *p.memories),
		.copies = base_calloc((size_t)log->n_ops + 1, sizeof *p.copies),
		.reached = view_program_reached(input),
		.at = view_program_at(input)};
	struct view_notes notes = {.n = 0};
	int middle = rect.cols >= 90 ? ROOMY_MIDDLE : MIDDLE, side = (rect.cols - middle) / 2;

	for (int i = 0; i < p.reached; i++) {
		const struct hostlog_op *op = &p.log->ops[i];
		if (op->kind == HOSTLOG_ALLOC)
			add_memory(&p, i, op->memory == HOSTLOG_PINNED ? MAP_HOST : MAP_DEVICE);
		if (op->kind == HOSTLOG_COPY && (op->from < 0 || op->to < 0))
			add_memory(&p, -1, MAP_HOST);
		if (op->kind == HOSTLOG_COPY) {
			int from = memory_index(&p, op->from), to = memory_index(&p, op->to), k = 0;
			if (from >= 0 && to >= 0) {
				while (k < p.n_copies && (p.copies[k].from != from || p.copies[k].to != to))
					k++;
				if (k == p.n_copies)
					p.copies[p.n_copies++] = (struct map_copies){.from = from, .to = to};
				p.copies[k].n++;
				p.copies[k].bytes += op->bytes;
				p.copies[k].now |= i == p.at;
			}
		}
		int freed = op->kind == HOSTLOG_FREE && op->of >= 0 ? memory_index(&p, op->of) : -1;
		if (freed >= 0 && p.at >= 0) /* at the end all is freed, and is to be seen all the same */
			p.memories[freed].freed = true;
	}

	uint64_t bytes[MAP_SIDES] = {0}, held[HOSTLOG_MEMORIES] = {0};
	struct buf sums = {0};
	for (int i = 0; i < p.n_copies; i++)
		bytes[p.memories[p.copies[i].to].side] += p.memories[p.copies[i].from].side !=
				p.memories[p.copies[i].to].side
			? p.copies[i].bytes
			: 0;
	for (int i = 0; i < p.n; i++)
		if (p.memories[i].op >= 0 && !p.memories[i].freed)
			held[p.log->ops[p.memories[i].op].memory] += p.log->ops[p.memories[i].op].bytes;
	view_program_bytes(bytes[MAP_DEVICE], &sums);
	buf_puts(&sums, " copied to the GPU, ");
	view_program_bytes(bytes[MAP_HOST], &sums);
	buf_puts(&sums, " back");
	view_notes_add(&notes, ROLE_STRONG, "%s", buf_str(&sums));
	buf_clear(&sums);
	for (int m = HOSTLOG_PINNED; m < HOSTLOG_MEMORIES; m++)
		if (held[m]) {
			buf_puts(&sums, sums.len ? ", " : "");
			view_program_bytes(held[m], &sums);
			buf_printf(&sums, " %s", hostlog_memory_names[m]);
		}
	if (sums.len)
		view_notes_add(&notes, ROLE_TEXT, "memory: %s", buf_str(&sums));
	if (held[HOSTLOG_MANAGED])
		view_notes_add(&notes, ROLE_DIM, "managed memory moves by itself: no call copies it");
	buf_free(&sums);

	if (p.at >= 0) {
		struct buf text = {0};
		const struct hostlog_op *op = &p.log->ops[p.at];
		if (op->line)
			buf_printf(&text, "line %d: ", op->line);
		view_program_operation(p.log, op, &text);
		view_notes_add(&notes, ROLE_STRONG, "%s", buf_str(&text));
		buf_free(&text);
	}
	int used = view_notes_fit(&notes, rect.rows / 3, rect.cols), rows = rect.rows - used - 1;
	int left = draw_side(canvas, (struct rect){rect.row, rect.col, rows, side - 1}, &p, MAP_HOST);
	int right = draw_side(
		canvas, (struct rect){rect.row, rect.col + rect.cols - side + 1, rows, side - 1}, &p, MAP_DEVICE);

	/* Copies between the sides have rows of their own, below each other, in the middle. */
	struct rect r = {rect.row + 1, rect.col + side, rows - 1, rect.cols - 2 * side};
	int links = r.row, end = r.row + r.rows;
	for (int i = 0; i < p.n_copies && links < end; i++) {
		const struct map_copies *c = &p.copies[i];
		const struct map_memory *from = &p.memories[c->from], *to = &p.memories[c->to];
		if (from->side == to->side)
			continue;

		/* "a──4 × 128 KiB──▸c" in a row between the sides: the letters of the memories at both ends. */
		struct rect link = {links++, r.col, 1, r.cols};
		struct buf text = {0};
		bool to_device = p.memories[c->to].side == MAP_DEVICE;
		enum role role = c->now ? ROLE_WATCHED : to_device ? ROLE_WAVE1 : ROLE_WAVE2;
		int last = link.col + link.cols - 1;
		canvas_hline(canvas, link.row, link.col + 1, link.cols - 2, role);
		canvas_put(canvas, link.row, link.col, (uint32_t)letter_of(to_device ? c->from : c->to), role);
		canvas_put(canvas, link.row, last, (uint32_t)letter_of(to_device ? c->to : c->from), role);
		if (to_device)
			canvas_put(canvas, link.row, last - 1, GLYPH_POINT_RIGHT, role);
		else
			canvas_put(canvas, link.row, link.col + 1, GLYPH_POINT_LEFT, role);
		if (c->n > 1)
			buf_printf(&text, "%d × ", c->n);
		view_program_bytes(c->bytes / (uint64_t)c->n, &text);
		int cols = utf8_columns(buf_str(&text));
		if (cols + 4 <= link.cols)
			canvas_text(canvas, link.row, link.col + (link.cols - cols) / 2,
				c->now ? ROLE_WATCHED : ROLE_TEXT, buf_str(&text));
		buf_free(&text);
	}

	int row = left > right ? left : right;
	row = links > row ? links : row;
	view_notes_draw(canvas, (struct rect){row + 1, rect.col, used, rect.cols}, &notes);
	free(p.memories);
	free(p.copies);
}

const struct view_drawer view_drawer_map = {.draw = draw_map,
	.lacks = view_program_lacks,
	.moments = view_program_moments,
	.describe = view_program_describe};
