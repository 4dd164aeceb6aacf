#include "course/book/book.h"

#include <stdio.h>
#include <string.h>

#include "course/book/writer.h"
#include "course/lesson/lesson.h"
#include "front/view/numbers.h"
#include "front/view/source.h"
#include "front/view/views.h"
#include "model/hardware/engine.h"
#include "model/hardware/metrics.h"

/* Of the pictures: as on a large terminal, in which most have their roomy form. */
#define PICTURE_COLS 100
#define PICTURE_ROWS 34
#define SOURCE_FOOT 3 /* rows of the view of the source that are no line of it */

/* A lesson, or a step of it, under way. */
struct book {
	struct tutor *tutor;
	struct book_writer w;
	struct arena *arena; /* of the step */
	struct buf answers;  /* BOOK_PRINT: of the lesson, to be put at its end */
	char id[128];        /* of the step: "banks-3" */
};

static const char *const formats[BOOK_FORMATS + 1] = {"html", "md", "pdf-ready", NULL};
static const char *const editions[BOOK_EDITIONS + 1] = {"reader", "handout", "instructor", NULL};

const char *book_format_name(int format)
{
	return formats[format];
}

const char *book_edition_name(int edition)
{
	return editions[edition];
}

/* --- ids ---------------------------------------------------------------------------------------------------------- */

/* Letters, digits and dashes of a name that others gave. */
static void write_id(const char *name, char *out, size_t size)
{
	size_t n = 0;
	for (; *name && n + 1 < size; name++) {
		bool plain = (*name >= 'a' && *name <= 'z') || (*name >= '0' && *name <= '9');
		out[n++] = plain ? *name : '-';
	}
	out[n] = '\0';
}

static void step_id(const struct lesson *lesson, int step, char *out, size_t size)
{
	char id[64];
	write_id(lesson->id, id, sizeof id);
	snprintf(out, size, "%s-%d", id, step + 1);
}

static void lesson_anchor(const struct lesson *lesson, char *out, size_t size)
{
	char id[64];
	write_id(lesson->id, id, sizeof id);
	snprintf(out, size, "lesson-%s", id);
}

/* --- pictures ----------------------------------------------------------------------------------------------------- */

static void write_view(struct book *b, view_id view)
{
	struct buf words = {0}, title = {0};
	tutor_turn_to_view(b->tutor, view);
	const struct view_input *input = &b->tutor->shown.input;
	int rows = view == VIEW_SOURCE ? input->source->n_lines + SOURCE_FOOT : PICTURE_ROWS;
	struct canvas *canvas = canvas_new(rows, PICTURE_COLS);
	buf_puts(&title, view_table[view].title);
	if (view_is_of(view, VIEW_OF_ACCESS) && input->place)
		buf_printf(&title, " · %s", input->place);
	view_draw(view, canvas, canvas->clip, input);

	/* Takes away the empty rows at the end. */
	for (bool blank = true; canvas->rows > 1; canvas->rows--) {
		for (int col = 0; blank && col < canvas->cols; col++) {
			const struct cell *cell = canvas_at(canvas, canvas->rows - 1, col);
			blank = cell->ch == ' ' && cell->ground == ROLE_TEXT && !canvas_roles[cell->role].reverse;
		}
		if (!blank)
			break;
	}

	if (input->covered)
		buf_puts(&words, input->covered);
	else
		view_describe(view, input, &words);
	b->w.form->picture(&b->w, canvas, buf_str(&title), buf_str(&words));
	buf_free(&words);
	buf_free(&title);
	canvas_free(canvas);
}

static view_id first_view(const struct step *step)
{
	for (int i = 0; i < step->n_views; i++) {
		view_id view = view_find(step->views[i]);
		if (view != VIEW_NONE && view != VIEW_NUMBERS)
			return view;
	}
	return VIEW_NONE;
}

