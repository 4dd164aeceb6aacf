/* course/lesson/entity.h: characters by their names in Markdown. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* The character of "&rarr;" or "&#8594;", `len` bytes; 0 when it is none that is known, or one that a terminal must not
 * get. */
uint32_t lesson_entity_character(const char *text, size_t len);
