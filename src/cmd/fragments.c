#include "cmd/cmd.h"
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cmd/confined.h"
#include "cmd/json.h"
#include "cmd/picture.h"
#include "front/view/views.h"
#include "machine/ptx/matrix.h"

#define COLS 128
#define ROWS 90 /* room for a product of 32 by 8 by 32 elements, as it is drawn */

static int run_fragments(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

static const struct cmd_option options[] = {
	{"lane", 0, "N", N_("light the elements of this lane, and say which registers they are in; 0 to 31")},
	{"size", 0, "COLSxROWS", N_("room for the picture; 128x90 by default")},
	{"format", 0, "FORMAT", PICTURE_FORMATS},
	{0},
};

const struct cmd_entry cmd_fragments_entry = {
	.name = "fragments",
	.usage = "INSTRUCTION [--lane N] [--size COLSxROWS] " PICTURE_USAGE,
	.summary = N_("show which lane has which elements in a matrix instruction"),
	.details = N_(
		"INSTRUCTION is an opcode of PTX with its suffixes, such as mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32: an mma, wmma, "
		"wgmma, ldmatrix, stmatrix or movmatrix. The layouts are those that the SIMT machine computes with. In JSON each tile has its "
		"elements by rows: the lane that has one, and the element's number among those of the lane; of a wgmma only the rows of the "
		"first warp."),
	.options = options,
	.run = run_fragments,
	.needs = cmd_needs_no_files,
};

struct fragments_request {
	const char *opcode;
	struct view_pick picked;
	int cols, rows, format;
};

static int run_fragments(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct fragments_request r = {.cols = COLS, .rows = ROWS, .format = PICTURE_DEFAULT};
	struct warp_tiles tiles;
	struct buf out = {0};

	for (int i = 0; i < n; i++) {
		const char *value = args[i].value;
		bool ok = true;
		if (cmd_is(&args[i], "lane")) {
			char *end;
			long lane = strtol(value, &end, 10);
			r.picked = (struct view_pick){THING_LANE, lane};
			ok = (end != value && !*end && lane >= 0 && lane < WARP_SIZE) ||
				cmd_bad_value(ctx, "--lane", value, "0 to 31");
		} else if (cmd_is(&args[i], "size")) {
			ok = cmd_size(ctx, value, &r.cols, &r.rows);
		} else if (cmd_is(&args[i], "format")) {
			ok = picture_format(ctx, value, &r.format);
		} else if (r.opcode) {
			cmd_usage(ctx, &cmd_fragments_entry, "one instruction at a time");
			ok = false;
		} else {
			r.opcode = value;
		}
		if (!ok)
			return EXIT_USAGE;
	}
	if (!r.opcode)
		return cmd_usage(ctx, &cmd_fragments_entry,
			"which instruction? for example mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");

	const char *why = ptx_tiles_of_opcode(ctx->arena, r.opcode, &tiles);
	if (why) {
		diag_error(&ctx->diag, (struct diag_pos){0}, "'%s': %s", r.opcode, why);
		return EXIT_USAGE;
	}
	r.format = picture_choose(ctx, r.format);
	if (r.format == PICTURE_JSON) {
		cmd_json_write(cmd_json_tiles(&tiles), JSON_PRESERVE_ORDER, &out);
	} else {
		struct view_input input = view_input_none;
		input.tiles = &tiles;
		input.place = "";
		input.picked = r.picked;
		struct canvas *canvas = canvas_new(r.rows, r.cols);
		view_draw(VIEW_FRAGMENTS, canvas, (struct rect){0, 0, r.rows, r.cols}, &input);
		picture_crop(canvas);
		picture_write(ctx, canvas, r.format, tiles.name, &out);
		canvas_free(canvas);
	}
	int status = cmd_print_colored(ctx, &out) ? EXIT_OK : EXIT_FAILED;
	buf_free(&out);
	return status;
}
