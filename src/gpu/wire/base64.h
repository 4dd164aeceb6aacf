/* gpu/wire/base64.h: bytes as text (RFC 4648, with padding), for buffers inside JSON. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"

void wire_base64_encode(const void *bytes, size_t len, struct buf *out);

/* Decodes all of `text` into `*bytes` (in the arena) and `*n`. False when it is not base64: wrong length, a character
 * outside the alphabet, misplaced padding. */
bool wire_base64_decode(struct arena *arena, const char *text, size_t len, void **bytes, size_t *n);
