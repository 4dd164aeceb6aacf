/* The playground's kernel: its file, and where a compiler says that it is wrong. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "front/tutor/playground_parts.h"
#include "front/tutor/private.h"

bool tutor_playground_load_kernel(struct tutor *tutor)
{
	struct tutor_playground *p = tutor->playground;
	struct diag diag = {0};
	struct buf text = {0};
	if (!p->by.path) {
		tutor_notice(
			tutor, _("There is no folder for a kernel of yours: neither XDG_DATA_HOME nor HOME is set."));
		return false;
	}
	bool missing = !file_is_named(p->by.path);
	bool ok = !missing || file_write(p->by.path, p->by.begins_with, strlen(p->by.begins_with), &diag);
	ok = ok && file_read_text(p->by.path, TUTOR_PLAYGROUND_SOURCE_MAX, &text, &diag);
	if (ok) {
		tutor_edit_set(&p->source, buf_str(&text), text.len);
		p->written = p->seen = p->source.changes;
		p->loaded = true;
	} else {
		tutor_notice(tutor, diag.count ? diag.entries[0].message : _("The kernel's file cannot be read."));
	}
	buf_free(&text);
	diag_free(&diag);
	return ok;
}

void tutor_playground_reload(struct tutor *tutor)
{
	struct tutor_playground *p = tutor->playground;
	struct diag unheard = {0};
	struct buf text = {0};
	bool own = p->written != p->source.changes; /* what is being typed counts */
	if (!own && file_read_text(p->by.path, TUTOR_PLAYGROUND_SOURCE_MAX, &text, &unheard) &&
		(text.len != p->source.text.len || memcmp(buf_str(&text), buf_str(&p->source.text), text.len) != 0)) {
		int line = tutor_edit_line(&p->source), column = tutor_edit_column(&p->source);
		tutor_edit_set(&p->source, buf_str(&text), text.len);
		tutor_edit_go(&p->source, line, column);
		p->written = p->seen = p->source.changes;
	}
	buf_free(&text);
	diag_free(&unheard);
}

bool tutor_playground_follows(const struct tutor *tutor)
{
	return tutor->playground->kind == PLAYGROUND_KERNEL && tutor->playground->loaded;
}

/* nvcc has no column; below the message it prints the line, and below that a ^. -1: it does not. */
static int caret_column(const struct tutor_edit *source, int line, const char *message)
{
	const char *shown = strchr(message, '\n'), *below = shown ? strchr(shown + 1, '\n') : NULL;
	size_t len, indent, own;
	const char *text = tutor_edit_text_of(source, line - 1, &len);
	if (!below || !text)
		return -1;
	shown++;
	indent = strspn(shown, " \t");
	own = strspn(text, " \t") < len ? strspn(text, " \t") : len;
	size_t n = (size_t)(below - shown) - indent, caret = strspn(below + 1, " ");
	if (below[1 + caret] != '^' || caret < indent || n > len - own || memcmp(shown + indent, text + own, n) != 0)
		return -1;
	return (int)(caret - indent + own);
}

/* A byte of the line as a column of the screen. */
static int shown_column(const struct tutor_edit *source, int line, int byte)
{
	size_t len, bytes;
	const char *text = tutor_edit_text_of(source, line - 1, &len);
	int column = 0;
	for (size_t at = 0; text && at < len && (int)at < byte; at += bytes)
		column += tutor_edit_width(text + at, len - at, column, &bytes);
	return column;
}

/* "mine.cu:7:5: error: ..." of clang and of our parser, "mine.cu(7): error: ..." of nvcc: where the first one is. */
void tutor_playground_refused(struct tutor *tutor, const char *message)
{
	struct tutor_playground_fault *fault = &tutor->playground->fault;
	*fault = (struct tutor_playground_fault){.column = -1};
	if (!message) {
		if (!tutor->playground->seen_kernel)
			tutor_explore_first_view(tutor);
		tutor->playground->seen_kernel = true;
		return;
	}
	const char *name = path_last(tutor->playground->by.path), *at = message;
	size_t len = strlen(name);
	int line, column = 0;
	snprintf(fault->text, sizeof fault->text, "%s", message);
	while ((at = strstr(at, name)) != NULL) {
		at += len;
		if (sscanf(at, ":%9d:%9d", &line, &column) < 1 && sscanf(at, "(%9d)", &line) != 1)
			continue;
		const struct tutor_edit *source = &tutor->playground->source;
		int byte = column > 0 ? column - 1 : caret_column(source, line, at);
		fault->line = line;
		fault->column = byte < 0 ? -1 : shown_column(source, line, byte);
		fault->text[strcspn(fault->text, "\n")] = '\0';
		return;
	}
}
