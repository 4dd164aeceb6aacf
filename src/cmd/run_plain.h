/* cmd/run_plain.h: what the two ways to take a kept launch to a GPU share. Inside cmd/ only. */
#pragma once
#include "cmd/run.h"
#include "machine/ptx/ptx.h"

/* What is made of it. */
struct run_plain {
	struct run *run;
	const struct snapshot *kept;
	const struct ptx_kernel *kernel;
	bool *used;      /* per buffer: a parameter has its address, or memory that is used has */
	size_t text;     /* bytes of arguments */
	const char *why; /* arguments in place of its memory will not do; NULL: so far they do */
};

/* Adds the error that says so. Returns false. */
bool run_plain_cannot(const struct run_plain *p, const char *why);

/* The buffer that an address is in, or at the end of; -1: none. Freed ones have no bytes. */
int run_plain_buffer(const struct snapshot *s, uint64_t address);

/* Reads the text of the next argument. */
bool run_plain_argument(struct run_plain *p, int i, const struct buf *text);

/* A parameter as what it is in bytes. */
void run_plain_scalar(const uint8_t *bytes, size_t n, struct buf *out);

/* run_placed.c: arguments that are bytes, and memory that is where they point. */
bool run_place_kept(struct run_plain *p);
