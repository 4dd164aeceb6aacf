/* cmd/linear_parts.h: what linear*.c share. Inside linear*.c only. */
#pragma once
#include "cmd/cmd.h"
#include "front/tutor/tutor.h"

#define LINEAR_LOOK_NS 50000000 /* between two looks at a compiler's work */
#define LINEAR_LOOKS 1200       /* a minute */

struct linear {
	struct cmd_ctx *ctx;
	struct tutor *tutor, *below; /* below: the lessons, while a playground is open over them; else NULL */
	struct buf out;              /* printed before the next line is read */
	bool quit;
};

/* --- linear_text.c ------------------------------------------------------------------------------------------------------ */
/* In lines of a moderate length, the first one after `lead`. */
void cmd_linear_put_wrapped(struct buf *out, const char *text, const char *lead);
void cmd_linear_put_parameters(struct linear *l, const struct step *step);
/* All that is to be read where the reader is: a step, the list, the end of a lesson, a kernel of theirs, a playground. */
void cmd_linear_put_step(struct linear *l);
/* What the tutor has to say, which is then said. */
void cmd_linear_put_notice(struct linear *l);

/* --- linear_play.c: commands of the playground -------------------------------------------------------------------------- */
void cmd_linear_put_tried(struct linear *l);
void cmd_linear_try(struct linear *l, const char *rest);
void cmd_linear_access(struct linear *l, const char *rest);
void cmd_linear_tried(struct linear *l, const char *rest);
void cmd_linear_kernel(struct linear *l, const char *rest);
void cmd_linear_leave(struct linear *l, const char *rest);
/* False: there was none that was opened over lessons. */
bool cmd_linear_leave_playground(struct linear *l);
