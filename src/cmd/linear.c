#include "config.h"
#include "cmd/linear.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "base/utf8.h"
#include "front/tutor/playground.h"
#include "front/view/launch.h"
#include "front/view/source.h"
#include "front/view/views.h"
#include "gpu/client/gpu.h"

/* --- in words ----------------------------------------------------------------------------------------------------- */

#define COLS 72

/* In lines of a moderate length, the first one after `lead`. */
static void linear_put_wrapped(struct buf *out, const char *text, const char *lead)
{
	size_t len = strlen(text), next;
	for (bool first = true; len > 0; first = false, text += next, len -= next) {
		size_t line = wrap_line(text, len, COLS - (int)strlen(lead), WRAP_AT_BLANKS, &next);
		buf_printf(out, "%s%.*s\n", first ? lead : *lead ? "  " : "", (int)line, text);
	}
}

static void linear_put_parameters(struct linear *l, const struct step *step)
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

/* The access that is tried in a playground. */
static void linear_put_tried(struct linear *l)
{
	const struct tutor_playground *p = l->tutor->playground;
	const struct warp_access *a = &p->access;
	if (p->fault.text[0]) {
		if (p->fault.column >= 0)
			buf_printf(&l->out, _("At character %d: "), p->fault.column + 1);
		linear_put_wrapped(&l->out, p->fault.text, "");
		return;
	}
	buf_printf(&l->out, _("%s %s, %d bytes per lane, the element of each lane: %s.\n"), warp_space_name(a->space),
		warp_op_name(a->op), a->width, buf_str(&p->expr.text));
	linear_put_wrapped(&l->out, buf_str(&p->explained), "");
}

/* All that is to be read where the reader is: a step, the list, the end of a lesson, a kernel of theirs, a
 * playground. */
