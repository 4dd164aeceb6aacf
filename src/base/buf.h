/* base/buf.h: a string of bytes that grows. `struct buf b = {0}` is an empty one; `data` is NUL-terminated once
 * anything was added (use buf_str for a string that is never NULL). */
#pragma once
#include <stdarg.h>
#include <stddef.h>

struct buf {
	char *data;
	size_t len, cap;
};

void buf_free(struct buf *buf);
void buf_clear(struct buf *buf);
const char *buf_str(const struct buf *buf);

/* Hands the bytes to the caller, who frees them; `buf` is empty afterwards. Never NULL. */
char *buf_steal(struct buf *buf);

/* Makes room for `more` bytes beyond len. */
void buf_reserve(struct buf *buf, size_t more);
void buf_append(struct buf *buf, const void *bytes, size_t len);
void buf_puts(struct buf *buf, const char *text);
void buf_putc(struct buf *buf, char c);
void buf_pad(struct buf *buf, char c, int times);
void buf_printf(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *buf, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
