/* The colors of the themes: contrasts are computed as WCAG 2 defines them, and what stands side by side in a picture is
 * told apart also by eyes without red, green or blue cones (Machado, Oliveira, Fernandes 2009). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "base/diag.h"
#include "front/canvas/export.h"
#include "front/canvas/theme.h"

#define TEXT_CONTRAST 4.5
#define FRAME_CONTRAST 3.0
#define CLEAR_DIFFERENCE 18 /* of the theme for color-blind eyes */
#define DIFFERENCE 5        /* in CIE L*a*b*, where some 2 can just be seen */

/* --- contrast ----------------------------------------------------------------------------------------------------- */

struct linear {
	double v[3];
};

static struct linear linear_of(uint32_t rgb)
{
	struct linear l;
	for (int i = 0; i < 3; i++) {
		double c = (rgb >> (16 - 8 * i) & 255) / 255.0;
		l.v[i] = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
	}
	return l;
}

static double luminance(uint32_t rgb)
{
	struct linear l = linear_of(rgb);
	return 0.2126 * l.v[0] + 0.7152 * l.v[1] + 0.0722 * l.v[2];
}

static double contrast(uint32_t a, uint32_t b)
{
	double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
	return x > y ? x / y : y / x;
}

static uint32_t rgb_of(const struct canvas_palette *p, int32_t color)
{
	return p->colors == CANVAS_COLORS_256 ? canvas_palette_rgb(color) : (uint32_t)color;
}

static void check_contrast(const struct canvas_palette *p, enum role role, uint32_t paper)
{
	/* a color between black and white has no room for both contrasts where the palette is coarse */
	bool coarse = p->paper < 0 && p->colors == CANVAS_COLORS_256;
	double least = role == ROLE_FRAME || coarse ? FRAME_CONTRAST : TEXT_CONTRAST;
	if (p->ink[role] < 0)
		return; /* the terminal's own color for text, or no colors */
	double got = contrast(rgb_of(p, p->ink[role]), paper);
	if (got < least)
		fail_msg("%s, %s: role %s on the paper has a contrast of %.2f, to be %.1f",
			canvas_theme_row(p->theme)->name, p->colors == CANVAS_COLORS_256 ? "256 colors" : "RGB",
			canvas_roles[role].name, got, least);
}

static void every_role_can_be_read_on_the_paper_of_every_theme(void **state)
{
	(void)state;
	for (int theme = 0; theme < CANVAS_THEME_USER; theme++) {
		for (int colors = CANVAS_COLORS_256; colors <= CANVAS_COLORS_RGB; colors++) {
			struct canvas_palette p = canvas_palette((enum canvas_theme)theme, (enum canvas_colors)colors);
			for (int role = 0; role < ROLES; role++) {
				if (role == ROLE_PAPER)
					continue;
				if (p.paper >= 0) {
					check_contrast(&p, (enum role)role, rgb_of(&p, p.paper));
					continue;
				}
				check_contrast(&p, (enum role)role, 0x000000);
				check_contrast(&p, (enum role)role, 0xFFFFFF);
			}
		}
	}
}

/* Roles with a texture and those of wavefronts fill cells, with text on them. */
static void text_on_a_fill_can_be_read(void **state)
{
	(void)state;
	for (int theme = 0; theme < CANVAS_THEME_USER; theme++) {
		for (int colors = CANVAS_COLORS_256; colors <= CANVAS_COLORS_RGB; colors++) {
			struct canvas_palette p = canvas_palette((enum canvas_theme)theme, (enum canvas_colors)colors);
			for (int role = 0; role < ROLES; role++) {
				if (canvas_roles[role].texture == ' ' && !(role >= ROLE_WAVE1 && role <= ROLE_WAVE4))
					continue;
				struct cell cell = {.ch = '1', .role = ROLE_PAPER, .ground = (uint8_t)role};
				struct canvas_pen pen = canvas_pen(&p, &cell);
				if (p.colors == CANVAS_COLORS_NONE)
					continue;
				double got = contrast(rgb_of(&p, pen.fg), rgb_of(&p, pen.bg));
				if (got < (p.paper < 0 ? 3.8 : TEXT_CONTRAST))
					fail_msg("%s: text on %s has a contrast of %.2f",
						canvas_theme_row((enum canvas_theme)theme)->name,
						canvas_roles[role].name, got);
			}
		}
	}
}

