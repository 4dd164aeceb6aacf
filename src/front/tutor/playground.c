#include "front/tutor/playground.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/portable.h"
#include "base/text.h"
#include "base/utf8.h"
#include "front/tutor/private.h"

/* --- expressions that are kept ------------------------------------------------------------------------------------ */

#define HISTORY_MAX ((size_t)1 << 16)

static bool is_one(const struct tutor_playground_tried *a, const struct tutor_playground_tried *b)
{
	return a->space == b->space && a->op == b->op && a->width == b->width && strcmp(a->text, b->text) == 0;
}

/* It is the latest from now on, wherever it was. */
static void remember_tried(struct tutor_playground *p, const struct tutor_playground_tried *tried)
{
	int to = 0;
	for (int i = 0; i < p->n_tried; i++)
		if (!is_one(&p->tried[i], tried))
			p->tried[to++] = p->tried[i];
	p->n_tried = to;
	if (p->n_tried == TUTOR_PLAYGROUND_KEPT_MAX) {
		memmove(p->tried, p->tried + 1, (size_t)(p->n_tried - 1) * sizeof *p->tried);
		p->n_tried--;
	}
	p->tried[p->n_tried++] = *tried;
	p->at_tried = p->n_tried;
}

static bool is_shown_text(const char *text)
{
	size_t len = strlen(text), n;
	for (size_t i = 0; i < len; i += n) {
		uint32_t ch;
		n = utf8_decode(text + i, len - i, &ch);
		if (utf8_invalid_byte(ch) >= 0 || !utf8_is_graphic(ch))
			return false;
	}
	return len > 0;
}

/* "shared ld 4 lane*33" */
static bool read_tried(const struct tutor_playground *p, const char *line, struct tutor_playground_tried *out)
{
	char space[16], op[16];
	int width, from = 0;
	*out = (struct tutor_playground_tried){.space = SPACE_GENERIC, .op = ACCESS_OPS_N};
	if (sscanf(line, "%15s %15s %2d %n", space, op, &width, &from) != 3 || !from || width < 1 || width > 16 ||
		(width & (width - 1)))
		return false;
	for (int s = SPACE_SHARED; s <= SPACE_CONST; s++)
		if (strcmp(space, warp_space_name((enum mem_space)s)) == 0)
			out->space = (enum mem_space)s;
	for (int o = 0; o < ACCESS_OPS_N; o++)
		if (strcmp(op, warp_op_name((enum access_op)o)) == 0)
			out->op = (enum access_op)o;
	bool ok = out->space != SPACE_GENERIC && out->op != ACCESS_OPS_N && strlen(line + from) < sizeof out->text &&
		is_shown_text(line + from) && (p->by.widths(out->space, out->op) & (uint32_t)width);
	out->width = (uint8_t)width;
	if (ok)
		strcpy(out->text, line + from);
	return ok;
}

/* --- the kernel and its file -------------------------------------------------------------------------------------- */

void tutor_playground_reload(struct tutor *tutor)
{
	struct tutor_playground *p = tutor->playground;
	struct diag unheard = {0};
	struct buf text = {0};
	bool own = p->written != p->source.changes; /* what is being typed counts */
	if (!own && file_read_text(p->by.path, TUTOR_PLAYGROUND_SOURCE_MAX, &text, &unheard) &&
		(text.len != p->source.text.len || memcmp(buf_str(&text), buf_str(&p->source.text), text.len) != 0)) {
		int line = tutor_edit_line(&p->source), column = tutor_edit_column(&p->source);
		tutor_edit_set(&p->source, buf_str(&text), text.len);
		tutor_edit_go(&p->source, line, column);
		p->written = p->seen = p->source.changes;
	}
	buf_free(&text);
	diag_free(&unheard);
}

bool tutor_playground_follows(const struct tutor *tutor)
{
	return tutor->playground->kind == PLAYGROUND_KERNEL && tutor->playground->loaded;
}

