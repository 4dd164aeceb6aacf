/* Which sites there are, and the text with what is woven in. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/ptx/instr.h"
#include "model/probe/private.h"
#include "model/probe/probe.h"

/* Text that goes in at a byte of the module's, in the order of their making where it is the same. */
struct edit {
	size_t at;
	size_t skip; /* bytes of the module's text that it replaces */
	const char *text;
	size_t order;
};

struct writer {
	struct arena *arena;
	const struct ptx_module *module;
	struct probe *probe;
	struct probe_weaver weaver;
	struct probe_text_places places;
	struct edit *edits;
	size_t n_edits, cap_edits;
	size_t cap_sites;
	struct buf piece; /* being written */
	bool functions;   /* have sites */
};

/* Puts what is in the piece, if anything is, at a place of the text. */
static void insert(struct writer *w, size_t at)
{
	if (!w->piece.len)
		return;
	struct edit *edit = vec_push(w->edits, w->n_edits, w->cap_edits);
	*edit = (struct edit){at, 0, arena_strndup(w->arena, buf_str(&w->piece), w->piece.len), w->n_edits};
	buf_clear(&w->piece);
}

/* --- sites -------------------------------------------------------------------------------------------------------- */

static int add_site(struct writer *w, enum probe_event_kind kind, const struct ptx_kernel *k, int instr)
{
	struct probe *p = w->probe;
	int nearest = instr < 0 ? 0 : instr < k->n_instrs ? instr : k->n_instrs - 1;
	struct probe_site *site = vec_push(p->sites, p->n_sites, w->cap_sites);
	*site = (struct probe_site){.kind = kind, .code = k, .instr = instr};
	if (k->n_instrs)
		site->place = ptx_location_of(w->module, &k->instrs[nearest]);
	w->functions |= !k->entry;
	return p->n_sites;
}

/* Whether its line is watched; marks that there is such an instruction. */
static bool watches(const struct writer *w, const struct ptx_instr *instr)
{
	const struct probe_request *r = &w->probe->request;
	struct ptx_location place = ptx_location_of(w->module, instr);
	int line = r->file ? place.line : place.ptx_line;
	if (r->file && (!place.file || strcmp(place.file, r->file) != 0))
		return false;
	for (int i = 0; i < r->n_lines; i++)
		if (r->lines[i] == line)
			return w->probe->line_found[i] = true;
	return false;
}

/* --- stamps ------------------------------------------------------------------------------------------------------- */

static void stamp(
	struct writer *w, enum probe_event_kind kind, const struct ptx_kernel *k, int i, enum probe_weave_guard guard)
{
	probe_weave_stamp(
		&w->weaver, (struct probe_weave_place){add_site(w, kind, k, i), k, &k->instrs[i]}, guard, &w->piece);
}

/* Whether a warp that comes to instruction i comes to its line, rather than being on it already. */
static bool comes_to_line(const struct writer *w, const struct ptx_kernel *k, int i)
{
	if (!watches(w, &k->instrs[i]))
		return false;
	if (i == 0)
		return true;
	int low = 0, high = k->n_blocks;
	while (low < high) {
		int middle = (low + high) / 2;
		if (k->blocks[middle].first < i)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < k->n_blocks && k->blocks[low].first == i)
		return true;

	struct ptx_location here = ptx_location_of(w->module, &k->instrs[i]),
			    before = ptx_location_of(w->module, &k->instrs[i - 1]);
	return w->probe->request.file ? here.line != before.line || here.file != before.file
				      : here.ptx_line != before.ptx_line;
}

static bool goes_to_end(const struct ptx_kernel *k, const struct ptx_operand *o)
{
	if (o->kind == PTX_LABEL)
		return o->index == k->n_instrs;
	for (int i = 0; o->kind == PTX_VECTOR && i < (o->count ? o->count : o->index); i++)
		if (goes_to_end(k, &o->elements[i]))
			return true;
	return false;
}

/* Whether control can reach the closing brace. */
static bool reaches_end(const struct ptx_kernel *k)
{
	const struct ptx_instr *last = k->n_instrs ? &k->instrs[k->n_instrs - 1] : NULL;
	bool stops = last && last->guard < 0 && instr_ends_block(last->form);
	for (int i = 0; stops && i < k->n_instrs; i++)
		for (int j = 0; j < k->instrs[i].n; j++)
			if (goes_to_end(k, &k->instrs[i].operands[j]))
				return true;
	return !stops;
}

