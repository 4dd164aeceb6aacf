#include "front/view/source.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "front/view/draw.h"
#include "machine/warp/warp.h"

enum source_count { COUNT_REQUESTS, COUNT_WAVEFRONTS, COUNT_SECTORS, COUNT_LANES };

/* What stands right of the text, and the columns of the whole view from which it does. Where lines were measured, what
 * was is beside it; how many lanes are active depends on which instructions the compiler left, so that is not
 * compared. */
static const struct source_column {
	const char *narrow, *wide; /* the title of the first may be wider than its column */
	int width_narrow, width_wide, from;
	enum source_count count;
	struct value (*measured)(const struct line_counts *counts); /* NULL: not compared */
} columns[] = {
	{"", "requests", 0, 9, 100, COUNT_REQUESTS, line_counts_requests},
	{"wavefronts", "wavefronts", 5, 11, 0, COUNT_WAVEFRONTS, line_counts_wavefronts},
	{"sect", "sectors", 5, 8, 0, COUNT_SECTORS, line_counts_sectors},
	{"lane", "lanes", 5, 6, 42, COUNT_LANES, NULL},
};
#define COLUMNS ((int)(sizeof columns / sizeof *columns))

/* Where there is room, model and measurement have a column each; elsewhere both share one: "2=2", or "=2" where there
 * is little. */
enum source_part { PART_MODEL, PART_MEASURED, PART_BOTH, PART_TERSE };

struct source_slot {
	const struct source_column *column;
	enum source_part part;
	const char *title;
	int width; /* with the blank before */
};

struct source_layout {
	struct source_slot slots[2 * COLUMNS];
	int n, width;
};

#define WIDE 70

static const char *source_lacks(const struct view_input *input)
{
	return input->source->n_lines > 0 ? NULL : "There is no source to show.";
}

/* --- the numbers -------------------------------------------------------------------------------------------------- */

static void format_value(const struct source_column *column, struct value value, const char *missing, struct buf *out)
{
	if (value.state == VALUE_OK && column->count == COUNT_REQUESTS)
		buf_printf(out, "%.0f", value.v);
	else if (value.state == VALUE_OK && column->count == COUNT_LANES)
		buf_printf(out, "%.3g", value.v); /* a mean of at most 32 in as few columns as "lane" has */
	else if (value.state == VALUE_OK)
		value_format(value.v, out);
	else
		buf_puts(out, missing);
}

static void slot_text(const struct view_source *source, const struct source_slot *slot,
	const struct view_source_line *line, struct buf *out)
{
	const struct source_column *column = slot->column;
	struct value model = value_missing(VALUE_NONE);
	switch (column->count) {
	case COUNT_REQUESTS: model = line->requests ? value_ok((double)line->requests) : model; break;
	case COUNT_WAVEFRONTS: model = line->wavefronts; break;
	case COUNT_SECTORS: model = line->sectors; break;
	case COUNT_LANES: model = line->active_lanes; break;
	}
	struct value measured = value_missing(VALUE_NONE);
	if (slot->part != PART_MODEL) {
		/* A line of which the compiler left no instruction has no counts. */
		const struct line_counts *counts = line_table_find(source->measured, line->line);
		measured = counts ? column->measured(counts) : value_missing(VALUE_NONE);
	}
	if (slot->part == PART_MODEL || (model.state != VALUE_OK && measured.state != VALUE_OK)) {
		format_value(column, model, "", out);
		return;
	}

	struct buf a = {0}, b = {0};
	format_value(column, model, "–", &a);
	format_value(column, measured, "–", &b);
	bool same = !strcmp(buf_str(&a), buf_str(&b));
	buf_free(&a);
	buf_free(&b);
	if (slot->part == PART_BOTH || (slot->part == PART_TERSE && !same))
		format_value(column, model, "–", out);
	buf_puts(out, same ? "=" : "≠");
	buf_puts(out, slot->part == PART_MEASURED ? " " : "");
	format_value(column, measured, "–", out);
}

