#include "machine/ptx/lex.h"

#include <stdlib.h>
#include <string.h>

enum { CH_SPACE = 1, CH_DIGIT = 2, CH_LETTER = 4, CH_NAME_ONLY = 8, CH_HEX = 16 };

static const unsigned char classes[256] = {
	[' '] = CH_SPACE,
	['\t'] = CH_SPACE,
	['\r'] = CH_SPACE,
	['\n'] = CH_SPACE,
	['\v'] = CH_SPACE,
	['\f'] = CH_SPACE,
	['0' ... '9'] = CH_DIGIT | CH_HEX,
	['a' ... 'f'] = CH_LETTER | CH_HEX,
	['A' ... 'F'] = CH_LETTER | CH_HEX,
	['g' ... 'z'] = CH_LETTER,
	['G' ... 'Z'] = CH_LETTER,
	['_'] = CH_NAME_ONLY,
	['$'] = CH_NAME_ONLY,
	['%'] = CH_NAME_ONLY,
};

static int char_class(char c)
{
	return classes[(unsigned char)c];
}

void ptx_lexer_init(struct ptx_lexer *lexer, const char *text, size_t len)
{
	*lexer = (struct ptx_lexer){.at = text, .end = text + len, .line_start = text, .line = 1};
}

static void skip_line(struct ptx_lexer *lx)
{
	const char *newline = memchr(lx->at, '\n', (size_t)(lx->end - lx->at));
	lx->at = newline ? newline : lx->end;
}

/* False, and not moved, when the comment never ends. */
static bool skip_comment(struct ptx_lexer *lx)
{
	struct ptx_lexer open = *lx;
	for (lx->at += 2; lx->end - lx->at >= 2; lx->at++) {
		if (lx->at[0] == '*' && lx->at[1] == '/') {
			lx->at += 2;
			return true;
		}
		if (*lx->at == '\n') {
			lx->line++;
			lx->line_start = lx->at + 1;
		}
	}
	*lx = open;
	return false;
}

static void skip_while(struct ptx_lexer *lx, int wanted)
{
	while (lx->at < lx->end && char_class(*lx->at) & wanted)
		lx->at++;
}

static void bad_token(struct ptx_token *t, const char *what)
{
	t->kind = PTX_TOK_BAD;
	t->bad = what;
}

/* 0f and 0d constants: exactly `digits` hex digits from lx->at. */
static void lex_float_bits(struct ptx_lexer *lx, struct ptx_token *t, int digits, enum ptx_token_kind kind)
{
	const char *first = lx->at += 2;
	skip_while(lx, CH_HEX);
	t->kind = kind;
	if (lx->at - first != digits) {
		bad_token(t, kind == PTX_TOK_F32 ? "0f takes 8 hexadecimal digits" : "0d takes 16 hexadecimal digits");
		return;
	}
	for (const char *p = first; p < lx->at; p++)
		t->value = t->value << 4 | (uint64_t)(*p <= '9' ? *p - '0' : (*p | 32) - 'a' + 10);
}

/* Digits of `base` into value; false at a digit of another base or when the value does not fit 64 bits. */
static bool digits_value(const char *p, const char *end, unsigned base, uint64_t *value)
{
	if (p == end)
		return false;
	for (*value = 0; p < end; p++) {
		unsigned digit = *p <= '9' ? (unsigned)(*p - '0') : (unsigned)((*p | 32) - 'a' + 10);
		if (digit >= base || __builtin_mul_overflow(*value, base, value) ||
			__builtin_add_overflow(*value, digit, value))
			return false;
	}
	return true;
}

/* Decimal floats: digits with a point or an exponent. `first` is where the number starts, lx->at the end of its
 * digits. */
static void lex_decimal_float(struct ptx_lexer *lx, struct ptx_token *t, const char *first)
{
	char text[64];

	if (lx->at < lx->end && *lx->at == '.') {
		lx->at++;
		skip_while(lx, CH_DIGIT);
	}
	if (lx->at < lx->end && (*lx->at | 32) == 'e') {
		lx->at++;
		if (lx->at < lx->end && (*lx->at == '+' || *lx->at == '-'))
			lx->at++;
		skip_while(lx, CH_DIGIT);
	}
	size_t len = (size_t)(lx->at - first);
	if (len >= sizeof text) {
		bad_token(t, "this number is too long");
		return;
	}
	memcpy(text, first, len);
	text[len] = '\0';
	double value = strtod(text, NULL);
	t->kind = PTX_TOK_F64;
	memcpy(&t->value, &value, sizeof value);
}

