#include "model/profile/private.h"

#include <stdlib.h>
#include <string.h>

/* An instruction, or several of the same place. */
struct located {
	struct ptx_location place;
	bool main; /* in the main file */
	int first; /* the first of these instructions */
	struct sums sums;
};

struct grouping {
	struct arena *arena;
	struct located *all;
	size_t n;
	bool (*same)(const struct located *a, const struct located *b);
	int (*compare)(const void *a, const void *b); /* groups the same, and within them as the program has them */
};

static int compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* The main file before others. */
static int compare_lines(const struct located *a, const struct located *b)
{
	if (a->main != b->main)
		return a->main ? -1 : 1;
	int files = a->main || a->place.file == b->place.file ? 0 : strcmp(a->place.file, b->place.file);
	return files ? files : compare_numbers(a->place.line, b->place.line);
}

static bool on_same_line(const struct located *a, const struct located *b)
{
	return compare_lines(a, b) == 0;
}

static bool by_same_chain(const struct located *a, const struct located *b)
{
	return on_same_line(a, b) && a->place.inlined == b->place.inlined;
}

static int compare_located(const void *a, const void *b)
{
	const struct located *x = a, *y = b;
	int lines = compare_lines(x, y);
	return lines ? lines : compare_numbers(x->first, y->first);
}

static int compare_chains(const void *a, const void *b)
{
	const struct located *x = a, *y = b;
	int lines = compare_lines(x, y),
	    chains = compare_numbers((intptr_t)x->place.inlined, (intptr_t)y->place.inlined);
	return lines ? lines : chains ? chains : compare_numbers(x->first, y->first);
}

/* Makes those that compare equal one, and sorts what remains by line and then as the program has them. */
static void group(struct grouping *g)
{
	size_t kept = 0;
	qsort(g->all, g->n, sizeof *g->all, g->compare);
	for (size_t i = 0; i < g->n; i++) {
		struct located at = g->all[i];
		if (!kept || !g->same(&g->all[kept - 1], &at)) {
			g->all[kept] = at;
			g->all[kept++].sums = (struct sums){0};
		}
		sums_add(g->arena, &g->all[kept - 1].sums, &at.sums);
	}
	g->n = kept;
	qsort(g->all, g->n, sizeof *g->all, compare_located);
}

static bool is_main(const struct profile *profile, const struct ptx_location *place)
{
	return profile->file && strcmp(profile->file, place->file) == 0;
}

static struct profile_part *make_parts(const struct grouping *g, void (*fill)(struct profile_line *line))
{
	struct profile_part *parts = arena_array(g->arena, struct profile_part, g->n + 1);
	for (size_t i = 0; i < g->n; i++) {
		parts[i].place = g->all[i].place;
		parts[i].counts.line = g->all[i].place.line;
		parts[i].counts.sums = g->all[i].sums;
		fill(&parts[i].counts);
	}
	return parts;
}

void profile_group_inlined(struct arena *arena, const struct ptx_kernel *kernel, const struct sums *sums,
	void (*fill)(struct profile_line *line), struct profile *profile)
{
	/* the instructions with a source line */
	int n = ptx_instr_count(kernel);
	size_t most = 1;
	for (int i = 0; i < n; i++)
		most += ptx_instr_location(kernel, i).line > 0;
	struct grouping g = {.arena = arena, .all = arena_array(arena, struct located, most)};
	for (int i = 0; i < n; i++) {
		struct ptx_location place = ptx_instr_location(kernel, i);
		if (place.line)
			g.all[g.n++] = (struct located){place, is_main(profile, &place), i, sums[i]};
	}

	g.same = by_same_chain;
	g.compare = compare_chains;
	group(&g);
	profile->parts = make_parts(&g, fill);
	profile->n_parts = (int)g.n;
	for (size_t i = 0; i < g.n; i++) {
		struct located *at = &g.all[i];
		const struct ptx_frame *frame = at->place.inlined;
		if (!frame || !frame->file)
			continue;
		at->place.file = frame->file;
		at->place.line = frame->line;
		at->main = is_main(profile, &at->place);
	}
	g.same = on_same_line;
	g.compare = compare_located;
	group(&g);
	for (size_t i = 0; i < g.n; i++)
		g.all[i].place.inlined = NULL;
	profile->written = make_parts(&g, fill);
	profile->n_written = (int)g.n;
}
