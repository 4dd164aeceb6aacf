#include "config.h"
#include "model/hardware/metrics.h"
#include "cmd/run.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/json.h"
#include "machine/race/missing.h"
#include "model/profile/profile.h"

static const char *const outcomes[] =
	{[SIMT_OK] = "ok", [SIMT_DEFECT] = "defect", [SIMT_LIMIT] = "limit", [SIMT_ERROR] = "error"};

static json_t *value_json(struct value value)
{
	return value.state == VALUE_OK ? json_real(value.v) : json_null();
}

static json_t *place_number(int number)
{
	return number > 0 ? json_integer(number) : json_null();
}

static json_t *lanes_json(uint32_t lanes)
{
	json_t *all = json_array();
	for (int lane = 0; lane < WARP_SIZE; lane++)
		if (lanes >> lane & 1)
			json_array_append_new(all, json_integer(lane));
	return all;
}

/* The frames from the place's own line to where the code is written, outermost first. */
static json_t *chain_json(const struct ptx_location *place)
{
	json_t *all = json_array();
	for (const struct ptx_frame *f = place->inlined; f && f->file != place->file; f = f->caller)
		json_array_insert_new(
			all, 0, json_pack("{s:o, s:o}", "file", cmd_json_text(f->file), "line", place_number(f->line)));
	return all;
}

static void add_side(json_t *json, const struct simt_side *side)
{
	const struct ptx_location *place = &side->place;
	json_object_set_new(json, "op", side->accesses ? json_string(warp_op_verb(side->op)) : json_null());
	json_object_set_new(json, "file", cmd_json_text(place->file));
	json_object_set_new(json, "line", place_number(place->line));
	json_object_set_new(json, "ptx_line", place_number(place->ptx_line));
	if (place->inlined)
		json_object_set_new(json, "inlined", chain_json(place));
	json_object_set_new(json, "block", json_integer((json_int_t)side->block));
	json_object_set_new(json, "warp", json_integer((json_int_t)side->warp));
	json_object_set_new(json, "lanes", lanes_json(side->lanes));
}

/* null for counts that this witness does not have. */
static json_t *counts_json(const struct line_counts *counts)
{
	json_t *json = json_object();
	cmd_json_set_line_counts(json, counts);
	return json;
}

static json_t *numbers_json(const struct profile_line *line, const char *text, size_t len)
{
	uint64_t branches = line->sums.branches, uniform = line->sums.uniform;
	static const char *const spaces[] = {[PROFILE_GLOBAL] = "global", [PROFILE_SHARED] = "shared"};
	json_t *kinds = json_object();
	for (int i = 0; i < PROFILE_SPACES; i++)
		json_object_set_new(kinds, spaces[i],
			json_pack("{s:I, s:I, s:I}", "loads", (json_int_t)line->kinds[i][PROFILE_LOADS], "stores",
				(json_int_t)line->kinds[i][PROFILE_STORES], "atomics",
				(json_int_t)line->kinds[i][PROFILE_ATOMICS]));
	return json_pack("{s:i, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I}", "line", line->line, "text",
		cmd_json_bytes(text, len), "executions", (json_int_t)line->executions, "active_lanes",
		value_json(profile_lanes(line)), "requests",
		json_integer((json_int_t)(line->shared_requests + line->global_requests)), "requests_by", kinds,
		"wavefronts_per_request", value_json(profile_wavefronts(line)), "sectors_per_request",
		value_json(profile_sectors(line)), "bank_conflicts",
		line->shared_requests ? json_integer((json_int_t)line->conflicts) : json_null(), "branches",
		(json_int_t)branches, "divergent_branches", (json_int_t)(branches - uniform));
}

static json_t *parts_json(const struct run *run, const struct profile_part *parts, int n)
{
	json_t *all = json_array();
	for (int i = 0; i < n; i++) {
		const struct profile_part *part = &parts[i];
		bool main = run->profile->file && strcmp(run->profile->file, part->place.file) == 0;
		size_t len = 0;
		const char *text = main ? run_line_text(run, part->place.line, &len) : NULL;
		json_t *json = numbers_json(&part->counts, text, len);
		json_object_set_new(json, "file", cmd_json_text(part->place.file));
		if (run->inlined == RUN_INLINED_CHAIN)
			json_object_set_new(json, "chain", chain_json(&part->place));
		json_array_append_new(all, json);
	}
	return all;
}

/* What was counted up to where a run stopped predicts nothing. */
static json_t *metrics_json(const struct counts *counts, bool ended)
{
	json_t *all = json_object();
	for (int i = 0; i < METRICS; i++)
		json_object_set_new(all, metric_table[i].name,
			ended ? value_json(metric_value((enum metric_id)i, counts)) : json_null());
	return all;
}

