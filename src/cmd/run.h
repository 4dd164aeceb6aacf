/* cmd/run.h: one `simttutor run`: its arguments, the program, and the results. Inside cmd/ only. */
#pragma once
#include <jansson.h>

#include "base/diag.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/measure.h"
#include "cmd/picture.h"
#include "course/experiment/recordings.h"
#include "front/view/code.h"
#include "front/view/view.h"
#include "gpu/client/gpu.h"
#include "machine/launch/launch.h"
#include "machine/ptx/ptx.h"
#include "machine/snapshot/snapshot.h"
#include "model/hardware/occupancy.h"
#include "model/hardware/timeline.h"
#include "model/profile/profile.h"
#include "tools/compile/compile.h"

/* The first element in which a buffer of the GPU differs from the machine's. */
struct run_difference {
	int argument;
	size_t index, count;       /* element; how many elements differ in this buffer */
	double largest;            /* of floats: the largest difference; 0 of two NaN, infinity where only one is
	                            * finite. Of integers -1 */
	const void *machine, *gpu; /* the whole buffers */
};

struct run_live {
	const char *gpu;   /* its name; NULL: nothing was measured */
	int sms;           /* of that GPU */
	int cc, registers; /* its compute capability; registers per thread there, 0: not reported */
	struct counts counts;
	struct line_table lines; /* no rows: not counted */
	int lines_passes;        /* launches that counting them took */
	double lines_ms;         /* and the worker's time */
	/* of machine code, where that is shown: by lines of the PTX, and by address in the code `instrs_code` */
	struct experiment_executed *executed;
	int n_executed;
	struct line_table instrs;
	const char *instrs_code;
	struct run_difference differences[LAUNCH_ARGS_MAX];
	int n_differences;
	/* of a launch whose memory the GPU had at its addresses: what is not as on the machine */
	struct snapshot_difference memory;
	struct measure_failure failure; /* no message: it was measured, or not requested */
};

/* Of a launch that was kept: whether its memory afterwards could be compared with what was. */
struct run_kept {
	bool compared;
	struct snapshot_difference difference;
};

struct run_occupancy {
	int cc;
	struct occupancy_block block; /* registers and barriers 0: not known */
	const char *
		from; /* where the registers come from: "--registers", "ptxas", the GPU's name; NULL: they are not known */
	const char *unknown;      /* why they are not known */
	const struct cubin *code; /* what ptxas made of the kernel for `cc`; NULL: not known */
	struct occupancy result;
	uint32_t free_registers; /* occupancy_free_registers */
};

#define RUN_TIMES "a time as 30, 1.5m or 2h"
#define RUN_CHECKS "bounds, align, race, uninit, sync, all or none, with commas between"

#define RUN_SOURCES_MAX COMPILE_FOLDERS_MAX

/* Options that say what is launched, the same for every command that launches. */
#define RUN_LAUNCH_OPTIONS                                                                                                     \
	{"kernel", 'k', "NAME",                                                                                                \
		N_("the kernel, by its name in the PTX or in the source; not needed when there is only one")},                 \
		{"grid", 'g', "X[,Y[,Z]]", N_("the grid, in blocks")},                                                         \
		{"block", 'b', "X[,Y[,Z]]", N_("the block, in threads")},                                                      \
		{"cluster", 0, "X[,Y[,Z]]",                                                                                    \
			N_("clusters, in blocks, where the kernel does not say how large they are")},                          \
		{"shared", 0, "BYTES", N_("dynamic shared memory per block")},                                                 \
		{"cooperative", 0, NULL,                                                                                       \
			N_("a cooperative launch: all blocks are resident, and grid.sync() of cooperative groups works")},     \
		{"arg", 'a', "ARG",                                                                                            \
			N_("the next argument of the kernel, as TYPE:VALUE or TYPE[COUNT]; simttutor(1) has the grammar")},    \
		{"set", 0, "NAME=ARG",                                                                                         \
			N_("what a __device__ or __constant__ variable holds before the first launch; may be repeated")},      \
		{"then", 't', "KERNEL",                                                                                        \
			N_("another launch after the one before, over the same memory: --grid, --block, --cluster, --shared, " \
			   "--cooperative, --arg and --print that follow are its own; may be repeated")},                      \
		{"source", 0, "DIR",                                                                                           \
			N_("show source lines from files below DIR, too, where the PTX names them; may be repeated")},         \
		{"define", 'D', "NAME[=VALUE]", N_("a macro for the compiler of a .cu; may be repeated")},

#define RUN_CHECK_OPTION                                                                                               \
	{"check", 'c', "LIST",                                                                                         \
		N_("what to look for, with commas between: bounds, align, race, uninit, sync, all or none; all by "    \
		   "default. What ends the run is always reported")},

