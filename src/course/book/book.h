/* course/book/book.h: lessons as a document to be read without a terminal: text, pictures as SVG, numbers of both
 * witnesses, questions and their answers, glossary, index. What is written depends on the lessons and their recordings
 * alone. */
#pragma once
#include "front/canvas/theme.h"
#include "front/tutor/tutor.h"

enum book_format {
	BOOK_HTML, /* one file, readable without scripts: folded answers, pictures for other values of the parameters */
	BOOK_MD,   /* Markdown as GitHub has it, pictures as text */
	BOOK_PRINT, /* HTML for paper: nothing folded, answers at the end of each lesson */
	BOOK_FORMATS
};

enum book_edition {
	BOOK_READER,     /* answers are folded, or at the end of the lesson; what tells them is covered until then */
	BOOK_HANDOUT,    /* no answers */
	BOOK_INSTRUCTOR, /* answers, what wrong ones are told, and the speaker's notes */
	BOOK_EDITIONS
};

struct book_options {
	enum book_format format;
	enum book_edition edition;
	enum canvas_theme theme; /* of the pictures */
	const char *version;     /* of the program, for the colophon */
	const char *title;       /* of the document */
	const char *language;    /* of its texts, as in "de" */
	bool whole_course;       /* a list of lessons before, glossary and index after them */
};

/* "html" or "reader"; NULL after the last. */
const char *book_format_name(int format);
const char *book_edition_name(int edition);

/* The language of a lesson: of its translation, else of its course; English where none is said. */
const char *book_language(const struct catalog *catalog, const struct lesson *lesson);

/* Appends the document of `n` lessons of the session's catalog. The session keeps no progress and has none; where it
 * stands, and what it covers, changes. */
void book_write(struct tutor *tutor, const struct lesson *const *lessons, int n, const struct book_options *options,
	struct buf *out);
