/* front/tutor/playground_parts.h: what playground*.c share. Inside playground*.c only. */
#pragma once
#include "front/tutor/playground.h"

/* --- playground_kept.c -------------------------------------------------------------------------------------------------- */
bool tutor_playground_is_one(const struct tutor_playground_tried *a, const struct tutor_playground_tried *b);
/* It is the latest from now on, wherever it was. */
void tutor_playground_remember(struct tutor_playground *p, const struct tutor_playground_tried *tried);
/* A line that cannot be is left out. */
void tutor_playground_load_history(struct tutor_playground *p);
bool tutor_playground_save_history(const struct tutor_playground *p, struct diag *diag);

/* --- playground_kernel.c ------------------------------------------------------------------------------------------------ */
/* From its file, which is made where it is missing. False with a notice. */
bool tutor_playground_load_kernel(struct tutor *tutor);
