/* Where instructions come from: .loc and .file, and the callers of code that was inlined. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/paths.h"
#include "machine/ptx/instr.h"
#include "machine/ptx/parse.h"

/* A source position of the text, and the last .loc so far that has it. */
struct ptx_position {
	struct hash_link link;
	int64_t at[3]; /* file, line, column */
	int32_t loc;
};

static struct ptx_position *find_position(const struct ptx_parser *p, const int64_t at[3])
{
	struct hash_link *link = hash_find(&p->positions, (const char *)at, 3 * sizeof *at);
	return link ? hash_entry(link, struct ptx_position, link) : NULL;
}

/* The index of a new .loc in the module. `caller`: the one it was inlined at, -1: none. */
static int32_t add_loc(struct ptx_parser *p, const int64_t at[3], int32_t caller)
{
	struct ptx_module *m = p->module;
	struct ptx_loc *loc = vec_push_in(p->arena, m->locs, m->n_locs, p->cap.locs);
	const struct ptx_loc *outer = caller >= 0 ? &m->locs[caller] : loc;
	int32_t index = m->n_locs - 1;
	loc->file = at[0] > 0 && at[0] < INT32_MAX ? (int)at[0] : 0;
	loc->line = at[1] > 0 && at[1] < INT32_MAX ? (int)at[1] : 0;
	loc->column = at[2] > 0 && at[2] < INT32_MAX ? (int)at[2] : 0;
	loc->caller = caller;
	loc->outermost_file = caller >= 0 ? outer->outermost_file : loc->file;
	loc->own = loc->file == loc->outermost_file ? index : outer->own;

	struct ptx_position *position = find_position(p, at);
	if (!position) {
		position = arena_array(p->arena, struct ptx_position, 1);
		memcpy(position->at, at, sizeof position->at);
		hash_add(&p->positions, &position->link, (const char *)position->at, sizeof position->at);
	}
	position->loc = index;

	return index;
}

static bool parse_position(struct ptx_parser *p, int64_t at[3])
{
	return ptx_parse_int(p, &at[0]) && ptx_parse_int(p, &at[1]) && ptx_parse_int(p, &at[2]);
}

/* .loc FILE LINE COL [, function_name LABEL [+ N]] [, inlined_at FILE LINE COL] */
bool ptx_parse_loc(struct ptx_parser *p)
{
	int64_t at[3], outer[3];
	int32_t caller = -1;
	if (!parse_position(p, at))
		return false;
	while (ptx_take(p, ',')) {
		if (ptx_at_name(p, "inlined_at")) {
			ptx_next(p);
			if (!parse_position(p, outer))
				return false;
			/* The caller at a position: the last .loc there, which has callers of its own, as the manual
			 * wants it before. */
			const struct ptx_position *position = find_position(p, outer);
			caller = position ? position->loc : add_loc(p, outer, -1);
			continue;
		}

		/* function_name LABEL [+ N], of which nothing is kept */
		int64_t offset;
		if (!ptx_at_name(p, "function_name")) {
			ptx_unexpected(p, "function_name or inlined_at");
			return false;
		}
		ptx_next(p);
		if (p->tok.kind != PTX_TOK_NAME) {
			ptx_unexpected(p, "the label of a function's name");
			return false;
		}
		ptx_next(p);
		if (ptx_take(p, '+') && !ptx_parse_int(p, &offset))
			return false;
	}
	p->loc = add_loc(p, at, caller);
	return true;
}

/* .file NUMBER "NAME" [, TIME, SIZE] */
bool ptx_parse_file(struct ptx_parser *p)
{
	int64_t number, ignored;
	if (!ptx_parse_int(p, &number))
		return false;
	if (p->tok.kind != PTX_TOK_STRING) {
		ptx_unexpected(p, "a file name");
		return false;
	}
	struct ptx_file *file = vec_push_in(p->arena, p->module->files, p->module->n_files, p->cap.files);
	file->number = number > 0 && number < INT32_MAX ? (int)number : 0;
	file->name = arena_strndup(p->arena, p->tok.text, p->tok.len);
	ptx_next(p);
	while (ptx_take(p, ',')) {
		if (!ptx_parse_int(p, &ignored))
			return false;
	}
	return true;
}