/* What changes with the parameters: the first picture, and the numbers. */
static void write_witness(struct book *b, const struct step *step)
{
	/* "stride 4 words, rows 64": the parameters that the reader could turn. */
	const struct lesson *lesson = b->tutor->at.lesson;
	struct buf text = {0};
	for (int i = 0; i < lesson->n_parameters; i++) {
		const struct parameter *p = &lesson->parameters[i];
		if (!step->shown[i])
			continue;
		buf_printf(&text, "%s%s ", text.len ? ", " : "", p->label);
		lesson_write_value_with_unit(p, b->tutor->at.values[i], &text);
	}
	if (text.len)
		book_paragraph(&b->w, "With", buf_str(&text));
	buf_free(&text);

	const struct diag *problems = b->tutor->shown.problems;
	for (size_t i = 0; problems && i < problems->count; i++)
		book_paragraph(&b->w,
			problems->entries[i].severity == DIAG_ERROR ? "Error:" : "Note:", problems->entries[i].message);
	if (first_view(step) != VIEW_NONE)
		write_view(b, first_view(step));
	if (b->tutor->shown.input.numbers->n_rows)
		book_numbers(&b->w, b->tutor->shown.input.numbers);
}

static void write_settings(struct book *b, const struct step *step)
{
	const struct lesson *lesson = b->tutor->at.lesson;
	bool turns = false;
	for (int i = 0; i < lesson->n_parameters; i++)
		turns |= step->shown[i] && lesson->parameters[i].n_values > 1;
	if (!turns || b->w.options->format != BOOK_HTML || !b->w.form->setting_begin) {
		write_witness(b, step);
		return;
	}
	buf_puts(b->w.out, b->w.form->settings.open);
	b->w.form->setting_begin(&b->w, &(struct book_setting){0});
	write_witness(b, step);
	buf_puts(b->w.out, b->w.form->setting_end);
	for (int i = 0; i < lesson->n_parameters; i++)
		for (int v = 0; step->shown[i] && v < lesson->parameters[i].n_values; v++) {
			const struct parameter *p = &lesson->parameters[i];
			int64_t value = lesson->parameters[i].values[v];
			const struct lesson *setting_lesson = b->tutor->at.lesson;
			struct diag quiet = {0};
			struct buf text = {0};
			int64_t initial = step->set[p - setting_lesson->parameters];
			lesson_write_value_with_unit(p, value, &text);
			b->w.form->setting_begin(&b->w,
				&(struct book_setting){
					.parameter = p->label, .value = buf_str(&text), .first = value == initial});
			if (value != initial && tutor_set(b->tutor, p->name, value, &quiet)) {
				write_witness(b, step);
				tutor_set(b->tutor, p->name, initial, &quiet);
			}
			buf_puts(b->w.out, b->w.form->setting_end);
			buf_free(&text);
			diag_free(&quiet);
		}
	buf_puts(b->w.out, b->w.form->settings.close);
}

/* --- questions, claims, exercises --------------------------------------------------------------------------------- */

static void write_verdict(struct book *b)
{
	static const char *const verdicts[] = {[VERDICT_HOLDS] = "The claim holds.",
		[VERDICT_FAILS] = "The claim does not hold.",
		[VERDICT_OPEN] = "The claim is not judged:"};
	const struct tutor_claim *claim = &b->tutor->claim;
	if (claim->verdict != VERDICT_NONE)
		book_paragraph(&b->w, verdicts[claim->verdict], claim->reason ? claim->reason : "");
}

/* The answer, why it is right, and what was covered until then. */
static void write_answer(struct book *b, const struct step *step)
{
	struct buf right = {0};
	bool was_covered = tutor_covered(b->tutor);
	tutor_right_answer(b->tutor, &right);
	tutor_answer_for_reader(b->tutor);
	if (right.len)
		book_paragraph(&b->w, "Answer:", buf_str(&right));
	if (b->tutor->answer.explain && *b->tutor->answer.explain)
		book_paragraph(&b->w, "", b->tutor->answer.explain);
	write_verdict(b);
	if (b->w.options->edition == BOOK_INSTRUCTOR) {
		struct buf why = {0}, answer = {0};
		for (int i = 0; i < step->question.n_choices + step->question.n_wrong; i++) {
			buf_clear(&why);
			buf_clear(&answer);
			if (tutor_wrong_answer(b->tutor, i, &answer, &why))
				book_paragraph(&b->w, buf_str(&answer), buf_str(&why));
		}
		buf_free(&why);
		buf_free(&answer);
	} else if (step->has_experiment && (was_covered || (b->tutor->answer.moved && *b->tutor->answer.moved))) {
		write_witness(b, step);
	}
	buf_free(&right);
}

