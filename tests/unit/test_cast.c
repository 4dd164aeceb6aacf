/* Recordings of a terminal: what a player of asciicast v2 gets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "front/canvas/export.h"

/* Plays what was recorded, byte by byte, and prints the characters that are then on the terminal. */
struct player {
	char cells[40][200][5];
	int rows, cols, row, col;
};

static void clear(struct player *p)
{
	for (int r = 0; r < 40; r++)
		for (int c = 0; c < 200; c++)
			strcpy(p->cells[r][c], " ");
}

static void write_out(struct player *p, const char *data)
{
	while (*data) {
		int row, col, n = 0;
		if (sscanf(data, "\033[%3d;%3dH%n", &row, &col, &n) == 2 && n) {
			p->row = row - 1;
			p->col = col - 1;
		} else if (strncmp(data, "\033[2J", 4) == 0) {
			clear(p);
			n = 4;
		} else if (*data == '\033') {
			n = (int)strcspn(data, "mhl") + 1;
		} else {
			n = (*data & 0xC0) == 0xC0 ? (*data & 0x20 ? (*data & 0x10 ? 4 : 3) : 2) : 1;
			assert_true(p->row < p->rows && p->col < p->cols);
			snprintf(p->cells[p->row][p->col++], 5, "%.*s", n, data);
		}
		data += n;
	}
}

static int play(const struct buf *cast, struct player *p, int *markers)
{
	int events = 0;
	const char *at = buf_str(cast);
	json_t *header = json_loadb(at, strcspn(at, "\n"), 0, NULL);
	assert_int_equal(json_integer_value(json_object_get(header, "version")), 2);
	p->cols = (int)json_integer_value(json_object_get(header, "width"));
	p->rows = (int)json_integer_value(json_object_get(header, "height"));
	json_decref(header);
	double last = 0;
	for (at += strcspn(at, "\n") + 1; *at; at += strcspn(at, "\n") + 1, events++) {
		json_t *event = json_loadb(at, strcspn(at, "\n"), 0, NULL);
		assert_int_equal(json_array_size(event), 3);
		double t = json_real_value(json_array_get(event, 0));
		const char *kind = json_string_value(json_array_get(event, 1)),
			   *data = json_string_value(json_array_get(event, 2));
		assert_true(t >= last);
		last = t;
		if (*kind == 'o')
			write_out(p, data);
		else if (*kind == 'r')
			assert_int_equal(sscanf(data, "%3dx%3d", &p->cols, &p->rows), 2);
		else
			*markers += *kind == 'm';
		json_decref(event);
	}
	return events;
}

static void expect_row(const struct player *p, int row, const char *text)
{
	struct buf line = {0};
	for (int col = 0; col < p->cols; col++)
		buf_puts(&line, p->cells[row][col]);
	while (line.len && line.data[line.len - 1] == ' ')
		line.len--;
	if (line.len != strlen(text) || memcmp(line.data, text, line.len) != 0)
		fail_msg("row %d is '%.*s', not '%s'", row, (int)line.len, line.data, text);
	buf_free(&line);
}

static void what_was_drawn_is_played(void **state)
{
	(void)state;
	struct canvas_cast cast = {0};
	struct buf out = {0};
	static struct player p;
	int markers = 0;
	struct canvas *canvas = canvas_new(5, 30);
	canvas_text(canvas, 1, 2, ROLE_TITLE, "one \"quoted\" \\ row");
	canvas_cast_frame(&cast, canvas, CANVAS_THEME_DARK, 0, &out);
	canvas_cast_mark("step \033[31m 1", 0.1, &out);
	size_t whole = out.len;
	canvas_cast_frame(&cast, canvas, CANVAS_THEME_DARK, 0.5, &out);
	assert_int_equal(out.len, whole); /* nothing has changed */
	canvas_text(canvas, 1, 6, ROLE_GOOD, "→");
	canvas_text(canvas, 3, 0, ROLE_TEXT, "two");
	canvas_cast_frame(&cast, canvas, CANVAS_THEME_DARK, 1, &out);
	assert_true(out.len - whole < whole); /* what has changed alone */
	assert_int_equal(play(&out, &p, &markers), 3);
	expect_row(&p, 1, "  one →quoted\" \\ row");
	expect_row(&p, 3, "two");
	assert_int_equal(markers, 1);
	canvas_free(canvas);
	canvas = canvas_new(4, 50);
	canvas_text(canvas, 0, 45, ROLE_TEXT, "right");
	canvas_cast_frame(&cast, canvas, CANVAS_THEME_DARK, 2, &out);
	canvas_cast_frame(&cast, canvas, CANVAS_THEME_LIGHT, 3, &out); /* the whole in other colors */
	play(&out, &p, &markers);
	assert_int_equal(p.cols, 50);
	expect_row(&p, 0, "                                             right");
	expect_row(&p, 1, "");
	canvas_free(canvas);
	canvas_cast_end(&cast);
	buf_free(&out);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {cmocka_unit_test(what_was_drawn_is_played)};
	return cmocka_run_group_tests_name("cast", tests, NULL, NULL);
}