/* A column that would stay empty takes no room. */
static void add_slot(struct source_layout *layout, const struct view_source *source, struct source_slot slot)
{
	int widest = 0;
	for (int i = 0; i < source->n_lines; i++) {
		struct buf text = {0};
		if (source->lines[i].executed)
			slot_text(source, &slot, &source->lines[i], &text);
		int cols = utf8_columns(buf_str(&text));
		widest = cols > widest ? cols : widest;
		buf_free(&text);
	}
	if (!widest)
		return;
	if (slot.width <= widest)
		slot.width = widest + 1;
	layout->slots[layout->n++] = slot;
	layout->width += slot.width;
}

/* `both`: what a column that is compared has where model and measurement share it; PART_MEASURED: each has its own. */
static struct source_layout lay_out(const struct view_source *source, int cols, enum source_part both)
{
	struct source_layout layout = {.n = 0};
	bool wide = both == PART_MEASURED;
	for (int i = 0; i < COLUMNS; i++) {
		const struct source_column *column = &columns[i];
		bool compared = column->measured && source->measured;
		struct source_slot slot = {column, compared && !wide ? both : PART_MODEL,
			wide ? column->wide : column->narrow, wide ? column->width_wide : column->width_narrow};
		if (cols < column->from || !slot.width)
			continue;
		add_slot(&layout, source, slot);
		const char *title = source->measured_by == WITNESS_LIVE ? "live" : "rec.";
		if (compared && wide)
			add_slot(&layout, source,
				(struct source_slot){column, PART_MEASURED, title, (int)strlen(title) + 1});
	}
	return layout;
}

static void code_text(const struct view_source_line *line, int stop, struct buf *out)
{
	const char *tabs_text = line->text;
	int col = 0;
	for (size_t len = strlen(tabs_text); len > 0;) {
		uint32_t ch;
		size_t n = utf8_decode(tabs_text, len, &ch);
		if (ch == '\t') {
			int blanks = stop - col % stop;
			buf_pad(out, ' ', blanks);
			col += blanks;
		} else {
			buf_append(out, tabs_text, n);
			col += utf8_width(ch);
		}
		tabs_text += n;
		len -= n;
	}

	size_t len = view_code_length(buf_str(out));
	if (len < out->len)
		out->data[out->len = len] = '\0';
}

/* Whether what runs is seen whole in `cols` columns; a function's head, which is not indented, may be cut. */
static bool code_fits(const struct view_source *source, int cols, int stop)
{
	for (int i = 0; i < source->n_lines; i++) {
		const struct view_source_line *line = &source->lines[i];
		if (!line->executed || !strchr(" \t", line->text[0]))
			continue;
		struct buf text = {0};
		code_text(line, stop, &text);
		char *comment = strstr(buf_str(&text), "//"); /* one at the end may be cut */
		if (comment)
			*comment = '\0';
		bool fits = utf8_columns(buf_str(&text)) <= cols;
		buf_free(&text);
		if (!fits)
			return false;
	}
	return true;
}

/* A comment at the end of the line is of less weight. */
static void draw_code(struct canvas *canvas, struct rect rect, const char *text, enum role role)
{
	canvas_text_fit(canvas, rect, role, text);
	const char *comment = strstr(text, "//");
	if (!comment)
		return;
	struct buf before = {0};
	buf_append(&before, text, (size_t)(comment - text));
	int at = utf8_columns(buf_str(&before));
	if (at < rect.cols)
		canvas_recolor(canvas, (struct rect){rect.row, rect.col + at, 1, rect.cols - at}, ROLE_DIM);
	buf_free(&before);
}

/* Where a line too long for `cols` columns is broken: after a blank, but not within the indentation, so that the rest
 * fits in as many columns; of such places the last one within the fewest brackets. 0: nowhere. */
static size_t break_at(const char *text, int cols)
{
	size_t found = 0, i = strspn(text, " ");
	int depth = 0, found_depth = 0, whole = utf8_columns(text);
	bool found_fits = false;
	for (int col = (int)i; text[i] && col < cols;) {
		uint32_t ch;
		i += utf8_decode(text + i, strlen(text + i), &ch);
		col += utf8_width(ch);
		depth += (ch == '(' || ch == '[') - (ch == ')' || ch == ']');
		bool fits = whole - col <= cols;
		if (ch == ' ' &&
			(found == 0 || (fits && !found_fits) || (fits == found_fits && depth <= found_depth))) {
			found = i;
			found_depth = depth;
			found_fits = fits;
		}
	}
	return found;
}

