/* Fuzz target of expressions. Both languages read any text or say what is wrong with it, at a place in it; what is an
 * expression over integers is one over numbers, too, and has the same value there. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/expr.h"

#define WORK 20000
#define N_VALUES 4

static const char *const names[] = {"lane", "n"};
static const char *const arrays[] = {"arg0", "arg1"};
static const int64_t values[N_VALUES][2] = {{0, 0}, {31, 1024}, {-1, INT64_MIN}, {INT64_MAX, 3}};

/* A name `metric` and a digit between brackets, as lessons have terms. */
static int read_term(void *ctx, const char *name, size_t len, const char **at, const char **why)
{
	(void)ctx;
	if (len != 6 || memcmp(name, "metric", 6) != 0)
		return -1;
	if (**at != '[' || (*at)[1] < '0' || (*at)[1] > '9' || (*at)[2] != ']') {
		*why = "expected [digit]";
		return -1;
	}
	*at += 3;
	return (*at)[-2] - '0';
}

static bool term_value(void *ctx, int term, struct number *out, const char **why)
{
	(void)ctx;
	*why = "there is none";
	*out = number_real(term / 4.0);
	return term != 9;
}

static bool element_value(void *ctx, int array, int64_t index, struct number *out, const char **why)
{
	(void)ctx;
	*why = "past the end";
	*out = array ? number_real(0.5 * (double)index) : number_whole(~index);
	return index >= 0 && index < 100;
}

/* An error has a place in the text; no error, no complaint. */
static void check_faults(const void *parsed, const struct diag *diag, size_t len)
{
	if (!parsed != (diag->errors > 0))
		abort();
	for (size_t i = 0; i < diag->count; i++)
		if (diag->entries[i].col < 1 || (size_t)diag->entries[i].col > len + 1)
			abort();
}

static void evaluate(const struct expr *whole, const struct expr *numbers, const int64_t at[2])
{
	struct number named[] = {number_whole(at[0]), number_whole(at[1])}, number;
	uint64_t work = WORK;
	struct expr_values from = {.names = named, .element = element_value, .term = term_value, .work = &work};
	int64_t value = 0;
	const char *why = NULL, *why_number = NULL;
	bool has = whole && expr_eval(whole, at, &value, &why);
	bool has_number = numbers && expr_number(numbers, &from, &number, &why_number);
	if ((whole && !has && !*why) || (numbers && !has_number && !*why_number))
		abort();
	if (whole && has && has_number && (number.real || number.i != value))
		abort();
	if (whole && !has && has_number)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct expr_names known = {.names = names, .n = 2};
	struct arena *arena = arena_new();
	struct diag diag = {0}, diag_numbers = {0};
	const char *text = arena_strndup(arena, (const char *)data, size);
	const struct expr *whole = expr_parse(arena, "fuzz", text, &known, &diag);

	known.arrays = arrays;
	known.n_arrays = 2;
	known.term = read_term;
	const struct expr *numbers = expr_parse_numbers(arena, "fuzz", text, &known, &diag_numbers);
	check_faults(whole, &diag, strlen(text));
	check_faults(numbers, &diag_numbers, strlen(text));
	if (whole && !numbers)
		abort();
	for (int i = 0; i < N_VALUES; i++)
		evaluate(whole, numbers, values[i]);
	diag_free(&diag);
	diag_free(&diag_numbers);
	arena_free(arena);
	return 0;
}

#include "replay.h"
