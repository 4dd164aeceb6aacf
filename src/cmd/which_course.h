/* cmd/which_course.h: which course a command is about: that which ships, or another: a folder with lessons and kernels. */
#pragma once
#include "cmd/cmd.h"
#include "course/lesson/lesson.h"

#define CMD_COURSE_OPTION                                                                                              \
	{                                                                                                              \
		"course", 0, "COURSE",                                                                                 \
			N_("a folder with lessons and kernels, or the name of a course that is installed")             \
	}

/* The folders in which courses are looked for by name, in this order; NULL at the end. */
const char *const *cmd_course_shelves(struct cmd_ctx *ctx);

/* Takes --course from the arguments, and, where these name `lessons`, the folder of a lesson ("./mine", "./mine/2") for the lesson's name and its course. Then
 * ctx->paths are those of the course. False with an error. */
bool cmd_course_choose(struct cmd_ctx *ctx, struct cmd_parsed *args, int *n, bool lessons);
