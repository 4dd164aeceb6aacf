/* machine/simt/simt.h: the SIMT machine: runs a PTX kernel warp by warp on the CPU and reports to a listener what it
 * sees.
 *
 * Blocks run in order of their linear index, each to its end unless it waits for another block: then resident blocks
 * have turns, and so have the warps of each. Lanes of a warp that diverge reconverge at the immediate post-dominator of
 * the branch; lanes that wait for each other all make progress, as with independent thread scheduling. A run is
 * deterministic. %clock counts the warp instructions of the block, and so does %globaltimer. Lane i of warp w is thread
 * 32*w+i of the block, x fastest, then y, then z. Device addresses are 64-bit; every buffer is followed by a gap, so
 * that running past one is seen. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "machine/ptx/ptx.h"
#include "machine/race/missing.h"
#include "machine/warp/texture.h"
#include "machine/warp/warp.h"

/* --- device memory ------------------------------------------------------------------------------------------------ */

struct simt_memory;

/* Global memory of at most `limit` bytes in all. */
struct simt_memory *simt_memory_new(size_t limit);
void simt_memory_free(struct simt_memory *memory);

/* A zeroed buffer, 256-byte aligned as cudaMalloc's; 0 when the limit is passed, or no addresses are left. */
uint64_t simt_memory_alloc(struct simt_memory *memory, size_t asked);

/* Room for so many buffers, so that they can be made, mapped and released between the turns of launches that have begun
 * (simt_begin), as long as it is not crowded. */
void simt_memory_reserve(struct simt_memory *memory, int buffers);
bool simt_memory_is_crowded(const struct simt_memory *memory);

/* Buffers made from now on end at the next multiple of `granule` bytes, with zeros after what was asked for. */
void simt_memory_round_up(struct simt_memory *memory, size_t granule);

/* Buffers made from now on are from `first` on, which lies behind all there are, and before `end`. False when it does
 * not. */
bool simt_memory_begin(struct simt_memory *memory, uint64_t first, uint64_t end);

/* Memory of the host, at its own address for kernels too; it stays the caller's, and must live until it is released.
 * False when it overlaps with a buffer. */
bool simt_memory_map(struct simt_memory *memory, void *host, size_t bytes);

/* The same at another address. */
bool simt_memory_map_at(struct simt_memory *memory, uint64_t address, void *host, size_t bytes);

/* From now on a buffer that simt_memory_alloc made has its bytes at `host`, as though it were mapped there; they are
 * copied. Only between turns, as below. False: no buffer begins there. */
bool simt_memory_move(struct simt_memory *memory, uint64_t address, void *host);

/* From now on kernels may only read what begins there: a store is out of bounds. */
void simt_memory_protect(struct simt_memory *memory, uint64_t address);

/* Gives a buffer, or what was mapped, back: a kernel that uses it then is out of bounds. Its addresses are not given
 * out again, but can be mapped again. False: nothing begins there, or it was given back before. Never while a launch
 * runs, only between its turns. */
bool simt_memory_release(struct simt_memory *memory, uint64_t address);

/* Host pointer to `bytes` bytes at `address`; NULL when not all inside one buffer. Valid until the memory is freed. */
void *simt_memory_at(const struct simt_memory *memory, uint64_t address, size_t bytes);

/* From now on none of these bytes, in one buffer, counts as written, whatever it holds, until a kernel stores
 * to it. */
void simt_memory_uninitialized(struct simt_memory *memory, uint64_t address, size_t bytes);

/* Its buffers one by one, in the order of their addresses, for who keeps a memory and makes it again. */
struct simt_buffer {
	uint64_t address;
	size_t bytes;
	void *host;             /* where the bytes are, until it is given back */
	const uint8_t *written; /* bit i of byte i / 8: whether byte i counts as written; NULL: all do */
	bool mapped;            /* simt_memory_map made it: the host may write it at any time */
	bool of_heap;           /* malloc of a kernel made it */
	bool freed;             /* it was given back, and has no bytes */
};
int simt_memory_count(const struct simt_memory *memory);
struct simt_buffer simt_memory_buffer(const struct simt_memory *memory, int index);

