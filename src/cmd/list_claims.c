/* simttutor list --claims: what is claimed in the course, and what the witnesses say of it. */
#include "config.h"

#include "cmd/list_claims.h"

#include <stdlib.h>

#include "base/text.h"
#include "base/utf8.h"
#include "cmd/json.h"
#include "course/experiment/judge.h"

/* A claim, judged. */
struct judged {
	const struct lesson *lesson;
	int step;
	enum { CLAIM_HOLDS, CLAIM_FAILS, CLAIM_OPEN } verdict;
	const char *says; /* OPEN: why it cannot be judged */
};

static const char *const verdicts[] = {N_("holds"), N_("does not hold"), N_("is open")};

static struct judged judge(struct arena *arena, struct experiments *set, const struct lesson *lesson, int index)
{
	const struct step *step = &lesson->steps[index];
	struct judged judged = {.lesson = lesson, .step = index, .verdict = CLAIM_OPEN};
	struct buf says = {0};
	double holds;
	if (!experiment_judge(set, step, &step->claim.holds, &holds, &judged.says))
		return judged;
	judged.verdict = experiment_is_true(holds) ? CLAIM_HOLDS : CLAIM_FAILS;
	experiment_write_phrase(set, step, &step->claim.says, &says);
	judged.says = arena_strdup(arena, buf_str(&says));
	buf_free(&says);
	return judged;
}

static void write_text(const struct judged *judged, struct buf *out)
{
	const struct step *step = &judged->lesson->steps[judged->step];
	escape_line(out, "%s/%d  %s", judged->lesson->id, judged->step + 1, step->title);
	escape_line(out, "  %s", step->claim.text);
	escape_line(out, "  %s: %s", text_translate(verdicts[judged->verdict]), judged->says);
	buf_putc(out, '\n');
}

static json_t *as_json(const struct judged *judged)
{
	static const char *const words[] = {"holds", "fails", "open"};
	const struct step *step = &judged->lesson->steps[judged->step];
	return json_pack("{s:o, s:o, s:o, s:o, s:s, s:o}", "lesson", cmd_json_text(judged->lesson->id), "step",
		cmd_json_text(step->id), "title", cmd_json_text(step->title), "claim", cmd_json_text(step->claim.text),
		"verdict", words[judged->verdict], "says", cmd_json_text(judged->says));
}

void cmd_list_claims(struct cmd_ctx *ctx, const struct catalog *catalog, bool json, struct buf *out)
{
	const struct experiment_rules rules = {.care = EXPERIMENT_SHOWN, .stored = EXPERIMENT_STORED_LONG};
	json_t *all = json ? json_array() : NULL;
	int count[3] = {0};
	for (int i = 0; i < catalog->n_lessons; i++) {
		const struct lesson *lesson = catalog->lessons[i];
		struct experiments *set = experiments_new(lesson, &rules);
		for (int s = 0; s < lesson->n_steps; s++) {
			if (!lesson->steps[s].claim.text)
				continue;
			struct judged judged = judge(ctx->arena, set, lesson, s);
			count[judged.verdict]++;
			if (json)
				json_array_append_new(all, as_json(&judged));
			else
				write_text(&judged, out);
		}
		diag_move(experiments_problems(set), &ctx->diag);
		experiments_free(set);
	}
	if (json)
		cmd_json_write(all, JSON_INDENT(2), out);
	else
		buf_printf(out, _("Hold: %d. Do not hold: %d. Open: %d.\n"), count[CLAIM_HOLDS], count[CLAIM_FAILS],
			count[CLAIM_OPEN]);
}
