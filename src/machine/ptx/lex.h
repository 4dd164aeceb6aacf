/* machine/ptx/lex.h: PTX text -> tokens. Lines and columns count from 1. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ptx_token_kind {
	PTX_TOK_END,
	PTX_TOK_NAME,   /* add  %r1  $L__BB0_1 */
	PTX_TOK_DOT,    /* .s32  .shared::cta  .entry; text without the dot */
	PTX_TOK_INT,    /* value */
	PTX_TOK_F32,    /* 0f3F800000; value: the bits */
	PTX_TOK_F64,    /* 0d..., 1.5; value: the bits */
	PTX_TOK_STRING, /* text without the quotes */
	PTX_TOK_PUNCT,  /* punct */
	PTX_TOK_BAD,    /* `bad` says what is wrong */
};

struct ptx_token {
	enum ptx_token_kind kind;
	const char *text;
	size_t len;
	uint64_t value;
	int line, col;
	char punct;
	bool is_unsigned; /* INT: it is said to be, or too large for a signed one */
	bool glued;       /* nothing stands between it and the token before */
	const char *bad;
};

struct ptx_lexer {
	const char *at, *end;
	const char *line_start;
	int line;
};

void ptx_lexer_init(struct ptx_lexer *lexer, const char *text, size_t len);
void ptx_lex(struct ptx_lexer *lx, struct ptx_token *t);
