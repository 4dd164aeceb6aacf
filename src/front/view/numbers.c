#include "front/view/numbers.h"

#include <limits.h>
#include <string.h>

#include "base/utf8.h"
#include "front/view/times.h"
#include "front/view/views.h"
#include "machine/warp/warp.h"
#include "model/hardware/access.h"
#include "model/hardware/metrics.h"

/* Below this many columns labels and words are shortened. */
#define NARROW 56

/* Columns of the sign between the numbers, with its blanks. */
#define SIGN 3

/* Columns before what a metric means, below its number. */
#define MEANING_INDENT 4

/* A row as text, worked out before the columns are laid out. */
struct view_number_cells {
	struct buf predicted, measured;
	enum role predicted_role, measured_role, relation_role;
	uint32_t relation; /* '=', GLYPH_NOT_EQUAL, '<' where the GPU also counts what had to wait, or a blank */
};

/* A short unit follows the label where it has no column of its own. */
enum view_number_label { VIEW_NUMBER_BARE, VIEW_NUMBER_WITH_UNIT };

/* Of a range below its number, before it. */
#define RANGE_INDENT 4

struct widths {
	int label, predicted, measured, unit, range, ratio, formula;
	int elsewhere, n_elsewhere; /* columns for the recordings of so many other GPUs */
	bool wraps;                 /* formulas go on in further rows */
	bool ranges_below;          /* ranges of estimates have no column, but rows of their own */
	bool offs;                  /* nor those: ± after an estimate is how far off it may be */
};

static const char *numbers_lacks(const struct view_input *input)
{
	return input->numbers->n_rows > 0 ? NULL : "This step shows no numbers.";
}

static enum role value_role(const struct value *value, enum witness witness)
{
	return value->state != VALUE_OK   ? ROLE_MISSING
		: witness == WITNESS_NONE ? ROLE_TEXT
					  : view_witness_role(witness);
}

/* A missing number shows why; `unasked` where none was asked for. */
static void value_text(const struct value *value, const char *unasked, int cols, struct buf *out)
{
	if (value->state == VALUE_OK)
		value_format(value->v, out);
	else if (value->state == VALUE_NONE)
		buf_puts(out, unasked);
	else if (value->state == VALUE_UNDEFINED && cols < NARROW)
		buf_puts(out, "none");
	else if (value->state == VALUE_NOT_LAUNCHED && cols < NARROW)
		buf_puts(out, "not run");
	else
		value_explain(*value, out);
}

/* Measured a little more than predicted where the GPU counts an access again that had to wait. */
static bool has_waited(const struct view_number *number)
{
	double more = number->measured.v / number->predicted.v;
	return number->predicted.state == VALUE_OK && number->measured.state == VALUE_OK &&
		metric_counts_waits(number->metric) && more > 1 && more <= WAITED_MOST;
}

/* In a picture of so many columns. To be freed. */
static struct view_number_cells number_cells_of(const struct view_number *number, int cols)
{
	enum counter_trust trust = metric_trust(number->metric);
	struct view_number_cells row = {.relation = ' '};
	value_text(&number->predicted, trust == COUNTER_HARDWARE && cols >= NARROW ? "not modeled" : "–", cols,
		&row.predicted);
	value_text(&number->measured, "–", cols, &row.measured);
	row.predicted_role = value_role(&number->predicted, WITNESS_MODEL);
	row.measured_role = value_role(&number->measured, number->measured_by);
	if (number->predicted.state == VALUE_OK && number->measured.state == VALUE_OK) {
		bool same = strcmp(buf_str(&row.predicted), buf_str(&row.measured)) == 0;
		bool waited = has_waited(number);
		row.relation = same ? '=' : waited ? '<' : GLYPH_NOT_EQUAL;
		row.relation_role = same ? ROLE_GOOD : trust == COUNTER_EXACT && !waited ? ROLE_BAD : ROLE_DIM;
	}
	if (number->predicted.state == VALUE_OK && metric_is_estimate(number->metric)) {
		/* "≈15" */
		struct buf *value = &row.predicted;
		struct buf marked = {0};
		buf_printf(&marked, "≈%s", buf_str(value));
		buf_free(value);
		*value = marked;
	}
	return row;
}

/* "≈15±18%", where that has room. */
static void number_add_off(const struct view_number *number, struct view_number_cells *row, int room)
{
	struct buf text = {0};
	buf_puts(&text, buf_str(&row->predicted));
	if (number->predicted.state == VALUE_OK && metric_write_off(number->metric, number->predicted.v, &text) &&
		utf8_columns(buf_str(&text)) <= room) {
		buf_free(&row->predicted);
		row->predicted = text;
		return;
	}
	buf_free(&text);
}

static void number_cells_free(struct view_number_cells *row)
{
	buf_free(&row->predicted);
	buf_free(&row->measured);
}

/* Between what a GPU counts what the model estimates; "" of other numbers. */
static void range_text(const struct view_number *number, struct buf *out)
{
	if (number->predicted.state != VALUE_OK || !metric_write_range(number->metric, number->predicted.v, out))
		buf_puts(out, "");
}

static int most(int a, int b)
{
	return a > b ? a : b;
}

/* The columns of the longest formula. */
static int numbers_formula_columns(const struct view_numbers *numbers)
{
	int cols = 0;
	for (int i = 0; i < numbers->n_rows; i++) {
		struct buf text = {0};
		metric_formula(numbers->rows[i].metric, numbers->rows[i].counted, &text);
		cols = most(cols, utf8_columns(buf_str(&text)));
		buf_free(&text);
	}
	return cols;
}

/* A short unit follows the label where units have no column and it fits; longer ones are words of the label. */
static void label_unit(enum metric_id metric, struct buf *out)
{
	const char *unit = metric_table[metric].unit;
	if (utf8_columns(unit) <= 2 && *unit)
		buf_printf(out, " (%s)", unit);
}

