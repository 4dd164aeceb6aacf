#include "config.h"
#include "cmd/linear.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "cmd/linear_parts.h"
#include "front/tutor/playground.h"
#include "front/view/views.h"
#include "gpu/client/gpu.h"

#define MEASURE_MS 30000

/* --- commands ----------------------------------------------------------------------------------------------------------- */
static void do_next(struct linear *l, const char *rest)
{
	(void)rest;
	tutor_act(l->tutor, ACTION_STEP_NEXT);
	cmd_linear_put_step(l);
}

static void do_back(struct linear *l, const char *rest)
{
	(void)rest;
	tutor_act(l->tutor, ACTION_STEP_PREVIOUS);
	cmd_linear_put_step(l);
}

static void do_again(struct linear *l, const char *rest)
{
	(void)rest;
	cmd_linear_put_step(l);
}

static void do_quit(struct linear *l, const char *rest)
{
	(void)rest;
	l->quit = true;
}

static void do_list(struct linear *l, const char *rest)
{
	const struct catalog *c = l->tutor->catalog;
	(void)rest;
	for (int i = 0; i < c->n_lessons; i++) {
		struct lesson_progress_score score = lesson_progress_score(l->tutor->progress, c->lessons[i]);
		buf_printf(&l->out, _("%s: %s, %d of %d questions answered.\n"), c->lessons[i]->id,
			c->lessons[i]->title, score.answered, score.questions);
	}
}

static void do_open(struct linear *l, const char *rest)
{
	struct diag diag = {0};
	const struct lesson *lesson;
	int step = -1;
	if (lesson_catalog_find(l->tutor->catalog, rest, &lesson, &step, &diag)) {
		tutor_open(l->tutor, lesson, step);
		cmd_linear_put_step(l);
	} else {
		buf_printf(&l->out, "%s\n", diag.entries[0].message);
	}
	diag_free(&diag);
}

static void do_numbers(struct linear *l, const char *rest)
{
	(void)rest;
	view_describe_numbers(&l->tutor->shown.input, &l->out);
}

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
	tutor_look(l->tutor, view);
	buf_printf(&l->out, "%s, %s:\n", text_translate(view_table[view].title), l->tutor->shown.input.place);
	bool picture = view != VIEW_NUMBERS && view != VIEW_SOURCE && view != VIEW_SWEEP;
	if (picture && l->tutor->shown.input.covered)
		buf_puts(&l->out, text_translate(covered));
	else if (view == VIEW_NUMBERS)
		view_describe_numbers(&l->tutor->shown.input, &l->out);
	else
		view_describe(view, &l->tutor->shown.input, &l->out);
}

static bool lacks_thing(const struct view_input *input, enum view_thing thing)
{
	bool shared = input->access && input->access->space == SPACE_SHARED;
	return input->access && ((thing == THING_BANK && !shared) || (thing == THING_SECTOR && shared));
}

/* "lane 5", "bank 3", "sector 2", "line 22". */
static void say_thing(struct linear *l, enum view_thing thing, const char *rest)
{
	struct view_input input = l->tutor->shown.input;
	char *end;
	long index = strtol(rest, &end, 10);
	bool wrong = end == rest || *end || index < 0 || index > INT32_MAX;
	if (wrong || ((thing == THING_LANE || thing == THING_BANK) && index > 31)) {
		buf_puts(&l->out, _("Which? Lanes and banks are 0 to 31.\n"));
	} else if (input.covered) {
		buf_puts(&l->out, text_translate(covered));
	} else if (lacks_thing(&input, thing)) {
		buf_puts(&l->out,
			thing == THING_BANK ? _("Only shared memory has banks.\n")
					    : _("Shared memory has no sectors.\n"));
	} else {
		input.picked = (struct view_pick){thing, index};
		view_describe_pick(&input, &l->out);
		buf_putc(&l->out, '\n');
	}
}

static void do_lane(struct linear *l, const char *rest)
{
	say_thing(l, THING_LANE, rest);
}

