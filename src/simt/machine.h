/* simt/machine.h: the inside of the SIMT machine. Inside simt/ only.
 *
 * Registers lie lane-contiguous: 32 values of 2, 4 or 8 bytes side by side, so that one warp instruction is one loop over
 * arrays; a predicate register is one 32-bit mask. An operand is a bank and an offset into it, whatever it is: registers,
 * constants (written out 32 times when the kernel is decoded) and special registers read alike. */
#pragma once
#include "ptx/instr.h"
#include "simt/simt.h"

#define NOWHERE UINT32_MAX /* a program counter that is never reached */
#define NAMED_BARRIERS 16
#define CLUSTER_BARRIER NAMED_BARRIERS /* of barrier.cluster: a cluster is one block */
#define BARRIERS (NAMED_BARRIERS + 1)
#define RUN_STEPS 512u /* instructions a warp runs before the next one has its turn, */
#define POLL_STEPS 32u /* and after it has looked for something that others may do */
#define NO_JOIN UINT32_MAX
#define NO_FRAME UINT32_MAX
#define LOCAL_MAX ((uint64_t)512 << 10) /* bytes of local memory of one thread, as CUDA's limit */
#define NO_BARRIER UINT32_MAX

/* Windows of the generic address space. What lies below is global memory. */
#define WINDOW_SIZE ((uint64_t)1 << 32)
#define GLOBAL_END ((uint64_t)0x7C00000000000000)
#define SHARED_WINDOW ((uint64_t)0x7F00000000000000)
#define LOCAL_WINDOW ((uint64_t)0x7E00000000000000)
#define CONST_WINDOW ((uint64_t)0x7D00000000000000)
#define PARAM_WINDOW ((uint64_t)0x7C00000000000000)
#define CODE_WINDOW ((uint64_t)0x7B00000000000000) /* addresses of functions: function_address */

struct machine;
struct worker;
struct warp;
struct code;

typedef void exec_fn(struct warp *w, const struct code *c, uint32_t mask);

/* What the lanes that meet at a *.sync bring with them. */
struct exchange {
	uint32_t lanes;            /* that meet */
	uint32_t held;             /* of those, the ones whose predicate operand holds */
	uint64_t value[WARP_SIZE]; /* of each, the source operand */
};

/* The second half of a *.sync instruction: gives `lanes`, some of those that met, their results. */
typedef void meet_fn(struct warp *w, const struct code *c, uint32_t lanes, const struct exchange *x);

/* --- memory ------------------------------------------------------------------------------------------------------- */

struct region {
	uint64_t base;
	size_t size;
	uint8_t *bytes;
	uint8_t *written;    /* a bit for each byte that was; NULL: all were */
	bool of_heap, freed; /* malloc of a kernel made it; free gave it back, and it has no bytes any more */
};

struct simt_memory {
	struct region *regions; /* by base */
	int n, cap;
	size_t used, limit, heap_used;
	size_t granule; /* sizes are rounded up to a multiple of it; 0: they are not */
	int heap_end;   /* regions up to there can be made while a kernel runs */
	uint64_t next;
};

/* The region that holds `address`, or the one before it; NULL when there is none. */
const struct region *memory_find(const struct simt_memory *memory, uint64_t address);

/* The heap of kernels: made ready before a launch that may call malloc, so that regions stay where they are while it runs.
 * Memory that is given back is never given out again: whoever still uses it is seen. 0: no heap, or none left of it. False:
 * not what heap_alloc gave, or given back before. */
void heap_open(struct simt_memory *memory);
uint64_t heap_alloc(struct simt_memory *memory, uint64_t bytes);
bool heap_free(struct simt_memory *memory, uint64_t address);

/* --- decoded instructions ----------------------------------------------------------------------------------------- */

enum bank { BANK_REGS, BANK_CONSTS, BANK_SPECIALS, BANKS };

struct ref {
	uint32_t bank, offset;
};

