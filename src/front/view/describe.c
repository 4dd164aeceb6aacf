/* Pictures in sentences, for who cannot see them, and what is picked in one. */
#include <stdio.h>
#include <string.h>

#include "front/view/draw.h"
#include "front/view/launch.h"
#include "front/view/numbers.h"
#include "front/view/source.h"
#include "model/hardware/access.h"
#include "model/hardware/metrics.h"
#include "model/hardware/timeline.h"

#define RANGES_MAX 3

/* --- lanes -------------------------------------------------------------------------------------------------------- */

static void describe_others(struct buf *out, const char *before, uint32_t lanes)
{
	if (!lanes)
		return;
	buf_puts(out, before);
	view_write_lanes(lanes, RANGES_MAX, out);
}

static void describe_lane(const struct view_input *input, int lane, struct buf *out)
{
	const struct warp_access *a = input->access;
	uint32_t active = a ? a->active : input->shuffle ? input->shuffle->active : 0;
	if (!a && !input->shuffle && input->tiles) {
		view_fragments_describe_lane(input->tiles, lane, out);
	} else if (!a && !input->shuffle) {
		buf_printf(out, "Lane %d: the watched line accesses no memory.", lane);
	} else if (!(active >> lane & 1)) {
		buf_printf(out, "Lane %d takes no part in the watched line.", lane);
	} else if (!a) {
		const struct warp_shuffle *s = input->shuffle;
		uint32_t takers = 0;
		for (int i = 0; i < WARP_SIZE; i++)
			if ((s->active >> i & 1) && s->from[i] == lane && i != lane)
				takers |= (uint32_t)1 << i;
		if (s->from[lane] == lane)
			buf_printf(out, "Lane %d keeps its own value", lane);
		else
			buf_printf(out, "Lane %d gets the value of lane %d", lane, s->from[lane]);
		describe_others(out, "; its own goes to ", takers);
		buf_putc(out, '.');
	} else if (a->space == SPACE_SHARED) {
		struct bank_wavefront wavefronts[BANKS_WAVEFRONTS_MAX];
		int n = bank_wavefronts(a, input->cc, wavefronts, BANKS_WAVEFRONTS_MAX);
		uint64_t word = a->address[lane] / MODEL_BANK_BYTES,
			 last = (a->address[lane] + a->width - 1u) / MODEL_BANK_BYTES;
		int bank = (int)(word % MODEL_BANKS);
		int served = 0;
		for (int w = 0; w < n && !served; w++)
			served = wavefronts[w].lanes >> lane & 1 ? w + 1 : 0;

		/* Lanes of the bank that want this word; the others want another one. */
		uint32_t all = view_lanes_of_bank(a, bank), same = 0;
		for (int i = 0; i < WARP_SIZE; i++) {
			uint64_t from = a->address[i] / MODEL_BANK_BYTES,
				 to = (a->address[i] + a->width - 1u) / MODEL_BANK_BYTES;
			if ((all >> i & 1) && word >= from && word <= to)
				same |= (uint32_t)1 << i;
		}
		buf_printf(out, "Lane %d wants ", lane);
		if (last > word)
			buf_printf(out, "words %llu–%llu, banks %d–%d", (unsigned long long)word,
				(unsigned long long)last, bank, (int)(last % MODEL_BANKS));
		else
			buf_printf(out, "word %llu, bank %d", (unsigned long long)word, bank);
		buf_printf(out, ", wavefront %d of %d", served, n);
		describe_others(out, warp_op_is_atomic(a->op) ? "; at the same word: " : "; the same word serves ",
			same & ~((uint32_t)1 << lane));
		describe_others(out, "; other words of this bank are for ", all & ~same);
		buf_putc(out, '.');
	} else if (a->space == SPACE_GLOBAL) {
		uint64_t first = view_first_sector(a), sector = a->address[lane] / MODEL_SECTOR_BYTES;
		int at = (int)(a->address[lane] % MODEL_SECTOR_BYTES);
		uint32_t with = view_lanes_of_sector(a, (int64_t)(sector - first)) & ~((uint32_t)1 << lane);
		buf_printf(out, "Lane %d %s ", lane, a->op == ACCESS_LOAD ? "wants" : "changes");
		if (a->width > 1)
			buf_printf(out, "bytes %d–%d", at, at + a->width - 1);
		else
			buf_printf(out, "byte %d", at);
		buf_printf(out, " of sector %llu in cache line +%llu", (unsigned long long)((sector - first) % 4),
			(unsigned long long)((sector - first) / 4 * MODEL_LINE_BYTES));
		if (warp_op_is_atomic(a->op)) {
			/* Lanes that change one address take turns, in the order of their numbers. */
			uint32_t before = 0, all = 0;
			for (int i = 0; i < WARP_SIZE; i++)
				if ((a->active >> i & 1) && a->address[i] == a->address[lane])
					all |= (uint32_t)1 << i;
			before = all & (((uint32_t)1 << lane) - 1);
			if (all & (all - 1))
				buf_printf(out, ", in turn %d of the %d at this address",
					__builtin_popcount(before) + 1, __builtin_popcount(all));
			else
				buf_puts(out, "; no other lane has this address");
			describe_others(out, ", after ", before);
			buf_putc(out, '.');

			return;
		}
		describe_others(out, ", which moves for ", with);
		buf_puts(out, with ? ", too." : ", which moves for it alone.");
	} else {
		buf_printf(out, "Lane %d accesses byte %llu of %s memory.", lane, (unsigned long long)a->address[lane],
			warp_space_name(a->space));
	}
}

