/* How a program is put together. Every choice comes from the seed. */
#include <string.h>

#include "machine/ptx/ops.h"
#include "machine/warp/warp.h"
#include "model/validate/trial.h"

#define STEPS 40

struct trial_choice validate_choice_new(struct arena *arena, struct forms *forms)
{
	return (struct trial_choice){.forms = forms, .enabled = arena_array(arena, bool, PTX_OPS)};
}

struct generator {
	struct trial *trial;
	const struct trial_choice *choice;
	struct arena *arena;
	uint64_t state;
	int *rows, n_rows; /* enabled ones; those with many forms stand there more than once */
};

static bool chance(struct generator *g, uint32_t of)
{
	return validate_values_below(&g->state, of) == 0;
}

/* --- sources ------------------------------------------------------------------------------------------------------ */

static struct trial_source new_input(struct generator *g, enum ptx_type type)
{
	g->trial->inputs[g->trial->n_inputs] = type;
	return (struct trial_source){.kind = TRIAL_INPUT, .index = g->trial->n_inputs++};
}

static uint32_t input_bytes(const struct trial *trial, int index)
{
	return validate_trial_register_bytes(trial->inputs[index]);
}

/* Constants are written for whole numbers and for single and double precision; video instructions take registers. */
static bool takes_constant(const struct ptx_form *form, const struct trial_operand *operand, bool first)
{
	if (ptx_op_rows[form->op].mods & 1ull << PTX_MOD_BYTES)
		return false;
	/* ptxas turns the subtraction of a constant into an addition of the negated one, whose NaN has the other sign,
	 * and reorders constant factors and summands, also in the loop that it makes of an atomic addition to shared
	 * memory: of two NaN the sum is the other one. */
	enum ptx_kind constants_kind = instr_kind(form);
	if (form->type == PTX_F64 &&
		(constants_kind == PTX_KIND_FLOAT || constants_kind == PTX_KIND_ATOMIC ||
			constants_kind == PTX_KIND_REDUCTION))
		return false;

	char kind = ptx_type_kind(operand->type);
	return !first && strchr("aux", operand->letter) && kind != 'P' && ptx_type_bytes(operand->type) >= 2 &&
		(kind != 'F' || operand->type == PTX_F32 || operand->type == PTX_F64) &&
		!strchr(ptx_type_name(operand->type), 'x');
}