void view_number_label_text(int metric, int cols, struct buf *out)
{
	static const struct {
		const char *from, *to;
	} shorter[] = {{" / request", "/req"}, {" / instruction", "/inst"}, {"global load bytes", "load bytes"},
		{"global store bytes", "store bytes"}, {"bytes used of moved", "used of moved"},
		{"throughput of peak", "of peak"}};
	const char *label = metric_table[metric].label;
	for (size_t i = 0; utf8_columns(label) > cols && i < sizeof shorter / sizeof *shorter; i++) {
		const char *at = strstr(label, shorter[i].from);
		if (at) {
			buf_append(out, label, (size_t)(at - label));
			buf_puts(out, shorter[i].to);
			buf_puts(out, at + strlen(shorter[i].from));
			return;
		}
	}
	buf_puts(out, label);
}

/* The columns of the longest label with its unit. */
static int number_label_columns(const struct view_numbers *numbers)
{
	int cols = 0;
	for (int i = 0; i < numbers->n_rows; i++) {
		struct buf text = {0};
		buf_puts(&text, metric_table[numbers->rows[i].metric].label);
		label_unit(numbers->rows[i].metric, &text);
		cols = most(cols, utf8_columns(buf_str(&text)));
		buf_free(&text);
	}
	return cols;
}

/* Rows of a formula in its column; 0: a name in it would be broken. */
static int formula_rows(const struct view_number *number, int cols)
{
	struct buf text = {0};
	struct view_notes note = {0};
	int longest = 0;
	metric_formula(number->metric, number->counted, &text);
	for (const char *at = buf_str(&text); *at; at += strspn(at, " ")) {
		int n = (int)strcspn(at, " ");
		longest = most(longest, n);
		at += n;
	}
	view_notes_add(&note, ROLE_DIM, "%s", buf_str(&text));
	buf_free(&text);
	return longest > cols ? 0 : view_notes_fit(&note, INT_MAX, cols);
}

#define FORMULA_MIN 40 /* most names have so many columns; in fewer, a stray short one would be all that is there */

/* How many numbers have a range, and the columns of the longest. */
static int count_ranges(const struct view_numbers *numbers, int *cols)
{
	int n = 0;
	*cols = 0;
	for (int i = 0; i < numbers->n_rows; i++) {
		struct buf text = {0};
		range_text(&numbers->rows[i], &text);
		*cols = most(*cols, utf8_columns(buf_str(&text)));
		n += text.len > 0;
		buf_free(&text);
	}
	return n;
}

int view_number_ranges(const struct view_numbers *numbers)
{
	int cols;
	return numbers->other ? 0 : count_ranges(numbers, &cols);
}

int view_number_sides(const struct view_numbers *numbers)
{
	return numbers->other ? 2 : 1;
}

const struct view_number *view_numbers_of(const struct view_numbers *numbers, int side)
{
	return !numbers->other || side == numbers->shown ? numbers->rows : numbers->other;
}

/* --- parts of both forms ------------------------------------------------------------------------------------------ */

static void number_draw_right(struct canvas *canvas, struct rect column, enum role role, const char *text)
{
	int cols = utf8_columns(text), end = column.col + column.cols;
	canvas_text_fit(canvas,
		(struct rect){column.row, end - (cols < column.cols ? cols : column.cols), 1, column.cols}, role, text);
}

/* A column of a row that ends before `end`. */
static struct rect column_before(int row, int end, int cols)
{
	return (struct rect){row, end - cols, 1, cols};
}

/* Why there is nothing measured, where all numbers share a reason, else VALUE_NONE. */
static enum value_state numbers_reason(const struct view_number *rows, int n)
{
	enum value_state why = rows[0].measured.state;
	for (int i = 1; i < n; i++)
		if (rows[i].measured.state != why)
			why = VALUE_NONE;
	return why == VALUE_OK ? VALUE_NONE : why;
}

/* Where it was measured; where nowhere, the reason that all numbers share. */
static void numbers_measured_words(const struct view_numbers *n, struct buf *out)
{
	enum value_state why = numbers_reason(n->rows, n->n_rows);
	buf_puts(out, "measured: ");
	if (n->measured_on)
		buf_puts(out, n->measured_on);
	else
		buf_puts(out, why != VALUE_NONE ? value_reason(why) : "nowhere yet");
}

static enum role numbers_measured_role(const struct view_number *rows, int n)
{
	for (int i = 0; i < n; i++)
		if (rows[i].measured.state == VALUE_OK)
			return value_role(&rows[i].measured, rows[i].measured_by);
	return ROLE_MISSING;
}

static bool numbers_have_estimate(const struct view_numbers *n)
{
	for (int i = 0; i < n->n_rows; i++)
		if (n->rows[i].predicted.state == VALUE_OK && metric_is_estimate(n->rows[i].metric))
			return true;
	return false;
}

static void number_draw_label(struct canvas *canvas, struct rect r, const struct view_input *input,
	enum metric_id metric, enum view_number_label how)
{
	struct buf label = {0};
	view_number_label_text(metric, r.cols, &label);
	size_t bare = label.len;
	if (how == VIEW_NUMBER_WITH_UNIT)
		label_unit(metric, &label);
	if (utf8_columns(buf_str(&label)) > r.cols && label.len > bare)
		label.data[label.len = bare] = '\0';
	canvas_text_fit(canvas, r, ROLE_TEXT, buf_str(&label));
	view_spot_of(
		canvas, input, (struct rect){r.row, r.col, 1, utf8_columns(buf_str(&label))}, THING_METRIC, metric);
	buf_free(&label);
}