static int compare_files(const void *a, const void *b)
{
	const struct ptx_file *x = a, *y = b;
	return (x->number > y->number) - (x->number < y->number);
}

/* A frame, found by its position and its caller, so that equal chains are one. */
struct ptx_known_frame {
	struct hash_link link;
	int32_t key[3]; /* file, line, the first .loc with the caller's chain */
	int32_t loc;    /* the first with this one */
	struct ptx_frame frame;
};

/* The .file of a .loc may come after it. */
void ptx_resolve_locs(struct ptx_module *m)
{
	struct hash_table known;
	hash_init(&known, m->arena);
	if (m->n_files)
		qsort(m->files, (size_t)m->n_files, sizeof *m->files, compare_files);
	m->frames = arena_array(m->arena, const struct ptx_frame *, (size_t)m->n_locs + 1);
	for (int i = 0; i < m->n_locs; i++) {
		const struct ptx_loc *loc = &m->locs[i];
		const struct ptx_known_frame *caller = NULL; /* which has its own frame already */
		if (loc->caller >= 0)
			caller = hash_entry(m->frames[loc->caller], struct ptx_known_frame, frame);
		const int32_t key[3] = {loc->file, loc->line, caller ? caller->loc : -1};
		struct hash_link *link = hash_find(&known, (const char *)key, sizeof key);
		if (link) {
			m->frames[i] = &hash_entry(link, struct ptx_known_frame, link)->frame;
			continue;
		}
		const struct ptx_file named = {.number = loc->file};
		const struct ptx_file *file = loc->line && m->n_files
			? bsearch(&named, m->files, (size_t)m->n_files, sizeof named, compare_files)
			: NULL;
		struct ptx_known_frame *made = arena_array(m->arena, struct ptx_known_frame, 1);
		memcpy(made->key, key, sizeof key);
		made->loc = i;
		made->frame = (struct ptx_frame){
			file ? file->name : NULL, file && file->name ? loc->line : 0, caller ? &caller->frame : NULL};
		hash_add(&known, &made->link, (const char *)made->key, sizeof made->key);
		m->frames[i] = &made->frame;
	}
}

struct ptx_location ptx_location_of(const struct ptx_module *m, const struct ptx_instr *instr)
{
	struct ptx_location location = {.ptx_line = instr->line};
	if (instr->loc < 0)
		return location;
	const struct ptx_frame *written = m->frames[instr->loc], *own = m->frames[m->locs[instr->loc].own];
	location.file = own->file;
	location.line = own->line;
	if (written != own && own->line && written->line)
		location.inlined = written;
	return location;
}

struct ptx_location ptx_instr_location(const struct ptx_kernel *k, int index)
{
	const struct ptx_part *part = ptx_part_of(k, index);
	return ptx_location_of(k->module, &part->code->instrs[index - part->first]);
}

struct ptx_location ptx_reported_location(const struct ptx_kernel *k, int index)
{
	const struct ptx_part *part = ptx_part_of(k, index);
	const struct ptx_kernel *code = part->code;
	int at = index - part->first, i = at;
	while (i < code->n_instrs && !ptx_location_of(k->module, &code->instrs[i]).line)
		i++;
	if (i == code->n_instrs)
		for (i = at; i > 0 && !ptx_location_of(k->module, &code->instrs[i]).line; i--)
			;
	struct ptx_location location = ptx_location_of(k->module, &code->instrs[i]);
	location.ptx_line = code->instrs[at].line;
	return location;
}

/* The position of an instruction in its kernel: of the call, where it was inlined. */
static const struct ptx_loc *outermost_loc(const struct ptx_kernel *k, int index)
{
	const struct ptx_loc *locs = k->module->locs;
	int32_t loc = k->instrs[index].loc;
	while (loc >= 0 && locs[loc].caller >= 0)
		loc = locs[loc].caller;
	return loc >= 0 && locs[loc].line && locs[loc].column ? &locs[loc] : NULL;
}