static void linear_put_step(struct linear *l)
{
	const struct tutor *tutor = l->tutor;
	const struct step *step = tutor_step(tutor);
	const struct lesson *lesson = tutor->at.lesson;
	if (tutor->playground && tutor->playground->kind == PLAYGROUND_ACCESS) {
		linear_put_tried(l);
	} else if (tutor->explored) {
		/* A reader's own kernel: no text, but what the screen shows beside it. */
		const struct tutor_explored *explored = l->tutor->explored;
		const struct diag *problems = l->tutor->shown.problems;
		buf_printf(&l->out, _("%s, in %s%s.\n"), l->tutor->at.lesson->title, l->tutor->shown.input.source->file,
			explored->versions > 1 ? l->tutor->at.step ? _(", the second of two versions")
								   : _(", the first of two versions")
					       : "");
		if (explored->state == EXPLORED_REFUSED)
			buf_printf(&l->out, _("The newest version is not shown:\n%s\n"), explored->message);
		for (size_t i = 0; problems && i < problems->count; i++)
			linear_put_wrapped(&l->out, problems->entries[i].message, "");
		linear_put_parameters(l, step);
		for (int i = 0; i < l->tutor->shown.input.defects->n; i++)
			linear_put_wrapped(&l->out, l->tutor->shown.input.defects->at[i].message, _("Defect: "));
		buf_putc(&l->out, '\n');
		buf_puts(&l->out, _("Its lines:\n"));
		view_describe(VIEW_SOURCE, &l->tutor->shown.input, &l->out);
	} else if (tutor->at.mode == TUTOR_LIST) {
		buf_puts(&l->out, _("The list of lessons: `list` reads it, `open NAME` opens one.\n"));
	} else if (!step) {
		buf_printf(&l->out, _("The end of the lesson %s.\n"), lesson->title);
		linear_put_wrapped(&l->out, lesson->takeaway, "");
		buf_puts(&l->out, _("An empty line goes on to the next lesson.\n"));
	} else {
		buf_putc(&l->out, '\n');
		buf_printf(&l->out, _("%s, step %d of %d: %s"), lesson->title, tutor->at.step + 1, lesson->n_steps,
			step->title);
		buf_puts(&l->out, "\n\n");
		for (int i = 0; i < step->text.n_blocks; i++) {
			const struct block *block = &step->text.blocks[i];
			struct buf block_text = {0};
			for (int j = 0; j < block->n_spans; j++) {
				if (block->kind == BLOCK_CODE)
					buf_printf(&l->out, "  %s\n", block->spans[j].text);
				else
					buf_puts(&block_text, block->spans[j].text);
			}
			if (block->kind != BLOCK_CODE)
				linear_put_wrapped(
					&l->out, buf_str(&block_text), block->kind == BLOCK_ITEM ? "- " : "");
			buf_free(&block_text);

			if (step->text.blocks[i].kind != BLOCK_ITEM)
				buf_putc(&l->out, '\n');
		}
		if (step->claim.text)
			linear_put_wrapped(&l->out, step->claim.text, _("It is said: "));
		if (step->has_experiment)
			linear_put_parameters(l, step);

		/* What `picture NAME` knows here. */
		struct buf names = {0};
		for (int i = 0; i < step->n_views; i++)
			buf_printf(&names, "%s%s", i ? ", " : "", step->views[i]);
		if (step->has_experiment && step->n_views)
			buf_printf(&l->out, _("Pictures: %s.\n"), buf_str(&names));
		buf_free(&names);

		if (step->exercise.dir) {
			const struct exercise *exercise = &step->exercise;
			buf_printf(&l->out, _("Exercise. The %s is to reach:\n"),
				exercise->n_runs ? _("program") : _("kernel"));
			for (int i = 0; i < exercise->n_goals; i++)
				linear_put_wrapped(&l->out, exercise->goals[i].text, "- ");
			if (l->tutor->exercise.attempt && *l->tutor->exercise.attempt->timed)
				linear_put_wrapped(&l->out, l->tutor->exercise.attempt->timed, "");
			if (exercise->n_runs) {
				linear_put_wrapped(&l->out, lesson_exercise_wants_right(exercise), "- ");
				linear_put_wrapped(&l->out, lesson_exercise_wants_clean(exercise), "- ");
			}
			buf_printf(&l->out, _("edit puts the %s into a file of yours, check judges it.\n"),
				exercise->n_runs ? _("program") : _("kernel"));
		}
		if (step->question.kind != QUESTION_NONE && tutor->answer.state != ANSWER_RIGHT) {
			const struct question *q = &step->question;
			char lead[16];
			linear_put_wrapped(&l->out, q->ask, _("Question. "));
			for (int i = 0; i < q->n_choices; i++) {
				snprintf(lead, sizeof lead, "%d. ", i + 1);
				linear_put_wrapped(&l->out, q->choices[i].text, lead);
			}
			buf_puts(&l->out, _("Type your answer.\n"));
		}
	}
}

/* What the tutor has to say, which is then said. */
static void linear_put_notice(struct linear *l)
{
	if (l->tutor->notice[0])
		linear_put_wrapped(&l->out, l->tutor->notice, "");
	tutor_dismiss_notice(l->tutor);
}

/* --- the playground ----------------------------------------------------------------------------------------------- */

/* The playground, line by line. */

#define FIRST_LOOKS 8 /* before which a file that has changed may not be seen */

/* Whether there is one, which is opened over the lessons where it is not. */
static bool has_playground(struct linear *l)
{
	struct diag diag = {0};
	struct tutor *tutor = NULL;
	if (l->tutor->playground)
		return true;
	if (l->tutor->playgrounds.open)
		tutor = l->tutor->playgrounds.open(l->tutor->playgrounds.ctx, &diag);
	if (tutor) {
		tutor->settings = l->tutor->settings;
		tutor_pause(l->tutor, true);
		l->below = l->tutor;
		l->tutor = tutor;
	} else {
		buf_printf(&l->out, "%s\n", diag.count ? diag.entries[0].message : _("There is no playground here."));
	}
	diag_free(&diag);
	return tutor != NULL;
}

/* False: there was none that was opened over lessons. */
static bool linear_leave_playground(struct linear *l)
{
	if (!l->below)
		return false;
	tutor_free(l->tutor);
	l->tutor = l->below;
	l->below = NULL;
	tutor_pause(l->tutor, false);
	return true;
}