/* What a metric means, and what a < says, below its number. */
static struct view_notes meaning_of(const struct view_number *number)
{
	struct view_notes note = {0};
	view_notes_add(&note, ROLE_DIM, "%s%s", metric_table[number->metric].meaning,
		has_waited(number) ? "; < because the GPU counts an access again that had to wait" : "");
	return note;
}

/* What the metric means, in the rows below its number; how many it takes is returned. */
static int number_meaning_rows(const struct view_number *number, int cols)
{
	struct view_notes note = meaning_of(number);
	return view_notes_fit(&note, INT_MAX, cols - MEANING_INDENT);
}

static int number_draw_meaning(struct canvas *canvas, struct rect rect, const struct view_number *number)
{
	struct view_notes note = meaning_of(number);
	int rows = number_meaning_rows(number, rect.cols);
	view_notes_draw(
		canvas, (struct rect){rect.row, rect.col + MEANING_INDENT, rows, rect.cols - MEANING_INDENT}, &note);
	return rows;
}

/* --- while a picture is played: the count so far in the place of what is predicted -------------------------------- */

/* So far, of all there are. */
struct so_far {
	uint64_t now, all;
};

static bool is_one_of(enum metric_id metric, enum access_op op, const enum metric_id of[3])
{
	return metric == of[warp_op_is_atomic(op) ? 2 : op == ACCESS_STORE];
}

/* Wavefronts, conflicts and sectors of the request that is played, cycles of the launch; all 0: of another metric. */
static struct so_far count_so_far(const struct view_input *input, enum metric_id metric)
{
	static const enum metric_id waves[] = {METRIC_SHARED_LD_WAVES_PER_REQUEST, METRIC_SHARED_ST_WAVES_PER_REQUEST,
		METRIC_SHARED_ATOM_WAVES_PER_REQUEST};
	static const enum metric_id conflicts[] = {METRIC_SHARED_LD_CONFLICTS_PER_REQUEST,
		METRIC_SHARED_ST_CONFLICTS_PER_REQUEST, METRIC_SHARED_ATOM_CONFLICTS_PER_REQUEST};
	static const enum metric_id sectors[] = {METRIC_GLOBAL_LD_SECTORS_PER_REQUEST,
		METRIC_GLOBAL_ST_SECTORS_PER_REQUEST, METRIC_GLOBAL_ATOM_SECTORS_PER_REQUEST};
	const struct warp_access *access = input->access;
	const struct schedule_timeline *t = input->times->schedule;
	int now = input->moment, all = now > 0 ? view_moments(input->played, input) : 0;
	if (now <= 0 || now > all)
		return (struct so_far){0};
	if (input->played == VIEW_BANKS && is_one_of(metric, access->op, waves))
		return (struct so_far){(uint64_t)now, (uint64_t)all};
	if (input->played == VIEW_BANKS && is_one_of(metric, access->op, conflicts)) {
		int ideal = access_cost(access, input->cc).ideal_wavefronts;
		return (struct so_far){(uint64_t)(now > ideal ? now - ideal : 0), (uint64_t)(all - ideal)};
	}
	if (input->played == VIEW_SECTORS && is_one_of(metric, access->op, sectors))
		return (struct so_far){(uint64_t)now, (uint64_t)all};
	if (input->played == VIEW_SCHEDULE && metric == METRIC_CYCLES_ACTIVE_MAX && t->origin.unit == TIMELINE_CYCLES)
		return (struct so_far){view_times_until(input, t->end), t->end};
	return (struct so_far){0};
}

/* While a picture is played, the count so far in the place of what is predicted. */
static void number_replace_by_so_far(
	struct view_number_cells *r, const struct view_input *input, enum metric_id metric, int room)
{
	struct so_far n = count_so_far(input, metric);
	if (!n.all)
		return;
	for (int narrow = 0; narrow < 2; narrow++) {
		buf_clear(&r->predicted);
		buf_printf(&r->predicted, narrow ? "%llu/%llu" : "%llu of %llu", (unsigned long long)n.now,
			(unsigned long long)n.all);
		if (utf8_columns(buf_str(&r->predicted)) <= room)
			break;
	}
	r->predicted_role = ROLE_WATCHED;
	r->relation = ' ';
}

/* --- what was recorded on other GPUs, each in a column beside the number measured --------------------------------- */

#define WIDE 100     /* columns of the picture; in fewer there is no such column */
#define VALUE_COLS 8 /* at least */

bool view_elsewhere_is_same(const struct view_number *number, struct value value)
{
	struct buf here = {0}, there = {0};
	bool same = false;
	if (number->measured.state == VALUE_OK && value.state == VALUE_OK) {
		value_format(number->measured.v, &here);
		value_format(value.v, &there);
		same = strcmp(buf_str(&here), buf_str(&there)) == 0;
	}
	buf_free(&here);
	buf_free(&there);
	return same;
}

/* With the sign before the value. */
static int columns_of(const struct view_numbers *numbers, const struct view_elsewhere *elsewhere)
{
	int cols = utf8_columns(elsewhere->name) > VALUE_COLS ? utf8_columns(elsewhere->name) : VALUE_COLS;
	for (int i = 0; i < numbers->n_rows; i++) {
		struct buf text = {0};
		if (elsewhere->measured[i].state == VALUE_OK)
			value_format(elsewhere->measured[i].v, &text);
		cols = text.len && utf8_columns(buf_str(&text)) > cols ? utf8_columns(buf_str(&text)) : cols;
		buf_free(&text);
	}
	return SIGN + cols;
}

/* --- the numbers of one setting ----------------------------------------------------------------------------------- */

/* Ranges that have no column stand below their numbers, where there are rows for that. */
static void fit_ranges(const struct view_numbers *numbers, struct widths *w, int cols, int rows)
{
	int longest, n = count_ranges(numbers, &longest), header = cols < NARROW ? 2 : 1;
	w->ranges_below = n && longest + RANGE_INDENT <= cols && numbers->n_rows + n + header <= rows;
}

