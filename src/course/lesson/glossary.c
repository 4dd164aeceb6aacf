/* The course's glossary, lessons/glossary.md: one definition of each term, and the step that introduces it. */
#include <string.h>

#include "base/file.h"
#include "base/paths.h"
#include "course/lesson/lesson.h"

#define GLOSSARY_MAX ((size_t)1 << 18)
#define GLOSSARY_TERMS_MAX 500

/* "- **TERM** (LESSON/STEP): DEFINITION": false when it is something else. */
static bool split_term(char *line, struct glossary_term *term)
{
	char *name = line + strlen("- **"), *end = strstr(name, "** ("), *where = end ? end + strlen("** (") : NULL;
	char *close = where ? strstr(where, "): ") : NULL;
	if (!close || end == name || close == where || !close[3])
		return false;
	*end = *close = '\0';
	*term = (struct glossary_term){name, where, close + 3};
	return true;
}

/* The term's paragraph as one line: it goes on in lines that are indented. */
static char *take_paragraph(struct arena *arena, const char **at, int *line)
{
	struct buf text = {0};
	do {
		size_t len = strcspn(*at, "\n"), blanks = strspn(*at, " ");
		if (text.len)
			buf_putc(&text, ' ');
		buf_append(&text, *at + blanks, len - (blanks < len ? blanks : len));
		*at += len + ((*at)[len] == '\n');
		++*line;
	} while (strncmp(*at, "  ", 2) == 0);
	char *paragraph = arena_strdup(arena, buf_str(&text));
	buf_free(&text);
	return paragraph;
}

void lesson_glossary_load(struct arena *arena, const char *data_dir, struct catalog *catalog, struct diag *diag)
{
	const char *path = path_join(arena, path_join(arena, data_dir, "lessons"), "glossary.md");
	struct buf text = {0};
	if (!file_is_named(path))
		return;
	if (!file_read(path, GLOSSARY_MAX, &text, diag)) {
		buf_free(&text);
		return;
	}
	catalog->terms = arena_array(arena, struct glossary_term, GLOSSARY_TERMS_MAX);
	int line = 0;
	for (const char *at = buf_str(&text); *at;) {
		int first = line + 1;
		if (strncmp(at, "- **", 4) != 0) {
			size_t len = strcspn(at, "\n");
			at += len + (at[len] == '\n');
			line++;
		} else if (catalog->n_terms == GLOSSARY_TERMS_MAX ||
			!split_term(take_paragraph(arena, &at, &line), &catalog->terms[catalog->n_terms])) {
			diag_warn(diag, (struct diag_pos){.file = path, .line = first},
				"left out: a term is '- **TERM** (LESSON/STEP): DEFINITION', and there are at most %d",
				GLOSSARY_TERMS_MAX);
		} else {
			catalog->n_terms++;
		}
	}
	buf_free(&text);
}
