#include "config.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "cmd/cmd.h"
#include "cmd/confined.h"
#include "cmd/course.h"
#include "cmd/json.h"
#include "cmd/lesson.h"
#include "course/experiment/experiment.h"
#include "course/experiment/recordings.h"
#include "course/lesson/lesson.h"
#include "front/tutor/tutor.h"

/* --- claims ------------------------------------------------------------------------------------------------------- */

/* Of a claim. */
enum { CLAIM_HOLDS, CLAIM_FAILS, CLAIM_OPEN };
static const char *const verdicts[] = {N_("holds"), N_("does not hold"), N_("is open")};

/* --- the command -------------------------------------------------------------------------------------------------- */

static int run_list(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

static const struct cmd_option options[] = {
	CMD_COURSE_OPTION,
	{"claims", 0, NULL,
		N_("the claims about GPUs that lessons put to the test, each with its verdict, also where you have not answered yet")},
	{"json", 0, NULL, N_("print JSON")},
	{0},
};

static void needs_of_list(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	(void)needs, (void)args, (void)n;
}

const struct cmd_entry cmd_list_entry = {
	.name = "list",
	.of_course = true,
	.usage = "[--course COURSE] [--claims] [--json]",
	.summary = N_("list the lessons and their steps, or the claims"),
	.details = N_(
		"Lessons with errors are left out; the exit status is then 1. A claim is judged by what is recorded with its lesson and by the "
		"model. With --json it is an object with lesson, step, title, claim, verdict (holds, fails, open) and says: why, with the "
		"numbers."),
	.options = options,
	.run = run_list,
	.needs = needs_of_list,
};

static int run_list(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	bool json = false, claims = false;
	for (int i = 0; i < n; i++) {
		if (!args[i].option)
			return cmd_usage(ctx, &cmd_list_entry, "unexpected argument '%s'", args[i].value);
		claims |= cmd_is(&args[i], "claims");
		json |= cmd_is(&args[i], "json");
	}

	struct catalog *catalog = tutor_catalog_load(ctx->arena, &ctx->paths, &ctx->diag);
	if (catalog && catalog->n_lessons == 0)
		diag_error(&ctx->diag, (struct diag_pos){.file = ctx->paths.course}, "holds no lesson");
	if (!catalog || catalog->n_lessons == 0)
		return EXIT_MISSING;
	bool left_out = ctx->diag.errors > 0;
	struct progress *progress = lesson_progress_load(ctx->paths.state, &ctx->diag);
	struct buf text = {0};
	if (claims) {
		static const char *const words[] = {"holds", "fails", "open"};
		const struct experiment_rules rules = {.care = EXPERIMENT_SHOWN, .stored = EXPERIMENT_STORED_LONG};
		json_t *all = json ? json_array() : NULL;
		int count[3] = {0};
		for (int i = 0; i < catalog->n_lessons; i++) {
			const struct lesson *lesson = catalog->lessons[i];
			struct experiments *set = experiments_new(lesson, &rules);
			for (int s = 0; s < lesson->n_steps; s++) {
				const struct step *step = &lesson->steps[s];
				const char *says; /* of an open one: why it cannot be judged */
				struct buf phrase = {0};
				double holds;
				int verdict = CLAIM_OPEN;
				if (!step->claim.text)
					continue;
				if (experiment_judge(set, step, &step->claim.holds, &holds, &says)) {
					verdict = experiment_is_true(holds) ? CLAIM_HOLDS : CLAIM_FAILS;
					experiment_write_phrase(set, step, &step->claim.says, &phrase);
					says = buf_str(&phrase);
				}
				count[verdict]++;
				if (json) {
					json_array_append_new(all,
						json_pack("{s:o, s:o, s:o, s:o, s:s, s:o}", "lesson",
							cmd_json_text(lesson->id), "step", cmd_json_text(step->id),
							"title", cmd_json_text(step->title), "claim",
							cmd_json_text(step->claim.text), "verdict", words[verdict],
							"says", cmd_json_text(says)));
				} else {
					escape_line(&text, "%s/%d  %s", lesson->id, s + 1, step->title);
					escape_line(&text, "  %s", step->claim.text);
					escape_line(&text, "  %s: %s", text_translate(verdicts[verdict]), says);
					buf_putc(&text, '\n');
				}
				buf_free(&phrase);
			}
			diag_move(experiments_problems(set), &ctx->diag);
			experiments_free(set);
		}
		if (json)
			cmd_json_write(all, JSON_INDENT(2), &text);
		else
			buf_printf(&text, _("Hold: %d. Do not hold: %d. Open: %d.\n"), count[CLAIM_HOLDS],
				count[CLAIM_FAILS], count[CLAIM_OPEN]);
	} else if (json) {
		json_t *all = json_array();
		for (int i = 0; i < catalog->n_lessons; i++) {
			const struct lesson *lesson = catalog->lessons[i];
			json_t *steps = json_array();
			for (int s = 0; s < lesson->n_steps; s++) {
				const char *id = lesson->steps[s].id;
				struct lesson_progress_tries tries = lesson_progress_tries(progress, lesson->id, id);
				json_array_append_new(steps,
					json_pack("{s:o, s:o, s:b, s:b, s:i, s:i, s:b}", "id", cmd_json_text(id),
						"title", cmd_json_text(lesson->steps[s].title), "visited",
						lesson_progress_visited(progress, lesson->id, id), "answered",
						lesson_progress_answered(progress, lesson->id, id), "tries",
						tries.tries, "hints", tries.hints, "looked_up", tries.looked));
			}
			json_array_append_new(all,
				json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "id", cmd_json_text(lesson->id), "folder",
					cmd_json_text(lesson->dir), "title", cmd_json_text(lesson->title), "track",
					cmd_json_text(lesson->track), "summary", cmd_json_text(lesson->summary),
					"steps", steps));
		}
		cmd_json_write(all, JSON_INDENT(2), &text);
	} else {
		const char *track = NULL;
		if (catalog->course && *catalog->course->title) {
			escape_line(&text, "%s", catalog->course->title);
			buf_putc(&text, '\n');
		}
		for (int i = 0; i < catalog->n_lessons; i++) {
			const struct lesson *lesson = catalog->lessons[i];
			if (!track || strcmp(track, lesson->track) != 0) {
				buf_puts(&text, track ? "\n" : "");
				escape_line(&text, "%s", lesson->track);
			}
			track = lesson->track;
			const char *number = lesson->number;
			int whole = (int)strcspn(number, ".");
			buf_printf(&text, "%3.*s", whole, number);
			escape_line(&text, "%-*s%s: %s", catalog->point + 2, number + whole, lesson->id, lesson->title);
			escape_line(&text, "     %s", lesson->summary);
			for (int s = 0; s < lesson->n_steps; s++) {
				const char *id = lesson->steps[s].id; /* and how far the reader got with it */
				escape_line(&text, "       %d. %s%s", s + 1, lesson->steps[s].title,
					lesson_progress_answered(progress, lesson->id, id)          ? "  (answered)"
						: lesson_progress_visited(progress, lesson->id, id) ? "  (visited)"
												    : "");
			}
		}
		buf_puts(&text,
			"\n`simttutor learn LESSON` opens a lesson on a terminal, `simttutor show LESSON/STEP` prints a step.\n");
	}
	int status = cmd_print(ctx, &text) && !left_out ? EXIT_OK : EXIT_FAILED;
	buf_free(&text);
	lesson_progress_free(progress);
	return status;
}
