/* machine/simt/math.h: calls of libdevice's functions. Inside simt/ only. */
#pragma once
#include "machine/simt/code.h"

/* What calls the function; NULL: it is none of them. */
exec_fn *simt_math_exec(enum ptx_builtin builtin);