#define CODE_ALWAYS 1u     /* runs even when no lane takes part */
#define CODE_CLOCK 2u      /* reads a clock */
#define CODE_YIELDS 4u     /* ends the warp's turn, so that warps leave a barrier in their order */
#define CODE_SHARED 8u     /* reads or writes .shared: told to the listener even when no lane takes part */
#define CODE_STRONG 16u    /* PTX's strong memory operations, by which threads talk to each other */
#define CODE_FRAME 32u     /* `offset` counts from the frame of the function */
#define CODE_PASSES 64u    /* reads or writes a .param variable of a function or a call, which lies in the frame */
#define CODE_ORDERED 128u  /* sees what other blocks did before it: order.c, */
#define CODE_COMMUTES 256u /* or would, but nothing in the launch sees the difference */

struct code {
	exec_fn *run;
	meet_fn *meet;                  /* of a *.sync */
	struct ref r[PTX_OPERANDS_MAX]; /* operands, in the order of the instruction */
	int32_t guard;                  /* offset of the predicate in the registers, -1: none */
	uint32_t guard_xor;             /* all ones when negated */
	uint32_t flags;
	uint32_t invert;             /* all ones when the source predicate is negated */
	uint32_t target, reconverge; /* of a branch; NOWHERE: the end */
	int64_t offset;              /* of an address */
	uint8_t address;             /* the operand that it is */
	uint8_t address_bytes;       /* of the register that holds an address; 0: there is none */
	uint8_t space;               /* enum mem_space */
	uint8_t bytes, lanes;        /* of one element of a memory access; how many */
	uint8_t slot[2];             /* bytes of the registers of operands 0 and 1 */
	uint8_t members;             /* of a *.sync: the operand that names the lanes */
	int32_t second;              /* offset of the predicate in d|p and p|q, -1: none */
	const struct ref *elements;  /* of the vector operands, one after the other */
	uint8_t n_elements;
	struct code *from; /* the same instruction with its next address: the source of a copy, its mbarrier */
	const struct call_site *call; /* of a call */
	const struct ptx_instr *instr;
	uint32_t index;
	uint32_t next; /* the instruction behind it; program.n: the end of the function */
};

/* Where something that a call passes lies. */
enum place_kind { PLACE_NOWHERE, PLACE_LANES, PLACE_MASK, PLACE_FRAME };
struct place {
	enum place_kind kind;
	struct ref ref;  /* LANES: 32 of `bytes` bytes each; MASK: a predicate */
	uint64_t offset; /* FRAME: in local memory, from the frame on */
	uint32_t bytes;
};

struct call_site {
	int32_t unit;             /* that is called; -1: one of the prototype, by the address in r[PTX_CALL_CALLEE] */
	enum ptx_builtin builtin; /* is called instead */
	const struct ptx_prototype *prototype;
	struct place *results, *args; /* as many as the signature has */
};

/* A function of the launch; the first is the kernel. */
struct unit {
	const struct ptx_kernel *code;
	uint32_t first;      /* its first instruction */
	uint32_t regs_bytes; /* of one warp */
	uint32_t *reg_offset;
	uint64_t *var_address; /* by ptx_kernel.uses: address in its space; FRAME: from the frame on */
	uint32_t local_align;  /* of its frame in local memory */
	struct place *results, *params;
};

/* What `pick` columns of ops.def name: chooses the executor when the operands are decoded; NULL when there is none. */
typedef exec_fn *pick_fn(const struct code *c);
#define OP(id, spelling, types, types2, operands, modifiers, kind, pick, meaning) pick_fn pick_##pick;
#include "ptx/ops.def"
#undef OP

