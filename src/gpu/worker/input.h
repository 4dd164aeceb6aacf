/* gpu/worker/input.h: the lines on standard input: requests one after the other, and while one is answered a look at whether it was
 * canceled. Inside the worker only. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The next whole line that is here already, without its newline. Valid until input_read or input_cancels. */
bool input_line(const char **line, size_t *len);

/* Reads what there is, waiting for it. False at the end of input, and after a line longer than the protocol allows. */
bool input_read(void);

/* Whether among the lines that are here, or can be read without waiting, is one that cancels request `id`. They all stay. */
bool input_cancels(int64_t id);
