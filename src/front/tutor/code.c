#include "front/tutor/code.h"

#include <stdlib.h>
#include <string.h>

#include "front/tutor/private.h"
#include "front/view/subjects.h"
#include "machine/ptx/program.h"
#include "model/profile/profile.h"

struct code_line {
	int ptx_line, instr;
};

static int compare_code_lines(const void *a, const void *b)
{
	const struct code_line *x = a, *y = b;
	return x->ptx_line != y->ptx_line ? (x->ptx_line > y->ptx_line) - (x->ptx_line < y->ptx_line)
					  : x->instr - y->instr;
}

/* The instruction as it is written, where it has a line of its own; else as it is printed. */
static const char *instr_text(
	struct arena *arena, const struct ptx_kernel *kernel, int index, const char *line, size_t len)
{
	const char *semicolon = memchr(line, ';', len);
	struct buf text = {0};
	while (len && (*line == ' ' || *line == '\t')) {
		line++;
		len--;
	}
	bool alone = semicolon && semicolon > line && !memchr(line, '{', 1) &&
		!memchr(line, ':', (size_t)(semicolon - line)) &&
		!memchr(semicolon + 1, ';', len - (size_t)(semicolon + 1 - line));
	for (const char *p = line; alone && p < semicolon; p++)
		if (*p != ' ' && *p != '\t')
			buf_putc(&text, *p);
		else if (p[-1] != ' ' && p[-1] != '\t')
			buf_putc(&text, ' ');
	if (!alone)
		ptx_instr_print(kernel, index, &text);
	const char *copy = arena_strdup(arena, buf_str(&text));
	buf_free(&text);
	return copy;
}

/* The first PTX instruction of a line; -1: there is none. */
static int find_instr(const struct code_line *lines, int n, uint32_t ptx_line)
{
	int from = 0, to = n;
	while (from < to) {
		int middle = from + (to - from) / 2;
		if ((uint32_t)lines[middle].ptx_line < ptx_line)
			from = middle + 1;
		else
			to = middle;
	}
	return from < n && ptx_line && (uint32_t)lines[from].ptx_line == ptx_line ? lines[from].instr : -1;
}

static int compare_executed(const void *line, const void *at)
{
	return *(const int *)line - ((const struct experiment_executed *)at)->ptx_line;
}

static bool has_addresses(const struct tutor_code_request *r)
{
	return r->instrs && r->instrs->n && r->instrs_code && r->listing->code;
}

struct view_code tutor_code(struct arena *arena, const struct tutor_code_request *request)
{
	struct view_code code = {.listing = request->listing, .why = request->why, .made_by = request->made_by};
	if (!request->listing || !request->kernel)
		return code;
	int n = ptx_instr_count(request->kernel);

	struct view_code_instr *ptx = arena_array(arena, struct view_code_instr, (size_t)n + 1);
	const char *file = profile_file(request->kernel);

	/* Where each line of the module's text begins. */
	const struct ptx_module *module = ptx_kernel_module(request->kernel);
	const char *module_end = module->text + module->text_len;
	int n_lines = 1, most = 1;
	for (const char *p = module->text; p < module_end; p++)
		most += *p == '\n';
	const char **lines = arena_array(arena, const char *, (size_t)most + 2);
	lines[0] = module->text;
	for (const char *p = module->text; p < module_end; p++)
		if (*p == '\n')
			lines[n_lines++] = p + 1;
	lines[n_lines] = module_end + 1;

	for (int i = 0; i < n; i++) {
		struct ptx_location place = ptx_instr_location(request->kernel, i);
		bool known = place.ptx_line > 0 && place.ptx_line <= n_lines;
		const char *line = known ? lines[place.ptx_line - 1] : "";
		size_t len = known ? (size_t)(lines[place.ptx_line] - 1 - line) : 0;
		bool own = place.line && place.file && file && strcmp(place.file, file) == 0;
		ptx[i] = (struct view_code_instr){.line = own ? place.line : 0,
			.ptx = i,
			.text = instr_text(arena, request->kernel, i, line, len),
			.executed = request->executed && i < request->n_executed
				? value_ok((double)request->executed[i])
				: value_missing(VALUE_NONE)};
	}