/* A buffer at its old address, zeroed, with bytes of the memory's own; `host` does not matter, and `written` is copied.
 * They are made in the order of their addresses. False when it overlaps with the one before, lies where no buffer can,
 * or is more than the memory has. */
bool simt_memory_make(struct simt_memory *memory, const struct simt_buffer *buffer);

/* From where to where the next buffers are made; makes them there, between those that there are. False when that cannot
 * be. */
struct simt_room {
	uint64_t next, end;
};
struct simt_room simt_memory_room(const struct simt_memory *memory);
bool simt_memory_make_room(struct simt_memory *memory, struct simt_room room);

/* --- a module's variables ----------------------------------------------------------------------------------------- */

/* The .global and .const variables of a module, with their initial values. A launch that is given them works on them,
 * so that they last from one launch to the next; one that is not has new ones. */
struct simt_variables;

enum simt_globals {
	SIMT_GLOBALS_APART,  /* at addresses of the device alone */
	SIMT_GLOBALS_SHARED, /* at their host address, as managed variables are */
};

/* The .global ones are a buffer of `memory`, which must be freed after them. NULL when there is no memory for them; the
 * module must outlive them. */
struct simt_variables *simt_variables_new(
	struct simt_memory *memory, const struct ptx_module *module, enum simt_globals globals);
void simt_variables_free(struct simt_variables *variables);

/* The same for .global ones that are where they were before, in a buffer made again; their initial values are put
 * there. NULL also when there is no such room. */
struct simt_variables *simt_variables_again(
	struct simt_memory *memory, const struct ptx_module *module, uint64_t globals);

/* Where the .global ones are, 0: there are none; all bytes of the .const ones. */
struct simt_variables_place {
	uint64_t globals;
	void *constants;
	size_t bytes;
	int moved; /* so many .global ones are elsewhere: simt_variables_move */
};
struct simt_variables_place simt_variables_place(const struct simt_variables *variables);

/* From now on the .global variable of that name lies at memory of the caller's, as large as it is, at its host address
 * for kernels, too; with its initial value. The machine has it at `bytes`, the same or a second mapping of it. Before
 * the first launch. False: there is no such variable, or no place there. */
bool simt_variables_move(
	struct simt_variables *variables, struct simt_memory *memory, const char *name, void *host, void *bytes);

/* One of them. */
struct simt_variable {
	uint64_t address; /* where kernels find it, a generic address */
	size_t size;
	void *bytes; /* `size` of them, of the host */
	bool constant;
};

/* The variable of that name, as PTX has it; false when there is none that is .global or .const. */
bool simt_variables_find(const struct simt_variables *variables, const char *name, struct simt_variable *out);

/* The address by which kernels call a function of their module, as good in every launch. */
uint64_t simt_function_address(const struct ptx_kernel *function);

/* --- what the machine sees ---------------------------------------------------------------------------------------- */

/* An instruction that a warp executes. */
struct simt_site {
	int instr;            /* index into the kernel's instructions */
	uint32_t block, warp; /* linear block index; warp of the block */
};

/* Where a part of an access to shared memory of the cluster goes. */
struct simt_cluster_part {
	uint32_t from, to; /* ranks */
	bool is_first;     /* of the instruction's parts */
	bool is_named;     /* the instruction says .shared::cluster; else it has a generic address */
};

/* Called from the machine as it runs; members may be NULL. When several cores run blocks, each has a context of its
 * own, which `fork` makes from the launch's; `join` adds to the launch's what was reported to it and frees it, `drop`
 * only frees it. They are called by the thread that called simt_run. Without `fork`, one core runs all blocks. What a
 * call is given lives for the call only. */
