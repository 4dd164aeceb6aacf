/* wire/kinds.h: one row for each kind of message: its "type" on the wire and whether it carries an id. Inside the folder
 * only. */
#pragma once
#include <stdbool.h>

#include "wire/wire.h"

struct wire_kind_row {
	const char *type;
	bool id; /* a positive "id" is required */
};
extern const struct wire_kind_row wire_kinds[];
extern const int wire_kind_count;