static void try_access(struct linear *l, const struct tutor_playground_tried *tried)
{
	struct diag diag = {0};
	tutor_playground_turn(l->tutor, PLAYGROUND_ACCESS);
	if (tutor_playground_try(l->tutor, tried))
		tutor_playground_keep(l->tutor, &diag);
	linear_put_tried(l);
	if (diag.count)
		buf_printf(&l->out, _("It is not kept: %s\n"), diag.entries[0].message);
	diag_free(&diag);
}

static struct tutor_playground_tried tried_now(const struct linear *l)
{
	const struct tutor_playground *p = l->tutor->playground;
	struct tutor_playground_tried tried = {p->access.space, p->access.op, p->access.width, ""};
	snprintf(tried.text, sizeof tried.text, "%s", buf_str(&p->expr.text));
	return tried;
}

/* "try lane*33" */
static void linear_try(struct linear *l, const char *rest)
{
	if (!has_playground(l))
		return;
	struct tutor_playground_tried tried = tried_now(l);
	if (strlen(rest) >= sizeof tried.text) {
		buf_printf(&l->out, _("It has more than %d bytes.\n"), TUTOR_PLAYGROUND_EXPR_MAX);
		return;
	}
	if (*rest)
		strcpy(tried.text, rest);
	try_access(l, &tried);
}

static bool take_access_word(const struct linear *l, const char *word, struct tutor_playground_tried *tried)
{
	char *end;
	long width = strtol(word, &end, 10);
	for (int s = SPACE_SHARED; s <= SPACE_CONST; s++)
		if (strcmp(word, warp_space_name((enum mem_space)s)) == 0)
			return tried->space = (enum mem_space)s, true;
	for (int o = 0; o < ACCESS_OPS_N; o++)
		if (strcmp(word, warp_op_name((enum access_op)o)) == 0)
			return tried->op = (enum access_op)o, true;
	tried->width = (uint8_t)width;
	return end != word && !*end && width >= 1 && width <= 16 &&
		(l->tutor->playground->by.widths(tried->space, tried->op) & (uint32_t)width);
}

/* "access global st 8" */
static void linear_access(struct linear *l, const char *rest)
{
	char word[16];
	if (!has_playground(l))
		return;
	struct tutor_playground_tried tried = tried_now(l);
	for (int n; sscanf(rest, " %15s%n", word, &n) == 1; rest += n)
		if (!take_access_word(l, word, &tried)) {
			buf_puts(&l->out, _("access SPACE OP BYTES, as in access global st 8.\n"));
			return;
		}
	if (!l->tutor->playground->by.widths(tried.space, tried.op)) {
		buf_printf(&l->out, _("%s memory has no %s.\n"), warp_space_name(tried.space), warp_op_name(tried.op));
		return;
	}
	try_access(l, &tried);
}

/* The playground's kernel as its file is now, compiled and shown. */
static void linear_kernel(struct linear *l)
{
	const struct timespec pause = {.tv_nsec = LINEAR_LOOK_NS};
	if (!has_playground(l))
		return;
	const struct tutor_playground *p = l->tutor->playground;
	tutor_playground_turn(l->tutor, PLAYGROUND_KERNEL);
	linear_put_notice(l);
	for (int i = 0; p->kind == PLAYGROUND_KERNEL && i < LINEAR_LOOKS; i++) {
		tutor_explore_step(l->tutor);
		if (i > FIRST_LOOKS && l->tutor->explored->state != EXPLORED_COMPILING)
			break;
		nanosleep(&pause, NULL);
	}
	if (p->kind != PLAYGROUND_KERNEL)
		return;
	buf_printf(&l->out, _("Edit this file, then say kernel: %s\n"), p->by.path);
	if (p->fault.text[0])
		linear_put_wrapped(&l->out, p->fault.text, "");
	else if (p->has_kernel)
		linear_put_step(l);
}

/* --- a session ---------------------------------------------------------------------------------------------------- */

#define MEASURE_MS 30000

/* --- commands ----------------------------------------------------------------------------------------------------- */

static const char covered[] = N_(
	"Covered: the question asks about this. Answer first; or say uncover, and the answer counts as looked up.\n");