/* The instruction that makes the predicate which branch `at` is guarded by: the last one before it in the text, -1:
 * none. */
static int guard_made_at(const struct ptx_kernel *k, int at)
{
	for (int i = at - 1; i >= 0; i--)
		if (k->instrs[i].n && k->instrs[i].operands[0].kind == PTX_REG &&
			k->instrs[i].operands[0].index == k->instrs[at].guard)
			return i;
	return -1;
}

static bool is_condition(const struct ptx_kernel *k, int i)
{
	return instr_kind(k->instrs[i].form) == PTX_KIND_BRANCH && k->instrs[i].guard >= 0;
}

/* Whether columns may be those where statements begin, as nvcc writes them, and not of expressions, as clang does: each
 * comparison has the column of its branch. */
static bool has_statement_columns(const struct ptx_kernel *k)
{
	for (int i = 0; i < k->n_instrs; i++) {
		int made = is_condition(k, i) ? guard_made_at(k, i) : -1;
		const struct ptx_loc *branch = made >= 0 ? outermost_loc(k, i) : NULL;
		const struct ptx_loc *condition = made >= 0 ? outermost_loc(k, made) : NULL;
		if (branch && condition && branch->file == condition->file && branch->line == condition->line &&
			branch->column != condition->column)
			return false;
	}
	return true;
}

/* Whether a statement begins `less` columns to the left of `at`. */
static bool begins_left_of(const struct ptx_kernel *k, const struct ptx_loc *at, size_t less)
{
	for (int i = 0; i < k->n_instrs; i++) {
		const struct ptx_loc *loc = outermost_loc(k, i);
		if (loc && loc->file == at->file && loc->column == at->column - (int)less)
			return true;
	}
	return false;
}

static bool is_same_file_after(const struct ptx_loc *loc, const struct ptx_loc *at)
{
	return loc && loc->file == at->file && loc->line > at->line;
}

/* Whether block `b` decides on something, or has lanes wait, that belongs to a statement which begins after `at` and
 * no further to the right than `column`. */
static bool goes_on_behind(const struct ptx_kernel *k, const struct ptx_block *b, const struct ptx_loc *at, int column)
{
	for (int i = b->first; i <= b->last; i++) {
		enum ptx_kind kind = instr_kind(k->instrs[i].form);
		const struct ptx_loc *loc = outermost_loc(k, i);
		bool branches = is_condition(k, i);
		if (!is_same_file_after(loc, at) ||
			!(branches || kind == PTX_KIND_BARRIER || kind == PTX_KIND_WARP_BARRIER ||
				kind == PTX_KIND_VOTE || kind == PTX_KIND_EXCHANGE))
			continue;
		int begins = loc->column;
		if (branches && begins_left_of(k, loc, strlen("} while (")))
			begins -= (int)strlen("} while (");
		if (begins <= column)
			return true;
	}
	return false;
}

/* The same of what follows `at` before the two ways of branch `from` meet: only one of them comes there. */
static bool one_way_goes_on(const struct ptx_kernel *k, int from, int at, const struct ptx_loc *inside, int column)
{
	const struct ptx_block *branch = k->blocks, *first = k->blocks;
	while (branch->last < from)
		branch++;
	while (first->last < at)
		first++;
	if (branch->ipdom < 0)
		return false;
	bool *seen = base_calloc((size_t)k->n_blocks, sizeof *seen), found = false;
	int *list = base_calloc((size_t)k->n_blocks, sizeof *list), n = 0;
	list[n++] = (int)(first - k->blocks);
	seen[list[0]] = seen[branch->ipdom] = true;
	for (int i = 0; i < n && !found; i++) {
		const struct ptx_block *b = &k->blocks[list[i]];
		found = goes_on_behind(k, b, inside, column);
		for (int s = 0; s < b->n_succ; s++) {
			if (!seen[b->succ[s]])
				list[n++] = b->succ[s];
			seen[b->succ[s]] = true;
		}
	}
	free(seen);
	free(list);
	return found;
}