/* --- banks and sectors -------------------------------------------------------------------------------------------- */

static void describe_sector(const struct view_input *input, int64_t index, struct buf *out)
{
	struct sector_use uses[SECTORS_MAX];
	bool global = input->access && input->access->space == SPACE_GLOBAL;
	int n = global ? sector_uses(input->access, uses) : 0;
	uint64_t first = n ? view_first_sector(input->access) : 0;
	buf_printf(out, "Sector %lld of cache line +%lld", (long long)(index % 4),
		(long long)(index / 4 * MODEL_LINE_BYTES));
	for (int i = 0; i < n; i++) {
		if (uses[i].sector - first != (uint64_t)index)
			continue;
		buf_printf(
			out, ": %d of %d bytes are used, by ", __builtin_popcount(uses[i].bytes), MODEL_SECTOR_BYTES);
		view_write_lanes(uses[i].lanes, RANGES_MAX, out);
		buf_putc(out, '.');
		return;
	}
	buf_puts(out, " is not moved.");
}

/* --- warps, lines, metrics ---------------------------------------------------------------------------------------- */

static void describe_count(struct buf *out, const char *before, struct value value, const char *what)
{
	if (value.state != VALUE_OK)
		return;
	buf_puts(out, before);
	value_format(value.v, out);
	buf_printf(out, " %s%s", what, *what != 'o' && value.v != 1 ? "s" : "");
}

static void describe_line(const struct view_input *input, int64_t line, struct buf *out)
{
	buf_printf(out, "Line %lld", (long long)line);
	for (int i = 0; i < input->source->n_lines; i++) {
		const struct view_source_line *l = &input->source->lines[i];
		if (l->line != line)
			continue;
		if (!l->executed) {
			buf_puts(out, ": no instruction of it was executed.");
			return;
		}
		buf_printf(out, "%s: %llu memory request%s", line == input->source->watched ? ", which is watched" : "",
			(unsigned long long)l->requests, l->requests == 1 ? "" : "s");
		describe_count(out, ", each ", l->wavefronts, "wavefront");
		describe_count(out, ", each ", l->sectors, "sector");
		describe_count(out, "; on average ", l->active_lanes, "of 32 lanes are active");
	}
	buf_putc(out, '.');
}

