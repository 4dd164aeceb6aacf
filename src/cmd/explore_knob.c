/* --sweep NAME=VALUES: what an explored kernel's launch can be turned to. */
#include "cmd/explore.h"
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "course/lesson/limits.h"
#include "model/hardware/metrics.h"

#define STEPPED_MOST 64 /* a longer range doubles where it does not say how it goes */

static const char expected[] =
	"NAME=VALUES with 1,2,4 or 1..64 or 0..64+4 or 32..1024*2, ascending, at most 1000 of them, and perhaps @VALUE to begin with";

struct knob_reader {
	struct explore *x;
	struct explore_knob *knob;
	int cap;
};

static bool read_knob_number(const char **at, int64_t *out)
{
	char *end;
	errno = 0;
	*out = strtoll(*at, &end, 10);
	bool ok = end > *at && !errno && (**at == '-' || (**at >= '0' && **at <= '9')) && llabs(*out) <= INT32_MAX;
	*at = end;
	return ok;
}

static bool add_value(struct knob_reader *r, int64_t value)
{
	struct explore_knob *k = r->knob;
	if (k->n == LESSON_VALUES_MAX || (k->n && value <= k->values[k->n - 1]))
		return false;
	*vec_push_in(r->x->ctx->arena, k->values, k->n, r->cap) = value;
	return true;
}

/* What stands after "A..": the end, and how to get there. */
static bool read_range(struct knob_reader *r, int64_t from, const char **at)
{
	int64_t to, by = 1, factor = 1;
	if (!read_knob_number(at, &to) || to < from)
		return false;
	char how = **at;
	if (how == '+' || how == '*') {
		++*at;
		if (!read_knob_number(at, how == '+' ? &by : &factor) || by < 1 || factor < 1)
			return false;
	} else if (to - from >= STEPPED_MOST && from > 0) {
		how = '*';
		factor = 2;
	}
	if (how == '*' && (factor < 2 || from < 1))
		return false;
	int64_t value = from;
	for (; value <= to; value = how == '*' ? value * factor : value + by)
		if (!add_value(r, value))
			return false;
	return r->knob->values[r->knob->n - 1] == to || add_value(r, to);
}

static bool read_values(struct knob_reader *r, const char **at)
{
	for (;; ++*at) {
		int64_t value;
		if (!read_knob_number(at, &value))
			return false;
		bool range = strncmp(*at, "..", 2) == 0;
		*at += range ? 2 : 0;
		if (range ? !read_range(r, value, at) : !add_value(r, value))
			return false;
		if (**at != ',')
			return true;
	}
}

static bool read_initial(struct explore_knob *knob, const char **at)
{
	knob->initial = knob->values[0];
	if (**at != '@')
		return true;
	++*at;
	if (!read_knob_number(at, &knob->initial))
		return false;
	for (int i = 0; i < knob->n; i++)
		if (knob->values[i] == knob->initial)
			return true;
	return false;
}

/* A name for an expression, which is none of what is watched. */
static bool name_is_good(const struct explore *x, const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
	static const char *const taken[] = {"line", "block", "warp", "access", "version", "i"};
	bool good = *name && strspn(name, letters) == strlen(name) && !strchr("0123456789", *name) && strlen(name) < 32;
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
		good = good && strcmp(name, taken[i]) != 0;
	for (int i = 0; i < x->n_knobs; i++)
		good = good && strcmp(name, x->knobs[i].name) != 0;
	return good && metric_find(name) == METRIC_NONE;
}

bool explore_read_knob(struct explore *x, const char *text)
{
	const char *equals = strchr(text, '='), *at = equals ? equals + 1 : "";
	if (x->n_knobs == EXPLORE_KNOBS_MAX)
		return cmd_bad_value(x->ctx, "--sweep", text, "at most 8 of them");
	struct explore_knob *knob = &x->knobs[x->n_knobs];
	struct knob_reader r = {x, knob, 0};
	*knob = (struct explore_knob){0};
	knob->name = equals ? arena_strndup(x->ctx->arena, text, (size_t)(equals - text)) : "";
	if (equals && !name_is_good(x, knob->name))
		return cmd_bad_value(x->ctx, "--sweep", text,
			"a name of letters, digits and _ that is not given twice, and is none of line, block, warp, access, version and i, nor a metric");
	if (!equals || !read_values(&r, &at) || !read_initial(knob, &at) || *at)
		return cmd_bad_value(x->ctx, "--sweep", text, expected);
	x->n_knobs++;
	return true;
}
