#include "course/book/writer.h"

#include <string.h>

#include "front/view/numbers.h"

/* Text in which `backquoted` words are code. */
static void inline_text(struct book_writer *w, const char *text)
{
	struct buf part = {0};
	bool code = false;
	for (const char *end; *text; text = *end ? end + 1 : end) {
		end = text + strcspn(text, "`");
		buf_clear(&part);
		buf_append(&part, text, (size_t)(end - text));
		if (part.len)
			(code ? w->form->code_span : w->form->escape)(w, buf_str(&part));
		code = !code;
	}
	buf_free(&part);
}

void book_paragraph(struct book_writer *w, const char *lead, const char *text)
{
	const struct book_form *form = w->form;
	buf_puts(w->out, form->paragraph.open);
	if (*lead) {
		buf_puts(w->out, form->lead.open);
		form->escape(w, lead);
		buf_puts(w->out, form->lead.close);
	}
	inline_text(w, text);
	buf_puts(w->out, form->paragraph.close);
}

void book_spans(struct book_writer *w, const struct block *block)
{
	for (int i = 0; i < block->n_spans; i++) {
		const struct span *span = &block->spans[i];
		buf_puts(w->out, w->form->spans[span->style].open);
		(span->style == SPAN_CODE ? w->form->code_span : w->form->escape)(w, span->text);
		buf_puts(w->out, w->form->spans[span->style].close);
	}
}

void book_code_block(struct book_writer *w, const struct block *block)
{
	struct buf text = {0};
	for (int i = 0; i < block->n_spans; i++)
		buf_printf(&text, "%s\n", block->spans[i].text);
	w->form->code(w, buf_str(&text));
	buf_free(&text);
}

void book_list(struct book_writer *w, bool numbered)
{
	buf_puts(w->out, numbered ? w->form->numbered.open : w->form->list.open);
	w->item = numbered ? 1 : 0;
}

void book_item(struct book_writer *w, const char *text)
{
	if (w->item && w->form->counts_items)
		buf_printf(w->out, "%d. ", w->item++);
	else
		buf_puts(w->out, w->form->item.open);
	inline_text(w, text);
	buf_puts(w->out, w->form->item.close);
}

void book_term(struct book_writer *w, const char *id, const char *term, const char *meaning)
{
	buf_puts(w->out, w->form->term.open);
	if (id)
		w->form->link(w, id, term);
	else
		w->form->escape(w, term);
	buf_puts(w->out, w->form->term.close);
	inline_text(w, meaning);
	buf_puts(w->out, w->form->meaning_end);
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */

/* How a value stands in a table: "4", "≈15 (≈9–21)", "–", or why it is missing. `estimate`: of which metric it is one,
 * or METRIC_NONE. */
static void write_value(struct book_writer *w, const struct value *value, enum metric_id estimate)
{
	struct buf text = {0}, range = {0};
	if (value->state == VALUE_OK) {
		buf_puts(&text, estimate != METRIC_NONE ? "≈" : "");
		value_format(value->v, &text);
		if (estimate != METRIC_NONE && metric_write_range(estimate, value->v, &range))
			buf_printf(&text, " (%s)", buf_str(&range));
	} else if (value->state == VALUE_NONE) {
		buf_puts(&text, "–");
	} else {
		value_explain(*value, &text);
	}
	buf_puts(w->out, w->form->cell.open);
	w->form->escape(w, buf_str(&text));
	buf_puts(w->out, w->form->cell.close);
	buf_free(&range);
	buf_free(&text);
}

void book_numbers(struct book_writer *w, const struct view_numbers *numbers)
{
	const struct book_form *form = w->form;
	bool measured = numbers->measured_on != NULL;
	buf_puts(w->out, form->table.open);
	for (int side = 0; side < view_number_sides(numbers); side++) {
		/* Of a setting: its name, where two are compared, before what is predicted and before where it was
		 * measured. */
		for (int heads_measured = 0; heads_measured <= measured; heads_measured++) {
			buf_puts(w->out, form->head.open);
			if (numbers->other) {
				form->escape(w, numbers->names[side]);
				buf_puts(w->out, form->head_of);
			}
			form->escape(w, heads_measured ? numbers->measured_on : "Predicted");
			buf_puts(w->out, form->head.close);
		}
		for (int k = 0; k < numbers->n_elsewhere; k++) {
			buf_puts(w->out, form->head.open);
			form->escape(w, numbers->elsewhere[k].gpu);
			buf_puts(w->out, ", recorded ");
			form->escape(w, numbers->elsewhere[k].date);
			buf_puts(w->out, form->head.close);
		}
	}

	buf_puts(w->out, form->heads_end);
	for (int side = 0; side < view_number_sides(numbers); side++)
		for (int heads_measured = 0; heads_measured <= measured; heads_measured++)
			buf_puts(w->out, form->align);
	for (int k = 0; k < numbers->n_elsewhere; k++)
		buf_puts(w->out, form->align);
	buf_puts(w->out, form->aligned);

	for (int i = 0; i < numbers->n_rows; i++) {
		const struct metric *metric = &metric_table[numbers->rows[i].metric];
		buf_puts(w->out, form->row.open);
		form->escape(w, metric->label);
		buf_puts(w->out, form->row.close);
		for (int side = 0; side < view_number_sides(numbers); side++) {
			const struct view_number *of = &view_numbers_of(numbers, side)[i];
			write_value(w, &of->predicted, metric_is_estimate(of->metric) ? of->metric : METRIC_NONE);
			if (measured)
				write_value(w, &of->measured, METRIC_NONE);
		}
		for (int k = 0; k < numbers->n_elsewhere; k++)
			write_value(w, &numbers->elsewhere[k].measured[i], METRIC_NONE);
		buf_puts(w->out, form->unit.open);
		form->escape(w, metric->unit);
		buf_puts(w->out, form->unit.close);
	}
	buf_puts(w->out, form->table.close);
}