/* Where the line goes on in a second row: the watched one, and what else runs where that shows it whole; a function's
 * head, which is not indented, may be cut. 0: it does not. */
static size_t second_row_at(
	const struct view_source *source, const struct view_source_line *line, const char *text, int cols)
{
	bool watched = line->line == source->watched, runs = line->executed && strchr(" \t", line->text[0]);
	size_t at = (watched || runs) && utf8_columns(text) > cols ? break_at(text, cols) : 0;
	return watched || utf8_columns(text + at) <= cols ? at : 0;
}

/* Returns the rows taken. */
static int draw_line(struct canvas *canvas, struct rect rect, const char *text, size_t at, enum role role)
{
	if (at == 0 || rect.rows < 2) {
		draw_code(canvas, rect, text, role);
		return 1;
	}
	struct buf first = {0};
	buf_append(&first, text, at);
	draw_code(canvas, rect, buf_str(&first), role);
	buf_free(&first);
	int indent = (int)strspn(text, " ") + 2, most = rect.cols - utf8_columns(text + at);
	indent = indent < most ? indent : most > 0 ? most : 0;
	draw_code(canvas, (struct rect){rect.row + 1, rect.col + indent, 1, rect.cols - indent}, text + at, role);
	return 2;
}

/* What the columns say. */
static const char *legend(const struct view_source *source, const struct source_layout *layout, int cols)
{
	enum { ALL, LANES, SECTORS, SHORT, PARTS };
	static const char *const words[][PARTS] = {
		{"predicted: wavefronts and sectors per request, active lanes", "predicted, per request; active lanes",
			"predicted: sectors per request", "predicted, per request"},
		{"wavefronts and sectors per request: predicted = live; active lanes",
			"per request: predicted = live; lanes", "sectors per request: predicted = live",
			"per request: predicted = live"},
		{"wavefronts and sectors per request: predicted = recorded; active lanes",
			"per request: predicted = recorded; lanes", "sectors per request: predicted = recorded",
			"per request: predicted = recorded"},
	};
	int by = !source->measured ? 0 : source->measured_by == WITNESS_LIVE ? 1 : 2;
	const char *sectors = words[by][SECTORS];
	if (cols >= 42)
		return words[by][cols >= WIDE ? ALL : LANES];
	/* The one column of counts is that of sectors. */
	return layout->n == 1 && layout->slots[0].column->count == COUNT_SECTORS && utf8_columns(sectors) <= cols
		? sectors
		: words[by][SHORT];
}

/* Where everything is: the columns of the counts and of the code, and how far tabs go. */
struct source_fit {
	struct rect rect; /* less the bars, which are right of it */
	int bars, gutter, code, stop, rows;
	struct source_layout layout;
};

/* Beside the lines of the source: which share of the launch's wavefronts and sectors is theirs, and how many lanes are
 * active. */

#define BAR_COLS 12
#define PITCH (BAR_COLS + 3)
#define REST_MIN 96 /* columns for code and counts */

static double wavefronts(const struct view_source_line *line)
{
	return line->wavefronts.state == VALUE_OK ? line->wavefronts.v * (double)line->requests : 0;
}

static double sectors(const struct view_source_line *line)
{
	return line->sectors.state == VALUE_OK ? line->sectors.v * (double)line->requests : 0;
}

static double lanes(const struct view_source_line *line)
{
	return line->active_lanes.state == VALUE_OK ? line->active_lanes.v : 0;
}

static const struct {
	const char *title;
	enum role role;
	double (*of)(const struct view_source_line *line);
	double whole; /* 0: of all lines together */
} bars[] = {
	{"wavefronts", ROLE_SHARED, wavefronts, 0},
	{"sectors", ROLE_GLOBAL, sectors, 0},
	{"active lanes", ROLE_USED, lanes, WARP_SIZE},
};
#define BARS (sizeof bars / sizeof *bars)

