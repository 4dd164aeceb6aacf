/* model/validate/forms.h: which instructions can be validated, and every legal way to write each, found from the rows of
 * machine/ptx/ops.def: a row with a destination and operands that are all values is taken with all its types and modifiers, those
 * combinations left out that machine/ptx/legal.c forbids. There is no second list of
 * instructions: a row added to the table is validated from then on. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "machine/ptx/form.h"
#include "machine/ptx/instr.h"

struct forms;

/* All forms of all rows. In `arena`. */
struct forms *validate_forms_new(struct arena *arena);

int validate_forms_count(const struct forms *forms, int op);
const struct ptx_form *validate_forms_at(const struct forms *forms, int op, int index);

/* The form of that spelling and its number among its row's; NULL when it is none of those here. */
const struct ptx_form *validate_forms_find(struct forms *forms, const char *spelling, size_t len, int *index);

/* Why a row is not validated, one sentence; NULL: it is. */
const char *validate_forms_left_out(int op);

/* The family of a row, as the folder simt/ divides the work: "int", "bits", "float", "compare", "cvt", "mem", "warp". */
const char *validate_forms_group(const struct forms *forms, int op);

/* A form whose result the manual does not fix to the bit: compared within a bound (bounds.h). */
bool validate_forms_is_approximate(const struct ptx_form *form);

/* Rows whose lanes act together, and those of them whose last operand is a mask of lanes. */
bool validate_forms_is_warp(int op);
bool validate_forms_has_mask(int op);
bool validate_forms_is_atomic(int op);

/* A conversion whose registers are as wide as its types, though its row would take wider ones. */
bool validate_forms_is_exact(const struct ptx_form *form);

/* The carry flag lives between two instructions only. */
bool validate_forms_writes_carry(const struct ptx_form *form);
bool validate_forms_reads_carry(const struct ptx_form *form);
