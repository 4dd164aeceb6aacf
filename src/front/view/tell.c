/* A picture in sentences, for who cannot see it. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "front/view/light.h"
#include "front/view/program.h"
#include "front/view/roofline.h"
#include "front/view/sass.h"
#include "front/view/views.h"
#include "model/hardware/banks.h"
#include "model/hardware/sectors.h"

#define LINES_MOST 40

static void tell_lanes(struct buf *out, const char *before, uint32_t lanes)
{
	buf_puts(out, before);
	view_write_lanes(lanes, 6, out);
	buf_puts(out, ".\n");
}

static void tell_banks(const struct view_input *input, struct buf *out)
{
	struct bank_wavefront wavefronts[BANKS_WAVEFRONTS_MAX];
	int n = bank_wavefronts(input->access, input->cc, wavefronts, BANKS_WAVEFRONTS_MAX);
	buf_printf(out, "The request takes %d wavefront%s; the fewest it could take are %d.\n", n, view_plural(n),
		bank_ideal(input->access, input->cc));
	for (int w = 0; w < n; w++) {
		buf_printf(out, "Wavefront %d serves ", w + 1);
		tell_lanes(out, "", wavefronts[w].lanes);
	}
}

static void tell_sectors(const struct view_input *input, struct buf *out)
{
	struct sector_use uses[SECTORS_MAX];
	struct view_input each = *input;
	int n = sector_uses(input->access, uses);
	uint64_t first = n ? view_first_sector(input->access) : 0;
	buf_printf(out, "The request touches %d sector%s of 32 bytes.\n", n, view_plural(n));
	for (int i = 0; i < n; i++) {
		each.picked = (struct view_pick){THING_SECTOR, (int64_t)(uses[i].sector - first)};
		view_say(&each, out);
		buf_putc(out, '\n');
	}
}

static void tell_mask(const struct view_input *input, struct buf *out)
{
	static const char *const relations[] = {[MASK_SAME] = "",
		[MASK_DIVERGED] = "diverged: ",
		[MASK_OTHER] = "the other arm: ",
		[MASK_RECONVERGED] = "reconverged: "};
	static const char *const whats[] = {[MASK_LINE] = "",
		[MASK_ARRIVE] = " arrive at a barrier",
		[MASK_LEAVE] = " leave the barrier",
		[MASK_EXIT] = " exit"};
	const struct mask_timeline *mask = input->times.mask;
	for (size_t i = 0; i < mask->n && i < LINES_MOST; i++) {
		const struct mask_step *step = &mask->steps[i];
		buf_printf(out, "Line %d, %s", step->line, relations[step->relation]);
		view_write_lanes(step->lanes, 6, out);
		buf_printf(out, "%s", whats[step->what]);
		if (step->repeats > 1)
			buf_printf(out, ", %u times", step->repeats);
		buf_puts(out, ".\n");
	}
	if (mask->n > LINES_MOST)
		buf_printf(out, "And %zu more step%s.\n", mask->n - LINES_MOST, mask->n - LINES_MOST == 1 ? "" : "s");
}

static void tell_source(const struct view_input *input, struct buf *out)
{
	struct view_input each = *input;
	for (int i = 0; i < input->source.n_lines; i++) {
		const struct view_source_line *line = &input->source.lines[i];
		if (!line->executed)
			continue;
		each.picked = (struct view_pick){THING_LINE, line->line};
		view_say(&each, out);
		buf_puts(out, "\n  ");
		const char *text = line->text;
		while (*text == ' ' || *text == '\t')
			text++;
		buf_append(out, text, view_code_length(text));
		buf_putc(out, '\n');
	}
}

static void tell_warps(const struct view_input *input, struct buf *out)
{
	const struct schedule_timeline *t = input->times.schedule;
	struct view_input each = *input;
	for (int i = 0; i < t->n_rows && i < LINES_MOST; i++) {
		each.picked = (struct view_pick){THING_WARP, view_warp_index(t->rows[i].block, t->rows[i].warp)};
		view_say(&each, out);
		buf_putc(out, '\n');
	}
}

static void tell_every_lane(const struct view_input *input, struct buf *out)
{
	struct view_input each = *input;
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		each.picked = (struct view_pick){THING_LANE, lane};
		view_say(&each, out);
		buf_putc(out, '\n');
	}
}

/* Of a line that accesses memory, too, only what is shuffled. */
static void tell_shuffle(const struct view_input *input, struct buf *out)
{
	struct view_input shuffle = *input;
	shuffle.access = NULL;
	tell_every_lane(&shuffle, out);
}

/* Likewise. */
static void tell_tiles(const struct view_input *input, struct buf *out)
{
	struct view_input tiles = *input;
	tiles.access = NULL;
	tiles.shuffle = NULL;
	buf_printf(out, "%s\n", input->tiles->name);
	tell_every_lane(&tiles, out);
}

