#include "cmd/run.h"
#include "config.h"

#include <math.h>
#include <unistd.h>

#include "base/text.h"
#include "base/utf8.h"
#include "cmd/access_text.h"
#include "cmd/picture.h"
#include "front/view/views.h"
#include "model/hardware/metrics.h"

#define COLS 120 /* where standard output is not a terminal */
#define PICTURE_ROWS 60

/* --- the totals and the picture ------------------------------------------------------------------------------------ */

/* The metrics of what the kernel does, without those that are all zero. */
void run_write_totals(const struct run *run, const struct picture_page *page)
{
	struct view_number rows[METRICS];
	struct view_input input = {.cc = run->cc};
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
	input.numbers = (struct view_numbers){.rows = rows, .n_rows = n, .measured_on = run->measured.gpu};
	if (n)
		picture_view(page, VIEW_NUMBERS, &input, n + 4);
}

/* The first load, store and atomic of each space, the first shuffle, and the matrix instruction; a line can make them all. */
static void write_pictures(const struct run *run, const struct picture_page *page)
{
	static const view_id views[] = {[SPACE_SHARED] = VIEW_BANKS, [SPACE_GLOBAL] = VIEW_SECTORS};
	const struct profile_watch *w = &run->watch;
	const struct profile *p = run->profile;
	bool drawn[SPACE_GLOBAL + 1][ACCESS_OPS_N] = {{false}};
	const char *place = arena_printf(run->ctx->arena, "line %d, block %u warp %u", w->line, w->block, w->warp);
	if (!p->n_watched && !p->has_shuffled && !p->tiles.n)
		picture_printf(page, "%s: no access to shared or global memory, and no shuffle\n\n", place);
	if (p->tiles.n) {
		picture_printf(page, "%s: the matrix instruction\n", place);
		picture_view(page, VIEW_FRAGMENTS, &(struct view_input){.tiles = &p->tiles}, PICTURE_ROWS);
	}
	if (p->has_shuffled) {
		picture_printf(page, "%s: the first shuffle\n", place);
		picture_view(page, VIEW_SHUFFLE, &(struct view_input){.shuffle = &p->shuffled}, PICTURE_ROWS);
	}
	if (p->cluster.n > 1) {
		picture_printf(page, "the cluster of block %u\n", w->block);
		picture_view(page, VIEW_CLUSTER, &(struct view_input){.cluster = &p->cluster}, PICTURE_ROWS);
	}
	for (int i = 0; i < p->n_watched; i++) {
		const struct warp_access *access = &p->watched[i];
		struct view_input input = {.access = access, .cc = run->cc, .place = place};
		struct buf text = {0};
		if (drawn[access->space][access->op])
			continue;
		drawn[access->space][access->op] = true;
		buf_printf(&text, "%s: the first ", place);
		cmd_access_title(access, NULL, &text);
		buf_puts(&text, "\n");
		picture_text(page, &text);
		picture_view(page, views[access->space], &input, PICTURE_ROWS);
	}
}

/* --- the buffers --------------------------------------------------------------------------------------------------- */

static void write_buffer(const struct run *run, const struct run_print *print, int cols, struct buf *out)
{
	const struct profile_buffer *buffer = run_printed(run, print);
	size_t begun = 0;
	if (!buffer)
		return;
	const struct launch_arg *arg = buffer->what;
	buf_printf(out, "argument %d", print->argument);
	if (print->member >= 0)
		buf_printf(out, ", member %d", print->member);
	buf_printf(out, ", %s[%zu]:", launch_type_name(arg->type), arg->count);
	for (size_t i = 0; i < arg->count; i++) {
		struct buf text = {0};
		launch_format(arg->type, buffer->bytes, i, &text);
		if (i == 0 || out->len - begun + text.len + 1 > (size_t)cols) {
			buf_puts(out, "\n");
			begun = out->len;
			buf_printf(out, "%8zu:", i);
		}
		buf_printf(out, " %s", buf_str(&text));
		buf_free(&text);
	}
	buf_puts(out, "\n");
}

/* The first byte of the memory that a GPU had at the addresses of the machine. */
static void write_memory_difference(const struct run *run, struct buf *out)
{
	const struct snapshot_difference *d = &run->measured.memory;
	const struct launch_memory *m = &run->launch.memory[d->first];
	buf_printf(out, "memory after it differs in %llu byte%s of %zu buffer%s, first at 0x%llx, byte %llu of %zu",
		(unsigned long long)d->bytes, d->bytes == 1 ? "" : "s", d->buffers, d->buffers == 1 ? "" : "s",
		(unsigned long long)(m->address + d->at), (unsigned long long)d->at, m->bytes);
	run_write_place(run->launch.kept, m->address, out);
	buf_printf(out, ": the machine has 0x%02x, ", d->kept);
	escape_puts(run->measured.gpu, out);
	buf_printf(out, " 0x%02x\n", d->now);
}

void run_write_differences(const struct run *run, struct buf *out)
{
	const struct run_live *live = &run->measured;
	if (live->memory.bytes)
		write_memory_difference(run, out);
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
	if (run->shows_code)
		run_write_code(run, &page);
	for (int i = 0; i < run->n_prints; i++)
		write_buffer(run, &run->prints[i], page.cols, &text);
	if (run->measured.gpu)
		run_write_differences(run, &text);
	picture_text(&page, &text);
}
