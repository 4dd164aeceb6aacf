#include "front/view/sass.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"

#define MIX_MIN 64 /* columns from which the kinds of instructions are counted */

struct line_tally {
	int line, n_ptx, n_sass;
};

/* By line; those without one come last. */
static int compare_tallies(const void *a, const void *b)
{
	const struct line_tally *x = a, *y = b;
	if (!x->line || !y->line)
		return !x->line - !y->line;
	return (x->line > y->line) - (x->line < y->line);
}

/* One for each line that has instructions. The caller frees them. */
static struct line_tally *tally_lines(const struct view_code *code, int *n)
{
	size_t most = (size_t)code->n_ptx + (size_t)code->n_sass;
	struct line_tally *all = base_calloc(most + 1, sizeof *all);
	for (int i = 0; i < code->n_ptx; i++)
		all[i] = (struct line_tally){code->ptx[i].line, 1, 0};
	for (int i = 0; i < code->n_sass; i++)
		all[code->n_ptx + i] = (struct line_tally){code->sass[i].line, 0, 1};
	qsort(all, most, sizeof *all, compare_tallies);
	*n = 0;
	for (size_t i = 0; i < most; i++) {
		const struct line_tally one = all[i];
		if (*n && all[*n - 1].line == one.line) {
			all[*n - 1].n_ptx += one.n_ptx;
			all[*n - 1].n_sass += one.n_sass;
		} else {
			all[(*n)++] = one;
		}
	}
	return all;
}

static bool has_line(const struct view_code *code, int line)
{
	for (int i = 0; i < code->n_ptx; i++)
		if (code->ptx[i].line == line)
			return true;
	for (int i = 0; i < code->n_sass; i++)
		if (code->sass[i].line == line)
			return true;
	return false;
}

int view_sass_selected(const struct view_input *input)
{
	const struct view_code *code = &input->code;
	int n, best = 0;
	if (input->source.watched && has_line(code, input->source.watched))
		return input->source.watched;
	struct line_tally *lines = tally_lines(code, &n);
	for (int i = 1; i < n; i++)
		best = lines[i].line && lines[i].n_sass > lines[best].n_sass ? i : best;
	int line = n ? lines[best].line : 0;
	free(lines);
	return line;
}

/* Machine instructions by the PTX instruction that they were made from, as lists: `first` has n_ptx + 1 of them, the last for those
 * made from none. */
struct made_from {
	int *first, *next;
};

static struct made_from find_made_from(const struct view_code *code)
{
	struct made_from m = {base_calloc((size_t)code->n_ptx + 1, sizeof *m.first),
		base_calloc((size_t)code->n_sass + 1, sizeof *m.next)};
	for (int i = 0; i <= code->n_ptx; i++)
		m.first[i] = -1;
	for (int i = code->n_sass - 1; i >= 0; i--) {
		int ptx = code->sass[i].ptx >= 0 && code->sass[i].ptx < code->n_ptx ? code->sass[i].ptx : code->n_ptx;
		m.next[i] = m.first[ptx];
		m.first[ptx] = i;
	}
	return m;
}

static void add_instrs(const struct view_code *code, const struct made_from *m, int line, struct view_sass_rows *rows)
{
	for (int p = 0; p < code->n_ptx; p++) {
		if (code->ptx[p].line != line)
			continue;
		rows->at[rows->n++] = (struct view_sass_row){.line = line, .ptx = p, .sass = m->first[p]};
		for (int s = m->first[p] < 0 ? -1 : m->next[m->first[p]]; s >= 0; s = m->next[s])
			rows->at[rows->n++] = (struct view_sass_row){.line = line, .ptx = -1, .sass = s};
	}
	for (int s = m->first[code->n_ptx]; s >= 0; s = m->next[s])
		if (code->sass[s].line == line)
			rows->at[rows->n++] = (struct view_sass_row){.line = line, .ptx = -1, .sass = s};
}

