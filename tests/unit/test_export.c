#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "front/canvas/export.h"

static struct canvas *sample(void)
{
	struct canvas *canvas = canvas_new(3, 20);
	canvas_text(canvas, 0, 0, ROLE_TITLE, "a<b & \"c\"");
	canvas_text(canvas, 1, 0, ROLE_DIM, "bank");
	canvas_text(canvas, 1, 5, ROLE_BAD, "\xE2\x96\xB8 1");
	canvas_text(canvas, 1, 9, ROLE_BAD,
		"\xE6\xBC\xA2"
		"e\xCC\x81");
	canvas_text(canvas, 2, 0, ROLE_SELECTED, "ok ");
	return canvas;
}

static void check(enum canvas_format format, struct canvas_export_options options, const char *want)
{
	struct canvas *canvas = sample();
	struct buf out = {0};
	canvas_export(canvas, format, &options, &out);
	assert_string_equal(buf_str(&out), want);
	buf_free(&out);
	canvas_free(canvas);
}

static void check_holds(const struct buf *out, const char *part)
{
	if (!strstr(buf_str(out), part))
		fail_msg("no \"%s\" in:\n%s", part, buf_str(out));
}

static void text_is_trimmed(void **state)
{
	(void)state;
	check(CANVAS_FORMAT_TEXT, (struct canvas_export_options){0},
		"a<b & \"c\"\nbank \xE2\x96\xB8 1 \xE6\xBC\xA2"
		"e\xCC\x81\nok\n");
	check(CANVAS_FORMAT_TEXT, (struct canvas_export_options){.charset = CANVAS_ASCII},
		"a<b & \"c\"\nbank > 1 ? e\nok\n");
}

static void ansi_changes_only_what_differs(void **state)
{
	(void)state;
	check(CANVAS_FORMAT_ANSI, (struct canvas_export_options){.colors = CANVAS_COLORS_NONE, .charset = CANVAS_ASCII},
		"\033[1ma<b & \"c\"\033[0m\n\033[2mbank \033[22;1m> 1 ? e\033[0m\n\033[7mok \033[0m\n");
	/* the terminal's own background stays, and its own color for text */
	check(CANVAS_FORMAT_ANSI, (struct canvas_export_options){.colors = CANVAS_COLORS_16, .charset = CANVAS_ASCII},
		"\033[1ma<b & \"c\"\033[0m\n\033[90mbank \033[1;31m> 1 ? e\033[0m\n\033[7;34mok \033[0m\n");
	check(CANVAS_FORMAT_ANSI, (struct canvas_export_options){.colors = CANVAS_COLORS_256, .charset = CANVAS_ASCII},
		"\033[1ma<b & \"c\"\033[0m\n\033[38;5;243mbank \033[1;38;5;161m> 1 ? e\033[0m\n"
		"\033[38;5;231;48;5;32mok \033[0m\n");
}

/* Every row to its end, so that the paper is a rectangle. */
static void a_theme_paints_its_own_paper(void **state)
{
	(void)state;
	struct canvas *canvas = canvas_new(1, 4);
	struct canvas_export_options options = {.theme = CANVAS_THEME_LIGHT, .colors = CANVAS_COLORS_RGB};
	struct buf out = {0};
	canvas_put(canvas, 0, 0, 'a', ROLE_TITLE);
	canvas_export(canvas, CANVAS_FORMAT_ANSI, &options, &out);
	assert_string_equal(buf_str(&out), "\033[1;38;2;0;0;0;48;2;251;250;247ma   \033[0m\n");
	buf_clear(&out);
	canvas_label(canvas, (struct rect){0, 0, 1, 4}, ROLE_WAVE1, "7");
	canvas_export(canvas, CANVAS_FORMAT_ANSI, &options, &out);
	assert_string_equal(buf_str(&out), "\033[38;2;251;250;247;48;2;11;98;196m 7  \033[0m\n");
	buf_free(&out);
	canvas_free(canvas);
}

