#include "base/utf8.h"

#include <string.h>
#include <utf8proc.h>

#include "base/buf.h"
#include "base/escape.h"

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