struct program {
	const struct ptx_kernel *kernel;
	struct unit *units; /* as the kernel's parts */
	uint32_t n_units;
	const struct unit *unit; /* being decoded */
	bool uses_heap;          /* calls malloc */
	int32_t *unit_of;        /* function of the module -> unit, -1: not linked */
	struct code *code;       /* of all units, one behind the other */
	uint32_t n;
	uint8_t *consts;
	size_t n_consts, cap_consts;
	bool uses_special[PTX_SPECIALS];
	uint32_t special_offset[PTX_SPECIALS];
	uint32_t specials_bytes; /* of one warp */
};

/* --- a run -------------------------------------------------------------------------------------------------------- */

/* A place where lanes meet again: the immediate post-dominator of the branch at which they parted or, of a call, where they
 * go on when they have returned. */
struct join {
	uint32_t pc, frame; /* where they go on */
	uint32_t callee;    /* of a call: the frame they return from; NO_FRAME: this is no call */
	uint32_t mask;      /* lanes that are to meet, as far as they live; 0: not in use */
	uint32_t arrived;   /* those that wait here */
	uint32_t parent;    /* the next join on their way, or NO_JOIN */
};

enum path_state { PATH_READY, PATH_AT_SYNC, PATH_AT_BARRIER };

/* Lanes that go on together, while another path of their warp runs. */
struct path {
	enum path_state state;
	uint32_t pc, frame, mask;
	uint32_t join;         /* where they next meet others, or NO_JOIN */
	const struct code *at; /* what they wait at; pc is behind it */
	uint32_t waits_for;    /* AT_SYNC: the lanes that its mask names; AT_BARRIER: the barrier */
};

/* What lanes that called a function together have of their own there. Frame 0 is the kernel's. */
struct frame {
	uint8_t *regs, *memory; /* regs lies in memory; NULL: the frame is not in use, or the kernel's */
	const struct unit *unit;
	const struct code *call;        /* by which it was made; NULL: the kernel's */
	uint32_t caller, depth;         /* frame; calls up to here */
	uint64_t local_base, local_end; /* in local memory: its part, and the end of what there is */
	uint32_t next_free;
};

enum warp_state {
	WARP_RUNS,
	WARP_WAITS, /* at a barrier, or no path of it is ready */
	WARP_DONE,
};

struct warp {
	uint8_t *bank[BANKS];
	uint32_t pc, active, join; /* the running path; no lane is active when none runs */
	uint32_t rpc;              /* pc of its join, or NOWHERE */
	uint32_t live;             /* lanes that have not ended */
	uint32_t carry;            /* the carry flag of each lane */
	struct machine *m;
	struct async *async; /* what it has under way: async.h; NULL: nothing */
	uint8_t *local;      /* local memory, one thread's after the other */
	uint64_t local_bytes,
		local_charged;          /* room for one thread in it; what of it the block's calls have asked for */
	uint8_t *first_local;           /* what it begins with; another one is on the heap */
	uint32_t frame;                 /* of the running path */
	uint64_t local_base, local_end; /* of the frame that is in bank[BANK_REGS], nearly always the running path's */
	struct frame *frames;
	uint32_t n_frames, cap_frames, free_frame; /* free_frame: the first of a list */
	struct path *paths;                        /* the other paths, the newest last */
	uint32_t n_paths, cap_paths;
	struct join *joins;
	uint32_t n_joins, cap_joins;
	uint32_t index; /* in the block */
	enum warp_state state;
	bool loose;                  /* lanes went on without those they should have met: paths_loosen */
	bool polled;                 /* a strong operation changed nothing, in this round of turns */
	uint32_t idle_rounds;        /* in which it polled, since memory was changed or it had other work; */
	uint32_t quiet_rounds;       /* and in which it did not, since then */
	uint32_t barrier;            /* that all lanes wait at, or NO_BARRIER */
	const struct code *waits_at; /* the barrier instruction of the running path, if it waits */
};

struct barrier {
	bool begun;               /* somebody has come */
	uint32_t arrived;         /* warps */
	uint32_t expected;        /* warps, 0: all that live */
	uint32_t all, any, count; /* of bar.red */
	const struct code *last;  /* by which a warp came last, and which warp */
	uint32_t last_warp;
};

