#include "front/tutor/playground.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"

#define CHANGES_MAX 5000 /* that can be taken back; then the older half is forgotten */

/* In place of `removed`, `inserted` was put at `at`; the cursor was at `before`. */
struct tutor_edit_change {
	size_t at, before;
	struct buf removed, inserted;
};

/* --- characters --------------------------------------------------------------------------------------------------- */

static size_t first_bytes(const char *text, size_t len, uint32_t *ch)
{
	size_t n = utf8_decode(text, len, ch);
	uint32_t mark;
	while (n < len && *ch != '\n' && *ch != '\t') {
		size_t more = utf8_decode(text + n, len - n, &mark);
		if (utf8_invalid_byte(mark) >= 0 || utf8_width(mark) != 0)
			break;
		n += more;
	}
	return n;
}

int tutor_edit_width(const char *text, size_t len, int column, size_t *bytes)
{
	uint32_t ch;
	*bytes = first_bytes(text, len, &ch);
	if (ch == '\t')
		return TUTOR_EDIT_TAB - column % TUTOR_EDIT_TAB;
	int width = utf8_width(ch);
	return width > 0 ? width : 1; /* one that combines with nothing */
}

static const char *data_of(const struct tutor_edit *edit)
{
	return buf_str(&edit->text);
}

static size_t line_begin(const struct tutor_edit *edit, size_t at)
{
	const char *text = data_of(edit);
	while (at > 0 && text[at - 1] != '\n')
		at--;
	return at;
}

static size_t line_end(const struct tutor_edit *edit, size_t at)
{
	const char *text = data_of(edit);
	while (at < edit->text.len && text[at] != '\n')
		at++;
	return at;
}

/* The place of the character after, or before, this place. */
static size_t after(const struct tutor_edit *edit, size_t at)
{
	uint32_t ch;
	return at < edit->text.len ? at + first_bytes(data_of(edit) + at, edit->text.len - at, &ch) : at;
}

static size_t before(const struct tutor_edit *edit, size_t at)
{
	size_t from = line_begin(edit, at);
	if (from == at)
		return at > 0 ? at - 1 : 0;
	while (after(edit, from) < at)
		from = after(edit, from);
	return from;
}

/* --- changes ------------------------------------------------------------------------------------------------------ */

static void put(struct buf *text, size_t at, size_t gone, const char *with, size_t len)
{
	struct buf tail = {0};
	buf_append(&tail, buf_str(text) + at + gone, text->len - at - gone);
	text->len = at;
	buf_append(text, with, len);
	buf_append(text, buf_str(&tail), tail.len);
	buf_free(&tail);
}

static void free_changes(struct tutor_edit *edit, int from, int to)
{
	for (int i = from; i < to; i++) {
		buf_free(&edit->done[i].removed);
		buf_free(&edit->done[i].inserted);
	}
}

/* Room for one more: what was taken back is gone, and so is the older half where there are too many. */
static struct tutor_edit_change *next_change(struct tutor_edit *edit)
{
	free_changes(edit, edit->n_done, edit->n_made);
	edit->n_made = edit->n_done;
	if (edit->n_made == CHANGES_MAX) {
		int half = CHANGES_MAX / 2;
		free_changes(edit, 0, half);
		memmove(edit->done, edit->done + half, (size_t)(CHANGES_MAX - half) * sizeof *edit->done);
		edit->n_made -= half;
	}
	if (!edit->done)
		edit->done = base_calloc(CHANGES_MAX, sizeof *edit->done);
	struct tutor_edit_change *change = &edit->done[edit->n_made++];
	edit->n_done = edit->n_made;
	*change = (struct tutor_edit_change){0};
	return change;
}

static void change(struct tutor_edit *edit, size_t at, size_t gone, const char *with, size_t len)
{
	bool joins = edit->joins && !gone && edit->n_done > 0 && edit->n_done == edit->n_made;
	struct tutor_edit_change *c = joins ? &edit->done[edit->n_done - 1] : next_change(edit);
	if (!joins) {
		c->at = at;
		c->before = edit->at;
		buf_append(&c->removed, data_of(edit) + at, gone);
	}
	buf_append(&c->inserted, with, len);
	put(&edit->text, at, gone, with, len);
	edit->at = at + len;
	edit->wanted = 0;
	edit->changes++;
	edit->joins = false;
}

bool tutor_edit_undo(struct tutor_edit *edit)
{
	if (!edit->n_done)
		return false;
	const struct tutor_edit_change *c = &edit->done[--edit->n_done];
	put(&edit->text, c->at, c->inserted.len, buf_str(&c->removed), c->removed.len);
	edit->at = c->before;
	edit->wanted = 0;
	edit->joins = false;
	edit->changes++;
	return true;
}

bool tutor_edit_redo(struct tutor_edit *edit)
{
	if (edit->n_done == edit->n_made)
		return false;
	const struct tutor_edit_change *c = &edit->done[edit->n_done++];
	put(&edit->text, c->at, c->removed.len, buf_str(&c->inserted), c->inserted.len);
	edit->at = c->at + c->inserted.len;
	edit->wanted = 0;
	edit->joins = false;
	edit->changes++;
	return true;
}

