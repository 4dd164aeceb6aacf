/* What buffers hold after a launch. */
#include <string.h>

#include "course/experiment/private.h"

bool experiment_result(struct experiment *e, int argument, uint64_t element, double *out, const char **why)
{
	struct experiment_private *p = e->private;
	*why = e->all.n > 1 ? "results are of steps with one launch" : "the launch does not run to its end";
	if (!e->launch || !e->kernel->module || e->all.n > 1)
		return false;
	if (!p->has_outcome) {
		struct arena *scratch = arena_new();
		struct diag unheard = {0}; /* the run that counts reports the same */
		const struct profile_watch watch = {.steps = e->set->rules.steps, .cc = e->set->rules.cc};
		const struct profile *profile = profile_run(scratch, e->kernel->module, e->launch, watch, &unheard);
		if (profile && profile->result.outcome == SIMT_OK) {
			void *const *keep_buffers = profile->buffers;
			void **kept = arena_array(e->arena, void *, (size_t)e->launch->n_args + 1);
			for (int i = 0; i < e->launch->n_args; i++) {
				size_t size = launch_arg_bytes(&e->launch->args[i]);
				if (!keep_buffers[i])
					continue;
				kept[i] = arena_alloc(e->arena, size + 1);
				memcpy(kept[i], keep_buffers[i], size);
			}
			e->private->outcome = kept;
		}
		diag_free(&unheard);
		arena_free(scratch);
	}
	p->has_outcome = true;
	if (!p->outcome)
		return false;
	*why = "there is no such element";
	if (argument >= e->launch->n_args || !p->outcome[argument] || element >= e->launch->args[argument].count)
		return false;
	*out = launch_number(e->launch->args[argument].type, p->outcome[argument], (size_t)element);
	return true;
}
