#include "base/text.h"
#include "front/screen/debug_parts.h"
#include "front/view/views.h"

void screen_debug_memory_title(const struct debug *debug, struct buf *out)
{
	const struct debug_access *a = &debug->access;
	if (a->when != DEBUG_ACCESS_NEXT)
		return;
	struct access_cost cost = access_cost(&a->access, debug->cc);
	int n = a->access.space == SPACE_SHARED ? cost.wavefronts : cost.sectors;
	if (a->access.space == SPACE_SHARED)
		buf_printf(out, text_plural("%d wavefront", "%d wavefronts", (unsigned)n), n);
	else
		buf_printf(out, text_plural("%d sector", "%d sectors", (unsigned)n), n);
}

static void draw_head(struct canvas *canvas, struct rect rect, const struct debug *debug)
{
	const struct debug_access *a = &debug->access;
	struct buf text = {0};
	buf_printf(&text, "%s: %s; ", a->when == DEBUG_ACCESS_NEXT ? _("about to execute") : _("executed last"),
		debug_instr_text(debug->program, a->instr));
	debug_write_place(debug, a->instr, &text);
	canvas_text_fit(canvas, rect, a->when == DEBUG_ACCESS_NEXT ? ROLE_WATCHED : ROLE_DIM, buf_str(&text));
	buf_free(&text);
}

void screen_debug_draw_memory(struct canvas *canvas, struct rect rect, const struct debug *debug)
{
	const struct debug_access *a = &debug->access;
	if (a->when == DEBUG_ACCESS_NONE) {
		canvas_text_fit(canvas, rect, ROLE_DIM, _("This warp has not accessed shared or global memory yet."));
		return;
	}
	struct view_input input = {.access = &a->access, .cc = debug->cc};
	if (rect.rows < 1)
		return;
	draw_head(canvas, rect, debug);
	rect.row++;
	rect.rows--;
	view_draw(a->access.space == SPACE_SHARED ? VIEW_BANKS : VIEW_SECTORS, canvas, rect, &input);
}
