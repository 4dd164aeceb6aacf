/* HTML: one file with its style in it. What others wrote goes through canvas_export_escaped, ids are made of letters,
 * digits and dashes by book.c. */
#include <string.h>

#include "course/book/writer.h"
#include "front/canvas/export.h"

static void escaped(struct book_writer *w, const char *text)
{
	canvas_export_escaped(text, w->out);
}

/* --- the document ------------------------------------------------------------------------------------------------- */

static const char style[] =
	":root{color-scheme:light}\n"
	"body{font:17px/1.55 Georgia,\"Times New Roman\",serif;color:#1b1b1b;background:#fff;max-width:46rem;margin:0 auto;"
	"padding:1rem}\n"
	"h1,h2,h3,summary,.lead,th,nav{font-family:system-ui,\"Segoe UI\",Helvetica,Arial,sans-serif;line-height:1.25}\n"
	"h1{font-size:1.9rem;margin:2.5rem 0 .5rem}\nh2{font-size:1.35rem;margin:2.2rem 0 .4rem}\nh3{font-size:1.1rem}\n"
	"a{color:#0b57b0}\ncode,pre{font-family:ui-monospace,\"DejaVu Sans Mono\",Menlo,Consolas,monospace;font-size:.88em}\n"
	"pre{overflow-x:auto;background:#f5f5f2;padding:.6rem .8rem;border-radius:6px;line-height:1.35}\n"
	"pre code{font-size:1em}\n"
	"figure{margin:1rem 0;overflow-x:auto}\nfigure svg{min-width:38rem;width:100%;height:auto;display:block}\n"
	"figcaption{font-size:.85rem;color:#555}\n"
	"table{border-collapse:collapse;font-size:.9rem;width:100%}\n"
	".wide{overflow-x:auto}\n"
	"th,td{text-align:left;padding:.2rem .8rem .2rem 0;border-bottom:1px solid #ddd;vertical-align:top}\n"
	"td.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\nth.number{text-align:right}\n"
	".part{border-left:4px solid #0b57b0;padding:.1rem 0 .1rem .9rem;margin:1.2rem 0}\n"
	".claim{border-color:#8a5a00}\n.exercise{border-color:#1f6f3a}\n.notes{border-color:#777;font-size:.92em}\n"
	".answer{border-color:#1f6f3a}\n.term{font-style:italic}\n"
	"details{margin:.5rem 0}\nsummary{cursor:pointer;color:#0b57b0}\n"
	".lead{font-weight:600}\n.choose{font:15px system-ui,sans-serif;margin:.6rem 0}\n.choose label{margin-right:1rem}\n"
	"dt{font-weight:600;margin-top:.5rem}\ndd{margin-left:1.2rem}\n"
	"@media(max-width:30rem){body{font-size:16px;padding:.7rem}figure svg{min-width:34rem}}\n"
	"@media print{body{max-width:none;font-size:10.5pt}a{color:inherit;text-decoration:none}figure,table,.part{break-inside:avoid}"
	"figure svg{min-width:0}.choose{display:none}}\n";

static const char
	print_style[] = "@page{size:A4;margin:18mm}\nh1{break-before:page}\nh1:first-of-type{break-before:avoid}\n"
			"div[lang]>h1:first-of-type{break-before:page}\n"
			"h2,h3{break-after:avoid}\nfigure svg{min-width:0}\n";

/* Makes a choice of the settings of each step; without it the first of them is shown, that with which the step begins.
 * A setting marked as first is the same, and empty. */
static const char script[] =
	"<script>\n"
	"for(const all of document.querySelectorAll('.settings')){\n"
	"const of=[...all.children],bar=document.createElement('div');\n"
	"bar.className='choose';\n"
	"for(const name of new Set(of.slice(1).map(s=>s.dataset.parameter))){\n"
	"const label=document.createElement('label'),choice=document.createElement('select');\n"
	"label.append(name+' ',choice);bar.append(label);\n"
	"for(const s of of)if(s.dataset.parameter===name){const first=!!s.dataset.first;\n"
	"choice.add(new Option(s.dataset.value,s.dataset.value,first,first));}\n"
	"choice.addEventListener('change',()=>{\n"
	"const s=of.find(s=>s.dataset.parameter===name&&s.dataset.value===choice.value),show=s.dataset.first?of[0]:s;\n"
	"for(const each of of)each.hidden=each!==show;\n"
	"for(const other of bar.querySelectorAll('select'))if(other!==choice)\n"
	"for(const o of other.options)o.selected=o.defaultSelected;});}\n"
	"all.before(bar);}\n"
	"</script>\n";

