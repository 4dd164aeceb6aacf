/* Markdown as GitHub has it. What others wrote is escaped: no character of it begins a mark, a tag or a link. */
#include <string.h>

#include "base/utf8.h"
#include "course/book/writer.h"
#include "front/canvas/export.h"

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

static void heading(struct book_writer *w, int level, const char *id, const char *text)
{
	if (id)
		buf_printf(w->out, "<a id=\"%s\"></a>\n\n", id);
	buf_pad(w->out, '#', level);
	buf_putc(w->out, ' ');
	escaped(w, text);
	buf_puts(w->out, "\n\n");
}

static void write_text(struct book_writer *w, const struct text *text)
{
	for (int i = 0; i < text->n_blocks; i++) {
		const struct block *block = &text->blocks[i];
		bool is_item = block->kind == BLOCK_ITEM;
		bool more = is_item && i + 1 < text->n_blocks && text->blocks[i + 1].kind == BLOCK_ITEM;
		if (block->kind == BLOCK_CODE) {
			book_code_block(w, block);
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
		book_spans(w, block);
		buf_puts(w->out, more ? "\n" : "\n\n");
	}
}

static void link_to(struct book_writer *w, const char *id, const char *text)
{
	buf_putc(w->out, '[');
	escaped(w, text);
	buf_printf(w->out, "](#%s)", id);
}

static void picture(struct book_writer *w, const struct canvas *canvas, const char *title, const char *words)
{
	struct buf text = {0};
	(void)words;
	book_paragraph(w, title, "");
	canvas_export(canvas, CANVAS_FORMAT_TEXT, &(struct canvas_export_options){.theme = w->options->theme}, &text);
	fenced(w, buf_str(&text));
	buf_free(&text);
}

static void part_begin(struct book_writer *w, const char *name)
{
	char title[32] = "";
	strncat(title, name, sizeof title - 1);
	title[0] = (char)(title[0] - 'a' + 'A');
	book_paragraph(w, title, "");
}

const struct book_form book_form_markdown = {
	.escape = escaped,
	.code_span = code_span,
	.code = fenced,
	.link = link_to,
	.heading = heading,
	.text = write_text,
	.picture = picture,
	.part_begin = part_begin,
	.counts_items = true,
	.spans = {[SPAN_PLAIN] = {"", ""},
		[SPAN_EMPH] = {"*", "*"},
		[SPAN_STRONG] = {"**", "**"},
		[SPAN_CODE] = {"", ""},
		[SPAN_TERM] = {"*", "*"}},
	.paragraph = {"", "\n\n"},
	.lead = {"**", "** "},
	.list = {"", "\n"},
	.numbered = {"", "\n"},
	.item = {"- ", "\n"},
	.fold = {"<details><summary>", "</summary>\n\n"},
	.fold_end = "</details>\n\n",
	.terms = {"", "\n"},
	.term = {"- **", "**: "},
	.meaning_end = "\n",
	.part_end = "",
	.language_end = "",
	.table = {"| Metric | ", "\n"},
	.head = {"", " | "},
	.head_of = ": ",
	.heads_end = "Unit |\n|---|",
	.align = "---:|",
	.aligned = "---|\n",
	.row = {"| ", " | "},
	.cell = {"", " | "},
	.unit = {"", " |\n"},
};
