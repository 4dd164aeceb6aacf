/* runtime/memory/copy.h: copies and fills as work of a stream. Inside runtime/ only. */
#pragma once
#include "runtime/stream/queue.h"

/* A copy as it is asked for; the ends are where the program says. */
struct copy_ask {
	const char *call; /* its name, for messages */
	struct copy_end to, from;
	bool to_array, from_array; /* the end was found already */
	size_t width, height, depth;
	int kind;
};

enum copy_when { COPY_SYNC, COPY_ASYNC };

struct copy_ask copy_bytes(const char *call, void *to, const void *from, size_t bytes, int kind);
int copy_box(const char *call, const struct cuda_copy *copy, struct copy_ask *out);

/* The work of it, WORK_NOTHING where it has no bytes; or an error, having said what is wrong. */
int copy_work(struct runtime *r, const struct copy_ask *ask, struct cuda_work *out);
int copy_submit(struct runtime *r, struct cuda_stream *stream, struct cuda_work *work, enum copy_when when);

/* The whole of a call. */
int copy_do(const struct copy_ask *ask, struct cuda_stream *handle, enum copy_when when);

/* Rows to set: each element has `element` bytes of the value. */
struct copy_fill {
	const char *call;
	void *at;
	size_t pitch, width, height; /* bytes, rows */
	uint32_t value;
	uint8_t element;
};
int copy_fill_work(struct runtime *r, const struct copy_fill *fill, struct cuda_work *out);
int copy_fill_do(const struct copy_fill *f, struct cuda_stream *handle, enum copy_when when);

/* A copy to or from a variable of the program's kernels. */
struct copy_symbol {
	const char *call;
	const void *symbol;
	void *other;
	size_t bytes, offset;
	int kind;
	bool to_symbol;
};
int copy_symbol(struct runtime *r, const struct copy_symbol *symbol, struct cuda_work *out);