struct simt_listener {
	void *ctx;
	/* Of an access that may reach other blocks of the cluster, the lanes whose addresses are in one of them, or in
	 * their own. `access` has seen those of the own block, too. */
	void (*cluster)(void *ctx, const struct simt_site *site, const struct warp_access *access,
		const struct simt_cluster_part *part);
	/* One warp instruction to memory. Predicated-off lanes are not active. Vector accesses (.v2, .v4) are one
	 * access of their whole width. `active` is 0 only for an instruction on .shared all of whose lanes are
	 * predicated off, which the hardware counts as a request nevertheless; those on other spaces, and on generic
	 * addresses, which then have no space, are not reported. */
	void (*access)(void *ctx, const struct simt_site *site, const struct warp_access *access);
	/* A conditional branch; `taken` is a subset of `active`. */
	void (*branch)(void *ctx, const struct simt_site *site, uint32_t active, uint32_t taken);
	/* Lanes that execute the instruction separately are reported separately. */
	void (*shuffle)(void *ctx, const struct simt_site *site, const struct warp_shuffle *shuffle);
	/* Every warp instruction, before it executes. `active` are the lanes of the running path; those of them whose
	 * guard predicate is false do nothing and are not in `executing`. */
	void (*step)(void *ctx, const struct simt_site *site, uint32_t active, uint32_t executing);
	/* What the kernel prints: lane after lane of a warp instruction. Together at most SIMT_PRINT_MAX bytes of a
	 * launch. */
	void (*print)(void *ctx, const char *text, size_t len);
	void *(*fork)(void *ctx);
	void (*join)(void *ctx, void *part);
	void (*drop)(void *ctx, void *part);
};

/* --- a run -------------------------------------------------------------------------------------------------------- */

/* Blocks that are on the GPU at the same time: another one begins when one of them has ended. */
struct simt_resident {
	uint32_t blocks; /* at most; 0: not known, and only the host's memory limits them */
	const char *why; /* in words, for messages, as in "2 on each of 132 SMs"; NULL: not known */
};

/* Where warps of a launch are: of one that a limit has stopped, or that runs. */
enum simt_stand_state {
	SIMT_STAND_RUNS,    /* anything else */
	SIMT_STAND_POLLS,   /* polls a word of global memory again and again */
	SIMT_STAND_BARRIER, /* waits at a barrier */
	SIMT_STAND_SYNC,    /* waits at a *.sync */
};

/* Warps at one line. */
struct simt_stand {
	enum simt_stand_state state;
	int instr; /* one of the line */
	struct ptx_location place;
	uint32_t first, last, blocks, latest; /* blocks: the lowest, the highest, how many; the one counted last */
	uint32_t warps;                       /* bit w: warp w of one of these blocks */
	uint64_t address;                     /* SIMT_STAND_POLLS: of a word that one of them polls */
};

#define SIMT_STANDS_MAX 16
struct simt_standing {
	uint64_t ended, resident, waiting; /* blocks; waiting: that never began */
	bool full;                         /* no further one may be resident on the GPU of the launch, */
	bool host_full;                    /* or there is no more of the host's memory for one */
	bool has_next;
	uint64_t next; /* with has_next: the first that never began; they are all from there on */
	struct simt_resident most;
	struct simt_stand at[SIMT_STANDS_MAX];
	uint32_t n, left_out; /* left_out: warps, or parts of them, at still other lines */
};

/* What another thread sees of launches as they run, and requests of them. */
struct simt_progress {
	_Atomic uint64_t steps, blocks; /* warp instructions, in thousands at a time; blocks that have ended */
	_Atomic bool stop;              /* ends the launch soon, with SIMT_LIMIT and result.interrupted */
	/* Who wants to know where the warps are adds 1 to `look`, and finds it in `standing` once `seen` is equal. No
	 * second look before that. */
	_Atomic uint32_t look, seen;
	struct simt_standing standing;
};