void view_describe_pick(const struct view_input *input, struct buf *out)
{
	const struct view_pick *pick = &input->picked;
	switch (pick->thing) {
	case THING_NONE:
	case THING_TERM: break;
	case THING_LANE: describe_lane(input, (int)(pick->index & 31), out); break;
	case THING_BANK: {
		int bank = (int)(pick->index & 31);
		struct bank_wavefront wavefronts[BANKS_WAVEFRONTS_MAX];
		bool shared = input->access && input->access->space == SPACE_SHARED;
		int n = shared ? bank_wavefronts(input->access, input->cc, wavefronts, BANKS_WAVEFRONTS_MAX) : 0,
		    words = 0;
		uint32_t lanes = shared ? view_lanes_of_bank(input->access, bank) : 0;
		struct buf list = {0};
		for (int w = 0; w < n; w++) {
			if (wavefronts[w].word[bank] < 0)
				continue;
			if (words++ < RANGES_MAX)
				buf_printf(&list, "%s%lld in wavefront %d", words > 1 ? ", " : "",
					(long long)wavefronts[w].word[bank], w + 1);
		}
		buf_printf(out, "Bank %d ", bank);
		if (!words)
			buf_puts(out, "is idle: no lane wants a word of it.");
		else
			buf_printf(out, "delivers %d word%s: %s%s; to ", words, view_plural(words), buf_str(&list),
				words > RANGES_MAX ? ", …" : "");
		if (words) {
			view_write_lanes(lanes, RANGES_MAX, out);
			buf_putc(out, '.');
		}
		buf_free(&list);
		break;
	}
	case THING_SECTOR: describe_sector(input, pick->index, out); break;
	case THING_WARP: {
		const struct view_launch *l = input->launch;
		const struct schedule_timeline *t = input->times->schedule;
		uint32_t block = (uint32_t)(pick->index / BLOCK_WARPS_MAX),
			 warp = (uint32_t)(pick->index % BLOCK_WARPS_MAX);
		uint32_t first = warp * WARP_SIZE, last = first + WARP_SIZE - 1;
		if (l->block[0] && first < view_lanes_threads(l))
			last = first + (uint32_t)view_lanes_of_warp(l, warp) - 1;
		buf_printf(out, "Warp %u of block %u: threads %u–%u", warp, block, first, last);
		if (l->block[0] && block == l->watched_block && l->taking_part[warp]) {
			buf_puts(out, "; in the watched line ");
			view_write_lanes(l->taking_part[warp], RANGES_MAX, out);
		}
		for (int i = 0; t && i < t->n_rows; i++)
			if (t->rows[i].block == block && t->rows[i].warp == warp) {
				const struct warp_row *row = &t->rows[i];
				uint64_t sums[PHASES] = {0}, whole = 0;
				int most = PHASE_ISSUE;
				for (size_t j = 0; j < row->n; j++) {
					sums[row->spans[j].phase] += row->spans[j].end - row->spans[j].start;
					whole += row->spans[j].end - row->spans[j].start;
				}
				for (int phase = 0; phase < PHASES; phase++)
					if (phase != PHASE_ISSUE && (most == PHASE_ISSUE || sums[phase] > sums[most]))
						most = phase;
				if (!whole)
					continue;
				if (sums[PHASE_ISSUE]) /* stamps do not show it */
					buf_printf(out, "; it issues in %.0f %% of its time",
						100.0 * (double)sums[PHASE_ISSUE] / (double)whole);
				if (sums[most])
					buf_printf(out, "; for %.0f %% of %s %s",
						100.0 * (double)sums[most] / (double)whole,
						sums[PHASE_ISSUE] ? "it" : "its time", phase_table[most].verb);
			}
		buf_putc(out, '.');
		break;
	}
	case THING_LINE: describe_line(input, pick->index, out); break;
	case THING_METRIC:
		if (pick->index >= 0 && pick->index < METRICS) {
			const int metric = (int)pick->index;
			const struct counts *counted = NULL;
			for (int i = 0; i < input->numbers->n_rows; i++)
				if (input->numbers->rows[i].metric == metric)
					counted = input->numbers->rows[i].counted;
			const struct metric *m = &metric_table[metric];
			buf_printf(out, "%s%s%s%s: %s = ", m->label, *m->unit ? " (" : "", m->unit, *m->unit ? ")" : "",
				m->meaning);
			metric_formula(metric, counted, out);
		}
		break;
	}
}

/* --- whole pictures ---------------------------------------------------------------------------------------------- */

void view_describe_value(struct value value, struct buf *out)
{
	if (value.state == VALUE_OK)
		value_format(value.v, out);
	else
		value_explain(value, out);
}

void view_describe_witness(const char *verb, struct value value, struct buf *out)
{
	buf_puts(out, verb);
	buf_puts(out, value.state == VALUE_OK ? " " : ": ");
	view_describe_value(value, out);
}

void view_describe_predicted(int metric, struct value value, struct buf *out)
{
	double least, most;
	bool estimate = value.state == VALUE_OK && metric_is_estimate(metric);
	view_describe_witness(estimate ? "predicted about" : "predicted", value, out);
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

void view_describe_lanes(const struct view_input *input, struct buf *out)
{
	struct view_input each = *input;
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		each.picked = (struct view_pick){THING_LANE, lane};
		view_describe_pick(&each, out);
		buf_putc(out, '\n');
	}
}

void view_describe(view_id id, const struct view_input *input, struct buf *out)
{
	const struct view *view = id >= 0 && id < view_count ? &view_table[id] : NULL;
	const char *why = view ? view_why_not(id, input) : "There is no picture.";
	if (why)
		buf_printf(out, "%s\n", why);
	else if (view->drawer->describe)
		view->drawer->describe(input, out);
	else
		buf_printf(out, "This picture has no words: it shows %s.\n", view->meaning);
}
