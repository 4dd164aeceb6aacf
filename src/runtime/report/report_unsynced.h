/* runtime/report/report_unsynced.h: a host that uses managed or pinned memory while a kernel or a copy may use it, too. Inside runtime/
 * only.
 *
 * Such memory has two addresses: the program's, which kernels go by as well, and the machine's own. While there is work that the
 * program has not waited for, what that work was given of it cannot be touched at the first: each access is caught, noted and let
 * through, an instruction at a time, and judged when the work has ended: wrong is a read of what the work writes, and a write of
 * what it reads or writes. Kernels that talk to the host (volatile or system-wide accesses to global memory) are left alone. */
#pragma once
#include <signal.h>

#include "machine/warp/warp.h"
#include "runtime/stream/queue.h"

/* Memory that kernels and the host share, and where the machine has it; NULL: there is none. Freed by report_share_free. */
void *report_share(size_t bytes, void **machine);
void report_share_free(void *host, void *machine, size_t bytes);

/* A stream was asked for this; the host has waited for all of a stream up to a number, or for everything (NULL). */
void report_submitted(struct runtime *r, struct cuda_operation *o);
void report_waited(struct runtime *r, const struct cuda_stream *stream, uint64_t number);

/* The program ends: judges what is left. */
void report_unsynced_end(struct runtime *r);

/* The uses of a launch, and what it accesses; by many threads. */
struct report_uses;
void report_use(const struct report_uses *uses, const struct warp_access *access);

/* SIGSEGV, and SIGTRAP after it. False: it is not for us. */
bool report_touched(const siginfo_t *info, void *context);
bool report_stepped(void *context);