static void stamp_kernel(struct writer *w, const struct ptx_kernel *k, const struct probe_text_kernel *text)
{
	static const struct ptx_instr unguarded = {.guard = -1};
	if (k->entry) {
		struct probe_weave_place entry = {add_site(w, PROBE_ENTRY, k, -1), k, &unguarded};
		probe_weave_stamp(&w->weaver, entry, WEAVE_ALL, &w->piece);
		insert(w, text->body);
	}
	for (int i = 0; i < k->n_instrs; i++) {
		const struct probe_text_span *span = &text->instrs[i];
		const struct ptx_instr *instr = &k->instrs[i];
		unsigned omit = w->probe->request.omit;
		bool arrives = instr_is_barrier(instr->form) && !(omit & 1u << PROBE_ARRIVE);
		bool leaves = instr_kind(instr->form) == PTX_KIND_BARRIER && !(omit & 1u << PROBE_LEAVE);
		if (comes_to_line(w, k, i))
			stamp(w, PROBE_LINE, k, i, WEAVE_ALL);

		/* Whether a branch does nothing but end: it goes to where threads end at once. */
		bool branches_to_end = false;
		if (instr_kind(instr->form) == PTX_KIND_BRANCH && instr->operands[0].kind == PTX_LABEL) {
			int target = instr->operands[0].index;
			branches_to_end = target == k->n_instrs
				? k->entry
				: k->instrs[target].guard < 0 && instr_ends_thread(k, k->instrs[target].form);
		}
		if (branches_to_end) {
			/* It becomes an end of its own. Were the stamp at its target, lanes would reconverge there to
			 * write it, and lanes that wait for others to come are missed at a barrier that those wait at,
			 * where lanes that have ended are not. */
			stamp(w, PROBE_EXIT, k, i, WEAVE_GUARD);
			if (instr->guard >= 0)
				buf_printf(&w->piece, "@%s%s ", instr->guard_negated ? "!" : "",
					k->regs[instr->guard].name);
			buf_puts(&w->piece, "exit;");
			insert(w, span->begin);
			w->edits[w->n_edits - 1].skip = span->end - span->begin;
			continue;
		}
		if (instr_ends_thread(k, instr->form))
			stamp(w, PROBE_EXIT, k, i, WEAVE_GUARD);
		if (arrives)
			stamp(w, PROBE_ARRIVE, k, i, WEAVE_GUARD);
		if (leaves && instr->guard >= 0)
			probe_weave_keep_guard(&w->weaver, k, instr, &w->piece);
		insert(w, span->begin);
		if (leaves) {
			buf_puts(&w->piece, "\n\t");
			stamp(w, PROBE_LEAVE, k, i, WEAVE_KEPT);
			insert(w, span->end);
		}
	}
	if (k->entry && reaches_end(k)) {
		struct probe_weave_place end = {add_site(w, PROBE_EXIT, k, k->n_instrs), k, &unguarded};
		probe_weave_stamp(&w->weaver, end, WEAVE_ALL, &w->piece);
		insert(w, text->body_end);
	}
}

/* --- accesses ----------------------------------------------------------------------------------------------------- */

static void record_kernel(struct writer *w, const struct ptx_kernel *k, const struct probe_text_kernel *text)
{
	for (int i = 0; i < k->n_instrs; i++) {
		const struct ptx_instr *instr = &k->instrs[i];
		struct instr_access accesses[INSTR_ACCESSES_MAX];
		if (!watches(w, instr))
			continue;
		int n = instr_accesses(instr, accesses);
		for (int j = 0; j < n; j++) {
			const struct instr_access *access = &accesses[j];
			if (access->space == SPACE_PARAM)
				continue;
			int site = add_site(w, PROBE_ACCESS, k, i);
			struct probe_site *s = &w->probe->sites[site - 1];
			s->space = access->space;
			s->op = access->op;
			s->width = access->width;
			probe_weave_access(&w->weaver, (struct probe_weave_place){site, k, instr},
				&instr->operands[access->operand], access->lanes, &w->piece);
		}
		w->probe->left_out += !instr_is_known(instr->form) || (instr_accesses_memory(instr->form) && !n);
		insert(w, text->instrs[i].begin);
	}
}

/* --- the module --------------------------------------------------------------------------------------------------- */

#define VERSION_LEAST 6.2 /* of activemask */

static int compare_edits(const void *a, const void *b)
{
	const struct edit *x = a, *y = b;
	if (x->at != y->at)
		return (x->at > y->at) - (x->at < y->at);
	return (x->order > y->order) - (x->order < y->order);
}

