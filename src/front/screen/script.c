#include "front/screen/script.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "front/screen/parts.h"
#include "front/tutor/keys.h"
#include "front/tutor/present.h"
#include "front/view/numbers.h"

#define SECONDS_MAX 86400.0
#define TIMES_MAX 1000
#define POLL_MS 50 /* live numbers are looked for so often */

const struct screen_script_row screen_script_table[SCRIPT_KINDS] = {
#define SCRIPT(id, name, arguments, help) [SCRIPT_##id] = {name, arguments, help},
#include "front/screen/script.def"
#undef SCRIPT
};

/* --- reading ------------------------------------------------------------------------------------------------------ */

struct script_line {
	struct diag_pos pos;
	const char *word, *rest; /* without blanks around */
	struct arena *arena;
	struct diag *diag;
};

static bool complain_of(const struct script_line *line, const char *expected)
{
	diag_error(line->diag, line->pos, "'%s' takes %s", line->word, expected);
	return false;
}

/* A whole number from 1, or from 0 with `least` 0; `text` up to its end. */
static bool read_count(const char *text, long least, long most, int *out)
{
	char *end;
	errno = 0;
	long n = strtol(text, &end, 10);
	if (end == text || *end || errno || n < least || n > most)
		return false;
	*out = (int)n;
	return true;
}

static enum tutor_action find_action(const char *name)
{
	static const char slide[] = "slide-";
	for (int action = ACTION_NONE + 1; action < ACTIONS; action++) {
		const char *own = tutor_actions[action].name;
		if (strcmp(own, name) == 0 ||
			(strncmp(own, slide, sizeof slide - 1) == 0 && strcmp(own + sizeof slide - 1, name) == 0))
			return (enum tutor_action)action;
	}
	return ACTION_NONE;
}

/* Whether a script may press it: a character of ASCII, or a key with a name. */
static bool is_key(const char *name)
{
	key_code key = key_named(name);
	return key != KEYC_NONE && (key <= '~' || !key_types(key));
}

static bool read_command(struct script_line *line, char *text, struct screen_script_command *out)
{
	char *end;
	text[strcspn(text, "#\r")] = '\0';
	text += strspn(text, " \t");
	for (end = text + strlen(text); end > text && (end[-1] == ' ' || end[-1] == '\t'); end--)
		;
	*end = '\0';
	size_t len = strcspn(text, " \t");
	line->word = arena_strndup(line->arena, text, len);
	line->rest = text + len + strspn(text + len, " \t");
	*out = (struct screen_script_command){.kind = SCRIPT_ACT, .line = line->pos.line};
	for (int kind = SCRIPT_ACT + 1; kind < SCRIPT_KINDS; kind++)
		if (strcmp(screen_script_table[kind].name, line->word) == 0)
			out->kind = (enum screen_script_kind)kind;

	if (!len)
		return false;

	switch (out->kind) {
	case SCRIPT_ACT:
		out->action = find_action(line->word);
		out->number = 1;
		if (out->action == ACTION_NONE) {
			diag_error(line->diag, line->pos, "there is no command '%s'", line->word);
			return false;
		}
		return !*line->rest || read_count(line->rest, 1, TIMES_MAX, &out->number) ||
			complain_of(line, "a number of times, or nothing");
	case SCRIPT_KEY: {
		char *names = arena_strdup(line->arena, line->rest), *state;
		for (char *name = strtok_r(names, " \t", &state); name; name = strtok_r(NULL, " \t", &state))
			if (!is_key(name)) {
				diag_error(line->diag, line->pos, "there is no key '%s'", name);
				return false;
			}
		out->text = line->rest;
		return *line->rest ? true : complain_of(line, "the names of keys");
	}
	case SCRIPT_GOTO:
		return read_count(line->rest, 1, TIMES_MAX, &out->number) || complain_of(line, "the number of a slide");
	case SCRIPT_SET: out->text = line->rest; return strchr(line->rest, '=') || complain_of(line, "NAME=VALUE");
	case SCRIPT_COUNT: {
		len = strcspn(line->rest, " \t");
		const char *hands = line->rest + len;
		hands += strspn(hands, " \t");
		if (!len || !read_count(hands, 0, PRESENT_HANDS_MAX, &out->number))
			return complain_of(line, "an answer and a number of hands");
		out->text = arena_strndup(line->arena, line->rest, len);
		return true;
	}
	case SCRIPT_WAIT:
	case SCRIPT_MEASURED:
		out->seconds = strtod(line->rest, &end);
		if (end == line->rest || *end || !isfinite(out->seconds) || out->seconds < 0 ||
			out->seconds > SECONDS_MAX)
			return complain_of(line, "a number of seconds");
		return true;
	default: return !*line->rest || complain_of(line, "nothing more");
	}
}