static void begin_fold(struct book *b, const char *summary)
{
	buf_puts(b->w.out, b->w.form->fold.open);
	b->w.form->escape(&b->w, summary);
	buf_puts(b->w.out, b->w.form->fold.close);
}

static void write_hints(struct book *b, const char *const *hints, int n)
{
	for (int i = 0; i < n && b->w.options->edition != BOOK_HANDOUT; i++) {
		char title[32];
		snprintf(title, sizeof title, "Hint %d", i + 1);
		if (b->w.options->format == BOOK_PRINT) {
			book_paragraph(&b->w, title, hints[i]);
			continue;
		}
		begin_fold(b, title);
		book_paragraph(&b->w, "", hints[i]);
		buf_puts(b->w.out, b->w.form->fold_end);
	}
}

/* Where the edition has it: here, folded, or at the lesson's end. */
static void write_answer_in_its_place(
	struct book *b, const struct step *step, void (*write)(struct book *, const struct step *))
{
	const struct book_options *options = b->w.options;
	struct buf *out = b->w.out;
	if (options->edition == BOOK_HANDOUT)
		return;
	if (options->edition == BOOK_INSTRUCTOR) {
		b->w.form->part_begin(&b->w, "answer");
		write(b, step);
		buf_puts(b->w.out, b->w.form->part_end);
	} else if (options->format == BOOK_PRINT) {
		b->w.out = &b->answers;
		b->w.form->heading(&b->w, 3, NULL, step->title);
		write(b, step);
		b->w.out = out;
	} else {
		begin_fold(b, "Answer");
		write(b, step);
		buf_puts(b->w.out, b->w.form->fold_end);
	}
}

static void write_claim_verdict(struct book *b, const struct step *step)
{
	(void)step;
	write_verdict(b);
}

static void write_solution(struct book *b, const struct step *step)
{
	struct diag quiet = {0};
	const struct kernel_file *kernel = lesson_exercise_kernel(b->arena, step, "solution", &quiet);
	tutor_answer_for_reader(b->tutor);
	if (b->tutor->answer.explain && *b->tutor->answer.explain)
		book_paragraph(&b->w, "", b->tutor->answer.explain);
	if (kernel && b->w.options->edition == BOOK_INSTRUCTOR)
		b->w.form->code(&b->w, kernel->source_text);
	diag_free(&quiet);
}

/* --- lessons ------------------------------------------------------------------------------------------------------ */

const char *book_language(const struct catalog *catalog, const struct lesson *lesson)
{
	const char *of_course = catalog->course ? catalog->course->language : "";
	return *lesson->language ? lesson->language : *of_course ? of_course : "en";
}

