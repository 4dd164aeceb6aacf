#include "front/screen/flow.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/utf8.h"

/* --- a paragraph as characters with roles ------------------------------------------------------------------------- */

struct flow_letters {
	struct buf text;
	uint8_t *roles; /* of each byte */
	size_t n, cap;
};

static void add_bytes(struct flow_letters *run, const char *bytes, size_t n, enum role role)
{
	buf_append(&run->text, bytes, n);
	vec_reserve(run->roles, run->n, run->cap, n);
	memset(run->roles + run->n, (int)role, n);
	run->n += n;
}

#define NO_BREAK 0xA0
#define NO_BREAK_TEXT "\u00A0"

static bool is_before_percent(const char *text, size_t i)
{
	return i > 0 && text[i] == ' ' && text[i + 1] == '%' && text[i - 1] >= '0' && text[i - 1] <= '9';
}

/* Breaks are blanks; between a number and its % there is none. */
static void run_puts(struct flow_letters *run, const char *text, enum role role)
{
	size_t len = strlen(text);
	for (size_t i = 0, n; i < len; i += n) {
		uint32_t ch;
		char bytes[4];
		for (n = 0; text[i + n] >= ' ' && text[i + n] <= '~' && !is_before_percent(text, i + n);)
			n++;
		if (n > 0) {
			add_bytes(run, text + i, n, role);
			continue;
		}
		if (is_before_percent(text, i)) {
			add_bytes(run, NO_BREAK_TEXT, strlen(NO_BREAK_TEXT), role);
			n = 1;
			continue;
		}
		n = utf8_decode(text + i, len - i, &ch);
		add_bytes(run, bytes, utf8_put(ch == '\n' || ch == '\t' ? ' ' : ch, bytes), role);
	}
}

/* An expression in a sentence is read at a glance where it is whole: it goes to the next line, unless it is most of
 * one. */
static void run_puts_code(const struct screen_flow *flow, struct flow_letters *run, const char *text)
{
	if (utf8_columns(text) > 2 * flow->cols / 3) {
		run_puts(run, text, ROLE_CODE);
		return;
	}
	struct buf whole = {0};
	for (const char *p = text; *p; p++)
		if (*p == ' ')
			buf_puts(&whole, NO_BREAK_TEXT);
		else
			buf_append(&whole, p, 1);
	run_puts(run, buf_str(&whole), ROLE_CODE);
	buf_free(&whole);
}

static int columns_between(const char *text, size_t len)
{
	int columns = 0;
	for (size_t i = 0; i < len;) {
		uint32_t ch;
		i += utf8_decode(text + i, len - i, &ch);
		columns += utf8_width(ch);
	}
	return columns;
}

/* Words of the glossary in a drawn piece of a paragraph. */
static void mark_terms(const struct screen_flow *flow, const struct flow_letters *run, size_t from, size_t to, int col)
{
	const struct screen_terms *terms = flow->terms;
	const struct rect *clip = &flow->canvas->clip;
	struct screen_term term;
	if (!terms || flow->row < clip->row || flow->row >= clip->row + clip->rows)
		return;
	for (size_t at = 0; screen_term_next(terms->catalog, run->text.data, run->n, at, &term); at = term.to) {
		size_t begin = term.from > from ? term.from : from, end = term.to < to ? term.to : to;
		if (begin >= end)
			continue;
		struct rect r = {flow->row, col + columns_between(run->text.data + from, begin - from), 1,
			columns_between(run->text.data + begin, end - begin)};
		struct view_pick pick = {THING_TERM, term.index};
		if (terms->picked.thing == THING_TERM && terms->picked.index == pick.index)
			canvas_light(flow->canvas, r, ROLE_LIT);
		view_spots_add(terms->spots, r, pick);
	}
}

/* Draws and empties the run; lines after the first start `indent` columns in, the first `first`. */
static void flow_run(struct screen_flow *flow, struct flow_letters *run, enum wrap_break at, int first, int indent)
{
	int in = first;
	for (size_t from = 0, next; from < run->n; from += next) {
		int cols = flow->cols - in > 1 ? flow->cols - in : 1;
		size_t len = wrap_line(run->text.data + from, run->n - from, cols, at, &next);

		int col = flow->col + in;
		const struct rect *clip = &flow->canvas->clip;
		if (flow->row >= clip->row && flow->row < clip->row + clip->rows) {
			for (size_t i = from, n; i < from + len; i += n) {
				uint32_t ch;
				n = utf8_decode(run->text.data + i, from + len - i, &ch);
				canvas_put(flow->canvas, flow->row, col, ch == NO_BREAK ? ' ' : ch,
					(enum role)run->roles[i]);
				col += utf8_width(ch);
			}
		}

		mark_terms(flow, run, from, from + len, flow->col + in);
		flow->row++;
		in = indent;
	}
	buf_free(&run->text);
	free(run->roles);
	*run = (struct flow_letters){0};
}

/* --- blocks ------------------------------------------------------------------------------------------------------- */

static const enum role span_role[] = {
	[SPAN_PLAIN] = ROLE_TEXT,
	[SPAN_EMPH] = ROLE_EMPH,
	[SPAN_STRONG] = ROLE_STRONG,
	[SPAN_CODE] = ROLE_CODE,
	[SPAN_TERM] = ROLE_EMPH,
};

