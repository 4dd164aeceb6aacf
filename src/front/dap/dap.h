/* front/dap/dap.h: the Debug Adapter Protocol over a debugger, without descriptors: bytes of the client go in, messages
 * to it come out.
 *
 * https://microsoft.github.io/debug-adapter-protocol, version 1.65. Threads of the protocol are warps of the followed
 * block: thread 32 B + W + 1 is warp W of block B. Lines and columns are from 1 unless the client says otherwise.
 * Instructions have addresses: their number in the kernel.
 *
 * It answers `initialize` and then waits for `launch`: `dap_wants_launch` gives its arguments, from which the caller
 * makes a debugger, and calls dap_launched or dap_failed. Messages from a client are bounded, and one that cannot be is
 * answered by an error. */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/diag.h"
#include "front/debug/debug.h"

#define DAP_MESSAGE_MAX ((size_t)1 << 20) /* bytes of one */
#define DAP_HEADER_MAX 4096               /* bytes before it */

struct dap;
struct dap *dap_new(void);
void dap_free(struct dap *dap); /* not the debugger */

/* Bytes of the client. False: the connection is of no more use, as they are no message. */
bool dap_take(struct dap *dap, const char *bytes, size_t len);

/* What is to be sent; the caller empties it. */
struct buf *dap_out(struct dap *dap);

/* The arguments of `launch`, which waits for an answer; NULL: it has not come. They live as long as `dap`. */
const json_t *dap_wants_launch(const struct dap *dap);

/* Its answers. `name` is the program's, for the reader; the texts of sources are the debugger's. `path` is where the
 * source can be opened by the client; NULL: it asks for its text. What came after `launch` is taken now. */
struct dap_launched {
	struct debug *debug;
	const char *name, *path;
	const char *where; /* the host's line, in words; "" */
};
void dap_launched(struct dap *dap, const struct dap_launched *with);
void dap_failed(struct dap *dap, const char *message);

/* What the program itself printed. */
void dap_output(struct dap *dap, const char *category, const char *text, size_t len);

/* Whether there is something to run, and a slice of it. */
bool dap_busy(const struct dap *dap);
void dap_work(struct dap *dap);

/* The client is gone, or has asked for the end. */
bool dap_over(const struct dap *dap);