/* Gives room in the order of weight: numbers, label, unit, range, ratio, formula. All widths but that of
 * `measured`, which follows the sign and its blanks, include the blanks before the column. */
static struct widths widths_of(const struct view_numbers *numbers, int cols, int rows)
{
	struct widths w = {.predicted = cols < NARROW ? 6 : 10, .measured = 8};
	int label = 0, unit = 0;
	for (int i = 0; i < numbers->n_rows; i++) {
		struct view_number_cells row = number_cells_of(&numbers->rows[i], cols);
		w.predicted = most(w.predicted, utf8_columns(buf_str(&row.predicted)) + 1);
		w.measured = most(w.measured, utf8_columns(buf_str(&row.measured)));
		label = most(label, utf8_columns(metric_table[numbers->rows[i].metric].label));
		unit = most(unit, utf8_columns(metric_table[numbers->rows[i].metric].unit) + 2);
		number_cells_free(&row);
	}
	if (numbers->n_elsewhere)
		w.measured = most(w.measured, utf8_columns(numbers->measured_name));
	int left = cols - w.predicted - SIGN - w.measured;
	/* With long reasons and little room they are cut, and the label keeps half. */
	while (left < cols / 2 && left < label && (w.measured > 8 || w.predicted > 8)) {
		*(w.measured >= w.predicted ? &w.measured : &w.predicted) -= 1;
		left++;
	}
	w.label = left < label ? left : label;
	left -= w.label;

	/* How many columns for other GPUs' recordings fit in a picture of `cols` columns that has `left` of them left;
	 * returns what they take. They begin at `col`, after the number measured, whose column is `measured`; the
	 * picture ends before `end`. */
	int *n = &w.n_elsewhere;
	int taken = 0;
	for (*n = 0; cols >= WIDE && *n < numbers->n_elsewhere; (*n)++) {
		int more = columns_of(numbers, &numbers->elsewhere[*n]);
		if (taken + more > left)
			break;
		taken += more;
	}
	w.elsewhere = taken;

	left -= w.elsewhere;
	w.unit = left >= unit ? unit : 0;
	left -= w.unit;
	int range;
	w.range = count_ranges(numbers, &range) && left >= range + 2 ? range + 2 : 0;
	/* not at the cost of formulas, where there are rows for ranges */
	if (w.range && left >= 9 + 24 && left - w.range - 9 - 2 < numbers_formula_columns(numbers)) {
		fit_ranges(numbers, &w, cols, rows);
		w.range = w.ranges_below ? 0 : w.range;
	}
	left -= w.range;
	w.ratio = left >= 9 && w.unit ? 9 : 0;
	left -= w.ratio;
	if (!w.unit) {
		int more = number_label_columns(numbers) - w.label;
		w.label += more < 0 ? 0 : more < left ? more : left;
	}
	if (left >= 24 && w.ratio)
		w.formula = left - 2 < numbers_formula_columns(numbers) ? left - 2 : numbers_formula_columns(numbers);

	/* Formulas are whole or not there: where they do not fit they take further rows, and those that even so have no
	 * room go. So does one with a name that would be broken. */
	int need = 1;
	if (w.formula && w.formula < numbers_formula_columns(numbers)) {
		for (int i = 0; i < numbers->n_rows; i++)
			need += most(1, formula_rows(&numbers->rows[i], w.formula));
		w.wraps = need <= rows && w.formula >= FORMULA_MIN;
		if (!w.wraps)
			w.formula = 0;
	}

	if (!w.range && !w.ranges_below)
		fit_ranges(numbers, &w, cols, rows);
	int longest;
	if (!w.range && !w.ranges_below && !w.formula && count_ranges(numbers, &longest)) {
		/* Where ranges have neither, the error follows the number if there is room: the column of units gives
		 * way to it, but no label does. */
		int wanted = w.predicted, longest_label = 0;
		for (int i = 0; i < numbers->n_rows; i++) {
			struct view_number_cells row = number_cells_of(&numbers->rows[i], cols);
			struct buf text = {0};
			number_add_off(&numbers->rows[i], &row, cols);
			wanted = most(wanted, utf8_columns(buf_str(&row.predicted)) + 1);
			view_number_label_text(numbers->rows[i].metric, 0, &text);
			longest_label = most(longest_label, utf8_columns(buf_str(&text)));
			number_cells_free(&row);
			buf_free(&text);
		}
		int spare = cols - w.label - w.predicted - SIGN - w.measured - w.elsewhere - w.unit - w.ratio,
		    more = wanted - w.predicted;
		w.offs = true;
		if (spare < more) {
			spare += w.unit + w.ratio + most(w.label - longest_label, 0);
			w.unit = w.ratio = 0;
			w.predicted += spare < more ? most(spare, 0) : more;
			int room = cols - w.predicted - SIGN - w.measured - w.elsewhere,
			    with_units = number_label_columns(numbers);
			w.label = room < with_units ? room : with_units;
		} else {
			w.predicted = wanted;
		}
	}
	return w;
}

static void draw_predicted_head(
	struct canvas *canvas, int row, int end, const struct view_numbers *n, const struct widths *w)
{
	const char *legend = "≈ estimate  predicted (model)";
	bool explains = numbers_have_estimate(n) && utf8_columns(legend) <= w->label + w->predicted;
	number_draw_right(canvas, column_before(row, end, w->label + w->predicted), ROLE_MODEL,
		explains ? legend : "predicted (model)");
}