static struct trial_source choose_source(struct generator *g, const struct ptx_form *form,
	const struct trial_operand *operand, const struct trial_source *before)
{
	uint32_t bytes = validate_trial_register_bytes(operand->type), how = validate_values_below(&g->state, 16);
	if (operand->relaxed && ptx_type_kind(operand->type) != 'F' && !validate_forms_is_exact(form))
		while (bytes < 8 && chance(g, 4))
			bytes *= 2;
	static const enum ptx_type wider[] = {[2] = PTX_B16, [4] = PTX_B32, [8] = PTX_B64};
	enum ptx_type type = ptx_type_bytes(operand->type) == bytes ? operand->type : wider[bytes];
	if (how < 2 && takes_constant(form, operand, before == NULL)) {
		/* Positions and lengths of fields are constants of 8 bits; registers may hold more. Of a bfe.s32 whose
		 * position and length are constants, the position past the word, ptxas makes -1 for any word. Of
		 * constant shift counts it drops the upper bits where 16 bits are shifted (0x80000001 shifts by 1). The
		 * instructions do neither. */
		bool field = form->op == PTX_OP_BFE || form->op == PTX_OP_BFI,
		     shift = form->op == PTX_OP_SHL || form->op == PTX_OP_SHR;
		uint64_t field_most = form->op == PTX_OP_BFE && form->type == PTX_S32 ? 0x1F : 0xFF;
		uint64_t most = operand->letter != 'u' ? UINT64_MAX : field ? field_most : shift ? 0xFFFF : UINT64_MAX;
		uint64_t value = validate_values_one(&g->state, operand->type) & most;
		return (struct trial_source){.kind = TRIAL_CONSTANT, .constant = value};
	}
	if (how == 2 && before && before->kind == TRIAL_INPUT && input_bytes(g->trial, before->index) == bytes)
		return *before; /* twice the same */

	if (how < 9) {
		/* An earlier result of that width; not an approximate one, since results that depend on it could not be
		 * compared. */
		struct trial *t = g->trial;
		int start = t->n_results ? (int)validate_values_below(&g->state, (uint32_t)t->n_results) : 0;
		for (int i = 0; i < t->n_results; i++) {
			int index = (start + i) % t->n_results;
			const struct trial_result *r = &t->results[index];
			if (r->bytes != bytes || validate_forms_is_approximate(t->steps[r->step].form))
				continue;
			return (struct trial_source){.kind = TRIAL_RESULT, .index = index};
		}
	}

	if (how < 11 || g->trial->n_inputs == TRIAL_INPUTS_MAX) {
		/* an input of that width that was used before, or with none a new one */
		struct trial *t = g->trial;
		int start = t->n_inputs ? (int)validate_values_below(&g->state, (uint32_t)t->n_inputs) : 0;
		for (int i = 0; i < t->n_inputs; i++) {
			int index = (start + i) % t->n_inputs;
			if (input_bytes(t, index) == bytes && (t->inputs[index] == PTX_PRED) == (type == PTX_PRED))
				return (struct trial_source){.kind = TRIAL_INPUT, .index = index};
		}
		return new_input(g, type);
	}
	return new_input(g, type);
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

static bool room_for_step(const struct trial *t)
{
	return t->n_steps < TRIAL_STEPS_MAX && t->n_inputs + TRIAL_SOURCES_MAX <= TRIAL_INPUTS_MAX &&
		t->n_results + 3 <= TRIAL_RESULTS_MAX;
}

static void add_step(struct generator *g, int number, const struct ptx_form *form)
{
	struct trial *t = g->trial;
	struct trial_operand operands[TRIAL_SOURCES_MAX];
	int n = validate_trial_operands(form, operands);
	if (n < 0 || !room_for_step(t))
		return;

	/* a second predicate that the form may write, must, or cannot */
	char letter = ptx_op_rows[form->op].operands[0];
	bool is_half = form->op == PTX_OP_SETP_HALF,
	     is_pair = is_half && ptx_type_bytes((enum ptx_type)form->type) == 4;
	bool may = letter == 's' || (letter == 'p' && form->mod[PTX_MOD_CMP] && !is_half);
	bool must = letter == 'K' || (letter == 's' && form->mod[PTX_MOD_BOOL]) || is_pair;
	bool second = must || (may && chance(g, 2));

	uint32_t bytes = validate_trial_destination_bytes(form);
	if (letter == 'D' && ptx_type_kind((enum ptx_type)form->type) != 'F' && !validate_forms_is_exact(form))
		while (bytes < 8 && chance(g, 4))
			bytes *= 2;

	/* with one register as both operands, ptxas makes a copy, which keeps a NaN as it is; the instruction would
	 * not */
	bool folds_with_itself = form->op == PTX_OP_MIN_FLOAT || form->op == PTX_OP_MAX_FLOAT ||
		form->op == PTX_OP_MIN_HALF || form->op == PTX_OP_MAX_HALF;
	struct trial_step *step = &t->steps[t->n_steps++];
	*step = (struct trial_step){
		.form = form, .number = number, .second = second, .bytes = (uint8_t)bytes, .n_sources = n};
	for (int i = 0; i < n; i++) {
		struct trial_source *source = &step->sources[i];
		/* values that an instruction prescribes: the mask of lanes, lop3's table, and fns counts from a bit of
		 * the word */
		*source = (struct trial_source){.kind = TRIAL_CONSTANT};
		if (operands[i].letter == 'e') {
			source->constant = UINT32_MAX;
			continue;
		}
		if (operands[i].letter == 'n') {
			source->constant = validate_values_below(&g->state, 256);
			continue;
		}
		if (form->op == PTX_OP_FNS && i == 1) {
			source->constant = validate_values_below(&g->state, 32);
			continue;
		}
		*source = choose_source(g, form, &operands[i], i ? &step->sources[i - 1] : NULL);
		if (i && folds_with_itself && validate_trial_same_register(source, source - 1))
			*source = new_input(g, operands[i].type);
		source->negated = operands[i].letter == 'q' &&
			(form->mod[PTX_MOD_BOOL] || validate_forms_has_mask(form->op)) && chance(g, 3);
	}
	validate_trial_add_results(t, step);
}

static const struct ptx_form *choose_form(struct generator *g, int op, int *number)
{
	*number = (int)validate_values_below(&g->state, (uint32_t)validate_forms_count(g->choice->forms, op));
	return validate_forms_at(g->choice->forms, op, *number);
}

/* Differences borrow, sums and products carry: the two are not mixed. */
static bool is_difference(int op)
{
	return strncmp(ptx_op_rows[op].spelling, "sub", 3) == 0;
}

static int choose_carry_row(struct generator *g, bool difference, bool reads)
{
	int fit[PTX_OPS], n = 0;
	for (int op = 0; op < PTX_OPS; op++) {
		if (!validate_forms_count(g->choice->forms, op) || is_difference(op) != difference)
			continue;
		const struct ptx_form *form = validate_forms_at(g->choice->forms, op, 0);
		if (reads ? validate_forms_reads_carry(form)
			  : !validate_forms_reads_carry(form) && validate_forms_writes_carry(form))
			fit[n++] = op;
	}
	return n ? fit[validate_values_below(&g->state, (uint32_t)n)] : -1;
}

static struct generator generator_new(struct arena *arena, const struct trial_choice *choice, uint64_t seed)
{
	struct generator g = {
		.trial = arena_array(arena, struct trial, 1), .choice = choice, .arena = arena, .state = seed};
	g.trial->seed = seed;
	g.trial->lanes = WARP_SIZE * (1 + (int)validate_values_below(&g.state, TRIAL_LANES_MAX / WARP_SIZE));
	return g;
}

struct trial *validate_trial_generate(struct arena *arena, const struct trial_choice *choice, uint64_t seed)
{
	struct generator g = generator_new(arena, choice, seed);
	/* a row with more forms is chosen more often, but less than in proportion */
	g.rows = arena_array(arena, int, (size_t)PTX_OPS * 16);
	for (int op = 0; op < PTX_OPS; op++)
		for (int n = choice->enabled[op] ? validate_forms_count(choice->forms, op) : 0; n > 0; n /= 4)
			g.rows[g.n_rows++] = op;

	while (g.n_rows && g.trial->n_steps < STEPS && room_for_step(g.trial)) {
		int number, op = g.rows[validate_values_below(&g.state, (uint32_t)g.n_rows)];
		const struct ptx_form *form = choose_form(&g, op, &number);
		if (validate_forms_reads_carry(form) || validate_forms_writes_carry(form)) {
			/* One that carries out, and those that carry in until one of them does not carry out. */
			bool difference = is_difference(op),
			     reads = validate_forms_reads_carry(validate_forms_at(g.choice->forms, op, 0));
			int row = reads ? choose_carry_row(&g, difference, false) : op;
			while (row >= 0) {
				form = choose_form(&g, row, &number);
				add_step(&g, number, form);
				if (!validate_forms_writes_carry(form) || g.trial->n_steps == TRIAL_STEPS_MAX)
					break;
				row = reads ? op : choose_carry_row(&g, difference, true);
				reads = false;
			}
		} else {
			add_step(&g, number, form);
		}
	}
	return g.trial;
}

struct trial *validate_trial_cover(
	struct arena *arena, const struct trial_choice *choice, uint64_t seed, int op, int *next)
{
	struct generator g = generator_new(arena, choice, seed);
	for (; *next < validate_forms_count(choice->forms, op) && g.trial->n_steps < STEPS && room_for_step(g.trial);
		(*next)++) {
		const struct ptx_form *form = validate_forms_at(choice->forms, op, *next);
		int number,
			writer = validate_forms_reads_carry(form) ? choose_carry_row(&g, is_difference(op), false) : -1;
		if (writer >= 0) {
			const struct ptx_form *before = choose_form(&g, writer, &number);
			add_step(&g, number, before);
		}
		add_step(&g, *next, form);
	}
	return g.trial;
}