/* "picture", or one of the views by its name. */
static void do_picture(struct linear *l, const char *rest)
{
	view_id view = *rest ? view_find(rest) : l->tutor->shown.view;
	const struct step *step = tutor_step(l->tutor);
	if (!step || !step->has_experiment || view == VIEW_NONE) {
		buf_puts(&l->out, _("There is no such picture here."));
		for (int i = 0; step && step->has_experiment && i < step->n_views; i++)
			buf_printf(&l->out, "%s%s", i ? ", " : _(" There are "), step->views[i]);
		buf_putc(&l->out, '\n');
		return;
	}
	tutor_turn_to_view(l->tutor, view);
	buf_printf(&l->out, "%s, %s:\n", text_translate(view_table[view].title), l->tutor->shown.input.place);
	bool picture = view != VIEW_NUMBERS && view != VIEW_SOURCE && view != VIEW_SWEEP;
	if (picture && l->tutor->shown.input.covered)
		buf_puts(&l->out, text_translate(covered));
	else if (view == VIEW_NUMBERS)
		view_describe_numbers(&l->tutor->shown.input, &l->out);
	else
		view_describe(view, &l->tutor->shown.input, &l->out);
}

/* "lane 5", "bank 3", "sector 2", "line 22". */
static void say_thing(struct linear *l, enum view_thing thing, const char *rest)
{
	struct view_input input = l->tutor->shown.input;
	char *end;
	long index = strtol(rest, &end, 10);
	bool wrong = end == rest || *end || index < 0 || index > INT32_MAX;
	bool shared = input.access && input.access->space == SPACE_SHARED;
	bool lacks = input.access && ((thing == THING_BANK && !shared) || (thing == THING_SECTOR && shared));
	if (wrong || ((thing == THING_LANE || thing == THING_BANK) && index > 31)) {
		buf_puts(&l->out, _("Which? Lanes and banks are 0 to 31.\n"));
	} else if (input.covered) {
		buf_puts(&l->out, text_translate(covered));
	} else if (lacks) {
		buf_puts(&l->out,
			thing == THING_BANK ? _("Only shared memory has banks.\n")
					    : _("Shared memory has no sectors.\n"));
	} else {
		input.picked = (struct view_pick){thing, index};
		view_describe_pick(&input, &l->out);
		buf_putc(&l->out, '\n');
	}
}

/* Puts the kernel where the reader edits it; `check` waits until the newest version is judged. */
static void do_edit(struct linear *l)
{
	const struct timespec pause = {.tv_nsec = LINEAR_LOOK_NS};
	if (!l->tutor->exercise.attempt) {
		buf_puts(&l->out, _("This step is no exercise.\n"));
		return;
	}
	if (tutor_edit_asks(l->tutor))
		linear_put_wrapped(&l->out, text_translate(tutor_program_is), "");
	tutor_act(l->tutor, ACTION_EDIT);
	tutor_attempt_step(l->tutor);
	for (int i = 0; i < LINEAR_LOOKS && l->tutor->exercise.attempt->state == ATTEMPT_COMPILING; i++) {
		nanosleep(&pause, NULL);
		tutor_attempt_step(l->tutor);
	}
	linear_put_notice(l);
	if (l->tutor->exercise.attempt->unagreed)
		return;
	buf_printf(&l->out, _("Edit this file, then say check: %s\n"), l->tutor->exercise.attempt->path);

	const struct tutor_attempt *attempt = l->tutor->exercise.attempt;
	const struct step *step = tutor_step(l->tutor);
	if (attempt->state == ATTEMPT_REFUSED)
		buf_printf(&l->out, _("It does not compile, or cannot be run:\n%s\n"), attempt->message);
	for (int i = 0; attempt->state == ATTEMPT_GRADED && i < step->exercise.n_goals; i++) {
		/* "not reached: no bank conflicts (with rows 64: shared bank conflicts: 1984)" */
		const char *how = attempt->grade->goals[i].holds ? _("reached") : _("not reached");
		const char *goal_is = attempt->grade->goals[i].is;
		buf_printf(&l->out, "%s: %s%s%s%s\n", how, step->exercise.goals[i].text,
			goal_is && *goal_is ? " (" : "", goal_is ? goal_is : "", goal_is && *goal_is ? ")" : "");
	}
	if (attempt->state == ATTEMPT_GRADED && attempt->grade->wrong)
		linear_put_wrapped(&l->out, attempt->grade->wrong, _("wrong: "));
	if (attempt->state == ATTEMPT_GRADED && attempt->grade->defect)
		linear_put_wrapped(&l->out, attempt->grade->defect, _("defect: "));
	if (attempt->state == ATTEMPT_GRADED)
		buf_puts(&l->out, attempt->grade->solved ? _("Solved.\n") : _("Not solved yet.\n"));
}