/* "predicted (model)" and "measured: NVIDIA H200 · live" over their columns; on two rows where that is too wide. */
static int draw_numbers_header(
	struct canvas *canvas, struct rect rect, const struct view_numbers *n, const struct widths *w)
{
	struct buf text = {0};
	numbers_measured_words(n, &text);
	enum role role = numbers_measured_role(n->rows, n->n_rows);
	int row = rect.row, end = rect.col + rect.cols, predicted = rect.col + w->label + w->predicted;
	int measured = predicted + SIGN + w->measured, cols = utf8_columns(buf_str(&text)), rows = 1;
	/* The column, or "live" and "recorded", says "measured" already: that word is the first to go. */
	const char *words = buf_str(&text);
	int room = rect.cols >= NARROW ? end - predicted - SIGN : rect.cols;
	if (cols > room && n->measured_on) {
		words = n->measured_on;
		cols = utf8_columns(words);
	}
	if (w->n_elsewhere) {
		draw_predicted_head(canvas, row, predicted, n, w);

		struct rect heads_measured = column_before(row, measured, w->measured);
		int col = heads_measured.col + heads_measured.cols;
		number_draw_right(canvas, heads_measured, role, n->measured_name);
		for (int k = 0; k < w->n_elsewhere; k++) {
			int heads_cols = columns_of(n, &n->elsewhere[k]);
			number_draw_right(canvas, (struct rect){heads_measured.row, col + SIGN, 1, heads_cols - SIGN},
				view_witness_role(WITNESS_RECORDED), n->elsewhere[k].name);
			col += heads_cols;
		}
		if (end - col > 2) {
			/* Of what is measured and of the columns beside it, as much as has room: with dates, or at
			 * least who says it. */
			struct rect r = {heads_measured.row, col + 2, 1, end - col - 2};
			struct buf all = {0};
			buf_printf(&all, "%s", n->measured_on);
			for (int k = 0; k < w->n_elsewhere; k++)
				buf_printf(&all, "; %s: recorded %s", n->elsewhere[k].name, n->elsewhere[k].date);
			const char *heads_words[] = {buf_str(&all), n->measured_on,
				role == view_witness_role(WITNESS_LIVE) ? "live; others recorded" : "recorded",
				role == view_witness_role(WITNESS_LIVE) ? "live" : ""};
			size_t i = 0;
			while (i + 1 < sizeof heads_words / sizeof *heads_words &&
				utf8_columns(heads_words[i]) > r.cols)
				i++;
			canvas_text_fit(canvas, r, ROLE_DIM, heads_words[i]);
			buf_free(&all);
		}
	} else if (rect.cols >= NARROW && cols <= room) {
		draw_predicted_head(canvas, row, predicted, n, w);
		int col = measured - 8 < end - cols ? measured - 8 : end - cols;
		canvas_text(canvas, row, col, role, words);
	} else {
		/* the row of its own must not cost the numbers theirs: then the column says live or recorded */
		bool own = rect.rows >= n->n_rows + 2 || rect.rows > 4;
		if (own)
			canvas_text_fit(canvas, (struct rect){row++, rect.col, 1, rect.cols}, role, words);
		number_draw_right(canvas, column_before(row, predicted, w->predicted - 1), ROLE_MODEL,
			w->predicted > 9 ? "predicted" : "model");
		number_draw_right(canvas, column_before(row, measured, w->measured), role,
			own || role == ROLE_MISSING ? "measured"
				: role == ROLE_LIVE ? "live"
						    : "recorded");
		rows = row - rect.row + 1;
	}
	buf_free(&text);
	return rows;
}

/* Returns the rows it took. */
static int draw_number_row(struct canvas *canvas, struct rect rect, const struct view_input *input,
	const struct view_number *number, const struct widths *w)
{
	struct view_number_cells r = number_cells_of(number, rect.cols);
	if (w->offs)
		number_add_off(number, &r, w->predicted - 1);
	number_replace_by_so_far(&r, input, number->metric, w->predicted - 1);
	int row = rect.row, col = rect.col + w->label + w->predicted;
	number_draw_label(canvas, (struct rect){row, rect.col, 1, w->label}, input, number->metric,
		w->unit ? VIEW_NUMBER_BARE : VIEW_NUMBER_WITH_UNIT);
	number_draw_right(canvas, column_before(row, col, w->predicted - 1), r.predicted_role, buf_str(&r.predicted));
	canvas_put(canvas, row, col + 1, r.relation, r.relation_role);
	col += SIGN + w->measured;
	number_draw_right(canvas, column_before(row, col, w->measured), r.measured_role, buf_str(&r.measured));

	const struct view_numbers *numbers = input->numbers;
	for (int k = 0; k < w->n_elsewhere; k++) {
		const struct view_elsewhere *elsewhere = &numbers->elsewhere[k];
		struct value value = elsewhere->measured[number - numbers->rows];
		int cols = columns_of(numbers, elsewhere);
		bool same = view_elsewhere_is_same(number, value), both = number->measured.state == VALUE_OK;
		struct rect column = {row, col + SIGN, 1, cols - SIGN};
		struct buf text = {0};
		if (value.state == VALUE_OK)
			value_format(value.v, &text);
		number_draw_right(canvas, column,
			value.state != VALUE_OK ? ROLE_MISSING
				: same          ? ROLE_DIM
						: view_witness_role(WITNESS_RECORDED),
			text.len ? buf_str(&text) : "–");
		if (value.state == VALUE_OK && both)
			canvas_put(canvas, row, col + 1, same ? '=' : GLYPH_NOT_EQUAL, same ? ROLE_DIM : ROLE_STRONG);
		buf_free(&text);
		col += cols;
	}

	number_cells_free(&r);
	if (w->unit)
		canvas_text_fit(canvas, (struct rect){row, col + 2, 1, w->unit - 2}, ROLE_DIM,
			metric_table[number->metric].unit);
	col += w->unit;
	struct buf range = {0};
	range_text(number, &range);
	if (w->range)
		canvas_text_fit(canvas, (struct rect){row, col + 2, 1, w->range - 2}, ROLE_DIM, buf_str(&range));
	else if (w->ranges_below && range.len)
		canvas_text_fit(canvas, (struct rect){row + 1, rect.col + RANGE_INDENT, 1, rect.cols - RANGE_INDENT},
			ROLE_DIM, buf_str(&range));
	int rows = 1 + (w->ranges_below && range.len);
	buf_free(&range);
	col += w->range;
	bool differs = r.relation == GLYPH_NOT_EQUAL || r.relation == '<';
	if (w->ratio && differs && number->predicted.v > 0) {
		/* Measured of predicted, of numbers that print differently; not where the ratio prints as 1, which says
		 * nothing. */
		struct buf text = {0};
		buf_puts(&text, "×");
		value_format(number->measured.v / number->predicted.v, &text);
		if (strcmp(buf_str(&text), "×1") != 0)
			canvas_text_fit(canvas, (struct rect){row, col + 1, 1, w->ratio - 1}, ROLE_DIM, buf_str(&text));
		buf_free(&text);
	}
	int of_formula = !w->formula ? 0 : w->wraps ? formula_rows(number, w->formula) : 1;
	if (of_formula) {
		struct view_notes note = {0};
		struct buf text = {0};
		metric_formula(number->metric, number->counted, &text);
		view_notes_add(&note, ROLE_DIM, "%s", buf_str(&text));
		view_notes_draw(canvas, (struct rect){row, col + w->ratio + 2, of_formula, w->formula}, &note);
		buf_free(&text);
	}
	return most(rows, of_formula);
}

