#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

void buf_free(struct buf *buf)
{
	free(buf->data);
	*buf = (struct buf){0};
}

void buf_clear(struct buf *buf)
{
	buf->len = 0;
	if (buf->data)
		buf->data[0] = '\0';
}

const char *buf_str(const struct buf *buf)
{
	return buf->data ? buf->data : "";
}

char *buf_steal(struct buf *buf)
{
	buf_reserve(buf, 0);
	char *data = buf->data;
	data[buf->len] = '\0';
	*buf = (struct buf){0};
	return data;
}

void buf_reserve(struct buf *buf, size_t more)
{
	vec_reserve(buf->data, buf->len, buf->cap, more + 1);
}

void buf_append(struct buf *buf, const void *bytes, size_t len)
{
	buf_reserve(buf, len);
	if (len)
		memcpy(buf->data + buf->len, bytes, len);
	buf->len += len;
	buf->data[buf->len] = '\0';
}

void buf_puts(struct buf *buf, const char *text)
{
	buf_append(buf, text, strlen(text));
}

void buf_putc(struct buf *buf, char c)
{
	buf_append(buf, &c, 1);
}

void buf_pad(struct buf *buf, char c, int times)
{
	if (times <= 0)
		return;
	buf_reserve(buf, (size_t)times);
	memset(buf->data + buf->len, c, (size_t)times);
	buf->len += (size_t)times;
	buf->data[buf->len] = '\0';
}

void buf_vprintf(struct buf *buf, const char *format, va_list args)
{
	va_list again;
	va_copy(again, args);
	int len = vsnprintf(NULL, 0, format, args);
	if (len > 0) {
		buf_reserve(buf, (size_t)len);
		vsnprintf(buf->data + buf->len, (size_t)len + 1, format, again);
		buf->len += (size_t)len;
	}
	va_end(again);
}

void buf_printf(struct buf *buf, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	buf_vprintf(buf, format, args);
	va_end(args);
}