/* nvcc has no column; below the message it prints the line, and below that a ^. -1: it does not. */
static int caret_column(const struct tutor_edit *source, int line, const char *message)
{
	const char *shown = strchr(message, '\n'), *below = shown ? strchr(shown + 1, '\n') : NULL;
	size_t len, indent, own;
	const char *text = tutor_edit_text_of(source, line - 1, &len);
	if (!below || !text)
		return -1;
	shown++;
	indent = strspn(shown, " \t");
	own = strspn(text, " \t") < len ? strspn(text, " \t") : len;
	size_t n = (size_t)(below - shown) - indent, caret = strspn(below + 1, " ");
	if (below[1 + caret] != '^' || caret < indent || n > len - own || memcmp(shown + indent, text + own, n) != 0)
		return -1;
	return (int)(caret - indent + own);
}

/* "mine.cu:7:5: error: ..." of clang and of our parser, "mine.cu(7): error: ..." of nvcc: where the first one is. */
void tutor_playground_refused(struct tutor *tutor, const char *message)
{
	struct tutor_playground_fault *fault = &tutor->playground->fault;
	*fault = (struct tutor_playground_fault){.column = -1};
	if (!message) {
		if (!tutor->playground->seen_kernel)
			tutor_explore_first_view(tutor);
		tutor->playground->seen_kernel = true;
		return;
	}
	const char *name = path_last(tutor->playground->by.path), *at = message;
	size_t len = strlen(name);
	int line, column = 0;
	snprintf(fault->text, sizeof fault->text, "%s", message);
	while ((at = strstr(at, name)) != NULL) {
		at += len;
		if (sscanf(at, ":%9d:%9d", &line, &column) < 1 && sscanf(at, "(%9d)", &line) != 1)
			continue;
		const struct tutor_edit *source = &tutor->playground->source;
		int byte = column > 0 ? column - 1 : caret_column(source, line, at);
		fault->line = line;
		if (byte >= 0) {
			/* A byte of the line as a column of the screen. */
			size_t bytes, line_len;
			const char *text = tutor_edit_text_of(source, line - 1, &line_len);
			fault->column = 0;
			for (size_t i = 0; text && i < line_len && (int)i < byte; i += bytes)
				fault->column += tutor_edit_width(text + i, line_len - i, fault->column, &bytes);
		}
		fault->text[strcspn(fault->text, "\n")] = '\0';
		return;
	}
}

#define STILL_MS 350 /* keys have been still for so long: what was typed of a kernel is written */

/* --- what is tried ------------------------------------------------------------------------------------------------ */

static struct tutor_playground_tried present(const struct tutor_playground *p)
{
	struct tutor_playground_tried now = {p->access.space, p->access.op, p->access.width, ""};
	snprintf(now.text, sizeof now.text, "%s", buf_str(&p->expr.text));
	return now;
}

/* The least width that the op has in the space, or this one where it does. */
static uint8_t width_for(const struct tutor_playground *p, enum mem_space space, enum access_op op, uint8_t wanted)
{
	uint32_t widths = p->by.widths(space, op);
	if (widths & wanted)
		return wanted;
	return widths & 4 ? 4 : (uint8_t)(widths & -widths);
}

/* Shows the access of what is typed, or says what is wrong with it. */
static void understand(struct tutor *tutor)
{
	struct tutor_playground *p = tutor->playground;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct warp_access before = p->access, access = p->access;
	bool ok = p->by.read(p->by.ctx, arena, buf_str(&p->expr.text), &access, &diag);
	p->access = access;
	ok = ok && tutor_explore_remake(tutor, &diag);

	p->fault = (struct tutor_playground_fault){.column = -1};
	if (diag.count) {
		const struct diag_entry *e = &diag.entries[0];
		snprintf(p->fault.text, sizeof p->fault.text, "%s", e->message);
		p->fault.column = e->col - 1;
	}

	if (ok) {
		buf_clear(&p->explained);
		p->by.explain(p->by.ctx, &p->access, &p->explained);
	} else { /* space, op and width are chosen nevertheless */
		memcpy(p->access.address, before.address, sizeof before.address);
		p->access.active = before.active;
	}
	diag_free(&diag);
	arena_free(arena);
}

