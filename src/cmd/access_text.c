#include "cmd/access_text.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "model/hardware/access.h"

/* How many there are of what, in words, in an array. */
#define IN_WORDS(array, one, many, n) (snprintf(array, sizeof(array), text_plural(one, many, (unsigned)(n)), n), array)
#define REQUESTS(array, n) IN_WORDS(array, "%d request", "%d requests", n)
#define WAVEFRONTS(array, n) IN_WORDS(array, "%d wavefront", "%d wavefronts", n)

void cmd_access_title(const struct warp_access *access, const char *expr, struct buf *out)
{
	int lanes = __builtin_popcount(access->active);
	char each[48], all[48];
	buf_printf(out, "%s %s, %s, %s", warp_space_name(access->space), warp_op_name(access->op),
		IN_WORDS(each, "%d byte per lane", "%d bytes per lane", access->width),
		IN_WORDS(all, "%d lane", "%d lanes", lanes));
	if (expr)
		buf_printf(out, ": %s", expr);
}

/* The most wavefronts that one bank takes, in the group of lanes that needs most. */
static int busiest_bank(const struct warp_access *access, int cc)
{
	uint32_t groups[BANKS_GROUPS_MAX];
	int n = bank_groups(access, cc, groups), most = 0;
	for (int i = 0; i < n; i++) {
		struct warp_access one = *access;
		one.active = groups[i];
		int wavefronts = bank_wavefronts(&one, cc, NULL, 0);
		most = wavefronts > most ? wavefronts : most;
	}
	return most;
}

static void explain_shared(const struct warp_access *access, int cc, const struct access_cost *cost, struct buf *out)
{
	uint32_t groups[BANKS_GROUPS_MAX];
	int n = bank_groups(access, cc, groups), most = busiest_bank(access, cc);
	char requests[48], wavefronts[48], words[64], conflicts[64];

	if (n > 1)
		buf_printf(out, _("The hardware serves these lanes in %d groups, one after the other. "), n);
	if (access->op == ACCESS_ADD_FLOAT)
		buf_printf(out,
			_("Adding floats is compiled to a loop that loads, adds, and stores if the value is still the one loaded; "
			  "each round is a request, in which one lane per bank succeeds, in two wavefronts. The loads make %s "
			  "of %s in all. "),
			REQUESTS(requests, cost->loop_loads), WAVEFRONTS(wavefronts, cost->loop_load_wavefronts));
	else if (access->op == ACCESS_CAS)
		buf_printf(out,
			_("Lanes of an atomic share no wavefront in a bank, and each takes two, to compare and to swap: the "
			  "busiest bank takes %d. "),
			most);
	else if (warp_op_is_atomic(access->op) && access->op != ACCESS_COUNT)
		buf_printf(out,
			_("Lanes of an atomic share nothing: a bank serves one lane per wavefront, and the busiest bank serves "
			  "%d. "),
			most);
	else
		buf_printf(out, _("A bank delivers one 4-byte word per wavefront, and the busiest bank has %s%s. "),
			IN_WORDS(words, "%d word to deliver", "%d words to deliver", most),
			n > 1 ? _(" to one group") : "");
	buf_printf(out, _("So the model predicts %s of %s%s, where %d would be the fewest: "),
		REQUESTS(requests, cost->requests), WAVEFRONTS(wavefronts, cost->wavefronts),
		cost->requests > 1 ? _(" in all") : "", cost->ideal_wavefronts);
	if (cost->bank_conflicts)
		buf_puts(out, IN_WORDS(conflicts, "%d bank conflict.", "%d bank conflicts.", cost->bank_conflicts));
	else
		buf_puts(out, _("no bank conflict."));
}

static void explain_sectors(const struct warp_access *access, const struct access_cost *cost, struct buf *out)
{
	char requests[48], sectors[48];
	if (access->space == SPACE_LOCAL)
		buf_puts(out,
			_("Local memory is interleaved: one word of all 32 lanes fills a cache line, the next word the next "
			  "one; a request moves one word per lane. "));
	buf_printf(out,
		_("Memory moves in sectors of 32 bytes. The model predicts %s of %s%s: %d bytes moved, %d used (%.0f%%). "),
		REQUESTS(requests, cost->requests), IN_WORDS(sectors, "%d sector", "%d sectors", cost->sectors),
		cost->requests > 1 ? _(" in all") : "", cost->bytes_moved, cost->bytes_used,
		100.0 * cost->bytes_used / cost->bytes_moved);
	if (cost->sectors * MODEL_SECTOR_BYTES > cost->bytes_moved)
		buf_puts(
			out, _("Lanes of an atomic with the same address take turns, and each turn counts a sector. "));
	if (cost->sectors > cost->ideal_sectors)
		buf_printf(out, _("Next to each other, these bytes would fit in %d."), cost->ideal_sectors);
	else
		buf_puts(out, _("These bytes do not fit in fewer sectors."));
}

static void explain_const(const struct access_cost *cost, struct buf *out)
{
	char requests[48], replays[48];
	buf_printf(out,
		_("Constant memory serves one address per pass, for all lanes that read it. The model predicts %s and %s%s"),
		REQUESTS(requests, cost->requests), IN_WORDS(replays, "%d replay", "%d replays", cost->replays),
		cost->replays ? _(": one more pass for each further address.")
			      : _(": all lanes read the same address."));
}

void cmd_access_explain(const struct warp_access *access, int cc, struct buf *out)
{
	struct access_cost cost = access_cost(access, cc);

	if (!access->active) {
		buf_puts(out,
			cost.requests ? _("No lane is active: the request takes no wavefront.")
				      : _("No lane is active, so the warp makes no request."));
		return;
	}
	if (access->space == SPACE_SHARED)
		explain_shared(access, cc, &cost, out);
	else if (access->space == SPACE_CONST)
		explain_const(&cost, out);
	else
		explain_sectors(access, &cost, out);
	if (access_doubt(access, cc))
		buf_printf(out, _(" On compute capability %d.%d this rule %s."), cc / 10, cc % 10,
			access_doubt(access, cc));
}

int cmd_access_draw_wrapped(struct canvas *canvas, int row, const char *text)
{
	struct buf line = {0};
	for (size_t len = strlen(text), next; len > 0; text += next, len -= next) {
		buf_clear(&line);
		buf_append(&line, text, wrap_line(text, len, canvas->cols, WRAP_AT_BLANKS, &next));
		canvas_text(canvas, row++, 0, ROLE_TEXT, buf_str(&line));
	}
	buf_free(&line);
	return row;
}
