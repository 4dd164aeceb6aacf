#include "config.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/paths.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cmd/access.h"
#include "cmd/json.h"
#include "cmd/picture.h"
#include "cmd/run.h"
#include "front/tutor/code.h"
#include "front/view/numbers.h"
#include "front/view/source.h"
#include "front/view/views.h"
#include "model/hardware/metrics.h"
#include "model/profile/profile.h"
#include "tools/compile/ptxas.h"

/* --- source lines ------------------------------------------------------------------------------------------------- */

#define CANVAS_ROWS 1000 /* the most a canvas has; longer tables take several */
#define TEXT_MIN 20      /* columns of source text below which the table is drawn wider than the terminal */

static struct value executed(const struct line_counts *counts)
{
	return counts->c[LINE_COUNT_INSTRUCTIONS];
}

static void format_count(double v, struct buf *out)
{
	buf_printf(out, "%.0f", v);
}

/* Whether the GPU's count is shown beside a column, and compared: how many instructions a line has is up to the
 * compiler, so those are not. */
enum live_column { LIVE_NONE, LIVE_SHOWN, LIVE_COMPARED };

static const struct run_column {
	const char *title;
	struct value (*value)(const struct line_counts *counts);
	void (*format)(double v, struct buf *out);
	enum live_column live;
} columns[] = {
	{"executed", executed, format_count, LIVE_SHOWN},
	{"lanes", line_counts_lanes, value_format, LIVE_NONE},
	{"requests", line_counts_requests, format_count, LIVE_COMPARED},
	{"sect/req", line_counts_sectors, value_format, LIVE_COMPARED},
	{"wave/req", line_counts_wavefronts, value_format, LIVE_COMPARED},
	{"conflicts", line_counts_conflicts, format_count, LIVE_NONE},
	{"branches", line_counts_branches, value_format, LIVE_NONE},
	{"divergent", line_counts_divergent, value_format, LIVE_COMPARED},
};
#define N_COLUMNS ((int)(sizeof columns / sizeof *columns))

/* The counts of one line by the machine and by the GPU; NULL: not counted there. */
struct run_line {
	struct line_counts model;
	const struct line_counts *live;
};

/* A row: counts, and what stands beside them. */
struct run_row {
	const struct profile_line *counts;
	const char *text;
	size_t len;
	const struct ptx_location *chain; /* shown for the text; NULL: the text is */
	bool numbered;                    /* a line of the main file, with its number */
};

struct run_table {
	const struct run *run;
	struct run_row *rows;
	int n_rows;
	int widths[N_COLUMNS]; /* with the blank before; 0: empty, left out */
	int live[N_COLUMNS];   /* the same, of the GPU's counts */
	int gutter, cols;
};

/* The GPU counts by caller alone. */
static struct run_line run_line_of(const struct run *run, const struct profile_line *line)
{
	bool live = run->inlined == RUN_INLINED_CALLER;
	return (struct run_line){
		profile_line_counts(line), live ? line_table_find(&run->measured.lines, line->line) : NULL};
}

static void model_text(const struct run_column *column, const struct run_line *line, struct buf *out)
{
	struct value value = column->value(&line->model);
	if (value.state == VALUE_OK)
		column->format(value.v, out);
}

/* "= 2", or "≠ 2" where it differs. */
static void live_text(const struct run_column *column, const struct run_line *line, struct buf *out)
{
	if (column->live == LIVE_NONE || !line->live)
		return;
	struct value live = column->value(line->live);
	if (live.state != VALUE_OK)
		return;
	struct buf model = {0}, text = {0};
	model_text(column, line, &model);
	column->format(live.v, &text);
	bool same = !strcmp(buf_str(&model), buf_str(&text));
	buf_printf(out, "%s%s", column->live == LIVE_SHOWN ? "" : same ? "= " : "≠ ", buf_str(&text));
	buf_free(&model);
	buf_free(&text);
}

