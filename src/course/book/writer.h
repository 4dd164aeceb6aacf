/* course/book/writer.h: what a format is, and how pieces of a book are written in it. Inside book/ only. Texts are as
 * others wrote them: they are escaped here. */
#pragma once
#include "course/book/book.h"
#include "course/lesson/lesson.h"
#include "model/hardware/metrics.h"

struct book_writer;

/* What stands before and after a piece. */
struct book_marks {
	const char *open, *close;
};

/* One value of one parameter, the others as the step begins: "stride", "4 words". parameter NULL: all as the step
 * begins; that of the parameter's value with which the step begins is `first`, and empty. */
struct book_setting {
	const char *parameter, *value;
	bool first;
};

struct book_form {
	/* The document. NULL: nothing. */
	void (*begin)(struct book_writer *w, const char *title);
	void (*end)(struct book_writer *w);
	void (*escape)(struct book_writer *w, const char *text);
	void (*code_span)(struct book_writer *w, const char *text);
	void (*code)(struct book_writer *w, const char *text);
	void (*link)(struct book_writer *w, const char *id, const char *text);
	void (*heading)(struct book_writer *w, int level, const char *id, const char *text);
	void (*text)(struct book_writer *w, const struct text *text);
	void (*picture)(struct book_writer *w, const struct canvas *canvas, const char *title, const char *words);
	/* A part that stands apart: "question", "claim", "exercise", "notes", "answer". */
	void (*part_begin)(struct book_writer *w, const char *name);
	/* What is between is in another language than the document: a tag, "de". NULL: the format cannot say it. */
	void (*language_begin)(struct book_writer *w, const char *tag);
	/* One of a step's settings, of which the reader chooses one, the one that it begins with before others. NULL:
	 * there is no such choice. */
	void (*setting_begin)(struct book_writer *w, const struct book_setting *setting);

	bool counts_items; /* items of a numbered list begin with their number in place of item.open */
	struct book_marks spans[SPAN_TERM + 1];
	struct book_marks paragraph, lead; /* `lead`: what is emphasized at its beginning */
	struct book_marks list, numbered, item;
	struct book_marks fold, terms, term, settings; /* fold: around its summary; term: around the name */
	const char *meaning_end, *fold_end, *part_end, *language_end, *setting_end;
	/* A table of numbers: heads of columns, with what is between a setting's name and the rest; all that is between
	 * the heads and the rows, of which `align` is once for each column; rows by their name, cells and unit. */
	struct book_marks table, head, row, cell, unit;
	const char *head_of, *heads_end, *align, *aligned;
};

struct book_writer {
	const struct book_form *form;
	const struct book_options *options;
	struct buf *out;
	int item; /* of the list under way */
};

extern const struct book_form book_form_html, book_form_markdown;

/* One paragraph in which `backquoted` words are code; `lead`, which may be "", is emphasized. */
void book_paragraph(struct book_writer *w, const char *lead, const char *text);

/* The spans of a block; a block of code. */
void book_spans(struct book_writer *w, const struct block *block);
void book_code_block(struct book_writer *w, const struct block *block);

/* `text` as an item of a list, and a list of items. */
void book_list(struct book_writer *w, bool numbered);
void book_item(struct book_writer *w, const char *text);

/* A term with what it means; `id`, which may be NULL: of the step that introduces it. */
void book_term(struct book_writer *w, const char *id, const char *term, const char *meaning);

void book_numbers(struct book_writer *w, const struct view_numbers *numbers);