static void write_lesson(struct book *b, const struct lesson *lesson)
{
	char id[128];
	const char *language = book_language(b->tutor->catalog, lesson);
	bool other = strcmp(language, b->w.options->language) != 0;
	if (other && b->w.form->language_begin)
		b->w.form->language_begin(&b->w, language);
	lesson_anchor(lesson, id, sizeof id);
	b->w.form->heading(&b->w, 1, id, lesson->title);
	book_paragraph(&b->w, "", lesson->summary);
	if (*lesson->needs)
		book_paragraph(&b->w, "You need:", lesson->needs);
	if (*lesson->can)
		book_paragraph(&b->w, "Afterwards you can", lesson->can);
	for (int i = 0; i < lesson->n_steps; i++) {
		const struct step *step = &lesson->steps[i];
		b->arena = arena_new();
		tutor_open(b->tutor, lesson, i);
		step_id(lesson, i, b->id, sizeof b->id);
		b->w.form->heading(&b->w, 2, b->id, step->title);
		b->w.form->text(&b->w, &step->text);

		if (b->w.options->edition == BOOK_INSTRUCTOR && *step->notes) {
			b->w.form->part_begin(&b->w, "notes");
			book_paragraph(&b->w, "For the speaker:", step->notes);
			buf_puts(b->w.out, b->w.form->part_end);
		}

		if (step->claim.text) {
			b->w.form->part_begin(&b->w, "claim");
			book_paragraph(&b->w, "It is said:", step->claim.text);
			if (step->question.kind == QUESTION_NONE)
				write_answer_in_its_place(b, step, write_claim_verdict);
			buf_puts(b->w.out, b->w.form->part_end);
		}

		if (step->has_experiment) {
			write_settings(b, step);
			for (int j = 0; j < step->n_views; j++) {
				view_id view = view_find(step->views[j]);
				if (view != VIEW_NONE && view != VIEW_NUMBERS && view != first_view(step))
					write_view(b, view);
			}
		}

		const struct question *q = &step->question;
		if (q->kind != QUESTION_NONE) {
			b->w.form->part_begin(&b->w, "question");
			book_paragraph(&b->w, "", q->ask);
			if (q->n_choices) {
				book_list(&b->w, true);
				for (int j = 0; j < q->n_choices; j++)
					book_item(&b->w, q->choices[j].text);
				buf_puts(b->w.out, b->w.form->numbered.close);
			}
			write_hints(b, q->hints, q->n_hints);
			write_answer_in_its_place(b, step, write_answer);
			buf_puts(b->w.out, b->w.form->part_end);
		}

		const struct exercise *exercise = &step->exercise;
		if (exercise->dir) {
			struct diag quiet = {0};
			const struct kernel_file *start = lesson_exercise_kernel(b->arena, step, "start", &quiet);
			b->w.form->part_begin(&b->w, "exercise");
			book_paragraph(&b->w, "Exercise.",
				exercise->n_runs ? "Change the program until all of these hold:"
						 : "Change the kernel until all of these hold:");
			book_list(&b->w, false);
			for (int j = 0; j < exercise->n_goals; j++)
				book_item(&b->w, exercise->goals[j].text);
			book_item(&b->w, lesson_exercise_wants_right(exercise));
			book_item(&b->w, lesson_exercise_wants_clean(exercise));
			buf_puts(b->w.out, b->w.form->list.close);
			if (start)
				b->w.form->code(&b->w, start->source_text);
			write_hints(b, exercise->hints, exercise->n_hints);
			write_answer_in_its_place(b, step, write_solution);
			buf_puts(b->w.out, b->w.form->part_end);
			diag_free(&quiet);
		}

		arena_free(b->arena);
		b->arena = NULL;
	}
	b->w.form->heading(&b->w, 2, NULL, "To take away");
	book_paragraph(&b->w, "", lesson->takeaway);
	if (b->answers.len) {
		b->w.form->heading(&b->w, 2, NULL, "Answers");
		buf_append(b->w.out, b->answers.data, b->answers.len);
		buf_clear(&b->answers);
	}
	if (other)
		buf_puts(b->w.out, b->w.form->language_end);
}

/* --- before and after --------------------------------------------------------------------------------------------- */

/* The id of the step "banks/two-words" or "banks/2" where the document has it. */
static bool find_step(const char *where, const struct lesson *const *lessons, int n, char *id, size_t size)
{
	const char *slash = strchr(where, '/');
	size_t len = slash ? (size_t)(slash - where) : strlen(where);
	for (int i = 0; slash && i < n; i++) {
		if (strlen(lessons[i]->id) != len || strncmp(lessons[i]->id, where, len) != 0)
			continue;
		for (int s = 0; s < lessons[i]->n_steps; s++) {
			char number[16];
			snprintf(number, sizeof number, "%d", s + 1);
			step_id(lessons[i], s, id, size);
			if (strcmp(slash + 1, lessons[i]->steps[s].id) == 0 || strcmp(slash + 1, number) == 0)
				return true;
		}
	}
	return false;
}

