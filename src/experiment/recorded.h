/* experiment/recorded.h: live results stored with a lesson (lessons/X/recorded.json) and read back.
 *
 * A recording belongs to one PTX text and one launch; whoever asks with another text gets RECORDED_STALE. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "launch/launch.h"
#include "wire/wire.h"

struct recorded;

struct provenance {
	const char *gpu, *driver, *cuda, *cupti, *date; /* date: YYYY-MM-DD, UTC */
	int cc, sms;
};

/* An empty collection, to be filled and written. */
struct recorded *recorded_new(struct arena *arena);

/* Reads `path`. NULL with diagnostics (file:line:col) when damaged; a missing file is an empty collection. */
struct recorded *recorded_load(struct arena *arena, const char *path, struct diag *diag);

/* A short fingerprint (hex) of PTX text without its comments and blank lines, stored with each result. */
void recorded_fingerprint(const char *ptx, size_t len, char out[17]);

/* Adds or replaces the result of this launch of this PTX. */
void recorded_put(struct recorded *recorded, const struct provenance *provenance, const char *fingerprint,
	const struct launch *launch, const struct wire_measurement *measurement);

/* Adds the counters of the lines to the result of this launch, which was put before. */
void recorded_put_lines(struct recorded *recorded, const char *fingerprint, const struct launch *launch,
	const struct wire_line_counts *counts);

/* Takes the result of this launch of this PTX over from another collection, which must live as long. False: it has none. */
bool recorded_take(
	struct recorded *recorded, const struct recorded *from, const char *fingerprint, const struct launch *launch);

bool recorded_write(const struct recorded *recorded, const char *path, struct diag *diag);

/* Whether two launches are one and the same for a recording. */
bool recorded_same_launch(const struct launch *a, const struct launch *b);

/* Looks a launch of this PTX up by kernel, grid, block, shared bytes and argument texts. Returns how it went: RECORDED_STALE when
 * only another PTX was launched so. */
enum recorded_found { RECORDED_NONE, RECORDED_STALE, RECORDED_OK };
struct recorded_result {
	const struct provenance *provenance;
	const char *const *metrics; /* hardware names */
	const double *values;
	int n;
	const struct wire_line_counts *lines; /* n_lines 0: none recorded; all of its metrics are available */
};
enum recorded_found recorded_find(const struct recorded *recorded, const char *fingerprint, const struct launch *launch,
	struct recorded_result *out);
int recorded_count(const struct recorded *recorded);
