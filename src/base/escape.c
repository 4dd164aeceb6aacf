#include "base/escape.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

#define PRIVATE_BYTE 0x10FF00u /* and the byte: one that is not UTF-8, in JSON */

int escape_char(uint32_t ch, char out[ESCAPE_MAX])
{
	static const char letters[0x20] = {['\n'] = 'n', ['\t'] = 't', ['\r'] = 'r'};
	if (utf8_is_graphic(ch))
		return 0;
	if (ch < sizeof letters && letters[ch])
		return snprintf(out, ESCAPE_MAX, "\\%c", letters[ch]);
	int byte = utf8_invalid_byte(ch);
	if (ch < 0x80 || byte >= 0)
		return snprintf(out, ESCAPE_MAX, "\\x%02x", ch < 0x80 ? (unsigned)ch : (unsigned)byte);
	return snprintf(out, ESCAPE_MAX, ch > 0xFFFF ? "\\U%08x" : "\\u%04x", (unsigned)ch);
}

/* The length of the SGR sequence at the start of the text; 0: there is none. */
static size_t sgr_length(const char *text, size_t len)
{
	size_t i = 2;
	if (len < 3 || text[0] != '\033' || text[1] != '[')
		return 0;
	while (i < len && ((text[i] >= '0' && text[i] <= '9') || text[i] == ';'))
		i++;
	return i < len && text[i] == 'm' ? i + 1 : 0;
}

/* Bytes at the start that are shown as they are in every form; most text is ASCII. */
static size_t plain_length(const char *text, size_t len)
{
	size_t n = 0;
	while (n < len && text[n] >= ' ' && text[n] <= '~')
		n++;
	return n;
}

void escape_text(const char *text, size_t len, enum escape_form form, struct buf *out)
{
	for (size_t i = 0, n; i < len; i += n) {
		uint32_t ch;
		char shown[ESCAPE_MAX];
		n = plain_length(text + i, len - i);
		if (n == 0 && form == ESCAPE_SGR)
			n = sgr_length(text + i, len - i);
		if (n == 0) {
			n = utf8_decode(text + i, len - i, &ch);
			int columns = form != ESCAPE_LINE && (ch == '\n' || ch == '\t') ? 0 : escape_char(ch, shown);
			if (columns > 0) {
				buf_append(out, shown, (size_t)columns);
				continue;
			}
		}
		buf_append(out, text + i, n);
	}
}

void escape_puts(const char *text, struct buf *out)
{
	escape_text(text, strlen(text), ESCAPE_LINE, out);
}

void escape_line(struct buf *out, const char *format, ...)
{
	struct buf text = {0};
	va_list args;
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	escape_text(buf_str(&text), text.len, ESCAPE_LINE, out);
	buf_putc(out, '\n');
	buf_free(&text);
}

void escape_to_json(const char *bytes, size_t len, struct buf *out)
{
	for (size_t i = 0, n; i < len; i += n) {
		uint32_t ch;
		char utf8[4];
		n = utf8_decode(bytes + i, len - i, &ch);
		bool taken = ch >= PRIVATE_BYTE + 0x80 && ch <= PRIVATE_BYTE + 0xFF;
		if (ch != 0 && !taken && utf8_invalid_byte(ch) < 0) {
			buf_append(out, bytes + i, n);
			continue;
		}
		for (size_t k = 0; k < n; k++)
			buf_append(out, utf8, utf8_put(PRIVATE_BYTE + (unsigned char)bytes[i + k], utf8));
	}
}

/* As JSON writes a character in hexadecimal: beyond U+FFFF a pair of surrogates. */
static void put_hexadecimal(uint32_t ch, struct buf *out)
{
	if (ch > 0xFFFF)
		buf_printf(out, "\\u%04x\\u%04x", 0xD800 + ((unsigned)ch - 0x10000) / 0x400,
			0xDC00 + ((unsigned)ch - 0x10000) % 0x400);
	else
		buf_printf(out, "\\u%04x", (unsigned)ch);
}

void escape_json(const char *json, size_t len, struct buf *out)
{
	for (size_t i = 0, n; i < len; i += n) {
		uint32_t ch = ' ';
		n = plain_length(json + i, len - i);
		if (n == 0)
			n = utf8_decode(json + i, len - i, &ch);
		if (ch == '\n' || utf8_is_graphic(ch))
			buf_append(out, json + i, n);
		else
			put_hexadecimal(ch, out);
	}
}
