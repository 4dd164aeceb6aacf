
#include <ctype.h>

#include "course/lesson/private.h"

#define ID_MAX 64

struct parameter_parse {
	struct parameter parameter;
	yaml_node_t *initial;
};

static bool name_good(const char *name)
{
	bool good = isalpha((unsigned char)*name) || *name == '_';
	for (const char *c = name; *c; c++)
		good = good && (isalnum((unsigned char)*c) || *c == '_');
	return good;
}

static void read_parameter_name(struct reader *r, yaml_node_t *value, void *into)
{
	struct parameter_parse *p = into;
	struct lesson_scalar scalar;
	if (!lesson_reader_text(r, value, "name", ID_MAX, &scalar))
		return;
	if (name_good(scalar.text))
		p->parameter.name = scalar.text;
	else
		diag_error(r->diag, scalar.pos,
			"'%s' is not a name for a parameter: letters, digits and _, no digit first", scalar.text);
}

static bool is_number(const yaml_node_t *node)
{
	const char *text = lesson_reader_is_scalar(node) ? (const char *)node->data.scalar.value : "0";
	return isdigit((unsigned char)text[text[0] == '-' || text[0] == '+']);
}

static void read_parameter_values(struct reader *r, yaml_node_t *value, void *into)
{
	struct parameter *p = &((struct parameter_parse *)into)->parameter;
	bool listed = value->type == YAML_SEQUENCE_NODE &&
		value->data.sequence.items.top > value->data.sequence.items.start;
	if (p->values) {
		lesson_reader_error(r, value, "a parameter has either values or a range");
	} else if (listed && !is_number(lesson_reader_item(r, value, 0))) {
		/* Names for 0, 1, 2 and so on. */
		struct lesson_scalar_list list;
		if (!lesson_reader_texts(r, value, "values", LESSON_NAMED_VALUES_MAX, &list))
			return;
		for (int i = 0; i < list.n; i++)
			if (!name_good(list.items[i].text))
				diag_error(r->diag, list.items[i].pos,
					"'%s' is not a name for a value: letters, digits and _, no digit first",
					list.items[i].text);
		p->names = lesson_scalar_texts(r->arena, &list);
		p->n_values = list.n;
		p->values = arena_array(r->arena, int64_t, (size_t)list.n);
		for (int i = 0; i < list.n; i++)
			p->values[i] = i;
	} else {
		p->values = lesson_reader_numbers(r, value, "values", LESSON_VALUES_MAX, &p->n_values);
	}
}

static void read_parameter_range(struct reader *r, yaml_node_t *value, void *into)
{
	struct parameter *p = &((struct parameter_parse *)into)->parameter;
	if (p->values)
		lesson_reader_error(r, value, "a parameter has either values or a range");
	else
		p->values = lesson_reader_range(r, value, "range", LESSON_VALUES_MAX, &p->n_values);
}

void lesson_parameter_read(struct reader *r, yaml_node_t *node, struct lesson *lesson)
{
	static const struct reader_key keys[] = {
		READER_CALL("name", true, read_parameter_name),
		READER_TEXT("label", false, struct parameter_parse, parameter.label, ID_MAX),
		READER_TEXT("unit", false, struct parameter_parse, parameter.unit, ID_MAX),
		READER_CALL("range", false, read_parameter_range),
		READER_CALL("values", false, read_parameter_values),
		READER_KEEP("default", false, struct parameter_parse, initial),
		{0},
	};
	size_t errors = r->diag->errors;
	struct parameter_parse p = {.parameter = {.unit = ""}};

	lesson_reader_map(r, node, "a parameter", keys, &p);
	if (r->diag->errors == errors && !p.parameter.values)
		lesson_reader_error(r, node, "a parameter needs values or a range");
	if (r->diag->errors != errors)
		return;
	if (lesson_names_parameter(lesson, p.parameter.name) >= 0) {
		lesson_reader_error(r, node, "a second parameter '%s'", p.parameter.name);
		return;
	}
	if (!p.parameter.label)
		p.parameter.label = p.parameter.name;
	p.parameter.initial = p.parameter.values[0];
	if (p.initial && !lesson_names_read_value(r, p.initial, &p.parameter, "default", &p.parameter.initial))
		return;
	lesson->parameters[lesson->n_parameters++] = p.parameter;
}
