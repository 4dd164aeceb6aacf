#include "base/utf8.h"

#include <string.h>
#include <utf8proc.h>

#define REPLACEMENT 0xFFFDu

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
		*ch = REPLACEMENT;
		return 1;
	}
	*ch = (uint32_t)decoded;
	return (size_t)n;
}

size_t utf8_encode(uint32_t ch, char out[4])
{
	if (!utf8proc_codepoint_valid((utf8proc_int32_t)ch))
		ch = REPLACEMENT;
	return (size_t)utf8proc_encode_char((utf8proc_int32_t)ch, (utf8proc_uint8_t *)out);
}

int utf8_width(uint32_t ch)
{
	if (ch < 0x7F)
		return ch >= 0x20;
	return utf8proc_charwidth((utf8proc_int32_t)ch);
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
