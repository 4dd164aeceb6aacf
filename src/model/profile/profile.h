/* model/profile/profile.h: a launch, run on the SIMT machine with the models listening: counters of the kernel,
 * counters of each source line, and the accesses and the shuffle of one chosen line, block and warp for the
 * diagrams. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "machine/launch/launch.h"
#include "machine/ptx/ptx.h"
#include "machine/simt/simt.h"
#include "machine/warp/warp.h"
#include "model/hardware/counters.h"
#include "model/hardware/sums.h"
#include "model/profile/device.h"

/* Which accesses to keep, and how long to go on. */
struct profile_watch {
	int line; /* see profile_line; 0: none */
	uint32_t block, warp;
	int cc;                       /* compute capability whose rules apply; 0: MODEL_CC_DEFAULT */
	uint32_t registers, barriers; /* of a thread and of a block, for how many blocks are resident; 0: not known */
	uint64_t steps; /* warp instructions after which the run ends with SIMT_LIMIT; 0: PROFILE_STEPS_MAX */
	/* Of a core's time in which no block ends, after which the run ends with SIMT_LIMIT; 0: no limit */
	uint32_t quiet_ms;
	unsigned cores;   /* of the host that blocks may run on, 0: all; the result does not depend on it */
	uint32_t checks;  /* SIMT_CHECK_..., 0: those that cost nothing */
	uint32_t defects; /* how many different ones to find before the run ends; 0: the first ends it */
	/* Of blocks and warps in which to look for defects, where threads may synchronize through memory; 0: one */
	uint32_t orders;
	const struct simt_listener *also; /* a second listener; NULL: none */
	bool inlined;       /* also counts by where inlined code is written: parts and written of the profile */
	uint32_t granule;   /* buffers end at the next multiple of so many bytes; 0: where the launch says */
	bool unread;        /* nobody reads what buffers hold in the end: profile.buffers stays NULL */
	bool through;       /* the run ends, with SIMT_LIMIT, when the watched block and its cluster have ended */
	bool strict;        /* simt_launch.strict */
	bool ends_at_fault; /* simt_launch.ends_at_fault */
	struct simt_progress *progress; /* NULL: nobody looks */
};

#define PROFILE_WATCHED_MAX 64

/* All buffers of a launch together. */
#define PROFILE_MEMORY_MAX ((size_t)1 << 30)

/* Warp instructions of one launch by default: a second or less. */
#define PROFILE_STEPS_MAX 5000000u

#define PROFILE_ORDERS_DEFAULT 32

/* For commands that compare with a GPU, where no reader waits. */
#define PROFILE_STEPS_PATIENT 200000000u

/* Requests of a line, told apart; matrices are loaded and stored, too. */
enum profile_space { PROFILE_GLOBAL, PROFILE_SHARED, PROFILE_SPACES };
enum profile_kind { PROFILE_LOADS, PROFILE_STORES, PROFILE_ATOMICS, PROFILE_KINDS };

/* A source line of the kernel's main file, the one its first instruction comes from; a line of the PTX itself when no
 * instruction has a source line. */
struct profile_line {
	int line;
	uint64_t executions;   /* warp instructions */
	uint64_t active_lanes; /* summed over them */
	struct sums sums;      /* of this line alone */
	/* Requests of every kind, atomics too, which no counter has. */
	uint64_t shared_requests, wavefronts, conflicts, global_requests, sectors;
	uint64_t kinds[PROFILE_SPACES][PROFILE_KINDS]; /* the requests apart */
};

/* The line's means: active lanes of a warp instruction, wavefronts of a shared request, sectors of a global one.
 * VALUE_NONE where there was none. */
struct value profile_lanes(const struct profile_line *line);
struct value profile_wavefronts(const struct profile_line *line);
struct value profile_sectors(const struct profile_line *line);

/* What the model counts for the line: all but what only hardware has. */
struct line_counts profile_line_counts(const struct profile_line *line);

/* The file that a kernel's lines are counted in: that of its first instruction with a source line; NULL: none has
 * one. */
const char *profile_file(const struct ptx_kernel *kernel);

/* The instructions of one line, or of those that came to it in one way. */
struct profile_part {
	struct ptx_location place;
	struct profile_line counts;
};

