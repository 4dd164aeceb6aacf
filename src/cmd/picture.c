#include "config.h"
#include "cmd/picture.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/utf8.h"
#include "course/lesson/lesson.h"
#include "front/view/view.h"
#include "model/hardware/engine.h"

bool picture_format(struct cmd_ctx *ctx, const char *name, int *format)
{
	for (*format = 0; *format < CANVAS_FORMATS; ++*format)
		if (strcmp(canvas_format_name((enum canvas_format) * format), name) == 0)
			return true;
	if (strcmp(name, "json") == 0)
		return true;
	return cmd_bad_value(ctx, "--format", name, PICTURE_FORMATS);
}

int picture_choose(const struct cmd_ctx *ctx, int format)
{
	if (format != PICTURE_DEFAULT)
		return format;
	return ctx->color ? CANVAS_FORMAT_ANSI : CANVAS_FORMAT_TEXT;
}

bool picture_size(int *cols, int *rows)
{
	struct winsize size;
	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 20 ||
		size.ws_row < 6)
		return false;
	*cols = size.ws_col;
	*rows = size.ws_row - 1;
	return true;
}

void picture_crop(struct canvas *canvas)
{
	for (bool blank = true; canvas->rows > 1; canvas->rows--) {
		for (int col = 0; blank && col < canvas->cols; col++)
			blank = canvas_at(canvas, canvas->rows - 1, col)->ch == ' ';
		if (!blank)
			break;
	}
}

void picture_write(
	const struct cmd_ctx *ctx, const struct canvas *canvas, int format, const char *title, struct buf *out)
{
	const char *no_color = getenv("NO_COLOR"), *colors = getenv("COLORTERM");
	bool all = colors && (strcmp(colors, "truecolor") == 0 || strcmp(colors, "24bit") == 0);
	struct canvas_export_options how = {
		.theme = ctx->theme != CANVAS_THEMES ? ctx->theme : CANVAS_THEME_TERMINAL,
		/* ANSI requested by name has colors, also in a file */
		.colors = no_color && *no_color ? CANVAS_COLORS_NONE
			: all                   ? CANVAS_COLORS_RGB
						: CANVAS_COLORS_256,
		.charset = ctx->ascii && (format == CANVAS_FORMAT_TEXT || format == CANVAS_FORMAT_ANSI) ? CANVAS_ASCII
													: CANVAS_UTF8,
		.title = title,
	};
	canvas_export(canvas, (enum canvas_format)format, &how, out);
}

void picture_text(const struct picture_page *page, struct buf *text)
{
	escape_text(buf_str(text), text->len, ESCAPE_BLOCK, page->out);
	buf_free(text);
}

void picture_printf(const struct picture_page *page, const char *format, ...)
{
	struct buf text = {0};
	va_list args;
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	picture_text(page, &text);
}

void picture_view(const struct picture_page *page, view_id view, const struct view_input *input, int rows)
{
	struct canvas *canvas = canvas_new(rows, page->cols);
	view_draw(view, canvas, canvas->clip, input);
	picture_crop(canvas);
	picture_write(page->ctx, canvas, page->format, "", page->out);
	canvas_free(canvas);
	buf_putc(page->out, '\n');
}

void picture_estimate(const struct picture_page *page, const struct engine_estimate *estimate)
{
	struct buf text = {0}, plain = {0};
	engine_explain(estimate, &text);
	if (!page->ctx->ascii) {
		picture_text(page, &text);
		return;
	}
	for (size_t i = 0; i < text.len;) {
		uint32_t ch;
		i += utf8_decode(text.data + i, text.len - i, &ch);
		if (ch == 0xB1)
			buf_puts(&plain, "+-");
		else
			buf_putc(&plain, (char)(ch < 0x80 ? ch : canvas_ascii(ch)));
	}
	buf_free(&text);
	picture_text(page, &plain);
}

/* --- what the pictures of a step are drawn from ------------------------------------------------------------------- */

static bool has_view_of(const struct step *step, enum view_subject subject)
{
	for (int i = 0; i < step->n_views; i++)
		if (view_is_of(view_find(step->views[i]), subject))
			return true;
	return false;
}

bool cmd_draws_watched(const struct step *step)
{
	return has_view_of(step, VIEW_OF_ACCESS) || has_view_of(step, VIEW_OF_ATOMIC) ||
		has_view_of(step, VIEW_OF_SHUFFLE) || has_view_of(step, VIEW_OF_TILES);
}

bool cmd_draws_blocks(const struct step *step)
{
	return cmd_draws_watched(step) || has_view_of(step, VIEW_OF_CLUSTER);
}