static void tell_cluster(const struct view_input *input, struct buf *out)
{
	const struct warp_cluster *c = input->cluster;
	for (uint32_t from = 0; from < c->n && from < CLUSTER_RANKS_MAX; from++) {
		buf_printf(out, "Block %u, rank %u: %llu request%s of its own shared memory", c->block[from], from,
			(unsigned long long)c->at[from][from].requests, c->at[from][from].requests == 1 ? "" : "s");
		for (uint32_t to = 0; to < c->n && to < CLUSTER_RANKS_MAX; to++)
			if (to != from && c->at[from][to].requests)
				buf_printf(out, ", %llu of rank %u's, %llu bytes",
					(unsigned long long)c->at[from][to].requests, to,
					(unsigned long long)c->at[from][to].bytes);
		buf_puts(out, ".\n");
	}
}

static void tell_launch(const struct view_input *input, struct buf *out)
{
	struct view_input each = *input;
	uint64_t warps = warp_count(warp_dim_volume(input->launch.block));
	for (uint64_t warp = 0; warp < warps && warp < BLOCK_WARPS_MAX; warp++) {
		each.picked = (struct view_pick){
			THING_WARP, view_warp_index(input->launch.watched_block, (uint32_t)warp)};
		view_say(&each, out);
		buf_putc(out, '\n');
	}
}

static void tell_defects(const struct view_input *input, struct buf *out)
{
	if (input->defects.n == 0)
		buf_puts(out, "No defect was found.\n");
	for (int i = 0; i < input->defects.n; i++) {
		const struct view_defect *d = &input->defects.at[i];
		buf_printf(out, "%s: %s. At line %d, %s", d->kind, d->message, d->here.line, d->here.who);
		if (d->other.who)
			buf_printf(out, "; and at line %d, %s", d->other.line, d->other.who);
		buf_puts(out, ".\n");
	}
}

static void tell_occupancy(const struct view_input *input, struct buf *out)
{
	const struct occupancy *o = &input->occupancy.result;
	if (occupancy_doubt(input->cc))
		buf_printf(out, _("The limits of CC %d.%d are %s.\n"), input->cc / 10, input->cc % 10,
			occupancy_doubt(input->cc));
	buf_printf(out, "%u block%s on an SM: %u of its %u slots for warps %s taken.\n", o->blocks,
		o->blocks == 1 ? " fits" : "s fit", o->warps, o->max_warps, o->warps == 1 ? "is" : "are");
	for (int r = 0; r < OCCUPANCY_N; r++)
		if (o->by[r] != OCCUPANCY_UNLIMITED)
			buf_printf(out, "By %s: %u block%s%s.\n", occupancy_resource_name((enum occupancy_resource)r),
				o->by[r], o->by[r] == 1 ? "" : "s", o->limits >> r & 1 ? ", which is the limit" : "");
}

static void tell_value(struct value value, struct buf *out)
{
	if (value.state == VALUE_OK)
		value_format(value.v, out);
	else
		value_explain(value, out);
}

/* "measured 64", or why it is not: "measured: no GPU". */
static void tell_witness(const char *verb, struct value value, struct buf *out)
{
	buf_puts(out, verb);
	buf_puts(out, value.state == VALUE_OK ? " " : ": ");
	tell_value(value, out);
}

/* What the model says; of an estimate, between what it is said to lie. */
static void tell_predicted(enum metric_id metric, struct value value, struct buf *out)
{
	double least, most;
	bool estimate = value.state == VALUE_OK && metric_is_estimate(metric);
	tell_witness(estimate ? "predicted about" : "predicted", value, out);
	if (!estimate || !metric_range(metric, value.v, &least, &most))
		return;
	if (metric_range_is_rough(least, most)) {
		buf_puts(out, " (rough)");
		return;
	}
	buf_puts(out, " (");
	value_format(least, out);
	buf_puts(out, " to ");
	value_format(most, out);
	buf_puts(out, ")");
}

static void tell_sweep(const struct view_input *input, struct buf *out)
{
	const struct view_sweep *s = &input->sweep;
	buf_printf(out, "%s, against %s:\n", metric_table[s->metric].label, s->parameter);
	for (int i = 0; i < s->n; i++) {
		buf_printf(out, "%lld: ", (long long)s->xs[i]);
		tell_predicted(s->metric, s->predicted[i], out);
		tell_witness(", measured", s->measured[i], out);
		buf_puts(out, ".\n");
	}
}

