#include "cmd/access.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/expr.h"
#include "machine/simt/simt.h"

#define GLOBAL_BYTES ((uint64_t)1 << 48) /* as far as addresses reach */

/* Whether `width` bytes at `offset` are inside the space. */
static bool check_range(
	const struct warp_access *access, int lane, uint64_t offset, struct diag_pos pos, struct diag *diag)
{
	uint64_t bytes = access->space == SPACE_SHARED ? SIMT_SHARED_DEFAULT : GLOBAL_BYTES;
	if (offset <= bytes - access->width)
		return true;
	if (access->space == SPACE_SHARED)
		diag_error(diag, pos,
			"lane %d: bytes from %" PRIu64 " on are past the %u KiB of shared memory that a block can "
			"have",
			lane, offset, SIMT_SHARED_DEFAULT / 1024);
	else
		diag_error(diag, pos, "lane %d: byte %" PRIu64 " is past the 2^48 that addresses reach", lane, offset);
	return false;
}

bool cmd_access_parse_expr(struct arena *arena, const char *text, struct warp_access *access, struct diag *diag)
{
	static const char *const lane_name[] = {"lane"};
	static const struct expr_names names = {.names = lane_name, .n = 1};
	struct diag_pos start = diag_pos_in("EXPR", text, text);
	const struct expr *expr = expr_parse(arena, "EXPR", text, &names, diag);

	for (int64_t lane = 0; expr && lane < WARP_SIZE; lane++) {
		int64_t index;
		const char *why;
		if (!expr_eval(expr, &lane, &index, &why)) {
			diag_error(diag, start, "lane %d: %s", (int)lane, why);
			return false;
		}
		if (index < 0) {
			diag_error(diag, start, "lane %d: element %" PRId64 " is before the start of memory", (int)lane,
				index);
			return false;
		}
		/* An index so large that its offset would wrap: the offset could not be named in a message. */
		uint64_t reach = GLOBAL_BYTES / access->width,
			 element = (uint64_t)index < reach ? (uint64_t)index : reach;
		if ((uint64_t)index > element) {
			diag_error(diag, start,
				"lane %d: element %" PRId64 " is past the 2^48 bytes that addresses reach", (int)lane,
				index);
			return false;
		}
		access->address[lane] = element * access->width;
		if (!check_range(access, (int)lane, access->address[lane], start, diag))
			return false;
	}
	access->active = 0xFFFFFFFFu;
	return expr != NULL;
}

static bool is_separator(char c)
{
	return c == ',' || isspace((unsigned char)c);
}

/* One offset or `-`. Returns what follows it, or NULL after an error. */
static const char *parse_offset(
	const char *text, const char *p, int lane, struct warp_access *access, struct diag *diag)
{
	struct diag_pos here = diag_pos_in("--offsets", text, p);
	char *end;

	if (*p == '-' && (is_separator(p[1]) || !p[1]))
		return p + 1;
	if (*p == '-' && isdigit((unsigned char)p[1])) {
		diag_error(diag, here, "lane %d: an offset is 0 or more; an inactive lane is a lone '-'", lane);
		return NULL;
	}
	errno = 0;
	uint64_t offset = strtoull(p, &end, p[0] == '0' && (p[1] == 'x' || p[1] == 'X') ? 16 : 10);
	if (!isdigit((unsigned char)*p) || (*end && !is_separator(*end))) {
		diag_error(diag, here, "lane %d: expected a byte offset, or '-' for an inactive lane", lane);
		return NULL;
	}
	if (!check_range(access, lane, errno ? UINT64_MAX : offset, here, diag))
		return NULL;
	if (offset % access->width) {
		diag_error(diag, here, "lane %d: byte %" PRIu64 " is not a multiple of the width, %d bytes", lane,
			offset, access->width);
		return NULL;
	}
	access->active |= 1u << lane;
	access->address[lane] = offset;
	return end;
}

bool cmd_access_parse_offsets(const char *text, struct warp_access *access, struct diag *diag)
{
	const char *p = text;
	int lane = 0;

	access->active = 0;
	while (isspace((unsigned char)*p))
		p++;
	for (; *p && lane < WARP_SIZE; lane++) {
		p = parse_offset(text, p, lane, access, diag);
		if (!p)
			return false;

		while (isspace((unsigned char)*p))
			p++;
		if (*p == ',')
			p++;
		while (isspace((unsigned char)*p))
			p++;
	}
	if (lane == WARP_SIZE && !*p)
		return true;
	if (*p)
		diag_error(diag, diag_pos_in("--offsets", text, p), "more than %d offsets; a warp has %d lanes",
			WARP_SIZE, WARP_SIZE);
	else
		diag_error(diag, diag_pos_in("--offsets", text, p),
			"%d offset%s; a warp has %d lanes, and '-' means an inactive one", lane, lane == 1 ? "" : "s",
			WARP_SIZE);
	return false;
}