static void flow_spans(struct screen_flow *flow, const struct block *block, int first, int indent)
{
	struct flow_letters run = {0};
	for (int i = 0; i < block->n_spans; i++) {
		enum role role = span_role[block->spans[i].style];
		if (block->kind == BLOCK_HEADING && role == ROLE_TEXT)
			role = ROLE_STRONG;
		if (role == ROLE_CODE)
			run_puts_code(flow, &run, block->spans[i].text);
		else
			run_puts(&run, block->spans[i].text, role);
	}
	flow_run(flow, &run, WRAP_AT_BLANKS, first, indent);
}

struct screen_flow screen_flow_measure(int cols)
{
	static struct canvas nowhere; /* its clip is empty, so nothing is ever put there */
	return (struct screen_flow){.canvas = &nowhere, .cols = cols};
}

void screen_flow_text(struct screen_flow *flow, const struct text *text)
{
	for (int i = 0; i < text->n_blocks; i++) {
		bool in_list = i > 0 && text->blocks[i].kind == BLOCK_ITEM && text->blocks[i - 1].kind == BLOCK_ITEM;
		if (i > 0 && !in_list)
			screen_flow_gap(flow);

		const struct block *block = &text->blocks[i];
		int indent = 2 * block->level; /* under an item's text */
		switch (block->kind) {
		case BLOCK_HEADING: flow_spans(flow, block, 0, 0); break;
		case BLOCK_PARAGRAPH: flow_spans(flow, block, indent, indent); break;
		case BLOCK_ITEM: {
			indent = 2 * (block->level > 0 ? block->level - 1 : 0);
			int mark = block->number > 0
				? canvas_textf(
					  flow->canvas, flow->row, flow->col + indent, ROLE_DIM, "%d. ", block->number)
				: canvas_text(flow->canvas, flow->row, flow->col + indent, ROLE_DIM, "• ");
			flow_spans(flow, block, indent + mark, indent + mark);
			break;
		}
		case BLOCK_CODE: {
			indent += 2;
			for (int j = 0; j < block->n_spans; j++)
				canvas_text_fit(flow->canvas,
					(struct rect){flow->row++, flow->col + indent, 1, flow->cols - indent},
					ROLE_CODE, block->spans[j].text);
			break;
		}
		case BLOCK_QUOTE: {
			int from = flow->row;
			flow_spans(flow, block, indent + 2, indent + 2);
			for (int row = from; row < flow->row; row++)
				canvas_put(flow->canvas, row, flow->col + indent, GLYPH_LINE_V, ROLE_DIM);
			break;
		}
		case BLOCK_RULE: screen_flow_rule(flow, ""); break;
		}
	}
}

void screen_flow_plain(struct screen_flow *flow, enum role role, const char *lead, int indent, const char *text)
{
	struct flow_letters run = {0};
	int first = canvas_text(flow->canvas, flow->row, flow->col, role, lead);
	bool code = false;
	for (const char *p = text; *p;) {
		size_t len = strcspn(p, "`");
		char *piece = base_strndup(p, len);
		if (code)
			run_puts_code(flow, &run, piece);
		else
			run_puts(&run, piece, role);
		free(piece);
		p += len;
		/* a lone backquote is itself */
		if (*p == '`' && !code && !strchr(p + 1, '`'))
			add_bytes(&run, "`", 1, role);
		else if (*p == '`')
			code = !code;
		p += *p == '`';
	}
	if (run.n == 0)
		flow->row += first > 0;
	flow_run(flow, &run, WRAP_AT_BLANKS, first, indent);
}

void screen_flow_path(struct screen_flow *flow, const char *path)
{
	struct flow_letters run = {0};
	run_puts(&run, path, ROLE_CODE);
	flow_run(flow, &run, WRAP_AFTER_SLASHES, 0, 0);
}

void screen_flow_gap(struct screen_flow *flow)
{
	flow->row++;
}

void screen_flow_rule(struct screen_flow *flow, const char *word)
{
	canvas_hline(flow->canvas, flow->row, flow->col, flow->cols, ROLE_FRAME);
	if (*word)
		canvas_textf(flow->canvas, flow->row, flow->col + 1, ROLE_DIM, " %s ", word);
	flow->row++;
}

/* --- words of the glossary ---------------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* The bytes that `term` takes at the beginning of the text, its plural included; 0: it is not there. */
static size_t term_at(const char *term, const char *text, size_t len)
{
	size_t n = strlen(term);
	if (n > len)
		return 0;

	/* "SM" is no "sm"; all others are in any case, as at the beginning of a sentence. */
	bool is_acronym = true;
	for (const char *c = term; *c; c++)
		is_acronym &= !islower((unsigned char)*c);
	if ((is_acronym ? strncmp : strncasecmp)(text, term, n) != 0)
		return 0;
	if (n < len && text[n] == 's')
		n++;
	return n < len && (is_letter(text[n]) || text[n] == '-') ? 0 : n;
}

bool screen_term_next(const struct catalog *catalog, const char *text, size_t len, size_t at, struct screen_term *out)
{
	*out = (struct screen_term){0};
	for (; at < len && !out->to; at++) {
		if (!is_letter(text[at]) || (at > 0 && (is_letter(text[at - 1]) || text[at - 1] == '-')))
			continue;
		for (int i = 0; i < catalog->n_terms; i++) {
			size_t n = term_at(catalog->terms[i].term, text + at, len - at);
			if (n > out->to - out->from)
				*out = (struct screen_term){at, at + n, i};
		}
	}
	return out->to > 0;
}

void screen_term_describe(const struct catalog *catalog, int64_t index, struct buf *out)
{
	if (index >= 0 && index < catalog->n_terms)
		buf_printf(out, "%s: %s", catalog->terms[index].term, catalog->terms[index].definition);
}
