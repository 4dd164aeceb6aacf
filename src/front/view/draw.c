#include "front/view/draw.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "front/view/launch.h"
#include "front/view/views.h"

/* Copies the first line of `text` to `line` and returns where the next begins. A hard space, which keeps words
 * together, is drawn as a blank like any other. */
static const char *copy_line(const char *text, int cols, struct buf *line)
{
	size_t next, len = wrap_line(text, strlen(text), cols, WRAP_AT_BLANKS, &next);
	buf_clear(line);
	for (size_t i = 0, n; i < len; i += n) {
		uint32_t ch;
		n = utf8_decode(text + i, len - i, &ch);
		if (ch == GLYPH_SPACE_HARD)
			buf_putc(line, ' ');
		else
			buf_append(line, text + i, n);
	}
	return text + next;
}

static int draw_wrapped(struct canvas *canvas, struct rect rect, enum role role, const char *text)
{
	struct buf line = {0};
	int row = 0;
	for (; *text && row < rect.rows; row++) {
		const char *rest = text;
		text = copy_line(rest, rect.cols, &line);
		if (*text && row == rect.rows - 1) /* the last row takes the rest, cut with an ellipsis */
			text = copy_line(rest, INT_MAX, &line);
		canvas_text_fit(canvas, (struct rect){rect.row + row, rect.col, 1, rect.cols}, role, buf_str(&line));
	}
	buf_free(&line);
	return row;
}

void view_draw_sentence(struct canvas *canvas, struct rect rect, enum role role, const char *text)
{
	if (rect.rows > 0 && rect.cols > 0)
		draw_wrapped(canvas, rect, role, text);
}

bool view_offers(const struct view_input *input, view_id id)
{
	return !input->offered || input->offered >> id & 1;
}

const char *view_no_access(const struct view_input *input)
{
	if (!input->defects->n)
		return "The watched line accesses no memory.";
	return view_offers(input, VIEW_DEFECT)
		? "The watched line made no access here. A defect was found: see the view \"defect\"."
		: "The watched line made no access here. A defect was found.";
}

uint32_t view_lane_digit(int lane)
{
	return (uint32_t) "0123456789abcdefghijklmnopqrstuv"[lane & 31];
}

void view_draw_cell(struct canvas *canvas, struct rect rect, enum role ground, const char *text)
{
	int cols = utf8_columns(text), before = cols < rect.cols ? (rect.cols - cols) / 2 : 0;
	struct buf whole = {0};
	buf_printf(&whole, "%*s%s", before, "", text);
	for (int i = before + cols; i < rect.cols; i++)
		buf_putc(&whole, ' ');
	canvas_paint(canvas, rect, ground);
	canvas_label(canvas, (struct rect){rect.row, rect.col, 1, rect.cols}, ground, buf_str(&whole));
	buf_free(&whole);
}

void view_draw_bar(struct canvas *canvas, struct rect r, enum role role, uint64_t part, uint64_t whole)
{
	static const uint32_t glyphs[] = {0, GLYPH_LEFT_1, GLYPH_LEFT_2, GLYPH_LEFT_3, GLYPH_BLOCK_LEFT, GLYPH_LEFT_5,
		GLYPH_LEFT_6, GLYPH_LEFT_7};
	uint64_t eighths = whole ? (uint64_t)(unsigned)r.cols * 8 * (part < whole ? part : whole) / whole : 0;
	for (int i = 0; i < r.cols; i++) {
		if ((uint64_t)i < eighths / 8)
			canvas_paint(canvas, (struct rect){r.row, r.col + i, 1, 1}, role);
		else if ((uint64_t)i == eighths / 8 && eighths % 8)
			canvas_put(canvas, r.row, r.col + i, glyphs[eighths % 8], role);
		else
			canvas_put(canvas, r.row, r.col + i, GLYPH_MIDDLE_DOT, ROLE_IDLE);
	}
}

enum role view_wave_role(int index)
{
	return (enum role)(ROLE_WAVE1 + (index & 3));
}

size_t view_code_length(const char *line)
{
	const char *mark = strstr(line, "//@");
	size_t len = mark ? (size_t)(mark - line) : strlen(line);
	while (mark && len > 0 && (line[len - 1] == ' ' || line[len - 1] == '\t'))
		len--;
	return len;
}

