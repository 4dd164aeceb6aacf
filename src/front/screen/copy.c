/* What the reader asks to have on the clipboard. */
#include "front/canvas/export.h"
#include "front/screen/parts.h"

#define PICTURE_ROWS 22 /* of a picture that has no place on the screen */
#define PICTURE_COLS 78

void screen_copy_text(const struct screen_state *state, const struct tutor *tutor, struct buf *out)
{
	if (state->copy_asked == ACTION_COPY && tutor_can(tutor, ACTION_COPY)) {
		struct screen_sketch sketch = {.tutor = tutor, .state = state};
		struct view_input input = screen_view_input(&sketch, PANE_VIEW);
		struct rect view = screen_layout(state, tutor, (struct rect){1, 0, state->body_end - 1, state->cols})
					   .view;
		bool shown = view.rows > 0 && view.cols > 0;
		struct canvas *canvas = canvas_new(shown ? view.rows : PICTURE_ROWS, shown ? view.cols : PICTURE_COLS);
		view_draw(tutor->shown.view, canvas, (struct rect){0, 0, canvas->rows, canvas->cols}, &input);
		canvas_export(canvas, CANVAS_FORMAT_TEXT, &(struct canvas_export_options){.charset = CANVAS_UTF8}, out);
		canvas_free(canvas);
		while (out->len > 1 && out->data[out->len - 1] == '\n' && out->data[out->len - 2] == '\n')
			out->data[--out->len] = '\0';
	} else if (state->copy_asked == ACTION_COPY_PATH && tutor_can(tutor, ACTION_COPY_PATH)) {
		/* The reader's kernel of an exercise; else the source of the step's. */
		const struct step *step = tutor_step(tutor);
		if (tutor->exercise.attempt)
			buf_puts(out, tutor->exercise.attempt->path);
		else if (step && step->file)
			buf_puts(out, step->file->source_path);
	}
}
