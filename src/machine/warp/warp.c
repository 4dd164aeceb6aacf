#include "machine/warp/warp.h"

static const struct {
	const char *name;
	uint32_t spaces;
} ops[] = {
#define OP(id, name, spaces, meaning) {name, spaces},
	ACCESS_OPS(OP)
#undef OP
};

const char *warp_space_name(enum mem_space space)
{
	static const char *const names[] = {
		[SPACE_GENERIC] = "generic",
		[SPACE_SHARED] = "shared",
		[SPACE_GLOBAL] = "global",
		[SPACE_LOCAL] = "local",
		[SPACE_CONST] = "const",
		[SPACE_PARAM] = "param",
	};
	return names[space];
}

const char *warp_op_name(enum access_op op)
{
	return ops[op].name;
}

const char *warp_op_verb(enum access_op op)
{
	if (warp_op_is_atomic(op))
		return "atomic";
	return op == ACCESS_STORE || op == ACCESS_STORE_MATRIX ? "store" : "load";
}

const char *warp_op_phrase(enum access_op op)
{
	if (warp_op_is_atomic(op))
		return "atomic on";
	return op == ACCESS_STORE || op == ACCESS_STORE_MATRIX ? "store to" : "load from";
}

bool warp_op_exists_in(enum access_op op, enum mem_space space)
{
	return ops[op].spaces >> space & 1;
}