static double sum_of_bar(const struct view_source *source, size_t bar)
{
	double sum = 0;
	for (int i = 0; i < source->n_lines; i++)
		sum += bars[bar].of(&source->lines[i]);
	return sum;
}

static struct source_fit fit_source(struct rect all, const struct view_input *input)
{
	const struct view_source *source = input->source;
	/* Rows for lines: the first has titles, the last explains the columns where there is one to spare. */
	struct source_fit f = {.rect = all, .rows = all.rows - 1 - (all.rows >= 8)};
	int digits = 1, shown = 0;
	for (int last = source->lines[source->n_lines - 1].line; last >= 10; last /= 10)
		digits++;
	f.gutter = (digits < 2 ? 2 : digits) + 3;

	/* Columns of the bars that have something to show, at the right; none where there is no room. */
	for (size_t i = 0; i < BARS; i++)
		shown += sum_of_bar(source, i) > 0;
	f.bars = input->roomy && all.cols - shown * PITCH >= REST_MIN ? shown * PITCH : 0;
	f.rect.cols -= f.bars;
	f.code = f.rect.cols - f.gutter - 1;
	/* Full words over the counts where they cost no code. */
	f.layout = lay_out(source, f.rect.cols, PART_MEASURED);
	if (f.rect.cols < WIDE || !code_fits(source, f.code - f.layout.width, 2))
		f.layout = lay_out(source, f.rect.cols, f.rect.cols < WIDE ? PART_TERSE : PART_BOTH);
	f.code -= f.layout.width;
	f.stop = code_fits(source, f.code, 4) ? 4 : 2;
	return f;
}

static int rows_of(const struct source_fit *f, const struct view_source *source, int i)
{
	struct buf text = {0};
	code_text(&source->lines[i], f->stop, &text);
	view_fit_head(&text, f->code);
	int rows = 1 + (second_row_at(source, &source->lines[i], buf_str(&text), f->code) > 0);
	buf_free(&text);
	return rows;
}

/* The first line shown, so that the watched one lies in the middle where it can. */
static int first_line(const struct source_fit *f, const struct view_source *source)
{
	int watched = 0, above = 0, below = 0;
	for (int i = 0; i < source->n_lines; i++)
		if (source->lines[i].line == source->watched)
			watched = i;
	int first = watched;
	for (int i = watched; i < source->n_lines && below < f->rows; i++)
		below += rows_of(f, source, i);
	int most = below < f->rows - f->rows / 2 ? f->rows - below : f->rows / 2, own = rows_of(f, source, watched);
	most = most < f->rows - own ? most : f->rows - own;
	while (first > 0 && above + rows_of(f, source, first - 1) <= most)
		above += rows_of(f, source, --first);
	return first;
}

static struct view_scroll source_scroll(struct rect rect, const struct view_input *input)
{
	const struct view_source *source = input->source;
	struct source_fit f = fit_source(rect, input);
	int first = first_line(&f, source), last = source->n_lines;
	for (int rows = 0; last > 0 && rows + rows_of(&f, source, last - 1) <= f.rows;)
		rows += rows_of(&f, source, --last);
	return (struct view_scroll){-first, last > first ? last - first : 0};
}

