/* Fuzz target of the containers in which compilers put device code into a program: the first byte says for which
 * compute capability PTX is looked for, the rest is what the program has there, to the end of its image: containers
 * with PTX and machine code (ELF), compressed by zstd or LZ4 or not, or PTX as it is. What is found is text, without a
 * NUL, in the program or the arena. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/module/fatbin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_found(const struct fatbin_ptx *found, const char *image, size_t room)
{
	const char *begin = image, *end = image + room;
	bool inside = found->text >= begin && found->text <= end;
	if (!found->text || (inside && found->len > (size_t)(end - found->text)) || memchr(found->text, 0, found->len))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct fatbin_ptx found = {0};
	size_t room = size ? size - 1 : 0;
	char *image = base_malloc(room); /* exactly as long */
	memcpy(image, data + (size > 0), room);
	bool ok = fatbin_find_ptx(arena, image, room, 50 + (size ? data[0] % 80 : 0), &found, &diag);
	if (ok != (diag.errors == 0))
		abort();
	if (ok)
		check_found(&found, image, room);
	diag_free(&diag);
	free(image);
	arena_free(arena);
	return 0;
}

#include "replay.h"
