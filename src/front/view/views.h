/* front/view/views.h: a constant for each row of views.def, for code that names views. Who only passes a view on, or
 * goes through all of them, needs view.h alone, so that a new view does not touch it. */
#pragma once
#include "front/view/view.h"

enum {
#define VIEW(id, name, title, subject, min_rows, min_cols, roomy_rows, roomy_cols, drawer, meaning) VIEW_##id,
#include "front/view/views.def"
#undef VIEW
	VIEWS
};
