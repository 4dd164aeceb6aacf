/* The functions that are refused: each is named once on standard error, and returns cudaErrorNotSupported. */
#include <string.h>

#include "base/arena.h"
#include "runtime/state.h"

int runtime_refuse(const char *name, const char *error)
{
	RUNTIME_ENTER(r);
	for (int i = 0; i < r->n_named; i++)
		if (r->named[i] == name)
			return runtime_leave(CUDA_ErrorNotSupported);
	*(const char **)vec_push(r->named, r->n_named, r->named_cap) = name;
	runtime_warn("%s is not emulated; it returns %s", name, error);
	return runtime_leave(CUDA_ErrorNotSupported);
}

/* Their arguments are not looked at, so any call fits. */
#define STUB(name)                                                                                                     \
	RUNTIME_API int name(void)                                                                                     \
	{                                                                                                              \
		return runtime_refuse(#name, "cudaErrorNotSupported");                                                 \
	}
#define STUB_NONE(name)
#define STUB_PTSZ(name) STUB(name##_ptsz)
#define STUB_PTDS(name) STUB(name##_ptds)
#define DONE(name, variant)
#define CHECKED(name, variant)
#define REFUSED(name, variant) STUB(name) STUB_##variant(name)
#define GROUP(title)
#define FUNCTION(name, variant, versions, state, note) state(name, variant)
#include "runtime/functions.def"
