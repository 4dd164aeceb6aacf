/* front/view/subjects.h: all subjects by value, for who fills many of them. */
#pragma once
#include "front/view/code.h"
#include "front/view/launch.h"
#include "front/view/numbers.h"
#include "front/view/program.h"
#include "front/view/source.h"
#include "front/view/view.h"
#include "model/hardware/timeline.h"

struct view_subjects {
	struct view_source source;
	struct view_numbers numbers;
	struct view_sweep sweep;
	struct view_roofline roofline;
	struct view_compare compare;
	struct timelines times;
	struct view_launch launch;
	struct view_defects defects;
	struct view_occupancy occupancy;
	struct view_code code;
	struct view_program program;
};

/* Lets the input draw these; its other members stay. */
void view_input_of(struct view_input *input, const struct view_subjects *subjects);
