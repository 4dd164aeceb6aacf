#include "wire/wire.h"

#include <string.h>

#include "wire/kinds.h"

const struct wire_kind_row wire_kinds[] = {
	[WIRE_HELLO] = {"hello", false, WIRE_HELLO, wire_put_hello, wire_get_hello},
	[WIRE_PROBE] = {"probe", true, WIRE_RESULT_PROBE, NULL, NULL},
	[WIRE_MEASURE] = {"measure", true, WIRE_RESULT_MEASURE, wire_put_measure, wire_get_measure},
	[WIRE_COMPILE] = {"compile", true, WIRE_RESULT_COMPILE, wire_put_compile, wire_get_compile},
	[WIRE_CANCEL] = {"cancel", true, WIRE_CANCEL, NULL, NULL},
	[WIRE_QUIT] = {"quit", false, WIRE_QUIT, NULL, NULL},
	[WIRE_PROGRESS] = {"progress", true, WIRE_PROGRESS, wire_put_progress, wire_get_progress},
	[WIRE_RESULT_PROBE] = {"gpu", true, WIRE_RESULT_PROBE, wire_put_gpu, wire_get_gpu},
	[WIRE_RESULT_MEASURE] = {"measurement", true, WIRE_RESULT_MEASURE, wire_put_measurement, wire_get_measurement},
	[WIRE_RESULT_COMPILE] = {"compiled", true, WIRE_RESULT_COMPILE, wire_put_compiled, wire_get_compiled},
	[WIRE_SAMPLE] = {"sample", true, WIRE_RESULT_SAMPLE, wire_put_sample, wire_get_sample},
	[WIRE_RESULT_SAMPLE] = {"samples", true, WIRE_RESULT_SAMPLE, wire_put_samples, wire_get_samples},
	[WIRE_STAMP] = {"stamp", true, WIRE_RESULT_STAMP, wire_put_stamp, wire_get_stamp},
	[WIRE_RESULT_STAMP] = {"stamps", true, WIRE_RESULT_STAMP, wire_put_stamped, wire_get_stamped},
	[WIRE_LINES] = {"lines", true, WIRE_RESULT_LINES, wire_put_lines, wire_get_lines},
	[WIRE_RESULT_LINES] = {"line_counts", true, WIRE_RESULT_LINES, wire_put_line_counts, wire_get_line_counts},
	/* id 0: about a line that had none, or about the worker as a whole */
	[WIRE_ERROR_REPLY] = {"error", false, WIRE_ERROR_REPLY, wire_put_error, wire_get_error},
};
const int wire_kind_count = (int)(sizeof wire_kinds / sizeof wire_kinds[0]);

enum wire_kind wire_answer(enum wire_kind request)
{
	return wire_kinds[request].answer;
}

static const struct {
	const char *name, *remedy;
} errors[WIRE_ERRORS] = {
#define WIRE_ERROR(id, code, remedy) {code, remedy},
#include "wire/errors.def"
#undef WIRE_ERROR
};

const char *wire_error_name(enum wire_error_code code)
{
	return code < WIRE_ERRORS ? errors[code].name : "unknown";
}

const char *wire_error_remedy(enum wire_error_code code)
{
	return code < WIRE_ERRORS ? errors[code].remedy : "";
}

enum wire_error_code wire_error_find(const char *name)
{
	for (int i = 0; i < WIRE_ERRORS; i++)
		if (!strcmp(errors[i].name, name))
			return (enum wire_error_code)i;
	return WIRE_ERRORS;
}

bool wire_error_is_fatal(enum wire_error_code code)
{
	return code == WIRE_KERNEL_FAULT || code == WIRE_KERNEL_TIMEOUT || code == WIRE_GPU_LOST || code == WIRE_MPS ||
		code == WIRE_PROFILER_STUCK;
}

bool wire_error_asks_again(enum wire_error_code code)
{
	return code == WIRE_PROFILER_STUCK;
}

bool wire_error_blames_kernel(enum wire_error_code code)
{
	return code == WIRE_KERNEL_FAULT || code == WIRE_KERNEL_TIMEOUT || code == WIRE_TIMEOUT;
}

/* --- places ------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name, *words;
} places[WIRE_PLACES] = {
	{"host", "on a host"},
	{"container", "in a container"},
	{"wsl", "under WSL"},
};

static const struct {
	enum wire_error_code code;
	struct wire_remedy remedy;
} remedies[] = {
#define WIRE_REMEDY(id, place, text) {WIRE_##id, {WIRE_##place, text}},
#include "wire/remedies.def"
#undef WIRE_REMEDY
};

const char *wire_place_name(enum wire_place place)
{
	return place < WIRE_PLACES ? places[place].name : "unknown";
}

const char *wire_place_words(enum wire_place place)
{
	return place < WIRE_PLACES ? places[place].words : "";
}

enum wire_place wire_place_find(const char *name)
{
	for (int i = 0; i < WIRE_PLACES; i++)
		if (!strcmp(places[i].name, name))
			return (enum wire_place)i;
	return WIRE_PLACES;
}

int wire_error_remedies(enum wire_error_code code, enum wire_place here, struct wire_remedy out[WIRE_PLACES])
{
	int n = 0;
	for (int turn = 0; turn < 2; turn++)
		for (size_t i = 0; i < sizeof remedies / sizeof remedies[0]; i++)
			if (remedies[i].code == code && (remedies[i].remedy.place == here) == (turn == 0) &&
				n < WIRE_PLACES)
				out[n++] = remedies[i].remedy;
	return n;
}