struct view_sass_rows view_sass_rows_of(const struct view_code *code, int only)
{
	int n;
	struct line_tally *lines = tally_lines(code, &n);
	struct made_from m = find_made_from(code);
	struct view_sass_rows rows = {
		base_calloc((size_t)n + (size_t)code->n_ptx + (size_t)code->n_sass + 1, sizeof *rows.at), 0};
	for (int i = 0; i < n; i++) {
		rows.at[rows.n++] = (struct view_sass_row){.line = lines[i].line,
			.head = true,
			.ptx = -1,
			.sass = -1,
			.n_ptx = lines[i].n_ptx,
			.n_sass = lines[i].n_sass};
		if (only < 0 || only == lines[i].line)
			add_instrs(code, &m, lines[i].line, &rows);
	}
	free(lines);
	free(m.first);
	free(m.next);
	return rows;
}

const char *view_sass_source(const struct view_input *input, int line)
{
	const struct view_source *source = &input->source;
	for (int i = 0; i < source->n_lines; i++)
		if (source->lines[i].line == line)
			return source->lines[i].text + strspn(source->lines[i].text, " \t");
	return "";
}

/* "of the machine instructions: 9 arithmetic, 3 memory, 1 control, 4 moves" */
static void note_mix(struct view_notes *notes, const struct view_code *code)
{
	static const char *const names[LISTING_KINDS] = {[LISTING_ARITHMETIC] = N_("arithmetic"),
		[LISTING_MEMORY] = N_("memory"),
		[LISTING_CONTROL] = N_("control"),
		[LISTING_MOVE] = N_("moves"),
		[LISTING_OTHER] = N_("others")};
	int counts[LISTING_KINDS] = {0};
	struct buf text = {0};
	for (int i = 0; i < code->n_sass; i++)
		counts[listing_kind_of(code->sass[i].text)]++;
	for (int kind = 0; kind < LISTING_KINDS; kind++) {
		if (!counts[kind])
			continue;
		buf_puts(&text, text.len ? ", " : "");
		buf_printf(&text, "%d\u00a0%s", counts[kind], text_translate(names[kind]));
	}
	view_notes_add(notes, ROLE_DIM, _("of the machine instructions: %s"), buf_str(&text));
	buf_free(&text);
}

/* What the counts beside machine instructions are of. */
static void note_counted(struct view_notes *notes, const struct view_code *code)
{
	bool live = code->counted_by == WITNESS_LIVE;
	enum role role = view_witness_role(code->counted_by);
	if (code->counted_by == WITNESS_NONE)
		return;
	if (code->each) {
		view_notes_add(notes, role,
			live ? _("executed by the GPU: each machine instruction")
			     : _("executed by the GPU, recorded: each machine instruction"));
		return;
	}
	if (code->is_other) {
		view_notes_add(notes, role,
			live ? _("executed by the GPU, per PTX instruction: the driver's code differs")
			     : _("executed by the GPU, recorded, per PTX instruction: the driver's code differs"));
		return;
	}
	view_notes_add(notes, role,
		live ? _("executed by the GPU: all that a PTX instruction became, together")
		     : _("executed by the GPU, recorded: all that a PTX instruction became, together"));
}

void view_sass_note(struct view_notes *notes, const struct view_code *code, int cols)
{
	const struct code_listing *l = code->listing;
	struct buf spills = {0};
	if (l->spill_stores || l->spill_loads)
		buf_printf(&spills, _("spills: %d\u00a0bytes stored, %d\u00a0loaded"), l->spill_stores, l->spill_loads);
	else
		buf_puts(&spills, _("no spills"));
	view_notes_add(notes, ROLE_STRONG,
		_("%d\u00a0PTX instructions, %d\u00a0machine instructions; %d\u00a0registers, %s"), code->n_ptx,
		code->n_sass, l->registers, buf_str(&spills));
	view_notes_add(notes, ROLE_DIM,
		code->made_by == WITNESS_RECORDED ? _("for %s by %s, recorded") : _("for %s by %s"), l->target,
		l->compiler);
	note_counted(notes, code);
	buf_free(&spills);
	if (cols >= MIX_MIN)
		note_mix(notes, code);
}
