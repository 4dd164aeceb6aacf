/* What is read where the reader is, in words. */
#include "config.h"
#include "cmd/linear_parts.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "front/tutor/playground.h"
#include "front/view/views.h"

#define COLS 72

void cmd_linear_put_wrapped(struct buf *out, const char *text, const char *lead)
{
	size_t len = strlen(text), next;
	for (bool first = true; len > 0; first = false, text += next, len -= next) {
		size_t line = wrap_line(text, len, COLS - (int)strlen(lead), WRAP_AT_BLANKS, &next);
		buf_printf(out, "%s%.*s\n", first ? lead : *lead ? "  " : "", (int)line, text);
	}
}

static void put_block(struct buf *out, const struct block *block)
{
	struct buf text = {0};
	for (int i = 0; i < block->n_spans; i++) {
		if (block->kind == BLOCK_CODE)
			buf_printf(out, "  %s\n", block->spans[i].text);
		else
			buf_puts(&text, block->spans[i].text);
	}
	if (block->kind != BLOCK_CODE)
		cmd_linear_put_wrapped(out, buf_str(&text), block->kind == BLOCK_ITEM ? "- " : "");
	buf_free(&text);
}

static void put_blocks(struct buf *out, const struct text *text)
{
	for (int i = 0; i < text->n_blocks; i++) {
		put_block(out, &text->blocks[i]);
		if (text->blocks[i].kind != BLOCK_ITEM)
			buf_putc(out, '\n');
	}
}

static void put_question(struct linear *l, const struct question *q)
{
	char lead[16];
	cmd_linear_put_wrapped(&l->out, q->ask, _("Question. "));
	for (int i = 0; i < q->n_choices; i++) {
		snprintf(lead, sizeof lead, "%d. ", i + 1);
		cmd_linear_put_wrapped(&l->out, q->choices[i].text, lead);
	}
	buf_puts(&l->out, _("Type your answer.\n"));
}

void cmd_linear_put_parameters(struct linear *l, const struct step *step)
{
	const struct lesson *lesson = l->tutor->at.lesson;
	for (int i = 0; i < lesson->n_parameters; i++) {
		if (!step->shown[i])
			continue;
		const struct parameter *p = &lesson->parameters[i];
		if (strcmp(p->label, p->name) == 0)
			buf_printf(&l->out, _("%s is "), p->name);
		else
			buf_printf(&l->out, _("%s (%s) is "), p->label, p->name);
		lesson_write_value_with_unit(p, l->tutor->at.values[i], &l->out);
		buf_puts(&l->out, ".\n");
	}
}

/* What `picture NAME` knows here. */
static void put_pictures(struct linear *l, const struct step *step)
{
	struct buf names = {0};
	for (int i = 0; i < step->n_views; i++)
		buf_printf(&names, "%s%s", i ? ", " : "", step->views[i]);
	if (step->has_experiment && step->n_views)
		buf_printf(&l->out, _("Pictures: %s.\n"), buf_str(&names));
	buf_free(&names);
}

static void put_exercise(struct linear *l, const struct exercise *exercise)
{
	buf_printf(&l->out, _("Exercise. The %s is to reach:\n"), exercise->n_runs ? _("program") : _("kernel"));
	for (int i = 0; i < exercise->n_goals; i++)
		cmd_linear_put_wrapped(&l->out, exercise->goals[i].text, "- ");
	if (l->tutor->exercise.attempt && *l->tutor->exercise.attempt->timed)
		cmd_linear_put_wrapped(&l->out, l->tutor->exercise.attempt->timed, "");
	if (exercise->n_runs) {
		cmd_linear_put_wrapped(&l->out, lesson_exercise_wants_right(exercise), "- ");
		cmd_linear_put_wrapped(&l->out, lesson_exercise_wants_clean(exercise), "- ");
	}
	buf_printf(&l->out, _("edit puts the %s into a file of yours, check judges it.\n"),
		exercise->n_runs ? _("program") : _("kernel"));
}

static void put_source(struct linear *l)
{
	view_describe(VIEW_SOURCE, &l->tutor->shown.input, &l->out);
}

/* A reader's own kernel: no text, but what the screen shows beside it. */
static void put_explored(struct linear *l, const struct step *step)
{
	const struct tutor *tutor = l->tutor;
	const struct tutor_explored *explored = tutor->explored;
	const struct diag *problems = tutor->shown.problems;
	buf_printf(&l->out, _("%s, in %s%s.\n"), tutor->at.lesson->title, tutor->shown.input.source.file,
		explored->versions > 1
			? tutor->at.step ? _(", the second of two versions") : _(", the first of two versions")
			: "");
	if (explored->state == EXPLORED_REFUSED)
		buf_printf(&l->out, _("The newest version is not shown:\n%s\n"), explored->message);
	for (size_t i = 0; problems && i < problems->count; i++)
		cmd_linear_put_wrapped(&l->out, problems->entries[i].message, "");
	cmd_linear_put_parameters(l, step);
	for (int i = 0; i < tutor->shown.input.defects.n; i++)
		cmd_linear_put_wrapped(&l->out, tutor->shown.input.defects.at[i].message, _("Defect: "));
	buf_putc(&l->out, '\n');
	buf_puts(&l->out, _("Its lines:\n"));
	put_source(l);
}

void cmd_linear_put_step(struct linear *l)
{
	const struct tutor *tutor = l->tutor;
	const struct step *step = tutor_step(tutor);
	const struct lesson *lesson = tutor->at.lesson;
	if (tutor->playground && tutor->playground->kind == PLAYGROUND_ACCESS) {
		cmd_linear_put_tried(l);
	} else if (tutor->explored) {
		put_explored(l, step);
	} else if (tutor->at.mode == TUTOR_LIST) {
		buf_puts(&l->out, _("The list of lessons: `list` reads it, `open NAME` opens one.\n"));
	} else if (!step) {
		buf_printf(&l->out, _("The end of the lesson %s.\n"), lesson->title);
		cmd_linear_put_wrapped(&l->out, lesson->takeaway, "");
		buf_puts(&l->out, _("An empty line goes on to the next lesson.\n"));
	} else {
		buf_putc(&l->out, '\n');
		buf_printf(&l->out, _("%s, step %d of %d: %s"), lesson->title, tutor->at.step + 1, lesson->n_steps,
			step->title);
		buf_puts(&l->out, "\n\n");
		put_blocks(&l->out, &step->text);
		if (step->claim.text)
			cmd_linear_put_wrapped(&l->out, step->claim.text, _("It is said: "));
		if (step->has_experiment)
			cmd_linear_put_parameters(l, step);
		put_pictures(l, step);
		if (step->exercise.dir)
			put_exercise(l, &step->exercise);
		if (step->question.kind != QUESTION_NONE && tutor->answer.state != ANSWER_RIGHT)
			put_question(l, &step->question);
	}
}

void cmd_linear_put_notice(struct linear *l)
{
	if (l->tutor->notice[0])
		cmd_linear_put_wrapped(&l->out, l->tutor->notice, "");
	tutor_dismiss_notice(l->tutor);
}
