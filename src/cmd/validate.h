/* cmd/validate.h: one `simttutor validate`: its arguments and its results. Inside cmd/ only. */
#pragma once
#include "cmd/cmd.h"
#include "cmd/picture.h"
#include "gpu/client/gpu.h"
#include "model/validate/pattern.h"
#include "model/validate/trial.h"

#define VALIDATE_CC_LEAST 90  /* of the .target in model/validate/emit.c and model/validate/pattern.c */
#define VALIDATE_CC_FLOW 80   /* of the newest thing that programs of flow use, redux.sync */
#define VALIDATE_CC_SHAPES 75 /* of that in model/validate/shape.c */

struct validation;
extern const struct cmd_entry cmd_validate_entry;

/* What is compared. A campaign writes its report to validation.out and returns an exit status. */
struct campaign {
	const char *name;
	const char *what; /* a sentence for the help */
	unsigned share;   /* one case per this many of --count; 0: its cases are not random */
	bool counters;    /* it needs the GPU's counters */
	int least_cc;     /* that its own kernels need; 0: it is about those of the course */
	int (*run)(struct validation *v);
	bool offline; /* it can do without a GPU */
};
extern const struct campaign campaign_table[]; /* ends in {0} */
#define CAMPAIGNS_MAX 8

/* How all reports begin, and how they are called in JSON. */
#define CMD_VALIDATE_MARKDOWN_MARK "# What simttutor says and what a GPU does\n\n"
#define CMD_VALIDATE_REPORT_MARK "{\n \"simttutor_validation\": 1,"

struct validation {
	struct cmd_ctx *ctx;
	/* arguments */
	bool chosen[CAMPAIGNS_MAX];
	uint64_t seed, count;
	bool has_seed, has_count, every, live;
	const char *expect, *keep;  /* a file and a folder, or NULL */
	const char *batches, *from; /* flow: folders, where PTX is written and read; NULL: none */
	const char *compiler;       /* flow: the one to use; NULL: all there are */
	struct output record;       /* path NULL: none */
	struct output report;       /* likewise */
	bool force;                 /* --record and --keep overwrite whatever is there */
	int format;
	/* while it runs */
	struct gpu *gpu;      /* NULL: not live */
	struct wire_gpu info; /* its name, driver and message about counters stay valid */
	const char *gpu_name;
	uint64_t cases; /* of this campaign */
	struct buf recording, out;
	struct json_t *campaigns; /* of the report: what came of each, by its name */
	bool shows_progress;      /* standard error is a terminal */
	/* instructions: validate_instructions.c */
	struct forms *forms;
	struct trial_choice choice;
	struct tally *tally;
	int failures_in_a_row;
	uint64_t failed; /* programs that gave no results to compare */
};

int cmd_validate_instructions(struct validation *v);
int cmd_validate_patterns(struct validation *v);
int cmd_validate_flow(struct validation *v);
int cmd_validate_occupancy(struct validation *v);
int cmd_validate_lessons(struct validation *v);
int cmd_validate_addresses(struct validation *v);

/* Recordings: `text` is the whole of v->expect. */
int cmd_validate_replay_instructions(struct validation *v, const struct buf *text);
int cmd_validate_replay_patterns(struct validation *v, const struct buf *text);

/* The first two lines of a recording: its kind and its format, and where and when it was made. */
void cmd_validate_begin_recording(struct validation *v, const char *kind, int format);

/* Whether Ctrl-C was pressed: a campaign ends with the results so far. */
bool cmd_validate_stopped(void);

/* On a terminal, at intervals: how many cases are done and how many differ. */
void cmd_validate_progress(struct validation *v, const char *campaign, uint64_t done, uint64_t differ);

/* Writes the table and returns the exit status. */
int cmd_validate_report_agreement(struct validation *v, const struct agreement *agreement);

/* The table of `instructions`. */
void cmd_validate_write_text(const struct validation *v, struct buf *out);
void cmd_validate_write_json(const struct validation *v, struct buf *out);
