#include "front/canvas/theme.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"

#define FILE_MAX ((size_t)64 * 1024)
#define BLANKS " \t\r"
#define WORD_MAX 32

static const char *const ink_names[CANVAS_INKS] = {
#define INK(id, dark, light, projector, print, colorblind, mono, terminal, dark16, light16, use)                       \
	[CANVAS_INK_##id] = #id,
#include "front/canvas/inks.def"
#undef INK
};

/* The lines that the colors are in, for canvas_theme_warn; 0: none. */
static int lines[CANVAS_INKS];

struct theme_reading {
	struct canvas_own_theme own;
	bool has_base, has_bold;
	struct diag_pos pos;
	struct diag *diag;
};

/* Without blanks around it. False: it is longer than any. */
static bool copy_word(const char *from, size_t len, char out[WORD_MAX])
{
	while (len > 0 && strchr(BLANKS, from[0]) && from[0])
		from++, len--;
	while (len > 0 && strchr(BLANKS, from[len - 1]) && from[len - 1])
		len--;
	if (len >= WORD_MAX || memchr(from, 0, len))
		return false;
	memcpy(out, from, len);
	out[len] = '\0';
	return true;
}

/* "#14181F". -1: it is none. */
static int32_t color_of(const char *text)
{
	int32_t rgb = 0;
	if (text[0] != '#' || strlen(text) != 7)
		return -1;
	for (const char *c = text + 1; *c; c++) {
		if (!isxdigit((unsigned char)*c))
			return -1;
		rgb = rgb * 16 + (isdigit((unsigned char)*c) ? *c - '0' : tolower((unsigned char)*c) - 'a' + 10);
	}
	return rgb;
}

static void read_theme_line(struct theme_reading *r, const char *text, size_t len)
{
	char name[WORD_MAX], value[WORD_MAX];
	const char *sign = memchr(text, '=', len);
	size_t blanks = 0;
	while (blanks < len && text[blanks] && strchr(BLANKS, text[blanks]))
		blanks++;
	if (blanks == len || text[blanks] == '#')
		return;
	if (!sign || !copy_word(text, (size_t)(sign - text), name) ||
		!copy_word(sign + 1, len - (size_t)(sign + 1 - text), value)) {
		diag_warn(r->diag, r->pos, "expected NAME = VALUE; the line is left out");
		return;
	}

	enum canvas_ink ink = CANVAS_INKS;
	for (int i = 0; i < CANVAS_INKS; i++) {
		const char *a = ink_names[i], *b = name;
		while (*a && tolower((unsigned char)*a) == *b)
			a++, b++;
		if (!*a && !*b) {
			ink = (enum canvas_ink)i;
			break;
		}
	}

	if (strcmp(name, "base") == 0) {
		enum canvas_theme base = canvas_theme_find(value);
		if (base == CANVAS_THEMES || base == CANVAS_THEME_USER || canvas_theme_row(base)->paper < 0) {
			diag_warn(r->diag, r->pos,
				"base cannot be '%s'; it is a theme with a background, as dark or light", value);
			return;
		}
		if (!r->has_base)
			r->own.base = base;
		r->has_base = true;
	} else if (strcmp(name, "bold") == 0) {
		bool on = strcmp(value, "on") == 0;
		if (!on && strcmp(value, "off") != 0) {
			diag_warn(r->diag, r->pos, "bold cannot be '%s'; it is on or off", value);
			return;
		}
		r->own.bold = r->has_bold ? r->own.bold : on;
		r->has_bold = true;
	} else if (ink < CANVAS_INKS) {
		int32_t rgb = color_of(value);
		if (rgb < 0)
			diag_warn(r->diag, r->pos, "'%s' is no color; one is #RRGGBB, as #14181F", value);
		else if (r->own.inks[ink] >= 0)
			diag_warn(r->diag, r->pos, "the color is set twice; the first one counts");
		else {
			r->own.inks[ink] = rgb;
			lines[ink] = r->pos.line;
		}
	} else {
		struct buf names = {0};

		buf_puts(&names, "base, bold");
		for (int i = 0; i < CANVAS_INKS; i++) {
			buf_puts(&names, ", ");
			for (const char *c = ink_names[i]; *c; c++)
				buf_putc(&names, (char)tolower((unsigned char)*c));
		}

		diag_warn(r->diag, r->pos, "a theme has no '%s'; it has %s", name, buf_str(&names));
		buf_free(&names);
	}
}

void canvas_theme_read(const char *path, const char *text, size_t len, struct diag *diag)
{
	struct theme_reading r = {
		.own.base = CANVAS_THEME_DARK, .pos = {.file = path, .text = text, .text_len = len}, .diag = diag};
	memset(lines, 0, sizeof lines);
	for (int i = 0; i < CANVAS_INKS; i++)
		r.own.inks[i] = -1;
	for (size_t at = 0; at < len;) {
		const char *end = memchr(text + at, '\n', len - at);
		size_t n = end ? (size_t)(end - text) - at : len - at;
		r.pos.line++;
		read_theme_line(&r, text + at, n);
		at += n + 1;
	}
	if (!r.has_bold)
		r.own.bold = canvas_theme_row(r.own.base)->bold;
	canvas_theme_set_user(&r.own);
}

void canvas_theme_load(const char *path, struct diag *diag)
{
	struct buf text = {0};
	struct diag errors = {0};
	if (!file_is_named(path))
		return;
	if (file_read_text(path, FILE_MAX, &text, &errors))
		canvas_theme_read(path, buf_str(&text), text.len, diag);
	for (size_t i = 0; i < errors.count; i++)
		diag_warn(diag, (struct diag_pos){.file = path}, "%s; there is no theme `user`",
			errors.entries[i].message);
	diag_free(&errors);
	buf_free(&text);
}

void canvas_theme_warn(const char *path, struct diag *diag)
{
	for (int i = 0; i < CANVAS_INKS; i++) {
		double least = i == CANVAS_INK_FRAME ? CANVAS_FRAME_CONTRAST : CANVAS_TEXT_CONTRAST;
		double got = canvas_theme_contrast(CANVAS_THEME_USER, (enum canvas_ink)i);
		char name[WORD_MAX];
		if (i == CANVAS_INK_PAPER || got >= least)
			continue;
		snprintf(name, sizeof name, "%s", ink_names[i]);
		for (char *c = name; *c; c++)
			*c = (char)tolower((unsigned char)*c);
		diag_warn(diag, (struct diag_pos){.file = path, .line = lines[i]},
			"%s is hard to read on the paper: the contrast is %.1f, and should be %.1f", name, got, least);
	}
}