/* --- color blindness ---------------------------------------------------------------------------------------------- */

static const double cones[][3][3] = {
	{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
};
static const char *const eyes[] = {"all cones", "no red cones", "no green cones", "no blue cones"};

static double lab_f(double t)
{
	return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

/* CIE L*a*b* as these eyes see it. */
static struct linear lab_of(uint32_t rgb, int eye)
{
	struct linear in = linear_of(rgb), seen;
	for (int i = 0; i < 3; i++) {
		seen.v[i] = 0;
		for (int j = 0; j < 3; j++)
			seen.v[i] += cones[eye][i][j] * in.v[j];
		seen.v[i] = fmin(fmax(seen.v[i], 0), 1);
	}
	double x = lab_f((0.4124 * seen.v[0] + 0.3576 * seen.v[1] + 0.1805 * seen.v[2]) / 0.9505),
	       y = lab_f(0.2126 * seen.v[0] + 0.7152 * seen.v[1] + 0.0722 * seen.v[2]),
	       z = lab_f((0.0193 * seen.v[0] + 0.1192 * seen.v[1] + 0.9505 * seen.v[2]) / 1.089);
	return (struct linear){{116 * y - 16, 500 * (x - y), 200 * (y - z)}};
}

static double unlike(uint32_t a, uint32_t b, int eye)
{
	struct linear x = lab_of(a, eye), y = lab_of(b, eye);
	return sqrt(pow(x.v[0] - y.v[0], 2) + pow(x.v[1] - y.v[1], 2) + pow(x.v[2] - y.v[2], 2));
}

static void neighbors_in_a_picture_differ_for_all_eyes(void **state)
{
	(void)state;
	static const enum role pairs[][2] = {{ROLE_WAVE1, ROLE_WAVE2}, {ROLE_WAVE2, ROLE_WAVE3},
		{ROLE_WAVE3, ROLE_WAVE4}, {ROLE_WAVE4, ROLE_WAVE1}, {ROLE_ISSUED, ROLE_READY},
		{ROLE_ISSUED, ROLE_RESULT}, {ROLE_ISSUED, ROLE_GLOBAL}, {ROLE_ISSUED, ROLE_BARRIER},
		{ROLE_READY, ROLE_RESULT}, {ROLE_READY, ROLE_GLOBAL}, {ROLE_READY, ROLE_SHARED},
		{ROLE_READY, ROLE_BARRIER}, {ROLE_RESULT, ROLE_GLOBAL}, {ROLE_RESULT, ROLE_SHARED},
		{ROLE_RESULT, ROLE_BARRIER}, {ROLE_GLOBAL, ROLE_SHARED}, {ROLE_GLOBAL, ROLE_BARRIER},
		{ROLE_USED, ROLE_WASTED}, {ROLE_GOOD, ROLE_CONFLICT}, {ROLE_MODEL, ROLE_RECORDED},
		{ROLE_MODEL, ROLE_LIVE}};
	for (int theme = 0; theme < CANVAS_THEME_USER; theme++) {
		for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
			uint32_t a = canvas_theme_ink((enum canvas_theme)theme, pairs[i][0]),
				 b = canvas_theme_ink((enum canvas_theme)theme, pairs[i][1]);
			double least = theme == CANVAS_THEME_COLORBLIND ? CLEAR_DIFFERENCE : DIFFERENCE;
			for (int eye = 0; eye < 4; eye++)
				if (unlike(a, b, eye) < least)
					fail_msg("%s: %s and %s differ by %.1f only for eyes with %s",
						canvas_theme_row((enum canvas_theme)theme)->name,
						canvas_roles[pairs[i][0]].name, canvas_roles[pairs[i][1]].name,
						unlike(a, b, eye), eyes[eye]);
		}
	}
}

/* --- the rest ----------------------------------------------------------------------------------------------------- */

static void themes_are_found_by_name_and_background(void **state)
{
	(void)state;
	for (int theme = 0; theme < CANVAS_THEME_USER; theme++)
		assert_int_equal(canvas_theme_find(canvas_theme_row((enum canvas_theme)theme)->name), theme);
	assert_int_equal(canvas_theme_find("sepia"), CANVAS_THEMES);
	assert_int_equal(canvas_theme_for(0x000000), CANVAS_THEME_DARK);
	assert_int_equal(canvas_theme_for(0x002B36), CANVAS_THEME_DARK);
	assert_int_equal(canvas_theme_for(0xFDF6E3), CANVAS_THEME_LIGHT);
}

static void a_fill_is_its_texture_without_colors(void **state)
{
	(void)state;
	struct cell cell = {.ch = ' ', .role = ROLE_GLOBAL, .ground = ROLE_GLOBAL};
	assert_int_equal(canvas_cell_without_color(&cell).ch, 'g');
	cell = (struct cell){.ch = GLYPH_LEFT_6, .role = ROLE_GLOBAL, .ground = ROLE_ISSUED};
	assert_int_equal(canvas_cell_without_color(&cell).ch, 'g');
	cell.ch = GLYPH_LEFT_2;
	assert_int_equal(canvas_cell_without_color(&cell).ch, GLYPH_BLOCK_FULL);
	/* a number on it stays, in reverse */
	cell = (struct cell){.ch = '7', .role = ROLE_PAPER, .ground = ROLE_WAVE2};
	struct canvas_palette none = canvas_palette(CANVAS_THEME_DARK, CANVAS_COLORS_NONE);
	assert_int_equal(canvas_cell_without_color(&cell).ch, '7');
	assert_true(canvas_pen(&none, &cell).reverse);
	/* and a blank between its words */
	cell.ch = ' ';
	assert_int_equal(canvas_cell_without_color(&cell).ch, ' ');
	cell.ch = '7';
	/* so it is on a background that nobody knows, with 16 colors */
	struct canvas_palette few = canvas_palette(CANVAS_THEME_TERMINAL, CANVAS_COLORS_16);
	assert_true(canvas_pen(&few, &cell).reverse);
	assert_int_equal(canvas_pen(&few, &cell).fg, few.ink[ROLE_WAVE2]);
}

/* Documents have the colors of a theme without colors, too: grays. */
static void documents_can_be_read_in_every_theme(void **state)
{
	(void)state;
	for (int theme = 0; theme < CANVAS_THEME_USER; theme++)
		for (int role = 0; role < ROLES; role++) {
			double got = contrast(canvas_theme_ink((enum canvas_theme)theme, (enum role)role),
				canvas_theme_paper((enum canvas_theme)theme));
			if (role != ROLE_PAPER && got < (role == ROLE_FRAME ? FRAME_CONTRAST : TEXT_CONTRAST))
				fail_msg("%s: %s has a contrast of %.2f",
					canvas_theme_row((enum canvas_theme)theme)->name, canvas_roles[role].name, got);
		}
}

static void no_colors_are_textures_in_documents_too(void **state)
{
	(void)state;
	struct canvas *canvas = canvas_new(1, 4);
	struct buf out = {0};
	canvas_paint(canvas, (struct rect){0, 0, 1, 4}, ROLE_GLOBAL);
	canvas_export(canvas, CANVAS_FORMAT_HTML, &(struct canvas_export_options){.theme = CANVAS_THEME_MONO}, &out);
	assert_non_null(strstr(buf_str(&out), ">gggg<"));
	assert_null(strstr(buf_str(&out), "<span class=\"global on-global\">"));
	struct canvas_palette p = canvas_palette(CANVAS_THEME_MONO, CANVAS_COLORS_RGB);
	assert_int_equal(p.colors, CANVAS_COLORS_NONE);
	assert_int_equal(p.paper, -1);
	buf_free(&out);
	canvas_free(canvas);
}

/* --- the reader's own --------------------------------------------------------------------------------------------- */

static void read_theme(const char *text, struct diag *diag)
{
	canvas_theme_read("theme", text, strlen(text), diag);
}

static void a_reader_has_a_theme_of_their_own(void **state)
{
	(void)state;
	struct diag diag = {0};
	assert_int_equal(canvas_theme_find("user"), CANVAS_THEMES);
	assert_false(canvas_theme_is_there(CANVAS_THEME_USER));
	assert_int_equal(canvas_theme_next(CANVAS_THEME_MONO), CANVAS_THEME_TERMINAL);
	read_theme("# mine\nbase = light\n\n  teal=#006000 \npaper = #FFFFFF\nbold = on", &diag);
	assert_int_equal(diag.count, 0);
	assert_int_equal(canvas_theme_find("user"), CANVAS_THEME_USER);
	assert_int_equal(canvas_theme_next(CANVAS_THEME_MONO), CANVAS_THEME_USER);
	assert_int_equal(canvas_theme_next(CANVAS_THEME_USER), CANVAS_THEME_TERMINAL);
	struct canvas_palette p = canvas_palette(CANVAS_THEME_USER, CANVAS_COLORS_RGB);
	assert_int_equal(p.paper, 0xFFFFFF);
	assert_int_equal(p.ink[ROLE_USED], 0x006000);
	assert_int_equal(p.ink[ROLE_CONFLICT], canvas_theme_ink(CANVAS_THEME_LIGHT, ROLE_CONFLICT));
	assert_true(canvas_theme_row(CANVAS_THEME_USER)->bold);
	p = canvas_palette(CANVAS_THEME_USER, CANVAS_COLORS_16);
	assert_int_equal(p.paper, 15);
	assert_int_equal(p.ink[ROLE_TEXT], 0);
	canvas_theme_warn("theme", &diag);
	assert_int_equal(diag.count, 0);
	diag_free(&diag);
}

static void colors_that_are_hard_to_read_are_warned_of(void **state)
{
	(void)state;
	struct diag diag = {0};
	read_theme("base = dark\npaper = #000000\nfaint = #333333\nframe = #444444\n", &diag);
	assert_int_equal(diag.count, 0);
	canvas_theme_warn("theme", &diag);
	assert_int_equal(diag.count, 2);
	assert_int_equal(diag.entries[0].line, 3);
	assert_non_null(strstr(diag.entries[0].message, "faint is hard to read on the paper: the contrast is 1.6"));
	assert_int_equal(diag.entries[1].line, 4);
	diag_free(&diag);
}

static void what_is_no_theme_is_named_with_its_line(void **state)
{
	(void)state;
	static const struct {
		const char *text, *message;
	} bad[] = {
		{"teal", "expected NAME = VALUE"},
		{"teal = 123456", "'123456' is no color"},
		{"teal = #12345", "'#12345' is no color"},
		{"teal = #12345g", "is no color"},
		{"teal = #1234567", "is no color"},
		{"teal = #-12345", "is no color"},
		{"green = #123456", "a theme has no 'green'; it has base, bold, plain"},
		{"TEAL = #123456", "a theme has no 'TEAL'"},
		{"base = terminal", "base cannot be 'terminal'"},
		{"base = user", "base cannot be 'user'"},
		{"bold = yes", "bold cannot be 'yes'"},
		{"teal = #123456\nteal = #123456", "set twice"},
		{"teal = #1234561234561234561234561234561234561234561234561234561234561234561234",
			"expected NAME = VALUE"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct diag diag = {0};
		read_theme(bad[i].text, &diag);
		assert_int_equal(diag.count, 1);
		assert_int_equal(diag.entries[0].severity, DIAG_WARNING);
		assert_int_equal(diag.entries[0].line, strchr(bad[i].text, '\n') ? 2 : 1);
		if (!strstr(diag.entries[0].message, bad[i].message))
			fail_msg("'%s': %s", bad[i].text, diag.entries[0].message);
		diag_free(&diag);
	}
	/* whatever bytes there are */
	static const char bytes[] = "\0=\0\n\377 = \033[2J\n= #123456\nteal = #12\0456\n\r\n";
	struct diag diag = {0};
	canvas_theme_read("theme", bytes, sizeof bytes - 1, &diag);
	assert_int_equal(diag.count, 4);
	diag_free(&diag);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_role_can_be_read_on_the_paper_of_every_theme),
		cmocka_unit_test(text_on_a_fill_can_be_read),
		cmocka_unit_test(neighbors_in_a_picture_differ_for_all_eyes),
		cmocka_unit_test(themes_are_found_by_name_and_background),
		cmocka_unit_test(a_fill_is_its_texture_without_colors),
		cmocka_unit_test(documents_can_be_read_in_every_theme),
		cmocka_unit_test(no_colors_are_textures_in_documents_too),
		cmocka_unit_test(a_reader_has_a_theme_of_their_own),
		cmocka_unit_test(colors_that_are_hard_to_read_are_warned_of),
		cmocka_unit_test(what_is_no_theme_is_named_with_its_line),
	};
	return cmocka_run_group_tests_name("theme", tests, NULL, NULL);
}
