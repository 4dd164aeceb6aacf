/* Fuzz target of the recordings of `validate`: programs of instructions with hashes of their results, and patterns of
 * access with counts, whichever the first line says. What was read is the same after it was written and read again; a
 * program runs on the machine or is refused with an error; the model has a count for each counter of a pattern. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "model/profile/profile.h"
#include "model/validate/pattern.h"
#include "model/validate/trial.h"

#define PROGRAMS_MAX 4
#define CC 90

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct {
	struct arena *arena;
	struct forms *forms;
} table; /* of all instructions; made once */

struct reading {
	struct buf written; /* what was read, written */
	struct tally *tally;
	bool run; /* on the machine, too */
	int n;
};

static void run_program(struct reading *reading, const struct trial *trial)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct launch launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
	struct buf ptx = {0};
	validate_trial_write(trial, &ptx);
	validate_trial_launch(arena, trial, &launch);
	struct ptx_module *module = ptx_parse(arena, "trial.ptx", buf_str(&ptx), ptx.len, &diag);
	struct profile *profile = module ? profile_run(arena, module, &launch, (struct profile_watch){.cc = CC}, &diag)
					 : NULL;
	if (!profile && !diag.errors)
		abort();
	if (profile && profile->result.outcome == SIMT_OK)
		validate_tally_add(reading->tally, trial,
			&(struct tally_run){.inputs = launch.args[0].bytes, .machine = profile->buffers[1]});
	buf_free(&ptx);
	diag_free(&diag);
	arena_free(arena);
}

static bool take_program(void *ctx, const struct trial *trial)
{
	struct reading *reading = ctx;
	validate_trial_record(trial, &reading->written);
	if (reading->run)
		run_program(reading, trial);
	return ++reading->n < PROGRAMS_MAX;
}

static bool read_programs(struct reading *reading, const char *text, size_t len)
{
	struct diag diag = {0};
	const struct trial_recording recording = {"recording", text, len};
	buf_puts(&reading->written, "simttutor validate 1\n");
	bool ok = validate_trial_read_all(table.forms, &recording, take_program, reading, &diag);
	if (ok != (diag.errors == 0))
		abort();
	diag_free(&diag);
	return ok;
}

static void check_programs(struct arena *arena, const char *text, size_t len)
{
	struct reading first = {.tally = validate_tally_new(arena, table.forms), .run = true}, again = {0};
	read_programs(&first, text, len);
	if (first.n &&
		(!read_programs(&again, buf_str(&first.written), first.written.len) || again.n != first.n ||
			strcmp(buf_str(&again.written), buf_str(&first.written)) != 0))
		abort();
	buf_free(&first.written);
	buf_free(&again.written);
}

static bool read_pattern(const char *line, struct pattern *out, double *counts)
{
	struct diag diag = {0};
	struct diag_pos pos = {.file = "recording", .line = 1, .col = 1, .text = line, .text_len = strlen(line)};
	bool ok = validate_pattern_read(line, pos, out, counts, &diag);
	if (ok != (diag.errors == 0))
		abort();
	diag_free(&diag);
	return ok;
}

static void check_pattern(const char *line)
{
	struct pattern pattern, again;
	double counts[PATTERN_COUNTS_MAX], counts_again[PATTERN_COUNTS_MAX];
	struct buf written = {0}, command = {0};
	if (!read_pattern(line, &pattern, counts))
		return;
	for (int set = 0; set < pattern.kind->n_sets; set++)
		for (int i = 0; i < pattern.kind->sets[set].n; i++)
			if (!(validate_pattern_predict(&pattern, set, i, CC) >= 0))
				abort();
	validate_pattern_command(&pattern, &command);
	validate_pattern_record(&pattern, counts, &written);
	written.data[written.len - 1] = '\0'; /* its newline */
	if (!read_pattern(buf_str(&written), &again, counts_again) || again.kind != pattern.kind ||
		memcmp(&again.access, &pattern.access, sizeof again.access) != 0)
		abort();
	buf_free(&written);
	buf_free(&command);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	if (!table.arena) {
		table.arena = arena_new();
		table.forms = validate_forms_new(table.arena);
	}
	char *text = arena_strndup(arena, (const char *)data, size), *save = NULL;
	if (strncmp(text, "simttutor patterns", strlen("simttutor patterns")) != 0)
		check_programs(arena, text, strlen(text));
	else
		for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
			check_pattern(line);
	arena_free(arena);
	return 0;
}

#include "replay.h"