static struct lesson *make_shown(void *of, struct arena *arena, const struct buf *ptx, struct diag *diag)
{
	struct tutor_playground *p = of;
	if (p->kind == PLAYGROUND_ACCESS)
		return p->by.access(p->by.ctx, arena, &p->access, buf_str(&p->expr.text), diag);
	struct lesson *lesson = p->by.kernel(p->by.ctx, arena, ptx, diag);
	p->has_kernel |= lesson != NULL;
	return lesson;
}

bool tutor_playground_try(struct tutor *tutor, const struct tutor_playground_tried *tried)
{
	struct tutor_playground *p = tutor->playground;
	bool other = p->access.space != tried->space;
	p->access.space = tried->space;
	p->access.op = tried->op;
	p->access.width = width_for(p, tried->space, tried->op, tried->width);
	tutor_edit_set(&p->expr, tried->text, strlen(tried->text));
	understand(tutor);
	if (other && !p->fault.text[0])
		tutor_explore_first_view(tutor);
	return !p->fault.text[0];
}

/* --- what is kept ------------------------------------------------------------------------------------------------- */

bool tutor_playground_keep(struct tutor *tutor, struct diag *diag)
{
	struct tutor_playground *p = tutor->playground;
	if (p->kind == PLAYGROUND_ACCESS) {
		struct tutor_playground_tried now = present(p);
		if (p->fault.text[0] || !now.text[0])
			return true;
		if (p->n_tried && is_one(&p->tried[p->n_tried - 1], &now))
			return true;
		remember_tried(p, &now);

		struct buf text = {0};
		for (int i = 0; i < p->n_tried; i++)
			buf_printf(&text, "%s %s %d %s\n", warp_space_name(p->tried[i].space),
				warp_op_name(p->tried[i].op), p->tried[i].width, p->tried[i].text);
		bool ok = !p->by.history || file_write_private(p->by.history, buf_str(&text), text.len, diag);
		buf_free(&text);
		return ok;
	}
	if (!p->loaded || p->written == p->source.changes)
		return true;
	p->written = p->source.changes;
	if (!file_write(p->by.path, buf_str(&p->source.text), p->source.text.len, diag))
		return false;
	tutor_explore_poll(tutor);
	return true;
}

static void keep_or_report(struct tutor *tutor)
{
	struct diag diag = {0};
	char text[300];
	if (!tutor_playground_keep(tutor, &diag) && diag.count) {
		snprintf(text, sizeof text, _("It is not kept: %.250s."), diag.entries[0].message);
		tutor_notice(tutor, text);
	}
	diag_free(&diag);
}

void tutor_playground_turn(struct tutor *tutor, enum tutor_playground_kind kind)
{
	struct tutor_playground *p = tutor->playground;
	struct diag diag = {0};
	if (kind == p->kind)
		return;
	keep_or_report(tutor);

	if (kind == PLAYGROUND_KERNEL && !p->loaded) {
		/* From its file, which is made where it is missing. */
		struct buf text = {0};
		if (!p->by.path) {
			tutor_notice(tutor,
				_("There is no folder for a kernel of yours: neither XDG_DATA_HOME nor HOME is set."));
			return;
		}
		bool missing = !file_is_named(p->by.path);
		bool ok = !missing || file_write(p->by.path, p->by.begins_with, strlen(p->by.begins_with), &diag);
		ok = ok && file_read_text(p->by.path, TUTOR_PLAYGROUND_SOURCE_MAX, &text, &diag);
		if (ok) {
			tutor_edit_set(&p->source, buf_str(&text), text.len);
			p->written = p->seen = p->source.changes;
			p->loaded = true;
		} else {
			tutor_notice(
				tutor, diag.count ? diag.entries[0].message : _("The kernel's file cannot be read."));
		}
		buf_free(&text);
		if (!ok) {
			diag_free(&diag);
			return;
		}
	}

	p->kind = kind;
	tutor->private->rules.looks = kind == PLAYGROUND_KERNEL;
	p->typing = true;
	p->field = PLAYGROUND_EXPR;
	p->fault = (struct tutor_playground_fault){.column = -1};
	if (kind == PLAYGROUND_ACCESS)
		understand(tutor);
	else if (p->has_kernel)
		tutor_explore_remake(tutor, &diag);
	tutor_explore_first_view(tutor);
	if (kind == PLAYGROUND_KERNEL)
		tutor_explore_poll(tutor);
	diag_free(&diag);
}