struct profile {
	struct simt_result result; /* numbers below are those up to where it stopped */
	struct simt_report report; /* the defects */
	uint32_t orders;           /* that were run; all numbers are of the first */
	double orders_ms;          /* what the others took */
	struct counts counts;      /* of the whole kernel, also of instructions without a line or from other files */
	const char *file;          /* the main file as the PTX names it; NULL: lines are those of the PTX */
	/* Every line of the main file that has instructions, run or not; ascending by line */
	struct profile_line *lines;
	int n_lines;
	struct profile_line elsewhere; /* of instructions without a line or from other files */
	const uint64_t *executed;      /* warp instructions, by instruction of the kernel */
	int n_instrs;
	/* With watch.inlined, of instructions with a source line: by the line they belong to and the chain of calls
	 * inlined there; and by the line they are written at, where place.inlined is NULL. The main file first, then
	 * others by name; ascending by line. */
	struct profile_part *parts, *written;
	int n_parts, n_written;
	/* The first that the watched warp made to shared and global memory from the watched line, with an active
	 * lane. */
	struct warp_access watched[PROFILE_WATCHED_MAX];
	int n_watched;
	/* Of each warp of the watched block: the active lanes of its first access from the watched line; 0: it made
	 * none. */
	uint32_t taking_part[BLOCK_WARPS_MAX];
	bool has_shuffled;
	struct warp_shuffle shuffled; /* the first shuffle that the watched warp made in the watched line */
	/* Of the first matrix instruction that it executed there, a product before others; n 0: none */
	struct warp_tiles tiles;
	struct warp_cluster cluster; /* that the watched block is in; of the whole kernel */
	bool has_textures;           /* it has instructions on textures or surfaces, whose requests are not modeled */
	bool has_filters;            /* and linear filters, whose results are an estimate: machine/warp/texture.h */
	void **buffers;              /* per argument: its bytes after the run (NULL for scalars); NULL: watch.unread */
	/* All buffers that the launch was given, those in structs and of earlier launches among them */
	const struct profile_buffer *placed;
	int n_placed;
	/* What the kernel printed, at most SIMT_PRINT_MAX bytes; result.printed has how many there were */
	const char *output;
	size_t output_len;
};

/* Runs `launch` of `module` on the machine. Returns NULL, with diagnostics, when it cannot start (no such kernel,
 * arguments that do not fit the parameters, too much memory); otherwise a profile whose result says how it ended. All
 * in `arena`. Parameter memory is not counted. */
struct profile *profile_run(struct arena *arena, struct ptx_module *module, const struct launch *launch,
	struct profile_watch watch, struct diag *diag);

/* The same on a device where others may have run before. Launches of other orders run launch->before again. */
struct profile *profile_run_on(struct arena *arena, struct profile_device *device, const struct launch *launch,
	struct profile_watch watch, struct diag *diag);

/* Runs the launch and stops only at faults that would end it on hardware, which the result names: a misaligned access,
 * one outside of memory, a trap, and a barrier or *.sync that never completes. Races do not end it, nor does an access
 * past a buffer up to the next multiple of PROFILE_GRANULE bytes, to which cuMemAlloc aligns. Its counts are not a
 * prediction. Of `watch`, checks and granule do not matter. NULL as profile_run. */
#define PROFILE_GRANULE 256u
struct profile *profile_on_gpu(struct arena *arena, struct ptx_module *module, const struct launch *launch,
	struct profile_watch watch, struct diag *diag);

/* --- alone.c ------------------------------------------------------------------------------------------------------ */

/* A launch that comes after others, as one that does not need them: for a GPU, which is given one launch at a time. */

#define PROFILE_ALONE_MAX ((size_t)4 << 20) /* bytes of the buffers of others, which travel as text */

/* Whether it can be: its arguments have no addresses but those of buffers that others made, each once and
 * PROFILE_ALONE_MAX in all, and others may not have written variables of the module. True of one that comes after no
 * others and has no addresses. */
bool profile_can_be_alone(const struct ptx_module *module, const struct launch *launch);

/* The launch with each of those buffers as its elements are when it begins, as the machine has them after the others:
 * bits in its text, in its type those of the one that made it. In `arena`, where `launch` must outlive it. NULL with an
 * error when one of the others does not end, or it cannot be alone. */
const struct launch *profile_launch_alone(
	struct arena *arena, struct ptx_module *module, const struct launch *launch, struct diag *diag);

/* --- blame.c ------------------------------------------------------------------------------------------------------ */

/* What the machine finds in a launch that failed on a GPU: the same launch with every check on, run in slices
 * so that the screen can answer keys meanwhile. */

/* Warp instructions after which the launch is called endless. */
#define BLAME_STEPS_MAX 20000000u

struct blame;

/* Copies what it needs of the PTX and the launch. Never NULL; if the launch cannot run, the sentence says so. */
struct blame *profile_blame_new(const char *ptx, size_t len, const struct launch *launch);
void profile_blame_free(struct blame *blame);

/* Goes on for about `ms` milliseconds; true when it is done. */
bool profile_blame_step(struct blame *blame, double ms);

/* "The machine finds: out of bounds store at saxpy.cu:7, block 3, warp 1, lanes 8-31 (...)." Or that it does not end,
 * and where it is; or that nothing is found. Once profile_blame_step returned true. */
const char *profile_blame_sentence(const struct blame *blame);

/* --- defect.c ----------------------------------------------------------------------------------------------------- */

/* A defect in sentences, the same wherever it is reported. They have no period, and no place but lines in the
 * message; what others named in them is to be escaped. */

/* "race: thread 3 of block 0 ..." */
void profile_defect_sentence(const struct simt_defect *defect, struct buf *out);

/* Who: "block 0, warp 1, lanes 3-4", and of the defect's own side, what else is known of it: the address, the order
 * that showed it, how often it was found. */
void profile_defect_who(const struct simt_defect *defect, struct buf *out);
void profile_side_who(const struct simt_side *side, struct buf *out);

/* "the other side, a store" */
void profile_other_side(const struct simt_side *side, struct buf *out);