	code.ptx = ptx;
	code.n_ptx = n;

	const struct code_listing *listing = request->listing;
	struct code_line *by_ptx_line = arena_array(arena, struct code_line, (size_t)n + 1);
	struct view_code_instr *sass = arena_array(arena, struct view_code_instr, (size_t)listing->n + 1);
	for (int i = 0; i < n; i++)
		by_ptx_line[i] = (struct code_line){ptx_instr_location(request->kernel, i).ptx_line, i};
	qsort(by_ptx_line, (size_t)n, sizeof *by_ptx_line, compare_code_lines);
	int64_t moved = listing->first_line && n
		? ptx_instr_location(request->kernel, 0).ptx_line - (int64_t)listing->first_line
		: 0;
	for (int i = 0; i < listing->n; i++) {
		int64_t line = listing->instrs[i].ptx_line ? listing->instrs[i].ptx_line + moved : 0;
		int from = line > 0 && line <= INT32_MAX ? find_instr(by_ptx_line, n, (uint32_t)line) : -1;
		sass[i] = (struct view_code_instr){.line = from < 0 ? 0 : ptx[from].line,
			.ptx = from,
			.address = listing->instrs[i].address,
			.text = listing->instrs[i].text,
			.executed = value_missing(VALUE_NONE),
			.threads = value_missing(VALUE_NONE),
			.sectors = value_missing(VALUE_NONE),
			.wavefronts = value_missing(VALUE_NONE)};
	}

	/* Addresses say something only of the very code that was counted. */
	if (has_addresses(request) && strcmp(request->instrs_code, request->listing->code) == 0) {
		for (int i = 0; i < request->listing->n; i++) {
			const struct line_counts *counts = line_table_find(request->instrs, (int)sass[i].address);
			if (!counts)
				continue;
			sass[i].executed = counts->c[LINE_COUNT_INSTRUCTIONS];
			sass[i].threads = line_counts_lanes(counts);
			sass[i].sectors = line_counts_sectors(counts);
			sass[i].wavefronts = line_counts_wavefronts(counts);
		}

		code.counted_by = request->counted_by;
		code.each = true;
	} else if (request->n_counted) {
		/* Beside the first machine instruction of each PTX instruction: what all of them together were
		 * executed. */
		for (int i = 0; i < request->listing->n; i++) {
			int line = (int)request->listing->instrs[i].ptx_line, k = 0;
			while (k < i && sass[k].ptx != sass[i].ptx)
				k++;
			const struct experiment_executed *one = k == i && sass[i].ptx >= 0
				? bsearch(&line, request->counted, (size_t)request->n_counted, sizeof *one,
					  compare_executed)
				: NULL;
			if (one)
				sass[i].executed = value_ok(one->n);
		}

		code.counted_by = request->counted_by;
		code.is_other = has_addresses(request);
	}
	code.sass = sass;
	code.n_sass = request->listing->n;
	return code;
}

void tutor_input_fill_code(struct tutor *tutor)
{
	struct tutor_private *p = tutor->private;
	struct experiment *e = p->shown;
	struct diag unheard = {0};
	if (!e || !view_is_of(tutor->shown.view, VIEW_OF_CODE) || p->full->code.listing)
		return;
	const struct experiment_run *run = experiment_run(e);
	const struct experiment_code *code = experiment_code(e);
	const struct experiment_recording *recorded = experiment_recording(e);
	const struct ptx_kernel *kernel = e->launch && e->kernel->module
		? profile_find_kernel(e->kernel->module, e->launch, &unheard)
		: NULL;
	diag_free(&unheard);
	p->full->code = tutor_code(p->input,
		&(struct tutor_code_request){kernel, run->executed, run->n_executed, code->listing, code->why,
			code->witness, recorded->executed, recorded->n_executed, &recorded->instrs,
			recorded->instrs_code, WITNESS_RECORDED});
}

void tutor_set_assembler(struct tutor *tutor, const struct experiment_assembler *assembler)
{
	tutor->private->rules.assembler = *assembler;
}
