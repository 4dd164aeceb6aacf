/* front/view/program.h: what the views of a program share. For this folder only. */
#pragma once
#include "front/view/draw.h"
#include "model/hardware/hostlog.h"

/* Why there is nothing of a program to draw; NULL: there is. */
const char *view_program_lacks(const struct view_input *input);

/* Its operations up to the moment; all where there is none. */
int view_program_reached(const struct view_input *input);
int view_program_moments(const struct view_input *input);

/* The operation that the moment has come to, with a place in the program; -1: none. */
int view_program_at(const struct view_input *input);

/* "stream 2", "default". */
void view_program_stream(const struct hostlog *log, int stream, struct buf *out);

/* "copy to the device, 64 KiB, pinned", "kernel work". */
void view_program_operation(const struct hostlog *log, const struct hostlog_op *op, struct buf *out);

/* "in", "out", "copy", "fill", the kernel's name, "host": what is written in its bar. */
const char *view_program_bar(const struct hostlog_op *op);

/* The fill of its bar; of copies by direction and memory. */
enum role view_program_role(const struct hostlog_op *op);

/* All of it in sentences: what overlaps, and each operation with what it waited for. */
void view_program_tell(const struct view_input *input, struct buf *out);

/* "64 KiB" */
void view_program_bytes(uint64_t bytes, struct buf *out);
