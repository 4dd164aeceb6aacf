/* gpu/client/spec.h: --gpu SPEC: how to start a worker. Inside the folder only. */
#pragma once
#include "base/arena.h"
#include "base/diag.h"

#define SPEC_ARGV_MAX 16

struct spec {
	const char *argv[SPEC_ARGV_MAX]; /* NULL-terminated; argv[0] NULL: measuring is off */
	bool far;                        /* a connection is between us and the worker, and may break */
	int start_ms;                    /* how long its start may take */
	int rest_ms;                     /* without a request, after which it lets its GPU go; 0: it keeps it */
};

/* Several are tried in turn; `text` has this between them. */
#define SPEC_NEXT '\036'
#define SPECS_MAX 64

struct spec_list {
	struct spec specs[SPECS_MAX];
	const char *texts[SPECS_MAX];
	int n;
};

/* False with an error at `pos`. Of several none may be "none". */
bool gpu_spec_parse_all(struct arena *arena, const char *text, const char *worker, struct diag_pos pos,
	struct spec_list *out, struct diag *diag);

/* False with an error that lists what there is. `worker` is the path of simttutor-gpu. */
bool gpu_spec_parse(struct arena *arena, const char *spec, const char *worker, struct spec *out, struct diag *diag);
