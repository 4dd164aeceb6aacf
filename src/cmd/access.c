#include "config.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "cmd/access.h"
#include "cmd/cmd.h"
#include "cmd/confined.h"
#include "cmd/json.h"
#include "cmd/picture.h"
#include "cmd/play.h"
#include "front/view/views.h"
#include "model/hardware/access.h"

/* --- in words ----------------------------------------------------------------------------------------------------- */

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

static void explain_shared(const struct warp_access *access, int cc, const struct access_cost *cost, struct buf *out)
{
	uint32_t groups[BANKS_GROUPS_MAX];
	int n = bank_groups(access, cc, groups), most = 0;
	char requests[48], wavefronts[48], words[64], conflicts[64];

	/* The most wavefronts that one bank takes, in the group of lanes that needs most. */
	for (int i = 0; i < n; i++) {
		struct warp_access one = *access;
		one.active = groups[i];
		int busiest = bank_wavefronts(&one, cc, NULL, 0);
		most = busiest > most ? busiest : most;
	}

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

void cmd_access_explain(const struct warp_access *access, int cc, struct buf *out)
{
	struct access_cost cost = access_cost(access, cc);

	if (!access->active) {
		buf_puts(out,
			cost.requests ? _("No lane is active: the request takes no wavefront.")
				      : _("No lane is active, so the warp makes no request."));
		return;
	}
	if (access->space == SPACE_SHARED) {
		explain_shared(access, cc, &cost, out);
	} else if (access->space == SPACE_CONST) {
		char requests[48], replays[48];
		buf_printf(out,
			_("Constant memory serves one address per pass, for all lanes that read it. The model predicts %s and %s%s"),
			REQUESTS(requests, cost.requests), IN_WORDS(replays, "%d replay", "%d replays", cost.replays),
			cost.replays ? _(": one more pass for each further address.")
				     : _(": all lanes read the same address."));
	} else {
		explain_sectors(access, &cost, out);
	}
	if (access_doubt(access, cc))
		buf_printf(out, _(" On compute capability %d.%d this rule %s."), cc / 10, cc % 10,
			access_doubt(access, cc));
}

/* --- the command -------------------------------------------------------------------------------------------------- */

#define COLS 80
#define ROWS 60 /* enough for every wavefront of any access; empty rows are cut off */

static int run_access(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

static const struct cmd_option options[] = {
	{"space", 0, "SPACE", N_("shared, global, local or const")},
	{"op", 0, "OP",
		N_("ld, st, atom, red, exch, cas, fadd, count, ldmatrix, stmatrix, cp.async or cp.async.cg; see below")},
	{"width", 0, "BYTES", N_("bytes per lane: 1, 2, 4, 8 or 16; 4 by default, where the op has that width")},
	{"offsets", 0, "LIST", N_("32 byte offsets separated by commas, - for an inactive lane")},
	{"size", 0, "COLSxROWS", N_("room for the picture; 80x60 by default")},
	{"format", 0, "FORMAT", PICTURE_FORMATS},
	{"cc", 0, "CC", N_("the rules of this compute capability, as in 9.0, the default")},
	{0},
};

const struct cmd_entry cmd_access_entry = {
	.name = "access",
	.usage =
		"--space shared|global|local|const --op OP [--width BYTES] (EXPR | --offsets LIST) [--size COLSxROWS] " PICTURE_USAGE
		" [--cc CC]",
	.summary = N_("explain one access of a warp to memory"),
	.details = N_(
		"EXPR is a C integer expression in lane (0 to 31) for the index of the element that each lane "
		"accesses, such as 'lane*33' or '(lane*32 + (lane^7)) % 1024'. Offsets into local memory are within "
		"each thread's own. The numbers are the model's: requests, and wavefronts and bank conflicts of "
		"shared memory, sectors of global and local memory, or replays of constant memory.\n"
		"OP names what the hardware handles differently: ld, st, atom (an integer operation that returns the "
		"old value), red (one whose old value is not used), exch, cas, fadd (atomic addition of floats), "
		"count (atomic addition of 1 whose old value is not used), ldmatrix, stmatrix, and what cp.async "
		"(.ca) and cp.async.cg read. In JSON, \"verified\" says whether the rule was checked on hardware of "
		"this compute capability."),
	.options = options,
	.run = run_access,
	.needs = cmd_needs_no_files,
};

struct access_request {
	const char *space, *op, *width, *cc_text, *expr, *offsets;
	struct warp_access access;
	int cc, cols, rows, format;
};

/* --- arguments ---------------------------------------------------------------------------------------------------- */

static bool read_space(struct cmd_ctx *ctx, struct access_request *r)
{
	for (int s = SPACE_SHARED; s <= SPACE_CONST; s++) {
		r->access.space = (enum mem_space)s;
		if (strcmp(warp_space_name(r->access.space), r->space) == 0)
			return true;
	}
	return cmd_bad_value(ctx, "--space", r->space, "shared, global, local or const");
}

static bool read_op(struct cmd_ctx *ctx, struct access_request *r)
{
	struct buf names = {0};
	for (int o = 0; o < ACCESS_OPS_N; o++) {
		r->access.op = (enum access_op)o;
		if (strcmp(warp_op_name(r->access.op), r->op) == 0)
			return buf_free(&names), true;
		buf_printf(&names, "%s%s",
			o == 0                          ? ""
				: o == ACCESS_OPS_N - 1 ? " or "
							: ", ",
			warp_op_name(r->access.op));
	}
	cmd_bad_value(ctx, "--op", r->op, arena_strdup(ctx->arena, buf_str(&names)));
	buf_free(&names);
	return false;
}

/* The width that was given, or else 4 bytes where the op has that. */
static bool read_width(struct cmd_ctx *ctx, struct access_request *r)
{
	static const char *const names[] = {"1", "2", "4", "8", "16"};
	uint32_t widths = access_widths(r->access.space, r->access.op);
	struct buf text = {0};
	for (uint32_t left = widths; left; left &= left - 1) { /* "4, 8 or 16" */
		const char *before = left == widths ? "" : left & (left - 1) ? ", " : " or ";
		buf_printf(&text, "%s%u", before, left & -left);
	}
	const char *list = arena_strdup(ctx->arena, buf_str(&text));
	buf_free(&text);

	for (size_t i = 0; r->width && i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i], r->width) == 0)
			r->access.width = (uint8_t)(1 << i);
	if (r->width && !r->access.width)
		return cmd_bad_value(ctx, "--width", r->width, "1, 2, 4, 8 or 16");
	if (!widths)
		return cmd_bad_value(ctx, "--op", r->op,
			arena_printf(ctx->arena, "an access that %s memory has", warp_space_name(r->access.space)));
	if (!r->width)
		r->access.width = (uint8_t)(widths & 4);
	if (r->width && !(widths & r->access.width))
		return cmd_bad_value(ctx, "--width", r->width,
			arena_printf(ctx->arena, "%s: the bytes per lane that %s has", list, r->op));
	if (!r->access.width)
		cmd_usage(ctx, &cmd_access_entry, "--op %s needs --width %s", r->op, list);
	return r->access.width;
}