enum linear_command {
	DO_NEXT,
	DO_BACK,
	DO_AGAIN,
	DO_NUMBERS,
	DO_PICTURE,
	DO_LANE,
	DO_BANK,
	DO_SECTOR,
	DO_LINE,
	DO_SET,
	DO_HINT,
	DO_UNCOVER,
	DO_MEASURE,
	DO_EDIT,
	DO_TRY,
	DO_ACCESS,
	DO_TRIED,
	DO_KERNEL,
	DO_LEAVE,
	DO_LIST,
	DO_OPEN,
	DO_HELP,
	DO_QUIT
};

static const struct {
	const char *name;
	enum linear_command command;
	const char *help;
} commands[] = {
	{"next", DO_NEXT, N_("the next step; so does an empty line")},
	{"back", DO_BACK, N_("the step before")},
	{"again", DO_AGAIN, N_("read the step again")},
	{"numbers", DO_NUMBERS, N_("the numbers, predicted and measured")},
	{"picture", DO_PICTURE, N_("the picture in words; picture NAME another one")},
	{"lane", DO_LANE, N_("lane 5: what it does in the watched line")},
	{"bank", DO_BANK, N_("bank 3: what it delivers")},
	{"sector", DO_SECTOR, N_("sector 2: who uses it")},
	{"line", DO_LINE, N_("line 22: what it costs")},
	{"set", DO_SET, N_("set NAME=VALUE: change a parameter")},
	{"hint", DO_HINT, N_("a hint")},
	{"uncover", DO_UNCOVER, N_("show what answers the question; it counts as looked up")},
	{"measure", DO_MEASURE, N_("measure on the GPU")},
	{"edit", DO_EDIT, N_("put the exercise's kernel into a file of yours")},
	{"check", DO_EDIT, N_("judge that file")},
	{"try", DO_TRY, N_("try lane*33: the playground, with this access; there any other line is one, too")},
	{"access", DO_ACCESS, N_("access global st 8: its space, operation and width")},
	{"tried", DO_TRIED, N_("what was tried before")},
	{"kernel", DO_KERNEL, N_("the playground's kernel, as its file is now")},
	{"leave", DO_LEAVE, N_("from the playground back to the lessons")},
	{"list", DO_LIST, N_("the lessons")},
	{"open", DO_OPEN, N_("open LESSON or LESSON/STEP")},
	{"help", DO_HELP, N_("these commands")},
	{"quit", DO_QUIT, N_("leave")},
};

/* --- answers ------------------------------------------------------------------------------------------------------ */

