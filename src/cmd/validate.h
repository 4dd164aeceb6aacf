/* cmd/validate.h: one `simttutor validate`: what was asked, and what came of it. Inside cmd/ only. */
#pragma once
#include "cmd/cmd.h"
#include "gpu/gpu.h"
#include "validate/tally.h"

struct validation {
	struct cmd_ctx *ctx;
	/* what was asked */
	uint64_t seed, count;
	bool has_seed, has_count, every, live;
	const char *record, *expect, *keep; /* files and a folder, or NULL */
	int format;
	/* at work */
	struct forms *forms;
	struct trial_choice choice;
	struct gpu *gpu;            /* NULL: not live */
	const char *gpu_name;
	struct buf recording;
	int failures_in_a_row;
	/* what came of it */
	struct tally *tally;
	uint64_t failed;            /* programs that gave no results to compare */
};

void validate_write_text(const struct validation *v, struct buf *out);
void validate_write_json(const struct validation *v, struct buf *out);
