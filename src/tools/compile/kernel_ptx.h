/* tools/compile/kernel_ptx.h: what a compiler made of a kernel -> the PTX that is kept beside it: of the oldest version that it needs, with
 * lines of the course's own files alone, and with no name of a folder of this machine. */
#pragma once
#include "base/buf.h"

struct kernel_ptx {
	const char *version;      /* of PTX: "6.3" */
	const char *main;         /* the kernel's source as a .file directive names it */
	const char *const *roots; /* folders whose names are left out, with a slash at the end; ends in NULL */
};

/* Appends it. */
void cmd_kernel_ptx_keep(const struct kernel_ptx *how, const char *text, size_t len, struct buf *out);