/* Carries out a command with what follows its name. */
static void obey(struct linear *l, enum linear_command command, const char *rest)
{
	struct tutor *tutor = l->tutor;
	struct diag diag = {0};
	switch (command) {
	case DO_NEXT:
		tutor_act(tutor, ACTION_STEP_NEXT);
		linear_put_step(l);
		break;
	case DO_BACK:
		tutor_act(tutor, ACTION_STEP_PREVIOUS);
		linear_put_step(l);
		break;
	case DO_AGAIN: linear_put_step(l); break;
	case DO_NUMBERS: view_describe_numbers(&tutor->shown.input, &l->out); break;
	case DO_PICTURE: do_picture(l, rest); break;
	case DO_LANE: say_thing(l, THING_LANE, rest); break;
	case DO_BANK: say_thing(l, THING_BANK, rest); break;
	case DO_SECTOR: say_thing(l, THING_SECTOR, rest); break;
	case DO_LINE: say_thing(l, THING_LINE, rest); break;
	case DO_SET: {
		/* "set stride=4" */
		const char *equals = strchr(rest, '=');
		char name[64];
		if (!tutor_step(l->tutor) || !equals || (size_t)(equals - rest) >= sizeof name) {
			buf_puts(&l->out, _("set NAME=VALUE changes a parameter.\n"));
		} else {
			snprintf(name, sizeof name, "%.*s", (int)(equals - rest), rest);
			if (tutor_set(l->tutor, name, strtoll(equals + 1, NULL, 0), &diag))
				linear_put_parameters(l, tutor_step(l->tutor));
			else if (diag.count)
				buf_printf(&l->out, "%s\n", diag.entries[0].message);
		}
		break;
	}
	case DO_HINT: {
		const struct step *step = tutor_step(tutor);
		int before = tutor->answer.hints_shown;
		tutor_act(tutor, ACTION_HINT);
		int n = tutor->answer.hints_shown;
		if (step && n > before)
			linear_put_wrapped(&l->out,
				step->exercise.dir ? step->exercise.hints[n - 1] : step->question.hints[n - 1],
				_("Hint: "));
		linear_put_notice(l);
		break;
	}
	case DO_UNCOVER:
		if (!tutor_can(tutor, ACTION_UNCOVER))
			buf_puts(&l->out, _("Nothing is covered here.\n"));
		tutor_act(tutor, ACTION_UNCOVER);
		linear_put_notice(l);
		break;
	case DO_MEASURE:
		if (tutor_measure_now(tutor, MEASURE_MS, &diag))
			view_describe_numbers(&tutor->shown.input, &l->out);
		else if (diag.count)
			buf_printf(&l->out, "%s\n", diag.entries[0].message);
		break;
	case DO_EDIT: do_edit(l); break;
	case DO_TRY: linear_try(l, rest); break;
	case DO_ACCESS: linear_access(l, rest); break;
	case DO_TRIED: {
		if (!has_playground(l))
			break;
		const struct tutor_playground *p = l->tutor->playground;
		for (int i = p->n_tried; i-- > 0;)
			buf_printf(&l->out, "%s %s %d: %s\n", warp_space_name(p->tried[i].space),
				warp_op_name(p->tried[i].op), p->tried[i].width, p->tried[i].text);
		break;
	}
	case DO_KERNEL: linear_kernel(l); break;
	case DO_LEAVE:
		if (linear_leave_playground(l))
			linear_put_step(l);
		else
			buf_puts(&l->out, _("There is nothing to go back to; quit leaves.\n"));
		break;
	case DO_LIST: {
		const struct catalog *c = tutor->catalog;
		for (int i = 0; i < c->n_lessons; i++) {
			struct lesson_progress_score score = lesson_progress_score(tutor->progress, c->lessons[i]);
			buf_printf(&l->out, _("%s: %s, %d of %d questions answered.\n"), c->lessons[i]->id,
				c->lessons[i]->title, score.answered, score.questions);
		}
		break;
	}
	case DO_OPEN: {
		const struct lesson *lesson;
		int step = -1;
		if (lesson_catalog_find(tutor->catalog, rest, &lesson, &step, &diag)) {
			tutor_open(tutor, lesson, step);
			linear_put_step(l);
		} else {
			buf_printf(&l->out, "%s\n", diag.entries[0].message);
		}
		break;
	}
	case DO_HELP:
		for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
			buf_printf(&l->out, "%s: %s.\n", commands[i].name, text_translate(commands[i].help));
		buf_puts(&l->out,
			tutor->playground ? _("Anything else is an expression to try.\n")
					  : _("Anything else is the answer to the question.\n"));
		break;
	case DO_QUIT: l->quit = true; break;
	}
	diag_free(&diag);
}