void tutor_edit_set(struct tutor_edit *edit, const char *text, size_t len)
{
	free_changes(edit, 0, edit->n_made);
	edit->n_made = edit->n_done = 0;
	buf_clear(&edit->text);
	buf_append(&edit->text, text, len);
	edit->at = edit->one_line ? len : 0;
	edit->wanted = 0;
	edit->joins = false;
	edit->changes++;
}

void tutor_edit_free(struct tutor_edit *edit)
{
	free_changes(edit, 0, edit->n_made);
	free(edit->done);
	buf_free(&edit->text);
	*edit = (struct tutor_edit){.one_line = edit->one_line, .most = edit->most};
}

/* --- typing ------------------------------------------------------------------------------------------------------- */

bool tutor_edit_type(struct tutor_edit *edit, const char *text, size_t len)
{
	struct buf kept = {0};
	for (size_t i = 0, n; i < len; i += n) {
		uint32_t ch;
		n = utf8_decode(text + i, len - i, &ch);
		bool typed = ch == '\n' || ch == '\t' ? !edit->one_line
						      : utf8_invalid_byte(ch) < 0 && utf8_is_graphic(ch);
		if (typed)
			buf_append(&kept, text + i, n);
	}
	bool fits = kept.len > 0 && kept.len <= edit->most && edit->text.len <= edit->most - kept.len;
	if (fits) {
		bool word = kept.len == 1 && buf_str(&kept)[0] > ' ';
		edit->joins &= word;
		change(edit, edit->at, 0, buf_str(&kept), kept.len);
		edit->joins = word;
	}
	buf_free(&kept);
	return fits;
}

void tutor_edit_rub_out(struct tutor_edit *edit)
{
	size_t from = before(edit, edit->at);
	edit->joins = false;
	if (from < edit->at)
		change(edit, from, edit->at - from, "", 0);
}

void tutor_edit_delete(struct tutor_edit *edit)
{
	size_t to = after(edit, edit->at), at = edit->at;
	edit->joins = false;
	if (to > at)
		change(edit, at, to - at, "", 0);
}

/* --- the cursor --------------------------------------------------------------------------------------------------- */

static void move_to(struct tutor_edit *edit, size_t at)
{
	edit->at = at;
	edit->wanted = 0;
	edit->joins = false;
}

void tutor_edit_left(struct tutor_edit *edit)
{
	move_to(edit, before(edit, edit->at));
}

void tutor_edit_right(struct tutor_edit *edit)
{
	move_to(edit, after(edit, edit->at));
}

void tutor_edit_home(struct tutor_edit *edit)
{
	move_to(edit, line_begin(edit, edit->at));
}

void tutor_edit_end(struct tutor_edit *edit)
{
	move_to(edit, line_end(edit, edit->at));
}

int tutor_edit_line(const struct tutor_edit *edit)
{
	int line = 0;
	for (size_t i = 0; i < edit->at; i++)
		line += data_of(edit)[i] == '\n';
	return line;
}

int tutor_edit_count(const struct tutor_edit *edit)
{
	int lines = 1;
	for (size_t i = 0; i < edit->text.len; i++)
		lines += data_of(edit)[i] == '\n';
	return lines;
}

int tutor_edit_column(const struct tutor_edit *edit)
{
	const char *text = data_of(edit);
	int column = 0;
	for (size_t at = line_begin(edit, edit->at), bytes; at < edit->at; at += bytes)
		column += tutor_edit_width(text + at, edit->text.len - at, column, &bytes);
	return column;
}

const char *tutor_edit_text_of(const struct tutor_edit *edit, int line, size_t *len)
{
	size_t at = 0;
	*len = 0;
	for (; line > 0; line--) {
		at = line_end(edit, at);
		if (at == edit->text.len)
			return NULL;
		at++;
	}
	*len = line_end(edit, at) - at;
	return line < 0 ? NULL : data_of(edit) + at;
}

void tutor_edit_go(struct tutor_edit *edit, int line, int column)
{
	int last = tutor_edit_count(edit) - 1;
	size_t len, bytes = 0, n = 0;
	const char *text = tutor_edit_text_of(edit, line < 0 ? 0 : line > last ? last : line, &len);
	for (int at = 0; n < len; n += bytes) {
		at += tutor_edit_width(text + n, len - n, at, &bytes);
		if (at > column)
			break;
	}
	move_to(edit, (size_t)(text - data_of(edit)) + n);
}

void tutor_edit_lines(struct tutor_edit *edit, int by)
{
	int line = tutor_edit_line(edit), last = tutor_edit_count(edit) - 1, to = line + by;
	int column = edit->wanted ? edit->wanted - 1 : tutor_edit_column(edit);
	to = to < 0 ? 0 : to > last ? last : to;
	tutor_edit_go(edit, to, column);
	edit->wanted = column + 1;
}
