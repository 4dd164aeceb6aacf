/* Where instructions come from: .loc and .file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "ptx/instr.h"
#include "ptx/parse.h"

/* .loc FILE LINE COL [, function_name LABEL [+ N]] [, inlined_at FILE LINE COL]
 * Code inlined from another file counts as where it was inlined: that is the line a reader sees. */
bool ptx_parse_loc(struct ptx_parser *p)
{
	int64_t file, line, col, at[3];
	if (!ptx_parse_int(p, &file) || !ptx_parse_int(p, &line) || !ptx_parse_int(p, &col))
		return false;
	while (ptx_take(p, ',')) {
		if (ptx_at_name(p, "inlined_at")) {
			ptx_next(p);
			if (!ptx_parse_int(p, &at[0]) || !ptx_parse_int(p, &at[1]) || !ptx_parse_int(p, &at[2]))
				return false;
			if (at[0] != file) {
				file = at[0];
				line = at[1];
			}
			continue;
		}
		ptx_next(p); /* function_name */
		ptx_next(p); /* its label */
		if (ptx_take(p, '+'))
			ptx_next(p);
	}
	struct ptx_loc *loc = vec_push_in(p->arena, p->module->locs, p->module->n_locs, p->cap.locs);
	loc->file = file > 0 && file < INT32_MAX ? (int)file : 0;
	loc->line = line > 0 && line < INT32_MAX ? (int)line : 0;
	p->loc = p->module->n_locs - 1;
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

void ptx_sort_files(struct ptx_module *m)
{
	if (m->n_files)
		qsort(m->files, (size_t)m->n_files, sizeof *m->files, compare_files);
}

static int compare_file(const void *key, const void *element)
{
	int number = *(const int *)key, other = ((const struct ptx_file *)element)->number;
	return (number > other) - (number < other);
}

struct ptx_place ptx_place_of(const struct ptx_module *m, const struct ptx_instr *instr)
{
	struct ptx_place place = {.ptx_line = instr->line};
	if (instr->loc < 0 || !m->locs[instr->loc].line || !m->n_files)
		return place;
	const struct ptx_file *file = bsearch(
		&m->locs[instr->loc].file, m->files, (size_t)m->n_files, sizeof *m->files, compare_file);
	if (!file)
		return place;
	place.file = file->name;
	place.line = m->locs[instr->loc].line;
	return place;
}

struct ptx_place ptx_instr_place(const struct ptx_kernel *k, int index)
{
	const struct ptx_part *part = ptx_part_of(k, index);
	return ptx_place_of(k->module, &part->code->instrs[index - part->first]);
}

const char *ptx_place_text(const struct ptx_place *place, char out[PTX_PLACE_TEXT])
{
	snprintf(out, PTX_PLACE_TEXT, "%sline %d", place->line ? "" : "PTX ",
		place->line ? place->line : place->ptx_line);
	return out;
}