static void begin_html(struct book_writer *w, const char *title)
{
	buf_puts(w->out, "<!DOCTYPE html>\n<html lang=\"");
	escaped(w, w->options->language);
	buf_puts(w->out,
		"\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
	escaped(w, title);
	buf_puts(w->out, "</title>\n<style>\n");
	buf_puts(w->out, style);
	if (w->options->format == BOOK_PRINT)
		buf_puts(w->out, print_style);
	canvas_export_svg_style(w->options->theme, w->out);
	buf_puts(w->out, "</style>\n</head>\n<body>\n");
}

static void end_html(struct book_writer *w)
{
	if (w->options->format == BOOK_HTML)
		buf_puts(w->out, script);
	buf_puts(w->out, "</body>\n</html>\n");
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static void heading(struct book_writer *w, int level, const char *id, const char *text)
{
	buf_printf(w->out, "<h%d", level);
	if (id)
		buf_printf(w->out, " id=\"%s\"", id);
	buf_putc(w->out, '>');
	escaped(w, text);
	buf_printf(w->out, "</h%d>\n", level);
}

static void wrapped(struct book_writer *w, const struct block *block, const char *tag)
{
	buf_printf(w->out, "<%s>", tag);
	book_spans(w, block);
	buf_printf(w->out, "</%s>\n", tag);
}

/* A list's items are blocks one after the other: a list begins with the first and ends before what is no item of its
 * kind. Items of deeper levels stand as items, too. */
static const char *list_of(const struct text *text, int i)
{
	if (i < 0 || i >= text->n_blocks || text->blocks[i].kind != BLOCK_ITEM)
		return NULL;
	return text->blocks[i].number ? "ol" : "ul";
}

static void write_text(struct book_writer *w, const struct text *text)
{
	for (int i = 0; i < text->n_blocks; i++) {
		const struct block *block = &text->blocks[i];
		switch (block->kind) {
		case BLOCK_PARAGRAPH: wrapped(w, block, "p"); break;
		case BLOCK_HEADING: wrapped(w, block, "h3"); break;
		case BLOCK_ITEM: {
			const char *tag = list_of(text, i), *before = list_of(text, i - 1),
				   *after = list_of(text, i + 1);
			if (tag != before)
				buf_printf(w->out, "<%s>\n", tag);
			wrapped(w, &text->blocks[i], "li");
			if (tag != after)
				buf_printf(w->out, "</%s>\n", tag);
			break;
		}
		case BLOCK_CODE: book_code_block(w, block); break;
		case BLOCK_QUOTE: wrapped(w, block, "blockquote"); break;
		case BLOCK_RULE: buf_puts(w->out, "<hr>\n"); break;
		}
	}
}

static void code_span(struct book_writer *w, const char *text)
{
	buf_puts(w->out, "<code>");
	escaped(w, text);
	buf_puts(w->out, "</code>");
}

static void link_to(struct book_writer *w, const char *id, const char *text)
{
	buf_printf(w->out, "<a href=\"#%s\">", id);
	escaped(w, text);
	buf_puts(w->out, "</a>");
}

static void code(struct book_writer *w, const char *text)
{
	buf_puts(w->out, "<pre><code>");
	escaped(w, text);
	buf_puts(w->out, "</code></pre>\n");
}

/* --- pictures ----------------------------------------------------------------------------------------------------- */

static void picture(struct book_writer *w, const struct canvas *canvas, const char *title, const char *words)
{
	buf_puts(w->out, "<figure>\n");
	canvas_export_svg_part(
		canvas, &(struct canvas_export_options){.theme = w->options->theme, .title = title}, words, w->out);
	buf_puts(w->out, "<figcaption>");
	escaped(w, title);
	buf_puts(w->out, "</figcaption>\n</figure>\n");
}

/* --- parts -------------------------------------------------------------------------------------------------------- */

static void part_begin(struct book_writer *w, const char *name)
{
	buf_printf(w->out, "<div class=\"part %s\">\n", name);
}

static void language_begin(struct book_writer *w, const char *tag)
{
	buf_puts(w->out, "<div lang=\"");
	escaped(w, tag);
	buf_puts(w->out, "\">\n");
}

static void setting_begin(struct book_writer *w, const struct book_setting *setting)
{
	buf_puts(w->out, "<div class=\"setting\"");
	if (setting->parameter) {
		buf_puts(w->out, " data-parameter=\"");
		escaped(w, setting->parameter);
		buf_puts(w->out, "\" data-value=\"");
		escaped(w, setting->value);
		buf_printf(w->out, "\"%s hidden", setting->first ? " data-first=\"1\"" : "");
	}
	buf_puts(w->out, ">\n");
}

const struct book_form book_form_html = {
	.begin = begin_html,
	.end = end_html,
	.escape = escaped,
	.code_span = code_span,
	.code = code,
	.link = link_to,
	.heading = heading,
	.text = write_text,
	.picture = picture,
	.part_begin = part_begin,
	.language_begin = language_begin,
	.setting_begin = setting_begin,
	.spans = {[SPAN_PLAIN] = {"", ""},
		[SPAN_EMPH] = {"<em>", "</em>"},
		[SPAN_STRONG] = {"<strong>", "</strong>"},
		[SPAN_CODE] = {"", ""},
		[SPAN_TERM] = {"<span class=\"term\">", "</span>"}},
	.paragraph = {"<p>", "</p>\n"},
	.lead = {"<span class=\"lead\">", "</span> "},
	.list = {"<ul>\n", "</ul>\n"},
	.numbered = {"<ol>\n", "</ol>\n"},
	.item = {"<li>", "</li>\n"},
	.fold = {"<details><summary>", "</summary>\n"},
	.fold_end = "</details>\n",
	.terms = {"<dl>\n", "</dl>\n"},
	.term = {"<dt>", "</dt>\n<dd>"},
	.meaning_end = "</dd>\n",
	.part_end = "</div>\n",
	.language_end = "</div>\n",
	.settings = {"<div class=\"settings\">\n", "</div>\n"},
	.setting_end = "</div>\n",
	.table = {"<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">Metric</th>", "</tbody></table></div>\n"},
	.head = {"<th scope=\"col\" class=\"number\">", "</th>"},
	.head_of = "<br>",
	.heads_end = "<th scope=\"col\">Unit</th></tr></thead>\n<tbody>\n",
	.align = "",
	.aligned = "",
	.row = {"<tr><th scope=\"row\">", "</th>"},
	.cell = {"<td class=\"number\">", "</td>"},
	.unit = {"<td>", "</td></tr>\n"},
};