bool ptx_may_enclose(const struct ptx_kernel *k, int from, int at)
{
	if (from >= k->n_instrs || at >= k->n_instrs)
		return true;
	const struct ptx_loc *branch = outermost_loc(k, from), *inside = outermost_loc(k, at);
	if (!branch || !inside || branch->file != inside->file || branch->line == inside->line ||
		!has_statement_columns(k))
		return true;

	/* What comes after it decides on it in a loop alone: as the condition of a do loop, which is all that is named
	 * of that, and hardly as a statement of its body. */
	if (branch->line > inside->line)
		return begins_left_of(k, branch, strlen("} while (")) || begins_left_of(k, branch, strlen("while ("));

	/* An `if` that follows an `else` belongs to the first one of the chain. */
	int column = branch->column;
	if (begins_left_of(k, branch, strlen("} else ")))
		column -= (int)strlen("} else ");
	else if (begins_left_of(k, branch, strlen("else ")))
		column -= (int)strlen("else ");
	for (int i = 0; i < k->n_instrs; i++) {
		const struct ptx_loc *loc = outermost_loc(k, i);
		if (is_same_file_after(loc, branch) && loc->line <= inside->line && loc->column <= column)
			return false;
	}
	return !one_way_goes_on(k, from, at, inside, column);
}

const char *ptx_location_text(const struct ptx_location *location, char out[PTX_LOCATION_TEXT])
{
	snprintf(out, PTX_LOCATION_TEXT, "%sline %d", location->line ? "" : "PTX ",
		location->line ? location->line : location->ptx_line);
	return out;
}

/* The own code of a location is in a file that no frame further in is in. */
static bool is_own(const struct ptx_location *location, const struct ptx_frame *f)
{
	return f->file == location->file;
}

/* The frames from the one that the location's own code called to where the code is written, outermost first. Sets `*n`,
 * at most PTX_CHAIN_MAX, of which those in the middle of a longer chain are missing, `*left_out` of them. */
static void find_chain(
	const struct ptx_location *location, const struct ptx_frame *frames[PTX_CHAIN_MAX], int *n, int *left_out)
{
	int depth = 0, at = 0;
	const struct ptx_frame *f;
	for (f = location->inlined; f && !is_own(location, f); f = f->caller)
		depth++;
	*n = depth < PTX_CHAIN_MAX ? depth : PTX_CHAIN_MAX;
	*left_out = depth - *n;
	for (f = location->inlined; f && !is_own(location, f); f = f->caller, at++)
		if (at < PTX_CHAIN_MAX / 2)
			frames[*n - 1 - at] = f;
		else if (at >= PTX_CHAIN_MAX / 2 + *left_out)
			frames[*n - 1 - at + *left_out] = f;
}

int ptx_location_chain(const struct ptx_location *location, int skip, struct buf *out)
{
	const struct ptx_frame *frames[PTX_CHAIN_MAX], *before = NULL;
	const struct ptx_frame own = {location->file, location->line, NULL};
	int n, left_out, written = 0;
	if (!location->inlined)
		return 0;
	find_chain(location, frames, &n, &left_out);
	for (int i = 0; i <= n; i++) {
		const struct ptx_frame *frame = i ? frames[i - 1] : &own;
		if (i < skip && i < n)
			continue;
		if (i)
			buf_puts(out, written ? " → " : "… → ");
		if (left_out && i == n - PTX_CHAIN_MAX / 2 + 1) {
			buf_printf(out, "(%d more) → ", left_out);
			before = NULL;
		}
		if (!before || before->file != frame->file)
			buf_puts(out, frame->file ? path_last(frame->file) : "?");
		buf_printf(out, ":%d", frame->line);
		before = frame;
		written++;
	}
	return written;
}
