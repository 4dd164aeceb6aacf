#include "course/lesson/markdown.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <md4c.h>

#include "base/arena.h"
#include "base/utf8.h"

/* --- characters by their names ------------------------------------------------------------------------------------ */

/* The character of "&rarr;" or "&#8594;", `len` bytes; 0 when it is none that is known, or one that a terminal must not
 * get. */
static uint32_t entity_character(const char *text, size_t len)
{
	static const struct {
		const char *name;
		uint32_t ch;
	} known[] = {
		{"amp", '&'},
		{"lt", '<'},
		{"gt", '>'},
		{"quot", '"'},
		{"apos", '\''},
		{"nbsp", ' '},
		{"times", 0xD7},
		{"minus", 0x2212},
		{"ndash", 0x2013},
		{"mdash", 0x2014},
		{"hellip", 0x2026},
		{"le", 0x2264},
		{"ge", 0x2265},
		{"ne", 0x2260},
		{"larr", 0x2190},
		{"rarr", 0x2192},
		{"micro", 0xB5},
		{"middot", 0xB7},
	};
	uint32_t ch = 0;

	if (len > 3 && text[1] == '#') {
		bool hex = text[2] == 'x' || text[2] == 'X';
		unsigned long v = strtoul(text + (hex ? 3 : 2), NULL, hex ? 16 : 10);
		bool good = v >= 0x20 && v <= 0x10FFFF && (v < 0x7F || v >= 0xA0) && (v < 0xD800 || v > 0xDFFF);
		ch = good ? (uint32_t)v : 0;
	}
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (len == strlen(known[i].name) + 2 && memcmp(text + 1, known[i].name, len - 2) == 0)
			ch = known[i].ch;
	return ch;
}

/* --- text as it comes, piece by piece -> blocks of styled spans --------------------------------------------------- */

#define TAB_COLUMNS 4

struct blocks {
	struct arena *arena;
	struct block *blocks;
	int n_blocks, cap_blocks;
	bool open;          /* the last block takes text */
	struct span *spans; /* of the open block */
	int n_spans, cap_spans;
	struct buf pending;    /* text of the open span */
	enum span_style style; /* of the pending text */
};

static void add_span(struct blocks *b)
{
	*vec_push(b->spans, b->n_spans, b->cap_spans) = (struct span){
		b->style, arena_strndup(b->arena, buf_str(&b->pending), b->pending.len)};
	buf_clear(&b->pending);
}

/* Starts a block; the one before ends. */
static void blocks_close(struct blocks *b)
{
	if (!b->open)
		return;
	if (b->pending.len)
		add_span(b);
	struct block *block = &b->blocks[b->n_blocks - 1];
	block->spans = arena_array(b->arena, struct span, (size_t)b->n_spans);
	block->n_spans = b->n_spans;
	if (b->n_spans)
		memcpy(block->spans, b->spans, (size_t)b->n_spans * sizeof *b->spans);
	b->n_spans = 0;
	b->open = false;
}

static void blocks_open(struct blocks *b, enum block_kind kind, int level, int number)
{
	blocks_close(b);
	*vec_push(b->blocks, b->n_blocks, b->cap_blocks) = (struct block){
		.kind = kind, .level = level, .number = number};
	b->open = true;
	b->style = kind == BLOCK_CODE ? SPAN_CODE : SPAN_PLAIN;
}

/* The open block, or NULL. */
static const struct block *blocks_current(const struct blocks *b)
{
	return b->open ? &b->blocks[b->n_blocks - 1] : NULL;
}

/* Adds text without line ends to the open block. */
static void blocks_add(struct blocks *b, enum span_style style, const char *text, size_t len)
{
	if (b->style != style && b->pending.len)
		add_span(b);
	b->style = style;
	buf_append(&b->pending, text, len);
}

#define LIST_DEPTH_MAX 8
#define ABORT (-1) /* from a callback: stop parsing; md4c stops at nothing above 0 everywhere */

enum mode {
	MODE_TEXT,       /* into the spans of the current block */
	MODE_TITLE,      /* of a step */
	MODE_SKIP,       /* the title of the whole file */
	MODE_HTML,       /* raw HTML, a comment at best */
	MODE_EXPERIMENT, /* the fenced block `simt` */
};

struct list {
	bool ordered;
	int next;
};

