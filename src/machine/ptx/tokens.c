/* Reading tokens one after the other, and reporting faults at their place. */
#include "machine/ptx/parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void __attribute__((format(printf, 4, 0)))
report_fault(struct ptx_parser *p, int line, int col, const char *format, va_list args)
{
	char message[512];
	struct diag_pos pos = {p->module->name, line, col, p->module->text, p->module->text_len};
	vsnprintf(message, sizeof message, format, args);
	diag_error(p->diag, pos, "%s", message);
}

void ptx_fault(struct ptx_parser *p, const struct ptx_token *where, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	report_fault(p, where->line, where->col, format, args);
	va_end(args);
}

void ptx_fault_at(struct ptx_parser *p, int line, int col, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	report_fault(p, line, col, format, args);
	va_end(args);
}

bool ptx_given_up(const struct ptx_parser *p)
{
	return p->diag->errors - p->errors_before >= PTX_FAULTS_MAX;
}

void ptx_next(struct ptx_parser *p)
{
	ptx_lex(&p->lexer, &p->tok);
}

static bool word_is(const struct ptx_token *tok, const char *word)
{
	return tok->len == strlen(word) && !memcmp(tok->text, word, tok->len);
}

bool ptx_at_name(const struct ptx_parser *p, const char *word)
{
	return p->tok.kind == PTX_TOK_NAME && word_is(&p->tok, word);
}

bool ptx_at_dot(const struct ptx_parser *p, const char *word)
{
	return p->tok.kind == PTX_TOK_DOT && word_is(&p->tok, word);
}

bool ptx_take(struct ptx_parser *p, char punct)
{
	if (!ptx_at(p, punct))
		return false;
	ptx_next(p);
	return true;
}

bool ptx_take_dot(struct ptx_parser *p, const char *word)
{
	if (!ptx_at_dot(p, word))
		return false;
	ptx_next(p);
	return true;
}

void ptx_unexpected(struct ptx_parser *p, const char *wanted)
{
	int len = (int)(p->tok.len > 40 ? 40 : p->tok.len);
	if (p->tok.kind == PTX_TOK_BAD)
		ptx_fault(p, &p->tok, "%s", p->tok.bad);
	else if (p->tok.kind == PTX_TOK_END)
		ptx_fault(p, &p->tok, "%s expected before the end of the text", wanted);
	else if (p->tok.kind == PTX_TOK_PUNCT && (p->tok.punct < ' ' || p->tok.punct > '~'))
		ptx_fault(p, &p->tok, "%s expected, not byte 0x%02X", wanted, (unsigned char)p->tok.punct);
	else
		ptx_fault(p, &p->tok, "%s expected, not '%s%.*s'", wanted, p->tok.kind == PTX_TOK_DOT ? "." : "", len,
			p->tok.text);
}

bool ptx_expect(struct ptx_parser *p, char punct)
{
	if (ptx_take(p, punct))
		return true;
	const char wanted[] = {'\'', punct, '\'', '\0'};
	ptx_unexpected(p, wanted);
	return false;
}

void ptx_skip_statement(struct ptx_parser *p)
{
	while (p->tok.kind != PTX_TOK_END && !ptx_at(p, '}')) {
		if (ptx_take(p, ';'))
			return;
		ptx_next(p);
	}
}

bool ptx_parse_int(struct ptx_parser *p, int64_t *value)
{
	bool negative = false;
	while (ptx_at(p, '-') || ptx_at(p, '+')) {
		negative ^= ptx_at(p, '-');
		ptx_next(p);
	}
	if (p->tok.kind != PTX_TOK_INT) {
		ptx_unexpected(p, "a number");
		return false;
	}
	*value = (int64_t)(negative ? 0 - p->tok.value : p->tok.value);
	ptx_next(p);
	return true;
}
