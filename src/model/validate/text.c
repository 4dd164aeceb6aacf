#include "model/validate/trial.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- writing ------------------------------------------------------------------------------------------------------ */

void validate_trial_record(const struct trial *trial, struct buf *out)
{
	buf_printf(out, "program %" PRIu64 " %d\ninputs", trial->seed, trial->lanes);
	for (int i = 0; i < trial->n_inputs; i++)
		buf_printf(out, " %s", ptx_type_name(trial->inputs[i]));
	buf_putc(out, '\n');
	for (int i = 0; i < trial->n_steps; i++) {
		const struct trial_step *step = &trial->steps[i];
		buf_puts(out, step->form->spelling);
		if (step->second)
			buf_putc(out, '|');
		if (step->bytes != validate_trial_destination_bytes(step->form))
			buf_printf(out, ">%d", step->bytes);
		for (int k = 0; k < step->n_sources; k++) {
			const struct trial_source *s = &step->sources[k];
			if (s->kind == TRIAL_CONSTANT)
				buf_printf(out, " 0x%" PRIx64, s->constant);
			else
				buf_printf(out, " %s%c%d", s->negated ? "!" : "", s->kind == TRIAL_INPUT ? 'i' : 'r',
					s->index);
		}
		if (step->recorded)
			buf_printf(out, " = %016" PRIx64, step->hash);
		buf_putc(out, '\n');
	}
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

struct recording_reader {
	struct forms *forms;
	struct trial *trial;
	const char *name, *text;
	size_t len;
	const char *line; /* being read */
	int number;
	char *rest; /* of its words, for strtok_r */
	struct diag *diag;
};

static bool report_line(struct recording_reader *r, const char *what, const char *word)
{
	struct diag_pos pos = {.file = r->name, .line = r->number, .col = 1, .text = r->text, .text_len = r->len};
	diag_error(r->diag, pos, word ? "%s '%.60s'" : "%s", what, word);
	return false;
}

static bool read_number(const char *word, int base, uint64_t *out)
{
	char *end;
	if (!word || !*word || !strchr("0123456789abcdef", *word))
		return false;
	*out = strtoull(word, &end, base);
	return !*end;
}

static bool read_source(struct recording_reader *r, const char *word, struct trial_source *out)
{
	const struct trial *t = r->trial;
	uint64_t number;
	*out = (struct trial_source){.negated = *word == '!'};
	word += out->negated;
	if (strncmp(word, "0x", 2) == 0) {
		out->kind = TRIAL_CONSTANT;
		return read_number(word + 2, 16, &out->constant);
	}
	out->kind = *word == 'i' ? TRIAL_INPUT : TRIAL_RESULT;
	if ((*word != 'i' && *word != 'r') || !read_number(word + 1, 10, &number) ||
		number >= (uint64_t)(*word == 'i' ? t->n_inputs : t->n_results))
		return false;
	out->index = (int)number;
	return true;
}

static bool read_line(struct recording_reader *r, char *line, trial_fn *each, void *ctx, bool *go_on)
{
	char *word = strtok_r(line, " ", &r->rest);
	uint64_t format;
	if (!word || *word == '#')
		return true;
	if (r->number == 1) {
		char *second = strtok_r(NULL, " ", &r->rest), *third = strtok_r(NULL, " ", &r->rest);
		return (!strcmp(word, "simttutor") && second && !strcmp(second, "validate") &&
			       read_number(third, 10, &format) && format == TRIAL_FORMAT) ||
			report_line(r, "no recording of this format", NULL);
	}

	if (!strcmp(word, "program")) {
		*go_on = !r->trial->n_steps || each(ctx, r->trial);
		uint64_t seed, lanes;
		if (!read_number(strtok_r(NULL, " ", &r->rest), 10, &seed) ||
			!read_number(strtok_r(NULL, " ", &r->rest), 10, &lanes) || lanes == 0 || lanes % WARP_SIZE ||
			lanes > TRIAL_LANES_MAX)
			return report_line(r, "a program has a seed and 32 to 128 lanes", NULL);
		memset(r->trial, 0, sizeof *r->trial);
		r->trial->seed = seed;
		r->trial->lanes = (int)lanes;
		return true;
	}

	if (strcmp(word, "inputs") != 0) {
		struct trial *t = r->trial;
		struct trial_operand operands[TRIAL_SOURCES_MAX];
		if (!t->lanes || t->n_steps == TRIAL_STEPS_MAX)
			return report_line(r, "an instruction that is in no program:", word);
		struct trial_step *step = &t->steps[t->n_steps];
		*step = (struct trial_step){0};

		/* The opcode with its marks. */
		char *wider = strchr(word, '>');
		uint64_t bytes = 0;
		if (wider)
			*wider++ = '\0';
		size_t len = strlen(word);
		step->second = len && word[len - 1] == '|';
		step->form = validate_forms_find(r->forms, word, len - step->second, &step->number);
		if (!step->form)
			return report_line(r, "no instruction that can be validated:", word);
		if (wider && (!read_number(wider, 10, &bytes) || bytes > 8))
			return report_line(r, "no width of a register:", wider);
		step->bytes = (uint8_t)(wider ? bytes : validate_trial_destination_bytes(step->form));

		int n = validate_trial_operands(step->form, operands);
		while ((word = strtok_r(NULL, " ", &r->rest)) != NULL && strcmp(word, "=") != 0)
			if (step->n_sources >= n || !read_source(r, word, &step->sources[step->n_sources++]))
				return report_line(r, "no operand that fits:", word);
		if (step->n_sources != n)
			return report_line(r, "operands are missing", NULL);

		if (word) {
			char *hash_word = strtok_r(NULL, " ", &r->rest);
			step->recorded = true;
			if (!read_number(hash_word, 16, &step->hash) &&
				!report_line(r, "no hash:", hash_word ? hash_word : ""))
				return false;
		}

		t->n_steps++;
		return validate_trial_add_results(t, step) || report_line(r, "too many results", NULL);
	}
	while ((word = strtok_r(NULL, " ", &r->rest)) != NULL) {
		int type = PTX_NO_TYPE + 1;
		while (type < PTX_TYPES && strcmp(ptx_type_name((enum ptx_type)type), word) != 0)
			type++;
		/* elements of matrices that are less than a byte are in no register of their own */
		if (type == PTX_TYPES || (type != PTX_PRED && ptx_type_bytes((enum ptx_type)type) == 0) ||
			r->trial->n_inputs == TRIAL_INPUTS_MAX)
			return report_line(r, "no type, or one too many:", word);
		r->trial->inputs[r->trial->n_inputs++] = (enum ptx_type)type;
	}
	return true;
}

bool validate_trial_read_all(
	struct forms *forms, const struct trial_recording *recording, trial_fn *each, void *ctx, struct diag *diag)
{
	const char *text = recording->text;
	size_t len = recording->len;
	struct arena *arena = arena_new();
	struct recording_reader r = {.forms = forms,
		.trial = arena_array(arena, struct trial, 1),
		.name = recording->name,
		.text = text,
		.len = len,
		.diag = diag};
	bool ok = true, go_on = true;
	for (size_t at = 0; ok && go_on && at < len;) {
		size_t n = strcspn(text + at, "\n");
		r.number++;
		char *line = arena_strndup(arena, text + at, n);
		ok = read_line(&r, line, each, ctx, &go_on);
		at += n + 1;
	}
	if (ok && !r.number)
		ok = report_line(&r, "it is empty", NULL);
	if (ok && go_on && r.trial->n_steps)
		each(ctx, r.trial);
	arena_free(arena);
	return ok;
}