/* Elements are written as they are printed, which keeps all 64 bits; JSON has no word for what is not finite. */
static void write_element(enum launch_type type, const void *bytes, size_t index, struct buf *out)
{
	struct buf text = {0};
	launch_format(type, bytes, index, &text);
	bool quoted = strpbrk(buf_str(&text), "in") != NULL; /* inf, nan */
	buf_printf(out, quoted ? "\"%s\"" : "%s", buf_str(&text));
	buf_free(&text);
}

/* Releases the value. */
static void write_member(const char *before, json_t *json, struct buf *out)
{
	buf_puts(out, before);
	cmd_json_put(json, JSON_REAL_PRECISION(12) | JSON_ENCODE_ANY, out);
}

/* Of how far texels are apart, in each dimension. */
#define FILTER_ERROR "0.00390625"
_Static_assert(WARP_FILTER_BITS == 8, "FILTER_ERROR is 1/256");

void run_write_json(const struct run *run, struct buf *out)
{
	const struct simt_result *r = &run->profile->result;
	buf_printf(out, "{\"outcome\": \"%s\"", r->interrupted ? "interrupted" : outcomes[r->outcome]);
	if (run->n_steps > 1) {
		buf_printf(out, ",\n\"launch\": %d", run->step + 1);
		write_member(",\n\"kernel\": ", cmd_json_text(run->launch.kernel), out);
	}
	if (run->launch.kept)
		write_member(",\n\"kept\": ", run_kept_json(run), out);
	json_t *defects = json_array();
	for (uint32_t i = 0; i < run->profile->report.n; i++) {
		const struct simt_defect *d = &run->profile->report.defects[i];
		const char *missing = race_missing_name(d->missing);
		char order[SIMT_ORDER_TEXT];
		json_t *json = json_object(), *other = json_null();
		json_object_set_new(json, "kind", json_string(simt_defect_name(d->kind)));
		json_object_set_new(json, "message", cmd_json_text(d->message));
		add_side(json, &d->here);
		bool in_memory = d->here.accesses || d->other.accesses;
		json_object_set_new(json, "space", in_memory ? json_string(warp_space_name(d->space)) : json_null());
		json_object_set_new(json, "address", in_memory ? json_integer((json_int_t)d->address) : json_null());
		if (d->other.instr >= 0)
			add_side(other = json_object(), &d->other);
		json_object_set_new(json, "other", other);
		json_object_set_new(json, "missing", missing ? json_string(missing) : json_null());
		json_object_set_new(json, "order", json_string(simt_order_name(d->order, order)));
		json_object_set_new(json, "count", json_integer((json_int_t)d->count));
		json_array_append_new(defects, json);
	}
	write_member(",\n\"defects\": ", defects, out);
	const struct profile *p = run->profile;
	if (p->result.outcome == SIMT_LIMIT && p->result.standing.resident) {
		const struct simt_standing *s = &p->result.standing;
		json_t *at = json_array();
		for (uint32_t i = 0; i < s->n; i++) {
			const struct simt_stand *stand = &s->at[i];
			json_array_append_new(at,
				json_pack("{s:s, s:o, s:o, s:o, s:I, s:I, s:I, s:o}", "state",
					simt_stand_name(stand->state), "file", cmd_json_text(stand->place.file), "line",
					place_number(stand->place.line), "ptx_line",
					place_number(stand->place.ptx_line), "blocks", (json_int_t)stand->blocks,
					"first_block", (json_int_t)stand->first, "last_block", (json_int_t)stand->last,
					"warps", lanes_json(stand->warps) /* as many bits */));
		}
		json_t *standing = json_pack("{s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:I}", "ended", (json_int_t)s->ended,
			"resident", (json_int_t)s->resident, "never_began", (json_int_t)s->waiting, "first_never_began",
			s->has_next ? json_integer((json_int_t)s->next) : json_null(), "most_resident",
			s->most.blocks ? json_integer(s->most.blocks) : json_null(), "most_resident_why",
			cmd_json_text(s->most.why), "at", at, "left_out", (json_int_t)s->left_out);
		write_member(",\n\"blocks\": ", standing, out);
	}
	buf_printf(out, ",\n\"orders\": {\"count\": %u, \"more_ms\": %.1f}", p->orders, p->orders_ms);
	if (p->has_textures)
		buf_printf(out, ",\n\"textures\": {\"requests\": null, \"filter_error\": %s}",
			p->has_filters ? FILTER_ERROR : "0");
	write_member(",\n\"output\": ", cmd_json_bytes(p->output, p->output_len), out);
	if (p->result.printed > p->output_len)
		buf_printf(out, ",\n\"output_lost\": %llu", (unsigned long long)(p->result.printed - p->output_len));
	buf_puts(out, ",\n\"buffers\": ");

	/* By argument, "1", or member, "1.0". */
	const char *between = "";
	buf_puts(out, "{");
	for (int i = 0; i < run->n_prints; i++) {
		const struct run_print *print = &run->prints[i];
		const struct profile_buffer *buffer = run_printed(run, print);
		if (!buffer)
			continue;
		buf_printf(out, "%s\"%d", between, print->argument);
		if (print->member >= 0)
			buf_printf(out, ".%d", print->member);
		buf_puts(out, "\": [");
		for (size_t k = 0; k < buffer->what->count; k++) {
			buf_puts(out, k ? ", " : "");
			write_element(buffer->what->type, buffer->bytes, k, out);
		}
		buf_puts(out, "]");
		between = ", ";
	}
	buf_puts(out, "}");

	json_t *lines = json_array();
	for (int i = 0; i < run->profile->n_lines; i++) {
		const struct profile_line *line = &run->profile->lines[i];
		size_t len = 0;
		const char *text = run_line_text(run, line->line, &len);
		json_t *json = numbers_json(line, text, len);

		/* What both witnesses counted, where a GPU did. */
		const struct line_counts model = profile_line_counts(line),
					 *live = line_table_find(&run->measured.lines, line->line);
		if (run->measured.lines.n) {
			json_object_set_new(json, "model", counts_json(&model));
			json_object_set_new(json, "live", live ? counts_json(live) : json_null());
		}
		json_array_append_new(lines, json);
	}
	write_member(",\n\"lines\": ", lines, out);
	if (run->inlined == RUN_INLINED_CHAIN)
		write_member(",\n\"chains\": ", parts_json(run, p->parts, p->n_parts), out);
	else if (run->inlined == RUN_INLINED_CALLEE)
		write_member(",\n\"written\": ", parts_json(run, p->written, p->n_written), out);
	write_member(",\n\"metrics\": ", metrics_json(&run->profile->counts, run_ended(run)), out);

	/* What the model's numbers are, of this launch. */
	json_t *trust_of = json_object();
	for (int i = 0; i < METRICS; i++) {
		bool unknown = metric_value((enum metric_id)i, &run->profile->counts).state == VALUE_NOT_MODELED;
		enum counter_trust trust = unknown ? COUNTER_HARDWARE : metric_trust((enum metric_id)i);
		json_object_set_new(trust_of, metric_table[i].name, json_string(counter_trust_name(trust)));
	}
	write_member(",\n\"trust\": ", trust_of, out);
	bool launched = run->profile->result.outcome != SIMT_ERROR;
	write_member(",\n\"occupancy\": ", launched ? run_occupancy_json(run) : json_null(), out);
	if (run->times.estimate)
		write_member(",\n\"estimate\": ", cmd_json_estimate(run->times.estimate), out);
	if (run->views)
		write_member(",\n\"times\": ", run_times_json(run), out);
	if (run->shows_code)
		write_member(",\n\"code\": ", run_code_json(run), out);
	if (run->measured.gpu) {
		const struct run_live *live = &run->measured;
		write_member(",\n\"live\": {\"gpu\": ", cmd_json_text(live->gpu), out);
		write_member(", \"metrics\": ", metrics_json(&live->counts, true), out);
		if (live->lines.n) {
			struct line_counts total = line_table_total(&live->lines);
			const struct line_counts *nowhere = line_table_find(&live->lines, 0);
			write_member(", \"lines\": ",
				json_pack("{s:i, s:f, s:o, s:o}", "passes", live->lines_passes, "ms", live->lines_ms,
					"total", counts_json(&total), "no_line",
					nowhere ? counts_json(nowhere) : json_null()),
				out);
		}
		buf_puts(out, ", \"differences\": [");
		for (int i = 0; i < live->n_differences; i++) {
			const struct run_difference *d = &live->differences[i];
			enum launch_type type = run->args[d->argument].type;
			buf_printf(out,
				"%s{\"argument\": %d, \"index\": %zu, \"count\": %zu, \"machine\": ", i ? ", " : "",
				d->argument, d->index, d->count);
			write_element(type, d->machine, d->index, out);
			buf_puts(out, ", \"gpu\": ");
			write_element(type, d->gpu, d->index, out);
			if (isfinite(d->largest) && d->largest >= 0)
				buf_printf(out, ", \"largest_difference\": %.6g}", d->largest);
			else
				buf_puts(out, ", \"largest_difference\": null}");
		}
		buf_puts(out, "]");
		if (run->placed_why)
			buf_printf(out, ", \"memory\": {\"buffers\": %d, \"differing_bytes\": %llu}",
				run->launch.n_memory, (unsigned long long)live->memory.bytes);
		buf_puts(out, "}");
	}
	if (run->measured.failure.message)
		write_member(",\n\"failure\": ", measure_failure_json(&run->measured.failure), out);
	buf_puts(out, "}\n");
}

void run_write_json_steps(const struct run *run, const struct buf *launches, struct buf *out)
{
	buf_printf(out, "{\"outcome\": \"%s\",\n\"launches\": [", outcomes[run->worst]);
	buf_append(out, launches->data, launches->len);
	buf_puts(out, "]}\n");
}
