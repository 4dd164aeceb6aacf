/* course/experiment/recordings_parts.h: what the files of recordings share.
 *
 * The file (format 1) has the machines that were recorded on, each once, and the results in the order of their
 * launches, one line each, so that a new recording is a small change; then, where it was recorded, the machine code of
 * the kernels. */
#pragma once
#include "base/diag.h"
#include "course/experiment/recordings.h"
#include "model/hardware/listing.h"

#define RECORDED_FORMAT 1

/* One launch of one PTX. */
struct recorded_launch {
	const struct experiment_provenance *from;
	const char *ptx;      /* its fingerprint */
	struct launch launch; /* of the arguments only the texts */
	const char **metrics;
	double *values;
	int n;
	const char **model_metrics;
	double *model_values;
	int n_model; /* 0: none */
	struct experiment_modeled modeled;
	bool leaves_model;             /* none is put */
	struct wire_line_counts lines; /* n_lines 0: none */
	struct experiment_executed *executed;
	int n_executed;
	struct wire_line_counts instrs; /* likewise, by the address of a machine instruction of `code` */
	int rank, at;                   /* while the file is written: the place of its GPU, and its own */
};

/* The machine code of one kernel of one PTX for one target. */
struct recorded_code {
	const char *ptx, *kernel; /* the fingerprint; the name in the PTX */
	struct code_listing listing;
};

struct experiment_recordings {
	struct arena *arena;
	struct recorded_code *codes;
	int n_codes, cap_codes;
	struct recorded_launch *entries;
	int n, cap;
	struct experiment_program *programs;
	int n_programs, programs_cap;
	const struct experiment_provenance **gpus; /* each once, in the order of the file */
	int n_gpus, cap_gpus;
	int preferred; /* index of one */
	int last;      /* entry that was put last */
};

/* The place of the GPU in the order, a new one at the end. */
int experiment_recordings_rank(struct experiment_recordings *r, const struct experiment_provenance *from);

/* An entry with nothing else for this launch on this GPU, in the place of an old one of it. `from` NULL: of none, which
 * is a fault of a file. */
struct recorded_launch *experiment_recordings_add(struct experiment_recordings *r, const char *fingerprint,
	const struct launch *launch, const struct experiment_provenance *from);

/* An entry with nothing else for the machine code, in the place of an old one. */
struct recorded_code *experiment_recordings_add_code(
	struct experiment_recordings *r, const char *fingerprint, const char *kernel, const char *target);

/* Whether a text is what elf_fingerprint_code makes; NULL is none. */
bool experiment_recordings_is_code(const char *fingerprint);

/* The order of machine code in the file. */
int experiment_recordings_compare_codes(const struct recorded_code *a, const struct recorded_code *b);

/* Room for `n_lines` rows of `n` metrics. */
struct wire_line *experiment_recordings_make_lines(
	struct arena *arena, struct wire_line_counts *out, int n, int n_lines);

bool experiment_recordings_same_provenance(
	const struct experiment_provenance *a, const struct experiment_provenance *b);

/* The order of launches in the file. Texts compare with their numbers by value, so that a parameter's results stand in
 * its order. */
int experiment_recordings_compare(const struct launch *a, const struct launch *b);
