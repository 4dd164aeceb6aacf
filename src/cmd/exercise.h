/* cmd/exercise.h: how the grade of a kernel is printed. */
#pragma once
#include "tutor/grade.h"

void exercise_text(const struct grade *grade, const char *path, struct buf *out);
void exercise_json(const struct grade *grade, const char *path, struct buf *out);
