/* machine/launch/texture.h: textures and surfaces as arguments. Inside launch/ only; what they give is in launch.h. */
#pragma once
#include "machine/launch/launch.h"

/* Whether the text begins as that of a texture or a surface. */
bool launch_texture_begins(const char *text);

/* launch_arg_parse of such a text. */
bool launch_texture_parse(
	struct arena *arena, const char *what, const char *text, struct launch_arg *out, struct diag *diag);