/* Where code counts that was inlined from another file: at the line that calls it, there but each chain of calls apart,
 * or at the line where it is written. */
enum run_inlined { RUN_INLINED_CALLER, RUN_INLINED_CHAIN, RUN_INLINED_CALLEE };

/* A buffer to print. */
struct run_print {
	int argument, member; /* of struct profile_buffer */
};
#define RUN_PRINTS_MAX 256

/* A launch of several, as it was asked for. */
struct run_step {
	const char *kernel;
	struct launch launch; /* with arguments of its own */
	struct run_print prints[RUN_PRINTS_MAX];
	int n_prints;
	bool shared_given;
};
#define RUN_STEPS_MAX 64
#define RUN_SETS_MAX 256

struct run {
	struct cmd_ctx *ctx;
	double timeout_ms;             /* of all launches, by the clock; 0: none */
	const struct cmd_entry *entry; /* the command, for messages */
	/* arguments */
	const char *file, *kernel;       /* kernel NULL: the only one */
	const struct snapshot *plain_of; /* the kept launch that it is, with arguments in place of memory; NULL */
	const char *placed_why; /* why its memory has to be where it is on a GPU, too; NULL: it is plain, or not kept */
	const char *kept_as;    /* how messages call a kept launch; NULL: by its file */
	struct launch launch;   /* the one that is read, run or reported */
	struct launch_arg args[LAUNCH_ARGS_MAX];
	struct run_print prints[RUN_PRINTS_MAX];
	int n_prints;
	bool shared_given;
	struct run_step *steps[RUN_STEPS_MAX]; /* all launches, in order; run_enter makes one the launch */
	int n_steps, step;
	enum simt_outcome worst; /* of the launches that were run: the first that is not SIMT_OK */
	struct launch_set *sets; /* before the first; RUN_SETS_MAX */
	int n_sets;
	struct profile_watch watch;
	bool picture, live, raw;
	enum run_inlined inlined;
	uint32_t views;                       /* of time; bit v: view_id v */
	bool shows_code;                      /* the view of machine code */
	const char *sources[RUN_SOURCES_MAX]; /* folders that source lines may be shown from */
	int n_sources;
	bool source_refused; /* that has been said */
	bool debug_info;     /* a .cu is compiled so that its variables have names */
	const char *defines[WIRE_DEFINES_MAX];
	int n_defines;
	bool missing; /* an argument's file does not exist */
	int format;
	uint32_t registers; /* per thread, as given; 0: find out */
	bool cc_given;
	struct gpu *gpu; /* NULL: not needed yet; see run_gpu */
	/* the program */
	struct buf ptx;
	const char *ptx_name; /* in messages */
	struct ptx_module *module;
	/* results */
	struct profile *profile;
	const struct simt_memory *memory; /* as the launch left it */
	int cc;
	const char *source_name; /* of the file with the source lines */
	const char *source_path; /* where it was found; NULL: nowhere, or in a launch that was kept */
	struct source source;    /* n_lines 0: its text is not available */
	struct run_live measured;
	struct run_kept kept;
	struct run_occupancy occupancy;
	struct timelines times; /* those in `views` */
	struct view_code code;  /* where that is shown */
};

/* Reads the arguments. False with an error; `missing` says which kind. */
bool run_read(struct run *run, const struct cmd_parsed *args, int n);

/* Its parts, for commands with further options: one option of `run`, the file, and the checks of the complete command
 * line. run->launch.args must be run->args. */
bool run_read_option(struct run *run, const struct cmd_parsed *arg);
bool run_read_file(struct run *run, const char *name);
bool run_check(struct run *run);
extern const struct cmd_option run_options[];

/* Whether the file is one of --record, and reads it; afterwards compares what the launch has made of its memory. */
bool run_is_kept(const struct run *run);
bool run_open_kept(struct run *run);
bool run_kept_source(struct run *run, const char *name); /* its source text, if that is its file */
void run_compare_kept(struct run *run, const struct simt_memory *memory);
void run_kept_title(const struct snapshot *snapshot, struct buf *out); /* "launch 3 of its program, at main.cu:41" */
void run_write_kept(const struct run *run, struct buf *out);
void run_write_place(
	const struct snapshot *snapshot, uint64_t address, struct buf *out); /* " allocated at main.cu:12" */
json_t *run_kept_json(const struct run *run);                                /* NULL: it was not kept */

/* Makes arguments of a kept launch, as a GPU's worker takes them; where its memory is not that of parameters alone,
 * arguments and memory at addresses. False with an error, where neither will do. */
