/* course/lesson/parameter.h: what the reader can turn. */
#pragma once
#include "course/lesson/lesson.h"
#include "course/lesson/reader.h"

/* Reads one parameter and adds it to the lesson's, which have room. Reports its own faults. */
void lesson_parameter_read(struct reader *r, yaml_node_t *node, struct lesson *lesson);