/* --- typing ------------------------------------------------------------------------------------------------------- */

static struct tutor_edit *edited(struct tutor_playground *p)
{
	return p->kind == PLAYGROUND_ACCESS ? &p->expr : &p->source;
}

/* The text is another. */
static void take_typed(struct tutor *tutor)
{
	struct tutor_playground *p = tutor->playground;
	if (p->kind == PLAYGROUND_ACCESS) {
		p->field = PLAYGROUND_EXPR;
		p->at_tried = p->n_tried;
		understand(tutor);
	} else {
		p->changed_at = clock_ms();
		p->seen = p->source.changes;
	}
}

void tutor_playground_type(struct tutor *tutor, const char *text)
{
	struct tutor_playground *p = tutor->playground;
	struct tutor_edit *edit = edited(p);
	tutor_dismiss_notice(tutor);
	if (tutor_edit_type(edit, text, strlen(text)))
		take_typed(tutor);
	else if (edit->text.len + 4 > edit->most)
		tutor_notice(tutor, _("There is no room for more."));
}

void tutor_playground_paste(struct tutor *tutor, const char *text)
{
	struct tutor_playground *p = tutor->playground;
	bool room = edited(p)->text.len + strlen(text) <= edited(p)->most;
	tutor_dismiss_notice(tutor);
	p->typing = true;
	if (room && tutor_edit_type(edited(p), text, strlen(text)))
		take_typed(tutor);
	else if (!room)
		tutor_notice(tutor,
			p->kind == PLAYGROUND_ACCESS
				? _("What was pasted is too long for an expression; P turns to a kernel.")
				: _("What was pasted is too long."));
}

void tutor_playground_lines(struct tutor *tutor, int by)
{
	if (tutor->playground->kind == PLAYGROUND_KERNEL)
		tutor_edit_lines(&tutor->playground->source, by);
}

/* One of those tried, or, after the last, an empty one. */
static void bring_back(struct tutor *tutor, int by)
{
	struct tutor_playground *p = tutor->playground;
	int to = p->at_tried + by;
	if (p->at_tried == p->n_tried && by < 0) {
		struct tutor_playground_tried now = present(p);
		if (p->n_tried && is_one(&p->tried[p->n_tried - 1], &now))
			to--;
	}
	if (to < 0 || to > p->n_tried)
		return;
	struct tutor_playground_tried tried = present(p);
	if (to < p->n_tried)
		tried = p->tried[to];
	else
		tried.text[0] = '\0';
	tutor_playground_try(tutor, &tried);
	p->at_tried = to;
}

static const enum mem_space spaces[] = {SPACE_SHARED, SPACE_GLOBAL, SPACE_LOCAL, SPACE_CONST};
#define SPACES (int)(sizeof spaces / sizeof *spaces)

void tutor_playground_change(struct tutor *tutor, int by)
{
	struct tutor_playground *p = tutor->playground;
	enum mem_space space = p->access.space;
	if (p->kind != PLAYGROUND_ACCESS)
		return;
	struct warp_access *access = &p->access;
	switch (p->field) {
	case PLAYGROUND_SPACE: {
		int at = 0;
		while (at < SPACES - 1 && spaces[at] != access->space)
			at++;
		access->space = spaces[(at + by + SPACES) % SPACES];
		if (!p->by.widths(access->space, access->op))
			access->op = ACCESS_LOAD;
		break;
	}
	case PLAYGROUND_OP: {
		do
			access->op = (enum access_op)(((int)access->op + by + ACCESS_OPS_N) % ACCESS_OPS_N);
		while (!p->by.widths(access->space, access->op));
		break;
	}
	case PLAYGROUND_WIDTH: {
		uint32_t widths = p->by.widths(access->space, access->op);
		do
			access->width = by > 0 ? (uint8_t)(access->width >= 16 ? 1 : access->width * 2)
					       : (uint8_t)(access->width <= 1 ? 16 : access->width / 2);
		while (!(widths & access->width));
		break;
	}
	default: return;
	}
	p->access.width = width_for(p, p->access.space, p->access.op, p->access.width);
	understand(tutor);
	if (space != p->access.space)
		tutor_explore_first_view(tutor);
}