static void tell_roof_work(const struct view_roofline *r, int which, int i, struct buf *out)
{
	const struct roof_work *work = view_roofline_work(r, which, i);
	struct roofline_point point;
	const char *verb = which == 0 ? "predicted" : r->measured_by == WITNESS_RECORDED ? "recorded" : "measured";
	if (!view_roofline_point(r, which, i, &point))
		return;
	buf_printf(out, "%s: ", verb);
	view_roofline_write_rate(point.y, "FLOP/s", out);
	for (int level = 0; level < ROOF_LEVELS; level++) {
		double x;
		if (!roof_intensity(work, (enum roof_level)level, &x))
			continue;
		buf_puts(out, ", ");
		view_roofline_write_count(x, out);
		buf_printf(out, " operations per byte of %s", roof_level_name((enum roof_level)level));
	}
	if (r->roofs)
		buf_printf(out, "; %.3g %% of the roof of %s there", view_roofline_share(r, &point),
			roof_level_name(point.level));
	buf_puts(out, ".\n");
}

static void tell_roofline(const struct view_input *input, struct buf *out)
{
	const struct view_roofline *r = &input->roofline;
	if (!r->roofs)
		buf_printf(out, "No roofs were measured on %s.\n", r->gpu ? r->gpu : "this GPU");
	for (int level = 0; r->roofs && level < ROOF_LEVELS; level++) {
		buf_printf(out, "%s gives ", roof_level_name((enum roof_level)level));
		view_roofline_write_rate(roof_level_rate(r->roofs, (enum roof_level)level), "B/s", out);
		buf_puts(out, ".\n");
	}
	if (r->roofs) {
		view_roofline_write_rate(r->roofs->of[ROOF_FLOAT].rate, "FLOP/s", out);
		buf_printf(out, " are the most operations on floats. Measured on an %s, %s.\n", r->roofs->gpu,
			r->roofs->measured);
	}
	for (int i = 0; i < r->n; i++) {
		if (r->sweep && r->sweep->names)
			buf_printf(out, "%s %s%s:\n", r->sweep->parameter, r->sweep->names[r->sweep->xs[i]],
				i == r->at ? ", which is shown" : "");
		else if (r->sweep)
			buf_printf(out, "%s %lld%s:\n", r->sweep->parameter, (long long)r->sweep->xs[i],
				i == r->at ? ", which is shown" : "");
		for (int which = 0; which < 2 && !view_roofline_covered(r, i); which++)
			tell_roof_work(r, which, i, out);
	}
}

static void tell_compared_line(const struct view_compare *c, const struct view_compared_row *row, struct buf *out)
{
	for (int side = 0; side < 2; side++) {
		if (row->lines[side] < 0)
			continue;
		const struct view_source_line *line = &c->sources[side].lines[row->lines[side]];
		const char *text = line->text + strspn(line->text, " \t");
		buf_printf(out, "%s, line %d: ", c->names[side], line->line);
		buf_append(out, text, view_code_length(text));
		buf_puts(out, "\n");
		if (line->wavefronts.state == VALUE_OK) {
			buf_puts(out, "  wavefronts per request: ");
			tell_value(line->wavefronts, out);
			buf_putc(out, '\n');
		}
		if (line->sectors.state == VALUE_OK) {
			buf_puts(out, "  sectors per request: ");
			tell_value(line->sectors, out);
			buf_putc(out, '\n');
		}
	}
}

static void tell_compare(const struct view_input *input, struct buf *out)
{
	const struct view_compare *c = &input->compare;
	for (int i = 0; i < c->n_metrics; i++) {
		buf_printf(out, "%s: ", metric_table[c->metrics[i]].label);
		for (int side = 0; side < 2; side++) {
			buf_printf(out, "%s%s ", side ? ", " : "", c->names[side]);
			tell_value(c->values[side][i], out);
		}
		buf_puts(out, ".\n");
	}
	for (int i = 0; i < c->n_rows; i++)
		if (c->rows[i].mark)
			tell_compared_line(c, &c->rows[i], out);
}

static void tell_instr(const char *before, const struct view_code_instr *instr, struct buf *out)
{
	buf_printf(out, "  %s%s", before, instr->text);
	if (instr->executed.state == VALUE_OK) {
		buf_puts(out, ", executed ");
		tell_value(instr->executed, out);
		buf_puts(out, " times");
	}
	buf_putc(out, '\n');
}

static void tell_code(const struct view_input *input, struct buf *out)
{
	const struct view_code *code = &input->code;
	struct view_sass_rows rows = view_sass_rows_of(code, -1);
	struct view_notes notes = {.n = 0};
	view_sass_note(&notes, code, INT_MAX);
	for (int i = 0; i < notes.n; i++)
		buf_printf(out, "%s.\n", notes.at[i].text);
	for (int i = 0; i < rows.n; i++) {
		const struct view_sass_row *row = &rows.at[i];
		if (row->head && row->line)
			buf_printf(out, "Line %d, %s\n", row->line, view_sass_source(input, row->line));
		else if (row->head)
			buf_puts(out, "Of no source line\n");
		if (row->ptx >= 0)
			tell_instr("PTX ", &code->ptx[row->ptx], out);
		if (row->sass >= 0)
			tell_instr("  became ", &code->sass[row->sass], out);
	}
	free(rows.at);
}

