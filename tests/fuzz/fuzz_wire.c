/* Fuzz target of the protocol reader. Whatever the bytes are, reading them must end; and a message that could be read
 * must be written and read again to the same text. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "gpu/wire/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *write_again(struct arena *arena, const struct wire_message *message)
{
	struct buf out = {0};
	wire_write(message, &out);
	char *text = arena_strndup(arena, buf_str(&out), out.len);
	buf_free(&out);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct wire_message message;
	if (wire_read(arena, (const char *)data, size, &message, &diag)) {
		char *once = write_again(arena, &message);
		if (!wire_read(arena, once, strlen(once) - 1, &message, &diag) ||
			strcmp(once, write_again(arena, &message)) != 0)
			abort();
	} else if (!diag.errors) {
		abort();
	}
	diag_free(&diag);
	arena_free(arena);
	return 0;
}

#include "replay.h"
