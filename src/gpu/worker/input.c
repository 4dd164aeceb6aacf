#include "gpu/worker/serve.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "gpu/wire/wire.h"

#define CHUNK ((size_t)1 << 16)
#define CANCEL_MAX 256 /* bytes of a line that cancels */

/* Lines before `start` were given out; there is no newline from there to `scanned`. */
static struct {
	struct buf text;
	size_t start, scanned;
} input;

bool input_line(const char **line, size_t *len)
{
	const char *from = input.text.data + input.scanned;
	const char *end = input.text.len > input.scanned ? memchr(from, '\n', input.text.len - input.scanned) : NULL;
	if (!end) {
		input.scanned = input.text.len;
		return false;
	}
	*line = input.text.data + input.start;
	*len = (size_t)(end - *line);
	input.start = input.scanned = (size_t)(end - input.text.data) + 1;
	return true;
}

static bool read_chunk(void)
{
	buf_reserve(&input.text, CHUNK + 1);
	ssize_t n = file_get(STDIN_FILENO, input.text.data + input.text.len, CHUNK);
	if (n > 0)
		input.text.len += (size_t)n;
	return n > 0;
}

bool input_read(void)
{
	if (input.start) {
		memmove(input.text.data, input.text.data + input.start, input.text.len - input.start);
		input.text.len -= input.start;
		input.scanned -= input.start;
		input.start = 0;
	}
	return input.text.len <= WIRE_LINE_MAX && read_chunk();
}

static bool line_cancels(const char *line, size_t len, int64_t id)
{
	struct wire_message message;
	struct diag diag = {0};
	if (len > CANCEL_MAX)
		return false;
	struct arena *arena = arena_new();
	bool is = wire_read(arena, line, len, &message, &diag) && message.kind == WIRE_CANCEL && message.id == id;
	diag_free(&diag);
	arena_free(arena);
	return is;
}

bool input_cancels(int64_t id)
{
	struct pollfd fd = {STDIN_FILENO, POLLIN, 0};
	while (input.text.len - input.start <= WIRE_LINE_MAX && poll(&fd, 1, 0) > 0 && read_chunk())
		continue;
	const char *line = input.text.data + input.start, *all = input.text.data + input.text.len;
	for (const char *end; line < all && (end = memchr(line, '\n', (size_t)(all - line))) != NULL; line = end + 1)
		if (line_cancels(line, (size_t)(end - line), id))
			return true;
	return false;
}