void view_fit_head(struct buf *line, int cols)
{
	static const char linkage[] = "extern \"C\" ", global[] = "__global__ ";
	const char *rest = buf_str(line);
	if (utf8_columns(rest) <= cols || strncmp(rest, linkage, strlen(linkage)) != 0)
		return;
	rest += strlen(linkage);
	if (strncmp(rest, global, strlen(global)) == 0 && 1 + (int)strcspn(rest, "(") >= cols)
		rest += strlen(global);
	struct buf shorter = {0};
	buf_printf(&shorter, "…%s", rest);
	buf_free(line);
	*line = shorter;
}

void view_draw_code_row(struct canvas *canvas, struct rect row, const char *line)
{
	struct buf text = {0};
	line += strspn(line, " \t");
	buf_append(&text, line, view_code_length(line));
	view_fit_head(&text, row.cols);
	canvas_text_fit(canvas, row, ROLE_CODE, buf_str(&text));
	buf_free(&text);
}

const char *view_plural(int n)
{
	return n == 1 ? "" : "s";
}

void view_write_lanes(uint32_t lanes, int most, struct buf *out)
{
	if (!lanes)
		return;
	bool one = (lanes & (lanes - 1)) == 0;
	buf_puts(out, one ? "lane " : "lanes ");
	int ranges = 0;
	for (int first = 0; first < WARP_SIZE; first++) {
		if (!(lanes >> first & 1))
			continue;
		if (ranges++ == most) {
			buf_puts(out, ", …");
			return;
		}
		int last = first;
		while (last + 1 < WARP_SIZE && (lanes >> (last + 1) & 1))
			last++;
		/* Two neighbors read better as a list. */
		if (last == first + 1)
			last = first;
		buf_printf(out, ranges > 1 ? ", %d" : "%d", first);
		if (last > first)
			buf_printf(out, "–%d", last);
		first = last;
	}
}

void view_notes_add(struct view_notes *notes, enum role role, const char *format, ...)
{
	if (notes->n == VIEW_NOTES_MAX)
		return;
	va_list args;
	va_start(args, format);
	vsnprintf(notes->at[notes->n].text, sizeof notes->at[0].text, format, args);
	va_end(args);
	notes->at[notes->n++].role = role;
}

void view_notes_add_legend(struct view_notes *notes, uint32_t alone, const char *const *signs, int n)
{
	struct buf text = {0};
	if (alone >> 10)
		buf_puts(&text, "a–v: lanes 10–31");
	for (int i = 0; i < n; i++)
		if (*signs[i])
			buf_printf(&text, "%s%s", text.len ? "  " : "", signs[i]);
	if (text.len)
		view_notes_add(notes, ROLE_DIM, "%s", buf_str(&text));
	buf_free(&text);
}

int view_notes_fit(struct view_notes *notes, int rows, int cols)
{
	for (;;) {
		int need = 0;
		for (int i = 0; i < notes->n; i++) {
			const char *text = notes->at[i].text;
			size_t len = strlen(text), next;
			do {
				wrap_line(text, len, cols, WRAP_AT_BLANKS, &next);
				text += next;
				len -= next;
				need++;
			} while (len);
		}
		if (need <= rows || notes->n <= 1)
			return need < rows ? need : rows;
		notes->n--;
	}
}

void view_notes_draw(struct canvas *canvas, struct rect rect, const struct view_notes *notes)
{
	for (int i = 0; i < notes->n && rect.rows > 0; i++) {
		int taken = draw_wrapped(canvas, rect, notes->at[i].role, notes->at[i].text);
		rect.row += taken;
		rect.rows -= taken;
	}
}

void view_note_inactive(struct view_notes *notes, uint32_t active)
{
	if (active == UINT32_MAX)
		return;
	struct buf text = {0};
	view_write_lanes(~active, 4, &text);
	view_notes_add(notes, ROLE_DIM, "inactive: %s", buf_str(&text));
	buf_free(&text);
}

struct view_elision view_elide(int n, int rows)
{
	if (n <= rows)
		return (struct view_elision){n, 0, 0};
	if (rows <= 1)
		return (struct view_elision){0, n, 0};
	/* The last one shows its number, which says more than one more in the middle. */
	int tail = rows >= 3 ? 1 : 0;
	return (struct view_elision){rows - 1 - tail, n - (rows - 1), tail};
}

void view_cell_number(int number, int place, int pitch, char out[8])
{
	snprintf(out, 8, "%2d", number & 0xFFF);
	if (pitch < 3 && place % 2)
		out[0] = '\0';
}