/* --- two settings beside each other: of each, what is predicted and what was measured ----------------------------- */

#define BELOW 66  /* columns; in fewer the numbers stand in a row below their label */
#define WORDS 100 /* columns; in fewer a dash says that a metric is not modeled */
#define PREDICTED_COLS 9
#define FACTOR_COLS 8
#define BETWEEN 3 /* a line with its blanks */
#define NARROW_BETWEEN 2
#define ESTIMATE "≈ estimate"
#define MAKER "NVIDIA "

struct columns {
	int label, predicted, measured, between;
	int factor, formula; /* 0: there is none */
	bool below;
	bool low; /* names have no row of witnesses below them */
};

/* In how many columns a row's words are chosen. */
static int words_cols(int cols)
{
	return cols < WORDS ? NARROW - 1 : cols;
}

static int side_cols(const struct columns *c)
{
	return c->predicted + SIGN + c->measured;
}

/* The first column of a side. */
static int side_col(const struct columns *c, int side)
{
	return c->label + (c->below ? 0 : 1) + side * (side_cols(c) + c->between);
}

/* Columns for the values; `reasons`: also for why there are none. */
static void widen(struct columns *c, const struct view_numbers *numbers, int cols, bool reasons)
{
	for (int i = 0; i < 2 * numbers->n_rows; i++) {
		const struct view_number *number = &view_numbers_of(numbers, i % 2)[i / 2];
		struct view_number_cells cells = number_cells_of(number, words_cols(cols));
		if (reasons || number->predicted.state == VALUE_OK)
			c->predicted = most(c->predicted, utf8_columns(buf_str(&cells.predicted)));
		if (reasons || number->measured.state == VALUE_OK)
			c->measured = most(c->measured, utf8_columns(buf_str(&cells.measured)));
		number_cells_free(&cells);
	}
}

/* Columns that are left over. */
static int left_over(const struct columns *c, int cols)
{
	return cols - side_col(c, 1) - side_cols(c);
}

/* Numbers come before labels, these before reasons, then come factors, and formulas are last. */
static struct columns fit_columns(const struct view_numbers *numbers, int cols)
{
	struct columns c = {.label = most(number_label_columns(numbers),
				    numbers_have_estimate(numbers) ? utf8_columns(ESTIMATE) : 0),
		.predicted = PREDICTED_COLS,
		.measured = VALUE_COLS,
		.between = BETWEEN};
	if (cols < BELOW) {
		int half = (cols - NARROW_BETWEEN) / 2;
		c.below = true;
		c.label = 0;
		c.between = cols - 2 * half;
		c.measured = VALUE_COLS;
		c.predicted = half - SIGN - c.measured;
		return c;
	}
	widen(&c, numbers, cols, false);
	int over = -left_over(&c, cols);
	for (; over > 0 && (c.predicted > VALUE_COLS || c.measured > VALUE_COLS); over -= 2)
		*(c.measured >= c.predicted ? &c.measured : &c.predicted) -= 1;
	c.label -= over > 0 ? over : 0;
	struct columns wider = c;
	widen(&wider, numbers, cols, true);
	if (left_over(&wider, cols) >= 0)
		c = wider;
	c.factor = left_over(&c, cols) >= FACTOR_COLS ? FACTOR_COLS : 0;
	int formula = numbers_formula_columns(numbers) + 2;
	c.formula = c.factor && left_over(&c, cols) - c.factor >= formula ? formula : 0;
	return c;
}