void run_cannot_place(struct run *run, const char *why); /* the error, of one that was read */

/* Such a launch of a file, on the machine and on `gpu`: appends what differs, and counters beside predictions. An exit
 * status: EXIT_FAILED where something differs, EXIT_MISSING where there is no GPU. */
int run_live_kept(struct cmd_ctx *ctx, const char *path, struct gpu *gpu, struct buf *out);

/* The counters beside predictions; the buffers that differ. Parts of the text. */
void run_write_totals(const struct run *run, const struct picture_page *page);
void run_write_differences(const struct run *run, struct buf *out);
bool run_differs(const struct run *run); /* some do */

/* Keeps the launch that was read as the next of several, and begins another; makes a kept one the launch again. */
void run_enter(struct run *run, int index);

/* "launch 2, insert: " of several launches, else "". In the command's arena. */
const char *run_step_name(const struct run *run);

/* The buffer that was asked for, after the run; NULL: there is none. */
const struct profile_buffer *run_printed(const struct run *run, const struct run_print *print);

/* Adds, where arguments do not fit, the kernel as C has it and a command line that would run. */
void run_suggest(struct run *run);

/* The GPU that --gpu names, or the local one; nothing is started. NULL with an error. Owned by `run`. */
struct gpu *run_gpu(struct run *run);

/* Frees what reading, loading and measuring allocated. */
void run_free(struct run *run);

/* Reads the PTX, or makes it from CUDA; finds the kernel. An exit status. */
int run_load(struct run *run);

/* Its last part: the kernels of all launches in run->module. */
int run_find_kernels(struct run *run);

/* Its first part: what is to be parsed, in run->ptx. */
int run_load_ptx(struct run *run);

/* Finds the text of the source file named in the PTX, where it is available: below the folder of the PTX, the current
 * one, or one of --source. What lies elsewhere is reported, once. NULL: uses the PTX itself. */
void run_find_source(struct run *run, const char *name);

/* The text of a line, `*len` bytes; NULL when it is not available. */
const char *run_line_text(const struct run *run, int line, size_t *len);

/* Measures the launch on the GPU and compares the buffers. An exit status; a difference is not an error yet. */
int run_measure(struct run *run);

/* Finds the registers of a thread, from --registers or ptxas: they limit how many blocks are resident. Before the
 * run. */
void run_find_registers(struct run *run);

/* Computes the launch's occupancy, with its registers where they are known. After run_find_registers and
 * run_measure. */
void run_occupy(struct run *run);
json_t *run_occupancy_json(const struct run *run);

extern const struct cmd_entry cmd_run_entry;

/* Reads one --view, of `run` also that of roofs; makes the model's timelines, after run_occupy; writes those in
 * `views`. */
bool run_read_view(struct run *run, const char *value);
void run_time(struct run *run);
/* Runs the launch once more for how long it takes, where it is alone, has ended and is short. */
void run_estimate(struct run *run);
/* Replaces them by the GPU's; the schedule watches `line`, 0: none. `*changed` becomes the first argument whose buffer
 * differs from the run without stamps, if one does. An exit status. */
int run_time_live(struct run *run, int line, int *changed);
void run_write_times(const struct run *run, const struct picture_page *page);
json_t *run_times_json(const struct run *run);

/* The source for views that show lines of it. */
struct view_source run_view_source(const struct run *run);

/* The machine code of the kernel, after the run and run_occupy. */
void run_make_code(struct run *run);
json_t *run_code_json(const struct run *run);

/* Adds what went wrong to the diagnostics: each defect with its lines and their text, or a limit. */
void run_report_defects(struct run *run);

/* Whether the kernel ran to its end. */
bool run_ended(const struct run *run);

/* Whether --on-error says that a launch goes on. False, with a message: it says neither. */
bool run_read_on_error(struct cmd_ctx *ctx, const char *value, bool *goes_on);

/* Prints what the kernel printed: as it came into a pipe or a file, or with --raw; else as a terminal may have it. */
bool run_print_output(const struct run *run);
void run_write_text(const struct run *run, struct buf *out);
void run_write_json(const struct run *run, struct buf *out);
/* The objects of several launches, as one. */
void run_write_json_steps(const struct run *run, const struct buf *launches, struct buf *out);

/* --- what the two ways to take a kept launch to a GPU share. --- */

/* What is made of it. */
struct run_plain {
	struct run *run;
	const struct snapshot *kept;
	const struct ptx_kernel *kernel;
	bool *used;      /* per buffer: a parameter has its address, or memory that is used has */
	size_t text;     /* bytes of arguments */
	const char *why; /* arguments in place of its memory will not do; NULL: so far they do */
};
