/* course/lesson/blocks.h: text as it comes, piece by piece -> blocks of styled spans. */
#pragma once
#include "course/lesson/lesson.h"

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

/* Starts a block; the one before ends. */
void lesson_blocks_open(struct blocks *b, enum block_kind kind, int level, int number);
void lesson_blocks_close(struct blocks *b);

/* The open block, or NULL. */
const struct block *lesson_blocks_current(const struct blocks *b);

/* Whether the open block has no text yet. */
bool lesson_blocks_fresh(const struct blocks *b);

/* Adds text without line ends to the open block. */
void lesson_blocks_add(struct blocks *b, enum span_style style, const char *text, size_t len);

/* Adds code: in a block of code a line end ends the span, also an empty one; elsewhere it is a blank. Tabs become blanks. */
void lesson_blocks_add_code(struct blocks *b, const char *text, size_t len);

/* Whether the text of the open span ends so. */
bool lesson_blocks_ends_with(const struct blocks *b, const char *text, size_t len);

/* Everything so far, in the arena; then starts anew. */
void lesson_blocks_take(struct blocks *b, struct text *out);
void lesson_blocks_free(struct blocks *b);
