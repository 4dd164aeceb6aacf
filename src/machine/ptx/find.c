/* Kernels, functions and variables by the names that readers have for them. */
#include <string.h>

#include "base/demangle.h"
#include "machine/ptx/parse.h"

#define LISTED_MAX 10

/* Those that a name may mean. */
struct candidates {
	struct arena *arena;
	const char *asked;
	struct buf list; /* as the source has them */
	int n, found;    /* how many there are; the last one */
	bool exact;      /* it has that name in the PTX */
};

static void list_candidate(struct candidates *c, const char *name)
{
	if (c->n <= LISTED_MAX)
		buf_printf(&c->list, "%s%s", c->n > 1 ? ", " : "", demangle_signature(c->arena, name));
}

/* Notes the candidate when it fits. */
static void try_candidate(struct candidates *c, const char *name, int index)
{
	bool exact = c->asked && strcmp(name, c->asked) == 0;
	if (c->exact || (c->asked && !exact && !demangle_is(c->arena, name, c->asked)))
		return;
	c->exact = exact;
	c->n = exact ? 1 : c->n + 1;
	c->found = index;
	list_candidate(c, name);
}

static struct candidates new_candidates(const char *asked)
{
	return (struct candidates){.arena = arena_new(), .asked = asked && *asked ? asked : NULL, .found = -1};
}

static void end_list(struct candidates *c)
{
	if (c->n > LISTED_MAX)
		buf_printf(&c->list, " and %d more", c->n - LISTED_MAX);
}

static void free_candidates(struct candidates *c)
{
	buf_free(&c->list);
	arena_free(c->arena);
}

static struct candidates try_entries(const struct ptx_module *m, const char *name)
{
	struct candidates c = new_candidates(name);
	for (int i = 0; i < m->n_kernels; i++)
		if (m->kernels[i]->entry)
			try_candidate(&c, m->kernels[i]->name, i);
	end_list(&c);
	return c;
}

struct ptx_kernel *ptx_pick_kernel(struct ptx_module *m, const char *name, struct diag *diag)
{
	struct candidates c = try_entries(m, name);
	struct diag_pos pos = {.file = m->name};
	struct ptx_kernel *found = c.n == 1 ? m->kernels[c.found] : NULL;
	if (c.n > 1) {
		diag_error(diag, pos, "which %s? There are %s", c.asked ? c.asked : "kernel", buf_str(&c.list));
	} else if (!found) {
		struct candidates all = try_entries(m, NULL);
		if (all.n)
			diag_error(diag, pos, "there is no kernel %s; there are: %s", c.asked, buf_str(&all.list));
		else
			diag_error(diag, pos, "there is no kernel in this PTX");
		free_candidates(&all);
	}
	free_candidates(&c);
	return found;
}

const char *ptx_resolve_kernel(struct ptx_module *m, const char *name, struct diag *diag)
{
	const struct ptx_kernel *kernel = ptx_pick_kernel(m, name, diag);
	return kernel ? kernel->name : NULL;
}

/* An error that says which there are, unless one was found. */
static bool check_found(
	struct candidates *c, struct candidates *all, const char *what, struct diag_pos pos, struct diag *diag)
{
	end_list(c);
	end_list(all);
	if (c->n > 1)
		diag_error(diag, pos, "which %s? There are %s", c->asked, buf_str(&c->list));
	else if (!c->n)
		diag_error(diag, pos, "there is no %s %s%s%s", what, c->asked, all->n ? "; there are: " : "",
			buf_str(&all->list));
	bool found = c->n == 1;
	free_candidates(c);
	free_candidates(all);
	return found;
}

/* Kernels linked before cannot reach it: they are linked again when they are next looked up. */
static void take_address(struct ptx_module *m, struct ptx_kernel *function)
{
	if (function->address_taken)
		return;
	function->address_taken = true;
	for (int i = 0; i < m->n_kernels; i++) {
		struct ptx_kernel *k = m->kernels[i];
		if (!k->entry)
			continue;
		k->parts = NULL;
		k->n_parts = k->n_linked = 0;
		k->shared_bytes = 0;
	}
}

const struct ptx_kernel *ptx_take_function(
	struct ptx_module *m, const char *name, struct diag_pos pos, struct diag *diag)
{
	struct candidates c = new_candidates(name), all = new_candidates(NULL);
	for (int i = 0; i < m->n_functions; i++) {
		if (!m->functions[i]->defined)
			continue;
		try_candidate(&c, m->functions[i]->name, i);
		try_candidate(&all, m->functions[i]->name, i);
	}
	struct ptx_kernel *function = c.n == 1 ? m->functions[c.found] : NULL;
	if (!check_found(&c, &all, "function", pos, diag))
		return NULL;
	take_address(m, function);
	return function;
}

const struct ptx_var *ptx_find_variable(
	const struct ptx_module *m, const char *name, struct diag_pos pos, struct diag *diag)
{
	struct candidates c = new_candidates(name), all = new_candidates(NULL);
	for (int i = 0; i < m->n_vars; i++) {
		if (m->vars[i]->is_extern || m->vars[i]->opaque ||
			(m->vars[i]->space != SPACE_GLOBAL && m->vars[i]->space != SPACE_CONST))
			continue;
		try_candidate(&c, m->vars[i]->name, i);
		try_candidate(&all, m->vars[i]->name, i);
	}
	const struct ptx_var *var = c.n == 1 ? m->vars[c.found] : NULL;
	return check_found(&c, &all, "__device__ or __constant__ variable", pos, diag) ? var : NULL;
}
