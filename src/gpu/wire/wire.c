#include "gpu/wire/wire.h"

#include <string.h>

#include "gpu/wire/kinds.h"

#define MEMBERS(name) wire_put_##name, wire_get_##name
#define EMPTY(name) NULL, NULL
#define HAS_ID true
#define NO_ID false
const struct wire_kind_row wire_kinds[WIRE_KINDS] = {
#define WIRE_REQUEST(ID, name, type, members) [WIRE_##ID] = {type, HAS_ID, WIRE_RESULT_##ID, members(name)},
#define WIRE_REPLY(ID, name, type) [WIRE_RESULT_##ID] = {type, HAS_ID, WIRE_RESULT_##ID, MEMBERS(name)},
#define WIRE_MESSAGE(ID, name, type, id, members) [WIRE_##ID] = {type, id, WIRE_##ID, members(name)},
#include "gpu/wire/messages.def"
#undef WIRE_REQUEST
#undef WIRE_REPLY
#undef WIRE_MESSAGE
};

enum wire_kind wire_answer(enum wire_kind request)
{
	return wire_kinds[request].answer;
}

static const struct {
	const char *name, *remedy;
} errors[WIRE_ERRORS] = {
#define WIRE_ERROR(id, code, remedy) {code, remedy},
#include "gpu/wire/errors.def"
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
#include "gpu/wire/remedies.def"
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