/* A command, or what take_answer takes. */
static void take_typed(struct linear *l, char *line)
{
	line[strcspn(line, "\r\n")] = '\0';
	line += strspn(line, " \t");
	size_t word = strcspn(line, " \t");
	if (!*line) {
		obey(l, DO_NEXT, "");
		return;
	}
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		if (strlen(commands[i].name) == word && strncmp(line, commands[i].name, word) == 0) {
			obey(l, commands[i].command, line + word + strspn(line + word, " \t"));
			return;
		}
	}

	/* A line that is no command: an access to try, or the answer to the question. */
	if (l->tutor->playground) {
		linear_try(l, line);
		return;
	}
	if (!tutor_can(l->tutor, ACTION_ANSWER)) {
		buf_puts(&l->out, _("There is no such command; help lists them.\n"));
		return;
	}
	tutor_act(l->tutor, ACTION_ANSWER);
	for (; *line; line++)
		tutor_type(l->tutor, (unsigned char)*line);
	tutor_act(l->tutor, ACTION_OPEN);

	const struct tutor_answer *answer = &l->tutor->answer;
	if (answer->state == ANSWER_RIGHT) {
		buf_printf(&l->out, _("Right.%s%s%s\n"), answer->moved && *answer->moved ? _(" Now: ") : "",
			answer->moved ? answer->moved : "", answer->moved && *answer->moved ? "." : "");
		if (answer->explain)
			linear_put_wrapped(&l->out, answer->explain, "");
		if (l->tutor->claim.verdict == VERDICT_HOLDS || l->tutor->claim.verdict == VERDICT_FAILS)
			buf_puts(&l->out,
				l->tutor->claim.verdict == VERDICT_HOLDS ? _("The claim holds. ")
									 : _("The claim does not hold. "));
		if (l->tutor->claim.verdict != VERDICT_NONE && l->tutor->claim.reason)
			linear_put_wrapped(&l->out, l->tutor->claim.reason, "");
	} else if (answer->state == ANSWER_WRONG) {
		buf_puts(&l->out, _("That is not it. Try again, or say hint.\n"));
		if (answer->reason)
			linear_put_wrapped(&l->out, answer->reason, "");
	}

	linear_put_notice(l);
	if (tutor_typing(l->tutor))
		tutor_act(l->tutor, ACTION_BACK);
}

static bool flush(struct linear *l)
{
	bool ok = cmd_print(l->ctx, &l->out);
	buf_clear(&l->out);
	return ok;
}

int cmd_linear_run(struct cmd_ctx *ctx, struct tutor *tutor)
{
	struct linear l = {.ctx = ctx, .tutor = tutor};
	char *line = NULL;
	size_t cap = 0;
	tutor->background = false;
	buf_puts(&l.out, _("simttutor, line by line. help lists the commands.\n"));
	/* A kernel is compiled before it is read. */
	const struct tutor_playground *p = l.tutor->playground;
	if (p && p->kind == PLAYGROUND_KERNEL)
		linear_kernel(&l);
	else
		linear_put_step(&l);
	bool ok = flush(&l);
	setvbuf(stdin, NULL, _IONBF, 0);
	while (ok && !l.quit) {
		/* While somebody reads, a worker with nothing to do lets its GPU go. Nothing of what is typed is in a
		 * buffer of ours then. */
		struct pollfd in = {STDIN_FILENO, POLLIN, 0};
		for (int ms; (ms = gpu_timeout_ms(l.tutor->gpu)) >= 0 && poll(&in, 1, ms) == 0;)
			gpu_step(l.tutor->gpu);
		if (getline(&line, &cap, stdin) < 0)
			break;
		take_typed(&l, line);
		ok = flush(&l);
	}
	linear_leave_playground(&l);
	free(line);
	buf_free(&l.out);
	return ok && tutor_save(tutor, &ctx->diag) ? EXIT_OK : EXIT_FAILED;
}

int cmd_linear_print(struct cmd_ctx *ctx, struct tutor *tutor)
{
	struct linear l = {.ctx = ctx, .tutor = tutor};
	linear_put_step(&l);
	buf_putc(&l.out, '\n');
	buf_puts(&l.out, _("The numbers:\n"));
	view_describe_numbers(&tutor->shown.input, &l.out);
	buf_putc(&l.out, '\n');
	do_picture(&l, "");
	bool ok = flush(&l);
	buf_free(&l.out);
	return ok ? EXIT_OK : EXIT_FAILED;
}