static void draw_source(struct canvas *canvas, struct rect all, const struct view_input *input)
{
	const struct view_source *source = input->source;
	struct source_fit f = fit_source(all, input);
	struct rect rect = f.rect;

	int right = rect.col + rect.cols, header_first = right;
	for (int i = f.layout.n - 1; i >= 0; i--) {
		const struct source_slot *slot = &f.layout.slots[i];
		header_first = right - utf8_columns(slot->title);
		canvas_text(canvas, rect.row, header_first, ROLE_DIM, slot->title);
		right -= slot->width;
	}
	right = header_first < right ? header_first : right;
	canvas_text_fit(canvas, (struct rect){rect.row, rect.col, 1, right - rect.col - 1}, ROLE_DIM,
		source->file ? source->file : "");

	if (f.bars) {
		/* Their titles, and a line's: in the last `cols` columns of a row. */
		int col = all.col + all.cols;
		for (size_t i = BARS; i-- > 0;) {
			if (sum_of_bar(source, i) > 0)
				canvas_text(canvas, all.row, (col -= PITCH) + 3, bars[i].role, bars[i].title);
		}
	}
	int row = rect.row + 1, end = row + f.rows, first = first_line(&f, source) + input->scroll;
	for (int i = first > 0 ? first : 0; row < end && i < source->n_lines; i++) {
		const struct view_source_line *line = &source->lines[i];
		bool watched = line->line == source->watched;
		struct rect text = {row, rect.col + f.gutter, end - row, f.code};
		struct buf words = {0};
		code_text(line, f.stop, &words);
		view_fit_head(&words, f.code);
		canvas_textf(canvas, row, rect.col, watched ? ROLE_WATCHED : ROLE_DIM, "%*d", f.gutter - 3, line->line);

		int counts_right = rect.col + rect.cols;
		for (int j = f.layout.n - 1; j >= 0 && line->executed; j--) {
			const struct source_slot *slot = &f.layout.slots[j];
			struct buf counts_text = {0};
			slot_text(source, slot, line, &counts_text);
			const char *count = buf_str(&counts_text);
			enum role role = slot->part == PART_MODEL     ? ROLE_MODEL
				: strstr(count, "≠")                  ? ROLE_BAD
				: source->measured_by == WITNESS_LIVE ? ROLE_LIVE
								      : ROLE_RECORDED;
			canvas_text_fit(canvas,
				(struct rect){row, counts_right - utf8_columns(count), 1, slot->width - 1}, role,
				count);
			buf_free(&counts_text);
			counts_right -= slot->width;
		}

		if (line->mark)
			canvas_put(canvas, row, rect.col + f.gutter - 1, line->mark, ROLE_WATCHED);
		if (f.bars) {
			int bars_col = all.col + all.cols;
			for (size_t j = BARS; j-- > 0;) {
				double sum = sum_of_bar(source, j), part = bars[j].of(line);
				if (sum <= 0)
					continue;
				bars_col -= PITCH;
				if (line->executed && part > 0)
					view_draw_bar(canvas, (struct rect){row, bars_col + 3, 1, BAR_COLS},
						bars[j].role,
						(uint64_t)(part / (bars[j].whole > 0 ? bars[j].whole : sum) * 1000 +
							0.5),
						1000);
			}
		}
		if (watched)
			canvas_put(canvas, row, rect.col + f.gutter - 2, GLYPH_POINT_RIGHT, ROLE_WATCHED);
		row += draw_line(canvas, text, buf_str(&words), second_row_at(source, line, buf_str(&words), f.code),
			watched                  ? ROLE_WATCHED
				: line->executed ? ROLE_TEXT
						 : ROLE_DIM);
		int cols = utf8_columns(buf_str(&words));
		view_spot_of(canvas, input,
			(struct rect){text.row, rect.col, row - text.row, f.gutter + (cols < f.code ? cols : f.code)},
			THING_LINE, line->line);
		buf_free(&words);
	}
	if (rect.rows >= 8)
		canvas_text_fit(canvas, (struct rect){rect.row + rect.rows - 1, rect.col, 1, rect.cols}, ROLE_DIM,
			legend(source, &f.layout, rect.cols));
}

static void describe_source(const struct view_input *input, struct buf *out)
{
	struct view_input each = *input;
	for (int i = 0; i < input->source->n_lines; i++) {
		const struct view_source_line *line = &input->source->lines[i];
		if (!line->executed)
			continue;
		each.picked = (struct view_pick){THING_LINE, line->line};
		view_describe_pick(&each, out);
		buf_puts(out, "\n  ");
		const char *text = line->text;
		while (*text == ' ' || *text == '\t')
			text++;
		buf_append(out, text, view_code_length(text));
		buf_putc(out, '\n');
	}
}

const struct view_drawer view_drawer_source = {.draw = draw_source,
	.lacks = source_lacks,
	.scroll = source_scroll,
	.describe = describe_source};
