/* The accesses that were tried, and their file: a line for each, "shared ld 4 lane*33". */
#include "front/tutor/playground_parts.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/utf8.h"

#define HISTORY_MAX ((size_t)1 << 16)

bool tutor_playground_is_one(const struct tutor_playground_tried *a, const struct tutor_playground_tried *b)
{
	return a->space == b->space && a->op == b->op && a->width == b->width && strcmp(a->text, b->text) == 0;
}

void tutor_playground_remember(struct tutor_playground *p, const struct tutor_playground_tried *tried)
{
	int to = 0;
	for (int i = 0; i < p->n_tried; i++)
		if (!tutor_playground_is_one(&p->tried[i], tried))
			p->tried[to++] = p->tried[i];
	p->n_tried = to;
	if (p->n_tried == TUTOR_PLAYGROUND_KEPT_MAX) {
		memmove(p->tried, p->tried + 1, (size_t)(p->n_tried - 1) * sizeof *p->tried);
		p->n_tried--;
	}
	p->tried[p->n_tried++] = *tried;
	p->at_tried = p->n_tried;
}

static bool is_shown_text(const char *text)
{
	size_t len = strlen(text), n;
	for (size_t i = 0; i < len; i += n) {
		uint32_t ch;
		n = utf8_decode(text + i, len - i, &ch);
		if (utf8_invalid_byte(ch) >= 0 || !utf8_is_graphic(ch))
			return false;
	}
	return len > 0;
}

/* "shared ld 4 lane*33" */
static bool read_tried(const struct tutor_playground *p, const char *line, struct tutor_playground_tried *out)
{
	char space[16], op[16];
	int width, from = 0;
	*out = (struct tutor_playground_tried){.space = SPACE_GENERIC, .op = ACCESS_OPS_N};
	if (sscanf(line, "%15s %15s %2d %n", space, op, &width, &from) != 3 || !from || width < 1 || width > 16 ||
		(width & (width - 1)))
		return false;
	for (int s = SPACE_SHARED; s <= SPACE_CONST; s++)
		if (strcmp(space, warp_space_name((enum mem_space)s)) == 0)
			out->space = (enum mem_space)s;
	for (int o = 0; o < ACCESS_OPS_N; o++)
		if (strcmp(op, warp_op_name((enum access_op)o)) == 0)
			out->op = (enum access_op)o;
	bool ok = out->space != SPACE_GENERIC && out->op != ACCESS_OPS_N && strlen(line + from) < sizeof out->text &&
		is_shown_text(line + from) && (p->by.widths(out->space, out->op) & (uint32_t)width);
	out->width = (uint8_t)width;
	if (ok)
		strcpy(out->text, line + from);
	return ok;
}

void tutor_playground_load_history(struct tutor_playground *p)
{
	struct diag unheard = {0};
	struct buf text = {0};
	char line[TUTOR_PLAYGROUND_EXPR_MAX + 64];
	p->tried = base_calloc(TUTOR_PLAYGROUND_KEPT_MAX, sizeof *p->tried);
	if (p->by.history && file_exists(p->by.history) && file_read(p->by.history, HISTORY_MAX, &text, &unheard)) {
		for (const char *at = buf_str(&text); *at;) {
			size_t len = strcspn(at, "\n");
			struct tutor_playground_tried tried;
			snprintf(line, sizeof line, "%.*s", (int)(len < sizeof line ? len : sizeof line - 1), at);
			if (len < sizeof line && read_tried(p, line, &tried))
				tutor_playground_remember(p, &tried);
			at += len + (at[len] == '\n');
		}
	}
	buf_free(&text);
	diag_free(&unheard);
}

bool tutor_playground_save_history(const struct tutor_playground *p, struct diag *diag)
{
	struct buf text = {0};
	for (int i = 0; i < p->n_tried; i++)
		buf_printf(&text, "%s %s %d %s\n", warp_space_name(p->tried[i].space), warp_op_name(p->tried[i].op),
			p->tried[i].width, p->tried[i].text);
	bool ok = !p->by.history || file_write_private(p->by.history, buf_str(&text), text.len, diag);
	buf_free(&text);
	return ok;
}
