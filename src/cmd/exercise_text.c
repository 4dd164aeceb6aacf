#include "config.h"
#include "cmd/exercise.h"

#include <jansson.h>

#include "base/text.h"
#include "base/utf8.h"
#include "cmd/json.h"

static void write_condition(struct buf *out, bool holds, const char *what, const char *is)
{
	bool more = is && *is;
	escape_line(out, "  %s  %s%s%s%s", holds ? "holds" : "FAILS", what, more ? " (" : "", more ? is : "",
		more ? ")" : "");
}

void exercise_text(const struct experiment_grade *grade, const char *path, struct buf *out)
{
	escape_line(out, "%s: %s", path, grade->solved ? _("solved") : _("not solved yet"));
	for (int i = 0; i < grade->n_goals; i++)
		write_condition(out, grade->goals[i].holds, grade->goals[i].text, grade->goals[i].is);
	write_condition(out, grade->right, _("the results are right"), grade->wrong);
	write_condition(out, grade->clean, _("there is no defect"), grade->defect);
	buf_printf(out,
		text_plural("%d launch on the machine, with the detector on\n",
			"%d launches on the machine, with the detector on\n", (unsigned)grade->launches),
		grade->launches);
}

void exercise_json(const struct experiment_grade *grade, const char *path, struct buf *out)
{
	json_t *goals = json_array();
	for (int i = 0; i < grade->n_goals; i++)
		json_array_append_new(goals,
			json_pack("{s:o, s:b, s:s}", "goal", cmd_json_text(grade->goals[i].text), "holds",
				grade->goals[i].holds, "is", grade->goals[i].is));
	json_t *json = json_pack("{s:o, s:b, s:o, s:b, s:o, s:b, s:o, s:i, s:i}", "file", cmd_json_text(path), "solved",
		grade->solved, "goals", goals, "results", grade->right, "wrong", cmd_json_text(grade->wrong),
		"no_defect", grade->clean, "defect", cmd_json_text(grade->defect), "line", grade->line, "launches",
		grade->launches);
	cmd_json_write(json, JSON_INDENT(2), out);
}
