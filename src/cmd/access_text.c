#include "cmd/access_text.h"

#include <string.h>

#include "base/utf8.h"
#include "model/banks.h"

static const char *plural(int n)
{
	return n == 1 ? "" : "s";
}

void access_title(const struct warp_access *access, const char *expr, struct buf *out)
{
	int lanes = __builtin_popcount(access->active);
	buf_printf(out, "%s %s, %d byte%s a lane, %d lane%s", access_space_name(access->space), access_op_name(access->op),
		access->width, plural(access->width), lanes, plural(lanes));
	if (expr)
		buf_printf(out, ": %s", expr);
}

/* The most that one bank has to do, in the group of lanes that asks most. */
static int busiest(const struct warp_access *access, int cc)
{
	uint32_t groups[BANKS_GROUPS_MAX];
	int n = bank_groups(access, cc, groups), most = 0;
	for (int i = 0; i < n; i++) {
		struct warp_access one = *access;
		one.active = groups[i];
		int waves = bank_wavefronts(&one, cc, NULL, 0);
		most = waves > most ? waves : most;
	}
	return most;
}

static void explain_shared(const struct warp_access *access, int cc, const struct access_cost *cost, struct buf *out)
{
	uint32_t groups[BANKS_GROUPS_MAX];
	int n = bank_groups(access, cc, groups), most = busiest(access, cc);

	if (n > 1)
		buf_printf(out, "The hardware takes these lanes in %d groups, one after the other. ", n);
	if (access->op == ACCESS_ATOMIC)
		buf_printf(out, "Lanes of an atomic share nothing: a bank serves one lane a wavefront, and the busiest bank serves "
			"%d. ", most);
	else
		buf_printf(out, "A bank delivers one 4-byte word a wavefront, and the busiest bank has %d word%s to deliver%s. ",
			most, plural(most), n > 1 ? " to one group" : "");
	buf_printf(out, "So the model predicts 1 request of %d wavefront%s, where %d would be the fewest: ", cost->wavefronts,
		plural(cost->wavefronts), cost->ideal_wavefronts);
	if (cost->bank_conflicts)
		buf_printf(out, "%d bank conflict%s.", cost->bank_conflicts, plural(cost->bank_conflicts));
	else
		buf_puts(out, "no bank conflict.");
}

static void explain_global(const struct access_cost *cost, struct buf *out)
{
	buf_printf(out, "Memory moves in sectors of 32 bytes. The model predicts 1 request of %d sector%s: %d bytes moved, %d "
		"used (%.0f%%). ", cost->sectors, plural(cost->sectors), cost->bytes_moved, cost->bytes_used,
		100.0 * cost->bytes_used / cost->bytes_moved);
	if (cost->sectors > cost->ideal_sectors)
		buf_printf(out, "Side by side, these bytes would fit in %d.", cost->ideal_sectors);
	else
		buf_puts(out, "No fewer sectors hold these bytes.");
}

void access_explain(const struct warp_access *access, int cc, struct buf *out)
{
	struct access_cost cost = access_cost(access, cc);

	if (!access->active) {
		buf_puts(out, access->space == ACCESS_SHARED ? "No lane is active: the request takes no wavefront." :
			"No lane is active, so the warp makes no request.");
		return;
	}
	if (access->space == ACCESS_SHARED)
		explain_shared(access, cc, &cost, out);
	else
		explain_global(&cost, out);
	if (!cost.exact)
		buf_printf(out, " This rule was not verified on hardware of compute capability %d.%d.", cc / 10, cc % 10);
}

int access_draw_wrapped(struct canvas *canvas, int row, const char *text)
{
	int col = 0;
	while (*text) {
		size_t len = strcspn(text, " ");
		struct buf word = {0};
		buf_append(&word, text, len);
		int cols = utf8_columns(buf_str(&word));
		if (col && col + 1 + cols > canvas->cols) {
			col = 0;
			row++;
		}
		col += canvas_text(canvas, row, col ? col + 1 : 0, ROLE_TEXT, buf_str(&word)) + (col > 0);
		buf_free(&word);
		text += len;
		text += *text == ' ';
	}
	return row + 1;
}