/* .5, but not the suffix of an opcode, which has no space or operator before it. */
static bool is_fraction(const struct ptx_lexer *lx, const struct ptx_token *t)
{
	bool in_name = t->glued && lx->at > lx->line_start &&
		char_class(lx->at[-1]) & (CH_LETTER | CH_DIGIT | CH_NAME_ONLY);
	return *lx->at == '.' && lx->end - lx->at > 1 && char_class(lx->at[1]) & CH_DIGIT && !in_name;
}

void ptx_lex(struct ptx_lexer *lx, struct ptx_token *t)
{
	const char *before = lx->at;

	/* Go to the next token; a comment may never end. */
	bool closed = true;
	while (closed && lx->at < lx->end) {
		char c = *lx->at, next = lx->end - lx->at > 1 ? lx->at[1] : '\0';
		if (c == '\n') {
			lx->at++;
			lx->line++;
			lx->line_start = lx->at;
		} else if (char_class(c) == CH_SPACE) {
			lx->at++;
		} else if (c == '/' && next == '/') {
			skip_line(lx);
		} else if (c == '#' && lx->at == lx->line_start) {
			skip_line(lx); /* a preprocessor's line marker */
		} else if (c == '/' && next == '*') {
			closed = skip_comment(lx);
		} else {
			break;
		}
	}

	*t = (struct ptx_token){.text = lx->at, .line = lx->line, .col = (int)(lx->at - lx->line_start) + 1};
	t->glued = lx->at == before;
	if (!closed) {
		bad_token(t, "this comment does not end");
		lx->at = lx->end;
		return;
	}
	if (lx->at == lx->end)
		return;
	int class = char_class(*lx->at);
	if (class & (CH_LETTER | CH_NAME_ONLY)) {
		t->kind = PTX_TOK_NAME;
		skip_while(lx, CH_LETTER | CH_DIGIT | CH_NAME_ONLY);
		t->len = (size_t)(lx->at - t->text);
	} else if (class & CH_DIGIT) {
		const char *first = lx->at;
		char next = lx->end - lx->at > 1 ? (char)(lx->at[1] | 32) : '\0';
		unsigned base = 10;

		if (*first == '0' && next == 'f') {
			lex_float_bits(lx, t, 8, PTX_TOK_F32);
			return;
		}
		if (*first == '0' && next == 'd') {
			lex_float_bits(lx, t, 16, PTX_TOK_F64);
			return;
		}
		if (*first == '0' && (next == 'x' || next == 'b')) {
			base = next == 'x' ? 16 : 2;
			first = lx->at += 2;
		}
		skip_while(lx, base == 16 ? CH_HEX | CH_DIGIT : CH_DIGIT);
		if (base == 10 && lx->at < lx->end && (*lx->at == '.' || (*lx->at | 32) == 'e')) {
			lex_decimal_float(lx, t, first);
			return;
		}
		if (base == 10 && *first == '0' && lx->at - first > 1)
			base = 8;
		t->kind = PTX_TOK_INT;
		if (!digits_value(first, lx->at, base, &t->value))
			bad_token(t, "this is not a number that fits in 64 bits");
		t->is_unsigned = t->value >> 63;
		if (lx->at < lx->end && (*lx->at | 32) == 'u') {
			t->is_unsigned = true;
			lx->at++;
		}
	} else if (is_fraction(lx, t)) {
		lex_decimal_float(lx, t, lx->at);
	} else if (*lx->at == '.') {
		lx->at++;
		t->kind = PTX_TOK_DOT;
		t->text = lx->at;
		for (;;) {
			skip_while(lx, CH_LETTER | CH_DIGIT | CH_NAME_ONLY);
			if (lx->end - lx->at < 3 || lx->at[0] != ':' || lx->at[1] != ':')
				break;
			lx->at += 2;
		}
		t->len = (size_t)(lx->at - t->text);
		if (!t->len)
			bad_token(t, "a word has to follow the dot");
	} else if (*lx->at == '"') {
		t->kind = PTX_TOK_STRING;
		t->text = ++lx->at;
		while (lx->at < lx->end && *lx->at != '"' && *lx->at != '\n')
			lx->at++;
		t->len = (size_t)(lx->at - t->text);
		if (lx->at == lx->end || *lx->at == '\n')
			bad_token(t, "this string does not end on its line");
		else
			lx->at++;
	} else {
		t->kind = PTX_TOK_PUNCT;
		t->punct = *lx->at++;
		t->len = 1;
	}
}