static void do_bank(struct linear *l, const char *rest)
{
	say_thing(l, THING_BANK, rest);
}

static void do_sector(struct linear *l, const char *rest)
{
	say_thing(l, THING_SECTOR, rest);
}

static void do_line(struct linear *l, const char *rest)
{
	say_thing(l, THING_LINE, rest);
}

/* "set stride=4" */
static void do_set(struct linear *l, const char *rest)
{
	struct diag diag = {0};
	const char *equals = strchr(rest, '=');
	char name[64];
	if (!tutor_step(l->tutor) || !equals || (size_t)(equals - rest) >= sizeof name) {
		buf_puts(&l->out, _("set NAME=VALUE changes a parameter.\n"));
		return;
	}
	snprintf(name, sizeof name, "%.*s", (int)(equals - rest), rest);
	if (tutor_set(l->tutor, name, strtoll(equals + 1, NULL, 0), &diag))
		cmd_linear_put_parameters(l, tutor_step(l->tutor));
	else if (diag.count)
		buf_printf(&l->out, "%s\n", diag.entries[0].message);
	diag_free(&diag);
}

static void do_hint(struct linear *l, const char *rest)
{
	const struct step *step = tutor_step(l->tutor);
	(void)rest;
	int before = l->tutor->answer.hints_shown;
	tutor_act(l->tutor, ACTION_HINT);
	int n = l->tutor->answer.hints_shown;
	if (step && n > before)
		cmd_linear_put_wrapped(&l->out,
			step->exercise.dir ? step->exercise.hints[n - 1] : step->question.hints[n - 1], _("Hint: "));
	cmd_linear_put_notice(l);
}

static void do_uncover(struct linear *l, const char *rest)
{
	(void)rest;
	if (!tutor_can(l->tutor, ACTION_UNCOVER))
		buf_puts(&l->out, _("Nothing is covered here.\n"));
	tutor_act(l->tutor, ACTION_UNCOVER);
	cmd_linear_put_notice(l);
}

static void do_measure(struct linear *l, const char *rest)
{
	struct diag diag = {0};
	(void)rest;
	if (tutor_measure_now(l->tutor, MEASURE_MS, &diag))
		view_describe_numbers(&l->tutor->shown.input, &l->out);
	else if (diag.count)
		buf_printf(&l->out, "%s\n", diag.entries[0].message);
	diag_free(&diag);
}

/* "not reached: no bank conflicts (with rows 64: shared bank conflicts: 1984)" */
static void put_goal(struct linear *l, const char *how, const char *what, const char *is)
{
	buf_printf(&l->out, "%s: %s%s%s%s\n", how, what, is && *is ? " (" : "", is ? is : "", is && *is ? ")" : "");
}

static void put_attempt(struct linear *l)
{
	const struct tutor_attempt *attempt = l->tutor->exercise.attempt;
	const struct step *step = tutor_step(l->tutor);
	if (attempt->state == ATTEMPT_REFUSED)
		buf_printf(&l->out, _("It does not compile, or cannot be run:\n%s\n"), attempt->message);
	for (int i = 0; attempt->state == ATTEMPT_GRADED && i < step->exercise.n_goals; i++)
		put_goal(l, attempt->grade->goals[i].holds ? _("reached") : _("not reached"),
			step->exercise.goals[i].text, attempt->grade->goals[i].is);
	if (attempt->state == ATTEMPT_GRADED && attempt->grade->wrong)
		cmd_linear_put_wrapped(&l->out, attempt->grade->wrong, _("wrong: "));
	if (attempt->state == ATTEMPT_GRADED && attempt->grade->defect)
		cmd_linear_put_wrapped(&l->out, attempt->grade->defect, _("defect: "));
	if (attempt->state == ATTEMPT_GRADED)
		buf_puts(&l->out, attempt->grade->solved ? _("Solved.\n") : _("Not solved yet.\n"));
}