static void html_is_a_whole_escaped_document(void **state)
{
	(void)state;
	struct canvas *canvas = sample();
	struct buf out = {0};
	struct canvas_export_options options = {.title = "A & B"};
	canvas_export(canvas, CANVAS_FORMAT_HTML, &options, &out);
	check_holds(&out, "<!DOCTYPE html>");
	check_holds(&out, "<title>A &amp; B</title>");
	check_holds(&out, "<span class=\"title\">a&lt;b &amp; &quot;c&quot;</span>\n");
	check_holds(&out, "<span class=\"dim\">bank</span> <span class=\"bad\">\xE2\x96\xB8 1</span> ");
	check_holds(&out, ".selected{color:#14181f;background:#6cb0ff}");
	assert_null(strstr(buf_str(&out), ".wave1"));
	assert_string_equal(buf_str(&out) + out.len - strlen("</body>\n</html>\n"), "</body>\n</html>\n");
	buf_free(&out);
	canvas_free(canvas);
}

static void svg_places_each_run_on_the_grid(void **state)
{
	(void)state;
	struct canvas *canvas = sample();
	canvas_hline(canvas, 2, 5, 4, ROLE_FRAME);
	struct buf out = {0};
	struct canvas_export_options options = {.title = "A & B"};
	canvas_export(canvas, CANVAS_FORMAT_SVG, &options, &out);
	check_holds(&out, "<title id=\"title\">A &amp; B</title>");
	check_holds(&out, "<desc id=\"desc\">a&lt;b &amp;");
	check_holds(&out,
		"<text class=\"title\" x=\"18\" y=\"32.6\" textLength=\"81\" lengthAdjust=\"spacingAndGlyphs\">"
		"a&lt;b &amp; &quot;c&quot;</text>");
	check_holds(&out, "<text class=\"dim\" x=\"18\" y=\"52.6\" textLength=\"36\"");
	check_holds(&out, "<rect class=\"selected\" x=\"18\" y=\"58\" width=\"27\" height=\"20\"/>");
	check_holds(&out, "<path class=\"frame\" d=\"M63 68h36\"/>");
	buf_free(&out);
	canvas_free(canvas);
}

/* XML has no word for most controls, and browsers turn writing around at others. */
static void documents_hold_only_what_is_shown(void **state)
{
	(void)state;
	struct canvas *canvas = canvas_new(1, 60);
	canvas_text(canvas, 0, 0, ROLE_TEXT, "<\x0B\xE2\x80\xAE\xEF\xBF\xBE\xFF>");
	struct canvas_export_options options = {.title = "t\x1B\xE2\x80\xAE\xC0"};
	for (int format = CANVAS_FORMAT_SVG; format <= CANVAS_FORMAT_HTML; format++) {
		struct buf out = {0};
		canvas_export(canvas, (enum canvas_format)format, &options, &out);
		check_holds(&out, "t\\x1b\\u202e\\xc0</title>");
		check_holds(&out, "&lt;\\x0b\\u202e\\ufffe\\xff&gt;");
		for (size_t i = 0; i < out.len; i++)
			assert_true(out.data[i] == '\n' || (out.data[i] >= ' ' && out.data[i] <= '~'));
		buf_free(&out);
	}
	canvas_free(canvas);
}

static void formats_have_names(void **state)
{
	(void)state;
	assert_string_equal(canvas_format_name(CANVAS_FORMAT_TEXT), "text");
	assert_string_equal(canvas_format_name(CANVAS_FORMAT_HTML), "html");
	assert_null(canvas_format_name(CANVAS_FORMATS));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_trimmed),
		cmocka_unit_test(ansi_changes_only_what_differs),
		cmocka_unit_test(a_theme_paints_its_own_paper),
		cmocka_unit_test(html_is_a_whole_escaped_document),
		cmocka_unit_test(svg_places_each_run_on_the_grid),
		cmocka_unit_test(documents_hold_only_what_is_shown),
		cmocka_unit_test(formats_have_names),
	};
	return cmocka_run_group_tests_name("export", tests, NULL, NULL);
}
