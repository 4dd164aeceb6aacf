/* cmd/picture.h: printing of pictures, for several commands: --format, sizes, pages. */
#pragma once
#include <stdbool.h>

#include "base/text.h"
#include "cmd/cmd.h"
#include "front/canvas/export.h"
#include "front/view/view.h"

/* A format of export/, or one of these. */
enum { PICTURE_JSON = CANVAS_FORMATS, PICTURE_DEFAULT };

#define PICTURE_FORMATS N_("text, ansi, svg, html or json")
#define PICTURE_USAGE "[--format text|ansi|json|svg|html]"

/* Reads the value of --format. False with an error. */
bool picture_format(struct cmd_ctx *ctx, const char *name, int *format);

/* What PICTURE_DEFAULT stands for: ANSI where colors are wanted, else text. */
int picture_choose(const struct cmd_ctx *ctx, int format);

/* The terminal's size where standard output is one, without the row of the prompt. Else false, and nothing is set. */
bool picture_size(int *cols, int *rows);

/* Takes away the empty rows at the end. */
void picture_crop(struct canvas *canvas);

/* Appends the canvas in a format other than JSON, as colors and locale allow. */
void picture_write(
	const struct cmd_ctx *ctx, const struct canvas *canvas, int format, const char *title, struct buf *out);

/* Where pictures are appended, in which format and width, and text between them: cmd_print_colored prints it, so the
 * text goes through picture_printf or picture_text. */
struct picture_page {
	const struct cmd_ctx *ctx;
	int cols, format;
	struct buf *out;
};

/* Appends text of several lines, as base/utf8.h shows it. */
void picture_printf(const struct picture_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Like picture_printf, of a text, which it empties. */
void picture_text(const struct picture_page *page, struct buf *text);

/* Draws a view in at most `rows` rows, and an empty line. */
void picture_view(const struct picture_page *page, view_id view, const struct view_input *input, int rows);

/* How long a launch takes and what bounds it: one sentence, in the characters of the locale. */
struct engine_estimate;
void picture_estimate(const struct picture_page *page, const struct engine_estimate *estimate);

/* --- what the pictures of a step are drawn from. --- */

struct step;

/* Whether a view of the step draws what the watched line does to memory, or exchanges. */
bool cmd_draws_watched(const struct step *step);

/* Whether one draws this, or what the watched cluster does: then the blocks up to the watched one must have run. */
bool cmd_draws_blocks(const struct step *step);