/* Names over witnesses; in a low rectangle names alone. Returns the rows they take. */
static int draw_heads(struct canvas *canvas, struct rect rect, const struct view_numbers *n, const struct columns *c)
{
	struct buf text = {0};
	/* Where they were measured, before the names, or in a row of its own where that is wanted to read it and there
	 * is one; without the word that stands over the columns, too, where there is no room for it. */
	int where_cols = c->below ? rect.cols : c->label;
	enum value_state why[2];
	for (int side = 0; side < 2; side++)
		why[side] = numbers_reason(view_numbers_of(n, side), n->n_rows);
	if (!n->measured_on && why[0] != why[1])
		buf_printf(
			&text, "%s: %s; %s: %s", n->names[0], value_reason(why[0]), n->names[1], value_reason(why[1]));
	else
		numbers_measured_words(n, &text);
	if (utf8_columns(buf_str(&text)) > where_cols && n->measured_on) {
		buf_clear(&text);
		buf_puts(&text, n->measured_on);
	}

	bool own = c->below ? rect.rows > 4 : utf8_columns(buf_str(&text)) > c->label && rect.rows > n->n_rows + 2;
	/* "recorded" stands over the columns, too */
	const char *comma = n->measured_on && !strchr(n->measured_on, ';') ? strchr(buf_str(&text), ',') : NULL;
	if (!own && !c->low && comma && utf8_columns(buf_str(&text)) > c->label)
		text.data[text.len = (size_t)(comma - text.data)] = '\0';
	/* and which maker's it is goes without saying */
	const char *words = buf_str(&text);
	if (!own && utf8_columns(words) > c->label && strncmp(words, MAKER, strlen(MAKER)) == 0)
		words += strlen(MAKER);
	if (own || !c->below)
		canvas_text_fit(canvas, (struct rect){rect.row, rect.col, 1, own ? rect.cols : c->label},
			numbers_measured_role(n->rows, n->n_rows), words);
	buf_free(&text);

	bool low = c->low;
	int row = rect.row + own, last = c->label + 1 + 2 * side_cols(c) + c->between;
	for (int side = 0; side < 2; side++) {
		int col = rect.col + side_col(c, side);
		struct rect r = {row, col, 1, side_cols(c)};
		number_draw_right(canvas, r, side == n->shown ? ROLE_TITLE : ROLE_DIM, n->names[side]);
		if (!low) {
			/* The witnesses of a side. */
			enum role role = numbers_measured_role(view_numbers_of(n, side), n->n_rows);
			number_draw_right(canvas, (struct rect){row + 1, col, 1, c->predicted}, ROLE_MODEL,
				c->predicted >= PREDICTED_COLS ? "predicted" : "model");
			number_draw_right(canvas, (struct rect){row + 1, col + c->predicted + SIGN, 1, c->measured},
				role,
				role == ROLE_LIVE               ? "live"
					: role == ROLE_RECORDED ? "recorded"
								: "measured");
		}
	}
	if (!low && !c->below && numbers_have_estimate(n))
		canvas_text_fit(canvas, (struct rect){row + 1, rect.col, 1, c->label}, ROLE_MODEL, ESTIMATE);
	if (!low && c->factor)
		number_draw_right(
			canvas, (struct rect){row + 1, rect.col + last, 1, c->factor - 1}, ROLE_DIM, "factor");
	return row + (low ? 1 : 2) - rect.row;
}

/* A reason is there as a whole, or a dash for it. */
static void draw_value(
	struct canvas *canvas, struct rect r, enum role role, const struct value *value, struct buf *text)
{
	bool cut = value->state != VALUE_OK && utf8_columns(buf_str(text)) > r.cols;
	number_draw_right(canvas, r, role, cut ? "–" : buf_str(text));
}

static void numbers_draw_beside(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	const struct view_numbers *n = input->numbers;
	struct columns c = fit_columns(n, rect.cols);
	c.low = rect.rows < 4 && !(rect.rows == 3 && n->n_rows == 1);
	int heads = draw_heads(canvas, rect, n, &c), row = rect.row + heads, end = rect.row + rect.rows;
	int each = 1 + c.below, room = end - row, meanings = 0, names = row - (c.low ? 1 : 2);
	int shown = n->n_rows * each <= room ? n->n_rows : (room - 1) / each;
	for (int i = 0; i < n->n_rows; i++)
		meanings += number_meaning_rows(&n->rows[i], rect.cols);
	bool means = input->roomy && n->n_rows + meanings <= room, gaps = means && 2 * n->n_rows + meanings <= room;
	for (int i = 0; i < shown; i++) {
		int label = c.below ? rect.cols : c.label, pair_end = rect.col + side_col(&c, 1) + side_cols(&c);
		number_draw_label(canvas, (struct rect){row, rect.col, 1, label}, input, n->rows[i].metric,
			VIEW_NUMBER_WITH_UNIT);
		for (int side = 0; side < 2; side++) {
			int side_row = row + c.below;
			const struct view_number *number = &view_numbers_of(n, side)[i];
			struct view_number_cells cells = number_cells_of(number, words_cols(rect.cols));
			int col = rect.col + side_col(&c, side);
			number_add_off(number, &cells, c.predicted);
			if (side == n->shown)
				number_replace_by_so_far(&cells, input, number->metric, c.predicted);
			draw_value(canvas, (struct rect){side_row, col, 1, c.predicted}, cells.predicted_role,
				&number->predicted, &cells.predicted);
			col += c.predicted;
			canvas_put(canvas, side_row, col + 1, cells.relation, cells.relation_role);
			draw_value(canvas, (struct rect){side_row, col + SIGN, 1, c.measured}, cells.measured_role,
				&number->measured, &cells.measured);
			number_cells_free(&cells);
		}
		if (c.factor) {
			/* By what factor the second is more or less than the first, of what was measured of both, or
			 * else of what is predicted of both; nothing where that prints as 1. */
			struct rect r = {row, pair_end, 1, c.factor - 1};
			const struct view_number *a = &view_numbers_of(n, 0)[i];
			const struct view_number *b = &view_numbers_of(n, 1)[i];
			struct buf text = {0}, out = {0};
			bool measured = a->measured.state == VALUE_OK && b->measured.state == VALUE_OK,
			     predicted = a->predicted.state == VALUE_OK && b->predicted.state == VALUE_OK;
			double first = measured ? a->measured.v : a->predicted.v,
			       second = measured ? b->measured.v : b->predicted.v;
			if ((measured || predicted) && first > 0 && second > 0) {
				bool less = second < first;
				value_format(less ? first / second : second / first, &text);
				if (strcmp(buf_str(&text), "1") != 0) {
					buf_printf(&out, "%s%s", less ? "÷" : "×", buf_str(&text));
					number_draw_right(canvas, r, ROLE_STRONG, buf_str(&out));
				}
			}
			buf_free(&text);
			buf_free(&out);
		}
		if (c.formula) {
			struct buf text = {0};
			metric_formula(n->rows[i].metric, n->rows[i].counted, &text);
			canvas_text_fit(canvas, (struct rect){row, pair_end + c.factor + 2, 1, c.formula - 2}, ROLE_DIM,
				buf_str(&text));
			buf_free(&text);
		}

		row += each;
		if (means)
			row += number_draw_meaning(canvas, (struct rect){row, rect.col, 0, rect.cols}, &n->rows[i]) +
				gaps;
	}
	if (shown < n->n_rows && room > 0)
		canvas_textf(canvas, row, rect.col, ROLE_DIM, "⋮ %d more", n->n_rows - shown);
	int line = rect.col + side_col(&c, 0) + side_cols(&c) + 1;
	for (int at = names; !c.below && !means && at < row; at++)
		canvas_put(canvas, at, line, GLYPH_LINE_V, ROLE_FRAME);
}

