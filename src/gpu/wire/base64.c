#include "gpu/wire/wire.h"

#include <stdint.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void wire_base64_encode(const void *bytes, size_t len, struct buf *out)
{
	const uint8_t *in = bytes;
	if (len)
		buf_reserve(out, (len + 2) / 3 * 4 + 1);
	for (size_t i = 0; i < len; i += 3) {
		size_t n = len - i < 3 ? len - i : 3;
		uint32_t v = (uint32_t)in[i] << 16 | (n > 1 ? (uint32_t)in[i + 1] << 8 : 0) | (n > 2 ? in[i + 2] : 0u);
		char four[4] = {alphabet[v >> 18], alphabet[v >> 12 & 63], alphabet[v >> 6 & 63], alphabet[v & 63]};
		for (size_t k = n + 1; k < 4; k++)
			four[k] = '=';
		buf_append(out, four, 4);
	}
}

static int digit(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool wire_base64_decode(struct arena *arena, const char *text, size_t len, void **bytes, size_t *n)
{
	if (len % 4)
		return false;
	size_t pad = len && text[len - 1] == '=' ? (text[len - 2] == '=' ? 2 : 1) : 0;
	size_t count = len / 4 * 3 - pad, at = 0;
	uint8_t *out = arena_alloc(arena, count + 1);
	for (size_t i = 0; i < len; i += 4) {
		uint32_t v = 0;
		for (size_t k = 0; k < 4; k++) {
			int d = i + k >= len - pad ? 0 : digit(text[i + k]);
			if (d < 0)
				return false;
			v = v << 6 | (uint32_t)d;
		}
		for (int shift = 16; shift >= 0 && at < count; shift -= 8)
			out[at++] = (uint8_t)(v >> shift);
	}
	*bytes = out;
	*n = count;
	return true;
}