static bool read_access_argument(struct cmd_ctx *ctx, const struct cmd_parsed *arg, struct access_request *r)
{
	const struct {
		const char *name;
		const char **to;
	} texts[] = {{"space", &r->space}, {"op", &r->op}, {"width", &r->width}, {"offsets", &r->offsets},
		{"cc", &r->cc_text}};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		if (cmd_is(arg, texts[i].name)) {
			*texts[i].to = arg->value;
			return true;
		}
	}
	if (cmd_is(arg, "format"))
		return picture_format(ctx, arg->value, &r->format);
	if (cmd_is(arg, "size"))
		return cmd_size(ctx, arg->value, &r->cols, &r->rows);
	if (r->expr) {
		cmd_usage(ctx, &cmd_access_entry,
			"give only one expression: '%s' is a second one (quote an expression with blanks)", arg->value);
		return false;
	}
	r->expr = arg->value;
	return true;
}

/* --- the answer --------------------------------------------------------------------------------------------------- */

static int run_access(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct access_request r = {.cc_text = "9.0", .cols = COLS, .rows = ROWS, .format = PICTURE_DEFAULT};
	struct buf out = {0};

	for (int i = 0; i < n; i++)
		if (!read_access_argument(ctx, &args[i], &r))
			return EXIT_USAGE;
	const char *missing = !r.space  ? "--space is missing"
		: !r.op                 ? "--op is missing"
		: !r.expr && !r.offsets ? "which addresses? give an expression in lane, or --offsets"
		: r.expr && r.offsets   ? "give an expression or --offsets, not both"
					: NULL;
	if (missing)
		return cmd_usage(ctx, &cmd_access_entry, "%s", missing);
	if (!read_space(ctx, &r) || !read_op(ctx, &r) || !read_width(ctx, &r) || !cmd_cc(ctx, r.cc_text, &r.cc))
		return EXIT_USAGE;
	if (!(r.expr ? cmd_access_parse_expr(ctx->arena, r.expr, &r.access, &ctx->diag)
		     : cmd_access_parse_offsets(r.offsets, &r.access, &ctx->diag)))
		return EXIT_USAGE;

	r.format = picture_choose(ctx, r.format);
	if (r.format == PICTURE_JSON) {
		const struct warp_access *a = &r.access;
		struct access_cost cost = access_cost(a, r.cc);
		json_t *object = json_pack("{ss ss si si si}", "space", warp_space_name(a->space), "op",
			warp_op_name(a->op), "width", a->width, "active_lanes", __builtin_popcount(a->active),
			"requests", cost.requests);
		json_t *more = a->space == SPACE_SHARED
			? json_pack("{si si si}", "wavefronts", cost.wavefronts, "ideal_wavefronts",
				  cost.ideal_wavefronts, "bank_conflicts", cost.bank_conflicts)
			: a->space == SPACE_CONST
			? json_pack("{si}", "replays", cost.replays)
			: json_pack("{si si si si}", "sectors", cost.sectors, "ideal_sectors", cost.ideal_sectors,
				  "bytes_used", cost.bytes_used, "bytes_moved", cost.bytes_moved);
		json_t *source = json_pack("{ss si sb}", "witness", "model", "cc", r.cc, "verified", cost.exact);
		json_object_update(object, more);
		json_object_update(object, source);
		cmd_json_write(object, JSON_PRESERVE_ORDER, &out);
		json_decref(source);
		json_decref(more);
	} else {
		struct canvas *canvas = canvas_new(r.rows, r.cols);
		struct warp_access local = local_word(&r.access, 0);
		struct view_input input = view_input_none;
		input.access = r.access.space == SPACE_LOCAL ? &local : &r.access;
		input.cc = r.cc;
		input.place = "";
		view_id view = r.access.space == SPACE_SHARED ? VIEW_BANKS : VIEW_SECTORS;
		struct buf title = {0}, explanation = {0}, line = {0};
		int row = 1;

		cmd_access_title(&r.access, r.expr, &title);
		cmd_access_explain(&r.access, r.cc, &explanation);
		canvas_text_fit(canvas, (struct rect){0, 0, 1, r.cols}, ROLE_TITLE, buf_str(&title));
		const char *text = buf_str(&explanation);
		for (size_t len = strlen(text), next; len > 0; text += next, len -= next) {
			buf_clear(&line);
			buf_append(&line, text, wrap_line(text, len, canvas->cols, WRAP_AT_BLANKS, &next));
			canvas_text(canvas, row++, 0, ROLE_TEXT, buf_str(&line));
		}
		row++;

		/* Constant memory has no picture; that of local memory has the first word of each lane. */
		if (r.access.active && r.access.space != SPACE_CONST)
			view_draw(view, canvas, (struct rect){row, 0, r.rows - row, r.cols}, &input);
		picture_crop(canvas);
		picture_write(ctx, canvas, r.format, buf_str(&title), &out);
		buf_free(&title);
		buf_free(&explanation);
		buf_free(&line);
		canvas_free(canvas);
	}
	int status = cmd_print_colored(ctx, &out) ? EXIT_OK : EXIT_FAILED;
	buf_free(&out);
	return status;
}

bool play_read_access(
	struct cmd_ctx *ctx, const char *space, const char *op, const char *width, struct tutor_playground_tried *tried)
{
	struct access_request r = {.space = space ? space : "shared", .op = op ? op : "ld", .width = width};
	if (!read_space(ctx, &r) || !read_op(ctx, &r) || !read_width(ctx, &r))
		return false;
	tried->space = r.access.space;
	tried->op = r.access.op;
	tried->width = r.access.width;
	return true;
}