enum block_state {
	BLOCK_RUNS,
	BLOCK_ENDED,
	BLOCK_STUCK, /* it only polls memory that nobody in it changes: another block has to */
};

/* A block that is being run, and all that it needs; several may be under way, which share the launch and its memory. */
struct machine {
	const struct simt_launch *launch;
	struct simt_memory *memory;
	struct simt_result *result;
	const struct simt_listener *listener; /* never NULL */
	struct arena *arena;
	struct program program;
	bool stop;
	uint32_t checks;                /* SIMT_CHECK_... */
	struct simt_report *report;     /* never NULL */
	struct race_grid *race_grid;    /* of the launch; NULL: checks for neither races nor uninitialized reads */
	struct race_detector *detector; /* of the block */
	uint64_t steps;                 /* of this block */
	uint64_t left, max_steps;       /* steps until the limit of the launch; the limit */
	uint32_t block;                 /* linear index */
	uint32_t n_warps, threads;
	struct warp *warps;
	struct worker *worker; /* that runs it, of a team; NULL: it runs alone */
	enum block_state state;
	uint32_t turn_of, turn;         /* the warp that has its turn, and how many steps of it are left */
	uint32_t rotations;             /* of the paths of warps, since memory was changed */
	uint64_t changes, seen_changes; /* to memory so far; at the end of the last round */
	struct barrier barriers[BARRIERS];
	uint8_t *shared;
	uint64_t shared_bytes;
	struct region shared_region;       /* the same, from address 0 */
	uint64_t local_bytes, local_room;  /* of one thread: of the kernel itself; with room for some calls */
	uint64_t stack_bytes;              /* what calls take beyond that and the kernel's registers */
	struct region globals, constants;  /* the module's variables */
	uint64_t *var_address;             /* of the module's variables; of constants, in their window */
	struct warp_access access;         /* being made */
	const struct region **last_region; /* by instruction: where its last global access was */
	uint8_t *params;                   /* a copy */
	bool together;                     /* the host addresses of the lanes are access.address plus bias, */
	uint64_t bias;
	uint8_t *at[WARP_SIZE];      /* or these */
	uint64_t sink[WARP_SIZE][8]; /* where lanes with a wrong address load zeros and store to nobody */
};

/* defect.c: by which instruction a reader knows the place: this one or, in functions without source lines, the nearest call
 * on the way to it that has one. */
int told_instr(const struct warp *w, const struct code *c);

/* report.c: the defect is one of those found; it may end the run. */
void report_defect(struct machine *m, const struct simt_defect *defect);

/* defect.c: a fault of the lanes. Those after which nobody can go on end the run; others may. */
void defect(struct warp *w, const struct code *c, enum simt_defect_kind kind, uint32_t lanes, uint64_t address,
	const char *format, ...) __attribute__((format(printf, 6, 7)));