/* --- actions ------------------------------------------------------------------------------------------------------ */

static bool act_on_access(struct tutor *tutor, enum tutor_action action)
{
	struct tutor_playground *p = tutor->playground;
	int by = action == ACTION_TYPE_LEFT ? -1 : 1;
	switch (action) {
	case ACTION_TYPE_OLDER: bring_back(tutor, -1); return true;
	case ACTION_TYPE_NEWER: bring_back(tutor, 1); return true;
	case ACTION_TYPE_FIELD: p->field = (p->field + 1) % PLAYGROUND_FIELDS; return true;
	case ACTION_TYPE_KEEP:
		keep_or_report(tutor);
		if (p->fault.text[0])
			tutor_notice(tutor, _("It is faulty, and not kept."));
		return true;
	case ACTION_TYPE_LEFT:
	case ACTION_TYPE_RIGHT:
		if (p->field == PLAYGROUND_EXPR)
			return false;
		tutor_playground_change(tutor, by);
		return true;
	default: return false;
	}
}

bool tutor_playground_act(struct tutor *tutor, enum tutor_action action)
{
	struct tutor_playground *p = tutor->playground;
	switch (action) {
	case ACTION_TYPE_STOP:
		keep_or_report(tutor);
		p->typing = false;
		if (p->kind == PLAYGROUND_KERNEL && p->has_kernel && !p->fault.text[0])
			tutor_watch_line(tutor, tutor_edit_line(&p->source) + 1);
		return true;
	case ACTION_EDIT: p->typing = true; return true;
	case ACTION_PLAYGROUND:
		tutor_playground_turn(tutor, p->kind == PLAYGROUND_ACCESS ? PLAYGROUND_KERNEL : PLAYGROUND_ACCESS);
		return true;
	case ACTION_BACK:
		keep_or_report(tutor);
		p->left = true;
		return true;
	default: break;
	}
	if (!p->typing)
		return false;

	if ((p->kind == PLAYGROUND_ACCESS && act_on_access(tutor, action)))
		return true;
	struct tutor_edit *edit = edited(p);
	unsigned before = edit->changes;
	switch (action) {
	case ACTION_TYPE_LEFT: tutor_edit_left(edit); break;
	case ACTION_TYPE_RIGHT: tutor_edit_right(edit); break;
	case ACTION_TYPE_UP: tutor_edit_lines(edit, -1); break;
	case ACTION_TYPE_DOWN: tutor_edit_lines(edit, 1); break;
	case ACTION_TYPE_HOME: tutor_edit_home(edit); break;
	case ACTION_TYPE_END: tutor_edit_end(edit); break;
	case ACTION_TYPE_LINE: tutor_playground_type(tutor, "\n"); break;
	case ACTION_TYPE_TAB: tutor_playground_type(tutor, "\t"); break;
	case ACTION_TYPE_RUB_OUT: tutor_edit_rub_out(edit); break;
	case ACTION_TYPE_DELETE: tutor_edit_delete(edit); break;
	case ACTION_TYPE_UNDO:
		if (!tutor_edit_undo(edit))
			tutor_notice(tutor, _("There is nothing to take back."));
		break;
	case ACTION_TYPE_REDO: tutor_edit_redo(edit); break;
	default: return false;
	}
	if (edit->changes != before && action != ACTION_TYPE_LINE && action != ACTION_TYPE_TAB)
		take_typed(tutor);
	return true;
}

/* --- time --------------------------------------------------------------------------------------------------------- */

static bool is_unwritten(const struct tutor_playground *p)
{
	return p->kind == PLAYGROUND_KERNEL && p->written != p->source.changes;
}

bool tutor_playground_step(struct tutor *tutor)
{
	struct tutor_playground *p = tutor->playground;
	if (!p || !is_unwritten(p) || clock_ms() - p->changed_at < STILL_MS)
		return false;
	keep_or_report(tutor);
	return true;
}

