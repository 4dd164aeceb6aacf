/* course/experiment/measured.h: numbers that a program of its own measured and stored with a lesson (lessons/X/measured.tsv), by their names.
 *
 * For launches that neither the machine can run nor a recording can hold, and for what is no kernel of the lesson's, as a library. A line
 * is a name, a tab and a number, maybe another tab and a note; "#" begins one that says what was measured where. */
#pragma once
#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"

struct experiment_measured;

/* Reads `path`; NULL where there is no such file. Lines that cannot be read are errors (file:line). */
struct experiment_measured *experiment_measured_load(struct arena *arena, const char *path, struct diag *diag);

/* False: it has no number of that name. */
bool experiment_measured_find(const struct experiment_measured *measured, const char *name, double *out);