void refuse(struct machine *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* decode.c: false, with the reason in the result, when the kernel cannot be run. */
bool program_decode(struct machine *m, struct arena *arena);
struct ref decode_operand(struct program *p, const struct ptx_operand *o, enum ptx_type type, uint8_t *slot);

/* call.c: the places of what functions and calls pass. `lanes` of the running path return, or end if it is the kernel that
 * they are in. Frames: the kernel's; all of a warp; one that everybody has left. */
bool call_decode_unit(struct machine *m, struct unit *unit, struct arena *arena);
void call_decode(struct program *p, struct code *c, struct arena *arena);
void call_return(struct warp *w, uint32_t lanes);

/* What a call passes to a built-in function, and gives back, up to 8 bytes. */
uint64_t call_argument(const struct warp *w, const struct code *c, int n, int lane);
void call_result(struct warp *w, const struct code *c, int lane, uint64_t value);

/* builtin.c: what calls the function; never NULL. */
exec_fn *builtin_exec(enum ptx_builtin builtin);

/* mem.c: a lane's memory at a generic address, to read from; NULL when not all of it is there. Says in m->access what kind
 * of access that is, for a defect. */
const void *mem_read(struct warp *w, int lane, uint64_t address, size_t bytes);

void frames_start(struct warp *w);
void frames_free(struct warp *w);
void frame_drop(struct warp *w, uint32_t frame);

/* Makes a frame the one that operands are read from and written to. */
static inline void frame_view(struct warp *w, uint32_t frame)
{
	const struct frame *f = &w->frames[frame];
	w->bank[BANK_REGS] = f->regs;
	w->local_base = f->local_base;
	w->local_end = f->local_end;
}

/* The address by which a function of the module is called, as good in every launch. */
static inline uint64_t function_address(const struct ptx_kernel *function)
{
	return CODE_WINDOW + 16 * ((uint64_t)function->index + 1);
}

/* mem.c: tells the listener of an instruction on .shared in which no lane takes part. */
void mem_tell_empty(struct warp *w, const struct code *c);

/* globals.c: the module's variables, with their initial values; false when they do not fit. */
bool globals_init(struct machine *m);

/* defect.c: the launch passed a limit. */
void limit(struct machine *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
void limit_at(struct warp *w, const struct code *c, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* launch.c: false, with the reason in the result, when the launch cannot be. */
bool launch_check(struct machine *m);

/* specials.c: the special registers of a warp that stay, those that change with the block, and the clocks. */
void specials_launch(struct warp *w);
void specials_block(struct warp *w);
void specials_clock(struct warp *w);

/* paths.c: see there. */
void paths_start(struct warp *w, uint32_t lanes);
void paths_free(struct warp *w);
void paths_diverge(struct warp *w, uint32_t taken, uint32_t target, uint32_t reconverge);
void paths_switch(struct warp *w, const uint32_t target[WARP_SIZE], uint32_t reconverge);
void paths_arrive(struct warp *w);
void paths_exit(struct warp *w, uint32_t mask);
void paths_stay(struct warp *w, uint32_t mask);
void paths_call(struct warp *w, uint32_t lanes, uint32_t pc, uint32_t frame);
void paths_return(struct warp *w, uint32_t lanes);
void paths_park(struct warp *w, const struct code *c, enum path_state state, uint32_t lanes, uint32_t waits_for);
void paths_next(struct warp *w);
bool paths_rotate(struct warp *w);
bool paths_loosen(struct warp *w);

/* meet.c: runs a *.sync instruction, or one of the same kind that takes the lanes there are. Lanes have ended: may paths that
 * wait at one go on? The first path that waits at one, with the lanes it still misses; NULL when there is none. */
exec_fn meet, meet_here;
void meet_decode(struct code *c); /* exec_warp.c */
void meet_update(struct warp *w);
const struct path *meet_waiting(const struct warp *w, uint32_t *absent);

/* barrier.c: runs bar.* and barrier.*. Lanes have ended: is a barrier complete? Nobody can go on, but some wait: says why.
 * The block has ended: does somebody count on a barrier that nobody completed? */
exec_fn barrier;
void barriers_update(struct warp *w);
void barriers_deadlock(struct machine *m);
void barriers_end(struct machine *m);

/* block.c: a block, from its beginning to its end, to where it is stuck, or one step of the warp whose turn it is. */
void block_prepare(struct machine *m);
void block_start(struct machine *m, uint32_t block);
void block_free(struct machine *m);
struct warp *block_next(struct machine *m);
void block_step(struct warp *w);
void block_run(struct machine *m);

static inline enum ptx_type form_type(const struct ptx_instr *instr)
{
	return (enum ptx_type)instr->form->type;
}

/* A strong operation has changed nothing; if it is part of a loop that waits for others, they should not have to wait. */
static inline void block_polls(struct warp *w)
{
	w->polled = true;
	if (w->m->turn > POLL_STEPS)
		w->m->turn = POLL_STEPS;
}

static inline const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}