int tutor_playground_timeout_ms(const struct tutor *tutor)
{
	const struct tutor_playground *p = tutor->playground;
	if (!p || !is_unwritten(p))
		return -1;
	double left = STILL_MS - (clock_ms() - p->changed_at);
	return left < 0 ? 0 : (int)left + 1;
}

/* --- life --------------------------------------------------------------------------------------------------------- */

void tutor_playground_free(struct tutor *tutor)
{
	struct tutor_playground *p = tutor->playground;
	struct diag unheard = {0};
	if (!p)
		return;
	if (tutor->at.lesson)
		tutor_playground_keep(tutor, &unheard);
	diag_free(&unheard);
	tutor_edit_free(&p->expr);
	tutor_edit_free(&p->source);
	buf_free(&p->explained);
	free(p->tried);
	free(p);
	tutor->playground = NULL;
}

/* The first access that can be shown, of those given. */
static bool find_first(struct tutor_playground *p, const struct tutor_playground_tried *first, struct diag *diag)
{
	struct arena *arena = arena_new();
	p->access = (struct warp_access){
		.space = first->space, .op = first->op, .width = width_for(p, first->space, first->op, first->width)};
	tutor_edit_set(&p->expr, first->text, strlen(first->text));
	bool ok = p->by.read(p->by.ctx, arena, first->text, &p->access, diag);
	arena_free(arena);
	return ok;
}

struct tutor *tutor_playground_new(const struct tutor_playground_by *by, const struct tutor_playground_tried *first,
	const char *gpu_spec, const char *worker, struct diag *diag)
{
	struct tutor_playground *p = base_calloc(1, sizeof *p);
	struct diag unheard = {0};
	struct buf none[EXPLORE_FILES_MAX] = {{0}};
	p->by = *by;
	p->typing = true;
	p->fault.column = -1;
	p->expr = (struct tutor_edit){.one_line = true, .most = TUTOR_PLAYGROUND_EXPR_MAX};
	p->source = (struct tutor_edit){.most = TUTOR_PLAYGROUND_SOURCE_MAX};

	/* What was tried before; a line that cannot be is left out. */
	struct buf text = {0};
	char line[TUTOR_PLAYGROUND_EXPR_MAX + 64];
	p->tried = base_calloc(TUTOR_PLAYGROUND_KEPT_MAX, sizeof *p->tried);
	if (p->by.history && file_exists(p->by.history) && file_read(p->by.history, HISTORY_MAX, &text, &unheard)) {
		for (const char *at = buf_str(&text); *at;) {
			size_t len = strcspn(at, "\n");
			struct tutor_playground_tried tried;
			snprintf(line, sizeof line, "%.*s", (int)(len < sizeof line ? len : sizeof line - 1), at);
			if (len < sizeof line && read_tried(p, line, &tried))
				remember_tried(p, &tried);
			at += len + (at[len] == '\n');
		}
	}
	buf_free(&text);

	struct tutor_explorer explorer = {.ctx = p,
		.paths = {by->path},
		.n_paths = 1,
		.compiler = by->compiler,
		.make = make_shown,
		.steps = by->steps,
		.cc = by->cc};
	explorer.trusts = true; /* an access reads what nobody wrote */
	bool last = !first && p->n_tried && find_first(p, &p->tried[p->n_tried - 1], &unheard);
	static const struct tutor_playground_tried plain = {SPACE_SHARED, ACCESS_LOAD, 4, "lane"};
	struct tutor *tutor = last ? tutor_explore(&explorer, none, gpu_spec, worker, &unheard) : NULL;
	if (!tutor && find_first(p, first ? first : &plain, diag))
		tutor = tutor_explore(&explorer, none, gpu_spec, worker, diag);
	diag_free(&unheard);
	if (!tutor) {
		struct tutor orphan = {.playground = p};
		tutor_playground_free(&orphan);
		return NULL;
	}
	tutor->playground = p;
	p->by.explain(p->by.ctx, &p->access, &p->explained);
	tutor_explore_again(tutor);
	return tutor;
}