/* Puts the kernel where the reader edits it; `check` waits until the newest version is judged. */
static void do_edit(struct linear *l, const char *rest)
{
	const struct timespec pause = {.tv_nsec = LINEAR_LOOK_NS};
	(void)rest;
	if (!l->tutor->exercise.attempt) {
		buf_puts(&l->out, _("This step is no exercise.\n"));
		return;
	}
	if (tutor_edit_asks(l->tutor))
		cmd_linear_put_wrapped(&l->out, text_translate(tutor_program_is), "");
	tutor_act(l->tutor, ACTION_EDIT);
	tutor_attempt_step(l->tutor);
	for (int i = 0; i < LINEAR_LOOKS && l->tutor->exercise.attempt->state == ATTEMPT_COMPILING; i++) {
		nanosleep(&pause, NULL);
		tutor_attempt_step(l->tutor);
	}
	cmd_linear_put_notice(l);
	if (l->tutor->exercise.attempt->unagreed)
		return;
	buf_printf(&l->out, _("Edit this file, then say check: %s\n"), l->tutor->exercise.attempt->path);
	put_attempt(l);
}

static void do_help(struct linear *l, const char *rest);

static const struct {
	const char *name;
	void (*run)(struct linear *l, const char *rest);
	const char *help;
} commands[] = {
	{"next", do_next, N_("the next step; so does an empty line")},
	{"back", do_back, N_("the step before")},
	{"again", do_again, N_("read the step again")},
	{"numbers", do_numbers, N_("the numbers, predicted and measured")},
	{"picture", do_picture, N_("the picture in words; picture NAME another one")},
	{"lane", do_lane, N_("lane 5: what it does in the watched line")},
	{"bank", do_bank, N_("bank 3: what it delivers")},
	{"sector", do_sector, N_("sector 2: who uses it")},
	{"line", do_line, N_("line 22: what it costs")},
	{"set", do_set, N_("set NAME=VALUE: change a parameter")},
	{"hint", do_hint, N_("a hint")},
	{"uncover", do_uncover, N_("show what answers the question; it counts as looked up")},
	{"measure", do_measure, N_("measure on the GPU")},
	{"edit", do_edit, N_("put the exercise's kernel into a file of yours")},
	{"check", do_edit, N_("judge that file")},
	{"try", cmd_linear_try, N_("try lane*33: the playground, with this access; there any other line is one, too")},
	{"access", cmd_linear_access, N_("access global st 8: its space, operation and width")},
	{"tried", cmd_linear_tried, N_("what was tried before")},
	{"kernel", cmd_linear_kernel, N_("the playground's kernel, as its file is now")},
	{"leave", cmd_linear_leave, N_("from the playground back to the lessons")},
	{"list", do_list, N_("the lessons")},
	{"open", do_open, N_("open LESSON or LESSON/STEP")},
	{"help", do_help, N_("these commands")},
	{"quit", do_quit, N_("leave")},
};

static void do_help(struct linear *l, const char *rest)
{
	(void)rest;
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		buf_printf(&l->out, "%s: %s.\n", commands[i].name, text_translate(commands[i].help));
	buf_puts(&l->out,
		l->tutor->playground ? _("Anything else is an expression to try.\n")
				     : _("Anything else is the answer to the question.\n"));
}

/* --- answers ------------------------------------------------------------------------------------------------------------ */
static void put_verdict(struct linear *l)
{
	const struct tutor_answer *answer = &l->tutor->answer;
	if (answer->state == ANSWER_RIGHT) {
		buf_printf(&l->out, _("Right.%s%s%s\n"), answer->moved && *answer->moved ? _(" Now: ") : "",
			answer->moved ? answer->moved : "", answer->moved && *answer->moved ? "." : "");
		if (answer->explain)
			cmd_linear_put_wrapped(&l->out, answer->explain, "");
		if (l->tutor->claim.verdict == VERDICT_HOLDS || l->tutor->claim.verdict == VERDICT_FAILS)
			buf_puts(&l->out,
				l->tutor->claim.verdict == VERDICT_HOLDS ? _("The claim holds. ")
									 : _("The claim does not hold. "));
		if (l->tutor->claim.verdict != VERDICT_NONE && l->tutor->claim.reason)
			cmd_linear_put_wrapped(&l->out, l->tutor->claim.reason, "");
	} else if (answer->state == ANSWER_WRONG) {
		buf_puts(&l->out, _("That is not it. Try again, or say hint.\n"));
		if (answer->reason)
			cmd_linear_put_wrapped(&l->out, answer->reason, "");
	}
}

