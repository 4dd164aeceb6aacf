#include "front/tui/base64.h"

#include <stdint.h>

void tui_base64(const char *bytes, size_t n, struct buf *out)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (size_t i = 0; i < n; i += 3) {
		uint32_t three = 0;
		for (size_t k = 0; k < 3; k++)
			three = three << 8 | (i + k < n ? (unsigned char)bytes[i + k] : 0);
		for (size_t k = 0; k < 4; k++)
			buf_putc(out, i + k > n ? '=' : letters[three >> (18 - 6 * k) & 63]);
	}
}
