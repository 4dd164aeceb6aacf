/* course/book/writer.h: what a format can do. Inside book/ only. Texts are as others wrote them: a writer escapes what
 * it is given. */
#pragma once
#include "course/book/book.h"
#include "course/lesson/lesson.h"
#include "model/hardware/metrics.h"

struct book_writer;

/* One value of one parameter, the others as the step begins: "stride", "4 words". parameter NULL: all as the step
 * begins; that of the parameter's value with which the step begins is `first`, and empty. */
struct book_setting {
	const char *parameter, *value;
	bool first;
};

struct book_form {
	void (*begin)(struct book_writer *w, const char *title);
	void (*end)(struct book_writer *w);
	void (*heading)(struct book_writer *w, int level, const char *id, const char *text);
	void (*text)(struct book_writer *w, const struct text *text);
	/* One paragraph in which `backquoted` words are code; `lead`, which may be "", is emphasized. */
	void (*paragraph)(struct book_writer *w, const char *lead, const char *text);
	void (*list_begin)(struct book_writer *w, bool numbered);
	void (*item)(struct book_writer *w, const char *text);
	void (*link)(struct book_writer *w, const char *id, const char *text); /* an item */
	void (*list_end)(struct book_writer *w, bool numbered);
	void (*code)(struct book_writer *w, const char *text);
	void (*picture)(struct book_writer *w, const struct canvas *canvas, const char *title, const char *words);
	void (*numbers)(struct book_writer *w, const struct view_numbers *numbers);
	/* A part that stands apart: "question", "claim", "exercise", "notes", "answer". */
	void (*part_begin)(struct book_writer *w, const char *name);
	void (*part_end)(struct book_writer *w);
	/* What is between is in another language than the document: a tag, "de". */
	void (*language_begin)(struct book_writer *w, const char *tag);
	void (*language_end)(struct book_writer *w);
	void (*fold_begin)(struct book_writer *w, const char *summary);
	void (*fold_end)(struct book_writer *w);
	/* Settings of a step, of which the reader chooses one, the one that it begins with before others. NULL: there
	 * is no such choice. */
	void (*settings_begin)(struct book_writer *w);
	void (*setting_begin)(struct book_writer *w, const struct book_setting *setting);
	void (*setting_end)(struct book_writer *w);
	void (*settings_end)(struct book_writer *w);
	/* A term with what it means; `id`, which may be NULL: of the step that introduces it. */
	void (*terms_begin)(struct book_writer *w);
	void (*term)(struct book_writer *w, const char *id, const char *term, const char *meaning);
	void (*terms_end)(struct book_writer *w);
	/* An item of an index: a name, and links to the steps that have it. */
	void (*entry_begin)(struct book_writer *w, const char *name);
	void (*entry_link)(struct book_writer *w, const char *id, const char *text);
	void (*entry_end)(struct book_writer *w);
};

struct book_writer {
	const struct book_form *form;
	const struct book_options *options;
	struct buf *out;
	int item; /* of the list under way */
};

extern const struct book_form book_form_html, book_form_markdown;

/* How a value stands in a table: "4", "≈15 (≈9–21)", "–", or why it is missing. `estimate`: of which metric it is one,
 * or METRIC_NONE. */
void book_write_value(const struct value *value, enum metric_id estimate, struct buf *out);