struct simt_limits {
	struct simt_progress *progress; /* NULL: nobody reads it */
	uint64_t steps;                 /* warp instructions of the whole launch; 0: the default */
	uint64_t threads;               /* threads of the whole launch; 0: the default */
	uint32_t shared;                /* bytes per block; 0: the default, 227 KiB (CC 9.0's most) */
	uint32_t cores;                 /* of the host that blocks may run on; 0: all there are */
	/* 1 + a block: the launch ends, with SIMT_LIMIT, when it and its cluster have ended; 0: when all have. */
	uint64_t through;
	/* Of a core's time in which no block ends or finds another value where it waits; 0: no limit. The one limit
	 * that depends on the host. */
	uint32_t quiet_ms;
};
#define SIMT_QUIET_MS 3000               /* for a reader who waits, and a kernel that may never end */
#define SIMT_REPEATS_MAX 100000          /* a defect that is found so often ends the launch */
#define SIMT_PRINT_MAX ((size_t)1 << 20) /* as CUDA keeps */
#define SIMT_STEPS_DEFAULT 200000000u
#define SIMT_THREADS_DEFAULT 16777216u
#define SIMT_SHARED_DEFAULT (227u * 1024u)
#define SIMT_RESERVED_SHARED 1024u /* bytes of each block that are the system's, from CC 8.0 on */

/* What to look for; bits. Nothing that protects the host can be switched off: without SIMT_CHECK_BOUNDS and
 * SIMT_CHECK_ALIGN the lanes with wrong addresses still do nothing, it is only not reported. So it is with a barrier
 * that cannot complete, a trap, and other faults after which the block cannot go on: they always end the run and are
 * always reported. */
enum {
	SIMT_CHECK_BOUNDS = 1, /* accesses out of bounds */
	SIMT_CHECK_ALIGN = 2,  /* misaligned accesses */
	SIMT_CHECK_RACE = 4,   /* data races in shared and global memory */
	SIMT_CHECK_UNINIT = 8, /* uninitialized reads of shared, local and global memory */
	SIMT_CHECK_SYNC = 16,  /* barriers, masks of *.sync */
	SIMT_CHECK_ALL = 31,
	SIMT_CHECK_NONE = 32,
	/* Without SIMT_CHECK_SYNC: what of that ends a kernel on a GPU, a warp barrier at a lane that its mask does not
	 * name, as a trap (verified: H200, doc/hardware.md); and what another GPU may wait for without end: lanes that
	 * do not come to a *.sync that names them, or to a barrier of their block. */
	SIMT_CHECK_UNNAMED = 64,
	SIMT_CHECK_DEFAULT = 0, /* bounds, align and sync, which cost nothing */
};

/* In which order blocks begin, and blocks and warps have their turns; from SIMT_ORDER_RANDOM on each number is another
 * random one, in which they are interrupted often. A run has the same defects each time, and perhaps others in another
 * order. */
enum {
	SIMT_ORDER_NUMBERS,
	SIMT_ORDER_REVERSED,
	SIMT_ORDER_RANDOM,
};
#define SIMT_ORDER_TEXT 32
const char *simt_order_name(uint32_t order, char out[SIMT_ORDER_TEXT]); /* returns `out` */

/* Whether threads may synchronize through memory, by locks, flags or tickets: whether it has strong reads, or atomics
 * whose old value it uses. */
bool simt_synchronizes(const struct ptx_kernel *kernel);

/* Whether turns of its launches can be taken on several threads at the same time, one for each launch, over one memory:
 * it neither synchronizes through memory nor has atomics, and asks for no memory. Of such a launch,
 * simt_launch.limits.cores must be 1. */
bool simt_is_apart(const struct ptx_kernel *kernel);

/* A texture or a surface of a launch. A kernel knows it by its handle, which it is passed or which the variable named
 * has. One whose channels have no bytes is none, and only keeps the handle of another that was. */