static int widest_cell(const struct run_table *t, const struct run_column *column,
	void (*text_of)(const struct run_column *column, const struct run_line *line, struct buf *out),
	const char *title)
{
	int most = 0;
	for (int i = 0; i < t->n_rows; i++) {
		struct run_line line = run_line_of(t->run, t->rows[i].counts);
		struct buf text = {0};
		text_of(column, &line, &text);
		int cols = utf8_columns(buf_str(&text));
		most = cols > most ? cols : most;
		buf_free(&text);
	}
	int least = (int)strlen(title);
	return !most ? 0 : (most > least ? most : least) + 1;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

static void add_row(struct run_table *t, const struct profile_line *counts, bool numbered)
{
	struct run_row *row = &t->rows[t->n_rows++];
	*row = (struct run_row){.counts = counts, .numbered = numbered};
	if (numbered)
		row->text = run_line_text(t->run, counts->line, &row->len);
}

static void make_rows(struct run_table *t)
{
	const struct profile *p = t->run->profile;
	bool chains = t->run->inlined == RUN_INLINED_CHAIN, callees = t->run->inlined == RUN_INLINED_CALLEE;
	int n = chains ? p->n_parts : callees ? p->n_written : p->n_lines;
	t->rows = arena_array(t->run->ctx->arena, struct run_row, (size_t)n + 1);
	for (int i = 0; i < n; i++)
		if (chains || callees) {
			/* With the way from the line to the code, or the file that is not the main one. */
			const struct profile_part *part = &(chains ? p->parts : p->written)[i];
			const struct run *run = t->run;
			bool main = run->profile->file && strcmp(run->profile->file, part->place.file) == 0;
			add_row(t, &part->counts, main);
			struct run_row *row = &t->rows[t->n_rows - 1];
			if (part->place.inlined) {
				row->chain = &part->place;
			} else if (!main) {
				row->text = arena_printf(
					run->ctx->arena, "%s:%d", path_last(part->place.file), part->place.line);
				row->len = strlen(row->text);
			}
		} else {
			add_row(t, &p->lines[i], true);
		}
}

static void expand_tabs(const char *text, size_t len, struct buf *out)
{
	int col = 0;
	for (size_t i = 0, n; i < len; i += n) {
		uint32_t ch;
		n = utf8_decode(text + i, len - i, &ch);
		int cols = ch == '\t' ? 4 - col % 4 : utf8_width(ch);
		if (ch == '\t')
			buf_pad(out, ' ', cols);
		else
			buf_append(out, text + i, n);
		col += cols;
	}
}

static void draw_right(struct canvas *canvas, int row, int end, enum role role, const struct buf *text)
{
	canvas_text(canvas, row, end - utf8_columns(buf_str(text)), role, buf_str(text));
}

/* "4 loads from global memory, 4 stores to shared memory"; nothing where all are of one kind. */
static void write_kinds(const struct profile_line *line, struct buf *out)
{
	static const char *const kinds[] = {
		[PROFILE_LOADS] = "load", [PROFILE_STORES] = "store", [PROFILE_ATOMICS] = "atomic"};
	static const char *const words[] = {
		[PROFILE_LOADS] = "from", [PROFILE_STORES] = "to", [PROFILE_ATOMICS] = "on"};
	static const char *const spaces[] = {[PROFILE_GLOBAL] = "global", [PROFILE_SHARED] = "shared"};
	int n = 0;
	for (int i = 0; i < PROFILE_SPACES * PROFILE_KINDS; i++) {
		int space = i / PROFILE_KINDS, kind = i % PROFILE_KINDS;
		uint64_t requests = line->kinds[space][kind];
		if (requests)
			buf_printf(out, "%s%llu %s%s %s %s memory", n++ ? ", " : "", (unsigned long long)requests,
				kinds[kind], requests == 1 ? "" : "s", words[kind], spaces[space]);
	}
	if (n < 2)
		buf_clear(out);
}

/* The source lines with their counts. Part of the text. */
static void run_write_lines(const struct run *run, const struct picture_page *page)
{
	/* Empty columns take no room. */
	struct run_table t = {.run = run, .gutter = 5};
	make_rows(&t);
	int used = t.gutter + 2;
	for (int c = 0; c < N_COLUMNS; c++) {
		t.widths[c] = widest_cell(&t, &columns[c], model_text, columns[c].title);
		t.live[c] = widest_cell(&t, &columns[c], live_text, "live");
		used += t.widths[c] + t.live[c];
	}
	t.cols = page->cols > used + TEXT_MIN ? page->cols : used + TEXT_MIN;

	for (int i = 0; i < t.n_rows;) {
		int left = t.n_rows - i + (i == 0), rows = left < CANVAS_ROWS ? left : CANVAS_ROWS;
		struct canvas *canvas = canvas_new(rows, t.cols);
		if (i == 0) {
			int at = t.gutter;
			canvas_text(canvas, 0, t.gutter - 4, ROLE_DIM, "line");
			for (int c = 0; c < N_COLUMNS; c++) {
				at += t.widths[c];
				if (t.widths[c])
					canvas_text(canvas, 0, at - (int)strlen(columns[c].title), ROLE_DIM,
						columns[c].title);
				at += t.live[c];
				if (t.live[c])
					canvas_text(canvas, 0, at - 4, ROLE_LIVE, "live");
			}
			canvas_text_fit(
				canvas, (struct rect){0, at + 2, 1, t.cols - at - 2}, ROLE_DIM, t.run->source_name);
		}
		for (int row = i == 0; row < rows; row++, i++) {
			const struct run_row *of = &t.rows[i];
			bool watched = of->numbered && of->counts->line == t.run->watch.line;
			enum role role = watched ? ROLE_WATCHED : of->counts->executions ? ROLE_TEXT : ROLE_DIM;
			struct run_line line = run_line_of(t.run, of->counts);
			struct buf code = {0};
			if (of->numbered)
				canvas_textf(canvas, row, 0, role, "%*d", t.gutter, of->counts->line);

			/* Returns the column after the numbers. */
			int at = t.gutter;
			for (int c = 0; c < N_COLUMNS; c++) {
				struct buf model = {0}, live = {0};
				model_text(&columns[c], &line, &model);
				live_text(&columns[c], &line, &live);
				at += t.widths[c];
				draw_right(canvas, row, at, ROLE_MODEL, &model);
				at += t.live[c];
				draw_right(canvas, row, at, strstr(buf_str(&live), "≠") ? ROLE_BAD : ROLE_LIVE, &live);
				buf_free(&model);
				buf_free(&live);
			}

			if (of->chain) {
				/* One that does not fit loses its beginning: where the code is written matters most. */
				for (int skip = 1, more = 2; more > 1; skip++) {
					struct buf text = {0};
					more = ptx_location_chain(of->chain, skip, &text);
					const char *shown = buf_str(&text) +
						(skip == 1 ? strlen("… ") : 0); /* the line itself is beside it */
					bool fits = utf8_columns(shown) <= t.cols - at - 2;
					if (fits || more <= 1)
						buf_puts(&code, shown);
					buf_free(&text);
					if (fits)
						break;
				}
			} else {
				expand_tabs(of->text ? of->text : "", of->len, &code);
			}
			canvas_text_fit(canvas, (struct rect){row, at + 2, 1, t.cols - at - 2}, role, buf_str(&code));
			buf_free(&code);
		}
		picture_write(page->ctx, canvas, page->format, "", page->out);
		canvas_free(canvas);
	}

	/* The requests of lines that make several kinds of them. */
	for (int i = 0; i < t.n_rows; i++) {
		const struct profile_line *line = t.rows[i].counts;
		const struct line_counts counts = profile_line_counts(line);
		struct buf text = {0};
		if (t.rows[i].numbered && !t.rows[i].chain && line_counts_requests(&counts).state == VALUE_OK)
			write_kinds(line, &text);
		if (text.len)
			picture_printf(page, "requests of line %d: %s\n", line->line, buf_str(&text));
		buf_free(&text);
	}

	/* The instructions that are not in the table, and those that it could show elsewhere. */
	bool caller = run->inlined == RUN_INLINED_CALLER;
	uint64_t shown = 0;
	for (int i = 0; i < t.n_rows; i++)
		shown += t.rows[i].counts->executions;
	uint64_t executed = run->profile->elsewhere.executions;
	for (int i = 0; i < run->profile->n_lines; i++)
		executed += run->profile->lines[i].executions;
	uint64_t missing = executed - shown;
	const struct line_counts *live = caller ? line_table_find(&run->measured.lines, 0) : NULL;
	if (missing)
		picture_printf(page, "%llu more warp instructions belong to %s\n", (unsigned long long)missing,
			caller ? "other files, or to no line" : "no line");
	if (caller) {
		bool found = false;
		for (int i = 0; i < run->profile->n_parts; i++)
			found |= run->profile->parts[i].place.inlined && run->profile->parts[i].counts.executions;
		if (found)
			picture_printf(page,
				"code inlined from other files counts where it is called; --inlined chain or callee: where it is written\n");
	}
	if (live && live->c[LINE_COUNT_INSTRUCTIONS].state == VALUE_OK && live->c[LINE_COUNT_INSTRUCTIONS].v > 0)
		picture_printf(page, "on %s, %.0f belong to no line here\n", run->measured.gpu,
			live->c[LINE_COUNT_INSTRUCTIONS].v);

	buf_putc(page->out, '\n');
}

/* --- occupancy ---------------------------------------------------------------------------------------------------- */

/* The registers per thread, from the command line, the GPU that ran it, or ptxas. */
static void find_registers(struct run *run, struct run_occupancy *o)
{
	if (run->registers) {
		o->block.registers = run->registers;
		o->from = "--registers";
		return;
	}
	if (run->measured.registers && run->measured.cc == o->cc) {
		o->block.registers = (uint32_t)run->measured.registers;
		o->from = run->measured.gpu;
		return;
	}
	struct ptxas_usage usage = ptxas_usage(cmd_compile_ctx(run->ctx), &run->ptx, run->launch.kernel, o->cc);
	o->unknown = usage.why;
	if (usage.why)
		return;
	o->block.registers = (uint32_t)usage.registers;
	o->block.barriers = (uint32_t)usage.barriers;
	o->from = "ptxas";
	o->code = usage.code;
}

void run_find_registers(struct run *run)
{
	struct run_occupancy *o = &run->occupancy;
	o->cc = run->cc;
	if (occupancy(o->cc, &o->block).state != OCCUPANCY_UNKNOWN_CC)
		find_registers(run, o);
	run->watch.registers = o->block.registers;
	run->watch.barriers = o->block.barriers;
}

void run_occupy(struct run *run)
{
	struct run_occupancy *o = &run->occupancy;
	const uint32_t *block = run->launch.block;
	if (run->measured.cc) {
		/* The GPU may know them better. */
		*o = (struct run_occupancy){.cc = run->cc_given ? run->cc : run->measured.cc};
		if (occupancy(o->cc, &o->block).state != OCCUPANCY_UNKNOWN_CC)
			find_registers(run, o);
	}
	o->block.threads = (uint32_t)warp_dim_volume(block);
	o->block.shared = ptx_shared_bytes(ptx_find_kernel(run->module, run->launch.kernel, &run->ctx->diag)) +
		run->launch.shared;
	o->result = occupancy(o->cc, &o->block);
	o->free_registers = occupancy_free_registers(o->cc, &o->block);
	if (o->result.state == OCCUPANCY_OK)
		run->profile->counts.c[COUNTER_OCCUPANCY_LIMIT] = value_ok(o->result.percent);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static void run_write_occupancy(const struct run *run, struct buf *out)
{
	const struct run_occupancy *o = &run->occupancy;
	const struct occupancy *result = &o->result;
	if (result->state == OCCUPANCY_UNKNOWN_CC) {
		buf_printf(out, "occupancy: not known for CC %d.%d; for", o->cc / 10, o->cc % 10);
		for (int i = 0; occupancy_cc(i); i++)
			buf_printf(out, "%s %d.%d%s", i ? "," : "", occupancy_cc(i) / 10, occupancy_cc(i) % 10,
				occupancy_doubt(occupancy_cc(i)) ? "" : " (verified)");
		buf_puts(out, "\n\n");

		return;
	}
	buf_printf(out, "occupancy on CC %d.%d: ", o->cc / 10, o->cc % 10);
	if (result->state == OCCUPANCY_IMPOSSIBLE)
		buf_puts(out, "no block fits on an SM");
	else
		buf_printf(out, "%.4g %%, %u of %u warps: %u block%s on an SM", result->percent, result->warps,
			result->max_warps, result->blocks, result->blocks == 1 ? "" : "s");

	const char *between = "; limited by ";
	for (int r = 0; r < OCCUPANCY_N; r++) {
		if (!(result->limits >> r & 1))
			continue;
		buf_printf(out, "%s%s", between, occupancy_resource_name((enum occupancy_resource)r));
		between = ", ";
	}
	buf_puts(out, "\n");

	for (int r = 0; r < OCCUPANCY_N; r++) {
		enum occupancy_resource resource = (enum occupancy_resource)r;
		uint32_t by = o->result.by[resource];
		struct buf use = {0};

		/* What a block takes of the resource, in words; empty where that is not known. */
		switch (resource) {
		case OCCUPANCY_WARPS:
			buf_printf(&use, "%u thread%s, %u warp%s per block", o->block.threads,
				o->block.threads == 1 ? "" : "s", (uint32_t)warp_count(o->block.threads),
				o->block.threads > WARP_SIZE ? "s" : "");
			break;
		case OCCUPANCY_REGISTERS:
			if (o->from)
				buf_printf(&use, "%u per thread (%s)", o->block.registers, o->from);
			else
				buf_printf(&use, "not known: %s", o->unknown);
			break;
		case OCCUPANCY_SHARED: buf_printf(&use, "%u bytes per block", o->block.shared); break;
		case OCCUPANCY_BARRIERS:
			if (o->block.barriers)
				buf_printf(&use, "%u per block", o->block.barriers);
			break;
		case OCCUPANCY_BLOCKS:
		case OCCUPANCY_N: break;
		}

		if (use.len || by != OCCUPANCY_UNLIMITED)
			buf_printf(out, "    %-10s", occupancy_resource_name(resource));
		if (by != OCCUPANCY_UNLIMITED)
			buf_printf(out, " %3u block%s", by, by == 1 ? use.len ? " " : "" : "s");
		else if (use.len)
			buf_puts(out, "         - ");
		if (use.len)
			buf_printf(out, "  %s", buf_str(&use));
		if (use.len || by != OCCUPANCY_UNLIMITED)
			buf_puts(out, "\n");
		buf_free(&use);
	}
	if (occupancy_doubt(o->cc))
		buf_printf(out, _("    the limits of CC %d.%d: %s\n"), o->cc / 10, o->cc % 10, occupancy_doubt(o->cc));
	if (o->free_registers)
		buf_printf(out, "    more than %u registers per thread %s it\n", o->free_registers,
			o->from && o->block.registers > o->free_registers ? "lower" : "would lower");
	buf_puts(out, "\n");
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static json_t *number_or_null(uint32_t number)
{
	return number ? json_integer(number) : json_null();
}

json_t *run_occupancy_json(const struct run *run)
{
	const struct run_occupancy *o = &run->occupancy;
	static const char *const states[] = {[OCCUPANCY_OK] = "ok",
		[OCCUPANCY_IMPOSSIBLE] = "impossible",
		[OCCUPANCY_UNKNOWN_CC] = "unknown compute capability"};
	const char *cc = arena_printf(run->ctx->arena, "%d.%d", o->cc / 10, o->cc % 10);
	json_t *json = json_pack("{s:s, s:s, s:I, s:I, s:o, s:o, s:o}", "state", states[o->result.state], "cc", cc,
		"threads", (json_int_t)o->block.threads, "shared", (json_int_t)o->block.shared, "registers",
		number_or_null(o->block.registers), "registers_from", cmd_json_text(o->from), "registers_unknown",
		cmd_json_text(o->unknown));
	if (o->result.state == OCCUPANCY_UNKNOWN_CC)
		return json;
	json_object_set_new(json, "verified", json_boolean(!occupancy_doubt(o->cc)));
	json_object_set_new(json, "free_registers", number_or_null(o->free_registers));
	json_object_set_new(json, "blocks", json_integer(o->result.blocks));
	json_object_set_new(json, "warps", json_integer(o->result.warps));
	json_object_set_new(json, "max_warps", json_integer(o->result.max_warps));
	json_object_set_new(json, "percent", json_real(o->result.percent));
	json_t *limits = json_array();
	for (int r = 0; r < OCCUPANCY_N; r++)
		if (o->result.limits >> r & 1)
			json_array_append_new(limits, json_string(occupancy_resource_name((enum occupancy_resource)r)));
	json_object_set_new(json, "limited_by", limits);
	json_t *admitted = json_object();
	for (int r = 0; r < OCCUPANCY_N; r++)
		json_object_set_new(admitted, occupancy_resource_name((enum occupancy_resource)r),
			o->result.by[r] == OCCUPANCY_UNLIMITED ? json_null() : json_integer(o->result.by[r]));
	json_object_set_new(json, "admitted", admitted);
	return json;
}

/* --- machine code ------------------------------------------------------------------------------------------------- */

/* run --view sass: the machine code of the launch's kernel. */

#define CODE_ROWS 400 /* all of a kernel of a usual size */

void run_make_code(struct run *run)
{
	struct arena *arena = run->ctx->arena;
	const char *why = NULL;
	const struct ptx_kernel *kernel = ptx_find_kernel(run->module, run->launch.kernel, &run->ctx->diag);
	const char *name = ptx_resolve_kernel(run->module, run->launch.kernel, &run->ctx->diag);
	const struct code_listing *listing = name ? ptxas_listing(cmd_compile_ctx(run->ctx), &run->ptx, name,
							    run->occupancy.cc ? run->occupancy.cc : run->cc, &why)
						  : NULL;
	run->code = tutor_code(arena,
		&(struct tutor_code_request){.kernel = kernel,
			.executed = run->profile->executed,
			.n_executed = run->profile->n_instrs,
			.listing = listing,
			.why = why ? arena_printf(arena, "There is no machine code: %s.", why) : NULL,
			.made_by = WITNESS_LIVE,
			.counted = run->measured.executed,
			.n_counted = run->measured.n_executed,
			.instrs = &run->measured.instrs,
			.instrs_code = run->measured.instrs_code,
			.counted_by = WITNESS_LIVE});
}

static json_t *code_instr_json(const struct view_code_instr *instr)
{
	json_t *json = json_pack("{s:o}", "text", cmd_json_text(instr->text));
	json_object_set_new(json, "line", instr->line ? json_integer(instr->line) : json_null());
	return json;
}

/* What the GPU counted of a machine instruction, and what one execution of it was. */
static void set_counts(json_t *json, const struct view_code_instr *instr)
{
	const struct {
		const char *name;
		struct value value;
	} counts[] = {{"executed", instr->executed}, {"threads", instr->threads}, {"sectors", instr->sectors},
		{"wavefronts", instr->wavefronts}};
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		if (counts[i].value.state == VALUE_OK)
			json_object_set_new(json, counts[i].name,
				counts[i].value.v == (double)(json_int_t)counts[i].value.v
					? json_integer((json_int_t)counts[i].value.v)
					: json_real(counts[i].value.v));
}

json_t *run_code_json(const struct run *run)
{
	const struct view_code *code = &run->code;
	const struct code_listing *l = code->listing;
	json_t *ptx = json_array(), *sass = json_array();
	for (int i = 0; i < code->n_ptx; i++) {
		json_t *instr = code_instr_json(&code->ptx[i]);
		if (code->ptx[i].executed.state == VALUE_OK)
			json_object_set_new(instr, "executed", json_integer((json_int_t)code->ptx[i].executed.v));
		json_array_append_new(ptx, instr);
	}
	for (int i = 0; i < code->n_sass; i++) {
		json_t *instr = code_instr_json(&code->sass[i]);
		json_object_set_new(instr, "address", json_integer(code->sass[i].address));
		json_object_set_new(
			instr, "ptx", code->sass[i].ptx < 0 ? json_null() : json_integer(code->sass[i].ptx));
		if (code->each)
			set_counts(instr, &code->sass[i]);
		json_array_append_new(sass, instr);
	}
	json_t *json = json_pack("{s:o, s:o}", "ptx", ptx, "sass", sass);
	if (!l) {
		json_object_set_new(json, "missing", cmd_json_text(code->why ? code->why : ""));
		return json;
	}
	json_object_set_new(json, "target", json_string(l->target));
	json_object_set_new(json, "compiler", json_string(l->compiler));
	json_object_set_new(json, "registers", json_integer(l->registers));
	json_object_set_new(json, "stack", json_integer(l->stack));
	json_object_set_new(json, "spill_stores", json_integer(l->spill_stores));
	json_object_set_new(json, "spill_loads", json_integer(l->spill_loads));
	return json;
}

/* --- defects ------------------------------------------------------------------------------------------------------ */

/* The source line of a place, with its text where it is available. */
static struct diag_pos line_pos(const struct run *run, const struct ptx_location *place)
{
	struct diag_pos pos = {.file = place->line ? place->file : NULL, .line = place->line};
	if (place->file && run->source_name && strcmp(place->file, run->source_name) == 0) {
		pos.text = run->source.text;
		pos.text_len = run->source.len;
	}
	return pos;
}

/* The PTX line, with block, warp and lanes. */
static void note_side(struct run *run, const struct simt_side *side, const struct buf *who)
{
	struct diag_pos ptx = {
		.file = run->ptx_name, .line = side->place.ptx_line, .text = run->ptx.data, .text_len = run->ptx.len};
	if (side->place.ptx_line)
		diag_note(&run->ctx->diag, ptx, "%s", buf_str(who));
}

/* How the line came to code of another file. */
static void note_chain(struct run *run, const struct ptx_location *place)
{
	struct buf chain = {0};
	if (ptx_location_chain(place, 0, &chain))
		diag_note(&run->ctx->diag,
			(struct diag_pos){.file = place->inlined->file, .line = place->inlined->line},
			"inlined code: %s", buf_str(&chain));
	buf_free(&chain);
}

void run_report_defects(struct run *run)
{
	const struct simt_result *r = &run->profile->result;
	for (uint32_t i = 0; i < run->profile->report.n; i++) {
		const struct simt_defect *d = &run->profile->report.defects[i];
		struct buf sentence = {0}, who = {0};
		buf_puts(&sentence, run_step_name(run));
		profile_defect_sentence(d, &sentence);
		diag_error(&run->ctx->diag, line_pos(run, &d->here.place), "%s", buf_str(&sentence));
		profile_defect_who(d, &who);
		note_side(run, &d->here, &who);
		note_chain(run, &d->here.place);
		buf_clear(&sentence);
		buf_clear(&who);
		if (d->other.instr >= 0) {
			profile_other_side(&d->other, &sentence);
			if (d->other.place.line)
				diag_note(&run->ctx->diag, line_pos(run, &d->other.place), "%s", buf_str(&sentence));
			profile_side_who(&d->other, &who);
			note_side(run, &d->other, &who);
			note_chain(run, &d->other.place);
		}
		buf_free(&sentence);
		buf_free(&who);
	}
	if (r->outcome == SIMT_DEFECT)
		return;
	struct simt_side where = {.place = r->place, .block = r->block, .warp = r->warp, .lanes = r->lanes};
	struct diag_pos pos = line_pos(run, &r->place);
	if (!pos.file)
		pos.file = run->ptx_name; /* of the launch as a whole */
	struct buf who = {0};
	diag_error(&run->ctx->diag, pos, "%s%s", run_step_name(run), r->message);
	profile_side_who(&where, &who);
	note_side(run, &where, &who);

	/* Where the warps were that had begun, and which blocks had not. */
	const struct simt_standing *s = &r->standing;
	if (s->resident) {
		struct buf text = {0};
		simt_standing_sentence(s, &text);
		diag_note(&run->ctx->diag, (struct diag_pos){.file = run->ptx_name}, "%s", buf_str(&text));
		for (uint32_t i = 0; i < s->n; i++) {
			struct diag_pos ptx = {.file = run->ptx_name, .line = s->at[i].place.ptx_line};
			buf_clear(&text);
			simt_stand_sentence(&s->at[i], SIMT_STOOD, &text);
			diag_note(&run->ctx->diag, s->at[i].place.line ? line_pos(run, &s->at[i].place) : ptx, "%s",
				buf_str(&text));
		}
		if (s->left_out)
			diag_note(&run->ctx->diag, (struct diag_pos){.file = run->ptx_name},
				"%u more were at other lines", s->left_out);
		buf_free(&text);
	}

	buf_free(&who);
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

#define COLS 120 /* where standard output is not a terminal */
#define PICTURE_ROWS 60

/* --- the totals and the picture ----------------------------------------------------------------------------------- */

/* The metrics of what the kernel does, without those that are all zero. */
void run_write_totals(const struct run *run, const struct picture_page *page)
{
	struct view_number rows[METRICS];
	struct view_input input = view_input_none;
	int n = 0;
	for (int i = 0; i < METRICS; i++) {
		struct view_number row = {(enum metric_id)i, metric_value((enum metric_id)i, &run->profile->counts),
			metric_value((enum metric_id)i, &run->measured.counts), WITNESS_LIVE, NULL};
		if (!run_ended(run))
			row.predicted = value_missing(VALUE_FAILED);
		bool nothing = row.predicted.state != VALUE_OK ||
			(row.predicted.v <= 0 && !metric_is_rate((enum metric_id)i));
		if (!nothing || row.predicted.state == VALUE_NOT_MODELED ||
			(row.measured.state == VALUE_OK && row.measured.v > 0))
			rows[n++] = row;
	}
	const struct view_numbers numbers = {.rows = rows, .n_rows = n, .measured_on = run->measured.gpu};
	input.cc = run->cc;
	input.numbers = &numbers;
	if (n)
		picture_view(page, VIEW_NUMBERS, &input, n + 4);
}

/* The first load, store and atomic of each space, the first shuffle, and the matrix instruction; a line can make them
 * all. */
static void write_pictures(const struct run *run, const struct picture_page *page)
{
	static const view_id views[] = {[SPACE_SHARED] = VIEW_BANKS, [SPACE_GLOBAL] = VIEW_SECTORS};
	const struct profile_watch *w = &run->watch;
	const struct profile *p = run->profile;
	struct view_input of_tiles = view_input_none, of_shuffle = view_input_none, of_cluster = view_input_none,
			  of_access = view_input_none;
	bool drawn[SPACE_GLOBAL + 1][ACCESS_OPS_N] = {{false}};
	const char *place = arena_printf(run->ctx->arena, "line %d, block %u warp %u", w->line, w->block, w->warp);
	of_tiles.tiles = &p->tiles;
	of_shuffle.shuffle = &p->shuffled;
	of_cluster.cluster = &p->cluster;
	of_access.cc = run->cc;
	of_access.place = place;
	if (!p->n_watched && !p->has_shuffled && !p->tiles.n)
		picture_printf(page, "%s: no access to shared or global memory, and no shuffle\n\n", place);
	if (p->tiles.n) {
		picture_printf(page, "%s: the matrix instruction\n", place);
		picture_view(page, VIEW_FRAGMENTS, &of_tiles, PICTURE_ROWS);
	}
	if (p->has_shuffled) {
		picture_printf(page, "%s: the first shuffle\n", place);
		picture_view(page, VIEW_SHUFFLE, &of_shuffle, PICTURE_ROWS);
	}
	if (p->cluster.n > 1) {
		picture_printf(page, "the cluster of block %u\n", w->block);
		picture_view(page, VIEW_CLUSTER, &of_cluster, PICTURE_ROWS);
	}
	for (int i = 0; i < p->n_watched; i++) {
		const struct warp_access *access = &p->watched[i];
		struct buf text = {0};
		if (drawn[access->space][access->op])
			continue;
		drawn[access->space][access->op] = true;
		buf_printf(&text, "%s: the first ", place);
		cmd_access_title(access, NULL, &text);
		buf_puts(&text, "\n");
		picture_text(page, &text);
		of_access.access = access;
		picture_view(page, views[access->space], &of_access, PICTURE_ROWS);
	}
}

/* --- the buffers -------------------------------------------------------------------------------------------------- */

void run_write_differences(const struct run *run, struct buf *out)
{
	const struct run_live *live = &run->measured;
	if (live->memory.bytes) {
		/* The first byte of the memory that a GPU had at the addresses of the machine. */
		const struct snapshot_difference *d = &run->measured.memory;
		const struct launch_memory *m = &run->launch.memory[d->first];
		buf_printf(out,
			"memory after it differs in %llu byte%s of %zu buffer%s, first at 0x%llx, byte %llu of %zu",
			(unsigned long long)d->bytes, d->bytes == 1 ? "" : "s", d->buffers, d->buffers == 1 ? "" : "s",
			(unsigned long long)(m->address + d->at), (unsigned long long)d->at, m->bytes);
		run_write_place(run->launch.kept, m->address, out);
		buf_printf(out, ": the machine has 0x%02x, ", d->kept);
		escape_puts(run->measured.gpu, out);
		buf_printf(out, " 0x%02x\n", d->now);
	}
	if (!run_differs(run))
		escape_line(out, "every buffer is bit for bit that of %s", live->gpu);
	for (int i = 0; i < live->n_differences; i++) {
		const struct run_difference *d = &live->differences[i];
		enum launch_type type = run->args[d->argument].type;
		buf_printf(out, "argument %d differs in %zu of %zu elements, first in element %zu: the machine has ",
			d->argument, d->count, run->args[d->argument].count, d->index);
		launch_format(type, d->machine, d->index, out);
		buf_puts(out, ", ");
		escape_puts(live->gpu, out);
		buf_putc(out, ' ');
		launch_format(type, d->gpu, d->index, out);
		if (isfinite(d->largest) && d->largest >= 0)
			buf_printf(out, "; by at most %.2g", d->largest);
		buf_puts(out, "\n");
	}
}

static void write_outcome(const struct run *run, struct buf *out)
{
	static const char *const words[] = {
		[SIMT_OK] = "ok", [SIMT_DEFECT] = "defect", [SIMT_LIMIT] = "limit", [SIMT_ERROR] = "error"};
	const struct simt_result *r = &run->profile->result;
	if (run->n_steps > 1)
		buf_puts(out, run_step_name(run));
	else
		buf_printf(out, "%s: ", run->launch.kernel);
	buf_puts(out, r->interrupted ? "interrupted" : words[r->outcome]);
	if (run->profile->report.n > 1)
		buf_printf(out, ", one of %u:", run->profile->report.n);
	if (r->outcome != SIMT_OK) {
		buf_puts(out, run->profile->report.n > 1 ? " " : ", ");
		escape_puts(r->message, out);
	}
	buf_puts(out, "\n");
	if (r->outcome == SIMT_ERROR)
		return; /* the kernel did not run */
	buf_printf(out, text_plural("%llu warp instruction%s\n", "%llu warp instructions%s\n", (unsigned long)r->steps),
		(unsigned long long)r->steps, r->ended ? "" : _("; what follows ends where it stopped"));
	if (run->profile->orders > 1)
		buf_printf(out, "defects looked for in %u orders of blocks and warps, in %.1f ms more\n",
			run->profile->orders, run->profile->orders_ms);
	if (run->profile->has_textures)
		buf_puts(out, "requests to textures and surfaces are not modeled, and not counted\n");
	if (run->profile->has_filters)
		buf_printf(out,
			"linear filters are an estimate: in each dimension within 1/%d of how far the texels there are apart\n",
			1 << WARP_FILTER_BITS);
	buf_puts(out, "\n");
}

bool run_print_output(const struct run *run)
{
	const struct profile *p = run->profile;
	struct buf head = {0}, output = {0}, tail = {0};
	if (!p->output_len)
		return true;
	escape_line(&head, "%s prints:", run->launch.kernel);
	buf_append(&output, p->output, p->output_len);
	if (p->output[p->output_len - 1] != '\n')
		buf_puts(&tail, "\n");
	if (p->result.printed > p->output_len)
		buf_printf(&tail, "and %llu more bytes; the first %zu that a launch prints are kept\n",
			(unsigned long long)(p->result.printed - p->output_len), SIMT_PRINT_MAX);
	buf_puts(&tail, "\n");
	bool raw = run->raw || !isatty(STDOUT_FILENO);
	bool ok = cmd_print(run->ctx, &head) && (raw ? cmd_print_raw : cmd_print)(run->ctx, &output) &&
		cmd_print(run->ctx, &tail);
	buf_free(&head);
	buf_free(&output);
	buf_free(&tail);
	return ok;
}

void run_write_text(const struct run *run, struct buf *out)
{
	struct picture_page page = {run->ctx, COLS, picture_choose(run->ctx, run->format), out};
	struct buf text = {0};
	int rows;
	picture_size(&page.cols, &rows);
	write_outcome(run, &text);
	run_write_kept(run, &text);
	buf_puts(&text, run->launch.kept || run->plain_of ? "\n" : "");
	picture_text(&page, &text);
	if (run->profile->result.outcome == SIMT_ERROR)
		return;
	run_write_lines(run, &page);
	run_write_totals(run, &page);
	run_write_occupancy(run, &text);
	picture_text(&page, &text);
	if (run->times.estimate)
		picture_estimate(&page, run->times.estimate);
	if (run->picture)
		write_pictures(run, &page);
	if (run->views)
		run_write_times(run, &page);
	if (run->shows_code) {
		struct view_input input = view_input_none;
		const struct view_source source = run_view_source(run);
		input.cc = run->cc;
		input.source = &source;
		input.code = &run->code;
		picture_printf(&page, "%s of %s:\n", view_table[VIEW_SASS].title, run->launch.kernel);
		picture_view(&page, VIEW_SASS, &input, CODE_ROWS);
	}
	for (int i = 0; i < run->n_prints; i++) {
		const struct run_print *print = &run->prints[i];
		const struct profile_buffer *buffer = run_printed(run, print);
		size_t begun = 0;
		if (!buffer)
			continue;
		const struct launch_arg *arg = buffer->what;
		buf_printf(&text, "argument %d", print->argument);
		if (print->member >= 0)
			buf_printf(&text, ", member %d", print->member);
		buf_printf(&text, ", %s[%zu]:", launch_type_name(arg->type), arg->count);
		for (size_t j = 0; j < arg->count; j++) {
			struct buf element = {0};
			launch_format(arg->type, buffer->bytes, j, &element);
			if (j == 0 || text.len - begun + element.len + 1 > (size_t)page.cols) {
				buf_puts(&text, "\n");
				begun = text.len;
				buf_printf(&text, "%8zu:", j);
			}
			buf_printf(&text, " %s", buf_str(&element));
			buf_free(&element);
		}
		buf_puts(&text, "\n");
	}
	if (run->measured.gpu)
		run_write_differences(run, &text);
	picture_text(&page, &text);
}