static void answer(struct linear *l, const char *text)
{
	if (l->tutor->playground) {
		cmd_linear_try(l, text);
		return;
	}
	if (!tutor_can(l->tutor, ACTION_ANSWER)) {
		buf_puts(&l->out, _("There is no such command; help lists them.\n"));
		return;
	}
	tutor_act(l->tutor, ACTION_ANSWER);
	for (; *text; text++)
		tutor_type(l->tutor, (unsigned char)*text);
	tutor_act(l->tutor, ACTION_OPEN);
	put_verdict(l);
	cmd_linear_put_notice(l);
	if (tutor_typing(l->tutor))
		tutor_act(l->tutor, ACTION_BACK);
}

static void obey(struct linear *l, char *line)
{
	line[strcspn(line, "\r\n")] = '\0';
	line += strspn(line, " \t");
	size_t word = strcspn(line, " \t");
	if (!*line) {
		do_next(l, "");
		return;
	}
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		if (strlen(commands[i].name) == word && strncmp(line, commands[i].name, word) == 0) {
			commands[i].run(l, line + word + strspn(line + word, " \t"));
			return;
		}
	}
	answer(l, line);
}

static bool flush(struct linear *l)
{
	bool ok = cmd_print(l->ctx, &l->out);
	buf_clear(&l->out);
	return ok;
}

/* A kernel is compiled before it is read. */
static void read_first(struct linear *l)
{
	const struct tutor_playground *p = l->tutor->playground;
	if (p && p->kind == PLAYGROUND_KERNEL)
		cmd_linear_kernel(l, "");
	else
		cmd_linear_put_step(l);
}

/* While somebody reads, a worker with nothing to do lets its GPU go. Nothing of what is typed is in a buffer of ours then. */
static void wait_for_line(const struct linear *l)
{
	struct pollfd in = {STDIN_FILENO, POLLIN, 0};
	for (int ms; (ms = gpu_timeout_ms(l->tutor->gpu)) >= 0 && poll(&in, 1, ms) == 0;)
		gpu_step(l->tutor->gpu);
}

int cmd_linear_run(struct cmd_ctx *ctx, struct tutor *tutor)
{
	struct linear l = {.ctx = ctx, .tutor = tutor};
	char *line = NULL;
	size_t cap = 0;
	tutor->background = false;
	buf_puts(&l.out, _("simttutor, line by line. help lists the commands.\n"));
	read_first(&l);
	bool ok = flush(&l);
	setvbuf(stdin, NULL, _IONBF, 0);
	while (ok && !l.quit) {
		wait_for_line(&l);
		if (getline(&line, &cap, stdin) < 0)
			break;
		obey(&l, line);
		ok = flush(&l);
	}
	cmd_linear_leave_playground(&l);
	free(line);
	buf_free(&l.out);
	return ok && tutor_save(tutor, &ctx->diag) ? EXIT_OK : EXIT_FAILED;
}

int cmd_linear_print(struct cmd_ctx *ctx, struct tutor *tutor)
{
	struct linear l = {.ctx = ctx, .tutor = tutor};
	cmd_linear_put_step(&l);
	buf_putc(&l.out, '\n');
	buf_puts(&l.out, _("The numbers:\n"));
	view_describe_numbers(&tutor->shown.input, &l.out);
	buf_putc(&l.out, '\n');
	do_picture(&l, "");
	bool ok = flush(&l);
	buf_free(&l.out);
	return ok ? EXIT_OK : EXIT_FAILED;
}
