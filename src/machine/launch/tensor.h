/* machine/launch/tensor.h: tensor maps as arguments. Inside launch/ only; what they give is in launch.h. */
#pragma once
#include "machine/launch/launch.h"

/* Whether the text begins as that of a tensor map. */
bool launch_tensor_begins(const char *text);

/* launch_arg_parse of such a text. */
bool launch_tensor_parse(
	struct arena *arena, const char *what, const char *text, struct launch_arg *out, struct diag *diag);