void view_tell(view_id id, const struct view_input *input, struct buf *out)
{
	static void (*const tellers[VIEWS])(const struct view_input *input, struct buf *out) = {
		[VIEW_BANKS] = tell_banks,
		[VIEW_SECTORS] = tell_sectors,
		[VIEW_SOURCE] = tell_source,
		[VIEW_SWEEP] = tell_sweep,
		[VIEW_ROOFLINE] = tell_roofline,
		[VIEW_LANES] = tell_launch,
		[VIEW_DEFECT] = tell_defects,
		[VIEW_OCCUPANCY] = tell_occupancy,
		[VIEW_SCHEDULE] = tell_warps,
		[VIEW_MASK] = tell_mask,
		[VIEW_ATOMICS] = tell_every_lane,
		[VIEW_SHUFFLE] = tell_shuffle,
		[VIEW_FRAGMENTS] = tell_tiles,
		[VIEW_CLUSTER] = tell_cluster,
		[VIEW_COMPARE] = tell_compare,
		[VIEW_SASS] = tell_code,
		[VIEW_STREAMS] = view_program_tell,
		[VIEW_HOST] = view_program_tell,
		[VIEW_MAP] = view_program_tell,
	};
	const char *why = (unsigned)id < VIEWS ? view_why_not(id, input) : "There is no picture.";
	if (why)
		buf_printf(out, "%s\n", why);
	else if (tellers[id])
		tellers[id](input, out);
	else
		buf_printf(out, "This picture has no words: it shows %s.\n", view_table[id].meaning);
}

/* The unit after such a number: "2 branches", "1 branch", "1 us". */
static void tell_unit(const struct metric *metric, double number, struct buf *out)
{
	const char *unit = metric->unit;
	size_t len = strlen(unit);
	bool is_word = len > 2 && unit[len - 1] == 's';
	if (number == 1 && is_word)
		len -= len > 4 && strcmp(unit + len - 4, "ches") == 0 ? 2 : 1;
	buf_printf(out, "%s%.*s", len ? " " : "", (int)len, unit);
}

static void tell_number(const struct view_number *number, struct buf *out)
{
	const struct metric *metric = &metric_table[number->metric];
	tell_predicted(number->metric, number->predicted, out);
	if (number->measured.state != VALUE_OK && number->predicted.state == VALUE_OK)
		tell_unit(metric, number->predicted.v, out);
	tell_witness(", measured", number->measured, out);
	if (number->measured.state == VALUE_OK)
		tell_unit(metric, number->measured.v, out);
}

/* ", the same on H100", ", 9.86 us on H100" */
static void tell_elsewhere(
	const struct view_elsewhere *elsewhere, const struct view_number *number, int row, struct buf *out)
{
	struct value value = elsewhere->measured[row];
	if (view_elsewhere_is_same(number, value))
		buf_printf(out, ", the same on %s", elsewhere->name);
	if (value.state != VALUE_OK || view_elsewhere_is_same(number, value))
		return;
	buf_puts(out, ", ");
	tell_value(value, out);
	tell_unit(&metric_table[number->metric], value.v, out);
	buf_printf(out, " on %s", elsewhere->name);
}

void view_tell_numbers(const struct view_input *input, struct buf *out)
{
	const struct view_numbers *numbers = &input->numbers;
	for (int i = 0; i < numbers->n_rows; i++) {
		buf_printf(out, "%s: ", metric_table[numbers->rows[i].metric].label);
		for (int side = 0; side < view_number_sides(numbers); side++) {
			if (numbers->other)
				buf_printf(out, "%s%s ", side ? "; " : "", numbers->names[side]);
			tell_number(&view_numbers_of(numbers, side)[i], out);
		}
		for (int k = 0; k < numbers->n_elsewhere; k++)
			tell_elsewhere(&numbers->elsewhere[k], &numbers->rows[i], i, out);
		buf_puts(out, ".\n");
	}
	if (numbers->measured_on)
		buf_printf(out, "Measured on %s.\n", numbers->measured_on);
	for (int k = 0; k < numbers->n_elsewhere; k++)
		buf_printf(out, "%s: recorded on %s, %s.\n", numbers->elsewhere[k].name, numbers->elsewhere[k].gpu,
			numbers->elsewhere[k].date);
}