struct simt_texture {
	struct warp_texture shape;
	uint64_t address;      /* of its texels: warp_texture_bytes of them, in memory */
	const char *reference; /* the .texref or .surfref of the module that it is; NULL: none */
};
uint64_t simt_texture_handle(uint32_t index); /* into simt_launch.textures */

struct simt_launch {
	const struct ptx_kernel *kernel;
	uint32_t grid[3], block[3];
	uint32_t cluster[3];     /* blocks of a cluster; 0: as the kernel says, or none */
	uint32_t dynamic_shared; /* bytes */
	const void *params;      /* ptx_param_bytes(kernel) bytes laid out at ptx_param.offset */
	const struct simt_texture *textures;
	uint32_t n_textures;
	struct simt_limits limits;
	struct simt_resident resident;
	bool cooperative;   /* all blocks have to be resident, and can synchronize as a grid */
	uint32_t order;     /* of blocks and warps: SIMT_ORDER_... */
	bool strict;        /* threads that store the same value race, too, whatever the value */
	bool to_its_end;    /* a full report and a defect that is found again and again do not end it */
	bool ends_at_fault; /* at the first access that a GPU, or its memory checker, ends it for */
	const struct simt_listener *listener; /* or NULL */
	uint32_t checks;                      /* SIMT_CHECK_... */
	struct simt_variables *variables;     /* of the kernel's module, in the memory of the launch; NULL: new ones */
	struct simt_report *report; /* of the caller, empty: takes the defects. NULL: the first one ends the run */
};

enum simt_outcome {
	SIMT_OK,
	SIMT_DEFECT, /* the kernel did something wrong: see the defect, the report's first */
	SIMT_LIMIT,  /* a limit stopped it */
	SIMT_ERROR,  /* it cannot be launched: bad shape, too much shared memory, missing parameters */
};

enum simt_defect_kind {
	SIMT_DEFECT_NONE,
	SIMT_OUT_OF_BOUNDS,
	SIMT_MISALIGNED,
	SIMT_BARRIER_DIVERGENT,
	SIMT_BARRIER_MISSING,
	SIMT_BARRIER_PENDING,
	SIMT_BARRIER_MISMATCHED,
	SIMT_BAD_MASK,
	SIMT_TRAP,
	SIMT_BAD_CALL,
	SIMT_BAD_TEXTURE,
	SIMT_ASSERTION,
	SIMT_RACE,
	SIMT_UNINITIALIZED,
	SIMT_BAD_PRODUCT,
};

/* The error of a launch that a defect ends. */
enum simt_ending {
	SIMT_ENDING_OF_KIND, /* that of its kind */
	SIMT_ENDING_ILLEGAL, /* an illegal instruction */
	SIMT_ENDING_FAILURE, /* a launch failure, though an address is wrong */
};

/* One side of a defect. */
struct simt_side {
	int instr; /* -1: there is no such side */
	struct ptx_location place;
	bool accesses; /* memory, by `op` */
	enum access_op op;
	uint32_t block, warp, lanes;
	int lane; /* one of them: the sides of a race name two that race */
};

#define SIMT_MESSAGE 384

struct simt_defect {
	enum simt_defect_kind kind;
	struct simt_side here;
	/* SIMT_RACE, SIMT_BARRIER_MISMATCHED: what came first; SIMT_UNINITIALIZED: the load of what * `here` uses, if
	 * it is at another line. */
	struct simt_side other;
	enum race_missing missing; /* SIMT_RACE */
	enum mem_space space;      /* of the memory, when `here` or `other` accesses any */
	uint64_t address; /* of the first faulty lane, where there is one; shared: offset in the block's window */
	bool in_neighbor; /* SIMT_OUT_OF_BOUNDS: of its array, but in memory of the block, so that it was made */
	char message[SIMT_MESSAGE]; /* one sentence, without the place */
	uint64_t count;             /* how often it was found, at most SIMT_REPEATS_MAX */
	uint32_t order;             /* that showed it first */
	bool ends;                  /* the launch, as a GPU or its memory checker would */
};

