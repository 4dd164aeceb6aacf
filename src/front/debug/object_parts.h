/* front/debug/object_parts.h: what object.c, value.c and expression.c share. */
#pragma once
#include "front/debug/object.h"

/* Built-in variables, each a number of a lane. */
#define DEBUG_BUILTINS 18
extern const char *const debug_builtin_names[DEBUG_BUILTINS];

bool debug_tag_is_address(int tag);
bool debug_tag_is_record(int tag);

/* Makes an object the member of it that this entry is. */
void debug_object_member(const struct debug_at *at, int member, struct debug_object *o);

/* Makes a pointer what it points to, in each lane; false: it is none. */
bool debug_object_follow(const struct debug_at *at, struct debug_object *o);

bool debug_object_is_real(const struct debug_at *at, const struct debug_object *o);

/* Makes it lie at an address of each lane's own: its own, and so many of its size on. False: it is not in memory. */
bool debug_object_spread(const struct debug_at *at, struct debug_object *o, const int64_t index[WARP_SIZE]);

/* The generic address of a byte of it, where it is in memory. */
bool debug_object_address(
	const struct debug_at *at, const struct debug_object *o, int lane, uint64_t from, uint64_t *out);

/* debug_object_find in so many indices. */
bool debug_object_find_in(
	const struct debug_at *at, const char **text, int depth, struct debug_object *out, const char **why);

/* The value of an index, lane by lane: whole numbers. */
bool debug_expression_index(
	const struct debug_at *at, const char *text, size_t len, int depth, int64_t out[WARP_SIZE], const char **why);