struct builder {
	struct arena *arena;
	const struct source *source;
	const struct lesson_names *names;
	struct diag *diag;
	enum mode mode;
	size_t last; /* offset of what was seen last */

	struct markdown_step *steps;
	int n_steps, cap_steps;
	bool stray_reported; /* text before the first step */

	struct blocks text;                  /* of the current step */
	int emph, strong, code, term;        /* how deep inside of each */
	const char *terms[LESSON_TERMS_MAX]; /* the metrics that the current step links to */
	int n_terms;
	int quotes;
	struct list lists[LIST_DEPTH_MAX];
	int depth;            /* of lists */
	struct buf collected; /* MODE_TITLE, MODE_HTML */
	struct buf notes;     /* of the current step */
	size_t fence;         /* MODE_EXPERIMENT: offset of its info string */
	size_t begin, end;    /* of what was seen of it; begin SIZE_MAX: nothing */
	bool in_comment;      /* inside of a paragraph */
};

static void markdown_fault(struct builder *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void markdown_fault(struct builder *b, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	diag_verror(b->diag, source_pos(b->source, b->last), format, args);
	va_end(args);
}

/* md4c hands out pieces of the source, or constants of its own (indentation, line ends): those have no place. */
static bool offset_of(const struct builder *b, const char *p, size_t *offset)
{
	uintptr_t at = (uintptr_t)p, start = (uintptr_t)b->source->text;
	if (at < start || at > start + b->source->len)
		return false;
	*offset = at - start;
	return true;
}

static void note_place(struct builder *b, const char *p)
{
	size_t offset;
	if (p && offset_of(b, p, &offset))
		b->last = offset;
}

/* --- text --------------------------------------------------------------------------------------------------------- */

/* Where text outside of any step goes: nowhere. */
static bool in_step(struct builder *b)
{
	if (b->n_steps > 0)
		return true;
	if (!b->stray_reported)
		markdown_fault(b, "text before the first step; a step starts with a line '## Title'");
	b->stray_reported = true;
	return false;
}

/* Words of a paragraph come without a block of their own when a list is tight. */
static void ensure_block(struct builder *b)
{
	if (!b->text.open)
		blocks_open(&b->text, b->quotes ? BLOCK_QUOTE : BLOCK_PARAGRAPH, b->depth, 0);
}

static void add_text(struct builder *b, const char *text, size_t len)
{
	if (b->mode == MODE_TITLE || b->mode == MODE_HTML) {
		buf_append(&b->collected, text, len);
		return;
	}
	if (b->mode != MODE_TEXT || !in_step(b))
		return;
	ensure_block(b);
	blocks_add(&b->text,
		b->term             ? SPAN_TERM
			: b->code   ? SPAN_CODE
			: b->strong ? SPAN_STRONG
			: b->emph   ? SPAN_EMPH
				    : SPAN_PLAIN,
		text, len);
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

static const char *trimmed(struct arena *arena, const struct buf *buf)
{
	const char *start = buf_str(buf), *end = start + buf->len;
	while (start < end && strchr(" \t\r\n", *start))
		start++;
	while (end > start && strchr(" \t\r\n", end[-1]))
		end--;
	return arena_strndup(arena, start, (size_t)(end - start));
}

static void close_step(struct builder *b)
{
	blocks_close(&b->text);
	if (b->n_steps == 0)
		return;
	struct markdown_step *step = &b->steps[b->n_steps - 1];

	/* Everything so far, in the arena; then starts anew. */
	blocks_close(&b->text);
	step->text.blocks = arena_array(b->text.arena, struct block, (size_t)b->text.n_blocks);
	step->text.n_blocks = b->text.n_blocks;
	if (b->text.n_blocks)
		memcpy(step->text.blocks, b->text.blocks, (size_t)b->text.n_blocks * sizeof *b->text.blocks);
	b->text.n_blocks = 0;

	step->text.terms = arena_array(b->arena, const char *, (size_t)b->n_terms + 1);
	step->text.n_terms = b->n_terms;
	memcpy(step->text.terms, b->terms, (size_t)b->n_terms * sizeof *b->terms);
	b->n_terms = 0;
	step->notes = trimmed(b->arena, &b->notes);
	buf_clear(&b->notes);
}

/* The source does not end in NUL. */
static bool only(const char *text, size_t len, const char *allowed)
{
	for (size_t i = 0; i < len; i++)
		if (!strchr(allowed, text[i]))
			return false;
	return true;
}

/* md4c does not report the place of a heading without text: it is the next line of nothing but '#'. */
static int empty_title_line(const struct builder *b)
{
	int line = source_line(b->source, b->last);
	for (int i = line; i < b->source->n_lines; i++) {
		size_t len;
		const char *text = source_line_text(b->source, i, &len);
		if (only(text, len, " \t#") && memchr(text, '#', len))
			return i;
	}
	return line;
}

static void leave_heading(struct builder *b)
{
	const struct block *heading = blocks_current(&b->text);
	if (b->mode == MODE_TEXT && heading && heading->level == 1)
		markdown_fault(b, "a heading '#' inside of a step; a step starts with '##', its parts with '###'");
	b->mode = MODE_TEXT;
	blocks_close(&b->text);
}

static void enter_heading(struct builder *b, const MD_BLOCK_H_DETAIL *detail)
{
	bool top = b->quotes == 0 && b->depth == 0;
	int level = (int)detail->level;
	if (top && level == 2) {
		close_step(b);
		*vec_push(b->steps, b->n_steps, b->cap_steps) = (struct markdown_step){.notes = ""};
		b->mode = MODE_TITLE;
		buf_clear(&b->collected);
	} else if (top && level == 1 && b->n_steps == 0) {
		b->mode = MODE_SKIP;
	} else if (in_step(b)) {
		blocks_open(&b->text, BLOCK_HEADING, level, 0);
	}
}

/* --- experiments and comments ------------------------------------------------------------------------------------- */

static bool is_experiment(const MD_BLOCK_CODE_DETAIL *detail)
{
	return detail->fence_char && detail->lang.size == 4 && memcmp(detail->lang.text, "simt", 4) == 0;
}

static void enter_code(struct builder *b, const MD_BLOCK_CODE_DETAIL *detail)
{
	note_place(b, detail->info.text);
	if (!is_experiment(detail)) {
		if (in_step(b))
			blocks_open(&b->text, BLOCK_CODE, b->depth, 0);
		b->code++;
		return;
	}
	b->mode = MODE_EXPERIMENT;
	b->fence = b->last;
	b->begin = SIZE_MAX;
	blocks_close(&b->text);
	if (b->n_steps == 0)
		markdown_fault(b, "an experiment before the first step; a step starts with a line '## Title'");
	else if (b->quotes || b->depth)
		markdown_fault(b, "an experiment inside of a list or quotation");
	else if (b->steps[b->n_steps - 1].has_block)
		markdown_fault(b, "a second experiment in this step; there must be one");
	else
		b->steps[b->n_steps - 1].has_block = true;
}

static void leave_code(struct builder *b)
{
	if (b->mode == MODE_EXPERIMENT) {
		b->mode = MODE_TEXT;
		if (b->n_steps == 0)
			return;
		struct markdown_step *step = &b->steps[b->n_steps - 1];
		int fence = source_line(b->source, b->fence);
		step->block_pos = source_pos(b->source, b->source->line_starts[fence]);
		step->first_line = b->begin == SIZE_MAX ? fence + 1 : source_line(b->source, b->begin);
		step->last_line = b->begin == SIZE_MAX ? fence + 1 : source_line(b->source, b->end) + 1;

		bool follows = false;
		for (int line = step->last_line; line < b->source->n_lines && !follows; line++) {
			size_t len;
			const char *text = source_line_text(b->source, line, &len);
			follows = !only(text, len, " \t");
		}
		if (!follows)
			diag_error(b->diag, step->block_pos, "this experiment is never closed");

		return;
	}
	blocks_close(&b->text);
	b->code--;
}

static void add_notes(struct builder *b, const char *text, const char *end)
{
	while (text < end && strchr(" \t\r\n", *text))
		text++;
	while (end > text && strchr(" \t\r\n", end[-1]))
		end--;
	if (b->n_steps == 0) {
		markdown_fault(b, "speaker notes before the first step");
		return;
	}
	if (b->notes.len)
		buf_putc(&b->notes, '\n');
	for (; text < end; text++)
		if (*text != '\r')
			buf_putc(&b->notes, *text == '\t' ? ' ' : *text);
}

/* Takes comments one after the other; md4c hands out those of neighboring lines together. */
static void end_html(struct builder *b)
{
	static const char word[] = "notes:";
	const char *text = buf_str(&b->collected);

	b->mode = MODE_TEXT;
	while (text += strspn(text, " \t\r\n"), *text) {
		bool comment = strncmp(text, "<!--", 4) == 0;
		const char *end = comment ? strstr(text + 4, "-->") : NULL;
		if (!end) {
			markdown_fault(b,
				comment ? "this comment is never closed"
					: "HTML is not shown; use Markdown (comments are fine)");
			return;
		}
		text += 4;
		text += strspn(text, " \t\r\n");
		if (strncmp(text, word, sizeof word - 1) == 0)
			add_notes(b, text + sizeof word - 1, end);
		text = end + 3;
	}
}

/* --- md4c's callbacks --------------------------------------------------------------------------------------------- */

static int enter_list(struct builder *b, bool ordered, int start)
{
	blocks_close(&b->text);
	if (b->depth == LIST_DEPTH_MAX) {
		markdown_fault(b, "lists nested more than %d deep", LIST_DEPTH_MAX);
		return ABORT;
	}
	b->lists[b->depth++] = (struct list){ordered, start};
	return 0;
}

static void enter_item(struct builder *b)
{
	struct list *list = &b->lists[b->depth - 1];
	if (in_step(b))
		blocks_open(&b->text, BLOCK_ITEM, b->depth, list->ordered ? list->next : 0);
	list->next++;
}

static void enter_paragraph(struct builder *b)
{
	bool item_begins = b->text.open && b->text.n_spans == 0 && b->text.pending.len == 0 &&
		blocks_current(&b->text)->kind == BLOCK_ITEM;
	if (!item_begins)
		blocks_close(&b->text);
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *userdata)
{
	struct builder *b = userdata;

	switch (type) {
	case MD_BLOCK_QUOTE:
		blocks_close(&b->text);
		b->quotes++;
		return 0;
	case MD_BLOCK_UL: return enter_list(b, false, 0);
	case MD_BLOCK_OL: return enter_list(b, true, (int)((MD_BLOCK_OL_DETAIL *)detail)->start);
	case MD_BLOCK_LI: enter_item(b); return 0;
	case MD_BLOCK_HR:
		if (in_step(b))
			blocks_open(&b->text, BLOCK_RULE, b->depth, 0);
		blocks_close(&b->text);
		return 0;
	case MD_BLOCK_H: enter_heading(b, detail); return 0;
	case MD_BLOCK_CODE: enter_code(b, detail); return 0;
	case MD_BLOCK_HTML:
		blocks_close(&b->text);
		b->mode = MODE_HTML;
		buf_clear(&b->collected);
		return 0;
	case MD_BLOCK_P: enter_paragraph(b); return 0;
	default: return 0;
	}
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *userdata)
{
	struct builder *b = userdata;

	switch (type) {
	case MD_BLOCK_QUOTE:
		blocks_close(&b->text);
		b->quotes--;
		break;
	case MD_BLOCK_UL:
	case MD_BLOCK_OL: b->depth--; break;
	case MD_BLOCK_H:
		if (b->mode == MODE_TITLE) {
			struct markdown_step *step = &b->steps[b->n_steps - 1];
			step->title = trimmed(b->arena, &b->collected);
			int line = *step->title ? source_line(b->source, b->last) : empty_title_line(b);
			step->pos = source_pos(b->source, b->source->line_starts[line]);
			if (!*step->title)
				diag_error(b->diag, step->pos, "a step without a title");
			else if (strlen(step->title) > LESSON_TITLE_MAX)
				diag_error(b->diag, step->pos, "this title is longer than %d bytes", LESSON_TITLE_MAX);
			b->mode = MODE_TEXT;
			if (b->n_steps <= LESSON_STEPS_MAX)
				return 0;
			diag_error(b->diag, step->pos, "more than %d steps", LESSON_STEPS_MAX);
			return ABORT;
		}
		leave_heading(b);
		break;
	case MD_BLOCK_CODE: leave_code(b); break;
	case MD_BLOCK_HTML: end_html(b); break;
	case MD_BLOCK_TABLE:
		blocks_close(&b->text);
		markdown_fault(b, "this table is not shown as one; use a list, or a block of code");
		break;
	case MD_BLOCK_LI:
		if (((const MD_BLOCK_LI_DETAIL *)detail)->is_task)
			markdown_fault(b, "boxes to tick are not shown as such; write a list without them");
		blocks_close(&b->text);
		break;
	case MD_BLOCK_P: blocks_close(&b->text); break;
	default: break;
	}
	return 0;
}

/* "metric:NAME": explained by simttutor itself. */
#define METRIC_LINK "metric:"
#define METRIC_LINK_LENGTH (sizeof METRIC_LINK - 1)

static bool is_metric_link(const MD_ATTRIBUTE *address)
{
	return address->size > METRIC_LINK_LENGTH && memcmp(address->text, METRIC_LINK, METRIC_LINK_LENGTH) == 0;
}

static void keep_term(struct builder *b, const MD_ATTRIBUTE *address)
{
	const char *name = arena_strndup(
		b->arena, address->text + METRIC_LINK_LENGTH, address->size - METRIC_LINK_LENGTH);
	note_place(b, address->text);
	if (b->names && !b->names->metric(name))
		markdown_fault(b, "a link to the metric '%s', which there is not", name);
	for (int i = 0; i < b->n_terms; i++)
		if (strcmp(b->terms[i], name) == 0)
			return;
	if (b->n_terms < LESSON_TERMS_MAX)
		b->terms[b->n_terms++] = name;
}

static int enter_span(MD_SPANTYPE type, void *detail, void *userdata)
{
	struct builder *b = userdata;

	b->emph += type == MD_SPAN_EM;
	b->strong += type == MD_SPAN_STRONG;
	b->code += type == MD_SPAN_CODE;
	if (type == MD_SPAN_A && is_metric_link(&((MD_SPAN_A_DETAIL *)detail)->href)) {
		b->term++;
		keep_term(b, &((MD_SPAN_A_DETAIL *)detail)->href);
	}
	if (type == MD_SPAN_IMG) {
		note_place(b, ((MD_SPAN_IMG_DETAIL *)detail)->src.text);
		markdown_fault(b, "pictures are not shown; say it in words or let a view draw it");
	}
	return 0;
}

/* The address follows the words, unless it is the words. */
static void add_address(struct builder *b, const MD_ATTRIBUTE *address)
{
	size_t len = address->size;
	if (len == 0 || b->mode != MODE_TEXT || address->text[0] == '#')
		return;
	const struct buf *before = &b->text.pending; /* the link's text; it may be the address itself */
	if (before->len >= len && memcmp(buf_str(before) + before->len - len, address->text, len) == 0)
		return;
	add_text(b, " (", 2);
	add_text(b, address->text, len);
	add_text(b, ")", 1);
}

static int leave_span(MD_SPANTYPE type, void *detail, void *userdata)
{
	struct builder *b = userdata;

	b->emph -= type == MD_SPAN_EM;
	b->strong -= type == MD_SPAN_STRONG;
	b->code -= type == MD_SPAN_CODE;
	if (type == MD_SPAN_DEL)
		markdown_fault(b, "what is struck out is not shown so; leave it out");
	if (type == MD_SPAN_A && is_metric_link(&((MD_SPAN_A_DETAIL *)detail)->href))
		b->term--;
	else if (type == MD_SPAN_A)
		add_address(b, &((MD_SPAN_A_DETAIL *)detail)->href);
	return 0;
}

/* "--|--": of a table that CommonMark takes for text. */
static bool is_table_rule(const char *text, size_t len)
{
	size_t pipes = 0, dashes = 0, i = 0;
	for (; i < len && text[i] && strchr("-:| ", text[i]); i++) {
		pipes += text[i] == '|';
		dashes += text[i] == '-';
	}
	return i == len && pipes && dashes > pipes;
}

/* "[words][name]", which would be a link if there were a line "[name]: address". Not "a[i][k]". */
static bool is_lost_link(const char *text, size_t len)
{
	const char *end = text + len;
	for (const char *at = text; (at = memchr(at, '[', (size_t)(end - at))); at++) {
		const char *close = memchr(at, ']', (size_t)(end - at));
		bool begins = at == text || at[-1] == ' ' || at[-1] == '(';
		if (begins && close && close > at + 1 && end - close > 2 && close[1] == '[' &&
			memchr(close, ']', (size_t)(end - close)) && memchr(close + 2, ']', (size_t)(end - close - 2)))
			return true;
	}
	return false;
}

static int add_any_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *userdata)
{
	struct builder *b = userdata;
	size_t offset;

	if (offset_of(b, text, &offset)) {
		/* A comment's faults are reported at its start. */
		if (b->mode != MODE_HTML || b->collected.len == 0)
			b->last = offset;
		if (b->mode == MODE_EXPERIMENT) {
			b->begin = b->begin == SIZE_MAX ? offset : b->begin;
			b->end = offset;
		}
	}
	if (b->mode == MODE_EXPERIMENT || b->mode == MODE_SKIP)
		return 0;
	if (b->mode == MODE_HTML) {
		buf_append(&b->collected, text, size);
		return 0;
	}
	switch (type) {
	case MD_TEXT_BR:
	case MD_TEXT_SOFTBR: add_text(b, " ", 1); break;
	case MD_TEXT_ENTITY: {
		size_t len = size;
		char out[4];
		uint32_t ch = entity_character(text, len);
		if (!ch)
			markdown_fault(b, "unknown character %.*s; write the character itself", (int)len, text);
		else
			add_text(b, out, utf8_put(ch, out));
		break;
	}
	case MD_TEXT_CODE:
		if (b->mode != MODE_TEXT) {
			add_text(b, text, size);
		} else if (in_step(b)) {
			ensure_block(b);

			/* Adds code: in a block of code a line end ends the span, also an empty one; elsewhere it is a
			 * blank. Tabs become blanks. */
			size_t len = size;
			bool lines = blocks_current(&b->text)->kind == BLOCK_CODE;
			for (size_t i = 0; i < len; i++) {
				if (text[i] == '\n' && lines) {
					add_span(&b->text);
				} else if (text[i] == '\t') {
					int column = utf8_columns(buf_str(&b->text.pending));
					for (int n = TAB_COLUMNS - column % TAB_COLUMNS; n > 0; n--)
						blocks_add(&b->text, SPAN_CODE, " ", 1);
				} else if (text[i] != '\r') {
					blocks_add(&b->text, SPAN_CODE, text[i] == '\n' ? " " : text + i, 1);
				}
			}
		}
		break;
	case MD_TEXT_HTML: {
		/* Comments are left out; one that runs over lines comes in pieces. */
		size_t len = size;
		if (len >= 4 && memcmp(text, "<!--", 4) == 0)
			b->in_comment = true;
		if (!b->in_comment)
			markdown_fault(b, "HTML is not shown; use Markdown (comments are fine)");
		if (len >= 3 && memcmp(text + len - 3, "-->", 3) == 0)
			b->in_comment = false;
		break;
	}
	default:
		if (b->code == 0 && is_table_rule(text, size))
			markdown_fault(b, "this table is not shown as one; use a list, or a block of code");
		if (b->code == 0 && is_lost_link(text, size))
			markdown_fault(b, "this would be a link, but nothing says to where: [name]: address");
		add_text(b, text, size);
		break;
	}
	return 0;
}

struct markdown lesson_markdown_parse(struct arena *arena, const struct source *source, int first,
	const struct lesson_names *names, struct diag *diag)
{
	static const MD_PARSER parser = {.flags = MD_DIALECT_COMMONMARK | MD_FLAG_TABLES | MD_FLAG_TASKLISTS |
			MD_FLAG_STRIKETHROUGH, /* to refuse them: they would be shown raw */
		.enter_block = enter_block,
		.leave_block = leave_block,
		.enter_span = enter_span,
		.leave_span = leave_span,
		.text = add_any_text};
	size_t errors = diag->errors;
	size_t begin = first < source->n_lines ? source->line_starts[first] : source->len;
	struct builder b = {
		.arena = arena, .source = source, .names = names, .diag = diag, .last = begin, .text.arena = arena};

	int failed = md_parse(source->text + begin, (MD_SIZE)(source->len - begin), &parser, &b);
	close_step(&b);
	if (failed && diag->errors == errors)
		base_out_of_memory();
	if (!failed && b.n_steps == 0 && diag->errors == errors)
		markdown_fault(&b, "no steps; a step starts with a line '## Title'");
	struct markdown out = {arena_array(arena, struct markdown_step, (size_t)b.n_steps), b.n_steps};
	if (b.n_steps)
		memcpy(out.steps, b.steps, (size_t)b.n_steps * sizeof *b.steps);
	free(b.steps);
	free(b.text.blocks);
	free(b.text.spans);
	buf_free(&b.text.pending);
	buf_free(&b.collected);
	buf_free(&b.notes);
	return out;
}
