/* A kernel that went wrong on the GPU, run again on the machine a slice at a time: what it finds is added to the notice. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "front/tutor/private.h"
#include "model/profile/profile.h"

#define SLICE_MS 10 /* a key is not kept waiting for longer */

void tutor_blame_begin(struct tutor *tutor, const struct experiment *e)
{
	tutor_blame_end(tutor);
	if (e && e->launch)
		tutor->private->blame = profile_blame_new(
			e->kernel->file->ptx_text, e->kernel->file->ptx_len, e->launch);
}

void tutor_blame_end(struct tutor *tutor)
{
	profile_blame_free(tutor->private->blame);
	tutor->private->blame = NULL;
}

bool tutor_blame_step(struct tutor *tutor)
{
	struct blame *blame = tutor->private->blame;
	size_t len = strlen(tutor->notice);
	if (!blame || !profile_blame_step(blame, SLICE_MS))
		return false;
	/* a notice that a key has put away is not shown again for this */
	snprintf(tutor->notice + len, sizeof tutor->notice - len, "%s%s",
		len ? " " : _("The kernel failed on the GPU. "), profile_blame_sentence(blame));
	tutor_blame_end(tutor);
	return true;
}