int view_number_rows(const struct view_numbers *numbers, int cols)
{
	if (!numbers->other)
		return numbers->n_rows + 1;
	return cols < BELOW ? 2 * numbers->n_rows + 3 : numbers->n_rows + 2;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

/* The unit after such a number: "2 branches", "1 branch", "1 us". */
static void describe_unit(const struct metric *metric, double number, struct buf *out)
{
	const char *unit = metric->unit;
	size_t len = strlen(unit);
	bool is_word = len > 2 && unit[len - 1] == 's';
	if (number == 1 && is_word)
		len -= len > 4 && strcmp(unit + len - 4, "ches") == 0 ? 2 : 1;
	buf_printf(out, "%s%.*s", len ? " " : "", (int)len, unit);
}

void view_describe_numbers(const struct view_input *input, struct buf *out)
{
	const struct view_numbers *numbers = input->numbers;
	for (int i = 0; i < numbers->n_rows; i++) {
		buf_printf(out, "%s: ", metric_table[numbers->rows[i].metric].label);
		for (int side = 0; side < view_number_sides(numbers); side++) {
			if (numbers->other)
				buf_printf(out, "%s%s ", side ? "; " : "", numbers->names[side]);

			const struct view_number *number = &view_numbers_of(numbers, side)[i];
			const struct metric *metric = &metric_table[number->metric];
			view_describe_predicted(number->metric, number->predicted, out);
			if (number->measured.state != VALUE_OK && number->predicted.state == VALUE_OK)
				describe_unit(metric, number->predicted.v, out);
			view_describe_witness(", measured", number->measured, out);
			if (number->measured.state == VALUE_OK)
				describe_unit(metric, number->measured.v, out);
		}
		for (int k = 0; k < numbers->n_elsewhere; k++) {
			/* ", the same on H100", ", 9.86 us on H100" */
			const struct view_elsewhere *describe_elsewhere = &numbers->elsewhere[k];
			const struct view_number *number = &numbers->rows[i];
			struct value value = describe_elsewhere->measured[i];
			if (view_elsewhere_is_same(number, value))
				buf_printf(out, ", the same on %s", describe_elsewhere->name);
			if (value.state != VALUE_OK || view_elsewhere_is_same(number, value))
				continue;
			buf_puts(out, ", ");
			view_describe_value(value, out);
			describe_unit(&metric_table[number->metric], value.v, out);
			buf_printf(out, " on %s", describe_elsewhere->name);
		}
		buf_puts(out, ".\n");
	}
	if (numbers->measured_on)
		buf_printf(out, "Measured on %s.\n", numbers->measured_on);
	for (int k = 0; k < numbers->n_elsewhere; k++)
		buf_printf(out, "%s: recorded on %s, %s.\n", numbers->elsewhere[k].name, numbers->elsewhere[k].gpu,
			numbers->elsewhere[k].date);
}

/* In the large form, where all of them have room, each with what it means. */
static void draw_numbers(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	const struct view_numbers *numbers = input->numbers;
	if (numbers->other) {
		numbers_draw_beside(canvas, rect, input);
		return;
	}
	struct widths widths = widths_of(numbers, rect.cols, rect.rows);
	int row = rect.row + draw_numbers_header(canvas, rect, numbers, &widths), end = rect.row + rect.rows;
	int shown = numbers->n_rows;
	if (shown > end - row)
		shown = end - row - 1;

	/* Rows of all numbers with their meanings. */
	int all = 0;
	for (int i = 0; i < numbers->n_rows; i++) {
		struct buf range = {0};
		range_text(&numbers->rows[i], &range);
		all += number_meaning_rows(&numbers->rows[i], rect.cols);
		all += most(1 + (widths.ranges_below && range.len),
			widths.formula && widths.wraps ? formula_rows(&numbers->rows[i], widths.formula) : 1);
		buf_free(&range);
	}

	bool means = input->roomy && all <= end - row, gaps = all + numbers->n_rows <= end - row;
	for (int i = 0; i < shown; i++) {
		row += draw_number_row(
			canvas, (struct rect){row, rect.col, 1, rect.cols}, input, &numbers->rows[i], &widths);
		if (means)
			row += number_draw_meaning(
				       canvas, (struct rect){row, rect.col, 0, rect.cols}, &numbers->rows[i]) +
				gaps;
	}
	if (shown < numbers->n_rows)
		canvas_textf(canvas, row, rect.col, ROLE_DIM, "⋮ %d more", numbers->n_rows - shown);
}

const struct view_drawer view_drawer_numbers = {.draw = draw_numbers, .lacks = numbers_lacks};
