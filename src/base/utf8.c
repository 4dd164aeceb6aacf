#include "base/utf8.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

#include "base/buf.h"

#define REPLACEMENT 0xFFFDu
#define INVALID 0xDC00u /* and the byte */

size_t utf8_decode(const char *text, size_t len, uint32_t *ch)
{
	unsigned char first = (unsigned char)text[0];
	if (first < 0x80) {
		*ch = first;
		return 1;
	}
	utf8proc_int32_t decoded;
	utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)len, &decoded);
	if (n <= 0) {
		*ch = INVALID + first;
		return 1;
	}
	*ch = (uint32_t)decoded;
	return (size_t)n;
}

int utf8_invalid_byte(uint32_t ch)
{
	return ch >= INVALID + 0x80 && ch <= INVALID + 0xFF ? (int)(ch - INVALID) : -1;
}

size_t utf8_put(uint32_t ch, char out[4])
{
	int byte = utf8_invalid_byte(ch);
	if (byte >= 0) {
		out[0] = (char)byte;
		return 1;
	}
	if (!utf8proc_codepoint_valid((utf8proc_int32_t)ch))
		ch = REPLACEMENT;
	return (size_t)utf8proc_encode_char((utf8proc_int32_t)ch, (utf8proc_uint8_t *)out);
}

void utf8_replace_invalid(const char *text, size_t len, struct buf *out)
{
	for (size_t i = 0; i < len;) {
		uint32_t ch;
		char utf8[4];
		i += utf8_decode(text + i, len - i, &ch);
		buf_append(out, utf8, utf8_put(utf8_invalid_byte(ch) < 0 ? ch : REPLACEMENT, utf8));
	}
}

bool utf8_is_graphic(uint32_t ch)
{
	if (ch < 0x7F)
		return ch >= 0x20;
	const utf8proc_property_t *property = utf8proc_get_property((utf8proc_int32_t)ch);
	if (property->ignorable)
		return false;
	switch ((utf8proc_category_t)property->category) {
	case UTF8PROC_CATEGORY_CN: /* what a newer terminal makes of it is not known */
	case UTF8PROC_CATEGORY_CC:
	case UTF8PROC_CATEGORY_CF:
	case UTF8PROC_CATEGORY_CS:
	case UTF8PROC_CATEGORY_CO: /* as wide as the terminal's font has it */
	case UTF8PROC_CATEGORY_ZL:
	case UTF8PROC_CATEGORY_ZP: return false;
	default: return true;
	}
}

int utf8_width(uint32_t ch)
{
	char shown[ESCAPE_MAX];
	if (ch >= 0x20 && ch < 0x7F)
		return 1;
	int columns = escape_char(ch, shown);
	return columns ? columns : utf8proc_charwidth((utf8proc_int32_t)ch);
}

int utf8_columns(const char *text)
{
	int columns = 0;
	for (size_t len = strlen(text); len > 0;) {
		uint32_t ch;
		size_t n = utf8_decode(text, len, &ch);
		columns += utf8_width(ch);
		text += n;
		len -= n;
	}
	return columns;
}

/* --- escapes ------------------------------------------------------------------------------------------------------ */

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
		if (n == 0 && form == ESCAPE_SGR) {
			/* An SGR sequence is kept: ESC [ numbers m. */
			size_t end = i + 2;
			if (len - i >= 3 && text[i] == '\033' && text[i + 1] == '[') {
				while (end < len && ((text[end] >= '0' && text[end] <= '9') || text[end] == ';'))
					end++;
				n = end < len && text[end] == 'm' ? end + 1 - i : 0;
			}
		}
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

void escape_json(const char *json, size_t len, struct buf *out)
{
	for (size_t i = 0, n; i < len; i += n) {
		uint32_t ch = ' ';
		n = plain_length(json + i, len - i);
		if (n == 0)
			n = utf8_decode(json + i, len - i, &ch);
		if (ch == '\n' || utf8_is_graphic(ch)) {
			buf_append(out, json + i, n);
		} else {
			/* As JSON writes a character in hexadecimal: beyond U+FFFF a pair of surrogates. */
			if (ch > 0xFFFF)
				buf_printf(out, "\\u%04x\\u%04x", 0xD800 + ((unsigned)ch - 0x10000) / 0x400,
					0xDC00 + ((unsigned)ch - 0x10000) % 0x400);
			else
				buf_printf(out, "\\u%04x", (unsigned)ch);
		}
	}
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

size_t wrap_line(const char *text, size_t len, int cols, enum wrap_break at, size_t *next)
{
	size_t fits = 0,
	       after = 0, /* the longest line so far that ends at a place to break, and where the next begins */
		part = 0; /* where a word that is too long is cut best */
	int used = 0;     /* more than `cols` only where blanks end the line, or begin it */
	for (size_t i = 0, n; i < len; i += n) {
		uint32_t ch;
		n = utf8_decode(text + i, len - i, &ch);
		if (ch == '\n') {
			*next = i + 1;
			return used > cols ? fits : i;
		}
		if (ch == ' ' && at == WRAP_AT_BLANKS) {
			size_t end = i;
			while (end < len && text[end] == ' ')
				end++;
			if (i > 0) {
				fits = i;
				after = end;
			}
			used += (int)(end - i);
			n = end - i;
			continue;
		}
		if (used > cols / 2) {
			/* A name is cut where a part of it begins: "MaxThreads" at the T, "max_threads" at the t. */
			char before = text[i - 1], here = text[i];
			bool small = (before >= 'a' && before <= 'z') || (before >= '0' && before <= '9');
			if ((small && here >= 'A' && here <= 'Z') || (before == '_' && here != '_'))
				part = i;
		}
		if (used + utf8_width(ch) > cols) {
			if (!fits) { /* one word, or blanks before it */
				after = part ? part : i ? i : n;
				fits = used > cols ? 0 : after;
			}
			*next = after;
			return fits;
		}
		used += utf8_width(ch);
		if (ch == '/' && at == WRAP_AFTER_SLASHES)
			fits = after = i + n;
	}
	*next = len;
	return used > cols ? fits : len;
}