bool screen_script_read(struct screen_script *script, struct arena *arena, const char *path, const char *text,
	size_t len, struct diag *diag)
{
	struct screen_script_command *at = NULL;
	size_t n = 0, cap = 0, errors = diag->errors;
	struct script_line line = {.pos = {.file = path, .text = text, .text_len = len}, .arena = arena, .diag = diag};
	for (size_t from = 0; from < len;) {
		const char *end = memchr(text + from, '\n', len - from);
		size_t cols = end ? (size_t)(end - text) - from : len - from;
		struct screen_script_command command;
		line.pos.line++;
		if (read_command(&line, arena_strndup(arena, text + from, cols), &command))
			*vec_push_in(arena, at, n, cap) = command;
		from += cols + 1;
	}
	*script = (struct screen_script){.path = path, .at = at, .n = n, .speed = 1};
	return diag->errors == errors;
}

/* --- carrying out ------------------------------------------------------------------------------------------------- */

const struct screen_script_command *screen_script_take(struct screen_script *script)
{
	return script->next < script->n ? &script->at[script->next++] : NULL;
}

bool screen_script_do(const struct screen_script_command *command, struct screen_state *state, struct tutor *tutor)
{
	bool ok = true;
	switch (command->kind) {
	case SCRIPT_ACT:
		for (int i = 0; i < command->number && !tutor->quit; i++)
			screen_act(state, tutor, command->action);
		break;
	case SCRIPT_KEY: {
		char name[16];
		for (const char *at = command->text; *at;) {
			size_t len = strcspn(at, " \t");
			if (len && len < sizeof name) {
				memcpy(name, at, len);
				name[len] = '\0';
				screen_key(state, tutor, key_named(name));
			}
			at += len + strspn(at + len, " \t");
		}
		break;
	}
	case SCRIPT_GOTO:
		ok = command->number <= tutor->at.lesson->n_steps;
		if (ok)
			tutor_present_go(tutor, command->number - 1);
		else
			tutor_notice(tutor, _("There is no such slide."));
		break;
	case SCRIPT_SET: {
		struct diag diag = {0};
		const struct lesson *lesson = tutor->at.lesson;
		const char *equals = strchr(command->text, '=');
		int64_t value = 0;
		ok = true;
		char name[64];
		size_t len = (size_t)(equals - command->text);
		memcpy(name, command->text, len < sizeof name ? len : sizeof name - 1);
		name[len < sizeof name ? len : sizeof name - 1] = '\0';
		for (int i = 0; i < lesson->n_parameters && ok; i++)
			if (strcmp(lesson->parameters[i].name, name) == 0)
				ok = lesson_read_value(
					&lesson->parameters[i], equals + 1, (struct diag_pos){0}, &value, &diag);
		ok = ok && tutor_set(tutor, name, value, &diag);
		if (!ok && diag.count)
			tutor_notice(tutor, diag.entries[0].message);
		diag_free(&diag);
		break;
	}
	case SCRIPT_COUNT: {
		char letter = command->text[0];
		int option = command->text[1]            ? -1
			: letter >= 'A' && letter <= 'I' ? letter - 'A'
			: letter >= 'a' && letter <= 'i' ? letter - 'a'
							 : -1;
		ok = tutor_present_count(tutor, option, command->text, command->number);
		break;
	}
	case SCRIPT_QUIT: tutor->quit = true; break;
	default: break;
	}
	screen_follow(state, tutor);
	return ok;
}

/* --- in time ------------------------------------------------------------------------------------------------------ */

static bool shows_live_numbers(const struct tutor *tutor)
{
	const struct view_numbers *numbers = tutor->shown.input.numbers;
	for (int i = 0; i < numbers->n_rows; i++)
		if (numbers->rows[i].measured_by == WITNESS_LIVE)
			return true;
	return false;
}

int screen_script_wait_ms(const struct screen_script *script, double now_ms)
{
	if (script->next >= script->n)
		return -1;
	double left = script->due_ms - now_ms;
	if (left <= 0)
		return 0;
	return script->waits && left > POLL_MS ? POLL_MS : (int)left + 1;
}

bool screen_script_step(struct screen_script *script, struct screen_state *state, struct tutor *tutor, double now_ms)
{
	bool any = false;
	if (script->waits && shows_live_numbers(tutor))
		script->due_ms = 0;
	while (!tutor->quit && script->due_ms <= now_ms && script->next < script->n) {
		const struct screen_script_command *command = screen_script_take(script);
		bool measured = command->kind == SCRIPT_MEASURED;
		script->waits = measured && !shows_live_numbers(tutor);
		any = true;
		if (command->kind == SCRIPT_WAIT)
			script->due_ms = now_ms + command->seconds * 1e3 / script->speed;
		else if (script->waits)
			script->due_ms = now_ms + command->seconds * 1e3;
		else
			screen_script_do(command, state, tutor);
	}
	return any;
}