struct probe *probe_write(struct arena *arena, const struct ptx_module *module, const struct probe_request *request,
	struct buf *ptx, struct diag *diag)
{
	struct probe *probe = arena_array(arena, struct probe, 1);
	struct writer w = {.arena = arena, .module = module, .probe = probe};
	probe->request = *request;
	probe->line_found = arena_array(arena, bool, (size_t)request->n_lines + 1);
	w.weaver = probe_weaver_for(module, &probe->request);

	uint64_t warps;
	if (!request->capacity || !request->n_blocks || !request->n_warps ||
		(request->what == PROBE_ACCESSES && !request->n_lines)) {
		diag_error(diag, (struct diag_pos){0},
			"a probe needs blocks, warps and records, and to record accesses a line");
		return NULL;
	}
	if (__builtin_mul_overflow(request->n_blocks, request->n_warps, &warps) ||
		__builtin_mul_overflow(warps, w.weaver.part_bytes, &probe->bytes) || probe->bytes > PROBE_BYTES_MAX) {
		diag_error(diag, (struct diag_pos){0},
			"%" PRIu64 " blocks of %u warps with %u records each need more than %" PRIu64
			" MiB; watch fewer, or keep fewer records",
			request->n_blocks, request->n_warps, request->capacity, PROBE_BYTES_MAX >> 20);
		return NULL;
	}

	if (!probe_text_find(arena, module, &w.places)) {
		diag_error(
			diag, (struct diag_pos){.file = module->name}, "its kernels were not found again in the text");
		return NULL;
	}

	int n = w.module->n_kernels;
	bool *has_sites = arena_array(w.arena, bool, (size_t)n);
	for (int i = 0; i < n; i++) {
		int before = w.probe->n_sites;
		(w.probe->request.what == PROBE_STAMPS ? stamp_kernel : record_kernel)(
			&w, w.module->kernels[i], &w.places.kernels[i]);
		has_sites[i] = w.probe->n_sites > before;
	}
	for (int i = 0; i < n; i++) {
		/* once it is known which bodies have sites; before everything else at the same place */
		const struct ptx_kernel *k = w.module->kernels[i];
		bool shares = k->entry && w.functions;
		if (k->entry) {
			const struct probe_text_kernel *text = &w.places.kernels[i];
			buf_puts(&w.piece, text->list == TEXT_NO_LIST ? "(" : text->list == TEXT_LIST ? ", " : "");
			probe_weave_param(&w.weaver, &w.piece);
			buf_puts(&w.piece, text->list == TEXT_NO_LIST ? ")" : "");
			insert(&w, text->params);
		}
		if (!has_sites[i] && !shares)
			continue;
		probe_weave_prologue(&w.weaver,
			shares             ? WEAVE_ENTRY_SHARES
				: k->entry ? WEAVE_ENTRY
					   : WEAVE_FUNCTION,
			&w.piece);
		insert(&w, w.places.kernels[i].body);
		w.edits[w.n_edits - 1].order = 0;
	}

	const struct probe_text_places *t = &w.places;
	char *number = arena_strndup(w.arena, w.module->text + t->version, t->version_end - t->version);
	if (strtod(number, NULL) < VERSION_LEAST) {
		buf_printf(&w.piece, "%.1f", VERSION_LEAST);
		insert(&w, t->version);
		w.edits[w.n_edits - 1].skip = t->version_end - t->version;
	}
	if (w.functions) {
		probe_weave_variable(&w.weaver, &w.piece);
		insert(&w, t->head_end);
	}

	size_t at = 0;
	if (w.n_edits)
		qsort(w.edits, w.n_edits, sizeof *w.edits, compare_edits);
	for (size_t i = 0; i < w.n_edits; i++) {
		const struct edit *e = &w.edits[i];
		buf_append(ptx, w.module->text + at, e->at - at);
		buf_puts(ptx, e->text);
		at = e->at + e->skip;
	}
	buf_append(ptx, w.module->text + at, w.module->text_len - at);

	/* the sites move to the arena */
	struct probe_site *sites = arena_array(arena, struct probe_site, (size_t)probe->n_sites);
	if (probe->n_sites)
		memcpy(sites, probe->sites, (size_t)probe->n_sites * sizeof *sites);
	free(probe->sites);
	probe->sites = sites;
	free(w.edits);
	buf_free(&w.piece);
	return probe;
}