/* The steps that show the metric, for each document's index. Whether there are any; `write`: they are written. */
static bool link_steps(struct book *b, enum metric_id metric, const struct lesson *const *lessons, int n, bool write)
{
	bool any = false;
	for (int i = 0; i < n; i++) {
		for (int s = 0; s < lessons[i]->n_steps; s++) {
			const struct step *step = &lessons[i]->steps[s];
			char id[128], name[96];
			bool shows = false;
			for (int k = 0; k < step->n_metrics && !shows; k++)
				shows = metric_find(step->metrics[k]) == metric;
			if (!shows)
				continue;
			any = true;
			step_id(lessons[i], s, id, sizeof id);
			snprintf(name, sizeof name, "%.60s/%d", lessons[i]->id, s + 1);
			if (write) {
				buf_puts(b->w.out, " · ");
				b->w.form->link(&b->w, id, name);
			}
		}
	}
	return any;
}

void book_write(struct tutor *tutor, const struct lesson *const *lessons, int n, const struct book_options *options,
	struct buf *out)
{
	struct book b = {.tutor = tutor,
		.w = {.form = options->format == BOOK_MD ? &book_form_markdown : &book_form_html,
			.options = options,
			.out = out}};
	struct buf made = {0};
	tutor->covers = options->edition != BOOK_INSTRUCTOR;
	if (b.w.form->begin)
		b.w.form->begin(&b.w, options->title);
	if (options->whole_course) {
		b.w.form->heading(&b.w, 1, NULL, options->title);

		char id[128];
		for (int i = 0; i < n; i++) {
			bool first = i == 0 || strcmp(lessons[i]->track, lessons[i - 1]->track) != 0;
			bool last = i + 1 == n || strcmp(lessons[i]->track, lessons[i + 1]->track) != 0;
			lesson_anchor(lessons[i], id, sizeof id);
			if (first) {
				b.w.form->heading(&b.w, 2, NULL, lessons[i]->track);
				book_list(&b.w, false);
			}
			buf_puts(b.w.out, b.w.form->item.open);
			b.w.form->link(&b.w, id, lessons[i]->title);
			buf_puts(b.w.out, b.w.form->item.close);
			if (last)
				buf_puts(b.w.out, b.w.form->list.close);
		}
	}
	for (int i = 0; i < n; i++)
		write_lesson(&b, lessons[i]);

	const struct catalog *catalog = b.tutor->catalog;
	char id[128];
	bool any = false;
	for (int i = 0; i < catalog->n_terms; i++) {
		const struct glossary_term *t = &catalog->terms[i];
		if (!find_step(t->where, lessons, n, id, sizeof id))
			continue;
		if (!any) {
			b.w.form->heading(&b.w, 1, "glossary", "Glossary");
			buf_puts(b.w.out, b.w.form->terms.open);
		}
		any = true;
		book_term(&b.w, id, t->term, t->definition);
	}
	if (any)
		buf_puts(b.w.out, b.w.form->terms.close);

	b.w.form->heading(&b.w, 1, "metrics", "The numbers");
	buf_puts(b.w.out, b.w.form->terms.open);
	for (int m = 0; m < METRICS; m++)
		if (link_steps(&b, (enum metric_id)m, lessons, n, false))
			book_term(&b.w, NULL, metric_table[m].label, metric_table[m].meaning);
	buf_puts(b.w.out, b.w.form->terms.close);
	b.w.form->heading(&b.w, 1, "index", "Index of the numbers");
	book_list(&b.w, false);
	for (int m = 0; m < METRICS; m++) {
		if (!link_steps(&b, (enum metric_id)m, lessons, n, false))
			continue;
		buf_puts(b.w.out, b.w.form->item.open);
		b.w.form->escape(&b.w, metric_table[m].label);
		link_steps(&b, (enum metric_id)m, lessons, n, true);
		buf_puts(b.w.out, b.w.form->item.close);
	}
	buf_puts(b.w.out, b.w.form->list.close);

	buf_printf(&made,
		"simttutor %s. Predicted numbers are its model's, for compute capability %d.%d; ≈ marks estimates, with the range in which a GPU counts them where that is known. Measured "
		"ones are recorded, on the GPU and date above them.",
		options->version, MODEL_CC_DEFAULT / 10, MODEL_CC_DEFAULT % 10);
	book_paragraph(&b.w, "Made by", buf_str(&made));
	if (b.w.form->end)
		b.w.form->end(&b.w);
	buf_free(&made);
	buf_free(&b.answers);
}
