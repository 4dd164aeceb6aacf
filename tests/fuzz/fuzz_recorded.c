/* Fuzz target of recordings. Whatever the text is, it is read, or refused with a place; what was read is found again,
 * and is the same after it was written and read. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "course/experiment/recordings.h"
#include "course/experiment/recordings_parts.h"

static void check_entry(const struct experiment_recordings *recorded, const struct recorded_launch *entry)
{
	struct experiment_recorded_result found;
	if (experiment_recordings_find(recorded, entry->ptx, &entry->launch, &found) != RECORDED_OK ||
		!found.provenance)
		abort();
	for (int i = 1; i < found.lines->n_lines; i++)
		if (found.lines->lines[i].line <= found.lines->lines[i - 1].line)
			abort();
}

/* Two collections with the same results have the same text. */
static void check_again(struct arena *arena, const struct experiment_recordings *recorded)
{
	struct experiment_recordings *copy = experiment_recordings_new(arena);
	struct buf once = {0}, again = {0}, taken = {0};
	struct diag diag = {0};
	experiment_recordings_format(recorded, &once);
	struct experiment_recordings *read = experiment_recordings_read(
		arena, "written.json", buf_str(&once), once.len, &diag);
	if (!read)
		abort();
	experiment_recordings_format(read, &again);
	if (strcmp(buf_str(&once), buf_str(&again)) != 0)
		abort();
	experiment_recordings_order_as(copy, read);
	for (int i = 0; i < read->n; i++)
		if (!experiment_recordings_take(copy, read, read->entries[i].ptx, &read->entries[i].launch, NULL))
			abort();
	for (int i = 0; i < read->n_codes; i++) {
		const struct recorded_code *code = &read->codes[i];
		experiment_recordings_put_code(copy, code->ptx, code->kernel, &code->listing);
		if (!experiment_recordings_find_code(copy, code->ptx, code->kernel, 90))
			abort();
	}
	for (int i = 0; i < read->n_programs; i++)
		experiment_recordings_put_program(copy, &read->programs[i]);
	experiment_recordings_format(copy, &taken);
	if (strcmp(buf_str(&once), buf_str(&taken)) != 0)
		abort();
	buf_free(&once);
	buf_free(&again);
	buf_free(&taken);
	diag_free(&diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	const char *text = arena_strndup(arena, (const char *)data, size);
	struct experiment_recordings *recorded = experiment_recordings_read(arena, "recorded.json", text, size, &diag);

	if (!recorded != (diag.errors > 0))
		abort();
	for (size_t i = 0; i < diag.count; i++)
		if (diag.entries[i].line < 1 || diag.entries[i].col < 1)
			abort();
	for (int i = 0; recorded && i < recorded->n; i++)
		check_entry(recorded, &recorded->entries[i]);
	if (recorded)
		check_again(arena, recorded);
	diag_free(&diag);
	arena_free(arena);
	return 0;
}

#include "replay.h"
