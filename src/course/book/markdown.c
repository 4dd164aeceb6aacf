/* Markdown as GitHub has it. What others wrote is escaped: no character of it begins a mark, a tag or a link. */
#include <string.h>

#include "base/utf8.h"
#include "course/book/writer.h"
#include "front/canvas/export.h"
#include "front/view/numbers.h"
#include "model/hardware/metrics.h"

static void escaped(struct book_writer *w, const char *text)
{
	struct buf shown = {0};
	escape_text(text, strlen(text), ESCAPE_LINE, &shown);
	for (const char *at = buf_str(&shown); *at; at++) {
		if (*at == '<' || *at == '>' || *at == '&')
			buf_puts(w->out, *at == '<' ? "&lt;" : *at == '>' ? "&gt;" : "&amp;");
		else if (strchr("\\`*_{}[]()#+-.!|~$", *at))
			buf_printf(w->out, "\\%c", *at);
		else
			buf_putc(w->out, *at);
	}
	buf_free(&shown);
}

/* More backquotes than any row of them in the text. */
static int fence_of(const char *text, int least)
{
	int longest = 0, n = 0;
	for (; *text; text++) {
		n = *text == '`' ? n + 1 : 0;
		longest = n > longest ? n : longest;
	}
	return longest + 1 > least ? longest + 1 : least;
}

static void fenced(struct book_writer *w, const char *text)
{
	int fence = fence_of(text, 3);
	size_t len = strlen(text);
	buf_pad(w->out, '`', fence);
	buf_puts(w->out, "text\n");
	escape_text(text, len, ESCAPE_BLOCK, w->out);
	buf_puts(w->out, len && text[len - 1] == '\n' ? "" : "\n");
	buf_pad(w->out, '`', fence);
	buf_puts(w->out, "\n\n");
}

static void code_span(struct book_writer *w, const char *text)
{
	int fence = fence_of(text, 1);
	buf_pad(w->out, '`', fence);
	buf_puts(w->out, fence > 1 ? " " : "");
	escape_puts(text, w->out);
	buf_puts(w->out, fence > 1 ? " " : "");
	buf_pad(w->out, '`', fence);
}

static void begin_markdown(struct book_writer *w, const char *title)
{
	(void)w, (void)title;
}

static void end(struct book_writer *w)
{
	(void)w;
}

static void heading(struct book_writer *w, int level, const char *id, const char *text)
{
	if (id)
		buf_printf(w->out, "<a id=\"%s\"></a>\n\n", id);
	buf_pad(w->out, '#', level);
	buf_putc(w->out, ' ');
	escaped(w, text);
	buf_puts(w->out, "\n\n");
}

static void spans(struct book_writer *w, const struct block *block)
{
	static const char *const marks[] = {
		[SPAN_PLAIN] = "", [SPAN_EMPH] = "*", [SPAN_STRONG] = "**", [SPAN_CODE] = "", [SPAN_TERM] = "*"};
	for (int i = 0; i < block->n_spans; i++) {
		const struct span *span = &block->spans[i];
		buf_puts(w->out, marks[span->style]);
		if (span->style == SPAN_CODE)
			code_span(w, span->text);
		else
			escaped(w, span->text);
		buf_puts(w->out, marks[span->style]);
	}
}

static void write_text(struct book_writer *w, const struct text *text)
{
	for (int i = 0; i < text->n_blocks; i++) {
		const struct block *block = &text->blocks[i];
		bool is_item = block->kind == BLOCK_ITEM;
		bool more = is_item && i + 1 < text->n_blocks && text->blocks[i + 1].kind == BLOCK_ITEM;
		if (block->kind == BLOCK_CODE) {
			struct buf block_text = {0};
			for (int j = 0; j < block->n_spans; j++)
				buf_printf(&block_text, "%s\n", block->spans[j].text);
			fenced(w, buf_str(&block_text));
			buf_free(&block_text);

			continue;
		}
		if (is_item) {
			buf_pad(w->out, ' ', 2 * (block->level - 1));
			if (block->number)
				buf_printf(w->out, "%d. ", block->number);
			else
				buf_puts(w->out, "- ");
		} else if (block->kind == BLOCK_QUOTE) {
			buf_puts(w->out, "> ");
		} else if (block->kind == BLOCK_HEADING) {
			buf_puts(w->out, "### ");
		} else if (block->kind == BLOCK_RULE) {
			buf_puts(w->out, "---");
		}
		spans(w, block);
		buf_puts(w->out, more ? "\n" : "\n\n");
	}
}

static void inline_text(struct book_writer *w, const char *text)
{
	struct buf part = {0};
	bool code = false;
	for (const char *end_of; *text; text = *end_of ? end_of + 1 : end_of) {
		end_of = text + strcspn(text, "`");
		buf_clear(&part);
		buf_append(&part, text, (size_t)(end_of - text));
		if (part.len && code)
			code_span(w, buf_str(&part));
		else if (part.len)
			escaped(w, buf_str(&part));
		code = !code;
	}
	buf_free(&part);
}

static void paragraph(struct book_writer *w, const char *lead, const char *text)
{
	if (*lead) {
		buf_puts(w->out, "**");
		escaped(w, lead);
		buf_puts(w->out, "** ");
	}
	inline_text(w, text);
	buf_puts(w->out, "\n\n");
}

static void list_begin(struct book_writer *w, bool numbered)
{
	w->item = numbered ? 1 : 0;
}

static void item(struct book_writer *w, const char *text)
{
	if (w->item)
		buf_printf(w->out, "%d. ", w->item++);
	else
		buf_puts(w->out, "- ");
	inline_text(w, text);
	buf_putc(w->out, '\n');
}

