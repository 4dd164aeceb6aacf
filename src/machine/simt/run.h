/* machine/simt/run.h: a launch: what its blocks share. Inside simt/ only. */
#pragma once
#include "machine/simt/simt.h"

struct machine;

/* launch.c: false, with the reason in the result, when it cannot be launched. */
bool simt_launch_check(struct machine *m);

/* globals.c: the module's variables, the launch's or new ones with their initial values; false when they do not fit. */
bool simt_globals_init(struct machine *m);
void simt_globals_close(struct machine *m);

/* The launch, checked and decoded, with the module's variables and the parameters; it has no warps. When it cannot be
 * launched, the result says so. Never NULL; simt_launch_close frees it. */
struct machine *simt_launch_open(
	const struct simt_launch *launch, struct simt_memory *memory, struct simt_result *result);
void simt_launch_close(struct machine *m);