/* The defects of a run, which goes on after them as well as it can: lanes with a wrong address do nothing, and load
 * zeros; those that name a wrong mask act together with those that are there. In the order of blocks, warps, and time.
 * Those of one kind at the same line (and with the other side at the same line) are one; the first is reported. */
struct simt_report {
	/* Room for `cap` of them, of the caller, at least one; the run ends when it is full. */
	struct simt_defect *defects;
	uint32_t cap, n;
};

/* Adds to the defects of a run those that one in another order found; its result says so when it had none. */
struct simt_result;
void simt_report_add(struct simt_report *report, struct simt_result *result, const struct simt_report *more);

struct simt_result {
	enum simt_outcome outcome;
	enum simt_defect_kind ended_by; /* the first defect that ends a launch on a GPU; NONE: it goes on there */
	enum simt_ending ending;        /* with which error, where ended_by is not NONE */
	enum simt_defect_kind defect;
	int instr; /* where, -1: nowhere in particular */
	struct ptx_location place;
	uint32_t block, warp, lanes;
	uint64_t address;           /* of the first faulty lane, where there is one */
	char message[SIMT_MESSAGE]; /* one sentence, without the place */
	uint64_t steps;             /* warp instructions executed */
	bool ended;                 /* all blocks ran to their ends, perhaps with defects */
	bool communicates;   /* threads did, as race_grid_communicates says; true when races are not looked for */
	bool interrupted;    /* by simt_progress.stop */
	uint64_t printed;    /* bytes that the kernel wanted to print, those past SIMT_PRINT_MAX among them */
	uint64_t print_work; /* characters that were read and written for that */
	struct simt_standing standing; /* SIMT_LIMIT, after blocks have begun: `resident` is not 0 */
};

/* Runs the launch over `memory`. Always returns; `*result` is filled whatever happens. */
void simt_run(const struct simt_launch *launch, struct simt_memory *memory, struct simt_result *result);

/* The same in turns, so that launches of one memory can run side by side, and the host sees and writes that memory
 * meanwhile. `launch` and `result` must live until simt_end, which gives the result where it was not there yet. Never
 * NULL. */
enum simt_turn {
	SIMT_TURN_RAN,   /* it can go on */
	SIMT_TURN_WAITS, /* all its blocks look again and again at memory that others may write */
	SIMT_TURN_ENDED,
};
struct simt_turns;
struct simt_turns *simt_begin(const struct simt_launch *launch, struct simt_memory *memory, struct simt_result *result);
enum simt_turn simt_continue(struct simt_turns *turns);
void simt_end(struct simt_turns *turns);

const char *simt_defect_name(enum simt_defect_kind kind);

/* Where warps are, in sentences without a period: how many blocks of the launch have ended, are resident, and never
 * began, and why not; what warps at a line do there, and which; and that as a word. */
enum simt_stand_when { SIMT_STOOD, SIMT_STANDS_NOW };
void simt_standing_sentence(const struct simt_standing *standing, struct buf *out);
void simt_stand_sentence(const struct simt_stand *stand, enum simt_stand_when when, struct buf *out);
const char *simt_stand_name(enum simt_stand_state state);

/* The checks of a list, "race,uninit": bounds, align, race, uninit, sync, all and none, into `*checks`. False: it is
 * none. */
bool simt_checks_read(const char *list, uint32_t *checks);

/* Whether it goes by that name, or did in the British spelling. */
bool simt_defect_is_named(enum simt_defect_kind kind, const char *name);

/* Appends "lanes 0-15, 20"; nothing for none. */
void simt_write_lanes(uint32_t lanes, struct buf *out);