static void link_item(struct book_writer *w, const char *id, const char *text)
{
	buf_puts(w->out, "- [");
	escaped(w, text);
	buf_printf(w->out, "](#%s)\n", id);
}

static void list_end(struct book_writer *w, bool numbered)
{
	(void)numbered;
	buf_putc(w->out, '\n');
}

static void picture(struct book_writer *w, const struct canvas *canvas, const char *title, const char *words)
{
	struct buf text = {0};
	(void)words;
	paragraph(w, title, "");
	canvas_export(canvas, CANVAS_FORMAT_TEXT, &(struct canvas_export_options){.theme = w->options->theme}, &text);
	fenced(w, buf_str(&text));
	buf_free(&text);
}

static void number_cell(struct book_writer *w, const struct value *value, enum metric_id estimate)
{
	struct buf text = {0};
	book_write_value(value, estimate, &text);
	escaped(w, buf_str(&text));
	buf_puts(w->out, " | ");
	buf_free(&text);
}

static void numbers(struct book_writer *w, const struct view_numbers *numbers)
{
	bool measured = numbers->measured_on != NULL;
	buf_puts(w->out, "| Metric | ");
	for (int side = 0; side < view_number_sides(numbers); side++) {
		/* Of a setting: its name, where two are compared, before what is predicted and before where it was
		 * measured. */
		for (int heads_measured = 0; heads_measured <= (numbers->measured_on != NULL); heads_measured++) {
			if (numbers->other) {
				escaped(w, numbers->names[side]);
				buf_puts(w->out, ": ");
			}
			escaped(w, heads_measured ? numbers->measured_on : "Predicted");
			buf_puts(w->out, " | ");
		}
		for (int k = 0; k < numbers->n_elsewhere; k++) {
			escaped(w, numbers->elsewhere[k].gpu);
			buf_puts(w->out, ", recorded ");
			escaped(w, numbers->elsewhere[k].date);
			buf_puts(w->out, " | ");
		}
	}
	buf_puts(w->out, "Unit |\n|---|");
	for (int side = 0; side < view_number_sides(numbers); side++)
		buf_puts(w->out, measured ? "---:|---:|" : "---:|");
	for (int k = 0; k < numbers->n_elsewhere; k++)
		buf_puts(w->out, "---:|");
	buf_puts(w->out, "---|\n");
	for (int i = 0; i < numbers->n_rows; i++) {
		const struct view_number *row = &numbers->rows[i];
		buf_puts(w->out, "| ");
		escaped(w, metric_table[row->metric].label);
		buf_puts(w->out, " | ");
		for (int side = 0; side < view_number_sides(numbers); side++) {
			const struct view_number *of = &view_numbers_of(numbers, side)[i];
			number_cell(w, &of->predicted, metric_is_estimate(of->metric) ? of->metric : METRIC_NONE);
			if (measured)
				number_cell(w, &of->measured, METRIC_NONE);
		}
		for (int k = 0; k < numbers->n_elsewhere; k++)
			number_cell(w, &numbers->elsewhere[k].measured[i], METRIC_NONE);
		escaped(w, metric_table[row->metric].unit);
		buf_puts(w->out, " |\n");
	}
	buf_putc(w->out, '\n');
}

static void part_begin(struct book_writer *w, const char *name)
{
	char title[32] = "";
	strncat(title, name, sizeof title - 1);
	title[0] = (char)(title[0] - 'a' + 'A');
	paragraph(w, title, "");
}

/* Markdown cannot say it. */
static void language_begin(struct book_writer *w, const char *tag)
{
	(void)w;
	(void)tag;
}

static void part_end(struct book_writer *w)
{
	(void)w;
}

static void fold_begin(struct book_writer *w, const char *summary)
{
	buf_puts(w->out, "<details><summary>");
	escaped(w, summary);
	buf_puts(w->out, "</summary>\n\n");
}

static void fold_end(struct book_writer *w)
{
	buf_puts(w->out, "</details>\n\n");
}

static void terms_begin(struct book_writer *w)
{
	(void)w;
}

static void term(struct book_writer *w, const char *id, const char *name, const char *meaning)
{
	buf_puts(w->out, id ? "- **[" : "- **");
	escaped(w, name);
	if (id)
		buf_printf(w->out, "](#%s)", id);
	buf_puts(w->out, "**: ");
	inline_text(w, meaning);
	buf_putc(w->out, '\n');
}

static void terms_end(struct book_writer *w)
{
	buf_putc(w->out, '\n');
}

static void entry_begin(struct book_writer *w, const char *name)
{
	buf_puts(w->out, "- ");
	escaped(w, name);
}

static void entry_link(struct book_writer *w, const char *id, const char *text)
{
	buf_puts(w->out, " · [");
	escaped(w, text);
	buf_printf(w->out, "](#%s)", id);
}

static void entry_end(struct book_writer *w)
{
	buf_putc(w->out, '\n');
}

const struct book_form book_form_markdown = {
	.begin = begin_markdown,
	.end = end,
	.heading = heading,
	.text = write_text,
	.paragraph = paragraph,
	.list_begin = list_begin,
	.item = item,
	.link = link_item,
	.list_end = list_end,
	.code = fenced,
	.picture = picture,
	.numbers = numbers,
	.part_begin = part_begin,
	.part_end = part_end,
	.language_begin = language_begin,
	.language_end = part_end,
	.fold_begin = fold_begin,
	.fold_end = fold_end,
	.terms_begin = terms_begin,
	.term = term,
	.terms_end = terms_end,
	.entry_begin = entry_begin,
	.entry_link = entry_link,
	.entry_end = entry_end,
};
