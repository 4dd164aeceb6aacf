#include "course/lesson/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"

#define TAB_COLUMNS 4

static void add_span(struct blocks *b)
{
	*vec_push(b->spans, b->n_spans, b->cap_spans) = (struct span){
		b->style, arena_strndup(b->arena, buf_str(&b->pending), b->pending.len)};
	buf_clear(&b->pending);
}

void lesson_blocks_close(struct blocks *b)
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

void lesson_blocks_open(struct blocks *b, enum block_kind kind, int level, int number)
{
	lesson_blocks_close(b);
	*vec_push(b->blocks, b->n_blocks, b->cap_blocks) = (struct block){
		.kind = kind, .level = level, .number = number};
	b->open = true;
	b->style = kind == BLOCK_CODE ? SPAN_CODE : SPAN_PLAIN;
}

const struct block *lesson_blocks_current(const struct blocks *b)
{
	return b->open ? &b->blocks[b->n_blocks - 1] : NULL;
}

bool lesson_blocks_fresh(const struct blocks *b)
{
	return b->open && b->n_spans == 0 && b->pending.len == 0;
}

void lesson_blocks_add(struct blocks *b, enum span_style style, const char *text, size_t len)
{
	if (b->style != style && b->pending.len)
		add_span(b);
	b->style = style;
	buf_append(&b->pending, text, len);
}

void lesson_blocks_add_code(struct blocks *b, const char *text, size_t len)
{
	bool lines = lesson_blocks_current(b)->kind == BLOCK_CODE;
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\n' && lines) {
			add_span(b);
		} else if (text[i] == '\t') {
			int column = utf8_columns(buf_str(&b->pending));
			for (int n = TAB_COLUMNS - column % TAB_COLUMNS; n > 0; n--)
				lesson_blocks_add(b, SPAN_CODE, " ", 1);
		} else if (text[i] != '\r') {
			lesson_blocks_add(b, SPAN_CODE, text[i] == '\n' ? " " : text + i, 1);
		}
	}
}

bool lesson_blocks_ends_with(const struct blocks *b, const char *text, size_t len)
{
	return b->pending.len >= len && memcmp(buf_str(&b->pending) + b->pending.len - len, text, len) == 0;
}

void lesson_blocks_take(struct blocks *b, struct text *out)
{
	lesson_blocks_close(b);
	out->blocks = arena_array(b->arena, struct block, (size_t)b->n_blocks);
	out->n_blocks = b->n_blocks;
	if (b->n_blocks)
		memcpy(out->blocks, b->blocks, (size_t)b->n_blocks * sizeof *b->blocks);
	b->n_blocks = 0;
}

void lesson_blocks_free(struct blocks *b)
{
	free(b->blocks);
	free(b->spans);
	buf_free(&b->pending);
}
