#include "front/screen/screen.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "front/screen/flow.h"
#include "front/screen/parts.h"

#define BESIDE_COLS 90 /* from here on what comes next stands beside the notes */
#define SIDE_COLS 44

/* --- the notes ---------------------------------------------------------------------------------------------------- */

/* --- what comes, and what is covered ------------------------------------------------------------------------------ */

static void flow_line(struct screen_flow *flow, enum role role, const char *lead, const char *text)
{
	struct buf line = {0};
	buf_printf(&line, "%s%s", lead, text);
	screen_flow_plain(flow, role, "", 2, buf_str(&line));
	buf_free(&line);
}

static void flow_side(struct screen_flow *flow, const struct notes_slide *slide)
{
	flow_line(flow, ROLE_KEY, _("Next key: "), slide->reveals);
	if (*slide->next)
		flow_line(flow, ROLE_TEXT, _("Next slide: "), slide->next);
	if (slide->blank)
		screen_flow_plain(flow, ROLE_WATCHED, "", 0, _("The screen is blank; any key shows it."));
	if (slide->covered)
		screen_flow_plain(flow, ROLE_WATCHED, "", 0, _("What answers the question is covered."));
	if (*slide->question) {
		screen_flow_gap(flow);
		screen_flow_rule(flow, slide->voting ? _("vote") : _("question"));
		screen_flow_plain(flow, ROLE_TEXT, "", 0, slide->question);

		struct buf line = {0};
		for (int i = 0; i < slide->n_options; i++) {
			const struct notes_option *o = &slide->options[i];
			buf_clear(&line);
			buf_printf(&line, "%4d  %s", o->hands, o->text);
			screen_flow_plain(flow, o->right ? ROLE_GOOD : ROLE_TEXT, "", 6, buf_str(&line));
		}
		buf_free(&line);

		if (*slide->answer)
			flow_line(flow, ROLE_GOOD, _("Answer: "), slide->answer);
	}
	screen_flow_gap(flow);
	flow_line(flow, ROLE_DIM, _("Numbers: "), slide->status);
	if (*slide->notice)
		screen_flow_plain(flow, ROLE_WATCHED, "", 0, slide->notice);
}

/* --- the screen --------------------------------------------------------------------------------------------------- */

void screen_notes_draw(struct canvas *canvas, const struct screen_notes *notes)
{
	const struct notes_slide *slide = notes->slide;
	canvas_clear(canvas);

	int row = canvas->rows - 1;
	if (slide)
		canvas_textf(canvas, row, 1, ROLE_DIM, _("piece %d of %d"), slide->shown, slide->pieces);
	const char *keys = _("PgDn on  PgUp back  b blank  q leave");
	canvas_text(canvas, row, canvas->cols - utf8_columns(keys) - 1, ROLE_DIM, keys);

	if (!slide) {
		struct screen_flow flow = {.canvas = canvas, .row = 1, .col = 1, .cols = canvas->cols - 2};
		screen_flow_plain(&flow, ROLE_TITLE, "", 0, notes->why);
		screen_flow_gap(&flow);
		screen_flow_plain(&flow, ROLE_TEXT, "", 0,
			_("The notes come when `simttutor present LESSON` runs on this host, as the same user."));

		return;
	}

	/* Where we are, and the time: that of the room, and that of the talk. */
	char time[48], right[80], where[160];
	int64_t elapsed = notes->now > slide->began ? notes->now - slide->began : 0;
	int n = snprintf(time, sizeof time, "%d:%02d", (int)(elapsed / 60), (int)(elapsed % 60));
	if (slide->minutes && (size_t)n < sizeof time)
		snprintf(time + n, sizeof time - (size_t)n, _(" of %d:00"), slide->minutes);

	int cols = snprintf(right, sizeof right, "%s  %s", notes->clock, time);
	bool late = slide->minutes && notes->now - slide->began >= slide->minutes * 60;
	snprintf(where, sizeof where, "%.60s %d/%d  %.80s", slide->lesson, slide->step, slide->steps, slide->title);
	canvas_text_fit(canvas, (struct rect){0, 1, 1, canvas->cols - cols - 4}, ROLE_TITLE, where);
	canvas_text(canvas, 0, canvas->cols - cols - 1, late ? ROLE_BAD : ROLE_STRONG, right);

	canvas_hline(canvas, 1, 0, canvas->cols, ROLE_FRAME);
	bool beside = canvas->cols >= BESIDE_COLS;
	int end = canvas->rows - 1;
	struct rect body = {2, 1, end - 2, canvas->cols - 2};
	struct rect text = {2, 2, body.rows, beside ? body.cols - SIDE_COLS - 4 : body.cols - 2};
	struct rect old = canvas_clip(canvas, body);
	struct screen_flow flow = {.canvas = canvas, .row = text.row, .col = text.col, .cols = text.cols};

	/* Paragraphs, with empty lines between; a line that begins with a dash begins one, too. */
	struct buf paragraph = {0};
	bool any = false;
	for (const char *at = slide->notes; *at || paragraph.len;) {
		size_t len = strcspn(at, "\n");
		bool item = at[0] == '-' && at[1] == ' ', empty = strspn(at, " \t") >= len;
		if ((empty || item || !*at) && paragraph.len) {
			if (any && paragraph.data[0] != '-')
				screen_flow_gap(&flow);
			bool is_item = paragraph.data[0] == '-' && paragraph.len > 2;
			screen_flow_plain(&flow, ROLE_STRONG, is_item ? "• " : "", is_item ? 2 : 0,
				buf_str(&paragraph) + (is_item ? 2 : 0));
			buf_clear(&paragraph);
			any = true;
		}
		if (!empty) {
			if (paragraph.len)
				buf_putc(&paragraph, ' ');
			buf_append(&paragraph, at, len);
		}
		at += len + (at[len] == '\n');
	}
	if (!any)
		screen_flow_plain(&flow, ROLE_DIM, "", 0, _("There are no notes for this slide."));
	buf_free(&paragraph);

	struct screen_flow side = {.canvas = canvas, .row = 2, .col = canvas->cols - SIDE_COLS - 1, .cols = SIDE_COLS};
	if (!beside) {
		side = (struct screen_flow){.canvas = canvas, .row = flow.row + 1, .col = 2, .cols = text.cols};
		struct screen_flow measure = screen_flow_measure(text.cols);
		flow_side(&measure, slide);
		if (side.row + measure.row > end && end - measure.row > 3) /* what comes is always in sight */
			side.row = end - measure.row;
		canvas_fill(canvas, (struct rect){side.row - 1, 0, end - side.row + 1, canvas->cols}, ' ', ROLE_TEXT);
		canvas_hline(canvas, side.row - 1, 0, canvas->cols, ROLE_FRAME);
	}
	flow_side(&side, slide);
	canvas_unclip(canvas, old);
}
