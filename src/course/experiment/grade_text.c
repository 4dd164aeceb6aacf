/* A grade as text, from the process that made it to the one that shows it. */
#include <jansson.h>
#include <string.h>

#include "base/utf8.h"
#include "course/experiment/grade.h"

static json_t *text_of(const char *text)
{
	struct buf valid = {0};
	if (!text)
		return json_null();
	escape_to_json(text, strlen(text), &valid);
	json_t *out = json_stringn(buf_str(&valid), valid.len);
	buf_free(&valid);
	return out ? out : json_string("");
}

void experiment_grade_write(const struct experiment_grade *grade, struct buf *out)
{
	json_t *goals = json_array();
	for (int i = 0; i < grade->n_goals; i++)
		json_array_append_new(goals,
			json_pack("{s:b, s:o}", "holds", grade->goals[i].holds, "is", text_of(grade->goals[i].is)));
	json_t *json = json_pack("{s:b, s:o, s:b, s:o, s:b, s:o, s:i, s:i}", "solved", grade->solved, "goals", goals,
		"right", grade->right, "wrong", text_of(grade->wrong), "clean", grade->clean, "defect",
		text_of(grade->defect), "line", grade->line, "launches", grade->launches);
	char *text = json_dumps(json, JSON_COMPACT);
	buf_puts(out, text ? text : "");
	free(text);
	json_decref(json);
}

static const char *string_of(struct arena *arena, const json_t *json, const char *name)
{
	const char *text = json_string_value(json_object_get(json, name));
	return text ? arena_strdup(arena, text) : NULL;
}

const struct experiment_grade *experiment_grade_read(
	struct arena *arena, const struct step *step, const char *text, size_t len)
{
	json_t *json = json_loadb(text, len, 0, NULL);
	const json_t *goals = json_object_get(json, "goals");
	struct experiment_grade *grade = NULL;
	if (json_is_array(goals) && json_array_size(goals) == (size_t)step->exercise.n_goals) {
		grade = arena_alloc(arena, sizeof *grade);
		*grade = (struct experiment_grade){.solved = json_is_true(json_object_get(json, "solved")),
			.n_goals = step->exercise.n_goals,
			.right = json_is_true(json_object_get(json, "right")),
			.wrong = string_of(arena, json, "wrong"),
			.clean = json_is_true(json_object_get(json, "clean")),
			.defect = string_of(arena, json, "defect"),
			.line = (int)json_integer_value(json_object_get(json, "line")),
			.launches = (int)json_integer_value(json_object_get(json, "launches"))};
		for (int i = 0; i < grade->n_goals; i++) {
			const json_t *goal = json_array_get(goals, (size_t)i);
			grade->goals[i] = (struct experiment_grade_goal){.text = step->exercise.goals[i].text,
				.holds = json_is_true(json_object_get(goal, "holds")),
				.is = string_of(arena, goal, "is")};
		}
	}
	json_decref(json);
	return grade;
}
